"""Which moves of a match decided it: found by search from the view of the seat that moved, and confirmed by more of it.

A move is worth the win share of its seat in the games that a search imagines after it (`SearchBot.worth`). Two moves
are compared by searches in pairs, with the same imagined worlds, and the interval is Student's on their differences.
Where several seats choose at once, the others answer in every pair by the strategies of a search of its own, which know
nothing of the choice: so the interval also covers how little can be known of what they do.

First every decision is looked at once, then the most promising are compared briefly, and a few of these, with worlds of
their own, at length: so a move that was picked because chance favoured it does not stay. As several are compared at
length, their intervals are wider (Bonferroni): that all of them hold has the chance of one. Everything follows from the
match and a seed.

What luck brought is told apart from the choice: the choice is worth what it is over all draws that could have come;
what did come is the position after it, seen by the same seat.
"""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.bots.search import Analysis, SearchBot
from backroom.engine import rng
from backroom.engine.game import CAPPED, FINISHED, Game
from backroom.engine.match import Match
from backroom.engine.notation import play_on_view
from backroom.lab.stats import Interval, block_mean
from backroom.scenes.rows import Quantity, quantities

__all__ = [
    "EFFORT",
    "HINT",
    "LEAST",
    "MOST_SHOWN",
    "Compared",
    "Decisive",
    "Effort",
    "Hint",
    "Reason",
    "decisive",
    "hint",
    "judge",
    "seeds_of",
]

LEAST = 0.06
"""The least difference in win share that is said to have decided anything."""
MOST_SHOWN = 3
LONGEST = 500
"""Decisions after which an imagined game that does not end is valued as it stands."""
CONFIDENCE = 0.95
"""The chance that the intervals of all moves that are compared at length in a match hold together."""
DOUBT = 0.5
"""Standard error of the win share of an action that was tried once, about."""
WON = 0.9
"""Win share of a move from which on it is no feat: the match was won already, or by the move itself."""


@dataclass(frozen=True)
class Effort:
    """How much is searched: ``look`` iterations at every decision; of ``sifted`` decisions each move ``sift`` searches
    of ``sift_iterations``; of ``confirmed`` decisions each ``repeats`` searches of ``iterations``. ``strategies`` are
    the iterations that find how those play who choose at the same time. In ``kept`` imagined games quantities are
    counted.
    """

    look: int = 800
    sifted: int = 18
    sift: int = 5
    sift_iterations: int = 300
    confirmed: int = 5
    repeats: int = 12
    iterations: int = 1600
    strategies: int = 8000
    kept: int = 60


EFFORT = Effort()
"""For the moves of a match that is over."""
HINT = Effort(look=4000, repeats=16, iterations=600)
"""For a hint."""


@dataclass(frozen=True)
class Reason:
    """The quantity that differs most between the games imagined after two moves: its means after the one and after the
    other, in the middle of the game (`SearchBot.cutoff`) or at its end."""

    quantity: Quantity
    one: float
    other: float


@dataclass(frozen=True)
class Compared:
    """Two whole moves of one seat (actions): their win shares, the difference ``one`` less ``other``, its reason."""

    one: tuple[int, ...]
    other: tuple[int, ...]
    one_share: float
    other_share: float
    gap: Interval
    reason: Reason | None

    @property
    def clear(self) -> bool:
        """Whether the interval of the difference leaves 0 out."""
        return self.gap.low > 0 or self.gap.high < 0


@dataclass(frozen=True)
class Decisive:
    """A move that decided a match: made by ``seat`` after ``ply`` moves.

    ``compared`` has the better move first. ``praised``: it is the one that was made, else the one that was not.
    ``luck`` is what came behind the move, in win share: what the position after it is worth to the seat, less what the
    move was worth over all that could have come.
    """

    ply: int
    seat: int
    compared: Compared
    praised: bool
    luck: Interval

    @property
    def played(self) -> tuple[int, ...]:
        """The actions of the move that was made."""
        return self.compared.one if self.praised else self.compared.other


@dataclass(frozen=True)
class Hint:
    """What a search would do from a view: the better of its two best moves first; None when only one is legal."""

    actions: tuple[int, ...]
    compared: Compared | None


@dataclass(frozen=True)
class _Decision:
    """A decision of a match as it was looked at: its alternatives to the played move, and by how much the best of them
    seemed better."""

    ply: int
    seat: int
    view: Any
    played: tuple[int, ...]
    others: tuple[tuple[int, ...], ...]
    gap: float


def decisive(
    match: Match,
    seed: int = 0,
    effort: Effort = EFFORT,
    progress: Callable[[float], None] | None = None,
    until: float = math.inf,
) -> list[Decisive]:
    """The moves that decided a finished match, in the order they were made, at most MOST_SHOWN.

    Only moves whose confirmed difference is at least LEAST with an interval that leaves 0 out. One move of the winner
    is praised, if there is one and room for it. ``progress`` is told the part that is done, 0 to 1. After ``until`` (of
    `time.monotonic`) no further decision is looked at or confirmed; the result then depends on the machine.
    """
    told = progress or (lambda _: None)
    looker = judge(match.game, effort.look)
    winners = _winners(match)
    decisions: list[_Decision] = []
    for ply, move in enumerate(match.moves):
        told(0.4 * ply / match.ply)
        if time.monotonic() >= until:
            break
        if move.message is None:
            decisions += _looked_at(looker, match, ply, seed)
    blunders, feats = _sifted(match, decisions, winners, seed, effort, lambda part: told(0.4 + 0.2 * part), until)
    found: list[tuple[_Decision, Compared, bool]] = []
    confirmed = [(decision, False) for decision in blunders[: effort.confirmed]]
    confirmed += [(decision, True) for decision in feats[:2]]
    for number, (decision, praised) in enumerate(confirmed):
        told(0.6 + 0.4 * number / len(confirmed))
        if time.monotonic() >= until:
            break
        one, other = decision.played, decision.others[0]
        if not praised:
            one, other = other, one
        compared = _compared(
            match.game,
            decision.view,
            decision.seat,
            (one, other),
            seeds_of((seed, "confirm", decision.ply), effort.repeats),
            effort,
            1 - (1 - CONFIDENCE) / len(confirmed),
        )
        if compared.gap.low > 0 and compared.gap.estimate >= LEAST and (not praised or compared.one_share < WON):
            found.append((decision, compared, praised))
    shown = [
        Decisive(decision.ply, decision.seat, compared, praised, _luck(match, decision, seed, effort))
        for decision, compared, praised in _shown(found)
    ]
    told(1.0)
    return shown


def judge(game: Game, iterations: int) -> SearchBot:
    """A search that imagines games to their end, unless the game says itself where they are best valued."""
    return SearchBot(game, "search", iterations, cutoff=getattr(game.hints, "CUTOFF", LONGEST))


def _winners(match: Match) -> list[int]:
    places = match.game.outcome(match.state)[1]
    return [seat for seat, place in enumerate(places) if place == 1 and match.state.over == FINISHED]


def _shown(found: Sequence[tuple[_Decision, Compared, bool]]) -> list[tuple[_Decision, Compared, bool]]:
    """The moves that are shown, in the order they were made: the moves that cost most, and one that was a feat where
    there is room."""
    blunders = sorted((move for move in found if not move[2]), key=lambda move: -move[1].gap.estimate)[:MOST_SHOWN]
    feats = [move for move in found if move[2]][: min(1, MOST_SHOWN - len(blunders))]
    return sorted([*blunders, *feats], key=lambda move: move[0].ply)


def _looked_at(bot: SearchBot, match: Match, ply: int, seed: int) -> Iterable[_Decision]:
    """The decision behind a move, if there was any choice."""
    move, view = match.moves[ply], match.game.state.view(match.at(ply), match.moves[ply].seat)
    found = _alternatives(bot, view, move.seat, move.actions, rng.generator(seed, "look", ply))
    if found:
        found.sort(key=lambda other: -other[1])
        others = tuple(dict.fromkeys(actions for actions, _ in found))[:2]
        yield _Decision(ply, move.seat, view, move.actions, others, found[0][1])


def _alternatives(
    bot: SearchBot, view: Any, seat: int, played: Sequence[int], random: NDArray[np.int64]
) -> list[tuple[tuple[int, ...], float]]:
    """Other whole moves, with what each seemed better by.

    They part from the played move at each of its steps, and are the search's best from there.
    """
    found: list[tuple[tuple[int, ...], float]] = []
    for step, action in enumerate(played):
        looked = bot.analyse(view, seat, random)
        worth = dict(zip(looked.actions, looked.values, strict=True))
        visits = dict(zip(looked.actions, looked.visits, strict=True)).get(action, 0)
        for other in [option for option in _ranked(looked) if option != action][:2]:
            seemed = worth.get(action, math.nan)  # the search need not have considered what was played
            # What a search turns from is tried seldom, so little is known of it: in doubt it is looked at again.
            doubt = DOUBT / math.sqrt(visits + 1)
            gap = worth[other] - (0.0 if math.isnan(seemed) else seemed) + doubt
            found.append(((*played[:step], *_completed(bot, view, seat, other, random)), gap))
        if step + 1 < len(played):
            view = play_on_view(bot.game, view, seat, action)
    return found


def _ranked(looked: Analysis) -> list[int]:
    """The actions that were tried, the best first: by visits, where all decide at once by what they brought."""
    by = looked.values if looked.simultaneous else looked.visits
    tried = [(worth, action) for worth, action, n in zip(by, looked.actions, looked.visits, strict=True) if n]
    return [action for _, action in sorted(tried, key=lambda pair: (-pair[0], pair[1]))]


def _completed(bot: SearchBot, view: Any, seat: int, action: int, random: NDArray[np.int64]) -> list[int]:
    """A whole move that begins with an action, as the search goes on from it."""
    after = play_on_view(bot.game, view, seat, action)
    return [action, *(bot.choose(after, seat, random) if int(after.midmove) >> seat & 1 else ())]


def _sifted(
    match: Match,
    decisions: Sequence[_Decision],
    winners: Sequence[int],
    seed: int,
    effort: Effort,
    told: Callable[[float], None],
    until: float,
) -> tuple[list[_Decision], list[_Decision]]:
    """The decisions with the greatest differences after a brief comparison, against the player and for the winner, the
    greatest first; their alternatives with the best first."""
    bot = judge(match.game, effort.sift_iterations)
    blunders = sorted(decisions, key=lambda decision: -decision.gap)[: effort.sifted]
    feats = sorted((d for d in decisions if d.seat in winners and d not in blunders), key=lambda d: d.gap)
    sifted = []
    looked = [*blunders, *feats[: effort.sifted // 3]]
    for number, decision in enumerate(looked):
        told(number / len(looked))
        if time.monotonic() >= until:
            break
        moves = (decision.played, *decision.others)
        seeds = seeds_of((seed, "sift", decision.ply), effort.sift)
        worths = _worths(bot, decision.view, decision.seat, moves, seeds, effort.strategies)[0].mean(axis=1)
        order = sorted(range(1, len(moves)), key=lambda i: -worths[i])
        gap = float(worths[order[0]] - worths[0])
        others = tuple(moves[i] for i in order)
        sifted.append(_Decision(decision.ply, decision.seat, decision.view, decision.played, others, gap))
    sifted.sort(key=lambda decision: -decision.gap)
    feats = [decision for decision in reversed(sifted) if decision.gap < 0 and decision.seat in winners]
    return [decision for decision in sifted if decision.gap > 0], feats


def seeds_of(address: tuple[Any, ...], count: int) -> list[int]:
    """So many seeds of imagined worlds, which follow from the address."""
    random = rng.generator(repr(address))
    return [int(rng.next_word(random)) for _ in range(count)]


def _worths(
    bot: SearchBot,
    view: Any,
    seat: int,
    moves: Sequence[Sequence[int]],
    seeds: Sequence[int],
    strategies: int,
    kept: int = 0,
) -> tuple[NDArray[np.float64], list[Any]]:
    """The seat's win share by move and search, each with the seed of its column, and some last states by move.

    Of a search the second half counts, when its trees have grown. Where several seats choose at once there are fewer
    searches, as the strategies of the others take longer to find.
    """
    game, others = bot.game, np.zeros((int(view.seats), bot.game.actions.count))
    together = (int(view.acting) | int(game.kernels["sealed"](view))) & ~(1 << seat) and any(moves)
    if together:
        seeds = seeds[: max(2, len(seeds) * 2 // 5)]
    worths = np.zeros((len(moves), len(seeds)))
    finals: list[list[Any]] = [[] for _ in moves]
    for column, seed in enumerate(seeds):
        if together:
            others = judge(game, strategies).analyse(view, seat, rng.generator(seed)).others
        for row, actions in enumerate(moves):
            wins, last = bot.worth(view, seat, actions, others, seed, -(-kept // len(seeds)))
            worths[row, column] = wins[len(wins) // 2 :, seat].mean()
            finals[row].append(last)
    return worths, [np.concatenate(states) for states in finals]


def _compared(
    game: Game,
    view: Any,
    seat: int,
    moves: tuple[tuple[int, ...], tuple[int, ...]],
    seeds: Sequence[int],
    effort: Effort,
    confidence: float = CONFIDENCE,
) -> Compared:
    """Two moves, compared at length; ``confidence`` is that of the interval."""
    bot = judge(game, effort.iterations)
    (one, other), finals = _worths(bot, view, seat, moves, seeds, effort.strategies, effort.kept)
    reason = _reason(game, seat, finals[0], finals[1]) if effort.kept else None
    return Compared(
        moves[0],
        moves[1],
        float(one.mean()),
        float(other.mean()),
        block_mean(one - other, confidence, bounds=(-1, 1)),
        reason,
    )


def _reason(game: Game, seat: int, one: Any, other: Any) -> Reason | None:
    """The quantity of the seat's view that differs most over the last states of two moves, in standard errors."""
    counted = [[quantities(game, game.state.view(state, seat), seat) for state in states] for states in (one, other)]
    best, found = 2.0, None
    for quantity in counted[0][0]:
        a, b = (np.array([row.get(quantity, 0.0) for row in rows]) for rows in counted)
        error = math.sqrt((a.var(ddof=1) + b.var(ddof=1)) / len(a))
        difference = abs(float(a.mean() - b.mean()))
        if difference > best * max(error, 1e-9):
            best, found = difference / max(error, 1e-9), Reason(quantity, float(a.mean()), float(b.mean()))
    return found


def _luck(match: Match, decision: _Decision, seed: int, effort: Effort) -> Interval:
    """What came behind a move: the worth of the position after it to its seat, less that of the move before it."""
    bot, seat = judge(match.game, effort.iterations), decision.seat
    seeds = seeds_of((seed, "luck", decision.ply), effort.repeats)
    chosen = _worths(bot, decision.view, seat, [decision.played], seeds, effort.strategies)[0][0]
    after = match.at(decision.ply + 1)
    if after.over == CAPPED:
        return Interval(0.0, 0.0, 0.0, 0)
    if after.over:
        places = match.game.outcome(after)[1]
        came = np.full(len(seeds), (places[seat] == 1) / places.count(1))
    else:
        view = match.game.state.view(after, seat)
        came = _worths(bot, view, seat, [()], seeds, effort.strategies)[0][0]
    return block_mean(came[: len(chosen)] - chosen)


def hint(game: Game, view: Any, seat: int, address: str, effort: Effort = HINT) -> Hint:
    """What a search would do in the place of a seat that owes a decision, compared with its second best.

    It follows from the view, and from the ``address`` of its worlds. Refusals as of `SearchBot.analyse`.
    """
    bot, random = judge(game, effort.look), rng.generator(address)
    looked = bot.analyse(view, seat, random)
    best = _completed(bot, view, seat, _ranked(looked)[0] if len(looked.actions) > 1 else looked.actions[0], random)
    found = _alternatives(bot, view, seat, best, random)
    if not found:
        return Hint(tuple(best), None)
    moves = tuple(
        dict.fromkeys([tuple(best), *(actions for actions, _ in sorted(found, key=lambda other: -other[1]))])
    )[:3]
    sift = judge(game, effort.sift_iterations)
    worths = _worths(sift, view, seat, moves, seeds_of((address, "sift"), effort.sift), effort.strategies)[0].mean(
        axis=1
    )
    first, second = sorted(range(len(moves)), key=lambda i: -worths[i])[:2]
    seeds = seeds_of((address, "confirm"), effort.repeats)
    compared = _compared(game, view, seat, (moves[first], moves[second]), seeds, effort)
    return Hint(compared.one, compared)
