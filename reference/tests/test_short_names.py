"""Short names: every question that may be chosen, and each of its answers, is called by one fit for a button."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from brou import book, catalogue
from brou.chapters.law import Volume
from brou.chapters.notation import QuestionForm
from brou.chapters.reading import read_volume
from brou.chapters.short_names import LONGEST_NAME, LONGEST_TITLE, find_unfit_names
from brou.chapters.tokens import Token
from brou.dataclass import replace as replace_fields
from brou.games.folder import list_files, read_file, root

LANGUAGES = {"en", "fr", "de"}


def volume_of(game: str) -> Volume:
    """Returns a game of the house, decoded."""
    return read_volume(game, partial(list_files, root()), partial(read_file, root()))


def list_faults(volume: Volume) -> list[str]:
    """Returns what is wrong with the short names of a game."""
    return [fault.what for fault in find_unfit_names(volume)]


def change(volume: Volume, id_: str, edit: Callable[[QuestionForm], QuestionForm]) -> Volume:
    """Returns a game with one question changed."""
    chapters = tuple(
        replace(
            chapter,
            clauses=tuple(
                replace(clause, open=tuple(edit(one) if one.id == id_ else one for one in clause.open))
                for clause in chapter.clauses
            ),
        )
        for chapter in volume.chapters
    )
    return replace_fields(volume, chapters=chapters)


def call(value: str, name: str | None) -> Callable[[QuestionForm], QuestionForm]:
    """Returns the change that gives a value another name, or none."""

    def edit(question: QuestionForm) -> QuestionForm:
        named = replace(question.readings[value], name=None if name is None else Token.at(name))
        return replace(question, readings={**question.readings, value: named})

    return edit


@pytest.mark.parametrize("game", catalogue())
def test_every_question_and_value_has_a_name_in_every_language(game: str) -> None:
    """A button can be written for each of them, whoever reads it."""
    for key, reading in book(game).readings.items():
        named = [reading.title, *(reading.find_name(value) for value in reading.values or ["1"])]
        assert [set(one) for one in named] == [LANGUAGES] * len(named), key


@pytest.mark.parametrize("game", catalogue())
def test_the_names_of_the_house_fit(game: str) -> None:
    """None is too long, and no two of a question are alike in a language."""
    assert list_faults(volume_of(game)) == []


def test_a_name_of_the_most_characters_fits() -> None:
    """The bound itself is allowed."""
    volume = volume_of("brouc")
    assert list_faults(change(volume, "amb.14", call("forced-only", "x" * LONGEST_NAME))) == []


def test_a_longer_name_is_a_fault() -> None:
    """It does not fit on a button."""
    volume = volume_of("brouc")
    told = list_faults(change(volume, "amb.14", call("forced-only", "x" * (LONGEST_NAME + 1))))
    assert told == [f"amb.14.forced-only.name has {LONGEST_NAME + 1} characters in en"]


def test_a_longer_title_is_a_fault() -> None:
    """The title of a question has a bound of its own."""
    title = Token.at("x" * (LONGEST_TITLE + 1))
    told = list_faults(change(volume_of("brouc"), "amb.14", lambda question: replace(question, title=title)))
    assert told == [f"amb.14.title has {LONGEST_TITLE + 1} characters in en"]


def test_a_longer_translation_is_a_fault() -> None:
    """The bound holds in each language, and the fault stands where the words are."""
    volume = volume_of("brouc")
    (file,) = volume.texts.files["fr"][:1]
    words = {**file.words, "amb.14.forced-only.name": Token.at("x" * (LONGEST_NAME + 1))}
    texts = replace_fields(volume.texts, files={"fr": (replace(file, words=words),)})
    told = list_faults(replace_fields(volume, texts=texts))
    assert told == [f"amb.14.forced-only.name has {LONGEST_NAME + 1} characters in fr"]


def test_two_values_of_one_name_are_a_fault() -> None:
    """Two names differ in more than letter case, so that whoever chooses can tell them apart."""
    volume = change(volume_of("brouc"), "amb.14", call("forced-only", "also for a ruff by choice"))
    assert list_faults(volume) == ["amb.14.any-trump-play.name is called as amb.14.forced-only.name is in en"]


def test_a_value_without_a_name_is_a_fault_where_there_are_words() -> None:
    """A game that is told in several languages says what its values are called."""
    assert list_faults(change(volume_of("brouc"), "amb.14", call("forced-only", None))) == [
        "amb.14.forced-only.name is missing"
    ]


def test_a_number_without_a_name_is_a_fault_where_there_are_words() -> None:
    """What is counted is named beside the number."""

    def edit(question: QuestionForm) -> QuestionForm:
        assert question.number is not None
        return replace(question, number=replace(question.number, name=None))

    assert list_faults(change(volume_of("brouc"), "amb.37", edit)) == ["amb.37.match_ticks.name is missing"]


def test_a_game_without_words_needs_no_names() -> None:
    """Somebody who tries a game out in one language writes rules alone."""
    volume = change(volume_of("brouc"), "amb.14", call("forced-only", None))
    assert list_faults(replace_fields(volume, texts=replace_fields(volume.texts, files={}))) == []


def test_a_number_is_called_by_what_is_counted() -> None:
    """Each number that may be chosen has that name."""
    reading = book("brouc").readings["match_ticks"]
    assert reading.find_name("7") == reading.find_name("9") != {}
