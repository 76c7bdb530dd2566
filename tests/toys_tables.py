# mypy: disable-error-code="no-untyped-def,no-untyped-call"
"""Lockbox, a toy with everything that decides whether a move may be taken back: open moves, chance, and a secret.

A seat's turn goes on until it says ``end``. ``take 1`` and ``take 2`` are open to all; ``peek`` shows the box to the
seat alone; ``flip`` uses a coin. The game is over when the pile is empty; most stones win.
"""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from backroom.engine import rng
from backroom.engine.actions import actions, family
from backroom.engine.chance import pick
from backroom.engine.events import Event, emit, event, events
from backroom.engine.game import FINISHED, Game, Refusal, rank_seats
from backroom.engine.kernel import kernel
from backroom.engine.notation import Line, Thing, Token, deed, player
from backroom.engine.options import Options
from backroom.engine.record import ALL_KNOWING, Viewer, owned, public, record, secret

SEATS = 3
STREAMS = ("box", "coin")
STATE = record(
    SEATS,
    STREAMS,
    box=secret(np.int32),
    peeked=owned(np.int32, SEATS),
    looked=public(np.int32, SEATS),
    pile=public(np.int32),
    coin=public(np.int32),
    stones=public(np.int32, SEATS),
)
ACTIONS = actions(take=family(2), peek=family(), flip=family(), end=family())
EVENTS = events(took=event("count"), peeked=event("box", private=("box",)), flipped=event("coin"), ended=event())
TAKE, PEEK, FLIP, END = ACTIONS.take.first, ACTIONS.peek.first, ACTIONS.flip.first, ACTIONS.end.first
TOOK, PEEKED, FLIPPED, ENDED = (EVENTS.number(name) for name in ("took", "peeked", "flipped", "ended"))
PILE = 9
FIRST = 1_234_567_000
"""The smallest number in the box: seven digits that show wherever the secret does."""


@kernel
def setup(s, log):
    s.box = FIRST + pick(s, log, 0, 1000)
    s.pile = PILE
    if s.rotation < 0:
        s.rotation = 0
    s.acting = 1


@kernel
def legal(s, seat, out):
    n = 0
    for count in range(1, 3):
        if s.pile >= count:
            out[n] = TAKE + count - 1
            n += 1
    if s.looked[seat] == 0:
        out[n] = PEEK
        n += 1
    out[n] = FLIP
    out[n + 1] = END
    return n + 2


@kernel
def apply(s, seat, action, log):
    if action < PEEK:
        s.pile = s.pile - (action - TAKE + 1)
        s.stones[seat] = s.stones[seat] + action - TAKE + 1
        emit(log, TOOK, seat, -1, action - TAKE + 1)
        if s.pile == 0:
            s.over = FINISHED
            s.acting = 0
    elif action == PEEK:
        s.peeked[seat] = s.box
        s.looked[seat] = 1
        emit(log, PEEKED, seat, 1 << seat, s.box)
    elif action == FLIP:
        s.coin = pick(s, log, 1, 2)
        emit(log, FLIPPED, seat, -1, s.coin)
    else:
        s.acting = 1 << ((seat + 1) % s.seats)
        s.turn = s.turn + 1
        emit(log, ENDED, seat)


@kernel
def ahead(s, seat):
    s.acting = 1 << seat
    return 0 if s.over else 1


@kernel
def default(s, seat):
    return END


@kernel
def resample(s, seat, random):
    if seat >= 0 and s.looked[seat] == 1:
        s.box = s.peeked[seat]
    else:
        s.box = FIRST + rng.below(random, 1000)
    for other in range(s.seats):
        if s.looked[other] == 1:
            s.peeked[other] = s.box


@kernel
def outcome(s, scores, places):
    for seat in range(s.seats):
        scores[seat] = s.stones[seat]
    rank_seats(s, scores, places)


class LockboxOptions(Options):
    """No switches."""


WORDS = {"take 1": TAKE, "take 2": TAKE + 1, "peek": PEEK, "flip": FLIP, "end": END}


def parse_move(game: Game, view: Any, seat: int, text: str, names: Sequence[str]) -> list[int]:
    action = WORDS.get(" ".join(text.lower().split()))
    if action is None:
        raise Refusal("E_SYNTAX", f"cannot read {text[:40]!r}; a move is one of {', '.join(WORDS)}")
    return [action]


def move_tokens(view: Any, seat: int, action: int, names: Sequence[str]) -> tuple[Token, ...]:
    text = next(text for text, number in WORDS.items() if number == action)
    verb, _, count = text.partition(" ")
    return (Token(verb, "verb", verb), Token(count, "count", count)) if count else (Token(verb, "verb", verb),)


def describe(event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
    who = player(event.seat, names)
    if event.kind == "peeked":
        box = event.args["box"]
        return deed(who, ("looks into the box",), (f": {box}." if box is not None else ".",), "L2")
    if event.kind == "took":
        return deed(who, ("takes ", Thing("stone", "", str(event.args["count"]))), rule="L1")
    return deed(who, (event.kind,), rule="L3")


def preview(game: Game, view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
    words = " ".join(token.text for action in actions for token in move_tokens(view, seat, action, names))
    return f"{words}, with {int(view.pile)} in the pile"


def question(view: Any, seat: int) -> str:
    return "turn" if int(view.acting) >> seat & 1 else ""


def position(state: Any, names: Sequence[str], viewer: Viewer) -> str:
    hidden = "?" if viewer is not ALL_KNOWING else int(state.box)
    return f"pile {int(state.pile)} | box {hidden} | " + " ".join(
        f"{name}:{int(state.stones[seat])}" for seat, name in enumerate(names)
    )


GAME = Game(
    name="lockbox",
    title="Lockbox",
    version="1",
    seats=range(2, SEATS + 1),
    options=LockboxOptions,
    rules=sys.modules[__name__],
    notation=sys.modules[__name__],
)
