"""Catham City: worked examples, set-up, notation both ways, conservation, options, runs without compilation."""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom.engine import chance, rng
from backroom.engine.game import CAPPED, Refusal
from backroom.engine.match import Match
from backroom.engine.notation import complete
from backroom.engine.record import ALL_KNOWING, SPECTATOR
from backroom.engine.view import determinize
from backroom.games.catham import GAME, terminal
from backroom.games.catham.cards import BANK, LETTERS, SETS, tokens
from backroom.games.catham.options import CathamOptions
from backroom.games.catham.rules import ACTIONS, STATE
from backroom.text.examples import run_examples

NAMES = ("anna", "ben", "cleo", "dan", "eve", "finn")

OPTIONS = st.fixed_dictionaries(
    {"max_actions": st.just(150)},
    optional={
        "factions": st.sampled_from(["first", "calm", "raid", "random", "OSMHD", "JDMPH"]),
        "advanced": st.booleans(),
        "hands": st.sampled_from(["seats", "flat6", "flat8"]),
        "target": st.integers(5, 30),
        "detective_extra": st.sampled_from(["any", "other"]),
        "official_cards": st.sampled_from(["discard", "keep"]),
        "police_cards": st.sampled_from(["return", "discard"]),
        "journalist_match": st.sampled_from(["gift", "journalist"]),
        "end_check": st.sampled_from(["immediate", "after_effect"]),
        "first_player": st.just("random"),
    },
)


def random_play(match: Match, random: np.random.Generator, moves: int = 400) -> Iterator[int]:
    """Play random moves and yield the seat after each."""
    while not match.over and match.ply < moves:
        seat = match.acting[0]
        state, log = STATE.copy(match.state), GAME.events.new_log(recording=False)
        chosen: list[int] = []
        while not chosen or int(state.midmove) >> seat & 1:
            # Playing is preferred to taking, so that games end.
            legal = GAME.legal(state, seat)
            plays = legal[legal >= ACTIONS.take.stop]
            pool = plays if len(plays) and random.random() < 0.7 else legal
            chosen.append(int(random.choice(pool)))
            GAME.apply(state, seat, chosen[-1], log)
        match.play_actions(seat, chosen)
        yield seat


def without_chance(state: Any) -> bytes:
    bare = STATE.copy(state)
    bare.chance_key[:] = 0
    bare.chance_count[:] = 0
    return bytes(bare.tobytes())


def all_cards(state: Any) -> list[int]:
    piles = state.hand.sum(0) + state.market + state.discards + state.table + state.kept.sum(0)
    deck = np.bincount(state.deck[: int(state.deck_size)], minlength=len(LETTERS))
    return [int(count) for count in piles + deck]


# Examples


def test_all_worked_examples_pass() -> None:
    report = run_examples(GAME)
    assert not report.failed
    assert set(report.passed) >= {f"X{number:02}" for number in range(1, 48)}


@pytest.mark.parametrize(
    "lines",
    [
        "X SRDMH | A:SSM/0 B:HH/0 | mkt SSSDMRH | top RDM\n> anna take scientists => A:SSSSM/0; turn B",
        "X SRDMH | A:SSM/0 B:HH/0 | mkt SSSDMRH | top RDM\n> anna take scientists => A:SSSSSM/1; turn B",
        "X SRDMH | A:SSM/0 B:HH/0 | mkt SSSDMRH | top RDM\n> anna take scientists => A:SSSSSM/0; mkt DMRHRDD",
        "X SRDMH | A:SSM/0 B:HH/0 | mkt SSSDMRH | top RDM\n> anna take scientists => A:SSSSSM/0; turn A",
        "X SRDMH | A:SSM/0 B:HH/0 | mkt SSSDMRH | top RDM\n> anna take scientists => A:SSSSSM/0; disc S",
        "X SRDMH | A:SSM/0 B:HH/0 | mkt SSSDMRH | top RDM\n> anna take scientists => A:SSSSSM/0; deck 3",
        "X SRDMH | A:SSM/0 B:HH/0 | mkt SSSDMRH | deck RDMS\n> anna take scientists => A:SSSSSM/0; deckis R",
        "X SRDMH | A:SSM/0 B:HH/0 | mkt SSSDMRH | top RDM\n> anna take scientists => turn B",
        "X SRDMH | A:SSM/0 B:HH/0 | mkt SSSDMRH | top RDM\n> anna take scientists => A:SSSSSM/0; weather fine",
        "X SRDMH | A:SSM/0 B:HH/0\n> anna play scientists !! E_COUNT",
        "X SRDMH | A:SSS/0 B:HH/0\n> anna play scientists !! E_HOLD",
        "X SRDMH | A:HH/0 B:MM/0\n> anna hack ben x2 {lay SS} => turn B",
        "X SRDMH | A:HH/0 B:MM/0\n> anna hack ben x2 {lay H} => turn B",
        "X SRDMH | A:SSS/0 B:MM/0 | top RR\n> anna play scientists {shuf MM} => A:RR/2; turn B",
        "X SRDMH | A:SSS/0 B:MM/0 | top RR\n> anna play scientists {roll 6} => A:RR/2; turn B",
        "X SRDMH | A:SSS/0 B:MM/0 | top RR\n> zoe play scientists => A:RR/2; turn B",
        "X SRDMH | A:SSS/0 B:MM/0 | top RR",
        "X SRDMH | A:SSX/0 B:MM/0\n> anna take s x1 => turn B",
        "X SRDMH {target=9, target=20} | A:SSS/0 B:MM/0 | top RR\n> anna play scientists => A:RR/2; turn B",
        "X SRDMH | A:SSS/0 B:MM/0 | top RR\n> anna play scientists {} => A:RR/2; turn B",
        "X SRDMH | A:SSS/0 B:MM/0 | top RR\n> anna play scientists {shuf " + 300 * "M" + "} => A:RR/2; turn B",
        "X SRDMH | A:SSS/0 B:MM/0 | top RR\n> anna play scientists" + 99 * " {shuf M}" + " => A:RR/2; turn B",
        "X JSDMH | A:S/0 B:JJ/0 C:SS/0 | ask C gift | active B\n> cleo decline",
        "X JSDMH | A:S/0 B:JJ/0 C:SS/0 | ask C gift | active B\n> cleo decline => known",
        "X nonsense\n> anna take s x1 => turn B",
        "> anna take s x1 => turn B",
    ],
)  # fmt: skip
def test_the_runner_notices_what_is_wrong(lines: str) -> None:
    (example,) = GAME.notation.examples(GAME, lines)
    assert example.check()


def test_blocks_of_something_else_hold_no_example() -> None:
    for block in (
        "$ backroom play catham | tee log",
        "KX03 | A:0 B:0 C:0\n> 1 3 5 => +1 3 5",
        "DX10 | A:ASC B:ASC\n> A swap a5 b5 => A:1,3,5,7,10d B:1,3,5,7,10d; turn B",
    ):
        assert not list(GAME.notation.examples(GAME, block)), block
    (example,) = GAME.notation.examples(GAME, "X SRDM | A:SSS B:MM/0\n> zoe take s => turn B")
    assert len(example.check()) == 1


def test_every_error_code_of_the_specification_is_shown_by_an_example() -> None:
    shown = set(re.findall(r"!! (E_\w+)", GAME.file("examples.txt").read_text("utf-8")))
    assert shown == {
        "E_OVER", "E_ACTOR", "E_SYNTAX", "E_PASS", "E_PHASE", "E_FACTION", "E_COUNT", "E_EXTRA", "E_HOLD", "E_MARKET",
        "E_POINTS", "E_TARGET",
    }  # fmt: skip


def test_every_rule_an_event_names_stands_in_the_rulebook() -> None:
    from backroom.games.catham import story

    rulebook = GAME.file("rulebook.md").read_text("utf-8")
    used = set(story.RULES.values()) | {"C1", "C2", "C3", "C4", "C5", "C10", "C25", "C29", "CR43"}
    numbers = [f"C{n}" for n in (*range(1, 12), *range(20, 34))] + [f"CR{n}" for n in range(1, 45)]
    for rule in used | set(numbers):
        assert re.search(rf"^(### |\*\*){rule} ", rulebook, re.MULTILINE), rule


# Set-up


@pytest.mark.parametrize(
    ("players", "dealt", "deck", "target"),
    [(2, 12, 56, 16), (3, 19, 49, 16), (4, 26, 42, 13), (5, 34, 34, 13), (6, 42, 26, 13)],
)
def test_s1_set_up_by_number_of_players(players: int, dealt: int, deck: int, target: int) -> None:
    state = Match.new(GAME, NAMES[:players], seed=1).state
    assert (int(state.hand.sum()), int(state.deck_size), int(state.target)) == (dealt, deck, target)
    assert state.hand_size[:players].tolist() == [6, 6, 7, 7, 8, 8][:players]
    assert int(state.market.sum()) == 7
    assert not state.discards.any()
    assert not state.points.any()
    assert int(state.acting) == 1


def test_s2_flat_hands() -> None:
    assert int(Match.new(GAME, NAMES, {"hands": "flat7"}, seed=1).state.hand.sum()) == 42
    assert Match.new(GAME, NAMES, {"hands": "flat8"}, seed=1).state.hand_size.tolist() == [8] * 6


@pytest.mark.parametrize(
    ("players", "options"),
    [
        ((*NAMES, "gus"), {}),
        (("anna",), {}),
        (("anna", "ANNA"), {}),
        (("anna", "ben  two"), {}),
        (NAMES[:3], {"factions": "SRDM"}),
        (NAMES[:3], {"factions": "SRDMM"}),
        (NAMES[:3], {"factions": "SRDMX"}),
        (NAMES[:3], {"target": 4}),
        (NAMES[:3], {"target": 31}),
        (NAMES[:3], {"first_player": "zoe"}),
        (NAMES[:3], {"hands": "flat9"}),
        (NAMES[:3], {"weather": "fine"}),
    ],
)
def test_s3_bad_set_ups_are_refused(players: tuple[str, ...], options: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        Match.new(GAME, players, options, seed=1)
    assert refused.value.code == "E_SETUP"


def test_s4_factions_first_is_srdmh_and_random_reaches_many_sets() -> None:
    def letters(**options: Any) -> str:
        return "".join(
            LETTERS[f] for f in Match.new(GAME, NAMES[:2], options, seed=options.pop("seed", 1)).state.factions
        )

    assert letters(factions="first") == letters() == "SRDMH"
    assert letters(factions="calm") == "JDOSR"
    assert letters(factions="raid") == "JDMPH"
    assert letters(factions="osmhd") == "OSMHD"
    assert len(SETS) == 56
    drawn = {tuple(Match.new(GAME, NAMES[:2], {"factions": "random"}, seed=seed).state.factions) for seed in range(300)}
    assert len(drawn) > 50
    assert drawn <= {tuple(row) for row in SETS}


def test_s5_points_are_shown_as_fives_and_ones() -> None:
    assert tokens(13) == (2, 3)
    assert [tokens(points) for points in (0, 4, 5, 16)] == [(0, 0), (0, 4), (1, 0), (3, 1)]
    # At the standard targets the tokens in the box suffice: nobody but the winner has reached the target.
    for players, target in ((2, 16), (3, 16), (4, 13), (5, 13), (6, 13)):
        for others in range(target):
            held = [tokens(target + 4), *[tokens(others)] * (players - 1)]
            assert sum(fives for fives, _ in held) * 5 + sum(ones for _, ones in held) <= BANK
    match = Match.new(GAME, NAMES[:4], seed=4)
    for _ in random_play(match, np.random.default_rng(4)):
        held = [tokens(int(points)) for points in match.state.points[:4]]
        assert sum(5 * fives + ones for fives, ones in held) == int(match.state.points.sum()) <= BANK


def test_first_player_rotates_the_seats() -> None:
    assert Match.new(GAME, NAMES[:4], {"first_player": "Cleo"}, seed=1).names == ("cleo", "dan", "anna", "ben")
    begun = {Match.new(GAME, NAMES[:4], {"first_player": "random"}, seed=seed).names[0] for seed in range(60)}
    assert begun == set(NAMES[:4])


# Properties over random play


@given(seed=st.integers(0, 10**6), players=st.integers(2, 6), options=OPTIONS)
@settings(max_examples=25, deadline=None)
def test_moves_and_positions_read_back_and_cards_are_kept(seed: int, players: int, options: dict[str, Any]) -> None:
    match = Match.new(GAME, NAMES[:players], options, seed=seed)
    in_play = [15 if f in match.state.factions else 0 for f in range(len(LETTERS))]
    for seat in random_play(match, np.random.default_rng(seed), 120):
        move, before, after = match.moves[-1], match.at(match.ply - 1), match.state
        view = STATE.view(before, seat)
        assert GAME.notation.parse_move(GAME, view, seat, move.text, match.names) == list(move.actions)
        assert complete(GAME, view, seat, move.text, match.names).actions == move.actions
        assert GAME.notation.preview(GAME, view, seat, move.actions, match.names)
        line = GAME.notation.position(after, match.names, ALL_KNOWING)
        again, names = GAME.notation.parse_position(GAME, line)
        assert without_chance(again) == without_chance(after), line
        assert names == match.names
        assert all_cards(after) == in_play
        assert (after.known <= after.hand).all()
        assert after.hand.sum(1).tolist() == after.hand_size.tolist()
        assert (after.kept.sum(1) <= after.points).all()
        assert not after.scratch.any()
        for other in range(players):
            assert GAME.legal(STATE.view(after, other), other).tolist() == GAME.legal(after, other).tolist()
    # Every event can be told to everybody.
    for viewer in (SPECTATOR, 0, players - 1):
        assert all(re.fullmatch(r"[^\n]+\.", line.text) for _, line in match.lines(viewer))
    assert Match.loads(match.dumps()).chain == match.chain


@given(seed=st.integers(0, 10**6), players=st.integers(2, 6), options=OPTIONS)
@settings(max_examples=15, deadline=None)
def test_imagined_states_are_possible(seed: int, players: int, options: dict[str, Any]) -> None:
    match = Match.new(GAME, NAMES[:players], options, seed=seed)
    random = rng.generator(seed)
    for _ in random_play(match, np.random.default_rng(seed), 40):
        for viewer in (SPECTATOR, 0, players - 1):
            view = match.view(viewer)
            imagined = determinize(GAME, view, viewer, random)
            assert STATE.view(imagined, viewer).tobytes() == view.tobytes()
            assert all_cards(imagined) == all_cards(match.state)
            assert (imagined.known <= imagined.hand).all()
            hidden = GAME.notation.position(view, match.names, viewer)
            assert hidden == GAME.notation.position(imagined, match.names, viewer)
            assert hidden == GAME.notation.position(match.state, match.names, viewer)
            with pytest.raises(Refusal, match="hidden"):
                GAME.notation.parse_position(GAME, hidden)


@given(seed=st.integers(0, 10**6), players=st.integers(2, 6), options=OPTIONS)
@settings(max_examples=10, deadline=None)
def test_defaults_are_legal_and_reach_the_guard(seed: int, players: int, options: dict[str, Any]) -> None:
    match = Match.new(GAME, NAMES[:players], options | {"max_actions": 25}, seed=seed)
    random = np.random.default_rng(seed)
    for _ in random_play(match, random, 30):
        if not match.over and random.random() < 0.7:
            seat = match.acting[0]
            match.play_actions(seat, match.default_actions(seat))
    while not match.over:
        match.play_actions(match.acting[0], match.default_actions(match.acting[0]))
    assert match.state.over == CAPPED or int(match.state.winner) >= 0


def test_with_an_empty_market_the_default_is_a_play_and_the_game_goes_on() -> None:
    # Kept officials leave the round (CR20), so with many of them the market can be empty.
    head = "OSMHD {official_cards=keep} | A:OSS/3 B:HMM/0 | mkt - | deck - | disc - | kept A:SD"
    match = Match.from_position(GAME, head)
    match.play_actions(0, match.default_actions(0))
    assert match.moves[-1].text == "play officials x1"
    assert not match.over
    assert int(match.state.market.sum()) == 1
    match = Match.from_position(GAME, head.replace("A:OSS", "A:SS") + " | turn B")
    match.play_actions(1, match.default_actions(1))
    assert match.moves[-1].text == "play hackers x1 > anna"


def test_imagined_hands_are_uniform_over_unseen_cards() -> None:
    # Anna sees everything but Ben's one card and a deck of three: S S D M. So Ben holds S in half of the cases.
    state, _ = GAME.notation.parse_position(GAME, "SRDMH | A:-/0 B:S/0 | mkt RRRRRRR | deck SDM | disc -")
    state.discards[:] = 15 * np.isin(np.arange(8), state.factions) - np.array(all_cards(state))
    view = STATE.view(state, 0)
    random = rng.generator(5)
    found = np.zeros(8)
    for _ in range(2000):
        found += determinize(GAME, view, 0, random).hand[1]
    shares = dict(zip(LETTERS, found / 2000, strict=True))
    assert abs(shares["S"] - 0.5) < 0.05
    assert abs(shares["D"] - 0.25) < 0.05
    assert abs(shares["M"] - 0.25) < 0.05


# Options bite


def after(line: str, *moves: str) -> Any:
    """The state after moves from a position, each written ``name move``."""
    state, names = GAME.notation.parse_position(GAME, line)
    chance.set_key(state, chance.match_seed(3))
    for text in moves:
        name, _, words = text.partition(" ")
        seat = names.index(name)
        log = GAME.events.new_log()
        for action in GAME.notation.parse_move(GAME, STATE.view(state, seat), seat, words, names):
            GAME.apply(state, seat, action, log)
    return state


@pytest.mark.parametrize(
    ("option", "rest", "moves"),
    [
        ("advanced", "A:SS/0 B:HH/0", ["anna take m x1"]),
        ("target=5", "A:SSS/3 B:HH/0", ["anna play s"]),
        ("official_cards=keep", "A:OO/0 B:SS/0", ["anna play o x2"]),
        ("police_cards=discard", "A:PPM/0 B:MMM/0", ["anna play p x2 + m"]),
        ("journalist_match=journalist", "A:JJ/0 B:JJSS/0", ["anna play j", "ben give s"]),
        ("end_check=after_effect", "A:JJ/14 B:SS/0", ["anna play j"]),
        ("max_actions=1", "A:SS/0 B:HH/0", ["anna take m x1"]),
    ],
)
def test_every_switch_of_play_makes_a_difference(option: str, rest: str, moves: list[str]) -> None:
    letters = "JOSPM" if option.split("_")[0] in ("official", "police", "journalist", "end") else "SRDMH"
    plain = GAME.notation.position(after(f"{letters} | {rest}", *moves), NAMES[:2], ALL_KNOWING)
    switched = GAME.notation.position(after(f"{letters} {{{option}}} | {rest}", *moves), NAMES[:2], ALL_KNOWING)
    assert switched.replace(f" {{{option}}}", "") != plain


def test_detective_extra_other_forbids_a_fourth_detective() -> None:
    assert after("SRDMH | A:DDDD/0 B:HH/0", "anna play d + d").points[0] == 3
    with pytest.raises(Refusal) as refused:
        after("SRDMH {detective_extra=other} | A:DDDD/0 B:HH/0", "anna play d + d")
    assert refused.value.code == "E_EXTRA"


def test_option_fields_say_what_they_do_and_where_they_come_from() -> None:
    for name, field in CathamOptions.model_fields.items():
        assert field.description, name
        extra = field.json_schema_extra
        assert isinstance(extra, dict)
        assert extra["source"], name


# Secrets


def test_a_gift_is_private_under_journalist_match_journalist() -> None:
    state, names = GAME.notation.parse_position(
        GAME, "JSDMH {journalist_match=journalist} | A:JJ/0 B:SJ/0 C:SS/0 D:MM/0"
    )
    log = GAME.events.new_log()
    for seat, words in ((0, "play j"), (1, "give s")):
        for action in GAME.notation.parse_move(GAME, STATE.view(state, seat), seat, words, names):
            GAME.apply(state, seat, action, log)
    gave = next(event for event in GAME.events.read(log) if event.kind == "gave")
    told = {
        viewer: GAME.notation.describe(gave.seen_by(viewer), names, viewer)
        for viewer in (SPECTATOR, 0, 1, 2, ALL_KNOWING)
    }
    texts = {viewer: line.text for viewer, line in told.items() if line is not None}
    assert texts[0] == "ben gave you a scientist and discarded a journalist for 1 point."
    assert texts[1] == "You gave anna a scientist and discarded a journalist for 1 point."
    assert texts[ALL_KNOWING] == "ben gave anna a scientist and discarded a journalist for 1 point."
    assert texts[2] == texts[SPECTATOR] == "ben gave anna a card and discarded a journalist for 1 point."
    action = int(ACTIONS.give.encode(3))
    before, _ = GAME.notation.parse_position(
        GAME, "JSDMH {journalist_match=journalist} | A:-/2 B:SJ/0 C:SS/0 | ask B gift | active A | table JJ"
    )
    seen = GAME.kernels["seen"]
    assert seen(before, 1, action, 0) == seen(before, 1, action, 1) == action
    assert seen(before, 1, action, 2) == seen(before, 1, int(ACTIONS.give.encode(1)), 2)


def test_drawn_cards_are_told_to_their_owner_only() -> None:
    match = Match.new(GAME, NAMES[:2], seed=1)
    dealt = [line.text for _, line in match.lines(0) if "dealt" in line.text]
    assert len(dealt) == 1
    assert dealt[0].startswith("You were dealt ")
    assert not [line for _, line in match.lines(SPECTATOR) if "dealt" in line.text]


def test_a_declined_gift_reads_the_same_with_and_without_a_pair() -> None:
    lines = []
    for hand in ("SS", "SH"):
        state, names = GAME.notation.parse_position(
            GAME, f"JSDMH | A:-/2 B:{hand}/0 | ask B gift | active A | table JJ"
        )
        log = GAME.events.new_log()
        GAME.apply(state, 1, ACTIONS.decline.first, log)
        lines.append([GAME.notation.describe(event.seen_by(0), names, 0) for event in GAME.events.read(log)])
    assert lines[0] == lines[1]


# Text


def test_moves_may_be_shortened() -> None:
    state, names = GAME.notation.parse_position(GAME, "JPMHS | A:PPPHHJSS/0 B:JHMM/0")
    view = STATE.view(state, 0)
    for short, whole in (
        ("TAKE s", "take scientists"),
        ("play p x3+j>ben", "play police x3 + journalists > ben"),
        ("play pol x3 + journ", "play police x3 + journalists > ben"),
        ("hack BEN x2", "play hackers x2 > ben"),
        ("play h x2", "play hackers x2 > ben"),
    ):
        read = GAME.notation.parse_move(GAME, view, 0, short, names)
        assert read == GAME.notation.parse_move(GAME, view, 0, whole, names)


def test_completion_offers_the_words_of_legal_moves() -> None:
    state, names = GAME.notation.parse_position(GAME, "SRDMH | A:DDDMM/0 B:HH/0 C:HH/0 | mkt SSSDMRH")
    view = STATE.view(state, 0)

    def words(prefix: str) -> list[str]:
        return [token.text for token in complete(GAME, view, 0, prefix, names).tokens]

    assert words("") == ["take", "play"]
    assert words("play") == ["detectives"]
    assert words("play detectives") == ["+ mafia"]
    assert words("take scientists") == ["x1", "x2"]
    assert complete(GAME, view, 0, "take scientists", names).actions == (int(ACTIONS.take.encode(3, 2)),)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "SRDMH",
        "SRDM | A:S/0 B:H/0",
        "SRDMM | A:S/0 B:H/0",
        "SRDMH | A:S/0",
        "SRDMH | A:S/0 C:H/0",
        "SRDMH | A:J/0 B:H/0",
        "SRDMH {weather} | A:S/0 B:H/0",
        "SRDMH {target=3} | A:S/0 B:H/0",
        "SRDMH {factions=calm} | A:S/0 B:H/0",
        "SRDMH | A:S/16 B:H/0",
        "SRDMH | A:SSSSSSSSSSS/0 B:H/0",
        "SRDMH | A:S/0 B:H/0 | mkt SSSSSSSSSSSSSSSS",
        "SRDMH | A:S/0 B:H/0 | mkt SSSSSSSS",
        "SRDMH | A:S/0 B:H/0 | ask A gift",
        "SRDMH | A:S/0 B:H/0 | ask B match",
        "SRDMH | A:S/0 B:H/0 | ask B limit",
        "SRDMH | A:S/0 B:H/0 | turn C",
        "SRDMH | A:S/0 B:H/0 | turn A2",
        "SRDMH | A:S/0 B:H/0 | over B",
        "SRDMH | A:S/0 B:H/0 | known A:H",
        "SRDMH | A:S/0 B:H/0 | kept A:H",
        "SRDMH | A:S/0 B:H/0 | deck S | top S",
        "SRDMH | A:S/0 B:H/0 | deck S | deck S",
        "SRDMH | A:S/0 B:H/0 | names a",
        "SRDMH | A:S/0 B:H/0 | names a A",
        "SRDMH | A:S/0 B:H/0 | rotation 2",
        "SRDMH | A:S/0 B:H/0 | turns x",
        "SRDMH | A:?3/0 B:H/0",
        "SRDMH | A:S/0 B:H/0 | deck ?40",
        "SRDMH | A:S/0 B:H/0 | table SS",
        "SRDMH | A:S/0 B:H/0 | weather fine",
        "SRDMH | A:S/0 B:H/0 | turn A | ask B gift",
        "SRDMH | A:S/0 B:-/0 | ask B mafia",
        "SRDMH {max_actions=3} | A:S/0 B:H/0 | actions 3",
    ],
)
def test_positions_that_cannot_be_are_refused(line: str) -> None:
    with pytest.raises(Refusal) as refused:
        GAME.notation.parse_position(GAME, line)
    assert refused.value.code == "E_POSITION"
    assert "\n" not in str(refused.value)


@given(text=st.text("take plysconhf x123+> discardmt|{}:/-?AB", max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    state, names = GAME.notation.parse_position(GAME, "SRDMH | A:SSDDDMHH/0 B:HH/0")
    with contextlib.suppress(Refusal):
        actions = GAME.notation.parse_move(GAME, STATE.view(state, 0), 0, text, names)
        assert set(actions) <= set(GAME.legal(state, 0).tolist())
    with pytest.raises(Refusal, match=r"^E_POSITION: [^\n]+$"):
        GAME.notation.parse_position(GAME, text)


def test_the_examples_line_is_a_position() -> None:
    state, names = GAME.notation.parse_position(GAME, "SRDMH {advanced} | A:SSM/0 B:HH/3 | mkt SSSDMRH | top RDM")
    assert names == ("anna", "ben")
    line = GAME.notation.position(state, names, ALL_KNOWING)
    assert line.startswith("SRDMH {advanced} | A:SSM/0 B:HH/3 | mkt SSSRDMH | deck RDM")
    assert line.endswith("| disc - | turn A")
    assert GAME.notation.position(state, names, 1).split(" | ")[1:4] == ["A:?3/0 B:HH/3", "mkt SSSRDMH", "deck ?63"]


def test_simulations_are_guarded_and_games_of_people_are_not() -> None:
    assert CathamOptions().max_actions is None
    assert CathamOptions.build(CathamOptions.simulation_defaults(2)).max_actions == 2000


# Compiled and uncompiled

CHAINS = """
import numpy as np
from backroom.engine.match import Match
from backroom.games.catham import GAME
for seed, options in enumerate(({}, {"factions": "raid"}, {"factions": "random", "official_cards": "keep"},
        {"factions": "JOPHD", "journalist_match": "journalist", "police_cards": "discard", "advanced": True})):
    match = Match.new(GAME, ["anna", "ben", "cleo"], options | {"max_actions": 60}, seed=seed)
    random = np.random.default_rng(seed)
    while not match.over:
        seat = match.acting[0]
        if random.random() < 0.2:
            match.play_actions(seat, match.default_actions(seat))
            continue
        legal = [a for a in GAME.legal(match.state, seat).tolist() if GAME.actions.family(a).name != "discard"]
        match.play_actions(seat, [int(random.choice(legal))] if legal else match.default_actions(seat))
    value = sum(GAME.kernels["evaluate"](match.at(ply), 1) for ply in range(match.ply))
    print(match.chain[-1], match.ply, f"{value:.9f}", GAME.outcome(match.state))
"""


def test_runs_are_equal_without_compilation() -> None:
    outputs = []
    for setting in ("1", "0"):
        done = subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-c", CHAINS], env=os.environ | {"BACKROOM_JIT": setting},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    assert len(outputs[0].splitlines()) == 4
    assert outputs[0] == outputs[1]


def test_the_terminal_says_who_has_the_turn_until_the_game_is_over() -> None:
    match = Match.from_position(GAME, "SRDMH | A:SSS/14 B:HH/0 | mkt RRRRRRR | deck D")
    rows = {row.heading: row.line for row in terminal.rows(match.view(1), 1, match.names)}
    assert rows["anna"].text == "14 of 16 points, 3 cards, has the turn"
    assert rows["deck"].text == "1 card"
    match.play(0, "play scientists")
    assert match.over
    rows = {row.heading: row.line for row in terminal.rows(match.state, 1, match.names)}
    assert rows["anna"].text == "16 of 16 points, 0 cards"
    assert rows["your points"].text == "0 of 16"


def test_cards_are_laid_out_from_the_fullest_hand_there_can_be() -> None:
    # Ten hackers and four that come into the hand: more of one faction than the hand limit.
    for seed in range(40):
        state, _ = GAME.notation.parse_position(GAME, "SRDMH | A:HHHH/0 B:HHHHHHHHHD/0 | mkt SSSDMRS")
        chance.set_key(state, chance.match_seed(seed))
        before = all_cards(state)
        action = ACTIONS.hackers.encode(1, 3)
        assert action in GAME.legal(state, 0)
        GAME.apply(state, 0, action, GAME.events.new_log())
        assert all_cards(state) == before
        assert state.hand.min() == 0
        assert int(state.points[0]) + int(state.hand[0].sum()) == 4
