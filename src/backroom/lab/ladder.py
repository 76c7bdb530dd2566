"""Which bot is stronger: head-to-head comparisons up a ladder of bots.

A rung compares kind B with kind A at tables of n seats. One match seed makes a block: a lone B among n - 1 of A sits
in each seat once, then a lone A among n - 1 of B does (with two seats these are the same games, played once). So the
block's luck and the seats' advantage fall on both alike. The block's value is the difference of two shares: what the
lone B won, less what the lone A won; 0 when the two are equally strong, 1 when B always wins. A shared win is split, a
capped game counts as shared by all. Games of a block depend on each other, so intervals are Student's on block values
(`backroom.lab.stats.block_mean`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from backroom.bots import Bot, make_bot
from backroom.bots.batch import batched, prepare_games
from backroom.bots.bot import play_match
from backroom.bots.threads import aside, cores, in_order
from backroom.engine import rng
from backroom.engine.game import CAPPED, Game, Refusal, find_game
from backroom.lab.run import Interrupted, play_batch, simulation_options, win_shares
from backroom.lab.seeds import game_key, game_keys
from backroom.lab.stats import Interval, block_mean

__all__ = ["Ladder", "Rung", "ladder"]


@dataclass(frozen=True)
class Rung:
    """One comparison. ``lone_upper`` is the win share of a lone upper bot among lower ones, ``lone_lower`` the reverse
    (even: 1 / seats); ``difference`` the first less the second. Counts of the intervals are blocks."""

    lower: str
    upper: str
    seats: int
    games: int
    capped: int
    lone_upper: Interval
    lone_lower: Interval
    difference: Interval

    @property
    def result(self) -> str:
        """``beats``, ``loses to`` or ``is level with``: whether the difference's interval leaves 0 out, and where."""
        if self.difference.low > 0:
            return "beats"
        return "loses to" if self.difference.high < 0 else "is level with"

    @property
    def verdict(self) -> str:
        """The comparison in a sentence."""
        wins, back, gap = self.lone_upper, self.lone_lower, self.difference
        return (
            f"{self.upper} {self.result} {self.lower}: alone among {self.lower} it wins {wins.estimate:.1%} "
            f"({wins.low:.1%} to {wins.high:.1%}), a lone {self.lower} among {self.upper} {back.estimate:.1%} "
            f"(even: {1 / self.seats:.1%}); difference {gap.estimate:+.1%} ({gap.low:+.1%} to {gap.high:+.1%}), "
            f"{gap.count} blocks, {self.games} games, {self.capped} of them capped."
        )

    def to_json(self) -> dict[str, Any]:
        """The comparison as plain values for JSON."""
        return {
            "lower": self.lower,
            "upper": self.upper,
            "result": self.result,
            "games": self.games,
            "capped": self.capped,
            "lone_upper": self.lone_upper.to_json(),
            "lone_lower": self.lone_lower.to_json(),
            "difference": self.difference.to_json(),
            "verdict": self.verdict,
        }


@dataclass(frozen=True)
class Ladder:
    """A row of comparisons, each bot with the one before it."""

    game: str
    version: str
    options: dict[str, Any]
    seats: int
    seed: int
    rungs: tuple[Rung, ...]

    def to_json(self) -> dict[str, Any]:
        """The ladder as plain values for JSON."""
        return {
            "game": self.game,
            "version": self.version,
            "options": self.options,
            "seats": self.seats,
            "seed": self.seed,
            "rungs": [rung.to_json() for rung in self.rungs],
        }


def ladder(
    game: Game | str,
    seats: int,
    specs: Sequence[str],
    games: int = 1000,
    seed: int = 1,
    workers: int | None = None,
    options: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Ladder:
    """Compare each bot of ``specs`` (weakest first) with the one before it.

    ``games`` is the number of games a rung, rounded up to whole blocks, at least two. ``workers`` is the number of
    threads (none: one a core); it does not change the result. ``progress(done, blocks)`` counts the blocks of all
    rungs. Refusal E_SETUP for a set-up the game does not take or fewer than two bots, E_BOT for an unknown one.
    `backroom.lab.run.Interrupted` (with the rungs and blocks that were counted) on Ctrl-C, a plain KeyboardInterrupt
    if too few were.
    """
    if isinstance(game, str):
        game = find_game(game)
    if len(specs) < 2:
        raise Refusal("E_SETUP", "a ladder needs at least two bots")
    chosen = simulation_options(game, seats, options or {})
    blank = game.blank(chosen, [f"p{seat + 1}" for seat in range(seats)])
    bots = [make_bot(game, spec, chosen, seats) for spec in specs]
    for pair in pairwise(bots):
        aside(partial(prepare_games, pair, blank))
    aside(lambda: game_keys(seed, ()))
    workers = workers or cores()
    tables = len(_tables(seats))
    blocks = max(-(-games // tables), 2)
    rungs: list[Rung] = []
    rows: list[tuple[float, float, int]] = []

    def found() -> Ladder:
        return Ladder(game.name, game.version, chosen.model_dump(), seats, seed, tuple(rungs))

    lower, upper = bots[:2]
    try:
        for lower, upper in pairwise(bots):
            rows.clear()
            for row in in_order(partial(_play_block, lower, upper, blank, seed), range(blocks), workers):
                rows.append(row)
                if progress is not None:
                    progress(len(rungs) * blocks + len(rows), (len(bots) - 1) * blocks)
            rungs.append(_rung(lower, upper, seats, rows))
    except KeyboardInterrupt:
        if 1 < len(rows) < blocks:
            rungs.append(_rung(lower, upper, seats, rows))
        if not rungs:
            raise
        raise Interrupted(found()) from None
    return found()


def _rung(lower: Bot, upper: Bot, seats: int, rows: Sequence[tuple[float, float, int]]) -> Rung:
    """What at least two blocks showed: of each, the lone upper's win share, the lone lower's, and the capped games."""
    lone_upper, lone_lower, capped = np.array(rows).T
    return Rung(
        lower=lower.spec,
        upper=upper.spec,
        seats=seats,
        games=len(rows) * len(_tables(seats)),
        capped=int(capped.sum()),
        lone_upper=block_mean(lone_upper, bounds=(0, 1)),
        lone_lower=block_mean(lone_lower, bounds=(0, 1)),
        difference=block_mean(lone_upper - lone_lower, bounds=(-1, 1)),
    )


def _tables(seats: int) -> list[list[bool]]:
    # By table, which seats hold the upper bot. With two seats a lone upper bot leaves a lone lower one.
    lone = [[seat == at for seat in range(seats)] for at in range(seats)]
    return lone if seats == 2 else lone + [[not upper for upper in table] for table in lone]


def _play_block(lower: Bot, upper: Bot, blank: Any, seed: int, number: int) -> tuple[float, float, int]:
    # The lone upper's win share, the lone lower's, and the number of capped games.
    tables = _tables(int(blank.seats))
    if batched(lower) and batched(upper):
        numbers = [number] * len(tables)
        played = play_batch((lower, upper), tables, blank, seed, numbers, number * len(tables))
        places, over = played.places, played.over
    else:
        finals = [_play_table(lower, upper, blank, seed, number, row) for row in range(len(tables))]
        places = np.array([upper.game.outcome(state)[1] for state in finals], np.int32)
        over = np.array([state.over for state in finals], np.int32)
    shares = win_shares(places, over) + (over == CAPPED)[:, None] / len(tables[0])
    uppers = np.array(tables)
    lone_upper, lone_lower = uppers.sum(axis=1) == 1, uppers.sum(axis=1) == len(tables[0]) - 1
    return (
        float(shares[lone_upper][uppers[lone_upper]].mean()),
        float(shares[lone_lower][~uppers[lone_lower]].mean()),
        int((over == CAPPED).sum()),
    )


def _play_table(lower: Bot, upper: Bot, blank: Any, seed: int, number: int, row: int) -> Any:
    table = _tables(int(blank.seats))[row]
    randoms = [rng.generator(seed, "ladder", number, row, seat) for seat in range(len(table))]
    return play_match(blank, game_key(seed, number), [upper if is_upper else lower for is_upper in table], randoms)[0]
