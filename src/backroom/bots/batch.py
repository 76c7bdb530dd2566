"""Whole games between bots that search no tree: one compiled loop that holds no interpreter lock, for lab and ladder.

What a run does not use is compiled out of the loop: an optional part is None there, and each combination of optional
parts is a loop of its own, compiled (or loaded) when it is first asked for.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from backroom.bots.bot import LONGEST_GAME, Bot
from backroom.bots.greedy import GreedyBot, Rules, Workspace, move_loop
from backroom.bots.memory import MemoryBot, memory_signature, no_memory
from backroom.bots.observer import Observer, observer_signature
from backroom.bots.random import PolicyBot
from backroom.bots.restriction import ALLOWED, keep_allowed
from backroom.engine import rng
from backroom.engine.game import CAPPED, Game, uniform_policy
from backroom.engine.kernel import INT, JIT, VOID, Int, function_type, kernel, named_kernels, natural, specialise
from backroom.engine.record import copy_view

__all__ = ["Played", "batched", "game_loop", "play_games", "prepare_games"]


UNUSED = np.zeros((0, 0), np.int64)
"""The tally of no observer."""

LOWEST_BIT = np.zeros(32, np.int64)
"""The number of a bit set's lowest bit, by the top five bits of (set & -set) * 0x077CB531: a de Bruijn sequence."""
for _bit in range(32):
    LOWEST_BIT[((1 << _bit) * 0x077CB531 & 0xFFFFFFFF) >> 27] = _bit


@kernel
def lowest_seat(bits: Int) -> Int:
    """The lowest seat in a bit set that is not empty, without a branch to guess wrong."""
    return natural(LOWEST_BIT[((np.int64(bits) & -np.int64(bits)) * 0x077CB531 & 0xFFFFFFFF) >> 27])


class Played(NamedTuple):
    """Finished games, one a row: actions played, turns, the value of ``over``, why it ended, places and scores by seat.

    ``endings`` is the field ``ending`` of a game whose rules name its bits in ``ENDINGS``, else 0; place 1 is the best.
    """

    decisions: NDArray[np.int32]
    turns: NDArray[np.int32]
    over: NDArray[np.int32]
    endings: NDArray[np.int32]
    places: NDArray[np.int32]
    scores: NDArray[np.int32]


class _Seating(NamedTuple):
    """Who plays. ``who`` says by game and seat which bot sits there.

    By bot: whether it is greedy, looks at its view (otherwise it sees nothing but its legal actions), talks, and
    remembers, and its memory's parameter.
    """

    who: NDArray[np.int32]
    greedy: NDArray[np.int32]
    looks: NDArray[np.int32]
    talks: NDArray[np.int32]
    remembers: NDArray[np.int32]
    parameters: NDArray[np.float64]


@named_kernels
class _Choices(NamedTuple):
    """How bots decide: the greedy choice with the kernels it needs and, by bot, the policies.

    A bot that follows no policy has the game's in its place, which is never called. There are two places, or else as
    many as a table can have seats: Numba looks up each kernel again whenever the loop is called.
    """

    rules: Rules
    greedy: Any
    policies: tuple[Any, ...]


@named_kernels
class _Talk(NamedTuple):
    """What is said: the kernel of the rules for it and, by bot, what the bot says before a decision."""

    talk: Any
    chatters: tuple[Any, ...]


@named_kernels
class _Memories(NamedTuple):
    """What is remembered: by bot, the kernels of its `backroom.engine.game.Memory`."""

    remember: tuple[Any, ...]
    recollect: tuple[Any, ...]


class _Scratch(NamedTuple):
    """The memory that the loop works in.

    ``state`` holds the game and the acting seat's view of it, ``memory`` is the same two as bytes; ``randoms`` are the
    seats' generators, ``random`` is the one in use; ``rows`` is what the seats remember.
    """

    state: NDArray[Any]
    memory: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    randoms: NDArray[np.int64]
    random: NDArray[np.int64]
    rows: NDArray[np.int64]
    work: Workspace

    @classmethod
    def new(cls, game: Game, remembered: int = 0) -> "_Scratch":
        """Memory for one thread, with room for so many remembered numbers a seat."""
        state = game.state.new_array(2)
        return cls(
            state=state,
            memory=state.view(np.uint8).reshape(2, -1),
            masks=game.state.masks.copy(),
            randoms=np.zeros((game.state.seats, 4), np.int64),
            random=np.zeros(4, np.int64),
            rows=np.zeros((game.state.seats, remembered), np.int64),
            work=Workspace.new(game),
        )


class _Results(NamedTuple):
    """What the loop writes: `Played`, but ``finals`` takes the last state of each game, if there is room for it."""

    decisions: NDArray[np.int32]
    turns: NDArray[np.int32]
    over: NDArray[np.int32]
    places: NDArray[np.int32]
    scores: NDArray[np.int32]
    finals: NDArray[Any]
    tally: NDArray[np.int64]

    @classmethod
    def new(cls, game: Game, games: int, tally: NDArray[np.int64]) -> "_Results":
        """Room for so many games; for their last states where the rules name what can end one."""
        decisions, turns, over = (np.zeros(games, np.int32) for _ in range(3))
        finals = game.state.new_array(games if hasattr(game.rules, "ENDINGS") else 0)
        places, scores = (np.zeros((games, game.state.seats), np.int32) for _ in range(2))
        return cls(decisions, turns, over, places, scores, finals, tally)


def _play_games(
    blank: Any,
    keys: Any,
    seed: Int,
    first: Int,
    setup: Any,
    legal: Any,
    apply: Any,
    outcome: Any,
    seating: Any,
    choices: Any,
    talk: Any,
    memories: Any,
    allowed: Any,
    observe: Any,
    scratch: Any,
    results: Any,
) -> None:
    # All of a tuple is taken out of it here: what stands in the loops would be counted up and down at every decision.
    # `talk` is None where nobody talks, `memories` where nobody remembers, `allowed` where the rules alone say what is
    # legal, `observe` where nobody looks on.
    who, greedy, looks, talks = seating.who, seating.greedy, seating.looks, seating.talks
    remembers, parameters, rows = seating.remembers, seating.parameters, scratch.rows
    rules, choose, policies = choices.rules, choices.greedy, choices.policies
    state, memory, masks, randoms, random = (
        scratch.state, scratch.memory, scratch.masks, scratch.randoms, scratch.random,
    )  # fmt: skip
    states, moves, lengths, pending = (
        scratch.work.states, scratch.work.moves, scratch.work.lengths, scratch.work.pending,
    )  # fmt: skip
    out, points, ranks, log = scratch.work.legal, scratch.work.scores, scratch.work.places, scratch.work.log
    decisions, turns, over, places, scores, finals, tally = (
        results.decisions, results.turns, results.over, results.places, results.scores, results.finals, results.tally,
    )  # fmt: skip
    s, seats = state[0], np.int64(blank.seats)
    for game in range(keys.shape[0]):
        state[0] = blank
        for i in range(keys.shape[1]):
            s.chance_key[i] = keys[game, i]
        setup(s, log)
        played, uniform = np.int64(0), True
        for seat in range(seats):
            uniform = uniform and not looks[who[game, seat]] and not greedy[who[game, seat]]
        if uniform:
            # The busiest loop of a simulation: all seats play at random, so one generator serves them all.
            rng.reseed(random, seed, (first + game) * seats)
            while s.over == 0 and played < LONGEST_GAME:
                seat = lowest_seat(s.acting)
                n = legal(s, seat, out)
                if allowed is not None:
                    n = keep_allowed(out, n, allowed, seat)
                action = np.int64(out[rng.below(random, n)])
                if observe is not None:
                    observe(s, seat, action, tally)
                apply(s, seat, action, log)
                played += 1
        else:
            for seat in range(seats):
                rng.reseed(randoms[seat], seed, (first + game) * seats + seat)
        spoken, moved = np.int64(0), True
        if memories is not None:
            rows[:] = 0
        while s.over == 0:
            if played >= LONGEST_GAME:
                s.over = CAPPED
                break
            if memories is not None and moved:
                for seat in range(seats):
                    bot = who[game, seat]
                    if remembers[bot]:
                        copy_view(memory[0], masks, seat, memory[1])
                        memories.remember[bot](state[1], rows[seat], seat, parameters[bot])
            if talk is not None:
                # Whoever is asked at once speaks before any of them decides, once before each move.
                while np.int64(s.acting) & ~spoken:
                    seat = lowest_seat(np.int64(s.acting) & ~spoken)
                    spoken |= 1 << seat
                    bot = who[game, seat]
                    if talks[bot]:
                        for i in range(4):
                            random[i] = randoms[seat, i]
                        copy_view(memory[0], masks, seat, memory[1])
                        message = talk.chatters[bot](state[1], seat, random)
                        if message >= 0:
                            talk.talk(s, seat, message, log)
                        for i in range(4):
                            randoms[seat, i] = random[i]
            seat = lowest_seat(s.acting)
            bot = who[game, seat]
            # Copied in and out: `randoms[seat]` would be a new array, counted up and down, at every decision.
            for i in range(4):
                random[i] = randoms[seat, i]
            view = state[0]
            if looks[bot]:
                view = state[1]
                copy_view(memory[0], masks, seat, memory[1])
                if memories is not None and remembers[bot]:
                    memories.recollect[bot](view, rows[seat], seat, parameters[bot])
            if greedy[bot]:
                row = choose(
                    view, seat, states, moves, lengths, pending, out, points, ranks, log, random, rules, allowed
                )
                for i in range(lengths[row]):
                    if observe is not None:
                        observe(s, seat, moves[row, i], tally)
                    apply(s, seat, moves[row, i], log)
                played += lengths[row]
            else:
                n = legal(view, seat, out)
                if allowed is not None:
                    n = keep_allowed(out, n, allowed, seat)
                if looks[bot]:
                    action = policies[bot](view, seat, out, n, random)
                else:
                    action = np.int64(out[rng.below(random, n)])
                if observe is not None:
                    observe(s, seat, action, tally)
                apply(s, seat, action, log)
                played += 1
            for i in range(4):
                randoms[seat, i] = random[i]
            moved = not np.int64(s.midmove) >> seat & 1
            if talk is not None and moved:
                spoken &= ~(1 << seat)
        decisions[game] = played
        turns[game] = s.turn
        over[game] = s.over
        outcome(s, scores[game], places[game])
        if game < finals.shape[0]:
            finals[game] = state[0]


def game_loop(game: Game) -> Any:
    """The compiled loop of `play_games` for one or two bots and nothing optional, compiled or loaded."""
    return _loop(game, 2, False, False, False, False)


@cache
def _loop(game: Game, places: int, talking: bool, remembering: bool, restricted: bool, observed: bool) -> Any:
    if not JIT:
        return _play_games
    none, bots = np.zeros((0, 0), np.int32), np.zeros(0, np.int32)
    return specialise(
        _play_games,
        VOID(
            game.state.numba_type,
            numba.uint32[:, ::1],
            INT,
            INT,
            *(game.kernel_type(name) for name in ("setup", "legal", "apply", "outcome")),
            numba.typeof(_Seating(none, bots, bots, bots, bots, np.zeros(0, np.float64))),
            numba.typeof(_choices(game, (), places, restricted)),
            numba.typeof(_talk(game, (), places) if talking else None),
            numba.typeof(_memories(game, (), places) if remembering else None),
            ALLOWED if restricted else numba.none,
            function_type(observer_signature(game)) if observed else numba.none,
            numba.typeof(_Scratch.new(game)),
            numba.typeof(_Results.new(game, 0, UNUSED)),
        ),
    )


def _choices(game: Game, bots: Sequence[Bot], places: int, restricted: bool) -> _Choices:
    none = game.kernels["policy"]
    policies = [bot.policy if isinstance(bot, PolicyBot) else none for bot in bots]
    return _Choices(Rules.of(game), move_loop(game, restricted), (*policies, *[none] * (places - len(bots))))


def _talk(game: Game, bots: Sequence[Bot], places: int) -> _Talk:
    none = game.kernels["chatter"]
    chatters = [bot.speech for bot in bots]
    return _Talk(game.kernels["talk"], (*chatters, *[none] * (places - len(bots))))


def _memories(game: Game, bots: Sequence[Bot], places: int) -> _Memories:
    none = specialise(no_memory, memory_signature(game))
    kernels = [bot.kernels if isinstance(bot, MemoryBot) else (none, none) for bot in bots]
    kernels += [(none, none)] * (places - len(bots))
    return _Memories(tuple(remember for remember, _ in kernels), tuple(recollect for _, recollect in kernels))


def _player(bot: Bot) -> Bot:
    """The bot that decides: of one with a memory, the one that plays on what it remembers."""
    return bot.inner if isinstance(bot, MemoryBot) else bot


def batched(*bots: Bot) -> bool:
    """Whether `play_games` can play these bots: those that search no tree."""
    return all(isinstance(_player(bot), GreedyBot | PolicyBot) for bot in bots)


def prepare_games(
    bots: Sequence[Bot],
    blank: Any,
    observer: Observer | None = None,
    allowed: NDArray[np.uint8] | None = None,
) -> None:
    """Compile (or load) and type all that whole games between these bots need, before threads or a clock start."""
    _ = bots[0].game.kernels
    for bot in bots:
        bot.prepare()
    if batched(*bots):
        none = np.zeros((0, int(blank.seats)), np.int32)
        play_games(bots, none, blank, np.zeros((0, 8), np.uint32), 0, 0, observer, allowed)


def play_games(
    bots: Sequence[Bot],
    who: NDArray[np.int32],
    blank: Any,
    keys: NDArray[np.uint32],
    seed: int,
    first: int,
    observer: Observer | None = None,
    allowed: NDArray[np.uint8] | None = None,
) -> Played:
    """Play whole games between bots of one game, each of which can sit in any seats.

    There are at least one bot and at most as many as the game takes players. ``who`` says by game and seat (shape
    (games, seats)) which of them sits there, ``blank`` is a state of `Game.blank`, ``keys`` holds a match seed a row
    (shape (games, 8)). The bots of row i draw from ``seed`` (0 .. 2**63 - 1) and the number ``first + i`` alone. A game
    longer than LONGEST_GAME is stopped as CAPPED. ``observer`` is shown every decision; it changes none.
    ``allowed`` restricts what seats may play (`backroom.bots.restriction.allowed_actions`). ValueError for bots that
    are not `batched`, and for too many.
    """
    if not batched(*bots):
        raise ValueError(f"{', '.join(bot.spec for bot in bots)}: only policies and greedy bots play without a tree")
    game = bots[0].game
    if len(bots) > game.state.seats:
        raise ValueError(f"{len(bots)} bots: the loop of {game.name} takes {game.state.seats}")
    kernels = game.kernels
    talks = [bot.talks for bot in bots]
    # The uniform policy looks at nothing but the list of legal actions, so it needs no view.
    blind = [isinstance(bot, PolicyBot) and bot.kernel is uniform_policy and not bot.talks for bot in bots]
    remembers = [isinstance(bot, MemoryBot) for bot in bots]
    players = [_player(bot) for bot in bots]
    seating = _Seating(
        who,
        greedy=np.array([isinstance(player, GreedyBot) for player in players], np.int32),
        looks=1 - np.array(blind, np.int32),
        talks=np.array(talks, np.int32),
        remembers=np.array(remembers, np.int32),
        parameters=np.array([bot.parameter if isinstance(bot, MemoryBot) else 0.0 for bot in bots], np.float64),
    )
    remembered = max((bot.memory.size for bot in bots if isinstance(bot, MemoryBot)), default=0)
    policies = 2 if len(bots) <= 2 else game.state.seats
    results = _Results.new(game, len(keys), observer.tally if observer else UNUSED)
    _loop(game, policies, any(talks), any(remembers), allowed is not None, observer is not None)(
        blank, keys, seed, first, kernels["setup"], kernels["legal"], kernels["apply"], kernels["outcome"],
        seating, _choices(game, players, policies, allowed is not None),
        _talk(game, bots, policies) if any(talks) else None,
        _memories(game, bots, policies) if any(remembers) else None,
        allowed, observer.compiled(game) if observer else None, _Scratch.new(game, remembered), results,
    )  # fmt: skip
    endings = results.finals["ending"].astype(np.int32) if len(results.finals) else np.zeros(len(keys), np.int32)
    places, scores = (table[:, : int(blank.seats)] for table in (results.places, results.scores))
    return Played(results.decisions, results.turns, results.over, endings, places, scores)
