"""What JSON looks like here: what is given, made from the views of tables, and what is taken."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, WithJsonSchema

from backroom.engine.notation import Line, Thing, Token
from backroom.engine.record import SPECTATOR
from backroom.scenes.draft import Draft
from backroom.tables.clock import LONGEST, SHORTEST
from backroom.tables.views import (
    Asker,
    Chair,
    Condition,
    Crowd,
    Finding,
    Giving,
    Origin,
    TableView,
    TalkLine,
    Telling,
    UndoAsked,
)


class Model(BaseModel):
    """Base of what is taken and given: no unknown fields, and what is given has all of them."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


# What is given


class Problem(Model):
    """One line: what is wrong, and what would be right. Nothing has changed."""

    status: Literal["refused", "stale"] = Field(description="stale: the table has moved on; look and decide again")
    code: str = Field(description="the kind of problem, for programs")
    message: str
    ply: int | None = Field(description="with stale: the table's newest entry now")


class Answered(Model):
    """What became of a request."""

    status: Literal["applied", "already applied", "asked"] = Field(
        description="already applied: this very request was accepted before; asked: the others at the table decide"
    )
    ply: int = Field(description="the table's newest entry after it")
    message: str


class Made(Model):
    """A table that has been made."""

    table: str
    url: str


class Shared(Model):
    """A position that has been shared by a link."""

    position: str
    url: str


class Part(Model):
    """A piece of a line: plain text, or a thing on the table (``kind``, ``key``) with the words for it."""

    text: str
    kind: str
    key: str


class LineModel(Model):
    """A line of the log: after how many moves, its text, the same in pieces, and the rule it follows.

    ``seat`` is that of the player whose deed it tells, None where it tells nobody's.
    ``out_of_time`` says that this move was made because its player's time was over. Where the line is a move as it was
    recorded, ``at`` is when it was made (seconds since 1970, else 0).
    """

    move: int
    text: str
    parts: list[Part]
    rule: str
    seat: int | None
    out_of_time: bool
    at: int


class Prepared(Model):
    """A move in preparation: whether it is whole, what may come next, what it will do, why it cannot be read."""

    text: str
    whole: bool
    next: list[Token]
    preview: str
    problem: str


class PlanModel(Model):
    """A move prepared for one's turn, and what it did when it was prepared; ``condition`` as in `PlanKept`."""

    text: str
    condition: Condition
    preview: str


class ChancesModel(Model):
    """Each seat's chance to win (0 to 1) after ``ply`` moves, with the ends of its interval: as somebody without cards
    could tell, and as the seat itself could."""

    ply: int
    outside: list[tuple[float, float, float]]
    own: list[tuple[float, float, float]]


class ViewModel(Model):
    """All that this browser may know of a table.

    ``state`` holds the position's fields; what this seat may not know is null. It is whole when the match is over; then
    ``began`` and ``ended`` say when (seconds since 1970) and ``standings`` the scores by seat at the opening and after
    each round. ``next_in`` are the chairs whose owners have the page of the next table open.

    A decision may take ``pace`` seconds (0: no limit), then ``out_of_time`` follows; ``stands`` says that the clock
    does not run, as every person's last decision was lost to it. ``now`` is in seconds since 1970.

    ``follows`` and ``asks`` (for a chair) are about a browser without a chair, ``askers`` and ``to_give`` (chairs that
    may be given to them) are for one with, and so is ``giving``, the chair that the players are asked about.
    ``telling`` is null where no mail is sent.

    ``origin`` is where a table to try something out is from; ``try_not`` says why nothing can be tried out from here
    while the match goes on (empty: it can be).

    ``decided`` (of a match that is over) and ``hint`` (at a table of bots, for the decision that one owes) are null
    until somebody asks; a share is a chance to win, 0 to 1, and a difference stands with the ends of its interval.
    """

    table: str
    title: str
    game: str
    rules: str
    options: dict[str, bool | int | str | None]
    chairs: list[Chair]
    started: bool
    ply: int
    revision: int
    commitment: str
    link: str
    seed: str
    seat: int | None
    names: list[str]
    move: int
    moves: int
    acting: list[int]
    your_turn: bool
    question: str
    position: str
    state: dict[str, Any] | None
    prepared: Prepared | None
    can_prepare: bool = Field(description="whether a move may be prepared for one's turn now")
    plan: PlanModel | None = Field(description="what one has prepared for one's turn")
    plan_told: str = Field(description="why something prepared was not played; until the next move")
    lines: list[LineModel]
    over: int
    stopped: str = Field(description="why it cannot go on here, where it was begun under rules that are not here")
    may_end: bool = Field(description="whether you may end it, since it cannot go on")
    scores: list[int]
    places: list[int]
    undo_free: bool
    undo_moves: int
    undo: UndoAsked | None
    talk: list[TalkLine]
    notes: str
    next_table: str
    next_in: list[int]
    began: int
    ended: int
    standings: list[list[int]]
    now: int
    pace: int
    out_of_time: str
    stands: bool
    crowd: Crowd
    follows: bool
    asks: bool
    askers: list[Asker]
    to_give: list[int]
    giving: Giving | None
    telling: Telling | None
    decided: Finding | None
    hint: Finding | None
    may_hint: bool = Field(description="whether you may ask for a hint now")
    origin: Origin | None
    try_not: str
    chances: list[ChancesModel] | None
    quiet: bool = Field(description="whether the bots say nothing but what is part of the rules")


class LogModel(Model):
    """The log of a match as this browser may read it."""

    table: str
    game: str
    rules: str
    players: list[str]
    moves: int
    commitment: str
    link: str
    lines: list[LineModel]


class ExportMove(Model):
    """One move of an exported match."""

    model_config = ConfigDict(extra="allow", frozen=True)
    player: str
    move: str
    actions: list[int]
    hash: str


class Export(Model):
    """A finished match, whole: what `backroom verify` and `backroom replay` read."""

    model_config = ConfigDict(extra="allow", frozen=True)
    backroom: int
    game: str
    rules: str
    players: list[str]
    options: dict[str, Any]
    seed: str
    commitment: str
    opening: str
    moves: list[ExportMove]


class Health(Model):
    """The server is there, its database answers, its bots and clocks go on."""

    status: Literal["ok"]


# How a view becomes that


def lines_of(view: TableView) -> list[LineModel]:
    """The log of a view."""
    at = view.at or (0,) * len(view.lines)
    return [_line(move, line, view.late, when) for (move, line), when in zip(view.lines, at, strict=True)]


def _line(move: int, line: Line, late: Sequence[int], at: int) -> LineModel:
    parts = [
        Part(text=part.words, kind=part.kind, key=part.key)
        if isinstance(part, Thing)
        else Part(text=part, kind="", key="")
        for part in line.parts
    ]
    return LineModel(
        move=move, text=line.text, parts=parts, rule=line.rule, seat=line.seat, out_of_time=move in late, at=at
    )


def prepared(draft: Draft) -> Prepared:
    """A move in preparation as JSON takes it."""
    return Prepared(
        text=draft.text,
        whole=draft.actions is not None,
        next=list(draft.tokens),
        preview=draft.sentence,
        problem=": ".join(draft.problem) if draft.problem else "",
    )


def _state(view: TableView) -> dict[str, Any] | None:
    if view.record is None:
        return None
    if view.whole:
        return {name: np.asarray(view.record[name]).tolist() for name in view.game.state.fields}
    return view.game.state.to_json(view.record, view.viewer)


def view_model(view: TableView) -> ViewModel:
    """A table view as JSON takes it: what has a field's name in the view is given as it stands there."""
    plan = view.plan
    own: dict[str, Any] = {
        "game": view.game.name,
        "options": view.options.model_dump(),
        "ply": view.entry,
        "state": _state(view),
        "prepared": prepared(view.prepared) if view.viewer != SPECTATOR and view.your_turn else None,
        "plan": PlanModel(text=plan.text, condition=plan.condition, preview=plan.sentence) if plan else None,
        "lines": lines_of(view),
    }
    return ViewModel(**{name: own[name] if name in own else getattr(view, name) for name in ViewModel.model_fields})


# What is taken

Ply = Annotated[int, Field(ge=0, le=2**31 - 1, description="the table's newest entry when this was decided on")]
OwnId = Annotated[str, Field(min_length=1, max_length=100, description="an id of your choosing, new for each request")]


class ChairWanted(Model):
    """A chair: yours, for a friend by invite link, for anybody (shown on the front page while free), or a bot's."""

    kind: Literal["you", "friend", "bot", "anybody"]
    name: str = Field("", max_length=64)
    bot: str = Field("", max_length=200)


# Read as they come: the game's options say what each of them takes, and so what is wrong with another value.
OptionValues = Annotated[dict[str, Any], WithJsonSchema(TypeAdapter(dict[str, bool | int | str | None]).json_schema())]


class NewTable(Model):
    """A table to be made."""

    game: str = Field(max_length=64)
    chairs: list[ChairWanted] = Field(max_length=32)
    options: OptionValues = Field(default_factory=dict)
    title: str = Field("", max_length=80)
    create_id: str = Field("", max_length=100, description="the same id again gives the same table")
    pace: int = Field(0, ge=0, le=LONGEST, description=f"seconds for a decision, {SHORTEST} or more; 0: no limit")
    out_of_time: Literal["skip", "bot", "wait"] = Field(
        "wait", description="what follows: the game's default, a bot makes that one decision, nothing"
    )
    quiet: bool = Field(False, description="whether bots say nothing but what is part of the rules")


class MoveMade(Model):
    """A typed move."""

    move: str = Field(max_length=1000)
    ply: Ply
    move_id: OwnId


class PositionShared(Model):
    """A position of a match that goes on, to be shared by a link: after ``ply`` moves, as one sees it oneself or
    (``outside``) as a watcher does."""

    ply: int = Field(ge=0, le=2**31 - 1, description="the moves before it")
    outside: bool = False


class SharedPlayedOn(Model):
    """A position that was shared, to be played on from in that seat (none: the one from which it was shared)."""

    seat: int | None = Field(None, ge=0, le=31)
    create_id: str = Field("", max_length=100, description="the same id again gives the same table")


class PlayedOn(Model):
    """A position to be played on from: after ``ply`` moves, in that seat (none: one's own)."""

    ply: int = Field(ge=0, le=2**31 - 1, description="the moves before it")
    seat: int | None = Field(None, ge=0, le=31)
    create_id: str = Field("", max_length=100, description="the same id again gives the same table")


class DraftKept(Model):
    """A move in preparation; empty to drop it."""

    text: str = Field("", max_length=1000)
    ply: Ply


class PlanKept(Model):
    """A whole move, prepared for one's turn; empty to drop what is prepared."""

    text: str = Field("", max_length=1000)
    condition: Condition = Field(
        "same", description="same: played only if it then does what it does now; legal: whenever it can be played"
    )
    ply: Ply


class UndoWanted(Model):
    """One's last move to be taken back."""

    ply: Ply
    undo_id: OwnId


class Vote(Model):
    """The answer to somebody's wish to take back."""

    ply: Ply
    agree: bool


class Said(Model):
    """A line of talk."""

    text: str = Field(max_length=500)
    talk_id: str = Field("", max_length=100)


class Hushed(Model):
    """Whether the bots are to be quiet."""

    on: bool


class NotesKept(Model):
    """Private notes, whole."""

    text: str = Field("", max_length=10_000)


class SitDown(Model):
    """An invitation and a name; neither, to come back to one's own chair or to a clock that stands still."""

    invite: str = Field("", max_length=64)
    name: str = Field("", max_length=64)


class BotWanted(Model):
    """A bot for a chair."""

    chair: int = Field(ge=0, le=31)
    bot: str = Field(min_length=1, max_length=200)


class Followed(Model):
    """Whether to follow a table."""

    on: bool


class ChairAsked(Model):
    """Whether to ask for a chair, and under which name; an empty one for the name this browser has."""

    on: bool
    name: str = Field("", max_length=64)


class ChairGiven(Model):
    """A chair for somebody who asks, named by what their asking is known by (``askers`` of the view).

    In a match that has begun all people at the table say so; ``agree`` false ends the question (``giving``).
    """

    chair: int = Field(ge=0, le=31)
    asks: str = Field(min_length=1, max_length=64)
    agree: bool = True


class MailWanted(Model):
    """Whether to be told by mail, and where; empty for the address that is kept."""

    on: bool
    address: str = Field("", max_length=254)


class OneClick(Model):
    """What mail programs send to end mail by one click (RFC 8058); or nothing."""

    one_click: Literal["One-Click"] | None = Field(None, alias="List-Unsubscribe")


class Settled(Model):
    """What became of a request about mail."""

    status: Literal["applied", "already applied"]


class Nothing(Model):
    """No fields."""
