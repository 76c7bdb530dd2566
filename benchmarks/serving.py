"""What a server uses for a table: the processor time of a move told to those at it, of their pages, of waiting.

Ours runs in a process of its own over an SQLite file (`benchmarks.served`); the browsers are played here, with the
requests that a page's module makes. What the driver needs it works out by itself, from the seed in the file, so that
the server is asked nothing that a page would not ask.
"""

import http.client
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, Self

import sqlalchemy as sql

from backroom.bots import make_bot
from backroom.engine.match import Match
from backroom.engine.notation import move_text
from backroom.engine.record import ALL_KNOWING
from backroom.engine.rng import generator
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest
from backroom.web.table_page import render_table
from benchmarks.measure import Failure, Measure, Sample

__all__ = ["boardgame_io_moves", "fullest_page", "idle_streams", "idle_tables", "moves_told"]

BOARDGAME_IO = Path(__file__).resolve().parents[1] / ".venv-bench" / "boardgame_io"
NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn")


class Browser:
    """One browser at a table: its page's requests over a connection that is kept, and its event stream."""

    def __init__(self, port: int, table: str, token: str) -> None:
        self.address, self.cookie = f"/t/{table}", f"backroom={token}"
        self.requests = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.stream = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.heard = b""
        self.stream.sendall(
            f"GET {self.address}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n"
            f"Cookie: {self.cookie}\r\n\r\n".encode()
        )

    def told(self, entry: int) -> None:
        """Wait until the stream has told of this entry."""
        words = f'"ply":{entry},'.encode()
        while words not in self.heard.replace(b" ", b""):
            more = self.stream.recv(65536)
            if not more:
                raise RuntimeError(f"the stream ended: {self.heard[-300:]!r}")
            self.heard += more
        self.heard = b""

    def ask(self, method: str, path: str, body: Any = None) -> tuple[http.client.HTTPResponse, bytes]:
        """One request below the table's address, as a page's module makes it."""
        accept = "text/html" if body is None else "application/json"
        headers = {"Cookie": self.cookie, "Accept": accept, "Accept-Encoding": "gzip, deflate, br, zstd"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        self.requests.request(method, self.address + path, json.dumps(body) if body is not None else None, headers)
        answer = self.requests.getresponse()
        sent = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{method} {path}: {answer.status} {sent[:300]!r}")
        return answer, sent

    def close(self) -> None:
        """Go away."""
        self.requests.close()
        self.stream.close()


@dataclass
class Table:
    """A table of people, with what the driver knows of it: the match as it will be, since it has the seed."""

    id: str
    tokens: list[str]
    seats: list[int]
    match: Match

    def fullest(self) -> int:
        """After how many moves of random play most lies on the table: the longest position in the game's notation."""
        match = Match(self.match.game, self.match.options, self.match.players, self.match.seed)
        longest, found = 0, 0
        while not match.over and match.ply < 600:
            length = len(match.game.notation.position(match.state, match.names, ALL_KNOWING))
            longest, found = max((longest, found), (length, match.ply))
            match.play_actions(*random_move(match))
        return found


def random_move(match: Match) -> tuple[int, list[int]]:
    """A seat that owes a decision, and a move of its own that depends on nothing but seed and ply."""
    seat = match.acting[0]
    return seat, make_bot(match.game, "random").choose(match.view(seat), seat, generator(match.seed, match.ply))


def make_tables(database: str, game: str, chairs: int, count: int) -> list[Table]:
    """Started tables of people in a database, before the server is started."""
    made = []
    tables = Tables.open(database)
    for number in range(count):
        tokens = [f"{chr(97 + chair)}{number:0>42}" for chair in range(chairs)]
        wanted = [ChairRequest("you", NAMES[0]), *[ChairRequest("friend")] * (chairs - 1)]
        table = tables.create(tokens[0], game, wanted)
        for chair in range(1, chairs):
            invite = tables.view(table, tokens[0]).chairs[chair].invite
            tables.sit(table, tokens[chair], invite, NAMES[chair])
        view = tables.view(table, tokens[0])
        with tables.store.read() as t:
            seed = bytes.fromhex(t.table(table).seed)
        match = Match(view.game, view.options, NAMES[:chairs], seed)
        made.append(Table(table, tokens, [chair.seat or 0 for chair in view.chairs], match))
    tables.close()
    return made


class Asked:
    """A process that serves and answers each line with the processor seconds it has used; a context manager."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=folder
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.process.kill()
        self.process.communicate(timeout=30)

    def line(self, wanted: str) -> str:
        """The first group of the first line of its output that has this pattern. Failure when it ends before."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(wanted, line):
                return found[1]
        raise Failure(f"its process ended (status {self.process.wait()})")

    def ask(self, words: str, answer: str) -> str:
        """What it answers to a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{words}\n")
        self.process.stdin.flush()
        return self.line(answer)

    def cpu(self) -> float:
        """Seconds of the processor that it has used."""
        return float(self.ask("", r"^([\d.]+)$"))


def served(database: str) -> tuple[Asked, int]:
    """Our server over a database, and its port."""
    root = Path(__file__).resolve().parents[1]
    server = Asked([sys.executable, "-m", "benchmarks.served", database], root)
    return server, int(server.line(r"http://[\d.]+:(\d+)/"))


def play(table: Table, browsers: list[Browser], moves: int, pages: int) -> int:
    """Make moves at a table, each told to all these browsers; ``pages`` of those who did not move fetch theirs.

    Returns how many were made: fewer when the match is over before.
    """
    match = table.match
    for made in range(moves):
        if match.over:
            return made
        seat, actions = random_move(match)
        text = move_text(match.game, match.view(seat), seat, actions, match.names)
        mover = browsers[table.seats.index(seat)]
        mover.ask("POST", "/move", {"move": text, "ply": match.ply, "move_id": f"move {match.ply}"})
        match.play_actions(seat, actions)
        for browser in browsers:
            browser.told(match.ply)
        for browser in [browser for browser in browsers if browser is not mover][:pages]:
            _, page = browser.ask("GET", "")
            assert page
    return moves


def moves_told(game: str, chairs: int, pages: int, fullest: bool = False, moves: int = 30) -> Measure:
    """Our server: moves told to the streams of all at a table, after each of which so many fetch their pages anew.

    A table for each round; the first ten moves warm it up. ``fullest``: moves made where most lies on the table.
    """

    def measure(_seconds: float) -> Sample:
        with tempfile.TemporaryDirectory() as folder:
            database = f"sqlite:///{folder}/tables.sqlite3"
            table = make_tables(database, game, chairs, 1)[0]
            middle = table.fullest() if fullest else 10
            server, port = served(database)
            with server:
                browsers = [Browser(port, table.id, token) for token in table.tokens]
                for browser in browsers:
                    browser.told(0)
                play(table, browsers, max(middle - moves // 2, 10), 0)
                play(table, browsers, 2, pages)
                wall, cpu = time.perf_counter(), server.cpu()
                made = play(table, browsers, moves, pages)
                sample = Sample(made, server.cpu() - cpu, time.perf_counter() - wall)
                for browser in browsers:
                    browser.close()
        return sample

    return measure


def boardgame_io_moves(moves: int = 200) -> Measure:
    """boardgame.io's server: moves of a small game with hidden cards, each told to three clients of its own."""
    node = shutil.which("node")

    def measure(_seconds: float) -> Sample:
        if node is None or not (BOARDGAME_IO / "node_modules" / "boardgame.io").is_dir():
            raise Failure("not installed (make bench installs it with npm into .venv-bench)")
        scripts = Path(__file__).with_name("boardgame_io")
        for script in scripts.glob("*.cjs"):
            shutil.copy(script, BOARDGAME_IO)
        with Asked([node, "server.cjs"], BOARDGAME_IO) as server:
            port = server.line(r"^(\d+)$")
            with Asked([node, "clients.cjs", port], BOARDGAME_IO) as clients:
                clients.line("^(ready)$")
                clients.ask("20", "^(done)$")
                wall, cpu = time.perf_counter(), server.cpu()
                clients.ask(str(moves), "^(done)$")
                return Sample(moves, server.cpu() - cpu, time.perf_counter() - wall)

    return measure


def idle_streams(streams: int = 500, seconds: float = 20.0) -> float:
    """Our server: the part of a core that so many open streams of tables at which nothing happens use."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/tables.sqlite3"
        tables = make_tables(database, "catham", 5, streams // 5)
        server, port = served(database)
        with server:
            browsers = [Browser(port, table.id, token) for table in tables for token in table.tokens]
            for browser in browsers:
                browser.told(0)
            time.sleep(3.0)
            wall, cpu = time.perf_counter(), server.cpu()
            time.sleep(seconds)
            used = (server.cpu() - cpu) / (time.perf_counter() - wall)
            for browser in browsers:
                browser.close()
    return used


def idle_tables(count: int = 1000, seconds: float = 60.0) -> tuple[int, float]:
    """What so many tables of people who take their time cost: the queries, and the part of a core."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/tables.sqlite3"
        (made,) = make_tables(database, "dark_sources", 2, 1)
        tables = Tables.open(database)
        with tables.store.write() as t:
            row, people = t.table(made.id), t.chairs(made.id)
            for number in range(1, count):
                t.add(replace(row, id=f"copy{number}", create_id=f"copy{number}"))
                for chair in people:
                    t.add(replace(chair, table_id=f"copy{number}"))
        queries = 0

        @sql.event.listens_for(tables.store.engine, "before_cursor_execute")
        def count_queries(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            nonlocal queries
            queries += not statement.startswith("BEGIN")

        wall, cpu = time.perf_counter(), time.process_time()
        time.sleep(seconds)
        used = (time.process_time() - cpu) / (time.perf_counter() - wall)
        tables.close()
    return queries, used


def fullest_page(game: str, chairs: int, rounds: int = 7) -> float:
    """Seconds of the processor for the page of who is to move in a game's fullest position, drawn before (median)."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/tables.sqlite3"
        table = make_tables(database, game, chairs, 1)[0]
        tables = Tables.open(database)
        for _ in range(table.fullest()):
            seat, actions = random_move(table.match)
            text = move_text(table.match.game, table.match.view(seat), seat, actions, table.match.names)
            tables.submit(table.id, table.tokens[table.seats.index(seat)], text, table.match.ply, f"{table.match.ply}")
            table.match.play_actions(seat, actions)
        token = table.tokens[table.seats.index(table.match.acting[0])]
        taken = []
        for _ in range(rounds):
            cpu = time.thread_time()
            render_table(tables.view(table.id, token))
            taken.append(time.thread_time() - cpu)
        tables.close()
    return median(taken[1:])
