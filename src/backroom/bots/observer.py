"""What looks on while bots play whole games, and counts."""

from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from backroom.engine.game import Game
from backroom.engine.kernel import INT, VOID, specialise

__all__ = ["TALLY", "Observer", "observer_signature"]

TALLY = numba.int64[:, ::1]
"""The Numba type of a tally."""


class Observer(NamedTuple):
    """What is shown every decision of a run: ``observe(s, seat, action, tally)``, called just before it is played.

    ``observe`` is a `kernel`. ``s`` is the whole state, which it must leave as it is; ``tally`` (int64, two dimensions,
    contiguous) is the observer's own, for what it counts, and must not be shared by threads.
    """

    observe: Any
    tally: NDArray[np.int64]

    def compiled(self, game: Game) -> Any:
        """The kernel, compiled for a game."""
        return specialise(self.observe, observer_signature(game))


def observer_signature(game: Game) -> Any:
    """The Numba signature of an observer's kernel."""
    return VOID(game.state.numba_type, INT, INT, TALLY)
