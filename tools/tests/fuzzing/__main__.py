"""`make fuzz`: feed mutated inputs to everything that reads what others wrote, and tell what does not end well.

An input is named by its target and its seed: `--target rules --seed 7` feeds that one again, tells how it ended in
full and keeps it in a folder.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from fuzzing.measuring import Outcome, feed_seed, make_input
from fuzzing.pool import Task, feed_all
from fuzzing.target import Target
from fuzzing.targets import TARGETS

#: How many seeds are named of each finding, and how long one is told.
_NAMED, _LINE = 5, 300


def plan_tasks(targets: Iterable[Target], count: int, seed: int) -> list[Task]:
    """Return so many tasks with seeds that follow each other, spread over the targets by their weights."""
    chosen = list(targets)
    chance = random.Random(seed)
    names = chance.choices([one.name for one in chosen], [one.weight for one in chosen], k=count)
    return [(name, seed + number) for number, name in enumerate(names)]


def main() -> int:
    """Feed what the command line asks for; 1 if something did not end well."""
    options = _parse()
    targets: Mapping[str, Target] = {one.name: one for one in TARGETS}
    if options.target is not None and options.seed is not None and options.number is None:
        return _redo(targets[options.target], options.seed)
    seed = random.SystemRandom().randrange(10**9) if options.seed is None else options.seed
    chosen = [one for name, one in targets.items() if options.target in (None, name)]
    count = 10_000 if options.number is None else options.number
    print(f"seed {seed}: {count} inputs, {options.jobs} processes", flush=True)
    tasks = plan_tasks(chosen, count, seed)
    outcomes: list[Outcome] = []
    for outcome in feed_all(tasks, targets, options.jobs):
        outcomes.append(outcome)
        if outcome.finding:
            print(f"{outcome.target} {outcome.seed}: {outcome.finding[:_LINE]}", flush=True)
        if len(outcomes) % 1000 == 0:
            print(f"{len(outcomes)} inputs", flush=True)
    print(tell_table(outcomes), tell_speed(len(outcomes)), sep="\n")
    findings = tell_findings(outcomes)
    print(findings or "Every input ended well.")
    return 1 if findings else 0


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--target", choices=[one.name for one in TARGETS], help="only inputs of this kind")
    parser.add_argument("--seed", type=int, help="the seed of the first input; with --target alone, that very input")
    parser.add_argument("-n", dest="number", type=int, help="so many inputs (10000)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="in so many processes")
    return parser.parse_args()


def _redo(target: Target, seed: int) -> int:
    """Feed one input again, and tell how it ended."""
    folder = Path(tempfile.mkdtemp(prefix=f"fuzz-{target.name}-{seed}-"))
    given = make_input(target, seed)
    (folder / "input").write_bytes(given.data)
    print(f"{target.name} {seed}: made of {given.base}, kept as {folder / 'input'}", flush=True)
    outcome = feed_seed(target, seed)
    print(f"{outcome.word}; {outcome.cost:.2f} s of {outcome.budget:.2f} s, {outcome.growth >> 20} MB")
    print(outcome.finding or "It ended well.", outcome.told, sep="\n")
    return 1 if outcome.finding else 0


def tell_table(outcomes: Iterable[Outcome]) -> str:
    """Return a line a target: how its inputs ended, and the most that one cost."""
    by_target: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_target[outcome.target].append(outcome)
    head = ("target", "inputs", "refused", "accepted", "incomplete", "findings", "most CPU", "most memory", "covered")
    rows: list[tuple[str, ...]] = [head]
    for name, found in sorted(by_target.items()):
        words = Counter(one.word for one in found)
        covered = len(frozenset().union(*(one.seen for one in found)))
        numbers = [len(found), words["refused"], words["accepted"], words["incomplete"]]
        numbers.append(sum(1 for one in found if one.finding))
        most = f"{max(one.cost for one in found):.2f} s", f"{max(one.growth for one in found) >> 20} MB"
        rows.append((name, *map(str, numbers), *most, str(covered)))
    widths = [max(len(row[place]) for row in rows) for place in range(len(head))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)


def tell_speed(count: int) -> str:
    """Return how many inputs were fed in a second of computing, whatever it was spent on."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(one.ru_utime + one.ru_stime for one in used)
    return f"{count:,} inputs in {seconds:,.0f} s of computing, {count / seconds:.1f} a second"


def tell_findings(outcomes: Iterable[Outcome]) -> str:
    """Return each finding once, with how often it was made and how to make it again; nothing if there is none."""
    found: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.finding:
            found[outcome.target, outcome.finding].append(outcome)
    lines = []
    for (target, finding), made in sorted(found.items()):
        seeds = ", ".join(str(one.seed) for one in made[:_NAMED])
        lines.append(f"{target}: {finding[:_LINE]}: {len(made)} of its inputs: seeds {seeds}")
        lines += [f"  {line}" for line in made[0].told.strip().splitlines()[-8:]]
        lines.append(f'  make fuzz ARGS="--target {target} --seed {made[0].seed}"')
    return "\n".join(lines)


if __name__ == "__main__":
    os.environ["BROU_CACHE"] = "off"
    sys.exit(main())
