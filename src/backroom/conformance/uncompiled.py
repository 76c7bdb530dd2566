"""Run in a process of its own with ``BACKROOM_JIT=0``: prints the hash chains of random games as JSON.

There NumPy checks every index, so it also applies every legal action to the mover's view. Its arguments are the game,
and ``every`` for every setting instead of the sample.
"""

import json
import random
import sys
from functools import cache

from backroom.conformance.play import Setting, locate, play_on, sample, settings
from backroom.engine.game import Game
from backroom.engine.kernel import JIT

MOVES = 40


@cache
def chains(game: Game, every: bool) -> dict[str, list[str]]:
    """By setting, the hash chain of one random game of at most `MOVES` moves, the first to its end.

    Settings are those of the `sample`, or all (``every``).
    """
    found = {}
    for number, setting in enumerate(settings(game) if every else sample(game)):
        match = setting.match(game, 35)
        for _ in play_on(match, random.Random(35), MOVES if number else 400):
            pass
        found[str(setting)] = match.chain
    return found


def apply_on_views(game: Game, setting: Setting) -> None:
    """Every legal action of random positions, and what may follow it in the same move, on the mover's view."""
    match = setting.match(game, 36)
    source = random.Random(36)
    for _ in play_on(match, source, MOVES):
        for seat in match.acting:
            view = match.view(seat)
            for action in game.legal(view, seat).tolist():
                after = game.state.copy(view)
                game.kernels["apply"](after, seat, action, game.events.new_log())
                while int(after.midmove) >> seat & 1:
                    legal = game.legal(after, seat).tolist()
                    if not legal:
                        break
                    game.kernels["apply"](after, seat, source.choice(legal), game.events.new_log())


def main() -> None:
    assert not JIT, "run with BACKROOM_JIT=0"
    game, every = locate(sys.argv[1]), sys.argv[2:] == ["every"]
    for setting in settings(game) if every else sample(game):
        apply_on_views(game, setting)
    print(json.dumps(chains(game, every)))


if __name__ == "__main__":
    main()
