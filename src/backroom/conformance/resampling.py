"""Resampling: possible, true to the view, varied, and uniform."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy import stats

from backroom.conformance.play import PLAYERS, SEEDS, Setting, bare, differing, play_on, positions, random_move, viewers
from backroom.engine import chance, rng
from backroom.engine.facts import facts_of
from backroom.engine.game import Game, seats_in
from backroom.engine.record import SPECTATOR, Visibility
from backroom.engine.view import determinize

DOUBT = 1e-4
"""A sample this improbable under its hypothesis is taken as a failure. The same seed always gives the same sample."""


def hides(game: Game, setting: Setting) -> bool:
    """Whether there is anything to resample under this setting."""
    open_when = facts_of(game).open_when
    return bool(hidden_fields(game)) and not any(setting.options.get(k) == value for k, value in open_when.items())


def check_resample_is_legal(game: Game, setting: Setting) -> None:
    """A resampled state keeps the view exactly, keeps what is conserved, and can be played on from.

    In the midst of a move too: whoever looks on, its player can finish the move.
    """
    for match in positions(game, setting, number=21, count=7):
        _check_resamples(game, match.state, f"ply {match.ply}", match.ply, samples=1)
    for number, (where, state) in enumerate(amid_moves(game, setting, number=26, count=24)):
        _check_resamples(game, state, where, number, samples=3)


def _check_resamples(game: Game, truth: Any, place: str, seed: int, samples: int) -> None:
    conserved = facts_of(game).conserved
    totals = conserved and conserved(truth)
    for viewer in (*range(int(truth.seats)), SPECTATOR):
        view = game.state.view(truth, viewer)
        before = view.tobytes()
        for sample in range(samples):
            where = f"{place}, viewer {viewer}, sample {sample}"
            state = determinize(game, view, viewer, rng.generator(seed, "resample", viewer, sample))
            assert view.tobytes() == before, f"{where}: resampling changed the view it was given"
            seen = game.state.view(state, viewer)
            assert seen.tobytes() == before, f"{where}: resampling changed what is seen: {differing(game, seen, view)}"
            assert state.acting == truth.acting, f"{where}: resampling changed who is asked"
            if conserved is not None:
                assert conserved(state) == totals, f"{where}: the resampled totals are impossible"
            source = random.Random(seed)
            for _ in range(12):
                if state.over:
                    break
                for seat in seats_in(int(state.acting)):
                    assert len(game.legal(state, seat)), f"{where}: seat {seat} has no legal action"
                seat = source.choice(seats_in(int(state.acting)))
                actions = random_move(game, state, seat, source)
                assert actions is not None, f"{where}: seat {seat} cannot finish its move"
                for action in actions:
                    game.apply(state, seat, action, game.events.new_log())
                    assert conserved is None or conserved(state) == totals, f"{where}: {action} loses something"


def amid_moves(game: Game, setting: Setting, number: int, count: int) -> Iterator[tuple[str, Any]]:
    """States of a random game in which a move has begun and is not whole, with words for where."""
    match, source = setting.match(game, number), setting.source(number)
    for _ in play_on(match, source, 150):
        for seat in match.acting:
            state = game.state.from_bytes(match.state.tobytes())
            for action in random_move(game, state, seat, source) or ():
                game.apply(state, seat, action, game.events.new_log())
                if int(state.midmove) >> seat & 1 and count > 0:
                    count -= 1
                    yield f"ply {match.ply}, after action {action} of seat {seat}", game.state.copy(state)


def check_resample_varies(game: Game, setting: Setting) -> None:
    """Where something is hidden, samples differ, for every viewer; and resampled values are not always true."""
    if not hides(game, setting):
        return
    match = setting.match(game, 22)
    waiting = set(viewers(match))
    for _ in play_on(match, setting.source(22), 60):
        for viewer in list(waiting):
            view = match.view(viewer)
            drawn = {bare(game, determinize(game, view, viewer, rng.generator(i, "vary"))) for i in range(5)}
            if len(drawn) > 1:
                waiting.remove(viewer)
    assert not waiting, f"at no ply did resampling vary for the viewers {sorted(waiting)}"
    states = deals(game, setting, 25)
    for viewer in viewers(match):
        views = [game.state.view(state, viewer) for state in states]
        imagined = [determinize(game, view, viewer, rng.generator(0, "truth", i)) for i, view in enumerate(views)]
        for name in hidden_fields(game):
            if name in facts_of(game).open_at_first:
                continue
            unknown = [not np.array_equal(state[name], view[name]) for state, view in zip(states, views, strict=True)]
            different = [not np.array_equal(a[name], b[name]) for a, b in zip(states, imagined, strict=True)]
            dealt = len({state[name].tobytes() for state in states}) > 1
            assert any(different) or not (dealt and any(unknown)), (
                f"viewer {viewer} does not see {name}, but in {len(states)} deals its resample was always the truth"
            )


def hidden_fields(game: Game) -> list[str]:
    """Names of the fields that somebody may not see, chance header aside."""
    fields = game.state.fields.items()
    return [name for name, f in fields if f.visibility is not Visibility.PUBLIC and not name.startswith("chance_")]


def deals(game: Game, setting: Setting, count: int) -> list[Any]:
    """Openings from different seeds."""
    options, players = game.options.build(setting.options), PLAYERS[: setting.seats]
    seeds = range(SEEDS * setting.seed, SEEDS * setting.seed + count)
    return [game.opening(options, players, chance.match_seed(seed))[0] for seed in seeds]


def _columns(game: Game, state: Any) -> list[int]:
    """Every hidden number of a state, and for neighbours whether they are equal or ascend."""
    found: list[int] = []
    for name in hidden_fields(game):
        values = np.asarray(state[name]).ravel()
        found += values.tolist()
        found += np.sign(np.diff(values.astype(np.int64))).tolist()
    return found


def _same(one: "np.ndarray[Any, Any]", other: "np.ndarray[Any, Any]") -> float:
    """P value of the chi-square test that two samples of whole numbers come from one distribution."""
    values, counts = np.unique(np.concatenate([one, other]), return_counts=True)
    common = values[counts >= 16]
    table = np.array([[np.sum(sample == value) for value in common] for sample in (one, other)])
    rest = np.array([[len(sample)] for sample in (one, other)]) - table.sum(axis=1, keepdims=True)
    table = np.hstack([table, rest]) if rest.sum() >= 16 else table
    if table.shape[1] < 2 or (table.sum(axis=1) == 0).any():
        return 1.0
    return float(stats.chi2_contingency(table, correction=False).pvalue)


def check_resample_is_calibrated(game: Game, setting: Setting, games: int = 200) -> None:
    """At the opening nobody has chosen anything, so over many deals true and resampled states follow one law."""
    if not hides(game, setting):
        return
    states = deals(game, setting, games)
    truth = np.array([_columns(game, state) for state in states])
    for viewer in (0, setting.seats - 1, SPECTATOR):
        random_words = rng.generator(24, "law", viewer)
        views = [game.state.view(state, viewer) for state in states]
        drawn = np.array([_columns(game, determinize(game, view, viewer, random_words)) for view in views])
        for column in np.flatnonzero((truth != drawn).any(axis=0)):
            p = _same(truth[:, column], drawn[:, column])
            assert p * truth.shape[1] > DOUBT, (
                f"viewer {viewer}: hidden number {column} is dealt {Counter(truth[:, column].tolist())} "
                f"but resampled {Counter(drawn[:, column].tolist())}"
            )


def check_resample_is_uniform(game: Game, settings: Sequence[Setting], samples: int = 2000) -> None:
    """In the positions the facts name, resampling follows the stated weights (chi-square)."""
    for case in facts_of(game).uniform:
        state, _ = game.notation.parse_position(game, case.position)
        view = game.state.view(state, case.viewer)
        random_words = rng.generator(23 + SEEDS * settings[0].seed, "uniform")
        drawn = Counter(case.project(determinize(game, view, case.viewer, random_words)) for _ in range(samples))
        impossible = set(drawn) - set(case.weights)
        assert not impossible, f"{case.position}: viewer {case.viewer} draws {impossible}, which cannot be"
        total = sum(case.weights.values())
        expected = [samples * weight / total for weight in case.weights.values()]
        p = stats.chisquare([drawn[key] for key in case.weights], expected).pvalue
        assert p > DOUBT, (
            f"{case.position}: viewer {case.viewer} draws {dict(drawn)}, but the weights are {dict(case.weights)}"
        )
