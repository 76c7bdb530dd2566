"""Kuhn poker in words. Moves, positions and examples are those of every plain notation."""

from collections.abc import Sequence
from typing import Any

from backroom.engine.events import Event
from backroom.engine.game import Game
from backroom.engine.notation import Line, Thing, deed, player
from backroom.engine.record import Viewer
from backroom.text.english import counted
from backroom.text.plain import PlainNotation

from .rules import ACTIONS

CARDS = ("a card", "the jack", "the queen", "the king")
EFFECTS = ("You add no chip.", "You add a second chip.", "You lose a chip.", "You add a second chip; both cards show.")


def card(number: int | None) -> Thing:
    """A card as a piece of text; what a viewer may not know is None."""
    return Thing("card", str(number or 0), CARDS[number or 0])


class KuhnNotation(PlainNotation):
    def describe(self, event: Event, names: Sequence[str], viewer: Viewer) -> Line | None:
        who, told = player(event.seat, names), event.args
        if event.kind == "dealt":
            return Line((who, " is dealt ", card(told["card"]), "."), "R1")
        if event.kind == "acted":
            return deed(who, (f"{ACTIONS.family(told['action']).name}s",), rule="R2")
        if event.kind == "showed":
            return Line((who, " shows ", card(told["card"]), "."), "R3")
        return Line((who, f" wins {counted(told['chips'], 'chip')}."), "R4")

    def preview(self, game: Game, view: Any, seat: int, actions: Sequence[int], names: Sequence[str]) -> str:
        return EFFECTS[actions[0]] if actions else ""
