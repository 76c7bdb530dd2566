"""Facts of the toy game Bazaar (`toys.bazaar`)."""

from collections.abc import Iterable
from typing import Any

from backroom.engine.facts import Facts, Perft, Uniform
from toys.bazaar.rules import KINDS


def position(deck: list[int], hands: list[list[int]], discard: list[int]) -> str:
    def row(numbers: Iterable[object], sign: str = " ") -> str:
        return sign.join(map(str, numbers))

    return (
        f"{{target=8}} | anna ben | acting anna | deck {row(deck)} | hand {row([row(hand, ',') for hand in hands])} | "
        f"hand_size {row(map(sum, hands))} | discard {row(discard)} | deck_size {len(deck)} | coins 2 2 | bank 16"
    )


def conserved(state: Any) -> dict[str, Any]:
    deck = state.deck[: int(state.deck_size)].tolist()
    cards = [int(state.hand[:, kind].sum()) + int(state.discard[kind]) + deck.count(kind) for kind in range(KINDS)]
    return {"cards": cards, "coins": int(state.coins.sum()) + int(state.bank)}


# Two cards a and b and one c are unknown to anna; ben holds one of them: he has c in one of five deals.
ONE_UNKNOWN = position([0, 0, 1, 1], [[1, 0, 0, 0], [0, 0, 1, 0]], [2, 3, 4, 5])

FACTS = Facts(
    conserved=conserved,
    perft=(Perft(position([0, 1], [[1, 1, 0, 0], [0, 0, 1, 1]], [3, 3, 4, 4]), (6, 19, 67)),),
    uniform=(Uniform(ONE_UNKNOWN, 0, lambda s: s.hand[1].tolist().index(1), {0: 2, 1: 2, 2: 1}),),
    symmetry=None,
    defaults={"target": 6, "tie": "chance", "bids": "open", "max_rounds": None},
    values={"max_rounds": (3,)},
    reveals=frozenset({"revealed"}),
    rules={"B1": "E1", "B6": "E2"},
)
