"""The store: what must survive (its rows: `rows`). Nothing here knows rules; nothing but these two knows SQL.

SQLite by default (write-ahead log, full synchronisation, one writer at a time by BEGIN IMMEDIATE), PostgreSQL by URL.
The record of a match is append-only: UNIQUE(table, number) and UNIQUE(table, move_id), so that neither two clients nor
a retry nor a crash can lose or double a move.
"""

import re
import sqlite3
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import alembic.command
import alembic.config
import alembic.util
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from backroom.engine.game import Refusal
from backroom.tables.rows import (
    CHAIRS,
    DEVICES,
    ENTRIES,
    FINDINGS,
    OUTBOX,
    OWED,
    PASSES,
    PEOPLE,
    POSITIONS,
    STORIES,
    TABLES,
    TALK,
    WATCHERS,
    ChairRow,
    DeviceRow,
    EntryRow,
    FindingRow,
    MailRow,
    OwedRow,
    Owing,
    Page,
    PassRow,
    PersonRow,
    PositionRow,
    StoryRow,
    TableRow,
    TalkRow,
    WatcherRow,
)

__all__ = ["AWAY", "Store", "Transaction", "is_away"]

PLAIN = re.compile(r"[a-z0-9]{1,64}")
"""The form of ids and invitations; nothing else is worth a query."""
MOST_ASKED = 500
"""So many ids go into one query; databases take only so many parameters."""

Row = TypeVar(
    "Row",
    TableRow,
    ChairRow,
    EntryRow,
    StoryRow,
    FindingRow,
    PositionRow,
    TalkRow,
    WatcherRow,
    PersonRow,
    MailRow,
    OwedRow,
    DeviceRow,
    PassRow,
)
SOURCES: dict[type, sql.Table] = {
    TableRow: TABLES, ChairRow: CHAIRS, EntryRow: ENTRIES, StoryRow: STORIES, FindingRow: FINDINGS,
    PositionRow: POSITIONS, DeviceRow: DEVICES, PassRow: PASSES, TalkRow: TALK,
    WatcherRow: WATCHERS, PersonRow: PEOPLE, MailRow: OUTBOX, OwedRow: OWED,
}  # fmt: skip


# Statements that are asked for with every move are built once: to build one takes as long as to run it.


FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in SOURCES}


def _rows(kind: type) -> sql.Select[Any]:
    """Rows of a kind, their columns in the order of its fields (a table's ``entry`` is the column ``ply``)."""
    return sql.select(*(SOURCES[kind].c[name] for name in FIELDS[kind]))


@cache
def _query(source: sql.Table, columns: tuple[str, ...], equal: tuple[str, ...], order: tuple[str, ...]) -> Any:
    """These columns of the rows where others equal the parameters of their names."""
    query = sql.select(*(source.c[name] for name in columns)).order_by(*(source.c[name] for name in order))
    return query.where(*(source.c[name] == sql.bindparam(name) for name in equal))


@cache
def _update(source: sql.Table, equal: tuple[str, ...], changed: tuple[str, ...]) -> sql.Update:
    """Set columns to the parameters of their names, where others equal the parameters ``at_NAME``."""
    where = (source.c[name] == sql.bindparam(f"at_{name}") for name in equal)
    return sql.update(source).where(*where).values({name: sql.bindparam(name) for name in changed})


@cache
def _insert(source: sql.Table) -> sql.Insert:
    return sql.insert(source)


class Transaction:
    """Reads and writes within one transaction."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def _all(self, kind: type[Row], *conditions: Any, order: Any = None, lock: bool = False) -> list[Row]:
        query = _rows(kind).where(*conditions)
        if order is not None:
            query = query.order_by(*order) if isinstance(order, tuple) else query.order_by(order)
        if lock:
            query = query.with_for_update()
        return [kind(*row) for row in self.connection.execute(query)]

    def _where(self, kind: type[Row], order: tuple[str, ...] = (), lock: bool = False, **equal: Any) -> list[Row]:
        query = _query(SOURCES[kind], FIELDS[kind], tuple(equal), order)
        found = self.connection.execute(query.with_for_update() if lock else query, equal)
        return [kind(*row) for row in found]

    def table(self, table: str, lock: bool = False) -> TableRow:
        """The table of that id; ``lock`` keeps other writers from it until the end. Refusal E_UNKNOWN."""
        found = self._where(TableRow, lock=lock, id=table) if PLAIN.fullmatch(table) else []
        if not found:
            raise Refusal("E_UNKNOWN", "there is no such table; is the link complete?")
        return found[0]

    def all_tables(self) -> list[TableRow]:
        """Every table there is."""
        return self._all(TableRow)

    def delete_table(self, table: str) -> None:
        """Remove a table with all that belongs to it."""
        for rows in (ENTRIES, STORIES, FINDINGS, POSITIONS, DEVICES, PASSES, TALK, WATCHERS, OWED, OUTBOX, CHAIRS):
            self.connection.execute(sql.delete(rows).where(rows.c.table_id == table))
        self.connection.execute(sql.update(TABLES).where(TABLES.c.next_table == table).values(next_table=""))
        self.connection.execute(sql.delete(TABLES).where(TABLES.c.id == table))

    def created(self, creator: str, create_id: str) -> TableRow | None:
        """The table that this very request made before, if it did."""
        found = self._all(TableRow, TABLES.c.creator == creator, TABLES.c.create_id == create_id)
        return found[0] if found else None

    def chairs(self, table: str) -> list[ChairRow]:
        """A table's chairs in order."""
        return self._where(ChairRow, ("number",), table_id=table)

    def invited(self, invite: str) -> ChairRow | None:
        """The free chair that an invitation leads to."""
        found = self._all(ChairRow, CHAIRS.c.invite == invite) if PLAIN.fullmatch(invite) else []
        return found[0] if found else None

    def led_to(self, invite: str) -> str:
        """The table to a chair of which an invitation leads or led; the empty text where it is unknown."""
        if not PLAIN.fullmatch(invite):
            return ""
        found = self._all(ChairRow, sql.or_(CHAIRS.c.invite == invite, CHAIRS.c.used_invite == invite))
        return found[0].table_id if found else ""

    def invited_before(self, invite: str) -> ChairRow | None:
        """A chair for anybody that was taken with this invitation."""
        where = (CHAIRS.c.used_invite == invite, CHAIRS.c.anybody == 1)
        found = self._all(ChairRow, *where, order=CHAIRS.c.number) if PLAIN.fullmatch(invite) else []
        return found[0] if found else None

    def entries(self, table: str, after: int = 0, until: int | None = None) -> list[EntryRow]:
        """The record's entries with numbers above ``after``, up to ``until`` (None: all)."""
        where = [ENTRIES.c.table_id == table, ENTRIES.c.number > after]
        where += [ENTRIES.c.number <= until] if until is not None else []
        return self._all(EntryRow, *where, order=ENTRIES.c.number)

    def entry(self, table: str, move_id: str) -> EntryRow | None:
        """The entry that a request with this move id made."""
        found = self._where(EntryRow, table_id=table, move_id=move_id)
        return found[0] if found else None

    def began(self, table: str) -> int:
        """When the record's first entry was made, in seconds since 1970; 0 without any."""
        return self.connection.scalar(sql.select(sql.func.min(ENTRIES.c.at)).where(ENTRIES.c.table_id == table)) or 0

    def story(self, table: str) -> StoryRow | None:
        """The story of a table's match, once it is over."""
        found = self._all(StoryRow, STORIES.c.table_id == table)
        return found[0] if found else None

    def finding(self, table: str, kind: str) -> FindingRow | None:
        """What was asked for of that kind at a table, if anything."""
        found = self._all(FindingRow, *self._finding(table, kind))
        return found[0] if found else None

    def look_for(self, row: FindingRow) -> None:
        """Write down what is asked for, in place of what was asked for before."""
        self.connection.execute(sql.delete(FINDINGS).where(*self._finding(row.table_id, row.kind)))
        self.add(row)

    def change_finding(self, table: str, kind: str, **values: Any) -> None:
        """Set columns of what was asked for."""
        self.connection.execute(sql.update(FINDINGS).where(*self._finding(table, kind)).values(**values))

    @staticmethod
    def _finding(table: str, kind: str) -> tuple[Any, ...]:
        return FINDINGS.c.table_id == table, FINDINGS.c.kind == kind

    def position(self, position: str) -> PositionRow:
        """The position that a link leads to. Refusal E_UNKNOWN."""
        found = self._where(PositionRow, id=position) if PLAIN.fullmatch(position) else []
        if not found:
            raise Refusal("E_UNKNOWN", "there is no such position; is the link complete?")
        return found[0]

    def shared(self, table: str, entry: int, move: int, viewer: int) -> PositionRow | None:
        """The position that was shared before of this moment of a table, as that viewer could know it."""
        found = self._where(PositionRow, table_id=table, entry=entry, move=move, viewer=viewer)
        return found[0] if found else None

    def shared_count(self, table: str) -> int:
        """How many positions of a table are shared."""
        query = sql.select(sql.func.count()).where(POSITIONS.c.table_id == table)
        return self.connection.scalar(query) or 0

    def untold(self) -> list[str]:
        """Tables whose match is over and of which no story is kept."""
        told = sql.exists().where(STORIES.c.table_id == TABLES.c.id)
        return list(self.connection.scalars(sql.select(TABLES.c.id).where(TABLES.c.over != 0, sql.not_(told))))

    def talk(self, table: str) -> list[TalkRow]:
        """All lines of talk at a table."""
        return self._where(TalkRow, ("number",), table_id=table)

    def said(self, table: str, talk_id: str) -> TalkRow | None:
        """The line that a request with this talk id made."""
        found = self._all(TalkRow, TALK.c.table_id == table, TALK.c.talk_id == talk_id)
        return found[0] if found else None

    def held_by(self, token: str, most: int) -> list[tuple[TableRow, int]]:
        """Tables where a token (hash) holds a chair, with that chair; the latest changed first, at most ``most``."""
        query = (
            _rows(TableRow)
            .add_columns(CHAIRS.c.number)
            .join(CHAIRS, CHAIRS.c.table_id == TABLES.c.id)
            .where(self._has_chair(token))
            .order_by(TABLES.c.changed.desc(), TABLES.c.id)
            .limit(most)
        )
        return [(TableRow(*row[:-1]), row[-1]) for row in self.connection.execute(query)]

    @staticmethod
    def _has_chair(token: str) -> Any:
        """Whether a chair is that of a token (hash), or open in its browser too."""
        same = (DEVICES.c.table_id == CHAIRS.c.table_id, DEVICES.c.holder == CHAIRS.c.token)
        return (CHAIRS.c.token == token) | sql.exists().where(*same, DEVICES.c.token == token)

    # Chairs on several devices

    def holder_of(self, table: str, token: str) -> str:
        """The token (hash) by which a browser is known at a table: that of the one whose chair it has, else its own."""
        found = self._where(DeviceRow, table_id=table, token=token)
        return found[0].holder if found else token

    def chairs_of_others(self, token: str) -> dict[str, str]:
        """The tables where a browser (the hash of its token) has the chair of another, with that one's."""
        return {row.table_id: row.holder for row in self._where(DeviceRow, token=token)}

    def devices(self, table: str) -> list[DeviceRow]:
        """The browsers that have the chair of another at a table."""
        return self._where(DeviceRow, table_id=table)

    def device_count(self, table: str, holder: str) -> int:
        """In how many other browsers the chair of a holder is open."""
        return sum(row.holder == holder for row in self.devices(table))

    def forget_devices(self, table: str, holder: str) -> None:
        """Have the chair of a holder open nowhere else."""
        self.connection.execute(sql.delete(DEVICES).where(DEVICES.c.table_id == table, DEVICES.c.holder == holder))

    def forget_device(self, table: str, token: str) -> None:
        """Have a browser have no chair of another's at a table."""
        self.connection.execute(sql.delete(DEVICES).where(DEVICES.c.table_id == table, DEVICES.c.token == token))

    def handover(self, secret: str) -> PassRow | None:
        """The link with that secret (its hash)."""
        found = self._where(PassRow, secret=secret)
        return found[0] if found else None

    def use_pass(self, secret: str, token: str) -> bool:
        """Use a link up for a browser, unless another was first; whether it was this one."""
        unused = (PASSES.c.secret == secret, PASSES.c.used == "")
        return self.connection.execute(sql.update(PASSES).where(*unused).values(used=token)).rowcount == 1

    def forget_passes(self, table: str, holder: str) -> None:
        """Have the links to the chair of a holder work no longer."""
        self.connection.execute(sql.delete(PASSES).where(PASSES.c.table_id == table, PASSES.c.holder == holder))

    def open_tables(self, token: str, seen: Sequence[tuple[bool, int]], most: int) -> list[TableRow]:
        """Tables that have not begun, with a free chair for anybody, where a person has looked in lately: the
        newest first, at most ``most``.

        ``seen`` says since when, for tables with a pace (True) and without. Those where the token (hash) holds a chair
        are left out.
        """

        def has(*conditions: Any) -> Any:
            return sql.exists().where(CHAIRS.c.table_id == TABLES.c.id, *conditions)

        free = (CHAIRS.c.anybody == 1, CHAIRS.c.invite != "", CHAIRS.c.token == "", CHAIRS.c.bot == "")
        lately = [
            sql.and_((TABLES.c.pace > 0) == paced, has(CHAIRS.c.token != "", CHAIRS.c.seen >= since))
            for paced, since in seen
        ]
        where = (TABLES.c.opening == "", has(*free), sql.not_(has(self._has_chair(token))), sql.or_(*lately))
        query = _rows(TableRow).where(*where).order_by(TABLES.c.created.desc(), TABLES.c.id).limit(most)
        return [TableRow(*row) for row in self.connection.execute(query)]

    def last_moved(self, table: str) -> list[int]:
        """When each move of the record was made, take-backs too, in order; what was only said counts for nothing."""
        query = sql.select(ENTRIES.c.at).where(ENTRIES.c.table_id == table, ENTRIES.c.actions != "[]")
        return list(self.connection.scalars(query.order_by(ENTRIES.c.number)))

    # What tables owe

    def owed(self, table: str) -> dict[str, OwedRow]:
        """What a table owes, by kind."""
        return {row.kind: row for row in self._all(OwedRow, OWED.c.table_id == table)}

    def owe(self, row: OwedRow) -> None:
        """Write down what a table owes, in place of what was owed of that kind."""
        self.owe_nothing(row.table_id, row.kind)
        self.add(row)

    def owe_nothing(self, table: str, kind: str) -> None:
        """Strike out what a table owes of a kind."""
        self.connection.execute(sql.delete(OWED).where(OWED.c.table_id == table, OWED.c.kind == kind))

    def change_owed(self, claimed: str, **values: Any) -> None:
        """Set columns of what is claimed so, if it still is."""
        self.connection.execute(sql.update(OWED).where(OWED.c.claim == claimed).values(**values))

    def renew_owed(self, claims: Collection[str], until: int) -> None:
        """Keep what is claimed so for a while longer, but for what is being written down anew just now."""
        query = sql.select(OWED.c.claim).where(OWED.c.claim.in_(claims)).with_for_update(skip_locked=True)
        for claim in list(self.connection.scalars(query)):
            self.change_owed(claim, due=until)

    def retry_owed(self, now: int) -> None:
        """Have what has failed tried again now."""
        where = (OWED.c.tries > 0, OWED.c.claim == "")
        self.connection.execute(sql.update(OWED).where(*where).values(due=now, tries=0))

    def owing(self, now: int, here: int, slack: int, but: Collection[tuple[str, str]], mail: bool) -> list[Owing]:
        """All that is owed now and later, in one query, and the mail that waits if ``mail``.

        People wait at a table where one of them was seen since ``here`` or has just moved. A clock that runs out later
        than any can was set by a machine's that was set back; it counts as due at 0. ``but``: games and their
        rules of which nothing is wanted.
        """
        thinks, waits, due = self._owing(now, here, slack)
        rows = (
            sql.select(thinks.label("thinks"), TABLES.c.client, waits.label("waits"), due.label("due"))
            .select_from(OWED.join(TABLES, TABLES.c.id == OWED.c.table_id))
            .where(*(sql.or_(TABLES.c.game != game, TABLES.c.rules != rules) for game, rules in but))
            .subquery()
        )
        same = (rows.c.thinks, rows.c.client, rows.c.waits)
        query: Any = sql.select(*same, sql.func.min(rows.c.due)).group_by(*same)
        if mail:
            first = sql.select(
                sql.literal(2), sql.literal(""), sql.literal(0), sql.func.min(OUTBOX.c.due)
            ).where(OUTBOX.c.state == "due")  # fmt: skip
            query = query.union_all(first)
        return [
            Owing(thinks == 1, client, bool(waits), due, "mail" if thinks == 2 else "")
            for thinks, client, waits, due in self.connection.execute(query)
            if due is not None
        ]

    @staticmethod
    def _owing(now: int, here: int, slack: int) -> tuple[Any, Any, Any]:
        """Of what is owed: whether it takes a bot's thinking (1 or 0), whether people wait there, when it is due."""
        clock = OWED.c.kind == "clock"
        thinks = sql.case(
            (
                OWED.c.kind.in_(("bot", "decided", "hint")) | (clock & (TABLES.c.out_of_time == "bot")),
                sql.literal_column("1"),
            ),
            else_=sql.literal_column("0"),
        )
        seen = sql.exists().where(CHAIRS.c.table_id == TABLES.c.id, CHAIRS.c.token != "", CHAIRS.c.seen >= here)
        waits = sql.case(((OWED.c.waited >= now) | seen, sql.literal_column("1")), else_=sql.literal_column("0"))
        ahead = clock & (OWED.c.due > TABLES.c.pace + now + slack)
        return thinks, waits, sql.case((ahead, sql.literal_column("0")), else_=OWED.c.due)

    def claim_owed(
        self, group: Owing, now: int, here: int, slack: int, but: Collection[tuple[str, str]], until: int, claim: str
    ) -> OwedRow | None:
        """Claim what has been due longest in a group, so that no other process does it until then; None: nothing is."""
        thinks, waits, due = self._owing(now, here, slack)
        query = (
            _rows(OwedRow)
            .join_from(OWED, TABLES, TABLES.c.id == OWED.c.table_id)
            .where(due <= now, thinks == int(group.thinks), TABLES.c.client == group.client, waits == int(group.waits))
            .where(*(sql.or_(TABLES.c.game != game, TABLES.c.rules != rules) for game, rules in but))
            .order_by(OWED.c.due, OWED.c.table_id)
            .limit(1)
            .with_for_update(of=OWED, skip_locked=True)
        )
        row = self.connection.execute(query).first()
        if row is None:
            return None
        found = OwedRow(*row)
        where = (OWED.c.table_id == found.table_id, OWED.c.kind == found.kind)
        self.connection.execute(sql.update(OWED).where(*where).values(claim=claim, due=until))
        return replace(found, claim=claim, due=until)

    # Watchers

    def watchers(self, table: str) -> list[WatcherRow]:
        """All that is kept of a table's watchers, by name."""
        return self._where(WatcherRow, ("name", "token"), table_id=table)

    def watcher(self, table: str, token: str) -> WatcherRow | None:
        """The row of one watcher."""
        found = self._where(WatcherRow, table_id=table, token=token)
        return found[0] if found else None

    def followed_by(self, token: str, most: int) -> list[TableRow]:
        """Tables that a token (hash) follows, the latest changed first."""
        query = _rows(TableRow).join(WATCHERS, WATCHERS.c.table_id == TABLES.c.id)
        query = query.where(WATCHERS.c.token == token, WATCHERS.c.follows == 1)
        rows = self.connection.execute(query.order_by(TABLES.c.changed.desc(), TABLES.c.id).limit(most))
        return [TableRow(*row) for row in rows]

    def change_watcher(self, table: str, token: str, **values: Any) -> None:
        """Set columns of a watcher."""
        where = (WATCHERS.c.table_id == table, WATCHERS.c.token == token)
        self.connection.execute(sql.update(WATCHERS).where(*where).values(**values))

    def forget_watcher(self, table: str, token: str) -> None:
        """Keep nothing of a watcher."""
        where = (WATCHERS.c.table_id == table, WATCHERS.c.token == token)
        self.connection.execute(sql.delete(WATCHERS).where(*where))

    # Open pages

    def places(self, tables: Collection[str]) -> list[tuple[str, int, int]]:
        """Where those tables stand: id, newest entry, revision; those that do not exist are left out.

        Anybody may listen for any id, and however many there are: none may spoil the answer for the others.
        """
        asked, found = sorted(filter(PLAIN.fullmatch, tables)), []
        for start in range(0, len(asked), MOST_ASKED):
            some = TABLES.c.id.in_(asked[start : start + MOST_ASKED])
            query = sql.select(TABLES.c.id, TABLES.c.entry, TABLES.c.revision).where(some)
            found += [tuple(row) for row in self.connection.execute(query)]
        return found

    def open_pages(self, tokens: Collection[str]) -> tuple[dict[Page, int], dict[Page, WatcherRow]]:
        """The signs of life of the pages of those tokens (hashes): when chairs were last seen, and watchers."""
        query = sql.select(CHAIRS.c.table_id, CHAIRS.c.token, CHAIRS.c.seen).where(CHAIRS.c.token.in_(tokens))
        chairs = {(table, token): seen for table, token, seen in self.connection.execute(query)}
        return chairs, {(row.table_id, row.token): row for row in self._all(WatcherRow, WATCHERS.c.token.in_(tokens))}

    def sign(self, chairs: Collection[Page], watchers: Collection[Page], now: int) -> None:
        """Keep a sign of those pages of chairs and of watchers."""
        for source, pages in ((CHAIRS, chairs), (WATCHERS, watchers)):
            if pages:
                here = (source.c.table_id == sql.bindparam("at"), source.c.token == sql.bindparam("of"))
                values = [{"at": table, "of": token} for table, token in pages]
                self.connection.execute(sql.update(source).where(*here).values(seen=now), values)

    # Mail

    def person(self, token: str = "", secret: str = "") -> PersonRow | None:
        """The person of a token (hash), or of the secret in a mail to her."""
        condition = PEOPLE.c.token == token if token else PEOPLE.c.secret == secret
        found = self._all(PersonRow, condition) if token or PLAIN.fullmatch(secret) else []
        return found[0] if found else None

    def set_person(self, row: PersonRow) -> None:
        """Keep a person, in place of what was kept of her."""
        self.connection.execute(sql.delete(PEOPLE).where(PEOPLE.c.token == row.token))
        self.add(row)

    def no_mail(self, token: str) -> None:
        """Take back the wish for mail in all chairs of a token (hash)."""
        self.connection.execute(sql.update(CHAIRS).where(CHAIRS.c.token == token).values(tell=""))

    def confirmations(self, since: int, token: str, mailbox: str) -> tuple[list[int], list[int]]:
        """When confirmations were asked for since then, by that token (hash) and for that mailbox."""
        made = OUTBOX.c.made
        query = sql.select(made, OUTBOX.c.token, OUTBOX.c.mailbox).where(
            OUTBOX.c.kind == "confirm", made > since, (OUTBOX.c.token == token) | (OUTBOX.c.mailbox == mailbox)
        )
        rows = list(self.connection.execute(query.order_by(made)))
        return [row[0] for row in rows if row[1] == token], [row[0] for row in rows if row[2] == mailbox]

    def next_mail(self) -> int | None:
        """When the next mail is due."""
        return self.connection.scalar(sql.select(sql.func.min(OUTBOX.c.due)).where(OUTBOX.c.state == "due"))

    def due_mail(self, now: int) -> MailRow | None:
        """The mail that has been due longest, kept from other processes until the end."""
        query = _rows(MailRow).where(OUTBOX.c.state == "due", OUTBOX.c.due <= now).order_by(OUTBOX.c.due)
        found = self.connection.execute(query.limit(1).with_for_update(skip_locked=True)).first()
        return MailRow(*found) if found is not None else None

    def last_mail(self, row: MailRow) -> tuple[int, bool]:
        """When mail about that table was last sent to that person (0: never), and whether a newer one waits."""
        same = (OUTBOX.c.token == row.token, OUTBOX.c.table_id == row.table_id, OUTBOX.c.id != row.id)
        sent = self.connection.scalar(sql.select(sql.func.max(OUTBOX.c.sent)).where(*same))
        newer = sql.select(OUTBOX.c.id).where(*same, OUTBOX.c.state == "due", OUTBOX.c.entry > row.entry).limit(1)
        return sent or 0, self.connection.scalar(newer) is not None

    def change_mail(self, mail: str, **values: Any) -> None:
        """Set columns of a mail."""
        self.connection.execute(sql.update(OUTBOX).where(OUTBOX.c.id == mail).values(**values))

    def forget_mail(self, before: int) -> None:
        """Keep nothing of mail that was done with and made before then."""
        self.connection.execute(sql.delete(OUTBOX).where(OUTBOX.c.state != "due", OUTBOX.c.made < before))

    # Writing

    def add(
        self,
        row: TableRow
        | ChairRow
        | EntryRow
        | StoryRow
        | FindingRow
        | PositionRow
        | DeviceRow
        | PassRow
        | TalkRow
        | WatcherRow
        | PersonRow
        | MailRow
        | OwedRow,
    ) -> None:
        """Append a row. sqlalchemy.exc.IntegrityError when one with its keys is there already."""
        values = {name: getattr(row, name) for name in FIELDS[type(row)]}
        self.connection.execute(_insert(SOURCES[type(row)]), values)

    def change_table(self, table: str, **values: Any) -> None:
        """Set columns of a table."""
        self.connection.execute(_update(TABLES, ("id",), tuple(values)), {"at_id": table, **values})

    def change_chair(self, table: str, number: int, **values: Any) -> None:
        """Set columns of a chair."""
        at = {"at_table_id": table, "at_number": number}
        self.connection.execute(_update(CHAIRS, ("table_id", "number"), tuple(values)), at | values)


PATIENCE = 5.0
"""Seconds that a transaction waits to begin: while another process writes, or the database is away."""
AWAY = (sql.exc.OperationalError, sql.exc.InterfaceError, sql.exc.TimeoutError)
"""Exceptions raised when the database does not answer, and sometimes for other reasons (`is_away`)."""


def is_away(problem: Exception) -> bool:
    """Whether one of `AWAY` says that the database does not answer: locked, gone, full. A wrong query is not that."""
    cause = getattr(problem, "orig", None)
    if isinstance(cause, sqlite3.Error):
        return getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF != sqlite3.SQLITE_ERROR
    return isinstance(problem, AWAY)


class Store:
    """A database of tables. Opening it brings its schema up to date."""

    def __init__(self, url: str) -> None:
        """Refusal E_STORE when the URL cannot be used."""
        try:
            remote = sql.make_url(url).get_backend_name() == "postgresql"
            connect = {"connect_timeout": int(PATIENCE)} if remote else {}
            self.engine = sql.create_engine(url, pool_pre_ping=remote, connect_args=connect)
            self.sqlite = self.engine.dialect.name == "sqlite"
            if self.sqlite:
                self._prepare_sqlite()
            self._migrate()
        except alembic.util.CommandError as problem:
            raise Refusal("E_STORE", f"the database was written by a newer Backroom ({problem})") from None
        except (sql.exc.SQLAlchemyError, ImportError, OSError) as problem:
            line = str(problem).splitlines()[0]
            raise Refusal("E_STORE", f"the database cannot be opened ({line}); expected sqlite:///FILE") from None

    def _prepare_sqlite(self) -> None:
        if self.engine.url.database and self.engine.url.database != ":memory:":
            Path(self.engine.url.database).parent.mkdir(parents=True, exist_ok=True)

        @sql.event.listens_for(self.engine, "connect")
        def configure(connection: Any, _record: Any) -> None:
            # The driver's own handling of transactions begins them late and never IMMEDIATE; `begin` does it here.
            connection.isolation_level = None
            connection.execute(f"PRAGMA busy_timeout = {int(PATIENCE * 1000)}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")

        @sql.event.listens_for(self.engine, "begin")
        def begin(connection: Connection) -> None:
            writing = connection.get_execution_options().get("writing", False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    def _migrate(self) -> None:
        config = alembic.config.Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self._connect(writing=True) as connection:
            if not self.sqlite:
                # Several server processes may start at once; the first migrates, the others wait for it.
                connection.execute(sql.text("SELECT pg_advisory_xact_lock(20261130)"))
            config.attributes["connection"] = connection
            alembic.command.upgrade(config, "head")

    @contextmanager
    def _connect(self, writing: bool) -> Iterator[Connection]:
        begun = self._begin(writing)
        with begun.connection as connection, begun:
            yield connection

    def _begin(self, writing: bool) -> sql.RootTransaction:
        """A new transaction. As nothing has been done in it yet, it is tried again while the database is away."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                connection = self.engine.connect().execution_options(writing=writing)
                try:
                    return connection.begin()
                except BaseException:
                    connection.close()
                    raise
            except AWAY as problem:
                if not is_away(problem) or time.monotonic() >= end:
                    raise
            time.sleep(0.2)

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """One consistent look at the store."""
        with self._connect(writing=False) as connection:
            yield Transaction(connection)

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """A transaction that is committed at its end, or not at all when an exception leaves it."""
        with self._connect(writing=True) as connection:
            yield Transaction(connection)

    def close(self) -> None:
        """Give the connections back."""
        self.engine.dispose()
