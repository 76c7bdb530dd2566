"""Kernels compiled and uncompiled give the same numbers; the cache follows the sources."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from backroom.engine import chance, kernel, rng
from backroom.engine.events import event, events
from backroom.engine.kernel import INT, JIT, LONGS, VOID, Int, specialise
from backroom.engine.record import public, record

KINDS = (np.int8, np.int16, np.int32, np.int64)
STATE = record(2, ("only",), unused=public(np.int8))
EVENTS = events(quiet=event())


def draw(s: Any, log: Any, words: Any, small: Any, n: Int, out: Any) -> None:
    """One draw of each sort, with a limit of the type of ``small``."""
    small[0] = n
    out[0] = chance.pick(s, log, 0, small[0])
    out[1] = rng.below(words, small[0])


def shuffle(s: Any, log: Any, items: Any) -> None:
    chance.shuffle(s, log, 0, items, items[29] + 1)


def numbers() -> list[int]:
    """Draws of all sorts, with limits of every type that a record's field can have."""
    state, log, words = STATE.new(), EVENTS.new_log(), rng.generator(5)
    chance.set_key(state, chance.match_seed(3))
    s, kept = STATE.numba_type, EVENTS.numba_type
    found = []
    for kind in KINDS:
        small = numba.from_dtype(np.dtype(kind))[::1]
        compiled = specialise(draw, VOID(s, kept, LONGS, small, INT, LONGS))
        # A quarter of all words is rejected at the largest limit, so the rejection itself runs.
        for n in [1, 7, 100] + [2**31 - 2**29] * 40 * (kind in KINDS[2:]):
            out = np.zeros(2, np.int64)
            compiled(state, log, words, np.zeros(1, kind), n, out)
            found += out.tolist()
    items = np.arange(30, dtype=np.int8)
    specialise(shuffle, VOID(s, kept, numba.int8[::1]))(state, log, items)
    return [*found, *items.tolist(), round(rng.uniform(words) * 2**32)]


def test_both_ways_of_running_give_the_same_numbers() -> None:
    program = "import json, test_engine_kernel as t; print(json.dumps([t.JIT, t.numbers()]))"
    environment = os.environ | {"BACKROOM_JIT": "0", "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", program]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == [False, numbers()]


@pytest.mark.skipif(not JIT, reason="says what is compiled")
def test_a_kernel_is_compiled_where_it_is_specialised_only() -> None:
    compiled = specialise(rng.next_word, INT(LONGS))
    assert not hasattr(rng.next_word, "py_func")
    assert hasattr(compiled, "py_func")
    assert specialise(rng.next_word, INT(LONGS)) is compiled
    assert compiled(rng.generator(1)) == rng.next_word(rng.generator(1))


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
