# mypy: disable-error-code="no-untyped-def,no-untyped-call"
"""What the four yardsticks share: two seats that take turns, one score against the other, one word an action."""

from collections.abc import Sequence
from typing import Any

from backroom.engine import rng
from backroom.engine.events import Event
from backroom.engine.game import FINISHED, Game, Refusal
from backroom.engine.kernel import Int, kernel
from backroom.engine.notation import Line, Token
from backroom.engine.record import Viewer

__all__ = ["Words", "deal_unknown", "finish", "settle"]


@kernel
def finish(s: Any) -> None:
    """End the game."""
    s.acting = 0
    s.over = FINISHED


@kernel
def settle(won: Int, scores: Any, places: Any) -> None:
    """Scores and places from what seat 0 has won of seat 1 (negative: lost, 0: a draw)."""
    scores[0] = won
    scores[1] = -won
    places[0] = 1 if won >= 0 else 2
    places[1] = 1 if won <= 0 else 2


@kernel
def deal_unknown(deck: Any, random: Any) -> None:
    """Fill the zeros of a deck of the cards 1 .. n with the cards that are missing, in uniformly random order."""
    n = deck.shape[0]
    held = 0
    for i in range(n):
        held |= 1 << int(deck[i])
    missing = 0
    for i in range(n):
        missing += deck[i] == 0
    for i in range(n):
        if deck[i] == 0:
            skip = rng.below(random, missing)
            card = 1
            while held >> card & 1 or skip > 0:
                skip -= 1 - (held >> card & 1)
                card += 1
            deck[i] = card
            held |= 1 << card
            missing -= 1


class Words:
    """The notation of a yardstick: every action is one word of its own."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def parse_move(self, game: Game, view: Any, seat: int, text: str, names: Sequence[str]) -> list[int]:
        """The action that the word stands for. Refusal E_SYNTAX for any other text."""
        if text.strip().lower() not in self.words:
            raise Refusal("E_SYNTAX", f"no move {text!r}; there are {', '.join(self.words)}")
        return [self.words.index(text.strip().lower())]

    def move_tokens(self, view: Any, seat: int, action: int, names: Sequence[str]) -> tuple[Token, ...]:
        """The action's word."""
        return (Token(self.words[action], "verb", self.words[action]),)

    def describe(self, event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
        """Nothing: the yardsticks have no events."""
        return None
