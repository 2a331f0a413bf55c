"""What all rooms' tests share: which of a test's cases run when."""

from __future__ import annotations

import gc
import os

import pytest
from sampling import find_unsampled


def pytest_sessionstart() -> None:
    """Let texts be as wide as where nobody looks: workers are told the columns of a terminal, one process is not."""
    os.environ.pop("COLUMNS", None)


def pytest_collection_finish() -> None:
    """Collect garbage rarely: loaded rules and code stay anyway, and collecting took a fifth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to `make thorough` the cases that their test does not draw, before any mark selects."""
    for item in find_unsampled(items):
        item.add_marker(pytest.mark.thorough)
