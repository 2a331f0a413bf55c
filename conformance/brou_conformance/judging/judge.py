"""Judging: the answers of a program compared with the expected ones.

Everything here is a function of its arguments. An answer is compared with the pattern of the step; an answer that
cannot be compared has a status of its own, so that no step passes without a question.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, overload

from brou import Json
from brou_conformance.protocol import Data, Message, shorten
from brou_conformance.scenarios.scenario import Level, Pattern, ScriptStep, write_form


class Status(StrEnum):
    """The result of a step, from the best to the worst; a case counts by its worst step."""

    PASS = "pass"  # noqa: S105 - no password
    #: An earlier act of the script went another way, and nothing leads round it.
    BEHIND = "behind"
    #: There is no answer: the program was lost before.
    BLOCKED = "blocked"
    #: The program does not declare that it can do this.
    UNSUPPORTED = "unsupported"
    #: The program said that it cannot do this.
    SKIP = "skip"
    #: Other than expected where nothing is demanded.
    READING = "reading"
    FAIL = "fail"
    #: Not a message of the protocol.
    PROTOCOL = "protocol"
    TIMEOUT = "timeout"
    CRASH = "crash"
    #: Not judged, through a fault of this suite.
    SUITE = "suite"

    @property
    def rank(self) -> int:
        """Return how bad it is, 0 for a pass."""
        return _RANKS[self]


_RANKS = {status: number for number, status in enumerate(Status)}


def worst(statuses: Iterable[Status]) -> Status:
    """Return the worst status; of nothing at all, `blocked`."""
    return max(set(statuses), key=_RANKS.__getitem__, default=Status.BLOCKED)


_PASSED = {Status.PASS}


@dataclass(frozen=True, slots=True)
class Unsent:
    """Why a step has no answer: it was not asked, or the program did not answer it."""

    status: Status
    why: str


@dataclass(slots=True)  # not frozen: one is made for each step of each script, and freezing would double that cost
class StepJudgement:
    """A step with its status; the answer of the program and that of the rules are put into words on demand."""

    step: ScriptStep
    status: Status
    answer: Message | Unsent
    wish: Pattern | None
    #: Said instead of the answer, where that is no answer at all.
    why: str = ""
    #: The values of the step's reading that the answer is consistent with.
    values: frozenset[str] = frozenset()

    @property
    def said(self) -> str:
        """Return the program's answer in words."""
        if self.why:
            return self.why
        if isinstance(self.answer, Unsent):
            return self.answer.why
        return _tell_answer(self.answer, self.wish or next(iter(self.step.values.values()), None))

    @property
    def wanted(self) -> str:
        """Return the answer of the rules in words."""
        wish = self.wish
        return "nothing is said of this reading" if wish is None else tell_result(wish.key, wish.value, wish.hides)


#: Tells of a step by its number the codes of all duties that its act breaks.
Duties: TypeAlias = Callable[[int], frozenset[str]]


@dataclass(slots=True)
class Criteria:
    """The criteria that a case is judged by."""

    readings: Mapping[str, str]
    level: Level = "must"
    #: Whether the program names the reason of a refusal.
    codes: bool = True
    #: The acts that it knows; None if it knows those of the rules.
    acts: frozenset[str] | None = None
    #: The steps that do not hang on how others are answered, nor others on them.
    apart: frozenset[int] = frozenset()
    #: Whether every key of a view or score that a scenario names must be told; of a program nobody can ask that.
    whole: bool = False
    #: The codes of all duties that the act of a step breaks, by the number of the step.
    duties: Duties | None = None


@dataclass(slots=True)
class Judgements(Sequence[StepJudgement]):
    """The judgements of a script, step by step.

    Most steps are acts that were accepted as expected; their judgements are
    made when somebody asks for them, which in a long run nobody does.
    """

    steps: Sequence[ScriptStep]
    answers: Sequence[Message | Unsent]
    #: The judgements of all other steps, by number.
    closely: dict[int, StepJudgement]

    @overload
    def __getitem__(self, number: int) -> StepJudgement: ...

    @overload
    def __getitem__(self, number: slice) -> list[StepJudgement]: ...

    def __getitem__(self, number: int | slice) -> StepJudgement | list[StepJudgement]:
        if isinstance(number, slice):
            return [self[one] for one in range(*number.indices(len(self)))]
        place = range(len(self))[number]
        step = self.steps[place]
        return self.closely.get(place) or StepJudgement(step, Status.PASS, self.answers[place], step.expected)

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def worst(self) -> Status:
        """Return the worst status; of no step at all, `blocked`."""
        if not self.closely:
            return Status.PASS if self.steps else Status.BLOCKED
        statuses = {judgement.status for judgement in self.closely.values()}
        return Status.PASS if statuses == _PASSED else worst(statuses)


def judge(steps: Sequence[ScriptStep], answers: Sequence[Message | Unsent], terms: Criteria) -> Judgements:
    """Judge a whole script; once the course of play is not the expected one, later steps are behind that."""
    closely: dict[int, StepJudgement] = {}
    lost = False
    for number, (step, answer) in enumerate(zip(steps, answers, strict=True)):
        if step.accepted and answer == _OK and not lost:
            continue
        if lost and number not in terms.apart and not isinstance(answer, Unsent):
            judgement = _leave_open(step, Status.BEHIND, answer, terms, "an earlier step went another way")
        else:
            judgement = judge_step(number, step, answer, terms)
        lost = lost or (number not in terms.apart and leads_astray(judgement))
        closely[number] = judgement
    return Judgements(steps, answers, closely)


def _leave_open(
    step: ScriptStep, status: Status, answer: Message | Unsent, terms: Criteria, why: str = ""
) -> StepJudgement:
    return StepJudgement(step, status, answer, step.choose_pattern(terms.readings), why)


def leads_astray(judgement: StepJudgement) -> bool:
    """Say whether play goes on otherwise than expected: an act refused for accepted, or one without an answer.

    A step that did not go to the program does not count: the script was made so that the rest holds without it.
    """
    wanted, answer = judgement.wish, judgement.answer
    if judgement.step.verb != "act" or judgement.status is Status.UNSUPPORTED:
        return False
    if judgement.status is Status.SKIP and wanted is not None and wanted.key == "no":
        return False
    return isinstance(answer, Unsent) or wanted is None or wanted.key not in answer


def judge_step(number: int, step: ScriptStep, answer: Message | Unsent, terms: Criteria) -> StepJudgement:
    """Judge one answer of the protocol's form, or say why there is none."""
    if isinstance(answer, Unsent):
        return _leave_open(step, answer.status, answer, terms)
    if not step.values and step.expected is not None and len(answer) == 1 and matches(answer, step.expected, terms):
        return _pass_or_unknown(step, answer, step.expected, terms)
    if "skip" in answer:
        return _leave_open(step, Status.SKIP, answer, terms, _tell_value(answer["skip"]))
    if "err" in answer:
        return _leave_open(step, Status.CRASH, answer, terms, f"an error: {_tell_value(answer['err'])}")
    kinds = ("ok", "no") if step.verb == "act" else (step.verb,)
    if not any(kind in answer for kind in kinds):
        return _leave_open(
            step, Status.PROTOCOL, answer, terms, f"{_tell_value(list(answer))} for an answer to {step.verb}"
        )
    wanted = step.choose_pattern(terms.readings)
    values = _NONE
    if step.values:
        values = frozenset(value for value, pattern in step.values.items() if matches(answer, pattern, terms))
    if wanted is not None and (matches(answer, wanted, terms) or _names_a_duty(number, answer, wanted, terms)):
        return _pass_or_unknown(step, answer, wanted, terms, values)
    status = Status.READING if terms.level == "open" else Status.FAIL
    return StepJudgement(step, status, answer, wanted, values=values)


def _pass_or_unknown(
    step: ScriptStep, answer: Message, wanted: Pattern, terms: Criteria, values: frozenset[str] = frozenset()
) -> StepJudgement:
    """Return a pass, or an unsupported step if the program tells none of the keys of the question."""
    if wanted.key in _TOLD_BY_KEY and wanted.forms and not any(name in answer[wanted.key] for name in wanted.forms):
        why = f"it does not tell {', '.join(wanted.forms)}"
        return _leave_open(step, Status.UNSUPPORTED, answer, terms, why)
    return StepJudgement(step, Status.PASS, answer, wanted, values=values)


def _names_a_duty(number: int, answer: Message, wanted: Pattern, terms: Criteria) -> bool:
    """Say whether an act is refused by the code of another duty that it breaks as well."""
    said = answer.get("no")
    return wanted.key == "no" and isinstance(said, str) and terms.duties is not None and said in terms.duties(number)


_NONE: frozenset[str] = frozenset()
_OK = {"ok": True}
#: What is answered key by key; not every program tells every key.
_TOLD_BY_KEY = ("view", "score")


def ask_alike(step: ScriptStep, answer: Message) -> Pattern:
    """Return an answer as the pattern of a step, reduced to the keys that the step names."""
    if step.verb == "act":
        return Pattern("ok" if "ok" in answer else "no", value=True)
    if step.verb == "winner":
        return Pattern("winner", answer.get("winner"))
    said = answer.get(step.verb, {})
    names = dict.fromkeys(name for pattern in step.patterns for name in (*pattern.members, *pattern.hides))
    if step.verb == "legal":
        return Pattern("legal", {name: said.get(name, []) for name in names})
    told = {name: said[name] for name in names if name in said}
    return Pattern(step.verb, told, tuple(name for name in names if name not in said))


# Comparing --------------------------------------------------------------------


def matches(answer: Message, pattern: Pattern, terms: Criteria) -> bool:
    """Say whether an answer fits a pattern; only keys that the pattern names are compared."""
    key = pattern.key
    if key not in answer:
        return False
    said = answer[key]
    if key in _TOLD_BY_KEY:
        for name, form in pattern.forms.items():
            # A key that is not there is unknown, and nothing unknown is wrong.
            if (name in said or terms.whole) and (name not in said or write_form(said[name]) != form):
                return False
        return not pattern.hides or all(said.get(name) is None for name in pattern.hides)
    match key:
        case "legal":
            for act, value in pattern.members.items():
                known = terms.acts is None or act in terms.acts
                if known and not are_same_choices(said.get(act, []), value):
                    return False
            return True
        case "no":
            return not terms.codes or pattern.value is True or said is True or said == pattern.value
        case "winner":
            return type(said) is type(pattern.value) and bool(said == pattern.value)
    return True


def are_same_choices(one: Json, two: Json) -> bool:
    """Say whether two descriptions leave the same choices open; most are lists of words, which need no closer look."""
    if type(one) is list and type(two) is list and {*map(type, one), *map(type, two)} <= {str}:
        return set(one) == set(two)
    return _choices(one) == _choices(two)


#: A range of numbers is spelt out up to this length.
_RANGE = 1000


def _choices(value: Json) -> frozenset[str] | str:
    """Return choices without their order: a list or a range as a set, a longer description with its lists sorted."""
    if isinstance(value, list):
        return frozenset(item if type(item) is str and item.isalnum() else _in_form(item) for item in value)
    if isinstance(value, dict) and set(value) == {"min", "max"}:
        low, high = value["min"], value["max"]
        if type(low) is int and type(high) is int and high - low < _RANGE:
            return frozenset(map(str, range(low, high + 1)))
    return _in_form(_sort_lists(value))


def _in_form(value: Data) -> str:
    return write_form(value).decode("utf-8")


def _sort_lists(value: Json) -> Json:
    """Return a description with the lists under its keys in one order."""
    if isinstance(value, dict):
        return {key: _sort_lists(item) for key, item in value.items()}
    return sorted(value, key=_in_form) if isinstance(value, list) else value


# Telling ----------------------------------------------------------------------


def _tell_answer(answer: Message, wanted: Pattern | None) -> str:
    """Return an answer in words; of a long one only the keys that are judged."""
    key, value = next((key, answer[key]) for key in _KEYS if key in answer)
    if wanted is not None and key == wanted.key and isinstance(value, dict) and isinstance(wanted.value, dict):
        judged_keys = [*wanted.value, *wanted.hides]
        absent: Json | _NoAnswer = [] if key == "legal" else _NOTHING
        return _list_told({name: value.get(name, absent) for name in judged_keys})
    return tell_result(key, value)


_KEYS = ("ok", "no", "legal", "winner", "view", "score")


class _NoAnswer:
    """Stands for a missing answer."""


_NOTHING = _NoAnswer()


def tell_result(key: str, value: Json, hides: Sequence[str] = ()) -> str:
    """Return a result in words."""
    match key:
        case "ok":
            return "accepted"
        case "no":
            return "refused" if value is True else f"refused ({value})"
        case "winner":
            return "nobody" if value is None else f"seat {value}"
    return _list_told(value, hides) if isinstance(value, dict) else _tell_value(value)


def _list_told(values: Mapping[str, Json | _NoAnswer], hides: Sequence[str] = ()) -> str:
    return "; ".join(
        [*(f"{name} {_tell_value(item)}" for name, item in values.items()), *(f"{name} unknown" for name in hides)]
    )


def _tell_value(value: Json | _NoAnswer) -> str:
    """Return a value in words: lists of words without quotes, everything else as JSON."""
    if isinstance(value, _NoAnswer):
        return "not told"
    if isinstance(value, str):
        return shorten(value)
    words = [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
    if isinstance(value, list) and len(words) == len(value):
        return shorten(" ".join(words) or "none")
    return shorten(json.dumps(value, ensure_ascii=False))
