"""Decks of Syndicats: the printed one in ``cards.toml``, and designers' own as text, read and checked.

A deck file is TOML; `docs/syndicats_decks.md` describes its fields. In a game a card is a number: the cards of the
file from 0, each copy by itself, then the five kittens, the five lairs and the dogs, each at a fixed place (`KITTEN`,
`LAIR`, `DOG`), so that records of all decks have one layout.
"""

import base64
import re
import tomllib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import sha256
from importlib import resources
from typing import Any

import numpy as np

from backroom.engine.refusal import Refusal, quoted
from backroom.text.harmless import deceives, is_blank

__all__ = [
    "ATTACK", "ATTACKING", "CARDS", "CAT", "COLOURS", "COPYCAT", "CURIOSITY", "DECK", "DEFENCE", "DEFENDING",
    "DISCARDS", "DOG", "DOGS", "EITHER", "HELD", "HOUSE", "KENNEL", "KEYS", "KITTEN", "LAIR", "MOST_COINS",
    "MOST_SYMBOLS", "OWN", "REMOVED", "SEATS", "SIDES", "SPECIALS", "SUPPLY", "THINGS", "YARN", "Card", "Deck", "Dog",
    "Kitten", "Lair", "deck_of", "event_thing", "kept_deck", "packed", "read_deck", "symbols_text", "unpacked",
]  # fmt: skip

SEATS = 5
CARDS = 108
"""Most cards of a deck, without its dogs."""
DOGS = 12
"""Most dogs of a deck."""
KITTEN = CARDS
"""The number of seat A's shadow kitten; the other seats' follow."""
LAIR = KITTEN + SEATS
"""The number of seat A's secret lair."""
OWN = LAIR + SEATS
"""How many numbers stand for what can be in an organisation: cards, kittens and lairs."""
DOG = OWN
"""The number of the first dog."""
THINGS = DOG + DOGS
KEYS = 1 << 23
"""How many keys of decks there are: with a card's number, of eight bits, one is a number that an event can hold."""

COLOURS = "RGBX"
"""Claws, tail, purr and grey, in the order of all tables."""
SPECIALS = ("", "copycat", "curiosity", "yarn", "attack", "defence", "attack/defence")
COPYCAT, CURIOSITY, YARN, ATTACKING, DEFENDING, EITHER = range(1, 7)
SIDES = ("", "cat", "house", "attack", "defence")
CAT, HOUSE, ATTACK, DEFENCE = range(1, 5)

REMOVED, DECK, SUPPLY, DISCARDS, KENNEL, HELD = range(6)
"""Where a card is: not in this game, in the deck, ...; in the organisation of seat p: HELD + p."""

GROUPS = ("core", "copycat", "curiosity", "territory", "yarn", "catapult")
MOST_SYMBOLS = 12
"""Most symbols on a side of a card."""
MOST_COINS = 999
LONGEST_NAME = 60
LONGEST_FILE = 60_000
ID = re.compile(r"[a-z][a-z0-9_]{0,23}")
RESERVED = frozenset((
    "none", "again", "for", "as", "with", "cat", "house", "attack", "defence", "keep", "trash", "hold", "retain",
    "drop", "start", "bid", "pass", "pay", "curiosity", "copycat", "spend", "take", "feed", "contracts", "plain",
    "custom",
))  # fmt: skip
"""Words of moves, which no card is called."""

Demand = tuple[str, int] | None
"""The symbols that a house needs and the coins that it pays; None where it has no such side."""


@dataclass(frozen=True)
class Card:
    """A card of the deck: its cat side (``cat`` symbols, ``special``), its house side, and numbers for two switches."""

    id: str
    name: str
    group: str
    cat: str
    special: str
    house: str
    trash: Demand
    keep: Demand
    place: int
    upkeep: int

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides it can be taken with, as the deck file has it."""
        if self.special == "attack/defence":
            return ATTACK, DEFENCE
        return (CAT,) * bool(self.cat or self.special) + (HOUSE,) * bool(self.house)

    def called(self, side: int) -> str:
        """What the card is called with this side up: an attack/defence card has two names with a slash between."""
        first, _, second = self.name.partition(" / ")
        return self.house if side == HOUSE else second if side == DEFENCE and second else first


@dataclass(frozen=True)
class Dog:
    """A dog: it has no sides."""

    id: str
    name: str


@dataclass(frozen=True)
class Kitten:
    """A shadow kitten with its plain and its custom side."""

    id: str
    name: str
    cat: str
    special: str
    cat2: str
    special2: str


@dataclass(frozen=True)
class Lair:
    """A secret lair with its plain and its custom side: coins a round, and ``hold`` for one hold more."""

    id: str
    name: str
    pays: int
    special: str
    pays2: int
    special2: str


@dataclass(frozen=True)
class Deck:
    """A deck as it was read. ``text`` is the file's, empty for the printed deck; ``colours`` are words by letter."""

    text: str
    name: str
    colours: Mapping[str, str]
    cards: tuple[Card, ...]
    dogs: tuple[Dog, ...]
    kittens: tuple[Kitten, ...]
    lairs: tuple[Lair, ...]

    def __hash__(self) -> int:
        return hash(self.text)

    @property
    def key(self) -> int:
        """What a record has in its place: 0 for the printed deck, else a number from the text's SHA-256."""
        return 1 + int.from_bytes(sha256(self.text.encode()).digest()[:8], "big") % (KEYS - 1) if self.text else 0

    def thing(self, number: int) -> Card | Kitten | Lair | Dog:
        """What a number stands for. IndexError when it is none of this deck."""
        if number >= DOG:
            return self.dogs[number - DOG]
        if number >= LAIR:
            return self.lairs[number - LAIR]
        return self.kittens[number - KITTEN] if number >= KITTEN else self.cards[number]

    def find(self, word: str) -> int:
        """The number of the card, kitten, lair or dog of this id (case ignored), -1 when there is none."""
        return _numbers(self).get(word.lower(), -1)

    def check_players(self, seats: int) -> None:
        """Refusal E_DECK_FILE when there are fewer kittens or lairs than players."""
        for what, found in (("kitten", self.kittens), ("lair", self.lairs)):
            if len(found) < seats:
                raise Refusal("E_DECK_FILE", f"{what}: {len(found)} rows for {seats} players; each player needs one")

    def used(self, counts: Mapping[str, int]) -> list[int]:
        """The cards in a game, ascending: all of the core, of each other group the first so many."""
        left = dict(counts)
        found = []
        for number, card in enumerate(self.cards):
            if card.group == "core" or left[card.group] > 0:
                found.append(number)
                left[card.group] = left.get(card.group, 0) - 1
        return found

    def numbers(self, counts: Mapping[str, int], dogs: bool, separate: bool, swapped: bool) -> dict[str, Any]:
        """The deck as fields of a game's record, by name.

        ``counts`` says how many cards of each group but the core are used, ``dogs`` whether dogs are, ``separate`` that
        an attack/defence card has one of its sides in turn, ``swapped`` that territories cost to keep what they cost to
        trash, and pay so.
        """
        found: dict[str, Any] = {
            "deck_key": self.key,
            "card_count": len(self.cards),
            "dog_count": len(self.dogs),
            "symbols": np.zeros((LAIR, 4), np.int8),
            "special": np.zeros(LAIR, np.int8),
            "sides": np.zeros(CARDS, np.int8),
            "trash_needs": np.zeros((CARDS, 4), np.int8),
            "keep_needs": np.zeros((CARDS, 4), np.int8),
            "trash_pays": np.full(CARDS, -1, np.int16),
            "keep_pays": np.full(CARDS, -1, np.int16),
            "district": np.zeros(CARDS, np.int8),
            "upkeep_due": np.zeros(CARDS, np.int8),
            "kitten_symbols": np.zeros((SEATS, 2, 4), np.int8),
            "kitten_special": np.zeros((SEATS, 2), np.int8),
            "lair_pays": np.zeros((SEATS, 2), np.int16),
            "lair_holds": np.zeros((SEATS, 2), np.int8),
            "place": np.zeros(THINGS, np.int8),
        }
        catapults = 0
        for number, card in enumerate(self.cards):
            trash, keep = (card.keep, card.trash) if swapped and card.group == "territory" else (card.trash, card.keep)
            found["symbols"][number] = counted_symbols(card.cat)
            found["special"][number] = SPECIALS.index(card.special)
            for name, demand in (("trash", trash), ("keep", keep)):
                if demand is not None and card.house:
                    found[f"{name}_needs"][number] = counted_symbols(demand[0])
                    found[f"{name}_pays"][number] = demand[1]
            sides = card.sides
            if separate and card.special == "attack/defence":
                sides = (sides[catapults % 2],)
                catapults += 1
            found["sides"][number] = sum(1 << side for side in sides)
            found["district"][number], found["upkeep_due"][number] = card.place, card.upkeep
        found["place"][self.used(counts)] = DECK
        found["place"][DOG : DOG + len(self.dogs)] = DECK if dogs else REMOVED
        for seat, (kitten, lair) in enumerate(zip(self.kittens[:SEATS], self.lairs[:SEATS], strict=False)):
            found["kitten_symbols"][seat] = counted_symbols(kitten.cat), counted_symbols(kitten.cat2)
            found["kitten_special"][seat] = SPECIALS.index(kitten.special), SPECIALS.index(kitten.special2)
            found["lair_pays"][seat] = lair.pays, lair.pays2
            found["lair_holds"][seat] = lair.special == "hold", lair.special2 == "hold"
        return found


def counted_symbols(text: str) -> list[int]:
    """How many symbols of each colour a side has, in the order of COLOURS."""
    return [text.count(letter) for letter in COLOURS]


def symbols_text(counts: Sequence[int]) -> str:
    """Counts by colour as letters: ``RRX``."""
    return "".join(letter * int(count) for letter, count in zip(COLOURS, counts, strict=True))


@lru_cache(256)
def _numbers(deck: Deck) -> dict[str, int]:
    found = {card.id: number for number, card in enumerate(deck.cards)}
    found |= {kitten.id: KITTEN + seat for seat, kitten in enumerate(deck.kittens[:SEATS])}
    found |= {lair.id: LAIR + seat for seat, lair in enumerate(deck.lairs[:SEATS])}
    return found | {dog.id: DOG + number for number, dog in enumerate(deck.dogs)}


# Decks in use

_KEPT: dict[int, Deck] = {}
"""The decks of all games that this process has opened, by key: a record holds numbers, words stand in its deck."""


def kept_deck(text: str) -> Deck:
    """The deck of a text, as `read_deck`, from now on found by `deck_of` in every record that is made with it.

    Refusal E_DECK_FILE for a text that cannot be told from another one that is in use, one of eight million.
    """
    deck = read_deck(text)
    kept = _KEPT.setdefault(deck.key, deck)
    if kept.text != deck.text:
        raise Refusal("E_DECK_FILE", "another deck in use has the same key; add a blank line to this one")
    return kept


def deck_of(state: Any) -> Deck:
    """The deck of a state or view whose game was opened in this process. KeyError for another one."""
    return _deck(int(state.deck_key))


def _deck(key: int) -> Deck:
    return _KEPT[key] if key else kept_deck("")


def event_thing(number: int) -> tuple[Card | Kitten | Lair | Dog, int]:
    """What a number in an event stands for, and its number in its deck (`rules.called`)."""
    return _deck(number >> 8).thing(number & 255), number & 255


PACKED = "packed."


def packed(text: str) -> str:
    """A deck file's text as one word, for a position line."""
    return PACKED + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpacked(text: str) -> str:
    """The text of such a word; any other text as it is. Refusal E_DECK_FILE for a word that cannot be read."""
    if not text.startswith(PACKED):
        return text
    word = text.removeprefix(PACKED)
    try:
        data = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))
        return zlib.decompressobj().decompress(data, 4 * LONGEST_FILE).decode()
    except (ValueError, zlib.error):
        raise Refusal("E_DECK_FILE", f"{quoted(text)} is no packed deck") from None


# Reading a file


def read_deck(text: str) -> Deck:
    """The deck of a file's text; empty: the printed deck. Refusal E_DECK_FILE names the line, the row and the field."""
    return _printed() if not text else _read(text)


@cache
def _printed() -> Deck:
    return replace(
        _read(resources.files("backroom.games.syndicats").joinpath("cards.toml").read_text("utf-8")), text=""
    )


@lru_cache(64)
def _read(text: str) -> Deck:
    if len(text) > LONGEST_FILE:
        raise Refusal("E_DECK_FILE", f"the deck has {len(text)} characters; {LONGEST_FILE} at most")
    if "\n" not in text.strip() and "=" not in text:
        raise Refusal("E_DECK_FILE", f"{quoted(text)} is no deck: the text of a deck file is wanted, not its name")
    try:
        data = tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as problem:
        raise Refusal("E_DECK_FILE", f"not TOML: {' '.join(str(problem).split())}") from None
    except (RecursionError, ValueError) as problem:
        raise Refusal("E_DECK_FILE", f"not TOML: {type(problem).__name__}") from None
    return _Reader(text, data).deck()


MASKED = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*')


def _row_lines(text: str, table: str) -> list[int]:
    """The lines, from 1, on which the rows of a table begin: of inline tables, or under their own headings."""
    plain = MASKED.sub(lambda found: re.sub(r"[^\n]", "_", found[0]), text)
    starts = [found.start() for found in re.finditer(rf"^[ \t]*\[\[[ \t]*{table}[ \t]*\]\]", plain, re.MULTILINE)]
    listed = re.search(rf"^[ \t]*{table}[ \t]*=[ \t]*\[", plain, re.MULTILINE)
    if listed is not None:
        depth = 1
        for at in range(listed.end(), len(plain)):
            if plain[at] == "{" and depth == 1:
                starts.append(at)
            depth += (plain[at] in "[{") - (plain[at] in "]}")
            if depth == 0:
                break
    return [text.count("\n", 0, start) + 1 for start in starts]


CARD_FIELDS = ("id", "name", "group", "cat", "special", "house", "trash", "keep", "place", "upkeep")
TABLES = {
    "card": CARD_FIELDS,
    "dog": ("id", "name"),
    "kitten": ("id", "name", "cat", "special", "cat2", "special2"),
    "lair": ("id", "name", "pays", "special", "pays2", "special2"),
}
"""The fields of each table's rows; of a card, ``copies`` may be left out."""
WORDS = {
    "card": ("", "copycat", "curiosity", "yarn", "attack/defence"),
    "kitten": ("", "attack", "defence", "curiosity"),
    "lair": ("", "hold"),
}
"""What may stand in the fields ``special`` of a table."""


class _Reader:
    """Reads a deck from a file's data; every refusal says where in the text it is."""

    def __init__(self, text: str, data: dict[str, Any]) -> None:
        self.text, self.data = text, data
        self.lines = {table: _row_lines(text, table) for table in TABLES}

    def deck(self) -> Deck:
        data = self.data
        self._fields(data, ("schema", "name", "colours", *TABLES), (), "the file")
        if data["schema"] != "syndicats-deck/1":
            raise self._wrong(self._line("schema"), "schema", 'must be "syndicats-deck/1"')
        colours = data["colours"]
        if not isinstance(colours, dict) or set(colours) != set(COLOURS):
            raise self._wrong(self._line("colours"), "colours", f"has a word for each of {', '.join(COLOURS)}")
        for letter, word in colours.items():
            self._name(word, self._line("colours"), f"colours, {letter}")
        self._name(data["name"], self._line("name"), "name")
        rows = {table: list(self._rows(table)) for table in TABLES}
        cards = [
            replace(card, id=card.id + (str(copy) if copy > 1 else ""))
            for row, where in rows["card"]
            for card in [self._card(row, where)]
            for copy in range(1, 1 + self._whole(row.get("copies", 1), where, "copies", 1, CARDS))
        ]
        for table, count, most in (("card", len(cards), CARDS), ("dog", len(rows["dog"]), DOGS)):
            if count > most:
                raise Refusal("E_DECK_FILE", f"{table}: {count} (copies count, too); a deck has {most} at most")
        dogs = [Dog(row["id"], row["name"]) for row, _ in rows["dog"]]
        kittens = [self._kitten(row, where) for row, where in rows["kitten"]]
        lairs = [self._lair(row, where) for row, where in rows["lair"]]
        ids = [card.id for card in cards]
        ids += [row["id"] for table in ("dog", "kitten", "lair") for row, _ in rows[table]]
        for name in ids:
            if ids.count(name) > 1:
                raise self._wrong(self._id_line(name), f"id {name}", "stands twice (copies count, too)")
        return Deck(self.text, data["name"], colours, tuple(cards), tuple(dogs), tuple(kittens), tuple(lairs))

    def _rows(self, table: str) -> Iterator[tuple[dict[str, Any], str]]:
        rows = self.data[table]
        if not isinstance(rows, list):
            raise self._wrong(self._line(table), table, "must be a list of rows")
        lines = self.lines[table]
        for number, row in enumerate(rows):
            named = row.get("id", "") if isinstance(row, dict) else ""
            called = f"{table} {named}" if isinstance(named, str) and ID.fullmatch(named) else f"{table} {number + 1}"
            where = f"line {lines[number]}, {called}" if number < len(lines) else called
            if not isinstance(row, dict):
                raise Refusal("E_DECK_FILE", f"{where}: must be a row {{id=..., name=..., ...}}")
            self._fields(row, TABLES[table], ("copies",) if table == "card" else (), where)
            if not isinstance(named, str) or not ID.fullmatch(named) or named in RESERVED:
                raise Refusal(
                    "E_DECK_FILE",
                    f"{where}, id: {quoted(named)} "
                    "is no lower-case word of letters and digits (24 at most), or a word of moves",
                )
            self._name(row["name"], where, "name")
            yield row, where

    def _fields(self, row: Mapping[str, Any], needed: Sequence[str], more: Sequence[str], where: str) -> None:
        for name in row:
            if name not in needed and name not in more:
                raise Refusal(
                    "E_DECK_FILE", f"{where}: there is no field {quoted(name)}; there are {', '.join(needed)}"
                )
        for name in needed:
            if name not in row:
                raise Refusal("E_DECK_FILE", f"{where}: the field {name} is missing")

    def _card(self, row: dict[str, Any], where: str) -> Card:
        group, special = row["group"], self._special("card", row["special"], where, "special")
        if group not in GROUPS:
            raise Refusal("E_DECK_FILE", f"{where}, group: {quoted(group)} is none of {', '.join(GROUPS)}")
        house = row["house"]
        if house != "":
            self._name(house, where, "house")
        if house and special == "attack/defence":
            raise Refusal("E_DECK_FILE", f"{where}, house: a card with attack/defence has no house side")
        card = Card(
            row["id"],
            row["name"],
            group,
            self._symbols(row["cat"], where, "cat"),
            special,
            house,
            self._demand(row["trash"], where, "trash"),
            self._demand(row["keep"], where, "keep"),
            self._whole(row["place"], where, "place", 0, 6),
            self._whole(row["upkeep"], where, "upkeep", 0, 99),
        )
        if not card.sides:
            raise Refusal("E_DECK_FILE", f"{where}: a card needs a cat side (cat or special) or a house side (house)")
        return card

    def _kitten(self, row: dict[str, Any], where: str) -> Kitten:
        cats = (self._symbols(row[name], where, name) for name in ("cat", "cat2"))
        specials = (self._special("kitten", row[name], where, name) for name in ("special", "special2"))
        (cat, cat2), (special, special2) = cats, specials
        return Kitten(row["id"], row["name"], cat, special, cat2, special2)

    def _lair(self, row: dict[str, Any], where: str) -> Lair:
        pays, pays2 = (self._whole(row[name], where, name, 0, MOST_COINS) for name in ("pays", "pays2"))
        special, special2 = (self._special("lair", row[name], where, name) for name in ("special", "special2"))
        return Lair(row["id"], row["name"], pays, special, pays2, special2)

    def _special(self, table: str, value: Any, where: str, field: str) -> str:
        if not isinstance(value, str) or value not in WORDS[table]:
            words = ", ".join(word or '""' for word in WORDS[table])
            raise Refusal("E_DECK_FILE", f"{where}, {field}: {quoted(value)} is none of {words}")
        return value

    def _symbols(self, value: Any, where: str, field: str) -> str:
        letters = value.upper().replace("*", "X") if isinstance(value, str) else "?"
        for letter in letters:
            if letter not in COLOURS:
                raise Refusal(
                    "E_DECK_FILE", f"{where}, {field}: {quoted(value)} has {quoted(letter)}; symbols are {COLOURS}"
                )
        if len(letters) > MOST_SYMBOLS:
            raise Refusal("E_DECK_FILE", f"{where}, {field}: {len(letters)} symbols; {MOST_SYMBOLS} at most")
        return letters

    def _demand(self, value: Any, where: str, field: str) -> Demand:
        if value == "":
            return None
        symbols, arrow, coins = value.partition("->") if isinstance(value, str) else ("", "", "")
        if not arrow or not re.fullmatch(r"\s*-?[0-9]{1,9}\s*", coins, re.ASCII):
            raise Refusal("E_DECK_FILE", f'{where}, {field}: {quoted(value)} is not written as "RRX->7", or ""')
        return self._symbols(symbols.strip(), where, field), self._whole(int(coins), where, field, 0, MOST_COINS)

    def _whole(self, value: Any, where: str, field: str, least: int, most: int) -> int:
        if type(value) is not int or not least <= value <= most:
            raise Refusal("E_DECK_FILE", f"{where}, {field}: {quoted(value)} is no whole number from {least} to {most}")
        return value

    def _name(self, value: Any, where: str | int, field: str) -> None:
        at = f"line {where}" if isinstance(where, int) else where
        wrong = ""
        if not isinstance(value, str) or is_blank(value):
            wrong = f"{quoted(value)} is no name"
        elif len(value) > LONGEST_NAME:
            wrong = f"the name has {len(value)} characters; {LONGEST_NAME} at most"
        elif value != " ".join(value.split()):
            wrong = f"{quoted(value)} has blanks around it, two in a row, or a line end"
        else:
            wrong = deceives(value)
        if wrong:
            raise Refusal("E_DECK_FILE", f"{at}, {field}: {wrong}")

    def _line(self, field: str) -> int:
        """The line on which a field of the file itself stands."""
        return self._first(rf"^[ \t]*\[{{0,2}}[ \t]*{field}\b")

    def _id_line(self, name: str) -> int:
        """The last line on which an id stands."""
        rows = [pair for table in TABLES for pair in zip(self.data[table], self.lines[table], strict=False)]
        return max((line for row, line in rows if row["id"] == name), default=1)

    def _first(self, pattern: str) -> int:
        found = re.search(pattern, self.text, re.MULTILINE)
        return self.text.count("\n", 0, found.start()) + 1 if found else 1

    def _wrong(self, line: int, field: str, why: str) -> Refusal:
        return Refusal("E_DECK_FILE", f"line {line}, {field}: {why}")
