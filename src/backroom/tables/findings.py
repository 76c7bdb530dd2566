"""What a table looks for when somebody asks: the moves that decided its match, and hints where bots are the company.

Both are owed by the table (`owed`), computed where bots think, and kept in the store, so that they are computed once
and any server may do it. `look_back` and `look_ahead` are what is computed there; their results are plain values for
JSON, with moves as they are typed. A hint is made from the view of its seat alone.
"""

import json
import time
from collections.abc import Callable, Sequence
from typing import Any

from backroom.engine.game import Game, Refusal
from backroom.engine.match import Match
from backroom.engine.notation import move_text
from backroom.lab.chances import chances
from backroom.lab.decisive import Compared, decisive, hint
from backroom.lab.stats import Interval
from backroom.tables import clock
from backroom.tables.live import HERE_SECONDS, Change
from backroom.tables.lives import Lives
from backroom.tables.owed import CHANCES, DECIDED, HINT
from backroom.tables.rows import ChairRow, FindingRow, OwedRow
from backroom.tables.thinking import Limits, Lost, Thinkers
from backroom.tables.views import Answer, Finding

__all__ = [
    "Finder", "ask_decided", "ask_hint", "chances_of", "decided_of", "hint_of", "look_ahead", "look_back", "may_hint",
]  # fmt: skip

DECIDED_SECONDS = 90.0
"""How long it may be looked for the moves that decided a match; then what is confirmed by then is all."""
CHANCES_PART = 0.25
"""Which part of it may go to who was going to win."""
TOLD_SECONDS = 1.0
"""How often, at most, the pages of a table are told how much is done."""
MOST_TRIES = 3
NOTHING: dict[str, Any] = {"moves": [], "chances": []}


def look_back(match: Match, told: Callable[[float], None], until: float) -> dict[str, Any]:
    """The moves that decided a finished match (``moves``), and who was going to win (``chances``).

    ``told`` hears the part that is done; ``until`` is of time.monotonic.
    """
    first = time.monotonic() + CHANCES_PART * (until - time.monotonic())
    going = chances(match, progress=lambda part: told(CHANCES_PART * part), until=first)
    moves = _moves(match, lambda part: told(CHANCES_PART + (1 - CHANCES_PART) * part), until)
    kept = [
        {
            "ply": at.ply,
            "outside": [_interval(share) for share in at.outside],
            "own": [_interval(share) for share in at.own],
        }
        for at in going
    ]
    return {"moves": moves, "chances": kept}


def _moves(match: Match, told: Callable[[float], None], until: float) -> list[dict[str, Any]]:
    found = []
    for move in decisive(match, progress=told, until=until):
        view = match.game.state.view(match.at(move.ply), move.seat)
        found.append(
            {
                "ply": move.ply,
                "seat": move.seat,
                "praised": move.praised,
                "luck": _interval(move.luck),
                **_told(match.game, view, move.seat, match.names, move.compared),
            }
        )
    return found


def look_ahead(
    game: Game,
    view: Any,
    seat: int,
    names: Sequence[str],
    address: str,
    told: Callable[[float], None],
    until: float,
) -> dict[str, Any]:
    """A hint for a seat that owes a decision, from its view alone."""
    del told, until  # it is short
    found = hint(game, view, seat, address)
    if found.compared is None:
        return {"move": move_text(game, view, seat, found.actions, names)}
    return _told(game, view, seat, names, found.compared)


def _told(game: Game, view: Any, seat: int, names: Sequence[str], compared: Compared) -> dict[str, Any]:
    reason = compared.reason
    return {
        "move": move_text(game, view, seat, compared.one, names),
        "other": move_text(game, view, seat, compared.other, names),
        "share": compared.one_share,
        "other_share": compared.other_share,
        "gap": _interval(compared.gap),
        "clear": compared.clear,
        "reason": [*reason.quantity, reason.one, reason.other] if reason is not None else None,
    }


def _interval(interval: Interval) -> list[float]:
    return [interval.estimate, interval.low, interval.high]


def ask_decided(change: Change) -> Answer:
    """Have it looked for the moves that decided a match (`Tables.look_back`). Refusal E_WAIT, E_GOING, E_VERSION."""
    change.started()
    if not change.row.over:
        raise Refusal("E_GOING", "the match goes on; what decided it can be found when it is over")
    if not change.replays:
        raise Refusal("E_VERSION", "its positions cannot be played any more, so nothing can be compared")
    if change.t.finding(change.row.id, DECIDED) is not None:
        return Answer("already applied", change.row.entry)
    _ask(change, DECIDED)
    change.change(changed=change.row.changed)
    return Answer("applied", change.row.entry)


def may_hint(change: Change, mine: ChairRow) -> bool:
    """Whether the holder of a chair may have a hint now: it owes a decision, and everybody else is a bot."""
    alone = all(chair.bot and not chair.token for chair in change.chairs if chair.number != mine.number)
    return alone and not mine.bot and change.goes_on() and change.seat_of(mine.number) in change.match.acting


def ask_hint(change: Change, mine: ChairRow) -> Answer:
    """Have a hint looked for (`Tables.hint`). Refusal E_WAIT, E_OVER, E_VERSION, E_ACTOR, E_HINT."""
    if change.seat_of(mine.number) not in change.match.acting:
        raise Refusal("E_ACTOR", "nothing is asked of you now, so there is nothing to give a hint for")
    if not may_hint(change, mine):
        raise Refusal("E_HINT", "hints are for tables where everybody else is a bot")
    there = change.t.finding(change.row.id, HINT)
    if there is not None and there.entry == change.row.entry:
        return Answer("already applied", change.row.entry)
    _ask(change, HINT)
    change.published = mine.number
    return Answer("applied", change.row.entry)


def _ask(change: Change, kind: str) -> None:
    change.t.look_for(FindingRow(change.row.id, kind, change.row.entry))
    waited = clock.now() + HERE_SECONDS if kind == HINT else 0
    change.t.owe(OwedRow(change.row.id, kind, change.row.entry, clock.now(), waited=waited))
    change.asked_for = True


def decided_of(change: Change) -> Finding | None:
    """What is known of the moves that decided a match that is over; None: nobody has asked."""
    return _read(change.t.finding(change.row.id, DECIDED)) if change.row.over else None


def chances_of(change: Change) -> Any:
    """Who was going to win a match that is over, by position; None: nobody has asked, or it is not known yet."""
    found = _read(change.t.finding(change.row.id, CHANCES)) if change.row.over else None
    return found.found if found is not None else None


def hint_of(change: Change) -> Finding | None:
    """The hint for the decision that stands now, if it was asked for."""
    found = change.t.finding(change.row.id, HINT)
    return _read(found) if found is not None and found.entry == change.row.entry else None


def _person(change: Change) -> ChairRow | None:
    """The chair of the person among bots for whom a hint is looked for; None: it went to a bot meanwhile."""
    return next((chair for chair in change.chairs if not chair.bot), None)


def _read(row: FindingRow | None) -> Finding | None:
    return Finding(row.done, json.loads(row.found) if row.found else None) if row is not None else None


class Finder:
    """Finds what is asked for. It is computed in ``thinkers``, None: in this process."""

    def __init__(self, lives: Lives, limits: Limits, thinkers: Thinkers | None) -> None:
        self.lives, self.limits, self.thinkers = lives, limits, thinkers

    def find(self, row: OwedRow) -> None:
        """Find it, and write it down. `Lost` when it should be tried again."""
        table, kind = row.table_id, row.kind
        with self.lives.read(table) as change:
            asked = change.t.finding(table, kind)
            wanted = asked if asked is not None and not asked.found else None
            question = self._question(change, wanted) if wanted is not None else None
        found = self._found(row, *question) if question is not None else None
        if found is None and wanted is not None and kind == DECIDED:
            found = NOTHING  # it cannot be replayed any more
        with self.lives.write(table, person=False) as change:
            change.t.owe_nothing(table, kind)
            if found is not None:
                if kind == DECIDED:
                    going = json.dumps(found["chances"])
                    change.t.look_for(FindingRow(table, CHANCES, change.row.entry, 100, going))
                    found = found["moves"]
                change.t.change_finding(table, kind, done=100, found=json.dumps(found))
                self._tell(change, kind)

    def _question(self, change: Change, asked: FindingRow) -> tuple[Callable[..., Any], tuple[Any, ...], float] | None:
        """What is to be computed: a function, its arguments, and for how many seconds. None: nothing any more."""
        match = change.live.match
        if match is None:
            return None
        if asked.kind == DECIDED:
            return look_back, (match,), DECIDED_SECONDS
        mine = _person(change)
        if mine is None or asked.entry != change.row.entry or not may_hint(change, mine):
            return None
        seat, address = change.seat_of(mine.number), f"{match.commitment} {match.ply}"
        return look_ahead, (match.game, match.view(seat), seat, match.names, address), self.limits.seconds

    def _found(self, row: OwedRow, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Any:
        heard = time.monotonic()

        def told(part: float) -> None:
            nonlocal heard
            if time.monotonic() - heard >= TOLD_SECONDS:
                heard = time.monotonic()
                with self.lives.write(row.table_id, person=False) as change:
                    change.t.change_finding(row.table_id, row.kind, done=min(99, int(100 * part)))
                    self._tell(change, row.kind)

        if self.thinkers is None:
            return function(*arguments, told, time.monotonic() + seconds)
        try:
            return self.thinkers.work(row.table_id, function, arguments, seconds, told)
        except Lost:
            if row.tries + 1 < MOST_TRIES:
                raise
            return {"failed": True} if row.kind == HINT else NOTHING

    @staticmethod
    def _tell(change: Change, kind: str) -> None:
        if kind == DECIDED:
            change.change(changed=change.row.changed)
        else:
            mine = _person(change)
            change.published = mine.number if mine is not None else None
