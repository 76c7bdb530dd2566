"""What was found at a table, in words: the moves that decided its match, and a hint (`backroom.tables.findings`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from backroom.scenes.plot import Plot, chance_plot
from backroom.tables.views import TableView

__all__ = ["Compared", "HintWords", "Turning", "chance_plots", "hint_of", "turnings"]


@dataclass(frozen=True)
class Compared:
    """A move beside others: ``label`` is what it is (done, better, next best), ``share`` its chance to win."""

    label: str
    text: str
    share: str
    best: bool


@dataclass(frozen=True)
class Turning:
    """A move that decided a match, made after ``ply`` moves: who made it, what it brought or cost in points of chance
    to win, what else could have been done, and why and with how much luck, in a sentence each."""

    ply: int
    seat: int
    heading: str
    when: str
    swing: str
    compared: tuple[Compared, ...]
    why: str
    luck: str


@dataclass(frozen=True)
class HintWords:
    """A hint: the move to make, the moves compared (none when only one is legal), the difference and why."""

    move: str
    compared: tuple[Compared, ...] = ()
    gap: str = ""
    why: str = ""


def turnings(view: TableView) -> list[Turning]:
    """The moves that decided a match, as they are told to whoever looks; empty while nothing is found."""
    found = view.decided.found if view.decided is not None else None
    return [_turning(view, move) for move in found or ()]


OUTSIDE = "chance in per cent after each move, as somebody without cards could tell"
OWN = "chance in per cent after each move, as each player could tell from what they saw"


def chance_plots(view: TableView) -> list[Plot]:
    """Who was going to win, from outside and from each player's own view; empty while that is not known."""
    known = view.chances or ()
    if len(known) < 3:
        return []
    plies = [at["ply"] for at in known]
    turns = [(turn.ply, turn.seat) for turn in turnings(view)]
    return [
        chance_plot(plies, [at[whose] for at in known], view.names, measure, turns)
        for whose, measure in (("outside", OUTSIDE), ("own", OWN))
    ]


def hint_of(view: TableView) -> HintWords | None:
    """The hint that was found for this browser's decision, None when there is none."""
    found = view.hint.found if view.hint is not None else None
    if found is None or "failed" in found:
        return None
    if "other" not in found:
        return HintWords(found["move"])
    compared = (
        Compared("best", found["move"], _share(found["share"]), best=True),
        Compared("then", found["other"], _share(found["other_share"]), best=False),
    )
    if not found["clear"]:
        return HintWords(found["move"], compared, "No clear difference.")
    gap = f"The first is worth {_gap(found['gap'])} more."
    return HintWords(found["move"], compared, gap, _why(view, found, "the first", "the second"))


def _turning(view: TableView, move: dict[str, Any]) -> Turning:
    you, praised = move["seat"] == view.seat, move["praised"]
    who = "You" if you else view.names[move["seat"]]
    made = Compared("you did" if you else "did", *_of(move, "" if praised else "other_"), best=praised)
    instead = Compared("next best" if praised else "better", *_of(move, "other_" if praised else ""), best=not praised)
    sign = 1 if praised else -1
    return Turning(
        ply=move["ply"],
        seat=move["seat"],
        heading=f"{who}: {made.text}",
        when=f"move {move['ply'] + 1}",
        swing=_gap(move["gap"], sign),
        compared=(made, instead),
        why=_why(view, move, *(("it", "the next best") if praised else ("the better move", "the one that was made"))),
        luck=_luck(move["luck"]),
    )


def _of(move: dict[str, Any], which: str) -> tuple[str, str]:
    return move["other" if which else "move"], _share(move[f"{which}share"])


def _share(share: float) -> str:
    return f"{100 * share:.0f} %"


def _gap(gap: Sequence[float], sign: int = 0) -> str:
    """A difference with its interval, in points of chance: +6 ± 2; without a sign of its own where none is given."""
    half = max(1, round(50 * (gap[2] - gap[1])))
    mark = {1: "+", 0: "", -1: "\N{MINUS SIGN}"}[sign]
    return f"{mark}{abs(100 * gap[0]):.0f} % ± {half}"


def _why(view: TableView, found: dict[str, Any], one: str, other: str) -> str:
    if found["reason"] is None:
        return ""
    seat, words, first, second = found["reason"]
    whose = "" if seat is None else "your " if seat == view.seat else f"{view.names[seat]}’s "
    return f"After {one}, {whose}{words}: {first:.1f} on average; after {other}, {second:.1f}."


def _luck(luck: Sequence[float]) -> str:
    if luck[1] <= 0 <= luck[2]:
        return "What came after it was neither good nor bad luck."
    kind = "good" if luck[0] > 0 else "bad"
    return f"What came after it was {kind} luck: {_gap(luck, 1 if luck[0] > 0 else -1)}."
