"""Bots that follow a policy kernel: uniformly random ones, and a game's personas; and whole games of them, compiled."""

from functools import cache
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from backroom.bots.bot import LONGEST_GAME, Bot
from backroom.engine import rng
from backroom.engine.game import CAPPED, Game, uniform_policy
from backroom.engine.kernel import INT, INTS, JIT, VOID, Int, specialise
from backroom.engine.record import copy_view

__all__ = ["PolicyBot", "game_loop", "play_games"]


class PolicyBot(Bot):
    """Plays by a policy kernel ``policy(s, seat, legal, n, rng) -> action``, called on the seat's view."""

    def __init__(self, game: Game, spec: str, policy: Any) -> None:
        super().__init__(game, spec)
        self.policy = policy
        if JIT:
            policy.compile(game.signatures["policy"])

    def prepare(self) -> None:
        game_loop(self.game)

    def decide(self, view: Any, seat: int, random: NDArray[np.int64]) -> int:
        legal = self.game.legal(view, seat)
        return int(self.policy(view, seat, legal, len(legal), random))


def _play_games(
    blank: Any,
    keys: Any,
    seed: Int,
    first: Int,
    masked: Int,
    decisions: Any,
    turns: Any,
    over: Any,
    places: Any,
    states: Any,
    memory: Any,
    masks: Any,
    legal_actions: Any,
    scores: Any,
    randoms: Any,
    log: Any,
    setup: Any,
    legal: Any,
    apply: Any,
    outcome: Any,
    policy: Any,
    chatter: Any,
    talk: Any,
) -> None:
    # states[0] is the game, states[1] the acting seat's view of it; memory is the same two as bytes.
    s, view = states[0], states[1]
    seats = np.int64(blank.seats)
    for game in range(keys.shape[0]):
        states[0] = blank
        for i in range(keys.shape[1]):
            s.chance_key[i] = keys[game, i]
        for seat in range(seats):
            rng.reseed(randoms[seat], seed, (first + game) * seats + seat)
        setup(s, log)
        played = 0
        while s.over == 0:
            if played == LONGEST_GAME:
                s.over = CAPPED
                break
            acting = np.int64(s.acting)
            seat = 0
            while acting >> seat & 1 == 0:
                seat += 1
            if masked:
                copy_view(memory[0], masks, seat, memory[1])
            known = view if masked else s
            message = chatter(known, seat, randoms[seat])
            if message >= 0:
                talk(s, seat, message, log)
                if masked:
                    copy_view(memory[0], masks, seat, memory[1])
            n = legal(known, seat, legal_actions)
            apply(s, seat, policy(known, seat, legal_actions, n, randoms[seat]), log)
            played += 1
        decisions[game] = played
        turns[game] = s.turn
        over[game] = s.over
        outcome(s, scores, places[game])


@cache
def game_loop(game: Game) -> Any:
    """The compiled loop of `play_games` for a game."""
    s = game.state.numba_type
    states, log, bytes_of = numba.types.Array(s, 1, "C"), game.events.numba_type, numba.uint8[:, ::1]
    names = ("setup", "legal", "apply", "outcome", "policy", "chatter", "talk")
    signature = VOID(
        s, numba.uint32[:, ::1], INT, INT, INT, INTS, INTS, INTS, numba.int32[:, ::1], states, bytes_of, bytes_of,
        INTS, INTS, numba.int64[:, ::1], log, *(game.kernel_type(name) for name in names),
    )  # fmt: skip
    return specialise(_play_games, signature)


def play_games(
    bot: PolicyBot, blank: Any, keys: NDArray[np.uint32], seed: int, first: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Play whole games of one policy bot in all seats, without the interpreter lock.

    ``blank`` is a state of `Game.blank`, ``keys`` holds a match seed a row (shape (games, 8)). Game i draws the bots'
    randomness from ``seed`` (0 .. 2**63 - 1) and its number ``first + i`` alone. Returns, by game: actions played,
    turns, the value of ``over``, and places by seat (shape (games, seats), 1 is the best).
    """
    game = bot.game
    count, seats = len(keys), int(blank.seats)
    decisions, turns, over = np.zeros(count, np.int32), np.zeros(count, np.int32), np.zeros(count, np.int32)
    places = np.zeros((count, game.state.seats), np.int32)
    states = game.state.new_array(2)
    memory = states.view(np.uint8).reshape(2, game.state.itemsize)
    kernels = game.kernels
    # The uniform policy looks at nothing but the list of legal actions, so it needs no view.
    masked = int(bot.policy is not uniform_policy or game.messages is not None)
    game_loop(game)(
        blank, keys, seed, first, masked,
        decisions, turns, over, places,
        states, memory, game.state.masks.copy(),
        np.zeros(game.actions.count, np.int32), np.zeros(game.state.seats, np.int32),
        np.zeros((seats, 4), np.int64), game.events.new_log(recording=False),
        kernels["setup"], kernels["legal"], kernels["apply"], kernels["outcome"], bot.policy,
        kernels["chatter"], kernels["talk"],
    )  # fmt: skip
    return decisions, turns, over, places[:, :seats]
