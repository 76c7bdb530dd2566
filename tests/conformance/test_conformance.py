"""Every installed game, and the correct toy, pass every check.

`make test` runs them in the settings of the `sample`, `make test-all` in every single one as well.
"""

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

import pytest

from backroom.conformance.play import Setting, option_values, sample, settings
from backroom.conformance.replay import check_uncompiled
from backroom.conformance.suite import EACH_SETTING, ONCE
from backroom.engine.game import Game, find_game, game_names
from toys.bazaar import GAME as BAZAAR

GAMES = [find_game(name) for name in game_names()] + [BAZAAR]


@pytest.mark.parametrize("check", ONCE, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_game(game: Game, check: Callable[[Game], None]) -> None:
    check(game)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_game_uncompiled_in_every_setting(game: Game) -> None:
    check_uncompiled(game, every=True)


def every_setting() -> Iterator[Any]:
    """Game and setting, those that are not of the sample marked as long."""
    for game in GAMES:
        few = sample(game)
        for setting in few + [setting for setting in settings(game) if setting not in few]:
            marks = [] if setting in few else [pytest.mark.long]
            yield pytest.param(game, setting, id=f"{game.name} {setting}", marks=marks)


@pytest.mark.parametrize("check", EACH_SETTING, ids=lambda check: check.__name__)
@pytest.mark.parametrize(("game", "setting"), [*every_setting()])
def test_setting(game: Game, setting: Setting, check: Callable[[Game, Setting], None]) -> None:
    check(game, setting)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_sample_has_every_pair_of_values_and_every_number_of_seats(game: Game) -> None:
    fields, few = game.options.model_fields, sample(game)
    assert {setting.seats for setting in few} == set(game.seats)
    assert few[0] == Setting(game.seats.start), "the printed rules"
    values = {name: [field.default, *option_values(game, name)] for name, field in fields.items()}
    for one, other in combinations(fields, 2):
        tried = [tuple(repr(each.options.get(name, fields[name].default)) for name in (one, other)) for each in few]
        for a, b in product(values[one], values[other]):
            if (repr(a), repr(b)) not in tried:
                alone = [Setting(seats, {one: a, other: b}) for seats in game.seats]
                assert not any(setting.allowed(game) for setting in alone), f"{one}={a!r} with {other}={b!r}"
