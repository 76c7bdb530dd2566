"""Kernels compiled and uncompiled give the same numbers; the cache follows the sources."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from backroom.engine import chance, kernel, rng
from backroom.engine.events import event, events
from backroom.engine.kernel import JIT
from backroom.engine.record import public, record

KINDS = (int, np.int8, np.int16, np.int32, np.int64)


def numbers() -> list[int]:
    """Draws of all sorts, with limits of every type that a record's field can have."""
    state = record(2, ("only",), unused=public(np.int8)).new()
    chance.set_key(state, chance.match_seed(3))
    log = events(quiet=event()).new_log()
    words = rng.generator(5)
    found = []
    for kind in KINDS:
        for n in (1, 7, 100):
            found += [int(chance.pick(state, log, 0, kind(n))), int(rng.below(words, kind(n)))]
    for kind in KINDS[3:]:
        # A quarter of all words is rejected at such a limit, so the rejection itself runs.
        found += [int(chance.pick(state, log, 0, kind(2**31 - 2**29))) for _ in range(40)]
        found += [int(rng.below(words, kind(2**31 - 2**29))) for _ in range(40)]
    items = np.arange(30, dtype=np.int8)
    chance.shuffle(state, log, 0, items, np.int8(30))
    return found + items.tolist() + [round(rng.uniform(words) * 2**32)]


def test_both_ways_of_running_give_the_same_numbers() -> None:
    program = "import json, test_engine_kernel as t; print(json.dumps([t.JIT, t.numbers()]))"
    environment = os.environ | {"BACKROOM_JIT": "0", "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", program]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == [False, numbers()]


@pytest.mark.skipif(not JIT, reason="says what compiled kernels are")
def test_kernels_are_compiled_unless_switched_off() -> None:
    assert hasattr(rng.next_word, "py_func")


def test_cache_folder_changes_with_the_sources(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("one = 1\n")
    first = kernel._digest.__wrapped__(tmp_path)
    assert kernel._digest.__wrapped__(tmp_path) == first
    (tmp_path / "rules.py").write_text("one = 2\n")
    second = kernel._digest.__wrapped__(tmp_path)
    (tmp_path / "cards.toml").write_text("two = 2\n")
    assert len({first, second, kernel._digest.__wrapped__(tmp_path)}) == 3


def test_prune_cache_drops_what_nobody_used_for_a_month(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKROOM_CACHE", str(tmp_path / "cache"))
    kernel.prune_cache()
    old, new = tmp_path / "cache" / "old", tmp_path / "cache" / "new"
    for folder in (old, new):
        folder.mkdir(parents=True)
    long_ago = time.time() - 40 * 86400
    os.utime(old, (long_ago, long_ago))
    kernel.prune_cache()
    assert not old.exists()
    assert new.exists()
