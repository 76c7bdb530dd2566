"""The table in rows of words: by a game's own ``rows``, else from the fields of its record.

``terminal`` has ``rows(view, viewer, names)`` and may have ``COLOURS``, a colour for each thing by its key, and
``quantities(view, viewer)``, what can be counted there; where they are few lines, they stand in the game's ``table``
instead.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module, util
from typing import Any, NamedTuple

import numpy as np

from backroom.engine.game import Game
from backroom.engine.notation import Line
from backroom.engine.record import Field, Visibility, read

__all__ = ["Quantity", "Row", "quantities", "seat_facts", "shared_rows", "table_rows", "terminal_module"]

HEADER = {"chance_key", "chance_count", "acting", "midmove", "turn", "seats", "rotation", "over"}


@dataclass(frozen=True)
class Row:
    """A row of the table in words; ``seat`` is the player it is about."""

    heading: str
    line: Line
    seat: int | None = None


class Quantity(NamedTuple):
    """What a number on the table counts, in the game's words ("points", "cards in hand"): of a seat, or of the table
    (None)."""

    seat: int | None
    words: str


@cache
def terminal_module(game: Game) -> Any:
    """The module of a game that has its ``rows``, or None when it brings none."""
    if not game.rules.__package__:  # one module, with no folder of its own
        return None
    names = (f"{game.rules.__package__}.{name}" for name in ("terminal", "table"))
    modules = (import_module(name) for name in names if util.find_spec(name))
    return next((module for module in modules if callable(getattr(module, "rows", None))), None)


def table_rows(game: Game, view: Any, viewer: int, names: Sequence[str]) -> list[Row]:
    """What a viewer (a seat or SPECTATOR) sees, as rows: by the game's own ``rows``, else one for each player and one
    for each field of the record that is nobody's.

    ``view`` is the viewer's view, or the whole state once it is over.
    """
    module = terminal_module(game)
    if module is not None:
        rows: list[Row] = module.rows(view, viewer, names)
        return rows
    players = []
    for seat, name in enumerate(names):
        facts = seat_facts(game, view, viewer, seat)
        if facts:
            players.append(Row(name, Line((", ".join(f"{fact} {value}" for fact, value in facts),)), seat))
    return players + shared_rows(game, view)


def shared_rows(game: Game, view: Any) -> list[Row]:
    """A row for each field of the record that is nobody's, without those that are zero."""
    return [
        Row(_label(name), Line((_values(read(view, name)),)))
        for name, field in _shown(game)
        if not _by_seat(game, field) and np.any(read(view, name))
    ]


def seat_facts(game: Game, view: Any, viewer: int, seat: int) -> tuple[tuple[str, str], ...]:
    """What the viewer sees of one seat: the fields of the record that are held by seat, as (name, values).

    Values stand in the order of the record; zeros at their end are left out.
    """
    return tuple(
        (_label(name), _values(read(view, name)[seat]))
        for name, field in _shown(game)
        if _by_seat(game, field) and (field.visibility is Visibility.PUBLIC or seat == viewer or view.over)
    )


def quantities(game: Game, view: Any, viewer: int) -> Mapping[Quantity, float]:
    """The numbers that a viewer (a seat or SPECTATOR) sees on the table, those that matter most first.

    They are those of the game's own ``quantities``, else the single numbers of the record, of the table and of each
    seat. ``view`` is the viewer's view, or the whole state once it is over.
    """
    own = getattr(terminal_module(game), "quantities", None)
    if own is not None:
        return dict(own(view, viewer))
    found: dict[Quantity, float] = {}
    for name, field in _shown(game):
        values = read(view, name)
        if not _by_seat(game, field) and np.ndim(values) == 0:
            found[Quantity(None, _label(name))] = float(values)
        elif _by_seat(game, field) and np.ndim(values) == 1:
            seats = range(int(view.seats)) if field.visibility is Visibility.PUBLIC else [viewer] if viewer >= 0 else []
            found |= {Quantity(seat, _label(name)): float(values[seat]) for seat in seats}
    return found


def _shown(game: Game) -> list[tuple[str, Field]]:
    """The fields that say something of the position: neither secret, nor the engine's own, nor a rule switch."""
    left_out = HEADER | set(game.options.model_fields)
    return [
        (name, field)
        for name, field in game.state.fields.items()
        if field.visibility is not Visibility.SECRET and name not in left_out
    ]


def _by_seat(game: Game, field: Field) -> bool:
    return field.shape[:1] == (game.state.seats,) if field.by_seat is None else field.by_seat


def _label(field: str) -> str:
    return field.replace("_", " ")


def _values(values: Any) -> str:
    if np.ndim(values) > 1:
        return "; ".join(_values(row) for row in values)
    if np.ndim(values) == 1:
        row = np.trim_zeros(values, "b")
        return " ".join(_values(value) for value in row) if row.size else "0"
    value = values.item()
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
