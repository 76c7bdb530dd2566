"""What tables owe, and the one thread in each server that carries it out.

What a table owes by itself (a bot's decision, a prepared move, what follows when time runs out) is a row in the store
with the time when it is due, written in the transaction that makes it so (`settle`). A server claims what is due, does
it, and keeps its claim for LEASE_SECONDS at a time until then; what a killed server leaves falls due again. A decision
is checked against the table under its lock when it is made, so it is made once, whoever has thought about it.

Where nothing is owed the store is asked once in LOOK_SECONDS.
"""

import json
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from backroom.engine.game import Refusal
from backroom.tables import clock
from backroom.tables.live import HERE_SECONDS
from backroom.tables.rows import ChairRow, OwedRow, Owing, TableRow
from backroom.tables.store import AWAY, Store, Transaction
from backroom.tables.story import rests
from backroom.tables.thinking import Limits, Lost
from backroom.tables.words import new_secret

if TYPE_CHECKING:
    from backroom.tables.mail import Postman

__all__ = ["BOT", "CHANCES", "CLOCK", "DECIDED", "HINT", "PLAN", "Looker", "settle"]

LOG = logging.getLogger(__name__)

BOT, PLAN, CLOCK = "bot", "plan", "clock"
"""Kinds of what is owed as a match goes on."""
DECIDED, HINT, CHANCES = "decided", "hint", "chances"
"""Kinds of what is owed because somebody has asked for it (`backroom.tables.findings`)."""
LOOK_SECONDS, AGAIN_SECONDS = 10.0, 1.0
"""How often the store is asked what is due when nothing is, and how soon again after it did not answer."""
LEASE_SECONDS, RENEW_SECONDS = 5, 2.0
"""How long a claim holds, and how often it is renewed."""
LONGEST_PAUSE, REST_SECONDS = 300, 3600
"""The longest pause before something that failed is tried again, and the pause where the table itself cannot go on."""
QUICK = 4
"""How many tasks without thinking are done at once."""
STALLED_SECONDS = 45.0
"""How long the thread may be without a look until it counts as stalled; the store may keep it waiting for some."""
MOST_SERVED = 10_000
"""The most clients whose last turn is remembered."""


def _owes(row: TableRow, chairs: Sequence[ChairRow]) -> dict[str, int]:
    """What a table owes by its rows: when each kind is due, 0 for now."""
    found: dict[str, int] = {}
    if row.over or not row.opening:
        return found
    for number in json.loads(row.acting):
        chair = chairs[number]
        if chair.bot:
            found[BOT] = 0
        elif chair.plan and json.loads(chair.plan)["text"]:
            found[PLAN] = 0
    if row.due:
        found[CLOCK] = row.due
    return found


def settle(
    t: Transaction,
    before: tuple[TableRow, Sequence[ChairRow]] | None,
    after: tuple[TableRow, Sequence[ChairRow]],
    pause: Callable[[], int],
    person: bool,
) -> bool:
    """Write down what a table owes after a change; whether something new is owed.

    ``before`` is how the table was (None: it is new), ``pause`` for how many seconds a bot has to wait yet, ``person``
    whether somebody did it who waits for what follows. What is owed after the same entry as before stays as it is,
    claim and all: whatever else has changed, the decision is the same.
    """
    old, row = before[0] if before is not None else None, after[0]
    owed = _owes(*after)
    if not owed and (before is None or not _owes(*before)):
        return False
    there, new, now = t.owed(row.id) if before is not None else {}, False, clock.now()
    for kind in (there.keys() & {BOT, PLAN, CLOCK}) - owed.keys():
        t.owe_nothing(row.id, kind)
    for kind, due in owed.items():
        known = there.get(kind)
        waited = now + HERE_SECONDS if person else known.waited if known is not None else 0
        same = old is not None and (
            old.due == row.due if kind == CLOCK else known is not None and known.entry == row.entry
        )
        if known is None or not same:
            t.owe(OwedRow(row.id, kind, row.entry, due or now + (pause() if kind == BOT else 0), waited=waited))
            new = True
    return new


@dataclass(frozen=True)
class _Work:
    """A claimed task in progress: its client, and whether a bot thinks for it."""

    row: OwedRow
    group: Owing


def _in_turn(
    groups: Sequence[Owing], busy: Counter[str], turns: dict[str, int], most: int, for_client: int
) -> Iterator[Owing]:
    """The groups of which something is to be done next, each as often as it is named, while ``most`` are not busy.

    Tables where people wait come first, then clients for whom least is done, then those whose last turn is longest
    ago, then what has been due longest. ``busy`` is how much is done for each client, at most ``for_client``, and
    ``turns`` is in which order they had their last turn; both are kept in step.
    """
    while busy.total() < most:
        free = [group for group in groups if busy[group.client] < for_client]
        if not free:
            return
        first = min(
            free, key=lambda group: (not group.waits, busy[group.client], turns.get(group.client, -1), group.due)
        )
        busy[first.client] += 1
        turns[first.client] = max(turns.values(), default=-1) + 1
        yield first


class Looker:
    """Carries out what is due: first for tables where people wait, then for clients in turn.

    ``do(row)`` does it and returns None when the table has moved on with that, else the table's revision at which
    there was nothing to do (yet). It may raise anything. ``postman`` is told when mail is due.
    """

    def __init__(
        self,
        store: Store,
        limits: Limits,
        do: Callable[[OwedRow], int | None],
        postman: "Postman | None" = None,
    ) -> None:
        self.store, self.limits, self._do, self._postman = store, limits, do, postman
        self._lock = threading.Lock()
        self._news, self._closed = threading.Event(), False
        self._doing: dict[str, _Work] = {}
        self._foreign: frozenset[tuple[str, str]] = frozenset()
        """Games and rules that this server does not have: what is owed under those it leaves alone."""
        self._served: dict[str, None] = {}
        """Clients in the order of their last turns, the latest at the end."""
        self._renewed = self._looked = time.monotonic()
        self._wait = LOOK_SECONDS
        self._retried = self._away = False
        """Whether what failed under an earlier server has been tried again, and whether the store is away."""
        self._thread = threading.Thread(target=self._run, name="backroom-looker", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def wake(self) -> None:
        """Look soon: something has come to be owed."""
        self._news.set()

    def close(self) -> None:
        """Stop. A task in progress is finished, or left to be done by the server that claims it next."""
        self._closed = True
        self.wake()
        if self._thread.ident is not None:
            self._thread.join(timeout=2.0)

    def stalled(self) -> str:
        """The fault when the thread has stopped looking, in one line; empty when all is well."""
        late = time.monotonic() - self._looked
        running = self._thread.ident is not None and not self._closed
        return f"nobody has looked for {late:.0f} s at what is due" if running and late > STALLED_SECONDS else ""

    def _run(self) -> None:
        while not self._closed:
            self._looked = time.monotonic()
            self._news.clear()
            try:
                self._look()
                wait = self._wait
            except Exception as problem:
                self._not_looked(problem)
                wait = AGAIN_SECONDS
            if self._doing or (self._postman is not None and self._postman.sending):
                wait = min(wait, RENEW_SECONDS)
            self._news.wait(wait)

    def _look(self) -> None:
        """Claim what is due, and begin to do it."""
        if not self._retried:
            # A new server may know better, of newer rules for instance.
            with self.store.write() as t:
                t.retry_owed(clock.now())
            self._retried = True
        self._renew()
        for row in self.claim():
            threading.Thread(target=self.see_to, args=(row,), name="backroom-due", daemon=True).start()
        if self._away:
            LOG.warning("the store answers again")
            self._away = False

    def _not_looked(self, problem: Exception) -> None:
        """Log why it could not look; once for all the looks while the store is away."""
        if not isinstance(problem, AWAY):
            LOG.exception("what is due could not be found out; trying again")
        elif not self._away:
            LOG.warning("the store does not answer (%s); trying again", str(problem).splitlines()[0])
            self._away = True

    def _renew(self) -> None:
        if time.monotonic() - self._renewed < RENEW_SECONDS / 2:
            return
        with self._lock:
            claims = list(self._doing)
        sending = self._postman is not None and self._postman.sending
        if claims or sending:
            with self.store.write() as t:
                t.renew_owed(claims, clock.now() + LEASE_SECONDS)
                if self._postman is not None:
                    self._postman.renew(t)
        self._renewed = time.monotonic()

    def claim(self) -> list[OwedRow]:
        """Claim of what is due as much as may be done now, in fair order. Each of it is given to `see_to`."""
        now = clock.now()
        when = now, now - HERE_SECONDS, clock.SLACK
        with self.store.read() as t:
            groups = t.owing(*when, self._foreign, mail=self._postman is not None)
        due = [group for group in groups if group.due <= now]
        later = min((group.due for group in groups if group.due > now), default=None)
        self._wait = min(LOOK_SECONDS, max(later - clock.now(), 0.05)) if later is not None else LOOK_SECONDS
        if self._postman is not None and any(group.kind == "mail" for group in due):
            self._postman.look()
            self._wait = min(self._wait, RENEW_SECONDS)
        picked = self._pick([group for group in due if not group.kind])
        claimed = []
        if picked:
            with self.store.write() as t:
                for group in picked:
                    row = t.claim_owed(
                        group, *when, self._foreign, until=clock.now() + LEASE_SECONDS, claim=new_secret()
                    )
                    if row is not None:
                        claimed.append(_Work(row, group))
            # A finished task wakes this thread; where another server was faster, it looks again soon by itself.
            self._wait = min(self._wait, AGAIN_SECONDS)
        with self._lock:
            for work in claimed:
                self._doing[work.row.claim] = work
                self._served.pop(work.group.client, None)
                self._served[work.group.client] = None
            while len(self._served) > MOST_SERVED:
                del self._served[next(iter(self._served))]
        return [work.row for work in claimed]

    def _pick(self, groups: Sequence[Owing]) -> list[Owing]:
        """Of which groups something is to be claimed, each as often as it is named."""
        with self._lock:
            doing = [work.group for work in self._doing.values()]
            turns = {client: turn for turn, client in enumerate(self._served)}
        picked: list[Owing] = []
        for thinks, most, for_client in ((True, self.limits.at_once, self.limits.for_client), (False, QUICK, QUICK)):
            busy = Counter(group.client for group in doing if group.thinks == thinks)
            alike = [group for group in groups if group.thinks == thinks]
            picked += _in_turn(alike, busy, turns, most, for_client)
        return picked

    def see_to(self, row: OwedRow) -> None:
        """Carry out what is claimed. A failure is tried again after a pause."""
        try:
            seen = self._do(row)
            if seen is not None:
                self._put_away(row, seen)
        except Refusal as problem:
            LOG.error("table %s: it cannot go on by itself (%s): %s", row.table_id, row.kind, problem)
            self._put_off(row, REST_SECONDS)
        except Exception as problem:
            if self._closed:
                self._put_off(row, 0)
                return
            if isinstance(problem, (Lost, *AWAY)):
                LOG.error("table %s: not done (%s): %s", row.table_id, row.kind, str(problem).splitlines()[0])
            else:
                LOG.exception("table %s: not done (%s)", row.table_id, row.kind)
            self._put_off(row, min(2**row.tries, LONGEST_PAUSE))
        finally:
            with self._lock:
                self._doing.pop(row.claim, None)
            self.wake()

    def _put_away(self, row: OwedRow, seen: int) -> None:
        """There was nothing to do at that revision of the table: so there is not until it changes."""
        with self.store.write() as t:
            table = t.table(row.table_id, lock=True)
            there = t.owed(row.table_id).get(row.kind)
            if there is None or there.claim != row.claim:
                return
            if rests(table):
                # A server that has its rules may be there, too, or be back some day.
                self._foreign |= {(table.game, table.rules)}
                t.change_owed(row.claim, due=clock.now(), claim="")
            elif row.kind == CLOCK and table.due:
                t.change_owed(row.claim, due=max(table.due, clock.now() + 1), claim="", tries=0)
            elif table.revision == seen:
                t.owe_nothing(row.table_id, row.kind)
            else:
                t.change_owed(row.claim, due=clock.now(), claim="", tries=0)

    def _put_off(self, row: OwedRow, seconds: int) -> None:
        try:
            with self.store.write() as t:
                t.change_owed(row.claim, due=clock.now() + seconds, claim="", tries=min(row.tries + 1, 30))
        except AWAY:
            pass  # the store is away, perhaps; the claim runs out by itself
