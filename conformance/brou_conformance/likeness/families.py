"""Families: generated scripts beside the scenarios, asked in pairs that must be answered alike.

A program whose answers to a pair differ tells a seat what it cannot know, or has rules of its own for a seat, a suit,
a position or the time after a refusal. That is so whichever rules it plays: a pair counts only if the rules answer it
alike, under the readings that the program follows and under those that it may follow as far as its answers tell.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Protocol

from brou import Choice, Impossible, book
from brou.shelf.library import with_readings
from brou_conformance.judging.judge import Unsent
from brou_conformance.likeness.pairs import Answers, Difference, Example, Family, Fate, Kind, Pair, compared
from brou_conformance.likeness.renaming import Reader
from brou_conformance.likeness.variants import Ground, holds, smaller, tells, variants
from brou_conformance.programs.project import Projection
from brou_conformance.programs.session import Hello, Session
from brou_conformance.protocol import Message
from brou_conformance.scenarios.script import Script, machine

#: How many scripts are asked before what differs is looked into, and how many smaller pairs are tried for an example.
_AT_ONCE, _SMALLER = 32, 40
#: Kinds that say something even of a program that is asked for each position apart.
_RENAMING = frozenset({Kind.SEATS, Kind.SUITS})


class Question(Protocol):
    """What a program is asked for a script, and how its replies become an answer for each step."""

    @property
    def projection(self) -> Projection:
        """Return what of the script it can be asked."""

    @property
    def requests(self) -> tuple[Message, ...]:
        """Return what it is asked."""

    def gather(self, replies: Sequence[Answers]) -> list[Message | Unsent]:
        """Return an answer for each step."""


@dataclass(frozen=True, slots=True)
class Leeway:
    """Which readings a program may follow as far as is known: what it surely follows, and what else it might."""

    followed: Mapping[str, str]
    others: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(
        cls,
        choice: Choice,
        declared: frozenset[str],
        found: Mapping[str, frozenset[str]],
        data: Path | None = None,
    ) -> Leeway:
        """Return the leeway of a program: none in what it declares, and the values that explain its answers else."""
        followed: dict[str, str] = {}
        others: dict[str, tuple[str, ...]] = {}
        known = book(choice.game, data).readings
        for key, value in choice.readings:
            if key in declared:
                continue
            values = sorted(found.get(key) or known[key].values)
            followed[key] = value if value in values or not values else values[0]
            others[key] = tuple(other for other in values if other != followed[key])
        return cls(followed, others)

    def choices(self, choice: Choice, data: Path | None = None) -> Iterator[Choice]:
        """Yield the rules that a program may follow for a script: first the likeliest, then each with one change."""
        given = {key: value for key, value in self.followed.items() if key in dict(choice.readings)}
        changes = [{}, *({key: value} for key, values in self.others.items() for value in values)]
        for change in changes:
            try:
                yield with_readings(choice, {**given, **change}, data, fitting=True)
            except Impossible:
                continue


@dataclass(slots=True)
class _Group:
    """The pairs of one script, and what is asked for their scripts, each of them once."""

    pairs: list[Pair] = field(default_factory=list)
    #: By the identity of the script, and whether it is shown as positions.
    questions: dict[tuple[int, bool], Question] = field(default_factory=dict)

    def asked(self, pair: Pair) -> tuple[Question, Question]:
        """Return what is asked for the two scripts of a pair."""
        one, two = _keys(pair)
        return self.questions[one], self.questions[two]

    def answered(self, replies: Iterator[Answers]) -> dict[tuple[int, bool], Answers]:
        """Return the answers to each script, from the replies in the order of the requests."""
        return {
            key: question.gather(list(islice(replies, len(question.requests))))
            for key, question in self.questions.items()
        }


def _keys(pair: Pair) -> tuple[tuple[int, bool], tuple[int, bool]]:
    return (id(pair.base), False), (id(pair.other), pair.kind is Kind.POSITION)


@dataclass(frozen=True, slots=True)
class _Suspect:
    """A pair whose answers differ, with those answers."""

    pair: Pair
    difference: Difference
    asked: tuple[Question, Question]
    answers: tuple[Answers, Answers]

    @property
    def example(self) -> Example:
        """Return it as an example, with the requests that show it."""
        numbers = self.difference.numbers
        first = numbers[1] if numbers[0] is None else numbers[0]
        one, two = (
            _request(question, number) for question, number in zip(self.asked, (first, numbers[1]), strict=True)
        )
        return Example(self.pair, self.difference, (one, two))


def _fits(pair: Pair, one: Projection, two: Projection) -> bool:
    """Say whether what a program can be asked of a pair may tell anything."""
    if pair.kind in _RENAMING:
        return bool(one.sent)
    if one.apart:
        return False
    if pair.kind is Kind.HIDDEN:
        return any(pair.base.steps[number].verb != "act" for number in one.sent)
    if pair.kind is Kind.POSITION:
        return bool(two.sent) and {*one.sent} >= pair.accepted
    return {*two.sent} >= {*pair.refused}


def _request(question: Question, number: int) -> Message:
    """Return the request that holds a step, or else the first."""
    asked = zip(question.projection.queries, question.requests, strict=True)
    return next((request for query, request in asked if number in query.numbers), question.requests[0])


@dataclass(frozen=True, slots=True)
class Inquest:
    """Asks a program about the variants of scripts."""

    session: Session
    hello: Hello
    leeway: Leeway
    #: Returns what a program of given abilities is asked for a script.
    ask: Callable[[Script, Hello], Question]
    data: Path | None = None
    #: Told of every script whose variants have been asked.
    told: Callable[[], None] = lambda: None

    def families(self, scripts: Iterable[Script]) -> dict[Kind, Family]:
        """Return what all the pairs come to; only those of a few scripts are held at any time."""
        groups = (group for script in scripts for group in self._groups(script))
        found = dict.fromkeys(Kind, Family())
        while outcomes := list(self._batch(groups)):
            for kind, outcome in outcomes:
                fate = self._settled(outcome, found[kind]) if isinstance(outcome, _Suspect) else outcome
                found[kind] += Family.of(fate)
        return self._with_smaller(found)

    def _groups(self, script: Script) -> Iterator[_Group]:
        """Yield the pairs of a script, if there is something to ask."""
        rules = next(self.leeway.choices(script.choice, self.data), None)
        if rules is None or self.session.unusable is not None:
            return
        group = _Group()
        for pair in variants(Ground(script, rules, self.hello.can, self.data)):
            self._take(group, pair)
        if group.pairs:
            yield group

    def _take(self, group: _Group, pair: Pair) -> None:
        """Add a pair to those of its script, if the program can be asked for it."""
        seated = replace(self.hello, can=self.hello.can - {"deal", "match"})
        abilities = (self.hello, seated if pair.kind is Kind.POSITION else self.hello)
        keys, scripts = _keys(pair), (pair.base, pair.other)
        asked = {
            key: group.questions.get(key) or self.ask(script, hello)
            for key, script, hello in zip(keys, scripts, abilities, strict=True)
        }
        if _fits(pair, *(asked[key].projection for key in keys)):
            group.pairs.append(pair)
            group.questions |= asked

    def _batch(self, groups: Iterator[_Group]) -> Iterator[tuple[Kind, _Suspect | Fate]]:
        """Ask the pairs of the next scripts, and yield what each of them comes to; nothing if there are no more."""
        waiting: deque[_Group] = deque()

        def requests() -> Iterator[Message]:
            for group in islice(groups, _AT_ONCE):
                waiting.append(group)
                yield from (request for question in group.questions.values() for request in question.requests)

        replies = self.session.runs(requests())
        for reply in replies:
            group = waiting.popleft()
            answers = group.answered(chain([reply], replies))
            for pair in group.pairs:
                yield pair.kind, self._suspect(pair, group.asked(pair), answers)
            self.told()

    def _suspect(
        self, pair: Pair, asked: tuple[Question, Question], answers: Mapping[tuple[int, bool], Answers]
    ) -> _Suspect | Fate:
        """Return a pair that is answered differently with its answers, or what else becomes of it."""
        first, second = (answers[key] for key in _keys(pair))
        found = compared(pair, first, second, self._reader(pair))
        return found if isinstance(found, Fate) else _Suspect(pair, found, asked, (first, second))

    def _reader(self, pair: Pair) -> Reader:
        game = machine(pair.base.choice, self.data).game
        return Reader(game, whole=True, codes="codes" in self.hello.can)

    # What differs ---------------------------------------------------------------

    def _settled(self, suspect: _Suspect, known: Family) -> Example | Fate:
        """Ask a pair that is answered differently once more, and look for a reading under which it has to be.

        Only what would be shown is looked at so closely; the others are of a kind with it.
        """
        if self._again(suspect) != suspect.answers:
            return Fate.LOST
        example = suspect.example
        if not known.wants(example):
            return Fate.DIFFERS
        return Fate.VOID if self._excused(suspect) else example

    def _again(self, suspect: _Suspect) -> tuple[Answers, Answers]:
        one, two = (question.gather(list(self.session.runs(question.requests))) for question in suspect.asked)
        return one, two

    def _excused(self, suspect: _Suspect) -> bool:
        """Say whether the rules themselves tell the two scripts apart, as the program may read them."""
        pair, (number, _) = suspect.pair, suspect.difference.numbers
        players = (machine(rules, self.data) for rules in self.leeway.choices(pair.base.choice, self.data))
        if pair.kind is Kind.POSITION:
            return not all(tells(pair, number or 0, player) for player in players)
        return not all(holds(pair, player) for player in players)

    def _with_smaller(self, found: dict[Kind, Family]) -> dict[Kind, Family]:
        """Return what was found with a deal that differs in two cards only as first example, if there is one."""
        family = found[Kind.HIDDEN]
        for example in family.examples[:1]:
            pair = example.pair
            rules = next(self.leeway.choices(pair.base.choice, self.data))
            ground = Ground(pair.base, rules, self.hello.can, self.data)
            others = (self._tried(other) for other in islice(smaller(ground, pair), _SMALLER))
            first = next((other for other in others if other is not None), None)
            if first is not None:
                found[Kind.HIDDEN] = replace(family, examples=(first, *family.examples[1:]))
        return found

    def _tried(self, pair: Pair) -> Example | None:
        """Ask a pair that is no part of the count, and return it if it is answered differently."""
        group = _Group()
        self._take(group, pair)
        if not group.pairs or self.session.unusable is not None:
            return None
        replies = self.session.runs(request for question in group.questions.values() for request in question.requests)
        suspect = self._suspect(pair, group.asked(pair), group.answered(replies))
        found = suspect if isinstance(suspect, Fate) else self._settled(suspect, Family())
        return found if isinstance(found, Example) else None
