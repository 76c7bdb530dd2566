"""Every installed game, and the correct toy, pass every check."""

from collections.abc import Callable

import pytest

from backroom.engine.game import Game, find_game, game_names
from conformance.play import Setting, settings
from conformance.suite import EACH_SETTING, ONCE
from toys.bazaar import GAME as BAZAAR

GAMES = [find_game(name) for name in game_names()] + [BAZAAR]


@pytest.mark.parametrize("check", ONCE, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_game(game: Game, check: Callable[[Game], None]) -> None:
    check(game)


@pytest.mark.parametrize("check", EACH_SETTING, ids=lambda check: check.__name__)
@pytest.mark.parametrize(
    ("game", "setting"),
    [pytest.param(game, setting, id=f"{game.name} {setting}") for game in GAMES for setting in settings(game)],
)
def test_setting(game: Game, setting: Setting, check: Callable[[Game, Setting], None]) -> None:
    check(game, setting)
