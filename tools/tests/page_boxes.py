"""Where the parts of pages lie on a screen: measured in a browser, and kept in `page_boxes.json`.

    PYTHONPATH=tools/tests .venv/bin/python -P tools/tests/page_boxes.py

writes the file anew. Letters are shipped with the pages, so that machines lay them out alike but for a few pixels.
"""

from __future__ import annotations

import json
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from browsing import WIDTHS, open_browser, open_page

from brou_tools.cli import main

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: What is measured, and on which pages of a new project.
PARTS = ("header", "h1", "main > .three", "main > .shown", "main h2", "#clauses", "#hand", "#readings", "main > form")
PAGES = ("index", "search", "duet/index", "duet/register", "duet/duet.play.02", "duet/play", "duet/agree")
BOXES = Path(__file__).with_suffix(".json")


def make_site(folder: Path) -> Path:
    """Return the site of a new project."""
    with chdir(folder), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        main(["new", "duet"])
    with chdir(folder / "duet"), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        main(["site", "--lang", "en", "--brief", "-o", "pages"])
    return folder / "duet" / "pages"


def measure(browser: Browser, site: Path) -> dict[str, dict[str, list[int]]]:
    """Return by page and width the boxes of the parts that are there: left, top and width, in pixels."""
    found: dict[str, dict[str, list[int]]] = {}
    for name in PAGES:
        for width in WIDTHS:
            page, _ = open_page(browser, (site / "en" / f"{name}.html").as_uri(), width)
            page.evaluate("document.fonts.ready.then(() => true)")
            boxes: dict[str, Any] = {part: page.locator(part).first for part in PARTS if page.locator(part).count()}
            shown = {part: one.bounding_box() for part, one in boxes.items() if one.is_visible()}
            found[f"{name} {width}"] = {
                part: [round(box[side]) for side in ("x", "y", "width")] for part, box in shown.items()
            }
            page.context.close()
    return found


if __name__ == "__main__":
    with TemporaryDirectory() as room, open_browser() as opened:
        told = json.dumps(measure(opened, make_site(Path(room))), indent=1)
    BOXES.write_text(f"{told}\n", encoding="utf-8")
