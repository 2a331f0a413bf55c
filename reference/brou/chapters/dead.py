"""Rules that never come to anything: duties that never bind, exceptions that never apply, lines that never hold.

What conditions plainly say of each other shows them, without a solver. A rule is a fault if it is dead under every
choice of rules in which it is; an exception may well be there to apply always in one set-up alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from brou.chapters.exemptions import Exemptions
from brou.chapters.law import Law
from brou.chapters.prelude import is_clause
from brou.chapters.rules import Definition, Duty, Exemption, Handler, Narrowing, PhaseRule
from brou.chapters.scope import Letters
from brou.chapters.terms import conjoin, negate
from brou.chapters.tokens import Token
from brou.errors import Fault, Place

#: What is judged, by labels, and what is wrong with it under one choice of rules.
Judgement: TypeAlias = tuple[tuple[str, ...], Fault | None]

_ALWAYS = "True"
_MEND = "mend its condition, or leave it out"


def find_dead(laws: Iterable[Law]) -> Iterator[Fault]:
    """Yield the faults of rules that are dead under each of the choices that have them."""
    found: dict[tuple[str, ...], Fault | None] = {}
    for law in laws:
        for subject, fault in _Judge(law).judge_all():
            found[subject] = fault if found.get(subject, fault) is not None else None
    yield from (fault for fault in found.values() if fault is not None)


class _Judge:
    """Judges the rules of one law."""

    def __init__(self, law: Law) -> None:
        self.law = law
        self.exemptions = Exemptions(law)
        self.conditions = Letters(law).conditions
        #: The exceptions of an exception, each with whether it comes to pass below any rule.
        self.deeper: dict[tuple[str, str], tuple[Exemption, bool]] = {}

    def judge_all(self) -> Iterator[Judgement]:
        """Yield a judgement on each duty, handler, value, phase, exception, line and special case."""
        for duty in self.law.of_kind(Duty):
            named = [one for one in self.exemptions.of_duty(duty) if one.act is None]
            yield from self._judge_lifted(duty, duty.when, named, list(self.exemptions.of_duty(duty)))
            yield from self._judge_special(duty)
        for handler in self.law.of_kind(Handler):
            named = list(self.exemptions.of(handler.label))
            yield from self._judge_lifted(handler, handler.when, named, named)
        yield from self._judge_general()
        for (label, above), (rule, alive) in self.deeper.items():
            fault = Fault(_place(rule), f"{label} is an exception of {above} that never comes to pass", _MEND)
            yield (label, above), None if alive else fault
        for value in self.law.of_kind(Definition):
            yield from self._judge_replaced(value)
        for phase in self.law.of_kind(PhaseRule):
            yield from self._judge_replaced(phase)

    def _judge_lifted(
        self, rule: Duty | Handler, when: Token | None, named: Sequence[Exemption], every: Sequence[Exemption]
    ) -> Iterator[Judgement]:
        """Yield a judgement on a duty or handler and the exceptions that name it; `every` has all that lift it."""
        condition, idle = when or _ALWAYS, "never binds" if isinstance(rule, Duty) else "never does anything"
        place = (when or rule.label).place
        if not self.conditions.can_hold(condition):
            yield (rule.label,), Fault(place, f"{rule.label} {idle}: its condition contradicts itself", _MEND)
            return
        left = self.conditions.can_hold(condition, *(negate(self._spell(one)) for one in every))
        what = f"{rule.label} {idle}: {' or '.join(one.label for one in every)} always lifts it"
        yield (rule.label,), None if left else Fault(place, what, _advise(rule, every))
        for one in named:
            yield (one.label, rule.label), self._judge_exception(one, rule, condition)
        for one in every:
            self._go_deeper(one, conjoin([condition, one.when or _ALWAYS]))

    def _judge_exception(self, one: Exemption, rule: Duty | Handler, condition: str) -> Fault | None:
        if not self.conditions.can_hold(condition, one.when or _ALWAYS):
            idle = "never binds" if isinstance(rule, Duty) else "does nothing"
            return Fault(_place(one), f"{one.label} lifts {rule.label} where it {idle}", _MEND)
        if not self.conditions.can_hold(condition, self._spell(one)):
            what = f"{one.label} is an exception of {rule.label} that never comes to pass"
            return Fault(_place(one), what, "its own exceptions always apply: mend a condition, or leave it out")
        return None

    def _go_deeper(self, rule: Exemption, condition: str) -> None:
        """Note which exceptions of an exception can hold where that exception itself applies."""
        for one in self.exemptions.of(rule.label):
            alive = self.conditions.can_hold(condition, self._spell(one))
            before = self.deeper.get((one.label, rule.label), (one, False))[1]
            self.deeper[one.label, rule.label] = one, alive or before
            self._go_deeper(one, conjoin([condition, one.when or _ALWAYS]))

    def _spell(self, rule: Exemption) -> str:
        """Return the condition under which an exception applies; those of its own exceptions are written out in it."""
        return conjoin([rule.when or _ALWAYS, *(negate(self._spell(one)) for one in self.exemptions.of(rule.label))])

    def _judge_general(self) -> Iterator[Judgement]:
        """Yield a judgement on each exception of all duties of an act; modules serve any game, theirs are left out."""
        for rule in self.law.of_kind(Exemption):
            if rule.act is None or not is_clause(rule.label.partition("/")[0]):
                continue
            name = rule.act.name
            duties = [duty.when for duty in self.law.of_kind(Duty) if duty.act.name == name]
            fault = None
            if not duties:
                fault = Fault(
                    rule.act.word.place, f"{rule.label} lifts the duties of {name}, which has none", "leave it out"
                )
            elif not any(self.conditions.can_hold(when, rule.when or _ALWAYS) for when in duties):
                fault = Fault(_place(rule), f"{rule.label} lifts the duties of {name} where none binds", _MEND)
            yield (rule.label, name), fault

    def _judge_special(self, duty: Duty) -> Iterator[Judgement]:
        for one in self.law.of_kind(Narrowing):
            if one.duty == duty.label:
                lifted = (negate(self._spell(rule)) for rule in self.exemptions.of_duty(duty))
                what = f"{one.label} is a special case of {duty.label} that never comes to pass"
                alive = self.conditions.can_hold(duty.when, one.when, *lifted)
                yield (one.label, duty.label), None if alive else Fault(one.when.place, what, _MEND)

    def _judge_replaced(self, rule: Definition | PhaseRule) -> Iterator[Judgement]:
        """Yield a judgement on a value or a phase, on its lines, and on the exceptions that replace it."""
        conditions = self.exemptions.conditions(rule.label)
        for one, when in conditions:
            what = f"{one.label} is an exception of {rule.label} that never comes to pass"
            alive = self.conditions.can_hold(when)
            yield (one.label, rule.label), None if alive else Fault(_place(one), what, _MEND)
        excepted = [negate(self.exemptions.any_of(rule.label))] if conditions else []
        what = f"{rule.label} never comes to pass: {' or '.join(one.label for one, _ in conditions)} always replaces it"
        mend = "mend a condition, or take the rule out: `drops`"
        alive = self.conditions.can_hold(*excepted)
        yield (rule.label,), None if alive else Fault(rule.label.place, what, mend)
        for name, line in (rule.cases or {}).items() if isinstance(rule, Definition) else ():
            what = f"the line {name!r} of {rule.label} never comes to pass"
            alive = self.conditions.can_hold(line.when, *excepted)
            yield (rule.label, "cases", name), None if alive else Fault(line.when.place, what, _MEND)


def _advise(rule: Duty | Handler, lifting: Sequence[Exemption]) -> str:
    """Return how to mend a rule that is always lifted: its own exception of what lifts it."""
    named = " or ".join(f"`except: {one.label}`" for one in lifting)
    return f"write {named} with a `when:` under which {rule.label} stands, mend a condition, or take it out: `drops`"


def _place(rule: Exemption) -> Place:
    return (rule.when or rule.label).place
