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
    state=rules.STATE,
    streams=rules.STREAMS,
    options=KuhnOptions,
    actions=rules.ACTIONS,
    events=rules.EVENTS,
    rules=rules,
    notation=KuhnNotation(rules, KuhnOptions),
)
