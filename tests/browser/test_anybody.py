"""Strangers meet: two browsers, no link between them, and the time that counts on their screens."""

import re
import sqlite3

from playwright.sync_api import expect

from backroom.web import times
from backroom.web.sheets import folder

from .conftest import Person, Server
from .steps import TABLE, choose, commit, nameless, overflow, wait_until_asked


def test_strangers_meet_by_the_front_page_and_time_counts_on_screen(own_server: Server, person: Person, shoot) -> None:
    anna, ben = person(), person(360, "dark")
    anna.goto(own_server.url)
    anna.get_by_label("Game").select_option(label="Catham City")
    anna.get_by_label("You", exact=True).fill("Anna")
    anna.locator("label:has-text('anybody')").click()
    expect(anna.get_by_label("How many bots")).to_be_hidden()
    anna.locator("label:has-text('a move a day')").click()
    anna.get_by_role("button", name="Sit down").click()
    anna.wait_for_url(TABLE)
    expect(anna.locator("#status")).to_contain_text("Waiting for 3 more")
    expect(anna.locator("#mine")).to_contain_text("on the front page")
    for chair in (2, 3):
        anna.locator(f"[data-key=let-bot-{chair}]").click()
        expect(anna.locator(f"[data-key=link-{chair}]")).to_have_count(0)
    ben.goto(own_server.url)
    expect(ben.locator("#open")).to_contain_text("1 chair free · a move within 36 hours")
    assert not overflow(ben)
    assert not nameless(ben)
    shoot(ben, "home")
    ben.get_by_role("link", name="Take a chair").click()
    expect(ben.locator("h1")).to_have_text("Anna has a chair free.")
    ben.get_by_label("What shall they call you?").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    ben.wait_for_url(TABLE)
    assert wait_until_asked(anna) == "your-turn"
    expect(anna.locator("#status")).to_contain_text("1 d 11 h left; then a bot makes that one move.")
    expect(ben.locator("#status")).to_contain_text("1 d 11 h left.")
    assert not overflow(ben)

    # The last seconds: they count without the server, and are not read aloud.
    with sqlite3.connect(own_server.database, timeout=30) as connection:
        connection.execute("UPDATE chairs SET asked = asked - ? WHERE asked > 0", (36 * 3600 - 50,))
    anna.reload()
    counted = anna.locator("#status [data-until]")
    expect(counted).to_have_text(re.compile(r"^\d\d s left$"))
    anna.context.set_offline(True)
    shown = counted.inner_text()
    expect(counted).not_to_have_text(shown)
    expect(counted).to_have_text(re.compile(r"^\d\d? s left$"))
    anna.context.set_offline(False)
    assert counted.evaluate("it => it.closest('[aria-live]').getAttribute('aria-live')") == "off"
    shoot(anna, "counting")
    choose(anna)
    commit(anna)

    # Script and server have the same words.
    for length in (0, 59, 60, 3599, 3600, 86399, 86400, 100800, 10**6):
        script = f"async length => (await import('{folder()}/times.js')).duration(length)"
        assert anna.evaluate(script, length) == times.duration(length)
