"""Facts of Syndicats."""

from typing import Any

from backroom.engine.facts import Facts, Perft, Uniform

CARDS, KITTEN, OWN, DOG = 108, 108, 118, 118
REMOVED, DECK, SUPPLY, KENNEL, HELD = 0, 1, 2, 4, 5
CONTRACTS = 6

SMALL_DECK = """schema = "syndicats-deck/1"
name = "A small deck"
colours = {R="claws", G="tail", B="purr", X="grey"}
card = [
  {id="paw", name="Paw", group="core", cat="R", special="", house="Paw Shop", trash="X->3", keep="XX->2", place=1, upkeep=0, copies=9},
  {id="tip", name="Tip", group="core", cat="GB", special="", house="Tip Top", trash="RG->6", keep="RB->3", place=2, upkeep=2, copies=9},
  {id="twin", name="Twin", group="copycat", cat="", special="copycat", house="", trash="", keep="", place=0, upkeep=0, copies=2},
]
dog = [{id="rex", name="Rex"}, {id="fang", name="Fang"}, {id="pip", name="Pip"}, {id="pop", name="Pop"}, {id="woof", name="Woof"},
  {id="bark", name="Bark"}, {id="growl", name="Growl"}, {id="snap", name="Snap"}]
kitten = [
  {id="ann", name="Ann", cat="X", special="", cat2="R", special2="attack"},
  {id="bea", name="Bea", cat="X", special="", cat2="G", special2="curiosity"},
  {id="cat1", name="Cat", cat="X", special="", cat2="B", special2="defence"},
  {id="dot", name="Dot", cat="X", special="", cat2="R", special2="attack"},
  {id="eve", name="Eve", cat="X", special="", cat2="G", special2="curiosity"},
]
lair = [
  {id="den", name="Den", pays=2, special="", pays2=1, special2="hold"},
  {id="loft", name="Loft", pays=2, special="", pays2=1, special2="hold"},
  {id="shed", name="Shed", pays=2, special="", pays2=1, special2="hold"},
  {id="attic", name="Attic", pays=2, special="", pays2=1, special2="hold"},
  {id="cave", name="Cave", pays=2, special="", pays2=1, special2="hold"},
]
"""  # noqa: E501
"""A deck of a designer's own: copies, a cat without a house, upkeep of two."""


def conserved(state: Any) -> dict[str, Any]:
    """Cards wherever they lie, and what a state holds twice."""
    place, side, size = state.place.tolist(), state.side.tolist(), int(state.deck_size)
    deck = state.deck.tolist()
    return {
        "cards": sum(where != REMOVED for where in place[:CARDS]),
        "dogs": sum(where != REMOVED for where in place[DOG:]),
        "starting cards": place[KITTEN:OWN],
        "deck": sorted(card - 1 for card in deck[:size]) == [card for card, where in enumerate(place) if where == DECK],
        "below the deck": sum(deck[size:]),
        "organisations": [
            sorted(row[:count]) != [card for card in range(OWN) if place[card] == HELD + seat] or sum(row[count:])
            for seat, (row, count) in enumerate(zip(state.held.tolist(), state.held_count.tolist(), strict=True))
        ],
        "supply": state.offer.tolist()[: int(state.offer_count)] == [c for c in range(CARDS) if place[c] == SUPPLY],
        "dogs out": place[DOG:].count(KENNEL) - int(state.dogs_out),
        "sides": [card for card in range(OWN) if (place[card] >= HELD) != (side[card] > 0)],
        "marks elsewhere": sum(
            int(marks[card] != 0)
            for marks in (state.knocked, state.fresh, state.used, state.mark)
            for card in range(len(marks))
            if place[card] < HELD
        ),
        "contracts at other times": int(state.serves.sum() + state.verdict.sum()) if state.phase != CONTRACTS else 0,
    }


AUCTION = (
    "{} | anna ben | phase bid anna | round 3 | keeper anna | cash 2 1 | fund 4 2 | supply scratch ditto | "
    "cats ben:snoop | deck ginsu rex velvet | removed rest"
)
"""A bid, picks with a curiosity cat, and the end of a round."""
PICK = (
    "{catapults=8,gate=none} | anna ben cleo | phase pick anna | round 2 | keeper ben | cash 1 2 0 | supply scratch | "
    "cats anna:mangonel/attack+ditto+snoop ben:trebuchet/defence | houses cleo:ginsu | picked anna | "
    "deck twitch fang mumble | removed rest"
)
"""Every special: attack, copycat, trade, curiosity and its second kill."""
SETTLING = (
    "{retain_cost=2,upkeep=True,geography=True} | anna ben | phase contracts anna ben | round 2 | keeper ben | "
    "cash 1 0 | cats anna:scratch+tiger ben:sawtooth | houses anna:tango+lynx ben:slink | mark scratch:1 | "
    "picked anna ben | supply mumble twitch nightclaw | deck velvet lullaby | removed rest"
)
"""Contracts with upkeep, marks, a hold and houses that can be retained."""


def second(state: Any) -> int:
    """The card under the top of the deck."""
    return int(state.deck[int(state.deck_size) - 2]) - 1


FACTS = Facts(
    conserved=conserved,
    perft=(
        Perft(AUCTION, (3, 4, 30, 217)),
        Perft(PICK, (22, 97, 396, 1364)),
        Perft(SETTLING, (8, 17, 37, 76)),
    ),
    uniform=(Uniform(AUCTION.replace("velvet", "velvet mumble"), 0, second, {DOG: 1, 11: 1, 2: 1}),),
    short={"seats": 2, "dog_margin": 0, "start_cash": 1},
    defaults={
        "visible": "n+1",
        "deck_top": True,
        "start_cash": 5,
        "end": "dogs",
        "dog_margin": 3,
        "dog_bite": 3,
        "last_dog": "finish",
        "resume": "winner",
        "match": "favoured",
        "proximity": "clockwise",
        "pick_order": "pay-special-take",
        "take": "optional",
        "gate": "contribution",
        "copycat": "discard",
        "copy_limit": "unlimited",
        "trade_in": True,
        "unbought": "discard",
        "unbought_coin": 0,
        "starters": "pair",
        "start_sides": "plain",
        "copycats": 4,
        "curiosities": 4,
        "catapults": 0,
        "catapult_form": "double",
        "yarn": 0,
        "territories": 6,
        "territory_reading": "k-kill",
        "mog_moves": "round",
        "mog_holds": "all",
        "tithe": 1,
        "second_feed": False,
        "diss": "none",
        "final_favour": False,
        "retain_cost": 0,
        "upkeep": False,
        "geography": False,
        "early_boost": 0,
        "round_cap": 0,
        "keeper": None,
        "deck": "",
    },
    values={
        "start_cash": (0, 9),
        "dog_margin": (2,),
        "dog_bite": (1,),
        "unbought_coin": (2,),
        "tithe": (0, 3),
        "retain_cost": (2,),
        "early_boost": (3,),
        "round_cap": (4,),
        "copycats": (0, 2),
        "curiosities": (0, 2),
        "catapults": (4, 8),
        "yarn": (6,),
        "territories": (0, 3),
        "keeper": ("ben",),
        "deck": (SMALL_DECK,),
    },
    contexts={
        "dog_bite": ({"end": "dogs-vs-fund"},),
        "pick_order": ({"gate": "none"},),
        "gate": ({"copycats": 4},),
        "catapult_form": ({"catapults": 8},),
        "territory_reading": ({"territories": 6},),
        "keeper": ({"seats": 2},),
    },
    reveals=frozenset({"kept", "trashed"}),
    rules={
        "S1": "E118",
        "S2": "E131",
        "S3": "E59b",
        "S4": "E138",
        "S5": "test_syndicats.py::test_the_keeper_is_who_the_option_says_or_drawn",
        "S6": "conformance/replay.py::check_replay",
        "S7": "E138",
        "S8": "E131",
        "Y1": "E29",
        "Y2": "E33",
        "Y3": "E53",
        "Y4": "E30",
        "Y6": "E81",
        "Y7": "E88",
        "Y10": "E09",
        "Y11": "E06",
        "Y12": "E22",
        "Y13": "E25",
        "Y14": "E13",
        "Y17": "E23",
        "Y20": "E55",
        "Y22": "E37",
        "Y23": "E47",
        "Y28": "E65",
        "Y30": "E29",
        "Y32": "E75",
        "Y33": "E79",
        "Y37": "E86",
        "Y40": "E112",
        "Y41": "E92",
        "Y42": "E104",
        "Y43": "E88",
        "Y52": "E111",
        "Y53": "E109",
        "Y54": "E113",
        "Y57": "E122",
        "Y58": "E61",
        "Y59": "conformance/secrecy.py::check_twins",
        "Y60": "E03",
        "U01": "E108",
        "U79": "test_syndicats.py::test_a_capped_game_says_so",
        "U80": "test_syndicats.py::test_no_more_than_999_coins_can_be_named",
    },
)
