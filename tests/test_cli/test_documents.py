"""What the documents say is true: the Python in the readme runs, and every command line in it can be read."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from backroom.engine.game import find_game, game_names
from backroom.engine.match import Match
from backroom.engine.notation import complete
from test_cli.conftest import Run

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "docs" / "notation.md", ROOT / "docs" / "adding_a_game.md"]
COMMANDS = sorted(
    {
        line.partition("#")[0].strip()
        for document in DOCUMENTS
        for line in document.read_text("utf-8").splitlines()
        if re.match(r" *backroom \w", line)
    }
)


def test_the_python_in_the_readme_runs() -> None:
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_line_uses_what_there_is(run: Run, line: str) -> None:
    command, *arguments = shlex.split(line)[1:]
    shown = run(command, "--help")
    assert shown.code == 0
    for argument in arguments:
        if argument.startswith("--"):
            assert f"{argument} " in shown.out


def test_every_file_the_documents_name_is_there() -> None:
    for document in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("game", ["catham", "corporation", "dark_sources"])
def test_the_examples_in_the_notation_document_hold(run: Run, game: str) -> None:
    result = run("examples", game, ROOT / "docs" / "notation.md")
    assert (result.code, result.out) == (0, "2 passed, 0 failed\n")


def test_the_notation_document_has_a_row_for_every_game_and_its_moves_and_positions_are_read() -> None:
    document = (ROOT / "docs" / "notation.md").read_text("utf-8")
    for name in game_names():
        game = find_game(name)
        row = re.search(rf"^\| {re.escape(game.title)} \| `(.*?)` \| `(.*?)` \|$", document, re.MULTILINE)
        assert row, game.title
        verb = row[1].split()[0]
        match = Match.new(game, ["anna", "ben", "cleo"], seed=1)
        seat = match.acting[0]
        assert verb in {token.text for token in complete(game, match.view(seat), seat, "", match.names).tokens}
    for line in re.findall(r"^    (\{.*\|.*)$", document, re.MULTILINE):
        game = find_game("dark_sources" if "turn" in line else "corporation")
        state, names = game.notation.parse_position(
            game, line.replace("#,#", "10d,1d").replace("#", "3d").replace("?", "7", 1)
        )
        assert names[:2] == ("anna", "ben")
        assert int(state.seats) == len(names)
