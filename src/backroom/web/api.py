"""Everything over HTTP that is not a page: JSON for scripts and for the pages' own module.

Every POST takes JSON; those with flat fields take a plain HTML form too and then answer 303, back to the table. Every
answer is one of: done (`Answered`), or one line that says what is wrong (`Problem`). What JSON looks like stands in
`backroom.web.shapes`, what a request brings in `backroom.web.asked`.
"""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import RedirectResponse

from backroom.tables.views import Answer, ChairRequest
from backroom.web.asked import (
    LOOKED,
    POSTED,
    UNCHANGED,
    AllTables,
    Asked,
    Client,
    DeviceSecret,
    MailSecret,
    PositionId,
    TableId,
    Taken,
    Token_,
    answered,
    asked,
    body_of,
    name_of,
    origin_of,
    posted_form,
    problems,
    remember_name,
    tag_of,
    taken,
    unchanged,
)
from backroom.web.shapes import (
    Answered,
    BotWanted,
    ChairAsked,
    ChairGiven,
    DraftKept,
    Export,
    Followed,
    Health,
    Hushed,
    LogModel,
    Made,
    MailWanted,
    MoveMade,
    NewTable,
    NotesKept,
    Nothing,
    OneClick,
    PlanKept,
    PlayedOn,
    PositionShared,
    Prepared,
    Said,
    Settled,
    Shared,
    SharedPlayedOn,
    SitDown,
    UndoWanted,
    ViewModel,
    Vote,
    lines_of,
    prepared,
    view_model,
)

__all__ = ["router"]

router = APIRouter()


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
    return _made(tables.create(token, *made, client, wanted.quiet))


def _made(table: str) -> Made:
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
    """The table as this browser's seat sees it. Its ETag does not depend on presence or on the time."""
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
    return prepared(tables.complete(table, token, prefix, prepare))


def posted(
    path: str, model: type[Taken], *statuses: int, to: str = ""
) -> Callable[[Callable[[Asked, Taken], Answer]], Callable[[Asked, Taken], Answer]]:
    """A route ``POST /t/{table}/PATH``: what is decorated does something at the table with the ``model`` that was sent.

    A form is led ``to`` a page then, back to the table if none is named. ``statuses`` are those of its refusals that
    other such routes have not.
    """

    sent = taken(model)

    def add(do: Callable[[Asked, Taken], Answer]) -> Callable[[Asked, Taken], Answer]:
        def route(at: Annotated[Asked, Depends(asked)], given: Annotated[Any, sent]) -> Any:
            return answered(at.request, to or f"/t/{at.table}", do(at, given))

        route.__name__, route.__doc__ = do.__name__, do.__doc__
        responses = {**POSTED, **problems(*statuses)}
        add_route = router.post(
            f"/t/{{table}}/{path}", response_model=Answered, responses=responses, openapi_extra=body_of(model)
        )
        add_route(route)
        return do

    return add


@posted("move", MoveMade)
def move(at: Asked, made: MoveMade) -> Answer:
    """Make a move. Sent again with the same ``move_id`` it is not made twice."""
    return at.tables.submit(at.table, at.token, made.move, made.ply, made.move_id)


@posted("draft", DraftKept)
def draft(at: Asked, kept: DraftKept) -> Answer:
    """Keep a move in preparation, for one's other devices."""
    return at.tables.draft(at.table, at.token, kept.text, kept.ply)


@posted("plan", PlanKept)
def plan(at: Asked, kept: PlanKept) -> Answer:
    """Prepare a move for one's turn, while others think. Only one's own pages know of it."""
    return at.tables.plan(at.table, at.token, kept.text, kept.ply, kept.condition)


@posted("undo", UndoWanted)
def undo(at: Asked, wanted: UndoWanted) -> Answer:
    """Take one's last move back, or ask the table to let it be taken back."""
    return at.tables.undo(at.table, at.token, wanted.ply, wanted.undo_id)


@posted("vote", Vote)
def vote(at: Asked, given: Vote) -> Answer:
    """Answer somebody's wish to take back."""
    return at.tables.vote(at.table, at.token, given.ply, given.agree)


@posted("talk", Said)
def talk(at: Asked, said: Said) -> Answer:
    """Say a line to those at the table."""
    return at.tables.talk(at.table, at.token, said.text, said.talk_id)


@posted("quiet", Hushed)
def hush(at: Asked, wanted: Hushed) -> Answer:
    """Have the bots be quiet, or chat again; what they say as a part of the rules they go on saying."""
    return at.tables.hush(at.table, at.token, wanted.on)


@posted("notes", NotesKept)
def notes(at: Asked, kept: NotesKept) -> Answer:
    """Replace one's private notes."""
    return at.tables.note(at.table, at.token, kept.text)


@posted("sit", SitDown)
def sit(at: Asked, wanted: SitDown) -> Answer:
    """Take the chair of an invitation, or come back to one's own."""
    return at.tables.sit(at.table, at.token, wanted.invite, wanted.name)


@posted("leave", Nothing)
def leave(at: Asked, _nothing: Nothing) -> Answer:
    """Give up one's chair."""
    return at.tables.leave(at.table, at.token)


@posted("devices-off", Nothing)
def close_elsewhere(at: Asked, _nothing: Nothing) -> Answer:
    """Close one's chair on all other devices; where one had it by a link, on this one."""
    return at.tables.close_elsewhere(at.table, at.token)


@posted("end", Nothing)
def end(at: Asked, _nothing: Nothing) -> Answer:
    """End a match that cannot go on, as its rules are not this server's. Then all of it can be seen and downloaded."""
    return at.tables.end(at.table, at.token)


@posted("bot", BotWanted)
def seat_bot(at: Asked, wanted: BotWanted) -> Answer:
    """Let a bot play a free chair, or one whose owner is away (from ``bot_from`` of the chair on)."""
    return at.tables.seat_bot(at.table, at.token, wanted.chair, wanted.bot)


@posted("follow", Followed)
def follow(at: Asked, wanted: Followed) -> Answer:
    """Keep a table among one's own without a chair there, or no longer."""
    return at.tables.follow(at.table, at.token, wanted.on, at.client)


@posted("unwatch", Nothing, to="/")
def unwatch(at: Asked, _nothing: Nothing) -> Answer:
    """Watch no longer; a form leads to the front room."""
    return at.tables.unwatch(at.table, at.token)


@router.post("/t/{table}/ask", response_model=Answered, responses=POSTED, openapi_extra=body_of(ChairAsked))
def ask(
    at: Annotated[Asked, Depends(asked)], response: Response, wanted: Annotated[ChairAsked, taken(ChairAsked)]
) -> Any:
    """Ask the players for a chair, or no longer."""
    name = wanted.name.strip() or name_of(at.request)
    done = at.tables.ask(at.table, at.token, wanted.on, name, at.client)
    answer = answered(at.request, f"/t/{at.table}", done)
    if wanted.on:
        remember_name(answer if isinstance(answer, Response) else response, name)
    return answer


@posted("alone", Nothing)
def play_alone(at: Asked, _nothing: Nothing) -> Answer:
    """End the practice at this table, and go on against ordinary bots."""
    return at.tables.play_alone(at.table, at.token)


@posted("hint", Nothing)
def hint(at: Asked, _nothing: Nothing) -> Answer:
    """Have a hint looked for, for one's decision at a table of bots; the view has it then (``hint``)."""
    return at.tables.hint(at.table, at.token)


@posted("look-back", Nothing)
def look_back(at: Asked, _nothing: Nothing) -> Answer:
    """Have it looked for the moves that decided a match that is over; the view has them then (``decided``)."""
    return at.tables.look_back(at.table)


@posted("give", ChairGiven)
def give(at: Asked, given: ChairGiven) -> Answer:
    """Give a free chair, or one that keeps the table waiting, to a watcher who asks; or answer such a proposal."""
    return at.tables.give(at.table, at.token, given.chair, given.asks, given.agree)


@posted("tell", MailWanted, 429)
def tell(at: Asked, wanted: MailWanted) -> Answer:
    """Get mail when it is this browser's turn, or no longer."""
    return at.tables.tell(at.table, at.token, wanted.on, wanted.address, origin_of(at.request))


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
def rematch(at: Annotated[Asked, Depends(asked)], _nothing: Annotated[Nothing, taken(Nothing)]) -> Any:
    """The same table again, chairs moved on by one."""
    return _led_on(at.request, at.tables.rematch(at.table, at.token, at.client))


def _led_on(request: Request, table: str) -> Any:
    """The answer about a table, or the way there for a form."""
    return RedirectResponse(f"/t/{table}", 303) if posted_form(request) else _made(table)


@router.post("/t/{table}/play-on", response_model=Made, responses=POSTED, openapi_extra=body_of(PlayedOn))
def play_on(at: Annotated[Asked, Depends(asked)], wanted: Annotated[PlayedOn, taken(PlayedOn)]) -> Any:
    """Play on against bots, at a new table, from a position; of a match that goes on with what one cannot know drawn
    anew."""
    made = at.tables.play_on(at.table, at.token, wanted.ply, wanted.seat, wanted.create_id, at.client)
    return _led_on(at.request, made)


@router.post("/device/{secret}", response_model=Made, responses=POSTED, openapi_extra=body_of(Nothing))
def open_here(
    request: Request,
    tables: AllTables,
    token: Token_,
    secret: DeviceSecret,
    _nothing: Annotated[Nothing, taken(Nothing)],
) -> Any:
    """Open the chair of a link in this browser too; the link works once."""
    return _led_on(request, tables.open_here(secret, token))


@router.post("/t/{table}/share", response_model=Shared, responses=POSTED, openapi_extra=body_of(PositionShared))
def share(at: Annotated[Asked, Depends(asked)], wanted: Annotated[PositionShared, taken(PositionShared)]) -> Any:
    """Make a link to a position of a match that goes on, with all that one cannot know drawn anew."""
    position = at.tables.share(at.table, at.token, wanted.ply, wanted.outside)
    url = f"/p/{position}"
    return RedirectResponse(url, 303) if posted_form(at.request) else Shared(position=position, url=url)


@router.post("/p/{position}/play-on", response_model=Made, responses=POSTED, openapi_extra=body_of(SharedPlayedOn))
def play_on_shared(
    request: Request,
    tables: AllTables,
    token: Token_,
    client: Client,
    position: PositionId,
    wanted: Annotated[SharedPlayedOn, taken(SharedPlayedOn)],
) -> Any:
    """Play on against bots, at a new table, from a position that was shared by a link."""
    return _led_on(request, tables.play_on_shared(position, token, wanted.seat, wanted.create_id, client))


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
        lines=lines_of(view),
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
