"""The court in rows, for the terminal."""

from collections.abc import Iterator, Sequence
from typing import Any

from backroom.engine.notation import Line, Thing
from backroom.games.medici import rules
from backroom.games.medici.cards import HOUSES, INFLUENCE, RANKS, card_text, house_of
from backroom.games.medici.notation import cards_of, controller, stack_name
from backroom.scenes.rows import Quantity, Row

__all__ = ["COLOURS", "quantities", "rows"]

COLOURS = dict(zip(HOUSES, ("#e0a08a", "#8fb8de", "#b7cf7d", "#d9b8e6"), strict=True))
"""A background for black letters, by house."""


def rows(view: Any, viewer: int, names: Sequence[str]) -> list[Row]:
    """The two zones stack by stack with value and controller, the order with fringe cards, each house, the hand.

    Once the game is over ``view`` is the whole state, and every hand is shown.
    """
    rows = []
    for inner, heading in ((True, "Inner Circle"), (False, "Outer Court")):
        stacks = [k for k in range(int(view.stacks)) if (view.stack_side[k] == rules.INNER) == inner]
        rows += [Row(heading if k == stacks[0] else "", Line(_stack(view, k, names))) for k in stacks]
        if not stacks:
            rows.append(Row(heading, Line(("empty",))))
    if view.game == rules.FRINGE:
        rows.append(Row("order", Line(_order(view, names))))
    rows += [Row(f"{HOUSES[p]} {name}", Line(_player(view, p)), p) for p, name in enumerate(names)]
    for p in range(len(names)):
        if view.over or p == viewer:
            rows.append(Row(f"hand of {names[p]}" if view.over else "your hand", Line(_hand(view, p)), p))
    return rows


def quantities(view: Any, viewer: int) -> Iterator[tuple[Quantity, float]]:
    """Of every house its points, its nobles at court and in the Inner Circle, and its cards."""
    del viewer
    for p in range(int(view.seats)):
        influence, nobles, _, inner = (float(number) for number in rules.tally(view, p))
        yield Quantity(p, "points"), float(rules.score(view, p))
        yield Quantity(p, "influence"), influence
        yield Quantity(p, "nobles at court"), nobles
        yield Quantity(p, "nobles in the Inner Circle"), inner
        yield Quantity(p, "cards in hand"), float(view.hand_size[p])
        yield Quantity(p, "cards in the deck"), float(rules.deck_with_fringe(view, p))


def _stack(view: Any, k: int, names: Sequence[str]) -> tuple[str | Thing, ...]:
    cards = cards_of(view, k)
    parts: list[str | Thing] = [f"{stack_name(view, k)} "]
    for card in cards:
        parts += [Thing("card", HOUSES[house_of(card)], card_text(card)), " "]
    if view.attack and k in (int(view.onto) - 1, int(view.target) - 1):
        # A conspiracy that waits for answers: as declared, and control is not computed again (M45).
        struck = k == int(view.target) - 1
        parts.append(f"worth {int(view.worth[1 if struck else 0])}, {'target' if struck else 'conspiracy'}")
        house = int(view.target_controller) - 1
        if struck and len(cards) > 1:
            parts.append(f", controlled by {names[house]}" if house >= 0 else ", nobody's")
        return tuple(parts)
    parts.append(f"worth {int(view.stack_value[k])}")
    jesters = int(view.stack_jesters[k])
    if jesters:
        parts.append(f" to {int(rules.highest(view, k))}")
    if view.game == rules.FRINGE and len(cards) > 1:
        house = controller(view, 0, k, -1, [1] * jesters)
        parts.append(f", controlled by {names[house]}" if house >= 0 else ", nobody's")
    return tuple(parts)


def _order(view: Any, names: Sequence[str]) -> tuple[str | Thing, ...]:
    parts: list[str | Thing] = []
    for step, seat in enumerate(view.order[: len(names)].tolist()):
        parts.append(f"{', ' if step else ''}{names[seat]} ")
        place = int(view.fringe_place[seat])
        if place == rules.NO_FRINGE:
            parts.append("none")
        elif place == rules.FACE_DOWN:
            parts.append("face down")
        else:
            rank = RANKS[int(view.fringe_up[seat]) - 1]
            parts.append(Thing("card", HOUSES[seat], rank + ("*" if place == rules.PERMANENT else "")))
        parts.append(" (turn)" if step == view.step and not view.over else "")
    return tuple(parts)


def _player(view: Any, p: int) -> tuple[str | Thing, ...]:
    points, nobles, _, inner = (int(number) for number in rules.tally(view, p))
    text = f"{int(rules.score(view, p))} points: influence {points}, {nobles} nobles at court"
    if view.game == rules.FRINGE:
        text += f", {inner} of them in the Inner Circle"
    text += f"; {int(view.hand_size[p])} in hand, {int(rules.deck_with_fringe(view, p))} in the deck"
    if view.limit[p] != rules.NO_LIMIT:
        text += f", limit {int(view.limit[p])}"
    parts: list[str | Thing] = [text]
    for heading, counts in (("discards", view.discard[p]), ("known to hold", view.known[p])):
        cards = _cards(counts, p)
        parts += [f"; {heading} ", *cards] if cards else []
    return tuple(parts)


def _hand(view: Any, p: int) -> tuple[str | Thing, ...]:
    parts = _cards(view.hand[p], p) or ["none"]
    if view.fringe_down[p]:
        rank = int(view.fringe_down[p]) - 1
        parts += ["; fringe card, face down, ", Thing("card", HOUSES[p], RANKS[rank]), f" for {INFLUENCE[rank]}"]
    planned = [int(card) - 1 for card in view.bottom[p, : int(view.bottom_size[p])][::-1]]
    if planned:
        parts.append(f"; planned {', '.join(RANKS[rank] for rank in planned)}")
    return tuple(parts)


def _cards(counts: Any, house: int) -> list[str | Thing]:
    parts: list[str | Thing] = []
    for rank, count in enumerate(counts.tolist()):
        for _ in range(count):
            parts += [" "] * bool(parts) + [Thing("card", HOUSES[house], RANKS[rank])]
    return parts
