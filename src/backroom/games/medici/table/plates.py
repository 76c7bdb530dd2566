"""The players in the order of the round, with their fringe cards."""

from typing import Any

from backroom.games.medici import rules
from backroom.games.medici.cards import HOUSES
from backroom.games.medici.table.seen import PLACES
from backroom.games.medici.table.turn import Turn

__all__ = ["plates"]


def plates(at: Turn) -> list[dict[str, Any]]:
    """One for each player: what it does now, its figures, its fringe card and the text after a click on it."""
    return [_plate(at, place, seat) for place, seat in enumerate(at.order)]


def _plate(at: Turn, place: int, seat: int) -> dict[str, Any]:
    view = at.view
    deck = int(rules.deck_with_fringe(view, seat))
    facts = [("court", at.scores[seat]), ("hand", int(view.hand_size[seat])), ("deck", deck)]
    limit = int(view.limit[seat])
    facts.append(("limit", limit) if limit != rules.NO_LIMIT else ("lost", int(view.discard[seat].sum())))
    acting = not at.over and bool(at.now.acting >> seat & 1)
    striking = not at.over and bool(at.now.attack) and place == at.now.step
    kind = "acting" if acting and not at.asked else "asking" if striking else ""
    if not kind and at.fringe and place < at.now.step:
        kind = "done"
    up = int(view.fringe_up[seat])
    return {
        "seat": seat,
        "kind": kind,
        "what": _doing(at, place, seat, acting, striking),
        "facts": facts,
        "place": int(view.fringe_place[seat]),
        "card": at.face(int(rules.card_of(seat, up - 1))) if up else None,
        "click": at.click_fringe(seat) if up else "",
        "ringed": HOUSES[seat] in at.reach and not at.deed.aims,
        "aimed": at.aimed and at.deed.house == seat,
    }


def _doing(at: Turn, place: int, seat: int, acting: bool, striking: bool) -> str:
    if at.over:
        return ""
    putting = acting and at.now.phase == rules.PUT
    deeds = "asked now" if acting and at.now.attack else "puts back" if putting else ""
    deeds = deeds or ("conspires" if striking else "now" if acting else "")
    if not at.fringe:
        return deeds or "comes next"
    if at.view.stuck >> seat & 1:
        deeds = "could play nothing"
    elif place < at.now.step:
        deeds = deeds or "has played"
    return ", ".join(filter(None, [PLACES[place], deeds]))
