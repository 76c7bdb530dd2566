"""A whole match a game on a phone, by touch alone: at every decision all that it needs is on the screen."""

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from backroom.engine.game import game_names

from .conftest import Person, Server
from .one_screen import PHONE, OneScreen
from .steps import choose, commit, keyed, state, things_to_click, wait_until_asked
from .test_every_game import sit_down_with_bots


def play_by_touch(page: Page, screen: OneScreen, shoot: Callable[[Page, str], None], most: int = 120) -> None:
    """Play by lot to the end, and look at every decision."""
    source, questions = Random(1), set()
    for number in range(most):
        if wait_until_asked(page) == "over":
            break
        question = page.locator("body").get_attribute("data-question") or ""
        screen.look(f"decision {number}, {question}")
        if question not in questions:
            shoot(page, question)
        if number == 0:
            screen.put_away_what_is_taught()
            look_into_the_sheets(page)
        choose(page, source=source, by_touch=True)
        if question not in questions:
            shoot(page, f"{question}-chosen")
        questions.add(question)
        commit(page, by_touch=True)
    assert state(page) == "over", "the match did not end"
    screen.finish()


def look_into_the_sheets(page: Page) -> None:
    """Each sheet rises over the cloth above hand and button; tab, cross and
    Escape put it away."""
    for name in ("moves", "log", "talk", "rules"):
        tab = page.locator(f"label:has(#s-{name})")
        tab.tap()
        sheet = page.locator("[data-region=side]" if name == "moves" else f".tab-{name}")
        expect(sheet).to_be_visible()
        assert page.evaluate(
            """() => [".holding", "[data-key=commit]"].every(name => {
              const thing = document.querySelector(name), box = thing.getBoundingClientRect();
              return thing.contains(document.elementFromPoint(box.left + box.width / 2, box.bottom - 8));
            })"""
        ), f"{name} covers the hand or the button"
        assert page.evaluate("oneScreen.small(44)") == []
        if name == "log":
            page.keyboard.press("Escape")
        elif name == "talk":
            page.locator(".away").tap()
        else:
            tab.tap()
        expect(sheet).to_be_hidden()
    page.locator(".dots").tap()
    expect(page.locator(".tab-notes, .tab-more").first).to_be_visible()
    page.locator(".away").tap()
    # What is chosen in the list of moves shows in the dock while the list is open.
    page.locator("label:has(#s-moves)").tap()
    keyed(page, things_to_click(page)[0]).tap()
    expect(page.locator("#mv")).not_to_have_value("")
    expect(page.locator("[data-region=side] .opt").first).to_be_visible()
    keyed(page, "back").tap()
    expect(page.locator("#mv")).to_have_value("")
    page.locator(".away").tap()


@pytest.mark.parametrize("game", game_names())
def test_a_whole_match_by_touch(server: Server, person: Person, shoot: Callable[[Page, str], None], game: str) -> None:
    page = person(PHONE, touch=True)
    screen = OneScreen(page)
    sit_down_with_bots(page, server.url, game)
    play_by_touch(page, screen, shoot)
    expect(page.locator(".ranks")).to_be_visible()
