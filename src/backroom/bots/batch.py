"""Whole games between bots that need no tree, in one compiled loop without the interpreter lock: for lab and ladder."""

from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from backroom.bots.bot import LONGEST_GAME, Bot
from backroom.bots.greedy import GreedyBot, Workspace, move_loop, move_signature
from backroom.bots.random import PolicyBot
from backroom.engine import rng
from backroom.engine.game import CAPPED, Game, uniform_policy
from backroom.engine.kernel import INT, INTS, LONGS, VOID, Int, function_type, kernel, natural, specialise
from backroom.engine.record import copy_view

__all__ = ["Played", "batched", "game_loop", "play_games", "prepare_games"]


LOWEST_BIT = np.zeros(32, np.int64)
"""The number of a bit set's lowest bit, by the top five bits of (set & -set) * 0x077CB531: a de Bruijn sequence."""
for _bit in range(32):
    LOWEST_BIT[((1 << _bit) * 0x077CB531 & 0xFFFFFFFF) >> 27] = _bit


@kernel
def lowest_seat(bits: Int) -> Int:
    """The lowest seat in a bit set that is not empty, without a branch to guess wrong."""
    return natural(LOWEST_BIT[((np.int64(bits) & -np.int64(bits)) * 0x077CB531 & 0xFFFFFFFF) >> 27])


class Played(NamedTuple):
    """Finished games, one a row: actions played, turns, the value of ``over``, why the game ended, places by seat.

    ``endings`` is the field ``ending`` of a game whose rules name its bits in ``ENDINGS``, else 0; place 1 is the best.
    """

    decisions: NDArray[np.int32]
    turns: NDArray[np.int32]
    over: NDArray[np.int32]
    endings: NDArray[np.int32]
    places: NDArray[np.int32]


def _play_games(
    blank: Any,
    keys: Any,
    who: Any,
    seed: Int,
    first: Int,
    is_greedy: Any,
    masked: Any,
    decisions: Any,
    turns: Any,
    over: Any,
    places: Any,
    finals: Any,
    state: Any,
    memory: Any,
    masks: Any,
    randoms: Any,
    random: Any,
    work: Any,
    moves: Any,
    lengths: Any,
    pending: Any,
    out: Any,
    scores: Any,
    ranks: Any,
    log: Any,
    setup: Any,
    legal: Any,
    apply: Any,
    resample: Any,
    outcome: Any,
    evaluate: Any,
    policy: Any,
    sealed: Any,
    chatter: Any,
    talk: Any,
    policy_0: Any,
    policy_1: Any,
    choose: Any,
) -> None:
    # state[0] is the game, state[1] the acting seat's view of it; memory is the same two as bytes. finals takes the
    # last state of every game, if there is room for it.
    s, seats = state[0], np.int64(blank.seats)
    for game in range(keys.shape[0]):
        state[0] = blank
        for i in range(keys.shape[1]):
            s.chance_key[i] = keys[game, i]
        setup(s, log)
        played, uniform = np.int64(0), True
        for seat in range(seats):
            uniform = uniform and not masked[who[game, seat]] and not is_greedy[who[game, seat]]
        if uniform:
            # The busiest loop of a simulation: all seats play at random, so one generator serves them all.
            rng.reseed(random, seed, (first + game) * seats)
            while s.over == 0 and played < LONGEST_GAME:
                seat = lowest_seat(s.acting)
                n = legal(s, seat, out)
                apply(s, seat, np.int64(out[rng.below(random, n)]), log)
                played += 1
        else:
            for seat in range(seats):
                rng.reseed(randoms[seat], seed, (first + game) * seats + seat)
        while s.over == 0:
            if played >= LONGEST_GAME:
                s.over = CAPPED
                break
            seat = lowest_seat(s.acting)
            bot = who[game, seat]
            # Copied in and out: `randoms[seat]` would be a new array, counted up and down, at every decision.
            for i in range(4):
                random[i] = randoms[seat, i]
            view = state[0]
            if masked[bot]:
                view = state[1]
                copy_view(memory[0], masks, seat, memory[1])
                message = chatter(view, seat, random)
                if message >= 0:
                    talk(s, seat, message, log)
                    copy_view(memory[0], masks, seat, memory[1])
            if is_greedy[bot]:
                row = choose(
                    view, seat, work, moves, lengths, pending, out, scores, ranks, log, random,
                    legal, apply, resample, outcome, evaluate, policy, sealed,
                )  # fmt: skip
                for i in range(lengths[row]):
                    apply(s, seat, moves[row, i], log)
                played += lengths[row]
            else:
                n = legal(view, seat, out)
                if not masked[bot]:
                    action = np.int64(out[rng.below(random, n)])
                elif bot == 0:
                    action = policy_0(view, seat, out, n, random)
                else:
                    action = policy_1(view, seat, out, n, random)
                apply(s, seat, action, log)
                played += 1
            for i in range(4):
                randoms[seat, i] = random[i]
        decisions[game] = played
        turns[game] = s.turn
        over[game] = s.over
        outcome(s, scores, places[game])
        if game < finals.shape[0]:
            finals[game] = state[0]


@cache
def game_loop(game: Game) -> Any:
    """The compiled loop of `play_games` for a game; compiles it or loads it when first called."""
    s, table = game.state.numba_type, numba.int32[:, ::1]
    states, memory = numba.types.Array(s, 1, "C"), numba.uint8[:, ::1]
    names = (
        "setup", "legal", "apply", "resample", "outcome", "evaluate", "policy", "sealed", "chatter", "talk",
        "policy", "policy",
    )  # fmt: skip
    signature = VOID(
        s, numba.uint32[:, ::1], table, INT, INT, INTS, INTS, INTS, INTS, INTS, table, states, states, memory, memory,
        numba.int64[:, ::1], LONGS, states, table, INTS, table, INTS, INTS, INTS, game.events.numba_type,
        *(game.kernel_type(name) for name in names), function_type(move_signature(game)),
    )  # fmt: skip
    return specialise(_play_games, signature)


def batched(bot: Bot) -> bool:
    """Whether `play_games` can play this bot."""
    return isinstance(bot, GreedyBot) or (isinstance(bot, PolicyBot) and bot.chatter is None)


def prepare_games(bots: tuple[Bot, Bot], blank: Any) -> None:
    """Compile (or load) and type all that whole games between two bots need, before threads or a clock start."""
    game = bots[0].game
    _ = game.kernels
    for bot in bots:
        bot.prepare()
    if all(batched(bot) for bot in bots):
        none = np.zeros((0, int(blank.seats)), np.int32)
        play_games(bots, none, blank, np.zeros((0, 8), np.uint32), 0, 0)


def play_games(
    bots: tuple[Bot, Bot], who: NDArray[np.int32], blank: Any, keys: NDArray[np.uint32], seed: int, first: int
) -> Played:
    """Play whole games between two bots, each of which can sit in any seats.

    ``who`` says by game and seat (shape (games, seats)) which of the two sits there, ``blank`` is a state of
    `Game.blank`, ``keys`` holds a match seed a row (shape (games, 8)). The bots of row i draw from ``seed``
    (0 .. 2**63 - 1) and the number ``first + i`` alone. A game longer than LONGEST_GAME is stopped as CAPPED.
    ValueError for bots that are not `batched`.
    """
    if not all(batched(bot) for bot in bots):
        raise ValueError(f"{bots[0].spec}, {bots[1].spec}: only policies and greedy bots play without a tree")
    game = bots[0].game
    count, seats, kernels = len(keys), int(blank.seats), game.kernels
    policies = [bot.policy if isinstance(bot, PolicyBot) else kernels["policy"] for bot in bots]
    is_greedy = [isinstance(bot, GreedyBot) for bot in bots]
    # The uniform policy looks at nothing but the list of legal actions, so it needs no view where nobody would talk.
    silent = getattr(game.hints, "chatter", None) is None
    blind = [silent and isinstance(bot, PolicyBot) and bot.kernel is uniform_policy for bot in bots]
    decisions, turns, over = (np.zeros(count, np.int32) for _ in range(3))
    places = np.zeros((count, game.state.seats), np.int32)
    state, named = game.state.new_array(2), hasattr(game.rules, "ENDINGS")
    finals = game.state.new_array(count if named else 0)
    work = Workspace.new(game)
    game_loop(game)(
        blank, keys, who, seed, first, np.array(is_greedy, np.int32), 1 - np.array(blind, np.int32),
        decisions, turns, over, places, finals,
        state, state.view(np.uint8).reshape(2, -1), game.state.masks.copy(),
        np.zeros((seats, 4), np.int64), np.zeros(4, np.int64), *work,
        kernels["setup"], kernels["legal"], kernels["apply"], kernels["resample"], kernels["outcome"],
        kernels["evaluate"], kernels["policy"], kernels["sealed"], kernels["chatter"], kernels["talk"],
        *policies, move_loop(game),
    )  # fmt: skip
    endings = finals["ending"].astype(np.int32) if named else np.zeros(count, np.int32)
    return Played(decisions, turns, over, endings, places[:, :seats])
