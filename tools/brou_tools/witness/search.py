"""Looking for small situations: from the starts of the corpus, acts at random, never as many as are known to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from brou import Chance, Choice, Compiled, CompiledState, Json, identity, rules
from brou_conformance.metamorphic.renaming import canonical
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario
from brou_tools.questions.situation import Act, Rules, Situation, begin_states, engine, follow_act, partings

SEED = 20260101
#: Acts made in one search at most, and acts of one play at most where no difference is known.
ACTS = 800
LONGEST = 400


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search: the smallest situation found, if any, and how many plays were in vain."""

    found: Situation | None
    tried: int
    acts: int


def starts(both: Rules, key: str) -> list[dict[str, Json]]:
    """Return the starts of the scenarios that hold for two rules, those first that name the reading."""
    choice = both[0]
    found: dict[str, dict[str, Json]] = {}
    fitting = [one for one in corpus.scenarios(choice.game, choice.project) if _holds(one, choice)]
    for one in sorted(fitting, key=lambda one: key not in one.keys):
        start = {**one.deal, **one.before}
        found.setdefault(canonical(start), start)
    return list(found.values())


def _holds(one: Scenario, choice: Choice) -> bool:
    return (not one.editions or choice.edition in one.editions) and (not one.setups or choice.setup in one.setups)


def search(both: Rules, origins: Sequence[dict[str, Json]], most: int = LONGEST, acts: int = ACTS) -> SearchResult:
    """Play at random, with a limit of acts for each play and for all of them; keep the shortest difference."""
    chance, best, tried, made = Chance(SEED), None, 0, 0
    while made < acts and most >= 0:
        start = origins[tried % len(origins)]
        tried += 1
        found, count = _play_random(both, start, chance, most)
        made += count + 1
        if found is not None:
            best, most = found, len(found.acts) - 1
    return SearchResult(best, tried, made)


def _play_random(both: Rules, start: dict[str, Json], chance: Chance, most: int) -> tuple[Situation | None, int]:
    """Return where a random play distinguishes two rules, if it does, and how many acts it had."""
    acts: list[Act] = []
    states = begin_states(both, start)
    while states is not None:
        question = next(partings(both, states), None)
        if question is not None:
            return Situation(both, start, tuple(acts), question), len(acts)
        act = None if len(acts) == most else draw_act(engine(both[0]), states[0], chance)
        if act is None:
            break
        acts.append(act)
        states = follow_act(both, states, act)
    return None, len(acts)


def draw_act(played: Compiled, state: CompiledState, chance: Chance) -> Act | None:
    """Return a random act: half of the time of a kind that is drawn first, else one of all that are offered."""
    _, found = played.finder[state.PHASE](state)
    kinds = sorted({name for _, _, name, *_ in found})
    if not kinds:
        return None
    kind = chance.pick(kinds) if chance.below(2) else None
    made = played.draw(state, chance, [one for one in found if kind in (None, one[2])])
    return None if made is None else (made[1], played.write_act(made[0], made[2]))


def harmless(both: Rules, key: str, acts: int = ACTS) -> str:
    """Return why nothing distinguishes two rules: they are equal, or so much was searched; nothing if they differ."""
    if identity(rules(both[0])) == identity(rules(both[1])):
        return "harmless without bound: both values make the same rules"
    found = search(both, [{}, *starts(both, key)], acts=acts)
    if found.found is not None:
        return ""
    return f"harmless up to {found.tried} random plays of at most {LONGEST} acts, {found.acts} acts in all"
