"""Short names of questions, values and numbers: whether there are some, fit for a button, and told apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from brou.chapters.law import Volume
from brou.chapters.notation import QuestionForm
from brou.chapters.texts import list_short_names, name_title, name_value
from brou.chapters.tokens import Token
from brou.errors import Fault

#: So many characters has the title of a question at most, and so many the name of a value or a number.
LONGEST_TITLE, LONGEST_NAME = 40, 30


def find_unfit_names(volume: Volume) -> Iterator[Fault]:
    """Yield names that are too long or like another one of the question, in any language.

    In a game with words of its own those are faults, too, that are missing.
    """
    has_words = any(file.game == volume.frame.game for files in volume.texts.files.values() for file in files)
    for _, question in volume.questions():
        names = list_short_names(question)
        for id_, name in names.items():
            if name is None and has_words:
                yield Fault(question.id.place, f"{id_} is missing", _find_advice(question, id_))
        yield from _find_misfits(volume, question, {id_: name for id_, name in names.items() if name is not None})


def _find_advice(question: QuestionForm, id_: str) -> str:
    if id_ == name_title(question):
        return "write a short `title:` beside the key"
    return "write a short `name:` for the number" if question.number else "write a short `name:` for the value"


def _find_misfits(volume: Volume, question: QuestionForm, names: Mapping[str, Token]) -> Iterator[Fault]:
    """Yield the names of a question that are too long, or alike in a language."""
    seen: dict[tuple[str, str], str] = {}
    for id_, name in names.items():
        longest = LONGEST_TITLE if id_ == name_title(question) else LONGEST_NAME
        for language, word in volume.texts.find(id_, name).items():
            said = " ".join(word.split())
            if len(said) > longest:
                what = f"{id_} has {len(said)} characters in {language}"
                yield Fault(word.place, what, f"say it in at most {longest}")
            other = seen.setdefault((language, said.casefold()), id_)
            if other != id_:
                yield Fault(word.place, f"{id_} is called as {other} is in {language}", "tell them apart")


def name_readings(volume: Volume) -> dict[str, tuple[dict[str, str], dict[str, dict[str, str]]]]:
    """Return by key the title of its question, and the names of its values or of its number, by language."""
    return {
        str(question.key): _name_reading(volume, question)
        for _, question in volume.questions()
        if question.key is not None
    }


def _name_reading(volume: Volume, question: QuestionForm) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    said = {id_: {} if name is None else volume.texts.of(id_, name) for id_, name in list_short_names(question).items()}
    values = list(question.readings) if question.number is None else [str(question.number.of)]
    return said[name_title(question)], {value: said[name_value(question, value)] for value in values}
