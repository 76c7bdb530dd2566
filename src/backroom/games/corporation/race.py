"""The race to the target, round by round: from the log, which tells after each round how all stand."""

from collections.abc import Iterable, Sequence
from typing import Any

from backroom.engine.notation import Line, Thing
from backroom.games.corporation.ledger import percent, step_of

__all__ = ["race", "standings"]

TOGETHER = 6
"""Up to so many lines lie in one frame; more have a small frame each."""
ASIDE = 0.8
"""By how many percent of the frame equal lines lie beside each other."""
APART = 13.0
"""Percent of the frame's height that a label at the end of a line takes up."""
DASHES = "abcdefghij"


def standings(lines: Iterable[tuple[int, Line]]) -> list[list[int]]:
    """The scores by seat after each round, from the lines of the log; none before the first round has been told."""
    found = []
    for _, line in lines:
        scores = [int(part.key) for part in line.parts if isinstance(part, Thing) and part.kind == "score"]
        if scores:
            found.append(scores)
    return found


def race(told: Sequence[Sequence[int]], target: int, names: Sequence[str]) -> dict[str, Any]:
    """What the plot is drawn from: paths in a frame of 100 by 100, axes and labels in percent, the numbers as rows.

    ``told`` are the scores by seat after each round.
    """
    rounds = [[0] * len(names), *told]
    last, top = len(rounds) - 1, max(target, *rounds[-1])
    ways = [[scores[seat] for scores in rounds] for seat in range(len(names))]
    together = len(names) <= TOGETHER
    across = step_of(last, 6)
    return {
        "together": together,
        "words": "; ".join(f"{name} {way[-1]}" for name, way in zip(names, ways, strict=True)),
        "goal": (target, percent(target, top), _height(target, top)),
        # A line too near the goal's would be taken for it.
        "rises": [
            (value, percent(value, top), _height(value, top))
            for value in range(0, target - step_of(target, 3) // 2, step_of(target, 3))
        ],
        "rounds": [(number, percent(number, last)) for number in range(0, last + 1, across)],
        "lines": [
            {
                "seat": seat,
                "name": names[seat],
                "dash": DASHES[seat],
                "path": _steps(way, top, _aside(ways, seat) if together else 0.0),
                "score": way[-1],
            }
            for seat, way in enumerate(ways)
        ],
        "ends": dict(enumerate(_ends([way[-1] for way in ways], top))),
        "numbers": [(name, way) for name, way in zip(names, ways, strict=True)],
        "last": last,
    }


def _height(value: int, top: int) -> str:
    return f"{100 - 100 * value / top:.2f}"


def _steps(way: Sequence[int], top: int, aside: float) -> str:
    """A path that keeps its height until the next round and jumps there."""
    points = [f"{100 - 100 * score / top - aside:.2f}" for score in way]
    across = [f"{100 * number / (len(way) - 1):.2f}" for number in range(len(way))]
    jumps = (f"H{x}V{y}" for x, y in zip(across[1:], points[1:], strict=True))
    return f"M0 {points[0]}{''.join(jumps)}"


def _aside(ways: Sequence[Sequence[int]], seat: int) -> float:
    """How far a line is moved so that it can be seen beside others, which may be equal somewhere."""
    return ASIDE * ((len(ways) - 1) / 2 - seat)


def _ends(scores: Sequence[int], top: int) -> list[str]:
    """Heights of the labels by seat, pushed apart upwards where they would lie on each other, then down from the top.

    Equal scores stand in seat order from the top.
    """
    order = sorted(range(len(scores)), key=lambda seat: (scores[seat], -seat))
    places: dict[int, float] = {}
    below = -APART
    for seat in order:
        below = places[seat] = max(100 * scores[seat] / top, below + APART)
    above = max(100.0, APART * (len(scores) - 1)) + APART
    for seat in reversed(order):
        above = places[seat] = min(places[seat], above - APART)
    return [f"{places[seat]:.2f}%" for seat in range(len(scores))]
