"""What steps ask several times is asked once, as long as nothing is written that it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from brou.compiler.lowered import Step, Term
from brou.compiler.share import Sharing, bound_in
from brou.compiler.terms import Terms

#: What is no call is worth a let if it takes so many operations.
_WORTH = 6

#: Which variables a term reads, those read by the routines that it calls included.
Reads = Callable[[Term], frozenset[str]]


def shared_steps(terms: Terms, steps: Sequence[Step], reads: Reads) -> tuple[Step, ...]:
    """Return the same steps with lets for what comes to the same several times, or every time in a loop."""
    return _Steps(Sharing(terms, set(_names(steps))), reads).placed(steps)


class _Steps:
    def __init__(self, sharing: Sharing, reads: Reads) -> None:
        self.sharing = sharing
        self.reads = reads

    def placed(self, steps: Sequence[Step]) -> tuple[Step, ...]:
        """Return steps with lets, those inside others too."""
        waiting, made = list(steps), list[Step]()
        while waiting:
            found = self._again(waiting)
            if found is not None:
                name = self.sharing.named(found)
                local = self.sharing.terms.local(name, found.kind)
                waiting = [Step("let", name, value=found), *self._known(waiting, found, local)]
            step = waiting.pop(0)
            cases = tuple((test, self.placed(body)) for test, body in step.cases)
            made.append(replace(step, body=self.placed(step.body), cases=cases))
        return tuple(made)

    def _again(self, steps: Sequence[Step]) -> Term | None:
        """Return what the first step asks whatever comes, and another one again before it may have changed."""
        first, *others = steps
        found = [
            *self._unchanging(first),
            *(call for call in self._calls(first) if self._repeated(first, others, call)),
        ]
        return max(found, key=lambda call: call.cost, default=None)

    def _calls(self, step: Step) -> Iterator[Term]:
        """Yield the calls that a step makes whatever comes; none that can crash, or that needs what may be absent."""
        sure = [*step.terms[: 1 if step.op == "cases" else None]]
        for term in sure:
            for part in self.sharing.counts(term):
                worth = part.op == "call" or part.cost >= _WORTH
                if worth and part.total and not part.needs and self.sharing.strict(term, part):
                    yield part

    def _unchanging(self, step: Step) -> Iterator[Term]:
        """Yield the calls that come to the same every time a loop is gone through."""
        domain = step.value
        if step.op != "loop" or domain is None or domain.op != "const" or not domain.value:
            return
        bound = {step.name, *_names(step.body)}
        for inner in step.body:
            for call in self._calls(inner):
                if not call.free & bound and not any(self._changes(one, call) for one in step.body):
                    yield call

    def _repeated(self, first: Step, others: Sequence[Step], call: Term) -> bool:
        """Say whether steps make a call again before it may have changed."""
        if self._changes(first, call):
            return False
        for step in others:
            if any(call in self.sharing.counts(term) for term in _terms([step])):
                return True
            if self._changes(step, call):
                return False
        return False

    def _changes(self, step: Step, call: Term) -> bool:
        """Say whether a call may come to something else behind a step."""
        match step.op:
            case "put":
                return step.variable in self.reads(call)
            case "reset":
                return True
            case "let" | "loop" if step.name in call.free:
                return True
        inner = (*step.body, *(one for _, body in step.cases for one in body))
        return any(self._changes(one, call) for one in inner)

    def _known(self, steps: Sequence[Step], call: Term, local: Term) -> list[Step]:
        """Return steps in which a local stands for a call up to where it may have changed."""
        made: list[Step] = []
        for place, step in enumerate(steps):
            changed = self._changes(step, call)
            made.append(self._put(step, call, local, inside=not changed))
            if changed:
                return [*made, *steps[place + 1 :]]
        return made

    def _put(self, step: Step, call: Term, local: Term, *, inside: bool) -> Step:
        """Return a step in which a local stands for a call, in its own terms or also inside."""

        def put(term: Term | None) -> Term | None:
            return None if term is None else self.sharing.replaced(term, call, local)

        def put_all(body: Iterable[Step]) -> tuple[Step, ...]:
            return tuple(self._put(one, call, local, inside=True) if inside else one for one in body)

        cases = tuple((put(test), put_all(body)) for test, body in step.cases)
        return replace(step, index=put(step.index), value=put(step.value), body=put_all(step.body), cases=cases)


def _terms(steps: Iterable[Step]) -> Iterator[Term]:
    """Yield all terms of steps, those inside them too."""
    for step in steps:
        yield from step.terms
        yield from _terms((*step.body, *(one for _, body in step.cases for one in body)))


def _names(steps: Iterable[Step]) -> Iterator[str]:
    """Yield all names of locals in steps."""
    for step in steps:
        yield step.name
        yield from _names((*step.body, *(one for _, body in step.cases for one in body)))
        for term in step.terms:
            yield from term.free | bound_in(term)
