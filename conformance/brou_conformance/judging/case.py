"""A case: one scenario with the judgement of each step, and what anybody needs to understand it alone."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from brou import Choice
from brou.interpreter.dealing import hands_of
from brou.language.codec import Json
from brou_conformance.judging.judge import Judged, Judgement, Status, Unsent, worst
from brou_conformance.protocol import Data, Message, encode, shorten
from brou_conformance.scenarios.scenario import PLAY, Scenario, Step
from brou_conformance.scenarios.script import Script

#: For each request the result of each of its steps, as the program gave it, or why there is none.
Replies: TypeAlias = Sequence[Sequence["Message | Unsent"]]


def key(name: str, requests: Sequence[Message]) -> str:
    """Return what names a case and its requests by their content."""
    return hashlib.sha256(encode({"asked": [name, *requests]})).hexdigest()[:16]


def name_case(script: Script) -> str:
    """Return the edition and set-up that a script is judged for, and its scenario."""
    choice = script.choice
    return f"{choice.game}@{choice.edition}:{choice.setup} {script.scenario.id}"


@dataclass(frozen=True, slots=True)
class Extra:
    """A request that asks round an act which went another way, with its reply."""

    request: Message
    #: For each step of the request the number of the step of the script that it is, if it is one.
    numbers: tuple[int | None, ...]
    reply: Sequence[Message | Unsent]


@dataclass(slots=True)
class Case:
    """One scenario with the judgement of each step."""

    script: Script
    judgements: Sequence[Judgement]
    #: What was asked, and what came back for each request.
    requests: tuple[Message, ...] = ()
    replies: Replies = ()
    #: What was asked round acts that went another way.
    extras: tuple[Extra, ...] = ()
    #: The steps that were asked of positions of their own.
    apart: frozenset[int] = frozenset()
    #: Why the program did what fails, in its own words.
    reason: str = ""
    #: What went wrong in this suite, so that the case could not be judged.
    trace: str = ""
    #: Whether the answers are those of an earlier run.
    kept: bool = False
    #: The status of the worst step.
    status: Status = field(init=False)

    def __post_init__(self) -> None:
        self.status = Status.SUITE if self.trace else _find_worst(self.judgements)

    @property
    def telling(self) -> Collection[Judgement]:
        """Return the judgements that tell something: all but those of acts that were accepted as expected."""
        judgements = self.judgements
        return judgements.closely.values() if isinstance(judgements, Judged) else judgements

    @property
    def key(self) -> str:
        """Return what names the script and what was asked for it by their content."""
        return key(self.name, self.requests)

    @property
    def name(self) -> str:
        """Return the edition and set-up that it was judged for, and its scenario."""
        return name_case(self.script)

    @property
    def scenario(self) -> Scenario:
        """Return the scenario."""
        return self.script.scenario

    @property
    def culprit(self) -> int:
        """Return the number of the step to look at: the first that fails, else the first of the worst status."""
        statuses = [judgement.status for judgement in self.judgements]
        wanted = Status.FAIL if Status.FAIL in statuses else self.status
        return statuses.index(wanted) if wanted in statuses else 0

    def step(self, number: int) -> str:
        """Return the name of a step; of a case without steps, its own."""
        return f"{self.scenario.id}#{self.judgements[number].step.id}" if self.judgements else self.scenario.id


def _find_worst(judgements: Sequence[Judgement]) -> Status:
    if isinstance(judgements, Judged):
        return judgements.worst
    return worst([judgement.status for judgement in judgements])


# As data -----------------------------------------------------------------------------


def describe(case: Case) -> Message:
    """Return a case as data: what was found and, unless it passes, all that is needed to understand it alone."""
    scenario, status = case.scenario, case.status
    said = describe_result(scenario, case.script.choice, status)
    if status is Status.PASS:
        return said
    said["findings"] = list(findings(case))
    said |= {"title": scenario.title, "because": scenario.because, "place": str(scenario.place)}
    if case.trace:
        said["trace"] = case.trace
    if case.judgements:
        said["shown"] = _shown_step(case)
    return said


def describe_result(scenario: Scenario, choice: Choice, status: Status) -> Message:
    """Return as data what a scenario came to under some rules, and nothing of how."""
    return {
        "game": choice.game,
        "edition": choice.edition,
        "setup": choice.setup,
        "id": scenario.id,
        "status": status.value,
        "clauses": list(scenario.clauses),
        "findings": [],
    }


def findings(case: Case) -> Iterator[Message]:
    """Yield the steps of a case that do not pass, as data."""
    for number, found in enumerate(case.judgements):
        if found.status is not Status.PASS:
            yield {
                "step": case.step(number),
                "status": found.status.value,
                "said": found.said,
                "wanted": found.wanted,
                "place": str(found.step.place),
            }


def _shown_step(case: Case) -> Message:
    """Return the step to look at: what is dealt and done before it, the question and both answers, in words."""
    found = case.judgements[case.culprit]
    acts = [judgement for judgement in case.judgements[: case.culprit] if judgement.step.verb == "act"]
    shown: Message = {
        "step": case.step(case.culprit),
        "place": str(found.step.place),
        "start": list(tell_start(case.script.start)),
        "acts": [f"{tell_act(one.step)}{'' if one.said == 'accepted' else f' [{one.said}]'}" for one in acts],
        "question": tell_question(found.step),
        "said": found.said,
        "wanted": found.wanted,
    }
    return {**shown, "reason": case.reason} if case.reason else shown


def tell_start(start: Mapping[str, Json]) -> Iterator[str]:
    """Yield where a script begins: what stands before the deal, and the hands."""
    known = [f"{key} {tell_value(value)}" for key, value in start.items() if key not in ("hands", "deck", "packets")]
    if known:
        yield ", ".join(known)
    yield from (f"{seat}: {' '.join(hand)}" for seat, hand in hands_of(start).items())


def tell_act(step: Step) -> str:
    """Return an act with its seat, in words."""
    seat, act = step.deed
    name, value = next(iter(act.items()))
    what = {PLAY: f"{value}"}.get(name, name if value is True else f"{name} {tell_value(value)}")
    return f"{seat}: {what}"


def tell_question(step: Step) -> str:
    """Return what a step asks, in words."""
    if step.verb == "act":
        return f"then {tell_act(step)}"
    asked = {"legal": "what may seat {} do?", "view": "what does seat {} see?"}
    texts = {"winner": "who took the trick?", "score": "what is the score?"}
    return asked[step.verb].format(step.message[step.verb]) if step.verb in asked else texts[step.verb]


def tell_value(value: Data) -> str:
    """Return a value in words, what it is made of one after the other."""
    if isinstance(value, Mapping):
        return " ".join(tell_value(item) for item in value.values())
    return " ".join(map(tell_value, value)) if isinstance(value, (list, tuple)) else shorten(str(value))
