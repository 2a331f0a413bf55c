"""The table of programs on a site: made from records, with a page of each verdict and what a list adds."""

from __future__ import annotations

import re
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from brou import house
from brou_conformance.fitting.search import FailureExplanation
from brou_tools.cli import main
from brou_tools.site.game_pages import GamePages
from brou_tools.site.program_pages import ProgramPages

ADAPTERS = Path(__file__).parents[2] / "conformance" / "adapters" / "python"
LIST = """
format: brou-implementations/1
implementations:
- statement: misread.json
  link: https://example.org/misread
  date: "2026-11-20"
  deviations:
  - {clause: brouc.over.05, link: "https://example.org/5", version: "1.0", date: "2026-11-21"}
"""


def run(*arguments: str) -> int:
    """Run a command without its text; what explains failures is found when a record is read."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        if arguments[0] == "verify":
            patch.setattr("brou_conformance.verdicts.verify.explain", lambda *_: FailureExplanation())
        return main(list(arguments))


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the records of a faultless program and of one that misreads, which a list knows."""
    folder = tmp_path_factory.mktemp("records")
    for name, program in (("good", "adapter.py"), ("misread", "misread/adapter.py")):
        outputs = ["--report", str(folder / f"{name}.ndjson"), "--attest", str(folder / f"{name}.json")]
        run("verify", "--game", "brouc", "-k", "brouc.over.f", *outputs, "--", sys.executable, str(ADAPTERS / program))
    (folder / "implementations.yaml").write_text(LIST, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def pages(records: Path) -> dict[str, str]:
    """Return the table and the verdicts in English, by their places."""
    found = ProgramPages.read(records, house())
    made = dict(found.write_all([GamePages("brouc", "en", house(), ["en"], plays=False)], ["en"]))
    assert len(made) == found.page_count
    return made


def list_rows(page: str) -> list[str]:
    """Return the rows of the table without its head."""
    return re.findall("<tr><th scope=row class=whole>.*?</tr>", page)


@pytest.mark.slow
def test_each_program_has_a_row_that_leads_to_its_verdict(pages: dict[str, str]) -> None:
    """With version, edition, verdict and how many cases pass."""
    good, misread = list_rows(pages["programs.html"])

    assert all(
        part in good for part in ("brou-table", "<td>1.0</td>", "brouc@2022", "programs/good.html#brouc@2022", "3 of 3")
    )
    assert "deviates" in misread
    assert "programs/misread.html#brouc@2022" in misread
    assert set(pages) == {"programs.html", "programs/good.html", "programs/misread.html"}


@pytest.mark.slow
def test_programs_that_give_themselves_one_name_are_told_apart(pages: dict[str, str]) -> None:
    """By their records, whose names whoever ran them has chosen."""
    good, misread = list_rows(pages["programs.html"])

    assert ("<span class=aside>good</span>" in good, "<span class=aside>misread</span>" in misread) == (True, True)


@pytest.mark.slow
def test_what_was_not_asked_in_full_is_said(tmp_path: Path) -> None:
    """A program of cards alone follows, as far as it was asked."""
    program = str(ADAPTERS.parents[1] / "tests" / "frozen" / "table-only" / "adapter.py")
    run(
        "verify",
        "--game",
        "brouc",
        "-k",
        "brouc.game",
        "--report",
        str(tmp_path / "some.ndjson"),
        "--",
        sys.executable,
        program,
    )
    found = ProgramPages.read(tmp_path, house())
    made = dict(found.write_all([GamePages("brouc", "en", house(), ["en"], plays=False)], ["en"]))

    assert "not judged in full" in list_rows(made["programs.html"])[0]


@pytest.mark.slow
def test_a_list_adds_place_day_and_known_deviations(pages: dict[str, str]) -> None:
    """Of the program that the list does not name there is nothing of the kind."""
    good, misread = list_rows(pages["programs.html"])

    assert '<a href="https://example.org/misread">brou-table</a>' in misread
    assert "<td class=whole>2026-11-20</td>" in misread
    assert '<a href="https://example.org/5">brouc.over.05</a>' in misread
    assert "https://example.org" not in good


@pytest.mark.slow
def test_a_row_names_the_changed_clause_and_leads_to_its_page(pages: dict[str, str]) -> None:
    """The root of what fails is a clause of the site."""
    assert 'href="brouc/brouc.over.05.html"' in list_rows(pages["programs.html"])[1]


@pytest.mark.slow
def test_a_verdict_leads_back_to_the_table(pages: dict[str, str]) -> None:
    """It is a page of the site, and says how to judge the record again."""
    assert '<a href="../programs.html">Programs and their verdicts</a>' in pages["programs/misread.html"]
    assert "brou verify --replay misread.ndjson" in pages["programs/misread.html"]


@pytest.mark.slow
def test_the_first_screen_of_a_site_leads_to_the_table(tmp_path: Path) -> None:
    """A project with records of its own game: every language has table and verdicts."""
    with chdir(tmp_path):
        assert run("new", "duet") == 0
    with chdir(tmp_path / "duet"):
        serve = [sys.executable, "-m", "brou_tools.cli", "serve", "duet"]
        run("verify", "-k", "follow", "--report", "records.ndjson", "--", *serve)
        (tmp_path / "kept").mkdir()
        Path("records.ndjson").rename(tmp_path / "kept" / "own.ndjson")
        assert run("site", "--brief", "--lang", "en,fr", "-o", "pages", "--reports", str(tmp_path / "kept")) == 0

    for lang, told in (("en", "All programs"), ("fr", "Tous les programmes")):
        home = tmp_path / "duet" / "pages" / lang
        assert f'<a href="programs.html">{told}' in (home / "index.html").read_text(encoding="utf-8")
        assert "brou serve" not in (home / "programs.html").read_text(encoding="utf-8")
        assert f'<html lang="{lang}">' in (home / "programs" / "own.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_folder_without_records_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An absent one too, and one with a file that is no record; no page is written."""
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong" / "x.ndjson").write_text("{}\n", encoding="ascii")
    for folder in (tmp_path, tmp_path / "absent", tmp_path / "wrong"):
        assert main(["site", "brouc", "--lang", "en", "-o", str(tmp_path / "site"), "--reports", str(folder)]) == 2
        assert str(folder) in capsys.readouterr().err
    assert not (tmp_path / "site").exists()
