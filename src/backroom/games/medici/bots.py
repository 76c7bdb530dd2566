"""Hints for bots that play Court of the Medici and Fringe Powers, and four personas."""

import math
from typing import Any

import numpy as np

from backroom.engine import rng
from backroom.engine.game import Level, Persona
from backroom.engine.kernel import Float, Int, kernel
from backroom.games.medici.cards import BODYGUARD, JESTER, LADY, MINISTER, RANK_COUNT, SPY
from backroom.games.medici.rules import (
    ALLY,
    ALLY_FIRST,
    BASE,
    CONSPIRE_FIRST,
    DONE,
    FRINGE,
    GUARD_FIRST,
    INNER,
    JESTER_VALUE,
    NOGUARD,
    NOSPY,
    ONTO,
    PLAN,
    PUT_FIRST,
    SCAPEGOAT_FIRST,
    SEATS,
    SINGLE_OUT,
    TARGET,
    TARGET_FRINGE,
    WORTH,
    fringe_value,
    house_of,
    rank_of,
    score,
    within_limit,
)

__all__ = ["CUTOFF", "LEVELS", "PERSONAS", "evaluate", "policy", "seen"]

HELD: Any = np.array([0.2, 0.3, 0.4, 0.5, 0.7, 0.9, 1.1, 1.3, 1.6, 2.6, 4.0, 2.0, 2.0, 2.5, 1.0])
"""Points that a card in hand is likely to be worth by rank: what it scores, discounted, or what its power wins."""
SHARP = 0.09
"""How much a point of lead weighs in the estimated win share (logistic, per point)."""
WANDER = 0.1
"""Share of playout decisions that are uniform."""
CUTOFF = 20
"""Decisions of a playout after which `evaluate` stands in for the rest. Playouts to the end misjudge: a move that real
games between searches put 9 points behind another (interval -27 to +8) was 13 ahead of it for them."""
BALANCED, BUILDER, CONSPIRATOR, HOARDER, KINGMAKER_AVERSE = 0, 1, 2, 3, 4


@kernel
def evaluate(s: Any, seat: Int) -> Float:
    """Estimated win share of a seat, 0 to 1: cards at court and what threatens them, control, cards in hand."""
    worth = np.zeros(SEATS)
    sums = np.zeros(SEATS)
    cards, inner_cards, inner = 0, 0, np.zeros(SEATS)
    for k in range(s.stacks):
        value = np.int64(s.stack_value[k])
        threats = 0
        for y in range(s.stacks):
            # In fringe what is worth more attacks, in the base game what one card makes equal.
            if y != k and (s.stack_value[y] + 5 > value if s.game == FRINGE else 0 <= value - s.stack_value[y] <= 10):
                threats += 1
        safe = 0.5 + 0.5 / (1.0 + 0.3 * threats)
        sums[:] = 0.0
        for i in range(s.stack_start[k], s.stack_start[k + 1]):
            card = np.int64(s.court[i])
            house, influence = house_of(card), 1.0 * WORTH[rank_of(card)]
            sums[house] += influence
            if s.game == FRINGE and s.stack_side[k] == INNER:
                influence += 3.0
            cards += 1
            inner_cards += s.stack_side[k] == INNER
            inner[house] += s.stack_side[k] == INNER
            worth[house] += influence * safe
            if rank_of(card) == SPY:
                worth[house] += 0.1 * value
        for house in range(s.seats):
            if 2.0 * sums[house] > value:
                worth[house] += 0.1 * value
    total, own, deck = 0.0, 0.0, 0
    for p in range(s.seats):
        deck += s.deck_size[p]
        for rank in range(RANK_COUNT):
            if s.hand[p, rank] > 0 and within_limit(s, p, rank):
                worth[p] += HELD[rank] * s.hand[p, rank]
        if s.game == BASE and inner[p] < 2:
            # The last noble in the Inner Circle decides when the game ends; it is his who leads then.
            worth[p] -= 1.0
    # A lead is safer the less is left to play.
    sharp = SHARP * (1.0 + 1.5 / (1.0 + deck / (2.0 * s.seats)))
    for p in range(s.seats):
        weight = math.exp(sharp * (worth[p] - worth[seat]))
        total += weight
        if p == seat:
            own = weight
    return own / total


@kernel
def stake(s: Any, seat: Int, k: Int, leader: Int) -> Float:
    """What others lose with stack k, less twice what the seat loses; with a leader (not -1) only he should lose."""
    lost = 0.0
    for i in range(s.stack_start[k], s.stack_start[k + 1]):
        card = np.int64(s.court[i])
        house = house_of(card)
        points = WORTH[rank_of(card)] + (3.0 if s.stack_side[k] == INNER else 1.0)
        if house == seat:
            lost -= 2.0 * points
        elif leader < 0 or house == leader:
            lost += points
        else:
            lost -= 0.5 * points
    return lost


@kernel
def card_appeal(s: Any, seat: Int, card: Int, leader: Int) -> Float:
    """What it brings the seat when a card is lost."""
    points = 1.0 + WORTH[rank_of(card)]
    if house_of(card) == seat:
        return -points
    return points if leader < 0 or house_of(card) == leader else -0.5 * points


@kernel
def play_appeal(s: Any, seat: Int, action: Int, style: Int) -> Float:
    """How good the card and its use look when a move begins."""
    use, rank = action // RANK_COUNT, action % RANK_COUNT
    special = MINISTER <= rank <= BODYGUARD
    late = s.deck_size[seat] < 5
    if action < ALLY_FIRST:
        value = 0.5 * WORTH[rank] - (3.0 if special else 0.0)
    elif action < PLAN:
        value = 6.0 if rank == MINISTER else 2.5 + 0.2 * WORTH[rank]
        if rank == LADY:
            value = 1.0
    elif action < CONSPIRE_FIRST:
        value = -2.0 - 0.3 * WORTH[rank]
    else:
        value = 6.0 - 0.1 * WORTH[rank] + (2.0 if rank == SPY else 0.0)
        if rank in (MINISTER, LADY):
            value = 0.0
    if style == BUILDER and use == 1 and not special:
        value += 5.0
    elif style == CONSPIRATOR and action >= CONSPIRE_FIRST:
        value += 6.0
    elif style == HOARDER and special:
        value += 5.0 if late and not (action < ALLY_FIRST or PLAN <= action < CONSPIRE_FIRST) else -8.0
    return value


@kernel
def appeal(s: Any, seat: Int, action: Int, style: Int, leader: Int) -> Float:
    """How good an action looks at first sight, from what the seat may know."""
    if action < ONTO:
        return play_appeal(s, seat, action, style)
    if action < TARGET:
        k = action - ONTO
        gain = stake(s, seat, k, leader)
        if s.use == ALLY:
            if s.played - 1 == MINISTER:
                return gain
            if s.played - 1 == LADY:
                return 0.3 * gain
            # Company in the Inner Circle is worth three points, and one's own alliances grow.
            inner = 4.0 if s.stack_side[k] == INNER else 0.0
            return inner - 0.4 * gain
        return 0.5 * s.stack_value[k] - 0.3 * gain
    if action < TARGET_FRINGE:
        return stake(s, seat, action - TARGET, leader)
    if action < SINGLE_OUT:
        house = action - TARGET_FRINGE
        hit = 0.4 * fringe_value(s, house)
        return -3.0 - hit if house == seat or (leader >= 0 and house != leader) else hit
    if action < JESTER_VALUE:
        return card_appeal(s, seat, action - SINGLE_OUT + 1, leader)
    if action < NOSPY:
        # The extremes decide most: a high conspiracy, a low target, or a rival's Jester too small for his control.
        value = (action - JESTER_VALUE) % 10
        return 1.0 if value == 0 or value == 9 else -1.0
    if action <= DONE:
        return 3.0 if action == DONE else 0.0
    if action < GUARD_FIRST:
        rank = action - PUT_FIRST
        special = MINISTER <= rank <= JESTER
        return -2.0 if special else -0.1 * WORTH[rank]
    if action < NOGUARD:
        return -card_appeal(s, seat, action - GUARD_FIRST + 1, leader)
    if action == NOGUARD:
        return 2.0
    if SCAPEGOAT_FIRST <= action < SCAPEGOAT_FIRST + SEATS * RANK_COUNT:
        return 1.0 * WORTH[(action - SCAPEGOAT_FIRST) % RANK_COUNT] - fringe_value(s, seat)
    return 0.0


@kernel
def choose(s: Any, seat: Int, legal: Any, n: Int, random: Any, style: Int) -> Int:
    """Mostly the action of the greatest appeal to a style, sometimes any (`WANDER`)."""
    if n == 1:
        return np.int64(legal[0])
    if rng.uniform(random) < WANDER:
        return np.int64(legal[rng.below(random, n)])
    leader = np.int64(-1)
    if style == KINGMAKER_AVERSE:
        most = np.int64(-1)
        for p in range(s.seats):
            if p != seat and score(s, p) > most:
                leader, most = np.int64(p), score(s, p)
    best, highest = np.int64(legal[0]), -1000.0
    for i in range(n):
        # Noise of some points keeps playouts varied.
        value = appeal(s, seat, np.int64(legal[i]), style, leader) + 4.0 * rng.uniform(random)
        if value > highest:
            best, highest = np.int64(legal[i]), value
    return best


@kernel
def policy(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
    """A playout's choice: no style of its own."""
    return choose(s, seat, legal, n, random, BALANCED)


@kernel
def builder(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
    """Builds alliances and rarely attacks."""
    return choose(s, seat, legal, n, random, BUILDER)


@kernel
def conspirator(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
    """Attacks whenever it can."""
    return choose(s, seat, legal, n, random, CONSPIRATOR)


@kernel
def special_hoarder(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
    """Keeps Ministers, Ladies, Jesters, Spy and Bodyguard until its deck runs low."""
    return choose(s, seat, legal, n, random, HOARDER)


@kernel
def kingmaker_averse(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
    """Attacks only whoever of the others leads."""
    return choose(s, seat, legal, n, random, KINGMAKER_AVERSE)


LEVELS = (
    Level(
        "slip:0.5", "Makes the move that looks best at once, and every second time any move.",
        (0.958, 0.923, 0.994), (0.017, 0.000, 0.040), 3, 240,
    ),
    Level(
        "greedy", "Makes the move that looks best at once.",
        (0.592, 0.494, 0.690), (0.287, 0.187, 0.388), 3, 240,
    ),
    Level(
        "search:200", "Plays on in its head 200 times before each move, with cards that could be there.",
        (0.867, 0.744, 0.990), (0.400, 0.212, 0.588), 3, 60,
    ),
    Level(
        "search:1000", "The same 1000 times before each move.",
        (0.483, 0.320, 0.647), (0.100, 0.000, 0.215), 3, 60,
    ),
)  # fmt: skip
"""Each beats the one below it, the lowest random play; docs/levels.md has the commands."""

PERSONAS = {
    "builder": Persona(lambda _: builder),
    "conspirator": Persona(lambda _: conspirator),
    "special-hoarder": Persona(lambda _: special_hoarder),
    "kingmaker-averse": Persona(lambda _: kingmaker_averse),
}


@kernel
def seen(s: Any, seat: Int, action: Int, viewer: Int) -> Int:
    """Others see that a card is planned or put back, not which."""
    if seat != viewer and PLAN <= action < CONSPIRE_FIRST:
        return np.int64(PLAN)
    if seat != viewer and PUT_FIRST <= action < GUARD_FIRST:
        return np.int64(PUT_FIRST)
    return action
