"""Pages of Sphinx beside the pages of games: one look, one search, and a content policy."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import WIDTHS, find_faults, in_browser, open_browser, open_page, with_axe

from brou_tools.cli import main

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

CONF = """
project = "Duet"
html_title = "Duet"
extensions = ["brou_tools.site.sphinx_directives", "myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
html_theme = "brou"
"""
INDEX = """# Duet

A game for two.

```{toctree}
:caption: For authors
tutorial
```
"""
TUTORIAL = """# How a program is judged

Write an adapter.

## Zwieback

| a | b |
|---|---|
| one | two |

```python
print("no host is asked")
```
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site of a new project with two pages of documentation."""
    folder = tmp_path_factory.mktemp("documented")
    with chdir(folder), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main(["new", "duet"]) == 0
    docs = folder / "docs"
    docs.mkdir()
    for name, text in (("conf.py", CONF), ("index.md", INDEX), ("tutorial.md", TUTORIAL)):
        (docs / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", "-D", "brou_in_site=1", "docs", "made"]
    subprocess.run(command, cwd=folder, check=True)
    with chdir(folder / "duet"), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main(["site", "--lang", "en,de", "--brief", "--docs", "../made", "-o", "pages"]) == 0
    return folder / "duet" / "pages"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return a browser without a window."""
    with open_browser() as opened:
        yield opened


def test_every_section_is_in_the_index_with_its_words_and_a_place_that_is_there(site: Path) -> None:
    """The index adds to that of the games."""
    text = (site / "docs-index.js").read_text(encoding="utf-8")
    entries = json.loads(text.removeprefix("searchIndex.push(...").removesuffix(");\n"))

    assert ["page", "How a program is judged", "", "Zwieback", "../docs/tutorial.html#zwieback"] in [
        one[:5] for one in entries
    ]
    assert any("adapter" in one[5].split() for one in entries)
    assert all((site / "en" / one[4].partition("#")[0]).is_file() for one in entries)


def test_pages_have_the_policy_and_the_style_of_the_site(site: Path) -> None:
    """No script runs, nothing comes from elsewhere, and the first screen leads there."""
    page = (site / "docs" / "tutorial.html").read_text(encoding="utf-8")

    assert "default-src 'none'" in page
    assert "<script" not in page
    assert re.search(r'href="_static/look\.css', page)
    assert 'href="../en/search.html"' in page
    assert 'href="../docs/tutorial.html"' in (site / "en" / "index.html").read_text(encoding="utf-8")
    assert not (site / "docs" / "search.html").exists()


def test_a_folder_that_sphinx_has_not_written_is_refused(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One without a list of sections, and one with a wrong list."""
    with chdir(site.parent):
        assert main(["site", "--docs", str(tmp_path), "-o", str(tmp_path / "x")]) == 2
        assert "sections.json" in capsys.readouterr().err
        (tmp_path / "sections.json").write_text("[1]", encoding="ascii")
        assert main(["site", "--docs", str(tmp_path), "-o", str(tmp_path / "x")]) == 2
        assert "make the pages again" in capsys.readouterr().err


@in_browser
def test_the_search_finds_a_page_of_documentation_in_every_language(browser: Browser, site: Path) -> None:
    """By a word of its text, and the find leads to its section."""
    page, heard = open_page(browser, f"{(site / 'de' / 'search.html').as_uri()}#zwieback")
    page.get_by_role("link", name="Zwieback").click()
    page.get_by_role("heading", name="Zwieback").wait_for()

    assert page.url.endswith("/docs/tutorial.html#zwieback")
    assert heard == []


@in_browser
@with_axe
@pytest.mark.parametrize("width", WIDTHS)
def test_pages_fit_and_have_no_serious_fault(browser: Browser, site: Path, width: int) -> None:
    """On a desk in light, on a telephone in the dark."""
    for name in ("index.html", "tutorial.html"):
        page, heard = open_page(browser, (site / "docs" / name).as_uri(), width, dark=width == WIDTHS[1])
        assert (name, find_faults(page), heard) == (name, [], [])
        assert page.evaluate("document.documentElement.scrollWidth") == width
