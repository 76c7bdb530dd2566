"""Small games with known answers, for the tests of bots, lab and ladder."""

from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
from numpy import int8

from backroom.engine import rng
from backroom.engine.actions import actions, family
from backroom.engine.chance import pick, shuffle
from backroom.engine.events import event, events
from backroom.engine.game import CAPPED, FINISHED, Game, Persona, rank_seats
from backroom.engine.kernel import kernel
from backroom.engine.options import Options, switch
from backroom.engine.record import owned, public, record, secret

EVENTS = events(quiet=event())


def game(
    name: str,
    state: Any,
    options: Any,
    moves: Any,
    rules: dict[str, Any],
    hints: dict[str, Any],
    streams: tuple[str, ...],
    **more: Any,
) -> Game:
    return Game(
        name=name, title=name, version="1", options=options, notation=None, hints=SimpleNamespace(**hints),
        rules=SimpleNamespace(STATE=state, STREAMS=streams, ACTIONS=moves, EVENTS=EVENTS, **rules), **more,
    )  # fmt: skip


# Matching pennies: seat 0 wants equal sides, seat 1 different ones. Equal heads win with probability weight / 4 only:
# with 4 both play heads half of the time, with 2 two thirds of it.


class PenniesOptions(Options):
    weight: int = switch(4, ge=0, le=4, description="heads that are equal win with probability weight / 4")


PENNIES = record(
    seats=2,
    streams=("coin",),
    chosen=owned(int8, 2),
    winner=public(int8),
    shown=public(int8, 2),
    **PenniesOptions.fields(),
)


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
def pennies_sealed(s):
    return 3 & ~s.acting if s.over == 0 else 0


@kernel
def pennies_outcome(s, scores, places):
    for seat in range(2):
        scores[seat] = 1 if s.winner == seat else 0
    rank_seats(s, scores, places)


PENNIES_GAME = game(
    "pennies", PENNIES, PenniesOptions, actions(side=family(2)),
    {
        "setup": pennies_setup, "legal": pennies_legal, "apply": pennies_apply, "default": pennies_default,
        "resample": pennies_resample, "outcome": pennies_outcome,
    }, {"sealed": pennies_sealed},
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
    rank_seats(s, scores, places)


KUHN_GAME = game(
    "kuhn", KUHN, Options, actions(choice=family(2)),
    {
        "setup": kuhn_setup, "legal": kuhn_legal, "apply": kuhn_apply, "default": kuhn_default,
        "resample": kuhn_resample, "outcome": kuhn_outcome,
    }, {},
    seats=range(2, 3), streams=("deal", "lottery"),
)  # fmt: skip


# Lots: seats in turn draw a lot or wait. A lot lets its drawer win (0), all win (1), the next seat win (2), or
# nothing happens (3). ``max_actions`` caps the game; ``only_wait`` makes it endless without one.


class LotsOptions(Options):
    max_actions: int | None = switch(None, ge=1, le=1_000_000, description="actions after which the game is capped")
    only_wait: bool = switch(False, description="nobody may draw a lot")

    presets: ClassVar[dict[str, dict[str, Any]]] = {"short": {"max_actions": 3}}

    @classmethod
    def simulation_defaults(cls, seats: int) -> dict[str, Any]:
        return {"max_actions": 10 * seats}


LOTS = record(
    seats=4,
    streams=("lot",),
    **LotsOptions.fields(),
    winner=public(int8),
    played=public(np.int32),
)
EVERYBODY_WINS = 9


@kernel
def lots_setup(s, log):
    s.rotation = 0
    s.acting = 1


@kernel
def lots_legal(s, seat, out):
    out[0] = 0
    out[1] = 1
    return 1 if s.only_wait else 2


@kernel
def lots_apply(s, seat, action, log):
    s.turn = s.turn + 1
    s.played = s.played + 1
    following = (seat + 1) % s.seats
    s.acting = 1 << following
    lot = pick(s, log, 0, 4) if action else 3
    if lot < 3:
        s.winner = seat if lot == 0 else (EVERYBODY_WINS if lot == 1 else following)
        s.acting = 0
        s.over = FINISHED
    elif s.max_actions >= 0 and s.played >= s.max_actions:
        s.acting = 0
        s.over = CAPPED


@kernel
def lots_default(s, seat):
    return 0


@kernel
def lots_resample(s, seat, random):
    pass


@kernel
def lots_outcome(s, scores, places):
    for seat in range(s.seats):
        scores[seat] = 1 if s.winner == seat or s.winner == EVERYBODY_WINS else 0
    rank_seats(s, scores, places)


LOTS_GAME = game(
    "lots", LOTS, LotsOptions, actions(draw=family(2)),
    {
        "setup": lots_setup, "legal": lots_legal, "apply": lots_apply, "default": lots_default,
        "resample": lots_resample, "outcome": lots_outcome,
    }, {},
    seats=range(2, 5), streams=("lot",),
)  # fmt: skip


# Squares: each seat once names a column, then a row, as one move; the higher worth wins, and a hidden bonus on one
# column (never known to anybody) makes hidden things matter. ``evaluate`` is the worth of what a seat has named.

SIDE = 20


class SquaresOptions(Options):
    side: int = switch(4, ge=1, le=SIDE, description="columns and rows")


SQUARES = record(
    seats=2,
    streams=("bonus",),
    **SquaresOptions.fields(),
    column=public(int8, 2),
    worth=public(np.int32, 2),
    bonus=secret(int8),
)
MOVES = actions(column=family(SIDE), row=family(SIDE))


@kernel
def squares_setup(s, log):
    s.rotation = 0
    s.acting = 1
    s.bonus = pick(s, log, 0, s.side)


@kernel
def squares_legal(s, seat, out):
    first = SIDE if s.midmove else 0
    for i in range(s.side):
        out[i] = first + i
    return s.side


@kernel
def squares_apply(s, seat, action, log):
    if action < SIDE:
        s.column[seat] = action
        s.midmove = 1 << seat
        return
    s.midmove = 0
    row = action - SIDE
    s.worth[seat] = (s.column[seat] * 7 + row * 3) % 17 + (1 if s.column[seat] == s.bonus else 0)
    s.turn = s.turn + 1
    s.acting = 0 if seat else 2
    s.over = FINISHED if seat else 0


@kernel
def squares_default(s, seat):
    return SIDE if s.midmove else 0


@kernel
def squares_resample(s, seat, random):
    s.bonus = rng.below(random, s.side)


@kernel
def squares_outcome(s, scores, places):
    for seat in range(2):
        scores[seat] = s.worth[seat]
    rank_seats(s, scores, places)


@kernel
def squares_evaluate(s, seat):
    return s.worth[seat] / 20.0


@kernel
def squares_cautious(s, seat, legal, n, random):
    return np.int64(legal[0])


SQUARES_GAME = game(
    "squares", SQUARES, SquaresOptions, MOVES,
    {
        "setup": squares_setup, "legal": squares_legal, "apply": squares_apply, "default": squares_default,
        "resample": squares_resample, "outcome": squares_outcome,
    }, {"evaluate": squares_evaluate, "PERSONAS": {"cautious": Persona(lambda _: squares_cautious)}},
    seats=range(2, 3), streams=("bonus",),
)  # fmt: skip
