"""A browser for tests of pages, and axe, which looks for faults that keep somebody from reading them."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
#: What looks for faults: the package of npm in the version that `.ci/run` installs, and where that puts it.
AXE_PACKAGE = "axe-core@4.14.1"
AXE = ROOT / ".venv" / "lib" / "node_modules" / "axe-core" / "axe.min.js"
#: What a visitor fetches before a page is there, in bytes as they are sent.
FIRST_PAINT = 60_000
#: What is counted of it, as a browser calls it.
SENT_FIRST = ("document", "stylesheet", "script", "font", "image")
#: What a page fetches once it is there: in what it searches.
SENT_LATER = ("search-index.js", "docs-index.js")
#: A desk and a telephone.
WIDTHS = (1280, 390)
SERIOUS = ("serious", "critical")

in_browser = pytest.mark.skipif(
    CHROMIUM is None or find_spec("playwright") is None, reason="no Chromium, or playwright is not installed"
)
with_axe = pytest.mark.skipif(
    not AXE.is_file(), reason=f"axe is not installed: npm install --global --prefix .venv {AXE_PACKAGE}"
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


def weigh_first_paint(browser: Browser, page: Path) -> int:
    """Return how many bytes are sent before a page looks as it will: itself, and all styles, scripts and letters."""
    context = browser.new_context(viewport={"width": 1280, "height": 844})
    opened, asked = context.new_page(), set[str]()
    opened.on("request", lambda request: asked.add(request.url) if request.resource_type in SENT_FIRST else None)
    opened.goto(page.as_uri())
    opened.evaluate("document.fonts.ready.then(() => true)")
    context.close()
    found = [Path(unquote(urlsplit(one).path)) for one in sorted(asked) if one.startswith("file:")]
    files = [one for one in found if one.name not in SENT_LATER]
    assert page in files
    # Whoever names the letters fetches them; a page that is one file takes those of the system.
    assert any(one.name == "fonts.css" for one in files) == any(one.suffix == ".woff2" for one in files)
    return sum(len(gzip.compress(one.read_bytes())) for one in files)


def find_faults(page: Page) -> list[str]:
    """Return the serious faults of a page as axe sees it: the rule, and the first element that breaks it."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: Any = page.evaluate("axe.run({ preload: false })")
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found["violations"] if one["impact"] in SERIOUS]
