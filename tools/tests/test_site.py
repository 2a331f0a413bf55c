"""The static site of a project: a page a game, a clause and a scenario, in every language, with no link that breaks."""

from __future__ import annotations

import shutil
from contextlib import chdir, redirect_stderr, redirect_stdout
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
import yaml

from brou_tools.cli import main
from brou_tools.situation import SITE_WORDS

#: A game whose rules are one file.
ROWS = Path(__file__).parent / "provers" / "games" / "rows"


class References(HTMLParser):
    """Reads what a page refers to, its ids and its language."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links = list[str]()
        self.ids = list[str]()
        self.lang = ""
        #: Of each link its text and its target.
        self.named = list[tuple[str, str]]()
        self._open = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what an element refers to, and its id."""
        found = {key: value or "" for key, value in attrs}
        self.links += [found[key] for key in ("href", "src") if key in found and not found[key].startswith("data:")]
        self.ids += [found["id"]] if "id" in found else []
        self.lang = found["lang"] if tag == "html" else self.lang
        if tag == "a" and "href" in found:
            self.named.append(("", found["href"]))
            self._open = True

    def handle_data(self, data: str) -> None:
        """Keep the text of a link."""
        if self._open:
            text, target = self.named.pop()
            self.named.append((text + data, target))

    def handle_endtag(self, tag: str) -> None:
        """Note the end of a link."""
        self._open = self._open and tag != "a"


def find_ambiguous(page: References) -> set[str]:
    """Return the texts of links that lead to several places."""
    places: dict[str, str] = {}
    return {text for text, target in page.named if places.setdefault(" ".join(text.split()), target) != target}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the site of a new project in two languages."""
    folder = tmp_path_factory.mktemp("site")
    with chdir(folder), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main(["new", "duet"]) == 0
    with chdir(folder / "duet"), redirect_stdout(StringIO()) as told, redirect_stderr(StringIO()):
        assert main(["site", "--lang", "en,de", "-o", "pages"]) == 0
    assert told.getvalue().endswith("; duet; en, de\n")
    return folder / "duet" / "pages"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, References]:
    """Return every page with what it refers to."""
    return {path: References(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


@pytest.mark.slow
def test_every_reference_leads_somewhere_within_the_site(pages: dict[Path, References]) -> None:
    """No link leads to another host, to a file that is not there, or to a place that a page has not."""
    broken = []
    for path, page in pages.items():
        for link in page.links:
            name, part = map(unquote, urldefrag(link))
            there = (path.parent / name).resolve() if name else path
            if not there.is_file() or (part and part not in pages[there].ids):
                broken.append((path.name, link))

    assert broken == []


@pytest.mark.slow
def test_links_of_one_name_lead_to_one_place(pages: dict[Path, References]) -> None:
    """Whoever reads a link knows where it leads, without what stands around it; books refer back and forth by signs."""
    found = {path.name: find_ambiguous(page) for path, page in pages.items() if path.parent.name != "books"}

    assert len(found) > 10
    assert {name: names for name, names in found.items() if names} == {}


@pytest.mark.slow
def test_no_id_stands_twice_on_a_page(pages: dict[Path, References]) -> None:
    """A link means one place."""
    assert [path.name for path, page in pages.items() if len(set(page.ids)) < len(page.ids)] == []


@pytest.mark.slow
def test_every_clause_has_a_page_in_every_language(site: Path) -> None:
    """Its address is language, game and id; its text and its scenarios stand there."""
    page = (site / "en" / "duet" / "duet.play.02.html").read_text(encoding="utf-8")

    assert (site / "de" / "duet" / "duet.play.02.html").is_file()
    assert "<h1>duet.play.02</h1>" in page
    assert 'href="../duet/scenarios/duet.follow.suit.html"' in page


@pytest.mark.slow
def test_pages_say_in_which_language_they_are(site: Path, pages: dict[Path, References]) -> None:
    """The language of a page is that of its address."""
    assert {(path.relative_to(site).parts[0], page.lang) for path, page in pages.items() if path.parent != site} == {
        ("en", "en"),
        ("de", "de"),
    }


@pytest.mark.slow
def test_the_first_screen_shows_a_card_that_is_refused_with_its_clause(site: Path) -> None:
    """It leads to the page of the clause, and to the games, the verdict and the open questions."""
    page = (site / "en" / "index.html").read_text(encoding="utf-8")

    assert "A card that may not be played" in page
    assert 'href="duet/duet.play.02.html"' in page
    assert "--html verdict.html" in page
    assert 'href="duet/register.html"' in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "told", "lifted"),
    [
        ("en", "An example: a program", "The program does not hold to it."),
        ("de", "Ein Beispiel: ein Programm", "Das Programm hält sich nicht daran."),
    ],
)
def test_a_site_without_programs_shows_a_verdict_on_an_example(site: Path, lang: str, told: str, lifted: str) -> None:
    """A program that leaves out the clause by which the card is refused; whoever writes programs is led to its page."""
    first = (site / lang / "index.html").read_text(encoding="utf-8")
    verdict = (site / lang / "verdict.html").read_text(encoding="utf-8")

    assert told in first
    assert lifted in first
    assert first.count('href="verdict.html#duet@house"') == 2
    assert "class=no" in first[first.index(told) :]
    assert 'href="duet/duet.play.02.html">duet.play.02</a>' in first[first.index(told) :]
    assert "duet.follow.suit" in verdict
    assert "programs.html" not in first


@pytest.mark.slow
def test_a_site_may_leave_scenarios_out(tmp_path: Path, site: Path) -> None:
    """Then no page links to one."""
    with chdir(site.parent), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert main(["site", "--brief", "--lang", "en", "-o", str(tmp_path / "brief")]) == 0

    assert not (tmp_path / "brief" / "en" / "duet" / "scenarios").exists()
    assert "scenarios/" not in (tmp_path / "brief" / "en" / "duet" / "duet.play.02.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_game_without_chapters_is_named(tmp_path: Path, site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has no clauses to make pages of; the others have theirs."""
    shutil.copytree(site.parent, tmp_path / "two", ignore=shutil.ignore_patterns("pages"))
    shutil.copytree(ROWS, tmp_path / "two" / "games" / "rows")
    with chdir(tmp_path / "two"):
        assert main(["site", "--brief", "--lang", "en", "-o", "pages"]) == 0

    said = capsys.readouterr()
    assert "no pages of rows: its rules are not written in chapters" in said.err
    assert said.out.endswith("; duet; en\n")


def test_an_unknown_game_is_told_with_those_there_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is written."""
    assert main(["site", "broucc", "-o", str(tmp_path / "site")]) == 2
    assert "brouc" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


@pytest.mark.slow
def test_a_project_in_a_language_of_its_own_has_pages_in_that_language(tmp_path: Path) -> None:
    """Nothing of its games is said in another one, so that no page frames them in a foreign language."""
    home = Path(__file__).parents[2] / "examples" / "brisca"
    assert main(["site", "--brief", "--data", str(home), "-o", str(tmp_path / "pages")]) == 0

    assert [path.parent.name for path in (tmp_path / "pages").glob("*/index.html")] == ["es"]
    assert 'lang="es"' in (tmp_path / "pages" / "index.html").read_text(encoding="utf-8")


def test_words_of_the_site_are_there_in_every_language() -> None:
    """None is left in English."""
    known = yaml.safe_load(SITE_WORDS.read_text(encoding="utf-8"))

    assert [name for name, texts in known.items() if set(texts) != {"en", "fr", "de"}] == []
