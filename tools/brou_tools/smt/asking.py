"""Asking: the positions of an obligation, the solver's answer, and its replay by the interpreter.

An answer of the solver counts only if the interpreter, set down in the same position, agrees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from brou import Action, Choice, Crash, Expression, Json, Node, Parameter, State, Unknown, choose
from brou.atomic import put
from brou.language.tree import BuiltinCall
from brou.language.types import NUMBERS, Int, Orders
from brou_tools.smt.formula import Truth
from brou_tools.smt.ground import ProofContext, SolvedPosition, at_first, fix, shorten
from brou_tools.smt.obligations import Obligation, Where
from brou_tools.smt.running import SymbolicRun
from brou_tools.smt.solve import Answer, second_opinion
from brou_tools.smt.symbols import Symbol
from brou_tools.smt.translate import exactly_one

PROVED, REFUTED, UNKNOWN = "proved", "refuted", "unknown"


class Disbelieved(Exception):
    """The interpreter does not confirm the solver's position: a fault of the translation, so one of our own."""


@dataclass(frozen=True, slots=True)
class ObligationResult:
    """The result of an obligation under one choice of rules."""

    status: str
    reason: str = ""
    witness: Mapping[str, Any] | None = None
    #: Nothing can be said for a fault of the statement or the rules, and not of the solver.
    vain: bool = False


def vain(reason: str) -> ObligationResult:
    """Return that a statement cannot be decided, with any solver."""
    return ObligationResult(UNKNOWN, reason, vain=True)


@dataclass(slots=True)
class SolverOptions:
    """The options of every question: each takes at most `limit` steps of the solver."""

    limit: int
    export: Path | None = None
    second: bool = False


@dataclass(slots=True)
class Asking:
    """Asks about one rule base, one obligation after another.

    The result of an obligation does not hang on those before it: its formulas and its solvers are its own.
    """

    choice: Choice
    options: SolverOptions
    make: Callable[[Choice], ProofContext] = ProofContext.of
    _untouched: dict[str, ProofContext] = field(default_factory=dict)
    _grounds: dict[str, ProofContext] = field(default_factory=dict)
    asked: int = 0
    #: The most steps that one question about the obligation took.
    steps: int = 0
    #: On how many questions about the obligation a second solver agrees, and of how many it does not know.
    agreed: int = 0
    unsure: int = 0

    def begin(self) -> None:
        """Forget all questions so far, but not the rules and the kinds of positions."""
        self._grounds.clear()
        self.asked = self.steps = self.agreed = self.unsure = 0

    # Where it is asked ------------------------------------------------------------------------------------------------

    def ground(self, where: Where | None) -> ProofContext:
        """Return the rules in a position of a kind; one for an obligation, to be narrowed by each question."""
        name = where.id if where else ""
        if name not in self._grounds:
            self._grounds[name] = self._make_ground(name, where).copy()
        return self._grounds[name].further() if name else self._grounds[name].afresh()

    def _make_ground(self, name: str, where: Where | None) -> ProofContext:
        """Return the rules in a position of a kind, never used for a question itself."""
        if name not in self._untouched:
            ground = self._untouched[name] = self.make(self.choice)
            if where is not None:
                for variable in where.untouched:
                    at_first(ground, variable)
                for variable, value in where.fixed.items():
                    fix(ground, variable, value)
                for variable, most in where.longest.items():
                    shorten(ground, variable, most)
                for condition in where.where:
                    ground.suppose(condition.text, condition.place)
                if where.whole_pack:
                    ground.suppose_pack()
                ground.settle()
        return self._untouched[name]

    def prepare(self, one: Obligation, where: Where | None) -> ProofContext:
        """Return the context of an obligation with all its names and conditions."""
        ground = self.ground(where)
        for name, value in one.pinned.items():
            if name not in one.get_named("given"):
                ground.pin(name, value)
        for name, type_ in one.get_named("given").items():
            ground.bind(name, ground.words.type(type_.text, type_.place), one.pinned.get(name))
        for name, node in one.get_named("let").items():
            expression = ground.read(text_of(node), node.place)
            ground.bind(name, expression.type, ground.tell(expression))
        for condition in one.texts("where"):
            ground.suppose(text_of(condition), condition.place)
        return ground

    def ask(self, one: Obligation, ground: ProofContext, *wanted: Truth) -> Answer:
        """Ask the solver, write the question down and get a second opinion where that is wanted."""
        answer = ground.ask(*wanted, limit=self.options.limit)
        self.asked += 1
        self.steps = max(self.steps, answer.steps)
        if self.options.export:
            name = f"{one.id}.{self.choice.edition}.{self.choice.setup}.{self.asked}.smt2"
            put(self.options.export / name, ground.text(*wanted))
        if self.options.second and (said := _ask_second(ground, answer, *wanted)):
            self._compare(one, answer.status, said)
        return answer

    def _compare(self, one: Obligation, first: str, second: str) -> None:
        """Count what a second solver says; raise `Disbelieved` where it contradicts the first."""
        if "unknown" in (first, second):
            self.unsure += 1
        elif first == second:
            self.agreed += 1
        else:
            raise Disbelieved(f"{one.id}: one solver says {first}, the other {second}")

    def refute(
        self, one: Obligation, ground: ProofContext, wrong: Truth, seen: Callable[[SolvedPosition], bool]
    ) -> ObligationResult:
        """Return that no counterexample exists, or the one found."""
        answer = self.ask(one, ground, wrong)
        if answer.status == "unknown":
            return ObligationResult(UNKNOWN, answer.reason)
        if answer.status == "unsat":
            return self.check_not_vacuous(one, ground)
        try:
            return ObligationResult(REFUTED, "", self.replay(one, ground, answer, seen))
        except Crash as crash:
            answer = self.ask(one, ground, wrong, *ground.unbroken)
            if answer.status == "sat" and ground.unbroken:
                return ObligationResult(REFUTED, "", self.replay(one, ground, answer, seen))
            return vain(f"a promise of the rules is broken before it can be expressed: {crash}")

    def check_defined(self, one: Obligation, ground: ProofContext) -> ObligationResult:
        """Return whether every expression of the question is defined at each position that it is about."""
        untold = ground.forms.any(ground.untold)
        if untold is False:
            return ObligationResult(PROVED)
        answer = self.ask(one, ground, untold, *ground.unbroken)
        if answer.status == "unsat":
            return ObligationResult(PROVED)
        if answer.status == "sat":
            return vain("a promise of the rules is broken where it is expressed")
        return ObligationResult(UNKNOWN, f"can it be expressed: {answer.reason}")

    def check_not_vacuous(self, one: Obligation, ground: ProofContext) -> ObligationResult:
        """Return that a statement is proved, unless it is vacuous or undefined somewhere.

        There has to be a position in which the interpreter sees everything supposed, and carries out the act.
        """
        answer, _ = self.witness(one, ground, partial(_carried_out, ground.act))
        if answer.status == "unsat":
            return vain("nothing is as it supposes")
        if answer.status != "sat":
            return ObligationResult(UNKNOWN, f"is there any such: {answer.reason}")
        return self.check_defined(one, ground)

    def witness(
        self, one: Obligation, ground: ProofContext, seen: Callable[[SolvedPosition], bool], *wanted: Truth
    ) -> tuple[Answer, dict[str, Json] | None]:
        """Return an answer with its replay; where that breaks a promise of the rules, ask again for a sound one."""
        answer = self.ask(one, ground, *wanted)
        try:
            return answer, self.replay(one, ground, answer, seen) if answer.status == "sat" else None
        except Crash:
            answer = self.ask(one, ground, *wanted, *ground.unbroken)
            return answer, self.replay(one, ground, answer, seen) if answer.status == "sat" else None

    def replay(
        self, one: Obligation, ground: ProofContext, answer: Answer, seen: Callable[[SolvedPosition], bool]
    ) -> dict[str, Json]:
        """Return the position of an answer, once the interpreter has replayed it and agrees with the solver."""
        phase = one.position.phase if one.position else ""
        position = ground.position(answer.model, phase)
        doubted = [expression for expression in ground.assumed if not position.holds(expression)]
        if doubted or not seen(position):
            raise Disbelieved(f"{one.id}: the interpreter does not see {position.plain()}")
        return {"rules": name_choice(self.choice), **position.plain()}

    def check_allowed(self, one: Obligation, ground: ProofContext, name: str) -> ObligationResult:
        """Return whether the legality of an act is defined everywhere, for values that are refused too."""
        facts, assumed = list(ground.facts), list(ground.assumed)
        suppose_legal(ground, action_of(ground, name))
        ground.facts, ground.assumed = facts, assumed
        return self.check_defined(one, ground)


def _ask_second(ground: ProofContext, answer: Answer, *wanted: Truth) -> str | None:
    """Return the answer of the second solver; a question with no solution is put to it with closed sums first."""
    if answer.status == "unsat" and second_opinion(ground.text(*wanted, closed=True)) == "unsat":
        return "unsat"
    return second_opinion(ground.text(*wanted))


def read_shown(one: Obligation, ground: ProofContext) -> Expression:
    """Return the claim of an obligation as an expression about a context."""
    node = one.node.fields["show"]
    return ground.read(text_of(node), node.place)


def text_of(node: Node) -> str:
    """Return an expression as it is written."""
    return {True: "True", False: "False"}.get(node.value, node.text) if isinstance(node.value, bool) else node.text


def action_of(ground: ProofContext, name: str) -> Action:
    """Return an action of the rules by its name."""
    if name not in ground.game.actions:
        raise Unknown("action", name, ground.game.actions)
    return ground.game.actions[name]


# Acts -------------------------------------------------------------------------------------------------------------


def make_act(ground: ProofContext, name: str) -> tuple[Action, SymbolicRun]:
    """Narrow a context to where somebody makes an act, and return the state after it."""
    action = action_of(ground, name)
    suppose_legal(ground, action)
    with ground.translator.noting() as noted:
        run = ground.runner().act(action, ground.values, ground.env)
    ground.act, ground.broken = action, noted
    return action, run


def suppose_legal(ground: ProofContext, action: Action) -> None:
    """Narrow a context to where an act with unknown parameters is legal for an unknown seat.

    Its seat, each parameter's values and its condition are evaluated in this order, up to the first that refuses the
    act: an undefined expression behind that one does not count.
    """
    t, first = ground.translator, len(ground.facts)
    if "me" not in ground.env:
        ground.bind("me", ground.game.types["player"])
    ground.facts.append(t.symbols.member(ground.env["me"], ground.tell(action.by, env={})))
    for parameter in action.parameters:
        with ground.telling(where=ground.forms.all(ground.facts[first:])):
            if parameter.id not in ground.env:
                ground.bind(parameter.id, parameter.type, _guess(ground, parameter))
            inside = _lie_inside(ground, parameter.domain, ground.env[parameter.id])
        ground.facts.append(inside)
    with ground.telling(where=ground.forms.all(ground.facts[first:])):
        legal = t.expression(action.legal, ground.values, ground.env)
    ground.facts.append(legal)
    ground.assumed.append(action.legal)


def _guess(ground: ProofContext, parameter: Parameter) -> Symbol | None:
    """Return the values of a parameter whose type says too little: a list of the data, the pack in order."""
    domain = parameter.domain
    if isinstance(domain.type, Orders):
        return ground.unknowns.order(parameter.id)
    if parameter.type != NUMBERS:
        return None
    values = ground.translator.expression(domain, ground.values, ground.env)
    made = ground.unknowns.of(f"which {parameter.id} of {len(values)}", Int(0, len(values) - 1))
    options = ground.translator.symbols.options(made)
    return ground.translator.symbols.choice({values[place]: truth for place, truth in options.items()})


def _lie_inside(ground: ProofContext, domain: Expression, value: Symbol) -> Truth:
    """Return whether a parameter lies in its domain."""
    t, forms = ground.translator, ground.forms
    match domain:
        case BuiltinCall(name="orders", arguments=(pack,)):
            cards = t.symbols.set(t.expression(pack, ground.values, ground.env))
            return t.symbols.equal(t.symbols.set(value), cards)
        case BuiltinCall(name="subsets", arguments=(pack, least, most)):
            cards, low, high = (t.expression(one, ground.values, ground.env) for one in (pack, least, most))
            size = forms.linear((1, bit) for bit in t.symbols.set(value).bits)
            inside = forms.all(map(forms.implies, t.symbols.set(value).bits, t.symbols.set(cards).bits))
            fits = [t.symbols.compare_order("<=", low, size), t.symbols.compare_order("<=", size, high)]
            if isinstance(most.type, Int):
                sizes = {n: forms.equal(size, n) for n in range(min(most.type.high, len(t.symbols.cards)) + 1)}
                fits.append(exactly_one(forms, list(sizes.values())))
                fits += [forms.implies(is_n, t.symbols.compare_order("<=", n, high)) for n, is_n in sizes.items()]
            return forms.all([inside, *fits])
        case _:
            return t.symbols.member(value, t.expression(domain, ground.values, ground.env))


def play_act(position: SolvedPosition, action: Action) -> State:
    """Return the state after an act, as the interpreter has it."""
    machine = position.ground.words.machine
    who = position.holds(action.by)
    if position.locals["me"] not in (who if isinstance(who, (tuple, frozenset, list, range)) else (who,)):
        raise Disbelieved(f"{action.id}: the interpreter does not let that seat act")
    built = machine.actions[action.id]
    locals_ = [position.locals["me"], *(position.locals[parameter.id] for parameter in action.parameters)]
    built.promised(position.state.values, locals_)
    return machine.run_effects(position.state, built.do, locals_)


def _carried_out(action: Action | None, position: SolvedPosition) -> bool:
    """Return True once the act of the question, if any, is carried out; raise where the interpreter crashes."""
    return action is None or bool(play_act(position, action))


def crashes(position: SolvedPosition, action: Action) -> bool:
    """Say whether an act crashes the interpreter."""
    try:
        play_act(position, action)
    except Crash:
        return True
    return False


def name_choice(choice: Choice) -> str:
    """Return the whole name of a choice: with the readings that are not those of its edition."""
    plain = dict(choose(str(choice), choice.project).readings)
    varied = [f"{key}={value}" for key, value in choice.readings if plain.get(key) != value]
    return f"{choice}[{','.join(varied)}]" if varied else str(choice)
