"""How quickly pages appear and the rules answer in a browser: Chromium, with the site of a game on this machine."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any

from brou import Crash, Folder, open_project
from brou.atomic import read_named
from brou_tools.bench.engines import SkippedRow
from brou_tools.bench.patches import BROU
from brou_tools.bench.portable import MeasuredFigure

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: How many positions are asked about, and how often a page is opened.
_POSITIONS, _OPENED = 5, 5
#: What a visitor should wait for a page, for the rules, for legal cards, and for a reason without and with readings.
_PAINT, _READY, _LEGAL, _WHY, _READINGS = 100, 5000, 50, 150, 300
#: Pages that are opened, below the folder of a language; the clause is the first of the game.
_PAGES = {
    "first paint of the first screen": "index.html",
    "first paint of a game": "{game}/index.html",
    "first paint of a clause": "{clause}",
    "first paint of the register": "{game}/register.html",
    "first paint of the agreement": "{game}/agree.html",
    "first paint of the card page": "{game}/play.html",
}
#: A word of every game, and how soon its finds should be listed once it is typed.
_WORD, _FINDS = "card", 100
_NAMES = (
    *_PAGES,
    "finds of a search",
    "rules ready in a browser",
    "legal cards",
    "why, this reading",
    "why, all readings",
)
_ASKING, _SEARCHING = (Path(__file__).with_name(name) for name in ("answers.js", "finds.js"))


#: Runs in a page: waits until something of it is there, and tells when that was.
_PAINTED = """() => new Promise((done) => new PerformanceObserver((list, watch) => {
  const [painted] = list.getEntriesByName("first-contentful-paint");
  if (painted) { watch.disconnect(); done(painted.startTime); }
}).observe({ type: "paint", buffered: true }))"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name it has there
        """Say nothing."""


def browser_figures(game: str, folder: Folder = None) -> Iterator[MeasuredFigure | SkippedRow]:
    """Yield the times of a game's pages in Chromium, or why there are none."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    package = Path(os.environ.get("BROU_PYODIDE", "build/pyodide/package"))
    if chromium is None or find_spec("playwright") is None:
        yield from (SkippedRow(name, "no Chromium, or playwright is not installed") for name in _NAMES)
        return
    if not package.is_dir():
        yield from (
            SkippedRow(name, f"no {package}: `make site` puts it there, BROU_PYODIDE names another") for name in _NAMES
        )
        return
    with TemporaryDirectory() as made:
        _make_site(game, folder, package, Path(made))
        yield from _measure_pages(game, Path(made), chromium)


def _make_site(game: str, folder: Folder, package: Path, target: Path) -> None:
    project = open_project(folder)
    data = () if project.is_house else ("--data", str(project.home))
    options = ("--lang", "en", "--brief", "--engine", str(package), "-o", str(target))
    done = subprocess.run(
        [sys.executable, "-P", *BROU, "site", game, *options, *data], capture_output=True, check=False
    )
    if done.returncode:
        raise Crash(f"brou site ended with {done.returncode}: {done.stderr.decode(errors='replace')}")


def _measure_pages(game: str, site: Path, chromium: str) -> Iterator[MeasuredFigure]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - not installed everywhere

    with (
        ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site))) as server,
        sync_playwright() as driver,
    ):
        Thread(target=server.serve_forever, daemon=True).start()
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        address, page = f"http://127.0.0.1:{server.server_port}/en/", browser.new_page()
        page.goto(f"{address}{game}/index.html")
        clause = page.locator("#clauses a.id").first.get_attribute("href") or ""
        places = {name: place.format(game=game, clause=f"{game}/{clause}") for name, place in _PAGES.items()}
        paints = {name: _time_paint(page, f"{address}{place}") for name, place in places.items()}
        page.locator("#hand button").first.wait_for()
        # Whatever the script in the page returns.
        found: dict[str, Any] = page.evaluate(read_named(_ASKING).decode(), [_POSITIONS])
        page.goto(f"{address}search.html")
        finds = page.evaluate(read_named(_SEARCHING).decode(), [_WORD, _OPENED])
        browser.close()
        server.shutdown()
    for name, paint in paints.items():
        yield MeasuredFigure(name, paint, "ms", _PAINT, f"opened {_OPENED} times, median")
    search, ready, legal, why, readings = _NAMES[len(_PAGES) :]
    yield MeasuredFigure(search, statistics.median(finds), "ms", _FINDS, f"`{_WORD}` typed {_OPENED} times, median")
    work = f"{found['positions']} positions, median"
    yield MeasuredFigure(ready, found["ready"], "ms", _READY, "in the background, from this machine")
    yield MeasuredFigure(legal, statistics.median(found["legal"]), "ms", _LEGAL, work)
    yield MeasuredFigure(why, statistics.median(found["why"]), "ms", _WHY, work)
    yield MeasuredFigure(readings, statistics.median(found["readings"]), "ms", _READINGS, work)


def _time_paint(page: Page, address: str) -> float:
    """Return how many milliseconds pass until something of a page is there: the median of some openings."""
    found = []
    for _ in range(_OPENED):
        page.goto("about:blank")
        page.goto(address)
        found.append(float(page.evaluate(_PAINTED)))
    return statistics.median(found)
