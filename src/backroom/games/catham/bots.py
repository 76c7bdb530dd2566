"""Hints for search in Catham City: how good a position is, which action a playout would choose, what others see."""

import math
from typing import Any

import numpy as np

from backroom.engine import rng
from backroom.engine.game import FINISHED, Level
from backroom.engine.kernel import Float, Int, kernel
from backroom.games.catham.cards import (
    DETECTIVES,
    HACKERS,
    JOURNALISTS,
    LIMIT,
    MAFIA,
    OFFICIALS,
    POLICE,
    ROBOCATS,
    SCIENTISTS,
)  # fmt: skip
from backroom.games.catham.rules import (
    DECLINE,
    DETECTIVES_END,
    GIVE,
    GIVE_END,
    HACKERS_END,
    JOURNALIST_AWAY,
    KINDS,
    LOSE_KEPT_END,
    MATCH_EXTRA,
    OFFICIALS_END,
    PLAY_DETECTIVES,
    PLAY_JOURNALISTS,
    PLAY_MAFIA,
    PLAY_OFFICIALS,
    PLAY_ROBOCATS,
    PLAY_SCIENTISTS,
    POLICE_END,
    TAKE_END,
    THROW_END,
    discard_of,
    hackers_of,
    police_of,
    take_of,
    throw_of,
)  # fmt: skip

__all__ = ["LEVELS", "evaluate", "policy", "seen"]

LEVELS = (
    Level(
        "slip:0.4", "Takes what looks best at once, and slips in two moves of five.",
        (0.978, 0.956, 0.999), (0.000, 0.000, 0.060), 3, 360,
    ),
    Level(
        "greedy", "Takes what looks best at once, and does not slip.",
        (0.600, 0.523, 0.677), (0.117, 0.072, 0.161), 3, 360,
    ),
    Level(
        "search:200", "Plays the next turns in its head, 200 times before each move, with cards that could be there.",
        (0.689, 0.613, 0.765), (0.144, 0.099, 0.190), 3, 360,
    ),
    Level(
        "search:2000", "The same 2000 times before each move.",
        (0.633, 0.567, 0.700), (0.111, 0.067, 0.155), 3, 360,
    ),
)  # fmt: skip
"""Each beats the one below it, the lowest random play; docs/levels.md has the commands."""

WORTH = np.array(
    # Points that 0 to 10 cards of a faction in hand are likely to bring, about half of them discounted for the actions
    # that playing them takes; from the faction's printed effect.
    [
        [0.0, 0.4, 1.5, 1.8, 2.6, 2.9, 3.6, 3.9, 4.5, 4.8, 5.4],  # journalists: two for two
        [0.0, 0.4, 1.0, 2.1, 2.5, 3.0, 3.8, 4.2, 4.6, 5.2, 5.6],  # detectives: three and one for three
        [0.0, 0.7, 1.3, 1.8, 2.2, 2.5, 2.7, 2.9, 3.0, 3.1, 3.2],  # officials: one for each different faction
        [0.0, 0.4, 0.9, 2.0, 2.3, 2.8, 3.6, 3.9, 4.3, 5.0, 5.3],  # scientists: three for two and two cards
        [0.0, 0.5, 1.3, 1.6, 2.2, 2.6, 3.2, 3.5, 3.9, 4.2, 4.6],  # robocats: two for five cards, four for three
        [0.0, 0.3, 0.7, 1.2, 2.1, 2.3, 2.6, 3.0, 3.7, 3.9, 4.2],  # mafia: four for two, and others lose
        [0.0, 0.4, 0.8, 1.1, 1.4, 1.6, 1.8, 2.0, 2.1, 2.2, 2.3],  # police: hits are rare, the wanted card is lost
        [0.0, 0.5, 1.0, 1.6, 2.2, 2.5, 2.8, 3.2, 3.6, 3.9, 4.2],  # hackers: points and loot
    ]
)
SHARP = 0.35
"""How much a point of lead weighs in the estimated win share (logistic, per point)."""
WANDER = 0.15
"""Share of playout decisions that are uniform."""


@kernel
def hand_worth(s: Any, seat: Int) -> Float:
    """Points that the cards of a hand are likely to bring."""
    total = 0.0
    for faction in range(KINDS):
        held: Int = np.int64(s.hand[seat, faction])
        total += WORTH[faction, min(held, 10)]
    return total


@kernel
def evaluate(s: Any, seat: Int) -> Float:
    """Estimated win share of a seat, 0 to 1: points and hand, weighed more the nearer somebody is to the target."""
    if s.over == FINISHED:
        return 1.0 if s.winner == seat else 0.0
    near: Int = 0
    for other in range(s.seats):
        near = max(near, np.int64(s.points[other]))
    # A hand is worth less when there is no time left to play it.
    left = max(0.0, 1.0 - near / np.float64(s.target))
    own = 0.0
    total = 0.0
    for other in range(s.seats):
        strength = s.points[other] + hand_worth(s, other) * (0.35 + 0.65 * left)
        weight = math.exp(strength * SHARP * (2.0 - left))
        total += weight
        if other == seat:
            own = weight
    return own / total


@kernel
def grown(s: Any, seat: Int, faction: Int, more: Int) -> Float:
    """How much the worth of a hand changes with so many cards more (or fewer) of a faction."""
    held: Int = np.int64(s.hand[seat, faction])
    return WORTH[faction, max(0, min(held + more, 10))] - WORTH[faction, min(held, 10)]


@kernel
def appeal(s: Any, seat: Int, action: Int) -> Float:
    """How good an action looks at first sight, in points; from what the seat may know."""
    if action < TAKE_END:
        faction, count = take_of(action)
        surplus: Int = max(0, np.int64(s.hand_size[seat]) + count + 1 - LIMIT)
        return grown(s, seat, faction, count + 1) - 0.4 * surplus
    if action < HACKERS_END:
        return play_appeal(s, seat, action)
    if action < GIVE_END:
        receiver = np.int64(s.active)
        danger = 1.0 if s.points[receiver] + 3 >= s.target else 0.3
        return 1.0 + grown(s, seat, action - GIVE, -2) - danger
    if action == MATCH_EXTRA:
        return 1.0 + grown(s, seat, np.int64(s.extra), -1)
    if action == DECLINE:
        return 0.0
    if action < THROW_END:
        first, second = throw_of(action)
        if first == second:
            return grown(s, seat, first, -2)
        return grown(s, seat, first, -1) + grown(s, seat, second, -1)
    if action < LOSE_KEPT_END:
        return -1.0
    faction, count = discard_of(action)
    return grown(s, seat, faction, -count - 1) / (count + 1)


@kernel
def play_appeal(s: Any, seat: Int, action: Int) -> Float:
    """`appeal` of playing a faction: its points, what it draws, less the cards it costs."""
    if action == PLAY_JOURNALISTS:
        return 2.2 + grown(s, seat, JOURNALISTS, -2) + 1.0
    if action < DETECTIVES_END:
        extra = action - PLAY_DETECTIVES
        if extra == DETECTIVES:
            return 3.0 + grown(s, seat, DETECTIVES, -4) + 1.0
        return 3.0 + grown(s, seat, DETECTIVES, -3) + grown(s, seat, extra, -1) + 1.0
    if action < OFFICIALS_END:
        count = action - PLAY_OFFICIALS + 1
        different = 5.0 * (1.0 - 0.8**count)
        return different + grown(s, seat, OFFICIALS, -count) + 0.5
    if action == PLAY_SCIENTISTS:
        return 2.9 + grown(s, seat, SCIENTISTS, -3) + 1.0
    if action < PLAY_MAFIA:
        if action == PLAY_ROBOCATS:
            room: Int = LIMIT - np.int64(s.hand_size[seat]) + 2
            return 0.45 * min(5, room) + grown(s, seat, ROBOCATS, -2) + 0.5
        return 3.0 + grown(s, seat, ROBOCATS, -4) + 1.0
    if action == PLAY_MAFIA:
        return 2.6 + grown(s, seat, MAFIA, -4) + 1.0
    if action < POLICE_END:
        count, wanted, victim = police_of(action)
        held: Int = max(1, np.int64(s.hand_size[victim]))
        open_cards = 0
        for faction in range(KINDS):
            open_cards += s.known[victim, faction]
        hits = min(count + 1, held) * (s.known[victim, wanted] + 0.2 * (held - open_cards)) / held
        return hits + grown(s, seat, POLICE, -count - 1) + grown(s, seat, wanted, -1) + 0.5
    victim, count = hackers_of(action)
    paid = count + 1
    hits = paid * (paid + s.known[victim, HACKERS]) / (paid + s.hand_size[victim])
    return hits + 0.4 * (paid - hits) + grown(s, seat, HACKERS, -paid) + 0.3


@kernel
def policy(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
    """A playout's choice: mostly the action of the greatest appeal, sometimes any (`WANDER`)."""
    if n == 1:
        return np.int64(legal[0])
    if rng.uniform(random) < WANDER:
        return np.int64(legal[rng.below(random, n)])
    best = np.int64(legal[0])
    most = -1000.0
    for i in range(n):
        # A little noise breaks ties without favouring low numbers.
        value = appeal(s, seat, np.int64(legal[i])) + 0.3 * rng.uniform(random)
        if value > most:
            most = value
            best = np.int64(legal[i])
    return best


@kernel
def seen(s: Any, seat: Int, action: Int, viewer: Int) -> Int:
    """What a viewer sees of an action: a gift whose faction only giver and receiver know is any gift to the others."""
    hidden = s.journalist_match == JOURNALIST_AWAY and GIVE <= action < GIVE_END
    if hidden and viewer != seat and viewer != s.active:
        return GIVE
    return action
