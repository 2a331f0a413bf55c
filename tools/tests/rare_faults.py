"""How many matches find rare faults: taken as they come, and chosen for what few matches have reached.

python -P tools/tests/rare_faults.py [--write]

Faults are changes of the rules, drawn from all that `brou verify` explains programs by. A fault is found by the first
match in which the changed rules answer otherwise. Rare are those that ten matches of other seeds do not find. With
`--write` the table goes to `docs/fuzzing.md`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from brou import Chance, Change, changes, choose
from brou_conformance.fitting.comparison import ShownSteps, StepBudget, compare
from brou_conformance.fitting.slices import Slice, VariedGround
from brou_conformance.judging.judge import Criteria
from brou_tools.fuzz.command import CANDIDATES, ROUND
from brou_tools.fuzz.coverage import choose_rarest
from brou_tools.fuzz.drawing import DrawnMatch, MatchSetting, draw_match
from brou_tools.fuzz.scripts import write_script

PAGE = Path(__file__).parents[2] / "docs" / "fuzzing.md"
NAMES = ("brouc@2022", "homme-d-auvergne@1665:4", "hombre@danish:3")
#: Matches of a sequence, faults that are drawn of each game, and the matches that a fault is not rare after.
MATCHES, FAULTS, OFTEN = 100, 120, 10
SEED, OTHER = 1, 1_000_000
#: Every match is compared to its end.
BUDGET = StepBudget(10**12)


def take(setting: MatchSetting, first: int) -> Iterator[DrawnMatch]:
    """Yield matches as they come."""
    yield from (draw_match(setting, first + number) for number in range(MATCHES))


def choose_all(setting: MatchSetting, first: int) -> Iterator[DrawnMatch]:
    """Yield matches as `brou fuzz` chooses them."""
    reached, fresh = Counter[str](), Counter[str]()
    for number in range(MATCHES):
        if number % ROUND == 0:
            reached, fresh = reached + fresh, Counter()
        seeds = range(first + number * CANDIDATES, first + (number + 1) * CANDIDATES)
        match, found = choose_rarest(setting, seeds, reached)
        fresh.update(found)
        yield match


def follow(ground: VariedGround, matches: Iterator[DrawnMatch]) -> list[Slice]:
    """Return matches as the rules play them, with all questions."""
    found = []
    for match in matches:
        script = write_script(match)
        course = ground.follow(script)
        if course is not None:
            found.append(Slice(script, course, course.told, (1 << len(script.steps)) - 1, 0))
    return found


def find(ground: VariedGround, change: Change, slices: Sequence[Slice]) -> int:
    """Return by which match a fault is found; one more than there are if by none."""
    player = ground.rules.vary([change])
    for number, one in enumerate(slices, 1):
        shown = ShownSteps.find(ground.rules, one.course, [change])
        if shown.steps and compare(player, shown, one, ground.terms, BUDGET) < len(one.answers):
            return number
    return len(slices) + 1


def measure(name: str) -> str:
    """Return the row of a game."""
    choice = choose(name)
    ground = VariedGround(choice, Criteria(dict(choice.readings), codes=False))
    plain, directed = MatchSetting((choice,)), MatchSetting((choice,), scenarios=True)
    chance = Chance(SEED)
    drawn = chance.shuffle(list(changes(ground.rules.game)))[:FAULTS]
    other = follow(ground, take(plain, OTHER))
    rare = [change for change in drawn if find(ground, change, other) > OFTEN]
    as_they_come, chosen = (
        [find(ground, change, slices) for change in rare]
        for slices in (follow(ground, take(plain, SEED)), follow(ground, choose_all(directed, SEED)))
    )
    pairs = [pair for pair in zip(as_they_come, chosen, strict=True) if min(pair) <= MATCHES]
    counts = [sum(number <= MATCHES for number in found) for found in (as_they_come, chosen)]
    middles = [f"{median(one[place] for one in pairs):.0f}" for place in (0, 1)]
    sooner = sum(two < one for one, two in pairs), sum(one < two for one, two in pairs)
    cells = [name, len(pairs), *counts, *middles, sooner[1], sooner[0]]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> int:
    """Print the table, or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("names", nargs="*", default=NAMES)
    options = parser.parse_args()
    rows = []
    for name in options.names:
        rows.append(measure(name))
        print(rows[-1], flush=True)
    if options.write:
        text = PAGE.read_text(encoding="utf-8")
        table = re.compile(r"(?<=\n\|---\|---:\|---:\|---:\|---:\|---:\|---:\|---:\|\n)(?:\|.*\n)*")
        PAGE.write_text(table.sub("".join(f"{row}\n" for row in rows), text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
