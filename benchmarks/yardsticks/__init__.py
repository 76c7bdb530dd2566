"""Yardsticks: four small games that other systems have too, written for our engine so that speed can be compared.

They are no part of the product, but they are whole games, played correctly (``tests/test_yardsticks.py``).
"""

from backroom.engine.game import Game
from benchmarks.yardsticks import connect_four, kuhn_poker, leduc_holdem, tic_tac_toe

__all__ = ["YARDSTICKS"]

YARDSTICKS: dict[str, Game] = {
    game.name: game for game in (tic_tac_toe.GAME, connect_four.GAME, leduc_holdem.GAME, kuhn_poker.GAME)
}
"""The four games by name."""
