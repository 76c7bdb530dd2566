"""Runs the command line in this process."""

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from backroom.cli import main


@dataclass
class Result:
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)

    def backroom(*arguments: object, typed: str = "") -> Result:
        monkeypatch.setattr(sys, "argv", ["backroom", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return Result(int(ended.value.code or 0), printed.out, printed.err)

    return backroom


def refused(result: Result, code: str, *words: str) -> None:
    """One line on standard error with the code and these words, exit code 2, nothing else."""
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith(f"{code}: ")
    assert result.err.count("\n") == 1
    assert "Traceback" not in result.err
    for word in words:
        assert word in result.err
