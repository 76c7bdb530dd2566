"""Preparing a move while somebody else thinks: kept on the page, played when the turn comes, or not and told why."""

import re

from playwright.sync_api import expect

from .conftest import Person, Server
from .steps import commit, gather_people, nameless, overflow, state, type_move, wait_until_asked


def test_a_move_prepared_by_clicking_is_played_or_left_as_a_draft(server: Server, person: Person, shoot) -> None:
    anna, ben = gather_people(server, person, "dark_sources", ["Anna", "Ben"], memory="notes")
    ben.locator("[data-key=prepare]").click()
    expect(ben.locator("#deed")).to_be_visible()
    assert state(ben) == "waiting"
    expect(ben.locator("#status")).to_contain_text("Anna is thinking")
    ben.locator("[data-key=slot-b1]").click()
    expect(ben.locator(".then")).to_have_text("Now a card of somebody else\u2019s.")
    ben.locator("[data-key=slot-a5]").click()
    expect(ben.locator("[data-key=commit]")).to_have_text("Keep it for your turn")
    assert "prepare=1" in ben.url
    ben.reload()  # the address goes on with it
    expect(ben.locator("#mv")).to_have_value("swap b1 a5")
    assert nameless(ben) == []
    shoot(ben, "preparing")
    ben.locator("[data-key=commit]").click()
    expect(ben.locator(".later-move")).to_contain_text("Prepared: swap b1 a5")
    expect(ben.locator(".card.chosen")).to_have_count(2)
    expect(ben.locator("#deed")).to_have_count(0)
    assert "prepare" not in ben.url
    assert overflow(ben) == nameless(ben) == []
    shoot(ben, "prepared")

    # Anna plays, and Ben's move is made with nobody touching his page.
    type_move(anna, "swap a1 b5")
    expect(anna.locator("[role=log]").first).to_contain_text("Ben")
    expect(ben.locator("body")).to_have_attribute("data-ply", "2")
    expect(ben.locator(".later-move")).to_have_count(0)
    assert wait_until_asked(anna) == "your-turn"

    # Half made when the turn comes, it goes on as the ordinary move; what is kept by then is played or told.
    ben.locator("[data-key=prepare]").click()
    ben.locator("#mv").fill("swap b2 a4")
    expect(ben.locator("[data-key=commit]")).to_have_text("Keep it for your turn")
    ben.locator("#mv").press("Enter")
    expect(ben.locator(".later-move")).to_contain_text("Prepared: swap b2 a4")
    type_move(anna, "swap a4 b3")
    assert wait_until_asked(ben) == "your-turn"
    expect(ben.locator(".told")).to_contain_text("Not played, swap b2 a4: it would now do something else.")
    expect(ben.locator("#mv")).to_have_value("swap b2 a4")
    shoot(ben, "told")
    expect(ben).to_have_title(re.compile("^Your turn"))
    commit(ben)
    expect(ben.locator(".told")).to_have_count(0)

    ben.locator("[data-key=prepare]").click()
    ben.locator("[data-key=slot-b4]").click()
    expect(ben.locator("#mv")).to_have_value("swap b4")
    type_move(anna, "swap a2 b2")
    assert wait_until_asked(ben) == "your-turn"
    expect(ben.locator("#mv")).to_have_value("swap b4")
    assert "prepare" not in ben.url
    ben.locator("[data-key=slot-a3]").click()
    expect(ben.locator("[data-key=commit]")).to_have_text("Swap them")
