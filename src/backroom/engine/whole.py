"""How kernels are compiled where the parts of Numba that are no public interface are as this module knows them.

Nothing else touches those parts. `backroom.engine.kernel` asks here and, where that is not possible, has Numba compile
in its ordinary way.
"""

import gc
import hashlib
import logging
import pickle
import re
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numba
from llvmlite.binding import Linkage, parse_assembly
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.typing.templates import make_concrete_template

from backroom.engine.cache import cache_folder, mark_used, read_kept, tell, write_kept
from backroom.engine.kernel import INT, OPTIONS

__all__ = ["NEWEST", "OLDEST", "part", "whole"]

LOG = logging.getLogger(__name__)

OLDEST, NEWEST = (0, 65), (0, 68)
"""The versions of Numba that this was written for and tested with."""

SUFFIX = ".kernel"

UNUSED_PASSES = {
    untyped_passes.WithLifting, untyped_passes.InlineClosureLikes, untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.RewriteDynamicRaises, untyped_passes.InlineInlinables, untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll, untyped_passes.LiteralPropagationSubPipelinePass, typed_passes.NopythonRewrites,
    typed_passes.AnnotateTypes, typed_passes.DumpParforDiagnostics,
}  # fmt: skip
"""Passes of Numba for what no kernel has: closures, errors, objects, literal arguments, sums of whole arrays."""


def whole(function: FunctionType, signature: Any) -> Any:
    """The dispatcher of a function with all kernels it uses, for one signature: compiled, or loaded from the disk.

    Numba's own lock is held, since its registries of types change while another thread compiles or loads.
    """
    with global_compiler_lock:
        compiled: Any = numba.njit(pipeline_class=_WholeCompiler, **OPTIONS)(function)
        if Path(function.__code__.co_filename).is_file():  # what was typed in by hand has no sources to be told by
            compiled._cache = _Kept(function)
        # What a call of new types looks up changes while another thread compiles.
        compiled.typeof_pyval = _under_lock(compiled.typeof_pyval)
        compiled._search_new_conversions = _under_lock(compiled._search_new_conversions)
        collecting = gc.isenabled()
        gc.disable()  # nearly all that the compiler makes is kept to its end: looking for rubbish costs a tenth
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

    A file that cannot be loaded is replaced, its kernel recompiled. Where nothing can be written, nothing is kept.
    """

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.folder = cache_folder(function)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled function, or None where there is none that can be used."""
        # Not refreshed as by Numba's own cache: a compilation needs the types and code of all that Numba knows, this
        # does not.
        rtsys.initialize(context)
        path, key = self._place(signature, context)
        try:
            body = read_kept(path)
            if body is None:
                return None
            kept, reduced = pickle.loads(body)
            if kept != key:
                raise ValueError("of another function")
            found = CompileResult._rebuild(context, *reduced)
            mark_used(self.folder)
            return found
        except OSError as problem:
            tell(self.folder, "cannot be read", problem)
            return None
        except Exception as problem:
            tell(self.folder, "held what cannot be loaded; it is recompiled", f"{path.name}: {problem}")
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled, if that can be done."""
        if compiled.library.has_dynamic_globals:
            LOG.warning("%s holds addresses of this process, so it is not kept", self.function.__qualname__)
            return
        path, key = self._place(signature, compiled.target_context)
        try:
            write_kept(path, dumps((key, compiled._reduce())))
        except OSError as problem:
            tell(self.folder, "cannot be written, so rules are compiled at every start", problem)

    def _place(self, signature: Any, context: Any) -> tuple[Path, str]:
        """The file of a signature, and what is in it: function, signature, processor and Python."""
        function = self.function
        bound = [cell.cell_contents for cell in function.__closure__ or ()]
        code = hashlib.sha256(function.__code__.co_code + (dumps(bound) if bound else b"")).hexdigest()
        name = f"{Path(function.__code__.co_filename).stem}.{function.__qualname__}"
        where = sys.implementation.cache_tag, context.codegen().magic_tuple()
        key = repr((name, code, signature, where))
        readable = re.sub(r"[^\w.-]", "", name)
        return self.folder / f"{readable}-{hashlib.sha256(key.encode()).hexdigest()[:16]}{SUFFIX}", key


def part(function: FunctionType) -> Any:
    """The dispatcher by which compiled code calls a kernel.

    Numba's own would recompile a kernel for each combination of argument types it is called with (a field of int8,
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
