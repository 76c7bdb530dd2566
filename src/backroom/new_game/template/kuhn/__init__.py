"""Kuhn poker: three cards, two players, one bet."""

from backroom.engine.game import Game

from . import rules
from .notation import KuhnNotation
from .options import KuhnOptions

GAME = Game(
    name="kuhn",
    title="Kuhn poker",
    version="1",
    seats=range(2, 3),
    options=KuhnOptions,
    rules=rules,
    notation=KuhnNotation(rules, KuhnOptions),
)
