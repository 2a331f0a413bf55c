"""Skills: the abilities that a step needs; a program that has some of them is judged by those."""

from __future__ import annotations

from operator import attrgetter
from typing import TypeAlias

from brou import Game
from brou_conformance.scenarios.scenario import Verb

#: All skills, in the order in which they are told.
SKILLS = ("play", "announce", "claim", "winner", "score", "view", "deal")
#: What a step does or asks, and the acts that it is about.
StepKind: TypeAlias = tuple[Verb, tuple[str, ...]]
#: Returns the kind of a step.
name_kind = attrgetter("verb", "topics")


def find_skill(kind: StepKind, game: Game) -> str:
    """Return the skill that a kind of step asks for: of those that its acts need, the first in the order of skills."""
    verb, topics = kind
    if verb in SKILLS:
        return verb
    acts = (game.actions.get(name.replace("-", "_")) for name in topics)
    skills = {act.skill for act in acts if act is not None}
    return next((skill for skill in SKILLS if skill in skills), SKILLS[0])
