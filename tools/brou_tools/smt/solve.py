"""Solving: formulas go in; an assignment of the unknowns comes out, or none, or a reason for the lack of an answer.

The budget of a solver counts its own steps and never seconds. The same question, after the same questions, takes the
same steps on every machine and under every load.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, assert_never

from brou import BrouError
from brou_tools.smt.formula import Formula, Number, Truth, sort_formulas, value_of

if TYPE_CHECKING:  # the solver's library has no types; its names say which of its things is meant
    from z3 import BoolRef, Context, ExprRef, ModelRef, Solver

#: Steps for one question: many times what any statement takes that is not slow. `brou prove --json` tells the `steps`
#: of each, and a test holds them against this.
LIMIT = 200_000_000
#: Steps for a question whose answer may be found without its numbers; where it is not, little is lost.
_SHORTLY = 300_000
#: Steps for a question whose answer may be found without opening its sums of many truths.
_CLOSED = 5_000_000
#: A sum of more truths than these stands as one number there.
_FEW = 4
#: What the second solver may spend on a question, in its own units, of which it needs fewer than the first one.
_SECOND_LIMIT = 10_000_000
_SEED = 1


class NoSolver(BrouError):
    """The solver is not installed."""

    def __str__(self) -> str:
        return "proofs need a solver: pip install 'brou[prove]'"


@dataclass(frozen=True, slots=True)
class Answer:
    """`sat` with an assignment, `unsat`, or `unknown` with the reason."""

    status: str
    model: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
    #: The greatest value of what was to be made great.
    best: int | None = None
    #: The steps that the solver took to answer.
    steps: int = 0


def z3() -> ModuleType:
    """Return the solver's module, loaded when it is first needed."""
    try:
        return import_module("z3")
    except ImportError as error:
        raise NoSolver from error


class IncrementalSolver:
    """Asks several questions about the same facts; each solver gets the facts once.

    A question about numbers goes first to a solver of truths alone, for which each statement about a number is a free
    truth. Then it goes to one with closed sums, for which each sum of many truths, and each quotient, is a free number
    within its bounds, the same one wherever it occurs. Either weakens the facts, so an unsatisfiable answer stands.
    """

    def __init__(self) -> None:
        self._solvers: dict[str, _Solver] = {}

    def ask(self, known: Sequence[Truth], wanted: Sequence[Truth], limit: int = LIMIT) -> Answer:
        """Return the solver's answer within `limit` steps: whether all known and wanted can hold."""
        if any(fact is False for fact in (*known, *wanted)):
            return Answer("unsat")
        known = _drop_idle_bounds(known, wanted)
        if plain([*known, *wanted]):
            return self._solver("truths").ask(known, wanted, limit)
        loosely = self._solver("loosely").ask(known, wanted, min(limit, _SHORTLY))
        if loosely.status == "unsat":
            return loosely
        closed = self._solver("closed").ask(known, wanted, min(limit, _CLOSED))
        return closed if closed.status == "unsat" else self._solver("numbers").ask(known, wanted, limit)

    def greatest(self, known: Sequence[Truth], wanted: Sequence[Truth], number: Formula, limit: int) -> Answer:
        """Return the greatest value of a number within `limit` steps, with an assignment that reaches it.

        The question must be about truths alone.
        """
        solver_of = z3()
        context = solver_of.Context()
        solver, terms = solver_of.Optimize(ctx=context), _SolverTerms(solver_of, context)
        for fact in (*_drop_idle_bounds(known, [*wanted, number]), *wanted):
            solver.add(terms.of(fact))
        solver.maximize(terms.of(number))
        found = _check_solver(solver, limit, terms)
        return replace(found, best=value_of([number], found.model)[0]) if found.status == "sat" else found

    def _solver(self, kind: str) -> _Solver:
        if kind not in self._solvers:
            self._solvers[kind] = _Solver(kind)
        return self._solvers[kind]


class _Solver:
    """One solver: of truths, of numbers, of truths in place of numbers, or of numbers with closed sums."""

    def __init__(self, kind: str) -> None:
        solver_of = z3()
        context = solver_of.Context()
        numeric = kind in ("numbers", "closed")
        self._solver = solver_of.Solver(ctx=context) if numeric else solver_of.SolverFor("QF_FD", ctx=context)
        self._solver.set("random_seed", _SEED)
        self._terms = _SolverTerms(solver_of, context, loosely=kind == "loosely", closed=kind == "closed")
        self._told: set[int] = set()

    def ask(self, known: Sequence[Truth], wanted: Sequence[Truth], limit: int) -> Answer:
        """Return the answer of this solver."""
        for fact in known:
            if isinstance(fact, Formula) and fact.number not in self._told:
                self._solver.add(self._terms.of(fact))
                self._told.add(fact.number)
        self._solver.push()
        try:
            for fact in wanted:
                self._solver.add(self._terms.of(fact))
            for bound in self._terms.bounds:
                self._solver.add(bound)
            return _check_solver(self._solver, limit, self._terms)
        finally:
            self._solver.pop()


def _check_solver(solver: Solver, limit: int, terms: _SolverTerms) -> Answer:
    """Return a solver's answer to its assertions; it counts `limit` anew for each question."""
    solver.set("rlimit", limit)
    before = _spent(solver)
    found = str(solver.check())
    steps = _spent(solver) - before
    if found == "sat":
        return Answer("sat", terms.assignment(solver.model()), steps=steps)
    if found == "unsat":
        return Answer("unsat", steps=steps)
    reason = solver.reason_unknown()
    if "interrupted" in reason:
        raise KeyboardInterrupt
    spent = steps >= limit or _CUT_OFF.search(reason)
    return Answer("unknown", reason=spent_budget(limit) if spent else reason, steps=steps)


def spent_budget(limit: int) -> str:
    """Return the reason of an answer that would take more steps than it may."""
    return f"the solver's budget of {limit:,} steps is spent"


#: How the solver says that its steps were not enough.
_CUT_OFF = re.compile("canceled|resource limit")


def _spent(solver: Solver) -> int:
    """Return how many steps all questions in the context of a solver took."""
    return next((int(value) for key, value in solver.statistics() if key == "rlimit count"), 0)


def _drop_idle_bounds(known: Sequence[Truth], wanted: Sequence[Truth]) -> list[Truth]:
    """Return the facts without the bounds of numbers that nothing else mentions."""
    bounds = [fact for fact in known if isinstance(fact, Formula) and _is_bound(fact)]
    if not bounds:
        return list(known)
    of_bounds = {fact.number for fact in bounds}
    rest = [fact for fact in known if not (isinstance(fact, Formula) and fact.number in of_bounds)]
    used = {one.number for one in sort_formulas([*rest, *wanted]) if one.op == "number"}
    return [*rest, *(fact for fact in bounds if any(one.number in used for one in sort_formulas([fact])))]


def _is_bound(fact: Formula) -> bool:
    """Say whether a fact is about one number and nothing else."""
    leaves = [one for one in sort_formulas([fact]) if not one.parts]
    return len(leaves) == 1 and leaves[0].op == "number"


def plain(facts: Iterable[Truth]) -> bool:
    """Say whether facts consist of truths and sums of truths alone."""
    formulas = sort_formulas(fact for fact in facts if isinstance(fact, Formula))
    return not any(one.op in ("number", "pick", "product", "quotient") for one in formulas)


def write_smtlib(facts: Iterable[Truth], *, closed: bool = False) -> str:
    """Return a question in SMT-LIB, in words that every solver knows.

    With closed sums it is weaker, as `IncrementalSolver` says: an unsatisfiable answer stands, and no other does.
    """
    solver_of = z3()
    context = solver_of.Context()
    solver = solver_of.Solver(ctx=context)
    terms = _SolverTerms(solver_of, context, sums_plain=True, closed=closed)
    for fact in facts:
        solver.add(terms.of(fact))
    for bound in terms.bounds:
        solver.add(bound)
    return f"(set-logic QF_NIA)\n{solver.to_smt2()}"


class _SolverTerms:
    """Turns formulas into terms of the solver, each once."""

    def __init__(
        self,
        solver_of: ModuleType,
        context: Context,
        *,
        sums_plain: bool = False,
        loosely: bool = False,
        closed: bool = False,
    ) -> None:
        self.z3, self.context, self.sums_plain, self.loosely = solver_of, context, sums_plain, loosely
        self.closed = closed
        self.made: dict[int, ExprRef] = {}
        self.names: dict[str, ExprRef] = {}
        #: The bounds of the numbers that stand for closed sums.
        self.bounds: list[BoolRef] = []
        self._closed_sums: dict[tuple[tuple[int, int], ...], ExprRef] = {}

    def of(self, one: Truth | Number) -> ExprRef:
        """Return the term of a formula."""
        if isinstance(one, bool):
            return self.z3.BoolVal(one, ctx=self.context)
        if isinstance(one, int):
            return self.z3.IntVal(one, ctx=self.context)
        for part in sort_formulas([one], self.made):
            if not (self.loosely and part.is_number):
                self.made[part.number] = self._make_term(part)
        return self.made[one.number]

    def _part(self, part: Truth | Number) -> ExprRef:
        return self.made[part.number] if isinstance(part, Formula) else self.of(part)

    def _make_term(self, one: Formula) -> ExprRef:
        """Return the term of a formula whose parts have been made."""
        match one.op:
            case "var":
                return self._make_variable(one.name, self.z3.Bool)
            case "number":
                return self._make_variable(one.name, self.z3.Int)
            case "not":
                return self._not(one)
            case "and":
                return self._and(one)
            case "same":
                return self._part(one.parts[0]) == self._part(one.parts[1])
            case "least":
                return self._against(one.parts[0], exactly=False)
            case "none":
                return self._against(one.parts[0], exactly=True)
            case "sum":
                return self._sum(one)
            case "pick":
                return self.z3.If(*[self._part(part) for part in one.parts])
            case "product":
                return self._part(one.parts[0]) * self._part(one.parts[1])
            case "quotient":
                return self._quotient(one)
            case _:
                assert_never(one.op)

    def _quotient(self, one: Formula) -> ExprRef:
        if self.closed:
            return self._make_variable(f"quotient {one.number}", self.z3.Int)
        return self._part(one.parts[0]) / self._part(one.parts[1])

    def _make_variable(self, name: str, make: Callable[..., ExprRef]) -> ExprRef:
        self.names[name] = make(name, ctx=self.context)
        return self.names[name]

    def _not(self, one: Formula) -> BoolRef:
        return self.z3.BoolRef(self.z3.Z3_mk_not(self.context.ref(), self._part(one.parts[0]).as_ast()), self.context)

    def _and(self, one: Formula) -> BoolRef:
        terms = [self.made[part.number].as_ast() for part in one.parts]
        asts = (self.z3.Ast * len(terms))(*terms)
        return self.z3.BoolRef(self.z3.Z3_mk_and(self.context.ref(), len(terms), asts), self.context)

    def _against(self, number: Formula, *, exactly: bool) -> BoolRef:
        """Return whether a number is nought, or at least that."""
        if self.loosely and (number.op != "sum" or any(part.is_number for part in number.parts)):
            return self.z3.Bool(f"{number.number} {exactly}", ctx=self.context)
        if self.sums_plain and exactly and number.op == "sum" and _one_of(number):
            return self._one_of([self._part(part) for part in number.parts])
        if number.op != "sum" or self.sums_plain or any(part.is_number for part in number.parts):
            term = self._part(number)
            return term == 0 if exactly else term >= 0
        pairs: list[tuple[ExprRef, int]] = []
        bound = -number.value
        for weight, part in zip(number.weights, number.parts, strict=True):
            term = self._part(part)
            pairs.append((term, weight) if weight > 0 else (self.z3.Not(term), -weight))
            bound -= min(weight, 0)
        return self.z3.PbEq(pairs, bound, ctx=self.context) if exactly else self.z3.PbGe(pairs, bound)

    def _one_of(self, terms: Sequence[ExprRef]) -> BoolRef:
        """Return in plain words whether exactly one of some holds: one after the other, and none after that."""
        some: BoolRef = self.z3.BoolVal(False, ctx=self.context)
        never_two: list[BoolRef] = []
        for term in terms:
            never_two.append(self.z3.Not(self.z3.And(some, term)))
            some = self.z3.Or(some, term)
        return self.z3.And([*never_two, some])

    def _sum(self, one: Formula) -> ExprRef:
        weighed = list(zip(one.weights, one.parts, strict=True))
        truths = [(weight, part) for weight, part in weighed if not part.is_number]
        items: list[ExprRef] = []
        if self.closed and len(truths) > _FEW:
            weighed = [(weight, part) for weight, part in weighed if part.is_number]
            items.append(self._close(truths))
        items += [self._weigh_part(weight, part) for weight, part in weighed]
        return self.z3.Sum([self.z3.IntVal(one.value, ctx=self.context), *items])

    def _close(self, truths: Sequence[tuple[int, Formula]]) -> ExprRef:
        """Return a number for a sum of truths, the same for the same sum and its negative for the negative one."""
        key = tuple(sorted((part.number, weight) for weight, part in truths))
        sign = 1 if key[0][1] > 0 else -1
        key = tuple((number, sign * weight) for number, weight in key)
        if key not in self._closed_sums:
            made = self._closed_sums[key] = self._make_variable(f"sum {len(self._closed_sums)}", self.z3.Int)
            self.bounds.append(made >= sum(min(weight, 0) for _, weight in key))
            self.bounds.append(made <= sum(max(weight, 0) for _, weight in key))
        return sign * self._closed_sums[key]

    def _weigh_part(self, weight: int, part: Formula) -> ExprRef:
        term = self._part(part)
        if part.is_number:
            return term * weight
        yes, no = (self.z3.IntVal(value, ctx=self.context) for value in (weight, 0))
        return self.z3.If(term, yes, no)

    def assignment(self, model: ModelRef) -> dict[str, int]:
        """Return the solver's values of everything that has a name."""
        found: dict[str, int] = {}
        for name, term in self.names.items():
            value = model.eval(term, model_completion=True)
            found[name] = int(self.z3.is_true(value)) if self.z3.is_bool(value) else value.as_long()
        return found


def _one_of(number: Formula) -> bool:
    """Say whether a sum is nought just where one of its truths holds."""
    truths = not any(part.is_number for part in number.parts)
    return truths and number.value == -1 and set(number.weights) == {1}


# A second opinion -----------------------------------------------------------------------------------------------------

#: It ends with the process that asks. Its library lets no other thread of Python in while it searches, so that on Linux
#: the system sees to that; elsewhere it goes on to the end of its limit.
_SECOND = """
import ctypes, os, signal, sys, cvc5
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
if os.getppid() != int(sys.argv[2]):
    sys.exit()
from cvc5 import InputParser, Solver, SymbolManager
manager = cvc5.TermManager()
solver = Solver(manager)
solver.setOption("rlimit-per", sys.argv[1])
symbols = SymbolManager(manager)
parser = InputParser(solver, symbols)
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), "question")
while True:
    command = parser.nextCommand()
    if command.isNull():
        break
    said = str(command.invoke(solver, symbols)).strip()
    if said:
        print(said)
"""


def has_second() -> bool:
    """Say whether a second solver is installed."""
    return find_spec("cvc5") is not None


def second_opinion(text: str, limit: int = _SECOND_LIMIT) -> str | None:
    """Return another solver's answer to a question: sat, unsat or unknown; None where it is not installed.

    It may spend `limit` of its own units; they are not those of the first one.
    """
    if not has_second():
        return None
    command: Sequence[str] = [sys.executable, "-c", _SECOND, str(limit), str(os.getpid())]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    words = done.stdout.split()
    return words[-1] if words and words[-1] in ("sat", "unsat") else "unknown"
