"""Where compiled kernels are kept on disk, and by which sources they are told apart.

A kernel can use whatever its file imports, and what these files import. So the folder it is kept in is named by a
digest of all of them (the import closure) and of the data files beside them that they read. Comments, docstrings and
lay-out do not count.
"""

import ast
import hashlib
import importlib.machinery
import importlib.util
import inspect
import json
import logging
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numba
import numpy as np

__all__ = [
    "cache_folder",
    "cache_root",
    "can_be_kept",
    "mark_used",
    "prune_cache",
    "read_kept",
    "sources_digest",
    "tell",
    "write_kept",
]

LOG = logging.getLogger(__name__)

BACKROOM = "backroom"
UNFINISHED = "unfinished-"
SOURCES = "sources"
DIGEST = hashlib.sha256().digest_size
TOLD: set[tuple[Path, str]] = set()


def cache_root() -> Path:
    """Where compiled kernels are kept: ``BACKROOM_CACHE`` or the user's cache folder."""
    configured = os.environ.get("BACKROOM_CACHE")
    if configured:
        return Path(configured)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / BACKROOM
    except RuntimeError:  # a user without a home
        return Path(os.devnull) / BACKROOM  # where nothing can be kept


def can_be_kept(folder: Path) -> bool:
    """Whether compiled kernels can be written to a folder; it is made where there is none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def cache_folder(function: Callable[..., Any]) -> Path:
    """Where the compiled versions of a kernel or loop are kept for this state of the sources."""
    file = Path(inspect.unwrap(function).__code__.co_filename).resolve()
    return cache_root() / f"{file.parent.name}.{file.stem}-{sources_digest(function)}"


def sources_digest(*functions: Callable[..., Any]) -> str:
    """A digest of all sources that these kernels and loops can use, 16 hexadecimal digits."""
    plain = map(inspect.unwrap, functions)
    places = {(function.__code__.co_filename, _module_name(function)) for function in plain}
    digest = hashlib.sha256()
    for file, name in sorted(places):
        digest.update(_digest(Path(file).resolve(), name).encode())
    return digest.hexdigest()[:16]


def _module_name(function: Callable[..., Any]) -> str:
    """The name of a function's module, that of one started by ``python -m`` too."""
    spec = getattr(sys.modules.get(function.__module__), "__spec__", None)
    return spec.name if spec else function.__module__


@cache
def _digest(file: Path, name: str) -> str:
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for source, content in sorted(_closure(file, name).items()):
        digest.update(f"\n{source}\n".encode() + content)
    return digest.hexdigest()


def _closure(file: Path, name: str) -> dict[str, bytes]:
    """The files that a file can use, by name: the code of modules, the content of data files.

    Other packages' modules are followed if they lie beside the file or import Backroom, as whatever has kernels does.
    Of those that do not, the module itself counts alone. The standard library and compiled modules do not count.
    """
    found: dict[str, bytes] = {}
    suffixes: set[str] = set()
    folders: set[tuple[str, Path]] = set()
    packages = {BACKROOM, name.partition(".")[0]}
    waiting, seen, home = [(file, name)], {file}, file.parent
    while waiting:
        file, name = waiting.pop()
        package = name.partition(".")[0]
        try:
            content = file.read_bytes()
            if package not in packages and file.parent != home and BACKROOM.encode() not in content:
                found[name] = content
                continue
            source = _Source.of(content)
        except (OSError, SyntaxError, ValueError):  # a kernel typed in by hand has no file
            continue
        packages.add(package)
        found[name] = source.code.encode()
        suffixes.update(source.suffixes)
        parent = name if file.name == "__init__.py" else name.rpartition(".")[0]
        folders.add((parent, file.parent))
        for module, origin in _imported(source, parent):
            if origin not in seen:
                seen.add(origin)
                waiting.append((origin, module))
    for parent, folder in folders:
        for data in _data(folder, suffixes):
            with suppress(OSError):  # one that cannot be read is not read by a kernel either
                found[f"{parent}/{data.name}"] = data.read_bytes()
    return found


class _Source(NamedTuple):
    """A module as it is written: a digest of its code without what only people read, its imports, suffixes it names.

    An import is a module's name, the number of dots before it, and a name from it or none.
    """

    code: str
    imports: list[tuple[str, int, str | None]]
    suffixes: list[str]

    @classmethod
    def of(cls, content: bytes) -> "_Source":
        """Read a file. SyntaxError or ValueError where it is no Python.

        What was read is kept, too: to parse all sources of a game would double the time of a start.
        """
        name = hashlib.sha256(sys.version.encode() + content).hexdigest()[:32]
        path = cache_root() / SOURCES / name
        with suppress(OSError, ValueError, TypeError):
            if kept := read_kept(path):
                return cls(*json.loads(kept))
        source = cls._parsed(content)
        with suppress(OSError):
            write_kept(path, json.dumps(source).encode())
        return source

    @classmethod
    def _parsed(cls, content: bytes) -> "_Source":
        tree = ast.parse(content)
        imports: list[tuple[str, int, str | None]] = []
        suffixes: set[str] = set()
        waiting: list[ast.AST] = [tree]
        while waiting:
            node = waiting.pop()
            for field in ("body", "orelse", "finalbody"):
                body = getattr(node, field, None)
                if isinstance(body, list):
                    setattr(node, field, [one for one in body if not _is_remark(one)])
            if isinstance(node, ast.If) and ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING":
                node.body = []
            waiting += ast.iter_child_nodes(node)
            if isinstance(node, ast.Import):
                for alias in node.names:
                    # `import a.b` is used as a.b: what stands in ``a`` can be reached, too.
                    parts = alias.name.split(".")
                    first = len(parts) if alias.asname else 1
                    imports += [(".".join(parts[:end]), 0, None) for end in range(first, len(parts) + 1)]
            elif isinstance(node, ast.ImportFrom):
                imports += [(node.module or "", node.level, alias.name) for alias in node.names]
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                suffixes.update(re.findall(r"\.\w+", node.value))
        code = hashlib.sha256(ast.dump(tree).encode("utf-8", "surrogatepass")).hexdigest()
        return cls(code, imports, sorted(suffixes))


def _is_remark(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _imported(source: _Source, package: str) -> Iterator[tuple[str, Path]]:
    """The modules that a source in this package imports, with their files."""
    for name, level, item in source.imports:
        module = name
        if level:
            try:
                module = importlib.util.resolve_name("." * level + name, package)
            except ImportError:
                continue
        # `from package import module` uses nothing of the package itself.
        for candidate in (f"{module}.{item}", module) if item else (module,):
            if module.partition(".")[0] in sys.stdlib_module_names:
                break
            spec = _find(candidate)
            if spec is not None:
                if spec.origin and spec.origin.endswith(".py"):
                    yield candidate, Path(spec.origin).resolve()
                break


@cache
def _find(name: str) -> importlib.machinery.ModuleSpec | None:
    """Where a module is, without importing anything; None where there is no such module."""
    parent = name.rpartition(".")[0]
    try:
        if not parent:
            return importlib.util.find_spec(name)
        within = _find(parent)
        if within is None or within.submodule_search_locations is None:
            return None
        return importlib.machinery.PathFinder.find_spec(name, list(within.submodule_search_locations))
    except (ImportError, ValueError):
        return None


def _data(folder: Path, suffixes: set[str]) -> Iterator[Path]:
    """The files beside a source that it may read: those whose suffix stands in a text of the sources."""
    for file in sorted(folder.iterdir()):
        if file.suffix in suffixes - {".py", ".pyc"} and file.is_file():
            yield file


def read_kept(path: Path) -> bytes | None:
    """What `write_kept` wrote, or None. ValueError for a damaged file, OSError for one that cannot be read."""
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if hashlib.sha256(data[DIGEST:]).digest() != data[:DIGEST]:
        raise ValueError("damaged")
    return data[DIGEST:]


def write_kept(path: Path, body: bytes) -> None:
    """Keep a body. OSError where that cannot be done.

    A file begins with the SHA-256 of the rest, so that one which was cut off, changed or put there from elsewhere is
    not run. It is written under another name first, so that neither a kill nor a second process leaves half of one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{UNFINISHED}{uuid4().hex}")
    try:
        unfinished.write_bytes(hashlib.sha256(body).digest() + body)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def tell(folder: Path, what: str, why: object) -> None:
    """One line a process for each thing that can be wrong with a folder."""
    if (folder, what) not in TOLD:
        TOLD.add((folder, what))
        LOG.warning("compiled rules in %s: %s (%s)", folder, what, why)


def mark_used(folder: Path) -> None:
    """Say that what is kept in a folder was used now, for `prune_cache`; where that cannot be said, nothing happens."""
    # By the time of its last change: when it was last read a file system says of files at most, and not of folders.
    with suppress(OSError):
        os.utime(folder)


def prune_cache() -> None:
    """Delete what was kept of older states of the sources and has not been used for 30 days."""
    root, now = cache_root(), time.time()
    if not root.is_dir():
        return
    for source in (root / SOURCES).glob("*"):
        with suppress(OSError):
            if now - source.stat().st_atime > 30 * 86400:
                source.unlink()
    for folder in root.iterdir():
        if folder.is_dir() and folder.name != SOURCES and now - folder.stat().st_mtime > 30 * 86400:
            shutil.rmtree(folder, ignore_errors=True)
        for left in folder.glob(f"{UNFINISHED}*"):  # of a process that was killed
            with suppress(OSError):
                if now - left.stat().st_mtime > 86400:
                    left.unlink()
