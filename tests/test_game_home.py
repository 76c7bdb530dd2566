"""The home page of a game: its matchbox leads there, and from there one sits down; also of a game without a page."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backroom.engine.game import Game, installed_games
from backroom.scenes.scene import Figure, misfit
from backroom.scenes.teaching import Picture, teaching_of
from backroom.web import sheets
from backroom.web.app import Settings, create_app

GAMES = installed_games()
PAGE = {"accept": "text/html"}


@pytest.fixture
def client(bazaar: Game, tmp_path: Path) -> Iterator[TestClient]:
    """Somebody at a server that has the games and one of another package."""
    with TestClient(create_app(Settings(f"sqlite:///{tmp_path / 'tables.sqlite3'}"))) as client:
        yield client


def form_of(page: str) -> dict[str, str]:
    """The form for sitting down as it is sent by a browser without script."""
    form = page[page.index('<form class="start') :]
    form = form[: form.index("</form>")]
    fields = dict(re.findall(r'<input[^>]* name="(\w+)"[^>]* value="([^"]*)"', form))
    chosen = re.search(r'<select name="(\w+)">.*?value="(\w+)" selected', form)
    assert chosen is not None
    return fields | {chosen[1]: chosen[2]}


@pytest.mark.parametrize("name", [*(game.name for game in GAMES), "bazaar"])
def test_a_matchbox_leads_to_a_home_where_one_button_sits_one_down(client: TestClient, name: str) -> None:
    assert 'class="box cloth-' in client.get("/").text
    assert f'href="/games/{name}"' in client.get("/").text
    page = client.get(f"/games/{name}").text
    assert f'href="/rules/{name}"' in page
    assert f'href="/new?game={name}"' in page
    assert "style=" not in page, "the content policy forbids it"
    fields = form_of(page)
    assert fields["game"] == name
    sat = client.post("/start", data=fields, headers=PAGE, follow_redirects=False)
    assert sat.status_code == 303
    table = client.get(sat.headers["location"] + "/view.json").json()
    assert table["started"]
    assert len(table["chairs"]) == int(fields["bots"]) + 1 == page.count('<svg class="mark"')
    assert sat.headers["location"] in client.get(f"/games/{name}").text, (
        "one's tables are listed on the home of the game"
    )
    others = [game.name for game in GAMES if game.name != name]
    assert sat.headers["location"] not in client.get(f"/games/{others[0]}").text


def test_an_open_chair_and_a_variant_are_offered(client: TestClient) -> None:
    with TestClient(client.app) as other:
        made = other.post("/start", data={"game": "catham", "with": "anybody", "name": "Ben"}, follow_redirects=False)
    assert made.status_code == 303
    page = client.get("/games/catham").text
    assert 'href="/join/' in page
    assert 'href="/join/' not in client.get("/games/medici").text
    preset = re.search(r'href="/new\?game=catham&amp;preset=(\w+)"', page)
    assert preset is not None
    assert preset[1] == "calm", "the first one that changes a rule"
    assert "officials" in page[preset.start() - 1500 : preset.start()], "with the cats of the set"


def test_ones_tables_tell_their_round_the_points_and_how_strong_the_bots_are(client: TestClient) -> None:
    chairs = [{"kind": "you", "name": "Anna"}, {"kind": "friend"}, {"kind": "bot", "bot": "lena:hard"}]
    asked = {"game": "corporation", "chairs": chairs}
    table = client.post("/tables", json=asked).json()["url"]
    assert "Waiting for company" in client.get("/").text
    with TestClient(client.app) as other:
        invite = client.get(f"{table}/view.json").json()["chairs"][1]["invite"]
        other.post(f"{table}/sit", json={"invite": invite, "name": "Ben"})
        assert "Anna, Lena (hard)" in other.get("/").text
        assert "round 1, Anna 0, you 0, Lena 0" in other.get("/").text
    listed = client.get("/games/corporation").text
    assert "Ben, Lena (hard)" in listed
    assert "round 1, you 0, Ben 0, Lena 0" in listed


def test_a_game_that_is_not_installed_has_no_home(client: TestClient) -> None:
    assert client.get("/games/chess", headers=PAGE).status_code == 404


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_three_pictures_of_a_turn_are_drawn_from_the_emblems(game: Game) -> None:
    pictures = teaching_of(game).PICTURES
    assert not misfit(pictures, tuple[Picture, ...], "PICTURES")
    assert len(pictures) == 3
    drawn = set(re.findall(r'<symbol id="([^"]+)"', sheets.emblems()))
    for picture in pictures:
        assert {figure.symbol for figure in picture.art} <= drawn
        assert picture.text.endswith(".")
        for it in picture.art:
            assert inside(it), it


def inside(it: Figure) -> bool:
    """Whether a figure stands on the label."""
    return it.x >= 0 and it.y >= 0 and it.x + it.width <= 260 and it.y + (it.height or it.width) <= 121


@pytest.mark.parametrize("game", installed_games(), ids=lambda game: game.name)
def test_every_game_offers_a_variant_that_the_lobby_takes(client: TestClient, game: Game) -> None:
    page = client.get(f"/games/{game.name}").text
    link = re.search(r'href="(/new\?[^"]*)">Set it up</a></div></section>', page)
    assert link is not None
    lobby = client.get(link[1].replace("&amp;", "&"))
    assert lobby.status_code == 200
    assert " changed</span>" in lobby.text or "preset" in link[1]
