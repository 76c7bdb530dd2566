"""What the documents say is true: the Python in the readme runs, and every command line in it can be read."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

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


def test_the_example_in_the_notation_document_holds(run: Run) -> None:
    result = run("examples", "catham", ROOT / "docs" / "notation.md")
    assert (result.code, result.out) == (0, "2 passed, 0 failed\n")
