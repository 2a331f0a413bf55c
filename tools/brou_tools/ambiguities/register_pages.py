"""The register of a game as a page: the losses of the source, a table of all questions, then each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docutils import nodes

from brou import (
    Choice,
    Node,
    Project,
    book,
    choose,
    keep_until_changed,
)
from brou_conformance.metamorphic.renaming import canonical
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario, ScriptStep
from brou_conformance.scenarios.script import machine
from brou_tools.ambiguities.rates import tell_rate as told_rate
from brou_tools.documents.nodes import (
    emphasis,
    make_citation,
    make_list,
    paragraph,
    section,
    strong,
    table,
    text,
    together,
)
from brou_tools.questions.differing import compare_answers as differing
from brou_tools.questions.parting import answer_steps, find_choices, find_parting
from brou_tools.questions.register import Argued, RegisterEntry, entries, questions
from brou_tools.situation.examples import course
from brou_tools.situation.panels import Boxes, upper
from brou_tools.situation.view import ScenarioSituation, boxes, outcome, say
from brou_tools.terminal.doctree import lines

#: In which order the treatments stand in a legend.
TREATMENTS = ("VAR", "FIX", "OPEN", "LINT")


class Register:
    """Tells the register of one game in one language."""

    def __init__(self, game: str, project: Project, lang: str) -> None:
        self.game, self.project, self.lang = game, project, lang
        first = next(iter(book(game, project).editions))
        self.boxes = boxes(choose(f"{game}@{first}", project), lang)
        self.matter = self.boxes.matter
        self.entries = entries(game, project)
        self._nodes = questions(game, project)

    def say(self, name: str, **parts: str) -> str:
        """Return words of the register itself."""
        return say(self.matter, name, **parts)

    @property
    def title(self) -> str:
        """Return the heading of the page."""
        return self.say("register", game=self.matter.title)

    def sections(self) -> Iterator[nodes.section]:
        """Yield everything on the page, part by part."""
        yield section("losses", self.say("losses"), *self.list_lost())
        yield section("overview", self.say("overview"), *self._legend(), self._overview())
        for entry in self.entries:
            yield self.entry(entry)
        named = dict.fromkeys(id_ for entry in self.entries for id_ in entry.clauses)
        yield section("clauses", self.say("clauses_named"), *(self._clause(id_) for id_ in named))

    def terminal(self, entry: RegisterEntry) -> str:
        """Return an entry as lines for a terminal."""
        return "\n".join(lines(self.entry(entry, drawn=False)))

    # Sources --------------------------------------------------------------------

    def list_lost(self) -> Iterator[nodes.Node]:
        """Yield the passages that the sources of the game have lost or say twice and differently."""
        rows = [row for work in self._works() for row in self._list_losses(work)]
        if not rows:
            yield paragraph(self.say("nothing_lost"))
            return
        yield table([self.say("place"), self.say("what_is_lost"), self.say("what_is_done")], rows, [2, 5, 5])

    def _works(self) -> list[Node]:
        """Return the works that the clauses and editions of the game rest on."""
        cited_ = {
            anchor.string("source")
            for clause in self.matter.clauses.values()
            for anchor in clause.fields["anchors"].items
        }
        return [work for id_, work in self.matter.works.items() if id_ in cited_]

    def _list_losses(self, work: Node) -> Iterator[Sequence[nodes.Node | str]]:
        listed_ = work.get("losses")
        for item in () if listed_ is None else listed_.items:
            places = [self._place(work, at.text) for at in item.fields["at"].items]
            where = ", ".join(places) or self.say("whole")
            kind = paragraph(strong(self.say(item.string("kind"))), text(f" {self._work(work)}, {where}"))
            asked = item.string("question")
            done = [text(f"{self.matter.fill_text(item.fields['done'])} ")] + ([make_citation(asked)] if asked else [])
            yield [kind, self.matter.fill_text(item.fields["what"]), paragraph(*done)]

    def _work(self, work: Node) -> str:
        original = work.get("original")
        year = original.fields["year"].text if original is not None and original.get("year") else ""
        return f"{work.string('title')}{f' ({year})' if year else ''}"

    def _place(self, work: Node, id_: str) -> str:
        at = {item.string("id"): item.string("at") for item in work.fields["passages"].items}
        return self.matter.place(at[id_])

    def passages(self, entry: RegisterEntry) -> str:
        """Return the passages that an entry is about, work by work."""
        found = []
        for work in self._works():
            passages = work.get("passages")
            known = () if passages is None else [item.string("id") for item in passages.items]
            places = [self._place(work, id_) for id_ in entry.passages if id_ in known]
            if places:
                found.append(self.matter.words.frame("is", what=self._work(work), value=", ".join(places)))
        return self.matter.words.frame("and").join(found)

    # Table ----------------------------------------------------------------------

    def _legend(self) -> Iterator[nodes.Node]:
        counted = {one: sum(entry.treatment == one for entry in self.entries) for one in TREATMENTS}
        dash = self.matter.words.frame("dash")
        yield make_list(
            [paragraph(badge(one), text(f" {number}{dash}{self.say(one)}. {self.say(f'about_{one}')}"))]
            for one, number in counted.items()
            if number
        )

    def _overview(self) -> nodes.Node:
        rows: list[list[nodes.Node | str]] = [
            [paragraph(make_citation(entry.id)), paragraph(badge(entry.treatment)), self._text(entry.question)]
            for entry in self.entries
        ]
        return table(["", self.say("treatment"), self.say("question")], rows, [4, 3, 13])

    def _text(self, texts: Mapping[str, str] | None) -> str:
        return "" if not texts else self.matter.fill_template(texts.get(self.lang) or next(iter(texts.values())))

    # Entries --------------------------------------------------------------------

    def entry(self, entry: RegisterEntry, *, drawn: bool = True) -> nodes.section:
        """Return one entry: passage, question, readings, frequency, the smallest examples, drawn or by name."""
        found = section(entry.id, self._text(entry.question))
        treatment = entry.treatment
        head = [badge(treatment), text(f" {self.say(treatment)} "), make_citation(entry.id, here=False)]
        key = [text(f" {self.say('key')} "), *self._name(entry.key, entry.title)] if entry.key else []
        found += paragraph(*head, *key, classes=["facts"])
        marks = [part for id_ in entry.clauses for part in (make_citation(id_), text(" "))][:-1]
        place = self.matter.words.frame("is", what=self.say("passages"), value=self.passages(entry))
        lead = self.matter.words.frame("is", what=self.say("clauses"), value="")
        found += paragraph(text(f"{place}. {lead}"), *marks, classes=["facts"])
        found.extend(self._body(entry))
        found.extend(self._examples(entry) if drawn else self._name_witnesses(entry))
        return found

    def _body(self, entry: RegisterEntry) -> Iterator[nodes.Node]:
        node = self._nodes[entry.id]
        decision = self.matter.fill_text(node.get("decision"))
        if decision:
            lead = self.matter.words.frame("is", what=self.say("decision"), value="")
            yield paragraph(strong(lead), text(decision + self._confidence(node.string("confidence"))))
        yield from self._number(entry, node)
        if entry.readings:
            yield make_list([paragraph(*self._reading(entry, reading))] for reading in entry.readings)
        excluded = node.get("excluded")
        for value, item in ({} if excluded is None else excluded.fields).items():
            lead = self.matter.say("excluded", reading=value)
            yield paragraph(
                emphasis(f"{lead}."), text(f" {self.matter.fill_text(item.get('reason'))}"), classes=["aside"]
            )
        note = self.matter.fill_text(node.get("note"))
        if note:
            yield paragraph(emphasis(f"{self.matter.say('note')}."), text(f" {note}"))
        yield from self._often(entry)

    def _confidence(self, level: str) -> str:
        if not level:
            return ""
        return f" ({self.say('confidence', level=self.matter.words.name('confidences', level))})"

    def _number(self, entry: RegisterEntry, node: Node) -> Iterator[nodes.Node]:
        number = node.get("number")
        if number is None:
            return
        low, high = (self.matter.words.number(int(number.string(end))) for end in ("from", "to"))
        said = [self.say("number_said", edition=name, number=value) for name, value in entry.default.items()]
        counted = [strong(self._text(entry.number)), text(self.matter.words.frame("dash"))] if entry.number else []
        yield paragraph(*counted, text(f"{self.say('number_range', low=low, high=high)} {'; '.join(said)}."))

    def _reading(self, entry: RegisterEntry, reading: Argued) -> list[nodes.Node]:
        chosen = [name for name, value in entry.default.items() if value == reading.value]
        said = [emphasis(f"({self.say('followed_by', editions=', '.join(chosen))}) ")] if chosen else []
        argument = self._text(reading.argument) + self._confidence(reading.confidence or "")
        end = "." if reading.name else ""
        return [*self._name(reading.value, reading.name, end), text(" "), *said, text(argument)]

    def _name(self, id_: str, name: Mapping[str, str] | None, end: str = "") -> list[nodes.Node]:
        """Return the id of a question or a value, with its short name and the mark after that if it has one."""
        short = [text(self.matter.words.frame("dash")), strong(self._text(name) + end)] if name else []
        return [nodes.literal(text=id_), *short]

    def _often(self, entry: RegisterEntry) -> Iterator[nodes.Node]:
        rates = entry.frequency or ()
        if rates:
            told_ = [
                self.matter.words.frame("is", what=one.edition, value=told_rate(one, self.matter)) for one in rates
            ]
            lead = self.matter.words.frame("is", what=self.say("how_often"), value="")
            yield paragraph(strong(lead), text(f"{self.matter.words.frame('and').join(told_)}."))

    # Examples -------------------------------------------------------------------

    def _name_witnesses(self, entry: RegisterEntry) -> Iterator[nodes.Node]:
        """Yield the names of the scenarios that separate each two readings."""
        yield from self._list_unparted(entry)
        for one in entry.witness:
            yield paragraph(self.say("shown_by", pair=" / ".join(one.pair), scenario=one.scenario))

    def _list_unparted(self, entry: RegisterEntry) -> Iterator[nodes.Node]:
        """Yield which readings nothing tells apart, and why."""
        for one in entry.harmless:
            lead = self.matter.words.frame("is", what=self.say("harmless", pair=" / ".join(one.pair)), value="")
            yield paragraph(emphasis(lead), text(one.because), classes=["aside"])

    def _examples(self, entry: RegisterEntry) -> Iterator[nodes.Node]:
        yield from self._list_unparted(entry)
        for id_ in dict.fromkeys(one.scenario for one in entry.witness):
            pair = next(one.pair for one in entry.witness if one.scenario == id_)
            values = tuple(reading.value for reading in entry.readings)
            shown = _case(self.game, self.project, id_, entry.key or "", pair, values)
            if shown is not None:
                yield together("", *self._draw_situation(*shown), classes=["example"])

    def _draw_situation(
        self, one: Scenario, step: ScriptStep, choice: Choice, answers: Mapping[str, Mapping[str, Any] | None]
    ) -> Iterator[nodes.Node]:
        """Yield a situation, and the answer of each reading in it."""
        own = boxes(choice, self.lang)
        yield paragraph(strong(self.say("smallest")), classes=["label"])
        yield from ScenarioSituation(own, course(one, choice, step), step).build_nodes()
        rows: list[list[nodes.Node | str]] = [
            [paragraph(nodes.literal(text=value)), upper(self._answer(own, step, value, answers))] for value in answers
        ]
        yield table([self.matter.say("reading"), self.matter.say("outcome")], rows, [1, 2])
        yield paragraph(self.say("scenario", id=f"{one.id}#{step.id}"), classes=["aside"])

    def _answer(self, own: Boxes, step: ScriptStep, value: str, answers: Mapping[str, Mapping[str, Any] | None]) -> str:
        """Return the answer of a reading, reduced to its differences from the others."""
        mine = answers[value]
        if mine is None:
            return self.matter.say("not_offered")
        others = [other for other in answers.values() if other is not None and canonical(other) != canonical(mine)]
        keys: list[str] = []
        for other in others:
            narrowed = differing(mine, other)
            if narrowed is not None and isinstance(narrowed[0], Mapping) and set(narrowed[0]) != set(mine):
                keys += narrowed[0]
        if keys and step.verb in mine and isinstance(mine[step.verb], Mapping):
            whole = mine[step.verb]
            lacking = [key for key in dict.fromkeys(keys) if key not in whole]
            return outcome(
                own, step, {key: whole.get(key) for key in [*filter(keys.__contains__, whole), *lacking]}, None
            )
        return outcome(own, step, mine.get(step.verb, mine), None)

    def _clause(self, id_: str) -> nodes.Node:
        said = self.matter.set(self.matter.words.clause(id_))
        return paragraph(strong(id_), text(f" {said}"), classes=["clause", f"id:{id_}"])


def badge(treatment: str) -> nodes.Element:
    """Return a treatment as a mark."""
    return nodes.inline("", treatment, classes=["badge", treatment.lower()])


@keep_until_changed(maxsize=512)
def _case(  # noqa: PLR0913, PLR0917 - what a case is cached by
    game: str, project: Project, id_: str, key: str, pair: tuple[str, str], values: tuple[str, ...]
) -> tuple[Scenario, ScriptStep, Choice, Mapping[str, Mapping[str, Any] | None]] | None:
    """Return a scenario that separates two values: the step that asks, its rules, the answer of each value there.

    A value under which play does not reach the step has no answer.
    """
    one = next(scenario for scenario in corpus.scenarios(game, project) if scenario.id == id_)
    found, choices = find_parting(one, project, key, pair), find_choices(one, project, key, pair)
    if found is None or choices is None:
        return None
    every = find_choices(one, project, key, values)
    named = dict(zip(values, every, strict=True)) if every else dict(zip(pair, choices, strict=True))
    before = (answer_steps(one, choices[0]) or ())[: found.number]
    answers: dict[str, Mapping[str, Any] | None] = {}
    for value, choice in named.items():
        tale = answer_steps(one, choice)
        same = tale is not None and canonical(list(tale[: found.number])) == canonical(list(before))
        answers[value] = tale[found.number] if tale is not None and same else None
    step = one.steps(machine(choices[0]).game.seats)[found.number]
    return one, step, choices[0], answers
