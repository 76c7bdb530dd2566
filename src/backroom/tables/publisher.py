"""Telling open pages that something changed. Only called after a commit, and it carries no content: whoever is told
reads the store. So a lost, doubled or reordered message harms nobody, and nothing hidden can travel this way.
"""

import asyncio
import contextlib
import logging
import threading
from collections import defaultdict
from collections.abc import Callable

import sqlalchemy as sql

__all__ = ["PostgresPublisher", "Publisher", "Subscription"]

LOG = logging.getLogger(__name__)

EVERYBODY = -1
"""The chair of a change that all at a table may know of; otherwise the one chair whose pages are told."""


class Subscription:
    """One open page's wait for news. Made within the event loop in which it waits."""

    def __init__(self, chair: int | None) -> None:
        self.chair = chair
        self.closed = False
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()

    def tell(self) -> None:
        """Wake the page. From any thread."""
        with contextlib.suppress(RuntimeError):  # the loop of a page that is going away may be closed already
            self._loop.call_soon_threadsafe(self._news.set)

    async def wait(self, seconds: float) -> bool:
        """Until there is news (True) or the time is over (False)."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True


class Publisher:
    """Tells the pages that are open in this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._closed = False
        self._open: dict[str, set[Subscription]] = defaultdict(set)
        self.listener: Callable[[], None] = lambda: None
        """Called when another process says that something has come to be owed."""

    def subscribe(self, table: str, chair: int | None) -> Subscription:
        """Wait for news of a table as the holder of a chair (None: as a spectator). To be given back."""
        subscription = Subscription(chair)
        with self._lock:
            self._open[table].add(subscription)
            subscription.closed = self._closed
        return subscription

    def unsubscribe(self, table: str, subscription: Subscription) -> None:
        """Give a subscription back."""
        with self._lock:
            self._open[table].discard(subscription)
            if not self._open[table]:
                del self._open[table]

    def publish(self, table: str, chair: int = EVERYBODY, due: bool = False) -> None:
        """Something changed at a table, for all there or for one chair's pages only; ``due``: it owes something new."""
        with self._lock:
            told = [page for page in self._open.get(table, ()) if chair in (EVERYBODY, page.chair)]
        for page in told:
            page.tell()

    def wake_all(self) -> None:
        """Have every open page look, whatever it waits for."""
        with self._lock:
            told = [page for pages in self._open.values() for page in pages]
        for page in told:
            page.tell()

    def close(self) -> None:
        """End every subscription."""
        with self._lock:
            self._closed = True
            for pages in self._open.values():
                for page in pages:
                    page.closed = True
        self.wake_all()


class PostgresPublisher(Publisher):
    """Tells the pages of all server processes on one PostgreSQL database, by LISTEN and NOTIFY."""

    CHANNEL = "backroom"

    def __init__(self, engine: sql.Engine) -> None:
        super().__init__()
        self._engine = engine
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="backroom-listen", daemon=True)
        self._thread.start()

    def publish(self, table: str, chair: int = EVERYBODY, due: bool = False) -> None:
        """Tell this process's pages at once, the other processes through the database."""
        super().publish(table, chair)
        with self._engine.begin() as connection:
            words = f"{table} {chair} due" if due else f"{table} {chair}"
            connection.execute(sql.func.pg_notify(self.CHANNEL, words).select())

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
            # What was said while nobody listened is lost, so everybody looks once.
            self.wake_all()
            self.listener()
            while not self._stop.is_set():
                for notice in connection.notifies(timeout=0.5):
                    table, chair, *due = notice.payload.split(" ")
                    super().publish(table, int(chair))
                    if due:
                        self.listener()
                    if self._stop.is_set():
                        return

    def close(self) -> None:
        """End every subscription and the listening thread."""
        self._stop.set()
        super().close()
        self._thread.join(timeout=3.0)
