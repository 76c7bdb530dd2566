"""Greedy bots: the move after which the game's evaluation is best, hidden things imagined."""

from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from backroom.bots.bot import Bot
from backroom.bots.restriction import ALLOWED, keep_allowed
from backroom.engine import rng
from backroom.engine.game import FINISHED, Game
from backroom.engine.kernel import INT, JIT, LONGS, Float, Int, kernel, named_kernels, specialise
from backroom.engine.view import fresh_chance

__all__ = ["GreedyBot", "LONGEST_MOVE", "MOST_MOVES", "Rules", "Workspace", "move_loop", "value", "win_share"]

MOST_MOVES = 256
"""Whole moves that are compared. Of a seat that has more, this many are drawn at random."""
LONGEST_MOVE = 32
"""Actions of one move; a longer one is followed this far and finished at random."""
IMAGINED = 8
"""States imagined from the view; every move is tried in all of them."""


@kernel
def win_share(s: Any, seat: Int, scores: Any, places: Any, outcome: Any) -> Float:
    """A seat's part of the win in a finished state: 1 / (number of seats in the first place), or 0."""
    outcome(s, scores, places)
    if places[seat] != 1:
        return 0.0
    first = 0
    for other in range(s.seats):
        if places[other] == 1:
            first += 1
    return 1.0 / first


@kernel
def value(s: Any, seat: Int, scores: Any, places: Any, outcome: Any, evaluate: Any) -> Float:
    """A seat's win share in a finished state, in any other (a capped one too) the game's estimate of it."""
    if s.over == FINISHED:
        return win_share(s, seat, scores, places, outcome)
    return evaluate(s, seat)


@kernel
def _offered(s: Any, seat: Int, out: Any, legal: Any, allowed: Any) -> Int:
    # What the seat may play, and is allowed to where there is a restriction (`backroom.bots.restriction`).
    n = legal(s, seat, out)
    if allowed is not None:
        return keep_allowed(out, n, allowed, seat)
    return n


@kernel
def _all_moves(
    states: Any, seat: Int, moves: Any, lengths: Any, pending: Any, log: Any, legal: Any, apply: Any, allowed: Any
) -> Int:
    # Depth first over the seat's actions, states[depth + 1] the view after depth actions; the number of moves, or -1
    # when more than fit. pending[depth] lists the legal actions there, its last column is how many of them are left.
    depth, count, width = 0, 0, pending.shape[1] - 1
    pending[0, width] = _offered(states[1], seat, pending[0, :width], legal, allowed)
    while depth >= 0:
        if pending[depth, width] == 0:
            depth -= 1
            continue
        pending[depth, width] -= 1
        if count == moves.shape[0]:
            return -1
        moves[count, depth] = pending[depth, pending[depth, width]]
        states[depth + 2] = states[depth + 1]
        apply(states[depth + 2], seat, moves[count, depth], log)
        if np.int64(states[depth + 2].midmove) >> seat & 1:
            if depth + 1 == moves.shape[1]:
                return -1
            depth += 1
            pending[depth, width] = _offered(states[depth + 1], seat, pending[depth, :width], legal, allowed)
        else:
            lengths[count] = depth + 1
            count += 1
            if count < moves.shape[0]:
                for i in range(depth):
                    moves[count, i] = moves[count - 1, i]
    return count


@kernel
def _some_moves(
    states: Any,
    seat: Int,
    moves: Any,
    lengths: Any,
    out: Any,
    random: Any,
    log: Any,
    legal: Any,
    apply: Any,
    allowed: Any,
) -> None:
    for row in range(moves.shape[0]):
        states[0] = states[1]
        length = 0
        while length < moves.shape[1]:
            n = _offered(states[0], seat, out, legal, allowed)
            moves[row, length] = out[rng.below(random, n)]
            apply(states[0], seat, moves[row, length], log)
            length += 1
            if not np.int64(states[0].midmove) >> seat & 1:
                break
        lengths[row] = length


@kernel
def finish_round(
    s: Any, seat: Int, others: Int, out: Any, random: Any, log: Any, legal: Any, apply: Any, policy: Any
) -> None:
    """Finish the seat's move if it is in the middle of one, and let the other seats of a set answer, all by policy."""
    waiting = others | 1 << seat
    if not np.int64(s.midmove) >> seat & 1:
        waiting = others
    while s.over == 0 and np.int64(s.acting) & waiting:
        other = 0
        while not np.int64(s.acting) & waiting & 1 << other:
            other += 1
        n = legal(s, other, out)
        apply(s, other, policy(s, other, out, n, random), log)
        if not np.int64(s.midmove) >> other & 1:
            waiting &= ~(1 << other)


def _greedy_move(
    view: Any,
    seat: Int,
    states: Any,
    moves: Any,
    lengths: Any,
    pending: Any,
    out: Any,
    scores: Any,
    places: Any,
    log: Any,
    random: Any,
    rules: Any,
    allowed: Any,
) -> Int:
    """The greedy move from a seat's view: the row of ``moves`` and ``lengths`` it stands in (at least one action).

    The arguments from ``states`` to ``log`` are a `Workspace`, one by one since an array that is taken out of a tuple
    has its references counted: 2 % of a decision in Corporation. ``rules`` are `Rules`, ``allowed`` is None or what
    `backroom.bots.restriction.allowed_actions` makes.
    """
    legal, apply, sealed = rules.legal, rules.apply, rules.sealed
    outcome, evaluate, policy = rules.outcome, rules.evaluate, rules.policy
    # states[0] is the trial, then come LONGEST_MOVE + 1 views along a move, then the imagined states.
    s, worlds = states[0], moves.shape[1] + 2
    states[1] = view
    count = _all_moves(states, seat, moves, lengths, pending, log, legal, apply, allowed)
    if count < 0:
        _some_moves(states, seat, moves, lengths, out, random, log, legal, apply, allowed)
        count = moves.shape[0]
    if count == 1:
        return 0
    for world in range(worlds, states.shape[0]):
        states[world] = view
        fresh_chance(states[world], random)
        rules.resample(states[world], seat, random)
        states[world].acting |= sealed(view)
    others = (np.int64(view.acting) | sealed(view)) & ~(1 << seat)
    best, best_value, equal = 0, -1.0, 0
    for move in range(count):
        total = 0.0
        for world in range(worlds, states.shape[0]):
            states[0] = states[world]
            for i in range(lengths[move]):
                apply(s, seat, moves[move, i], log)
            finish_round(s, seat, others, out, random, log, legal, apply, policy)
            total += value(s, seat, scores, places, outcome, evaluate)
        if total > best_value:
            best, best_value, equal = move, total, 1
        elif total == best_value:
            equal += 1
            if rng.below(random, equal) == 0:
                best = move
    return best


class Workspace(NamedTuple):
    """The memory that `move_loop` works in, in the order of its arguments from ``states`` to ``log``."""

    states: NDArray[Any]
    moves: NDArray[np.int32]
    lengths: NDArray[np.int32]
    pending: NDArray[np.int32]
    legal: NDArray[np.int32]
    scores: NDArray[np.int32]
    places: NDArray[np.int32]
    log: Any

    @classmethod
    def new(cls, game: Game) -> "Workspace":
        """A workspace for one thread."""
        actions, seats = game.actions.count, game.state.seats
        return cls(
            states=game.state.new_array(LONGEST_MOVE + 2 + IMAGINED),
            moves=np.zeros((MOST_MOVES, LONGEST_MOVE), np.int32),
            lengths=np.zeros(MOST_MOVES, np.int32),
            pending=np.zeros((LONGEST_MOVE, actions + 1), np.int32),
            legal=np.zeros(actions, np.int32),
            scores=np.zeros(seats, np.int32),
            places=np.zeros(seats, np.int32),
            log=game.events.new_log(recording=False),
        )


@named_kernels
class Rules(NamedTuple):
    """The kernels of a game by which moves are compared, compiled."""

    legal: Any
    apply: Any
    resample: Any
    outcome: Any
    evaluate: Any
    policy: Any
    sealed: Any

    @classmethod
    def of(cls, game: Game) -> "Rules":
        """Those of a game."""
        return cls(*(game.kernels[name] for name in cls._fields))


@cache
def move_loop(game: Game, restricted: bool = False) -> Any:
    """The compiled choice of a greedy move: ``(view, seat, *Workspace, rng, Rules, allowed) -> row`` of its ``moves``.

    ``allowed`` is None unless it is ``restricted``.
    """
    if not JIT:
        return _greedy_move
    work, rules = map(numba.typeof, Workspace.new(game)), numba.typeof(Rules.of(game))
    allowed = ALLOWED if restricted else numba.none
    return specialise(_greedy_move, INT(game.state.numba_type, INT, *work, LONGS, rules, allowed))


class GreedyBot(Bot):
    """Compares its whole moves by the game's ``evaluate`` right after them, averaged over imagined states.

    At a table it compares again after each action of a move; in compiled games (`backroom.bots.batch`) it does not.
    Where several seats choose at once, the others' choices are imagined by policy. Equal moves: one at random. A game
    without ``evaluate`` values all unfinished states alike, so there it sees a win in one move and nothing else.
    """

    def prepare(self) -> None:
        move_loop(self.game)

    def _decide(self, view: Any, seat: int, random: NDArray[np.int64], until: float) -> int:
        work = Workspace.new(self.game)
        row = move_loop(self.game)(view, seat, *work, random, Rules.of(self.game), None)
        return int(work.moves[row, 0])
