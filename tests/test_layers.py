"""Imports point only downwards through the layers, read from the sources."""

import ast
from collections.abc import Collection
from pathlib import Path

import pytest

import backroom

ROOT = Path(backroom.__file__).parent

LEVEL = {
    "engine": 0,
    "text": 1,
    "scenes": 2,
    "games": 3,
    "bots": 4,
    "lab": 5,
    "adapters": 5,
    "conformance": 6,
    "tables": 7,
    "new_game": 7,
    "web": 8,
    "terminal": 8,
    "cli": 9,
    "__main__": 10,
    "__init__": 0,
}
"""The layers of the design; a module may import its own level and those below."""

SOURCES = sorted(ROOT.rglob("*.py"))


def layer(parts: tuple[str, ...]) -> str:
    return parts[0].removesuffix(".py")


def imported(source: Path, loading: bool = False) -> set[tuple[str, ...]]:
    """Modules of Backroom that a file imports, as parts of their names after ``backroom``.

    Anywhere in it, or only while it is loaded (not inside functions).
    """
    package = ("backroom", *source.relative_to(ROOT).parts[:-1])
    found: set[tuple[str, ...]] = set()
    tree = ast.parse(source.read_text("utf-8"))
    for node in tree.body if loading else ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {tuple(alias.name.split(".")) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = (*base, *(node.module.split(".") if node.module else ()))
            found |= {(*module, alias.name) for alias in node.names}
    return {name[1:] for name in found if name[0] == "backroom" and len(name) > 1}


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.relative_to(ROOT)))
def test_imports_point_downwards(source: Path) -> None:
    parts = source.relative_to(ROOT).parts
    own = layer(parts)
    assert own in LEVEL, f"{own} is no layer of the design"
    for name in imported(source):
        if name[0] in LEVEL:
            assert LEVEL[name[0]] <= LEVEL[own], f"{own} imports {'.'.join(name)}"
        if own == "games" == name[0] and len(parts) > 2 and len(name) > 1:
            assert name[1] == parts[1], f"the game {parts[1]} imports another game, {name[1]}"


def test_modules_do_not_import_each_other_in_circles() -> None:
    modules = {tuple(source.relative_to(ROOT).with_suffix("").parts): source for source in SOURCES}
    edges = {}
    for name, source in modules.items():
        found = {_module(one, modules) for one in imported(source, loading=True)}
        edges[name] = found - {None, name}
    done: set[tuple[str, ...]] = set()
    while waiting := [name for name in edges if name not in done]:
        ready = [name for name in waiting if edges[name] <= done]
        assert ready, f"these import each other: {['.'.join(name) for name in waiting]}"
        done.update(ready)


def _module(name: tuple[str, ...], modules: Collection[tuple[str, ...]]) -> tuple[str, ...] | None:
    """The module an imported name stands in: itself, the package it names, or the module that has it."""
    for found in (name, (*name, "__init__"), name[:-1], (*name[:-1], "__init__")):
        if found in modules:
            return found
    return None


@pytest.mark.parametrize(
    "layer_name",
    ["engine", "text", "scenes", "bots", "lab", "adapters", "conformance", "tables", "web", "terminal", "cli"],
)
def test_layers_above_know_no_game_by_name(layer_name: str) -> None:
    games = {path.name for path in (ROOT / "games").iterdir() if path.is_dir()}
    for source in SOURCES:
        if layer(source.relative_to(ROOT).parts) == layer_name:
            named = {name[1] for name in imported(source) if name[0] == "games" and len(name) > 1} & games
            assert not named, f"{source.relative_to(ROOT)} imports the games {sorted(named)}"


def test_the_check_sees_imports_of_every_form(tmp_path: Path) -> None:
    found = imported_from(tmp_path, "import backroom.cli\nfrom backroom import web\nfrom backroom.lab.run import x\n")
    assert found == {("cli",), ("web",), ("lab", "run", "x")}


def imported_from(folder: Path, text: str) -> set[tuple[str, ...]]:
    source = ROOT / "engine" / "imagined.py"
    written = folder / "imagined.py"
    written.write_text(text)
    return imported(_Imagined(source, written))  # type: ignore[arg-type]


class _Imagined:
    """A source that claims to stand elsewhere."""

    def __init__(self, place: Path, written: Path) -> None:
        self.relative_to = place.relative_to
        self.read_text = written.read_text
