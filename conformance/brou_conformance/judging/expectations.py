"""Expectations: what scenarios expect beside what the rules themselves answer, under every reading that they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from brou import BrouError, Choice, Fault, Folder, Reading, Unusable, book, choose, with_readings
from brou_conformance.judging.judge import Criteria, Status, StepJudgement, judge
from brou_conformance.scenarios.course import find_duties, follow
from brou_conformance.scenarios.scenario import Scenario
from brou_conformance.scenarios.script import machine, spell

#: What the rules answer otherwise than is expected; other steps have nothing that could be compared.
_UNMET = (Status.FAIL, Status.CRASH, Status.PROTOCOL)


def expectation_faults(found: Iterable[Scenario], game: str, folder: Folder = None) -> Iterator[Fault]:
    """Yield the expectations that the rules do not meet, those with one answer to one step once.

    Every scenario is played in each edition and set-up that it holds for, under its premise, and then with each other
    value of each reading that its steps name. Values that the rules exclude together with the others are passed over.
    """
    for one in found:
        told: set[tuple[str, str, str]] = set()
        for choice, name in list_rules(one, game, folder):
            for unmet in _find_unmet(one, choice, folder):
                about = (unmet.step.id, unmet.wanted, unmet.said)
                if about not in told:
                    told.add(about)
                    what = f"{one.id}#{unmet.step.id} expects {unmet.wanted!r}, and {name} answers {unmet.said!r}"
                    instead = f"mend the one that is wrong: brou explain {one.id}#{unmet.step.id} --rules '{name}'"
                    yield Fault(unmet.step.place, what, instead)


def list_rules(one: Scenario, game: str, folder: Folder = None) -> Iterator[tuple[Choice, str]]:
    """Yield the rules that a scenario says something of, with their names."""
    known = book(game, folder)
    for edition in one.editions or known.editions:
        for setup in one.setups or tuple(known.editions[edition].setups)[:1]:
            plain = choose(f"{game}@{edition}:{setup}", folder)
            for readings in _vary(one, known.readings, known.editions[edition].readings):
                try:
                    choice = with_readings(plain, readings, folder)
                except BrouError:
                    continue
                named = ",".join(f"{key}={value}" for key, value in readings.items())
                yield choice, f"{plain}[{named}]" if named else str(plain)


def _vary(one: Scenario, known: Mapping[str, Reading], usual: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield the premise of a scenario by itself, and with each other value of a reading that its steps name."""
    premise = dict(one.premise)
    yield premise
    for key in one.keys:
        if key not in premise:
            yield from ({**premise, key: value} for value in known[key].values if value != usual.get(key))


def _find_unmet(one: Scenario, choice: Choice, folder: Folder) -> Iterator[StepJudgement]:
    """Yield the steps of a scenario to which the rules answer otherwise than it expects; none if they have faults."""
    try:
        script, player = spell(one, choice, folder), machine(choice, folder)
    except Unusable:  # whoever checks the rules tells why
        return
    terms = Criteria(script.readings, one.level, whole=True, duties=lambda number: find_duties(script, player, number))
    answers = [moment.answer for moment in follow(script, player)]
    for judgement in judge(script.steps, answers, terms).closely.values():
        if judgement.status in _UNMET:
            yield judgement
