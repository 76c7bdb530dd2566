"""The story of a match: what is told of it when it is over, kept in the store so that it needs no rules to be read.

It is written in the transaction that ends the match. Tables that ended before there were stories get theirs when a
server starts, if their record replays to every position that it had. Where a match has none and does not replay under
the rules of today, what is left is its record: who made which move when, in the words that were typed.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, astuple, dataclass, replace
from typing import Any

from backroom.engine import chance
from backroom.engine.events import NOTHING
from backroom.engine.game import FINISHED, Refusal, find_game
from backroom.engine.match import Match, file_text
from backroom.engine.notation import Line, Thing, deed, player
from backroom.engine.options import Options
from backroom.engine.record import ALL_KNOWING, SPECTATOR, Viewer
from backroom.tables.rows import ChairRow, EntryRow, StoryRow, TableRow
from backroom.text.english import listed

__all__ = [
    "ENDED", "LATE", "MOVE", "UNDO", "Story", "fits", "match_file", "names_by_seat", "rests", "rotation_of",
    "standing_entries", "told_options",
]  # fmt: skip

ENDED = 3
"""How a table is over whose match could not go on under other rules and was ended by its players (`Tables.end`)."""

MOVE, UNDO, LATE = "move", "undo", "late"
"""Kinds of entry in a table's record; a late one is a move that was made for its seat because its time was over."""


def rests(row: TableRow) -> bool:
    """Whether a table's match was begun under rules that this server does not have, so that it cannot go on here."""
    if not row.opening or row.over:
        return False
    try:
        return find_game(row.game).version != row.rules
    except Refusal:
        return True


def told_options(row: TableRow) -> Options:
    """A table's options; of those that the game does not know any more, its defaults."""
    options, values = find_game(row.game).options, json.loads(row.options)
    try:
        return options.build(values)
    except Refusal:
        kept: dict[str, Any] = {}
        for name, value in values.items():
            try:
                options.build(kept | {name: value})
            except Refusal:
                continue
            kept[name] = value
        return options.build(kept)


def rotation_of(row: TableRow, names: Sequence[str]) -> int:
    """By how much the seats of a match that does not replay are turned against its chairs; -1: nobody can tell."""
    if row.rotation >= 0:
        return row.rotation
    try:
        return int(told_options(row).encode(names).get("rotation", 0))
    except Refusal:
        return -1


def names_by_seat(players: Sequence[str], rotation: int) -> tuple[str, ...]:
    """The names in order of seats; where that order is unknown, the numbers of the seats."""
    if rotation < 0:
        return tuple(f"seat-{seat + 1}" for seat in range(len(players)))
    return (*players[rotation:], *players[:rotation])


def standing_entries(entries: Sequence[EntryRow]) -> list[EntryRow]:
    """The moves of a record that stand, without those that were taken back."""
    found: list[EntryRow] = []
    for entry in entries:
        if entry.kind == UNDO:
            del found[len(found) - json.loads(entry.actions)[0] :]
        else:
            found.append(entry)
    return found


def match_file(row: TableRow, players: Sequence[str], names: Sequence[str], entries: Sequence[EntryRow]) -> str:
    """A match's file (`Match.dumps`) from its record alone; ``names`` are by seat, ``players`` by chair."""
    return file_text(
        {
            "backroom": row.format,
            "game": row.game,
            "rules": row.rules,
            "players": list(names if row.position else players),
            "options": json.loads(row.options),
            **({"position": row.position} if row.position else {}),
            "seed": row.seed,
            "commitment": chance.commitment(bytes.fromhex(row.seed)),
            "opening": row.opening,
            "moves": [
                {
                    "player": names[entry.seat],
                    "move": entry.text,
                    "actions": json.loads(entry.actions),
                    "hash": entry.link,
                }
                for entry in standing_entries(entries)
            ],
        }
    )


def fits(match: Match, row: TableRow) -> bool:
    """Whether a match that has replayed ended as the store says its table did: outcomes are counted by the rules."""
    if row.over not in (0, ENDED) and int(match.state.over) != row.over:
        return False
    if not row.result or row.over in (0, ENDED):
        return True
    scores, places = match.game.outcome(match.state)
    first = [seat for seat, place in enumerate(places) if place == 1 and row.over == FINISHED]
    chairs = [(seat + int(match.state.rotation)) % len(scores) for seat in first]
    said = json.loads(row.result)
    return bool(said["winners"] == chairs and said["score"] == (scores[first[0]] if first else 0))


@dataclass(frozen=True)
class Story:
    """The story of a match. ``lines`` are (move, line) as in `Match.lines`, without their events; ``at`` is, where
    the lines are moves as they were recorded, when each was made (seconds since 1970; 0: unknown), else empty.
    ``scores``, ``places`` and ``standings`` are empty where nobody can tell; ``position`` is the last position as a
    line of text.
    """

    names: tuple[str, ...]
    moves: int
    lines: tuple[tuple[int, Line], ...]
    at: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    standings: tuple[tuple[int, ...], ...] = ()
    position: str = ""

    @classmethod
    def of(cls, match: Match, viewer: Viewer) -> "Story":
        """What a viewer (a seat, SPECTATOR or ALL_KNOWING) may be told of a match; the outcome when it is over."""
        scores, places = match.game.outcome(match.state) if match.over else ([], [])
        return cls(
            names=match.names,
            moves=match.ply,
            lines=tuple((move, replace(line, event=NOTHING)) for move, line in match.lines(viewer)),
            scores=tuple(scores),
            places=tuple(places),
            standings=tuple(map(tuple, match.standings())) if match.over else (),
            position=match.game.notation.position(match.view(viewer), match.names, viewer),
        )

    @classmethod
    def recorded(
        cls, row: TableRow, chairs: Sequence[ChairRow], rotation: int, moves: Sequence[EntryRow], viewer: Viewer
    ) -> "Story":
        """The rest of a match that does not replay: its moves that stand, in the words that were typed.

        What a move tells to whom is for rules to say. So while it is not over a seat is told of its own moves alone, a
        table that is played from memory of none, and what was said of none: it may have been meant to be heard once.
        """
        names = names_by_seat([chair.name for chair in chairs], rotation)
        found = list(enumerate(moves, 1))
        count = len(found)
        if viewer is not ALL_KNOWING:
            own = rotation >= 0 and viewer != SPECTATOR and not told_options(row).from_memory
            found = [(move, entry) for move, entry in found if own and entry.seat == viewer and entry.actions != "[]"]
        lines = [(move, deed(player(entry.seat, names), [], (f": {entry.text}",))) for move, entry in found]
        at = [entry.at for _, entry in found]
        result = json.loads(row.result) if row.over and row.result else {"winners": []}
        if result["winners"]:
            winners = listed([chairs[number].name for number in result["winners"]])
            lines.append((count, Line((f"Won by {winners}, with {result['score']}.",))))
            at.append(row.ended)
        return cls(names, count, tuple(lines), tuple(at))

    def row(self, table: str) -> StoryRow:
        """As the store keeps it."""
        data = asdict(replace(self, lines=()))
        data["lines"] = [[move, _packed(line)] for move, line in self.lines]
        return StoryRow(table, json.dumps(data, ensure_ascii=False, separators=(",", ":")))

    @classmethod
    def read(cls, row: StoryRow) -> "Story":
        """From what the store keeps."""
        data = json.loads(row.story)
        return cls(
            names=tuple(data["names"]),
            moves=data["moves"],
            lines=tuple((move, _unpacked(line)) for move, line in data["lines"]),
            at=tuple(data["at"]),
            scores=tuple(data["scores"]),
            places=tuple(data["places"]),
            standings=tuple(map(tuple, data["standings"])),
            position=data["position"],
        )


def _packed(line: Line) -> dict[str, Any]:
    parts = [part if isinstance(part, str) else list(astuple(part)) for part in line.parts]
    rest = {"rule": line.rule, "seat": line.seat, "deed": line.deed}
    return {"parts": parts} | {name: value for name, value in rest.items() if value not in ("", None)}


def _unpacked(data: dict[str, Any]) -> Line:
    parts = tuple(part if isinstance(part, str) else Thing(*part) for part in data["parts"])
    return Line(parts, data.get("rule", ""), data.get("seat"), data.get("deed", ""))
