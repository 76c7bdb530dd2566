# mypy: disable-error-code="no-untyped-def,no-untyped-call"
"""Connect four: 7 columns, 6 rows. Stones are bits, 7 a column with the topmost never set, so that a line found by
shifting cannot run from one column into the next."""

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

COLUMNS, ROWS = 7, 6
STATE = record(2, stones=public(np.int64, 2), height=public(np.int8, COLUMNS))
ACTIONS = actions(drop=family(COLUMNS))
EVENTS = events(1)
STREAMS = ()


@kernel
def has_line(stones: Int) -> bool:
    """Whether a set of stones holds four in a row: upright, along either diagonal, or level."""
    found = 0
    for step in (1, ROWS, ROWS + 1, ROWS + 2):
        pairs = stones & stones >> step
        found |= pairs & pairs >> 2 * step
    return found != 0


@kernel
def setup(s: Any, log: Any) -> None:
    """Seat 0 begins on an empty board."""
    s.acting = 1


@kernel
def legal(s: Any, seat: Int, out: Any) -> Int:
    """The columns that are not full."""
    n = 0
    for column in range(COLUMNS):
        out[n] = column
        n += s.height[column] < ROWS
    return n


@kernel
def apply(s: Any, seat: Int, action: Int, log: Any) -> None:
    """Drop a stone; four in a row win, a full board without them is a draw."""
    own = int(s.stones[seat]) | 1 << (action * (ROWS + 1) + int(s.height[action]))
    s.stones[seat] = own
    s.height[action] += 1
    s.turn += 1
    s.acting ^= 3
    if has_line(own) or s.turn == COLUMNS * ROWS:
        finish(s)


@kernel
def default(s: Any, seat: Int) -> Int:
    """The first column that is not full."""
    column = 0
    while s.height[column] == ROWS:
        column += 1
    return column


@kernel
def resample(s: Any, seat: Int, random: Any) -> None:
    """Nothing is hidden."""


@kernel
def outcome(s: Any, scores: Any, places: Any) -> None:
    """1 for four in a row, -1 for the other seat; 0 for a draw."""
    settle(int(has_line(int(s.stones[0]))) - int(has_line(int(s.stones[1]))), scores, places)


GAME = Game(
    name="connect_four", title="Connect four", version="1", seats=range(2, 3), options=Options,
    rules=sys.modules[__name__], notation=Words(*"abcdefg"),
)  # fmt: skip
