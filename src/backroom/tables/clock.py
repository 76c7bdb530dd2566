"""What time it is for the tables, who owes a decision since when, and the thread that lets time run out.

All that a clock is stands in the store: since when a chair owes its present decision (``asked``), how many decisions in
a row it has lost to the clock (``lost``), and when the next one at the table runs out (``due``). So a restart, a second
server process or a killed one changes nothing about it.
"""

import json
import logging
import threading
import time
from collections.abc import Callable, Collection, Sequence

from backroom.engine.game import Refusal
from backroom.tables.store import ChairRow, TableRow

__all__ = [
    "LEFT_AFTER", "LONGEST", "SHORTEST", "SLACK", "ClockWorker", "asked", "due", "late", "now", "stands", "until",
]  # fmt: skip

LOG = logging.getLogger(__name__)

SHORTEST, LONGEST = 10, 30 * 86400
"""Bounds in seconds for the time that a decision may be given."""
LEFT_AFTER = 3
"""Who has lost so many decisions in a row to the clock counts as having left the table."""
SLACK = 60
"""Seconds by which the clocks of two server processes may differ; a time further ahead comes from a clock set back."""
LOOK_SECONDS, REST_SECONDS = 1.0, 300.0
"""How often the store is asked what is due, and how long a table rests where a decision could not be made."""


def now() -> int:
    """Seconds since 1970."""
    return int(time.time())


def stands(chairs: Sequence[ChairRow]) -> bool:
    """Whether nobody is there whom a clock could hurry: every person's last decision was lost to it, or they left."""
    return all(chair.bot or not chair.token or chair.lost for chair in chairs)


def until(row: TableRow, chairs: Sequence[ChairRow], chair: ChairRow) -> int:
    """When the decision that a chair owes runs out, in seconds since 1970; 0: it owes none, or no clock runs."""
    return chair.asked + row.pace if row.pace and chair.asked and not stands(chairs) else 0


def due(row: TableRow, chairs: Sequence[ChairRow]) -> int:
    """When the first decision runs out after which something happens by itself; 0: none will."""
    if row.out_of_time == "wait":
        return 0
    return min(filter(None, (until(row, chairs, chair) for chair in chairs)), default=0)


def late(row: TableRow, chairs: Sequence[ChairRow]) -> list[ChairRow]:
    """The chairs whose decision has run out, those asked first before others."""
    found = [chair for chair in chairs if 0 < until(row, chairs, chair) <= now()]
    return sorted(found, key=lambda chair: (chair.asked, chair.number)) if due(row, chairs) else []


def asked(row: TableRow, chairs: Sequence[ChairRow], anew: Collection[int] = ()) -> dict[int, int]:
    """Since when each chair owes its present decision, for the chairs of which the store says something else.

    A clock begins when a chair becomes asked, and anew for the chairs ``anew``, as they have decided or it was taken
    back; that others decide meanwhile changes nothing. Where it stood still it begins anew for all, and so it does for
    who was asked later than now, since then the machine's clock was set back. Bots owe it nothing.
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


class ClockWorker:
    """The one thread that lets time run out, at whatever table it does.

    ``find`` gives the tables where something is due, from the store; ``run_out`` sees to one of them. What is done
    goes the way of every move, so it is done once however many processes do the same.
    """

    def __init__(self, find: Callable[[], Sequence[str]], run_out: Callable[[str], None]) -> None:
        self._find, self._run_out = find, run_out
        self._stop = threading.Event()
        self._resting: dict[str, float] = {}
        self._thread = threading.Thread(target=self._run, name="backroom-clock", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop after the decision in hand, or leave it where it takes longer than two seconds: it is made later."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2.0)

    def _run(self) -> None:
        while not self._stop.wait(LOOK_SECONDS):
            try:
                self.look()
            except Exception:
                LOG.exception("what is due could not be found out; trying again")
                self._stop.wait(5 * LOOK_SECONDS)

    def look(self) -> None:
        """See to all that is due now. A table that cannot go on, for reasons that are logged, is left for a while."""
        for table in self._find():
            if self._stop.is_set():
                return
            if time.monotonic() < self._resting.get(table, 0.0):
                continue
            try:
                self._run_out(table)
                self._resting.pop(table, None)
            except Exception as problem:
                self._resting[table] = time.monotonic() + REST_SECONDS
                if isinstance(problem, Refusal):
                    LOG.error("table %s: its clock cannot go on: %s", table, problem)
                else:
                    LOG.exception("table %s: a decision could not be made when its time was over", table)
