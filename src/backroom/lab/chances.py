"""Who was going to win a match: each seat's chance after its moves, by games imagined from what could be known then.

From outside, as somebody without cards could know the position; and for each seat from its own view. A chance is the
mean win share of a search's imagined games (`SearchBot.worth`), judged where the game is best valued; the first of them
only grow the search's tree. Its interval is Wilson's for so many games.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from backroom.bots.search import SearchBot
from backroom.engine.game import CAPPED
from backroom.engine.match import Match
from backroom.engine.record import SPECTATOR
from backroom.lab.decisive import judge, seeds_of
from backroom.lab.stats import Interval, wilson

__all__ = ["Chances", "chances"]

GAMES, FIRST = 420, 60
"""Imagined games for a position, and how many of the first do not count."""
MOST_POSITIONS = 40
"""Positions of a long match that are looked at, evenly spread."""


@dataclass(frozen=True)
class Chances:
    """The win shares (0 to 1) by seat after ``ply`` moves, from outside and each from the seat's own view."""

    ply: int
    outside: tuple[Interval, ...]
    own: tuple[Interval, ...]


def chances(
    match: Match,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
    until: float = math.inf,
    games: int = GAMES,
) -> list[Chances]:
    """The chances over a finished match, at MOST_POSITIONS positions at most, the last of them its end.

    Empty where the match came to no end of its own. ``progress`` is told the part that is done, 0 to 1; after ``until``
    (of `time.monotonic`) nothing further is looked at, and what is missing is left out.
    """
    if int(match.state.over) == CAPPED:
        return []
    game, found = match.game, []
    bot, seats = judge(game, games), range(len(match.names))
    plies = sorted(
        {round(match.ply * number / (MOST_POSITIONS - 1)) for number in range(MOST_POSITIONS - 1)} - {match.ply}
    )
    for number, ply in enumerate(plies):
        if progress is not None:
            progress(number / len(plies))
        if time.monotonic() >= until:
            break
        state, (address,) = match.at(ply), seeds_of((seed, "chances", ply), 1)
        views = [game.state.view(state, viewer) for viewer in (SPECTATOR, *seats)]
        outside, *own = (
            _shares(bot, view, viewer, address) for view, viewer in zip(views, (SPECTATOR, *seats), strict=True)
        )
        found.append(Chances(ply, outside, tuple(own[seat][seat] for seat in seats)))
    places = game.outcome(match.state)[1]
    ended = tuple(Interval(won, won, won, 1) for won in ((place == 1) / places.count(1) for place in places))
    return [*found, Chances(match.ply, ended, ended)]


def _shares(bot: SearchBot, view: object, viewer: int, seed: int) -> tuple[Interval, ...]:
    """The win shares by seat as a viewer could expect them."""
    wins = bot.worth(view, viewer, (), np.zeros((0, 0)), seed)[0]
    first = min(FIRST, bot.iterations // 3)
    counted = wins[first:]
    return tuple(wilson(float(counted[:, seat].sum()), len(counted)) for seat in range(counted.shape[1]))
