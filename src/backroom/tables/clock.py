"""The time as tables see it, and since when each chair owes a decision.

All that a clock is stands in the store: since when a chair owes its present decision (``asked``), how many decisions in
a row it has lost to the clock (``lost``), and when the next one at the table runs out (``due``). So a restart, a second
server process or a killed one changes nothing about it. What follows is owed by the table (`backroom.tables.owed`).
"""

import json
import time
from collections.abc import Collection, Sequence

from backroom.tables.rows import ChairRow, TableRow
from backroom.tables.story import rests

__all__ = ["LEFT_AFTER", "LONGEST", "SHORTEST", "SLACK", "asked", "due", "late", "now", "stands", "until"]

SHORTEST, LONGEST = 10, 30 * 86400
"""Bounds in seconds for the time that a decision may be given."""
LEFT_AFTER = 3
"""A player who has lost so many decisions in a row to the clock counts as having left the table."""
SLACK = 60
"""Seconds by which the clocks of two server processes may differ; a time further ahead comes from a clock set back."""


def now() -> int:
    """Seconds since 1970."""
    return int(time.time())


def stands(chairs: Sequence[ChairRow]) -> bool:
    """Whether nobody is there whom a clock could hurry: every person's last decision was lost to it, or they left."""
    return all(chair.bot or not chair.token or chair.lost for chair in chairs)


def until(row: TableRow, chairs: Sequence[ChairRow], chair: ChairRow) -> int:
    """When the decision that a chair owes runs out, in seconds since 1970; 0: it owes none, or no clock runs."""
    running = row.pace and chair.asked and not stands(chairs) and not rests(row)
    return chair.asked + row.pace if running else 0


def due(row: TableRow, chairs: Sequence[ChairRow]) -> int:
    """When time first runs out for a decision, if something follows from that by itself; 0: never."""
    if row.out_of_time == "wait":
        return 0
    return min(filter(None, (until(row, chairs, chair) for chair in chairs)), default=0)


def late(row: TableRow, chairs: Sequence[ChairRow]) -> list[ChairRow]:
    """The chairs whose decision has run out, those asked first before others."""
    found = [chair for chair in chairs if 0 < until(row, chairs, chair) <= now()]
    return sorted(found, key=lambda chair: (chair.asked, chair.number)) if due(row, chairs) else []


def asked(row: TableRow, chairs: Sequence[ChairRow], anew: Collection[int] = ()) -> dict[int, int]:
    """Since when each chair owes its present decision, for the chairs of which the store says something else.

    A clock starts when a chair is asked, and restarts for the chairs ``anew``, which have decided or had a decision
    taken back; decisions of others change nothing. A clock that stood still restarts for all chairs, and so does the
    clock of a chair asked later than now, since then the machine's clock was set back. Clocks do not bind bots.
    """
    owing = json.loads(row.acting)
    stood = bool(row.pace) and row.out_of_time != "wait" and not row.due and not stands(chairs)
    found = {}
    for chair in chairs:
        if chair.number not in owing or chair.bot:
            since = 0
        elif 0 < chair.asked <= now() + SLACK and not stood and chair.number not in anew:
            since = chair.asked
        else:
            since = now()
        if since != chair.asked:
            found[chair.number] = since
    return found
