"""Steps of the lowered form as formulas: symbolic execution of every branch, each write under its branch's condition.

A state after an act is one state again: each variable has the value of the branch that was taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from brou import Action, Phase
from brou.compiler import Step, Term
from brou.language.effects import Cases, Effect, Goto
from brou_tools.smt.formula import Formula, Truth
from brou_tools.smt.symbols import Symbol, Values
from brou_tools.smt.translate import Env, Translator
from brou_tools.smt.unknown import make_symbol


@dataclass(slots=True)
class SymbolicRun:
    """A state that steps change, and the phases that they lead to, each with the truth that they do."""

    values: Values
    gone: dict[str, Truth] = field(default_factory=dict)


class Runner:
    """Carries out the steps of one game."""

    def __init__(self, translator: Translator) -> None:
        self.t = translator
        self.forms = translator.forms
        self.symbols = translator.symbols
        self.game = translator.game

    def act(self, action: Action, values: Values, env: Env) -> SymbolicRun:
        """Return the state after an action and the automatic phases behind it."""
        run = SymbolicRun(values.copy())
        rest = self.steps(self.t.lower_steps(action), run, env, when=True)
        run.gone[STAYS] = rest
        return self.settle(run)

    def settle(self, run: SymbolicRun) -> SymbolicRun:
        """Carry out the automatic phases that a state has been led to, in an order in which each comes once."""
        # Automatic phases form no cycle, so in this order all ways into a phase are known when it is carried out: it is
        # done once, under the condition that any of them was taken.
        for phase in self._order():
            when = run.gone.pop(phase.id, False)
            if when is not False:
                self.steps(self.t.lower_steps(phase), run, {}, when)
        return run

    def _order(self) -> list[Phase]:
        """Return the automatic phases so that a phase stands before those that it goes to."""
        phases = self.game.phases
        found: list[str] = []

        def visit(name: str) -> None:
            if phases[name].do and name not in found:
                for after in _led_to(self.t.lower_steps(phases[name])):
                    visit(after)
                found.append(name)

        for name in phases:
            visit(name)
        return [phases[name] for name in reversed(found)]

    def steps(self, body: Sequence[Step], run: SymbolicRun, env: Env, when: Truth) -> Truth:
        """Carry out steps where a truth holds; return where they are gone through to the end."""
        inside = dict(env)
        for step in body:
            # No path comes here, and nothing behind can change the state or crash.
            if when is False:
                return False
            when = self._step(step, run, inside, when)
        return when

    def _step(self, step: Step, run: SymbolicRun, env: dict[str, Symbol], when: Truth) -> Truth:
        """Carry out a step where a truth holds; return where the steps behind it take place."""
        forms = self.forms
        match step.op:
            case "put":
                self._put(step, run, env, when)
            case "let":
                env[step.name] = self._tell(step.value, run.values, env, when)
            case "demand":
                test: Truth = self._tell(step.value, run.values, env, when)
                self.t.crash(forms.no(test), (when, None), step.promise)
            case "loop":
                # The values are listed before the first round, as the interpreter does: a round may change what they
                # were read from.
                for truth, value in self._domain(step, run, env, when):
                    self.steps(step.body, run, {**env, step.name: value}, forms.both(when, truth))
            case "cases":
                return self._cases(step, run, env, when)
            case "reset":
                self._reset(step, run, when)
            case "goto":
                run.gone[step.name] = forms.either(run.gone.get(step.name, False), when)
                return False
        return when

    def _domain(self, step: Step, run: SymbolicRun, env: Env, when: Truth) -> Sequence[tuple[Truth, Symbol]]:
        assert step.value is not None  # noqa: S101 - a loop has one
        value = self._tell(step.value, run.values, env, when)
        return self.symbols.items(self.symbols.set(value) if step.value.kind.form == "set" else value)

    def _cases(self, step: Step, run: SymbolicRun, env: Env, when: Truth) -> Truth:
        ends: list[Truth] = []
        left = when
        # A test is asked in the state before the cases. Bodies of earlier cases have changed `run` meanwhile, but under
        # conditions that exclude this one.
        before = run.values.copy()
        for test, body in step.cases:
            here: Truth = True if test is None else self._tell(test, before, env, left)
            ends.append(self.steps(body, run, env, self.forms.both(left, here)))
            left = self.forms.both(left, self.forms.no(here))
        # Steps behind the cases take place after each body that does not leave, and where no case applies.
        return self.forms.any([*ends, left])

    def _reset(self, step: Step, run: SymbolicRun, when: Truth) -> None:
        scopes = self.game.scopes[self.game.scopes.index(step.name) :]
        for name, variable in self.game.state.items():
            if variable.scope in scopes:
                fresh = make_symbol(variable.type, variable.default, self.symbols)
                run.values[name] = self.symbols.either_of(when, fresh, run.values[name])

    def _tell(self, term: Term | None, values: Values, env: Env, when: Truth) -> Symbol:
        """Return the symbol of a term where a step takes place."""
        assert term is not None  # noqa: S101 - the step has one
        return self.t.term(term, values, env, (when, None))

    # Writing ----------------------------------------------------------------------------------------------------------

    def _put(self, step: Step, run: SymbolicRun, env: Env, when: Truth) -> None:
        value, old = self._tell(step.value, run.values, env, when), run.values[step.variable]
        if step.index is None:
            run.values[step.variable] = self.symbols.either_of(when, self._limit_values(step.variable, value), old)
            return
        places = dict(self.t.places(step.index, len(old), run.values, env, (when, None)))
        part = value if isinstance(value, tuple) else (self._limit_values(step.variable, value),)
        made = list(old)
        for start, truth in places.items():
            for place, item in enumerate(part, start):
                # The place is unknown: every place keeps its old value except where it is the one that is written.
                made[place] = self.symbols.either_of(self.forms.both(when, truth), item, made[place])
        run.values[step.variable] = tuple(made)

    def _limit_values(self, variable: str, value: Symbol) -> Symbol:
        """Return a number as one of the values that its variable can have, where that may be absent too."""
        kind = self.t.lowering.kinds.of(self.game.state[variable].type)
        kind = kind.element or kind
        if isinstance(value, Formula) and kind.optional and kind.form == "number":
            return self.symbols.choice(self.symbols.options(value, range(kind.low, kind.high + 1)))
        return value


#: What leads nowhere: the action stays in its phase.
STAYS = ""


def _led_to(body: Sequence[Step]) -> list[str]:
    """Return the phases that steps may lead to, those of the branches inside them last."""
    found = [step.name for step in body if step.op == "goto"]
    for step in body:
        for inside in (step.body, *(body for _, body in step.cases)):
            found += _led_to(inside)
    return found


def leaves(body: Sequence[Effect]) -> bool:
    """Say whether every path through some effects ends in a `goto`."""
    match body[-1] if body else None:
        case Goto():
            return True
        case Cases(cases=cases):
            return any(case.when is None for case in cases) and all(leaves(case.body) for case in cases)
    return False
