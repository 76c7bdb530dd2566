"""Actions: numbering, and both ways between a number and its indices."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backroom.engine.actions import actions, family

SHAPES = st.lists(st.lists(st.integers(1, 5), max_size=3).map(tuple), min_size=1, max_size=4)


@settings(deadline=None, max_examples=40)
@given(SHAPES)
def test_numbers_are_dense_and_every_one_belongs_to_its_family(shapes: list[tuple[int, ...]]) -> None:
    made = actions(**{f"f{i}": shape for i, shape in enumerate(shapes)})
    numbers = []
    for i, shape in enumerate(shapes):
        for indices in product(*(range(n) for n in shape)):
            number = numbers[-1] + 1 if numbers else 0
            numbers.append(number)
            assert made.family(number).name == f"f{i}"
            assert made.indices(number) == indices
            assert number in made.family(number)
    assert made.count == len(numbers)


@pytest.mark.parametrize("shape", [(), (6,), (3, 4), (2, 3, 4)])
def test_kernels_encode_and_decode(shape: tuple[int, ...]) -> None:
    made = actions(before=family(5), this=family(*shape), after=family())
    for indices in product(*(range(n) for n in shape)):
        number = int(made.this.encode(*indices))
        assert made.indices(number) == indices
        decoded = made.this.decode(number)
        assert (tuple(decoded) if len(shape) > 1 else (decoded,)) == (indices or (0,))


def test_unknown_names_and_numbers() -> None:
    made = actions(draw=family(), take=family(3))
    with pytest.raises(AttributeError, match="no family of actions named 'tkae'"):
        made.tkae  # noqa: B018
    for number in (-1, 4):
        with pytest.raises(IndexError, match="from 0 to 3"):
            made.family(number)
    with pytest.raises(ValueError, match="at most three"):
        family(1, 2, 3, 4)
