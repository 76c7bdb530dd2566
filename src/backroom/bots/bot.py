"""What a bot is, and a match played by bots.

A bot is given a view, never a state: what its seat may know, with every other byte zero, the match's chance included.
So its move depends on nothing but the view, the seat and its own generator.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.engine import chance
from backroom.engine.game import CAPPED, Game, seats_in
from backroom.engine.notation import play_on_view

__all__ = ["Bot", "LONGEST_GAME", "READ_SECONDS", "play_match"]

LONGEST_GAME = 100_000
"""Decisions after which a game between bots is stopped and counted as capped, if the game has no cap of its own."""
READ_SECONDS = 3
"""How long a bot leaves a move on the table that cannot be read again, so that nobody who looks on misses it."""


class Bot(ABC):
    """A player made of code. It holds no state between calls, so one bot can sit in many seats and threads at once.

    ``spec`` is the text that `backroom.bots.make_bot` makes it from. ``remembers`` says whether `informed` reads views,
    ``iterations`` how many games it imagines for a decision; 0: it does not search.
    """

    remembers = False
    iterations = 0

    def __init__(self, game: Game, spec: str) -> None:
        self.game = game
        self.spec = spec

    @abstractmethod
    def prepare(self) -> None:
        """Compile what the bot needs (or load it from the cache on disk), so that its first move does not wait."""

    def informed(self, views: Iterable[Any], view: Any, seat: int) -> Any:
        """What the bot plays on: its seat's view as it is, for bots without a memory.

        ``views`` are all the seat's views since the opening, oldest first and ``view`` last; they are made only when
        they are asked for.
        """
        return view

    def at_most(self, iterations: int) -> "Bot":
        """This bot, or one like it that imagines no more games than that."""
        return self

    @abstractmethod
    def decide(self, view: Any, seat: int, random: NDArray[np.int64], until: float = math.inf) -> int:
        """The bot's next action where ``seat`` is acting; ``random`` is a generator of `backroom.engine.rng`.

        A bot that searches takes what it has found at ``until`` (of `time.monotonic`).
        """

    def choose(self, view: Any, seat: int, random: NDArray[np.int64], until: float = math.inf) -> list[int]:
        """The actions of one whole move for an acting seat. ``view`` is the seat's view and stays as it is."""
        actions = []
        while True:
            actions.append(self.decide(view, seat, random, until))
            view = play_on_view(self.game, view, seat, actions[-1])
            if not int(view.midmove) >> seat & 1:
                return actions

    def say(self, view: Any, seat: int, random: NDArray[np.int64]) -> int:
        """What the bot says before a decision where talk is part of the rules: a message's number, or -1."""
        return int(self.game.kernels["chatter"](view, seat, random))


def play_match(blank: Any, key: bytes, bots: Sequence[Bot], randoms: Sequence[NDArray[np.int64]]) -> tuple[Any, int]:
    """A whole match, one bot and one generator a seat: the final state and the number of actions played.

    ``blank`` is a state of `Game.blank` and stays as it is, ``key`` the match seed (32 bytes). Where several seats owe
    a decision at once, all choose from what they knew before any of them had answered. A game longer than LONGEST_GAME
    is stopped as CAPPED.
    """
    game = bots[0].game
    state, log = game.state.copy(blank), game.events.new_log(recording=False)
    chance.set_key(state, key)
    game.kernels["setup"](state, log)
    decisions = 0
    past = [game.state.copy(state)]
    remembers = any(bot.remembers for bot in bots)
    while not state.over:
        asked = seats_in(int(state.acting))
        if game.messages is not None:
            for seat in asked:
                message = bots[seat].say(game.state.view(state, seat), seat, randoms[seat])
                if message >= 0:
                    game.kernels["talk"](state, seat, message, log)
        views = [_informed(bots[seat], seat, past, state) for seat in asked]
        for seat, view in zip(asked, views, strict=True):
            if state.over or not int(state.acting) >> seat & 1:
                continue
            actions = bots[seat].choose(view, seat, randoms[seat])
            if len(asked) > 1 and actions[0] not in game.legal(state, seat):
                # Choices that were not secret: an answer given before changed what this seat may do.
                actions = bots[seat].choose(_informed(bots[seat], seat, past, state), seat, randoms[seat])
            for action in actions:
                game.apply(state, seat, action, log)
            decisions += len(actions)
            if remembers:
                past.append(game.state.copy(state))
        if decisions >= LONGEST_GAME and not state.over:
            state.over = CAPPED
    return state, decisions


def _informed(bot: Bot, seat: int, past: Sequence[Any], state: Any) -> Any:
    views = (bot.game.state.view(old, seat) for old in past)
    return bot.informed(views, bot.game.state.view(state, seat), seat)
