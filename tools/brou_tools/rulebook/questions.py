"""Open questions as boxes: the readings with the argument for each, the excluded ones, the decision."""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes

from brou import Node
from brou_tools.documents.nodes import RUN_IN, emphasis, panel, paragraph, reading, set_beside, strong, text, together
from brou_tools.rulebook.cases import CaseTeller
from brou_tools.rulebook.frequencies import tell_frequency as often
from brou_tools.situation.edition import Matter
from brou_tools.situation.examples import SeparatingCase, parting
from brou_tools.situation.panels import Boxes
from brou_tools.situation.written import WrittenRules


class Questions:
    """Makes the boxes of the open questions in one book."""

    def __init__(self, matter: Matter, boxes: Boxes, chapters: WrittenRules | None = None) -> None:
        self.matter = matter
        self.boxes = boxes
        #: In an annotated book what the readings change.
        self.chapters = chapters

    def question(self, id_: str) -> nodes.Element:
        """Return an open question of the text with its readings, or with the decision of the rules."""
        node = self.matter.questions[id_]
        varies = node.string("treatment") == "VAR" and node.string("key") in dict(self.matter.choice.readings)
        body = list(self._readings(id_, node) if varies else [*self._decision(node), *self._remarks(node)])
        return panel(
            "",
            *self._quote(node),
            *body,
            kind="question" if varies else "open",
            label=self.matter.say("question" if varies else "left_open"),
            title=self.matter.fill_text(node.fields["question"]),
            name=id_,
            key=node.string("key") if varies else "",
        )

    def _quote(self, node: Node) -> Iterator[nodes.Node]:
        """Yield the words of the source that the question turns on, if any, in the language of the source."""
        if node.get("quote") is not None:
            yield paragraph(self.matter.set(f'"{node.string("quote")}"'), classes=["quoted"])

    def _remarks(self, node: Node, often: str = "") -> Iterator[nodes.Node]:
        """Yield how often a question matters, if that is known, and its note."""
        for name, words in (("how_often", often), ("note", self.matter.fill_text(node.get("note")))):
            if words:
                yield paragraph(emphasis(f"{self.matter.say(name)}."), text(f"{RUN_IN}{words}"))

    def _decision(self, node: Node) -> Iterator[nodes.Node]:
        decision = self.matter.fill_text(node.get("decision"))
        if decision:
            yield paragraph(decision, *self._confidence(node))

    def _confidence(self, node: Node) -> list[nodes.Node]:
        level = node.string("confidence")
        if not level:
            return []
        told = self.matter.say("confidence", level=self.matter.words.name("confidences", level))
        return [text(f" ({told})")]

    def _readings(self, id_: str, node: Node) -> Iterator[nodes.Node]:
        key = node.string("key")
        mine = dict(self.matter.choice.readings)[key]
        number = node.get("number")
        if number is not None:
            low, high = (self.matter.words.number(int(number.string(end))) for end in ("from", "to"))
            yield from self._decision(node)
            said = paragraph(self.matter.say("number_reading", low=low, high=high, number=mine))
            written = () if self.chapters is None else self.chapters.of_question(id_)
            yield set_beside([said], written) if written else said
            yield from self._remarks(node)
            return
        readings = node.fields["readings"].fields
        letters = self.matter.readings(id_)
        told = [self._annotate(id_, value, letters[value], item, mine) for value, item in readings.items()]
        yield together("", *told, *self._list_excluded(node))
        after = list(self._remarks(node, often(self.matter, key)))
        yield from self._case(id_, parting(key, tuple(readings), self.matter.choice), after)

    def _annotate(self, id_: str, value: str, letter: str, item: Node, mine: str) -> nodes.Node:
        """Return a reading; an annotated book shows its changes beside it."""
        said = self._reading(letter, value, item, mine)
        written = () if self.chapters is None else self.chapters.of_reading(id_, value)
        return set_beside([said], written) if written else said

    def _reading(self, letter: str, value: str, item: Node, mine: str) -> nodes.Node:
        """Return a reading with the argument for it; its name in the data comes at the end."""
        chosen = [emphasis(self.matter.say("followed")), text(RUN_IN)] if value == mine else []
        argument = self.matter.fill_text(item.get("argument"))
        return reading("", strong(letter), text(RUN_IN), *chosen, text(argument), *self._confidence(item), name=value)

    def _list_excluded(self, node: Node) -> Iterator[nodes.Node]:
        excluded = node.get("excluded")
        for value, item in ({} if excluded is None else excluded.fields).items():
            lead, reason = self.matter.say("excluded"), self.matter.fill_text(item.get("reason"))
            yield reading("", emphasis(f"{lead}."), text(f"{RUN_IN}{reason}"), name=value)

    def _case(self, id_: str, case: SeparatingCase | None, after: list[nodes.Node]) -> Iterator[nodes.Node]:
        if case is None:
            none = paragraph(emphasis(self.matter.say("no_case")), classes=["aside"])
            yield together("", none, *after)
            return
        shown = CaseTeller(self.boxes.of(case.course.choice)).show_case(case, after)
        yield together("", *shown, ids=[f"{id_}-case"], classes=["case"])
