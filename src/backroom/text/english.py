"""English as log, previews and pages say it: numbers, rows of words, possessives, and "you" to whoever reads."""

from collections.abc import Iterable, Sequence

from backroom.engine.notation import Part, in_words, player

__all__ = ["ORDINALS", "Reader", "counted", "does", "enumerated", "listed", "number_word", "possessive", "whose"]

NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen",
)  # fmt: skip
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def number_word(number: int) -> str:
    """A small number as a word, a larger one in digits."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def counted(count: int, word: str) -> str:
    """So many of a thing: 1 card, 5 cards, 0 cards."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def enumerated(things: Iterable[Part], last: str = "and") -> list[Part]:
    """Things in a row, as one says them: Anna, Ben and Cleo. None: nothing."""
    row = list(things)
    signs = ["", *[", "] * (len(row) - 2), f" {last} "]
    return [part for pair in zip(signs, row, strict=False) for part in pair if part]


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words in a row, as one says them: Anna, Ben and Cleo; with ``last`` or: Anna, Ben or Cleo. None: nothing."""
    return in_words(enumerated(words, last))


def possessive(name: str) -> str:
    """Anna’s, Max’."""
    return f"{name}’" if name.endswith(("s", "x", "z")) else f"{name}’s"


def whose(seat: int, reader: int | None, names: Sequence[str], start: bool = False) -> str:
    """``your`` (with a capital at the ``start`` of a sentence) or ``Cleo’s``, for the reader's seat."""
    return possessive(names[seat]) if seat != reader else "Your" if start else "your"


def does(seat: int, reader: int | None, names: Sequence[str], verb: str, start: bool = False) -> str:
    """``you control`` (``You`` at the ``start`` of a sentence) or ``Cleo controls``, for the reader's seat."""
    return f"{names[seat]} {verb}s" if seat != reader else f"{'You' if start else 'you'} {verb}"


class Reader:
    """Who reads (a seat, or SPECTATOR), and the players as this reader is told of them: itself as you."""

    def __init__(self, seat: int, names: Sequence[str]) -> None:
        self.seat, self.names = seat, names

    def call(self, seat: int, start: bool = True) -> str:
        """A player's name, or you, with a capital at the ``start`` of a sentence."""
        return self.names[seat] if seat != self.seat else "You" if start else "you"

    def whose(self, seat: int, start: bool = False) -> str:
        """See `whose`."""
        return whose(seat, self.seat, self.names, start)

    def named(self, seats: Iterable[int], start: bool = True) -> list[Part]:
        """Players in a row, the reader first: You, Ben and Cleo."""
        called = [self.call(seat, start) for seat in range(len(self.names))]
        return enumerated([player(seat, called) for seat in sorted(seats, key=lambda seat: seat != self.seat)])

    def people(self, seats: Iterable[int], start: bool = True) -> str:
        """`named` in words alone."""
        return in_words(self.named(seats, start))

    def do(self, seats: Sequence[int], one: str, more: str) -> str:
        """The form of a verb that goes with these players."""
        return more if len(seats) > 1 or self.seat in seats else one
