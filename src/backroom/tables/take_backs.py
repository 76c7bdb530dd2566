"""Take-backs: what a seat may take back by itself, what the table is asked about, and its answers."""

import json
from collections.abc import Sequence
from contextlib import suppress

from backroom.engine.game import Refusal
from backroom.engine.match import Match
from backroom.tables import plans
from backroom.tables.knowledge import undo_is_free
from backroom.tables.live import Change, Stale
from backroom.tables.rows import ChairRow
from backroom.tables.story import UNDO
from backroom.tables.views import Answer, UndoAsked

__all__ = ["asked", "offered", "undo", "vote"]


def undo(change: Change, mine: ChairRow, entry: int, undo_id: str) -> Answer:
    """Take a seat's last move back, or ask the table (`Tables.undo`). Refusal E_UNDO, E_OVER, E_STALE, E_WAIT."""
    change.started()
    seat = change.seat_of(mine.number)
    if (done := change.already_made(seat, undo_id)) is not None:
        return done
    match = change.match
    ask = json.loads(change.row.undo) if change.row.undo else None
    if ask is not None and ask["chair"] == mine.number:
        return Answer("asked", change.row.entry, "The others have been asked.")
    if match.over:
        raise Refusal("E_OVER", "the game is over; nothing can be taken back")
    if entry != change.row.entry:
        raise Stale(entry, change.row.entry)
    count = _count(match, seat)
    if not count:
        raise Refusal("E_UNDO", "you have made no move that could be taken back")
    if undo_is_free(match, seat):
        _take_back(change, seat, count, undo_id)
        return Answer("applied", change.row.entry, "Taken back.")
    voters = _voters(change.chairs, mine)
    if not voters:
        raise Refusal("E_UNDO", "somebody has learnt something since, and with bots alone there is nobody to ask")
    if ask is not None:
        raise Refusal("E_UNDO", "the table is being asked about another take-back; answer that first")
    ask = {"chair": mine.number, "count": count, "id": undo_id, "voters": voters, "agreed": []}
    change.change(undo=json.dumps(ask))
    return Answer("asked", change.row.entry, "The others have been asked.")


def vote(change: Change, mine: ChairRow, entry: int, agree: bool) -> Answer:
    """Take a chair's answer to a take-back that is asked of the table (`Tables.vote`). Refusal E_UNDO, E_STALE."""
    change.refuse_if_stopped()
    if not change.row.undo:
        if entry < change.row.entry <= change.live.last_undo:
            return Answer("already applied", change.row.entry, "Taken back.")
        raise Refusal("E_UNDO", "nobody asks the table for a take-back now")
    if entry != change.row.entry:
        raise Stale(entry, change.row.entry)
    ask = json.loads(change.row.undo)
    if mine.number not in ask["voters"]:
        raise Refusal("E_UNDO", "this take-back is not yours to answer")
    if not agree:
        change.change(undo="")
        return Answer("applied", change.row.entry, "It stays as it was played.")
    if mine.number in ask["agreed"]:
        return Answer("already applied", change.row.entry, "You have agreed.")
    ask["agreed"].append(mine.number)
    if set(ask["agreed"]) >= set(ask["voters"]):
        _take_back(change, change.seat_of(ask["chair"]), ask["count"], ask["id"])
        return Answer("applied", change.row.entry, "Taken back.")
    change.change(undo=json.dumps(ask))
    return Answer("applied", change.row.entry, "You have agreed; others are still asked.")


def offered(change: Change, mine: ChairRow) -> tuple[bool, int]:
    """What a chair may take back now: whether by itself, else how many moves it may ask the table about (0: none)."""
    if not change.goes_on():
        return False, 0
    match, seat, moves = change.match, change.seat_of(mine.number), 0
    with suppress(Refusal):
        moves = _count(match, seat)
    free = bool(moves) and change.live.once(("undo", seat), lambda: undo_is_free(match, seat))
    return free, 0 if free or change.row.undo or not _voters(change.chairs, mine) else moves


def asked(change: Change, mine: ChairRow | None) -> UndoAsked | None:
    """The take-back that the table is asked about, as the holder of ``mine`` (None: a watcher) is shown it."""
    if not change.row.undo:
        return None
    ask = json.loads(change.row.undo)
    names = [chair.name for chair in change.chairs]
    waiting = [number for number in ask["voters"] if number not in ask["agreed"]]
    return UndoAsked(
        name=names[ask["chair"]],
        moves=ask["count"],
        agreed=tuple(names[number] for number in ask["agreed"]),
        waiting=tuple(names[number] for number in waiting),
        yours=mine is not None and mine.number in waiting,
    )


def _voters(chairs: Sequence[ChairRow], asking: ChairRow) -> list[int]:
    """The chairs of the other people at the table."""
    return [chair.number for chair in chairs if chair.token and not chair.bot and chair != asking]


def _count(match: Match, seat: int) -> int:
    """How many moves a take-back by this seat takes back: all from its last decision on; 0 when it has made none.

    Where decisions are made in secret and shown together, they are final until then; after that the whole round goes
    back, since a choice that stayed would be known to those who choose again. Refusal E_UNDO before, and where an older
    move would be shown again that the rules forbid to look back at.
    """
    match.refuse_looking_back()
    sealed = match.game.kernels["sealed"]
    if sealed(match.state):
        raise Refusal(
            "E_UNDO", "placed cards are final: nothing is taken back until all cards of this round have been shown"
        )
    count = next((n for n, move in enumerate(reversed(match.moves), 1) if move.seat == seat and move.actions), 0)
    while count and sealed(match.at(match.ply - count)):
        count += 1
    return count


def _take_back(change: Change, seat: int, count: int, undo_id: str) -> None:
    undone = [change.match.undo() for _ in range(count)]
    change.append(UNDO, seat, [count], "", undo_id, {move.seat for move in undone if move.actions})
    plans.drop_undone(change)
