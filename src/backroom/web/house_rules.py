"""House rules for people: which options of a table are not as printed, in words, and as the lobby's form has them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from backroom.engine.game import Options
from backroom.engine.notation import Thing
from backroom.tables.views import Chair, TableView

__all__ = ["HouseRule", "form_value", "house_rules", "once_more"]


@dataclass(frozen=True)
class HouseRule:
    """One option that is not as printed: its label, the cards that its value stands for or its value in words."""

    label: str
    cards: tuple[Thing, ...]
    text: str


def house_rules(options: Options, seats: int) -> list[HouseRule]:
    """The options of a table of so many chairs that differ from the printed rules; those without effect left out."""
    found = []
    for name, value in options.model_dump().items():
        printed = options.printed(name, seats)
        if value in (printed, type(options).model_fields[name].default) or not options.applies(name, seats):
            continue
        cards = tuple(Thing("card", key, words) for key, words in options.cards_of(name))
        text = options.in_words(name, value)
        if not cards and isinstance(printed, int) and not isinstance(printed, bool):
            text = f"{text}, not the printed {options.in_words(name, printed)}"
        elif not cards:
            text = f"{text}, not {options.in_words(name, printed)}"
        found.append(HouseRule(options.label(name), cards, text))
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
        fields[f"chair{number}"] = f"bot:{chair.bot}" if chair.bot and not chair.held else "friend"
    for name, value in view.options.model_dump().items():
        if value != type(view.options).model_fields[name].default:
            fields[f"option.{name}"] = form_value(value)
    return urlencode(fields)
