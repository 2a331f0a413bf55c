"""Rebuilds terms and steps with other values in place of their locals; constants are folded at once.

Lets, calls of short routines and short loops over fixed values are inlined on the way; the emitter shares again where
that pays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce

from brou.compiler.kinds import TRUTH
from brou.compiler.lowered import Routine, Step, Term, every_part, inner_steps
from brou.compiler.term_builder import TermBuilder
from brou.dataclass import replace

#: A routine is written out if so few different operations are left of it.
_SHORT = 80
#: A routine, or a loop of steps, is written out only where it comes to so many operations.
_WRITTEN = 200
#: The value of a let is written out if it takes so many operations.
_CHEAP = 20
#: What costs nothing.
_FREE = frozenset({"const", "local", "list"})

#: What stands for locals.
Given = Mapping[str, Term]


class Rebuilding:
    """Makes terms of one program anew, as terms of another collection; calls of short routines are written out."""

    def __init__(self, terms: TermBuilder, routines: Mapping[str, Routine]) -> None:
        self.terms = terms
        self._routines = routines
        self._done: dict[tuple[Term, frozenset[tuple[str, Term]]], Term] = {}
        self._makers: Mapping[str, Callable[..., Term]] = {
            "and": terms.both, "or": terms.either, "not": terms.no, "choose": terms.choose,
            "+": terms.add, "-": terms.subtract, "*": terms.multiply, "//": terms.divide, "bounded": terms.check_bounds,
            "union": terms.union, "common": terms.common, "without": terms.without,
            "some": terms.some, "size": terms.size, "spread": terms.spread,
        }  # fmt: skip

    def put(self, term: Term, given: Given) -> Term:
        """Return the term with values in place of locals."""
        key = term, frozenset((name, given[name]) for name in term.free if name in given)
        if key not in self._done:
            self._done[key] = self._rebuild(term, {name: value for name, value in given.items() if name in term.free})
        return self._done[key]

    def steps(self, steps: Sequence[Step], given: Given) -> tuple[Step, ...]:
        """Return steps with values in place of locals, without tests and cases whose outcome is known."""
        made: list[Step] = []
        for step in steps:
            index, value = (None if term is None else self.put(term, given) for term in (step.index, step.value))
            match step.op:
                case "let" if value is not None and value.op == "const":
                    given = {**given, step.name: value}
                case "demand" if value is self.terms.true:
                    pass
                case "loop" if value is not None and value.op == "const" and _short(step, value):
                    for one in self._values(value):
                        made += self.steps(step.body, {**given, step.name: one})
                case "cases":
                    made += self._cases(step, given)
                case _:
                    made.append(replace(step, index=index, value=value, body=self.steps(step.body, given)))
        return tuple(made)

    def _values(self, domain: Term) -> Iterator[Term]:
        """Yield the values of a loop over a list that stands fast."""
        if domain.kind.element is not None and isinstance(domain.value, tuple):
            yield from (self.terms.const(domain.kind.element, value) for value in domain.value)

    def _cases(self, step: Step, given: Given) -> tuple[Step, ...]:
        """Return the cases that are left, or the steps of the only one that can hold."""
        cases: list[tuple[Term | None, tuple[Step, ...]]] = []
        for case, body in step.cases:
            test = self.terms.true if case is None else self.put(case, given)
            if test is self.terms.false:
                continue
            cases.append((None if test is self.terms.true else test, self.steps(body, given)))
            if test is self.terms.true:
                break
        if cases and cases[0][0] is None:
            return cases[0][1]
        return (replace(step, cases=tuple(cases)),) if cases else ()

    def captures(self, term: Term, given: Given) -> bool:
        """Say whether a value would come to stand where a local that it asks for means something else."""
        asked = {name for value in given.values() for name in value.free}
        return any(part.bound in asked for part in every_part([term]))

    def _rebuild(self, term: Term, given: Given) -> Term:
        match term.op:
            case "const":
                return self.terms.const(term.kind, term.value)
            case "local" if term.name in given:
                return self._stood(term, given[term.name])
            case "let":
                return self._inline_let(term, given)
            case "loop" if (found := self._unroll_loop(term, given)) is not None:
                return found
        bound = {name: value for name, value in given.items() if name != term.bound}
        # The domain of a loop comes first, and its default last: both stand outside of it.
        inside = (1, 2) if term.op == "loop" else ()
        parts = [self.put(part, bound if place in inside else given) for place, part in enumerate(term.parts)]
        made = self._inline_call(term, parts) if term.op == "call" else self._simplify(term, parts)
        return self._same(term, parts, given) if made is None or self._claims(term) else made

    def _stood(self, local: Term, value: Term) -> Term:
        """Return a value as the kind that its local is used as."""
        value = self.terms.as_set(value) if local.kind.form == "set" else value
        return value if local.kind.optional else self.terms.present(value)

    def _inline_let(self, term: Term, given: Given) -> Term:
        value = self.put(term.parts[0], given)
        if value.total and value.cost <= _CHEAP:
            return self.put(term.parts[1], {**given, term.bound: value})
        others = {name: one for name, one in given.items() if name != term.bound}
        return self.terms.let(term.bound, value, self.put(term.parts[1], others))

    def _unroll_loop(self, loop: Term, given: Given) -> Term | None:
        """Return a loop over fixed values unrolled, or None where that is long."""
        t, (over, *inside) = self.terms, loop.parts
        domain = self.put(over, given)
        if domain.op != "const" or loop.name not in ("any", "all", "first", "gather"):
            return None
        pairs = []
        for value in self._values(domain):
            test, body, *_ = (self.put(part, {**given, loop.bound: value}) for part in inside)
            if test is not t.false:
                pairs.append((test, body))
        if _size(part for pair in pairs for part in pair) > _SHORT:
            return None
        match loop.name:
            case "any":
                return t.either(*(t.both(*pair) for pair in pairs))
            case "all":
                return t.both(*(t.either(t.no(test), body) for test, body in pairs))
            case "first":
                found = reduce(lambda no, pair: t.choose(pair[0], t.maybe(pair[1]), no), pairs[::-1], t.none(loop.kind))
                return found if loop.kind.optional else t.present(found)
        if any(test is not t.true or body.op != "const" for test, body in pairs):
            return None
        return t.const(loop.kind, tuple(dict.fromkeys(body.value for _, body in pairs)))

    def _inline_call(self, call: Term, parts: list[Term]) -> Term | None:
        """Return the inlined body of a call, or None where that is long."""
        routine = self._routines[call.name]
        told = {name: part for (name, _), part in zip(routine.arguments, parts, strict=True)}
        if not all(part.total and self.terms.simple(part) for part in parts) or self.captures(routine.body, told):
            return None
        body = self.put(routine.body, told)
        return body if body.cost <= _WRITTEN and _size([body]) <= _SHORT else None

    def _claims(self, term: Term) -> bool:
        """Say whether a term claims a value to be present although its parts do not prove it."""
        return bool(term.needs - frozenset().union(*(part.needs for part in term.parts)))

    def _simplify(self, term: Term, parts: list[Term]) -> Term | None:
        """Return the operation on other parts as if it were written anew, or None where it stays as it is."""
        terms = self.terms
        match term.op:
            case "compare":
                return terms.compare(term.name, *parts)
            case "min" | "max":
                return terms.extreme(term.op, *parts)
            case "lookup":
                return terms.lookup(term.kind, term.name, *parts)
            case "trait":
                return terms.trait(term.kind, term.name, *parts)
            case "demand" if parts[0] is terms.true and parts[1].kind.form == term.kind.form:
                return parts[1]
            case "unique":
                return self._only(term, parts)
            case "contains" if parts[0].op == parts[1].op == "const" and isinstance(parts[0].value, tuple):
                return terms.const(TRUTH, value=parts[1].value in parts[0].value)
        maker = self._makers.get(term.op)
        return None if maker is None else maker(*parts)

    def _only(self, unique: Term, parts: list[Term]) -> Term | None:
        """Return the value of the condition that holds where that is known, and no other one does; else nothing."""
        tests = parts[::2]
        if any(test.op != "const" for test in tests) or tests.count(self.terms.true) != 1:
            return None
        value = parts[2 * tests.index(self.terms.true) + 1]
        return value if value.kind.form == unique.kind.form else None

    def _same(self, term: Term, parts: list[Term], given: Given) -> Term:
        """Return the same operation on other parts."""
        needs = frozenset(self.put(need, given) for need in term.needs)
        return self.terms.make(
            term.op, term.kind, *parts, name=term.name, bound=term.bound, value=term.value,
            total=term.total, needs=frozenset(need for need in needs if need.op != "const"),
        )  # fmt: skip


def _size(terms: Iterable[Term]) -> int:
    """Return how many different operations terms are made of."""
    return sum(part.op not in _FREE for part in every_part(terms))


def _short(loop: Step, domain: Term) -> bool:
    """Say whether a loop over a value that stands fast comes to few operations."""
    values = domain.value if domain.kind.element is not None else None
    return isinstance(values, tuple) and len(values) * sum(map(_cost, loop.body)) <= _WRITTEN


def _cost(step: Step) -> int:
    """Return how many operations a step is, those inside it included."""
    return 1 + sum(term.cost for term in step.terms) + sum(map(_cost, inner_steps(step)))
