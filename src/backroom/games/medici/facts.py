"""Facts of Court of the Medici and Fringe Powers."""

from itertools import pairwise
from typing import Any

from backroom.engine.facts import Facts, Perft, Uniform

RANK_COUNT = 15
PUT = 4
"""The phase in which a card is put back."""


def conserved(state: Any) -> dict[str, Any]:
    """The cards of each house wherever they lie, and what a state holds twice to be fast."""
    # Each field is read once, as plain numbers: the suite asks this after every action.
    n, stacks, phase, attack = int(state.seats), int(state.stacks), int(state.phase), int(state.attack)
    hand, deck, bottom, drawn = (state[name].tolist() for name in ("hand", "deck", "bottom", "drawn"))
    discard, up, down = (state[name].tolist() for name in ("discard", "fringe_up", "fringe_down"))
    starts, lengths, ids = (state[name].tolist() for name in ("stack_start", "stack_length", "stack_id"))
    sizes = {name: state[name].tolist() for name in ("hand_size", "deck_size", "bottom_size")}
    court = [card for card in state["court"].tolist() if card]
    found = [[in_hand + away for in_hand, away in zip(hand[p], discard[p], strict=True)] for p in range(n)]
    for p in range(n):
        for card in (*deck[p], up[p], down[p]):
            if card:
                found[p][card - 1] += 1
    for card in court:
        if (card - 1) // RANK_COUNT < n:
            found[(card - 1) // RANK_COUNT][(card - 1) % RANK_COUNT] += 1
    planned = [
        (there, card) for row, cards in zip(bottom, deck, strict=True) for there, card in zip(row, cards, strict=True)
    ]
    return {
        "cards": found,
        "hand sizes": [sum(row) - size for row, size in zip(hand, sizes["hand_size"], strict=True)],
        "deck sizes": [sum(map(bool, row)) - size for row, size in zip(deck, sizes["deck_size"], strict=True)],
        "planned": [sum(map(bool, row)) - size for row, size in zip(bottom, sizes["bottom_size"], strict=True)],
        "planned elsewhere": sum(there != card for there, card in planned if there),
        "cards without a stack": len(court) - sum(lengths),
        "where stacks begin": [k for k in range(stacks) if starts[k + 1] - starts[k] != lengths[k] or starts[k] < k],
        "left behind": [sum(ids[stacks:]), sum(lengths[stacks:]), int(state["stack_value"][stacks:].sum())],
        "ids out of order": sum(other <= one for one, other in pairwise(ids[:stacks])),
        "marks between attacks": int(state["mark"].sum()) if not attack else 0,
        "drawn between turns": sum(map(sum, drawn)) if phase != PUT else 0,
        "drawn, not in hand": [card for p in range(n) for card in drawn[p] if card and not hand[p][card - 1]],
        "worth between attacks": int(state["worth"].sum()) if not attack else 0,
    }


# B cannot see which two of 5, 7, 9 and 10 A holds, but has seen the 7 on its way there.
THREE = (
    "opt game=base ; IC S1[A4] S2[B7] ; A hand=5,7 deck=9,10 disc=- limit=none known=7 ; "
    "B hand=2,8 deck=4,5 ; order B A ; turn B ; count 9 3 B 0"
)

FACTS = Facts(
    conserved=conserved,
    perft=(
        # Two or three cards each, Jesters and a Lady among them; a tenth node is a value named.
        Perft(
            "opt game=base ; IC S1[A4 BJ] S2[B7] ; OC S3[A2]@A ; A hand=3,J ; B hand=M,L",
            (8, 43, 198, 959, 5052),
        ),
        Perft(
            "IC S1[A4 B6] S2[B7] S3[C9] ; A hand=3,J ; B hand=2,L fringe=2 ; C fringe=(9)",
            (8, 22, 118, 509, 1983),
        ),
        Perft(
            "opt players=4 bodyguard_scope=any control=plurality ; IC S1[A4] S2[BG C6 DJ] ; "
            "OC S3[A10 AS]@A S4[D5 C2 DG]@D ; A hand=5,M ; D fringe=(9)",
            (8, 27, 157, 718, 3434),
        ),
    ),
    uniform=(
        Uniform(
            THREE,
            1,
            lambda s: tuple(rank for rank in (3, 5, 7, 8) if s.hand[0, rank]),
            {(3, 5): 1, (5, 7): 1, (5, 8): 1},
        ),
    ),
    short={"seats": 2},
    defaults={
        "game": None,
        "control": "majority",
        "plurality_tie": "none",
        "spy_defends": False,
        "bodyguard_scope": "single",
        "bodyguard_saves": "any_house",
        "lone_scapegoat": True,
        "fringe_after_turn": "hidden",
        "fringe_refill": "none",
        "limit_follows_fringe": False,
        "jester_limit": 10,
        "empty_ic_ends": False,
        "base_conspire": "one",
        "base_last_card": "hand",
        "base_end": "cannot_play",
        "turn_cap": 0,
    },
    values={"turn_cap": (20,)},
    contexts={
        "plurality_tie": ({"control": "plurality", "seats": 3},),
        "bodyguard_saves": ({"seats": 4},),
        "base_conspire": ({"seats": 2},),
        "base_last_card": ({"seats": 2},),
        "base_end": ({"seats": 2},),
    },
    shown_by={
        "game": "test_medici.py::test_the_game_follows_the_number_of_players",
        "empty_ic_ends": "test_medici.py::test_an_empty_inner_circle_ends_the_game_if_the_option_says_so",
    },
    rules={
        "M01": "F7",
        "M02": "B5",
        "M03": "F10",
        "M04": "test_medici.py::test_planned_cards_are_known_to_their_owner_alone",
        "M05": "B3",
        "M07": "B2",
        "M08": "B10",
        "M13": "B5",
        "M24": "B12",
        "M31": "F1",
        "M40": "F43",
        "M41": "F44",
        "M45": "F29",
        "M50": "F10",
        "M51": "F5",
        "M52": "F14",
        "M54": "test_medici.py::test_what_a_conspiracy_does_when_nobody_reacts",
        "M68": "F12",
        "M74": "F33",
        "M83": "F40",
        "Q02": "F1",
        "Q03": "F7",
        "Q16": "F19",
        "Q37": "B10",
        "Q40": "test_medici.py::test_turn_cap_ends_without_a_winner",
    },
)
