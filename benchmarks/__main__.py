"""``make bench``: Backroom's speed and memory, as ratios measured in one run."""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from backroom.bots import make_bot
from backroom.engine import rng
from backroom.engine.game import Game, find_game, game_names
from backroom.lab.stats import wilson
from benchmarks import measure, serving
from benchmarks.measure import Failure, Measure, Peers, Sample
from benchmarks.yardsticks import YARDSTICKS

TARGET_UNITS, TARGET_THREADS, TARGET_BYTES, TARGET_COLD, TARGET_WARM = 2.0, 1.7, 512, 20.0, 1.5
TARGET_ROLLOUTS, TARGET_PGX = 2.0, 1.5
TARGET_MOVE, TARGET_PAGES, TARGET_IDLE, TARGET_OWES_NOTHING, TARGET_PAGE = 7.0, 25.0, 0.01, 0.002, 20.0
"""Milliseconds of the processor a move told to three, and with three pages; part of a core; milliseconds a page."""

NAMES = {
    "openspiel_rollouts": "OpenSpiel C++ rollouts",
    "openspiel_search": "OpenSpiel C++ MCTS",
    "openspiel_python": "OpenSpiel from Python",
    "pgx": "Pgx, batch 4096",
    "pgx_dealt": "Pgx, batch 4096, after the deal",
    "rlcard": "RLCard",
    "pettingzoo": "PettingZoo",
}
OFFERS = {
    "tic_tac_toe": ("openspiel_rollouts", "openspiel_python", "pgx", "pettingzoo"),
    "connect_four": ("openspiel_rollouts", "openspiel_python", "pgx", "pettingzoo"),
    "leduc_holdem": ("openspiel_rollouts", "openspiel_python", "pgx", "rlcard", "pettingzoo"),
    "kuhn_poker": ("openspiel_rollouts", "openspiel_python", "pgx", "pgx_dealt"),
}
"""Which system has which yardstick."""
AFTER_THE_DEAL = ("openspiel_rollouts", "pgx_dealt")
WANTED = {"openspiel_rollouts": TARGET_ROLLOUTS, "pgx": TARGET_PGX, "pgx_dealt": TARGET_PGX}


@dataclass(frozen=True)
class Row:
    """One line of the report. ``wanted`` is empty where there is no target; ``met`` then is None."""

    what: str
    ours: str
    versus: str = ""
    theirs: str = ""
    ratio: str = ""
    wanted: str = ""
    met: bool | None = None

    def cells(self) -> tuple[str, ...]:
        """The texts of the columns."""
        return (self.what, self.ours, self.versus, self.theirs, self.ratio, self.wanted, self.verdict)

    @property
    def verdict(self) -> str:
        """Whether the target is met, in a word."""
        return "" if self.met is None else "yes" if self.met else "NO"


COLUMNS = ("Measured", "Backroom", "Against", "Theirs", "Ratio (range)", "Wanted", "Met")


@dataclass
class Run:
    """One run of the benchmark: how thorough it is, its peers, what it has found and who is told."""

    rounds: int
    seconds: float
    peers: Peers
    tell: Callable[[str], None]
    rows: dict[str, list[Row]] = field(default_factory=dict)

    def add(self, section: str, row: Row) -> None:
        """Put a row into the report."""
        self.rows.setdefault(section, []).append(row)


def speed(samples: Sequence[Sample]) -> str:
    """The median speed a core, in words."""
    value = median(sample.per_core for sample in samples)
    return f"{value / 1e6:.2f} M/s" if value >= 100_000 else f"{value / 1e3:.1f} k/s"


def per_core(samples: Sequence[Sample]) -> list[float]:
    """Speeds a core."""
    return [sample.per_core for sample in samples]


def compared(what: str, ours: Any, versus: str, theirs: Any, wanted: float | None = None) -> Row:
    """A row that compares two lists of samples; the failure of a peer is shown in its place."""
    if isinstance(ours, Failure):
        raise ours
    if isinstance(theirs, Failure):
        return Row(what, speed(ours), versus, f"failed: {theirs}", "", f"{wanted:g}x" if wanted else "", None)
    found = measure.ratio(per_core(ours), per_core(theirs))
    met = found.median >= wanted if wanted else None
    return Row(what, speed(ours), versus, speed(theirs), str(found), f"{wanted:g}x" if wanted else "", met)


OTHER_GAMES = {
    "corporation": (4, 2048, (3, 5, 10)),
    "dark_sources": (4, 2048, (2, 4)),
    "medici": (0.5, 2048, (2, 3, 4)),
    "syndicats": (0.8, 6000, (2, 4)),
}
"""Units wanted, bytes a state may have, and the tables measured."""


COMMANDS = (
    ("catham", 2, 0.9),
    ("catham", 4, 0.9),
    ("medici", 3, 0.9),
    ("corporation", 3, 0.8),
    ("dark_sources", 2, 0.55),
)
"""Games, players, and the part of the loop's speed that the command is to reach."""


def bench_catham(run: Run) -> None:
    """The command in units of OpenSpiel's hearts; the size of a state."""
    beside_hearts(run, "catham", "catham", (2, 4), TARGET_UNITS)
    size = find_game("catham").state.itemsize
    run.add("catham", Row("Catham City, a state", f"{size} bytes", wanted=f"< {TARGET_BYTES}", met=size < TARGET_BYTES))


def bench_games(run: Run) -> None:
    """The command for the other games in units of OpenSpiel's hearts; the sizes of their states."""
    for name, (wanted, bytes_wanted, tables) in OTHER_GAMES.items():
        beside_hearts(run, "games", name, tables, wanted)
        game = find_game(name)
        size = game.state.itemsize
        row = Row(f"{game.title}, a state", f"{size} bytes", wanted=f"< {bytes_wanted}", met=size < bytes_wanted)
        run.add("games", row)


def beside_hearts(run: Run, section: str, name: str, tables: Sequence[int], wanted: float) -> None:
    """What ``backroom simulate`` plays at tables of these sizes, one worker, beside OpenSpiel's rollouts of hearts."""
    for seats in tables:
        run.tell(f"{name}, {seats} players: the command against OpenSpiel's hearts")
        contestants: dict[str, Measure] = {
            "unit": run.peers.measure("openspiel_rollouts", "hearts"),
            "ours": measure.command(find_game(name), seats),
        }
        found = measure.in_turn(contestants, run.rounds, run.seconds)
        versus = "OpenSpiel C++ rollouts of hearts (the unit)"
        run.add(section, compared(simulate_line(name, seats), found["ours"], versus, found["unit"], wanted))


def simulate_line(name: str, seats: int) -> str:
    """The command that a row is about."""
    return f"backroom simulate {name} --players {seats}"


def bench_command(run: Run) -> None:
    """The command ``simulate`` beside the loop behind it, in processor time; two workers beside one, by the clock."""
    for name, seats, wanted in COMMANDS:
        game = find_game(name)
        run.tell(f"{game.title}, {seats} players: the command beside its loop")
        contestants: dict[str, Measure] = {
            "loop": measure.random_play(game, seats),
            "ours": measure.command(game, seats),
        }
        found = measure.in_turn(contestants, run.rounds, run.seconds)
        run.add("command", compared(simulate_line(name, seats), found["ours"], "its loop alone", found["loop"], wanted))
    game = find_game("catham")
    run.tell("Catham City: the command with two workers")
    contestants = {f"{workers}": measure.command(game, 4, workers) for workers in (1, 2)}
    found = measure.in_turn(contestants, run.rounds, run.seconds)
    one, two = ([s.decisions / s.wall for s in found[name]] for name in "12")  # type: ignore[union-attr]
    gain = measure.ratio(two, one)
    run.add(
        "command",
        Row(
            f"{simulate_line('catham', 4)} --workers 2, by the clock", f"{median(two) / 1e6:.2f} M/s", "--workers 1",
            f"{median(one) / 1e6:.2f} M/s", str(gain), f"{TARGET_THREADS}x", gain.median >= TARGET_THREADS,
        ),
    )  # fmt: skip


def bench_python(run: Run) -> None:
    """What one call costs from Python: legal actions beside their kernel, a tensor beside an empty kernel."""
    for name in ("catham", "medici"):
        game = find_game(name)
        run.tell(f"{game.title}: calls from Python")
        for what, ours, versus, theirs, most in calls(game):
            a, b = measure.seconds_a_call(ours) * 1e6, measure.seconds_a_call(theirs) * 1e6
            row = (f"{game.title}, {what}", f"{a:.2f} us", versus, f"{b:.2f} us", f"{a / b:.2f}", f"< {most:g}x")
            run.add("python", Row(*row, a / b <= most))


Call = Callable[[], object]


def calls(game: Game) -> list[tuple[str, Call, str, Call, float]]:
    """Calls that a learner makes at every step, what each is compared with, and how often that it may cost."""
    state, _ = game.opening(game.options(), ["a", "b"], bytes(32))
    seat, out = int(state.acting).bit_length() - 1, np.empty(game.actions.count, np.int32)
    legal, empty = game.kernels["legal"], measure.empty_kernel(game)
    return [
        ("Game.legal", lambda: game.legal(state, seat), "its kernel", lambda: legal(state, seat, out), 1.5),
        ("to_tensor", lambda: game.state.to_tensor(state, seat), "an empty kernel", lambda: empty(state, seat, out), 2),
    ]


def bench_yardsticks(run: Run) -> None:
    """The same games on our engine and on the others.

    OpenSpiel's rollouts cannot start with the deal, so in games with cards they are compared with ours from a dealt
    position; Pgx deals, so it is compared with whole games, and in the shortest game after the deal too.
    """
    for name, game in YARDSTICKS.items():
        run.tell(f"{game.title} against {len(OFFERS[name])} others")
        contestants: dict[str, Measure] = {"ours": measure.rollouts(game)}
        contestants |= {system: run.peers.measure(system, name) for system in OFFERS[name]}
        if game.streams:
            contestants["dealt"] = measure.rollouts(game, dealt=True)
        found = measure.in_turn(contestants, run.rounds, run.seconds)
        for system in OFFERS[name]:
            dealt = system in AFTER_THE_DEAL and "dealt" in found
            what = f"{game.title}, after the deal" if dealt else game.title
            ours = found["dealt" if dealt else "ours"]
            run.add("yardsticks", compared(what, ours, NAMES[system], found[system], WANTED.get(system)))


def bench_search(run: Run) -> None:
    """Iterations a second, and a match against OpenSpiel's search with as many simulations."""
    game = find_game("catham")
    for seats in (2, 4):
        run.tell(f"Search of Catham City, {seats} players")
        found = measure.in_turn({"ours": measure.iterations(game, seats, 1000)}, run.rounds, run.seconds)
        samples = found["ours"]
        assert isinstance(samples, list)
        run.add("search", Row(f"Catham City, {seats} players, search, iterations", speed(samples)))
    name = "connect_four"
    run.tell("Search of connect four against OpenSpiel's")
    contestants = {
        "ours": measure.iterations(YARDSTICKS[name], 2, 10_000),
        "theirs": run.peers.measure("openspiel_search", name),
    }
    found = measure.in_turn(contestants, run.rounds, run.seconds)
    versus = NAMES["openspiel_search"]
    run.add("search", compared("Connect four, search, iterations", found["ours"], versus, found["theirs"]))
    games, simulations = 14 * run.rounds, 1000
    run.tell(f"Connect four: {games} games against OpenSpiel's search")
    what = f"Connect four, {games} games, {simulations} simulations each: share of points"
    try:
        points = sum(play_openspiel(run, number, simulations) for number in range(games))
        share = wilson(points, games)
        ours = f"{points:g} of {games}: {share.estimate:.0%} ({share.low:.0%} to {share.high:.0%})"
        run.add("search", Row(what, ours, versus, f"{games - points:g} of {games}"))
    except Failure as failure:
        run.add("search", Row(what, "", versus, f"failed: {failure}"))


def play_openspiel(run: Run, number: int, simulations: int) -> float:
    """One game of connect four, who begins by turns; our points: 1, 0.5 or 0."""
    game, our_seat = YARDSTICKS["connect_four"], number % 2
    bot, random = make_bot(game, f"search:{simulations}"), rng.generator(number, "match")
    state, _ = game.opening(game.options(), ["a", "b"], bytes(32))
    log = game.events.new_log(recording=False)
    theirs: int | None = None
    begin, result = True, None
    while True:
        ours: int | None = None
        if not state.over and int(state.acting) == 1 << our_seat:
            ours = bot.decide(game.state.view(state, our_seat), our_seat, random)
            game.apply(state, our_seat, ours, log)
        answer = run.peers.ask(
            "openspiel_match", game="connect_four", simulations=simulations, seed=number + 1, begin=begin,
            theirs=ours, ask=not state.over,
        )  # fmt: skip
        begin, theirs, result = False, answer["action"], answer["result"]
        if theirs is not None:
            game.apply(state, 1 - our_seat, theirs, log)
        if result is not None:
            scores, _ = game.outcome(state)
            if not state.over or scores[0] != result:
                raise Failure("the two systems disagree on the result of a game")
            return (scores[our_seat] + 1) / 2


def bench_tables(run: Run) -> None:
    """The server: processor time of a move told to those at a table, of pages fetched anew, of open streams."""
    run.tell("Tables: a move told to three, beside boardgame.io")
    contestants: dict[str, Measure] = {
        "ours": serving.moves_told("catham", 3, 0),
        "theirs": serving.boardgame_io_moves(),
        "pages": serving.moves_told("catham", 4, 3),
        "court": serving.moves_told("medici", 4, 3, fullest=True),
    }
    found = measure.in_turn(contestants, min(run.rounds, 3), run.seconds)

    def cost(name: str) -> str:
        samples = found[name]
        return f"failed: {samples}" if isinstance(samples, Failure) else f"{median(map(milliseconds, samples)):.1f} ms"

    ours, theirs = found["ours"], found["theirs"]
    if isinstance(ours, Failure):
        raise ours
    ratio = "" if isinstance(theirs, Failure) else str(measure.ratio(per_core(theirs), per_core(ours)))
    rows = [("a move of Catham City, stored and told to three streams", "ours", TARGET_MOVE)]
    rows += [("a move of Catham City, four players, three fetch their pages", "pages", TARGET_PAGES)]
    rows += [("the same at a full court of Court of the Medici", "court", TARGET_PAGES)]
    for what, name, wanted in rows:
        beside = (
            ("boardgame.io, a move in memory told to three", cost("theirs"), ratio) if name == "ours" else ("",) * 3
        )
        samples = found[name]
        met = not isinstance(samples, Failure) and median(map(milliseconds, samples)) <= wanted
        run.add("tables", Row(f"Processor time of {what}", cost(name), *beside, f"<= {wanted:g} ms", met))
    run.tell("Tables: 500 idle streams")
    idle = serving.idle_streams()
    run.add("tables", Row("500 idle streams", f"{idle:.3f} cores", wanted=f"<= {TARGET_IDLE}", met=idle <= TARGET_IDLE))
    run.tell("Tables: 1,000 that owe nothing")
    queries, used = serving.idle_tables()
    nothing = f"1,000 tables that owe nothing, a minute ({queries} queries)"
    met = used < TARGET_OWES_NOTHING
    run.add("tables", Row(nothing, f"{used:.5f} cores", wanted=f"< {TARGET_OWES_NOTHING}", met=met))
    for name in game_names():
        game = find_game(name)
        run.tell(f"{game.title}: the page of its fullest position")
        page = 1000 * serving.fullest_page(name, min(game.seats.stop - 1, 4))
        what = f"{game.title}, the page of its fullest position, drawn before"
        run.add("tables", Row(what, f"{page:.1f} ms", wanted=f"<= {TARGET_PAGE:g} ms", met=page <= TARGET_PAGE))


def milliseconds(sample: Sample) -> float:
    """Processor time of one."""
    return 1000 / sample.per_core


def bench_compile(run: Run) -> None:
    """A process that has nothing compiled, and one that has."""
    with tempfile.TemporaryDirectory() as cache:
        run.tell("Catham City: a cold compile in a fresh process")
        cold = start(cache)
        run.tell("Catham City: a warm start")
        warm = min((start(cache) for _ in range(run.rounds)), key=lambda began: began.wall)
    for what, began, wanted in (
        ("Catham City, cold start: everything compiled, a game played", cold, TARGET_COLD),
        ("Catham City, warm start, best of the rounds: loaded, a game played", warm, TARGET_WARM),
    ):
        parts = ", ".join(f"{name} {seconds:.1f}" for name, seconds in began.parts.items())
        detail = f"{began.cpu:.1f} s of processors; {parts}"
        run.add(
            "compile",
            Row(what, f"{began.wall:.2f} s", theirs=detail, wanted=f"< {wanted:g} s", met=began.wall < wanted),
        )


@dataclass(frozen=True)
class Start:
    """A process from start to end: seconds that passed, seconds of processors, and the seconds of its parts."""

    wall: float
    cpu: float
    parts: dict[str, float]


def start(cache: str) -> Start:
    """Run `benchmarks.start` in a fresh process with this folder of compiled kernels."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.start"],
        env=os.environ | {"BACKROOM_CACHE": cache}, cwd=Path(__file__).resolve().parents[1],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Start(wall, cpu, json.loads(done.stdout))


SECTIONS: dict[str, tuple[str, Callable[[Run], None]]] = {
    "catham": ("Catham City", bench_catham),
    "games": ("The other games", bench_games),
    "command": ("The command", bench_command),
    "python": ("From Python", bench_python),
    "yardsticks": ("Yardsticks: random play, decisions a second and core", bench_yardsticks),
    "search": ("Search", bench_search),
    "tables": ("Tables served", bench_tables),
    "compile": ("Start", bench_compile),
}


def machine() -> str:
    """The machine in a line."""
    model = platform.processor() or platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") if Path("/proc/cpuinfo").exists() else open(os.devnull) as lines:
        for line in lines:
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    return f"{os.cpu_count()} cores, {model}, Python {platform.python_version()}, NumPy {np.__version__}"


def markdown(run: Run, head: str) -> str:
    """The report as Markdown."""
    parts = [head, ""]
    for name, rows in run.rows.items():
        parts += [f"**{SECTIONS[name][0]}**", ""]
        parts += ["| " + " | ".join(COLUMNS) + " |", "|" + " --- |" * len(COLUMNS)]
        parts += ["| " + " | ".join(row.cells()) + " |" for row in rows] + [""]
    return "\n".join(parts)


def show(run: Run, head: str, console: Console) -> None:
    """The report as tables."""
    console.print(head)
    for name, rows in run.rows.items():
        table = Table(*COLUMNS, title=SECTIONS[name][0], title_justify="left", title_style="bold")
        for row in rows:
            style = "red" if row.met is False else None
            table.add_row(*row.cells(), style=style)
        console.print(table)


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser("make bench", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report there too")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the report there as Markdown")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter rounds: some three minutes")
    parser.add_argument("--only", choices=list(SECTIONS), action="append", help="only this part (may be repeated)")
    given = parser.parse_args()
    rounds, seconds = (3, 0.15) if given.quick else (7, 0.4)
    wide = Console(width=None if sys.stdout.isatty() else 160)
    load = os.getloadavg()[0]
    began = time.perf_counter()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    # Nothing is drawn while something is measured: the display moves only between measurements.
    with Peers() as peers, Progress(*columns, console=Console(stderr=True), auto_refresh=False) as progress:
        chosen = given.only or list(SECTIONS)
        task = progress.add_task("", total=len(chosen))

        def tell(text: str) -> None:
            progress.update(task, description=text, refresh=True)

        run = Run(rounds, seconds, peers, tell)
        for name in chosen:
            SECTIONS[name][1](run)
            progress.advance(task)
    versions = ", ".join(f"{name} {version}" for name, version in sorted(peers.versions.items()))
    head = (
        f"{machine()}; load before: {load:.1f}. {rounds} rounds of {seconds} s each in turn, medians; speeds by "
        f"processor time, so per core used. {versions}. {time.perf_counter() - began:.0f} s."
    )
    show(run, head, wide)
    if given.json:
        rows = {name: [asdict(row) for row in rows] for name, rows in run.rows.items()}
        given.json.write_text(json.dumps({"head": head, "rows": rows}, indent=1) + "\n", "utf-8")
    if given.markdown:
        given.markdown.write_text(markdown(run, head), "utf-8")


if __name__ == "__main__":
    main()
