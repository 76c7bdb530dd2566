"""What all tests share."""

from collections import Counter

import pytest

from backroom.tables import clock


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests go first: they take longest, one after the other, while the other cores do the rest."""
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
