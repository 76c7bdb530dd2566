"""The rules of Kuhn poker, see rulebook.md."""

from typing import Any

import numpy as np

from backroom.engine import chance, rng
from backroom.engine.actions import actions, family
from backroom.engine.events import EVERYBODY, emit, event, events
from backroom.engine.game import FINISHED, rank_seats
from backroom.engine.kernel import Int, kernel
from backroom.engine.record import owned, public, record

from .options import KuhnOptions

STREAMS = ("deal",)
(DEAL,) = range(len(STREAMS))

STATE = record(
    2,
    STREAMS,
    card=owned(np.int8, 2, most=3),  # 1 is the jack, 2 the queen, 3 the king
    stake=public(np.int8, 2, most=2),  # chips in the pot
    chips=public(np.int8, 2, least=-18, most=18),  # won or lost so far
    hand=public(np.int8, most=9),  # the number of the hand, from 1
    **KuhnOptions.fields(),
)

ACTIONS = actions(check=family(), bet=family(), fold=family(), call=family())
CHECK, BET, FOLD, CALL = range(ACTIONS.count)

EVENTS = events(dealt=event("card", private=("card",)), acted=event("action"), showed=event("card"), won=event("chips"))
DEALT, ACTED, SHOWED, WON = range(len(EVENTS.kinds))


@kernel
def setup(s: Any, log: Any) -> None:
    deal(s, log)


@kernel
def deal(s: Any, log: Any) -> None:
    cards = np.arange(1, 4)
    chance.shuffle(s, log, DEAL, cards, 3)
    s.hand = s.hand + 1
    for seat in range(2):
        s.card[seat] = cards[seat]
        s.stake[seat] = 1
        emit(log, DEALT, seat, 1 << seat, cards[seat])
    s.acting = 1 << first(s)


@kernel
def first(s: Any) -> Int:
    """The seat that begins this hand: they take turns."""
    return (np.int64(s.hand) - 1) % 2


@kernel
def default(s: Any, seat: Int) -> Int:
    return FOLD if s.stake[1 - seat] > s.stake[seat] else CHECK


@kernel
def legal(s: Any, seat: Int, out: Any) -> Int:
    out[0] = default(s, seat)
    out[1] = out[0] + 1
    return 2


@kernel
def apply(s: Any, seat: Int, action: Int, log: Any) -> None:
    emit(log, ACTED, seat, EVERYBODY, action)
    s.turn = s.turn + 1
    if action in (BET, CALL):
        s.stake[seat] = 2
    if action == BET or (action == CHECK and seat == first(s)):
        s.acting = 1 << (1 - seat)
    elif action == FOLD:
        finish(s, 1 - seat, log)
    else:
        for player in range(2):
            emit(log, SHOWED, player, EVERYBODY, s.card[player])
        finish(s, 0 if s.card[0] > s.card[1] else 1, log)


@kernel
def finish(s: Any, winner: Int, log: Any) -> None:
    """The pot goes to the winner; the next hand follows, or the end."""
    lost = np.int64(s.stake[1 - winner])
    s.chips[winner] += lost
    s.chips[1 - winner] -= lost
    emit(log, WON, winner, EVERYBODY, lost)
    if s.hand < s.hands:
        deal(s, log)
    else:
        s.acting = 0
        s.over = FINISHED


@kernel
def resample(s: Any, seat: Int, random: Any) -> None:
    if seat < 0:
        seat = 0
        s.card[0] = 1 + rng.below(random, 3)
    other = 1 + rng.below(random, 2)
    s.card[1 - seat] = other if other < s.card[seat] else other + 1


@kernel
def outcome(s: Any, scores: Any, places: Any) -> None:
    scores[:2] = s.chips
    rank_seats(s, scores, places)
