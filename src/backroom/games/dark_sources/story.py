"""Where every card has wandered, from the log of a game that is over."""

from collections.abc import Iterable
from dataclasses import dataclass

from backroom.engine.notation import Line

__all__ = ["Card", "wanderings"]


@dataclass
class Card:
    """A card: its value, whose it was at the start, and its places as (number of the swap, seat, slot), the first 0."""

    value: int
    home: int
    places: list[tuple[int, int, int]]

    @property
    def place(self) -> tuple[int, int]:
        """Where it lies now: seat and slot."""
        return self.places[-1][1:]


def wanderings(lines: Iterable[tuple[int, Line]]) -> list[Card]:
    """All cards with their ways, from the whole log; empty when rows are missing from it.

    A row's event has its five cards, a swap's the two slots; what lay there follows from these.
    """
    at: dict[tuple[int, int], Card] = {}
    cards: list[Card] = []
    swaps = 0
    for event in (line.event for _, line in lines):
        if event.kind == "laid":
            for slot, value in enumerate(event.args["cards"]):
                at[event.seat, slot] = Card(value, event.seat, [(0, event.seat, slot)])
                cards.append(at[event.seat, slot])
        elif event.kind == "swapped":
            swaps += 1
            first, second = (event.seat, event.args["slot"]), (event.args["other"], event.args["other_slot"])
            if first not in at or second not in at:
                return []
            at[first], at[second] = at[second], at[first]
            for place in (first, second):
                at[place].places.append((swaps, *place))
    return cards
