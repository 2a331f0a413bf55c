"""Pairs of scripts whose answers must go together.

Nothing is expected of either script but that the program answers the one as it answers the other. So a pair says
nothing of the rules that the program plays, only that it plays the same ones in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any

from brou.shapes import ABSENT, Absent, Limit, shape
from brou_conformance.judging.judge import Status, Unsent
from brou_conformance.metamorphic.renaming import AnswerReader, Renaming, canonical
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import PLAY, ScriptStep
from brou_conformance.scenarios.script import Script


class Relation(StrEnum):
    """The metamorphic relation between the two scripts of a pair."""

    #: The deals differ in cards that a seat cannot see: it must be told the same.
    HIDDEN = "hidden"
    #: The table is turned.
    SEATS = "seats"
    #: The suits are exchanged.
    SUITS = "suits"
    #: What is played out in the one is shown as positions in the other.
    POSITION = "position"
    #: An act that must be refused comes in between.
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two scripts, and which steps of theirs must be answered alike under which names."""

    kind: Relation
    base: Script
    other: Script
    #: The numbers of a step of the one and of the same step of the other.
    matched: tuple[tuple[int, int], ...]
    #: What is called how in the other script.
    names: Renaming
    #: Nothing under a new name.
    plain: Renaming
    #: The steps of the other script that come in between and are refused under the rules.
    refused: tuple[int, ...] = ()
    #: Whether they must be refused however the tricks so far were won.
    never: bool = False
    #: The steps of the one that are accepted under the rules.
    accepted: frozenset[int] = frozenset()
    #: The seat that cannot tell the two deals apart.
    seat: int | None = None
    #: How many cards lie elsewhere.
    moved: int = 0

    def reader(self, reader: AnswerReader) -> AnswerReader:
        """Return a reader of the answers: acts and fields unknown to the rules have no new names."""
        return replace(reader, whole=self.names == self.plain)


@dataclass(frozen=True, slots=True)
class Difference:
    """Two answers that disagree: the steps, and the part that only one has and that only the other has."""

    numbers: tuple[int | None, int]
    #: What the one says, under the names of the other.
    wanted: Message
    said: Message


class PairFate(StrEnum):
    """The fate of a pair that is no counterexample."""

    ALIKE = "alike"
    #: It differs, and there are enough examples that are smaller.
    DIFFERS = "differs"
    #: The program gave no answer where it said that it can.
    LOST = "lost"
    #: Nothing could be compared.
    VOID = "void"


Answers = Sequence[Message | Unsent]


def compare_answers(pair: Pair, one: Answers, two: Answers, reader: AnswerReader) -> Difference | PairFate:
    """Compare the answers to two scripts, step by step up to the first that differs."""
    for number in pair.refused:
        if "ok" in _message(two[number]):
            certain = pair.never and _on_course(pair, two[:number])
            return Difference((None, number), {"no": True}, {"ok": True}) if certain else PairFate.VOID
    reader = pair.reader(reader)
    fate = PairFate.VOID
    for first, second in pair.matched:
        step = pair.base.steps[first]
        if _is_unasked(one[first]) or _is_unasked(two[second]):
            continue
        if not (_answers(one[first], step) and _answers(two[second], step)):
            return PairFate.LOST
        wanted, said = (
            _read(pair, reader, _message(answer), names)
            for answer, names in ((one[first], pair.names), (two[second], pair.plain))
        )
        if canonical(wanted) != canonical(said):
            if pair.kind is Relation.HIDDEN and step.verb == "act":
                return PairFate.VOID
            return Difference((first, second), *_split_differences(wanted, said))
        if pair.kind is Relation.POSITION and step.verb == "act" and ("ok" in wanted) != (first in pair.accepted):
            break
        if pair.kind is not Relation.HIDDEN or step.verb != "act":
            fate = PairFate.ALIKE
    return fate


def _on_course(pair: Pair, answers: Answers) -> bool:
    """Say whether the acts before the one that must be refused were taken and refused as the rules have it."""
    acts = (number for number in range(len(answers)) if pair.base.steps[number].verb == "act")
    return all(("ok" in _message(answers[number])) == (number in pair.accepted) for number in acts)


def _message(answer: Message | Unsent) -> Message:
    return {} if isinstance(answer, Unsent) else answer


def _is_unasked(answer: Message | Unsent) -> bool:
    return answer.status is Status.UNSUPPORTED if isinstance(answer, Unsent) else "skip" in answer


def _answers(answer: Message | Unsent, step: ScriptStep) -> bool:
    """Say whether a step has an answer of its kind."""
    kinds = ("ok", "no") if step.verb == "act" else (step.verb,)
    return any(kind in _message(answer) for kind in kinds)


def _read(pair: Pair, reader: AnswerReader, answer: Message, names: Renaming) -> Message:
    read = reader.read(answer, names)
    if pair.kind is not Relation.POSITION:
        return read
    return {PLAY: read.get(PLAY, [])} if "legal" in answer else dict.fromkeys(read, True)


def _split_differences(one: Message, two: Message) -> tuple[Message, Message]:
    """Return the keys in which two messages differ, with their values in the first and in the second."""
    keys = [key for key in {**one, **two} if canonical(one.get(key)) != canonical(two.get(key))]
    return {key: one.get(key) for key in keys}, {key: two.get(key) for key in keys}


# What comes of them -----------------------------------------------------------

#: How many examples are kept of each kind.
MOST_EXAMPLES = 3


@shape()
class PairReport:
    """Two scripts that must be answered alike and are not."""

    scenario: Annotated[str, "the scenario that the pair was made of"]
    setup: Annotated[str, "the set-up that it was judged for"]
    seat: Annotated[int, Limit(minimum=0), "the seat that cannot tell the two deals apart"] | Absent = ABSENT
    seats: (
        Annotated[tuple[Annotated[int, Limit(minimum=0)], ...], "what each seat is called in the second script"]
        | Absent
    ) = ABSENT
    suits: Annotated[Mapping[str, str], "what each suit is called in the second script"] | Absent = ABSENT
    base: Annotated[Mapping[str, object], "the first request, without `op` and `id`"]
    variant: Annotated[Mapping[str, object], "the second request"]
    step: Annotated[Mapping[str, object], "the step of the second script that is answered differently"]
    wanted: Annotated[Mapping[str, object], "the answer that agrees with the one to the first script"]
    said: Annotated[Mapping[str, object], "the answer that the program gives instead"]


@shape(name="family")
class FamilyReport:
    """All pairs of scripts of one kind."""

    pairs: Annotated[int, Limit(minimum=0), "pairs of scripts that were asked and could be compared"]
    differ: Annotated[int, Limit(minimum=0), "pairs that are answered differently"]
    lost: Annotated[int, Limit(minimum=0), "pairs without an answer, or with another one when asked again"]
    examples: Annotated[
        tuple[PairReport, ...], Limit(max_items=MOST_EXAMPLES), "the smallest pairs that are answered differently"
    ]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A pair with different answers, and the two requests that show it."""

    pair: Pair
    difference: Difference
    requests: tuple[Message, Message]

    @property
    def size(self) -> tuple[Any, ...]:
        """Return the order in which examples are shown: the shortest first, then the fewest cards elsewhere."""
        script = self.pair.base
        return self.difference.numbers[1], self.pair.moved, script.scenario.id, script.choice.setup

    def report(self) -> PairReport:
        """Return both requests, and what the second is answered against what follows from the first."""
        pair, (_, number) = self.pair, self.difference.numbers
        return PairReport(
            scenario=pair.base.scenario.id,
            setup=pair.base.choice.setup,
            seat=ABSENT if pair.seat is None else pair.seat,
            seats=tuple(pair.names.seats) if pair.kind is Relation.SEATS else ABSENT,
            suits=pair.names.suits if pair.kind is Relation.SUITS else ABSENT,
            base=self.requests[0],
            variant=self.requests[1],
            step=pair.other.steps[number].message,
            wanted=self.difference.wanted,
            said=self.difference.said,
        )


@dataclass(frozen=True, slots=True)
class Family:
    """All pairs of one kind with answers that could be compared."""

    pairs: int = 0
    differ: int = 0
    #: Pairs that came to nothing because the program gave no answer, or another one when it was asked again.
    lost: int = 0
    #: The smallest that differ.
    examples: tuple[Counterexample, ...] = ()

    def __add__(self, other: Family) -> Family:
        examples = sorted((*self.examples, *other.examples), key=lambda example: example.size)
        return Family(
            self.pairs + other.pairs,
            self.differ + other.differ,
            self.lost + other.lost,
            tuple(examples[:MOST_EXAMPLES]),
        )

    @classmethod
    def of(cls, found: Counterexample | PairFate) -> Family:
        """Return the family of one pair."""
        if isinstance(found, Counterexample):
            return cls(1, 1, 0, (found,))
        differs = found is PairFate.DIFFERS
        return cls(int(differs or found is PairFate.ALIKE), int(differs), int(found is PairFate.LOST))

    def wants(self, example: Counterexample) -> bool:
        """Say whether a counterexample belongs among the smallest."""
        return len(self.examples) < MOST_EXAMPLES or example.size < self.examples[-1].size

    def report(self) -> FamilyReport:
        """Return it as a report has it."""
        examples = tuple(example.report() for example in self.examples)
        return FamilyReport(pairs=self.pairs, differ=self.differ, lost=self.lost, examples=examples)


Families = Mapping[Relation, Family]


def sum_families(found: Iterable[Families]) -> dict[Relation, Family]:
    """Return the sum of several shares of the work."""
    shares = list(found)
    return {kind: sum((share[kind] for share in shares), Family()) for kind in Relation} if shares else {}
