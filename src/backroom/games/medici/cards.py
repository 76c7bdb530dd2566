"""The cards of Court of the Medici: ranks, their values and how many of each a house has.

A card is a number: house * 15 + rank + 1, with ranks in the order of RANKS; 0 is no card.
"""

__all__ = [
    "BASE_COPIES", "BODYGUARD", "DUKE", "FRINGE_COPIES", "HOUSES", "INFLUENCE", "JESTER", "LADY", "MINISTER", "RANKS",
    "RANK_COUNT", "SPY", "card_text", "house_of", "rank_of", "rank_word", "read_card",
]  # fmt: skip

HOUSES = "ABCD"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "D", "M", "L", "J", "S", "G")
RANK_COUNT = len(RANKS)
TITLES = {"D": "Duke", "M": "Minister", "L": "Lady", "J": "Jester", "S": "Spy", "G": "Bodyguard"}
DUKE, MINISTER, LADY, JESTER, SPY, BODYGUARD = range(9, 15)

INFLUENCE = (2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 0, 1, 1, 1, 0)
"""The value of a card at the end; also in a conspiracy, except the Jester, whose value there is named."""
BASE_COPIES = (2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 0, 0)
FRINGE_COPIES = (2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 1, 1)


def house_of(card: int) -> int:
    """The house of a card that is one, which is its seat."""
    return (card - 1) // RANK_COUNT


def rank_of(card: int) -> int:
    """The rank of a card that is one."""
    return (card - 1) % RANK_COUNT


def card_text(card: int) -> str:
    """House and rank, as on the table: ``B9``."""
    return f"{HOUSES[house_of(card)]}{RANKS[rank_of(card)]}"


def rank_word(rank: int) -> str:
    """A rank as it is said: ``6``, ``Jester``."""
    return TITLES.get(RANKS[rank], RANKS[rank])


def read_card(text: str) -> int:
    """The card of such a text (case ignored), 0 when it is none."""
    house, rank = HOUSES.find(text[:1].upper()), text[1:].upper()
    return house * RANK_COUNT + RANKS.index(rank) + 1 if house >= 0 and text and rank in RANKS else 0
