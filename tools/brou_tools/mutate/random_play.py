"""Whether random play tells mutants that no evidence notices from the rules: both run as data, with the same acts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from brou import Choice, DataEngine, NoCompiler, Project, TooCostly, Unusable, choose, rules
from brou.games import Mutant, load_mutant

#: Random acts that are made of each; more tell hardly any mutant more apart.
ACTS = 20_000
_SEED = 1


def tell_random_play(game: str, project: Project, alive: Sequence[Mutant]) -> Mapping[str, str]:
    """Return for mutants what random play shows, by id; nothing of those that cannot be played so."""
    plain, found = choose(game, project), dict[str, str]()
    with suppress(NoCompiler, TooCostly):
        sound = DataEngine(rules(plain))
        for mutant in alive:
            if told := _tell_mutant(plain, sound, mutant):
                found[mutant.id] = told
    return found


def _tell_mutant(plain: Choice, sound: DataEngine, mutant: Mutant) -> str:
    try:
        other = DataEngine(load_mutant(plain, mutant))
    except (Unusable, TooCostly):
        return ""
    if not sound.is_like(other):
        return ""
    parted = find_parting(sound, other)
    return f"random play differs at act {parted:,}" if parted else f"{ACTS:,} random acts show no difference"


def find_parting(one: DataEngine, other: DataEngine, acts: int = ACTS) -> int:
    """Return at which random act of a seed states or offers of two engines differ for the first time; 0 if none does.

    A crash of one of them is a difference.
    """
    if not _part_within(one, other, acts):
        return 0
    alike, parted = 0, acts
    while parted - alike > 1:
        between = (alike + parted) // 2
        alike, parted = (alike, between) if _part_within(one, other, between) else (between, parted)
    return parted


def _part_within(one: DataEngine, other: DataEngine, acts: int) -> bool:
    """Say whether two engines come to other states or offers within so many acts."""
    runs = [engine.play(engine.begin(), _SEED, acts, watched=True) for engine in (one, other)]
    return runs[0] != runs[1]
