"""The best contracts of an organisation in Syndicats, against trying everything."""

from itertools import product
from typing import Any

import numba
import numpy as np
import pytest

from backroom.engine import rng
from backroom.engine.kernel import INT, specialise
from backroom.games.syndicats import assign
from backroom.games.syndicats.assign import COIN, LAPSED, MOST_STEPS
from backroom.games.syndicats.rules import HELD_ON, KEPT, RETAINED, TRASHED

LONGS1, LONGS2, LONGS3 = numba.int64[::1], numba.int64[:, ::1], numba.int64[:, :, ::1]
SIGNATURE = numba.types.UniTuple(INT, 2)(
    LONGS2, LONGS1, LONGS3, LONGS2, LONGS2, LONGS1, LONGS1, INT, INT, INT, INT, INT, LONGS1, LONGS1
)


def filled(demand: Any, have: Any) -> bool:
    """Y43, word for word."""
    gaps = sum(max(0, int(demand[c]) - int(have[c])) for c in range(3))
    return gaps <= have[3] and sum(have) >= sum(demand)


def reaches(mark: int, place: int) -> bool:
    """Y52, on the ring 1-2-3-4-5-6-1."""
    ring = {1: {6, 1, 2}, 2: {1, 2, 3}, 3: {2, 3, 4}, 4: {3, 4, 5}, 5: {4, 5, 6}, 6: {5, 6, 1}}
    return mark == 0 or place == 0 or place in ring[mark]


def worth_of(case: dict[str, Any], serves: Any, verdicts: Any) -> int | None:
    """What contracts are worth by the rules, None when they are against them."""
    houses, total, holds, retained, purse = len(case["places"]), 0, 0, 0, case["purse"]
    for cat, house in enumerate(serves):
        if house >= 0 and not reaches(case["marks"][cat], case["places"][house]):
            return None
    for house in range(houses):
        have = case["begun"][house] + case["cats"][[cat for cat in range(len(serves)) if serves[cat] == house]].sum(
            axis=0
        )
        verdict = verdicts[house]
        if verdict in (KEPT, TRASHED):
            contract = 0 if verdict == KEPT else 1
            pay = int(case["pays"][house, contract])
            if pay < 0 or not filled(case["demands"][house, contract], have):
                return None
            total += pay * COIN
            purse += pay
        holds += verdict == HELD_ON
        retained += verdict == RETAINED
        if verdict not in (TRASHED, LAPSED):
            total += int(case["worth"][house])
    if holds > case["holds"] or (retained and not case["retain_cost"]) or retained * case["retain_cost"] > purse:
        return None
    return total - retained * case["retain_cost"] * COIN


def best_by_trying(case: dict[str, Any]) -> int:
    """The greatest worth of all assignments and verdicts."""
    houses, best = len(case["places"]), 0
    for serves in product(range(-1, houses), repeat=len(case["cats"])):
        for verdicts in product((LAPSED, KEPT, TRASHED, HELD_ON, RETAINED), repeat=houses):
            found = worth_of(case, serves, verdicts)
            if found is not None and found > best:
                best = found
    return best


def random_case(seed: int, most_cats: int, most_houses: int) -> dict[str, Any]:
    """An organisation of cats of up to four symbols and houses that ask for up to five, switches included."""
    random = rng.generator(seed, "organisation")

    def below(n: int) -> int:
        return int(rng.below(random, n))

    cats, houses = below(most_cats + 1), 1 + below(most_houses)
    symbols = np.zeros((cats, 4), np.int64)
    for cat in range(cats):
        for _ in range(below(5) if below(3) == 0 else 1 + below(2)):
            symbols[cat, below(4)] += 1
    demands, pays = np.zeros((houses, 2, 4), np.int64), np.zeros((houses, 2), np.int64)
    for house, contract in product(range(houses), range(2)):
        asked = below(6)
        for _ in range(asked):
            demands[house, contract, below(4)] += 1
        pays[house, contract] = -1 if below(8) == 0 else asked + below(6)
    far = below(4) == 0
    begun = np.zeros((houses, 4), np.int64)
    if below(4) == 0:
        begun[below(houses), below(4)] += 1 + below(2)
    return {
        "begun": begun,
        "cats": symbols,
        "marks": np.array([below(7) if far else 0 for _ in range(cats)], np.int64),
        "demands": demands,
        "pays": pays,
        "places": np.array([below(7) for _ in range(houses)], np.int64),
        "worth": np.array([below(8 * COIN) if below(2) else 1 for _ in range(houses)], np.int64),
        "holds": (0, 0, 1, 2, 99)[below(5)],
        "retain_cost": (0, 0, 1, 2)[below(4)],
        "purse": below(5),
    }


def solve(kernel: Any, case: dict[str, Any], least: int = -1) -> tuple[int, Any, Any]:
    """The kernel's answer."""
    serves, verdicts = np.full(len(case["cats"]), -1, np.int64), np.zeros(len(case["places"]), np.int64)
    found, left = kernel(
        case["cats"], case["marks"], case["demands"], case["begun"], case["pays"], case["places"], case["worth"],
        case["holds"], case["retain_cost"], case["purse"], least, MOST_STEPS, serves, verdicts,
    )  # fmt: skip
    assert left > 0
    return int(found), serves, verdicts


@pytest.fixture(scope="module")
def kernel() -> Any:
    return specialise(assign.best_contracts, SIGNATURE)


def best_by_sets(case: dict[str, Any]) -> int:
    """The greatest worth, by the sets of cats that can fill each choice of contracts."""
    cats, houses, best = len(case["cats"]), len(case["places"]), 0
    fills: list[list[list[int]]] = [[[], []] for _ in range(houses)]
    for house, contract, cats_there in product(range(houses), range(2), range(1 << cats)):
        chosen = [cat for cat in range(cats) if cats_there >> cat & 1]
        if all(reaches(case["marks"][cat], case["places"][house]) for cat in chosen):
            have = case["begun"][house] + case["cats"][chosen].sum(axis=0)
            if filled(case["demands"][house, contract], have):
                fills[house][contract].append(cats_there)
    fills = [[[one for one in sets if not any(o & one == o != one for o in sets)] for sets in both] for both in fills]
    for contracts in product((-1, 0, 1), repeat=houses):
        used, coins, total = {0}, case["purse"], 0
        for house, contract in enumerate(contracts):
            if contract >= 0 and case["pays"][house, contract] < 0:
                used = set()
            elif contract >= 0:
                used = {one | other for one in used for other in fills[house][contract] if not one & other}
                coins += int(case["pays"][house, contract])
                total += int(case["pays"][house, contract]) * COIN + (int(case["worth"][house]) if contract == 0 else 0)
        if used:
            left = sorted((int(case["worth"][house]) for house in range(houses) if contracts[house] < 0), reverse=True)
            total += sum(left[: case["holds"]])
            retained = left[case["holds"] :][: coins // case["retain_cost"]] if case["retain_cost"] else []
            total += sum(max(0, worth - case["retain_cost"] * COIN) for worth in retained)
            best = max(best, total)
    return best


def test_nothing_that_can_be_tried_is_worth_more(kernel: Any) -> None:
    for seed in range(20):
        case = random_case(seed, 4, 3)
        found, serves, verdicts = solve(kernel, case)
        assert worth_of(case, serves, verdicts) == found == best_by_trying(case) == best_by_sets(case), seed


def test_thousands_of_organisations_have_no_better_contracts(kernel: Any) -> None:
    for seed in range(1000, 4000):
        case = random_case(seed, *((4, 4), (5, 4), (6, 5))[seed % 3])
        found, serves, verdicts = solve(kernel, case)
        assert worth_of(case, serves, verdicts) == found == best_by_sets(case), seed


def test_only_what_is_worth_more_is_told(kernel: Any) -> None:
    for seed in range(100):
        case = random_case(seed, 6, 5)
        best, _, _ = solve(kernel, case)
        assert solve(kernel, case, best - 1)[0] == best
        found, serves, _ = solve(kernel, case, best)
        assert found == best
        assert set(serves.tolist()) <= {-1}
