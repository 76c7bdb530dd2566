"""Moves prepared while others think: one a chair, on its view as it would be if its turn began now.

When the turn comes and its ordinary question is asked, the move is played if its condition holds; else it is dropped,
left as the chair's move in preparation where it can still be read, and its owner is told. Nobody else learns of it.
"""

import json
from dataclasses import asdict, dataclass
from typing import Any

from backroom.engine.game import Refusal
from backroom.engine.match import Match
from backroom.engine.notation import move_text
from backroom.scenes.draft import Draft
from backroom.tables.live import Change, Stale
from backroom.tables.rows import ChairRow
from backroom.tables.story import MOVE
from backroom.tables.views import Answer, Condition, Plan
from backroom.tables.words import new_secret

__all__ = ["come_due", "drop_undone", "due", "keep", "look_ahead", "plan_of", "spent"]


@dataclass(frozen=True)
class _Kept:
    """What the store keeps for a chair, as JSON: a plan, or the line that tells what became of one.

    ``moves`` is how many moves stood when it was prepared; ``told`` is for as long as ``ply`` (its name in
    the store) is the table's newest entry.
    """

    text: str = ""
    condition: Condition = "same"
    sentence: str = ""
    moves: int = 0
    told: str = ""
    ply: int = 0

    @classmethod
    def of(cls, chair: ChairRow) -> "_Kept":
        return cls(**json.loads(chair.plan)) if chair.plan else cls()

    def put(self, change: Change, chair: ChairRow, **values: Any) -> None:
        # Nothing leaves no trace: the chair is again as it was before anything was prepared.
        change.change_chair(chair.number, plan=json.dumps(asdict(self)) if self != _Kept() else "", **values)


def plan_of(chair: ChairRow, entry: int) -> tuple[Plan | None, str]:
    """A chair's prepared move, and the line that says after this entry why it was not played, else empty."""
    kept = _Kept.of(chair)
    return Plan(kept.text, kept.condition, kept.sentence) if kept.text else None, kept.told if kept.ply == entry else ""


def look_ahead(match: Match, seat: int) -> Any:
    """The seat's view as if its turn began now. Refusal E_OVER, E_PLAN, E_NOTES, E_ACTOR: it can prepare nothing."""
    if match.over:
        raise Refusal("E_OVER", "the game is over")
    if not match.game.looks_ahead:
        raise Refusal("E_PLAN", "nobody waits for a turn in this game, so no move is prepared for it")
    if match.options.from_memory:
        raise Refusal("E_NOTES", "no move is prepared at this table: memory is the game")
    if seat in match.acting:
        raise Refusal("E_ACTOR", "you are asked now, so make the move itself")
    ahead = match.game.ahead(match.view(seat), seat)
    if ahead is None:
        raise Refusal("E_PLAN", "not from here: before your turn you are asked something else, or more is turned up")
    return ahead


def _read(match: Match, view: Any, seat: int, text: str) -> tuple[list[int], str, str]:
    """A typed move as its actions, its words, and what it will do. Refusal with the game's code."""
    actions = match.game.notation.parse_move(match.game, view, seat, " ".join(text.split()), match.names)
    words = move_text(match.game, view, seat, actions, match.names)
    return actions, words, match.game.notation.preview(match.game, view, seat, actions, match.names)


def keep(change: Change, chair: ChairRow, text: str, condition: Condition, entry: int) -> Answer:
    """Keep a move for the chair's turn, in place of the one it has; empty text drops that (`Tables.plan`)."""
    kept, found = _Kept.of(chair), _Kept()
    if text.strip():
        match, seat = change.match, change.seat_of(chair.number)
        if entry != change.row.entry:
            raise Stale(entry, change.row.entry)
        ahead = look_ahead(match, seat)
        if chair.bot:
            raise Refusal("E_PLAN", "a bot sits in for you; take your chair back first")
        _, words, sentence = _read(match, ahead, seat, text)
        found = _Kept(words, condition, sentence, match.ply)
    if found == kept or not (found.text or kept.text):
        return Answer("already applied", change.row.entry)
    found.put(change, chair)
    change.published = chair.number
    return Answer("applied", change.row.entry, found.text)


def _turn_is_asked(match: Match, seat: int) -> bool:
    """Whether what an acting seat is asked now is its ordinary turn, and no reaction."""
    view = match.view(seat)
    ahead, question = match.game.ahead(view, seat), match.game.notation.question
    return ahead is not None and bool(question(view, seat) == question(ahead, seat))


def due(change: Change) -> ChairRow | None:
    """A chair whose turn is asked and that has a move prepared for it."""
    match = change.live.match if change.goes_on() else None
    for seat in match.acting if match is not None else ():
        chair = change.chair_at(seat)
        if _Kept.of(chair).text and not chair.bot and _turn_is_asked(change.match, seat):
            return chair
    return None


def come_due(change: Change) -> None:
    """Play the move of a chair that is `due`, or drop it when its condition does not hold. Nothing when none is."""
    chair = due(change)
    if chair is None:
        return
    match, seat, kept = change.match, change.seat_of(chair.number), _Kept.of(chair)
    view = match.view(seat)
    try:
        actions, _, sentence = _read(match, view, seat, kept.text)
        if kept.condition == "same" and sentence != kept.sentence:
            raise Refusal("E_PLAN", f"it would now do something else. {sentence}")
        move = match.play_actions(seat, actions)
    except Refusal as problem:
        draft = chair.draft
        if not draft and Draft(match.game, view, seat, match.names, kept.text).problem is None:
            draft = kept.text
        told = f"Not played, {kept.text}: {problem.message}"
        _Kept(told=told, ply=change.row.entry).put(change, chair, draft=draft)
        change.published = chair.number
        return
    change.change_chair(chair.number, plan="", draft="", lost=0)
    change.append(MOVE, seat, move.actions, move.text, f"plan {new_secret()}")


def spent(change: Change, chair: ChairRow) -> dict[str, str]:
    """What a move of the owner's own, about to be made, changes in the chair's row: on its turn no plan is left."""
    return {"plan": ""} if chair.plan and _turn_is_asked(change.match, change.seat_of(chair.number)) else {}


def drop_undone(change: Change) -> None:
    """After a take-back, drop what was prepared on moves that stand no more.

    So nothing is played at once for whose turn it becomes: what was prepared before that turn is played or dropped.
    """
    for chair in change.chairs:
        kept = _Kept.of(chair)
        if kept.text and kept.moves > change.match.ply:
            told = f"Dropped, {kept.text}: a move was taken back since you prepared it"
            _Kept(told=told, ply=change.row.entry).put(change, chair)
