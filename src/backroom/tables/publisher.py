"""Telling open pages that something changed. Only called after a commit; what is told is where the table stands (its
entry and revision), that something of one person's own changed there, or that somebody came or went. So a lost, doubled
or reordered message harms nobody, and nothing hidden can travel this way.
"""

import asyncio
import contextlib
import logging
import math
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import sqlalchemy as sql

__all__ = ["News", "PostgresPublisher", "Publisher", "Subscription"]

LOG = logging.getLogger(__name__)

EVERYBODY = -1
"""The chair of a change that all at a table may know of; otherwise the one chair whose holder is told."""
NOBODY: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class News:
    """Where a table stands now. One object for all pages that are told of it."""

    table: str
    entry: int
    revision: int


class Subscription:
    """One browser's wait for news of some tables. Made within the event loop in which it waits.

    ``holder`` is the hash of its token, ``others`` by table that of the browser whose chair it has there. ``name`` is
    what it calls itself, ``client`` the address it looks from (None: it does not watch).
    """

    def __init__(
        self,
        tables: Collection[str],
        holder: str,
        name: str = "",
        client: str | None = "",
        others: Mapping[str, str] = NOBODY,
    ) -> None:
        self.tables = frozenset(tables)
        self._holder, self._others = holder, others
        self.name = name
        self.client = client
        self.closed = False
        self._lock = threading.Lock()
        self._newest: dict[str, int] = {}
        self._news: dict[str, News] = {}
        self._own: set[str] = set()
        self._crowd: set[str] = set()
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()

    def holder_at(self, table: str) -> str:
        """The hash by which this browser is known at a table."""
        return self._others.get(table, self._holder)

    def tell(self, news: News) -> None:
        """A table stands there; nothing when that is known. From any thread, as are the others."""
        with self._lock:
            if news.revision <= self._newest.get(news.table, -1):
                return
            self._newest[news.table] = news.revision
            self._news[news.table] = news
        self.wake()

    def tell_own(self, tables: Iterable[str]) -> None:
        """Something of this browser's own has changed there, or may have: look into the store."""
        with self._lock:
            self._own.update(self.tables.intersection(tables))
        self.wake()

    def tell_crowd(self, table: str) -> None:
        """Somebody has come or gone there. That wakes nobody: it is said with the next sign of life."""
        with self._lock:
            self._crowd.add(table)

    def wake(self) -> None:
        """End the wait."""
        with contextlib.suppress(RuntimeError):  # the loop of a page that is going away may be closed already
            self._loop.call_soon_threadsafe(self._woken.set)

    async def wait(self, seconds: float) -> bool:
        """Until there is news (True) or the time is over (False), to a second more where it is a second at least: those
        whose time is over in the same second are woken together.
        """
        end = self._loop.time() + seconds
        try:
            async with asyncio.timeout_at(math.ceil(end) if seconds >= 1 else end):
                await self._woken.wait()
        except TimeoutError:
            return False
        self._woken.clear()
        return True

    def take(self) -> list[News]:
        """Where tables stand of which something was told since the last time."""
        with self._lock:
            news, self._news = [*self._news.values()], {}
        return news

    def take_own(self) -> set[str]:
        """The tables where something of this browser's own may have changed since the last time."""
        with self._lock:
            own, self._own = self._own, set()
        return own

    def take_crowd(self) -> list[str]:
        """The tables where somebody has come or gone since the last time."""
        with self._lock:
            crowd, self._crowd = sorted(self._crowd), set()
        return crowd


class Publisher:
    """Tells the browsers that listen in this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._closed = False
        self._open: dict[str, set[Subscription]] = defaultdict(set)
        self.listener: Callable[[], None] = lambda: None
        """Called when another process says that something has come to be owed."""

    def subscribe(
        self,
        tables: Collection[str],
        holder: str,
        name: str = "",
        client: str | None = "",
        others: Mapping[str, str] = NOBODY,
    ) -> Subscription:
        """Wait for news of some tables as the holder of a token (`Subscription`). To be given back."""
        subscription = Subscription(tables, holder, name, client, others)
        with self._lock:
            for table in subscription.tables:
                self._open[table].add(subscription)
            subscription.closed = self._closed
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """Give a subscription back."""
        with self._lock:
            for table in subscription.tables:
                self._open[table].discard(subscription)
                if not self._open[table]:
                    del self._open[table]

    def listening(self) -> set[Subscription]:
        """All that listen now."""
        with self._lock:
            return {page for pages in self._open.values() for page in pages}

    def _at(self, table: str) -> list[Subscription]:
        with self._lock:
            return list(self._open.get(table, ()))

    def tell(self, news: News) -> None:
        """Tell the listeners of this process a table's newest entry; those that know it are not told again."""
        for page in self._at(news.table):
            page.tell(news)

    def publish(self, news: News, due: bool = False) -> None:
        """A table has moved on, in a way that all there may know of; ``due``: it owes something new."""
        self.tell(news)

    def publish_own(self, table: str, holder: str, due: bool = False) -> None:
        """Something has changed at a table that is one person's own (the hash of a token); ``due`` as above."""
        for page in self._at(table):
            if page.holder_at(table) == holder:
                page.tell_own([table])

    def publish_crowd(self, table: str) -> None:
        """Somebody has come to a table or gone."""
        for page in self._at(table):
            page.tell_crowd(table)

    def look_again(self) -> None:
        """Have all listeners look into the store, since they may have missed a message."""
        for page in self.listening():
            page.tell_own(page.tables)

    def close(self) -> None:
        """End every subscription."""
        with self._lock:
            self._closed = True
        for page in self.listening():
            page.closed = True
            page.wake()


class PostgresPublisher(Publisher):
    """Tells the browsers that listen in all server processes on one PostgreSQL database, by LISTEN and NOTIFY."""

    CHANNEL = "backroom"

    def __init__(self, engine: sql.Engine) -> None:
        super().__init__()
        self._engine = engine
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="backroom-listen", daemon=True)
        self._thread.start()

    def publish(self, news: News, due: bool = False) -> None:
        """Tell this process's pages at once, the other processes through the database; the same for the others.

        ``due``: the table owes something new.
        """
        super().publish(news)
        self._notify(news.table, "all", news.entry, news.revision, *["due"] * due)

    def publish_own(self, table: str, holder: str, due: bool = False) -> None:
        super().publish_own(table, holder)
        self._notify(table, "own", holder, *["due"] * due)

    def publish_crowd(self, table: str) -> None:
        super().publish_crowd(table)
        self._notify(table, "crowd")

    def _notify(self, *words: str | int) -> None:
        with self._engine.begin() as connection:
            connection.execute(sql.func.pg_notify(self.CHANNEL, " ".join(map(str, words))).select())

    def _heard(self, payload: str) -> None:
        table, kind, *rest = payload.split(" ")
        if kind == "all":
            self.tell(News(table, int(rest[0]), int(rest[1])))
        elif kind == "own":
            super().publish_own(table, rest[0])
        else:
            super().publish_crowd(table)
        if rest[-1:] == ["due"]:
            self.listener()

    def _listen(self) -> None:
        while not self._stop.is_set():
            try:
                self._listen_once()
            except Exception:
                LOG.exception("lost the database's notifications; trying again in a second")
                self._stop.wait(1.0)

    def _listen_once(self) -> None:
        import psycopg

        url = self._engine.url.set(drivername="postgresql")
        with psycopg.connect(url.render_as_string(hide_password=False), autocommit=True) as connection:
            connection.execute(f"LISTEN {self.CHANNEL}")
            # Messages sent while nobody listened are lost.
            self.look_again()
            self.listener()
            while not self._stop.is_set():
                for notice in connection.notifies(timeout=0.5):
                    self._heard(notice.payload)
                    if self._stop.is_set():
                        return

    def close(self) -> None:
        """End every subscription and the listening thread."""
        self._stop.set()
        super().close()
        self._thread.join(timeout=3.0)
