"""Kernels: plain Python functions over records; what is called most is compiled by Numba and cached on disk.

``BACKROOM_JIT=0`` compiles nothing, with equal results: for debugging and coverage. ``BACKROOM_JIT=njit`` has Numba
compile in its ordinary way, as is done with a Numba that `backroom.engine.whole` does not know: equal results too, but
it takes longer.
"""

import logging
import os
from collections.abc import Callable
from functools import cache, update_wrapper
from pathlib import Path
from threading import RLock
from types import FunctionType
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numba.extending import typeof_impl

from backroom.engine.cache import cache_folder, can_be_kept, mark_used

__all__ = [
    "JIT",
    "Kernel",
    "kernel",
    "natural",
    "named_kernels",
    "specialise",
    "FLOAT",
    "INT",
    "INTS",
    "LONGS",
    "VOID",
    "Float",
    "Int",
    "function_type",
]

LOG = logging.getLogger(__name__)

JIT = os.environ.get("BACKROOM_JIT", "1") != "0"
"""False when ``BACKROOM_JIT=0``: kernels then run uncompiled."""

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T", bound=type)

Int: TypeAlias = Any
"""In a kernel's signature: an integer, whether Python's, NumPy's or Numba's."""
Float: TypeAlias = Any
"""In a kernel's signature: a float, likewise."""

INT, FLOAT, VOID = numba.int64, numba.float64, numba.void
INTS = numba.int32[::1]
"""A contiguous array of int32: lists of actions, scores, places."""
LONGS = numba.int64[::1]
"""A contiguous array of int64: the state of a bot's generator (`backroom.engine.rng`)."""

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
"""Numba's options for every kernel."""

LOCK = RLock()
"""Held by whoever compiles or loads."""


class Kernel:
    """A plain function that compiled code can call, too: what `kernel` makes. From Python it is the plain function."""

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.made: Any = None
        update_wrapper(self, function)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.function(*arguments, **named)

    @property
    def dispatcher(self) -> Any:
        """What Numba takes it for where compiled code calls it."""
        if self.made is None:
            self.made = _compiler().part(self.function)
        return self.made


def kernel(function: F) -> F:
    """Make a function over records callable from compiled code.

    Compiled is what `specialise` makes of it. Integer arithmetic must not rely on wrap-around: a value beyond the range
    of int64 differs between the two ways of running.
    """
    return cast(F, Kernel(cast(FunctionType, function))) if JIT else function


@typeof_impl.register(Kernel)
def _typeof_kernel(value: Kernel, context: Any) -> Any:
    return typeof_impl(value.dispatcher, context)


def named_kernels(kind: T) -> T:
    """Make a NamedTuple an argument for compiled code: one of compiled kernels, other such NamedTuples and tuples.

    All kernels of a plain tuple have one signature. Numba alone would take none of them for a function that can be
    called. The type of such an argument, for a signature, is ``numba.typeof`` of one.
    """
    if JIT:
        typeof_impl.register(kind)(_typeof_kernels)
    return kind


def _typeof_kernels(value: Any, context: Any) -> Any:
    kind: Any = type(value)  # tuples of equal kernels are equal, whatever their names
    return _kind(kind, value)


@cache
def _kind(kind: Any, value: Any) -> Any:
    # Kept, since it is asked at every call.
    if not isinstance(value, tuple):
        (signature,) = value.nopython_signatures
        return function_type(signature)
    kinds = [_typeof_kernels(one, context=None) for one in value]
    named = hasattr(value, "_fields")
    return numba.types.NamedTuple(kinds, kind) if named else numba.types.UniTuple(kinds[0], len(kinds))


def specialise(function: F, signature: Any) -> F:
    """Compile a function for one signature with all kernels it uses, or load it from the cache on disk.

    ``function`` is a kernel, or a generic loop that takes a game's kernels as arguments (`named_kernels`). Only with
    an explicit signature, in which they are first-class functions, is such code cached on disk. It releases the GIL.
    Threads may specialise and call at the same time.
    """
    if not JIT:
        return function
    plain = function.function if isinstance(function, Kernel) else function
    with LOCK:
        return cast(F, _specialised(plain, signature))


@cache
def _specialised(function: FunctionType, signature: Any) -> Any:
    return _compiler().whole(function, signature)


class Compiler(NamedTuple):
    """A way to compile: ``part`` makes what compiled code calls of a kernel, ``whole`` what Python calls."""

    part: Callable[[FunctionType], Any]
    whole: Callable[[FunctionType, Any], Any]


@cache
def _compiler() -> Compiler:
    """Our own way to compile, if it works with this Numba, else Numba's ordinary one, with a line that says so."""
    try:
        if os.environ.get("BACKROOM_JIT") == "njit":
            raise RuntimeError("BACKROOM_JIT=njit")
        from backroom.engine import whole

        if not whole.OLDEST <= numba.version_info.short <= whole.NEWEST:
            raise RuntimeError(f"Numba {numba.__version__} is not among the versions that were tested")
        own = Compiler(whole.part, whole.whole)
        _test(own)
        return own
    except Exception as problem:
        LOG.warning("rules are compiled in Numba's ordinary way, which takes longer: %s", problem)
        return Compiler(_ordinary_part, _ordinary_whole)


def _ordinary_part(function: FunctionType) -> Any:
    return numba.njit(**OPTIONS)(function)


def _ordinary_whole(function: FunctionType, signature: Any) -> Any:
    folder = cache_folder(function)
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(folder)
    try:
        if Path(function.__code__.co_filename).is_file() and can_be_kept(folder):
            mark_used(folder)
            return numba.njit([signature], cache=True, **OPTIONS)(function)
    except Exception as problem:  # what is kept may be damaged
        LOG.warning("compiled rules in %s cannot be used; %s is recompiled (%s)", folder, function.__name__, problem)
    finally:
        settings.CACHE_DIR = before
    return numba.njit([signature], **OPTIONS)(function)


@kernel
def _step(items: Any, n: Int) -> Int:
    return (n * 5 + items[n & 3]) & 0x7FFF


def _steps(items: Any, n: Int) -> Int:
    found = np.int64(0)
    for i in range(n):
        items[i & 3] = _step(items, items[i & 3])
        found += _step(items, i) * 3
    return found


def _test(compiler: Compiler) -> None:
    """RuntimeError unless a small function with a kernel in it, compiled so, does what it does in Python."""
    step = cast(Kernel, _step)
    step.made = compiler.part(step.function)
    try:
        compiled = compiler.whole(cast(FunctionType, _steps), INT(INTS, INT))
    finally:
        step.made = None
    found, expected = (np.arange(4, dtype=np.int32) for _ in range(2))
    if compiled(found, 9) != _steps(expected, 9) or (found != expected).any():
        raise RuntimeError("what was compiled in our own way gave other numbers than Python")


@kernel
def natural(n: Int) -> Int:
    """The number itself, for one from 0 to 2**31 - 1.

    Said where it is not to be seen from the code: an index that may be negative costs a check at every use, and stores
    with such checks are made one by one.
    """
    return np.int64(n) & 0x7FFFFFFF


def function_type(signature: Any) -> Any:
    """The Numba type of a first-class kernel with this signature, for use in other signatures."""
    return numba.types.FunctionType(signature)
