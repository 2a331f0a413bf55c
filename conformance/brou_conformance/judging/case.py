"""A case: one scenario with the judgement of each step, and everything needed to understand it alone."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal, TypeAlias

from brou import Choice, Json, hands_of
from brou.shapes import ABSENT, Absent, Defined, Limit, shape
from brou_conformance.judging.judge import Judgements, Status, StepJudgement, Unsent, worst
from brou_conformance.protocol import Data, Message, encode, shorten
from brou_conformance.scenarios.scenario import PLAY, Scenario, ScriptStep
from brou_conformance.scenarios.script import Script

#: For each request the result of each of its steps, as the program gave it, or why there is none.
Replies: TypeAlias = Sequence[Sequence["Message | Unsent"]]


def key(name: str, requests: Sequence[Message]) -> str:
    """Return a hash of a case's name and requests."""
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
    judgements: Sequence[StepJudgement]
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
    def telling(self) -> Collection[StepJudgement]:
        """Return the judgements that tell something: all but those of acts that were accepted as expected."""
        judgements = self.judgements
        return judgements.closely.values() if isinstance(judgements, Judgements) else judgements

    @property
    def key(self) -> str:
        """Return a hash that names the script and the requests by their content."""
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


def _find_worst(judgements: Sequence[StepJudgement]) -> Status:
    if isinstance(judgements, Judgements):
        return judgements.worst
    return worst([judgement.status for judgement in judgements])


# As data -----------------------------------------------------------------------------


@shape()
class StepReport:
    """A step that does not pass."""

    step: Annotated[str, "the name of the step, SCENARIO#STEP"]
    status: Annotated[Status, "its status"]
    said: Annotated[str, "what the program said, in words"]
    wanted: Annotated[str, "what the rules say"]
    place: Annotated[str, "the line of the scenario's file"] | Absent = ABSENT


@shape()
class ShownReport:
    """The step to look at, with the deal and the acts before it."""

    step: Annotated[str, "the name of the step"]
    place: Annotated[str, "the line of the scenario's file"]
    start: Annotated[tuple[str, ...], "the values set before the deal, and the hands"]
    acts: Annotated[tuple[str, ...], "the acts before the step"]
    question: Annotated[str, "what is asked"]
    said: Annotated[str, "what the program says"]
    wanted: Annotated[str, "what the rules say"]
    reason: Annotated[str, "why, in the program's own words"] | Absent = ABSENT


@shape()
class UnsentReport:
    """Why a step has no answer."""

    unsent: Annotated[Status, "the status of the step"]
    why: Annotated[str, "the reason"]


_Answer: TypeAlias = Annotated[UnsentReport | Annotated[Message, Limit(without="unsent")], Defined("answer")]
_Answers: TypeAlias = tuple[_Answer, ...]


@shape()
class ExtraReport:
    """Questions asked around an act that went another way."""

    request: Annotated[Message, "what was asked"]
    steps: Annotated[
        tuple[int | None, ...],
        "for each step of the request, its number in the script; null if it is not in the script",
    ]
    reply: Annotated[_Answers, "the results"]


@shape(any_of=[("key", "requests", "replies"), ("key", "answers")])
class CaseReport:
    """The result of a scenario and, unless it passes, all that is needed to understand it."""

    kind: Literal["case"] = "case"
    game: Annotated[str, "the game"]
    edition: Annotated[str, "the edition that it was judged for"]
    setup: Annotated[str, "the set-up that it was judged for"]
    id: Annotated[str, "the scenario"]
    status: Annotated[Status, "the status of its worst step"]
    clauses: Annotated[tuple[str, ...], "the clauses and open questions that it cites, the most specific first"]
    findings: Annotated[tuple[StepReport, ...], "every step that does not pass"]
    title: Annotated[str, "what the scenario shows"] | Absent = ABSENT
    because: Annotated[str, "why the rules demand it"] | Absent = ABSENT
    place: Annotated[str, "the file and line of the scenario"] | Absent = ABSENT
    trace: Annotated[str, "what went wrong in the suite, so that the case could not be judged"] | Absent = ABSENT
    shown: ShownReport | Absent = ABSENT
    key: Annotated[str, Limit(pattern="^[0-9a-f]{16}$"), "a hash of what was asked"] | Absent = ABSENT
    requests: Annotated[tuple[Message, ...], "the requests, without `op` and `id`"] | Absent = ABSENT
    replies: Annotated[tuple[_Answers, ...], "for each request, its results, or why there are none"] | Absent = ABSENT
    extras: (
        Annotated[tuple[ExtraReport, ...], "further questions, asked around acts that went another way"] | Absent
    ) = ABSENT
    answers: Annotated[_Answers, "in the first format: for each step, its answer, or why there is none"] | Absent = (
        ABSENT
    )


def describe(case: Case) -> CaseReport:
    """Return a case as data: questions and answers and, unless it passes, everything that explains it."""
    found = describe_result(case.scenario, case.script.choice, case.status)
    if case.status is not Status.PASS:
        found = replace(
            found,
            findings=tuple(_report_steps(case)),
            title=case.scenario.title,
            because=case.scenario.because,
            place=str(case.scenario.place),
            trace=case.trace or ABSENT,
            shown=_shown_step(case) if case.judgements else ABSENT,
        )
    extras = tuple(
        ExtraReport(request=one.request, steps=one.numbers, reply=_report_answers(one.reply)) for one in case.extras
    )
    return replace(
        found,
        key=case.key,
        requests=tuple(case.requests),
        replies=tuple(map(_report_answers, case.replies)),
        extras=extras or ABSENT,
    )


def describe_result(scenario: Scenario, choice: Choice, status: Status) -> CaseReport:
    """Return the result of a scenario under some rules as data, without its findings."""
    return CaseReport(
        game=choice.game,
        edition=choice.edition,
        setup=choice.setup,
        id=scenario.id,
        status=status,
        clauses=tuple(scenario.clauses),
        findings=(),
    )


def read_answers(answers: Iterable[UnsentReport | Message]) -> list[Message | Unsent]:
    """Return answers that were reported."""
    return [Unsent(one.unsent, one.why) if isinstance(one, UnsentReport) else one for one in answers]


def _report_answers(answers: Iterable[Message | Unsent]) -> tuple[UnsentReport | Message, ...]:
    return tuple(UnsentReport(unsent=one.status, why=one.why) if isinstance(one, Unsent) else one for one in answers)


def _report_steps(case: Case) -> Iterator[StepReport]:
    """Yield the steps of a case that do not pass."""
    for number, found in enumerate(case.judgements):
        if found.status is not Status.PASS:
            yield StepReport(
                step=case.step(number),
                status=found.status,
                said=found.said,
                wanted=found.wanted,
                place=str(found.step.place),
            )


def _shown_step(case: Case) -> ShownReport:
    """Return the step to look at in words: the deal and the acts before it, the question and both answers."""
    found = case.judgements[case.culprit]
    acts = [judgement for judgement in case.judgements[: case.culprit] if judgement.step.verb == "act"]
    return ShownReport(
        step=case.step(case.culprit),
        place=str(found.step.place),
        start=tuple(tell_start(case.script.start)),
        acts=tuple(f"{tell_act(one.step)}{'' if one.said == 'accepted' else f' [{one.said}]'}" for one in acts),
        question=tell_question(found.step),
        said=found.said,
        wanted=found.wanted,
        reason=case.reason or ABSENT,
    )


def tell_start(start: Mapping[str, Json]) -> Iterator[str]:
    """Yield the start of a script in words: the accounts before the deal, and the hands."""
    known = [f"{key} {tell_value(value)}" for key, value in start.items() if key not in ("hands", "deck", "packets")]
    if known:
        yield ", ".join(known)
    yield from (f"{seat}: {' '.join(hand)}" for seat, hand in hands_of(start).items())


def tell_act(step: ScriptStep) -> str:
    """Return an act with its seat, in words."""
    seat, act = step.deed
    name, value = next(iter(act.items()))
    what = {PLAY: f"{value}"}.get(name, name if value is True else f"{name} {tell_value(value)}")
    return f"{seat}: {what}"


def tell_question(step: ScriptStep) -> str:
    """Return the question of a step in words."""
    if step.verb == "act":
        return f"then {tell_act(step)}"
    asked = {"legal": "what may seat {} do?", "view": "what does seat {} see?"}
    texts = {"winner": "who took the trick?", "score": "what is the score?"}
    return asked[step.verb].format(step.message[step.verb]) if step.verb in asked else texts[step.verb]


def tell_value(value: Data) -> str:
    """Return a value in words, its members one after the other."""
    if isinstance(value, Mapping):
        return " ".join(tell_value(item) for item in value.values())
    return " ".join(map(tell_value, value)) if isinstance(value, (list, tuple)) else shorten(str(value))
