"""Parts of a request: its body, its client, what the browser has already; and how it is answered."""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar
from urllib.parse import quote, unquote

from fastapi import Depends, Path, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from pydantic import ValidationError

from backroom.engine.game import Game, Refusal, installed_games
from backroom.tables.service import Tables
from backroom.tables.views import Answer, Mark
from backroom.tables.words import check_name
from backroom.web.shapes import Answered, Model, Problem

STATUS = {
    "E_UNKNOWN": 404, "E_INVITE": 404, "E_PAGE": 404, "E_PLY": 404, "E_DEVICE": 404, "E_MAIL_LINK": 404,
    "E_SEAT": 403, "E_HOST": 403, "E_ORIGIN": 403,
    "E_STALE": 409, "E_WAIT": 409, "E_OVER": 409, "E_GOING": 409, "E_HINT": 409, "E_EXPORT": 409, "E_VERSION": 409,
    "E_RECORD": 409, "E_UNDO": 409, "E_NOTES": 409, "E_CHAIR": 409, "E_ACTOR": 409, "E_PLAN": 409,
    "E_ASK": 409, "E_CROWD": 409, "E_MAIL": 409, "E_SIZE": 413, "E_OFTEN": 429, "E_STREAMS": 429,
    "E_AWAY": 503, "E_STALLED": 503,
}  # fmt: skip


def status_of(refusal: Refusal) -> int:
    """The HTTP status of a refusal; 422 for what cannot be read or is against the rules."""
    return STATUS.get(refusal.code, 422)


def offered(name: str) -> Game:
    """The installed game that a request names. Refusal E_PAGE."""
    found = next((game for game in installed_games() if game.name == name), None)
    if found is None:
        raise Refusal("E_PAGE", f"there is no game {name!r} here")
    return found


Taken = TypeVar("Taken", bound=Model)
FORM = "application/x-www-form-urlencoded"


def posted_form(request: Request) -> bool:
    """Whether a request comes from a plain HTML form."""
    return content_type(request) == FORM


def content_type(request: Request) -> str:
    """What kind a request's body is, as ``application/json``."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


PICK = "pick."
"""How fields begin that hold a thing of several picked ones each."""


def one_of_each(sent: Iterable[tuple[str, Any]]) -> dict[str, str]:
    """Fields by name, the first of each; of those that begin with PICK all, with blanks between.

    Refusal E_REQUEST where one of them is a file.
    """
    fields: dict[str, str] = {}
    for name, value in sent:
        if not isinstance(value, str):
            raise Refusal("E_REQUEST", f"{name}: a text belongs here, not a file")
        if name.startswith(PICK) and name in fields:
            fields[name] += f" {value}"
        fields.setdefault(name, value)
    return fields


async def form_fields(request: Request) -> dict[str, str]:
    """The fields of a posted form as `one_of_each` has them."""
    return one_of_each((await request.form()).multi_items())


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
        429: "Too often, or too many at once.",
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
"""Seconds for which a browser keeps what need not be asked for again."""


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
    known = known_tags(request)
    return bool(known) and tag_of(request, tables.mark(table, token)) in known


def known_tags(request: Request) -> list[str]:
    """The ETags of what a browser has already, as it names them."""
    said = request.headers.get("if-none-match", "")
    return [tag.strip() for tag in said.split(",")] if said else []


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
    """The client of a request, as far as a server can tell (`backroom.web.client`)."""
    client: str = request.state.client
    return client


AllTables = Annotated[Tables, Depends(tables_of)]
Token_ = Annotated[str, Depends(token_of)]
Client = Annotated[str, Depends(client_address)]

PositionId = Annotated[str, Path(max_length=32, description="the id of a position that was shared")]
DeviceSecret = Annotated[str, Path(max_length=64, description="what a link that opens a chair ends in")]
MailSecret = Annotated[str, Path(description="what the link in the mail ends in")]


@dataclass(frozen=True)
class Asked:
    """A request about a table: whose it is (``token``, ``client``), and the ``table``."""

    request: Request
    tables: Tables
    token: str
    client: str
    table: str


async def asked(request: Request, table: TableId) -> Asked:
    """A dependency: the request, about the table in its path."""
    return Asked(request, tables_of(request), token_of(request), client_address(request), table)


def answered(request: Request, page: str, answer: Answer) -> Any:
    """An answer as JSON, or the way to a page for a form."""
    if posted_form(request):
        return RedirectResponse(page, 303)
    return Answered(status=answer.status, ply=answer.entry, message=answer.message)
