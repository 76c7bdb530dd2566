"""A match is data: replay, copies, isolation of chance, and the two ways of running kernels."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from backroom.conformance.play import Setting, locator, play_on, refusal_of, registered, repeat, viewers
from backroom.conformance.secrecy import bots, observation
from backroom.conformance.uncompiled import chain
from backroom.engine import rng
from backroom.engine.game import Game
from backroom.engine.match import Match
from backroom.engine.notation import complete
from backroom.engine.view import determinize


def check_replay(game: Game, setting: Setting) -> None:
    """Export and import at several plies give the same hash chain, state, log and text."""
    match = setting.match(game, 31)
    with registered(game):
        for _ in play_on(match, setting.source(31), 150):
            if match.ply % 25 == 1 or match.over:
                _check_same(match, Match.loads(match.dumps()))
        _check_same(match, Match.loads(match.dumps()))
    again = setting.match(game, 31)
    for ply, move in enumerate(match.moves):
        assert again.state.tobytes() == match.at(ply).tobytes(), f"ply {ply}: replaying gives another state"
        again.play(move.seat, move.text)
        assert again.moves[-1].actions == move.actions, f"ply {ply}: {move.text!r} was read as other actions"
    assert again.chain == match.chain, "replaying gives another hash chain"


def _check_same(match: Match, found: Match) -> None:
    assert found.chain == match.chain, "an imported match has another hash chain"
    assert found.state.tobytes() == match.state.tobytes(), "an imported match has another state"
    assert found.moves == match.moves, "an imported match has other moves"
    assert found.dumps() == match.dumps(), "an imported match is exported as another file"


def check_json(game: Game, setting: Setting) -> None:
    """Views are plain JSON at every ply, hidden things are null in it, and states survive bytes."""
    match = setting.match(game, 32)
    for _ in play_on(match, setting.source(32), 60):
        for viewer in viewers(match):
            data = game.state.to_json(match.state, viewer)
            where = f"ply {match.ply}, viewer {viewer}"
            assert json.loads(json.dumps(data)) == data, f"{where}: the view does not survive JSON: {data}"
            assert data["chance_key"] is None, f"{where}: the key of chance shows"
            assert list(data) == list(game.state.fields), f"{where}: the fields in JSON are {list(data)}"
        again = game.state.from_bytes(match.state.tobytes())
        assert again.tobytes() == match.state.tobytes(), f"ply {match.ply}: a state does not survive as bytes"


def check_past_states_stay(game: Game, setting: Setting) -> None:
    """Keep every past state and hash all of them again after each move and each refused move: none may change."""
    match = setting.match(game, 33)
    source = setting.source(33)
    kept: list[tuple[Any, bytes]] = []
    for _ in play_on(match, source, 50):
        kept.append((match.state, match.state.tobytes()))
        before = match.dumps()
        for seat in match.acting:
            _try_half_moves(match, seat)
        assert match.dumps() == before, f"ply {match.ply}: a refused move changed the match"
        for ply, (state, memory) in enumerate(kept):
            assert state.tobytes() == memory, f"the state of ply {ply} changed after ply {match.ply - 1}"
            assert match.at(ply).tobytes() == memory, f"ply {ply} is recorded as another state"


def _try_half_moves(match: Match, seat: int) -> None:
    """Moves that begin well and go wrong: whole moves with an action too many, unfinished ones, illegal ones."""
    legal = match.game.legal(match.state, seat).tolist()
    for action in legal[:3] + legal[-3:]:
        for rest in ([match.game.actions.count - 1] * 40, [0] * 40):
            problem = refusal_of(partial(match.play_actions, seat, [action, *rest]))
            assert problem is not None, f"ply {match.ply}: {action} and 40 actions more were accepted"
            assert problem.code in ("E_COUNT", "E_ILLEGAL"), problem


def check_chance_is_isolated(game: Game, setting: Setting) -> None:
    """Looking, resampling, rendering, completing, bots and refused moves change no trace."""
    plain = setting.match(game, 34)
    for _ in play_on(plain, setting.source(34), 40):
        pass
    watched = setting.match(game, 34)
    players = bots(game)
    for number, move in enumerate(plain.moves):
        before = watched.state.tobytes()
        for viewer in viewers(watched):
            if number % 5 == 0:
                observation(watched, viewer, players)
            determinize(game, watched.view(viewer), viewer, rng.generator(number))
        _call_hints(game, watched, number)
        if move.message is None:
            complete(game, watched.view(move.seat), move.seat, "", watched.names)
        assert watched.state.tobytes() == before, f"ply {watched.ply}: looking at the state changed it"
        repeat(watched, move)
        assert watched.moves[-1] == move, f"ply {watched.ply}: the same move went another way"
    assert watched.chain == plain.chain, "looking at a match changed its hash chain"


def _call_hints(game: Game, match: Match, number: int) -> None:
    """All kernels but `apply` and `setup` leave the state alone, and what they say is in range."""
    for seat in match.acting:
        legal = game.legal(match.state, seat)
        if not len(legal):
            continue
        action = int(game.kernels["policy"](match.state, seat, legal, len(legal), rng.generator(number, seat)))
        assert action in legal, f"policy chose {action}, which is not legal"
        game.kernels["default"](match.state, seat)
    for seat in range(int(match.state.seats)):
        estimate = float(game.kernels["evaluate"](match.state, seat))
        assert 0 <= estimate <= 1, f"evaluate gave seat {seat} {estimate}, which is no share"
    game.outcome(match.state)


def check_uncompiled(game: Game, settings: Sequence[Setting]) -> None:
    """Without compilation the same seeds give the same hash chains, and `apply` on views stays within its arrays."""
    environment = os.environ | {"BACKROOM_JIT": "0", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "backroom.conformance.uncompiled", locator(game)]
    asked = json.dumps([(setting.seats, dict(setting.options), setting.seed) for setting in settings])
    run = subprocess.run(command, env=environment, input=asked, capture_output=True, text=True)
    told = run.stdout.splitlines()
    for number, (setting, line) in enumerate(zip(settings, told, strict=False)):
        plain, compiled = json.loads(line), chain(game, setting, whole=number == 0)
        parted = next((ply for ply, (a, b) in enumerate(zip_longest(plain, compiled)) if a != b), None)
        assert parted is None, (
            f"with {setting}, run uncompiled, the same random game goes another way from move {parted} on: narrow "
            "fields overflow there (compute with np.int64), or a file was changed since this run compiled it"
        )
    at = f" with {settings[len(told)]}" if len(told) < len(settings) else ""
    assert run.returncode == 0, f"uncompiled (BACKROOM_JIT=0){at}:\n{run.stderr[-3000:].strip()}"
