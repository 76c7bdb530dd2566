"""The rules of Dark Sources, in the order of the specification (part D of the Change! games).

A card is its value; 0 stands for a value that does not show. Nobody may look at a face-down card, so the true values
are a secret field whose public twin says what shows.
"""

from itertools import permutations
from typing import Any

import numpy as np

from backroom.engine import chance, rng
from backroom.engine.actions import actions, family
from backroom.engine.events import attach, emit, event, events
from backroom.engine.game import FINISHED, rank_seats
from backroom.engine.kernel import Int, kernel, natural
from backroom.engine.record import public, record, secret
from backroom.games.dark_sources.options import DarkSourcesOptions

__all__ = ["ACTIONS", "EVENTS", "ORDERS", "SEATS", "SLOTS", "STATE", "STREAMS", "VALUES"]

SEATS, SLOTS = 10, 5
VALUES = (1, 3, 5, 7, 10)
ROW_ORDERS = np.array(list(permutations(VALUES)), np.int8)
"""The ways to lay out five different cards, lexicographically from 1 3 5 7 10; shape (ORDERS, SLOTS)."""
ORDERS = len(ROW_ORDERS)

ASCENDING, SHUFFLED, CHOSEN = DarkSourcesOptions.codes("row")
PLAY, NOTES, OPEN = DarkSourcesOptions.codes("memory")

STREAMS = ("owner", "rows")
OWNER, ROWS = 0, 1

STATE = record(
    SEATS,
    STREAMS,
    value=secret(np.int8, SEATS, SLOTS),  # every card on the table
    shown=public(np.int8, SEATS, SLOTS, most=VALUES[-1]),  # what shows of it: the value, or 0
    down=public(np.int8, SEATS, SLOTS, most=1),  # 1 for a card lying face down
    laid=public(np.int8, SEATS, most=1),  # 1 for a row that is laid out
    up=public(np.int8, most=SEATS * SLOTS),  # face-up cards left
    stalled=public(np.int32, least=0),  # swaps in a row that turned no card, counted where a limit needs it (D7)
    # the last swap: mover, his slot, the other seat, that slot; seats from 1, 0 for none
    swapped=public(np.int8, 4, most=(SEATS, SLOTS - 1, SEATS, SLOTS - 1)),
    known=public(np.int8, 2, most=VALUES[-1]),  # the values of its two cards where they showed before it, mover's first
    **DarkSourcesOptions.fields(),
)

ACTIONS = actions(swap=family(SEATS, SLOTS, SLOTS), row=family(ORDERS))

EVENTS = events(
    12,
    laid=event(listed="cards"),
    swapped=event("slot", "other", "other_slot", listed="cards"),
    ended=event(listed="totals"),
)
LAID, SWAPPED, ENDED = (EVENTS.number(kind) for kind in ("laid", "swapped", "ended"))

swap_action, swap_parts = ACTIONS.swap.encode, ACTIONS.swap.decode
row_action, row_order = ACTIONS.row.encode, ACTIONS.row.decode
ROW_FIRST = ACTIONS.row.first


# D-4: set-up


@kernel
def setup(s: Any, log: Any) -> None:
    """Rows are laid out, ascending or shuffled or as each player likes, the owner first; then the owner moves."""
    if s.rotation < 0:
        s.rotation = chance.pick(s, log, OWNER, np.int64(s.seats))
    s.turn = 1
    s.acting = 1
    if s.row == CHOSEN:
        return
    for p in range(s.seats):
        order = 0
        if s.row == SHUFFLED:
            order = chance.pick(s, log, ROWS, ORDERS)
        lay_row(s, p, order, log)


@kernel
def ascending(k: Int) -> Int:
    """The k-th lowest of the five cards."""
    return 10 if k == 4 else 2 * k + 1


@kernel
def lay_row(s: Any, p: Int, order: Int, log: Any) -> None:
    """Lay p's five cards face up; ``order`` is a row of ROW_ORDERS."""
    emit(log, LAID, p)
    for slot in range(SLOTS):
        card = ROW_ORDERS[order, slot]
        s.value[p, slot] = card
        s.shown[p, slot] = card
        if log.recording:
            attach(log, card)
    s.laid[p] = 1
    s.up += SLOTS


# D1-D4: turns and swaps


@kernel
def legal(s: Any, seat: Int, out: Any) -> Int:
    if s.laid[seat] == 0:
        for order in range(ORDERS):
            out[order] = row_action(order)
        return ORDERS
    n = 0
    if is_stalled(s):
        for other in range(s.seats):
            if other != seat:
                for mine in range(SLOTS):
                    for theirs in range(SLOTS):
                        if turns_a_card(s, seat, mine, other, theirs):
                            out[n] = swap_action(other, mine, theirs)
                            n += 1
        return n
    # Any card of the seat for any of the others', whose numbers follow each other: loops of one length are quickest.
    for other in range(s.seats):
        if other != seat:
            first = swap_action(other, 0, 0)
            for i in range(SLOTS * SLOTS):
                out[n + i] = first + i
            n = natural(n + SLOTS * SLOTS)
    return n


@kernel
def apply(s: Any, seat: Int, action: Int, log: Any) -> None:
    if action >= ROW_FIRST:
        lay_row(s, seat, row_order(action), log)
    else:
        other, mine, theirs = swap_parts(action)
        swap(s, seat, mine, other, theirs, log)
        if s.up == 0:
            end(s, log)
            return
    s.turn += 1
    # The seat on the left, without a division.
    left = np.int64(seat) + 1
    s.acting = 1 << (left if left < s.seats else np.int64(0))


@kernel
def ahead(s: Any, seat: Int) -> Int:
    """The seat's turn: its row or, when all rows are laid, its swap. In between the rows of others are not known."""
    for p in range(s.seats):
        if s.over != 0 or s.laid[p] < s.laid[seat]:
            return 0
    s.acting = 1 << np.int64(seat)
    return 1


@kernel
def swap(s: Any, seat: Int, mine: Int, other: Int, theirs: Int, log: Any) -> None:
    """Each card takes the other's slot (D2); both end face down, a face-down card is not shown (D3)."""
    # Read before anything is written, and multiplied rather than asked: which cards are up is nothing to guess.
    given, taken = s.value[seat, mine], s.value[other, theirs]
    given_up, taken_up = np.int64(1 - s.down[seat, mine]), np.int64(1 - s.down[other, theirs])
    given_shown, taken_shown = s.shown[seat, mine], s.shown[other, theirs]
    s.swapped[0], s.swapped[1] = seat + 1, mine
    s.swapped[2], s.swapped[3] = other + 1, theirs
    s.known[0], s.known[1] = given_shown, taken_shown
    if log.recording:
        emit(log, SWAPPED, seat, -1, mine, other, theirs)
        attach(log, given_shown)
        attach(log, taken_shown)
    turned = given_up + taken_up
    # Without a limit nobody is told how the swaps before the last one went, so they are not counted (D9).
    s.stalled = np.int64((s.stall_limit > 0) & (turned == 0)) * (np.int64(s.stalled) + 1)
    s.up -= turned
    s.value[seat, mine], s.value[other, theirs] = taken, given
    s.down[seat, mine], s.down[other, theirs] = 1, 1
    s.shown[seat, mine] = taken if s.memory == OPEN else 0
    s.shown[other, theirs] = given if s.memory == OPEN else 0


# D6: the end


@kernel
def total(s: Any, p: Int) -> Int:
    """The sum of the five cards before p, whoever brought them."""
    points = 0
    for slot in range(SLOTS):
        points += s.value[p, slot]
    return points


@kernel
def end(s: Any, log: Any) -> None:
    """No card is face up any more: all cards are shown and each row is added up."""
    s.over = FINISHED
    s.acting = 0
    emit(log, ENDED, -1)
    for p in range(SEATS):
        for slot in range(SLOTS):
            s.shown[p, slot] = s.value[p, slot]
    if log.recording:
        for p in range(s.seats):
            attach(log, total(s, p))


@kernel
def outcome(s: Any, scores: Any, places: Any) -> None:
    """Totals; equal totals share a place."""
    for p in range(s.seats):
        scores[p] = total(s, p)
    rank_seats(s, scores, places)


# D7: the stall guard


@kernel
def is_stalled(s: Any) -> bool:
    """Whether so many swaps in a row turned no card that the next one must."""
    return s.stall_limit > 0 and s.stalled >= s.stall_limit


@kernel
def turns_a_card(s: Any, seat: Int, mine: Int, other: Int, theirs: Int) -> bool:
    return s.down[seat, mine] == 0 or s.down[other, theirs] == 0


# For programs


@kernel
def default(s: Any, seat: Int) -> Int:
    """A seat that does not answer lays its row ascending, and swaps so that a card is turned: the end comes nearer.

    It gives the lowest card that shows for the highest, so that being away is no gift to a rival.
    """
    if s.laid[seat] == 0:
        return row_action(0)
    best, action = -100, -1
    for other in range(s.seats):
        if other != seat:
            for mine in range(SLOTS):
                for theirs in range(SLOTS):
                    if turns_a_card(s, seat, mine, other, theirs):
                        gain = np.int64(s.shown[other, theirs]) - s.shown[seat, mine]
                        if gain > best:
                            best, action = gain, swap_action(other, mine, theirs)
    return action


@kernel
def resample(s: Any, seat: Int, random: Any) -> None:
    """Fill the face-down cards from the cards that do not show, all ways alike.

    What the last swap showed is kept, and so is any value already there: a bot writes into its own view what it
    remembers.
    """
    if s.swapped[0] > 0:
        if s.known[0] > 0:
            s.value[s.swapped[2] - 1, s.swapped[3]] = s.known[0]
        if s.known[1] > 0:
            s.value[s.swapped[0] - 1, s.swapped[1]] = s.known[1]
    for k in range(SLOTS):
        left = 0
        for p in range(s.seats):
            left += s.laid[p]
        for p in range(s.seats):
            for slot in range(SLOTS):
                if s.shown[p, slot] > 0:
                    s.value[p, slot] = s.shown[p, slot]
                if s.value[p, slot] == ascending(k):
                    left -= 1
        deal_unknown(s, ascending(k), left, random)


@kernel
def deal_unknown(s: Any, card: Int, count: Int, random: Any) -> None:
    """Put ``count`` cards of one value on uniformly chosen slots that have no card yet."""
    open_slots = 0
    for p in range(s.seats):
        for slot in range(SLOTS):
            if s.laid[p] and s.value[p, slot] == 0:
                open_slots += 1
    for p in range(s.seats):
        for slot in range(SLOTS):
            if s.laid[p] and s.value[p, slot] == 0:
                if rng.below(random, open_slots) < count:
                    s.value[p, slot] = card
                    count -= 1
                open_slots -= 1
