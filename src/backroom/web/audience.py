"""Who watches a table, in words."""

from dataclasses import dataclass

from backroom.tables.views import Chair, TableView

__all__ = ["Audience", "audience_of"]

MOST_NAMES = 12
"""Names that are spelled out; of more there is a number."""


@dataclass(frozen=True)
class Audience:
    """``line`` for those at the table (empty when nobody watches), ``chips`` for a watcher, ``to_give``: chairs that
    this browser may give to who asks.
    """

    line: str
    chips: list[str]
    to_give: list[Chair]


def _listed(names: list[str], guests: int) -> list[str]:
    more = len(names) - MOST_NAMES
    listed = names[:MOST_NAMES] + ([f"{more} more"] if more > 0 else [])
    if guests:
        numbers = {1: "a guest", 2: "two guests", 3: "three guests", 4: "four guests"}
        listed.append(numbers.get(guests, f"{guests} guests"))
    return listed


def audience_of(view: TableView) -> Audience:
    """What a page says of the watchers, from what its browser may know."""
    names, guests = list(view.crowd.names), view.crowd.guests
    line = f"{len(names) + guests} watching: {', '.join(_listed(names, guests))}" if names or guests else ""
    if view.you is None and view.watches:
        if view.watches_as:
            names.remove(view.watches_as)
        else:
            guests -= 1
    chips = [f"{len(names) + guests + 1} watching", "you", *_listed(names, guests)]
    return Audience(line, chips, [view.chairs[number] for number in view.to_give])
