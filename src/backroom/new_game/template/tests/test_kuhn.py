"""Tests of Kuhn poker: what every game must pass, and what only its author can know."""

import pytest
from kuhn import GAME

from backroom.conformance.suite import CHECKS, Check, examine
from backroom.engine.match import Match


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_every_game_must_pass(check: Check) -> None:
    failures = [result.failure for result in examine(GAME, [check]) if result.failure]
    assert not failures


def test_the_higher_card_wins_a_call() -> None:
    match = Match.from_position(GAME, "{hands=1} | anna ben | acting anna | card 3 2 | stake 1 1 | hand 1")
    match.play(0, "bet")
    match.play(1, "call")
    assert GAME.outcome(match.state) == ([2, -2], [1, 2])
