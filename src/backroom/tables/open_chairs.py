"""Chairs for anybody: the free ones, how they are taken, and the table for a player who does not mind which."""

import json
from collections.abc import Sequence
from functools import cache

from backroom.engine.game import Game, Refusal, find_game
from backroom.tables import clock
from backroom.tables.live import options_of
from backroom.tables.rows import ChairRow, TableRow
from backroom.tables.store import Transaction
from backroom.tables.views import OpenTable

__all__ = ["chair_for", "fitting", "listed", "table_of", "usual_chairs", "waiting"]

MOST_LISTED, MOST_FITTING = 20, 1000
LATELY, LATELY_PACED = 600, 7 * 86400
"""How many seconds ago somebody must have looked in for a table to be listed; the second, where moves have a time."""
USUAL_CHAIRS = 4
UNKNOWN_INVITATION = "this invitation is unknown or used up; ask for a new link"


def usual_chairs(game: Game) -> int:
    """How many chairs a table of this game has unless somebody says so."""
    return max(min(USUAL_CHAIRS, game.seats.stop - 1), game.seats.start)


def _free(chair: ChairRow) -> bool:
    return bool(chair.anybody and chair.invite) and not (chair.token or chair.bot)


def table_of(t: Transaction, invite: str) -> str:
    """The table that an invitation leads to. Refusal E_INVITE."""
    chair = t.invited(invite) or t.invited_before(invite)
    if chair is None:
        raise Refusal("E_INVITE", UNKNOWN_INVITATION)
    return chair.table_id


def chair_for(chairs: Sequence[ChairRow], invite: str) -> ChairRow:
    """The chair at a table that an invitation leads to. Refusal E_INVITE.

    Where others were faster on a chair for anybody it is the next such chair: who wants one does not mind which.
    """
    named = next((chair for chair in chairs if chair.invite == invite), None)
    if named is not None:
        return named
    if not any(chair.anybody and chair.used_invite == invite for chair in chairs):
        raise Refusal("E_INVITE", UNKNOWN_INVITATION)
    free = next(filter(_free, chairs), None)
    if free is None:
        raise Refusal("E_INVITE", "somebody was faster: no chair is free at this table any more")
    return free


def _open(t: Transaction, holder: str, most: int) -> list[TableRow]:
    """Tables with chairs free for anybody where the holder of a token (hash) has none, newest first."""
    now = clock.now()
    return t.open_tables(holder, ((True, now - LATELY_PACED), (False, now - LATELY)), most)


def listed(t: Transaction, holder: str) -> list[OpenTable]:
    """The open chairs and tables that the front page shows to the holder of a token (hash)."""
    found = []
    for row in _open(t, holder, MOST_LISTED):
        chairs = t.chairs(row.id)
        free = [chair for chair in chairs if _free(chair)]
        try:
            game, options = find_game(row.game), options_of(row)
        except Refusal:
            continue  # a game, or an option of it, that this server does not have
        found.append(
            OpenTable(
                table=row.id,
                title=row.title,
                game=game,
                options=options,
                chairs=len(chairs),
                people=tuple(chair.name for chair in chairs if chair.token and not chair.bot),
                bots=tuple(chair.name for chair in chairs if chair.bot),
                free=len(free),
                invite=free[0].invite,
                pace=row.pace,
            )
        )
    return found


def waiting(t: Transaction, game: Game, pace: int, out_of_time: str, count: int, holder: str) -> str:
    """The table for anybody where the holder of a token (hash) sits and nothing is played yet, or the empty text.

    It has ``count`` chairs; 0: any number.
    """
    for row, _ in t.held_by(holder, 100):
        chairs = t.chairs(row.id) if _fits(row, game, pace, out_of_time) else []
        if any(chair.anybody for chair in chairs) and count in (0, len(chairs)):
            return row.id
    return ""


def fitting(t: Transaction, game: Game, pace: int, out_of_time: str, count: int, holder: str) -> list[tuple[str, str]]:
    """Tables of ``count`` chairs (0: any number) that wait for anybody, with an invitation to each.

    Those that have waited longest come first.
    """
    rows = [row for row in _open(t, holder, MOST_FITTING) if _fits(row, game, pace, out_of_time)]
    found = [(row.id, t.chairs(row.id)) for row in reversed(rows)]
    return [(table, next(filter(_free, chairs)).invite) for table, chairs in found if count in (0, len(chairs))]


@cache
def _printed(game: Game) -> str:
    """A game's options under the printed rules, as the store keeps them."""
    return json.dumps(game.options.build({}).model_dump())


def _fits(row: TableRow, game: Game, pace: int, out_of_time: str) -> bool:
    """Whether it is a table of this game under its printed rules, at this pace, at which nothing is played yet."""
    same = (row.game, row.rules, row.options, row.pace) == (game.name, game.version, _printed(game), pace)
    return same and (not pace or row.out_of_time == out_of_time) and not row.entry and not row.over
