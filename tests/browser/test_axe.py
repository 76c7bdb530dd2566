"""axe-core finds nothing wrong on any kind of page.

A page is looked at on a phone by night or on a desk by day, by turns; with `make test-all` on both.
"""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from backroom.engine.game import find_game, game_names

from .page_kinds import page_kinds

SCHEMES = {360: "dark", 1400: "light"}
FIRST = game_names()[0]
"""With its pages those of the house are looked at, and those that all games share."""


def violations(page: Page) -> list[str]:
    """What axe finds wrong with the page as it is, a line each."""
    found = Axe().run(page).response["violations"]
    return [
        f"{wrong['id']}: {node['html'][:160]} {' '.join(node['failureSummary'].split())[:200]}"
        for wrong in found
        for node in wrong["nodes"]
    ]


@pytest.mark.parametrize("turn", [0, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", game_names())
def test_axe_finds_nothing_wrong(chromium: Browser, tmp_path: Path, game: str, turn: int) -> None:
    wrong: dict[str, list[str]] = {}
    page = chromium.new_page()
    with page_kinds(tmp_path, [find_game(game)], brief=game != FIRST) as (url, kinds):
        for number, kind in enumerate(kinds):
            width = kind.widths[(number + turn) % len(kind.widths)]
            kind.open(page, url, width, SCHEMES[width])
            for line in violations(page):
                wrong.setdefault(line, []).append(f"{kind.name} {width}")
    page.context.close()
    assert not wrong, "\n".join(f"{line} ({len(where)}: {', '.join(where[:3])})" for line, where in wrong.items())
