"""Bots that follow a policy kernel: uniformly random ones, and a game's personas."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.bots.bot import Bot
from backroom.engine.game import Game
from backroom.engine.kernel import JIT

__all__ = ["PolicyBot"]


class PolicyBot(Bot):
    """Plays by a policy kernel ``policy(s, seat, legal, n, rng) -> action``, called on the seat's view."""

    def __init__(self, game: Game, spec: str, policy: Any) -> None:
        super().__init__(game, spec)
        self.policy = policy

    def prepare(self) -> None:
        if JIT:
            self.policy.compile(self.game.signatures["policy"])

    def decide(self, view: Any, seat: int, random: NDArray[np.int64]) -> int:
        legal = self.game.legal(view, seat)
        return int(self.policy(view, seat, legal, len(legal), random))
