"""Presence: signs of life of open pages, written for all the pages of a server at once."""

import logging
import threading
from collections.abc import Mapping
from contextlib import suppress

from sqlalchemy.exc import IntegrityError

from backroom.tables import clock, watchers
from backroom.tables.live import SEEN_SECONDS
from backroom.tables.lives import Lives
from backroom.tables.publisher import News
from backroom.tables.rows import Page, WatcherRow
from backroom.tables.store import Store
from backroom.tables.words import client_at

__all__ = ["Presence", "keep_signs"]

LOG = logging.getLogger(__name__)

MOST_TOKENS = 500
"""How many browsers are looked up in one query."""


def keep_signs(store: Store, pages: Mapping[Page, tuple[str, str]]) -> list[str]:
    """Keep a sign of these open pages, of each at most once in SEEN_SECONDS; the tables where somebody has come.

    ``pages`` has for each what its browser's reader is called, and the client that it looks from. A page without
    a chair makes a watcher.
    """
    now = clock.now()
    tokens = sorted({token for _, token in pages})
    chairs: dict[Page, int] = {}
    kept: dict[Page, WatcherRow] = {}
    with store.read() as t:
        for start in range(0, len(tokens), MOST_TOKENS):
            of_chairs, of_watchers = t.open_pages(tokens[start : start + MOST_TOKENS])
            chairs |= of_chairs
            kept |= of_watchers
        tables = {table for table, _, _ in t.places({table for table, _ in set(pages) - set(chairs) - set(kept)})}
    seated = [page for page in pages if page in chairs and now - chairs[page] >= SEEN_SECONDS]
    staying: list[Page] = []
    coming: list[Page] = []
    for page in set(pages) - set(chairs):
        row = kept.get(page)
        if row is None:
            coming += [page] if page[0] in tables else []
        elif now - abs(row.seen) >= SEEN_SECONDS:
            same = watchers.is_here(row) and (row.asks or row.name == pages[page][0])
            (staying if same else coming).append(page)
    if seated or staying:
        with store.write() as t:
            t.sign(seated, staying, now)
    came = []
    for table, token in coming:
        with suppress(IntegrityError), store.write() as t:  # another stream of this browser was first
            if watchers.sign(t, table, token, *pages[table, token]):
                came.append(table)
    return came


class Presence:
    """Writes signs of open pages; a thread writes those of all listeners in this process every SEEN_SECONDS."""

    def __init__(self, lives: Lives) -> None:
        self._lives = lives
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="backroom-presence", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)

    def keep(self, pages: Mapping[Page, tuple[str, str]]) -> None:
        """Keep a sign of these open pages (`keep_signs`) and tell a table's pages when somebody has come."""
        for table in keep_signs(self._lives.store, pages):
            self._lives.tell_crowd(table)

    def look(self) -> None:
        """Keep signs of life of all who listen, and tell them of what they have not heard of: another process may have
        changed a table in an SQLite file, or telling may have failed. In few queries.
        """
        publisher = self._lives.publisher
        listening = publisher.listening()
        if not listening:
            return
        self.keep(
            {
                (table, page.holder_at(table)): (page.name, client_at(table, page.client))
                for page in listening
                if page.client is not None
                for table in page.tables
            }
        )
        tables = sorted({table for page in listening for table in page.tables})
        with self._lives.store.read() as t:
            places = t.places(tables)
        for table, entry, revision in places:
            publisher.tell(News(table, entry, revision))

    def _run(self) -> None:
        while not self._stop.wait(SEEN_SECONDS):
            try:
                self.look()
            except Exception:
                LOG.exception("the signs of open pages could not be kept; trying again")
