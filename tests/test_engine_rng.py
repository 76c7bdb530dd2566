"""The generator of bots and resampling: it is sfc32, unbiased, and one of its own for each address."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from backroom.engine import rng


def sfc32(a: int, b: int, c: int, counter: int, count: int) -> list[int]:
    """The same generator once more, on unsigned words, as its author gives it."""
    a, b, c, counter = (np.uint32(word) for word in (a, b, c, counter))
    found = []
    with np.errstate(over="ignore"):
        for _ in range(count):
            word = a + b + counter
            counter = counter + np.uint32(1)
            a = b ^ (b >> np.uint32(9))
            b = c + (c << np.uint32(3))
            c = ((c << np.uint32(21)) | (c >> np.uint32(11))) + word
            found.append(int(word))
    return found


@pytest.mark.parametrize("seed", [0, 7, "text", b"bytes"])
def test_words_are_those_of_sfc32(seed: int | str | bytes) -> None:
    words = rng.generator(seed)
    expected = sfc32(*words.tolist(), 200)
    assert [int(rng.next_word(words)) for _ in range(200)] == expected


def test_state_stays_within_32_bits() -> None:
    words = np.array([2**32 - 1] * 4, np.int64)
    for _ in range(1000):
        rng.next_word(words)
        assert ((words >= 0) & (words < 2**32)).all()


def test_addresses_give_generators_of_their_own() -> None:
    addresses = [(1,), (2,), ("1",), (1, "bot"), (1, "bot", 1), (1, "bot", 2), (1, 1), (11,)]
    starts = {tuple(rng.generator(*address).tolist()) for address in addresses}
    assert len(starts) == len(addresses)
    assert rng.generator(1, "bot").tolist() == rng.generator(1, "bot").tolist()


def test_reseeded_generators_differ_and_repeat() -> None:
    def start(seed: int, index: int) -> tuple[int, ...]:
        words = np.zeros(4, np.int64)
        rng.reseed(words, seed, index)
        return tuple(words.tolist())

    assert start(5, 6) == start(5, 6)
    assert len({start(seed, index) for seed in (0, 1, 2**40) for index in (0, 1, 2**40)}) == 9


@pytest.mark.parametrize("n", [1, 2, 6, 7, 100])
def test_below_is_uniform(n: int) -> None:
    words = rng.generator(3, "uniform", n)
    counts = Counter(int(rng.below(words, n)) for _ in range(200 * n))
    assert set(counts) == set(range(n))
    assert n == 1 or stats.chisquare([counts[i] for i in range(n)]).pvalue > 1e-4


def test_below_rejects_what_would_be_a_bias() -> None:
    # Spread over 3 * 2**29 results without rejection, 32 bits would favour two residues of three by half.
    words = rng.generator(4, "bias")
    counts = Counter(int(rng.below(words, 3 << 29)) % 3 for _ in range(6000))
    assert stats.chisquare([counts[i] for i in range(3)]).pvalue > 1e-4


def test_uniform_lies_in_the_half_open_unit_interval() -> None:
    words = rng.generator(5, "float")
    found = [rng.uniform(words) for _ in range(4000)]
    assert min(found) >= 0
    assert max(found) < 1
    assert stats.kstest(found, "uniform").pvalue > 1e-4
