"""Compiling ahead of time: the rules and the bots' loops of a game, on all cores, kept on disk for later starts."""

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from multiprocessing import active_children, get_context
from pathlib import Path

from backroom.bots import make_bot
from backroom.bots.batch import game_loop
from backroom.bots.search import SearchBot
from backroom.engine.cache import cache_folder, cache_root, can_be_kept, sources_digest
from backroom.engine.game import Game, find_game
from backroom.engine.kernel import JIT

__all__ = ["compile_ahead", "is_compiled", "warm"]

MOVES = ("setup", "apply")
PARTS: dict[str, Callable[[Game], object]] = {
    "moves": lambda game: [game.compiled(name) for name in MOVES],
    "rules": lambda game: [game.compiled(name) for name in game.signatures if name not in MOVES],
    "search": lambda game: make_bot(game, "search").prepare(),
    "greedy": lambda game: make_bot(game, "greedy").prepare(),
    "games": game_loop,
}
"""The compiled parts of a game: its kernels, in two parts that share little, and the loops that use them."""


def warm(game: Game) -> dict[str, float]:
    """Compile everything of a game in this process, or load it from the cache on disk; the seconds each part took.

    Parts: ``moves`` and ``rules`` (its kernels), ``games`` (the loop that simulates games of random and greedy bots),
    and the choices of ``greedy`` and ``search`` at a table. Without it each part is compiled when it is first used.
    """
    return {part: _prepare(game, part) for part in PARTS}


def _prepare(game: Game, part: str) -> float:
    started = time.perf_counter()
    PARTS[part](game)
    return time.perf_counter() - started


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Processes started within are not told of Ctrl-C: the one that started them is, and ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _marker(game: Game) -> Path:
    """A file that says that this state of the game's and the bots' sources has been compiled to disk.

    It stands among the game's rules, so that it is gone when they are.
    """
    digest = sources_digest(game_loop, SearchBot.prepare, *map(game.function, game.signatures))
    return cache_folder(game.function("apply")) / f"{game.name}-{digest}.compiled"


def is_compiled(game: Game) -> bool:
    """Whether everything of the game is on disk already; True where nothing is ever compiled (BACKROOM_JIT=0)."""
    return not JIT or _marker(game).exists()


def _compile(name: str, part: str) -> tuple[str, str, float]:
    return name, part, _prepare(find_game(name), part)


def compile_ahead(games: Sequence[Game]) -> Iterator[tuple[str, str, float]]:
    """Compile to disk whatever is not there yet of these installed games, in as many processes as there are cores.

    Yields the name, the part and its seconds as each part is done.
    """
    missing = [game for game in games if not is_compiled(game)]
    if not missing or not can_be_kept(cache_root()):
        return
    # Numba compiles one function at a time in a process, so threads would gain nothing.
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        others = active_children()
        with _without_ctrl_c():
            tasks = [pool.submit(_compile, game.name, part) for part in PARTS for game in missing]
        try:
            for task in as_completed(tasks):
                yield task.result()
        except BaseException:
            # A caller that no longer wants the rest does not wait for it: a part takes many seconds.
            for process in active_children():
                if process not in others:
                    process.terminate()
            raise
    for game in missing:
        with suppress(OSError):
            _marker(game).touch()
