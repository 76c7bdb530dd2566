"""The rows that must survive: the database's tables, and a class for each kind of row."""

from dataclasses import dataclass

import sqlalchemy as sql

from backroom.engine.match import FORMAT

__all__ = [
    "CHAIRS",
    "DEVICES",
    "ENTRIES",
    "FINDINGS",
    "METADATA",
    "OUTBOX",
    "OWED",
    "PASSES",
    "PEOPLE",
    "PERSONAL",
    "POSITIONS",
    "STORIES",
    "TABLES",
    "TALK",
    "WATCHERS",
    "ChairRow",
    "DeviceRow",
    "EntryRow",
    "FindingRow",
    "MailRow",
    "OwedRow",
    "Owing",
    "Page",
    "PassRow",
    "PersonRow",
    "PositionRow",
    "StoryRow",
    "TableRow",
    "TalkRow",
    "WatcherRow",
]

METADATA = sql.MetaData()

TABLES = sql.Table(
    "tables",
    METADATA,
    sql.Column("id", sql.String(32), primary_key=True),
    sql.Column("game", sql.String(64), nullable=False),
    sql.Column("rules", sql.String(64), nullable=False),
    sql.Column("options", sql.Text, nullable=False),
    sql.Column("title", sql.Text, nullable=False),
    sql.Column("seed", sql.String(64), nullable=False),
    sql.Column("host", sql.Integer, nullable=False),
    sql.Column("creator", sql.String(64), nullable=False),
    sql.Column("create_id", sql.String(100), nullable=False),
    sql.Column("opening", sql.String(64), nullable=False),
    sql.Column("ply", sql.Integer, key="entry", nullable=False),
    sql.Column("revision", sql.Integer, nullable=False),
    sql.Column("acting", sql.Text, nullable=False),
    sql.Column("over", sql.Integer, nullable=False),
    sql.Column("undo", sql.Text, nullable=False),
    sql.Column("next_table", sql.String(32), nullable=False),
    sql.Column("changed", sql.BigInteger, nullable=False),
    sql.Column("pace", sql.Integer, nullable=False),
    sql.Column("out_of_time", sql.String(8), nullable=False),
    sql.Column("due", sql.BigInteger, nullable=False),
    sql.Column("created", sql.BigInteger, nullable=False),
    sql.Column("ended", sql.BigInteger, nullable=False),
    sql.Column("result", sql.Text, nullable=False),
    sql.Column("format", sql.Integer, nullable=False),
    sql.Column("client", sql.String(64), nullable=False),
    sql.Column("rotation", sql.Integer, nullable=False),
    sql.Column("giving", sql.Text, nullable=False),
    sql.Column("position", sql.Text, nullable=False),
    sql.Column("origin", sql.Text, nullable=False),
    sql.Column("quiet", sql.Integer, nullable=False),
    sql.UniqueConstraint("creator", "create_id"),
)
CHAIRS = sql.Table(
    "chairs",
    METADATA,
    sql.Column("table_id", sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("name", sql.String(64), nullable=False),
    sql.Column("token", sql.String(64), nullable=False, index=True),
    sql.Column("bot", sql.String(200), nullable=False),
    sql.Column("invite", sql.String(64), nullable=False, index=True),
    sql.Column("used_invite", sql.String(64), nullable=False, index=True),
    sql.Column("seen", sql.BigInteger, nullable=False),
    sql.Column("draft", sql.Text, nullable=False),
    sql.Column("notes", sql.Text, nullable=False),
    sql.Column("plan", sql.Text, nullable=False),
    sql.Column("asked", sql.BigInteger, nullable=False),
    sql.Column("lost", sql.Integer, nullable=False),
    sql.Column("anybody", sql.Integer, nullable=False, index=True),
    sql.Column("tell", sql.String(300), nullable=False),
)
ENTRIES = sql.Table(
    "entries",
    METADATA,
    sql.Column("table_id", sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("kind", sql.String(8), nullable=False),
    sql.Column("seat", sql.Integer, nullable=False),
    sql.Column("actions", sql.Text, nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("move_id", sql.String(100), nullable=False),
    sql.Column("link", sql.String(64), nullable=False),
    sql.Column("at", sql.BigInteger, nullable=False),
    sql.UniqueConstraint("table_id", "move_id"),
)
STORIES = sql.Table(
    "stories",
    METADATA,
    sql.Column("table_id", sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("story", sql.Text, nullable=False),
)
FINDINGS = sql.Table(
    "findings",
    METADATA,
    sql.Column("table_id", sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("kind", sql.String(8), primary_key=True),
    sql.Column("ply", sql.Integer, key="entry", nullable=False),
    sql.Column("done", sql.Integer, nullable=False),
    sql.Column("found", sql.Text, nullable=False),
)
POSITIONS = sql.Table(
    "positions",
    METADATA,
    sql.Column("id", sql.String(32), primary_key=True),
    sql.Column("table_id", sql.ForeignKey("tables.id"), nullable=False),
    sql.Column("ply", sql.Integer, key="entry", nullable=False),
    sql.Column("move", sql.Integer, nullable=False),
    sql.Column("viewer", sql.Integer, nullable=False),
    sql.Column("position", sql.Text, nullable=False),
    sql.UniqueConstraint("table_id", "entry", "move", "viewer"),
)
TALK = sql.Table(
    "talk",
    METADATA,
    sql.Column("table_id", sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("chair", sql.Integer, nullable=False),
    sql.Column("name", sql.String(64), nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("talk_id", sql.String(100), nullable=False),
    sql.Column("at", sql.BigInteger, nullable=False),
    sql.UniqueConstraint("table_id", "talk_id"),
)
WATCHERS = sql.Table(
    "watchers",
    METADATA,
    sql.Column("table_id", sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("token", sql.String(64), primary_key=True, index=True),
    sql.Column("name", sql.String(64), nullable=False),
    sql.Column("seen", sql.BigInteger, nullable=False),
    sql.Column("follows", sql.Integer, nullable=False),
    sql.Column("asks", sql.String(64), nullable=False),
    sql.Column("client", sql.String(64), nullable=False),
)
DEVICES = sql.Table(
    "devices",
    METADATA,
    sql.Column("table_id", sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("token", sql.String(64), primary_key=True, index=True),
    sql.Column("holder", sql.String(64), nullable=False),
)
PASSES = sql.Table(
    "passes",
    METADATA,
    sql.Column("secret", sql.String(64), primary_key=True),
    sql.Column("table_id", sql.ForeignKey("tables.id"), nullable=False),
    sql.Column("holder", sql.String(64), nullable=False),
    sql.Column("until", sql.BigInteger, nullable=False),
    sql.Column("used", sql.String(64), nullable=False),
)
PEOPLE = sql.Table(
    "people",
    METADATA,
    sql.Column("token", sql.String(64), primary_key=True),
    sql.Column("address", sql.String(254), nullable=False),
    sql.Column("confirmed", sql.Integer, nullable=False),
    sql.Column("secret", sql.String(64), nullable=False, index=True),
    sql.Column("changed", sql.BigInteger, nullable=False),
)
OWED = sql.Table(
    "owed",
    METADATA,
    sql.Column("table_id", sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("kind", sql.String(8), primary_key=True),
    sql.Column("ply", sql.Integer, key="entry", nullable=False),
    sql.Column("due", sql.BigInteger, nullable=False, index=True),
    sql.Column("claim", sql.String(64), nullable=False),
    sql.Column("tries", sql.Integer, nullable=False),
    sql.Column("waited", sql.BigInteger, nullable=False),
)
OUTBOX = sql.Table(
    "outbox",
    METADATA,
    sql.Column("id", sql.String(64), primary_key=True),
    sql.Column("kind", sql.String(8), nullable=False),
    sql.Column("token", sql.String(64), nullable=False),
    sql.Column("mailbox", sql.String(64), nullable=False),
    sql.Column("table_id", sql.String(32), nullable=False),
    sql.Column("chair", sql.Integer, nullable=False),
    sql.Column("ply", sql.Integer, key="entry", nullable=False),
    sql.Column("mover", sql.String(64), nullable=False),
    sql.Column("origin", sql.String(300), nullable=False),
    sql.Column("state", sql.String(8), nullable=False),
    sql.Column("made", sql.BigInteger, nullable=False),
    sql.Column("due", sql.BigInteger, nullable=False),
    sql.Column("tries", sql.Integer, nullable=False),
    sql.Column("sent", sql.BigInteger, nullable=False),
    sql.Index("ix_outbox_state_due", "state", "due"),
    sql.Index("ix_outbox_token", "token"),
)


@dataclass(frozen=True)
class TableRow:
    """A table. ``options`` and ``undo`` are JSON, ``acting`` the JSON list of chairs that owe a decision.

    ``entry`` is the number of the newest entry in its record (0: none), in a column called ``ply``. ``seed`` is the
    match seed in hex, ``creator`` the hash of a token, ``opening`` the hash of the opening position
    (empty before the start), ``undo`` empty while no take-back is asked. ``pace`` is how many seconds a decision may
    take (0: any number), ``out_of_time`` what follows (skip, bot, wait), ``due`` when that is (0: never as things
    are). ``changed``, ``due``, ``created`` and ``ended`` are in seconds since 1970; ``result`` is empty until the match
    begins, then JSON: its round and the points by chair; when it is over the winners' chairs and their score.
    ``format`` is that of the match's file (`Match.form`), ``client`` the address that it was made from, emptied when
    the match is over, ``rotation`` the chair of the first seat (-1: not known, before the start and at tables that
    started before this was kept).
    ``giving`` is empty while the players are not asked whom to give a chair to, else JSON (`backroom.tables.watchers`).
    ``position`` is the position line that its match begins at (empty: the set-up), ``origin`` the JSON of where a table
    to try something out is from (`backroom.tables.views.Origin`), empty at all others.
    At a ``quiet`` table the regulars do not chat (`backroom.tables.chatter`).
    """

    id: str
    game: str
    rules: str
    options: str
    title: str
    seed: str
    host: int
    creator: str
    create_id: str
    opening: str = ""
    entry: int = 0
    revision: int = 0
    acting: str = "[]"
    over: int = 0
    undo: str = ""
    next_table: str = ""
    changed: int = 0
    pace: int = 0
    out_of_time: str = "wait"
    due: int = 0
    created: int = 0
    ended: int = 0
    result: str = ""
    format: int = FORMAT
    client: str = ""
    rotation: int = -1
    giving: str = ""
    position: str = ""
    origin: str = ""
    quiet: int = 0


@dataclass(frozen=True)
class ChairRow:
    """A chair. ``token`` is the SHA-256 of its holder's token, ``used_invite`` the invitation it was taken with, or the
    asking of a watcher who was given it.

    ``plan`` is the JSON of a move prepared for its turn (`backroom.tables.plans`), empty when there is none. ``asked``
    is since when it owes the present decision (0: it owes none, or is a bot's), ``lost`` how many in a row it has lost
    to the clock. A chair for ``anybody`` is shown on the front page while it is free. ``tell`` is the address of the
    site that mail to its holder links to, empty when no mail is wished.
    """

    table_id: str
    number: int
    name: str = ""
    token: str = ""
    bot: str = ""
    invite: str = ""
    used_invite: str = ""
    seen: int = 0
    draft: str = ""
    notes: str = ""
    plan: str = ""
    asked: int = 0
    lost: int = 0
    anybody: int = 0
    tell: str = ""


PERSONAL = {"draft": "", "notes": "", "plan": "", "tell": "", "lost": 0}
"""The columns of a chair that belong to its holder and not to its seat: emptied when it changes hands."""


@dataclass(frozen=True)
class EntryRow:
    """One entry of the record: a move (``actions`` is the JSON list; for a message it is empty and ``text`` counts),
    or an undo (``actions`` holds how many moves it takes back). ``link`` is the match's chain hash after it."""

    table_id: str
    number: int
    kind: str
    seat: int
    actions: str
    text: str
    move_id: str
    link: str
    at: int


@dataclass(frozen=True)
class StoryRow:
    """The story of a finished match, as JSON (`backroom.tables.story`)."""

    table_id: str
    story: str


@dataclass(frozen=True)
class FindingRow:
    """What is being looked for at a table: the moves that decided its match (``kind`` decided), or a hint (hint).

    ``entry`` is the table's newest when it was asked for, ``done`` how much of it is done, in per cent, ``found`` what
    was found, as JSON (`backroom.tables.findings`); empty until then.
    """

    table_id: str
    kind: str
    entry: int
    done: int = 0
    found: str = ""


@dataclass(frozen=True)
class PositionRow:
    """A position of a match that goes on, shared by a link: after ``move`` moves, as ``viewer`` (a seat or SPECTATOR)
    could know it when the table's newest entry was ``entry``; in the line everything else is drawn anew."""

    id: str
    table_id: str
    entry: int
    move: int
    viewer: int
    position: str


@dataclass(frozen=True)
class TalkRow:
    """One line of talk, with its speaker's chair and name at that time."""

    table_id: str
    number: int
    chair: int
    name: str
    text: str
    talk_id: str
    at: int


@dataclass(frozen=True)
class WatcherRow:
    """A browser without a chair that looks at a table, follows it, or asks for a chair there.

    ``seen`` is when its page last gave a sign of life, in seconds since 1970; negative when that was leaving. ``asks``
    is the secret of its asking for a chair, empty when it does not ask. ``client`` is a hash of where it looks from.
    """

    table_id: str
    token: str
    name: str = ""
    seen: int = 0
    follows: int = 0
    asks: str = ""
    client: str = ""


@dataclass(frozen=True)
class DeviceRow:
    """A browser (the hash of its token) that has the chair of another, the ``holder``, at a table."""

    table_id: str
    token: str
    holder: str


@dataclass(frozen=True)
class PassRow:
    """A link that opens the chair of ``holder`` in one more browser, ``until`` a time (seconds since 1970).

    ``secret`` is the hash of what the link ends in, ``used`` that of the token of the browser that used it (empty:
    none).
    """

    secret: str
    table_id: str
    holder: str
    until: int
    used: str = ""


@dataclass(frozen=True)
class PersonRow:
    """The mail address of a browser, empty once no mail is wished. ``secret`` is what links in mail to it end in."""

    token: str
    address: str
    confirmed: int
    secret: str
    changed: int


@dataclass(frozen=True)
class MailRow:
    """A mail in the outbox. ``kind`` is confirm, turn or over, ``state`` due, sent or dropped.

    ``mailbox`` is a hash of the address for a confirmation, which is counted by it. ``entry`` is the table's newest
    when the turn came, ``mover`` whose move that was, ``origin`` the address of the site for links. ``due`` is when
    it is to be tried next (a process that tries it moves this on first), ``sent`` when it was sent.
    """

    id: str
    kind: str
    token: str
    made: int
    due: int
    origin: str
    mailbox: str = ""
    table_id: str = ""
    chair: int = 0
    entry: int = 0
    mover: str = ""
    state: str = "due"
    tries: int = 0
    sent: int = 0


@dataclass(frozen=True)
class OwedRow:
    """What a table owes: a decision of a bot's (``kind`` bot), a prepared move (plan), what follows when time runs out
    (clock), or something that was asked for (decided, hint: `FindingRow`).

    ``entry`` is the table's newest when it came to owe it, ``due`` when it is to be done. A server that does it moves
    that on by a few seconds first, again and again until it is done, with its ``claim`` (a secret) in the row; one that
    is killed leaves it to fall due. ``tries`` is how often in a row it has failed, ``waited`` until when somebody who
    moved there counts as waiting.
    """

    table_id: str
    kind: str
    entry: int
    due: int
    claim: str = ""
    tries: int = 0
    waited: int = 0


@dataclass(frozen=True)
class Owing:
    """All that is owed alike: whether it takes a bot's thinking, the client whose tables owe it, whether people wait
    there, and when the first of it is due. Mail is one of its own, with ``kind`` mail; other than that it is empty."""

    thinks: bool
    client: str
    waits: bool
    due: int
    kind: str = ""


Page = tuple[str, str]
"""An open page: its table, and the token (hash) of its browser."""
