"""The move in preparation: its parts, what it could name next, and the text after each click.

A click names the next part of the move: a card is sent, a stack is joined by it, another stack is struck. Parts named
already are kept where the move stays legal.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from backroom.engine.record import opened
from backroom.games.medici import rules
from backroom.games.medici.cards import HOUSES, INFLUENCE, JESTER, RANKS, card_text, house_of, rank_of, read_card
from backroom.games.medici.notation import Worth, worth
from backroom.games.medici.table.seen import Seen
from backroom.scenes.draft import Draft

__all__ = ["Deed", "Turn"]

Values = tuple[int, ...]
"""Of the Jesters of a stack, bottom to top."""


@dataclass(frozen=True)
class Deed:
    """The parts of a move in preparation: stacks by index, the fringe card by its house; -1, 0 and empty: not named.

    ``values`` are the Jesters' of the conspiracy and of the target.
    """

    verb: str = ""
    rank: int = -1
    onto: int = -1
    target: int = -1
    house: int = -1
    at: int = 0
    values: tuple[Values, Values] = ((), ())
    nospy: bool = False

    @property
    def aims(self) -> bool:
        """Whether the conspiracy has its target."""
        return self.target >= 0 or self.house >= 0


class Turn(Seen):
    """What a viewer sees, with its move in preparation, ``deed``, and what that could name next.

    ``joinable`` are the stacks that the chosen card could conspire with; ``reach`` is what it could strike from the one
    it joins: stacks by index and fringe cards as the house's letter.
    """

    def __init__(self, view: Any, viewer: int, names: Sequence[str], draft: Draft) -> None:
        super().__init__(view, viewer, names, draft)
        self._weighed: dict[Deed, Worth] = {}
        self.deed = self._read()
        self.aimed = self.playing and self.deed.verb == "conspire" and self.deed.onto >= 0 and self.deed.aims
        self.joinable, self.reach = self._possible()

    def _read(self) -> Deed:
        """The parts the draft names, as far as it can be read."""
        words = self.draft.spelled if self.draft.problem is None else ()
        if not words:
            return Deed()
        deed, stack = Deed(words[0].key, nospy=words[-1].key == "nospy"), -1
        for word in words[1:]:
            match word.kind:
                case "card":
                    deed = replace(deed, rank=RANKS.index(word.key))
                case "noble":
                    deed = replace(deed, at=read_card(word.key))
                case "target":
                    deed = replace(deed, target=self._index(word.key))
                case "fringe":
                    deed = replace(deed, house=HOUSES.index(word.key))
                case "stack" if word.text.startswith(">"):
                    deed = replace(deed, onto=self._index(word.key))
                case "stack":
                    stack = self._index(word.key)
                case "value":
                    first, second = deed.values
                    own, value = stack == deed.onto, int(word.key)
                    deed = replace(deed, values=((*first, value), second) if own else (first, (*second, value)))
        return deed

    def _index(self, word: str) -> int:
        return int(rules.find_stack(self.view, int(word[1:]))) if word[1:].isdigit() else -1

    def _possible(self) -> tuple[set[int], set[int | str]]:
        if not self.playing or self.deed.rank < 0:
            return set(), set()
        words = f"conspire {RANKS[self.deed.rank]}"
        joinable = {self._index(word.key) for word in self.draft.begun(words).tokens if word.kind == "stack"}
        if self.deed.onto not in joinable:
            return joinable, set()
        found = self.draft.begun(f"{words} > {self.stack(self.deed.onto)}").tokens
        return joinable, {self._index(word.key) if word.kind == "target" else word.key for word in found}

    # A conspiracy's worth

    def values(self, deed: Deed, which: int) -> Values:
        """The values of the Jesters of the conspiracy (0) or the target (1), named or not (M06)."""
        k = (deed.onto, deed.target)[which]
        lying = int(self.view.stack_jesters[k]) if k >= 0 else 0
        played = [self.played_top(deed.rank)] if which == 0 and deed.rank == JESTER else []
        return deed.values[which] or ((1,) * lying if which else (*((10,) * lying), *played))

    def played_top(self, rank: int) -> int:
        """The highest value of a card of the viewer's hand in a conspiracy."""
        return int(rules.played_top(self.view, self.seat, rank))

    def weighed(self, deed: Deed) -> Worth:
        """What this conspiracy, not declared yet, is worth."""
        if deed not in self._weighed:
            state = opened(self.view)
            state.named, state.naming = state.named.copy(), state.naming.copy()
            state.use, state.played = rules.CONSPIRE, deed.rank + 1
            state.onto, state.target, state.target_fringe = deed.onto + 1, deed.target + 1, deed.house + 1
            for which in range(2):
                values = self.values(deed, which)
                state.named[which, : len(values)], state.naming[which] = values, len(values)
            self._weighed[deed] = worth(state, self.seat)
        return self._weighed[deed]

    def fitting(self, deed: Deed) -> Deed | None:
        """The conspiracy with its noble put in or left out as control demands; None when its values do not win."""
        found = self.weighed(deed)
        if not self.fringe:
            return deed if found.value == found.against else None
        if found.value <= found.against:
            return None
        nospy = deed.nospy and found.spy and not found.control
        if found.control or (found.spy and not nospy) or not found.parts:
            return replace(deed, at=0, nospy=nospy)
        return replace(deed, at=deed.at or self._likely(deed.target), nospy=nospy)

    def _likely(self, k: int) -> int:
        """The noble to single out by default: the most valuable one of another house."""
        return max(self.cards(k), key=lambda card: (house_of(card) != self.seat, INFLUENCE[rank_of(card)]))

    # What is typed

    def text(self, deed: Deed) -> str:
        """The move as it is typed. Jesters with the values they have anyway are not named."""
        words = [deed.verb, RANKS[deed.rank]]
        if deed.onto >= 0:
            words.append(f"> {self.stack(deed.onto)}")
        if deed.target >= 0:
            words.append(f"x {self.stack(deed.target)}")
        elif deed.house >= 0:
            words.append(f"x F{HOUSES[deed.house]}")
        if deed.at:
            words.append(f"at {card_text(deed.at)}")
        unnamed = replace(deed, values=((), ()))
        named = [
            f"{self.stack(k)}={','.join(map(str, values))}"
            for which, (k, values) in enumerate(zip((deed.onto, deed.target), deed.values, strict=True))
            if values and values != self.values(unnamed, which)
        ]
        words += ["j", *named] if named else []
        return " ".join([*words, "nospy"] if deed.nospy else words)

    def text_fitting(self, deed: Deed) -> str:
        """The conspiracy as it is typed, with its noble as control demands; empty when its values do not win."""
        fit = self.fitting(deed)
        return self.text(fit) if fit else ""

    def singled(self) -> dict[int, str]:
        """The nobles of the target of whom one must be chosen, bottom to top, and the text that names each.

        None when all of it is hit.
        """
        fit = self.fitting(self.deed) if self.aimed and self.deed.target >= 0 else None
        if fit is None or not fit.at:
            return {}
        return {card: self.text(replace(fit, at=card)) for card in self.cards(self.deed.target)}

    def click_stack(self, k: int) -> str:
        """The text after a click on a stack; empty: it does nothing."""
        deed, card = self.deed, RANKS[self.deed.rank]
        if not self.playing or deed.rank < 0:
            return ""
        joined = Deed("ally", deed.rank, k)
        if k == deed.onto:
            return f"conspire {card}" if deed.verb == "conspire" and not deed.aims else f"send {card}"
        if k == deed.target:
            return self.text(replace(joined, onto=deed.onto))
        if k in self.reach:
            return self.text(Deed("conspire", deed.rank, deed.onto, k))
        if deed.verb != "conspire":
            return self.text(joined)
        return self.text(replace(joined, verb="conspire")) if k in self.joinable and not deed.aims else ""

    def click_fringe(self, seat: int) -> str:
        """The text after a click on a fringe card; empty: it does nothing."""
        deed = self.deed
        if seat == deed.house:
            return self.text(Deed("ally", deed.rank, deed.onto))
        return self.text(Deed("conspire", deed.rank, deed.onto, house=seat)) if HOUSES[seat] in self.reach else ""

    def click_hand(self, rank: int) -> str:
        """The text after a click on a card of the hand, which keeps what the move does, as far as it can."""
        deed, card = self.deed, RANKS[rank]
        if self.putting:
            return f"put {card}"
        if not self.playing or rank == deed.rank or not rules.within_limit(self.view, self.seat, rank):
            return ""
        if deed.verb in ("plan", "send", ""):
            return f"{deed.verb or 'send'} {card}"
        other = Deed(deed.verb, rank, deed.onto, deed.target, deed.house)
        kept = [other, replace(other, target=-1, house=-1), replace(other, verb="ally", target=-1, house=-1)]
        return next(filter(None, (self.draft.settle(self.text(it)) for it in kept)), "")

    def said_target(self) -> str:
        """What the conspiracy in preparation strikes."""
        if self.deed.house >= 0:
            return f"{self.whose(self.deed.house)} fringe card"
        stack = self.stack(self.deed.target)
        return f"{self.noble(self.deed.at)} in {stack}" if self.deed.at else stack
