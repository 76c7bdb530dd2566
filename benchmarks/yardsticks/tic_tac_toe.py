# mypy: disable-error-code="no-untyped-def,no-untyped-call"
"""Tic-tac-toe. Cells are numbered row by row, 0 to 8; a position is one set of bits a seat."""

import sys
from typing import Any

import numpy as np

from backroom.engine.actions import actions, family
from backroom.engine.events import events
from backroom.engine.game import Game
from backroom.engine.kernel import Int, kernel
from backroom.engine.options import Options
from backroom.engine.record import public, record
from benchmarks.yardsticks.two_seats import Words, finish, settle

STATE = record(2, stones=public(np.int16, 2))
ACTIONS = actions(mark=family(9))
EVENTS = events(1)
STREAMS = ()
FULL = 0b111_111_111
LINES = (0b111, 0b111_000, 0b111_000_000, 0b1_001_001, 0b10_010_010, 0b100_100_100, 0b100_010_001, 0b1_010_100)
WINS = np.array([any(cells & line == line for line in LINES) for cells in range(FULL + 1)])
"""For each set of cells: whether it holds a line."""


@kernel
def setup(s: Any, log: Any) -> None:
    """Seat 0 begins on an empty board."""
    s.acting = 1


@kernel
def legal(s: Any, seat: Int, out: Any) -> Int:
    """The empty cells."""
    empty = FULL & ~(int(s.stones[0]) | int(s.stones[1]))
    n = 0
    for cell in range(9):
        out[n] = cell
        n += empty >> cell & 1
    return n


@kernel
def apply(s: Any, seat: Int, action: Int, log: Any) -> None:
    """Mark a cell; three in a line win, a full board without one is a draw."""
    own = int(s.stones[seat]) | 1 << action
    s.stones[seat] = own
    s.turn += 1
    s.acting ^= 3
    if WINS[own] or s.turn == 9:
        finish(s)


@kernel
def default(s: Any, seat: Int) -> Int:
    """The first empty cell."""
    taken = int(s.stones[0]) | int(s.stones[1])
    cell = 0
    while taken >> cell & 1:
        cell += 1
    return cell


@kernel
def resample(s: Any, seat: Int, random: Any) -> None:
    """Nothing is hidden."""


@kernel
def outcome(s: Any, scores: Any, places: Any) -> None:
    """1 for a line, -1 for the other seat; 0 for a draw."""
    settle(int(WINS[s.stones[0]]) - int(WINS[s.stones[1]]), scores, places)


GAME = Game(
    name="tic_tac_toe", title="Tic-tac-toe", version="1", seats=range(2, 3), options=Options,
    rules=sys.modules[__name__], notation=Words(*"123456789"),
)  # fmt: skip
