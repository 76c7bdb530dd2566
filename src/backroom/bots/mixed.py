"""Bots that now and then play as another one would: by slipping, or by a habit of their own."""

import math
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.bots.bot import Bot
from backroom.engine import rng
from backroom.engine.game import Game
from backroom.engine.kernel import specialise
from backroom.engine.view import determinize

__all__ = ["TASTES", "MixedBot", "TasteBot"]

MOST_TRIED = 64
"""Actions that a taste compares. Of a seat that has more, this many are drawn at random."""


class MixedBot(Bot):
    """Plays as ``main`` does, but with a chance of ``share`` (0 to 1) a whole move of ``other``'s.

    Where talk is part of the rules, ``chatter`` is what it says before a decision (kernel ``(s, seat, rng) -> message
    or -1``; none: as ``main``), and ``promise`` the action that its word binds it to (the same, action or -1), which
    goes before both. It plays on the view that ``main`` has.
    """

    def __init__(
        self, game: Game, spec: str, main: Bot, other: Bot, share: float, chatter: Any = None, promise: Any = None
    ) -> None:
        super().__init__(game, spec)
        self.main, self.other, self.share, self.kept = main, other, share, promise
        self.chatter = chatter or main.chatter
        self.remembers, self.iterations = main.remembers, max(main.iterations, other.iterations)

    def prepare(self) -> None:
        self.main.prepare()
        self.other.prepare()

    def informed(self, views: Iterable[Any], view: Any, seat: int) -> Any:
        return self.main.informed(views, view, seat)

    def at_most(self, iterations: int) -> Bot:
        main, other = self.main.at_most(iterations), self.other.at_most(iterations)
        return MixedBot(self.game, self.spec, main, other, self.share, self.chatter, self.kept)

    def _promised(self, view: Any, seat: int, random: NDArray[np.int64]) -> int:
        """The action that its word binds it to, or -1."""
        return -1 if self.kept is None else int(self._promise(view, seat, random))

    @cached_property
    def _promise(self) -> Any:
        return specialise(self.kept, self.game.signatures["chatter"])

    def choose(self, view: Any, seat: int, random: NDArray[np.int64], until: float = math.inf) -> list[int]:
        seat = self.asked(view, seat, random)
        if (action := self._promised(view, seat, random)) >= 0:
            return [action]
        return self._player(random).choose(view, seat, random, until)

    def _decide(self, view: Any, seat: int, random: NDArray[np.int64], until: float) -> int:
        if (action := self._promised(view, seat, random)) >= 0:
            return action
        return self._player(random).decide(view, seat, random, until)

    def _player(self, random: NDArray[np.int64]) -> Bot:
        return self.other if self.share and rng.uniform(random) < self.share else self.main


Taste = Callable[[list[int], list[float], int], tuple[float, float]]
"""How much a position is to a seat's liking, from the scores there and the game's estimates, both by seat."""


def _leader(scores: list[int], chances: list[float], seat: int) -> int:
    return max((other for other in range(len(scores)) if other != seat), key=lambda p: (scores[p], chances[p]))


def _spoil(scores: list[int], chances: list[float], seat: int) -> tuple[float, float]:
    first = _leader(scores, chances, seat)
    return -scores[first], -chances[first]


TASTES: dict[str, Taste] = {
    "grab": lambda scores, chances, seat: (scores[seat], chances[seat]),
    "save": lambda scores, chances, seat: (-scores[seat], chances[seat]),
    "spoil": _spoil,
    "deny": lambda scores, chances, seat: (scores[seat] - sum(scores), chances[seat]),
}
"""What a habit looks at after an action, whatever the game: most points for oneself now, fewest points for oneself now
(so as to have more later), fewest for whoever of the others leads, fewest for all others."""


class TasteBot(Bot):
    """Plays the action after which the position is most to its taste, for any game; of equals one at random.

    What is hidden from it is imagined."""

    def __init__(self, game: Game, spec: str, taste: Taste) -> None:
        super().__init__(game, spec)
        self.taste = taste

    def prepare(self) -> None:
        _ = self.game.kernels

    def _decide(self, view: Any, seat: int, random: NDArray[np.int64], until: float) -> int:
        actions = self.game.legal(view, seat).tolist()
        while len(actions) > MOST_TRIED:
            del actions[rng.below(random, len(actions))]
        # One position that the seat could be in: all actions are tried in the same.
        state = determinize(self.game, view, seat, random)
        rated = [(self._rated(self._after(state, seat, action), seat), action) for action in actions]
        best = max(value for value, _ in rated)
        equals = [action for value, action in rated if value == best]
        return int(equals[rng.below(random, len(equals))])

    def _after(self, state: Any, seat: int, action: int) -> Any:
        after = self.game.state.copy(state)
        self.game.kernels["apply"](after, seat, action, self.game.events.new_log(recording=False))
        return after

    def _rated(self, state: Any, seat: int) -> tuple[float, float]:
        scores, _ = self.game.outcome(state)
        evaluate = getattr(self.game.hints, "evaluate", None)
        chances = [0.0 if evaluate is None else self.game.kernels["evaluate"](state, p) for p in range(len(scores))]
        return self.taste(scores, chances, seat)
