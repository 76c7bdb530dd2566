"""What a game tells somebody who is new to it: what each card does, and one sentence at the right moment.

A game's ``teaching`` module has it; a game without one has only its aim in three lines (`TableModule.brief`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from backroom.engine.game import Game
from backroom.engine.notation import Thing
from backroom.scenes.scene import Figure

__all__ = ["Explained", "Hint", "Picture", "Section", "Teaching", "teaching_of"]


@dataclass(frozen=True)
class Explained:
    """A card, token or code and what it does.

    ``about`` are the keys of what it explains, as pages have them in ``data-about``; the first names it. ``thing`` is
    drawn before it, ``gain`` is what it pays in figures and ``each`` for what; ``rule`` is where the rulebook says so.
    """

    about: tuple[str, ...]
    title: str
    text: str
    thing: Thing | None = None
    gain: str = ""
    each: str = ""
    rule: str = ""


@dataclass(frozen=True)
class Section:
    """Explanations under one heading."""

    title: str
    entries: tuple[Explained, ...]


@dataclass(frozen=True)
class Hint:
    """One sentence for whoever is in such a situation for the first time.

    ``key`` names the situation: a player who has put it away is not told again, in no match of this game. ``about`` is
    the key of the thing that it stands beside, as in `Explained`; empty: it is about the whole hand.
    """

    key: str
    text: str
    about: str = ""


@dataclass(frozen=True)
class Picture:
    """A picture of a part of a turn: what is drawn, as on the label of the game's box, and what happens there."""

    art: tuple[Figure, ...]
    title: str
    text: str


class Teaching(Protocol):
    """The interface of a game's ``teaching`` module."""

    PICTURES: tuple[Picture, ...]
    """Three pictures of a turn by the printed rules, for the home page of the game; empty: it has none."""

    def crib(self, options: Any, seats: int, view: Any | None) -> tuple[Section, ...]:
        """All that can be played, in as few words as will do, for these options.

        ``view`` is that of a player or watcher, None where there is no match yet.
        """
        ...

    def standing(self, view: Any, seat: int) -> Mapping[str, str]:
        """How things stand now for that seat, from its view, by the first key of `Explained.about`: "You hold 3"."""
        ...

    def coach(self, view: Any, seat: int, names: Sequence[str]) -> tuple[Hint, ...]:
        """What could be said now to that seat, from its view; the most useful first."""
        ...


class Untaught:
    """The teaching of a game that brings none."""

    PICTURES: tuple[Picture, ...] = ()

    def crib(self, options: Any, seats: int, view: Any | None) -> tuple[Section, ...]:
        """Nothing."""
        del options, seats, view
        return ()

    def standing(self, view: Any, seat: int) -> Mapping[str, str]:
        """Nothing."""
        del view, seat
        return {}

    def coach(self, view: Any, seat: int, names: Sequence[str]) -> tuple[Hint, ...]:
        """Nothing."""
        del view, seat, names
        return ()


@cache
def teaching_of(game: Game) -> Teaching:
    """A game's ``teaching`` module, or one that teaches nothing."""
    if not game.file("teaching.py").is_file():
        return Untaught()
    return cast(Teaching, import_module(f"{game.rules.__package__}.teaching"))
