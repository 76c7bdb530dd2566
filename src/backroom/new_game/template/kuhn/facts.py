"""What the conformance suite must be told of Kuhn poker."""

from typing import Any

from backroom.engine.facts import Facts, Perft, Uniform

START = "{hands=1} | anna ben | acting anna | card 3 2 | stake 1 1 | hand 1"


def conserved(state: Any) -> dict[str, Any]:
    """What no move may change."""
    return {"chips": int(state.chips.sum())}


def card_of_ben(state: Any) -> int:
    return int(state.card[1])


FACTS = Facts(
    conserved=conserved,
    perft=(Perft(START, (2, 4, 2)),),
    uniform=(Uniform(START, 0, card_of_ben, {1: 1, 2: 1}),),
    defaults={"hands": 3},
    reveals=frozenset({"showed"}),
)
