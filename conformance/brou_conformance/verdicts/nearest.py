"""Nearest rules: another edition or set-up that a program's answers fit better than the one it declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from brou import BrouError, Choice, book, with_readings
from brou.shapes import Limit, shape
from brou_conformance.judging.answered import AnsweredScript
from brou_conformance.judging.judge import Criteria, matches
from brou_conformance.scenarios.course import follow
from brou_conformance.scenarios.script import Script, machine
from brou_conformance.verdicts.inference import plays_alike
from brou_conformance.verdicts.plan import EditionPlan
from brou_conformance.verdicts.tally import Tally


@shape(closed=True)
class Nearer:
    """Rules that explain more of a program's answers than those of one set-up that it declares."""

    setup: Annotated[str, "the set-up that it declares"]
    rules: Annotated[str, "the edition and set-up that explain more"]
    failing: Annotated[int, Limit(minimum=0), "how many cases fail under the rules of that set-up"]
    left: Annotated[int, Limit(minimum=0), "how many of them still fail under the other rules"]


def find_nearer(plan: EditionPlan, tally: Tally) -> Iterator[Nearer]:
    """Yield for each set-up the edition and set-up that explains most, if under it half as much would fail at most."""
    failing: dict[str, list[AnsweredScript]] = {}
    for suspect in tally.suspects:
        failing.setdefault(suspect.script.choice.setup, []).append(suspect)
    for setup, suspects in failing.items():
        choices = list(_others(plan, setup))
        losses = {choice: _lose(plan, choice, setup, suspects) for choice in choices}
        best = min(choices, key=losses.__getitem__, default=None)
        if best is not None and 2 * losses[best] <= len(suspects):
            yield Nearer(setup=setup, rules=str(best), failing=len(suspects), left=losses[best])


def _others(plan: EditionPlan, setup: str) -> Iterator[Choice]:
    """Yield every other edition and set-up for as many players, under the readings that are declared."""
    game, data = plan.choice.game, plan.wanted.data
    own = Choice(game, plan.choice.edition, setup, (), plan.choice.project)
    seats = machine(with_readings(own, {}, data, fitting=True), data).game.seats
    declared = {key: value for key, value in plan.choice.readings if key in plan.declared}
    for edition in book(game, data).editions.values():
        readings = {key: value for key, value in declared.items() if key in edition.readings}
        for other in edition.setups:
            choice = Choice(game, edition.id, other, (), plan.choice.project)
            if (edition.id, other) == (own.edition, own.setup):
                continue
            try:
                choice = with_readings(choice, readings, data, fitting=True)
            except BrouError:
                continue
            if machine(choice, data).game.seats == seats:
                yield choice


def _lose(plan: EditionPlan, choice: Choice, setup: str, suspects: list[AnsweredScript]) -> int:
    """Return how many cases are not answered as some rules have them, as soon as these explain no more than others."""
    data, most = plan.wanted.data, len(suspects)
    left = sum(not plays_alike(suspect, choice, data) for suspect in suspects)
    if left == most:
        return left
    failing = {suspect.script.scenario.id for suspect in suspects}
    for script in plan.scripts():
        if left >= most:
            break
        if script.choice.setup == setup and script.scenario.id not in failing:
            left += not _answers(script, choice, plan)
    return left


def _answers(script: Script, choice: Choice, plan: EditionPlan) -> bool:
    """Say whether some rules answer a script as its scenario expects."""
    terms = Criteria(script.readings, codes=False)
    other = Script(script.scenario, choice, script.steps, script.start)
    try:
        moments = list(follow(other, machine(choice, plan.wanted.data)))
    except BrouError:
        return False
    wanted = ((moment.step.choose_pattern(script.readings), moment.answer) for moment in moments)
    return all(pattern is None or matches(answer, pattern, terms) for pattern, answer in wanted)
