"""Whether anybody has learnt anything from a move: answered for any game from its kernels alone."""

from typing import Any

from backroom.engine import rng
from backroom.engine.game import Refusal
from backroom.engine.match import Match
from backroom.engine.record import SPECTATOR
from backroom.engine.view import determinize

__all__ = ["undo_is_free"]

IMAGINED = 32
"""States drawn for each viewer. What would surprise a viewer in one of n equally likely states escapes 32 draws with
probability (1 - 1/n)**32 at most, which is small for anything that cards or coins hide."""


def undo_is_free(match: Match, seat: int) -> bool:
    """Whether a seat may take back the last move without asking.

    It may when the move was its own, nobody else is to decide now, no chance was used, and no viewer learnt anything:
    each could have told from its own view what it would see after that move.
    """
    if not match.moves or match.over:
        return False
    move = match.moves[-1]
    if move.seat != seat or not move.actions or match.acting != [seat]:
        return False
    before = match.at(match.ply - 1)
    if before.chance_count.tobytes() != match.state.chance_count.tobytes():
        return False
    return not any(_learnt(match, before, viewer) for viewer in [*range(int(before.seats)), SPECTATOR])


def _learnt(match: Match, before: Any, viewer: int) -> bool:
    game, move = match.game, match.moves[-1]
    known, seen = game.state.view(before, viewer), match.view(viewer).tobytes()
    log = game.events.new_log(recording=False)
    for number in range(IMAGINED):
        state = determinize(game, known, viewer, rng.generator("taking back", number))
        try:
            for action in move.actions:
                game.apply(state, move.seat, action, log)
        except Refusal:
            return True  # that the move could be made at all was news
        if game.state.view(state, viewer).tobytes() != seen:
            return True
    return False
