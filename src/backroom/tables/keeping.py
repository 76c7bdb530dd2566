"""The host's work on a server's tables from a terminal: list them, delete some, keep a copy of them all.

Works on the database, with a server on it or without. Nothing here shows what a player may not know, but for `export`,
which asks to be told so for a match that is not over.
"""

import os
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sqlalchemy import URL

from backroom.engine.game import Refusal
from backroom.tables import clock
from backroom.tables.live import Live
from backroom.tables.rows import ChairRow, TableRow
from backroom.tables.store import Store, Transaction
from backroom.tables.story import ENDED, match_file, names_by_seat, rests
from backroom.text.files import shown, unusable

__all__ = [
    "Kept", "back_up", "delete", "export", "file_of", "listed", "prunable", "restore", "seconds_of", "shown_table",
]  # fmt: skip

State = Literal["waiting", "running", "stopped", "finished", "ended"]
"""Of a table: for company, playing, unable to go on under this server's rules, over, or over since it was ended."""
UNITS = {"h": 3600, "d": 86400, "w": 7 * 86400}


@dataclass(frozen=True)
class Kept:
    """A table as its server's host sees it. Times are in seconds since 1970.

    ``people`` and ``bots`` are names, ``free`` is how many chairs are, ``moves`` counts the entries of the record,
    ``touched`` is when somebody last did something there or had its page open.
    """

    table: str
    title: str
    game: str
    rules: str
    state: State
    people: tuple[str, ...]
    bots: tuple[str, ...]
    free: int
    moves: int
    created: int
    touched: int


def seconds_of(text: str) -> int:
    """A time like 90d, 12h or 6w in seconds. Refusal E_USAGE."""
    found = re.fullmatch(r"(\d{1,5})([hdw])", text.strip().lower())
    if not found:
        raise Refusal("E_USAGE", f"a time is like 12h, 90d or 6w, not {text[:20]!r}")
    return int(found[1]) * UNITS[found[2]]


def _kept(row: TableRow, chairs: Sequence[ChairRow]) -> Kept:
    state: State = "running"
    if row.over:
        state = "ended" if row.over == ENDED else "finished"
    elif not row.opening:
        state = "waiting"
    elif rests(row):
        state = "stopped"
    return Kept(
        table=row.id,
        title=row.title,
        game=row.game,
        rules=row.rules,
        state=state,
        people=tuple(chair.name for chair in chairs if chair.token),
        bots=tuple(chair.name for chair in chairs if chair.bot and not chair.token),
        free=sum(not (chair.token or chair.bot) for chair in chairs),
        moves=row.entry,
        created=row.created,
        touched=max([row.changed, *(abs(chair.seen) for chair in chairs)]),
    )


def listed(store: Store) -> list[Kept]:
    """All tables, those touched last first."""
    with store.read() as t:
        found = [_kept(row, t.chairs(row.id)) for row in t.all_tables()]
    return sorted(found, key=lambda kept: (-kept.touched, kept.table))


def _row(t: Transaction, table: str) -> TableRow:
    """The table that a host names at a terminal. Refusal E_UNKNOWN."""
    try:
        return t.table(table)
    except Refusal as refused:
        raise Refusal(
            refused.code, f"there is no table {table[:40]!r}; `backroom tables list` shows their ids"
        ) from None


def shown_table(store: Store, table: str) -> tuple[Kept, TableRow, list[ChairRow], int]:
    """A table, its row and chairs, and how many lines of talk there are. Refusal E_UNKNOWN."""
    with store.read() as t:
        row, chairs = _row(t, table), t.chairs(table)
        return _kept(row, chairs), row, chairs, len(t.talk(table))


def export(store: Store, table: str, unfinished: bool = False) -> str:
    """The file of a table's match, from its record.

    Refusal E_UNKNOWN, E_WAIT before the start, and E_EXPORT for a match that is not over unless ``unfinished`` says
    that whoever reads it may know the seed and all hands.
    """
    with store.read() as t:
        row, chairs = _row(t, table), t.chairs(table)
        if not row.opening:
            raise Refusal("E_WAIT", "the match has not started; there is nothing to export")
        if not (row.over or unfinished):
            raise Refusal(
                "E_EXPORT", "the match is not over, and its file holds the seed and so all hands: --unfinished"
            )
        players = [chair.name for chair in chairs]
        return match_file(row, players, names_by_seat(players, _rotation(t, row, chairs)), t.entries(table))


def _rotation(t: Transaction, row: TableRow, chairs: Sequence[ChairRow]) -> int:
    if row.rotation >= 0:
        return row.rotation
    live = Live()
    live.follow(t, row, chairs)
    return live.rotation


def prunable(store: Store, older: int, running: bool = False) -> list[Kept]:
    """The tables that nobody has touched for so many seconds: those that are over or never started.

    With ``running`` those too whose match goes on.
    """
    states = ("finished", "ended", "waiting", *(("running", "stopped") if running else ()))
    until = clock.now() - older
    return [kept for kept in listed(store) if kept.touched <= until and kept.state in states]


def delete(store: Store, tables: Sequence[Kept]) -> list[str]:
    """Remove tables with all that was said and written there; those that were still as they are here.

    What somebody has touched since is left alone. The ids of what is gone.
    """
    gone = []
    for kept in tables:
        with suppress(Refusal), store.write() as t:
            row = t.table(kept.table, lock=True)
            if _kept(row, t.chairs(row.id)) == kept:
                t.delete_table(row.id)
                gone.append(row.id)
    return gone


# A copy of all


def file_of(url: URL) -> Path:
    """The file of an SQLite database. Refusal E_STORE for any other."""
    if url.get_backend_name() != "sqlite" or not url.database:
        raise Refusal("E_STORE", "this is for SQLite; PostgreSQL has pg_dump and pg_restore (docs/hosting.md)")
    return Path(url.database)


def _check(file: Path) -> None:
    """Refusal E_FILE unless it is a whole SQLite database of tables."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            whole = connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            connection.execute("SELECT version_num FROM alembic_version, (SELECT count(*) FROM tables)").fetchone()
    except sqlite3.Error as problem:
        raise Refusal("E_FILE", f"{shown(file)}: no database of tables ({problem})") from None
    if not whole:
        raise Refusal("E_FILE", f"{shown(file)}: the database in it is damaged")


def _copy(source: Path, target: Path) -> None:
    """Copy a database that may be in use; the target appears when it is whole. Refusal E_FILE, E_STORE."""
    partial = target.with_name(f"{target.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as there,
            closing(sqlite3.connect(partial)) as here,
        ):
            there.backup(here)
            here.execute("PRAGMA journal_mode = DELETE")
        _check(partial)
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(partial, target)
    except OSError as problem:
        raise unusable(target, "be written", problem) from None
    except sqlite3.Error as problem:
        raise Refusal("E_STORE", f"{shown(source)} could not be copied to {shown(target)} ({problem})") from None
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def back_up(store: Store, target: Path) -> int:
    """Write a copy of the database as it is at one moment, while it is served; how many tables are in it.

    Refusal E_FILE when the file is there already or cannot be written, E_STORE for PostgreSQL.
    """
    source = file_of(store.engine.url)
    if target.exists():
        raise Refusal("E_FILE", f"{shown(target)} is there already; a backup replaces nothing")
    _copy(source, target)
    with closing(sqlite3.connect(f"{target.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM tables").fetchone()[0])


def restore(source: Path, target: Path, replace: bool = False) -> Path | None:
    """Put a backup where a server will find it; where the database that was there is kept, None if none was.

    Refusal E_FILE when the backup is none, or a database is there and ``replace`` does not say so; E_STORE while a
    server has it open: what it holds in memory would not be what is in the file.
    """
    _check(source)
    aside = None
    if target.exists():
        if not replace:
            raise Refusal("E_FILE", f"{shown(target)} is there already; --yes puts it aside")
        _refuse_in_use(target)
        aside = target.with_name(f"{target.name}.before-{clock.now()}")
    new = target.with_name(f"{target.name}.restored")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _copy(source, new)
        if aside is not None:
            os.replace(target, aside)
        os.replace(new, target)
    except OSError as problem:
        raise unusable(target, "be written", problem) from None
    return aside


def _refuse_in_use(file: Path) -> None:
    """Refusal E_STORE while another process has the database open: only a sole user may leave its write-ahead log."""
    try:
        with closing(sqlite3.connect(file, timeout=0.2, isolation_level=None)) as connection:
            if connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0] == "delete":
                return
    except sqlite3.OperationalError:
        pass
    except sqlite3.Error:
        return  # no database at all; it is put aside as it is
    raise Refusal("E_STORE", f"{shown(file)} is open in a server; stop that first")
