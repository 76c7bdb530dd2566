"""Play in which seats may not use some of what the rules allow, to learn what that is worth (Jaffe et al. 2012)."""

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from backroom.engine.game import Game, Refusal
from backroom.engine.kernel import Int, kernel

__all__ = ["ALLOWED", "allowed_actions", "keep_allowed"]

ALLOWED = numba.uint8[:, ::1]
"""The Numba type of what `allowed_actions` makes."""


def allowed_actions(game: Game, never: Sequence[str], seats: int) -> NDArray[np.uint8]:
    """What each seat may play, shape (seats of the largest match, actions): 1, or 0 for what it may not.

    ``never`` are families of actions, each for all seats (``plan``) or for one, numbered from 1 (``plan@2``).
    Refusal E_SETUP for what is no family of the game, and for a seat that the match does not have.
    """
    allowed = np.ones((game.state.seats, game.actions.count), np.uint8)
    families = {family.name: family for family in game.actions.families}
    for text in never:
        name, at, seat = text.partition("@")
        if name not in families:
            raise Refusal("E_SETUP", f"{game.name} has no actions called {name!r}; there are {', '.join(families)}")
        if at and not (seat.isascii() and seat.isdigit() and 1 <= int(seat) <= seats):
            raise Refusal("E_SETUP", f"{text}: write {name}@1 to {name}@{seats} for one seat, {name} for all")
        family = families[name]
        rows = slice(int(seat) - 1, int(seat)) if at else slice(None)
        allowed[rows, family.first : family.first + family.count] = 0
    return allowed


@kernel
def keep_allowed(out: Any, n: Int, allowed: Any, seat: Int) -> Int:
    """Leave in the first ``n`` of a list of legal actions those that a seat is allowed, in their order: how many.

    Where the rules allow nothing else, all of them stay.
    """
    kept = 0
    for i in range(n):
        if allowed[seat, out[i]]:
            kept += 1
    if kept == 0:
        return n
    kept = 0
    for i in range(n):
        if allowed[seat, out[i]]:
            out[kept] = out[i]
            kept += 1
    return kept
