"""House rules for people: which options of a table are not as printed, in words, and as the lobby's form has them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from backroom.engine.notation import Thing
from backroom.engine.options import Options
from backroom.tables.views import Chair, TableView

__all__ = ["HouseRule", "form_value", "house_rules", "once_more"]


@dataclass(frozen=True)
class HouseRule:
    """One option that is not as printed: its label, its value in words (``text`` says what is printed too).

    ``cards`` are those that the value stands for, if it stands for any.
    """

    label: str
    value: str
    cards: tuple[Thing, ...]
    text: str


def house_rules(options: Options, seats: int) -> list[HouseRule]:
    """The options of a table of so many chairs that differ from the printed rules; those without effect left out."""
    found = []
    for name, value in options.model_dump().items():
        printed = options.printed(name, seats)
        if value in (printed, type(options).model_fields[name].default) or not options.matters(name, seats):
            continue
        cards = tuple(Thing("card", key, word) for key, word in options.cards_of(name))
        words, as_printed = options.in_words(name, value), options.in_words(name, printed)
        text = words
        if not cards:
            counted = isinstance(printed, int) and not isinstance(printed, bool)
            text = f"{words}, not {'the printed ' if counted else ''}{as_printed}"
        found.append(HouseRule(options.label(name), words, cards, text))
    return found


def form_value(value: Any) -> str:
    """An option's value as a field of the lobby's form: empty for None."""
    return "" if value is None else Options.typed(value)


def once_more(view: TableView) -> str:
    """The query that fills the lobby in with this table's game, title, chairs and options; one's own chair first."""
    mine = view.you.number if view.you is not None else 0
    others: Sequence[Chair] = view.chairs[mine + 1 :] + view.chairs[:mine]
    fields = {"game": view.game.name, "was": view.game.name, "chairs": str(len(view.chairs))}
    fields["title"] = view.title if view.title != view.game.title else ""
    for number, chair in enumerate(others, 1):
        kind = "anybody" if chair.anybody else "friend"
        fields[f"chair{number}"] = f"bot:{chair.bot}" if chair.bot and not chair.held else kind
    fields |= {"pace": str(view.pace), "out_of_time": view.out_of_time, **({"quiet": "1"} if view.quiet else {})}
    for name, value in view.options.model_dump().items():
        # A file is too long for an address.
        if value != type(view.options).model_fields[name].default and not view.options.extra(name).get("file"):
            fields[f"option.{name}"] = form_value(value)
    return urlencode(fields)
