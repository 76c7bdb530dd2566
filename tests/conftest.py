"""What all tests share."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests go first: they take longest, one after the other, while the other cores do the rest."""
    items.sort(key=lambda item: "/browser/" not in item.path.as_posix())
