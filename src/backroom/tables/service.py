"""Tables: everything a page, a script or a bot can do at one, without HTTP.

The chain for a move, and there is no other: `Tables.submit` -> notation -> `Match.play` -> append to the store, commit
-> publish. A *chair* is a place in the order in which the players were named; a *seat* is its number in the match
(known once the match has started, since set-up may draw who begins). A browser is known by its *token*.

A table's ``ply`` is the number of entries in its record: moves, and take-backs too, so it never goes down. (`Match.ply`
counts the moves that stand.) ``revision`` grows with every change that anybody at the table can see.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from backroom.engine.game import Game, Options
from backroom.engine.match import Match
from backroom.engine.notation import Completion, Line

__all__ = ["Answer", "Chair", "ChairRequest", "Invitation", "Summary", "TableView", "Tables", "TalkLine", "UndoAsked"]


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
class TableView:
    """All that one browser may know of a table now, or of an earlier move of it.

    Before the start ``match facts`` (``record`` to ``legal``) are None, empty or 0. ``seat`` is this browser's seat or
    None for a spectator; ``viewer`` is the same as the engine takes it (SPECTATOR for None). ``record`` is the
    viewer's view of the position (never the state while the match goes on; the whole state once it is over).
    ``names`` are by seat. ``move`` is the number of moves behind the position shown, ``moves`` how many there are.
    ``acting`` are the seats that owe a decision, ``question`` the notation's word for what this seat is asked.
    ``draft`` is this seat's move in preparation, ``completion`` what may follow it (None when nothing is asked),
    ``preview`` what it will do. ``lines`` are (move, line) for the log, set-up at 0. ``undo_free`` says that this seat
    may take back its last move without asking. ``link`` is the newest hash of the chain, ``commitment`` the SHA-256 of
    the seed; ``seed`` (hex) is empty until the match is over. ``next_table`` is the rematch, if there is one.
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
    completion: Completion | None
    preview: str
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

    @property
    def your_turn(self) -> bool:
        """Whether this browser's seat owes a decision now."""
        return self.seat is not None and self.seat in self.acting


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
    """A table in a list: what, who, whose turn. ``your_turn`` and ``waiting`` (names) are for the browser that asks."""

    table: str
    title: str
    game: str
    names: tuple[str, ...]
    started: bool
    over: bool
    your_turn: bool
    waiting: tuple[str, ...]
    changed: int


@dataclass(frozen=True)
class Invitation:
    """What an invite link leads to: the table, its chair, who set the table, and what is played."""

    table: str
    title: str
    chair: int
    host: str
    game: Game
    options: Options
    chairs: tuple[Chair, ...]


class Tables:
    """All tables of one store.

    Every method may be called from any thread. ``token`` is the browser's secret (`backroom.web.app` keeps it in a
    cookie; only its SHA-256 is stored); a token that holds no chair watches. Methods raise Refusal, one line each:
    E_TABLE (no such table), E_SEAT (this browser holds no chair here), E_STALE, E_VERSION (recorded under other
    rules), E_RECORD (the record does not replay), E_TEXT (too long), and the engine's own codes.
    """

    def create(
        self,
        token: str,
        game: str,
        chairs: Sequence[ChairRequest],
        options: dict[str, Any] | None = None,
        title: str = "",
        create_id: str = "",
    ) -> str:
        """Make a table and return its id. It starts at once when no chair is for a friend.

        ``create_id`` makes the request safe to repeat: the same id from the same browser gives the same table.
        Refusal E_SETUP names what is wrong with game, option, seat count, name or bot.
        """
        raise NotImplementedError

    def view(self, table: str, token: str, move: int | None = None) -> TableView:
        """What this browser may know of the table now, or after ``move`` moves (its own view then; E_PLY if none)."""
        raise NotImplementedError

    def submit(self, table: str, token: str, text: str, ply: int, move_id: str) -> Answer:
        """Make a typed move for this browser's seat, decided on at table ply ``ply``.

        E_STALE when the table has moved on in a way that the seat could see. ``move_id`` is any text of the sender's
        choosing, new for each move: the same one again is answered ``already applied``.
        """
        raise NotImplementedError

    def draft(self, table: str, token: str, text: str) -> Answer:
        """Keep this seat's move in preparation, so that its other devices show it. Empty text drops it."""
        raise NotImplementedError

    def complete(self, table: str, token: str, prefix: str) -> tuple[Completion, str]:
        """What may follow ``prefix``, and the preview of it when it is a whole move (else empty). E_SYNTAX, E_ACTOR."""
        raise NotImplementedError

    def undo(self, table: str, token: str, ply: int, undo_id: str) -> Answer:
        """Take back this seat's last move: at once while nobody has learnt anything and it is nobody else's turn.

        Otherwise the other people at the table are asked (``asked``), and it is done when all agree. E_UNDO when there
        is nothing to take back or nobody to ask.
        """
        raise NotImplementedError

    def vote(self, table: str, token: str, ply: int, agree: bool) -> Answer:
        """Answer a take-back that is asked of the table; one no ends it."""
        raise NotImplementedError

    def talk(self, table: str, token: str, text: str, talk_id: str = "") -> Answer:
        """Say a line (1 to 500 characters) to those at the table. ``talk_id`` makes it safe to repeat."""
        raise NotImplementedError

    def note(self, table: str, token: str, text: str) -> Answer:
        """Replace this chair's private notes (at most 10,000 characters)."""
        raise NotImplementedError

    def invitation(self, invite: str, token: str) -> Invitation:
        """What an invite link leads to. E_INVITE when it is unknown or used up."""
        raise NotImplementedError

    def sit(self, table: str, token: str, invite: str = "", name: str = "") -> Answer:
        """Take the chair of an invite link under a name; the link is used up with that.

        Without an invite: come back to one's own chair, where a bot has been sitting in. E_INVITE, E_SETUP (name).
        """
        raise NotImplementedError

    def leave(self, table: str, token: str) -> Answer:
        """Give up one's chair. It gets a new invite link; until somebody takes it, the table can let a bot sit in."""
        raise NotImplementedError

    def seat_bot(self, table: str, token: str, chair: int, bot: str) -> Answer:
        """Let a bot play a chair: the host's to do, for a free chair or one whose owner has been away for two minutes.

        Refusal E_HOST, E_CHAIR.
        """
        raise NotImplementedError

    def rematch(self, table: str, token: str) -> str:
        """The id of the new table with the same people, bots and options, chairs moved on by one. Once per table."""
        raise NotImplementedError

    def mine(self, token: str) -> list[Summary]:
        """The tables where this browser holds a chair, newest change first (at most 100)."""
        raise NotImplementedError

    def match(self, table: str) -> Match:
        """The finished match, seed and all. Refusal E_EXPORT while it goes on."""
        raise NotImplementedError
