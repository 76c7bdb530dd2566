"""The court: the stacks of both zones with their worth and who controls them, and the influence in the Inner Circle."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from backroom.games.medici import rules
from backroom.games.medici.cards import INFLUENCE, JESTER, LADY, MINISTER, SPY, card_text, house_of
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
    plus: int | None
    role: str
    kind: str
    ghost: Face | None
    click: str
    on: bool
    reach: bool
    cards: tuple[Placed, ...]
    seal: int
    label: str


def stacks(at: Turn, side: int) -> list[Stack]:
    """The stacks of the Inner Circle (`rules.INNER`), or of a house's side (its seat + 1) of the Outer Court."""
    return [_stack(at, k) for k in range(at.view.stacks) if at.view.stack_side[k] == side]


def lanes(at: Turn) -> list[dict[str, Any]]:
    """The sides of the Outer Court: the viewer's own last, next to the hand."""
    seats = sorted(at.seats, key=lambda seat: (seat == at.viewer, seat))
    return [
        {"seat": seat, "title": f"{at.whose(seat, start=True)} side", "stacks": stacks(at, seat + 1)} for seat in seats
    ]


def _stack(at: Turn, k: int) -> Stack:
    view, deed = at.view, at.deed
    stack = Stack(
        key=at.stack(k), value=int(view.stack_value[k]), plus=None, role="", kind="", ghost=None,
        click=at.click_stack(k), on=False, reach=k in at.reach and not deed.aims,
        cards=tuple(Placed(at.face(card)) for card in at.cards(k)), seal=-1, label="",
    )  # fmt: skip
    if view.attack and k == at.attacking:
        stack = stack._replace(
            role="conspiracy", kind="strikes", value=int(view.worth[0]),
            ghost=stack.cards[-1].face, cards=stack.cards[:-1],
            seal=_declared(at, k) if view.stack_jesters[k] else _control(at, k),
        )  # fmt: skip
    elif view.attack and k == at.attacked:
        stack = _struck(at, stack)
    elif at.playing and deed.rank >= 0 and k == deed.onto:
        stack = _joined(at, stack, k)
    elif at.aimed and k == deed.target:
        stack = _aimed_at(at, stack, k)
    else:
        if _struck_too(at, k):
            stack = stack._replace(role="too", kind="aim", on=True)
        stack = stack._replace(seal=_control(at, k))
    return stack._replace(label=_label(at, stack))


def _label(at: Turn, stack: Stack) -> str:
    role = f", {stack.role}" if stack.role else ""
    owner = ""
    if stack.seal >= 0:
        owner = f", controlled by {at.name(stack.seal)}"
    elif stack.seal == -1 and at.fringe:
        owner = ", controlled by nobody"
    cards = listed(placed.face.name for placed in stack.cards)
    return f"{stack.key}{role}: {cards}; worth {stack.value + (stack.plus or 0)}{owner}"


def controlled(at: Turn, k: int, rank: int, values: Iterable[int]) -> int:
    """The house that controls a stack with this card on top (-1: none) and these Jesters' values; -1: nobody."""
    if not at.fringe:
        return -1
    return controller(at.view, at.viewer, k, rank, values, struck=at.aimed and k == at.deed.target)


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


def _struck(at: Turn, stack: Stack) -> Stack:
    """The target of a conspiracy that waits for answers."""
    savable = at.savable() if at.asked else []
    verb = "guard" if at.guarding else "scapegoat"
    single = at.view.single - 1
    cards = []
    for place, (face, _, _) in enumerate(stack.cards):
        struck = place == single if single >= 0 else at.asked and face.card == at.deed.at
        cards.append(Placed(face, struck, f"{verb} {card_text(face.card)}" if face.card in savable else ""))
    return stack._replace(
        role="target", kind="aim", value=int(at.view.worth[1]), cards=tuple(cards),
        seal=int(at.view.target_controller) - 1,
    )  # fmt: skip


def _joined(at: Turn, stack: Stack, k: int) -> Stack:
    """The stack that the chosen card joins."""
    deed, lying = at.deed, (1,) * int(at.view.stack_jesters[k])
    stack = stack._replace(kind="strikes", on=True, ghost=at.face(int(rules.card_of(at.viewer, deed.rank))))
    if deed.verb == "conspire":
        values = at.values(deed, 0)
        plus = values[-1] if deed.rank == JESTER else INFLUENCE[deed.rank]
        value = at.weighed(deed).value - plus
        return stack._replace(role="conspiracy", value=value, plus=plus, seal=controlled(at, k, deed.rank, values))
    if deed.rank == LADY or (deed.rank == MINISTER and len(stack.cards) > 1):
        role = "separated" if deed.rank == LADY else "eliminated"
        return stack._replace(role=role, seal=controlled(at, k, -1, lying))
    values = (*lying, 1) if deed.rank == JESTER else lying
    return stack._replace(role="joined", plus=INFLUENCE[deed.rank], seal=controlled(at, k, deed.rank, values))


def _aimed_at(at: Turn, stack: Stack, k: int) -> Stack:
    """The target of the conspiracy in preparation, with the nobles that can be singled out."""
    singled, cards = at.singled(), []
    for placed in stack.cards:
        click = singled.pop(placed.face.card, "")
        cards.append(Placed(placed.face, bool(click) and placed.face.card == at.deed.at, click))
    return stack._replace(
        role="target", kind="aim", on=True, reach=False, value=at.weighed(at.deed).against, cards=tuple(cards),
        seal=controlled(at, k, -1, at.values(at.deed, 1)),
    )  # fmt: skip


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
            parts.append({"seat": seat, "name": at.name(seat), "value": own, "shift": shift})
        before += own
    return {
        "parts": parts, "value": value, "nobles": nobles, "need": (value // 2 + 1, nobles // 2 + 1),
        "standing": ", ".join(f"{at.name(seat)} {count[seat]}" for seat in at.seats),
    }  # fmt: skip
