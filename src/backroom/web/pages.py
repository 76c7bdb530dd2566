"""Pages: what a browser shows."""

from collections.abc import Mapping, Sequence
from secrets import choice
from typing import Annotated, Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import segno
from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup

from backroom.bots.regulars import LEVEL_WORDS, regulars
from backroom.engine.game import Game, Refusal, find_game, installed_games
from backroom.scenes.default import about
from backroom.scenes.practice import practice_of
from backroom.scenes.teaching import teaching_of
from backroom.tables import clock
from backroom.tables.service import Tables
from backroom.tables.views import ChairRequest, Invitation, OpenTable, Summary, TableView
from backroom.text.english import listed
from backroom.web import rulebook
from backroom.web.asked import (
    PLAIN_COOKIE,
    AllTables,
    Client,
    DeviceSecret,
    MailSecret,
    PositionId,
    TableId,
    Token_,
    form_fields,
    name_of,
    offered,
    one_of_each,
    origin_of,
    plain_of,
    remember_name,
    status_of,
    tag_of,
    unchanged,
)
from backroom.web.drawing import draw
from backroom.web.house_rules import HouseRule, form_value, house_rules
from backroom.web.lobby import chairs_wanted, lobby_context, options_wanted, pace_wanted, quiet_wanted
from backroom.web.opponents import bot_words, company_of, face_of, levels_by_word, measured_by, shares_of
from backroom.web.table_page import (
    box_of,
    emblem_of,
    house_context,
    render_position,
    render_table,
    render_text,
    table_module,
)

router = APIRouter()

NAMES = ("Ada", "Bruno", "Clara", "Dora", "Edgar", "Frida", "Gustav", "Hedy", "Igor", "Josie", "Kurt", "Lotte")
"""The name of a player who has given none at the first table: one click is enough to play."""
BOTS = 3
"""So many bots sit down with somebody who asks for no other number."""
MOST_SCORES = 4
"""Of so many players a list tells the points of each."""
LATER = 2**62
"""After every time at which a decision runs out."""
HEADINGS = {
    404: "Nobody here", 403: "Not yours to do", 409: "Not now", 413: "Too much of it", 500: "Something broke",
    503: "One moment",
}  # fmt: skip


Form = Annotated[Mapping[str, str], Depends(form_fields)]


Plain = Annotated[bool, Depends(plain_of)]


def _page(template: str, status: int = 200, **context: Any) -> HTMLResponse:
    return HTMLResponse(draw(template, context), status)


def problem_page(request: Request, status: int, code: str, message: str, watch: str = "") -> Response:
    """A page with the one line that says what was wrong, and a way on: back, and to a table to ``watch``."""
    parts = request.url.path.split("/")
    table = parts[2] if parts[1] == "t" and len(parts) > 3 and code != "E_UNKNOWN" else ""
    return _page(
        "error.html",
        status,
        heading=HEADINGS.get(status, "That does not work"),
        code=code,
        message=message[:1].upper() + message[1:] + ("" if message.endswith((".", "!", "?")) else "."),
        back=f"/t/{table}" if table else "/",
        back_words="Back to the table" if table else "Back to the front room",
        watch=watch,
        plain=plain_of(request),
    )


def _seated(table: str, name: str) -> Response:
    """On to a table, remembering how this person wants to be called."""
    response = RedirectResponse(f"/t/{table}", 303)
    remember_name(response, name)
    return response


@router.get("/")
def home(request: Request, tables: AllTables, token: Token_, plain: Plain) -> Response:
    """The front room: deal me in, your tables, the games."""
    games = installed_games()
    return _page("home.html", games=games, **_room(request, tables, token, games), plain=plain)


@router.get("/games/{game}")
def game_home(request: Request, tables: AllTables, token: Token_, plain: Plain, game: str) -> Response:
    """The home page of a game: what it is, three pictures of a turn, chairs that are filled already, its tables."""
    found = offered(game)
    seats = _seats_with(found, BOTS)
    variant, fields, rules = _variant(found, seats)
    return _page(
        "game.html",
        game=found,
        box=box_of(found),
        about=about(found),
        brief=table_module(found).brief(found.options(), seats),
        emblem_of=emblem_of(found),
        pictures=teaching_of(found).PICTURES,
        seats=seats,
        practice=practice_of(found),
        practice_id=uuid4().hex,
        variant=variant,
        fields=fields,
        changed=rules,
        **_room(request, tables, token, [found]),
        plain=plain,
    )


@router.get("/games/{game}/opponents")
def opponents(request: Request, plain: Plain, game: str) -> Response:
    """The regulars at a game: who they are, and how strong their four levels were measured to be."""
    found = offered(game)
    return _page(
        "opponents.html",
        game=found,
        games=installed_games(),
        regulars=list(regulars().values()),
        level_words=LEVEL_WORDS,
        strengths=levels_by_word(found),
        shares=shares_of(found),
        commands=list(measured_by(found)),
        seats=_seats_with(found, BOTS),
        name=name_of(request) or choice(NAMES),
        create_id=uuid4().hex,
        plain=plain,
    )


def _room(request: Request, tables: AllTables, token: str, games: Sequence[Game]) -> dict[str, Any]:
    """What a page needs to draw this browser's tables and the open chairs, of these games."""
    boxes = {game.name: box_of(game) for game in games}
    mine = [summary for summary in tables.mine(token) if summary.game in boxes]
    mine.sort(key=lambda summary: (not summary.your_turn, summary.over, summary.until or LATER))
    chairs = [table for table in tables.open_tables(token) if table.game.name in boxes]
    return {
        "boxes": boxes,
        "titles": {game.name: game.title for game in games},
        "mine": mine,
        "lit": sum(summary.your_turn for summary in mine),
        "name": name_of(request) or choice(NAMES),
        "create_id": uuid4().hex,
        "now": clock.now(),
        "won": _won,
        "people": _people,
        "stands": _stands,
        "regulars": list(regulars().values()),
        "level_words": LEVEL_WORDS,
        "open": chairs,
        "named": _named,
        "company": _company,
        "typed": [text for table in mine for text in (table.title, *table.names)]
        + [text for table in chairs for text in (table.title, *table.people)],
    }


def _seats_with(game: Game, bots: int) -> int:
    """How many sit at a table with so many bots, as far as the game has chairs for them."""
    return min(max(bots + 1, game.seats.start), game.seats.stop - 1)


def _variant(game: Game, seats: int) -> tuple[str, str, list[HouseRule]]:
    """A variant among so many: its name, the rest of the lobby's address for it, and what it changes.

    It is the first ready-made set of house rules that changes something, else what the game offers to be tried.
    """
    for name, values in game.options.presets.items():
        changed = house_rules(game.options(**values), seats)
        if changed:
            return name.replace("_", " ").capitalize(), urlencode({"preset": name}), changed
    changed = house_rules(game.options(**game.options.to_try), seats)
    fields = {f"option.{name}": form_value(value) for name, value in game.options.to_try.items()}
    return changed[0].label if changed else "", urlencode(fields), changed


@router.get("/plain")
def set_plain(
    back: Annotated[str, Query(max_length=3000, description="the page of ours to go on with")] = "/", on: bool = True
) -> Response:
    """On to a page, from now on without script, or with it again: the way out when a page's own script fails."""
    if not back.startswith("/") or back.startswith("//"):
        raise Refusal("E_PAGE", "the way back is a page of this site, like /new")
    response = RedirectResponse(back, 303)
    if on:
        response.set_cookie(PLAIN_COOKIE, "1", httponly=True, samesite="lax")
    else:
        response.delete_cookie(PLAIN_COOKIE, httponly=True, samesite="lax")
    return response


def _won(table: Summary) -> str:
    """How a match of yours ended: Dan won with 152."""
    winners = sorted(table.winners, key=lambda name: name == table.you)
    names = ["you" if name == table.you else name for name in winners]
    words = f"{listed(names)} shared the first place" if len(names) > 1 else f"{names[0]} won"
    return f"{words} with {table.score}"


def _people(table: Summary) -> str:
    """The others at a table of yours, the strength of bots with their names."""
    words = {spec: f" ({word})" for spec, word in bot_words(find_game(table.game)).items()}
    named = [
        name + (words.get(bot, " (bot)") if bot else "") for name, bot in zip(table.names, table.bots, strict=True)
    ]
    return ", ".join(name for name, plain in zip(named, table.names, strict=True) if plain and plain != table.you)


def _stands(table: Summary) -> str:
    """How far a match of yours is that goes on: its round, and the points of up to four players, else the most."""
    told = [f"round {table.round}"] if table.round else []
    called = ["you" if name == table.you else name for name in table.names]
    points = [f"{name} {number}" for name, number in zip(called, table.points, strict=False)]
    if len(points) > MOST_SCORES:
        most = max(table.points)
        own = [text for text, name in zip(points, called, strict=True) if name == "you"]
        points = [*own, f"the most {most}"]
    return ", ".join([*told, *points])


def _named(table: OpenTable) -> str:
    """The title of an open table, or its house rules if it has none."""
    if table.title and table.title != table.game.title:
        return table.title
    changed = [
        f"{rule.label} {', '.join(card.words for card in rule.cards) or rule.value}"
        for rule in house_rules(table.options, table.chairs)
    ]
    return ", ".join(changed[:3]) + (" ..." if changed[3:] else "") or "the printed rules"


def _company(table: OpenTable) -> list[str]:
    """The people at an open table."""
    people = list(table.people) if len(table.people) < 5 else [f"{len(table.people)} people"]
    bots = [f"{name} (bot)" for name in table.bots] if len(table.bots) < 3 else [f"{len(table.bots)} bots"]
    return people + bots


@router.post("/start")
def start(tables: AllTables, token: Token_, client: Client, form: Form) -> Response:
    """The ticket on the front page: one click to a table against bots or with anybody, for friends on to the lobby."""
    game = offered(form.get("game", ""))
    name, company, create_id = form.get("name", "").strip(), form.get("with", "bots"), form.get("create_id", "")
    pace, out_of_time = pace_wanted(form)
    if company == "friends":
        speed = form.get("speed", "")
        response: Response = RedirectResponse(f"/new?{urlencode({'game': game.name, 'speed': speed})}", 303)
        remember_name(response, name)
        return response
    you = name or choice(NAMES)
    if company == "anybody":
        wanted = int(form["chairs"]) if form.get("chairs", "") in tuple("23456") else 0
        count = _seats_with(game, wanted - 1) if wanted else 0
        found = tables.sit_with_anybody(token, game.name, you, pace, out_of_time, create_id, client, count)
        return _seated(found, name)
    seats = _seats_with(game, int(form["bots"]) if form.get("bots", "") in ("1", "2", "3") else BOTS)
    named = form.get("opponent", "").split(",")
    specs = company_of(you, named, form.get("strength", "") or LEVEL_WORDS[0], seats - 1)
    chairs = [ChairRequest("you", you)] + [ChairRequest("bot", bot=spec) for spec in specs]
    table = tables.create(
        token, game.name, chairs, create_id=create_id, pace=pace, out_of_time=out_of_time, client=client
    )
    return _seated(table, name)


@router.post("/practice")
def practise(tables: AllTables, token: Token_, client: Client, form: Form) -> Response:
    """One click to the practice of a game."""
    game, name = offered(form.get("game", "")), form.get("name", "").strip() or choice(NAMES)
    return _seated(tables.practise(token, game.name, name, form.get("create_id", ""), client), name)


@router.get("/new")
def lobby(request: Request, plain: Plain) -> Response:
    """A new table: game, chairs, house rules."""
    values = one_of_each(request.query_params.multi_items())
    values.setdefault("name", name_of(request))
    game = offered(values["game"]) if values.get("game") else installed_games()[0]
    context = lobby_context(game, installed_games(), values)
    return _page("lobby.html", **context, create_id=uuid4().hex, plain=plain)


@router.post("/new")
def open_table(tables: AllTables, token: Token_, client: Client, values: Form, plain: Plain) -> Response:
    """Open the table of the lobby; on a refusal the lobby comes back with the line that says why."""
    game = offered(values.get("game", ""))
    if "look" in values:  # a text too long for an address is looked at so
        return _page("lobby.html", **lobby_context(game, installed_games(), values), create_id=uuid4().hex, plain=plain)
    try:
        chairs, options = chairs_wanted(game, values), options_wanted(game, values)
        title, create_id = values.get("title", "").strip(), values.get("create_id", "")
        made = chairs, options, title, create_id, *pace_wanted(values), client, quiet_wanted(values)
        table = tables.create(token, game.name, *made)
    except Refusal as refusal:
        context = lobby_context(game, installed_games(), values, refusal.message)
        return _page("lobby.html", 422, **context, create_id=uuid4().hex, plain=plain)
    return _seated(table, values.get("name", "").strip())


DraftText = Annotated[str | None, Query(max_length=1000, description="the move in preparation")]
Preparing = Annotated[bool, Query(description="to prepare a move for one's turn, while others think")]
Question = Annotated[str | None, Query(max_length=100, description="the question the draft answers")]


def _draft(view: TableView, draft: str | None, question: str | None, preparing: bool) -> str | None:
    """The move in preparation that an address carries, unless it answers another question than the one asked now."""
    asked = view.question_ahead if preparing else view.question
    return draft if question is None or question == asked else None


@router.get("/t/{table}")
def table_page(
    request: Request,
    tables: AllTables,
    token: Token_,
    table: TableId,
    plain: Plain,
    draft: DraftText = None,
    question: Question = None,
    prepare: Preparing = False,
    move: Annotated[int | None, Query(ge=0, description="look back: the table after so many moves")] = None,
    seat: Annotated[int | None, Query(description="when it is over: as this seat saw it, -1 for a watcher")] = None,
) -> Response:
    """The table as this browser's seat sees it."""
    if unchanged(request, tables, token, table):
        return Response(status_code=304)
    try:
        view = tables.view(table, token, move, seat if move is not None else None)
    except Refusal as refusal:
        if move is None or refusal.code != "E_VERSION":
            raise
        return RedirectResponse(f"/t/{table}", 303)  # it has no positions any more, and tells what there is
    offered(view.game.name)
    if move is not None and move == view.moves:
        return RedirectResponse(f"/t/{table}", 303)
    if move is not None and view.whole:
        return RedirectResponse(f"/t/{table}?move={move}&seat={view.viewer}", 303)
    preparing = prepare and move is None and view.can_prepare
    text = _draft(view, draft, question, preparing)
    html = render_table(view, text, origin_of(request), preparing, plain)
    return HTMLResponse(html, headers={"ETag": tag_of(request, view.mark)})


@router.get("/t/{table}/text")
def text_page(
    request: Request,
    tables: AllTables,
    token: Token_,
    table: TableId,
    plain: Plain,
    draft: DraftText = None,
    question: Question = None,
    prepare: Preparing = False,
) -> Response:
    """The same in words alone."""
    if unchanged(request, tables, token, table):
        return Response(status_code=304)
    view = tables.view(table, token)
    offered(view.game.name)
    if not view.started:
        return RedirectResponse(f"/t/{table}", 303)
    preparing = prepare and view.can_prepare
    html = render_text(view, _draft(view, draft, question, preparing), preparing, plain)
    return HTMLResponse(html, headers={"ETag": tag_of(request, view.mark)})


@router.get("/p/{position}")
def position_page(
    request: Request,
    tables: AllTables,
    plain: Plain,
    position: PositionId,
    seat: Annotated[int | None, Query(description="as this seat would see it, -1 for a watcher")] = None,
) -> Response:
    """A position that was shared by a link."""
    shared = tables.shared(position, seat)
    offered(shared.view.game.name)
    return HTMLResponse(render_position(shared, origin_of(request), uuid4().hex, plain))


@router.post("/t/{table}/device")
def another_device(request: Request, tables: AllTables, token: Token_, plain: Plain, table: TableId) -> Response:
    """A link, and a code to be scanned, that open one's chair on another device. The page is there once: only a hash
    of the link is kept.
    """
    secret = tables.another_device(table, token)
    link = f"{origin_of(request)}/device/{secret}"
    code = segno.make(link, error="m").svg_inline(border=3, dark="#111", light="#fff", omitsize=True, svgclass="qr")
    view = tables.view(table, token)
    return _page(
        "device.html", offered=view, link=link, code=Markup(code), here_only=_here_only(request), typed=[view.title],
        plain=plain,
    )  # fmt: skip


def _here_only(request: Request) -> bool:
    """Whether this site is asked for by an address that means the device itself, where no other can reach it."""
    return urlsplit(origin_of(request)).hostname in ("localhost", "127.0.0.1", "::1")


@router.get("/device/{secret}")
def handover(tables: AllTables, token: Token_, plain: Plain, secret: DeviceSecret) -> Response:
    """What a link that opens a chair leads to. It is used up by the button alone: chat programs look at links too."""
    found = tables.handover(secret, token)
    if found.here:
        return RedirectResponse(f"/t/{found.table}", 303)
    return _page("device.html", offered=None, found=found, secret=secret, typed=[found.title, found.name], plain=plain)


@router.get("/join/{invite}")
def join(request: Request, tables: AllTables, token: Token_, invite: str) -> Response:
    """The page of an invite link: the player who invites, the game, and one field for a name."""
    try:
        found = tables.invitation(invite, token)
    except Refusal as refusal:
        return _not_invited(request, tables, invite, refusal)
    offered(found.game.name)
    return _join_page(request, found, invite)


def _not_invited(request: Request, tables: Tables, invite: str, refusal: Refusal) -> Response:
    """The answer to an invitation that is used up: whoever has it may watch. One that never was is refused."""
    table = tables.led_to(invite)
    if not table:
        raise refusal
    return problem_page(request, status_of(refusal), refusal.code, refusal.message, f"/t/{table}")


def _join_page(
    request: Request, found: Invitation, invite: str, problem: str = "", name: str | None = None
) -> Response:
    chair = found.chairs[found.chair]
    return _page(
        "join.html",
        422 if problem else 200,
        found=found,
        game=found.game,
        box=box_of(found.game),
        invite=invite,
        chair=chair,
        **house_context(found),
        words=bot_words(found.game),
        face_of=face_of,
        problem=problem,
        name=name_of(request) if name is None else name,
        typed=[found.title, *(other.name for other in found.chairs)],
    )


@router.post("/join/{invite}")
def sit_down(request: Request, tables: AllTables, token: Token_, invite: str, form: Form) -> Response:
    """Take the chair; on a refusal (a name that is taken ...) the page comes back with the line that says why."""
    name = form.get("name", "").strip()
    try:
        found = tables.invitation(invite, token)
    except Refusal as refusal:
        return _not_invited(request, tables, invite, refusal)
    try:
        tables.sit(found.table, token, invite, name)
    except Refusal as refusal:
        return _join_page(request, found, invite, refusal.message, name)
    return _seated(found.table, name)


@router.get("/record")
def record(plain: Plain) -> Response:
    """One's record, which the browser keeps and draws."""
    return _page("record.html", levels=LEVEL_WORDS, plain=plain)


@router.get("/mail/{secret}")
def mail(tables: AllTables, secret: MailSecret) -> Response:
    """What a link in a mail leads to. Nothing is done before the button is pressed: programs that look at mail follow
    its links too.
    """
    return _page("mail.html", secret=secret, state=tables.mail_state(secret))


@router.get("/rules/{game}")
def rules(
    tables: AllTables,
    token: Token_,
    game: str,
    q: Annotated[str, Query(max_length=100, description="words to look for")] = "",
    at: Annotated[str, Query(max_length=20, description="the rule one came for")] = "",
    table: Annotated[str, Query(max_length=64, description="the table one came from")] = "",
) -> Response:
    """A game's rulebook, with ids, a search, and the way back to the table."""
    found = offered(game)
    view = None
    if table:
        try:
            view = tables.view(table, token)
        except Refusal:
            view = None
    return _page(
        "rules.html",
        game=found,
        games=installed_games(),
        box=box_of(found),
        blocks=rulebook.blocks(found),
        contents=rulebook.parts(found),
        q=q,
        hits=rulebook.hits(found, q),
        at=at,
        view=view,
        typed=[view.title] if view is not None else [],
        **(house_context(view) if view is not None else {}),
    )
