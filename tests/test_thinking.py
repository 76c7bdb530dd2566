"""Bots think in processes of their own: what those are given and answer, and what becomes of one that does not."""

import os
import pickle
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from backroom.bots import make_bot
from backroom.engine import rng
from backroom.engine.game import Refusal
from backroom.engine.match import Match
from backroom.tables import thinking
from backroom.tables.service import Tables
from backroom.tables.thinking import Decision, Limits, Lost, Thinkers
from backroom.tables.views import ChairRequest
from backroom.web.asked import status_of
from servers import Server, slowness
from sittings import ANNA, wait_for

SPECS = ["random", "greedy", "search:60", "memory:2", "closer:50"]
"""Bots of Dark Sources; the last two remember."""


@pytest.fixture
def thinkers() -> Iterator[Thinkers]:
    made = Thinkers(Limits(seconds=120, at_once=1))
    yield made
    made.close()


def decision_of(spec: str, seed: int = 1) -> Decision:
    match = Match.new("dark_sources", ["anna", "ben"], {"memory": "play"}, seed=seed)
    seat = match.acting[0]
    bot = make_bot(match.game, spec)
    view = bot.informed(match.views(seat), match.view(seat), seat)
    return Decision(bot, view, seat, rng.generator(match.seed, "bot", seat, match.ply), 0)


def process_of(thinkers: Thinkers) -> int:
    (thinker,) = thinkers._idle
    assert thinker.process.pid is not None
    return thinker.process.pid


def test_a_process_decides_as_this_one_does(thinkers: Thinkers) -> None:
    for spec in SPECS:
        here = decision_of(spec)
        assert thinkers.choose("table", decision_of(spec)) == here.bot.choose(here.view, here.seat, here.random)
    assert process_of(thinkers) != os.getpid()


def test_a_process_is_given_the_view_and_no_secret(thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def ask(_thinker: Any, question: Any, *_: Any) -> list[int]:
        asked.append(question)
        return [0]

    monkeypatch.setattr(thinking._Thinker, "ask", ask)
    decision = decision_of("search:60")
    thinkers.choose("table", decision)
    match = Match.new("dark_sources", ["anna", "ben"], {"memory": "play"}, seed=1)
    (question,) = asked
    assert set(vars(question)) == {"game", "spec", "iterations", "seconds", "view", "seat", "random"}
    assert question.view == match.view(decision.seat).tobytes() != match.state.tobytes()
    told = pickle.dumps(question)
    for secret in (match.seed, match.seed.hex().encode(), match.state.chance_key.tobytes(), b"anna", b"ben"):
        assert secret not in told


def test_one_that_is_killed_is_replaced(thinkers: Thinkers) -> None:
    thinkers.choose("table", decision_of("random"))
    first = process_of(thinkers)
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: not thinkers._idle[0].process.is_alive())
    assert thinkers.choose("table", decision_of("random")) is not None
    assert process_of(thinkers) != first


def test_one_that_hangs_is_seen_ended_and_replaced(
    url: str, thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "STALLED_SECONDS", 0.5)
    monkeypatch.setattr(thinking, "HANGING_SECONDS", 6.0)
    thinkers.choose("table", decision_of("random"))
    hanging = process_of(thinkers)
    os.kill(hanging, signal.SIGSTOP)
    tables = Tables.open(url, limits=thinkers.limits, thinkers=thinkers)
    table = tables.create(ANNA, "dark_sources", [ChairRequest("bot", bot="random")] * 2)

    def stalled() -> str:
        try:
            tables.check()
        except Refusal as problem:
            return str(problem)
        return ""

    seen: list[str] = []
    wait_for(lambda: seen.append(stalled()) or seen[-1])
    assert re.fullmatch(r"E_STALLED: a bot has not answered \d+ s after its time", seen[-1])
    assert status_of(Refusal("E_STALLED", "")) == 503
    wait_for(lambda: tables.mark(table, ANNA).entry > 1)
    assert stalled() == ""
    assert hanging not in [thinker.process.pid for thinker in (*thinkers._idle, *thinkers._busy)]
    tables.close()


def test_what_kills_its_process_again_and_again_is_answered_by_the_default(
    asleep: None, url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tables = Tables.open(url, limits=Limits(), thinkers=Thinkers(Limits()))
    tried: list[int] = []

    def lost(_table: str, decision: Decision) -> None:
        tried.append(decision.entry)
        raise Lost("its process has ended")

    monkeypatch.setattr(tables.thinkers, "choose", lost)
    table = tables.create(ANNA, "dark_sources", [ChairRequest("bot", bot="random")] * 2)
    end = time.monotonic() + 60
    while tables.mark(table, ANNA).entry == 0:
        assert time.monotonic() < end
        for row in tables.looker.claim():
            tables.looker.see_to(row)
        time.sleep(0.1)
    assert tried == [0, 0, 0]
    assert "failed 3 times" in caplog.text
    tables.close()


def test_a_bot_that_fails_there_is_logged_and_the_process_goes_on(
    thinkers: Thinkers, caplog: pytest.LogCaptureFixture
) -> None:
    thinkers.choose("table", decision_of("random"))
    there = process_of(thinkers)
    wrong = decision_of("random")
    assert thinkers.choose("table", Decision(wrong.bot, np.zeros(3), wrong.seat, wrong.random, 7)) is None
    assert "bot random failed after entry 7" in caplog.text
    assert thinkers.choose("table", decision_of("random")) is not None
    assert process_of(thinkers) == there


def test_a_search_ends_when_its_time_is_over() -> None:
    thinkers = Thinkers(Limits(iterations=10_000_000, seconds=0.3, at_once=1))
    thinkers.choose("table", decision_of("search:60"))
    begun = time.monotonic()
    assert thinkers.choose("table", decision_of("search:10000000"))
    assert time.monotonic() - begun < 30 * slowness(), "ten million iterations take minutes"
    thinkers.close()


def test_warm_processes_have_loaded_what_bots_need() -> None:
    thinkers = Thinkers(Limits(at_once=2))
    thinkers.warm(["dark_sources"])
    wait_for(lambda: len(thinkers._idle) == 2 and not any(thinker.new for thinker in thinkers._idle))
    assert thinkers.choose("table", decision_of("greedy")) is not None
    assert len(thinkers._idle) <= 2
    thinkers.close()
    wait_for(lambda: not thinkers._idle)


def children(process: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the children of a process are read in /proc")
def test_nobody_is_left_when_the_server_is_killed(tmp_path: Path) -> None:
    server = Server(tmp_path / "tables.sqlite3")
    server.start()
    with httpx.Client(base_url=server.url, timeout=60) as client:
        chairs = [{"kind": "bot", "bot": "search:100000"}] * 2
        table = client.post("/tables", json={"game": "dark_sources", "chairs": chairs}).json()["table"]
        wait_for(lambda: client.get(f"/t/{table}/view.json").json()["ply"] > 0)
    assert server.process is not None
    theirs = children(server.process.pid)
    assert len(theirs) >= 2, "the process that thinks, and Python's tracker of resources"
    server.kill()
    wait_for(lambda: not any(map(alive, theirs)))


def test_who_asks_for_all_the_thinking_there_is_stops_nobody_elses_bot(tmp_path: Path) -> None:
    """A flood of tables from one address, with the strongest bots that a table may have and with stronger ones."""
    limits = "limits=Limits(iterations=1_000_000, seconds=1.0, at_once=2, for_client=1), proxies=['127.0.0.1']"
    server = Server(tmp_path / "tables.sqlite3", more=limits)
    server.start()
    eve = httpx.Client(base_url=server.url, timeout=60, headers={"X-Forwarded-For": "198.51.100.7"})
    anna = httpx.Client(base_url=server.url, timeout=60, headers={"X-Forwarded-For": "203.0.113.9"})
    strong, small = ({"kind": "bot", "bot": bot} for bot in ("search:1000000", "random"))
    try:
        refused = eve.post(
            "/tables", json={"game": "dark_sources", "chairs": [{"kind": "bot", "bot": "search:2000000"}] * 2}
        )
        assert (refused.status_code, refused.json()["code"]) == (422, "E_BOT")
        assert "allows at most 1000000, like search:1000000" in refused.json()["message"]
        flood = [
            eve.post("/tables", json={"game": "dark_sources", "chairs": [strong] * 4}).json()["table"]
            for _ in range(30)
        ]
        wait_for(lambda: eve.get(f"/t/{flood[0]}/view.json").json()["ply"] > 0, 300)
        chairs = [{"kind": "you", "name": "Anna"}, small]
        asked = {"game": "dark_sources", "chairs": chairs, "options": {"memory": "notes"}}
        table = anna.post("/tables", json=asked).json()["table"]
        took = []
        for number in range(4):
            wait_for(lambda: anna.get(f"/t/{table}/view.json").json()["your_turn"])
            ply = anna.get(f"/t/{table}/view.json").json()["ply"]
            begun = time.monotonic()
            sent = {"move": "swap a1 b1", "ply": ply, "move_id": f"m{number}"}
            assert anna.post(f"/t/{table}/move", json=sent).status_code == 200
            wait_for(lambda: anna.get(f"/t/{table}/view.json").json()["your_turn"])
            took.append(time.monotonic() - begun)
            assert anna.get("/healthz").status_code == 200
        # Thirty tables of hers owe a decision of a second each; nobody waits for those.
        assert min(took) < 5 * slowness(), took
        assert sum(eve.get(f"/t/{each}/view.json").json()["ply"] > 0 for each in flood[:3]) > 0, "hers go on as well"
    finally:
        server.kill()
