"""Intervals for shares and means. Pure functions; the tests check their coverage by simulation.

Counts may be fractional: a win shared by k seats counts 1/k for each. Splitting a win only lowers the variance of a
count, so the intervals are then a little wider than they need be.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

__all__ = ["Interval", "block_mean", "goodman", "wilson"]


@dataclass(frozen=True)
class Interval:
    """An estimate with its interval; ``count`` is the number of independent observations (games, blocks) behind it."""

    estimate: float
    low: float
    high: float
    count: int

    def to_json(self) -> dict[str, float]:
        """The interval as plain values."""
        return {"estimate": self.estimate, "low": self.low, "high": self.high, "count": self.count}


def wilson(successes: float, trials: int, confidence: float = 0.95) -> Interval:
    """Wilson's score interval for one share, for 0 <= successes <= trials, trials >= 1.

    With z the normal quantile at (1 + confidence) / 2 and p = successes / trials, the centre is
    (p + z^2 / 2n) / (1 + z^2 / n), the half width z sqrt(p (1 - p) / n + z^2 / 4n^2) / (1 + z^2 / n) (E. B. Wilson,
    JASA 22, 1927). For whole numbers it equals ``scipy.stats.binomtest(...).proportion_ci(method="wilson")``, which
    takes no fractional counts. ValueError for counts outside their range.
    """
    if trials < 1 or not 0 <= successes <= trials * (1 + 1e-12):
        raise ValueError(f"{successes} successes in {trials} trials")
    share = min(successes / trials, 1.0)
    square = 2 * float(special.gammaincinv(0.5, confidence))  # the quantile of chi-square
    centre = (share + square / (2 * trials)) / (1 + square / trials)
    half = math.sqrt(square * (share * (1 - share) / trials + square / (4 * trials**2))) / (1 + square / trials)
    low = 0.0 if share == 0.0 else max(centre - half, 0.0)
    high = 1.0 if share == 1.0 else min(centre + half, 1.0)
    return Interval(share, low, high, trials)


def goodman(counts: Sequence[float], confidence: float = 0.95) -> list[Interval]:
    """Simultaneous intervals for the k shares of a multinomial: all hold together with at least this confidence.

    Wilson's interval with the chi-square quantile at 1 - (1 - confidence) / k, one degree of freedom (L. A. Goodman,
    Technometrics 7, 1965). The counts add up to the number of trials. ValueError for fewer than two of them.
    """
    if len(counts) < 2:
        raise ValueError("a multinomial has at least two classes")
    trials = round(sum(counts))
    return [wilson(count, trials, 1 - (1 - confidence) / len(counts)) for count in counts]


def block_mean(
    values: ArrayLike, confidence: float = 0.95, bounds: tuple[float, float] = (-math.inf, math.inf)
) -> Interval:
    """Student's interval for a mean, from one independent value a block (one match seed with all its games).

    mean +- t sd / sqrt(blocks), t the quantile at (1 + confidence) / 2 with blocks - 1 degrees of freedom. Games inside
    a block depend on each other, so the block is the observation. ``bounds`` are the least and greatest value possible:
    the interval stays within them, and where all blocks are equal, so that they show no spread to reckon with, it is
    Wilson's for the mean's place between the bounds. ValueError for fewer than two blocks.
    """
    blocks = np.asarray(values, np.float64)
    if blocks.ndim != 1 or len(blocks) < 2:
        raise ValueError("an interval needs at least two blocks")
    mean, deviation, (least, most) = float(blocks.mean()), float(blocks.std(ddof=1)), bounds
    if deviation < 1e-12 and math.isfinite(most - least):
        place = wilson(len(blocks) * (mean - least) / (most - least), len(blocks), confidence)
        return Interval(mean, least + place.low * (most - least), least + place.high * (most - least), len(blocks))
    half = float(special.stdtrit(len(blocks) - 1, (1 + confidence) / 2)) * deviation / math.sqrt(len(blocks))
    return Interval(mean, max(mean - half, least), min(mean + half, most), len(blocks))
