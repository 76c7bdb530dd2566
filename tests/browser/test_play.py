"""Playing in the browser, by clicking: whole games, friends by link, questions, rematches."""

import re

from playwright.sync_api import Page, expect

from .conftest import Person, Server
from .steps import (
    choose,
    commit,
    expect_state,
    gather_people,
    open_lobby_table,
    sit_down_against_bots,
    state,
    type_move,
    wait_until_asked,
)


def test_one_form_leads_to_a_table_against_bots(server: Server, person: Person, shoot) -> None:
    page = person()
    sit_down_against_bots(page, server.url)
    assert wait_until_asked(page) == "your-turn"
    expect(page).to_have_title(re.compile("^Your turn"))
    assert page.locator("#icon").get_attribute("href").endswith("favicon.svg")
    assert page.locator(".seats .seat").count() == 2
    assert "Only you see it" in (page.locator(".mine-head").text_content() or "")
    shoot(page, "table")
    page.goto(server.url)
    expect(page.locator(".rows .lit")).to_have_count(1)
    expect(page).to_have_title(re.compile("^Your turn"))
    shoot(page, "home")


def invite_link(host: Page) -> str:
    return host.locator("#invite-1").input_value()


def test_an_invite_link_seats_a_friend_in_another_browser_once(server: Server, person: Person, shoot) -> None:
    anna, ben, carl = person(), person(), person()
    open_lobby_table(anna, server.url, "Anna", ["a friend, by link"])
    expect(anna.locator("#status")).to_contain_text("Waiting for a friend")
    shoot(anna, "chairs")
    link = invite_link(anna)
    ben.goto(link)
    expect(ben.locator("h1")).to_have_text("Anna keeps a chair for you.")
    shoot(ben, "join")
    ben.get_by_label("What shall they call you?").fill("anna")
    ben.get_by_role("button", name="Sit down").click()
    expect(ben.locator("[role=alert]")).to_be_visible()
    ben.get_by_label("What shall they call you?").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    ben.wait_for_url(re.compile("/t/"))
    # The host's page opens the table by itself.
    assert wait_until_asked(anna) == "your-turn"
    expect_state("waiting", ben)
    expect(ben.locator("#status")).to_contain_text("Anna is thinking")
    carl.goto(link)
    expect(carl.locator("h1")).to_have_text("Nobody here")
    carl.goto(ben.url)
    assert state(carl) == "watching"
    assert carl.locator("#deed, button.opt").count() == 0
    shoot(carl, "watching")
    choose(anna)
    commit(anna)
    assert wait_until_asked(ben) == "your-turn"
    expect(ben.locator(".room")).to_contain_text("Anna")
    expect(carl.locator("#status")).to_contain_text("Ben is thinking")


def test_reactions_are_asked_of_the_right_seat_in_turn(server: Server, person: Person, shoot) -> None:
    """Three people until somebody can lay journalists, detectives or mafia; then the others are asked one by one."""
    pages = gather_people(server, person, "catham", ["Anna", "Ben", "Cleo"], factions="calm", hands="flat8")
    for turn in range(60):
        mover = pages[turn % 3]
        assert wait_until_asked(mover) == "your-turn"
        expect_state("waiting", *(page for page in pages if page is not mover))
        asking = mover.locator("button.opt:has-text('Others may')").first
        if asking.count():
            break
        takes = mover.locator(
            "button.opt:has-text('hand of'), button.opt:has-text('fills'), button.opt:has-text('discard')"
        )
        choose(mover, takes.first)
        commit(mover)
        while mover.locator("body").get_attribute("data-question") == "limit":
            choose(mover)
            commit(mover)
    choose(mover, asking)
    commit(mover)
    first, second = pages[(turn + 1) % 3], pages[(turn + 2) % 3]
    assert wait_until_asked(first) == "your-turn"
    assert first.locator("body").get_attribute("data-question") in ("gift", "match")
    expect(first.locator("#status")).to_contain_text("asks you")
    expect(first.locator(".queue .now")).to_contain_text("You")
    assert first.locator(".seat.asking").count() == 1
    shoot(first, "asked")
    expect_state("waiting", second, mover)
    first.locator("[data-key=instead]").click()
    assert wait_until_asked(second) == "your-turn"
    expect(second.locator(".queue .no, .queue .done")).to_contain_text("declined")
    expect(second.locator(".log")).to_contain_text("declined")
    expect(first.locator("body")).to_have_class(re.compile("waiting"))
    second.locator("[data-key=instead]").click()
    wait_until_asked(first)
    expect(first.locator("body")).to_have_attribute("data-question", "turn")


def test_typed_moves_and_what_is_wrong_with_them(server: Server, person: Person) -> None:
    page = person()
    sit_down_against_bots(page, server.url)
    wait_until_asked(page)
    ply = page.locator("body").get_attribute("data-ply")
    page.locator("#mv").fill("take dogs")
    expect(page.locator(".refused").first).to_contain_text("E_FACTION")
    page.locator("#mv").press("Enter")
    expect(page.locator("[data-refused]")).to_contain_text("E_FACTION")
    assert page.locator("#mv").input_value() == "take dogs"
    assert page.locator("body").get_attribute("data-ply") == ply
    word = page.locator(".stack .cap span").first.inner_text().lower()
    page.locator("#mv").fill(f"take {word[:2]}")
    expect(page.locator(".slip .ok")).to_have_text("reads well")
    expect(page.locator(".say")).to_contain_text("Take")
    type_move(page, f"take {word[:2]} x1")
    expect(page.locator(".log")).to_contain_text("You took")


def test_clicking_is_typing(server: Server, person: Person) -> None:
    page = person()
    sit_down_against_bots(page, server.url)
    wait_until_asked(page)
    stack = page.locator(".stack button").first
    word = page.locator(".stack .cap span").first.inner_text().lower()
    count = int(page.locator(".stack .cap .num").first.inner_text())
    stack.click()
    expect(page.locator("#mv")).to_have_value(f"take {word}")
    expect(stack).to_have_attribute("aria-pressed", "true")
    if count > 1:
        stack.click()
        expect(page.locator("#mv")).to_have_value(f"take {word} x1")
        expect(page.locator(".stack .card.chosen")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#mv")).to_have_value("")
    expect(page.locator(".stack .card.chosen")).to_have_count(0)


def test_talk_and_notes(server: Server, person: Person) -> None:
    anna, ben = gather_people(server, person, "catham", ["Anna", "Ben"])
    ben.locator("label:has(#t-talk)").click()
    ben.get_by_label("Say to the table").fill("Nobody needs three detectives, <b>surely</b>.")
    ben.get_by_label("Say to the table").press("Enter")
    expect(anna.locator(".tabs [data-talk-dot]")).to_have_text("1")
    anna.locator("label:has(#t-talk)").click()
    expect(anna.locator(".talk q")).to_have_text("Nobody needs three detectives, <b>surely</b>.")
    expect(anna.locator(".tabs [data-talk-dot]")).to_be_hidden()
    anna.locator("label:has(#t-notes)").click()
    anna.locator("#notes").fill("Ben keeps hackers")
    anna.get_by_role("button", name="Keep").click()
    expect(anna.get_by_role("button", name="Kept")).to_be_visible()
    anna.reload()
    anna.locator("label:has(#t-notes)").click()
    assert anna.locator("#notes").input_value() == "Ben keeps hackers"
    assert "hackers" not in ben.locator("#notes").input_value()


def test_a_take_back_is_asked_of_the_table(server: Server, person: Person) -> None:
    anna, ben = gather_people(server, person, "catham", ["Anna", "Ben"])
    market = anna.locator(".stacks").inner_text()
    choose(anna, anna.locator("button.opt[value]").last)
    commit(anna)
    wait_until_asked(ben)
    anna.get_by_role("button", name="Ask to take it back").click()
    expect(anna.locator(".side")).to_contain_text("You ask to take it back")
    expect(ben.locator(".side")).to_contain_text("Anna asks to take it back")
    ben.get_by_role("button", name="Let it be taken back").click()
    assert wait_until_asked(anna) == "your-turn"
    expect(anna.locator(".stacks")).to_have_text(market, use_inner_text=True)
    expect_state("waiting", ben)
    expect(ben.locator(".side").get_by_text("asks to take it back")).to_have_count(0)


def test_a_chair_is_given_up_and_a_bot_sits_in(server: Server, person: Person) -> None:
    anna, ben = gather_people(server, person, "catham", ["Anna", "Ben"])
    ben.once("dialog", lambda dialog: dialog.accept())
    ben.get_by_role("button", name="Give up your chair").click()
    expect(ben.locator("body")).to_have_class(re.compile("watching"))
    expect(anna.locator(".side")).to_contain_text("A chair is free")
    anna.get_by_role("button", name="Let it sit here").click()
    expect(anna.locator(".seat .who svg")).to_have_count(1)
    choose(anna)
    commit(anna)
    assert wait_until_asked(anna) in ("your-turn", "over")


def test_a_wrong_name_is_told_in_one_line_and_nothing_is_lost(server: Server, person: Person) -> None:
    page = person()
    page.goto(f"{server.url}/new?game=catham&name=Anna%2FB&chairs=2&chair1=bot:random&was=catham&option.target=9")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("[role=alert]")).to_contain_text("a name is made of letters of any script")
    assert page.locator("[name='option.target']").input_value() == "9"
    page.locator("#your-name").fill("Anna")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile(r"/t/[\w-]+$"))
    wait_until_asked(page)
    assert "first to 9" in page.locator(".bar-title").inner_text()


def test_a_doubled_click_makes_one_table(server: Server, person: Person) -> None:
    page = person()
    page.goto(server.url)
    page.get_by_label("You", exact=True).fill("Anna")
    fields = page.evaluate("Object.fromEntries(new FormData(document.getElementById('start')))")
    addresses = {page.request.post(f"{server.url}/start", form=fields).url for _ in range(2)}
    assert len(addresses) == 1
