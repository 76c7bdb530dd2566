"""Stand-in bots: when one may play in a chair, which players may allow it, and how it is seated."""

from collections.abc import Sequence

from backroom.engine.game import Refusal, find_game
from backroom.tables import clock, making
from backroom.tables.live import Change, options_of
from backroom.tables.rows import ChairRow, TableRow
from backroom.tables.thinking import Limits
from backroom.tables.views import Answer

__all__ = ["bot_from", "seat_bot"]

SIT_IN_SECONDS = 120
"""How long after the last move or sign of an open page of a chair's owner a bot may sit in."""
SHORT_PACE = 300
"""Seconds for a decision up to which that is so; where there is more time, somebody is away after a quarter of it."""


def bot_from(row: TableRow, chairs: Sequence[ChairRow], mine: ChairRow, chair: ChairRow) -> int | None:
    """From when the holder of the chair ``mine`` may let a bot play in another, in seconds since 1970 (0: at once).

    None: not as things are. Before the start a free chair is the host's to give to a bot, and others' when the host is
    away; afterwards all players may do the same, so that nobody who has gone holds up the others.
    """
    if row.over or chair.bot or chair.number == mine.number:
        return None
    if chair.token:
        return 0 if chair.lost >= clock.LEFT_AFTER else _away_from(row, chair)
    if row.opening or row.host in (-1, mine.number):
        return 0
    return _away_from(row, chairs[row.host])


def _away_from(row: TableRow, chair: ChairRow) -> int | None:
    last = max(chair.seen, row.created)
    if row.pace <= SHORT_PACE:
        return last + SIT_IN_SECONDS
    if row.opening:
        if not chair.asked:
            return None  # one who is asked nothing has a whole pace ahead, and a bot would not wait with the decision
        last = max(last, chair.asked)
    return last + max(SIT_IN_SECONDS, row.pace // 4)


def _refuse_bot(row: TableRow, chairs: Sequence[ChairRow], mine: ChairRow, chair: ChairRow) -> None:
    """Refusal unless the holder of the chair ``mine`` may let a bot play in that one now: E_OVER, E_CHAIR, E_HOST."""
    if row.over:
        raise Refusal("E_OVER", "the game is over")
    if chair.bot:
        raise Refusal("E_CHAIR", "a bot plays there already")
    if chair.number == mine.number:
        raise Refusal("E_CHAIR", "that is your own chair; give it up, and then a bot may have it")
    since = bot_from(row, chairs, mine, chair)
    if since is None:
        raise Refusal("E_CHAIR", f"the table is not waiting for {chair.name}")
    if (missing := since - clock.now()) > 0:
        wait = f"{-(-missing // 60)} min" if missing > 60 else f"{missing} s"
        if not chair.token:
            raise Refusal("E_HOST", f"the player who set this table decides that; if they stay away, you may in {wait}")
        raise Refusal("E_CHAIR", f"{chair.name} is at the table; a bot may sit in in {wait}, if no sign comes")


def seat_bot(change: Change, mine: ChairRow, number: int, bot: str, limits: Limits) -> Answer:
    """Have a bot play in a chair, as the holder of the chair ``mine`` wishes (`Tables.seat_bot`).

    Refusal E_HOST, E_CHAIR, E_OVER, E_BOT.
    """
    there = change.numbered(number)
    change.refuse_if_stopped()
    limits.bot(find_game(change.row.game), bot, options_of(change.row), len(change.chairs))
    if there.bot == bot:
        return Answer("already applied", change.row.entry, f"A bot plays for {there.name}.")
    _refuse_bot(change.row, change.chairs, mine, there)
    name = there.name or making.bot_name(bot, [other.name for other in change.chairs])
    # A friend who comes before the start after all has the chair; no stranger does from the front page.
    invite = "" if there.token or there.anybody else there.invite
    change.change_chair(number, bot=bot, name=name, invite=invite, plan="")
    change.change(undo="", giving="")  # they may have waited for an answer from that chair
    making.start_if_full(change)
    change.restart_clocks()
    return Answer("applied", change.row.entry, f"A bot plays for {name}.")
