"""What is looked for at a table: the moves that decided its match, and hints; who may ask, and what is told to whom."""

import copy
import json
import time
from dataclasses import replace
from functools import partial
from html import escape as html_text
from pathlib import Path
from random import Random

import pytest
from fastapi.testclient import TestClient

from backroom.engine.game import Refusal, find_game
from backroom.engine.match import _packed
from backroom.engine.rng import generator
from backroom.engine.view import determinize
from backroom.lab.chances import chances
from backroom.lab.decisive import EFFORT, HINT, decisive, hint
from backroom.tables import findings, making
from backroom.tables.service import Tables
from backroom.tables.thinking import Limits, Lost, Thinkers
from backroom.tables.views import ChairRequest
from backroom.web.app import Settings, create_app
from backroom.web.decided import hint_of, turnings
from backroom.web.shapes import view_model
from backroom.web.table_page import render_table, render_text
from sittings import ANNA, BEN, CLEO, EVE, among_people, first_move, play, see_to_what_is_due, with_bots

pytestmark = pytest.mark.usefixtures("asleep")

QUICK = {
    "look": 60,
    "sifted": 4,
    "sift": 2,
    "sift_iterations": 60,
    "confirmed": 2,
    "repeats": 5,
    "iterations": 60,
    "strategies": 200,
}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "decisive", partial(decisive, effort=replace(EFFORT, **QUICK)))
    monkeypatch.setattr(findings, "chances", partial(chances, games=60))
    monkeypatch.setattr(findings, "hint", partial(hint, effort=replace(HINT, **QUICK)))
    monkeypatch.setattr(findings, "TOLD_SECONDS", 0.0)
    # The same match in every run: whether a move decided it is no matter of luck.
    monkeypatch.setattr(making.secrets, "token_hex", lambda count: "55" * count)


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables.open(f"sqlite:///{tmp_path}/tables.sqlite3")


def finished(tables: Tables, game: str) -> str:
    table = with_bots(tables, game, find_game(game).seats.start - 1)
    while not tables.view(table, ANNA).over:
        view = tables.view(table, ANNA)
        if view.your_turn:
            play(tables, table, ANNA, first_move(view))
        see_to_what_is_due(tables)
    return table


@pytest.mark.parametrize("game", ["catham"])
def test_the_moves_that_decided_a_match_are_found_once_and_shown_to_all(tables: Tables, game: str) -> None:
    table = finished(tables, game)
    before = tables.view(table, EVE)
    assert before.decided is None
    assert "Find the moves that decided it" in render_table(before)
    assert tables.look_back(table).status == "applied"
    asked = tables.view(table, EVE)
    assert asked.decided == findings.Finding(0, None)
    assert asked.revision > before.revision, "open pages are told"
    assert "<progress" in render_table(asked)
    see_to_what_is_due(tables)
    found = tables.view(table, ANNA)
    assert found.revision > asked.revision
    assert found.decided is not None
    assert found.decided.done == 100
    assert tables.look_back(table).status == "already applied"
    see_to_what_is_due(tables)
    assert tables.view(table, ANNA).decided == found.decided, "computed once"
    assert found.decided.found, "a first move of every kind decides something, so nothing was tested"
    for view in (found, tables.view(table, EVE)):
        words = turnings(view)
        assert 1 <= len(words) <= 3
        for it, move in zip(words, found.decided.found, strict=True):
            assert tables.view(table, ANNA, it.ply, it.seat).your_turn, "the position in which it was made"
            for html in (render_table(view), render_text(view)):
                assert f"?move={it.ply}&amp;seat={it.seat}" in html
                assert html_text(move["move"]) in html
        assert view_model(view).decided == found.decided
    assert any(it.heading.startswith("You: ") for it in turnings(found)) == any(
        move["seat"] == found.seat for move in found.decided.found
    )


@pytest.mark.parametrize("game", ["catham", "corporation"])
def test_a_new_table_goes_on_from_a_position_of_a_match_that_is_over(tables: Tables, game: str) -> None:
    table = finished(tables, game)
    over = tables.view(table, ANNA)
    for ply in (0, over.moves // 2, over.moves - 1):
        then = tables.view(table, ANNA, ply, over.seat)
        new = tables.play_on(table, ANNA, ply, create_id=f"from {ply}")
        assert tables.play_on(table, ANNA, ply, create_id=f"from {ply}") == new, "the same request"
        with tables.lives.read(new) as change, tables.lives.read(table) as whole:
            # The same hash: the same hands, deck and seed.
            assert change.match.chain == whole.match.chain[: ply + 1]
        view = tables.view(new, ANNA)
        assert (view.seat, view.names, view.moves, view.over) == (over.seat, over.names, ply, 0)
        assert view.position == then.position
        assert not view.seed
        assert all(chair.bot for chair in view.chairs if not chair.you)
        see_to_what_is_due(tables)
        view = tables.view(new, ANNA)
        assert view.over or view.your_turn, "its bots go on by themselves"
        if view.your_turn:
            assert tables.view(new, ANNA).may_hint
            play(tables, new, ANNA, first_move(view))
    # From another chair, and by somebody who only looked on; the link of a position is shown to everybody.
    other = 0 if over.seat else 1
    new = tables.play_on(table, EVE, 2, other)
    assert tables.view(new, EVE).seat == other
    assert not any(chair.held for chair in tables.view(new, ANNA).chairs if chair.seat != other)
    assert "Play on from here" in render_table(tables.view(table, EVE, 2, other))
    for code, ply, seat in (("E_PLY", over.moves, None), ("E_PLY", -1, None), ("E_CHAIR", 0, 9)):
        with pytest.raises(Refusal) as refused:
            tables.play_on(table, ANNA, ply, seat)
        assert refused.value.code == code


def test_a_match_that_goes_on_or_cannot_be_replayed_is_not_looked_back_on(tables: Tables) -> None:
    table = with_bots(tables)
    for code, at in (("E_GOING", table), ("E_UNKNOWN", "nosuchtable")):
        with pytest.raises(Refusal) as refused:
            tables.look_back(at)
        assert refused.value.code == code
    waiting = tables.create(ANNA, "catham", [ChairRequest("you", "Anna"), ChairRequest("friend")])
    with pytest.raises(Refusal) as refused:
        tables.look_back(waiting)
    assert refused.value.code == "E_WAIT"
    assert tables.view(table, ANNA).decided is None


def test_a_hint_is_for_a_decision_at_a_table_of_bots(tables: Tables) -> None:
    table = with_bots(tables, "catham")
    while not tables.view(table, ANNA).your_turn:
        see_to_what_is_due(tables)
    assert tables.view(table, ANNA).may_hint
    assert "Show a hint" in render_table(tables.view(table, ANNA))
    with pytest.raises(Refusal) as refused:
        tables.hint(table, EVE)
    assert refused.value.code == "E_SEAT"
    mark = tables.mark(table, ANNA)
    assert tables.hint(table, ANNA).status == "applied"
    assert tables.hint(table, ANNA).status == "already applied"
    assert tables.mark(table, ANNA).own != mark.own
    assert tables.mark(table, EVE) == tables.mark(table, BEN), "nobody else is told"
    asked = tables.mark(table, ANNA)
    see_to_what_is_due(tables)
    assert tables.mark(table, ANNA).own != asked.own
    view = tables.view(table, ANNA)
    words = hint_of(view)
    assert words is not None
    for html in (render_table(view), render_text(view)):
        assert html_text(words.move) in html
    model = view_model(view)
    assert model.hint is not None
    assert model.hint.found["move"] == words.move
    watched = tables.view(table, EVE)
    assert watched.hint is None
    assert not watched.may_hint
    play(tables, table, ANNA, words.move)
    assert tables.view(table, ANNA).hint is None, "it was for that decision alone"
    while tables.view(table, ANNA).your_turn:  # a discard may follow
        play(tables, table, ANNA, first_move(tables.view(table, ANNA)))
    with pytest.raises(Refusal) as refused:
        tables.hint(table, ANNA)
    assert refused.value.code == "E_ACTOR"


def test_a_hint_that_came_too_late_is_thrown_away(tables: Tables) -> None:
    table = with_bots(tables, "dark_sources")
    while not tables.view(table, ANNA).your_turn:
        see_to_what_is_due(tables)
    tables.hint(table, ANNA)
    claimed = [row for row in tables.looker.claim() if row.kind == "hint"]
    play(tables, table, ANNA, first_move(tables.view(table, ANNA)))
    for row in claimed:
        tables.looker.see_to(row)
    with tables.store.read() as t:
        kept = t.finding(table, "hint")
        assert kept is not None
        assert not kept.found
        assert "hint" not in t.owed(table)


def test_where_people_play_there_are_no_hints(tables: Tables) -> None:
    table = among_people(tables, ANNA, BEN, game="catham")
    acting = ANNA if tables.view(table, ANNA).your_turn else BEN
    with pytest.raises(Refusal) as refused:
        tables.hint(table, acting)
    assert refused.value.code == "E_HINT"
    assert not tables.view(table, acting).may_hint
    # Nor where a bot only sits in for somebody who may come back.
    mixed = tables.create(
        ANNA, "catham", [ChairRequest("you", "Anna"), ChairRequest("friend"), ChairRequest("bot", bot="random")]
    )
    invite = next(chair.invite for chair in tables.view(mixed, ANNA).chairs if chair.invite)
    tables.sit(mixed, CLEO, invite, "Cleo")
    assert not tables.view(mixed, ANNA).may_hint


@pytest.mark.parametrize("game", ["catham", "corporation", "dark_sources", "medici"])
def test_a_hint_is_made_from_the_view_alone(tables: Tables, game: str) -> None:
    """States that the seat cannot tell apart give the same hint, byte for byte, on its way out of the server too."""
    table, different = with_bots(tables, game), 0
    for _ in range(3):
        while not tables.view(table, ANNA).your_turn:
            see_to_what_is_due(tables)
        told = []
        for number in range(3):
            with tables.lives.read(table) as change:
                match = change.match
                kept, seat = match.state, change.seat_of(0)
                if number:
                    twin = determinize(match.game, match.view(seat), seat, generator(number))
                    different += twin.tobytes() != kept.tobytes()
                    match.state, match._states[-1] = twin, _packed(twin)
            with tables.store.write() as t:
                t.connection.exec_driver_sql("DELETE FROM findings")
            tables.hint(table, ANNA)
            see_to_what_is_due(tables)
            view = tables.view(table, ANNA)
            told.append((json.dumps(view_model(view).hint.found), hint_of(view)))  # type: ignore[union-attr]
            match.state, match._states[-1] = kept, _packed(kept)
        assert told[0] == told[1] == told[2]
        play(tables, table, ANNA, first_move(tables.view(table, ANNA)))
    assert different, "no twin differed, so nothing was tested"


def test_all_of_it_goes_by_plain_forms_too(tmp_path: Path) -> None:
    app = create_app(Settings(f"sqlite:///{tmp_path}/tables.sqlite3"))
    tables: Tables = app.state.tables
    browser = TestClient(app, follow_redirects=False)
    chairs = [{"kind": "you", "name": "Anna"}, {"kind": "bot", "bot": "greedy"}]
    table = browser.post("/tables", json={"game": "catham", "chairs": chairs}).json()["table"]
    token = browser.cookies["backroom"]
    while not tables.view(table, token).your_turn:
        see_to_what_is_due(tables)
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert TestClient(app).post(f"/t/{table}/hint", json={}).status_code == 403
    assert browser.post(f"/t/{table}/look-back", json={}).json()["code"] == "E_GOING"
    asked = browser.post(f"/t/{table}/hint", headers=form)
    assert (asked.status_code, asked.headers["location"]) == (303, f"/t/{table}")
    assert "A bot thinks about it" in browser.get(f"/t/{table}").text
    see_to_what_is_due(tables)
    assert 'class="did"' in browser.get(f"/t/{table}/text").text, "a page that is fetched again shows it"
    while not tables.view(table, token).over:
        view = tables.view(table, token)
        if view.your_turn:
            tables.submit(table, token, first_move(view, Random(view.entry)), view.entry, f"move {view.entry}")
        see_to_what_is_due(tables)
    assert browser.post(f"/t/{table}/look-back", headers=form).status_code == 303
    assert "<progress" in browser.get(f"/t/{table}/text").text
    went = browser.post(f"/t/{table}/play-on", data={"ply": "1", "seat": "0", "create_id": "a"})
    assert went.status_code == 303
    assert browser.get(f"{went.headers['location']}/view.json").json()["moves"] >= 1
    same = browser.post(f"/t/{table}/play-on", json={"ply": 1, "seat": 0, "create_id": "a"}).json()
    assert same["url"] == went.headers["location"]


def ended_in(told: object, until: float) -> str:
    raise ValueError("not to be computed")


def counted(upto: int, told: object, until: float) -> list[float]:
    assert callable(told)
    for number in range(upto):
        told(number / upto)
    return [until - time.monotonic()]


def test_work_is_done_in_a_process_of_its_own_and_says_how_far_it_is() -> None:
    thinkers = Thinkers(Limits(at_once=1))
    try:
        parts: list[float] = []
        (left,) = thinkers.work("t", counted, (4,), 50.0, parts.append)
        assert parts == [0, 0.25, 0.5, 0.75]
        assert 0 < left <= 50
        with pytest.raises(Lost):
            thinkers.work("t", ended_in, (), 5.0, parts.append)
        game = find_game("dark_sources")
        state = game.opening(game.options(), ["anna", "ben"], bytes(32))[0]
        seat = int(state.acting).bit_length() - 1
        view = game.state.view(state, seat)
        question = (game, view, seat, ("anna", "ben"), "a")
        alone = findings.look_ahead(*question, lambda _: None, 0.0)
        assert set(thinkers.work("t", findings.look_ahead, question, 60.0, parts.append)) == set(alone)
    finally:
        thinkers.close()


def test_who_was_going_to_win_is_told_from_what_could_be_known(tables: Tables) -> None:
    table = finished(tables, "catham")
    assert tables.view(table, EVE).chances is None
    tables.look_back(table)
    assert view_model(tables.view(table, EVE)).chances is None, "not known yet"
    see_to_what_is_due(tables)
    view = tables.view(table, EVE)
    known = view_model(view).chances
    assert known is not None
    assert [at.ply for at in known] == sorted({at.ply for at in known})
    assert known[0].ply == 0
    assert known[-1].ply == view.moves
    won = [(place == 1) / view.places.count(1) for place in view.places]
    assert [share[0] for share in known[-1].outside] == won, "in the end it is known"
    for at in known:
        assert sum(share[0] for share in at.outside) == pytest.approx(1)
        assert all(0 <= low <= mean <= high <= 1 for mean, low, high in (*at.outside, *at.own))
    # Nobody's chance is made from more than a view: twins at one of the positions give the same.
    with tables.lives.read(table) as change:
        match = change.match if not change.row.over else change.live.match
        assert match is not None
        ply = known[1].ply
        kept, seat = match.at(ply), 0
        twin = determinize(match.game, match.game.state.view(kept, seat), seat, generator(5))
        assert twin.tobytes() != kept.tobytes()
        own = []
        for state in (kept, twin):
            other = copy.copy(match)
            other.at = lambda number, state=state: match.at(number) if number != ply else state  # type: ignore[method-assign,misc]
            own.append(next(at.own[seat] for at in chances(other, games=60) if at.ply == ply))
        assert own[0] == own[1]
    for html in (render_table(view), render_text(view)):
        assert html.count("Who was going to win") >= 2
        assert 'class="band' in html
