"""What a table agrees on before it plays: every open question with a box an answer, that of the edition ticked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from docutils import nodes

from brou import Node
from brou_tools.documents.nodes import strong, text, tickbox
from brou_tools.options.agreed import letter_answers, number_question
from brou_tools.situation.edition import Matter

#: Where a table writes an answer of its own.
_LINE = "................................"
_SHORT_LINE = "......."


@dataclass(frozen=True, slots=True)
class BoxedAnswer:
    """An answer that a sheet offers: its letter, if it has one, its words, and whether the rules give it."""

    letter: str
    words: str
    on: bool


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question for a table: its number in the short form, if readings answer it, its few words, its answers."""

    number: str
    title: str
    answers: tuple[BoxedAnswer, ...]


def list_questions(matter: Matter, agree: Node | None, chapters: Collection[str] = ()) -> Iterator[TableQuestion]:
    """Yield what the text leaves open in some chapters, or in all, each with its answers, in the order of the book.

    `agree` holds the short names of what the text leaves to the table; without one a question is given in full.
    """
    for chapter in matter.chapters:
        if not chapters or chapter.id in chapters:
            for id_ in matter.questions_of_edition:
                if matter.find_chapter(id_) == chapter.id:
                    yield _pose(matter, id_, agree)


def list_boxes(questions: Iterable[TableQuestion], *, lettered: bool = False) -> Iterator[nodes.paragraph]:
    """Yield a line a question with a box an answer; with numbers and letters where its short form is to be written."""
    for question in questions:
        number = [text(f"{question.number}\u2002")] if lettered and question.number else []
        parts: list[nodes.Node] = [*number, strong(question.title)]
        for answer in question.answers:
            letter = [strong(answer.letter), text("\u00a0")] if lettered and answer.letter else []
            parts += [text(" "), tickbox("", "", *letter, text(answer.words), on=answer.on)]
        yield nodes.paragraph("", "", *parts, classes=["asked"])


def list_agreed(matter: Matter, questions: Iterable[TableQuestion]) -> Iterator[nodes.paragraph]:
    """Yield a line an answer that the rules of a table give; a question that they leave unanswered has none."""
    for question in questions:
        for answer in question.answers:
            if answer.on:
                said = matter.words.frame("is", what=question.title, value="").rstrip()
                yield nodes.paragraph("", "", strong(said), text(f" {answer.words}"), classes=["asked"])


def _pose(matter: Matter, id_: str, agree: Node | None) -> TableQuestion:
    node, title = matter.questions[id_], name_question(matter, id_, agree)
    key = node.string("key")
    chosen = dict(matter.choice.readings)
    if node.string("treatment") == "VAR" and key in chosen:
        return TableQuestion(number_question(id_), title, _list_readings(matter, node, str(chosen[key])))
    short = _find_short(id_, agree)
    here = None if short is None else short.get("here")
    answers = () if here is None else (BoxedAnswer("", matter.fill_text(here), on=True),)
    return TableQuestion("", title, (*answers, BoxedAnswer("", _LINE, on=False)))


def name_question(matter: Matter, id_: str, agree: Node | None) -> str:
    """Return a question in a few words; in full where it has none. `agree` is that of `list_questions`."""
    node, short = matter.questions[id_], _find_short(id_, agree)
    words = node.get("title") or (node.fields["question"] if short is None else short.fields["title"])
    return matter.fill_text(words).rstrip(".")


def _find_short(id_: str, agree: Node | None) -> Node | None:
    return None if agree is None else agree.get(id_.partition(".")[2])


def _list_readings(matter: Matter, node: Node, chosen: str) -> tuple[BoxedAnswer, ...]:
    readings = node.get("readings")
    if readings is None:
        return BoxedAnswer("", chosen, on=True), BoxedAnswer("", _SHORT_LINE, on=False)
    letters = letter_answers(node)
    return tuple(
        BoxedAnswer(letters[name], matter.fill_text(one.fields["name"]), on=name == chosen)
        for name, one in readings.fields.items()
    )
