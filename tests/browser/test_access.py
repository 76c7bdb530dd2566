"""Works at 360 and 1400 px, by day and night, by keyboard alone, without motion, and for a screen reader."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from .conftest import Person, Server
from .steps import (
    choose,
    commit,
    expect_state,
    focus_by_tab,
    gather_people,
    look_both_ways,
    open_lobby_table,
    sit_down_against_bots,
    state,
    wait_until_asked,
)


def test_the_pages_around_a_table_at_both_widths_by_day_and_night(
    server: Server, person: Person, shoot: Callable[[Page, str], None]
) -> None:
    """Those of the games are looked at in test_every_game.py."""
    page, friend = person(), person()
    page.goto(server.url)
    look_both_ways(page, "home", shoot)
    open_lobby_table(page, server.url, "Anna", ["a friend, by link", "gentle bot"])
    look_both_ways(page, "chairs", shoot)
    friend.goto(page.locator("#invite-1").input_value())
    look_both_ways(friend, "join", shoot)
    friend.goto(f"{server.url}/t/nowhere")
    look_both_ways(friend, "error", shoot)


def test_choosing_keeps_the_focus_where_it_was(server: Server, person: Person) -> None:
    page = person()
    sit_down_against_bots(page, server.url)
    wait_until_asked(page)
    # Each stack in turn, those of a single card too.
    for key in page.locator(".stack button").evaluate_all("all => all.map(stack => stack.dataset.key)"):
        stack = page.locator(f"[data-key={key}]")
        stack.focus()
        page.keyboard.press("Enter")
        expect(stack).to_have_attribute("aria-pressed", "true")
        assert page.evaluate("document.activeElement.dataset.key") == key


def test_the_focus_lands_in_one_place_after_each_kind_of_action(server: Server, person: Person) -> None:
    """After a choice on what was chosen, after what is put back on the move, after a move on the ticket."""
    page = person()
    sit_down_against_bots(page, server.url)
    wait_until_asked(page)
    page.locator("[data-put-away=aim]").press("Enter")
    expect(page.locator("#mine")).to_be_focused()
    card = page.locator("#mine button[data-about]").first
    expect(card).to_have_accessible_name(re.compile(", [0-9]+ in your hand$"))
    expect(card).to_have_accessible_description(re.compile("."))
    choose(page)
    page.locator("[data-key=back]").press("Enter")
    expect(page.locator("#mv")).to_have_value("")
    expect(page.locator("[data-key=commit]")).to_be_focused()
    for _ in range(2):
        wait_until_asked(page)
        choose(page)
        ply = page.locator("body").get_attribute("data-ply") or ""
        page.locator("[data-key=commit]").press("Enter")
        expect(page.locator("body")).not_to_have_attribute("data-ply", ply)
        expect(page.locator("#status")).to_be_focused()
    wait_until_asked(page)
    keys = page.locator(".bar [data-show-keys]")
    keys.press("Enter")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(keys).to_be_focused()


def test_the_keys_are_listed_under_a_question_mark(server: Server, person: Person) -> None:
    page = person()
    sit_down_against_bots(page, server.url)
    wait_until_asked(page)
    page.locator("#mv").press("?")
    expect(page.locator("#keys")).to_be_hidden()
    page.locator("#mv").fill("")
    page.locator("#status").focus()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


ANSWERED_AT_ONCE = """() => {
  const real = window.fetch, around = location.pathname;
  window.fetch = async (url, options) => {
    if ((options?.method ?? "GET") === "GET") for (;;) {
      const view = await (await real(`${around}/view.json`)).json();
      if (view.over || view.acting.includes(view.seat)) break;
      await new Promise((done) => setTimeout(done, 100));
    }
    return real(url, options);
  };
  window.told = 0;
  for (const place of [document.getElementById("status"), document.querySelector("[data-again]")])
    new MutationObserver(() => (told += place.textContent !== ""))
      .observe(place, {childList: true, subtree: true, characterData: true});
}"""
"""From now on the page is drawn only when one is asked again, as if others took no time. What is said is counted."""


def test_ones_turn_is_said_again_when_the_others_have_answered_at_once(server: Server, person: Person) -> None:
    page = person()
    sit_down_against_bots(page, server.url, bots="one")
    wait_until_asked(page)
    page.evaluate(ANSWERED_AT_ONCE)
    for _ in range(2):
        choose(page)
        before, told = page.evaluate("[document.body.dataset.ply, window.told]")
        commit(page)
        page.wait_for_function("ply => document.body.dataset.ply !== ply", arg=before)
        page.wait_for_function("told => window.told > told", arg=told)


def test_what_cannot_be_done_says_why_and_can_be_reached(server: Server, person: Person) -> None:
    page = person()
    sit_down_against_bots(page, server.url)
    wait_until_asked(page)
    impossible = page.locator(".opt.no").first
    assert re.search(r"need|hold", impossible.inner_text())
    assert impossible.get_attribute("aria-disabled") == "true"
    focus_by_tab(page, ".opt.no")


def test_the_turn_is_announced(server: Server, person: Person) -> None:
    anna, ben = gather_people(server, person, "catham", ["Anna", "Ben"])
    expect_state("waiting", ben)
    assert ben.locator("#status").get_attribute("aria-live") == "polite"
    assert ben.locator("[role=log] > ol.log").count() == 1
    assert ben.title().startswith("Anna is thinking")
    ben.evaluate(
        """() => { window.said = []; new MutationObserver(() => said.push(document.getElementById('status').innerText))
            .observe(document.getElementById('status'), {childList: true, subtree: true, characterData: true}) }"""
    )
    ben.evaluate(
        """() => { window.again = []; const log = document.querySelector('ol.log');
            const known = new Set([...log.children].map((entry) => entry.dataset.key));
            new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((entry) =>
                known.has(entry.dataset?.key) && again.push(entry.dataset.key)))).observe(log, {childList: true}) }"""
    )
    choose(anna)
    commit(anna)
    wait_until_asked(ben)
    assert ben.evaluate("again") == [], "entries that stood in the log are read again"
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
    expect(page.locator("[data-card][style*=view-transition-name]")).to_have_count(0)


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
