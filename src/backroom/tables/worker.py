"""The one thread in which bots think, and in which moves that people have prepared are made when their turn comes.

What is played goes the way of every move; nothing waits for it.
"""

import logging
import queue
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.bots import Bot
from backroom.engine.game import Refusal

__all__ = ["BotWorker", "Decision", "chosen"]

LOG = logging.getLogger(__name__)

MOST_FAILURES = 5
"""How often in a row a table's bots may fail for reasons of the machine before they wait for somebody to look."""


@dataclass(frozen=True)
class Decision:
    """A decision that a bot owes: its seat's view, its generator (int64[4]), and the table's ply."""

    bot: Bot
    view: Any
    seat: int
    random: NDArray[np.int64]
    ply: int


def chosen(table: str, decision: Decision) -> Sequence[int] | None:
    """What the bot decides, or None because it failed, which is logged."""
    try:
        return decision.bot.choose(decision.view, decision.seat, decision.random)
    except Exception:
        LOG.exception("table %s: bot %s failed at ply %d", table, decision.bot.spec, decision.ply)
        return None


class BotWorker:
    """Makes the bots' moves, one after the other, tables in turn.

    ``play_plan(table)`` makes the move that somebody has prepared, if it is to be made now. After it,
    ``decide(table)`` gives the decisions that bots owe there now, and whether they may be made already or only talked
    about; ``move(table, decision, actions)`` makes a move, the seat's declared default when actions is None because the
    bot failed; ``say(table, decision, message)`` says what a bot wants to say first, after which all is asked again.
    """

    def __init__(
        self,
        decide: Callable[[str], tuple[Sequence[Decision], bool]],
        move: Callable[[str, Decision, Sequence[int] | None], None],
        say: Callable[[str, Decision, int], None],
        play_plan: Callable[[str], None],
    ) -> None:
        self._decide, self._move, self._say, self._play_plan = decide, move, say, play_plan
        self._lock = threading.Lock()
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._pending: set[str] = set()
        self._failures: Counter[str] = Counter()
        self._thread: threading.Thread | None = None
        self._closed = False

    def look_at(self, table: str) -> None:
        """See soon whether a bot owes a decision at a table, or a prepared move is to be made."""
        with self._lock:
            if self._closed or table in self._pending:
                return
            self._pending.add(table)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="backroom-bots", daemon=True)
                self._thread.start()
        self._queue.put(table)

    def close(self) -> None:
        """Stop after the move in hand, or leave it where it takes longer than two seconds: it is made again later."""
        with self._lock:
            self._closed = True
            thread = self._thread
        self._queue.put(None)
        if thread is not None:
            thread.join(timeout=2.0)

    def _run(self) -> None:
        while (table := self._queue.get()) is not None:
            with self._lock:
                self._pending.discard(table)
                if self._closed:
                    return
            try:
                self._play(table)
                del self._failures[table]
            except Refusal as problem:
                LOG.error("table %s: its bots cannot play: %s", table, problem)
            except Exception:
                self._failures[table] += 1
                LOG.exception("table %s: a bot's move could not be made", table)
                if self._failures[table] < MOST_FAILURES:
                    again = threading.Timer(1.0, self.look_at, (table,))
                    again.daemon = True
                    again.start()

    def _play(self, table: str) -> None:
        self._play_plan(table)
        decisions, ready = self._decide(table)
        for decision in decisions:
            message = self._message(table, decision)
            if message >= 0:
                self._say(table, decision, message)
                return
        if not decisions or not ready:
            return
        self._move(table, decisions[0], chosen(table, decisions[0]))

    @staticmethod
    def _message(table: str, decision: Decision) -> int:
        """What a bot wants to say before it decides, -1: nothing."""
        if decision.bot.game.messages is None:
            return -1
        try:
            return decision.bot.say(decision.view, decision.seat, decision.random)
        except Exception:
            LOG.exception("table %s: bot %s failed to speak at ply %d", table, decision.bot.spec, decision.ply)
            return -1
