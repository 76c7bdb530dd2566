"""The court: the stacks of both zones with their worth and who controls them, and the influence in the Inner Circle."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from backroom.games.medici import rules
from backroom.games.medici.cards import INFLUENCE, JESTER, LADY, MINISTER, SPY, house_of
from backroom.games.medici.notation import controller
from backroom.games.medici.table.seen import Face
from backroom.games.medici.table.turn import Turn
from backroom.text.english import listed

__all__ = ["CROWD", "UNKNOWN", "Placed", "Stack", "controlled", "lanes", "stacks", "sway"]

UNKNOWN = -2
"""In place of the house that controls a stack (-1: nobody), where that cannot be told any more."""
CROWD = 9
"""So many stacks in one zone are drawn smaller."""


class Placed(NamedTuple):
    """A card in a stack: whether it is the one singled out, and the text after a click that does so."""

    face: Face
    single: bool = False
    click: str = ""


class Stack(NamedTuple):
    """A stack as its reader sees it, cards bottom to top; ``ghost`` is a card that joins it in preparation."""

    key: str
    value: int
    cards: tuple[Placed, ...]
    seal: int
    click: str
    reach: bool
    label: str
    plus: int | None = None
    role: str = ""
    kind: str = ""
    ghost: Face | None = None
    on: bool = False


def stacks(at: Turn, side: int) -> list[Stack]:
    """The stacks of the Inner Circle (`rules.INNER`), or of a house's side (its seat + 1) of the Outer Court."""
    return [_stack(at, k) for k in range(at.view.stacks) if at.view.stack_side[k] == side]


def lanes(at: Turn) -> list[dict[str, Any]]:
    """The sides of the Outer Court: the viewer's own last, next to the hand."""
    seats = sorted(at.seats, key=lambda seat: (seat == at.seat, seat))
    return [
        {"seat": seat, "title": f"{at.whose(seat, start=True)} side", "stacks": stacks(at, seat + 1)} for seat in seats
    ]


def _stack(at: Turn, k: int) -> Stack:
    view, deed = at.view, at.deed
    faces = [at.face(card) for card in at.cards(k)]
    drawn: dict[str, Any] = {"value": int(view.stack_value[k]), "cards": tuple(map(Placed, faces))}
    if view.attack and k == at.attacking:
        drawn |= _striking(at, k, faces)
    elif view.attack and k == at.attacked:
        drawn |= _struck(at, faces)
    elif at.playing and deed.rank >= 0 and k == deed.onto:
        drawn |= _joined(at, k)
    elif at.aimed and k == deed.target:
        drawn |= _aimed_at(at, k, faces)
    else:
        drawn["seal"] = _control(at, k)
        if _struck_too(at, k):
            drawn |= {"role": "too", "kind": "aim", "on": True}
    reach = k in at.reach and not deed.aims
    stack = Stack(at.stack(k), click=at.click_stack(k), reach=reach, label="", **drawn)
    return stack._replace(label=_label(at, stack))


def _label(at: Turn, stack: Stack) -> str:
    role = f", {stack.role}" if stack.role else ""
    owner = ""
    if stack.seal >= 0:
        owner = f", controlled by {at.call(stack.seal)}"
    elif stack.seal == -1 and at.fringe:
        owner = ", controlled by nobody"
    cards = listed(placed.face.name for placed in stack.cards)
    return f"{stack.key}{role}: {cards}; worth {stack.value + (stack.plus or 0)}{owner}"


def controlled(at: Turn, k: int, rank: int, values: Iterable[int]) -> int:
    """The house that controls a stack with this card on top (-1: none) and these Jesters' values; -1: nobody."""
    if not at.fringe:
        return -1
    return controller(at.view, at.seat, k, rank, values, struck=at.aimed and k == at.deed.target)


def _control(at: Turn, k: int) -> int:
    """The house that controls a stack as it lies."""
    return controlled(at, k, -1, (1,) * int(at.view.stack_jesters[k]))


def _declared(at: Turn, k: int) -> int:
    """The house that controls a conspiracy with Jesters while it waits: its whole value is told, not each Jester's.

    So only where one house has all of it, or where it strikes a whole stack without the help of a Spy.
    """
    cards = at.cards(k)
    if len({house_of(card) for card in cards}) == 1:
        return house_of(cards[0])
    whole = at.view.attack in (rules.DEMOTE_ALL, rules.DISCARD_ALL)
    return at.active if whole and rules.card_of(at.active, SPY) not in cards else UNKNOWN


def _striking(at: Turn, k: int, faces: list[Face]) -> dict[str, Any]:
    """The conspiracy that waits for answers."""
    *lying, ghost = faces
    seal = _declared(at, k) if at.view.stack_jesters[k] else _control(at, k)
    value, cards = int(at.view.worth[0]), tuple(map(Placed, lying))
    return {"role": "conspiracy", "kind": "strikes", "value": value, "ghost": ghost, "cards": cards, "seal": seal}


def _struck(at: Turn, faces: list[Face]) -> dict[str, Any]:
    """The target of a conspiracy that waits for answers."""
    savable = at.savable() if at.asked else {}
    single = at.view.single - 1
    cards = []
    for place, face in enumerate(faces):
        struck = place == single if single >= 0 else at.asked and face.card == at.deed.at
        cards.append(Placed(face, struck, savable.get(face.card, "")))
    seal = int(at.view.target_controller) - 1
    return {"role": "target", "kind": "aim", "value": int(at.view.worth[1]), "cards": tuple(cards), "seal": seal}


def _joined(at: Turn, k: int) -> dict[str, Any]:
    """The stack that the chosen card joins."""
    rank, lying = at.deed.rank, (1,) * int(at.view.stack_jesters[k])
    drawn = {"kind": "strikes", "on": True, "ghost": at.face(int(rules.card_of(at.seat, rank)))}
    if at.deed.verb == "conspire":
        values = at.values(at.deed, 0)
        plus = values[-1] if rank == JESTER else INFLUENCE[rank]
        value, seal = at.weighed(at.deed).value - plus, controlled(at, k, rank, values)
        return drawn | {"role": "conspiracy", "value": value, "plus": plus, "seal": seal}
    if rank == LADY or (rank == MINISTER and at.view.stack_length[k] > 1):
        role = "separated" if rank == LADY else "eliminated"
        return drawn | {"role": role, "seal": controlled(at, k, -1, lying)}
    values = (*lying, 1) if rank == JESTER else lying
    return drawn | {"role": "joined", "plus": INFLUENCE[rank], "seal": controlled(at, k, rank, values)}


def _aimed_at(at: Turn, k: int, faces: list[Face]) -> dict[str, Any]:
    """The target of the conspiracy in preparation, with the nobles that can be singled out."""
    singled, cards = at.singled(), []
    for face in faces:
        click = singled.pop(face.card, "")
        cards.append(Placed(face, bool(click) and face.card == at.deed.at, click))
    value, seal = at.weighed(at.deed).against, controlled(at, k, -1, at.values(at.deed, 1))
    return {"role": "target", "kind": "aim", "on": True, "value": value, "cards": tuple(cards), "seal": seal}


def _struck_too(at: Turn, k: int) -> bool:
    """base_conspire=all: every other stack of that value is hit too, Jesters there at 1 (M24)."""
    if at.fringe or at.view.base_conspire != rules.CONSPIRE_ALL or not at.aimed:
        return False
    return bool(at.view.stack_value[k] == at.weighed(at.deed).against)


def sway(at: Turn) -> dict[str, Any]:
    """Influence in the Inner Circle by house, most first, and what control of it needs."""
    census = rules.census(at.view, True)
    value, nobles = (int(rules.total(packed)) for packed in census)
    influence, count = ([int(rules.part(packed, seat)) for seat in at.seats] for packed in census)
    parts, before = [], 0
    for seat in sorted(at.seats, key=lambda seat: -influence[seat]):
        own = influence[seat]
        # The mark of one half must not lie on a number.
        covered = before < value / 2 < before + own
        shift = ("le" if value / 2 - before > own / 2 else "ri") if covered and at.fringe else ""
        if own:
            parts.append({"seat": seat, "name": at.call(seat), "value": own, "shift": shift})
        before += own
    return {
        "parts": parts, "value": value, "nobles": nobles, "need": (value // 2 + 1, nobles // 2 + 1),
        "standing": ", ".join(f"{at.call(seat)} {count[seat]}" for seat in at.seats),
    }  # fmt: skip
