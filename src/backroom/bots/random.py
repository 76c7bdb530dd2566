"""Bots that follow a policy kernel: uniformly random ones, and a game's personas."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.bots.bot import Bot
from backroom.engine.game import Game
from backroom.engine.kernel import specialise

__all__ = ["PolicyBot"]


class PolicyBot(Bot):
    """Plays by a policy kernel ``policy(s, seat, legal, n, rng) -> action``, called on the seat's view.

    ``chatter(s, seat, rng) -> message or -1`` is what it says before a decision, none: what the game's hint says.
    """

    def __init__(self, game: Game, spec: str, policy: Any, chatter: Any = None) -> None:
        super().__init__(game, spec)
        self.kernel, self.chatter = policy, chatter

    @cached_property
    def policy(self) -> Any:
        """The policy, compiled."""
        return specialise(self.kernel, self.game.signatures["policy"])

    def prepare(self) -> None:
        _ = self.policy, self.speech

    def _decide(self, view: Any, seat: int, random: NDArray[np.int64], until: float) -> int:
        legal = self.game.legal(view, seat)
        return int(self.policy(view, seat, legal, len(legal), random))
