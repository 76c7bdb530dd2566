"""The page of the regulars at a game, and that the docs have its figures."""

from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backroom.bots.regulars import BELOW_ALL, regulars
from backroom.engine.game import find_game, game_names
from backroom.web.app import Settings, create_app
from backroom.web.opponents import levels_by_word, measured_by, shares_of

DOCS = Path(__file__).parents[1] / "docs" / "levels.md"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(f"sqlite:///{tmp_path / 'tables.sqlite3'}"))) as client:
        yield client


@pytest.mark.parametrize("name", game_names())
def test_the_docs_have_the_strengths_as_they_were_measured(name: str) -> None:
    game, told = find_game(name), DOCS.read_text("utf-8")
    lower = BELOW_ALL
    for word, level in levels_by_word(game):
        if level.wins is not None and level.below is not None:
            figures = [f"{part[0]:.1%} ({part[1]:.1%} to {part[2]:.1%})" for part in (level.wins, level.below)]
            assert f"| {word} `{level.spec}` | {lower} | {figures[0]} | {figures[1]} |" in told
        lower = word
    assert all(command in told for command in measured_by(game))


@pytest.mark.parametrize("name", ["catham", "corporation", "dark_sources", "medici"])
def test_the_regulars_have_a_page_at_every_game(name: str, client: TestClient) -> None:
    game = find_game(name)
    page = client.get(f"/games/{name}/opponents")
    assert page.status_code == 200
    text = unescape(page.text)
    for regular in regulars().values():
        assert regular.manner in text
        assert regular.at(game).weakness in text
        assert f'data-against="{regular.key}"' in page.text
    assert page.text.count("<circle") == len(shares_of(game))
    for command in measured_by(game):
        assert command in page.text
    assert f'/games/{name}/opponents"' in client.get(f"/games/{name}").text
    assert f'/games/{name}/opponents"' in client.get(f"/new?game={name}").text
    assert '/opponents"' in client.get("/").text


def test_one_sits_down_with_whom_one_has_chosen_there(client: TestClient) -> None:
    sent = {"game": "catham", "name": "Ada", "with": "bots", "bots": "3", "opponent": "vera", "strength": "hard"}
    led = client.post("/start", data=sent, follow_redirects=False)
    view = client.get(f"{led.headers['location']}/view.json").json()
    assert view["chairs"][1]["bot"] == "vera:hard"
    assert all(chair["bot"].endswith(":hard") for chair in view["chairs"][1:])
