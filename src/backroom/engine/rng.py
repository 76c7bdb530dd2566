"""The generator for everything that is not the match's own chance: bots, resampling, playouts.

It is Chris Doty-Humphrey's sfc32 (PractRand): four words of 32 bits. The arithmetic stays within int64, so that
compiled and plain Python runs give the same numbers. State: an int64 array of length 4, made by `generator`.
"""

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backroom.engine.kernel import Float, Int, kernel, natural

__all__ = ["generator", "reseed", "next_word", "below", "uniform"]

MASK = 0xFFFFFFFF


def generator(seed: int | bytes | str, *address: int | str) -> NDArray[np.int64]:
    """A generator of its own for each seed and address, e.g. ``generator(7, "bot", 2)``. Shape (4,), int64."""
    text = repr((seed, *address)).encode()
    words = np.frombuffer(hashlib.sha256(text).digest()[:16], dtype="<u4")
    return words.astype(np.int64)


@kernel
def next_word(rng: Any) -> Int:
    """The next 32 random bits as an integer 0 .. 2**32 - 1."""
    word, rng[0], rng[1], rng[2], rng[3] = _round(rng[0], rng[1], rng[2], rng[3])
    return word


@kernel
def _round(a: Int, b: Int, c: Int, counter: Int) -> tuple[Int, Int, Int, Int, Int]:
    """The next word, and the four words of the state behind it."""
    word = (a + b + counter) & MASK
    return word, b ^ (b >> 9), (c + (c << 3)) & MASK, (((c << 21) | (c >> 11)) + word) & MASK, (counter + 1) & MASK


@kernel
def below(rng: Any, n: Int) -> Int:
    """An unbiased integer 0 .. n - 1 for 1 <= n < 2**31 (Lemire 2019, multiplication with rejection)."""
    n = natural(n)
    product = next_word(rng) * n
    low = product & MASK
    if low < n:
        threshold = (MASK + 1 - n) % n
        while low < threshold:
            product = next_word(rng) * n
            low = product & MASK
    return product >> 32


@kernel
def uniform(rng: Any) -> Float:
    """A float in [0, 1) with 32 random bits."""
    return next_word(rng) / 4294967296.0


@kernel
def reseed(rng: Any, seed: Int, index: Int) -> None:
    """Set a generator from two integers below 2**63, for loops that need one stream a game; 16 rounds are discarded."""
    a, b, c, counter = seed & MASK, (seed >> 32) & MASK, index & MASK, ((index >> 32) & MASK) + 1
    for _ in range(16):
        _, a, b, c, counter = _round(a, b, c, counter)
    rng[0], rng[1], rng[2], rng[3] = a, b, c, counter
