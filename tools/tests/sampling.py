"""Samples: of a test with many costly cases `make test` runs one in so many, and `make thorough` runs all.

`@pytest.mark.sampled(4)` says that one case in four is drawn. All cases guard the same sentence, the docstring of the
test, mostly for other games and editions. The name of the file says with which case the draw begins: its tests draw the
same games, so that what they make of a game is made once, and other files draw others. Cases that are named one by one
are all run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from zlib import crc32

import pytest


def find_unsampled(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the cases of sampled tests that are not drawn; cases that are thorough anyway have no part in it."""
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sampled") and not item.get_closest_marker("thorough"):
            groups.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for name, cases in groups.items():
        share = int(cases[0].get_closest_marker("sampled").args[0])  # type: ignore[union-attr]  # it has the marker
        first = crc32(name.rpartition("/")[2].partition("::")[0].encode()) % min(share, len(cases))
        yield from (case for place, case in enumerate(cases) if place % share != first)
