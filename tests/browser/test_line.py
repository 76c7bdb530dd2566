"""What a page does when its line breaks: reload, lost network, a server that is killed and comes back, two devices."""

import re

from playwright.sync_api import Route, expect

from .conftest import Person, Server
from .steps import (
    choose,
    commit,
    gather_people,
    open_lobby_table,
    send_move,
    sit_down_against_bots,
    state,
    wait_until_asked,
)


def test_a_reload_at_every_step_changes_nothing(server: Server, person: Person) -> None:
    page = person()
    sit_down_against_bots(page, server.url)
    for _ in range(2):
        if wait_until_asked(page) == "over":
            break
        seen = page.locator(".mine").inner_text()
        page.reload()
        expect(page.locator(".mine")).to_have_text(re.compile(re.escape(seen.split("\n")[0])))
        assert page.locator(".mine").inner_text() == seen
        choose(page)
        # The half-made choice is kept on the server, so it is still there after a reload.
        text = page.locator("#mv").input_value()
        while page.request.get(f"{page.url}/view.json").json()["prepared"]["text"] != text:
            page.wait_for_timeout(100)
        page.reload()
        expect(page.locator("#mv")).to_have_value(text)
        expect(page.locator("[data-key=commit]")).not_to_have_attribute("aria-disabled", "true")
        commit(page)
        page.reload()
        assert state(page) in ("your-turn", "waiting", "over")


def test_pages_survive_the_server_being_killed(own_server: Server, person: Person, shoot) -> None:
    anna, ben = gather_people(own_server, person, "catham", ["Anna", "Ben"])
    choose(anna)
    text = anna.locator("#mv").input_value()
    own_server.kill()
    expect(anna.locator("[data-no-line]")).to_be_visible()
    expect(anna.locator("[data-line]")).to_have_text(re.compile("no line"))
    expect(ben.locator("[data-no-line]")).to_be_visible()
    shoot(anna, "no-line")
    assert anna.locator("#mv").input_value() == text
    own_server.start()
    for page in (anna, ben):
        expect(page.locator("[data-no-line]")).to_be_hidden()
        expect(page.locator("[data-line]")).to_have_text(re.compile("here"))
    assert anna.locator("#mv").input_value() == text
    commit(anna)
    assert wait_until_asked(ben) == "your-turn"
    expect(anna.locator("#status")).to_contain_text("Ben is thinking")


def test_a_move_sent_while_the_server_is_away_is_made_once(own_server: Server, person: Person) -> None:
    page = person()
    open_lobby_table(page, own_server.url, "Anna", ["gentle bot"])
    wait_until_asked(page)
    choose(page)
    own_server.kill()
    page.locator("[data-key=commit]").click()
    page.wait_for_timeout(400)
    own_server.start()
    made = page.locator(".log li").filter(has_text=re.compile(r"^\s*1(?!\d)"))
    given_up = page.locator("[data-refused]").filter(has_text="not sent")
    expect(made.or_(given_up).first).to_be_visible(timeout=60_000)
    wait_until_asked(page)
    moves = [line for line in page.locator(".log li").all_inner_texts() if re.match(r"^1\n", line)]
    if not moves:  # every try failed before the server was back: the choice is still there
        expect(page.locator("[data-refused]")).to_contain_text("not sent")
        commit(page)
        wait_until_asked(page)
        moves = [line for line in page.locator(".log li").all_inner_texts() if re.match(r"^1\n", line)]
    assert sum("You" in line for line in moves) == 1


def test_a_push_never_wipes_a_half_made_choice(server: Server, person: Person) -> None:
    anna, ben = gather_people(server, person, "catham", ["Anna", "Ben"])
    anna.locator("#mv").click()
    anna.keyboard.type("take ")
    before = anna.locator("body").get_attribute("data-revision")
    ben.locator("label:has(#t-talk)").click()
    ben.get_by_label("Say to the table").fill("Hurry up")
    ben.get_by_label("Say to the table").press("Enter")
    expect(anna.locator("body")).not_to_have_attribute("data-revision", before or "")
    expect(anna.locator("#mv")).to_have_value("take ")
    expect(anna.locator("#mv")).to_be_focused()
    anna.keyboard.type("x")
    expect(anna.locator("#mv")).to_have_value("take x")


def test_two_devices_of_one_seat_see_the_same_choice(server: Server, person: Person) -> None:
    page, _ = gather_people(server, person, "catham", ["Anna", "Ben"])
    other = page.context.new_page()
    other.goto(page.url)
    wait_until_asked(other)
    choose(page)
    text = page.locator("#mv").input_value()
    expect(other.locator("#mv")).to_have_value(text)
    commit(other)
    expect(page.locator("body")).to_have_class(re.compile("waiting"))
    assert page.locator("#deed").count() == 0


def test_a_choice_that_arrives_after_its_move_is_not_the_next_one(server: Server, person: Person) -> None:
    anna, *others = gather_people(server, person, "corporation", ("Anna", "Ben", "Cleo"), looking=1)
    held: list[Route] = []
    anna.route("**/draft", lambda route: held.append(route))
    anna.locator("[data-key=hand-5]").click()
    expect(anna.locator("[data-key=commit]")).to_have_text("Place the 5")
    while not held:
        anna.wait_for_timeout(50)
    anna.locator("[data-key=commit]").click()
    for page in others:
        send_move(page, anna.url, "card 5")
    expect(anna.locator("#status h2")).to_have_text("Round 1, turned up")
    with anna.expect_response("**/draft") as late:
        held[0].continue_()
    assert late.value.status == 409
    anna.reload()
    expect(anna.locator("#status h2")).to_have_text("Round 1, turned up")
    assert anna.locator("[aria-pressed=true]").count() == 0
