"""Kernels: plain Python functions over records, compiled by Numba and cached on disk.

``BACKROOM_JIT=0`` leaves every kernel as the Python function it is, with equal results: for debugging and coverage.
"""

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import numba

__all__ = [
    "JIT",
    "kernel",
    "specialise",
    "FLOAT",
    "INT",
    "INTS",
    "LONGS",
    "VOID",
    "Float",
    "Int",
    "function_type",
    "prune_cache",
]

JIT = os.environ.get("BACKROOM_JIT", "1") != "0"
"""False when ``BACKROOM_JIT=0``: kernels then run uncompiled."""

F = TypeVar("F", bound=Callable[..., Any])

Int: TypeAlias = Any
"""In a kernel's signature: an integer, whether Python's, NumPy's or Numba's."""
Float: TypeAlias = Any
"""In a kernel's signature: a float, likewise."""

INT, FLOAT, VOID = numba.int64, numba.float64, numba.void
INTS = numba.int32[::1]
"""A contiguous array of int32: lists of actions, scores, places."""
LONGS = numba.int64[::1]
"""A contiguous array of int64: the state of a bot's generator (`backroom.engine.rng`)."""


TEXT_MODULES = ("notation.py", "match.py", "examples.py")


def cache_root() -> Path:
    """Where compiled kernels are kept: ``BACKROOM_CACHE`` or the user's cache folder."""
    configured = os.environ.get("BACKROOM_CACHE")
    if configured:
        return Path(configured)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "backroom"


@cache
def _digest(folder: Path) -> str:
    """Digest of the sources a kernel of this folder can call: its own folder and the engine.

    Numba notices a change of the file a kernel stands in, but not of the files that file imports; so each state of
    the sources gets a cache folder of its own. Modules about text are left out: no kernel imports them.
    """
    engine = Path(__file__).parent
    digest = hashlib.sha256(numba.__version__.encode())
    for part in sorted({engine, folder}):
        for source in sorted([*part.glob("*.py"), *part.glob("*.toml")]):
            content = source.read_bytes()
            about_text = part.parent.name == "games" and b"\nfrom backroom.engine.notation import" in content
            if source.name not in TEXT_MODULES and not about_text:
                digest.update(source.name.encode() + content)
    return digest.hexdigest()[:16]


def cache_folder(function: Callable[..., Any]) -> Path:
    """Where the compiled versions of a kernel are kept for this state of the sources."""
    folder = Path(getattr(function, "py_func", function).__code__.co_filename).resolve().parent
    return cache_root() / f"{folder.parent.name}.{folder.name}-{_digest(folder)}"


def _compile(function: F, signatures: list[Any] | None) -> F:
    settings: Any = numba.config
    settings.CACHE_DIR = str(cache_folder(function))
    options: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}
    compiled: Any = numba.njit(signatures, **options)(function)
    _share_versions(compiled)
    return cast(F, compiled)


def _share_versions(compiled: Any) -> None:
    """Let calls with any constants and any sizes of integers share one compilation of a kernel.

    Numba would compile a kernel anew for each combination of argument types it is called with (a field of int8, an
    int64, a constant, a default left out) and link every version into every caller; that multiplies the time to
    compile a game and gains nothing.
    """
    plain = compiled.get_call_template
    unliteral: Any = numba.types.unliteral

    def widened(kind: Any) -> Any:
        kind = unliteral(kind)
        keep = kind in (numba.types.uint32, numba.types.uint64) or not isinstance(kind, numba.types.Integer)
        return kind if keep else INT

    def call_template(args: Any, kws: Any) -> Any:
        _, folded = compiled._compiler.fold_argument_types(args, kws)
        return plain(tuple(widened(kind) for kind in folded), {})

    compiled.get_call_template = call_template


def kernel(function: F) -> F:
    """Compile a function over records on its first call. It must run unchanged as plain Python too.

    Compiled kernels release the GIL. Integer arithmetic must not rely on wrap-around: a value beyond the range of
    int64 differs between the two ways of running.
    """
    return _compile(function, None) if JIT else function


def specialise(function: F, signature: Any) -> F:
    """Compile a generic loop for one game.

    ``function`` takes a game's kernels as arguments. Only with an explicit signature, in which they are first-class
    functions, is such code cached on disk; ``signature`` comes from ``Game.signature``.
    """
    return _compile(function, [signature]) if JIT else function


def function_type(signature: Any) -> Any:
    """The Numba type of a first-class kernel with this signature, for use in other signatures."""
    return numba.types.FunctionType(signature)


def prune_cache() -> None:
    """Delete compiled kernels of older states of the sources that have not been used for 30 days."""
    import shutil
    import time

    root = cache_root()
    if not root.is_dir():
        return
    for folder in root.iterdir():
        if folder.is_dir() and time.time() - folder.stat().st_atime > 30 * 86400:
            shutil.rmtree(folder, ignore_errors=True)
