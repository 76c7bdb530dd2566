"""Addressed chance: every source of chance in a match is a stream of its own, keyed by the match seed.

The match seed (32 bytes) is the key of ChaCha20 (RFC 8439); the nonce is the address: the stream, and how often it
has been used in this match. So the second reshuffle is the same whatever happened in between, anybody can recompute it
with any ChaCha20 library once the seed is shown, and nothing else (bots, rendering, resampling) can move it.

Most uses need a word or two, so four uses in a row begin in one block, with four words each: use u of stream x has
words 4 (u mod 4) to 4 (u mod 4) + 3 of block 0 under the nonce (x, u div 4, 0). Whatever it needs beyond them is a key
stream of its own, from block 0 on under the nonce (x, u, 1).

Chance kernels take the game's log record (`backroom.engine.events`) for two reasons: it holds the block of random
words in use, and a worked example can script what chance brings in it.
"""

import hashlib
import secrets as _secrets
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.engine.kernel import Int, kernel, natural

__all__ = ["below", "commitment", "match_seed", "open_stream", "pick", "sample", "set_key", "shuffle"]

MASK = 0xFFFFFFFF
SHARED = 4
"""Uses of a stream that begin in one block."""
FIRST_WORDS = 16 // SHARED


SEED_TEXT = "backroom match seed "
"""The prefix hashed before a seed that is an integer or text."""


def match_seed(seed: int | str | bytes | None = None) -> bytes:
    """A match's 256-bit seed: 32 bytes as they are, hashed from an integer or text, or drawn from the system."""
    if seed is None:
        return _secrets.token_bytes(32)
    if isinstance(seed, bytes):
        if len(seed) != 32:
            raise ValueError(f"a match seed has 32 bytes, not {len(seed)}")
        return seed
    return hashlib.sha256(f"{SEED_TEXT}{seed}".encode()).digest()


def commitment(seed: bytes) -> str:
    """SHA-256 of the match seed in hexadecimal: shown from the start, so that the shuffle can be checked at the end."""
    return hashlib.sha256(seed).hexdigest()


def set_key(state: object, seed: bytes) -> None:
    """Put the match seed into a state's header."""
    key: NDArray[np.uint32] = state.chance_key  # type: ignore[attr-defined]
    key[:] = np.frombuffer(seed, "<u4")


@kernel
def _word(value: Int) -> Int:
    """The low 32 bits, as a word: machine words of that size are what ChaCha is made for."""
    return np.uint32(np.int64(value) & MASK)


@kernel
def _sum(a: Int, b: Int) -> Int:
    return np.uint32((np.int64(a) + np.int64(b)) & MASK)


@kernel
def _turn(a: Int, left: Int) -> Int:
    return np.uint32(((np.int64(a) << left) | (np.int64(a) >> (32 - left))) & MASK)


@kernel
def _quarter(a: Int, b: Int, c: Int, d: Int) -> tuple[Int, Int, Int, Int]:
    a = _sum(a, b)
    d = _turn(d ^ a, 16)
    c = _sum(c, d)
    b = _turn(b ^ c, 12)
    a = _sum(a, b)
    d = _turn(d ^ a, 8)
    c = _sum(c, d)
    b = _turn(b ^ c, 7)
    return a, b, c, d


@kernel
def block(key: Any, counter: Int, n0: Int, n1: Int, n2: Int, out: Any) -> None:
    """One block of ChaCha20: key uint32[8], block counter and three nonce words; 16 words into ``out`` (uint32[16])."""
    x0, x1, x2, x3 = _word(0x61707865), _word(0x3320646E), _word(0x79622D32), _word(0x6B206574)
    x4, x5, x6, x7 = key[0], key[1], key[2], key[3]
    x8, x9, x10, x11 = key[4], key[5], key[6], key[7]
    x12, x13, x14, x15 = _word(counter), _word(n0), _word(n1), _word(n2)
    for _ in range(10):
        x0, x4, x8, x12 = _quarter(x0, x4, x8, x12)
        x1, x5, x9, x13 = _quarter(x1, x5, x9, x13)
        x2, x6, x10, x14 = _quarter(x2, x6, x10, x14)
        x3, x7, x11, x15 = _quarter(x3, x7, x11, x15)
        x0, x5, x10, x15 = _quarter(x0, x5, x10, x15)
        x1, x6, x11, x12 = _quarter(x1, x6, x11, x12)
        x2, x7, x8, x13 = _quarter(x2, x7, x8, x13)
        x3, x4, x9, x14 = _quarter(x3, x4, x9, x14)
    out[0], out[1] = _sum(x0, 0x61707865), _sum(x1, 0x3320646E)
    out[2], out[3] = _sum(x2, 0x79622D32), _sum(x3, 0x6B206574)
    out[4], out[5], out[6], out[7] = _sum(x4, key[0]), _sum(x5, key[1]), _sum(x6, key[2]), _sum(x7, key[3])
    out[8], out[9], out[10], out[11] = _sum(x8, key[4]), _sum(x9, key[5]), _sum(x10, key[6]), _sum(x11, key[7])
    out[12], out[13], out[14], out[15] = _sum(x12, counter), _sum(x13, n0), _sum(x14, n1), _sum(x15, n2)


@kernel
def open_stream(s: Any, log: Any, stream: Int) -> None:
    """Begin the next use of a stream (its index among the record's ``streams``); `below` then draws from it."""
    use = natural(s.chance_count[stream])
    s.chance_count[stream] = use + 1
    kept = log.chance_shared == use // SHARED and log.chance_stream == stream
    for i in range(8):
        kept = kept and log.chance_key[i] == s.chance_key[i]
    if not kept:
        block(s.chance_key, 0, stream, use // SHARED, 0, log.chance_words)
        log.chance_shared = use // SHARED
        log.chance_stream = stream
        for i in range(8):
            log.chance_key[i] = s.chance_key[i]
    log.chance_use = use
    log.chance_block = 0
    log.chance_position = FIRST_WORDS * (use % SHARED)
    log.chance_end = log.chance_position + FIRST_WORDS


@kernel
def _next_word(s: Any, log: Any) -> Int:
    if log.chance_position == log.chance_end:
        block(s.chance_key, log.chance_block, log.chance_stream, log.chance_use, 1, log.chance_words)
        log.chance_shared = -1
        log.chance_block = log.chance_block + 1
        log.chance_position = 0
        log.chance_end = 16
    position = natural(log.chance_position)
    log.chance_position = position + 1
    return np.int64(log.chance_words[position])


@kernel
def below(s: Any, log: Any, n: Int) -> Int:
    """An unbiased integer 0 .. n - 1 (1 <= n < 2**31) from the open stream (Lemire 2019)."""
    n = natural(n)
    product = _next_word(s, log) * n
    low = product & MASK
    if low < n:
        threshold = (MASK + 1 - n) % n
        while low < threshold:
            product = _next_word(s, log) * n
            low = product & MASK
    return product >> 32


MOST_IN_THREES = 512
"""The most things of which three are drawn with one word: its product of limits must stay well below 2**32."""


@kernel
def _three_below(s: Any, log: Any, n: Int) -> tuple[Int, Int, Int]:
    """Unbiased integers below n, n - 1 and n - 2 (3 <= n <= MOST_IN_THREES) from one word of the open stream.

    Each multiplication leaves in its low half what the next one draws from; rejection is by the last, with the
    product of the three limits in place of one (Brackett-Rozinsky and Lemire 2024, batched ranged random integers).
    """
    limits = n * (n - 1) * (n - 2)
    threshold = np.int64(-1)
    while True:
        first = _next_word(s, log) * n
        second = (first & MASK) * (n - 1)
        third = (second & MASK) * (n - 2)
        low = third & MASK
        if low < limits and threshold < 0:
            threshold = (MASK + 1 - limits) % limits
        if low >= threshold:
            return first >> 32, second >> 32, third >> 32


@kernel
def _scripted(log: Any, stream: Int, items: Any, n: Int, m: Int) -> bool:
    # A script is a row of segments: stream, number of values, values. Only the next one can be used.
    at = log.script_used
    if at >= log.script_length or log.script[at] != stream:
        return False
    if log.script[at + 1] != m:
        log.script_bad = 1
        return False
    for i in range(m):
        value = log.script[at + 2 + i]
        j = i
        while j < n and items[j] != value:
            j += 1
        if j == n:
            log.script_bad = 1
            return False
        items[j] = items[i]
        items[i] = value
    log.script_used = at + 2 + m
    return True


@kernel
def sample(s: Any, log: Any, stream: Int, items: Any, n: Int, m: Int) -> None:
    """Draw ``m`` of the first ``n`` items without putting back: a uniform ordered sample ends in ``items[:m]``.

    The steps of Fisher and Yates, three with one word where three are left: they cost most of a short game's set-up.
    Uses the stream once. A script segment for this stream decides instead, if it is the next one.
    """
    open_stream(s, log, stream)
    if _scripted(log, stream, items, n, m):
        return
    n, i = natural(n), np.int64(0)
    drawn = min(natural(m), n - 1)
    while i < drawn:
        if i + 3 <= drawn and n <= MOST_IN_THREES:
            first, second, third = _three_below(s, log, n - i)
            _exchange(items, i, i + first)
            _exchange(items, i + 1, i + 1 + second)
            _exchange(items, i + 2, i + 2 + third)
            i += 3
        else:
            _exchange(items, i, i + below(s, log, n - i))
            i += 1


@kernel
def _exchange(items: Any, i: Int, j: Int) -> None:
    kept = items[i]
    items[i] = items[j]
    items[j] = kept


@kernel
def shuffle(s: Any, log: Any, stream: Int, items: Any, n: Int) -> None:
    """Put the first ``n`` items into uniformly random order, using the stream once."""
    sample(s, log, stream, items, n, n)


@kernel
def pick(s: Any, log: Any, stream: Int, n: Int) -> Int:
    """A uniform integer 0 .. n - 1, using the stream once: coins, random choices. A script segment holds the result."""
    open_stream(s, log, stream)
    at = log.script_used
    if at < log.script_length and log.script[at] == stream:
        if log.script[at + 1] != 1 or log.script[at + 2] < 0 or log.script[at + 2] >= n:
            log.script_bad = 1
        else:
            log.script_used = at + 3
            return np.int64(log.script[at + 2])
    return below(s, log, n)
