"""A chair on another device: a link that works once opens it in one more browser.

Both devices have the chair then, as two windows of one browser have it: whoever carries a game from the desk to the
sofa expects the desk to be as it was on coming back, and nobody has an account to sign in to again. Either may look
and move. From the browser that had it first it can be closed on all others.

A browser that was given a chair so is known at that table by the token of the one that gave it (`Change.holder`), so
nothing else has to know that there are several. The link ends in a secret of which only the hash is kept; it is used up
in one statement, by whichever server is first.
"""

from dataclasses import dataclass

from backroom.engine.game import Game, Refusal, find_game
from backroom.tables import clock
from backroom.tables.live import Change, held
from backroom.tables.rows import ChairRow, DeviceRow, PassRow
from backroom.tables.views import Answer
from backroom.tables.words import hash_of, new_secret

__all__ = ["LASTS", "Handover", "close_elsewhere", "found", "offer", "open_here"]

LASTS = 600
"""How many seconds a link works."""
MOST = 8
"""Devices that one chair is open on besides the first."""


@dataclass(frozen=True)
class Handover:
    """What a link that opens a chair on another device leads to: the table, its game and title, the player's name.

    ``here``: this browser has that chair already.
    """

    table: str
    title: str
    game: Game
    name: str
    here: bool


def offer(change: Change, mine: ChairRow) -> str:
    """Make the link (its secret) that opens a chair on one more device; an earlier one works no longer.

    Refusal E_OVER, E_DEVICE.
    """
    if change.row.over:
        raise Refusal("E_OVER", "the game is over; everybody can see all of it by its address")
    if change.t.device_count(change.row.id, mine.token) >= MOST:
        raise Refusal("E_DEVICE", f"this chair is open on {MOST} other devices already")
    secret = new_secret(32)
    change.t.forget_passes(change.row.id, mine.token)
    change.t.add(PassRow(hash_of(secret), change.row.id, mine.token, clock.now() + LASTS))
    return secret


def _given(change: Change, secret: str) -> tuple[PassRow, ChairRow]:
    """The link, and the chair that it opens. Refusal E_DEVICE."""
    given = change.t.handover(hash_of(secret))
    chair = held(change.chairs, given.holder) if given is not None else None
    if given is None or chair is None or given.until <= clock.now():
        raise Refusal(
            "E_DEVICE",
            f"this link opens nothing any more: it works once, for {LASTS // 60} minutes; make another on the device "
            "that has the chair",
        )
    return given, chair


def found(change: Change, token: str, secret: str) -> Handover:
    """What a link leads to, for a browser (its token); looking uses nothing up. Refusal E_DEVICE."""
    given, chair = _given(change, secret)
    here = change.holder(token) == given.holder
    if given.used and not here:
        raise Refusal("E_DEVICE", "this link has been used, and it works once; make another on the device that sits")
    return Handover(change.row.id, change.row.title, find_game(change.row.game), chair.name, here)


def open_here(change: Change, token: str, secret: str) -> None:
    """Open the chair of a link in a browser too (its token); used up by that. Refusal E_DEVICE, E_CHAIR."""
    if found(change, token, secret).here:
        return
    given, chair = _given(change, secret)
    own = hash_of(token)
    if held(change.chairs, change.holder(token)) is not None:
        raise Refusal("E_CHAIR", "this browser sits at that table already, on another chair")
    if not change.t.use_pass(given.secret, own):
        raise Refusal("E_DEVICE", "this link has just been used; it works once")
    change.t.add(DeviceRow(change.row.id, own, given.holder))
    change.t.forget_watcher(change.row.id, own)
    change.published = chair.number


def close_elsewhere(change: Change, token: str, mine: ChairRow) -> Answer:
    """Have a chair open on one device only: from the first, closed on all others; from another, closed on that one."""
    if mine.token == hash_of(token):
        change.t.forget_devices(change.row.id, mine.token)
        change.t.forget_passes(change.row.id, mine.token)
    else:
        change.t.forget_device(change.row.id, hash_of(token))
    change.change()  # the pages of the others are told, and show what anybody without a chair may see
    return Answer("applied", change.row.entry)
