"""The emblems and cloths that games bring, as every page loads them."""

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient

from backroom.engine.game import Game, find_game, game_names, installed_games
from backroom.scenes.default import DefaultTable
from backroom.web import sheets
from backroom.web.app import Settings, create_app
from backroom.web.drawing import environment
from backroom.web.table_page import box_of
from toys.bazaar import GAME as BAZAAR

WEB = Path(sheets.__file__).parent
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def anew() -> Iterator[None]:
    """The sheets are made anew, and again after the test."""
    made = (sheets.emblems, sheets.cloths, sheets.folder)
    for one in made:
        one.cache_clear()
    yield
    for one in made:
        one.cache_clear()


@pytest.fixture
def brings(bazaar: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anew: None) -> Path:
    """The folder of a game that is installed, which a test can put files into."""
    folder, file = tmp_path / "bazaar", Game.file
    folder.mkdir()
    monkeypatch.setattr(Game, "file", lambda game, name: folder / name if game is bazaar else file(game, name))
    return folder


def names(sheet: str) -> list[str]:
    return [symbol.attrib["id"] for symbol in ElementTree.fromstring(sheet).findall(f"{SVG}symbol")]


def test_every_drawing_that_a_page_names_is_sent_once() -> None:
    sent = names(sheets.emblems())
    assert len(sent) == len(set(sent))
    folders = [WEB, *(Path(str(find_game(game).file("."))) for game in game_names())]
    texts = [file.read_text("utf-8") for folder in folders for file in folder.rglob("*.html")]
    drawn = set(re.findall(r"emblems\.svg#([\w-]+)[\"']", "".join(texts) + (WEB / "templates/poster.svg").read_text()))
    drawn |= {figure.symbol for game in installed_games() for figure in box_of(game).art}
    drawn |= {box_of(game).emblem.symbol for game in installed_games()}
    assert {"cat-m", "rank-D", "coin-7"} <= drawn
    assert drawn <= set(sent), drawn - set(sent)


def test_every_game_has_its_cloth() -> None:
    for game in installed_games():
        assert f".cloth-{box_of(game).cloth}{{" in sheets.cloths()


def test_a_game_from_elsewhere_brings_drawings_and_a_cloth(brings: Path, tmp_path: Path) -> None:
    (brings / "emblems.svg").write_text(f'<svg xmlns="{SVG[1:-1]}">\n<symbol id="stall"><path/></symbol></svg>')
    (brings / "cloth.css").write_text(".cloth-bazaar{--cloth:#123456}\n")
    client = TestClient(create_app(Settings(f"sqlite:///{tmp_path}/tables.sqlite3")))
    answer = client.get(f"{sheets.folder()}/emblems.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "set-cookie" not in answer.headers
    assert {"stall", "lamp-on", "cat-j"} <= set(names(answer.text))
    tag = answer.headers["etag"]
    for known in (tag, f"W/{tag}", f'"another", {tag}'):
        again = client.get(f"{sheets.folder()}/emblems.svg", headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b""), known
    assert client.get(f"{sheets.folder()}/emblems.svg", headers={"If-None-Match": '"another"'}).status_code == 200
    cloths = client.get(f"{sheets.folder()}/tokens.css")
    assert cloths.headers["content-type"].startswith("text/css")
    assert ".cloth-bazaar{--cloth:#123456}" in cloths.text
    assert ".cloth-catham{" in cloths.text
    assert DefaultTable(BAZAAR).BOX.cloth == "bazaar"


def test_no_game_changes_anothers_drawings(brings: Path, caplog: pytest.LogCaptureFixture) -> None:
    (brings / "emblems.svg").write_text(
        f'<svg xmlns="{SVG[1:-1]}"><symbol id="lamp-on"><path/></symbol><symbol id="stall"><path/></symbol></svg>'
    )
    with caplog.at_level(logging.ERROR):
        sent = sheets.emblems()
    assert names(sent).count("lamp-on") == 1
    assert "stall" in names(sent)
    assert "lamp-on" in caplog.text
    assert '<symbol id="lamp-on"><path/>' not in sent


def test_a_browser_keeps_every_file_for_a_year_under_the_name_of_what_is_in_it(
    brings: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed file is asked for by another name; the old name gives what there is now, and is not kept for long."""
    client = TestClient(create_app(Settings(f"sqlite:///{tmp_path}/tables.sqlite3")))
    page = client.get("/new?game=catham").text
    old = sheets.folder()
    drawn = set(re.findall(r"/static/[0-9a-f]{16}(?=/)", page))
    assert len(drawn) == 1, "a page has one folder"
    assert drawn == {environment().globals["static"]}
    files = ["emblems.svg", "tokens.css", "table.js", "games/catham/table.css", "games/bazaar/table.css"]
    year = "public, max-age=31536000, immutable"
    assert {client.get(f"{old}/{file}").headers["cache-control"] for file in files} == {year}
    (brings / "table.css").write_text(".stall{color:red}")
    sheets.folder.cache_clear()
    assert sheets.folder() != old
    assert {client.get(f"{old}/{file}").headers["cache-control"] for file in files} == {"max-age=300"}
    assert client.get(f"{old}/games/bazaar/table.css").text == ".stall{color:red}"
    for name in ("nothing.js", "../app.py", "games/nothing/table.css"):
        assert client.get(f"{sheets.folder()}/{name}").status_code in (400, 404), name
    assert client.get("/static/table.js").status_code == 404


def test_files_are_sent_without_their_comments_and_are_else_as_they_are(tmp_path: Path) -> None:
    client = TestClient(create_app(Settings(f"sqlite:///{tmp_path}/tables.sqlite3")))
    for file in (WEB / "static").iterdir():
        if file.name in ("emblems.svg", "tokens.css"):
            continue
        lines = file.read_text("utf-8").splitlines()
        sent = client.get(f"{sheets.folder()}/{file.name}").text.splitlines()
        if file.suffix == ".js":
            lines = [line for line in lines if not line.lstrip().startswith("//")]
        if file.suffix == ".css":
            assert "/*" not in "".join(sent)
            lines = [line for line in lines if line in sent]
        assert lines, file.name
        assert [line for line in sent if line in lines] == lines, file.name
