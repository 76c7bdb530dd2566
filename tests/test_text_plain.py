"""The notation made from rules alone, of a game with hands, offers, sealed bids and moves of several actions."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from backroom.conformance import secrecy, text
from backroom.conformance.play import PLAYERS, Setting, play_on
from backroom.engine.game import Game, Refusal
from backroom.engine.match import Match
from backroom.engine.options import Options
from backroom.engine.record import ALL_KNOWING, SPECTATOR, record, secret
from backroom.text.plain import PlainNotation
from toys.bazaar import GAME, rules
from toys.bazaar.options import BazaarOptions

PLAIN = replace(GAME, notation=PlainNotation(rules, BazaarOptions))
CHECKS: tuple[Callable[[Game, Setting], None], ...] = (
    text.check_moves_round_trip,
    text.check_completions,
    text.check_positions_round_trip,
    text.check_garbage_is_refused,
    text.check_bad_positions_are_refused,
    secrecy.check_twins,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("setting", [Setting(2), Setting(3, {"bids": "sealed", "target": 8})], ids=str)
def test_what_every_notation_must_do(check: Callable[[Game, Setting], None], setting: Setting) -> None:
    check(PLAIN, setting)


def test_a_move_of_several_actions_is_read_as_a_whole() -> None:
    match = Match.new(PLAIN, ["anna", "ben"], seed=26)
    cards = [kind for kind, count in enumerate(match.state.hand[0]) for _ in range(count)]
    move = match.play(0, "sell 2 " + " ".join(f"pick {card}" for card in cards))
    assert len(move.actions) == 4
    assert [line.text for _, line in match.lines(SPECTATOR)[-3:]] == [f"anna sold: card {card}." for card in cards]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("fly", "possible here: draw, offer, sell, stay"),
        ("sell 0", "the move is not whole after 'sell 0'; possible next: pick"),
        ("sell 0 fly", "cannot read 'fly' after 'sell 0'; possible here: pick"),
        ("stay home", "the move is whole before 'home'"),
        ("", "the move is not whole; possible next: draw"),
    ],
)
def test_what_is_no_move_is_refused_with_what_is_possible(typed: str, said: str) -> None:
    match = Match.new(PLAIN, ["anna", "ben"], seed=26)
    with pytest.raises(Refusal, match=said) as refused:
        match.play(0, typed)
    assert refused.value.code == "E_SYNTAX"


def test_how_many_hidden_numbers_a_position_has_tells_nothing() -> None:
    """A pile with as many places as there are seats is cut to the seats that play, whatever lies beyond them."""
    state_type = record(4, ("only",), pile=secret(np.int8, 4))
    notation = PlainNotation(SimpleNamespace(STATE=state_type), Options)
    lines = set()
    for card in (0, 5):
        state = state_type.new()
        state.seats = 2
        state.pile[3] = card
        lines.add(notation.position(state, ("anna", "ben"), SPECTATOR))
    assert lines == {"{} | anna ben | pile ? ?"}
    assert notation.position(state, ("anna", "ben"), ALL_KNOWING) == "{} | anna ben | pile 0 0 0 5"


def test_a_position_hides_what_its_viewer_may_not_know() -> None:
    match = Setting(2).match(PLAIN, 1)
    for _ in play_on(match, Setting(2).source(1), 6):
        pass
    for viewer in (0, 1, SPECTATOR):
        line = PLAIN.notation.position(match.state, match.names, viewer)
        hands = next(part for part in line.split(" | ") if part.startswith("hand ")).split()[1:]
        own = [
            ",".join(map(str, row)) if seat == viewer else "?" for seat, row in enumerate(match.state.hand[:2].tolist())
        ]
        assert hands == own
        assert f"deck {' '.join('?' * rules.CARDS)}" in line
        assert line == PLAIN.notation.position(match.view(viewer), match.names, viewer)


@pytest.mark.parametrize(
    "line",
    [
        "{} | anna ben | acting anna | hand 1,0,0",  # a row that is too short
        "{} | anna ben | acting anna | hand 1,0,0,0 0,0,0,0 0,0,0,0 0,0,0,0 0,0,0,0",  # more rows than seats
        "{} | anna ben | acting anna | discard 99",  # beyond its bound
        "{} | anna ben | acting anna | coins many",
        "{} | anna ben | acting dan",
        "{} | anna ben",  # nobody acts, and it is not over
        "{} | anna ben | acting anna | midmove ben",
        "{} | anna ben | acting anna | chance_key 1",
    ],
)
def test_a_position_that_cannot_be_is_refused(line: str) -> None:
    with pytest.raises(Refusal, match="E_POSITION"):
        PLAIN.notation.parse_position(PLAIN, line)


@pytest.mark.parametrize(
    ("steps", "wrong"),
    [
        ("> anna draw, ben stay => hand_size 4 3; deck_size 13", ""),
        ("> anna draw => hand_size 4 4", "hand_size: expected 4 4, it is 4 3"),
        ("> anna draw => hands 4", "there is no field 'hands'"),
        ("> anna draw => wins anna", "wins: expected anna, it is "),
        ("> dan draw", "nobody is called 'dan'"),
        ("! ben draw E_ACTOR", ""),
    ],
)
def test_examples_compare_fields_and_winners(steps: str, wrong: str) -> None:
    match = Match.new(PLAIN, PLAYERS[:2], seed=2)
    position = PLAIN.notation.position(match.state, match.names, ALL_KNOWING)
    (example,) = PLAIN.notation.examples(PLAIN, f"E1 {position}\n{steps}")
    found = "\n".join(example.check())
    assert wrong in found
    assert bool(found) == bool(wrong)
