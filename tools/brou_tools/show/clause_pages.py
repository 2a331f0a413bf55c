"""All clauses of a game on one page: each text with its rule beside it, then its questions and proofs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from docutils import nodes

from brou import Choice, Node, Project, spread
from brou_tools.documents.nodes import (
    emphasis,
    make_citation,
    make_list,
    paragraph,
    section,
    set_beside,
    strong,
    table,
    text,
)
from brou_tools.show.decision_tables import ToldTable, find_tables
from brou_tools.situation.edition import Matter
from brou_tools.situation.view import say
from brou_tools.situation.written import WrittenRules

#: The outcome that a statement expects unless it names another.
PROVED = "proved"


class ClausePages:
    """Tells the clauses of one game in one language, in the order of its book."""

    def __init__(self, game: str, lang: str, project: Project) -> None:
        self.chapters = WrittenRules(game, project)
        self.volume = self.chapters.volume
        self.choices = spread(game, project)
        self.matter = Matter(self.choices[0], lang)
        self.forms = {self.volume.frame.spell_id(one.clause): one for one in self.volume.clauses()}

    @property
    def title(self) -> str:
        """Return the heading of the page."""
        return self._say("clauses_page", game=self.matter.title)

    @cached_property
    def anchors(self) -> frozenset[str]:
        """Return the ids of all clauses and questions on the page."""
        asked = (self._spell(question.id) for form in self.forms.values() for question in form.open)
        return frozenset([*self.forms, *asked])

    def sections(self) -> Iterator[nodes.section]:
        """Yield the chapters, a section each."""
        for node, ids in self.matter.placed:
            title = self.matter.fill_text(node.fields["title"])
            yield section(node.string("id"), title, *(self.clause(id_) for id_ in ids))

    def clause(self, id_: str) -> nodes.section:
        """Return a clause: its text beside its rules, then decision tables, questions with readings, and proofs."""
        form = self.forms[id_]
        found = section(id_, id_)
        found += set_beside(self._say_clause(id_), self._write_clause(id_))
        found.extend(part for told in self._find_tables(id_) for part in self._tabulate(told))
        found.extend(part for question in form.open for part in self._question(self._spell(question.id)))
        found.extend(self._proofs(id_))
        return found

    def _spell(self, label: str) -> str:
        return self.volume.frame.spell_id(label)

    def _say(self, name: str, **parts: str) -> str:
        return say(self.matter, name, **parts)

    # Text and rule --------------------------------------------------------------

    def _say_clause(self, id_: str) -> Iterator[nodes.Node]:
        clause = self.matter.clauses[id_]
        said = clause.fields["text"]
        own = self.matter.fill_text(said)
        yield paragraph(own)
        for choice, matter in self._others.items():
            if (other := matter.fill_text(said)) != own:
                yield paragraph(emphasis(self._say("same_rules", rules=str(choice))), text(f" {other}"))
        if note := self.matter.fill_text(clause.get("note")):
            yield paragraph(note)
        cited: dict[str, list[str]] = {}
        for source in self.matter.sources(id_):
            cited.setdefault(source.work.string("title"), []).append(source.place)
        joined = self.matter.words.frame("and")
        places = joined.join(f"{work}, {joined.join(dict.fromkeys(places))}" for work, places in cited.items())
        status = self.matter.words.name("statuses", clause.string("status"))
        yield paragraph(self.matter.words.frame("is", what=places, value=f"{status}."), classes=["facts"])

    @cached_property
    def _others(self) -> Mapping[Choice, Matter]:
        """Return the other editions and set-ups, whose numbers may be others."""
        return {choice: Matter(choice, self.matter.lang) for choice in self.choices[1:]}

    def _write_clause(self, id_: str) -> Sequence[nodes.Node]:
        written = self.chapters.of_clause(id_, self.anchors.__contains__)
        return written or [paragraph(self._say("carried_by_none"), classes=["aside"])]

    # Decision tables ------------------------------------------------------------

    def _find_tables(self, id_: str) -> Iterator[ToldTable]:
        form = self.forms[id_]
        labels = [form.clause, *(rule.rule for rule in form.rules), *(question.id for question in form.open)]
        for label, told in self._tables.items():
            if label in labels:
                yield from told

    @cached_property
    def _tables(self) -> Mapping[str, Sequence[ToldTable]]:
        return find_tables(self.choices, self.chapters)

    def _tabulate(self, told: ToldTable) -> Iterator[nodes.Node]:
        """Yield when an act is refused: a row a condition, a column a case; a single one is part of the rule."""
        if len(told.table.conditions) < 2:
            return
        every = len(told.choices) == len(self.choices)
        names = "" if every else f" ({', '.join(map(str, told.choices))})"
        yield paragraph(strong(self._say("refused_where", act=told.act)), text(names), classes=["label"])
        rows: list[list[nodes.Node | str]] = [
            [self._condition(one, told), *(self._answer(line.answers[number]) for line in told.table.lines)]
            for number, one in enumerate(told.table.conditions)
        ]
        rows.append(
            [
                self.matter.say("table_rule"),
                *(paragraph(make_citation(self._spell(line.refused.clause))) for line in told.table.lines),
            ]
        )
        cases = len(told.table.lines)
        yield table(["", *(str(number + 1) for number in range(cases))], rows, [5, *[1] * cases])

    def _condition(self, condition: str, told: ToldTable) -> nodes.Node:
        words = told.words.get(condition)
        said = (
            [text(f" {self.matter.fill_template(words.get(self.matter.lang) or next(iter(words.values())))}")]
            if words
            else []
        )
        return paragraph(nodes.literal(text=condition), *said)

    def _answer(self, answer: bool | None) -> str:  # noqa: FBT001 - as tables have it
        return "" if answer is None else self.matter.words.frame("yes" if answer else "no")

    # Questions ------------------------------------------------------------------

    def _question(self, id_: str) -> Iterator[nodes.Node]:
        node = self.matter.questions[id_]
        treatment = node.string("treatment")
        badge = nodes.inline("", treatment, classes=["badge", treatment.lower()])
        asked = self.matter.fill_text(node.fields["question"])
        head = paragraph(badge, text(f" {asked} "), make_citation(id_, here=False), classes=[f"id:{id_}"])
        told = [head, *self._decide(node)]
        written = self.chapters.of_question(id_)
        yield from [set_beside(told, written)] if written else told
        for value, item in _fields(node.get("readings")).items():
            said = self._reading(value, item, self._find_editions(node.string("key"), value))
            changes = self.chapters.of_reading(id_, value)
            yield set_beside([said], changes or [paragraph(self._say("changes_nothing"), classes=["aside"])])

    def _decide(self, node: Node) -> Iterator[nodes.Node]:
        """Yield how a question is settled, within which bounds a number lies, and the note."""
        if decision := self.matter.fill_text(node.get("decision")):
            yield paragraph(decision)
        if (number := node.get("number")) is not None:
            low, high = (self.matter.words.number(int(number.string(end))) for end in ("from", "to"))
            yield paragraph(self._say("number_range", low=low, high=high))
        for value, item in _fields(node.get("excluded")).items():
            lead = self.matter.say("excluded").lower()
            why = text(f". {self.matter.fill_text(item.get('reason'))}")
            yield paragraph(nodes.literal(text=value), text(" "), emphasis(lead), why, classes=["aside"])
        if note := self.matter.fill_text(node.get("note")):
            yield paragraph(emphasis(f"{self.matter.say('note')}."), text(f" {note}"))

    def _reading(self, value: str, item: Node, editions: Sequence[str]) -> nodes.Node:
        """Return a reading by its names, with the editions that follow it and what speaks for it."""
        parts: list[nodes.Node] = [nodes.literal(text=value)]
        if name := self.matter.fill_text(item.get("name")):
            parts += [text(self.matter.words.frame("dash")), strong(f"{name}.")]
        if editions:
            parts.append(emphasis(f" ({self._say('followed_by', editions=', '.join(editions))})"))
        return paragraph(*parts, text(f" {self.matter.fill_text(item.get('argument'))}"))

    def _find_editions(self, key: str, value: str) -> Sequence[str]:
        """Return the editions that read a question so."""
        return [name for name, one in self.matter.book.editions.items() if one.readings.get(key) == value]

    # Proofs ---------------------------------------------------------------------

    def _proofs(self, id_: str) -> Iterator[nodes.Node]:
        proves = self.forms[id_].proves
        if proves:
            yield paragraph(strong(self._say("proofs")), classes=["label"])
            yield make_list(
                [
                    paragraph(
                        text(one.says if one.expect in (None, PROVED) else self._say("shown_false", what=one.says)),
                        text(" "),
                        make_citation(self._spell(label), here=False),
                    )
                ]
                for label, one in proves.items()
            )


def _fields(node: Node | None) -> Mapping[str, Node]:
    return {} if node is None else node.fields
