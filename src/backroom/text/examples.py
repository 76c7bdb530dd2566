"""Worked examples: the notation of a game's specification, run against its rules. A new example needs no code."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from backroom.engine.game import Game, Refusal
from backroom.text.files import shown, unusable
from backroom.text.markdown import fences

__all__ = ["Example", "Failure", "Report", "read_blocks", "run_examples"]

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
    """What a run found: the ids of the examples that passed, and those that failed. An id may stand there twice."""

    passed: list[str] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)


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
        found = [example for block in read_blocks(path, text) for example in game.notation.examples(block)]
        if not found:
            raise Refusal("E_FILE", f"{name}: no example in it; {game.name}'s grammar stands in docs/notation.md")
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
