"""Names that people may have, and texts that nobody can guess."""

import secrets
from collections.abc import Sequence

from backroom.engine.game import Refusal, check_players

__all__ = ["check_names", "new_secret"]

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


def new_secret(length: int = 24) -> str:
    """A text that nobody can guess: 5 bits a character."""
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def check_names(names: Sequence[str]) -> None:
    """Refusal E_SETUP unless the names can be players of one match."""
    check_players(names, range(len(names) + 1))
    for name in names:
        if len(name) > 24:
            raise Refusal("E_SETUP", f"the name {name[:24]!r}... is too long; 24 letters are the most")
