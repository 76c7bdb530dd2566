"""Bots that remember what they were shown: another bot, playing on a view with its recollections written in."""

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.bots.bot import Bot

__all__ = ["MemoryBot"]


class MemoryBot(Bot):
    """Plays like another bot, but knows what it remembers of the views it has had.

    ``recollect(views, seat)`` gives the last of a seat's views with what it remembers written in. The memory is a
    function of the views alone, so it survives a restart of the program.
    """

    remembers = True

    def __init__(self, spec: str, inner: Bot, recollect: Callable[[Iterable[Any], int], Any]) -> None:
        super().__init__(inner.game, spec)
        self.inner, self.recollect, self.iterations = inner, recollect, inner.iterations

    def prepare(self) -> None:
        self.inner.prepare()

    def informed(self, views: Iterable[Any], view: Any, seat: int) -> Any:
        return self.recollect(views, seat)

    def at_most(self, iterations: int) -> Bot:
        return MemoryBot(self.spec, self.inner.at_most(iterations), self.recollect)

    def _decide(self, view: Any, seat: int, random: NDArray[np.int64], until: float) -> int:
        return self.inner.decide(view, seat, random, until)

    def choose(self, view: Any, seat: int, random: NDArray[np.int64], until: float = math.inf) -> list[int]:
        return self.inner.choose(view, seat, random, until)
