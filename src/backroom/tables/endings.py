"""Matches that are over: their files, ending one that cannot go on, and keeping what is told of old ones."""

import logging
from collections.abc import Callable

from sqlalchemy.exc import IntegrityError

from backroom.engine.game import Refusal
from backroom.engine.record import ALL_KNOWING
from backroom.tables.live import Change
from backroom.tables.lives import Lives
from backroom.tables.rows import ChairRow
from backroom.tables.store import AWAY
from backroom.tables.story import ENDED, match_file, names_by_seat
from backroom.tables.views import Answer

__all__ = ["end", "export", "keep_stories"]

LOG = logging.getLogger(__name__)


def export(change: Change) -> str:
    """The file of a match that is over (`Tables.export`). Refusal E_WAIT, E_EXPORT, E_RECORD."""
    change.started()
    if not change.row.over:
        stopped = "; it cannot go on under the rules of this server, but its players can end it"
        raise Refusal(
            "E_EXPORT",
            "the full record holds the seed; you can have it when the match is over"
            + (stopped if change.live.stopped is not None else ""),
        )
    if change.damaged is not None:
        raise change.damaged
    players = [chair.name for chair in change.chairs]
    names = names_by_seat(players, change.live.rotation)
    return match_file(change.row, players, names, change.t.entries(change.row.id))


def end(change: Change, mine: ChairRow) -> Answer:
    """End a match that cannot go on here (`Tables.end`). Refusal E_WAIT, E_OVER, E_GOING, E_HOST."""
    change.started()
    if change.row.over == ENDED:
        return Answer("already applied", change.row.entry, "It has been ended.")
    if change.row.over:
        raise Refusal("E_OVER", "the game is over")
    if change.live.stopped is None:
        raise Refusal("E_GOING", "the match goes on; only one that cannot go on is ended")
    if not change.may_end(mine):
        raise Refusal("E_HOST", "the player who set this table may end it; after a day without a sign, anybody")
    change.end()
    return Answer("applied", change.row.entry, "It has been ended.")


def keep_stories(lives: Lives, closed: Callable[[], bool]) -> None:
    """Keep the story of every match that ended before stories were kept, where its record replays.

    Stops when the server is ``closed``.
    """
    try:
        with lives.store.read() as t:
            untold = t.untold()
    except AWAY:
        LOG.warning("stories of old tables could not be kept, as the store did not answer; the next start does it")
        return
    for table in untold:
        if closed():
            return
        try:
            with lives.read(table) as change:
                found = change.story(ALL_KNOWING) if change.live.match is not None else None
            if found is not None:
                with lives.store.write() as t:
                    t.add(found.row(table))
        except (Refusal, IntegrityError):
            continue  # it does not replay, or another server was faster
        except Exception:
            if not closed():
                LOG.exception("table %s: its story could not be kept; the next start tries again", table)
