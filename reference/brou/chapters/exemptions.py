"""Exemptions: what lifts a rule or replaces it, in the order of the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from brou.chapters.decode import refuse
from brou.chapters.law import Law
from brou.chapters.rules import Addend, Definition, Duty, Exemption, Handler, Narrowing, PhaseRule
from brou.chapters.terms import call, conjoin, disjoin, free_names, negate, slug
from brou.chapters.tokens import Token

#: With so many exceptions, and exceptions of them, an exemption is not spelt out any more.
_MOST = 30


class Exemptions:
    """The exemptions of a law by the rule that they lift or replace.

    Raises `Invalid` where one names no rule, or is an exception of itself.
    """

    def __init__(self, law: Law) -> None:
        self.law = law
        for rule in law.of_kind(Exemption):
            for label in rule.lifts:
                self._check(rule, label)
        self._sizes: dict[str, int] = {}
        for rule in law.of_kind(Exemption):
            self._measure(rule, ())

    def _check(self, rule: Exemption, label: Token) -> None:
        if label not in self.law.labels:
            raise refuse(label.place, f"{rule.label} is an exception of {label!r}, which is no rule", "name its label")
        base = self.law.rules.get(label)
        if isinstance(base, (Addend, Narrowing)):
            raise refuse(label.place, f"{label} can have no exception", "make one of the rule that it belongs to")
        wanted = ("is",) if isinstance(base, Definition) else ("do",) if isinstance(base, PhaseRule) else ()
        given = [key for key, member in (("is", rule.gives), ("do", rule.do)) if member is not None]
        if not isinstance(base, Exemption) and base is not None and list(wanted) != given:
            instead = f"write {' '.join(wanted)}" if wanted else "a duty or handler is lifted: leave out is and do"
            raise refuse(rule.label.place, f"{rule.label} does not fit {label}, whose exception it is", instead)

    def _measure(self, rule: Exemption, above: tuple[str, ...]) -> int:
        """Return how many exemptions the condition of one contains; raise `Invalid` for too many, or one within itself.

        One that is an exception of several others counts with each of them.
        """
        if rule.label in above:
            raise refuse(rule.label.place, f"{rule.label} is an exception of itself", " -> ".join([*above, rule.label]))
        if rule.label not in self._sizes:
            inside = (*above, rule.label)
            below = sum(self._measure(one, inside) for one in self.of(rule.label)) if len(inside) < _MOST else _MOST
            if below >= _MOST:
                what = f"{rule.label} has exceptions, and these have others, in {_MOST} ways or more"
                raise refuse(rule.label.place, what, "let their conditions say it with fewer of them")
            self._sizes[rule.label] = 1 + below
        return self._sizes[rule.label]

    @cached_property
    def _by_label(self) -> Mapping[str, Sequence[Exemption]]:
        found: dict[str, list[Exemption]] = {}
        for rule in self.law.of_kind(Exemption):
            for label in rule.lifts:
                found.setdefault(label, []).append(rule)
        return found

    def of(self, label: str) -> Sequence[Exemption]:
        """Return the exemptions of a rule."""
        return self._by_label.get(label, ())

    def of_duty(self, duty: Duty) -> Iterator[Exemption]:
        """Yield the exemptions of a duty, those of all duties of its act included."""
        for rule in self.law.of_kind(Exemption):
            if duty.label in rule.lifts or (rule.act is not None and rule.act.name == duty.act.name):
                yield rule

    def of_duties(self) -> Iterator[tuple[Exemption, Duty]]:
        """Yield each exemption that lifts duties, or restores them, with the first duty that it is about."""
        seen: set[str] = set()
        for duty in self.law.of_kind(Duty):
            for rule in self._below(self.of_duty(duty)):
                if rule.label not in seen:
                    seen.add(rule.label)
                    yield rule, duty

    def _below(self, rules: Iterator[Exemption] | Sequence[Exemption]) -> Iterator[Exemption]:
        for rule in rules:
            yield rule
            yield from self._below(self.of(rule.label))

    def lifting(self, rule: Exemption) -> str:
        """Return when an exemption lifts its duties: its own condition holds, and no exception lifts it in turn."""
        when = rule.when or "True"
        return conjoin([when, *(negate(self.call_of(one)) for one in self.of(rule.label))])

    def standing(self, handler: Handler) -> str:
        """Return when a clause acts at an event: its own condition holds and no exemption applies, all written out."""
        return conjoin([handler.when or "True", *(negate(self._spell(one)) for one in self.of(handler.label))])

    def _spell(self, rule: Exemption) -> str:
        return conjoin([rule.when or "True", *(negate(self._spell(one)) for one in self.of(rule.label))])

    def call_of(self, rule: Exemption) -> str:
        """Return the call of the function that an exemption of duties becomes."""
        return call(slug(rule.label), self.letters(rule))

    def letters(self, rule: Exemption) -> list[str]:
        """Return the letters that an exemption of duties asks for, in the order of the act."""
        names = free_names(self.lifting(rule))
        return [letter for letter in rule.names if letter in names and letter not in self.law.variables]

    def replacing(self, label: str) -> list[Exemption]:
        """Return the exceptions that replace a value or a phase, the innermost first, each once."""
        found: dict[str, Exemption] = {}
        for rule in self.of(label):
            found.update({one.label: one for one in self.replacing(rule.label) if one.label not in found})
            found.setdefault(rule.label, rule)
        return list(found.values())

    def conditions(self, label: str) -> list[tuple[Exemption, str]]:
        """Return the exceptions that replace a value or a phase, each with the condition under which it does.

        It is its own condition without that of its own exceptions. Where two hold that are no exceptions of each other,
        the rules contradict each other.
        """
        return [(rule, self._alone(rule)) for rule in self.replacing(label)]

    def _alone(self, rule: Exemption) -> str:
        return conjoin([rule.when or "True", *(negate(self._any(one)) for one in self.of(rule.label))])

    def _any(self, rule: Exemption) -> str:
        """Return the condition under which an exemption, or one of its exceptions, replaces a value or a phase."""
        return disjoin([rule.when or "True", *(self._any(one) for one in self.of(rule.label))])

    def find_always(self, label: str) -> Exemption | None:
        """Return the exception that replaces a value or a phase under every condition; None if there is none."""
        exceptions = self.of(label)
        only = exceptions[0] if len(exceptions) == 1 else None
        return only if only is not None and only.when is None and not self.of(only.label) else None

    def any_of(self, label: str) -> str:
        """Return the condition under which some exception replaces a value or a phase."""
        return disjoin([self._any(rule) for rule in self.of(label)])
