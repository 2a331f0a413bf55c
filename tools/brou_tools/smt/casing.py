"""Cases: just one of some conditions holds, each of them can, and further conditions hold in each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from brou import Expression
from brou_tools.smt.asking import (
    REFUTED,
    UNKNOWN,
    Asking,
    ObligationResult,
    make_act,
    play_act,
    text_of,
)
from brou_tools.smt.formula import Truth
from brou_tools.smt.ground import ProofContext, SolvedPosition
from brou_tools.smt.obligations import Obligation
from brou_tools.smt.symbols import Values
from brou_tools.smt.translate import exactly_one


def prove_cases(asking: Asking, one: Obligation) -> ObligationResult:
    """Return whether just one case of a statement holds, after its act if it has one, with all its conditions."""
    ground = asking.prepare(one, one.position)
    values = make_act(ground, one.acts[0][0])[1].values if one.acts else ground.values
    return _CasesOfStatement(asking, one, ground, values).prove()


class _CasesOfStatement:
    """The cases of one statement: of each the condition that tells it, then those that hold in it."""

    def __init__(self, asking: Asking, one: Obligation, ground: ProofContext, values: Values) -> None:
        self._asking, self._one, self._ground, self._values = asking, one, ground, values
        self._read = {
            name: [ground.read(text_of(said), said.place) for said in node.items]
            for name, node in one.get_named("cases").items()
        }
        self._told = {name: [self._tell(each) for each in said] for name, said in self._read.items()}

    def prove(self) -> ObligationResult:
        """Return the first finding against the cases."""
        forms = self._ground.forms
        heads = [told[0] for told in self._told.values()]
        found = self._refute(forms.no(exactly_one(forms, heads)), self._is_not_one, "not just one of the cases holds")
        if found is not None:
            return found
        for name, (head, *rest) in self._told.items():
            answer, _ = self._asking.witness(self._one, self._ground, lambda _: True, head)
            if answer.status != "sat":
                status = REFUTED if answer.status == "unsat" else UNKNOWN
                return ObligationResult(status, f"{name}: {answer.reason or 'it is never so'}")
            for place, said in enumerate(rest, 1):
                head_read, said_read = self._read[name][0], self._read[name][place]

                def breaks(
                    position: SolvedPosition, head: Expression = head_read, said: Expression = said_read
                ) -> bool:
                    return bool(self._move(position).holds(head)) and not self._move(position).holds(said)

                found = self._refute(forms.both(head, forms.no(said)), breaks, name)
                if found is not None:
                    return found
        return self._asking.check_defined(self._one, self._ground)

    def _tell(self, said: Expression) -> Truth:
        truth: Truth = self._ground.tell(said, self._values)
        return truth

    def _refute(self, wrong: Truth, seen: Callable[[SolvedPosition], bool], reason: str) -> ObligationResult | None:
        """Return a counterexample, or that none is known; nothing where there is none."""
        answer = self._asking.ask(self._one, self._ground, wrong)
        if answer.status == "unsat":
            return None
        if answer.status != "sat":
            return ObligationResult(UNKNOWN, f"{reason}: {answer.reason}")
        found = self._asking.refute(self._one, self._ground, wrong, seen)
        return replace(found, reason=found.reason or reason)

    def _is_not_one(self, position: SolvedPosition) -> bool:
        moved = self._move(position)
        return sum(bool(moved.holds(said[0])) for said in self._read.values()) != 1

    def _move(self, position: SolvedPosition) -> SolvedPosition:
        """Return a position after the act of the statement, if it has one."""
        action = self._ground.act
        return position if action is None else replace(position, state=play_act(position, action))
