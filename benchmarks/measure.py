"""Measurements of ours, and how they are compared with those of others."""

import json
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numba
import numpy as np

from backroom.bots import make_bot
from backroom.bots.batch import play_games
from backroom.bots.search import SearchBot
from backroom.engine import rng
from backroom.engine.game import Game
from backroom.engine.kernel import INT, INTS, LONGS, Int, specialise
from backroom.engine.view import fresh_chance
from backroom.lab.run import simulate

__all__ = [
    "Failure",
    "Measure",
    "Peers",
    "Ratio",
    "Sample",
    "command",
    "empty_kernel",
    "in_turn",
    "iterations",
    "random_play",
    "ratio",
    "seconds_a_call",
]

PEERS = Path(__file__).resolve().parents[1] / ".venv-bench" / "bin" / "python"
BATCH = 0.05
"""Seconds of one call of a compiled loop: long against the call, short against a measurement."""


class Failure(Exception):
    """A peer that is not there or cannot do this: shown in the table as it is."""


@dataclass(frozen=True)
class Sample:
    """Decisions (or iterations) made, seconds of the processor that took, and seconds that passed."""

    decisions: float
    cpu: float
    wall: float

    @property
    def per_core(self) -> float:
        """Decisions a second of the processor: what one core does, whatever else the machine is doing."""
        return self.decisions / self.cpu


@dataclass(frozen=True)
class Ratio:
    """Median and range over the rounds of a ratio of two speeds measured in turn."""

    median: float
    lowest: float
    highest: float

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.lowest:.2f}-{self.highest:.2f})"


Measure = Callable[[float], Sample]
"""Works for about so many seconds and says what was done."""


def in_turn(contestants: Mapping[str, Measure], rounds: int, seconds: float) -> dict[str, list[Sample] | Failure]:
    """Measure each, one after the other, and again: A B A B. One that fails is left out from then on."""
    found: dict[str, list[Sample] | Failure] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, measure in contestants.items():
            samples = found[name]
            if isinstance(samples, list):
                try:
                    samples.append(measure(seconds))
                except Failure as failure:
                    found[name] = failure
    return found


def ratio(ours: list[float], theirs: list[float]) -> Ratio:
    """How many times theirs ours is, round by round."""
    each = [a / b for a, b in zip(ours, theirs, strict=True)]
    return Ratio(median(each), min(each), max(each))


class Peers:
    """The processes of other systems, each started when first asked; a context manager that ends them."""

    def __init__(self) -> None:
        self.processes: dict[str, subprocess.Popen[str]] = {}
        self.versions: dict[str, str] = {}

    def __enter__(self) -> "Peers":
        return self

    def __exit__(self, *problem: object) -> None:
        for process in self.processes.values():
            assert process.stdin is not None
            process.stdin.close()
            process.wait()

    def ask(self, system: str, **question: Any) -> dict[str, Any]:
        """One question to a system (`benchmarks.peers`). Failure when it cannot answer."""
        library = system.partition("_")[0]
        if library not in self.processes:
            self.processes[library] = self._start()
        process = self.processes[library]
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps({"system": system, **question}) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = ""
        if not line:
            raise Failure(f"its process ended (status {process.wait()})")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise Failure(answer["error"])
        return answer

    def _start(self) -> subprocess.Popen[str]:
        if not PEERS.exists():
            raise Failure("not installed (make bench installs it into .venv-bench)")
        command = [str(PEERS), "-W", "ignore", str(Path(__file__).with_name("peers.py"))]
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def measure(self, system: str, game: str) -> Measure:
        """The measure of a system's random play (or search) of a game."""

        def measure(seconds: float) -> Sample:
            answer = self.ask(system, game=game, seconds=seconds)
            self.versions[system.partition("_")[0]] = answer["version"]
            return Sample(answer["decisions"], answer["cpu"], answer["wall"])

        return measure


class RandomPlay:
    """Random play of whole games in the loop that simulations use, in as many calls as the time allows.

    ``blank`` is what each game starts from (`Game.blank`).
    """

    def __init__(self, game: Game, blank: Any) -> None:
        self.bot = make_bot(game, "random")
        self.bot.prepare()
        self.blank, self.played = blank, 0
        games = 100
        for _ in range(2):  # a first guess is spoiled by what each call costs
            self._prepare_batch(games)
            sample = self(BATCH / 10)
            games = max(20, int(games * BATCH * sample.per_core / self.decisions))
        self._prepare_batch(games)

    def _prepare_batch(self, games: int) -> None:
        self.keys = np.random.default_rng(1).integers(0, 1 << 32, (games, 8), dtype=np.uint32)
        self.who = np.zeros((games, int(self.blank.seats)), np.int32)
        self.decisions = self._batch()

    def _batch(self) -> int:
        found = play_games((self.bot, self.bot), self.who, self.blank, self.keys, 1, self.played)
        self.played += len(self.keys)
        return int(found.decisions.sum())

    def __call__(self, seconds: float) -> Sample:
        decisions, wall, cpu = 0, time.perf_counter(), time.thread_time()
        while time.thread_time() - cpu < seconds and time.perf_counter() - wall < 3 * seconds:
            decisions += self._batch()
        return Sample(decisions, time.thread_time() - cpu, time.perf_counter() - wall)


def random_play(game: Game, seats: int) -> RandomPlay:
    """Random play of a game with default options and simulation guards."""
    options = game.options.build(game.options.simulation_defaults(seats))
    return RandomPlay(game, game.blank(options, [f"p{seat}" for seat in range(seats)]))


def command(game: Game, seats: int, workers: int = 1) -> Measure:
    """What ``backroom simulate`` does, from the options to the counts, with random bots; sized by a first run.

    A run is ten times as long as it is asked for: nobody simulates for a tenth of a second.
    """
    simulate(game, seats=seats, games=100)
    first = simulate(game, seats=seats, games=20_000, workers=1)
    speed = first.games / first.seconds

    def measure(seconds: float) -> Sample:
        games = max(100, int(10 * speed * seconds))
        wall, cpu = time.perf_counter(), time.process_time()
        found = simulate(game, seats=seats, games=games, workers=workers)
        return Sample(found.decisions, time.process_time() - cpu, time.perf_counter() - wall)

    return measure


def seconds_a_call(call: Callable[[], object]) -> float:
    """Seconds of the processor that a call takes: the least of some rounds, since whatever disturbs adds to it."""
    rounds = []
    for _ in range(15):
        began = time.thread_time()
        for _ in range(1000):
            call()
        rounds.append((time.thread_time() - began) / 1000)
    return min(rounds)


def _empty(s: Any, seat: Int, out: Any) -> Int:
    return 0


def empty_kernel(game: Game) -> Callable[[Any, int, Any], int]:
    """A kernel that takes what ``legal`` takes and does nothing: what any call of a kernel costs."""
    made: Callable[[Any, int, Any], int] = specialise(_empty, INT(game.state.numba_type, INT, INTS))
    return made


def _rollouts(
    start: Any,
    viewer: Int,
    games: Int,
    state: Any,
    actions: Any,
    scores: Any,
    places: Any,
    random: Any,
    log: Any,
    setup: Any,
    resample: Any,
    legal: Any,
    apply: Any,
    outcome: Any,
) -> Int:
    s, decisions = state[0], 0
    fresh_chance(start, random)
    for game in range(games):
        state[0] = start
        if viewer == NOBODY:
            # The deals of all games of a call are uses of the same streams, as the peers' are draws of one generator.
            for i in range(s.chance_count.shape[0]):
                s.chance_count[i] = game
            setup(s, log)
        else:
            resample(s, viewer, random)
        while s.over == 0:
            seat = 0
            while not np.int64(s.acting) >> seat & 1:
                seat += 1
            n = legal(s, seat, actions)
            apply(s, seat, np.int64(actions[rng.below(random, n)]), log)
            decisions += 1
        outcome(s, scores, places)
    return decisions


NOBODY = -2
"""In place of a viewer: games begin with the set-up."""


def rollouts(game: Game, dealt: bool = False) -> Measure:
    """Random games as other systems' rollouts play them: uniform decisions, the result, and no statistics.

    ``dealt``: from one position after the set-up, as seat 0 sees it, with the cards that are hidden imagined anew for
    each game, as in our search (the yardsticks draw nothing later); else whole games with their set-up. With games of
    two to eight decisions the bookkeeping of `random_play` (a generator a seat, turns, places of every game) would be
    most of what is measured, and the others keep no such books.
    """
    s, kernels = game.state.numba_type, game.kernels
    names = ("setup", "resample", "legal", "apply", "outcome")
    signature = INT(
        s, INT, INT, numba.types.Array(s, 1, "C"), INTS, INTS, INTS, LONGS, game.events.numba_type,
        *(game.kernel_type(name) for name in names),
    )  # fmt: skip
    options, players = game.options(), ["a", "b"]
    begin, viewer = game.blank(options, players), NOBODY
    if dealt:
        begin, viewer = game.state.view(game.opening(options, players, bytes(32))[0], 0), 0
    loop, state, random = specialise(_rollouts, signature), game.state.new_array(1), rng.generator(1, game.name)
    actions = np.zeros(game.actions.count, np.int32)
    scores, places = np.zeros(game.state.seats, np.int32), np.zeros(game.state.seats, np.int32)
    log = game.events.new_log(recording=False)

    def play(games: int) -> int:
        return int(
            loop(begin, viewer, games, state, actions, scores, places, random, log, *(kernels[name] for name in names))
        )

    play(1)
    tried = time.thread_time()
    play(200)
    games = int(200 * BATCH / (time.thread_time() - tried)) + 1

    def measure(seconds: float) -> Sample:
        decisions, wall, cpu = 0, time.perf_counter(), time.thread_time()
        while time.thread_time() - cpu < seconds and time.perf_counter() - wall < 3 * seconds:
            decisions += play(games)
        return Sample(decisions, time.thread_time() - cpu, time.perf_counter() - wall)

    return measure


def iterations(game: Game, seats: int, simulations: int) -> Measure:
    """Search from the opening position, as the bot at a table does it; counts iterations."""
    options = game.options.build(game.options.simulation_defaults(seats))
    state, _ = game.opening(options, [f"p{seat}" for seat in range(seats)], bytes(32))
    bot = make_bot(game, f"search:{simulations}")
    assert isinstance(bot, SearchBot)
    bot.prepare()
    view, random = game.state.view(state, 0), rng.generator(1, "bench")

    def measure(seconds: float) -> Sample:
        done, wall, cpu = 0, time.perf_counter(), time.thread_time()
        while time.thread_time() - cpu < seconds and time.perf_counter() - wall < 3 * seconds:
            bot.analyse(view, 0, random)
            done += simulations
        return Sample(done, time.thread_time() - cpu, time.perf_counter() - wall)

    measure(0.01)
    return measure
