"""Syndicats: bid for cats and houses, raid for money, and feed the Mogfather before the dogs come."""

from backroom.engine.game import Game
from backroom.games.syndicats import bots, notation, rules
from backroom.games.syndicats.cards import SEATS
from backroom.games.syndicats.options import SyndicatsOptions

__all__ = ["GAME"]

GAME = Game(
    name="syndicats",
    title="Syndicats",
    version="1",
    seats=range(2, SEATS + 1),
    options=SyndicatsOptions,
    rules=rules,
    notation=notation,
    hints=bots,
)
