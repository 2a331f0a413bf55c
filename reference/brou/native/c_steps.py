"""Steps as C statements: what acts and automatic phases do to a state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brou.compiler.lowered import Kind, Program, Step, Term, every_inner
from brou.native.c_terms import Pool, TermWriter
from brou.native.c_text import FunctionText, join_declaration, write_name
from brou.native.c_types import is_pointer, local_type, stored_type


class CStepWriter:
    """Writes steps into one function, which returns a code."""

    def __init__(self, pool: Pool, function: FunctionText) -> None:
        self.pool = pool
        self.function = function
        self.terms = TermWriter(pool, function)

    def steps(self, steps: Sequence[Step]) -> None:
        """Add steps, with what the rules file calls them."""
        said = ""
        for step in steps:
            if step.says not in ("", said):
                self.function.add(f"/* {step.says} */")
            said = step.says
            self.step(step)

    def step(self, step: Step) -> None:
        """Add one step."""
        match step.op, step.value:
            case "goto", _:
                stages = self.pool.program.stages
                if not stages[step.name].do:
                    self.function.add(f"S->phase = {list(stages).index(step.name)};")
                self.function.add(f"return {f'Stage_{step.name}(S)' if stages[step.name].do else 'BROU_FINE'};")
            case "reset", _:
                self.function.add(f"Reset_{step.name}(S);")
            case "cases", _:
                self._cases(step.cases)
            case "let", Term() as value:
                self._keep(step.name, value)
            case "demand", Term() as value:
                self.terms.demand(value)
            case "loop", Term() as value:
                self._loop(step.name, value, step.body)
            case _, Term() as value:
                self._put(step, value)

    def _keep(self, name: str, value: Term) -> None:
        """Add a local; lists, piles and rows are copied, for the state may change before they are read."""
        if not is_pointer(value.kind):
            self.terms.bind(name, value)
            return
        self.terms.declare(name, value.kind)
        copy = self._copy(value, f"Kept_{name}")
        self.function.add(f"{write_name(name)} = {copy};")

    def _copy(self, value: Term, store: str) -> str:
        """Return a list, a pile or a row that lies in no state, as a pointer."""
        text, kind = self.terms.simple(value), value.kind
        count = f"[{_count_elements(kind)}]" if kind.form == "array" else ""
        c_type = stored_type(kind.element) if count else stored_type(kind)
        self.function.declare(store, f"{join_declaration(c_type, store)}{count}")
        there = f"if ({text}) " if kind.optional else ""
        self.function.add(f"{there}memcpy(&{store}, {text}, sizeof {store});")
        own = store if count else f"&{store}"
        return f"{text} ? {own} : 0" if kind.optional else own

    def _loop(self, name: str, domain: Term, body: Sequence[Step]) -> None:
        if domain.kind.form == "list" and not _is_fast(domain):
            local = f"{name}_all"
            self._keep(local, domain)
            domain = Term("local", domain.kind, name=local)
        head, step = self.terms.loop(name, domain)
        with self.function.block(head):
            if step:
                self.function.add(step)
            self.steps(body)

    def _put(self, step: Step, value: Term) -> None:
        field = self.pool.layout.fields[step.variable]
        target = f"S->{write_name(field.cell.scope)}.{write_name(step.variable)}"
        index = None if step.index is None else self.terms.value(step.index)
        kind = value.kind
        if kind.form == "array":
            length = f"{_count_elements(kind)} * sizeof *{target}"
            where = target if index is None else f"{target} + {index}"
            self.function.add(f"memmove({where}, {self.terms.value(value)}, {length});")
            return
        place = target if index is None else f"{target}[{index}]"
        held = field.cell.kind.element if index is not None else field.cell.kind
        match held.form if held else "":
            case "pile" if value.op in ("take", "drop"):
                self.function.add(f"brou_put_slice(&{place}, {self.terms.slice(value)});")
            case "pile":
                self.function.add(f"brou_put_pile(&{place}, {self.terms.value(value)});")
            case "list":
                self.function.add(f"{place} = *{self.terms.value(value)};")
            case _:
                self.terms.assign(place, value)

    def _cases(self, cases: Sequence[tuple[Term | None, tuple[Step, ...]]]) -> None:
        """Add the first case that holds; the tests of those behind it stand inside its `else`."""
        if not cases:
            return
        (test, body), *others = cases
        if test is None:
            self.steps(body)
            return
        with self.function.block(f"if ({self.terms.value(test)})"):
            self.steps(body)
        if others:
            with self.function.block("else"):
                self._cases(others)


def _is_fast(domain: Term) -> bool:
    """Say whether a list lies in no state."""
    return domain.op in ("const", "lookup", "range", "list", "loop")


def _count_elements(kind: Kind) -> int:
    count = 1
    for side in kind.shape:
        count *= side
    return count


def can_crash(pool: Pool, program: Program, steps: Iterable[Step]) -> bool:
    """Say whether steps, or the automatic phases that they lead to, can crash."""
    waiting, seen = list(every_inner(steps)), set[str]()
    while waiting:
        step = waiting.pop()
        if step.op == "demand" or pool.can_crash(step.terms):
            return True
        if step.op == "goto" and step.name not in seen:
            seen.add(step.name)
            waiting += every_inner(program.stages[step.name].do)
    return False


def declare_local(name: str, kind: Kind) -> str:
    """Return the declaration of a parameter that is a local of the rules."""
    return join_declaration(local_type(kind), write_name(name))
