"""The suite bites: each broken toy fails exactly the check that is meant for it.

A truthful resample fails two; so do unsorted actions, which are unsorted for who looks ahead too, a player without any,
and shared states, which change when somebody asks what would be played.
"""

from collections.abc import Callable
from typing import Any

import pytest

from backroom.conformance.play import Setting
from backroom.conformance.replay import check_uncompiled
from backroom.conformance.suite import EACH_SETTING, ONCE
from backroom.engine.game import Game
from toys import broken

MEANT = {
    "PEEKING": "check_twins",
    "DRAWING": "check_events_tell_no_more_than_views",
    "TELLING": "check_actions_tell_no_more_than_views",
    "PLAIN_LABELS": "check_actions_tell_no_more_than_views",
    "FORESEEING": "check_unfinished_moves_depend_on_nothing_hidden",
    "TRUTHFUL": "check_resample_varies check_resample_is_uniform",
    "LOPSIDED": "check_resample_is_calibrated",
    "IMPOSSIBLE": "check_resample_is_legal",
    "ABANDONING": "check_resample_is_legal",
    "SHARING": "check_past_states_stay check_only_seats_act",
    "SPENDING": "check_chance_is_isolated",
    "STRAYING": "check_uncompiled",
    "UNSORTED": "check_legal check_ahead",
    "STUCK": "check_legal check_resample_is_legal",
    "HASTY": "check_ahead",
    "LOSING": "check_conserved check_resample_is_legal",
    "SQUEEZED": "check_bounds",
    "DEAF": "check_options_bite",
    "SHOUTING": "check_moves_round_trip",
    "NAMING": "check_lines_name_players_apart",
    "FORGETFUL": "check_positions_round_trip",
}
ALL: tuple[Callable[..., Any], ...] = (*ONCE, *EACH_SETTING)


def fails(game: Game, check: Callable[..., Any]) -> bool:
    try:
        if check in ONCE:
            check(game)
        else:
            check(game, Setting(3))
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize(("name", "meant"), MEANT.items(), ids=MEANT)
def test_broken_toy_fails_the_check_meant_for_it_and_no_other(name: str, meant: str) -> None:
    game = getattr(broken, name)
    # A process of its own for every toy takes long; only the toy meant for it is run uncompiled.
    checks = [check for check in ALL if check is not check_uncompiled or meant == check.__name__]
    assert {check.__name__ for check in checks if fails(game, check)} == set(meant.split())
