"""The cost of a patch: beside the same from scratch, beside a bare interpreter, beside its cost in an older commit."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from brou import Crash, Folder, Impossible, Node, Project, Unusable, choose, patch_rules
from brou.compiler import Program
from brou.compiler import memo as lowering
from brou.compiler.lower import lower
from brou.games import FRAME, list_mutants, sample_mutants, vary_one_reading
from brou.language import apply_patches, load_rules
from brou.language.memo import TypingMemo
from brou_tools.bench import mutants as bench_mutants
from brou_tools.bench.against import ask, looping, surroundings

#: How often both are timed, in turn; the median counts.
_ROUNDS = 5
#: How many mutants are drawn for a round.
_MUTANTS = 30
#: What is hoped for: of a patch beside the same from scratch, and beside the commit.
_SHARED = 0.1
#: So many times a bare interpreter's start may `brou check` take after one edit.
_EDITED = 8
#: What part of the time of a commit the check of everything may take, and how often both are done.
_WHOLE, _CHECKS = 0.25, 3
#: What runs a command of whatever version is found first.
BROU = ("-c", "import sys; from brou_tools.cli import main; sys.exit(main())")


@dataclass(frozen=True, slots=True)
class Share:
    """The part of some time that something takes, and on which work."""

    what: str
    value: float
    target: float
    work: str


# Beside itself --------------------------------------------------------------------------------------------------------


def shares(game: str, folder: Folder = None) -> Iterator[Share]:
    """Yield the rows of a game: its mutants, its other readings, and an edit of its rules."""
    choice = choose(game, folder)
    rules = patch_rules(choice)
    wrong = [apply_patches(rules, [one.patch]) for one in sample_mutants(list_mutants(rules), _MUTANTS, 1)]
    what = "loading and lowering a {} over doing it afresh"
    yield Share(what.format("mutant"), _measure_shared(rules, wrong), _SHARED, f"{len(wrong)} mutants")
    other = [patch_rules(one) for _, one in vary_one_reading(choice)]
    work = f"{len(other)} rule bases that differ in one reading"
    yield Share(what.format("reading"), _measure_shared(rules, other), _SHARED, work)
    yield Share(
        "checking after an edit over python -c pass",
        _measure_edit(game, choice.project),
        _EDITED,
        "all games and their scenarios",
    )


def _measure_shared(rules: Node, variants: Sequence[Node]) -> float:
    """Return the time of variants of rules that were just loaded and lowered over that of each from scratch."""
    found = []
    for _ in range(_ROUNDS):
        typed, lowered = TypingMemo(), lowering.LoweringMemo()
        known = _lower_rules(rules, typed, lowered)
        begun = time.process_time()
        ours = [_lower_rules(node, typed, lowered) for node in variants]
        between = time.process_time()
        theirs = [_lower_rules(node, TypingMemo(), lowering.LoweringMemo()) for node in variants]
        ended = time.process_time()
        same = all((one is None) == (other is None) for one, other in zip(ours, theirs, strict=True))
        if not same or known is None:
            raise Crash("rules are not the same from the memo: the figures would compare different work")
        found.append((between - begun) / (ended - between))
    return statistics.median(found)


def _lower_rules(rules: Node, typed: TypingMemo, lowered: lowering.LoweringMemo) -> Program | None:
    """Return a rule base in the lowered form, or None where the rules are at fault."""
    try:
        return lower(load_rules(rules, None, typed), (), lowered)
    except Unusable:
        return None


def _measure_edit(game: str, project: Project) -> float:
    """Return the time of checking everything after an edit of a game over that of an interpreter that does nothing."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        shutil.copytree(project.data, data)
        if project.scenarios.is_dir() and not (data / "scenarios").is_dir():
            shutil.copytree(project.scenarios, data / "scenarios")
        environment = {**os.environ, "BROU_CACHE": str(Path(folder) / "cache")}
        check = [*BROU, "check", str(data)]
        time_interpreter(check, environment)
        found = []
        for number in range(_ROUNDS):
            with find_rules(data / "games" / game).open("a", encoding="utf-8") as file:
                file.write(f"# edit {number}\n")
            found.append(time_interpreter(check, environment) / time_interpreter(["-c", "pass"], environment))
    return statistics.median(found)


def find_rules(folder: Path) -> Path:
    """Return the rules file in the folder of a game, or the frame of its chapters."""
    return next(path for name in ("rules.yaml", FRAME) if (path := folder / name).exists())


def time_interpreter(arguments: Sequence[str], environment: Mapping[str, str]) -> float:
    """Return the processor time of an interpreter with some arguments, in seconds."""
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-P", *arguments], env=dict(environment), capture_output=True, check=False)
    after = getrusage(RUSAGE_CHILDREN)
    if done.returncode:
        raise Crash(f"{' '.join(arguments)} ended with {done.returncode}: {done.stdout.decode(errors='replace')[:200]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# Beside a commit ------------------------------------------------------------------------------------------------------


def mutants_against(game: str, before: Path, now: Path, *, rounds: int = _ROUNDS, count: int = _MUTANTS) -> Share:
    """Return how loading and lowering mutants of a game compares in two versions, each in a folder."""
    with ExitStack() as stack:
        words = (bench_mutants.__file__, game, str(count))
        sides = [(stack.enter_context(looping(folder, *words)), folder) for folder in (before, now)]
        pairs = [[ask(*side) for side in sides] for _ in range(rounds)]
    if any(one["lowered"] != other["lowered"] for one, other in pairs):
        raise Impossible(f"{game} has other mutants in that version")
    value = sum(other["seconds"] for _, other in pairs) / sum(one["seconds"] for one, _ in pairs)
    number = sum(len(one["lowered"]) for one, _ in pairs)
    return Share("loading and lowering a mutant over the commit", value, _SHARED, f"{number} mutants")


def check_against(before: Path, now: Path, *, rounds: int = _CHECKS) -> Share:
    """Return how checking everything compares in two versions, with nothing remembered."""
    off = {"BROU_CACHE": "off"}
    pairs = [
        [time_interpreter([*BROU, "check"], {**surroundings(folder), **off}) for folder in (before, now)]
        for _ in range(rounds)
    ]
    value = statistics.median(other / one for one, other in pairs)
    work = "nothing remembered; what was {:.1f} s is {:.1f}".format(*map(statistics.median, zip(*pairs, strict=True)))
    return Share("checking everything over the commit", value, _WHOLE, work)
