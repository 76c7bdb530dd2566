"""A real server process, for tests that kill it and for browsers, and what is asked of one that was killed."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import httpx
import sqlalchemy as sql

from backroom.tables.rows import TABLES
from backroom.tables.store import Store


class Server:
    """A server process over a database, on a port that stays the same when it is started again.

    ``compiled`` says whether it runs the rules compiled; uncompiled it starts at once. ``mail`` is its relay,
    ``database_url`` a database that is no SQLite file, ``more`` further arguments of `serve`, ``path`` what its process
    can import besides.
    """

    def __init__(
        self,
        database: Path,
        compiled: bool = True,
        mail: str = "",
        database_url: str = "",
        more: str = "",
        path: Sequence[Path] = (),
    ) -> None:
        self.database = database
        self.database_url = database_url or f"sqlite:///{database}"
        self.mail, self.more = mail, more
        self.environment = dict(os.environ if compiled else os.environ | {"BACKROOM_JIT": "0"})
        if path:
            paths = [*map(str, path), *filter(None, [os.environ.get("PYTHONPATH")])]
            self.environment["PYTHONPATH"] = os.pathsep.join(paths)
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        options = f"port={self.port}, database_url={self.database_url!r}, mail={self.mail!r}, {self.more}"
        code = f"from backroom.tables.thinking import Limits; from backroom.web import serve; serve({options})"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=self.environment
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://[\d.]+:(\d+)/", line)
        assert found, line
        assert self.port in (0, int(found[1])), "another port than before"
        self.port = int(found[1])

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> float:
        """End it as a service manager does; the seconds it took."""
        assert self.process is not None
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)
        return time.monotonic() - begun


def tables_of_bots(server: Server, count: int) -> list[str]:
    """Tables at which bots play among themselves, so that each always owes a decision."""
    asked = {"game": "catham", "chairs": [{"kind": "bot", "bot": "random"}] * 3}
    with httpx.Client(base_url=server.url, timeout=120) as client:
        return [str(client.post("/tables", json=asked).json()["table"]) for _ in range(count)]


def slowness() -> float:
    """How many times slower than a usual machine with nothing else to do this one is just now, at least 1."""
    begun = time.perf_counter()
    sum(number * number for number in range(1_000_000))
    return max((time.perf_counter() - begun) / 0.08, os.getloadavg()[0] / (os.cpu_count() or 1), 1.0)


def seconds_until_all_have_moved(store: Store, tables: Sequence[str]) -> float:
    """How long it takes from now until each of these tables that goes on has made a decision more."""

    def stand() -> dict[str, tuple[int, int]]:
        with store.read() as t:
            rows = t.connection.execute(sql.select(TABLES.c.id, TABLES.c.entry, TABLES.c.over)).all()
        return {table: (entry, over) for table, entry, over in rows if table in tables}

    begun = time.monotonic()
    waiting = {table: entry for table, (entry, over) in stand().items() if not over}
    assert len(waiting) > len(tables) / 2, "most are over before it begins"
    while waiting:
        assert time.monotonic() - begun < 300, f"{len(waiting)} of {len(tables)} tables stand still"
        time.sleep(0.2)
        now = stand()
        waiting = {table: entry for table, entry in waiting.items() if now[table][0] <= entry}
    return time.monotonic() - begun
