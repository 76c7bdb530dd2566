"""How a seat sees Dark Sources in the browser: the rows, the last swap and no older one, and at the end every card."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

from backroom.engine.game import seats_in
from backroom.engine.notation import Line
from backroom.engine.record import SPECTATOR, opened
from backroom.games.dark_sources import rules
from backroom.games.dark_sources.notation import PLACES, ROWS, SEAT_LETTERS, Place, last_swap, slot_name, table_text
from backroom.games.dark_sources.options import DarkSourcesOptions
from backroom.games.dark_sources.rules import SLOTS, VALUES
from backroom.games.dark_sources.story import Card, wanderings
from backroom.scenes.draft import Draft
from backroom.scenes.money import COLOURS, emblem
from backroom.scenes.rows import Quantity, Row
from backroom.scenes.scene import Box, Choice, Emblem, Figure, Scene
from backroom.text.english import ORDINALS, Reader, number_word

__all__ = ["BOX", "COLOURS", "brief", "emblem", "place", "quantities", "rows", "scene", "verdicts"]

BOX = Box(
    hook="Everything was face up once. Remember where it went.",
    lasts="15 minutes",
    cloth="sources",
    emblem=Emblem("card-back"),
    art=(
        Figure("card-back", 20, 34, 56, height=78.75, turn=-12),
        Figure("card-back", 188, 26, 56, height=78.75, turn=12),
        Figure("card-back", 64, 24, 56, height=78.75, turn=-5),
        Figure("card-back", 142, 20, 56, height=78.75, turn=5),
        Figure("money-10", 103, 16, 58, height=81.6),
    ),
)

TEN = 10
"""The cards whose ways are told at the end."""
MOST_STOPS = 8
"""Places of one card that are told one by one."""


def brief(options: DarkSourcesOptions, seats: int) -> tuple[Line, ...]:
    """See `backroom.scenes.scene.TableModule`."""
    shown = {
        "play": "Both end face down, and nobody may look at them again, not even the owner.",
        "notes": "Both end face down for good. Which places were swapped can be read again, their values cannot.",
        "open": "Both end face down, but at this table the page goes on showing what they are.",
    }[options.memory]
    texts = (
        "All money lies face up, five cards a player. On your turn swap one of your cards with one of somebody else's.",
        shown,
        "When no card is face up, the rows are added up. The most money wins, wherever it came from.",
    )
    return tuple(Line((text,)) for text in texts)


def place(options: DarkSourcesOptions, seats: int, chair: int) -> str:
    """See `backroom.scenes.scene.TableModule`."""
    del seats
    if options.owner is None:
        return f"plays {ORDINALS[chair]}"
    return "who begins is drawn by lot" if options.owner.lower() == "random" else f"{options.owner} begins"


def verdicts(view: Any, viewer: int, names: Sequence[str], lines: Sequence[tuple[int, Line]]) -> Sequence[str]:
    """The tens in each row, which mostly decide, and how far behind it is."""
    del viewer, lines
    totals = [int(rules.total(view, seat)) for seat in range(len(names))]
    found = []
    for seat, total in enumerate(totals):
        tens = int((view.value[seat] == TEN).sum())
        row = f"{number_word(tens)} {'ten' if tens == 1 else 'tens'}"
        found.append(f"{max(totals) - total} behind, {row}" if total < max(totals) else row)
    return found


def scene(view: Any, viewer: int, names: Sequence[str], draft: Draft) -> Scene:
    """See `backroom.scenes.scene.TableModule`."""
    return _Scene(view, viewer, names, draft).scene()


def rows(view: Any, viewer: int, names: Sequence[str]) -> list[Row]:
    """The rows with ``#`` for a card that does not show, the last swap, and how many cards are face up."""
    acting, found = seats_in(int(view.acting)), []
    for text in table_text(view).splitlines():
        head, _, rest = text.partition(": " if text.startswith("last") else "  ")
        seat = SEAT_LETTERS.index(head) if head in SEAT_LETTERS else None
        if seat is not None:
            you = " (you)" if seat == viewer else ""
            head = f"{head}  {names[seat]}{you}{', to move' if seat in acting else ''}"
        found.append(Row(head, Line((rest,)), seat))
    if not view.over:
        found.append(Row("face up", Line((f"{int(view.up)} of {SLOTS * int(view.seats)} cards",))))
    return found


def quantities(view: Any, viewer: int) -> Iterator[tuple[Quantity, float]]:
    """What everybody's row shows: the sum of its open cards, and how many are face down."""
    del viewer
    for seat in range(int(view.seats)):
        yield Quantity(seat, "points face up"), float(view.shown[seat].sum())
        yield Quantity(seat, "cards face down"), float(view.down[seat].sum())


class _Scene:
    """One seat's table. ``own`` and ``foreign`` are the places (seat, slot) chosen for the swap in preparation."""

    def __init__(self, view: Any, viewer: int, names: Sequence[str], draft: Draft) -> None:
        view = opened(view)
        self.view, self.viewer, self.names, self.draft = view, viewer, names, draft
        self.to = Reader(viewer, names)
        self.seats = range(int(view.seats))
        self.over = bool(view.over)
        self.laying = draft.acting and not view.laid[viewer]
        self.swapping = draft.acting and not self.laying
        self.last = last_swap(view)
        verb, *slots = draft.spelled or (None,)
        named = slots[:2] if verb is not None and verb.key == "swap" else []
        chosen = [PLACES[slot.key] for slot in named if slot.key in PLACES]
        self.own: Place | None = next((place for place in chosen[::-1] if place[0] == viewer), None)
        self.foreign: Place | None = next((place for place in chosen[::-1] if place[0] != viewer), None)

    def scene(self) -> Scene:
        heading, sentence = self._ticket()
        return Scene(
            heading=heading,
            sentence=sentence,
            aim=("memory alone", "earlier swaps without values", "all cards open")[int(self.view.memory)],
            choices=tuple(self._orders() if self.laying else self._swaps()) if self.draft.acting else (),
            say=self._say(),
            missing=self._missing(),
            commit="Lay the row" if self.laying else "Swap them",
            drawn={
                "rows": [self._row(seat) for seat in self._others()],
                "mine": self._row(self.viewer) if self.viewer != SPECTATOR else None,
                "laying": self._laying() if self.laying else [],
                "last": self._last(),
                "up": int(self.view.up),
                "all": SLOTS * len(self.seats),
                "memory": int(self.view.memory),
                "stalled": self._stalled(),
                "ended": self._ended,
            },
        )

    def _others(self) -> list[int]:
        first = self.viewer if self.viewer != SPECTATOR else -1
        return [(first + step) % len(self.seats) for step in range(1, len(self.seats) + (self.viewer == SPECTATOR))]

    # Words

    def _ticket(self) -> tuple[str, str]:
        if self.over or self.viewer == SPECTATOR:
            return "", ""
        if self.laying:
            return "Lay your row", "Face up, in the order you like. Nobody moves it afterwards."
        if self.swapping:
            return "Your turn", "Swap one of your cards with one of somebody else’s."
        turn = seats_in(int(self.view.acting))[0]
        steps = (self.viewer - turn) % len(self.seats)
        return "", "You are next." if steps == 1 else f"You come after {steps - 1} more." if steps else ""

    def _say(self) -> str:
        if self.laying or not (self.own or self.foreign):
            return ""
        mine = f"your {slot_name(*self.own)}" if self.own else "one of yours"
        theirs = f"{self.to.whose(self.foreign[0])} {slot_name(*self.foreign)}" if self.foreign else "…"
        return f"Swap {mine} with {theirs}"

    def _missing(self) -> str:
        if self.foreign and not self.own:
            return "Now one of your own cards."
        if self.own and not self.foreign and self.draft.actions is None:
            return "Now a card of somebody else’s."
        return ""

    # The rows

    def _row(self, seat: int) -> dict[str, Any]:
        acting = not self.over and bool(int(self.draft.now.acting) >> seat & 1)
        moved = not self.over and [seat] == [mover for mover, _ in self.last[:1]]
        note = "to move" if acting else "moved last" if moved else ""
        if not self.view.laid[seat]:
            note = "lays a row" if acting else "has yet to lay"
        return {
            "seat": seat,
            "name": self.names[seat],
            "note": note,
            "acting": acting,
            # What is still to be chosen is ringed: a card of one's own first, then one of somebody else's.
            "wanted": self.swapping and (not self.own if seat == self.viewer else bool(self.own) and not self.foreign),
            "cards": [self._card(seat, slot) for slot in range(SLOTS)] if self.view.laid[seat] else [],
        }

    def _card(self, seat: int, slot: int) -> dict[str, Any]:
        place, view = (seat, slot), self.view
        return {
            "slot": slot_name(seat, slot),
            "value": int(view.shown[seat, slot]),
            "down": bool(view.down[seat, slot]) and not self.over,
            "click": self._click(place),
            "chosen": place in (self.own, self.foreign),
            "last": place in self.last and not self.over,
        }

    def _click(self, place: Place) -> str:
        """The text after a click: one card of the own row and one of another's, in either order."""
        if not self.swapping:
            return ""
        mine = place[0] == self.viewer
        own, foreign = (place, self.foreign) if mine else (self.own, place)
        if place in (self.own, self.foreign):
            own, foreign = (None, foreign) if mine else (own, None)
        if own and foreign and not self._legal(own, foreign):
            # The guard asks for a card to be turned: begin again with this one.
            own, foreign = (own, None) if mine else (None, foreign)
        if not any(self._legal(mine, theirs) for mine in self._slots(own) for theirs in self._slots(foreign, True)):
            return ""
        words = [slot_name(*chosen) for chosen in (own, foreign) if chosen]
        return " ".join(["swap", *words])

    def _slots(self, chosen: Place | None, foreign: bool = False) -> list[Place]:
        """The slot that is chosen, or all that can be: of the viewer's row, or ``foreign`` of the others'."""
        seats = self._others() if foreign else [self.viewer]
        return [chosen] if chosen else [(seat, slot) for seat in seats for slot in range(SLOTS)]

    def _legal(self, own: Place, foreign: Place) -> bool:
        return not rules.is_stalled(self.view) or rules.turns_a_card(self.view, self.viewer, own[1], *foreign)

    def _laying(self) -> list[dict[str, Any]]:
        """The five cards with the text after a click, and their places in the row so far."""
        chosen = [token.key for token in self.draft.spelled if token.kind == "card"]
        found = []
        for value in VALUES:
            laid = str(value) in chosen
            rest = [word for word in chosen if word != str(value)]
            click = " ".join(["row", *rest]) if laid else self.draft.click("card", str(value), f"row {value}")
            found.append({"value": value, "click": click, "place": chosen.index(str(value)) + 1 if laid else 0})
        return found

    def _last(self) -> list[dict[str, Any]]:
        """The two cards of the last swap, the mover's first; empty before the first."""
        return [
            {"slot": slot_name(*place), "value": value, "whose": self.to.whose(place[0])}
            for place, value in zip(self.last, self.view.known.tolist(), strict=False)
        ]

    def _stalled(self) -> str:
        limit, count = int(self.view.stall_limit), int(self.view.stalled)
        if limit < 1 or self.over or not count:
            return ""
        if count >= limit:
            return "This swap must turn a card."
        return f"{count} of {limit} swaps in a row that turned nothing."

    # Choices

    def _swaps(self) -> list[Choice]:
        """The three kinds of swap, each with a pair that shows it: the one chosen, else what looks best."""
        view = self.view
        own = [(self.viewer, slot) for slot in range(SLOTS)]
        foreign = [(seat, slot) for seat in self._others() for slot in range(SLOTS)]
        # The lowest of one's own for the highest of the others' looks best.
        own_up = sorted((place for place in own if not view.down[place]), key=lambda place: int(view.shown[place]))
        up = sorted((place for place in foreign if not view.down[place]), key=lambda place: -int(view.shown[place]))
        own_down, down = ([place for place in places if view.down[place]] for places in (own, foreign))
        stalled = rules.is_stalled(view)
        return [
            self._kind(
                "Up for up", f"turns two cards: {len(own_up)} × {len(up)} ways", Emblem("eye"), product(own_up, up),
                "your row is face down" if not own_up else "nobody else has a card face up",
            ),
            self._kind(
                "Up for down", "turns one card", Emblem("hand-card"), [*product(own_down, up), *product(own_up, down)],
                "there is no such pair",
            ),
            self._kind(
                "Down for down", "turns none, buys time", Emblem("hidden"), [] if stalled else product(own_down, down),
                "a card must be turned now" if stalled else "there is no such pair",
            ),
        ]  # fmt: skip

    def _kind(
        self, title: str, effect: str, drawing: Emblem, pairs: Iterable[tuple[Place, Place]], reason: str
    ) -> Choice:
        best = max(pairs, key=lambda pair: (pair[0] == self.own) + (pair[1] == self.foreign), default=None)
        words = "" if best is None else f"swap {slot_name(*best[0])} {slot_name(*best[1])}"
        return Choice(title, effect if words else reason, words, "One swap, no passing", drawing)

    def _orders(self) -> list[Choice]:
        group, drawing = "The order has no effect but on memory", Emblem("hand-card")
        rows = (("Rising", ROWS[0]), ("Falling", ROWS[-1]))
        return [Choice(title, row, f"row {row}", group, drawing) for title, row in rows]

    # The end

    def _ended(self, lines: Iterable[tuple[int, Line]]) -> dict[str, Any]:
        """From the whole log: by seat the cards with whose they were, the ways of the tens, the last swap in words."""
        cards = wanderings(lines)
        if not self.over or not cards:
            return {"rows": {}, "ways": [], "final": ""}
        rows: dict[int, list[dict[str, Any]]] = {seat: [] for seat in self.seats}
        for card in sorted(cards, key=lambda card: card.place):
            seat = card.place[0]
            if seat == card.home:
                came = "own" if seat != self.viewer else "yours"
            else:
                came = self.to.call(card.home, start=False)
            rows[seat].append({"value": card.value, "came": came})
        tens = [card for card in cards if card.value == TEN]
        return {"rows": rows, "ways": [self._way(card) for card in tens], "final": self._final(cards)}

    def _final(self, cards: Sequence[Card]) -> str:
        """The cards of the last swap, and since when each had lain face down."""
        taken, given = (next(card for card in cards if card.place == place) for place in self.last)

        def named(card: Card) -> str:
            turned = card.places[-2][0]
            return f"{card.value}, face down since swap {turned}," if turned else str(card.value)

        (mover, _), (other, _) = self.last
        who, whom = self.to.call(mover), self.to.call(other, start=False)
        text = f"{who} gave {whom} a {named(given)} and took a {named(taken)}"
        return text.rstrip(",") + "."

    def _way(self, card: Card) -> dict[str, Any]:
        """One ten: whose it was, and how it went from row to row."""
        home = f"{self.to.whose(card.home, start=True)} 10"
        told = [f"{slot_name(seat, slot)} on swap {number}" for number, seat, slot in card.places[1:]]
        stops = len(told)
        if stops > MOST_STOPS:
            told = [*told[: MOST_STOPS - 2], f"{stops - MOST_STOPS + 1} places more", told[-1]]
        seat = card.place[0]
        end = (
            f", and stayed with {self.to.call(seat, start=False)}"
            if seat != card.home
            else ", and came home"
            if stops > 1
            else ""
        )
        text = f"from {slot_name(*card.places[0][1:])} to {', to '.join(told)}{end}."
        return {"seat": card.home, "home": home, "text": text}
