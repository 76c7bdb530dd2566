"""The rules of Court of the Medici and of Fringe Powers, in the order of the specification.

The court is one row of cards, stack after stack, each bottom to top; stacks stand in the order of their ids. Seat and
house are the same number. A move is a few actions: the card with its use, the stack, the target, the noble singled
out, the Jesters' values, and ``done`` where it might still go on.
"""

from typing import Any

import numpy as np

from backroom.engine import chance, rng
from backroom.engine.actions import actions, family
from backroom.engine.events import attach, emit, event, events
from backroom.engine.game import CAPPED, FINISHED
from backroom.engine.kernel import Int, kernel
from backroom.engine.record import owned, public, record, secret
from backroom.games.medici.cards import (
    BASE_COPIES,
    BODYGUARD,
    FRINGE_COPIES,
    INFLUENCE,
    JESTER,
    LADY,
    MINISTER,
    RANK_COUNT,
    SPY,
)  # fmt: skip

__all__ = ["ACTIONS", "COURT", "DECK", "EVENTS", "SEATS", "STATE", "STREAMS"]

SEATS = 4
COURT = 108
"""Most cards that can lie at court: all of four houses; so most stacks, too."""
DECK = 28
JESTERS = 8
"""Most Jesters one stack can hold."""

BASE, FRINGE = 0, 1
MAJORITY, PLURALITY = 0, 1
TIE_NONE, TIE_TOP = 0, 1
SINGLE, ANY = 0, 1
ANY_HOUSE, OWN_HOUSE = 0, 1
HIDDEN, USABLE = 0, 1
NO_REFILL, REVEAL = 0, 1
CONSPIRE_ONE, CONSPIRE_ALL = 0, 1
LAST_IN_HAND, LAST_MARKER = 0, 1
CANNOT_PLAY, DECKS_EMPTY = 0, 1

STREAMS = ("first", "deck", "specials", "order")
FIRST, SHUFFLE, SPECIALS, ORDER = 0, 1, 2, 3

# Phases of a turn
PLAY, GUARD, SCAPEGOAT, PUT = 1, 2, 3, 4
# What the card chosen in a move in preparation is used for
ALLY, CONSPIRE = 1, 2
# Where a fringe card is
NO_FRINGE, FACE_DOWN, FACE_UP, PERMANENT = 0, 1, 2, 3
# Zones: a stack's side is 0 in the Inner Circle, house + 1 in the Outer Court before that house
INNER = 0
# What a conspiracy does to its target (M54)
DEMOTE_ALL, DISCARD_ALL, DEMOTE_ONE, DISCARD_ONE = 1, 2, 3, 4
# Marks on cards of a stack under attack
SAVED, SPENT, TO_FRINGE = 1, 2, 3
NO_LIMIT = -1

STATE = record(
    SEATS,
    STREAMS,
    stack_id=public(np.int16, COURT),
    stack_length=public(np.int8, COURT),
    stack_side=public(np.int8, COURT),
    court=public(np.int8, COURT),
    mark=public(np.int8, COURT),
    stacks=public(np.int8),
    next_id=public(np.int16),
    hand=owned(np.int8, SEATS, RANK_COUNT),
    hand_size=public(np.int8, SEATS),
    deck=secret(np.int8, SEATS, DECK),  # ranks + 1, the next to be drawn last; without the fringe card
    deck_size=public(np.int8, SEATS),
    bottom=owned(np.int8, SEATS, DECK),  # the planned cards at the bottom of the deck, as far as they lie there still
    bottom_size=public(np.int8, SEATS),
    fringe_down=owned(np.int8, SEATS),  # a face-down fringe card, rank + 1
    fringe_up=public(np.int8, SEATS),  # a face-up one
    fringe_place=public(np.int8, SEATS),
    discard=public(np.int8, SEATS, RANK_COUNT),
    in_game=public(np.int8, SEATS, RANK_COUNT),  # all cards of a house that are in the game
    known=public(np.int8, SEATS, RANK_COUNT),  # cards seen on their way to hand, face-down fringe card or deck bottom
    limit=public(np.int8, SEATS),
    order=public(np.int8, SEATS),
    step=public(np.int8),  # whose turn it is: index into order
    first=public(np.int8),  # who started the game
    phase=public(np.int8),
    stuck=public(np.int8),  # bit set of players stuck in this round
    # the move in preparation, and the attack that waits for reactions
    use=public(np.int8),
    played=public(np.int8),  # rank + 1
    onto=public(np.int8),  # stack + 1
    target=public(np.int8),  # stack + 1
    target_fringe=public(np.int8),  # house + 1
    single=public(np.int8),  # position + 1 within the target
    named=public(np.int8, 2, JESTERS),
    naming=public(np.int8, 2),  # how many Jesters of the conspiracy and of the target have their value
    closed=public(np.int8, 2),  # 1 when no more of them can be named
    attack=public(np.int8),
    target_controller=public(np.int8),  # house + 1, 0 for nobody
    asked=public(np.int8),  # bit set of Bodyguards' owners still to be asked
    ending=public(np.int8),  # why the game ended, a bit set of BY_*
    # options
    game=public(np.int8),
    control=public(np.int8),
    plurality_tie=public(np.int8),
    spy_defends=public(np.int8),
    bodyguard_scope=public(np.int8),
    bodyguard_saves=public(np.int8),
    lone_scapegoat=public(np.int8),
    fringe_after_turn=public(np.int8),
    fringe_refill=public(np.int8),
    limit_follows_fringe=public(np.int8),
    jester_limit=public(np.int8),
    empty_ic_ends=public(np.int8),
    base_conspire=public(np.int8),
    base_last_card=public(np.int8),
    base_end=public(np.int8),
    turn_cap=public(np.int32),
)

ACTIONS = actions(
    send=family(RANK_COUNT),
    ally=family(RANK_COUNT),
    plan=family(RANK_COUNT),
    conspire=family(RANK_COUNT),
    onto=family(COURT),
    target=family(COURT),
    target_fringe=family(SEATS),
    single=family(SEATS, RANK_COUNT),
    jester=family(2, 10),
    nospy=family(),
    done=family(),
    put=family(RANK_COUNT),
    guard=family(SEATS, RANK_COUNT),
    noguard=family(),
    scapegoat=family(SEATS, RANK_COUNT),
    noscapegoat=family(),
)

EVENTS = events(
    96,
    COURT,
    order=event("round", listed="seats"),
    revealed=event(listed="cards"),
    sent=event("card", "stack"),
    allied=event("card", "stack"),
    separated=event("stack", listed="cards"),
    eliminated=event("stack", listed="cards"),
    planned=event("card", private=("card",)),
    conspired=event("card", "stack", "target", "fringe", listed="values"),
    singled=event("card", "stack"),
    demoted=event("stack", "side", listed="cards"),
    disbanded=event("stack", listed="cards"),
    discarded=event("stack", listed="cards"),
    promoted=event("stack"),
    fringe_hit=event("house", "card"),
    fringe_refilled=event("card"),
    guarded=event("card", "stack"),
    scapegoat=event("card", "spent"),
    drew=event("count", listed="cards", private=("cards",)),
    put=event("card", private=("card",)),
    last_card=event("card", "limit"),
    stuck=event(),
    ended=event("reason", listed="scores"),
)
(
    TELL_ORDER, TELL_REVEALED, TELL_SENT, TELL_ALLIED, TELL_SEPARATED, TELL_ELIMINATED, TELL_PLANNED, TELL_CONSPIRED,
    TELL_SINGLED, TELL_DEMOTED, TELL_DISBANDED, TELL_DISCARDED, TELL_PROMOTED, TELL_FRINGE_HIT, TELL_REFILLED,
    TELL_GUARDED, TELL_SCAPEGOAT, TELL_DREW, TELL_PUT, TELL_LAST, TELL_STUCK, TELL_ENDED,
) = range(len(EVENTS.kinds))  # fmt: skip

# Why a game ended
BY_CONTROL, BY_STUCK, BY_EMPTY_HOUSE, BY_DECKS, BY_EMPTY_CIRCLE, BY_CAP = 1, 2, 4, 8, 16, 32

send_action, ally_action = ACTIONS.send.encode, ACTIONS.ally.encode
plan_action, conspire_action = ACTIONS.plan.encode, ACTIONS.conspire.encode
onto_action, target_action = ACTIONS.onto.encode, ACTIONS.target.encode
fringe_action, single_action = ACTIONS.target_fringe.encode, ACTIONS.single.encode
jester_action, jester_parts = ACTIONS.jester.encode, ACTIONS.jester.decode
put_action, guard_action, scapegoat_action = ACTIONS.put.encode, ACTIONS.guard.encode, ACTIONS.scapegoat.encode
SEND, ALLY_FIRST, PLAN, CONSPIRE_FIRST = (f.first for f in (ACTIONS.send, ACTIONS.ally, ACTIONS.plan, ACTIONS.conspire))
ONTO, TARGET, TARGET_FRINGE = ACTIONS.onto.first, ACTIONS.target.first, ACTIONS.target_fringe.first
SINGLE_OUT, JESTER_VALUE, NOSPY, DONE = (f.first for f in (ACTIONS.single, ACTIONS.jester, ACTIONS.nospy, ACTIONS.done))
PUT_FIRST, GUARD_FIRST, NOGUARD = ACTIONS.put.first, ACTIONS.guard.first, ACTIONS.noguard.first
SCAPEGOAT_FIRST, NOSCAPEGOAT = ACTIONS.scapegoat.first, ACTIONS.noscapegoat.first


# Cards and stacks (M01-M03)


@kernel
def house_of(card: Int) -> Int:
    return (card - 1) // RANK_COUNT


@kernel
def rank_of(card: Int) -> Int:
    return (card - 1) % RANK_COUNT


@kernel
def card_of(house: Int, rank: Int) -> Int:
    return house * RANK_COUNT + rank + 1


@kernel
def start_of(s: Any, k: Int) -> Int:
    """Where stack k begins in the row of cards; for k = stacks: the number of cards at court."""
    start = np.int64(0)
    for i in range(k):
        start += np.int64(s.stack_length[i])
    return start


@kernel
def card_at(s: Any, k: Int, i: Int) -> Int:
    """The i-th card from the bottom of stack k."""
    return np.int64(s.court[start_of(s, k) + i])


@kernel
def new_stack(s: Any, card: Int, side: Int) -> Int:
    """A lone noble with the next id. Returns its index."""
    k = np.int64(s.stacks)
    s.court[start_of(s, k)] = card
    s.stack_length[k] = 1
    s.stack_side[k] = side
    s.stack_id[k] = s.next_id
    s.next_id += 1
    s.stacks += 1
    return k


@kernel
def put_on_top(s: Any, k: Int, card: Int) -> None:
    at = start_of(s, k + 1)
    for i in range(start_of(s, np.int64(s.stacks)), at, -1):
        s.court[i] = s.court[i - 1]
    s.court[at] = card
    s.stack_length[k] += 1


@kernel
def take_out(s: Any, k: Int, i: Int) -> Int:
    """Take the i-th card out of stack k; an emptied stack disappears. Returns the card."""
    at, cards = start_of(s, k) + i, start_of(s, np.int64(s.stacks))
    card = np.int64(s.court[at])
    for j in range(at, cards - 1):
        s.court[j] = s.court[j + 1]
        s.mark[j] = s.mark[j + 1]
    s.court[cards - 1], s.mark[cards - 1] = 0, 0
    s.stack_length[k] -= 1
    if s.stack_length[k] == 0:
        for j in range(k, s.stacks - 1):
            s.stack_length[j] = s.stack_length[j + 1]
            s.stack_side[j] = s.stack_side[j + 1]
            s.stack_id[j] = s.stack_id[j + 1]
        s.stacks -= 1
        s.stack_length[s.stacks], s.stack_side[s.stacks], s.stack_id[s.stacks] = 0, 0, 0
    return card


@kernel
def discard_card(s: Any, card: Int) -> None:
    s.discard[house_of(card), rank_of(card)] += 1


@kernel
def find_stack(s: Any, number: Int) -> Int:
    """The index of the stack with this id, -1 when there is none."""
    for k in range(s.stacks):
        if s.stack_id[k] == number:
            return k
    return -1


# Values (M05, M06)


@kernel
def has_jesters(s: Any, k: Int) -> bool:
    start = start_of(s, k)
    for i in range(start, start + np.int64(s.stack_length[k])):
        if rank_of(np.int64(s.court[i])) == JESTER:
            return True
    return False


@kernel
def played_jester_top(s: Any, seat: Int) -> Int:
    """The highest value that may be named for a Jester played now: 10, or the player's limit (M71)."""
    return min(10, np.int64(s.limit[seat])) if s.limit[seat] != NO_LIMIT else 10


@kernel
def jester_range(s: Any, which: Int, nth: Int, top: Int) -> tuple[Int, Int]:
    """Lowest and highest value the nth Jester of the conspiracy (0) or the target (1) can still have."""
    if nth < s.naming[which]:
        value = np.int64(s.named[which, nth])
        return value, value
    if s.closed[which]:
        value = top if which == 0 else np.int64(1)
        return value, value
    return np.int64(1), top


@kernel
def house_range(s: Any, seat: Int, which: Int, house: Int) -> tuple[Int, Int]:
    """Lowest and highest value that a house's cards can still have in the conspiracy (0) or the target (1).

    ``house`` -1 means all of them. The card being played lies on top of the conspiracy already.
    """
    k = np.int64(s.onto if which == 0 else s.target) - 1
    low, high, nth = np.int64(0), np.int64(0), np.int64(0)
    start = start_of(s, k)
    for i in range(start, start + np.int64(s.stack_length[k])):
        card = np.int64(s.court[i])
        mine = house == -1 or house_of(card) == house
        if rank_of(card) == JESTER:
            least, most = jester_range(s, which, nth, np.int64(10))
            nth += 1
            if mine:
                low, high = low + least, high + most
        elif mine:
            low, high = low + INFLUENCE[rank_of(card)], high + INFLUENCE[rank_of(card)]
    if which == 0 and (house == -1 or house == seat):
        rank = np.int64(s.played) - 1
        if rank == JESTER:
            least, most = jester_range(s, 0, nth, played_jester_top(s, seat))
            low, high = low + least, high + most
        else:
            low, high = low + INFLUENCE[rank], high + INFLUENCE[rank]
    return low, high


@kernel
def plain_range(s: Any, k: Int) -> tuple[Int, Int]:
    """Lowest and highest value a stack on the table can have: Jesters from 1 to 10."""
    low, jesters = np.int64(0), np.int64(0)
    start = start_of(s, k)
    for i in range(start, start + np.int64(s.stack_length[k])):
        rank = rank_of(np.int64(s.court[i]))
        low += INFLUENCE[rank]
        if rank == JESTER:
            jesters += 1
    return low, low + 9 * jesters


@kernel
def played_range(s: Any, seat: Int, rank: Int) -> tuple[Int, Int]:
    """Lowest and highest value of a card of the hand when played into a conspiracy."""
    if rank == JESTER:
        return np.int64(1), played_jester_top(s, seat)
    value = np.int64(INFLUENCE[rank])
    return value, value


# M04, M08: hand and limit


@kernel
def within_limit(s: Any, seat: Int, rank: Int) -> bool:
    """A card may be played only if its value (Jester 1) is not above the player's limit."""
    return s.limit[seat] == NO_LIMIT or INFLUENCE[rank] <= s.limit[seat]


@kernel
def can_play(s: Any, seat: Int) -> bool:
    for rank in range(RANK_COUNT):
        if s.hand[seat, rank] > 0 and within_limit(s, seat, rank):
            return True
    return False


@kernel
def leave_hand(s: Any, seat: Int, rank: Int) -> None:
    s.hand[seat, rank] -= 1
    s.hand_size[seat] -= 1


@kernel
def show(s: Any, seat: Int, rank: Int) -> None:
    """A card of the hand or of the hidden cards that came from it is seen: one less is known to be there."""
    if s.known[seat, rank] > 0:
        s.known[seat, rank] -= 1


@kernel
def into_hand(s: Any, seat: Int, rank: Int) -> None:
    s.hand[seat, rank] += 1
    s.hand_size[seat] += 1


@kernel
def draw_top(s: Any, seat: Int) -> Int:
    """Take the top card of the deck. Returns its rank."""
    s.deck_size[seat] -= 1
    top = np.int64(s.deck_size[seat])
    rank = np.int64(s.deck[seat, top]) - 1
    s.deck[seat, top] = 0
    if s.bottom_size[seat] > s.deck_size[seat]:
        s.bottom_size[seat] = s.deck_size[seat]
        s.bottom[seat, top] = 0
    return rank


# Set-up (M20, M30)


@kernel
def setup(s: Any, log: Any) -> None:
    s.rotation = 0
    cards = np.zeros(DECK, np.int8)
    for p in range(s.seats):
        s.limit[p] = NO_LIMIT
        n = 0
        for rank in range(RANK_COUNT):
            copies = BASE_COPIES[rank] if s.game == BASE else FRINGE_COPIES[rank]
            s.in_game[p, rank] = copies
            for _ in range(copies):
                if s.game == BASE or rank < 9:
                    cards[n] = rank + 1
                    n += 1
        chance.shuffle(s, log, SHUFFLE, cards, n)
        if s.game == FRINGE:
            # The top three nobles are kept for the Inner Circle while the specials are shuffled back in.
            top, second, third = cards[17], cards[16], cards[15]
            n = 15
            for rank in range(9, RANK_COUNT):
                for _ in range(FRINGE_COPIES[rank]):
                    cards[n] = rank + 1
                    n += 1
            chance.shuffle(s, log, SPECIALS, cards, n)
            cards[n], cards[n + 1], cards[n + 2] = third, second, top
            n += 3
        for i in range(n):
            s.deck[p, i] = cards[i]
        s.deck_size[p] = n
    s.next_id = 1
    deal(s, log)


@kernel
def deal(s: Any, log: Any) -> None:
    """Deal from decks in order: nobles to the Inner Circle, hands, fringe cards; then the first turn begins."""
    nobles = 4 if s.game == BASE else 3
    for p in range(s.seats):
        for _ in range(nobles):
            new_stack(s, card_of(p, draw_top(s, p)), INNER)
    for p in range(s.seats):
        for _ in range(5):
            into_hand(s, p, draw_top(s, p))
        if s.game == FRINGE:
            s.fringe_up[p] = draw_top(s, p) + 1
            s.fringe_place[p] = FACE_UP
    if s.game == BASE:
        a, b = circle_sum(s, 0), circle_sum(s, 1)
        starts = 0 if a > b else 1
        if a == b:
            starts = chance.pick(s, log, FIRST, 2)
        s.order[0], s.order[1] = starts, 1 - starts
        s.first = starts
        begin_turn(s, log)
    else:
        begin_round(s, log)
        s.first = s.order[0]


@kernel
def circle_sum(s: Any, house: Int) -> Int:
    """The house's influence in the Inner Circle."""
    return zone_sum(s, house, True)


@kernel
def zone_sum(s: Any, house: Int, inner: bool) -> Int:
    points, at = np.int64(0), 0
    for k in range(s.stacks):
        for _ in range(s.stack_length[k]):
            card = np.int64(s.court[at])
            if house_of(card) == house and (s.stack_side[k] == INNER) == inner:
                points += INFLUENCE[rank_of(card)]
            at += 1
    return points


@kernel
def circle_count(s: Any, house: Int) -> Int:
    """How many of the house's nobles are in the Inner Circle; -1 for all houses."""
    found, at = np.int64(0), 0
    for k in range(s.stacks):
        for _ in range(s.stack_length[k]):
            if s.stack_side[k] == INNER and (house == -1 or house_of(np.int64(s.court[at])) == house):
                found += 1
            at += 1
    return found


@kernel
def court_count(s: Any, house: Int) -> Int:
    """How many of the house's nobles are at court (both zones)."""
    found = np.int64(0)
    for i in range(start_of(s, np.int64(s.stacks))):
        if house_of(np.int64(s.court[i])) == house:
            found += 1
    return found


# Rounds (M31-M33)


@kernel
def fringe_value(s: Any, p: Int) -> Int:
    """The fringe-order value of a face-up fringe card; below 0 without one."""
    return np.int64(INFLUENCE[s.fringe_up[p] - 1]) if s.fringe_up[p] > 0 else np.int64(-1)


@kernel
def begin_round(s: Any, log: Any) -> None:
    emit(log, TELL_REVEALED, -1)
    for p in range(s.seats):
        if s.fringe_place[p] == FACE_DOWN:
            s.fringe_up[p] = s.fringe_down[p]
            s.fringe_down[p] = 0
            s.fringe_place[p] = FACE_UP
            show(s, p, np.int64(s.fringe_up[p]) - 1)
        attach(log, card_of(p, np.int64(s.fringe_up[p]) - 1) if s.fringe_up[p] > 0 else 0)
    fix_order(s, log)
    s.stuck = 0
    s.step = 0
    begin_turn(s, log)


@kernel
def rank_key(s: Any, p: Int) -> Int:
    """What orders the players: fringe value, then nobles in the Inner Circle (M32, M33)."""
    return fringe_value(s, p) * 1000 + circle_count(s, p)


@kernel
def fix_order(s: Any, log: Any) -> None:
    n = np.int64(s.seats)
    for i in range(n):
        s.order[i] = i
    tied = False
    for p in range(n):
        for q in range(p):
            tied = tied or rank_key(s, p) == rank_key(s, q)
    if tied:
        chance.shuffle(s, log, ORDER, s.order, n)
    for i in range(1, n):
        p, j = np.int64(s.order[i]), np.int64(i)
        while j > 0 and rank_key(s, np.int64(s.order[j - 1])) < rank_key(s, p):
            s.order[j] = s.order[j - 1]
            j -= 1
        s.order[j] = p
    emit(log, TELL_ORDER, -1, -1, s.turn)
    for i in range(n):
        attach(log, s.order[i])


# Turns (M07, M21, M34)


@kernel
def begin_turn(s: Any, log: Any) -> None:
    """The next player's turn; who cannot play is stuck (M80), in the base game that ends it (M27)."""
    while True:
        seat = np.int64(s.order[s.step])
        s.phase = PLAY
        s.acting = 1 << seat
        if s.turn_cap > 0 and s.turn >= s.turn_cap:
            finish(s, BY_CAP, log)
            return
        s.turn += 1
        if can_play(s, seat):
            return
        emit(log, TELL_STUCK, seat)
        if s.game == BASE:
            finish(s, BY_STUCK, log)
            return
        s.stuck |= 1 << seat
        turn_fringe_down(s, seat)
        if not step_on(s, log):
            return


@kernel
def turn_fringe_down(s: Any, seat: Int) -> None:
    """A fringe card that is not permanent lies face down when its owner's turn ends (M36)."""
    if s.fringe_place[seat] == FACE_UP:
        s.fringe_down[seat] = s.fringe_up[seat]
        s.fringe_up[seat] = 0
        s.fringe_place[seat] = FACE_DOWN
        s.known[seat, s.fringe_down[seat] - 1] += 1


@kernel
def step_on(s: Any, log: Any) -> bool:
    """Go to the next player of the round, or end the round. False when begin_turn need not go on."""
    s.step += 1
    if s.step < s.seats:
        return True
    if s.game == BASE:
        s.step = 0
        return True
    end_round(s, log)
    return False


@kernel
def end_turn(s: Any, log: Any) -> None:
    if step_on(s, log):
        begin_turn(s, log)


@kernel
def has_deck(s: Any, seat: Int) -> bool:
    """Whether there is a deck to plan into: the face-up fringe card on top of it counts (M16)."""
    return s.deck_size[seat] > 0 or s.fringe_place[seat] == FACE_UP


# What may be done


@kernel
def legal(s: Any, seat: Int, out: Any) -> Int:
    if s.phase == GUARD:
        return legal_guards(s, seat, out)
    if s.phase == SCAPEGOAT:
        return legal_scapegoats(s, seat, out)
    if s.phase == PUT:
        n = 0
        for rank in range(RANK_COUNT):
            if s.hand[seat, rank] > 0:
                out[n] = put_action(rank)
                n += 1
        return n
    if s.use == ALLY:
        for k in range(s.stacks):
            out[k] = onto_action(k)
        return np.int64(s.stacks)
    if s.use == CONSPIRE:
        return legal_conspiracy(s, seat, out)
    return legal_plays(s, seat, out)


@kernel
def legal_plays(s: Any, seat: Int, out: Any) -> Int:
    n = 0
    for rank in range(RANK_COUNT):
        if s.hand[seat, rank] > 0 and within_limit(s, seat, rank):
            out[n] = send_action(rank)
            n += 1
    playable = n
    if s.stacks > 0:
        for i in range(playable):
            out[n] = ally_action(out[i] - SEND)
            n += 1
    if has_deck(s, seat):
        for i in range(playable):
            out[n] = plan_action(out[i] - SEND)
            n += 1
    slack = conspiracy_slack(s) if s.game == FRINGE else 0
    for i in range(playable):
        rank = np.int64(out[i] - SEND)
        if s.game == FRINGE:
            possible = played_range(s, seat, rank)[1] + slack > 0
        else:
            possible = equal_pair(s, seat, rank)
        if possible:
            out[n] = conspire_action(rank)
            n += 1
    return n


@kernel
def cheapest_fringe(s: Any) -> Int:
    """The lowest fringe-order value of a face-up fringe card, 1000 without one."""
    least = np.int64(1000)
    for p in range(s.seats):
        if s.fringe_up[p] > 0:
            least = min(least, fringe_value(s, p))
    return least


@kernel
def two_lowest(s: Any) -> tuple[Int, Int, Int]:
    """The lowest value a stack can have, that stack, and the lowest of the others (1000 for none)."""
    least, where, second = np.int64(1000), np.int64(-1), np.int64(1000)
    for k in range(s.stacks):
        low, _ = plain_range(s, k)
        if low < least:
            least, where, second = low, np.int64(k), least
        elif low < second:
            second = low
    return least, where, second


@kernel
def conspiracy_slack(s: Any) -> Int:
    """The most by which a stack, before the card is added, can be worth more than another or a fringe card (M53)."""
    least, where, second = two_lowest(s)
    fringe = cheapest_fringe(s)
    best = np.int64(-1000)
    for k in range(s.stacks):
        _, high = plain_range(s, k)
        best = max(best, high - min(fringe, second if k == where else least))
    return best


@kernel
def ranges_meet(s: Any, seat: Int, rank: Int, k: Int, y: Int) -> bool:
    """Whether stack k with the card and stack y can have equal values (M23)."""
    low, high = plain_range(s, k)
    least, most = played_range(s, seat, rank)
    low_y, high_y = plain_range(s, y)
    return low + least <= high_y and low_y <= high + most


@kernel
def equal_pair(s: Any, seat: Int, rank: Int) -> bool:
    for k in range(s.stacks):
        for y in range(s.stacks):
            if k != y and ranges_meet(s, seat, rank, k, y):
                return True
    return False


@kernel
def legal_conspiracy(s: Any, seat: Int, out: Any) -> Int:
    """The next part of a conspiracy being declared (M50)."""
    if s.onto == 0:
        return legal_onto(s, seat, out)
    if s.target == 0 and s.target_fringe == 0:
        return legal_targets(s, seat, np.int64(s.onto) - 1, out, 0)
    return legal_clauses(s, seat, out)


@kernel
def legal_onto(s: Any, seat: Int, out: Any) -> Int:
    n = 0
    rank = np.int64(s.played) - 1
    most = played_range(s, seat, rank)[1]
    least, where, second = two_lowest(s)
    fringe = cheapest_fringe(s)
    for k in range(s.stacks):
        if s.game == FRINGE:
            possible = plain_range(s, k)[1] + most > min(fringe, second if k == where else least)
        else:
            possible = False
            for y in range(s.stacks):
                possible = possible or (k != y and ranges_meet(s, seat, rank, k, y))
        if possible:
            out[n] = onto_action(k)
            n += 1
    return n


@kernel
def legal_targets(s: Any, seat: Int, k: Int, out: Any, n: Int) -> Int:
    rank = np.int64(s.played) - 1
    high = plain_range(s, k)[1] + played_range(s, seat, rank)[1]
    for y in range(s.stacks):
        if y != k and (
            (s.game == FRINGE and plain_range(s, y)[0] < high) or (s.game == BASE and ranges_meet(s, seat, rank, k, y))
        ):
            out[n] = target_action(y)
            n += 1
    for p in range(s.seats):
        if s.fringe_up[p] > 0 and s.game == FRINGE and fringe_value(s, p) < high:
            out[n] = fringe_action(p)
            n += 1
    return n


# Control (M40-M44)


@kernel
def other_houses_in(s: Any, seat: Int, k: Int) -> bool:
    """Whether stack k holds a card of another house."""
    start = start_of(s, k)
    for i in range(start, start + np.int64(s.stack_length[k])):
        if house_of(np.int64(s.court[i])) != seat:
            return True
    return False


@kernel
def least_to_beat(s: Any) -> Int:
    """The lowest value the target can still have; the conspiracy must be worth more (M53)."""
    if s.target_fringe > 0:
        return fringe_value(s, np.int64(s.target_fringe) - 1)
    return house_range(s, np.int64(0), 1, np.int64(-1))[0]


@kernel
def ahead_on_ties(s: Any, seat: Int, rival: Int) -> bool:
    """Whether equal sums count for the active player: plurality_tie=top, and his played card lies on top."""
    return s.plurality_tie == TIE_TOP and seat != rival


@kernel
def can_control(s: Any, seat: Int) -> bool:
    """Whether Jester values are left with which the conspiracy beats its target and the active player controls it."""
    k = np.int64(s.onto) - 1
    need = least_to_beat(s)
    mine = house_range(s, seat, 0, seat)[1]
    if not other_houses_in(s, seat, k):
        return mine > need
    value = mine
    if s.control == MAJORITY:
        low, high = house_range(s, seat, 0, np.int64(-1))
        low, high = low - house_range(s, seat, 0, seat)[0], high - mine
        rivals = min(high, mine - 1)
        return rivals >= low and value + rivals > need
    for house in range(s.seats):
        if house != seat:
            low, high = house_range(s, seat, 0, np.int64(house))
            allowed = min(high, mine if ahead_on_ties(s, seat, np.int64(house)) else mine - 1)
            if allowed < low and holds_house(s, k, np.int64(house)):
                return False
            value += max(low, allowed)
    return value > need


@kernel
def can_lack(s: Any, seat: Int) -> bool:
    """Whether values are left with which the conspiracy beats its target and the active player lacks control."""
    k = np.int64(s.onto) - 1
    need = least_to_beat(s)
    if not other_houses_in(s, seat, k):
        return False
    my_low, my_high = house_range(s, seat, 0, seat)
    all_high = house_range(s, seat, 0, np.int64(-1))[1]
    if s.control == MAJORITY:
        rivals = all_high - my_high
        mine = min(my_high, rivals)
        return mine >= my_low and mine + rivals > need
    for house in range(s.seats):
        if house != seat and holds_house(s, k, np.int64(house)):
            high = house_range(s, seat, 0, np.int64(house))[1]
            mine = min(my_high, high - 1 if ahead_on_ties(s, seat, np.int64(house)) else high)
            if mine >= my_low and all_high - my_high + mine > need:
                return True
    return False


@kernel
def holds_house(s: Any, k: Int, house: Int) -> bool:
    start = start_of(s, k)
    for i in range(start, start + np.int64(s.stack_length[k])):
        if house_of(np.int64(s.court[i])) == house:
            return True
    return False


@kernel
def has_spy(s: Any, seat: Int) -> bool:
    """Whether the active player's own Spy is in the conspiracy, one played just now too (M44)."""
    if s.played - 1 == SPY:
        return True
    k = np.int64(s.onto) - 1
    start = start_of(s, k)
    for i in range(start, start + np.int64(s.stack_length[k])):
        if s.court[i] == card_of(seat, SPY):
            return True
    return False


@kernel
def house_value(s: Any, k: Int, house: Int) -> Int:
    """The value of a house's cards in the target, with the Jesters' values as they now are."""
    return house_range(s, np.int64(0), 1, house)[0]


@kernel
def controller_of_target(s: Any) -> Int:
    """The house that controls the target stack, -1 for nobody (M40-M44)."""
    k = np.int64(s.target) - 1
    start, length = start_of(s, k), np.int64(s.stack_length[k])
    if s.spy_defends and length > 1:
        defender, spies = np.int64(-1), 0
        for i in range(start, start + length):
            if rank_of(np.int64(s.court[i])) == SPY:
                defender, spies = house_of(np.int64(s.court[i])), spies + 1
        if spies == 1:
            return defender
    first = house_of(np.int64(s.court[start]))
    if not other_houses_in(s, first, k):
        return first
    value = house_value(s, k, np.int64(-1))
    best, controller, tied = np.int64(-1), np.int64(-1), False
    for house in range(s.seats):
        if not holds_house(s, k, np.int64(house)):
            continue
        worth = house_value(s, k, np.int64(house))
        if s.control == MAJORITY:
            if 2 * worth > value:
                return np.int64(house)
        elif worth > best:
            best, controller, tied = worth, np.int64(house), False
        elif worth == best:
            tied = True
    if s.control == MAJORITY or not tied:
        return controller
    if s.plurality_tie == TIE_TOP:
        for i in range(start + length - 1, start - 1, -1):
            house = house_of(np.int64(s.court[i]))
            if house_value(s, k, house) == best:
                return house
    return np.int64(-1)


# Conspire (M50-M53): the clauses after the target


@kernel
def values_fit(s: Any, seat: Int) -> bool:
    """Whether the values left allow the conspiracy to succeed at all."""
    low, high = house_range(s, seat, 0, np.int64(-1))
    if s.game == FRINGE:
        return high > least_to_beat(s)
    low_t, high_t = house_range(s, seat, 1, np.int64(-1))
    return low <= high_t and low_t <= high


@kernel
def wants_single(s: Any) -> bool:
    """Whether an uncontrolled conspiracy must single out a noble: a target stack of two or more (fringe only)."""
    return s.game == FRINGE and s.target > 0 and s.stack_length[s.target - 1] > 1


@kernel
def open_for_single(s: Any) -> bool:
    """Whether a noble can still be named: before any later clause."""
    return s.single == 0 and s.naming[0] == 0 and s.naming[1] == 0


@kernel
def completes(s: Any, seat: Int, nospy: bool) -> bool:
    """Whether the clauses so far, with ``nospy`` or not, still lead to a legal conspiracy."""
    if not values_fit(s, seat):
        return False
    if s.game == BASE:
        return not nospy
    spy = has_spy(s, seat)
    if nospy:
        return spy and can_lack(s, seat) and (s.single > 0 or not wants_single(s))
    if s.single > 0:
        return not spy and can_lack(s, seat)
    return spy or not wants_single(s) or can_control(s, seat)


@kernel
def legal_clauses(s: Any, seat: Int, out: Any) -> Int:
    n = 0
    if wants_single(s) and open_for_single(s) and can_lack(s, seat):
        for card in range(1, SEATS * RANK_COUNT + 1):
            if position_in(s, np.int64(s.target) - 1, card) >= 0:
                out[n] = SINGLE_OUT + card - 1
                n += 1
    for which in range(2):
        n = legal_jester_values(s, seat, which, out, n)
    if between_values(s) or s.onto == 0:
        return n
    old_0, old_1 = np.int64(s.closed[0]), np.int64(s.closed[1])
    s.closed[0], s.closed[1] = 1, 1
    if completes(s, seat, True):
        out[n] = NOSPY
        n += 1
    if completes(s, seat, False):
        out[n] = DONE
        n += 1
    s.closed[0], s.closed[1] = old_0, old_1
    return n


@kernel
def position_in(s: Any, k: Int, card: Int) -> Int:
    """The lowest position of a card in stack k, -1 when it is not there."""
    start = start_of(s, k)
    for i in range(s.stack_length[k]):
        if s.court[start + i] == card:
            return np.int64(i)
    return np.int64(-1)


@kernel
def jesters_in(s: Any, which: Int) -> Int:
    """How many Jesters the conspiracy (with the played card) or the target has."""
    k = np.int64(s.onto if which == 0 else s.target) - 1
    found = 1 if which == 0 and s.played - 1 == JESTER else 0
    if k < 0:
        return found
    start = start_of(s, k)
    for i in range(start, start + np.int64(s.stack_length[k])):
        if rank_of(np.int64(s.court[i])) == JESTER:
            found += 1
    return found


@kernel
def between_values(s: Any) -> bool:
    """Whether the values of one stack's Jesters are only partly named: then the next one must follow."""
    for which in range(2):
        if s.naming[which] > 0 and s.naming[which] < jesters_in(s, which):
            return True
    return False


@kernel
def legal_jester_values(s: Any, seat: Int, which: Int, out: Any, n: Int) -> Int:
    """Values that can be named next, each only if a legal conspiracy can still follow."""
    count = jesters_in(s, which)
    nth = np.int64(s.naming[which])
    if s.closed[which] or nth >= count or nth >= JESTERS:
        return n
    other = 1 - which
    if between_values(s) and not (nth > 0):
        return n
    if nth == 0 and which == 0 and s.naming[1] > 0:
        return n
    top = np.int64(10)
    if which == 0 and s.played - 1 == JESTER and nth == count - 1:
        top = played_jester_top(s, seat)
    shut = np.int64(s.closed[other])
    if which == 1 and s.naming[0] < jesters_in(s, 0):
        s.closed[0] = 1
    for value in range(1, top + 1):
        s.named[which, nth] = value
        s.naming[which] = nth + 1
        if completes(s, seat, False) or completes(s, seat, True):
            out[n] = jester_action(which, value - 1)
            n += 1
    s.named[which, nth] = 0
    s.naming[which] = nth
    s.closed[other] = shut
    return n


@kernel
def only_done(s: Any, seat: Int) -> bool:
    """Whether no clause is left that could still be given: then the conspiracy is declared at once."""
    if s.game == FRINGE and wants_single(s) and open_for_single(s) and can_lack(s, seat):
        return False
    if s.closed[0] == 0 or s.closed[1] == 0:
        return False
    return s.game == BASE or not completes(s, seat, True)


# Applying a decision


@kernel
def apply(s: Any, seat: Int, action: Int, log: Any) -> None:
    if s.phase == GUARD:
        answer_guard(s, seat, action, log)
    elif s.phase == SCAPEGOAT:
        answer_scapegoat(s, seat, action, log)
    elif s.phase == PUT:
        put_back(s, seat, action - PUT_FIRST, log)
    elif s.use == ALLY:
        ally(s, seat, action - ONTO, log)
    elif s.use == CONSPIRE:
        conspire(s, seat, action, log)
    elif action < ALLY_FIRST:
        send(s, seat, action - SEND, log)
    elif action < PLAN:
        begin_move(s, seat, ALLY, action - ALLY_FIRST)
    elif action < CONSPIRE_FIRST:
        plan(s, seat, action - PLAN, log)
    else:
        begin_move(s, seat, CONSPIRE, action - CONSPIRE_FIRST)


@kernel
def begin_move(s: Any, seat: Int, use: Int, rank: Int) -> None:
    s.use, s.played = use, rank + 1
    s.midmove = 1 << seat


@kernel
def end_move(s: Any) -> None:
    """Forget the move in preparation and the attack."""
    forget_clauses(s)
    s.onto, s.target, s.target_fringe, s.single = 0, 0, 0, 0
    s.attack, s.target_controller, s.asked, s.midmove = 0, 0, 0, 0


@kernel
def forget_clauses(s: Any) -> None:
    """What a conspiracy no longer needs once its values and its control are settled."""
    s.use, s.played = 0, 0
    for which in range(2):
        s.naming[which], s.closed[which] = 0, 0
        for i in range(JESTERS):
            s.named[which, i] = 0


@kernel
def send(s: Any, seat: Int, rank: Int, log: Any) -> None:
    """M12."""
    leave_hand(s, seat, rank)
    show(s, seat, rank)
    k = new_stack(s, card_of(seat, rank), seat + 1)
    emit(log, TELL_SENT, seat, -1, card_of(seat, rank), s.stack_id[k])
    after_play(s, seat, log)


@kernel
def plan(s: Any, seat: Int, rank: Int, log: Any) -> None:
    """M16: under the bottom of the own deck, unseen by others."""
    leave_hand(s, seat, rank)
    for i in range(np.int64(s.deck_size[seat]), 0, -1):
        s.deck[seat, i] = s.deck[seat, i - 1]
    for i in range(np.int64(s.bottom_size[seat]), 0, -1):
        s.bottom[seat, i] = s.bottom[seat, i - 1]
    s.deck[seat, 0], s.bottom[seat, 0] = rank + 1, rank + 1
    s.deck_size[seat] += 1
    s.bottom_size[seat] += 1
    emit(log, TELL_PLANNED, seat, 1 << seat, card_of(seat, rank))
    after_play(s, seat, log)


@kernel
def ally(s: Any, seat: Int, k: Int, log: Any) -> None:
    """M13, and the powers of the Lady (M14) and the Minister (M15)."""
    rank = np.int64(s.played) - 1
    leave_hand(s, seat, rank)
    show(s, seat, rank)
    emit(log, TELL_ALLIED, seat, -1, card_of(seat, rank), s.stack_id[k])
    put_on_top(s, k, card_of(seat, rank))
    if rank == LADY:
        separate(s, k, log)
    elif rank == MINISTER and s.stack_length[k] > 2:
        eliminate_others(s, k, log)
    after_play(s, seat, log)


@kernel
def separate(s: Any, k: Int, log: Any) -> None:
    """Every noble of the stack becomes a lone noble in the same zone; the bottom card keeps the id (M14)."""
    inner = s.stack_side[k] == INNER
    emit(log, TELL_SEPARATED, -1, -1, s.stack_id[k])
    attach(log, card_at(s, k, 0))
    while s.stack_length[k] > 1:
        card = take_out(s, k, 1)
        attach(log, card)
        new_stack(s, card, INNER if inner else house_of(card) + 1)
    if not inner:
        s.stack_side[k] = house_of(card_at(s, k, 0)) + 1


@kernel
def eliminate_others(s: Any, k: Int, log: Any) -> None:
    """All nobles but the Minister on top go to their owners' piles (M15)."""
    emit(log, TELL_ELIMINATED, -1, -1, s.stack_id[k])
    while s.stack_length[k] > 1:
        card = take_out(s, k, 0)
        attach(log, card)
        discard_card(s, card)


@kernel
def conspire(s: Any, seat: Int, action: Int, log: Any) -> None:
    """The next clause of a conspiracy; when nothing can follow, or with ``done``, it is declared."""
    nospy = False
    if action < TARGET:
        s.onto = action - ONTO + 1
        return
    if action < TARGET_FRINGE:
        s.target = action - TARGET + 1
    elif action < SINGLE_OUT:
        s.target_fringe = action - TARGET_FRINGE + 1
    elif action < JESTER_VALUE:
        s.single = position_in(s, np.int64(s.target) - 1, action - SINGLE_OUT + 1) + 1
    elif action < NOSPY:
        which, value = jester_parts(action)
        s.named[which, s.naming[which]] = value + 1
        s.naming[which] += 1
        if which == 1:
            s.closed[0] = 1
        if s.naming[which] == jesters_in(s, which):
            s.closed[which] = 1
    else:
        nospy = action == NOSPY
        declare(s, seat, nospy, log)
        return
    if action < JESTER_VALUE:
        for which in range(2):
            if jesters_in(s, which) == 0:
                s.closed[which] = 1
    if not between_values(s) and only_done(s, seat):
        declare(s, seat, nospy, log)


# Effects (M54-M61)


@kernel
def declare(s: Any, seat: Int, nospy: bool, log: Any) -> None:
    """Control is computed once, with the played card and the named values (M45); then reactions, then the effect."""
    s.closed[0], s.closed[1] = 1, 1
    s.midmove = 0
    rank = np.int64(s.played) - 1
    controlled = s.game == FRINGE and ((has_spy(s, seat) and not nospy) or can_control(s, seat))
    tell_conspiracy(s, seat, log)
    value = house_range(s, seat, 0, np.int64(-1))[0]
    if s.target > 0 and s.game == FRINGE:
        s.target_controller = controller_of_target(s) + 1
    leave_hand(s, seat, rank)
    show(s, seat, rank)
    put_on_top(s, np.int64(s.onto) - 1, card_of(seat, rank))
    if s.game == BASE:
        discard_equal(s, value, log)
        after_play(s, seat, log)
    elif s.target_fringe > 0:
        hit_fringe(s, np.int64(s.target_fringe) - 1, log)
        after_play(s, seat, log)
    else:
        inner = s.stack_side[s.target - 1] == INNER
        if controlled:
            s.attack = DEMOTE_ALL if inner else DISCARD_ALL
        else:
            s.attack = DEMOTE_ONE if inner else DISCARD_ONE
            s.single = max(np.int64(s.single), 1)
            emit(log, TELL_SINGLED, seat, -1, target_card(s, np.int64(s.single) - 1), s.stack_id[s.target - 1])
        s.asked = (1 << np.int64(s.seats)) - 1
        forget_clauses(s)
        ask_guards(s, log)


@kernel
def tell_conspiracy(s: Any, seat: Int, log: Any) -> None:
    if log.recording == 0:
        return
    hit = s.target_fringe > 0
    where = 0 if hit else s.stack_id[s.target - 1]
    card = card_of(seat, np.int64(s.played) - 1)
    emit(log, TELL_CONSPIRED, seat, -1, card, s.stack_id[s.onto - 1], where, s.target_fringe)
    attach(log, house_range(s, seat, 0, np.int64(-1))[0])
    attach(log, fringe_value(s, np.int64(s.target_fringe) - 1) if hit else house_range(s, seat, 1, np.int64(-1))[0])


@kernel
def target_card(s: Any, i: Int) -> Int:
    return card_at(s, np.int64(s.target) - 1, i)


@kernel
def discard_equal(s: Any, value: Int, log: Any) -> None:
    """Base: the target is discarded (M23); with base_conspire=all every other stack of that value too (M24)."""
    onto, target = np.int64(s.stack_id[s.onto - 1]), np.int64(s.stack_id[s.target - 1])
    k = np.int64(s.stacks) - 1
    while k >= 0:
        number = np.int64(s.stack_id[k])
        equal = s.base_conspire == CONSPIRE_ALL and number != onto and plain_range(s, k)[0] == value
        if number == target or equal:
            discard_stack(s, k, log)
        k -= 1


@kernel
def discard_stack(s: Any, k: Int, log: Any) -> None:
    emit(log, TELL_DISCARDED, -1, -1, s.stack_id[k])
    for _ in range(np.int64(s.stack_length[k])):
        card = take_out(s, k, 0)
        attach(log, card)
        discard_card(s, card)


@kernel
def hit_fringe(s: Any, p: Int, log: Any) -> None:
    """The fringe card goes to its owner's pile, no reaction (M61); with fringe_refill=reveal the next one is shown."""
    rank = np.int64(s.fringe_up[p]) - 1
    s.discard[p, rank] += 1
    emit(log, TELL_FRINGE_HIT, -1, -1, p, card_of(p, rank))
    s.fringe_up[p] = 0
    s.fringe_place[p] = NO_FRINGE
    if s.fringe_refill == REVEAL and s.deck_size[p] > 0:
        s.fringe_up[p] = draw_top(s, p) + 1
        s.fringe_place[p] = FACE_UP
        emit(log, TELL_REFILLED, p, -1, card_of(p, np.int64(s.fringe_up[p]) - 1))


# Reactions (M65-M69)


@kernel
def singles_out(s: Any) -> bool:
    return s.attack == DEMOTE_ONE or s.attack == DISCARD_ONE


@kernel
def affected(s: Any, i: Int) -> bool:
    """Whether the attack still takes the i-th card of the target."""
    at = start_of(s, np.int64(s.target) - 1) + i
    return s.mark[at] == 0 and (not singles_out(s) or i == s.single - 1)


@kernel
def bodyguard_of(s: Any, p: Int) -> Int:
    """The position of p's unspent Bodyguard in the target, -1 without one."""
    k = np.int64(s.target) - 1
    start = start_of(s, k)
    for i in range(s.stack_length[k]):
        if s.court[start + i] == card_of(p, BODYGUARD) and s.mark[start + i] != SPENT:
            return np.int64(i)
    return np.int64(-1)


@kernel
def guardable(s: Any, p: Int, card: Int) -> Int:
    """The lowest position of this card at which p's Bodyguard can keep it, -1 when he cannot (M65)."""
    guard = bodyguard_of(s, p)
    if guard < 0 or (s.bodyguard_scope == SINGLE and not singles_out(s)):
        return np.int64(-1)
    if s.bodyguard_saves == OWN_HOUSE and house_of(card) != p:
        return np.int64(-1)
    k = np.int64(s.target) - 1
    start = start_of(s, k)
    for i in range(s.stack_length[k]):
        if i != guard and s.court[start + i] == card and affected(s, np.int64(i)):
            return np.int64(i)
    return np.int64(-1)


@kernel
def legal_guards(s: Any, seat: Int, out: Any) -> Int:
    n = 0
    for card in range(1, SEATS * RANK_COUNT + 1):
        if guardable(s, seat, card) >= 0:
            out[n] = GUARD_FIRST + card - 1
            n += 1
    out[n] = NOGUARD
    return n + 1


@kernel
def can_guard(s: Any, p: Int) -> bool:
    if bodyguard_of(s, p) < 0:
        return False
    k = np.int64(s.target) - 1
    start = start_of(s, k)
    for i in range(s.stack_length[k]):
        if guardable(s, p, np.int64(s.court[start + i])) >= 0:
            return True
    return False


@kernel
def ask_guards(s: Any, log: Any) -> None:
    """Owners of Bodyguards decide in seat order after the active player, he last (M66)."""
    active = np.int64(s.order[s.step])
    for distance in range(1, s.seats + 1):
        p = (active + distance) % np.int64(s.seats)
        if s.asked >> p & 1:
            s.asked &= ~(1 << p)
            if can_guard(s, p):
                s.phase = GUARD
                s.acting = 1 << p
                return
    ask_scapegoat(s, log)


@kernel
def answer_guard(s: Any, seat: Int, action: Int, log: Any) -> None:
    if action != NOGUARD:
        card = action - GUARD_FIRST + 1
        start = start_of(s, np.int64(s.target) - 1)
        guard = bodyguard_of(s, seat)
        saved = guardable(s, seat, card)
        s.mark[start + saved] = SAVED
        s.mark[start + guard] = SPENT
        emit(log, TELL_GUARDED, seat, -1, card, s.stack_id[s.target - 1])
        if singles_out(s):
            execute(s, log)
            return
    ask_guards(s, log)


@kernel
def has_scapegoat(s: Any, p: Int) -> bool:
    """Whether p has a fringe card that can take a noble's place (M67, M36)."""
    return s.fringe_up[p] > 0 or (s.fringe_after_turn == USABLE and s.fringe_place[p] == FACE_DOWN)


@kernel
def can_be_saved(s: Any, p: Int, i: Int) -> bool:
    """Whether the controller p may save the i-th card of the target by his fringe card."""
    return affected(s, i) and house_of(target_card(s, i)) == p


@kernel
def ask_scapegoat(s: Any, log: Any) -> None:
    k = np.int64(s.target) - 1
    p = np.int64(s.target_controller) - 1
    discards = s.attack == DISCARD_ALL or s.attack == DISCARD_ONE
    if discards and p >= 0 and has_scapegoat(s, p) and (s.lone_scapegoat or s.stack_length[k] > 1):
        for i in range(s.stack_length[k]):
            if can_be_saved(s, p, np.int64(i)):
                s.phase = SCAPEGOAT
                s.acting = 1 << p
                return
    execute(s, log)


@kernel
def legal_scapegoats(s: Any, seat: Int, out: Any) -> Int:
    n = 0
    k = np.int64(s.target) - 1
    for rank in range(RANK_COUNT):
        found = False
        for i in range(s.stack_length[k]):
            found = found or (target_card(s, np.int64(i)) == card_of(seat, rank) and can_be_saved(s, seat, np.int64(i)))
        if found:
            out[n] = scapegoat_action(seat, rank)
            n += 1
    out[n] = NOSCAPEGOAT
    return n + 1


@kernel
def answer_scapegoat(s: Any, seat: Int, action: Int, log: Any) -> None:
    """The fringe card goes to its owner's pile and the noble becomes his face-up fringe card (M67, M72)."""
    if action != NOSCAPEGOAT:
        card = action - SCAPEGOAT_FIRST + 1
        k = np.int64(s.target) - 1
        start = start_of(s, k)
        for i in range(s.stack_length[k]):
            if s.court[start + i] == card and can_be_saved(s, seat, np.int64(i)):
                s.mark[start + i] = TO_FRINGE
                break
        if s.fringe_place[seat] == FACE_DOWN:
            show(s, seat, np.int64(s.fringe_down[seat]) - 1)
            s.fringe_up[seat], s.fringe_down[seat] = s.fringe_down[seat], 0
            s.fringe_place[seat] = FACE_UP
        spent = np.int64(s.fringe_up[seat]) - 1
        s.discard[seat, spent] += 1
        s.fringe_up[seat] = rank_of(card) + 1
        emit(log, TELL_SCAPEGOAT, seat, -1, card, card_of(seat, spent))
        if s.fringe_place[seat] == PERMANENT and s.limit_follows_fringe:
            s.limit[seat] = limit_of(s, rank_of(card))
    execute(s, log)


# Carrying out the attack


@kernel
def execute(s: Any, log: Any) -> None:
    seat = np.int64(s.order[s.step])
    k, number = np.int64(s.target) - 1, np.int64(s.stack_id[s.target - 1])
    if s.attack == DEMOTE_ALL and s.stack_side[s.onto - 1] != INNER:
        s.stack_side[s.onto - 1] = INNER
        emit(log, TELL_PROMOTED, seat, -1, s.stack_id[s.onto - 1])
    single = np.int64(s.single) - 1
    if singles_out(s):
        single_out(s, k, single, log)
    remove_spent(s, number, log)
    k = find_stack(s, number)
    if k >= 0 and s.attack == DEMOTE_ALL:
        demote_all(s, k, log)
    elif k >= 0 and s.attack == DISCARD_ALL:
        discard_all(s, k, log)
    for i in range(COURT):
        s.mark[i] = 0
    after_play(s, seat, log)


@kernel
def single_out(s: Any, k: Int, i: Int, log: Any) -> None:
    """Demote (M58) or discard (M60) one noble, unless he was saved."""
    at = start_of(s, k) + i
    if s.mark[at] != 0:
        return
    number = np.int64(s.stack_id[k])
    if s.attack == DISCARD_ONE:
        card = take_out(s, k, i)
        discard_card(s, card)
        emit(log, TELL_DISCARDED, -1, -1, number)
        attach(log, card)
        return
    side = house_of(np.int64(s.court[at])) + 1
    emit(log, TELL_DEMOTED, -1, -1, number, side)
    attach(log, s.court[at])
    if s.stack_length[k] == 1:
        s.stack_side[k] = side
    else:
        new_stack(s, take_out(s, k, i), side)


@kernel
def remove_spent(s: Any, number: Int, log: Any) -> None:
    """Bodyguards that were spent go to their owners' piles; a noble saved by a fringe card has left already."""
    k = find_stack(s, number)
    i = np.int64(0)
    while k >= 0 and i < s.stack_length[k]:
        mark = s.mark[start_of(s, k) + i]
        if mark in (SPENT, TO_FRINGE):
            card = take_out(s, k, i)
            if mark == SPENT:
                discard_card(s, card)
            k = find_stack(s, number)
        else:
            i += 1


@kernel
def any_saved(s: Any, k: Int) -> bool:
    start = start_of(s, k)
    for i in range(start, start + np.int64(s.stack_length[k])):
        if s.mark[i] == SAVED:
            return True
    return False


@kernel
def demote_all(s: Any, k: Int, log: Any) -> None:
    """M56: as one alliance to the Outer Court at its controller's side; M57: nobody controls it, it is disbanded."""
    number, controller = np.int64(s.stack_id[k]), np.int64(s.target_controller) - 1
    if controller >= 0:
        emit(log, TELL_DEMOTED, -1, -1, number, controller + 1)
    else:
        emit(log, TELL_DISBANDED, -1, -1, number)
    if controller >= 0 and not any_saved(s, k):
        start = start_of(s, k)
        for i in range(start, start + np.int64(s.stack_length[k])):
            attach(log, s.court[i])
        s.stack_side[k] = controller + 1
        return
    group: Any = np.int64(-1)
    i = np.int64(0)
    while k >= 0 and i < s.stack_length[k]:
        if s.mark[start_of(s, k) + i] == SAVED:
            i += 1
            continue
        before = np.int64(s.stacks)
        card = take_out(s, k, i)
        if s.stacks < before and group >= 0:
            group -= 1
        attach(log, card)
        if controller < 0:
            new_stack(s, card, house_of(card) + 1)
        elif group < 0:
            group = new_stack(s, card, controller + 1)
        else:
            put_on_top(s, group, card)
        k = find_stack(s, number)


@kernel
def discard_all(s: Any, k: Int, log: Any) -> None:
    """M59: every card that was not saved goes to its owner's pile."""
    number = np.int64(s.stack_id[k])
    emit(log, TELL_DISCARDED, -1, -1, number)
    i = np.int64(0)
    while k >= 0 and i < s.stack_length[k]:
        if s.mark[start_of(s, k) + i] == SAVED:
            i += 1
            continue
        card = take_out(s, k, i)
        attach(log, card)
        discard_card(s, card)
        k = find_stack(s, number)


# After the play: drawing and putting back (M21, M26, M35, M70)


@kernel
def limit_of(s: Any, rank: Int) -> Int:
    return np.int64(s.jester_limit) if rank == JESTER else np.int64(INFLUENCE[rank])


@kernel
def after_play(s: Any, seat: Int, log: Any) -> None:
    end_move(s)
    if s.game == BASE:
        for house in range(s.seats):
            if circle_count(s, house) == 0:
                finish(s, BY_EMPTY_HOUSE, log)
                return
        draw_one(s, seat, log)
        if s.base_end == DECKS_EMPTY and s.deck_size[0] == 0 and s.deck_size[1] == 0:
            finish(s, BY_DECKS, log)
            return
        end_turn(s, log)
    else:
        draw_two(s, seat, log)


@kernel
def draw_one(s: Any, seat: Int, log: Any) -> None:
    """Base: one card; the last of the deck is shown and its value is the limit from now on (M26)."""
    if s.deck_size[seat] == 0:
        return
    rank = draw_top(s, seat)
    if s.deck_size[seat] > 0:
        into_hand(s, seat, rank)
        emit(log, TELL_DREW, seat, 1 << seat, 1)
        attach(log, card_of(seat, rank))
        return
    s.limit[seat] = limit_of(s, rank)
    emit(log, TELL_LAST, seat, -1, card_of(seat, rank), s.limit[seat])
    if s.base_last_card == LAST_MARKER:
        s.fringe_up[seat], s.fringe_place[seat] = rank + 1, PERMANENT
    else:
        into_hand(s, seat, rank)
        s.known[seat, rank] += 1


@kernel
def draw_two(s: Any, seat: Int, log: Any) -> None:
    """Fringe: the top two cards, the fringe card first; the last of the deck is not taken (M35, M70)."""
    drawn = 0
    if s.fringe_place[seat] == FACE_UP:
        rank = np.int64(s.fringe_up[seat]) - 1
        if s.deck_size[seat] == 0:
            make_permanent(s, seat, rank, log)
            return
        s.fringe_up[seat], s.fringe_place[seat] = 0, NO_FRINGE
        into_hand(s, seat, rank)
        s.known[seat, rank] += 1
        drawn = 1
    while drawn < 2 and s.deck_size[seat] > 0:
        rank = draw_top(s, seat)
        if s.deck_size[seat] == 0:
            make_permanent(s, seat, rank, log)
            return
        into_hand(s, seat, rank)
        emit(log, TELL_DREW, seat, 1 << seat, 1)
        attach(log, card_of(seat, rank))
        drawn += 1
    if drawn == 2:
        s.phase = PUT
        s.acting = 1 << seat
    else:
        end_turn(s, log)


@kernel
def make_permanent(s: Any, seat: Int, rank: Int, log: Any) -> None:
    """M70: the last card of the deck is laid face up as its owner's permanent fringe card; M71: it is his limit."""
    s.fringe_up[seat], s.fringe_place[seat] = rank + 1, PERMANENT
    s.limit[seat] = limit_of(s, rank)
    emit(log, TELL_LAST, seat, -1, card_of(seat, rank), s.limit[seat])
    end_turn(s, log)


@kernel
def put_back(s: Any, seat: Int, rank: Int, log: Any) -> None:
    """Any one hand card goes face down on the deck: the next fringe card (M35)."""
    leave_hand(s, seat, rank)
    s.fringe_down[seat], s.fringe_place[seat] = rank + 1, FACE_DOWN
    emit(log, TELL_PUT, seat, 1 << seat, card_of(seat, rank))
    end_turn(s, log)


# The end (M25, M27, M28, M80-M85)


@kernel
def end_round(s: Any, log: Any) -> None:
    reason = 0
    if s.stuck:
        reason |= BY_STUCK
    for house in range(s.seats):
        if controls_circle(s, house):
            reason |= BY_CONTROL
    if s.empty_ic_ends and circle_count(s, np.int64(-1)) == 0:
        reason |= BY_EMPTY_CIRCLE
    if reason:
        finish(s, reason, log)
    else:
        begin_round(s, log)


@kernel
def controls_circle(s: Any, house: Int) -> bool:
    """More than half of the Inner Circle in value and in cards (M81)."""
    value, cards = np.int64(0), circle_count(s, np.int64(-1))
    for other in range(s.seats):
        value += circle_sum(s, other)
    return 2 * circle_sum(s, house) > value and 2 * circle_count(s, house) > cards


@kernel
def score(s: Any, house: Int) -> Int:
    """Influence at court; in the fringe game 3 more for each noble in the Inner Circle (M28, M83)."""
    points = zone_sum(s, house, True) + zone_sum(s, house, False)
    return points + 3 * circle_count(s, house) if s.game == FRINGE else points


@kernel
def finish(s: Any, reason: Int, log: Any) -> None:
    s.over = CAPPED if reason == BY_CAP else FINISHED
    s.acting, s.phase = 0, 0
    s.ending = reason
    emit(log, TELL_ENDED, -1, -1, reason)
    for house in range(s.seats):
        attach(log, score(s, house))


@kernel
def outcome(s: Any, scores: Any, places: Any) -> None:
    """Highest score; equal: more nobles at court; still equal: shared (M28, M84)."""
    for p in range(s.seats):
        scores[p] = score(s, p)
        places[p] = 1
        for q in range(s.seats):
            ahead = score(s, q) - score(s, p)
            if ahead > 0 or (ahead == 0 and court_count(s, q) > court_count(s, p)):
                places[p] += 1


# What a program needs besides


@kernel
def default(s: Any, seat: Int) -> Int:
    """A seat that does not answer lets things happen: no reaction, the lowest card put back or sent to court."""
    if s.phase == GUARD:
        return NOGUARD
    if s.phase == SCAPEGOAT:
        return NOSCAPEGOAT
    best, least = -1, 100
    for rank in range(RANK_COUNT):
        if s.hand[seat, rank] > 0 and INFLUENCE[rank] < least and (s.phase == PUT or within_limit(s, seat, rank)):
            best, least = rank, INFLUENCE[rank]
    return put_action(best) if s.phase == PUT else send_action(best)


@kernel
def resample(s: Any, seat: Int, random: Any) -> None:
    """Hands, face-down fringe cards and decks from the cards of each house that nobody sees.

    Cards known to be in a hand, face-down fringe card or deck bottom stay among these; all else is uniform.
    """
    for p in range(s.seats):
        if p == seat:
            resample_own_deck(s, p, random)
        else:
            resample_house(s, p, random)


@kernel
def unseen(s: Any, p: Int, rank: Int) -> Int:
    """How many of p's cards of a rank lie neither open nor in what the view shows of hand, fringe card and bottom."""
    found = np.int64(s.in_game[p, rank]) - s.discard[p, rank] - s.hand[p, rank]
    found -= s.fringe_up[p] == rank + 1
    found -= s.fringe_down[p] == rank + 1
    for i in range(start_of(s, np.int64(s.stacks))):
        found -= s.court[i] == card_of(p, rank)
    for i in range(s.bottom_size[p]):
        found -= s.bottom[p, i] == rank + 1
    return found


@kernel
def shuffle_part(cards: Any, first: Int, last: Int, random: Any) -> None:
    for i in range(last - 1, first, -1):
        j = first + rng.below(random, i - first + 1)
        kept = cards[i]
        cards[i] = cards[j]
        cards[j] = kept


@kernel
def resample_own_deck(s: Any, p: Int, random: Any) -> None:
    n = np.int64(s.bottom_size[p])
    for i in range(n):
        s.deck[p, i] = s.bottom[p, i]
    for rank in range(RANK_COUNT):
        for _ in range(unseen(s, p, rank)):
            if n < DECK:
                s.deck[p, n] = rank + 1
                n += 1
    shuffle_part(s.deck[p], np.int64(s.bottom_size[p]), n, random)


@kernel
def resample_house(s: Any, p: Int, random: Any) -> None:
    # The deck's own space holds all unseen cards first: known ones, then the rest.
    cards, n = s.deck[p], np.int64(0)
    for which in range(2):
        for rank in range(RANK_COUNT):
            known = min(np.int64(s.known[p, rank]), unseen(s, p, rank))
            for _ in range(known if which == 0 else unseen(s, p, rank) - known):
                if n < DECK:
                    cards[n] = rank + 1
                    n += 1
        if which == 0:
            sure = n
    held = np.int64(s.hand_size[p]) + s.bottom_size[p] + (1 if s.fringe_place[p] == FACE_DOWN else 0)
    held = min(held, n)
    shuffle_part(cards, min(sure, held), n, random)
    shuffle_part(cards, np.int64(0), held, random)
    at = np.int64(s.bottom_size[p])
    for i in range(min(at, held)):
        s.bottom[p, i] = cards[i]
    for _ in range(s.hand_size[p]):
        if at < held:
            s.hand[p, cards[at] - 1] += 1
            at += 1
    if s.fringe_place[p] == FACE_DOWN and at < held:
        s.fringe_down[p] = cards[at]
        at += 1
    for i in range(np.int64(s.bottom_size[p]), DECK):
        taken = at + i - np.int64(s.bottom_size[p])
        cards[i] = cards[taken] if taken < n else 0
