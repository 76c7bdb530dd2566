"""What one viewer sees of the table, and the words for it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from backroom.engine.notation import Thing
from backroom.engine.record import opened
from backroom.games.medici import rules
from backroom.games.medici.cards import HOUSES, RANK_COUNT, RANKS, TITLES, card_text, house_of, rank_of, rank_word
from backroom.games.medici.notation import cards_of, noble, stack_name
from backroom.scenes.draft import Draft
from backroom.text.english import Reader

__all__ = ["PLACES", "Face", "Seen", "capital"]

PLACES = ("1st", "2nd", "3rd", "4th")


class Face(NamedTuple):
    """A card on the table: its number, its name in moves, house, rank and title, and what its reader calls it."""

    card: int
    face: str
    house: str
    rank: str
    title: str
    name: str


@lru_cache(4096)
def _face(card: int, reader: int, names: tuple[str, ...]) -> Face:
    house, rank = HOUSES[house_of(card)], RANKS[rank_of(card)]
    return Face(card, card_text(card), house, rank, TITLES.get(rank, ""), noble(card, reader, names, start=True))


def capital(text: str) -> str:
    """Words as a sentence begins with them."""
    return text[:1].upper() + text[1:]


class Seen(Reader):
    """The court of one viewer, ``seat``: ``view`` as it is when the move in preparation is made, ``now`` as it is.

    Of the viewer ``playing``, ``putting`` and ``asked`` say what it has to decide now, if anything.
    """

    def __init__(self, view: Any, viewer: int, names: Sequence[str], draft: Draft) -> None:
        super().__init__(viewer, names)
        self.draft = draft
        self.view, self.now = opened(view), opened(draft.now)
        self.seats = range(self.view.seats)
        self.order: list[int] = self.view.order[: len(self.seats)].tolist()
        self.over = bool(self.view.over)
        self.active = self.order[min(self.view.step, len(self.order) - 1)]
        self.fringe: bool = self.view.game == rules.FRINGE
        self.phase: int = 0 if self.over else self.view.phase
        self.playing = draft.acting and self.phase == rules.PLAY
        self.putting = draft.acting and self.phase == rules.PUT
        self.asked = draft.acting and self.phase in (rules.GUARD, rules.SCAPEGOAT)
        self.guarding = self.phase == rules.GUARD
        self.legal = draft.game.legal(view, viewer).tolist() if draft.acting else []
        self.scores = draft.game.outcome(view)[0]

    # Words

    def noble(self, card: int, start: bool = False) -> str:
        """See `backroom.games.medici.notation.noble`."""
        return noble(card, self.seat, self.names, start)

    def tag(self, card: int) -> Thing:
        """A card as lines draw it."""
        return Thing("card", card_text(card), self.noble(card))

    def stack(self, k: int) -> str:
        """A stack's id as it is written, ``S7``."""
        return stack_name(self.view, k)

    # Cards

    def face(self, card: int) -> Face:
        """A card as the table draws it."""
        return _face(card, self.seat, tuple(self.names))

    def cards(self, k: int) -> list[int]:
        """The cards of a stack, bottom to top."""
        return cards_of(self.view, k)

    def counted(self, seat: int, counts: Any) -> list[int]:
        """The cards of a house of which there are so many by rank."""
        first = seat * RANK_COUNT + 1
        return [first + rank for rank, count in enumerate(counts.tolist()) for _ in range(count)]

    @property
    def fringe_card(self) -> int:
        """The viewer's own fringe card, face up or down, as its owner knows it; 0: none."""
        up, down = self.view.fringe_up[self.seat], self.view.fringe_down[self.seat]
        rank = int(up or down)
        return self.seat * RANK_COUNT + rank if rank else 0

    @property
    def fringe_word(self) -> str:
        """The viewer's own fringe card as it is said: ``the 6``; empty where there is none."""
        return f"the {rank_word(rank_of(self.fringe_card))}" if self.fringe_card else ""

    # The attack under way

    @property
    def attacking(self) -> int:
        """The stack that a conspiracy under way strikes with."""
        return int(self.view.onto) - 1

    @property
    def attacked(self) -> int:
        """The stack that a conspiracy under way strikes."""
        return int(self.view.target) - 1

    @property
    def demotes(self) -> bool:
        """Whether the attack demotes; else it discards."""
        return self.view.attack in (rules.DEMOTE_ALL, rules.DEMOTE_ONE)

    def prey(self) -> int:
        """The noble that is singled out, or the lone one that is hit; 0: a whole stack is."""
        cards = self.cards(self.attacked)
        if self.view.attack in (rules.DEMOTE_ONE, rules.DISCARD_ONE):
            return cards[int(self.view.single) - 1]
        return cards[0] if len(cards) == 1 else 0

    def struck(self, start: bool = False) -> str:
        """The target of the current attack: a noble, or a whole stack."""
        prey = self.prey()
        return self.noble(prey, start) if prey else f"{'All' if start else 'all'} of {self.stack(self.attacked)}"

    def savable(self) -> dict[int, str]:
        """The cards that the viewer, who is asked, could save, and the text that saves each."""
        verb, first = ("guard", rules.GUARD_FIRST) if self.guarding else ("scapegoat", rules.SCAPEGOAT_FIRST)
        cards = [action - first + 1 for action in self.legal[:-1]]
        return {card: f"{verb} {card_text(card)}" for card in cards}

    @property
    def declined(self) -> tuple[str, str, str]:
        """The answer that saves nobody: its title, its text and its drawing."""
        return ("Let it fall", "noguard", "arrow") if self.guarding else ("Let it go", "noscapegoat", "cross")
