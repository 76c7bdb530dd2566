"""An installed package of a game that cannot be loaded: it is left out, the log says why, and all else goes on."""

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backroom.engine.game import Refusal, _loaded, find_game, game_names, installed_games
from backroom.tables.service import Tables
from backroom.tables.store import Store
from backroom.tables.views import ChairRequest
from backroom.web import sheets
from backroom.web.app import Settings, create_app

PACKAGES = {
    "missing": ("no_such_module:GAME", None),
    "raising": ("raising_game:GAME", "1 / 0\n"),
    "nameless": ("nameless_game:GAME", "OTHER = 1\n"),
    "no_game": ("no_game_at_all:GAME", "GAME = 'chess'\n"),
    "unreadable": ("unreadable_game:GAME", "GAME = (\n"),
}
"""By name: what the entry point says, and the module that it names (None: there is none)."""


def _forget() -> None:
    for known in (game_names, _loaded, sheets.emblems, sheets.cloths):
        known.cache_clear()


@pytest.fixture(params=PACKAGES)
def broken(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of a game that is installed meanwhile and cannot be loaded."""
    name: str = request.param
    entry, module = PACKAGES[name]
    folder = tmp_path / "packages"
    (folder / f"{name}-1.dist-info").mkdir(parents=True)
    (folder / f"{name}-1.dist-info/METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (folder / f"{name}-1.dist-info/entry_points.txt").write_text(f"[backroom.games]\n{name} = {entry}\n")
    if module is not None:
        (folder / f"{entry.partition(':')[0]}.py").write_text(module)
    monkeypatch.syspath_prepend(folder)
    _forget()
    yield name
    sys.modules.pop(entry.partition(":")[0], None)
    _forget()


def test_it_takes_no_other_game_away(
    broken: str, url: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert broken in game_names()
    with caplog.at_level(logging.ERROR):
        names = [game.name for game in installed_games()]
    assert {"catham", "medici"} <= set(names)
    assert broken not in names
    entries = [record for record in caplog.records if f"game {broken} cannot be loaded" in record.message]
    assert len(entries) == 1
    assert entries[0].exc_info, "the log says where"
    with pytest.raises(Refusal, match="cannot be loaded"):
        find_game(broken)

    client = TestClient(create_app(Settings(url)), raise_server_exceptions=False)
    paths = ("/", "/new", f"{sheets.folder()}/emblems.svg", f"{sheets.folder()}/tokens.css", "/rules/catham")
    assert [client.get(path).status_code for path in paths] == [200] * len(paths)
    assert client.get(f"/rules/{broken}").status_code == 404
    chairs = [{"kind": "you", "name": "Anna"}, {"kind": "friend"}]
    refused = client.post("/tables", json={"game": broken, "chairs": chairs})
    assert (refused.status_code, refused.json()["code"]) == (422, "E_SETUP")
    assert len([record for record in caplog.records if "cannot be loaded" in record.message]) == 1, "once"
    client.app.state.tables.close()  # type: ignore[attr-defined]


def test_its_tables_wait_until_it_is_mended(url: str, broken: str) -> None:
    opened = Tables.open(url)
    token = "anna"
    table = opened.create(token, "catham", [ChairRequest("you", "Anna"), ChairRequest("anybody")])
    with opened.store.write() as t:
        t.change_table(table, game=broken)
    opened.close()
    client = TestClient(create_app(Settings(url)), raise_server_exceptions=False)
    assert client.get("/").status_code == 200
    answer = client.get(f"/t/{table}", headers={"Accept": "text/html"})
    assert answer.status_code == 422
    assert "cannot be loaded" in answer.text
    client.app.state.tables.close()  # type: ignore[attr-defined]
    with Store(url).read() as t:
        assert t.table(table).game == broken
