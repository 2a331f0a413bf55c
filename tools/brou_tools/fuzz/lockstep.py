"""Lock-step: a match is put to a program as a script, and its answers are compared with those of the rules.

A process keeps one session with the program; it gets and gives back plain data, so that any process will do.
"""

from __future__ import annotations

import atexit
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from brou import Folder, begin
from brou_conformance.fitting.behaviour import find_differences
from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Status, Unsent
from brou_conformance.judging.reasons import DisputedAnswer
from brou_conformance.programs.child import Child, Failure
from brou_conformance.programs.containment import Bounds
from brou_conformance.programs.in_process import opener
from brou_conformance.programs.session import Hello, Limits, Opener, Session
from brou_conformance.protocol import Message
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import ScriptStep
from brou_conformance.scenarios.script import Script, machine
from brou_conformance.verdicts.inquiry import Inquiry
from brou_tools.fuzz.coverage import choose_rarest
from brou_tools.fuzz.drawing import MatchSetting
from brou_tools.fuzz.scripts import write_script

#: The statuses of a match in which a program did not answer.
MISHAPS = (Status.CRASH, Status.TIMEOUT, Status.PROTOCOL)


@dataclass(frozen=True, slots=True)
class ProgramUnderTest:
    """The program under test, and the time and memory that it may take."""

    command: tuple[str, ...] = ()
    #: A class in this process instead of a command.
    python: str | None = None
    bounds: Bounds = field(default_factory=lambda: Bounds(None, None))
    limits: Limits = field(default_factory=Limits)

    def open(self) -> Session:
        """Return a session with the program; the first question starts it."""
        return Session(self._opener, self.limits)

    @property
    def _opener(self) -> Opener:
        if self.python:
            return opener(self.python)
        return lambda: Child.start(self.command, self.bounds)


@dataclass(frozen=True, slots=True)
class Finding:
    """A difference between a program and the rules: the acts that lead to it, the step, and what both say.

    A mishap (the program ended, or was silent, or spoke otherwise than the protocol has it) is a finding as well.
    """

    setup: str
    seed: int
    start: Mapping[str, Any]
    #: The acts that the rules accept, and the question at their end.
    messages: tuple[Message, ...]
    said: Message
    wanted: Message
    #: How it is another answer, what it is about, and the code of the refusal, of the first difference; it tells
    #: findings apart as long as nothing explains them.
    behaviour: tuple[str, str, str]
    #: A mishap in words.
    mishap: str = ""

    @property
    def disputed(self) -> DisputedAnswer:
        """Return the question at its end with both answers."""
        *acts, last = self.messages
        return DisputedAnswer(self.start, list_acts(acts), last, self.said, self.wanted, self.behaviour[1])


@dataclass(frozen=True, slots=True)
class MatchTask:
    """A match to be played: the seeds of which one is chosen by what matches have reached so far."""

    subject: ProgramUnderTest
    setting: MatchSetting
    seeds: tuple[int, ...]
    reached: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match: the chosen seed, the things reached, the questions, and the first difference if any."""

    seed: int
    reached: frozenset[str]
    status: str
    asked: int
    finding: Finding | None = None
    #: Why the program cannot be used any more, if so.
    unusable: str = ""


def play_match(task: MatchTask) -> MatchResult:
    """Choose a match, ask it, and compare."""
    match, reached = choose_rarest(task.setting, task.seeds, task.reached)
    script = write_script(match, task.setting.data)
    with open_conversation(task.subject) as session:
        hello = session.hello()
        if isinstance(hello, Failure):
            return MatchResult(match.seed, reached, Status.BLOCKED.value, 0, unusable=hello.what)
        case = ask_script(script, hello, session, task.setting.data)
        asked = sum(one.status not in _UNASKED for one in case.judgements)
        finding = find_finding(case, match.seed, task.setting)
        unusable = "" if session.unusable is None else session.unusable.what
    return MatchResult(match.seed, reached, case.status.value, asked, finding, unusable)


_UNASKED = frozenset({Status.UNSUPPORTED, Status.SKIP, Status.BLOCKED, Status.BEHIND})


def ask_script(script: Script, hello: Hello, session: Session, data: Folder = None) -> Case:
    """Return a judged script; a question that fails is put twice."""
    inquiry = Inquiry.of(script, hello, data)
    case = inquiry.judge(list(session.runs(inquiry.requests)))
    return inquiry.confirm(case, session) if case.status is Status.FAIL else case


def find_finding(case: Case, seed: int, setting: MatchSetting) -> Finding | None:
    """Return the first difference or mishap of a case; None if there is none."""
    judgements = case.judgements
    wanted = (Status.FAIL,) if any(one.status is Status.FAIL for one in judgements) else MISHAPS
    place = next((number for number, one in enumerate(judgements) if one.status in wanted), None)
    if place is None:
        return None
    script, judgement = case.script, judgements[place]
    acts = [dict(one.step.message) for one in judgements[:place] if one.step.accepted]
    last = dict(judgement.step.message)
    if judgement.status is not Status.FAIL:
        acts, last = [dict(step.message) for step in script.steps if step.accepted], {"score": True}
        behaviour = (judgement.status.value, "", "")
        told: Message = {}
        return Finding(script.choice.setup, seed, script.start, (*acts, last), told, told, behaviour, judgement.said)
    answer = judgement.answer
    said: Message = {} if isinstance(answer, Unsent) else answer
    told = answer_by_rules(script, place, setting)
    return Finding(
        script.choice.setup, seed, script.start, (*acts, last), said, told, describe(judgement.step, said, told)
    )


def describe(step: ScriptStep, said: Message, told: Message) -> tuple[str, str, str]:
    """Return how an answer is another one: the direction, the act or key, and the code by which the rules refuse."""
    first = next(find_differences(step, said, told), None)
    direction, what = ("tells", step.verb) if first is None else (first[0].value, first[1])
    return direction, what, str(told.get("no", ""))


def answer_by_rules(script: Script, place: int, setting: MatchSetting) -> Message:
    """Return the answer of the rules to a step of a script, the acts before it carried out."""
    player = machine(script.choice, setting.data)
    state = begin(player, script.start)
    for step in script.steps[:place]:
        if step.verb == "act":
            _, state = take(player, state, step.message)
    return take(player, state, script.steps[place].message)[0]


# Sessions -------------------------------------------------------------------------------------------------------------


class _Conversation:
    """A session that stays open from match to match, and is begun anew once its program has used up its restarts."""

    def __init__(self, subject: ProgramUnderTest) -> None:
        self.subject = subject
        self.session = subject.open()

    def __enter__(self) -> Session:
        return self.session

    def __exit__(self, *error: object) -> None:
        if self.session.unusable is not None and self.session.left is None:
            self.session.close()
            self.session = self.subject.open()


_OPEN: dict[ProgramUnderTest, _Conversation] = {}


def open_conversation(subject: ProgramUnderTest) -> _Conversation:
    """Return this process's conversation with a program."""
    if subject not in _OPEN:
        _OPEN[subject] = _Conversation(subject)
    return _OPEN[subject]


def close_conversations() -> None:
    """End every program that this process has started."""
    while _OPEN:
        _OPEN.popitem()[1].session.close()


atexit.register(close_conversations)


def list_acts(messages: Sequence[Message]) -> list[tuple[int, Mapping[str, Any]]]:
    """Return the acts of messages, each with its seat."""
    return [(one["by"], one["act"]) for one in messages if "act" in one]
