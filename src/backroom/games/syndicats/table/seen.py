"""What one viewer sees of the table, and the move in preparation in parts."""

from collections.abc import Iterable, Sequence
from typing import Any

from backroom.engine.record import SPECTATOR, opened
from backroom.games.syndicats import rules
from backroom.games.syndicats.cards import CARDS, DECK, HELD, HOUSE, KITTEN, LAIR, SUPPLY, deck_of
from backroom.games.syndicats.table.faces import Face, shown
from backroom.scenes.draft import Draft
from backroom.text.english import Reader

__all__ = ["Seen"]


class Seen(Reader):
    """The table of one viewer: ``view`` as it is when the move in preparation is made, ``now`` as it is.

    ``phase`` is 0 once it is over. ``picker`` is whose pick it is or was last, ``leader`` who leads the auction; -1
    for nobody. ``legal`` are the actions that may come first, ``typed`` the words of the move in preparation, without
    its commas.
    """

    def __init__(self, view: Any, viewer: int, names: Sequence[str], draft: Draft) -> None:
        super().__init__(viewer, names)
        self.draft = draft
        self.view, self.now = opened(view), opened(draft.now)
        self.deck = deck_of(self.view)
        self.seats = range(self.view.seats)
        self.over = bool(self.view.over)
        self.phase: int = 0 if self.over else self.view.phase
        self.playing = draft.acting
        self.keeper: int = self.view.keeper
        self.picker = int(rules.picker(self.view))
        self.leader = int(rules.leader(self.view)) if self.phase == rules.BID else -1
        self.legal = set(draft.game.legal(view, viewer).tolist()) if draft.acting else set()
        self.typed = draft.text.lower().replace(",", " ").split()
        self.verb = self.typed[0] if self.typed else ""

    @property
    def watching(self) -> bool:
        return self.seat == SPECTATOR

    def acts(self, seat: int) -> bool:
        """Whether this player owes a decision now."""
        return not self.over and bool(self.now.acting >> seat & 1)

    def amount(self, verb: str) -> int | None:
        """The amount that the move in preparation names, where it is of this verb."""
        word = self.typed[1] if self.verb == verb and len(self.typed) == 2 else ""
        return int(word) if word.isdecimal() and len(word) < 5 else None

    # Cards

    def face(self, number: int, side: int = 0) -> Face:
        """See `shown`."""
        return shown(self.deck, self.view, number, side)

    def id(self, number: int) -> str:
        """How a card is written in moves."""
        return self.deck.thing(number).id

    def name(self, number: int, side: int = 0) -> str:
        """What a card is called as it lies, or would lie."""
        return self.face(number, side).name

    def held(self, seat: int) -> list[int]:
        """The cards of an organisation: the kitten, the cats, the lair, the houses."""
        place = HELD + seat
        deck = [card for card in range(self.view.card_count) if self.view.place[card] == place]
        cats = [card for card in deck if self.view.side[card] != HOUSE]
        houses = [card for card in deck if self.view.side[card] == HOUSE]
        own = [card for card in (KITTEN + seat, LAIR + seat) if self.view.place[card] == place]
        return [*own[:1], *cats, *own[1:], *houses]

    def cats(self, seat: int) -> list[int]:
        """The cats of an organisation, ascending: the kitten last."""
        return sorted(card for card in self.held(seat) if rules.is_cat(self.view, seat, card))

    def houses(self, seat: int) -> list[int]:
        """The houses of an organisation, without its lair."""
        return [card for card in self.held(seat) if card < CARDS and self.view.side[card] == HOUSE]

    @property
    def supply(self) -> list[int]:
        return [card for card in range(self.view.card_count) if self.view.place[card] == SUPPLY]

    @property
    def top(self) -> int:
        """The card on top of the deck where that is in play; -1: none is."""
        return int(self.view.top) - 1

    @property
    def cards_left(self) -> int:
        """Cats in the deck, the top one among them: how many, everybody can count."""
        return sum(int(self.view.place[card]) == DECK for card in range(self.view.card_count))

    # Money

    def money(self, seat: int) -> tuple[tuple[str, str, int], ...]:
        """The kinds of money, each with its drawing, what it is and how much there is."""
        view = self.view
        return (
            ("fund", "in the fund, which wins", int(view.fund[seat])),
            ("cash", "ready cash", int(view.cash[seat])),
            ("pile", "bid this round, gone when the pick is made", int(view.pile[seat])),
            ("paid", "paid in this round, for the Mogfather", int(view.now[seat])),
        )

    # Dogs

    @property
    def end_at(self) -> int:
        """With how many dogs it ends; 0: not by dogs alone."""
        return len(self.seats) + int(self.view.dog_margin) if self.view.end == rules.BY_DOGS else 0

    def people_of(self, seats: Iterable[int]) -> str:
        """Players in a row, the reader as you, in the middle of a sentence."""
        return self.people(list(seats), start=False)

    def standing(self, seat: int) -> str:
        """What a player is about, in few words."""
        view = self.view
        if self.over:
            return ""
        if self.phase == rules.BID:
            if view.picked >> seat & 1:
                return "has picked"
            if seat == self.leader:
                return f"leads the bidding with {int(view.pile[seat])}"
            return "has passed" if view.passed >> seat & 1 else "to bid" if self.acts(seat) else "may still bid"
        if self.phase in (rules.PICK, rules.SPEND):
            if seat == self.picker:
                return "attacks" if self.phase == rules.SPEND else "picks now"
            if self.acts(seat):
                return "is attacked"
            return "has picked" if view.picked >> seat & 1 else "picks later"
        if self.phase == rules.FEED:
            return "to pay in" if self.acts(seat) else ""
        if self.phase == rules.SETUP:
            return "is choosing" if self.acts(seat) else "has chosen"
        return "is choosing" if self.acts(seat) else "is ready"
