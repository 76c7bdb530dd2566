"""Everything over HTTP that is not a page: JSON for scripts and for the pages' own module.

Every POST takes JSON; those with flat fields take a plain HTML form too and then answer 303, back to the table. Every
answer is one of: done (`Answered`), or one line that says what is wrong (`Problem`).
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import quote, unquote

import numpy as np
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, WithJsonSchema

from backroom.engine.game import Refusal
from backroom.engine.notation import Line, Thing, Token
from backroom.engine.record import SPECTATOR
from backroom.scenes.draft import Draft
from backroom.tables.clock import LONGEST, SHORTEST
from backroom.tables.service import Tables
from backroom.tables.views import Answer, ChairRequest, Condition, Mark, TableView
from backroom.tables.words import check_name

__all__ = ["Problem", "router", "status_of"]

STATUS = {
    "E_UNKNOWN": 404, "E_INVITE": 404, "E_PAGE": 404, "E_PLY": 404, "E_MAIL_LINK": 404,
    "E_SEAT": 403, "E_HOST": 403, "E_ORIGIN": 403,
    "E_STALE": 409, "E_WAIT": 409, "E_OVER": 409, "E_GOING": 409, "E_EXPORT": 409, "E_VERSION": 409,
    "E_RECORD": 409, "E_UNDO": 409, "E_NOTES": 409, "E_CHAIR": 409, "E_ACTOR": 409, "E_PLAN": 409,
    "E_ASK": 409, "E_CROWD": 409, "E_MAIL": 409, "E_SIZE": 413, "E_OFTEN": 429, "E_STREAMS": 429,
    "E_AWAY": 503, "E_STALLED": 503,
}  # fmt: skip


def status_of(refusal: Refusal) -> int:
    """The HTTP status of a refusal; 422 for what cannot be read or is against the rules."""
    return STATUS.get(refusal.code, 422)


class Model(BaseModel):
    """Base of what is taken and given: no unknown fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


# What is given


class Problem(Model):
    """One line: what is wrong, and what would be right. Nothing has changed."""

    status: Literal["refused", "stale"] = Field(description="stale: the table has moved on; look again and decide anew")
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


class ChairModel(Model):
    """A chair. ``seat`` is its number in the match, ``invite`` what its invite link ends in, for those at the table.

    One for ``anybody`` is shown on the front page while it is free. ``asked`` is since when it owes the present
    decision and ``until`` when that runs out, in seconds since 1970 (0: it owes none, or no clock runs); ``lost`` is
    how many decisions in a row it has lost to the clock. From ``bot_from`` on (0: at once; null: not as things are)
    this browser may let a bot play there.
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
    anybody: bool
    asked: int
    until: int
    lost: int
    bot_from: int | None


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


class TokenModel(Model):
    """A word that may come next in a move, and what it stands for; with ``glue`` no blank goes before it."""

    text: str
    kind: str
    key: str
    glue: bool


class Prepared(Model):
    """A move in preparation: whether it is whole, what may come next, what it will do, why it cannot be read."""

    text: str
    whole: bool
    next: list[TokenModel]
    preview: str
    problem: str


class PlanModel(Model):
    """A move prepared for one's turn, and what it did when it was prepared; ``condition`` as in `PlanKept`."""

    text: str
    condition: Condition
    preview: str


class TalkModel(Model):
    """A line of talk; ``at`` is in seconds since 1970, ``seat`` that from which it was said (None before the start)."""

    number: int
    name: str
    text: str
    at: int
    seat: int | None


class UndoModel(Model):
    """A take-back that the table is asked about."""

    name: str
    moves: int
    agreed: list[str]
    waiting: list[str]
    yours: bool


class GivingModel(Model):
    """A chair that the players are asked to give to a watcher, who ``asks`` for it; ``yours``: you are to answer."""

    name: str
    asks: str
    chair: int
    agreed: list[str]
    waiting: list[str]
    yours: bool


class CrowdModel(Model):
    """Who watches now: those with a name, and how many without."""

    names: list[str]
    guests: int


class AskerModel(Model):
    """A watcher who asks for a chair; ``asks`` goes into the request that gives one."""

    name: str
    asks: str
    here: bool


class TellingModel(Model):
    """This browser's wish for mail about its chair, and the address it gave."""

    on: bool
    address: str
    confirmed: bool


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
    """

    table: str
    title: str
    game: str
    rules: str
    options: dict[str, bool | int | str | None]
    chairs: list[ChairModel]
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
    undo: UndoModel | None
    talk: list[TalkModel]
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
    crowd: CrowdModel
    follows: bool
    asks: bool
    askers: list[AskerModel]
    to_give: list[int]
    giving: GivingModel | None
    telling: TellingModel | None


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


class MoveMade(Model):
    """A typed move."""

    move: str = Field(max_length=1000)
    ply: Ply
    move_id: OwnId


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


Taken = TypeVar("Taken", bound=Model)
FORM = "application/x-www-form-urlencoded"


def posted_form(request: Request) -> bool:
    """Whether a request comes from a plain HTML form."""
    return content_type(request) == FORM


def content_type(request: Request) -> str:
    """What kind a request's body is, as ``application/json``."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def form_fields(request: Request) -> dict[str, str]:
    """The fields of a posted form, the first of each name. Refusal E_REQUEST where one of them is a file."""
    fields: dict[str, str] = {}
    for name, value in (await request.form()).multi_items():
        if not isinstance(value, str):
            raise Refusal("E_REQUEST", f"{name}: a text belongs here, not a file")
        fields.setdefault(name, value)
    return fields


def taken(model: type[Taken]) -> Any:
    """A dependency that reads the body as JSON (strictly typed), or as a form."""

    async def read(request: Request) -> Taken:
        try:
            if posted_form(request):
                return model.model_validate(await form_fields(request))
            if content_type(request).startswith("multipart/"):
                raise Refusal("E_REQUEST", f"a request here is JSON or {FORM}, and takes no files")
            return model.model_validate_json(await request.body() or b"{}", strict=True)
        except ValidationError as problem:
            raise RequestValidationError(problem.errors(include_url=False)) from None

    return Depends(read)


def body_of(model: type[Model], form: bool = True) -> dict[str, Any]:
    """The OpenAPI description of a body that `taken` reads."""
    schema = model.model_json_schema()
    parts = schema.pop("$defs", {})

    def whole(node: Any) -> Any:
        if isinstance(node, dict) and "$ref" in node:
            return whole(parts[node["$ref"].rpartition("/")[2]])
        if isinstance(node, dict):
            return {key: whole(value) for key, value in node.items()}
        return [whole(value) for value in node] if isinstance(node, list) else node

    schema = whole(schema)
    kinds = ["application/json", FORM] if form else ["application/json"]
    return {"requestBody": {"required": True, "content": {kind: {"schema": schema} for kind in kinds}}}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI description of refusals."""
    words = {
        403: "This browser may not do that.",
        404: "There is no such thing.",
        409: "Not now: the table has moved on, has not started, or is over.",
        413: "Larger than a request may be.",
        422: "It cannot be read, or the rules forbid it.",
        429: "Too often.",
        503: "The database does not answer just now (Retry-After says when to ask again), or the server stands still.",
    }
    return {status: {"model": Problem, "description": words[status]} for status in statuses}


BACK: dict[int | str, dict[str, Any]] = {
    303: {"description": "To a form: on to the page that follows, mostly the table."}
}
POSTED = {**problems(403, 404, 409, 413, 422, 503), **BACK}
LOOKED = problems(404, 409, 422, 503)
UNCHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "Nothing new: If-None-Match names what there is."}}

TableId = Annotated[str, Path(description="the table's id, as in its link")]


def tables_of(request: Request) -> Tables:
    """The application's tables."""
    return request.app.state.tables


def token_of(request: Request) -> str:
    """The browser's token (set by `backroom.web.app`)."""
    return request.state.token


NAME_COOKIE = "name"
YEAR = 365 * 86400


PLAIN_COOKIE = "plain"
"""Set in a browser that wants its pages without script; it ends with the browser."""


def plain_of(request: Request) -> bool:
    """Whether this browser's pages are to be without script."""
    return request.cookies.get(PLAIN_COOKIE) == "1"


def tag_of(request: Request, mark: Mark) -> str:
    """The ETag of what is answered about a table in that state: a weak one, for it says nothing of presence and time.

    It begins with what is new at each start of the server, whose pages may have changed.
    """
    plain = "-plain" if plain_of(request) else ""
    return f'W/"{request.app.state.started}-{mark.revision}-{mark.own}{plain}"'


def unchanged(request: Request, tables: Tables, token: str, table: str) -> bool:
    """Whether a browser says that it has a table's answer as it would be given now. Refusal E_UNKNOWN."""
    said = request.headers.get("if-none-match", "")
    return bool(said) and tag_of(request, tables.mark(table, token)) in [tag.strip() for tag in said.split(",")]


def name_of(request: Request) -> str:
    """What the browser's reader said last to be called, empty when nothing."""
    try:
        return check_name(unquote(request.cookies.get(NAME_COOKIE, "")))
    except Refusal:
        return ""


def remember_name(response: Response, name: str) -> None:
    """Keep what somebody wants to be called, if a player could be called so."""
    with suppress(Refusal):
        response.set_cookie(NAME_COOKIE, quote(check_name(name), safe=""), max_age=YEAR, httponly=True, samesite="lax")


def origin_of(request: Request) -> str:
    """The address of this site, without a slash at its end: the public one if it was given, else as it was asked for.

    Refusal E_REQUEST when what was asked for is no address.
    """
    host = request.headers.get("host", request.url.netloc)
    if not re.fullmatch(r"[\w.-]{1,200}(:\d{1,5})?|\[[\da-fA-F:.]{2,45}\](:\d{1,5})?", host):
        raise Refusal("E_REQUEST", "the Host of this request is no address of a site")
    return request.app.state.public_url or f"{request.url.scheme}://{host}"


def client_address(request: Request) -> str:
    """Who asks, as far as a server can tell (`backroom.web.client`)."""
    client: str = request.state.client
    return client


AllTables = Annotated[Tables, Depends(tables_of)]
Token_ = Annotated[str, Depends(token_of)]
Client = Annotated[str, Depends(client_address)]

router = APIRouter()


def answered(request: Request, table: str, answer: Answer) -> Any:
    """An answer as JSON, or the way back to the table for a form."""
    if posted_form(request):
        return RedirectResponse(f"/t/{table}", 303)
    return Answered(status=answer.status, ply=answer.entry, message=answer.message)


def _lines(view: TableView) -> list[LineModel]:
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


def _prepared(draft: Draft) -> Prepared:
    def token(found: Token) -> TokenModel:
        return TokenModel(text=found.text, kind=found.kind, key=found.key, glue=found.glue)

    return Prepared(
        text=draft.text,
        whole=draft.actions is not None,
        next=[token(found) for found in draft.tokens],
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
    """A table view as JSON takes it."""
    undo = view.undo
    return ViewModel(
        table=view.table,
        title=view.title,
        game=view.game.name,
        rules=view.rules,
        options=view.options.model_dump(),
        chairs=[ChairModel(**vars(chair)) for chair in view.chairs],
        started=view.started,
        ply=view.entry,
        revision=view.revision,
        commitment=view.commitment,
        link=view.link,
        seed=view.seed,
        seat=view.seat,
        names=list(view.names),
        move=view.move,
        moves=view.moves,
        acting=list(view.acting),
        your_turn=view.your_turn,
        question=view.question,
        position=view.position,
        state=_state(view),
        prepared=_prepared(view.prepared) if view.viewer != SPECTATOR and view.your_turn else None,
        can_prepare=view.can_prepare,
        plan=PlanModel(text=view.plan.text, condition=view.plan.condition, preview=view.plan.sentence)
        if view.plan is not None
        else None,
        plan_told=view.plan_told,
        lines=_lines(view),
        over=view.over,
        stopped=view.stopped,
        may_end=view.may_end,
        scores=list(view.scores),
        places=list(view.places),
        undo_free=view.undo_free,
        undo_moves=view.undo_moves,
        undo=UndoModel(
            name=undo.name,
            moves=undo.moves,
            agreed=list(undo.agreed),
            waiting=list(undo.waiting),
            yours=undo.yours,
        )
        if undo is not None
        else None,
        talk=[TalkModel(**vars(line)) for line in view.talk],
        notes=view.notes,
        next_table=view.next_table,
        next_in=list(view.next_in),
        began=view.began,
        ended=view.ended,
        standings=[list(scores) for scores in view.standings],
        now=view.now,
        pace=view.pace,
        out_of_time=view.out_of_time,
        stands=view.stands,
        crowd=CrowdModel(names=list(view.crowd.names), guests=view.crowd.guests),
        follows=view.follows,
        asks=view.asks,
        askers=[AskerModel(**vars(asker)) for asker in view.askers],
        to_give=list(view.to_give),
        giving=GivingModel.model_validate(vars(view.giving)) if view.giving is not None else None,
        telling=TellingModel(**vars(view.telling)) if view.telling is not None else None,
    )


@router.post(
    "/tables",
    response_model=Made,
    status_code=201,
    responses=problems(403, 413, 422, 503),
    openapi_extra=body_of(NewTable, form=False),
)
def create_table(
    tables: AllTables, token: Token_, client: Client, wanted: Annotated[NewTable, taken(NewTable)]
) -> Made:
    """Make a table. It starts at once when every chair is yours or a bot's."""
    chairs = [ChairRequest(chair.kind, chair.name, chair.bot) for chair in wanted.chairs]
    made = wanted.game, chairs, wanted.options, wanted.title, wanted.create_id, wanted.pace, wanted.out_of_time
    table = tables.create(token, *made, client)
    return Made(table=table, url=f"/t/{table}")


@router.get("/t/{table}/view.json", response_model=ViewModel, responses={**LOOKED, **UNCHANGED})
def view(
    request: Request,
    response: Response,
    tables: AllTables,
    token: Token_,
    table: TableId,
    move: Annotated[int | None, Query(ge=0, description="look back: the position after so many moves")] = None,
) -> Any:
    """The table as this browser's seat sees it. Its ETag changes with all but who is there and what time it is."""
    if unchanged(request, tables, token, table):
        return Response(status_code=304)
    view = tables.view(table, token, move)
    response.headers["ETag"] = tag_of(request, view.mark)
    return view_model(view)


@router.get("/t/{table}/complete", response_model=Prepared, responses={**problems(403), **LOOKED})
def complete(
    tables: AllTables,
    token: Token_,
    table: TableId,
    prefix: Annotated[str, Query(max_length=1000, description="the beginning of a move")] = "",
    prepare: Annotated[bool, Query(description="of a move prepared for one's turn, while others think")] = False,
) -> Prepared:
    """What may come next in a move that begins like that."""
    return _prepared(tables.complete(table, token, prefix, prepare))


@router.post("/t/{table}/move", response_model=Answered, responses=POSTED, openapi_extra=body_of(MoveMade))
def move(
    request: Request, tables: AllTables, token: Token_, table: TableId, made: Annotated[MoveMade, taken(MoveMade)]
) -> Any:
    """Make a move. Sent again with the same ``move_id`` it is not made twice."""
    return answered(request, table, tables.submit(table, token, made.move, made.ply, made.move_id))


@router.post("/t/{table}/draft", response_model=Answered, responses=POSTED, openapi_extra=body_of(DraftKept))
def draft(
    request: Request, tables: AllTables, token: Token_, table: TableId, kept: Annotated[DraftKept, taken(DraftKept)]
) -> Any:
    """Keep a move in preparation, for one's other devices."""
    return answered(request, table, tables.draft(table, token, kept.text, kept.ply))


@router.post("/t/{table}/plan", response_model=Answered, responses=POSTED, openapi_extra=body_of(PlanKept))
def plan(
    request: Request, tables: AllTables, token: Token_, table: TableId, kept: Annotated[PlanKept, taken(PlanKept)]
) -> Any:
    """Prepare a move for one's turn, while others think. Only one's own pages know of it."""
    return answered(request, table, tables.plan(table, token, kept.text, kept.ply, kept.condition))


@router.post("/t/{table}/undo", response_model=Answered, responses=POSTED, openapi_extra=body_of(UndoWanted))
def undo(
    request: Request, tables: AllTables, token: Token_, table: TableId, wanted: Annotated[UndoWanted, taken(UndoWanted)]
) -> Any:
    """Take one's last move back, or ask the table to let it be taken back."""
    return answered(request, table, tables.undo(table, token, wanted.ply, wanted.undo_id))


@router.post("/t/{table}/vote", response_model=Answered, responses=POSTED, openapi_extra=body_of(Vote))
def vote(
    request: Request, tables: AllTables, token: Token_, table: TableId, given: Annotated[Vote, taken(Vote)]
) -> Any:
    """Answer somebody's wish to take back."""
    return answered(request, table, tables.vote(table, token, given.ply, given.agree))


@router.post("/t/{table}/talk", response_model=Answered, responses=POSTED, openapi_extra=body_of(Said))
def talk(request: Request, tables: AllTables, token: Token_, table: TableId, said: Annotated[Said, taken(Said)]) -> Any:
    """Say a line to those at the table."""
    return answered(request, table, tables.talk(table, token, said.text, said.talk_id))


@router.post("/t/{table}/notes", response_model=Answered, responses=POSTED, openapi_extra=body_of(NotesKept))
def notes(
    request: Request, tables: AllTables, token: Token_, table: TableId, kept: Annotated[NotesKept, taken(NotesKept)]
) -> Any:
    """Replace one's private notes."""
    return answered(request, table, tables.note(table, token, kept.text))


@router.post("/t/{table}/sit", response_model=Answered, responses=POSTED, openapi_extra=body_of(SitDown))
def sit(
    request: Request, tables: AllTables, token: Token_, table: TableId, wanted: Annotated[SitDown, taken(SitDown)]
) -> Any:
    """Take the chair of an invitation, or come back to one's own."""
    return answered(request, table, tables.sit(table, token, wanted.invite, wanted.name))


@router.post("/t/{table}/leave", response_model=Answered, responses=POSTED, openapi_extra=body_of(Nothing))
def leave(
    request: Request, tables: AllTables, token: Token_, table: TableId, _nothing: Annotated[Nothing, taken(Nothing)]
) -> Any:
    """Give up one's chair."""
    return answered(request, table, tables.leave(table, token))


@router.post("/t/{table}/end", response_model=Answered, responses=POSTED, openapi_extra=body_of(Nothing))
def end(
    request: Request, tables: AllTables, token: Token_, table: TableId, _nothing: Annotated[Nothing, taken(Nothing)]
) -> Any:
    """End a match that cannot go on, as its rules are not this server's. Then all of it can be seen and downloaded."""
    return answered(request, table, tables.end(table, token))


@router.post("/t/{table}/bot", response_model=Answered, responses=POSTED, openapi_extra=body_of(BotWanted))
def seat_bot(
    request: Request, tables: AllTables, token: Token_, table: TableId, wanted: Annotated[BotWanted, taken(BotWanted)]
) -> Any:
    """Let a bot play a free chair, or one whose owner is away (from ``bot_from`` of the chair on)."""
    return answered(request, table, tables.seat_bot(table, token, wanted.chair, wanted.bot))


@router.post("/t/{table}/follow", response_model=Answered, responses=POSTED, openapi_extra=body_of(Followed))
def follow(
    request: Request,
    tables: AllTables,
    token: Token_,
    client: Client,
    table: TableId,
    wanted: Annotated[Followed, taken(Followed)],
) -> Any:
    """Keep a table among one's own without a chair there, or no longer."""
    return answered(request, table, tables.follow(table, token, wanted.on, client))


@router.post("/t/{table}/unwatch", response_model=Answered, responses=POSTED, openapi_extra=body_of(Nothing))
def unwatch(
    request: Request, tables: AllTables, token: Token_, table: TableId, _nothing: Annotated[Nothing, taken(Nothing)]
) -> Any:
    """Watch no longer; a form leads to the front room."""
    answer = tables.unwatch(table, token)
    return RedirectResponse("/", 303) if posted_form(request) else answered(request, table, answer)


@router.post("/t/{table}/ask", response_model=Answered, responses=POSTED, openapi_extra=body_of(ChairAsked))
def ask(
    request: Request,
    response: Response,
    tables: AllTables,
    token: Token_,
    client: Client,
    table: TableId,
    wanted: Annotated[ChairAsked, taken(ChairAsked)],
) -> Any:
    """Ask the players for a chair, or no longer."""
    name = wanted.name.strip() or name_of(request)
    answer = answered(request, table, tables.ask(table, token, wanted.on, name, client))
    if wanted.on:
        remember_name(answer if isinstance(answer, Response) else response, name)
    return answer


@router.post("/t/{table}/give", response_model=Answered, responses=POSTED, openapi_extra=body_of(ChairGiven))
def give(
    request: Request, tables: AllTables, token: Token_, table: TableId, given: Annotated[ChairGiven, taken(ChairGiven)]
) -> Any:
    """Give a chair to somebody who asks, a free one or one that keeps the table waiting, or agree to it, or do not."""
    return answered(request, table, tables.give(table, token, given.chair, given.asks, given.agree))


@router.post(
    "/t/{table}/tell",
    response_model=Answered,
    responses={**POSTED, **problems(429)},
    openapi_extra=body_of(MailWanted),
)
def tell(
    request: Request, tables: AllTables, token: Token_, table: TableId, wanted: Annotated[MailWanted, taken(MailWanted)]
) -> Any:
    """Be told by mail when the lamp comes on over one's chair, or no longer."""
    return answered(request, table, tables.tell(table, token, wanted.on, wanted.address, origin_of(request)))


MailSecret = Annotated[str, Path(description="what the link in the mail ends in")]


def settled(request: Request, secret: str, new: bool) -> Any:
    """An answer about mail as JSON, or the way back to its page for a form of ours."""
    if posted_form(request) and "text/html" in request.headers.get("accept", ""):
        return RedirectResponse(f"/mail/{secret}", 303)
    return Settled(status="applied" if new else "already applied")


@router.post("/mail/{secret}/confirm", response_model=Settled, responses=POSTED, openapi_extra=body_of(Nothing))
def confirm_mail(
    request: Request, tables: AllTables, secret: MailSecret, _nothing: Annotated[Nothing, taken(Nothing)]
) -> Any:
    """Say yes to mail, with the secret that was in one."""
    return settled(request, secret, tables.confirm_mail(secret))


@router.post("/mail/{secret}/stop", response_model=Settled, responses=POSTED, openapi_extra=body_of(OneClick))
def stop_mail(
    request: Request, tables: AllTables, secret: MailSecret, _click: Annotated[OneClick, taken(OneClick)]
) -> Any:
    """End all mail to an address, with the secret that was in one; the address is forgotten."""
    return settled(request, secret, tables.stop_mail(secret))


@router.post("/t/{table}/rematch", response_model=Made, responses=POSTED, openapi_extra=body_of(Nothing))
def rematch(
    request: Request,
    tables: AllTables,
    token: Token_,
    client: Client,
    table: TableId,
    _nothing: Annotated[Nothing, taken(Nothing)],
) -> Any:
    """The same table again, chairs moved on by one."""
    new = tables.rematch(table, token, client)
    if posted_form(request):
        return RedirectResponse(f"/t/{new}", 303)
    return Made(table=new, url=f"/t/{new}")


@router.get("/t/{table}/log.json", response_model=LogModel, responses=LOOKED)
def log(tables: AllTables, token: Token_, table: TableId) -> LogModel:
    """The log as this browser may read it."""
    view = tables.view(table, token)
    return LogModel(
        table=view.table,
        game=view.game.name,
        rules=view.rules,
        players=[chair.name for chair in view.chairs],
        moves=view.moves,
        commitment=view.commitment,
        link=view.link,
        lines=_lines(view),
    )


@router.get("/t/{table}/export.json", response_model=Export, responses=LOOKED)
def export(tables: AllTables, table: TableId) -> Response:
    """The whole record of a finished match, seed included."""
    name = f"backroom-{table}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(tables.export(table), media_type="application/json", headers=headers)


@router.get("/healthz", response_model=Health, responses=problems(503))
def health(tables: AllTables) -> Health:
    """Whether the server works: its database answers, its bots and clocks go on."""
    tables.check()
    return Health(status="ok")
