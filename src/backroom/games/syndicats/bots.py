"""Bots of Syndicats: a greedy player and personas by one policy, and hints for search.

What a player has is judged by `prospects`: what the cats can earn in the houses in the rounds that are probably left. A
card is worth by how much it raises that, on its better side. A pick is worth what is lost when others take first what
they want; so much, less some, is bid for it. Contracts are the best ones there are (`assign`).
"""

import math
from typing import Any

import numpy as np

from backroom.engine import rng
from backroom.engine.game import Habit, Level, Parameter, Persona
from backroom.engine.kernel import Float, Int, kernel
from backroom.games.syndicats.assign import COIN, lacking, next_contract
from backroom.games.syndicats.cards import (
    CARDS,
    CAT,
    COPYCAT,
    CURIOSITY,
    HELD,
    HOUSE,
    KITTEN,
    LAIR,
    OWN,
    YARN,
)
from backroom.games.syndicats.rules import (
    AMOUNT,
    ASSAULT,
    BID,
    BY_CONTRIBUTION,
    BY_DECK,
    CONTRACTS,
    COPY,
    CURIOUS,
    DONE,
    FEED,
    GAIN,
    NO_BID,
    PAY,
    PICK,
    SETUP,
    SPEND,
    START,
    TAKE,
    TAKE_FIRST,
    TAKE_NONE,
    WEAPON,
    available,
    distance,
    due,
    eligible,
    income,
    is_cat,
    is_house,
    leader,
    least_bid,
    owner,
)

__all__ = ["HABITS", "LEVELS", "PERSONAS", "consider", "evaluate", "greedy", "policy", "sealed", "seen"]

KEENNESS = 0.2
"""The part of what is at stake in an auction that is paid to win it."""
IDLE = 0.75
"""Coins that a symbol without a house can still be expected to earn in each later round."""
LASTING = 0.8
"""The chance that a house that is kept can be kept in the next round, too."""
SPECIAL = 0.7
"""Coins a later round that a special cat which can be traded is worth, 4 at most."""
MOST_OFFERED = 24
"""Available cards that are looked at."""
PLAN_STEPS = 20_000
"""Steps after which a bot's search for the best contracts ends."""
SHARP = 0.14
"""How much a coin of lead weighs in the estimated win share (logistic, per coin, at the end)."""
NEAR = 0.2
"""Coins that a step nearer to the Mogfather is worth, who settles ties."""
MOST_BIDS, MOST_TAKES = 8, 8
"""Sums of money, and cards with a side, that a search tells apart at a decision."""

(
    BALANCED, SHORT, LONG, CURIOUS_STYLE, SPECIALS, RAIDER, INVESTOR, RUSHER, FORGETFUL, HOARDER, KEEPER_STYLE,
    OPENER, BIDS_ONLY, TAKES_ONLY,
) = range(14)  # fmt: skip


# How much is left, and what it is worth


@kernel
def rounds_left(s: Any) -> Float:
    """Rounds that are probably still to be finished, the present one included, at least 1."""
    n, left = np.float64(s.seats), np.float64(s.deck_size)
    if s.end == BY_DECK:
        # The present round is the last if it began with a deck used up.
        if s.deck_began <= s.deck_top:
            return 1.0
        return 1.0 + max(left - 1.0, 0.0) / (n + 0.5)
    wanted = np.float64(s.seats) + s.dog_margin - s.dogs_out
    dogs = np.float64(s.dog_count) - s.dogs_out
    if wanted <= 0.0 or dogs <= 0.0:
        return 1.0
    # Of so many cards in uniform order the wanted-th dog is at this place on average.
    return 1.0 + min(wanted, dogs) * (left + 1.0) / (dogs + 1.0) / (n + 0.7) * 0.9


@kernel
def size_of(symbols: Any, c: Int) -> Int:
    """How many symbols a cat has, or a house asks for."""
    return np.int64(symbols[c, 0]) + symbols[c, 1] + symbols[c, 2] + symbols[c, 3]


@kernel
def draw_from(pool: Any, needs: Any, c: Int) -> None:
    """Take what a house needs from a pool that fills it: colours first, grey for what is short, then what abounds."""
    for colour in range(3):
        wanted = np.int64(needs[c, colour])
        there = min(wanted, pool[colour])
        pool[colour] -= there
        pool[3] -= wanted - there
    for _ in range(needs[c, 3]):
        most = np.int64(3)
        for colour in range(3):
            if pool[colour] > 0 and (most == 3 or pool[colour] > pool[most]):
                most = np.int64(colour)
        pool[most] -= 1


@kernel
def gather(s: Any, p: Int, pool: Any, houses: Any) -> Int:
    """The symbols of p's cats into ``pool`` (its fifth number counts the cats) and p's houses; how many these are."""
    count, balls = np.int64(0), np.int64(0)
    for i in range(5):
        pool[i] = 0
    for c in range(s.card_count):
        if s.place[c] == HELD + p and s.knocked[c] == 0:
            if s.side[c] == HOUSE:
                if count < houses.shape[0] - 1:
                    houses[count] = c
                    count += 1
            elif s.side[c] == CAT:
                add_cat(s, c, pool)
                balls += s.special[c] == YARN
    if balls > 1:
        for c in range(s.card_count):
            if s.place[c] == HELD + p and s.knocked[c] == 0 and s.side[c] == CAT and s.special[c] == YARN:
                for colour in range(4):
                    pool[colour] += (balls - 1) * s.symbols[c, colour]
    if s.knocked[KITTEN + p] == 0:
        add_cat(s, KITTEN + p, pool)
    return count


@kernel
def add_cat(s: Any, c: Int, pool: Any) -> None:
    """A cat's symbols join a pool."""
    found = np.int64(0)
    for colour in range(4):
        pool[colour] += s.symbols[c, colour]
        found += s.symbols[c, colour]
    pool[4] += found > 0


@kernel
def prospects(s: Any, pool: Any, houses: Any, count: Int, rounds: Float, style: Int) -> Float:
    """Coins that the cats of a pool can probably earn in so many rounds, with these houses and others to come.

    The pool is used up. Contracts are filled one after another, the one first that pays most for its symbols.
    """
    later = max(rounds - 1.0, 0.0) * LASTING
    total, used = 0.0, np.int64(0)
    symbols = np.float64(pool[0] + pool[1] + pool[2] + pool[3])
    lasting = symbols
    cats = np.float64(pool[4])
    each = symbols / max(cats, 1.0)
    while True:
        best, highest, contract = np.int64(-1), 0.0, np.int64(0)
        for i in range(count):
            if used >> i & 1:
                continue
            c = houses[i]
            keep, trash = np.float64(s.keep_pays[c]), np.float64(s.trash_pays[c])
            if keep >= 0.0 and style != SHORT and lacking(s.keep_needs[c], pool) == 0:
                value = (keep * (1.0 + later) + 0.5) / (size_of(s.keep_needs, c) + 0.5)
                if value > highest:
                    best, highest, contract = np.int64(i), value, np.int64(0)
            if trash >= 0.0 and style != LONG and lacking(s.trash_needs[c], pool) == 0:
                value = (trash + 0.5) / (size_of(s.trash_needs, c) + 0.5)
                if style in (SHORT, RAIDER):
                    value *= 3.0
                if value > highest:
                    best, highest, contract = np.int64(i), value, np.int64(1)
        if best < 0:
            break
        used |= np.int64(1) << best
        c = houses[best]
        # A house takes whole cats, so the last cat of an organisation can fill one only.
        if contract == 0:
            size = np.float64(size_of(s.keep_needs, c))
            total += s.keep_pays[c] * (1.0 + later)
            lasting -= max(size, each)
            draw_from(pool, s.keep_needs, c)
        else:
            size = np.float64(size_of(s.trash_needs, c))
            total += s.trash_pays[c]
            draw_from(pool, s.trash_needs, c)
        cats -= max(1.0, size / each)
        if cats < 0.5:
            break
    return total + max(lasting, 0.0) * IDLE * max(rounds - 1.0, 0.0)


@kernel
def special_worth(s: Any, c: Int, side: Int, rounds: Float, style: Int) -> Float:
    """What a special cat adds to its symbols."""
    kind, later = s.special[c], max(rounds - 1.0, 0.0)
    worth = 0.0
    if kind == COPYCAT or (s.trade_in != 0 and kind != 0):
        worth = min(SPECIAL * later, 4.0)
    elif kind != 0:
        worth = min(0.3 * later, 1.0)
    if kind != 0 and (
        style == SPECIALS
        or (style == CURIOUS_STYLE and kind == CURIOSITY)
        or (style == HOARDER and kind == COPYCAT)
        or (style == RAIDER and side > HOUSE)
    ):
        worth += 8.0
    return worth


@kernel
def appraise(s: Any, p: Int, rounds: Float, style: Int, cards: Any, values: Any) -> Int:
    """Each available card and by how much it raises p's prospects, as a cat and as a house; how many there are.

    ``cards`` (MOST_OFFERED,), ``values`` (MOST_OFFERED, 2); a side that a card has not counts -1.
    """
    pool, trial, houses = np.empty(5, np.int64), np.empty(5, np.int64), np.empty(16, np.int64)
    owned, count = gather(s, p, pool, houses), np.int64(0)
    trial[:] = pool
    before = prospects(s, trial, houses, owned, rounds, style)
    for c in range(s.card_count):
        if not available(s, c) or count == MOST_OFFERED:
            continue
        cards[count] = c
        values[count, 0] = -1.0
        values[count, 1] = -1.0
        if s.sides[c] & ~(1 << HOUSE):
            trial[:] = pool
            add_cat(s, c, trial)
            values[count, 0] = prospects(s, trial, houses, owned, rounds, style) - before
            values[count, 0] += special_worth(s, c, CAT if s.sides[c] >> CAT & 1 else HOUSE + 1, rounds, style)
        if s.sides[c] >> HOUSE & 1:
            trial[:] = pool
            houses[owned] = c
            values[count, 1] = prospects(s, trial, houses, owned + 1, rounds, style) - before
            if style == KEEPER_STYLE:
                values[count, 1] = values[count, 1] * 2.0 + 1.0
            elif style == RUSHER and s.top == c + 1:
                values[count, 1] += 1.0
        if style == RUSHER and s.top == c + 1:
            values[count, 0] += 4.0
        values[count, 0] += s.coins[c]
        values[count, 1] += s.coins[c] if s.sides[c] >> HOUSE & 1 else 0
        count += 1
    return count


@kernel
def best_of(values: Any, count: Int, but: Int) -> Int:
    """The place of the card that is worth most, one place left out; -1 of none."""
    best, highest = np.int64(-1), 0.0
    for i in range(count):
        value = max(values[i, 0], values[i, 1])
        if i != but and value > highest:
            best, highest = np.int64(i), value
    return best


@kernel
def worth_at(values: Any, place: Int) -> Float:
    """What the card at a place is worth; nothing at -1."""
    return max(values[place, 0], values[place, 1], 0.0) if place >= 0 else 0.0


# Decisions


@kernel
def stake(s: Any, p: Int, rounds: Float, style: Int) -> Float:
    """What p loses if whoever would win the auction without p takes what is best for him."""
    cards, values = np.empty(MOST_OFFERED, np.int64), np.empty((MOST_OFFERED, 2))
    theirs = np.empty((MOST_OFFERED, 2))
    count = appraise(s, p, rounds, style, cards, values)
    first = best_of(values, count, np.int64(-1))
    rival = leader(s)
    if rival == p:
        most = np.int64(-1)
        for q in range(s.seats):
            if q != p and eligible(s) >> q & 1 and (most < 0 or s.pile[q] + s.cash[q] > s.pile[most] + s.cash[most]):
                most = np.int64(q)
        rival = most
    if rival < 0:
        return 0.0
    appraise(s, rival, rounds, BALANCED, cards, theirs)
    taken = best_of(theirs, count, np.int64(-1))
    lost = worth_at(values, first) - worth_at(values, best_of(values, count, taken)) if taken == first else 0.0
    # Who picks late may find less: a part of the difference to the next best, too.
    waiting = np.int64(0)
    for q in range(s.seats):
        waiting += eligible(s) >> q & 1
    second = worth_at(values, first) - worth_at(values, best_of(values, count, first))
    return max(lost, 0.25 * second * (waiting - 2 if waiting > 2 else 0))


@kernel
def bid_for(s: Any, p: Int, legal: Any, n: Int, random: Any, style: Int, parameter: Float) -> Int:
    """Stand or bid the least if the pick is worth it, else pass."""
    least, pile = least_bid(s, p), np.int64(s.pile[p])
    leads = leader(s) == p
    if style == TAKES_ONLY:
        return np.int64(legal[rng.below(random, n)])
    if leads:
        opening = np.int64(parameter) if style == OPENER and s.picks == 0 and pile == 0 else pile
        return AMOUNT + min(max(opening, least), pile + s.cash[p])
    if least > pile + s.cash[p]:
        return np.int64(NO_BID)
    cost = np.float64(least - pile)
    rounds = rounds_left(s)
    limit = KEENNESS * stake(s, p, rounds, style)
    if rounds <= 1.0:
        limit *= 0.8
    return AMOUNT + least if cost <= limit else np.int64(NO_BID)


@kernel
def can_copy(s: Any, p: Int) -> bool:
    """Whether p has a cat that could be used as a copycat."""
    for c in range(s.card_count):
        kind = s.special[c]
        there = s.place[c] == HELD + p and s.side[c] != HOUSE and s.knocked[c] == 0 and s.fresh[c] == 0
        if there and (kind == COPYCAT or (kind != 0 and s.trade_in != 0)):
            return True
    return False


@kernel
def contribution(s: Any, p: Int, most: Int, random: Any, style: Int, parameter: Float) -> Int:
    """What p pays: enough to win the Mogfather where p can, or a coin for the use of specials."""
    if most <= 0:
        return np.int64(0)
    rounds = rounds_left(s)
    if style == FORGETFUL and rng.uniform(random) < parameter:
        return np.int64(0)
    if rounds <= 1.0 or s.last_dog != 0 or style == INVESTOR:
        reserve = np.int64(0) if rounds <= 1.0 else np.int64(1)
        return max(most - reserve, 0)
    wanted, others = np.int64(1), np.int64(0)
    for q in range(s.seats):
        if q != p:
            wanted = max(wanted, np.int64(s.now[q]) + np.int64(distance(s, q) < distance(s, p)) - s.now[p])
            others += eligible(s) >> q & 1
    if most >= wanted:
        # Who pays last need not pay more than that.
        return most if others > 0 else wanted
    special = s.gate == BY_CONTRIBUTION and s.pick_order != TAKE_FIRST and s.phase == PICK and can_copy(s, p)
    if style in (CURIOUS_STYLE, SPECIALS, RAIDER):
        special = True
    return np.int64(1) if special else np.int64(0)


@kernel
def pick_action(s: Any, p: Int, legal: Any, n: Int, random: Any, style: Int, parameter: Float) -> Int:
    """An action of a pick turn: pay, specials that gain something, the card that is worth most."""
    last = np.int64(legal[n - 1])  # nothing is taken, or the last card if something must be
    first = np.int64(legal[0])
    if PAY <= first < NO_BID and (s.pick_order != TAKE_FIRST or last < NO_BID):
        most = first
        for i in range(n):
            if legal[i] < NO_BID:
                most = np.int64(legal[i])
        return PAY + contribution(s, p, most - PAY, random, style, parameter)
    rounds = rounds_left(s)
    if style == BIDS_ONLY:
        return np.int64(legal[rng.below(random, n)])
    cards, values = np.empty(MOST_OFFERED, np.int64), np.empty((MOST_OFFERED, 2))
    count = appraise(s, p, rounds, style, cards, values)
    best = best_of(values, count, np.int64(-1))
    second = worth_at(values, best_of(values, count, best))
    for i in range(n):
        action = np.int64(legal[i])
        if CURIOUS <= action < COPY and kills(s, p, action, rounds, style, cards, values, best):
            return action
        if COPY <= action < GAIN:
            cat = action - COPY
            own = special_worth(s, cat, CAT, rounds, BALANCED)
            if style == HOARDER and rounds > 2.5:
                own = 99.0
            if style in (SPECIALS, HOARDER):
                own = min(own, 0.5)
            gain = second if s.pick_order != TAKE_FIRST else worth_at(values, best)
            if gain > own + 0.5 * size_of(s.symbols, cat):
                return action
        if ASSAULT <= action < WEAPON:
            target = assault(s, p, legal, n, style)
            if target >= 0:
                return target
        if WEAPON <= action < TAKE:
            return action
    gaining = GAIN <= first < ASSAULT
    base = np.int64(GAIN if gaining else TAKE)
    if best < 0 or last < base:
        return last
    # A side is looked for that the list offers, the better one first.
    c = cards[best]
    better = values[best, 0] >= values[best, 1]
    for turn in range(2):
        for i in range(n):
            action = np.int64(legal[i])
            if action >= base and (gaining or action < TAKE_NONE) and (action - base) // 4 == c:
                house = (action - base) % 4 == HOUSE - 1
                if house != better or turn == 1:
                    return action
    return last


@kernel
def kills(s: Any, p: Int, action: Int, rounds: Float, style: Int, cards: Any, values: Any, best: Int) -> bool:
    """Whether p uses curiosity: against a card on top that the next to pick wants, or to bring the end nearer."""
    if style == CURIOUS_STYLE:
        return True
    top = np.int64(s.top) - 1
    if style == RUSHER:
        return leads(s, p)
    if top < 0 or (best >= 0 and cards[best] == top) or s.trade_in != 0:
        return False
    rival = leader(s)
    if rival < 0 or rival == p:
        return False
    theirs = np.empty((MOST_OFFERED, 2))
    count = appraise(s, rival, rounds, BALANCED, cards, theirs)
    wanted = best_of(theirs, count, np.int64(-1))
    return wanted >= 0 and cards[wanted] == top and worth_at(theirs, wanted) > 3.0


@kernel
def leads(s: Any, p: Int) -> bool:
    """Whether nobody has more money in all than p."""
    for q in range(s.seats):
        if s.fund[q] + s.now[q] + s.cash[q] > s.fund[p] + s.now[p] + s.cash[p]:
            return False
    return True


@kernel
def assault(s: Any, p: Int, legal: Any, n: Int, style: Int) -> Int:
    """The attack on the house of another that pays most, if p is a raider or the house pays enough; else -1."""
    best, highest = np.int64(-1), 4.0 if style != RAIDER else 0.0
    for i in range(n):
        c = np.int64(legal[i]) - ASSAULT
        if 0 <= c < CARDS and owner(s, c) != p and s.side[c] == HOUSE:
            value = np.float64(max(s.keep_pays[c], s.trash_pays[c]))
            if value > highest:
                best, highest = np.int64(legal[i]), value
    return best


@kernel
def contract_action(s: Any, p: Int, style: Int) -> Int:
    """The next action of the best contracts, a house that stays valued by what it can still bring."""
    stay, later = np.zeros(LAIR, np.int64), max(rounds_left(s) - 1.0, 0.0)
    for c in range(s.card_count):
        if is_house(s, p, c):
            pays = max(np.float64(s.keep_pays[c]), 0.5 * s.trash_pays[c], 0.0)
            part = LASTING * later
            if style in (SHORT, RAIDER):
                part = min(part, 0.01)
            elif style in (LONG, KEEPER_STYLE):
                part *= 2.0
            stay[c] = 1 + np.int64(COIN * pays * part)
        elif is_cat(s, p, c):
            stay[c] = np.int64(COIN * (due(s, c) + 1) * min(later, 2.0))
    return next_contract(s, p, stay, PLAN_STEPS)


@kernel
def choose(s: Any, p: Int, legal: Any, n: Int, random: Any, style: Int, parameter: Float) -> Int:
    """One decision of a player of some style; any legal one where what it wants is not offered."""
    if n == 1:
        return np.int64(legal[0])
    wanted = want(s, p, legal, n, random, style, parameter)
    for i in range(n):
        if legal[i] == wanted:
            return wanted
    return np.int64(legal[n - 1])


@kernel
def want(s: Any, p: Int, legal: Any, n: Int, random: Any, style: Int, parameter: Float) -> Int:
    """What a player of some style would do."""
    if s.phase == BID:
        return bid_for(s, p, legal, n, random, style, parameter)
    if s.phase == PICK:
        return pick_action(s, p, legal, n, random, style, parameter)
    if s.phase == CONTRACTS:
        return contract_action(s, p, style)
    if s.phase == FEED:
        return AMOUNT + contribution(s, p, n - 1, random, style, parameter)
    if s.phase == SPEND:
        # What nobody can foresee, up to the price of a house.
        return AMOUNT + rng.below(random, min(n, 3 if style != RAIDER else 5))
    return np.int64(START)


@kernel
def greedy(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
    """What the bot ``greedy`` does: cards by what they can still earn, picks by what others would take."""
    return choose(s, seat, legal, n, random, BALANCED, 0.0)


policy = greedy
"""A playout's choice, and the same compiled code: what is hidden and what the others are dealt keep playouts varied."""


# Hints for search


@kernel
def consider(s: Any, seat: Int, legal: Any, n: Int) -> Int:
    """What a search tells apart: the actions that stay in the list, in their order, and how many they are.

    Of sums of money at most MOST_BIDS: passing, the least ones, then steps that grow, and all there is. Of cards the
    MOST_TAKES that raise the seat's prospects most. Of contracts the best ones alone, which no other choice improves.
    """
    if n <= 1:
        return n
    if s.phase == CONTRACTS:
        legal[0] = contract_action(s, seat, BALANCED)
        return np.int64(1)
    if s.phase == PICK:
        return consider_pick(s, seat, legal, n)
    if s.phase == SETUP:
        return n
    sums = n - 1 if legal[n - 1] == NO_BID else n
    return thin_out(legal, sums, n, MOST_BIDS - (n - sums))


@kernel
def thin_out(legal: Any, sums: Int, n: Int, most: Int) -> Int:
    """Of the first ``sums`` actions, one a sum, at most so many stay: 0, 1, 2, 4, 7 ... from the least, and all."""
    if sums <= most:
        return n
    at, step = np.int64(0), np.int64(1)
    kept = np.int64(0)
    for i in range(most - 1):
        if at >= sums - 1:
            break
        legal[kept] = legal[at]
        kept += 1
        at += step
        step += i // 2 + (1 if i > 0 else 0)
    legal[kept] = legal[sums - 1]
    kept += 1
    for i in range(sums, n):
        legal[kept] = legal[i]
        kept += 1
    return kept


@kernel
def consider_pick(s: Any, seat: Int, legal: Any, n: Int) -> Int:
    """`consider` within a pick turn: sums to pay where they come first, else specials and the cards that gain most."""
    sums = np.int64(0)
    while sums < n and PAY <= legal[sums] < NO_BID:
        sums += 1
    if sums > 0 and s.pick_order != TAKE_FIRST:
        # To pay nothing is to pass over the stage, so the rest of the list need not be told apart from that.
        return thin_out(legal, sums, sums, MOST_BIDS)
    if sums > 0:
        n = thin_out(legal, sums, n, MOST_BIDS)
    if sums > 0 and legal[n - 1] < NO_BID:
        return n
    cards, values = np.empty(MOST_OFFERED, np.int64), np.empty((MOST_OFFERED, 2))
    count = appraise(s, seat, rounds_left(s), BALANCED, cards, values)
    offers = np.int64(0)
    for i in range(n):
        offers += GAIN <= legal[i] < ASSAULT or TAKE <= legal[i] < TAKE_NONE
    # The worth that as many offers reach as may stay.
    low = -1000.0
    if offers > MOST_TAKES:
        taken = np.zeros((MOST_OFFERED, 2), np.int64)
        for _ in range(MOST_TAKES):
            best, side, highest = np.int64(-1), np.int64(0), -1000.0
            for i in range(count):
                for j in range(2):
                    if taken[i, j] == 0 and values[i, j] > highest:
                        best, side, highest = np.int64(i), np.int64(j), values[i, j]
            if best < 0:
                break
            taken[best, side] = 1
            low = highest
    kept, assaults, copied = np.int64(0), np.int64(0), np.int64(0)
    for i in range(n):
        action = np.int64(legal[i])
        stays: Any = True
        if GAIN <= action < ASSAULT or TAKE <= action < TAKE_NONE:
            base = np.int64(GAIN if action < ASSAULT else TAKE)
            c, side = (action - base) // 4, (action - base) % 4 + 1
            stays = False
            for j in range(count):
                if cards[j] == c:
                    stays = values[j, 1 if side == HOUSE else 0] >= low
        elif COPY <= action < GAIN:
            stays = copied < 2
            copied += 1
        elif ASSAULT <= action < WEAPON:
            # Houses of others, and no more than some.
            c = action - ASSAULT
            stays = c < OWN and owner(s, c) != seat and s.side[c] == HOUSE and assaults < 4
            assaults += stays
        if stays:
            legal[kept] = action
            kept += 1
    return kept if kept > 0 else n


@kernel
def standing(s: Any, p: Int, rounds: Float) -> Float:
    """Money that p can be expected to end with."""
    pool, houses = np.empty(5, np.int64), np.empty(16, np.int64)
    count = gather(s, p, pool, houses)
    total = np.float64(s.fund[p] + s.now[p] + s.cash[p]) + income(s, p) * rounds
    total += prospects(s, pool, houses, count, rounds, BALANCED)
    if s.keeper == p:
        total += 0.5 * s.tithe * (s.seats - 1)
    for c in range(s.card_count):
        if s.special[c] != 0 and s.place[c] == HELD + p and s.side[c] != HOUSE:
            total += special_worth(s, c, np.int64(s.side[c]), rounds, BALANCED)
    if (s.phase == BID or s.phase == PICK) and s.picked >> p & 1 == 0:
        total += PICK_WORTH * min(rounds, 6.0) + 0.5 * s.pile[p]
    return total


PICK_WORTH = 1.2
"""Coins for each round left that a pick of this round still to come is worth."""


@kernel
def evaluate(s: Any, seat: Int) -> Float:
    """Estimated win share of a seat, 0 to 1: the money that each can be expected to end with."""
    rounds = rounds_left(s)
    # A lead is safer the less is left to play.
    sharp = SHARP * (0.5 + 1.5 / (0.5 + rounds))
    own, total = standing(s, seat, rounds) - NEAR * distance(s, seat), 1.0
    for q in range(s.seats):
        if q != seat:
            lead = standing(s, q, rounds) - NEAR * distance(s, q) - own
            total += math.exp(min(sharp * lead, 40.0))
    return 1.0 / total


@kernel
def seen(s: Any, seat: Int, action: Int, viewer: Int) -> Int:
    """Of what is sealed (sides, spends, contracts) others see that it is chosen, not what."""
    if seat == viewer:
        return action
    if s.phase == SETUP:
        return np.int64(START)
    if s.phase == SPEND:
        return np.int64(AMOUNT)
    return np.int64(DONE) if s.phase == CONTRACTS else action


@kernel
def sealed(s: Any) -> Int:
    """Who has sealed a side or a spend that is not shown yet. Contracts affect nobody else, so they stay as sealed."""
    found = np.int64(0)
    for p in range(s.seats):
        if (s.phase == SETUP and s.acting >> p & 1 == 0) or (s.phase == SPEND and s.sealed[p] > 0):
            found |= np.int64(1) << p
    return found


# Personas


def player(style: int) -> Any:
    """A persona without a parameter: its policy."""

    @kernel
    def styled(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
        return choose(s, seat, legal, n, random, style, 0.0)

    return lambda _: styled


def measured(style: int) -> Any:
    """A persona with a parameter: its policy by the parameter."""

    def make(parameter: float) -> Any:
        @kernel
        def styled(s: Any, seat: Int, legal: Any, n: Int, random: Any) -> Int:
            return choose(s, seat, legal, n, random, style, parameter)

        return styled

    return make


PERSONAS = {
    "short-contracts": Persona(player(SHORT)),
    "long-contracts": Persona(player(LONG)),
    "curiosity": Persona(player(CURIOUS_STYLE)),
    "mogfather-chaser": Persona(player(BALANCED)),
    "specials-first": Persona(player(SPECIALS)),
    "raider": Persona(player(RAIDER)),
    "early-investor": Persona(player(INVESTOR)),
    "rusher": Persona(player(RUSHER)),
    "forgetful-feeder": Persona(measured(FORGETFUL), parameter=Parameter(0.3, 0, 1)),
    "copycat-hoarder": Persona(player(HOARDER)),
    "keeper-of-houses": Persona(player(KEEPER_STYLE)),
    "opener": Persona(measured(OPENER), parameter=Parameter(1, 0, 999, whole=True)),
    "good-bids": Persona(player(BIDS_ONLY)),
    "good-takes": Persona(player(TAKES_ONLY)),
}
"""The players of the open questions: trash only; keep only; kill the top of the deck every turn; pay all for the
Mogfather (the greedy player does so, too); specials before all else; trash and attack; pay all at once; bring the end
nearer when ahead; forget to pay (with that chance); save copycats up; rather houses than cats; open a round at that
many coins; greedy in bids and any card; greedy in cards and any bid."""

LEVELS = (
    Level("slip:0.4", "Bids and takes with an eye for what pays, and in two moves of five does anything."),
    Level("greedy", "Takes what raises its earnings most, and bids no more than a part of what it would lose."),
    Level("search:100", "Looks at a hundred games from here before each bid and each card."),
    Level("search:1000", "Looks at a thousand games from here before each bid and each card."),
)
"""Not yet measured against each other."""

HABITS = {
    "lena": Habit(
        "short-contracts", 0.2, "Raids where she could have kept a house and its rent. She is poor in the late rounds.",
        motive=lambda s, seat: "Rent is for people with patience. I raid.",
    ),
    "otto": Habit(
        "copycat-hoarder", 0.2, "Saves his copycats up. Attack them, or end the game before he uses them all.",
        motive=lambda s, seat: "My copycats were for one great round.",
    ),
    "mina": Habit(
        "opener:2", 0.25, "Opens the bidding too high when she has the Mogfather. Let her pay, and pick after her.",
        motive=lambda s, seat: "I bid so that you would have to.",
    ),
    "vera": Habit(
        "forgetful-feeder:1", 0.25, "Feeds the Mogfather less than she could. He is yours for a coin or two.",
        motive=lambda s, seat: "What I had was mine. The Mogfather could wait.",
    ),
    "nora": Habit(
        "good-bids", 0.16, "Now and then she pays a good price and takes whatever her paw touches.",
        motive=lambda s, seat: "Some of it I picked with my eyes shut.",
    ),
    "emil": Habit("random", 0.25, "Forgets what his cats can do, and bids on. Outbid him when it matters."),
}  # fmt: skip
"""The regulars here; who is not in it has no habit, or the one of everywhere."""
