"""A run that leaves tests out ends with the reason, and with what helps."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_without_chromium_the_run_ends_with_how_to_get_it(tmp_path: Path) -> None:
    test = "tests/browser/test_access.py::test_the_turn_is_announced"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--numprocesses", "1", test]
    bare = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST_")}
    done = subprocess.run(command, cwd=ROOT, env=bare | {"PATH": str(tmp_path)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    reason, total = done.stdout.strip().splitlines()[-2:]
    assert reason == "1 skipped: No Chromium found for the browser tests. Get it with: apt-get install chromium"
    assert total.startswith("1 skipped in ")
