"""The ways to an article: an index of key words, and pointers from each article to its questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from docutils import nodes

from brou import Node
from brou_tools.documents.nodes import locate, paragraph, section, strong, text
from brou_tools.rulebook.agreement import name_question
from brou_tools.rulebook.terms import sort_letters
from brou_tools.situation.edition import Matter, is_in
from brou_tools.situation.examples import find_scenario, fitting

#: How questions are treated that have an answer or readings in the book.
_ANSWERED = ("FIX", "VAR", "OPEN")
#: Of these, the one whose answer is no choice.
_SETTLED = "FIX"


@dataclass(frozen=True, slots=True)
class BoxEntry:
    """A box or a settled question of a book: its id, its name in an index, and its clauses."""

    id: str
    name: str
    clauses: frozenset[str]
    settled: bool = False


class Signposts:
    """The ways to the articles of one book; `numbers` has the number of each article by its clause."""

    def __init__(self, matter: Matter, numbers: Mapping[str, str], agree: Node | None) -> None:
        self.matter = matter
        self.numbers = numbers
        self._questions = tuple(self._list_questions(agree))

    def _list_questions(self, agree: Node | None) -> Iterator[BoxEntry]:
        for id_, node in self.matter.questions.items():
            if node.string("treatment") in _ANSWERED and self.matter.home(id_):
                if node.string("treatment") != _SETTLED and id_ not in self.matter.open:
                    continue
                about = self._list_clauses(id_)
                yield BoxEntry(id_, name_question(self.matter, id_, agree), about, node.string("treatment") == _SETTLED)

    def list_pointers(self, clause: str) -> tuple[BoxEntry, ...]:
        """Return the questions about an article, the open ones first."""
        return tuple(sorted((one for one in self._questions if clause in one.clauses), key=lambda one: one.settled))

    def make_index(self) -> nodes.section:
        """Return the key words of the book by the alphabet: to each its articles, its questions and its examples."""
        boxes = (*self._questions, *self._list_examples())
        words = [(self.matter.fill_text(word), parts) for word, parts in self._list_words()]
        entries: list[nodes.Node] = []
        for word, parts in sorted(words, key=lambda entry: sort_letters(entry[0])):
            clauses = [id_ for id_ in self.numbers if any(is_in(id_, part) for part in parts)]
            if clauses:
                entries += self._tell_word(word, clauses, boxes)
        return section("index", self.matter.say("index"), *entries)

    def _list_words(self) -> Iterator[tuple[Node, Sequence[str]]]:
        """Yield the key words of the layout with their parts of ids; without any, the chapters with all clauses."""
        listed = self.matter.layout.get("index")
        if listed is not None:
            for item in listed.items:
                yield item.fields["word"], [part.text for part in item.fields["groups"].items]
            return
        for chapter in self.matter.chapters:
            yield chapter.title, [id_.partition(".")[2] for id_ in chapter.clauses]

    def _list_examples(self) -> Iterator[BoxEntry]:
        for chapter in self.matter.chapters:
            for name, title in chapter.examples:
                one = find_scenario(self.matter.choice.game, self.matter.choice.project, name)
                if fitting(one, self.matter.choice) is not None:
                    about = frozenset().union(*map(self._list_clauses, one.clauses))
                    yield BoxEntry(one.id, self.matter.fill_text(title), about)

    def _list_clauses(self, id_: str) -> frozenset[str]:
        """Return the clauses that a question is about; a clause itself."""
        node = self.matter.questions.get(id_)
        return frozenset((id_,) if node is None else (item.text for item in node.fields["clauses"].items))

    def _tell_word(self, word: str, clauses: Sequence[str], boxes: Iterable[BoxEntry]) -> Iterator[nodes.Node]:
        """Yield a key word with its articles, then a line for each box and each settled question about one of them."""
        links = _separate(
            [locate(id_, self.numbers[id_], after) for id_, after in zip(clauses, [*clauses[1:], ""], strict=True)]
        )
        yield paragraph(strong(word), text("\u2002"), *links, classes=["keyword"])
        ours = {*clauses}
        for box in sorted(boxes, key=lambda box: sort_letters(box.name)):
            if ours & box.clauses:
                yield paragraph(locate(box.id, box.name), classes=["under"])


def _separate(links: Sequence[nodes.Node]) -> list[nodes.Node]:
    return [part for link in links for part in (link, text(", "))][:-1]
