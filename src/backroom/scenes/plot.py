"""Scores over a match as a step plot, and chances to win as lines: paths, axes and labels as numbers, no HTML.

The look is `plot.css`'s.
"""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Curve", "Plot", "chance_plot", "percent", "step_of", "step_plot"]

TOGETHER = 6
"""Up to so many lines lie in one frame; more have a small frame each."""
ASIDE = 0.8
"""By how many percent of the frame equal lines lie beside each other."""
APART = 15.0
"""Percent of the frame's height that a label at the end of a line takes up."""
DASHES = "abcdefghij"


@dataclass(frozen=True)
class Curve:
    """One seat's line: its scores in order, its path in a frame of 100 by 100, and how high its label stands.

    ``cells`` are the same in words, ``band`` is the path around the intervals (empty where there are none).
    """

    seat: int
    name: str
    dash: str
    way: tuple[int, ...]
    path: str
    end: str
    cells: tuple[str, ...]
    band: str = ""

    @property
    def score(self) -> int:
        """The score at the end."""
        return self.way[-1]


@dataclass(frozen=True)
class Plot:
    """The data of a plot.

    ``together`` says that all lines share one frame. ``goal`` is the score to reach with its height from below (CSS)
    and from above (in the frame), None where there is none; ``rises`` are the same for the ticks at the left,
    ``rounds`` the ticks below with their places. ``last`` is the number of rounds, ``words`` the result; ``title`` and
    ``measure`` are its heading, ``across`` is what is counted below. ``columns`` are the numbers over the cells.
    ``marks`` stand on the lines: each a text and its places from the left and from below (CSS).
    """

    together: bool
    goal: tuple[int, str, str] | None
    rises: tuple[tuple[int, str, str], ...]
    rounds: tuple[tuple[int, str], ...]
    curves: tuple[Curve, ...]
    last: int
    words: str
    title: str
    measure: str
    across: str
    columns: tuple[int, ...]
    marks: tuple[tuple[str, str, str], ...] = ()


def step_plot(standings: Sequence[Sequence[int]], goal: int | None, names: Sequence[str]) -> Plot | None:
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
    return Plot(
        together=together,
        goal=None if goal is None else (goal, percent(goal, top), _height(goal, top)),
        # A line too near the goal's would be taken for it.
        rises=tuple(
            (value, percent(value, top), _height(value, top))
            for value in range(0, span + 1 if goal is None else goal - rise // 2, rise)
        ),
        rounds=tuple((number, percent(number, last)) for number in range(0, last + 1, step_of(last, 6))),
        curves=tuple(
            Curve(
                seat,
                name,
                DASHES[seat],
                way,
                _steps(way, top, _aside(ways, seat) if together else 0.0),
                ends[seat],
                tuple(map(str, way)),
            )
            for seat, (name, way) in enumerate(zip(names, ways, strict=True))
        ),
        last=last,
        words="; ".join(f"{name} {way[-1]}" for name, way in zip(names, ways, strict=True)),
        title="Points, round by round",
        measure="points" if goal is None else f"points; {goal} end it",
        across="round",
        columns=tuple(range(last + 1)),
    )


Share = Sequence[float]
"""A chance to win, 0 to 1, and the ends of its interval."""


def chance_plot(
    plies: Sequence[int],
    shares: Sequence[Sequence[Share]],
    names: Sequence[str],
    measure: str,
    turns: Sequence[tuple[int, int]] = (),
) -> Plot:
    """The plot of chances to win: ``shares`` by position, then by seat; a position is known by the moves before it.

    ``turns`` are the moves that decided the match, each as (moves before it, seat): they are numbered on their lines.
    """
    last = max(plies[-1], 1)
    ways = [tuple(round(100 * at[seat][0]) for at in shares) for seat in range(len(names))]
    ends = _ends([way[-1] for way in ways], 100)
    return Plot(
        together=len(names) <= TOGETHER,
        goal=None,
        rises=tuple((value, percent(value, 100), _height(value, 100)) for value in range(0, 101, 25)),
        rounds=tuple((number, percent(number, last)) for number in range(0, last + 1, step_of(last, 6))),
        curves=tuple(
            Curve(
                seat, name, DASHES[seat], ways[seat], _through(plies, [at[seat][0] for at in shares]), ends[seat],
                tuple(_share(at[seat]) for at in shares),
                _around(plies, [at[seat] for at in shares]),
            )
            for seat, name in enumerate(names)
        ),
        last=plies[-1],
        words="; ".join(f"{name} from {way[0]} to {way[-1]} %" for name, way in zip(names, ways, strict=True)),
        title="Who was going to win",
        measure=measure,
        across="move",
        columns=tuple(plies),
        marks=tuple(
            (str(number), percent(ply, last), f"{100 * _between(plies, [at[seat][0] for at in shares], ply):.2f}%")
            for number, (ply, seat) in enumerate(turns, 1)
        ),
    )  # fmt: skip


def _between(plies: Sequence[int], shares: Sequence[float], ply: int) -> float:
    """The height of a line over a move that need not be one of its points."""
    after = next((number for number, known in enumerate(plies) if known >= ply), len(plies) - 1)
    before = max(after - 1, 0)
    part = (ply - plies[before]) / max(plies[after] - plies[before], 1)
    return shares[before] + part * (shares[after] - shares[before])


def _through(plies: Sequence[int], shares: Sequence[float]) -> str:
    """A path through chances, each over its move."""
    last = max(*plies, 1)
    return "M" + "L".join(
        f"{100 * ply / last:.2f} {100 - 100 * share:.2f}" for ply, share in zip(plies, shares, strict=True)
    )


def _around(plies: Sequence[int], shares: Sequence[Share]) -> str:
    """The path around the intervals of a line: along their upper ends, and back along the lower ones."""
    upper, lower = [share[2] for share in shares], [share[1] for share in reversed(shares)]
    return _through([*plies, *reversed(plies)], upper + lower) + "Z"


def _share(share: Share) -> str:
    mean, low, high = (round(100 * part) for part in share)
    return str(mean) if low == high else f"{mean} ({low}–{high})"


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
