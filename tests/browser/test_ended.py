"""The end of a game in the browser: how the points went, who comes to the next table, the same with other options."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from .conftest import Person, Server
from .steps import gather_people, look, send_move


@pytest.mark.parametrize(("width", "scheme"), [pytest.param(1400, "light", marks=pytest.mark.long), (360, "dark")])
def test_the_end_of_a_game_and_the_way_to_the_next(
    server: Server, person: Person, shoot: Callable[[Page, str], None], width: int, scheme: str
) -> None:
    names = ["Anna", "Ben Maximilian Anderson", "Cleo"]
    pages = gather_people(server, person, "corporation", names, width, target=25, tie="more")
    anna, ben, cleo = pages
    for page in pages:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    # After three rounds two are level, so that there is a fourth.
    for cards in ((5, 5, 3), (7, 7, 1), (10, 10, 3), (7, 5, 1)):
        for page, card in zip(pages, cards, strict=True):
            send_move(page, anna.url, f"card {card}")
    for page in pages:
        expect(page.locator("body")).to_have_class(re.compile(r"\bover\b"))
    replay(anna, shoot)
    expect(anna.get_by_role("img", name=re.compile("^Points after . rounds, to 25"))).to_be_visible()
    anna.locator(".nums summary").click()
    expect(anna.locator(".nums tbody tr")).to_have_count(3)
    ticks = anna.locator(".plot .xl")
    assert anna.locator(".plot .xl:visible").count() == (ticks.count() + 1) // 2 if width == 360 else ticks.count()
    paper = anna.locator(".plot").bounding_box()
    for label in anna.locator(".plot .end").all():
        box = label.bounding_box()
        assert paper is not None
        assert box is not None
        assert box["x"] + box["width"] <= paper["x"] + paper["width"], "a label leaves the paper"
    look(anna, "ended")
    shoot(anna, "ended")

    expect(anna.locator(".rematch")).to_contain_text("here")
    ben.locator("[data-key=rematch]").click()
    ben.wait_for_url(lambda url: url != anna.url)
    for page in (anna, cleo):
        expect(page.locator(".rematch li", has_text="Ben")).to_contain_text("is in")
    expect(anna.locator(".rematch li", has_text="Cleo")).to_contain_text("asked")
    expect(anna.locator(".nums[open]")).to_have_count(1)

    anna.locator("[data-key=again]").click()
    expect(anna.locator("[name='option.target']")).to_have_value("25")
    expect(anna.locator("[name='option.tie'][value=more]")).to_be_checked()
    expect(anna.locator("#chair2")).to_have_value("friend")
    look(anna, "lobby")


def replay(page: Page, shoot: Callable[[Page, str], None]) -> None:
    """Back through the game that is over, on one page, and from it to its result again."""
    page.locator("[data-key=replay]").click()
    status = page.locator("#status")
    expect(status).to_contain_text("Replay, from your chair")
    expect(status).to_contain_text("After move 0 of")
    page.locator("[data-key=wind-3]").click()
    expect(status).to_contain_text("After move 1 of")
    assert page.url.endswith("?move=1&seat=0")
    expect(page.locator("#mine .who")).to_contain_text("Anna you")
    page.locator("[data-key=wind-seat-1]").click()
    expect(status).to_contain_text("Replay, from Ben Maximilian Anderson’s chair")
    page.reload()
    expect(status).to_contain_text("After move 1 of")
    page.evaluate("window.kept = true")
    page.locator("[data-key=wind-slider]").focus()
    page.keyboard.press("ArrowRight")
    expect(status).to_contain_text("After move 2 of")
    expect(page.locator("ol.log .yet").first).to_be_visible()
    look(page, "replay")
    shoot(page, "replay")
    play = page.locator("[data-key=wind-play]")
    play.click()
    expect(play).to_have_accessible_name("Stop")
    expect(status).to_contain_text(re.compile(r"After move ([3-9]|1\d) of"))  # it goes on while somebody looks
    expect(page.locator("ol.log li.at").first).to_be_visible()
    play.click()
    page.locator("[data-key=wind-4]").click()
    expect(page.locator("body")).to_have_class(re.compile(r"\bover\b"))
    assert page.evaluate("window.kept") is True, "it was one page all the time"


def test_a_step_is_not_lost_while_the_page_is_fetched(server: Server, person: Person) -> None:
    """The stream tells an open page to look just as somebody winds on: the answer is about the move before."""
    anna, *others = gather_people(server, person, "corporation", ["Anna", "Ben", "Cleo"], looking=1)
    for page in (anna, *others):
        send_move(page, anna.url, "card 5")
    expect(anna.locator("ol.log li[data-move]").first).to_be_attached()
    anna.goto(f"{anna.url}?move=0")
    status = anna.locator("#status")
    expect(status).to_contain_text("After move 0 of")
    expect(anna.locator("[data-key=wind-play]")).to_be_enabled()
    held: list[Route] = []
    anna.route("**/t/*?move=0*", lambda route: held.append(route))
    with anna.expect_request("**/t/*?move=0*"):
        anna.evaluate("window.kept = true; document.dispatchEvent(new Event('visibilitychange'))")
    anna.locator("[data-key=wind-3]").click()
    for route in held:
        route.continue_()
    expect(status).to_contain_text("After move 1 of")
    assert anna.evaluate("window.kept") is True
