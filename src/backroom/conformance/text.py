"""Notation: moves, completions and positions, both ways, and garbage."""

import copy
import random
import re
import string
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from backroom.conformance.play import Setting, differing, play_on, positions, random_move, refusal_of, viewers
from backroom.conformance.secrecy import twin_match
from backroom.engine.facts import facts_of
from backroom.engine.game import Game
from backroom.engine.match import Match
from backroom.engine.notation import Part, Thing, complete, move_text, play_on_view
from backroom.engine.record import ALL_KNOWING, Viewer

CODE = re.compile(r"E(_[A-Z]+)+")
SOME = hypothesis_settings(
    max_examples=40,
    deadline=None,
    database=None,
    derandomize=True,
    report_multiple_bugs=False,
    suppress_health_check=[HealthCheck.too_slow],
)
"""How many texts are tried. The same ones each time: what a slow machine does must not matter."""


def _moves(match: Match, seat: int, source: random.Random) -> list[list[int]]:
    """Whole legal moves: every one of a single action, and random ones of several."""
    game = match.game
    found = []
    for action in game.legal(match.state, seat).tolist():
        after = game.state.from_bytes(match.state.tobytes())
        game.kernels["apply"](after, seat, action, game.events.new_log(recording=False))
        if int(after.midmove) >> seat & 1:
            rest = random_move(game, after, seat, source)
            if rest is not None:
                found.append([action, *rest])
        else:
            found.append([action])
    return found


def check_moves_round_trip(game: Game, setting: Setting) -> None:
    """Every legal move's text is read back as the same actions, in any case of letters."""
    for match in positions(game, setting, number=51, count=9):
        for seat in match.acting:
            view = match.view(seat)
            texts: dict[str, list[int]] = {}
            for actions in _moves(match, seat, random.Random(match.ply)):
                text = move_text(game, view, seat, actions, match.names)
                assert texts.setdefault(text, actions) == actions, f"{text!r} stands for {actions} and {texts[text]}"
                for written in (text, text.upper(), f"  {text} "):
                    problem = refusal_of(partial(game.notation.parse_move, game, view, seat, written, match.names))
                    assert problem is None, f"ply {match.ply}: {written!r} is legal, but refused: {problem}"
                    got = game.notation.parse_move(game, view, seat, written, match.names)
                    assert got == actions, f"ply {match.ply}: {written!r} is {actions}, but was read as {got}"


def check_lines_name_players_apart(game: Game, setting: Setting) -> None:
    """Lines of the log name players by `player` alone: told under other names, all else of them is the same."""
    match = list(positions(game, setting, number=56, count=2))[-1]
    other = copy.copy(match)
    other.names = tuple(f"other-{seat}" for seat in range(len(match.names)))
    everybody: list[Viewer] = [*viewers(match), ALL_KNOWING]
    for viewer in everybody:
        for (ply, line), (_, again) in zip(match.lines(viewer), other.lines(viewer), strict=True):
            told = [(it.rule, it.seat, [_nameless(part) for part in it.parts]) for it in (line, again)]
            assert told[0] == told[1], f"ply {ply}: the names in {line.text!r} are not things of the kind seat"
            assert line.seat in (None, line.event.seat), f"ply {ply}: {line.text!r} credits seat {line.seat}"


def _nameless(part: Part) -> Part:
    return replace(part, words="") if isinstance(part, Thing) and part.kind == "seat" else part


def check_completions(game: Game, setting: Setting) -> None:
    """Completing word by word leads to every legal move, and whatever it leads to is a legal move."""
    for match in positions(game, setting, number=52, count=6):
        for seat in match.acting:
            view = match.view(seat)
            source = random.Random(match.ply)
            moves = _moves(match, seat, source)
            for actions in source.sample(moves, min(5, len(moves))):
                _check_leads(match, view, seat, actions)
            for _ in range(4 if moves else 0):
                _check_follow(match, view, seat, source)


def _check_leads(match: Match, view: Any, seat: int, actions: list[int]) -> None:
    game, text = match.game, ""
    at = view
    for action in actions:
        for token in game.notation.move_tokens(at, seat, action, match.names):
            offered = complete(game, view, seat, text, match.names).tokens
            assert token in offered, f"ply {match.ply}: after {text!r} comes {token}, which is not in {offered}"
            text += token.text if token.glue or not text else f" {token.text}"
        at = play_on_view(game, at, seat, action)
    found = complete(game, view, seat, text, match.names)
    assert found.actions == tuple(actions), f"ply {match.ply}: {text!r} completes to {found.actions}, not {actions}"


def _check_follow(match: Match, view: Any, seat: int, source: random.Random) -> None:
    prefix = ""
    for _ in range(200):
        found = complete(match.game, view, seat, prefix, match.names)
        if found.actions is not None and (not found.tokens or source.random() < 0.5):
            got = match.game.notation.parse_move(match.game, view, seat, prefix, match.names)
            assert tuple(got) == found.actions, f"{prefix!r} completes to {found.actions}, but was read as {got}"
            return
        texts = [token.text for token in found.tokens]
        assert len(set(texts)) == len(texts), f"ply {match.ply}: after {prefix!r} a word is offered twice: {texts}"
        token = source.choice(found.tokens)
        prefix += token.text if token.glue or not prefix else f" {token.text}"
    raise AssertionError(f"ply {match.ply}: completing went on for 200 words: {prefix[:80]!r}")


def check_positions_round_trip(game: Game, setting: Setting) -> None:
    """A position line, read back, is the state but for the chance header; one viewer's line is one line."""
    match = setting.match(game, 53)
    for _ in play_on(match, setting.source(53), 80):
        text = game.notation.position(match.state, match.names, ALL_KNOWING)
        assert "\n" not in text, f"ply {match.ply}: the position has more than one line"
        state, names = game.notation.parse_position(game, text)
        assert tuple(names) == tuple(match.names), f"ply {match.ply}: the names became {names}"
        fields = differing(game, state, match.state)
        assert not fields, (
            f"ply {match.ply}: {text!r} loses {[(n, match.state[n].tolist(), state[n].tolist()) for n in fields]}"
        )
        again = game.notation.position(state, names, ALL_KNOWING)
        assert again == text, f"ply {match.ply}: {text!r}, read back, is printed as {again!r}"


def _refused(text: str, read: Callable[[], Any]) -> bool:
    """Whether ``read`` refuses, in one line with a code."""
    try:
        problem = refusal_of(read)
    except Exception as raised:
        raise AssertionError(f"{text!r} raises {type(raised).__name__}: {raised}") from raised
    if problem is None:
        return False
    assert CODE.fullmatch(problem.code), f"{text!r}: {problem.code!r} is no code"
    assert problem.message.strip(), f"{text!r}: the refusal says nothing"
    assert "\n" not in problem.message, f"{text!r}: the refusal has more than one line"
    return True


def check_garbage_is_refused(game: Game, setting: Setting) -> None:
    """Any text is read as a legal move or refused in one line, for every seat at any time; nothing else is raised."""
    found = list(positions(game, setting, number=54, count=5))
    words = {word for match in found for move in match.moves for word in move.text.split()}
    words |= {word for phrase in facts_of(game).phrases for word in phrase.split()}
    words |= set(found[0].names) | {
        "x0",
        "x1",
        "x99",
        "x-1",
        "+",
        ">",
        "pass",
        "0",
        "1",
        "-1",
        "99999999999999999999",
        "é",
    }
    line = st.one_of(st.lists(st.sampled_from(sorted(words)), max_size=8).map(" ".join), st.text(max_size=40))

    @SOME
    @given(text=line, at=st.sampled_from(found), seat=st.integers(0, setting.seats - 1))
    def read(text: str, at: Match, seat: int) -> None:
        match = setting.made[0] = twin_match(at, at.state)
        if _refused(text, lambda: match.play(seat, text)):
            assert match.dumps() == at.dumps(), f"{text!r} was refused, but changed the match"
        assert match.at(at.ply).tobytes() == at.state.tobytes(), f"{text!r} changed a position of the past"

    read()


def check_bad_positions_are_refused(game: Game, setting: Setting) -> None:
    """Any text is read as a position or refused in one line; what is read prints and reads the same again."""
    lines = [
        game.notation.position(match.state, match.names, ALL_KNOWING)
        for match in positions(game, setting, number=55, count=5)
    ]
    piece = st.text(string.ascii_letters + string.digits + " |:/,=-?>#@.", max_size=6)

    @SOME
    @given(st.sampled_from(lines), st.integers(0, 400), st.integers(0, 12), piece, st.text(max_size=30))
    def read(line: str, at: int, cut: int, put: str, other: str) -> None:
        for text in (line[:at] + put + line[at + cut :], other):
            if not _refused(text, partial(game.notation.parse_position, game, text)):
                got = game.notation.parse_position(game, text)
                again, _ = game.notation.parse_position(game, game.notation.position(*got, ALL_KNOWING))
                assert not differing(game, again, got[0]), f"{text!r} is read, but its line says something else"

    read()
