"""Simulation: many games between bots, on all cores, the same result from the same seed whatever the number of workers.

Game i of a run with seed s has the match seed of the text ``s/i``, so any simulated opening can be looked at with
``backroom.engine.match.Match.new(game, players, options, seed="s/i")``; the bots' generators depend on s, i and seat.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from backroom.bots import Bot, make_bot
from backroom.bots.batch import Played, batched, play_games, prepare_games
from backroom.bots.bot import play_match
from backroom.bots.observer import Observer
from backroom.bots.restriction import allowed_actions
from backroom.bots.threads import aside, cores, in_order
from backroom.engine import rng
from backroom.engine.game import CAPPED, Game, Refusal, find_game
from backroom.engine.kernel import Int, kernel
from backroom.engine.options import Options
from backroom.lab.seeds import game_key, game_keys
from backroom.lab.stats import Interval, goodman, wilson

__all__ = [
    "Interrupted",
    "Simulation",
    "Summary",
    "play_batch",
    "simulate",
    "simulation_options",
    "win_shares",
]

TASK = 0.05
"""Seconds of processor time of one task of compiled whole games: long against what is done between two."""
FEWEST = 20
"""Games of the smallest task of that kind."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C while games were played. ``result`` is what the first games showed, as if no more had been asked for."""

    def __init__(self, result: Any) -> None:
        super().__init__("interrupted")
        self.result = result


class Summary(NamedTuple):
    """A distribution in four numbers."""

    mean: float
    p10: float
    median: float
    p90: float

    @classmethod
    def of(cls, counts: NDArray[np.int64]) -> "Summary":
        """The summary of at least one value: ``counts[i]`` of them are i. Percentiles are as NumPy's."""
        up_to, values = counts.cumsum(), np.arange(len(counts))
        total = int(up_to[-1])

        def percentile(share: float) -> float:
            position = share * (total - 1)
            low, high = np.searchsorted(up_to, [int(position), min(int(position) + 1, total - 1)], "right").tolist()
            return float(low + (high - low) * (position % 1))

        return cls(float(values @ counts) / total, percentile(0.1), percentile(0.5), percentile(0.9))


@dataclass(frozen=True)
class _Counts:
    """What some games of a run come to; in whole numbers, so that sums are equal however the games were divided.

    ``lengths``, ``turns`` and ``endings`` count the games by their decisions, turns and endings, ``wins`` (shape
    (seats, seats + 1)) by a seat that won and how many won with it, itself included, ``actions`` the decisions by seat
    and action, where they are counted.
    """

    games: int
    capped: int
    wins: NDArray[np.int64]
    lengths: NDArray[np.int64]
    turns: NDArray[np.int64]
    endings: NDArray[np.int64]
    actions: NDArray[np.int64]

    @classmethod
    def of(cls, played: Played, actions: NDArray[np.int64]) -> "_Counts":
        """Count them."""
        won = _won(played.places, played.over).T
        seats, sharing = len(won), won.sum(axis=0)
        return cls(
            games=len(played.over),
            capped=int((played.over == CAPPED).sum()),
            wins=np.array([np.bincount(sharing[seat], minlength=seats + 1) for seat in won]),
            lengths=np.bincount(played.decisions),
            turns=np.bincount(played.turns),
            endings=np.bincount(played.endings),
            actions=actions,
        )

    def __add__(self, more: "_Counts") -> "_Counts":
        return _Counts(
            self.games + more.games,
            self.capped + more.capped,
            self.wins + more.wins,
            _sum(self.lengths, more.lengths),
            _sum(self.turns, more.turns),
            _sum(self.endings, more.endings),
            self.actions + more.actions,
        )


def _sum(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    short, long = sorted((a, b), key=len)
    found = long.copy()
    found[: len(short)] += short
    return found


@dataclass(frozen=True)
class Simulation:
    """The results of a run of games.

    ``shares`` are the win shares by seat (seat 0 first; a shared win is split), with intervals that hold together at
    95% (Goodman); a capped game is nobody's win, so the shares and the share of capped games add up to 1. ``capped``
    counts the games that a cap stopped; ``unfinished`` is their share with Wilson's interval. ``length`` is in
    decisions a game (an action of one seat is one decision), ``turns`` in the game's turns. ``seconds`` is the time
    the games took on the clock, without compiling. ``options`` are all option values the games were played with.
    ``never`` are the actions that were forbidden.
    ``endings`` counts by what ended them the games of a game that names it (``ENDINGS`` in its rules), else is empty.
    ``actions`` counts the decisions by family of actions (all of the game's, in its order) and seat; empty where they
    are not counted.
    """

    game: str
    version: str
    options: dict[str, Any]
    seats: int
    bot: str
    never: tuple[str, ...]
    seed: int
    games: int
    decisions: int
    capped: int
    unfinished: Interval
    shares: tuple[Interval, ...]
    length: Summary
    turns: Summary
    endings: dict[str, int]
    actions: dict[str, list[int]]
    workers: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The result as plain values for JSON."""
        return {
            "game": self.game,
            "version": self.version,
            "options": self.options,
            "bot": self.bot,
            "never": list(self.never),
            "seed": self.seed,
            "games": self.games,
            "decisions": self.decisions,
            "capped": self.capped,
            "unfinished": self.unfinished.to_json(),
            "seats": [{"seat": seat, **share.to_json()} for seat, share in enumerate(self.shares)],
            "length": self.length._asdict(),
            "turns": self.turns._asdict(),
            "endings": self.endings,
            "actions": self.actions,
            "workers": self.workers,
            "seconds": self.seconds,
            "games_per_second": self.games / self.seconds,
            "decisions_per_second": self.decisions / self.seconds,
        }


def simulate(
    game: Game | str,
    options: Mapping[str, Any] | None = None,
    seats: int = 2,
    bot: str = "random",
    games: int = 1000,
    seed: int = 1,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    count_actions: bool = False,
    never: Sequence[str] = (),
) -> Simulation:
    """Play ``games`` games between bots: ``bot`` is the spec of all seats, or one for each seat, with commas between.

    ``options`` are option values as in a set-up; what they leave open is the game's simulation default, then its
    normal one. ``workers`` is the number of threads (none: one a core). ``progress(done, games)`` is called from this
    thread as games are finished. With ``count_actions`` the decisions are counted by family of actions and seat.
    ``never`` are families of actions that all seats (``plan``) or one of them (``plan@2``) may not use where the rules
    allow anything else. Refusal E_SETUP for a set-up the game does not take or a wrong number of bots, E_BOT for an
    unknown one, and for one that cannot be forbidden anything since it searches.
    `Interrupted` (with what was counted) on Ctrl-C, a plain KeyboardInterrupt if no game was.
    """
    if isinstance(game, str):
        game = find_game(game)
    if games < 1:
        raise Refusal("E_SETUP", f"{games} games: at least one is needed")
    chosen = simulation_options(game, seats, options or {})
    blank = game.blank(chosen, [f"p{seat + 1}" for seat in range(seats)])
    players = _seated(game, bot, chosen, seats)
    allowed = _allowed(game, never, players)
    counting = _action_counter(game) if count_actions else None
    aside(lambda: prepare_games(list(dict.fromkeys(players)), blank, counting, allowed))
    aside(lambda: game_keys(seed, ()))
    workers = workers or cores()
    tasks = _Tasks(games, workers, batched(*players))
    counts: _Counts | None = None
    started = time.perf_counter()

    def play(numbers: range) -> _Counts:
        began = time.thread_time()
        counter = _action_counter(game) if count_actions else None
        played = _play(players, blank, seed, numbers, counter, allowed)
        part = _Counts.of(played, counter.tally[:seats] if counter else np.zeros((0, 0), np.int64))
        tasks.took(len(numbers), time.thread_time() - began)
        return part

    def result(counts: _Counts) -> Simulation:
        seconds = time.perf_counter() - started
        return _summarise(game, chosen, seats, bot, never, seed, workers, seconds, counts)

    try:
        for part in in_order(play, tasks, workers):
            counts = part if counts is None else counts + part
            if progress is not None:
                progress(counts.games, games)
    except KeyboardInterrupt:
        if counts is None:
            raise
        raise Interrupted(result(counts)) from None
    assert counts is not None
    return result(counts)


@kernel
def _count_action(s: Any, seat: Int, action: Int, tally: Any) -> None:
    tally[seat, action] += 1


def _action_counter(game: Game) -> Observer:
    return Observer(_count_action, np.zeros((game.state.seats, game.actions.count), np.int64))


def _seated(game: Game, bot: str, options: Options, seats: int) -> list[Bot]:
    """The bot of each seat; seats of one spec share it."""
    specs = bot.split(",")
    if len(specs) not in (1, seats):
        raise Refusal("E_SETUP", f"{len(specs)} bots for {seats} seats: give one for all seats, or one for each")
    made = {spec: make_bot(game, spec, options, seats) for spec in specs}
    return [made[spec] for spec in specs * (seats // len(specs))]


def _allowed(game: Game, never: Sequence[str], players: Sequence[Bot]) -> NDArray[np.uint8] | None:
    """What each seat may play, None: whatever is legal. Refusal E_BOT for bots that cannot be restricted."""
    if not never:
        return None
    searching = [player.spec for player in players if not batched(player)]
    if searching:
        raise Refusal("E_BOT", f"{searching[0]} cannot be forbidden anything; random, greedy and most personas can")
    return allowed_actions(game, never, len(players))


class _Tasks:
    """The numbers of all games in ranges, one a task, of about TASK seconds by what the games so far have taken."""

    def __init__(self, games: int, workers: int, compiled: bool) -> None:
        self.games, self.workers, self.compiled = games, workers, compiled
        self.size = FEWEST if compiled else 1

    def __iter__(self) -> Iterator[range]:
        first = 0
        while first < self.games:
            fair = max((self.games - first) // (2 * self.workers), FEWEST)
            stop = min(first + min(self.size, fair), self.games)
            yield range(first, stop)
            first = stop

    def took(self, games: int, seconds: float) -> None:
        """Learn from a task; sizes grow at most eightfold at a time, since a first guess may be spoiled."""
        if self.compiled:
            self.size = max(FEWEST, min(8 * games, int(games * TASK / max(seconds, 1e-6))))


def simulation_options(game: Game, seats: int, values: Mapping[str, Any]) -> Options:
    """Options from given values (and their ``preset``), open ones by the game's simulation defaults."""
    known = game.options.presets.get(values.get("preset", ""), {}) | dict(values)
    defaults = game.options.simulation_defaults(seats)
    open_ones = {name: value for name, value in defaults.items() if name not in known}
    return game.options.build({**open_ones, **values})


def play_batch(
    bots: Sequence[Bot],
    who: ArrayLike,
    blank: Any,
    seed: int,
    numbers: Sequence[int],
    first: int,
    observer: Observer | None = None,
    allowed: NDArray[np.uint8] | None = None,
) -> Played:
    """`backroom.bots.batch.play_games` for games of a run: row i has the match seed of game ``numbers[i]``.

    ``who`` says by row and seat which of the bots sits there; bots draw from the run's seed and ``first + i``.
    """
    words = rng.generator(seed, "bots")
    spread = int(words[0] | words[1] << 31)
    sitting, keys = np.asarray(who, np.int32), game_keys(seed, numbers)
    return play_games(bots, sitting, blank, keys, spread, first, observer, allowed)


def win_shares(places: NDArray[np.int32], over: NDArray[np.int32]) -> NDArray[np.float64]:
    """Each seat's part of each win, shape (games, seats): equal first places share it; a capped game is nobody's.

    ``places`` has the shape (games, seats), ``over`` the shape (games,).
    """
    won = _won(places, over)
    return won / np.maximum(won.sum(axis=1, keepdims=True), 1)


def _won(places: NDArray[np.int32], over: NDArray[np.int32]) -> NDArray[np.bool_]:
    return (places == 1) & (over != CAPPED)[:, None]


def _play(
    players: Sequence[Bot],
    blank: Any,
    seed: int,
    numbers: range,
    observer: Observer | None,
    allowed: NDArray[np.uint8] | None,
) -> Played:
    if batched(*players):
        bots = list(dict.fromkeys(players))
        who = np.tile(np.array([bots.index(player) for player in players], np.int32), (len(numbers), 1))
        return play_batch(bots, who, blank, seed, numbers, numbers.start, observer, allowed)
    game, seats = players[0].game, len(players)
    rows: list[tuple[int, int, int, int, list[int], list[int]]] = []
    named = hasattr(game.rules, "ENDINGS")
    for number in numbers:
        randoms = [rng.generator(seed, "bot", number, seat) for seat in range(seats)]
        state, decisions = play_match(blank, game_key(seed, number), players, randoms, observer)
        ending = int(state.ending) if named else 0
        scores, places = game.outcome(state)
        rows.append((decisions, int(state.turn), int(state.over), ending, places, scores))
    return Played(*(np.array(column, np.int32) for column in zip(*rows, strict=True)))


def _summarise(
    game: Game,
    options: Options,
    seats: int,
    bot: str,
    never: Sequence[str],
    seed: int,
    workers: int,
    seconds: float,
    counts: _Counts,
) -> Simulation:
    games, capped = counts.games, counts.capped
    wins = counts.wins[:, 1:] @ (1 / np.arange(1, seats + 1))
    return Simulation(
        game=game.name,
        version=game.version,
        options=options.model_dump(),
        seats=seats,
        bot=bot,
        never=tuple(never),
        seed=seed,
        games=games,
        decisions=int(counts.lengths @ np.arange(len(counts.lengths))),
        capped=capped,
        unfinished=wilson(capped, games),
        shares=tuple(goodman([*wins.tolist(), capped])[:seats]),
        length=Summary.of(counts.lengths),
        turns=Summary.of(counts.turns),
        endings=_count_endings(getattr(game.rules, "ENDINGS", {}), counts.endings),
        actions={
            family.name: counts.actions[:, family.first : family.stop].sum(axis=1).tolist()
            for family in game.actions.families
            if counts.actions.size
        },
        workers=workers,
        seconds=seconds,
    )


def _count_endings(names: Mapping[int, str], endings: NDArray[np.int64]) -> dict[str, int]:
    """Games by what ended them, commonest first; where several things did at once, they are named together."""
    found = {}
    for value, count in sorted(enumerate(endings.tolist()), key=lambda row: -row[1]):
        if value and count:
            found[" and ".join(name for bit, name in names.items() if value & bit)] = count
    return found
