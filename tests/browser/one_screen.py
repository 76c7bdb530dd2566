"""A table is one screen while the match goes on: what is on it, how large, and that nothing moves by itself."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Response

WATCH = (Path(__file__).parent / "one_screen.js").read_text()
PHONE = 360
DESK = 1400
HEIGHTS = {PHONE: 740, DESK: 900}
FINGER = 44
"""Pixels that a target is high and wide on a phone."""
SHIFT = 0.02
"""So much the largest session window of layout shifts may come to."""


class OneScreen:
    """Looks at every decision of a match on one page, which it must be given before a table is opened there."""

    def __init__(self, page: Page) -> None:
        page.add_init_script(WATCH)
        self.page = page
        self.places: dict[str, Any] = {}
        self.wrong: list[str] = []
        page.on("response", self._came)

    def _came(self, answer: Response) -> None:
        if answer.status >= 400 and "/static/" in answer.url:
            self.wrong.append(f"{answer.status}: {answer.url}")

    def put_away_what_is_taught(self) -> None:
        """The aim, and the hints that follow it: one click each."""
        self.page.locator("[data-put-away=aim]").click()
        hints = self.page.locator("[data-put-away=hints]")
        if hints.is_visible():
            hints.click()

    def look(self, where: str) -> None:
        """At a decision, before anything is chosen."""
        width = (self.page.viewport_size or {})["width"]
        phone = width == PHONE
        must = ["#status h2", ".holding", ".deed", "[data-key=commit]"]
        must += ["#status p", ".cloth", ".sheets", ".holding button:not([aria-disabled])"] if phone else []
        found: dict[str, Any] = self.page.evaluate(
            """([must, least, first]) => ({
              begun: first && oneScreen.begin(),
              thought: oneScreen.think(),
              missing: oneScreen.missing(
                must.filter((name) => !name.includes(" button") || document.querySelector(name))),
              small: least ? oneScreen.small(least) : [],
              places: oneScreen.places(),
              cloth: document.querySelector(".cloth").getBoundingClientRect().height,
            })""",
            [must, FINGER if phone else 0, not self.places],
        )
        self.wrong += [f"{where}: {name} is not on the screen" for name in found["missing"]]
        self.wrong += [f"{where}: small target {name}" for name in found["small"]]
        if found["cloth"] < 150:
            self.wrong.append(f"{where}: {found['cloth']} px of cloth")
        for name, place in found["places"].items():
            before = self.places.setdefault(name, place)
            if before != place:
                self.wrong.append(f"{where}: {name} moved from {before} to {place}")

    def finish(self) -> None:
        """Say all that was wrong."""
        shift = self.page.evaluate("oneScreen.shift()")
        if shift["value"] > SHIFT:
            self.wrong.append(f"layout shift of {shift['value']:.4f}: {shift['what'][:6]}")
        assert not self.wrong, "\n".join(dict.fromkeys(self.wrong))
