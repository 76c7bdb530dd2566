"""What holds at the table of every game in the registry; a new one is tested here without a line of its own."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backroom.engine.facts import facts_of
from backroom.engine.game import Game, find_game, game_names
from backroom.engine.match import _packed
from backroom.engine.record import SPECTATOR
from backroom.engine.rng import generator
from backroom.engine.view import determinize
from backroom.tables.service import Tables
from backroom.web.app import Settings, create_app
from sittings import first_move
from toys.bazaar import GAME as BAZAAR

GAMES = [*(find_game(name) for name in game_names()), BAZAAR]
"""All that are installed, and a toy that brings no page of its own."""
pytestmark = pytest.mark.usefixtures("bazaar")
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@pytest.mark.parametrize("game", GAMES[:-1], ids=lambda game: game.name)
def test_a_game_says_how_it_is_played_to_its_end(game: Game) -> None:
    stated = facts_of(game).short
    assert stated is not None, "state `short` in the game's facts.py"
    assert stated.get("seats") in game.seats, "`short` in the game's facts.py: how many seats?"


class Table:
    """A table of people over HTTP, each with a browser; the last browser only watches."""

    def __init__(self, game: Game, folder: Path) -> None:
        app = create_app(Settings(f"sqlite:///{folder / 'tables.sqlite3'}"))
        self.tables: Tables = app.state.tables
        count = min(max(3, game.seats.start), game.seats.stop - 1)
        # What is compressed is padded by chance.
        plain = {"accept-encoding": "identity"}
        self.browsers = [TestClient(app, follow_redirects=False, headers=plain) for _ in range(count + 1)]
        chairs = [{"kind": "you", "name": "Anna"}, *[{"kind": "friend"}] * (count - 1)]
        self.id = self.browsers[0].post("/tables", json={"game": game.name, "chairs": chairs}).json()["table"]
        for number, name in enumerate(["Ben", "Cleo", "Dan"][: count - 1], 1):
            invite = self.browsers[0].get(f"/t/{self.id}/view.json").json()["chairs"][number]["invite"]
            self.browsers[number].post(f"/t/{self.id}/sit", json={"invite": invite, "name": name})
        self.seats = [browser.get(f"/t/{self.id}/view.json").json()["seat"] for browser in self.browsers]

    @property
    def match(self) -> Any:
        return self.tables.lives.at(self.id).match

    def play(self, moves: int) -> None:
        for _ in range(moves):
            seat = self.match.acting[-1]
            browser = self.browsers[self.seats.index(seat)]
            view = self.tables.view(self.id, browser.cookies["backroom"])
            if view.over:
                return
            move = {"move": first_move(view, Random(view.entry)), "ply": view.entry, "move_id": f"move {view.entry}"}
            assert browser.post(f"/t/{self.id}/move", json=move).status_code == 200

    def served(self, browser: TestClient) -> Iterator[tuple[str, int, dict[str, str], bytes]]:
        """Every answer that a browser can ask for without changing anything."""
        drafts = browser.get(f"/t/{self.id}/complete").json().get("next", [])[:2]
        looks = ["", "/text", "/view.json", "/log.json", "/complete", "/export.json", "?prepare=1", "/text?prepare=1"]
        looks += [f"{page}?draft={token['text']}" for token in drafts for page in ("", "/text")]
        looks += [f"/complete?prefix={token['text']}" for token in drafts]
        looks += [f"{page}?move={move}" for page in ("", "/view.json") for move in {0, max(self.match.ply - 1, 0)}]
        for look in looks:
            answer = browser.get(f"/t/{self.id}{look}")
            yield look, answer.status_code, dict(answer.headers), answer.content
        for path in ("/", f"/rules/{self.match.game.name}?table={self.id}"):
            # The form on the front page suggests a name and has an id of its own.
            yield path, 200, {}, browser.get(path).content.partition(b"</form>")[2]
        refused = {"move": "zzz", "ply": self.tables.view(self.id, "nobody").entry, "move_id": "never"}
        for name, sent in (
            ("move", refused),
            ("plan", {"text": "zzz", "ply": refused["ply"]}),
            ("hint", {}),
            ("look-back", {}),
        ):
            answer = browser.post(f"/t/{self.id}/{name}", json=sent)
            assert answer.status_code >= 400
            yield name, answer.status_code, dict(answer.headers), answer.content


@every_game
@pytest.mark.usefixtures("still_clock")
def test_twins_are_served_the_same_over_http(game: Game, tmp_path: Path) -> None:
    """What its reader may not know changes no byte of an answer: the position is exchanged for one that a browser
    cannot tell from it, and everything is asked again.
    """
    table, different = Table(game, tmp_path), 0
    for moves in (2, 4):
        table.play(moves)
        for number, browser in enumerate(table.browsers):
            viewer = SPECTATOR if table.seats[number] is None else table.seats[number]
            list(table.served(browser))  # everybody has looked: presence is the same from now on
            before = list(table.served(browser))
            match, kept = table.match, table.match.state
            imagined = determinize(game, match.view(viewer), viewer, generator(moves, number))
            imagined.chance_key[:] = kept.chance_key
            match.state, match._states[-1] = imagined, _packed(imagined)
            different += imagined.tobytes() != kept.tobytes()
            after = list(table.served(browser))
            match.state, match._states[-1] = kept, _packed(kept)
            assert table.match is match, "the table has forgotten the position that was put there"
            for was, became in zip(before, after, strict=True):
                assert was == became, was[0]
    assert different, "no twin differed, so nothing was tested"
