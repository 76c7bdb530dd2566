"""Scores over a match as a step plot: paths, axes and labels as numbers, no HTML. The look is `plot.css`'s."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Curve", "StepPlot", "percent", "step_of", "step_plot"]

TOGETHER = 6
"""Up to so many lines lie in one frame; more have a small frame each."""
ASIDE = 0.8
"""By how many percent of the frame equal lines lie beside each other."""
APART = 15.0
"""Percent of the frame's height that a label at the end of a line takes up."""
DASHES = "abcdefghij"


@dataclass(frozen=True)
class Curve:
    """One seat's line: its scores in order, its path in a frame of 100 by 100, and how high its label stands."""

    seat: int
    name: str
    dash: str
    way: tuple[int, ...]
    path: str
    end: str

    @property
    def score(self) -> int:
        """The score at the end."""
        return self.way[-1]


@dataclass(frozen=True)
class StepPlot:
    """The data of a plot.

    ``together`` says that all lines share one frame. ``goal`` is the score to reach with its height from below (CSS)
    and from above (in the frame), None where there is none; ``rises`` are the same for the ticks at the left,
    ``rounds`` the ticks below with their places. ``last`` is the number of rounds, ``words`` the result.
    """

    together: bool
    goal: tuple[int, str, str] | None
    rises: tuple[tuple[int, str, str], ...]
    rounds: tuple[tuple[int, str], ...]
    curves: tuple[Curve, ...]
    last: int
    words: str


def step_plot(standings: Sequence[Sequence[int]], goal: int | None, names: Sequence[str]) -> StepPlot | None:
    """The plot of the scores by seat at the start and after each round; None before the second round is told."""
    last = len(standings) - 1
    if last < 2:
        return None
    top = max(1, goal or 0, *(score for scores in standings for score in scores))
    ways = [tuple(scores[seat] for scores in standings) for seat in range(len(names))]
    together = len(names) <= TOGETHER
    ends = _ends([way[-1] for way in ways], top)
    span = top if goal is None else goal
    rise = step_of(span, 3)
    return StepPlot(
        together=together,
        goal=None if goal is None else (goal, percent(goal, top), _height(goal, top)),
        # A line too near the goal's would be taken for it.
        rises=tuple(
            (value, percent(value, top), _height(value, top))
            for value in range(0, span + 1 if goal is None else goal - rise // 2, rise)
        ),
        rounds=tuple((number, percent(number, last)) for number in range(0, last + 1, step_of(last, 6))),
        curves=tuple(
            Curve(seat, name, DASHES[seat], way, _steps(way, top, _aside(ways, seat) if together else 0.0), ends[seat])
            for seat, (name, way) in enumerate(zip(names, ways, strict=True))
        ),
        last=last,
        words="; ".join(f"{name} {way[-1]}" for name, way in zip(names, ways, strict=True)),
    )


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
