"""Where bots think: in processes of their own, so that pages stay quick, and within bounds that the server's host sets.

Such a process is given what the bot may have and nothing else: its seat's view, its generator, its spec. A match or its
seed never gets there, but for one that is over and is looked back on (`Thinkers.work`).
"""

import logging
import math
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.bots import Bot, bot_specs, make_bot
from backroom.bots.warm import PARTS
from backroom.engine.game import Game, Refusal, find_game
from backroom.engine.options import Options
from backroom.tables.words import check_text

__all__ = ["LIMITS", "Decision", "Limits", "Lost", "Thinkers", "chosen"]

LOG = logging.getLogger(__name__)

CORES = os.cpu_count() or 1
STALLED_SECONDS, HANGING_SECONDS = 10.0, 30.0
"""How long after its time an answer is missed, and when its process is ended for it."""
PREPARING_SECONDS = 600.0
"""How long a process may take to start, and to load what it needs to think; on a cold cache that is compiling."""
LOOK_SECONDS = 0.5
"""How often a wait for an answer sees whether the server is being closed."""
NICENESS = 5
"""How much pages come before bots where both want the processor; not so much that bots starve beside other programs."""


@dataclass(frozen=True)
class Limits:
    """Limits on what the tables of a server may ask of bots.

    At most ``iterations`` imagined games and ``seconds`` for a decision, ``at_once`` bots that think for the server and
    ``for_client`` for the tables of one client. A search that is not done after ``seconds`` plays what it has found.
    """

    iterations: int = 100_000
    seconds: float = 10.0
    at_once: int = CORES
    for_client: int = max(1, CORES // 2)

    def bot(self, game: Game, spec: str, options: Options, seats: int) -> Bot:
        """The bot of a spec at a table of so many seats.

        Refusal E_BOT for a spec that is none, for a bot that does not play there, and for one that asks for more than
        a table may have; E_TEXT.
        """
        if not spec:
            raise Refusal("E_BOT", f"which bot? There are {', '.join(bot_specs(game))}")
        bot = make_bot(game, check_text(spec, 200, "a bot's spec"), options, seats)
        if bot.iterations > self.iterations:
            raise Refusal(
                "E_BOT",
                f"bot {bot.spec!r} asks for {bot.iterations} iterations a decision; this server allows at most "
                f"{self.iterations}, like search:{self.iterations}",
            )
        return bot


LIMITS = Limits()
"""The limits where the server's host has set none."""


@dataclass(frozen=True)
class Decision:
    """A decision that a bot owes: its seat's view, its generator (int64[4]), and the table's newest entry."""

    bot: Bot
    view: Any
    seat: int
    random: NDArray[np.int64]
    entry: int


class Lost(Exception):
    """A process that was to think has ended, or had to be ended, without an answer."""


def chosen(table: str, decision: Decision, seconds: float) -> Sequence[int] | None:
    """The bot's decision, made in this process; or None because it failed, which is logged."""
    try:
        return decision.bot.choose(decision.view, decision.seat, decision.random, time.monotonic() + seconds)
    except Exception:
        LOG.exception("table %s: bot %s failed after entry %d", table, decision.bot.spec, decision.entry)
        return None


@dataclass(frozen=True)
class _Question:
    """All that a process is told of a decision."""

    game: str
    spec: str
    iterations: int
    seconds: float
    view: bytes
    seat: int
    random: NDArray[np.int64]


@dataclass(frozen=True)
class _Load:
    """To load, or compile, a part of a game ahead of the first question."""

    game: str
    part: str


@dataclass(frozen=True)
class _Part:
    """How much of a question is done, 0 to 1."""

    done: float


@dataclass(frozen=True)
class _Work:
    """A function of a module, to be called with these arguments, with what hears the part that is done (0 to 1), and
    with the end of its seconds (of time.monotonic)."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float


_Question_ = _Question | _Load | _Work


def _end_with_the_server() -> None:
    parent = parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)  # at once, whatever a kernel computes


def _serve(line: "connection.Connection[Any, Any]") -> None:
    """The main loop of such a process. It says that it is there; to each question it says that it has heard it, that it
    is ready for it, how much of it is done, and the answer. It ends with the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's to hear
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    line.send("here")
    while True:
        try:
            question: _Question_ = line.recv()
        except EOFError:
            return
        line.send("heard")
        line.send(_answer(question, lambda: line.send("ready"), lambda part: line.send(_Part(part))))


def _answer(question: _Question_, ready: Callable[[], None], told: Callable[[float], None]) -> Any:
    try:
        if isinstance(question, _Work):
            ready()
            return question.function(*question.arguments, told, time.monotonic() + question.seconds)
        game = find_game(question.game)
        if isinstance(question, _Load):
            PARTS[question.part](game)
            ready()
            return []
        bot = make_bot(game, question.spec).at_most(question.iterations)
        bot.prepare()
        _ = game.kernels
        ready()
        until = time.monotonic() + question.seconds
        actions = bot.choose(game.state.from_bytes(question.view), question.seat, question.random, until)
        return [int(action) for action in actions]
    except Exception:
        return traceback.format_exc()


class _Thinker:
    """One process, and until when it has to have said something."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.line, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), name="backroom-bots", daemon=True)
        self.process.start()
        theirs.close()
        self.due = math.inf
        self.new = True

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.line.close()

    def ask(
        self,
        question: _Question_,
        seconds: float,
        closed: Callable[[], bool],
        told: Callable[[float], None] = lambda _: None,
    ) -> Any:
        """The answer to a question; a text says how it failed. `Lost` when there is none in that time."""
        try:
            if self.new:
                self._hear(PREPARING_SECONDS, closed)
                self.new = False
            self.line.send(question)
            heard = self._hear(0.0, closed)
            for allowed in (PREPARING_SECONDS, seconds):
                if heard in ("heard", "ready"):
                    heard = self._hear(allowed, closed)
            while isinstance(heard, _Part):
                told(heard.done)
                heard = self._hear(seconds, closed)
        except (EOFError, OSError):
            raise Lost("its process has ended") from None
        return heard

    def _hear(self, seconds: float, closed: Callable[[], bool]) -> Any:
        self.due = time.monotonic() + seconds
        while not self.line.poll(LOOK_SECONDS):
            if closed():
                raise Lost("the server is being closed")
            if time.monotonic() > self.due + HANGING_SECONDS:
                raise Lost(f"no answer {HANGING_SECONDS:.0f} s after its time")
        return self.line.recv()


class Thinkers:
    """The processes of a server in which bots think, each started when it is first needed (or by `warm`).

    One that ends or hangs is replaced. Every method may be called from any thread.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._lock = threading.Lock()
        self._idle: list[_Thinker] = []
        self._busy: set[_Thinker] = set()
        self._closed = False

    def warm(self, games: Sequence[str]) -> None:
        """Start all processes and have them load these games, so that nobody at a table waits for it."""
        for _ in range(self.limits.at_once):
            threading.Thread(target=self._warm, args=(tuple(games),), name="backroom-warm", daemon=True).start()

    def _warm(self, games: Sequence[str]) -> None:
        thinker = _Thinker()
        for load in (_Load(game, part) for part in ("greedy", "search") for game in games):
            # It is at hand for questions between one part and the next.
            with self._lock:
                self._busy.add(thinker)
            with suppress(Lost):
                self._ask(thinker, load, 0.0)
            while not self._closed:
                with self._lock:
                    if thinker in self._idle:
                        self._idle.remove(thinker)
                        break
                    if thinker not in self._busy:
                        return
                time.sleep(LOOK_SECONDS)
        with self._lock:
            self._busy.add(thinker)
        self._give_back(thinker)

    def choose(self, table: str, decision: Decision) -> Sequence[int] | None:
        """The bot's decision, or None because it failed, which is logged. `Lost` when its process died."""
        bot, seconds = decision.bot, self.limits.seconds
        view, random = decision.view.tobytes(), decision.random
        question = _Question(bot.game.name, bot.spec, self.limits.iterations, seconds, view, decision.seat, random)
        answer = self._ask(self._take(), question, seconds)
        if isinstance(answer, str):
            LOG.error("table %s: bot %s failed after entry %d\n%s", table, bot.spec, decision.entry, answer)
            return None
        chosen_actions: Sequence[int] = answer
        return chosen_actions

    def work(
        self,
        table: str,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        seconds: float,
        told: Callable[[float], None],
    ) -> Any:
        """The result of ``function(*arguments, told, until)``, called in such a process: no text. `Lost` when it
        died or failed, which is logged.

        All of it is pickled; ``told`` hears the part that is done, ``until`` is of time.monotonic.
        """
        answer = self._ask(self._take(), _Work(function, arguments, seconds), seconds, told)
        if isinstance(answer, str):
            LOG.error("table %s: %s failed\n%s", table, function.__name__, answer)
            raise Lost(f"{function.__name__} failed")
        return answer

    def _ask(
        self, thinker: _Thinker, question: _Question_, seconds: float, told: Callable[[float], None] = lambda _: None
    ) -> Any:
        try:
            answer = thinker.ask(question, seconds, lambda: self._closed, told)
        except BaseException:
            with self._lock:
                self._busy.discard(thinker)
            thinker.end()
            raise
        self._give_back(thinker)
        return answer

    def _take(self) -> _Thinker:
        with self._lock:
            while self._idle:
                thinker = self._idle.pop()
                if thinker.process.is_alive():
                    self._busy.add(thinker)
                    return thinker
                thinker.end()
        thinker = _Thinker()
        with self._lock:
            self._busy.add(thinker)
        return thinker

    def _give_back(self, thinker: _Thinker) -> None:
        with self._lock:
            self._busy.discard(thinker)
            thinker.due = math.inf
            if not self._closed:
                self._idle.append(thinker)
                return
        thinker.end()

    def stalled(self) -> str:
        """The fault of a bot that does not answer in time, in one line; empty when there is none."""
        now = time.monotonic()
        with self._lock:
            late = max((now - thinker.due for thinker in self._busy), default=0.0)
        return f"a bot has not answered {late:.0f} s after its time" if late > STALLED_SECONDS else ""

    def close(self) -> None:
        """End all processes, those that think too."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for thinker in idle:
            thinker.end()
