"""Bots: what they may know, that they are repeatable, and that they play sensibly where the answer is known."""

import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backroom.bots import Bot, bot_specs, greedy, make_bot, search
from backroom.bots.bot import play_match
from backroom.bots.search import SearchBot
from backroom.bots.warm import warm
from backroom.engine import chance, rng
from backroom.engine.game import CAPPED, FINISHED, Game, Refusal, find_game, game_names
from toys_bots import BET, CHECKED_BET, KUHN_GAME, LOTS_GAME, PENNIES_GAME, SIDE, SQUARES_GAME

TOYS = [PENNIES_GAME, KUHN_GAME, LOTS_GAME, SQUARES_GAME]
SPECS = ["random", "greedy", "search:200"]


def opening(game: Game, seed: int = 1, **options: Any) -> Any:
    return game.opening(game.options.build(options), ["ann", "bob"], chance.match_seed(seed))[0]


def kuhn_view(seat: int, card: int, line: int) -> Any:
    state = opening(KUHN_GAME)
    state.card[seat], state.card[1 - seat] = card, 1 + card % 3
    state.line, state.acting = line, 1 << seat
    return KUHN_GAME.state.view(state, seat)


def test_specs_and_refusals() -> None:
    assert bot_specs(SQUARES_GAME) == ["random", "cautious", "slip", "greedy", "search", "search:N"]
    bot = make_bot(SQUARES_GAME, "search")
    assert isinstance(bot, SearchBot)
    assert bot.iterations == 1000
    assert make_bot(SQUARES_GAME, "search:5000").iterations == 5000  # type: ignore[attr-defined]
    for spec in ("", "clever", "search:", "search:x", "search:-1", "Random", "search:5 "):
        with pytest.raises(Refusal, match=r"random, cautious, slip, greedy, search, search:N") as refused:
            make_bot(SQUARES_GAME, spec)
        assert refused.value.code == "E_BOT"
    for spec in ("search:0", "search:99999999"):
        with pytest.raises(Refusal, match=r"1 to 10000000"):
            make_bot(SQUARES_GAME, spec)


def test_personas_play_by_their_policy() -> None:
    view = SQUARES_GAME.state.view(opening(SQUARES_GAME), 0)
    assert make_bot(SQUARES_GAME, "cautious").choose(view, 0, rng.generator(1)) == [0, SIDE]


@pytest.mark.parametrize("game", TOYS, ids=lambda game: game.name)
@pytest.mark.parametrize("spec", SPECS)
def test_a_bot_depends_on_its_view_and_its_generator_alone(game: Game, spec: str) -> None:
    bot = make_bot(game, spec)
    seat = 0
    truth = opening(game, seed=1)
    twin = game.state.copy(truth)
    # Everything the seat may not know is something else, the match's chance too.
    hidden = np.frombuffer(game.state.new_array(1).tobytes(), np.uint8) + 1 & ~game.state.masks[seat]
    memory = np.frombuffer(truth.tobytes(), np.uint8) ^ hidden
    twin = game.state.from_bytes(memory.tobytes())
    assert twin.tobytes() != truth.tobytes()
    view, other = game.state.view(truth, seat), game.state.view(twin, seat)
    before = view.tobytes()
    moves = [bot.choose(view, seat, rng.generator(seed)) for seed in range(5)]
    assert moves == [bot.choose(other, seat, rng.generator(seed)) for seed in range(5)]
    assert view.tobytes() == before, "a bot changed the view it was given"


@pytest.mark.parametrize("game", TOYS, ids=lambda game: game.name)
@pytest.mark.parametrize("spec", SPECS)
def test_whole_matches_are_legal_and_repeatable(game: Game, spec: str) -> None:
    blank = game.blank(game.options.build({}), ["ann", "bob"])
    bots = [make_bot(game, spec)] * 2

    def play(seed: int) -> tuple[bytes, int]:
        state, decisions = play_match(blank, chance.match_seed(seed), bots, [rng.generator(seed, s) for s in range(2)])
        assert state.over
        return state.tobytes(), decisions

    results = [play(seed) for seed in range(4)]
    assert results == [play(seed) for seed in range(4)]
    assert len({state for state, _ in results}) > 1


def test_bots_leave_the_chance_of_the_match_alone() -> None:
    # The lots that a match brings are those of its seed, whoever draws them and however much is searched.
    options = LOTS_GAME.options.build({"max_actions": 40})
    blank, names = LOTS_GAME.blank(options, ["ann", "bob"]), ["ann", "bob"]
    for seed in range(6):
        key = chance.match_seed(seed)
        for spec in ("greedy", "search:50", "search:300"):
            bots = [make_bot(LOTS_GAME, spec)] * 2
            state, _ = play_match(blank, key, bots, [rng.generator(7, seat) for seat in range(2)])
            fresh, log = LOTS_GAME.opening(options, names, key)[0], LOTS_GAME.events.new_log(recording=False)
            lots = [int(chance.pick(fresh, log, 0, 4)) for _ in range(int(state.chance_count[0]))]
            assert lots[:-1] == [3] * (len(lots) - 1)
            assert lots[-1] < 3
            assert (state.chance_key == fresh.chance_key).all()


@pytest.mark.parametrize(("weight", "heads"), [(4, 1 / 2), (2, 2 / 3)])
@pytest.mark.parametrize("seat", [0, 1])
def test_matching_pennies_comes_near_its_equilibrium(weight: int, heads: float, seat: int) -> None:
    view = PENNIES_GAME.state.view(opening(PENNIES_GAME, weight=weight), seat)
    bot = SearchBot(PENNIES_GAME, "search:20000", 20_000)
    found = [bot.analyse(view, seat, rng.generator(seed)) for seed in range(10)]
    assert all(analysis.simultaneous for analysis in found)
    shares = np.array([analysis.probabilities[0] for analysis in found])
    assert abs(shares.mean() - heads) < 0.03
    assert np.abs(shares - heads).max() < 0.1


def test_simultaneous_choices_are_drawn_from_the_mixed_strategy() -> None:
    view = PENNIES_GAME.state.view(opening(PENNIES_GAME), 0)
    bot = make_bot(PENNIES_GAME, "search:1000")
    heads = sum(bot.choose(view, 0, rng.generator(seed)) == [0] for seed in range(400))
    assert 140 < heads < 260


def test_a_simultaneous_choice_does_not_hang_on_who_has_answered_already() -> None:
    fresh = opening(PENNIES_GAME, weight=2)
    answered = PENNIES_GAME.state.copy(fresh)
    PENNIES_GAME.apply(answered, 1, 0, PENNIES_GAME.events.new_log(recording=False))
    for state in (fresh, answered):
        view = PENNIES_GAME.state.view(state, 0)
        analysis = SearchBot(PENNIES_GAME, "s", 20_000).analyse(view, 0, rng.generator(1))
        assert analysis.simultaneous
        assert analysis.probabilities[0] == pytest.approx(2 / 3, abs=0.1)


def test_dominated_choices_die_out_at_simultaneous_decisions() -> None:
    # Weight 0: equal heads never win, so seat 0 plays tails and seat 1 answers with heads.
    state = opening(PENNIES_GAME, weight=0)
    for seat, best in ((0, 1), (1, 0)):
        analysis = SearchBot(PENNIES_GAME, "s", 3000).analyse(
            PENNIES_GAME.state.view(state, seat), seat, rng.generator(3)
        )
        assert analysis.probabilities[best] > 0.97


def test_kuhn_poker_against_known_answers() -> None:
    bot = SearchBot(KUHN_GAME, "search:3000", 3000)
    jack, queen, king = 1, 2, 3
    for seat, line in ((1, BET), (0, CHECKED_BET)):
        # Facing a bet the worst card always folds (it can only lose) and the best always calls.
        assert bot.choose(kuhn_view(seat, jack, line), seat, rng.generator(seat)) == [0]
        assert bot.choose(kuhn_view(seat, king, line), seat, rng.generator(seat)) == [1]
        analysis = bot.analyse(kuhn_view(seat, king, line), seat, rng.generator(seat))
        assert analysis.values[1] == pytest.approx(1.0)
        assert analysis.values[0] == pytest.approx(0.25, abs=0.25)
        assert sum(analysis.visits) == 3000
        # Calling with the middle card wins or loses 2 with even chances when the other's cards are equally likely.
        assert bot.analyse(kuhn_view(seat, queen, line), seat, rng.generator(5)).values[1] == pytest.approx(
            0.5, abs=0.05
        )


def test_greedy_takes_the_best_whole_move(monkeypatch: pytest.MonkeyPatch) -> None:
    def worth(move: list[int]) -> int:
        return (move[0] * 7 + (move[1] - SIDE) * 3) % 17

    bot = make_bot(SQUARES_GAME, "greedy")
    small = SQUARES_GAME.state.view(opening(SQUARES_GAME, side=4), 0)
    best = max(worth([column, SIDE + row]) for column in range(4) for row in range(4))
    # The hidden bonus of 1 is imagined in eight states, so it cannot lift a move over one worth more.
    assert {worth(bot.choose(small, 0, rng.generator(seed))) for seed in range(20)} == {best}
    # 400 whole moves are more than are compared one by one: a sample of 256 still finds a good one.
    large = SQUARES_GAME.state.view(opening(SQUARES_GAME, side=20), 0)
    moves = [bot.choose(large, 0, rng.generator(seed)) for seed in range(20)]
    assert all(len(move) == 2 and worth(move) >= 15 for move in moves)
    assert len({tuple(move) for move in moves}) > 5
    # Moves longer than are followed: the first action is chosen by what chance makes of the rest, then the second.
    monkeypatch.setattr(greedy, "LONGEST_MOVE", 1)
    part = bot.choose(small, 0, rng.generator(1))
    assert len(part) == 2
    assert part[1] >= SIDE


def test_search_finds_the_better_square_and_values_are_win_shares() -> None:
    view = SQUARES_GAME.state.view(opening(SQUARES_GAME, side=4), 0)
    bot = SearchBot(SQUARES_GAME, "s", 4000)
    analysis = bot.analyse(view, 0, rng.generator(1))
    assert analysis.actions == (0, 1, 2, 3)
    assert not analysis.simultaneous
    assert sum(analysis.visits) == 4000
    assert all(0 <= value <= 1 for value in analysis.values)
    column, row = bot.choose(view, 0, rng.generator(2))
    assert (column * 7 + (row - SIDE) * 3) % 17 >= 14


def questions(bot: Bot) -> list[Any]:
    return [bot.decide, bot.choose, bot.say, *([bot.analyse] if isinstance(bot, SearchBot) else [])]


@pytest.mark.parametrize("name", game_names())
def test_a_bot_that_is_asked_nothing_refuses_to_answer(name: str) -> None:
    game = find_game(name)
    names = ["anna", "ben", "cleo", "dan", "eve", "finn", "gus", "hal", "ivy", "joe"]
    seats = game.seats[0]
    state = game.opening(game.options(), names[:seats], bytes(32))[0]
    ended = game.state.copy(state)
    ended.over, ended.acting = FINISHED, 0
    turn = game.state.copy(state)
    turn.acting = 2
    foreign = PENNIES_GAME.state.view(opening(PENNIES_GAME), 0)
    specs = [spec for spec in bot_specs(game) if spec != "search:N"]
    for bot in [make_bot(game, spec) for spec in (*specs, "search:50")]:
        for ask in questions(bot):
            fresh = rng.generator(1)
            for position, seat, random, code in (
                *((ended, seat, fresh, "E_OVER") for seat in range(seats)),
                (turn, 0, fresh, "E_ACTOR"),
                *((turn, seat, fresh, "E_ACTOR") for seat in (-1, seats, 31, 10**9, -(10**30), 1.0, True, None, "1")),
                *((turn, 1, random, "E_BOT") for random in (None, fresh[:3], fresh.astype(np.int32), [1, 2, 3, 4])),
                *((view, 1, fresh, "E_BOT") for view in (foreign, None, turn.tobytes())),
            ):
                with pytest.raises(Refusal) as refused:
                    ask(position, seat, random)
                assert refused.value.code == code, (bot.spec, ask, seat)
            assert fresh.tolist() == rng.generator(1).tolist()


@pytest.mark.parametrize("spec", SPECS)
def test_a_seat_may_be_a_whole_number_of_numpy(spec: str) -> None:
    bot, view = make_bot(SQUARES_GAME, spec), SQUARES_GAME.state.view(opening(SQUARES_GAME), 0)
    assert bot.choose(view, np.int8(0), rng.generator(1)) == bot.choose(view, 0, rng.generator(1))  # type: ignore[arg-type]
    assert bot.say(view, 0, rng.generator(1)) == -1


def test_an_only_choice_needs_no_search() -> None:
    state = LOTS_GAME.opening(LOTS_GAME.options.build({"only_wait": True}), ["ann", "bob"], bytes(32))[0]
    analysis = SearchBot(LOTS_GAME, "s", 10**7).analyse(LOTS_GAME.state.view(state, 0), 0, rng.generator(1))
    assert (analysis.actions, analysis.probabilities, analysis.iterations) == ((0,), (1.0,), 0)


def test_memory_of_a_search_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    view = SQUARES_GAME.state.view(opening(SQUARES_GAME, side=12), 0)
    free = SearchBot(SQUARES_GAME, "s", 3000).analyse(view, 0, rng.generator(1))
    monkeypatch.setattr(search, "MOST_NODES", 40)
    bound = SearchBot(SQUARES_GAME, "s", 3000).analyse(view, 0, rng.generator(1))
    assert free.edges > 100
    assert bound.edges == 40
    assert sum(bound.visits) == 3000, "a full tree goes on learning"


def test_a_cut_off_playout_uses_the_evaluation() -> None:
    # One iteration, cut off after the first decision outside the trees: the value is ``evaluate``, in twentieths.
    view = SQUARES_GAME.state.view(opening(SQUARES_GAME, side=4), 0)

    def values(cutoff: int) -> set[float]:
        bot = SearchBot(SQUARES_GAME, "s", 1, cutoff=cutoff)
        assert SearchBot(SQUARES_GAME, "s").cutoff == search.CUTOFF
        assert SearchBot(KUHN_GAME, "s").cutoff == 0
        return {np.nanmax(bot.analyse(view, 0, rng.generator(seed)).values) for seed in range(20)}

    assert values(0) <= {0.0, 0.5, 1.0}
    assert len(values(1) - {0.0, 0.5, 1.0}) > 3


def test_an_endless_match_is_stopped_as_capped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backroom.bots.bot.LONGEST_GAME", 30)
    blank = LOTS_GAME.blank(LOTS_GAME.options.build({"only_wait": True}), ["ann", "bob"])
    bots = [make_bot(LOTS_GAME, "random")] * 2
    state, decisions = play_match(blank, bytes(32), bots, [rng.generator(s) for s in range(2)])
    assert (int(state.over), decisions) == (CAPPED, 30)


def test_warm_compiles_every_part() -> None:
    seconds = warm(PENNIES_GAME)
    assert set(seconds) == {"moves", "rules", "games", "greedy", "search"}
    assert all(value >= 0 for value in seconds.values())


SAMPLE = """
import json
from toys_bots import KUHN_GAME, LOTS_GAME, PENNIES_GAME, SQUARES_GAME
from backroom.bots.search import SearchBot
from backroom.engine import chance, rng
from backroom.lab.run import simulate

found = []
for game in (KUHN_GAME, PENNIES_GAME, SQUARES_GAME):
    state = game.opening(game.options.build({}), ["ann", "bob"], chance.match_seed(4))[0]
    analysis = SearchBot(game, "s", 60).analyse(game.state.view(state, 0), 0, rng.generator(1))
    found.append([analysis.visits, analysis.values, analysis.probabilities])
for game in (KUHN_GAME, LOTS_GAME, SQUARES_GAME):
    for bot in ("random", "greedy"):
        result = simulate(game, {}, 2, bot, 12, 3, 1)
        found.append([result.decisions, result.capped, [share.estimate for share in result.shares]])
print(json.dumps(found))
"""


def test_compiled_and_plain_runs_are_equal() -> None:
    def run(jit: str) -> Any:
        path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
        environment = {**os.environ, "BACKROOM_JIT": jit, "PYTHONPATH": path}
        return json.loads(
            subprocess.run([sys.executable, "-c", SAMPLE], env=environment, capture_output=True, check=True).stdout
        )

    assert run("0") == run("1")


@pytest.mark.parametrize("game", [PENNIES_GAME, LOTS_GAME, SQUARES_GAME], ids=lambda game: game.name)
def test_a_search_that_looks_at_the_clock_finds_the_same_and_ends_when_it_is_time(game: Game) -> None:
    state = opening(game)
    seat = next(seat for seat in range(2) if int(state.acting) >> seat & 1)
    view = game.state.view(state, seat)
    whole = SearchBot(game, "search:3000", 3000)

    def ended(bot: SearchBot, until: float) -> search.Analysis:
        return bot.analyse(view, seat, rng.generator("clock", 1), until)

    assert ended(whole, math.inf) == ended(whole, time.monotonic() + 600), "the same search, in however many pieces"
    cut = ended(SearchBot(game, "search:10000000", 10_000_000), time.monotonic() + 0.2)
    assert 8 <= cut.iterations < 10_000_000
    assert sum(cut.visits) > 0
    late = ended(whole, time.monotonic())
    assert 8 <= late.iterations < 3000, "where it begins too late, what it has then is a choice all the same"


@pytest.mark.parametrize("game", [PENNIES_GAME, find_game("dark_sources")], ids=lambda game: game.name)
def test_a_bot_that_asks_for_too_much_is_cut_and_stays_what_it_is(game: Game) -> None:
    bots = [make_bot(game, spec.replace(":N", ":5000")) for spec in bot_specs(game)]
    assert {bot.iterations for bot in bots} >= {0, 1000, 5000}
    for bot in bots:
        cut = bot.at_most(10)
        assert (cut.iterations, cut.spec, cut.remembers) == (min(bot.iterations, 10), bot.spec, bot.remembers)
