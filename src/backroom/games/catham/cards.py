"""The components of Catham City as data: eight factions of fifteen equal cards, and the point tokens."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

__all__ = ["COST", "FACTIONS", "LETTERS", "POINTS", "SETS", "Faction", "letters_of", "tokens"]

JOURNALISTS, DETECTIVES, OFFICIALS, SCIENTISTS, ROBOCATS, MAFIA, POLICE, HACKERS = range(8)
COPIES = 15
"""Cards of one faction."""
IN_PLAY = 5
"""Factions in one game."""
MARKET = 7
"""Cards that lie in the market."""
LIMIT = 10
"""Most cards in a hand at the end of an action."""
MOST_HACKERS = 4
"""Most hackers that can be handed over at once."""
BANK = 90
"""Points in the bank: 12 tokens of 5 and 30 tokens of 1."""


@dataclass(frozen=True)
class Faction:
    """A faction: its letter in notation, its word in moves, and how one card and several cards of it are called."""

    letter: str
    word: str
    one: str
    many: str

    def cards(self, count: int) -> str:
        """How ``count`` cards of the faction are called, without the number."""
        return self.one if count == 1 else self.many


FACTIONS = (
    Faction("J", "journalists", "journalist", "journalists"),
    Faction("D", "detectives", "detective", "detectives"),
    Faction("O", "officials", "official", "officials"),
    Faction("S", "scientists", "scientist", "scientists"),
    Faction("R", "robocats", "robocat", "robocats"),
    Faction("M", "mafia", "mafia", "mafia"),
    Faction("P", "police", "police officer", "police officers"),
    Faction("H", "hackers", "hacker", "hackers"),
)
LETTERS = "".join(faction.letter for faction in FACTIONS)
SETS = np.array(list(combinations(range(len(FACTIONS)), IN_PLAY)), np.int8)
"""The 56 sets of five factions, shape (56, 5), each ascending."""

COST = (2, 3, 0, 3, 0, 4, 0, 0)
"""Cards of its own that a faction's effect costs; 0 where the player chooses."""
POINTS = (2, 3, 0, 2, 3, 2, 0, 0)
"""Points a faction's effect gives at once (robocats: for four cards); 0 where it depends."""


def letters_of(text: str) -> list[int]:
    """Faction numbers of a word of faction letters, case ignored. KeyError names a letter that is none."""
    found = []
    for letter in text.upper():
        if letter not in LETTERS:
            raise KeyError(letter)
        found.append(LETTERS.index(letter))
    return found


def tokens(points: int) -> tuple[int, int]:
    """Points as tokens of five and tokens of one, as few as possible: 13 is (2, 3)."""
    return divmod(points, 5)
