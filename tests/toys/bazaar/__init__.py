"""Bazaar: the correct toy."""

from backroom.engine.game import Game
from toys.bazaar import bots, rules
from toys.bazaar.notation import BazaarNotation
from toys.bazaar.options import BazaarOptions

GAME = Game(
    name="bazaar",
    title="Bazaar",
    version="1",
    seats=range(2, rules.SEATS + 1),
    options=BazaarOptions,
    rules=rules,
    notation=BazaarNotation(rules, BazaarOptions),
    hints=bots,
)
