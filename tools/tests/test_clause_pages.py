"""Pages of clauses and annotated books: text, rule and readings side by side, as the chapters have them."""

from __future__ import annotations

from functools import lru_cache

import pytest
from docutils import nodes

from brou import book, catalogue, choose, house
from brou.chapters.variants import Variants
from brou_tools.documents.nodes import beside, panel, rule
from brou_tools.rulebook import printing
from brou_tools.rulebook.compose import compose
from brou_tools.rulebook.html_writer import page
from brou_tools.rulebook.typst_writer import source
from brou_tools.show.clause_pages import ClausePages
from brou_tools.site.sphinx_nodes import anchor, on_page
from brou_tools.situation.edition import Matter
from brou_tools.situation.excerpts import quote_changes, quote_clause, quote_question
from brou_tools.situation.written import WrittenRules
from printed import document

GAME = "brouc"
LANGUAGES = ("en", "fr", "de")


@lru_cache(maxsize=4)
def pages(lang: str) -> ClausePages:
    """Return the pages of the clauses of a game."""
    return ClausePages(GAME, lang, house())


def sides(node: nodes.Element) -> list[tuple[str, str]]:
    """Return what stands side by side below a node."""
    return [(found.children[0].astext(), found.children[1].astext()) for found in node.findall(beside)]


def test_a_clause_stands_beside_its_rule() -> None:
    """The text on one side, the condition on the other."""
    said, written = sides(pages("en").clause("brouc.over.05"))[0]

    assert said.startswith("A player who can neither follow suit nor beat the trumps in the trick")
    assert "when: not can_follow(p) and not can_beat(p) and not all_trumps(p)" in written
    assert "over.05 30-play.yaml" in written


def test_a_reading_stands_beside_what_it_changes() -> None:
    """Its name and argument on one side; a reading that changes nothing says so."""
    found = dict(sides(pages("en").clause("brouc.over.04")))
    change = next(written for said, written in found.items() if said.startswith("any-trump-play"))
    none = next(written for said, written in found.items() if said.startswith("forced-only"))

    assert 'changes: {over.04: {when: "forms(p, c)"}}' in change
    assert "why:" not in change
    assert none == "The rules are as written."


def test_an_exception_is_linked_from_its_duty() -> None:
    """A duty names the clauses that lift it or have a special case of it, and they have places on the page."""
    found = pages("en")
    made = on_page(found.clause("brouc.over.01"), found.anchors)
    assert isinstance(made, nodes.Element)
    linked = {node["refid"] for node in made.findall(nodes.reference)}

    assert {anchor(f"brouc.over.{number}") for number in ("02", "03", "04", "05")} <= linked


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_decision_table_has_its_conditions_in_words(lang: str) -> None:
    """Beside the expression the words that the clauses have for it, in the language of the page."""
    words = {
        "en": "trump was led",
        "fr": "l\N{RIGHT SINGLE QUOTATION MARK}atout est demandé",
        "de": "Trumpf ist angespielt",
    }
    table = next(pages(lang).clause("brouc.over.01").findall(nodes.table)).astext()

    assert f"trump_led {words[lang]}" in table


def test_a_table_of_one_edition_about_which() -> None:
    """Two editions read the marriage exception otherwise; where all have the same table, none is named."""
    labels = [node.astext() for node in pages("en").clause("brouc.over.01").findall(nodes.paragraph)]
    same = [node.astext() for node in pages("en").clause("brouc.play.01").findall(nodes.paragraph)]

    assert any(told.endswith("(brouc@2022:4)") for told in labels)
    assert any(told.endswith("(brouc@club-2026:4)") for told in labels)
    assert not any("brouc@" in told for told in same)


@pytest.mark.parametrize("game", catalogue())
def test_every_clause_and_question_is_on_the_page_once(game: str) -> None:
    """Nothing is lost between the chapters and the page, and nothing stands twice."""
    maker = book(game).maker
    assert isinstance(maker, Variants)
    volume, found = maker.volume, ClausePages(game, "en", house())

    placed = [id_ for _, ids in found.matter.placed for id_ in ids]
    assert sorted(placed) == sorted(volume.frame.spell_id(one.clause) for one in volume.clauses())
    assert found.anchors == {*placed, *(volume.frame.spell_id(one.id) for _, one in volume.questions())}


@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_what_decides_is_quoted_and_nothing_that_only_says(game: str) -> None:
    """Of each clause, question and reading: no text, source or argument among the lines of the rules."""
    maker = book(game).maker
    assert isinstance(maker, Variants)
    volume = maker.volume
    for clause in volume.clauses():
        quoted = list(quote_clause(volume, house(), volume.frame.spell_id(clause.clause)))
        quoted += [one for question in clause.open for one in quote_question(house(), question)]
        quoted += [
            one
            for question in clause.open
            for value in question.readings
            for one in quote_changes(house(), question, value)
        ]
        heads = {line.partition(":")[0] for one in quoted for line in one.text.splitlines() if not line.startswith(" ")}
        assert not heads & {"text", "from", "note", "why", "ask", "settled", "agree", "confidence", "title"}
        decides = any((clause.deny, clause.lifts, clause.define, clause.act, clause.effect, clause.upon, clause.rules))
        assert bool(quoted) or not decides, clause.clause


def test_a_reading_that_changes_rules_has_lines() -> None:
    """Every one of them, whether it is written in one line or in several."""
    for game in catalogue():
        written = WrittenRules(game, house())
        for _, question in written.volume.questions():
            id_ = written.volume.frame.spell_id(question.id)
            for value, reading in question.readings.items():
                changing = any((reading.changes, reading.adds, reading.drops, reading.means, reading.show))
                assert bool(written.of_reading(id_, value)) == changing, (id_, value)


@lru_cache(maxsize=1)
def annotated_book() -> nodes.document:
    """Return an annotated book."""
    return compose(choose(GAME), "en", annotated=True)


@pytest.mark.slow
def test_an_annotated_book_sets_rules_beside_texts() -> None:
    """Each rule of the book that a clause of the data carries, and each reading that changes something."""
    made = annotated_book()
    ruled = {
        found["clause"]: node.children[1].astext() for node in made.findall(beside) for found in node.findall(rule)
    }
    asked = {found["name"]: sides(found) for found in made.findall(panel)}

    assert "except: over.01" in ruled["brouc.over.02"]
    assert "brouc.play.02" not in ruled
    assert {found["clause"] for found in made.findall(rule)} == set(Matter(choose(GAME), "en").printed)
    assert any('when: "forms(p, c)"' in written for _, written in asked["brouc.amb.14"])


def test_a_book_that_is_not_annotated_has_texts_alone() -> None:
    """Nothing of the notation stands in it."""
    assert list(document(GAME, "en").findall(beside)) == []


@pytest.mark.sampled(7)
@pytest.mark.slow
@pytest.mark.parametrize("name", [f"{game}@{edition}" for game in catalogue() for edition in book(game).editions])
def test_every_edition_has_an_annotated_book(name: str) -> None:
    """It can be printed: no rule leads to a clause that only another edition has."""
    assert printing.pages(compose(choose(name), "en", annotated=True), "a4", 10)


def test_an_annotated_book_is_written_in_both_forms() -> None:
    """In print every line of a rule is a string of its own; on a page the lines stand as they are."""
    assert '"except: over.01", "when: trump_led and not can_beat(p)"' in source(annotated_book(), "a4")
    assert "except: over.01\nwhen: trump_led and not can_beat(p)</code></pre>" in page(annotated_book())
