"""What acts and phases do, made for speed: short routines and loops written out, and what is left of them shared.

The lowered form says what is done; this pass says it again for an emitter whose
target would otherwise call, loop and look up as it stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from brou.compiler.lowered import Program, Step
from brou.compiler.naming import Naming, name_act, name_routine
from brou.compiler.rebuild import Rebuilding
from brou.compiler.share_steps import reading, shared_steps
from brou.compiler.terms import Terms
from brou.dataclass import replace


def quickened(program: Program) -> Program:
    """Return a program that does the same."""
    terms = Terms(len(program.cards), program.constants)
    rebuilding, reads = Rebuilding(terms, program.routines), reading(lambda name: program.routines[name].body)

    def whole(steps: Sequence[Step], given: Sequence[str] = ()) -> tuple[Step, ...]:
        # What is asked twice is kept before it is written out twice.
        return rebuilding.steps(shared_steps(terms, steps, reads, given), {})

    def done(program: Program, change: Callable[[Sequence[Step], Sequence[str]], tuple[Step, ...]]) -> Program:
        acts = {name: replace(act, do=change(act.do, act.locals)) for name, act in program.acts.items()}
        stages = {name: replace(stage, do=change(stage.do, ())) for name, stage in program.stages.items()}
        return replace(program, acts=acts, stages=stages)

    written = _named(terms, done(_named(terms, program), whole))
    return done(written, lambda steps, given: shared_steps(terms, steps, reads, given))


def _named(terms: Terms, program: Program) -> Program:
    """Return a program in which every name is bound once in each routine, act and stage."""
    return replace(
        program,
        routines={name: name_routine(terms, routine) for name, routine in program.routines.items()},
        acts={name: name_act(terms, act) for name, act in program.acts.items()},
        stages={name: replace(stage, do=Naming(terms).steps(stage.do)) for name, stage in program.stages.items()},
    )
