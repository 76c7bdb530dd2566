"""Checks of text that people write to each other: any script, but nothing that could deceive a reader."""

import unicodedata
from collections.abc import Iterator

from backroom.engine.names import JOINERS, MOST_MARKS, character_name

__all__ = ["deceives", "harmless", "is_blank"]

LINE_SIGNS = "\n\r\t"
UNSEEN = "\u00ad\u115f\u1160\u200b\u200c\u200d\u200e\u200f\u061c\u2060\u2800\u3164\ufeff\uffa0"
"""Invisible characters, besides Unicode's spaces."""
SIGNS = {*JOINERS, *"\u00ad\u061c\u200b\u200e\u200f\u2060\ufeff\u06dd\u070f\u08e2", *map(chr, range(0x600, 0x606))}
"""Format characters that scripts are written with. The others reorder what follows (U+202E and its kin), or hide."""
FLAG, TAGS = "\U0001f3f4", {*map(chr, range(0xE0020, 0xE0080))}
"""The black flag, and what makes it that of a part of a country."""
NEW_PICTURES = range(0x1F000, 0x20000)
"""Where emoji of the coming years have their places."""


def deceives(text: str) -> str:
    """What in a text may deceive its reader, and where; empty if nothing does.

    Controls but line ends and tabs, what changes the direction of what follows, invisible signs that no script needs,
    and more than a few marks on one letter.
    """
    at = next(_deceiving(text), None)
    if at is None:
        return ""
    if unicodedata.category(text[at]) in ("Mn", "Me"):
        return f"more than {MOST_MARKS} marks stand on one letter, to character {at + 1}"
    return f"{character_name(text[at])} as character {at + 1} could deceive its readers"


def _deceiving(text: str) -> Iterator[int]:
    """The places of the characters that are not to be shown."""
    marks, flag = 0, False
    for at, character in enumerate(text):
        kind = unicodedata.category(character)
        flag = character == FLAG or (flag and character in TAGS)
        marks = marks + 1 if kind in ("Mn", "Me") else marks if character in JOINERS else 0
        shows = kind[0] in "LMNPS" or kind == "Zs" or (kind == "Cn" and ord(character) in NEW_PICTURES)
        if marks > MOST_MARKS or not (shows or flag or character in LINE_SIGNS or character in SIGNS):
            yield at


def is_blank(text: str) -> bool:
    """Whether nothing of a text can be seen."""
    return all(character.isspace() or character in UNSEEN for character in text)


def harmless(text: str) -> str:
    """A text that comes from somebody's file, with U+FFFD for each character that could deceive."""
    found = set(_deceiving(text))
    return "".join("\ufffd" if at in found else character for at, character in enumerate(text)) if found else text
