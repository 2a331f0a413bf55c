"""How well faults are told that somebody planted who has not seen what programs are explained by.

python conformance/tests/planted.py TABLE [--jobs N] [-o FILE [--resume]] [-k WORD ...] [--page FILE]

A table is a YAML list. Each entry names a program of this folder, a patch of it as `git diff` writes it (from the
folder `conformance` on, so that it begins with `--- a/adapters/...`), and for each fault that the patch plants the
clauses that are right to name, the best first:

    - program: adapters/python/adapter.py
      patch: faults/king-is-three.diff
      game: brouc
      faults:
      - [brouc.value.01]

Patches lie where the table says, from its own folder on; a program in Java is compiled with all that lies beside it.
For each program the line says whether it was caught, whether the first clause told is right for one of its faults, how
many faults are told among roots and blamed clauses, whether the roots explain every answer, and the roots that are
right for none of its faults. `-o` writes what was told as JSON, a program a line, and with `--resume` no program is
judged again whose line is there; `--page` makes a page for people out of it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from brou import Fault, Malformed, Node, Place, read
from brou.atomic import put
from brou_conformance.programs.child import Child
from brou_conformance.programs.session import Session
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionRun, EditionVerdict
from brou_conformance.verdicts.verify import verify

ROOM = Path(__file__).resolve().parents[1]
#: What programs of a language are started with.
STARTERS = {".py": sys.executable, ".mjs": "node", ".js": "node", ".java": "java"}
#: The folders that hold programs.
_PROGRAMS = ("adapters", "zoo")
#: How programs are called by the number of their faults; those with other numbers are called by it.
_KINDS = {1: "single faults", 2: "pairs", 3: "triples"}


@dataclass(frozen=True, slots=True)
class PlantedFaults:
    """A program with faults planted in it, and for each of them the clauses that are right to name."""

    program: str
    patch: Path
    game: str
    edition: str
    faults: tuple[tuple[str, ...], ...]

    @property
    def name(self) -> str:
        """Return what the program is called in lines and tables."""
        return self.patch.stem

    @property
    def digest(self) -> str:
        """Return what changes when the patch or what is right to name does."""
        about = (self.program, self.game, self.edition, self.faults, self.patch.read_text(encoding="utf-8"))
        return hashlib.sha256(repr(about).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class TellingResult:
    """What was told of such a program."""

    faults: tuple[tuple[str, ...], ...]
    caught: bool
    told: tuple[str, ...]
    roots: tuple[str, ...]
    whole: bool
    name: str = ""
    digest: str = ""

    @classmethod
    def parse(cls, line: str) -> TellingResult:
        """Return what was told, of a line that `write` has written."""
        fields = json.loads(line)
        lists = {key: tuple(fields[key]) for key in ("told", "roots")}
        return cls(**{**fields, **lists, "faults": tuple(map(tuple, fields["faults"]))})

    def write(self) -> str:
        """Return it as a line of JSON."""
        return json.dumps(asdict(self))

    @property
    def first(self) -> str:
        """Return the first clause told; nothing if none is."""
        return next(iter((*self.roots, *self.told)), "")

    @property
    def is_right_first(self) -> bool:
        """Say whether the first clause told is right for one of the faults."""
        return any(self.first in clauses for clauses in self.faults)

    @property
    def found(self) -> int:
        """Return how many of the faults have a right clause among all that is told."""
        return sum(not set(clauses).isdisjoint((*self.roots, *self.told)) for clauses in self.faults)

    @property
    def rooted(self) -> int:
        """Return how many of the faults have a right clause among the roots."""
        return sum(not set(clauses).isdisjoint(self.roots) for clauses in self.faults)

    @property
    def false(self) -> tuple[str, ...]:
        """Return the roots that are right for none of the faults."""
        return tuple(one for one in self.roots if all(one not in clauses for clauses in self.faults))

    @property
    def kind(self) -> str:
        """Return which sort of program it is, by the number of its faults."""
        return _KINDS.get(len(self.faults), f"programs with {len(self.faults)}")

    def line(self) -> str:
        """Return the line of the table."""
        caught = "caught" if self.caught else "missed"
        first = f"first {self.first or 'nothing'} ({'right' if self.is_right_first else 'wrong'})"
        whole = "whole" if self.whole else "in part"
        false = f"; false: {', '.join(self.false)}" if self.false else ""
        told = f"told {self.found} of {len(self.faults)}"
        return f"{self.name}: {caught}; {first}; {told}; {whole}{false}"


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
        command = build(planted, Path(folder))
        with Session(lambda: Child.start(command)) as session:
            runs = verify(session, Selection(planted.game, planted.edition)).runs
    return tell(planted, runs)


def build(planted: PlantedFaults, folder: Path) -> list[str]:
    """Make a copy of a program with its patch in a folder, and return what starts it."""
    for name in _PROGRAMS:
        if planted.program.startswith(name):
            shutil.copytree(ROOM / name, folder / name)
    apply_patch(planted, folder)
    program = folder / planted.program
    starter = STARTERS[program.suffix]
    if program.suffix != ".java":
        return [starter, str(program)]
    compile_ = ["javac", "-d", str(folder), *sorted(map(str, program.parent.glob("*.java")))]
    done = subprocess.run(compile_, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Malformed([Fault(Place(str(planted.patch), 1, 1), f"it cannot be compiled: {done.stderr.strip()}", "")])
    return [starter, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", str(folder), program.stem]


def apply_patch(planted: PlantedFaults, folder: Path, *, only_try: bool = False) -> None:
    """Plant the faults in the programs below a folder, or only try; raise `Malformed` where the patch does not fit."""
    apply = ["git", "apply", "--unidiff-zero", "--unsafe-paths", f"--directory={folder}", str(planted.patch.resolve())]
    tried = [*apply, "--check"] if only_try else apply
    done = subprocess.run(tried, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Malformed([Fault(Place(str(planted.patch), 1, 1), f"it cannot be applied: {done.stderr.strip()}", "")])


def tell(planted: PlantedFaults, runs: Sequence[EditionRun]) -> TellingResult:
    """Return what some runs tell of a program."""
    failing = [run for run in runs if run.verdict is EditionVerdict.DEVIATES]
    roots = tuple(dict.fromkeys(root.clause for run in failing for root in run.explanation.roots))
    told = tuple(dict.fromkeys(blame.clause for run in failing for blame in run.blamed))
    whole = bool(failing) and all(run.explanation.is_whole for run in failing)
    return TellingResult(planted.faults, bool(failing), told, roots, whole, planted.name, planted.digest)


# Figures --------------------------------------------------------------------------------------------------------------


def summarise(results: Iterable[TellingResult]) -> str:
    """Return the figures of some programs in a line."""
    every = list(results)
    faults = sum(len(one.faults) for one in every)
    exact = [one for one in every if one.whole]
    return (
        f"{len(every)} programs with {faults} faults: {sum(one.caught for one in every)} caught, "
        f"{sum(one.is_right_first for one in every)} right first, {sum(one.found for one in every)} faults told, "
        f"{sum(one.found == len(one.faults) for one in every)} programs with all told, "
        f"{len(exact)} explained as a whole, {sum(bool(one.false) for one in exact)} of these with a false root"
    )


def group(results: Iterable[TellingResult]) -> Mapping[str, Sequence[TellingResult]]:
    """Return what was told of programs by the number of their faults, the fewest first."""
    found: dict[str, list[TellingResult]] = {}
    for one in sorted(results, key=lambda one: len(one.faults)):
        found.setdefault(one.kind, []).append(one)
    return found


def lines(
    table: Sequence[PlantedFaults], known: Mapping[str, TellingResult], jobs: int, kept: Path | None
) -> Iterator[str]:
    """Yield a line for each program as soon as it is judged, then the figures; keep what was told in a file."""
    results = [known[planted.digest] for planted in table if planted.digest in known]
    left = [planted for planted in table if planted.digest not in known]
    with ProcessPoolExecutor(jobs) as pool:
        for result in pool.map(judge, left):
            results.append(result)
            if kept is not None:
                put(kept, "".join(f"{one.write()}\n" for one in results))
            yield result.line()
    for kind, some in group(results).items():
        yield f"{kind}: {summarise(some)}"


_HEAD = """# Planted faults

How well `brou verify` names faults that somebody planted in the example programs: from the source texts and the
programs alone, without sight of [the changes that explain programs](judging.md#what-explains-the-failures), with the
clauses that are right to name written down beforehand. Of a table of 133 (`conformance/tests/planted_faults`) these are
the first 31 programs, and some that were drawn by chance.

**This is no blind measurement.** Whoever wrote the changes read what 36 of these faults are, and coded two of the
changes and two scenarios after that. The first programs were judged before these scenarios were there, and before
effects bore the clause of their variable. Another table, of as many, has not been opened.

*First* is the first clause that a report names. Faults are *told* if it names a right clause for them at all. It
explains a program as a *whole* if the changes that it names account for every answer; a *false* change is right for
none of the faults.

`conformance/tests/planted.jsonl` holds the results. `python conformance/tests/planted.py
conformance/tests/planted_faults/table.yaml -o RESULTS --page PAGE` judges all of the table, some five seconds of
computing each, and makes both.
"""


def write_page(results: Sequence[TellingResult]) -> str:
    """Return a page with the figures and every program, those first of which least was told."""
    text = [_HEAD, "## Figures\n"]
    text += ["| programs | | caught | right first | faults told | all told | whole | of these with a false change |"]
    text += ["|---|---|---|---|---|---|---|---|"]
    for kind, some in group(results).items():
        exact = [one for one in some if one.whole]
        counts = (
            len(some),
            sum(one.caught for one in some),
            sum(one.is_right_first for one in some),
            f"{sum(one.found for one in some)} of {sum(len(one.faults) for one in some)}",
            sum(one.found == len(one.faults) for one in some),
            len(exact),
            sum(bool(one.false) for one in exact),
        )
        text.append(f"| {kind} | {' | '.join(map(str, counts))} |")
    text += [
        "",
        "## Programs\n",
        "| program | right to name | first | told | whole | false |",
        "|---|---|---|---|---|---|",
    ]
    for one in sorted(results, key=lambda one: (one.caught, one.is_right_first, one.found / len(one.faults), one.name)):
        right = "; ".join(" or ".join(clauses) for clauses in one.faults)
        first = f"{one.first}{'' if one.is_right_first else ', wrong'}" if one.caught else "not caught"
        told = f"{one.found} of {len(one.faults)}"
        whole = "yes" if one.whole else "no"
        text.append(f"| {one.name} | {right} | {first} | {told} | {whole} | {', '.join(one.false)} |")
    return "\n".join(text) + "\n"


def read_results(path: Path) -> dict[str, TellingResult]:
    """Return what a file has of programs that were judged, by what stands for each; of no file nothing."""
    if not path.is_file():
        return {}
    found = map(TellingResult.parse, path.read_text(encoding="utf-8").splitlines())
    return {one.digest: one for one in found}


def main() -> None:
    """Print the table, and write it where that is asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path, help="the YAML list of programs with faults")
    parser.add_argument("-o", "--output", type=Path, help="keep what is told in this file, a program a line")
    parser.add_argument("--resume", action="store_true", help="judge no program again that the file has")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="judge so many at a time")
    parser.add_argument("--page", type=Path, help="write a page for people of what the file of -o has")
    parser.add_argument("-k", dest="words", action="append", default=[], help="those with this in their name alone")
    options = parser.parse_args()
    table = [one for one in read_table(options.table) if all(word in one.name for word in options.words)]
    known = read_results(options.output) if options.output and options.resume else {}
    for line in lines(table, known, options.jobs, options.output):
        print(line, flush=True)
    if options.page and options.output:
        put(options.page, write_page(list(read_results(options.output).values())))


if __name__ == "__main__":
    main()
