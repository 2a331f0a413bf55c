"""Translations of scenarios: read for what is told alone, checked with their scenarios, and never taken for these."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from brou.language.node import Node
from brou.words.glossary import ORIGINAL, glossary
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.document import document
from brou_conformance.reports.junit import junit
from brou_conformance.reports.markdown import markdown
from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.text import tell_report
from brou_conformance.scenarios import corpus as room
from brou_conformance.scenarios import translation
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verify import Report, verify

Changed = Callable[..., Session]
Corpus = Callable[..., Path]

WRONG = "  steps:\n  - {id: turn, view: 1, expect: {turn: 2}}"
FRENCH = "test.n1:\n  title: À qui ?\n  because: >-\n    C'est à l'autre.\n"
#: The French as it is printed.
PRINTED = (
    "À qui\N{NARROW NO-BREAK SPACE}?",
    "C\N{RIGHT SINGLE QUOTATION MARK}est à l\N{RIGHT SINGLE QUOTATION MARK}autre.",
)
GERMAN = "test.n1:\n  title: Wer dran ist\n  because: So ist es.\n"
FAULTS = {
    "an id of no scenario": (
        "some.fr.yaml",
        f"{FRENCH}test.n2:\n  title: a\n  because: b\n",
        "brouc/some.fr.yaml:6:3: some.yaml has no scenario 'test.n2'; did you mean 'test.n1'?",
    ),
    "an id that is missing": (
        "some.fr.yaml",
        FRENCH.replace("n1", "of-another-kind"),
        "brouc/some.fr.yaml:1:1: no translation of 'test.n1'; give its title and because",
    ),
    "an empty text": (
        "some.fr.yaml",
        FRENCH.replace("À qui ?", '""'),
        'brouc/some.fr.yaml:2:10: "" is shorter than 1 character',
    ),
    "a blank text": (
        "some.fr.yaml",
        FRENCH.replace("À qui ?", '" "'),
        "brouc/some.fr.yaml:2:10: title is blank; write it",
    ),
    "a number for a text": (
        "some.fr.yaml",
        FRENCH.replace("À qui ?", "5"),
        'brouc/some.fr.yaml:2:10: 5 is not of type "string"',
    ),
    "no reason": (
        "some.fr.yaml",
        "test.n1:\n  title: Le tour\n",
        "brouc/some.fr.yaml:2:3: `because` is missing; write it; see spec/schemas/translation.schema.json",
    ),
    "an id that appears twice": (
        "some.fr.yaml",
        FRENCH + FRENCH,
        "brouc/some.fr.yaml:5:1: the key 'test.n1' appears twice; keep one of them",
    ),
    "a text that appears twice": (
        "some.fr.yaml",
        FRENCH + "  title: Encore\n",
        "brouc/some.fr.yaml:5:3: the key 'title' appears twice; keep one of them",
    ),
    "an unknown key": (
        "some.fr.yaml",
        FRENCH + "  note: a\n",
        (
            "brouc/some.fr.yaml:5:3: unknown key 'note'; leave it out, or write title or because; "
            "see spec/schemas/translation.schema.json"
        ),
    ),
    "a language of others": (
        "some.es.yaml",
        FRENCH,
        "brouc/some.es.yaml:1:1: no language of the glossary: 'es'; there are fr, de",
    ),
    "the language of scenarios": (
        "some.en.yaml",
        FRENCH,
        "brouc/some.en.yaml:1:1: the language of scenarios is 'en' already; put these texts into some.yaml",
    ),
    "no scenarios beside it": (
        "other.fr.yaml",
        FRENCH,
        (
            "brouc/other.fr.yaml:1:1: there is no other.yaml that it could be a translation of; "
            "call it NAME.LANGUAGE.yaml after the file of the scenarios"
        ),
    ),
    "scenarios in it": (
        "some.fr.yaml",
        "- id: test.n1\n",
        (
            "brouc/some.fr.yaml:1:1: a list in a file that is called like a translation; "
            "scenarios are read from NAME.yaml alone: call it so"
        ),
    ),
}


def translated(folder: Path, **texts: str) -> Path:
    """Put translations beside the scenarios of a corpus, and return it."""
    for lang, text in texts.items():
        (folder / "brouc" / f"some.{lang}.yaml").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def judge(changed: Changed) -> Callable[[Path], Report]:
    """Return what lets a corpus judge a program that always says that it is the turn of seat 0."""

    def answer(request: Message, reply: Message) -> Message:
        if request["op"] != "run":
            return reply
        return {**reply, "results": [{"view": {"turn": 0}} if "view" in one else one for one in reply["results"]]}

    def judged(folder: Path) -> Report:
        with changed(answer, "brouc@2022") as session:
            return verify(session, Selection(corpus=folder))

    return judged


def tell(report: Report, lang: str) -> dict[str, str]:
    """Return every output for people, its lines made one."""
    teller = Teller(Sentences(lang))
    outputs = {
        "text": tell_report(report, teller),
        "Markdown": markdown(report, teller),
        "JUnit": junit(report, teller),
    }
    return {name: re.sub(r"[ \n]+", " ", text) for name, text in outputs.items()}


def test_translations_are_no_scenarios(corpus: Corpus) -> None:
    """They stand beside scenarios, are none, and change nothing in what is asked."""
    folder = corpus(WRONG)
    plain = room.files("brouc", folder)
    translated(folder, fr=FRENCH, de=GERMAN)
    (folder / "whist").mkdir()
    (folder / "whist" / "some.fr.yaml").write_text(FRENCH, encoding="utf-8")

    assert room.files("brouc", folder) == plain
    assert [one.id for one in room.scenarios("brouc", folder)] == ["test.n1"]
    assert room.games(folder) == ("brouc",)


@pytest.mark.parametrize(
    ("lang", "told"),
    [("en", ("One", "So it is.")), ("fr", PRINTED), ("de", ("Wer dran ist", "So ist es."))],
)
def test_title_and_reason_are_told_in_the_language(
    corpus: Corpus, judge: Callable[[Path], Report], lang: str, told: tuple[str, str]
) -> None:
    """Text, Markdown and JUnit have them as the language prints them."""
    report = judge(translated(corpus(WRONG), fr=FRENCH, de=GERMAN))

    lacking = {name: [one for one in told if one not in text] for name, text in tell(report, lang).items()}
    assert lacking == {"text": [], "Markdown": [], "JUnit": []}


@pytest.mark.slow
@pytest.mark.parametrize("text", [FRENCH.replace("n1", "n2"), "test.n1: [", FRENCH + "  note: a\n", "[]", ""])
def test_what_is_not_translated_is_told_in_english(corpus: Corpus, judge: Callable[[Path], Report], text: str) -> None:
    """Where a translation is missing, or its file cannot be read, the verdict comes all the same."""
    report = judge(translated(corpus(WRONG), fr=text))

    assert ["One" in told and "So it is." in told for told in tell(report, "fr").values()] == [True] * 3


def test_data_stays_in_english(corpus: Corpus, judge: Callable[[Path], Report]) -> None:
    """The document has the texts of the scenario file."""
    report = judge(translated(corpus(WRONG), fr=FRENCH))
    tell(report, "fr")
    (failure,) = document(report)["runs"][0]["failures"]

    assert (failure["title"], failure["because"]) == ("One", "So it is.")


def test_nothing_is_read_for_english(
    corpus: Corpus, judge: Callable[[Path], Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor for any language as long as nothing is told in it."""
    read: list[str] = []

    def note(node: Node) -> dict[str, translation.Translation]:
        read.append(Path(node.place.file).suffixes[0])
        return translation.read_translations(node)

    monkeypatch.setattr(room, "read_translations", note)
    monkeypatch.setattr(room, "load_or_make", lambda _kind, _files, _about, make: make())
    report = judge(translated(corpus(WRONG), fr=FRENCH, de=GERMAN))
    tell(report, "en")
    assert read == []

    tell(report, "fr")
    assert read == [".fr"]


def test_sound_translations_have_no_fault(corpus: Corpus) -> None:
    """Neither in a corpus nor alone."""
    folder = translated(corpus(WRONG), fr=FRENCH, de=GERMAN)

    assert room.check(folder) == []
    assert list(room.translation_file_faults(folder / "brouc" / "some.fr.yaml")) == []


@pytest.mark.parametrize(("name", "text", "told"), FAULTS.values(), ids=FAULTS)
def test_faults_are_told_with_their_place(corpus: Corpus, name: str, text: str, told: str) -> None:
    """Each with file and line, and what to do instead."""
    folder = corpus(WRONG)
    (folder / "brouc" / name).write_text(text, encoding="utf-8")

    assert told in [str(one) for one in room.check(folder)]


@pytest.mark.parametrize("style", ["block", "flow"])
def test_a_scenario_can_be_written_down_in_a_language(corpus: Corpus, style: str) -> None:
    """Its lines stay as they are but for title and reason, and still are the scenario."""
    folder = translated(corpus(WRONG), fr=FRENCH)
    file = folder / "brouc" / "some.yaml"
    if style == "flow":
        file.write_text(
            "- {id: test.n1, title: One, clauses: {brouc.play.02: [refuses]}, level: must, origin: hand,\n"
            "   because: So it is., steps: [{winner: true, expect: null}]}\n",
            encoding="utf-8",
        )
    (one,) = room.scenarios("brouc", folder)
    file.write_text(room.text(one, folder, "fr"), encoding="utf-8")
    (told,) = room.of_file(file, "brouc")

    assert (told.title, told.because) == PRINTED
    assert told == room.translate(one, "fr", folder)


@pytest.mark.parametrize("lang", [lang for lang in glossary().languages if lang != ORIGINAL])
@pytest.mark.parametrize("game", room.games())
def test_every_scenario_of_ours_is_told_in_every_language(game: str, lang: str) -> None:
    """Each has a title and a reason in it; none of our own is told in English there."""
    known = room.translations(game, lang)

    assert [one.id for one in room.scenarios(game) if one.id not in known] == []
