"""The ``backroom`` command. What is slow to import is imported inside the commands that need it."""

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text
    from sqlalchemy import URL

    from backroom.conformance.suite import Result
    from backroom.engine.game import Game
    from backroom.engine.match import Match
    from backroom.engine.options import Options
    from backroom.lab.run import Simulation
    from backroom.tables.keeping import Kept
    from backroom.tables.store import Store

__all__ = ["app", "main"]

R = TypeVar("R")

app = typer.Typer(
    name="backroom",
    help="Games of influence: play them, adjudicate them, study them, drive them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

BOT_NAMES = (
    "ben", "cleo", "dan", "eve", "finn", "gwen", "hugo", "ida", "jon", "kim", "leo", "mia", "ned", "olga", "pia", "rob",
)  # fmt: skip

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name; `backroom games` lists them.")]
Option = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule switch; may be repeated.")
]
Preset = Annotated[str | None, typer.Option(help="A named set of options to start from.")]
Players = Annotated[
    int | None, typer.Option("--players", "-n", min=1, max=16, help="How many play; default: as few as can.")
]
Workers = Annotated[int | None, typer.Option(min=1, help="Threads; default: one a core. Results do not depend on it.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Files = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Match files.")]


def main() -> None:
    """Run the command line. Every error is one line on standard error.

    Exit codes: 2 for an error, 1 when examples or checks failed, 130 after Ctrl-C, 141 when nobody reads the output
    any more.
    """
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except typer.Abort as problem:
        raise problem.__cause__ or problem from None
    except SystemExit as ended:  # what Typer and rich make of a closed pipe
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        code = _unwritten(ended.__context__)
    except OSError as problem:
        code = _unwritten(problem)
    except Exception as problem:
        code = _report(problem)
    if code == INTERRUPTED and _works_on():
        # Somebody still works in compiled code; an orderly exit would take the memory away beneath it.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(INTERRUPTED)
    sys.exit(code if isinstance(code, int) else 0)


def _works_on() -> bool:
    from backroom.bots.threads import THREAD

    return any(thread.name == THREAD for thread in threading.enumerate())


INTERRUPTED, CLOSED = 130, 141
"""Exit codes after Ctrl-C (Typer's own) and after a pipe was closed, as a shell has them for these signals."""


def _unwritten(problem: OSError) -> int:
    closed = isinstance(problem, BrokenPipeError)
    why = "nobody reads it any more" if closed else f"it cannot be written ({problem.strerror})"
    message = f"E_OUTPUT: the output is not complete: {why}"
    if problem.filename is not None:
        message = f"E_FILE: {problem.filename}: {problem.strerror}"
    try:
        if closed:
            raise problem
        sys.stdout.flush()
    except (OSError, ValueError):  # Python flushes once more at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    with suppress(OSError):
        print(message, file=sys.stderr)
    return CLOSED if closed else 2


def _report(problem: Exception) -> int:
    from backroom.engine.game import Refusal

    # Typer does not export the base class of its usage errors.
    usage = getattr(problem, "format_message", None)
    if isinstance(problem, Refusal):
        message = str(problem)
    elif type(problem).__name__ == "NoArgsIsHelpError":
        message = str(usage and usage())
    elif usage is not None:
        message = f"E_USAGE: {' '.join(usage().split())}"
    else:
        raise problem
    print(message, file=sys.stderr)
    return 2


def _console() -> "Console":
    from rich.console import Console

    class Told(Console):
        def on_broken_pipe(self) -> None:
            raise  # `main` says so

    return Told(highlight=False)


def _print_rows(rows: "Sequence[Sequence[Text]]") -> None:
    """Rows in columns that fit a terminal; elsewhere one line each, for programs that read lines."""
    from rich.table import Table

    console = _console()
    if not console.is_terminal:
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            print("  ".join(cell.plain.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
        return
    table = Table.grid(padding=(0, 2))
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _options(game: "Game", texts: Sequence[str] | None, preset: str | None) -> dict[str, Any]:
    """Option values from ``NAME=VALUE`` (an on/off switch may be its name alone); `Options.build` validates them."""
    from backroom.engine.game import Refusal

    values: dict[str, Any] = {} if preset is None else {"preset": preset}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not name.strip():
            raise Refusal("E_SETUP", f"option {text!r}: NAME=VALUE was expected")
        name = name.strip()
        if name in values:
            raise Refusal("E_SETUP", f"option {name} is given twice; leave one out")
        values[name] = _option_value(game.options, name, value.strip()) if equals else True
    return values


def _option_value(options: "type[Options]", name: str, text: str) -> Any:
    choices = options.choices(name) if name in options.model_fields else []
    if text and name in options.model_fields and options.extra(name).get("file"):
        return _text_of(Path(text))
    return next((choice for choice in choices if str(choice).lower() == text.lower()), text)


def _on_one_line(value: Any) -> str:
    """An option's value for people: of the text of a file, how long it is."""
    text = str(value)
    return f"({len(text)} characters)" if "\n" in text else text


def _read_file(path: Path) -> bytes:
    from backroom.engine.match import MAX_FILE
    from backroom.text.files import unusable

    try:
        with path.open("rb") as file:
            return file.read(MAX_FILE + 1)
    except OSError as problem:
        raise unusable(path, "be read", problem) from None


def _text_of(path: Path) -> str:
    """A file's text. Refusal E_FILE."""
    from backroom.text.files import unusable

    try:
        return _read_file(path).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise unusable(path, "be read as text", problem) from None


def _load(path: Path) -> "Match":
    from backroom.engine.match import Match

    text = _read_file(path)
    with _named(path):
        return Match.loads(text)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """A refusal within names the file."""
    from backroom.engine.game import Refusal
    from backroom.text.files import shown

    try:
        yield
    except Refusal as problem:
        raise Refusal(problem.code, f"{shown(path)}: {problem.message}") from None


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error, if that is a terminal; yields ``step(done, of)``."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    quiet, shared = not sys.stderr.isatty(), sys.stdout.isatty()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet, redirect_stdout=shared) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


@app.callback(invoke_without_command=True)
def backroom(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    if version:
        from backroom import __version__

        typer.echo(f"backroom {__version__}")
        raise typer.Exit


@app.command()
def games(json_: Json = False) -> None:
    """List the games: name, seats, one line."""
    from rich.text import Text

    from backroom.engine.game import installed_games
    from backroom.scenes.default import about

    found = installed_games()
    if json_:
        rows = [
            {"name": game.name, "title": game.title, "rules": game.version, "seats": [game.seats[0], game.seats[-1]]}
            for game in found
        ]
        print(json.dumps(rows))
        return
    lines = []
    for game in found:
        seats = f"{game.seats[0]}-{game.seats[-1]}" if len(game.seats) > 1 else str(game.seats[0])
        lines.append([Text(game.name, "bold"), Text(f"{seats} players"), Text(about(game))])
    _print_rows(lines)


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="`backroom games` lists them.")] = None,
    players: Players = None,
    bots: Annotated[
        str | None, typer.Option(help="random, greedy, search, search:5000; one for all, or a list with commas.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Your name; default: anna, or with --resume as in the file.")] = None,
    seat: Annotated[int, typer.Option(min=1, help="Your place among the players, from 1.")] = 1,
    option: Option = None,
    preset: Preset = None,
    seed: Annotated[str | None, typer.Option(help="Makes the match repeatable.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Go on with a saved match.")] = None,
) -> None:
    """Play against bots in this terminal."""
    from backroom.bots import make_bot
    from backroom.engine.game import Refusal, find_game
    from backroom.engine.match import Match
    from backroom.terminal import YOU, Session, prompt_reader, stream_reader

    if resume is not None:
        if game or players or option or preset or seed:
            raise Refusal("E_USAGE", "--resume takes game, players, options and seed from the file; leave them out")
        match, sitting = _resume(resume, name, bots)
    elif game is not None:
        found = find_game(game)
        sitting = _sitting(players or found.seats[0], name, seat, bots)
        match = Match.new(found, list(sitting), _options(found, option, preset), seed)
    else:
        raise Refusal("E_USAGE", "which game? `backroom games` lists them")
    specs = {number: sitting[player] for number, player in enumerate(match.names)}
    you = next(number for number, spec in specs.items() if spec == YOU)
    made = {
        number: make_bot(match.game, spec, match.options, len(match.names))
        for number, spec in specs.items()
        if number != you
    }
    live = sys.stdin.isatty() and sys.stdout.isatty()
    Session(match, you, made, _console(), resume).run(prompt_reader() if live else stream_reader())


def _sitting(count: int, name: str | None, seat: int, bots: str | None) -> dict[str, str]:
    """The players in order: each name with its bot's spec, or YOU."""
    from backroom.engine.game import Refusal
    from backroom.terminal import YOU

    if seat > count:
        raise Refusal("E_SETUP", f"there is no seat {seat} among {count} players")
    specs = _specs(bots, count - 1)
    name = "anna" if name is None else name
    others = [other for other in BOT_NAMES if other != name.lower()][: count - 1]
    sitting = list(zip(others, specs, strict=True))
    sitting.insert(seat - 1, (name, YOU))
    return dict(sitting)


def _specs(bots: str | None, count: int) -> list[str]:
    from backroom.engine.game import Refusal

    specs = (bots or "greedy").split(",")
    if len(specs) not in (1, count):
        raise Refusal("E_SETUP", f"{len(specs)} bots for {count} places; name one for all, or one for each")
    return specs * count if len(specs) == 1 else specs


def _resume(path: Path, name: str | None, bots: str | None) -> "tuple[Match, dict[str, str]]":
    """A saved match and who plays it; ``name`` and ``bots`` replace what the file says, and are needed without it."""
    from backroom.engine.game import Refusal
    from backroom.engine.match import Match
    from backroom.terminal import YOU, read_saved
    from backroom.text.files import shown

    text = _read_file(path)
    with _named(path):
        data = read_saved(text)
        match = Match.from_json(data)
        match.refuse_other_rules()
    kept = data.get("seats")
    if (
        not isinstance(kept, dict)
        or set(kept) != set(match.names)
        or not all(isinstance(v, str) for v in kept.values())
    ):
        kept = {}
    you = [player for player in match.players if kept.get(player) == YOU]
    if name is not None:
        you = [match.names[match.seat_of(name)]]
    if len(you) != 1:
        raise Refusal("E_SETUP", f"{shown(path)} does not say who you are: --name {' or --name '.join(match.players)}")
    others = [player for player in match.players if player != you[0]]
    if bots is None and all(kept.get(player, YOU) != YOU for player in others):
        return match, {you[0]: YOU} | {player: kept[player] for player in others}
    return match, {you[0]: YOU} | dict(zip(others, _specs(bots, len(others)), strict=True))


@app.command()
def examples(
    game: GameName,
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE...", help="Default: the game's own.")] = None,
) -> None:
    """Run worked examples.

    They are text in the game's notation; in a Markdown file, its fenced blocks.
    """
    from backroom.engine.game import find_game
    from backroom.text.examples import run_examples

    report = run_examples(find_game(game), files or ())
    for failure in report.failed:
        print(f"FAILED {failure.id}" + (f" in {failure.file}" if files and len(files) > 1 else ""))
        for difference in failure.differences:
            print("    " + difference.replace("\n", "\n    "))
    print(f"{len(report.passed)} passed, {len(report.failed)} failed")
    raise typer.Exit(1 if report.failed else 0)


@app.command()
def check(
    game: GameName,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="CHECK", help="Just this check; may be repeated.")
    ] = None,
    players: Players = None,
    option: Option = None,
    preset: Preset = None,
    every: Annotated[bool, typer.Option("--every", help="Also every value of every option alone, at length.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Another seed gives other random games.")] = 0,
    json_: Json = False,
) -> None:
    """Run the conformance suite: what every game must pass.

    It plays in a sample of settings, with every number of players and every pair of values of two options. With
    --players, --option or --preset it plays in that setting only.
    """
    from backroom.engine.game import Refusal, find_game

    if not __debug__:
        raise Refusal("E_USAGE", "python -O leaves out what the checks assert; run it without -O")
    try:
        from backroom.conformance.suite import CHECKS, chosen, examine, one_setting
    except ModuleNotFoundError as missing:
        if missing.name != "hypothesis":
            raise
        raise Refusal("E_USAGE", "the checks need hypothesis: pip install 'backroom[check]'") from None
    from backroom.web.page_check import PAGES

    found, checks = find_game(game), chosen(only or (), (*CHECKS, PAGES))
    setting = None
    if players or option or preset:
        setting = one_setting(found, players or found.seats[0], _options(found, option, preset))
    results: list[Result] = []
    doing = "the rules were compiled"
    stopped = True
    with suppress(KeyboardInterrupt):
        with suppress(Exception):  # a kernel that does not compile is what the first check finds
            _compile([found])
        with _progress("checking") as step:

            def go_on(done: int, of: int, what: str) -> None:
                nonlocal doing
                doing = what
                step(done, of)

            for result in examine(found, checks, setting, seed, every, go_on):
                results.append(result)
                if not json_:
                    _tell_check(result)
        stopped = False
    failed = sum(result.failure is not None for result in results)
    if json_:
        told = [result.to_json() for result in results]
        print(json.dumps({"game": found.name, "rules": found.version, "seed": seed, "checks": told}))
    else:
        left = len(checks) - len(results)
        print(f"{len(results) - failed} passed, {failed} failed" + (f", {left} not run" if left else ""))
    if stopped:
        print(f"interrupted while {doing}", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(1 if failed else 0)


def _tell_check(result: "Result") -> None:
    from backroom.text.harmless import harmless

    name, failure = result.check.name, result.failure
    if failure is None:
        where = f"{result.settings} settings, " if result.settings else ""
        print(f"ok {name} ({where}{result.seconds:.1f} s)", flush=True)
        return
    told = [("found", failure.found)]
    if failure.setting is not None:
        options = ", ".join(f"{option}={_on_one_line(value)}" for option, value in failure.setting.options.items())
        told.append(("setting", f"{failure.setting.seats} players, {options or 'every option at its default'}"))
    if failure.ply is not None:
        told.append(("position", f"after {failure.ply} moves: {failure.position or 'its line cannot be written'}"))
    told += [("look at", "\n".join(failure.places)), ("again", failure.again)]
    print(f"FAILED {name}: {result.check.meaning}")
    for what, text in told:
        print(f"    {what:<10}" + harmless(text).replace("\n", "\n" + " " * 14))
    sys.stdout.flush()


@app.command()
def cards(
    game: GameName,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The PDF to write.")],
    deck: Annotated[Path | None, typer.Option("--deck", metavar="FILE", help="A deck file of your own.")] = None,
) -> None:
    """Print a game's deck: a PDF of its cards, to cut out and play with."""
    from importlib import import_module
    from importlib.util import find_spec

    from backroom.engine.game import Refusal, find_game
    from backroom.text.files import unusable

    found = find_game(game)
    module = f"{found.rules.__package__}.sheet"
    if find_spec(module) is None:
        raise Refusal("E_USAGE", f"{found.title} has no deck to print")
    text = "" if deck is None else _text_of(deck)
    sheet, pages, missing = import_module(module).sheet(text)
    try:
        out.write_bytes(sheet)
    except (OSError, ValueError) as problem:
        raise unusable(out, "be written", problem) from None
    print(f"{out}: {pages} pages; print on both sides, turned over the long edge, and cut along the lines")
    if missing:
        print(f"These names have letters that the sheet's typeface lacks, with ? in their place: {', '.join(missing)}")


@app.command("new-game")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the game, its package and the new folder.")],
) -> None:
    """Write a small complete game as a package in a new folder, to begin your own game with."""
    from backroom.new_game import write_game

    write_game(name, Path())
    print(f"{name}/ is a package with Kuhn poker as a game of your own. Next:")
    for line in (f"cd {name}", "pip install -e '.[dev]'", f"backroom check {name}", f"backroom play {name}"):
        print(f"    {line}")


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A match file.")],
    commitment: Annotated[
        str | None, typer.Option(help="The commitment shown when the match began, or its first digits.")
    ] = None,
    json_: Json = False,
) -> None:
    """Recompute a match from its seed.

    That is: the commitment, every source of chance, and every move's hash. A match that is not over is verified so
    far: the file does not say whether moves that followed were cut off. One of older rules is verified when those of
    today lead to every position that it had.
    """
    from backroom.engine.game import Refusal
    from backroom.text.english import counted
    from backroom.text.files import shown

    match = _load(file)
    if commitment is not None and not (len(commitment) >= 8 and match.commitment.startswith(commitment.lower())):
        raise Refusal(
            "E_FILE",
            f"{shown(file)}: its commitment is {match.commitment}, not {commitment}: another match, or another seed",
        )
    # A game without sources of chance has a counter all the same: a record has no empty fields.
    uses = dict(zip(match.game.streams, match.state.chance_count.tolist(), strict=False))
    if json_:
        print(
            json.dumps(
                {
                    "file": str(file),
                    "verified": True,
                    "rules": match.under.rules,
                    "over": match.over,
                    "commitment": match.commitment,
                    "chance": uses,
                    "moves": match.ply,
                    "hash": match.chain[-1],
                }
            )
        )
        return
    print(f"commitment {match.commitment}: is the SHA-256 of the seed in the file")
    for stream, count in uses.items():
        times = f"{counted(count, 'draw')} recomputed from the seed" if count else "never used"
        print(f"chance {stream.replace('_', ' ')}: {times}")
    print(f"hash {match.chain[-1]} after {match.ply} moves: every position recomputed")
    if match.outdated:
        print(f"rules {match.under.rules}: replayed under {match.game.version}, with the same positions throughout")
    whole = f"verified: {match.ply} moves, over" if match.over else f"verified so far: {match.ply} moves, not over"
    print(whole if commitment else f"{whole} (compare the commitment with the one shown when the match began)")


@app.command()
def replay(
    files: Files,
    log: Annotated[
        bool, typer.Option("--log", help="Tell each match: all of it when it is over, else what all may know.")
    ] = False,
    json_: Json = False,
) -> None:
    """Replay match files, one line each.

    The line is "ok" with the number of moves and the last hash, and "not over" for a match that is not, or what is
    wrong with the file. Where that is older rules, under which it does not replay any more, --log prints the moves as
    they were recorded.
    """
    from backroom.engine.game import Refusal
    from backroom.engine.record import ALL_KNOWING, SPECTATOR
    from backroom.text.files import shown
    from backroom.text.harmless import harmless

    refused = False
    for path in files:
        try:
            match = _load(path)
        except Refusal as problem:
            refused = True
            print(json.dumps({"file": str(path), "ok": False, "problem": str(problem)}) if json_ else problem)
            if log and problem.code == "E_VERSION" and not json_:
                _print_recorded(path)
            continue
        if json_:
            told = {"file": str(path), "ok": True, "over": match.over, "moves": match.ply, "hash": match.chain[-1]}
            print(json.dumps(told))
        else:
            so_far = "" if match.over else ", not over"
            rules = f", recorded under rules {match.under.rules}" if match.outdated else ""
            print(f"{shown(path)}: ok {match.ply} moves {match.chain[-1]}{so_far}{rules}")
        if log and not json_:
            for ply, line in match.lines(ALL_KNOWING if match.over else SPECTATOR):
                print(f"{ply:5}  {harmless(line.text)}" + (f"  {line.rule}" if line.rule else ""))
    raise typer.Exit(2 if refused else 0)


def _print_recorded(path: Path) -> None:
    """The moves of a match file of other rules as its players typed them."""
    from backroom.engine.match import recorded_moves
    from backroom.terminal import read_saved
    from backroom.text.harmless import harmless

    for ply, (player, move) in enumerate(recorded_moves(read_saved(_read_file(path))), 1):
        told = " ".join(f"{player}: {move}".splitlines())  # nothing is proven of it: it may have lines in it
        print(f"{ply:5}  {harmless(told)}")


@app.command()
def simulate(
    game: GameName,
    players: Players = None,
    bots: Annotated[
        str, typer.Option(metavar="SPECS", help="The bot in every seat, or one for each seat, with commas.")
    ] = "random",
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 1,
    workers: Workers = None,
    option: Option = None,
    preset: Preset = None,
    count_actions: Annotated[
        bool, typer.Option("--count-actions", help="Also count decisions by family of actions.")
    ] = False,
    never: Annotated[
        list[str] | None,
        typer.Option(metavar="FAMILY[@SEAT]", help="A family of actions that all seats, or one, may not use."),
    ] = None,
    json_: Json = False,
) -> None:
    """Play games between bots and count."""
    from backroom.engine.game import find_game
    from backroom.lab.run import simulate as run

    found = find_game(game)
    values, seats = _options(found, option, preset), players or found.seats[0]
    with _progress(f"{games} games") as step:
        result, stopped = _until_ctrl_c(
            lambda: run(found, values, seats, bots, games, seed, workers, step, count_actions, never or ())
        )
    if json_:
        print(json.dumps(result.to_json()))
    else:
        _tell(found, result, bots)
    if stopped:
        print(f"interrupted after {result.games} of {games} games", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)


def _until_ctrl_c(run: Callable[[], R]) -> tuple[R, bool]:
    """What was counted, and whether Ctrl-C ended it early."""
    from backroom.lab.run import Interrupted

    with _ctrl_c_says("interrupted before anything was counted"):
        try:
            return run(), False
        except Interrupted as stopped:
            return stopped.result, True


@contextmanager
def _ctrl_c_says(line: str) -> Iterator[None]:
    """Ctrl-C within ends the command with this line."""
    try:
        yield
    except KeyboardInterrupt:
        print(line, file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None


def _tell(found: "Game", result: "Simulation", bots: str) -> None:
    specs = bots.split(",")
    mixed = len(specs) > 1
    players = f"{result.seats} bots ({', '.join(specs)})" if mixed else f"{result.seats} {bots} bots"
    print(
        f"{found.title}, rules {result.version}: {result.games} games of {players}, "
        f"seed {result.seed}, {result.seconds:.1f} s, {_rate(result.games / result.seconds)} games/s, "
        f"{_rate(result.decisions / result.seconds)} decisions/s"
    )
    print("options: " + ", ".join(f"{name}={_on_one_line(value)}" for name, value in result.options.items()))
    if result.never:
        print(f"never played: {', '.join(result.never)}")
    for seat, share in enumerate(result.shares):
        player = f" ({specs[seat]})" if mixed else ""
        print(f"seat {seat + 1}{player} wins {share.estimate:.1%} ({share.low:.1%} to {share.high:.1%})")
    for name, summary in (("decisions", result.length), ("turns", result.turns)):
        middle = f"median {summary.median:.0f}, from {summary.p10:.0f} to {summary.p90:.0f} in four of five"
        print(f"{name} a game: mean {summary.mean:.1f}, {middle}")
    for ending, count in result.endings.items():
        print(f"ended because {ending}: {count} of {result.games}")
    if result.actions:
        uses = sorted(((sum(by_seat), family) for family, by_seat in result.actions.items()), key=lambda use: -use[0])
        print("decisions by family: " + ", ".join(f"{family} {count / result.decisions:.1%}" for count, family in uses))
    print(f"stopped by a guard: {result.capped} of {result.games}")


def _rate(value: float) -> str:
    """How many a second: a whole number, below ten two digits (a slow bot may play less than one game)."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


@app.command()
def ladder(
    game: GameName,
    players: Players = None,
    bots: Annotated[str, typer.Option(metavar="SPECS", help="Weakest first, with commas.")] = "random,greedy,search",
    games: Annotated[int, typer.Option(min=1, help="Games for each comparison.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 1,
    workers: Workers = None,
    option: Option = None,
    preset: Preset = None,
    json_: Json = False,
) -> None:
    """Compare bots, each with the one before it."""
    from backroom.engine.game import find_game
    from backroom.lab.ladder import ladder as run

    found = find_game(game)
    values, seats = _options(found, option, preset), players or found.seats[0]
    with _progress("blocks of games") as step:
        result, stopped = _until_ctrl_c(lambda: run(found, seats, bots.split(","), games, seed, workers, values, step))
    if json_:
        print(json.dumps(result.to_json()))
    else:
        print(f"{found.title}, rules {result.version}: {seats} seats, seed {seed}")
        for rung in result.rungs:
            print(rung.verdict)
    if stopped:
        print("interrupted; the last comparison may have fewer games than were asked for", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)


@app.command()
def warm(games: Annotated[list[str] | None, typer.Argument(metavar="GAME...", help="Default: all.")] = None) -> None:
    """Compile rules and bots ahead of time."""
    from backroom.bots.threads import in_order
    from backroom.bots.warm import warm as load
    from backroom.engine.cache import prune_cache
    from backroom.engine.game import find_game, installed_games

    chosen = [find_game(name) for name in games] if games else installed_games()
    with _ctrl_c_says("interrupted; what has been compiled so far is kept"):
        _compile(chosen)
        for game, taken in zip(chosen, in_order(load, chosen, 1), strict=True):
            parts = ", ".join(f"{part} {seconds:.1f}" for part, seconds in taken.items())
            print(f"{game.name}: compiled; loaded in {sum(taken.values()):.1f} s ({parts})", flush=True)
    prune_cache()


def _compile(games: "Sequence[Game]") -> None:
    """Compile what is not on disk yet, with a bar that moves part by part, or one line where there is no terminal."""
    from backroom.bots.warm import PARTS, compile_ahead, is_compiled

    parts = len(PARTS) * sum(not is_compiled(game) for game in games)
    if parts:
        if not sys.stderr.isatty():
            print("Compiling the rules, once: a minute or two.", file=sys.stderr, flush=True)
        with _progress("compiling the rules") as step:
            step(0, parts)
            for number, _ in enumerate(compile_ahead(games), 1):
                step(number, parts)


Database = Annotated[str | None, typer.Option(metavar="URL", help="As for serve; default: the same SQLite file.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do it without asking.")]
TableArgument = Annotated[str, typer.Argument(metavar="TABLE", help="Its id, as in its link.")]

tables_app = typer.Typer(no_args_is_help=True, help="Look after a server's tables, with the server running or not.")
app.add_typer(tables_app, name="tables")


def _address(database: str | None) -> "URL":
    """Where a server's database is. Refusal E_STORE for what is no address."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    from backroom.engine.game import Refusal
    from backroom.web.app import default_database

    address = database or default_database()
    try:
        return make_url(address)
    except ArgumentError:
        raise Refusal("E_STORE", f"cannot read the address of a database in {address[:80]!r}") from None


@contextmanager
def _store(database: str | None) -> "Iterator[Store]":
    """The database of a server, which must be there already."""
    from backroom.engine.game import Refusal
    from backroom.tables.store import Store

    url = _address(database)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        raise Refusal("E_STORE", f"there is no database {url.database}; --database says where it is")
    store = Store(url.render_as_string(hide_password=False))
    try:
        yield store
    finally:
        store.close()


def _print_tables(found: "Sequence[Kept]") -> None:
    from rich.text import Text

    from backroom.tables.clock import now

    lines = []
    for kept in found:
        who = ", ".join([*kept.people, *(f"{name} (bot)" for name in kept.bots)])
        who += f"{', ' if who else ''}{kept.free} free" if kept.free else ""
        days = (now() - kept.touched) / 86400
        ago = f"{days:.0f} d ago" if days >= 1 else f"{days * 24:.0f} h ago"
        row = (kept.table, kept.state, kept.game, f"{kept.moves} moves", ago, f"{kept.title}: {who}")
        lines.append([Text(cell) for cell in row])
    _print_rows(lines)


@tables_app.command("list")
def list_tables(database: Database = None, json_: Json = False) -> None:
    """List all tables, those touched last first: id, state, game, moves, when last touched, title and who is there.

    States: waiting (for company), running, stopped (begun under other rules than this server's), finished, ended
    (stopped, and then ended by its players).
    """
    from dataclasses import asdict

    from backroom.tables.keeping import listed

    with _store(database) as store:
        found = listed(store)
    if json_:
        print(json.dumps([asdict(kept) for kept in found]))
    elif found:
        _print_tables(found)
    else:
        print("no tables")


@tables_app.command()
def show(table: TableArgument, database: Database = None, json_: Json = False) -> None:
    """Show one table: its chairs and when each was last there. Nothing that a player may not know."""
    from dataclasses import asdict

    from backroom.tables.keeping import shown_table

    with _store(database) as store:
        kept, row, chairs, talk = shown_table(store, table)
    seated: list[dict[str, Any]] = [
        {
            "chair": chair.number,
            "name": chair.name,
            "who": "bot " + chair.bot if chair.bot else "person" if chair.token else "free",
            "seen": abs(chair.seen),
            "host": chair.number == row.host,
        }
        for chair in chairs
    ]
    if json_:
        print(json.dumps(asdict(kept) | {"chairs": seated, "talk": talk, "pace": row.pace, "next": row.next_table}))
        return
    print(f"{kept.table}  {kept.title}: {kept.game}, rules {kept.rules}, {kept.state}")
    print(f"made {_when(kept.created)}, last touched {_when(kept.touched)}, {kept.moves} moves, {talk} lines of talk")
    for chair in seated:
        host = ", host" if chair["host"] else ""
        seen = f", last there {_when(chair['seen'])}" if chair["seen"] else ""
        print(f"chair {chair['chair']}: {chair['name'] or 'nobody'} ({chair['who']}{host}){seen}")


def _when(seconds: int) -> str:
    from datetime import UTC, datetime

    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


@tables_app.command("export")
def export_table(
    table: TableArgument,
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="Default: standard output.")] = None,
    unfinished: Annotated[
        bool,
        typer.Option("--unfinished", help="Also of a match that is not over: the seed, and so all hands, are in it."),
    ] = False,
    database: Database = None,
) -> None:
    """Print the match file of a table, for `backroom verify` and `backroom replay`."""
    from backroom.tables.keeping import export
    from backroom.text.files import unusable

    with _store(database) as store:
        text = export(store, table, unfinished)
    if to is None:
        print(text, end="")
        return
    try:
        to.write_text(text, "utf-8")
    except OSError as problem:
        raise unusable(to, "be written", problem) from None


@tables_app.command("delete")
def delete_tables(
    tables: Annotated[list[str], typer.Argument(metavar="TABLE...", help="Their ids, as in their links.")],
    running: Annotated[bool, typer.Option("--running", help="Also tables whose match is not over.")] = False,
    yes: Yes = False,
    database: Database = None,
) -> None:
    """Delete tables with their record, talk and notes. There is no way back but a backup."""
    from backroom.engine.game import Refusal
    from backroom.tables.keeping import shown_table

    with _store(database) as store:
        found = [shown_table(store, table)[0] for table in dict.fromkeys(tables)]
        playing = [kept.table for kept in found if kept.state in ("running", "stopped")]
        if playing and not running:
            raise Refusal(
                "E_GOING", f"the match at {', '.join(playing)} is not over; --running deletes it all the same"
            )
        _delete(store, found, yes)


@tables_app.command()
def prune(
    older: Annotated[str, typer.Option(metavar="TIME", help="Untouched for so long: 90d, 12h, 6w.")],
    running: Annotated[bool, typer.Option("--running", help="Also tables whose match is not over.")] = False,
    yes: Yes = False,
    database: Database = None,
) -> None:
    """Delete tables that nobody has touched for a time: those that are over, and those that never started.

    Touched means: a move, a word, or a page open there at a chair.
    """
    from backroom.tables.keeping import prunable, seconds_of

    with _store(database) as store:
        _delete(store, prunable(store, seconds_of(older), running), yes)


def _delete(store: "Store", found: "Sequence[Kept]", yes: bool) -> None:
    """Show what would be deleted, and delete it if somebody says yes."""
    from backroom.tables.keeping import delete

    if not found:
        print("nothing to delete")
        return
    _print_tables(found)
    if not yes and not (sys.stdin.isatty() and typer.confirm(f"Delete {len(found)}?")):
        print("nothing was deleted; --yes deletes without asking")
        return
    gone = delete(store, found)
    kept = len(found) - len(gone)
    print(f"{len(gone)} deleted" + (f", {kept} left, as somebody has just been there" if kept else ""))


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to; it must not be there yet.")],
    database: Database = None,
) -> None:
    """Write a copy of an SQLite database while it is served: all tables as they are at one moment."""
    from backroom.tables.keeping import back_up
    from backroom.text.files import shown

    with _store(database) as store:
        count = back_up(store, file)
    print(f"{count} tables in {shown(file)}")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")],
    database: Database = None,
    yes: Annotated[bool, typer.Option("--yes", help="Put the database that is there aside.")] = False,
) -> None:
    """Put a backup in the place of an SQLite database, while no server has it open."""
    from backroom.tables.keeping import file_of
    from backroom.tables.keeping import restore as put_back
    from backroom.text.files import shown

    target = file_of(_address(database))
    aside = put_back(file, target, yes)
    print(f"restored to {shown(target)}" + (f"; what was there is {shown(aside)}" if aside else ""))


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 is all of this machine's.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, show_default=False, help="Default: 8000, else the next that is free. 0: any free one."
        ),
    ] = None,
    database: Annotated[str | None, typer.Option(metavar="URL", help="Default: an SQLite file.")] = None,
    mail: Annotated[
        str,
        typer.Option(
            metavar="URL",
            envvar="BACKROOM_MAIL",
            help="Relay for mail to players: smtp://[user:password@]host[:port]?from=address, or smtps://.",
        ),
    ] = "",
    public_url: Annotated[
        str,
        typer.Option(metavar="URL", envvar="BACKROOM_URL", help="The address that links sent to people begin with."),
    ] = "",
    proxy: Annotated[
        list[str],
        typer.Option(
            metavar="ADDRESS",
            envvar="BACKROOM_PROXY",
            help="An address or network whose word is taken for who asks (X-Forwarded-For). May be given often.",
        ),
    ] = [],  # noqa: B006
    bot_iterations: Annotated[
        int, typer.Option(min=1, help="The most iterations a decision that a table may ask of a bot (search:N).")
    ] = 100_000,
    bot_seconds: Annotated[
        float, typer.Option(min=0.1, help="Seconds after which a bot plays what it has found so far.")
    ] = 10.0,
    bots_at_once: Annotated[
        int, typer.Option(min=0, help="Bots that think at once, each in a process of its own. 0: one a core.")
    ] = 0,
    bots_a_client: Annotated[
        int, typer.Option(min=0, help="Of those, the most for the tables of one address. 0: half of them.")
    ] = 0,
) -> None:
    """Serve the tables to browsers. The first start compiles the games' rules first (a minute or two)."""
    from backroom import web
    from backroom.bots.warm import PARTS
    from backroom.engine.game import installed_games
    from backroom.tables.thinking import Limits

    games = installed_games()
    _compile(games)
    # What tables need of a game; its bots think elsewhere.
    ahead = [(PARTS[part], game) for part in ("moves", "rules") for game in games]
    threading.Thread(target=lambda: [load(game) for load, game in ahead], name="backroom-warm", daemon=True).start()
    at_once = bots_at_once or os.cpu_count() or 1
    limits = Limits(bot_iterations, bot_seconds, at_once, bots_a_client or max(1, at_once // 2))
    web.serve(host, port, database, mail, public_url, proxy, limits, [game.name for game in games])
