"""Bazaar, a game made to exercise the engine: hidden hands, a deck, offers, sealed bids, moves of several actions.

Each round every seat has a turn (pass, draw, sell up to three cards for a coin each, or offer a card to the next seat
for a coin), then all bid at the same time for the top card. Somebody with `target` coins, or an empty deck after an
auction, ends it; most coins win.
"""

import numpy as np

from backroom.engine import chance, rng
from backroom.engine.actions import actions, family
from backroom.engine.events import EVERYBODY, attach, emit, event, events
from backroom.engine.game import CAPPED, FINISHED, rank_seats
from backroom.engine.kernel import kernel
from backroom.engine.record import owned, public, record, secret
from toys.bazaar.options import BazaarOptions

SEATS, KINDS, COPIES, DEAL, COINS, PRICE = 4, 4, 5, 3, 20, 1
CARDS = KINDS * COPIES
TURN, OFFER, AUCTION = 0, 1, 2
STREAMS = ("deal", "tie")
DEAL_STREAM, TIE_STREAM = 0, 1

FIELDS = {
    "deck": secret(np.int8, CARDS),  # kinds; the top is at deck_size - 1, zeros above
    "hand": owned(np.int8, SEATS, KINDS),
    "offered": owned(np.int8, SEATS),  # kind + 1 of the card on offer, in the giver's and the taker's row
    "bid": owned(np.int8, SEATS),  # bid + 1, zero before the seat has bid
    "hand_size": public(np.int8, SEATS),
    "discard": public(np.int8, KINDS, most=CARDS, by_seat=False),
    "deck_size": public(np.int8),
    "coins": public(np.int8, SEATS),
    "bank": public(np.int8),
    "phase": public(np.int8),
    "active": public(np.int8),
    "to_sell": public(np.int8),
    "least": public(np.int8),  # cards of one sale are named in ascending order
    "rounds": public(np.int16, least=0),
    **BazaarOptions.fields(),
}
STATE = record(SEATS, STREAMS, **FIELDS)

ACTIONS = actions(
    stay=family(), draw=family(), sell=family(3), pick=family(KINDS), offer=family(KINDS),
    accept=family(), decline=family(), bid=family(3),
)  # fmt: skip
STAY, DRAW, ACCEPT, DECLINE = (ACTIONS.family(a).first for a in (0, 1, ACTIONS.accept.first, ACTIONS.decline.first))
SELL, PICK, OFFERED, BID = ACTIONS.sell.first, ACTIONS.pick.first, ACTIONS.offer.first, ACTIONS.bid.first

EVENTS = events(
    16,
    dealt=event("cards"),
    stayed=event(),
    drew=event("card", private=("card",)),
    sold=event("card"),
    offered=event("taker", "card", private=("card",)),
    accepted=event("giver"),
    declined=event("giver"),
    bid=event("coins", private=("coins",)),
    revealed=event(listed="bids", private=("bids",)),
    won=event("coins"),
    ended=event(),
)
(DEALT, STAYED, DREW, SOLD, OFFERS, ACCEPTED, DECLINED, BIDS, REVEALED, WON, ENDED) = range(len(EVENTS.kinds))


@kernel
def setup(s, log):
    n = np.int64(s.seats)
    if s.rotation < 0:
        s.rotation = 0
    for i in range(CARDS):
        s.deck[i] = i // COPIES
    chance.shuffle(s, log, DEAL_STREAM, s.deck, CARDS)
    s.deck_size = CARDS
    s.bank = COINS - 2 * n
    emit(log, DEALT, -1, EVERYBODY, DEAL)
    for seat in range(n):
        s.coins[seat] = 2
        for _ in range(DEAL):
            draw(s, seat, log)
    s.acting = 1


@kernel
def draw(s, seat, log):
    """The top card to a hand; only its drawer sees it."""
    top = np.int64(s.deck_size) - 1
    card = np.int64(s.deck[top])
    s.deck[top] = 0
    s.deck_size = top
    s.hand[seat, card] += 1
    s.hand_size[seat] += 1
    emit(log, DREW, seat, 1 << seat, card)


@kernel
def legal(s, seat, out):
    n = 0
    if s.midmove:
        for kind in range(s.least, KINDS):
            left = 0
            for other in range(kind, KINDS):
                left += np.int64(s.hand[seat, other])
            if s.hand[seat, kind] > 0 and left >= s.to_sell:
                out[n] = PICK + kind
                n += 1
    elif s.phase == TURN:
        out[n] = STAY
        n += 1
        if s.deck_size > 0:
            out[n] = DRAW
            n += 1
        for count in range(1, 4):
            if s.hand_size[seat] >= count:
                out[n] = SELL + count - 1
                n += 1
        for kind in range(KINDS):
            if s.hand[seat, kind] > 0:
                out[n] = OFFERED + kind
                n += 1
    elif s.phase == OFFER:
        if s.coins[seat] >= PRICE:
            out[n] = ACCEPT
            n += 1
        out[n] = DECLINE
        n += 1
    else:
        for coins in range(min(3, np.int64(s.coins[seat]) + 1)):
            out[n] = BID + coins
            n += 1
    return n


@kernel
def apply(s, seat, action, log):
    if action >= BID:
        s.bid[seat] = action - BID + 1
        s.acting = s.acting & ~(1 << seat)
        emit(log, BIDS, seat, 1 << seat, action - BID)
        if s.acting == 0:
            close_auction(s, log)
    elif action in (ACCEPT, DECLINE):
        answer(s, seat, action == ACCEPT, log)
        end_turn(s, log)
    elif action >= OFFERED:
        taker = (np.int64(s.active) + 1) % np.int64(s.seats)
        s.offered[seat] = action - OFFERED + 1
        s.offered[taker] = action - OFFERED + 1
        s.phase = OFFER
        s.acting = 1 << taker
        emit(log, OFFERS, seat, 1 << seat | 1 << taker, taker, action - OFFERED)
    elif action >= PICK:
        sell(s, seat, action - PICK, log)
        if s.to_sell == 0:
            s.midmove = 0
            end_turn(s, log)
    elif action >= SELL:
        s.to_sell = action - SELL + 1
        s.least = 0
        s.midmove = 1 << seat
    else:
        if action == DRAW:
            draw(s, seat, log)
        else:
            emit(log, STAYED, seat)
        end_turn(s, log)


@kernel
def sell(s, seat, kind, log):
    s.hand[seat, kind] -= 1
    s.hand_size[seat] -= 1
    s.discard[kind] += 1
    s.to_sell = s.to_sell - 1
    s.least = kind if s.to_sell > 0 else 0
    if s.bank > 0:
        s.bank = s.bank - 1
        s.coins[seat] += 1
    emit(log, SOLD, seat, EVERYBODY, kind)


@kernel
def answer(s, seat, accepted, log):
    giver = np.int64(s.active)
    kind = np.int64(s.offered[seat]) - 1
    s.offered[:] = 0
    if accepted:
        s.hand[giver, kind] -= 1
        s.hand_size[giver] -= 1
        s.hand[seat, kind] += 1
        s.hand_size[seat] += 1
        s.coins[seat] -= PRICE
        s.coins[giver] += PRICE
        emit(log, ACCEPTED, seat, EVERYBODY, giver)
    else:
        emit(log, DECLINED, seat, EVERYBODY, giver)


@kernel
def rich(s):
    for seat in range(s.seats):
        if s.coins[seat] >= s.target:
            return True
    return False


@kernel
def finish(s, how, log):
    s.over = how
    s.acting = 0
    emit(log, ENDED, -1)


@kernel
def end_turn(s, log):
    s.turn = s.turn + 1
    if rich(s):
        finish(s, FINISHED, log)
        return
    following = np.int64(s.active) + 1
    s.phase = TURN
    if following < s.seats:
        s.active = following
        s.acting = 1 << following
    else:
        s.active = 0
        s.rounds = s.rounds + 1
        s.phase = AUCTION
        s.acting = (1 << np.int64(s.seats)) - 1


@kernel
def ahead(s, seat):
    """The seat's turn in this round; before one of the next there is an auction."""
    if s.over or s.phase == AUCTION or seat < s.active or (seat == s.active and s.phase == OFFER):
        return 0
    s.offered[:] = 0
    s.phase = TURN
    s.active = seat
    s.acting = 1 << seat
    return 1


@kernel
def close_auction(s, log):
    n = np.int64(s.seats)
    emit(log, REVEALED, -1, EVERYBODY if s.bids == 0 else 0)
    high = 0
    for seat in range(n):
        attach(log, np.int64(s.bid[seat]) - 1)
        high = max(high, np.int64(s.bid[seat]))
    leaders = 0
    for seat in range(n):
        if s.bid[seat] == high:
            leaders += 1
    chosen = 0
    if leaders > 1 and s.tie == 0:
        chosen = chance.pick(s, log, TIE_STREAM, leaders)
    winner = 0
    for seat in range(n):
        if s.bid[seat] == high:
            if chosen == 0:
                winner = seat
                break
            chosen -= 1
    s.bid[:] = 0
    if high > 0:
        s.coins[winner] -= high - 1
        s.bank = s.bank + high - 1
    emit(log, WON, winner, EVERYBODY, high - 1)
    if s.deck_size > 0:
        draw(s, winner, log)
    s.phase = TURN
    s.acting = 1
    if s.deck_size == 0:
        finish(s, FINISHED, log)
    elif s.max_rounds >= 0 and s.rounds >= s.max_rounds:
        finish(s, CAPPED, log)


@kernel
def default(s, seat):
    if s.midmove:
        for kind in range(s.least, KINDS):
            left = 0
            for other in range(kind, KINDS):
                left += np.int64(s.hand[seat, other])
            if s.hand[seat, kind] > 0 and left >= s.to_sell:
                return PICK + kind
    if s.phase == TURN:
        return STAY
    return DECLINE if s.phase == OFFER else BID


@kernel
def known_offer(s, seat):
    """Kind + 1 of the card on offer if this seat knows it, else 0."""
    if s.phase == OFFER and (seat == s.active or seat == (np.int64(s.active) + 1) % np.int64(s.seats)):
        return np.int64(s.offered[seat])
    return np.int64(0)


@kernel
def unseen(s, seat, pool):
    """The cards whose place this seat does not know, into ``pool``; their number."""
    count = 0
    known = known_offer(s, seat)
    for kind in range(KINDS):
        rest = COPIES - np.int64(s.discard[kind])
        if seat >= 0:
            rest -= np.int64(s.hand[seat, kind])
        if known == kind + 1 and seat != s.active:
            rest -= 1
        for _ in range(rest):
            pool[count] = kind
            count += 1
    return count


@kernel
def mix(pool, count, random):
    for i in range(count - 1, 0, -1):
        j = rng.below(random, i + 1)
        pool[i], pool[j] = pool[j], pool[i]


@kernel
def place(s, seat, pool, count, random):
    """Hand out the pool, then choose what was offered and bid where this seat does not know it."""
    giver, taker = np.int64(s.active), (np.int64(s.active) + 1) % np.int64(s.seats)
    known = known_offer(s, seat)
    # A player in the middle of a sale can finish it.
    to_sell = np.int64(s.to_sell) if seat != giver and s.midmove else 0
    for i in range(count - 1, -1, -1):
        if to_sell > 0 and pool[i] >= s.least:
            s.hand[giver, pool[i]] += 1
            to_sell -= 1
            count -= 1
            pool[i] = pool[count]
    for other in range(s.seats):
        if other == seat:
            continue
        size = np.int64(s.hand_size[other])
        for kind in range(KINDS):
            size -= np.int64(s.hand[other, kind])
        if known > 0 and seat == taker and other == giver:
            s.hand[other, known - 1] += 1
            size -= 1
        for _ in range(size):
            count -= 1
            s.hand[other, pool[count]] += 1
    for i in range(count):
        s.deck[i] = pool[i]
    if s.phase == OFFER and known == 0:
        nth = rng.below(random, np.int64(s.hand_size[giver]))
        for kind in range(KINDS):
            if nth < s.hand[giver, kind]:
                known = kind + 1
                break
            nth -= np.int64(s.hand[giver, kind])
    if s.phase == OFFER:
        s.offered[giver] = known
        s.offered[taker] = known
    if s.phase == AUCTION:
        for other in range(s.seats):
            if other != seat and not s.acting >> other & 1:
                s.bid[other] = 1 + rng.below(random, min(3, np.int64(s.coins[other]) + 1))


@kernel
def resample(s, seat, random):
    pool = np.zeros(CARDS, np.int64)
    count = unseen(s, seat, pool)
    mix(pool, count, random)
    place(s, seat, pool, count, random)


@kernel
def outcome(s, scores, places):
    for seat in range(s.seats):
        scores[seat] = s.coins[seat]
    rank_seats(s, scores, places)
