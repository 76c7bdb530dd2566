"""Addressed chance: ChaCha20 of RFC 8439, unbiased draws, streams that do not disturb each other, scripts."""

import hashlib
from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from backroom.engine import chance
from backroom.engine.events import event, events
from backroom.engine.record import public, record

STATE = record(2, ("first", "second"), unused=public(np.int8))
KINDS = events(quiet=event())


def fresh(seed: int = 1) -> tuple[Any, Any]:
    state = STATE.new()
    chance.set_key(state, chance.match_seed(seed))
    return state, KINDS.new_log()


def block(key: bytes, counter: int, nonce: bytes) -> bytes:
    out = np.zeros(16, np.uint32)
    words = np.frombuffer(nonce, "<u4").astype(np.int64)
    chance.block(np.frombuffer(key, "<u4").copy(), counter, *words, out)
    return out.astype("<u4").tobytes()


# RFC 8439, section 2.3.2 and appendix A.1, test vectors 1 to 5: key, counter, nonce, key stream.
VECTORS = [
    (
        bytes(range(32)), 1, "000000090000004a00000000",
        "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e",
    ),
    (
        bytes(32), 0, "00" * 12,
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
    ),
    (
        bytes(32), 1, "00" * 12,
        "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
    ),
    (
        bytes(31) + b"\1", 1, "00" * 12,
        "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
        "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0",
    ),
    (
        bytes(32), 0, "00" * 11 + "02",
        "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
        "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("key", "counter", "nonce", "stream"), VECTORS)
def test_block_is_chacha20(key: bytes, counter: int, nonce: str, stream: str) -> None:
    assert block(key, counter, bytes.fromhex(nonce)).hex() == stream


@pytest.mark.parametrize("count", [0, 1, 4, 5, 20, 21])
def test_a_use_of_a_stream_is_the_blocks_at_its_address(count: int) -> None:
    state, log = fresh(9)
    other, _ = fresh(10)
    key = chance.match_seed(9)
    for use in range(9):
        chance.open_stream(state, log, 1)
        drawn = [int(chance.below(state, log, 2**31 - 1)) for _ in range(count)]
        first = block(key, 0, np.array([1, use // 4, 0], "<u4").tobytes())[use % 4 * 16 :][:16]
        own = np.array([1, use, 1], "<u4").tobytes()
        words = np.frombuffer(first + block(key, 0, own) + block(key, 1, own), "<u4")
        assert drawn == [int(word) * (2**31 - 1) >> 32 for word in words[:count]]
        if use % 3 == 1:  # the log may serve another state in between
            chance.pick(other, log, 1, 6)


def test_streams_do_not_disturb_each_other() -> None:
    state, log = fresh()
    plain = [int(chance.pick(state, log, 0, 1000)) for _ in range(20)]
    state, log = fresh()
    mixed = []
    for _ in range(20):
        chance.pick(state, log, 1, 7)
        mixed.append(int(chance.pick(state, log, 0, 1000)))
        items = np.arange(5)
        chance.shuffle(state, log, 1, items, 5)
    assert mixed == plain
    assert state.chance_count.tolist() == [20, 40]


def test_what_follows_does_not_depend_on_how_much_a_use_drew() -> None:
    later = set()
    for size in (2, 20, 60):
        state, log = fresh()
        chance.shuffle(state, log, 0, np.arange(size), size)
        later.add(int(chance.pick(state, log, 0, 10**6)))
    assert len(later) == 1


def test_a_new_log_goes_on_where_the_state_is() -> None:
    state, log = fresh()
    expected = [int(chance.pick(state, log, 0, 1000)) for _ in range(5)]
    state, _ = fresh()
    assert [int(chance.pick(state, KINDS.new_log(), 0, 1000)) for _ in range(5)] == expected


@pytest.mark.parametrize("n", [1, 2, 5, 6, 52])
def test_pick_is_uniform(n: int) -> None:
    state, log = fresh(n)
    counts = Counter(int(chance.pick(state, log, 0, n)) for _ in range(200 * n))
    assert set(counts) == set(range(n))
    assert n == 1 or stats.chisquare([counts[i] for i in range(n)]).pvalue > 1e-4


def test_pick_rejects_what_would_be_a_bias() -> None:
    # Spread over 3 * 2**29 results without rejection, 32 bits would favour two residues of three by half.
    state, log = fresh()
    counts = Counter(int(chance.pick(state, log, 0, 3 << 29)) % 3 for _ in range(6000))
    assert stats.chisquare([counts[i] for i in range(3)]).pvalue > 1e-4


def test_shuffle_is_uniform_over_orders() -> None:
    state, log = fresh()
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(4800):
        items = np.arange(4, dtype=np.int8)
        chance.shuffle(state, log, 0, items, 4)
        counts[tuple(items.tolist())] += 1
    assert set(counts) == set(permutations(range(4)))
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


def test_sample_is_a_uniform_ordered_sample_and_loses_nothing() -> None:
    state, log = fresh()
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(4000):
        items = np.arange(6, dtype=np.int8)
        chance.sample(state, log, 0, items, 5, 2)
        assert sorted(items.tolist()) == list(range(6))
        assert items[5] == 5
        counts[tuple(items[:2].tolist())] += 1
    assert set(counts) == set(permutations(range(5), 2))
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


@settings(max_examples=200)
@given(st.integers(3, chance.MOST_IN_THREES), st.lists(st.integers(0, 2**32 - 1), min_size=15, max_size=15))
def test_three_from_one_word_are_the_digits_of_one_unbiased_draw(n: int, words: list[int]) -> None:
    # Lemire's draw below the product of the limits, which is unbiased, written in their mixed radix. Word 0 is always
    # refused where the product does not divide 2**32, so the rejection runs each time.
    limits = n * (n - 1) * (n - 2)
    state, log = fresh()
    log.chance_words[:] = [0, *words]
    log.chance_position, log.chance_end = 0, 16
    accepted = [word for word in [0, *words] if word * limits % 2**32 >= 2**32 % limits]
    assume(accepted)
    first, second, third = (int(drawn) for drawn in chance._three_below(state, log, n))
    assert (first * (n - 1) + second) * (n - 2) + third == accepted[0] * limits >> 32
    assert 0 <= first < n
    assert 0 <= second < n - 1
    assert 0 <= third < n - 2


def test_nothing_to_draw_still_counts_as_a_use() -> None:
    state, log = fresh()
    items = np.zeros(1, np.int8)
    chance.shuffle(state, log, 0, items, 0)
    chance.shuffle(state, log, 0, items, 1)
    chance.sample(state, log, 0, items, 1, 0)
    assert state.chance_count.tolist() == [3, 0]


def test_script_decides_and_the_stream_is_counted_all_the_same() -> None:
    state, log = fresh()
    KINDS.write_script(log, [(0, [3, 1]), (1, [4])])
    items = np.arange(5, dtype=np.int8)
    chance.sample(state, log, 0, items, 5, 2)
    assert items[:2].tolist() == [3, 1]
    assert sorted(items.tolist()) == list(range(5))
    assert chance.pick(state, log, 1, 6) == 4
    assert (log.script_bad, log.script_used, log.script_length) == (0, 7, 7)
    assert state.chance_count.tolist() == [1, 1]


def test_script_of_another_stream_waits() -> None:
    state, log = fresh()
    twin, plain = fresh()
    KINDS.write_script(log, [(1, [4])])
    assert chance.pick(state, log, 0, 6) == chance.pick(twin, plain, 0, 6)
    assert log.script_used == 0
    assert log.script_bad == 0


@pytest.mark.parametrize("values", [[1], [1, 2, 3], [7, 1], [1, 1]])
def test_script_that_does_not_fit_is_marked(values: list[int]) -> None:
    state, log = fresh()
    KINDS.write_script(log, [(0, values)])
    chance.sample(state, log, 0, np.arange(5), 5, 2)
    assert log.script_bad == 1


@pytest.mark.parametrize("values", [[], [1, 2], [-1], [6]])
def test_script_of_a_pick_out_of_range_is_marked(values: list[int]) -> None:
    state, log = fresh()
    KINDS.write_script(log, [(0, values)])
    assert 0 <= chance.pick(state, log, 0, 6) < 6
    assert log.script_bad == 1


def test_script_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 256"):
        KINDS.write_script(KINDS.new_log(), [(0, list(range(300)))])


def test_seeds() -> None:
    assert chance.match_seed(b"x" * 32) == b"x" * 32
    assert chance.match_seed(1) == chance.match_seed("1") != chance.match_seed(2)
    assert len(chance.match_seed(None)) == 32
    assert chance.match_seed(None) != chance.match_seed(None)
    with pytest.raises(ValueError, match="32 bytes"):
        chance.match_seed(b"short")
    assert chance.commitment(b"x" * 32) == hashlib.sha256(b"x" * 32).hexdigest()
