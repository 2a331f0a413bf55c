"""A browser for tests of pages, and axe, which looks for faults that keep somebody from reading them."""

from __future__ import annotations

import gzip
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
#: Where `npm install --global --prefix .venv axe-core` puts it.
AXE = ROOT / ".venv" / "lib" / "node_modules" / "axe-core" / "axe.min.js"
#: What a visitor fetches before a page is there, in bytes as they are sent.
FIRST_PAINT = 60_000
#: A desk and a telephone.
WIDTHS = (1280, 390)
SERIOUS = ("serious", "critical")

in_browser = pytest.mark.skipif(
    CHROMIUM is None or find_spec("playwright") is None, reason="no Chromium, or playwright is not installed"
)
with_axe = pytest.mark.skipif(
    not AXE.is_file(), reason="axe is not installed: npm install --global --prefix .venv axe-core"
)


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Open a browser without a window."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not installed everywhere

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def open_page(browser: Browser, address: str, width: int = 1280, *, dark: bool = False) -> tuple[Page, list[str]]:
    """Open a page; return it with what it asks of other hosts and what it says on the console."""
    context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme="dark" if dark else "light")
    page, heard = context.new_page(), list[str]()
    own = ("data:", address.partition(":")[0] + ":")
    page.on("console", lambda message: heard.append(message.text))
    page.on("request", lambda request: heard.append(request.url) if not request.url.startswith(own) else None)
    page.goto(address)
    return page, heard


def weigh_first_paint(page: Path) -> int:
    """Return how many bytes are sent before a page is there: itself, its styles and scripts, and its plain letters."""
    linked = re.findall(r'<(?:link rel="stylesheet" href|script src)="([^"]+)"', page.read_text(encoding="utf-8"))
    files = [page, *((page.parent / one).resolve() for one in linked)]
    fonts = [one.parent / "fonts" / "regular.woff" for one in files if one.name == "fonts.css"]
    assert len(files) > 1
    assert len(fonts) == 1
    return sum(len(gzip.compress(one.read_bytes())) for one in [*files, *fonts])


def find_faults(page: Page) -> list[str]:
    """Return the serious faults of a page as axe sees it: the rule, and the first element that breaks it."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: Any = page.evaluate("axe.run({ preload: false })")
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found["violations"] if one["impact"] in SERIOUS]
