"""Every installed game, and the correct toy, pass every check.

`make test` runs them in the settings of the `sample`: each check in the printed rules and in every third setting, each
setting with every third check; `make test-all` runs all checks there and in every single setting as well.
"""

import ast
import inspect
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest

from backroom import conformance
from backroom.conformance.play import Setting, every_setting, option_values, sample
from backroom.conformance.replay import check_uncompiled
from backroom.conformance.suite import CHECKS, Check, places
from backroom.engine.game import Game, find_game, game_names
from backroom.web.page_check import PAGES
from toys.bazaar import GAME as BAZAAR

GAMES = [find_game(name) for name in game_names()] + [BAZAAR]
SAMPLES = {game.name: sample(game) for game in GAMES}


@pytest.mark.parametrize("check", [check for check in CHECKS if check.once], ids=lambda check: check.name)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_game(game: Game, check: Check) -> None:
    # What runs uncompiled takes long: each second setting of the sample here, every one in the test below.
    check.run(game, SAMPLES[game.name][:: 2 if check.run is check_uncompiled else 1])


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_game_uncompiled_in_every_setting(game: Game) -> None:
    check_uncompiled(game, every_setting(game))


EVERYWHERE = [check for check in CHECKS if not check.once]
EVERY = 3


def settings() -> Iterator[Any]:
    """Game, setting and check: those that only `make test-all` runs are marked as long."""
    for game in GAMES:
        few = SAMPLES[game.name]
        for number, setting in enumerate(few + [setting for setting in every_setting(game) if setting not in few]):
            for turn, check in enumerate(EVERYWHERE):
                marks = [pytest.mark.long] if number >= len(few) or ((number + turn) % EVERY and number) else []
                yield pytest.param(game, setting, check, id=f"{game.name} {setting}-{check.name}", marks=marks)


@pytest.mark.parametrize(("game", "setting", "check"), [*settings()])
def test_setting(game: Game, setting: Setting, check: Check) -> None:
    check.run(game, setting)


def test_every_check_says_what_it_means_and_what_is_wrong() -> None:
    assert len({check.name for check in CHECKS}) == len(CHECKS)
    for check in CHECKS:
        assert check.meaning.endswith(".")
    for source in Path(inspect.getfile(conformance)).parent.glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.Assert):
                assert node.msg is not None, f"{source.name}, line {node.lineno}: nothing is said"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_check_has_a_place_to_look_at_in_every_game(game: Game) -> None:
    for check in (*CHECKS, PAGES):
        found = [place for word in check.look.split() for place in places(game, word)]
        without = (check.name == "ahead" and not game.looks_ahead) or (check is PAGES and game is BAZAAR)
        assert found or without, check.name
        for place in found:
            at, _, name = place.partition(" ")
            file, _, line = at.partition(":")
            assert Path(file).exists(), place
            if "." in name:  # something in a part of the game, perhaps below its decorator
                lines = Path(file).read_text("utf-8").splitlines()
                declared, short = " ".join(lines[int(line) - 1 : int(line) + 1]), name.rpartition(".")[2]
                # One kernel may serve under two names: then it is found by the first.
                another = next((text.split(" = ")[1] for text in lines if text.startswith(f"{short} = ")), short)
                assert short in declared or f"def {another}(" in declared, place


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_sample_has_every_pair_of_values_and_every_number_of_seats(game: Game) -> None:
    fields, few = game.options.model_fields, SAMPLES[game.name]
    assert {setting.seats for setting in few} == set(game.seats)
    assert few[0] == Setting(game.seats.start), "the printed rules"
    values = {name: [field.default, *option_values(game, name)] for name, field in fields.items()}
    for one, other in combinations(fields, 2):
        tried = [tuple(repr(each.options.get(name, fields[name].default)) for name in (one, other)) for each in few]
        for a, b in product(values[one], values[other]):
            if (repr(a), repr(b)) not in tried:
                alone = [Setting(seats, {one: a, other: b}) for seats in game.seats]
                assert not any(setting.allowed(game) for setting in alone), f"{one}={a!r} with {other}={b!r}"
