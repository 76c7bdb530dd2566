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
from backroom.engine.game import CAPPED, FINISHED, rank_seats
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
from backroom.games.medici.options import MediciOptions

__all__ = ["ACTIONS", "COURT", "DECK", "ENDINGS", "EVENTS", "SEATS", "STATE", "STREAMS"]

SEATS = 4
COURT = 108
"""Most cards that can lie at court: all of four houses; so most stacks, too."""
DECK = 28
JESTERS = 8
"""Most Jesters one stack can hold."""

BASE, FRINGE = MediciOptions.codes("game")
MAJORITY, PLURALITY = MediciOptions.codes("control")
TIE_NONE, TIE_TOP = MediciOptions.codes("plurality_tie")
SINGLE, ANY = MediciOptions.codes("bodyguard_scope")
ANY_HOUSE, OWN_HOUSE = MediciOptions.codes("bodyguard_saves")
HIDDEN, USABLE = MediciOptions.codes("fringe_after_turn")
NO_REFILL, REVEAL = MediciOptions.codes("fringe_refill")
CONSPIRE_ONE, CONSPIRE_ALL = MediciOptions.codes("base_conspire")
LAST_IN_HAND, LAST_MARKER = MediciOptions.codes("base_last_card")
CANNOT_PLAY, DECKS_EMPTY = MediciOptions.codes("base_end")

STREAMS = ("first", "deck", "specials", "order")
FIRST, SHUFFLE, SPECIALS, ORDER = 0, 1, 2, 3

# Phases of a turn
PLAY, GUARD, SCAPEGOAT, PUT = 1, 2, 3, 4
# Steps within `apply`, between two decisions
ASK_GUARDS, ASK_SCAPEGOAT, STRIKE, DRAW, TURN_OVER = 5, 6, 7, 8, 9
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
NEVER = 1000
"""Above every value."""
WIDEST = 16
"""Above every card's value: the widest gap between two stacks that is looked at."""
BLOCK = 30
"""How many values of stacks are compared at a time: with WIDEST values below and above them, bits of one number."""
MOST_INFLUENCE = SEATS * int(np.dot(FRINGE_COPIES, INFLUENCE))
"""The value of all cards of four houses together, with Jesters at 1."""

# Tables, because a load is faster than a division
WORTH: Any = np.array(INFLUENCE, np.int64)
HOUSE: Any = (np.arange(SEATS * RANK_COUNT + 1) - 1) // RANK_COUNT
RANK: Any = (np.arange(SEATS * RANK_COUNT + 1) - 1) % RANK_COUNT
COPIES: Any = np.array([BASE_COPIES, FRINGE_COPIES], np.int64)

STATE = record(
    SEATS,
    STREAMS,
    stack_id=public(np.int16, COURT + 1, least=0),
    stack_start=public(np.int8, COURT + 1, most=COURT),  # where its cards begin; after the last stack: where they end
    stack_length=public(np.int8, COURT + 1, most=COURT),
    stack_side=public(np.int8, COURT + 1, most=SEATS),
    stack_value=public(np.int16, COURT + 1, most=MOST_INFLUENCE),  # with Jesters at 1
    stack_jesters=public(np.int8, COURT + 1, most=JESTERS),
    court=public(np.int8, COURT, most=SEATS * RANK_COUNT),
    mark=public(np.int8, COURT, most=TO_FRINGE),  # of the cards of a stack under attack
    stacks=public(np.int8, most=COURT),
    next_id=public(np.int16, least=0),
    hand=owned(np.int8, SEATS, RANK_COUNT, most=FRINGE_COPIES),
    hand_size=public(np.int8, SEATS, most=DECK),
    drawn=owned(np.int8, SEATS, 2, most=RANK_COUNT),  # ranks + 1 of the cards drawn in this turn, until one is put back
    deck=secret(np.int8, SEATS, DECK),  # ranks + 1, the next to be drawn last; without the fringe card
    deck_size=public(np.int8, SEATS, most=DECK),
    # the planned cards at the bottom of the deck, as far as they lie there still
    bottom=owned(np.int8, SEATS, DECK, most=RANK_COUNT),
    bottom_size=public(np.int8, SEATS, most=DECK),
    fringe_down=owned(np.int8, SEATS, most=RANK_COUNT),  # a face-down fringe card, rank + 1
    fringe_up=public(np.int8, SEATS, most=RANK_COUNT),  # a face-up one
    fringe_place=public(np.int8, SEATS, most=PERMANENT),
    discard=public(np.int8, SEATS, RANK_COUNT, most=FRINGE_COPIES),
    in_game=public(np.int8, SEATS, RANK_COUNT, most=FRINGE_COPIES),  # all cards of a house that are in the game
    # cards seen on their way to hand, face-down fringe card or deck bottom
    known=public(np.int8, SEATS, RANK_COUNT, most=FRINGE_COPIES),
    limit=public(np.int8, SEATS, least=NO_LIMIT, most=max(INFLUENCE)),
    order=public(np.int8, SEATS, most=SEATS - 1),
    step=public(np.int8, most=SEATS),  # whose turn it is: index into order
    first=public(np.int8, most=SEATS - 1),  # who started the game
    phase=public(np.int8, most=TURN_OVER),
    stuck=public(np.int8, most=2**SEATS - 1),  # bit set of players stuck in this round
    # the move in preparation, and the attack that waits for reactions
    use=public(np.int8, most=CONSPIRE),
    played=public(np.int8, most=RANK_COUNT),  # rank + 1
    onto=public(np.int8, most=COURT),  # stack + 1
    target=public(np.int8, most=COURT),  # stack + 1
    target_fringe=public(np.int8, most=SEATS),  # house + 1
    single=public(np.int8, most=COURT),  # position + 1 within the target
    named=public(np.int8, 2, JESTERS, most=10),
    naming=public(np.int8, 2, most=JESTERS),  # how many Jesters of the conspiracy and of the target have their value
    # of the conspiracy and of its target, with the Jesters as named
    worth=public(np.int16, 2, most=MOST_INFLUENCE + 9 * JESTERS),
    attack=public(np.int8, most=DISCARD_ONE),
    target_controller=public(np.int8, most=SEATS),  # house + 1, 0 for nobody
    asked=public(np.int8, most=2**SEATS - 1),  # bit set of Bodyguards' owners still to be asked
    ending=public(np.int8, most=63),  # why the game ended, a bit set of BY_*
    **MediciOptions.fields(),
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
    # ``side`` of the stack he was in; ``single``: 1 where the attack hit one noble, not the whole stack
    singled=event("card", "stack", "side"),
    demoted=event("stack", "side", "single", listed="cards"),
    disbanded=event("stack", listed="cards"),
    discarded=event("stack", "side", "single", listed="cards"),
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
ENDINGS = {
    BY_CONTROL: "one house controls the Inner Circle",
    BY_STUCK: "a player could play no card",
    BY_EMPTY_HOUSE: "a house has nobody in the Inner Circle",
    BY_DECKS: "both decks are empty",
    BY_EMPTY_CIRCLE: "the Inner Circle is empty",
    BY_CAP: "the turns allowed are used up",
}
"""In words: bits of the field ``ending``."""

SEND, ALLY_FIRST, PLAN, CONSPIRE_FIRST = (f.first for f in (ACTIONS.send, ACTIONS.ally, ACTIONS.plan, ACTIONS.conspire))
ONTO, TARGET, TARGET_FRINGE = ACTIONS.onto.first, ACTIONS.target.first, ACTIONS.target_fringe.first
SINGLE_OUT, JESTER_VALUE, NOSPY, DONE = (f.first for f in (ACTIONS.single, ACTIONS.jester, ACTIONS.nospy, ACTIONS.done))
# Clauses that can follow in a conspiracy, a bit set
SINGLE_NEXT, OWN_NEXT, TARGET_NEXT, NOSPY_NEXT, DONE_NEXT = 1, 2, 4, 8, 16
PUT_FIRST, GUARD_FIRST, NOGUARD = ACTIONS.put.first, ACTIONS.guard.first, ACTIONS.noguard.first
SCAPEGOAT_FIRST, NOSCAPEGOAT = ACTIONS.scapegoat.first, ACTIONS.noscapegoat.first


# Cards and stacks (M01-M03)


@kernel
def house_of(card: Int) -> Int:
    return HOUSE[card]


@kernel
def rank_of(card: Int) -> Int:
    return RANK[card]


@kernel
def card_of(house: Int, rank: Int) -> Int:
    return house * RANK_COUNT + rank + 1


@kernel
def new_stack(s: Any, card: Int, side: Int) -> Int:
    """A lone noble with the next id. Returns its index."""
    k = np.int64(s.stacks)
    s.stacks += 1
    s.stack_start[k + 1] = s.stack_start[k]
    s.stack_id[k], s.stack_side[k] = s.next_id, side
    s.next_id += 1
    put_on_top(s, k, card)
    return k


@kernel
def put_on_top(s: Any, k: Int, card: Int) -> None:
    at, rank = np.int64(s.stack_start[k + 1]), rank_of(card)
    for i in range(s.stack_start[s.stacks], at, -1):
        s.court[i] = s.court[i - 1]
    s.court[at] = card
    s.stack_length[k] += 1
    s.stack_value[k] += WORTH[rank]
    s.stack_jesters[k] += rank == JESTER
    for j in range(k, s.stacks):
        s.stack_start[j + 1] += 1


@kernel
def take_out(s: Any, k: Int, i: Int) -> Int:
    """Take the i-th card from the bottom out of stack k; an emptied stack disappears. Returns the card."""
    at, last = s.stack_start[k] + i, s.stack_start[s.stacks] - 1
    card = np.int64(s.court[at])
    for j in range(at, last):
        s.court[j] = s.court[j + 1]
    s.court[last] = 0
    s.stack_length[k] -= 1
    s.stack_value[k] -= WORTH[rank_of(card)]
    s.stack_jesters[k] -= rank_of(card) == JESTER
    for j in range(k, s.stacks):
        s.stack_start[j + 1] -= 1
    if s.stack_length[k] == 0:
        # Beyond the last stack all is zero but the place where its cards end.
        for j in range(k, s.stacks):
            s.stack_start[j] = s.stack_start[j + 1]
            s.stack_length[j] = s.stack_length[j + 1]
            s.stack_side[j] = s.stack_side[j + 1]
            s.stack_id[j] = s.stack_id[j + 1]
            s.stack_value[j] = s.stack_value[j + 1]
            s.stack_jesters[j] = s.stack_jesters[j + 1]
        s.stack_start[s.stacks] = 0
        s.stacks -= 1
    return card


@kernel
def discard(s: Any, card: Int) -> None:
    s.discard[house_of(card), rank_of(card)] += 1


@kernel
def discard_from(s: Any, k: Int, log: Any) -> None:
    """The bottom card of stack k goes to its owner's pile, and on to the list of the event told last."""
    card = take_out(s, k, 0)
    discard(s, card)
    attach(log, card)


@kernel
def find_stack(s: Any, number: Int) -> Int:
    """The index of the stack with this id, -1 when there is none."""
    for k in range(s.stacks):
        if s.stack_id[k] == number:
            return k
    return -1


@kernel
def position_in(s: Any, k: Int, card: Int) -> Int:
    """The lowest position of a card in stack k, -1 when it is not there."""
    for i in range(s.stack_length[k]):
        if s.court[s.stack_start[k] + i] == card:
            return i
    return -1


# One number holds 16 bits for each house.


@kernel
def part(packed: Int, house: Int) -> Int:
    return packed >> 16 * house & 0xFFFF


@kernel
def total(packed: Int) -> Int:
    return part(packed, 0) + part(packed, 1) + part(packed, 2) + part(packed, 3)


@kernel
def census(s: Any, inner: bool) -> tuple[Int, Int]:
    """Influence (Jester 1) and number of the nobles in the Inner Circle, or of all at court, by house."""
    influence, nobles = np.int64(0), np.int64(0)
    for k in range(s.stacks):
        if s.stack_side[k] == INNER or not inner:
            for i in range(s.stack_start[k], s.stack_start[k + 1]):
                card = np.int64(s.court[i])
                influence += WORTH[rank_of(card)] << 16 * house_of(card)
                nobles += np.int64(1) << 16 * house_of(card)
    return influence, nobles


@kernel
def tally(s: Any, house: Int) -> tuple[Int, Int, Int, Int]:
    """A house at court: influence and number of its nobles, then the same in the Inner Circle alone (Jester 1)."""
    (value, nobles), (inner_value, inner_nobles) = census(s, False), census(s, True)
    return part(value, house), part(nobles, house), part(inner_value, house), part(inner_nobles, house)


# Hand, limit and deck (M04, M08)


@kernel
def within_limit(s: Any, seat: Int, rank: Int) -> bool:
    """A card may be played only if its value (Jester 1) is not above the player's limit."""
    return s.limit[seat] == NO_LIMIT or WORTH[rank] <= s.limit[seat]


@kernel
def playable(s: Any, seat: Int) -> Int:
    """The ranks in hand that may be played, a bit set."""
    ranks = np.int64(0)
    for rank in range(RANK_COUNT):
        ranks |= np.int64(s.hand[seat, rank] > 0 and within_limit(s, seat, rank)) << rank
    return ranks


@kernel
def can_play(s: Any, seat: Int) -> bool:
    return playable(s, seat) != 0


@kernel
def into_hand(s: Any, seat: Int, rank: Int) -> None:
    s.hand[seat, rank] += 1
    s.hand_size[seat] += 1


@kernel
def leave_hand(s: Any, seat: Int, rank: Int) -> None:
    s.hand[seat, rank] -= 1
    s.hand_size[seat] -= 1


@kernel
def show(s: Any, seat: Int, rank: Int) -> None:
    """A card of the hand, or one put aside from it face down, is seen: one less is known to be among these."""
    if s.known[seat, rank] > 0:
        s.known[seat, rank] -= 1


@kernel
def draw_top(s: Any, seat: Int) -> Int:
    """Take the top card of the deck. Returns its rank."""
    s.deck_size[seat] -= 1
    top = np.int64(s.deck_size[seat])
    rank = np.int64(s.deck[seat, top]) - 1
    s.deck[seat, top] = 0
    if s.bottom_size[seat] > top:
        s.bottom_size[seat] = top
        s.bottom[seat, top] = 0
    return rank


@kernel
def reveal_top(s: Any, seat: Int) -> Int:
    """Draw the top card openly; a planned one is no longer among the hidden cards."""
    planned = s.bottom_size[seat] == s.deck_size[seat]
    rank = draw_top(s, seat)
    if planned:
        show(s, seat, rank)
    return rank


@kernel
def deck_with_fringe(s: Any, seat: Int) -> Int:
    """How many cards the deck has, with the fringe card that lies on top of it (M30); a permanent one lies apart."""
    return np.int64(s.deck_size[seat]) + (s.fringe_place[seat] == FACE_UP or s.fringe_place[seat] == FACE_DOWN)


@kernel
def has_deck(s: Any, seat: Int) -> bool:
    """Whether there is a deck to plan into: the face-up fringe card on top of it counts (M16)."""
    return s.deck_size[seat] > 0 or s.fringe_place[seat] == FACE_UP


# Set-up (M20, M30)


@kernel
def setup(s: Any, log: Any) -> None:
    s.rotation, s.next_id = 0, 1
    for p in range(s.seats):
        s.limit[p] = NO_LIMIT
        cards, n = s.deck[p], 0
        for part in range(2):
            # The nobles of 2 to 10, then the specials.
            for rank in range(9 * part, 9 if part == 0 else RANK_COUNT):
                s.in_game[p, rank] = COPIES[s.game, rank]
                for _ in range(COPIES[s.game, rank]):
                    cards[n] = rank + 1
                    n += 1
            if s.game == FRINGE and part == 0:
                chance.shuffle(s, log, SHUFFLE, cards, n)
                # The top three go to the Inner Circle: they lie aside while the specials are shuffled in.
                top, second, third = cards[n - 1], cards[n - 2], cards[n - 3]
                n -= 3
        chance.shuffle(s, log, SHUFFLE if s.game == BASE else SPECIALS, cards, n)
        if s.game == FRINGE:
            cards[n], cards[n + 1], cards[n + 2] = third, second, top
            n += 3
        s.deck_size[p] = n
    deal(s, log)


@kernel
def deal(s: Any, log: Any) -> None:
    """Deal from decks in order: nobles to the Inner Circle, hands, fringe cards; then the first turn begins."""
    for p in range(s.seats):
        for _ in range(4 if s.game == BASE else 3):
            new_stack(s, card_of(p, draw_top(s, p)), INNER)
        for _ in range(5):
            into_hand(s, p, draw_top(s, p))
        if s.game == FRINGE:
            s.fringe_up[p] = draw_top(s, p) + 1
            s.fringe_place[p] = FACE_UP
    if s.game == BASE:
        influence, _ = census(s, True)
        ahead = part(influence, 0) - part(influence, 1)
        starts = chance.pick(s, log, FIRST, 2) if ahead == 0 else np.int64(ahead < 0)
        s.order[0], s.order[1] = starts, 1 - starts
    else:
        s.step = s.seats
    next_turn(s, log)
    s.first = s.order[0]


# Rounds and turns (M07, M21, M31-M34)


@kernel
def next_turn(s: Any, log: Any) -> None:
    """The turn of the next player who can play. Between rounds the end check (M82); ``ending`` says why it is over."""
    while s.ending == 0:
        if s.step == s.seats:
            if s.game == FRINGE:
                s.ending = round_end(s)
                if s.ending > 0:
                    return
                new_round(s, log)
            s.step = 0
        seat = np.int64(s.order[s.step])
        able = can_play(s, seat)
        if able and s.turn_cap > 0 and turns_taken(s) >= s.turn_cap:
            s.ending = BY_CAP
            return
        s.turn += 1
        begin_turn(s, seat)
        if able:
            return
        # He is stuck (M80); in the base game that is the end (M27).
        emit(log, TELL_STUCK, seat)
        if s.game == BASE:
            s.ending = BY_STUCK
        s.stuck |= 1 << seat
        if s.fringe_place[seat] == FACE_UP:
            s.fringe_down[seat], s.fringe_up[seat] = s.fringe_up[seat], 0
            s.fringe_place[seat] = FACE_DOWN
            s.known[seat, s.fringe_down[seat] - 1] += 1
        s.step += 1


@kernel
def turns_taken(s: Any) -> Int:
    """Turns completed: those of players who were stuck are none, and the game ends with the round that has any."""
    count = np.int64(s.turn)
    for p in range(s.seats):
        count -= s.stuck >> p & 1
    return count


@kernel
def begin_turn(s: Any, seat: Int) -> None:
    s.phase, s.acting = PLAY, 1 << seat


@kernel
def ahead(s: Any, seat: Int) -> Int:
    """The seat's turn of this round, an attack that waits for answers set aside. Not once it has begun or is over.

    Then it has to choose a fringe card, or all of these are turned up and fix another order (M31-M34). Not either for
    a player who is stuck (M80).
    """
    place = 0
    while s.order[place] != seat:
        place += 1
    if s.over != 0 or not can_play(s, seat):
        return 0
    if place != s.step or s.phase != PLAY:
        if s.game == FRINGE and place <= s.step:
            return 0
        s.step = place
        forget_attack(s)
        for i in range(COURT):
            s.mark[i] = 0
        begin_turn(s, seat)
    return 1


@kernel
def new_round(s: Any, log: Any) -> None:
    """Face-down fringe cards are turned up; they fix the order, ties the nobles in the Inner Circle, then chance."""
    n = np.int64(s.seats)
    emit(log, TELL_REVEALED, -1)
    for p in range(n):
        if s.fringe_place[p] == FACE_DOWN:
            s.fringe_up[p], s.fringe_down[p] = s.fringe_down[p], 0
            s.fringe_place[p] = FACE_UP
            show(s, p, np.int64(s.fringe_up[p]) - 1)
        attach(log, card_of(p, s.fringe_up[p] - 1) if s.fringe_up[p] > 0 else 0)
        s.order[p] = p
    bids, tied = np.zeros(SEATS, np.int64), False
    _, nobles = census(s, True)
    for p in range(n):
        # Fringe value, then nobles in the Inner Circle (M32, M33).
        bids[p] = fringe_value(s, p) * 1000 + part(nobles, p)
        for q in range(p):
            tied = tied or bids[p] == bids[q]
    if tied:
        chance.shuffle(s, log, ORDER, s.order[:], n)
    for i in range(1, n):
        p, j = s.order[i], i
        while j > 0 and bids[s.order[j - 1]] < bids[p]:
            s.order[j] = s.order[j - 1]
            j -= 1
        s.order[j] = p
    s.stuck = 0
    emit(log, TELL_ORDER, -1, -1, s.turn)
    for i in range(n):
        attach(log, s.order[i])


@kernel
def fringe_value(s: Any, p: Int) -> Int:
    """The fringe-order value of a face-up fringe card; below 0 without one."""
    return WORTH[s.fringe_up[p] - 1] if s.fringe_up[p] > 0 else -1


# Legal moves (M07)


@kernel
def legal(s: Any, seat: Int, out: Any) -> Int:
    if s.phase == GUARD:
        return list_cards(guardable(s, seat), GUARD_FIRST, out, 0, NOGUARD)
    if s.phase == SCAPEGOAT:
        return list_cards(savable(s, seat), SCAPEGOAT_FIRST, out, 0, NOSCAPEGOAT)
    if s.phase == PUT:
        held = np.int64(0)
        for rank in range(RANK_COUNT):
            held |= np.int64(s.hand[seat, rank] > 0) << rank
        return list_ranks(held, PUT_FIRST, out, 0)
    if s.use == ALLY:
        for k in range(s.stacks):
            out[k] = ONTO + k
        return np.int64(s.stacks)
    if s.use == CONSPIRE:
        if s.target > 0 or s.target_fringe > 0:
            return legal_clauses(s, seat, out)
        if s.onto > 0:
            return legal_targets(s, seat, out)
        return legal_stacks(s, seat, out)
    return legal_plays(s, seat, out)


@kernel
def list_ranks(ranks: Int, first: Int, out: Any, n: Int) -> Int:
    """Actions from ``first`` on for a bit set of ranks, without a branch; what is written last may not count."""
    for rank in range(RANK_COUNT):
        out[n] = first + rank
        n += ranks >> rank & 1
    return n


@kernel
def list_cards(cards: Int, first: Int, out: Any, n: Int, last: Int) -> Int:
    """Actions from ``first`` on for a bit set of cards (bit card - 1), then the action ``last`` if it is not -1."""
    for house in range(SEATS):
        n = list_ranks(cards >> RANK_COUNT * house, first + RANK_COUNT * house, out, n)
    if last >= 0:
        out[n] = last
        n += 1
    return n


@kernel
def legal_plays(s: Any, seat: Int, out: Any) -> Int:
    ranks = playable(s, seat)
    n = list_ranks(ranks, SEND, out, 0)
    if s.stacks > 0:
        n = list_ranks(ranks, ALLY_FIRST, out, n)
    if has_deck(s, seat):
        n = list_ranks(ranks, PLAN, out, n)
    return list_ranks(ranks & conspirators(s, seat), CONSPIRE_FIRST, out, n)


@kernel
def played_top(s: Any, seat: Int, rank: Int) -> Int:
    """The highest value of a card when played into a conspiracy: a Jester's is 10, or the player's limit (M71)."""
    if rank != JESTER:
        return WORTH[rank]
    return min(10, np.int64(s.limit[seat])) if s.limit[seat] != NO_LIMIT else 10


@kernel
def highest(s: Any, k: Int) -> Int:
    """The highest value a stack on the table can have: Jesters 10. The lowest is its ``stack_value``."""
    return np.int64(s.stack_value[k]) + 9 * s.stack_jesters[k]


@kernel
def lowest_targets(s: Any) -> tuple[Int, Int, Int]:
    """Fringe: the lowest value a target can have, the stack that has it (-1: a fringe card), that of other targets."""
    least, where, second = np.int64(NEVER), -1, np.int64(NEVER)
    for p in range(s.seats):
        if s.fringe_up[p] > 0:
            least = min(least, fringe_value(s, p))
    second = least
    for k in range(s.stacks):
        low = np.int64(s.stack_value[k])
        second = min(second, max(low, least))
        where = k if low < least else where
        least = min(low, least)
    return least, where, second


@kernel
def conspirators(s: Any, seat: Int) -> Int:
    """The ranks with which some conspiracy can succeed, a bit set (M23, M53)."""
    ranks = np.int64(0)
    if s.game == FRINGE:
        least, where, second = lowest_targets(s)
        need = np.int64(NEVER)
        for k in range(s.stacks):
            need = min(need, (second if k == where else least) + 1 - highest(s, k))
        for rank in range(RANK_COUNT):
            ranks |= np.int64(played_top(s, seat, rank) >= need) << rank
        return ranks
    found = gaps(s)
    for rank in range(RANK_COUNT):
        ranks |= ((found >> WIDEST + WORTH[rank] | found >> WIDEST - WORTH[rank]) & 1) << rank
    # A Jester can have other values, too (M71); none above 1 under a limit of 0, which he may not be played under.
    top = max(1, played_top(s, seat, JESTER))
    named = (found >> WIDEST + 1 | found >> WIDEST - top) & (1 << top) - 1
    return ranks | np.int64(named != 0) << JESTER


@kernel
def gaps(s: Any) -> Int:
    """How much more than another stack one can be worth: bit WIDEST + gap, from -WIDEST to WIDEST - 1.

    Only one of two stacks is compared with the other: a gap of theirs is minus one the other way round.
    """
    found, base, beyond = np.int64(0), np.int64(0), True
    while beyond:
        # Each stack with all before it at once: the values these can have are bits of one number.
        earlier, beyond, top = np.int64(0), False, BLOCK + 2 * WIDEST - 1
        for k in range(s.stacks):
            low, high = s.stack_value[k] - base, highest(s, k) - base
            for value in range(max(low, 0), min(high, BLOCK - 1) + 1):
                found |= earlier >> value
            first, end = min(max(low + WIDEST, 0), top), min(max(high + WIDEST + 1, 0), top)
            earlier |= (np.int64(1) << end) - (np.int64(1) << first)
            beyond |= high >= BLOCK
        base += BLOCK
    return found & (1 << 2 * WIDEST) - 1


@kernel
def legal_stacks(s: Any, seat: Int, out: Any) -> Int:
    """The stack that conspires: what leaves a target (M51-M53)."""
    n, rank = 0, np.int64(s.played) - 1
    bottom, top = WORTH[rank], played_top(s, seat, rank)
    if s.game == FRINGE:
        least, where, second = lowest_targets(s)
        for k in range(s.stacks):
            out[n] = ONTO + k
            n += highest(s, k) + top > (second if k == where else least)
        return n
    for k in range(s.stacks):
        low, high, possible = s.stack_value[k] + bottom, highest(s, k) + top, False
        for y in range(s.stacks):
            possible |= (y != k) & can_equal(s, low, high, y)
        out[n] = ONTO + k
        n += possible
    return n


@kernel
def can_equal(s: Any, low: Int, high: Int, y: Int) -> bool:
    """Whether a stack worth from ``low`` to ``high`` and stack y can have equal values (M23)."""
    return (low <= highest(s, y)) & (s.stack_value[y] <= high)


@kernel
def legal_targets(s: Any, seat: Int, out: Any) -> Int:
    """The target: what leaves a legal conspiracy (M51-M53)."""
    n, rank, onto = 0, np.int64(s.played) - 1, np.int64(s.onto) - 1
    low, high = s.stack_value[onto] + WORTH[rank], highest(s, onto) + played_top(s, seat, rank)
    base = s.game == BASE
    for k in range(s.stacks):
        out[n] = TARGET + k
        n += (k != onto) & (can_equal(s, low, high, k) if base else s.stack_value[k] < high)
    for p in range(0 if base else s.seats):
        out[n] = TARGET_FRINGE + p
        n += (s.fringe_up[p] > 0) & (fringe_value(s, p) < high)
    return n


# Values of the two stacks of a conspiracy (M05, M06)


@kernel
def values(s: Any, seat: Int, which: Int) -> tuple[Int, Int, Int, bool, Int, Int]:
    """Values of the conspiracy (0, the played card on top) or the target (1) that named and unnamed Jesters allow.

    By house: the lowest values, the highest, the numbers of cards; then whether the seat's own Spy is there; house
    and highest value of the Jester to be named next (-1, 0: none is left). What is not named in the end counts 10 in
    the conspiracy and 1 in the target: the highest there, the lowest here.
    """
    lows, highs, counts, spy = np.int64(0), np.int64(0), np.int64(0), False
    k, named = np.int64(s.onto if which == 0 else s.target) - 1, 0
    next_house, next_top = np.int64(-1), np.int64(0)
    own = card_of(seat, np.int64(s.played) - 1) if which == 0 else 0
    cards = np.int64(s.stack_length[k])
    for i in range(cards + (own > 0)):
        card = np.int64(s.court[s.stack_start[k] + i]) if i < cards else own
        house, rank = house_of(card), rank_of(card)
        low, high = WORTH[rank], WORTH[rank]
        if rank == JESTER:
            high = np.int64(10) if i < cards else played_top(s, seat, rank)
            if named < s.naming[which]:
                low, high = np.int64(s.named[which, named]), np.int64(s.named[which, named])
            elif next_house < 0:
                next_house, next_top = house, high
            named += 1
        lows += low << 16 * house
        highs += high << 16 * house
        counts += np.int64(1) << 16 * house
        spy = spy or card == card_of(seat, SPY)
    return lows, highs, counts, spy, next_house, next_top


# Control (M40-M44)


@kernel
def can_control(s: Any, seat: Int, lows: Int, highs: Int, counts: Int, need: Int) -> bool:
    """Whether the seat can control the conspiracy while it is worth more than ``need``.

    A stack of one house is that house's (M43). His card lies on top, so equal sums are his with plurality_tie=top.
    """
    mine = part(highs, seat)
    if total(counts) == part(counts, seat):
        return mine > need
    if s.control == MAJORITY:
        low, high = total(lows) - part(lows, seat), total(highs) - mine
        return mine > low and mine + min(high, mine - 1) > need
    value = mine
    for house in range(s.seats):
        if house != seat and part(counts, house) > 0:
            rival = min(part(highs, house), mine - (s.plurality_tie == TIE_NONE))
            if rival < part(lows, house):
                return False
            value += rival
    return value > need


@kernel
def can_lack(s: Any, seat: Int, lows: Int, highs: Int, counts: Int, need: Int) -> bool:
    """Whether the seat can lack control of the conspiracy while it is worth more than ``need``."""
    least, most = part(lows, seat), part(highs, seat)
    if total(counts) == part(counts, seat):
        return False
    rivals = total(highs) - most
    if s.control == MAJORITY:
        return rivals >= least and rivals + min(most, rivals) > need
    for house in range(s.seats):
        if house != seat and part(counts, house) > 0:
            mine = min(most, part(highs, house) - (s.plurality_tie == TIE_TOP))
            if mine >= least and rivals + mine > need:
                return True
    return False


@kernel
def controller_of_target(s: Any) -> Int:
    """The house that controls the target stack, -1 for nobody (M40-M44); Jesters as named."""
    k = np.int64(s.target) - 1
    start, end = np.int64(s.stack_start[k]), np.int64(s.stack_start[k + 1])
    lows, _, counts, _, _, _ = values(s, 0, 1)
    if s.spy_defends and end - start > 1:
        defender, spies = np.int64(-1), 0
        for house in range(s.seats):
            if position_in(s, k, card_of(house, SPY)) >= 0:
                defender, spies = np.int64(house), spies + 1
        if spies == 1:
            return defender
    best, first, tied = np.int64(-1), np.int64(-1), False
    for house in range(s.seats):
        if part(counts, house) == 0:
            continue
        worth = part(lows, house)
        if part(counts, house) == end - start or (s.control == MAJORITY and 2 * worth > total(lows)):
            return np.int64(house)
        tied = worth == best or (tied and worth < best)
        if worth > best:
            best, first = worth, np.int64(house)
    if s.control == MAJORITY or (tied and s.plurality_tie == TIE_NONE):
        return np.int64(-1)
    if tied:
        for i in range(end - 1, start - 1, -1):
            if part(lows, house_of(np.int64(s.court[i]))) == best:
                return house_of(np.int64(s.court[i]))
    return first


# Conspire (M50-M53): the clauses after the target


@kernel
def wants_single(s: Any) -> bool:
    """Whether an uncontrolled conspiracy must single out a noble: a target stack of two or more (fringe only)."""
    return s.game == FRINGE and s.target > 0 and s.stack_length[s.target - 1] > 1


@kernel
def target_range(s: Any) -> tuple[Int, Int, Int]:
    """Lowest and highest value the target can have, and 10 when one of its Jesters can still be named."""
    if s.target_fringe > 0:
        worth = fringe_value(s, np.int64(s.target_fringe) - 1)
        return worth, worth, np.int64(0)
    lows, highs, _, _, _, top = values(s, 0, 1)
    return total(lows), total(highs), top


@kernel
def completes(s: Any, seat: Int, lows: Int, highs: Int, counts: Int, spy: bool, low: Int, high: Int, use: Int) -> bool:
    """Whether a conspiracy with values of this range is legal, its clauses being what they are.

    ``use``: with ``nospy`` (NOSPY), without (DONE), or either (0). ``low`` and ``high`` are the target's values.
    """
    if s.game == BASE:
        return use != NOSPY and total(lows) <= high and low <= total(highs)
    if total(highs) <= low:
        return False
    wanted = s.single == 0 and wants_single(s)
    if use != NOSPY:
        if spy:
            if s.single == 0:
                return True
        elif s.single > 0:
            if can_lack(s, seat, lows, highs, counts, low):
                return True
        elif not wanted or can_control(s, seat, lows, highs, counts, low):
            return True
    return use != DONE and spy and not wanted and can_lack(s, seat, lows, highs, counts, low)


@kernel
def open_clauses(s: Any, seat: Int) -> Int:
    """What can follow, a bit set: a noble singled out, values of the conspiracy, of the target, ``nospy``, the end."""
    lows, highs, counts, spy, _, own_top = values(s, seat, 0)
    low, _, target_top = target_range(s)
    found = 0
    first = s.single == 0 and s.naming[0] == 0 and s.naming[1] == 0
    if first and wants_single(s) and can_lack(s, seat, lows, highs, counts, low):
        found |= SINGLE_NEXT
    # The values of one stack come together, and those of the conspiracy first.
    if own_top > 0 and s.naming[1] == 0:
        found |= OWN_NEXT
        if s.naming[0] > 0:
            return found
    if target_top > 0:
        found |= TARGET_NEXT
        if s.naming[1] > 0:
            return found
    if completes(s, seat, highs, highs, counts, spy, low, low, NOSPY):
        found |= NOSPY_NEXT
    if completes(s, seat, highs, highs, counts, spy, low, low, DONE):
        found |= DONE_NEXT
    return found


@kernel
def legal_clauses(s: Any, seat: Int, out: Any) -> Int:
    """The noble singled out, the next Jester's value, ``nospy``, ``done``: what leads to a legal conspiracy (M50)."""
    found, n = open_clauses(s, seat), np.int64(0)
    if found & SINGLE_NEXT:
        cards, k = np.int64(0), np.int64(s.target) - 1
        for i in range(s.stack_start[k], s.stack_start[k + 1]):
            cards |= np.int64(1) << np.int64(s.court[i]) - 1
        n = list_cards(cards, SINGLE_OUT, out, n, -1)
    if found & (OWN_NEXT | TARGET_NEXT):
        lows, highs, counts, spy, house, top = values(s, seat, 0)
        low, high, _ = target_range(s)
        for which in range(2):
            if not found & (OWN_NEXT << which):
                continue
            for value in range(1, (top if which == 0 else 10) + 1):
                if which == 0:
                    least, most = lows + (value - 1 << 16 * house), highs - (top - value << 16 * house)
                    possible = completes(s, seat, least, most, counts, spy, low, high, 0)
                else:
                    possible = completes(s, seat, highs, highs, counts, spy, low + value - 1, high - 10 + value, 0)
                if possible:
                    out[n] = JESTER_VALUE + 10 * which + value - 1
                    n += 1
    if found & NOSPY_NEXT:
        out[n] = NOSPY
        n += 1
    if found & DONE_NEXT:
        out[n] = DONE
        n += 1
    return n


# Applying a decision


@kernel
def apply(s: Any, seat: Int, action: Int, log: Any) -> None:
    """A decision, then all that follows without one: reactions are asked for, the attack happens, cards are drawn."""
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
    elif action < ALLY_FIRST or PLAN <= action < CONSPIRE_FIRST:
        send_or_plan(s, seat, action, log)
    else:
        s.midmove = 1 << seat
        s.use = ALLY if action < PLAN else CONSPIRE
        s.played = action - (ALLY_FIRST if action < PLAN else CONSPIRE_FIRST) + 1
    if s.phase == ASK_GUARDS:
        ask_guards(s)
    if s.phase == ASK_SCAPEGOAT:
        ask_scapegoat(s)
    if s.phase == STRIKE:
        strike(s, log)
    if s.phase == DRAW:
        draw(s, np.int64(s.order[s.step]), log)
    if s.phase == TURN_OVER:
        s.step += 1
        next_turn(s, log)
    if s.ending > 0:
        finish(s, log)


# Send, ally, plan (M12-M17)


@kernel
def send_or_plan(s: Any, seat: Int, action: Int, log: Any) -> None:
    """A lone noble in the Outer Court (M12), or a card under the bottom of the own deck, unseen by others (M16)."""
    rank = action - (SEND if action < PLAN else PLAN)
    leave_hand(s, seat, rank)
    s.phase = DRAW
    if action < PLAN:
        show(s, seat, rank)
        emit(log, TELL_SENT, seat, -1, card_of(seat, rank), s.next_id)
        new_stack(s, card_of(seat, rank), seat + 1)
        return
    for i in range(s.deck_size[seat], 0, -1):
        s.deck[seat, i] = s.deck[seat, i - 1]
    for i in range(s.bottom_size[seat], 0, -1):
        s.bottom[seat, i] = s.bottom[seat, i - 1]
    s.deck[seat, 0], s.bottom[seat, 0] = rank + 1, rank + 1
    s.deck_size[seat] += 1
    s.bottom_size[seat] += 1
    emit(log, TELL_PLANNED, seat, 1 << seat, card_of(seat, rank))


@kernel
def ally(s: Any, seat: Int, k: Int, log: Any) -> None:
    """The card goes on top of a stack (M13)."""
    rank = np.int64(s.played) - 1
    leave_hand(s, seat, rank)
    show(s, seat, rank)
    s.phase, s.use, s.played, s.midmove = DRAW, 0, 0, 0
    emit(log, TELL_ALLIED, seat, -1, card_of(seat, rank), s.stack_id[k])
    put_on_top(s, k, card_of(seat, rank))
    if rank == MINISTER and s.stack_length[k] > 2:
        # He eliminates all the others (M15).
        emit(log, TELL_ELIMINATED, -1, -1, s.stack_id[k])
        while s.stack_length[k] > 1:
            discard_from(s, k, log)
    elif rank == LADY:
        # All become lone nobles in the same zone, each at its owner's side; the bottom card keeps the id (M14).
        outer = s.stack_side[k] != INNER
        emit(log, TELL_SEPARATED, -1, -1, s.stack_id[k])
        card = np.int64(s.court[s.stack_start[k]])
        attach(log, card)
        s.stack_side[k] = house_of(card) + 1 if outer else INNER
        while s.stack_length[k] > 1:
            card = take_out(s, k, 1)
            attach(log, card)
            new_stack(s, card, house_of(card) + 1 if outer else INNER)


# Conspire (M23, M50-M61)


@kernel
def conspire(s: Any, seat: Int, action: Int, log: Any) -> None:
    """The next clause of a conspiracy; when nothing else can follow, or with ``done``, it is declared."""
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
        which, value = (action - JESTER_VALUE) // 10, (action - JESTER_VALUE) % 10
        s.named[which, s.naming[which]] = value + 1
        s.naming[which] += 1
    if action >= NOSPY or open_clauses(s, seat) == DONE_NEXT:
        declare(s, seat, action == NOSPY, log)


@kernel
def declare(s: Any, seat: Int, nospy: bool, log: Any) -> None:
    """Control is computed once, with the played card and the named values (M45); then come reactions and effect."""
    _, highs, counts, spy, _, _ = values(s, seat, 0)
    s.worth[0], s.worth[1] = total(highs), target_range(s)[0]
    controlled = (spy and not nospy) or can_control(s, seat, highs, highs, counts, -1)
    rank, onto, target = np.int64(s.played) - 1, np.int64(s.onto) - 1, np.int64(s.target) - 1
    number = s.stack_id[target] if target >= 0 else 0
    emit(log, TELL_CONSPIRED, seat, -1, card_of(seat, rank), s.stack_id[onto], number, s.target_fringe)
    attach(log, s.worth[0])
    attach(log, s.worth[1])
    leave_hand(s, seat, rank)
    show(s, seat, rank)
    put_on_top(s, onto, card_of(seat, rank))
    s.phase = DRAW
    if s.game == BASE:
        discard_equal(s, number, s.worth[1], log)
    elif target < 0:
        hit_fringe(s, np.int64(s.target_fringe) - 1, log)
    else:
        s.target_controller = controller_of_target(s) + 1
        inner = s.stack_side[target] == INNER
        if controlled:
            s.attack = DEMOTE_ALL if inner else DISCARD_ALL
        else:
            s.attack = DEMOTE_ONE if inner else DISCARD_ONE
            s.single = max(np.int64(s.single), 1)
            card = s.court[s.stack_start[target] + s.single - 1]
            emit(log, TELL_SINGLED, seat, -1, card, number, s.stack_side[target])
        s.phase, s.asked = ASK_GUARDS, (1 << np.int64(s.seats)) - 1
    s.use, s.played, s.midmove = 0, 0, 0
    for which in range(2):
        s.naming[which] = 0
        for i in range(JESTERS):
            s.named[which, i] = 0


@kernel
def discard_equal(s: Any, target: Int, value: Int, log: Any) -> None:
    """Base: the target is discarded (M23); with base_conspire=all every other stack of that value too (M24)."""
    onto = np.int64(s.stack_id[s.onto - 1])
    for k in range(np.int64(s.stacks) - 1, -1, -1):
        number = np.int64(s.stack_id[k])
        equal = s.base_conspire == CONSPIRE_ALL and number != onto and s.stack_value[k] == value
        if number == target or equal:
            emit(log, TELL_DISCARDED, -1, -1, number)
            for _ in range(np.int64(s.stack_length[k])):
                discard_from(s, k, log)


@kernel
def hit_fringe(s: Any, p: Int, log: Any) -> None:
    """The fringe card goes to its owner's pile, no reaction (M61); with fringe_refill=reveal the next one is shown."""
    card = card_of(p, np.int64(s.fringe_up[p]) - 1)
    s.discard[p, rank_of(card)] += 1
    emit(log, TELL_FRINGE_HIT, -1, -1, p, card)
    s.fringe_up[p], s.fringe_place[p] = 0, NO_FRINGE
    if s.fringe_refill == REVEAL and s.deck_size[p] > 0:
        s.fringe_up[p], s.fringe_place[p] = reveal_top(s, p) + 1, FACE_UP
        emit(log, TELL_REFILLED, p, -1, card_of(p, s.fringe_up[p] - 1))


# Reactions (M65-M69). ``mark`` has an entry for each card of the target, bottom to top.


@kernel
def singles_out(s: Any) -> bool:
    return s.attack == DEMOTE_ONE or s.attack == DISCARD_ONE


@kernel
def affected(s: Any, i: Int) -> bool:
    """Whether the attack still takes the i-th card of the target."""
    return s.mark[i] == 0 and (not singles_out(s) or i == s.single - 1)


@kernel
def guard_of(s: Any, p: Int) -> Int:
    """The position of p's unspent Bodyguard in the target, -1 without one who may act in this attack (M65)."""
    i = position_in(s, np.int64(s.target) - 1, card_of(p, BODYGUARD))
    return i if i >= 0 and s.mark[i] != SPENT and (s.bodyguard_scope == ANY or singles_out(s)) else -1


@kernel
def guardable(s: Any, p: Int) -> Int:
    """The cards that p's Bodyguard can keep, as a bit set of card - 1 (M65, M66)."""
    cards, guard, k = np.int64(0), guard_of(s, p), np.int64(s.target) - 1
    for i in range(s.stack_length[k] if guard >= 0 else 0):
        card = np.int64(s.court[s.stack_start[k] + i])
        if i != guard and affected(s, i) and (s.bodyguard_saves == ANY_HOUSE or house_of(card) == p):
            cards |= np.int64(1) << card - 1
    return cards


@kernel
def savable(s: Any, p: Int) -> Int:
    """The cards that a scapegoat can save for p, a bit set of card - 1: his own nobles still to be discarded (M67)."""
    cards, k = np.int64(0), np.int64(s.target) - 1
    for i in range(s.stack_length[k]):
        card = np.int64(s.court[s.stack_start[k] + i])
        if affected(s, i) and house_of(card) == p:
            cards |= np.int64(1) << card - 1
    return cards


@kernel
def lowest_affected(s: Any, card: Int, guard: Int) -> Int:
    """The lowest position in the target at which this card is still taken, leaving out position ``guard``."""
    k = np.int64(s.target) - 1
    for i in range(s.stack_length[k]):
        if s.court[s.stack_start[k] + i] == card and affected(s, i) and i != guard:
            return i
    return -1


@kernel
def ask_guards(s: Any) -> None:
    """Owners of Bodyguards decide in seat order after the active player, he last (M66)."""
    active = np.int64(s.order[s.step])
    for distance in range(1, s.seats + 1):
        p = (active + distance) % s.seats
        if s.asked >> p & 1:
            s.asked &= ~(1 << p)
            if guardable(s, p) != 0:
                s.phase, s.acting = GUARD, 1 << p
                return
    s.phase = ASK_SCAPEGOAT


@kernel
def answer_guard(s: Any, seat: Int, action: Int, log: Any) -> None:
    s.phase = ASK_GUARDS
    if action != NOGUARD:
        card, guard = action - GUARD_FIRST + 1, guard_of(s, seat)
        s.mark[lowest_affected(s, card, guard)] = SAVED
        s.mark[guard] = SPENT
        emit(log, TELL_GUARDED, seat, -1, card, s.stack_id[s.target - 1])
        if singles_out(s):
            s.phase = STRIKE


@kernel
def ask_scapegoat(s: Any) -> None:
    """The target's controller may put his fringe card in the place of one of his nobles (M67, M36)."""
    p = np.int64(s.target_controller) - 1
    s.phase = STRIKE
    if p < 0 or s.attack == DEMOTE_ALL or s.attack == DEMOTE_ONE or s.fringe_place[p] == NO_FRINGE:
        return
    if s.fringe_place[p] == FACE_DOWN and s.fringe_after_turn == HIDDEN:
        return
    if (s.lone_scapegoat or s.stack_length[s.target - 1] > 1) and savable(s, p) != 0:
        s.phase, s.acting = SCAPEGOAT, 1 << p


@kernel
def answer_scapegoat(s: Any, seat: Int, action: Int, log: Any) -> None:
    """The fringe card goes to its owner's pile and the noble becomes his face-up fringe card (M67, M72)."""
    s.phase = STRIKE
    if action == NOSCAPEGOAT:
        return
    card = action - SCAPEGOAT_FIRST + 1
    s.mark[lowest_affected(s, card, -1)] = TO_FRINGE
    spent = np.int64(s.fringe_up[seat]) - 1
    if s.fringe_place[seat] == FACE_DOWN:
        spent = np.int64(s.fringe_down[seat]) - 1
        show(s, seat, spent)
        s.fringe_down[seat], s.fringe_place[seat] = 0, FACE_UP
    s.discard[seat, spent] += 1
    s.fringe_up[seat] = rank_of(card) + 1
    emit(log, TELL_SCAPEGOAT, seat, -1, card, card_of(seat, spent))
    if s.fringe_place[seat] == PERMANENT and s.limit_follows_fringe:
        s.limit[seat] = limit_of(s, rank_of(card))


# The attack (M54-M60)


@kernel
def strike(s: Any, log: Any) -> None:
    """Carry the attack out on all cards that were not saved. Cards saved stay in place in their stack."""
    k, controller = np.int64(s.target) - 1, np.int64(s.target_controller) - 1
    number, demotes = s.stack_id[k], s.attack == DEMOTE_ALL or s.attack == DEMOTE_ONE
    cards, staying = np.int64(s.stack_length[k]), 0
    for i in range(cards):
        staying += s.mark[i] == SAVED or (s.mark[i] == 0 and not affected(s, i))
    if s.attack == DEMOTE_ALL and s.stack_side[s.onto - 1] != INNER:
        s.stack_side[s.onto - 1] = INNER
        emit(log, TELL_PROMOTED, s.order[s.step], -1, s.stack_id[s.onto - 1])
    # A stack is demoted to its controller's side, a single noble to its owner's (M56, M58).
    side = controller + 1
    if s.attack == DEMOTE_ONE:
        side = house_of(np.int64(s.court[s.stack_start[k] + s.single - 1])) + 1
    kind = TELL_DISCARDED
    if demotes:
        kind = TELL_DEMOTED if side > 0 else TELL_DISBANDED
    emit(log, kind, -1, -1, number, side, np.int64(singles_out(s)))
    whole = demotes and staying == 0 and side > 0
    if whole:
        s.stack_side[k] = side
    at, group = 0, np.int64(-1)
    for i in range(cards):
        mark, taken = s.mark[i], affected(s, i)
        s.mark[i] = 0
        if whole:
            attach(log, s.court[s.stack_start[k] + i])
            continue
        if mark == SAVED or (mark == 0 and not taken):
            at += 1
            continue
        card = take_out(s, k, at)
        if taken:
            attach(log, card)
        if mark == SPENT or (taken and not demotes):
            discard(s, card)
        elif taken and group >= 0:
            put_on_top(s, group, card)
        elif taken:
            # Nobody controls it: it is disbanded, each card at its owner's side (M57).
            created = new_stack(s, card, side if side > 0 else house_of(card) + 1)
            group = created if side > 0 else group
    s.phase = DRAW


# Drawing and putting back (M21, M26, M35, M70)


@kernel
def limit_of(s: Any, rank: Int) -> Int:
    return np.int64(s.jester_limit) if rank == JESTER else WORTH[rank]


@kernel
def forget_attack(s: Any) -> None:
    s.onto, s.target, s.target_fringe, s.single = 0, 0, 0, 0
    s.attack, s.target_controller, s.asked = 0, 0, 0
    s.worth[0], s.worth[1] = 0, 0


@kernel
def draw(s: Any, seat: Int, log: Any) -> None:
    """One card in the base game, if no house has left the Inner Circle (M25); two in fringe, the fringe card first.

    The last card of the deck is shown: its value is the limit from now on, and in fringe it is not taken (M26, M70).
    """
    s.phase = TURN_OVER
    forget_attack(s)
    if s.game == BASE:
        _, nobles = census(s, True)
        if part(nobles, 0) == 0 or part(nobles, 1) == 0:
            s.ending, s.phase = BY_EMPTY_HOUSE, 0
            return
    count, last = 0, np.int64(0)
    if s.fringe_place[seat] == FACE_UP:
        last = np.int64(s.fringe_up[seat])
        if s.deck_size[seat] > 0:
            into_hand(s, seat, last - 1)
            s.known[seat, last - 1] += 1
            s.fringe_up[seat], s.fringe_place[seat] = 0, NO_FRINGE
            s.drawn[seat, 0] = last
            count, last = 1, np.int64(0)
    while last == 0 and count < (1 if s.game == BASE else 2) and s.deck_size[seat] > 0:
        if s.deck_size[seat] == 1:
            last = reveal_top(s, seat) + 1
        else:
            rank = draw_top(s, seat)
            into_hand(s, seat, rank)
            s.drawn[seat, count] = rank + 1
            count += 1
            emit(log, TELL_DREW, seat, 1 << seat, 1)
            attach(log, card_of(seat, rank))
    if last > 0:
        s.limit[seat] = limit_of(s, last - 1)
        emit(log, TELL_LAST, seat, -1, card_of(seat, last - 1), s.limit[seat])
        if s.game == BASE and s.base_last_card == LAST_IN_HAND:
            into_hand(s, seat, last - 1)
            s.known[seat, last - 1] += 1
        else:
            s.fringe_up[seat], s.fringe_place[seat] = last, PERMANENT
    if s.game == FRINGE and count == 2:
        s.phase, s.acting = PUT, 1 << seat
    else:
        s.drawn[seat, 0], s.drawn[seat, 1] = 0, 0
    if s.game == BASE and s.base_end == DECKS_EMPTY and s.deck_size[0] == 0 and s.deck_size[1] == 0:
        s.ending, s.phase = BY_DECKS, 0


@kernel
def put_back(s: Any, seat: Int, rank: Int, log: Any) -> None:
    """Any one hand card goes face down on the deck: the next fringe card (M35)."""
    leave_hand(s, seat, rank)
    s.drawn[seat, 0], s.drawn[seat, 1] = 0, 0
    s.fringe_down[seat], s.fringe_place[seat] = rank + 1, FACE_DOWN
    emit(log, TELL_PUT, seat, 1 << seat, card_of(seat, rank))
    s.phase = TURN_OVER


# The end (M80-M85)


@kernel
def round_end(s: Any) -> Int:
    """Why the game ends after this round, a bit set, 0 if it goes on: somebody was stuck, or controls the Inner Circle.

    Control of the Inner Circle is more than half of its value and more than half of its cards (M81).
    """
    influence, nobles = census(s, True)
    reason = BY_STUCK if s.stuck else 0
    for house in range(s.seats):
        if 2 * part(influence, house) > total(influence) and 2 * part(nobles, house) > total(nobles):
            reason |= BY_CONTROL
    return reason | BY_EMPTY_CIRCLE if s.empty_ic_ends and nobles == 0 else reason


@kernel
def finish(s: Any, log: Any) -> None:
    s.over = CAPPED if s.ending == BY_CAP else FINISHED
    s.acting, s.phase = 0, 0
    emit(log, TELL_ENDED, -1, -1, s.ending)
    for house in range(s.seats):
        attach(log, score(s, house))


@kernel
def score(s: Any, house: Int) -> Int:
    """Influence at court; in the fringe game 3 more for each noble in the Inner Circle (M28, M83)."""
    value, _, _, inner = tally(s, house)
    return value + 3 * inner if s.game == FRINGE else value


@kernel
def outcome(s: Any, scores: Any, places: Any) -> None:
    """Highest score; equal: more nobles at court; still equal: shared (M28, M84)."""
    # A score leaves room below it for the number of nobles, which is at most COURT.
    for p in range(s.seats):
        scores[p] = score(s, p) * 128 + tally(s, p)[1]
    rank_seats(s, scores, places)
    for p in range(s.seats):
        scores[p] //= 128


# For programs


@kernel
def default(s: Any, seat: Int) -> Int:
    """A seat that does not answer lets things happen: no reaction, the lowest card put back or sent to court."""
    if s.phase == GUARD:
        return np.int64(NOGUARD)
    if s.phase == SCAPEGOAT:
        return np.int64(NOSCAPEGOAT)
    best, least = np.int64(0), np.int64(NEVER)
    for rank in range(RANK_COUNT):
        if s.hand[seat, rank] > 0 and WORTH[rank] < least and (s.phase == PUT or within_limit(s, seat, rank)):
            best, least = np.int64(rank), WORTH[rank]
    return best + (PUT_FIRST if s.phase == PUT else SEND)


@kernel
def resample(s: Any, seat: Int, random: Any) -> None:
    """Hands, face-down fringe cards and decks from the cards of each house that the viewer does not see, uniformly.

    Others' cards that were seen on their way into a hand stay in what can hold them: the hand, the face-down fringe
    card, the planned cards at the bottom of the deck. The card of a move in preparation is in its player's hand.
    """
    for p in range(s.seats):
        own, bottom = p == seat, np.int64(s.bottom_size[p])
        aside = np.int64(s.played) - 1 if not own and s.midmove >> p & 1 != 0 else np.int64(-1)
        # The deck's own place first holds all unseen cards: those known to be held, then the rest.
        cards, sure = s.deck[p], 0
        n: Int = bottom if own else 0
        if own:
            for i in range(bottom):
                cards[i] = s.bottom[p, i]
        for stage in range(2):
            for rank in range(RANK_COUNT):
                count = unseen(s, p, rank)
                known = np.int64(0) if own else min(np.int64(s.known[p, rank]), count)
                if rank == aside:
                    count, known = count - 1, max(known - 1, 0)
                for _ in range(known if stage == 0 else count - known):
                    if n < DECK:
                        cards[n] = rank + 1
                        n += 1
            if stage == 0:
                sure = n
        held = bottom
        if not own:
            held += np.int64(s.hand_size[p]) + (s.fringe_place[p] == FACE_DOWN) - (aside >= 0)
        held = min(held, n)
        shuffle_part(cards, min(sure, held), n, random)
        if not own:
            shuffle_part(cards, 0, held, random)
            for i in range(min(bottom, held)):
                s.bottom[p, i] = cards[i]
            for i in range(bottom, held):
                if i < bottom + s.hand_size[p] - (aside >= 0):
                    s.hand[p, cards[i] - 1] += 1
                else:
                    s.fringe_down[p] = cards[i]
            if aside >= 0:
                s.hand[p, aside] += 1
        for i in range(bottom, DECK):
            taken = held - bottom + i
            cards[i] = cards[taken] if taken < n else 0


@kernel
def unseen(s: Any, p: Int, rank: Int) -> Int:
    """How many of p's cards of a rank lie neither open nor in what the view shows of hand, fringe card and bottom."""
    found = np.int64(s.in_game[p, rank]) - s.discard[p, rank] - s.hand[p, rank]
    found -= s.fringe_up[p] == rank + 1
    found -= s.fringe_down[p] == rank + 1
    for i in range(s.stack_start[s.stacks]):
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
