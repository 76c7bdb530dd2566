"""Position lines, both ways: what is the same in every game. A game declares its own fields, and how each reads.

A line is a row of parts with a sign between them, mostly a bar: first what every line has (the switches, the players),
then *fields*, each a word and what it says. A field stands there only when it has something to tell.
A game whose lines are no more than that declares a `Layout`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from backroom.engine.game import CAPPED, FINISHED, Game, Refusal
from backroom.engine.names import written
from backroom.engine.options import Options
from backroom.engine.record import Viewer
from backroom.engine.refusal import quoted

__all__ = [
    "ROTATION", "Field", "Layout", "Reading", "assigned", "end", "entries", "fields_of", "held", "number",
    "read_fields", "readable", "row", "split", "switches", "telling", "whole", "wrong",
]  # fmt: skip


def wrong(why: str, text: str | None = None) -> Refusal:
    """Refusal E_POSITION, with the part of the line that it is about."""
    return Refusal("E_POSITION", why if text is None else f"{why} in {quoted(text.strip())}")


@dataclass
class Reading:
    """A position being read: the state so far, the players' names by seat, and what each field of the line says."""

    state: Any
    names: tuple[str, ...]
    said: Mapping[str, str]


@dataclass(frozen=True)
class Field:
    """A field by its first ``word``: how it is read, and what follows the word in a position, None: it has no field.

    ``read(reading, text)`` may raise ValueError, KeyError, IndexError or OverflowError for a text that is none.
    ``tell(state, names, viewer)`` may be left out of a field that is read alone.
    """

    word: str
    read: Callable[[Reading, str], None]
    tell: Callable[[Any, Sequence[str], Viewer], str | None] = lambda state, names, viewer: None


def telling(fields: Iterable[Field], state: Any, names: Sequence[str], viewer: Viewer) -> list[str]:
    """The fields of a position as they are written, in the order in which they are declared."""
    told = [(field.word, field.tell(state, names, viewer)) for field in fields]
    return [f"{word} {text}".rstrip() for word, text in told if text is not None]


def split(text: str, sign: str = "|", least: int = 2) -> list[str]:
    """The parts of a line, without the blanks around them. Refusal E_POSITION when there are fewer than ``least``."""
    parts = [part.strip() for part in text.split(sign)]
    if len(parts) < least:
        raise wrong(f"a position has at least {least} parts with {sign} between them", text)
    return parts


def fields_of(parts: Iterable[str], words: Iterable[str]) -> dict[str, str]:
    """What each part says after its word, which is in small letters. Refusal E_POSITION: unknown, or there twice."""
    found: dict[str, str] = {}
    for part in parts:
        word, _, said = part.partition(" ")
        word = word.lower()
        if word not in words:
            raise wrong(f"there is no field {word!r}; there are {', '.join(words)}", part)
        if word in found:
            raise wrong(f"two fields {word!r}; write one", part)
        found[word] = said.strip()
    return found


def read_fields(fields: Iterable[Field], reading: Reading) -> None:
    """Read the fields that the line has, in the order in which they are declared. Refusal E_POSITION."""
    for field in fields:
        if field.word in reading.said:
            with readable(field.word, reading.said[field.word]):
                field.read(reading, reading.said[field.word])


@dataclass(frozen=True)
class Layout:
    """Lines of the form ``{switches} | players | fields``: ``{target=20} | anna:7 ben:5 | turn ben``.

    A player is a name and what ``tell(state, seat, viewer)`` writes after it. ``player`` matches such a word, its first
    group is the name, and ``form`` says how it is written; ``read(state, seat, match)`` reads the rest into a state in
    which nothing stands but the options. The string of the match is the whole part, for what may be wrong with it.
    ``between`` stands between two switches.
    """

    options: type[Options]
    fields: Sequence[Field]
    tell: Callable[[Any, int, Viewer], str] = lambda state, seat, viewer: ""
    read: Callable[[Any, int, re.Match[str]], None] = lambda state, seat, found: None
    player: re.Pattern[str] = re.compile("(.+)")
    form: str = "by name"
    between: str = ","

    def write(self, state: Any, names: Sequence[str], viewer: Viewer) -> str:
        """A position as one line."""
        switched = self.between.join(f"{name}={value}" for name, value in self.options.changed(state).items())
        players = " ".join(f"{written(name)}{self.tell(state, seat, viewer)}" for seat, name in enumerate(names))
        return " | ".join([f"{{{switched}}}", players, *telling(self.fields, state, names, viewer)])

    def parse(
        self,
        game: Game,
        text: str,
        set_aside: Callable[[dict[str, str], Sequence[str], str], None] = lambda given, names, head: None,
    ) -> tuple[Any, tuple[str, ...]]:
        """A state and the names from a line. Refusal E_POSITION, or E_SETUP for switches and names that cannot be.

        ``set_aside(switches, names, head)`` takes what a game allows in its heads besides its options out of them.
        """
        head, players, *rest = split(text)
        words = [self.player.fullmatch(players, *word.span()) for word in re.finditer(r"\S+", players)]
        found = [match for match in words if match is not None]
        if not found or len(found) < len(words):
            raise wrong(f"players are written {self.form}", players)
        names, given = tuple(match[1] for match in found), switches(head)
        set_aside(given, names, head)
        state = game.blank(game.options.build(given), names)
        state.rotation = 0
        for seat, match in enumerate(found):
            self.read(state, seat, match)
        read_fields(self.fields, Reading(state, names, fields_of(rest, [field.word for field in self.fields])))
        return state, names


@contextmanager
def readable(what: str, text: str) -> Iterator[None]:
    """Turn what goes wrong with a text into Refusal E_POSITION; a refusal stays as it is."""
    try:
        yield
    except Refusal:
        raise
    except (ValueError, KeyError, IndexError, OverflowError, StopIteration):
        raise wrong(f"cannot read {what}", text) from None


def entries(text: str, sign: str = ":") -> list[tuple[str, str]]:
    """The words of a text as (whose, what), each split at the first sign: ``anna:7 ben:?``."""
    return [(who, what) for who, _, what in (word.partition(sign) for word in text.split())]


def assigned(words: Iterable[str], alone: str | None = None) -> dict[str, str]:
    """Values by name from words such as ``row=chosen``; ``alone`` is the value of a name without one.

    Refusal E_POSITION: a name without a value where that means nothing, or a name twice.
    """
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = (piece.strip() for piece in word.partition("="))
        if not equals and alone is None:
            raise wrong(f"{word!r} is no name=value")
        if name in found:
            raise wrong(f"two values for {name}; write one")
        found[name] = value if equals or alone is None else alone
    return found


def switches(text: str) -> dict[str, str]:
    """The switches of a head such as ``{advanced, target=20}``, by name; one without a value is true."""
    words = (part.strip() for part in text.strip().strip("{}").split(","))
    return assigned(filter(None, words), alone="true")


def whole(text: str, least: int = 0, below: int = 2**31) -> int:
    """A whole number in a range. ValueError for another one, or for what is none."""
    found = int(text)
    if not least <= found < below:
        raise ValueError(f"{found} is not from {least} to {below - 1}")
    return found


def number(word: str, name: str, usual: int | None = 0, least: int = 0) -> Field:
    """A field for a number of the state, written when it is not the ``usual`` one (None: always)."""

    def read(reading: Reading, text: str) -> None:
        reading.state[name] = whole(text, least)

    return Field(word, read, lambda s, names, viewer: None if s[name] == usual else str(int(s[name])))


def row(word: str, name: str = "", read: Callable[[Any, str, str], int] = lambda state, one, text: whole(one)) -> Field:
    """A field for a number of each player, written when any is not 0: ``gain 7 0 5``.

    ``name`` is its name in the state, where it is not the word; ``read(state, one, text)`` reads one of the numbers.
    """
    name = name or word

    def read_row(reading: Reading, text: str) -> None:
        numbers = [read(reading.state, one, text) for one in text.split()]
        if len(numbers) != len(reading.names):
            raise ValueError(text)
        reading.state[name][: len(numbers)] = numbers

    def tell(state: Any, names: Sequence[str], viewer: Viewer) -> str | None:
        numbers = state[name][: len(names)]
        return " ".join(map(str, numbers.tolist())) if numbers.any() else None

    return Field(word, read_row, tell)


def held(
    word: str, tell: Callable[[Any, int, Viewer], str | None], read: Callable[[Any, int, str, str], None]
) -> Field:
    """A field for what some players have: ``placed anna:7 ben:?``; a player of whom nothing is told has no entry.

    ``read(state, seat, what, text)`` reads one entry of the text.
    """

    def read_all(reading: Reading, text: str) -> None:
        for name, what in entries(text):
            read(reading.state, reading.names.index(name), what, text)

    def tell_all(state: Any, names: Sequence[str], viewer: Viewer) -> str | None:
        told = [(written(name), tell(state, seat, viewer)) for seat, name in enumerate(names)]
        return " ".join(f"{name}:{what}" for name, what in told if what is not None) or None

    return Field(word, read_all, tell_all)


def _read_rotation(reading: Reading, text: str) -> None:
    reading.state.rotation = whole(text, below=len(reading.names))


ROTATION = Field("rotation", _read_rotation, lambda s, names, viewer: str(int(s.rotation)) if s.rotation else None)
"""The place of the player in the first seat in the list of players."""


def end(
    over: int, tell: Callable[[Any], str] = lambda state: "", read: Callable[[Any, str], None] | None = None
) -> Field:
    """The field of a game that is over: ``over`` for FINISHED, ``unfinished`` for CAPPED, and what it says besides."""

    def read_end(reading: Reading, text: str) -> None:
        reading.state.over = over
        reading.state.acting = 0
        if read is not None:
            read(reading.state, text)
        elif text:
            raise ValueError(text)

    word = {FINISHED: "over", CAPPED: "unfinished"}[over]
    return Field(word, read_end, lambda s, names, viewer: tell(s) if s.over == over else None)
