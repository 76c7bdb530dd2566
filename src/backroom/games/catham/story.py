"""Events in words: log lines of Catham City, and the preview of a move."""

from collections.abc import Callable, Sequence
from typing import Any

from backroom.engine.events import Event
from backroom.engine.game import Game
from backroom.engine.notation import Line, Part, deed, player
from backroom.engine.record import Viewer
from backroom.games.catham.cards import (
    DETECTIVES,
    FACTIONS,
    HACKERS,
    JOURNALISTS,
    LIMIT,
    MAFIA,
    OFFICIALS,
    POINTS,
    POLICE,
    ROBOCATS,
    SCIENTISTS,
)  # fmt: skip
from backroom.games.catham.rules import ACTIONS, MATCH
from backroom.games.catham.text import Parts, card_parts, cards_of, number_of, points_of
from backroom.text.english import listed

__all__ = ["describe", "paid", "preview"]

RULES = {
    JOURNALISTS: "C20", DETECTIVES: "C21", OFFICIALS: "C22", SCIENTISTS: "C23", ROBOCATS: "C24", MAFIA: "C25",
    POLICE: "C26", HACKERS: "C27",
}  # fmt: skip
"""The rule of each faction."""

Done = tuple[Sequence[Part], Sequence[Part], str]
"""What a player did, what came of it, and the rule."""


class _People:
    """The players as the lines name them: by name, the viewer as you."""

    def __init__(self, names: Sequence[str], viewer: Viewer) -> None:
        self.viewer = viewer
        self.doers = ["You" if seat == viewer else name for seat, name in enumerate(names)]
        self.others = ["you" if seat == viewer else name for seat, name in enumerate(names)]


def describe(event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
    """A log line for an event as its viewer sees it; None for events that another line tells already."""
    people = _People(names, viewer)
    if event.kind in _DEEDS and _is_told(event, viewer):
        return deed(player(event.seat, people.doers), *_DEEDS[event.kind](event, people))
    return _STORIES[event.kind](event, people) if event.kind in _STORIES else None


def _is_told(e: Event, viewer: Viewer) -> bool:
    """Whether a deed has a line: what was opened, laid out or drawn tells the play too, and a deal is one's own."""
    return bool(e.args["points"]) if e.kind == "played" else e.kind != "dealt" or e.seat == viewer


def paid(e: Event) -> Parts:
    """The cards that are paid for points, as all may know them; nothing where the event is no such play."""
    if e.kind == "gave":
        return ["a gift"]
    if e.kind == "matched":
        return card_parts([e.args["faction"]])
    if e.kind in _PAID:
        return card_parts([_PAID[e.kind]] * e.args["count"])
    if e.kind != "played":
        return []
    faction, count, extra = e.args["faction"], e.args["count"], list(e.args["cards"])
    for _ in range(count):
        extra.remove(faction)
    parts = card_parts([faction] * count)
    if extra == [faction]:
        return [*parts, " and another"]
    return [*parts, " and ", *card_parts(extra)] if extra else parts


_PAID = {"opened": OFFICIALS, "searched": POLICE, "hacked": HACKERS}
"""Events that turn up cards, by the faction that is paid for them."""


def _gave(e: Event, people: _People) -> Done:
    faction, discarded = e.args["faction"], e.args["discarded"]
    gift: Parts = ["a card"] if faction is None else card_parts([faction])
    away: Parts = ["another"] if discarded == faction else card_parts([discarded])
    receiver = player(e.args["receiver"], people.others)
    return ("gave ", receiver, " ", *gift), (" and discarded ", *away, " for 1 point."), "C20"


def _drew(e: Event, people: _People) -> Done:
    faction, cards = e.args["faction"], e.args["cards"]
    known = cards is not None and e.seat == people.viewer
    drew: Parts = ["drew ", *(card_parts(sorted(cards)) if known else [cards_of(e.args["count"])])]
    if faction == ROBOCATS:
        return ("played ", *card_parts([ROBOCATS] * 2)), (" and ", *drew, "."), RULES[faction]
    return drew, (" for the police found." if faction == POLICE else ".",), RULES[faction]


def _lost(e: Event, people: _People) -> Done:
    kept = (", ", *card_parts([e.args["faction"]])) if e.args["faction"] >= 0 else ()
    return ("had to give up a point" if e.args["forced"] else "gave up a point",), (*kept, "."), "C25"


def _turned_up(e: Event, verb: str) -> Parts:
    found = card_parts(sorted(e.args["cards"], reverse=e.kind == "hacked"))
    return [f" and {verb} ", *found, f": {points_of(e.args['points'])}."]


def _searched(e: Event, people: _People) -> Done:
    then = (" with ", *paid(e), " for ", *card_parts([e.args["wanted"]]), *_turned_up(e, "turned up"))
    return ("searched ", player(e.args["victim"], people.others)), then, "C26"


def _hacked(e: Event, people: _People) -> Done:
    then = (" with ", *paid(e), *_turned_up(e, "turned up"))
    return ("hacked ", player(e.args["victim"], people.others)), then, "C27"


_DEEDS: dict[str, Callable[[Event, _People], Done]] = {
    "dealt": lambda e, _: (("were dealt ", *card_parts(sorted(e.args["cards"]))), (".",), "C29"),
    "took": lambda e, _: (("took ", *card_parts([e.args["faction"]] * e.args["count"])), (".",), "C2"),
    "played": lambda e, _: (
        ("played ", *paid(e)), (f" for {points_of(e.args['points'])}.",), RULES[e.args["faction"]]
    ),
    "gave": _gave,
    "matched": lambda e, _: (("discarded ", *paid(e)), (" for 1 point.",), "C21"),
    "declined": lambda e, _: (("declined",), (".",), "C21" if e.args["question"] == MATCH else "C20"),
    "opened": lambda e, _: (("played ", *paid(e)), _turned_up(e, "opened"), "C22"),
    "drew": _drew,
    "threw": lambda e, _: (
        ("had to discard " if e.args["forced"] else "discarded ", *card_parts(e.args["cards"])), (".",), "C25"
    ),
    "lost": _lost,
    "searched": _searched,
    "hacked": _hacked,
    "discarded": lambda e, _: (("discarded ", *card_parts(e.args["cards"])), (", down to ten cards.",), "C3"),
    "ended": lambda e, _: ((f"reached {points_of(e.args['points'])} and won",), (".",), "C10"),
}  # fmt: skip


def _began(e: Event, people: _People) -> Line:
    start = f"In play: {listed(FACTIONS[it].word for it in e.args['factions'])}. {e.args['target']} points win. "
    return Line((start, player(e.seat, people.doers), " begin." if e.seat == people.viewer else " begins."), "C1")


_STORIES: dict[str, Callable[[Event, _People], Line]] = {
    "began": _began,
    "refilled": lambda e, _: Line(
        ("The market: " if e.args["opening"] else "New in the market: ", *card_parts(sorted(e.args["cards"])), "."),
        "C4",
    ),
    "reshuffled": lambda e, _: Line(
        (f"The discards were shuffled into a new deck of {cards_of(e.args['count'])}.",), "C5"
    ),
    "stopped": lambda e, _: Line((f"The game stopped unfinished after {e.args['actions']} actions.",), "CR43"),
}


def preview(game: Game, view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
    """What a move in preparation will do, from the seat's view, up to where chance or others' choices begin."""
    if not actions:
        return ""
    name = ACTIONS.family(actions[0]).name
    if name == "discard":
        return _preview_surplus(view, seat, actions)
    return _PREVIEWS[name](view, seat, ACTIONS.indices(actions[0]), names)


def _gain(view: Any, seat: int, points: int) -> tuple[str, bool]:
    """The points of a move in words, and whether they end the game at once."""
    before = int(view.points[seat])
    wins = before + points >= int(view.target) and not view.end_check
    text = f"+{points_of(points)}, {before} to {before + points}"
    return f"{text}, and you win." if wins else f"{text}.", wins


def _asked(view: Any, seat: int, names: Sequence[str], least: int) -> str:
    """The other players with so many cards, in the order in which they are asked."""
    order = [(seat + step) % int(view.seats) for step in range(1, int(view.seats))]
    found = [names[other] for other in order if view.hand_size[other] >= least]
    return listed(found) if found else ""


def _left(view: Any) -> int:
    """Cards that can leave the deck, the discards shuffled into it; what lies on the table is not among them (C5)."""
    return int(view.deck_size) + int(view.discards.sum())


def _preview_take(view: Any, seat: int, indices: tuple[int, ...], names: Sequence[str]) -> str:
    faction, count = indices[0], indices[1] + 1
    size = int(view.hand_size[seat]) + count
    then = "Then the market is filled up." if _left(view) else "There is nothing to fill the market up with."
    if size > LIMIT:
        then = f"{cards_of(size - LIMIT)} must go before the market is filled up."
    return f"You take {number_of(faction, count)} and hold {cards_of(size)}. {then}"


def _preview_journalists(view: Any, seat: int, indices: tuple[int, ...], names: Sequence[str]) -> str:
    text, wins = _gain(view, seat, POINTS[JOURNALISTS])
    asked = _asked(view, seat, names, 2)
    if wins or not asked:
        return text
    twin = "a journalist" if view.journalist_match else "its twin"
    return f"{text} Then {asked} may give you a card and discard {twin} for a point."


def _preview_detectives(view: Any, seat: int, indices: tuple[int, ...], names: Sequence[str]) -> str:
    text, wins = _gain(view, seat, POINTS[DETECTIVES])
    asked = _asked(view, seat, names, 1)
    if wins or not asked:
        return text
    return f"{text} Then {asked} may discard {number_of(indices[0], 1)} for a point."


def _preview_officials(view: Any, seat: int, indices: tuple[int, ...], names: Sequence[str]) -> str:
    opened = cards_of(min(indices[0] + 1, _left(view)))
    return f"{opened} from the deck: +1 point for each different faction."


def _preview_scientists(view: Any, seat: int, indices: tuple[int, ...], names: Sequence[str]) -> str:
    text, wins = _gain(view, seat, POINTS[SCIENTISTS])
    return text if wins else f"{text} Then you draw {cards_of(min(2, _left(view)))}."


def _preview_robocats(view: Any, seat: int, indices: tuple[int, ...], names: Sequence[str]) -> str:
    if indices[0]:
        return _gain(view, seat, POINTS[ROBOCATS])[0]
    drawn = min(5, _left(view))
    size = int(view.hand_size[seat]) - 2 + drawn
    over = f"; {cards_of(size - LIMIT)} must go then" if size > LIMIT else ""
    return f"You draw {cards_of(drawn)} and hold {cards_of(size)}{over}."


def _preview_mafia(view: Any, seat: int, indices: tuple[int, ...], names: Sequence[str]) -> str:
    text, wins = _gain(view, seat, POINTS[MAFIA])
    order = [(seat + step) % int(view.seats) for step in range(1, int(view.seats))]
    hit = [names[other] for other in order if view.hand_size[other] or view.points[other]]
    return text if wins or not hit else f"{text} Then {listed(hit)} must discard 2 cards or lose a point."


def _preview_police(view: Any, seat: int, indices: tuple[int, ...], names: Sequence[str]) -> str:
    count, wanted, victim = indices[0] + 1, indices[1], indices[2]
    laid = min(count, int(view.hand_size[victim]))
    if not laid:
        return f"{names[victim]} has no cards: nothing is found."
    back = "discards them" if view.police_cards else "takes them back"
    cards = "1 random card" if laid == 1 else f"{laid} random cards"
    one = FACTIONS[wanted].one
    gain = f"+1 point for each {one}; a card for {names[victim]} for each police officer."
    return f"{names[victim]} lays out {cards} and {back}: {gain}"


def _preview_hackers(view: Any, seat: int, indices: tuple[int, ...], names: Sequence[str]) -> str:
    victim, count = indices[0], indices[1] + 1
    cards = "1 random card" if count == 1 else f"{count} random cards"
    paid = number_of(HACKERS, count)
    return f"{names[victim]} gets {paid} and lays out {cards}: +1 point for each hacker, the others go into your hand."


def _preview_give(view: Any, seat: int, indices: tuple[int, ...], names: Sequence[str]) -> str:
    away = number_of(JOURNALISTS, 1) if view.journalist_match else "another"
    gift = number_of(indices[0], 1)
    return f"You give {names[int(view.active)]} {gift} and discard {away}: {_gain(view, seat, 1)[0]}"


def _preview_match(view: Any, seat: int, indices: tuple[int, ...], names: Sequence[str]) -> str:
    return f"You discard {number_of(int(view.extra), 1)}: {_gain(view, seat, 1)[0]}"


def _preview_decline(view: Any, seat: int, indices: tuple[int, ...], names: Sequence[str]) -> str:
    return "You keep your cards. Nobody learns whether you could have answered."


def _preview_throw(view: Any, seat: int, indices: tuple[int, ...], names: Sequence[str]) -> str:
    first, second = indices
    cards = number_of(first, 2) if first == second else f"{number_of(first, 1)} and {number_of(second, 1)}"
    left = cards_of(int(view.hand_size[seat]) - 2)
    return f"You discard {cards} and keep {points_of(int(view.points[seat]))} and {left}."


def _preview_lose(view: Any, seat: int, indices: tuple[int, ...], names: Sequence[str]) -> str:
    before = int(view.points[seat])
    what = f" ({number_of(indices[0], 1)})" if indices else ""
    return f"You lose a point{what}, {before} to {before - 1}, and keep your cards."


def _preview_surplus(view: Any, seat: int, actions: Sequence[int]) -> str:
    chosen = {faction: count + 1 for faction, count in map(ACTIONS.indices, actions)}
    missing = int(view.hand_size[seat]) - LIMIT - sum(chosen.values())
    cards = listed(number_of(faction, count) for faction, count in chosen.items())
    rest = f"{cards_of(missing)} more must go." if missing > 0 else "Ten stay; then the market is filled up."
    return f"You discard {cards}. {rest}"


_PREVIEWS: dict[str, Callable[[Any, int, tuple[int, ...], Sequence[str]], str]] = {
    "take": _preview_take, "journalists": _preview_journalists, "detectives": _preview_detectives,
    "officials": _preview_officials, "scientists": _preview_scientists, "robocats": _preview_robocats,
    "mafia": _preview_mafia, "police": _preview_police, "hackers": _preview_hackers, "give": _preview_give,
    "match": _preview_match, "decline": _preview_decline, "throw": _preview_throw, "lose": _preview_lose,
    "lose_kept": _preview_lose,
}  # fmt: skip
