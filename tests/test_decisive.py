"""Moves that decided a match, and hints: found where the answer is known, and from a view alone."""

import copy
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from backroom.bots import make_bot
from backroom.bots.search import SearchBot
from backroom.engine import rng
from backroom.engine.game import Game, find_game
from backroom.engine.match import Match
from backroom.lab.decisive import EFFORT, HINT, Decisive, decisive, hint
from test_bots import kuhn_view, opening
from toys_bots import CHECKED_BET, KUHN_GAME, PENNIES_GAME, SIDE, SQUARES_GAME

PLAIN = replace(HINT, look=2000, kept=0)
"""For games that have no words."""
QUICK = replace(EFFORT, look=400, sifted=8, confirmed=3, repeats=10, iterations=400)
PLANTED = 0.1
"""What a planted blunder costs at least, in win share, by whole games that are searched a little."""


def test_a_move_is_worth_what_the_games_after_it_bring() -> None:
    king, queen = kuhn_view(0, 3, CHECKED_BET), kuhn_view(0, 2, CHECKED_BET)
    nobody = np.zeros((2, KUHN_GAME.actions.count))
    bot = SearchBot(KUHN_GAME, "s", 2000)
    assert bot.worth(king, 0, [1], nobody, 5)[0][:, 0].mean() == 1
    assert bot.worth(king, 0, [0], nobody, 5)[0][:, 0].mean() == pytest.approx(0.25, abs=0.03)
    # The same worlds whatever the move: where the call wins by the cards, the same imagined cards are folded.
    wins, finals = bot.worth(queen, 0, [1], nobody, 6, kept=200)
    folded = bot.worth(queen, 0, [0], nobody, 6, kept=200)[1]
    assert wins.sum(axis=1).tolist() == [1.0] * 2000, "one of the two wins each game"
    assert finals["card"].tolist() == folded["card"].tolist()
    assert len(set(finals["card"][:, 1].tolist())) == 2


def test_who_is_asked_at_the_same_time_does_not_know_the_move() -> None:
    view = PENNIES_GAME.state.view(opening(PENNIES_GAME, weight=2), 0)
    bot = SearchBot(PENNIES_GAME, "s", 20_000)
    others = bot.analyse(view, 0, rng.generator(1)).others
    heads, tails = (bot.worth(view, 0, [side], others, 3)[0][:, 0].mean() for side in (0, 1))
    # An opponent who knew would answer heads with tails, and neither would ever win.
    assert heads == pytest.approx(1 / 3, abs=0.08)
    assert tails == pytest.approx(1 / 3, abs=0.08)
    compared = hint(PENNIES_GAME, view, 0, "a", PLAIN).compared
    assert compared is not None
    assert not compared.clear


def test_a_hint_names_the_best_move_and_says_when_there_is_none() -> None:
    found = hint(KUHN_GAME, kuhn_view(0, 3, CHECKED_BET), 0, "a", PLAIN)
    assert found.actions == (1,)
    assert found.compared is not None
    assert found.compared.clear
    assert found.compared.gap.estimate == pytest.approx(0.75, abs=0.05)
    small = SQUARES_GAME.state.view(opening(SQUARES_GAME, side=4), 0)
    column, row = hint(SQUARES_GAME, small, 0, "a", PLAIN).actions
    assert (column * 7 + (row - SIDE) * 3) % 17 >= 14
    alone = SQUARES_GAME.state.view(opening(SQUARES_GAME, side=1), 0)
    assert hint(SQUARES_GAME, alone, 0, "a", PLAIN).compared is None


def played(game: Game, spec: str, seats: int, seed: int, match: Match | None = None) -> Match:
    """A match of a bot against itself, played to its end."""
    bot = make_bot(game, spec)
    match = match or Match.new(game, ["anna", "ben", "cleo", "dan"][:seats], seed=seed)
    while not match.over:
        seat = match.acting[0]
        match.play_actions(seat, bot.choose(match.view(seat), seat, rng.generator(seed, "planted", seat, match.ply)))
    return match


def worst(match: Match, seed: int) -> tuple[list[int], float] | None:
    """The worst of up to twelve moves that may be made now, and what it costs against the best, by games imagined to
    where the game says that they are valued best (their end, if it says nothing): first a few for each, then other and
    more games for these two."""
    game, seat = match.game, match.acting[0]
    view, random = match.view(seat), rng.generator(seed, match.ply)
    end = getattr(game.hints, "CUTOFF", 0)
    judge = SearchBot(game, "judge", 150, cutoff=end)
    legal = game.legal(view, seat).tolist()
    if len(legal) < 2:
        return None
    others = judge.analyse(view, seat, random).others
    found: list[tuple[float, list[int]]] = []
    for action in legal if len(legal) <= 12 else Random(seed).sample(legal, 12):
        move, after = [action], game.state.copy(view)
        game.apply(after, seat, action, game.events.new_log())
        if int(after.midmove) >> seat & 1:
            move += make_bot(game, "search:50").choose(after, seat, random)
        found.append((float(judge.worth(view, seat, move, others, seed)[0][:, seat].mean()), move))
    found.sort()
    sure = SearchBot(game, "judge", 1000, cutoff=end)
    low, high = (
        sure.worth(view, seat, move, others, seed + 1000)[0][:, seat].mean() for move in (found[0][1], found[-1][1])
    )
    return found[0][1], float(high - low)


def planted(game: Game, spec: str, seats: int, seed: int) -> tuple[Match, int]:
    """A match of a bot against itself in which one decision, drawn by lot from those that matter, was the worst move;
    and the number of moves before it."""
    whole = played(game, spec, seats, seed)
    for ply in Random(seed).sample(range(whole.ply), whole.ply):
        match = copy.copy(whole)
        while match.ply > ply:
            match.undo()
        found = worst(match, seed)
        if found is not None and found[1] >= PLANTED:
            match.play_actions(match.acting[0], found[0])
            return played(game, spec, seats, seed, match), ply
    raise AssertionError("no decision of that match mattered")


def blunders(found: list[Decisive]) -> list[int]:
    return [move.ply for move in found if not move.praised]


def test_a_planted_blunder_is_listed_and_told_from_luck() -> None:
    match, ply = planted(find_game("catham"), "search:1000", 3, 0)
    told: list[float] = []
    found = decisive(match, 1, QUICK, told.append)
    assert ply in blunders(found)
    assert found == decisive(match, 1, QUICK), "the same from the same match and seed"
    assert told == sorted(told)
    assert told[-1] == 1
    blunder = next(move for move in found if move.ply == ply)
    assert blunder.played == match.moves[ply].actions == blunder.compared.other
    assert blunder.compared.gap.low > 0
    assert blunder.compared.reason is not None
    assert len(found) <= 3
    for move in found:
        assert match.moves[move.ply].seat == move.seat
        assert -1 <= move.luck.low <= move.luck.estimate <= move.luck.high <= 1
    assert decisive(match, seed=1, until=0) == [], "no time, nothing found"


LENGTHS: list[Any] = [
    pytest.param("catham", "search:1500", 3, id="catham"),
    pytest.param("dark_sources", "search:1500", 3, id="dark_sources"),
]


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("name", "spec", "seats"), LENGTHS)
def test_of_fifty_planted_blunders_forty_are_listed(name: str, spec: str, seats: int) -> None:
    matches = [planted(find_game(name), spec, seats, seed) for seed in range(50)]
    assert sum(ply in blunders(decisive(match)) for match, ply in matches) >= 40


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("name", "spec", "seats"), LENGTHS)
def test_few_games_of_a_strong_bot_against_itself_list_a_blunder(name: str, spec: str, seats: int) -> None:
    matches = [played(find_game(name), "search:6000", seats, 100 + seed) for seed in range(20)]
    assert sum(bool(blunders(decisive(match, effort=EFFORT))) for match in matches) <= 4
