"""The rules of Syndicats, in the order of the rulebook (ids S1 to S8 and Y1 to Y60).

A card is a number (`backroom.games.syndicats.cards`): the deck's cards from 0, from KITTEN the shadow kittens and from
LAIR the lairs by seat, from DOG the dogs. A field that names one holds the number + 1, and 0 for none.
"""

from typing import Any

import numpy as np

from backroom.engine import chance, rng
from backroom.engine.actions import actions, family
from backroom.engine.events import EVERYBODY, attach, emit, event, events
from backroom.engine.game import CAPPED, FINISHED, rank_seats
from backroom.engine.kernel import Int, kernel, natural
from backroom.engine.record import owned, public, record, secret
from backroom.games.syndicats.cards import (
    ATTACK,
    ATTACKING,
    CARDS,
    CAT,
    COPYCAT,
    CURIOSITY,
    DECK,
    DEFENCE,
    DEFENDING,
    DISCARDS,
    DOG,
    DOGS,
    EITHER,
    HELD,
    HOUSE,
    KENNEL,
    KEYS,
    KITTEN,
    LAIR,
    MOST_COINS,
    MOST_SYMBOLS,
    OWN,
    SEATS,
    SUPPLY,
    THINGS,
    YARN,
)  # fmt: skip
from backroom.games.syndicats.options import SyndicatsOptions

AMOUNTS = 1000
"""Amounts of money that can be named: 0 to 999 coins (U80)."""

N_AND_ONE, SEVEN = SyndicatsOptions.codes("visible")
BY_DOGS, BY_DECK, BY_FUND = SyndicatsOptions.codes("end")
FINISH, NO_CONTRIBUTION, IMMEDIATE = SyndicatsOptions.codes("last_dog")
WINNER, MOGFATHER, LAST = SyndicatsOptions.codes("resume")
FAVOURED, KEEPER_ONLY = SyndicatsOptions.codes("match")
CLOCKWISE, COUNTER = SyndicatsOptions.codes("proximity")
PAY_FIRST, TAKE_FIRST = SyndicatsOptions.codes("pick_order")
OPTIONAL, MUST = SyndicatsOptions.codes("take")
NO_GATE, BY_CONTRIBUTION, BY_KEEPER = SyndicatsOptions.codes("gate")
COPY_DISCARD, COPY_SWAP = SyndicatsOptions.codes("copycat")
UNLIMITED, ONE_COPY = SyndicatsOptions.codes("copy_limit")
STAY, CLEAR = SyndicatsOptions.codes("unbought")
PAIR, SINGLE = SyndicatsOptions.codes("starters")
PLAIN, CHOICE, CUSTOM = SyndicatsOptions.codes("start_sides")
EACH_ROUND, AT_ONCE = SyndicatsOptions.codes("mog_moves")
HOLD_ALL, HOLD_NONE, HOLD_ONE = SyndicatsOptions.codes("mog_holds")
NO_FINE, FINE_ZERO, FINE_LEAST, FINE_LEAST_TOTAL = SyndicatsOptions.codes("diss")

SETUP, BID, PICK, SPEND, FEED, CONTRACTS = range(1, 7)
"""Values of ``phase``; 0 once the game is over."""
NEXT_ROUND, NEXT_AUCTION, CLEAN_UP, SETTLE = range(7, 11)
"""What `proceed` has to do between two decisions."""
PAY_STAGE, SPECIAL_STAGE, TAKE_STAGE = range(3)
"""Stages of a pick; ``stage`` is the place of the first one still open in the order of `stage_at`."""
KEPT, TRASHED, HELD_ON, RETAINED, DROPPED = range(1, 6)
"""Values of ``verdict``: of a house, and the last one of a cat. 0: the house lapses, the cat stays."""

TURN_IS_ROUND = True
"""The header's ``turn`` counts rounds (Y8), in which each player has many turns."""

STREAMS = ("keeper", "deck")
KEEPER_STREAM, DECK_STREAM = range(2)

STATE = record(
    SEATS,
    STREAMS,
    # Money (Y1).
    cash=public(np.int32, SEATS, least=0),  # ready cash
    pile=public(np.int32, SEATS, least=0),  # this round's rolling bid
    now=public(np.int32, SEATS, least=0),  # this round's fund
    fund=public(np.int32, SEATS, least=0),  # total fund
    coins=public(np.int16, CARDS, least=0),  # on cards of the supply (unbought_coin)
    # Cards (Y2, Y3). ``place`` is REMOVED, DECK, SUPPLY, DISCARDS, KENNEL, or HELD + seat in an organisation. There,
    # ``side`` is the side that shows: CAT, HOUSE, ATTACK or DEFENCE; a kitten's is CAT, a lair's HOUSE; else 0.
    deck=secret(np.int16, CARDS + DOGS),  # number + 1, the top one at deck_size - 1; 0 beyond
    deck_size=public(np.int16, most=CARDS + DOGS),  # dogs and the top count, too
    deck_began=public(np.int16, most=CARDS + DOGS),  # deck_size when the round began (Y54)
    top=public(np.int16, most=CARDS),  # with deck_top: the card on top, face up, number + 1; 0: none
    place=public(np.int8, THINGS, most=HELD + SEATS - 1),
    side=public(np.int8, OWN, most=DEFENCE),
    knocked=public(np.int8, OWN, most=1),  # knocked out until the end of step 6 (Y50)
    fresh=public(np.int8, CARDS, most=1),  # gained during this pick turn (Y23)
    used=public(np.int8, LAIR, most=1),  # cats: used in this pick turn (Y23)
    mark=public(np.int8, LAIR, most=6),  # cats, geography: the district raided last round, 0 for none (Y52)
    dogs_out=public(np.int8, most=DOGS),  # dogs in the kennel
    # The same again by place, ascending, for rules that look through few cards; 0 beyond their counts.
    held=public(np.int8, SEATS, CARDS + 2, most=OWN - 1),  # the cards of each organisation, starting cards too
    held_count=public(np.int8, SEATS, most=CARDS + 2),
    offer=public(np.int8, CARDS, most=CARDS - 1),  # the cards of the supply
    offer_count=public(np.int8, most=CARDS),
    # The round (Y8): ``turn`` of the header is its number. Seats in bit sets are 1 << seat.
    phase=public(np.int8, most=CONTRACTS),
    keeper=public(np.int8, least=-1, most=SEATS - 1),  # who has the Mogfather; -1 only before the set-up draws it
    passed=public(np.int8, most=31),  # bit set: passed in this auction
    spoken=public(np.int8, most=31),  # bit set: has bid in this auction
    picked=public(np.int8, most=31),  # bit set: has picked, or is picking, in this round; the others are eligible
    order=public(np.int8, SEATS, most=SEATS),  # picks of this round so far, the present one included: seats + 1
    picks=public(np.int8, most=SEATS),  # how many of them
    speaker=public(np.int8, most=SEATS),  # resume=last: who spoke (bid or passed) last in this round, seat + 1
    feeds=public(np.int8, most=SEATS),  # second_feed: how many have fed in it
    # The pick turn (Y20): the picker is order[picks - 1] - 1 in the phases PICK and SPEND.
    stage=public(np.int8, most=2),  # how many stages are behind
    paid=public(np.int32, least=0),  # contributed in this turn
    copied=public(np.int8, most=1),  # a copycat or a trade was used in this turn
    kill_cat=public(np.int16, most=LAIR),  # the curiosity cat whose second kill is open, number + 1
    copying=public(np.int16, most=CARDS),  # within a move: the copycat used, number + 1
    target=public(np.int16, most=OWN),  # within a move, and until both have spent: the card attacked, number + 1
    weapon=public(np.int16, most=LAIR),  # the attacking cat, number + 1
    # What is sealed. A seat that owes one has its bit in ``acting``.
    sealed=owned(np.int32, SEATS, most=AMOUNTS),  # spend + 1 in an attack; 0: none yet
    start_choice=owned(np.int8, SEATS, most=4),  # start_sides=choice: 1 + kitten custom + 2 * lair custom; 0: none yet
    serves=owned(np.int8, SEATS, LAIR, most=CARDS),  # contracts: the house that a cat serves, number + 1
    verdict=owned(np.int8, SEATS, CARDS, most=DROPPED),  # contracts: KEPT, TRASHED, HELD_ON, RETAINED; DROPPED of a cat
    latest=owned(np.int16, SEATS, least=0),  # within contracts: the last action of the move + 1, else 0
    # Starting cards (S3): the sides that lie up.
    kitten_side=public(np.int8, SEATS, most=1),  # 1: custom
    lair_side=public(np.int8, SEATS, most=1),
    # The end.
    ending=public(np.int8, most=31),  # why the game ended, a bit set of the BY_* below
    # The deck file in numbers. Symbols are counts of R, G, B, X.
    deck_key=public(np.int32, most=KEYS - 1),  # which deck it is (`cards.deck_of`); 0: the printed one
    card_count=public(np.int8, most=CARDS),  # cards of the file, in this game or not: numbers from 0
    dog_count=public(np.int8, most=DOGS),
    symbols=public(np.int8, LAIR, 4, most=MOST_SYMBOLS),  # of the cat side; of a kitten those of the side that is up
    special=public(
        np.int8, LAIR, most=EITHER
    ),  # COPYCAT, CURIOSITY, YARN, EITHER; also ATTACKING, DEFENDING of a kitten
    sides=public(np.int8, CARDS, most=31),  # bit set 1 << CAT | 1 << HOUSE ...: the sides it can be taken with
    trash_needs=public(np.int8, CARDS, 4, most=MOST_SYMBOLS),
    trash_pays=public(np.int16, CARDS, least=-1, most=MOST_COINS),  # -1: it cannot be trashed
    keep_needs=public(np.int8, CARDS, 4, most=MOST_SYMBOLS),
    keep_pays=public(np.int16, CARDS, least=-1, most=MOST_COINS),
    district=public(np.int8, CARDS, most=6),  # 0: none
    upkeep_due=public(np.int8, CARDS, most=99),  # coins a round, with the option upkeep
    kitten_symbols=public(np.int8, SEATS, 2, 4, most=MOST_SYMBOLS),  # both sides of each kitten, plain and custom
    kitten_special=public(np.int8, SEATS, 2, most=DEFENDING),
    lair_pays=public(np.int16, SEATS, 2, most=MOST_COINS),
    lair_holds=public(np.int8, SEATS, 2, most=1),
    **SyndicatsOptions.fields(),
)
"""The position. Where a field needs more words than stand beside it:

- **Whose turn.** ``acting`` is the speaker in BID, the picker in PICK, attacker and defender until they have spent in
  SPEND, the feeder in FEED, all who still owe their choice in SETUP and CONTRACTS. Leader and favoured player follow
  from the piles and the keeper: the kernels `leader` and `favoured`.
- **Contracts** are one move of many actions, in ascending order within each step: `drop` a cat; `keep` or `trash` a
  house, then `serve` by each of its cats, until it is filled; `hold`; `retain`; `done`. They are written into the
  seat's own rows of ``serves`` and ``verdict`` and carried out when the last seat is done. Cats not named are idle,
  houses not named lapse.
- **Demands.** A house is filled (Y43) when the colours that are short are at most the grey symbols there, and all
  symbols are at least as many as the demand: the kernel `filled`. What a cat gives is the kernel `gives` (yarn counts).
"""

ACTIONS = actions(
    start=family(2, 2),  # kitten custom, lair custom
    amount=family(AMOUNTS),  # a bid (the pile's new size), a sealed spend, a feed: the phase says which
    pay=family(AMOUNTS),
    no_bid=family(),
    curiosity=family(LAIR),  # the cat
    again=family(),  # the second kill of kill_cat
    copycat=family(CARDS),  # the cat used or traded; then `gain`
    gain=family(CARDS, 4),  # card, side - 1
    attack=family(OWN),  # the target; then `weapon`, the attacking cat
    weapon=family(LAIR),
    take=family(CARDS, 4),  # card, side - 1
    take_none=family(),
    drop=family(CARDS),
    keep=family(CARDS),
    trash=family(CARDS),
    serve=family(LAIR),  # a cat serves the house named last
    hold=family(CARDS),
    retain=family(CARDS),
    done=family(),  # ends the contracts
)

EVENTS = events(
    192,
    CARDS,
    keeper_drawn=event(),
    chose_sides=event(),
    sides=event("kitten", "lair"),
    round=event("number"),
    dog=event("dog", "dogs"),
    refilled=event(listed="cards"),
    top=event("card"),
    bid=event("pile", "more"),
    passed=event(),
    won=event("amount", "pick"),
    paid=event("amount", "bonus"),
    killed=event("cat", "card"),
    copied=event("cat", "card", "side", "swapped"),
    traded=event("cat", "card", "side", "swapped"),
    attacked=event("owner", "card", "weapon"),
    spent=event(),
    fought=event("attacker", "defender", "defence", "whom"),
    knocked=event("card"),
    took=event("card", "side", "coins"),
    took_none=event(),
    fed=event("amount", "bonus"),
    cleared=event(listed="cards"),
    coins=event("coins", listed="cards"),
    mogfather=event(),
    funds=event(listed="totals"),
    fined=event(),
    tithed=event("amount"),
    ready=event(),
    upkeep=event("amount"),
    dropped=event("card"),
    income=event("amount"),
    kept=event("card", "amount", listed="cats"),
    trashed=event("card", "amount", listed="cats"),
    held=event("card"),
    retained=event("card", "amount"),
    lapsed=event("card"),
    returned=event("card"),
    dumped=event("amount"),
    favour=event(),
    ended=event("reason", listed="totals"),
)
(
    TELL_KEEPER, TELL_CHOSE, TELL_SIDES, TELL_ROUND, TELL_DOG, TELL_REFILLED, TELL_TOP, TELL_BID, TELL_PASSED, TELL_WON,
    TELL_PAID, TELL_KILLED, TELL_COPIED, TELL_TRADED, TELL_ATTACKED, TELL_SPENT, TELL_FOUGHT, TELL_KNOCKED, TELL_TOOK,
    TELL_TOOK_NONE, TELL_FED, TELL_CLEARED, TELL_COINS, TELL_MOGFATHER, TELL_FUNDS, TELL_FINED, TELL_TITHED, TELL_READY,
    TELL_UPKEEP, TELL_DROPPED, TELL_INCOME, TELL_KEPT, TELL_TRASHED, TELL_HELD, TELL_RETAINED, TELL_LAPSED,
    TELL_RETURNED, TELL_DUMPED, TELL_FAVOUR, TELL_ENDED,
) = range(len(EVENTS.kinds))  # fmt: skip

# Why a game ended
LAST_DOG, DECK_OUT, FEW_CARDS, OUTWEIGHED, CAP = 1, 2, 4, 8, 16
ENDINGS = {
    LAST_DOG: "enough dogs are out",
    DECK_OUT: "the deck is used up",
    FEW_CARDS: "fewer cards than players are left",
    OUTWEIGHED: "the dogs outweigh the funds",
    CAP: "the rounds allowed are used up",
}
"""In words: bits of the field ``ending``."""

START, start_number, start_of = ACTIONS.start.first, ACTIONS.start.encode, ACTIONS.start.decode
AMOUNT, PAY, NO_BID = ACTIONS.amount.first, ACTIONS.pay.first, ACTIONS.no_bid.first
CURIOUS, AGAIN, COPY, GAIN = (f.first for f in (ACTIONS.curiosity, ACTIONS.again, ACTIONS.copycat, ACTIONS.gain))
ASSAULT, WEAPON, TAKE, TAKE_NONE = (f.first for f in (ACTIONS.attack, ACTIONS.weapon, ACTIONS.take, ACTIONS.take_none))
gain_number, gain_of, take_number, take_of = (
    ACTIONS.gain.encode, ACTIONS.gain.decode, ACTIONS.take.encode, ACTIONS.take.decode
)  # fmt: skip
DROP, KEEP, TRASH, SERVE = (f.first for f in (ACTIONS.drop, ACTIONS.keep, ACTIONS.trash, ACTIONS.serve))
HOLD, RETAIN, DONE = (f.first for f in (ACTIONS.hold, ACTIONS.retain, ACTIONS.done))
ACTION_COUNT = ACTIONS.count


# Setup (S1 to S7)


@kernel
def setup(s: Any, log: Any) -> None:
    """Money, starting cards, the keeper, a shuffled deck; then the sides of the starting cards, or the first round."""
    s.turn = 1
    if s.keeper < 0:
        s.keeper = chance.pick(s, log, KEEPER_STREAM, s.seats)
        emit(log, TELL_KEEPER, s.keeper)
    lay_out(s)
    chance.shuffle(s, log, DECK_STREAM, s.deck, s.deck_size)
    open_game(s, log)
    proceed(s, log)


@kernel
def lay_out(s: Any) -> None:
    """Cash, starting cards, and the deck in rack order, its first card on top (S3, S4, S8)."""
    for p in range(s.seats):
        s.cash[p] = s.start_cash
        s.side[KITTEN + p] = CAT
        hold_card(s, p, KITTEN + p)
        if s.starters == PAIR:
            s.side[LAIR + p] = HOUSE
            hold_card(s, p, LAIR + p)
        turn_up(s, p, 3 if s.start_sides == CUSTOM else 0)
    n: Int = 0
    for c in range(THINGS - 1, -1, -1):
        if s.place[c] == DECK:
            s.deck[n] = c + 1
            n += 1
    s.deck_size = n


@kernel
def open_game(s: Any, log: Any) -> None:
    """The sides of the starting cards are chosen, or the first supply is dealt (S3, S7)."""
    if s.start_sides == CHOICE:
        s.phase, s.acting = SETUP, everybody(s)
    else:
        deal(s, log)


@kernel
def turn_up(s: Any, p: Int, sides: Int) -> None:
    """A player's starting cards with these sides up: 1 for the custom kitten, 2 for the custom lair."""
    s.kitten_side[p], s.lair_side[p] = sides & 1, sides >> 1
    for colour in range(4):
        s.symbols[KITTEN + p, colour] = s.kitten_symbols[p, sides & 1, colour]
    s.special[KITTEN + p] = s.kitten_special[p, sides & 1]


@kernel
def choose_sides(s: Any, p: Int, sides: Int, log: Any) -> None:
    """A sealed choice; once all have chosen, all are shown and the first round begins (S3)."""
    s.start_choice[p] = sides + 1
    s.acting = s.acting & ~(1 << p)
    emit(log, TELL_CHOSE, p)
    if s.acting == 0:
        for q in range(s.seats):
            turn_up(s, q, np.int64(s.start_choice[q]) - 1)
            s.start_choice[q] = 0
            emit(log, TELL_SIDES, q, EVERYBODY, s.kitten_side[q], s.lair_side[q])
        deal(s, log)


@kernel
def deal(s: Any, log: Any) -> None:
    """The first supply; dogs met on the way count (S7)."""
    refill(s, log)
    s.phase = NEXT_ROUND if s.over == 0 else 0


@kernel
def proceed(s: Any, log: Any) -> None:
    """Carry out what asks nobody, until somebody is asked or the game is over."""
    while s.phase > CONTRACTS:
        if s.phase == NEXT_AUCTION:
            begin_auction(s, log)
        elif s.phase == NEXT_ROUND:
            begin_round(s, log)
        elif s.phase == CLEAN_UP:
            clean_up(s, log)
        else:
            settle(s, log)


# Cards, dogs and nearness (Y2 to Y7)


@kernel
def called(s: Any, c: Int) -> Int:
    """A card in an event, which knows no state: its number with the key of its deck above it (`cards.event_thing`)."""
    return np.int64(s.deck_key) << 8 | np.int64(c)


@kernel
def everybody(s: Any) -> Int:
    """All seats, a bit set."""
    return (np.int64(1) << np.int64(s.seats)) - 1


@kernel
def is_cat(s: Any, p: Int, c: Int) -> bool:
    """Whether a card lies in p's organisation as a cat (attack and defence sides are cats, too)."""
    return s.place[c] == HELD + p and s.side[c] != HOUSE


@kernel
def is_house(s: Any, p: Int, c: Int) -> bool:
    """Whether a card of the deck lies in p's organisation as a house."""
    return s.place[c] == HELD + p and s.side[c] == HOUSE


@kernel
def owner(s: Any, c: Int) -> Int:
    """In whose organisation a card is; negative: in none."""
    return np.int64(s.place[c]) - HELD


@kernel
def ability(s: Any, c: Int) -> Int:
    """What a card in an organisation can do as it lies: COPYCAT, CURIOSITY, YARN, ATTACKING, DEFENDING or 0 (Y3)."""
    if s.side[c] == CAT:
        return np.int64(s.special[c])
    if s.side[c] == ATTACK:
        return np.int64(ATTACKING)
    return np.int64(DEFENDING) if s.side[c] == DEFENCE else np.int64(0)


@kernel
def available(s: Any, c: Int) -> bool:
    """Y4: all of the supply, and the top of the deck if it is in play."""
    return s.place[c] == SUPPLY or s.top == c + 1


@kernel
def sort_in(row: Any, n: Int, c: Int) -> None:
    """A card more in an ascending row of n."""
    i = np.int64(n)
    while i > 0 and row[i - 1] > c:
        row[i] = row[i - 1]
        i -= 1
    row[i] = c


@kernel
def cut_out(row: Any, n: Int, c: Int) -> None:
    """A card less in an ascending row of n."""
    found = False
    for i in range(n - 1):
        found = found or row[i] == c
        if found:
            row[i] = row[i + 1]
    row[n - 1] = 0


@kernel
def hold_card(s: Any, p: Int, c: Int) -> None:
    """A card that is nowhere comes into an organisation."""
    s.place[c] = HELD + p
    sort_in(s.held[p], s.held_count[p], c)
    s.held_count[p] += 1


@kernel
def offer_card(s: Any, c: Int) -> None:
    """A card that is nowhere comes into the supply."""
    s.place[c] = SUPPLY
    sort_in(s.offer, s.offer_count, c)
    s.offer_count += 1


@kernel
def list_cards(s: Any) -> None:
    """Write organisations and supply down from where the cards lie."""
    s.held[:], s.held_count[:], s.offer[:], s.offer_count = 0, 0, 0, 0
    for c in range(OWN):
        if s.place[c] == SUPPLY:
            offer_card(s, c)
        elif s.place[c] >= HELD:
            hold_card(s, owner(s, c), c)


@kernel
def draw_off(s: Any) -> Int:
    """Take the top card off the deck, which is not empty; it is nowhere yet. Returns its number."""
    s.deck_size -= 1
    at = natural(s.deck_size)
    c = np.int64(s.deck[at]) - 1
    s.deck[at] = 0
    s.top = 0
    return c


@kernel
def set_aside(s: Any, c: Int, log: Any) -> None:
    """A dog goes to the kennel; with last_dog=immediate the last one ends the game on the spot (Y5, Y57)."""
    s.place[c] = KENNEL
    s.dogs_out += 1
    emit(log, TELL_DOG, -1, EVERYBODY, called(s, c), s.dogs_out)
    if s.last_dog == IMMEDIATE and last_dog_out(s):
        s.ending = LAST_DOG
        for p in range(s.seats):
            s.fund[p] += s.now[p]
            s.now[p] = 0
        finish(s, FINISHED, log)


@kernel
def last_dog_out(s: Any) -> bool:
    """Whether as many dogs are out as end the game (Y54, Y57)."""
    return s.dogs_out >= np.int64(s.seats) + s.dog_margin


@kernel
def uncover(s: Any, log: Any) -> None:
    """With deck_top, dogs on top go to the kennel until a cat is on top, which lies open and in play (Y5)."""
    while s.deck_top and s.top == 0 and s.deck_size > 0 and s.over == 0:
        c = np.int64(s.deck[natural(s.deck_size - 1)]) - 1
        if c < 0:  # in a view the deck is hidden: what comes up is not known
            return
        if c >= DOG:
            set_aside(s, draw_off(s), log)
        else:
            s.top = c + 1


@kernel
def reveal(s: Any, log: Any) -> None:
    """`uncover`, and tell of the card that lies on top now."""
    uncover(s, log)
    if s.top > 0:
        emit(log, TELL_TOP, -1, EVERYBODY, called(s, s.top - 1))


@kernel
def draw_cat(s: Any, log: Any) -> Int:
    """The next card of the deck that is no dog, which is nowhere yet; dogs before it go to the kennel. -1: none."""
    while s.deck_size > 0 and s.over == 0:
        c = draw_off(s)
        if c < DOG:
            return c
        set_aside(s, c, log)
    return np.int64(-1)


@kernel
def distance(s: Any, p: Int) -> Int:
    """Y6: how far from the Mogfather; the nearest wins every tie but those of attacks."""
    n, keeper = np.int64(s.seats), np.int64(s.keeper)
    return (p - keeper + n) % n if s.proximity == CLOCKWISE else (keeper - p + n) % n


@kernel
def most_of(s: Any, amounts: Any, seats: Int) -> Int:
    """Of a bit set of seats the one with the largest amount, ties to the nearest; -1 of none."""
    best, most, p = np.int64(-1), np.int64(-1), np.int64(s.keeper)
    for _ in range(s.seats):
        if seats >> p & 1 != 0 and amounts[p] > most:
            best, most = p, np.int64(amounts[p])
        p = farther(s, p)
    return best


@kernel
def farther(s: Any, p: Int) -> Int:
    """The seat that is one farther from the Mogfather; after the farthest his keeper's."""
    if s.proximity == CLOCKWISE:
        return p + 1 if p + 1 < s.seats else np.int64(0)
    return p - 1 if p > 0 else np.int64(s.seats) - 1


@kernel
def next_of(s: Any, p: Int, seats: Int) -> Int:
    """The next seat of a bit set clockwise from p, p itself last; -1 of none."""
    q = np.int64(p)
    for _ in range(s.seats):
        q = q + 1 if q + 1 < s.seats else np.int64(0)
        if seats >> q & 1 != 0:
            return q
    return np.int64(-1)


# The auction (Y10 to Y18)


@kernel
def begin_round(s: Any, log: Any) -> None:
    """Piles are empty and all are eligible (Y10, Y54)."""
    for p in range(s.seats):
        s.pile[p], s.order[p] = 0, 0
    s.picked, s.picks, s.speaker = 0, 0, 0
    s.deck_began = s.deck_size
    emit(log, TELL_ROUND, -1, EVERYBODY, s.turn)
    s.phase = NEXT_AUCTION


@kernel
def eligible(s: Any) -> Int:
    """Y10: who has not picked this round, a bit set."""
    return everybody(s) & ~np.int64(s.picked)


@kernel
def leader(s: Any) -> Int:
    """Y12: the eligible player with the largest pile, ties to the nearest; -1 once all have picked."""
    return most_of(s, s.pile, eligible(s))


@kernel
def favoured(s: Any) -> Int:
    """Y11: the eligible player nearest to the Mogfather; -1 once all have picked."""
    left, p = eligible(s), np.int64(s.keeper)
    for _ in range(s.seats):
        if left >> p & 1 != 0:
            return p
        p = farther(s, p)
    return np.int64(-1)


@kernel
def may_equal(s: Any, p: Int) -> bool:
    """Y15: who may equal the best bid: the favoured player; with match=keeper only if he is the keeper, too."""
    return p == favoured(s) and (s.match == FAVOURED or p == s.keeper)


@kernel
def least_bid(s: Any, p: Int) -> Int:
    """The smallest new pile that p may bid (Y15, Y17)."""
    best = leader(s)
    return np.int64(s.pile[best]) + (0 if p == best or may_equal(s, p) else 1)


@kernel
def begin_auction(s: Any, log: Any) -> None:
    """Y11, Y13: nobody has passed or spoken; who is first to speak. Without eligible players the picks are over."""
    s.passed, s.spoken = 0, 0
    left = eligible(s)
    if left == 0:
        after_picks(s)
        return
    before = np.int64(s.keeper)
    first = before if left >> before & 1 != 0 else next_of(s, before, left)
    if s.picks > 0 and s.resume == WINNER:
        first = next_of(s, picker(s), left)
    elif s.picks > 0 and s.resume == LAST:
        first = next_of(s, np.int64(s.speaker) - 1 if s.speaker > 0 else picker(s), left)
    ask(s, first, log)


@kernel
def ask(s: Any, p: Int, log: Any) -> None:
    """p speaks next, unless all but the leader have passed, who then picks (Y18)."""
    best = leader(s)
    if eligible(s) & ~np.int64(s.passed) == np.int64(1) << best:
        begin_pick(s, best, log)
    else:
        s.phase, s.acting = BID, 1 << p


@kernel
def speak(s: Any, p: Int, log: Any) -> None:
    """p has spoken; the turn goes on clockwise over those who have not passed (Y14)."""
    s.speaker = p + 1
    ask(s, next_of(s, p, eligible(s) & ~np.int64(s.passed)), log)


@kernel
def bid(s: Any, p: Int, amount: Int, log: Any) -> None:
    """Y15, Y17: the pile grows to the amount, which never comes back."""
    more = amount - np.int64(s.pile[p])
    s.cash[p] -= more
    s.pile[p] = amount
    s.spoken = s.spoken | 1 << p
    emit(log, TELL_BID, p, EVERYBODY, amount, more)
    speak(s, p, log)


@kernel
def pass_bid(s: Any, p: Int, log: Any) -> None:
    """Y16: out of this auction."""
    s.passed = s.passed | 1 << p
    emit(log, TELL_PASSED, p)
    speak(s, p, log)


# The pick turn (Y20 to Y31)


@kernel
def picker(s: Any) -> Int:
    """Whose pick it is, or was last; -1 before the first of a round."""
    return np.int64(s.order[s.picks - 1]) - 1 if s.picks > 0 else np.int64(-1)


@kernel
def begin_pick(s: Any, p: Int, log: Any) -> None:
    """The leader has won the auction and takes a pick turn (Y18)."""
    s.picked = s.picked | 1 << p
    s.order[s.picks] = p + 1
    s.picks += 1
    s.phase, s.acting, s.stage = PICK, 1 << p, 0
    emit(log, TELL_WON, p, EVERYBODY, s.pile[p], s.picks)


@kernel
def place_of(s: Any, stage: Int) -> Int:
    """Y20: the place, from 0, of a stage in the order of a pick turn."""
    return stage if s.pick_order == PAY_FIRST else 2 - stage


@kernel
def stage_open(s: Any, stage: Int) -> bool:
    """Whether a stage of the pick can still be played, and already (Y20): only a take is not passed over."""
    place = place_of(s, stage)
    return place >= s.stage and (s.pick_order == PAY_FIRST or s.stage > 0 or place == 0)


@kernel
def may_contribute(s: Any) -> bool:
    """Whether more than 0 may be paid (Y57)."""
    return s.last_dog != NO_CONTRIBUTION or not last_dog_out(s)


@kernel
def contribute(s: Any, p: Int, amount: Int, kind: Int, log: Any) -> None:
    """Y21, Y31, Y58: cash becomes this round's fund, with a bonus while few dogs are out.

    With mog_moves=at-once the Mogfather comes as soon as that makes it strictly the largest (Y35).
    """
    bonus = max(np.int64(0), np.int64(s.early_boost) - s.dogs_out) if amount > 0 else np.int64(0)
    s.cash[p] -= amount
    s.now[p] += amount + bonus
    emit(log, kind, p, EVERYBODY, amount, bonus)
    if s.mog_moves != AT_ONCE or p == s.keeper or amount == 0:
        return
    for q in range(s.seats):
        if q != p and s.now[q] >= s.now[p]:
            return
    s.keeper = p
    emit(log, TELL_MOGFATHER, p)


@kernel
def pay(s: Any, p: Int, amount: Int, log: Any) -> None:
    """Y21."""
    contribute(s, p, amount, TELL_PAID, log)
    if s.pick_order == TAKE_FIRST:
        end_turn(s, p)
    else:
        s.paid, s.stage = amount, 1


@kernel
def gate_open(s: Any, p: Int) -> bool:
    """Y22: what specials need."""
    if s.gate == BY_CONTRIBUTION:
        return s.paid > 0
    return s.gate == NO_GATE or s.keeper == p


@kernel
def rested(s: Any, p: Int, c: Int) -> bool:
    """Y23: a cat of p's that is not knocked out, not fresh and not used yet."""
    return is_cat(s, p, c) and s.knocked[c] == 0 and s.used[c] == 0 and (c >= CARDS or s.fresh[c] == 0)


@kernel
def killable(s: Any) -> bool:
    """Y24: whether curiosity finds a card to kill; dogs are none."""
    if s.deck_top:
        return s.top > 0
    for c in range(s.card_count):
        if s.place[c] == DECK:
            return True
    return False


@kernel
def kill(s: Any, p: Int, cat: Int, log: Any) -> None:
    """Y24: the top card, or without deck_top the first that is no dog, goes to the discards; the next is revealed."""
    card = draw_cat(s, log)
    if card >= 0:
        s.place[card] = DISCARDS
        emit(log, TELL_KILLED, p, EVERYBODY, called(s, cat), called(s, card))
        reveal(s, log)


@kernel
def copies(s: Any, c: Int) -> bool:
    """Y25, Y26: whether a cat can be used as a copycat: it is one, or trade_in lets any special cat of the deck."""
    can = ability(s, c)
    return c < CARDS and (can == COPYCAT or (s.trade_in != 0 and can != 0))


@kernel
def may_copy(s: Any) -> bool:
    """Y25: copy_limit=one lets one copycat or trade be used in a turn."""
    return s.copy_limit == UNLIMITED or s.copied == 0


@kernel
def copycat(s: Any, p: Int, c: Int, side: Int, log: Any) -> None:
    """Y25, Y26: another card for the copycat, which is discarded or joins the supply before anything is revealed."""
    cat, swapped = np.int64(s.copying) - 1, s.copycat == COPY_SWAP
    kind = TELL_COPIED if ability(s, cat) == COPYCAT else TELL_TRADED
    emit(log, kind, p, EVERYBODY, called(s, cat), called(s, c), side, np.int64(swapped))
    s.copying, s.copied = 0, 1
    leave(s, cat, SUPPLY if swapped else DISCARDS)
    gain(s, p, c, side)
    reveal_next(s, log)


@kernel
def leave(s: Any, c: Int, place: Int) -> None:
    """A card leaves its organisation; nothing of its stay there remains."""
    p = owner(s, c)
    cut_out(s.held[p], s.held_count[p], c)
    s.held_count[p] -= 1
    s.side[c], s.knocked[c], s.fresh[c], s.used[c], s.mark[c] = 0, 0, 0, 0, 0
    if place == SUPPLY:
        offer_card(s, c)
    else:
        s.place[c] = place


@kernel
def gain(s: Any, p: Int, c: Int, side: Int) -> None:
    """An available card joins p's organisation, with the coins on it; it is fresh (Y23, Y29). Nothing is revealed."""
    if s.top == c + 1:
        draw_off(s)
    else:
        cut_out(s.offer, s.offer_count, c)
        s.offer_count -= 1
    hold_card(s, p, c)
    s.side[c], s.fresh[c] = side, 1
    s.cash[p] += s.coins[c]
    s.coins[c] = 0


@kernel
def reveal_next(s: Any, log: Any) -> None:
    """After a take: if it was the top of the deck, the next card is revealed at once (Y29)."""
    if s.top == 0:
        reveal(s, log)


@kernel
def attack(s: Any, p: Int, weapon: Int, log: Any) -> None:
    """Y27: an own card is knocked out at once; for another both players seal what they spend."""
    target = np.int64(s.target) - 1
    defender = owner(s, target)
    s.used[weapon] = 1
    emit(log, TELL_ATTACKED, p, EVERYBODY, defender, called(s, target), called(s, weapon))
    if defender == p:
        knock_out(s, target, log)
        s.target = 0
    else:
        s.weapon = weapon + 1
        s.phase, s.acting = SPEND, 1 << p | 1 << defender


@kernel
def knock_out(s: Any, c: Int, log: Any) -> None:
    """Until the end of step 6 the card does nothing (Y50)."""
    s.knocked[c] = 1
    emit(log, TELL_KNOCKED, owner(s, c), EVERYBODY, called(s, c))


@kernel
def defence(s: Any, p: Int) -> Int:
    """Y27, Y28: 2 for each of p's defence cats that is not knocked out."""
    found = np.int64(0)
    for i in range(s.held_count[p]):
        c = natural(s.held[p, i])
        found += 2 if ability(s, c) == DEFENDING and s.knocked[c] == 0 else 0
    return found


@kernel
def spend(s: Any, p: Int, amount: Int, log: Any) -> None:
    """Y27: sealed; then the higher number wins, if tied the keeper if he is one of the two, else the attacker."""
    s.sealed[p] = amount + 1
    s.acting = s.acting & ~(1 << p)
    emit(log, TELL_SPENT, p)
    if s.acting != 0:
        return
    target, attacker = np.int64(s.target) - 1, picker(s)
    defender = owner(s, target)
    a, d = np.int64(s.sealed[attacker]) - 1, np.int64(s.sealed[defender]) - 1
    s.sealed[attacker], s.sealed[defender] = 0, 0
    s.cash[attacker] -= a
    s.cash[defender] -= d
    guard = defence(s, defender)
    emit(log, TELL_FOUGHT, attacker, EVERYBODY, a, d, guard, defender)
    if a > d + guard or (a == d + guard and s.keeper != defender):
        knock_out(s, target, log)
    s.target, s.weapon = 0, 0
    s.phase, s.acting = PICK, 1 << attacker


@kernel
def take(s: Any, p: Int, c: Int, side: Int, log: Any) -> None:
    """Y29."""
    emit(log, TELL_TOOK, p, EVERYBODY, called(s, c), side, s.coins[c])
    gain(s, p, c, side)
    reveal_next(s, log)


@kernel
def after_take(s: Any, p: Int) -> None:
    """The take is made, of a card or of none: it ends the turn, or the specials and the pay follow (Y20)."""
    if s.pick_order == TAKE_FIRST:
        s.stage = 1
    elif s.over == 0:
        end_turn(s, p)


@kernel
def end_turn(s: Any, p: Int) -> None:
    """Y30: the picker's pile is spent; the next auction follows."""
    s.pile[p] = 0
    s.stage, s.paid, s.copied = 0, 0, 0
    for i in range(s.held_count[p]):
        c = natural(s.held[p, i])
        if c < LAIR:
            s.used[c] = 0
        if c < CARDS:
            s.fresh[c] = 0
    s.phase = NEXT_AUCTION


@kernel
def after_picks(s: Any) -> None:
    """Y31: with second_feed each may contribute once more, in the order of the picks."""
    if s.second_feed:
        s.phase, s.feeds = FEED, 0
        s.acting = 1 << (np.int64(s.order[0]) - 1)
    else:
        s.phase = CLEAN_UP


@kernel
def feed(s: Any, p: Int, amount: Int, log: Any) -> None:
    """Y31."""
    contribute(s, p, amount, TELL_FED, log)
    s.feeds += 1
    if s.feeds < s.seats:
        s.acting = 1 << (np.int64(s.order[s.feeds]) - 1)
    else:
        s.feeds, s.phase = 0, CLEAN_UP


# Step 4: clean up and refill (Y32 to Y34)


@kernel
def clean_up(s: Any, log: Any) -> None:
    """Steps 4 and 5, and on to the contracts."""
    clear_specials(s, log)
    lay_coins(s, log)
    refill(s, log)
    if s.over == 0:
        visit(s, log)
        begin_contracts(s)


@kernel
def clear_specials(s: Any, log: Any) -> None:
    """Y32: special cards in the supply are discarded, whichever way they came there."""
    if s.unbought == STAY:
        return
    left, n = 0, np.int64(s.offer_count)
    for i in range(n):
        c = natural(s.offer[i])
        s.offer[i] = 0
        if s.special[c] == 0:
            s.offer[left] = c
            left += 1
            continue
        s.place[c], s.coins[c] = DISCARDS, 0
        if i == left:
            emit(log, TELL_CLEARED, -1)
        attach(log, called(s, c))
    s.offer_count = left


@kernel
def lay_coins(s: Any, log: Any) -> None:
    """Y33: coins on each card still in the supply."""
    if s.unbought_coin > 0:
        emit(log, TELL_COINS, -1, EVERYBODY, s.unbought_coin)
        for i in range(s.offer_count):
            c = natural(s.offer[i])
            s.coins[c] += s.unbought_coin
            attach(log, called(s, c))


@kernel
def refill(s: Any, log: Any) -> None:
    """Y34: up to its number; a larger supply is left alone. Then the new top is revealed."""
    wanted = np.int64(s.seats) + 1 if s.visible == N_AND_ONE else np.int64(7)
    uncover(s, log)
    top, dogs = np.int64(s.top), np.int64(-1)
    while s.offer_count < wanted and s.over == 0:
        c = draw_cat(s, log)
        if c < 0:
            break
        offer_card(s, c)
        if dogs != s.dogs_out:
            emit(log, TELL_REFILLED, -1)
            dogs = np.int64(s.dogs_out)
        attach(log, called(s, c))
        uncover(s, log)
    if s.top > 0 and (s.top != top or s.turn == 1):
        emit(log, TELL_TOP, -1, EVERYBODY, called(s, s.top - 1))


# Step 5: the Mogfather (Y35 to Y38)


@kernel
def visit(s: Any, log: Any) -> None:
    """He goes to the largest contribution; funds grow, fines and tithes are paid."""
    if s.mog_moves == EACH_ROUND:
        best = most_of(s, s.now, everybody(s))
        if best != s.keeper:
            s.keeper = best
            emit(log, TELL_MOGFATHER, best)
    fined = to_be_fined(s, s.now) if s.diss == FINE_ZERO or s.diss == FINE_LEAST else np.int64(0)
    grown = False
    for p in range(s.seats):
        grown = grown or s.now[p] > 0
        s.fund[p] += s.now[p]
        s.now[p] = 0
    if grown and log.recording:
        emit(log, TELL_FUNDS, -1)
        for p in range(s.seats):
            attach(log, s.fund[p])
    if s.diss == FINE_LEAST_TOTAL:
        fined = to_be_fined(s, s.fund)
    for p in range(s.seats):
        if fined >> p & 1 != 0 and s.cash[p] > 0:
            s.cash[p] -= 1
            emit(log, TELL_FINED, p)
    for p in range(s.seats):
        given = min(np.int64(s.tithe), np.int64(s.cash[p]))
        if p != s.keeper and given > 0:
            s.cash[p] -= given
            s.fund[s.keeper] += given
            emit(log, TELL_TITHED, p, EVERYBODY, given)


@kernel
def to_be_fined(s: Any, amounts: Any) -> Int:
    """Y37: who has nothing (diss=zero), or least of all unless all have as much; a bit set of seats."""
    least, most = np.int64(amounts[0]), np.int64(amounts[0])
    for p in range(s.seats):
        least, most = min(least, np.int64(amounts[p])), max(most, np.int64(amounts[p]))
    found = np.int64(0)
    for p in range(s.seats):
        if s.diss == FINE_ZERO:
            found |= np.int64(amounts[p] == 0) << p
        elif least < most:
            found |= np.int64(amounts[p] == least) << p
    return found


# Step 6: contracts (Y40 to Y53). Symbols of a colour are 16 bits of one number, R lowest.


@kernel
def begin_contracts(s: Any) -> None:
    """Y40: all who have something to decide do so at the same time."""
    asked = np.int64(0)
    for p in range(s.seats):
        asked |= np.int64(owes(s, p)) << p
    s.phase, s.acting = CONTRACTS if asked else SETTLE, asked


@kernel
def owes(s: Any, p: Int) -> bool:
    """Y40: whether p has a house to decide, or upkeep to pay."""
    for i in range(s.held_count[p]):
        c = natural(s.held[p, i])
        if c < CARDS and s.knocked[c] == 0 and (s.side[c] == HOUSE or due(s, c) > 0):
            return True
    return False


@kernel
def due(s: Any, c: Int) -> Int:
    """Y51: the upkeep of a cat of the deck that is not knocked out."""
    return np.int64(s.upkeep_due[c]) if s.upkeep and s.knocked[c] == 0 and s.side[c] != HOUSE else np.int64(0)


@kernel
def upkeep_of(s: Any, p: Int, stop: Int) -> Int:
    """The upkeep of p's cats below a number that are not dropped."""
    found = np.int64(0)
    for i in range(s.held_count[p] if s.upkeep else 0):
        c = natural(s.held[p, i])
        if c < stop and s.verdict[p, c] != DROPPED:
            found += due(s, c)
    return found


@kernel
def works(s: Any, p: Int, c: Int) -> bool:
    """Y41: whether a cat can serve a house at all: p's, not knocked out, not dropped."""
    return is_cat(s, p, c) and s.knocked[c] == 0 and (c >= CARDS or s.verdict[p, c] != DROPPED)


@kernel
def yarn_balls(s: Any, p: Int) -> Int:
    """Y42: p's yarn balls that are cats and neither knocked out nor dropped."""
    found = np.int64(0)
    for i in range(s.held_count[p]):
        c = natural(s.held[p, i])
        found += c < CARDS and s.special[c] == YARN and s.side[c] == CAT and works(s, p, c)
    return found


@kernel
def gives(s: Any, c: Int, balls: Int) -> Int:
    """Y42: a cat's symbols, packed; of yarn as often as there are balls. More than any house needs is not counted."""
    if s.special[c] != YARN:
        red, green = np.int64(s.symbols[c, 0]), np.int64(s.symbols[c, 1])
        return red | green << 16 | np.int64(s.symbols[c, 2]) << 32 | np.int64(s.symbols[c, 3]) << 48
    found = np.int64(0)
    for colour in range(4):
        shown: Int = min(np.int64(s.symbols[c, colour]) * balls, MOST_SYMBOLS)
        found |= shown << 16 * colour
    return found


@kernel
def filled(have: Int, needs: Any, c: Int) -> bool:
    """Y43: the colours that are short are at most the grey symbols, and all symbols at least the demand of house c."""
    short, more = np.int64(0), -np.int64(needs[c, 3])
    grey = have >> 48
    for colour in range(3):
        over = (have >> 16 * colour & 0xFFFF) - needs[c, colour]
        short += max(np.int64(0), -over)
        more += over
    return short <= grey and more + grey >= 0


@kernel
def demand_filled(s: Any, c: Int, verdict: Int, have: Int) -> bool:
    """Whether these symbols fill the demand of a house for KEPT or TRASHED; never where it has no such side."""
    if verdict == KEPT:
        return s.keep_pays[c] >= 0 and filled(have, s.keep_needs, c)
    return s.trash_pays[c] >= 0 and filled(have, s.trash_needs, c)


@kernel
def reaches(s: Any, cat: Int, house: Int) -> bool:
    """Y52: whether a cat may serve a house: its mark is none, the house's district, or one of the two beside that."""
    mark, district = np.int64(s.mark[cat]), np.int64(s.district[house])
    if s.geography == 0 or mark == 0 or district == 0:
        return True
    return (mark - district + 6) % 6 in (0, 1, 5)


@kernel
def working(s: Any, p: Int, house: Int) -> Int:
    """The symbols of p's cats that serve a house, packed."""
    balls, found = yarn_balls(s, p), np.int64(0)
    for i in range(s.held_count[p]):
        c = natural(s.held[p, i])
        if c < LAIR and s.serves[p, c] == house + 1:
            found += gives(s, c, balls)
    return found


@kernel
def may_serve(s: Any, p: Int, c: Int, house: Int) -> bool:
    """Whether a card of p's is a cat that serves nothing yet and may serve a house."""
    return c < LAIR and works(s, p, c) and s.serves[p, c] == 0 and reaches(s, c, house)


@kernel
def idle(s: Any, p: Int, house: Int, first: Int) -> Int:
    """The symbols of p's cats from a number on that serve nothing yet and may serve a house, packed."""
    balls, found = yarn_balls(s, p), np.int64(0)
    for i in range(s.held_count[p]):
        c = natural(s.held[p, i])
        if c >= first and may_serve(s, p, c, house):
            found += gives(s, c, balls)
    return found


@kernel
def income(s: Any, p: Int) -> Int:
    """Y49: what p's lair pays; with starters=single the kitten, which is both."""
    if s.starters == SINGLE:
        return np.int64(s.lair_pays[p, 0]) if s.knocked[KITTEN + p] == 0 else np.int64(0)
    return np.int64(s.lair_pays[p, s.lair_side[p]]) if s.knocked[LAIR + p] == 0 else np.int64(0)


@kernel
def balance(s: Any, p: Int) -> Int:
    """The cash that p will have with the contracts as they are written (Y53)."""
    found = np.int64(s.cash[p]) + income(s, p) - upkeep_of(s, p, CARDS)
    for i in range(s.held_count[p]):
        c = natural(s.held[p, i])
        verdict = s.verdict[p, c] if c < CARDS else 0
        if verdict == KEPT:
            found += s.keep_pays[c]
        elif verdict == TRASHED:
            found += s.trash_pays[c]
        elif verdict == RETAINED:
            found -= s.retain_cost
    return found


@kernel
def holds_left(s: Any, p: Int) -> Int:
    """Y46: how many houses more p may hold."""
    found = np.int64(0)
    if s.keeper == p and s.mog_holds != HOLD_NONE:
        found = np.int64(CARDS if s.mog_holds == HOLD_ALL else 1)
    if s.starters == PAIR and s.knocked[LAIR + p] == 0:
        found += s.lair_holds[p, s.lair_side[p]]
    for i in range(s.held_count[p] if found > 0 else 0):
        c = natural(s.held[p, i])
        found -= c < CARDS and s.verdict[p, c] == HELD_ON
    return found


@kernel
def undecided(s: Any, p: Int, c: Int) -> bool:
    """Whether c is a house of p's that is not knocked out and has no verdict yet; a lair is none."""
    return c < CARDS and is_house(s, p, c) and s.knocked[c] == 0 and s.verdict[p, c] == 0


@kernel
def legal_contracts(s: Any, p: Int, out: Any) -> Int:
    """The next actions of contracts in preparation: what is begun can always be made whole.

    Numbers ascend within each step, so that each choice is written in one way.
    """
    latest, n, cards = np.int64(s.latest[p]) - 1, 0, np.int64(s.held_count[p])
    if s.upkeep:
        for i in range(cards if latest < KEEP else 0):
            c = natural(s.held[p, i])
            if c < CARDS and c > latest - DROP and due(s, c) > 0 and upkeep_of(s, p, c) <= s.cash[p]:
                out[n] = DROP + c
                n += 1
        if upkeep_of(s, p, CARDS) > s.cash[p]:
            return n
    house, cat, have, whole = np.int64(-1), np.int64(-1), np.int64(0), True
    if KEEP <= latest < HOLD:
        if latest >= SERVE:
            cat = latest - SERVE
            house = np.int64(s.serves[p, cat]) - 1
        else:
            house = latest - KEEP if latest < TRASH else latest - TRASH
        have = working(s, p, house)
        whole = demand_filled(s, house, s.verdict[p, house], have)
    if whole and latest < HOLD:
        spare = idle(s, p, 0, 0) if s.geography == 0 else np.int64(0)
        for step in range(KEPT, TRASHED + 1):
            for i in range(cards):
                c = natural(s.held[p, i])
                if c > house and undecided(s, p, c):
                    there = spare if s.geography == 0 else idle(s, p, c, 0)
                    if demand_filled(s, c, step, there):
                        out[n] = (KEEP if step == KEPT else TRASH) + c
                        n += 1
    if house >= 0:
        n = servants(s, p, house, cat, have, whole, out, n)
    if whole and latest < RETAIN and holds_left(s, p) > 0:
        for i in range(cards):
            c = natural(s.held[p, i])
            if c > latest - HOLD and undecided(s, p, c):
                out[n] = HOLD + c
                n += 1
    if whole and 0 < s.retain_cost <= balance(s, p):
        for i in range(cards):
            c = natural(s.held[p, i])
            if c > latest - RETAIN and undecided(s, p, c):
                out[n] = RETAIN + c
                n += 1
    if whole:
        out[n] = DONE
        n += 1
    return n


@kernel
def servants(s: Any, p: Int, house: Int, cat: Int, have: Int, whole: bool, out: Any, n: Int) -> Int:
    """The idle cats beyond ``cat`` that may serve the house, as actions, as far as it can still be filled then."""
    balls, rest = yarn_balls(s, p), np.int64(0)
    for i in range(s.held_count[p] - 1, -1, -1):
        c = natural(s.held[p, i])
        if c > cat and may_serve(s, p, c, house):
            rest += gives(s, c, balls)
    for i in range(s.held_count[p]):
        c = natural(s.held[p, i])
        if c > cat and may_serve(s, p, c, house):
            if whole or demand_filled(s, house, s.verdict[p, house], have + rest):
                out[n] = SERVE + c
                n += 1
            rest -= gives(s, c, balls)
    return n


@kernel
def write_contract(s: Any, p: Int, action: Int) -> None:
    """One action of a contracts move, into p's own rows."""
    house = np.int64(s.latest[p]) - 1
    if action >= RETAIN:
        s.verdict[p, action - RETAIN] = RETAINED
    elif action >= HOLD:
        s.verdict[p, action - HOLD] = HELD_ON
    elif action >= SERVE:
        if house >= SERVE:
            s.serves[p, action - SERVE] = s.serves[p, house - SERVE]
        else:
            s.serves[p, action - SERVE] = house + 1 - (KEEP if house < TRASH else TRASH)
    elif action >= TRASH:
        s.verdict[p, action - TRASH] = TRASHED
    elif action >= KEEP:
        s.verdict[p, action - KEEP] = KEPT
    else:
        s.verdict[p, action - DROP] = DROPPED
    s.latest[p] = action + 1


@kernel
def contracts(s: Any, p: Int, action: Int, log: Any) -> None:
    """Y40: the move goes on until it is done; with the last player's all are carried out."""
    if action != DONE:
        write_contract(s, p, action)
        s.midmove = s.midmove | 1 << p
        return
    s.latest[p] = 0
    s.midmove = s.midmove & ~(1 << p)
    s.acting = s.acting & ~(1 << p)
    emit(log, TELL_READY, p)
    if s.acting == 0:
        s.phase = SETTLE


@kernel
def settle(s: Any, log: Any) -> None:
    """Y53: upkeep, income and rewards, retain costs, trashing, lapsing; then knocked-out cards return."""
    for p in range(s.seats):
        settle_for(s, p, log)
    for p in range(s.seats):
        for i in range(s.held_count[p]):
            c = natural(s.held[p, i])
            if s.knocked[c] != 0:
                s.knocked[c] = 0
                emit(log, TELL_RETURNED, p, EVERYBODY, called(s, c))
    end_round(s, log)


@kernel
def settle_for(s: Any, p: Int, log: Any) -> None:
    """One player's contracts: no choice affects another."""
    paid, earned = upkeep_of(s, p, CARDS), income(s, p)
    s.cash[p] = balance(s, p)
    if paid > 0:
        emit(log, TELL_UPKEEP, p, EVERYBODY, paid)
    if earned > 0:
        emit(log, TELL_INCOME, p, EVERYBODY, earned)
    if s.geography:
        remark(s, p)
    i: Int = 0
    while i < s.held_count[p]:
        c = natural(s.held[p, i])
        i += 1
        if c >= CARDS or s.knocked[c] != 0:
            continue
        verdict = s.verdict[p, c]
        s.verdict[p, c] = 0
        if s.side[c] != HOUSE and verdict != DROPPED:
            continue
        if verdict == KEPT:
            emit(log, TELL_KEPT, p, EVERYBODY, called(s, c), s.keep_pays[c])
            attach_cats(s, p, c, log)
        elif verdict == HELD_ON:
            emit(log, TELL_HELD, p, EVERYBODY, called(s, c))
        elif verdict == RETAINED:
            emit(log, TELL_RETAINED, p, EVERYBODY, called(s, c), s.retain_cost)
        else:
            i -= 1
            leave(s, c, SUPPLY if verdict == 0 else DISCARDS)
            if verdict == DROPPED:
                emit(log, TELL_DROPPED, p, EVERYBODY, called(s, c))
            elif verdict == TRASHED:
                emit(log, TELL_TRASHED, p, EVERYBODY, called(s, c), s.trash_pays[c])
                attach_cats(s, p, c, log)
            else:
                emit(log, TELL_LAPSED, p, EVERYBODY, called(s, c))
    for c in range(s.card_count):
        s.serves[p, c] = 0
    s.serves[p, KITTEN + p] = 0


@kernel
def attach_cats(s: Any, p: Int, house: Int, log: Any) -> None:
    """On to the list of the event told last: the cats that serve a house."""
    if log.recording:
        for c in range(LAIR):
            if s.serves[p, c] == house + 1:
                attach(log, called(s, c))


@kernel
def remark(s: Any, p: Int) -> None:
    """Y52: cats that help to trash a house are marked with its district for the next round; other marks go."""
    for i in range(s.held_count[p]):
        c = natural(s.held[p, i])
        if c < LAIR and s.side[c] != HOUSE:
            house = np.int64(s.serves[p, c]) - 1
            s.mark[c] = s.district[house] if house >= 0 and s.verdict[p, house] == TRASHED else 0


# Steps 7 and 8: the end (Y54 to Y57)


@kernel
def end_round(s: Any, log: Any) -> None:
    """Y54: the end, or the next round."""
    s.ending = why_over(s)
    if s.ending != 0:
        score(s, FINISHED, log)
    elif 0 < s.round_cap <= s.turn:
        s.ending = CAP
        score(s, CAPPED, log)
    else:
        s.turn += 1
        s.phase = NEXT_ROUND


@kernel
def why_over(s: Any) -> Int:
    """Y54: why the game is over after this round, a bit set; 0: it goes on."""
    dogs, n = np.int64(s.dogs_out), np.int64(s.seats)
    if s.end == BY_DOGS:
        return np.int64(LAST_DOG) if last_dog_out(s) else np.int64(0)
    found = np.int64(0)
    if s.end == BY_DECK:
        found |= DECK_OUT if s.deck_began <= s.deck_top else 0
        return found | FEW_CARDS if s.offer_count + (s.top > 0) < n else found
    funds = np.int64(0)
    for p in range(s.seats):
        funds += s.fund[p]
    found |= LAST_DOG if dogs == s.dog_count else 0
    return found | OUTWEIGHED if dogs >= n and dogs * s.dog_bite > funds else found


@kernel
def score(s: Any, over: Int, log: Any) -> None:
    """Y55: all cash is added to the funds; with final_favour the Mogfather goes to whoever added most."""
    added = may_contribute(s)
    favour = most_of(s, s.cash, everybody(s)) if added else np.int64(s.keeper)
    for p in range(s.seats):
        if added and s.cash[p] > 0:
            emit(log, TELL_DUMPED, p, EVERYBODY, s.cash[p])
            s.fund[p] += s.cash[p]
            s.cash[p] = 0
    if s.final_favour and favour != s.keeper:
        s.keeper = favour
        emit(log, TELL_FAVOUR, favour)
    finish(s, over, log)


@kernel
def finish(s: Any, over: Int, log: Any) -> None:
    s.over, s.acting, s.midmove, s.phase = over, 0, 0, 0
    emit(log, TELL_ENDED, -1, EVERYBODY, s.ending)
    for p in range(s.seats):
        attach(log, s.fund[p])


@kernel
def outcome(s: Any, scores: Any, places: Any) -> None:
    """Y56: the most in the fund; ties to the nearest."""
    for p in range(s.seats):
        scores[p] = s.fund[p] * 8 + 7 - distance(s, p)
    rank_seats(s, scores, places)
    for p in range(s.seats):
        scores[p] = s.fund[p]


# Decisions


@kernel
def legal(s: Any, seat: Int, out: Any) -> Int:
    if s.phase == BID:
        return legal_bids(s, seat, out)
    if s.phase == PICK:
        return legal_picks(s, seat, out)
    if s.phase == CONTRACTS:
        return legal_contracts(s, seat, out)
    if s.phase == SETUP:
        for sides in range(4):
            out[sides] = START + sides
        return 4
    most = np.int64(s.cash[seat]) if s.phase == SPEND or may_contribute(s) else np.int64(0)
    return amounts(out, 0, AMOUNT, 0, most)


@kernel
def amounts(out: Any, n: Int, first: Int, least: Int, most: Int) -> Int:
    """Write amounts as actions of a family behind the first n; returns how many there are then."""
    for amount in range(least, min(np.int64(most), np.int64(AMOUNTS - 1)) + 1):
        out[n] = first + amount
        n += 1
    return n


@kernel
def legal_bids(s: Any, p: Int, out: Any) -> Int:
    n = amounts(out, 0, AMOUNT, least_bid(s, p), np.int64(s.pile[p]) + s.cash[p])
    if p != leader(s):
        out[n] = NO_BID
        n += 1
    return n


@kernel
def legal_picks(s: Any, p: Int, out: Any) -> Int:
    if s.copying > 0:
        return offered(s, GAIN, out, 0)
    if s.target > 0:
        return weapons(s, p, out, 0)
    n: Int = 0
    if stage_open(s, PAY_STAGE):
        n = amounts(out, n, PAY, 0, np.int64(s.cash[p]) if may_contribute(s) else np.int64(0))
    if stage_open(s, SPECIAL_STAGE) and gate_open(s, p):
        n = legal_specials(s, p, out, n)
    if stage_open(s, TAKE_STAGE):
        before = n
        n = offered(s, TAKE, out, n)
        if n == before or s.must_take == OPTIONAL:
            out[n] = TAKE_NONE
            n += 1
    return n


@kernel
def legal_specials(s: Any, p: Int, out: Any, n: Int) -> Int:
    """Y23 to Y27: every special that can be used now."""
    cards = np.int64(s.held_count[p])
    if killable(s):
        for i in range(cards):
            c = natural(s.held[p, i])
            if c < LAIR and ability(s, c) == CURIOSITY and rested(s, p, c):
                out[n] = CURIOUS + c
                n += 1
        if s.kill_cat > 0:
            out[n] = AGAIN
            n += 1
    if may_copy(s) and (s.top > 0 or s.offer_count > 0):
        for i in range(cards):
            c = natural(s.held[p, i])
            if copies(s, c) and rested(s, p, c):
                out[n] = COPY + c
                n += 1
    if weapons(s, p, out, n) > n:
        for c in range(OWN):
            if s.place[c] >= HELD and s.knocked[c] == 0:
                out[n] = ASSAULT + c
                n += 1
    return n


@kernel
def weapons(s: Any, p: Int, out: Any, n: Int) -> Int:
    """The cats that p can attack with, behind the first n actions; returns how many there are then."""
    for i in range(s.held_count[p]):
        c = natural(s.held[p, i])
        if c < LAIR and ability(s, c) == ATTACKING and rested(s, p, c):
            out[n] = WEAPON + c
            n += 1
    return n


@kernel
def offered(s: Any, first: Int, out: Any, n: Int) -> Int:
    """Each available card with each of its sides, as actions of `gain` or `take`; returns how many there are then."""
    top = np.int64(s.top) - 1
    for i in range(s.offer_count):
        c = natural(s.offer[i])
        if 0 <= top < c:
            n = sides_of(s, first, top, out, n)
            top = np.int64(-1)
        n = sides_of(s, first, c, out, n)
    return sides_of(s, first, top, out, n) if top >= 0 else n


@kernel
def sides_of(s: Any, first: Int, c: Int, out: Any, n: Int) -> Int:
    """One card with each of its sides, behind the first n actions; returns how many there are then."""
    sides = np.int64(s.sides[c])
    for side in range(4):
        out[n] = first + c * 4 + side
        n += sides >> side + 1 & 1
    return n


@kernel
def apply(s: Any, seat: Int, action: Int, log: Any) -> None:
    if s.phase == BID:
        if action == NO_BID:
            pass_bid(s, seat, log)
        else:
            bid(s, seat, action - AMOUNT, log)
    elif s.phase == PICK:
        pick(s, seat, action, log)
    elif s.phase == CONTRACTS:
        contracts(s, seat, action, log)
    elif s.phase == SPEND:
        spend(s, seat, action - AMOUNT, log)
    elif s.phase == FEED:
        feed(s, seat, action - AMOUNT, log)
    else:
        kitten, lair = start_of(action)
        choose_sides(s, seat, kitten + 2 * lair, log)
    proceed(s, log)


@kernel
def pick(s: Any, p: Int, action: Int, log: Any) -> None:
    """One action of a pick turn. Whatever is no second kill gives that up (Y24)."""
    cat = np.int64(s.kill_cat) - 1
    s.kill_cat = 0
    if action < NO_BID:
        pay(s, p, action - PAY, log)
    elif action < COPY:
        s.stage = 1
        if action != AGAIN:
            cat = action - CURIOUS
            s.used[cat], s.kill_cat = 1, cat + 1
        kill(s, p, cat, log)
    elif action < GAIN:
        s.stage, s.copying, s.midmove = 1, action - COPY + 1, 1 << p
    elif action < ASSAULT:
        c, side = gain_of(action)
        s.midmove = 0
        copycat(s, p, c, side + 1, log)
    elif action < WEAPON:
        s.stage, s.target, s.midmove = 1, action - ASSAULT + 1, 1 << p
    elif action < TAKE:
        s.midmove = 0
        attack(s, p, action - WEAPON, log)
    else:
        if action == TAKE_NONE:
            emit(log, TELL_TOOK_NONE, p)
        else:
            c, side = take_of(action)
            take(s, p, c, side + 1, log)
        after_take(s, p)


# For programs


@kernel
def default(s: Any, seat: Int) -> Int:
    """A seat that does not answer passes or stands, pays and takes nothing, and holds what it may hold for nothing."""
    if s.phase == BID:
        return np.int64(AMOUNT) + s.pile[seat] if seat == leader(s) else np.int64(NO_BID)
    if s.phase == PICK or s.phase == CONTRACTS:
        out = np.empty(ACTION_COUNT, np.int32)
        n = legal(s, seat, out)
        for i in range(n):
            holds = HOLD <= out[i] < RETAIN or out[i] == DONE
            takes = out[i] == TAKE_NONE or (out[i] >= TAKE and s.must_take == MUST and s.phase == PICK)
            if holds or (takes and s.midmove == 0):
                return np.int64(out[i])
        return np.int64(out[0])
    return np.int64(START) if s.phase == SETUP else np.int64(AMOUNT)


@kernel
def ahead(s: Any, seat: Int) -> Int:
    """The turn to speak in an auction, to feed, and the pick that is the seat's own: all is open, nothing is drawn."""
    if s.phase == PICK:
        return np.int64(picker(s) == seat)
    if s.phase == BID:
        waits = eligible(s) & ~np.int64(s.passed)
        if waits >> seat & 1 == 0 or (seat == leader(s) and s.spoken >> seat & 1 != 0):
            return 0
    elif s.phase == FEED:
        for place in range(s.feeds):
            if s.order[place] == seat + 1:
                return 0
    else:
        return 0
    s.acting = 1 << seat
    return 1


@kernel
def resample(s: Any, seat: Int, random: Any) -> None:
    """The deck in uniform order, the open top kept; sealed spends and sides uniformly; contracts some legal row.

    Who has sealed already, and what he owes, everybody sees.
    """
    fill_deck(s, random)
    for p in range(s.seats):
        if p == seat or s.acting >> p & 1 != 0:
            continue
        if s.phase == SETUP:
            s.start_choice[p] = 1 + rng.below(random, 4)
        elif s.phase == SPEND and (p == picker(s) or p == owner(s, np.int64(s.target) - 1)):
            s.sealed[p] = 1 + rng.below(random, min(np.int64(s.cash[p]), np.int64(AMOUNTS - 1)) + 1)
        elif s.phase == CONTRACTS and owes(s, p):
            imagine_contracts(s, p, random)


@kernel
def fill_deck(s: Any, random: Any) -> None:
    n: Int = 0
    for c in range(THINGS):
        if s.place[c] == DECK and s.top != c + 1:
            s.deck[n] = c + 1
            n += 1
    for i in range(n - 1, 0, -1):
        j = rng.below(random, i + 1)
        kept = s.deck[i]
        s.deck[i] = s.deck[j]
        s.deck[j] = kept
    if s.top > 0:
        s.deck[n] = s.top


@kernel
def imagine_contracts(s: Any, p: Int, random: Any) -> None:
    """Random legal actions until the contracts are done; they stay sealed."""
    out = np.empty(ACTION_COUNT, np.int32)
    action = np.int64(0)
    while action != DONE:
        action = np.int64(out[rng.below(random, legal_contracts(s, p, out))])
        if action != DONE:
            write_contract(s, p, action)
    s.latest[p] = 0
