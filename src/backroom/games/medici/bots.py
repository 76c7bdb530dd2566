"""Hints for bots that play Court of the Medici and Fringe Powers."""

from typing import Any

from backroom.engine.kernel import Int, kernel
from backroom.games.medici.rules import CONSPIRE_FIRST, GUARD_FIRST, PLAN, PUT_FIRST

__all__ = ["seen"]


@kernel
def seen(s: Any, seat: Int, action: Int, viewer: Int) -> Int:
    """Others see that a card is planned or put back, not which."""
    if seat != viewer and PLAN <= action < CONSPIRE_FIRST:
        return PLAN
    if seat != viewer and PUT_FIRST <= action < GUARD_FIRST:
        return PUT_FIRST
    return action
