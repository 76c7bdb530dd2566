"""The rules of Syndicats, in the order of the rulebook (ids S1 to S8, Y1 to Y60 and U1 to U79).

A card is a number (`backroom.games.syndicats.cards`): the deck's cards from 0, from KITTEN the shadow kittens and from
LAIR the lairs by seat, from DOG the dogs. A field that names one holds the number + 1, and 0 for none.
"""

import numpy as np

from backroom.engine.actions import actions, family
from backroom.engine.record import owned, public, record, secret
from backroom.games.syndicats.cards import (
    CARDS,
    DEFENCE,
    DEFENDING,
    DOGS,
    EITHER,
    HELD,
    LAIR,
    MOST_COINS,
    MOST_SYMBOLS,
    OWN,
    SEATS,
    THINGS,
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
PAY_STAGE, SPECIAL_STAGE, TAKE_STAGE = range(3)
"""Stages of a pick; ``stage`` is the place of the first one still open in the order of `stage_at`."""
KEPT, TRASHED, HELD_ON, RETAINED, DROPPED = range(1, 6)
"""Values of ``verdict``: of a house, and the last one of a cat. 0: the house lapses, the cat stays."""

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
    deck_key=public(np.int64, least=0),  # which deck it is (`cards.deck_of`); 0: the printed one
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
