"""Bazaar: the correct toy."""

from backroom.engine.game import Game
from toys.bazaar import bots, notation, rules
from toys.bazaar.options import BazaarOptions

GAME = Game(
    name="bazaar",
    title="Bazaar",
    version="1",
    seats=range(2, rules.SEATS + 1),
    state=rules.STATE,
    streams=rules.STREAMS,
    options=BazaarOptions,
    actions=rules.ACTIONS,
    events=rules.EVENTS,
    rules=rules,
    notation=notation,
    hints=bots,
)
