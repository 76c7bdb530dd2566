"""The match seeds of many games of a run at once: SHA-256 (FIPS 180-4) of numbered texts, many side by side.

A short game takes less time than Python's hashlib takes for its seed. Here each step is made for LANES texts in one
loop that the compiler turns into vector instructions.
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from backroom.engine import chance
from backroom.engine.kernel import JIT, VOID, Int, kernel, specialise

__all__ = ["game_key", "game_keys"]

LANES = 16
"""Texts hashed side by side."""
TEN = np.uint64(10)
LONGEST = 55
"""Bytes of the longest text that fits into one block."""


def _roots(power: int) -> list[int]:
    # The first 32 bits of the fractions of the square (cube) roots of the primes, by which SHA-256 is defined.
    primes = [n for n in range(2, 312) if all(n % d for d in range(2, n))]
    found = []
    for prime in primes:
        root, scaled = 1 << 40, prime << (32 * power)
        while True:  # Newton's iteration, in whole numbers
            lower = ((power - 1) * root + scaled // root ** (power - 1)) // power
            if lower >= root:
                break
            root = lower
        found.append(root & 0xFFFFFFFF)
    return found


START = np.array(_roots(2)[:8], np.uint32)
ROUND = np.array(_roots(3), np.uint32)


@kernel
def _turned(x: Int, right: Int) -> Int:
    return np.uint32((x >> right) | (x << (32 - right)))


@kernel
def _round(a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, word: Int) -> tuple[Int, Int]:
    """The new ``d`` and ``h`` after a round; ``word`` includes the round's constant."""
    one = np.uint32(h + (_turned(e, 6) ^ _turned(e, 11) ^ _turned(e, 25)) + ((e & f) ^ (~e & g)) + word)
    two = np.uint32((_turned(a, 2) ^ _turned(a, 13) ^ _turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c)))
    return np.uint32(d + one), np.uint32(one + two)


@kernel
def _scheduled(w: Any, t: Int, lane: Int) -> Int:
    """Word ``t`` of a lane's schedule, by those before."""
    x, y = w[(t - 15) * LANES + lane], w[(t - 2) * LANES + lane]
    small = _turned(x, 7) ^ _turned(x, 18) ^ (x >> 3)
    large = _turned(y, 17) ^ _turned(y, 19) ^ (y >> 10)
    return np.uint32(w[(t - 16) * LANES + lane] + small + w[(t - 7) * LANES + lane] + large)


def _digests(begin: Any, length: Any, numbers: Any, w: Any, out: Any) -> None:
    # ``begin`` is the text before the number as the block's words, ``length`` its bytes. A row of ``w`` is a word of
    # all lanes: 64 of the schedule, then the 8 of the state.
    for first in range(0, numbers.shape[0], LANES):
        for lane in range(LANES):
            for t in range(16):
                w[t * LANES + lane] = begin[t]
            number = np.uint64(numbers[min(first + lane, numbers.shape[0] - 1)])
            end, left = length + 1, number // TEN
            while left > 0:
                end, left = end + 1, left // TEN
            for at in range(end - 1, length - 1, -1):
                w[(at >> 2) * LANES + lane] |= np.uint32(np.uint32(48 + number % TEN) << np.uint32(24 - 8 * (at & 3)))
                number //= TEN
            w[(end >> 2) * LANES + lane] |= np.uint32(128 << (24 - 8 * (end & 3)))
            w[15 * LANES + lane] = end * 8
        for t in range(16, 64):
            for lane in range(LANES):
                w[t * LANES + lane] = _scheduled(w, t, lane)
        for i in range(8):
            for lane in range(LANES):
                w[(64 + i) * LANES + lane] = START[i]
        for t in range(0, 64, 8):
            for lane in range(LANES):
                a, b, c, d = w[64 * LANES + lane], w[65 * LANES + lane], w[66 * LANES + lane], w[67 * LANES + lane]
                e, f, g, h = w[68 * LANES + lane], w[69 * LANES + lane], w[70 * LANES + lane], w[71 * LANES + lane]
                d, h = _round(a, b, c, d, e, f, g, h, w[t * LANES + lane] + ROUND[t])
                c, g = _round(h, a, b, c, d, e, f, g, w[(t + 1) * LANES + lane] + ROUND[t + 1])
                b, f = _round(g, h, a, b, c, d, e, f, w[(t + 2) * LANES + lane] + ROUND[t + 2])
                a, e = _round(f, g, h, a, b, c, d, e, w[(t + 3) * LANES + lane] + ROUND[t + 3])
                h, d = _round(e, f, g, h, a, b, c, d, w[(t + 4) * LANES + lane] + ROUND[t + 4])
                g, c = _round(d, e, f, g, h, a, b, c, w[(t + 5) * LANES + lane] + ROUND[t + 5])
                f, b = _round(c, d, e, f, g, h, a, b, w[(t + 6) * LANES + lane] + ROUND[t + 6])
                e, a = _round(b, c, d, e, f, g, h, a, w[(t + 7) * LANES + lane] + ROUND[t + 7])
                w[64 * LANES + lane], w[65 * LANES + lane], w[66 * LANES + lane], w[67 * LANES + lane] = a, b, c, d
                w[68 * LANES + lane], w[69 * LANES + lane], w[70 * LANES + lane], w[71 * LANES + lane] = e, f, g, h
        for lane in range(min(LANES, numbers.shape[0] - first)):
            for i in range(8):
                word = np.uint32(w[(64 + i) * LANES + lane] + START[i])
                # The digest is the words' bytes, highest first; a key is read lowest first.
                out[first + lane, i] = np.uint32(
                    (word >> 24) | ((word >> 8) & 0xFF00) | ((word & 0xFF00) << 8) | (word << 24)
                )


@cache
def _loop() -> Any:
    row, table = numba.uint32[::1], numba.uint32[:, ::1]
    return specialise(_digests, VOID(row, numba.int64, numba.int64[::1], row, table))


def game_key(seed: int, number: int) -> bytes:
    """The match seed (32 bytes) of one game of a run."""
    return chance.match_seed(f"{seed}/{number}")


def game_keys(seed: int, numbers: Sequence[int]) -> NDArray[np.uint32]:
    """`game_key` of many games (numbers 0 .. 2**63 - 1), a row of 8 words each."""
    text = f"{chance.SEED_TEXT}{seed}/".encode()
    if not JIT or len(text) + 19 > LONGEST:
        keys = b"".join([hashlib.sha256(b"%b%d" % (text, number)).digest() for number in numbers])
        return np.frombuffer(keys, "<u4").reshape(-1, 8).astype(np.uint32)
    begin = np.frombuffer(text.ljust(64, b"\0"), ">u4").astype(np.uint32)
    out = np.empty((len(numbers), 8), np.uint32)
    wanted = np.arange(numbers.start, numbers.stop) if isinstance(numbers, range) else np.array(numbers, np.int64)
    _loop()(begin, len(text), wanted, np.empty(72 * LANES, np.uint32), out)
    return out
