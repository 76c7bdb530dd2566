"""What others did since a seat's last move: one deed a move, for the strip on the cloth and for the telling."""

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from backroom.engine.notation import Line, Thing
from backroom.tables.views import TableView

__all__ = ["Deed", "deeds", "deeds_since", "last_deeds"]


@dataclass(frozen=True)
class Deed:
    """The deed of a move: the line that tells it, and those that tell what came of it.

    ``seat`` is whose it was, None for what all did together. ``gain`` are the points it brought that player.
    ``thing`` is the first thing it names besides players, which travels when it is told (None: there is none).
    """

    move: int
    seat: int | None
    line: Line
    then: tuple[Line, ...] = ()

    @property
    def gain(self) -> int:
        return self.line.gain

    @property
    def thing(self) -> Thing | None:
        things = (part for part in self.line.parts if isinstance(part, Thing) and part.kind not in ("seat", "word"))
        return next(things, None)


def deeds(view: TableView) -> list[Deed]:
    """The deeds in the viewer's log, oldest first, at most one a move; the set-up is none.

    A move of which all lines follow an earlier deed adds to that one. What is said is no deed.
    """
    found: list[Deed] = []
    for move, told in groupby(view.lines, key=itemgetter(0)):
        lines = [line for _, line in told]
        heads = [line for line in lines if not line.follows and (line.deed or line.seat is None)]
        head = next((line for line in heads if line.deed), heads[0] if heads else None)
        if move and head is not None:
            found.append(Deed(move, head.seat, head, tuple(line for line in lines if line is not head)))
        elif move and found and all(line.follows for line in lines):
            last = found.pop()
            found.append(Deed(last.move, last.seat, last.line, (*last.then, *lines)))
    return found


def deeds_since(view: TableView) -> list[Deed]:
    """The deeds of others since the last move of the viewer's seat, while the match goes on; those that it may see.

    Where all decide at once, no line tells a decision: the last thing that came of all of them is the first of these.
    """
    if view.seat is None or view.over or view.move != view.moves:
        return []
    found = deeds(view)
    own = max((number for number, deed in enumerate(found) if deed.seat == view.seat), default=-1) + 1
    together = max((number for number, deed in enumerate(found) if deed.seat is None), default=own)
    return [deed for deed in found[together:] if deed.seat != view.seat]


def last_deeds(view: TableView) -> dict[int, Line]:
    """By seat the line that tells what its player did last: the deed, not what came of it, if there is one."""
    found: dict[int, Line] = {}
    for _, line in view.lines:
        if line.seat is not None and line.deed and (not line.follows or found.get(line.seat, line).follows):
            found[line.seat] = line
    return found
