"""Actions: dense integers from named families; rules, notation, masks and adapters share one numbering."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from backroom.engine.kernel import Int, kernel, natural

__all__ = ["Actions", "Family", "actions", "family"]


def _encoder(first: int, shape: tuple[int, ...]) -> Any:
    if len(shape) == 0:

        @kernel
        def encode() -> Int:
            return first

        return encode
    if len(shape) == 1:

        @kernel
        def encode_one(i: Int) -> Int:
            return first + i

        return encode_one
    if len(shape) == 2:
        width = shape[1]

        @kernel
        def encode_two(i: Int, j: Int) -> Int:
            return first + i * width + j

        return encode_two
    width, depth = shape[1], shape[2]

    @kernel
    def encode_three(i: Int, j: Int, k: Int) -> Int:
        return first + (i * width + j) * depth + k

    return encode_three


def _decoder(first: int, shape: tuple[int, ...]) -> Any:
    if len(shape) <= 1:

        @kernel
        def decode_one(action: Int) -> Int:
            return natural(action - first)

        return decode_one
    if len(shape) == 2:
        width = shape[1]

        @kernel
        def decode_two(action: Int) -> tuple[Int, Int]:
            number = natural(action - first)
            return number // width, number % width

        return decode_two
    width, depth = shape[1], shape[2]

    @kernel
    def decode_three(action: Int) -> tuple[Int, Int, Int]:
        number = natural(action - first)
        return number // (width * depth), number // depth % width, number % depth

    return decode_three


@dataclass(frozen=True)
class Family:
    """A family of actions with up to three indices: numbers ``first`` to ``stop - 1``.

    ``encode(i, j, k)`` and ``decode(action)`` (one number for up to one index, else a tuple) are kernels: bind them
    to module names to use them inside other kernels.
    """

    name: str
    shape: tuple[int, ...]
    first: int = 0
    encode: Any = None
    decode: Any = None

    @cached_property
    def count(self) -> int:
        """How many actions the family has."""
        return math.prod(self.shape)

    @cached_property
    def stop(self) -> int:
        """One past the family's last action."""
        return self.first + self.count

    def __contains__(self, action: int) -> bool:
        return self.first <= action < self.stop


class Actions:
    """A game's families, each an attribute, in order of declaration. Made by `actions`."""

    def __init__(self, shapes: dict[str, tuple[int, ...]]) -> None:
        self.families: list[Family] = []
        first = 0
        for name, shape in shapes.items():
            made = Family(name, shape, first, _encoder(first, shape), _decoder(first, shape))
            self.families.append(made)
            first = made.stop
        self.count = first
        self._named = {made.name: made for made in self.families}

    def __getattr__(self, name: str) -> Family:
        try:
            return self.__dict__["_named"][name]
        except KeyError:
            raise AttributeError(f"no family of actions named {name!r}") from None

    def family(self, action: int) -> Family:
        """The family an action belongs to. IndexError when it is no action of this game."""
        for made in self.families:
            if action in made:
                return made
        raise IndexError(f"actions run from 0 to {self.count - 1}, so {action} is none")

    def indices(self, action: int) -> tuple[int, ...]:
        """The action's indices within its family."""
        made = self.family(action)
        return tuple(int(i) for i in np.unravel_index(action - made.first, made.shape)) if made.shape else ()


def family(*shape: int) -> tuple[int, ...]:
    """Declare a family by the sizes of its indices (none: a single action; at most three)."""
    if len(shape) > 3:
        raise ValueError("a family has at most three indices; split it or combine two of them")
    return shape


def actions(**families: tuple[int, ...]) -> Actions:
    """Declare a game's families of actions: ``actions(take=family(8, 7), decline=family())``."""
    return Actions(families)
