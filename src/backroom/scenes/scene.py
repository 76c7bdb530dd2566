"""What a game tells the page of its table, and the move in preparation that a page works on.

Plain data, no HTML: a game's ``table`` module makes a `Scene` from a view, so nothing hidden can reach a page. The
move in preparation is nothing but its text (`Draft`); clicking a thing on the table gives another text.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from backroom.engine.game import Game, Refusal
from backroom.engine.notation import Completion, Line, Thing, Token, complete, move_text, pieces

__all__ = [
    "ORDINALS", "Answer", "Ask", "Box", "Choice", "Draft", "Emblem", "Figure", "Plate", "Row", "Scene", "TableModule",
]  # fmt: skip

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True)
class Emblem:
    """A drawing: the symbol's id in ``emblems.svg``, and CSS classes that set its colour and pattern together.

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
    with their names. None or empty: the game has no such thing.
    """

    seat: int
    note: str = ""
    cards: int | None = None
    score: int | None = None
    goal: int | None = None
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Row:
    """A row of the table in words, as a game's ``terminal`` module gives them; ``seat`` is the player it is about."""

    heading: str
    line: Line
    seat: int | None = None


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
    beside it (label, text). ``drawn`` is what the game's own template draws.
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
    drawn: dict[str, Any] = field(default_factory=dict)


class TableModule(Protocol):
    """What a game's ``table`` module has."""

    BOX: Box

    def scene(self, view: Any, viewer: int, names: Sequence[str], draft: "Draft") -> Scene:
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


class Draft:
    """A move in preparation: a text, what it means, and what may follow it.

    ``text`` is what the seat typed or clicked together: in canonical words where it can be read, else as it was typed;
    ``actions`` the whole move, or None while it is not complete; ``tokens`` what may come next; ``sentence`` what a
    whole move will do; ``problem`` why the text cannot be read (code, message), or None. A seat that is not acting has
    an empty draft, or the text of what it has prepared for its turn (``kept``), which is only shown.

    For a move that is prepared while others think, ``view`` is as if the seat's turn began now (`Game.ahead`), and
    ``now`` is the view as it is, from which a scene draws who is thinking.
    """

    def __init__(
        self, game: Game, view: Any, seat: int, names: Sequence[str], text: str = "", now: Any = None, kept: str = ""
    ) -> None:
        self.game, self.view, self.seat, self.names = game, view, seat, names
        self.now = view if now is None else now
        self._found: dict[str, Completion | None] = {}
        self.text = " ".join(text.split())
        self.actions: tuple[int, ...] | None = None
        self.tokens: tuple[Token, ...] = ()
        self.sentence = ""
        self.problem: tuple[str, str] | None = None
        self.acting = seat >= 0 and not int(view.over) and bool(int(view.acting) >> seat & 1)
        if not self.acting:
            self.text = kept
            return
        found = self._complete(self.text)
        if found is not None:
            self.tokens, self.actions = found.tokens, found.actions
            self.text = self.joined(self._spelled())
        if self.actions is None and self.text:
            self._read()
        if self.problem is not None:
            self.text = text
        if self.actions is not None:
            self.sentence = game.notation.preview(view, seat, self.actions, names)

    def _read(self) -> None:
        """Accept what a person may type besides the canonical words: prefixes, left-out counts ..."""
        try:
            self.actions = tuple(self.game.notation.parse_move(self.view, self.seat, self.text, self.names))
        except Refusal as refusal:
            if not self.tokens:
                self.problem = refusal.code, refusal.message
            return
        self.text = move_text(self.game, self.view, self.seat, self.actions, self.names)
        found = self._complete(self.text)
        self.tokens = found.tokens if found is not None else ()

    def _complete(self, prefix: str) -> Completion | None:
        """`backroom.engine.notation.complete`, remembered; None when no legal move begins like that."""
        prefix = " ".join(prefix.split())
        if prefix not in self._found:
            try:
                self._found[prefix] = complete(self.game, self.view, self.seat, prefix, self.names)
            except Refusal:
                self._found[prefix] = None
        return self._found[prefix]

    def begins(self, words: str) -> bool:
        """Whether the text so far begins with these words."""
        wanted = pieces(words)
        return pieces(self.text)[: len(wanted)] == wanted

    def names_thing(self, kind: str, key: str) -> bool:
        """Whether the text so far names a thing."""
        return any((token.kind, token.key) == (kind, key) for token in self._spelled())

    def click(self, kind: str, key: str, *starts: str) -> str:
        """The text after a click on the thing ``kind`` ``key``, or the empty text when a click on it does nothing.

        The first of these that there is: the thing comes next; it is named already and its count goes up (after the
        largest to the smallest); it comes instead of what was named last, or is taken back if it is that itself; it
        begins another move with one of ``starts``.
        """
        for token in self.tokens:
            if (token.kind, token.key) == (kind, key):
                return self.settle(self.append(self.text, token))
        return (
            self._recount(kind, key)
            or self._replace(kind, key)
            or next((text for text in map(self.settle, starts) if text), "")
        )

    def settle(self, text: str) -> str:
        """The text with everything appended that leaves no choice, and the smallest count; empty if it is no move."""
        while True:
            found = self._complete(text)
            if found is None:
                return ""
            if found.actions is not None or not found.tokens:
                return text
            if len(found.tokens) > 1 and any(token.kind != "count" for token in found.tokens):
                return text
            text = self.append(text, found.tokens[0])

    @staticmethod
    def append(text: str, token: Token) -> str:
        """The text with one more token."""
        return text + token.text if token.glue or not text else f"{text} {token.text}"

    @staticmethod
    def joined(tokens: Sequence[Token]) -> str:
        """Tokens as they are typed in a row."""
        text = ""
        for token in tokens:
            text = Draft.append(text, token)
        return text

    def _spelled(self) -> list[Token]:
        """The tokens of the text so far; those that can be read, when it cannot be read to its end."""
        spelled: list[Token] = []
        words, prefix = pieces(self.text), ""
        while words:
            found = self._complete(prefix)
            tokens = found.tokens if found is not None else ()
            fitting = [token for token in tokens if words[: len(pieces(token.text))] == pieces(token.text)]
            if not fitting:
                break
            token = max(fitting, key=lambda candidate: len(pieces(candidate.text)))
            spelled.append(token)
            words = words[len(pieces(token.text)) :]
            prefix = self.append(prefix, token)
        return spelled

    def _replace(self, kind: str, key: str) -> str:
        spelled = self._spelled()
        for place in range(len(spelled) - 1, 0, -1):
            prefix = self.joined(spelled[:place])
            if (spelled[place].kind, spelled[place].key) == (kind, key):
                return prefix if place > 1 else ""
            found = self._complete(prefix)
            for token in found.tokens if found is not None else ():
                if (token.kind, token.key) == (kind, key):
                    return self.settle(self.append(prefix, token))
        return ""

    def _recount(self, kind: str, key: str) -> str:
        spelled = self._spelled()
        for place in range(len(spelled) - 1, -1, -1):
            if (spelled[place].kind, spelled[place].key) != (kind, key):
                continue
            head = self.joined(spelled[: place + 1])
            found = self._complete(head)
            counts = [token for token in found.tokens if token.kind == "count"] if found is not None else []
            if found is None or not counts:
                return ""
            after = spelled[place + 1 :]
            now = after.pop(0) if after and after[0] in counts else None
            larger = counts[counts.index(now) + 1 :] if now is not None else counts
            if larger:
                head = self.append(head, larger[0])
            elif found.actions is None:
                head = self.append(head, counts[0])
            whole = head
            for token in after:
                whole = self.append(whole, token)
            return self.settle(whole) or self.settle(head)
        return ""
