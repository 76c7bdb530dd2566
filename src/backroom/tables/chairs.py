"""Chairs: what an invite link leads to, sitting down and coming back, leaving, and a chair as a browser may see it."""

from backroom.engine import chance
from backroom.engine.game import Refusal, find_game
from backroom.tables import clock, making, open_chairs, sitting_in
from backroom.tables.live import Change, held
from backroom.tables.rows import PERSONAL, ChairRow
from backroom.tables.story import told_options
from backroom.tables.views import Answer, Chair, Invitation
from backroom.tables.watchers import is_here
from backroom.tables.words import new_secret

__all__ = ["invitation", "leave", "seen", "sit"]


def seen(change: Change, holder: str) -> tuple[Chair, ...]:
    """The chairs of a table as the holder of a token (hash) may see them."""
    mine = held(change.chairs, holder)
    invites = not change.row.opening and (holder == change.row.creator or mine is not None)
    return tuple(
        Chair(
            number=chair.number,
            name=chair.name,
            seat=change.seat_of(chair.number) if change.row.opening else None,
            held=bool(chair.token),
            here=bool(chair.token) and is_here(chair),
            you=bool(chair.token) and chair.token == holder,
            host=chair.number == change.row.host,
            bot=chair.bot,
            invite=chair.invite if invites else "",
            anybody=bool(chair.anybody),
            asked=chair.asked,
            until=clock.until(change.row, change.chairs, chair),
            lost=chair.lost,
            bot_from=sitting_in.bot_from(change.row, change.chairs, mine, chair) if mine is not None else None,
        )
        for chair in change.chairs
    )


def invitation(change: Change, holder: str, invite: str) -> Invitation:
    """The table and chair of an invite link. Refusal E_INVITE."""
    chair, row = _invited(change, holder, invite), change.row
    return Invitation(
        table=row.id,
        title=row.title,
        chair=chair.number,
        host=change.chairs[row.host].name if row.host >= 0 else "",
        game=find_game(row.game),
        options=told_options(row),
        chairs=seen(change, holder),
        pace=row.pace,
        out_of_time=row.out_of_time,
        commitment=chance.commitment(bytes.fromhex(row.seed)),
    )


def _invited(change: Change, holder: str, invite: str) -> ChairRow:
    """The chair that an invitation leads to. Refusal E_INVITE, also once its hand may have been seen by others."""
    mine = held(change.chairs, holder)
    if mine is not None and mine.used_invite == invite:
        return mine
    if change.row.opening:
        raise Refusal(
            "E_INVITE",
            "the match has begun, and no link leads to a chair of it any more; watch, and ask for one",
        )
    return open_chairs.chair_for(change.chairs, invite)


def sit(change: Change, token: str, invite: str, name: str) -> Answer:
    """Seat a browser (its token), or welcome it back (`Tables.sit`). Refusal E_INVITE, E_SETUP, E_SEAT."""
    holder = change.holder(token)
    mine = held(change.chairs, holder)
    if mine is not None:
        return _come_back(change, mine, invite)
    if not invite:
        change.own(token)
    change.refuse_if_stopped()
    chair = _invited(change, holder, invite)
    name = change.checked_name(name, chair)
    change.seat_person(chair, name, holder, invite, clock.now())
    if change.row.host < 0:
        change.change(host=chair.number)
    change.change()
    making.start_if_full(change)
    change.restart_clocks({chair.number})
    return Answer("applied", change.row.entry, f"You sit here as {name}.")


def _come_back(change: Change, mine: ChairRow, invite: str) -> Answer:
    """To one's own chair, where a bot has sat in, or for which the clock has decided last. Refusal E_INVITE."""
    if invite and mine.used_invite != invite:
        raise Refusal("E_INVITE", f"you sit here already, as {mine.name}; the invitation is for somebody else")
    if invite or not (mine.bot or mine.lost):
        return Answer("already applied", change.row.entry, f"You sit here as {mine.name}.")
    change.change_chair(mine.number, bot="", lost=0, seen=clock.now())
    change.change()
    change.restart_clocks()
    return Answer("applied", change.row.entry, f"Welcome back, {mine.name}.")


def leave(change: Change, mine: ChairRow) -> Answer:
    """Have the holder of a chair give it up (`Tables.leave`)."""
    invite = new_secret() if not change.row.opening else ""
    values = {"token": "", "invite": invite, "used_invite": "", **PERSONAL}
    if not (change.row.opening or mine.bot):
        values["name"] = ""
    change.change_chair(mine.number, **values)
    host = change.row.host
    if host == mine.number:
        host = next((chair.number for chair in change.chairs if chair.token), -1)
    change.change(host=host, undo="", giving="")
    change.restart_clocks()
    return Answer("applied", change.row.entry, f"The chair of {mine.name} is free.")
