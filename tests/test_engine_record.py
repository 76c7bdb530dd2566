"""Records: layout, views, JSON, tensors, and names that must not be used."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom.engine.game import find_game, game_names
from backroom.engine.record import (
    ALL_KNOWING,
    SPECTATOR,
    RecordType,
    Visibility,
    copy_view,
    owned,
    public,
    record,
    secret,
)

STATE = record(
    3,
    ("deal",),
    flag=public(np.int8),
    table=public(np.int16, 2, 3),
    hand=owned(np.int8, 3, 5),
    bid=owned(np.int32, 3),
    deck=secret(np.int8, 7),
    gold=secret(np.int64),
)
VIEWERS = [0, 1, 2, SPECTATOR]


def filled(seed: int, kind: RecordType = STATE) -> np.record:
    """A record of random bytes (padding stays zero, as rules leave it)."""
    state = kind.new()
    for name in kind.fields:
        words = np.random.default_rng(seed).integers(1, 100, kind.fields[name].shape)
        state[name] = words.astype(kind.fields[name].dtype)
    state.seats = kind.seats
    return state


@pytest.mark.parametrize("viewer", VIEWERS)
def test_view_shows_public_fields_and_the_viewers_own_rows_only(viewer: int) -> None:
    state = filled(1)
    view = STATE.view(state, viewer)
    for name, field in STATE.fields.items():
        for seat in range(3):
            shown = field.visibility is Visibility.PUBLIC
            if field.visibility is Visibility.OWNED:
                shown = seat == viewer
                assert np.array_equal(view[name][seat], state[name][seat] if shown else 0 * state[name][seat])
            else:
                assert np.array_equal(view[name], state[name] if shown else 0 * state[name])


def test_view_for_who_knows_all_is_a_copy() -> None:
    state = filled(2)
    view = STATE.view(state, ALL_KNOWING)
    assert view.tobytes() == state.tobytes()
    view.flag = 0
    assert state.flag != 0


def test_header_hides_chance_and_nothing_else() -> None:
    header = record(2).fields
    hidden = {name for name, field in header.items() if field.visibility is not Visibility.PUBLIC}
    assert hidden == {"chance_key", "chance_count"}


@settings(deadline=None)
@given(st.integers(0, 1000), st.sampled_from(VIEWERS))
def test_compiled_view_equals_view(seed: int, viewer: int) -> None:
    state = filled(seed)
    source = np.frombuffer(state.tobytes(), np.uint8)
    target = np.ones_like(source)
    copy_view(source, STATE.masks, viewer, target)
    assert target.tobytes() == STATE.view(state, viewer).tobytes()


@settings(deadline=None)
@given(st.integers(0, 1000), st.sampled_from(VIEWERS))
def test_json_and_tensor_depend_on_the_view_alone(seed: int, viewer: int) -> None:
    state = filled(seed)
    view = STATE.view(state, viewer)
    assert STATE.to_json(state, viewer) == STATE.to_json(view, viewer)
    assert np.array_equal(STATE.to_tensor(state, viewer), STATE.to_tensor(view, viewer))
    assert json.loads(json.dumps(STATE.to_json(state, viewer))) == STATE.to_json(state, viewer)


def test_json_says_none_for_what_is_hidden() -> None:
    data = STATE.to_json(filled(3), 1)
    assert data["deck"] is None
    assert data["gold"] is None
    assert data["hand"][0] is None
    assert data["hand"][2] is None
    assert len(data["hand"][1]) == 5
    assert [row is None for row in STATE.to_json(filled(3), SPECTATOR)["bid"]] == [True, True, True]


def test_tensor_has_the_same_length_for_every_viewer() -> None:
    lengths = {len(STATE.to_tensor(filled(4), viewer)) for viewer in VIEWERS}
    assert lengths == {STATE.tensor_size}
    assert STATE.to_tensor(filled(4), 0).dtype == np.float32


@settings(deadline=None)
@given(st.integers(0, 1000), st.sampled_from(VIEWERS))
def test_tensor_holds_the_fields_in_their_order(seed: int, viewer: int) -> None:
    state = filled(seed)
    wanted: list[float] = []
    for name, field in STATE.fields.items():
        values = np.asarray(state[name], np.float32)
        if field.visibility is Visibility.PUBLIC:
            wanted += values.ravel().tolist()
        elif field.visibility is Visibility.OWNED:
            wanted += (values[viewer] if viewer >= 0 else np.zeros_like(values[0])).ravel().tolist()
    assert STATE.to_tensor(state, viewer).tolist() == wanted
    out = np.full(STATE.tensor_size, -1, np.float32)
    assert STATE.to_tensor(state, viewer, out) is out
    assert out.tolist() == wanted


def test_bounds_stand_where_the_tensor_has_their_numbers() -> None:
    kind = record(
        2,
        placed=owned(np.int8, 2, 3, least=2, most=(7, 8, 9)),
        gold=secret(np.int64),
        market=public(np.int8, 2, most=5),
        rounds=public(np.int32, least=0),
        shift=public(np.int8, least=-3, most=-1),
        switch=public(np.int8),
    )
    header, numbers = 6, kind.tensor_size
    least, most = kind.tensor_bounds()
    assert least.shape == most.shape == (numbers,)
    assert least.dtype == most.dtype == np.float32
    assert least[header:].tolist() == [0, 0, 0, 0, 0, 0, -3, -128], "a spectator's row is zeros"
    assert most[header:].tolist() == [7, 8, 9, 5, 5, 2**31, -1, 127]
    state = kind.new()
    state.seats, state.placed, state.market, state.shift = 2, [[2, 8, 9], [7, 2, 2]], [5, 0], -2
    for viewer in (0, 1, SPECTATOR):
        numbers = kind.to_tensor(state, viewer)
        assert np.all((least <= numbers) & (numbers <= most))
    same = record(
        2,
        placed=owned(np.int8, 2, 3), gold=secret(np.int64), market=public(np.int8, 2), rounds=public(np.int32),
        shift=public(np.int8), switch=public(np.int8),
    )  # fmt: skip
    assert kind.dtype == same.dtype, "bounds change no layout"


@pytest.mark.parametrize("bounds", [{"least": 3, "most": 2}, {"most": 128}, {"most": -1}, {"most": (1, 2, 3)}])
def test_bounds_that_cannot_be_are_refused(bounds: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        public(np.int8, 2, **bounds)


@pytest.mark.parametrize("name", game_names())
def test_every_small_field_of_a_game_has_bounds_of_its_own(name: str) -> None:
    game = find_game(name)
    least, most = game.tensor_bounds
    assert not np.any((least == -128) | (most == 127)), "a field of int8 without a bound, and no option gives it one"
    for option in game.options.fields():
        low, high = game.state.fields[option].bounds
        blank = game.blank(game.options(), [f"p{i}" for i in range(game.seats.start)])
        assert low <= int(blank[option]) <= high, f"{option} is {blank[option]}"


def test_copies_share_no_memory() -> None:
    state = filled(5)
    copied = STATE.copy(state)
    assert copied.tobytes() == state.tobytes()
    copied.hand[0, 0] = 0
    assert state.hand[0, 0] != 0


def test_layout_has_no_hidden_padding() -> None:
    for shapes in ((1,), (2, 3), (5, 1, 1)):
        kind = record(2, **{f"f{i}": public(np.int8, n) for i, n in enumerate(shapes)}, wide=secret(np.int64))
        used = sum(np.zeros(field.shape, field.dtype).nbytes for field in kind.fields.values())
        padding = kind.dtype["padding"].itemsize if "padding" in (kind.dtype.names or ()) else 0
        assert kind.itemsize == used + padding
        assert kind.itemsize % 8 == 0


def test_elements_of_new_array_are_records_of_it() -> None:
    states = STATE.new_array(3)
    states[1].flag = 5
    assert [int(state.flag) for state in states] == [0, 5, 0]


def test_bytes_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="bytes, not 3"):
        STATE.from_bytes(b"abc")


@pytest.mark.parametrize("name", ["size", "T", "item", "round", "copy", "acting", "turn", "padding"])
def test_names_that_would_be_misread_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="choose another name"):
        record(2, **{name: public(np.int8)})


@pytest.mark.parametrize("field", [owned(np.int8), owned(np.int8, 3)])
def test_owned_fields_need_a_row_for_each_seat(field: object) -> None:
    with pytest.raises(ValueError, match="first axis"):
        record(2, hand=field)  # type: ignore[arg-type]
