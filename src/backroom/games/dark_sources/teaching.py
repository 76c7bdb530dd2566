"""What Dark Sources tells somebody who is new to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from backroom.games.dark_sources import rules
from backroom.games.dark_sources.options import DarkSourcesOptions
from backroom.scenes.scene import Figure
from backroom.scenes.teaching import Explained, Hint, Picture, Section

__all__ = ["PICTURES", "coach", "crib", "standing"]

FEW = 4
"""So few face-up cards can be turned in two swaps."""

PICTURES = (
    Picture(
        tuple(
            Figure(f"money-{value}", x, 20, 46, height=64.7)
            for value, x in ((1, 6), (10, 56), (5, 106), (3, 156), (7, 206))
        ),
        "Everything lies open",
        "Five cards before each player: 1, 3, 5, 7 and 10, in the order that their owner has chosen.",
    ),
    Picture(
        (
            Figure("money-1", 24, 20, 56, height=78.75, turn=-5),
            Figure("swap", 106, 36, 48),
            Figure("money-10", 180, 20, 56, height=78.75, turn=5),
        ),
        "Swap one",
        "On your turn swap one of your cards with one of another player, here your 1 with a 10.",
    ),
    Picture(
        (
            Figure("card-back", 24, 20, 56, height=78.75, turn=-5),
            Figure("eyes-closed", 100, 32, 58),
            Figure("card-back", 180, 20, 56, height=78.75, turn=5),
        ),
        "And remember",
        "Both lie face down now, for good. When no card is face up, the rows are added up and the most money wins.",
    ),
)
"""See `backroom.scenes.teaching.Teaching`."""


def crib(options: DarkSourcesOptions, seats: int, view: Any | None) -> tuple[Section, ...]:
    """See `backroom.scenes.teaching.Teaching`."""
    del seats, view
    seen = {
        "play": "Nobody may look at them again, and the page does not tell older swaps.",
        "notes": "Nobody may look at them again. The log keeps which places were swapped, not the values.",
        "open": "At this table the page goes on showing what they are.",
    }[options.memory]
    entries = (
        Explained(("card",), "A card", "Counts for whoever has it in the row at the end.", None, "1 to 10", "", "D6"),
        Explained(("swap",), "A swap", f"One of yours for one of another row. Both end face down. {seen}", rule="D2"),
        Explained(
            ("down",), "Two cards face down", "May be swapped, too: it turns nothing and puts the end off.", rule="D7"
        ),
        Explained(("end",), "The end", "When no card is face up. The rows are turned up and added.", rule="D6"),
    )
    return (Section("On your turn", entries),)


def standing(view: Any, seat: int) -> Mapping[str, str]:
    """See `backroom.scenes.teaching.Teaching`."""
    up = sum(1 for down in view.down[seat].tolist() if not down)
    return {"card": f"{up} of your five lie face up. Face up at the table: {int(view.up)}."}


def coach(view: Any, seat: int, names: Sequence[str]) -> tuple[Hint, ...]:
    """See `backroom.scenes.teaching.Teaching`."""
    del names
    if not all(view.laid[: int(view.seats)].tolist()):
        return (
            Hint(
                "row", "Lay your five cards in the order you like. What lies where everybody sees, until it is swapped."
            ),
        )
    found = []
    if 0 < int(view.up) <= FEW:
        found.append(
            Hint("few", f"{int(view.up)} cards are face up. When the last is turned down the rows are added up.")
        )
    if int(view.memory) != rules.OPEN and any(view.down[seat].tolist()):
        found.append(
            Hint(
                "remember",
                "What lies face down before you still counts. Remember what it is: nobody may "
                "look, and the page will not say.",
                "card",
            )
        )
    found.append(
        Hint(
            "first",
            "Give a small card for a large one, and remember where yours went: both are face down afterwards.",
            "card",
        )
    )
    return tuple(found)
