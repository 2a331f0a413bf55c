"""Pages look as they did: the parts of each lie where the file of boxes has them, within a tolerance."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browsing import WIDTHS, in_browser, open_browser
from page_boxes import BOXES, PAGES, make_site, measure

#: How many pixels a part may lie elsewhere: machines have other letters for code, and other controls.
TOLERANCE = 24


@pytest.mark.slow
@in_browser
def test_parts_of_pages_lie_where_they_did(tmp_path: Path) -> None:
    """After a change on purpose: `page_boxes.py`, and look at the pages."""
    kept = json.loads(BOXES.read_text(encoding="utf-8"))
    with open_browser() as browser:
        found = measure(browser, make_site(tmp_path))
    moved = {
        f"{page}, {part}": (kept[page].get(part), box)
        for page, parts in found.items()
        for part, box in parts.items()
        if any(abs(one - other) > TOLERANCE for one, other in zip(kept[page].get(part, [-999] * 3), box, strict=True))
    }

    assert {page: sorted(parts) for page, parts in found.items()} == {
        page: sorted(parts) for page, parts in kept.items()
    }
    assert len(found) == len(PAGES) * len(WIDTHS)
    assert moved == {}
