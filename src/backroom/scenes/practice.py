"""The practice of a game: a match played move by move, in which each move is explained. Data of the game's folder.

``practice.toml`` has it; what stands there is written down in ``docs/pages.md``.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from backroom.engine.game import Game, Refusal
from backroom.engine.match import Match
from backroom.scenes.draft import Draft

__all__ = ["Practice", "Step", "Task", "practice_of", "read_practice"]

FEWEST, MOST = 4, 8
"""Steps of a practice."""


@dataclass(frozen=True)
class Task:
    """A line of what is to be done: ticked once the move in preparation begins with ``begun`` (empty: once made)."""

    text: str
    begun: str


@dataclass(frozen=True)
class Step:
    """A decision of the learner: ``moves`` are those that are played, as they are typed.

    ``wrong`` explains others by how they begin, ``otherwise`` all that are left.
    """

    title: str
    why: str
    tasks: tuple[Task, ...]
    moves: tuple[str, ...]
    wrong: tuple[tuple[str, str], ...]
    otherwise: str

    def said(self, draft: Draft) -> str:
        """What is said to a whole move that is not the one of this step; empty if it is, or is not whole."""
        if draft.actions is None or any(draft.begun(move).actions == draft.actions for move in self.moves):
            return ""
        return next((words for begins, words in self.wrong if draft.begins(begins)), self.otherwise)


@dataclass(frozen=True)
class Practice:
    """A practice: how the match begins, its steps, and by player what the others decide, in order.

    ``names`` are those of the others; the learner sits on the first chair. ``ends`` is said when all is done.
    """

    minutes: int
    seed: int
    options: Mapping[str, Any]
    names: tuple[str, ...]
    steps: tuple[Step, ...]
    answers: Mapping[str, tuple[str, ...]]
    ends: str

    def match(self, game: Game, learner: str) -> Match:
        """The match as it begins. Refusal E_SETUP."""
        return Match.new(game, [learner, *self.names], self.options, self.seed)

    def answer(self, match: Match, seat: int) -> str | None:
        """What a seat that is played for decides now; None when it has nothing more to do."""
        made, answers = decided(match, seat), self.answers.get(match.names[seat], ())
        return answers[made] if made < len(answers) else None


def decided(match: Match, seat: int) -> int:
    """How many decisions of a match a seat has made; what it said is none."""
    return sum(1 for move in match.moves if move.seat == seat and move.actions)


@cache
def practice_of(game: Game) -> Practice | None:
    """The practice of a game, if it brings one. Refusal E_PRACTICE with the line of what is wrong with it."""
    file = game.file("practice.toml")
    return read_practice(file.read_text("utf-8")) if file.is_file() else None


def read_practice(text: str) -> Practice:
    """A practice from the text of its file. Refusal E_PRACTICE with the line of what is wrong with it."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise Refusal("E_PRACTICE", f"practice.toml: {problem}") from None
    lines = text.splitlines()
    head = _Part("practice.toml", found)
    steps = [number for number, line in enumerate(lines, 1) if re.match(r"\s*\[\[step\]\]", line)]
    given = head.take("step", list)
    if not FEWEST <= len(given) <= MOST:
        raise Refusal("E_PRACTICE", f"practice.toml: it has {len(given)} steps; there are to be {FEWEST} to {MOST}")
    minutes, seed = head.take("minutes", int), head.take("seed", int)
    names, options = head.texts("names"), head.take("options", dict, {})
    ends = head.take("ends", str)
    opening = _answers(head, names)
    answers = {name: list(opening.get(name, ())) for name in names}
    read = []
    for line, fields in zip(steps, given, strict=True):
        part = _Part(f"practice.toml, the step of line {line}", fields)
        for name, moves in _answers(part, names).items():
            answers[name] += moves
        read.append(_step(part))
    head.empty()
    kept = {name: tuple(moves) for name, moves in answers.items()}
    return Practice(minutes, seed, options, names, tuple(read), kept, ends)


class _Part:
    """A table of the file whose keys are taken one by one; ``where`` begins what is wrong with it."""

    def __init__(self, where: str, fields: dict[str, Any]) -> None:
        self.where, self.fields = where, dict(fields)

    def wrong(self, why: str) -> Refusal:
        return Refusal("E_PRACTICE", f"{self.where}: {why}")

    def take(self, key: str, kind: type, default: Any = None) -> Any:
        value = self.fields.pop(key, default)
        if value is None:
            raise self.wrong(f"{key} is missing")
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.wrong(f"{key} is to be of the type {kind.__name__}, not {type(value).__name__}")
        return value

    def texts(self, key: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        """A list of texts."""
        found = self.take(key, list, list(default) if default is not None else None)
        if not all(isinstance(text, str) for text in found):
            raise self.wrong(f"{key} is a list of texts")
        return tuple(found)

    def empty(self) -> None:
        if self.fields:
            raise self.wrong(f"{', '.join(self.fields)}: there is no such key")


def _answers(part: _Part, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    given = _Part(part.where, part.take("answers", dict, {}))
    unknown = given.fields.keys() - set(names)
    if unknown:
        raise part.wrong(f"answers of {', '.join(sorted(unknown))}, who is not among the names")
    return {name: given.texts(name) for name in list(given.fields)}


def _step(part: _Part) -> Step:
    tasks = []
    for task in part.take("tasks", list):
        if not (isinstance(task, list) and len(task) == 2 and all(isinstance(text, str) for text in task)):
            raise part.wrong('a task is a text and how the move begins then: ["Tap a cat.", "take scientists"]')
        tasks.append(Task(*task))
    wrong = _Part(part.where, part.take("wrong", dict, {}))
    explained = tuple((begins, wrong.take(begins, str)) for begins in list(wrong.fields))
    title, why, otherwise = (part.take(key, str) for key in ("title", "why", "otherwise"))
    moves = part.texts("moves")
    if not (moves and tasks):
        raise part.wrong("a step has a move and a task at least")
    part.empty()
    return Step(title, why, tuple(tasks), moves, explained, otherwise)
