"""Shares values among steps: a repeated value is computed once as long as nothing that it reads is written.

Steps that carry out an act and steps that find open acts are treated alike. A local holds the value from the first step
on that surely needs it; a cheap term that cannot crash may also be computed where only some of the following steps need
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from brou.compiler.cse import Sharing, bound_in
from brou.compiler.lowered import Step, Term, every_part, inner_steps
from brou.compiler.term_builder import TermBuilder, there
from brou.dataclass import dataclass, replace

#: A local pays where it spares so many operations.
_WORTH = 3
#: A call, or going through cards or values, is worth so many operations.
_LONG = 10
_LONG_OPERATIONS = frozenset({"call", "loop", "best", "peak", "floor", "total", "unique"})
#: What is so cheap may be computed although nobody asks for it in the end.
_CHEAP = 5
#: What costs nothing.
_FREE = frozenset({"const", "local"})

#: Which variables a term reads, those read by the routines that it calls included.
Reads = Callable[[Term], frozenset[str]]


def share_steps(
    terms: TermBuilder, steps: Sequence[Step], reads: Reads, given: Collection[str] = ()
) -> tuple[Step, ...]:
    """Return the same steps with lets for repeated values; the locals `given` are in sight."""
    return _StepSharing(Sharing(terms, {*given, *_names(steps)}), reads).place_lets(
        steps, frozenset(given), frozenset()
    )


def reading(body_of: Callable[[str], Term]) -> Reads:
    """Return what says which variables a term reads, given the bodies of routines by name."""
    bodies: dict[str, frozenset[str]] = {}
    known: dict[Term, frozenset[str]] = {}

    def read_routine(name: str) -> frozenset[str]:
        if name not in bodies:
            bodies[name] = reads(body_of(name))
        return bodies[name]

    def reads(term: Term) -> frozenset[str]:
        if term not in known:
            parts = list(every_part([term]))
            own = (part.name for part in parts if part.op == "state")
            known[term] = frozenset(own).union(*(read_routine(part.name) for part in parts if part.op == "call"))
        return known[term]

    return reads


@dataclass(frozen=True, slots=True)
class _Facts:
    """The uses and effects of a step: how often it needs each term, alone and with all inner steps, and its writes."""

    step: Step
    own: Counter[Term]
    whole: Counter[Term]
    writes: frozenset[str]
    resets: bool
    binds: frozenset[str]


class _StepSharing:
    def __init__(self, sharing: Sharing, reads: Reads) -> None:
        self.sharing = sharing
        self.reads = reads
        self._counts: dict[Term, Counter[Term]] = {}
        self._gains: dict[Term, int] = {}
        #: By the identity of a step: steps that are equal stand in several places.
        self._facts: dict[int, _Facts] = {}

    def place_lets(self, steps: Sequence[Step], bound: frozenset[str], proved: frozenset[Term]) -> tuple[Step, ...]:
        """Return steps with lets, inner steps too; `bound` are locals in sight, the terms in `proved` are present."""
        waiting, made = list(steps), list[Step]()
        while waiting:
            found = self._again(waiting, bound, proved)
            if found is not None:
                name = self.sharing.make_name(found)
                local = self.sharing.terms.local(name, found.kind)
                waiting = [Step("let", name, value=found), *self._replace_until_changed(waiting, found, local)]
            step = waiting.pop(0)
            made.append(self._inside(step, bound, proved))
            proved = self._keep_proved(step, proved)
            if step.op == "let":
                bound |= {step.name}
            elif step.op == "demand" and step.value is not None:
                proved |= there(step.value)
        return tuple(made)

    def _inside(self, step: Step, bound: frozenset[str], proved: frozenset[Term]) -> Step:
        """Return a step whose terms have lets, and the steps inside it."""
        index, value = (
            None if term is None else self.sharing.place_lets(term, proved) for term in (step.index, step.value)
        )
        body = self.place_lets(step.body, bound | {step.name}, self._keep_proved(step, proved)) if step.body else ()
        cases: list[tuple[Term | None, tuple[Step, ...]]] = []
        for test, inner in step.cases:
            known = proved if test is None else proved | there(test)
            cases.append((test and self.sharing.place_lets(test, proved), self.place_lets(inner, bound, known)))
            proved = proved if test is None else proved | there(test, holds=False)
        return replace(step, index=index, value=value, body=body, cases=tuple(cases))

    def _keep_proved(self, step: Step, proved: frozenset[Term]) -> frozenset[Term]:
        """Return the terms that are still proved behind a step, and whenever the body of a loop begins."""
        return frozenset(term for term in proved if not self._changes(step, term))

    # What is asked again ------------------------------------------------------

    def _again(self, steps: Sequence[Step], bound: frozenset[str], proved: frozenset[Term]) -> Term | None:
        """Return the most valuable term that the first step may compute beforehand and others need unchanged."""
        first, others = self._gather_facts(steps[0]), [self._gather_facts(step) for step in steps[1:]]
        worth = [
            term
            for term in first.whole
            if term.total and term.free <= bound and self._count_spared(first, others, term) >= _WORTH
            if self._sure(first.step, term, proved)
        ]
        return max(worth, key=self._gain, default=None)

    def _count_spared(self, first: _Facts, others: Sequence[_Facts], term: Term) -> int:
        """Return how many operations a local spares."""
        own, whole = first.own[term], first.whole[term]
        if self._may_change(first, term):
            return 0 if own < 2 else (own - 1) * self._gain(term)
        behind = 0
        for facts in others:
            changed = self._may_change(facts, term)
            behind += facts.own[term] if changed else facts.whole[term]
            if changed:
                break
        loops = first.step.op == "loop" and whole > own
        if not (behind or (own and whole > own) or own > 1 or loops):
            return 0
        return (whole + behind - 1) * self._gain(term)

    def _sure(self, step: Step, term: Term, proved: frozenset[Term]) -> bool:
        """Say whether a step needs a term in every case; a cheap one that cannot crash may be computed in vain."""
        if any(self.sharing.strict(one, term) for one in _list_first_terms(step)):
            return True
        asked = any(self.sharing.strict(one, term) for one in _likely(step))
        return term.needs <= proved and (asked or self._gain(term) <= _CHEAP)

    def _gather_facts(self, step: Step) -> _Facts:
        if id(step) not in self._facts:
            own = self._count_parts(step.terms)
            inner = [self._gather_facts(one) for one in inner_steps(step)]
            whole = Counter(own)
            for one in inner * (2 if step.op == "loop" else 1):
                whole.update(one.whole)
            self._facts[id(step)] = _Facts(
                step, own, whole,
                frozenset([step.variable] if step.op == "put" else ()).union(*(one.writes for one in inner)),
                step.op == "reset" or any(one.resets for one in inner),
                frozenset([step.name] if step.op in ("let", "loop") else ()).union(*(one.binds for one in inner)),
            )  # fmt: skip
        return self._facts[id(step)]

    def _count_parts(self, terms: Iterable[Term]) -> Counter[Term]:
        """Return how often the terms use each part that is worth a local."""
        found: Counter[Term] = Counter()
        for term in terms:
            if term not in self._counts:
                counts = self.sharing.counts(term)
                self._counts[term] = Counter({part: n for part, n in counts.items() if part.op not in _FREE})
            found.update(self._counts[term])
        return found

    def _gain(self, term: Term) -> int:
        """Return how much work a term is."""
        if term not in self._gains:
            self._gains[term] = term.cost + _LONG * sum(part.op in _LONG_OPERATIONS for part in every_part([term]))
        return self._gains[term]

    def _changes(self, step: Step, term: Term) -> bool:
        """Say whether a term may come to something else behind a step."""
        return self._may_change(self._gather_facts(step), term)

    def _may_change(self, facts: _Facts, term: Term) -> bool:
        if not facts.binds.isdisjoint(term.free):
            return True
        return bool(facts.writes or facts.resets) and (
            not facts.writes.isdisjoint(self.reads(term)) or (facts.resets and bool(self.reads(term)))
        )

    # What stands for it -------------------------------------------------------

    def _replace_until_changed(self, steps: Sequence[Step], term: Term, local: Term) -> list[Step]:
        """Return steps in which a local stands for a term up to where that may have changed."""
        made: list[Step] = []
        for place, step in enumerate(steps):
            changed = self._changes(step, term)
            made.append(self._put(step, term, local, inside=not changed))
            if changed:
                return [*made, *steps[place + 1 :]]
        return made

    def _put(self, step: Step, term: Term, local: Term, *, inside: bool) -> Step:
        """Return a step in which a local stands for a term, in its own terms or also inside."""
        facts = self._gather_facts(step)
        if term not in (facts.whole if inside else facts.own):
            return step

        def put(one: Term | None) -> Term | None:
            return None if one is None else self.sharing.replace_part(one, term, local)

        def put_all(body: Iterable[Step]) -> tuple[Step, ...]:
            return tuple(self._put(one, term, local, inside=True) if inside else one for one in body)

        cases = tuple((put(test), put_all(body)) for test, body in step.cases)
        return replace(step, index=put(step.index), value=put(step.value), body=put_all(step.body), cases=cases)


def _list_first_terms(step: Step) -> tuple[Term, ...]:
    """Return the terms that a step evaluates in every case."""
    return step.terms[:1] if step.op == "cases" else step.terms


def _likely(step: Step) -> Iterator[Term]:
    """Yield the terms inside a step that are evaluated in every case, or almost."""
    match step.op, step.value:
        case "loop", Term(op="const", value=tuple() as values) if values:
            for inner in step.body:
                yield from _list_first_terms(inner)
        case "cases", _:
            test, body = step.cases[0]
            if test is not None and _is_seat(test) and body:
                yield from _list_first_terms(body[0])


def _is_seat(test: Term) -> bool:
    """Say whether a test is that there is somebody whose turn it is, which is hardly ever not so."""
    if test.op != "compare" or test.name != ">=":
        return False
    one, two = test.parts
    return one.op == "local" and two.op == "const" and two.value == 0


def _names(steps: Iterable[Step]) -> Iterator[str]:
    """Yield all names of locals in steps."""
    for step in steps:
        yield step.name
        yield from _names(inner_steps(step))
        for term in step.terms:
            yield from term.free | bound_in(term)
