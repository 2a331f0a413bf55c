"""What is told of the sources of a clause that fails: the place, and with the texts at hand how the passage begins."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from brou.errors import NoFile
from brou.language.source import parse_yaml
from brou.words.provenance import MOST_WORDS, fingerprint
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message, fault
from brou_conformance.reports import sources
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.document import document
from brou_conformance.reports.junit import junit
from brou_conformance.reports.markdown import markdown
from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.sources import SOURCES, find_texts
from brou_conformance.reports.text import tell_report
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verify import Report, verify

Changed = Callable[..., Session]
Corpus = Callable[..., Path]
Judge = Callable[[Path | None], Report]

WRONG = "  steps:\n  - {id: turn, view: 1, expect: {turn: 2}}"
WORDS = [f"word{number}" for number in range(MOST_WORDS + 3)]
BEGINS = " ".join(WORDS[:MOST_WORDS])
#: The work that the clause of `WRONG` rests on, with another text.
WORK = parse_yaml(
    f"""
id: brouc-martin-2022
title: A Book
passages:
- {{id: spiel, at: Play, role: heading, sha256: "{fingerprint("Heading")}"}}
- {{id: spiel.p1, at: Play p1, sha256: "{fingerprint(" ".join(WORDS))}"}}
""",
    "sources.yaml",
)


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the text of the work."""
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "book.txt").write_text(f"Heading\n\n{' '.join(WORDS)}\n", encoding="utf-8")
    monkeypatch.setattr(sources, "_works", lambda _data: {WORK.string("id"): WORK})
    return folder


@pytest.fixture
def judge(changed: Changed, corpus: Corpus) -> Judge:
    """Return what judges a program that always says that it is the turn of seat 0, with or without the texts."""

    def answer(request: Message, reply: Message) -> Message:
        if request["op"] != "run":
            return reply
        return {**reply, "results": [{"view": {"turn": 0}} if "view" in one else one for one in reply["results"]]}

    scenarios = corpus(WRONG)

    def judged(folder: Path | None) -> Report:
        with changed(answer, "brouc@2022") as session:
            return verify(session, Selection(corpus=scenarios, texts=folder))

    return judged


def tell(report: Report, lang: str = "en") -> list[str]:
    """Return every output for people, its lines made one."""
    teller = Teller(Sentences(lang))
    outputs = (tell_report(report, teller), markdown(report, teller), junit(report, teller))
    return [re.sub(r"[ \n]+", " ", text) for text in outputs]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", f"A Book, Play p1 (begins: “{BEGINS}”)"),
        ("fr", f"A Book, Play p1 (commence ainsi\N{NO-BREAK SPACE}: «\N{NO-BREAK SPACE}{BEGINS}\N{NO-BREAK SPACE}»)"),
        ("de", f"A Book, Play p1 (beginnt: „{BEGINS}“)"),
    ],
)
def test_a_passage_is_told_with_its_first_words(texts: Path, judge: Judge, lang: str, told: str) -> None:
    """In every output that tells the place, and no more than eight of them in any."""
    outputs = tell(judge(texts), lang)

    assert [told in text for text in outputs] == [True] * 3
    assert [WORDS[MOST_WORDS] in text for text in outputs] == [False] * 3


@pytest.mark.slow
def test_the_document_has_the_words_beside_the_place(texts: Path, judge: Judge) -> None:
    """And the shape of its schema."""
    found = document(judge(texts))
    (source,) = found["runs"][0]["failures"][0]["clauses"][0]["sources"]

    assert (source["at"], source["words"]) == ("Play p1", BEGINS)
    assert fault("report", found) is None


@pytest.mark.slow
def test_without_texts_the_place_stands_alone(texts: Path, judge: Judge) -> None:
    """Where no folder is given, and where the text of the work does not lie in it; all else is the same."""
    plain = judge(None)
    (texts / "book.txt").write_text("Another text\n", encoding="utf-8")
    other = judge(texts)
    (source,) = document(plain)["runs"][0]["failures"][0]["clauses"][0]["sources"]

    assert source["at"] == "Play p1"
    assert "words" not in source
    assert ["begins" in text or "A Book, Play p1" not in text for text in tell(plain)] == [False] * 3
    assert (tell(plain), document(plain)) == (tell(other), document(other))


@pytest.mark.slow
def test_figures_do_not_depend_on_the_texts(texts: Path, judge: Judge) -> None:
    """Words are told beside them, and change nothing in what they come to."""
    one, other = (document(judge(folder))["runs"][0] for folder in (None, texts))

    assert {**one, "failures": []} == {**other, "failures": []}


def test_texts_that_cannot_be_read_cost_no_verdict(texts: Path, judge: Judge) -> None:
    """A folder that is called like a text is passed over."""
    (texts / "book.txt").unlink()
    (texts / "book.txt").mkdir()

    assert ["A Book, Play p1" in text for text in tell(judge(texts))] == [True] * 3


@pytest.mark.parametrize(
    ("named", "environment", "found"),
    [("a", "b", "a"), (None, "b", "b"), ("", "b", "b"), (None, "", ""), (None, None, "")],
)
def test_the_folder_is_named_or_that_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str | None, environment: str | None, found: str
) -> None:
    """What is named comes first; without either there are no texts."""
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        (tmp_path / name).mkdir()
    surroundings = {} if environment is None else {SOURCES: environment}

    assert find_texts(named, surroundings) == (Path(found) if found else None)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """Whoever named it; what to name instead is told."""
    gone = str(tmp_path / "gone")
    for named, environment in ((gone, {}), (None, {SOURCES: gone})):
        with pytest.raises(NoFile, match="no folder of source texts; name the folder that holds them"):
            find_texts(named, environment)
