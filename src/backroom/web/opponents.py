"""The bots that people choose from and sit with: the regulars, their faces, and four strengths."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from random import shuffle

from backroom.bots import bot_specs
from backroom.bots.regulars import BELOW_ALL, LEVEL_WORDS, Regular, levels_of, regular_of, regulars
from backroom.engine.game import Game, Level
from backroom.tables.views import Chair
from backroom.tables.words import alike

__all__ = [
    "Share", "bot_words", "company_of", "face_of", "levels_by_word", "measured_by", "next_regular", "shares_of",
    "strengths",
]  # fmt: skip


def strengths(game: Game) -> list[tuple[str, str]]:
    """Bots of a game without a character as (spec, word): its four strengths, then the habits of its own."""
    levels = [level.spec for level in levels_of(game)]
    rest = [spec for spec in bot_specs(game) if spec not in levels and spec not in ("search:N", "slip")]
    return [*zip(levels, LEVEL_WORDS, strict=True), *((spec, spec.replace("_", " ")) for spec in rest)]


def bot_words(game: Game) -> dict[str, str]:
    """How strong a bot is in a word, by its spec, for all whom a game knows."""
    return dict(strengths(game)) | {f"{key}:{word}": word for key in regulars() for word in LEVEL_WORDS}


def face_of(chair: Chair) -> str:
    """The key of the regular whose face belongs beside a chair's name: never beside that of a person, nor another."""
    found = regular_of(chair.bot) if chair.bot and not chair.held else None
    return found[0].key if found is not None and found[0].is_called(chair.name) else ""


def company_of(you: str, named: Sequence[str], strength: str, count: int) -> list[str]:
    """Specs of so many bots of a strength: the regulars whose keys are named, and others drawn from those who are in.

    None of these is called like ``you``.

    A ``strength`` that is no word for a level is a bot's spec, which all of them have.
    """
    if strength not in LEVEL_WORDS:
        return [strength] * count
    keys = [key for key in regulars() if key not in named and not alike(regulars()[key].name, you)]
    shuffle(keys)
    chosen = [key for key in named if key in regulars()] + keys
    return [f"{key}:{strength}" for key in chosen[:count]]


def next_regular(taken: Collection[str]) -> Regular | None:
    """The first of the regulars whose key is not taken."""
    return next((regular for key, regular in regulars().items() if key not in taken), None)


@dataclass(frozen=True)
class Share:
    """What one of a strength (a word) wins alone among players of others, as measured, in per cent of the games.

    From ``low`` to ``high`` is the 95 % interval, ``even`` what it would be if they were equally strong; ``clear``: the
    interval leaves that out.
    """

    one: str
    others: str
    estimate: float
    low: float
    high: float
    even: float
    seats: int

    @property
    def clear(self) -> bool:
        """Whether it is not the share of an even table."""
        return not self.low <= self.even <= self.high


def levels_by_word(game: Game) -> list[tuple[str, Level]]:
    """The four strengths of a game, weakest first, each with its word."""
    return list(zip(LEVEL_WORDS, levels_of(game), strict=True))


def shares_of(game: Game) -> list[Share]:
    """The measured strengths of a game, each level against the one below it, seen from both sides."""
    found = []
    lower = BELOW_ALL
    for word, level in levels_by_word(game):
        for one, others, share in ((word, lower, level.wins), (lower, word, level.below)):
            if share is not None:
                estimate, low, high = (round(100 * part, 1) for part in share)
                found.append(Share(one, others, estimate, low, high, round(100 / level.seats, 1), level.seats))
        lower = word
    return found


def measured_by(game: Game) -> Iterator[str]:
    """The commands by which the strengths of a game were measured, one for levels in a row with as many games each."""
    lower = BELOW_ALL
    for (seats, games), row in groupby(levels_of(game), key=lambda level: (level.seats, level.games)):
        specs = [level.spec for level in row]
        if games:
            bots = ",".join([lower, *specs])
            yield f"backroom ladder {game.name} --players {seats} --bots {bots} --games {games} --seed 1"
        lower = specs[-1]
