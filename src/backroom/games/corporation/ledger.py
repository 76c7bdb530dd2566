"""The ledger: how far everybody is on the way to the target, and how the scores went, from the log."""

from collections.abc import Iterable, Sequence
from typing import Any

from backroom.engine.notation import Line
from backroom.scenes.plot import percent, step_of

__all__ = ["ledger", "standings"]

MARK = 7
"""Percent of the ledger that a player's mark takes up on a phone."""
COLUMN = 3
"""More players of one score than this stand in two columns."""


def standings(lines: Iterable[tuple[int, Line]], seats: int) -> list[list[int]]:
    """The scores by seat at the start and after each round, from the log."""
    scored = [list(line.event.args["scores"]) for _, line in lines if line.event.kind == "scored"]
    return [[0] * seats, *scored]


def ledger(scores: Sequence[int], gains: Sequence[int], target: int) -> dict[str, Any]:
    """The score race: places in percent of the track, for ticks, for players (equal scores share one), for trails.

    ``above`` and ``below`` are the marks that stand on each other at most, over and under the line.
    """
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
        "above": max((_top(run) for run in runs if not run["under"]), default=0),
        "below": max((_top(run) for run in runs if run["under"]), default=0),
    }


def _runs(scores: Sequence[int], span: int) -> list[dict[str, Any]]:
    """Players by score: those of one score stand on each other at their value, over or under the line.

    ``rows`` and ``columns`` are the marks they take, ``skip`` the rows left free for neighbours nearer to the line.
    """
    runs: list[dict[str, Any]] = []
    for score in sorted(set(scores)):
        seats = [seat for seat, other in enumerate(scores) if other == score]
        columns = 1 if len(seats) <= COLUMN else 2
        run = {"at": percent(score, span), "seats": seats, "score": score, "columns": columns}
        run["rows"] = -(-len(seats) // columns)
        skips = {}
        for under in (False, True):
            near = [
                old
                for old in runs
                if old["under"] is under and 200 * (score - old["score"]) < MARK * span * (columns + old["columns"])
            ]
            skips[under] = max(map(_top, near), default=0)
        # Nearer to the line is better; of two alike the side that the score before did not take.
        other = not runs[-1]["under"] if runs else False
        run["under"] = under = other if skips[other] <= skips[not other] else not other
        runs.append(run | {"skip": skips[under]})
    return runs


def _top(run: dict[str, Any]) -> int:
    return int(run["skip"] + run["rows"])
