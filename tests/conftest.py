"""What all tests share."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backroom.engine.game import Game, _loaded, find_game, game_names
from backroom.engine.match import Match
from backroom.tables import clock, owed
from backroom.tables.service import Tables
from sittings import NEWER


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests go first: they take longest, one after the other in one process, while the others do the rest."""
    items.sort(key=lambda item: "/browser/" not in item.path.as_posix())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The run ends with why tests were skipped: a line for each reason, since -rs would give one for each test."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{count} skipped: {reason}", yellow=True)


@pytest.fixture
def still_clock(monkeypatch: pytest.MonkeyPatch) -> int:
    """One moment that lasts: pages are compared byte for byte, and say since when somebody is asked."""
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    return now


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Lets seconds go by; nothing else does."""
    time = [clock.now()]
    monkeypatch.setattr(clock, "now", lambda: time[0])

    def go_by(seconds: int) -> None:
        time[0] += seconds

    return go_by


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is done by itself at tables that are opened from now on: a test does it, when it likes."""
    monkeypatch.setattr(owed.Looker, "start", lambda self: None)


@pytest.fixture
def lockbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables can be of the toy game, too."""
    import toys_tables

    def find(name: str) -> Game:
        return toys_tables.GAME if name == "lockbox" else find_game(name)

    for name, module in list(sys.modules.items()):
        if name.startswith("backroom.tables.") and hasattr(module, "find_game"):
            monkeypatch.setattr(module, "find_game", find)


@pytest.fixture(scope="session")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that, on the path of a process, makes the toy Bazaar an installed game: one that brings no page."""
    folder = tmp_path_factory.mktemp("toys")
    installed = folder / "bazaar-1.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: bazaar\nVersion: 1\n")
    (installed / "entry_points.txt").write_text("[backroom.games]\nbazaar = toys.bazaar:GAME\n")
    return folder


@pytest.fixture
def bazaar(toys: Path) -> Iterator[Game]:
    """Bazaar, which is installed meanwhile."""
    sys.path.insert(0, str(toys))
    game_names.cache_clear()
    yield find_game("bazaar")
    sys.path.remove(str(toys))
    game_names.cache_clear()
    _loaded.cache_clear()


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The address of an empty database."""
    return f"sqlite:///{tmp_path / 'tables.sqlite3'}"


@pytest.fixture
def tables(url: str) -> Iterator[Tables]:
    """The tables of that database."""
    opened = Tables.open(url)
    yield opened
    opened.close()


@pytest.fixture
def newer() -> Iterator[Callable[[], None]]:
    """Gives the rules of every game another version, without any other change."""
    games = [find_game(name) for name in game_names()]
    versions = [game.version for game in games]

    def bump() -> None:
        for game in games:
            object.__setattr__(game, "version", NEWER)

    yield bump
    for game, version in zip(games, versions, strict=True):
        object.__setattr__(game, "version", version)


@pytest.fixture
def otherwise(newer: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """The same, and no position is what it was."""

    def bump() -> None:
        newer()
        link = Match._link
        monkeypatch.setattr(Match, "_link", lambda self, before, text: link(self, before, f"other rules {text}"))

    return bump
