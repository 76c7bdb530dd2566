"""Other systems, measured on the same work: a process that answers one JSON line for each that it is asked.

Runs under the Python of ``.venv-bench`` (``requirements-bench.lock``) and imports nothing of ours. A question is
``{"system": ..., "game": ..., "seconds": ...}``; the answer ``{"decisions": ..., "cpu": ..., "wall": ...}``: decisions
of random play, the process's CPU time and the time that passed, both in seconds; or ``{"error": ...}``.

The work is the same everywhere: the legal actions of a position are found, one is drawn uniformly, it is applied,
and at the end the result is known.
"""

import contextlib
import functools
import importlib
import importlib.metadata
import json
import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

# One core: more would have to share the batch out, and what counts is work per core.
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

Answer = dict[str, Any]


def timed(work: Callable[[], int], seconds: float) -> Answer:
    """Repeat ``work``, which returns decisions made, for so many seconds of the processor (3 times as many passed)."""
    decisions, wall, cpu = 0, time.perf_counter(), time.process_time()
    while time.process_time() - cpu < seconds and time.perf_counter() - wall < 3 * seconds:
        decisions += work()
    return {"decisions": decisions, "cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}


# OpenSpiel

OPENSPIEL = {"leduc_holdem": "leduc_poker"}


def openspiel_step(state: Any, draw: random.Random) -> int:
    """One step of random play; 1 for a decision, 0 for chance."""
    if state.is_chance_node():
        outcomes = state.chance_outcomes()
        state.apply_action(draw.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0])
        return 0
    state.apply_action(draw.choice(state.legal_actions()))
    return 1


def openspiel_python(game: str) -> Callable[[], int]:
    """OpenSpiel's states driven from Python."""
    import pyspiel

    loaded, draw = pyspiel.load_game(OPENSPIEL.get(game, game)), random.Random(1)

    def work() -> int:
        decisions, state = 0, loaded.new_initial_state()
        while not state.is_terminal():
            decisions += openspiel_step(state, draw)
        state.returns()
        return decisions

    return work


@functools.cache
def openspiel_roots(game: str) -> list[tuple[Any, float]]:
    """Positions after the deal, with the mean number of decisions in random play from there.

    OpenSpiel's search cannot start where chance is to decide. Of hearts one position for each direction of passing.
    """
    import pyspiel

    loaded, draw = pyspiel.load_game(OPENSPIEL.get(game, game)), random.Random(1)
    roots = []
    for number in range(4 if game == "hearts" else 1):
        root = loaded.new_initial_state()
        if game == "hearts":
            root.apply_action(number)
        while root.is_chance_node():
            openspiel_step(root, draw)
        # Every game of hearts from one deal has the same length.
        games, decisions = 50 if game == "hearts" else 20_000, 0
        for _ in range(games):
            state = root.clone()
            while not state.is_terminal():
                decisions += openspiel_step(state, draw)
        roots.append((root, decisions / games))
    return roots


def openspiel_rollouts(game: str) -> Callable[[], int]:
    """OpenSpiel's C++ rollouts: one simulation of its search, whose evaluator plays many random games."""
    import pyspiel

    rollouts, roots = 4000, openspiel_roots(game)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=1)
    bot = pyspiel.MCTSBot(roots[0][0].get_game(), evaluator, 1.0, 1, 100, False, 1, False)

    def work() -> int:
        for root, _ in roots:
            bot.mcts_search(root)
        return round(rollouts * sum(mean for _, mean in roots))

    return work


def openspiel_search(game: str) -> Callable[[], int]:
    """OpenSpiel's C++ search with one rollout a simulation; counts simulations, from the game's opening."""
    import pyspiel

    loaded = pyspiel.load_game(game)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    bot = pyspiel.MCTSBot(loaded, evaluator, 1.4, SIMULATIONS, 1000, False, 1, False)

    def work() -> int:
        bot.mcts_search(loaded.new_initial_state())
        return SIMULATIONS

    return work


SIMULATIONS = 10_000


class Match:
    """A game that OpenSpiel's search plays against somebody else: told the other's actions, it answers with its own."""

    def __init__(self, game: str, simulations: int, seed: int) -> None:
        import pyspiel

        loaded = pyspiel.load_game(game)
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
        self.bot = pyspiel.MCTSBot(loaded, evaluator, 1.4, simulations, 1000, False, seed, False)
        self.state = loaded.new_initial_state()

    def answer(self, theirs: int | None, ask: bool) -> Answer:
        """Take the other's action (if any), make one (if asked); the action made and the first player's result."""
        if theirs is not None:
            self.state.apply_action(theirs)
        mine = None
        if ask:
            mine = self.bot.step(self.state)
            self.state.apply_action(mine)
        return {"action": mine, "result": self.state.returns()[0] if self.state.is_terminal() else None}


# Pgx


PGX_BATCH = 4096


def pgx(game: str) -> Callable[[], int]:
    """Pgx, compiled by JAX for the CPU. Of its two ways of playing on, whole batches and games replaced one by one as
    they end, the faster one for this game is taken."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    ways = [pgx_batches(game), pgx_replaced(game)]
    speeds = []
    for way in ways:
        way()
        tried = timed(way, 0.3)
        speeds.append(tried["decisions"] / tried["cpu"])
    return ways[speeds.index(max(speeds))]


def pgx_choice(key: Any, legal: Any) -> Any:
    """A uniformly random legal action for each row of the batch."""
    import jax
    import jax.numpy as jnp

    counts = jnp.cumsum(legal, axis=1)
    wanted = jnp.floor(jax.random.uniform(key, (PGX_BATCH,)) * counts[:, -1])
    return jnp.argmax(counts > wanted[:, None], axis=1)


def pgx_dealt(game: str) -> Callable[[], int]:
    """Pgx from a batch dealt once and for all: what the rollouts of others play, that cannot start with the deal."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    return pgx_batches(game, dealt=True)


def pgx_batches(game: str, dealt: bool = False) -> Callable[[], int]:
    """Start a batch, play until all its games have ended; only decisions in games still going are counted."""
    import jax
    import jax.numpy as jnp
    import pgx as library

    env = library.make(game)
    begin, step = jax.vmap(env.init), jax.vmap(env.step)

    @jax.jit
    def deal(key: Any) -> Any:
        return begin(jax.random.split(key, PGX_BATCH))

    @jax.jit
    def run(state: Any, key: Any) -> tuple[Any, Any, Any]:
        def going(carry: Any) -> Any:
            return ~jnp.all(carry[0].terminated)

        def advance(carry: Any) -> Any:
            state, key, decisions = carry
            decisions += jnp.sum(~state.terminated)
            key, now = jax.random.split(key)
            return step(state, pgx_choice(now, state.legal_action_mask)), key, decisions

        if not dealt:
            key, now = jax.random.split(key)
            state = deal(now)
        state, key, decisions = jax.lax.while_loop(going, advance, (state, key, jnp.int32(0)))
        return state.rewards.sum(), key, decisions

    memory = {"key": jax.random.PRNGKey(1)}
    opening = deal(memory["key"]) if dealt else None

    def work() -> int:
        _, memory["key"], decisions = run(opening, memory["key"])
        return int(decisions)

    return work


def pgx_replaced(game: str) -> Callable[[], int]:
    """Replace each game by a new one as it ends (Pgx's own ``auto_reset``), so every step is a decision."""
    import jax
    import pgx as library
    from pgx.experimental.wrappers import auto_reset

    env, steps = library.make(game), 100
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def run(state: Any, key: Any) -> tuple[Any, Any]:
        def advance(carry: Any, _: Any) -> Any:
            state, key = carry
            key, now, new = jax.random.split(key, 3)
            action = pgx_choice(now, state.legal_action_mask)
            return (step(state, action, jax.random.split(new, PGX_BATCH)), key), None

        return jax.lax.scan(advance, (state, key), None, length=steps)[0]

    key = jax.random.PRNGKey(1)
    memory = {"state": jax.vmap(env.init)(jax.random.split(key, PGX_BATCH)), "key": key}

    def work() -> int:
        memory["state"], memory["key"] = run(memory["state"], memory["key"])
        memory["key"].block_until_ready()
        return steps * PGX_BATCH

    return work


# RLCard and PettingZoo


def rlcard(game: str) -> Callable[[], int]:
    """RLCard's environment loop."""
    import rlcard as library

    env = library.make({"leduc_holdem": "leduc-holdem"}[game], config={"seed": 1})
    draw = random.Random(1)

    def work() -> int:
        decisions, (state, _) = 0, env.reset()
        while not env.is_over():
            state, _ = env.step(draw.choice(list(state["legal_actions"])))
            decisions += 1
        env.get_payoffs()
        return decisions

    return work


PETTINGZOO = {"tic_tac_toe": "tictactoe_v3", "connect_four": "connect_four_v3", "leduc_holdem": "leduc_holdem_v4"}


def pettingzoo(game: str) -> Callable[[], int]:
    """PettingZoo's loop over agents, as its documentation shows it."""
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    env = importlib.import_module(f"pettingzoo.classic.{PETTINGZOO[game]}").env()
    seeds = iter(range(1, 10**9))

    def work() -> int:
        decisions = 0
        env.reset(seed=next(seeds))
        for agent in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            action = None
            if not (ended or cut):
                action = env.action_space(agent).sample(observation["action_mask"])
                decisions += 1
            env.step(action)
        return decisions

    return work


SYSTEMS: dict[str, tuple[str, Callable[[str], Callable[[], int]]]] = {
    "openspiel_rollouts": ("open-spiel", openspiel_rollouts),
    "openspiel_search": ("open-spiel", openspiel_search),
    "openspiel_python": ("open-spiel", openspiel_python),
    "pgx": ("pgx", pgx),
    "pgx_dealt": ("pgx", pgx_dealt),
    "rlcard": ("rlcard", rlcard),
    "pettingzoo": ("pettingzoo", pettingzoo),
}


def main() -> None:
    """Answer questions until the input ends."""
    # Libraries print to standard output; the answers have it to themselves.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    ready: dict[tuple[str, str], Callable[[], int]] = {}
    match: Match | None = None
    for line in sys.stdin:
        question = json.loads(line)
        try:
            if question["system"] == "openspiel_match":
                if question["begin"]:
                    match = Match(question["game"], question["simulations"], question["seed"])
                assert match is not None
                answer = match.answer(question["theirs"], question["ask"])
            else:
                package, make = SYSTEMS[question["system"]]
                key = (question["system"], question["game"])
                if key not in ready:
                    ready[key] = make(question["game"])
                    ready[key]()
                answer = timed(ready[key], question["seconds"])
                answer["version"] = importlib.metadata.version(package)
        except Exception as problem:  # whatever ails a peer is reported in its row of the table
            answer = {"error": f"{type(problem).__name__}: {problem}".splitlines()[0]}
        answers.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
