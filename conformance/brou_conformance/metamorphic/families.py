"""Families of metamorphic tests: generated scripts asked in pairs whose answers must agree.

A program whose answers to a pair differ tells a seat a secret, or has rules of its own for a seat, a suit, a position
or the time after a refusal. That is so whichever rules it plays: a pair counts only if the rules answer it alike, under
the readings that the program follows and under those that its answers allow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import Protocol

from brou import Choice, Folder, Impossible, book, with_readings
from brou_conformance.judging.judge import Unsent
from brou_conformance.metamorphic.pairs import (
    Answers,
    Counterexample,
    Difference,
    Family,
    Pair,
    PairFate,
    Relation,
    compare_answers,
)
from brou_conformance.metamorphic.renaming import AnswerReader
from brou_conformance.metamorphic.variants import VariantSource, holds, smaller, tells, variants
from brou_conformance.programs.capabilities import Projection
from brou_conformance.programs.session import Hello, Session
from brou_conformance.protocol import Message
from brou_conformance.scenarios.script import Script, machine

#: How many scripts are asked before what differs is looked into, and how many smaller pairs are tried for an example.
_AT_ONCE, _SMALLER = 32, 40
#: Kinds that say something even of a program that is asked for each position apart.
_RENAMING = frozenset({Relation.SEATS, Relation.SUITS})


class ScriptInquiry(Protocol):
    """The requests that a program gets for a script, and how its replies become an answer for each step."""

    @property
    def projection(self) -> Projection:
        """Return the part of the script that the program can answer."""

    @property
    def requests(self) -> tuple[Message, ...]:
        """Return the requests for the program."""

    def gather(self, replies: Sequence[Answers]) -> list[Message | Unsent]:
        """Return an answer for each step."""


@dataclass(frozen=True, slots=True)
class Leeway:
    """The readings that a program may follow: those that it surely follows, and the other values it might."""

    followed: Mapping[str, str]
    others: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(
        cls,
        choice: Choice,
        declared: frozenset[str],
        found: Mapping[str, frozenset[str]],
        data: Folder = None,
    ) -> Leeway:
        """Return the leeway of a program: none in declared readings, in others each value that explains its answers."""
        followed: dict[str, str] = {}
        others: dict[str, tuple[str, ...]] = {}
        known = book(choice.game, data or choice.project).readings
        for key, value in choice.readings:
            if key in declared:
                continue
            values = sorted(found.get(key) or known[key].values)
            followed[key] = value if value in values or not values else values[0]
            others[key] = tuple(other for other in values if other != followed[key])
        return cls(followed, others)

    def choices(self, choice: Choice, data: Folder = None) -> Iterator[Choice]:
        """Yield the rules that a program may follow for a script: first the likeliest, then each with one change."""
        given = {key: value for key, value in self.followed.items() if key in dict(choice.readings)}
        changes = [{}, *({key: value} for key, values in self.others.items() for value in values)]
        for change in changes:
            try:
                yield with_readings(choice, {**given, **change}, data, fitting=True)
            except Impossible:
                continue


@dataclass(slots=True)
class _ScriptPairs:
    """The pairs of one script, and the questions for their scripts, each of them once."""

    pairs: list[Pair] = field(default_factory=list)
    #: By the identity of the script, and whether it is shown as positions.
    questions: dict[tuple[int, bool], ScriptInquiry] = field(default_factory=dict)

    def get_inquiries(self, pair: Pair) -> tuple[ScriptInquiry, ScriptInquiry]:
        """Return the questions for the two scripts of a pair."""
        one, two = _keys(pair)
        return self.questions[one], self.questions[two]

    def split_answers(self, replies: Iterator[Answers]) -> dict[tuple[int, bool], Answers]:
        """Return the answers to each script, from the replies in the order of the requests."""
        return {
            key: question.gather(list(islice(replies, len(question.requests))))
            for key, question in self.questions.items()
        }


def _keys(pair: Pair) -> tuple[tuple[int, bool], tuple[int, bool]]:
    return (id(pair.base), False), (id(pair.other), pair.kind is Relation.POSITION)


@dataclass(frozen=True, slots=True)
class _SuspectPair:
    """A pair whose answers differ, with those answers."""

    pair: Pair
    difference: Difference
    asked: tuple[ScriptInquiry, ScriptInquiry]
    answers: tuple[Answers, Answers]

    @property
    def example(self) -> Counterexample:
        """Return it as an example, with the requests that show it."""
        numbers = self.difference.numbers
        first = numbers[1] if numbers[0] is None else numbers[0]
        one, two = (
            _request(question, number) for question, number in zip(self.asked, (first, numbers[1]), strict=True)
        )
        return Counterexample(self.pair, self.difference, (one, two))


def _fits(pair: Pair, one: Projection, two: Projection) -> bool:
    """Say whether the steps of a pair that the program can answer may reveal a difference."""
    if pair.kind in _RENAMING:
        return bool(one.sent)
    if one.apart:
        return False
    if pair.kind is Relation.HIDDEN:
        return any(pair.base.steps[number].verb != "act" for number in one.sent)
    if pair.kind is Relation.POSITION:
        return bool(two.sent) and {*one.sent} >= pair.accepted
    return {*two.sent} >= {*pair.refused}


def _request(question: ScriptInquiry, number: int) -> Message:
    """Return the request that holds a step, or else the first."""
    asked = zip(question.projection.queries, question.requests, strict=True)
    return next((request for query, request in asked if number in query.numbers), question.requests[0])


@dataclass(frozen=True, slots=True)
class MetamorphicTester:
    """Asks a program about the variants of scripts."""

    session: Session
    hello: Hello
    leeway: Leeway
    #: Returns what a program of given abilities is asked for a script.
    ask: Callable[[Script, Hello], ScriptInquiry]
    data: Folder = None
    #: Told of every script whose variants have been asked.
    told: Callable[[], None] = lambda: None

    def families(self, scripts: Iterable[Script]) -> dict[Relation, Family]:
        """Return the results of all pairs; only the pairs of a few scripts are in memory at any time."""
        groups = (group for script in scripts for group in self._groups(script))
        found = dict.fromkeys(Relation, Family())
        while outcomes := list(self._batch(groups)):
            for kind, outcome in outcomes:
                fate = self._confirm(outcome, found[kind]) if isinstance(outcome, _SuspectPair) else outcome
                found[kind] += Family.of(fate)
        return self._with_smaller(found)

    def _groups(self, script: Script) -> Iterator[_ScriptPairs]:
        """Yield the pairs of a script, if there is something to ask."""
        rules = next(self.leeway.choices(script.choice, self.data), None)
        if rules is None or self.session.unusable is not None:
            return
        group = _ScriptPairs()
        for pair in variants(VariantSource(script, rules, self.hello.can, self.data)):
            self._take(group, pair)
        if group.pairs:
            yield group

    def _take(self, group: _ScriptPairs, pair: Pair) -> None:
        """Add a pair to those of its script, if the program can answer it."""
        seated = replace(self.hello, can=self.hello.can - {"deal", "match"})
        abilities = (self.hello, seated if pair.kind is Relation.POSITION else self.hello)
        keys, scripts = _keys(pair), (pair.base, pair.other)
        asked = {
            key: group.questions.get(key) or self.ask(script, hello)
            for key, script, hello in zip(keys, scripts, abilities, strict=True)
        }
        if _fits(pair, *(asked[key].projection for key in keys)):
            group.pairs.append(pair)
            group.questions |= asked

    def _batch(self, groups: Iterator[_ScriptPairs]) -> Iterator[tuple[Relation, _SuspectPair | PairFate]]:
        """Ask the pairs of the next scripts, and yield the result of each; nothing if there are no more."""
        waiting: deque[_ScriptPairs] = deque()

        def requests() -> Iterator[Message]:
            for group in islice(groups, _AT_ONCE):
                waiting.append(group)
                yield from (request for question in group.questions.values() for request in question.requests)

        replies = self.session.runs(requests())
        for reply in replies:
            group = waiting.popleft()
            answers = group.split_answers(chain([reply], replies))
            for pair in group.pairs:
                yield pair.kind, self._suspect(pair, group.get_inquiries(pair), answers)
            self.told()

    def _suspect(
        self, pair: Pair, asked: tuple[ScriptInquiry, ScriptInquiry], answers: Mapping[tuple[int, bool], Answers]
    ) -> _SuspectPair | PairFate:
        """Return a pair with its answers if they differ, or else its fate."""
        first, second = (answers[key] for key in _keys(pair))
        found = compare_answers(pair, first, second, self._reader(pair))
        return found if isinstance(found, PairFate) else _SuspectPair(pair, found, asked, (first, second))

    def _reader(self, pair: Pair) -> AnswerReader:
        game = machine(pair.base.choice, self.data).game
        return AnswerReader(game, whole=True, codes="codes" in self.hello.can)

    # What differs ---------------------------------------------------------------

    def _confirm(self, suspect: _SuspectPair, known: Family) -> Counterexample | PairFate:
        """Ask a pair with different answers once more, and look for a reading under which they must differ.

        Only a pair that would be reported is confirmed like this; the others are counted unconfirmed.
        """
        if self._again(suspect) != suspect.answers:
            return PairFate.LOST
        example = suspect.example
        if not known.wants(example):
            return PairFate.DIFFERS
        return PairFate.VOID if self._is_excused(suspect) else example

    def _again(self, suspect: _SuspectPair) -> tuple[Answers, Answers]:
        one, two = (question.gather(list(self.session.runs(question.requests))) for question in suspect.asked)
        return one, two

    def _is_excused(self, suspect: _SuspectPair) -> bool:
        """Say whether the rules themselves tell the two scripts apart, as the program may read them."""
        pair, (number, _) = suspect.pair, suspect.difference.numbers
        players = (machine(rules, self.data) for rules in self.leeway.choices(pair.base.choice, self.data))
        if pair.kind is Relation.POSITION:
            return not all(tells(pair, number or 0, player) for player in players)
        return not all(holds(pair, player) for player in players)

    def _with_smaller(self, found: dict[Relation, Family]) -> dict[Relation, Family]:
        """Return the families, their first counterexample a deal that differs in two cards only if there is one."""
        family = found[Relation.HIDDEN]
        for example in family.examples[:1]:
            pair = example.pair
            rules = next(self.leeway.choices(pair.base.choice, self.data))
            ground = VariantSource(pair.base, rules, self.hello.can, self.data)
            others = (self._try_pair(other) for other in islice(smaller(ground, pair), _SMALLER))
            first = next((other for other in others if other is not None), None)
            if first is not None:
                found[Relation.HIDDEN] = replace(family, examples=(first, *family.examples[1:]))
        return found

    def _try_pair(self, pair: Pair) -> Counterexample | None:
        """Ask a pair that is no part of the count, and return it if it is answered differently."""
        group = _ScriptPairs()
        self._take(group, pair)
        if not group.pairs or self.session.unusable is not None:
            return None
        replies = self.session.runs(request for question in group.questions.values() for request in question.requests)
        suspect = self._suspect(pair, group.get_inquiries(pair), group.split_answers(replies))
        found = suspect if isinstance(suspect, PairFate) else self._confirm(suspect, Family())
        return found if isinstance(found, Counterexample) else None
