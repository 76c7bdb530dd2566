"""Once it is over: what decided each place, and what everybody had."""

from collections.abc import Sequence
from typing import Any

from backroom.engine.notation import Line
from backroom.games.syndicats import rules

__all__ = ["verdicts"]


def verdicts(view: Any, viewer: int, names: Sequence[str], lines: Sequence[tuple[int, Line]]) -> Sequence[str]:
    """How far behind each is, what the last cash gave, and where a tie was broken."""
    funds = [int(fund) for fund in view.fund[: len(names)]]
    dumped = dict.fromkeys(range(len(names)), 0)
    for _, line in lines:
        if line.event is not None and line.event.kind == "dumped" and line.seat is not None:
            dumped[line.seat] = int(line.event.args["amount"])
    best = max(funds)
    found = []
    for seat, fund in enumerate(funds):
        last = f"{dumped[seat]} of it cash at the end" if dumped[seat] else "no cash left at the end"
        near = int(rules.distance(view, seat))
        if fund < best:
            last = f"{best - fund} behind, {last}"
        elif funds.count(best) > 1:
            who = "you have" if seat == viewer else "has"
            last = f"{who} the Mogfather, who breaks the tie" if not near else f"{near} from the Mogfather, {last}"
        found.append(last)
    return found
