"""Hints for bots that play Dark Sources, and personas that differ in what they remember.

A bot is shown what everybody is shown, and a bot without a memory plays on that alone. What a persona remembers it
writes into its own view, where a resampled state keeps it.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from backroom.engine import rng
from backroom.engine.game import Level, Parameter, Persona
from backroom.engine.kernel import Float, Int, kernel
from backroom.games.dark_sources.rules import SLOTS, total

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


@kernel
def remember(memory: Any, view: Any) -> None:
    """Follow one swap: remembered values move with their cards, and what the swap showed is noted.

    ``memory`` is a record of the game whose ``value`` holds what is remembered, 0 for nothing.
    """
    if view.swapped[0] > 0 and memory.turn < view.turn:
        mover, mine = np.int64(view.swapped[0]) - 1, np.int64(view.swapped[1])
        other, theirs = np.int64(view.swapped[2]) - 1, np.int64(view.swapped[3])
        given = np.int64(memory.value[mover, mine])
        memory.value[mover, mine] = memory.value[other, theirs]
        memory.value[other, theirs] = given
        if view.known[0] > 0:
            memory.value[other, theirs] = view.known[0]
        if view.known[1] > 0:
            memory.value[mover, mine] = view.known[1]
    memory.turn = view.turn
    for p in range(view.seats):
        for slot in range(SLOTS):
            if view.shown[p, slot] > 0:
                memory.value[p, slot] = view.shown[p, slot]


@kernel
def forget(memory: Any, view: Any, chance: Float, random: Any) -> None:
    """Lose each fact about a face-down card with this chance."""
    for p in range(view.seats):
        for slot in range(SLOTS):
            if view.down[p, slot] and rng.uniform(random) < chance:
                memory.value[p, slot] = 0


def _recollect(views: Iterable[Any], seat: int, chance: float, last: int | None) -> Any:
    had = list(views)
    if last is not None:
        had = had[-last - 1 :]
    memory = had[0].copy()
    memory.value[:] = 0
    for view in had:
        remember(memory, view)
        if chance:
            # A forgotten card stays forgotten: that depends on what was seen then, not on when it is asked for.
            forget(memory, view, chance, rng.generator(view.tobytes(), "forget", seat))
    known = had[-1].copy()
    known.value[:] = memory.value
    return known


LEVELS = (
    Level("greedy"),
    Level("memory:4", (0.423, 0.350, 0.497), 0.301),
    Level("memory:12"),
    Level("perfect", (1.000, 0.839, 1.000), 0.000),
)
"""Here strength is memory: a greedy bot without one is level with a random one. Three players: `backroom ladder
dark_sources --players 3 --bots greedy,memory:4 --games 300 --seed 1`, and `--bots memory:12,perfect --games 120`.
Twelve swaps are not measured against four; eight are not clearly better than four (+11 %, -4 to +26)."""

PERSONAS = {
    "memory": Persona(
        lambda _: "greedy",
        parameter=Parameter(4, 0, 1_000_000, whole=True),
        recollect=lambda views, seat, swaps: _recollect(views, seat, 0.0, int(swaps)),
    ),
    "perfect": Persona(lambda _: "greedy", recollect=lambda views, seat, _: _recollect(views, seat, 0.0, None)),
    "closer": Persona(
        lambda iterations: f"search:{int(iterations)}",
        parameter=Parameter(1000, 1, 1_000_000, whole=True),
        recollect=lambda views, seat, _: _recollect(views, seat, 0.0, None),
    ),
    "noisy": Persona(
        lambda _: "greedy",
        parameter=Parameter(0.1, 0, 1),
        recollect=lambda views, seat, chance: _recollect(views, seat, chance, None),
    ),
}
