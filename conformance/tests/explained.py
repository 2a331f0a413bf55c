"""How often the right clause is told first, over the zoo: by citations alone, and with the changes that fit.

python conformance/tests/explained.py [-g GAME] [NAME ...]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

from test_zoo import ANIMALS, NODE, STARTERS, Animal

from brou_conformance.judging.diagnosis import blame_clauses
from brou_conformance.programs.child import Child
from brou_conformance.programs.session import Session
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionRun
from brou_conformance.verdicts.verify import verify


def judge(animal: Animal) -> EditionRun:
    """Return what is found of a program's play of the game that it misreads."""
    starter = STARTERS[animal.program.suffix] or ""
    with Session(lambda: Child.start([starter, str(animal.program)])) as session:
        report = verify(session, Selection(animal.game))
    return next(run for run in report.runs if run.edition == animal.edition)


def tell(animal: Animal, run: EditionRun, seconds: float) -> Iterator[str]:
    """Yield what is told of a program: its clauses both ways, and every root."""
    found = run.explanation
    alone = [blame.clause for blame in blame_clauses(run.failing, run.tally.passing)]
    voted = [blame.clause for blame in run.blamed]
    roots = [root.clause for root in found.roots]
    marks = "".join("+" if names[:1] and names[0] in animal.misreads else "-" for names in (alone, voted, roots))
    whole = "whole" if found.is_whole else f"{len(found.unexplained)} of {len(run.failing)} left"
    cut = ", cut short" if found.is_cut_short else ""
    yield f"{marks} {animal.name}: {'|'.join(animal.misreads)}; {whole}{cut}; {seconds:.1f} s; {alone} {voted}"
    for root in found.roots:
        change = root.change
        yield f"      {root.clause} {root.clauses} {change.operator} {'/'.join(change.at)}"
        yield f"        {change.before} -> {change.after}"
        yield f"        explains {len(root.explains)}, breaks {root.contradicts}"
    yield from found.trace.splitlines()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of programs")
    parser.add_argument("-g", "--game", default="", help="one game alone")
    options = parser.parse_args()
    right = [0, 0, 0, 0, 0]
    for animal in ANIMALS:
        named = not options.names or any(name in animal.name for name in options.names)
        if not named or options.game not in ("", animal.game) or (animal.program.suffix == ".mjs" and not NODE):
            continue
        begun = time.process_time()
        run = judge(animal)
        print("\n".join(tell(animal, run, time.process_time() - begun)), flush=True)
        alone = blame_clauses(run.failing, run.tally.passing)
        roots = run.explanation.roots
        right[0] += 1
        right[1] += alone[0].clause in animal.misreads
        right[2] += run.blamed[0].clause in animal.misreads
        right[3] += bool(roots) and roots[0].clause in animal.misreads
        right[4] += bool(roots)
    programs, *first = right
    sys.stdout.write(f"{programs} programs; right first by citations {first[0]}, with fits {first[1]}; ")
    sys.stdout.write(f"a root for {first[3]}, its clause right for {first[2]}\n")


if __name__ == "__main__":
    main()
