"""Playing on from a position of a match that is over: a new table, with bots in all chairs but one.

It begins with the moves that led there: the same seed, names and entries, so the same hash after each of them, and
whatever has not been drawn yet is drawn as it was in that match. Nothing else comes along: neither talk nor notes.
"""

import copy
import json
from dataclasses import replace

from backroom.engine.game import Refusal
from backroom.engine.match import Match
from backroom.tables import clock
from backroom.tables.live import Change, held, standing
from backroom.tables.rows import ChairRow, EntryRow, TableRow
from backroom.tables.story import MOVE
from backroom.tables.thinking import Limits
from backroom.tables.words import new_secret

__all__ = ["begun"]

BOT = "search"
"""The bot that plays for people of that match."""


def begun(
    change: Change, holder: str, ply: int, seat: int | None, create_id: str, client: str, limits: Limits
) -> tuple[TableRow, list[ChairRow], list[EntryRow]]:
    """The new table, its chairs and entries, as the holder of a token (hash) wishes it; nothing is written down yet.

    ``seat`` is where that browser sits then; None: where it sat, else that of a seat that owes the decision there.
    Refusal E_WAIT, E_GOING, E_VERSION, E_PLY, E_CHAIR, E_BOT.
    """
    change.started()
    old = change.row
    if not old.over:
        raise Refusal("E_GOING", "the match is not over yet; then you can play on from any position of it")
    if not change.replays:
        raise Refusal("E_VERSION", "its positions cannot be played any more")
    match = _until(change.match, ply)
    mine = held(change.chairs, holder)
    if seat is None:
        seat = change.seat_of(mine.number) if mine is not None else match.acting[0]
    if not 0 <= seat < len(change.chairs):
        raise Refusal("E_CHAIR", f"there is no seat {seat}; they are numbered 0 to {len(change.chairs) - 1}")
    number = change.chair_at(seat).number
    title = f"{old.title[:60]}, on from move {ply}"
    table = TableRow(
        new_secret(10), old.game, old.rules, old.options, title, old.seed, number, holder, create_id, match.chain[0],
        entry=match.ply, changed=clock.now(), created=clock.now(), client=client, format=old.format,
        rotation=change.live.rotation, **standing(match),
    )  # fmt: skip
    chairs = []
    for chair in change.chairs:
        row = ChairRow(table.id, chair.number, chair.name)
        if chair.number == number:
            row = replace(row, token=holder, seen=clock.now())
        else:
            row = replace(row, bot=limits.bot(match.game, chair.bot or BOT, match.options, len(change.chairs)).spec)
        chairs.append(row)
    return table, chairs, _entries(table, match)


def _until(match: Match, ply: int) -> Match:
    """The match as it was after so many moves. Refusal E_PLY."""
    if not 0 <= ply < match.ply:
        raise Refusal("E_PLY", f"you can play on after 0 to {match.ply - 1} moves of this match, not after {ply}")
    found = copy.copy(match)
    while found.ply > ply:
        found.undo()
    return found


def _entries(table: TableRow, match: Match) -> list[EntryRow]:
    return [
        EntryRow(
            table.id, number, MOVE, move.seat, json.dumps(list(move.actions)), move.text, f"before {number}", link,
            table.created,
        )
        for number, (move, link) in enumerate(zip(match.moves, match.chain[1:], strict=True), 1)
    ]  # fmt: skip
