"""How often the right clause is told first, over the zoo: by citations alone, and with the changes that fit.

python conformance/tests/explained.py [-g GAME] [--pairs N] [NAME ...]

With `--pairs` two programs of the zoo in Python are made into one that misreads what both do, so many times.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

from test_zoo import ANIMALS, NODE, STARTERS, Animal

from brou_conformance.judging.diagnosis import blame_clauses
from brou_conformance.programs.child import Child
from brou_conformance.programs.session import Session
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionRun
from brou_conformance.verdicts.verify import verify

#: Two programs of the zoo as one: what either of them does otherwise than the program of the adapters is done.
PAIR = """
import sys
from runpy import run_path

sys.path.insert(0, {folder!r})
import twin

one, two = (run_path(name) for name in ({one!r}, {two!r}))
base = twin.{base}


def join(first, second, usual):
    parts = [part for part in (first, second) if part is not usual]
    return type("Both", tuple(parts), {{}}) if len(parts) > 1 else parts[0] if parts else usual


tables = [made["Table"] for made in (one, two)]
deal = join(*(table.deal_type for table in tables), base.deal_type)
trick = join(*(table.deal_type.trick_type for table in tables), base.deal_type.trick_type)
deal = type("Deal", (deal,), {{"trick_type": trick}})
twin.main({key}=type("Table", tuple(tables), {{"deal_type": deal}}))
"""
#: By game the class that the programs of the zoo build on, and the argument that names it.
BASES = {"brouc": ("Brouc", "brouc"), "homme-de-brou": ("HommeDeBrou", "homme_de_brou")}


def judge(animal: Animal) -> EditionRun:
    """Return what is found of a program's play of the game that it misreads."""
    starter = STARTERS[animal.program.suffix] or ""
    return ask(animal, [starter, str(animal.program)])


def ask(animal: Animal, command: list[str]) -> EditionRun:
    """Return what is found of a command's play of the game of a program."""
    with Session(lambda: Child.start(command)) as session:
        report = verify(session, Selection(animal.game))
    return next(run for run in report.runs if run.edition == animal.edition)


def judge_pair(one: Animal, two: Animal) -> EditionRun:
    """Return what is found of two programs made into one."""
    base, key = BASES[one.game]
    text = PAIR.format(folder=str(one.program.parent), one=str(one.program), two=str(two.program), base=base, key=key)
    return ask(one, [sys.executable, "-c", text])


def tell_pairs(game: str, number: int) -> None:
    """Print for some pairs of programs which of the two clauses are told, by roots and by all that is told."""
    found = [one for one in ANIMALS if one.program.suffix == ".py" and one.game in BASES and game in ("", one.game)]
    couples = [(one, two) for one, two in combinations(found, 2) if one.game == two.game]
    counts = Counter[str]()
    for one, two in Random(1).sample(couples, min(number, len(couples))):
        try:
            run = judge_pair(one, two)
        except (StopIteration, IndexError):  # two classes that cannot be joined, or do nothing otherwise together
            counts["not joined"] += 1
            continue
        roots = {root.clause for root in run.explanation.roots}
        told = roots | {blame.clause for blame in run.blamed}
        for name, clauses in (("roots", roots), ("told", told)):
            right = sum(not clauses.isdisjoint(animal.misreads) for animal in (one, two))
            counts[f"{name}: {right} of 2"] += 1
        false = [clause for clause in roots if clause not in (*one.misreads, *two.misreads)]
        counts["pairs"] += 1
        counts["pairs with a root of another clause"] += bool(false)
        counts["whole"] += run.explanation.is_whole
        print(f"{one.name} + {two.name}: roots {sorted(roots)}, told {sorted(told)}", flush=True)
    print("; ".join(f"{name} {count}" for name, count in sorted(counts.items())))


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
    parser.add_argument("--pairs", type=int, default=0, help="so many pairs of programs made into one")
    options = parser.parse_args()
    if options.pairs:
        tell_pairs(options.game, options.pairs)
        return
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
