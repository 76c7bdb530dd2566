"""Catham City's table in rows, for the terminal."""

from collections.abc import Iterator, Sequence
from typing import Any

from backroom.engine.notation import Line, Part, Thing
from backroom.games.catham.cards import FACTIONS, LETTERS, LIMIT
from backroom.games.catham.text import cards_in, cards_of, in_figures
from backroom.scenes.rows import Quantity, Row

__all__ = ["COLOURS", "quantities", "rows"]

PRINTED = ("#f0c3a6", "#a89bd8", "#bc8a2c", "#d2d648", "#c4dbe2", "#e0788a", "#7ea6e6", "#5f9d87")
COLOURS = dict(zip(LETTERS, PRINTED, strict=True))
"""A background for black letters, by faction: the printed colours, dark ones made lighter."""


def rows(view: Any, viewer: int, names: Sequence[str]) -> list[Row]:
    """Market, each player's points and number of cards, cards on the table, piles, and the viewer's own hand.

    Once the game is over ``view`` is the whole state, and every hand is shown.
    """
    seats = range(len(names))
    rows = [Row("market", Line(_cards(view.market)))]
    rows += [Row("your points" if seat == viewer else names[seat], _player(view, seat, viewer), seat) for seat in seats]
    if view.table.any():
        rows.append(Row("on the table", Line(_cards(view.table))))
    rows.append(Row("deck", Line((cards_of(int(view.deck_size)),))))
    rows.append(Row(f"discards, {int(view.discards.sum())}", Line(_cards(view.discards))))
    shown = seats if view.over else ()
    hands = {seat: f"hand of {names[seat]}" for seat in shown if seat != viewer}
    if viewer >= 0:
        hands[viewer] = f"your hand, {int(view.hand_size[viewer])} of {LIMIT}"
    return rows + [Row(heading, Line(_cards(view.hand[seat])), seat) for seat, heading in hands.items()]


def quantities(view: Any, viewer: int) -> Iterator[tuple[Quantity, float]]:
    """Everybody's points and cards, and the viewer's cards by faction."""
    for seat in range(int(view.seats)):
        yield Quantity(seat, "points"), float(view.points[seat])
        yield Quantity(seat, "cards in hand"), float(view.hand_size[seat])
    if viewer >= 0:
        for number, faction in enumerate(FACTIONS):
            yield Quantity(viewer, faction.many), float(view.hand[viewer, number])


def _player(view: Any, seat: int, viewer: int) -> Line:
    text = f"{view.points[seat]} of {view.target}"
    if seat != viewer:
        text += f" points, {cards_of(int(view.hand_size[seat]))}"
    if view.active == seat != viewer and not view.over:
        text += ", has the turn"
    parts: tuple[Part, ...] = (text,)
    for heading, counts in (("kept as points", view.kept[seat]), ("all know of", view.known[seat])):
        parts += (f"; {heading}: ", *_cards(counts)) if counts.any() else ()
    return Line(parts)


def _cards(counts: Any) -> tuple[Part, ...]:
    pairs = [("  ", Thing("card", LETTERS[faction], in_figures(faction, count))) for faction, count in cards_in(counts)]
    return tuple(part for pair in pairs for part in pair)[1:] or ("none",)
