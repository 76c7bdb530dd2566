"""A table while it is read or changed: its rows in a transaction, and its match in memory, which is their fold."""

import json
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from backroom.engine.game import FINISHED, Options, Refusal, find_game
from backroom.engine.match import Match
from backroom.tables import clock
from backroom.tables.publisher import EVERYBODY
from backroom.tables.store import PERSONAL, ChairRow, EntryRow, TableRow, Transaction
from backroom.tables.words import check_name

__all__ = ["LATE", "MOVE", "UNDO", "Change", "Live", "Stale", "held", "options_of", "standing"]

MOVE, UNDO, LATE = "move", "undo", "late"
"""Kinds of entry in a table's record; a late one is a move that was made for its seat because its time was over."""


def held(chairs: Sequence[ChairRow], holder: str) -> ChairRow | None:
    """The chair of a token (hash), if it holds one."""
    return next((chair for chair in chairs if chair.token == holder), None)


def options_of(table: TableRow) -> Options:
    """A table's options, from the store."""
    return find_game(table.game).options.build(json.loads(table.options))


def standing(match: Match) -> dict[str, Any]:
    """The columns of a table that follow from its match: who owes a decision, and how it ended."""
    rotation, count, over = int(match.state.rotation), int(match.state.seats), int(match.state.over)
    if not over:
        return {"acting": json.dumps([(seat + rotation) % count for seat in match.acting]), "over": 0}
    scores, places = match.game.outcome(match.state)
    first = [seat for seat, place in enumerate(places) if place == 1 and over == FINISHED]
    result = {"winners": [(seat + rotation) % count for seat in first], "score": int(scores[first[0]]) if first else 0}
    return {"acting": "[]", "over": over, "ended": clock.now(), "result": json.dumps(result), "client": ""}


class Stale(Refusal):
    """A decision that came too late: the table has moved on since. ``ply`` is where it is now."""

    def __init__(self, decided: int, ply: int) -> None:
        super().__init__("E_STALE", f"the table has moved on to {ply} (you decided at {decided}); look again")
        self.ply = ply


class Live:
    """A table's match in memory: nothing but the fold of its entries, so it can be dropped at any time."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.match: Match | None = None
        self.ply = 0
        self.last_undo = 0
        self.late: list[bool] = []
        """For each move of the match whether it was made because time was over."""
        self.crowd_told = 0

    def forget(self) -> None:
        """Have the next look rebuild the match from the store."""
        self.match, self.ply, self.last_undo, self.late = None, 0, 0, []

    def note(self, number: int, kind: str) -> None:
        """Keep in step with entry ``number``, which the match has just followed."""
        assert self.match is not None
        self.ply = number
        if kind == UNDO:
            self.last_undo = number
        self.late.append(kind == LATE)
        del self.late[self.match.ply :]

    def late_among(self, moves: Collection[int]) -> tuple[int, ...]:
        """Which of these moves (the first is 1) were made because time was over."""
        return tuple(number for number, late in enumerate(self.late, 1) if late and number in moves)

    def follow(self, t: Transaction, row: TableRow, chairs: Sequence[ChairRow]) -> None:
        """Bring the match up to the store. Refusal E_VERSION, E_RECORD; then nothing is kept."""
        if not row.opening or (self.match is not None and self.ply == row.ply):
            return
        try:
            self._replay(t, row, chairs)
        except BaseException:
            self.forget()
            raise

    def _replay(self, t: Transaction, row: TableRow, chairs: Sequence[ChairRow]) -> None:
        if self.match is None:
            game = find_game(row.game)
            if game.version != row.rules:
                raise Refusal(
                    "E_VERSION",
                    f"this table was played under rules {row.rules}; this server has {game.name} {game.version}",
                )
            names = [chair.name for chair in chairs]
            self.match = Match(game, options_of(row), names, bytes.fromhex(row.seed), form=row.format)
            if self.match.chain[0] != row.opening:
                raise Refusal("E_RECORD", "the opening differs from the one recorded; this table is stopped")
        for entry in t.entries(row.id, self.ply):
            self._apply(entry)

    def _apply(self, entry: EntryRow) -> None:
        assert self.match is not None
        actions = json.loads(entry.actions)
        try:
            if entry.kind == UNDO:
                for _ in range(actions[0]):
                    self.match.undo()
            elif actions:
                self.match.play_actions(entry.seat, actions)
            else:
                self.match.play(entry.seat, entry.text)
        except Refusal as problem:
            raise Refusal("E_RECORD", f"entry {entry.number} of the record does not replay: {problem}") from None
        if entry.number != self.ply + 1 or entry.link != self.match.chain[-1]:
            raise Refusal(
                "E_RECORD", f"entry {entry.number} does not lead to the position it led to; this table is stopped"
            )
        self.note(entry.number, entry.kind)


@dataclass
class Change:
    """A table within a transaction that changes it."""

    t: Transaction
    live: Live
    row: TableRow
    chairs: list[ChairRow]
    published: int | None = None
    """The chair whose pages are told after the commit, EVERYBODY, or None while nothing has changed."""

    @property
    def match(self) -> Match:
        """The match. Refusal E_WAIT before the start."""
        if self.live.match is None:
            missing = sum(1 for chair in self.chairs if not (chair.token or chair.bot))
            raise Refusal("E_WAIT", f"the match has not started; {missing} of {len(self.chairs)} chairs are free")
        return self.live.match

    def own(self, holder: str) -> ChairRow:
        """The chair of a token (hash). Refusal E_SEAT."""
        chair = held(self.chairs, holder)
        if chair is None:
            raise Refusal("E_SEAT", "this browser holds no chair at this table; open the link you were invited with")
        return chair

    def numbered(self, number: int) -> ChairRow:
        """The chair of a number that was sent. Refusal E_CHAIR."""
        if not 0 <= number < len(self.chairs):
            raise Refusal("E_CHAIR", f"there is no chair {number}; they are numbered 0 to {len(self.chairs) - 1}")
        return self.chairs[number]

    def checked_name(self, name: str, chair: ChairRow | None = None) -> str:
        """What somebody is to be called in that chair, or beside the table (`check_name`). Refusal E_SETUP."""
        return check_name(name, [other.name for other in self.chairs if other.name and other != chair])

    def seat_of(self, chair: int) -> int:
        """The seat of a chair in the match."""
        return (chair - int(self.match.state.rotation)) % len(self.chairs)

    def chair_at(self, seat: int) -> ChairRow:
        """The chair of a seat in the match."""
        return self.chairs[(seat + int(self.match.state.rotation)) % len(self.chairs)]

    def change(self, **values: Any) -> None:
        """Set columns of the table, in a way that everybody at it is told of."""
        values = {"revision": self.row.revision + 1, "changed": clock.now(), **values}
        self.t.change_table(self.row.id, **values)
        self.row = replace(self.row, **values)
        self.published = EVERYBODY

    def change_chair(self, number: int, **values: Any) -> None:
        """Set columns of a chair."""
        self.t.change_chair(self.row.id, number, **values)
        self.chairs[number] = replace(self.chairs[number], **values)

    def seat_person(self, chair: ChairRow, name: str, holder: str, used: str, seen: int) -> None:
        """Give a chair to the holder of a token (hash), who watches no more; what its last holder wrote goes.

        ``used`` is the invitation or the asking that led there, ``seen`` when the holder was last seen.
        """
        sits = {"name": name, "token": holder, "used_invite": used, "seen": seen, "invite": "", "bot": ""}
        self.change_chair(chair.number, **{**PERSONAL, **sits})
        self.t.forget_watcher(self.row.id, holder)

    def wind(self, anew: Collection[int] = ()) -> None:
        """Keep the clocks in step with who owes a decision and who is there; those of ``anew`` (chairs) begin again."""
        for number, asked in clock.asked(self.row, self.chairs, anew).items():
            self.change_chair(number, asked=asked)
        due = clock.due(self.row, self.chairs)
        if due != self.row.due:
            self.t.change_table(self.row.id, due=due)
            self.row = replace(self.row, due=due)

    def append(
        self, kind: str, seat: int, actions: Sequence[int], text: str, move_id: str, taken_back: Collection[int] = ()
    ) -> None:
        """Append an entry for what the match has just done, and keep the table's columns in step with it.

        ``taken_back`` are the seats whose decisions an undo took back.
        """
        match = self.match
        number = self.row.ply + 1
        self.t.add(
            EntryRow(
                self.row.id, number, kind, seat, json.dumps(list(actions)), text, move_id, match.chain[-1], clock.now()
            )
        )
        self.change(ply=number, undo="", **standing(match))
        self.live.note(number, kind)
        decided = taken_back if kind == UNDO else [seat] if actions else []
        self.wind({self.chair_at(other).number for other in decided})
