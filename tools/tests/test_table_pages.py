"""The pages for a table: its agreement as a form, and its score sheet, whose record the command settles as well."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import pytest
from browsing import FIRST_PAINT, WIDTHS, find_faults, in_browser, open_browser, open_page, weigh_first_paint, with_axe

from brou import Words, catalogue, open_project, rules, spread
from brou_tools.cli import main
from brou_tools.options.agreed import read_agreement
from brou_tools.site.score_form import describe_sheet

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site of a game with a score sheet, without scenarios and books."""
    folder = tmp_path_factory.mktemp("tables") / "pages"
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main(["site", "brouc", "--lang", "en,fr", "--brief", "-o", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return a browser without a window."""
    with open_browser() as opened:
        yield opened


def read_record(page: Page) -> Any:
    """Return the record that the address of a page holds."""
    return json.loads(parse_qs(page.url.partition("#")[2])["r"][0])


@pytest.mark.parametrize("game", catalogue())
def test_a_form_has_a_field_for_each_entry_of_the_sheet(game: str) -> None:
    """Every entry that takes something can be filled in, each field from a list or as a number."""
    for choice in spread(game):
        found: Any = describe_sheet(choice, Words(rules(choice), "en"))
        entries = [one for one in rules(choice).summary.values() if one.parameters]
        assert (found is None) == (not rules(choice).summary)
        shown = [] if found is None else found["entries"]
        assert [len(one["fields"]) for one in shown] == [len(one.parameters) for one in entries]
        assert all(field.get("values") or field["from"] < field["to"] for one in shown for field in one["fields"])


@pytest.mark.slow
@in_browser
def test_a_first_paint_of_a_real_game_takes_at_most_sixty_kilobytes(browser: Browser, site: Path) -> None:
    """In French: first screen, search, the game, the longest of the clauses, the card page, agreement and sheet."""
    in_order = sorted((site / "fr").rglob("*.html"), key=lambda page: page.stat().st_size)
    kinds = {"clause" if "." in page.stem else page.relative_to(site): page for page in in_order}
    found = {page.name: weigh_first_paint(browser, page) for page in kinds.values()}

    assert found.keys() > {"search.html", "play.html", "agree.html", "score.html"}
    assert {name: size for name, size in found.items() if size >= FIRST_PAINT} == {}


# Beyond the longest clause above it guards all the others, which are made alike.
@pytest.mark.thorough
@in_browser
def test_a_first_paint_of_every_page_takes_at_most_sixty_kilobytes(browser: Browser, site: Path) -> None:
    """Every page of a real game in French."""
    found = {page.name: weigh_first_paint(browser, page) for page in (site / "fr").rglob("*.html")}

    assert len(found) > 70
    assert {name: size for name, size in found.items() if size >= FIRST_PAINT} == {}


@pytest.mark.slow
@in_browser
def test_a_filled_in_evening_is_a_record_that_the_command_settles(browser: Browser, site: Path, tmp_path: Path) -> None:
    """Dealer, accounts, a marriage and card points, put in by their names, as on the page about records."""
    page, heard = open_page(browser, (site / "en" / "brouc" / "score.html").as_uri())
    page.get_by_role("group", name="Dealer").get_by_role("combobox").select_option(label="seat 3")
    for at, number in enumerate(("80", "60")):
        page.get_by_role("group", name="Accounts before the deal").get_by_role("spinbutton").nth(at).fill(number)
    page.get_by_role("group", name="Trump").get_by_role("combobox").select_option(label="spades")
    announced = page.get_by_role("group", name="Announced")
    announced.get_by_role("button", name="Add one").click()
    for at, name in enumerate(("seat 0 + seat 2", "hearts", "simple marriage")):
        announced.get_by_role("combobox").nth(at).select_option(label=name)
    for at, number in enumerate(("75", "45")):
        page.get_by_role("group", name="Card points").get_by_role("spinbutton").nth(at).fill(number)
    page.get_by_role("button", name="What does it come to?").click()
    page.get_by_text("made without the rules").first.wait_for()
    record = read_record(page)
    (tmp_path / "evening.yaml").write_text(json.dumps(record), encoding="utf-8")
    with chdir(tmp_path), redirect_stdout(StringIO()) as told, redirect_stderr(StringIO()):
        assert main(["score", "--lang", "en", "evening.yaml"]) == 0

    assert record["deals"] == [
        {"short": {"trump": "S", "announced": [{"team": 0, "suit": "H", "kind": "simple"}], "points": [75, 45]}}
    ]
    assert heard == []
    after = next(line for line in told.getvalue().splitlines() if line.strip().startswith("after"))
    assert after.split()[1:] == ["180", "110"]


@pytest.mark.slow
@in_browser
def test_an_evening_opens_from_its_address(browser: Browser, site: Path) -> None:
    """What was filled in stands there again."""
    address = (site / "en" / "brouc" / "score.html").as_uri()
    record = {"rules": "brouc@2022[match_ticks=7]", "deals": [{"short": {"trump": "D"}}, {"short": {"claim": 1}}]}
    page, _ = open_page(browser, f"{address}#r={json.dumps(record)}")
    trump = page.get_by_role("group", name="Trump").get_by_role("combobox")

    assert trump.first.locator("option:checked").inner_text() == "diamonds"
    assert page.locator(".deal").count() == 2
    assert page.get_by_text("Answers that differ from the edition: 1.").is_visible()
    assert read_record(page)["rules"] == "brouc@2022:4[match_ticks=7]"


@pytest.mark.slow
@in_browser
def test_an_evening_is_kept_on_the_way_to_the_agreement(browser: Browser, site: Path) -> None:
    """What was filled in comes back, by the rules that were ticked meanwhile."""
    address = (site / "en" / "brouc" / "score.html").as_uri()
    record = {"rules": "brouc@2022", "deals": [{"short": {"trump": "D"}}]}
    page, _ = open_page(browser, f"{address}#r={json.dumps(record)}")
    page.get_by_role("link", name="What we agree on").click()
    page.get_by_role("radio", name="Also for a ruff by choice").check()
    page.get_by_role("link", name="Score our evening").click()
    page.locator(".deal").wait_for()

    assert read_record(page)["deals"] == record["deals"]
    assert read_record(page)["rules"] == "brouc@2022:4[exception_scope=any-trump-play]"


@pytest.mark.slow
@in_browser
def test_a_figure_is_corrected_and_settled_with_one_click(browser: Browser, site: Path) -> None:
    """The button stays where it is when the long result below it goes, and no old result is left to read."""
    page, _ = open_page(browser, (site / "en" / "brouc" / "score.html").as_uri())
    result = page.locator("#result")
    result.evaluate("one => { one.textContent = 'An old result'; one.style.minHeight = '3000px'; }")
    page.mouse.wheel(0, 20_000)
    figure = page.get_by_role("group", name="Card points").get_by_role("spinbutton").first
    figure.fill("75")
    figure.press("Tab")
    assert result.evaluate("one => getComputedStyle(one).visibility") == "hidden"
    figure.fill("76")
    page.get_by_role("button", name="What does it come to?").click()

    page.get_by_text("made without the rules").first.wait_for()
    assert result.inner_text().startswith("This site was made without the rules")


@pytest.mark.slow
@in_browser
def test_a_file_that_is_no_record_is_refused(browser: Browser, site: Path, tmp_path: Path) -> None:
    """The page says so, and keeps what it has."""
    page, heard = open_page(browser, (site / "en" / "brouc" / "score.html").as_uri())
    for text in ("format: brou-record/1", "[]", "null"):
        (tmp_path / "other.yaml").write_text(text, encoding="utf-8")
        page.locator("#open").set_input_files([])
        page.locator("#open").set_input_files(tmp_path / "other.yaml")
        page.get_by_text("This file is no record that this page has saved.").wait_for()

    assert page.locator(".deal").count() == 1
    assert heard == []


@pytest.mark.slow
@in_browser
def test_figures_of_the_slate_are_asked_for_in_points(browser: Browser, site: Path) -> None:
    """The label says so; a figure that is no such sum marks its field, and the answer says what it would be."""
    page, _ = open_page(browser, (site / "en" / "brouc" / "score.html").as_uri())
    accounts = page.get_by_role("group", name="Accounts before the deal (in points, 10 times the figure on the slate)")
    for at, number in enumerate(("12", "140")):
        accounts.get_by_role("spinbutton").nth(at).fill(number)
    page.get_by_role("button", name="What does it come to?").click()

    fields = accounts.get_by_role("spinbutton").all()
    assert [one.get_attribute("aria-invalid") for one in fields] == ["true", "false"]
    assert page.locator("#result").inner_text().split("\n\n") == [
        "Before the first deal: this cannot be",
        "Enter points: 12 on the slate is 120 points.",
    ]


@pytest.mark.slow
@in_browser
def test_what_is_ticked_is_an_agreement_that_commands_take(browser: Browser, site: Path, tmp_path: Path) -> None:
    """By the keyboard: a switch is chosen with an arrow, and the file, the address and the links hold it."""
    page, _ = open_page(browser, (site / "en" / "brouc" / "agree.html").as_uri())
    page.get_by_role("radio", name="Only when bound to play trump").focus()
    page.keyboard.press("ArrowDown")
    (tmp_path / "agreement.yaml").write_text(page.locator("#agreement").text_content() or "", encoding="utf-8")
    play = page.get_by_role("link", name="May I play this card, by these rules?").get_attribute("href") or ""

    assert (
        dict(read_agreement(str(tmp_path / "agreement.yaml"), open_project(None)).readings)["exception_scope"]
        == "any-trump-play"
    )
    assert parse_qs(page.url.partition("#")[2])["rules"] == ["brouc@2022:4[exception_scope=any-trump-play]"]
    assert parse_qs(play.partition("#")[2])["rules"] == ["brouc@2022:4[exception_scope=any-trump-play]"]
    assert page.get_by_role("radio", name="Also for a ruff by choice").evaluate("one => one === document.activeElement")


@pytest.mark.slow
@in_browser
@with_axe
@pytest.mark.parametrize("width", WIDTHS)
def test_pages_of_a_real_game_fit_and_have_no_serious_fault(browser: Browser, site: Path, width: int) -> None:
    """First screen, game, clause, register, the comparison, the card page, agreement and sheet, light and dark."""
    found = {}
    below = ("index", "register", "play", "agree", "score", "since", "brouc.over.05")
    for name in ("fr/index.html", *(f"fr/brouc/{one}.html" for one in below)):
        page, heard = open_page(browser, (site / name).as_uri(), width, dark=width == WIDTHS[1])
        found[name] = [*find_faults(page), *heard, page.evaluate("document.documentElement.scrollWidth") - width]
        page.context.close()

    assert {name: faults for name, faults in found.items() if faults != [0]} == {}
