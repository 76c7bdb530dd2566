"""The table of Syndicats in rows, for the terminal and text mode."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from backroom.engine.game import seats_in
from backroom.engine.notation import Line, Part, Thing
from backroom.games.syndicats import rules
from backroom.games.syndicats.cards import (
    ATTACK,
    CARDS,
    CAT,
    DEFENCE,
    DISCARDS,
    HELD,
    HOUSE,
    KENNEL,
    LAIR,
    SIDES,
    SUPPLY,
    Card,
    deck_of,
)  # fmt: skip
from backroom.games.syndicats.positions import VERDICTS, card_id, lying
from backroom.games.syndicats.story import card_thing, cat_words, house_words
from backroom.scenes.rows import Quantity, Row
from backroom.text.english import counted, listed

__all__ = ["quantities", "rows"]


def rows(view: Any, viewer: int, names: Sequence[str]) -> list[Row]:
    """The supply with both sides of each card, deck and dogs, the Mogfather, and each organisation with its money."""
    supply = [_both(view, card) for card in lying(view, SUPPLY)] or [["empty"]]
    found = [Row("" if number else "supply", Line(tuple(parts))) for number, parts in enumerate(supply)]
    found.append(Row("deck", Line(tuple(_deck(view)))))
    found.append(Row("dogs", Line((_dogs(view),))))
    found.append(Row("discards", Line(tuple(_row_of(view, lying(view, DISCARDS))))))
    for seat, name in enumerate(names):
        found.append(Row(_heading(view, seat, name, viewer), Line((_money(view, seat),)), seat))
        found.append(Row("  cats", Line(tuple(_cats(view, seat))), seat))
        found += [Row("  house", Line(tuple(_house(view, card))), seat) for card in _houses(view, seat)]
        if seat == viewer and (sealed := _sealed(view, seat)):
            found.append(Row("  sealed", Line((sealed,)), seat))
    return found


def quantities(view: Any, viewer: int) -> Iterator[tuple[Quantity, float]]:
    """Of everybody the fund, all money besides, cats and houses."""
    del viewer
    for seat in range(int(view.seats)):
        yield Quantity(seat, "points"), float(view.fund[seat])
        yield Quantity(seat, "cash"), float(view.cash[seat])
        yield Quantity(seat, "cats"), float(sum(view.side[card] != HOUSE for card in lying(view, HELD + seat)))
        yield Quantity(seat, "houses"), float(len(_houses(view, seat)))


def _thing(view: Any, card: int, side: int = 0) -> Thing:
    return card_thing(deck_of(view).thing(card), side)


def _word(view: Any, card: int) -> Thing:
    """A card as it is typed."""
    return Thing("card", card_id(view, card), card_id(view, card))


def _row_of(view: Any, cards: Sequence[int]) -> list[Part]:
    parts: list[Part] = []
    for card in cards:
        parts += [", "] * bool(parts) + [_thing(view, card)]
    return parts or ["none"]


def _both(view: Any, card: int) -> list[Part]:
    """A card that can be taken: its word, and what each side is."""
    sides = []
    for side in range(CAT, DEFENCE + 1):
        if int(view.sides[card]) >> side & 1:
            sides.append(_side_words(view, card, side))
    coins = f", {counted(int(view.coins[card]), 'coin')} on it" if view.coins[card] else ""
    return [_word(view, card), f": {'; or '.join(sides)}{coins}"]


def _side_words(view: Any, card: int, side: int) -> str:
    thing = deck_of(view).thing(card)
    name = thing.called(side) if isinstance(thing, Card) else thing.name
    if side == HOUSE:
        return f"house {name}: {house_words(view, card)}"
    return f"{name}: {_cat_words(view, card, side)}"


def _cat_words(view: Any, card: int, side: int) -> str:
    return SIDES[side] if side in (ATTACK, DEFENCE) else cat_words(view, card)


def _deck(view: Any) -> list[Part]:
    size = int(view.deck_size)
    if not view.top:
        return [counted(size, "card")]
    return [f"{counted(size, 'card')}, on top ", *_both(view, int(view.top) - 1)]


def _dogs(view: Any) -> str:
    out = [deck_of(view).thing(card).name for card in lying(view, KENNEL)]
    told = f"{len(out)} out"
    if view.end == rules.BY_DOGS:
        told += f" of the {int(view.seats) + int(view.dog_margin)} that end the game"
    return f"{told}: {listed(out)}" if out else told


def _heading(view: Any, seat: int, name: str, viewer: int) -> str:
    marks = ["you"] * (seat == viewer) + ["the Mogfather"] * (seat == int(view.keeper))
    return f"{name} ({', '.join(marks)})" if marks else name


def _money(view: Any, seat: int) -> str:
    told = f"fund {int(view.fund[seat])}, cash {int(view.cash[seat])}, pile {int(view.pile[seat])}, "
    told += f"contributed now {int(view.now[seat])}"
    states = [(int(view.passed), "passed"), (int(view.picked), "has picked")]
    told += "".join(f"; {word}" for bits, word in states if bits >> seat & 1 and view.phase == rules.BID)
    return told + ("; to decide" if seat in seats_in(int(view.acting)) else "")


def _cats(view: Any, seat: int) -> list[Part]:
    parts: list[Part] = []
    for card in lying(view, HELD + seat):
        side = int(view.side[card])
        if side == HOUSE:
            continue
        marks = [_cat_words(view, card, side)] + ["knocked out"] * bool(view.knocked[card])
        marks += [f"raided district {int(view.mark[card])}"] * bool(view.mark[card])
        parts += ["; "] * bool(parts) + [_word(view, card), f" {', '.join(marks)}"]
    return parts


def _houses(view: Any, seat: int) -> list[int]:
    return [card for card in lying(view, HELD + seat) if view.side[card] == HOUSE and card < CARDS]


def _house(view: Any, card: int) -> list[Part]:
    district = f", district {int(view.district[card])}" if view.geography and view.district[card] else ""
    out = ", knocked out" if view.knocked[card] else ""
    return [_word(view, card), f" {_thing(view, card, HOUSE).words}: {house_words(view, card)}{district}{out}"]


def _sealed(view: Any, seat: int) -> str:
    """What the seat has sealed and others do not see yet."""
    if view.sealed[seat]:
        return f"you spend {counted(int(view.sealed[seat]) - 1, 'coin')}"
    if view.start_choice[seat]:
        return "your sides are chosen"
    clauses = []
    for card in np.flatnonzero(view.verdict[seat]):
        cats = [card_id(view, int(cat)) for cat in np.flatnonzero(view.serves[seat][:LAIR] == card + 1)]
        told = f"{VERDICTS[int(view.verdict[seat, card])]} {card_id(view, int(card))}"
        clauses.append(f"{told} with {listed(cats)}" if cats else told)
    return ", ".join(clauses)
