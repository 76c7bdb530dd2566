"""Playing on, and links to positions, from a match that goes on: made from the view of whoever asks alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backroom.engine import chance
from backroom.engine.game import Game, find_game, installed_games
from backroom.engine.match import Match, _packed
from backroom.engine.record import SPECTATOR
from backroom.engine.rng import generator
from backroom.engine.view import determinize
from backroom.tables import playing_on
from backroom.tables.rows import PositionRow
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest
from backroom.tables.words import hash_of
from backroom.web.app import Settings, create_app
from backroom.web.shapes import view_model
from backroom.web.table_page import render_position, render_table, render_text
from sittings import ANNA, EVE, Sitting, first_move, play, refused, see_to_what_is_due, take_back_to
from toys.bazaar import GAME as BAZAAR

GAMES = [*installed_games(), BAZAAR]
pytestmark = pytest.mark.usefixtures("asleep", "bazaar", "still_clock")
OPEN = {"dark_sources": {"memory": "open"}}
"""Options under which positions may be looked at, where the usual ones forbid it."""


def sat_down(tables: Tables, game: Game) -> str:
    chairs = [ChairRequest("you", "Ann Lee"), *[ChairRequest("bot", bot="random")] * (game.seats.start - 1)]
    return tables.create(ANNA, game.name, chairs, OPEN.get(game.name))


def to_your_turn(tables: Tables, table: str) -> None:
    while not tables.view(table, ANNA).your_turn:
        see_to_what_is_due(tables)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_twins_lead_to_the_same_table_and_the_same_link(
    tables: Tables, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """States that a viewer cannot tell apart, with different chance to come, give the same up to the fresh draw, and
    that is made the same here."""
    table, different, varied = sat_down(tables, game), 0, set()
    for turn in range(2):
        to_your_turn(tables, table)
        for token in (ANNA, EVE):
            told: list[Any] = []
            for number in range(3):
                with tables.lives.read(table) as change:
                    match = change.match
                    kept = match.state
                    viewer = change.seat_of(0) if token == ANNA else SPECTATOR
                    if number:
                        twin = determinize(game, match.view(viewer), viewer, generator(turn, number))
                        twin.chance_count[:] = kept.chance_count if number == 1 else 7
                        different += twin.tobytes() != kept.tobytes()
                        match.state, match._states[-1] = twin, _packed(twin)
                with monkeypatch.context() as fixed, tables.lives.read(table) as change:
                    fixed.setattr(playing_on.secrets, "token_hex", lambda count: "a fresh draw")
                    fixed.setattr(playing_on.chance, "match_seed", lambda: bytes(32))
                    fixed.setattr(playing_on, "new_secret", lambda count: "id")
                    wanted = (None, "create", "client", tables.limits)
                    rows = playing_on.begun(change, hash_of(token), hash_of(token), match.ply, *wanted)
                    shared = PositionRow("id", table, 0, match.ply, viewer, rows[0].position)
                    pages = [
                        render_position(playing_on.shared(change.t, shared, seat), "", "id")
                        for seat in [*range(len(match.names)), SPECTATOR]
                    ]
                told.append((rows, pages))
                varied.add(playing_on_anew(tables, table, token).position)
                match.state, match._states[-1] = kept, _packed(kept)
            assert told[0] == told[1] == told[2]
        play(tables, table, ANNA, first_move(tables.view(table, ANNA)))
    assert different, "no twin differed, so nothing was tested"
    assert len(varied) > 2 or game.name in ("corporation", "dark_sources"), "nothing is drawn anew"


def playing_on_anew(tables: Tables, table: str, token: str) -> Any:
    """The row of a new table from the present position."""
    new = tables.play_on(table, token, tables.view(table, token).moves)
    with tables.store.read() as t:
        return t.table(new)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_goes_on_elsewhere_has_nothing_of_the_match_but_a_view(tables: Tables, game: Game) -> None:
    table = sat_down(tables, game)
    to_your_turn(tables, table)
    before = tables.view(table, ANNA)
    row = playing_on_anew(tables, table, ANNA)
    view = tables.view(row.id, ANNA)
    assert (view.names, view.seat, view.moves, view.over) == (before.names, before.seat, 0, 0)
    assert view.record.tobytes() == before.record.tobytes(), "one's own view is as it was"
    assert all(chair.bot and not chair.held for chair in view.chairs if not chair.you)
    with tables.lives.read(table) as change:
        seed = change.match.seed
    kept = json.dumps(vars(row))
    assert seed.hex() not in kept
    assert table not in kept, "who is sent the new table does not learn of the other"
    assert chance.commitment(seed) != view.commitment
    # It is marked: on the page, in words, and in JSON.
    assert view.origin is not None
    assert (view.origin.drawn, view.origin.seen_by, view.origin.move) == (True, "Ann Lee", before.moves)
    assert "not the real table" in render_table(view)
    assert "drawn anew" in render_table(view)
    assert "Not the real table" in render_text(view)
    assert view_model(view).origin == view.origin
    # It is a match like any other: it is played to its end, and its file replays from the position.
    while not tables.view(row.id, ANNA).over:
        now = tables.view(row.id, ANNA)
        if now.your_turn:
            play(tables, row.id, ANNA, first_move(now))
        see_to_what_is_due(tables)
        if tables.view(row.id, ANNA).moves > 60:
            break
    over = tables.view(row.id, ANNA)
    tables.lives.at(row.id).forget()
    assert tables.view(row.id, ANNA).link == over.link, "it is read again from the store"
    if over.over:
        assert Match.loads(tables.export(row.id)).position == row.position


def test_a_link_shows_a_position_from_a_chair_or_from_outside(tables: Tables) -> None:
    game = find_game("catham")
    table = sat_down(tables, game)
    to_your_turn(tables, table)
    now = tables.view(table, ANNA)
    mine, outside = (tables.share(table, ANNA, now.moves, outside) for outside in (False, True))
    assert tables.share(table, ANNA, now.moves) == mine, "the same moment again is the same link"
    assert tables.share(table, EVE, now.moves) == outside, "what a watcher shares is seen from outside"
    assert now.seat is not None
    seen = tables.shared(mine).view
    assert seen.record.tobytes() == now.record.tobytes()
    assert tables.shared(outside).view.record.tobytes() == tables.view(table, EVE).record.tobytes()
    html = render_position(tables.shared(mine, 1 - now.seat), "http://here", "new")
    assert "not the real table" in html
    assert "drawn anew" in html
    assert f"http://here/p/{mine}" in html
    assert table not in html, "it is no way to the table"
    # It stays as it was when the match goes on.
    play(tables, table, ANNA, first_move(now))
    assert tables.shared(mine).view.position == seen.position
    new = tables.play_on_shared(mine, EVE, create_id="x")
    assert tables.play_on_shared(mine, EVE, create_id="x") == new
    assert tables.view(new, EVE).record.tobytes() == now.record.tobytes()
    assert tables.view(new, EVE).origin == seen.origin
    refused("E_CHAIR", tables.shared, mine, 7)
    refused("E_CHAIR", tables.play_on_shared, mine, EVE, 7)
    refused("E_UNKNOWN", tables.shared, "nosuchposition")
    refused("E_PLY", tables.share, table, ANNA, 99)
    earlier = tables.share(table, ANNA, 0)
    assert tables.shared(earlier).view.record.tobytes() == tables.view(table, ANNA, 0).record.tobytes()


def test_where_memory_is_the_game_or_a_choice_lies_sealed_nothing_is_tried_out(tables: Tables) -> None:
    from_memory = Sitting(tables, "dark_sources", ("Anna", "Ben"))
    from_memory.play(tables.view(from_memory.id, EVE).acting[0], "swap a1 b1")
    sealed = Sitting(tables, "corporation", ("Anna", "Ben", "Cleo"))
    token = sealed.tokens[0]
    tables.share(sealed.id, token, 0)
    sealed.play(1, "card 3")
    for sitting, why in ((from_memory, "played from memory"), (sealed, "chosen in secret")):
        for token in (sitting.tokens[0], EVE):
            view = tables.view(sitting.id, token)
            for call in (tables.play_on, tables.share):
                assert why in refused("E_GOING", call, sitting.id, token, view.moves).message
            html = render_table(view)
            assert why in html
            assert "/share" not in html
            assert "/play-on" not in html
    assert "/share" in render_table(tables.view(sealed.id, token, 0)), "before the round nothing was sealed"
    for seat, card in ((0, 10), (2, 5)):
        sealed.play(seat, f"card {card}")
    assert "/share" in render_table(tables.view(sealed.id, token))
    practice = tables.practise(ANNA, "catham", "Anna")
    refused("E_GOING", tables.play_on, practice, ANNA, 0)


def test_all_of_it_goes_by_plain_forms_and_survives_the_migration(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite3"
    app = create_app(Settings(f"sqlite:///{file}"))
    tables: Tables = app.state.tables
    browser = TestClient(app, follow_redirects=False)
    chairs = [{"kind": "you", "name": "Anna"}, {"kind": "bot", "bot": "greedy"}]
    table = browser.post("/tables", json={"game": "catham", "chairs": chairs}).json()["table"]
    to_your_turn_of(tables, table, browser.cookies["backroom"])
    ply = browser.get(f"/t/{table}/view.json").json()["moves"]
    went = browser.post(f"/t/{table}/share", data={"ply": ply, "outside": "false"})
    assert went.status_code == 303
    page = TestClient(app).get(went.headers["location"])
    assert page.status_code == 200
    assert "drawn anew" in page.text
    assert TestClient(app).get(f"{went.headers['location']}?seat=-1").status_code == 200
    assert browser.post(f"/t/{table}/share", json={"ply": ply}).json()["url"] == went.headers["location"]
    on = TestClient(app, follow_redirects=False).post(f"{went.headers['location']}/play-on", data={"create_id": "a"})
    assert on.status_code == 303
    assert browser.post(f"/t/{table}/play-on", json={"ply": ply, "create_id": "b"}).status_code == 200
    assert browser.get("/p/nosuch", headers={"accept": "text/html"}).status_code == 404
    tables.close()
    take_back_to(file, "0009")
    again = Tables.open(f"sqlite:///{file}")
    assert again.view(table, browser.cookies["backroom"]).moves == ply
    again.close()


def to_your_turn_of(tables: Tables, table: str, token: str) -> None:
    while not tables.view(table, token).your_turn:
        see_to_what_is_due(tables)
