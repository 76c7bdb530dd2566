"""Server-sent events: telling an open page that its table changed. The page then asks for its view.

An event carries no content but the table's ply and revision, so nothing hidden can travel this way. Its id is the
ply, the number of the record's last entry. A page that comes back is always told where the table is now, so it
catches up whatever it missed, and whatever it says in Last-Event-ID.
"""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.sse import EventSourceResponse, ServerSentEvent

from backroom.web.api import AllTables, TableId, Token_, name_of, problems

__all__ = ["router"]

LOOK_SECONDS = 10.0
"""How often a page's stream looks into the store by itself: the net under a message that got lost."""
RETRY_MILLISECONDS = 1000

router = APIRouter()


def _known(request: Request, tables: AllTables, token: Token_, table: TableId) -> int | None:
    """The browser's chair at a table; a Refusal before the stream begins when there is no such table."""
    return tables.pulse(table, token, name=name_of(request))[2]


@router.get("/t/{table}/events", response_class=EventSourceResponse, responses=problems(404, 503))
async def events(
    request: Request,
    tables: AllTables,
    token: Token_,
    table: TableId,
    chair: Annotated[int | None, Depends(_known)],
) -> AsyncIterator[ServerSentEvent]:
    """Events named ``table`` with ply and revision, one at once and one for each change. Comments are pings."""
    subscription = tables.publisher.subscribe(table, chair)
    try:
        told: tuple[int, int] | None = None
        news = True
        while not subscription.closed:
            ply, revision, chair = await run_in_threadpool(tables.pulse, table, token, name=name_of(request))
            subscription.chair = chair
            if news or (ply, revision) != told:
                told = ply, revision
                yield _event(ply, revision)
            news = await subscription.wait(LOOK_SECONDS)
    finally:
        tables.publisher.unsubscribe(table, subscription)


def _event(ply: int, revision: int) -> ServerSentEvent:
    data: dict[str, Any] = {"ply": ply, "revision": revision}
    return ServerSentEvent(data=data, event="table", id=str(ply), retry=RETRY_MILLISECONDS)
