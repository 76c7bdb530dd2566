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
from backroom.engine.kernel import JIT, VOID, specialise

__all__ = ["game_key", "game_keys"]

LANES = 32
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


def _digests(begin: Any, length: Any, numbers: Any, words: Any, v: Any, out: Any) -> None:
    # ``begin`` is the text before the number as the block's words, ``length`` its bytes.
    for first in range(0, numbers.shape[0], LANES):
        for lane in range(LANES):
            for t in range(16):
                words[t * LANES + lane] = begin[t]
            number = np.uint64(numbers[min(first + lane, numbers.shape[0] - 1)])
            end, left = length + 1, number // TEN
            while left > 0:
                end, left = end + 1, left // TEN
            for at in range(end - 1, length - 1, -1):
                words[(at >> 2) * LANES + lane] |= np.uint32(
                    np.uint32(48 + number % TEN) << np.uint32(24 - 8 * (at & 3))
                )
                number //= TEN
            words[(end >> 2) * LANES + lane] |= np.uint32(128 << (24 - 8 * (end & 3)))
            words[15 * LANES + lane] = end * 8
        for t in range(16, 64):
            for lane in range(LANES):
                x, y = words[(t - 15) * LANES + lane], words[(t - 2) * LANES + lane]
                small = ((x >> 7) | (x << 25)) ^ ((x >> 18) | (x << 14)) ^ (x >> 3)
                large = ((y >> 17) | (y << 15)) ^ ((y >> 19) | (y << 13)) ^ (y >> 10)
                words[t * LANES + lane] = np.uint32(
                    words[(t - 16) * LANES + lane] + np.uint32(small) + words[(t - 7) * LANES + lane] + np.uint32(large)
                )
        for i in range(8):
            for lane in range(LANES):
                v[i * LANES + lane] = START[i]
        for t in range(64):
            for lane in range(LANES):
                a, b, c, e = v[0 * LANES + lane], v[1 * LANES + lane], v[2 * LANES + lane], v[4 * LANES + lane]
                high = np.uint32(((e >> 6) | (e << 26)) ^ ((e >> 11) | (e << 21)) ^ ((e >> 25) | (e << 7)))
                chosen = np.uint32((e & v[5 * LANES + lane]) ^ (~e & v[6 * LANES + lane]))
                one = np.uint32(v[7 * LANES + lane] + high + chosen + ROUND[t] + words[t * LANES + lane])
                low = np.uint32(((a >> 2) | (a << 30)) ^ ((a >> 13) | (a << 19)) ^ ((a >> 22) | (a << 10)))
                two = np.uint32(low + np.uint32((a & b) ^ (a & c) ^ (b & c)))
                v[7 * LANES + lane], v[6 * LANES + lane], v[5 * LANES + lane] = (
                    v[6 * LANES + lane],
                    v[5 * LANES + lane],
                    e,
                )
                v[4 * LANES + lane] = np.uint32(v[3 * LANES + lane] + one)
                v[3 * LANES + lane], v[2 * LANES + lane], v[1 * LANES + lane] = c, b, a
                v[0 * LANES + lane] = np.uint32(one + two)
        for lane in range(min(LANES, numbers.shape[0] - first)):
            for i in range(8):
                word = np.uint32(v[i * LANES + lane] + START[i])
                # The digest is the words' bytes, highest first; a key is read lowest first.
                out[first + lane, i] = np.uint32(
                    (word >> 24) | ((word >> 8) & 0xFF00) | ((word & 0xFF00) << 8) | (word << 24)
                )


@cache
def _loop() -> Any:
    row, table = numba.uint32[::1], numba.uint32[:, ::1]
    return specialise(_digests, VOID(row, numba.int64, numba.int64[::1], row, row, table))


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
    words, v = np.empty(64 * LANES, np.uint32), np.empty(8 * LANES, np.uint32)
    wanted = np.arange(numbers.start, numbers.stop) if isinstance(numbers, range) else np.array(numbers, np.int64)
    _loop()(begin, len(text), wanted, words, v, out)
    return out
