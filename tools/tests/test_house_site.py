"""The whole site of a game of the house in a real browser: a page of each kind, and the card page in its states."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import WIDTHS, find_faults, in_browser, open_browser, open_page, with_axe
from test_site import References, find_ambiguous

from brou_tools.cli import main

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.thorough

MISREAD = Path(__file__).parents[2] / "conformance" / "adapters" / "python" / "misread" / "adapter.py"
SCENARIO = "scenarios/brouc.over.four-trumps-and-four-clubs.html"
BOOKS = tuple(
    f"books/{one}-{readers}.html" for one in ("2022", "club-2026") for readers in ("players", "table", "arbiters")
)
GAME = ("index", "register", "play", "agree", "score", "since", "2022-club-2026", "brouc.over.05")
PAGES = (
    "index.html",
    *(f"fr/{one}.html" for one in ("index", "search", "programs", "programs/misread")),
    *(f"fr/brouc/{one}.html" for one in GAME),
    *(f"fr/brouc/{one}" for one in (SCENARIO, *BOOKS)),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site of Brouc with its books and scenarios, and the verdict on a program that misreads it."""
    folder = tmp_path_factory.mktemp("house")
    record = folder / "records" / "misread.ndjson"
    record.parent.mkdir()
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        asked = ["verify", "-k", "over", "--game", "brouc", "--report", str(record)]
        assert main([*asked, "--", sys.executable, str(MISREAD)]) == 1
        wanted = ["site", "brouc", "homme-de-brou", "--lang", "fr", "--reports", str(record.parent)]
        assert main([*wanted, "-o", str(folder / "pages")]) == 0
    return folder / "pages"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return a browser without a window."""
    with open_browser() as opened:
        yield opened


def judge(page: Page, heard: list[str], width: int) -> list[object]:
    """Return the faults of a page: what axe sees, what the console says, and by how much it is too wide."""
    wide = page.evaluate("document.documentElement.scrollWidth") - width
    return [*find_faults(page), *heard, *([wide] if wide else [])]


@pytest.mark.slow
@in_browser
@with_axe
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dark", [False, True])
def test_pages_of_every_kind_have_no_serious_fault(browser: Browser, site: Path, width: int, *, dark: bool) -> None:
    """Nor is one wider than the screen, nor does it ask a host."""
    found = {}
    for name in PAGES:
        page, heard = open_page(browser, (site / name).as_uri(), width, dark=dark)
        found[name] = judge(page, heard, width)
        page.context.close()

    assert {name: faults for name, faults in found.items() if faults} == {}


def choose_card(page: Page) -> None:
    """Ask about a card that may not be played."""
    page.locator("#hand button.no").first.click()
    page.locator("#answer h3").wait_for()


def lay_cards(page: Page) -> None:
    """Open the pack and take all cards away."""
    page.locator("#lay summary").click()
    page.locator("#clear").click()


def agree(page: Page) -> None:
    """Open the questions to choose, and choose another reading."""
    page.locator("#agreed summary").click()
    page.locator("#readings input[type=radio]:not(:checked)").first.click()
    page.locator("#readings .other").first.wait_for()


def add_deal(page: Page) -> None:
    """Add a deal to the sheet."""
    page.locator("#add").click()


def search(page: Page) -> None:
    """Look for a word."""
    page.get_by_role("searchbox").fill("atout")
    page.locator("#found li").first.wait_for()


@pytest.mark.slow
@in_browser
@with_axe
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    ("name", "act"),
    [
        ("brouc/play.html", choose_card),
        ("brouc/play.html", lay_cards),
        ("brouc/play.html", agree),
        ("brouc/score.html", add_deal),
        ("search.html", search),
    ],
)
def test_pages_in_use_have_no_serious_fault(
    browser: Browser, site: Path, width: int, name: str, act: Callable[[Page], None]
) -> None:
    """A card asked about, cards laid, a reading chosen, a deal written down, and finds of a search."""
    page, heard = open_page(browser, (site / "fr" / name).as_uri(), width, dark=width == WIDTHS[1])
    act(page)
    faults = judge(page, heard, width)
    page.context.close()

    assert faults == []


@pytest.mark.slow
def test_links_of_one_name_lead_to_one_place_on_every_page(site: Path) -> None:
    """Books apart, which refer back and forth by signs, and verdicts, which are files of their own."""
    pages = [one for one in site.rglob("*.html") if one.parent.name not in ("books", "programs")]
    found = {one.name: find_ambiguous(References(one.read_text(encoding="utf-8"))) for one in pages}

    assert len(found) > 500
    assert {name: names for name, names in found.items() if names} == {}
