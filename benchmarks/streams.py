"""What open pages cost while nothing happens: ``python -m benchmarks.streams [SECONDS]``, in cores of the server."""

import json
import os
import re
import secrets
import selectors
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

__all__ = ["idle_streams"]

STREAMS, TABLES = 500, 100
SETTLING = 5.0
"""Seconds after the last stream was opened before the measurement begins."""
SERVE = "from backroom.web import serve; serve(port=0, database_url={url!r})"
TICKS = os.sysconf("SC_CLK_TCK")


def _cpu(process: int) -> float:
    """Seconds of the processor that a process and those it has started have used."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS + sum(_cpu(int(child)) for child in children)


def _table(url: str) -> str:
    """A table that waits for a friend."""
    asked = {"game": "dark_sources", "chairs": [{"kind": "you", "name": "Anna"}, {"kind": "friend"}]}
    request = urllib.request.Request(f"{url}/tables", json.dumps(asked).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return str(json.load(answer)["table"])


def _listen(port: int, table: str) -> socket.socket:
    """A stream of a browser of its own."""
    line = socket.create_connection(("127.0.0.1", port))
    cookie = f"backroom={secrets.token_urlsafe(32)}"
    line.sendall(f"GET /events?table={table} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n".encode())
    return line


def idle_streams(seconds: float) -> tuple[float, float]:
    """Cores that STREAMS browsers at TABLES tables keep busy while nothing happens, and events a second that they got.

    Linux only: processor time is read from ``/proc``.
    """
    with tempfile.TemporaryDirectory() as folder:
        code = SERVE.format(url=f"sqlite:///{folder}/tables.sqlite3")
        environment = os.environ | {"BACKROOM_JIT": "0"}  # no rules are asked for anything
        with subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment
        ) as server:
            try:
                assert server.stdout is not None
                found = re.search(r":(\d+)/", server.stdout.readline())
                assert found is not None
                port = int(found[1])
                tables = [_table(f"http://127.0.0.1:{port}") for _ in range(TABLES)]
                with selectors.DefaultSelector() as selector:
                    for number in range(STREAMS):
                        selector.register(_listen(port, tables[number % TABLES]), selectors.EVENT_READ)
                    _drain(selector, SETTLING)
                    before, begun = _cpu(server.pid), time.monotonic()
                    heard = _drain(selector, seconds)
                    passed = time.monotonic() - begun
                    used = _cpu(server.pid) - before
                    for key in list(selector.get_map().values()):
                        selector.unregister(key.fileobj)
                        key.fileobj.close()  # type: ignore[union-attr]
            finally:
                server.kill()
    return used / passed, heard / passed


def _drain(selector: selectors.BaseSelector, seconds: float) -> int:
    """Read what comes for so long; the number of events."""
    end, events = time.monotonic() + seconds, 0
    while (left := end - time.monotonic()) > 0:
        for key, _ in selector.select(left):
            events += key.fileobj.recv(65536).count(b"event: ")  # type: ignore[union-attr]
    return events


if __name__ == "__main__":
    cores, told = idle_streams(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
    print(f"{STREAMS} idle streams: {cores:.4f} cores, {told:.0f} events a second")
