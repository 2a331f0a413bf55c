"""Skills: the abilities that a step needs; a program that has some of them is judged by those."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from operator import attrgetter

from brou import Game
from brou_conformance.scenarios.scenario import ScriptStep

#: All skills, in the order in which they are told.
SKILLS = ("play", "announce", "claim", "winner", "score", "view", "deal")
_ASKED = attrgetter("verb", "topics")


def find_skill(step: ScriptStep, game: Game) -> str:
    """Return the skill that a step asks for."""
    return _find(step.verb, step.topics, game)


def count_skills(steps: Iterable[ScriptStep], game: Game) -> Counter[str]:
    """Return how many steps ask for each skill."""
    found: Counter[str] = Counter()
    for (verb, topics), count in Counter(map(_ASKED, steps)).items():
        found[_find(verb, topics, game)] += count
    return found


def _find(verb: str, topics: tuple[str, ...], game: Game) -> str:
    """Return the skill of a kind of step that is about some acts; of several acts the first in the order of skills."""
    if verb in SKILLS:
        return verb
    acts = (game.actions.get(name.replace("-", "_")) for name in topics)
    skills = {act.skill for act in acts if act is not None}
    return next((skill for skill in SKILLS if skill in skills), SKILLS[0])
