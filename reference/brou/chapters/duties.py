"""Duties as generated rules have them: a table for each act, with a row that refuses for each duty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from brou.chapters.decode import refuse
from brou.chapters.exemptions import Exemptions
from brou.chapters.law import Law
from brou.chapters.nodes import Built
from brou.chapters.rules import ActRule, Duty, Narrowing
from brou.chapters.scope import Letters
from brou.chapters.terms import call, conjoin, free_names, imply, merge, negate, replace_names, slug
from brou.dataclass import dataclass
from brou.errors import Place
from brou.language.node import Node


@dataclass(frozen=True, slots=True)
class BindingDuty:
    """The condition of a duty, or of a special case of it, in the letters of its act, and the refusal it leads to."""

    duty: str
    label: str
    clause: str
    code: str
    when: str
    place: Place


class DutyTables:
    """The duties of a law, by the act that they bind."""

    def __init__(self, law: Law, letters: Letters, exemptions: Exemptions) -> None:
        self.law = law
        self.letters = letters
        self.exemptions = exemptions
        self.acts = {act.head.name: act for act in law.of_kind(ActRule)}
        for duty in law.of_kind(Duty):
            self._check(duty)
        for narrowing in law.of_kind(Narrowing):
            self._check_narrowing(narrowing)

    def _check(self, duty: Duty) -> None:
        act = self.acts.get(duty.act.name)
        if act is None:
            known = ", ".join(self.acts)
            raise refuse(
                duty.act.word.place, f"{duty.label} is about {duty.act.name}, which is no act", f"acts are {known}"
            )
        if len(duty.act.letters) not in (1, len(act.head.letters)):
            what = f"{duty.label} gives {duty.act.name} {len(duty.act.letters)} letters"
            raise refuse(duty.act.word.place, what, f"write {act.head.word}, or the seat alone")

    def _check_narrowing(self, narrowing: Narrowing) -> None:
        if narrowing.duty not in self.law.labels:
            what = f"{narrowing.label} narrows {narrowing.duty!r}, which is no rule"
            raise refuse(narrowing.duty.place, what, "name a duty by its label")
        base = self.law.rules.get(narrowing.duty)
        if base is not None and not isinstance(base, Duty):
            what = f"{narrowing.label} narrows {narrowing.duty}, which is no duty"
            raise refuse(narrowing.duty.place, what, "name a duty by its label")

    def binding(self, act: ActRule) -> Iterator[BindingDuty]:
        """Yield the duties of an act in the order of the text, each special case of one before it."""
        for duty in self.law.of_kind(Duty):
            if duty.act.name == act.head.name:
                yield from self._bind(duty, act)

    def _bind(self, duty: Duty, act: ActRule) -> Iterator[BindingDuty]:
        renamed = dict(zip(duty.act.letters, act.head.letters, strict=False))
        exclude = self.letters.conditions.exclude
        special = [
            (one, replace_names(one.when, renamed)) for one in self.law.of_kind(Narrowing) if one.duty == duty.label
        ]
        for number, (one, case) in enumerate(special):
            others = [other for _, other in special[:number] if not exclude(other, case)]
            lifted = [call for when, call in self._lifting(duty, renamed) if not exclude(when, case)]
            holds = self._binds(duty, renamed, lifted, [case, *map(negate, others)])
            yield BindingDuty(duty.label, one.label, one.clause, one.code, holds, one.when.place)
        outside = merge([case for _, case in special])
        lifted = [call for when, call in self._lifting(duty, renamed) if not any(imply(when, case) for case in outside)]
        holds = self._binds(duty, renamed, lifted, map(negate, outside))
        yield BindingDuty(duty.label, duty.label, duty.clause, duty.code, holds, duty.when.place)

    def _lifting(self, duty: Duty, renamed: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the condition of each exception of a duty, and the call of the function that it becomes."""
        for one in self.exemptions.of_duty(duty):
            yield replace_names(one.when or "True", renamed), replace_names(self.exemptions.call_of(one), renamed)

    def _binds(self, duty: Duty, renamed: Mapping[str, str], lifted: Iterable[str], cases: Iterable[str]) -> str:
        """Return when a duty binds in some cases, where none of some exceptions lifts it."""
        return conjoin([replace_names(duty.when, renamed), *map(negate, lifted), *cases])

    def functions(self) -> Iterator[tuple[str, Built]]:
        """Yield each exemption as a function, which cites its clause."""
        for rule, duty in self.exemptions.of_duties():
            place = (rule.when or rule.label).place
            arguments = self.letters.arguments(self.exemptions.letters(rule), duty.names, place)
            text = self.exemptions.lifting(rule)
            yield (
                slug(rule.label),
                {
                    "args": arguments or None,
                    "is": Node(text, place),
                    "clause": rule.clause,
                    "exception": True,
                    "type": "bool",
                },
            )

    def tables(self) -> Iterator[tuple[str, Built]]:
        """Yield the table of each act that any duty binds."""
        for act in self.acts.values():
            bound = list(self.binding(act))
            if bound:
                yield table_of(act), self._table(act, bound)

    def _table(self, act: ActRule, bound: list[BindingDuty]) -> Mapping[str, Built]:
        rows: list[Built] = [
            {
                "id": slug(one.label),
                "when": Node(one.when, one.place),
                "then": "False",
                "clause": one.clause,
                "code": one.code or None,
            }
            for one in bound
        ]
        return {
            "args": self.letters.arguments(self._find_letters(act, bound), act.names, act.label.place) or None,
            "type": "bool",
            "policy": "first",
            "clause": act.clause,
            "rows": [*rows, {"id": "fine", "else": "True"}],
        }

    def _find_letters(self, act: ActRule, bound: list[BindingDuty]) -> list[str]:
        """Return the letters that the duties of an act ask for."""
        names = {name for one in bound for name in free_names(one.when)}
        return [letter for letter in act.head.letters if letter in names]

    def legal(self, act: ActRule, named: Mapping[str, str]) -> str:
        """Return the condition under which an act is allowed, in the names of its parameters."""
        bound = list(self.binding(act))
        return call(table_of(act), (named[letter] for letter in self._find_letters(act, bound))) if bound else "True"


def table_of(act: ActRule) -> str:
    """Return the name of the table of the duties of an act."""
    return f"may_{act.head.name}"
