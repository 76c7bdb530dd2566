"""Court of the Medici in the browser, without a browser: what is drawn from a view, what a click makes of the move."""

import html as markup
import re
from random import Random
from typing import Any

import pytest

from backroom.engine.game import Refusal, find_game, seats_in
from backroom.engine.match import Match
from backroom.engine.notation import play_on_view
from backroom.engine.record import SPECTATOR
from backroom.engine.rng import generator
from backroom.engine.view import determinize
from backroom.games.medici import rules
from backroom.games.medici import table as module
from backroom.games.medici.table.court import UNKNOWN
from backroom.scenes.draft import Draft
from backroom.scenes.scene import Scene
from backroom.web.shapes import view_model
from backroom.web.table_page import render_table
from test_pages import table_view, with_state

GAME = find_game("medici")
NAMES = ("Anna", "Ben", "Cleo", "Dan")
COURT = "IC S2[B10 A3 AS] S4[A9] S7[C6 B5 CG] S9[C4] S11[B2 BJ] ; OC S12[A7 B3]@A S13[B8]@B S14[CM C3]@C S16[A2 C2]@C"
FRINGE = (
    f"opt players=3 ; names Anna Ben Cleo ; {COURT} ; A hand=4,6,8,J,M fringe=7 deck=3,5,6,10 ; "
    "B hand=3,4,6,7,9 fringe=(9) deck=2,5,6 ; C hand=3,5,7,8,9 fringe=4 deck=5,6,7 ; order B A C ; turn A"
)
BASE = (
    "opt game=base ; names Anna Ben ; IC S1[A10 B3] S2[A4] S3[A6 B2] S5[B7] S6[BJ] ; OC S9[B8]@B S10[A5 A3]@A ; "
    "A hand=4,7,9,J,L deck=3,5,6 ; B hand=2,3,5,6,10 deck=4,9"
)
GUARD = (
    "names Anna Ben Cleo ; IC S2[B10] S4[A9 AG BG] S9[C4 C2] ; OC S13[B8]@B ; A hand=4,6 fringe=(7) deck=3,5 ; "
    "B hand=3,6 fringe=(9) deck=2,5 ; C hand=5,3 fringe=6 deck=5,7,8 ; order B A C ; turn C"
)
SCAPEGOAT = (
    "names Anna Ben Cleo ; IC S4[A9] S9[C4] ; OC S12[A7 A6 B3]@A S16[B9 B5]@C ; A hand=4,6 fringe=5 deck=3,5 ; "
    "B hand=3,4 fringe=9 deck=2,5 ; C hand=5,3 fringe=4 deck=5,7 ; order B A C"
)


def sitting(position: str, *moves: str) -> Match:
    """A match from a position, with moves as ``C conspire ...``."""
    match = Match.from_position(GAME, position, 1)
    for move in moves:
        letter, _, text = move.partition(" ")
        match.play("ABCD".index(letter), text)
    return match


def page(match: Match, seat: int | None, text: str | None = None) -> str:
    return render_table(table_view(match, seat), text)


def clicked(html: str, key: str) -> str:
    """The text a click on this gives, empty where it does nothing."""
    found = re.search(rf'<(?:button|div)[^>]*data-key="{re.escape(markup.escape(key))}"[^>]*>', html)
    assert found, key
    value = re.search(r'name="draft" value="([^"]*)"', found[0])
    return markup.unescape(value[1]) if value else ""


def offered(html: str) -> set[str]:
    return {markup.unescape(text) for text in re.findall(r'name="draft"[^>]*? value="([^"]+)"', html)}


def scene(match: Match, seat: int, text: str = "") -> Scene:
    view = match.view(seat)
    return module.scene(view, seat, match.names, Draft(GAME, view, seat, match.names, text))


def stacks(found: Scene) -> dict[str, Any]:
    lanes = [stack for lane in found.drawn["lanes"] for stack in lane["stacks"]]
    return {stack.key: stack for stack in [*found.drawn["circle"], *lanes]}


def wander(seats: int, seed: int, moves: int) -> Match:
    """A match with some random moves made."""
    match, random = Match.new(GAME, NAMES[:seats], {}, seed), Random(seed)
    while match.ply < moves and not match.over:
        seat = match.acting[0]
        view, actions = match.view(seat), []
        while not actions or int(view.midmove) >> seat & 1:
            actions.append(random.choice(GAME.legal(view, seat).tolist()))
            view = play_on_view(GAME, view, seat, actions[-1])
        match.play_actions(seat, actions)
    return match


# A move by clicks


@pytest.mark.parametrize(
    "steps",
    [
        ["", "hand-4-0", "send 4", "stack-S4", "ally 4 > S4", "stack-S7", "conspire 4 > S4 x S7"],
        ["conspire 4 > S4 x S7", "stack-S9", "conspire 4 > S4 x S9", "stack-S9", "ally 4 > S4", "stack-S4", "send 4"],
        ["conspire 4 > S4 x S9", "hand-8-0", "conspire 8 > S4 x S9", "fringe-2", "conspire 8 > S4 x FC"],
        ["conspire 8 > S4 x FC", "fringe-2", "ally 8 > S4", "stack-S2", "conspire 8 > S4 x S2"],
        ["conspire 8 > S4 x S2", "opt-ally 8 > S4", "ally 8 > S4", "opt-plan 8", "plan 8", "hand-6-0", "plan 6"],
        ["conspire 6 > S11 x S7", "at-C6", "conspire 6 > S11 x S7 at C6", "single-S7-1", "conspire 6 > S11 x S7 at B5"],
        ["conspire 6 > S11 x S7", "dial-0-0-4", "conspire 6 > S11 x S7 at C6 j S11=4"],
        ["conspire 6 > S11 x S7 at C6 j S11=4", "at-B5", "conspire 6 > S11 x S7 at B5 j S11=4"],
        ["conspire 6 > S11 x S7 at C6 j S11=4", "dial-0-0-10", "conspire 6 > S11 x S7 at C6"],
        ["conspire 4 > S2 x S7", "spy-1", "conspire 4 > S2 x S7 at C6 nospy", "spy-0", "conspire 4 > S2 x S7"],
        ["conspire J > S4 x S11", "dial-1-0-7", "conspire J > S4 x S11 j S11=7"],
        ["conspire J > S4 x S11 j S11=7", "dial-0-0-3", "conspire J > S4 x S11 j S4=3 S11=7"],
    ],
)  # fmt: skip
def test_every_click_names_the_next_part(steps: list[str]) -> None:
    match = sitting(FRINGE)
    for before, key, after in zip(steps[:-2:2], steps[1::2], steps[2::2], strict=True):
        assert clicked(page(match, 0, before), key) == after


def test_what_cannot_be_struck_or_played_is_not_offered() -> None:
    match = sitting(FRINGE)
    html = page(match, 0, "ally 4 > S9")
    assert "reach" in re.search(r'<li class="([^"]*)" data-key="stk-S11"', html)[1]  # type: ignore[index]
    assert "reach" not in re.search(r'<li class="([^"]*)" data-key="stk-S4"', html)[1]  # type: ignore[index]
    assert clicked(html, "stack-S4") == "ally 4 > S4", "S9 with the 4 is worth 8, S4 is 9: the card joins it instead"
    html = page(match, 0, "conspire 4 > S9 x S11")
    assert 'data-key="stack-S4"' not in html, "nothing happens on a click there, so there is no button"
    limited = page(sitting(FRINGE.replace("fringe=7 deck=3,5,6,10", "fringe=4* deck=- limit=4")), 0)
    assert clicked(limited, "hand-6-0") == "", "above the limit"
    assert "you have no deck left" in limited
    assert clicked(limited, "hand-4-0") == "send 4"


def test_the_dial_offers_just_the_values_that_work() -> None:
    """Every value that the parser accepts with one of the nobles, or without, and no other."""
    match = sitting(FRINGE)
    view = match.view(0)
    for start, suffix in (
        ("conspire 6 > S11 x S7", "j S11={}"),
        ("conspire J > S9 x S7", "j S9={}"),
        ("conspire J > S14 x S12", "j S14={}"),
    ):
        works = set()
        for value in range(1, 11):
            for at in ("", "at C6", "at B5", "at CG", "at A7", "at B3"):
                try:
                    GAME.notation.parse_move(GAME, view, 0, f"{start} {at} {suffix.format(value)}", match.names)
                except Refusal:
                    continue
                works.add(value)
        (dial,) = scene(match, 0, start).drawn["dials"]
        assert {it["value"] for it in dial["values"] if it["click"]} == works
        assert works, "nothing works, so nothing was tested"


def test_the_two_player_game_has_no_control_and_wants_equal_values() -> None:
    match = sitting(BASE)
    html = page(match, 0, "conspire J > S2 x S5")
    assert "14 against 7: name the Jester" in html
    assert {
        it["value"] for it in scene(match, 0, "conspire J > S2 x S5").drawn["dials"][0]["values"] if it["click"]
    } == {3}
    assert clicked(html, "dial-0-0-3") == "conspire J > S2 x S5 j S2=3"
    assert "reads well" in page(match, 0, "conspire J > S2 x S5 j S2=3")
    assert 'class="seal' not in html
    assert 'data-key="fringe-' not in html
    assert "It is over as soon as a house has nobody here" in html
    assert clicked(page(match, 0, "ally 4 > S2"), "stack-S9") == "conspire 4 > S2 x S9"


# What the court shows


def test_value_and_controller_of_every_stack() -> None:
    found = stacks(scene(sitting(FRINGE), 0))
    shown = {key: (stack.value, "ABC"[stack.seal] if stack.seal >= 0 else "") for key, stack in found.items()}
    assert shown == {
        "S2": (14, "B"), "S4": (9, "A"), "S7": (11, "C"), "S9": (4, "C"), "S11": (3, "B"),
        "S12": (10, "A"), "S13": (8, "B"), "S14": (3, "C"), "S16": (4, ""),
    }  # fmt: skip
    tied = FRINGE.replace("players=3", "players=3 control=plurality plurality_tie=top")
    assert stacks(scene(sitting(tied), 0))["S16"].seal == 2


@pytest.mark.parametrize(
    ("text", "key", "value", "plus", "seal"),
    [
        ("conspire 6 > S11 x S7", "S11", 12, 6, 1),
        ("conspire 6 > S11 x S7 at C6 j S11=4", "S11", 6, 6, -1),
        ("ally 6 > S11", "S11", 3, 6, 0),
        ("ally 8 > S14", "S14", 3, 8, 0),
        ("ally M > S7", "S7", 11, None, 2),
        ("conspire J > S4 x S9", "S4", 9, 10, 0),
    ],
)
def test_the_stack_a_card_joins_shows_its_value_and_controller(
    text: str, key: str, value: int, plus: int | None, seal: int
) -> None:
    found = stacks(scene(sitting(FRINGE), 0, text))[key]
    assert (found.value, found.plus, found.seal) == (value, plus, seal)
    assert found.ghost is not None


def test_a_spy_that_defends_holds_a_stack_that_is_struck_alone() -> None:
    """spy_defends=true: S2 is Ben's as it lies, when a card joins it and when it strikes; Anna's as a target (M44)."""
    match = sitting(FRINGE.replace("players=3", "players=3 spy_defends=true"))
    for text, seal in (("", 1), ("ally 4 > S2", 1), ("conspire 4 > S2 x S7", 1), ("conspire 8 > S7 x S2", 0)):
        assert stacks(scene(match, 0, text))["S2"].seal == seal


def test_influence_and_what_control_of_the_inner_circle_needs() -> None:
    drawn = scene(sitting(FRINGE), 0).drawn
    assert [(part["name"], part["value"]) for part in drawn["sway"]["parts"]] == [
        ("Ben", 18),
        ("You", 13),
        ("Cleo", 10),
    ]
    assert drawn["sway"]["need"] == (21, 6)
    facts = {plate["seat"]: dict(plate["facts"]) for plate in drawn["order"]}
    assert {seat: fact["court"] for seat, fact in facts.items()} == {0: 31, 1: 41, 2: 24}
    assert [plate["seat"] for plate in drawn["order"]] == [1, 0, 2]


# Questions


STRIKE = "C conspire 5 > S2 x S4 at A9"


def test_bodyguards_are_asked_one_after_the_other_and_nobody_else_is() -> None:
    match = sitting(GUARD, STRIKE)
    html = page(match, 0)
    assert {"guard A9", "noguard"} <= offered(html)
    assert clicked(html, "single-S4-0") == "guard A9"
    queue = re.search(r'<ol class="queue".*?</ol>', html)
    assert queue
    assert re.findall(r'<li class="(\w+)">', queue[0]) == ["done", "now", "later"], "Cleo, Anna, Ben"
    for seat in (1, 2, None):
        waiting = page(match, seat)
        assert not offered(waiting)
        assert "Bodyguard can" not in waiting
        assert 'class="queue"' not in waiting
    match.play(0, "noguard")
    html = page(match, 1)
    queue = re.search(r'<ol class="queue".*?</ol>', html)
    assert queue
    assert re.findall(r'<li class="(\w+)">', queue[0]) == ["done", "no", "now"]
    assert not offered(page(match, 0))
    match.play(1, "guard A9")
    assert match.acting == [2], "Cleo puts a card back"


WHOLE = (
    "opt players=4 bodyguard_scope=any ; names Anna Ben Cleo Dan ; IC S2[D10] S4[B9 AG BG C4] S5[A8] ; "
    "OC S7[C8]@C ; A hand=4,6 fringe=(7) deck=3,5 ; B hand=3,6 fringe=(9) deck=2,5 ; "
    "C hand=3,5 fringe=(6) deck=5,7,8 ; D hand=5,6 fringe=8 deck=3,4,7 ; order B A C D ; turn D"
)


def asked_alone(match: Match, seat: int) -> set[str]:
    """What the seat is offered, when it alone is asked; the others hear nothing that their own view does not say."""
    found: set[str] = set()
    for looking in (0, 1, 2, 3, None):
        view = table_view(match, looking)
        html, model = render_table(view), view_model(view)
        following = {token.text for token in model.prepared.next} if model.prepared else set()
        if looking == seat:
            assert model.acting == [seat]
            assert {text.split()[0] for text in offered(html)} == following
            found = offered(html)
        else:
            assert not offered(html)
            assert not following
            assert 'class="queue"' not in html
            assert "Bodyguard there" not in html + model.model_dump_json()
        place = SPECTATOR if looking is None else looking
        imagined = determinize(GAME, match.view(place), place, generator(11))
        assert imagined.tobytes() != match.state.tobytes()
        imagined.chance_key[:] = match.state.chance_key
        twin = table_view(with_state(match, imagined), looking)
        assert render_table(twin) == html
        assert view_model(twin) == model
    return found


def test_bodyguards_of_a_stack_wholly_hit_are_asked_in_order() -> None:
    """bodyguard_scope=any, on the page and as JSON: Anna, then Ben; and not who has nobody left to save."""
    strike = "D conspire 5 > S2 x S4"
    match = sitting(WHOLE, strike)
    assert asked_alone(match, 0) == {"guard B9", "guard BG", "guard C4", "noguard"}
    queue = re.search(r'<ol class="queue".*?</ol>', page(match, 0))
    assert queue
    assert re.findall(r'<li class="(\w+)">', queue[0]) == ["done", "now", "later"], "Dan, Anna, Ben"
    assert "all of S4 is hit" in page(match, 0)

    match.play(0, "guard B9")
    assert asked_alone(match, 1) == {"guard C4", "noguard"}, "Anna's Bodyguard is spent, the 9 is saved"
    queue = re.search(r'<ol class="queue".*?</ol>', page(match, 1))
    assert queue
    assert re.findall(r'<li class="(\w+)">', queue[0]) == ["done", "done", "now"]
    match.play(1, "guard C4")
    assert match.acting == [3], "Dan puts a card back"
    assert [card.face.face for card in stacks(scene(match, 0))["S4"].cards] == ["B9", "C4"]

    match = sitting(WHOLE.replace("S4[B9 AG BG C4]", "S4[B9 AG BG]"), strike)
    match.play(0, "guard B9")
    assert match.acting == [3], "nothing is left that Ben could save"

    match = sitting(WHOLE.replace("scope=any", "scope=single"), strike)
    assert match.acting == [3], "as printed, nobody is asked"


ATTACK = (
    "opt players=4 bodyguard_scope={} bodyguard_saves={} ; names Anna Ben Cleo Dan ; IC S2[D10 D9] S3[C10] ; "
    "OC S4[{}]@C ; A hand=4,6 fringe=7 deck=3,5 ; B hand=3,6 fringe=9 deck=2,5 ; "
    "C hand=3,5 fringe=6 deck=5,7,8 ; D hand=2,5 fringe=8 deck=3,4,7 ; order D A B C ; turn D"
)


@pytest.mark.parametrize("saves", ["any_house", "own_house"])
@pytest.mark.parametrize(
    ("scope", "strike"),
    [("single", "2 > S3 x S4 at A2"), ("any", "2 > S3 x S4 at A2"), ("any", "5 > S2 x S4")],
    ids=["single", "any, one noble", "any, all"],
)
def test_the_queue_names_just_those_who_were_asked_and_who_will_be(scope: str, saves: str, strike: str) -> None:
    """Every way to answer, over stacks with each choice of Bodyguards: who has kept his was asked indeed (M65, M66)."""
    questions = 0
    for cards in ("A2 B3 AG", "A2 B3 BG", "A2 B3 BG CG", "A2 BG CG", "A2 C3 AG BG DG", "A2 AG BG CG"):
        match = sitting(ATTACK.format(scope, saves, cards), f"D conspire {strike}")
        to_see: list[tuple[Any, dict[int, str]]] = [(match.state, {})]
        while to_see:
            state, answers = to_see.pop()
            if state.phase not in (rules.GUARD, rules.SCAPEGOAT):
                continue
            (seat,) = seats_in(int(state.acting))
            ask = module.scene(state, seat, NAMES, Draft(GAME, state, seat, NAMES, "")).ask
            assert ask
            struck, *queue = ask.answers
            questions += 1
            assert struck.seat == 3
            assert {it.seat: it.state for it in queue if it.state in ("done", "no")} == answers, cards
            assert [it.seat for it in queue if it.state == "now"] == [seat]
            coming = [it.seat for it in queue if it.state == "later"]
            actions = GAME.legal(state, seat).tolist()
            after = play_on_view(GAME, state, seat, actions[-1])
            asked_next = seats_in(int(after.acting)) if after.phase == rules.GUARD else []
            assert coming[:1] == asked_next, "who comes next when this one keeps his"
            to_see.append((after, answers | {seat: "no"}))
            for action in actions[:-1]:
                to_see.append((play_on_view(GAME, state, seat, action), answers | {seat: "done"}))
    assert questions


def test_the_controller_chooses_whom_the_scapegoat_saves() -> None:
    match = sitting(SCAPEGOAT, "B conspire 3 > S16 x S12")
    html = page(match, 0)
    assert {"scapegoat A6", "scapegoat A7", "noscapegoat"} <= offered(html)
    assert clicked(html, "single-S12-1") == "scapegoat A6"
    chosen = page(match, 0, "scapegoat A6")
    assert "Give the 5" in chosen
    assert 'data-key="instead"' in chosen
    assert "B3" not in {text.split()[-1] for text in offered(html)}, "a noble of another house cannot be saved so"


def test_both_stacks_show_what_they_were_declared_worth() -> None:
    """With Jesters on both sides, to the one who is asked, to the others and to spectators (M04, M06)."""
    for stack, at, seal in (
        ("B9 CJ B5", "", 1),
        ("B9 BJ BS", "", 1),
        ("B9 CJ BS", "", UNKNOWN),
        ("C9 C8 CJ", " at A7", UNKNOWN),
    ):
        position = SCAPEGOAT.replace("B9 B5", stack).replace("S12[A7 A6 B3]", "S12[A7 AJ B3]")
        match = sitting(position, f"B conspire 3 > S16 x S12{at} j S16=9 S12=6")
        for seat in (0, 1, 2, None):
            found = stacks(scene(match, SPECTATOR if seat is None else seat))
            worth = sum({"9": 9, "8": 8, "5": 5, "S": 1, "J": 9}[card[1]] for card in stack.split()) + 3
            assert {key: found[key].value for key in ("S16", "S12")} == {"S16": worth, "S12": 16}
            assert [found[key].seal for key in ("S16", "S12")] == [seal, 0]
            html = page(match, seat)
            assert f"; worth {worth}" in html
            assert "; worth 16, controlled by" in html


def test_the_cards_just_drawn_lie_last_and_are_called_so() -> None:
    """Also of two equal cards the one that came now; to nobody else, and not after the turn."""
    position = FRINGE.replace("deck=3,5,6,10", "deck=M,5,6,10")
    match = sitting(position, "A send 8")
    hand = scene(match, 0).drawn["hand"]
    assert [(it["face"].rank, it["drawn"]) for it in hand] == [
        ("4", False), ("6", False), ("M", False), ("J", False), ("7", True), ("M", True),
    ]  # fmt: skip
    html = page(match, 0)
    assert html.count('<span class="drawn"><button') == html.count(", just drawn") == 2
    for seat in (1, 2, None):
        assert "just drawn" not in page(match, seat)
    match.play(0, "put M")
    assert "just drawn" not in page(match, 0)


def test_the_card_put_back_shows_to_its_owner_alone() -> None:
    match = sitting(FRINGE, "A send 8")
    html = page(match, 0)
    assert clicked(html, "hand-J-0") == "put J"
    assert "one goes here" in html
    assert "All saw the 7 go to your hand" in html
    match.play(0, "put J")
    assert "Next fringe card, face down" in page(match, 0)
    for seat in (1, 2, None):
        assert "Anna’s Jester" not in page(match, seat)


def test_the_end_opens_hands_and_keeps_the_court() -> None:
    over = FRINGE.replace("turn A", "turn A ; over 2")
    html = page(sitting(over), 1)
    assert "Inner Circle" in html
    assert html.count('class="openhand"') == 3
    assert 'id="deed"' not in html
    assert "Anna’s Minister" in html


def test_no_card_is_read_aloud_as_a_mere_sign() -> None:
    read = re.findall(r'<span class="chip [^"]*" role="img" aria-label="([^"]*)"', page(wander(3, 8, 40), 0))
    assert any(words.endswith("of house C") for words in read)
    assert not [words for words in read if re.fullmatch(r"[ABCD][0-9A-Z]{1,2}", words)]


def test_a_scapegoat_keeps_the_capitals_of_its_sentence() -> None:
    match = sitting(SCAPEGOAT.replace("fringe=5", "fringe=M"), "B conspire 4 > S16 x S12")
    assert scene(match, 0, "scapegoat A6").say == "The Minister for your 6"
