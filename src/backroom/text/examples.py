"""Worked examples: the notation of a game's specification, run against its rules. A new example needs no code.

What an example is made of is the same in every game: a position, then steps; a step is a move with what holds after it,
or one that is refused with a code and changes nothing. A game declares what it looks at after a move.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from backroom.engine.game import Game, Refusal
from backroom.engine.names import seat_called
from backroom.text.files import shown, unusable
from backroom.text.markdown import fences

__all__ = [
    "Example",
    "Failure",
    "Report",
    "Trial",
    "differs",
    "headed_examples",
    "read_blocks",
    "run_examples",
    "stated",
    "taken",
]

HOW = (
    "it is an id and a position line of the game (`position` in `backroom play`), then steps that begin with > or !; "
    "see docs/adding_a_game.md, and docs/notation.md for the games of the house"
)
"""How an example is written, for whoever has none."""
MARKDOWN_SUFFIXES = (".md", ".markdown")


@dataclass(frozen=True)
class Example:
    """One example: its id and a check that returns the differences found, each a readable line with its place."""

    id: str
    check: Callable[[], list[str]]


class Failure(NamedTuple):
    """An example that failed: its id, the file it stands in, and the differences found."""

    id: str
    file: str
    differences: list[str]


@dataclass
class Report:
    """The result of a run: the ids of the examples that passed, and those that failed. An id may occur twice."""

    passed: list[str] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)


class Trial:
    """An example being run: its position, and what its moves make of that."""

    def __init__(self, game: Game, state: Any, names: Sequence[str]) -> None:
        self.game, self.state, self.names = game, state, names

    def seat(self, word: str) -> int:
        """The seat of a player by name. Refusal E_ACTOR when nobody is called so."""
        found = seat_called(word, self.names)
        if found is None:
            raise Refusal("E_ACTOR", f"nobody is called {word!r}; there are {', '.join(self.names)}")
        return found

    def play(self, seat: int, text: str, script: Sequence[tuple[int, list[int]]] = ()) -> Any:
        """Play a typed move or message, with chance as it is scripted; the log of it.

        Refusal with the game's code; then nothing has changed.
        """
        game, after, view = self.game, self.game.state.copy(self.state), self.game.state.view(self.state, seat)
        log = game.events.new_log()
        game.events.write_script(log, list(script))
        said = game.talk_notation.parse_talk(view, seat, text, self.names) if game.messages is not None else None
        if said is not None:
            game.kernels["talk"](after, seat, said[0], log)
        else:
            for action in game.notation.parse_move(game, view, seat, " ".join(text.split()), self.names):
                game.apply(after, seat, action, log)
        self.state = after
        return log

    def refused(self, who: str, text: str, code: str) -> list[str]:
        """What is wrong when a move is not refused with this code (``-``: when it is refused), or changes anything."""
        before, got = self.state.tobytes(), None
        try:
            self.play(0 if self.state.over else self.seat(who), text)
        except Refusal as refusal:
            got = refusal
        if got is None:
            return [] if code == "-" else [f"expected {code}, but the move was accepted"]
        found = [] if got.code == code else [f"refused: {got}" if code == "-" else f"expected {code}, got {got}"]
        return found if self.state.tobytes() == before else [*found, "a refused move changed the state"]

    def winners(self) -> list[int]:
        """The seats on the first place; none while the game goes on."""
        places = self.game.outcome(self.state)[1] if self.state.over else []
        return [seat for seat, place in enumerate(places) if place == 1]


Step = Callable[[Trial, str], list[str]]
"""Takes one step of an example, and gives the differences found."""


def differs(what: str, expected: object, now: object) -> list[str]:
    """The difference between what a step says and what is."""
    return [] if expected == now else [f"{what}: expected {expected}, it is {now}"]


def stated(text: str, facts: Mapping[str, Callable[[str], list[str]]], needed: Sequence[str] = ()) -> list[str]:
    """The differences between the facts of a text, as ``score 0 7; over B``, and what is so.

    ``facts`` gives them by the first word of a fact, for the rest of it in single blanks. Each may be said once;
    ``needed`` are those that must be.
    """
    found, said = [], set()
    for fact in (part.strip() for part in (text.split(";") if text.strip() else ())):
        word, *rest = fact.split() or [""]
        if word in said:
            found.append(f"{fact}: is said twice")
        elif word in facts:
            found += [f"{fact}: {problem}" for problem in facts[word](" ".join(rest))]
        else:
            found.append(f"{fact}: there is no field {word!r}; there are {', '.join(facts)}")
        said.add(word)
    missing = [word for word in needed if word not in said]
    return [*found, f"a step says {', '.join(needed)}; missing: {', '.join(missing)}"] if missing else found


def taken(trial: Trial, steps: Iterable[str], step: Step) -> list[str]:
    """The differences of the first step that has any: what follows stands on it."""
    for text in steps:
        try:
            found = step(trial, text)
        except Refusal as refusal:
            found = [str(refusal)]
        if found:
            return [f"{text}: {problem}" for problem in found]
    return []


def headed_examples(game: Game, text: str, ours: re.Pattern[str], step: Step) -> Iterator[Example]:
    """The examples of a text in which a head, an id and a position line, stands above the lines of its steps.

    A remark in brackets may end a head. A step begins with >; ``! anna MOVE CODE`` is a move that is refused.
    Blank lines and those that begin with # say nothing. A text without what ``ours`` finds is of something else and has
    no example.
    """
    if not ours.search(text):
        return
    found: list[tuple[str, list[str]]] = []
    for line in map(str.strip, text.splitlines()):
        if line.startswith((">", "!")):
            found = found or [("", [])]
            found[-1][1].append(line)
        elif line and not line.startswith("#"):
            found.append((line, []))
    for head, steps in found:
        name, *rest = head.split(maxsplit=1) or ["(no position)"]
        yield Example(name, partial(_run, game, re.sub(r"\s*\(.*\)\s*$", "", "".join(rest)), steps, step))


def _run(game: Game, position: str, steps: Sequence[str], step: Step) -> list[str]:
    if not position:
        return ["no position; an example begins with its id and a position line"]
    try:
        trial = Trial(game, *game.notation.parse_position(game, position))
    except Refusal as problem:
        return [f"{position}: {problem}"]
    if not steps:
        return ["no step follows; one begins with > or !"]
    return taken(trial, steps, lambda trial, text: _refused(trial, text) if text.startswith("!") else step(trial, text))


def _refused(trial: Trial, text: str) -> list[str]:
    words = re.fullmatch(r"!\s*(\S+)\s(.*)\s(\S+)", text)
    return trial.refused(*words.groups()) if words else ["a ! line is a player, a move and a code, or - for none"]


def read_blocks(path: Path, text: str) -> list[str]:
    """The examples in a file: the fenced blocks of Markdown (``.md``, ``.markdown``), the whole of any other text."""
    if path.suffix.lower() in MARKDOWN_SUFFIXES:
        return [fence.content for fence in fences(text)]
    return [text]


def run_examples(game: Game, files: Iterable[Path] = ()) -> Report:
    """Run every example in the files (none given: the game's own ``examples.txt``).

    Refusal E_FILE for a file that cannot be read or holds no example.
    """
    sources = [(path, _read(path)) for path in files]
    if not sources:
        own = game.file("examples.txt")
        if not own.is_file():
            raise Refusal("E_FILE", f"{game.name} has no examples.txt of its own; name the files to run")
        sources = [(Path("examples.txt"), own.read_text("utf-8-sig"))]
    report = Report()
    for path, text in sources:
        name = shown(path)
        found = [example for block in read_blocks(path, text) for example in game.notation.examples(game, block)]
        if not found:
            raise Refusal("E_FILE", f"{name}: no example in it; {HOW}")
        for example in found:
            try:
                differences = example.check()
            except Refusal as problem:
                differences = [str(problem)]
            if differences:
                report.failed.append(Failure(example.id, name, differences))
            else:
                report.passed.append(example.id)
    return report


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except (OSError, ValueError) as problem:
        raise unusable(path, "be read as text", problem) from None
