"""The ledger: how far everybody is on the way to the target."""

from collections.abc import Sequence
from typing import Any

__all__ = ["ledger", "percent", "step_of"]

LANES = ((0, True), (0, False), (1, True), (1, False))
"""Where players stand at the ledger: how far from the line (0, 1), and whether above it."""
MARK = 7
"""Percent of the ledger that a player's mark takes up on a phone."""


def ledger(scores: Sequence[int], gains: Sequence[int], target: int) -> dict[str, Any]:
    """The score race: places in percent of the track, for ticks, for players (equal scores share one), for trails."""
    span = max(target, *scores)
    step = step_of(target, 6)
    trails = sorted({(score - gain, score) for score, gain in zip(scores, gains, strict=True) if gain})
    runs = _runs(scores, span)
    return {
        "target": target,
        "ticks": [(value, percent(value, span)) for value in [*range(0, target - step // 2, step), target]],
        "runs": runs,
        # More than a few would lie on each other and say nothing.
        "trails": [(percent(old, span), percent(new - old, span)) for old, new in trails] if len(trails) < 4 else [],
        "tall": any(run["level"] for run in runs),
    }


def _runs(scores: Sequence[int], span: int) -> list[dict[str, Any]]:
    """Players by score, each in the first lane with room, above and below the line in turn."""
    free = dict.fromkeys(LANES, 0.0)
    runs = []
    for number, score in enumerate(sorted(set(scores))):
        seats = [seat for seat, other in enumerate(scores) if other == score]
        at = 100 * score / span
        # Near the line before far from it, and on the other side of it than the score before.
        lanes = LANES if number % 2 == 0 else (LANES[1], LANES[0], LANES[3], LANES[2])
        lane = next((lane for lane in lanes if free[lane] <= at), min(free, key=free.__getitem__))
        free[lane] = at + MARK * len(seats)
        late = score * 3 > span * 2
        runs.append(
            {"at": percent(score, span), "seats": seats, "score": score}
            | {"level": lane[0], "up": not lane[1], "late": late}
        )
    return runs


def percent(part: int, whole: int) -> str:
    """A part of a whole as CSS takes it."""
    return f"{100 * part / whole:.2f}%"


def step_of(span: int, most: int) -> int:
    """A round distance between ticks, of which ``most`` at most fit into the span."""
    return next(
        step
        for step in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, *range(1000, span + 1000, 1000))
        if step * most >= span
    )
