"""A clause as people read it in a terminal: its text, its source, and the data that rest on it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from brou import Project, choose_text, glossary
from brou.words import read_sentences
from brou_tools.show.clause import Citation, Clause, Opening, Value, texts_of
from brou_tools.situation import REGISTER_PART, REGISTER_WORDS
from brou_tools.situation.excerpts import Rule

#: No text is narrower than this.
_NARROWEST = 20
_STEP = "  "


def tell(clause: Clause, project: Project, width: int) -> str:
    """Return everything known of a clause as lines of at most so many characters, file contents apart."""
    return "\n".join(_ClauseText(project, clause.lang, width).whole(clause)) + "\n"


def tell_topic(topic: str, ids: Sequence[str], project: Project, lang: str, width: int) -> str:
    """Return the clauses of a topic, each with its text."""
    telling = _ClauseText(project, lang, width)
    lines = [telling.say("clauses_of", topic=topic)]
    for id_, text in texts_of(ids, project, lang).items():
        lines += ["", id_, *telling.wrap(text, _STEP)]
    return "\n".join(lines) + "\n"


class _ClauseText:
    def __init__(self, project: Project, lang: str, width: int) -> None:
        self.lang, self.width = lang, width
        self.glossary = glossary(project)
        self.frame = read_sentences(REGISTER_WORDS, REGISTER_PART, project).fields

    def say(self, name: str, **parts: str) -> str:
        """Return words of the page itself."""
        return self.typeset(choose_text(self.frame[name], self.lang).format(**parts))

    def typeset(self, text: str) -> str:
        """Return a text with its marks as the language prints them."""
        return self.glossary.language(self.lang).typeset(text)

    def name(self, kind: str, name: str) -> str:
        """Return the printed name of something in the data."""
        return self.typeset(self.glossary.name(kind, name, self.lang))

    def wrap(self, text: str, indent: str = "", head: str = "") -> list[str]:
        """Return the lines of a text, indented under its head."""
        under = indent + " " * len(head)
        room = max(self.width, len(under) + _NARROWEST)
        return textwrap.wrap(
            text, room, initial_indent=indent + head, subsequent_indent=under, break_on_hyphens=False
        ) or [(indent + head).rstrip()]

    def whole(self, clause: Clause) -> Iterator[str]:
        """Yield all lines that tell a clause."""
        facts = [
            clause.title,
            self.name("statuses", clause.status) if clause.status else "",
            self.name("kinds", clause.kind) if clause.kind else "",
            self.name("testable", clause.testable) if clause.testable else "",
            self.say("refusal", code=clause.code) if clause.code else "",
        ]
        yield clause.id
        yield from self.wrap("; ".join(filter(None, facts)), _STEP)
        yield ""
        yield from self.wrap(clause.text, _STEP)
        for rules, text in clause.otherwise.items():
            yield from self.wrap(f"{self.say('same_rules', rules=rules)} {text}", _STEP)
        if clause.note:
            yield from self.wrap(clause.note, _STEP)
        yield from self._part("sources", self._origins(clause), "no_source")
        if clause.since:
            yield from self._part("age", self._age(clause), "")
        yield from self._part("carried_by", self._rules(clause), "carried_by_none")
        for label, duties in clause.restores.items():
            yield ""
            yield from self.wrap(self.say("restores", label=label, duties=", ".join(duties)))
        yield from self._part(
            "open_in_it", (line for one in clause.open for line in self._opening(one)), "nothing_open"
        )
        yield from self._part("proofs", self._proofs(clause), "proofs_none")
        if clause.examples:
            yield from self._part("worked_examples", self._cite(clause.examples), "")
        yield from self._part("scenarios_citing", self._scenarios(clause), "scenarios_none")
        if clause.alive:
            yield from self._part("mutants_alive", (f"{_STEP}{name}" for name in clause.alive), "")

    def _part(self, head: str, lines: Iterable[str], nothing: str) -> Iterator[str]:
        """Yield a part under its heading, or that there is nothing in it."""
        found = list(lines)
        yield ""
        yield from [self.say(head), *found] if found else [self.say(nothing)]

    def _age(self, clause: Clause) -> Iterator[str]:
        """Yield the age of the clause: each change with its day, its reason and its passage."""
        if not clause.changes:
            yield from self.wrap(self.say("unchanged", day=clause.since), _STEP)
        for one in clause.changes:
            passage = f" [{one.source} {one.at}]" if one.source else ""
            yield from self.wrap(f"{one.because}{passage}", _STEP, f"{one.since}  ")

    def _origins(self, clause: Clause) -> Iterator[str]:
        for one in clause.origins:
            work = f"{one.title} ({', '.join(filter(None, (one.author, one.year)))})"
            place = f"{one.place} {one.part}".rstrip()
            yield from self.wrap(f"{work}, {place} [{one.source} {one.at}]", _STEP)
            if one.words:
                yield from self.wrap(self.say("words_begin", words=one.words), _STEP * 2)

    # Rules ----------------------------------------------------------------------

    def _rules(self, clause: Clause) -> Iterator[str]:
        shown = [f"{rule.path}/" for rule in clause.rules]
        for rule in clause.rules:
            if not rule.path.startswith(tuple(shown)):
                yield from self._rule(rule)

    def _rule(self, rule: Rule) -> Iterator[str]:
        yield from self.wrap(f"{rule.file}:{rule.line} {rule.path}", _STEP)
        yield from (f"{_STEP * 2}{line}" for line in rule.text.splitlines())

    # Readings -------------------------------------------------------------------

    def _opening(self, one: Opening) -> Iterator[str]:
        key = f"  {one.key}" if one.key else ""
        treatment = f"{one.treatment}: {self.name('treatments', one.treatment)}"
        yield from self.wrap(f"{one.id}{key}  {treatment}", _STEP)
        yield from self.wrap(self._dash(one.title, one.question), _STEP * 2)
        if one.decision:
            yield from self.wrap(f"{self.say('decision')}: {one.decision}", _STEP * 2)
        if one.bounds:
            low, high = map(str, one.bounds)
            said = self._dash(one.number, self.say("number_range", low=low, high=high))
            yield from self.wrap(said, _STEP * 2)
            for edition, number in one.defaults.items():
                yield f"{_STEP * 3}{self.say('number_said', edition=edition, number=number)}"
        for value in one.values:
            yield from self._value(value)

    def _value(self, value: Value) -> Iterator[str]:
        by = f" ({self.say('followed_by', editions=', '.join(value.editions))})" if value.editions else ""
        named = self._dash(value.value, value.name)
        yield from self.wrap(f"{named}{by}: {value.argument}", _STEP * 2, "- ")
        for change in value.changes:
            told = self.say("changes_rule", path=change.path)
            yield from self.wrap(f"{told}  [{change.file}:{change.line}]", _STEP * 3)

    def _dash(self, *texts: str) -> str:
        """Return texts with a dash between them, those that are empty aside."""
        return self.typeset(self.glossary.frame("dash", self.lang)).join(filter(None, texts))

    # Evidence -------------------------------------------------------------------

    def _proofs(self, clause: Clause) -> Iterator[str]:
        if clause.unproved:
            yield from self.wrap(clause.unproved, _STEP)
        for one in clause.proofs:
            said = one.says if one.expect == "proved" else self.say("shown_false", what=one.says)
            yield from self.wrap(f"{one.id}  [{one.file}:{one.line}]", _STEP)
            yield from self.wrap(said, _STEP * 2)
        if clause.proofs:
            command = f"brou prove {clause.game} --only {clause.proofs[0].id}"
            yield from self.wrap(self.say("prove_with", command=command), _STEP)

    def _scenarios(self, clause: Clause) -> Iterator[str]:
        yield from self._cite(clause.scenarios)
        for cell, why in clause.lacks.items():
            yield from self.wrap(self.say("cell_lacks", cell=cell, why=why), _STEP)

    def _cite(self, scenarios: Iterable[Citation]) -> Iterator[str]:
        """Yield the lines of scenarios: the id, then the cells that each fills, its title and its limits."""
        for one in scenarios:
            limits = [*one.editions, *(f":{setup}" for setup in one.setups)]
            limits += [f"{key}={value}" for key, value in one.premise.items()]
            held = f" ({', '.join(limits)})" if limits else ""
            cells = ", ".join(one.cells)
            yield f"{_STEP}{one.id}"
            yield from self.wrap(f"{cells}: {one.title}{held}" if cells else f"{one.title}{held}", _STEP * 2)
