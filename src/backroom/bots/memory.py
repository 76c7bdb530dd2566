"""Bots that remember what they were shown: another bot, playing on a view with its recollections written in."""

import math
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.bots.bot import Bot
from backroom.engine.game import Game, Memory
from backroom.engine.kernel import FLOAT, INT, LONGS, VOID, Float, Int, kernel, specialise

__all__ = ["MemoryBot", "memory_signature", "no_memory"]


def memory_signature(game: Game) -> Any:
    """The Numba signature of both kernels of a `backroom.engine.game.Memory`."""
    return VOID(game.state.numba_type, LONGS, INT, FLOAT)


@kernel
def no_memory(view: Any, row: Any, seat: Int, parameter: Float) -> None:
    """Both kernels of a bot that remembers nothing."""


class MemoryBot(Bot):
    """Plays like another bot, but knows what it remembers of the views it has had.

    ``parameter`` is what the persona's memory is given. The memory is a function of the views alone, so it survives a
    restart of the program.
    """

    remembers = True

    def __init__(self, spec: str, inner: Bot, memory: Memory, parameter: float) -> None:
        super().__init__(inner.game, spec)
        self.inner, self.memory, self.parameter, self.iterations = inner, memory, parameter, inner.iterations

    @cached_property
    def kernels(self) -> tuple[Any, Any]:
        """What remembers and what recollects, compiled."""
        signature = memory_signature(self.game)
        return specialise(self.memory.remember, signature), specialise(self.memory.recollect, signature)

    def prepare(self) -> None:
        self.inner.prepare()
        _ = self.kernels

    def informed(self, views: Iterable[Any], view: Any, seat: int) -> Any:
        remember, recollect = self.kernels
        row = np.zeros(self.memory.size, np.int64)
        for had in views:
            remember(had, row, seat, self.parameter)
        known = self.game.state.copy(view)
        recollect(known, row, seat, self.parameter)
        return known

    def at_most(self, iterations: int) -> Bot:
        return MemoryBot(self.spec, self.inner.at_most(iterations), self.memory, self.parameter)

    def _decide(self, view: Any, seat: int, random: NDArray[np.int64], until: float) -> int:
        return self.inner.decide(view, seat, random, until)

    def choose(self, view: Any, seat: int, random: NDArray[np.int64], until: float = math.inf) -> list[int]:
        return self.inner.choose(view, seat, random, until)
