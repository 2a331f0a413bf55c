"""Open questions as boxes: the readings with what speaks for each, what is ruled out, what is decided here."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_uppercase

from docutils import nodes

from brou.language.source import Node
from brou_tools.rulebook.boxes import Boxes
from brou_tools.rulebook.cases import Cases
from brou_tools.rulebook.examples import Parting, parting
from brou_tools.rulebook.matter import Matter
from brou_tools.rulebook.nodes import cited, emphasis, panel, paragraph, strong, text, together
from brou_tools.rulebook.often import told


class Questions:
    """Makes the boxes of what is open in one book."""

    def __init__(self, matter: Matter, boxes: Boxes) -> None:
        self.matter = matter
        self.boxes = boxes

    def question(self, id_: str) -> nodes.Element:
        """Return what a text leaves open: the question with its readings, or what is decided here."""
        node = self.matter.questions[id_]
        varies = node.string("treatment") == "VAR" and node.string("key") in dict(self.matter.choice.readings)
        body = list(self._readings(node) if varies else self._decision(node))
        often = told(self.matter, node.string("key")) if varies else ""
        if often:
            body.append(paragraph(emphasis(f"{self.matter.say('how_often')}."), text(f" {often}")))
        note = self.matter.told(node.get("note"))
        if note:
            body.append(paragraph(emphasis(f"{self.matter.say('note')}."), text(f" {note}")))
        return panel(
            "",
            *body,
            kind="question" if varies else "open",
            label=self.matter.say("question" if varies else "left_open"),
            title=self.matter.told(node.fields["question"]),
            name=id_,
        )

    def _decision(self, node: Node) -> Iterator[nodes.Node]:
        decision = self.matter.told(node.get("decision"))
        if decision:
            yield paragraph(decision, *self._confidence(node))

    def _confidence(self, node: Node) -> list[nodes.Node]:
        level = node.string("confidence")
        if not level:
            return []
        told = self.matter.say("confidence", level=self.matter.words.name("confidences", level))
        return [text(f" ({told})")]

    def _readings(self, node: Node) -> Iterator[nodes.Node]:
        key = node.string("key")
        mine = dict(self.matter.choice.readings)[key]
        number = node.get("number")
        if number is not None:
            low, high = (self.matter.words.number(int(number.string(end))) for end in ("from", "to"))
            yield from self._decision(node)
            yield paragraph(self.matter.say("number_reading", low=low, high=high, number=mine))
            return
        readings = node.fields["readings"].fields
        for letter, (value, item) in zip(ascii_uppercase, readings.items(), strict=False):
            yield self._reading(letter, value, item, mine)
        excluded = node.get("excluded")
        for value, item in ({} if excluded is None else excluded.fields).items():
            lead = self.matter.say("excluded", reading=self.matter.named(value))
            reason = self.matter.told(item.get("reason"))
            yield paragraph(emphasis(f"{lead}."), text(f" {reason}"), classes=["aside"])
        yield from self._case(parting(key, tuple(readings), self.matter.choice))

    def _reading(self, letter: str, value: str, item: Node, mine: str) -> nodes.Node:
        chosen = [emphasis(self.matter.say("followed")), text(" ")] if value == mine else []
        argument = self.matter.told(item.get("argument"))
        head = [strong(letter), text(" "), cited(self.matter.named(value), here=False), text(" "), *chosen]
        return together("", paragraph(*head, text(argument), *self._confidence(item)))

    def _case(self, case: Parting | None) -> Iterator[nodes.Node]:
        if case is None:
            yield paragraph(emphasis(self.matter.say("no_case")), classes=["aside"])
            return
        yield from Cases(self.boxes.of(case.course.choice)).told(case)
