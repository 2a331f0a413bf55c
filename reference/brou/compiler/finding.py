"""Turns the acts of a phase into one block of tests that finds the open ones.

Loops over fixed values are unrolled, so that conditions on a known seat or value are computed beforehand; a test that
several acts, seats or values share runs once, where the first of them needs it. The weight of an act is part of the
block: an act of weight zero is not open. As everywhere in the lowered form, a term that may crash is evaluated where it
was before, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from brou.compiler.kinds import TRUTH
from brou.compiler.lowered import CoreAct, Kind, LoopLevel, Program, Stage, Step, Term
from brou.compiler.rebuild import Rebuilding
from brou.compiler.term_builder import TermBuilder
from brou.dataclass import replace

#: What acts weigh, others one: a number, the routine that tells it of the seat and some of the act's values, or a local
#: that the block takes from outside.
Weighing: TypeAlias = "Mapping[str, int | str | Term]"
Given: TypeAlias = "Mapping[str, Term]"

#: Steps that find what is open: `cases` of one case each, `let`, `loop` and `open`.
Block: TypeAlias = "tuple[Step, ...]"

#: The loops of an act are written out up to so many values.
_WRITTEN = 64


class FinderBuilder:
    """Builds the blocks that find the open acts in the phases of one program."""

    def __init__(self, program: Program, weights: Weighing) -> None:
        self.program = program
        self.weights = weights
        self.terms = TermBuilder(len(program.cards), program.constants)
        self._rebuilding = Rebuilding(self.terms, program.routines)
        #: What stands for something inside a term: no local of a block is called so.
        self._bound = frozenset(term.bound for term in program.terms)
        self._names: set[str] = set()

    def block(self, stage: Stage) -> Block:
        """Return the block that finds the open acts of a phase; each of its locals has a name of its own."""
        self._names = set(self._bound)
        return tuple(step for name in stage.acts for step in self._act(self.program.acts[name]))

    def _act(self, act: CoreAct) -> Block:
        weight = self.weights.get(act.name, 1)
        if isinstance(weight, int) and weight <= 0:
            return ()
        return self._behind(act, act.offers, {}, asked=False)

    def _behind(self, act: CoreAct, levels: Sequence[LoopLevel], given: Given, *, asked: bool) -> Block:
        """Return the block behind the remaining loops; `asked` says whether the weight was tested already."""
        if not levels:
            return self._report_open(act, given, asked=asked)
        level, others = levels[0], levels[1:]
        if level.domain is None or level.kind is None:
            return self._guard(act, levels, given, asked=asked)
        domain = self._put(level.domain, given)
        whole = not others and not level.guards and level.local not in self._weight(act, given).free
        if domain.kind.form == "set" and whole and not act.described:
            held = self.terms.local(self._make_name(level.local), domain.kind)
            body = self._report_open(act, {**given, level.local: held}, asked=asked, cards=True)
            return (_keep(held.name, domain), make_guard(self.terms.some(held), body)) if body else ()
        if domain.kind.form not in ("set", "list"):
            return self._alone(act, levels, given, domain, asked=asked)
        values = self._unroll(levels, domain)
        if values is None:
            local = self.terms.local(self._make_name(level.local), level.kind)
            body = self._guard(act, levels, {**given, level.local: local}, asked=asked)
            return (Step("loop", local.name, value=domain, body=body),) if body else ()
        each = (self._guard(act, levels, {**given, level.local: value}, asked=asked) for value in values)
        return tuple(step for block in each for step in block)

    def _alone(self, act: CoreAct, levels: Sequence[LoopLevel], given: Given, place: Term, *, asked: bool) -> Block:
        """Return the block for the one seat that may act, if there is one."""
        name, t = self._make_name(levels[0].local), self.terms
        local = t.local(name, replace(place.kind, optional=False))
        body = self._guard(act, levels, {**given, levels[0].local: local}, asked=asked)
        if not body or not place.kind.optional:
            return (_keep(name, place), *body) if body else ()
        there = t.make("compare", TRUTH, t.local(name, place.kind), t.count(0), name=">=")
        return _keep(name, place), make_guard(there, body)

    def _make_name(self, name: str) -> str:
        """Return a name that no local of the block has yet."""
        number, found = 1, name
        while found in self._names:
            number += 1
            found = f"{name}_{number}"
        self._names.add(found)
        return found

    def _unroll(self, levels: Sequence[LoopLevel], domain: Term) -> list[Term] | None:
        """Return the values of a loop that is to be written out."""
        if domain.op != "const" or not isinstance(domain.value, tuple) or levels[0].kind is None:
            return None
        count = len(domain.value)
        for level in levels[1:]:
            values = level.domain.value if level.domain is not None and level.domain.op == "const" else ()
            count *= len(values) if isinstance(values, tuple) and values else 1
        kind = levels[0].kind
        return [self.terms.const(kind, value) for value in domain.value] if count <= _WRITTEN else None

    def _guard(self, act: CoreAct, levels: Sequence[LoopLevel], given: Given, *, asked: bool) -> Block:
        """Return the block behind the guards of a loop, and behind a test of the weight once its locals are known."""
        tests = [self._put(guard, given) for guard in levels[0].guards]
        weight = self._weight(act, given)
        if not asked and not weight.free & self._untold(act, given) and weight.total and not weight.needs:
            tests.append(self.positive(weight))
            asked = True
        condition = self.terms.both(*tests)
        if condition is self.terms.false:
            return ()
        body = self._behind(act, levels[1:], given, asked=asked)
        return body if condition is self.terms.true or not body else (make_guard(condition, body),)

    def _report_open(self, act: CoreAct, given: Given, *, asked: bool, cards: bool = False) -> Block:
        """Return that an act is open, if it weighs anything."""
        weight = self._weight(act, given)
        values = [] if act.described else [given[item.name] for item in act.choosing]
        listed = self.terms.make("list", Kind("list"), given["me"], *values)
        form = "described" if act.described else "cards" if cards else ""
        found = Step("open", act.name, variable=form, index=self.certain(weight), value=listed)
        condition = self.terms.true if asked else self.positive(weight)
        return (found,) if condition is self.terms.true else (make_guard(condition, (found,)),)

    # Weights ------------------------------------------------------------------

    def _weight(self, act: CoreAct, given: Given) -> Term:
        """Return what an act weighs, of the locals that are not known."""
        weight = self.weights.get(act.name, 1)
        if isinstance(weight, int):
            return self.terms.count(weight)
        if isinstance(weight, Term):
            return weight
        routine = self.program.routines[weight]
        kinds: dict[str, Kind] = {item.name: item.kind for item in act.choosing}
        told = {
            name: given.get(name, self.terms.local(name, kinds.get(name, kind))) for name, kind in routine.arguments
        }
        if not self._rebuilding.captures(routine.body, told):
            return self._put(routine.body, told)
        return self.terms.make("call", routine.kind, *told.values(), name=routine.name, total=routine.total)

    def _untold(self, act: CoreAct, given: Given) -> set[str]:
        """Return what a weight may ask for and is not known yet."""
        weight = self.weights.get(act.name, 1)
        arguments = () if isinstance(weight, (int, Term)) else self.program.routines[weight].arguments
        return {name for name, _ in arguments if name not in given}

    def positive(self, weight: Term) -> Term:
        """Return whether a weight is more than nothing."""
        t = self.terms
        if weight.op == "choose":
            test, yes, no = weight.parts
            return t.choose(test, self.positive(yes), self.positive(no))
        return t.compare(">", weight, t.count(0))

    def certain(self, weight: Term) -> Term:
        """Return a weight that is more than nothing."""
        if weight.op != "choose":
            return weight
        test, yes, no = weight.parts
        if self.positive(no) is self.terms.false:
            return self.certain(yes)
        if self.positive(yes) is self.terms.false:
            return self.certain(no)
        return self.terms.choose(test, self.certain(yes), self.certain(no))

    def _put(self, term: Term, given: Given) -> Term:
        return self._rebuilding.put(term, given)


def make_guard(condition: Term, body: Block) -> Step:
    """Return the step that takes others where a condition holds."""
    return Step("cases", cases=((condition, body),))


def _keep(name: str, value: Term) -> Step:
    return Step("let", name, value=value)
