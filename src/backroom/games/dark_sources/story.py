"""Where every card has wandered, from the log of a game that is over."""

from collections.abc import Iterable
from dataclasses import dataclass

from backroom.engine.notation import Line, Thing
from backroom.games.dark_sources.notation import SEAT_LETTERS
from backroom.games.dark_sources.rules import SLOTS

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
    """All cards with their ways, from the lines of the whole log; empty when rows are missing from it.

    A row's line names its five cards, a swap's line the two slots; what lay there follows from these.
    """
    cards: list[Card] = []
    at: dict[tuple[int, int], Card] = {}
    swaps = 0
    for _, line in lines:
        things = [part for part in line.parts if isinstance(part, Thing)]
        values = [int(thing.key) for thing in things if thing.kind == "money" and thing.key]
        slots = [thing.key for thing in things if thing.kind == "slot"]
        if slots:
            swaps += 1
            first, second = ((SEAT_LETTERS.index(name[0]), int(name[1]) - 1) for name in slots)
            if first not in at or second not in at:
                return []
            at[first], at[second] = at[second], at[first]
            for place in (first, second):
                at[place].places.append((swaps, *place))
        elif len(values) == SLOTS:
            seat = len(cards) // SLOTS
            for slot, value in enumerate(values):
                card = Card(value, seat, [(0, seat, slot)])
                cards.append(card)
                at[seat, slot] = card
    return cards
