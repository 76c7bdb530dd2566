"""Hints for bots that play Dark Sources, and personas that differ in what they remember.

A bot is shown what everybody is shown, and a bot without a memory plays on that alone. What a persona remembers it
writes into its own view, where a resampled state keeps it.
"""

from typing import Any

import numpy as np

from backroom.engine import rng
from backroom.engine.game import Level, Memory, Parameter, Persona
from backroom.engine.kernel import Float, Int, kernel
from backroom.games.dark_sources.rules import SEATS, SLOTS, total

__all__ = ["LEVELS", "PERSONAS", "evaluate"]


@kernel
def evaluate(s: Any, seat: Int) -> Float:
    """Win share guessed from the rows' totals; the fewer cards are face up, the more the difference counts."""
    sharpness = 0.15 + 0.6 / (1.0 + s.up)
    whole, own = 0.0, 0.0
    for p in range(s.seats):
        weight = np.exp(sharpness * total(s, p))
        whole += weight
        if p == seat:
            own = weight
    return own / whole


CARDS = SEATS * SLOTS
VALUE, SEEN, RANDOM = 1, 1 + CARDS, 1 + 2 * CARDS
"""Where a remembered row has the values of the cards by place, 0 for nothing, the turn in which each was last seen, and
room for a generator. Its first number is the turn of the last view."""


@kernel
def note(row: Any, p: Int, slot: Int, value: Int, turn: Int) -> None:
    """Remember a card that shows."""
    row[VALUE + p * SLOTS + slot], row[SEEN + p * SLOTS + slot] = value, turn


@kernel
def remember(view: Any, row: Any, seat: Int, parameter: Float) -> None:
    """Follow one swap: remembered values move with their cards, and what shows is noted."""
    turn = np.int64(view.turn)
    if view.swapped[0] > 0 and row[0] < turn:
        mover, mine = np.int64(view.swapped[0]) - 1, np.int64(view.swapped[1])
        other, theirs = np.int64(view.swapped[2]) - 1, np.int64(view.swapped[3])
        own, foreign = mover * SLOTS + mine, other * SLOTS + theirs
        for part in (VALUE, SEEN):
            row[part + own], row[part + foreign] = row[part + foreign], row[part + own]
        if view.known[0] > 0:
            note(row, other, theirs, view.known[0], turn)
        if view.known[1] > 0:
            note(row, mover, mine, view.known[1], turn)
    row[0] = turn
    for p in range(view.seats):
        for slot in range(SLOTS):
            if view.shown[p, slot] > 0:
                note(row, p, slot, view.shown[p, slot], turn)


@kernel
def remember_badly(view: Any, row: Any, seat: Int, chance: Float) -> None:
    """`remember`, but each fact about a face-down card is lost with this chance at each view.

    What is lost hangs on what was seen then, not on when it is asked for: a forgotten card stays forgotten.
    """
    remember(view, row, seat, chance)
    seen = np.int64(view.turn)
    for i in range(4):
        seen = (seen * 31 + view.swapped[i]) & 0xFFFFFFFFFFFF
    for i in range(2):
        seen = (seen * 31 + view.known[i]) & 0xFFFFFFFFFFFF
    for p in range(view.seats):
        for slot in range(SLOTS):
            seen = (seen * 31 + view.shown[p, slot]) & 0xFFFFFFFFFFFF
    random = row[RANDOM : RANDOM + 4]
    rng.reseed(random, seen, seat)
    for p in range(view.seats):
        for slot in range(SLOTS):
            if view.down[p, slot] and rng.uniform(random) < chance:
                row[VALUE + p * SLOTS + slot] = 0


@kernel
def recollect(view: Any, row: Any, seat: Int, parameter: Float) -> None:
    """All that was ever seen."""
    for p in range(view.seats):
        for slot in range(SLOTS):
            view.value[p, slot] = row[VALUE + p * SLOTS + slot]


@kernel
def recollect_last(view: Any, row: Any, seat: Int, swaps: Float) -> None:
    """What shows, and what was seen in so many swaps, the last ones."""
    for p in range(view.seats):
        for slot in range(SLOTS):
            seen = row[SEEN + p * SLOTS + slot] > view.turn - swaps
            view.value[p, slot] = row[VALUE + p * SLOTS + slot] if seen else view.shown[p, slot]


SIZE = RANDOM + 4
PERFECT = Memory(SIZE, remember, recollect)

LEVELS = (
    Level(
        "noisy:0.12", "Forgets each card that lies face down in one turn of eight.",
        (0.486, 0.433, 0.539), (0.214, 0.172, 0.256), 3, 600,
    ),
    Level(
        "noisy:0.06", "Forgets each card that lies face down in one turn of sixteen.",
        (0.521, 0.465, 0.577), (0.198, 0.157, 0.239), 3, 600,
    ),
    Level(
        "noisy:0.02", "Forgets each card that lies face down in one turn of fifty.",
        (0.752, 0.702, 0.802), (0.082, 0.054, 0.111), 3, 600,
    ),
    Level(
        "perfect", "Forgets nothing.",
        (0.821, 0.778, 0.864), (0.022, 0.006, 0.038), 3, 600,
    ),
)  # fmt: skip
"""Each beats the one below it, the lowest random play; docs/levels.md has the commands."""

PERSONAS = {
    "memory": Persona(
        lambda _: "greedy",
        parameter=Parameter(4, 0, 1_000_000, whole=True),
        memory=Memory(SIZE, remember, recollect_last),
    ),
    "perfect": Persona(lambda _: "greedy", memory=PERFECT),
    "closer": Persona(
        lambda iterations: f"search:{int(iterations)}",
        parameter=Parameter(1000, 1, 1_000_000, whole=True),
        memory=PERFECT,
    ),
    "noisy": Persona(
        lambda _: "greedy",
        parameter=Parameter(0.1, 0, 1),
        memory=Memory(SIZE, remember_badly, recollect),
    ),
}
