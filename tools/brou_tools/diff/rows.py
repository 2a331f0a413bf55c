"""The rows of a comparison, each about one thing, and examples that two rule bases answer differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from brou import Choice, Json
from brou_conformance.scenarios.scenario import Scenario, ScriptStep


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One thing that two rule bases settle each in its way, or alike."""

    id: str
    #: What it is about, by language; the texts may name numbers of the rules in braces.
    topic: Mapping[str, str]
    clauses: tuple[tuple[str, ...], tuple[str, ...]]
    verbs: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    #: The obligation that proves that both say the same, or how they go together.
    proved: str = ""
    #: What that proof comes to, by language.
    states: Mapping[str, str] = field(default_factory=dict)
    scenario: str = ""
    #: The step of that scenario that shows it, where not the first one that is answered otherwise does.
    step: str = ""
    #: The reading by which the first rules leave it open.
    open: str = ""
    #: Parameters that have the same value in both.
    alike: tuple[str, ...] = ()
    #: A scenario that both answer alike.
    agree: str = ""
    #: What is to be said beside, or why no example can show it.
    note: Mapping[str, str] = field(default_factory=dict)
    #: Of a reading: its key, and the two values, none where an edition does not ask.
    key: str = ""
    values: tuple[str, str] = ("", "")
    #: Of a record of the rules: where it stands.
    record: str = ""


@dataclass(frozen=True, slots=True)
class DifferenceExample:
    """A scenario that two rule bases answer differently, and the first step at which they do."""

    scenario: Scenario
    step: ScriptStep
    number: int
    answers: tuple[Json, Json]
    choices: tuple[Choice, Choice]

    @property
    def own(self) -> Choice:
        """Return the rules among the two that the scenario was written for."""
        return next(choice for choice in self.choices if choice.game == self.scenario.game)
