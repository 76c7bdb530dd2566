"""Settings to test a game under, and random play under them."""

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from itertools import combinations, product
from typing import Any, get_args
from unittest import mock

import numpy as np

from backroom.engine import rng
from backroom.engine.facts import facts_of
from backroom.engine.game import Game, Refusal, find_game, game_names
from backroom.engine.match import Match, Move
from backroom.engine.record import SPECTATOR

PLAYERS = (
    "anna", "ben", "cleo", "dan", "eve", "finn", "gus", "hal", "ivy", "joe", "kim", "leo", "mia", "ned", "olga", "pia",
)  # fmt: skip
SEEDS = 1000
"""More than the numbers by which checks tell their random games apart."""


@dataclass(frozen=True)
class Setting:
    """A number of seats and the options that differ from their defaults.

    ``seed`` gives the checks other random games. ``made`` holds the match that was made last: while a check runs, the
    one that it looks at.
    """

    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = field(default=0, compare=False)
    made: list[Match] = field(default_factory=list, compare=False, repr=False)

    def __str__(self) -> str:
        return " ".join([f"{self.seats}p", *(f"{name}={value}" for name, value in self.options.items())])

    def match(self, game: Game, number: int) -> Match:
        """The opening of random game ``number``."""
        self.made[:] = [Match.new(game, PLAYERS[: self.seats], self.options, SEEDS * self.seed + number)]
        return self.made[0]

    def source(self, number: int) -> random.Random:
        """What chooses the moves of random game ``number``."""
        return random.Random(SEEDS * self.seed + number)

    def allowed(self, game: Game) -> bool:
        return refusal_of(lambda: self.match(game, 0)) is None


def option_values(game: Game, name: str) -> list[Any]:
    """Values of an option other than its default: those of the facts, or all words, or the ends of a range."""
    info = game.options.model_fields[name]
    default = info.default
    suggestions = game.options.extra(name).get("suggestions", ())
    values = list(facts_of(game).values.get(name) or game.options.choices(name) or suggestions)
    if not values:
        values = [end for end in game.options.ends(name) if end is not None]
        values += [None] * (type(None) in get_args(info.annotation))
    return list(dict.fromkeys(value for value in values if value != default or type(value) is not type(default)))


def every_setting(game: Game) -> list[Setting]:
    """Every seat count with the printed rules, and every value of every option at one seat count each."""
    counts = list(game.seats)
    found = [Setting(count) for count in counts]
    turn = 0
    for name in game.options.model_fields:
        for value in option_values(game, name):
            for context in ({}, *facts_of(game).contexts.get(name, ())):
                tried = [
                    Setting(count, {k: v for k, v in context.items() if k != "seats"} | {name: value})
                    for count in ([context["seats"]] if "seats" in context else counts[turn:] + counts[:turn])
                ]
                setting = next((one for one in tried if one.allowed(game)), None)
                if setting is not None:
                    break
            assert setting is not None, f"option {name}={value!r} is refused at every number of seats"
            found.append(setting)
            turn = (turn + 1) % len(counts)
    return found


def sample(game: Game) -> list[Setting]:
    """Few settings in which every number of seats and every pair of values of two options occur (a covering array).

    The first is the printed rules. An option together with the seats at which it matters, which the facts name, is a
    pair, too. Pairs that are refused at every number of seats are left out.
    """
    fields = game.options.model_fields
    values: dict[str, list[Any]] = {name: [fields[name].default, *option_values(game, name)] for name in fields}
    values["seats"] = list(game.seats)
    places = {name: range(len(of)) for name, of in values.items()}
    pairs = [
        frozenset({(one, i), (other, j)})
        for one, other in combinations(fields, 2)
        for i, j in product(places[one], places[other])
    ]
    for name in fields:
        seats = [context["seats"] for context in facts_of(game).contexts.get(name, ()) if "seats" in context]
        pairs += [frozenset({(name, i), ("seats", values["seats"].index(n))}) for n in seats for i in places[name]]
    source = random.Random(0)
    source.shuffle(pairs)
    missing = dict.fromkeys(pairs)
    found, used = [Setting(game.seats.start)], Counter({game.seats.start: 1})

    def allowed(row: Mapping[str, int]) -> Setting | None:
        """The setting of a row, at the number of seats that was used least; None: it is refused at each."""
        options = {name: values[name][row[name]] for name in fields if row.get(name)}
        counts = [values["seats"][row["seats"]]] if "seats" in row else sorted(game.seats, key=used.__getitem__)
        return next((one for count in counts if (one := Setting(count, options)).allowed(game)), None)

    _cover(missing, dict.fromkeys(values, 0))
    while missing:
        pair = dict(sorted(next(iter(missing))))
        row = dict(pair)
        for name in source.sample(sorted(fields), len(fields)):
            if name not in row:
                gains = [sum(frozenset({(name, i), at}) in missing for at in row.items()) for i in places[name]]
                row[name] = gains.index(max(gains))  # of equals the first, which is the default
        setting = allowed(row)
        if setting is None and (setting := allowed(pair)) is not None:
            # Others stand in its way: as many as may come with it do.
            wanted, row = row, pair
            for name, i in wanted.items():
                wider = row | {name: i}
                if i and name not in row and (fitting := allowed(wider)) is not None:
                    row, setting = wider, fitting
        if setting is not None:
            found.append(setting)
            used[setting.seats] += 1
            _cover(missing, dict.fromkeys(fields, 0) | row | {"seats": values["seats"].index(setting.seats)})
        missing.pop(frozenset(pair.items()), None)
    return found + [Setting(count) for count in game.seats if not used[count]]


def _cover(missing: dict[frozenset[tuple[str, int]], None], row: Mapping[str, int]) -> None:
    for pair in combinations(row.items(), 2):
        missing.pop(frozenset(pair), None)


def refusal_of(call: Callable[[], Any]) -> Refusal | None:
    """The refusal a call ends in, or None when it is accepted. Any other exception passes through."""
    try:
        call()
    except Refusal as problem:
        return problem
    return None


def random_move(game: Game, state: Any, seat: int, source: random.Random, hinted: bool = False) -> list[int] | None:
    """The actions of a random whole move; None when the seat is stuck (`check_legal` reports that).

    With ``hinted`` the game's playout policy chooses, from the seat's view.
    """
    words = rng.generator(source.getrandbits(32))
    state = game.state.from_bytes(state.tobytes())
    log = game.events.new_log(recording=False)
    actions: list[int] = []
    while not actions or int(state.midmove) >> seat & 1:
        legal = game.legal(state, seat)
        if not len(legal):
            return None
        if hinted:
            view = game.state.view(state, seat)
            actions.append(int(game.kernels["policy"](view, seat, legal, len(legal), words)))
        else:
            actions.append(int(source.choice(legal)))
        game.kernels["apply"](state, seat, actions[-1], log)
    return actions


def repeat(match: Match, move: Move) -> None:
    """Make a move, or say a message, of another match."""
    if move.message is None:
        match.play_actions(move.seat, move.actions)
    else:
        match.play(move.seat, move.text)


def play_on(match: Match, source: random.Random, plies: int, hinted: bool = False) -> Iterator[Match]:
    """The match as it is and after each random move, until it is over, a seat is stuck, or ``plies`` were played.

    With ``hinted`` moves follow the game's playout policy.
    """
    yield match
    phrases = facts_of(match.game).phrases
    for _ in range(plies):
        if match.over or not match.acting:
            return
        if phrases and source.random() < 0.3:
            with suppress(Refusal):
                match.play(source.randrange(int(match.state.seats)), source.choice(phrases))
                yield match
        seat = source.choice(match.acting)
        actions = random_move(match.game, match.state, seat, source, hinted)
        if actions is None:
            return
        match.play_actions(seat, actions)
        yield match


def positions(game: Game, setting: Setting, number: int, count: int, plies: int = 120) -> Iterator[Match]:
    """Matches at ``count`` plies spread over random game ``number``: its opening, early ones, and its end."""
    match = setting.match(game, number)
    for _ in play_on(match, setting.source(number), plies):
        pass
    moves = match.moves
    for ply in sorted({round(i * len(moves) / max(count - 1, 1)) for i in range(count)}):
        match = setting.match(game, number)
        for move in moves[:ply]:
            repeat(match, move)
        yield match


def viewers(match: Match) -> list[int]:
    """Every seat, and the spectator."""
    return [*range(int(match.state.seats)), SPECTATOR]


def bare(game: Game, state: Any) -> bytes:
    """A state's bytes without the chance header."""
    state = game.state.from_bytes(state.tobytes())
    state.chance_key[:] = 0
    state.chance_count[:] = 0
    return bytes(state.tobytes())


def differing(game: Game, one: Any, other: Any) -> list[str]:
    """Names of the fields in which two states differ, chance header aside."""
    names = [name for name in game.state.fields if not name.startswith("chance_")]
    return [name for name in names if not np.array_equal(one[name], other[name])]


def locator(game: Game) -> str:
    """What another process finds this game by (`locate`): its name, or where it stands if it is not installed."""
    if game.name in game_names():
        return game.name
    package = game.rules.__package__.partition(".")[0]
    for module in [name for name in sys.modules if name.partition(".")[0] == package]:
        for attribute, value in vars(sys.modules[module]).items():
            if value is game:
                return f"{module}:{attribute}"
    raise LookupError(f"no module of {package} has this game")


def locate(word: str) -> Game:
    """The game that `locator` gave this word for."""
    module, _, attribute = word.partition(":")
    found: Game = getattr(import_module(module), attribute) if attribute else find_game(word)
    return found


@contextmanager
def registered(game: Game) -> Iterator[None]:
    """Makes import of match files find a game that is not installed."""
    if game.name in game_names():
        yield
        return
    with (
        mock.patch("backroom.engine.match.find_game", {game.name: game}.__getitem__),
        mock.patch("backroom.engine.match.game_names", return_value=[game.name]),
    ):
        yield
