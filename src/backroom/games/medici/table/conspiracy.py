"""What must be named of a conspiracy: the values of Jesters, the noble singled out, whether the Spy rules it."""

from dataclasses import replace
from typing import Any

from backroom.games.medici.cards import JESTER
from backroom.games.medici.table.court import controlled
from backroom.games.medici.table.seen import PLACES
from backroom.games.medici.table.turn import Turn

__all__ = ["dials", "singles", "spy"]


def dials(at: Turn) -> list[dict[str, Any]]:
    """A row of values 1 to 10 for each Jester of the two stacks: what each would make of the conspiracy."""
    if not at.aimed:
        return []
    found = []
    for which, k in enumerate((at.deed.onto, at.deed.target)):
        values = at.values(at.deed, which)
        plays = which == 0 and at.deed.rank == JESTER
        for place in range(len(values)):
            own = plays and place == len(values) - 1
            title = "The Jester you play" if own else f"The Jester in {at.stack(k)}"
            if len(values) - plays > 1 and not own:
                title += f", {PLACES[min(place, 3)]} from below,"
            top = at.played_top(JESTER) if own else 10
            found.append(
                {
                    "key": f"{which}-{place}",
                    "title": f"{title} is worth",
                    "stack": at.stack(k),
                    "note": _note(at, which),
                    "values": [_value(at, which, place, value) for value in range(1, top + 1)],
                }
            )
    return found


def _note(at: Turn, which: int) -> str:
    if not at.fringe:
        return "both must be worth the same"
    if at.deed.house >= 0:
        return "it must be worth more than the fringe card"
    if which:
        return "less than the conspiracy; who controls it decides where it goes"
    return "it must be worth more than the target; who controls it decides what you may do"


def _value(at: Turn, which: int, place: int, value: int) -> dict[str, Any]:
    values = [at.values(at.deed, 0), at.values(at.deed, 1)]
    now = values[which]
    values[which] = (*now[:place], value, *now[place + 1 :])
    deed = replace(at.deed, values=(values[0], values[1]))
    found = at.weighed(deed)
    k, rank = (deed.target, -1) if which else (deed.onto, deed.rank)
    return {
        "value": value,
        "total": found.against if which else found.value,
        "seal": controlled(at, k, rank, values[which]),
        "click": at.text_fitting(deed),
        "on": now[place] == value,
    }


def singles(at: Turn) -> list[dict[str, Any]]:
    """The nobles of the target of whom one must be chosen, bottom to top; none when all of it is hit."""
    return [{"face": at.face(card), "click": text, "on": card == at.deed.at} for card, text in at.singled().items()]


def spy(at: Turn) -> list[dict[str, Any]]:
    """Whether the own Spy gives control, where there is no real control: two choices, else none (M44)."""
    deed = at.deed
    if not at.aimed or deed.target < 0 or not at.fringe:
        return []
    found = at.weighed(deed)
    if not found.spy or found.control:
        return []
    return [
        {
            "title": title,
            "click": at.text_fitting(replace(deed, nospy=nospy, at=deed.at if nospy else 0)),
            "on": deed.nospy == nospy,
        }
        for nospy, title in ((False, "The Spy rules it: all of the target"), (True, "Without him: one noble"))
    ]
