"""Open acts in C: for each phase a function that lists them, and one for an act that is alone there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from brou.compiler.cse_steps import reading, share_steps
from brou.compiler.finding import Block, FinderBuilder, Weighing
from brou.compiler.lowered import ActParameter, CoreAct, Kind, Program, Stage, Step, Term, every_inner
from brou.compiler.naming import Naming
from brou.language.types import UNBOUNDED
from brou.native.c_acts import list_rows
from brou.native.c_steps import CStepWriter
from brou.native.c_terms import Pool
from brou.native.c_text import FunctionText, write_name
from brou.native.c_types import as_values

#: What functions take that find what is open.
FINDS = "const State *S, const int32_t *Weights, Offer *Found, int32_t *Many"
_CRASHED = "return BROU_CRASHED;"


class _FindingWriter(CStepWriter):
    """Writes a function that finds something in a state, which does not change meanwhile."""

    def _keep(self, name: str, value: Term) -> None:
        self.terms.bind(name, value)


class _ListingWriter(_FindingWriter):
    """Writes the function that finds the open acts of one phase."""

    def __init__(self, pool: Pool, function: FunctionText, acts: Sequence[str]) -> None:
        super().__init__(pool, function)
        self._acts = acts

    def step(self, step: Step) -> None:
        """Add one step."""
        if step.op == "open":
            self._open(step)
        else:
            super().step(step)

    def _open(self, step: Step) -> None:
        """Add an entry for an act that is open, with how often it counts."""
        function, terms = self.function, self.terms
        act = self.pool.program.acts[step.name]
        parts = step.value.parts if step.value is not None else ()
        weight = "1" if step.index is None else terms.simple(step.index)
        seat, *texts = [terms.value(part) for part in parts]
        cards = texts.pop() if step.variable == "cards" else ""
        # An offer of cards stands for as many acts as there are cards, each of the same weight; drawing counts them
        # all.
        count = f"(int64_t){weight} * brou_size({terms.simple(parts[-1])})" if cards else weight
        function.add(
            f"O = Found + Used++; O->act = {self._acts.index(step.name)}; O->seat = (int16_t){seat};",
            f"O->weight = {weight}; O->count = {count}; O->many = {int(bool(cards))};",
            f"O->cards = {cards or 'brou_nothing()'};",
        )
        for place, (text, part, item) in enumerate(zip(texts, parts[1:], act.choosing, strict=False)):
            function.add(f"O->value[{place}] = {self._pass(item, part, text)};")
        function.add("Count += O->count;")

    def _pass(self, item: ActParameter, part: Term, text: str) -> str:
        """Return a value as it stands in an act: a card by its place in the pack, a list by that in its domain."""
        if part.kind.form in ("card", "set"):
            return f"brou_place({text})"
        if part.kind.form == "list":
            return f"brou_find_list({self.pool.constant(Kind('list', element=item.kind), list_rows(item))}, {text})"
        return text


class Finders:
    """Writes for each phase the function that finds its open acts, with weights that are passed or compiled in."""

    def __init__(self, pool: Pool, program: Program, weights: Weighing, name: str) -> None:
        self.pool = pool
        self.program = program
        self.name = name
        self._acts = list(program.acts)
        self._finding = FinderBuilder(program, weights)
        self._reads = reading(lambda name: program.routines[name].body)

    def write(self, stage: Stage) -> str:
        """Return the function of one phase."""
        head = f"static int64_t {self.name}_{stage.name}({FINDS})"
        writer = _ListingWriter(self.pool, FunctionText(head, "return BROU_CRASH;"), self._acts)
        function = writer.function
        function.declare("Count", "int64_t Count = 0")
        function.declare("Used", "int32_t Used = 0")
        function.declare("O", "Offer *O")
        function.add("(void)S; (void)Weights; (void)Found; (void)O;")
        for name in stage.acts:
            local = write_name(passed_weight(name).name)
            function.declare(local, f"const int32_t {local} BROU_UNUSED = Weights[{self._acts.index(name)}]")
        named = Naming(self._finding.terms).steps(self._finding.block(stage))
        writer.steps(share_steps(self._finding.terms, named, self._reads))
        function.add("*Many = Used;", "return Count;")
        return function.text()


class _SingleWriter(_FindingWriter):
    """Writes a function that finds the seat and the cards of one act."""

    def step(self, step: Step) -> None:
        """Add one step."""
        if step.op != "open" or step.value is None:
            super().step(step)
            return
        seat, cards = map(self.terms.value, step.value.parts)
        self.function.add(f"A->seat = (int16_t){seat};", f"*Cards = {cards};")


class SingleFinders:
    """Writes functions that find the cards of an act that is drawn alone: of one seat, and of one card of a set.

    Where no other act of a phase weighs anything, random players need no list of offers.
    """

    def __init__(self, pool: Pool, program: Program) -> None:
        self.pool = pool
        self.program = program
        self._acts = list(program.acts)
        self._reads = reading(lambda name: program.routines[name].body)
        self._found = {
            place: [name for name in stage.acts if self._is_single(stage, name)]
            for place, stage in enumerate(program.stages.values())
        }

    def write(self) -> Iterator[str]:
        """Yield the functions, the one that leads to them, and for each phase the mask of the acts that have one."""
        given = "const State *S, Act *A, brou_set *Cards"
        function = FunctionText(f"static int32_t Single({given})", "")
        function.add("(void)A;", "*Cards = brou_nothing();")
        with function.block("switch (S->phase)"):
            for (place, names), stage in zip(self._found.items(), self.program.stages.values(), strict=True):
                for name in names:
                    own = f"Single_{stage.name}_{name}"
                    writer = _SingleWriter(self.pool, FunctionText(f"BROU_INLINE int32_t {own}({given})", _CRASHED))
                    writer.function.add("(void)S; (void)A; (void)Cards;")
                    finding, block = self._find(stage, name)
                    named = Naming(finding.terms).steps(block)
                    writer.steps(share_steps(finding.terms, named, self._reads))
                    writer.function.add("return BROU_FINE;")
                    yield writer.function.text()
                if names:
                    function.add(f"case {place}:")
                    for name in names[:-1]:
                        function.add(
                            f"if (A->act == {self._acts.index(name)}) return Single_{stage.name}_{name}(S, A, Cards);"
                        )
                    function.add(f"return Single_{stage.name}_{names[-1]}(S, A, Cards);")
        function.add("return BROU_FINE;")
        yield function.text()
        masks = (sum(1 << self._acts.index(name) for name in names) for names in self._found.values())
        yield f"static const uint64_t Singles[] = {{{', '.join(f'UINT64_C({mask:#x})' for mask in masks)}}};\n"

    def _find(self, stage: Stage, name: str) -> tuple[FinderBuilder, Block]:
        """Return what finds an act of a phase as if no other weighed anything."""
        # Acts of weight nought are left out by the finder, so it finds this one alone.
        finding = FinderBuilder(self.program, {other: int(other == name) for other in stage.acts})
        return finding, finding.block(stage)

    def _is_single(self, stage: Stage, name: str) -> bool:
        """Say whether an act has one value, a card of a set, and at most one seat may make it."""
        act = self.program.acts[name]
        if act.described or [item.kind.form for item in act.choosing] != ["card"]:
            return False
        inner = list(every_inner(self._find(stage, name)[1]))
        found = [step.variable for step in inner if step.op == "open"]
        # One offer and no loop around it: not more than one seat and one set of cards can be found.
        return found == ["cards"] and not any(step.op == "loop" for step in inner)


def passed_weight(act: str) -> Term:
    """Return the local that stands for the weight of an act where weights are passed."""
    name = f"Weight_{act}"
    return Term("local", Kind("number", 0, UNBOUNDED), name=name, free=frozenset([name]))


def count_offers(program: Program, stage: Stage) -> int:
    """Return how many entries a list of all offers of a phase has at the most."""
    return sum(_count_entries(program, program.acts[name]) for name in stage.acts)


def _count_entries(program: Program, act: CoreAct) -> int:
    # Each level is a loop inside the one before, so the numbers of rounds multiply.
    return prod(_count_domain(program, level.domain) for level in act.offers if level.domain is not None)


def _count_domain(program: Program, domain: Term) -> int:
    """Return how many values a domain has at the most."""
    match domain.kind.form:
        case "set":
            return len(program.cards)
        case "list" if domain.op == "const":
            return len(as_values(domain.value))
        case "list":
            return domain.kind.most
    return 1
