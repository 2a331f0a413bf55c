"""What machines other than ours read: JUnit, Markdown, badges; and what is known to fail."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from brou.errors import NoFile
from brou_conformance.programs.child import Failure
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message
from brou_conformance.reports.badge import badge
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.junit import junit
from brou_conformance.reports.known_failures import known_failing, list_failing
from brou_conformance.reports.markdown import markdown
from brou_conformance.reports.page import Page
from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.summary import Figures, summarise
from brou_conformance.reports.text import tell_report
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verify import Report, verify

Changed = Callable[..., Session]
Corpus = Callable[..., Path]

FINE = "  steps:\n  - {by: 0, act: {play: AS}}"
WRONG = "  steps:\n  - {id: turn, view: 1, expect: {turn: 2}}"
LOST = "  steps:\n  - {winner: true, expect: null}"
OTHER = "  steps:\n  - {score: true, expect: {worth: 0}}"
BROKEN = Report({}, (), unusable=Failure("crash", "it ended <at once>", "last & only \x1b words"))


def answering(request: Message, reply: Message) -> Message:
    """Answer well, but for what took a trick, and without keeping a score."""
    if request["op"] == "hello":
        return {**reply, "can": [ability for ability in reply["can"] if ability not in ("score", "readings")]}
    if request["op"] == "run":
        return {**reply, "results": [{"err": "a | bug"} if "winner" in one else one for one in reply["results"]]}
    return reply


#: The report of the fixture below, once a test has asked for it; nobody changes it.
_MADE: list[Report] = []


@pytest.fixture
def report(changed: Changed, corpus: Corpus) -> Report:
    """Return a report with a pass, a failure, an error and a case that cannot be asked; it is made once."""
    if not _MADE:
        with changed(answering, "brouc@2022") as session:
            _MADE.append(verify(session, Selection(corpus=corpus(FINE, WRONG, LOST, OTHER))))
    return _MADE[0]


@pytest.mark.slow
def test_junit_counts_each_case_once(report: Report) -> None:
    """Failures, errors and skipped tests are told apart, and each has its words."""
    suite = ET.fromstring(junit(report))[0]  # noqa: S314 - our own

    assert suite.attrib == {
        "name": "brouc@2022",
        "tests": "4",
        "failures": "1",
        "errors": "1",
        "skipped": "1",
    }
    cases = suite.findall("testcase")
    assert [[child.tag for child in case] for case in cases] == [[], ["failure"], ["error"], ["skipped"]]
    assert "the rules: turn 2" in cases[1][0].attrib["message"]
    assert "brou explain test.n2#turn" in (cases[1][0].text or "")


def test_junit_tells_of_a_program_that_cannot_be_used() -> None:
    """There is an error even where no case was judged, and no character that XML does not know."""
    root = ET.fromstring(junit(BROKEN))  # noqa: S314 - our own

    assert root[0][0][0].attrib["message"] == "it ended <at once>"
    assert "words" in (root[0][0][0].text or "")


def test_markdown_has_a_row_an_edition_and_a_row_a_clause(report: Report) -> None:
    """What a table would break on is escaped."""
    text = markdown(report)

    assert "| brouc@2022 | ❌ deviates |" in text
    assert "| brouc.play.02 | 1 | `test.n2#turn` | turn 0 | turn 2 |" in text
    assert "&lt;at once&gt;" in markdown(BROKEN)


def test_a_badge_says_the_verdict(report: Report) -> None:
    """One word, how many cases pass, and a colour."""
    assert badge(report) == {"schemaVersion": 1, "label": "brou", "message": "deviates 1/4", "color": "red"}
    assert badge(BROKEN)["message"] == "not judged 0/0"


def test_what_is_known_to_fail_stops_no_build(changed: Changed, corpus: Corpus) -> None:
    """No output is red for it, and each counts it alike."""

    def wrong(request: Message, reply: Message) -> Message:
        if request["op"] != "run":
            return reply
        return {**reply, "results": [{"view": {"turn": 0}} if "view" in one else one for one in reply["results"]]}

    with changed(wrong, "brouc@2022") as session:
        found = verify(session, Selection(corpus=corpus(WRONG), known_failing=frozenset({"test.n1"})))
    suite = ET.fromstring(junit(found))[0]  # noqa: S314 - our own

    assert summarise(found.runs)[0].figures == Figures(cases=1, known=1)
    assert (suite.attrib["failures"], suite.attrib["skipped"]) == ("0", "1")
    assert badge(found) == {**badge(found), "message": "deviates as known 0/1", "color": "yellow"}
    assert "❌" not in markdown(found)
    assert "It deviates only as known, in 1 case." in tell_report(found)


@pytest.mark.slow
def test_the_outputs_speak_other_languages(report: Report) -> None:
    """Each is told in the language asked for; what is data stays as it is."""
    german = Teller(Sentences("de"))

    assert "die Regeln:" in junit(report, german)
    assert "❌ weicht ab" in markdown(report, german)
    assert badge(report, german.words)["message"] == "weicht ab 1/4"
    assert "weicht von der Ausgabe ab." in tell_report(report, german)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lang", "told"),
    [("en", "The first 10 cases all fail"), ("fr", "Les 10 premiers cas"), ("de", "Die ersten 10 Fälle")],
)
def test_where_everything_fails_the_adapter_is_named(changed: Changed, corpus: Corpus, lang: str, told: str) -> None:
    """In text and Markdown, unless all of it is known."""

    def wrong(request: Message, reply: Message) -> Message:
        if request["op"] != "run":
            return reply
        return {**reply, "results": [{"view": {"turn": 0}} if "view" in one else one for one in reply["results"]]}

    folder, teller = corpus(*[WRONG] * 10), Teller(Sentences(lang))
    known = frozenset(f"test.n{number}" for number in range(1, 11))
    with changed(wrong, "brouc@2022") as session:
        found = verify(session, Selection(corpus=folder), explains=False)
        expected = verify(session, Selection(corpus=folder, known_failing=known), explains=False)

    for tell in (tell_report, markdown):
        assert [told in tell(one, teller) for one in (found, expected)] == [True, False]
        assert "--smoke" in tell(found, teller)


@pytest.mark.slow
@pytest.mark.parametrize("width", [40, 60, 80, 110])
def test_no_line_is_wider_than_the_page(report: Report, width: int) -> None:
    """But for commands, which are there to be copied, and what is one word."""
    lines = tell_report(report, Teller(page=Page(width))).splitlines()
    wide = [line for line in lines if len(line) > width and " " in line.strip()]

    assert [line for line in wide if not line.strip().startswith("brou explain ")] == []


def test_what_fails_is_listed_as_known_failures_are_read(report: Report, tmp_path: Path) -> None:
    """A list that is written is one that is taken."""
    path = tmp_path / "known.txt"
    path.write_text(list_failing(report), encoding="utf-8")

    assert known_failing(path) == {"test.n2"}


def test_known_failures_stand_one_a_line(tmp_path: Path) -> None:
    """Remarks and empty lines are no ids."""
    path = tmp_path / "known.txt"
    path.write_text("# mine\nbrouc.a\n\nbrouc.b  # until spring\n", encoding="utf-8")

    assert known_failing(path) == {"brouc.a", "brouc.b"}


def test_a_missing_list_of_known_failures_is_told() -> None:
    """A list that is not there is no empty list."""
    with pytest.raises(NoFile, match="nowhere: No such file"):
        known_failing(Path("nowhere"))
