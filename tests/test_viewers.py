"""A viewer is always named: no such parameter has a default or may be None, in any source of the project."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import backroom
from backroom.engine.game import find_game, game_names
from backroom.engine.match import Match
from backroom.engine.record import ALL_KNOWING, SPECTATOR

ROOT = Path(backroom.__file__).parents[2]
SOURCES = sorted(path for folder in ("src", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py"))
PAPERS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "src").rglob("*.md"))]
PLAYERS = ["anna", "ben", "cleo"]


def unsaid(text: str) -> Iterator[str]:
    """Where a source leaves open who looks: a default, a type with None, or None given by that name."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            taken = node.args
            places = [*taken.posonlyargs, *taken.args]
            defaults = [None] * (len(places) - len(taken.defaults)) + taken.defaults
            pairs = [*zip(places, defaults, strict=True), *zip(taken.kwonlyargs, taken.kw_defaults, strict=True)]
            for taken_as, default in pairs:
                if taken_as.arg == "viewer":
                    if default is not None:
                        yield f"line {taken_as.lineno}: a default"
                    yield from _nobody(taken_as.annotation)
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.target).rpartition(".")[2] == "viewer":
            yield from _nobody(node.annotation)
        elif isinstance(node, ast.keyword) and node.arg == "viewer" and ast.unparse(node.value) == "None":
            yield f"line {node.value.lineno}: None is given"


def _nobody(annotation: ast.expr | None) -> Iterator[str]:
    if annotation is not None and re.search(r"\b(None|Optional)\b", ast.unparse(annotation)):
        yield f"line {annotation.lineno}: {ast.unparse(annotation)}"


def test_no_source_leaves_open_who_looks() -> None:
    assert len(SOURCES) > 200
    found = {str(source.relative_to(ROOT)): list(unsaid(source.read_text("utf-8"))) for source in SOURCES}
    assert {name: places for name, places in found.items() if places} == {}


def test_no_paper_leaves_open_who_looks() -> None:
    for paper in PAPERS:
        assert not re.search(r"viewer(: int \| None|=None| None)|position\(state, names\)", paper.read_text("utf-8")), (
            paper
        )


@pytest.mark.parametrize(
    "text",
    [
        "def position(state, names, viewer=None): ...",
        "def lines(self, *, viewer: int = -1): ...",
        "async def text(viewer: int | None): ...",
        "def text(viewer: Optional[int], /): ...",
        "text = lambda viewer=0: viewer",
        "class View:\n    viewer: int | None",
        "position(state, names, viewer=None)",
    ],
)
def test_the_check_sees_every_way_of_leaving_it_open(text: str) -> None:
    assert len(list(unsaid(text))) == 1


def test_the_check_passes_what_says_it() -> None:
    assert not list(unsaid("def lines(self, viewer: Viewer, since: int = 0, looked: int | None = None): ..."))


@pytest.mark.parametrize("name", game_names())
def test_only_who_knows_all_reads_hidden_things_in_a_position(name: str) -> None:
    """The whole state written down for a watcher, or for what is no viewer at all, as untyped code might give it."""
    game = find_game(name)
    match = Match.new(game, PLAYERS[: max(2, game.seats.start)], seed=1)
    while match.ply < 2:
        match.play_actions(match.acting[0], match.default_actions(match.acting[0]))
    position = game.notation.position
    seen = position(match.view(SPECTATOR), match.names, SPECTATOR)
    assert position(match.state, match.names, ALL_KNOWING) != seen
    for nobody in (SPECTATOR, None, -2, "all-knowing"):
        assert position(match.state, match.names, nobody) == seen  # type: ignore[arg-type]
