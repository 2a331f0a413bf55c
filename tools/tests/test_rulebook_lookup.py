"""How an arbiter finds an article: key words, numbers, pointers to questions."""

from __future__ import annotations

from pathlib import Path

import pytest
from docutils import nodes

from brou import book, catalogue, choose
from brou_tools.documents.nodes import cite, panel, rule
from brou_tools.new.skeleton import list_skeleton_files
from brou_tools.rulebook.compose import compose
from brou_tools.rulebook.terms import sort_letters
from brou_tools.situation.edition import Matter

EVERY = [f"{game}@{edition}" for game in catalogue() for edition in book(game).editions]


def find_index(made: nodes.document) -> nodes.section:
    """Return the index of a book."""
    (index,) = (one for one in made.findall(nodes.section) if "index" in one["ids"])
    return index


def list_words(made: nodes.document) -> list[str]:
    """Return the key words of a book."""
    lines = find_index(made).findall(nodes.paragraph)
    return [line.children[0].astext() for line in lines if "keyword" in line["classes"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["brouc@2022", "homme-de-brou@1802", "hombre@danish"])
def test_articles_have_numbers_that_the_index_leads_to(name: str) -> None:
    """They run through each chapter, and every key word of the index has some of them."""
    made = compose(choose(name), "en")
    matter = Matter(choose(name), "en")
    numbers = {one["clause"]: one.children[0].astext() for one in made.findall(rule)}
    index = find_index(made)
    words = [line for line in index.findall(nodes.paragraph) if "keyword" in line["classes"]]

    assert list(numbers.values()) == [
        f"{chapter}.{place}"
        for chapter, found in enumerate(matter.chapters, 1)
        for place, _ in enumerate(found.clauses, 1)
    ]
    assert all(list(word.findall(cite)) for word in words)
    assert all(numbers[one["target"]] == one.astext() for word in words for one in word.findall(cite))


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_everything_is_found_under_a_key_word(name: str) -> None:
    """Every article, every open question, every one that the text settles, and every example."""
    made, matter = compose(choose(name), "en"), Matter(choose(name), "en")
    index = find_index(made)
    boxes = {one["name"] for one in made.findall(panel) if one["kind"] == "example"}
    settled = {id_ for id_, one in matter.questions.items() if one.string("treatment") == "FIX" and matter.home(id_)}
    words = list_words(made)

    assert {one["target"] for one in index.findall(cite)} == {*matter.printed, *matter.open, *settled, *boxes}
    assert words == sorted(words, key=sort_letters)


@pytest.mark.slow
def test_a_book_without_key_words_has_its_chapters_for_them(tmp_path: Path) -> None:
    """A new project is looked up by its chapters."""
    for name, content in list_skeleton_files("duet").items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    made, matter = compose(choose("duet", tmp_path), "en"), Matter(choose("duet", tmp_path), "en")

    assert {*list_words(made)} == {matter.fill_text(chapter.title) for chapter in matter.chapters if chapter.clauses}


def test_an_article_points_to_what_is_open_and_what_is_settled() -> None:
    """In words: first a question mark and what it leaves open, then an arrow and what the text settles."""
    made = compose(choose("brouc"), "en")
    (found,) = (one for one in made.findall(rule) if one["clause"] == "brouc.over.04")
    told = {link["target"]: link.astext() for link in found["questions"]}

    assert told["brouc.amb.14"] == "? Reach of the marriage exception"
    assert told["brouc.amb.13"] == "→ Which cards may extend the trump marriage?"
    assert [words[0] for words in told.values()] == sorted(words[0] for words in told.values())


def test_the_book_of_a_table_points_to_no_open_question() -> None:
    """What it has agreed on is no question any more; what the text settles still is answered."""
    made = compose(choose("brouc"), "en", agreed=True)
    told = [link.astext()[0] for found in made.findall(rule) for link in found["questions"]]

    assert set(told) == {"→"}
