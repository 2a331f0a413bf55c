"""Optimises the steps of acts and phases: short routines and loops are inlined, common subexpressions shared.

The lowered form states the effects; this pass restates them for an emitter whose target would otherwise call, loop and
look up literally.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from brou.compiler.cse_steps import reading, share_steps
from brou.compiler.lowered import Program, Step
from brou.compiler.naming import Naming, name_act, name_routine
from brou.compiler.rebuild import Rebuilding
from brou.compiler.term_builder import TermBuilder
from brou.dataclass import replace


def optimise(program: Program) -> Program:
    """Return a program that does the same."""
    terms = TermBuilder(len(program.cards), program.constants)
    rebuilding, reads = Rebuilding(terms, program.routines), reading(lambda name: program.routines[name].body)

    def whole(steps: Sequence[Step], given: Sequence[str] = ()) -> tuple[Step, ...]:
        # What is asked twice is kept before it is written out twice.
        return rebuilding.steps(share_steps(terms, steps, reads, given), {})

    def map_steps(program: Program, change: Callable[[Sequence[Step], Sequence[str]], tuple[Step, ...]]) -> Program:
        acts = {name: replace(act, do=change(act.do, act.locals)) for name, act in program.acts.items()}
        stages = {name: replace(stage, do=change(stage.do, ())) for name, stage in program.stages.items()}
        return replace(program, acts=acts, stages=stages)

    written = _name_locals(terms, map_steps(_name_locals(terms, program), whole))
    return map_steps(written, lambda steps, given: share_steps(terms, steps, reads, given))


def _name_locals(terms: TermBuilder, program: Program) -> Program:
    """Return a program in which every name is bound once in each routine, act and stage."""
    return replace(
        program,
        routines={name: name_routine(terms, routine) for name, routine in program.routines.items()},
        acts={name: name_act(terms, act) for name, act in program.acts.items()},
        stages={name: replace(stage, do=Naming(terms).steps(stage.do)) for name, stage in program.stages.items()},
    )
