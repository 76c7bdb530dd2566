"""The interface of a bot, and a match played by bots.

A bot is given a view, never a state: what its seat may know, with every other byte zero, the match's chance included.
So its move depends on nothing but the view, the seat and its own generator.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.bots.observer import Observer
from backroom.engine import chance
from backroom.engine.game import CAPPED, Game, seats_in
from backroom.engine.kernel import specialise
from backroom.engine.notation import play_on_view
from backroom.engine.record import read
from backroom.engine.refusal import Refusal, checked_seat

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
        self.chatter: Any = None
        """What it says before a decision, a kernel ``(s, seat, rng) -> message or -1``; None: the hint of the game."""

    @abstractmethod
    def prepare(self) -> None:
        """Compile what the bot needs (or load it from the cache on disk), so that its first move does not wait."""

    def informed(self, views: Iterable[Any], view: Any, seat: int) -> Any:
        """The view that the bot plays on: its seat's view unchanged, for bots without a memory.

        ``views`` are all the seat's views since the opening, oldest first and ``view`` last; they are made only when
        they are asked for.
        """
        return view

    def at_most(self, iterations: int) -> "Bot":
        """This bot, or one like it that imagines no more games than that."""
        return self

    def decide(self, view: Any, seat: int, random: NDArray[np.int64], until: float = math.inf) -> int:
        """The bot's next action where ``seat`` is acting; ``random`` is a generator of `backroom.engine.rng`.

        A bot that searches takes what it has found at ``until`` (of `time.monotonic`). Refusal, as of every question to
        a bot: E_ACTOR when there is no such seat or nothing is asked of it, E_OVER when the match is over, E_BOT for a
        view of another game or what is no generator.
        """
        return self._decide(view, self.asked(view, seat, random), random, until)

    def choose(self, view: Any, seat: int, random: NDArray[np.int64], until: float = math.inf) -> list[int]:
        """The actions of one whole move for an acting seat. ``view`` is the seat's view and stays as it is.

        Refusals as of `decide`.
        """
        seat, actions = self.asked(view, seat, random), []
        while True:
            actions.append(self._decide(view, seat, random, until))
            view = play_on_view(self.game, view, seat, actions[-1])
            if not int(view.midmove) >> seat & 1:
                return actions

    def say(self, view: Any, seat: int, random: NDArray[np.int64]) -> int:
        """The number of the message that the bot sends before a decision where talk is part of the rules, or -1.

        Refusals as of `decide`.
        """
        return int(self.speech(view, self.asked(view, seat, random), random))

    def asked(self, view: Any, seat: Any, random: Any) -> int:
        """The seat, if it owes a decision: the one door to the kernels of a bot, which check nothing themselves."""
        state = self.game.state
        if getattr(view, "dtype", None) != state.dtype:
            raise Refusal("E_BOT", f"bot {self.spec} of {self.game.name} was given no view of that game")
        if not isinstance(random, np.ndarray) or random.shape != (4,) or random.dtype != np.int64:
            raise Refusal("E_BOT", "a bot draws from a generator of backroom.engine.rng: four numbers of int64")
        seat = checked_seat(int(read(view, "seats")), seat)
        if read(view, "over"):
            raise Refusal("E_OVER", "the game is over, so nothing is asked of a bot")
        acting = int(read(view, "acting"))
        if not acting >> seat & 1:
            waited = ", ".join(map(str, seats_in(acting)))
            raise Refusal("E_ACTOR", f"seat {seat} owes no decision; waiting for seat {waited}")
        return seat

    @abstractmethod
    def _decide(self, view: Any, seat: int, random: NDArray[np.int64], until: float) -> int:
        """`decide`, for a seat that is acting."""

    @property
    def talks(self) -> bool:
        """Whether the bot may say anything: where talk is part of the rules and it has a `speech`."""
        return self.game.messages is not None and (self.chatter is not None or hasattr(self.game.hints, "chatter"))

    @cached_property
    def speech(self) -> Any:
        """What the bot says before a decision, compiled: ``(s, seat, rng) -> message or -1``."""
        if self.chatter is None:
            return self.game.kernels["chatter"]
        return specialise(self.chatter, self.game.signatures["chatter"])


def play_match(
    blank: Any,
    key: bytes,
    bots: Sequence[Bot],
    randoms: Sequence[NDArray[np.int64]],
    observer: Observer | None = None,
) -> tuple[Any, int]:
    """A whole match, one bot and one generator a seat: the final state and the number of actions played.

    ``blank`` is a state of `Game.blank` and stays as it is, ``key`` the match seed (32 bytes). Where several seats owe
    a decision at once, all choose from what they knew before any of them had answered. A game longer than LONGEST_GAME
    is stopped as CAPPED. ``observer`` is shown every decision.
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
                if observer is not None:
                    observer.compiled(game)(state, seat, action, observer.tally)
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
