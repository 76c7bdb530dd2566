"""What happened and what will happen, in words: log lines of Catham City and the preview of a move."""

from collections.abc import Callable, Sequence
from typing import Any

from backroom.engine.events import Event
from backroom.engine.notation import Line
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
from backroom.games.catham.text import Parts, both, card_parts, cards_of, number_of, points_of

__all__ = ["describe", "preview"]

RULES = {
    JOURNALISTS: "C20", DETECTIVES: "C21", OFFICIALS: "C22", SCIENTISTS: "C23", ROBOCATS: "C24", MAFIA: "C25",
    POLICE: "C26", HACKERS: "C27",
}  # fmt: skip
"""The rule of each faction."""


def describe(event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
    """A log line for an event as its viewer sees it; None for events that another line tells already."""
    teller = _TELLERS.get(event.kind)
    return teller(event, names, viewer) if teller else None


def _who(seat: int, names: Sequence[str], viewer: Viewer, start: bool = True) -> str:
    if seat != viewer:
        return names[seat]
    return "You" if start else "you"


def _began(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    words = both(FACTIONS[faction].word for faction in event.args["factions"])
    begins = "You begin" if event.seat == viewer else f"{names[event.seat]} begins"
    return Line((f"In play: {words}. {event.args['target']} points win. {begins}.",), "C1")


def _dealt(event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
    if event.args["cards"] is None or event.seat != viewer:
        return None
    return Line(("You were dealt ", *card_parts(sorted(event.args["cards"])), "."), "C29")


def _refilled(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    start = "The market: " if event.args["opening"] else "New in the market: "
    return Line((start, *card_parts(sorted(event.args["cards"])), "."), "C4")


def _took(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    cards = [event.args["faction"]] * event.args["count"]
    return Line((f"{_who(event.seat, names, viewer)} took ", *card_parts(cards), "."), "C2")


def _played(event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
    faction, count, points = event.args["faction"], event.args["count"], event.args["points"]
    if not points:
        return None  # what was opened, laid out or drawn tells the play too
    parts: Parts = [f"{_who(event.seat, names, viewer)} played ", *card_parts([faction] * count)]
    extra = list(event.args["cards"])
    for _ in range(count):
        extra.remove(faction)
    if extra == [faction]:
        parts.append(" and another")
    elif extra:
        parts += [" and ", *card_parts(extra)]
    return Line((*parts, f" for {points_of(points)}."), RULES[faction])


def _gave(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    faction, discarded = event.args["faction"], event.args["discarded"]
    gift: Parts = ["a card"] if faction is None else card_parts([faction])
    away: Parts = ["another"] if discarded == faction else card_parts([discarded])
    start = f"{_who(event.seat, names, viewer)} gave {_who(event.args['receiver'], names, viewer, start=False)} "
    return Line((start, *gift, " and discarded ", *away, " for 1 point."), "C20")


def _matched(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    card = card_parts([event.args["faction"]])
    return Line((f"{_who(event.seat, names, viewer)} discarded ", *card, " for 1 point."), "C21")


def _declined(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    rule = "C21" if event.args["question"] == MATCH else "C20"
    return Line((f"{_who(event.seat, names, viewer)} declined.",), rule)


def _opened(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    paid = card_parts([OFFICIALS] * event.args["count"])
    found = card_parts(sorted(event.args["cards"]))
    start = f"{_who(event.seat, names, viewer)} played "
    return Line((start, *paid, " and opened ", *found, f": {points_of(event.args['points'])}."), "C22")


def _drew(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    count, faction, cards = event.args["count"], event.args["faction"], event.args["cards"]
    start = _who(event.seat, names, viewer)
    parts: Parts = [f"{start} "]
    if faction == ROBOCATS:
        parts += ["played ", *card_parts([ROBOCATS] * 2), " and "]
    parts.append("drew ")
    parts += card_parts(sorted(cards)) if cards is not None and event.seat == viewer else [cards_of(count)]
    return Line((*parts, " for the police found." if faction == POLICE else "."), RULES[faction])


def _threw(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    verb = "had to discard" if event.args["forced"] else "discarded"
    return Line((f"{_who(event.seat, names, viewer)} {verb} ", *card_parts(event.args["cards"]), "."), "C25")


def _lost(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    verb = "had to give up" if event.args["forced"] else "gave up"
    parts: Parts = [f"{_who(event.seat, names, viewer)} {verb} a point"]
    if event.args["faction"] >= 0:
        parts += [", ", *card_parts([event.args["faction"]])]
    return Line((*parts, "."), "C25")


def _searched(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    start = f"{_who(event.seat, names, viewer)} searched {_who(event.args['victim'], names, viewer, start=False)} with "
    paid = card_parts([POLICE] * event.args["count"])
    wanted = card_parts([event.args["wanted"]])
    found = card_parts(sorted(event.args["cards"]))
    points = points_of(event.args["points"])
    return Line((start, *paid, " for ", *wanted, " and turned up ", *found, f": {points}."), "C26")


def _hacked(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    start = f"{_who(event.seat, names, viewer)} hacked {_who(event.args['victim'], names, viewer, start=False)} with "
    paid = card_parts([HACKERS] * event.args["count"])
    found = card_parts(sorted(event.args["cards"], reverse=True))
    return Line((start, *paid, " and turned up ", *found, f": {points_of(event.args['points'])}."), "C27")


def _discarded(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    cards = card_parts(event.args["cards"])
    return Line((f"{_who(event.seat, names, viewer)} discarded ", *cards, ", down to ten cards."), "C3")


def _reshuffled(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    return Line((f"The discards were shuffled into a new deck of {cards_of(event.args['count'])}.",), "C5")


def _ended(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    return Line((f"{_who(event.seat, names, viewer)} reached {points_of(event.args['points'])} and won.",), "C10")


def _stopped(event: Event, names: Sequence[str], viewer: Viewer) -> Line:
    return Line((f"The game stopped unfinished after {event.args['actions']} actions.",), "CR43")


_TELLERS: dict[str, Callable[[Event, Sequence[str], Viewer], Line | None]] = {
    "began": _began, "dealt": _dealt, "refilled": _refilled, "took": _took, "played": _played, "gave": _gave,
    "matched": _matched, "declined": _declined, "opened": _opened, "drew": _drew, "threw": _threw, "lost": _lost,
    "searched": _searched, "hacked": _hacked, "discarded": _discarded, "reshuffled": _reshuffled, "ended": _ended,
    "stopped": _stopped,
}  # fmt: skip


def preview(view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
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
    return both(found) if found else ""


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
    return text if wins or not hit else f"{text} Then {both(hit)} must discard 2 cards or lose a point."


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
    cards = both(number_of(faction, count) for faction, count in chosen.items())
    rest = f"{cards_of(missing)} more must go." if missing > 0 else "Ten stay; then the market is filled up."
    return f"You discard {cards}. {rest}"


_PREVIEWS: dict[str, Callable[[Any, int, tuple[int, ...], Sequence[str]], str]] = {
    "take": _preview_take, "journalists": _preview_journalists, "detectives": _preview_detectives,
    "officials": _preview_officials, "scientists": _preview_scientists, "robocats": _preview_robocats,
    "mafia": _preview_mafia, "police": _preview_police, "hackers": _preview_hackers, "give": _preview_give,
    "match": _preview_match, "decline": _preview_decline, "throw": _preview_throw, "lose": _preview_lose,
    "lose_kept": _preview_lose,
}  # fmt: skip
