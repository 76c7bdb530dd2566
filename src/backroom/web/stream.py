"""Server-sent events: telling an open page that its table changed. The page then asks for its view.

An event says where a table is (``table``: its newest entry, as ``ply``, and revision) or which state of one's own is
kept there (``own``: a hash, for this browser alone), so nothing hidden can travel this way. A browser that comes back
is told both of all its tables, so it catches up whatever it missed, and whatever it says in Last-Event-ID. ``ping`` is
a sign of life; it names the tables where somebody came or went.
"""

import json
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from backroom.engine.game import Refusal
from backroom.tables.publisher import News
from backroom.tables.service import Tables
from backroom.tables.store import AWAY
from backroom.web.asked import AllTables, TableId, Token_, name_of, problems

__all__ = ["router"]

PING_SECONDS = 10.0
"""How often a stream gives a sign of life: a page that has heard none for twice as long takes it for dead."""
MOST_TABLES = 100
"""How many tables one browser may listen to at once."""
MOST_STREAMS = 1000
"""How many streams may be open to one client: a browser has one for all its pages, and a school or a mobile network may
come by one address."""
RETRY = b"retry: 1000\n\n"
AT_ONCE = {"X-Accel-Buffering": "no"}
"""No proxy is to collect events before it passes them on."""

router = APIRouter()
LOG = logging.getLogger(__name__)


class EventStream(StreamingResponse):
    """A stream of server-sent events for a client: Refusal E_STREAMS instead when that has as many open as it may."""

    media_type = "text/event-stream"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it as long as the browser listens. It is counted here, in the one event loop, and nowhere else."""
        request = Request(scope)
        client: str = request.state.client
        streams: Counter[str] = request.app.state.streams
        if client and streams[client] >= MOST_STREAMS:
            raise Refusal(
                "E_STREAMS",
                f"{MOST_STREAMS} browsers at your address are told of their tables already, and that is all this "
                "server does for one address; this page is told once another is closed",
            )
        streams[client] += 1
        if client and streams[client] == MOST_STREAMS:
            LOG.warning(
                "%s has %d event streams open, as many as one client may, and is refused more; if this is a proxy of "
                "yours, name it with --proxy, and those behind it are told apart", client, MOST_STREAMS,
            )  # fmt: skip
        try:
            await super().__call__(scope, receive, send)
        finally:
            streams[client] -= 1
            if not streams[client]:
                del streams[client]


@router.get("/t/{table}/events", response_class=EventStream, responses=problems(404, 429, 503))
def events(request: Request, tables: AllTables, token: Token_, table: TableId) -> EventStream:
    """Events of one table: ``table`` with its newest entry and revision, one at once and one for each change; ``own``
    when something of this browser's own changed; ``ping`` every ten seconds.
    """
    tables.mark(table, token)  # refused before the stream begins when there is no such table
    return EventStream(_stream(tables, token, name_of(request), _client_of(request), [table]), headers=AT_ONCE)


@router.get("/events", response_class=EventStream, responses=problems(422, 429, 503))
def all_events(
    request: Request,
    tables: AllTables,
    token: Token_,
    table: Annotated[list[str], Query(min_length=1, max_length=MOST_TABLES, description="a table's id; once for each")],
) -> EventStream:
    """The same for several tables on one connection; ``gone`` says that there is no such table."""
    return EventStream(_stream(tables, token, name_of(request), _client_of(request), table), headers=AT_ONCE)


def _client_of(request: Request) -> str | None:
    """Where a browser watches from; None for one that has been given its token just now.

    Each request without a cookie has a token of its own: a script would be as many watchers as it likes.
    """
    return request.state.client if request.state.known else None


async def _stream(
    tables: Tables, token: str, name: str, client: str | None, wanted: Iterable[str]
) -> AsyncIterator[bytes]:
    """The chunks of a stream, as it goes on."""
    subscription = tables.listen(frozenset(wanted), token, name, client)
    own: dict[str, str] = {}
    try:
        yield RETRY
        if client is not None:
            await run_in_threadpool(tables.pulse, subscription.tables, token, name, client)
        subscription.tell_own(subscription.tables)
        while not subscription.closed:
            if not await subscription.wait(PING_SECONDS):
                yield _ping(tuple(subscription.take_crowd()))
                continue
            look = subscription.take_own()
            marks = await run_in_threadpool(tables.marks, look, token) if look else {}
            for table, mark in marks.items():
                subscription.tell(News(table, mark.entry, mark.revision))
            chunks = [_said(news) for news in subscription.take()]
            chunks += [_event("gone", {"table": table}) for table in sorted(look - set(marks))]
            for table, mark in marks.items():
                if own.get(table) != mark.own:
                    own[table] = mark.own
                    chunks.append(_event("own", {"table": table, "own": mark.own}))
            if chunks:
                yield b"".join(chunks)
    except AWAY:
        return  # the browser comes back, and is told everything when the database answers again
    finally:
        tables.publisher.unsubscribe(subscription)


def _event(kind: str, data: dict[str, Any], number: int | None = None) -> bytes:
    named = f"id: {number}\n" if number is not None else ""
    return f"event: {kind}\n{named}data: {json.dumps(data, separators=(',', ':'))}\n\n".encode()


@lru_cache(maxsize=1024)
def _said(news: News) -> bytes:
    """The bytes of a change, made once for all who are told of it."""
    return _event("table", {"table": news.table, "ply": news.entry, "revision": news.revision}, news.entry)


@lru_cache(maxsize=1024)
def _ping(crowd: tuple[str, ...]) -> bytes:
    return _event("ping", {"crowd": crowd})
