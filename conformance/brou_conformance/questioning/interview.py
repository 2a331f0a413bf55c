"""Interviews: the next question is the one that splits the remaining readings best, until no question splits them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log2
from random import Random

from brou import Choice, Impossible, Plain
from brou_conformance.questioning.courses import Interpreter, ScenarioCourse, set_out, tell
from brou_conformance.questioning.knowledge import ReadingSpace
from brou_conformance.questioning.outcomes import Outcome
from brou_conformance.questioning.splitting import SplittingQuestion, entropy, split
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.scenario import Scenario, ScriptStep

#: How many random choices a question is held against.
_DRAWN = 6
#: A question that tells this share of what any other is expected to tell is asked without looking for a better one.
_ENOUGH = 0.9


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question with its answer and effect."""

    question: SplittingQuestion
    #: The outcomes that the answer agrees with; none if it fits nothing that was left, all if it decides nothing.
    heard: frozenset[Outcome]
    #: What was said, in words or as data.
    said: str
    #: What is left of the keys that it hung on.
    left: Mapping[str, tuple[str, ...]]

    @property
    def fits(self) -> bool:
        """Say whether the answer agrees with some reading that was left."""
        return bool(self.heard)

    @property
    def decides(self) -> bool:
        """Say whether the answer has excluded a reading."""
        return self.fits and set(self.question.weights) != self.heard


@dataclass(slots=True)
class Interview:
    """The readings left for a table, and the questions that remain about them."""

    plain: Choice
    known: ReadingSpace
    interpreter: Interpreter
    scenarios: tuple[Scenario, ...]
    #: What was known before the first question.
    before: ReadingSpace
    asked: list[AskedQuestion] = field(default_factory=list)
    _left_out: set[str] = field(default_factory=set)
    _spent: set[str] = field(default_factory=set)
    #: What was known of its keys when a step distinguished nothing.
    _idle: dict[tuple[str, str, int], object] = field(default_factory=dict)
    _courses: dict[tuple[str, str], ScenarioCourse | None] = field(default_factory=dict)
    #: The draws that questions are held against, and the random numbers that they come from.
    _random: Random = field(default_factory=lambda: Random(1))  # noqa: S311 - no secret: the same questions each time

    @classmethod
    def begin(cls, plain: Choice, known: ReadingSpace) -> Interview:
        """Return an interview before its first question."""
        usual = known.prefer(dict(plain.readings))
        chosen = replace(plain, readings=tuple(sorted(usual.items())))
        return cls(plain, known, Interpreter(chosen), corpus.scenarios(plain.game, plain.project), known)

    def next(self) -> SplittingQuestion | None:
        """Return the question with the greatest gain, or None if no question splits the remaining readings.

        Questions are examined in the order of their expected gain, until none of the rest is expected to gain much more
        than the best.
        """
        drawn = [self.known.draw(self._random) for _ in range(_DRAWN)]
        best: SplittingQuestion | None = None
        for bound, course, number in self._candidates():
            if best is not None and bound * _ENOUGH <= best.gain:
                break
            found = self._split(course, number, drawn)
            if found is not None and (best is None or found.gain > best.gain):
                best = found
        return best

    def find_doubtful(self) -> frozenset[str]:
        """Return the keys that hang on answers which the choice that was found does not give.

        Of a question that hangs on many keys not every row of values is tried, so that it is looked once more at the
        end whether the rules found answer everything as it was answered.
        """
        found = frozenset[str]()
        for asked in self.asked:
            question = asked.question
            told = tell(question.course, question.number, self.choice)
            if asked.decides and told.outcomes[-1] not in asked.heard:
                found |= told.mattering[-1]
        return found

    def leave_out(self, keys: Iterable[str]) -> None:
        """Ask for these numbers no more."""
        self._left_out |= set(keys)

    def settle(self, key: str, value: str) -> None:
        """Take note of a value that was named outright; raise `Impossible` if it is not left."""
        self.known = self.known.keep((key,), lambda row: row == (value,))

    @property
    def choice(self) -> Choice:
        """Return a choice that is left, the edition's own values where they are."""
        return self.interpreter.choice(self._usual)

    @property
    def settling(self) -> dict[str, tuple[str, ...]]:
        """Return for each key that hung on an answer the questions whose answers have left it fewer values."""
        found: dict[str, list[str]] = {}
        before = self.before
        left = {key: before.list_left(key) for key in before.domains}
        for asked in self.asked:
            for key, values in asked.left.items():
                if len(values) < len(left[key]):
                    found.setdefault(key, []).append(asked.question.id)
                    left[key] = values
        return {key: tuple(ids) for key, ids in found.items()}

    def _split(
        self, course: ScenarioCourse, number: int, drawn: Sequence[Mapping[str, str]]
    ) -> SplittingQuestion | None:
        """Return the question at a step or before it; None, at once where nothing it hangs on has changed since."""
        matters = self.interpreter.known_to_matter(course)
        state = tuple((key, self.known.list_left(key)) for key in self.known.domains if key in matters)
        place = (course.id, course.start_name, number)
        if self._idle.get(place) == state:
            return None
        found = split(course, number, self.known, self.interpreter, drawn)
        if found is None:
            matters = self.interpreter.known_to_matter(course)
            self._idle[place] = tuple((key, self.known.list_left(key)) for key in self.known.domains if key in matters)
            return None
        return None if found.name in self._spent else found

    def hear(self, question: SplittingQuestion, heard: Iterable[Outcome], said: str) -> AskedQuestion:
        """Note an answer and the outcomes that it agrees with; return the question with its effect."""
        agreeing = frozenset(heard) & frozenset(question.weights)
        self._spent.add(question.name)
        if agreeing and agreeing != set(question.weights):
            self.known = question.narrow(self.known, agreeing)
        left = {key: self.known.list_left(key) for key in question.keys}
        self.asked.append(AskedQuestion(question, agreeing, said, left))
        return self.asked[-1]

    def _candidates(self) -> Iterator[tuple[float, ScenarioCourse, int]]:
        """Yield steps that may split the remaining readings, with their expected gain, the best and shortest first.

        First come the steps that scenarios tie to an open reading, then questions for numbers, which gain more once the
        rest is known, then the ends of all scenarios in which an open reading matters.
        """
        open_ = self.known.open
        numbers = [key for key in open_ if self.interpreter.is_number(key) and key not in self._left_out]
        named = [key for key in open_ if not self.interpreter.is_number(key)]
        yield from sorted(self._list_hinted(named), key=lambda one: -one[0])
        for key in numbers:
            yield from self._counting(key)
        yield from self._far(named)

    def _list_hinted(self, named: Sequence[str]) -> Iterator[tuple[float, ScenarioCourse, int]]:
        """Yield the steps that hang on a reading by their scenarios' expectations, those after few steps first."""
        usual = self._usual
        found: list[tuple[int, int, float, ScenarioCourse, int]] = []
        for scenario in self.scenarios:
            keys = [key for key in named if key in scenario.keys]
            for moved in self._move_premise(scenario) if keys else ():
                course = self._course(moved)
                if course is None:
                    continue
                strange = self._is_foreign(scenario) + any(
                    usual.get(name, value) != value for name, value in scenario.premise.items()
                )
                for number, step in enumerate(course.steps):
                    if step.reading in keys and (gain := self._estimate_gain(step)):
                        found.append((strange, number, gain, course, number))
        found.sort(key=lambda one: one[:2])
        yield from ((gain, course, number) for _, _, gain, course, number in found)

    def _counting(self, key: str) -> Iterator[tuple[float, ScenarioCourse, int]]:
        """Yield the ends of scenarios that turn on a number, moved to the middle of its remaining values."""
        left = self.known.list_left(key)
        middle = int(left[(len(left) - 1) // 2])
        bound = 1.0
        for scenario in self.scenarios:
            if key in scenario.premise:
                for moved in moved_starts(scenario, middle - int(scenario.premise[key])):
                    course = self._course(moved)
                    if course is not None:
                        yield bound, course, len(course.steps) - 1

    def _far(self, named: Sequence[str]) -> Iterator[tuple[float, ScenarioCourse, int]]:
        """Yield the ends of the edition's own scenarios in which open keys matter, those that name one first."""
        if not named:
            return
        most = log2(max(len(self.known.list_left(key)) for key in named))
        own = [one for one in self.scenarios if not self._is_foreign(one)]
        for scenario in sorted(own, key=lambda one: set(one.keys).isdisjoint(named)):
            course = self._course(scenario)
            if course is None:
                continue
            last = len(course.steps) - 1
            if self._changes(course, last, named):
                yield most, course, last

    def _changes(self, course: ScenarioCourse, upto: int, named: Sequence[str]) -> bool:
        """Say whether a key alone changes something in a course, the others being as usual."""
        usual = self._usual
        tale = self.interpreter.tell(course, upto, usual)
        return any(
            self.interpreter.tell(course, upto, {**usual, key: value}).outcomes != tale.outcomes
            for key in named
            if key in tale.mattering[-1]
            for value in self.known.list_left(key)
            if value != usual[key]
        )

    def _is_foreign(self, scenario: Scenario) -> bool:
        """Say whether a scenario is written for other editions or set-ups; it may serve where it can be begun."""
        edition, setup = self.plain.edition, self.plain.setup
        return bool(
            (scenario.editions and edition not in scenario.editions)
            or (scenario.setups and setup not in scenario.setups)
        )

    def _move_premise(self, scenario: Scenario) -> Iterator[Scenario]:
        """Yield a scenario, and where it is premised on a number that is known to be another, it moved to that one."""
        yield scenario
        for key, value in scenario.premise.items():
            known = self.known.find_settled(key) if key in self.known.domains else None
            if known is not None and known != value and self.interpreter.is_number(key):
                moved = moved_starts(scenario, int(known) - int(value))
                next(moved)
                yield from moved

    @property
    def _usual(self) -> dict[str, str]:
        return self.known.prefer(dict(self.plain.readings))

    def _estimate_gain(self, step: ScriptStep) -> float:
        """Return how many bits of its reading a step tells, by the expectations of its scenario."""
        classes: dict[str, int] = {}
        for value in self.known.list_left(step.reading):
            pattern = step.values.get(value)
            name = repr((pattern.key, pattern.value, pattern.hides)) if pattern else ""
            classes[name] = classes.get(name, 0) + 1
        return entropy(classes.values())

    def _course(self, scenario: Scenario) -> ScenarioCourse | None:
        """Return a scenario as a course under its premise, else under the readings known so far; None if both fail."""
        place = (scenario.id, repr(scenario.before))
        if place not in self._courses:
            self._courses[place] = self._begin_course(
                scenario, {**self._usual, **scenario.premise}
            ) or self._begin_course(scenario, self._usual)
        return self._courses[place]

    def _begin_course(self, scenario: Scenario, readings: Mapping[str, str]) -> ScenarioCourse | None:
        known = {key: value for key, value in readings.items() if key in self.known.domains}
        try:
            return set_out(scenario, self.interpreter.choice(known))
        except Impossible:
            return None


def moved_starts(scenario: Scenario, by: int) -> Iterator[Scenario]:
    """Yield a scenario, and it with one of the figures that stand before it, or all of them, more by a number."""
    yield scenario
    for name, value in scenario.before.items() if by else ():
        for moved in _shift_values(value, by):
            yield replace(scenario, before={**scenario.before, name: moved})


def _shift_values(value: Plain, by: int) -> Iterator[Plain]:
    if type(value) is int:
        yield value + by
    elif isinstance(value, list):
        figures = [item for item in value if type(item) is int]
        if len(figures) == len(value):
            for place, item in enumerate(figures):
                yield [*value[:place], item + by, *value[place + 1 :]]
            yield [item + by for item in figures]
