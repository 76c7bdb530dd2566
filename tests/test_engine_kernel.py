"""Kernels compiled and uncompiled give the same numbers; the cache follows the sources, and no fault of it matters."""

import hashlib
import inspect
import json
import logging
import os
import pickle
import re
import shutil
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import typeof_impl

from backroom.bots import make_bot
from backroom.bots.bot import play_match
from backroom.engine import cache, chance, kernel, rng, whole
from backroom.engine.events import event, events
from backroom.engine.game import find_game, game_names
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


def game() -> list[Any]:
    """A game of Kuhn poker between random bots: how many decisions, and the record at its end."""
    from toys_bots import KUHN_GAME  # not above: each process here imports this file

    blank, bots = KUHN_GAME.blank(KUHN_GAME.options(), ["a", "b"]), [make_bot(KUHN_GAME, "random")] * 2
    state, decisions = play_match(blank, chance.match_seed(3), bots, [rng.generator(seat) for seat in range(2)])
    return [decisions, state.tobytes().hex()]


@pytest.mark.parametrize("way", ["0", "njit"])
def test_all_ways_of_running_give_the_same_numbers_and_games(way: str, tmp_path: Path) -> None:
    call = "import json; print(json.dumps([t.JIT, t.numbers(), t.game()]))"
    out, err = program(call, tmp_path, BACKROOM_JIT=way, PYTHONWARNINGS="error::RuntimeWarning").communicate(
        timeout=240
    )
    assert json.loads(out) == [way != "0", numbers(), game()]
    assert err.count("\n") == (way == "njit")
    assert ("ordinary way" in err) == (way == "njit")


@pytest.mark.skipif(not JIT, reason="says what is compiled")
@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("whole", lambda function, signature: lambda items, n: 0),
        ("whole", lambda function, signature: 1 / 0),
        ("part", lambda function: function.no_such_thing),
        ("NEWEST", (0, 1)),
    ],
)
def test_numba_compiles_in_its_ordinary_way_where_ours_does_not_work(
    part: str, wrong: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    own = kernel._compiler.__wrapped__()
    monkeypatch.setattr(whole, part, wrong)
    found = kernel._compiler.__wrapped__()
    (line,) = caplog.messages
    assert "ordinary way" in line
    assert own != found == kernel.Compiler(kernel._ordinary_part, kernel._ordinary_whole)


def test_one_module_touches_the_private_parts_of_numba_and_no_function_of_others_is_typed_anew() -> None:
    root = Path(kernel.__file__).parents[1]
    private = [file for file in root.rglob("*.py") if re.search(r"numba\.core|llvmlite", file.read_text("utf-8"))]
    assert private == [Path(whole.__file__)]
    assert FunctionType not in typeof_impl.registry


@pytest.mark.skipif(not JIT, reason="says what is compiled")
def test_a_kernel_is_compiled_where_it_is_specialised_only() -> None:
    compiled = specialise(rng.next_word, INT(LONGS))
    assert not hasattr(rng.next_word, "py_func")
    assert hasattr(compiled, "py_func")
    assert specialise(rng.next_word, INT(LONGS)) is compiled
    assert compiled(rng.generator(1)) == rng.next_word(rng.generator(1))


# By which sources compiled kernels are told apart

SOURCES = {
    "house/__init__.py": "from house import plot\n",
    "house/rules.py": """
        from typing import TYPE_CHECKING

        from backroom.engine.kernel import INT, kernel, specialise
        from borrowed.rules import three
        from house.cards import VALUE
        from plain import FOUR

        from . import words

        if TYPE_CHECKING:
            from house.notes import Note

        @kernel
        def value(n):
            return n * VALUE + words.ONE + three(n) + FOUR

        def told(n: "Note"):
            from house.notation import shown
            return shown(n)

        def answer():
            return specialise(value, INT(INT))(1)
    """,
    "house/cards.py": """
        import tomllib
        from pathlib import Path

        VALUE = tomllib.loads(Path(__file__).with_name("deck.toml").read_text())["value"]
    """,
    "house/deck.toml": "value = 10\n",
    "house/words.py": "ONE = 1\n",
    "house/notation.py": "def shown(n):\n    return n\n",
    "house/notes.py": "class Note: pass\n",
    "house/plot.py": "def plot(): return 1\n",
    "house/rulebook.md": "# Rules\n",
    "borrowed/__init__.py": "",
    "borrowed/rules.py": """
        from backroom.engine.kernel import kernel
        from borrowed.numbers import THREE

        @kernel
        def three(n):
            return n * THREE
    """,
    "borrowed/numbers.py": "THREE = 3\n",
    "plain.py": "from unseen import FOUR\n",
    "unseen.py": "FOUR = 4\n",
}
"""A game's package outside the repository, another with kernels that it uses, and two modules without any."""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """The folder with these packages."""
    for name, content in SOURCES.items():
        file = tmp_path / "packages" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(content))
    return tmp_path / "packages"


@pytest.mark.parametrize(
    ("file", "old", "new", "counts"),
    [
        ("house/rules.py", "n * VALUE", "n + VALUE", True),
        ("house/rules.py", "def answer():", '\n\n# Asked for.\ndef answer():\n    "The value of one."', False),
        ("house/cards.py", "import tomllib", "import tomllib\nVALUES = ()", True),
        ("house/cards.py", "\nimport tomllib", '\n"""The cards."""\n\nimport  tomllib  # of old\n', False),
        ("house/deck.toml", "10", "11", True),
        ("house/jokers.toml", "", "value = 1", True),
        ("house/rulebook.md", "Rules", "The rules", False),
        ("house/words.py", "1", "2", True),
        ("house/notation.py", "return n", "return -n", True),
        ("house/notes.py", "pass", "held = 1", False),
        ("house/plot.py", "return 1", "return 2", False),
        ("house/__init__.py", "plot", "plot, notes", False),
        ("borrowed/rules.py", "n * THREE", "n + THREE", True),
        ("borrowed/numbers.py", "3", "4", True),
        ("plain.py", "FOUR", "FIVE as FOUR", True),
        ("unseen.py", "4", "5", False),
    ],
)
def test_the_key_follows_what_the_kernels_import_and_the_data_beside_it(
    file: str, old: str, new: str, counts: bool, house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(house)

    def digest() -> str:
        cache._find.cache_clear()
        found: str = cache._digest.__wrapped__(house / "house" / "rules.py", "house.rules")
        return found

    first, path = digest(), house / file
    content = path.read_text() if path.exists() else ""
    assert old in content
    path.write_text(content.replace(old, new))
    assert (digest() != first) == counts


def test_the_key_of_a_script_follows_the_modules_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "script.py").write_text("from backroom.engine.kernel import kernel\nimport pieces\n")
    (tmp_path / "pieces.py").write_text("import ranks\nROWS = open('pieces.csv').readlines()\n")
    (tmp_path / "ranks.py").write_text("RANKS = 5\n")
    (tmp_path / "pieces.csv").write_text("1,2\n")
    cache._find.cache_clear()
    found = {cache._digest.__wrapped__(tmp_path / "script.py", "__main__")}
    for name in ("pieces.csv", "ranks.py"):
        (tmp_path / name).write_text("RANKS = 6\n")
        found.add(cache._digest.__wrapped__(tmp_path / "script.py", "__main__"))
    assert len(found) == 3


def test_a_file_that_cannot_be_read_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that is deleted, or whose rights are taken away, while the files are gone through."""
    (tmp_path / "script.py").write_text("from backroom.engine.kernel import kernel\nROWS = open('pieces.csv')\n")
    first = cache._digest.__wrapped__(tmp_path / "script.py", "__main__")
    monkeypatch.setattr(cache, "_data", lambda folder, suffixes: [folder / "gone.csv", folder])
    assert cache._digest.__wrapped__(tmp_path / "script.py", "__main__") == first


def test_the_rules_of_our_games_do_not_hang_on_what_people_read() -> None:
    for name in game_names():
        setup = find_game(name).function("setup")
        closure = cache._closure(Path(inspect.unwrap(setup).__code__.co_filename), setup.__module__)
        assert {"backroom.engine.chance", "backroom.engine.kernel", f"backroom.games.{name}.rules"} <= set(closure)
        read = [module for module in closure if re.search(r"plot|story|scene|text|notation|table|position", module)]
        # A deck's names are checked where it becomes numbers.
        assert read == (["backroom.text.harmless"] if name == "syndicats" else [])


@pytest.mark.skipif(not JIT, reason="nothing is kept where nothing is compiled")
def test_yesterday_s_code_is_not_run_and_today_s_is_not_compiled_twice(house: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"

    def run() -> tuple[int, int]:
        """The answer, and how many files of compiled kernels there are then."""
        call = f"import sys; sys.path.insert(0, {str(house)!r}); from house.rules import answer; print(answer())"
        out, err = program(call, kept).communicate(timeout=240)
        assert not err
        return int(out), len([*kept.rglob(f"rules.value*{whole.SUFFIX}")])

    assert run() == (18, 1)
    for name in ("plot", "words"):
        file = house / "house" / f"{name}.py"
        file.write_text(f'"""What is said of it."""\n\n{file.read_text()}')
    assert run() == (18, 1)
    (house / "house" / "deck.toml").write_text("value = 20")
    assert run() == (28, 2)
    (house / "borrowed" / "numbers.py").write_text("THREE = 33")
    assert run() == (58, 3)
    (house / "house" / "deck.toml").write_text(SOURCES["house/deck.toml"])
    (house / "borrowed" / "numbers.py").write_text(SOURCES["borrowed/numbers.py"])
    assert run() == (18, 3)


def test_prune_cache_drops_what_nobody_used_for_a_month(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Used is what was written or loaded. Listing a folder, as pruning does itself, is no use of it."""
    monkeypatch.setenv("BACKROOM_CACHE", str(tmp_path / "cache"))
    cache.prune_cache()
    old, used, sources = (tmp_path / "cache" / name for name in ("old", "used", cache.SOURCES))
    long_ago = time.time() - 40 * 86400
    for folder in (old, used, sources):
        folder.mkdir(parents=True)
        (folder / "kept").touch()
        os.utime(folder, (time.time() if folder is old else long_ago, long_ago))
    cache.mark_used(used)
    cache.mark_used(tmp_path / "none")
    cache.prune_cache()
    assert not old.exists()
    assert (used / "kept").exists()
    assert (sources / "kept").exists()
    os.utime(sources / "kept", (long_ago, time.time()))
    cache.prune_cache()
    assert not (sources / "kept").exists()


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


def program(call: str, folder: Path, **environment: str) -> subprocess.Popen[str]:
    """A fresh process that imports this file and makes a call."""
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    return subprocess.Popen(
        [sys.executable, "-c", f"import test_engine_kernel as t; {call}"],
        env=os.environ | {"BACKROOM_CACHE": str(folder), "PYTHONPATH": path} | environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_many_threads_on_a_cold_process_and_two_processes_at_once(tmp_path: Path) -> None:
    for _ in range(2):  # with nothing on disk, then with everything
        for process in [program("t.crowd()", tmp_path) for _ in range(2)]:
            assert process.communicate(timeout=240) == ("", "")
            assert process.returncode == 0
    assert not list(tmp_path.rglob(f"{cache.UNFINISHED}*"))


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


def anew(folder: Path) -> Any:
    """A kernel as a fresh process has it: loaded from the disk, or compiled."""
    compiled = whole.whole(twice, CALL)
    assert compiled(np.zeros(1, np.int64), 21) == 42
    return compiled


def was_loaded(compiled: Any) -> bool:
    return sum(compiled._cache_hits.values()) == 1 and not compiled._cache_misses


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("BACKROOM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "TOLD", set())
    return tmp_path / "cache"


def kept(folder: Path) -> Path:
    (file,) = folder.rglob(f"*{whole.SUFFIX}")
    return file


@cached
def test_loading_a_kernel_is_a_use_of_its_folder(folder: Path) -> None:
    assert not was_loaded(anew(folder))
    os.utime(kept(folder).parent, (0, 0))
    assert was_loaded(anew(folder))
    cache.prune_cache()
    assert kept(folder).exists()


def other(folder: Path) -> bytes:
    """What is kept of another kernel."""
    whole.whole(plus, CALL)
    (file,) = folder.rglob(f"*plus*{whole.SUFFIX}")
    content = file.read_bytes()
    file.unlink()
    return content


def sealed(body: bytes) -> bytes:
    return hashlib.sha256(body).digest() + body


@cached
@pytest.mark.parametrize(
    "damage",
    [
        lambda good, folder: b"",
        lambda good, folder: good[:10],
        lambda good, folder: good[: len(good) // 2],
        lambda good, folder: good[:-1],
        lambda good, folder: good + b"x",
        lambda good, folder: good[:-200] + bytes([good[-200] ^ 1]) + good[-199:],
        lambda good, folder: b"not a kernel at all\n" * 50,
        lambda good, folder: other(folder),
        lambda good, folder: sealed(b"nonsense"),
        lambda good, folder: sealed(pickle.dumps("something else")),
        lambda good, folder: sealed(pickle.dumps((pickle.loads(good[32:])[0], ()))),
    ],
    ids=["empty", "start", "half", "cut", "longer", "bit", "text", "foreign", "no-pickle", "pickle", "parts"],
)
def test_what_cannot_be_loaded_is_compiled_anew_and_replaced_with_one_line(
    damage: Any, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert not was_loaded(anew(folder))
    file = kept(folder)
    good = file.read_bytes()
    assert was_loaded(anew(folder))
    file.write_bytes(damage(good, folder))
    with caplog.at_level(logging.WARNING):
        assert not was_loaded(anew(folder))
    (line,) = caplog.messages
    assert "recompiled" in line
    assert "\n" not in line
    assert was_loaded(anew(folder))
    assert kept(folder) == file


@cached
def test_a_folder_in_a_file_s_place_is_lived_with(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    anew(folder)
    file = kept(folder)
    file.unlink()
    file.mkdir()
    for _ in range(2):
        assert not was_loaded(anew(folder))
    assert ["cannot be read" in line or "cannot be written" in line for line in caplog.messages] == [True, True]


@cached
def test_a_process_killed_while_it_writes_leaves_nothing_that_is_run(tmp_path: Path) -> None:
    kill = "import os; t.Path.replace = lambda *_: os.kill(os.getpid(), 9); t.crowd()"
    process = program(kill, tmp_path)
    process.communicate(timeout=240)
    assert process.returncode == -9
    (left,) = tmp_path.rglob(f"{cache.UNFINISHED}*")
    assert not list(tmp_path.rglob(f"*{whole.SUFFIX}"))
    again = program("t.crowd(); t.cache.prune_cache()", tmp_path)
    assert again.communicate(timeout=240) == ("", "")
    assert left.exists()
    os.utime(left, (0, time.time() - 2 * 86400))
    assert program("t.cache.prune_cache()", tmp_path).communicate(timeout=240) == ("", "")
    assert not left.exists()
    assert list(tmp_path.rglob(f"*{whole.SUFFIX}"))


@cached
@pytest.mark.parametrize("home", ["read-only", "a file", None])
def test_without_a_home_that_can_be_written_kernels_are_compiled_and_not_kept(
    home: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("BACKROOM_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(cache, "TOLD", set())
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
    assert not cache.can_be_kept(cache.cache_root())
    cache.prune_cache()


@cached
def test_a_command_with_a_damaged_cache_does_its_work_and_says_so_in_one_line(tmp_path: Path) -> None:
    from backroom.lab.run import simulate  # not above: each process here imports this file

    def keep(source: str, target: str) -> None:
        """Files of the cache are replaced and never written to, so that a link will do."""
        try:
            os.link(source, target)
        except OSError:  # another disk
            shutil.copy(source, target)

    simulate("catham", games=1)
    unfinished = shutil.ignore_patterns(f"{cache.UNFINISHED}*")
    shutil.copytree(cache.cache_root(), tmp_path, ignore=unfinished, copy_function=keep, dirs_exist_ok=True)
    folder = tmp_path / cache.cache_folder(find_game("catham").rules.apply).name
    files = [*folder.glob(f"rules.outcome*{whole.SUFFIX}"), *folder.glob(f"rules.default*{whole.SUFFIX}")]
    assert len(files) == 2
    for file in files:
        damaged = file.read_bytes()[:100]
        file.unlink()
        file.write_bytes(damaged)
    command = ["simulate", "catham", "--games", "5"]
    done = program(f"import sys; sys.argv[1:] = {command}; from backroom.cli import main; main()", tmp_path)
    out, err = done.communicate(timeout=240)
    assert done.returncode == 0
    assert out.startswith("Catham City")
    assert err.count("\n") == 1
    assert "recompiled" in err
    assert all(file.stat().st_size > 100 for file in files)
