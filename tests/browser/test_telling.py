"""Deeds told one at a time: with motion, over a table that is live."""

import re
import uuid

from playwright.sync_api import Page, expect

from .conftest import Person, Server

RECORD = """() => {
  window.seen = [];
  new MutationObserver(() => {
    const words = document.querySelector('.teller p > span')?.textContent;
    const lit = [...document.querySelectorAll('.telling')].map(plate => plate.dataset.key).join();
    if (words && lit && window.seen.at(-1)?.[0] !== words) window.seen.push([words, lit]);
    document.documentElement.dataset.seen = window.seen.length;
  }).observe(document.body, {subtree: true, childList: true, attributes: true});
}"""


STAYS = """() => {
  const real = window.setTimeout;
  window.setTimeout = (then, time, ...more) => real(then, time > 1500 ? 300_000 : time, ...more);
}"""
"""From now on what is told slowly stays until somebody ends it, on however slow a machine."""


def sit_down(page: Page, server: Server, memory: str) -> None:
    chairs = [{"kind": "you", "name": "Anna"}, *({"kind": "bot", "bot": "random"} for _ in range(2))]
    asked = {"game": "dark_sources", "chairs": chairs, "options": {"memory": memory}, "create_id": uuid.uuid4().hex}
    table = page.request.post(f"{server.url}/tables", data=asked).json()["url"]
    page.goto(f"{server.url}{table}")
    expect(page.locator("body")).to_have_class(re.compile("your-turn"))


def swap(page: Page, first: str, second: str) -> None:
    """Swap two cards, and wait until both bots have answered."""
    for slot in (first, second):
        page.locator(f"[data-key=slot-{slot}]").click()
        expect(page.locator(f"[data-key=slot-{slot}]")).to_have_attribute("aria-pressed", "true")
    ply = int(page.locator("body").get_attribute("data-ply") or 0)
    page.locator("[data-key=commit]").click()
    expect(page.locator("body")).to_have_attribute("data-ply", str(ply + 3))


def room(page: Page) -> object:
    """How tall the place of the strip is, on the cloth."""
    return page.evaluate("document.querySelector('.room').getBoundingClientRect().height")


def test_deeds_are_told_one_at_a_time_over_a_live_table(server: Server, person: Person) -> None:
    page = person(motion="no-preference", alone=True)
    sit_down(page, server, "open")
    before = room(page)
    page.evaluate(RECORD)
    swap(page, "a1", "b5")
    cells = page.locator(".sincebar:not([hidden]) [data-deed]")
    expect(cells).to_have_count(2)
    expect(page.locator("html")).to_have_attribute("data-seen", "2")
    expect(page.locator(".teller")).to_have_count(0)
    told = page.evaluate("window.seen")
    assert [plate for _, plate in told] == ["place-1", "place-2"]
    for (words, _), cell in zip(told, cells.locator(".did2").all(), strict=True):
        assert words.startswith(cell.inner_text())
    assert room(page) == before

    # The strip stays, and each deed of it is shown again, until a key or a tap at the table.
    page.evaluate("localStorage.setItem('pace', 'slow')")
    page.evaluate(STAYS)
    page.locator(".sincebar .again").first.click()
    expect(page.locator(".teller .btn")).to_have_text(["Again", "slow", "Skip to my turn"])
    page.locator("[data-tell-end]").click()
    expect(page.locator(".teller")).to_have_count(0)
    page.locator(".sincebar .again").first.click()
    expect(page.locator(".teller")).to_have_count(1)
    page.locator("[data-key=slot-a2]").click()
    expect(page.locator(".teller")).to_have_count(0)
    expect(page.locator("[data-key=slot-a2]")).to_have_attribute("aria-pressed", "true")

    # At once: nothing is told, the strip has all of it.
    page.keyboard.press("Escape")
    page.evaluate("localStorage.setItem('pace', 'at once'); window.seen = []")
    expect(page.locator("[data-key=slot-a2]")).to_have_attribute("aria-pressed", "false")
    swap(page, "a3", "c4")
    expect(cells).to_have_count(2)
    assert page.evaluate("window.seen") == []


def test_what_is_told_once_has_no_strip_and_is_not_shown_again(server: Server, person: Person) -> None:
    page = person(motion="no-preference", alone=True)
    sit_down(page, server, "play")
    page.evaluate(RECORD)
    swap(page, "a1", "b5")
    expect(page.locator("html")).to_have_attribute("data-seen", re.compile("[12]"))
    expect(page.locator(".teller")).to_have_count(0)
    expect(page.locator(".sincebar:not([hidden])")).to_have_count(0)
    expect(page.locator("[data-tell-again]")).to_have_count(0)


def test_under_reduced_motion_there_is_the_strip_alone(server: Server, person: Person) -> None:
    page = person(alone=True)
    sit_down(page, server, "open")
    page.evaluate(RECORD)
    swap(page, "a1", "b5")
    expect(page.locator(".sincebar [data-deed]")).to_have_count(2)
    expect(page.locator(".sincebar .again").first).to_be_hidden()
    assert page.evaluate("window.seen") == []
    # Sounds are off until they are switched on, which this browser keeps.
    sound = page.locator(".bar [data-sound-switch]")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    page.reload()
    expect(sound).to_have_attribute("aria-pressed", "true")
