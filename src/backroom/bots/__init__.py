"""Players made of code, for any game: random ones, greedy ones, search, and the personas that a game brings."""

from backroom.bots.bot import Bot
from backroom.bots.random import PolicyBot
from backroom.engine.game import Game, Refusal, uniform_policy

__all__ = ["Bot", "bot_specs", "make_bot"]


def bot_specs(game: Game) -> list[str]:
    """The specs of bots that this game has, as `make_bot` takes them."""
    return ["random", *_personas(game)]


def make_bot(game: Game, spec: str) -> Bot:
    """A bot from its spec.

    ``random`` plays every legal action with the same probability. A game's own personas (``PERSONAS`` in its
    ``bots.py``: a mapping of names to policy kernels) are specs too. Refusal E_BOT lists what there is.
    """
    personas = _personas(game)
    if spec == "random":
        return PolicyBot(game, spec, uniform_policy)
    if spec in personas:
        return PolicyBot(game, spec, personas[spec])
    raise Refusal("E_BOT", f"no bot {spec!r}; there are {', '.join(bot_specs(game))}")


def _personas(game: Game) -> dict[str, object]:
    return getattr(game.hints, "PERSONAS", {})
