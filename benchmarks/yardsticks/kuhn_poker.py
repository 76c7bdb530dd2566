# mypy: disable-error-code="no-untyped-def,no-untyped-call"
"""Kuhn poker (Kuhn 1950): three cards, one each, an ante of 1 and at most one bet of 1."""

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

CARDS = 3
STREAMS = ("deal",)
DEAL = 0
PASS, BET = 0, 1
STATE = record(
    2,
    STREAMS,
    deck=secret(np.int8, CARDS),  # the first two cards are the hands, 1 to 3
    hand=owned(np.int8, 2),
    shown=public(np.int8, 2),  # the hands after a showdown, else 0
    staked=public(np.int8, 2),
)
ACTIONS = actions(decline=family(), bet=family())
EVENTS = events(1)


@kernel
def setup(s: Any, log: Any) -> None:
    """Ante and deal; seat 0 begins."""
    for i in range(CARDS):
        s.deck[i] = i + 1
    chance.sample(s, log, DEAL, s.deck, CARDS, 2)
    for i in range(2):
        s.hand[i] = s.deck[i]
        s.staked[i] = 1
    s.acting = 1


@kernel
def legal(s: Any, seat: Int, out: Any) -> Int:
    """Both actions, always: after a bet, pass means fold and bet means call."""
    out[0] = PASS
    out[1] = BET
    return 2


@kernel
def apply(s: Any, seat: Int, action: Int, log: Any) -> None:
    """Pass or bet; the game ends with two passes, a fold or a call."""
    s.staked[seat] += action
    s.turn += 1
    s.acting ^= 3
    level = s.staked[0] == s.staked[1]
    if s.turn >= 2 and (level or action == PASS):
        if level:
            for i in range(2):
                s.shown[i] = s.hand[i]
        finish(s)


@kernel
def default(s: Any, seat: Int) -> Int:
    """Pass."""
    return PASS


@kernel
def resample(s: Any, seat: Int, random: Any) -> None:
    """The cards that the viewer has not seen, in any order."""
    for i in range(2):
        s.deck[i] = s.hand[i] if i == seat else s.shown[i]
    deal_unknown(s.deck, random)
    for i in range(2):
        s.hand[i] = s.deck[i]


@kernel
def outcome(s: Any, scores: Any, places: Any) -> None:
    """What is won or lost: the other's stake for the higher card, or for not having folded."""
    better = int(s.hand[0]) - int(s.hand[1]) if s.staked[0] == s.staked[1] else int(s.staked[0]) - int(s.staked[1])
    if better > 0:
        settle(int(s.staked[1]), scores, places)
    else:
        settle(-int(s.staked[0]), scores, places)


GAME = Game(
    name="kuhn_poker", title="Kuhn poker", version="1", seats=range(2, 3),
    options=Options, rules=sys.modules[__name__], notation=Words("pass", "bet"),
)  # fmt: skip
