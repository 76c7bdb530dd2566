"""Cards as they are drawn: a side of one, and both sides of one that can be taken."""

from functools import lru_cache
from typing import Any, NamedTuple

from backroom.games.syndicats.cards import (
    ATTACK,
    CAT,
    COLOURS,
    DEFENCE,
    HELD,
    HOUSE,
    KITTEN,
    LAIR,
    SIDES,
    Card,
    Deck,
    Demand,
    Kitten,
    Lair,
    symbols_text,
)  # fmt: skip
from backroom.text.english import listed

__all__ = ["Deal", "Face", "Pip", "face", "pips", "said_symbols", "shown", "sides_of"]

DRAWN = dict(zip(COLOURS, ("claws", "tail", "purr", "grey"), strict=True))
KITTENS = dict(zip(COLOURS, ("kitten-claws", "kitten-tail", "kitten-purr", "kitten"), strict=True))
WEAPONS = ("attack", "defence")


class Pip(NamedTuple):
    """A symbol: its drawing, and on a house whether it is there already."""

    drawing: str
    filled: bool = False


class Deal(NamedTuple):
    """A side of a house's bargain: keep or trash, what it needs, what it pays, and the needs in words."""

    word: str
    needs: tuple[Pip, ...]
    pays: int
    said: str


class Face(NamedTuple):
    """A side of a card, as it can be seen: ``kind`` is cat, house or lair.

    ``drawing`` and ``tint`` are how it looks, ``special`` what it can do besides. ``said`` is all of it in words;
    ``out`` says that it is knocked out.
    """

    key: str
    name: str
    kind: str
    tint: str
    drawing: str
    pips: tuple[Pip, ...] = ()
    special: str = ""
    deals: tuple[Deal, ...] = ()
    income: str = ""
    said: str = ""
    out: bool = False


def pips(symbols: str, any_of: bool = False) -> tuple[Pip, ...]:
    """Symbols as drawings; on a house (``any_of``) a grey one is a circle that any symbol fills."""
    return tuple(Pip("circle" if any_of and letter == "X" else DRAWN[letter]) for letter in symbols)


def said_symbols(deck: Deck, symbols: str, any_of: bool = False) -> str:
    """Symbols in words: ``2 claws and 1 any``."""
    words = [
        f"{symbols.count(letter)} {'any' if any_of and letter == 'X' else deck.colours[letter]}"
        for letter in COLOURS
        if letter in symbols
    ]
    return listed(words) or "nothing"


def deal_of(deck: Deck, word: str, demand: Demand) -> tuple[Deal, ...]:
    """A house's bargain of this kind, if it has one."""
    if demand is None:
        return ()
    symbols, pays = demand
    return (Deal(word, pips(symbols, any_of=True), pays, said_symbols(deck, symbols, any_of=True)),)


@lru_cache(4096)
def face(
    deck: Deck,
    number: int,
    side: int,
    custom: int = 0,
    bargains: tuple[Demand, Demand] | None = None,
    out: bool = False,
) -> Face:
    """What a card, kitten or lair shows with this side up.

    ``custom`` is 1 for the custom side of a starting card; ``bargains`` are what a house is trashed and kept for, where
    that is not as printed.
    """
    thing = deck.thing(number)
    if isinstance(thing, Lair):
        pays, special = (thing.pays2, thing.special2) if custom else (thing.pays, thing.special)
        holds = ", and may hold a house" if special else ""
        said = f"{thing.name}: a lair that pays {pays} a round{holds}"
        return Face(thing.id, thing.name, "lair", "l", "lair", special=special, income=f"+{pays}", said=said, out=out)
    if isinstance(thing, Kitten):
        cat, special = (thing.cat2, thing.special2) if custom else (thing.cat, thing.special)
        return _cat(deck, thing.id, thing.name, cat, special, out)
    assert isinstance(thing, Card)
    if side == HOUSE:
        trash, keep = bargains or (thing.trash, thing.keep)
        deals = deal_of(deck, "trash", trash) + deal_of(deck, "keep", keep)
        offers = ", ".join(f"{deal.word} with {deal.said} for {deal.pays}" for deal in deals)
        said = f"{thing.house}: {offers}"
        return Face(thing.id, thing.house, "house", "h", "house", deals=deals, said=said, out=out)
    special = SIDES[side] if side in (ATTACK, DEFENCE) else thing.special
    return _cat(deck, thing.id, thing.called(side), thing.cat if side == CAT else "", special, out)


def _cat(deck: Deck, key: str, name: str, symbols: str, special: str, out: bool) -> Face:
    first = symbols[:1] or "X"
    plain = special in ("", "yarn") or bool(symbols and special not in WEAPONS)
    tint = first.lower() if symbols else "sp"
    drawing = special if special in ("yarn", *WEAPONS) else KITTENS[first] if plain else "kitten"
    words = list(filter(None, [said_symbols(deck, symbols) if symbols else "", special]))
    return Face(key, name, "cat", tint, drawing, pips(symbols), special, said=f"{name}: {', '.join(words)}", out=out)


def shown(deck: Deck, view: Any, number: int, side: int = 0) -> Face:
    """What a card shows in an organisation, or would show there with this side up."""
    if number >= LAIR:
        return face(deck, number, HOUSE, int(view.lair_side[number - LAIR]), out=bool(view.knocked[number]))
    if number >= KITTEN:
        seat = number - KITTEN
        found = face(deck, number, CAT, int(view.kitten_side[seat]), out=bool(view.knocked[number]))
        # Where there is no lair, the kitten is that, too (S3).
        pays = int(view.lair_pays[seat, 0])
        return found if view.place[LAIR + seat] >= HELD else found._replace(income=f"+{pays}")
    bargains = _bargain(view.trash_needs, view.trash_pays, number), _bargain(view.keep_needs, view.keep_pays, number)
    return face(deck, number, side or int(view.side[number]), 0, bargains, bool(view.knocked[number]))


def _bargain(needs: Any, pays: Any, number: int) -> Demand:
    return (symbols_text(needs[number]), int(pays[number])) if pays[number] >= 0 else None


def sides_of(view: Any, number: int) -> list[int]:
    """The sides that a card of the deck can be taken with in this game."""
    return [side for side in range(CAT, DEFENCE + 1) if view.sides[number] >> side & 1]
