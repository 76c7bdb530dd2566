"""Who looks at a table without a chair: who is there, who follows it, who asks for a chair, and who may give one.

All within a `Change` of the table; `Tables` opens it. A coming or a going is told to open pages at most once in
SEEN_SECONDS a table (`Tables.pulse`): the list is right whenever a page is fetched, and a crowd makes no storm.
"""

from itertools import pairwise

from backroom.engine.game import Refusal
from backroom.tables import clock
from backroom.tables.live import Change, held
from backroom.tables.store import ChairRow, Transaction, WatcherRow
from backroom.tables.views import Asker, Crowd
from backroom.tables.words import alike, check_name, new_secret

__all__ = [
    "ask", "askers", "asks", "called", "crowd", "follow", "give", "go", "is_here", "sign", "substitute_after",
    "to_give",
]  # fmt: skip

HERE_SECONDS, SEEN_SECONDS = 90, 30
"""How long somebody counts as here after a sign of an open page, and how often signs are kept."""
MOST_WATCHERS = 200
"""What is kept of a table's watchers; those who only looked on make room for others."""
ASK_SECONDS = 7 * 86400
"""How long somebody asks for a chair who does not look in any more."""
SUBSTITUTE_SECONDS = 30 * 60
MOST_SUBSTITUTE_SECONDS = 7 * 86400
"""How long a table waits for somebody who is away, at least and at most, before the host may give the chair away."""


def is_here(row: WatcherRow | ChairRow) -> bool:
    """Whether a watcher's page is open, or that of a chair's holder."""
    return clock.now() - row.seen < HERE_SECONDS


def asks(row: WatcherRow) -> bool:
    """Whether a watcher asks for a chair."""
    return bool(row.asks) and clock.now() - abs(row.seen) < ASK_SECONDS


def called(row: WatcherRow, chairs: list[ChairRow]) -> str:
    """What a watcher is called at this table: empty where a player has that name, or one that looks like it."""
    return row.name if not any(alike(row.name, chair.name) for chair in chairs if chair.name) else ""


def sign(t: Transaction, table: str, token: str, name: str) -> bool:
    """Keep a sign of a watcher's open page, at most once in SEEN_SECONDS. Whether somebody has come with that.

    ``name`` is what the browser calls itself, kept if a player could be called so. A page that is being left gives its
    last signs when its reader has said that they leave; these count for nothing.
    """
    now = clock.now()
    if held(t.chairs(table), token) is not None:
        return False  # sat down a moment ago
    try:
        name = check_name(name) if name else ""
    except Refusal:
        name = ""
    row = t.watcher(table, token)
    if row is None:
        if not _room(t, table):
            return False
        t.add(WatcherRow(table, token, name, now))
        return True
    if now - abs(row.seen) >= SEEN_SECONDS:
        t.change_watcher(table, token, seen=now, name=row.name if row.asks else name)
        return not is_here(row)
    return False


def _room(t: Transaction, table: str) -> bool:
    """Whether one more watcher can be kept; if need be by forgetting who looked on before and is gone."""
    rows = t.watchers(table)
    if len(rows) < MOST_WATCHERS:
        return True
    gone = [row for row in rows if not (row.follows or asks(row) or is_here(row))]
    for row in gone:
        t.forget_watcher(table, row.token)
    return bool(gone)


def _own(change: Change, token: str) -> WatcherRow:
    """What is kept of a watcher, made if there is nothing yet. Refusal E_SEAT for a player, E_CROWD when it is full."""
    mine = held(change.chairs, token)
    if mine is not None:
        raise Refusal("E_SEAT", f"you sit at this table, as {mine.name}; that is for those who watch")
    row = change.t.watcher(change.row.id, token)
    if row is None:
        if not _room(change.t, change.row.id):
            raise Refusal("E_CROWD", f"{MOST_WATCHERS} people watch or follow this table already; that is all it keeps")
        row = WatcherRow(change.row.id, token)
        change.t.add(row)
    return row


def follow(change: Change, token: str, on: bool) -> bool:
    """Have the table among one's tables, or no longer. Whether that is new."""
    row = change.t.watcher(change.row.id, token)
    if bool(row is not None and row.follows) == on and held(change.chairs, token) is None:
        return False
    _own(change, token)
    change.t.change_watcher(change.row.id, token, follows=int(on))
    return True


def go(change: Change, token: str) -> bool:
    """Watch no longer, and ask for nothing. Whether that is new."""
    row = change.t.watcher(change.row.id, token)
    if row is None or (row.seen <= 0 and not row.asks):
        return False
    change.t.change_watcher(change.row.id, token, seen=-clock.now(), asks="")
    if row.asks:
        _tell_players(change)
    return True


def ask(change: Change, token: str, on: bool, name: str) -> bool:
    """Ask for a chair under a name, or no longer. Whether that is new. Refusal E_SETUP (name), E_OVER."""
    row = change.t.watcher(change.row.id, token)
    if not on and (row is None or not row.asks):
        return False
    row = _own(change, token)
    values: dict[str, str | int] = {"asks": ""}
    if on:
        if change.row.over:
            raise Refusal("E_OVER", "the game is over; there is no chair to ask for")
        change.refuse_if_stopped()
        name = change.checked_name(name.strip() or row.name)
        if row.asks and row.name == name and asks(row):
            return False
        values = {"asks": row.asks or new_secret(), "name": name, "seen": clock.now()}
    change.t.change_watcher(change.row.id, token, **values)
    _tell_players(change)
    return True


def _tell_players(change: Change) -> None:
    # Everybody sees it, but nothing has happened at the table that would move it up in anybody's list.
    change.change(changed=change.row.changed)


def crowd(rows: list[WatcherRow], chairs: list[ChairRow]) -> Crowd:
    """Who watches now, of those that are kept."""
    here = [row for row in rows if is_here(row)]
    names = sorted(filter(None, (called(row, chairs) for row in here)), key=str.lower)
    return Crowd(tuple(names), len(here) - len(names))


def askers(rows: list[WatcherRow]) -> tuple[Asker, ...]:
    """Who asks for a chair, for those who may give one."""
    return tuple(Asker(row.name, row.asks, is_here(row)) for row in rows if asks(row))


# Giving a chair


def substitute_after(moved: list[int]) -> int:
    """How many seconds a table waits for somebody who is away before the chair may be given to somebody else.

    At least half an hour, and twice as long as it has ever waited for a move, but no more than a week: so an evening's
    table need not wait long, and where one moves once a day a night's sleep costs nobody the chair.
    ``moved``: when each move was made, in seconds.
    """
    pauses = (later - earlier for earlier, later in pairwise(moved))
    return min(max(SUBSTITUTE_SECONDS, 2 * max(pauses, default=0)), MOST_SUBSTITUTE_SECONDS)


def _refuse_to_give(change: Change, mine: ChairRow, chair: ChairRow) -> None:
    """Refusal unless the holder of ``mine`` may give that chair away now: E_HOST, E_CHAIR, E_OVER."""
    if change.row.over:
        raise Refusal("E_OVER", "the game is over")
    change.refuse_if_stopped()
    if not chair.token:
        return
    if mine == chair:
        raise Refusal("E_CHAIR", "that is your own chair; give it up first")
    if not change.row.opening:
        raise Refusal("E_CHAIR", f"{chair.name} has taken that chair")
    if change.row.host not in (mine.number, chair.number):
        raise Refusal("E_HOST", f"only the one who set this table may give {chair.name}'s chair away")
    # A bot sits in only for somebody who was away; without one it must be their decision that the table waits for.
    if not chair.bot and change.seat_of(chair.number) not in change.match.acting:
        raise Refusal("E_CHAIR", f"the table is not waiting for {chair.name}")
    moved = change.t.last_moved(change.row.id)
    wait, now = substitute_after(moved), clock.now()
    waited = now - (moved[-1] if moved else change.row.changed)
    waited = min(now - chair.seen, waited if not chair.bot else now - chair.seen)
    if waited < wait:
        minutes = -(-(wait - waited) // 60)
        raise Refusal(
            "E_CHAIR", f"too early: {chair.name}'s chair can be given away in {minutes} min, if no sign comes"
        )


def to_give(change: Change, mine: ChairRow) -> tuple[int, ...]:
    """The chairs that the holder of ``mine`` may give to somebody who asks."""
    found = []
    for chair in change.chairs:
        try:
            _refuse_to_give(change, mine, chair)
        except Refusal:
            continue
        found.append(chair.number)
    return tuple(found)


def give(change: Change, token: str, number: int, secret: str) -> str:
    """Seat somebody who asks in a chair; what they are called there, empty when that was done before.

    The chair keeps the name it has in the match; before the start they bring their own. What its last holder wrote
    goes; that holder follows the table from then on. Refusal E_SEAT, E_CHAIR, E_HOST, E_OVER, E_ASK (nobody asks with
    that), E_SETUP (the name).
    """
    mine = change.own(token)
    chair = change.numbered(number)
    if chair.token and secret and chair.used_invite == secret:
        return ""
    asker = next((row for row in change.t.watchers(change.row.id) if secret and row.asks == secret and asks(row)), None)
    if asker is None:
        raise Refusal("E_ASK", "they do not ask for a chair any more")
    _refuse_to_give(change, mine, chair)
    name = chair.name if change.row.opening else change.checked_name(asker.name, chair)
    if chair.token:
        change.t.forget_watcher(change.row.id, chair.token)
        change.t.add(WatcherRow(change.row.id, chair.token, follows=1))
        change.change(undo="", host=mine.number)
    change.seat_person(chair, name, asker.token, secret, abs(asker.seen))
    change.change()
    return name
