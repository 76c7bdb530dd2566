"""Facts of the toy game Bazaar (`toys.bazaar`)."""

from typing import Any

from backroom.engine.facts import Facts, Perft, Uniform
from toys.bazaar.rules import COPIES, KINDS

OPENING = (
    "names=anna,ben acting=1 midmove=0 turn=0 seats=2 rotation=0 over=0 deck={deck} hand={hand} offered=0,0,0,0 "
    "bid=0,0,0,0 hand_size={sizes},0,0 discard={discard} deck_size={left} coins=2,2,0,0 bank=16 phase=0 active=0 "
    "to_sell=0 least=0 rounds=0 target=8 tie=0 bids=0 max_rounds=-1"
)


def position(deck: list[int], hands: list[list[int]], discard: list[int]) -> str:
    rows = [".".join(map(str, row)) for row in (*hands, [0] * KINDS, [0] * KINDS)]
    return OPENING.format(
        deck=",".join(map(str, deck + [0] * (KINDS * COPIES - len(deck)))),
        hand=",".join(rows),
        sizes=f"{sum(hands[0])},{sum(hands[1])}",
        discard=",".join(map(str, discard)),
        left=len(deck),
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
