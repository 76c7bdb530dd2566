"""What all tests share."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests go last: Playwright keeps an event loop running, in which no other test could start its own."""
    items.sort(key=lambda item: "/browser/" in item.path.as_posix())
