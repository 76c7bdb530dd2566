"""A plain network and a page whose own script fails: no https, no clipboard, no luck, and still a move is made."""

import re
from functools import partial

import pytest
from playwright.sync_api import Page, Route, expect

from .conftest import Person, Server, plain_url
from .steps import choose, commit, gather_people, open_lobby_table, sit_down_against_bots, state, wait_until_asked


def secure(page: Page) -> bool:
    found: bool = page.evaluate("window.isSecureContext")
    return found


def test_moves_talk_and_notes_over_plain_http(server: Server, person: Person) -> None:
    """Each of them sends an id of its own, which browsers make by themselves on secure origins only."""
    anna, ben = gather_people(server, person, "catham", ["Anna", "Ben"], plain=True)
    assert not secure(anna)
    wait_until_asked(anna)
    choose(anna)
    commit(anna)
    assert wait_until_asked(ben) == "your-turn"
    ben.locator("label:has(#t-talk)").click()
    ben.get_by_label("Say to the table").fill("Nobody needs https at home.")
    ben.get_by_label("Say to the table").press("Enter")
    expect(anna.locator(".talk q")).to_have_text("Nobody needs https at home.")
    anna.get_by_role("button", name="Ask to take it back").click()
    ben.get_by_role("button", name="No", exact=True).click()
    expect(anna.locator(".side")).not_to_contain_text("You ask to take it back")
    anna.locator("label:has(#t-notes)").click()
    anna.locator("#notes").fill("Ben trusts networks")
    anna.get_by_role("button", name="Keep").click()
    expect(anna.get_by_role("button", name="Kept")).to_be_visible()
    # What only a secure origin is allowed says so.
    expect(anna.locator("[data-tell-words]")).to_contain_text("https://")


def test_a_link_is_copied(origin: str, person: Person) -> None:
    page = person()
    if origin.startswith("http://127"):
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_lobby_table(page, origin, "Anna", ["a friend, by link"])
    link = page.locator("#invite-1").input_value()
    page.locator("[data-copy=invite-1]").click()
    expect(page.locator("[data-copy=invite-1]")).to_have_text("Copied")
    # What was copied, as it is pasted.
    page.goto(f"{origin}/new?game=catham")
    page.locator("[name=title]").fill("")
    page.locator("[name=title]").press("Control+v")
    assert page.locator("[name=title]").input_value() == link[:80]


def test_a_link_that_cannot_be_copied_is_selected_and_the_keys_are_named(server: Server, person: Person) -> None:
    page = person(alone=True)
    page.add_init_script("document.execCommand = () => false")
    open_lobby_table(page, plain_url(server), "Anna", ["a friend, by link"])
    assert not secure(page)
    page.locator("[data-copy=invite-1]").click()
    expect(page.locator("[data-copy=invite-1]")).to_have_text("Press Ctrl+C")
    assert page.evaluate("getSelection().toString()") == page.locator("#invite-1").input_value()


def throwing(function: str) -> str:
    """A script after which a function of the browser's throws, from when `strike` says so."""
    return f"""{{ const real = {function}; {function} = function (...all) {{
        if (window.struck) throw new Error('struck by lightning');
        return real.apply(this, all);
    }} }}"""


def strike(page: Page) -> None:
    page.evaluate("window.struck = true")


def go_on_without_script(page: Page) -> None:
    page.locator("[data-trouble] a").click()
    expect(page.locator(".unscripted")).to_be_visible()
    assert page.locator("script").count() == 0


@pytest.mark.parametrize(
    ("function", "path"),
    [
        ("DOMParser.prototype.parseFromString", ""),
        ("Crypto.prototype.getRandomValues", ""),
        ("Crypto.prototype.getRandomValues", "/text"),
    ],
)
def test_a_script_that_fails_says_so_and_the_move_is_made_without(
    server: Server, person: Person, shoot, function: str, path: str
) -> None:
    """Once while the move is chosen or typed, once while it is sent: at both the script has taken the page over."""
    page = person(broken=throwing(function))
    sit_down_against_bots(page, server.url, bots="one")
    page.goto(page.url + path)
    while state(page) != "your-turn":  # the script may fail to say so
        page.reload()
    if path:
        move = page.locator(".moves code").filter(has_not_text="…").first.inner_text()
        page.locator("#mv").fill(move)
        strike(page)
        page.locator("[data-key=commit]").click()
    elif function.startswith("DOM"):
        move = page.locator("button.opt[value]").last.get_attribute("value") or ""
        strike(page)
        page.locator("button.opt[value]").last.click()
    else:
        choose(page, page.locator("button.opt[value]").last)
        move = page.locator("#mv").input_value()
        strike(page)
        page.locator("[data-key=commit]").click()
    expect(page.locator("#deed [data-trouble]")).to_contain_text("struck by lightning")
    shoot(page, "told")
    ply = page.locator("body").get_attribute("data-ply") or ""
    go_on_without_script(page)
    assert page.locator("#mv").input_value() == move
    shoot(page, "without")
    while page.locator("[data-key=commit]").get_attribute("aria-disabled"):
        page.locator(".nexts button").first.click()
    page.locator("[data-key=commit]").click()
    expect(page.locator("body")).not_to_have_attribute("data-ply", ply)
    assert page.locator("script").count() == 0
    page.get_by_role("link", name="With script again").click()
    expect(page.locator("script").first).to_be_attached()


def test_what_throws_at_once_is_told_beside_what_was_pressed(server: Server, person: Person) -> None:
    _, ben = gather_people(server, person, "catham", ["Anna", "Ben"])
    page = person(broken=throwing("window.confirm"))
    page.context.add_cookies(ben.context.cookies())
    page.goto(ben.url)
    strike(page)
    page.get_by_role("button", name="Give up your chair").click()
    expect(page.locator("form[action$=leave] [data-trouble]")).to_contain_text("struck by lightning")
    go_on_without_script(page)
    page.get_by_role("button", name="Give up your chair").click()
    expect(page.locator("body")).to_have_class(re.compile("watching"))


def test_a_script_that_cannot_be_read_or_loaded_is_told_and_its_page_is_plain(server: Server, person: Person) -> None:
    """What an old browser makes of a new word, and what a network loses."""
    for status, body in ((200, "const = ;"), (503, "")):
        page = person(broken="0")
        answer = partial(Route.fulfill, status=status, body=body, content_type="text/javascript")
        page.route("**/static/*/table.js", lambda route, _request, answer=answer: answer(route))
        sit_down_against_bots(page, server.url, bots="one")
        expect(page.locator("[data-trouble]")).to_contain_text("script failed")
        while state(page) != "your-turn":
            page.reload()
        page.locator("button.opt[value]").last.click()
        page.wait_for_url(re.compile("draft="))
        assert page.locator("#mv").input_value()


def test_a_page_that_is_refused_says_why(server: Server, person: Person) -> None:
    page = person()
    sit_down_against_bots(page, server.url)
    wait_until_asked(page)
    page.locator("#mv").fill("take " * 300)
    expect(page.locator("[data-refused]")).to_contain_text("at most 1000")
