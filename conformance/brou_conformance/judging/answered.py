"""Answered scripts: what a program said to each step of a script, for whoever looks for rules that say the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Judgements, Unsent
from brou_conformance.protocol import Message
from brou_conformance.scenarios.script import Script


@dataclass(frozen=True, slots=True)
class AnsweredScript:
    """A script with the program's answer to each of its steps."""

    script: Script
    answers: Sequence[Message | Unsent]
    apart: frozenset[int]
    #: The place of its case in the order of the run.
    number: int = -1

    @property
    def asks_positions_only(self) -> bool:
        """Say whether all its questions were of positions, so that the acts between them hold as the rules do."""
        return bool(self.apart) and all(
            number in self.apart or isinstance(answer, Unsent) for number, answer in enumerate(self.answers)
        )

    @classmethod
    def of(cls, case: Case, number: int = -1) -> AnsweredScript:
        """Return the answers to the script of a case in the course of play, without answers gathered by detours."""
        judgements = case.judgements
        answers = judgements.answers if isinstance(judgements, Judgements) else [found.answer for found in judgements]
        return cls(case.script, answers, case.apart, number)
