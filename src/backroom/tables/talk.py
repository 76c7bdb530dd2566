"""What people write at a table: talk for those who sit there, and notes for themselves."""

import re

from backroom.engine.game import Refusal
from backroom.engine.match import Match
from backroom.tables import clock
from backroom.tables.live import Change
from backroom.tables.rows import ChairRow, TalkRow
from backroom.tables.story import MOVE, told_options
from backroom.tables.views import Answer
from backroom.tables.words import MOST_TALK
from backroom.text.harmless import is_blank

__all__ = ["hush", "note", "refuse_more_messages", "say"]

RUNS = re.compile(r"[ \t\r\n]+")
"""What becomes one blank in a line of talk; the narrow and wide spaces of French and Japanese stay what they are."""


def say(change: Change, mine: ChairRow, text: str, talk_id: str) -> Answer:
    """Say a line from a chair, or a message of the match (`Tables.talk`). Refusal E_TEXT, E_NOTES, E_ID."""
    if is_blank(text):
        raise Refusal("E_TEXT", "the message is empty")
    match = change.live.match
    if match is not None and match.game.messages is not None and change.goes_on():
        seat = change.seat_of(mine.number)
        if (done := change.already_made(seat, talk_id)) is not None:
            return done
        refuse_more_messages(match, seat)
        move = match.play(seat, f"say {text}")
        change.append(MOVE, seat, move.actions, move.text, talk_id)
        return Answer("applied", change.row.entry, move.text)
    if change.row.opening and not change.row.over and told_options(change.row).from_memory:
        raise Refusal("E_NOTES", "no written talk at this table while it is played: memory is the game")
    text = RUNS.sub(" ", text).strip()
    said = change.t.said(change.row.id, talk_id)
    if said is not None and said.chair == mine.number:
        return Answer("already applied", change.row.entry)
    if said is not None:
        raise Refusal("E_ID", "that id has been used by somebody else at this table; choose another")
    lines = change.t.talk(change.row.id)
    _refuse_more_lines(sum(line.chair == mine.number for line in lines))
    change.t.add(TalkRow(change.row.id, len(lines) + 1, mine.number, mine.name, text, talk_id, clock.now()))
    change.change()
    return Answer("applied", change.row.entry)


def refuse_more_messages(match: Match, seat: int) -> None:
    """Refusal E_TEXT for a seat of whose messages in the match there are as many as a table keeps."""
    _refuse_more_lines(sum(1 for move in match.moves if move.seat == seat and not move.actions))


def _refuse_more_lines(lines: int) -> None:
    if lines >= MOST_TALK:
        raise Refusal("E_TEXT", f"you have said {lines} lines at this table; that is all it keeps of one player")


def hush(change: Change, on: bool) -> Answer:
    """Have the regulars be quiet at a table, or chat again (`Tables.hush`)."""
    if bool(change.row.quiet) == on:
        return Answer("already applied", change.row.entry)
    change.change(quiet=int(on))
    return Answer("applied", change.row.entry)


def note(change: Change, mine: ChairRow, text: str) -> Answer:
    """Keep a chair's private notes in place of those it has (`Tables.note`). Refusal E_NOTES."""
    if not change.row.over and told_options(change.row).from_memory:
        raise Refusal("E_NOTES", "no notes at this table while it is played: memory is the game")
    if mine.notes == text:
        return Answer("already applied", change.row.entry)
    change.change_chair(mine.number, notes=text)
    change.published = mine.number
    return Answer("applied", change.row.entry)
