"""The answers of the tables: plain data with nothing in it that the asker may not know."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from backroom.engine.game import Game
from backroom.engine.notation import Line
from backroom.engine.options import Options
from backroom.engine.record import SPECTATOR
from backroom.scenes.draft import Draft
from backroom.scenes.practice import Practice

__all__ = [
    "Answer", "Asker", "Chair", "ChairRequest", "Condition", "Crowd", "Finding", "Giving", "Invitation", "Mark",
    "OpenTable", "Origin", "Plan", "SharedPosition", "Status", "Summary", "TableView", "TalkLine", "Telling",
    "UndoAsked",
]  # fmt: skip


@dataclass(frozen=True)
class ChairRequest:
    """A chair of a table to be made: yours, one for a friend (by invite link), for anybody, or a bot's.

    One for anybody is a friend's that is shown on the front page while it is free. ``name`` is needed for yours; who
    is invited says a name when sitting down; a bot without a name is given one. ``bot`` is the bot's spec for
    `backroom.bots.make_bot`.
    """

    kind: Literal["you", "friend", "bot", "anybody"]
    name: str = ""
    bot: str = ""


@dataclass(frozen=True)
class Chair:
    """A chair as one browser may see it.

    ``name`` is empty while nobody has sat down. ``seat`` is None before the start. ``held`` says that a browser holds
    it, ``here`` that its page was open in the last minute and a half. ``bot`` is the spec of the bot that plays for
    it, else empty; a chair that is both ``held`` and has a bot is one whose owner is away and may come back.
    ``invite`` is the secret of its invite link while it is free, for those at the table only, else empty. ``anybody``
    says that it is shown on the front page while it is free. ``asked`` is since when it owes the present decision,
    ``until`` when that runs out (seconds since 1970; 0: it owes none, or no clock runs), ``lost`` how many decisions in
    a row it has lost to the clock. ``bot_from`` is from when this browser may let a bot play there (seconds since 1970;
    0: at once; None: not as things are, or this browser holds no chair).
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
    anybody: bool = False
    asked: int = 0
    until: int = 0
    lost: int = 0
    bot_from: int | None = None


@dataclass(frozen=True)
class TalkLine:
    """One line of talk. ``at`` is in seconds since 1970, ``seat`` that of the chair from which it was said (None before
    the start), ``name`` what its holder was called then."""

    number: int
    name: str
    text: str
    at: int
    seat: int | None


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
class Giving:
    """A chair (a number) that the players are asked to give to a watcher, called ``name``, who ``asks`` for one.

    ``agreed`` and ``waiting`` are the names of players who have agreed and who have still to answer; ``yours`` says
    that this browser is one of these.
    """

    name: str
    asks: str
    chair: int
    agreed: tuple[str, ...]
    waiting: tuple[str, ...]
    yours: bool


Condition = Literal["same", "legal"]
"""When a prepared move is played: only if it then does what it did when prepared, or whenever it can be played."""


@dataclass(frozen=True)
class Plan:
    """A move that this seat has prepared for its turn; ``sentence`` is what it did when it was prepared."""

    text: str
    condition: Condition
    sentence: str


@dataclass(frozen=True)
class Crowd:
    """The watchers present: the names of those who have one, and the number of guests without."""

    names: tuple[str, ...] = ()
    guests: int = 0


@dataclass(frozen=True)
class Asker:
    """A watcher who asks for a chair; ``asks`` is the secret by which a player gives them one (`Tables.give`)."""

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
class Finding:
    """Something that was asked for: how much of it is ``done``, in per cent, and what was ``found`` (None until then),
    as `backroom.tables.findings` makes it."""

    done: int
    found: Any


@dataclass(frozen=True)
class Practised:
    """A practice and its step that is to be done now, from 0; as many as there are: all are done."""

    practice: Practice
    step: int

    def said(self, draft: Draft) -> str:
        """What is said to a move in preparation that is not the one of the step; empty when all are done."""
        return self.practice.steps[self.step].said(draft) if self.step < len(self.practice.steps) else ""


@dataclass(frozen=True)
class Origin:
    """Where a table to try something out is from: the ``title`` of another, after ``move`` moves there.

    ``drawn``: that match went on, and what ``seen_by`` (the name of a player, empty for somebody without a chair) could
    not know was drawn anew.
    """

    title: str
    move: int
    drawn: bool = False
    seen_by: str = ""


@dataclass(frozen=True)
class Mark:
    """What tells two states of a table apart as one browser sees it, but for presence and the time.

    ``revision`` rises with what all at the table may see (``entry`` with its record), ``own`` differs with what is this
    browser's own there; ``chair`` is its chair or None. So nobody can tell by a mark that somebody else prepares
    something.
    """

    entry: int
    revision: int
    chair: int | None
    own: str


@dataclass(frozen=True)
class TableView:
    """All that one browser may know of a table now, or of an earlier move of it.

    Before the start ``record`` is None and all that belongs to a match is empty or 0. ``seat`` is this browser's seat
    or None for a spectator; ``viewer`` is the same as the engine takes it (SPECTATOR for None). ``record`` is the
    viewer's view of the position (never the state while the match goes on; the whole state once it is over), ``names``
    are by seat; ``whole`` says that it is the whole state. ``move`` is the number of moves behind the position shown,
    ``moves`` how many there are. ``acting`` are the seats that owe a decision, ``question`` the notation's word for
    what is asked. ``draft`` is this seat's move in preparation. ``ahead`` is the view as if this seat's turn began now,
    on which it can prepare a move while others think; without it ``no_plan`` says why. ``plan`` is what it has
    prepared, ``plan_told`` why something it had prepared was not played, until the next move.

    ``lines`` are (move, line) for the log, set-up at 0, ``later`` the next of them while an earlier position of a match
    that is over is shown. ``undo_free`` says that this seat may take back its last move without asking, ``undo_moves``
    how many moves it may ask the table to take back (0: none). ``forgets`` says that the rules forbid showing some of
    what has happened again while the match goes on. ``link`` is the newest hash of the chain, ``commitment`` the
    SHA-256 of the seed; ``seed`` (hex) is empty until the match is over. ``next_table`` is the rematch, if there is
    one, ``next_in`` the chairs whose owners have its page open. ``now`` is when it was looked at, ``began`` and
    ``ended`` when the first move of a match that is over was made and when it ended (else 0), in seconds since 1970;
    ``standings`` are the scores by seat at its opening and after each round, empty until it is over.

    A decision may take ``pace`` seconds (0: as many as it likes); then ``out_of_time`` says what follows: the game's
    default (skip), a bot makes that one decision (bot), nothing (wait). ``stands`` says that the clock does not run as
    nobody is there; ``late`` are the moves in ``lines`` that were made because time was over.

    ``crowd`` is who watches; ``watches`` (it is one of them), ``watches_as`` (its name there), ``follows`` and ``asks``
    (for a chair) are about this browser if it holds no chair, ``askers`` and ``to_give`` (chairs that it may give them)
    and ``giving`` (a chair that the players are asked about) if it does. ``telling`` is its wish for mail, None where
    the server sends none. ``mark`` tells this view from others of the table that the same browser was given.

    ``stopped`` says why the match cannot go on here, where its rules are others than this server's; ``may_end`` that
    this browser may end it. ``told`` says that no game's page can show it: there are only its lines, and while it is
    not over the viewer's record if it has replayed. Lines that are moves as they were recorded come with ``at``, when
    each was made (seconds since 1970, else empty).

    ``decided`` is what was found of the moves that decided a match that is over (None: nobody has asked), ``chances``
    who was going to win it (None: not known), as `backroom.tables.findings` makes it; ``hint`` is the hint for the
    decision that this browser's seat owes, ``may_hint`` that it may ask for one.

    ``practice`` is the step of a practice that this browser's seat is at, None at every other table.

    ``origin`` is where a table to try something out is from, None at every other; ``try_not`` why nothing can be tried
    out from the position of a match that goes on (empty: it can be). ``still`` says that it is a position alone
    (`SharedPosition`), at which nothing is played.
    ``chatting`` says that a bot sits here that may say something that is no part of the rules, ``quiet`` that it has
    been told not to.

    ``devices`` is on how many other devices this browser's chair is open, ``elsewhere`` says that it had the chair from
    another (`backroom.tables.devices`).

    ``drawn`` is where a page keeps what follows from the match and the viewer alone: all who look at this state from
    the same place are given the same one, and nobody else is.
    """

    table: str
    title: str
    game: Game
    options: Options
    rules: str
    chairs: tuple[Chair, ...]
    started: bool
    entry: int
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
    whole: bool = False
    later: tuple[tuple[int, Line], ...] = ()
    now: int = 0
    pace: int = 0
    out_of_time: str = "wait"
    stands: bool = False
    late: tuple[int, ...] = ()
    began: int = 0
    ended: int = 0
    standings: tuple[tuple[int, ...], ...] = ()
    next_in: tuple[int, ...] = ()
    crowd: Crowd = Crowd()
    watches: bool = False
    watches_as: str = ""
    follows: bool = False
    asks: bool = False
    askers: tuple[Asker, ...] = ()
    to_give: tuple[int, ...] = ()
    giving: Giving | None = None
    telling: Telling | None = None
    ahead: Any = None
    no_plan: str = ""
    plan: Plan | None = None
    plan_told: str = ""
    stopped: str = ""
    may_end: bool = False
    told: bool = False
    at: tuple[int, ...] = ()
    decided: Finding | None = None
    hint: Finding | None = None
    chances: Any = None
    may_hint: bool = False
    practice: Practised | None = None
    origin: Origin | None = None
    try_not: str = ""
    still: bool = False
    devices: int = 0
    elsewhere: bool = False
    chatting: bool = False
    quiet: bool = False
    mark: Mark = Mark(0, 0, None, "")
    drawn: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def can_prepare(self) -> bool:
        """Whether this seat may prepare a move for its turn now; not while a bot sits in for it."""
        return self.ahead is not None and self.you is not None and not self.you.bot

    @property
    def question_ahead(self) -> str:
        """The notation's word for what is asked on this seat's turn; empty when it can prepare nothing."""
        return str(self.game.notation.question(self.ahead, self.viewer)) if self.can_prepare else ""

    @property
    def your_turn(self) -> bool:
        """Whether this browser's seat owes a decision now."""
        return self.seat is not None and self.seat in self.acting

    @property
    def from_memory(self) -> bool:
        """Whether it is played from memory now, so that nothing is written down: no notes, no talk."""
        return self.options.from_memory and not self.over

    @property
    def _asks(self) -> bool:
        """Whether what is shown is the position of now, at which somebody may be asked something."""
        return self.record is not None and self.move == self.moves and not (self.told or self.still)

    @cached_property
    def prepared(self) -> Draft:
        """The move in preparation, with what it means and what may follow it; empty when nothing is asked."""
        asked = self.viewer if self._asks else SPECTATOR
        record = self.record if self.record is not None else self.game.state.new()
        return Draft(self.game, record, asked, self.names, self.draft)


@dataclass(frozen=True)
class SharedPosition:
    """What a link to a position leads to: its ``id`` there, and the position as a chair or a watcher would see it."""

    id: str
    view: TableView


Status = Literal["applied", "already applied", "asked"]


@dataclass(frozen=True)
class Answer:
    """The result of a request that changes a table, with the table's newest ``entry`` after it.

    ``applied``; ``already applied`` (this very request was accepted before; nothing was done twice); ``asked`` (a
    take-back, or a chair for a watcher, that now waits for the others). Everything else is a Refusal; E_STALE when the
    table has moved on.
    """

    status: Status
    entry: int
    message: str = ""


@dataclass(frozen=True)
class Summary:
    """A table in a list: what, who, whose turn. ``your_turn`` and ``waiting`` (names) are for the browser that asks.

    ``asked`` is since when the decision is owed that is waited for (yours, if it is one), ``until`` when it runs out
    (0: never); ``ended`` when it was over, with the ``winners`` (names; none if it was stopped) and their ``score``.
    Times are in seconds since 1970. ``follows`` says that it holds no chair there and follows the table, ``stopped``
    that it was begun under other rules than this server's and cannot go on. ``moves`` is how many entries its record
    has, ``created`` when it was opened. ``bots`` are their specs in the order of the names, empty for people. While it
    goes on ``round`` is the round (from 1) and ``points`` are those of the names, as everybody sees them (0 and none:
    not known).
    """

    table: str
    title: str
    game: str
    names: tuple[str, ...]
    started: bool
    over: bool
    your_turn: bool
    waiting: tuple[str, ...]
    asked: int
    until: int
    ended: int
    winners: tuple[str, ...]
    score: int
    you: str
    changed: int
    follows: bool = False
    stopped: bool = False
    moves: int = 0
    created: int = 0
    bots: tuple[str, ...] = ()
    round: int = 0
    points: tuple[int, ...] = ()


@dataclass(frozen=True)
class Invitation:
    """The content of an invitation: the table, its chair, the player who opened the table, and the game.

    ``commitment`` is the SHA-256 of the seed. There is none to a match that has begun.
    """

    table: str
    title: str
    chair: int
    host: str
    game: Game
    options: Options
    chairs: tuple[Chair, ...]
    pace: int
    out_of_time: str
    commitment: str


@dataclass(frozen=True)
class OpenTable:
    """A table with chairs free for anybody, as the front page shows it: what is played, who is there, the way in.

    ``chairs`` is how many there are, ``people`` and ``bots`` are names, ``free`` is the number of free chairs for
    anybody, ``invite`` the invitation to one of them.
    """

    table: str
    title: str
    game: Game
    options: Options
    chairs: int
    people: tuple[str, ...]
    bots: tuple[str, ...]
    free: int
    invite: str
    pace: int
