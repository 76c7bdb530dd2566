"""How a seat sees Corporation in the browser: who stands with whom, what a card can bring, how the last round went."""

from collections.abc import Iterable, Sequence
from typing import Any

from backroom.engine.game import seats_in
from backroom.engine.notation import Line
from backroom.engine.record import SPECTATOR, opened
from backroom.games.corporation import rules
from backroom.games.corporation.ledger import ledger, standings
from backroom.games.corporation.notation import groups, spent
from backroom.games.corporation.options import CorporationOptions
from backroom.games.corporation.story import LastRound
from backroom.scenes.draft import Draft
from backroom.scenes.money import bill, emblem
from backroom.scenes.plot import StepPlot, step_plot
from backroom.scenes.scene import Box, Choice, Emblem, Figure, Scene
from backroom.text.english import number_word

__all__ = ["BOX", "brief", "emblem", "place", "scene", "verdicts"]

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


class _Scene:
    """One seat's table. ``chosen`` is the card in preparation or 0, ``owing`` are the seats that have not placed."""

    def __init__(self, view: Any, viewer: int, names: Sequence[str], draft: Draft) -> None:
        view = opened(view)
        self.view, self.viewer, self.names, self.draft = view, viewer, names, draft
        self.round = LastRound(view, viewer, names)
        self.seats, self.values, self.table = self.round.seats, self.round.values, self.round.table
        self.owing = seats_in(int(view.acting))
        self.placed = [seat for seat in self.seats if seat not in self.owing]
        self.over = bool(view.over)
        self.chosen = int(draft.spelled[-1].key) if draft.actions is not None else 0

    def scene(self) -> Scene:
        told = self.round
        turned = self._turned()
        heading, sentence = self._ticket(turned)
        gains = told.gain if turned or self.over else [0] * len(self.seats)
        return Scene(
            heading=heading,
            sentence=sentence,
            aim=f"round {int(self.view.turn)}, to {int(self.view.target)}",
            goal=int(self.view.target),
            choices=tuple(self._choice(value) for value in self.values) if self.draft.acting else (),
            say=f"Place the {self.chosen}, face down" if self.chosen else "",
            commit=f"Place the {self.chosen}",
            drawn={
                "turned": turned,
                "round": told.number,
                "firms": self._firms(),
                "met": told.turned(),
                "story": told.steps(),
                "said": told.said,
                "spoken": told.spoken,
                "current": 0 if self.over else int(self.view.turn),
                "last": told.last,
                "ledger": ledger(told.score, gains, int(self.view.target)),
                "race": self._race,
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

    def _race(self, lines: Iterable[tuple[int, Line]]) -> StepPlot | None:
        """The race so far, from the log; None before the second round, when there is nothing to see yet."""
        return step_plot(standings(lines, len(self.seats)), int(self.view.target), self.names)

    def _turned(self) -> bool:
        """Whether the table still shows the last round: until this seat has begun to choose, or somebody has placed."""
        if self.over or not self.round.any:
            return False
        if self.viewer == SPECTATOR:
            return not self.placed
        return self.draft.acting and not self.draft.text

    # Ticket

    def _ticket(self, turned: bool) -> tuple[str, str]:
        if self.over or self.viewer == SPECTATOR:
            return "", ""
        if not self.draft.acting:
            talk = " You can still talk." if self.view.talk == rules.OPEN else ""
            return "Your card lies", f"Waiting for {self.round.people(self.owing, start=False)}.{talk}"
        if turned:
            sentence = f"{self.round.verdict()} Place your next card when you have seen enough."
            return f"Round {self.round.number}, turned up", sentence
        return "Place a card", f"Everybody at once. {self._who_has_placed()}"

    def _who_has_placed(self) -> str:
        if not self.placed:
            return "Nobody has placed yet."
        count, told = len(self.placed), self.round
        missing = f"{told.people(self.owing, start=False)} {told.do(self.owing, 'has', 'have')} not"
        return f"{number_word(count).capitalize()} {'has' if count == 1 else 'have'} placed; {missing}."

    def _hint(self) -> str:
        if self.viewer == SPECTATOR or self.draft.text or self.over:
            return ""
        if not self.draft.acting:
            owes = int(self.view.acting) >> self.viewer & 1  # An earlier position, in which the card was still to come.
            return "" if owes else "Final. Nobody sees it before all cards are turned."
        told = self.round
        text = f"Round {int(self.view.turn)}: choose a card."
        if self.placed:
            text += f" {told.people(self.placed)} {told.do(self.placed, 'has', 'have')} placed already."
        return text

    # The table now

    def _firms(self) -> list[dict[str, Any]]:
        """Corporations, largest first, then those on their own: title, explanation, whether alone, players."""
        found = []
        corporations = groups(self.table)
        alone = [self._spot(seat) for seat in self.seats if not self.table[seat]]
        crowded = len(self.seats) > 5 or len(corporations) + bool(alone) > 2
        for card, seats in corporations.items():
            everybody = "both" if len(seats) == 2 else f"all {number_word(len(seats))}"
            worth = f"value × {len(seats)} each"
            found.append(
                {
                    "title": f"Corporation of the {number_word(card)}",
                    "small": worth if crowded else f"{everybody} on one other card, and nobody else: {worth}",
                    "alone": False,
                    "spots": [self._spot(seat) for seat in seats],
                }
            )
        small = "an unmatched card pays its value"
        return [*found, *([{"title": "On their own", "small": small, "alone": True, "spots": alone}] if alone else [])]

    def _spot(self, seat: int) -> dict[str, Any]:
        return {
            "seat": seat,
            "name": self.round.call(seat),
            "card": self.table[seat],
            "owing": seat in self.owing,
            "score": self.round.score[seat],
        }

    # Your side

    def _hand(self) -> list[dict[str, Any]]:
        """All cards one owns: value, text after a click, whether chosen, and where it is if not in the hand."""
        if self.viewer == SPECTATOR:
            return []
        laid = int(self.view.placed[self.viewer])
        found = []
        for value in self.values:
            where = "on the table" if self.table[self.viewer] == value else "placed" if laid == value else ""
            click = self.draft.settle(f"card {value}") if self.draft.acting and not where else ""
            found.append({"value": value, "click": click, "chosen": value == self.chosen, "where": where})
        return found

    def _partners(self) -> list[int]:
        """The viewer's corporation, the viewer included; empty without one."""
        return groups(self.table).get(self.table[self.viewer], [])

    def _bring(self) -> dict[str, Any] | None:
        """What a card can bring: the chosen one, else the highest in the hand."""
        if not self.draft.acting:
            return None
        partners = self._partners()
        value = self.chosen or max(value for value in self.values if value != self.table[self.viewer])
        rows: list[tuple[list[int], str, str, str]] = []
        if partners:
            everybody = "both" if len(partners) == 2 else f"all {number_word(len(partners))}"
            rows.append((partners, f"{everybody}, nobody else", f"+{value * len(partners)}", "each"))
        rows += [([self.viewer], "you alone", f"+{value}", ""), ([], "anything else", "0", "")]
        return {"title": f"What {'the' if self.chosen else 'a'} {value} can bring", "rows": rows}

    def _choice(self, value: int) -> Choice:
        drawing = emblem(bill(value)) or Emblem("hand-card")
        if self.table[self.viewer] == value:
            return Choice(f"The {value}", "lies on the table", emblem=drawing, half=True)
        partners = len(self._partners())
        together = f"together {value * partners}, " if partners else ""
        return Choice(f"The {value}", f"{together}alone {value}", f"card {value}", emblem=drawing, half=True)

    def _messages_left(self) -> int | None:
        if self.viewer == SPECTATOR or self.view.talk_limit < 0:
            return None
        return max(0, int(self.view.talk_limit) - int(self.view.said[self.viewer]))
