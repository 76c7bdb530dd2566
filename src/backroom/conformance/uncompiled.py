"""Run in a process of its own with ``BACKROOM_JIT=0``: prints the hash chain of a random game in each setting.

There NumPy checks every index, so it also applies every legal action to the mover's view. Its argument is the game; the
settings come as JSON on standard input, one line of JSON for each goes out.
"""

import json
import os
import sys

from backroom.conformance.play import Setting, locate, play_on
from backroom.engine.game import Game
from backroom.engine.kernel import JIT

MOVES, WHOLE = 40, 400


def chain(game: Game, setting: Setting, whole: bool) -> list[str]:
    """The hash chain of one random game: of at most `MOVES` moves, or of the ``whole`` of it."""
    match = setting.match(game, 35)
    for _ in play_on(match, setting.source(35), WHOLE if whole else MOVES):
        pass
    return match.chain


def apply_on_views(game: Game, setting: Setting) -> None:
    """Every legal action of random positions, and what may follow it in the same move, on the mover's view."""
    match = setting.match(game, 36)
    source = setting.source(36)
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
    """Do it. It ends early when nobody waits for it any more."""
    assert not JIT, "run with BACKROOM_JIT=0"
    game, parent = locate(sys.argv[1]), os.getppid()
    for number, (seats, options, seed) in enumerate(json.load(sys.stdin)):
        if os.getppid() != parent:
            return
        setting = Setting(seats, options, seed)
        apply_on_views(game, setting)
        print(json.dumps(chain(game, setting, whole=number == 0)), flush=True)


if __name__ == "__main__":
    main()
