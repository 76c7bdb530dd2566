"""Facts of Catham City."""

from math import comb, prod
from typing import Any

from backroom.engine.facts import Facts, Perft, Symmetry, Uniform

JOURNALISTS, SCIENTISTS, HACKERS = 0, 3, 7


def conserved(state: Any) -> dict[str, Any]:
    """Fifteen cards of each faction in play, wherever they lie, and hands as large as everybody sees."""
    deck = state.deck[: int(state.deck_size)].tolist()
    places = state.hand.sum(axis=0) + state.kept.sum(axis=0) + state.market + state.discards + state.table
    return {
        "cards": [int(count) + deck.count(kind) for kind, count in enumerate(places.tolist())],
        "sizes": (state.hand.sum(axis=1) - state.hand_size).tolist(),
        "known but not held": int((state.known > state.hand).sum()),
        "on their way": int(state.scratch.sum()),
    }


# Anna sees neither ben's two cards nor the deck of four: three scientists, two journalists and a hacker, six in all.
SIX = (
    "JSHDM | A:DDDDDDDDDD/0 B:SJ/0 | mkt MMMMMMM | deck SSJH | "
    f"disc {'J' * 13}{'S' * 12}{'H' * 14}{'D' * 5}{'M' * 8} | turn A"
)
UNKNOWN = {JOURNALISTS: 2, SCIENTISTS: 3, HACKERS: 1}
HANDS = [(2, 0, 0), (0, 2, 0), (1, 1, 0), (1, 0, 1), (0, 1, 1)]
WEIGHTS = {hand: float(prod(comb(n, k) for n, k in zip(UNKNOWN.values(), hand, strict=True))) for hand in HANDS}

FACTS = Facts(
    conserved=conserved,
    perft=(
        Perft("SRDMH | A:SSM/0 B:HH/0 | mkt SSSDMRH | deck RDMSSHHRD | disc - | turn A", (7, 63, 488)),
        Perft("JSDMH | A:JJ/5 B:SSH/12 C:DD/12 | mkt SSDDMMH | deck SDMH | disc - | turn A", (8, 65, 455)),
        Perft("JPMHS | A:PPJHH/0 B:MMMMSSH/3 | mkt JJPPMMM | deck JPMHS | disc SS | turn A", (13, 117, 1410)),
    ),
    uniform=(Uniform(SIX, 0, lambda s: tuple(int(s.hand[1, kind]) for kind in UNKNOWN), WEIGHTS),),
    symmetry=Symmetry(
        "rotations",
        numbers=frozenset({"active", "winner"}),
        rows=frozenset({"hand_size", "known", "kept", "points"}),
        actions={"police": (2,), "hackers": (0,)},
    ),
    short={"seats": 3, "target": 5},
    defaults={
        "first_player": None,
        "factions": "first",
        "target": None,
        "advanced": False,
        "hands": "seats",
        "detective_extra": "any",
        "official_cards": "discard",
        "police_cards": "return",
        "journalist_match": "gift",
        "end_check": "immediate",
        "max_actions": None,
    },
    values={
        "first_player": ("ben", "random"),
        "factions": ("calm", "raid", "random", "OSMHD"),
        "max_actions": (30,),
    },
    contexts={
        "official_cards": ({"factions": "OSMHD"},),
        "police_cards": ({"factions": "raid"},),
        "journalist_match": ({"factions": "calm"},),
        "end_check": ({"factions": "calm"}, {"factions": "raid"}),
        "target": ({"factions": "calm"},),
    },
    reveals=frozenset({"hacked", "searched", "opened", "refilled", "reshuffled"}),
    rules={
        "C1": "X41",
        "C6": "X11",
        "C7": "X08",
        "C8": "X14",
        "C9": "X27",
        "C11": "conformance/rules.py::check_end",
        "C28": "X38",
        "C30": "test_catham.py::test_a_declined_gift_reads_the_same_with_and_without_a_pair",
        "C32": "conformance/replay.py::check_past_states_stay",
        "CR1": "test_catham.py::test_first_player_rotates_the_seats",
        "CR2": "test_catham.py::test_s1_set_up_by_number_of_players",
        "CR3": "X41",
        "CR4": "X05",
        "CR5": "X05",
        "CR6": "X41",
        "CR7": "X07",
        "CR8": "X23",
        "CR9": "X25",
        "CR10": "X07",
        "CR11": "X09",
        "CR12": "X33",
        "CR13": "X10",
        "CR14": "X20",
        "CR16": "X12",
        "CR17": "X14",
        "CR18": "X18",
        "CR19": "X17",
        "CR23": "X30",
        "CR24": "X27",
        "CR25": "X34",
        "CR26": "X32",
        "CR29": "X33",
        "CR30": "X35",
        "CR31": "X36",
        "CR32": "X37",
        "CR36": "test_catham.py::test_s5_points_are_shown_as_fives_and_ones",
        "CR37": "X42",
        "CR38": "X40",
        "CR41": "X30",
        "CR42": "X31",
        "CR45": "test_catham.py::test_s4_factions_first_is_srdmh_and_random_reaches_many_sets",
        "CR46": "test_catham.py::test_s2_flat_hands",
    },
    # Printed signs, odd words in print, and what people may promise each other.
    remarks=frozenset({"C33", "CR40", "CR44"}),
)
