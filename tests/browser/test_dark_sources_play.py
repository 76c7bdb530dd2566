"""Dark Sources in the browser: picking two cards, and a player who tries to look back."""

import json
import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, expect

from .conftest import Person, Server
from .steps import gather_people, overflow, send_move

NAMES = ("Anna", "Ben", "Cleo")
Shoot = Callable[[Page, str], None]


def gather(
    server: Server,
    person: Person,
    names: Sequence[str] = NAMES,
    width: int = 1400,
    looking: int | None = None,
    **options: object,
) -> list[Page]:
    return gather_people(server, person, "dark_sources", names, width, looking=looking, **options)


def swap(page: Page, first: str, second: str) -> None:
    """Pick two cards by clicking, in this order, and swap them."""
    expect(page.locator("body")).to_have_class(re.compile("your-turn"))
    for slot in (first, second):
        page.locator(f"[data-key=slot-{slot}]").click()
        expect(page.locator(f"[data-key=slot-{slot}]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-key=commit]")).to_have_text("Swap them")
    page.locator("[data-key=commit]").click()
    expect(page.locator("body")).not_to_have_class(re.compile("your-turn"))


def test_a_player_tries_to_look_back(server: Server, person: Person, shoot: Shoot) -> None:
    anna, ben, cleo = gather(server, person, looking=2)
    pages = anna, ben
    expect(anna.locator(".left .n")).to_have_text("15")
    shoot(anna, "first")
    # Once, everything is seen: the 10 of b5 goes to a1.
    swap(anna, "a1", "b5")
    for page in pages:
        expect(page.locator(".lastline")).to_contain_text("a1")
        expect(page.locator(".lastline b")).to_have_text(["1", "10"])
        expect(page.locator("[data-key=slot-a1]")).to_have_attribute("aria-label", "a1, face down, in the last swap")
        expect(page.locator(".log li[data-move]")).to_have_count(1)
    # The other's card first, then one of one's own.
    swap(ben, "c2", "b3")
    send_move(cleo, anna.url, "swap c3 b4")
    expect(anna.locator("body")).to_have_class(re.compile("your-turn"))
    shoot(anna, "third")

    # Now Anna wants to know again where that 10 is.
    def betrays(text: str) -> bool:
        """Whether a text tells of the first two swaps: their slots together, or what lay there."""
        return bool(re.search(r"swapped\D{0,200}a1|swapped\D{0,200}b3|a1 \(1\)|b3 \(5\)|c2 \(3\)", text))

    table = anna.url
    told = [anna.content(), anna.locator("body").inner_text()]
    for address in ("", "/text", "/view.json", "/log.json"):
        told.append(anna.request.get(table + address).text())
    for text in told:
        assert not betrays(text)
        assert re.search(r"c3", text)
    for address in ("/view.json?move=1", "/view.json?move=2", "/export.json"):
        answer = anna.request.get(table + address)
        assert answer.status >= 400, address
        assert not betrays(answer.text())
    state = json.loads(told[4])["state"]
    assert state["value"] is None
    assert state["shown"][0] == [0, 3, 5, 7, 10]
    assert state["swapped"] == [3, 2, 2, 3]
    assert state["known"] == [5, 7]
    assert anna.request.get(table).headers["cache-control"] == "no-store"

    # Reload; away and back; the log; what the browser itself has kept; what the stream tells.
    anna.reload()
    expect(anna.locator(".log li[data-move]")).to_have_count(1)
    expect(anna.locator(".log li[data-move]")).to_contain_text("Cleo swapped c3")
    length = anna.evaluate("history.length")
    anna.locator("[data-key=slot-a2]").click()
    anna.locator("[data-key=slot-b1]").click()
    assert anna.evaluate("history.length") == length, "choosing cards leaves steps to go back to"
    anna.locator("[data-key=back]").click()
    anna.goto(f"{server.url}/rules/dark_sources")
    anna.go_back()
    expect(anna.locator(".log li[data-move]")).to_have_count(1)
    kept = anna.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert "swap" not in kept
    assert "a1" not in kept
    stream = anna.evaluate(
        """table => new Promise(done => {
            const source = new EventSource(table + '/events');
            source.addEventListener('table', event => { source.close(); done(event.data + event.lastEventId); });
        })""",
        table,
    )
    assert set(json.loads(stream[: stream.index("}") + 1])) == {"table", "ply", "revision"}
    assert not betrays(anna.content())
    anna.locator("label:has(#t-notes)").click()
    expect(anna.locator(".tab-notes .memo")).to_be_visible()
    assert anna.locator("#notes").count() == 0

    # She goes away while the others play on, and comes back: that swap is gone for her as for everybody.
    swap(anna, "a5", "c5")
    anna.goto(f"{server.url}/rules/dark_sources")
    swap(ben, "b1", "c1")
    anna.go_back()
    expect(anna.locator(".log li[data-move]")).to_have_count(1)
    expect(anna.locator(".log li[data-move]")).to_contain_text("Ben swapped b1")
    assert not re.search(r"a5 \(|c5 \(", anna.content())

    # To the end: everything is told, to all.
    send_move(cleo, anna.url, "swap c4 a4")
    swap(anna, "a2", "b2")
    swap(ben, "b5", "a3")
    for page in pages:
        expect(page.locator("body")).to_have_class(re.compile(r"\bover\b"))
        expect(page.locator(".log li[data-move]")).to_have_count(3 + 8 + 1)
        expect(page.locator(".log")).to_contain_text("Anna swapped a1 (")
        expect(page.locator(".tens li")).to_have_count(3)
        assert page.locator(".ranks .bill").count() == 15
    expect(anna.locator(".tens")).to_contain_text("Ben’s 10 from b5 to a1 on swap 1, and stayed with you.")
    shoot(anna, "over")


def test_a_page_the_browser_brings_back_shows_nothing_old(server: Server, person: Person) -> None:
    """What a browser keeps of a page for its back button is the page as `pagehide` has left it."""
    anna, ben, cleo = gather(server, person, looking=1)
    swap(anna, "a1", "b5")
    send_move(ben, anna.url, "swap b1 c5")
    expect(anna.locator(".log li[data-move]")).to_contain_text("Ben swapped b1")
    assert "b1" in anna.locator("main").inner_text()
    anna.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    for hidden in ("swapped", "data-card", "b1", "c5", "card bill"):
        assert hidden not in anna.locator("body").inner_html(), hidden
    send_move(cleo, anna.url, "swap c1 a5")
    anna.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    expect(anna.locator(".log li[data-move]")).to_contain_text("Cleo swapped c1")
    expect(anna.locator("[data-key^=slot-]")).to_have_count(15)
    expect(anna.locator("#status h2")).to_have_text("Your turn")
    swap(anna, "a2", "b2")


def test_other_pages_may_be_kept(server: Server, person: Person) -> None:
    anna, _ = gather(server, person, NAMES[:2], looking=1, memory="open")
    swap(anna, "a1", "b5")
    anna.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    expect(anna.locator(".log")).to_contain_text("You swapped a1")


def test_on_a_phone_by_touch_and_keyboard(server: Server, person: Person, shoot: Shoot) -> None:
    anna, ben = gather(server, person, NAMES[:2], 360)
    assert overflow(anna) == []
    anna.locator("[data-key=slot-a2]").focus()
    anna.keyboard.press("Enter")
    expect(anna.locator("[data-key=slot-a2]")).to_have_attribute("aria-pressed", "true")
    expect(anna.locator("[data-key=slot-a2]")).to_be_focused()
    # Another of one's own instead, then back, then one of theirs.
    anna.locator("[data-key=slot-a3]").press("Enter")
    expect(anna.locator("[data-key=slot-a2]")).to_have_attribute("aria-pressed", "false")
    anna.locator("[data-key=slot-a3]").press("Space")
    expect(anna.locator("[aria-pressed=true].card")).to_have_count(0)
    anna.locator("[data-key=slot-b5]").press("Enter")
    expect(anna.locator(".deed .then")).to_have_text("Now one of your own cards.")
    assert anna.locator(".deed .refused:visible").count() == 0
    anna.locator("[data-key=slot-a1]").press("Enter")
    expect(anna.locator("#mv")).to_have_value("swap a1 b5")
    shoot(anna, "chosen")
    anna.locator("[data-key=commit]").press("Enter")
    expect(ben.locator(".lastline b")).to_have_text(["1", "10"])
    assert overflow(ben) == []
    shoot(ben, "turn")


@pytest.mark.parametrize("memory", ["notes", "open"])
def test_the_other_memories(server: Server, person: Person, shoot: Shoot, memory: str) -> None:
    anna, ben = gather(server, person, NAMES[:2], memory=memory, row="chosen")
    for page, cards in ((anna, (10, 1, 7, 3, 5)), (ben, (1, 3, 5, 7, 10))):
        expect(page.locator("#status h2")).to_have_text("Lay your row")
        for pressed in ("true", "false", "true"):  # chosen, taken back, chosen again
            page.locator(f"[data-key=lay-{cards[0]}]").click()
            expect(page.locator(f"[data-key=lay-{cards[0]}]")).to_have_attribute("aria-pressed", pressed)
        for card in cards[1:4]:  # the fifth lies where there is room left
            page.locator(f"[data-key=lay-{card}]").click()
            expect(page.locator(f"[data-key=lay-{card}]")).to_have_attribute("aria-pressed", "true")
        expect(page.locator("#mv")).to_have_value(f"row {' '.join(map(str, cards))}")
        page.locator("[data-key=commit]").click()
        expect(page.locator("body")).to_have_class(re.compile("waiting"))
    swap(anna, "a1", "b5")
    swap(ben, "b1", "a2")
    expect(anna.locator("body")).to_have_class(re.compile("your-turn"))
    log = anna.locator(".log")
    if memory == "open":
        expect(log).to_contain_text("You swapped a1 (")
        expect(anna.locator("[data-key=slot-a1]")).to_have_attribute("aria-label", "a1, 10, face down")
    else:
        expect(log).to_contain_text("You swapped a1 with Ben's b5.")
        expect(anna.locator("[data-key=slot-a1]")).to_have_attribute("aria-label", "a1, face down")
    shoot(anna, memory)
