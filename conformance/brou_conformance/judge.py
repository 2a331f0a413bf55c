"""Judging: what a program answered against what was expected, and nothing else.

Everything here is a function of its arguments. An answer is compared with the
pattern of the step; what cannot be compared has a status of its own, so that
nothing passes by not having been asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from brou_conformance.protocol import Message, shorten
from brou_conformance.scenario import Level, Pattern, Step


class Status(StrEnum):
    """What became of a step, from the best to the worst; a case counts by its worst step."""

    PASS = "pass"  # noqa: S105 - no password
    #: An earlier step of the script went wrong, or the program was lost before.
    BLOCKED = "blocked"
    #: The program does not declare that it can do this.
    UNSUPPORTED = "unsupported"
    #: The program said that it cannot do this.
    SKIP = "skip"
    #: Consistent with another reading than the one judged under.
    READING = "reading"
    FAIL = "fail"
    #: Not a message of the protocol.
    PROTOCOL = "protocol"
    TIMEOUT = "timeout"
    CRASH = "crash"

    @property
    def rank(self) -> int:
        """Return how bad it is, 0 for a pass."""
        return list(Status).index(self)


def worst(statuses: Iterable[Status]) -> Status:
    """Return the worst status; of nothing at all, `blocked`."""
    return max(statuses, key=lambda status: status.rank, default=Status.BLOCKED)


@dataclass(frozen=True, slots=True)
class Unsent:
    """Why a step has no answer: it was not asked, or the program did not answer it."""

    status: Status
    why: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """A step with its status, what the program said and what the rules say."""

    step: Step
    status: Status
    said: str
    wanted: str
    #: The values of the step's reading that the answer is consistent with.
    values: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Terms:
    """What a case is judged under."""

    readings: Mapping[str, str]
    level: Level = "must"
    #: Whether the program names the reason of a refusal.
    codes: bool = True


def judge(steps: Sequence[Step], answers: Sequence[Message | Unsent], terms: Terms) -> tuple[Judgement, ...]:
    """Judge a whole script; once the course of play is not the expected one, what follows is blocked."""
    found: list[Judgement] = []
    lost = False
    for step, answer in zip(steps, answers, strict=True):
        if isinstance(answer, Unsent):
            judgement = Judgement(step, answer.status, answer.why, _wish(step, terms))
        elif lost:
            judgement = Judgement(step, Status.BLOCKED, "an earlier step went another way", _wish(step, terms))
        else:
            judgement = judged(step, answer, terms)
        lost = lost or (step.verb == "act" and _strays(judgement, answer, terms))
        found.append(judgement)
    return tuple(found)


def _strays(judgement: Judgement, answer: Message | Unsent, terms: Terms) -> bool:
    """Say whether the play goes on otherwise than expected: an act refused for accepted, or one without an answer."""
    wanted = judgement.step.wanted(terms.readings)
    if isinstance(answer, Unsent):
        refused = wanted is not None and wanted.key == "no"
        return not (answer.status is Status.UNSUPPORTED and refused)
    return wanted is None or wanted.key not in answer


def judged(step: Step, answer: Message, terms: Terms) -> Judgement:
    """Judge one answer of the protocol's form."""
    wish = _wish(step, terms)
    if "skip" in answer:
        return Judgement(step, Status.SKIP, _told(answer["skip"]), wish)
    if "err" in answer:
        return Judgement(step, Status.CRASH, f"an error: {_told(answer['err'])}", wish)
    kinds = ("ok", "no") if step.verb == "act" else (step.verb,)
    if not any(kind in answer for kind in kinds):
        return Judgement(step, Status.PROTOCOL, f"{_told(list(answer))} for an answer to {step.verb}", wish)
    wanted = step.wanted(terms.readings)
    said = _said(answer, wanted or next(iter(step.values.values()), None))
    values = frozenset(value for value, pattern in step.values.items() if matches(answer, pattern, codes=terms.codes))
    if wanted is not None and matches(answer, wanted, codes=terms.codes):
        return Judgement(step, Status.PASS, said, wish, values)
    tolerated = values or terms.level == "open"
    return Judgement(step, Status.READING if tolerated else Status.FAIL, said, wish, values)


# Comparing --------------------------------------------------------------------


def matches(answer: Message, pattern: Pattern, *, codes: bool = True) -> bool:
    """Say whether an answer is what a pattern wants; only what the pattern names is compared."""
    if pattern.key not in answer:
        return False
    said = answer[pattern.key]
    match pattern.key:
        case "ok":
            return True
        case "no":
            return not codes or pattern.value is True or said is True or said == pattern.value
        case "winner":
            return _same(said, pattern.value)
        case "legal":
            return all(_choices(said.get(act, [])) == _choices(value) for act, value in pattern.value.items())
    shown = all(key in said and _same(said[key], value) for key, value in pattern.value.items())
    return shown and all(said.get(key) is None for key in pattern.hides)


def _same(one: Any, two: Any) -> bool:
    return _canonical(one) == _canonical(two)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


#: A range of numbers is spelt out up to this length.
_RANGE = 1000


def _choices(value: Any) -> frozenset[str] | str:
    """Return choices without their order: a list or a range as a set, a longer description with its lists sorted."""
    if isinstance(value, list):
        return frozenset(map(_canonical, value))
    if isinstance(value, dict) and set(value) == {"min", "max"}:
        low, high = value["min"], value["max"]
        if type(low) is int and type(high) is int and high - low < _RANGE:
            return frozenset(map(str, range(low, high + 1)))
    return _canonical(_unordered(value))


def _unordered(value: Any) -> Any:
    """Return a description with the lists under its keys in one order."""
    if isinstance(value, dict):
        return {key: _unordered(item) for key, item in value.items()}
    return sorted(value, key=_canonical) if isinstance(value, list) else value


# Telling ----------------------------------------------------------------------


def _wish(step: Step, terms: Terms) -> str:
    wanted = step.wanted(terms.readings)
    return "nothing is said of this reading" if wanted is None else told(wanted.key, wanted.value, wanted.hides)


def _said(answer: Message, wanted: Pattern | None) -> str:
    """Return an answer in words; of a long one only what is judged."""
    key, value = next((key, answer[key]) for key in _KEYS if key in answer)
    if wanted is not None and key == wanted.key and isinstance(value, dict) and isinstance(wanted.value, dict):
        judged_keys = [*wanted.value, *wanted.hides]
        absent: Any = [] if key == "legal" else _NOTHING
        value = {name: value.get(name, absent) for name in judged_keys}
    return told(key, value)


_KEYS = ("ok", "no", "legal", "winner", "view", "score")


class _Nothing:
    """What is not answered at all."""


_NOTHING = _Nothing()


def told(key: str, value: Any, hides: Sequence[str] = ()) -> str:
    """Return a result in words."""
    match key:
        case "ok":
            return "accepted"
        case "no":
            return "refused" if value is True else f"refused ({value})"
        case "winner":
            return "nobody" if value is None else f"seat {value}"
    named = [f"{name} {_told(item)}" for name, item in value.items()]
    return "; ".join([*named, *(f"{name} unknown" for name in hides)])


def _told(value: Any) -> str:
    """Return a value in words: lists of words without quotes, everything else as JSON."""
    if value is _NOTHING:
        return "not told"
    if isinstance(value, str):
        return shorten(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return shorten(" ".join(value) or "none")
    return shorten(json.dumps(value, ensure_ascii=False))
