"""Moves: one that is made, one in preparation, and what may come next in one."""

from backroom.engine.game import Refusal
from backroom.scenes.draft import Draft
from backroom.tables import plans, practising
from backroom.tables.live import Change, Stale
from backroom.tables.rows import ChairRow
from backroom.tables.story import MOVE
from backroom.tables.talk import refuse_more_messages
from backroom.tables.views import Answer

__all__ = ["complete", "keep_draft", "still_asked", "submit"]


def submit(change: Change, mine: ChairRow, text: str, entry: int, move_id: str) -> Answer:
    """Make a typed move for a chair's seat (`Tables.submit`). Refusal E_WAIT, E_OVER, E_STALE, and the game's codes."""
    change.started()
    seat = change.seat_of(mine.number)
    if (done := change.already_made(seat, move_id)) is not None:
        return done
    match = change.match
    if match.over:
        raise Refusal("E_OVER", "the game is over")
    if not _in_time(change, seat, text, entry):
        raise Stale(entry, change.row.entry)
    if match.game.messages is not None and match.game.talk_notation.parse_talk(
        match.view(seat), seat, text, match.names
    ):
        refuse_more_messages(match, seat)
    else:
        practising.refuse_wrong(change, mine, text)
    spent = plans.spent(change, mine)
    move = match.play(seat, text)
    values = {"draft": "", "lost": 0, **spent} if move.actions else {}
    change.change_chair(mine.number, bot="", **values)
    change.append(MOVE, seat, move.actions, move.text, move_id)
    return Answer("applied", change.row.entry, move.text)


def _in_time(change: Change, seat: int, text: str, entry: int) -> bool:
    """Whether a decision taken after ``entry`` still answers the question as the seat knows it."""
    match, missed = change.match, change.row.entry - entry
    if missed > 0 and entry >= change.live.last_undo and match.game.messages is not None:
        spoken = match.game.talk_notation.parse_talk(match.view(seat), seat, text, match.names)
        if spoken is not None:
            # Words are never late; a claim or a request is about the round it was decided in.
            return spoken[1].startswith("say ") or match.same_turn(match.ply - missed)
    return still_asked(change, seat, entry)


def still_asked(change: Change, seat: int, entry: int) -> bool:
    """Whether what the seat was asked after ``entry`` it is asked still, whatever others have done since."""
    match, missed = change.match, change.row.entry - entry
    if missed == 0:
        return True
    if missed < 0 or entry < change.live.last_undo:
        return False
    return match.still_asked(seat, match.ply - missed)


def keep_draft(change: Change, mine: ChairRow, text: str, entry: int) -> Answer:
    """Keep a chair's move in preparation (`Tables.draft`). Refusal E_STALE, E_ACTOR."""
    seat = change.seat_of(mine.number)
    if not _in_time(change, seat, text, entry):
        raise Stale(entry, change.row.entry)
    if seat not in change.match.acting:
        raise Refusal("E_ACTOR", "nothing is asked of you now, so there is no move to prepare")
    if mine.draft == text:
        return Answer("already applied", change.row.entry)
    change.change_chair(mine.number, draft=text)
    change.published = mine.number
    return Answer("applied", change.row.entry)


def complete(change: Change, mine: ChairRow, prefix: str, prepare: bool) -> Draft:
    """A text as a move in preparation of a chair's seat (`Tables.complete`). Refusal E_OVER, E_ACTOR, as of plans."""
    match, seat = change.match, change.seat_of(mine.number)
    if prepare:
        return Draft(match.game, plans.look_ahead(match, seat), seat, match.names, prefix)
    if match.over:
        raise Refusal("E_OVER", "the game is over")
    if seat not in match.acting:
        waited = ", ".join(match.names[other] for other in match.acting)
        raise Refusal("E_ACTOR", f"nothing is asked of you now; waiting for {waited}")
    return Draft(match.game, match.view(seat), seat, match.names, prefix)
