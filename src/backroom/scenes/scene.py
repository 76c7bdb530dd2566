"""Data that a game gives to the page of its table.

Plain data, no HTML: a game's ``table`` module makes a `Scene` from a view, so nothing hidden can reach a page.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from types import UnionType
from typing import Any, Protocol, get_args, get_origin

from backroom.engine.notation import Line, Thing
from backroom.scenes.draft import Draft

__all__ = [
    "Answer", "Ask", "Box", "Choice", "Emblem", "Figure", "Plate", "Scene", "TableModule", "misfit",
]  # fmt: skip


@dataclass(frozen=True)
class Emblem:
    """A drawing: a symbol's id (in the ``emblems.svg`` of the game's folder or the house's), and CSS classes that set
    its colour and pattern together.

    ``chip`` draws it as a small printed tile, else as a plain icon. ``label`` is how it is read aloud where the words
    of the thing it stands for are a mere sign.
    """

    symbol: str
    classes: str = ""
    chip: bool = False
    label: str = ""


@dataclass(frozen=True)
class Figure:
    """A drawing on a matchbox label of 260 x 120 units: where, how wide, turned by how many degrees, mirrored."""

    symbol: str
    x: float
    y: float
    width: float
    classes: str = ""
    height: float = 0.0
    turn: float = 0.0
    mirrored: bool = False


@dataclass(frozen=True)
class Box:
    """A game on the shelf: what its label says and shows, and its cloth (``.cloth-*``)."""

    hook: str
    lasts: str
    cloth: str
    emblem: Emblem
    art: tuple[Figure, ...]


@dataclass(frozen=True)
class Choice:
    """One kind of move in "What you can do".

    ``words`` is the text it begins the move with; without them it is not possible now and ``effect`` is the reason.
    ``gain`` is what it brings in figures (``+3``). ``half`` choices stand two in a row.
    """

    title: str
    effect: str
    words: str = ""
    group: str = ""
    emblem: Emblem | None = None
    gain: str = ""
    half: bool = False


@dataclass(frozen=True)
class Plate:
    """A player's place on the rail: what all can see of it. ``note`` is said of it (empty: its last deed in the log).

    ``cards`` is the number of cards in the hand, ``score`` of ``goal`` the points as pegs, ``facts`` other numbers
    with their names. None or empty: the game has no such thing. ``answering`` says that it is asked something by
    another seat's move, so that what it owes is not its turn.
    """

    seat: int
    note: str = ""
    cards: int | None = None
    score: int | None = None
    goal: int | None = None
    facts: tuple[tuple[str, str], ...] = ()
    answering: bool = False


@dataclass(frozen=True)
class Answer:
    """One seat in the order of answers to a question: ``state`` is done, no, now or later."""

    seat: int
    state: str
    parts: tuple[str | Thing, ...]


@dataclass(frozen=True)
class Ask:
    """A question another seat's move puts to this one: drawn as a note above the hand."""

    asker: int
    played: tuple[str | Thing, ...]
    question: str
    explanation: str
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True)
class Scene:
    """Everything the shared part of a table page needs to know from the game.

    ``heading`` and ``sentence`` are the ticket: whose move it is and what kind (empty: the shared words), ``aim`` says
    in few words what wins, ``goal`` are the points that do (None: no number does). ``coloured`` says that this table
    tells seats apart by colour. ``plates`` are the other players, in turn order, ``own`` is the viewer's own plate.

    Of the move in preparation, ``say`` is a short sentence (empty: its text), ``missing`` what it still lacks where the
    text alone would read as an error, ``commit`` names the deed on the button, ``instead`` is a whole move offered
    beside it (label, text). A count that was not said is the smallest, as a click on the thing raises it; where
    nothing can be clicked for that, ``counts`` is False and a count is chosen as any word is. ``drawn`` is what the
    game's own template draws.
    """

    heading: str = ""
    sentence: str = ""
    aim: str = ""
    goal: int | None = None
    coloured: bool = False
    plates: tuple[Plate, ...] = ()
    own: Plate | None = None
    choices: tuple[Choice, ...] = ()
    ask: Ask | None = None
    say: str = ""
    missing: str = ""
    commit: str = "Do it"
    instead: tuple[str, str] | None = None
    counts: bool = True
    drawn: dict[str, Any] = field(default_factory=dict)


class TableModule(Protocol):
    """The interface of a game's ``table`` module."""

    BOX: Box

    def scene(self, view: Any, viewer: int, names: Sequence[str], draft: Draft) -> Scene:
        """The scene for a viewer (seat or SPECTATOR); ``view`` is its view, or the whole state once it is over.

        ``draft`` is its move in preparation; clickable things get their text from `Draft.click`.
        """
        ...

    def emblem(self, thing: Thing) -> Emblem | None:
        """How a thing named in text is drawn; None: its words are enough."""
        ...

    def brief(self, options: Any, seats: int) -> tuple[Line, ...]:
        """Three lines of rules for somebody who is asked to play with these options, among so many.

        A `Thing` of the kind ``word`` is a word that matters: it is set in bold.
        """
        ...

    def place(self, options: Any, seats: int, chair: int) -> str:
        """What it means to sit in this chair (from 0) when the match begins, in a few words: plays second, 7 cards."""
        ...

    def verdicts(
        self, view: Any, viewer: int, names: Sequence[str], lines: Sequence[tuple[int, Line]]
    ) -> Sequence[str]:
        """For a match that is over, by seat: what decided its place, in a few words that follow its name.

        ``view`` is the whole state, ``lines`` the whole log. That a place is shared is said by the page.
        """
        ...


def misfit(value: Any, wanted: Any, where: str) -> str:
    """What does not fit in the plain data that a table module gives, in words that begin with ``where``; else empty.

    ``wanted`` is what the value is declared as. Into a dataclass and a tuple it looks, into other containers not.
    """
    origin, of = get_origin(wanted), get_args(wanted)
    if wanted is Any:
        return ""
    wrong: Iterable[str] = ()
    if origin is tuple:
        fits = isinstance(value, tuple) and (of[-1] is ... or len(of) == len(value))
        if fits:
            kinds = [of[0]] * len(value) if of[-1] is ... else of
            pairs = enumerate(zip(value, kinds, strict=True))
            wrong = (misfit(one, kind, f"{where}[{at}]") for at, (one, kind) in pairs)
    elif isinstance(wanted, UnionType):
        fits = any(not misfit(value, kind, where) for kind in of)
    else:
        fits = isinstance(value, (int, float) if wanted is float else origin or wanted)
        if fits and is_dataclass(wanted):
            wrong = (misfit(getattr(value, one.name), one.type, f"{where}.{one.name}") for one in fields(wanted))
    if not fits:
        kind = re.sub(r"\b(\w+\.)+", "", str(wanted)) if of else wanted.__name__
        return f"{where} is {value!r:.60}, of type {type(value).__name__}; its type must be {kind}"
    return next(filter(None, wrong), "")
