"""The records, rows and effects that decide anything while rules are applied, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brou.interpreter.evaluate import Observer
from brou.language.effects import Effect, name_effect
from brou.language.types import Value, Values


class Touched(Observer):
    """Notes at which steps records, rows of tables and effects are touched; whoever plays sets the number of the step.

    Steps are the bits of a number, so that many records cost little.
    """

    def __init__(self) -> None:
        self.steps: dict[tuple[str, ...], int] = {}
        self.step = 0

    def note_lookup(self, section: str, name: str) -> None:
        """Note a parameter, a function or a table."""
        self.note((section, name))

    def note_row(self, table: str, row: str) -> None:
        """Note a row of a table."""
        self.note(("tables", table, row))

    def note_effect(
        self,
        effect: Effect,
        env: Mapping[str, int],  # noqa: ARG002 - as any observer is told
        values: Values,  # noqa: ARG002
        locals_: Sequence[Value],  # noqa: ARG002
    ) -> None:
        """Note an effect."""
        self.note(("effects", name_effect(effect)))

    def note(self, what: tuple[str, ...]) -> None:
        """Note that something is touched at this step."""
        self.steps[what] = self.steps.get(what, 0) | 1 << self.step
