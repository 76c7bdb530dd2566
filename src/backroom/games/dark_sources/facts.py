"""Facts of Dark Sources."""

from typing import Any

from backroom.engine.facts import Facts, Perft, Uniform


def conserved(state: Any) -> dict[str, Any]:
    """Cards that are missing from the rows laid so far, and face-up cards that do not show."""
    n, sets = int(state.seats), int(state.laid.sum())
    cards = state.value[:n].ravel().tolist()
    up = [(p, slot) for p in range(n) for slot in range(5) if state.laid[p] and not state.down[p, slot]]
    return {
        "missing": [sets - cards.count(value) for value in (1, 3, 5, 7, 10)],
        "misread": [place for place in up if state.shown[place] != state.value[place]],
        "face up, counted wrongly": int(state.up) - len(up) if not state.over else 0,
    }


LAST_THREE = "{} | anna:10d,7d,5d,3,1 ben:10d,7,5d,3d,1d"
FACTS = Facts(
    conserved=conserved,
    perft=(
        # Two rows: 25 swaps each turn, whatever is turned, until the last card is.
        Perft("{} | anna:ASC ben:ASC", (25, 625, 15625)),
        # Three cards up: two swaps turn them all in 18 ways, and those games have no third move.
        Perft(LAST_THREE, (25, 625, 15175)),
        Perft("{stall_limit=1} | anna:10d,7d,5,3d,1d ben:10d,7d,5d,3d,1d | stalled 1", (5, 0)),
    ),
    uniform=(
        # Four cards do not show: 1, 3, 5 and 10; the last swap showed that the 10 went to b1 and the 1 to a1.
        Uniform(
            "{} | anna:1d,3d,5,7,10 ben:10d,3,5d,7,1 | turn ben 3 | last a1 (10) <-> b1 (1)",
            1,
            lambda s: (int(s.value[0, 0]), int(s.value[1, 0]), int(s.value[0, 1]), int(s.value[1, 2])),
            {(1, 10, 3, 5): 1, (1, 10, 5, 3): 1},
        ),
    ),
    # The last swap holds seats and slots in one field, which relabelling cannot follow: the game's own tests do it.
    symmetry=None,
    short={"seats": 2},
    defaults={"owner": None, "row": "ascending", "memory": "play", "stall_limit": None},
    values={"owner": ("ben", "random"), "stall_limit": (1, 6)},
    open_when={"memory": "open"},
    reveals=frozenset({"swapped"}),
    open_at_first=frozenset({"value"}),
    rules={
        "D1": "DX04",
        "D3": "DX02",
        "D4": "DX10",
        "D5": "DX12",
        "D7": "DX08",
        "D8": "test_dark_sources.py::test_the_shortest_game",
        "D9": "test_dark_sources.py::test_play_shows_the_last_swap_only",
        "DR2": "DX04",
        "DR3": "test_dark_sources.py::test_dx15_rows_as_each_player_likes",
        "DR5": "DX03",
        "DR6": "DX12",
        "DR7": "DX07",
        "DR8": "test_dark_sources.py::test_twins_that_do_differ_in_the_past",
        "DR9": "DX01",
        "DR13": "DX09",
        "DR15": "DX11",
        "DR16": "test_dark_sources.py::test_dx14_a_card_that_was_face_down_is_not_named",
    },
)
