"""The discards, and once the game is over the parts of each score and the hands."""

from collections.abc import Sequence
from typing import Any

from backroom.engine.notation import Line, Thing
from backroom.games.medici import rules
from backroom.games.medici.table.seen import Face, Seen
from backroom.text.english import counted

__all__ = ["held", "lost", "verdicts"]


def verdicts(view: Any, viewer: int, names: Sequence[str], lines: Sequence[tuple[int, Line]]) -> Sequence[str]:
    """The parts of each score; with equal scores also the nobles at court, which decide next."""
    del viewer, lines
    tallies = [[int(number) for number in rules.tally(view, seat)] for seat in range(len(names))]
    scores = [int(rules.score(view, seat)) for seat in range(len(names))]
    found = []
    for score, (value, nobles, _, inner) in zip(scores, tallies, strict=True):
        made = f"influence {value}, 3 × {inner} for the Inner Circle" if view.game == rules.FRINGE else ""
        rivals = {other[1] for other, equal in zip(tallies, scores, strict=True) if equal == score} - {nobles}
        stands = f"{counted(nobles, 'noble')} at court" if rivals or not made else ""
        found.append(", ".join(filter(None, [made, stands])) + (f" to {max(rivals)}" if rivals else ""))
    return found


def lost(at: Seen) -> list[tuple[int, str, list[Thing]]]:
    """The discards of each house: its seat, who plays it, the cards."""
    return [
        (seat, at.call(seat), [at.tag(card) for card in at.counted(seat, at.view.discard[seat])]) for seat in at.seats
    ]


def held(at: Seen) -> dict[int, list[Face]]:
    """The hand of each house at the end."""
    return {seat: [at.face(card) for card in at.counted(seat, at.view.hand[seat])] for seat in at.seats}
