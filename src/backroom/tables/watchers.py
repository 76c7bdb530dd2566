"""Watchers of a table: browsers without a chair that look at it, follow it, or ask for a chair.

All within a `Change` of the table; `Tables` opens it. Open pages hear of arrivals and departures at most once in
SEEN_SECONDS a table (`Tables.pulse`): the list is right whenever a page is fetched, and a crowd makes no storm.
"""

import json
from collections import Counter
from itertools import pairwise
from typing import Any

from backroom.engine.game import Refusal
from backroom.tables import clock
from backroom.tables.live import HERE_SECONDS, SEEN_SECONDS, Change, held
from backroom.tables.rows import ChairRow, WatcherRow
from backroom.tables.store import Transaction
from backroom.tables.views import Asker, Crowd, Giving, Status
from backroom.tables.words import alike, check_name, new_secret

__all__ = [
    "ask", "askers", "asks", "called", "crowd", "follow", "give", "giving", "go", "is_here", "sign", "substitute_after",
    "to_give",
]  # fmt: skip

MOST_WATCHERS, MOST_OF_A_CLIENT = 200, 40
"""The most watchers of a table, and from one address; those who only looked on make room for others."""
HOUSEHOLD = 4
"""The number from one address that may follow a table or ask for a chair and never make room for others."""
ASK_SECONDS = 7 * 86400
"""How long a request for a chair lasts when the watcher who made it no longer looks in."""
SUBSTITUTE_SECONDS = 30 * 60
MOST_SUBSTITUTE_SECONDS = 7 * 86400
"""How long a table waits for somebody who is away, at least and at most, before the chair may be given away."""


def is_here(row: WatcherRow | ChairRow) -> bool:
    """Whether a watcher's page is open, or that of a chair's holder."""
    return clock.now() - row.seen < HERE_SECONDS


def asks(row: WatcherRow) -> bool:
    """Whether a watcher asks for a chair."""
    return bool(row.asks) and clock.now() - abs(row.seen) < ASK_SECONDS


def called(row: WatcherRow, chairs: list[ChairRow]) -> str:
    """A watcher's name at this table: empty where a player has that name, or one that looks like it."""
    return row.name if not any(alike(row.name, chair.name) for chair in chairs if chair.name) else ""


def sign(t: Transaction, table: str, token: str, name: str, client: str) -> bool:
    """Keep a sign of a watcher's open page, at most once in SEEN_SECONDS. Whether somebody has come with that.

    ``name`` is what the browser calls itself, kept if a player could be called so, ``client`` where it looks from. A
    page that is being left gives its last signs when its reader has said that they leave; these count for nothing.
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
        if not _room(t, table, client):
            return False
        t.add(WatcherRow(table, token, name, now, client=client))
        return True
    if now - abs(row.seen) >= SEEN_SECONDS:
        t.change_watcher(table, token, seen=now, name=row.name if row.asks else name)
        return not is_here(row)
    return False


def _room(t: Transaction, table: str, client: str) -> bool:
    """Whether one more watcher from a client can be kept; if need be by forgetting others.

    First go those who looked on before and are gone; then, of the client from which most only look on, the one that
    came last; then, of the client that has more than HOUSEHOLD, the last that follows, at last one that asks: so nobody
    keeps others out by opening many pages.
    """
    rows = t.watchers(table)
    own = sum(1 for row in rows if row.client == client)
    if len(rows) < MOST_WATCHERS and own < MOST_OF_A_CLIENT:
        return True
    idle = [row for row in rows if not (row.follows or asks(row))]
    gone = [row for row in idle if not is_here(row) and (len(rows) >= MOST_WATCHERS or row.client == client)]
    for row in gone:
        t.forget_watcher(table, row.token)
    if gone:
        return True
    if own >= MOST_OF_A_CLIENT:
        return False
    for those, enough in ((idle, 1), (rows, HOUSEHOLD)):
        for crowded, most in Counter(row.client for row in those).most_common(1):
            if most > own + enough:
                group = [row for row in those if row.client == crowded]
                t.forget_watcher(table, max(group, key=lambda row: (not asks(row), abs(row.seen))).token)
                return True
    return False


def _own(change: Change, token: str, client: str) -> WatcherRow:
    """A watcher's row, made if there is none yet. Refusal E_SEAT for a player, E_CROWD when the table is full."""
    mine = held(change.chairs, token)
    if mine is not None:
        raise Refusal("E_SEAT", f"you sit at this table, as {mine.name}; that is for those who watch")
    row = change.t.watcher(change.row.id, token)
    if row is None:
        if not _room(change.t, change.row.id, client):
            raise Refusal(
                "E_CROWD",
                f"{MOST_WATCHERS} people, or {MOST_OF_A_CLIENT} from your address, watch or follow this table; "
                "that is all it keeps",
            )
        row = WatcherRow(change.row.id, token, client=client)
        change.t.add(row)
    return row


def follow(change: Change, token: str, on: bool, client: str) -> bool:
    """List the table among the browser's own, or no longer. Whether that is new."""
    row = change.t.watcher(change.row.id, token)
    if bool(row is not None and row.follows) == on and held(change.chairs, token) is None:
        return False
    _own(change, token, client)
    change.t.change_watcher(change.row.id, token, follows=int(on))
    return True


def go(change: Change, token: str) -> bool:
    """Stop watching and asking for a chair. Whether that is new."""
    row = change.t.watcher(change.row.id, token)
    if row is None or (row.seen <= 0 and not row.asks):
        return False
    change.t.change_watcher(change.row.id, token, seen=-clock.now(), asks="")
    if row.asks:
        _tell_players(change)
    return True


def ask(change: Change, token: str, on: bool, name: str, client: str) -> bool:
    """Ask for a chair under a name, or no longer. Whether that is new. Refusal E_SETUP (name), E_OVER."""
    row = change.t.watcher(change.row.id, token)
    if not on and (row is None or not row.asks):
        return False
    row = _own(change, token, client)
    values: dict[str, str | int] = {"asks": ""}
    if on:
        if change.row.over:
            raise Refusal("E_OVER", "the game is over; there is no chair to ask for")
        change.refuse_if_stopped()
        name = change.checked_name(name.strip() or row.name)
        for other in change.t.watchers(change.row.id):
            if other.token != token and asks(other) and alike(other.name, name):
                raise Refusal(
                    "E_SETUP", f"somebody called {other.name} asks for a chair here already; choose another name"
                )
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
    """The watchers of these rows that are here now."""
    here = [row for row in rows if is_here(row)]
    names = sorted(filter(None, (called(row, chairs) for row in here)), key=str.lower)
    return Crowd(tuple(names), len(here) - len(names))


def askers(rows: list[WatcherRow]) -> tuple[Asker, ...]:
    """The watchers who ask for a chair, for the players who may give one."""
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


def _people(change: Change, mine: ChairRow, chair: ChairRow) -> set[int]:
    """The players who must agree to a new holder of a running match's chair: all people at the table but its owner."""
    return {
        other.number
        for other in change.chairs
        if other.token and other.number != chair.number and (not other.bot or other.number == mine.number)
    }


def _refuse_to_give(change: Change, mine: ChairRow, chair: ChairRow) -> None:
    """Refusal unless the holder of ``mine`` may have that chair given away now: E_CHAIR, E_OVER.

    Once cards have been seen it takes two people at least, since one alone could give the chair, and the hand before
    it, to another browser of their own.
    """
    if change.row.over:
        raise Refusal("E_OVER", "the game is over")
    change.refuse_if_stopped()
    if mine == chair:
        raise Refusal("E_CHAIR", "that is your own chair; give it up first")
    if not change.row.opening:
        if chair.token:
            raise Refusal("E_CHAIR", f"{chair.name} has taken that chair")
        return
    if len(_people(change, mine, chair)) < 2:
        raise Refusal(
            "E_CHAIR", "nobody else is here to agree, so the chair goes to a bot only: its hand has been seen"
        )
    if not chair.token:
        return
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


def _question(change: Change, mine: ChairRow) -> dict[str, Any] | None:
    """What the players are asked about a chair, if that can still come about: chair, asks (a secret), who agreed, and
    since when.

    Consent given during one absence of the owner does not count for the next.
    """
    if not change.row.giving:
        return None
    asked: dict[str, Any] = json.loads(change.row.giving)
    chair = change.chairs[asked["chair"]]
    if chair.token and chair.seen >= asked.get("since", 0):
        return None
    try:
        _asker(change, asked["asks"])
        if chair.number != mine.number:
            _refuse_to_give(change, mine, chair)
    except Refusal:
        return None
    return asked


def giving(change: Change, mine: ChairRow) -> Giving | None:
    """The same as the holder of ``mine`` is shown it."""
    asked = _question(change, mine)
    if asked is None or asked["chair"] == mine.number:
        return None
    chair, names = change.chairs[asked["chair"]], [other.name for other in change.chairs]
    waiting = sorted(_people(change, mine, chair) - set(asked["agreed"]))
    return Giving(
        name=_asker(change, asked["asks"]).name,
        asks=asked["asks"],
        chair=chair.number,
        agreed=tuple(names[number] for number in asked["agreed"]),
        waiting=tuple(names[number] for number in waiting),
        yours=mine.number in waiting,
    )


def _asker(change: Change, secret: str) -> WatcherRow:
    """The watcher whose request for a chair has this secret. Refusal E_ASK."""
    rows = change.t.watchers(change.row.id)
    asker = next((row for row in rows if secret and row.asks == secret and asks(row)), None)
    if asker is None:
        raise Refusal("E_ASK", "they do not ask for a chair any more")
    return asker


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


def give(change: Change, mine: ChairRow, number: int, secret: str, agree: bool) -> tuple[Status, str]:
    """Have somebody who asks seated in a chair, or agree to it, or (``agree`` False) end the question about one.

    Before the start any player gives a free chair, and the asker brings a name. Once cards have been seen all people
    at the table have to agree, and the chair keeps the name it has in the match. What its last holder wrote goes; that
    holder follows the table from then on. What became of it, with words. Refusal E_CHAIR, E_OVER, E_ASK (nobody asks
    with that), E_SETUP (the name).
    """
    chair = change.numbered(number)
    if chair.token and secret and chair.used_invite == secret:
        return "already applied", f"The chair of {chair.name} is taken."
    asked = _question(change, mine)
    if not agree:
        if asked is None or (asked["chair"], asked["asks"]) != (number, secret):
            raise Refusal("E_CHAIR", "the players are not asked about that chair")
        change.change(giving="", changed=change.row.changed)
        return "applied", f"The chair of {chair.name} is not given away."
    asker = _asker(change, secret)
    _refuse_to_give(change, mine, chair)
    if change.row.opening:
        if asked is not None and (asked["chair"], asked["asks"]) != (number, secret):
            raise Refusal("E_CHAIR", "the players are asked about another chair, or another watcher; answer that first")
        agreed = asked["agreed"] if asked is not None else []
        if mine.number in agreed:
            return "asked", "You have agreed; others are still asked."
        agreed = [*agreed, mine.number]
        if _people(change, mine, chair) - set(agreed):
            # Nobody has come or moved with that, so the table goes on waiting as before.
            since = asked["since"] if asked is not None else clock.now()
            asked = {"chair": number, "asks": secret, "agreed": agreed, "since": since}
            change.change(giving=json.dumps(asked), changed=change.row.changed)
            return "asked", "The others have been asked."
    name = chair.name if change.row.opening else change.checked_name(asker.name, chair)
    if chair.token:
        change.t.forget_watcher(change.row.id, chair.token)
        change.t.add(WatcherRow(change.row.id, chair.token, follows=1))
        host = mine.number if change.row.host == chair.number else change.row.host
        change.change(undo="", host=host)
    change.seat_person(chair, name, asker.token, secret, abs(asker.seen))
    change.change(giving="")
    return "applied", f"The chair of {name} is taken."
