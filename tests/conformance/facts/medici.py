"""Facts of Court of the Medici and Fringe Powers."""

from typing import Any

from conformance.facts import Facts, Perft, Uniform

RANK_COUNT = 15
PUT = 4
"""The phase in which a card is put back."""


def conserved(state: Any) -> dict[str, Any]:
    """The cards of each house wherever they lie, and what a state holds twice to be fast."""
    n, court = int(state.seats), [int(card) for card in state.court if card]
    found = []
    for p in range(n):
        cards = (state.hand[p].astype(int) + state.discard[p]).tolist()
        for card in [*state.deck[p].tolist(), int(state.fringe_up[p]), int(state.fringe_down[p])]:
            if card:
                cards[card - 1] += 1
        for card in court:
            if (card - 1) // RANK_COUNT == p:
                cards[(card - 1) % RANK_COUNT] += 1
        found.append(cards)
    stacks = int(state.stacks)
    starts = state.stack_start.tolist()
    return {
        "cards": found,
        "hand sizes": (state.hand.sum(axis=1) - state.hand_size).tolist(),
        "deck sizes": ((state.deck > 0).sum(axis=1) - state.deck_size).tolist(),
        "planned": ((state.bottom > 0).sum(axis=1) - state.bottom_size).tolist(),
        "planned elsewhere": int(((state.bottom > 0) & (state.bottom != state.deck)).sum()),
        "cards without a stack": len(court) - int(state.stack_length.sum()),
        "where stacks begin": [
            k for k in range(stacks) if starts[k + 1] - starts[k] != state.stack_length[k] or starts[k] < k
        ],
        "left behind": [int(state[name][stacks:].sum()) for name in ("stack_id", "stack_length", "stack_value")],
        "ids out of order": int((state.stack_id[:stacks][1:] <= state.stack_id[:stacks][:-1]).sum()),
        "marks between attacks": int(state.mark.sum()) if not state.attack else 0,
        "drawn between turns": int(state.drawn.sum()) if state.phase != PUT else 0,
        "drawn, not in hand": [
            card for p in range(n) for card in state.drawn[p].tolist() if card and not state.hand[p, card - 1]
        ],
        "worth between attacks": int(state.worth.sum()) if not state.attack else 0,
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
