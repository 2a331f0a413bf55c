"""A meter of the steps of quantifiers and loops while a question is answered."""

from __future__ import annotations

import sys
from threading import local

from brou.errors import Place, TooCostly
from brou.language.budget import BUDGET


class Meter(local):
    """Counts the steps of quantifiers and loops; `left` is the remaining budget of a question.

    Each thread that asks has a budget of its own. The loader refuses rules that could take more, so this stops only
    steps that its bound has missed. Calls are not counted: how often they nest stands in the rules and does not depend
    on the play.
    """

    def __init__(self) -> None:
        self.left = sys.maxsize

    def spend(self, steps: int, place: Place) -> None:
        """Count some steps, or raise `TooCostly` where the budget is spent."""
        self.left -= steps
        if self.left < 0:
            raise TooCostly(f"{place}: what is asked takes more than {BUDGET} steps; ask rules for less")
