"""Works at 360 and 1400 px, by day and night, by keyboard alone, without motion, and for a screen reader."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .conftest import Person, Server
from .steps import choose, commit, nameless, open_lobby_table, overflow, sit_down_against_bots, state, wait_until_asked

CONTRAST = (Path(__file__).parent / "contrast.js").read_text()
"""Text nodes whose contrast as rendered is under WCAG's AA, and letters under 9.5 px."""


def look(page: Page, where: str) -> None:
    """Everything cheap that can be wrong with how a page is drawn."""
    assert overflow(page) == [], where
    assert nameless(page) == [], where
    assert page.evaluate(CONTRAST) == [], where
    assert page.evaluate("document.querySelectorAll('main').length") == 1, where
    assert page.locator("a.skip").count() == 1, where


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1400])
def test_every_page_at_both_widths_by_day_and_night(
    server: Server, person: Person, shoot: Callable[[Page, str], None], width: int, scheme: str
) -> None:
    page = person(width, scheme)
    page.goto(server.url)
    look(page, "home")
    shoot(page, "home")
    page.goto(f"{server.url}/new?game=catham")
    page.locator("details.more summary").click()
    look(page, "lobby")
    shoot(page, "lobby")
    page.goto(f"{server.url}/rules/catham?q=market&at=C3")
    look(page, "rules")
    shoot(page, "rules")
    open_lobby_table(page, server.url, "Anna", ["a friend, by link", "gentle bot"])
    look(page, "chairs")
    shoot(page, "chairs")
    friend = person(width, scheme)
    friend.goto(page.locator("#invite-1").input_value())
    look(friend, "join")
    shoot(friend, "join")
    friend.get_by_label("What shall they call you?").fill("Ben")
    friend.get_by_role("button", name="Sit down").click()
    wait_until_asked(page)
    look(page, "table")
    look(friend, "waiting")
    shoot(friend, "waiting")
    choose(page)
    look(page, "chosen")
    shoot(page, "chosen")
    page.goto(f"{page.url}/text")
    look(page, "text")
    shoot(page, "text")
    watcher = person(width, scheme)
    watcher.goto(friend.url)
    look(watcher, "watching")
    shoot(watcher, "watching")
    watcher.goto(f"{server.url}/t/nowhere")
    look(watcher, "error")
    shoot(watcher, "error")


def focus_by_tab(page: Page, wanted: str, most: int = 80) -> None:
    """Press Tab until what is focused matches the selector."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", wanted):
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            marked = page.evaluate("getComputedStyle(document.activeElement.parentElement).outlineStyle")
            assert "none" not in (outline, marked) or outline != "none" or marked != "none", "focus cannot be seen"
            return
    raise AssertionError(f"Tab never reaches {wanted}")


def test_a_game_is_started_and_played_by_keyboard_alone(server: Server, person: Person) -> None:
    page = person()
    page.goto(server.url)
    focus_by_tab(page, "a.skip")
    focus_by_tab(page, "input[name=name]")
    page.keyboard.type("Anna")
    focus_by_tab(page, "input[name=with]")
    focus_by_tab(page, "select[name=bots]")
    page.keyboard.press("ArrowUp")
    focus_by_tab(page, "select[name=strength]")
    page.keyboard.press("ArrowUp")
    focus_by_tab(page, "button[type=submit]")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/t/"))
    for _ in range(3):
        if wait_until_asked(page) == "over":
            return
        ply = page.locator("body").get_attribute("data-ply")
        focus_by_tab(page, "button.opt")
        page.keyboard.press("Enter")
        expect(page.locator("#mv")).not_to_have_value("")
        while page.locator("[data-key=commit]").get_attribute("aria-disabled"):
            before = page.locator("#mv").input_value()
            focus_by_tab(page, ".nexts button")
            page.keyboard.press("Space")
            expect(page.locator("#mv")).not_to_have_value(before)
        focus_by_tab(page, "[data-key=commit]")
        page.keyboard.press("Enter")
        expect(page.locator("body")).not_to_have_attribute("data-ply", ply or "")
        # Focus is not thrown away with the form that had it.
        assert page.evaluate("document.activeElement !== document.body")


def test_choosing_keeps_the_focus_where_it_was(server: Server, person: Person) -> None:
    page = person()
    sit_down_against_bots(page, server.url)
    wait_until_asked(page)
    stack = page.locator(".stack button").first
    key = stack.get_attribute("data-key")
    stack.focus()
    page.keyboard.press("Enter")
    expect(stack).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.activeElement.dataset.key") == key


def test_what_cannot_be_done_says_why_and_can_be_reached(server: Server, person: Person) -> None:
    page = person()
    sit_down_against_bots(page, server.url)
    wait_until_asked(page)
    impossible = page.locator(".opt.no").first
    assert re.search(r"need|hold", impossible.inner_text())
    assert impossible.get_attribute("aria-disabled") == "true"
    focus_by_tab(page, ".opt.no")


def test_the_turn_is_announced(server: Server, person: Person) -> None:
    anna, ben = person(), person()
    open_lobby_table(anna, server.url, "Anna", ["a friend, by link"])
    ben.goto(anna.locator("#invite-1").input_value())
    ben.get_by_label("What shall they call you?").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    wait_until_asked(anna)
    assert ben.locator("#status").get_attribute("aria-live") == "polite"
    assert ben.locator("ol.log").get_attribute("role") == "log"
    assert ben.title().startswith("Anna is thinking")
    ben.evaluate(
        """() => { window.said = []; new MutationObserver(() => said.push(document.getElementById('status').innerText))
            .observe(document.getElementById('status'), {childList: true, subtree: true, characterData: true}) }"""
    )
    choose(anna)
    commit(anna)
    wait_until_asked(ben)
    assert any("Your turn" in text or "asks you" in text or "leans on you" in text for text in ben.evaluate("said"))
    assert "favicon.svg" in (ben.locator("#icon").get_attribute("href") or "")
    assert ben.title().startswith("Your turn") or "you" in ben.title()


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_cards_travel_unless_motion_is_reduced(server: Server, person: Person, motion: str, moves: bool) -> None:
    page = person(motion=motion)
    sit_down_against_bots(page, server.url)
    wait_until_asked(page)
    page.evaluate(
        """() => {
          window.travelled = [];
          const start = document.startViewTransition.bind(document);
          const named = () => [...document.querySelectorAll('[data-card]')].filter(e => e.style.viewTransitionName);
          document.startViewTransition = change => start(() => { change(); travelled.push(named().length); });
        }"""
    )
    page.locator(".stack button").first.click()
    commit(page)
    wait_until_asked(page)
    travelled = page.evaluate("travelled")
    assert (max(travelled, default=0) > 0) == moves
    page.wait_for_timeout(600)
    assert page.evaluate("[...document.querySelectorAll('[data-card]')].every(e => !e.style.viewTransitionName)")


def test_day_and_night_are_kept_on_this_device(server: Server, person: Person) -> None:
    page = person()
    page.goto(server.url)
    day = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Day or night").click()
    night = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert night != day
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == night


def test_text_mode_plays_a_move(server: Server, person: Person) -> None:
    page = person(360)
    sit_down_against_bots(page, server.url)
    wait_until_asked(page)
    page.goto(f"{page.url}/text")
    first = page.locator("ol.moves code").first.inner_text()
    page.locator("#mv").fill(first)
    expect(page.locator("#rd")).to_contain_text("Reads well")
    ply = page.locator("body").get_attribute("data-ply")
    page.locator("#mv").press("Enter")
    expect(page.locator("body")).not_to_have_attribute("data-ply", ply or "")
    expect(page.locator("#log")).to_contain_text("You")
    assert state(page) in ("your-turn", "waiting")
