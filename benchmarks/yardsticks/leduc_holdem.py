# mypy: disable-error-code="no-untyped-def,no-untyped-call"
"""Leduc hold'em (Southey et al. 2005): three ranks in two suits, one card each and one on the board, two rounds of
betting with raises of 2 and 4, at most two raises a round."""

import sys
from typing import Any

import numpy as np

from backroom.engine import chance
from backroom.engine.actions import actions, family
from backroom.engine.events import events
from backroom.engine.game import Game
from backroom.engine.kernel import Int, kernel
from backroom.engine.options import Options
from backroom.engine.record import owned, public, record, secret
from benchmarks.yardsticks.two_seats import Words, deal_unknown, finish, settle

CARDS = 6
STREAMS = ("deal",)
DEAL = 0
FOLD, CALL, RAISE = 0, 1, 2
MOST_RAISES = 2
STATE = record(
    2,
    STREAMS,
    deck=secret(np.int8, CARDS),  # the hands, then the board; cards 1 to 6, two to a rank
    hand=owned(np.int8, 2),
    board=public(np.int8),  # 0 in the first round
    shown=public(np.int8, 2),  # the hands after a showdown, else 0
    staked=public(np.int8, 2),
    raises=public(np.int8),  # in this round
    answered=public(np.int8),  # decisions in this round
    folded=public(np.int8),  # bit set
)
ACTIONS = actions(fold=family(), call=family(), bid=family())
EVENTS = events(1)


@kernel
def setup(s: Any, log: Any) -> None:
    """Ante, deal and lay the board face down; seat 0 begins."""
    for i in range(CARDS):
        s.deck[i] = i + 1
    chance.sample(s, log, DEAL, s.deck, CARDS, 3)
    for i in range(2):
        s.hand[i] = s.deck[i]
        s.staked[i] = 1
    s.acting = 1


@kernel
def legal(s: Any, seat: Int, out: Any) -> Int:
    """Fold when there is a raise to answer; call (or check); raise while the round allows it."""
    n = 0
    if s.staked[seat] < s.staked[1 - seat]:
        out[0] = FOLD
        n = 1
    out[n] = CALL
    n += 1
    if s.raises < MOST_RAISES:
        out[n] = RAISE
        n += 1
    return n


@kernel
def apply(s: Any, seat: Int, action: Int, log: Any) -> None:
    """Fold, call or raise; a call that is not the round's first decision ends the round."""
    s.turn += 1
    if action == FOLD:
        s.folded = 1 << seat
        finish(s)
        return
    s.staked[seat] = s.staked[1 - seat]
    s.answered += 1
    if action == RAISE:
        s.staked[seat] += 2 if s.board == 0 else 4
        s.raises += 1
        s.acting ^= 3
    elif s.answered == 1:
        s.acting ^= 3
    elif s.board == 0:
        s.board = s.deck[2]
        s.raises = 0
        s.answered = 0
        s.acting = 1
    else:
        for i in range(2):
            s.shown[i] = s.hand[i]
        finish(s)


@kernel
def default(s: Any, seat: Int) -> Int:
    """Check where that is free, else fold."""
    return FOLD if s.staked[seat] < s.staked[1 - seat] else CALL


@kernel
def resample(s: Any, seat: Int, random: Any) -> None:
    """The cards that the viewer has not seen, in any order."""
    for i in range(2):
        s.deck[i] = s.hand[i] if i == seat else s.shown[i]
    s.deck[2] = s.board
    deal_unknown(s.deck, random)
    for i in range(2):
        s.hand[i] = s.deck[i]


@kernel
def strength(card: Int, board: Int) -> Int:
    """A pair with the board beats any rank; suits do not count."""
    rank = (int(card) - 1) // 2
    return rank + 3 if rank == (int(board) - 1) // 2 else rank


@kernel
def outcome(s: Any, scores: Any, places: Any) -> None:
    """What is won or lost: the other's stake for the stronger hand, or for not having folded; 0 for equal hands."""
    if s.folded != 0:
        better = 1 if s.folded == 2 else -1
    else:
        better = strength(s.hand[0], s.board) - strength(s.hand[1], s.board)
    won = 0
    if better > 0:
        won = int(s.staked[1])
    elif better < 0:
        won = -int(s.staked[0])
    settle(won, scores, places)


GAME = Game(
    name="leduc_holdem", title="Leduc hold'em", version="1", seats=range(2, 3),
    options=Options, rules=sys.modules[__name__],
    notation=Words("fold", "call", "raise"),
)  # fmt: skip
