"""Hints for bots that play Corporation."""

from typing import Any

from backroom.engine.kernel import Int, kernel
from backroom.games.corporation.rules import ACTIONS

__all__ = ["seen"]

FACE_DOWN = ACTIONS.count


@kernel
def seen(s: Any, seat: Int, action: Int, viewer: Int) -> Int:
    """A placed card is its player's secret until the last player places: then all cards are turned up."""
    if viewer == seat or s.acting == 1 << seat:
        return action
    return FACE_DOWN
