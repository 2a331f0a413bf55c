"""Where else a clause is spoken of: its exceptions and special cases, terms added to it, readings, and the prelude."""

from __future__ import annotations

from collections.abc import Iterator

from brou.chapters.law import Volume
from brou.chapters.notation import ClauseForm, RuleKeys
from brou.chapters.prelude import fill
from brou.chapters.rules import Heading
from brou.chapters.tokens import Token
from brou.dataclass import dataclass
from brou.errors import Place


@dataclass(frozen=True, slots=True)
class Mention:
    """A rule or reading that names another: its label, how it does, and where it stands."""

    label: str
    how: str
    place: Place


def find_clause(volume: Volume, label: str) -> ClauseForm | None:
    """Return the clause that a label of a clause, a question or a rule belongs to, or None."""
    head = label.partition("/")[0]
    for clause in volume.clauses():
        if clause.clause == head or any(question.id == head for question in clause.open):
            return clause
    return None


def find_mentions(volume: Volume, clause: ClauseForm) -> Iterator[Mention]:
    """Yield what names a clause, its rules or its values and stands elsewhere, in the order of the text."""
    labels = {str(clause.clause), *(str(rule.rule) for rule in clause.rules)}
    values = {Heading.of(keys.define).name for keys in (clause, *clause.rules) if keys.define is not None}
    for chapter in volume.chapters:
        for name, given in chapter.uses.items():
            place = next((word.place for word in given.values()), chapter.game.place)
            for rule in fill(volume.modules[name], given, place).rules:
                if rule.clause == clause.clause:
                    yield Mention(rule.rule, "of the prelude", rule.rule.place)
        for other in chapter.clauses:
            if other is not clause:
                yield from _rules(other, labels, values)
            for question in other.open:
                for value, reading in question.readings.items():
                    named = {*reading.changes, *reading.drops, *(f"{rule.adds}" for rule in reading.adds)}
                    if other is not clause and any(_is_about(label, labels, values) for label in named):
                        yield Mention(f"{question.id}, {question.key}={value}", "changes it", reading.why.place)


def _rules(clause: ClauseForm, labels: set[str], values: set[str]) -> Iterator[Mention]:
    if any(_is_about(label, labels, values) for label in (*clause.changes, *clause.drops)):
        yield Mention(clause.clause, "changes it", clause.clause.place)
    named: list[tuple[RuleKeys, Token]] = [(clause, clause.clause), *((rule, rule.rule) for rule in clause.rules)]
    for keys, label in named:
        if labels & {*keys.lifts}:
            yield Mention(label, "is an exception of it", label.place)
        if keys.narrows in labels:
            yield Mention(label, "is a special case of it", label.place)
        if keys.adds is not None and _is_about(keys.adds, labels, values):
            yield Mention(label, "adds a term to it", label.place)


def _is_about(word: str, labels: set[str], values: set[str]) -> bool:
    return word in labels or word.rpartition(".")[0] in labels or word.partition("(")[0] in values
