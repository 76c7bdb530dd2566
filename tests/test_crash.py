"""The real server process: killed at any moment, stopped in the ordinary way, and the pages open meanwhile."""

import json
import os
import random
import re
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from backroom.tables.publisher import Publisher
from backroom.tables.service import Tables
from backroom.tables.store import Store
from servers import Server, seconds_until_all_have_moved, slowness, tables_of_bots

pytestmark = [
    pytest.mark.timeout(900),  # ten starts of a server, on whatever machine this is
    pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning"),
]

often = pytest.mark.parametrize("rounds", [2, pytest.param(8, marks=pytest.mark.long)])
"""How often the server is killed in the middle of one match."""
STARTING = 120.0
"""Seconds that a server may take to start: it may have to compile the rules first."""


@pytest.fixture
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server that is not started yet. It runs the rules uncompiled, since then it starts at once, but for a test that
    asks for a compiled one by ``indirect``."""
    made = Server(tmp_path / "tables.sqlite3", compiled=getattr(request, "param", False))
    yield made
    if made.running:
        made.kill()


class Page:
    """An open page: listens, and comes back by itself with the id of the last event, as a browser does."""

    def __init__(self, url: str, table: str, cookies: httpx.Cookies) -> None:
        self.address = f"{url}/t/{table}/events"
        self.client = httpx.Client(cookies=cookies, timeout=30, verify=False)
        self.ids: list[int] = []
        self.connections = 0
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        while not self.done.is_set():
            with suppress(httpx.HTTPError):
                self._listen()
            time.sleep(0.5)

    def _listen(self) -> None:
        headers = {"Last-Event-ID": str(self.ids[-1])} if self.ids else {}
        with self.client.stream("GET", self.address, headers=headers) as answer:
            assert answer.status_code == 200
            self.connections += 1
            for line in answer.iter_lines():
                if line.startswith("id: "):
                    self.ids.append(int(line[4:]))
                if self.done.is_set():
                    return

    def wait_for(self, ply: int, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while not self.ids or self.ids[-1] < ply:
            assert time.monotonic() < end, (self.ids[-3:], ply)
            time.sleep(0.02)


@contextmanager
def rows(database: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(database)
    yield connection
    connection.close()


def entries(database: Path) -> list[tuple[int, str]]:
    with rows(database) as connection:
        return connection.execute("SELECT number, move_id FROM entries ORDER BY number").fetchall()


def new_table(client: httpx.Client, game: str = "corporation", bots: int = 2, friends: int = 0) -> str:
    bot, friend = {"kind": "bot", "bot": "random"}, {"kind": "friend"}
    chairs = [{"kind": "you", "name": "Anna"}, *[bot] * bots, *[friend] * friends]
    answer = client.post("/tables", json={"game": game, "chairs": chairs}, timeout=STARTING)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["table"])


class Player:
    """Plays one seat as fast as the server allows, and keeps what the server has acknowledged."""

    def __init__(self, server: Server, cookies: httpx.Cookies, table: str) -> None:
        self.server, self.cookies, self.table = server, cookies, table
        self.acknowledged: list[str] = []
        self.unanswered: dict[str, Any] | None = None
        self.over = False

    def play_until_the_line_breaks(self) -> None:
        client = httpx.Client(base_url=self.server.url, cookies=self.cookies, timeout=60)
        with client, suppress(httpx.HTTPError):
            while not self.over:
                self.step(client)

    def step(self, client: httpx.Client) -> None:
        if self.unanswered is not None:
            self.send(client, self.unanswered)
        view = client.get(f"/t/{self.table}/view.json").json()
        if view["over"]:
            self.over = True
        elif view["your_turn"]:
            prefix = random.choice(view["prepared"]["next"])["text"]
            prepared = client.get(f"/t/{self.table}/complete", params={"prefix": prefix}).json()
            card = random.choice(prepared["next"])["text"]
            sent = {"move": f"{prefix} {card}", "ply": view["ply"], "move_id": f"anna {view['ply']}"}
            self.send(client, sent)

    def send(self, client: httpx.Client, sent: dict[str, Any]) -> None:
        self.unanswered = sent
        answer = client.post(f"/t/{self.table}/move", json=sent)
        if answer.status_code == 200:
            self.acknowledged.append(sent["move_id"])
        else:
            # Only a retry can be late: the move was lost with the server before it was accepted.
            assert answer.json()["status"] == "stale", answer.text
        self.unanswered = None


@often
def test_kill_9_at_any_moment_loses_and_doubles_nothing(server: Server, rounds: int) -> None:
    server.start()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        table = new_table(client)
        client.get(f"/t/{table}/view.json", timeout=STARTING)
        cookies = httpx.Cookies(dict(client.cookies))
    page = Page(server.url, table, cookies)
    player = Player(server, cookies, table)
    seen_before: list[tuple[int, str]] = []
    for round_number in range(rounds):
        thread = threading.Thread(target=player.play_until_the_line_breaks)
        acknowledged = len(player.acknowledged)
        thread.start()
        end = time.monotonic() + STARTING
        while (len(player.acknowledged) == acknowledged and not player.over) or page.connections <= round_number:
            assert time.monotonic() < end
            time.sleep(0.005)
        time.sleep(random.uniform(0, 0.3))
        server.kill()
        thread.join()
        with rows(server.database) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        record = entries(server.database)
        assert record[: len(seen_before)] == seen_before, "what stood in the record has changed"
        assert [number for number, _ in record] == list(range(1, len(record) + 1))
        ids = [move_id for _, move_id in record]
        for move_id in player.acknowledged:
            assert ids.count(move_id) == 1, (round_number, move_id)
        seen_before = record
        server.start()
    player.play_until_the_line_breaks()
    assert player.over
    record = entries(server.database)
    page.wait_for(len(record))
    page.done.set()
    assert page.connections > rounds
    assert page.ids == sorted(page.ids)
    ids = [move_id for _, move_id in record]
    assert len(set(ids)) == len(ids)
    assert {move_id for move_id in ids if move_id.startswith("anna")} == set(player.acknowledged)
    export = httpx.get(f"{server.url}/t/{table}/export.json", cookies=cookies).json()
    assert len(export["moves"]) == len(record)
    server.stop()
    again = Tables.open(f"sqlite:///{server.database}")
    assert again.view(table, "a spectator").moves == len(record)
    again.close()


def test_a_prepared_move_is_made_once_although_the_server_is_killed(server: Server) -> None:
    server.start()
    asked = {"game": "dark_sources", "options": {"memory": "notes"}}
    with httpx.Client(timeout=60) as anna, httpx.Client(timeout=60) as ben:
        chairs = [{"kind": "you", "name": "Anna"}, {"kind": "friend"}]
        table = anna.post(f"{server.url}/tables", json={**asked, "chairs": chairs}).json()["table"]
        where = f"{server.url}/t/{table}"
        invite = anna.get(f"{where}/view.json").json()["chairs"][1]["invite"]
        ben.post(f"{where}/sit", json={"invite": invite, "name": "Ben"})
        for number, swap in enumerate(("swap a1 b1", "swap a2 b2", "swap a1 b1")):
            ply = 2 * number
            plan = {"text": f"swap b{5 - number} a{5 - number}", "ply": ply, "condition": "legal"}
            assert ben.post(f"{where}/plan", json=plan).json()["status"] == "applied"
            sent = {"move": swap, "ply": ply, "move_id": f"anna {number}"}
            assert anna.post(f"{where}/move", json=sent).json()["status"] == "applied"
            time.sleep(number * 0.004)
            server.kill()
            server.start()
            # Nobody looks at the table: the server has to think of it by itself.
            end = time.monotonic() + STARTING
            while len(entries(server.database)) < ply + 2:
                assert time.monotonic() < end
                time.sleep(0.01)
        with rows(server.database) as connection:
            made = [text for (text,) in connection.execute("SELECT text FROM entries ORDER BY number")]
            assert connection.execute("SELECT plan FROM chairs ORDER BY number").fetchall() == [("",), ("",)]
    assert made == ["swap a1 b1", "swap b5 a5", "swap a2 b2", "swap b4 a4", "swap a1 b1", "swap b3 a3"]
    server.kill()


@often
def test_time_runs_out_once_with_two_servers_that_are_killed(server: Server, rounds: int) -> None:
    """Nobody looks: what is due is found in the store, by whichever server is there, and done once."""
    second = Server(server.database, compiled=False)
    server.start()
    second.start()
    try:
        with httpx.Client(base_url=server.url, timeout=STARTING) as client, httpx.Client(base_url=server.url) as friend:
            chairs = [{"kind": "you", "name": "Anna"}, {"kind": "friend"}]
            asked = {"game": "catham", "chairs": chairs, "pace": 86400, "out_of_time": "bot"}
            table = client.post("/tables", json=asked).json()["table"]
            invite = client.get(f"/t/{table}/view.json").json()["chairs"][1]["invite"]
            friend.post(f"/t/{table}/sit", json={"invite": invite, "name": "Ben"}, timeout=STARTING)
        for number in range(rounds):
            assert len(entries(server.database)) == number, "one decision was made twice"
            with rows(server.database) as connection, connection:
                # A day later; and both have been there, so that the clock does not stand still.
                connection.execute("UPDATE chairs SET lost = 0, asked = MAX(asked - 86400, 0)")
                connection.execute("UPDATE tables SET due = 1")
                connection.execute("UPDATE owed SET due = 1, claim = '' WHERE kind = 'clock'")
            time.sleep(random.uniform(0, 1.5))
            killed = random.choice([server, second])
            killed.kill()
            end = time.monotonic() + STARTING
            while len(entries(server.database)) == number:
                assert time.monotonic() < end, "nothing has run out"
                time.sleep(0.02)
            killed.start()
    finally:
        second.kill()
    server.stop()
    with rows(server.database) as connection:
        record = connection.execute("SELECT number, kind FROM entries ORDER BY number").fetchall()
    assert record == [(number, "late") for number in range(1, rounds + 1)]
    again = Tables.open(f"sqlite:///{server.database}")
    assert again.view(table, "a spectator").moves == rounds
    again.close()


@pytest.mark.parametrize("server", [True], indirect=True, ids=["compiled"])
def test_what_bots_owe_is_done_soon_after_the_thinking_server_is_killed(server: Server) -> None:
    """Nobody looks at any of the tables: what is owed stands in the store."""
    server.start()
    made = tables_of_bots(server, 100)
    store = Store(server.database_url)
    seconds_until_all_have_moved(store, made)
    server.kill()
    server.start()
    slow = slowness()
    took = seconds_until_all_have_moved(store, made)
    assert took < 10 * max(slow, slowness()), f"{took:.1f} s"
    server.kill()
    again = Tables(store, Publisher())
    again.looker.close()
    for number, table in enumerate(made):
        record = [number for (number,) in rows_of(server.database, table)]
        assert record == list(range(1, len(record) + 1))
        if number % 20 == 0:
            assert again.view(table, "a spectator").entry == len(record), "it replays, link for link"
    again.close()


def rows_of(database: Path, table: str) -> list[tuple[int]]:
    with rows(database) as connection:
        return connection.execute("SELECT number FROM entries WHERE table_id = ? ORDER BY number", (table,)).fetchall()


def test_it_ends_at_once_with_many_streams_open(server: Server) -> None:
    server.start()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        table = new_table(client, friends=2, bots=0)
        cookies = httpx.Cookies(dict(client.cookies))
    pages = [Page(server.url, table, cookies) for _ in range(50)]
    end = time.monotonic() + STARTING
    while any(not page.ids for page in pages):
        assert time.monotonic() < end
        time.sleep(0.05)
    took = server.stop()
    server.start()
    while any(page.connections < 2 for page in pages):
        assert time.monotonic() < end + STARTING
        time.sleep(0.05)
    for page in pages:
        page.done.set()
    assert took < 5 * slowness(), f"it took {took:.1f} s to end"


def test_a_stream_tells_where_the_table_is_whatever_the_page_missed(server: Server) -> None:
    server.start()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        table = new_table(client, friends=2, bots=0)
        invites = [chair["invite"] for chair in client.get(f"/t/{table}/view.json").json()["chairs"] if chair["invite"]]
        for invite, name in zip(invites, ("Ben", "Cleo"), strict=True):
            with httpx.Client(base_url=server.url, timeout=60) as friend:
                assert friend.post(f"/t/{table}/sit", json={"invite": invite, "name": name}).status_code == 200
        for ply in range(3):
            client.post(
                f"/t/{table}/move", json={"move": "say hello", "ply": ply, "move_id": f"m{ply}"}, timeout=STARTING
            )
        for last in ("", "1", "3", "99", "no number"):
            headers = {"Last-Event-ID": last} if last else {}
            with client.stream("GET", f"/t/{table}/events", headers=headers) as answer:
                assert answer.headers["content-type"].startswith("text/event-stream")
                lines = answer.iter_lines()
                assert dict(_until_blank(lines)).keys() == {"retry"}
                event = dict(_until_blank(lines))
                assert (event["event"], event["id"]) == ("table", "3")
                assert json.loads(event["data"])["ply"] == 3
        assert client.get("/t/nowhere/events").status_code == 404


def _until_blank(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        if not line:
            return
        name, value = line.split(": ", 1)
        yield name, value


def test_only_the_default_port_is_passed_over_when_it_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        begin = f"from backroom.web import app; app.DEFAULT_PORT = {port}; "
        database = f"database_url='sqlite:///{tmp_path / 'tables.sqlite3'}'"
        code = f"{begin} app.serve({database})"
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == f"Port {port} is taken on 127.0.0.1, so another one is used.\n"
            found = re.search(r":(\d+)/", process.stdout.readline())
            process.kill()
        assert found
        assert port < int(found[1]) < port + 20
        named = [
            sys.executable,
            "-c",
            "import backroom.cli; backroom.cli.main()",
            "serve",
            "--port",
            str(port),
            "--database",
            f"sqlite:///{tmp_path / 'another.sqlite3'}",
        ]
        refused = subprocess.run(named, capture_output=True, text=True, env=os.environ | {"BACKROOM_JIT": "0"})
        assert refused.returncode == 2
        assert refused.stderr.startswith(f"E_PORT: cannot listen on port {port} of 127.0.0.1: ")
        assert refused.stderr.count("\n") == 1
