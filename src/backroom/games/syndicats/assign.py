"""The best contracts that an organisation can carry out now: which cats work in which houses, exactly.

Which houses are kept and trashed decides what contracts earn; which cats do it matters only for whether it can be done.
So the search goes through the houses, best pay for each symbol first, and gives each one of its two contracts with the
cats for it, or neither. It is depth first with a bound (branch and bound): no choice for the houses left can bring more
than a knapsack that is filled with their contracts by pay for each symbol, cutting the last one, until all symbols of
the idle cats are spent. Three facts keep it small. Cats with the same symbols are one kind, of which so many are idle.
A house is given only cats that it needs. And no cat works where a weaker idle one would do: whatever the weaker one
does in the end, the stronger one can do in its stead.

This was chosen over a general integer program, which would bring a solver as a dependency and cannot run inside a
compiled game, and over dynamic programming over sets of cats, which takes 3**n steps for n cats, however simple the
case. Most organisations take some microseconds here (`docs/decisions.md`).
"""

from typing import Any

import numpy as np

from backroom.engine.kernel import Int, kernel
from backroom.games.syndicats.cards import CARDS, CAT, KITTEN, LAIR, YARN
from backroom.games.syndicats.rules import (
    DONE,
    DROP,
    DROPPED,
    HELD_ON,
    HOLD,
    KEEP,
    KEPT,
    RETAIN,
    RETAINED,
    SERVE,
    TRASH,
    TRASHED,
    demand_filled,
    due,
    gives,
    holds_left,
    income,
    is_cat,
    is_house,
    working,
)

__all__ = ["COIN", "LAPSED", "MOST_STEPS", "best_contracts", "lacking", "next_contract", "plan_contracts"]

COIN = 1 << 16
"""What a coin counts in the worth of contracts, so that a house that stays can be worth less than a coin."""
LAPSED = 0
"""The verdict of a house that goes back to the supply; the others are those of the rules."""
MOST_OWING = 12
"""Cats that owe upkeep of which all choices are tried."""
COLOURS = 3
"""Symbols are counted as four numbers: the three colours in the order of the deck file, then grey."""
GREY = 3
MOST_STEPS = 2_000_000
"""Steps after which a search that is asked by a player ends: some 50 ms. Play with the printed deck stays far below."""
FEW, SEEN_BITS = 300, 14
"""Houses gone through before a table of what was reached is made, and the bits of its number of places."""


@kernel
def lacking(demand: Any, have: Any) -> Int:
    """How many symbols a house still lacks, 0 when it is filled (Y43). Both have shape (4,)."""
    short, total = np.int64(0), np.int64(0)
    for colour in range(COLOURS):
        gap = demand[colour] - have[colour]
        total += gap
        short += max(gap, 0)
    return max(short - have[GREY], total + demand[GREY] - have[GREY], 0)


@kernel
def _lacking_with(demand: Any, have: Any, more: Any, less: Any) -> Int:
    # `lacking` with the symbols of one cat more and of another less.
    short, total = np.int64(0), np.int64(0)
    for colour in range(COLOURS):
        gap = demand[colour] - have[colour] - more[colour] + less[colour]
        total += gap
        short += max(gap, 0)
    grey = have[GREY] + more[GREY] - less[GREY]
    return max(short - grey, total + demand[GREY] - grey, 0)


@kernel
def _serves_for(weak: Any, strong: Any) -> bool:
    # Whether a cat can stand in for another in any house: each of its symbols is there, or a grey one for it.
    short = weak[GREY]
    for colour in range(COLOURS):
        short += max(weak[colour] - strong[colour], 0)
    return short <= strong[GREY]


@kernel
def _may_serve(mark: Int, place: Int) -> bool:
    # Y52: a marked cat serves its own district and the two next to it on the ring of six; 0 is none.
    return mark == 0 or place == 0 or (mark - place) % 6 in (0, 1, 5)


@kernel
def best_contracts(
    cats: Any,
    marks: Any,
    demands: Any,
    begun: Any,
    pays: Any,
    places: Any,
    worth: Any,
    holds: Int,
    retain_cost: Int,
    purse: Int,
    least: Int,
    steps: Int,
    serves: Any,
    verdicts: Any,
) -> tuple[Int, Int]:
    """The greatest worth of contracts, if it is more than ``least``, and then who serves where; else ``least``.

    With it come the ``steps`` that are left. When they run out, 0 are left and it is the best that was found so far.

    ``cats`` (cats, 4) are the symbols of the cats that may work, ``marks`` (cats,) the districts where they helped
    trash a house last round (0: none). ``demands`` (houses, 2, 4) and ``pays`` (houses, 2) are what houses ask and pay
    to be kept and to be trashed, a pay of -1 what is not offered; ``begun`` (houses, 4) the symbols that are there
    already, and ``places`` (houses,) their districts (0: none). Each
    coin counts COIN; ``worth`` (houses,), 0 or more, is what it counts beyond the coins that a house stays. So many
    houses may be held, and others retained for ``retain_cost`` coins each (0: none may), for which there are ``purse``
    coins and the pay. All are whole numbers.

    It writes ``serves`` (cats,), the house of each cat or -1, and ``verdicts`` (houses,), LAPSED or one of
    those of the rules.
    """
    house: Int
    kind: Int
    depth: Int
    contract: Int
    idle: Int
    best: Int
    longest: Int
    house_count, cat_count = pays.shape[0], cats.shape[0]
    # Kinds of cats: what they have, how many are idle, which are weaker than which.
    kind_of = np.empty(cat_count, np.int64)
    symbols = np.empty((cat_count, 4), np.int64)
    mark_of, left, size = (
        np.empty(cat_count, np.int64), np.zeros(cat_count, np.int64), np.zeros(cat_count, np.int64),
    )  # fmt: skip
    kinds, idle = np.int64(0), np.int64(0)
    for cat in range(cat_count):
        kind = np.int64(0)
        while kind < kinds:
            if mark_of[kind] == marks[cat] and (
                symbols[kind, 0] == cats[cat, 0] and symbols[kind, 1] == cats[cat, 1]
                and symbols[kind, 2] == cats[cat, 2] and symbols[kind, 3] == cats[cat, 3]
            ):  # fmt: skip
                break
            kind += 1
        if kind == kinds:
            kinds += 1
            mark_of[kind] = marks[cat]
            for i in range(4):
                symbols[kind, i] = cats[cat, i]
                size[kind] += cats[cat, i]
        kind_of[cat] = kind
        left[kind] += 1
        idle += size[kind]
    weaker = np.zeros((kinds, kinds), np.bool_)
    for weak in range(kinds):
        for strong in range(kinds):
            weaker[weak, strong] = (
                weak != strong and (mark_of[strong] == 0 or mark_of[strong] == mark_of[weak])
                and _serves_for(symbols[weak], symbols[strong])
                and not (_serves_for(symbols[strong], symbols[weak]) and mark_of[strong] == mark_of[weak])
            )  # fmt: skip
    asked = np.zeros((house_count, 2), np.int64)
    gain = np.zeros((house_count, 2), np.int64)
    longest = np.int64(1)
    for house in range(house_count):
        for contract in range(2):
            asked[house, contract] = lacking(demands[house, contract], begun[house])
            longest = max(longest, asked[house, contract])
            gain[house, contract] = pays[house, contract] * COIN + (worth[house] if contract == 0 else 0)
    # What a house is worth unfilled. Where not all can be held, a hold has a price that is added once for each hold;
    # of the prices that may be right the one with the lowest bound is taken.
    unfilled, items = np.zeros(house_count, np.int64), np.zeros((2 * house_count, 3), np.int64)
    price, bound = np.int64(0), np.int64(-1)
    if 0 < holds < house_count:
        for candidate in range(house_count + 1):
            trial = worth[candidate] if candidate < house_count else np.int64(0)
            most = holds * trial + _value_unfilled(worth, holds, trial, retain_cost, unfilled)
            item_count = _list_items(asked, pays, gain, unfilled, items)
            most += _knapsack(items, item_count, np.int64(-1), idle)
            if bound < 0 or most < bound:
                price, bound = trial, most
    loose = worth.sum()  # where that is less than a coin, no part of a coin but this is ever reached
    held = holds * price if holds < house_count else np.int64(0)
    _value_unfilled(worth, holds, price, retain_cost, unfilled)
    item_count = _list_items(asked, pays, gain, unfilled, items)
    # Houses in the order of their densest item; those without one come last.
    order, turn = np.empty(house_count, np.int64), np.full(house_count, -1, np.int64)
    ordered = np.int64(0)
    for item in range(item_count):
        if turn[items[item, 0]] < 0:
            turn[items[item, 0]] = ordered
            order[ordered] = items[item, 0]
            ordered += 1
    for house in range(house_count):
        if turn[house] < 0:
            turn[house] = ordered
            order[ordered] = house
            ordered += 1
    for item in range(item_count):
        items[item, 0] = turn[items[item, 0]]
    unfilled_after = np.zeros(house_count + 1, np.int64)
    for depth in range(house_count - 1, -1, -1):
        unfilled_after[depth] = unfilled_after[depth + 1] + unfilled[order[depth]]
    # The search. By depth: the contract that is tried (2: neither), its cats so far and what they have, the kind to try
    # next, and the worth of the houses before.
    tried, length, cursor, total = (
        np.zeros(house_count + 1, np.int64), np.zeros(house_count + 1, np.int64),
        np.zeros(house_count + 1, np.int64), np.zeros(house_count + 1, np.int64),
    )  # fmt: skip
    picks = np.empty((house_count + 1, longest + 1), np.int64)
    have, none = np.zeros((house_count + 1, 4), np.int64), np.zeros(4, np.int64)
    for depth in range(house_count):
        for i in range(4):
            have[depth, i] = begun[order[depth], i]
    best_tried, best_length = np.full(house_count, 2, np.int64), np.zeros(house_count, np.int64)
    best_picks = np.empty((house_count + 1, longest + 1), np.int64)
    # What was reached before with the same cats idle at a house need not be gone through again unless it is now worth
    # more: a table that forgets, by the number that the idle cats are in a mixed radix. It is made for large cases.
    # Where what is worth most in the end depends on the houses left unfilled, there is none.
    additive = (holds == 0 or holds >= house_count) and (retain_cost == 0 or purse >= retain_cost * house_count)
    radix = np.empty(kinds, np.int64)
    spelt: Int = np.int64(1)
    for kind in range(kinds):
        radix[kind] = spelt
        additive = additive and spelt < (1 << 55) // (left[kind] + 1)
        if additive:
            spelt *= left[kind] + 1
    number, nodes, seen = spelt - 1, np.int64(0), np.zeros((1, 2), np.int64)
    best, depth = np.int64(least), np.int64(0)
    tried[0], length[0], cursor[0] = -1, 0, kinds
    while depth >= 0 and steps > 0:
        steps -= 1
        if depth == house_count:
            reached = total[depth]
            if holds < house_count:
                reached = _leaf_worth(order, tried, pays, gain, worth, holds, retain_cost, purse, verdicts)
            if reached > best:
                best = reached
                for i in range(house_count):
                    best_tried[i], best_length[i] = tried[i], length[i]
                    for j in range(length[i]):
                        best_picks[i, j] = picks[i, j]
            depth -= 1
            continue
        house, contract = order[depth], tried[depth]
        kind = cursor[depth]
        if kind < kinds:
            cursor[depth] += 1
            if left[kind] == 0 or not _may_serve(mark_of[kind], places[house]):
                continue
            demand = demands[house, contract]
            before = lacking(demand, have[depth])
            after = _lacking_with(demand, have[depth], symbols[kind], none)
            if after == before:
                continue
            left[kind] -= 1
            idle -= size[kind]
            number -= radix[kind]
            for i in range(4):
                have[depth, i] += symbols[kind, i]
            picks[depth, length[depth]] = kind
            length[depth] += 1
            if after > 0:
                cursor[depth] = kind
                continue
            cursor[depth] = kinds
            needed = True
            for j in range(length[depth]):
                given = picks[depth, j]
                if _lacking_with(demand, have[depth], none, symbols[given]) == 0:
                    needed = False
                    break
                for other in range(kinds):
                    if (
                        weaker[other, given] and left[other] > 0 and _may_serve(mark_of[other], places[house])
                        and _lacking_with(demand, have[depth], symbols[other], symbols[given]) == 0
                    ):  # fmt: skip
                        needed = False
                        break
                if not needed:
                    break
            if not needed:
                continue
            total[depth + 1] = total[depth] + gain[house, contract]
        elif length[depth] > 0:
            length[depth] -= 1
            kind = picks[depth, length[depth]]
            left[kind] += 1
            idle += size[kind]
            number += radix[kind]
            for i in range(4):
                have[depth, i] -= symbols[kind, i]
            cursor[depth] = kind + 1
            continue
        else:
            tried[depth] += 1
            contract = tried[depth]
            if contract > 2:
                depth -= 1
                continue
            spare, brings = idle, unfilled[house]
            if contract < 2:
                if pays[house, contract] < 0:
                    continue
                spare, brings = idle - asked[house, contract], gain[house, contract]
                if spare < 0:
                    continue
            most = total[depth] + brings + unfilled_after[depth + 1] + held + _knapsack(items, item_count, depth, spare)
            if loose < COIN:
                most = min(most, most // COIN * COIN + loose)
            if most <= best:
                continue
            total[depth + 1] = total[depth] + brings
            if contract < 2 and asked[house, contract] > 0:
                cursor[depth] = 0
                continue
        if additive:
            nodes += 1
            if nodes == FEW:
                seen = np.zeros((1 << SEEN_BITS, 2), np.int64)
            if nodes >= FEW:
                key = number * 64 + depth + 1
                at = (((key ^ (key >> 29)) & 0x3FFFFFFF) * 0x9E3779B1 >> 15) & ((1 << SEEN_BITS) - 1)
                if seen[at, 0] == key and total[depth + 1] <= seen[at, 1]:
                    continue
                seen[at, 0], seen[at, 1] = key, total[depth + 1]
        depth += 1
        if depth < house_count:
            tried[depth], length[depth], cursor[depth] = -1, 0, kinds
    if best == least:
        return best, steps
    _leaf_worth(order, best_tried, pays, gain, worth, holds, retain_cost, purse, verdicts)
    for cat in range(cat_count):
        serves[cat] = -1
    for depth in range(house_count):
        for j in range(best_length[depth]):
            for cat in range(cat_count):
                if kind_of[cat] == best_picks[depth, j] and serves[cat] < 0:
                    serves[cat] = order[depth]
                    break
    return best, steps


@kernel
def _value_unfilled(worth: Any, holds: Int, price: Int, retain_cost: Int, unfilled: Any) -> Int:
    # What houses are worth unfilled when a hold costs so much (nothing where all can be held); the sum.
    total = np.int64(0)
    for house in range(worth.shape[0]):
        value = np.int64(0)
        if holds >= worth.shape[0]:
            value = worth[house]
        elif holds > 0:
            value = worth[house] - price
        if retain_cost > 0:
            value = max(value, worth[house] - retain_cost * COIN)
        unfilled[house] = max(value, 0)
        total += unfilled[house]
    return total


@kernel
def _list_items(asked: Any, pays: Any, gain: Any, unfilled: Any, items: Any) -> Int:
    # The knapsack's items: house, symbols and worth of its contracts, the second one as what it adds to the first;
    # densest first, and of a house each less dense than the one before. How many they are.
    count = np.int64(0)
    for house in range(unfilled.shape[0]):
        first = 0 if asked[house, 0] <= asked[house, 1] else 1
        if pays[house, first] < 0:
            first = 1 - first
        if pays[house, first] < 0:
            continue
        second = 1 - first
        low, low_size = gain[house, first] - unfilled[house], asked[house, first]
        high, high_size = np.int64(-1), asked[house, second]
        if pays[house, second] >= 0:
            high = gain[house, second] - unfilled[house]
        if high > low and (low <= 0 or high * low_size > low * high_size):
            low, low_size, high = high, high_size, np.int64(-1)
        for part in range(2):
            brings, takes = low, low_size
            if part == 1:
                brings, takes = high - low, high_size - low_size
            if brings <= 0:
                break
            at = count
            while at > 0 and brings * items[at - 1, 1] > items[at - 1, 2] * takes:
                for i in range(3):
                    items[at, i] = items[at - 1, i]
                at -= 1
            items[at, 0], items[at, 1], items[at, 2] = house, takes, brings
            count += 1
    return count


@kernel
def _knapsack(items: Any, count: Int, depth: Int, spare: Int) -> Int:
    # The most that the items of houses after one can bring with so many symbols, the last item cut.
    most = np.int64(0)
    for item in range(count):
        if items[item, 0] > depth:
            if items[item, 1] > spare:
                return most + items[item, 2] * spare // items[item, 1]
            most += items[item, 2]
            spare -= items[item, 1]
    return most


@kernel
def _leaf_worth(
    order: Any,
    tried: Any,
    pays: Any,
    gain: Any,
    worth: Any,
    holds: Int,
    retain_cost: Int,
    purse: Int,
    verdicts: Any,
) -> Int:
    # The worth of the contracts that are tried, with the best unfilled houses held and then retained; writes verdicts.
    house_count = order.shape[0]
    total: Int = np.int64(0)
    for depth in range(house_count):
        house, contract = order[depth], tried[depth]
        verdicts[house] = LAPSED
        if contract < 2:
            verdicts[house] = KEPT if contract == 0 else TRASHED
            total += gain[house, contract]
            purse += pays[house, contract]
    while True:
        top: Int = np.int64(-1)
        for house in range(house_count):
            if verdicts[house] == LAPSED and (top < 0 or worth[house] > worth[top]):
                top = house
        if top < 0:
            return total
        if holds > 0:
            holds -= 1
            verdicts[top] = HELD_ON
            total += worth[top]
        elif 0 < retain_cost <= purse and worth[top] > retain_cost * COIN:
            purse -= retain_cost
            verdicts[top] = RETAINED
            total += worth[top] - retain_cost * COIN
        else:
            return total


# From a position


@kernel
def plan_contracts(s: Any, p: Int, afresh: Int, stay: Any, steps: Int, serves: Any, verdicts: Any) -> tuple[Int, Int]:
    """The best contracts of seat p in the phase CONTRACTS: what they are worth and the steps left (`best_contracts`).

    Each coin counts COIN; ``stay`` (LAIR,) is what it counts beyond the coins that a card stays in the organisation, of
    a house as of a cat that owes upkeep; what is earned in any case (the lair's income) is left out. With ``afresh`` it
    is a whole move, whatever the seat has prepared; without, what can still become of the move in preparation.

    It writes ``serves`` (LAIR,), the number + 1 of the house that a cat serves, and ``verdicts`` (CARDS,), both int64.
    Which cats are dropped, if any owe upkeep, is tried in all ways. Of more than MOST_OWING such cats the last ones are
    dropped only where the cash does not last.
    """
    for c in range(LAIR):
        serves[c] = 0 if afresh else s.serves[p, c]
    for c in range(CARDS):
        verdicts[c] = 0 if afresh else s.verdict[p, c]
    latest = np.int64(-1) if afresh else np.int64(s.latest[p]) - 1
    owing, owed, cash = np.zeros(MOST_OWING, np.int64), np.int64(0), np.int64(s.cash[p])
    for c in range(s.card_count if s.upkeep else 0):
        if is_cat(s, p, c) and due(s, c) > 0 and verdicts[c] != DROPPED:
            if latest >= KEEP or DROP + c <= latest:
                cash -= due(s, c)
            elif owed < MOST_OWING:
                owing[owed] = c
                owed += 1
            elif due(s, c) <= cash:
                cash -= due(s, c)
            else:
                verdicts[c] = DROPPED
    best, left = -(np.int64(1) << 60), np.int64(steps)
    best_serves, best_verdicts = np.empty(LAIR, np.int64), np.empty(CARDS, np.int64)
    best_serves[:] = serves
    best_verdicts[:] = verdicts
    for dropped in range(np.int64(1) << owed):
        cost, worth = np.int64(0), np.int64(0)
        for i in range(owed):
            verdicts[owing[i]] = DROPPED if dropped >> i & 1 else LAPSED
            if not dropped >> i & 1:
                cost += due(s, owing[i])
                worth += stay[owing[i]] - COIN * due(s, owing[i])
        if cost > cash:
            continue
        found, left = _plan_houses(s, p, latest, stay, cash - cost, best - worth, left, serves, verdicts)
        if found > best - worth:
            best = found + worth
            best_serves[:] = serves
            best_verdicts[:] = verdicts
        for c in range(LAIR):
            serves[c] = 0 if afresh else s.serves[p, c]
        for c in range(s.card_count):
            if is_house(s, p, c):
                verdicts[c] = 0 if afresh else s.verdict[p, c]
    serves[:] = best_serves
    verdicts[:] = best_verdicts
    return best, left


@kernel
def _plan_houses(
    s: Any, p: Int, latest: Int, stay: Any, cash: Int, least: Int, steps: Int, serves: Any, verdicts: Any
) -> tuple[Int, Int]:
    # `plan_contracts` for the cats that are not dropped. What is written already stays, and what is not above the
    # latest action in the order of a move can no longer be said.
    house: Int
    house, first, balls = np.int64(-1), np.int64(0), np.int64(0)
    purse: Int = cash + income(s, p)
    holds: Int = holds_left(s, p)
    for c in range(s.card_count):
        if s.special[c] == YARN and s.side[c] == CAT and is_cat(s, p, c):
            balls += s.knocked[c] == 0 and verdicts[c] != DROPPED
        if not is_house(s, p, c):
            continue
        holds += s.verdict[p, c] == HELD_ON
        if verdicts[c] == KEPT or verdicts[c] == TRASHED:
            house = np.int64(c)
            purse += s.keep_pays[c] if verdicts[c] == KEPT else s.trash_pays[c]
        elif verdicts[c] == HELD_ON:
            holds -= 1
        elif verdicts[c] == RETAINED:
            purse -= s.retain_cost
    whole = True
    if KEEP <= latest < HOLD:
        whole = demand_filled(s, house, verdicts[house], working(s, p, house))
        first = latest - SERVE + 1 if latest >= SERVE else first
    house_numbers = np.empty(CARDS + 1, np.int64)
    house_count: Int = np.int64(0)
    if not whole:
        house_numbers[0], house_count = house, 1
    for c in range(s.card_count):
        later = latest < HOLD or c > latest - (HOLD if latest < RETAIN else RETAIN)
        if later and is_house(s, p, c) and s.knocked[c] == 0 and verdicts[c] == 0:
            house_numbers[house_count] = c
            house_count += 1
    if house_count == 0:
        return max(least, np.int64(0)), steps
    cat_numbers, cat_count = np.empty(LAIR, np.int64), np.int64(0)
    for c in range(KITTEN + p + 1):
        dropped = c < CARDS and verdicts[c] == DROPPED
        late = latest >= HOLD or not (whole or c >= first)
        if is_cat(s, p, c) and s.knocked[c] == 0 and serves[c] == 0 and not dropped and not late:
            cat_numbers[cat_count] = c
            cat_count += 1
    cats, marks = np.zeros((cat_count, 4), np.int64), np.zeros(cat_count, np.int64)
    for i in range(cat_count):
        symbols = gives(s, cat_numbers[i], balls)
        for colour in range(4):
            cats[i, colour] = symbols >> 16 * colour & 0xFFFF
        marks[i] = s.mark[cat_numbers[i]] if s.geography else 0
    demands, pays = np.zeros((house_count, 2, 4), np.int64), np.full((house_count, 2), -1, np.int64)
    places, worth = np.zeros(house_count, np.int64), np.zeros(house_count, np.int64)
    begun, forced = np.zeros((house_count, 4), np.int64), np.int64(0)
    for i in range(house_count):
        c = house_numbers[i]
        for colour in range(4):
            demands[i, 0, colour] = s.keep_needs[c, colour]
            demands[i, 1, colour] = s.trash_needs[c, colour]
        places[i] = s.district[c]
        if i == 0 and not whole:
            # What is begun must be filled: that is worth more than all else. Its coins are in the purse.
            forced = np.int64(1) << 30
            pays[i, 0 if verdicts[c] == KEPT else 1] = forced
            for colour in range(4):
                begun[i, colour] = working(s, p, c) >> 16 * colour & 0xFFFF
        else:
            worth[i] = stay[c]
            if c > house and latest < HOLD:
                pays[i, 0], pays[i, 1] = s.keep_pays[c], s.trash_pays[c]
    if latest >= RETAIN:
        holds = np.int64(0)
    cat_serves, house_verdicts = np.empty(cat_count, np.int64), np.empty(house_count, np.int64)
    found, steps = best_contracts(
        cats, marks, demands, begun, pays, places, worth, holds, np.int64(s.retain_cost), purse - forced,
        max(least + forced * COIN, np.int64(-1)), steps, cat_serves, house_verdicts,
    )  # fmt: skip
    found -= forced * COIN
    if found > least:
        for i in range(cat_count):
            if cat_serves[i] >= 0:
                serves[cat_numbers[i]] = house_numbers[cat_serves[i]] + 1
        for i in range(house_count):
            if whole or i > 0:
                verdicts[house_numbers[i]] = house_verdicts[i]
    return found, steps


@kernel
def next_contract(s: Any, p: Int, stay: Any, steps: Int) -> Int:
    """The next action of the best contracts of seat p (`plan_contracts`), which is asked for them.

    A move in preparation that is the beginning of the best whole move goes on as that, another as is best from there.
    """
    serves, verdicts = np.empty(LAIR, np.int64), np.empty(CARDS, np.int64)
    plan_contracts(s, p, 1, stay, steps, serves, verdicts)
    action = _next_of_plan(s, p, serves, verdicts)
    if action < 0:
        plan_contracts(s, p, 0, stay, steps, serves, verdicts)
        action = _next_of_plan(s, p, serves, verdicts)
    return action


@kernel
def _next_of_plan(s: Any, p: Int, serves: Any, verdicts: Any) -> Int:
    # The first action of a plan that is not yet made; -1 if what is made is not its beginning.
    for c in range(LAIR):
        if s.serves[p, c] != 0 and s.serves[p, c] != serves[c]:
            return np.int64(-1)
    for c in range(s.card_count):
        if s.verdict[p, c] != 0 and s.verdict[p, c] != verdicts[c]:
            return np.int64(-1)
    latest, action = np.int64(s.latest[p]) - 1, np.int64(-1)
    for c in range(s.card_count):
        if verdicts[c] == DROPPED and s.verdict[p, c] == 0:
            return DROP + c if latest < DROP + c else np.int64(-1)
    house = np.int64(-1)
    if KEEP <= latest < HOLD:
        house = np.int64(s.serves[p, latest - SERVE]) - 1 if latest >= SERVE else latest - KEEP
        if TRASH <= latest < SERVE:
            house = latest - TRASH
        for c in range(LAIR):
            if serves[c] == house + 1 and s.serves[p, c] == 0:
                return SERVE + c if latest < SERVE + c else np.int64(-1)
    for c in range(s.card_count):
        if s.verdict[p, c] == 0 and (verdicts[c] == KEPT or verdicts[c] == TRASHED):
            action = np.int64((KEEP if verdicts[c] == KEPT else TRASH) + c)
            return action if c > house and latest < HOLD else np.int64(-1)
    for c in range(s.card_count):
        if s.verdict[p, c] == 0 and verdicts[c] == HELD_ON:
            return HOLD + c if latest < HOLD + c else np.int64(-1)
    for c in range(s.card_count):
        if s.verdict[p, c] == 0 and verdicts[c] == RETAINED:
            return RETAIN + c if latest < RETAIN + c else np.int64(-1)
    return np.int64(DONE)
