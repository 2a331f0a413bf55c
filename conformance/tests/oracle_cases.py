"""What the oracles are asked: every scenario under every reading that it names, and matches of the interpreter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agree import Disagreement, Moment, Opening, follow, open_match, play

from brou import Unusable, book
from brou.chance import Chance
from brou_conformance.judging.expectations import list_rules
from brou_conformance.judging.judge import Criteria, Status, Unsent, judge
from brou_conformance.protocol import Message
from brou_conformance.scenarios.corpus import scenarios
from brou_conformance.scenarios.scenario import ScriptStep
from brou_conformance.scenarios.script import Script, spell
from oracle_loader import answer
from oracle_loader import open_match as open_script

#: So many matches of each edition, but at least some of each set-up, are put to an oracle; and of each so many acts.
MATCHES = 40
LEAST = 4
ACTS = 240


@dataclass(frozen=True)
class Asked:
    """A scenario under one rule base, put to an oracle."""

    script: Script
    rules: str

    def find_fault(self) -> str:
        """Return what the oracle answers otherwise than is expected; nothing if it agrees."""
        match = open_script(self.script.choice, self.script.start)
        answers = [_answer(match, step) for step in self.script.steps]
        terms = Criteria(self.script.readings, self.script.scenario.level, codes=False, whole=True)
        for found in judge(self.script.steps, answers, terms).closely.values():
            if found.status not in _AGREES:
                return f"{self.script.scenario.id}#{found.step.id} under {self.rules}: {found.said}, not {found.wanted}"
        return ""


#: An oracle does not say who took a trick; who leads the next one, it does.
_AGREES = (Status.PASS, Status.READING, Status.UNSUPPORTED)


def _answer(match: Any, step: ScriptStep) -> Message | Unsent:
    return Unsent(Status.UNSUPPORTED, "") if step.verb == "winner" else answer(match, step.message)


def list_asked(game: str) -> Iterator[Asked]:
    """Yield the scenarios of a game in every edition and set-up, under every value of the readings that they name."""
    for one in scenarios(game):
        for choice, name in list_rules(one, game):
            try:
                yield Asked(spell(one, choice), name)
            except Unusable:  # a deal that a reading does not know
                continue


@dataclass(frozen=True)
class Played:
    """A match that the interpreter has played, put to an oracle."""

    opening: Opening
    moments: list[Moment]

    def find_fault(self) -> str:
        """Return where the oracle parts from the interpreter; nothing if it agrees throughout."""
        try:
            follow(self.opening, self.moments, Counter())
        except Disagreement as error:
            return str(error).splitlines()[-1]
        return ""


def list_played(game: str, matches: int = MATCHES) -> Iterator[Played]:
    """Yield so many matches of every edition of a game, each with a seed of its own and cut off after `ACTS` acts."""
    for edition, about in book(game).editions.items():
        for number, setup in enumerate(about.setups):
            for part in range(max(LEAST, matches // len(about.setups))):
                chance = Chance(seed := (number << 40) + part)
                opening = open_match(f"{game}@{edition}:{setup}", seed, chance)
                if opening is not None:
                    yield Played(opening, [one for one, _ in zip(play(opening, chance), range(ACTS), strict=False)])
