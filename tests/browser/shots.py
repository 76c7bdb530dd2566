"""Screenshots of every kind of page at both widths, by day and night: `make shots`, or ``python -m browser.shots``."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Literal

from playwright.sync_api import sync_playwright

from backroom.engine.game import find_game, game_names

from .conftest import chromium_path
from .page_kinds import page_kinds

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def main(folder: Path, games: list[str]) -> None:
    """Draw them into a folder; of some games only, if any are named."""
    folder.mkdir(parents=True, exist_ok=True)
    begun, drawn = monotonic(), 0
    with TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path())
        page = browser.new_page()
        with page_kinds(Path(place), [find_game(game) for game in games or game_names()]) as (url, kinds):
            for kind in kinds:
                for width in kind.widths:
                    kind.open(page, url, width, SCHEMES[0])
                    for scheme in SCHEMES:
                        page.emulate_media(color_scheme=scheme)
                        page.screenshot(path=folder / f"{kind.name}-{width}-{scheme}.png", full_page=True)
                        drawn += 1
                print(f"\r{drawn:4} screenshots, {monotonic() - begun:4.0f} s: {kind.name:40}", end="", flush=True)
        browser.close()
    print(f"\r{drawn} screenshots in {monotonic() - begun:.0f} s, in {folder}/{'':30}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
