"""Detours: steps behind an act that went another way are put as positions, or without that act."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from brou import Json, Machine
from brou_conformance.judging.case import Case, Extra
from brou_conformance.judging.judge import Judgements, Status, StepJudgement, Unsent, judge_step, leads_astray
from brou_conformance.programs.capabilities import find_positions, hear
from brou_conformance.programs.detour import Instead, find_detours
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message, encode
from brou_conformance.scenarios.script import machine
from brou_conformance.verdicts.inquiry import Inquiry

#: How many acts of one script are gone round, and how many ways are tried for each.
_ACTS, _WAYS = 6, 3

Reply = Sequence["Message | Unsent"]


def ask_round(inquiry: Inquiry, case: Case, session: Session, known: Mapping[bytes, Reply] | None = None) -> Case:
    """Return a case with more answers to the steps that are behind an act which went another way.

    Replies that are `known` from an earlier run are not requested again.
    """
    found = _DetourSearch(inquiry, dict(_by_number(case)), session, dict(known or {}))
    if case.trace or not found.behind:
        return case
    found.take_positions()
    found.take_detours()
    judgements = Judgements(inquiry.script.steps, inquiry.gather(case.replies), found.judgements)
    return replace(case, judgements=judgements, extras=tuple(found.extras))


def _by_number(case: Case) -> Iterable[tuple[int, StepJudgement]]:
    judgements = case.judgements
    return judgements.closely.items() if isinstance(judgements, Judgements) else enumerate(judgements)


@dataclass(slots=True)
class _DetourSearch:
    """The judgements of a script so far; answers found by detours replace those behind an act."""

    inquiry: Inquiry
    #: Of all steps but acts that were accepted as expected.
    judgements: dict[int, StepJudgement]
    session: Session
    #: Replies by request, those of an earlier run to begin with: the same is not asked again.
    known: dict[bytes, Reply]
    extras: list[Extra] = field(default_factory=list)

    @property
    def player(self) -> Machine:
        """Return the rules."""
        return machine(self.inquiry.script.choice, self.inquiry.data)

    @property
    def behind(self) -> set[int]:
        """Return the steps without an answer so far."""
        return {number for number, found in self.judgements.items() if found.status is Status.BEHIND}

    def take_positions(self) -> None:
        """Ask the steps that can be put as positions by themselves."""
        inquiry = self.inquiry
        if "position" not in inquiry.hello.can:
            return
        behind = self.behind
        for number, query in find_positions(inquiry.script, inquiry.hello, self.player):
            if number in behind:
                reply = self._ask(inquiry.request(query.messages, query.start), tuple(query.numbers))
                for asked, answer in zip(query.numbers, reply, strict=True):
                    if asked is not None:
                        self._settle(asked, hear(inquiry.script.steps[asked], answer))

    def take_detours(self) -> None:
        """Ask by scripts that lead round one act after the other."""
        # What the program was not asked is left out of every other script as well.
        instead: Instead = dict.fromkeys(self.inquiry.projection.unsent)
        for _ in range(_ACTS):
            lost = self._find_lost(instead)
            if lost is None or not self.behind:
                return
            ways = find_detours(self.inquiry.script, self.player, instead, lost)
            instead = next(
                (way.instead for way in islice(ways, _WAYS) if self._go(way.messages, way.numbers)),
                {**instead, lost: None},
            )

    def _find_lost(self, instead: Instead) -> int | None:
        """Return the first act that went another way and is not led round yet."""
        astray = (number for number, found in self.judgements.items() if leads_astray(found) and number not in instead)
        return min(astray, default=None)

    def _go(self, messages: Sequence[Mapping[str, Json]], numbers: tuple[int | None, ...]) -> bool:
        """Ask a script that leads round an act; say whether it told anything."""
        behind = self.behind
        reply = self._ask(self.inquiry.request(messages, self.inquiry.script.start), numbers)
        told = False
        for message, number, answer in zip(messages, numbers, reply, strict=True):
            if isinstance(answer, Unsent):
                break
            if number not in behind:
                if "act" in message and "ok" not in answer and self._is_accepted(number):
                    break
                continue
            told = True
            if leads_astray(self._settle(number, answer)):
                break
        return told

    def _is_accepted(self, number: int | None) -> bool:
        return number is None or self.inquiry.script.steps[number].accepted

    def _settle(self, number: int, answer: Message | Unsent) -> StepJudgement:
        """Judge a step by an answer, unless there is none."""
        if isinstance(answer, Unsent):
            return self.judgements[number]
        found = judge_step(number, self.inquiry.script.steps[number], answer, self.inquiry.terms)
        self.judgements[number] = found
        return found

    def _ask(self, request: Message, numbers: tuple[int | None, ...]) -> Reply:
        """Return the reply to a request, the same twice over, or that there is none."""
        written = encode(request)
        if written not in self.known:
            self.known[written] = self._ask_twice(request)
        reply = self.known[written]
        self.extras.append(Extra(request, numbers, reply))
        return reply

    def _ask_twice(self, request: Message) -> Reply:
        first, second = self.session.runs([request, request])
        return first if first == second else [_CHANGING] * len(first)


_CHANGING = Unsent(Status.BLOCKED, "asked twice, it answers otherwise")
