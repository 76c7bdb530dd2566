"""Watching a table, getting a chair there, and being told of one's turn."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from .conftest import Person, Server
from .steps import gather_people, overflow, state, type_move

NOTES = """
window.notes = [];
window.asked = 0;
window.away = false;
Object.defineProperty(document, "hidden", { get: () => window.away });
window.Notification = class {
  constructor(title) { window.notes.push(title); }
  static permission = "default";
  static async requestPermission() { window.asked += 1; return (Notification.permission = "granted"); }
};
"""


def test_a_watcher_follows_asks_and_is_given_a_chair(server: Server, person: Person, shoot) -> None:
    anna, ben, cleo = gather_people(server, person, "catham", ["Anna", "Ben", "Cleo"])
    eve = person(360, "dark")
    eve.goto(anna.url)
    expect(eve.locator(".crowd")).to_contain_text("you")
    expect(anna.locator(".looking").filter(visible=True)).to_have_text("1 watching: a guest")
    eve.get_by_role("button", name="Follow this table").click()
    expect(eve.get_by_role("button", name="Unfollow")).to_be_visible()
    eve.locator("label:has(#s-moves)").click()  # on a phone what one can do is a sheet
    eve.get_by_text("Ask for a chair").click()
    eve.get_by_label("What shall they call you?").fill("Eve")
    eve.get_by_role("button", name="Ask", exact=True).click()
    expect(eve.get_by_text("the players see that Eve asks for a chair")).to_be_visible()
    assert not overflow(eve)
    shoot(eve, "asks")
    expect(anna.get_by_role("heading", name="Eve asks for a chair")).to_be_visible()
    expect(anna.locator(".looking").filter(visible=True)).to_have_text("1 watching: Eve")

    home = eve.context.new_page()
    home.goto(server.url)
    row = home.locator("#tables li")
    expect(row).to_contain_text("you watch")
    expect(row.get_by_role("link", name="Look in")).to_have_attribute("href", re.compile("/t/"))
    home.close()

    ben.request.post(f"{ben.url}/leave", data={})
    expect(anna.get_by_text("Give Eve Ben’s chair")).to_be_visible()
    shoot(anna, "asked")
    anna.get_by_role("button", name="Give Eve Ben’s chair").click()
    expect(anna.get_by_role("heading", name="Ben’s chair for Eve?")).to_be_visible()
    expect(cleo.get_by_role("heading", name="Ben’s chair for Eve?")).to_be_visible()
    shoot(cleo, "giving")
    cleo.get_by_role("button", name="Agree", exact=True).click()
    # Her page becomes a player's by itself, with all that one has.
    expect(eve.locator("#mine .who")).to_contain_text("Ben you")
    expect(eve.locator("#say")).to_have_count(1)
    assert state(eve) in ("your-turn", "waiting")
    expect(ben.locator("body")).to_have_class(re.compile("watching"))
    expect(ben.locator("#say")).to_have_count(0)
    ben.get_by_role("button", name="Leave").click()
    ben.wait_for_url(f"{server.url}/")


def test_a_page_in_the_background_says_when_it_is_ones_turn(server: Server, person: Person) -> None:
    anna, ben = gather_people(server, person, "catham", ["Anna", "Ben"], alone=True)
    waits, moves = (anna, ben) if state(ben) == "your-turn" else (ben, anna)
    waits.add_init_script(NOTES)
    other = waits.context.new_page()  # once the page is loaded anew, this one holds the browser's stream
    other.goto(waits.url)
    expect(other.locator("[data-line]")).to_have_text(re.compile("here"))
    waits.reload()

    def take(mover: Page, waiter: Page) -> None:
        """The mover takes one card, so that the other is asked and no hand gets too large."""

        def complete(prefix: str) -> dict[str, Any]:
            return dict(mover.request.get(f"{mover.url}/complete", params={"prefix": prefix}).json())

        cats = f"take {complete('take')['next'][0]['text']}"
        type_move(mover, f"{cats} x1" if complete(f"{cats} x1")["whole"] else cats)
        expect(waiter.locator("body")).to_have_class(re.compile("your-turn"))

    waits.evaluate("away = true")
    take(moves, waits)
    assert waits.evaluate("[notes.length, asked]") == [0, 0], "nothing is said, or asked for, without a click"
    waits.evaluate("away = false")
    take(waits, moves)
    waits.get_by_text("Tell me here").click()
    expect(waits.locator("[data-tell-state]")).to_have_text("on")
    take(moves, waits)
    assert waits.evaluate("notes.length") == 0, "who looks at the page needs not be told"
    take(waits, moves)
    waits.evaluate("away = true")
    take(moves, waits)
    assert waits.evaluate("notes") == ["Your turn at Catham City"]
    moves.request.post(f"{moves.url}/talk", data={"text": "your move"})
    expect(waits.locator(".talk")).to_contain_text("your move")
    assert waits.evaluate("notes.length") == 1, "once for each time"
    waits.reload()
    assert waits.evaluate("notes") == []
