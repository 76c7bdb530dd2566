"""The cards of the Change! games, which are money: as things of a line, and how they look."""

from backroom.engine.notation import Thing
from backroom.scenes.scene import Emblem

__all__ = ["COLOURS", "bill", "emblem"]

COLOURS = {"1": "#d9d0bb", "3": "#8fbf9f", "5": "#7f9bd6", "7": "#d0764e", "10": "#e6c43c"}
"""A background for black letters, by value: the printed colours."""


def bill(value: int, names: object = None) -> Thing:
    """A card as a piece of a line; 0 is one that does not show. ``names`` say nothing of it."""
    return Thing("money", str(value), str(value)) if value else Thing("money", "", "face down")


def emblem(thing: Thing) -> Emblem | None:
    """Cards as coins. Values that are not printed, as in ``cards=ranks``, have no drawing: their words are enough."""
    printed = thing.kind in ("money", "card") and thing.key in COLOURS
    return Emblem(f"coin-{thing.key}", f"v{thing.key}") if printed else None
