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
from typing import Any

from brou import Crash, Folder, open_project
from brou.atomic import read_named
from brou_tools.bench.engines import SkippedRow
from brou_tools.bench.patches import BROU
from brou_tools.bench.portable import MeasuredFigure

#: How many positions are asked about, and how often a page is opened.
_POSITIONS, _OPENED = 5, 5
#: What a visitor should wait for a page, for the rules, for legal cards, and for a reason without and with readings.
_PAINT, _READY, _LEGAL, _WHY, _READINGS = 100, 5000, 50, 150, 300
_NAMES = (
    "first paint of the card page",
    "rules ready in a browser",
    "legal cards",
    "why, this reading",
    "why, all readings",
)
_ASKING = Path(__file__).with_name("answers.js")


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
        address, paints = f"http://127.0.0.1:{server.server_port}/en/{game}/play.html", []
        page = browser.new_page()
        for _ in range(_OPENED):
            page.goto("about:blank")
            page.goto(address)
            page.locator("#hand button").first.wait_for()
            paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        found: dict[str, Any] = page.evaluate(read_named(_ASKING).decode(), [_POSITIONS])
        browser.close()
        server.shutdown()
    work = f"{found['positions']} positions, median"
    paint, ready, legal, why, readings = _NAMES
    yield MeasuredFigure(paint, statistics.median(paints), "ms", _PAINT, f"opened {_OPENED} times, median")
    yield MeasuredFigure(ready, found["ready"], "ms", _READY, "in the background, from this machine")
    yield MeasuredFigure(legal, statistics.median(found["legal"]), "ms", _LEGAL, work)
    yield MeasuredFigure(why, statistics.median(found["why"]), "ms", _WHY, work)
    yield MeasuredFigure(readings, statistics.median(found["readings"]), "ms", _READINGS, work)
