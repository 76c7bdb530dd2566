"""The suite bites: each broken toy fails exactly the check that is meant for it.

A truthful resample fails two; so do unsorted actions, which are unsorted for who looks ahead too, a player without any,
and shared states, which change when somebody asks what would be played.
"""

import pytest

from backroom.conformance.play import Setting
from backroom.conformance.replay import check_uncompiled
from backroom.conformance.suite import CHECKS, Check
from backroom.engine.game import Game
from toys import broken

MEANT = {
    "PEEKING": "twins",
    "DRAWING": "events_tell_no_more_than_views",
    "TELLING": "actions_tell_no_more_than_views",
    "PLAIN_LABELS": "actions_tell_no_more_than_views",
    "FORESEEING": "unfinished_moves_depend_on_nothing_hidden",
    "TRUTHFUL": "resample_varies resample_is_uniform",
    "LOPSIDED": "resample_is_calibrated",
    "IMPOSSIBLE": "resample_is_legal",
    "ABANDONING": "resample_is_legal",
    "SHARING": "past_states_stay only_seats_act",
    "SPENDING": "chance_is_isolated",
    "STRAYING": "uncompiled",
    "UNSORTED": "legal ahead",
    "STUCK": "legal resample_is_legal",
    "HASTY": "ahead",
    "LOSING": "conserved resample_is_legal",
    "SQUEEZED": "bounds",
    "DEAF": "options_bite",
    "SHOUTING": "moves_round_trip",
    "NAMING": "lines_name_players_apart",
    "FORGETFUL": "positions_round_trip",
}


def fails(game: Game, check: Check) -> bool:
    try:
        check.run(game, [Setting(3)] if check.once else Setting(3))
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize(("name", "meant"), MEANT.items(), ids=MEANT)
def test_broken_toy_fails_the_check_meant_for_it_and_no_other(name: str, meant: str, every: int) -> None:
    """Of the others it is given every third one, from toy to toy the next; with `make test-all` all of them."""
    game, number = getattr(broken, name), list(MEANT).index(name)
    # A process of its own for every toy takes long; only the toy meant for it is run uncompiled.
    others = [check for turn, check in enumerate(CHECKS) if (turn + number) % every == 0]
    checks = [check for check in CHECKS if check.name in meant.split()]
    checks += [check for check in others if check not in checks and check.run is not check_uncompiled]
    assert {check.name for check in checks if fails(game, check)} == set(meant.split())
