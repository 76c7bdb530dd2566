"""Court of the Medici for two, and its expansion Fringe Powers (J. Catron) for three or four."""

from backroom.engine.game import Game
from backroom.games.medici import bots, notation, rules
from backroom.games.medici.options import MediciOptions

GAME = Game(
    name="medici",
    title="Court of the Medici",
    version="3",
    seats=range(2, 5),
    options=MediciOptions,
    rules=rules,
    notation=notation,
    hints=bots,
)
