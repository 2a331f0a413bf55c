"""A case: one scenario with the judgement of each step."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from brou_conformance.judging.judge import Judgement, Status, Unsent, worst
from brou_conformance.protocol import Message, encode
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.scenarios.script import Script


def key(script: Script, requests: Sequence[Message]) -> str:
    """Return what names a script and its requests by their content."""
    named = [script.scenario.id, str(script.choice), *requests]
    return hashlib.sha256(encode({"asked": named})).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Case:
    """One scenario with the judgement of each step."""

    script: Script
    judgements: tuple[Judgement, ...]
    #: What was asked.
    requests: tuple[Message, ...] = ()
    #: Why the program did what fails, in its own words.
    reason: str = ""

    @property
    def key(self) -> str:
        """Return what names the script and what was asked for it by their content."""
        return key(self.script, self.requests)

    @property
    def status(self) -> Status:
        """Return the status of the worst step."""
        return worst(judgement.status for judgement in self.judgements)

    @property
    def name(self) -> str:
        """Return the edition and set-up that it was judged for, and its scenario."""
        choice = self.script.choice
        return f"{choice.game}@{choice.edition}:{choice.setup} {self.scenario.id}"

    @property
    def wire(self) -> list[str]:
        """Return what the program answered, a line a step."""
        lines = []
        for judgement in self.judgements:
            answer = judgement.answer
            said = answer.why if isinstance(answer, Unsent) else encode(answer).decode("ascii").rstrip()
            lines.append(f"{judgement.step.id}: {judgement.status.value}: {said}")
        return lines

    @property
    def scenario(self) -> Scenario:
        """Return the scenario."""
        return self.script.scenario

    @property
    def culprit(self) -> int:
        """Return the number of the step to look at: the first that fails, else the first of the worst status."""
        statuses = [judgement.status for judgement in self.judgements]
        return statuses.index(Status.FAIL if Status.FAIL in statuses else self.status) if statuses else 0

    def step(self, number: int) -> str:
        """Return the name of a step."""
        return f"{self.scenario.id}#{self.judgements[number].step.id}"
