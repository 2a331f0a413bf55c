"""Terms made anew with other values in place of their locals: what is known then is computed at once.

Lets are written out on the way, as far as their values cannot crash; whoever
prints the terms shares again what is worth it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from brou.compiler.kinds import TRUTH
from brou.compiler.lowered import Routine, Term, every_part
from brou.compiler.terms import Terms

#: A routine is written out if so few operations are left of it.
_SHORT = 30

#: What stands for locals.
Given = Mapping[str, Term]


class Rebuilding:
    """Makes terms of one program anew, as terms of another collection; calls of short routines are written out."""

    def __init__(self, terms: Terms, routines: Mapping[str, Routine]) -> None:
        self.terms = terms
        self._routines = routines
        self._done: dict[tuple[Term, frozenset[tuple[str, Term]]], Term] = {}
        self._makers: Mapping[str, Callable[..., Term]] = {
            "and": terms.both, "or": terms.either, "not": terms.no, "choose": terms.choose,
            "+": terms.add, "-": terms.subtract, "*": terms.multiply, "//": terms.divide, "bounded": terms.bounded,
            "union": terms.union, "common": terms.common, "without": terms.without,
            "some": terms.some, "size": terms.size,
        }  # fmt: skip

    def put(self, term: Term, given: Given) -> Term:
        """Return the term with values in place of locals."""
        key = term, frozenset((name, given[name]) for name in term.free if name in given)
        if key not in self._done:
            self._done[key] = self._made(term, {name: value for name, value in given.items() if name in term.free})
        return self._done[key]

    def captures(self, term: Term, given: Given) -> bool:
        """Say whether a value would come to stand where a local that it asks for means something else."""
        asked = {name for value in given.values() for name in value.free}
        return any(part.bound in asked for part in every_part([term]))

    def _made(self, term: Term, given: Given) -> Term:
        match term.op:
            case "const":
                return self.terms.const(term.kind, term.value)
            case "local" if term.name in given:
                return self._stood(term, given[term.name])
            case "let":
                return self._written(term, given)
        bound = {name: value for name, value in given.items() if name != term.bound}
        # The domain of a loop comes first, and its default last: both stand outside of it.
        inside = (1, 2) if term.op == "loop" else ()
        parts = [self.put(part, bound if place in inside else given) for place, part in enumerate(term.parts)]
        made = self._called(term, parts) if term.op == "call" else self._simplified(term, parts)
        return self._same(term, parts, given) if made is None or self._claims(term) else made

    def _stood(self, local: Term, value: Term) -> Term:
        """Return a value as the kind that its local is used as."""
        value = self.terms.as_set(value) if local.kind.form == "set" else value
        return value if local.kind.optional else self.terms.present(value)

    def _written(self, term: Term, given: Given) -> Term:
        value = self.put(term.parts[0], given)
        if value.total:
            return self.put(term.parts[1], {**given, term.bound: value})
        others = {name: one for name, one in given.items() if name != term.bound}
        return self.terms.let(term.bound, value, self.put(term.parts[1], others))

    def _called(self, call: Term, parts: list[Term]) -> Term | None:
        """Return what a routine gives, written out where that is short; else nothing."""
        routine = self._routines[call.name]
        told = {name: part for (name, _), part in zip(routine.arguments, parts, strict=True)}
        if not all(part.total and self.terms.simple(part) for part in parts) or self.captures(routine.body, told):
            return None
        body = self.put(routine.body, told)
        return body if body.cost <= _SHORT else None

    def _claims(self, term: Term) -> bool:
        """Say whether a term is said to be there although its parts do not make sure of it."""
        return bool(term.needs - frozenset().union(*(part.needs for part in term.parts)))

    def _simplified(self, term: Term, parts: list[Term]) -> Term | None:
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
            case "contains" if parts[0].op == parts[1].op == "const" and isinstance(parts[0].value, tuple):
                return terms.const(TRUTH, value=parts[1].value in parts[0].value)
        maker = self._makers.get(term.op)
        return None if maker is None else maker(*parts)

    def _same(self, term: Term, parts: list[Term], given: Given) -> Term:
        """Return the same operation on other parts."""
        needs = frozenset(self.put(need, given) for need in term.needs)
        return self.terms.make(
            term.op, term.kind, *parts, name=term.name, bound=term.bound, value=term.value,
            total=term.total, needs=frozenset(need for need in needs if need.op != "const"),
        )  # fmt: skip
