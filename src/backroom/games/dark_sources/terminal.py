"""Dark Sources' table in rows, for the terminal and for text mode."""

from collections.abc import Sequence
from typing import Any

from backroom.engine.game import seats_in
from backroom.engine.notation import Line
from backroom.games.dark_sources.notation import SEAT_LETTERS, table_text
from backroom.scenes.money import COLOURS
from backroom.scenes.rows import Row

__all__ = ["COLOURS", "table"]


def table(view: Any, viewer: int, names: Sequence[str]) -> list[Row]:
    """The rows with ``#`` for a card that does not show, the last swap, and how many cards are face up."""
    acting = seats_in(int(view.acting))
    rows = []
    for text in table_text(view).splitlines():
        head, _, rest = text.partition(": " if text.startswith("last") else "  ")
        seat = SEAT_LETTERS.index(head) if head in SEAT_LETTERS else None
        if seat is not None:
            you = " (you)" if seat == viewer else ""
            head = f"{head}  {names[seat]}{you}{', to move' if seat in acting else ''}"
        rows.append(Row(head, Line((rest,)), seat))
    if not view.over:
        rows.append(Row("face up", Line((f"{int(view.up)} of {5 * int(view.seats)} cards",))))
    return rows
