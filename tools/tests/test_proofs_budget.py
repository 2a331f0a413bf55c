"""What a solver may spend is counted in its own steps, so that no outcome hangs on the machine or on what was asked."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from brou import choose, house
from brou_tools.smt import solve
from brou_tools.smt.asking import PROVED, UNKNOWN, Asking, SolverOptions
from brou_tools.smt.formula import Forms
from brou_tools.smt.obligations import Obligation, obligations
from brou_tools.smt.prover import prove_obligation
from brou_tools.smt.solve import LIMIT, IncrementalSolver, second_opinion, spent_budget

pytest.importorskip("z3", reason="proofs need a solver: pip install 'brou[prove]'")

GAME = "homme-d-auvergne"
#: An obligation that takes some thousand steps or more.
HARD = "auv.result.one-seat"
#: So many steps are too few for it.
FEW = 1_000
#: Obligations about the same kinds of positions, with and without numbers, with and without an act.
SEVERAL = ("auv.trick.rating", "auv.score.lost", "auv.play.some-card", HARD)


def named(ids: Iterable[str]) -> list[Obligation]:
    """Return the obligations of some ids, in their order."""
    known = {one.id: one for one in obligations(GAME, house()).obligations}
    return [known[id_] for id_ in ids]


def outcomes(prover: Asking, ids: Iterable[str]) -> Iterator[tuple[str, str, str, int]]:
    """Yield what comes of some obligations that are asked one after the other, and the steps that they take."""
    for one in named(ids):
        found = prove_obligation(prover, one)
        yield one.id, found.status, found.reason, prover.steps


def test_a_spent_budget_is_unknown_with_its_number() -> None:
    """Who cannot answer within so many steps says so, each time alike."""
    tried = [next(outcomes(Asking(choose(GAME), SolverOptions(FEW)), [HARD])) for _ in range(2)]

    assert tried[0] == tried[1]
    assert tried[0][1:3] == (UNKNOWN, f"the solver's budget of {FEW:,} steps is spent")


def test_the_same_question_is_answered_with_a_greater_budget() -> None:
    """Only the budget was too small."""
    assert next(outcomes(Asking(choose(GAME), SolverOptions(LIMIT)), [HARD]))[1] == PROVED


# With the whole budget it guards those obligations too that need more than a few steps.
@pytest.mark.slow
@pytest.mark.parametrize("limit", [FEW, pytest.param(LIMIT, marks=pytest.mark.thorough)])
def test_what_was_asked_before_changes_nothing(limit: int) -> None:
    """An obligation alone, after others and before them comes to the same, in the same number of steps."""
    alone = {id_: next(outcomes(Asking(choose(GAME), SolverOptions(limit)), [id_])) for id_ in SEVERAL}
    order = (*SEVERAL, *SEVERAL[::-1])

    assert list(outcomes(Asking(choose(GAME), SolverOptions(limit)), order)) == [alone[id_] for id_ in order]


STEPS = f"""
from brou import choose, house
from brou_tools.smt.asking import Asking, SolverOptions
from brou_tools.smt.obligations import obligations
from brou_tools.smt.prover import prove_obligation
prover = Asking(choose({GAME!r}), SolverOptions({LIMIT}))
for one in obligations({GAME!r}, house()).obligations:
    if one.id in {SEVERAL!r}:
        print(one.id, prove_obligation(prover, one).status, prover.steps)
"""


@pytest.mark.slow
def test_another_process_takes_the_same_steps() -> None:
    """In no two processes do texts hash alike; no order that a solver sees may hang on that."""
    environments = [{**os.environ, "PYTHONHASHSEED": seed} for seed in ("1", "2")]
    said = [
        subprocess.run([sys.executable, "-P", "-c", STEPS], env=one, capture_output=True, text=True, check=True).stdout
        for one in environments
    ]

    assert said[0] == said[1]
    assert len(said[0].splitlines()) == len(SEVERAL)


def holes(forms: Forms, count: int) -> list[Any]:
    """Return that one more bird than there are holes sit in holes of their own, which takes long to refute."""
    sits = [[forms.truth(f"{bird} in {hole}") for hole in range(count)] for bird in range(count + 1)]
    facts = [forms.any(row) for row in sits]
    pairs = ((one, two, hole) for one in range(count + 1) for two in range(one) for hole in range(count))
    return [*facts, *(forms.no(forms.both(sits[one][hole], sits[two][hole])) for one, two, hole in pairs)]


def test_each_question_has_a_budget_of_its_own() -> None:
    """What one question has spent is not taken from the next, though the same solver is asked."""
    forms, asker = Forms(), IncrementalSolver()
    hard, easy = holes(forms, 9), [forms.truth("easy")]

    assert [asker.ask([], hard, FEW).reason for _ in range(2)] == [spent_budget(FEW)] * 2
    assert asker.ask([], easy, FEW).status == "sat"


def test_the_greatest_number_is_looked_for_within_a_budget_too() -> None:
    """An optimum that is not found within so many steps is unknown, with the same reason."""
    forms = Forms()
    known = holes(forms, 9)
    number = forms.linear((1, forms.truth(f"{bird} in 0")) for bird in range(9))

    found = IncrementalSolver().greatest(known, [], number, FEW)  # type: ignore[arg-type]  # a sum of what is not known

    assert (found.status, found.reason) == ("unknown", spent_budget(FEW))


def test_the_second_solver_has_a_budget_too(tmp_path: Path) -> None:
    """Where its own units are spent it has no opinion."""
    pytest.importorskip("cvc5", reason="no second solver is installed")
    prover = Asking(choose(GAME), SolverOptions(LIMIT, tmp_path))
    assert next(outcomes(prover, [HARD]))[1] == PROVED
    text = min(tmp_path.glob("*.1.smt2")).read_text(encoding="utf-8")

    assert (second_opinion(text, 10), second_opinion(text)) == ("unknown", "unsat")


class Interrupted:
    """A solver whose user has pressed Ctrl-C."""

    def __getattr__(self, name: str) -> Any:
        answers = {"check": "unknown", "reason_unknown": "interrupted from keyboard", "statistics": []}
        return lambda *_: answers.get(name)


def test_an_interrupted_run_ends() -> None:
    """Ctrl-C within a question is no answer to it: the run ends, instead of going on without a verdict."""
    with pytest.raises(KeyboardInterrupt):
        solve._check_solver(Interrupted(), LIMIT, None)  # type: ignore[arg-type]  # noqa: SLF001 - the place where a solver is asked
