"""Kernels: plain Python functions over records; what is called most is compiled by Numba and cached on disk.

``BACKROOM_JIT=0`` compiles nothing, with equal results: for debugging and coverage.
"""

import gc
import hashlib
import logging
import os
import pickle
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, wraps
from pathlib import Path
from types import FunctionType
from typing import Any, TypeAlias, TypeVar, cast
from uuid import uuid4

import numba
import numpy as np
from llvmlite.binding import Linkage, parse_assembly
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.typing.templates import make_concrete_template
from numba.extending import typeof_impl

__all__ = [
    "JIT",
    "kernel",
    "natural",
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

LOG = logging.getLogger(__name__)

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
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "backroom"
    except RuntimeError:  # a user without a home
        return Path(os.devnull) / "backroom"  # where nothing can be kept


def can_be_kept(folder: Path) -> bool:
    """Whether compiled kernels can be written to a folder; it is made where there is none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


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
    folder = Path(function.__code__.co_filename).resolve().parent
    return cache_root() / f"{folder.parent.name}.{folder.name}-{_digest(folder)}"


UNUSED_PASSES = {
    untyped_passes.WithLifting, untyped_passes.InlineClosureLikes, untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.RewriteDynamicRaises, untyped_passes.InlineInlinables, untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll, untyped_passes.LiteralPropagationSubPipelinePass, typed_passes.NopythonRewrites,
    typed_passes.AnnotateTypes, typed_passes.DumpParforDiagnostics,
}  # fmt: skip
"""Passes of Numba for what no kernel has: closures, errors, objects, literal arguments, sums of whole arrays."""

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Make a function over records callable from compiled code. It stays the plain Python function it is, too.

    Compiled is what `specialise` makes of it. Integer arithmetic must not rely on wrap-around: a value beyond the range
    of int64 differs between the two ways of running.
    """
    function.part = None  # type: ignore[attr-defined]
    return function


@typeof_impl.register(FunctionType)
def _typeof_function(function: Any, context: Any) -> Any:
    """What Numba takes a function for where compiled code calls it: for a kernel, one of `_part`."""
    if not hasattr(function, "part"):
        return typeof_impl.dispatch(object)(function, context)
    if function.part is None:
        function.part = _part(function)
    return numba.types.Dispatcher(function.part)


def specialise(function: F, signature: Any) -> F:
    """Compile a function for one signature with all kernels it uses, or load it from the cache on disk.

    ``function`` is a kernel, or a generic loop that takes a game's kernels as arguments. Only with an explicit
    signature, in which they are first-class functions, is such code cached on disk. It releases the GIL. Threads may
    specialise and call at the same time: whatever compiles or types does so under Numba's own lock.
    """
    if not JIT:
        return function
    with global_compiler_lock:
        return cast(F, _specialised(function, signature))


@cache
def _specialised(function: Any, signature: Any) -> Any:
    compiled: Any = numba.njit(pipeline_class=_WholeCompiler, **OPTIONS)(function)
    compiled._cache = _Kept(function)
    # What a call of new types looks up changes while another thread compiles.
    compiled.typeof_pyval = _under_lock(compiled.typeof_pyval)
    compiled._search_new_conversions = _under_lock(compiled._search_new_conversions)
    collecting = gc.isenabled()
    gc.disable()  # what the compiler makes is nearly all kept to its end: looking for rubbish takes a tenth of its time
    try:
        compiled.compile(signature)
    finally:
        if collecting:
            gc.enable()
    compiled.disable_compile()
    return compiled


def _under_lock(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def locked(*arguments: Any) -> Any:
        with global_compiler_lock:
            return method(*arguments)

    return locked


class _Kept:
    """The compiled versions of one function on disk, a file a signature: what Numba takes for its cache.

    A file begins with the SHA-256 of the rest, so that one which was cut off, changed or put there from elsewhere is
    not run; it is compiled anew and replaced. Files are written under another name first, so that neither a kill nor a
    second process leaves half of one. Where nothing can be written, nothing is kept.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.folder = cache_folder(function)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled function, or None where there is none that can be used."""
        # Not refreshed as by Numba's own cache: a compilation needs the types and code of all that Numba knows, this
        # does not.
        rtsys.initialize(context)
        path, key = self._place(signature, context)
        try:
            data = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as problem:
            _tell(self.folder, "cannot be read", problem)
            return None
        try:
            if hashlib.sha256(data[DIGEST:]).digest() != data[:DIGEST]:
                raise ValueError("damaged")
            kept, reduced = pickle.loads(data[DIGEST:])
            if kept != key:
                raise ValueError("of another function")
            return CompileResult._rebuild(context, *reduced)
        except Exception as problem:
            _tell(self.folder, "held what cannot be loaded; it is compiled anew", f"{path.name}: {problem}")
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled, if that can be done."""
        if compiled.library.has_dynamic_globals:
            LOG.warning("%s holds addresses of this process, so it is not kept", self.function.__qualname__)
            return
        path, key = self._place(signature, compiled.target_context)
        body = dumps((key, compiled._reduce()))
        unfinished = self.folder / f"{UNFINISHED}{uuid4().hex}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                unfinished.write_bytes(hashlib.sha256(body).digest() + body)
                unfinished.replace(path)
            finally:
                unfinished.unlink(missing_ok=True)
        except OSError as problem:
            _tell(self.folder, "cannot be written, so rules are compiled at every start", problem)

    def _place(self, signature: Any, context: Any) -> tuple[Path, str]:
        """The file of a signature, and what is in it: function, signature, processor and Python."""
        function = self.function
        bound = [cell.cell_contents for cell in function.__closure__ or ()]
        code = hashlib.sha256(function.__code__.co_code + (dumps(bound) if bound else b"")).hexdigest()
        name = f"{Path(function.__code__.co_filename).stem}.{function.__qualname__}"
        where = sys.implementation.cache_tag, context.codegen().magic_tuple()
        key = repr((name, function.__code__.co_firstlineno, code, signature, where))
        readable = re.sub(r"[^\w.-]", "", name)
        return self.folder / f"{readable}-{hashlib.sha256(key.encode()).hexdigest()[:16]}{SUFFIX}", key


DIGEST = hashlib.sha256().digest_size
SUFFIX, UNFINISHED = ".kernel", "unfinished-"


def _tell(folder: Path, what: str, why: object) -> None:
    """One line a process for each thing that can be wrong with a folder."""
    if (folder, what) not in TOLD:
        TOLD.add((folder, what))
        LOG.warning("compiled rules in %s: %s (%s)", folder, what, why)


TOLD: set[tuple[Path, str]] = set()


def _part(function: Any) -> Any:
    """The dispatcher by which compiled code calls a kernel.

    Numba's own would compile a kernel anew for each combination of argument types it is called with (a field of int8,
    an int64, a constant, a default left out), and it would optimise and emit each kernel by itself and again in every
    one of its callers. That multiplies the time to compile a game and gains nothing. So calls with any constants and
    sizes of integers share one version, which is typed and lowered only.
    """
    dispatcher: Any = numba.njit(pipeline_class=_PartCompiler, **OPTIONS)(function)
    keys: dict[tuple[Any, ...], object] = {}
    signatures: list[Any] = []

    def widened(kind: Any) -> Any:
        kind = numba.types.unliteral(kind)
        keep = kind in (numba.types.uint32, numba.types.uint64) or not isinstance(kind, numba.types.Integer)
        return kind if keep else INT

    def call_template(args: Any, kws: Any) -> Any:
        python_signature, folded = dispatcher._compiler.fold_argument_types(args, kws)
        kinds = tuple(widened(kind) for kind in folded)
        if kinds not in keys:
            found = dispatcher._compiler.compile(kinds, None)
            keys[kinds] = object()
            found.target_context.insert_user_function(keys[kinds], found.fndesc, [found.library])
            signatures.append(found.signature)
        name = function.__name__
        return make_concrete_template(name, key=name, signatures=signatures), python_signature, kinds, {}

    dispatcher.get_call_template = call_template
    dispatcher.get_overload = lambda kinds: keys[tuple(kinds)]
    return dispatcher


class _Part(JITCodeLibrary):
    """The code of a kernel, as it was lowered."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        self._finalized = True


class _Whole(_Part):
    """The code of a function that is called from outside, with all kernels it uses: optimised and emitted together."""

    def _get_module_for_linking(self) -> Any:
        # No compiled code links it into itself, so what is kept of it on disk, beside the machine code, are the names.
        functions = cast(Any, self)._final_module.functions
        names = [function.name for function in functions if function.linkage == Linkage.external]
        return parse_assembly("".join(f'@"{name}" = global i8 0\n' for name in names))

    def finalize(self) -> None:
        whole: Any = self
        parts = whole._linking_libraries
        for library in parts:
            parts.extend(part for part in library._linking_libraries if part not in parts)
        code = whole._final_module
        for library in parts:
            code.link_in(library._get_module_for_linking(), preserve=True)
        for function in code.functions:
            # What nobody else can call is inlined wherever it is called once, and left out where it is not called.
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal
        # Inlining comes first, so that loops which become vector code no longer count references to arrays.
        inline, builder = whole._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=1, cost="cheap"
        )
        inline.run(code, builder)
        optimise, builder = whole._codegen._module_pass_manager()
        optimise.run(code, builder)
        code.verify()
        whole._finalize_final_module()


class _Place(LoweringPass):
    """The pass that says where the code of the function goes."""

    library: type[JITCodeLibrary]

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        if self.library is _Part:
            flags = state.flags
            flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class _PlacePart(_Place):
    _name = "backroom_place_part"
    library = _Part


@register_pass(mutates_CFG=False, analysis_only=True)
class _PlaceWhole(_Place):
    _name = "backroom_place_whole"
    library = _Whole


class _PartCompiler(CompilerBase):
    place: type[_Place] = _PlacePart

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        used = [entry for entry in passes.passes if entry[0] not in UNUSED_PASSES]
        passes.passes = [(self.place, "where the code goes"), *used]
        passes.finalize()
        return [passes]


class _WholeCompiler(_PartCompiler):
    place = _PlaceWhole


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
        for left in folder.glob(f"{UNFINISHED}*"):  # of a process that was killed
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > 86400:
                    left.unlink()
