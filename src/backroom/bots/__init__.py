"""Players made of code, for any game: random ones, greedy ones, search, and the personas that a game brings."""

import re

from backroom.bots.bot import Bot
from backroom.bots.greedy import GreedyBot
from backroom.bots.memory import MemoryBot
from backroom.bots.mixed import MixedBot
from backroom.bots.random import PolicyBot
from backroom.bots.regulars import regular_bot, regulars
from backroom.bots.search import DEFAULT_ITERATIONS, SearchBot
from backroom.engine.game import Game, Parameter, Persona, Refusal, uniform_policy
from backroom.engine.options import Options

__all__ = ["Bot", "bot_specs", "make_bot"]

MOST_ITERATIONS = 10_000_000
SLIPS = Parameter(0.5, 0, 1)
"""The chance that a bot that slips does so at a move."""


def bot_specs(game: Game) -> list[str]:
    """The specs of bots that this game has, as `make_bot` takes them."""
    return ["random", *_personas(game), "slip", "greedy", "search", "search:N"]


def make_bot(game: Game, spec: str, options: Options | None = None, seats: int = 0) -> Bot:
    """A bot from its spec.

    ``random`` plays every legal action with the same probability; ``greedy`` the move after which the game's own
    evaluation is best, or what the game's hint of that name says; ``slip:P`` that, but with the chance P (0 to 1; 0.5
    if none is given) any legal move; ``search`` searches with 1000 iterations a decision, ``search:N`` with N. A game's
    personas (``PERSONAS`` in its ``bots.py``, `backroom.engine.game.Persona` by name) are specs too,
    ``name:parameter`` with another parameter than their own. One of the regulars at a strength is ``lena:hard``
    (`backroom.bots.regulars`). With the ``options`` and ``seats`` of a match such a parameter must mean something in
    it. Nothing is compiled yet (`Bot.prepare`). Refusal E_BOT lists what there is.
    """
    personas = _personas(game)
    if spec == "random":
        return PolicyBot(game, spec, uniform_policy)
    if spec == "greedy":
        own = getattr(game.hints, "greedy", None)
        return GreedyBot(game, spec) if own is None else PolicyBot(game, spec, own)
    name, colon, given = spec.partition(":")
    if name == "slip":
        chance = SLIPS.read(given) if colon else SLIPS.default
        if chance is None:
            raise Refusal("E_BOT", f"bot {spec!r}: the parameter of slip is {SLIPS.words}")
        return MixedBot(game, spec, make_bot(game, "greedy"), make_bot(game, "random"), chance)
    if name in personas:
        if options is not None:
            _check_fit(spec, personas[name], options, seats)
        return _persona_bot(game, spec, personas[name])
    if found := re.fullmatch(r"search(?::([0-9]{1,9}))?", spec, re.ASCII):
        iterations = int(found[1]) if found[1] else DEFAULT_ITERATIONS
        if 1 <= iterations <= MOST_ITERATIONS:
            return SearchBot(game, spec, iterations)
        raise Refusal("E_BOT", f"bot {spec!r}: the number of iterations is 1 to {MOST_ITERATIONS}")
    if name in regulars():
        return regular_bot(game, spec, make_bot)
    raise Refusal("E_BOT", f"no bot {spec!r}; there are {', '.join(bot_specs(game))}")


def _persona_bot(game: Game, spec: str, persona: Persona) -> Bot:
    parameter = _parameter(spec, persona)
    made = persona.make(parameter)
    bot = make_bot(game, made) if isinstance(made, str) else PolicyBot(game, spec, made, persona.chatter)
    return bot if persona.memory is None else MemoryBot(spec, bot, persona.memory, parameter)


def _check_fit(spec: str, persona: Persona, options: Options, seats: int) -> None:
    """Refusal E_BOT when a parameter that is given means nothing in such a match."""
    if persona.unfit is not None and ":" in spec:
        why = persona.unfit(_parameter(spec, persona), options, seats)
        if why:
            raise Refusal("E_BOT", f"bot {spec!r}: {why}")


def _parameter(spec: str, persona: Persona) -> float:
    """The parameter given after a colon, else the persona's own. Refusal E_BOT when it is none the persona takes."""
    name, colon, given = spec.partition(":")
    if persona.parameter is None:
        if colon:
            raise Refusal("E_BOT", f"bot {spec!r}: {name} has no parameter; write {name} alone")
        return 0.0
    if not colon:
        return persona.parameter.default
    parameter = persona.parameter.read(given)
    if parameter is None:
        right = f"the parameter of {name} is {persona.parameter.words}, and without one {persona.parameter.default}"
        raise Refusal("E_BOT", f"bot {spec!r}: {right}")
    return parameter


def _personas(game: Game) -> dict[str, Persona]:
    return getattr(game.hints, "PERSONAS", {})
