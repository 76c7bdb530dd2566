"""Catham City: five factions of cats, a market of seven cards, and the first to enough points of influence wins."""

from backroom.engine.game import Game
from backroom.games.catham import bots, notation, rules
from backroom.games.catham.options import CathamOptions

__all__ = ["GAME"]

GAME = Game(
    name="catham",
    title="Catham City",
    version="2",
    seats=range(2, rules.SEATS + 1),
    options=CathamOptions,
    rules=rules,
    notation=notation,
    hints=bots,
)
