"""What a fresh process does before it can play Catham City: run by the benchmark, with a cold and a warm cache.

Compiles everything that is not on disk yet, as ``backroom warm`` does, loads it, plays a game, and prints the seconds
of each part as JSON.
"""

import json
import sys

from backroom.bots import make_bot
from backroom.bots.bot import play_match
from backroom.bots.warm import compile_ahead, warm
from backroom.engine import chance, rng
from backroom.engine.game import find_game


def main() -> None:
    """Compile, load, play, print."""
    game = find_game("catham")
    compiled = {part: seconds for _, part, seconds in compile_ahead([game])}
    loaded = warm(game)
    blank = game.blank(game.options.build(game.options.simulation_defaults(2)), ["ann", "bob"])
    bot = make_bot(game, "random")
    state, _ = play_match(blank, chance.match_seed(1), [bot, bot], [rng.generator(seat) for seat in range(2)])
    assert state.over
    json.dump(compiled or loaded, sys.stdout)


if __name__ == "__main__":
    main()
