"""Catham City's table in rows, for the terminal."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from backroom.engine.notation import Line, Thing
from backroom.games.catham.cards import FACTIONS, LIMIT
from backroom.games.catham.text import cards_of
from backroom.scenes.rows import Row

__all__ = ["COLOURS", "table"]

COLOURS = {
    "J": "#f0c3a6",
    "D": "#a89bd8",
    "O": "#bc8a2c",
    "S": "#d2d648",
    "R": "#c4dbe2",
    "M": "#e0788a",
    "P": "#7ea6e6",
    "H": "#5f9d87",
}
"""A background for black letters, by faction: the printed colours, dark ones made lighter."""


def table(view: Any, viewer: int, names: Sequence[str]) -> list[Row]:
    """Market, each player's points and number of cards, cards on the table, piles, and the viewer's own hand.

    Once the game is over ``view`` is the whole state, and every hand is shown.
    """
    rows = [Row("market", Line(_cards(view.market)))]
    rows += [
        Row("your points" if seat == viewer else name, Line(_player(view, seat, seat == viewer)), seat)
        for seat, name in enumerate(names)
    ]
    if view.table.any():
        rows.append(Row("on the table", Line(_cards(view.table))))
    pile = int(np.sum(view.discards))
    rows.append(Row("deck", Line((cards_of(int(view.deck_size)),))))
    rows.append(Row(f"discards, {pile}", Line(_cards(view.discards))))
    if view.over:
        others = [(seat, name) for seat, name in enumerate(names) if seat != viewer]
        rows += [Row(f"hand of {name}", Line(_cards(view.hand[seat])), seat) for seat, name in others]
    if viewer >= 0:
        held = int(view.hand_size[viewer])
        rows.append(Row(f"your hand, {held} of {LIMIT}", Line(_cards(view.hand[viewer])), viewer))
    return rows


def _player(view: Any, seat: int, own: bool) -> tuple[str | Thing, ...]:
    text = f"{view.points[seat]} of {view.target}"
    if not own:
        text += f" points, {cards_of(int(view.hand_size[seat]))}"
    if view.active == seat and not own and not view.over:
        text += ", has the turn"
    parts: tuple[str | Thing, ...] = (text,)
    if view.kept[seat].any():
        parts += ("; kept as points: ", *_cards(view.kept[seat]))
    if view.known[seat].any():
        parts += ("; all know of: ", *_cards(view.known[seat]))
    return parts


def _cards(counts: Any) -> tuple[str | Thing, ...]:
    things: list[str | Thing] = []
    for faction, count in zip(FACTIONS, counts.tolist(), strict=True):
        if count:
            things += ["  " if things else "", Thing("card", faction.letter, f"{count} {faction.cards(count)}")]
    return tuple(things) or ("none",)
