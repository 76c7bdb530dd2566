"""Dark Sources: rules and rulings against a plain account, and that nothing older than the last swap is ever shown."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backroom.engine.game import FINISHED, Game, Refusal, find_game
from backroom.engine.match import Match
from backroom.engine.notation import complete
from backroom.engine.record import ALL_KNOWING, SPECTATOR
from backroom.engine.view import determinize
from backroom.games.dark_sources import notation, rules
from backroom.games.dark_sources.story import wanderings
from backroom.games.dark_sources.table import rows as table
from backroom.text.examples import run_examples

GAME: Game = find_game("dark_sources")
NAMES = ("anna", "ben", "cleo", "dan", "eve", "finn", "greta", "hugo", "ines", "jonathan")
VALUES = (1, 3, 5, 7, 10)


def new(seats: int = 2, seed: int = 1, **options: object) -> Match:
    return Match.new(GAME, NAMES[:seats], options, seed)


def at(position: str) -> Match:
    return Match.from_position(GAME, position, seed=1)


def code_of(match: Match, seat: int, text: str) -> str:
    """The code of the refusal of a move; it must change nothing."""
    before = match.state.tobytes(), match.ply, match.chain[-1]
    with pytest.raises(Refusal) as refused:
        match.play(seat, text)
    assert (match.state.tobytes(), match.ply, match.chain[-1]) == before
    assert "\n" not in refused.value.message
    return refused.value.code


def play_all(match: Match, text: str) -> Match:
    """Swaps split by commas, each by whose turn it is."""
    for swap in text.split(","):
        match.play(match.acting[0], f"swap {swap}")
    return match


# D1-D8, told a second time


@settings(max_examples=60, deadline=None)
@given(
    st.data(),
    st.integers(2, 10),
    st.sampled_from(["ascending", "shuffled", "chosen"]),
    st.sampled_from(["play", "notes", "open"]),
    st.none() | st.integers(1, 4),
)
def test_games_follow_the_plain_account(
    data: st.DataObject, seats: int, row: str, memory: str, limit: int | None
) -> None:
    match = new(seats, row=row, memory=memory, stall_limit=limit)
    if row == "chosen":
        for seat in range(seats):
            assert match.acting == [seat]
            order = data.draw(st.permutations(VALUES))
            match.play(seat, "ROW " + " ".join(map(str, order)))
    rows = [[[int(value), False] for value in match.state.value[p]] for p in range(seats)]
    for cards in rows:
        assert sorted(value for value, _ in cards) == list(VALUES)
    if row == "ascending":
        assert all([value for value, _ in cards] == list(VALUES) for cards in rows)
    stalled = turned = swaps = 0
    for number in range(200):
        seat = number % seats
        assert match.acting == [seat]  # D1
        up = sum(not down for cards in rows for _, down in cards)
        assert int(match.state.up) == up
        must = limit is not None and stalled >= limit
        legal = GAME.legal(match.state, seat).tolist()
        expected = [
            (other, mine, theirs)
            for other in range(seats)
            for mine in range(5)
            for theirs in range(5)
            if other != seat and not (must and rows[seat][mine][1] and rows[other][theirs][1])
        ]
        assert [tuple(int(part) for part in rules.swap_parts(action)) for action in legal] == expected  # D2, D4, D7
        assert legal
        assert int(rules.default(match.state, seat)) in legal
        turning = [a for a, (o, m, t) in zip(legal, expected, strict=True) if not (rows[seat][m][1] and rows[o][t][1])]
        action = data.draw(st.sampled_from(turning if data.draw(st.booleans()) else legal))
        other, mine, theirs = expected[legal.index(action)]
        first, second = rows[seat][mine], rows[other][theirs]
        known = [0 if card[1] and memory != "open" else card[0] for card in (first, second)]  # D9
        if data.draw(st.booleans()):
            match.play_actions(seat, [action])
        else:
            match.play(seat, f"swap {notation.slot_name(other, theirs)} {notation.slot_name(seat, mine)}".upper())
        swaps += 1
        now = (not first[1]) + (not second[1])
        turned, stalled = turned + now, 0 if now else stalled + 1
        rows[seat][mine], rows[other][theirs] = [second[0], True], [first[0], True]
        state = match.state
        assert [[[int(state.value[p, i]), bool(state.down[p, i])] for i in range(5)] for p in range(seats)] == rows
        assert state.known.tolist() == known
        assert int(state.value.sum()) == 26 * seats  # the total on the table
        if all(down for cards in rows for _, down in cards):
            break
    if match.over:
        assert turned == 5 * seats  # D8
        assert swaps >= -(-5 * seats // 2)
        if limit is not None:
            assert swaps <= 5 * seats * (limit + 1)
        totals = [sum(value for value, _ in cards) for cards in rows]
        scores, places = GAME.outcome(match.state)
        assert scores == totals
        assert [p for p in range(seats) if places[p] == 1] == [p for p in range(seats) if totals[p] == max(totals)]
        assert not match.acting


def test_the_shortest_game() -> None:
    """D8: with two cards turned a swap, the last move is by seat 1, 2, 2, 3, 3, 4, 4, 5, 5 for n = 2..10."""
    movers = []
    for seats in range(2, 11):
        match = new(seats)
        length = -(-5 * seats // 2)
        while not match.over:
            seat = match.acting[0]
            up = [5 - int(match.state.down[p].sum()) for p in range(seats)]
            # Each player has yet to turn one card of the own row a move; who has most to spare is swapped with.
            spare = [up[p] - len(range((p - match.ply) % seats, length - match.ply, seats)) for p in range(seats)]
            other = max((p for p in range(seats) if p != seat), key=lambda p, spare=spare: spare[p])
            mine, theirs = (int(match.state.down[p].argmin()) for p in (seat, other))
            match.play(seat, f"swap {notation.slot_name(seat, mine)} {notation.slot_name(other, theirs)}")
        assert match.ply == length
        movers.append(match.moves[-1].seat + 1)
    assert movers == [1, 2, 2, 3, 3, 4, 4, 5, 5]


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(2, 10))
def test_seats_are_alike(data: st.DataObject, seats: int) -> None:
    """The same swaps, all seats moved on by some: the same rows, moved on."""
    turn = data.draw(st.integers(1, seats - 1))
    one = new(seats)
    line = notation.position(one.state, one.names, ALL_KNOWING).replace("turn anna 1", f"turn {NAMES[turn]} 1")
    two = at(line)
    for number in range(data.draw(st.integers(0, 15))):
        seat = number % seats
        other = (seat + data.draw(st.integers(1, seats - 1))) % seats
        mine, theirs = data.draw(st.integers(0, 4)), data.draw(st.integers(0, 4))
        if one.over:
            break
        one.play(seat, f"swap {notation.slot_name(seat, mine)} {notation.slot_name(other, theirs)}")
        moved = [notation.slot_name((p + turn) % seats, i) for p, i in ((seat, mine), (other, theirs))]
        two.play((seat + turn) % seats, f"swap {' '.join(moved)}")
    assert np.roll(one.state.value[:seats], turn, axis=0).tolist() == two.state.value[:seats].tolist()
    assert np.roll(one.state.shown[:seats], turn, axis=0).tolist() == two.state.shown[:seats].tolist()
    assert [(seat + turn) % seats for seat in one.acting] == two.acting
    assert np.roll(GAME.outcome(one.state)[0], turn).tolist() == GAME.outcome(two.state)[0]


def test_the_stall_guard_bounds_the_game() -> None:
    match = new(3, stall_limit=2)
    while not match.over:
        seat = match.acting[0]
        legal = GAME.legal(match.state, seat).tolist()

        def turns(action: int, seat: int = seat, match: Match = match) -> int:
            other, mine, theirs = (int(part) for part in rules.swap_parts(action))
            return 2 - int(match.state.down[seat, mine]) - int(match.state.down[other, theirs])

        match.play_actions(seat, [min(legal, key=turns)])
        assert match.ply <= 5 * 3 * 3


# Examples


def test_examples_of_the_game() -> None:
    report = run_examples(GAME)
    assert not report.failed
    assert set(report.passed) >= {f"DX{number:02}" for number in range(1, 13)}


def test_unseen_examples(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text(
        "T1 {memory=open, stall_limit=1} | A:ASC B:10,7,5,3,1 C:ASC   (mine (all of it))\n"
        "> A swap b1 a1 => A:10d,3,5,7,10 B:1d,7,5,3,1; turn B\n"
        "> B swap b1 a1 => A:1d,3,5,7,10 B:10d,7,5,3,1; turn C\n"
        "! C swap a1 b1 E_OWN\n"
        "T2 | A:10d,7d,5d,3d,1d B:10d,7d,5d,3d,1\n"
        "> A swap a1 b5 => A:1d,7d,5d,3d,1d B:10d,7d,5d,3d,10d; over 17 35 win B\n"
        "! Z pass E_OVER\n"
    )
    report = run_examples(GAME, [file])
    assert not report.failed
    assert report.passed == ["T1", "T2"]


def test_wrong_examples_are_found(tmp_path: Path) -> None:
    for step in (
        "> A swap a1 b5 => A:1d,3,5,7,10 B:1,3,5,7,1d; turn B",
        "> A swap a1 b5 => A:10d,3,5,7,10; turn B",
        "> A swap a1 b5 => A:10d,3,5,7,10 B:1,3,5,7,1d; turn A",
        "> A swap a1 b5 => A:10d,3,5,7,10 B:1,3,5,7,1d; over 26 26 win AB",
        "> A swap a1 b5 => A:10d,3,5,7,10 B:1,3,5,7,1d",
        "> A swap a1 a5 => turn B",
        "> A swap a1 b5",
        "> A swap a1 b5 => A:1,3,5,7,10 A:10d,3,5,7,10 B:1,3,5,7,1d; turn B",
        "",
        ">",
        "! A",
        "! A swap a1 b1 E_OWN",
        "! A swap a1 a2 E_SLOT",
    ):
        file = tmp_path / "wrong.txt"
        file.write_text(f"W1 | A:ASC B:ASC\n{step}\n")
        assert [failure.id for failure in run_examples(GAME, [file]).failed] == ["W1"], step


def test_a_swap_that_changes_no_row_names_both_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "equal.txt"
    head = "T1 | A:7d,3,5,1,10 B:7d,3,5,1,10\n> A swap a1 b1 => "
    file.write_text(f"{head}A:7d,3,5,1,10 B:7d,3,5,1,10; turn B\n")
    assert not run_examples(GAME, [file]).failed
    for rows in ("", "A:7d,3,5,1,10"):
        file.write_text(f"{head}{rows}; turn B\n")
        assert "row B is swapped and missing" in " ".join(run_examples(GAME, [file]).failed[0].differences)


# What is shown: DX13 to DX16


def test_dx13_after_a_swap_both_players_read_the_same_rows() -> None:
    match = play_all(new(), "a1 b5")
    for viewer in (0, 1, SPECTATOR):
        assert notation.table_text(match.view(viewer)) == "a  # 3 5 7 10\nb  1 3 5 7 #\nlast: a1 (1) <-> b5 (10)"


def test_dx14_a_card_that_was_face_down_is_not_named() -> None:
    match = play_all(at("{} | anna:10d,3,5,7,10 ben:1,3,5,7,1d"), "a2 b5")
    for viewer in (0, 1, SPECTATOR):
        text = notation.table_text(match.view(viewer))
        assert text.splitlines()[-1] == "last: a2 (3) <-> b5 (?)"
        assert text.splitlines()[:2] == ["a  # # 5 7 10", "b  1 3 5 7 #"]


def test_dx15_rows_as_each_player_likes() -> None:
    match = new(3, row="chosen")
    assert code_of(match, 1, "row 1 3 5 7 10") == "E_ACTOR"
    for text in (
        "row 1 3 5 7 7",
        "row 1 3 5 7",
        "row 1 3 5 7 10 1",
        "row 1 3 5 7 10 100",
        "row 1 3 5 7 9",
        "row 1 3 5 7 1000000",
    ):
        assert code_of(match, 0, text) == "E_ROW", text
    for text in ("row", "row 1 3 5 7 x", "row 1,3,5,7,10"):
        assert code_of(match, 0, text) == "E_SYNTAX", text
    match.play(0, "row 10 1 7 3 5")
    match.play(1, "row 1 3 5 7 10")
    assert code_of(match, 2, "swap c1 a1") == "E_PHASE"
    assert code_of(match, 2, "swap z1 z9") == "E_PHASE"
    match.play(2, "row 5 3 1 10 7")
    assert match.state.value[:3].tolist() == [[10, 1, 7, 3, 5], [1, 3, 5, 7, 10], [5, 3, 1, 10, 7]]
    assert match.acting == [0]
    assert code_of(match, 0, "row 1 3 5 7 10") == "E_PHASE"
    assert code_of(match, 0, "row 7 7 7") == "E_PHASE"
    play_all(match, "a1 b5")
    assert code_of(match, 1, "row 1 3 5 7 10") == "E_PHASE"


def test_dx16_the_owner_is_seat_a_and_play_stays_clockwise() -> None:
    for owner in ("ben", "BEN"):
        match = new(4, owner=owner)
        assert match.names == ("ben", "cleo", "dan", "anna")
        play_all(match, "a1 b5")
        assert [match.names[seat] for seat in match.acting] == ["cleo"]
    found = {new(4, seed=seed, owner="random").names[0] for seed in range(60)}
    assert found == set(NAMES[:4])
    with pytest.raises(Refusal, match="E_SETUP"):
        new(4, owner="zoe")


# Moves and errors, in the order of D-6


def test_codes_in_their_order() -> None:
    match = new(3)
    assert code_of(match, 1, "pass") == "E_ACTOR"
    assert code_of(match, 1, "nonsense") == "E_ACTOR"
    assert code_of(match, 0, "PASS") == "E_PASS"
    for text in ("", "swap", "swap a1", "swap a1 b1 c1", "swap a1 b", "swap 1a b1", "swap aa1 b1", "a1 b1", "pass it"):
        assert code_of(match, 0, text) == "E_SYNTAX", text
    assert code_of(match, 0, "row 1 1 1 1 1") == "E_PHASE"
    for text in ("swap a6 b1", "swap a0 a1", "swap d1 a1", "swap z1 b1", "swap a1 b10", "swap a1 b999999999999"):
        assert code_of(match, 0, text) == "E_SLOT", text
    for text in ("swap a1 a2", "swap a1 a1", "swap b1 c1", "swap b1 b1"):
        assert code_of(match, 0, text) == "E_OWN", text
    ended = at("{} | anna:10d,7d,5d,3d,1d ben:10d,7d,5d,3d,1")
    play_all(ended, "a1 b5")
    for text in ("pass", "swap a1 b1", "nonsense", "row 1"):
        assert code_of(ended, 1, text) == "E_OVER", text


def test_the_guard_comes_last() -> None:
    match = at("{stall_limit=1} | anna:10d,7d,5,3d,1d ben:10d,7d,5d,3d,1d | stalled 1")
    assert code_of(match, 0, "swap a1 a2") == "E_OWN"
    assert code_of(match, 0, "swap a1 b6") == "E_SLOT"
    assert code_of(match, 0, "swap a1 b1") == "E_STALL"
    play_all(match, "a3 b1")
    assert match.over


def test_set_up_refusals() -> None:
    for seats in (0, 1, 11):
        with pytest.raises(Refusal, match="E_SETUP"):
            Match.new(GAME, [f"p{i}" for i in range(seats)])
    bad: list[dict[str, object]] = [
        {"row": "sorted"}, {"memory": "all"}, {"stall_limit": 0}, {"stall_limit": "x"}, {"owner": 3}, {"players": 2},
    ]  # fmt: skip
    for options in bad:
        with pytest.raises(Refusal, match="E_SETUP"):
            new(2, **options)
    assert GAME.options.simulation_defaults(3) == {"stall_limit": 12}


def test_every_number_of_players_sets_up() -> None:
    for seats in range(2, 11):
        match = new(seats, row="shuffled")
        assert len(match.opening_events) == seats
        assert int(match.state.up) == 5 * seats


def test_shuffled_rows_take_every_order() -> None:
    found = {tuple(new(2, seed=seed, row="shuffled").state.value[0].tolist()) for seed in range(1200)}
    assert len(found) > 115
    assert found <= set(permutations(VALUES))


@settings(max_examples=150, deadline=None)
@given(
    st.text(max_size=20) | st.from_regex(r"(swap|row|Swap) ?[a-d]?[0-9]{0,2} [a-d]?[0-9]{0,2}.{0,3}", fullmatch=True)
)
def test_garbage_is_refused_or_a_move(text: str) -> None:
    match = new(3)
    try:
        move = match.play(0, text)
    except Refusal:
        assert code_of(match, 0, text) in {"E_SYNTAX", "E_SLOT", "E_OWN", "E_PASS", "E_PHASE"}
        return
    again = new(3)
    assert again.play(0, move.text).text == move.text
    assert again.chain == match.chain


def test_clicks_offer_ones_own_card_then_another_players() -> None:
    match = new(3)
    tokens = complete(GAME, match.view(0), 0, "swap", match.names).tokens
    assert [token.text for token in tokens] == ["a1", "a2", "a3", "a4", "a5"]
    tokens = complete(GAME, match.view(0), 0, "swap a3", match.names).tokens
    assert len(tokens) == 10
    assert {token.kind for token in tokens} == {"slot"}


# D9: memory


def test_where_all_is_open_a_swap_names_face_down_cards_too() -> None:
    match = new(2, memory="open")
    match.play(0, "swap a1 b5")
    match.play(1, "swap b5 a1")
    for viewer in (0, 1, SPECTATOR):
        view = match.view(viewer)
        assert view.known.tolist() == [1, 10]
        assert notation.table_text(view).endswith("last: b5 (1) <-> a1 (10)")
        assert "last b5 (1) <-> a1 (10)" in notation.position(match.state, match.names, viewer)
        texts = [line.text for _, line in match.lines(viewer)]
        assert texts[-2:] == {
            0: ["You swapped a1 (1) with ben's b5 (10).", "ben swapped b5 (1) with your a1 (10)."],
            1: ["anna swapped a1 (1) with your b5 (10).", "You swapped b5 (1) with anna's a1 (10)."],
        }.get(viewer, ["anna swapped a1 (1) with ben's b5 (10).", "ben swapped b5 (1) with anna's a1 (10)."])
        assert "Your a1 (1) for ben’s b5 (10)" in notation.preview(
            GAME, match.view(0), 0, parsed(match, "swap a1 b5"), match.names
        )
    state, _ = notation.parse_position(GAME, notation.position(match.state, match.names, ALL_KNOWING))
    assert state.known.tolist() == [1, 10]
    for memory in ("play", "notes"):
        other = new(2, memory=memory)
        other.play(0, "swap a1 b5")
        other.play(1, "swap b5 a1")
        assert other.state.known.tolist() == [0, 0]
        assert other.lines(0)[-1][1].text == "ben swapped b5 (face down) with your a1 (face down)."


def parsed(match: Match, text: str) -> list[int]:
    return notation.parse_move(GAME, match.view(0), 0, text, match.names)


def told(match: Match, viewer: int) -> tuple[object, ...]:
    """All that the engine gives a client about a match that goes on."""
    view = match.view(viewer)
    return (
        view.tobytes(),
        GAME.state.to_json(match.state, viewer),
        notation.position(match.state, match.names, viewer),
        notation.table_text(view),
        match.lines(viewer, looked=match.ply - 1),
        [GAME.legal(view, seat).tolist() for seat in match.acting if seat == viewer],
    )


@settings(max_examples=80, deadline=None)
@given(st.data(), st.integers(2, 5))
def test_twins_with_the_same_table_and_last_swap_cannot_be_told_apart(data: st.DataObject, seats: int) -> None:
    """Two matches with different pasts: the same cards show, the last swap is the same; nobody can tell which it is."""
    one, two = new(seats), new(seats)
    slots = [(a, b) for a in range(5) for b in range(5)]
    pairs = data.draw(st.lists(st.sampled_from(slots), min_size=seats, max_size=3 * seats))
    moves = [(number % seats, mine, (number + 1) % seats, theirs) for number, (mine, theirs) in enumerate(pairs)]
    for seat, mine, other, theirs in moves:
        assume(not one.over)
        one.play(seat, f"swap {notation.slot_name(seat, mine)} {notation.slot_name(other, theirs)}")
    # The twin makes the swaps of each player in another order, where that leads to the same slots and number.
    by_seat = [[move for move in moves[:-1] if move[0] == seat] for seat in range(seats)]
    by_seat = [data.draw(st.permutations(own)) if own else [] for own in by_seat]
    for number in range(len(moves) - 1):
        seat, mine, other, theirs = by_seat[number % seats].pop(0)
        two.play(seat, f"swap {notation.slot_name(seat, mine)} {notation.slot_name(other, theirs)}")
    seat, mine, other, theirs = moves[-1]
    two.play(seat, f"swap {notation.slot_name(seat, mine)} {notation.slot_name(other, theirs)}")
    assume(not one.over)
    assert one.state.shown.tobytes() == two.state.shown.tobytes()
    assert one.state.swapped.tobytes() == two.state.swapped.tobytes()
    assert one.state.known.tobytes() == two.state.known.tobytes()
    for viewer in [*range(seats), SPECTATOR]:
        assert told(one, viewer) == told(two, viewer)


def test_twins_that_do_differ_in_the_past() -> None:
    """The same as above in a case written out: the hidden values differ, and nobody is shown that."""
    one = play_all(new(3), "a1 b5,b5 c1,c1 a1,a2 b4")
    two = play_all(new(3), "a1 c1,b5 a1,c1 b5,a2 b4")
    assert one.state.value.tobytes() != two.state.value.tobytes()
    for viewer in (0, 1, 2, SPECTATOR):
        assert told(one, viewer) == told(two, viewer)
        assert len(one.lines(viewer)) == 1


def test_whether_swaps_before_the_last_turned_cards_is_not_counted_without_a_guard() -> None:
    one = at("{} | anna:10d,3d,5d,7d,10 ben:1d,3d,5,7d,1d")
    two = at("{} | anna:10d,3d,5d,7d,10 ben:1d,3d,5,7d,1d")
    play_all(one, "a1 b5,b1 a1,a2 b2")
    play_all(two, "a1 b5,b1 a2,a2 b2")
    assert told(one, 0) == told(two, 0)
    assert int(one.state.stalled) == 0


def test_play_shows_the_last_swap_only() -> None:
    match = play_all(new(3), "a1 b5,b1 c5")
    for viewer in (0, 1, 2, SPECTATOR):
        told = {1: "You swapped b1 (1) with cleo's c5 (10).", 2: "ben swapped b1 (1) with your c5 (10)."}
        assert [line.text for _, line in match.lines(viewer)] == [
            told.get(viewer, "ben swapped b1 (1) with cleo's c5 (10).")
        ]
    # A table that knows what a seat has been shown gives it what is new, once.
    assert len(match.lines(2, looked=0)) == 2
    assert len(match.lines(2, looked=2)) == 1


def test_notes_show_earlier_swaps_as_slots() -> None:
    match = play_all(new(2, memory="notes"), "a1 b5,b1 a5,a2 b4")
    assert [line.text for _, line in match.lines(0)] == [
        "You laid a row.", "ben laid a row.",
        "You swapped a1 with ben's b5.", "ben swapped b1 with your a5.",
        "You swapped a2 (3) with ben's b4 (7).",
    ]  # fmt: skip
    assert notation.table_text(match.view(1)).splitlines()[0] == "a  # # 5 7 #"


def test_open_shows_everything() -> None:
    match = play_all(new(2, memory="open"), "a1 b5,b1 a5")
    assert [line.text for _, line in match.lines(0)][2] == "You swapped a1 (1) with ben's b5 (10)."
    for viewer in (0, 1, SPECTATOR):
        assert notation.table_text(match.view(viewer)).splitlines()[:2] == ["a  10# 3 5 7 1#", "b  10# 3 5 7 1#"]
        state = determinize(GAME, match.view(viewer), viewer, np.array([1, 2, 3, 1], np.int64))
        assert state.value.tobytes() == match.state.value.tobytes()


def test_all_is_told_at_the_end() -> None:
    match = play_all(new(), "a1 b5,b1 a5,a2 b4,b2 a4,a3 b3")
    assert match.state.over == FINISHED
    for viewer, anna, ben in ((0, "You", "ben"), (1, "anna", "you"), (SPECTATOR, "anna", "ben")):
        lines = [line for _, line in match.lines(viewer)]
        assert [line.rule for line in lines] == ["D5", "D5", "D2", "D2", "D2", "D2", "D2", "D6"]
        assert (
            lines[2].text == f"{anna} swapped a1 (1) with {'your' if ben == 'you' else 'ben' + chr(39) + 's'} b5 (10)."
        )
        assert lines[-1].text == f"All cards are shown: {anna.lower()} 26, {ben} 26. {anna} and {ben} share the win."
        assert match.view(viewer).shown.tobytes() == match.state.value.tobytes()


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 6), st.integers(0, 40), st.integers(0, 2**32))
def test_imagined_cards_are_possible(seats: int, swaps: int, seed: int) -> None:
    match = new(seats)
    source = np.random.default_rng(seed)
    for _ in range(swaps):
        if match.over:
            return
        match.play_actions(match.acting[0], [int(source.choice(GAME.legal(match.state, match.acting[0])))])
    view = match.view(0)
    state = determinize(GAME, view, 0, np.array([seed, 2, 3, 1], np.int64))
    for p in range(seats):
        for slot in range(5):
            if view.shown[p, slot]:
                assert state.value[p, slot] == view.shown[p, slot]
    assert sorted(state.value[:seats].ravel().tolist()) == sorted(VALUES * seats)
    if not match.over and view.swapped[0]:
        mover, mine, other, theirs = (int(number) for number in view.swapped)
        if view.known[0]:
            assert state.value[other - 1, theirs] == view.known[0]
        if view.known[1]:
            assert state.value[mover - 1, mine] == view.known[1]


# Positions


@settings(max_examples=80, deadline=None)
@given(
    st.data(),
    st.integers(2, 10),
    st.sampled_from(["ascending", "shuffled", "chosen"]),
    st.sampled_from(["play", "notes", "open"]),
    st.none() | st.integers(1, 4),
)
def test_positions_round_trip(data: st.DataObject, seats: int, row: str, memory: str, limit: int | None) -> None:
    owner = data.draw(st.sampled_from(["random", *NAMES[:seats]]))
    match = new(seats, data.draw(st.integers(0, 99)), row=row, memory=memory, stall_limit=limit, owner=owner)
    for _ in range(data.draw(st.integers(0, 40))):
        if match.over:
            break
        seat = match.acting[0]
        match.play_actions(seat, [data.draw(st.sampled_from(GAME.legal(match.state, seat).tolist()))])
    line = notation.position(match.state, match.names, ALL_KNOWING)
    state, names = notation.parse_position(GAME, line)
    state.chance_key[:] = match.state.chance_key
    state.chance_count[:] = match.state.chance_count
    assert names == match.names
    assert state.tobytes() == match.state.tobytes()
    assert notation.position(state, names, ALL_KNOWING) == line


def test_bad_positions_are_refused() -> None:
    good = "{} | anna:10d,3,5,7,10 ben:1,3,5,7,1d"
    notation.parse_position(GAME, good)
    notation.parse_position(GAME, "{row=chosen} | anna:ASC ben:- | turn ben 2")
    assert notation.parse_position(GAME, "{row=chosen} | anna:ASC ben:-")[0].acting == 0b10  # ben's row is the next
    bad = [
        "", "|", "{} |", good + " |", good + " | turn zoe 1", good + " | turn anna", good + " | turn anna 0",
        good + " | turn anna 1 2", good + " | last a1 (1) <-> b1 (10)", good + " | last a1 (2) <-> b5 (10)",
        good + " | last a1 (1) <-> c5 (10)", good + " | last a1 (1)", good + " | stalled -1", good + " | rotation 2",
        good + " | over 3", good + " | colour", "{} | anna:10d,7d,5d,3d,1d ben:10d,7d,5d,3d,1d",
        "{} | anna:10,3,5,7,10 ben:1,3,5,7,10", "{} | anna:1,3,5,7 ben:ASC", "{} | anna:1,3,5,7,11 ben:ASC",
        "{} | anna:ASC ben:-", "{} | anna:- ben:-", "{row=chosen} | anna:- ben:ASC",
            "{memory=open,memory=play} | anna:ASC ben:ASC",
        "{row=chosen} | anna:- ben:- | turn ben 1", "{owner=ben} | anna:ASC ben:ASC", "{x=1} | anna:ASC ben:ASC",
        "{} | anna:1dd,3,5,7,10 ben:ASC", "{} | anna:# ben:ASC", "{} | anna:ASC", "{} | anna:ASC ANNA:ASC",
    ]  # fmt: skip
    for text in bad:
        with pytest.raises(Refusal) as refused:
            notation.parse_position(GAME, text)
        assert refused.value.code in {"E_POSITION", "E_SETUP"}, text


def test_the_head_of_an_example_may_say_its_owner_and_its_seed() -> None:
    plain, _ = notation.parse_position(GAME, "{} | A:ASC B:ASC")
    for options in ("{owner=A}", "{owner=a,seed=7}", "{seed=7}"):
        state, _ = notation.parse_position(GAME, f"{options} | A:ASC B:ASC")
        assert state.tobytes() == plain.tobytes()
    swap = "> A swap a1 b5 => A:10d,3,5,7,10 B:1,3,5,7,1d; turn B"
    for options, wrong in (
        ("{owner=A,seed=7}", ""),
        ("{owner=B}", "the owner is seat a"),
        ("{seed=x}", "whole number"),
    ):
        (example,) = notation.examples(GAME, f"EX01 {options} | A:ASC B:ASC\n{swap}")
        problems = example.check()
        assert wrong in "".join(problems)
        assert bool(problems) == bool(wrong)


# Traces of the program


def test_replay_gives_the_same_chain() -> None:
    match = play_all(new(3, row="shuffled", owner="random"), "a1 b5,b1 c5,c1 a5,a2 b4")
    again = Match.loads(match.dumps())
    assert again.chain == match.chain
    assert again.lines(ALL_KNOWING) == match.lines(ALL_KNOWING)


def test_previews_name_no_card_that_lies_face_down() -> None:
    match = play_all(new(), "a1 b5")
    view, names = match.view(1), match.names

    def said(text: str) -> str:
        return notation.preview(GAME, view, 1, notation.parse_move(GAME, view, 1, text, names), names)

    assert said("swap b5 a1") == "Your b5 (?) for anna’s a1 (?). Both stay face down: nothing is turned."
    assert said("swap a2 b5") == "Your b5 (?) for anna’s a2 (3). Both lie face down then."
    last = at("{} | anna:10d,7d,5,3d,1d ben:10d,7d,5d,3d,1d")
    assert notation.preview(
        GAME, last.view(0), 0, notation.parse_move(GAME, last.view(0), 0, "swap a3 b1", names), names
    ).endswith("No card is face up then: the game ends.")


def test_defaults_bring_the_game_to_its_end() -> None:
    match = new(3, row="chosen")
    while not match.over:
        match.play_actions(match.acting[0], match.default_actions(match.acting[0]))
    assert match.ply <= 3 + 15


def test_the_terminal_draws_what_the_table_shows() -> None:
    match = play_all(new(), "a1 b5")
    assert [(row.heading, row.line.text) for row in table(match.view(1), 1, match.names)] == [
        ("a  anna", "# 3 5 7 10"),
        ("b  ben (you), to move", "1 3 5 7 #"),
        ("last", "a1 (1) <-> b5 (10)"),
        ("face up", "8 of 10 cards"),
    ]


def test_the_end_tells_where_every_card_has_been() -> None:
    match = play_all(new(), "a1 b5,b1 a5,a2 b4,b2 a4,a3 b3")
    cards = wanderings(match.lines(ALL_KNOWING))
    assert len(cards) == 10
    for card in cards:
        assert card.value == match.state.value[card.place]
        assert card.value == match.at(0).value[card.places[0][1:]]
        assert len(card.places) > 1
    (own, other) = [card for card in cards if card.value == 10]
    assert own.places == [(0, 0, 4), (2, 1, 0)]
    assert other.places == [(0, 1, 4), (1, 0, 0)]


@settings(max_examples=20, deadline=None)
@given(st.data(), st.integers(2, 6))
def test_wanderings_end_where_the_cards_lie(data: st.DataObject, seats: int) -> None:
    match = new(seats, row="shuffled", stall_limit=1)
    while not match.over:
        seat = match.acting[0]
        match.play_actions(seat, [data.draw(st.sampled_from(GAME.legal(match.state, seat).tolist()))])
    cards = wanderings(match.lines(ALL_KNOWING))
    assert sorted(card.place for card in cards) == [(p, slot) for p in range(seats) for slot in range(5)]
    assert all(card.value == match.state.value[card.place] for card in cards)
    # From a part of the log nothing is guessed.
    assert wanderings(match.lines(ALL_KNOWING, since=1)) == []
