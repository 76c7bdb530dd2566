"""The room's regulars: eight bots that are somebody, each at four strengths.

A spec names one and a level, ``lena:hard``. The level says how strong the bot is; what the character adds is the same
at every level: in a share of its moves it follows a habit, it talks where talk is part of the rules, elsewhere it says
a thing now and then (`backroom.bots.remarks`), and when a match is over it says what it was up to. Who they are and
what they say is data (``regulars.toml``); which bot plays a level of a game, and what a regular is like at that game,
is the game's (``LEVELS`` and ``HABITS`` in its ``bots.py``).
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from backroom.bots.bot import Bot
from backroom.bots.mixed import TASTES, MixedBot, TasteBot
from backroom.engine import rng
from backroom.engine.game import Game, Habit, Level, Refusal

__all__ = [
    "BELOW_ALL",
    "LEVEL_WORDS",
    "OCCASIONS",
    "SITUATIONS",
    "Regular",
    "levels_of",
    "regular_bot",
    "regular_of",
    "regulars",
]

LEVEL_WORDS = ("gentle", "even", "hard", "ruthless")
"""The four strengths, weakest first."""
SITUATIONS = ("won", "beaten")
"""What the regulars have sentences for when a match is over."""
OCCASIONS = ("named", "paid", "other_paid", "ahead", "behind")
"""What they have sentences for while it goes on (`backroom.bots.remarks`)."""
_UNMEASURED = (
    Level("slip:0.5", "Takes what looks best at once, and every second time any move."),
    Level("greedy", "Takes what looks best at once."),
    Level("search:200", "Plays on in its head 200 times before it moves."),
    Level("search:2000", "Plays on in its head 2000 times before it moves."),
)
"""The levels of a game that declares none."""
BELOW_ALL = "random"
"""The bot that the lowest level is measured against."""


@dataclass(frozen=True)
class Regular:
    """One of the eight: ``key`` is its part of a spec and of the names of its face, ``manner`` and ``weakness`` a line
    each, ``habit`` what it follows in a ``share`` of its moves (empty: none), ``says`` its sentences by situation,
    ``remarks`` by occasion."""

    key: str
    name: str
    manner: str
    weakness: str
    habit: str
    share: float
    says: Mapping[str, Sequence[str]]
    remarks: Mapping[str, Sequence[str]]

    def at(self, game: Game) -> Habit:
        """What it is like at a game, which may know it better than this."""
        own: Habit | None = getattr(game.hints, "HABITS", {}).get(self.key)
        return own or Habit(self.habit, self.share, self.weakness)

    def is_called(self, name: str) -> bool:
        """Whether that is its name, perhaps with the number that tells two of a name apart."""
        return name.rstrip("0123456789") == self.name

    def sentence(self, situation: str, *address: int | str) -> str:
        """One of its sentences for a situation; the same for the same ``address``."""
        sentences = self.says[situation]
        return sentences[int(rng.below(rng.generator("says", self.key, *address), len(sentences)))]


@cache
def regulars() -> Mapping[str, Regular]:
    """The regulars by key, in the order in which they sit down."""
    data = tomllib.loads(resources.files("backroom.bots").joinpath("regulars.toml").read_text("utf-8"))
    return {
        key: Regular(
            key,
            one["name"],
            one["manner"],
            one["weakness"],
            one.get("habit", ""),
            one.get("share", 0.0),
            one["says"],
            one["remarks"],
        )
        for key, one in data.items()
    }


def regular_of(spec: str) -> tuple[Regular, str] | None:
    """The regular and the level's word that a bot's spec names; None for a spec of another kind, or of none."""
    key, _, word = spec.partition(":")
    regular = regulars().get(key)
    return (regular, word or "even") if regular is not None and (word or "even") in LEVEL_WORDS else None


def levels_of(game: Game) -> Sequence[Level]:
    """The four levels of a game, weakest first."""
    levels: Sequence[Level] = getattr(game.hints, "LEVELS", _UNMEASURED)
    return levels


def regular_bot(game: Game, spec: str, make: Callable[[Game, str], Bot]) -> Bot:
    """The bot of a regular's spec; ``make`` makes those of other specs. Refusal E_BOT for a level that is none."""
    found = regular_of(spec)
    if found is None:
        name = spec.partition(":")[0]
        raise Refusal("E_BOT", f"bot {spec!r}: how strong is {name}? Write {name}:{' or '.join(LEVEL_WORDS)}")
    regular, word = found
    habit = regular.at(game)
    main = make(game, levels_of(game)[LEVEL_WORDS.index(word)].spec)
    taste = TASTES.get(habit.spec)
    other = TasteBot(game, habit.spec, taste) if taste is not None else make(game, habit.spec) if habit.spec else main
    return MixedBot(game, spec, main, other, habit.share, habit.chatter, habit.promise)
