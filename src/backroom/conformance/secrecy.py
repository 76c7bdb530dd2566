"""Twins: states that differ only in what a viewer may not know must look, sound and play the same to that viewer."""

import copy
import json
import random
from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise, zip_longest
from typing import Any

from backroom.bots import bot_specs, make_bot
from backroom.bots.regulars import regulars
from backroom.bots.remarks import about_the_table
from backroom.conformance.play import Setting, differing, play_on, positions, refusal_of, viewers
from backroom.engine import rng
from backroom.engine.events import Event
from backroom.engine.facts import facts_of
from backroom.engine.game import Game
from backroom.engine.match import Match
from backroom.engine.notation import complete
from backroom.engine.view import determinize
from backroom.lab.decisive import Effort, hint

BRIEF = Effort(look=20, sift=1, sift_iterations=10, repeats=2, iterations=10, strategies=20, kept=4)
"""How much is searched for a hint here."""
Choose = Callable[[Any, int, Any], list[int]]
"""A bot: the actions of its move for (view, seat, generator)."""


def bots(game: Game) -> dict[str, Choose]:
    """The game's bots by spec; search with few iterations."""
    specs = [spec for spec in bot_specs(game) if not spec.startswith("search")] + ["search:20"]
    return {spec: make_bot(game, spec).choose for spec in specs}


def twins(game: Game, state: Any, viewer: int, count: int, seed: int) -> list[Any]:
    """States that ``viewer`` (seat or SPECTATOR) cannot tell from ``state``: the blank one, then ``count`` resampled.

    Every second resampled one keeps the true chance header, so that the same luck follows. A resample that does not
    keep the view is left out (`check_resample_is_legal` reports it).
    """
    view = game.state.view(state, viewer)
    found = [view]
    for index in range(count):
        twin = determinize(game, view, viewer, rng.generator(seed, "twin", viewer, index))
        if index % 2 == 0:
            twin.chance_key[:] = state.chance_key
            twin.chance_count[:] = state.chance_count
        if game.state.view(twin, viewer).tobytes() == view.tobytes():
            found.append(twin)
    return found


def twin_match(match: Match, state: Any) -> Match:
    """The match with another state at its present ply."""
    found = copy.copy(match)
    found.moves, found.chain, found._states = list(match.moves), list(match.chain), list(match._states)
    found.state = match.game.state.from_bytes(state.tobytes())
    return found


def observation(match: Match, viewer: int, players: Mapping[str, Choose]) -> dict[str, Any]:
    """Everything a viewer can get out of a position without changing it, by the name of the outlet."""
    game, state, names = match.game, match.state, match.names
    view = match.view(viewer)
    found: dict[str, Any] = {
        "view": view.tobytes(),
        "json": json.dumps(game.state.to_json(state, viewer)),
        "tensor": game.state.to_tensor(state, viewer).tobytes(),
        "position": game.notation.position(state, names, viewer),
        "log": match.lines(viewer),
        "acting": match.acting,
    }
    for seat in range(int(state.seats)):
        found[f"question {seat}"] = game.notation.question(view, seat)
        found[f"refusals {seat}"] = refusals(match, seat) if seat == viewer else None
    if not match.over:
        # Whoever sits there: a remark tells nobody what it does not know already.
        found["remarks"] = [
            about_the_table(match, seat, one, [])
            for seat, one in enumerate(regulars().values())
            if seat < int(state.seats)
        ]
    if viewer not in match.acting:
        return found
    legal = game.legal(state, viewer).tolist()
    found["legal"] = legal
    if not legal:
        return found
    for name in ("default", "evaluate"):
        found[name] = game.kernels[name](view, viewer)
    for action in legal[:6]:
        found[f"preview {action}"] = game.notation.preview(game, view, viewer, [action], names)
    first = complete(game, view, viewer, "", names)
    found["completions"] = (first, [complete(game, view, viewer, token.text, names) for token in first.tokens[:4]])
    for name, choose in players.items():
        found[f"bot {name}"] = choose(game.state.copy(view), viewer, rng.generator(7, name))
    found["hint"] = hint(game, game.state.copy(view), viewer, "7", BRIEF)
    return found


def refusals(match: Match, seat: int) -> list[str]:
    """The texts by which moves of this seat are refused (a few words that no game takes alone; illegal actions)."""
    found = []
    match = twin_match(match, match.state)
    for text in ("", "pass", "zz", "x9", " ".join(match.names)):
        found.append(str(refusal_of(partial(match.play, seat, text))))
    legal = set(match.game.legal(match.view(seat), seat).tolist())
    for action in [a for a in range(match.game.actions.count) if a not in legal][:4]:
        found.append(str(refusal_of(partial(match.play_actions, seat, [action]))))
    return found


def check_twins(game: Game, setting: Setting) -> None:
    """Blank or resample what a viewer may not know: all its outlets stay equal, byte for byte."""
    players = bots(game)
    match = setting.match(game, 10)
    for _ in play_on(match, setting.source(10), 60):
        for seat in match.acting:
            legal = game.legal(match.state, seat).tolist()
            for twin in twins(game, match.state, seat, 1, match.ply):
                got = game.legal(twin, seat).tolist()
                assert got == legal, f"ply {match.ply}: seat {seat} may do {legal}, but {got} on a twin"
    for match in positions(game, setting, number=11, count=4):
        for viewer in viewers(match):
            expected = observation(match, viewer, players)
            for number, twin in enumerate(twins(game, match.state, viewer, 2, match.ply)):
                got = observation(twin_match(match, twin), viewer, players)
                for name, value in expected.items():
                    assert got.get(name) == value, (
                        f"ply {match.ply}: {name} shows viewer {viewer} hidden things "
                        f"({'blanked' if number == 0 else 'resampled'}): {parted(value, got.get(name))}"
                    )


def parted(one: Any, other: Any) -> str:
    """Two values in words, from a little before they part to a little after."""
    texts = repr(one), repr(other)
    at = next((place for place, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), 0)
    start = max(at - 60, 0)
    before, after = (f"{'...' if start else ''}{text[start : start + 200]}" for text in texts)
    return f"{before} became {after}"


def _heard(game: Game, before: Any, seat: int, action: int, viewer: int) -> tuple[bytes, list[Event]]:
    state, log = game.state.from_bytes(before.tobytes()), game.events.new_log()
    game.kernels["apply"](state, seat, action, log)
    return game.state.view(state, viewer).tobytes(), [event.seen_by(viewer) for event in game.events.read(log)]


def check_events_tell_no_more_than_views(game: Game, setting: Setting) -> None:
    """The same action on a state and its twin: where the views after it are equal, so is what the viewer hears.

    A kind of event that is itself the revelation (``Facts.reveals``) ends the comparison where it first differs.
    """
    source = random.Random(5)
    for match in positions(game, setting, number=12, count=7):
        for viewer in viewers(match):
            for twin in twins(game, match.state, viewer, 3, match.ply)[1:]:
                for seat in match.acting:
                    legal = game.legal(match.state, seat).tolist()
                    for action in source.sample(legal, min(5, len(legal))):
                        if action in game.legal(twin, seat):
                            heard = [_heard(game, state, seat, action, viewer) for state in (match.state, twin)]
                            _compare(match, viewer, f"after action {action} of seat {seat} on a twin", *heard)


def _compare(
    match: Match, viewer: int, when: str, one: tuple[bytes, list[Event]], other: tuple[bytes, list[Event]]
) -> None:
    """Two ways in which the same may have gone on: where the views are equal, what is heard is equal."""
    if one[0] != other[0] or one[1] == other[1]:
        return
    first, same = next(filter(lambda pair: pair[0] != pair[1], zip_longest(one[1], other[1])))
    revealed = first and same and first.kind in facts_of(match.game).reveals
    assert revealed, (
        f"ply {match.ply}, {when}: viewer {viewer} hears {_told(first)} or {_told(same)}, though its view after it is "
        "the same. Declare the argument private, keep in the record what was told, or, if the rules let it be seen "
        "and nothing of it stays, name the event in `reveals` of the facts"
    )


def _told(event: Event | None) -> str:
    """An event as its viewer hears it, in words."""
    return "nothing" if event is None else f"{event.kind} of seat {event.seat} {event.args}"


def check_actions_tell_no_more_than_views(game: Game, setting: Setting) -> None:
    """Two actions of another seat that leave a viewer with equal views sound equal, and have one label (`hints.seen`).

    The label is what search takes for "what this viewer saw": it must not tell apart what the viewer cannot.
    """
    for match in positions(game, setting, number=13, count=6):
        for seat in match.acting:
            for viewer in viewers(match):
                if viewer == seat:
                    continue
                first: dict[bytes, tuple[int, tuple[bytes, list[Event]]]] = {}
                labels: dict[str, int] = {}
                for action in game.legal(match.state, seat).tolist():
                    heard = _heard(game, match.state, seat, action, viewer)
                    if heard[0] in first:
                        other, earlier = first[heard[0]]
                        _compare(match, viewer, f"after action {action} or {other} of seat {seat}", heard, earlier)
                    first.setdefault(heard[0], (action, heard))
                    label = int(game.kernels["seen"](match.view(viewer), seat, action, viewer))
                    known = labels.setdefault(str(heard), label)
                    assert label == known, (
                        f"ply {match.ply}: viewer {viewer} cannot tell seat {seat}'s actions apart, "
                        f"but hints.seen gives them the labels {known} and {label}"
                    )


def check_unfinished_moves_depend_on_nothing_hidden(game: Game, setting: Setting) -> None:
    """An action that leaves its seat in the middle of a move does the same to a view as to the state."""
    for match in positions(game, setting, number=14, count=8):
        for seat in match.acting:
            states = [match.state, match.view(seat)]
            source = random.Random(match.ply)
            while legal := game.legal(states[0], seat).tolist():
                action = source.choice(legal)
                states = [game.state.from_bytes(state.tobytes()) for state in states]
                for state in states:
                    game.kernels["apply"](state, seat, action, game.events.new_log())
                if not int(states[0].midmove) >> seat & 1:
                    assert not int(states[1].midmove) >> seat & 1, f"ply {match.ply}: on a view the move goes on"
                    break
                for one, other in pairwise(game.state.view(state, seat) for state in states):
                    assert one.tobytes() == other.tobytes(), (
                        f"ply {match.ply}: action {action} of seat {seat} leaves its move unfinished, "
                        f"but acts on hidden things: {differing(game, one, other)}"
                    )
