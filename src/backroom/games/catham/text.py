"""Words that moves, positions, the log and previews share."""

from collections.abc import Iterable, Sequence
from typing import Any

from backroom.engine.notation import Thing
from backroom.games.catham.cards import FACTIONS
from backroom.text.english import counted, listed

__all__ = [
    "QUESTIONS", "Parts", "card_parts", "cards_in", "cards_of", "either", "in_figures", "number_of", "points_of",
    "tokens_left",
]  # fmt: skip

QUESTIONS = ("turn", "gift", "match", "mafia", "limit")
"""The word for each value of the state's ``question``."""

Parts = list[str | Thing]


def either(words: Iterable[str]) -> str:
    """Words as alternatives: a, b or c."""
    return listed(words, "or")


def cards_in(counts: Iterable[Any]) -> list[tuple[int, int]]:
    """The factions of which there are cards, with their numbers, from the cards by faction."""
    return [(faction, int(count)) for faction, count in enumerate(counts) if count]


def _number(faction: int, count: int) -> str:
    if count == 1:
        return "an" if FACTIONS[faction].one[0] in "aeiou" else "a"
    return str(count) if count else "no"


def number_of(faction: int, count: int) -> str:
    """So many cards of a faction: a hacker, 2 hackers, no hackers."""
    return f"{_number(faction, count)} {FACTIONS[faction].cards(count)}"


def in_figures(faction: int, count: int) -> str:
    """So many cards of a faction in figures: 1 hacker, 2 hackers."""
    return f"{count} {FACTIONS[faction].cards(count)}"


def cards_of(number: int) -> str:
    """1 card, 5 cards."""
    return counted(number, "card")


def points_of(points: int) -> str:
    """1 point, 2 points, no point."""
    return counted(points, "point") if points else "no point"


def card_parts(cards: Sequence[int]) -> Parts:
    """Cards as pieces of a log line, grouped by faction: 2 scientists, a mafia and an official. Nothing: no card."""
    parts: Parts = []
    factions = sorted(set(cards), key=cards.index)
    for place, faction in enumerate(factions):
        if place:
            parts.append(" and " if place + 1 == len(factions) else ", ")
        count = cards.count(faction)
        parts.append(f"{_number(faction, count)} ")
        parts.append(Thing("card", FACTIONS[faction].letter, FACTIONS[faction].cards(count), count))
    return parts or ["no card"]


def tokens_left(view: Any, seat: int) -> int:
    """Points of a seat that are tokens, not kept cards."""
    return int(view.points[seat]) - int(view.kept[seat].sum())
