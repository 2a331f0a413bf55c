"""The site in a real browser, from files: paths by roles and names, the keyboard alone, no other host, its size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import FIRST_PAINT, WIDTHS, find_faults, in_browser, open_browser, open_page, weigh_first_paint, with_axe

from brou_tools.cli import main

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: A page of each kind.
PAGES = (
    "en/index.html",
    "en/search.html",
    "en/verdict.html",
    "en/duet/index.html",
    "en/duet/register.html",
    "en/duet/duet.play.02.html",
    "en/duet/scenarios/duet.follow.suit.html",
    "en/duet/play.html",
    "index.html",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site of a new project in two languages."""
    folder = tmp_path_factory.mktemp("browsed")
    with chdir(folder), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main(["new", "duet"]) == 0
    with chdir(folder / "duet"), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main(["site", "--lang", "en,de", "-o", "pages"]) == 0
    return folder / "duet" / "pages"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return a browser without a window."""
    with open_browser() as opened:
        yield opened


@pytest.mark.slow
def test_the_index_of_the_search_has_every_kind_and_leads_to_pages(site: Path) -> None:
    """Games, clauses, questions and scenarios, each with a place that is there."""
    text = (site / "en" / "search-index.js").read_text(encoding="utf-8")
    entries = json.loads(text.removeprefix("const searchIndex = ").removesuffix(";\n"))

    assert {kind for kind, *_ in entries} >= {"game", "clause", "scenario"}
    assert [place for *_, place in entries if not (site / "en" / place.partition("#")[0]).is_file()] == []


@pytest.mark.sampled(3)
@pytest.mark.slow
@in_browser
@pytest.mark.parametrize("name", PAGES)
def test_a_first_screen_takes_at_most_sixty_kilobytes(browser: Browser, site: Path, name: str) -> None:
    """The page with all styles, scripts and letters that a browser fetches for it, compressed one by one."""
    assert weigh_first_paint(browser, site / name) < FIRST_PAINT


@pytest.mark.sampled(2)
@pytest.mark.slow
@in_browser
@pytest.mark.parametrize("width", WIDTHS)
def test_pages_fit_a_screen_and_ask_nobody(browser: Browser, site: Path, width: int) -> None:
    """Read from files, none sticks out at the side, asks a host, or has anything refused by its policy."""
    for name in PAGES:
        page, heard = open_page(browser, (site / name).as_uri(), width)
        assert (name, page.evaluate("document.documentElement.scrollWidth"), heard) == (name, width, [])
        page.context.close()


@pytest.mark.slow
@in_browser
def test_the_keyboard_alone_leads_from_the_first_screen_to_a_clause(browser: Browser, site: Path) -> None:
    """Search is the first thing that Tab comes to; what is typed lists finds, and one opens a page."""
    page, _ = open_page(browser, (site / "en" / "index.html").as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Search"
    page.keyboard.press("Enter")
    page.get_by_role("searchbox", name="Words or ids").focus()
    page.keyboard.type("duet.play.02")
    found = page.get_by_role("main").get_by_role("listitem").filter(has_text="clause, ")
    found.first.wait_for()
    found.first.get_by_role("link").focus()
    page.keyboard.press("Enter")

    page.get_by_role("heading", name="duet.play.02").wait_for()


@pytest.mark.slow
@in_browser
def test_a_search_heeds_kind_and_neither_case_nor_accents(browser: Browser, site: Path) -> None:
    """The address holds the words, so that a search can be sent to somebody."""
    page, _ = open_page(browser, f"{(site / 'en' / 'search.html').as_uri()}#D%C3%9AET.PLAY")
    finds = page.locator("#found li")
    whole = finds.count()
    page.get_by_role("combobox", name="Only").select_option("scenario")

    assert whole > finds.count()
    page.get_by_role("combobox", name="Only").select_option("clause")
    assert finds.count() > 0
    page.get_by_role("searchbox", name="Words or ids").fill("there is no such word")
    assert page.get_by_text("0 found").is_visible()


@pytest.mark.slow
@in_browser
def test_without_scripts_the_search_page_leads_to_the_games(browser: Browser, site: Path) -> None:
    """No form stands there that would do nothing."""
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto((site / "en" / "search.html").as_uri())

    assert page.get_by_role("searchbox").count() == 0
    assert page.get_by_role("main").get_by_role("link").count() >= 2


@pytest.mark.slow
@in_browser
@with_axe
def test_axe_notices_a_link_without_a_name(browser: Browser, tmp_path: Path) -> None:
    """What finds no fault in our pages finds one where there is one."""
    (tmp_path / "wrong.html").write_text('<html lang="en"><title>x</title><a href="#x"></a></html>', encoding="ascii")
    page, _ = open_page(browser, (tmp_path / "wrong.html").as_uri())

    assert [one.partition(":")[0] for one in find_faults(page)] == ["link-name"]


@pytest.mark.sampled(2)
@pytest.mark.slow
@in_browser
@with_axe
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_serious_fault_in_pages_of_each_kind(browser: Browser, site: Path, *, dark: bool) -> None:
    """Neither in light nor in dark."""
    found = {}
    for name in PAGES:
        page, _ = open_page(browser, (site / name).as_uri(), dark=dark)
        found[name] = find_faults(page)
        page.context.close()

    assert {name: faults for name, faults in found.items() if faults} == {}
