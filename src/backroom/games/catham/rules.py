"""The rules of Catham City: its state and its kernels, in the order of the rulebook (ids C1 to C33 and CR..)."""

from typing import Any

import numpy as np

from backroom.engine import chance, rng
from backroom.engine.actions import actions, family
from backroom.engine.events import EVERYBODY, attach, emit, event, events
from backroom.engine.game import CAPPED, FINISHED, rank_seats
from backroom.engine.kernel import Int, kernel, natural
from backroom.engine.record import owned, public, record, secret
from backroom.games.catham.cards import (
    COPIES,
    DETECTIVES,
    HACKERS,
    IN_PLAY,
    JOURNALISTS,
    LIMIT,
    MAFIA,
    MARKET,
    MOST_HACKERS,
    OFFICIALS,
    POLICE,
    ROBOCATS,
    SCIENTISTS,
    SETS,
)  # fmt: skip
from backroom.games.catham.options import CathamOptions

SEATS = 6
KINDS = 8
"""Factions there are; five of them are in play."""
DECK = COPIES * IN_PLAY
LAID_FROM = LIMIT + MOST_HACKERS
"""The largest hand that cards are laid out from: ten and the hackers that have come into it."""
SCRATCH = 32
"""Room for such a hand, each faction written as if all of it were of that faction."""

SURPLUS_MOST = 7
"""Cards over the limit, at most: ten and the market of seven taken, or ten and seven drawn by a police victim, since
eight officers at least are the searcher's."""
MOST_POINTS = 39
"""One below the highest target, and the most that one effect brings: a point for each card of a hand at its limit."""

BY_SEAT = CathamOptions.codes("hands")[0]
ANY_EXTRA, OTHER_EXTRA = CathamOptions.codes("detective_extra")
DISCARD_SCORED, KEEP_SCORED = CathamOptions.codes("official_cards")
GIVE_BACK, THROW_AWAY = CathamOptions.codes("police_cards")
TWIN_AWAY, JOURNALIST_AWAY = CathamOptions.codes("journalist_match")
AT_ONCE, AFTER_EFFECT = CathamOptions.codes("end_check")

TURN, GIFT, MATCH, LOSS, SURPLUS = range(5)
"""Values of ``question``: an action of the turn; the reactions to journalists, detectives and mafia; the hand limit."""

STREAMS = ("first", "factions", "shuffle", "reshuffle", "police", "hackers")
FIRST_STREAM, FACTIONS_STREAM, SHUFFLE_STREAM, RESHUFFLE_STREAM, POLICE_STREAM, HACKERS_STREAM = range(6)

STATE = record(
    SEATS,
    STREAMS,
    # Cards. The top of the deck is its last card; places beyond its size are 0.
    deck=secret(np.int8, DECK),
    scratch=secret(np.int8, SCRATCH),  # cards on their way; all 0 between decisions
    hand=owned(np.int8, SEATS, KINDS, most=COPIES),
    deck_size=public(np.int8, most=DECK),
    hand_size=public(np.int8, SEATS, most=LIMIT + SURPLUS_MOST),
    known=public(np.int8, SEATS, KINDS, most=COPIES),  # of each hand, the cards that everybody knows to be in it
    market=public(np.int8, KINDS, most=MARKET),
    discards=public(np.int8, KINDS, most=COPIES),
    table=public(np.int8, KINDS, most=COPIES),  # paid, opened and laid out; at the hand limit: chosen so far
    kept=public(np.int8, SEATS, KINDS, most=COPIES),  # official_cards=keep: cards that are points
    # Points and the flow of the game.
    points=public(np.int8, SEATS, most=MOST_POINTS),
    question=public(np.int8, most=SURPLUS),
    active=public(np.int8, most=SEATS - 1),
    second=public(np.int8, most=1),  # 1: the second action of an advanced turn
    extra=public(np.int8, least=-1, most=KINDS - 1),  # the detectives' extra faction while matches are asked, else -1
    winner=public(np.int8, least=-1, most=SEATS - 1),  # -1 while there is none
    actions_made=public(np.int32, least=0),
    factions=public(np.int8, IN_PLAY, most=KINDS - 1),
    **CathamOptions.fields(),
)

# The longest count of each kind: X police need a wanted card too.
ACTIONS = actions(
    take=family(KINDS, MARKET),  # faction, number - 1
    journalists=family(),
    detectives=family(KINDS),  # extra
    officials=family(LIMIT),  # number - 1
    scientists=family(),
    robocats=family(2),  # 0: two cards, 1: four
    mafia=family(),
    police=family(LIMIT - 1, KINDS, SEATS),  # number - 1, wanted, victim
    hackers=family(SEATS, MOST_HACKERS),  # victim, number - 1
    give=family(KINDS),
    match=family(),
    decline=family(),
    throw=family(KINDS, KINDS),  # two cards, ascending
    lose=family(),
    lose_kept=family(KINDS),
    discard=family(KINDS, SURPLUS_MOST),  # faction, number - 1
)

EVENTS = events(
    32,
    began=event("target", listed="factions"),
    dealt=event("count", listed="cards", private=("cards",)),
    refilled=event("opening", listed="cards"),
    took=event("faction", "count"),
    played=event("faction", "count", "points", listed="cards"),
    gained=event("points", "total", "faction"),
    gave=event("receiver", "faction", "discarded", private=("faction",)),
    matched=event("faction"),
    declined=event("question"),
    opened=event("count", "points", listed="cards"),
    kept=event(listed="cards"),
    drew=event("count", "faction", listed="cards", private=("cards",)),
    threw=event("forced", listed="cards"),
    lost=event("forced", "total", "faction"),
    searched=event("victim", "count", "wanted", "points", listed="cards"),
    hacked=event("victim", "count", "points", listed="cards"),
    discarded=event(listed="cards"),
    reshuffled=event("count"),
    ended=event("points"),
    stopped=event("actions"),
)
BEGAN, DEALT, REFILLED, TOOK, PLAYED, GAINED = (EVENTS.number(name) for name in (
    "began", "dealt", "refilled", "took", "played", "gained"))  # fmt: skip
GAVE, MATCHED, DECLINED, OPENED, KEPT, DREW = (EVENTS.number(name) for name in (
    "gave", "matched", "declined", "opened", "kept", "drew"))  # fmt: skip
THREW, LOST, SEARCHED, HACKED = (EVENTS.number(name) for name in ("threw", "lost", "searched", "hacked"))
DISCARDED, RESHUFFLED, ENDED, STOPPED = (EVENTS.number(name) for name in (
    "discarded", "reshuffled", "ended", "stopped"))  # fmt: skip

ACTION_COUNT = ACTIONS.count
TAKE, TAKE_END, take_number, take_of = ACTIONS.take.first, ACTIONS.take.stop, ACTIONS.take.encode, ACTIONS.take.decode
PLAY_JOURNALISTS = ACTIONS.journalists.first
PLAY_DETECTIVES, DETECTIVES_END = ACTIONS.detectives.first, ACTIONS.detectives.stop
PLAY_OFFICIALS, OFFICIALS_END = ACTIONS.officials.first, ACTIONS.officials.stop
PLAY_SCIENTISTS, PLAY_ROBOCATS, PLAY_MAFIA = ACTIONS.scientists.first, ACTIONS.robocats.first, ACTIONS.mafia.first
POLICE_END, police_number, police_of = ACTIONS.police.stop, ACTIONS.police.encode, ACTIONS.police.decode
HACKERS_END, hackers_number, hackers_of = ACTIONS.hackers.stop, ACTIONS.hackers.encode, ACTIONS.hackers.decode
GIVE, GIVE_END = ACTIONS.give.first, ACTIONS.give.stop
MATCH_EXTRA, DECLINE, LOSE_POINT = ACTIONS.match.first, ACTIONS.decline.first, ACTIONS.lose.first
THROW_END, throw_number, throw_of = ACTIONS.throw.stop, ACTIONS.throw.encode, ACTIONS.throw.decode
LOSE_KEPT, LOSE_KEPT_END = ACTIONS.lose_kept.first, ACTIONS.lose_kept.stop
discard_number, discard_of = ACTIONS.discard.encode, ACTIONS.discard.decode


# Set-up


@kernel
def setup(s: Any, log: Any) -> None:
    """Section Set-up of the rulebook: first player, factions, shuffle, deal, market."""
    if s.rotation < 0:
        s.rotation = chance.pick(s, log, FIRST_STREAM, np.int64(s.seats))
    if s.factions[0] < 0:
        drawn = chance.pick(s, log, FACTIONS_STREAM, SETS.shape[0])
        for i in range(IN_PLAY):
            s.factions[i] = SETS[drawn, i]
    for i in range(IN_PLAY):
        for j in range(COPIES):
            s.deck[i * COPIES + j] = s.factions[i]
    s.deck_size = DECK
    chance.shuffle(s, log, SHUFFLE_STREAM, s.deck, DECK)
    s.extra = -1
    s.winner = -1
    s.turn = 1
    s.acting = 1
    emit(log, BEGAN, 0, EVERYBODY, np.int64(s.target), 0, 0, 0)
    if log.recording != 0:
        for i in range(IN_PLAY):
            attach(log, np.int64(s.factions[i]))
    for seat in range(s.seats):
        deal(s, log, seat)
    refill(s, log, 1)


@kernel
def hand_dealt(hands: Int, seat: Int) -> Int:
    """Six, six, seven, seven, eight, eight cards in turn order, or as many for all as option ``hands`` says (CR2)."""
    return 6 + seat // 2 if hands == BY_SEAT else 5 + hands


@kernel
def deal(s: Any, log: Any, seat: Int) -> None:
    """A seat gets its first hand, unseen by the others."""
    count = hand_dealt(np.int64(s.hands), seat)
    emit(log, DEALT, seat, 1 << seat, count, 0, 0, 0)
    for _ in range(count):
        card = next_card(s, log)
        s.hand[seat, card] += 1
        attach(log, card)
    s.hand_size[seat] = count


# Turn (C1 to C11)

WAIT, ASK, END, CHECK = range(4)
"""What follows a step: nothing (an answer is awaited, or the game is over); the next reaction; the end of the effect;
the hand limit."""


@kernel
def take(s: Any, seat: Int, faction: Int, count: Int, log: Any) -> Int:
    """C2: cards of one faction from the market."""
    s.market[faction] -= count
    receive(s, seat, faction, count)
    emit(log, TOOK, seat, EVERYBODY, faction, count, 0, 0)
    return CHECK


@kernel
def hand_limit(s: Any, log: Any) -> None:
    """C3: the active player first, then clockwise, everybody over ten discards; then C4 and the next action."""
    over: Any = False
    for player in range(SEATS):
        over = over or s.hand_size[player] > LIMIT
    if over:
        seat = np.int64(s.active)
        while s.hand_size[seat] <= LIMIT:
            seat = clockwise(s, seat)
        s.question = SURPLUS
        s.acting = 1 << seat
        return
    lying = refill(s, log, 0)
    next_action(s, lying, log)


@kernel
def clockwise(s: Any, seat: Int) -> Int:
    """The next seat in turn order."""
    return seat + 1 if seat + 1 < s.seats else 0


@kernel
def discard_surplus(s: Any, seat: Int, faction: Int, count: Int, log: Any) -> Int:
    """C3: cards chosen to go lie on the table until the hand is down to ten, then go together."""
    pay(s, seat, faction, count)
    if s.hand_size[seat] > LIMIT:
        s.midmove = 1 << seat
        return WAIT
    s.midmove = 0
    emit(log, DISCARDED, seat, EVERYBODY, 0, 0, 0, 0)
    attach_table(s, log)
    clear_table(s)
    return CHECK


@kernel
def refill(s: Any, log: Any, opening: Int) -> Int:
    """C4: the market has seven cards again, or as many as there are; gives their number."""
    missing: Int = MARKET
    for faction in range(KINDS):
        missing -= s.market[faction]
    if missing <= 0:
        return MARKET
    filled = 0
    while filled < missing:
        card = next_card(s, log)
        if card < 0:
            break
        s.market[card] += 1
        if log.recording != 0:
            s.scratch[filled] = card
        filled += 1
    emit(log, REFILLED, -1, EVERYBODY, opening, 0, 0, 0)
    attach_scratch(s, log, filled)
    return MARKET - missing + filled


@kernel
def next_card(s: Any, log: Any) -> Int:
    """C5: the top card leaves the deck; -1 when there is none and no discard to shuffle (CR7, CR9)."""
    last = np.int64(s.deck_size) - 1
    if last < 0:
        last = reshuffle(s, log) - 1
        if last < 0:
            return np.int64(-1)
    card = natural(s.deck[last])
    s.deck[last] = 0
    s.deck_size = last
    return card


@kernel
def reshuffle(s: Any, log: Any) -> Int:
    """C5: the discards become the deck; what lies on the table does not (CR8). Gives their number."""
    count = 0
    for faction in range(KINDS):
        for _ in range(s.discards[faction]):
            s.deck[count] = faction
            count += 1
        s.discards[faction] = 0
    if count > 0:
        chance.shuffle(s, log, RESHUFFLE_STREAM, s.deck, count)
        emit(log, RESHUFFLED, -1, EVERYBODY, count, 0, 0, 0)
    s.deck_size = count
    return count


@kernel
def draw(s: Any, log: Any, seat: Int, count: Int, faction: Int) -> None:
    """Cards from the deck into a hand, unseen by others."""
    drawn = 0
    while drawn < count:
        card = next_card(s, log)
        if card < 0:
            break
        s.hand[seat, card] += 1
        if log.recording != 0:
            s.scratch[drawn] = card
        drawn += 1
    s.hand_size[seat] += drawn
    emit(log, DREW, seat, 1 << seat, drawn, faction, 0, 0)
    attach_scratch(s, log, drawn)


@kernel
def pay(s: Any, seat: Int, faction: Int, count: Int) -> None:
    """Cards of a hand go openly to the table: what was known of the hand shrinks by them."""
    s.hand[seat, faction] -= count
    s.hand_size[seat] -= count
    s.known[seat, faction] = max(0, np.int64(s.known[seat, faction]) - count)
    s.table[faction] += count


@kernel
def receive(s: Any, seat: Int, faction: Int, count: Int) -> None:
    """Cards come openly into a hand."""
    s.hand[seat, faction] += count
    s.hand_size[seat] += count
    s.known[seat, faction] += count


@kernel
def clear_table(s: Any) -> None:
    """C6: the cards on the table go to the discard pile."""
    for faction in range(KINDS):
        s.discards[faction] += s.table[faction]
        s.table[faction] = 0


@kernel
def discard_now(s: Any, seat: Int, faction: Int, count: Int) -> None:
    """C8: cards of a reaction go to the discard pile at once."""
    pay(s, seat, faction, count)
    s.table[faction] -= count
    s.discards[faction] += count


@kernel
def attach_table(s: Any, log: Any) -> None:
    """The cards on the table as the list of the event emitted last."""
    if log.recording != 0:
        for faction in range(KINDS):
            for _ in range(s.table[faction]):
                attach(log, faction)


@kernel
def attach_scratch(s: Any, log: Any, count: Int) -> None:
    """The cards in ``scratch`` as the list of the event emitted last; ``scratch`` is then empty."""
    if log.recording != 0:
        for i in range(count):
            attach(log, np.int64(s.scratch[i]))
            s.scratch[i] = 0


@kernel
def clear_scratch(s: Any) -> None:
    """Nothing is on its way any more."""
    for i in range(SCRATCH):
        s.scratch[i] = 0


@kernel
def gain(s: Any, log: Any, seat: Int, points: Int, faction: Int) -> bool:
    """C9: points from the bank. True when the game is over by them (C10)."""
    if points == 0:
        return False
    s.points[seat] += points
    emit(log, GAINED, seat, EVERYBODY, points, np.int64(s.points[seat]), faction, 0)
    if s.points[seat] >= s.target and s.end_check == AT_ONCE:
        finish(s, log, seat)
        return True
    return False


@kernel
def finish(s: Any, log: Any, seat: Int) -> None:
    """C10: the game is over, this player has won; cards on the table stay there (CR34)."""
    s.winner = seat
    s.over = FINISHED
    nothing_asked(s)
    emit(log, ENDED, seat, EVERYBODY, np.int64(s.points[seat]), 0, 0, 0)


@kernel
def nothing_asked(s: Any) -> None:
    """Nobody owes a decision any more."""
    s.acting = 0
    s.question = TURN
    s.extra = -1


@kernel
def go_on(s: Any, seat: Int, then: Int, log: Any) -> None:
    """C7: what follows a step of this seat, until somebody has to answer or the game is over."""
    if then == ASK:
        then = ask_next(s, seat, log)
    if then == END:
        then = end_effect(s, log)
    if then == CHECK:
        hand_limit(s, log)


@kernel
def end_effect(s: Any, log: Any) -> Int:
    """C7 (4), and the late end check of CR35: most points, tie to the first clockwise from the active player."""
    clear_table(s)
    s.extra = -1
    if s.end_check == AFTER_EFFECT:
        best = np.int64(s.active)
        seat = clockwise(s, best)
        while seat != s.active:
            if s.points[seat] > s.points[best]:
                best = seat
            seat = clockwise(s, seat)
        if s.points[best] >= s.target:
            finish(s, log, best)
            return WAIT
    return CHECK


@kernel
def next_action(s: Any, lying: Int, log: Any) -> None:
    """C1, C28: the second action of an advanced turn, or the next player's turn. The guard of CR43."""
    s.actions_made += 1
    if s.actions_made == s.max_actions:
        stop(s, log)
        return
    second = s.advanced != 0 and s.second == 0
    seat = np.int64(s.active)
    if not second:
        seat = clockwise(s, seat)
        s.turn += 1
    ask_action(s, seat, np.int64(second))
    if lying == 0 and first_legal(s, np.int64(s.active)) < 0:
        # Never while all 75 cards go round (CR6), but kept officials leave the round (CR20).
        stop(s, log)


@kernel
def ask_action(s: Any, seat: Int, second: Int) -> None:
    """C1: an action is asked of this player; the second of an advanced turn or the only or first one."""
    s.active = seat
    s.second = second
    s.question = TURN
    s.acting = 1 << seat


@kernel
def ahead(s: Any, seat: Int) -> Int:
    """The seat's next action, what others are asked set aside. Not while it has to discard first, or has nothing to do.

    A seat whose own play is being answered has its second action next, where there is one.
    """
    if s.over != 0 or s.hand_size[seat] > LIMIT:
        return 0
    if s.question != TURN or s.active != seat:
        second = s.active == seat and s.advanced != 0 and s.second == 0
        clear_table(s)
        s.extra = -1
        ask_action(s, seat, np.int64(second))
    return np.int64(first_legal(s, seat) >= 0)


@kernel
def stop(s: Any, log: Any) -> None:
    """End the game without a winner."""
    s.over = CAPPED
    nothing_asked(s)
    emit(log, STOPPED, -1, EVERYBODY, np.int64(s.actions_made), 0, 0, 0)


@kernel
def ask_next(s: Any, seat: Int, log: Any) -> Int:
    """C8: the next player clockwise who has something to answer is asked (C31); after the last the effect ends."""
    while True:
        seat = clockwise(s, seat)
        if seat == s.active:
            return END
        if s.question == GIFT:
            asked = s.hand_size[seat] >= 2
        elif s.question == MATCH:
            asked = s.hand_size[seat] >= 1
        else:
            asked = not forced_loss(s, log, seat)
        if asked:
            s.acting = 1 << seat
            return WAIT


# Factions (C20 to C27)


@kernel
def announce(s: Any, log: Any, seat: Int, faction: Int, count: Int, points: Int) -> None:
    """The event of a play, when exactly its cards lie on the table. ``points``: those sure at once."""
    emit(log, PLAYED, seat, EVERYBODY, faction, count, points, 0)
    attach_table(s, log)


@kernel
def play_journalists(s: Any, seat: Int, log: Any) -> Int:
    """C20: two for two points; then the others may give."""
    pay(s, seat, JOURNALISTS, 2)
    announce(s, log, seat, JOURNALISTS, 2, 2)
    if gain(s, log, seat, 2, JOURNALISTS):
        return WAIT
    s.question = GIFT
    return ASK


@kernel
def give(s: Any, seat: Int, faction: Int, log: Any) -> Int:
    """C20: one card to the active player and its twin away, for a point (CR15; or a journalist away)."""
    receiver = np.int64(s.active)
    if s.journalist_match == TWIN_AWAY:
        discard_now(s, seat, faction, 2)
        s.discards[faction] -= 1
        receive(s, receiver, faction, 1)
        emit(log, GAVE, seat, EVERYBODY, receiver, faction, faction, 0)
    else:
        discard_now(s, seat, JOURNALISTS, 1)
        s.hand[seat, faction] -= 1
        s.hand_size[seat] -= 1
        s.hand[receiver, faction] += 1
        s.hand_size[receiver] += 1
        # Nobody else knows which card went, so each known card may be it.
        for kind in range(KINDS):
            if s.known[seat, kind] > 0:
                s.known[seat, kind] -= 1
        emit(log, GAVE, seat, 1 << seat | 1 << receiver, receiver, faction, JOURNALISTS, 0)
    if gain(s, log, seat, 1, JOURNALISTS):
        return WAIT
    return ASK


@kernel
def decline(s: Any, seat: Int, log: Any) -> Int:
    """C8: no gift, no match."""
    emit(log, DECLINED, seat, EVERYBODY, np.int64(s.question), 0, 0, 0)
    return ASK


@kernel
def play_detectives(s: Any, seat: Int, extra: Int, log: Any) -> Int:
    """C21: three and an extra card for three points; then the others may match the extra card."""
    pay(s, seat, DETECTIVES, 3)
    pay(s, seat, extra, 1)
    announce(s, log, seat, DETECTIVES, 3, 3)
    if gain(s, log, seat, 3, DETECTIVES):
        return WAIT
    s.question = MATCH
    s.extra = extra
    return ASK


@kernel
def match(s: Any, seat: Int, log: Any) -> Int:
    """C21: a card of the extra card's faction away, for a point (CR19)."""
    faction = np.int64(s.extra)
    discard_now(s, seat, faction, 1)
    emit(log, MATCHED, seat, EVERYBODY, faction, 0, 0, 0)
    if gain(s, log, seat, 1, DETECTIVES):
        return WAIT
    return ASK


@kernel
def play_officials(s: Any, seat: Int, count: Int, log: Any) -> Int:
    """C22: as many cards opened as paid, a point for each different faction (CR9, CR20, CR21)."""
    pay(s, seat, OFFICIALS, count)
    announce(s, log, seat, OFFICIALS, count, 0)
    seen = 0
    points = 0
    opened = 0
    while opened < count:
        card = next_card(s, log)
        if card < 0:
            break
        if log.recording != 0:
            s.scratch[opened] = card
        opened += 1
        if seen >> card & 1 == 0:
            seen |= 1 << card
            points += 1
            if s.official_cards == KEEP_SCORED:
                s.kept[seat, card] += 1
                continue
        s.table[card] += 1
    emit(log, OPENED, seat, EVERYBODY, count, points, 0, 0)
    attach_scratch(s, log, opened)
    if s.official_cards == KEEP_SCORED and log.recording != 0:
        emit(log, KEPT, seat, EVERYBODY, 0, 0, 0, 0)
        for faction in range(KINDS):
            if seen >> faction & 1:
                attach(log, faction)
    if gain(s, log, seat, points, OFFICIALS):
        return WAIT
    return END


@kernel
def play_scientists(s: Any, seat: Int, log: Any) -> Int:
    """C23: three for two points and two cards from the deck (CR22)."""
    pay(s, seat, SCIENTISTS, 3)
    announce(s, log, seat, SCIENTISTS, 3, 2)
    if gain(s, log, seat, 2, SCIENTISTS):
        return WAIT
    draw(s, log, seat, 2, SCIENTISTS)
    return END


@kernel
def play_robocats(s: Any, seat: Int, four: Int, log: Any) -> Int:
    """C24: two for five cards from the deck, or four for three points."""
    if four == 0:
        pay(s, seat, ROBOCATS, 2)
        announce(s, log, seat, ROBOCATS, 2, 0)
        draw(s, log, seat, 5, ROBOCATS)
    else:
        pay(s, seat, ROBOCATS, 4)
        announce(s, log, seat, ROBOCATS, 4, 3)
        if gain(s, log, seat, 3, ROBOCATS):
            return WAIT
    return END


@kernel
def play_mafia(s: Any, seat: Int, log: Any) -> Int:
    """C25: four for two points; each other player loses two cards or a point."""
    pay(s, seat, MAFIA, 4)
    announce(s, log, seat, MAFIA, 4, 2)
    if gain(s, log, seat, 2, MAFIA):
        return WAIT
    s.question = LOSS
    return ASK


@kernel
def forced_loss(s: Any, log: Any, seat: Int) -> bool:
    """C25, C31: what mafia does to a player who has no choice that others cannot see. False when there is one."""
    size = s.hand_size[seat]
    if s.points[seat] > 0:
        if size >= 2:
            return False
        if tokens_of(s, seat) > 0:
            lose_point(s, log, seat, -1, 1)
            return True
        only = -1
        for faction in range(KINDS):
            if s.kept[seat, faction] > 0:
                if only >= 0:
                    return False
                only = faction
        lose_point(s, log, seat, only, 1)
        return True
    if size > 2:
        return False
    if size > 0:
        emit(log, THREW, seat, EVERYBODY, 1, 0, 0, 0)
        for faction in range(KINDS):
            count = np.int64(s.hand[seat, faction])
            if count > 0:
                discard_now(s, seat, faction, count)
                for _ in range(count):
                    attach(log, faction)
        s.hand_size[seat] = 0
    return True


@kernel
def tokens_of(s: Any, seat: Int) -> Int:
    """Points held as tokens; the others are kept cards (CR20)."""
    held = np.int64(s.points[seat])
    if s.official_cards == KEEP_SCORED:
        for faction in range(KINDS):
            held -= s.kept[seat, faction]
    return held


@kernel
def lose_point(s: Any, log: Any, seat: Int, faction: Int, forced: Int) -> None:
    """C25, C9: a token back to the bank, or (``faction`` from 0 up) a kept card to the discard pile."""
    s.points[seat] -= 1
    if faction >= 0:
        s.kept[seat, faction] -= 1
        s.discards[faction] += 1
    emit(log, LOST, seat, EVERYBODY, forced, np.int64(s.points[seat]), faction, 0)


@kernel
def throw_two(s: Any, seat: Int, first: Int, second: Int, log: Any) -> Int:
    """C25: two cards of the victim's choice."""
    discard_now(s, seat, first, 1)
    discard_now(s, seat, second, 1)
    emit(log, THREW, seat, EVERYBODY, 0, 0, 0, 0)
    attach(log, first)
    attach(log, second)
    return ASK


@kernel
def play_police(s: Any, seat: Int, count: Int, wanted: Int, victim: Int, log: Any) -> Int:
    """C26: random cards of the victim laid out, a point for each of the wanted faction (CR25 to CR29)."""
    pay(s, seat, POLICE, count)
    pay(s, seat, wanted, 1)
    announce(s, log, seat, POLICE, count, 0)
    laid = lay_out(s, log, victim, count, POLICE_STREAM)
    points = 0
    officers = 0
    for i in range(laid):
        card = s.scratch[i]
        points += card == wanted
        officers += card == POLICE
    emit(log, SEARCHED, seat, EVERYBODY, victim, count, wanted, points)
    if log.recording != 0:
        for i in range(laid):
            attach(log, np.int64(s.scratch[i]))
    over = gain(s, log, seat, points, POLICE)
    for i in range(laid):
        if not over and s.police_cards == GIVE_BACK:
            card = np.int64(s.scratch[i])
            s.table[card] -= 1
            receive(s, victim, card, 1)
    clear_scratch(s)
    if over:
        return WAIT
    if officers > 0:
        draw(s, log, victim, officers, POLICE)
    return END


@kernel
def lay_out(s: Any, log: Any, victim: Int, count: Int, stream: Int) -> Int:
    """Random cards of a hand go to the table for all to see, into ``scratch`` too. Gives their number."""
    held: Int = 0
    for faction in range(KINDS):
        for i in range(LAID_FROM):  # as in `legal`: written first, counted afterwards
            s.scratch[held + i] = faction
        held = natural(held + s.hand[victim, faction])
    laid = min(count, held)
    if laid > 0:
        chance.sample(s, log, stream, s.scratch, held, laid)
    for i in range(laid):
        pay(s, victim, natural(s.scratch[i]), 1)
    return laid


@kernel
def play_hackers(s: Any, seat: Int, victim: Int, count: Int, log: Any) -> Int:
    """C27: hackers into the victim's hand, as many random cards out of it: hackers are points, the rest is loot."""
    pay(s, seat, HACKERS, count)
    announce(s, log, seat, HACKERS, count, 0)
    s.table[HACKERS] -= count
    receive(s, victim, HACKERS, count)
    laid = lay_out(s, log, victim, count, HACKERS_STREAM)
    points = np.int64(s.table[HACKERS])
    emit(log, HACKED, seat, EVERYBODY, victim, count, points, 0)
    attach_scratch(s, log, laid)
    clear_scratch(s)
    if gain(s, log, seat, points, HACKERS):
        return WAIT
    for faction in range(KINDS):
        if faction != HACKERS:
            receive(s, seat, faction, np.int64(s.table[faction]))
            s.table[faction] = 0
    return END


# The engine's kernels


@kernel
def legal(s: Any, seat: Int, out: Any) -> Int:
    """The seat's legal actions, ascending, into ``out`` (int32, one place for each action); gives their number.

    One kernel for all questions, and actions written first and counted afterwards: this is the busiest kernel of a
    simulation, where passing on an array and each unpredictable branch cost more than a write too many.
    """
    n: Int = 0
    seat = natural(seat)
    question = s.question
    if question == TURN:  # C1: every take, and every play that the hand pays for
        for faction in range(KINDS):
            for count in range(MARKET):
                out[n + count] = take_number(faction, count)
            n = natural(n + s.market[faction])
        out[n] = PLAY_JOURNALISTS
        n += np.int64(s.hand[seat, JOURNALISTS] >= 2)
        if s.hand[seat, DETECTIVES] >= 3:
            for extra in range(KINDS):
                out[n] = PLAY_DETECTIVES + extra
                n += np.int64(can_add(s, seat, extra))
        for count in range(s.hand[seat, OFFICIALS]):
            out[n] = PLAY_OFFICIALS + count
            n += 1
        out[n] = PLAY_SCIENTISTS
        n += np.int64(s.hand[seat, SCIENTISTS] >= 3)
        out[n] = PLAY_ROBOCATS
        n += np.int64(s.hand[seat, ROBOCATS] >= 2)
        out[n] = PLAY_ROBOCATS + 1
        n += np.int64(s.hand[seat, ROBOCATS] >= 4)
        out[n] = PLAY_MAFIA
        n += np.int64(s.hand[seat, MAFIA] >= 4)
        for count in range(s.hand[seat, POLICE]):
            for wanted in range(KINDS):
                if wanted != POLICE and s.hand[seat, wanted] > 0:
                    for victim in range(s.seats):
                        out[n] = police_number(count, wanted, victim)
                        n += np.int64(victim != seat)
        hackers: Int = min(MOST_HACKERS, np.int64(s.hand[seat, HACKERS]))
        if hackers > 0:
            for victim in range(s.seats):
                if victim != seat:
                    for count in range(MOST_HACKERS):
                        out[n + count] = hackers_number(victim, count)
                    n = natural(n + min(hackers, np.int64(s.hand_size[victim])))
    elif question == SURPLUS:  # C3: factions in ascending order, so that each choice of cards is one move
        missing: Int = np.int64(s.hand_size[seat]) - LIMIT
        lowest = first_open(s)
        later: Int = np.int64(s.hand_size[seat])
        for faction in range(KINDS):
            held: Int = np.int64(s.hand[seat, faction])
            later -= held
            least: Int = max(1, missing - later)
            for count in range(SURPLUS_MOST):
                out[n + count] = discard_number(faction, least - 1 + count)
            n = natural(n + (max(0, min(held, missing, SURPLUS_MOST) + 1 - least) if faction >= lowest else 0))
    elif question == LOSS:  # C25: two cards, or a point
        if s.hand_size[seat] >= 2:
            for first in range(KINDS):
                out[n] = throw_number(first, first)
                n += np.int64(s.hand[seat, first] >= 2)
                if s.hand[seat, first] > 0:
                    for second in range(first + 1, KINDS):
                        out[n] = throw_number(first, second)
                        n += np.int64(s.hand[seat, second] > 0)
        tokens: Int = np.int64(s.points[seat])
        for faction in range(KINDS):
            tokens -= np.int64(s.kept[seat, faction])
        out[n] = LOSE_POINT
        n += np.int64(tokens > 0)
        for faction in range(KINDS):
            out[n] = LOSE_KEPT + faction
            n += np.int64(tokens == 0 and s.kept[seat, faction] > 0)
    else:  # C20, C21: a gift or a match, or neither
        for faction in range(KINDS):
            out[n] = GIVE + faction
            n += np.int64(question == GIFT and can_give(s, seat, faction))
        out[n] = MATCH_EXTRA
        n += np.int64(question == MATCH and s.hand[seat, s.extra] > 0)
        out[n] = DECLINE
        n += 1
    # An end mark, and a use of ``out`` that all ways share: without it Numba counts references to the array.
    out[n] = -1
    return n


@kernel
def first_legal(s: Any, seat: Int) -> Int:
    """The lowest legal action of a seat, -1 when it has none. Slow, for when there is nothing to take."""
    out = np.empty(ACTION_COUNT, np.int32)
    return np.int64(out[0]) if legal(s, seat, out) > 0 else np.int64(-1)


@kernel
def can_add(s: Any, seat: Int, extra: Int) -> bool:
    """C21: whether a hand with three detectives has such an extra card (CR18)."""
    if extra == DETECTIVES:
        return s.hand[seat, DETECTIVES] >= 4 and s.detective_extra == ANY_EXTRA
    return s.hand[seat, extra] >= 1


@kernel
def can_give(s: Any, seat: Int, faction: Int) -> bool:
    """C20: whether the hand has the gift and the card that goes with it (CR15)."""
    held = s.hand[seat, faction]
    if s.journalist_match == TWIN_AWAY or faction == JOURNALISTS:
        return held >= 2
    return held >= 1 and s.hand[seat, JOURNALISTS] >= 1


@kernel
def first_open(s: Any) -> Int:
    """At the hand limit: the lowest faction that may still be named in this move."""
    lowest = 0
    for faction in range(KINDS):
        if s.table[faction] > 0:
            lowest = faction + 1
    return lowest


@kernel
def apply(s: Any, seat: Int, action: Int, log: Any) -> None:
    """One legal decision of a seat, and all that follows it without a further decision."""
    seat = natural(seat)
    if action < TAKE_END:
        faction, count = take_of(action)
        then = take(s, seat, faction, count + 1, log)
    elif action < HACKERS_END:
        then = play(s, seat, action, log)
    else:
        then = answer(s, seat, action, log)
    go_on(s, seat, then, log)


@kernel
def play(s: Any, seat: Int, action: Int, log: Any) -> Int:
    """C6: one faction played."""
    if action == PLAY_JOURNALISTS:
        return play_journalists(s, seat, log)
    if action < DETECTIVES_END:
        return play_detectives(s, seat, action - PLAY_DETECTIVES, log)
    if action < OFFICIALS_END:
        return play_officials(s, seat, action - PLAY_OFFICIALS + 1, log)
    if action == PLAY_SCIENTISTS:
        return play_scientists(s, seat, log)
    if action < PLAY_MAFIA:
        return play_robocats(s, seat, action - PLAY_ROBOCATS, log)
    if action == PLAY_MAFIA:
        return play_mafia(s, seat, log)
    if action < POLICE_END:
        count, wanted, victim = police_of(action)
        return play_police(s, seat, count + 1, wanted, victim, log)
    victim, count = hackers_of(action)
    return play_hackers(s, seat, victim, count + 1, log)


@kernel
def answer(s: Any, seat: Int, action: Int, log: Any) -> Int:
    """C8, C3: an answer to a question."""
    if action < GIVE_END:
        return give(s, seat, action - GIVE, log)
    if action == MATCH_EXTRA:
        return match(s, seat, log)
    if action == DECLINE:
        return decline(s, seat, log)
    if action < THROW_END:
        first, second = throw_of(action)
        return throw_two(s, seat, first, second, log)
    if action < LOSE_KEPT_END:
        lose_point(s, log, seat, action - LOSE_KEPT if action >= LOSE_KEPT else -1, 0)
        return ASK
    faction, count = discard_of(action)
    return discard_surplus(s, seat, faction, count + 1, log)


@kernel
def default(s: Any, seat: Int) -> Int:
    """For a player who does not answer: decline; the cheapest cards; on a turn the largest group that fits.

    With nothing to take: the first play there is.
    """
    question = s.question
    if question in (GIFT, MATCH):
        return DECLINE
    if question == SURPLUS:
        return cheapest_discard(s, seat)
    if question == LOSS:
        return default_loss(s, seat)
    room: Int = max(1, LIMIT - np.int64(s.hand_size[seat]))
    best = 0
    most: Int = 0
    for faction in range(KINDS):
        count = min(np.int64(s.market[faction]), room)
        if count > most:
            best = faction
            most = count
    return take_number(best, most - 1) if most > 0 else first_legal(s, seat)


@kernel
def spared_last(s: Any, seat: Int, faction: Int, total: Int) -> Int:
    """How many cards of a faction go when ``total`` go, rarest faction of the hand first.

    Cards of an unfinished discard on the table count as held, so that the choice is the same in each of its steps.
    """
    pending = s.question == SURPLUS
    own = np.int64(s.hand[seat, faction]) + (np.int64(s.table[faction]) if pending else 0)
    before: Int = 0
    for other in range(KINDS):
        held = np.int64(s.hand[seat, other]) + (np.int64(s.table[other]) if pending else 0)
        if held < own or (held == own and other < faction):
            before += held
    return min(max(total - before, 0), own)


@kernel
def cheapest_discard(s: Any, seat: Int) -> Int:
    """The next step of discarding the rarest factions of the hand."""
    total = np.int64(s.hand_size[seat]) - LIMIT
    for faction in range(KINDS):
        total += s.table[faction]
    lowest = first_open(s)
    for faction in range(lowest, KINDS):
        count = spared_last(s, seat, faction, total)
        if count > 0:
            return discard_number(faction, count - 1)
    return np.int64(-1)


@kernel
def default_loss(s: Any, seat: Int) -> Int:
    """Two cards of the rarest factions, else the point."""
    if s.hand_size[seat] >= 2:
        first = -1
        for faction in range(KINDS):
            count = spared_last(s, seat, faction, 2)
            if count == 2:
                return throw_number(faction, faction)
            if count == 1:
                if first >= 0:
                    return throw_number(first, faction)
                first = faction
    for faction in range(KINDS):
        if s.kept[seat, faction] > 0 and tokens_of(s, seat) == 0:
            return LOSE_KEPT + faction
    return LOSE_POINT


@kernel
def resample(s: Any, seat: Int, random: Any) -> None:
    """Fill other hands and the deck of a view with a uniform arrangement of the cards that its seat has not seen.

    Cards that everybody knows to be in a hand stay in it, and a player in the middle of a discard can finish it.
    """
    unseen = 0
    for i in range(IN_PLAY):
        kind = np.int64(s.factions[i])
        count: Int = COPIES - np.int64(s.market[kind]) - np.int64(s.discards[kind]) - np.int64(s.table[kind])
        for other in range(s.seats):
            held = s.hand[other, kind] if other == seat else s.known[other, kind]
            count -= np.int64(held) + np.int64(s.kept[other, kind])
        for _ in range(count):
            if unseen < DECK:
                s.deck[unseen] = kind
                unseen += 1
    for i in range(unseen - 1, 0, -1):
        j = rng.below(random, i + 1)
        kept = s.deck[i]
        s.deck[i] = s.deck[j]
        s.deck[j] = kept
    for other in range(s.seats):
        if other != seat:
            for faction in range(KINDS):
                s.hand[other, faction] = s.known[other, faction]
            if s.midmove >> other & 1:
                unseen = still_to_discard(s, other, unseen)
    for other in range(s.seats):
        hidden: Int = np.int64(s.hand_size[other])
        for faction in range(KINDS):
            hidden -= s.hand[other, faction]
        for _ in range(hidden if other != seat else 0):
            if unseen > 0:
                unseen -= 1
                s.hand[other, s.deck[unseen]] += 1
    for i in range(s.deck_size, DECK):
        s.deck[i] = 0


@kernel
def still_to_discard(s: Any, player: Int, unseen: Int) -> Int:
    """Give a player who is discarding what he must still name: factions ascend within a move (`legal`).

    The cards come from the first ``unseen`` of the deck, which are shuffled. Gives how many of these are left.
    """
    lowest = first_open(s)
    missing: Int = np.int64(s.hand_size[player]) - LIMIT
    for faction in range(lowest, KINDS):
        missing -= s.hand[player, faction]
    for i in range(unseen - 1, -1, -1):
        if missing > 0 and s.deck[i] >= lowest:
            s.hand[player, s.deck[i]] += 1
            missing -= 1
            unseen -= 1
            s.deck[i] = s.deck[unseen]
    return unseen


@kernel
def outcome(s: Any, scores: Any, places: Any) -> None:
    """C11: points, and places by points behind the winner, equal points sharing a place."""
    for seat in range(s.seats):
        scores[seat] = s.points[seat] + (seat == s.winner) * (MOST_POINTS + 1)
    rank_seats(s, scores, places)
    if s.winner >= 0:
        scores[s.winner] = s.points[s.winner]
