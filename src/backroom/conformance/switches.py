"""Rule switches: defaults are the printed rules, every switch bites."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, zip_longest
from typing import Any

import numpy as np

from backroom.conformance.play import Setting, every_setting, option_values, play_on, refusal_of
from backroom.conformance.rules import is_witness
from backroom.engine.facts import facts_of
from backroom.engine.game import Game, Refusal
from backroom.engine.match import Match
from backroom.engine.record import SPECTATOR

GAMES, MOVES = 6, 250


def check_settings(game: Game, settings: Sequence[Setting]) -> None:
    """Every value of every option sets up at some number of seats. Nothing else is checked before this passes."""
    every_setting(game)


def check_defaults_are_printed_rules(game: Game, settings: Sequence[Setting]) -> None:
    """Options without a word are what the facts give as the printed rules."""
    defaults = facts_of(game).defaults
    if defaults is not None:
        found = game.options().model_dump()
        for name in {*found, *defaults}:
            one, other = found.get(name, "no option"), defaults.get(name, "not stated")
            assert one == other, f"option {name} is {one!r} by default, but the printed value in the facts is {other!r}"


def check_unknown_options_are_refused(game: Game, settings: Sequence[Setting]) -> None:
    """Names and values that no option has are refused with E_SETUP or a code the options name, presets included."""
    wrong: tuple[dict[str, Any], ...] = (
        {"no_such_option": 1},
        {"preset": "no such preset"},
        {"preset": []},
        {"": None},
    )
    for values in wrong:
        _expect_setup_refusal(game, values)
    for name in game.options.model_fields:
        nonsense: tuple[Any, ...] = ("no such value", [1], {})
        for value in nonsense:
            _expect_setup_refusal(game, {name: value}, game.options.refusal_codes)
    for preset in game.options.presets:
        problem = refusal_of(partial(game.options.build, {"preset": preset}))
        assert problem is None, f"preset {preset} is refused: {problem}"


def _expect_setup_refusal(game: Game, values: dict[str, Any], codes: frozenset[str] = frozenset({"E_SETUP"})) -> None:
    problem = refusal_of(lambda: Setting(game.seats.start, values).match(game, 0))
    assert problem is not None, f"options {values} were accepted"
    assert problem.code in codes, f"options {values} are refused with another code: {problem}"
    assert "\n" not in problem.message, f"options {values}: the refusal has more than one line: {problem}"


def _contexts(game: Game, name: str) -> Iterator[Mapping[str, Any]]:
    """Other options under which an option may matter: those of the facts, none, then each other option alone."""
    yield from facts_of(game).contexts.get(name, ())
    yield {}
    for other in game.options.model_fields:
        if other != name:
            for value in option_values(game, other):
                yield {other: value}


def _trace(match: Match, source: random.Random, hinted: bool) -> Iterator[Any]:
    """What happens in one random game, without the fields that merely hold the options."""
    game = match.game
    held = set(match.options.encode(match.players)) | {"chance_key"}
    fields = [name for name in game.state.fields if name not in held]
    yield match.names, match.opening_events
    for _ in play_on(match, source, MOVES, hinted):
        legal = [game.legal(match.state, seat).tolist() for seat in match.acting]
        lines = match.lines(SPECTATOR, max(match.ply - 2, 0))
        yield match.moves[-1:], lines, legal, [np.asarray(match.state[name]).tobytes() for name in fields]


def bites(game: Game, name: str, value: Any, printed: Setting) -> bool:
    """Whether on the same luck and the same random choices some game differs from one with the default."""
    for context in _contexts(game, name):
        options = {key: chosen for key, chosen in context.items() if key != "seats"}
        counts = [context["seats"]] if "seats" in context else [*{game.seats.start, game.seats.stop - 1}]
        for seats in counts:
            settings = [replace(printed, seats=seats, options=one) for one in (options, options | {name: value})]
            for number in range(GAMES):
                try:
                    matches = [setting.match(game, number) for setting in settings]
                except Refusal:
                    break
                traces = (_trace(match, printed.source(number), number % 2 == 1) for match in matches)
                if any(one != two for one, two in zip_longest(*traces)):
                    return True
    return False


def check_options_bite(game: Game, settings: Sequence[Setting]) -> None:
    """Every value of every option changes something that play can reach, or a named test shows what it changes."""
    shown_by = facts_of(game).shown_by
    for name in game.options.model_fields:
        if name in shown_by:
            assert is_witness(game, shown_by[name]), f"option {name}: no test {shown_by[name]!r}"
            continue
        values = option_values(game, name)
        assert values, f"option {name}: its type lists no values; state some in `values` of the facts"
        for value in islice(values, 12):
            assert bites(game, name, value, settings[0]), f"option {name}={value!r} changed nothing in any random game"
