"""Small games with known answers, for the tests of bots, lab and ladder."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from backroom.engine import rng
from backroom.engine.actions import actions, family
from backroom.engine.chance import pick, shuffle
from backroom.engine.events import event, events
from backroom.engine.game import CAPPED, FINISHED, Game, Options
from backroom.engine.kernel import kernel
from backroom.engine.record import owned, public, record, secret
from numpy import int8

EVENTS = events(quiet=event())


def game(
    name: str, state: Any, options: Any, moves: Any, rules: dict[str, Any], hints: dict[str, Any], **more: Any
) -> Game:
    return Game(
        name=name, title=name, version="1", state=state, options=options, actions=moves, events=EVENTS,
        rules=SimpleNamespace(**rules), notation=None, hints=SimpleNamespace(**hints), **more,
    )  # fmt: skip


# Matching pennies, best of several rounds: seat 0 wants equal sides, seat 1 different ones. Heads count double for
# seat 0 (``bonus``) in an uneven version, whose equilibrium is not one half.

PENNIES = record(
    seats=2,
    streams=("coin",),
    chosen=owned(int8, 2),
    winner=public(int8),
    shown=public(int8, 2),
    weight=public(int8),
)


class PenniesOptions(Options):
    weight: int = 2
    """Quarters of a win that a match on heads is worth to seat 0: 4 is the even game."""



@kernel
def pennies_setup(s, log):
    s.rotation = 0
    s.acting = 3
    s.shown[:] = -1


@kernel
def pennies_legal(s, seat, out):
    out[0] = 0
    out[1] = 1
    return 2


@kernel
def pennies_apply(s, seat, action, log):
    s.chosen[seat] = action
    s.acting = s.acting & ~(1 << seat)
    if s.acting == 0:
        for i in range(2):
            s.shown[i] = s.chosen[i]
        # A match on heads is won with probability weight / 4 only.
        if s.shown[0] == s.shown[1]:
            s.winner = 0 if s.shown[0] == 1 or pick(s, log, 0, 4) < s.weight else 1
        else:
            s.winner = 1
        s.turn = s.turn + 1
        s.over = FINISHED


@kernel
def pennies_default(s, seat):
    return 0


@kernel
def pennies_resample(s, seat, random):
    for other in range(2):
        if other != seat and s.acting >> other & 1 == 0:
            s.chosen[other] = rng.below(random, 2)


@kernel
def pennies_outcome(s, scores, places):
    for seat in range(2):
        scores[seat] = 1 if s.winner == seat else 0
        places[seat] = 2 - scores[seat]


PENNIES_GAME = game(
    "pennies", PENNIES, PenniesOptions, actions(side=family(2)),
    dict(
        setup=pennies_setup, legal=pennies_legal, apply=pennies_apply, default=pennies_default,
        resample=pennies_resample, outcome=pennies_outcome,
    ), {},
    seats=range(2, 3), streams=("coin",),
)  # fmt: skip


# Kuhn poker (H. W. Kuhn, 1950): three cards, one each, ante 1, one bet of 1. Stakes become win shares by a lottery at
# the end: a seat that is x chips ahead wins with probability 1/2 + x/4. First seat's value: 1/2 - 1/72.

KUHN = record(
    seats=2,
    streams=("deal", "lottery"),
    card=owned(int8, 2),
    line=public(int8),
    shown=public(int8, 2),
    winner=public(int8),
)
# The betting so far, in ``line``: nothing, check, bet, check and bet.
NOTHING, CHECKED, BET, CHECKED_BET = range(4)


@kernel
def kuhn_setup(s, log):
    cards = np.arange(3).astype(np.int64)
    shuffle(s, log, 0, cards, 3)
    for seat in range(2):
        s.card[seat] = cards[seat] + 1
        s.shown[seat] = 0
    s.rotation = 0
    s.acting = 1


@kernel
def kuhn_legal(s, seat, out):
    # 0: check or fold, 1: bet or call.
    out[0] = 0
    out[1] = 1
    return 2


@kernel
def kuhn_end(s, log, chips):
    # ``chips``: how many the first seat is ahead.
    s.winner = 0 if pick(s, log, 1, 4) < 2 + chips else 1
    s.acting = 0
    s.over = FINISHED


@kernel
def kuhn_apply(s, seat, action, log):
    s.turn = s.turn + 1
    ahead = 1 if s.card[0] > s.card[1] else -1
    if s.line == NOTHING:
        s.line = BET if action else CHECKED
        s.acting = 2
    elif s.line == CHECKED and action:
        s.line = CHECKED_BET
        s.acting = 1
    elif s.line == CHECKED:
        kuhn_end(s, log, ahead)
    elif action:
        kuhn_end(s, log, 2 * ahead)
    else:
        kuhn_end(s, log, -1 if seat == 0 else 1)


@kernel
def kuhn_default(s, seat):
    return 0


@kernel
def kuhn_resample(s, seat, random):
    if seat < 0:
        s.card[0] = 1 + rng.below(random, 3)
        seat = 0
    other = 1 + rng.below(random, 2)
    s.card[1 - seat] = other if other < s.card[seat] else other + 1


@kernel
def kuhn_outcome(s, scores, places):
    for seat in range(2):
        scores[seat] = 1 if s.winner == seat else 0
        places[seat] = 2 - scores[seat]


KUHN_GAME = game(
    "kuhn", KUHN, Options, actions(choice=family(2)),
    dict(
        setup=kuhn_setup, legal=kuhn_legal, apply=kuhn_apply, default=kuhn_default,
        resample=kuhn_resample, outcome=kuhn_outcome,
    ), {},
    seats=range(2, 3), streams=("deal", "lottery"),
)  # fmt: skip
