"""Trying out: playing on from a position against bots at a new table, and positions that are shared by a link.

From a match that is over the new table begins with the moves that led there: the same seed, names and entries, so the
same hash after each of them, and whatever has not been drawn yet is drawn as it was in that match. From a match that
goes on it begins at a position of its own, which is made from the view of whoever asks and from nothing else: what
that viewer cannot know is drawn anew (`determinize`), and so is all chance to come. The same goes for a link to such a
position. Nothing else comes along: neither talk nor notes.
"""

import copy
import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from backroom.engine import chance, rng
from backroom.engine.game import Refusal, find_game
from backroom.engine.match import Match
from backroom.engine.record import ALL_KNOWING, SPECTATOR
from backroom.engine.view import determinize
from backroom.tables import clock, practising, showing
from backroom.tables.live import Change, held, options_of, standing
from backroom.tables.rows import ChairRow, EntryRow, PositionRow, TableRow
from backroom.tables.store import Transaction
from backroom.tables.story import MOVE
from backroom.tables.thinking import Limits
from backroom.tables.views import Chair, Origin, SharedPosition, TableView
from backroom.tables.words import new_secret

__all__ = ["begun", "begun_at", "share", "shared", "why_not"]

BOT = "search"
"""The bot that plays for people of that match."""
MOST_SHARED = 200
"""Positions of one match that are shared by links; more would only fill the store."""


def begun(
    change: Change,
    known: str,
    holder: str,
    ply: int,
    seat: int | None,
    create_id: str,
    client: str,
    limits: Limits,
) -> tuple[TableRow, list[ChairRow], list[EntryRow]]:
    """The new table as the holder of a token (hash) wishes it, who is ``known`` at the other (`Change.holder`), with
    its chairs and entries; nothing is written down yet.

    ``seat`` is where that browser sits then; None: where it sat, else that of a seat that owes the decision there.
    Refusal E_WAIT, E_GOING, E_VERSION, E_PRACTICE, E_PLY, E_CHAIR, E_BOT.
    """
    change.started()
    if not change.replays:
        raise Refusal("E_VERSION", "its positions cannot be played any more")
    mine = held(change.chairs, known)
    own = change.seat_of(mine.number) if mine is not None else None
    if seat is None:
        seat = own
    bots = [change.chair_at(other).bot for other in range(len(change.chairs))]
    origin = Origin(change.row.title, ply)
    if change.row.over:
        match = _until(change.match, ply)
    else:
        viewer = SPECTATOR if own is None else own
        origin = replace(origin, drawn=True, seen_by=mine.name if mine is not None else "")
        match = _at(change.match, drawn_anew(change, viewer, ply))
    table, chairs = _rows(change.row, match, origin, holder, seat, bots, create_id, client, limits)
    return table, chairs, _entries(table, match)


def begun_at(
    t: Transaction, shared: PositionRow, holder: str, seat: int | None, create_id: str, client: str, limits: Limits
) -> tuple[TableRow, list[ChairRow]]:
    """The new table from a position that was shared by a link, and its chairs. Refusal E_VERSION, E_CHAIR, E_BOT."""
    row = t.table(shared.table_id)
    chairs = t.chairs(row.id)
    match = _shared_match(row, chairs, shared)
    turned = int(match.state.rotation)
    bots = [chairs[(there + turned) % len(chairs)].bot for there in range(len(chairs))]
    if seat is None and shared.viewer != SPECTATOR:
        seat = shared.viewer
    origin = Origin(row.title, shared.move, drawn=True, seen_by=_seen_by(match, shared))
    return _rows(row, match, origin, holder, seat, bots, create_id, client, limits)


def _rows(
    old: TableRow,
    match: Match,
    origin: Origin,
    holder: str,
    seat: int | None,
    bots: Sequence[str],
    create_id: str,
    client: str,
    limits: Limits,
) -> tuple[TableRow, list[ChairRow]]:
    """The table of a match that goes on as it stands, against bots; ``bots`` are by seat, empty for people."""
    count, rotation = len(match.names), int(match.state.rotation)
    seat = match.acting[0] if seat is None else seat
    if not 0 <= seat < count:
        raise Refusal("E_CHAIR", f"there is no seat {seat}; they are numbered 0 to {count - 1}")
    title = f"{old.title[:60]}, on from move {origin.move}"
    table = TableRow(
        new_secret(10), old.game, old.rules, old.options, title, match.seed.hex(), (seat + rotation) % count, holder,
        create_id, match.chain[0], entry=match.ply, changed=clock.now(), created=clock.now(), client=client,
        format=match.form, rotation=rotation, position=match.position or "", origin=json.dumps(asdict(origin)),
        quiet=old.quiet, **standing(match),
    )  # fmt: skip
    chairs = []
    for number in range(count):
        there = (number - rotation) % count
        row = ChairRow(table.id, number, match.names[there])
        if there == seat:
            chairs.append(replace(row, token=holder, seen=clock.now()))
        else:
            spec = limits.bot(match.game, bots[there] or BOT, match.options, count).spec
            chairs.append(replace(row, bot=spec))
    return table, chairs


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


# From a match that goes on


def why_not(change: Change, ply: int) -> str:
    """Why nothing can be tried out from a match that goes on, after so many moves; empty where it can."""
    match = change.match
    if practising.practises(change.chairs):
        return "this is a practice already"
    if match.options.from_memory:
        return "it is played from memory, and a position to try out would be a note; wait until it is over"
    if int(match.game.kernels["sealed"](match.at(ply))):
        return "somebody has chosen in secret; wait until all have and it is shown"
    return ""


def drawn_anew(change: Change, viewer: int, ply: int) -> str:
    """A position of a match that goes on as one line, after so many moves: what the viewer (a seat or SPECTATOR) could
    know then, and everything else drawn from what is possible. It follows from that view and from nothing else.

    Refusal E_PLY, E_GOING (`why_not`).
    """
    match = change.match
    if not 0 <= ply <= match.ply or (ply < match.ply and match.keeps_back()):
        raise Refusal("E_PLY", f"this match has 0 to {match.ply} moves so far, and not all may be looked back at")
    if wrong := why_not(change, ply):
        raise Refusal("E_GOING", f"{wrong[:1].upper()}{wrong[1:]}")
    game = match.game
    state = determinize(game, game.state.view(match.at(ply), viewer), viewer, rng.generator(secrets.token_hex(16)))
    return game.notation.position(state, match.names, ALL_KNOWING)


def _at(match: Match, position: str) -> Match:
    """A match that begins at a position of another, with chance of its own."""
    return Match(match.game, match.options, match.names, chance.match_seed(), position)


def share(change: Change, holder: str, ply: int, outside: bool) -> PositionRow:
    """Make a link to a position of a match that goes on, as the holder of a token (hash) sees it, or as somebody
    without a chair does (``outside``); the one that was made before, if there is one.

    Refusal E_WAIT, E_OVER, E_VERSION, E_PLY, E_GOING, E_CROWD.
    """
    if change.match.over:
        raise Refusal("E_OVER", "the match is over; the address of each of its positions can be sent as it is")
    mine = held(change.chairs, holder)
    viewer = SPECTATOR if outside or mine is None else change.seat_of(mine.number)
    position = drawn_anew(change, viewer, ply)
    known = change.t.shared(change.row.id, change.row.entry, ply, viewer)
    if known is not None:
        return known
    if change.t.shared_count(change.row.id) >= MOST_SHARED:
        raise Refusal("E_CROWD", f"{MOST_SHARED} positions of this match are shared already")
    row = PositionRow(new_secret(16), change.row.id, change.row.entry, ply, viewer, position)
    change.t.add(row)
    return row


def _shared_match(row: TableRow, chairs: Sequence[ChairRow], shared: PositionRow) -> Match:
    """A match that stands at a shared position. Refusal E_VERSION where this server's rules cannot read it."""
    game = find_game(row.game)
    if game.version != row.rules:
        raise Refusal("E_VERSION", f"this position is of rules {row.rules} of {game.title}; here are {game.version}")
    return Match(game, options_of(row), [chair.name for chair in chairs], chance.match_seed(), shared.position)


def _seen_by(match: Match, shared: PositionRow) -> str:
    return match.names[shared.viewer] if shared.viewer != SPECTATOR else ""


def shared(t: Transaction, row: PositionRow, seat: int | None) -> SharedPosition:
    """What a link to a position leads to, as a seat there would see it (SPECTATOR: from outside; None: as it was
    shared).

    Refusal E_VERSION, E_CHAIR.
    """
    table = t.table(row.table_id)
    match = _shared_match(table, t.chairs(table.id), row)
    viewer = row.viewer if seat is None else seat
    if not SPECTATOR <= viewer < len(match.names):
        raise Refusal("E_CHAIR", f"there is no seat {viewer}; they are numbered 0 to {len(match.names) - 1}")
    looked = viewer if viewer != SPECTATOR else None
    rotation, count = int(match.state.rotation), len(match.names)
    shown: dict[str, Any] = showing.position(match, looked, None, whole=False)
    view = TableView(
        table="",
        title=table.title,
        game=match.game,
        options=match.options,
        rules=table.rules,
        chairs=tuple(
            Chair(number, match.names[there], there, False, False, False, False, "", "")
            for number in range(count)
            for there in [(number - rotation) % count]
        ),
        started=True,
        entry=0,
        revision=0,
        commitment="",
        you=None,
        seat=looked,
        **shown,
        draft="",
        undo_free=False,
        undo=None,
        talk=(),
        notes="",
        link="",
        seed="",
        next_table="",
        origin=Origin(table.title, row.move, drawn=True, seen_by=_seen_by(match, row)),
        still=True,
    )
    return SharedPosition(row.id, view)
