"""How well faults are told that somebody planted who has not seen what programs are explained by.

python conformance/tests/planted.py TABLE [-o FILE]

A table is a YAML list. Each entry names a program of this folder, a patch of it as `git diff` writes it (from the
folder `conformance` on, so that it begins with `--- a/adapters/...`), and for each fault that the patch plants the
clauses that are right to name, the best first:

    - program: adapters/python/adapter.py
      patch: faults/king-is-three.diff
      game: brouc
      faults:
      - [brouc.value.01]

Patches lie where the table says, from its own folder on. For each program the line says whether it was caught, whether
the first clause told is right for one of its faults, how many faults are told among roots and blamed clauses, whether
the roots explain every answer, and the roots that are right for none of its faults.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from brou import Fault, Malformed, Node, read
from brou.atomic import put
from brou_conformance.programs.child import Child
from brou_conformance.programs.session import Session
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict
from brou_conformance.verdicts.verify import verify

ROOM = Path(__file__).resolve().parents[1]
#: What programs of a language are started with.
STARTERS = {".py": sys.executable, ".mjs": "node", ".js": "node"}
#: The folders that hold programs.
_PROGRAMS = ("adapters", "zoo")


@dataclass(frozen=True, slots=True)
class PlantedFaults:
    """A program with faults planted in it, and for each of them the clauses that are right to name."""

    program: str
    patch: Path
    game: str
    edition: str
    faults: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class TellingResult:
    """What was told of such a program."""

    planted: PlantedFaults
    caught: bool
    first: str
    told: tuple[str, ...]
    roots: tuple[str, ...]
    whole: bool

    @property
    def is_right_first(self) -> bool:
        """Say whether the first clause told is right for one of the faults."""
        return any(self.first in clauses for clauses in self.planted.faults)

    @property
    def found(self) -> int:
        """Return how many of the faults have a right clause among all that is told."""
        return sum(not set(clauses).isdisjoint((*self.roots, *self.told)) for clauses in self.planted.faults)

    @property
    def false(self) -> tuple[str, ...]:
        """Return the roots that are right for none of the faults."""
        return tuple(one for one in self.roots if all(one not in clauses for clauses in self.planted.faults))

    def line(self) -> str:
        """Return the line of the table."""
        caught = "caught" if self.caught else "missed"
        first = f"first {self.first or 'nothing'} ({'right' if self.is_right_first else 'wrong'})"
        whole = "whole" if self.whole else "in part"
        false = f"; false: {', '.join(self.false)}" if self.false else ""
        told = f"told {self.found} of {len(self.planted.faults)}"
        return f"{self.planted.patch.name}: {caught}; {first}; {told}; {whole}{false}"


def read_table(path: Path) -> list[PlantedFaults]:
    """Return the entries of a table; raise `Malformed` for what is no such entry."""
    return [_read_entry(node, path) for node in read(path).items]


def _read_entry(node: Node, table: Path) -> PlantedFaults:
    for key in ("program", "patch", "game", "faults"):
        if node.get(key) is None:
            raise Malformed([Fault(node.place, f"an entry without {key!r}", "name program, patch, game and faults")])
    program, patch = node.string("program"), table.parent / node.string("patch")
    if not (ROOM / program).is_file() or Path(program).suffix not in STARTERS:
        raise Malformed([Fault(node.fields["program"].place, f"{program!r} is no program of {ROOM.name}", "")])
    if not patch.is_file():
        raise Malformed([Fault(node.fields["patch"].place, f"there is no patch {patch}", "")])
    faults = tuple(tuple(clause.text for clause in one.items) for one in node.fields["faults"].items)
    if not faults or not all(faults):
        raise Malformed([Fault(node.fields["faults"].place, "a fault needs a clause", "write a list of lists")])
    return PlantedFaults(program, patch, node.string("game"), node.string("edition"), faults)


def judge(planted: PlantedFaults) -> TellingResult:
    """Return what is told of a program, from a copy of all programs with its patch."""
    with TemporaryDirectory() as folder:
        for name in _PROGRAMS:
            shutil.copytree(ROOM / name, Path(folder) / name)
        command = [
            "git",
            "apply",
            "--unidiff-zero",
            "--unsafe-paths",
            f"--directory={folder}",
            str(planted.patch.resolve()),
        ]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Malformed([Fault(read(planted.patch).place, f"it cannot be applied: {done.stderr.strip()}", "")])
        program = Path(folder) / planted.program
        with Session(lambda: Child.start([STARTERS[program.suffix], str(program)])) as session:
            runs = verify(session, Selection(planted.game, planted.edition)).runs
    return tell(planted, runs)


def tell(planted: PlantedFaults, runs: Sequence[EditionRun]) -> TellingResult:
    """Return what some runs tell of a program."""
    failing = [run for run in runs if run.verdict is EditionVerdict.DEVIATES]
    roots = tuple(dict.fromkeys(root.clause for run in failing for root in run.explanation.roots))
    told = tuple(dict.fromkeys(blame.clause for run in failing for blame in run.blamed))
    whole = bool(failing) and all(run.explanation.is_whole for run in failing)
    return TellingResult(planted, bool(failing), next(iter((*roots, *told)), ""), told, roots, whole)


def summarise(results: Iterable[TellingResult]) -> str:
    """Return the figures of a table in a line."""
    every = list(results)
    faults = sum(len(one.planted.faults) for one in every)
    exact = [one for one in every if one.whole]
    return (
        f"{len(every)} programs with {faults} faults: {sum(one.caught for one in every)} caught, "
        f"{sum(one.is_right_first for one in every)} right first, {sum(one.found for one in every)} faults told, "
        f"{sum(one.found == len(one.planted.faults) for one in every)} programs with all told, "
        f"{len(exact)} explained as a whole, {sum(bool(one.false) for one in exact)} of these with a false root"
    )


def lines(table: Sequence[PlantedFaults]) -> Iterator[str]:
    """Yield a line for each program as soon as it is judged, then the figures."""
    results = []
    for planted in table:
        results.append(judge(planted))
        yield results[-1].line()
    yield summarise(results)


def main() -> None:
    """Print the table, and write it where that is asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path, help="the YAML list of programs with faults")
    parser.add_argument("-o", "--output", type=Path, help="write the lines into this file too")
    options = parser.parse_args()
    told = []
    for line in lines(read_table(options.table)):
        print(line, flush=True)
        told.append(f"{line}\n")
    if options.output:
        put(options.output, "".join(told))


if __name__ == "__main__":
    main()
