"""Full tables on one screen of a desk: nothing scrolls inside the cloth, and the button is on the screen."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from backroom.engine.game import find_game
from backroom.engine.match import Match

from .conftest import Person, Server
from .one_screen import DESK
from .page_kinds import NAMES
from .steps import look, overflow, show

LATE = (
    "opt players=4 ; names Anna Lena Otto Mina ; IC S4[B8] S7[C6 CJ] S8[C8 CL] S9[C2] S14[DM] S16[B3 B9 BJ B2 B2 BM] "
    "S19[CM] S24[BM] S26[DM] S27[D3] S28[C4] S29[C5] S31[CM] S37[C7 CS] S42[D10] S46[B7] S47[BJ] S48[B10] S53[DD] "
    "S55[BL] ; OC S1[A5]@A S3[A3 A7]@A S11[D2 A4]@A S13[A10 AL]@A S21[A7]@A S22[A2]@A S23[AM]@A S38[A8]@A S40[A6]@A "
    "S43[AG]@A S44[AM]@A S45[A6]@A S50[A5]@A S51[AD]@A S10[D7]@D S12[D6 A4 D2 DJ]@D S17[D5]@D S18[D6]@D S30[DL]@D "
    "S32[D4]@D S33[D4]@D S34[D5]@D S6[B5]@B S15[B9]@B S36[BL]@B S41[B10 AS BG]@B S20[CL]@C S25[C6]@C ; "
    "A hand=2,8,9,J fringe=3* limit=3 deck=- disc=9,10,L,J ; "
    "B hand=- fringe=7* limit=7 deck=- disc=3,4,4,5,6,6,8,D,S ; "
    "C hand=- fringe=4* limit=4 deck=- disc=2,3,3,5,7,8,9,9,10,10,D,J,G ; D hand=- fringe=8* limit=8 deck=- "
    "disc=3,7,8,9,9,10,L,J,S,G ; order D B C A ; turn A"
)
"""The court as it is drawn in the design: 20 stacks in the Inner Circle, 28 in the Outer Court, the last card."""


def played(game: str, decisions: int, **options: object) -> Match:
    """A match of ten by lot."""
    match, source = Match.new(find_game(game), NAMES, options, 7), Random(3)
    for _ in range(decisions):
        seat = match.acting[0]
        match.play_actions(seat, [source.choice(match.game.legal(match.view(seat), seat).tolist())])
    return match


def fits(page: Page) -> None:
    cloth, height = page.evaluate(
        "(e => [e.scrollHeight - e.clientHeight, innerHeight])(document.querySelector('.cloth'))"
    )
    assert cloth <= 1, f"{cloth} px of the cloth are out of sight"
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    for name in (".holding", ".deed", "[data-key=commit]"):
        box = page.locator(name).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height, f"{name} is not on the screen"
    assert overflow(page) == []


def test_the_full_court_of_the_medici(server: Server, person: Person) -> None:
    page, match = person(DESK), Match.from_position(find_game("medici"), LATE, 1)
    show(page, server.url, match, 0)
    fits(page)
    show(page, server.url, match, 0, "conspire J > S8 x S48 j S8=3")
    fits(page)
    look(page, "a full court")
    expect(page.locator(".stk.strikes .worth")).to_be_visible()
    # Columns follow the number of stacks, and the Inner Circle ends where its stacks do.
    lowest = "e => Math.max(...[...e.querySelectorAll('.stk')].map(stack => stack.getBoundingClientRect().bottom))"
    circle = page.locator(".ic")
    box = circle.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] - circle.evaluate(lowest) < 30


@pytest.mark.parametrize("decisions", [40, 45], ids=["turned up", "five have placed"])
def test_ten_at_corporation(server: Server, person: Person, decisions: int) -> None:
    page, match = person(DESK), played("corporation", decisions)
    show(page, server.url, match, match.acting[-1])
    fits(page)
    look(page, "ten at Corporation")


def test_ten_ranks_at_corporation_and_what_a_card_can_bring(server: Server, person: Person) -> None:
    page, match = person(DESK), played("corporation", 0, cards="ranks")
    show(page, server.url, match, 0)
    fits(page)
    page.locator("[data-key=hand-7]").click()
    expect(page.locator(".bring caption")).to_contain_text("the 7")
    expect(page.locator(".bring")).to_be_visible()
    fits(page)


def test_ten_at_dark_sources(server: Server, person: Person) -> None:
    page, match = person(DESK), played("dark_sources", 3, memory="open")
    show(page, server.url, match, match.acting[0])
    fits(page)
    look(page, "ten at Dark Sources")
