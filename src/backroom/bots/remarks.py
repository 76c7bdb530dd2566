"""What the regulars say while a match goes on: now and then a sentence about the table, in words of their own.

A remark is made from what everybody may know: the log and the position as a watcher sees them. So it tells nothing of
the hand of whoever makes it, and nothing that its seat could not know. It follows from the match and the match's seed
alone: two servers, and a match that is played again, make the same.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from backroom.bots.regulars import Regular
from backroom.engine import rng
from backroom.engine.game import Game
from backroom.engine.match import Match
from backroom.engine.notation import Line, Thing
from backroom.engine.record import SPECTATOR
from backroom.engine.view import determinize

__all__ = ["REST", "ROLES", "TRIES", "about_the_table", "remarks_of", "time_to_speak"]

REST = 10
"""Turns of its own in which a regular says one thing at most."""
TRIES = 5
"""In so many turns, one after the other, it looks for something to say, until it has found it."""
PERIOD = REST + TRIES - 1
IMAGINED = 3
"""So many positions that a watcher holds possible must agree on the scores, for them to be known to all."""
ROLES = ("own", "me", "other")
"""Whose deed an event is to a regular: its own, another's that has to do with it, another's that has not."""

Sentences = Mapping[str, Mapping[str, Mapping[str, Sequence[str]]]]
"""By kind of event, role, and regular (or ``all``)."""


@cache
def remarks_of(game: Game) -> Sentences:
    """What there is to say about a game's own events: ``remarks.toml`` of its folder, which it may do without."""
    file = game.file("remarks.toml")
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def time_to_speak(match: Match, seat: int) -> int | None:
    """The stretch of turns, by number, in which a seat that has just moved may say one thing; None: not now.

    A stretch is TRIES rounds long, and the next one begins so late that REST turns lie between two remarks. With which
    round they begin hangs on the seat, so that not all speak at once.
    """
    first = int(rng.below(rng.generator(match.seed, "remarks", seat), REST - 1)) + 1
    stretch, place = divmod(match.round_at(match.ply - 1) - first, PERIOD)
    return stretch if stretch >= 0 and place < TRIES else None


def about_the_table(match: Match, seat: int, regular: Regular, said: Collection[str]) -> str:
    """What a regular in that seat has to say after its latest move, nothing of ``said`` again; empty: nothing.

    It is about what has happened since its move before that one, else about the scores.
    """
    own = [ply for ply, move in enumerate(match.moves, 1) if move.seat == seat and move.actions]
    since = own[-2] + 1 if len(own) > 1 else 1
    lines = [line for _, line in match.lines(SPECTATOR, since)]
    random = rng.generator(match.seed, "remark", seat, match.ply)
    for sentences, other in _occasions(match, seat, regular, lines, random):
        fresh = [text for text in _filled(sentences, other) if text not in said]
        if fresh:
            return fresh[int(rng.below(random, len(fresh)))]
    return ""


def _filled(sentences: Sequence[str], other: str) -> Iterator[str]:
    """Sentences with the other player's name in them; those that need one are left out where there is none."""
    for sentence in sentences:
        if other or "{other}" not in sentence:
            yield sentence.format(other=other)


def _occasions(
    match: Match, seat: int, regular: Regular, lines: Sequence[Line], random: Any
) -> Iterator[tuple[Sequence[str], str]]:
    """What there is to speak about, the best first: sentences, and the name of the other player in them."""
    for line in reversed(lines):
        role, other = _role(line, seat, match.names)
        by_regular = remarks_of(match.game).get(line.event.kind, {}).get(role, {})
        yield by_regular.get(regular.key) or by_regular.get("all", ()), other
    for line in reversed(lines):
        role, other = _role(line, seat, match.names)
        if role == "me":
            yield regular.remarks["named"], other
    gains = sorted((line for line in lines if line.gain > 0 and line.seat is not None), key=lambda line: -line.gain)
    for line in gains:
        mine = line.seat == seat
        yield regular.remarks["paid" if mine else "other_paid"], "" if mine else match.names[line.seat or 0]
    scores = _known_scores(match.game, match.view(SPECTATOR), random)
    best = [other for other, score in enumerate(scores) if score == max(scores)]
    if best == [seat]:
        yield regular.remarks["ahead"], ""
    elif len(best) == 1 and scores[seat] == min(scores):
        yield regular.remarks["behind"], match.names[best[0]]


def _role(line: Line, seat: int, names: Sequence[str]) -> tuple[str, str]:
    """Whose deed a line tells to a seat (one of ROLES; empty: nobody's), and the name of the other player in it."""
    doer = line.event.seat
    named = [int(part.key) for part in line.parts if isinstance(part, Thing) and part.kind == "seat"]
    others = [other for other in named if other != seat]
    if doer == seat:
        return "own", names[others[0]] if others else ""
    if not 0 <= doer < len(names):
        return "", ""
    return "me" if seat in named and line.seat == doer else "other", names[doer]


def _known_scores(game: Game, view: Any, random: Any) -> list[int]:
    """The scores by seat where everybody knows them, else none: a watcher's ``view`` leaves them open."""
    found = [game.outcome(determinize(game, view, SPECTATOR, random))[0] for _ in range(IMAGINED)]
    return found[0] if all(scores == found[0] for scores in found) else []
