"""What a table agrees on before it plays: every open question with a box an answer, that of the edition ticked."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from docutils import nodes

from brou import Node
from brou_tools.documents.nodes import strong, text, tickbox
from brou_tools.situation.edition import Matter

#: Where a table writes an answer of its own.
_LINE = "................................"
_SHORT_LINE = "......."


def list_answers(matter: Matter, agree: Node | None, chapters: Collection[str] = ()) -> Iterator[nodes.paragraph]:
    """Yield the open questions of some chapters, or of all, each with its answers, in the order of the book.

    `agree` holds the short names of what the text leaves to the table; without one a question stands in full.
    """
    for chapter in matter.chapters:
        if not chapters or chapter.id in chapters:
            for id_ in matter.open:
                if matter.home(id_) == chapter.id:
                    yield _ask(matter, id_, agree)


def _ask(matter: Matter, id_: str, agree: Node | None) -> nodes.paragraph:
    node = matter.questions[id_]
    key = node.string("key")
    chosen = dict(matter.choice.readings)
    if node.string("treatment") == "VAR" and key in chosen:
        title = matter.fill_text(node.get("title") or node.fields["question"])
        return _line(title, _list_readings(matter, node, str(chosen[key])))
    short = None if agree is None else agree.get(id_.partition(".")[2])
    title = matter.fill_text(node.fields["question"] if short is None else short.fields["title"])
    here = None if short is None else short.get("here")
    answers = [] if here is None else [(matter.fill_text(here), True)]
    return _line(title, [*answers, (_LINE, False)])


def _list_readings(matter: Matter, node: Node, chosen: str) -> list[tuple[str, bool]]:
    readings = node.get("readings")
    if readings is None:
        return [(chosen, True), (_SHORT_LINE, False)]
    return [(matter.fill_text(one.fields["name"]), name == chosen) for name, one in readings.fields.items()]


def _line(title: str, answers: list[tuple[str, bool]]) -> nodes.paragraph:
    parts: list[nodes.Node] = [strong(title.rstrip("."))]
    for words, on in answers:
        parts += [text(" "), tickbox("", "", text(words), on=on)]
    return nodes.paragraph("", "", *parts, classes=["asked"])
