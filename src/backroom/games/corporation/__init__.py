"""Corporation (M. Baldwin): everybody decides at once, talk is open, and partners may stay or leave."""

from backroom.engine.game import Game
from backroom.games.corporation import bots, notation, rules
from backroom.games.corporation.options import CorporationOptions

GAME = Game(
    name="corporation",
    title="Corporation",
    version="3",
    seats=range(3, 11),
    options=CorporationOptions,
    rules=rules,
    notation=notation,
    hints=bots,
)
