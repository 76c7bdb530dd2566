"""How a seat sees Corporation in the browser: who stands with whom, what a card can bring, how the last round went."""

from collections.abc import Iterator, Sequence
from typing import Any

from backroom.engine.game import seats_in
from backroom.engine.notation import Line, Part
from backroom.engine.record import SPECTATOR, opened
from backroom.games.corporation import rules
from backroom.games.corporation.ledger import ledger, standings
from backroom.games.corporation.notation import groups, spent
from backroom.games.corporation.options import CorporationOptions
from backroom.games.corporation.story import LastRound, everybody
from backroom.scenes.draft import Draft
from backroom.scenes.money import COLOURS, bill, emblem
from backroom.scenes.plot import step_plot
from backroom.scenes.rows import Quantity, Row
from backroom.scenes.scene import Box, Choice, Emblem, Figure, Plate, Scene
from backroom.text.english import number_word

__all__ = ["BOX", "COLOURS", "brief", "emblem", "place", "quantities", "rows", "scene", "verdicts"]

BOX = Box(
    hook="Five cards, all talk. Agree on a number and hope.",
    lasts="15 minutes",
    cloth="corporation",
    emblem=Emblem("coin-7"),
    art=(
        Figure("money-1", 28, 40, 58, height=81.6, turn=-14),
        Figure("money-7", 174, 26, 58, height=81.6, turn=14),
        Figure("money-5", 72, 26, 58, height=81.6, turn=-6),
        Figure("money-5", 130, 20, 58, height=81.6, turn=6),
        Figure("money-5", 101, 18, 58, height=81.6),
    ),
)


def brief(options: CorporationOptions, seats: int) -> tuple[Line, ...]:
    """See `backroom.scenes.scene.TableModule`."""
    said = "Say what you like, aloud. Nothing binds." if options.talk == "open" else "Nobody talks."
    texts = (
        "Everybody lays one card face down, and all are turned up together. A card nobody else laid pays its value.",
        "Players who lay the same card are a corporation: next round it is paid value times members, if all of it "
        "agrees.",
        f"{said} The player who is ahead when somebody passes {options.target} wins.",
    )
    return tuple(Line((text,)) for text in texts)


def place(options: CorporationOptions, seats: int, chair: int) -> str:
    """See `backroom.scenes.scene.TableModule`."""
    del options, seats, chair
    return "all lay their cards at once"


def verdicts(view: Any, viewer: int, names: Sequence[str], lines: Sequence[tuple[int, Line]]) -> Sequence[str]:
    """How far behind each is, and what the last round gave: the target is passed in it."""
    del lines
    scores, gains = view.score[: len(names)].tolist(), view.gain[: len(names)].tolist()
    found = []
    for seat, (score, gain) in enumerate(zip(scores, gains, strict=True)):
        last = f"+{gain} in the last round" if gain else "nothing in the last round"
        if score < max(scores):
            last = f"{max(scores) - score} behind, {last}"
        elif score - gain < int(view.target) <= score:
            last = f"{last} took {'you' if seat == viewer else 'them'} over"
        found.append(last)
    return found


def scene(view: Any, viewer: int, names: Sequence[str], draft: Draft) -> Scene:
    """See `backroom.scenes.scene.TableModule`."""
    return _Scene(view, viewer, names, draft).scene()


def rows(view: Any, viewer: int, names: Sequence[str]) -> list[Row]:
    """The last round as a story, who stands with whom and who has placed, the viewer's hand."""
    told, goal = LastRound(view, viewer, names), int(view.target)
    found = [Row("the target", Line((f"{goal} points",)))]
    for step in told.steps():
        line = Line((f"{step['title']}: ", *step["line"].parts), step["line"].rule)
        found.append(Row(f"round {told.number}", line))
    owing = seats_in(int(view.acting))
    for card, seats in told.stand():
        parts: list[Part] = [bill(card), "  "] if card else []
        for seat in seats:
            state = "" if view.over else ", to place" if seat in owing else ", has placed"
            parts += ["; " if seat != seats[0] else "", f"{names[seat]} {told.score[seat]}{state}"]
        found.append(Row(f"corporation of the {number_word(card)}" if card else "on their own", Line(tuple(parts))))
    if viewer >= 0:
        found.append(Row("your points", Line((f"{told.score[viewer]} of {goal}",)), viewer))
    if viewer >= 0 and not view.over:
        hand = [value for value in told.values if value != told.table[viewer]]
        laid = int(view.placed[viewer])
        parts = [piece for value in hand for piece in ("  ", bill(value))][1:]
        found.append(Row("your hand", Line((*parts, f"; you have placed the {laid}" if laid else "")), viewer))
    return found


def quantities(view: Any, viewer: int) -> Iterator[tuple[Quantity, float]]:
    """Everybody's points, and with how many others they stand in a corporation."""
    del viewer
    table = view.table[: int(view.seats)].tolist()
    for seat, card in enumerate(table):
        yield Quantity(seat, "points"), float(view.score[seat])
        yield Quantity(seat, "partners"), float(table.count(card) - 1 if card else 0)


class _Scene(LastRound):
    """One seat's table. ``chosen`` is the card in preparation or 0, ``owing`` are the seats that have not placed.

    ``partners`` is the viewer's corporation, the viewer included; nobody without one.
    """

    def __init__(self, view: Any, viewer: int, names: Sequence[str], draft: Draft) -> None:
        view = opened(view)
        super().__init__(view, viewer, names)
        self.view, self.draft = view, draft
        self.owing = seats_in(view.acting)
        self.placed = [seat for seat in self.seats if seat not in self.owing]
        self.chosen = int(draft.spelled[-1].key) if draft.actions is not None else 0
        self.partners = [] if viewer == SPECTATOR else groups(self.table).get(self.table[viewer], [])

    def scene(self) -> Scene:
        turned = self._turned()
        heading, sentence = self._ticket(turned)
        gains = self.gain if turned or self.over else [0] * len(self.seats)
        return Scene(
            heading=heading,
            sentence=sentence,
            aim=f"round {self.view.turn}, to {self.view.target}",
            goal=self.view.target,
            plates=tuple(self._plate(seat) for seat in self.seats if seat != self.seat),
            own=self._plate(self.seat) if self.seat != SPECTATOR else None,
            choices=tuple(self._choice(value) for value in self.values) if self.draft.acting else (),
            say=f"Place the {self.chosen}, face down" if self.chosen else "",
            commit=f"Place the {self.chosen}",
            drawn={
                "turned": turned,
                "round": self.number,
                "firms": self._firms(),
                "met": self.cards_turned(),
                "story": self.steps(),
                "said": self.said,
                "spoken": self.spoken,
                "current": 0 if self.over else self.view.turn,
                "last": self.last,
                "ledger": ledger(self.score, gains, self.view.target),
                # Before the second round is told there is nothing to see yet.
                "race": lambda lines: step_plot(standings(lines, len(self.seats)), self.view.target, self.names),
                "hand": self._hand(),
                "bring": self._bring(),
                "hint": self._hint(),
                "cards": self.values,
                "talk": self.view.talk == rules.OPEN and not self.over,
                "once": self.view.talk_log == rules.ONCE,
                "left": (left := self._messages_left()),
                "spent": spent(self.view) if left == 0 else "",
            },
        )

    def _turned(self) -> bool:
        """Whether the table still shows the last round: until this seat has begun to choose, or somebody has placed."""
        if self.over or not self.any:
            return False
        if self.seat == SPECTATOR:
            return not self.placed
        return self.draft.acting and not self.draft.text

    # Ticket

    def _ticket(self, turned: bool) -> tuple[str, str]:
        if self.over or self.seat == SPECTATOR:
            return "", ""
        if not self.draft.acting:
            talk = " You can still talk." if self.view.talk == rules.OPEN else ""
            return "Your card lies", f"Waiting for {self.people(self.owing, start=False)}.{talk}"
        if turned:
            sentence = f"{self.verdict()} Place your next card when you have seen enough."
            return f"Round {self.number}, turned up", sentence
        return "Place a card", f"Everybody at once. {self._who_has_placed()}"

    def _who_has_placed(self) -> str:
        if not self.placed:
            return "Nobody has placed yet."
        count = len(self.placed)
        missing = f"{self.people(self.owing, start=False)} {self.do(self.owing, 'has', 'have')} not"
        return f"{number_word(count).capitalize()} {'has' if count == 1 else 'have'} placed; {missing}."

    def _hint(self) -> str:
        if self.seat == SPECTATOR or self.draft.text or self.over:
            return ""
        if not self.draft.acting:
            owes = self.view.acting >> self.seat & 1  # An earlier position, in which the card was still to come.
            return "" if owes else "Final. Nobody sees it before all cards are turned."
        text = f"Round {self.view.turn}: choose a card."
        if self.placed:
            text += f" {self.people(self.placed)} {self.do(self.placed, 'has', 'have')} placed already."
        return text

    # The table now

    def _firms(self) -> list[dict[str, Any]]:
        """Corporations, largest first, then those on their own: title, explanation, whether alone, players."""
        found, stand = [], self.stand()
        crowded = len(self.seats) > 5 or len(stand) > 2
        for card, seats in stand:
            small = worth = f"value × {len(seats)} each"
            if not card:
                small = "an unmatched card pays its value"
            elif not crowded:
                small = f"{everybody(seats, count=True)} on one other card, and nobody else: {worth}"
            title = f"Corporation of the {number_word(card)}" if card else "On their own"
            spots = [self._spot(seat) for seat in seats]
            found.append({"title": title, "small": small, "alone": not card, "spots": spots})
        return found

    def _plate(self, seat: int) -> Plate:
        return Plate(seat, "" if seat in self.owing else "has placed", score=self.score[seat])

    def _spot(self, seat: int) -> dict[str, Any]:
        return {
            "seat": seat,
            "name": self.call(seat),
            "card": self.table[seat],
            "owing": seat in self.owing,
            "score": self.score[seat],
        }

    # Your side

    def _hand(self) -> list[dict[str, Any]]:
        """All cards one owns: value, text after a click, whether chosen, and where it is if not in the hand."""
        if self.seat == SPECTATOR:
            return []
        laid = int(self.view.placed[self.seat])
        found = []
        for value in self.values:
            where = "on the table" if self.table[self.seat] == value else "placed" if laid == value else ""
            click = self.draft.settle(f"card {value}") if self.draft.acting and not where else ""
            found.append({"value": value, "click": click, "chosen": value == self.chosen, "where": where})
        return found

    def _bring(self) -> dict[str, Any] | None:
        """What a card can bring: the chosen one, else the highest in the hand."""
        if not self.draft.acting:
            return None
        partners = self.partners
        value = self.chosen or max(value for value in self.values if value != self.table[self.seat])
        rows: list[tuple[list[int], str, str, str]] = []
        if partners:
            words = f"{everybody(partners, count=True)}, nobody else"
            rows.append((partners, words, f"+{value * len(partners)}", "each"))
        rows += [([self.seat], "you alone", f"+{value}", ""), ([], "anything else", "0", "")]
        return {"title": f"What {'the' if self.chosen else 'a'} {value} can bring", "rows": rows}

    def _choice(self, value: int) -> Choice:
        drawing = emblem(bill(value)) or Emblem("hand-card")
        if self.table[self.seat] == value:
            return Choice(f"The {value}", "lies on the table", emblem=drawing, half=True)
        partners = len(self.partners)
        together = f"together {value * partners}, " if partners else ""
        return Choice(f"The {value}", f"{together}alone {value}", f"card {value}", emblem=drawing, half=True)

    def _messages_left(self) -> int | None:
        if self.seat == SPECTATOR or self.view.talk_limit < 0:
            return None
        return max(0, self.view.talk_limit - int(self.view.said[self.seat]))
