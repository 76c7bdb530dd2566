"""The yardsticks are played correctly: counts of positions, payoffs and hidden cards against what is known of them."""

from collections import Counter
from functools import cache
from itertools import zip_longest
from typing import Any

import numpy as np
import pytest
from benchmarks.yardsticks import YARDSTICKS, connect_four, kuhn_poker, leduc_holdem, tic_tac_toe
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom.bots import make_bot
from backroom.bots.bot import play_match
from backroom.engine import chance, rng
from backroom.engine.game import Game, seats_in
from backroom.engine.kernel import JIT
from backroom.engine.match import Match
from backroom.engine.record import SPECTATOR
from backroom.engine.view import determinize

NAMES = ["ann", "bob"]


def opening(game: Game, seed: int = 1, script: list[tuple[int, list[int]]] | None = None) -> Any:
    return game.opening(game.options(), NAMES, chance.match_seed(seed), script)[0]


def perft(game: Game, depth: int) -> list[int]:
    """How many rows of decisions there are of each length up to ``depth``; ended games are not played on."""
    counts = [0] * (depth + 1)
    log = game.events.new_log(recording=False)

    def walk(state: Any, ply: int) -> None:
        counts[ply] += 1
        if ply < depth and not state.over:
            seat = seats_in(int(state.acting))[0]
            for action in game.legal(state, seat).tolist():
                after = game.state.copy(state)
                game.kernels["apply"](after, seat, action, log)
                walk(after, ply + 1)

    walk(opening(game), 0)
    return counts


def histories(game: Game, deals: list[list[int]]) -> dict[tuple[int, ...], tuple[int, tuple[tuple[int, ...], ...]]]:
    """Every complete game of these deals: deal and actions; seat 0's winnings; the choices offered."""
    found = {}
    log = game.events.new_log(recording=False)

    def walk(state: Any, row: tuple[int, ...], offered: tuple[tuple[int, ...], ...]) -> None:
        if state.over:
            scores, _ = game.outcome(state)
            assert scores[0] == -scores[1]
            found[row] = (scores[0], offered)
            return
        seat = seats_in(int(state.acting))[0]
        legal = game.legal(state, seat).tolist()
        for action in legal:
            after = game.state.copy(state)
            game.kernels["apply"](after, seat, action, log)
            # The board is dealt from the start but comes into the history when it is turned up, as OpenSpiel has it.
            turned = (
                (100 + int(after.board),) if "board" in game.state.fields and after.board and not state.board else ()
            )
            walk(after, (*row, action, *turned), (*offered, tuple(legal)))

    for deal in deals:
        walk(opening(game, script=[(0, deal)]), (10 + deal[0], 10 + deal[1]), ())
    return found


def test_tic_tac_toe_counts_and_results() -> None:
    # Known: 9 * 8 * 7 ... minus what ends early; 255168 games in all (131184 to the first player, 77904, 46080 draws).
    game = tic_tac_toe.GAME
    log = game.events.new_log(recording=False)

    @cache
    def below(memory: bytes) -> tuple[list[int], Counter[int]]:
        """Rows of decisions from a position by their length, and the first player's results where they end."""
        state = game.state.from_bytes(memory)
        if state.over:
            return [1], Counter([game.outcome(state)[0][0]])
        counts, results = [1], Counter[int]()
        seat = seats_in(int(state.acting))[0]
        for action in game.legal(state, seat).tolist():
            after = game.state.copy(state)
            game.kernels["apply"](after, seat, action, log)
            more, ends = below(after.tobytes())
            counts = [sum(both) for both in zip_longest(counts, [0, *more], fillvalue=0)]
            results += ends
        return counts, results

    counts, results = below(opening(game).tobytes())
    assert counts == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert results == {1: 131184, -1: 77904, 0: 46080}
    assert below.cache_info().currsize == 5478, "positions, each looked at once"


def test_connect_four_counts() -> None:
    # The numbers of the literature, ended games not played on: the first four in a row needs seven stones.
    depth = 6 if JIT else 4
    assert perft(connect_four.GAME, depth) == [1, 7, 49, 343, 2401, 16807, 117649][: depth + 1]


@pytest.mark.parametrize(
    ("columns", "line"),
    [
        ([0, 1, 0, 1, 0, 1, 0], True),  # upright
        ([0, 0, 1, 1, 2, 2, 3], True),  # level
        ([0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3], True),  # rising
        ([6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3], True),  # falling
        ([0, 1, 0, 1, 0, 2, 2], False),  # three upright
        # A column filled to the top next to the foot of the next one is no line.
        ([0, 0, 0, 1, 1, 0, 0, 3, 0, 3, 1], False),
    ],
)
def test_connect_four_lines(columns: list[int], line: bool) -> None:
    game, log = connect_four.GAME, connect_four.GAME.events.new_log(recording=False)
    state = opening(game)
    for column in columns:
        assert not state.over
        game.apply(state, seats_in(int(state.acting))[0], column, log)
    assert bool(state.over) == line
    assert game.outcome(state)[1] == ([1, 2] if line else [1, 1])


@settings(deadline=None)
@given(st.integers(0, 10**6))
def test_connect_four_against_a_board(seed: int) -> None:
    """Random games against a plain reading of the rules on a board of rows and columns."""
    game, log, draw = connect_four.GAME, connect_four.GAME.events.new_log(recording=False), rng.generator(seed)
    state, board = opening(game), np.full((7, 6), -1)
    while not state.over:
        seat = seats_in(int(state.acting))[0]
        legal = game.legal(state, seat).tolist()
        assert legal == [column for column in range(7) if (board[column] == -1).any()]
        column = legal[int(rng.below(draw, len(legal)))]
        game.apply(state, seat, column, log)
        board[column, int((board[column] >= 0).sum())] = seat
        own = board == seat
        won = any(
            all(0 <= x + i * dx < 7 and 0 <= y + i * dy < 6 and own[x + i * dx, y + i * dy] for i in range(4))
            for x in range(7)
            for y in range(6)
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        )
        assert bool(state.over) == (won or bool((board >= 0).all()))
        if state.over:
            assert game.outcome(state)[0][seat] == int(won)


def test_kuhn_histories() -> None:
    deals = [[a, b] for a in (1, 2, 3) for b in (1, 2, 3) if a != b]
    found = histories(kuhn_poker.GAME, deals)
    assert len(found) == 30
    for (first, second, *actions), (won, _) in found.items():
        higher = 1 if first > second else -1
        expected = {
            (0, 0): higher, (0, 1, 0): -1, (0, 1, 1): 2 * higher, (1, 0): 1, (1, 1): 2 * higher,
        }[tuple(actions)]  # fmt: skip
        assert won == expected


def test_leduc_histories() -> None:
    """The counts of OpenSpiel's leduc_poker over its whole tree: histories, lengths, winnings, choices offered."""
    cards = range(1, 7)
    deals = [[a, b, c] for a in cards for b in cards for c in cards if len({a, b, c}) == 3]
    found = histories(leduc_holdem.GAME, deals)
    assert len(found) == 5520
    lengths = Counter(len(offered) for _, offered in found.values())
    assert lengths == {2: 30, 3: 60, 4: 750, 5: 1680, 6: 1800, 7: 960, 8: 240}
    half = {1: 198, 3: 366, 5: 552, 7: 432, 9: 528, 11: 192, 13: 192}
    won = Counter(score for score, _ in found.values())
    assert won == {0: 600} | half | {-score: count for score, count in half.items()}
    # A decision is counted once for each history up to it.
    decisions = {
        row[:end]: offered[sum(part < 10 for part in row[:end])]
        for row, (_, offered) in found.items()
        for end in range(2, len(row))
        if row[end] < 10
    }
    assert Counter(decisions.values()) == {(1, 2): 1260, (0, 1, 2): 1260, (0, 1): 1260}


def test_leduc_showdown() -> None:
    game = leduc_holdem.GAME
    for deal, winnings in (([1, 3, 2], 1), ([5, 1, 2], -1), ([5, 1, 3], 1), ([1, 2, 5], 0)):
        match = Match.new(game, NAMES)
        match.state = opening(game, script=[(0, deal)])
        for seat in (0, 1, 0, 1):
            match.play(seat, "call")
        assert match.over
        assert game.outcome(match.state)[0] == [winnings, -winnings]
        assert match.view(SPECTATOR).shown.tolist() == deal[:2]


@pytest.mark.parametrize("game", [leduc_holdem.GAME, kuhn_poker.GAME], ids=lambda game: game.name)
@settings(deadline=None)
@given(seed=st.integers(0, 10**6), viewer=st.integers(-1, 1), plies=st.integers(0, 8))
def test_resampling_keeps_what_is_known(game: Game, seed: int, viewer: int, plies: int) -> None:
    state, draw, log = opening(game, seed), rng.generator(seed), game.events.new_log(recording=False)
    for _ in range(plies):
        if state.over:
            break
        seat = seats_in(int(state.acting))[0]
        legal = game.legal(state, seat)
        game.apply(state, seat, int(legal[int(rng.below(draw, len(legal)))]), log)
    view = game.state.view(state, viewer)
    imagined = determinize(game, view, viewer, draw)
    assert game.state.view(imagined, viewer).tobytes() == view.tobytes()
    assert sorted(imagined.deck.tolist()) == list(range(1, len(imagined.deck) + 1))
    assert imagined.hand.tolist() == imagined.deck[:2].tolist()


def test_resampling_is_uniform() -> None:
    game, draw = leduc_holdem.GAME, rng.generator(5)
    view = game.state.view(opening(game, script=[(0, [4, 1, 6])]), 0)
    rounds = 6000 if JIT else 600
    others = Counter(tuple(determinize(game, view, 0, draw).deck[1:3].tolist()) for _ in range(rounds))
    assert len(others) == 20
    assert all(4 not in pair for pair in others)
    # Chi-square with 19 degrees of freedom: 43.8 at 0.1%.
    expected = rounds / 20
    assert sum((count - expected) ** 2 / expected for count in others.values()) < 43.8


@pytest.mark.parametrize("game", YARDSTICKS.values(), ids=YARDSTICKS)
def test_search_beats_random_play(game: Game) -> None:
    """The bots play them too; in the games without luck, search does not lose to random play."""
    search, rival = make_bot(game, "search:200" if JIT else "search:20"), make_bot(game, "random")
    results = []
    for number in range(6 if JIT else 1):
        own = number % 2
        bots = [search, rival] if own == 0 else [rival, search]
        randoms = [rng.generator(number, seat) for seat in range(2)]
        state, _ = play_match(game.blank(game.options(), NAMES), chance.match_seed(number), bots, randoms)
        assert state.over
        results.append(game.outcome(state)[0][own])
    if JIT and not game.streams:
        assert min(results) >= 0
        assert max(results) == 1


@pytest.mark.parametrize("game", YARDSTICKS.values(), ids=YARDSTICKS)
def test_matches_replay(game: Game) -> None:
    match, draw = Match.new(game, NAMES, seed=3), rng.generator(3)
    while not match.over:
        (seat,) = match.acting
        legal = game.legal(match.view(seat), seat)
        text = game.notation.words[int(legal[int(rng.below(draw, len(legal)))])]
        assert match.play(seat, text).text == text
    again = Match.new(game, NAMES, seed=3)
    for move in match.moves:
        again.play_actions(move.seat, move.actions)
    assert again.chain == match.chain
