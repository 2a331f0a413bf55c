"""What is shown of a clause: all that the data has of it, and at most a few words of its source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from brou import book, catalogue, house
from brou.chapters.law import find_touched
from brou.chapters.variants import Variants
from brou.games.data import read_section
from brou.games.folder import root
from brou.shapes import write_object
from brou.words.provenance import MOST_WORDS, Anchor, Passage, Work, fingerprint, locate, quote
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.translation import Translation
from brou_tools.cli import main
from brou_tools.show.clause import ClausesReport, gather, resolve
from brou_tools.show.clause_text import tell
from brou_tools.situation.excerpts import Rule

ONE = "brouc.claim.01"
OPEN = "omb.amb.02"


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return what `brou show` prints."""
    assert main(["show", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_every_clause_can_be_shown(game: str) -> None:
    """Each clause and open passage follows the schema, in each language, and every line but those of files fits."""
    check = jsonschema_rs.validator_for(json.loads((root() / "schemas" / "clause.schema.json").read_bytes()))
    for lang in ("en", "fr", "de"):
        clauses = [gather(id_, house(), lang) for id_ in corpus.clauses(game)]
        told = write_object(ClausesReport(lang=lang, clauses=tuple(clauses)))
        check.validate(json.loads(json.dumps(told)))
        assert all(one.text or one.open for one in clauses)
        for one in clauses:
            files = {line for rule in one.rules for line in rule.text.splitlines()}
            lines = [
                line for line in tell(one, house(), 80).splitlines() if line.strip() not in {f.strip() for f in files}
            ]
            assert [line for line in lines if len(line) > 80 and " " in line.strip()] == []


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_rules_are_quoted_from_their_lines(game: str) -> None:
    """The text of a rule stands in the file where it is said to stand."""
    for id_ in corpus.clauses(game):
        for rule in gather(id_, house(), "en").rules:
            lines = (root() / rule.file).read_text(encoding="utf-8").splitlines()
            assert lines[rule.line - 1].strip() == rule.text.splitlines()[0].strip()


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_no_rule_of_a_clause_is_left_out(game: str) -> None:
    """Every rule that stands in a clause, or that a reading adds there, is among the lines that are quoted."""
    maker = book(game).maker
    assert isinstance(maker, Variants)
    for clause in maker.volume.clauses():
        shown = gather(maker.volume.frame.spell_id(clause.clause), house(), "en")
        quoted = [*shown.rules, *(change for one in shown.open for value in one.values for change in value.changes)]
        lines = {(one.file, one.line + number) for one in quoted for number in range(len(one.text.splitlines()))}
        added = [rule for question in clause.open for reading in question.readings.values() for rule in reading.adds]
        places = {rule.rule.place for rule in (*clause.rules, *added)}
        assert {(place.file, place.line) for place in places} <= lines


@pytest.mark.parametrize("id_", ["brouc.over.01", "brouc.claim.02", "omb.con.03"])
def test_a_clause_is_printed_whole(id_: str) -> None:
    """No line of its rules is cut off, however many there are."""
    clause = gather(id_, house(), "en")
    printed = [line.strip() for line in tell(clause, house(), 80).splitlines()]
    assert [line for rule in clause.rules for line in rule.text.splitlines() if line.strip() not in printed] == []


def test_a_record_that_cites_a_clause_in_a_line_of_its_own_is_quoted_whole() -> None:
    """A step, and an entry of a score sheet, begin above that line."""
    firsts = {rule.text.splitlines()[0] for id_ in ("brouc.game.01", "brouc.claim.02") for rule in _rules(id_)}
    assert {"- when: claimed(t) >= target", "- entry: claim(t)"} <= firsts


def _rules(id_: str) -> tuple[Rule, ...]:
    return gather(id_, house(), "en").rules


def test_a_clause_has_its_scenarios() -> None:
    """The scenarios of a clause are those of the corpus that cite it, with the cells that they fill."""
    found = {one.id: one.cells for one in gather(ONE, house(), "en").scenarios}

    assert found == {one.id: one.cells[ONE] for one in corpus.scenarios("brouc") if ONE in one.cells}
    assert found


@pytest.mark.parametrize(("lang", "titles"), [("fr", ["Un titre"]), ("de", []), ("en", [])])
def test_scenarios_are_named_in_the_language(monkeypatch: pytest.MonkeyPatch, lang: str, titles: list[str]) -> None:
    """Each has its title in the language asked for, in English where there is none."""
    first = gather(ONE, house(), "en").scenarios[0]
    french = {first.id: Translation("Un titre", "Une raison")}
    monkeypatch.setattr(corpus, "translations", lambda _game, lang, _folder: french if lang == "fr" else {})
    found = [one.title for one in gather(ONE, house(), lang).scenarios]

    assert found == (titles or [first.title]) + [one.title for one in gather(ONE, house(), "en").scenarios[1:]]


def test_an_open_passage_has_its_readings_with_those_who_follow_them() -> None:
    """Each value has its argument, the editions that follow it and what it changes in the rules."""
    (question,) = gather(OPEN, house(), "en").open
    node = read_section("hombre", "ambiguities", root()).fields[OPEN]

    assert [value.value for value in question.values] == list(node.fields["readings"].fields)
    assert [value.editions for value in question.values if value.editions] == [("danish",)]
    assert all(value.argument for value in question.values)
    changes = [[change.text.splitlines()[-1].strip() for change in value.changes] for value in question.values]
    assert changes == [[], ["drops: [score.01.contract, vole.03/worth]"]]


@pytest.mark.slow
def test_a_reading_that_changes_a_rule_belongs_to_its_clause() -> None:
    """A question is shown with each clause that one of its values changes a rule of, and quoted from the chapters."""
    maker = book("homme-de-brou").maker
    assert isinstance(maker, Variants)
    volume, spell = maker.volume, maker.volume.frame.spell_id
    chapters = {f"games/homme-de-brou/{path.name}" for path in (root() / "games" / "homme-de-brou").glob("[0-9]*.yaml")}
    shown = {id_: gather(id_, house(), "en").open for id_ in corpus.clauses("homme-de-brou")}
    touched = {
        (spell(label.partition("/")[0]), spell(question.id))
        for _, question in volume.questions()
        for value in question.readings
        for label, _ in find_touched(volume, question, value)
        if label[-1].isdigit() or "/" in label
    }

    assert len(touched) > 15
    assert touched <= {(id_, question.id) for id_, questions in shown.items() for question in questions}
    found = [
        change for questions in shown.values() for one in questions for value in one.values for change in value.changes
    ]
    assert {change.file for change in found} <= chapters
    assert found


@pytest.mark.parametrize(
    ("clause", "labels"),
    [
        ("brouc.over.01", ["over.01", "over.02", "over.03", "over.04", "over.05"]),
        ("brouc.trick.01", ["tricks.take"]),
        ("brouc.claim.04", ["claim.04"]),
    ],
)
def test_a_clause_of_chapters_has_what_names_it(clause: str, labels: list[str]) -> None:
    """Its own lines, its exceptions and special cases, rules of the prelude in its slot, and steps that cite it."""
    found = [rule.path for rule in gather(clause, house(), "en").rules]
    assert [label for label in labels if label not in found] == []


def test_a_reading_of_chapters_shows_its_lines() -> None:
    """What a value changes is quoted from the chapter; one that changes nothing has no lines."""
    (question,) = (one for one in gather("brouc.over.04", house(), "en").open if one.id == "brouc.amb.14")
    changes = {
        value.value: [change.text.splitlines()[-1].strip() for change in value.changes] for value in question.values
    }
    assert changes == {"forced-only": [], "any-trump-play": ['changes: {over.04: {when: "forms(p, c)"}}']}


def test_a_topic_lists_its_clauses(capsys: pytest.CaptureFixture[str]) -> None:
    """A topic prefix lists the clauses below it, each with its text, and none of another topic."""
    ids = [id_ for id_ in corpus.clauses("brouc") if id_.startswith("brouc.claim.")]
    lines = shown(capsys, "brouc.claim", "--lang", "en").splitlines()

    assert [line for line in lines if line.startswith("brouc.")] == ids


def test_a_prefix_ends_at_a_dot() -> None:
    """The topics of one game are none of another whose name begins alike."""
    assert all(id_.startswith("brou.") for id_ in resolve("brou", house()))


def test_several_ids_make_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    """Several ids are answered in one document, each once."""
    told: Any = json.loads(shown(capsys, ONE, OPEN, ONE, "--json", "--lang", "de"))

    assert (told["format"], told["lang"]) == ("brou-clause/1", "de")
    assert [one["id"] for one in told["clauses"]] == [ONE, OPEN]


def test_an_unknown_id_is_refused_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt id is refused with the id that it is like."""
    assert main(["show", "brouc.cliam.01"]) == 2
    assert "; did you mean 'brouc.claim.01'" in capsys.readouterr().err


def test_a_folder_of_sources_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A wrong folder of sources is a fault of usage, told with what to name instead."""
    assert main(["show", ONE, "--sources", str(tmp_path / "none")]) == 2
    assert "no folder of source texts" in capsys.readouterr().err


def test_lines_are_as_wide_as_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The width of the terminal decides where texts are broken."""
    widths = []
    for columns in (60, 100):
        monkeypatch.setenv("COLUMNS", str(columns))
        text = shown(capsys, "brouc.claim", "--lang", "en")
        widths.append(max(map(len, text.splitlines())))
        assert widths[-1] <= columns
    assert widths[0] < widths[1]


def test_sources_add_the_first_words_of_a_passage(tmp_path: Path) -> None:
    """With the text of a work at hand its passages are found by fingerprint, and at most eight words are shown."""
    words = "one two three four five six seven eight nine ten"
    work = Work("w", (Anchor("p1", "p1", fingerprint(words)), Anchor("p2", "p2", fingerprint("lost"))))
    (tmp_path / "a.txt").write_text(f"{words}\n\nother\n", encoding="utf-8")
    found = locate(work, tmp_path)

    assert list(found) == ["p1"]
    assert quote(found["p1"]) == " ".join(words.split()[:MOST_WORDS])


def test_a_part_of_a_passage_is_a_bullet() -> None:
    """A part is quoted without its mark, and a bullet that is not there leaves the whole passage."""
    passage = Passage("p1", "p1", "Lead in:\n- first of them\n- second of them", 1)

    assert [quote(passage, part) for part in ("b2", "b3")] == ["second of them", "Lead in: - first of them - second"]


def test_another_text_is_no_source(tmp_path: Path) -> None:
    """A text that shares less than half of the passages is not the work."""
    work = Work("w", tuple(Anchor(f"p{n}", f"p{n}", fingerprint(f"text {n}")) for n in range(4)))
    (tmp_path / "a.txt").write_text("text 0\n", encoding="utf-8")

    assert locate(work, tmp_path) == {}
    assert locate(work, tmp_path / "nothing") == {}


@pytest.mark.parametrize(
    ("id_", "told"),
    [
        ("brou.stop.05", "2026-11-22  What the text states of a refusal and what is inferred"),
        ("brouc.play.01", "unchanged since 2026-11-21 or earlier"),
    ],
)
def test_the_age_of_a_clause_is_told(id_: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Since when it has meant this, and why and by which passage it changed."""
    assert told in shown(capsys, id_)


def test_the_changes_of_a_clause_are_data() -> None:
    """The last of them is the day from which it has its meaning."""
    clause = gather("brou.stop.05", house(), "en")

    assert clause.since == clause.changes[-1].since == "2026-11-22"
    assert (clause.changes[0].source, clause.changes[0].at) == ("homme-de-brou-lalanne-1802", "s8.2.3.p2")
