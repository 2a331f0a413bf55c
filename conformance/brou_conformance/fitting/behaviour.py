"""Behaviour: what a program does otherwise than the rules, by act and direction, where nothing explains it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from brou import Json
from brou_conformance.fitting.slices import Slice
from brou_conformance.judging.judge import Unsent, are_same_choices
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import ScriptStep


class Direction(StrEnum):
    """The ways in which an answer can be another one."""

    #: It accepts an act that the rules refuse, or refuses one that they accept.
    TAKES = "takes"
    REFUSES = "refuses"
    #: It offers what the rules do not, or does not offer what they do, or both.
    OFFERS = "offers"
    WITHHOLDS = "withholds"
    EXCHANGES = "exchanges"
    #: It tells another value.
    TELLS = "tells"


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Something that a program does otherwise than the rules, and the failing cases in which it is seen first."""

    direction: Direction
    #: The act, or the key of a view or of a score.
    what: str
    #: The places of the cases in the order of the run.
    cases: tuple[int, ...]


def list_behaviours(slices: Iterable[tuple[Slice, int]]) -> tuple[Behaviour, ...]:
    """Return what a program does otherwise at some steps of some scripts, the most frequent first."""
    seen: dict[tuple[Direction, str], set[int]] = {}
    for one, number in slices:
        answer = one.answers[number]
        if isinstance(answer, Unsent):
            continue
        for found in find_differences(one.script.steps[number], answer, one.course.told[number]):
            seen.setdefault(found, set()).add(one.number)
    behaviours = (Behaviour(*found, tuple(sorted(cases))) for found, cases in seen.items())
    return tuple(sorted(behaviours, key=lambda one: (-len(one.cases), one.direction, one.what)))


def find_differences(step: ScriptStep, answer: Message, told: Message) -> Iterator[tuple[Direction, str]]:
    """Yield how an answer to a step differs from that of the rules, each with the act or key that it is about."""
    if step.verb == "act":
        if ("ok" in answer) != ("ok" in told):
            yield Direction.TAKES if "ok" in answer else Direction.REFUSES, next(iter(step.deed[1]))
        return
    if step.verb == "winner":
        yield Direction.TELLS, "winner"
        return
    said, wanted = answer.get(step.verb), told.get(step.verb)
    said, wanted = (one if isinstance(one, dict) else {} for one in (said, wanted))
    for name in dict.fromkeys(name for pattern in step.patterns for name in (*pattern.members, *pattern.hides)):
        if step.verb == "legal":
            yield from _compare_offers(name, said.get(name, []), wanted.get(name, []))
        elif name in said and said[name] != wanted.get(name):
            yield Direction.TELLS, name


def _compare_offers(act: str, said: Json, wanted: Json) -> Iterator[tuple[Direction, str]]:
    if are_same_choices(said, wanted):
        return
    if isinstance(said, list) and isinstance(wanted, list):
        more, less = (any(item not in two for item in one) for one, two in ((said, wanted), (wanted, said)))
        # Only more, or only less, is one thing that a program does. Both at once say no more than that it offers
        # something else.
        if more != less:
            yield Direction.OFFERS if more else Direction.WITHHOLDS, act
            return
    if not said or not wanted:
        yield Direction.OFFERS if said else Direction.WITHHOLDS, act
        return
    yield Direction.EXCHANGES, act
