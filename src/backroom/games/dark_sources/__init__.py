"""Dark Sources (H. Wiese): fifteen to fifty coins on the table, and the secret is what people forget."""

from backroom.engine.game import Game
from backroom.games.dark_sources import bots, notation, rules
from backroom.games.dark_sources.options import DarkSourcesOptions

GAME = Game(
    name="dark_sources",
    title="Dark Sources",
    version="3",
    seats=range(2, 11),
    options=DarkSourcesOptions,
    rules=rules,
    notation=notation,
    hints=bots,
)
