"""Text, both ways: what every game's notation module offers, and the one function behind typing and clicking.

A move's text is a row of words. Each action is written as one or more of these tokens; a move is one action, or a few
by the same seat that are accepted whole or not at all (`midmove`).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from backroom.engine.events import NOTHING, Event
from backroom.engine.game import Game, Refusal
from backroom.engine.record import Viewer

__all__ = [
    "Completion",
    "Line",
    "Notation",
    "Part",
    "RecallNotation",
    "TalkNotation",
    "Thing",
    "Token",
    "complete",
    "deed",
    "in_words",
    "move_text",
    "pieces",
    "play_on_view",
    "player",
]


@dataclass(frozen=True)
class Thing:
    """Something on the table that text can name: drawn as an emblem where there are pictures, as its words elsewhere.

    ``kind`` and ``key`` say what it is (``card``, ``S``); ``words`` is how it reads, and ``count`` how many there are.
    """

    kind: str
    key: str
    words: str
    count: int = 1


Part = str | Thing
"""A piece of a line."""


@dataclass(frozen=True)
class Line:
    """One line of a log: pieces of text and things, the id of the rule it follows, and what it tells, as data.

    Players are named in ``parts`` by `player` alone. A line that tells what somebody did is made by `deed`: it has the
    ``seat`` of that player, and as ``deed`` what they did, without their name and without what came of it. A line
    that ``follows`` tells what came of an earlier one, as a draw that ends a turn: it is no entry of its own, and no
    plate shows it as what its player did last while there is a deed proper. ``gain`` are the points that it brought
    its player, as far as it tells any; with ``takes`` the things it names came to the player, else they left.
    ``event`` is what the line tells as far as its viewer may know it (`Event.seen_by`); NOTHING where it is read from a
    store, which keeps what is told and not how it is shown: ``follows``, ``gain`` and ``takes`` make no difference
    between two lines. Whatever is made from a log is made from these: from a text nothing is to be read back, since a
    name in it may be like any word of it.
    """

    parts: tuple[Part, ...]
    rule: str = ""
    seat: int | None = None
    deed: str = ""
    follows: bool = field(default=False, compare=False)
    gain: int = field(default=0, compare=False)
    takes: bool = field(default=False, compare=False)
    event: Event = field(default=NOTHING, hash=False)

    @property
    def text(self) -> str:
        """The line in words alone."""
        return in_words(self.parts)


@dataclass(frozen=True)
class Token:
    """A word of a move (or a few that belong together, as ``> ben``), and what it stands for.

    ``kind`` is ``verb``, ``card``, ``count``, ``seat`` ...; ``key`` says which. With ``glue`` no blank stands before
    it. An action may add no token at all: the one that ends a move which might go on.
    """

    text: str
    kind: str
    key: str = ""
    glue: bool = False


@dataclass(frozen=True)
class Completion:
    """What may follow a prefix of a move: the next tokens, and the actions if the prefix is a whole move already."""

    tokens: tuple[Token, ...]
    actions: tuple[int, ...] | None


class Notation(Protocol):
    """What a game's ``notation`` module has. ``names`` are the players' names by seat."""

    def parse_move(self, game: Game, view: Any, seat: int, text: str, names: Sequence[str]) -> list[int]:
        """The actions of a typed move, all legal. Refusal with the specification's code otherwise; nothing changes."""
        ...

    def move_tokens(self, view: Any, seat: int, action: int, names: Sequence[str]) -> tuple[Token, ...]:
        """A legal action as the tokens it adds to its move."""
        ...

    def describe(self, event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
        """A log line for an event as its viewer sees it (hidden arguments are None); None for a silent event.

        ``viewer`` is a seat, SPECTATOR or, as after the end, ALL_KNOWING. The match adds the event to the line.
        """
        ...

    def preview(self, game: Game, view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
        """What a move in preparation will do, from the seat's view, up to where chance or others' choices begin."""
        ...

    def question(self, view: Any, seat: int) -> str:
        """The word for what the seat is asked (``turn``, ``gift`` ...), empty when it is not acting."""
        ...

    def position(self, state: Any, names: Sequence[str], viewer: Viewer) -> str:
        """The position as one line; what ``viewer`` (a seat, SPECTATOR or ALL_KNOWING) may not know as ``?``.

        For ALL_KNOWING it holds all that the state holds: `parse_position` reads it.
        """
        ...

    def parse_position(self, game: Game, text: str) -> tuple[Any, tuple[str, ...]]:
        """A state and the players' names from a position line of the game. Refusal E_POSITION otherwise."""
        ...

    def examples(self, game: Game, text: str) -> Iterable[Any]:
        """The worked examples (`backroom.text.examples.Example`) in a text in the notation of the game."""
        ...


class TalkNotation(Notation, Protocol):
    """What the ``notation`` module of a game with ``messages`` has besides."""

    def parse_talk(self, view: Any, seat: int, text: str, names: Sequence[str]) -> tuple[int, str] | None:
        """The message number and the text as kept, or None when the text is no message but a move.

        Refusal with the specification's code for a message that may not be said.
        """
        ...

    def talk_text(self, message: int, names: Sequence[str]) -> str:
        """A message without free text as it is typed, for bots that talk."""
        ...


class RecallNotation(Notation, Protocol):
    """What the ``notation`` module of a game has in which the log may not be reread freely."""

    def recall(self, state: Any, event: Event) -> Event | None:
        """What may be shown again of an event that is no news any more: the event, less of it, or None."""
        ...


def play_on_view(game: Game, view: Any, seat: int, action: int) -> Any:
    """The view after an action that leaves the seat's move unfinished. Such an action depends on nothing hidden."""
    after = game.state.copy(view)
    game.kernels["apply"](after, seat, action, game.events.new_log(recording=False))
    return after


def move_text(game: Game, view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
    """The canonical text of a move, from the mover's view before it."""
    text = ""
    for number, action in enumerate(actions):
        for token in game.notation.move_tokens(view, seat, action, names):
            text += token.text if token.glue or not text else f" {token.text}"
        if number + 1 < len(actions):
            view = play_on_view(game, view, seat, action)
    return text


def in_words(parts: Iterable[Part]) -> str:
    """Pieces of a line in words alone."""
    return "".join(part if isinstance(part, str) else part.words for part in parts)


def player(seat: int, names: Sequence[str]) -> Thing:
    """A player as a piece of a line, by name."""
    return Thing("seat", str(seat), names[seat])


def deed(who: Thing, did: Sequence[Part], then: Sequence[Part] = (".",), rule: str = "") -> Line:
    """A line that tells what a player did, and ``then`` what came of it: ``Anna took 2 spies``, ``for 1 point.``

    ``who`` is a `player`; a blank follows it where anything is ``did``.
    """
    blank = (" ",) if did else ()
    return Line((who, *blank, *did, *then), rule, int(who.key), in_words(did))


def pieces(text: str) -> list[str]:
    """Text cut where a token may end: at blanks, and around the signs , + and =."""
    return re.findall(r"[^\s,+=]+|[,+=]", text.casefold())


def complete(game: Game, view: Any, seat: int, prefix: str, names: Sequence[str]) -> Completion:
    """What may come next after the canonical words of ``prefix`` (case ignored), for terminal, buttons, cards and bots.

    Refusal E_SYNTAX when no legal move begins like that.
    """
    words = pieces(prefix)
    tokens, actions = _walk(game, view, seat, words, names)
    if not tokens and actions is None:
        raise Refusal("E_SYNTAX", f"no legal move begins with {prefix!r}" if words else "nothing is asked of this seat")
    unique = {token.text: token for token in tokens}
    return Completion(tuple(unique.values()), tuple(actions) if actions is not None else None)


def _walk(
    game: Game, view: Any, seat: int, words: list[str], names: Sequence[str]
) -> tuple[list[Token], list[int] | None]:
    options: list[Token] = []
    whole: list[int] | None = None
    for action in game.legal(view, seat).tolist():
        tokens = game.notation.move_tokens(view, seat, action, names)
        ends: dict[int, Token] = {}
        spelled: list[str] = []
        for token in tokens:
            ends[len(spelled)] = token
            spelled += pieces(token.text)
        if len(words) < len(spelled):
            if spelled[: len(words)] == words and len(words) in ends:
                options.append(ends[len(words)])
        elif words[: len(spelled)] == spelled:
            rest = words[len(spelled) :]
            after = play_on_view(game, view, seat, action) if _unfinished(game, view, seat, action) else None
            if after is not None:
                more, finish = _walk(game, after, seat, rest, names)
                options += more
                whole = [action, *finish] if finish is not None else whole
            elif not rest:
                whole = [action]
    return options, whole


def _unfinished(game: Game, view: Any, seat: int, action: int) -> bool:
    return bool(int(play_on_view(game, view, seat, action).midmove) >> seat & 1)
