"""Explaining: the changes of the rules under which they answer as a program does, for an edition that it breaks."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path

from brou import Choice
from brou.games import list_rule_files
from brou_conformance.fitting.search import FailureExplanation, RootSearch
from brou_conformance.fitting.slices import Slice, VariedGround, follow_all, list_unused
from brou_conformance.judging.answered import AnsweredScript
from brou_conformance.judging.case import Case
from brou_conformance.judging.diagnosis import weigh_clauses
from brou_conformance.judging.judge import Criteria
from brou_conformance.scenarios.corpus import batches
from brou_conformance.scenarios.script import Script
from brou_conformance.verdicts.plan import EditionPlan
from brou_conformance.verdicts.tally import Tally


def explain(plan: EditionPlan, tally: Tally) -> FailureExplanation:
    """Return the changes that explain the failures of an edition; a fault of our own in the search costs only these.

    Scenarios that demand nothing have no voice, nor have those with questions that the program does not answer. What
    breaks a fork is not explained: changes are looked for from the text on.
    """
    if plan.wanted.find_fork(plan.name) is not None:
        return FailureExplanation()
    try:
        return _RootExplainer(plan, tally).search().explain()
    except Exception:  # noqa: BLE001 - whatever it is, the verdict stands, and the report tells it
        return FailureExplanation(trace=traceback.format_exc())


class _RootExplainer:
    """Gathers what a search needs: the scripts that fail and those that pass, each with its rules."""

    def __init__(self, plan: EditionPlan, tally: Tally) -> None:
        self.plan, self.tally = plan, tally
        self.grounds: dict[Choice, VariedGround] = {}
        self._passing: list[tuple[VariedGround, Slice]] | None = None

    def search(self) -> RootSearch:
        failing = []
        for suspect in sorted(self.tally.suspects, key=lambda one: one.number):
            if suspect.script.scenario.level == "open":
                continue
            ground = self._ground(suspect.script)
            found = ground.slice(suspect)
            if found is not None and found.wrong:
                failing.append((ground, found))
        counts: dict[int, int] = {}
        for ground, _ in failing:
            counts[id(ground)] = counts.get(id(ground), 0) + 1
        grounds = sorted(self.grounds.values(), key=lambda ground: -counts.get(id(ground), 0))
        outcomes = [one for one in self.tally.ordered if one.fails]
        named = [one for one in outcomes if one.named] or outcomes
        unused = {one.number: list_unused(one, ground.rules) for ground, one in failing}
        weights = weigh_clauses(named, self.tally.passing.weights, unused)
        suspicion = {name: weight for name, (weight, _) in weights.items()}
        return RootSearch(grounds, failing, self._find_passing, suspicion, unused)

    def _ground(self, script: Script) -> VariedGround:
        if script.choice not in self.grounds:
            hello = self.plan.hello
            terms = Criteria(script.readings, codes=False, acts=hello.acts)
            self.grounds[script.choice] = VariedGround(script.choice, terms, self.plan.wanted.data)
        return self.grounds[script.choice]

    def _find_passing(self) -> Sequence[tuple[VariedGround, Slice]]:
        """Return the scripts that pass, gathered at the first call."""
        if self._passing is None:
            self._passing = list(self._gather_passing())
        return self._passing

    def _gather_passing(self) -> list[tuple[VariedGround, Slice]]:
        wanted = self.plan.wanted
        others = {outcome.number for outcome in self.tally.outcomes}
        by_choice: dict[Choice, list[Script]] = {}
        found: list[tuple[VariedGround, Slice]] = []
        for number, one in enumerate(self.plan.subjects()):
            if isinstance(one, Case) and number not in others:
                # What was answered already need not have been asked throughout.
                ground = self._ground(one.script)
                sliced = ground.slice(AnsweredScript.of(one, number))
                found += [] if sliced is None else [(ground, sliced)]
            if isinstance(one, Script) and number not in others and one.scenario.level != "open":
                by_choice.setdefault(one.choice, []).append(one)
        game = self.plan.choice.game
        made_of: list[Path] = [*list_rule_files(game, wanted.data)]
        for batch in batches(game, wanted.corpus):
            made_of += batch.files
        for scripts in by_choice.values():
            ground = self._ground(scripts[0])
            found += [(ground, one) for one in follow_all(ground, scripts, made_of)]
        return found
