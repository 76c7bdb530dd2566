"""How a seat sees Catham City in the browser: the ticket, the options with their effects, and what can be clicked."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from backroom.engine.notation import Line, Thing, Token, in_words, player
from backroom.engine.record import SPECTATOR, opened
from backroom.games.catham.cards import (
    COST,
    DETECTIVES,
    FACTIONS,
    HACKERS,
    JOURNALISTS,
    LIMIT,
    MAFIA,
    MARKET,
    MOST_HACKERS,
    OFFICIALS,
    POLICE,
    ROBOCATS,
    SCIENTISTS,
)  # fmt: skip
from backroom.games.catham.options import CathamOptions
from backroom.games.catham.rules import GIFT, LOSS, MATCH, SURPLUS, TURN, hand_dealt
from backroom.games.catham.story import paid
from backroom.games.catham.text import either, number_of, tokens_left
from backroom.scenes.draft import Draft
from backroom.scenes.scene import Answer, Ask, Box, Choice, Emblem, Figure, Plate, Scene
from backroom.text.english import ORDINALS, listed, number_word

__all__ = ["BOX", "brief", "emblem", "place", "scene", "verdicts"]

BOX = Box(
    hook="Eight cat factions, one market. Take or play, nothing else.",
    lasts="30 minutes",
    cloth="catham",
    emblem=Emblem("cat-d", "f-d"),
    art=(
        Figure("cat-j", 4, 22, 98, "f-j"),
        Figure("cat-h", 158, 22, 98, "f-h"),
        Figure("cat-m", 74, 6, 114, "f-m"),
    ),
)

PRINTED = ("2→2", "3+1→3", "1+", "3→2", "2/4", "4→2", "1+1", "1–4")
"""The text at the foot of each faction's card."""


def emblem(thing: Thing) -> Emblem | None:
    """Cards as printed tiles."""
    return Emblem(f"cat-{thing.key.lower()}", f"f-{thing.key.lower()}", chip=True) if thing.kind == "card" else None


TAUGHT = (
    ("D", "3 ", " and any card are worth 3"),
    ("M", "4 ", " make everybody else pay"),
    ("S", "3 ", " are worth 2 and two new cards"),
    ("R", "2 ", " bring five new cards"),
    ("J", "2 ", " are worth 2 and may bring gifts"),
    ("P", "", " search a hand for what you name"),
    ("H", "", " slip into a hand and take cards from it"),
    ("O", "", " turn up cards, a point for each faction"),
)
"""The effects of some factions in few words, for new players."""


def brief(options: CathamOptions, seats: int) -> tuple[Line, ...]:
    """See `backroom.scenes.scene.TableModule`."""
    named = dict(options.cards_of("factions"))
    taught: list[str | Thing] = ["Each faction pays points its own way"]
    for number, (letter, before, after) in enumerate([it for it in TAUGHT if it[0] in named][:2]):
        taught += [(": ", ", and ")[number] + before, Thing("card", letter, named[letter]), after]
    target = options.target or options.printed("target", seats)
    turn = "Each turn you have two actions: in each" if options.advanced else "On your turn"
    return (
        Line(
            (
                f"{turn} ",
                Thing("word", "", "take"),
                " all you like of one faction from the market, or ",
                Thing("word", "", "lay down"),
                " one faction for what it does.",
            )
        ),
        Line((*taught, "." if named else "; which five play is drawn by lot.")),
        Line((f"First to {target} wins, on the spot. Hands are hidden, ten cards at most.",)),
    )


def place(options: CathamOptions, seats: int, chair: int) -> str:
    """See `backroom.scenes.scene.TableModule`."""
    if options.first_player is None:
        return f"plays {ORDINALS[chair]}, {hand_dealt(options.code('hands', seats), chair)} cards"
    if options.first_player.lower() == "random":
        return "who begins is drawn by lot"
    return f"{options.first_player} begins"


def verdicts(view: Any, viewer: int, names: Sequence[str], lines: Sequence[tuple[int, Line]]) -> Sequence[str]:
    """How far each fell short and what it still held; what took the winner over the line."""
    found = []
    for seat in range(len(names)):
        short, held = int(view.target) - int(view.points[seat]), int(view.hand_size[seat])
        left = f"{number_word(held)} {'card' if held == 1 else 'cards'} left" if held else "no card left"
        if view.winner == seat:
            found.append(_took_over(lines, seat, "you" if seat == viewer else "them"))
        else:
            found.append(f"{number_word(short)} short, {left}" if short > 0 else left)
    return found


def _took_over(lines: Sequence[tuple[int, Line]], seat: int, whom: str) -> str:
    """The cards of the winner's last deed that brought points."""
    brought = (line.event for _, line in reversed(lines) if line.seat == seat and line.event.args.get("points", 1))
    cards = next(filter(None, map(paid, brought)), None)
    return f"{in_words(cards)} took {whom} over" if cards else ""


def scene(view: Any, viewer: int, names: Sequence[str], draft: Draft) -> Scene:
    """See `backroom.scenes.scene.TableModule`."""
    return _Scene(view, viewer, names, draft).scene()


class _Scene:
    """One seat's table: ``hand`` and ``market`` count cards by faction, ``raised`` and ``taking`` the chosen ones."""

    def __init__(self, view: Any, viewer: int, names: Sequence[str], draft: Draft) -> None:
        view = opened(view)
        self.view, self.viewer, self.names, self.draft = view, viewer, names, draft
        self.seats = int(view.seats)
        self.question = int(view.question)
        self.active = int(view.active)
        # Cards to discard may be picked in any order, so they need not be the beginning of a move.
        self.picking = self.question in (LOSS, SURPLUS) and draft.begins("discard")
        read = draft.problem is None or self.picking
        self.text, self.words = (draft.text.lower(), draft.spelled) if read else ("", ())
        self.verb = self.words[0].key if self.words else ""
        self.asked = draft.acting and self.question in (GIFT, MATCH, LOSS)
        self.market = [int(count) for count in view.market]
        self.hand = [int(count) for count in view.hand[viewer]] if viewer != SPECTATOR else [0] * len(FACTIONS)
        self.raised = self._named("take", inside=False)
        self.taking = self._named("take", inside=True)

    def scene(self) -> Scene:
        heading, sentence = self._ticket()
        return Scene(
            heading=heading,
            sentence=sentence,
            aim=f"first to {int(self.view.target)}",
            goal=int(self.view.target),
            plates=tuple(self._plate(seat) for seat in self._others()),
            own=self._plate(self.viewer) if self.viewer != SPECTATOR else None,
            choices=tuple(self._choices()) if self.draft.acting else (),
            ask=self._ask() if self.asked else None,
            say=self._say(),
            commit=self._commit(),
            instead=self._instead() if self.asked else None,
            missing=self._missing(),
            drawn=self._drawn(),
        )

    # The cards chosen in the draft

    def _named(self, verb: str, inside: bool) -> list[int]:
        """Cards of each faction that the draft names, if it begins with ``verb`` (not ``inside``: with another)."""
        chosen = [0] * len(FACTIONS)
        if not self.verb or (self.verb == verb) != inside:
            return chosen
        last, implied = None, 0
        for word in self.words:
            if word.kind == "card":
                last = self._faction(word)
                implied = 1 if word.text.startswith("+") else self._implied(self.verb, last)
                chosen[last] += implied
            elif last is not None and word.kind == "count":
                chosen[last] += int(word.key) - implied
        if self.verb == "match":
            chosen[int(self.view.extra)] = 1
        if self.verb == "give" and self.view.journalist_match:
            chosen[JOURNALISTS] += 1
        return chosen

    @staticmethod
    def _faction(word: Token) -> int:
        """The faction of a card that a move names."""
        return next(number for number, faction in enumerate(FACTIONS) if faction.letter == word.key)

    def _implied(self, verb: str, faction: int) -> int:
        """How many cards a faction's word means where no number follows."""
        if verb == "take":
            return self.market[faction]
        if verb == "give":
            return 1 if self.view.journalist_match else 2
        return COST[faction] or 1 if verb == "play" else 1

    # Ticket and players

    def _others(self) -> list[int]:
        first = self.viewer if self.viewer != SPECTATOR else -1
        return [(first + step) % self.seats for step in range(1, self.seats + (self.viewer == SPECTATOR))]

    def _plate(self, seat: int) -> Plate:
        kept = [
            f"{int(count)} {FACTIONS[number].cards(int(count))}"
            for number, count in enumerate(self.view.kept[seat])
            if count
        ]
        return Plate(
            seat,
            cards=int(self.view.hand_size[seat]),
            score=int(self.view.points[seat]),
            goal=int(self.view.target),
            facts=(("kept as points", ", ".join(kept)),) if kept else (),
        )

    def _ticket(self) -> tuple[str, str]:
        who = self.names[self.active]
        if self.view.over:
            return "", ""
        if not self.draft.acting:
            return "", self._waiting()
        if self.question == GIFT:
            return f"{who} asks you", "Give a card and throw away its twin for a point, or decline."
        if self.question == MATCH:
            return f"{who} asks you", f"Throw away one {FACTIONS[int(self.view.extra)].one} for a point, or decline."
        if self.question == LOSS:
            return f"{who} leans on you", "Two cards of your choice, or one point."
        if self.question == SURPLUS:
            return (
                "Down to ten",
                f"You hold {number_word(self._held())}. "
                f"{number_word(self._surplus()).capitalize()} must go, whichever you like.",
            )
        which = "One action"
        if self.view.advanced:
            which = "Your second action" if self.view.second else "The first of two actions"
        return "Your turn", f"{which}: take from the market, or play one faction."

    def _waiting(self) -> str:
        order = [(self.active + step) % self.seats for step in range(self.seats)]
        who = self.names[self.active]
        if self.question == SURPLUS:
            return f"Somebody has more than {LIMIT} cards and throws away what is too many."
        if self.question != TURN:
            played = {GIFT: "journalists", MATCH: "detectives", LOSS: "mafia"}[self.question]
            return f"It is {who}’s turn; the others answer the {played} one after the other."
        if self.viewer == SPECTATOR:
            return "Order of play: " + ", ".join(self.names[seat] for seat in order) + "."
        place = order.index(self.viewer)
        listed = ", ".join("you" if seat == self.viewer else self.names[seat] for seat in order[: place + 1])
        words = ("first", "next", "third", "fourth", "fifth", "sixth")
        return f"You come {words[place]}: {listed}."

    def _held(self) -> int:
        return sum(self.hand)

    def _surplus(self) -> int:
        return max(0, self._held() - LIMIT)

    def _needed(self) -> int:
        """How many cards a discard names."""
        return 2 if self.question == LOSS else self._surplus()

    def _missing(self) -> str:
        if not self.picking or self.draft.actions is not None:
            return ""
        more = self._needed() - sum(self.raised)
        return f"{more} more {'card' if more == 1 else 'cards'} to choose." if more > 0 else ""

    # The question

    def _ask(self) -> Ask:
        who = self.names[self.active]
        extra = int(self.view.extra)
        if self.question == GIFT:
            twin = "throw away its twin" if not self.view.journalist_match else "throw away a journalist"
            return Ask(
                self.active,
                (player(self.active, self.names), " laid 2 ", self._thing(JOURNALISTS)),
                f"Give {who} a card, and {twin}?",
                "You gain 1 point. It takes two cards: one goes into that hand, one away. It cannot be refused.",
                self._answers(2),
            )
        if self.question == MATCH:
            return Ask(
                self.active,
                (player(self.active, self.names), " laid 3 ", self._thing(DETECTIVES), " and 1 ", self._thing(extra)),
                f"Throw away one {FACTIONS[extra].one} for a point?",
                "Only the faction of the extra card counts. Once, one card.",
                self._answers(1),
            )
        return Ask(
            self.active,
            (player(self.active, self.names), " laid 4 ", self._thing(MAFIA)),
            "Two cards, or one point?",
            "Any two cards, your choice. Everybody sees which.",
            self._answers(0),
        )

    def _answers(self, fewest: int) -> tuple[Answer, ...]:
        """The order of answers. What was answered is in the log; the page puts it in."""
        answers = []
        mine = (self.viewer - self.active) % self.seats
        for step in range(1, self.seats):
            seat = (self.active + step) % self.seats
            few = int(self.view.hand_size[seat]) < fewest
            if step == mine:
                place = {1: "first to answer", self.seats - 1: "last to answer"}.get(step, "your answer")
                answers.append(Answer(seat, "now", (place,)))
            elif step < mine:
                answers.append(Answer(seat, "done", ()))
            else:
                answers.append(Answer(seat, "no" if few else "later", ("too few cards" if few else "after you",)))
        return tuple(answers)

    def _instead(self) -> tuple[str, str] | None:
        if self.question != LOSS:
            return "Decline", "decline"
        can_lose = int(self.view.points[self.viewer]) > 0 and tokens_left(self.view, self.viewer) > 0
        return ("Lose the point", "lose point") if can_lose else None

    def _commit(self) -> str:
        if self.draft.actions is None:
            return "Do it"
        chosen = sum(self.taking) or sum(self.raised)
        them = "it" if chosen == 1 else "them"
        if self.verb == "give":
            return f"Give {number_of(self.raised.index(max(self.raised)), 1)}"
        if self.verb == "discard":
            return "Throw both away" if self.question == LOSS else f"Throw {them} away"
        if self.verb == "play" and self._faction(self.words[1]) == HACKERS:
            return f"Slip {them} in"
        return {"take": f"Take {them}", "play": f"Lay {them} down", "match": "Match it", "lose": "Lose the point"}.get(
            self.verb, "Decline"
        )

    def _say(self) -> str:
        """The move in preparation as an order, cards by number and name; empty for a text that cannot be read."""
        verb, words = self.verb, self.words
        if not verb:
            return ""
        cards = [
            f"{count} {FACTIONS[number].cards(count)}" if verb in ("take", "play") else number_of(number, count)
            for number, count in enumerate(self.taking if verb == "take" else self.raised)
            if count
        ]
        named = listed(cards) if cards else ""
        if verb == "give" and len(words) == 1:
            return f"Give {self.names[self.active]} a card"
        if verb == "give":
            gift = self._faction(words[-1])
            rest = "the other" if not self.view.journalist_match else "a journalist"
            return f"Give {self.names[self.active]} {number_of(gift, 1)}, discard {rest}"
        if verb == "play" and words[-1].kind == "seat":
            whom = self.names[int(words[-1].key)]
            return f"Hand {whom} {named}" if self._faction(words[1]) == HACKERS else f"Lay {named} against {whom}"
        does = {"take": "Take", "play": "Lay", "discard": "Throw away", "match": "Discard"}.get(verb)
        if does is not None:
            return f"{does} {named}" if named else does
        return "Decline" if verb == "decline" else "Lose a point"

    # Choices

    def _choices(self) -> list[Choice]:
        if self.question == TURN:
            return [*self._plays(), *self._takes()]
        if self.question == GIFT:
            return self._gifts()
        if self.question == MATCH:
            return self._matches()
        if self.question == LOSS:
            return self._losses()
        needed = self._needed()
        return [
            Choice(
                f"Discard {needed}", f"{sum(self.raised)} of {needed} chosen: tap cards of your hand",
                self.text or self._discarding(self._cheapest(needed)), emblem=Emblem("hand-card"),
            ),
            Choice(
                f"Discard {needed + 1}",
                f"exactly {number_word(needed)}: down to ten, not lower",
                emblem=Emblem("hourglass"),
            ),
        ]  # fmt: skip

    def _plays(self) -> list[Choice]:
        order = sorted((int(number) for number in self.view.factions), key=lambda number: -self.hand[number])
        found = [self._play(number) for number in order]
        return [choice for choice in found if choice.words] + [choice for choice in found if not choice.words]

    def _play(self, faction: int) -> Choice:
        held = self.hand[faction]
        most = min(held, MOST_HACKERS)
        others = either([self.names[seat] for seat in self._others()])
        up_to = "1" if held == 1 else f"1 to {held}"
        effects = {
            JOURNALISTS: ("2 of them. Others may give you a card", "+2"),
            DETECTIVES: ("3 and any one card. Others may match it", "+3"),
            OFFICIALS: (
                f"{up_to}; turn up as many, a point for each faction",
                f"+1–{min(held, 5)}" if held > 1 else "+1",
            ),
            SCIENTISTS: ("3 of them, then draw 2", "+2"),
            ROBOCATS: ("2: draw 5, or 4: three points", "+3") if held >= 4 else ("2 of them: draw 5", ""),
            MAFIA: ("4 of them. Others lose two cards or a point", "+2"),
            POLICE: (f"{up_to} and a wanted card, against {others}", f"+0–{held}"),
            HACKERS: (f"{'1' if most == 1 else f'1 to {most}'} into {others}", f"+0–{most}"),
        }
        words = f"play {FACTIONS[faction].word}"
        emblem_of = emblem(self._thing(faction))
        if self.draft.settle(words):
            effect, gain = effects[faction]
            return Choice(FACTIONS[faction].word.capitalize(), effect, words, "Play", emblem_of, gain)
        return Choice(FACTIONS[faction].word.capitalize(), self._why_not(faction), "", "Play", emblem_of)

    def _why_not(self, faction: int) -> str:
        held = self.hand[faction]
        hold = f"you hold {held or 'none'}"
        if faction == ROBOCATS:
            return f"need 2 or 4, {hold}"
        if faction == DETECTIVES and held >= COST[DETECTIVES]:
            return "need one card more, of another faction" if self.view.detective_extra else "need one card more"
        if faction == POLICE and held:
            return "need a wanted card of another faction"
        if faction == HACKERS and held:
            return "nobody holds enough cards"
        return f"need {COST[faction] or 1}, {hold}"

    def _takes(self) -> list[Choice]:
        choices = []
        for faction, count in self._sorted(self.market):
            after = self._held() + count
            if after > LIMIT:
                effect = f"{count}: discard {after - LIMIT}"
            elif after == LIMIT:
                effect = "fills your hand"
            else:
                effect = f"a hand of {after}"
            tile = emblem(self._thing(faction))
            choices.append(
                Choice(
                    f"1–{count}" if count > 1 else "1", effect, f"take {FACTIONS[faction].word}", "Take",
                    replace(tile, label=FACTIONS[faction].cards(count)) if tile else None, half=True,
                )
            )  # fmt: skip
        return choices

    def _gifts(self) -> list[Choice]:
        able, unable = [], []
        who = self.names[self.active]
        for faction, held in self._sorted(self.hand):
            words = f"give {FACTIONS[faction].word}"
            drawing = emblem(self._thing(faction))
            if self.draft.settle(words):
                effect = f"one to {who}, {'one' if not self.view.journalist_match else 'a journalist'} to the discards"
                able.append(Choice(f"Give {FACTIONS[faction].word}", effect, words, emblem=drawing, gain="+1"))
            else:
                reason = f"need 2, you hold {held}" if not self.view.journalist_match else "no journalist to throw away"
                unable.append(Choice(FACTIONS[faction].word.capitalize(), reason, emblem=drawing))
        decline = Choice("Decline", "nobody learns whether you could have", "decline", emblem=Emblem("cross"))
        return [*able, decline, *unable]

    def _matches(self) -> list[Choice]:
        extra = int(self.view.extra)
        held = self.hand[extra]
        drawing = emblem(self._thing(extra))
        if held:
            match = Choice("Match", f"discard one {FACTIONS[extra].one}", "match", emblem=drawing, gain="+1")
        else:
            match = Choice("Match", f"you hold no {FACTIONS[extra].one}", emblem=drawing)
        return [match, Choice("Decline", "nobody learns whether you could have", "decline", emblem=Emblem("cross"))]

    def _losses(self) -> list[Choice]:
        held, points = self._held(), int(self.view.points[self.viewer])
        chosen = [FACTIONS[number].one for number, count in enumerate(self.raised) for _ in range(count)]
        if held >= 2:
            cards = self.text if self.picking else self._discarding(self._cheapest(2))
            effect = f"chosen: {', '.join(chosen)}" if chosen else "your two rarest; tap others to change"
            first = Choice("Two cards", effect, cards, emblem=Emblem("hand-card"), gain="0")
        else:
            first = Choice("Two cards", f"you hold {held}", emblem=Emblem("hand-card"))
        point = f"{points} → {points - 1}, your cards stay"
        if points == 0:
            return [first, Choice("One point", "you have no point to lose", emblem=Emblem("flag"))]
        if tokens_left(self.view, self.viewer):
            return [first, Choice("One point", point, "lose point", emblem=Emblem("flag"), gain="−1")]
        return [first] + [
            Choice(
                "One point", f"the kept {FACTIONS[number].one} goes", f"lose point {FACTIONS[number].word}",
                emblem=emblem(self._thing(number)), gain="−1",
            )
            for number, count in enumerate(self.view.kept[self.viewer])
            if count
        ]  # fmt: skip

    # Clicks

    def _discarding(self, counts: Sequence[int]) -> str:
        """The text that throws these cards away: factions in their order, as the notation writes them."""
        named = [
            FACTIONS[number].word + (f" x{count}" if count > 1 else "") for number, count in enumerate(counts) if count
        ]
        return " ".join(["discard", *named]) if named else ""

    def _cheapest(self, needed: int) -> list[int]:
        """So many cards of the hand's rarest factions."""
        counts = [0] * len(FACTIONS)
        for faction, held in reversed(self._sorted(self.hand)):
            counts[faction] = min(held, needed - sum(counts))
        return counts

    def _throw(self, faction: int, place: int) -> str:
        """The text after a click on the card at ``place`` of its group: chosen or not, and never too many."""
        counts = list(self.raised)
        if place < counts[faction]:
            counts[faction] -= 1
            return self._discarding(counts) or "discard"
        counts[faction] += 1
        if sum(counts) > self._needed():
            spare = next(number for number, count in enumerate(counts) if count and (number != faction or count > 1))
            counts[spare] -= 1
        return self._discarding(counts)

    def _click_hand(self, faction: int, place: int) -> str:
        word = FACTIONS[faction].word
        if not self.draft.acting:
            return ""
        if self.question in (LOSS, SURPLUS):
            return self._throw(faction, place)
        if self.question == GIFT:
            return self.draft.settle(f"give {word}")
        if self.question == MATCH:
            return self.draft.settle("match") if faction == int(self.view.extra) else ""
        if self.draft.begins("play"):
            return self.draft.click("card", FACTIONS[faction].letter, f"play {word}")
        return self.draft.settle(f"play {word}")

    def _click_market(self, faction: int) -> str:
        if not self.draft.acting or self.question != TURN:
            return ""
        if self.draft.begins("take"):
            return self.draft.click("card", FACTIONS[faction].letter)
        return self.draft.settle(f"take {FACTIONS[faction].word}")

    # Data for the template

    def _drawn(self) -> dict[str, Any]:
        title = "The market, open to all"
        if self.question == SURPLUS and not self.view.over:
            title = "The market, filled up afterwards"
        return {
            "market": [self._stack(faction, count) for faction, count in self._sorted(self.market)],
            "market_title": title,
            "gaps": MARKET - sum(self.market) if not self.view.over else 0,
            "deck": int(self.view.deck_size),
            "discards": [self._group(faction, count) for faction, count in self._sorted(self.view.discards)],
            "hand": [self._hand_group(faction, count) for faction, count in self._sorted(self.hand)],
            "held": self._held(),
            "limit": LIMIT,
            "hands": {
                seat: [self._group(faction, count) for faction, count in self._sorted(self.view.hand[seat])]
                for seat in range(self.seats)
                if self.view.over or seat == self.viewer
            },
            "card": {faction.letter: self._group(number, 1) for number, faction in enumerate(FACTIONS)},
        }

    def _sorted(self, counts: Sequence[int]) -> list[tuple[int, int]]:
        """Factions with cards and their numbers, most cards first."""
        return sorted(((number, int(count)) for number, count in enumerate(counts) if count), key=lambda pair: -pair[1])

    def _thing(self, faction: int) -> Thing:
        return Thing("card", FACTIONS[faction].letter, FACTIONS[faction].word.capitalize())

    def _group(self, faction: int, count: int) -> dict[str, Any]:
        return {
            "letter": FACTIONS[faction].letter,
            "name": FACTIONS[faction].word.capitalize(),
            "count": count,
            "printed": PRINTED[faction],
        }

    def _stack(self, faction: int, count: int) -> dict[str, Any]:
        return self._group(faction, count) | {
            "click": self._click_market(faction),
            "chosen": self.taking[faction],
        }

    def _hand_group(self, faction: int, count: int) -> dict[str, Any]:
        clicks = [self._click_hand(faction, place) for place in range(count)]
        raised = min(self.raised[faction], count)
        return self._group(faction, count) | {
            "clicks": clicks,
            "raised": raised,
            "caption": self._caption(faction, raised, bool(clicks[0])) if self.asked else "",
            "cannot": self.asked and not clicks[0],
        }

    def _caption(self, faction: int, raised: int, able: bool) -> str:
        if self.question == GIFT:
            who = self.names[self.active]
            if self.view.journalist_match:
                return f"{raised} chosen" if raised else "could go" if able else "no journalist"
            return f"1 to {who}, 1 away" if raised else "could go" if able else "no twin"
        if self.question == MATCH:
            return "1 would go" if raised else "could go" if able else " "
        return (f"{raised} go" if raised > 1 else "goes") if raised else " "
