"""Court of the Medici in the browser: moves by pointing, a scapegoat asked of the right seat, two players."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from test_medici_page import FRINGE, GUARD, SCAPEGOAT, sitting

from .conftest import Person, Server
from .steps import click_where_it_shows, commit, gather_people, look, show, wait_until_asked
from .test_every_game import sit_down_with_bots

Shoot = Callable[[Page, str], None]


def point(page: Page, thing: Locator, text: str | re.Pattern[str]) -> None:
    """Click a thing; the move in preparation is then this."""
    thing.click()
    expect(page.locator("#mv")).to_have_value(text)


def keyed(page: Page, key: str) -> Locator:
    return page.locator(f'[data-key="{key}"]')


def hand(page: Page) -> list[str]:
    """Ranks of the cards in the hand, as they lie."""
    return page.locator(".hand .cards .card .strip b").all_inner_texts()


def rank_value(rank: str) -> int:
    return {"D": 15, "M": 0, "G": 0}.get(rank, int(rank) if rank.isdigit() else 1)


def send_lowest(page: Page) -> None:
    """Send the lowest card, and put the first card of the hand back if asked to."""
    rank = min(hand(page), key=rank_value)
    point(page, keyed(page, f"hand-{rank}-0"), f"send {rank}")
    expect(keyed(page, "opt-send " + rank)).to_have_attribute("aria-pressed", "true")
    commit(page)
    if page.locator("#status h2").inner_text() == "Put one back":
        first = page.locator(".hand .cards .card").first
        rank = hand(page)[0]
        point(page, first, f"put {rank}")
        commit(page)


def press(page: Page, thing: Locator, text: str) -> None:
    """Click with the mouse in the middle of a thing, whatever lies over it there; the move is then this."""
    thing.evaluate("e => e.scrollIntoView({block: 'center'})")
    box = thing.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("#mv")).to_have_value(text)


def acting(pages: list[Page]) -> Page:
    """The page whose seat must decide, when all have heard of it."""
    ply = max(int(page.locator("body").get_attribute("data-ply") or 0) for page in pages)
    for page in pages:
        expect(page.locator("body")).to_have_attribute("data-ply", str(ply))
    lit = [page for page in pages if "your-turn" in (page.locator("body").get_attribute("class") or "")]
    assert len(lit) == 1
    return lit[0]


def test_a_scapegoat_is_asked_of_the_controller_and_nobody_else(server: Server, person: Person, shoot: Shoot) -> None:
    pages = gather_people(server, person, "medici", ["Anna", "Ben", "Cleo"])
    for page in pages:
        expect(page.locator(".court")).to_be_visible()
    for _ in range(3):
        send_lowest(acting(pages))

    # The first of the second round strikes the noble that the last of it has sent: his fringe card still lies open.
    striker = acting(pages)
    seats = [
        key.removeprefix("seat-")
        for key in striker.locator(".order .seat").evaluate_all("all => all.map(e => e.dataset.key)")
    ]
    victim = pages[int(seats[-1])]
    shoot(striker, "turn")
    rank = max(hand(striker), key=rank_value)
    keyed(striker, f"hand-{rank}-0").click()
    expect(striker.locator("#mv")).to_have_value(f"send {rank}")
    stacks = striker.locator(".ic .stk button.pile")
    values = [int(text) for text in striker.locator(".ic .stk .num").all_inner_texts()]
    point(striker, stacks.nth(values.index(max(values))), re.compile(f"^ally {rank} > S"))
    expect(striker.locator(".stk.strikes .ghost")).to_have_count(1)
    shoot(striker, "joined")
    prey = striker.locator(f'[data-key="lane-{seats[-1]}"] .stk')
    assert "reach" in (prey.get_attribute("class") or "")
    point(striker, prey.locator("button.pile"), re.compile(f"^conspire {rank} > S[0-9]+ x S[0-9]+$"))
    expect(striker.locator("[data-key=commit]")).to_have_text("Conspire")
    shoot(striker, "conspires")
    commit(striker)

    expect(victim.locator("#status h2")).to_have_text("A scapegoat?")
    assert acting(pages) is victim
    expect(victim.locator(".queue li.now b")).to_have_text("You")
    for page in pages:
        if page is not victim:
            assert page.locator(".ask").count() == 0
            assert page.locator(".fate").count() == 0
    shoot(victim, "asked")
    shoot(striker, "waits")
    victim.locator(".fate").first.click()
    expect(victim.locator(".fate").first).to_have_attribute("aria-pressed", "true")
    saved = victim.locator("#mv").input_value()
    assert saved.startswith("scapegoat ")
    commit(victim)
    expect(victim.locator(".fringe .strip b")).to_have_text(saved.split()[1][1:])
    expect(victim.locator(".lostc li")).to_have_count(1)


def test_the_game_for_two_by_pointing_alone(server: Server, person: Person, shoot: Shoot) -> None:
    page = person()
    sit_down_with_bots(page, server.url, "medici")
    for turn in range(4):
        if wait_until_asked(page) == "over":
            break
        assert page.locator(".seal").count() == 0
        rank = min(hand(page), key=rank_value)
        point(page, keyed(page, f"hand-{rank}-0"), f"send {rank}")
        if turn % 2:
            point(page, page.locator("button.pile").last, re.compile(f"^ally {rank} > S"))
            point(page, keyed(page, "back"), "")
            point(page, keyed(page, f"hand-{rank}-0"), f"send {rank}")
        shoot(page, f"turn{turn}")
        commit(page)


def test_a_move_in_preparation_has_room_and_names(server: Server, person: Person, shoot: Shoot) -> None:
    page = person()
    show(page, server.url, sitting(FRINGE), 0)
    for name, key in (("table", ""), ("sent", "hand-4-0"), ("joined", "stack-S4"), ("strikes", "stack-S7")):
        if key:
            before = page.locator("#mv").input_value()
            click_where_it_shows(keyed(page, key))
            expect(page.locator("#mv")).not_to_have_value(before)
        for width in (820, 1400, 360):
            page.set_viewport_size({"width": width, "height": 900})
            look(page, f"{name}, {width} px")
            shoot(page, f"{name}-{width}")
            small = page.evaluate(
                """() => [...document.querySelectorAll('.hand button,.stk button.pile,.dial button')]
                    .filter(e => e.getBoundingClientRect().width < 24 || e.getBoundingClientRect().height < 24)
                    .map(e => e.dataset.key)"""
            )
            assert not small
        page.set_viewport_size({"width": 1400, "height": 900})


@pytest.mark.parametrize("width", [360, pytest.param(1400, marks=pytest.mark.long)])
def test_a_target_takes_clicks_of_the_mouse(server: Server, person: Person, shoot: Shoot, width: int) -> None:
    page = person(width)
    show(page, server.url, sitting(FRINGE), 0, "conspire 6 > S11 x S7")
    press(page, keyed(page, "single-S7-0").locator(".strip"), "conspire 6 > S11 x S7 at C6")
    press(page, keyed(page, "single-S7-1").locator(".strip"), "conspire 6 > S11 x S7 at B5")
    shoot(page, "noble")
    press(page, keyed(page, "stack-S7"), "ally 6 > S11")
    press(page, keyed(page, "stack-S4"), "conspire 6 > S11 x S4")
    press(page, keyed(page, "stack-S4"), "ally 6 > S11")


@pytest.mark.parametrize("width", [360, pytest.param(1400, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("position", "move", "noble", "answer"),
    [
        (SCAPEGOAT, "B conspire 4 > S16 x S12", "single-S12-1", "scapegoat A6"),
        (GUARD, "C conspire 5 > S2 x S4 at A9", "single-S4-0", "guard A9"),
        (f"opt bodyguard_scope=any ; {GUARD}", "C conspire 5 > S9 x S4", "single-S4-0", "guard A9"),
    ],
    ids=["scapegoat", "guard", "guard of a whole stack"],
)
def test_a_noble_is_saved_by_a_click_of_the_mouse_on_it(
    server: Server, person: Person, shoot: Shoot, width: int, position: str, move: str, noble: str, answer: str
) -> None:
    page = person(width)
    show(page, server.url, sitting(position, move), 0)
    shoot(page, f"{answer.split()[0]}-asked")
    press(page, keyed(page, noble).locator(".strip"), answer)
    shoot(page, answer.split()[0])


LIMITS = (
    "opt players=4 ; names Anna Ben Cleo_of_the_seaside Dan-the-man ; IC S1[D5 BG DG] S2[C9] S3[A9 A2 BJ] ; "
    "OC S4[B4 C4]@B ; A hand=2,9,J,8 fringe=8* limit=8 ; B hand=2,4 fringe=7 deck=3,8,10 disc=2,3,5,5,6,6,7,9,M,L ; "
    "C hand=2,4 deck=- disc=6 limit=10 ; D hand=2,4 fringe=4 deck=3,8,10 disc=6"
)


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (360, "dark"),
        pytest.param(700, "light", marks=pytest.mark.long),
        pytest.param(1000, "dark", marks=pytest.mark.long),
        (1400, "light"),
    ],
)
def test_limits_show_with_four_houses(server: Server, person: Person, shoot: Shoot, width: int, scheme: str) -> None:
    page = person(width, scheme)
    show(page, server.url, sitting(LIMITS), 0)
    limits = page.locator(".order .fact-limit")
    expect(limits).to_have_count(2)
    for limit in limits.all():
        expect(limit).to_be_visible()
    expect(page.locator(".order .fact-lost").first).to_be_hidden()
    shoot(page, "limits")
    look(page, "limits")
    wide = page.locator(".order .seat > *").evaluate_all(
        """all => all.filter(e => e.getBoundingClientRect().right > e.parentElement.getBoundingClientRect().right
            || e.scrollWidth > e.clientWidth + 1).filter(e => getComputedStyle(e).overflowX === "visible")
            .map(e => e.className)"""
    )
    assert not wide
