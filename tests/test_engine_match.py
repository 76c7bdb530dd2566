"""Matches: whole moves or none, the hash chain, undo, looking back, export and import, and files that were edited."""

import copy
import dataclasses
import hashlib
import json
import pickle
import random
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom.conformance.play import play_on, refusal_of, registered
from backroom.engine import chance
from backroom.engine.game import Refusal, check_players, find_game, game_names, seats_in
from backroom.engine.match import Match
from backroom.engine.options import Options
from backroom.engine.record import ALL_KNOWING, SPECTATOR
from toys.bazaar import GAME
from toys.bazaar.rules import ACTIONS, DECLINE, DRAW, SELL, STAY

NAMES = ["anna", "ben", "cleo"]


@pytest.fixture(autouse=True)
def _bazaar_is_installed() -> Iterator[None]:
    with registered(GAME):
        yield


def played(plies: int = 20, seed: int = 3) -> Match:
    match = Match.new(GAME, NAMES, seed=seed)
    for _ in play_on(match, random.Random(seed), plies):
        pass
    return match


def code_of(call: Any, *args: Any) -> str | None:
    problem = refusal_of(lambda: call(*args))
    return None if problem is None else problem.code


def test_a_match_is_the_fold_of_its_moves() -> None:
    match = played()
    again = Match.new(GAME, NAMES, seed=3)
    for move in match.moves:
        again.play(move.seat, move.text)
    assert again.state.tobytes() == match.state.tobytes()
    assert again.chain == match.chain
    assert Match.new(GAME, NAMES, seed=4).chain[0] != match.chain[0]
    assert Match.new(GAME, NAMES, {"target": 7}, seed=3).chain[0] != match.chain[0]


def test_hash_chain_can_be_recomputed() -> None:
    match = played(6)
    text = f'bazaar 1 {json.dumps(match.options.model_dump(), sort_keys=True)} ["anna", "ben", "cleo"]'
    link = hashlib.sha256(f" {text} ".encode() + match.at(0).tobytes()).hexdigest()
    assert match.chain[0] == link
    for ply, move in enumerate(match.moves, 1):
        told = f"{link} {move.seat} {move.actions} {move.text} ".encode()
        link = hashlib.sha256(told + match.at(ply).tobytes()).hexdigest()
        assert match.chain[ply] == link


def test_moves_are_accepted_whole_or_not_at_all() -> None:
    match = Match.new(GAME, NAMES, seed=3)
    before = match.state.tobytes(), match.dumps()
    first = int(GAME.legal(match.state, 0)[-1])
    assert ACTIONS.family(first).name == "offer"
    for seat, actions, code in [
        (0, [], "E_COUNT"),
        (0, [SELL + 2], "E_COUNT"),
        (0, [SELL + 2, STAY], "E_ILLEGAL"),
        (0, [DRAW, DRAW], "E_COUNT"),
        (0, [DECLINE], "E_ILLEGAL"),
        (0, [-1], "E_ILLEGAL"),
        (0, [10**6], "E_ILLEGAL"),
        (1, [DRAW], "E_ACTOR"),
        (-1, [DRAW], "E_ACTOR"),
        (7, [DRAW], "E_ACTOR"),
    ]:
        assert code_of(match.play_actions, seat, actions) == code, actions
        assert (match.state.tobytes(), match.dumps()) == before
    move = match.play_actions(0, [SELL + 2, *match_cards(match)])
    assert len(move.actions) == 4
    assert move.text.startswith("sell x3 ")


def match_cards(match: Match) -> list[int]:
    """The three cards of the first hand as picks, ascending."""
    return [ACTIONS.pick.first + kind for kind in range(4) for _ in range(int(match.state.hand[0, kind]))]


def test_nothing_is_played_after_the_end() -> None:
    match = played(500)
    assert match.over
    assert match.acting == []
    assert code_of(match.play_actions, 0, [STAY]) == "E_OVER"
    assert code_of(match.play, 0, "stay") == "E_OVER"
    assert sorted(GAME.outcome(match.state)[1])[0] == 1


def test_undo_takes_back_the_last_move_only() -> None:
    match = played(20)
    dumps = match.dumps()
    last = match.moves[-1]
    state = match.state.tobytes()
    assert match.undo() == last
    assert match.ply == 19
    assert match.state.tobytes() == match.at(19).tobytes()
    assert match.play_actions(last.seat, last.actions) == last
    assert (match.dumps(), match.state.tobytes()) == (dumps, state)
    while match.ply:
        match.undo()
    assert match.dumps() == Match.new(GAME, NAMES, seed=3).dumps()
    assert code_of(match.undo) == "E_PLY"


@pytest.mark.parametrize("made", [copy.copy, copy.deepcopy], ids=["copy", "deepcopy"])
def test_a_copy_is_a_match_of_its_own(made: Callable[[Match], Match]) -> None:
    match, same = played(12), played(12)
    one, two = made(match), made(match)
    assert one.game is match.game
    for changed, kept in ((one, match), (match, two)):
        for _ in play_on(changed, random.Random(8), 5):
            pass
        while changed.ply > 10:
            changed.undo()
        changed.state.coins[0] = 99
        assert (kept.dumps(), kept.state.tobytes()) == (same.dumps(), same.state.tobytes())
        assert all(kept.at(ply).tobytes() == same.at(ply).tobytes() for ply in range(13))


@pytest.mark.parametrize("name", game_names())
def test_a_match_and_its_game_can_be_pickled(name: str) -> None:
    game = find_game(name)
    assert pickle.loads(pickle.dumps(game)) is game
    match = Match.new(game, NAMES[: game.seats[0]] if game.seats[0] <= 3 else NAMES, seed=1)
    for _ in play_on(match, random.Random(1), 6):
        pass
    again = pickle.loads(pickle.dumps(match))
    assert again.game is game
    assert (again.dumps(), again.state.tobytes()) == (match.dumps(), match.state.tobytes())
    for one in (match, again):
        seat = one.acting[0]
        one.play_actions(seat, one.default_actions(seat))
        one.undo()
    assert again.lines(ALL_KNOWING) == match.lines(ALL_KNOWING)


def test_a_game_that_is_not_installed_is_not_pickled_as_another() -> None:
    with pytest.raises(pickle.PicklingError, match="not the installed one"):
        pickle.dumps(GAME)
    with pytest.raises(pickle.PicklingError, match="not the installed one"):
        pickle.dumps(dataclasses.replace(find_game("catham"), version="0"))


def test_a_refusal_keeps_its_code_and_words_from_one_process_to_another() -> None:
    problem = Refusal("E_BOT", "no bot")
    again = pickle.loads(pickle.dumps(problem))
    assert (again.code, again.message, str(again)) == (problem.code, problem.message, str(problem))


def test_actions_are_taken_from_any_sequence_of_whole_numbers() -> None:
    match = Match.new(GAME, NAMES, seed=3)
    actions = [SELL + 2, *match_cards(match)]
    plain = match.play_actions(0, actions)
    for sequence in (
        tuple(actions), np.array(actions), np.array(actions, np.uint8), [np.int16(action) for action in actions],
        iter(actions), deque(actions),
    ):  # fmt: skip
        match.undo()
        move = match.play_actions(0, sequence)
        assert move == plain
        assert [type(action) for action in move.actions] == [int] * len(actions)
    match.undo()
    before = match.dumps()
    for wrong in (
        [True], [float(DRAW)], np.array([DRAW], np.float64), np.array([True]), np.array([[DRAW]]), str(DRAW),
        [str(DRAW)], [None], DRAW, None, [[DRAW]],
    ):  # fmt: skip
        assert code_of(match.play_actions, 0, wrong) == "E_ILLEGAL", wrong
    assert match.dumps() == before


def test_legal_actions_are_written_where_one_wants_them() -> None:
    match = Match.new(GAME, NAMES, seed=3)
    out = np.full(GAME.actions.count, -1, np.int32)
    for seat in range(3):
        found = GAME.legal(match.state, seat)
        assert bool(len(found)) == (seat in match.acting)
        assert GAME.legal(match.state, seat, out).tolist() == found.tolist()
        assert out[: len(found)].tolist() == found.tolist()
    with pytest.raises(ValueError, match="room for 1 actions"):
        GAME.legal(match.state, 0, out[:1])


def test_looking_back_gives_copies() -> None:
    match = played(10)
    for ply in range(11):
        match.at(ply).coins[0] = 99
    assert int(match.at(10).coins[0]) != 99
    assert match.at(10).tobytes() == match.state.tobytes()
    for ply in (-1, 11):
        assert code_of(match.at, ply) == "E_PLY"


def test_defaults_are_whole_legal_moves_and_change_nothing() -> None:
    match = played(5)
    before = match.state.tobytes()
    for seat in match.acting:
        actions = match.default_actions(seat)
        assert match.state.tobytes() == before
        match.play_actions(seat, actions)


def test_log_is_told_to_each_viewer_and_from_any_ply() -> None:
    match = played(12)
    full = match.lines(SPECTATOR)
    assert [ply for ply, _ in full] == sorted(ply for ply, _ in full)
    assert full[0][0] == 0
    for since in range(13):
        assert match.lines(SPECTATOR, since) == [entry for entry in full if entry[0] >= since]
    own = [line.text for ply, line in match.lines(1) if ply == 0 and line.text.startswith("You draw")]
    others = [line.text for ply, line in match.lines(0) if ply == 0 and line.text.startswith("ben draws")]
    everything = [line.text for ply, line in match.lines(ALL_KNOWING) if ply == 0 and line.text.startswith("ben draws")]
    assert len(own) == 3
    assert others == ["ben draws a card"] * 3
    assert [text.removeprefix("ben draws") for text in everything] == [text.removeprefix("You draw") for text in own]
    assert "a card" not in " ".join(own)


def test_asked_still_until_one_has_answered() -> None:
    match = Match.new(GAME, ["anna", "ben"], seed=1)
    match.play(0, "stay")
    match.play(1, "stay")
    assert match.acting == [0, 1]
    asked = match.ply
    match.play(1, "bid 0")
    assert match.still_asked(0, asked)
    assert not match.still_asked(1, asked)
    assert not match.still_asked(0, 0)
    assert not match.still_asked(0, asked + 5)
    assert not match.still_asked(0, -1)


def test_names_and_seats() -> None:
    match = Match.new(GAME, NAMES, seed=1)
    assert [match.seat_of(name) for name in ("anna", "BEN", "Cleo")] == [0, 1, 2]
    assert code_of(match.seat_of, "dan") == "E_ACTOR"
    assert seats_in(0b10110) == [1, 2, 4]


@pytest.mark.parametrize(
    "players",
    [
        ["a"],
        [*"abcde"],
        ["a", "A"],
        ["a", ""],
        ["a", "b  c"],
        ["a", "b\n"],
        ["a", "e\u0301"],
        ["a", "b|"],
        ["b c", "B_c"],
    ],
)
def test_players_that_cannot_be(players: list[str]) -> None:
    assert code_of(check_players, players, GAME.seats) == "E_SETUP"
    assert code_of(Match.new, GAME, players) == "E_SETUP"


def test_unknown_game() -> None:
    assert code_of(find_game, "no such game") == "E_SETUP"
    assert game_names() == sorted(game_names())


def test_export_and_import() -> None:
    for plies in (0, 1, 7, 500):
        match = played(plies)
        found = Match.loads(match.dumps())
        assert found.chain == match.chain
        assert found.moves == match.moves
        assert found.lines(1) == match.lines(1)
        assert Match.loads(match.dumps().encode()).dumps() == match.dumps()


OLD_NAMES = ["anna", "Ben-2", "cleo_x"]
OLD_CHAIN = [
    "f53054b4a29068d8f2b97a0553d2292e694186f20a3e92149de9876f1476894f",
    "f6d99f77dd849d5815a367bb650cb01f75748ffcdda5c01d2ff3b1ccdca49156",
]
"""What a program that knew format 1 alone made of these players, seed 3 and the default move."""


def test_a_file_of_format_1_replays_as_it_was_and_keeps_its_format() -> None:
    options = GAME.options.build({})
    match = Match(GAME, options, OLD_NAMES, chance.match_seed(3), form=1)
    match.play_actions(match.acting[0], match.default_actions(match.acting[0]))
    assert match.chain == OLD_CHAIN
    data = json.loads(match.dumps())
    assert data["backroom"] == 1
    again = Match.from_json(data)
    again.play_actions(again.acting[0], again.default_actions(again.acting[0]))
    assert json.loads(again.dumps())["backroom"] == 1
    assert code_of(Match.from_json, data | {"backroom": 2}) == "E_FILE"
    new = Match.new(GAME, OLD_NAMES, seed=3)
    assert json.loads(new.dumps())["backroom"] == 2
    assert new.chain[0] != OLD_CHAIN[0]


def test_in_format_1_no_name_has_a_blank() -> None:
    """Joined by blanks, other names would give the same hash."""
    data = json.loads(Match.new(GAME, ["a b", "c"], seed=1).dumps())
    assert Match.from_json(data).names == ("a b", "c")
    assert code_of(Match.from_json, data | {"backroom": 1}) == "E_FILE"
    chains = {Match.new(GAME, names, seed=1).chain[0] for names in (["a b", "c"], ["a", "b c"])}
    assert len(chains) == 2


def test_export_from_a_position() -> None:
    line = GAME.notation.position(played(9).state, NAMES, ALL_KNOWING)
    match = Match.from_position(GAME, line, seed=8)
    assert GAME.notation.position(match.state, match.names, ALL_KNOWING) == line
    for _ in play_on(match, random.Random(1), 10):
        pass
    assert match.ply == 10
    assert Match.loads(match.dumps()).chain == match.chain
    assert code_of(Match.from_position, GAME, "nonsense") == "E_POSITION"


def edited(change: Any) -> str:
    data = json.loads(played(8).dumps())
    change(data)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda d: d.update(seed="00" * 32), "E_FILE"),
        (lambda d: d.update(seed="xy"), "E_FILE"),
        (lambda d: d.update(seed=None), "E_FILE"),
        (lambda d: d.update(commitment="00"), "E_FILE"),
        (lambda d: d.update(opening="00"), "E_FILE"),
        (lambda d: d.update(rules="0"), "E_VERSION"),
        (lambda d: d.update(game="chess"), "E_FILE"),
        (lambda d: d.update(game=["bazaar"]), "E_FILE"),
        (lambda d: d.update(backroom=3), "E_FILE"),
        (lambda d: d.update(backroom=True), "E_FILE"),
        (lambda d: d.update(players=["anna"]), "E_FILE"),
        (lambda d: d.update(players="anna"), "E_FILE"),
        (lambda d: d["players"].reverse(), "E_FILE"),
        (lambda d: d["options"].update(target=7), "E_FILE"),
        (lambda d: d["options"].update(target=99), "E_SETUP"),
        (lambda d: d["options"].update(preset=[]), "E_SETUP"),
        (lambda d: d.update(options=[]), "E_FILE"),
        (lambda d: d.update(position=5), "E_FILE"),
        (lambda d: d.update(position="nonsense"), "E_FILE"),
        (lambda d: d.update(moves=None), "E_FILE"),
        (lambda d: d["moves"].pop(0), None),
        (lambda d: d["moves"].pop(), "ok"),
        (lambda d: d["moves"].insert(0, d["moves"][0]), None),
        (lambda d: d["moves"][3].update(hash="00"), "E_FILE"),
        (lambda d: d["moves"][3].update(move="stay?"), "E_FILE"),
        (lambda d: d["moves"][3].update(actions=[10**6]), "E_FILE"),
        (lambda d: d["moves"][3].update(actions=[True]), "E_FILE"),
        (lambda d: d["moves"][3].update(actions=[]), "E_COUNT"),
        (lambda d: d["moves"][3].update(player="zoe"), "E_ACTOR"),
        (lambda d: d["moves"][3].update(player=None), "E_FILE"),
        (lambda d: d["moves"].append(7), "E_FILE"),
    ],
)
def test_edited_files_are_refused(change: Any, code: str | None) -> None:
    """``ok``: a file that ends early is a shorter match; None: any code."""
    found = code_of(Match.loads, edited(change))
    if code == "ok":
        assert found is None
    else:
        assert found is not None
        assert code in (None, found)


def test_a_move_cannot_be_exchanged_for_another_legal_one() -> None:
    match = played(8)
    for ply in range(8):
        state = match.at(ply)
        seat = match.moves[ply].seat
        for action in GAME.legal(state, seat).tolist():
            if (action,) != match.moves[ply].actions:
                data = json.loads(match.dumps())
                data["moves"][ply]["actions"] = [action]
                assert code_of(Match.from_json, data) in ("E_FILE", "E_COUNT")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "7", "[" * 100_000, b"\xff\xfe", '{"backroom": 1}'])
def test_what_is_no_match_file(text: str | bytes) -> None:
    assert code_of(Match.loads, text) == "E_FILE"


def test_files_cut_off_or_too_large() -> None:
    text = played(8).dumps()
    for cut in range(0, len(text) - 3, 97):
        assert code_of(Match.loads, text[:cut]) == "E_FILE"
    assert code_of(Match.loads, " " * 8_000_001) == "E_FILE"


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
EXPORT = json.loads(played(5).dumps())


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, inner in children for found in places(inner, (*path, key)))]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([*places(EXPORT), ("position",), ("options", "preset"), ("options", "extra")]), ANY_JSON)
def test_any_value_in_the_place_of_any_other_is_the_same_match_or_refused(path: tuple[Any, ...], value: Any) -> None:
    data = copy.deepcopy(EXPORT)
    if path:
        inner = data
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = value
    else:
        data = value
    problem = refusal_of(lambda: Match.from_json(data))
    if problem is None:
        match = Match.from_json(data)
        assert json.loads(match.dumps())["moves"] == EXPORT["moves"][: match.ply]
    else:
        assert "\n" not in problem.message


def test_the_seed_is_committed_to_and_never_shown_in_a_view() -> None:
    match = Match.new(GAME, NAMES)
    assert match.commitment == hashlib.sha256(match.seed).hexdigest() == chance.commitment(match.seed)
    for viewer in (0, 1, 2, SPECTATOR):
        assert match.seed[:4] not in match.view(viewer).tobytes()
    assert Match.new(GAME, NAMES).seed != match.seed


class Wordy(Options):
    tie: Literal["none", "top"] = "top"
    limit: int | None = 5
    quick: bool = False


def test_options_from_words() -> None:
    assert Wordy.build({"tie": "none", "limit": "None"}) == Wordy(tie="none", limit=None)
    assert Wordy.build(Wordy(tie="none").model_dump()) == Wordy(tie="none")
    assert Wordy(tie="none", limit=None, quick=True).encode([]) == {"rotation": 0, "tie": 0, "limit": -1, "quick": 1}
    for values in ({"tie": "NONE?"}, {"limit": "none?"}, {"quick": "none"}, {"preset": {}}, {"none": "none"}):
        assert code_of(Wordy.build, values) == "E_SETUP"


@pytest.mark.parametrize("name", game_names())
def test_all_positions_of_a_match_take_less_room_than_they_have_bytes(name: str) -> None:
    match = Match.new(find_game(name), ["anna", "ben", "cleo"], seed=3)
    begun = len(pickle.dumps(match))
    while not match.over and match.ply < 60:
        seat = match.acting[0]
        match.play_actions(seat, match.default_actions(seat))
    bare = copy.copy(match)
    bare.moves, bare.chain = [], []
    assert len(pickle.dumps(bare)) - begun < 0.7 * match.ply * match.state.nbytes
    assert [int(match.at(ply).turn) for ply in (0, match.ply)] == [1, int(match.state.turn)]
