"""Watchers of a table, and players who have left or are away, in words."""

from dataclasses import dataclass

from backroom.tables.clock import LEFT_AFTER
from backroom.tables.views import Chair, TableView

__all__ = ["Audience", "audience_of"]

MOST_NAMES = 12
"""Names that are spelled out; of more there is a number."""


@dataclass(frozen=True)
class Audience:
    """``line`` for those at the table (empty when nobody watches), ``chips`` for a watcher.

    For a player ``to_give`` are the chairs that may be given to who asks, ``left`` those without an owner in a match
    that goes on, ``away`` those whose owner has not looked in for a while or lets the clock decide.
    """

    line: str
    chips: list[str]
    to_give: list[Chair]
    left: list[Chair]
    away: list[Chair]


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
    at_play = view.chairs if view.you is not None and view.started and not view.over else ()
    return Audience(
        line,
        chips,
        to_give=[view.chairs[number] for number in view.to_give],
        left=[chair for chair in at_play if not (chair.held or chair.bot)],
        away=[
            chair
            for chair in at_play
            if chair.held and not (chair.you or chair.bot) and (not chair.here or chair.lost >= LEFT_AFTER)
        ],
    )
