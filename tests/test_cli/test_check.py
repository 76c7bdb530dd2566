"""``backroom check`` on a stranger's package: a game of its own folder, found by its entry point."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from signal import default_int_handler

import pytest

from backroom.conformance.suite import CHECKS
from backroom.web.page_check import PAGES
from test_cli.conftest import Run, refused

TOYS = Path(__file__).parents[1] / "toys"
COMMAND = "from backroom.cli import main; main()"
Souk = Callable[..., Path]

EVERY = len((*CHECKS, PAGES))


@pytest.fixture
def souk(tmp_path: Path) -> Souk:
    """Makes a package ``souk`` of the toy game, with a text of one file replaced, and gives the folder it stands in."""

    def made(file: str = "__init__.py", old: str = "", new: str = "") -> Path:
        for source in (TOYS / "bazaar").iterdir():
            if source.is_file():
                text = source.read_text("utf-8").replace("toys.bazaar", "souk")
                if source.name == file and old:
                    assert text.count(old) == 1
                    text = text.replace(old, new)
                (tmp_path / "souk").mkdir(exist_ok=True)
                (tmp_path / "souk" / source.name).write_text(text, "utf-8")
        about = tmp_path / "souk-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: souk\nVersion: 1\n")
        (about / "entry_points.txt").write_text("[backroom.games]\nbazaar = souk:GAME\n")
        return tmp_path

    return made


def start(folder: Path, *arguments: str, code: str = COMMAND, flags: tuple[str, ...] = ()) -> "subprocess.Popen[str]":
    """The command in a process of its own that finds the package; its rules are not compiled, which takes long."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *sys.path]), "BACKROOM_JIT": "0"}
    return subprocess.Popen(
        [sys.executable, *flags, "-c", code, *arguments],
        env=environment, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, default_int_handler),
    )  # fmt: skip


def check(folder: Path, *arguments: str) -> tuple[int, str]:
    """Exit code and output of the command, which says nothing on standard error."""
    process = start(folder, "check", "bazaar", *arguments)
    out, err = process.communicate(timeout=250)
    assert err == ""
    return process.returncode, out


def test_a_correct_game_passes(souk: Souk) -> None:
    only = ("settings", "examples", "rulebook", "legal", "garbage_is_refused", "uncompiled")
    code, out = check(souk(), *(f"--only={name}" for name in only), "--players", "2")
    assert [line.partition(" (")[0] for line in out.splitlines()] == [
        *(f"ok {each.name}" for each in CHECKS if each.name in only),
        "6 passed, 0 failed",
    ]
    assert code == 0


def test_a_broken_game_is_told_what_fails_where_to_look_and_how_to_repeat_it(souk: Souk) -> None:
    end = "    return n\n\n\n@kernel\ndef apply"
    swapped = "    if n > 1 and s.target == 8:\n        out[0], out[1] = out[1], out[0]\n"
    folder = souk("rules.py", end, swapped + end)
    code, out = check(folder, "--only", "legal", "--only", "perft", "--seed", "3", "--option", "target=8")
    assert code == 1
    lines = out.splitlines()
    assert lines[-1] == "1 passed, 1 failed"
    failed = lines.index(next(line for line in lines if line.startswith("FAILED legal: Legal actions are ascending")))
    told = {line[:14].strip(): line[14:] for line in lines[failed + 1 : -1]}
    assert told["found"].startswith("ply 0, seat 0: legal actions are not ascending and unique: [1, 0, ")
    assert told["setting"] == "2 players, target=8"
    assert told["position"].startswith("after 0 moves: {target=8} | anna ben | ")
    at = next(line[14:] for line in lines if line[14:].endswith(" rules.legal"))
    file, _, line = at.partition(" ")[0].partition(":")
    assert file == str(folder / "souk" / "rules.py")
    assert "def legal" in Path(file).read_text().splitlines()[int(line)]  # below its decorator
    again = shlex.split(told["again"])
    assert " ".join(again) == "backroom check bazaar --only legal --seed 3 --players 2 --option target=8"
    code, out = check(folder, *again[3:], "--json")
    assert code == 1
    (found,) = json.loads(out)["checks"]
    assert (found["check"], found["passed"], found["settings"]) == ("legal", False, 1)
    failure = found["failure"]
    assert (failure["found"], failure["again"]) == (told["found"], told["again"])
    assert (failure["players"], failure["options"], failure["moves"]) == (2, {"target": 8}, 0)
    assert told["position"] == f"after 0 moves: {failure['position']}"


def test_an_error_within_a_game_is_told_with_its_place(souk: Souk) -> None:
    folder = souk("notation.py", "            return tuple(cards)\n", "            return tuple(dict(CARD))\n")
    code, out = check(folder, "--only", "moves_round_trip", "--players", "2")
    assert code == 1
    assert "ValueError: dictionary update sequence element " in out
    place = next(line for line in out.splitlines() if line.startswith("    look at"))
    file, _, line = place[14:].partition(" ")[0].partition(":")
    assert file == str(folder / "souk" / "notation.py")
    assert "dict(" in Path(file).read_text().splitlines()[int(line) - 1]


def test_what_cannot_be_set_up_is_checked_no_further(souk: Souk) -> None:
    folder = souk("rules.py", "def setup(s, log):\n", "def setup(s, log):\n    s.deck[1000] = 1\n")
    code, out = check(folder)
    assert code == 1
    assert out.startswith("FAILED settings: ")
    assert "    found     IndexError: index 1000 " in out
    rules = folder / "souk" / "rules.py"
    line = rules.read_text().splitlines().index("    s.deck[1000] = 1") + 1
    assert f"    look at   {rules}:{line} setup\n" in out
    assert out.endswith(f"0 passed, 1 failed, {EVERY - 1} not run\n")


def test_ctrl_c_says_what_has_been_checked(souk: Souk) -> None:
    process = start(souk(), "check", "bazaar")
    assert process.stdout is not None
    assert process.stdout.readline().startswith("ok settings")
    asked = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert time.monotonic() - asked < 4  # a second on a machine that does nothing else
    passed = 1 + out.count("ok ")
    assert out.endswith(f"{passed} passed, 0 failed, {EVERY - passed} not run\n")
    assert err.startswith("interrupted while ")
    assert process.returncode == 130


def test_what_cannot_be_asked_for_is_refused(run: Run) -> None:
    refused(run("check", "no_such_game"), "E_SETUP", "catham")
    refused(run("check", "catham", "--only", "no_such_check"), "E_USAGE", "no_such_check", "twins")
    refused(run("check", "catham", "--players", "7"), "E_SETUP", "2 to 6")
    refused(run("check", "catham", "--option", "no_such_option=1"), "E_SETUP", "no_such_option")


@pytest.mark.parametrize(
    ("code", "flags", "said"),
    [
        (f"import sys; sys.modules['hypothesis'] = None; {COMMAND}", (), "pip install 'backroom[check]'"),
        (COMMAND, ("-O",), "without -O"),
    ],
    ids=["without its extra", "without assertions"],
)
def test_where_the_checks_cannot_run_one_line_says_so(code: str, flags: tuple[str, ...], said: str) -> None:
    process = start(TOYS, "check", "catham", code=code, flags=flags)
    out, err = process.communicate(timeout=100)
    assert (process.returncode, out) == (2, "")
    assert err.startswith("E_USAGE: ")
    assert err.endswith(f"{said}\n")
    assert err.count("\n") == 1


def test_games_are_loaded_without_their_facts_and_without_a_library_for_tests() -> None:
    code = (
        "import sys; from backroom.engine.game import find_game, game_names; "
        "[find_game(name) for name in game_names()]; "
        "print([name for name in sys.modules if name.endswith('.facts') or name in ('hypothesis', 'pytest')])"
    )
    out, err = start(TOYS, code=code).communicate(timeout=100)
    assert (out, err) == ("[]\n", "")
