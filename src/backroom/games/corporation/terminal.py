"""Corporation's table in rows, for the terminal and for text mode."""

from collections.abc import Sequence
from typing import Any

from backroom.engine.game import seats_in
from backroom.engine.notation import Line, Thing
from backroom.games.corporation.notation import groups
from backroom.games.corporation.story import LastRound
from backroom.scenes.money import COLOURS, bill
from backroom.scenes.rows import Row
from backroom.text.english import number_word

__all__ = ["COLOURS", "table"]


def table(view: Any, viewer: int, names: Sequence[str]) -> list[Row]:
    """The last round as a story, who stands with whom and who has placed, the viewer's hand."""
    told = LastRound(view, viewer, names)
    rows = [Row("the target", Line((f"{int(view.target)} points",)))]
    if told.any:
        rows += [
            Row(f"round {told.number}", Line((f"{step['title']}: ", *step["line"].parts), step["line"].rule))
            for step in told.steps()
        ]
    owing = seats_in(int(view.acting))
    alone = [seat for seat in told.seats if not told.table[seat]]
    firms = [(f"corporation of the {number_word(card)}", card, seats) for card, seats in groups(told.table).items()]
    for title, card, seats in [*firms, *([("on their own", 0, alone)] if alone else [])]:
        parts: list[str | Thing] = [bill(card), "  "] if card else []
        for seat in seats:
            state = "" if view.over else ", to place" if seat in owing else ", has placed"
            parts += ["; " if seat != seats[0] else "", f"{names[seat]} {told.score[seat]}{state}"]
        rows.append(Row(title, Line(tuple(parts))))
    if viewer >= 0:
        rows.append(Row("your points", Line((f"{told.score[viewer]} of {int(view.target)}",)), viewer))
    if viewer >= 0 and not view.over:
        hand = [value for value in told.values if value != told.table[viewer]]
        laid = int(view.placed[viewer])
        parts = [piece for value in hand for piece in ("  ", bill(value))][1:]
        rows.append(Row("your hand", Line((*parts, f"; you have placed the {laid}" if laid else "")), viewer))
    return rows
