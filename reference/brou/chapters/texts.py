"""The texts of a game in every language: the original is in the chapters, each other language in a file of its own.

Chapters are written in the language of their project, those of the house in English. A text of another language bears
the mark of the original that it was made from. One that is missing, or made from an older text, is not used: the
original is used, and `find_outdated` lists it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

from brou.chapters.notation import ClauseForm, QuestionForm, WordsForm
from brou.chapters.sheet_notation import SheetForm
from brou.chapters.terms import slug
from brou.chapters.tokens import Token
from brou.dataclass import dataclass
from brou.errors import Fault

#: The language of a chapter of which nothing else is said.
ORIGINAL = "en"
#: How comparisons are spelt in a name; the longer signs come first.
_SIGNS = {">=": " at least ", "<=": " at most ", "!=": " not ", ">": " above ", "<": " below "}


def mark_text(text: str) -> str:
    """Return the mark of a text: eight hexadecimal digits, the same however its lines are broken."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:8]


def name_saying(expression: str) -> str:
    """Return the id of the words for a condition or a figure: `says.beats`, or `says.x_at_least_y` for `x >= y`."""
    return f"says.{name_expression(expression)}"


def name_expression(expression: str) -> str:
    """Return an expression as a name: its words, comparisons spelt out but for `==`."""
    for sign, words in _SIGNS.items():
        expression = expression.replace(sign, words)
    return slug(expression)


@dataclass(frozen=True, slots=True)
class Texts:
    """The files of other languages; those of a game come before those of the prelude."""

    files: Mapping[str, tuple[WordsForm, ...]]
    #: The language of each file, by its path, that is not written in English.
    written: Mapping[str, str]

    def of(self, id_: str, original: Token) -> dict[str, str]:
        """Return a text by language: the original, and each other language that has it from this very text."""
        return {language: str(word) for language, word in self.find(id_, original).items()}

    def find(self, id_: str, original: Token) -> dict[str, Token]:
        """Return the same by language, with its places."""
        found = {self.find_language(original): original}
        for language, files in self.files.items():
            for file in files:
                if id_ in file.words and file.of.get(id_) == mark_text(original):
                    found.setdefault(language, file.words[id_])
        return found

    def find_language(self, original: Token) -> str:
        """Return the language that a text of the chapters is written in."""
        return self.written.get(original.place.file, ORIGINAL)

    def find_outdated(self, game: str, originals: Mapping[str, Token]) -> Iterator[Fault]:
        """Yield the texts that a language of a game lacks, has from an older text, or has of nothing.

        Its languages are those of its own files; those of the prelude may have texts that it does not need, or has in
        words of its own.
        """
        for language, files in self.files.items():
            own = [file for file in files if file.game == game]
            needed = {id_ for file in own for id_ in file.words}
            for file in files:
                for id_, word in file.words.items():
                    if file not in own and id_ in needed:
                        continue
                    if id_ not in originals:
                        if file in own:
                            yield Fault(
                                word.place, f"{id_} is no text of the chapters", "leave it out", is_lagging=True
                            )
                    elif file.of.get(id_) != (wanted := mark_text(originals[id_])):
                        lacks = id_ not in file.of
                        what = f"{id_} {'has no mark' if lacks else 'was made from another text'}"
                        advice = "" if lacks else "read it again, then "
                        instead = f"{advice}write `{id_}: {wanted}` under `of:`"
                        yield Fault(word.place, what, instead, is_lagging=True)
            known = {id_ for file in files for id_ in file.words}
            for id_, original in originals.items() if own else ():
                if id_ not in known and self.find_language(original) != language:
                    what = f"{id_} is missing in {language!r}"
                    instead = f"write it into games/{game}/words.{language}.yaml"
                    yield Fault(original.place, what, instead, is_lagging=True)


def clause_texts(clause: ClauseForm) -> Iterator[tuple[str, Token]]:
    """Yield the texts of a clause by id, those of its questions included."""
    yield clause.clause, clause.text
    if clause.note is not None:
        yield f"{clause.clause}.note", clause.note
    for cell, word in clause.lacks.list_reasons().items():
        yield f"{clause.clause}.lacks.{cell}", word
    for name, word in clause.says.items():
        yield name_saying(name), word
    for question in clause.open:
        yield from question_texts(question)


def sheet_texts(sheet: SheetForm) -> Iterator[tuple[str, Token]]:
    """Yield the texts of a score sheet by id."""
    for entry in sheet.entries:
        name = entry.entry.partition("(")[0]
        yield f"sheet.{name}", entry.says
        for check, form in entry.forbid.items():
            yield f"sheet.{name}.{check}", form.says
        for label, word in entry.heeds.items():
            yield f"sheet.{name}.{label}", word


def list_short_names(question: QuestionForm) -> dict[str, Token | None]:
    """Return the short names of a question that has a key by id, its title first; None where it has none."""
    if question.key is None:
        return {}
    found = {name_title(question): question.title}
    if question.number is not None:
        return found | {name_value(question, question.number.of): question.number.name}
    return found | {name_value(question, value): reading.name for value, reading in question.readings.items()}


def name_title(question: QuestionForm) -> str:
    """Return the id of the short title of a question."""
    return f"{question.id}.title"


def name_value(question: QuestionForm, value: str) -> str:
    """Return the id of the short name of a value, or of a number by its name in the rules."""
    return f"{question.id}.{value}.name"


def question_texts(question: QuestionForm) -> Iterator[tuple[str, Token]]:
    """Yield the texts of a question by id."""
    id_ = question.id
    yield f"{id_}.ask", question.ask
    for key in ("settled", "agree", "decided", "note"):
        word = getattr(question, key)
        if word is not None:
            yield f"{id_}.{key}", word
    for value, reading in question.readings.items():
        yield f"{id_}.{value}", reading.why
    for name, word in list_short_names(question).items():
        if word is not None:
            yield name, word
    for value, word in question.excluded.items():
        yield f"{id_}.not.{value}", word
