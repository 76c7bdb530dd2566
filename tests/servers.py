"""A real server process, for tests that kill it and for browsers."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path


class Server:
    """A server process over a database, on a port that stays the same when it is started again.

    ``compiled`` says whether it runs the rules compiled; uncompiled it starts at once. ``mail`` is its relay.
    """

    def __init__(self, database: Path, compiled: bool = True, mail: str = "") -> None:
        self.database = database
        self.mail = mail
        self.environment = os.environ if compiled else os.environ | {"BACKROOM_JIT": "0"}
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        url = f"sqlite:///{self.database}"
        code = f"from backroom.web import serve; serve(port={self.port}, database_url={url!r}, mail={self.mail!r})"
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
