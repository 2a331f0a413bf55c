"""How time and memory grow with the work: deals, cases, readings, mutants, each number of them in a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle, islice

from brou import (
    Choice,
    Crash,
    DataEngine,
    Game,
    Impossible,
    Machine,
    Unusable,
    book,
    choose,
    house,
    patch_rules,
    rules,
    with_readings,
)
from brou.games import list_mutants, load_mutant, sample_mutants
from brou_conformance.scenarios.script import Script
from brou_tools.bench.patches import BROU
from brou_tools.mutate.fates import passes
from brou_tools.mutate.quick import list_scripts
from brou_tools.mutate.random_play import find_parting

#: The work of each curve, from the least to the most; deals go on by tens up to a number that is asked for.
SIZES = {
    "deals": (1_000,),
    "cases": (10, 100, 1_000),
    "readings": (1, 10, 30),
    "mutants": (1, 10, 30),
}
#: Random acts of a rule base that is compared with the house's.
_ACTS, _SEED = 2_000, 1
#: Mutants that are drawn, some of which do not load.
_DRAWN = 200
_KILO, _TEN = 1024, 10


@dataclass(frozen=True, slots=True)
class GrowthPoint:
    """So much work, the seconds of computing that its process took, and the megabytes that it held at its peak."""

    size: int
    seconds: float
    megabytes: float


def measure_growth(game: str, curve: str, sizes: Sequence[int]) -> Iterator[GrowthPoint]:
    """Yield the points of a curve, each measured over the whole life of a process of its own."""
    for size in sizes:
        yield measure_process(size, _simulate(game, size) if curve == "deals" else _ask(curve, game, size))


def list_sizes(curve: str, largest: int) -> list[int]:
    """Return the sizes of a curve; of deals the powers of ten up to the largest number."""
    sizes = list(SIZES[curve])
    while curve == "deals" and sizes[-1] * _TEN <= largest:
        sizes.append(sizes[-1] * _TEN)
    return sizes


def measure_process(size: int, asked: Sequence[str]) -> GrowthPoint:
    """Return what a process with some arguments of Python takes; raise `Crash` where it fails."""
    quiet = subprocess.DEVNULL
    child = subprocess.Popen([sys.executable, *asked], stdin=quiet, stdout=quiet, stderr=quiet)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise Crash(f"a process that was measured ended with {child.returncode}: {' '.join(asked)}")
    return GrowthPoint(size, round(used.ru_utime + used.ru_stime, 2), round(used.ru_maxrss / _KILO, 1))


def _simulate(game: str, size: int) -> list[str]:
    """Return what plays so many deals of the first set-up of a game; its name alone would mean each edition."""
    return [*BROU, "simulate", str(choose(game, house())), "--deals", str(size), "--json"]


def _ask(curve: str, game: str, size: int) -> list[str]:
    return ["-c", f"from brou_tools.bench.growth import work; work({json.dumps(curve)}, {json.dumps(game)}, {size})"]


def work(curve: str, game: str, size: int) -> None:
    """Do so much work of a curve."""
    plain = choose(game, house())
    if curve == "cases":
        _judge_cases(plain, size)
    else:
        engine = DataEngine(rules(plain))
        for other in islice(_change_rules(plain, curve), size):
            find_parting(engine, DataEngine(other), _ACTS)


def _judge_cases(plain: Choice, size: int) -> None:
    machines: dict[Choice, Machine] = {}
    scripts: Sequence[Script] = list_scripts(plain)
    for script in islice(cycle(scripts), size):
        player = machines.setdefault(script.choice, Machine(rules(script.choice)))
        if not passes(player, script, whole=False):
            raise Crash(f"the rules do not answer {script.scenario.id} as it expects")


def _change_rules(plain: Choice, curve: str) -> Iterator[Game]:
    """Yield rules with another reading, or with a mutant, over and over."""
    if curve == "mutants":
        drawn = sample_mutants(list_mutants(patch_rules(plain)), _DRAWN, _SEED)
        for mutant in cycle(drawn):
            with suppress(Unusable):
                yield load_mutant(plain, mutant)
        return
    readings = book(plain.game, plain.project).readings
    others = [(key, value) for key, own in plain.readings for value in readings[key].values if value != own]
    for key, value in cycle(others):
        with suppress(Impossible):
            yield rules(with_readings(plain, {key: value}))
