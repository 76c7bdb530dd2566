"""Names and texts of people at tables, ids, and secrets that nobody can guess."""

import hashlib
import secrets
import unicodedata
from collections.abc import Collection
from functools import cache, lru_cache

from backroom.engine import names
from backroom.engine.game import Refusal
from backroom.text.harmless import deceives

__all__ = ["MOST_TALK", "alike", "check_name", "check_text", "checked_id", "client_at", "hash_of", "new_secret"]

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
MOST_LETTERS, MOST_CHARACTERS = 24, 64
"""How long a name may be: as it is seen, where marks are parts of their letters, and as it is stored."""
MOST_TALK = 2500
"""Lines of talk of one chair at a table, messages of the match among them: so nobody uses up what others may say."""
ROUNDS = 3
"""How often looks are looked up: what looks like m looks like rn, of which each has looks of its own."""
ADDRESSED = "You"
"""The words by which pages and logs address their reader."""


def new_secret(length: int = 24) -> str:
    """A text that nobody can guess: 5 bits a character."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def hash_of(token: str) -> str:
    """All that is kept of a browser's token: its SHA-256, in hex."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def client_at(table: str, client: str) -> str:
    """A hash of a request's address: equal addresses have equal hashes at one table only."""
    return hash_of(f"{table} {client}")[:16]


def checked_id(given: str) -> str:
    """A request's own id, or a new one for a request without. Refusal E_ID."""
    if len(given) > 100 or not given.isprintable():
        raise Refusal("E_ID", "an id has at most 100 printable characters")
    return given or new_secret()


def check_text(text: str, most: int, what: str) -> str:
    """The text, if it is not too long and cannot deceive (`backroom.text.harmless`). Refusal E_TEXT."""
    if len(text) > most:
        raise Refusal("E_TEXT", f"{what} has at most {most} characters, this has {len(text)}")
    if wrong := deceives(text):
        raise Refusal("E_TEXT", f"{what}: {wrong}; leave that out")
    return text


def check_name(name: str, others: Collection[str] = ()) -> str:
    """A name as it was typed, made tidy (`backroom.engine.names`). Refusal E_SETUP.

    It is 24 characters long at most, marks and joiners not counted, and nobody at a table is called like one of the
    ``others`` there, or so that it looks alike: Cyrillic and Latin a, 0 and O, l and 1, rn and m.
    """
    name = names.tidy(name)
    if wrong := names.fault(name):
        raise Refusal("E_SETUP", wrong)
    letters = sum(1 for character in name if unicodedata.category(character)[0] not in "MC")
    if letters > MOST_LETTERS or len(name) > MOST_CHARACTERS:
        raise Refusal(
            "E_SETUP", f"the name {name[:MOST_LETTERS]!r}... is too long; {MOST_LETTERS} letters are the most"
        )
    if alike(name, ADDRESSED):
        raise Refusal("E_SETUP", "nobody can be called You, or look like it: pages address their reader so")
    for other in others:
        if names.key(name) == names.key(other):
            raise Refusal(
                "E_SETUP", f"somebody here is called {other} already (case does not count, nor do _ and blanks)"
            )
        if alike(name, other):
            raise Refusal("E_SETUP", f"{name} looks like {other}, who is here already; choose another name")
    return name


def alike(name: str, other: str) -> bool:
    """Whether two names look so much alike that one reader could take one for the other."""
    return not _looks(name).isdisjoint(_looks(other))


@lru_cache(4096)
def _looks(name: str) -> frozenset[str]:
    """A name as it may be read, with one sign for all that look alike: as it stands, and in small and large letters."""
    return frozenset((names.key(name), *(names.key(_skeleton(text)) for text in (name, names.key(name), name.upper()))))


def _skeleton(text: str) -> str:
    prototypes = _prototypes()
    text = unicodedata.normalize("NFD", names.written(text))
    for _ in range(ROUNDS):
        text = "".join(prototypes.get(character, character) for character in text)
    return text


@cache
def _prototypes() -> dict[str, str]:
    """For each character that looks like others one that stands for all of them, from Unicode's list (UTS 39)."""
    from confusable_homoglyphs.confusables import confusables_data

    parent: dict[str, str] = {}

    def root(text: str) -> str:
        while (above := parent.setdefault(text, text)) != text:
            text = above
        return text

    for text, found in confusables_data.items():
        for entry in found:
            # The list brackets what runs from right to left with marks that are no part of it.
            pair = sorted((root(text.strip("\u200e")), root(entry["c"].strip("\u200e"))), key=lambda it: (-len(it), it))
            parent[pair[1]] = pair[0]
    return {text: root(text) for text in list(parent) if len(text) == 1}
