"""Events in words: log lines of Catham City, and the preview of a move."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from backroom.engine.events import Event
from backroom.engine.game import Game, seats_after
from backroom.engine.notation import Line, player
from backroom.engine.record import Viewer
from backroom.games.catham.cards import (
    DETECTIVES,
    FACTIONS,
    HACKERS,
    JOURNALISTS,
    LETTERS,
    LIMIT,
    MAFIA,
    OFFICIALS,
    POINTS,
    POLICE,
    ROBOCATS,
    SCIENTISTS,
    letters_of,
)  # fmt: skip
from backroom.games.catham.rules import ACTIONS, MATCH
from backroom.games.catham.text import Parts, card_parts, cards_of, number_of, points_of
from backroom.text.english import counted, listed
from backroom.text.log import Log

__all__ = ["describe", "paid", "preview"]

RULES = {
    JOURNALISTS: "C20", DETECTIVES: "C21", OFFICIALS: "C22", SCIENTISTS: "C23", ROBOCATS: "C24", MAFIA: "C25",
    POLICE: "C26", HACKERS: "C27",
}  # fmt: skip
"""The rule of each faction."""

PAID = {"opened": OFFICIALS, "searched": POLICE, "hacked": HACKERS}
"""Events that turn up cards, by the faction that is paid for them."""


GAINS = {"gave": 1, "matched": 1, "lost": -1}
PAYING = ("played", "opened", "searched", "hacked")
"""Events that bring points: always so many, or as many as they tell."""


def paid(e: Event) -> Parts:
    """The cards that are paid for points, as all may know them; nothing where the event is no such play."""
    if e.kind == "gave":
        return ["a gift"]
    if e.kind == "matched":
        return card_parts([e.args["faction"]])
    if e.kind in PAID:
        return card_parts([PAID[e.kind]] * e.args["count"])
    if e.kind != "played":
        return []
    faction, count, extra = e.args["faction"], e.args["count"], list(e.args["cards"])
    for _ in range(count):
        extra.remove(faction)
    parts = card_parts([faction] * count)
    if extra == [faction]:
        return [*parts, " and another"]
    return [*parts, " and ", *card_parts(extra)] if extra else parts


def _these(cards: Sequence[int]) -> str:
    """The place of some cards in a template."""
    return f"{{these:{''.join(LETTERS[card] for card in cards)}}}" if cards else "no card"


def _began(e: Event) -> str:
    return "In play: {factions}. {target} points win. {seat} <begins/begin>."


def _gave(e: Event) -> str:
    faction, discarded = e.args["faction"], e.args["discarded"]
    gift, away = "a card" if faction is None else "{faction}", "another" if discarded == faction else "{discarded}"
    return f"{{seat}} gave {{receiver}} {gift}| and discarded {away} for 1 point."


def _drew(e: Event) -> str:
    drew = "drew {cards}" if e.args["own"] else "drew {count}"
    if e.args["faction"] == ROBOCATS:
        return f"{{seat}} played {_these([ROBOCATS] * 2)}| and {drew}."
    return f"{{seat}} {drew}|{' for the police found' if e.args['faction'] == POLICE else ''}."


def _lost(e: Event) -> str:
    gave = "had to give" if e.args["forced"] else "gave"
    return f"{{seat}} {gave} up a point|{', {faction}' if e.args['faction'] >= 0 else ''}."


def _hacked(e: Event) -> str:
    turned_up = _these(sorted(e.args["cards"], reverse=True))  # the hackers, which bring the points, first
    return f"{{seat}} hacked {{victim}}| with {{paid}} and turned up {turned_up}: {{points}}."


def _by_faction(e: Event) -> str:
    return RULES[e.args["faction"]]


def _one(faction: int, names: Sequence[str]) -> Parts:
    return card_parts([faction])


LOG = Log(
    {
        "began": ("C1", _began),
        "dealt": ("C29", lambda e: "{seat} were dealt {cards}." if e.args["own"] else ""),
        "refilled": ("C4", lambda e: f"{'The market' if e.args['opening'] else 'New in the market'}: {{cards}}."),
        "reshuffled": ("C5", "The discards were shuffled into a new deck of {count}."),
        "took": ("C2", lambda e: f"{{seat}} took {_these([e.args['faction']] * e.args['count'])}."),
        "played": (_by_faction, lambda e: "{seat} played {paid}| for {points}." if e.args["points"] else ""),
        "gave": ("C20", _gave),
        "matched": ("C21", "{seat} discarded {paid}| for 1 point."),
        "declined": (lambda e: "C21" if e.args["question"] == MATCH else "C20", "{seat} declined."),
        "opened": ("C22", "{seat} played {paid}| and opened {cards}: {points}."),
        "drew": (_by_faction, _drew),
        "threw": ("C25", lambda e: f"{{seat}} {'had to discard' if e.args['forced'] else 'discarded'} {{cards}}."),
        "lost": ("C25", _lost),
        "searched": ("C26", "{seat} searched {victim}| with {paid} for {wanted} and turned up {cards}: {points}."),
        "hacked": ("C27", _hacked),
        "discarded": ("C3", "{seat} discarded {cards}|, down to ten cards."),
        "ended": ("C10", "{seat} reached {points} and won."),
        "stopped": ("CR43", "The game stopped unfinished after {actions} actions."),
    },
    # Robocats that draw have no other line.
    follows=lambda e: (
        e.kind in ("refilled", "reshuffled", "discarded", "ended")
        or (e.kind == "drew" and e.args["faction"] != ROBOCATS)
    ),
    takes=lambda e: e.kind == "took",
    gain=lambda e: GAINS[e.kind] if e.kind in GAINS else e.args["points"] if e.kind in PAYING else 0,
    cards=lambda cards, _: card_parts(sorted(cards)), these=lambda letters, _: card_parts(letters_of(letters)),
    paid=lambda parts, _: parts, faction=_one, discarded=_one, wanted=_one, receiver=player, victim=player,
    count=lambda count, _: cards_of(count), points=lambda points, _: points_of(points),
    factions=lambda factions, _: listed(FACTIONS[faction].word for faction in factions),
)  # fmt: skip
"""What was opened, laid out or drawn tells the play too, and only one's own deal has a line."""


def describe(event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
    """A log line for an event as its viewer sees it; None for events that another line tells already."""
    told = {"own": event.seat == viewer, "paid": paid(event)}
    return LOG.describe(replace(event, args=event.args | told), names, viewer)


def preview(game: Game, view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
    """What a move in preparation will do, from the seat's view, up to where chance or others' choices begin."""
    if not actions:
        return ""
    name, told = ACTIONS.family(actions[0]).name, _Preview(view, seat, names)
    if name == "discard":
        return told.discard({faction: less + 1 for faction, less in map(ACTIONS.indices, actions)})
    sentence: str = getattr(told, name)(*ACTIONS.indices(actions[0]))
    return sentence


class _Preview:
    """What a move of each family of actions will do. Where an index is a number of cards, it is one ``less``."""

    def __init__(self, view: Any, seat: int, names: Sequence[str]) -> None:
        self.view, self.names = view, names
        self.points, self.held = int(view.points[seat]), int(view.hand_size[seat])
        self.others = seats_after(seat, int(view.seats))
        # What can leave the deck, the discards shuffled into it; what lies on the table is not among it (C5).
        self.left = int(view.deck_size) + int(view.discards.sum())

    def _gain(self, points: int, then: str = "") -> str:
        """The points of a move in words, and what happens then, unless they end the game at once."""
        after = self.points + points
        text = f"+{points_of(points)}, {self.points} to {after}"
        if after >= int(self.view.target) and not self.view.end_check:
            return f"{text}, and you win."
        return f"{text}. {then}".rstrip()

    def _asked(self, least: int) -> str:
        """The other players with so many cards, in the order in which they are asked."""
        return listed(self.names[other] for other in self.others if self.view.hand_size[other] >= least)

    def take(self, faction: int, less: int) -> str:
        size = self.held + less + 1
        then = "Then the market is filled up." if self.left else "There is nothing to fill the market up with."
        if size > LIMIT:
            then = f"{cards_of(size - LIMIT)} must go before the market is filled up."
        return f"You take {number_of(faction, less + 1)} and hold {cards_of(size)}. {then}"

    def journalists(self) -> str:
        asked, away = self._asked(2), "a journalist" if self.view.journalist_match else "its twin"
        may = f"Then {asked} may give you a card and discard {away} for a point."
        return self._gain(POINTS[JOURNALISTS], may if asked else "")

    def detectives(self, extra: int) -> str:
        asked = self._asked(1)
        may = f"Then {asked} may discard {number_of(extra, 1)} for a point."
        return self._gain(POINTS[DETECTIVES], may if asked else "")

    def officials(self, less: int) -> str:
        return f"{cards_of(min(less + 1, self.left))} from the deck: +1 point for each different faction."

    def scientists(self) -> str:
        return self._gain(POINTS[SCIENTISTS], f"Then you draw {cards_of(min(2, self.left))}.")

    def robocats(self, four: int) -> str:
        if four:
            return self._gain(POINTS[ROBOCATS])
        drawn = min(5, self.left)
        size = self.held - 2 + drawn
        over = f"; {cards_of(size - LIMIT)} must go then" if size > LIMIT else ""
        return f"You draw {cards_of(drawn)} and hold {cards_of(size)}{over}."

    def mafia(self) -> str:
        view = self.view
        hit = listed(self.names[other] for other in self.others if view.hand_size[other] or view.points[other])
        return self._gain(POINTS[MAFIA], f"Then {hit} must discard 2 cards or lose a point." if hit else "")

    def police(self, less: int, wanted: int, victim: int) -> str:
        who, laid = self.names[victim], min(less + 1, int(self.view.hand_size[victim]))
        if not laid:
            return f"{who} has no cards: nothing is found."
        back = "discards them" if self.view.police_cards else "takes them back"
        gain = f"+1 point for each {FACTIONS[wanted].one}; a card for {who} for each police officer."
        return f"{who} lays out {counted(laid, 'random card')} and {back}: {gain}"

    def hackers(self, victim: int, less: int) -> str:
        gets, out = number_of(HACKERS, less + 1), counted(less + 1, "random card")
        gain = "+1 point for each hacker, the others go into your hand."
        return f"{self.names[victim]} gets {gets} and lays out {out}: {gain}"

    def give(self, faction: int) -> str:
        away = number_of(JOURNALISTS, 1) if self.view.journalist_match else "another"
        receiver = self.names[int(self.view.active)]
        return f"You give {receiver} {number_of(faction, 1)} and discard {away}: {self._gain(1)}"

    def match(self) -> str:
        return f"You discard {number_of(int(self.view.extra), 1)}: {self._gain(1)}"

    def decline(self) -> str:
        return "You keep your cards. Nobody learns whether you could have answered."

    def throw(self, first: int, second: int) -> str:
        cards = number_of(first, 2) if first == second else f"{number_of(first, 1)} and {number_of(second, 1)}"
        return f"You discard {cards} and keep {points_of(self.points)} and {cards_of(self.held - 2)}."

    def lose(self, kept: str = "") -> str:
        return f"You lose a point{kept}, {self.points} to {self.points - 1}, and keep your cards."

    def lose_kept(self, faction: int) -> str:
        return self.lose(f" ({number_of(faction, 1)})")

    def discard(self, chosen: dict[int, int]) -> str:
        """Cards over the limit, chosen so far by faction."""
        missing = self.held - LIMIT - sum(chosen.values())
        rest = f"{cards_of(missing)} more must go." if missing > 0 else "Ten stay; then the market is filled up."
        return f"You discard {listed(number_of(*cards) for cards in chosen.items())}. {rest}"
