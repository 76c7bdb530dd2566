"""What the tables give to whoever asks: plain data, nothing in it that the asker may not know."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from backroom.engine.game import Game, Options
from backroom.engine.notation import Line
from backroom.engine.record import SPECTATOR
from backroom.engine.table import Draft

__all__ = [
    "Answer", "Asker", "Chair", "ChairRequest", "Crowd", "Invitation", "Summary", "TableView", "TalkLine", "Telling",
    "UndoAsked",
]  # fmt: skip


@dataclass(frozen=True)
class ChairRequest:
    """A chair of a table to be made: yours, one for a friend (by invite link), or a bot's.

    ``name`` is needed for yours; a friend names herself when she sits down; a bot without a name is given one.
    ``bot`` is the bot's spec for `backroom.bots.make_bot`.
    """

    kind: Literal["you", "friend", "bot"]
    name: str = ""
    bot: str = ""


@dataclass(frozen=True)
class Chair:
    """A chair as one browser may see it.

    ``name`` is empty while nobody has sat down. ``seat`` is None before the start. ``held`` says that a browser holds
    it, ``here`` that its page was open in the last minute and a half. ``bot`` is the spec of the bot that plays for
    it, else empty; a chair that is both ``held`` and has a bot is one whose owner is away and may come back.
    ``invite`` is the secret of its invite link while it is free, for those at the table only, else empty.
    """

    number: int
    name: str
    seat: int | None
    held: bool
    here: bool
    you: bool
    host: bool
    bot: str
    invite: str


@dataclass(frozen=True)
class TalkLine:
    """One line of talk. ``at`` is in seconds since 1970."""

    number: int
    name: str
    text: str
    at: int


@dataclass(frozen=True)
class UndoAsked:
    """A take-back that the table is asked about: who asks, how many moves it would take back, who has agreed.

    ``waiting`` are the names still to answer; ``yours`` says that this browser is one of them.
    """

    name: str
    moves: int
    agreed: tuple[str, ...]
    waiting: tuple[str, ...]
    yours: bool


@dataclass(frozen=True)
class Crowd:
    """Who watches now: the names of those who have one, and how many guests without."""

    names: tuple[str, ...] = ()
    guests: int = 0


@dataclass(frozen=True)
class Asker:
    """A watcher who asks for a chair; ``asks`` is what a player says to give her one (`Tables.give`)."""

    name: str
    asks: str
    here: bool


@dataclass(frozen=True)
class Telling:
    """A chair's wish for mail, for its holder alone. ``address`` is empty when none is kept."""

    on: bool
    address: str
    confirmed: bool


@dataclass(frozen=True)
class TableView:
    """All that one browser may know of a table now, or of an earlier move of it.

    Before the start ``record`` is None and all that belongs to a match is empty or 0. ``seat`` is this browser's seat
    or None for a spectator; ``viewer`` is the same as the engine takes it (SPECTATOR for None). ``record`` is the
    viewer's view of the position (never the state while the match goes on; the whole state once it is over), ``names``
    are by seat. ``move`` is the number of moves behind the position shown, ``moves`` how many there are. ``acting``
    are the seats that owe a decision, ``question`` the notation's word for what is asked. ``draft`` is this seat's
    move in preparation. ``lines`` are (move, line) for the log, set-up at 0. ``undo_free`` says that this seat may
    take back its last move without asking, ``undo_moves`` how many moves it may ask the table to take back (0: none).
    ``forgets`` says that the rules forbid showing some of what has happened again while the match goes on. ``link`` is
    the newest hash of the chain, ``commitment`` the SHA-256 of the seed; ``seed`` (hex) is empty until the match is
    over. ``next_table`` is the rematch, if there is one. ``crowd`` is who watches; ``watches`` (it is one of them),
    ``watches_as`` (its name there), ``follows`` and ``asks`` (for a chair) are about this browser if it holds no chair,
    ``askers`` and ``to_give`` (chairs that it may give them) if it does. ``telling`` is its wish for mail, None where
    the server sends none.
    """

    table: str
    title: str
    game: Game
    options: Options
    rules: str
    chairs: tuple[Chair, ...]
    started: bool
    ply: int
    revision: int
    commitment: str
    you: Chair | None
    seat: int | None
    viewer: int
    record: Any
    names: tuple[str, ...]
    move: int
    moves: int
    acting: tuple[int, ...]
    question: str
    position: str
    draft: str
    lines: tuple[tuple[int, Line], ...]
    over: int
    scores: tuple[int, ...]
    places: tuple[int, ...]
    undo_free: bool
    undo: UndoAsked | None
    talk: tuple[TalkLine, ...]
    notes: str
    link: str
    seed: str
    next_table: str
    undo_moves: int = 0
    forgets: bool = False
    crowd: Crowd = Crowd()
    watches: bool = False
    watches_as: str = ""
    follows: bool = False
    asks: bool = False
    askers: tuple[Asker, ...] = ()
    to_give: tuple[int, ...] = ()
    telling: Telling | None = None

    @property
    def your_turn(self) -> bool:
        """Whether this browser's seat owes a decision now."""
        return self.seat is not None and self.seat in self.acting

    @property
    def from_memory(self) -> bool:
        """Whether it is played from memory now, so that nothing is written down: no notes, no talk."""
        return self.options.from_memory and not self.over

    @cached_property
    def prepared(self) -> Draft:
        """The move in preparation, with what it means and what may follow it; empty when nothing is asked."""
        asked = self.viewer if self.record is not None and self.move == self.moves else SPECTATOR
        record = self.record if self.record is not None else self.game.state.new()
        return Draft(self.game, record, asked, self.names, self.draft)


@dataclass(frozen=True)
class Answer:
    """What became of a request that changes a table, with the table's ply after it.

    ``applied``; ``already applied`` (this very request was accepted before; nothing was done twice); ``asked`` (a
    take-back that now waits for the others). Everything else is a Refusal; E_STALE when the table has moved on.
    """

    status: Literal["applied", "already applied", "asked"]
    ply: int
    message: str = ""


@dataclass(frozen=True)
class Summary:
    """A table in a list: what, who, whose turn. ``your_turn`` and ``waiting`` (names) are for the browser that asks.

    ``follows``: it holds no chair there and follows the table.
    """

    table: str
    title: str
    game: str
    names: tuple[str, ...]
    started: bool
    over: bool
    your_turn: bool
    waiting: tuple[str, ...]
    changed: int
    follows: bool = False


@dataclass(frozen=True)
class Invitation:
    """What an invite link leads to: the table, its chair, who set the table, and what is played.

    Once the match has ``started`` the chair keeps the name it has there; before, whoever sits down brings one.
    """

    table: str
    title: str
    chair: int
    host: str
    game: Game
    options: Options
    chairs: tuple[Chair, ...]
    started: bool
