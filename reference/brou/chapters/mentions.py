"""Where else a clause is spoken of: its exceptions and special cases, terms added to it, readings, and the prelude.

And what a clause does elsewhere without naming it: the duties that an exception of an exception restores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from brou.chapters.law import Volume
from brou.chapters.notation import ClauseForm, RuleKeys
from brou.chapters.prelude import fill
from brou.chapters.rules import Heading
from brou.chapters.tokens import Token
from brou.dataclass import dataclass
from brou.errors import Place


@dataclass(frozen=True, slots=True)
class Mention:
    """A rule or reading that names another: its label, how it does, and its place."""

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


@dataclass(frozen=True, slots=True)
class Restoring:
    """An exception of an exception: where it applies, that other lifts none of its duties."""

    label: str
    lifted: str
    #: The duties by label, those that a reading adds with the reading in brackets.
    duties: tuple[str, ...]


def find_restored(volume: Volume, clause: ClauseForm) -> Iterator[Restoring]:
    """Yield what each exception of an exception in a clause restores, in every set-up and under every reading."""
    rules = list(_list_rules(volume))
    for keys, label in _own(clause):
        for lifted in keys.lifts:
            for other, name, _ in rules:
                duties = tuple(_list_lifted(other, rules)) if name == lifted else ()
                if duties:
                    yield Restoring(label, lifted, duties)


#: A rule as it is written, its label, and the reading that adds it if one does.
_Written: TypeAlias = tuple[RuleKeys, str, str]


def _own(clause: ClauseForm) -> Iterator[tuple[RuleKeys, str]]:
    yield clause, clause.clause
    yield from ((rule, rule.rule) for rule in clause.rules)


def _list_rules(volume: Volume) -> Iterator[_Written]:
    """Yield all rules of a game: those of the modules that it uses, of its clauses, and of readings."""
    for chapter in volume.chapters:
        for name, given in chapter.uses.items():
            place = next((word.place for word in given.values()), chapter.game.place)
            yield from ((rule, rule.rule, "") for rule in fill(volume.modules[name], given, place).rules)
        for clause in chapter.clauses:
            yield from ((keys, label, "") for keys, label in _own(clause))
            for question in clause.open:
                for value, reading in question.readings.items():
                    yield from ((rule, rule.rule, f"{question.key}={value}") for rule in reading.adds)


def _list_lifted(exception: RuleKeys, rules: Iterable[_Written]) -> Iterator[str]:
    """Yield the duties that an exception lifts, by name or with all others of an act."""
    acts = {Heading.of(word).name for word in exception.lifts if "(" in word}
    for keys, label, reading in rules:
        if keys.deny is not None and (label in exception.lifts or Heading.of(keys.deny).name in acts):
            yield f"{label} ({reading})" if reading else label


def _is_about(word: str, labels: set[str], values: set[str]) -> bool:
    return word in labels or word.rpartition(".")[0] in labels or word.partition("(")[0] in values
