"""How a seat sees Court of the Medici in the browser: the court, what a conspiracy could reach, and what a move does.

A click names the next part of the move: a card is sent, a stack is joined by it, another stack is struck. Parts named
already are kept where the move stays legal.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from backroom.engine.game import Refusal
from backroom.engine.notation import Line, Thing, complete, player
from backroom.engine.record import SPECTATOR, opened
from backroom.games.medici import rules
from backroom.games.medici.cards import (
    BODYGUARD,
    HOUSES,
    INFLUENCE,
    JESTER,
    LADY,
    MINISTER,
    RANK_COUNT,
    RANKS,
    SPY,
    TITLES,
    card_text,
    rank_word,
    read_card,
)  # fmt: skip
from backroom.games.medici.notation import cards_of, controller, noble, stack_name, worth
from backroom.games.medici.options import MediciOptions
from backroom.scenes.draft import Draft
from backroom.scenes.scene import Answer, Ask, Box, Choice, Emblem, Figure, Scene
from backroom.text.english import listed, whose

__all__ = ["BOX", "brief", "emblem", "place", "scene", "verdicts"]

BOX = Box(
    hook="Stack nobles, conspire, be seen in the right circle.",
    lasts="40 minutes",
    cloth="medici",
    emblem=Emblem("rank-M", "n-a"),
    art=(
        Figure("rank-J", 6, 18, 102, "f-m"),
        Figure("rank-L", 156, 18, 102, "f-h", mirrored=True),
        Figure("rank-D", 76, 6, 114),
    ),
)

ORDINALS = ("1st", "2nd", "3rd", "4th")
UNKNOWN = -2
"""In place of the house that controls a stack (-1: nobody), where that cannot be told any more."""
CROWD = 9
"""So many stacks in one zone are drawn smaller."""


def emblem(thing: Thing) -> Emblem | None:
    """Cards of the table as a tag: rank, crest and colour of the house."""
    card = read_card(thing.key) if thing.kind in ("card", "noble") else 0
    if not card:
        return None
    house, rank = HOUSES[(card - 1) // RANK_COUNT], (card - 1) % RANK_COUNT
    label = f"{rank_word(rank)} of house {house}" if thing.words == thing.key else ""
    return Emblem(f"seat-{house}", f"n-{house.lower()} tag r-{RANKS[rank]}", chip=True, label=label)


def brief(options: MediciOptions, seats: int) -> tuple[Line, ...]:
    """See `backroom.scenes.scene.TableModule`."""
    stands = Line(
        ("Your nobles stand at court in stacks, mixed with those of the other houses. Each turn you play one card.",)
    )
    if seats == 2:
        struck = "every other stack" if options.base_conspire == "all" else "another stack"
        return (
            stands,
            Line((f"Send it alone, let it join a stack, or let it join one and strike {struck} of equal worth.",)),
            Line(("When somebody cannot play, or has nobody left in the Inner Circle, the most influence wins.",)),
        )
    return (
        stands,
        Line(("Send it alone, let it join a stack, or let it join one and strike another that is worth less.",)),
        Line(
            (
                "A player who controls the striking stack hits all of the other; any other player hits one noble. ",
                "Influence at court wins.",
            )
        ),
    )


def place(options: MediciOptions, seats: int, chair: int) -> str:
    """See `backroom.scenes.scene.TableModule`."""
    del options, chair
    return "whose turn is when, the fringe cards say" if seats > 2 else "the stronger Inner Circle begins"


def verdicts(view: Any, viewer: int, names: Sequence[str], lines: Sequence[tuple[int, Line]]) -> Sequence[str]:
    """The parts of each score; with equal scores also the nobles at court, which decide next."""
    del viewer, lines
    tallies = [[int(number) for number in rules.tally(view, seat)] for seat in range(len(names))]
    scores = [int(rules.score(view, seat)) for seat in range(len(names))]
    found = []
    for score, (value, nobles, _, inner) in zip(scores, tallies, strict=True):
        made = f"influence {value}, 3 × {inner} for the Inner Circle" if view.game == rules.FRINGE else ""
        rivals = {other[1] for other, equal in zip(tallies, scores, strict=True) if equal == score} - {nobles}
        stands = f"{nobles} noble{'s' if nobles != 1 else ''} at court" if rivals or not made else ""
        found.append(", ".join(filter(None, [made, stands])) + (f" to {max(rivals)}" if rivals else ""))
    return found


def scene(view: Any, viewer: int, names: Sequence[str], draft: Draft) -> Scene:
    """See `backroom.scenes.scene.TableModule`."""
    return _Scene(view, viewer, names, draft).scene()


@dataclass(frozen=True)
class Deed:
    """The parts of a move in preparation: stacks by index, the fringe card by its house; -1, 0 and empty: not named.

    ``values`` are the Jesters' of the conspiracy and of the target, bottom to top.
    """

    verb: str = ""
    rank: int = -1
    onto: int = -1
    target: int = -1
    house: int = -1
    at: int = 0
    values: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    nospy: bool = False

    @property
    def aims(self) -> bool:
        """Whether the conspiracy has its target."""
        return self.target >= 0 or self.house >= 0


class Face(NamedTuple):
    """A card on the table: its number, its name in moves, house, rank and title, and what its reader calls it."""

    card: int
    face: str
    house: str
    rank: str
    title: str
    name: str


class Placed(NamedTuple):
    """A card in a stack: whether it is the one singled out, and the text after a click that does so."""

    face: Face
    single: bool
    click: str


class Stack(NamedTuple):
    """A stack as its reader sees it, cards bottom to top; ``ghost`` is a card that joins it in preparation."""

    key: str
    value: int
    plus: int | None
    role: str
    kind: str
    ghost: Face | None
    click: str
    on: bool
    reach: bool
    cards: tuple[Placed, ...]
    seal: int
    label: str


@lru_cache(4096)
def _face(card: int, reader: int, names: tuple[str, ...]) -> Face:
    house, rank = HOUSES[(card - 1) // RANK_COUNT], RANKS[_rank(card)]
    return Face(card, card_text(card), house, rank, TITLES.get(rank, ""), noble(card, reader, names, start=True))


class _Scene:
    """One seat's table. ``deed`` is the move in preparation; ``joinable`` and ``reach`` are what could be named next.

    ``reach`` has stacks by index and fringe cards as the house's letter.
    """

    def __init__(self, view: Any, viewer: int, names: Sequence[str], draft: Draft) -> None:
        self.record, self.viewer, self.names, self.draft = view, viewer, names, draft
        self.now = opened(draft.now)
        view = self.view = opened(view)
        self.seats = range(int(view.seats))
        self.order = [int(seat) for seat in view.order[: len(self.seats)]]
        self.over = bool(view.over)
        self.active = self.order[min(int(view.step), len(self.order) - 1)]
        self.fringe = bool(view.game == rules.FRINGE)
        self.phase = 0 if self.over else int(view.phase)
        self.playing = draft.acting and self.phase == rules.PLAY
        self.putting = draft.acting and self.phase == rules.PUT
        self.asked = draft.acting and self.phase in (rules.GUARD, rules.SCAPEGOAT)
        self.legal = draft.game.legal(self.record, viewer).tolist() if draft.acting else []
        self.scores = draft.game.outcome(self.record)[0]
        self.deed = self._read()
        self.joinable, self.reach = self._possible()

    def scene(self) -> Scene:
        heading, sentence = self._ticket()
        return Scene(
            heading=heading,
            sentence=sentence,
            aim=f"Fringe Powers, round {self._round()}" if self.fringe else f"turn {int(self.view.turn)}",
            coloured=True,
            choices=tuple(self._choices()) if self.draft.acting else (),
            ask=self._ask() if self.asked else None,
            say=self._say(),
            missing=self._missing(),
            commit=self._commit(),
            instead=self._instead(),
            drawn={
                "fringe": self.fringe,
                "order": [self._plate(place, seat) for place, seat in enumerate(self.order)],
                "circle": [self._stack(k) for k in range(int(self.view.stacks)) if not self.view.stack_side[k]],
                "lanes": [self._lane(seat) for seat in self._lanes()],
                "crowd": CROWD,
                "sway": self._sway(),
                "hand": self._hand(),
                "own_fringe": self._own_fringe(),
                "dials": self._dials(),
                "singles": self._singles(),
                "spy": self._spy(),
                "fates": self._fates(),
                "threat": self._threat(),
                "hint": self._hint(),
                "lost": [(seat, self._name(seat), self._lost(seat)) for seat in self.seats],
                "held": {seat: self._held(seat) for seat in self.seats} if self.over else {},
            },
        )

    # The move in preparation

    def _read(self) -> Deed:
        """The parts the draft names, as far as it can be read."""
        words = self.draft.spelled if self.draft.problem is None else ()
        if not words:
            return Deed()
        deed, stack = Deed(words[0].key), -1
        for word in words[1:]:
            if word.kind == "card":
                deed = replace(deed, rank=RANKS.index(word.key))
            elif word.kind == "noble":
                deed = replace(deed, at=read_card(word.key))
            elif word.kind == "target":
                deed = replace(deed, target=self._index(word.key))
            elif word.kind == "fringe":
                deed = replace(deed, house=HOUSES.index(word.key))
            elif word.kind == "stack" and word.text.startswith(">"):
                deed = replace(deed, onto=self._index(word.key))
            elif word.kind == "stack":
                stack = self._index(word.key)
            elif word.kind == "value":
                first, second = deed.values
                own, value = stack == deed.onto, int(word.key)
                deed = replace(deed, values=((*first, value), second) if own else (first, (*second, value)))
        return replace(deed, nospy=words[-1].key == "nospy")

    def _index(self, word: str) -> int:
        return int(rules.find_stack(self.view, int(word[1:]))) if word[1:].isdigit() else -1

    def _text(self, deed: Deed) -> str:
        """The move as it is typed. Jesters with the values they have anyway are not named."""
        words = [deed.verb, RANKS[deed.rank]]
        if deed.onto >= 0:
            words.append(f"> {stack_name(self.view, deed.onto)}")
        if deed.target >= 0:
            words.append(f"x {stack_name(self.view, deed.target)}")
        elif deed.house >= 0:
            words.append(f"x F{HOUSES[deed.house]}")
        if deed.at:
            words.append(f"at {card_text(deed.at)}")
        named = [
            f"{stack_name(self.view, k)}={','.join(map(str, deed.values[which]))}"
            for which, k in enumerate((deed.onto, deed.target))
            if deed.values[which] and deed.values[which] != self._values(replace(deed, values=((), ())), which)
        ]
        words += ["j", *named] if named else []
        return " ".join([*words, "nospy"] if deed.nospy else words)

    def _values(self, deed: Deed, which: int) -> tuple[int, ...]:
        """The values of the Jesters of the conspiracy (0) or the target (1), named or not (M06)."""
        k = (deed.onto, deed.target)[which]
        lying = int(self.view.stack_jesters[k]) if k >= 0 else 0
        played = [self._top(deed.rank)] if which == 0 and deed.rank == JESTER else []
        return deed.values[which] or ((1,) * lying if which else (*((10,) * lying), *played))

    def _top(self, rank: int) -> int:
        return int(rules.played_top(self.view, self.viewer, rank))

    def _filled(self, deed: Deed) -> Any:
        """The view with the conspiracy filled in, not declared."""
        state = opened(self.draft.game.state.copy(self.record))
        state.use, state.played = rules.CONSPIRE, deed.rank + 1
        state.onto, state.target, state.target_fringe = deed.onto + 1, deed.target + 1, deed.house + 1
        for which in range(2):
            values = self._values(deed, which)
            state.named[which, : len(values)], state.naming[which] = values, len(values)
        return state

    def _fitting(self, deed: Deed) -> Deed | None:
        """The conspiracy with its noble put in or left out as control demands; None when its values do not win."""
        state = self._filled(deed)
        value, against, spy, control = worth(state, self.viewer)
        if not self.fringe:
            return deed if value == against else None
        if value <= against:
            return None
        nospy = deed.nospy and spy and not control
        if control or (spy and not nospy) or not rules.wants_single(state):
            return replace(deed, at=0, nospy=nospy)
        return replace(deed, at=deed.at or self._prey(deed.target), nospy=nospy)

    def _prey(self, k: int) -> int:
        """The noble to single out by default: the most valuable one of another house."""
        return max(cards_of(self.view, k), key=lambda card: (self._house(card) != self.viewer, INFLUENCE[_rank(card)]))

    def _possible(self) -> tuple[set[int], set[int | str]]:
        """The stacks the chosen card could conspire with, and what it could strike from the one it joins."""
        if not self.playing or self.deed.rank < 0:
            return set(), set()
        words = f"conspire {RANKS[self.deed.rank]}"
        joinable = {self._index(key) for kind, key in self._tokens(words) if kind == "stack"}
        if self.deed.onto not in joinable:
            return joinable, set()
        found = self._tokens(f"{words} > {stack_name(self.view, self.deed.onto)}")
        return joinable, {self._index(key) if kind == "target" else key for kind, key in found}

    def _tokens(self, words: str) -> list[tuple[str, str]]:
        """Kind and key of what may follow."""
        try:
            found = complete(self.draft.game, self.record, self.viewer, words, self.names)
        except Refusal:
            return []
        return [(token.kind, token.key) for token in found.tokens]

    # Clicks

    def _click_stack(self, k: int) -> str:
        deed, card = self.deed, RANKS[self.deed.rank]
        if not self.playing or deed.rank < 0:
            return ""
        joined = Deed("ally", deed.rank, k)
        if k == deed.onto:
            return f"conspire {card}" if deed.verb == "conspire" and not deed.aims else f"send {card}"
        if k == deed.target:
            return self._text(replace(joined, onto=deed.onto))
        if k in self.reach:
            return self._text(Deed("conspire", deed.rank, deed.onto, k))
        if deed.verb != "conspire":
            return self._text(joined)
        return self._text(replace(joined, verb="conspire")) if k in self.joinable and not deed.aims else ""

    def _click_fringe(self, seat: int) -> str:
        deed = self.deed
        if seat == deed.house:
            return self._text(Deed("ally", deed.rank, deed.onto))
        return self._text(Deed("conspire", deed.rank, deed.onto, house=seat)) if HOUSES[seat] in self.reach else ""

    def _click_hand(self, rank: int) -> str:
        """Another card keeps what the move does, as far as it can."""
        deed, card = self.deed, RANKS[rank]
        if self.putting:
            return f"put {card}"
        if not self.playing or rank == deed.rank or not rules.within_limit(self.view, self.viewer, rank):
            return ""
        if deed.verb in ("plan", "send", ""):
            return f"{deed.verb or 'send'} {card}"
        other = Deed(deed.verb, rank, deed.onto, deed.target, deed.house)
        kept = [other, replace(other, target=-1, house=-1), replace(other, verb="ally", target=-1, house=-1)]
        return next(filter(None, (self.draft.settle(self._text(it)) for it in kept)), "")

    # Ticket

    def _round(self) -> int:
        return max(int(self.view.turn) - 1, 0) // len(self.seats) + 1

    def _ticket(self) -> tuple[str, str]:
        if self.over or self.viewer == SPECTATOR:
            return "", ""
        if not self.draft.acting:
            return "", self._waiting()
        who = self.names[self.active]
        if self.phase == rules.GUARD:
            struck = "Your conspiracy strikes" if self.active == self.viewer else f"{who} strikes"
            return "Your Bodyguard", f"{struck} at {self._struck()}. Spend the Bodyguard?"
        if self.phase == rules.SCAPEGOAT:
            subject = "You would" if self.active == self.viewer else f"{who} would"
            return "A scapegoat?", f"{subject} discard {self._struck()}. Your fringe card can go instead."
        if self.phase == rules.PUT:
            return "Put one back", "You drew two. One of your hand goes face down on the deck."
        return "Your turn", f"Play one card. {self._who_moved()}".strip()

    def _who_moved(self) -> str:
        if not self.fringe:
            return ""
        step = int(self.view.step)
        before = [self.names[seat] for seat in self.order[:step]]
        after = [self.names[seat] for seat in self.order[step + 1 :]]
        moved = f"{listed(before)} {'has' if len(before) == 1 else 'have'} moved" if before else ""
        coming = f"{listed(after)} {'comes' if len(after) == 1 else 'come'} after you" if after else "you are the last"
        return f"{moved}, {coming}." if moved else f"{coming}."

    def _waiting(self) -> str:
        if self.view.attack:
            owner = whose(self.active, self.viewer, self.names, start=True)
            return f"{owner} conspiracy waits for an answer."
        if not self.fringe:
            return "You come next."
        place, step = self.order.index(self.viewer), int(self.view.step)
        if place < step:
            return "You have played this round. All fringe cards are turned up when it is over."
        return f"You play {ORDINALS[place]} this round."

    # Words

    def _name(self, seat: int) -> str:
        return "You" if seat == self.viewer else self.names[seat]

    def _whose(self, seat: int) -> str:
        return whose(seat, self.viewer, self.names)

    def _house(self, card: int) -> int:
        return (card - 1) // RANK_COUNT

    def _noble(self, card: int, start: bool = False) -> str:
        return noble(card, self.viewer, self.names, start)

    def _struck(self, start: bool = False) -> str:
        """The target of the current attack: a noble, or a whole stack."""
        if self._prey_now():
            return self._noble(self._prey_now(), start)
        return f"{'All' if start else 'all'} of {stack_name(self.view, int(self.view.target) - 1)}"

    def _prey_now(self) -> int:
        """The noble singled out, or the lone one that is hit; 0: a whole stack is."""
        cards, single = self._target_cards(), int(self.view.single)
        if self.view.attack in (rules.DEMOTE_ONE, rules.DISCARD_ONE):
            return cards[single - 1]
        return cards[0] if len(cards) == 1 else 0

    def _target_cards(self) -> list[int]:
        return cards_of(self.view, int(self.view.target) - 1)

    def _demotes(self) -> bool:
        return self.view.attack in (rules.DEMOTE_ALL, rules.DEMOTE_ONE)

    # The move in words

    def _say(self) -> str:
        deed = self.deed
        if self.asked and deed.verb:
            return self._say_answer()
        if deed.rank < 0:
            return {"send": "Send", "ally": "Ally", "conspire": "Conspire", "plan": "Plan"}.get(deed.verb, "")
        card = f"the {rank_word(deed.rank)}"
        if deed.verb == "put":
            return f"Put {card} back, face down"
        if deed.verb == "plan":
            return f"Plan: {card} goes under your deck"
        if deed.verb == "send":
            return f"Send {card} to the Outer Court"
        if deed.onto < 0:
            return f"{deed.verb.capitalize()} with {card}"
        text = f"{deed.verb.capitalize()}: {card} joins {stack_name(self.view, deed.onto)}"
        return f"{text} against {self._aim()}" if deed.aims else text

    def _aim(self) -> str:
        if self.deed.house >= 0:
            return f"{self._whose(self.deed.house)} fringe card"
        stack = stack_name(self.view, self.deed.target)
        return f"{self._noble(self.deed.at)} in {stack}" if self.deed.at else stack

    def _say_answer(self) -> str:
        if self.deed.verb == "guard":
            return f"Spend the Bodyguard for {self._noble(self.deed.at)}"
        if self.deed.verb == "scapegoat":
            return _capital(f"{self._own_fringe()['word']} for {self._noble(self.deed.at)}")
        return f"Let {self._struck()} go" if self.deed.verb == "noscapegoat" else f"Let {self._struck()} fall"

    def _missing(self) -> str:
        deed = self.deed
        if not self.draft.acting or self.draft.actions is not None or not deed.verb:
            return ""
        if deed.rank < 0:
            return "Choose a card of your hand."
        if deed.onto < 0:
            return "Choose the stack it joins."
        if not deed.aims:
            return (
                "Choose what it strikes: what is ringed is weak enough." if self.fringe else "Choose what it strikes."
            )
        value, against, _, _ = worth(self._filled(deed), self.viewer)
        if self._fitting(deed) is None:
            return f"{value} against {against}: name the Jester."
        return f"{value} beats {against}, but you do not control it: single out one noble."

    def _commit(self) -> str:
        fringe = self._own_fringe()
        return {
            "send": "Send", "ally": "Ally", "conspire": "Conspire", "plan": "Plan it", "put": "Onto the deck",
            "guard": "Spend it", "noguard": "Let it fall", "noscapegoat": "Let it go",
            "scapegoat": f"Give {fringe['word']}" if fringe else "",
        }.get(self.deed.verb, "Do it")  # fmt: skip

    def _instead(self) -> tuple[str, str] | None:
        if not self.asked:
            return None
        return ("Let it fall", "noguard") if self.phase == rules.GUARD else ("Let it go", "noscapegoat")

    def _hint(self) -> str:
        deed, card = self.deed, rank_word(self.deed.rank) if self.deed.rank >= 0 else ""
        if self.viewer == SPECTATOR or self.over:
            return ""
        limit = int(self.view.limit[self.viewer])
        if self.playing and not deed.verb:
            bound = f" Your limit is {limit}: nothing higher may be played." if limit != rules.NO_LIMIT else ""
            return f"Choose a card of your hand.{bound}"
        if self.playing and deed.rank >= 0 and deed.onto < 0 and deed.verb != "conspire":
            return f"Or choose a stack, and the {card} joins it."
        if self.playing and deed.verb == "ally" and deed.onto >= 0 and self.reach:
            return "Or choose what it strikes, of all that is ringed: then it is a conspiracy."
        return ""

    # Choices

    def _choices(self) -> list[Choice]:
        if self.phase == rules.PLAY:
            return self._plays()
        if self.phase == rules.PUT:
            ranks = [action - rules.PUT_FIRST for action in self.legal]
            return [
                Choice(
                    f"The {rank_word(rank)}", f"order value {INFLUENCE[rank]}", f"put {RANKS[rank]}",
                    emblem=Emblem("hand-card"), half=True,
                )
                for rank in ranks
            ]  # fmt: skip
        struck = self._struck()
        if self.phase == rules.GUARD:
            found = [
                Choice(f"Guard {self._noble(card)}", "the Bodyguard is spent", f"guard {card_text(card)}",
                       emblem=Emblem("defence"))
                for card in self._savable()
            ]  # fmt: skip
            fate = f"{struck} {'is demoted' if self._demotes() else 'is discarded'}"
            return [*found, Choice("No guard", fate, "noguard", emblem=Emblem("arrow"))]
        word = self._own_fringe()["word"]
        found = [
            Choice(f"Scapegoat for {self._noble(card)}", f"{word} goes, {self._noble(card)} is your fringe card",
                   f"scapegoat {card_text(card)}", emblem=Emblem("swap"))
            for card in self._savable()
        ]  # fmt: skip
        return [*found, Choice("No scapegoat", f"{struck} is discarded", "noscapegoat", emblem=Emblem("cross"))]

    def _plays(self) -> list[Choice]:
        deed = self.deed
        card = f" {RANKS[deed.rank]}" if deed.rank >= 0 else ""
        stack = f" > {stack_name(self.view, deed.onto)}" if card and deed.onto >= 0 else ""
        effects = {
            "conspire": f"add a card to a stack, strike {'a weaker one' if self.fringe else 'one of equal worth'}",
            "ally": {
                LADY: "the whole stack falls apart",
                MINISTER: "all others of the stack are eliminated",
                -1: "on top of any stack; Minister and Lady act",
            }.get(deed.rank, "on top of any stack"),
            "send": "alone to the Outer Court",
            "plan": "face down under your deck",
        }
        words = {"conspire": card + stack, "ally": card + stack, "send": card, "plan": card}
        drawings = {"conspire": "swords", "ally": "people", "send": "arrow", "plan": "hourglass"}
        found = []
        for verb, effect in effects.items():
            tries = [self.draft.text] if deed.verb == verb else [verb + words[verb], verb + card]
            begins = next((text for text in tries if self.draft.settle(text)), "")
            shown = self._steps() if deed.verb == verb == "conspire" else effect
            shown = shown if begins else self._why_not(verb)
            found.append(Choice(verb.capitalize(), shown, begins, emblem=Emblem(drawings[verb])))
        return found

    def _why_not(self, verb: str) -> str:
        if verb == "plan":
            return "you have no deck left"
        if verb == "ally":
            return "no stack is at court"
        return "nothing at court is weaker" if self.fringe else "no two stacks could be equal"

    def _steps(self) -> str:
        deed = self.deed
        steps = [f"{rank_word(deed.rank)}" if deed.rank >= 0 else "card?"]
        steps.append(f"joins {stack_name(self.view, deed.onto)}" if deed.onto >= 0 else "joins?")
        steps.append(f"against {self._aim()}" if deed.aims else "against?")
        return ", ".join(steps)

    # Questions

    def _savable(self) -> list[int]:
        """The cards this seat could save."""
        first, last = (
            (rules.GUARD_FIRST, rules.NOGUARD)
            if self.phase == rules.GUARD
            else (rules.SCAPEGOAT_FIRST, rules.NOSCAPEGOAT)
        )
        return [action - first + 1 for action in self.legal if action < last]

    def _ask(self) -> Ask:
        view, who = self.view, player(self.active, [self._name(seat) for seat in self.seats])
        onto, target = stack_name(view, int(view.onto) - 1), stack_name(view, int(view.target) - 1)
        prey = self._prey_now()
        struck: tuple[str | Thing, ...] = (self._tag(prey), f" in {target}") if prey else (f"all of {target}",)
        played = (who, f" conspired: {onto} against ", *struck)
        zone = " in the Inner Circle" if self._demotes() else ""
        if self.phase == rules.GUARD:
            question = f"Discard the Bodyguard, keep {self._noble(prey) if prey else 'one of them'}{zone}?"
            why = (
                f"Without control of {onto} one noble is struck. A Bodyguard in the same stack can take its place."
                if prey
                else f"{onto} is controlled, so all of {target} is hit. A Bodyguard can keep one other noble."
            )
        else:
            question = f"Give your fringe card for {self._noble(prey) if prey else 'one of your nobles'}?"
            why = (
                f"{target} is yours, so you may: the fringe card is discarded, and the noble becomes your new one. "
                "The order of this round does not change."
            )
        return Ask(self.active, played, question, why, self._answers(prey))

    def _answers(self, prey: int) -> tuple[Answer, ...]:
        """The attacker, then the owners of Bodyguards in the order they are asked, then the controller (M66, M67)."""
        view = self.view
        done: tuple[str | Thing, ...] = ("strikes ", self._tag(prey)) if prey else ("strikes the whole stack",)
        found = [Answer(self.active, "done", done)]
        guards = [(self.active + step) % len(self.seats) for step in range(1, len(self.seats) + 1)]
        for place, seat in enumerate(guards):
            saves = bool(rules.guardable(view, seat))
            if self._spent(seat):
                found.append(Answer(seat, "done", ("spent it",)))
            elif self.phase == rules.GUARD and seat == self.viewer:
                found.append(Answer(seat, "now", ("owner of the Bodyguard",)))
            elif view.asked >> seat & 1:
                found += [Answer(seat, "later", ("has a Bodyguard there",))] if saves else []
            elif saves or self._saved_since(seat, guards[place + 1 :]):
                found.append(Answer(seat, "no", ("kept the Bodyguard",)))
        if self.phase == rules.SCAPEGOAT:
            controls = f"controller of {stack_name(view, int(view.target) - 1)}"
            found.append(Answer(self.viewer, "now", (controls,)))
        return tuple(found)

    def _spent(self, seat: int) -> bool:
        """Whether this house's Bodyguard has been spent in the attack under way."""
        guard, target = int(rules.card_of(seat, BODYGUARD)), self._target_cards()
        return guard in target and int(self.view.mark[target.index(guard)]) == rules.SPENT

    def _saved_since(self, seat: int, later: Sequence[int]) -> bool:
        """Whether this owner of a Bodyguard, who can save nothing now, could when it was his turn.

        What a later one has saved lay open to him too. It was not his own Bodyguard: then nothing would be left to ask
        about. Of an own house's nobles nobody else takes one.
        """
        there = int(rules.card_of(seat, BODYGUARD)) in self._target_cards()
        return there and self.view.bodyguard_saves == rules.ANY_HOUSE and any(map(self._spent, later))

    def _tag(self, card: int) -> Thing:
        return Thing("card", card_text(card), self._noble(card))

    def _fates(self) -> list[dict[str, Any]]:
        """What each answer leads to, or what is known of a card put back; with a click: title, text, drawing."""
        if self.putting:
            return self._fates_of_put()
        if not self.asked:
            return []
        guarding = self.phase == rules.GUARD
        verb, drawing = ("guard", "defence") if guarding else ("scapegoat", "swap")
        savable, struck = self._savable(), self._struck(start=True)
        found = []
        for card in savable:
            noble = self._noble(card)
            title = ("Spend it" if guarding else "Scapegoat") + (f" for {noble}" if len(savable) > 1 else "")
            text = self._guarded(card) if guarding else self._replaced(card)
            found.append(self._fate(title, f"{text}.", drawing, f"{verb} {card_text(card)}"))
        if guarding:
            loss = "goes to the Outer Court" if self._demotes() else "goes to the discards"
            text = f"{struck} {loss}; the Bodyguard stays" if len(savable) == 1 else f"{struck} {loss}"
            found.append(self._fate("Let it fall", f"{text}.", "arrow", "noguard"))
        else:
            text = f"{struck} is lost. {_capital(self._own_fringe()['word'])} stays your fringe card."
            found.append(self._fate("Let it go", text, "cross", "noscapegoat"))
        return found

    def _guarded(self, card: int) -> str:
        text = f"The Bodyguard goes to your discards. {self._noble(card, start=True)} stays where it is"
        return f"{text}: {INFLUENCE[_rank(card)]} + 3 at the end" if self._demotes() else text

    def _replaced(self, card: int) -> str:
        permanent = self.view.fringe_place[self.viewer] == rules.PERMANENT
        after = "is your permanent fringe card" if permanent else "lies on your deck; you draw it on your turn"
        return f"{_capital(self._own_fringe()['word'])} is lost. {self._noble(card, start=True)} {after}"

    def _fate(self, title: str, text: str, drawing: str, click: str) -> dict[str, Any]:
        return {"title": title, "text": text, "drawing": drawing, "click": click, "on": self.draft.text == click}

    def _fates_of_put(self) -> list[dict[str, Any]]:
        rank = self.deed.rank
        title = f"{rank_word(rank)[:1].upper()}{rank_word(rank)[1:]}, next round" if rank >= 0 else "Next round"
        bid = "High fringe cards play first. It is drawn again on your turn, and can be a scapegoat till then."
        known = [rank_word(it) for it in range(RANK_COUNT) if self.view.known[self.viewer, it]]
        seen = f"All saw the {listed(known)} go to your hand. " if known else ""
        found = [
            self._fate(title, bid, "flag", ""),
            self._fate("What others know", f"{seen}What you put back, nobody sees.", "eye", ""),
        ]
        found[0]["on"] = rank >= 0
        return found

    def _threat(self) -> list[Face]:
        """The two cards weighed against each other: the noble and what it would cost."""
        if not self.asked:
            return []
        savable = self._savable()
        card = self.deed.at if self.deed.at in savable else savable[0]
        cost = rules.card_of(self.viewer, BODYGUARD) if self.phase == rules.GUARD else self._own_fringe()["card"]
        return [self._card(card), self._card(int(cost))]

    # Clauses of a conspiracy: Jesters, the noble singled out, the Spy

    def _aimed(self) -> bool:
        return self.playing and self.deed.verb == "conspire" and self.deed.onto >= 0 and self.deed.aims

    def _dials(self) -> list[dict[str, Any]]:
        """A row of values 1 to 10 for each Jester of the two stacks: what each would make of the conspiracy."""
        if not self._aimed():
            return []
        found = []
        for which, k in enumerate((self.deed.onto, self.deed.target)):
            values = self._values(self.deed, which)
            for place in range(len(values)):
                own = which == 0 and self.deed.rank == JESTER and place == len(values) - 1
                title = "The Jester you play" if own else f"The Jester in {stack_name(self.view, k)}"
                if len(values) - (which == 0 and self.deed.rank == JESTER) > 1 and not own:
                    title += f", {ORDINALS[min(place, 3)]} from below,"
                top = self._top(JESTER) if own else 10
                found.append(
                    {
                        "key": f"{which}-{place}",
                        "title": f"{title} is worth",
                        "stack": stack_name(self.view, k),
                        "note": self._dial_note(which),
                        "values": [self._dial(which, place, value) for value in range(1, top + 1)],
                    }
                )
        return found

    def _dial_note(self, which: int) -> str:
        if not self.fringe:
            return "both must be worth the same"
        if self.deed.house >= 0:
            return "it must be worth more than the fringe card"
        if which:
            return "less than the conspiracy; who controls it decides where it goes"
        return "it must be worth more than the target; who controls it decides what you may do"

    def _dial(self, which: int, place: int, value: int) -> dict[str, Any]:
        values = [self._values(self.deed, 0), self._values(self.deed, 1)]
        values[which] = (*values[which][:place], value, *values[which][place + 1 :])
        deed = replace(self.deed, values=(values[0], values[1]))
        fit = self._fitting(deed)
        total, against, _, _ = worth(self._filled(deed), self.viewer)
        seal = (
            self._controller(deed.onto, deed.rank, values[0])
            if not which
            else self._controller(deed.target, -1, values[1])
        )
        return {
            "value": value,
            "total": against if which else total,
            "seal": seal,
            "click": self._text(fit) if fit else "",
            "on": self._values(self.deed, which)[place] == value,
        }

    def _singles(self) -> list[dict[str, Any]]:
        """The nobles of the target of whom one must be chosen, bottom to top; none when all of it is hit."""
        deed = self.deed
        if not self._aimed() or deed.target < 0:
            return []
        fit = self._fitting(deed)
        if fit is None or not fit.at:
            return []
        return [
            {"face": self._card(card), "click": self._text(replace(fit, at=card)), "on": card == deed.at}
            for card in dict.fromkeys(cards_of(self.view, deed.target))
        ]

    def _spy(self) -> list[dict[str, Any]]:
        """Whether the own Spy gives control, where there is no real control: two choices, else none (M44)."""
        if not self._aimed() or self.deed.target < 0 or not self.fringe:
            return []
        _, _, spy, control = worth(self._filled(self.deed), self.viewer)
        if not spy or control:
            return []
        found = []
        for nospy, title in ((False, "The Spy rules it: all of the target"), (True, "Without him: one noble")):
            fit = self._fitting(replace(self.deed, nospy=nospy, at=self.deed.at if nospy else 0))
            on = self.deed.nospy == nospy
            found.append({"title": title, "click": self._text(fit) if fit else "", "on": on})
        return found

    # The court

    def _card(self, card: int) -> Face:
        return _face(card, self.viewer, tuple(self.names))

    def _controller(self, k: int, rank: int, values: Iterable[int]) -> int:
        """The house that controls a stack with this card on top (-1: none) and these Jesters' values; -1: nobody."""
        if not self.fringe:
            return -1
        struck = self._aimed() and k == self.deed.target
        return controller(self.view, self.viewer, k, rank, values, struck)

    def _declared(self, k: int) -> int:
        """The house that controls a conspiracy with Jesters while it waits: its whole value is told, not each Jester's.

        So only where one house has all of it, or where it strikes a whole stack without the help of a Spy.
        """
        cards = cards_of(self.view, k)
        if len({self._house(card) for card in cards}) == 1:
            return self._house(cards[0])
        whole = self.view.attack in (rules.DEMOTE_ALL, rules.DISCARD_ALL)
        return self.active if whole and rules.card_of(self.active, SPY) not in cards else UNKNOWN

    def _stack(self, k: int) -> Stack:
        view, deed = self.view, self.deed
        found: dict[str, Any] = {
            "key": stack_name(view, k), "value": int(view.stack_value[k]), "plus": None, "role": "", "kind": "",
            "ghost": None, "click": self._click_stack(k), "on": False, "reach": k in self.reach and not deed.aims,
            "cards": [Placed(self._card(card), False, "") for card in cards_of(view, k)],
        }  # fmt: skip
        values: tuple[int, ...] = (1,) * int(view.stack_jesters[k])
        rank = -1
        if view.attack and k in (int(view.onto) - 1, int(view.target) - 1):
            self._mark_attack(found, k)
        elif self.playing and deed.rank >= 0 and k == deed.onto:
            rank, values = self._mark_joined(found, k)
        elif self._aimed() and k == deed.target:
            values = self._values(deed, 1)
            found |= {"role": "target", "kind": "aim", "on": True, "reach": False}
            found["value"] = worth(self._filled(deed), self.viewer)[1]
            singles = {it["face"]: it for it in self._singles()}
            for place, card in enumerate(found["cards"]):
                if single := singles.pop(card.face, None):
                    found["cards"][place] = Placed(card.face, single["on"], single["click"])
        elif self._struck_too(k):
            found |= {"role": "too", "kind": "aim", "on": True}
        if view.attack and k == int(view.target) - 1:
            seal = int(view.target_controller) - 1
        elif view.attack and k == int(view.onto) - 1 and values:
            seal = self._declared(k)
        else:
            seal = self._controller(k, rank, values)
        owner = (
            f", controlled by {self._name(seal)}"
            if seal >= 0
            else ", controlled by nobody"
            if seal == -1 and self.fringe
            else ""
        )
        cards = listed([it.face.name for it in found["cards"]])
        role = f", {found['role']}" if found["role"] else ""
        label = f"{found['key']}{role}: {cards}; worth {found['value'] + (found['plus'] or 0)}{owner}"
        return Stack(**{**found, "cards": tuple(found["cards"])}, seal=seal, label=label)

    def _mark_attack(self, found: dict[str, Any], k: int) -> None:
        """The two stacks of a conspiracy that waits for answers."""
        if k == int(self.view.onto) - 1:
            found |= {"role": "conspiracy", "kind": "strikes", "value": int(self.view.worth[0])}
            found["ghost"] = found["cards"].pop().face
            return
        found |= {"role": "target", "kind": "aim", "value": int(self.view.worth[1])}
        savable = self._savable() if self.asked else []
        verb = "guard" if self.phase == rules.GUARD else "scapegoat"
        single = int(self.view.single) - 1
        for place, (face, _, _) in enumerate(found["cards"]):
            struck = place == single if single >= 0 else self.asked and face.card == self.deed.at
            click = f"{verb} {face.face}" if face.card in savable else ""
            found["cards"][place] = Placed(face, struck, click)

    def _mark_joined(self, found: dict[str, Any], k: int) -> tuple[int, tuple[int, ...]]:
        """The stack the chosen card joins. Returns the card's rank if it stays there, and the Jesters' values."""
        deed, lying = self.deed, tuple(1 for _ in range(int(self.view.stack_jesters[k])))
        found |= {"kind": "strikes", "on": True, "ghost": self._card(int(rules.card_of(self.viewer, deed.rank)))}
        if deed.verb == "conspire":
            values = self._values(deed, 0)
            total = worth(self._filled(deed), self.viewer)[0]
            plus = values[-1] if deed.rank == JESTER else INFLUENCE[deed.rank]
            found |= {"role": "conspiracy", "value": total - plus, "plus": plus}
            return deed.rank, values
        if deed.rank == LADY or (deed.rank == MINISTER and len(found["cards"]) > 1):
            found["role"] = "separated" if deed.rank == LADY else "eliminated"
            return -1, lying
        found |= {"role": "joined", "plus": INFLUENCE[deed.rank]}
        return deed.rank, (*lying, *([1] if deed.rank == JESTER else []))

    def _struck_too(self, k: int) -> bool:
        """base_conspire=all: every other stack of that value is hit too, Jesters there at 1 (M24)."""
        if self.fringe or self.view.base_conspire != rules.CONSPIRE_ALL or not self._aimed():
            return False
        return int(self.view.stack_value[k]) == worth(self._filled(self.deed), self.viewer)[1]

    def _lanes(self) -> list[int]:
        """The order of the sides of the Outer Court: the viewer's own last, next to the hand."""
        return sorted(self.seats, key=lambda seat: (seat == self.viewer, seat))

    def _lane(self, seat: int) -> dict[str, Any]:
        side = [k for k in range(int(self.view.stacks)) if int(self.view.stack_side[k]) == seat + 1]
        title = f"{whose(seat, self.viewer, self.names, start=True)} side"
        return {"seat": seat, "title": title, "stacks": [self._stack(k) for k in side]}

    def _sway(self) -> dict[str, Any]:
        """Influence in the Inner Circle by house, most first, and what control of it needs."""
        census = rules.census(self.view, True)
        tallies = {seat: [int(rules.part(packed, seat)) for packed in census] for seat in self.seats}
        value, nobles = (sum(tally[which] for tally in tallies.values()) for which in range(2))
        parts, before = [], 0
        for seat in sorted(self.seats, key=lambda seat: -tallies[seat][0]):
            worth_here = tallies[seat][0]
            # The mark of one half must not lie on a number.
            covered = before < value / 2 < before + worth_here
            shift = ("le" if value / 2 - before > worth_here / 2 else "ri") if covered and self.fringe else ""
            if worth_here:
                parts.append({"seat": seat, "name": self._name(seat), "value": worth_here, "shift": shift})
            before += worth_here
        nobody = [f"{self._name(seat)} {tallies[seat][1]}" for seat in self.seats]
        return {
            "parts": parts, "value": value, "nobles": nobles,
            "need": (value // 2 + 1, nobles // 2 + 1), "standing": ", ".join(nobody),
        }  # fmt: skip

    # Players

    def _plate(self, place: int, seat: int) -> dict[str, Any]:
        view = self.view
        deck = int(rules.deck_with_fringe(view, seat))
        facts = [("at court", self.scores[seat]), ("hand", int(view.hand_size[seat])), ("deck", deck)]
        limit = int(view.limit[seat])
        facts.append(("limit", limit) if limit != rules.NO_LIMIT else ("lost", int(view.discard[seat].sum())))
        acting = not self.over and bool(int(self.now.acting) >> seat & 1)
        striking = bool(self.now.attack) and place == int(self.now.step) and not self.over
        kind = "acting" if acting and not self.asked else "asking" if striking else ""
        if not kind and self.fringe and place < int(self.now.step):
            kind = "done"
        up = int(view.fringe_up[seat])
        return {
            "seat": seat,
            "kind": kind,
            "what": self._doing(place, seat, acting, striking),
            "facts": facts,
            "place": int(view.fringe_place[seat]),
            "card": self._card(int(rules.card_of(seat, up - 1))) if up else None,
            "click": self._click_fringe(seat) if up else "",
            "ringed": HOUSES[seat] in self.reach and not self.deed.aims,
            "aimed": self._aimed() and self.deed.house == seat,
        }

    def _doing(self, place: int, seat: int, acting: bool, striking: bool) -> str:
        if self.over:
            return ""
        putting = acting and self.now.phase == rules.PUT
        deeds = "asked now" if acting and self.now.attack else "puts back" if putting else ""
        deeds = deeds or ("conspires" if striking else "now" if acting else "")
        if not self.fringe:
            return deeds or "comes next"
        if self.view.stuck >> seat & 1:
            deeds = "could play nothing"
        elif place < int(self.now.step):
            deeds = deeds or "has played"
        return ", ".join(filter(None, [ORDINALS[place], deeds]))

    def _lost(self, seat: int) -> list[Thing]:
        """A house's discards."""
        counts = self.view.discard[seat]
        return [
            self._tag(int(rules.card_of(seat, rank))) for rank in range(RANK_COUNT) for _ in range(int(counts[rank]))
        ]

    def _held(self, seat: int) -> list[Face]:
        """The hand of a house at the end."""
        counts = self.view.hand[seat]
        return [
            self._card(int(rules.card_of(seat, rank))) for rank in range(RANK_COUNT) for _ in range(int(counts[rank]))
        ]

    # Your side

    def _hand(self) -> list[dict[str, Any]]:
        if self.viewer == SPECTATOR:
            return []
        found: list[dict[str, Any]] = []
        for rank in range(RANK_COUNT):
            for place in range(int(self.view.hand[self.viewer, rank])):
                above = self.playing and not rules.within_limit(self.view, self.viewer, rank)
                found.append(
                    {
                        "face": self._card(int(rules.card_of(self.viewer, rank))),
                        "key": f"{RANKS[rank]}-{place}",
                        "click": self._click_hand(rank),
                        "chosen": place == 0 and rank == self.deed.rank,
                        "cannot": above,
                        "drawn": False,
                    }
                )
        # The cards just drawn lie last, in the order they came.
        for card in self.view.drawn[self.viewer].tolist():
            if card:
                last = max(i for i, it in enumerate(found) if it["face"].rank == RANKS[card - 1] and not it["drawn"])
                it = found.pop(last)
                face = it["face"]._replace(name=f"{it['face'].name}, just drawn")
                found.append(it | {"face": face, "drawn": True})
        return found

    def _own_fringe(self) -> dict[str, Any]:
        """The own fringe card, as its owner knows it; empty where there is none."""
        view, seat = self.view, self.viewer
        if seat == SPECTATOR or not (self.fringe or view.fringe_up[seat]):
            return {}
        place, rank = int(view.fringe_place[seat]), int(view.fringe_up[seat] or view.fringe_down[seat]) - 1
        card = int(rules.card_of(seat, rank)) if rank >= 0 else 0
        title = {
            rules.FACE_UP: "Fringe card, face up",
            rules.FACE_DOWN: "Next fringe card, face down",
            rules.PERMANENT: "Permanent fringe card" if self.fringe else "Your last card, laid aside",
            rules.NO_FRINGE: "Next fringe card" if self.putting else "No fringe card",
        }[place]
        return {
            "title": title, "card": card, "drawn": self._card(card) if card else None, "down": place == rules.FACE_DOWN,
            "open": place == rules.NO_FRINGE and self.putting, "word": f"the {rank_word(rank)}" if rank >= 0 else "",
        }  # fmt: skip


def _rank(card: int) -> int:
    return (card - 1) % RANK_COUNT


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
