"""What all rooms' tests share: which of a test's cases run when."""

from __future__ import annotations

import pytest
from sampling import find_unsampled


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to `make thorough` the cases that their test does not draw, before any mark selects."""
    for item in find_unsampled(items):
        item.add_marker(pytest.mark.thorough)
