"""Programs beside each other: from their records, case by case, as text and as one page."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from html import unescape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import WIDTHS, find_faults, in_browser, open_browser, open_page, with_axe

from brou_conformance.fitting.search import FailureExplanation
from brou_tools.cli import main

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ADAPTERS = ROOT / "conformance" / "adapters" / "python"
#: What the one program misreads, and little more.
SOME = ["-k", "brouc.over."]
CASE = "brouc.over.four-trumps-and-four-clubs"
MANY, LARGEST = 2_000, 3_000_000


def judge(*arguments: str) -> tuple[int, str]:
    """Run `brou verify`; return its exit code and its text."""
    with redirect_stdout(StringIO()) as told:
        return main(["verify", *arguments]), " ".join(told.getvalue().split())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the records of a faultless program, of one that misreads, of one by another reading."""
    made = tmp_path_factory.mktemp("compared")
    serve = [sys.executable, "-m", "brou_tools.cli", "serve"]
    programs = {
        "good": [sys.executable, str(ADAPTERS / "adapter.py")],
        "misread": [sys.executable, str(ADAPTERS / "misread" / "adapter.py")],
        "reading": [*serve, "brouc@2022[exception_scope=any-trump-play]"],
    }
    with pytest.MonkeyPatch.context() as patch:
        # What explains failures is found when records are compared.
        patch.setattr("brou_conformance.verdicts.verify.explain", lambda *_: FailureExplanation())
        for name, command in programs.items():
            judge("--game", "brouc", *SOME, "--report", str(made / f"{name}.ndjson"), "--", *command)
    judge("--game", "homme-de-brou", "-k", "play", "--report", str(made / "other.ndjson"), "--", *programs["good"])
    return made


@pytest.fixture(scope="module")
def compared(folder: Path) -> tuple[int, str]:
    """Compare the first two, with a page; return the exit code and the text."""
    return judge(*_name_records(folder, "good", "misread"), "--html", str(folder / "page.html"))


@pytest.fixture(scope="module")
def page(folder: Path, compared: tuple[int, str]) -> str:
    """Return the page on the first two."""
    assert compared[0] == 1
    return (folder / "page.html").read_text(encoding="utf-8")


def _name_records(folder: Path, *names: str) -> list[str]:
    return [str(folder / f"{name}.ndjson") for name in names]


def test_the_code_is_the_gravest_of_the_programs_alone(folder: Path, compared: tuple[int, str]) -> None:
    """Where one deviates it is a finding; where both follow all is fine, though they read a passage otherwise."""
    assert compared[0] == 1
    assert judge(*_name_records(folder, "good", "reading"))[0] == 0


def test_the_text_names_each_case_in_which_programs_part(folder: Path, compared: tuple[int, str]) -> None:
    """With what came of it for each program, by its record where both have one name."""
    good, misread = _name_records(folder, "good", "misread")
    told = compared[1]

    assert re.search(r"They differ in (\d+) of \d+ cases\.", told)
    assert f"{CASE}: {good} passes; {misread} fails" in told


def test_programs_of_other_readings_part_in_what_hangs_on_them(folder: Path, tmp_path: Path) -> None:
    """The page has both readings and the question that they answer."""
    made = tmp_path / "page.html"
    told = judge(*_name_records(folder, "good", "reading"), "--html", str(made))[1]

    assert "They read exception_scope differently" in told
    assert "(exception_scope)" in told
    written = made.read_text(encoding="utf-8")
    assert "Passages that they read differently" in written
    assert "They read exception_scope differently, and this case depends on it." in written


def test_a_record_of_another_game_is_refused_by_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message says of which edition each is, and no page is written."""
    assert judge(*_name_records(folder, "good", "other"), "--html", str(folder / "none.html"))[0] == 2

    told = capsys.readouterr().err
    assert "it is of brouc@2022, and the others are of homme-de-brou@1802" in told
    assert not (folder / "none.html").exists()


def test_what_is_no_record_is_refused_by_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A page, an absent file and a program in the place of a record are no records."""
    (folder / "text.ndjson").write_text("{}\n", encoding="ascii")
    for wrong in (folder / "text.ndjson", folder / "absent.ndjson", ADAPTERS / "adapter.py"):
        assert judge(*_name_records(folder, "good"), str(wrong))[0] == 2
        assert str(wrong) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["a.ndjson"], "a comparison takes two records or more"),
        (["a.ndjson", "a.ndjson"], "a record is named twice"),
        (["a.ndjson", "b.ndjson", "--junit", "x.xml"], "leave out --junit"),
        (["a.ndjson", "b.ndjson", "--replay", "c.ndjson"], "leave out --replay"),
        (["a.ndjson", "b.ndjson", "--", "program"], "leave out what follows `--`"),
    ],
)
def test_options_of_one_program_do_not_go_with_records(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message says what to leave out, before any record is read."""
    with pytest.raises(SystemExit, match="2"):
        main(["verify", *arguments])
    assert told in capsys.readouterr().err


def test_the_page_sets_what_each_plays_beside_the_other(page: str) -> None:
    """One plays as the rules do, the other something else, told under the clause."""
    start = page.index("What each plays instead")
    beside = page[start : page.index("Case by case")]

    assert "brouc.over.05" in beside
    assert beside.index("as the rules") < beside.index("The program does not hold to it.")


def test_a_case_has_the_result_of_each_program_and_the_wrong_answer(page: str) -> None:
    """Marks have words beside them, and cases in which programs part come first."""
    cases = re.findall(r"<(?:details|div) class=\"?case.*?</(?:details|div)>", page, re.DOTALL)
    parted = [number for number, one in enumerate(cases) if 'data-about="part' in one]

    assert parted == list(range(len(parted)))
    shown = next(one for one in cases if CASE in one)
    assert len(re.findall("✓ [^<]* passes", shown)) == 1
    assert len(re.findall("✗ [^<]* fails", shown)) == 1
    assert "<dt>The rules" in shown


@pytest.mark.usefixtures("unexplained")
@pytest.mark.sampled(2)
@pytest.mark.parametrize(("lang", "told"), [("fr", "Cas par cas"), ("de", "Fall für Fall")])
def test_a_comparison_speaks_the_language_of_its_reader(folder: Path, tmp_path: Path, lang: str, told: str) -> None:
    """The page says so, and no English sentence of its own is left."""
    made = tmp_path / "page.html"
    judge(*_name_records(folder, "good", "misread"), "--lang", lang, "--html", str(made))
    page = made.read_text(encoding="utf-8")

    assert f'<html lang="{lang}">' in page
    assert told in page
    assert [one for one in ("Case by case", "passes", "as the rules", "They differ") if one in page] == []


def test_two_thousand_failing_cases_fit_into_three_megabytes(page: str) -> None:
    """As much as a failing case takes here, so many would take, beside the rest of the page."""
    cases = re.findall(r"<details class=case .*?</details>", page, re.DOTALL)
    each = sum(len(one.encode()) for one in cases) / len(cases)

    assert len(page.encode()) + MANY * each < LARGEST


def test_a_comparison_may_ask_no_host(page: str) -> None:
    """Its policy lets nothing run but its own style and script, and it refers to no file."""
    (policy,) = (unescape(one) for one in re.findall(r'Content-Security-Policy" content="([^"]*)"', page))

    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert set(re.findall(r'\b(?:href|src)="?([^"\s>])', page)) <= {"#"}


# In a browser -----------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return a browser without a window."""
    with open_browser() as opened:
        yield opened


@in_browser
@pytest.mark.parametrize("width", WIDTHS)
def test_a_comparison_fits_a_screen_and_asks_nobody(browser: Browser, folder: Path, page: str, width: int) -> None:
    """Nothing sticks out at the side, and nothing is refused by the policy."""
    shutil.copy(folder / "page.html", folder / "seen.html")
    opened, heard = open_page(browser, (folder / "seen.html").as_uri(), width)

    assert page
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    assert heard == []


@in_browser
def test_cases_are_picked_with_the_keyboard_by_names(browser: Browser, folder: Path, page: str) -> None:
    """At first those are shown in which programs part; a choice shows the others, and a key opens one."""
    opened, _ = open_page(browser, (folder / "page.html").as_uri())
    choice = opened.get_by_role("combobox", name="Which cases")
    shown = opened.locator(".case:visible")
    parted = shown.count()
    choice.focus()
    opened.keyboard.press("Home")

    assert page
    assert 0 < parted < shown.count()
    opened.get_by_role("searchbox", name="Words, ids or cards").focus()
    opened.keyboard.type(CASE)
    opened.get_by_text("1 of ").wait_for()
    shown.locator("summary").focus()
    opened.keyboard.press("Enter")
    assert shown.get_by_text("Step by step").is_visible()


@in_browser
@with_axe
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_serious_fault_in_a_comparison(browser: Browser, folder: Path, page: str, *, dark: bool) -> None:
    """Neither in light nor in dark: names, order of headings, contrast."""
    opened, _ = open_page(browser, (folder / "page.html").as_uri(), dark=dark)

    assert page
    assert find_faults(opened) == []
