"""All matches in memory, and how a table is read and changed: one change at a time, told once it is committed."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from backroom.bots.bot import READ_SECONDS
from backroom.engine.game import Refusal
from backroom.tables import clock, mail, owed
from backroom.tables.live import SEEN_SECONDS, Change, Live
from backroom.tables.publisher import EVERYBODY, News, Publisher
from backroom.tables.rows import ChairRow, TableRow
from backroom.tables.store import Store

__all__ = ["Lives"]

LOG = logging.getLogger(__name__)

MOST_LIVE = 500
"""Matches kept in memory; those not looked at for longest are rebuilt from the store when somebody does."""


class Lives:
    """The tables of a store as their matches in memory; every method may be called from any thread.

    ``wake`` is called when a table has come to owe something, ``mails`` says that mail is sent.
    """

    def __init__(self, store: Store, publisher: Publisher, wake: Callable[[], None], mails: bool) -> None:
        self.store, self.publisher, self.wake, self.mails = store, publisher, wake, mails
        self._lock = threading.Lock()
        self._live: OrderedDict[str, Live] = OrderedDict()

    def at(self, table: str) -> Live:
        """The match of a table that there is; empty until the table is first read."""
        with self._lock:
            live = self._live.setdefault(table, Live())
            self._live.move_to_end(table)
            if len(self._live) > MOST_LIVE:
                self._live.popitem(last=False)
        return live

    @contextmanager
    def read(self, table: str) -> Iterator[Change]:
        """A table as it is now, its match brought up to the store. Refusal E_UNKNOWN, E_RECORD."""
        if table not in self._live:
            with self.store.read() as t:
                t.table(table)  # an unknown id must not take a place in memory
        live = self.at(table)
        with live.lock, self.store.read() as t:
            row, chairs = t.table(table), t.chairs(table)
            live.follow(t, row, chairs)
            yield Change(t, live, row, chairs)

    @contextmanager
    def write(self, table: str, person: bool = True) -> Iterator[Change]:
        """A change of a table, by a person or by the server itself; whom it concerns is told after the commit.

        A Refusal is raised before the match has moved; whatever else is raised has the match rebuilt from the store.
        """
        # The match is rebuilt (and its game compiled) before the transaction: a writer holds up all others.
        known = self._live.get(table)
        if known is None or known.match is None:
            with self.read(table):
                pass
        live = self.at(table)
        with live.lock:
            try:
                with self.store.write() as t:
                    row, chairs = t.table(table, lock=True), t.chairs(table)
                    live.follow(t, row, chairs)
                    change = Change(t, live, row, list(chairs))
                    yield change
                    due = self._owes(change, row, chairs, person)
            except Refusal:
                raise
            except BaseException:
                live.forget()
                raise
        if due:
            self.wake()
        if change.published == EVERYBODY:
            news = News(table, change.row.entry, change.row.revision)
            self._tell(table, lambda: self.publisher.publish(news, due))
        elif change.published is not None and (holder := change.chairs[change.published].token):
            self._tell(table, lambda: self.publisher.publish_own(table, holder, due))

    def _owes(self, change: Change, row: TableRow, chairs: Sequence[ChairRow], person: bool) -> bool:
        """Write down what the table owes after a change, and its mail; whether something new is owed."""

        def pause() -> int:
            # So that nobody who looks on misses a move that cannot be read again.
            match, people = change.live.match, any(chair.token for chair in change.chairs)
            return READ_SECONDS if match is not None and people and match.keeps_back(match.ply - 1) else 0

        due = change.asked_for
        if change.published is not None:
            due |= owed.settle(change.t, (row, chairs), (change.row, change.chairs), pause, person)
        if self.mails and (change.row.acting, change.row.over) != (row.acting, row.over):
            match = change.live.match
            mover = match.names[match.moves[-1].seat] if match is not None and match.moves else ""
            mail.queue_turn_mail(change.t, row.acting, change.row, change.chairs, mover)
            due = True
        return due

    def tell_crowd(self, table: str) -> None:
        """Tell the pages of a table that somebody has come or gone, at most once in SEEN_SECONDS."""
        live, now = self.at(table), clock.now()
        if now - live.crowd_told >= SEEN_SECONDS:
            live.crowd_told = now
            self._tell(table, lambda: self.publisher.publish_crowd(table))

    @staticmethod
    def _tell(table: str, publish: Callable[[], None]) -> None:
        # A committed change stands even if publishing it fails; `Presence.look` finds it later.
        try:
            publish()
        except Exception as problem:
            why = f"{type(problem).__name__}: {problem}".splitlines()[0]
            LOG.error("table %s: not all open pages could be told of a change (%s); they find it later", table, why)
