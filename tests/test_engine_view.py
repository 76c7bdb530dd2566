"""Determinization: it starts from a view, brings chance of its own, and leaves the view alone."""

import random

import numpy as np

from backroom.conformance.play import play_on
from backroom.engine import rng
from backroom.engine.match import Match
from backroom.engine.record import SPECTATOR
from backroom.engine.view import determinize, fresh_chance, imagine
from toys.bazaar import GAME


def position() -> Match:
    match = Match.new(GAME, ["anna", "ben", "cleo"], seed=6)
    for _ in play_on(match, random.Random(6), 7):
        pass
    return match


def test_determinized_state_is_one_the_viewer_could_be_in() -> None:
    match = position()
    for viewer in (0, 1, 2, SPECTATOR):
        view = match.view(viewer)
        before = view.tobytes()
        found = determinize(GAME, view, viewer, rng.generator(1, viewer))
        assert view.tobytes() == before
        assert GAME.state.view(found, viewer).tobytes() == before
        assert found.hand.sum(axis=1).tolist() == found.hand_size.tolist()


def test_imagined_chance_is_fresh_and_never_the_truth() -> None:
    match = position()
    words = rng.generator(1)
    keys = {determinize(GAME, match.view(0), 0, words).chance_key.tobytes() for _ in range(20)}
    assert len(keys) == 20
    assert match.state.chance_key.tobytes() not in keys
    state = GAME.state.copy(match.state)
    fresh_chance(state, words)
    assert state.chance_count.tolist() == [0, 0]


def test_the_same_generator_gives_the_same_samples_and_goes_on() -> None:
    view = position().view(1)
    one, two = rng.generator(4), rng.generator(4)
    first = [determinize(GAME, view, 1, one).tobytes() for _ in range(5)]
    assert first == [determinize(GAME, view, 1, two).tobytes() for _ in range(5)]
    assert len(set(first)) == 5


def test_in_place_form_equals_the_copying_one() -> None:
    view = position().view(2)
    state = GAME.state.copy(view)
    imagine(GAME)(state, 2, rng.generator(9), GAME.kernels["resample"])
    assert np.array_equal(state, determinize(GAME, view, 2, rng.generator(9)))
