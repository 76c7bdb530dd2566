"""Worked examples: the notation of a game's specification, run against its rules. A new example needs no code."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from backroom.engine.files import shown, unusable
from backroom.engine.game import Game, Refusal

__all__ = ["Example", "Report", "read_blocks", "run_examples"]


@dataclass(frozen=True)
class Example:
    """One example: its id and a check that returns the differences found, each a readable line with its place."""

    id: str
    check: Callable[[], list[str]]


@dataclass
class Report:
    """What a run found: ids that passed, and the differences of each that failed."""

    passed: list[str] = field(default_factory=list)
    failed: dict[str, list[str]] = field(default_factory=dict)


def read_blocks(name: str, text: str) -> list[str]:
    """The examples in a file: the fenced blocks of Markdown (``.md``), the whole of any other text."""
    if name.endswith(".md"):
        return re.findall(r"^```[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [text]


def run_examples(game: Game, files: Iterable[Path] = ()) -> Report:
    """Run every example in the files (none given: the game's own ``examples.txt``).

    Refusal E_FILE for a file that cannot be read or holds no example.
    """
    sources = [(shown(path), _read(path)) for path in files]
    if not sources:
        own = game.file("examples.txt")
        if not own.is_file():
            raise Refusal("E_FILE", f"{game.name} has no examples.txt of its own; name the files to run")
        sources = [("examples.txt", own.read_text("utf-8-sig"))]
    report = Report()
    for name, text in sources:
        found = [example for block in read_blocks(name, text) for example in game.notation.examples(block)]
        if not found:
            raise Refusal("E_FILE", f"{name}: no example in it; {game.name}'s grammar stands in docs/notation.md")
        for example in found:
            try:
                differences = example.check()
            except Refusal as problem:
                differences = [str(problem)]
            if differences:
                report.failed.setdefault(example.id, []).extend(differences)
            else:
                report.passed.append(example.id)
    return report


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except (OSError, ValueError) as problem:
        raise unusable(path, "be read as text", problem) from None
