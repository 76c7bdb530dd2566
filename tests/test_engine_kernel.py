"""Kernels compiled and uncompiled give the same numbers; the cache follows the sources, and no fault of it matters."""

import hashlib
import json
import logging
import os
import pickle
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock

from backroom.engine import chance, kernel, rng
from backroom.engine.events import event, events
from backroom.engine.game import find_game
from backroom.engine.kernel import INT, JIT, LONGS, VOID, Int, function_type, specialise
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


# Many threads


def plus(words: Any, n: Int) -> Int:
    return n + 1


def twice(words: Any, n: Int) -> Int:
    return n * 2


def chain(words: Any, n: Int, first: Any, second: Any) -> Int:
    words[0] = n
    return second(words, first(words, words[0]))


CALL = INT(LONGS, INT)
CHAIN = INT(LONGS, INT, function_type(CALL), function_type(CALL))
FUNCTIONS = (kernel.kernel(plus), kernel.kernel(twice))


def crowd() -> None:
    """Sixteen threads compile (or load), type and call the same kernels for the first time at the same moment."""
    sys.setswitchinterval(1e-6)
    failures: list[BaseException] = []
    together = threading.Barrier(16)

    def work(number: int) -> None:
        try:
            together.wait()
            for turn in range(4):
                first, second = FUNCTIONS[(number + turn) % 2], FUNCTIONS[(number + turn // 2) % 2]
                run, words = specialise(chain, CHAIN), np.zeros(1, np.int64)
                got = run(words, turn, specialise(first, CALL), specialise(second, CALL))
                assert (got, words[0]) == (second(words, first(words, turn)), turn)
        except BaseException as problem:
            failures.append(problem)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for failure in failures:
        raise failure


def program(call: str, cache: Path, **environment: str) -> subprocess.Popen[str]:
    """A fresh process that imports this file and makes a call."""
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    return subprocess.Popen(
        [sys.executable, "-c", f"import test_engine_kernel as t; {call}"],
        env=os.environ | {"BACKROOM_CACHE": str(cache), "PYTHONPATH": path} | environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_many_threads_on_a_cold_process_and_two_processes_at_once(tmp_path: Path) -> None:
    for _ in range(2):  # with nothing on disk, then with everything
        for process in [program("t.crowd()", tmp_path) for _ in range(2)]:
            assert process.communicate(timeout=240) == ("", "")
            assert process.returncode == 0
    assert not list(tmp_path.rglob(f"{kernel.UNFINISHED}*"))


@pytest.mark.skipif(not JIT, reason="says what is compiled")
def test_a_call_of_new_types_waits_while_another_thread_compiles() -> None:
    def alone(words: Any, n: Int) -> Int:
        return n

    compiled, ran = specialise(chain, CHAIN), threading.Event()
    functions = [specialise(kernel.kernel(alone), CALL), specialise(plus, CALL)]

    def call() -> None:
        compiled(np.zeros(1, np.int64), 1, *functions)
        ran.set()

    thread = threading.Thread(target=call)
    with global_compiler_lock:
        thread.start()
        assert not ran.wait(0.2)
    thread.join(60)
    assert ran.is_set()


# The cache on disk

cached = pytest.mark.skipif(not JIT, reason="nothing is kept where nothing is compiled")


def anew(cache: Path) -> Any:
    """A kernel as a fresh process has it: loaded from the disk, or compiled."""
    compiled = kernel._specialised.__wrapped__(twice, CALL)
    assert compiled(np.zeros(1, np.int64), 21) == 42
    return compiled


def was_loaded(compiled: Any) -> bool:
    return sum(compiled._cache_hits.values()) == 1 and not compiled._cache_misses


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("BACKROOM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(kernel, "TOLD", set())
    return tmp_path / "cache"


def kept(cache: Path) -> Path:
    (file,) = cache.rglob(f"*{kernel.SUFFIX}")
    return file


def other(cache: Path) -> bytes:
    """What is kept of another kernel."""
    kernel._specialised.__wrapped__(plus, CALL)
    (file,) = cache.rglob(f"*plus*{kernel.SUFFIX}")
    content = file.read_bytes()
    file.unlink()
    return content


def sealed(body: bytes) -> bytes:
    return hashlib.sha256(body).digest() + body


@cached
@pytest.mark.parametrize(
    "damage",
    [
        lambda good, cache: b"",
        lambda good, cache: good[:10],
        lambda good, cache: good[: len(good) // 2],
        lambda good, cache: good[:-1],
        lambda good, cache: good + b"x",
        lambda good, cache: good[:-200] + bytes([good[-200] ^ 1]) + good[-199:],
        lambda good, cache: b"not a kernel at all\n" * 50,
        lambda good, cache: other(cache),
        lambda good, cache: sealed(b"nonsense"),
        lambda good, cache: sealed(pickle.dumps("something else")),
        lambda good, cache: sealed(pickle.dumps((pickle.loads(good[32:])[0], ()))),
    ],
    ids=["empty", "start", "half", "cut", "longer", "bit", "text", "foreign", "no-pickle", "pickle", "parts"],
)
def test_what_cannot_be_loaded_is_compiled_anew_and_replaced_with_one_line(
    damage: Any, cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert not was_loaded(anew(cache))
    file = kept(cache)
    good = file.read_bytes()
    assert was_loaded(anew(cache))
    file.write_bytes(damage(good, cache))
    with caplog.at_level(logging.WARNING):
        assert not was_loaded(anew(cache))
    (line,) = caplog.messages
    assert "compiled anew" in line
    assert "\n" not in line
    assert was_loaded(anew(cache))
    assert kept(cache) == file


@cached
def test_a_folder_in_a_file_s_place_is_lived_with(cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    anew(cache)
    file = kept(cache)
    file.unlink()
    file.mkdir()
    for _ in range(2):
        assert not was_loaded(anew(cache))
    assert ["cannot be read" in line or "cannot be written" in line for line in caplog.messages] == [True, True]


@cached
def test_a_process_killed_while_it_writes_leaves_nothing_that_is_run(tmp_path: Path) -> None:
    kill = "import os; t.kernel.Path.replace = lambda *_: os.kill(os.getpid(), 9); t.crowd()"
    process = program(kill, tmp_path)
    process.communicate(timeout=240)
    assert process.returncode == -9
    (left,) = tmp_path.rglob(f"{kernel.UNFINISHED}*")
    assert not list(tmp_path.rglob(f"*{kernel.SUFFIX}"))
    again = program("t.crowd(); t.kernel.prune_cache()", tmp_path)
    assert again.communicate(timeout=240) == ("", "")
    assert left.exists()
    os.utime(left, (0, time.time() - 2 * 86400))
    assert program("t.kernel.prune_cache()", tmp_path).communicate(timeout=240) == ("", "")
    assert not left.exists()
    assert list(tmp_path.rglob(f"*{kernel.SUFFIX}"))


@cached
@pytest.mark.parametrize("home", ["read-only", "a file", None])
def test_without_a_home_that_can_be_written_kernels_are_compiled_and_not_kept(
    home: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("BACKROOM_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(kernel, "TOLD", set())
    if home == "read-only":
        monkeypatch.setenv("HOME", "/proc" if Path("/proc/self").exists() else str(tmp_path))
        tmp_path.chmod(0o500)
    elif home:
        (tmp_path / "file").touch()
        monkeypatch.setenv("HOME", str(tmp_path / "file"))
    else:
        monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)
    for _ in range(2):
        assert not was_loaded(anew(tmp_path))
    (line,) = caplog.messages
    assert "cannot be written" in line
    assert not kernel.can_be_kept(kernel.cache_root())
    kernel.prune_cache()


@cached
def test_a_command_with_a_damaged_cache_does_its_work_and_says_so_in_one_line(tmp_path: Path) -> None:
    from backroom.bots.batch import play_games  # not above: each process here imports this file
    from backroom.lab.run import simulate

    rules = find_game("catham").rules
    simulate("catham", games=1)
    for function in (rules.apply, rng.below, play_games):
        folder = kernel.cache_folder(function)
        shutil.copytree(folder, tmp_path / folder.name)
    files = [*tmp_path.rglob(f"rules.outcome*{kernel.SUFFIX}"), *tmp_path.rglob(f"rules.default*{kernel.SUFFIX}")]
    assert len(files) == 2
    for file in files:
        file.write_bytes(file.read_bytes()[:100])
    command = ["simulate", "catham", "--games", "5"]
    done = program(f"import sys; sys.argv[1:] = {command}; from backroom.cli import main; main()", tmp_path)
    out, err = done.communicate(timeout=240)
    assert done.returncode == 0
    assert out.startswith("Catham City")
    assert err.count("\n") == 1
    assert "compiled anew" in err
    assert all(file.stat().st_size > 100 for file in files)
