"""Simulation, intervals and the ladder: counted rightly, repeatable, and the intervals cover what they claim."""

import _thread
import dataclasses
import itertools
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from signal import default_int_handler
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from backroom.bots import make_bot
from backroom.bots.batch import play_games
from backroom.bots.bot import play_match
from backroom.bots.observer import Observer
from backroom.bots.random import PolicyBot
from backroom.bots.threads import in_order
from backroom.engine import chance, rng
from backroom.engine.game import CAPPED, FINISHED, Game, Refusal, find_game
from backroom.engine.kernel import JIT, kernel
from backroom.lab.ladder import ladder
from backroom.lab.run import Interrupted, Summary, simulate, simulation_options, win_shares
from backroom.lab.seeds import game_key, game_keys
from backroom.lab.stats import block_mean, goodman, wilson
from servers import slowness
from toys_bots import KUHN_GAME, LOTS_GAME, SQUARES_GAME


def results(**arguments: Any) -> dict[str, Any]:
    found = simulate(**arguments).to_json()
    for timing in ("seconds", "workers", "games_per_second", "decisions_per_second"):
        del found[timing]
    return found


@pytest.mark.parametrize(("bot", "games"), [("random", 1001), ("greedy", 450), ("search:30", 9)])
def test_the_number_of_workers_changes_nothing(bot: str, games: int) -> None:
    one = results(game=KUHN_GAME, seats=2, bot=bot, games=games, seed=5, workers=1)
    assert one == results(game=KUHN_GAME, seats=2, bot=bot, games=games, seed=5, workers=2)
    assert one["games"] == games
    assert one != results(game=KUHN_GAME, seats=2, bot=bot, games=games, seed=6, workers=2)


def test_the_first_games_of_a_longer_run_are_the_same() -> None:
    blank = KUHN_GAME.blank(KUHN_GAME.options.build({}), ["a", "b"])
    bot, who = make_bot(KUHN_GAME, "random"), np.zeros((5, 2), np.int32)
    keys = np.frombuffer(b"".join(game_key(1, number) for number in range(5)), "<u4").reshape(5, 8).copy()
    whole = play_games((bot, bot), who, blank, keys, 99, 0)
    parts = [play_games((bot, bot), who[:1], blank, keys[i : i + 1], 99, i) for i in range(5)]
    assert (whole.places == np.concatenate([part.places for part in parts])).all()


@kernel
def waits(s: Any, seat: Any, legal: Any, n: Any, random: Any) -> Any:
    return np.int64(legal[0])


@kernel
def draws(s: Any, seat: Any, legal: Any, n: Any, random: Any) -> Any:
    return np.int64(legal[n - 1])


@kernel
def alternates(s: Any, seat: Any, legal: Any, n: Any, random: Any) -> Any:
    return np.int64(legal[(np.int64(s.turn) + seat) // 4 % n])


@kernel
def retell(s: Any, seat: Any, action: Any, tally: Any) -> None:
    """A number that differs when any decision, or the order of any two, does."""
    tally[0, 0] = (tally[0, 0] * 31 + np.int64(s.turn) * 65536 + np.int64(seat) * 4096 + action + 1) & 0x7FFFFFFF


HABITS = {"waits": waits, "draws": draws, "alternates": alternates}
MIXED = [
    (LOTS_GAME, 4, ["waits", "draws", "alternates"]),
    ("corporation", 3, ["random", "grudger:0", "leader-breaker"]),
    ("corporation", 4, ["cooperator", "defector:0.5", "loner"]),
    ("dark_sources", 3, ["random", "greedy", "draws"]),
    ("dark_sources", 3, ["perfect", "memory:2", "noisy:0.3"]),
    ("dark_sources", 4, ["perfect", "random", "greedy"]),
    ("medici", 3, ["random", "builder", "special-hoarder"]),
    ("catham", 3, ["random", "draws", "alternates"]),
]


@pytest.mark.parametrize(("game", "seats", "specs"), MIXED)
def test_three_kinds_of_bots_decide_as_in_the_loop_that_asks_each_in_python(
    game: Game | str, seats: int, specs: list[str]
) -> None:
    # The same generators in both loops: then every decision is the same, and so is what bots say before it.
    game = find_game(game) if isinstance(game, str) else game
    options, names = simulation_options(game, seats, {}), list("abcd"[:seats])
    blank, seed, first = game.blank(options, names), 99, 1000
    bots = [PolicyBot(game, spec, HABITS[spec]) if spec in HABITS else make_bot(game, spec) for spec in specs]
    sittings = [row for row in itertools.product(range(3), repeat=seats) if len(set(row)) == 3]
    # Uncompiled, a greedy bot takes most of a second for a decision.
    slow = {"greedy", "perfect"} & {*specs}
    who = np.array(sittings if JIT or not slow else sittings[:2], np.int32)
    seen, expected = (Observer(retell, np.zeros((1, 1), np.int64)) for _ in range(2))
    found = play_games(bots, who, blank, game_keys(6, range(len(who))), seed, first, seen)
    for row, sitting in enumerate(who.tolist()):
        randoms = [np.zeros(4, np.int64) for _ in range(seats)]
        for seat, random in enumerate(randoms):
            rng.reseed(random, seed, (first + row) * seats + seat)
        players = [bots[bot] for bot in sitting]
        state, decisions = play_match(blank, game_key(6, row), players, randoms, expected)
        assert (found.decisions[row], found.turns[row], found.over[row]) == (decisions, state.turn, state.over)
        assert found.places[row].tolist() == game.outcome(state)[1]
    assert seen.tally[0, 0] == expected.tally[0, 0] > 0
    assert len(set(map(tuple, found.places.tolist()))) > 1


def test_an_observer_changes_nothing() -> None:
    blank = SQUARES_GAME.blank(SQUARES_GAME.options.build({}), ["a", "b"])
    for specs in (["random"], ["greedy", "random"]):
        bots = [make_bot(SQUARES_GAME, spec) for spec in specs]
        who = np.array([[0, len(specs) - 1]] * 40, np.int32)
        seen = Observer(retell, np.zeros((1, 1), np.int64))
        alone = play_games(bots, who, blank, game_keys(2, range(40)), 5, 0)
        watched = play_games(bots, who, blank, game_keys(2, range(40)), 5, 0, seen)
        assert all((a == b).all() for a, b in zip(alone, watched, strict=True))
        assert seen.tally[0, 0] > 0


@pytest.mark.parametrize("bots", ["random", "greedy", "builder", "random,greedy,random"])
def test_what_is_forbidden_is_played_only_where_nothing_else_is_legal(bots: str) -> None:
    def played(*never: str) -> dict[str, list[int]]:
        return simulate(
            "medici", {}, 3, bots, 6 if "greedy" in bots else 60, 4, count_actions=True, never=never
        ).actions

    usual, none, one = played(), played("conspire"), played("conspire@2", "plan")
    assert min(usual["conspire"]) > 0
    assert none["conspire"] == none["target"] == [0, 0, 0]
    assert one["conspire"][1] == sum(one["plan"]) == 0 < min(one["conspire"][0], one["conspire"][2])
    assert played("conspire") == none


def test_the_only_legal_action_is_played_though_it_is_forbidden() -> None:
    # A move of this game is a column and then a row.
    found = simulate(SQUARES_GAME, {}, 2, "random", 25, 4, count_actions=True, never=["row"])
    assert found.actions == simulate(SQUARES_GAME, {}, 2, "random", 25, 4, count_actions=True).actions
    assert found.never == ("row",)


@pytest.mark.parametrize(
    ("never", "bots", "code", "said"),
    [
        ("brew", "random", "E_SETUP", "no actions called 'brew'; there are send"),
        ("plan@4", "random", "E_SETUP", "write plan@1 to plan@3 for one seat"),
        ("plan@", "random", "E_SETUP", "write plan@1"),
        ("plan@x", "random", "E_SETUP", "write plan@1"),
        ("plan", "search:5", "E_BOT", "search:5 cannot be forbidden anything"),
    ],
)
def test_a_wrong_restriction_is_told_what_would_be_right(never: str, bots: str, code: str, said: str) -> None:
    with pytest.raises(Refusal, match=re.escape(said)) as refused:
        simulate("medici", {}, 3, bots, 1, never=[never])
    assert refused.value.code == code


@pytest.mark.parametrize("bots", ["random", "greedy", "search:30", "random,search:10"])
def test_decisions_are_counted_by_family_and_seat_when_asked_for(bots: str) -> None:
    # A move of this game is a column and then a row, and the first seat begins.
    found = simulate(SQUARES_GAME, {}, 2, bots, 25, 4, count_actions=True)
    assert list(found.actions) == ["column", "row"]
    assert found.actions["column"] == found.actions["row"]
    first, second = found.actions["row"]
    assert 2 * (first + second) == found.decisions
    assert 0 <= first - second <= 25
    plain = simulate(SQUARES_GAME, {}, 2, bots, 25, 4)
    assert plain.actions == {}
    assert (plain.decisions, plain.shares) == (found.decisions, found.shares)


def test_what_bots_claim_is_heard_in_simulations() -> None:
    # HK4: with four players who keep to what they claim, seven and ten in turn, the game ends in the sixth round.
    found = simulate("corporation", {"max_rounds": None}, 4, "cooperator", 30, 1)
    assert (found.turns.p10, found.turns.p90) == (6, 6)
    assert [share.estimate for share in found.shares] == [0.25] * 4


def test_the_order_of_bots_and_one_that_sits_nowhere_change_nothing() -> None:
    blank = SQUARES_GAME.blank(SQUARES_GAME.options.build({}), ["a", "b"])
    greedy, random, cautious = (make_bot(SQUARES_GAME, spec) for spec in ("greedy", "random", "cautious"))
    keys, who = game_keys(2, range(64)), np.array([[0, 1], [1, 0]] * 32, np.int32)
    one = play_games((greedy, random), who, blank, keys, 5, 0)
    other = play_games((random, greedy), 1 - who, blank, keys, 5, 0)
    alone = play_games((greedy, greedy), who, blank, keys, 5, 0)
    assert (one.places == other.places).all()
    assert (one.places != alone.places).any()
    with pytest.raises(ValueError, match="3 bots: the loop of squares takes 2"):
        play_games((greedy, random, cautious), who, blank, keys, 5, 0)
    with pytest.raises(ValueError, match="without a tree"):
        play_games((make_bot(SQUARES_GAME, "search"),), who, blank, keys, 5, 0)


@pytest.mark.parametrize("bot", ["cautious", "greedy", "search:30"])
def test_a_bot_a_seat_is_the_same_bot_wherever_it_sits(bot: str) -> None:
    everywhere = results(game=SQUARES_GAME, seats=2, bot=bot, games=40, seed=3)
    assert everywhere | {"bot": f"{bot},{bot}"} == results(
        game=SQUARES_GAME, seats=2, bot=f"{bot},{bot}", games=40, seed=3
    )
    first = simulate(SQUARES_GAME, {}, 2, f"{bot},random", 200, 3).shares
    second = simulate(SQUARES_GAME, {}, 2, f"random,{bot}", 200, 3).shares
    if bot != "cautious":  # the others beat random play, from either seat
        assert first[0].low > 0.5
        assert second[1].low > 0.5


def test_counts_agree_with_the_rules_of_the_game() -> None:
    # Each decision ends the game with probability 3/8; then its drawer, all, or the next seat has won.
    found = simulate(LOTS_GAME, {}, 3, "random", 20_000, 11)
    assert found.options == {"max_actions": 30, "only_wait": False}
    shares = [share.estimate for share in found.shares]
    assert sum(shares) + found.unfinished.estimate == pytest.approx(1)
    ends = [3 / 8 * (5 / 8) ** seat / (1 - (5 / 8) ** 3) for seat in range(3)]
    exact = [ends[seat] / 3 + 1 / 9 + ends[seat - 1] / 3 for seat in range(3)]
    assert shares == pytest.approx(exact, abs=0.012)
    # So lengths are geometric: mean 8/3.
    assert found.length.mean == pytest.approx(8 / 3, abs=0.05)
    assert found.decisions == pytest.approx(20_000 * found.length.mean)
    assert found.turns == found.length
    assert found.unfinished.estimate == pytest.approx((5 / 8) ** 30, abs=1e-3)


def test_capped_games_are_counted_and_nobody_wins_them() -> None:
    found = simulate(LOTS_GAME, {"preset": "short"}, 2, "random", 5000, 3)
    assert found.options["max_actions"] == 3
    assert found.capped / 5000 == pytest.approx((5 / 8) ** 3, abs=0.03)
    assert found.unfinished.low < (5 / 8) ** 3 < found.unfinished.high
    assert sum(share.estimate for share in found.shares) + found.capped / 5000 == pytest.approx(1)
    endless = simulate(LOTS_GAME, {"only_wait": True}, 2, "random", 3, 3)
    assert (endless.capped, endless.decisions) == (3, 60)


def test_a_game_without_any_end_is_stopped() -> None:
    found = simulate(LOTS_GAME, {"only_wait": True, "max_actions": "none"}, 2, "random", 2, 3)
    assert (found.capped, found.decisions) == (2, 200_000)


def test_simulation_defaults_yield_to_what_the_user_sets() -> None:
    assert simulation_options(LOTS_GAME, 4, {}).model_dump()["max_actions"] == 40
    assert simulation_options(LOTS_GAME, 4, {"max_actions": 7}).model_dump()["max_actions"] == 7
    assert simulation_options(LOTS_GAME, 4, {"max_actions": None}).model_dump()["max_actions"] is None
    assert simulation_options(LOTS_GAME, 4, {"preset": "short"}).model_dump()["max_actions"] == 3


def test_a_simulated_game_can_be_replayed_from_its_number() -> None:
    # Persona "cautious" has no choice of its own, so game i must end as the match with seed "8/i" does.
    found = simulate(SQUARES_GAME, {}, 2, "cautious", 30, 8)
    wins = np.zeros(2)
    for number in range(30):
        state = SQUARES_GAME.opening(SQUARES_GAME.options.build({}), ["a", "b"], chance.match_seed(f"8/{number}"))[0]
        log = SQUARES_GAME.events.new_log(recording=False)
        while not state.over:
            seat = int(state.acting) - 1
            SQUARES_GAME.apply(state, seat, int(SQUARES_GAME.legal(state, seat)[0]), log)
        places = np.array([SQUARES_GAME.outcome(state)[1]])
        wins += win_shares(places, np.array([state.over]))[0]
    assert [share.estimate * 30 for share in found.shares] == pytest.approx(wins.tolist())


def test_win_shares_split_ties_and_skip_capped_games() -> None:
    places = np.array([[1, 2, 2], [1, 1, 3], [1, 1, 1], [1, 2, 3]])
    over = np.array([FINISHED, FINISHED, FINISHED, CAPPED])
    assert win_shares(places, over).tolist() == [[1, 0, 0], [0.5, 0.5, 0], [1 / 3] * 3, [0, 0, 0]]


@pytest.mark.parametrize("values", [[0], [3], [0, 1], [5, 5, 7], [1, 2, 3, 40], list(range(101)), [2] * 30 + [9] * 11])
def test_a_summary_of_counts_is_that_of_the_values(values: list[int]) -> None:
    found = Summary.of(np.bincount(values))
    assert found == pytest.approx((np.mean(values), *np.percentile(values, [10, 50, 90])))


def test_progress_and_refusals() -> None:
    seen: list[tuple[int, int]] = []
    simulate(KUHN_GAME, {}, 2, "random", 450, 1, 2, lambda done, games: seen.append((done, games)))
    assert seen[-1] == (450, 450)
    assert seen == sorted(set(seen))
    for arguments, code in (
        ({"seats": 5}, "E_SETUP"), ({"games": 0}, "E_SETUP"), ({"bot": "nobody"}, "E_BOT"),
        ({"bot": "random,greedy,random"}, "E_SETUP"), ({"bot": "random,nobody"}, "E_BOT"),
        ({"options": {"colour": 1}}, "E_SETUP"), ({"game": "nosuchgame"}, "E_SETUP"),
    ):  # fmt: skip
        with pytest.raises(Refusal) as refused:
            simulate(**{"game": LOTS_GAME, "games": 5} | arguments)
        assert refused.value.code == code


@pytest.mark.parametrize("seed", [0, 5, 987654321, 10**14, 10**40])
@pytest.mark.parametrize(
    "numbers",
    [range(0), range(1), range(95, 105), range(31), range(32), range(65), range(10**6 - 3, 10**6 + 3), [7] * 4,
     [2**63 - 1, 0, 9, 10, 10**18]],
    ids=str,
)  # fmt: skip
def test_seeds_of_many_games_at_once_are_those_of_each(seed: int, numbers: Sequence[int]) -> None:
    assert game_keys(seed, numbers).astype("<u4").tobytes() == b"".join(game_key(seed, number) for number in numbers)


# Ctrl-C


def interrupt(after: int) -> Callable[[int, int], None]:
    """Stops, as Ctrl-C does, as soon as so many are done."""

    def step(done: int, _: int) -> None:
        if done >= after:
            raise KeyboardInterrupt

    return step


@pytest.mark.parametrize(("bot", "after"), [("random", 500), ("search:30", 3)])
def test_what_was_counted_before_ctrl_c_is_told_and_is_a_shorter_run(bot: str, after: int) -> None:
    with pytest.raises(Interrupted) as stopped:
        simulate(KUHN_GAME, {}, 2, bot, 10**9, 5, 2, interrupt(after))
    found = stopped.value.result
    assert after <= found.games < 10**7
    same = simulate(KUHN_GAME, {}, 2, bot, found.games, 5, 2)
    assert dataclasses.replace(found, seconds=0.0) == dataclasses.replace(same, seconds=0.0)


def test_a_ladder_tells_the_blocks_that_were_played_before_ctrl_c() -> None:
    specs = ["random", "greedy", "search:30"]
    with pytest.raises(Interrupted) as stopped:
        ladder(SQUARES_GAME, 2, specs, 200, 4, workers=2, progress=interrupt(104))
    whole, part = stopped.value.result.rungs
    assert whole == ladder(SQUARES_GAME, 2, specs[:2], 200, 4).rungs[0]
    assert part == ladder(SQUARES_GAME, 2, specs[1:], 8, 4).rungs[0]
    with pytest.raises(KeyboardInterrupt) as plain:
        ladder(SQUARES_GAME, 2, specs[:2], 200, 4, workers=2, progress=interrupt(1))
    assert not isinstance(plain.value, Interrupted)


@pytest.fixture
def heard_ctrl_c() -> Iterator[None]:
    """A shell lets what it starts in the background ignore Ctrl-C: here it is heard."""
    before = signal.signal(signal.SIGINT, default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard_ctrl_c")
def test_nobody_waits_for_a_worker_that_goes_on() -> None:
    release, told = threading.Event(), []

    def work(number: int) -> int:
        if number == 2:
            time.sleep(0.3)  # the main thread waits by then, and is not woken by a signal that a worker gets
            _thread.interrupt_main()
            release.wait(60)
        return number

    with pytest.raises(KeyboardInterrupt):
        told.extend(in_order(work, iter(range(10**9)), 1))
    assert told == [0, 1][: len(told)]
    assert not release.is_set()
    release.set()


def test_an_error_of_a_worker_is_raised_in_its_place() -> None:
    found: list[int] = []
    with pytest.raises(ZeroDivisionError):
        found.extend(in_order(lambda number: 6 // (3 - number), range(100), 3))
    assert found == [2, 3, 6]
    assert list(in_order(str, [], 2)) == []


ENDLESS = """
import os, signal, threading, time
from backroom.lab import ladder
from backroom.lab import run
games, block, in_order = run._play, ladder._play_block, run.in_order
counted = threading.Semaphore(0)

def told_when_counted(*how):
    for part in in_order(*how):
        yield part
        counted.release()  # whoever counts has done so: it asks for the next

def stop(parts):
    for _ in range(parts):
        counted.acquire()
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1000)

def play_games(players, blank, seed, numbers, *how):
    return stop(1) if numbers.start else games(players, blank, seed, numbers, *how)

def play_block(lower, upper, blank, seed, number):
    return stop(3) if number == 3 else block(lower, upper, blank, seed, number)

run._play, ladder._play_block = play_games, play_block
run.in_order = ladder.in_order = told_when_counted
from backroom.cli import main
main()
"""


@pytest.mark.parametrize(
    ("command", "told", "said"),
    [
        (["simulate", "catham"], " 20 games of 2 random bots", "interrupted after 20 of 100000 games\n"),
        (
            ["ladder", "catham", "--bots", "random,greedy"],
            "3 blocks, 6 games",
            "interrupted; the last comparison may have fewer games than were asked for\n",
        ),
    ],
    ids=lambda part: part[0] if isinstance(part, list) else "",
)
def test_ctrl_c_ends_the_command_with_what_has_been_counted(command: list[str], told: str, said: str) -> None:
    simulate("catham", games=1)  # compiled before
    process = subprocess.run(
        [sys.executable, "-c", ENDLESS, *command, "--games", "100000", "--workers", "1"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, default_int_handler), capture_output=True, text=True,
        timeout=200,
    )  # fmt: skip
    assert process.returncode == 130, process.stderr
    assert process.stdout.startswith("Catham City, rules ")
    assert told in process.stdout
    assert process.stderr == said


def test_ctrl_c_ends_warm_while_its_processes_compile(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "from backroom.cli import main; main()", "warm"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "BACKROOM_CACHE": str(tmp_path)},
        preexec_fn=lambda: signal.signal(signal.SIGINT, default_int_handler), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert process.stderr is not None
    assert process.stderr.readline().startswith("Compiling the rules")
    time.sleep(2)
    slow = slowness()
    asked = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    took = time.monotonic() - asked
    assert took < 2 * max(slow, slowness())
    assert (process.returncode, out, err) == (130, "", "interrupted; what has been compiled so far is kept\n")
    end = time.monotonic() + 60
    while _lives(process.pid):
        assert time.monotonic() < end, "somebody of its session compiles on"
        time.sleep(0.05)


def _lives(session: int) -> bool:
    """Whether a process of a session is there."""
    try:
        os.killpg(session, 0)
    except ProcessLookupError:
        return False
    return True


# Intervals


@given(st.integers(1, 3000), st.data(), st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_equals_the_library_for_whole_counts(trials: int, data: st.DataObject, confidence: float) -> None:
    successes = data.draw(st.integers(0, trials))
    ours = wilson(successes, trials, confidence)
    theirs = stats.binomtest(successes, trials).proportion_ci(confidence, method="wilson")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
    assert ours.low <= ours.estimate <= ours.high


@pytest.mark.parametrize("share", [0.05, 0.25, 0.5])
def test_wilson_covers_the_true_share(share: float) -> None:
    trials = 200
    held = [wilson(k, trials).low <= share <= wilson(k, trials).high for k in range(trials + 1)]
    coverage = stats.binom.pmf(np.arange(trials + 1), trials, share) @ np.array(held)
    assert 0.93 < coverage < 0.975


def test_goodman_intervals_hold_together() -> None:
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    draws = np.random.default_rng(7).multinomial(500, shares, 2000)
    together = alone = 0
    for counts in draws:
        found = goodman(counts.tolist())
        together += all(one.low <= share <= one.high for one, share in zip(found, shares, strict=True))
        single = [wilson(count, 500) for count in counts.tolist()]
        alone += all(one.low <= share <= one.high for one, share in zip(single, shares, strict=True))
    assert 0.94 < together / 2000 < 0.985
    assert alone / 2000 < 0.9, "intervals made for one share do not hold for four at once"


def test_block_means_cover_although_games_in_a_block_depend_on_each_other() -> None:
    draws = np.random.default_rng(3)
    held = naive = 0
    for _ in range(2000):
        luck = draws.normal(0, 1, 30)
        games = luck[:, None] + draws.normal(0, 0.5, (30, 4))
        found = block_mean(games.mean(axis=1))
        held += found.low <= 0 <= found.high
        careless = block_mean(games.ravel())
        naive += careless.low <= 0 <= careless.high
    assert 0.935 < held / 2000 < 0.965
    assert naive / 2000 < 0.8


def test_blocks_without_spread_do_not_claim_certainty() -> None:
    all_won = block_mean([1.0] * 8, bounds=(0, 1))
    assert (all_won.estimate, all_won.high) == (1, 1)
    assert all_won.low == pytest.approx(wilson(8, 8).low)
    level = block_mean([0.0] * 8, bounds=(-1, 1))
    assert level.low == pytest.approx(-level.high)
    assert level.high > 0.5
    assert block_mean([0.9, 1.0, 0.8], bounds=(0, 1)).high == 1


def test_impossible_counts_are_refused() -> None:
    for wrong in (lambda: wilson(3, 2), lambda: wilson(-1, 5), lambda: wilson(0, 0)):
        with pytest.raises(ValueError, match="trials"):
            wrong()
    with pytest.raises(ValueError, match="two classes"):
        goodman([4.0])
    with pytest.raises(ValueError, match="two blocks"):
        block_mean([0.5])


# The ladder


def test_the_ladder_ranks_bots_and_does_not_depend_on_workers() -> None:
    one = ladder(SQUARES_GAME, 2, ["cautious", "random", "greedy"], 300, 4, workers=1)
    two = ladder(SQUARES_GAME, 2, ["cautious", "random", "greedy"], 300, 4, workers=2)
    assert one == two
    first, second = one.rungs
    assert (first.result, second.result) == ("beats", "beats")
    assert second.verdict.startswith("greedy beats random: alone among random it wins")
    assert (second.games, second.difference.count) == (300, 150)
    # Two seats: what one wins the other loses.
    assert second.lone_upper.estimate + second.lone_lower.estimate == pytest.approx(1)
    down = ladder(SQUARES_GAME, 2, ["greedy", "random"], 300, 4).rungs[0]
    assert down.result == "loses to"
    assert down.difference.estimate == pytest.approx(-second.difference.estimate, abs=0.15)


def test_equal_bots_are_level_at_a_table_of_three_and_capped_games_are_shared() -> None:
    rung = ladder(LOTS_GAME, 3, ["random", "random"], 600, 2, options={"max_actions": 2}).rungs[0]
    assert (rung.games, rung.difference.count) == (600, 100)
    assert rung.result == "is level with"
    assert 150 < rung.capped < 320
    assert rung.lone_upper.low < 1 / 3 < rung.lone_upper.high


def test_a_ladder_with_search_in_it() -> None:
    rung = ladder(SQUARES_GAME, 2, ["random", "search:100"], 40, 9).rungs[0]
    assert rung.result == "beats"
    with pytest.raises(Refusal, match="at least two bots"):
        ladder(SQUARES_GAME, 2, ["random"], 40, 9)
