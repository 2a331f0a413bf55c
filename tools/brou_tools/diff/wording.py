"""A comparison of two rule bases told in words: topic by topic the clauses, a proof, or the smallest example."""

from __future__ import annotations

from collections.abc import Iterator

from docutils import nodes

from brou import Choice, rules
from brou.words import show_value
from brou_tools.diff.comparison import Comparison, example
from brou_tools.diff.rows import DifferenceExample, DifferenceRow
from brou_tools.documents.nodes import emphasis, make_citation, make_list, paragraph, section, strong, table, text
from brou_tools.questions.register import entries
from brou_tools.situation.edition import Matter
from brou_tools.situation.examples import course
from brou_tools.situation.panels import upper
from brou_tools.situation.view import ScenarioSituation, boxes, outcome, say
from brou_tools.terminal.doctree import lines


class Differences:
    """Tells one comparison in one language."""

    def __init__(self, found: Comparison, lang: str) -> None:
        self.found, self.lang = found, lang
        self.matters = tuple(boxes(choice, lang).matter for choice in found.choices)

    @property
    def called(self) -> tuple[str, str]:
        """Return the names of the two rule bases: game and edition, or within a game the names that the reader gave."""
        if self.found.within:
            return self.found.asked
        one, two = (f"{matter.title} {matter.choice.edition}" for matter in self.matters)
        return one, two

    @property
    def title(self) -> str:
        """Return the title: one rule base against the other."""
        one, two = self.called
        return say(self.matters[0], "against", one=one, two=two)

    def text(self) -> str:
        """Return everything as lines for a terminal."""
        if not self.found.rows:
            return f"{self.title}\n\n{say(self.matters[0], 'no_difference')}"
        body = [line for row in self.found.rows for line in lines(self.row(row, example(self.found, row)))]
        return "\n".join([self.title, "", *body]).rstrip()

    def row(self, row: DifferenceRow, shown: DifferenceExample | None) -> nodes.section:
        """Return one topic."""
        found = section(f"row-{row.id}".replace(".", "-").replace("/", "-"), self.topic(row))
        found += self._clauses(row)
        found.extend(self._tell_settled(row))
        note = self._text(row.note)
        if note:
            found += paragraph(note)
        if shown is not None:
            found.extend(self._show_example(row, shown))
        elif self.found.within and (row.record or all(row.values)):
            found += paragraph(emphasis(say(self.matters[0], "no_example")), classes=["aside"])
        return found

    def topic(self, row: DifferenceRow) -> str:
        """Return the topic of a row."""
        if row.record:
            return say(self.matters[0], "record", id=row.record)
        return self._text(row.topic) or row.id

    def list_clauses(self, row: DifferenceRow, side: int) -> list[tuple[str, str]]:
        """Return the clauses and questions of one side, each with its text."""
        matter = self.matters[side]
        return [(id_, matter.set(matter.words.clause(id_))) for id_ in row.clauses[side]]

    def tell_reading(self, row: DifferenceRow, side: int) -> str:
        """Return one side's reading of an open passage in words: key, value and the argument for it."""
        matter, chosen = self.matters[side], row.values[side]
        if not chosen:
            return say(matter, "not_asked")
        entry = next(one for one in entries(matter.choice.game, matter.choice.project) if one.id == row.id)
        reading = next((one for one in entry.readings if one.value == chosen), None)
        argument = self._text(reading.argument) if reading else ""
        return f"{row.key}={chosen}. {argument}".rstrip()

    def list_settled(self, row: DifferenceRow) -> list[str]:
        """Return the sentences on a row beside its clauses: a proof, an open passage, equal values, the note."""
        return [*(part.astext() for part in self._tell_settled(row)), *filter(None, [self._text(row.note)])]

    def list_outcomes(self, row: DifferenceRow, shown: DifferenceExample) -> list[tuple[str, str]]:
        """Return both answers to an example in words, each with whose it is."""
        found = []
        for side, choice in enumerate(shown.choices):
            names = self.found.names if side else {}
            said = outcome(boxes(choice, self.lang), shown.step, shown.answers[side], shown.answers[1 - side], names)
            found.append((self._label(row, side), upper(said)))
        return found

    def _text(self, texts: object) -> str:
        if not isinstance(texts, dict) or not texts:
            return ""
        return self.matters[0].fill_template(texts.get(self.lang) or next(iter(texts.values())))

    def _clauses(self, row: DifferenceRow) -> nodes.Node:
        """Return the clauses of each side with their texts."""
        if row.key:
            return make_list([paragraph(*self._reading(row, side))] for side in (0, 1))
        if self.found.within and row.clauses[0] == row.clauses[1]:
            return make_list([paragraph(*self._clause(self.matters[0], id_))] for id_ in row.clauses[0])
        return make_list(self._side(row, side) for side in (0, 1))

    def _side(self, row: DifferenceRow, side: int) -> list[nodes.Node]:
        matter, ids = self.matters[side], row.clauses[side]
        lead = strong(matter.words.frame("is", what=self.called[side], value=""))
        if not ids:
            return [paragraph(lead, text(say(matter, "no_clause")))]
        parts = [part for id_ in ids for part in (*self._clause(matter, id_), text(" "))][:-1]
        return [paragraph(lead, *parts)]

    def _clause(self, matter: Matter, id_: str) -> list[nodes.Node]:
        return [text(matter.set(f"{matter.words.clause(id_)} ")), make_citation(id_, here=False)]

    def _reading(self, row: DifferenceRow, side: int) -> list[nodes.Node]:
        """Return one side's reading of an open passage, with the argument for it."""
        lead = strong(self.matters[side].words.frame("is", what=self.called[side], value=""))
        told = text(self.tell_reading(row, side))
        return [lead, told, text(" "), make_citation(row.id, here=False)] if row.values[side] else [lead, told]

    def _tell_settled(self, row: DifferenceRow) -> Iterator[nodes.Node]:
        matter = self.matters[0]
        if row.proved:
            lead = strong(matter.words.frame("is", what=say(matter, "proved"), value=""))
            yield paragraph(lead, text(f"{self._text(row.states)} "), make_citation(row.proved, here=False))
        if row.open:
            silent = next((at for at in (0, 1) if row.open in dict(self.found.choices[at].readings)), 0)
            yield paragraph(say(matter, "left_open_by", rules=self.called[silent], key=row.open))
        if row.alike:
            told = [f"{name} = {show_value(name, matter.game, self.lang)}" for name in row.alike]
            yield paragraph(say(matter, "alike", what=", ".join(told)))
        if row.agree:
            yield paragraph(say(matter, "agree", id=row.agree))

    def _show_example(self, row: DifferenceRow, shown: DifferenceExample) -> Iterator[nodes.Node]:
        own = boxes(shown.own, self.lang)
        whole = course(shown.scenario, shown.own, shown.step)
        others = [boxes(choice, self.lang) for choice in shown.choices]
        yield from ScenarioSituation(own, whole, shown.step, others).build_nodes()
        matter = self.matters[0]
        yield table([say(matter, "rules"), matter.say("outcome")], self.list_outcomes(row, shown), [2, 5])
        yield paragraph(say(matter, "scenario", id=f"{shown.scenario.id}#{shown.step.id}"), classes=["aside"])

    def _label(self, row: DifferenceRow, side: int) -> str:
        return f"{row.key}={row.values[side]}" if row.key else self.called[side]


def alike(choices: tuple[Choice, Choice], name: str) -> bool:
    """Say whether a parameter has the same value in two rule bases."""
    one, two = (rules(choice).params[name].value for choice in choices)
    return one == two
