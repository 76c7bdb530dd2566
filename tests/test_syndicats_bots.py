"""Bots of Syndicats: contracts from a position against all legal moves, what a search considers, personas, strength."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from backroom.bots import make_bot
from backroom.bots.bot import play_match
from backroom.engine import chance, rng
from backroom.engine.kernel import INT, LONGS, specialise
from backroom.games.syndicats import GAME, assign, bots, rules
from backroom.games.syndicats.assign import COIN, MOST_STEPS
from backroom.games.syndicats.cards import LAIR
from backroom.lab.run import simulate

MANY_RULES: dict[str, Any] = {
    "preset": "first-draft", "upkeep": True, "geography": True, "retain_cost": 1, "start_sides": "custom",
    "territories": 6, "end": "deck",
}  # fmt: skip
"""Switches under which contracts have everything: yarn, upkeep, districts, houses retained and held."""


def positions(seats: int, seed: int, options: dict[str, Any], games: int) -> Iterator[tuple[Any, int]]:
    """Positions and a seat that is asked, in games in which half of the moves are greedy."""
    for number in range(games):
        names = [f"p{seat}" for seat in range(seats)]
        chosen = GAME.options.build(GAME.options.simulation_defaults(seats) | options)
        state, _ = GAME.opening(chosen, names, chance.match_seed(seed + number))
        log, source, words = GAME.events.new_log(recording=False), random.Random(number), rng.generator(number)
        greedy = GAME.kernels["policy"]
        while not state.over:
            seat = source.choice([p for p in range(seats) if state.acting >> p & 1])
            yield state, seat
            legal = GAME.legal(state, seat)
            action = (
                int(greedy(state, seat, legal, len(legal), words)) if source.random() < 0.7 else source.choice(legal)
            )
            GAME.kernels["apply"](state, seat, int(action), log)


def moves(state: Any, seat: int, room: list[int]) -> Iterator[Any]:
    """The rows that each legal contracts move writes; IndexError when there are more than there is room for."""
    for action in GAME.legal(state, seat).tolist():
        room.pop()
        if action == rules.DONE:
            yield state
            continue
        after = GAME.state.copy(state)
        rules.write_contract(after, seat, action)
        after.midmove = after.midmove | 1 << seat
        yield from moves(after, seat, room)


@pytest.mark.parametrize("options", [{}, MANY_RULES], ids=["final", "many rules"])
def test_no_legal_contracts_earn_more_than_those_that_are_proposed(options: dict[str, Any]) -> None:
    following = specialise(assign.next_contract, INT(GAME.state.numba_type, INT, LONGS, INT))
    balance = specialise(rules.balance, INT(GAME.state.numba_type, INT))
    nothing, compared = np.zeros(LAIR, np.int64), 0
    for state, seat in positions(3, 5, options, 2):
        if state.phase != rules.CONTRACTS or state.latest[seat] != 0:
            continue
        try:
            best = max(balance(after, seat) for after in moves(GAME.state.copy(state), seat, [0] * 300))
        except IndexError:
            continue
        proposed = GAME.state.copy(state)
        while True:
            action = following(proposed, seat, nothing, MOST_STEPS)
            assert action in GAME.legal(proposed, seat)
            if action == rules.DONE:
                break
            rules.write_contract(proposed, seat, action)
            proposed.midmove = proposed.midmove | 1 << seat
        assert balance(proposed, seat) == best
        compared += 1
    assert compared > 8


def test_contracts_that_somebody_has_begun_are_made_whole_in_the_best_way() -> None:
    following = specialise(assign.next_contract, INT(GAME.state.numba_type, INT, LONGS, INT))
    stay = np.full(LAIR, COIN, np.int64)
    for options in ({}, MANY_RULES):
        for state, seat in positions(2, 9, options, 6):
            if state.phase == rules.CONTRACTS:
                assert following(state, seat, stay, MOST_STEPS) in GAME.legal(state, seat)


@pytest.mark.parametrize(
    "options", [{}, {"preset": "sketch"}, {"preset": "third-playtest", "second_feed": True}], ids=str
)
def test_a_search_considers_few_sums_and_no_sum_becomes_illegal(options: dict[str, Any]) -> None:
    consider, most = GAME.kernels["consider"], 0
    for state, seat in positions(3, 2, options, 4):
        before = GAME.state.copy(state)
        legal = GAME.legal(state, seat)
        kept = legal.copy()
        kept = kept[: consider(state, seat, kept, len(kept))].tolist()
        assert GAME.state.view(state, seat).tobytes() == GAME.state.view(before, seat).tobytes()
        assert kept
        assert kept == sorted(kept)
        assert set(kept) <= set(legal.tolist())
        sums = [action for action in kept if action <= rules.NO_BID]
        assert len(sums) <= bots.MOST_BIDS
        most = max(most, len(sums))
        if state.phase == rules.BID:
            assert {legal[0], legal[-1]} <= set(kept)
        if state.phase == rules.CONTRACTS:
            assert len(kept) == 1
        before.cash[seat] = 900
        if state.phase == rules.BID:
            rich = GAME.legal(before, seat)
            assert len(rich) > 800
            assert consider(before, seat, rich, len(rich)) <= bots.MOST_BIDS
    assert most == bots.MOST_BIDS


@pytest.mark.parametrize("name", bots.PERSONAS)
def test_personas_play_legally(name: str) -> None:
    persona = bots.PERSONAS[name]
    policy = persona.make(persona.parameter.default if persona.parameter else 0.0)
    words, played = rng.generator(name), 0
    for state, seat in positions(3, len(name), {"preset": "third-playtest"}, 1):
        legal = GAME.legal(state, seat)
        if len(legal) > 1 and state.phase != rules.CONTRACTS:
            assert int(policy(GAME.state.view(state, seat), seat, legal, len(legal), words)) in legal
            played += 1
        if played == 25:
            break


def test_evaluations_are_win_shares() -> None:
    for seats in (2, 3, 5):
        for state, _ in positions(seats, seats, {}, 1):
            shares = [float(GAME.kernels["evaluate"](state, seat)) for seat in range(seats)]
            assert sum(shares) == pytest.approx(1)
            assert min(shares) > 0


def test_greedy_is_far_stronger_than_random_in_every_preset() -> None:
    for preset in GAME.options.presets:
        result = simulate("syndicats", {"preset": preset}, 3, "greedy,random,random", games=30, workers=1)
        assert result.shares[0].estimate > 0.9, preset


def test_a_match_with_a_search_is_played_to_its_end() -> None:
    blank = GAME.blank(GAME.options.build({"preset": "small-deck"}), ["a", "b"])
    players = [make_bot(GAME, "search:10"), make_bot(GAME, "greedy")]
    state, _ = play_match(blank, chance.match_seed(4), players, [rng.generator(4, seat) for seat in range(2)])
    assert state.over
