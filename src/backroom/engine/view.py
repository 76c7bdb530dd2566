"""Views and what can be imagined from them.

What a viewer may know is `RecordType.view`. `determinize` turns a view into a whole state that the viewer could be
in: the bots' only source of hidden things. It never sees the truth, because it starts from the view.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.engine import rng
from backroom.engine.game import Game
from backroom.engine.kernel import INT, LONGS, VOID, Int, kernel, specialise
from backroom.engine.record import checked_viewer

__all__ = ["determinize", "fresh_chance", "imagine"]


@kernel
def fresh_chance(s: Any, random: Any) -> None:
    """Give an imagined state chance of its own: a random key and streams not used yet."""
    for i in range(s.chance_key.shape[0]):
        s.chance_key[i] = rng.next_word(random)
    for i in range(s.chance_count.shape[0]):
        s.chance_count[i] = 0


def _determinize(s: Any, viewer: Int, random: Any, resample: Any) -> None:
    fresh_chance(s, random)
    resample(s, viewer, random)


@cache
def imagine(game: Game) -> Any:
    """The compiled ``determinize(s, viewer, rng, resample)`` of a game, in place; for loops that hold views already."""
    s = game.state.numba_type
    return specialise(_determinize, VOID(s, INT, LONGS, game.kernel_type("resample")))


def determinize(game: Game, view: Any, viewer: int, random: NDArray[np.int64]) -> Any:
    """A state drawn from those possible for a viewer (seat or SPECTATOR), given its view; the view stays as it is.

    Refusal E_ACTOR when there is no such seat.
    """
    viewer = checked_viewer(view.seats, viewer)
    state = game.state.copy(view)
    imagine(game)(state, viewer, random, game.kernels["resample"])
    return state
