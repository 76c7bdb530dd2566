"""Refusals of input, how they quote what was given, and the one check of a seat's number."""

from typing import Any

import numpy as np

__all__ = ["Refusal", "checked_seat", "quoted"]

MOST_SHOWN = 60
"""Most characters of what was given that a refusal repeats."""


class Refusal(ValueError):
    """Input that cannot be accepted: one line with a code, what is wrong and what would be right. Nothing changed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message)


def quoted(given: Any) -> str:
    """What was given, for a refusal that repeats it: a word as it was typed, in quotes; shortened where it is long."""
    whole = repr(given)
    return whole if len(whole) <= MOST_SHOWN else f"{whole[: MOST_SHOWN - 4]} ..."


def checked_seat(seats: int, seat: Any) -> int:
    """A seat of a match with so many ``seats``, as an int; NumPy's whole numbers are taken too.

    Refusal E_ACTOR for everything else: nobody who is not at the table moves, speaks or is asked for.
    """
    if isinstance(seat, int | np.integer) and not isinstance(seat, bool) and 0 <= seat < seats:
        return int(seat)
    raise Refusal("E_ACTOR", f"there is no seat {quoted(seat)}; the seats of this match are 0 to {int(seats) - 1}")
