"""Names of players, and how they are written in moves and positions.

A name is made of letters of any script with their marks, of digits, ``_`` and ``-``, with single blanks inside. In
notation, where blanks part words, a name is *written* with ``_`` for each blank. Two players of one match may not have
the same *key*: what is left of a name when case, width and invisible joiners do not count and it is written.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

__all__ = ["JOINERS", "MOST_MARKS", "PLAIN", "character_name", "fault", "key", "seat_called", "tidy", "written"]

PLAIN = re.compile(r"[\w-]+", re.ASCII)
"""Names of the kind that match files of format 1 know: one word of ASCII."""

JOINERS = "\u200c\u200d"
"""ZWNJ and ZWJ: in Persian and the scripts of India they decide how letters are drawn."""
MOST_MARKS = 4
"""Marks that may stand over and under one letter; in no living script do more belong there."""
VIRAMA = 9
"""The combining class of the sign that a joiner follows in the scripts of India."""
BLANK_LETTERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
"""Characters that Unicode counts as letters and marks although nothing is drawn."""
VARIANTS = {*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0xE0100, 0xE01F0)), *"\u180b\u180c\u180d\u180f"}
"""Marks that choose how the letter before them is drawn."""
MOST_SHOWN = 60
"""Most characters of a wrong name that are repeated."""
RULE = "a name is made of letters of any script, digits, _ and -, with single blanks inside"


def tidy(text: str) -> str:
    """A name as it was typed, composed (NFC), its blanks of whatever kind single, and none around it."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def character_name(character: str) -> str:
    """A character for a message, by code point and name: it may be one that cannot be shown."""
    known = unicodedata.name(character, "")
    return f"U+{ord(character):04X}{f' ({known.lower()})' if known else ''}"


def fault(name: str) -> str:
    """Why nobody can be called so, with the character and its place; empty if somebody can."""
    if not name:
        return f"a name is needed; {RULE}"
    shown = repr(name[:MOST_SHOWN])
    if name != tidy(name):
        return f"player {shown}: write {tidy(name)[:MOST_SHOWN]!r} (composed, with single blanks inside)"
    marks = 0
    for at, character in enumerate(name):
        if not _may_stand(character, name[at - 1] if at else "", name[at + 1 : at + 2]):
            return f"player {shown}: {RULE}, not {character_name(character)} as character {at + 1}"
        marks = marks + 1 if unicodedata.category(character) == "Mn" else 0
        if marks > MOST_MARKS:
            return f"player {shown}: more than {MOST_MARKS} marks on one letter, to character {at + 1}"
    return ""


def _may_stand(character: str, before: str, after: str) -> bool:
    if character.isascii():
        return character.isalnum() or character in "_- "
    if character in JOINERS:
        return bool(before) and _joins(before, after)
    kind = unicodedata.category(character)
    if character in BLANK_LETTERS:
        return False
    if kind in ("Mn", "Mc"):
        return bool(before) and unicodedata.category(before)[0] in "LM"
    return kind[0] == "L" or kind == "Nd"


def _joins(before: str, after: str) -> bool:
    """Whether a joiner between these is drawn: after a virama, and between letters that are written joined."""
    if unicodedata.combining(before) == VIRAMA:
        return True
    return bool(after) and all(
        unicodedata.bidirectional(beside) == "AL" or unicodedata.category(beside)[0] == "M"
        for beside in (before, after)
    )


def written(name: str) -> str:
    """A name as one word of a move or a position."""
    return name.replace(" ", "_")


@lru_cache(4096)
def key(name: str) -> str:
    """The key by which names are compared, of a name or of a word that should be one."""
    text = unicodedata.normalize("NFKC", written(tidy(name))).casefold()
    return unicodedata.normalize("NFKC", "".join(c for c in text if c not in JOINERS and c not in VARIANTS)).casefold()


def seat_called(word: str, names: Sequence[str]) -> int | None:
    """The seat of the player whom a word names, as it is called or as it is written; None when there is nobody."""
    wanted = key(word)
    return next((seat for seat, name in enumerate(names) if key(name) == wanted), None)
