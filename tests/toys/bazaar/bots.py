"""What search may use of Bazaar: an estimate, a playout policy and what others see of an action."""

import numpy as np

from backroom.engine import rng
from backroom.engine.kernel import kernel
from toys.bazaar.rules import BID, OFFERED, PICK, SELL


@kernel
def evaluate(s, seat):
    total = 1.0
    for other in range(s.seats):
        total += s.coins[other]
    return s.coins[seat] / total


@kernel
def policy(s, seat, legal, n, random):
    """Sell whenever possible, otherwise anything."""
    for i in range(n):
        if SELL <= legal[i] < PICK:
            return np.int64(legal[i])
    return np.int64(legal[rng.below(random, n)])


@kernel
def seen(s, seat, action, viewer):
    """Bids are hidden from all others, the card on offer from all but giver and taker."""
    if viewer == seat:
        return action
    if action >= BID:
        return np.int64(BID)
    if OFFERED <= action < OFFERED + 4 and viewer != (np.int64(s.active) + 1) % np.int64(s.seats):
        return np.int64(OFFERED)
    return action
