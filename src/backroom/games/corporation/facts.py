"""Facts of Corporation."""

from typing import Any

from backroom.engine.facts import Facts, Perft, Symmetry, Uniform
from backroom.games.corporation.rules import is_value


def conserved(state: Any) -> dict[str, Any]:
    """Every card that lies anywhere is one of the set, and no corporation has a single member."""
    n = int(state.seats)
    table = state.table[:n].tolist()
    lying = [value for value in (*table, *state.placed[:n].tolist()) if value]
    return {
        "strange cards": [value for value in lying if not is_value(state, value)],
        "alone": [value for value in table if value and table.count(value) < 2],
        "two alike": [p for p in range(n) if table[p] and state.placed[p] == table[p]],
    }


FACTS = Facts(
    conserved=conserved,
    perft=(
        # Hands of 4, 4 and 5 cards; the second round begins with whatever the first has made of them.
        Perft("{} | anna:0@3 ben:0@3 cleo:0", (4, 16, 80, 368, 1700)),
        # Anna ends the game unless she meets somebody.
        Perft("{} | anna:149 ben:0 cleo:0 | placed ben:1 cleo:3", (5, 8)),
    ),
    uniform=(
        Uniform(
            "{} | anna:0@3 ben:0@3 cleo:0 | placed ben:5 cleo:7",
            0,
            lambda s: (int(s.placed[1]), int(s.placed[2])),
            {(mine, other): 1 for mine in (1, 5, 7, 10) for other in (1, 3, 5, 7, 10)},
        ),
    ),
    symmetry=Symmetry(
        "all",
        rows=frozenset({"table", "last", "before", "gain", "score", "claim", "claimed", "said", "broken", "strayed"}),
    ),
    short={"seats": 3, "target": 20},
    defaults={
        "target": 150,
        "cards": "change",
        "after_reward": "reform",
        "tie": "share",
        "talk": "open",
        "talk_log": "keep",
        "talk_limit": None,
        "max_rounds": None,
    },
    values={"target": (10, 60), "talk_limit": (0, 2), "max_rounds": (3,)},
    contexts={"tie": ({"target": 12, "seats": 7},)},
    reveals=frozenset({"revealed"}),
    # Not `ask`: whom it names is a seat, which relabelling a matrix of players by players would have to follow.
    phrases=("claim 7", "claim 3", "say Trust me."),
    rules={
        "K1": "KX18",
        "K2": "KX11",
        "K4": "KX09",
        "K9": "KX01",
        "K10": "KX14",
        "K12": "KX20",
        "K13": "test_corporation.py::test_a_placed_card_leaves_no_trace_before_the_reveal",
        "KR1": "test_corporation.py::test_fewer_than_four_are_warned",
        "KR2": "KX11",
        "KR3": "KX13",
        "KR4": "KX17",
        "KR5": "KX06",
        "KR6": "KX02",
        "KR8": "KX01",
        "KR9": "KX14",
        "KR11": "KX08",
        "KR13": "test_corporation.py::test_a_message_shown_once_is_gone_with_the_next_decision_of_anybody",
        "KR15": "KX09",
        "KR17": "test_corporation.py::test_claims_do_not_bind_and_are_gone_with_the_round",
    },
)
