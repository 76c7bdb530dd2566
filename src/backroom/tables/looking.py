"""Looking: all that one browser may know of a table, and the tables it has something to do with."""

import json
from collections.abc import Sequence
from typing import Any

from backroom.engine import chance
from backroom.engine.game import Refusal, find_game
from backroom.engine.record import ALL_KNOWING, SPECTATOR
from backroom.tables import (
    chairs,
    clock,
    findings,
    mail,
    marks,
    plans,
    playing_on,
    practising,
    showing,
    take_backs,
    watchers,
)
from backroom.tables.chatter import regular_at
from backroom.tables.live import Change, held
from backroom.tables.rows import ChairRow, TableRow
from backroom.tables.store import Transaction
from backroom.tables.story import ENDED, rests, told_options
from backroom.tables.views import Origin, Summary, TableView, TalkLine
from backroom.tables.words import hash_of

__all__ = ["tables_of", "view"]

MOST_LISTED = 100
"""Tables that are listed where a browser holds a chair, and of those that it follows."""


def view(change: Change, token: str, move: int | None, from_seat: int | None, mails: bool) -> TableView:
    """What a browser (its token) may know of a table (`Tables.view`); ``mails``: the server sends mail.

    Refusal E_PLY, E_GOING, E_CHAIR, E_VERSION, E_RECORD.
    """
    holder, row, match = change.holder(token), change.row, change.live.match
    seen = chairs.seen(change, holder)
    mine = held(change.chairs, holder)
    game = find_game(row.game)
    told = bool(row.opening) and (match is None or row.over == ENDED or (change.live.stopped and not row.over))
    if told and (move is not None or from_seat is not None):
        raise Refusal("E_VERSION", f"its positions cannot be shown any more: it was played under rules {row.rules}")
    if row.over and change.damaged is not None and change.t.story(row.id) is None:
        raise change.damaged
    seat = change.seat_of(mine.number) if mine is not None and row.opening else None
    if from_seat is not None:
        seat = _looked_from(change, from_seat)
    talk = change.t.talk(row.id) if mine is not None else []
    shown = showing.recorded(change, seat) if told else _shown(change, seat, move, from_seat is None)
    plan, plan_told = plans.plan_of(mine, row.entry) if mine is not None else (None, "")
    latest = move is None or match is None or move == match.ply
    asking = mine is not None and latest and findings.may_hint(change, mine)
    undo_free, undo_moves = take_backs.offered(change, mine) if mine is not None and latest else (False, 0)
    return TableView(
        table=row.id,
        title=row.title,
        game=game,
        options=match.options if match is not None else told_options(row),
        rules=row.rules,
        chairs=seen,
        started=bool(row.opening),
        entry=row.entry,
        revision=row.revision,
        commitment=chance.commitment(bytes.fromhex(row.seed)),
        you=seen[mine.number] if mine is not None else None,
        seat=seat,
        **shown,
        draft=mine.draft if mine is not None and latest else "",
        plan=plan if latest and not (row.over or told) else None,
        plan_told=plan_told if latest else "",
        undo_free=undo_free,
        undo_moves=undo_moves,
        undo=take_backs.asked(change, mine),
        talk=tuple(TalkLine(it.number, it.name, it.text, it.at, seen[it.chair].seat) for it in talk),
        notes=mine.notes if mine is not None else "",
        link=match.chain[shown["move"]] if match is not None else change.last_link(),
        stopped=change.live.stopped.message if change.live.stopped is not None else "",
        may_end=mine is not None and change.may_end(mine),
        seed=row.seed if row.over else "",
        next_table=row.next_table,
        next_in=_next_in(change),
        now=clock.now(),
        began=change.t.began(row.id) if row.over else 0,
        ended=row.ended,
        pace=row.pace,
        out_of_time=row.out_of_time,
        stands=bool(row.pace and row.opening and not row.over) and clock.stands(change.chairs),
        late=change.live.late_among({move for move, _ in shown["lines"]}),
        **_watched(change, holder, mine),
        decided=findings.decided_of(change),
        chances=findings.chances_of(change),
        hint=findings.hint_of(change) if asking else None,
        may_hint=asking,
        origin=Origin(**json.loads(row.origin)) if row.origin else None,
        try_not=playing_on.why_not(change, shown["move"]) if change.goes_on() else "",
        devices=change.t.device_count(row.id, holder) if mine is not None else 0,
        elsewhere=mine is not None and holder != hash_of(token),
        practice=practising.practised(change, mine) if latest else None,
        chatting=mine is not None and any(regular_at(chair) is not None for chair in change.chairs),
        quiet=bool(row.quiet),
        telling=mail.telling(change.t, mine) if mails and mine is not None else None,
        mark=marks.mark(change.t, row, change.chairs, holder),
    )


def _looked_from(change: Change, seat: int) -> int | None:
    """A seat, or SPECTATOR, from which somebody looks at a match that is over. Refusal E_GOING, E_CHAIR."""
    if not change.match.over:
        raise Refusal("E_GOING", "while the match goes on you look back from your own place alone")
    if not SPECTATOR <= seat < len(change.chairs):
        raise Refusal("E_CHAIR", f"there is no seat {seat}; they are numbered 0 to {len(change.chairs) - 1}")
    return seat if seat != SPECTATOR else None


def _shown(change: Change, seat: int | None, move: int | None, whole: bool) -> dict[str, Any]:
    """What a seat is shown of the match; the present is computed once for all viewers from that seat."""

    def find() -> dict[str, Any]:
        story = change.story(ALL_KNOWING) if change.row.over else None
        return showing.position(change.live.match, seat, move, whole, story)

    return find() if move is not None or change.live.match is None else change.live.once((seat, whole), find)


def _next_in(change: Change) -> tuple[int, ...]:
    """The chairs whose owners have the page of the next table open."""
    if not change.row.next_table:
        return ()
    there = {chair.token for chair in change.t.chairs(change.row.next_table) if watchers.is_here(chair)}
    return tuple(chair.number for chair in change.chairs if chair.token and chair.token in there)


def _watched(change: Change, holder: str, mine: ChairRow | None) -> dict[str, Any]:
    """The watchers of a table, and what that means for this browser."""
    rows = change.t.watchers(change.row.id)
    row = next((row for row in rows if mine is None and row.token == holder), None)
    return {
        "crowd": watchers.crowd(rows, change.chairs),
        "watches": row is not None and watchers.is_here(row),
        "watches_as": watchers.called(row, change.chairs) if row is not None else "",
        "follows": row is not None and bool(row.follows),
        "asks": row is not None and watchers.asks(row),
        "askers": (found := watchers.askers(rows) if mine is not None and not change.row.over else ()),
        "to_give": watchers.to_give(change, mine) if found and mine is not None else (),
        "giving": watchers.giving(change, mine) if found and mine is not None else None,
    }


def tables_of(t: Transaction, holder: str) -> list[Summary]:
    """The tables where a token (hash) holds a chair, and those it follows, newest change first (`Tables.mine`)."""
    rows: list[tuple[TableRow, int | None]] = [*t.held_by(holder, MOST_LISTED)]
    known = {row.id for row, _ in rows}
    rows += [(row, None) for row in t.followed_by(holder, MOST_LISTED) if row.id not in known]
    rows.sort(key=lambda found: -found[0].changed)
    seated = [(row, t.chairs(row.id), chair) for row, chair in rows]
    return [_summary(row, chairs, chair) for row, chairs, chair in seated if not practising.is_done(t, row, chairs)]


def _summary(row: TableRow, chairs: Sequence[ChairRow], mine: int | None) -> Summary:
    """A table as the holder of the chair ``mine`` sees it in a list; None: as a watcher who follows it does."""
    acting = json.loads(row.acting) if not rests(row) else []
    awaited = [chairs[mine]] if mine is not None and mine in acting else [chairs[number] for number in acting]
    until = [clock.until(row, chairs, chair) for chair in awaited]
    result: dict[str, Any] = {"winners": [], "score": 0, "round": 0, "points": []}
    result |= json.loads(row.result) if row.result else {}
    return Summary(
        table=row.id,
        title=row.title,
        game=row.game,
        names=tuple(chair.name for chair in chairs),
        started=bool(row.opening),
        over=bool(row.over),
        stopped=rests(row),
        your_turn=mine in acting,
        waiting=tuple(chairs[number].name for number in acting if number != mine),
        asked=min((chair.asked for chair in awaited if chair.asked), default=0),
        until=min(filter(None, until), default=0),
        ended=row.ended,
        winners=tuple(chairs[number].name for number in result["winners"]),
        score=result["score"],
        you=chairs[mine].name if mine is not None else "",
        changed=row.changed,
        follows=mine is None,
        moves=row.entry,
        created=row.created,
        bots=tuple(chair.bot for chair in chairs),
        round=result["round"],
        points=tuple(result["points"]),
    )
