"""Making a table, starting its match when every chair is taken, and making the next table with the same people."""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy.exc import IntegrityError

from backroom.bots.regulars import regular_of
from backroom.engine.game import Game, Refusal, check_players, find_game
from backroom.engine.match import Match
from backroom.engine.names import tidy
from backroom.engine.options import Options
from backroom.tables import clock, mail, owed
from backroom.tables.live import HERE_SECONDS, Change, options_of, standing
from backroom.tables.rows import ChairRow, EntryRow, TableRow
from backroom.tables.store import Store, Transaction
from backroom.tables.thinking import Limits
from backroom.tables.views import ChairRequest
from backroom.tables.words import alike, check_name, check_text, new_secret
from backroom.text.harmless import is_blank

__all__ = ["add", "bot_name", "new_table", "rematch", "start_if_full"]

APPRENTICE = "Apprentice"
"""What a bot is called that is none of the regulars, with a number."""


def bot_name(spec: str, taken: Sequence[str]) -> str:
    """A name for a bot that nobody at the table has: a regular's own, or an apprentice's number."""
    found = regular_of(spec)
    numbers = range(1, 2 * len(taken) + 3)
    if found is not None:
        own = found[0].name
        names = [own, *(f"{own}{number}" for number in numbers[1:])]
    else:
        names = [f"{APPRENTICE}{number}" for number in numbers]
    return next(name for name in names if not any(alike(name, other) for other in taken))


def new_table(
    creator: str,
    game: str,
    wanted: Sequence[ChairRequest],
    options: Mapping[str, Any],
    title: str,
    create_id: str,
    pace: int,
    out_of_time: str,
    client: str,
    quiet: bool,
    limits: Limits,
) -> tuple[TableRow, list[ChairRow]]:
    """A table as a token (hash) wants it, and its chairs; nothing is written down yet (`Tables.create`).

    ``limits`` are those of bots. Refusal E_SETUP, E_BOT, E_TEXT (the title).
    """
    found = find_game(game)
    built = found.options.build(options)
    for name in sorted(built.simulation_only):
        if getattr(built, name) != type(built).model_fields[name].default:
            raise Refusal("E_SETUP", f"option {name} is for simulations only; leave it out at a table")
    if pace and not clock.SHORTEST <= pace <= clock.LONGEST:
        bounds = f"{clock.SHORTEST} seconds to {clock.LONGEST // 86400} days ({clock.LONGEST})"
        raise Refusal("E_SETUP", f"pace is the time for a decision: 0 for no limit, or {bounds}")
    if out_of_time not in ("skip", "bot", "wait"):
        raise Refusal("E_SETUP", f"when time runs out: skip, bot or wait, not {out_of_time[:20]!r}")
    chairs = _chairs(found, built, wanted, creator, limits)
    table = TableRow(
        new_secret(10),
        found.name,
        found.version,
        json.dumps(built.model_dump()),
        check_text(title if not is_blank(title := " ".join(title.split())) else found.title, 80, "a table's name"),
        secrets.token_hex(32),
        next((number for number, chair in enumerate(wanted) if chair.kind == "you"), -1),
        creator,
        create_id,
        changed=clock.now(),
        created=clock.now(),
        pace=pace,
        out_of_time=out_of_time,
        client=client,
        quiet=int(quiet),
    )
    return table, chairs


def _chairs(
    game: Game, options: Options, wanted: Sequence[ChairRequest], creator: str, limits: Limits
) -> list[ChairRow]:
    """The chairs of a new table. Refusal E_SETUP (their number, a name), E_BOT."""
    if len(wanted) not in game.seats:
        check_players([f"player-{number}" for number in range(len(wanted))], game.seats)
    if sum(1 for chair in wanted if chair.kind == "you") > 1:
        raise Refusal("E_SETUP", "at most one chair can be yours")
    names = [tidy(chair.name) for chair in wanted]
    rows: list[ChairRow] = []
    for number, chair in enumerate(wanted):
        name = names[number]
        if chair.kind == "you" and not name:
            raise Refusal("E_SETUP", "your chair needs a name")
        if chair.kind == "bot":
            limits.bot(game, chair.bot, options, len(wanted))
            name = names[number] = name or bot_name(chair.bot, names)
        if chair.kind in ("you", "bot"):
            check_name(name, [row.name for row in rows if row.name])
            game.check_name(name)
        row = ChairRow("", number, name if chair.kind in ("you", "bot") else "", anybody=int(chair.kind == "anybody"))
        if chair.kind == "you":
            row = replace(row, token=creator, seen=clock.now())
        elif chair.kind == "bot":
            row = replace(row, bot=chair.bot)
        else:
            row = replace(row, invite=new_secret())
        rows.append(row)
    return rows


def add(
    store: Store, table: TableRow, chairs: Sequence[ChairRow], entries: Sequence[EntryRow] = ()
) -> tuple[str, bool]:
    """Write a new table down; its id, or that of the table that this very request made before, and whether it is new.

    It starts at once when no chair is free, with the ``entries`` of its record that are there already.
    """
    try:
        with store.write() as t:
            made = t.created(table.creator, table.create_id)
            if made is None:
                _add(t, table, chairs)
                for entry in entries:
                    t.add(entry)
    except IntegrityError:
        # The same request at the same moment through another process.
        with store.read() as t:
            made = t.created(table.creator, table.create_id)
        if made is None:
            raise
    return (table.id, True) if made is None else (made.id, False)


def _add(t: Transaction, table: TableRow, chairs: Sequence[ChairRow]) -> TableRow:
    """The same within a transaction; the table as it then is."""
    table = replace(table, **_opening(table, chairs))
    asked = clock.asked(table, chairs)
    chairs = [replace(chair, table_id=table.id, asked=asked.get(chair.number, 0)) for chair in chairs]
    table = replace(table, due=clock.due(table, chairs))
    t.add(table)
    for chair in chairs:
        t.add(chair)
    owed.settle(t, None, (table, chairs), lambda: 0, person=True)
    return table


def _opening(table: TableRow, chairs: Sequence[ChairRow]) -> dict[str, Any]:
    """The columns of a table that its set-up fills when all its chairs are taken; none while they are not."""
    if table.opening or not all(chair.token or chair.bot for chair in chairs):
        return {}
    game = find_game(table.game)
    players, begins = [chair.name for chair in chairs], table.position or None
    match = Match(game, options_of(table), players, bytes.fromhex(table.seed), begins)
    # It may have waited for company while the server was brought to newer rules.
    return {
        "opening": match.chain[0],
        "rules": game.version,
        "options": json.dumps(match.options.model_dump()),
        "format": match.form,
        "rotation": int(match.state.rotation),
        **standing(match),
    }


def start_if_full(change: Change) -> None:
    """Have the match begin when every chair is taken."""
    if opening := _opening(change.row, change.chairs):
        change.change(**opening)


def rematch(change: Change, mine: ChairRow, client: str, mails: bool) -> str:
    """Make the next table of one that is over, as somebody who sits there wishes (`Tables.rematch`); its id.

    ``mails``: mail is sent. Refusal E_GOING.
    """
    change.started()
    if not change.row.over:
        raise Refusal("E_GOING", "the match is not over yet")
    if change.row.next_table:
        return change.row.next_table
    moved = [*change.chairs[1:], change.chairs[0]]
    old = change.row
    game = find_game(old.game)
    options, last = old.options, change.live.match
    if change.replays and last is not None:
        kept = [chair.name if chair.token or chair.bot else "" for chair in moved]
        options = json.dumps(last.options.again(last.state, last.names, kept).model_dump())
    new = TableRow(
        new_secret(10), old.game, game.version, options, old.title, secrets.token_hex(32),
        moved.index(mine), mine.token, new_secret(), changed=clock.now(), created=clock.now(),
        pace=old.pace, out_of_time=old.out_of_time, client=client, quiet=old.quiet,
    )  # fmt: skip
    rows = []
    for number, chair in enumerate(moved):
        # They count as at the new table only when its page has been opened.
        seen = clock.now() if chair == mine else min(chair.seen, clock.now() - HERE_SECONDS)
        row = ChairRow(new.id, number, chair.name, chair.token, seen=seen, anybody=chair.anybody, tell=chair.tell)
        if not chair.token:
            row = replace(row, bot=chair.bot) if chair.bot else replace(row, name="", invite=new_secret())
        rows.append(row)
    opened = _add(change.t, new, rows)
    for device in change.t.devices(old.id):
        change.t.add(replace(device, table_id=new.id))
    if mails:
        mail.queue_turn_mail(change.t, new.acting, opened, rows, "")
    change.change(next_table=new.id)
    return new.id
