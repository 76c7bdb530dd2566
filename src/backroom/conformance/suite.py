"""All checks, and what a run of them finds: what fails, where it was found, and where in the game to look."""

import inspect
import re
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Any

from backroom.bots.threads import aside, in_order
from backroom.conformance import replay, resampling, rules, secrecy, switches, text
from backroom.conformance.play import PLAYERS, Setting, every_setting, sample
from backroom.engine.game import Game, Refusal, check_players
from backroom.engine.record import ALL_KNOWING

__all__ = ["CHECKS", "Check", "Failure", "Result", "chosen", "examine", "one_setting", "places"]


@dataclass(frozen=True)
class Check:
    """One thing that every game must pass.

    ``run(game, setting)`` is called for each setting, or ``run(game, settings)`` ``once`` for the game; it raises an
    AssertionError that says what is wrong. ``look`` names where a game usually fails it: files of its folder, or names
    in its parts (``rules.legal``), for `places`.
    """

    run: Callable[[Game, Any], None]
    look: str
    once: bool = False

    @property
    def name(self) -> str:
        """Its name on the command line."""
        return self.run.__name__.removeprefix("check_")

    @property
    def meaning(self) -> str:
        """What a game that passes it does: the first paragraph of its docstring, on one line."""
        return " ".join((self.run.__doc__ or "").partition("\n\n")[0].split())


CHECKS = (
    Check(switches.check_settings, "options rules.setup facts.py", once=True),
    Check(rules.check_facts_are_stated, "facts.py", once=True),
    Check(rules.check_examples, "examples.txt notation.examples rules.apply", once=True),
    Check(rules.check_seat_counts, "rules.setup options.encode", once=True),
    Check(rules.check_only_seats_act, "notation.parse_move rules.apply rules.legal", once=True),
    Check(rules.check_perft, "facts.py rules.legal rules.apply", once=True),
    Check(rules.check_rulebook, "rulebook.md examples.txt facts.py", once=True),
    Check(switches.check_defaults_are_printed_rules, "options facts.py", once=True),
    Check(switches.check_unknown_options_are_refused, "options", once=True),
    Check(resampling.check_resample_is_uniform, "rules.resample facts.py", once=True),
    Check(rules.check_legal, "rules.legal rules.apply rules.default"),
    Check(rules.check_ahead, "rules.ahead"),
    Check(rules.check_default_completes, "rules.default"),
    Check(rules.check_end, "rules.apply rules.outcome options.simulation_defaults facts.py"),
    Check(rules.check_conserved, "rules.apply facts.py"),
    Check(rules.check_bounds, "rules.STATE"),
    Check(rules.check_seats_are_symmetric, "rules.apply rules.outcome facts.py"),
    Check(secrecy.check_twins, "rules.STATE rules.legal rules.resample notation"),
    Check(secrecy.check_events_tell_no_more_than_views, "rules.EVENTS rules.apply facts.py"),
    Check(secrecy.check_actions_tell_no_more_than_views, "rules.EVENTS rules.apply hints.seen"),
    Check(secrecy.check_unfinished_moves_depend_on_nothing_hidden, "rules.apply rules.ACTIONS"),
    Check(resampling.check_resample_is_legal, "rules.resample"),
    Check(resampling.check_resample_varies, "rules.resample rules.STATE facts.py"),
    Check(resampling.check_resample_is_calibrated, "rules.resample rules.setup"),
    Check(replay.check_replay, "notation.parse_move notation.move_tokens rules.apply"),
    Check(replay.check_json, "rules.STATE"),
    Check(replay.check_past_states_stay, "rules.apply"),
    Check(replay.check_chance_is_isolated, "hints.policy hints.evaluate rules.default rules.outcome notation"),
    Check(text.check_lines_name_players_apart, "notation.describe"),
    Check(text.check_moves_round_trip, "notation.parse_move notation.move_tokens"),
    Check(text.check_completions, "notation.move_tokens notation.parse_move"),
    Check(text.check_positions_round_trip, "notation.position notation.parse_position"),
    Check(text.check_garbage_is_refused, "notation.parse_move"),
    Check(text.check_bad_positions_are_refused, "notation.parse_position"),
    Check(replay.check_uncompiled, "rules.apply rules.legal", once=True),
    Check(switches.check_options_bite, "options.encode rules.setup rules.apply facts.py", once=True),
)
"""All of them, in the order of a run: those that are told soon first."""

FIRST = CHECKS[0]
ENGINE = Path(inspect.getfile(Game)).parent
PLACE = re.compile(r'File "([^"\n]+)", line (\d+)(?:, in (\S+))?')


@dataclass(frozen=True)
class Failure:
    """How a check failed: ``found`` in words, ``places`` of the game to look at, ``again`` the command that repeats it.

    ``setting``, ``ply`` and ``position`` (a line of the game's notation) are None where it is not found in a match.
    """

    found: str
    places: list[str]
    again: str
    setting: Setting | None = None
    ply: int | None = None
    position: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        found: dict[str, Any] = {"found": self.found, "places": self.places, "again": self.again}
        if self.setting is not None:
            found |= {"players": self.setting.seats, "options": dict(self.setting.options)}
            found |= {"moves": self.ply, "position": self.position}
        return found


@dataclass(frozen=True)
class Result:
    """What a check came to, in how many ``settings`` (a check of the game as a whole: 0) and how many ``seconds``."""

    check: Check
    settings: int
    seconds: float
    failure: Failure | None

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        found: dict[str, Any] = {"check": self.check.name, "means": self.check.meaning, "settings": self.settings}
        found |= {"seconds": round(self.seconds, 3), "passed": self.failure is None}
        return found | ({"failure": self.failure.to_json()} if self.failure else {})


def chosen(names: Sequence[str], among: Sequence[Check] = CHECKS) -> list[Check]:
    """The checks of these names in the order of a run, all for none. Refusal E_USAGE names what there is."""
    known = {check.name: check for check in among}
    for name in names:
        if name not in known:
            raise Refusal("E_USAGE", f"no check {name!r}; there are {', '.join(known)}")
    return [check for check in among if not names or check.name in names]


def one_setting(game: Game, seats: int, values: Mapping[str, Any]) -> Setting:
    """A setting of so many players and these option values, a preset among them. Refusal E_SETUP for others."""
    check_players(PLAYERS[:seats], game.seats)
    options, printed = game.options.build(values).model_dump(), game.options().model_dump()
    return Setting(seats, {name: value for name, value in options.items() if value != printed[name]})


def examine(
    game: Game,
    checks: Sequence[Check],
    setting: Setting | None = None,
    seed: int = 0,
    every: bool = False,
    step: Callable[[int, int, str], None] = lambda done, of, doing: None,
) -> Iterator[Result]:
    """Run checks, one result after the other; a check ends with the first setting in which it fails.

    They run in one ``setting``, or in a `sample`, which has every number of seats and every pair of values of two
    options; with ``every`` also in all of `every_setting`. That a game can be set up is checked first in any case: if
    it cannot, there are no further results. Other seeds give other random games. ``step(done, of, doing)`` is told how
    many settings are done, and of which check and setting it is the turn.

    It runs in a thread, so that an exception such as KeyboardInterrupt ends it at once, whatever the game is doing.
    """
    printed = Setting(game.seats.start, seed=seed)
    first = aside(lambda: _run(game, FIRST, [printed], step))
    if first.failure or FIRST in checks:
        yield first
    if first.failure:
        return
    settings = [setting] if setting else aside(lambda: _settings(game, every))
    settings = [replace(one, seed=seed, made=[]) for one in settings]
    left = [check for check in checks if check is not FIRST]
    done, of = 0, sum(1 if check.once else len(settings) for check in left)

    def run(check: Check) -> Result:
        nonlocal done
        result = _run(game, check, settings, lambda number, _, doing: step(done + number, of, doing))
        done += 1 if check.once else len(settings)
        return result

    yield from in_order(run, left, 1)


def _settings(game: Game, every: bool) -> list[Setting]:
    found = sample(game)
    return found + [one for one in every_setting(game) if every and one not in found]


def _run(game: Game, check: Check, settings: list[Setting], step: Callable[[int, int, str], None]) -> Result:
    started = time.perf_counter()
    failure = None
    subjects: list[Any] = [settings] if check.once else settings
    number = 0
    for number, subject in enumerate(subjects):
        step(number, len(subjects), f"{check.name} was checked" + ("" if check.once else f" with {subject}"))
        try:
            check.run(game, subject)
        except Exception as problem:
            failure = _failure(game, check, None if check.once else subject, settings[0].seed, problem)
            break
    taken = time.perf_counter() - started
    return Result(check, 0 if check.once else number + 1, taken, failure)


def _failure(game: Game, check: Check, setting: Setting | None, seed: int, problem: Exception) -> Failure:
    kind = "" if isinstance(problem, AssertionError | Refusal) else f"{type(problem).__name__}: "
    found = f"{kind}{problem}".strip() or type(problem).__name__
    again = ["backroom", "check", game.name, "--only", check.name]
    if seed:
        again += ["--seed", str(seed)]
    known = _raised_at(game, problem, found) or [one for word in check.look.split() for one in places(game, word)]
    if setting is None:
        return Failure(found, known, " ".join(map(quote, again)))
    again += ["--players", str(setting.seats)]
    for name, value in setting.options.items():
        again += ["--option", f"{name}={game.options.typed(value)}"]
    failure = Failure(found, known, " ".join(map(quote, again)), setting)
    for match in setting.made:
        failure = replace(failure, ply=match.ply)
        with suppress(Exception):  # the notation may be what is wrong
            failure = replace(failure, position=game.notation.position(match.state, match.names, ALL_KNOWING))
    return failure


def _raised_at(game: Game, problem: BaseException | None, found: str) -> list[str]:
    """The last place in the game's folder that a problem passed through, from its trace or from what it says."""
    folder = Path(game.rules.__file__).parent.resolve()
    told = PLACE.findall(found)
    while problem is not None:
        frames = traceback.extract_tb(problem.__traceback__)
        told += [(frame.filename, str(frame.lineno), frame.name) for frame in frames]
        problem = problem.__cause__
    own = [one for one in told if Path(one[0]).resolve().is_relative_to(folder)]
    return [f"{file}:{line} {function}".strip() for file, line, function in own[-1:]]


def places(game: Game, name: str) -> list[str]:
    """Where something of a game stands, as ``file:line name``; none for what it does without.

    ``name`` is a file of its folder, one of its parts (``rules``, ``hints``, ``notation``, ``options``), or what
    such a part has (``rules.legal``).
    """
    if name.endswith((".py", ".md", ".txt", ".html", ".toml")):
        stands = Path(game.rules.__file__).parent / name
        return [str(place) for place in (stands, stands.with_suffix("")) if place.exists()][:1]
    part, _, attribute = name.partition(".")
    owner = getattr(game, part)
    found = getattr(owner, attribute, None) if attribute else owner
    if found is None:
        return []
    code: Any = inspect.unwrap(found)  # a kernel stands where its function does
    if inspect.isroutine(code) or inspect.isclass(code):
        file, line = inspect.getsourcefile(code) or "", inspect.getsourcelines(code)[1]
        return [] if Path(file).is_relative_to(ENGINE) else [f"{file}:{line} {name}"]
    file = getattr(owner, "__file__", None) or str(inspect.getsourcefile(type(owner)))
    declared = re.search(rf"^{attribute}\b", Path(file).read_text("utf-8"), re.MULTILINE) if attribute else None
    line = declared.string.count("\n", 0, declared.start()) + 1 if declared else 1
    return [f"{file}:{line} {name}"]
