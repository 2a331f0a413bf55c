"""Slices: a script as the rules play it, with the steps at which each of their records can change anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from brou import BrouError, Change, Choice, Folder, Machine, State, Varying, begin, load_changed, rules
from brou.cache import load_or_make
from brou_conformance.judging.answered import AnsweredScript
from brou_conformance.judging.judge import Criteria, Unsent, ask_alike, matches
from brou_conformance.protocol import Message
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import Pattern, write_form
from brou_conformance.scenarios.script import Script


@dataclass(frozen=True, slots=True)
class Course:
    """How the rules play a script: the state before each step and after the last, the answers, the records touched."""

    states: tuple[State, ...]
    told: tuple[Message, ...]
    touched: Mapping[tuple[str, ...], int]
    #: The records that the start touched, which is before the first step; each has the bit of that step.
    begun: Mapping[tuple[str, ...], int]


@dataclass(frozen=True, slots=True)
class DisputedAct:
    """An act that a program lists as open and the rules do not, or the other way round."""

    act: Message
    #: Whether the program lists it.
    is_listed: bool


@dataclass(frozen=True, slots=True)
class Slice:
    """A script with its course, and the answers of the program; where it passes, those are the answers of the rules."""

    script: Script
    course: Course
    answers: Sequence[Message | Unsent]
    #: The steps that are played at all; the bits of a number are steps.
    played: int
    #: The steps that the rules answer otherwise than the program.
    wrong: int
    #: The place of its case in the order of the run.
    number: int = -1
    #: For wrong lists of acts, by their steps, an act that stands in one of the two lists alone.
    disputed: Mapping[int, DisputedAct] = field(default_factory=dict)
    #: Acts that are asked of a position of their own and that the rules refuse, as bits: play does not go on from them.
    tried: int = 0

    @property
    def first_wrong(self) -> int:
        """Return the first step that the rules answer otherwise; the number of all steps if there is none."""
        return find_first(self.wrong, 0, len(self.answers))


def list_unused(one: Slice, rules_: Varying) -> frozenset[str]:
    """Return the clauses that a script cites and of whose rules none is used up to its first wrong step.

    A clause that has no rule is not among them.
    """
    # The bits of all steps up to that one, itself among them.
    until = (2 << one.first_wrong) - 1
    used = {clause for what, clause in rules_.clauses.items() if one.course.touched.get(what, 0) & until}
    known = frozenset(rules_.clauses.values())
    return frozenset(clause for clause in one.script.scenario.clauses if clause in known and clause not in used)


def find_first(steps: int, start: int, otherwise: int) -> int:
    """Return the first step of some, from one on, or else the number that is given."""
    rest = steps >> start
    # A number and its negative have the lowest bit that is set in common, and no other.
    return start + (rest & -rest).bit_length() - 1 if rest else otherwise


class VariedGround:
    """The rules that some scripts are judged by, ready to be varied."""

    def __init__(self, choice: Choice, terms: Criteria, data: Folder = None) -> None:
        self.choice, self.terms, self._data = choice, terms, data
        self.rules = Varying(rules(choice, data))

    def build(self, made: Sequence[Change]) -> Machine | None:
        """Return a machine for the rules with some changes made in their text; None if they cannot be loaded."""
        try:
            return Machine(load_changed(self.choice, made, self._data))
        except BrouError:
            return None

    def slice(self, answered: AnsweredScript) -> Slice | None:
        """Return a script with the answers of a program; None if the rules do not play it at all."""
        only_positions = answered.asks_positions_only
        sent = [only_positions or not isinstance(answer, Unsent) for answer in answered.answers]
        course = self.follow(answered.script, sent)
        if course is None:
            return None
        wrong, disputed = 0, dict[int, DisputedAct]()
        for number, (step, answer) in enumerate(zip(answered.script.steps, answered.answers, strict=True)):
            if not isinstance(answer, Unsent):
                pattern = ask_alike(step, course.told[number])
                if not matches(answer, pattern, self.terms):
                    wrong |= 1 << number
                    if pattern.key == "legal" and (act := _find_disputed(answer, pattern, self.terms)):
                        disputed[number] = act
        played = sum(1 << number for number, is_sent in enumerate(sent) if is_sent)
        acts = enumerate(zip(answered.script.steps, course.told, strict=True))
        refused = sum(1 << number for number, (step, told) in acts if step.verb == "act" and "ok" not in told)
        # Where each act is asked of a position of its own, what is refused has no consequences that a change could
        # alter.
        tried = refused if only_positions else 0
        return Slice(answered.script, course, answered.answers, played, wrong, answered.number, disputed, tried)

    def follow(self, script: Script, sent: Sequence[bool] | None = None) -> Course | None:
        """Return how the rules play a script, steps that are not sent left out; None if they do not play it at all."""
        player = self.rules.watched
        self.rules.watch()
        try:
            state = begin(player, script.start)
            begun = dict(self.rules.touches)
            states, told = [state], list[Message]()
            for number, step in enumerate(script.steps):
                answer: Message = {}
                if sent is None or sent[number]:
                    act = step.message.get("act")
                    self.rules.watch_step(number, step.verb, next(iter(act), "") if isinstance(act, dict) else "")
                    answer, state = take(player, state, step.message)
                told.append(answer)
                states.append(state)
        except BrouError:
            return None
        return Course(tuple(states), tuple(told), self.rules.touches, begun)


def _find_disputed(answer: Message, pattern: Pattern, terms: Criteria) -> DisputedAct | None:
    """Return an act that only one of two lists has, the answer of a program or a pattern; None if no list tells."""
    listed = answer.get("legal")
    for name, wanted in pattern.members.items():
        said = listed.get(name, []) if isinstance(listed, dict) else None
        if isinstance(said, list) and isinstance(wanted, list) and (terms.acts is None or name in terms.acts):
            ours, theirs = ({write_form(value): value for value in values} for values in (wanted, said))
            if apart := sorted(ours.keys() ^ theirs.keys()):
                form = apart[0]
                return DisputedAct({name: {**ours, **theirs}[form]}, form in theirs)
    return None


def follow_all(ground: VariedGround, scripts: Sequence[Script], made_of: Sequence[Path]) -> list[Slice]:
    """Return scripts that a program answers as the rules do; how the rules play them is cached by the files."""

    def follow_each() -> dict[str, Course]:
        followed = ((one.scenario.id, ground.follow(one)) for one in scripts)
        return {name: course for name, course in followed if course is not None}

    ids = [one.scenario.id for one in scripts]
    courses = load_or_make("courses", made_of, (ground.choice, ground.choice.readings, ids), follow_each)
    return [
        Slice(one, course, course.told, (1 << len(one.steps)) - 1, 0)
        for one in scripts
        if (course := courses.get(one.scenario.id)) is not None
    ]
