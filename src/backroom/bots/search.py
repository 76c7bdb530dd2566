"""Search bots: information set Monte Carlo tree search over a game's kernels, for any game.

Multiple-observer ISMCTS (Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2),
2012). Every iteration imagines a state from the view alone, with chance of its own, and plays it to an end. Each seat
chooses in a tree of its own, by the upper confidence bound with the paper's availability counts; wins are backed up for
each seat by itself (max^n), from the places of ``outcome``.

A node of a seat's tree is what the seat has seen done since the root: its own actions, and of others' moves the label
that ``seen`` shows it. What chance showed is not part of it: one node averages over it (open loop), and the legal
actions may differ between visits. Nodes stand in a hash table, and only where their seat decides.

Where several seats owe a decision at once, each chooses in its own tree without the others' choices of that round;
when all have chosen, every tree moves on by the labels of all (decoupled selection). Seats that have answered already
(the hint ``sealed``) choose again, so that the order of their answers does not matter. Between two seats the choice is
regret matching, and the average strategy is the result: Lanctot, Lisy, Winands, "Monte Carlo Tree Search in
Simultaneous Move Games with Applications to Goofspiel", 2013; Lisy, Kovarik, Lanctot, Bosansky, "Convergence of Monte
Carlo Tree Search in Simultaneous Move Games", NIPS 2013. Regrets are sampled, with each action's mean so far as the
baseline (Schmid et al., "Variance Reduction in Monte Carlo Counterfactual Regret Minimization", AAAI 2019). Among three
and more, where self-play by regrets settles on one of many lopsided equilibria that the others have no reason to share,
it is fictitious play (Brown 1951, sampled: Leslie, Collins, "Generalised Weakened Fictitious Play", 2006): each seat
plays its average so far, to which its best reply is added. Samples and replies count in proportion to their number
(linear weights: Brown, Sandholm, "Solving Imperfect-Information Games via Discounted Regret Minimization", AAAI 2019),
or the first replies, to others who still played anything, would outlast a search as short as these.

What it does not do: at decisions one seat makes alone it returns one move, not a mixture, and it believes all states
that the view allows equally likely. So it bluffs badly, and others' choices tell it nothing about their hands.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from backroom.bots.batch import lowest_seat
from backroom.bots.bot import Bot
from backroom.bots.greedy import value
from backroom.engine import rng
from backroom.engine.game import Game
from backroom.engine.kernel import FLOAT, INT, INTS, LONGS, Float, Int, kernel, specialise
from backroom.engine.view import fresh_chance

__all__ = ["Analysis", "DEFAULT_ITERATIONS", "MOST_NODES", "SearchBot"]

DEFAULT_ITERATIONS = 1000
MOST_NODES = 1 << 18
"""Most nodes, and most edges, of all seats' trees together: 22 MB. When full, the search goes on without adding."""
LONGEST_PATH = 1024
"""Decisions of one iteration that are chosen in trees; later ones are left to the playout."""
MOST_LABELS = 1024
"""Labels of one round of simultaneous moves that trees move on by; later ones are not told apart."""
EXPLORATION = 0.7
"""The constant c of the upper confidence bound mean + c sqrt(ln(availability) / visits), wins counted 0 to 1."""
CUTOFF = 20
"""Playout decisions after which a game's ``evaluate``, where it has one, stands in for the rest of the game.

A game whose rounds are told apart best by what they bring at once has a smaller ``CUTOFF`` of its own in its hints."""
RESTARTS, LEAST_ITERATIONS = 10, 250
"""At a simultaneous decision: the most searches that learn apart, and the fewest iterations of each. Shorter ones are
mostly noise: in Corporation ten of 100 iterations left a player with a fixed card two games of three."""
MIXING = 0.1
"""Part of the choices at simultaneous decisions that are made uniformly, so that every action goes on being tried."""
FIRST_BATCH, BATCH_SECONDS = 8, 0.05
"""Where time counts: the iterations before the first look at the clock, and how long about it is until the next."""

MASK = 0xFFFFFFFF
FLOATS = numba.float64[::1]

NODE = np.dtype((np.record, np.dtype([("key", np.int64), ("newest", np.int64)])))
"""A decision of a seat: its key (0: a free place of the hash table) and its newest edge (-1: none)."""
EDGE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("total", np.float64),
                ("recent", np.float64),
                ("regret", np.float64),
                ("strategy", np.float64),
                ("stamp", np.int64),
                ("action", np.int32),
                ("older", np.int32),
                ("visits", np.int32),
                ("available", np.int32),
            ]
        ),
    )
)
"""An action tried at a node: the sum of its wins; ``recent``, their mean with linear weights (the k-th counts k times);
the sums of its regret and of its part of the strategies; the number of the last decision at which it was legal; the
node's next older edge (-1: none); visits; how often it could have been chosen."""
STEP = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("chance", np.float64),
                ("stamp", np.int64),
                ("node", np.int64),
                ("edge", np.int64),
                ("seat", np.int64),
            ]
        ),
    )
)
"""A choice made in a tree during one iteration; ``chance`` is the probability it had in regret matching, -1 in
fictitious play, else 0."""


@kernel
def _extend(history: Any, seat: Int, actor: Int, label: Int) -> None:
    # Two words of 32 bits hash what a seat has seen; products stay below 2**63.
    low = ((history[seat, 0] ^ ((label * 64 + actor + 1) & MASK)) * 0x2C1B3C6D) & MASK
    low ^= low >> 15
    high = (((history[seat, 1] + low) & MASK) * 0x297A2D39) & MASK
    history[seat, 0] = low
    history[seat, 1] = high ^ (high >> 13)


@kernel
def _begin(history: Any, seat: Int) -> None:
    history[seat, 0] = 0
    history[seat, 1] = 0
    _extend(history, seat, seat, -1)


@kernel
def _key(history: Any, seat: Int) -> Int:
    return max(((history[seat, 1] & 0x7FFFFFFF) << 32) | history[seat, 0], 1)


@kernel
def _place(nodes: Any, history: Any, seat: Int) -> Int:
    # The node of what a seat has seen, or the free place where it would stand. The table is never more than half full.
    key = _key(history, seat)
    at = key & (nodes.shape[0] - 1)
    while nodes[at].key != key:
        if nodes[at].key == 0:
            return at
        at = (at + 1) & (nodes.shape[0] - 1)
    return at


@kernel
def _available(edges: Any, newest: Int, stamp: Int, stamps: Any) -> Int:
    # Marks a node's edges whose actions are legal now (stamps[action] == stamp, then -stamp); how many there are.
    count, edge = 0, newest
    while edge >= 0:
        action = edges[edge].action
        if stamps[action] == stamp:
            stamps[action] = -stamp
            edges[edge].stamp = stamp
            edges[edge].available += 1
            count += 1
        edge = edges[edge].older
    return count


@kernel
def _most_promising(edges: Any, newest: Int, stamp: Int, exploration: Float) -> Int:
    best, best_bound, edge = -1, -1.0, newest
    while edge >= 0:
        if edges[edge].stamp == stamp:
            visits = edges[edge].visits
            bound = edges[edge].total / visits + exploration * np.sqrt(np.log(edges[edge].available) / visits)
            if bound > best_bound:
                best, best_bound = edge, bound
        edge = edges[edge].older
    return best


@kernel
def _positive_regret(edges: Any, newest: Int, stamp: Int) -> Float:
    total, edge = 0.0, newest
    while edge >= 0:
        if edges[edge].stamp == stamp:
            total += max(edges[edge].regret, 0.0)
        edge = edges[edge].older
    return total


@kernel
def _share(regret: Float, positive: Float, count: Int) -> Float:
    # Regret matching: an action's probability from its regret, the sum of positive regrets and the number of actions.
    return max(regret, 0.0) / positive if positive > 0.0 else 1.0 / count


@kernel
def _match_regret(edges: Any, newest: Int, stamp: Int, count: Int, random: Any, step: Any) -> None:
    # Adds to the strategy sums and samples an edge; the step gets the edge and the probability with which it was drawn.
    positive = _positive_regret(edges, newest, stamp)
    point, edge = rng.uniform(random), newest
    while edge >= 0:
        if edges[edge].stamp == stamp:
            share = _share(edges[edge].regret, positive, count)
            edges[edge].strategy += share
            drawn = (1.0 - MIXING) * share + MIXING / count
            if point >= 0.0:
                step.edge, step.chance = edge, drawn
            point -= drawn
        edge = edges[edge].older


@kernel
def _learn_regret(edges: Any, newest: Int, step: Any, win: Float) -> None:
    # What an action would have brought is estimated by its mean so far, corrected for the one drawn by what it brought.
    count, edge = 0, newest
    while edge >= 0:
        if edges[edge].stamp == step.stamp:
            count += 1
        edge = edges[edge].older
    positive = _positive_regret(edges, newest, step.stamp)
    expected, edge = 0.0, newest
    while edge >= 0:
        if edges[edge].stamp == step.stamp:
            expected += _share(edges[edge].regret, positive, count) * _estimate(edges, edge, step, win)
        edge = edges[edge].older
    edge = newest
    while edge >= 0:
        if edges[edge].stamp == step.stamp:
            edges[edge].regret += _estimate(edges, edge, step, win) - expected
        edge = edges[edge].older


@kernel
def _estimate(edges: Any, edge: Int, step: Any, win: Float) -> Float:
    mean = edges[edge].total / edges[edge].visits
    return mean + (win - mean) / step.chance if edge == step.edge else mean


@kernel
def _draw_from_average(edges: Any, newest: Int, stamp: Int, count: Int, random: Any, step: Any) -> None:
    # Fictitious play: the seat plays its average strategy so far; every action begins with the weight of one visit.
    total, edge = np.float64(count), newest
    while edge >= 0:
        if edges[edge].stamp == stamp:
            total += edges[edge].strategy
        edge = edges[edge].older
    point, edge = rng.uniform(random), newest
    while edge >= 0:
        if edges[edge].stamp == stamp:
            if point >= 0.0:
                step.edge = edge
            point -= (1.0 - MIXING) * (edges[edge].strategy + 1.0) / total + MIXING / count
        edge = edges[edge].older


@kernel
def _reply_best(edges: Any, newest: Int, step: Any) -> None:
    # The best reply to the others' averages, by what each action has brought of late, joins the average with the
    # node's number of visits as its weight.
    visits, best, most, edge = np.float64(0.0), newest, -1.0, newest
    while edge >= 0:
        visits += edges[edge].visits
        if edges[edge].stamp == step.stamp and edges[edge].recent > most:
            best, most = edge, edges[edge].recent
        edge = edges[edge].older
    edges[best].strategy += visits


@kernel
def _tell_strategy(nodes: Any, edges: Any, history: Any, seat: Int, others: Any) -> None:
    # A seat's average strategy at the root into its row.
    _begin(history, seat)
    at = _place(nodes, history, seat)
    if nodes[at].key != 0:
        edge = nodes[at].newest
        while edge >= 0:
            others[seat, edges[edge].action] = edges[edge].strategy
            edge = edges[edge].older


@kernel
def _draw(others: Any, seat: Int, legal_actions: Any, n: Int, random: Any) -> Int:
    # A legal action by its weight in the seat's row; where none has one, all are equally likely.
    total = 0.0
    for i in range(n):
        total += others[seat, legal_actions[i]]
    point = rng.uniform(random) * total
    for i in range(n):
        point -= others[seat, legal_actions[i]]
        if point < 0.0:
            return np.int64(legal_actions[i])
    return np.int64(legal_actions[rng.below(random, n)])


def _search(
    view: Any,
    root_seat: Int,
    iterations: Int,
    cutoff: Int,
    exploration: Float,
    forced: Any,
    seed: Int,
    others: Any,
    wins: Any,
    finals: Any,
    states: Any,
    nodes: Any,
    edges: Any,
    path: Any,
    history: Any,
    labels: Any,
    stamps: Any,
    legal_actions: Any,
    untried: Any,
    scores: Any,
    places: Any,
    worths: Any,
    counts: Any,
    random: Any,
    log: Any,
    legal: Any,
    apply: Any,
    resample: Any,
    outcome: Any,
    evaluate: Any,
    policy: Any,
    seen: Any,
    sealed: Any,
    consider: Any,
) -> Int:
    # ``counts`` are the edges, stamps and iterations so far, so that a search goes on where it was left. From a seed of
    # its own (-1: none) an iteration imagines the same world whatever is ``forced``, the whole move that the root's
    # seat then makes in it. Who is asked together with that seat answers by ``others``, the strategies that a search in
    # which nothing is forced has found: they know nothing of its choice. ``wins`` and ``finals`` take the seats' win
    # shares and the last state of every iteration, as far as there is room.
    s, seats = states[0], np.int64(view.seats)
    edge_count, stamp = np.int64(counts[0]), np.int64(counts[1])
    for number in range(counts[2], counts[2] + iterations):
        if seed >= 0:
            rng.reseed(random, seed, number)
        states[0] = view
        fresh_chance(s, random)
        resample(s, root_seat, random)
        s.acting |= sealed(view)
        mixed = np.int64(0)
        if forced.shape[0] > 0:
            mixed = np.int64(s.acting) & ~(np.int64(1) << root_seat)
            for i in range(forced.shape[0]):
                apply(s, root_seat, np.int64(forced[i]), log)
        for seat in range(seats):
            _begin(history, seat)
        # Bit sets: the seats still choosing in their trees, and those who have not yet moved in this round.
        inside, waiting = (np.int64(1) << seats) - 1, np.int64(0)
        steps, label_count, outside, choosing = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
        while s.over == 0 and (cutoff == 0 or outside < cutoff):
            acting = np.int64(s.acting)
            if acting & waiting == 0:
                for row in range(label_count):
                    for seat in range(seats):
                        if seat != labels[row, seats]:
                            _extend(history, seat, labels[row, seats], labels[row, seat])
                label_count, waiting, choosing = np.int64(0), acting, np.int64(0)
                for other in range(seats):
                    choosing += acting >> other & 1
            seat = lowest_seat(acting & waiting)
            n = legal(s, seat, legal_actions)
            if inside >> seat & 1:
                n = consider(s, seat, legal_actions, n)
            action = np.int64(-1)
            if mixed >> seat & 1:
                mixed &= ~(np.int64(1) << seat)
                action = _draw(others, seat, legal_actions, n, random)
            elif n == 1:
                action = np.int64(legal_actions[0])
            elif inside >> seat & 1 and steps < path.shape[0]:
                stamp += 1
                for i in range(n):
                    stamps[legal_actions[i]] = stamp
                at = _place(nodes, history, seat)
                tried = np.int64(0)
                if nodes[at].key != 0:
                    tried = _available(edges, nodes[at].newest, stamp, stamps)
                step = path[steps]
                step.seat, step.node, step.stamp, step.chance, step.edge = seat, at, stamp, 0.0, -1
                if tried < n and edge_count < edges.shape[0]:
                    count = 0
                    for i in range(n):
                        if stamps[legal_actions[i]] == stamp:
                            untried[count] = legal_actions[i]
                            count += 1
                    action = np.int64(policy(s, seat, untried, count, random))
                    if stamps[action] != stamp:
                        action = np.int64(untried[rng.below(random, count)])
                    if nodes[at].key == 0:
                        nodes[at].key, nodes[at].newest = _key(history, seat), -1
                    edge = edges[edge_count]
                    edge.action, edge.available, edge.stamp, edge.older = action, 1, stamp, nodes[at].newest
                    step.edge = nodes[at].newest = edge_count
                    edge_count += 1
                    inside &= ~(np.int64(1) << seat)
                elif tried > 0:
                    if choosing == 2 and tried == n:
                        _match_regret(edges, nodes[at].newest, stamp, n, random, step)
                    elif choosing > 2 and tried == n:
                        _draw_from_average(edges, nodes[at].newest, stamp, n, random, step)
                        step.chance = -1.0
                    else:
                        step.edge = _most_promising(edges, nodes[at].newest, stamp, exploration)
                    action = np.int64(edges[step.edge].action)
                if action >= 0:
                    steps += 1
            if action < 0:
                inside &= ~(np.int64(1) << seat)
                outside += 1
                action = np.int64(policy(s, seat, legal_actions, n, random))
            if inside:
                _extend(history, seat, seat, action)
                if label_count < labels.shape[0]:
                    for other in range(seats):
                        if other != seat:
                            labels[label_count, other] = seen(s, seat, action, other)
                    labels[label_count, seats] = seat
                    label_count += 1
            apply(s, seat, action, log)
            if not np.int64(s.midmove) >> seat & 1:
                waiting &= ~(np.int64(1) << seat)
        valued = np.int64(0)
        for i in range(steps):
            step = path[i]
            if not valued >> step.seat & 1:
                valued |= np.int64(1) << step.seat
                worths[step.seat] = value(s, step.seat, scores, places, outcome, evaluate)
            win = worths[step.seat]
            if step.chance > 0.0:
                _learn_regret(edges, nodes[step.node].newest, step, win)
            edges[step.edge].visits += 1
            edges[step.edge].total += win
            edges[step.edge].recent += (win - edges[step.edge].recent) * 2.0 / (edges[step.edge].visits + 1)
            if step.chance < 0.0:
                _reply_best(edges, nodes[step.node].newest, step)
        if number < wins.shape[0]:
            for seat in range(seats):
                wins[number, seat] = value(s, seat, scores, places, outcome, evaluate)
        if number < finals.shape[0]:
            finals[number] = states[0]
    counts[0], counts[1], counts[2] = edge_count, stamp, counts[2] + iterations
    if root_seat < 0 or not np.int64(view.acting) >> root_seat & 1:
        return -1
    if forced.shape[0] == 0:
        asked = (np.int64(view.acting) | sealed(view)) & ~(np.int64(1) << root_seat)
        for other in range(seats):
            if asked >> other & 1:
                _tell_strategy(nodes, edges, history, other, others)
    else:
        return -1
    _begin(history, root_seat)
    return nodes[_place(nodes, history, root_seat)].newest


@cache
def _search_loop(game: Game) -> Any:
    s = game.state.numba_type
    nodes, edges, path = (numba.types.Array(numba.from_dtype(kind), 1, "C") for kind in (NODE, EDGE, STEP))
    table, shares, states = numba.int64[:, ::1], numba.float64[:, ::1], numba.types.Array(s, 1, "C")
    names = ("legal", "apply", "resample", "outcome", "evaluate", "policy", "seen", "sealed", "consider")
    signature = INT(
        s, INT, INT, INT, FLOAT, INTS, INT, shares, shares, states, states, nodes, edges, path, table, table, LONGS,
        INTS, INTS, INTS, INTS, FLOATS, LONGS, LONGS, game.events.numba_type,
        *(game.kernel_type(name) for name in names),
    )  # fmt: skip
    return specialise(_search, signature)


@dataclass(frozen=True)
class Analysis:
    """The results of a search at its root, by legal action (of those that the game has it consider), ascending.

    ``values`` are mean win shares of the seat after each action (nan: never tried), ``probabilities`` the strategy: at
    a simultaneous decision the average one, at any other the part of the visits. ``edges`` is how many actions the
    trees of all seats held in the end. ``others`` are the average strategies of those asked at the same time, weights
    by seat and action (shape (seats, actions), zero for everybody else).
    """

    actions: tuple[int, ...]
    visits: tuple[int, ...]
    values: tuple[float, ...]
    probabilities: tuple[float, ...]
    simultaneous: bool
    iterations: int
    edges: int
    others: NDArray[np.float64] = field(compare=False, repr=False)


class _Tree(NamedTuple):
    """The result of one search: visits, total of win shares and weight in the strategy by action tried at the root,
    edges held in the end, iterations made, and the strategies of those asked at the same time."""

    root: dict[int, tuple[int, float, float]]
    edges: int
    iterations: int
    others: NDArray[np.float64]


NOTHING_FORCED, NOT_KEPT = np.zeros(0, np.int32), np.zeros((0, 0))


class SearchBot(Bot):
    """Chooses each action by a search of its own, of ``iterations`` imagined games.

    ``cutoff`` is the number of decisions outside the trees after which ``evaluate`` ends a playout (0: never; none:
    CUTOFF if the game has that hint). At a simultaneous decision the bot draws from the average strategy, else it takes
    the action visited most.
    """

    def __init__(
        self,
        game: Game,
        spec: str,
        iterations: int = DEFAULT_ITERATIONS,
        exploration: float = EXPLORATION,
        cutoff: int | None = None,
    ) -> None:
        super().__init__(game, spec)
        self.iterations = iterations
        self.exploration = exploration
        if cutoff is None:
            cutoff = getattr(game.hints, "CUTOFF", CUTOFF) if hasattr(game.hints, "evaluate") else 0
        self.cutoff = cutoff

    def prepare(self) -> None:
        _search_loop(self.game)

    def at_most(self, iterations: int) -> Bot:
        if self.iterations <= iterations:
            return self
        return SearchBot(self.game, self.spec, iterations, self.exploration, self.cutoff)

    def _decide(self, view: Any, seat: int, random: NDArray[np.int64], until: float) -> int:
        found = self.analyse(view, seat, random, until)
        if found.simultaneous:
            point = rng.uniform(random)
            for action, probability in zip(found.actions, found.probabilities, strict=True):
                point -= probability
                if point < 0:
                    return action
        best = max(range(len(found.actions)), key=lambda i: (found.visits[i], found.values[i]))
        return found.actions[best]

    def analyse(self, view: Any, seat: int, random: NDArray[np.int64], until: float = math.inf) -> Analysis:
        """Search from an acting seat's view, with a generator of `backroom.engine.rng`. Refusals as of `decide`.

        At ``until`` (of `time.monotonic`) it ends with what it has; only a table gives such a time, for the result then
        depends on the machine.

        A simultaneous decision may have many equilibria, and self-play settles on one by chance, which the other
        seats' players have no reason to share. So the iterations are split into up to RESTARTS searches that learn
        apart, and the strategy is the mean of theirs.
        """
        game, seat = self.game, self.asked(view, seat, random)
        legal = game.legal(view, seat)
        actions = legal[: game.kernels["consider"](view, seat, legal, len(legal))].tolist()
        simultaneous = (int(view.acting) | int(game.kernels["sealed"](view))).bit_count() > 1
        others = np.zeros((int(view.seats), game.actions.count))
        if len(actions) == 1:
            return Analysis(tuple(actions), (0,), (float("nan"),), (1.0,), simultaneous, 0, 0, others)
        searches = max(1, min(RESTARTS, self.iterations // LEAST_ITERATIONS)) if simultaneous else 1
        visits, totals, edges = np.zeros(len(actions), np.int64), np.zeros(len(actions)), 0
        strategy, done = np.zeros(len(actions)), 0
        for number in range(searches):
            share = time.monotonic() + (until - time.monotonic()) / (searches - number)
            found = self._search(view, seat, self.iterations // searches, random, share)
            root, edges, done = found.root, max(edges, found.edges), done + found.iterations
            others += found.others / np.maximum(found.others.sum(axis=1, keepdims=True), 1e-300)
            weights = np.zeros(len(actions))
            for i, action in enumerate(actions):
                if action in root:
                    count, total, weight = root[action]
                    visits[i] += count
                    totals[i] += total
                    weights[i] = weight if simultaneous else count
            strategy += weights / weights.sum() if weights.any() else visits / visits.sum()
        with np.errstate(invalid="ignore"):
            values = totals / visits
        return Analysis(
            actions=tuple(actions),
            visits=tuple(visits.tolist()),
            values=tuple(values.tolist()),
            probabilities=tuple((strategy / strategy.sum()).tolist()),
            simultaneous=simultaneous,
            iterations=self.iterations if until == math.inf else done,
            edges=edges,
            others=others,
        )

    def worth(
        self, view: Any, viewer: int, actions: Sequence[int], others: NDArray[np.float64], seed: int, kept: int = 0
    ) -> tuple[NDArray[np.float64], Any]:
        """The win shares of all seats in the games that a search imagines after a whole move, by iteration and seat.

        ``viewer`` has the view (SPECTATOR too); ``actions`` are a move of that seat, legal and complete, or empty: then
        it is the position itself. ``others`` is what `analyse` found of those who are asked with it. The worlds follow
        from ``seed`` (0 .. 2**63 - 1) and the iteration alone, so that moves can be compared in pairs. Of the first
        ``kept`` iterations the last states come too.
        """
        random, wins = rng.generator(seed), np.zeros((self.iterations, int(view.seats)))
        finals, forced = self.game.state.new_array(kept), np.array(actions, np.int32)
        self._search(view, viewer, self.iterations, random, math.inf, forced, seed, others, wins, finals)
        return wins, finals

    def _search(
        self,
        view: Any,
        seat: int,
        iterations: int,
        random: NDArray[np.int64],
        until: float,
        forced: NDArray[np.int32] = NOTHING_FORCED,
        seed: int = -1,
        others: NDArray[np.float64] | None = None,
        wins: NDArray[np.float64] = NOT_KEPT,
        finals: Any = None,
    ) -> _Tree:
        """One search."""
        game, kernels, seats = self.game, self.game.kernels, int(view.seats)
        room = min(MOST_NODES, iterations * seats)
        edges = np.zeros(room, EDGE)
        others = np.zeros((seats, game.actions.count)) if others is None else others
        work = (
            forced, seed, others, wins, game.state.new_array(0) if finals is None else finals,
            game.state.new_array(1), np.zeros(1 << (2 * room - 1).bit_length(), NODE), edges,
            np.zeros(LONGEST_PATH, STEP), np.zeros((seats, 2), np.int64), np.zeros((MOST_LABELS, seats + 1), np.int64),
            np.zeros(game.actions.count, np.int64),
            np.zeros(game.actions.count, np.int32), np.zeros(game.actions.count, np.int32),
            np.zeros(game.state.seats, np.int32), np.zeros(game.state.seats, np.int32), np.zeros(game.state.seats),
            np.zeros(3, np.int64),
            random, game.events.new_log(recording=False),
            kernels["legal"], kernels["apply"], kernels["resample"], kernels["outcome"],
            kernels["evaluate"], kernels["policy"], kernels["seen"], kernels["sealed"],
            kernels["consider"],
        )  # fmt: skip
        loop, done = _search_loop(game), 0
        batch = iterations if until == math.inf else min(FIRST_BATCH, iterations)
        while True:
            begun = time.monotonic()
            newest = loop(view, seat, batch, self.cutoff, self.exploration, *work)
            done, now = done + batch, time.monotonic()
            if done >= iterations or now >= until:
                break
            if now - begun < BATCH_SECONDS:
                batch *= 2
            batch = min(batch, iterations - done)
        tried = {}
        while newest >= 0:
            edge = edges[newest]
            tried[int(edge["action"])] = (int(edge["visits"]), float(edge["total"]), float(edge["strategy"]))
            newest = int(edge["older"])
        return _Tree(tried, int(np.count_nonzero(edges["visits"])), done, others)
