"""A table while it is read or changed: its rows in a transaction, and its match in memory, which is their fold."""

import json
import threading
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from backroom.engine.game import FINISHED, Refusal, find_game
from backroom.engine.match import Match, Recorded
from backroom.engine.options import Options
from backroom.engine.record import ALL_KNOWING, SPECTATOR, Viewer
from backroom.scenes.rows import quantities
from backroom.tables import clock
from backroom.tables.chatter import last_words, remark
from backroom.tables.publisher import EVERYBODY
from backroom.tables.rows import PERSONAL, ChairRow, EntryRow, TableRow
from backroom.tables.store import Transaction
from backroom.tables.story import ENDED, LATE, UNDO, Story, fits, rotation_of, standing_entries
from backroom.tables.views import Answer
from backroom.tables.words import check_name, hash_of

__all__ = [
    "HERE_SECONDS",
    "SEEN_SECONDS",
    "Change",
    "Live",
    "Stale",
    "held",
    "options_of",
    "standing",
]

END_AFTER = 86400
"""How many seconds after the host's last sign any player may end a match that cannot go on."""
HERE_SECONDS, SEEN_SECONDS = 90, 30
"""How long somebody counts as here after a sign of an open page, and how often signs are kept."""


def held(chairs: Sequence[ChairRow], holder: str) -> ChairRow | None:
    """The chair of a token (hash), if it holds one."""
    return next((chair for chair in chairs if chair.token == holder), None)


def options_of(table: TableRow) -> Options:
    """A table's options, from the store."""
    return find_game(table.game).options.build(json.loads(table.options))


def standing(match: Match) -> dict[str, Any]:
    """The columns of a table that follow from its match: who owes a decision, and how it stands or ended.

    While it goes on that is its round, and the points by chair as everybody sees them (none: the game has no such).
    """
    rotation, count, over = int(match.state.rotation), int(match.state.seats), int(match.state.over)
    if not over:
        seen = quantities(match.game, match.view(SPECTATOR), SPECTATOR)
        points = {
            (it.seat + rotation) % count: int(number)
            for it, number in seen.items()
            if it.seat is not None and it.words.startswith("points")
        }
        result = {"round": match.round_at(match.ply) + 1, "points": [points[chair] for chair in sorted(points)]}
        acting = [(seat + rotation) % count for seat in match.acting]
        return {"acting": json.dumps(acting), "over": 0, "result": json.dumps(result)}
    scores, places = match.game.outcome(match.state)
    first = [seat for seat, place in enumerate(places) if place == 1 and over == FINISHED]
    result = {"winners": [(seat + rotation) % count for seat in first], "score": int(scores[first[0]]) if first else 0}
    return {"acting": "[]", "over": over, "ended": clock.now(), "result": json.dumps(result), "client": ""}


Found = TypeVar("Found")


class Stale(Refusal):
    """A decision that came too late: the table has moved on since. ``entry`` is where it is now."""

    def __init__(self, decided: int, entry: int) -> None:
        super().__init__("E_STALE", f"the table has moved on to {entry} (you decided at {decided}); look again")
        self.entry = entry


class Live:
    """A table's match in memory: nothing but the fold of its entries, so it can be dropped at any time.

    ``stopped`` says why the match cannot go on here, if it cannot: its rules are not those of this server (then there
    is a match only if it replays all the same), or its record is damaged. ``rotation`` is the chair of the first seat
    (-1: unknown).
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.match: Match | None = None
        self.stopped: Refusal | None = None
        self.rotation = -1
        self.entry = 0
        self.last_undo = 0
        self.late: list[bool] = []
        """For each move of the match whether it was made because time was over."""
        self.recorded: list[EntryRow] = []
        """The moves that stand in the record of a match that does not replay; else empty."""
        self.crowd_told = 0
        self._found: dict[Hashable, Any] = {}

    def once(self, what: Hashable, find: Callable[[], Found]) -> Found:
        """The result of ``find``, computed once until the match moves. It may depend on the match and ``what`` alone.

        Whatever only one viewer may know has that viewer in ``what``.
        """
        if what not in self._found:
            self._found[what] = find()
        found: Found = self._found[what]
        return found

    def forget(self) -> None:
        """Have the next look rebuild the match from the store."""
        self._found.clear()
        self.match, self.entry, self.last_undo, self.late, self.recorded = None, 0, 0, [], []
        self.stopped, self.rotation = None, -1

    def note(self, number: int, kind: str) -> None:
        """Keep in step with entry ``number``, which the match has just followed."""
        assert self.match is not None
        self._found.clear()
        self.entry = number
        if kind == UNDO:
            self.last_undo = number
        self.late.append(kind == LATE)
        del self.late[self.match.ply :]

    def late_among(self, moves: Collection[int]) -> tuple[int, ...]:
        """Which of these moves (the first is 1) were made because time was over."""
        return tuple(number for number, late in enumerate(self.late, 1) if late and number in moves)

    def follow(self, t: Transaction, row: TableRow, chairs: Sequence[ChairRow]) -> None:
        """Bring the match up to the store. Refusal E_RECORD for a damaged record while it is not over."""
        if not row.opening or ((self.match or self.stopped) is not None and self.entry == row.entry):
            return
        if self.stopped is not None:
            self.forget()  # another server, which has its rules, has gone on with it
        after = self.entry
        # On PostgreSQL another server may have appended some since the row was read: they belong to the next look.
        entries = t.entries(row.id, after, row.entry)
        try:
            self._replay(row, chairs, entries)
        except Exception as problem:
            self.forget()
            if not self._rules_differ(row) and not (isinstance(problem, Refusal) and row.over):
                raise
            # Under other rules anything may go wrong: that it does is all that is to be known.
            self.recorded = standing_entries(t.entries(row.id, until=row.entry) if after else entries)
            self.match, self.entry = None, row.entry
            self.rotation = rotation_of(row, [chair.name for chair in chairs])
            self.late = [entry.kind == LATE for entry in self.recorded]
            self.stopped = self._other_rules(row) if self._rules_differ(row) else Refusal("E_RECORD", str(problem))
        except BaseException:
            self.forget()
            raise

    @staticmethod
    def _rules_differ(row: TableRow) -> bool:
        return find_game(row.game).version != row.rules

    @staticmethod
    def _other_rules(row: TableRow) -> Refusal:
        game = find_game(row.game)
        return Refusal(
            "E_VERSION",
            f"this match was begun under rules {row.rules} of {game.title}, and this server has {game.version}: it "
            "cannot go on here; it can be read, left, and ended, after which all of it can be seen and downloaded",
        )

    def _replay(self, row: TableRow, chairs: Sequence[ChairRow], entries: Sequence[EntryRow]) -> None:
        if self.match is None:
            self.stopped = None
            game, players, under = find_game(row.game), [chair.name for chair in chairs], json.loads(row.options)
            options, seed = game.options.build(under), bytes.fromhex(row.seed)
            self.match = Match(
                game, options, players, seed, row.position or None, row.format, Recorded(row.rules, under)
            )
            if self.match.chain[0] != row.opening:
                raise Refusal("E_RECORD", "the opening differs from the one recorded; this table is stopped")
            self.rotation = int(self.match.state.rotation)
        for entry in entries:
            self._apply(entry)
        if self.entry == row.entry and not fits(self.match, row):
            raise Refusal("E_RECORD", "the match did not end as it is recorded; this table is stopped")
        self.stopped = self._other_rules(row) if self.match.outdated else None

    def _apply(self, entry: EntryRow) -> None:
        assert self.match is not None
        actions = json.loads(entry.actions)
        try:
            if entry.kind == UNDO:
                for _ in range(actions[0]):
                    self.match.undo()
            else:
                self.match.repeat(entry.seat, actions, entry.text)
        except Refusal as problem:
            raise Refusal("E_RECORD", f"entry {entry.number} of the record does not replay: {problem}") from None
        if entry.number != self.entry + 1 or entry.link != self.match.chain[-1]:
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
    asked_for: bool = False
    """Whether something has come to be owed because somebody asked for it."""

    @property
    def match(self) -> Match:
        """The match, to be played on. Refusal E_WAIT before the start, E_VERSION or E_RECORD when it cannot go on."""
        self.started()
        if not self.row.over and self.live.stopped is not None:
            raise self.live.stopped
        if self.row.over == ENDED or self.live.match is None:
            raise Refusal("E_OVER", "the game is over")
        return self.live.match

    def started(self) -> None:
        """Refusal E_WAIT before the start."""
        if not self.row.opening:
            missing = sum(1 for chair in self.chairs if not (chair.token or chair.bot))
            raise Refusal("E_WAIT", f"the match has not started; {missing} of {len(self.chairs)} chairs are free")

    @property
    def damaged(self) -> Refusal | None:
        """Why the record cannot be believed, where it does not replay under its own rules."""
        stopped = self.live.stopped
        return stopped if stopped is not None and stopped.code == "E_RECORD" else None

    def refuse_if_stopped(self) -> None:
        """Refusal E_VERSION for a match that cannot go on here."""
        if not self.row.over and self.live.stopped is not None:
            raise self.live.stopped

    @property
    def replays(self) -> bool:
        """Whether there is a match here, going on or over, whose positions can all be played from."""
        return self.live.match is not None and self.live.stopped is None and self.row.over != ENDED

    def goes_on(self) -> bool:
        """Whether there is a match here that can be played on."""
        return self.replays and not self.row.over

    def story(self, viewer: Viewer) -> Story:
        """What a viewer may be told: of a finished match the stored story, or the record if there is none."""
        kept = self.t.story(self.row.id) if self.row.over else None
        if kept is not None:
            return Story.read(kept)
        if self.live.match is not None:
            return Story.of(self.live.match, viewer)
        return Story.recorded(self.row, self.chairs, self.live.rotation, self.live.recorded, viewer)

    def last_link(self) -> str:
        """The newest hash of the chain, from the record alone; empty before the start."""
        return self.live.recorded[-1].link if self.live.recorded else self.row.opening

    def may_end(self, mine: ChairRow) -> bool:
        """Whether the holder of that chair may end this match now, since it cannot go on."""
        if self.live.stopped is None or self.row.over:
            return False
        host = self.chairs[self.row.host] if self.row.host >= 0 else None
        return host is None or host == mine or not host.token or clock.now() - host.seen >= END_AFTER

    def end(self) -> None:
        """End a match that cannot go on, and keep what is told of it, which from now on is everything."""
        self.t.add(self.story(ALL_KNOWING).row(self.row.id))
        result = json.dumps({"winners": [], "score": 0})
        self.change(over=ENDED, acting="[]", undo="", ended=clock.now(), result=result, client="")
        self.restart_clocks()

    def holder(self, token: str) -> str:
        """The hash by which a browser (its token) is known here: its own, or that of the one whose chair it has too."""
        return self.t.holder_of(self.row.id, hash_of(token))

    def own(self, token: str) -> ChairRow:
        """The chair that a browser (its token) has here. Refusal E_SEAT."""
        chair = held(self.chairs, self.holder(token))
        if chair is None:
            raise Refusal("E_SEAT", "this browser holds no chair at this table; open the link you were invited with")
        return chair

    def present(self, token: str) -> ChairRow:
        """The same for a request that acts, which is a sign that its holder is not away. Refusal E_SEAT."""
        chair = self.own(token)
        if clock.now() - chair.seen >= SEEN_SECONDS:
            self.change_chair(chair.number, seen=clock.now())
        return self.chairs[chair.number]

    def already_made(self, seat: int, move_id: str) -> Answer | None:
        """The answer to a request that this seat has sent before. Refusal E_ID when the id belongs to another."""
        made = self.t.entry(self.row.id, move_id)
        if made is None:
            return None
        if made.seat != seat:
            raise Refusal("E_ID", "that id has been used by somebody else at this table; choose another")
        # Where the rules forbid looking back, an old move is not told again, not even to who made it.
        return Answer("already applied", self.row.entry, "" if self.match.keeps_back() else made.text)

    def numbered(self, number: int) -> ChairRow:
        """The chair of a number that was sent. Refusal E_CHAIR."""
        if not 0 <= number < len(self.chairs):
            raise Refusal("E_CHAIR", f"there is no chair {number}; they are numbered 0 to {len(self.chairs) - 1}")
        return self.chairs[number]

    def checked_name(self, name: str, chair: ChairRow | None = None) -> str:
        """The checked name of a person in that chair, or of a watcher (`check_name`). Refusal E_SETUP."""
        name = check_name(name, [other.name for other in self.chairs if other.name and other != chair])
        find_game(self.row.game).check_name(name)
        return name

    def seat_of(self, chair: int) -> int:
        """The seat of a chair in the match."""
        return (chair - max(self.live.rotation, 0)) % len(self.chairs)

    def chair_at(self, seat: int) -> ChairRow:
        """The chair of a seat in the match."""
        return self.chairs[(seat + max(self.live.rotation, 0)) % len(self.chairs)]

    def change(self, **values: Any) -> None:
        """Set columns of the table, in a way that everybody at it is told of."""
        values = {"revision": self.row.revision + 1, "changed": clock.now(), **values}
        self.t.change_table(self.row.id, **values)
        self.row = replace(self.row, **values)
        self.published = EVERYBODY

    def change_chair(self, number: int, **values: Any) -> None:
        """Set columns of a chair. When it changes hands, it is closed on the devices of who had it."""
        before = self.chairs[number].token
        if before and values.get("token", before) != before:
            self.t.forget_devices(self.row.id, before)
            self.t.forget_passes(self.row.id, before)
        self.t.change_chair(self.row.id, number, **values)
        self.chairs[number] = replace(self.chairs[number], **values)

    def seat_person(self, chair: ChairRow, name: str, holder: str, used: str, seen: int) -> None:
        """Give a chair to the holder of a token (hash), who watches no more; what its last holder wrote goes.

        ``used`` is the invitation or the asking that led there, ``seen`` when the holder was last seen.
        """
        sits = {"name": name, "token": holder, "used_invite": used, "seen": seen, "invite": "", "bot": ""}
        self.change_chair(chair.number, **{**PERSONAL, **sits})
        self.t.forget_watcher(self.row.id, holder)

    def restart_clocks(self, anew: Collection[int] = ()) -> None:
        """Bring the clocks in line with owed decisions and presence; those of the chairs ``anew`` restart."""
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
        number = self.row.entry + 1
        self.t.add(
            EntryRow(
                self.row.id, number, kind, seat, json.dumps(list(actions)), text, move_id, match.chain[-1], clock.now()
            )
        )
        self.change(entry=number, undo="", **standing(match))
        if match.over:
            self.t.add(Story.of(match, ALL_KNOWING).row(self.row.id))
            self._say_last_words()
        self.live.note(number, kind)
        decided = taken_back if kind == UNDO else [seat] if actions else []
        self.restart_clocks({self.chair_at(other).number for other in decided})

    def _say_last_words(self) -> None:
        if not self.row.quiet:
            by_seat = [self.chair_at(seat) for seat in range(len(self.chairs))]
            for line in last_words(self.match, self.row.id, by_seat, len(self.t.talk(self.row.id)) + 1):
                self.t.add(line)

    def chat(self, seat: int) -> None:
        """Have the regular in a seat say something after its move, if it has something to say and may."""
        if not self.row.quiet:
            line = remark(self.match, self.row.id, self.chair_at(seat), seat, lambda: self.t.talk(self.row.id))
            if line is not None:
                self.t.add(line)
