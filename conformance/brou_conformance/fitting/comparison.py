"""Comparison: whether changed rules answer a script as a program does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from brou import Change, Machine, State, Varying, begin
from brou_conformance.fitting.slices import Course, Slice, find_first
from brou_conformance.judging.judge import Criteria, Unsent, ask_alike, matches
from brou_conformance.scenarios.course import take
from brou_conformance.scenarios.scenario import ScriptStep

#: How many steps a list of acts counts for: every card of a hand is judged for it.
_LISTING = 5
#: How many steps a change of the rules counts for: what it touches is made anew.
_MAKING = 2
#: How many steps the start of a script counts for: cards are dealt.
_BEGINNING = 2


@dataclass(frozen=True, slots=True)
class ShownSteps:
    """The steps of a script at which changes can show, as bits; and whether it may begin in another state."""

    steps: int
    at_start: bool

    @classmethod
    def find(cls, rules: Varying, course: Course, made: Iterable[Change]) -> ShownSteps:
        """Return where some changes of rules can show in a course."""
        steps = start = 0
        for change in made:
            steps |= rules.find_touched(change, course.touched)
            start |= rules.find_touched(change, course.begun)
        return cls(steps, bool(start))


@dataclass(slots=True)
class StepBudget:
    """The steps of scripts that a search may still play, so that it ends at the same place on every machine."""

    left: int

    def charge(self, step: ScriptStep) -> None:
        """Take off what playing a step costs."""
        self.left -= _LISTING if step.verb == "legal" else 1

    def charge_making(self, made: Sequence[Change]) -> None:
        """Take off the cost of making rules with some changes."""
        self.left -= _MAKING * len(made)

    @property
    def is_spent(self) -> bool:
        """Say whether nothing may be done any more."""
        return self.left <= 0


def is_ruled_out(player: Machine, one: Slice, number: int, state: State) -> bool:
    """Say whether changed rules and the program differ on the one disputed act of a list.

    To list all acts costs several times as much, and most changes leave that one as the rules have it.
    """
    disputed, seat = one.disputed.get(number), one.script.steps[number].message.get("legal")
    if disputed is None or not isinstance(seat, int):
        return False
    try:
        return disputed.is_listed != (player.refusal(state, seat, disputed.act) is None)
    except Exception:  # noqa: BLE001 - changed rules may be such as could not be loaded: anything may be wrong
        return True


def is_answered_alike(player: Machine, one: Slice, number: int, state: State, terms: Criteria) -> bool:
    """Say whether changed rules answer a single step, asked in a state, as the program does."""
    step, answer = one.script.steps[number], one.answers[number]
    try:
        told, _ = take(player, state, step.message)
    except Exception:  # noqa: BLE001 - as above
        return False
    return not isinstance(answer, Unsent) and matches(answer, ask_alike(step, told), terms)


def find_state(player: Machine, one: Slice, last: int) -> State | None:
    """Return the state in which changed rules come to a step; None where they break down before it."""
    try:
        state = begin(player, one.script.start)
        for number in range(last):
            if one.played >> number & 1:
                _, after = take(player, state, one.script.steps[number].message)
                state = state if one.tried >> number & 1 else after
    except Exception:  # noqa: BLE001 - as above
        return None
    return state


def compare(player: Machine, shown: ShownSteps, one: Slice, terms: Criteria, work: StepBudget) -> int:
    """Return the first step that changed rules answer otherwise than the program; the number of all steps if none.

    The changed rules can come out otherwise only at the steps where they show. Play is taken up at the first of these,
    from the state that the rules come to; where both come to the same state again, it is taken up at the next.
    """
    touched, steps, states, last = shown.steps, one.script.steps, one.course.states, len(one.answers)
    number = find_first(touched, 0, last)
    if one.first_wrong < number or number == last:
        return one.first_wrong
    state = states[number]
    if shown.at_start:
        work.left -= _BEGINNING
        try:
            number, state = 0, begin(player, one.script.start)
        except Exception:  # noqa: BLE001 - as above
            return 0
    while number < last:
        if one.played >> number & 1:
            work.charge(steps[number])
            try:
                told, after = take(player, state, steps[number].message)
            except Exception:  # noqa: BLE001 - changed rules may be such as could not be loaded: anything may be wrong
                return number
            answer = one.answers[number]
            if not isinstance(answer, Unsent) and not matches(answer, ask_alike(steps[number], told), terms):
                return number
            state = state if one.tried >> number & 1 else after
        number += 1
        if state == states[number]:
            following = find_first(touched, number, last)
            if (wrong := find_first(one.wrong, number, last)) < following:
                return wrong
            number, state = following, states[following]
    return last
