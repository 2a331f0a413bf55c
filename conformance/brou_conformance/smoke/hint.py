"""The hint that a report gives where everything fails: look at the adapter first."""

from __future__ import annotations

from itertools import islice

from brou_conformance.judging.judge import Status
from brou_conformance.verdicts.verdict import Run

#: So many cases at the beginning of a run must fail, all of them.
FIRST = 10
_FAILING = frozenset({Status.FAIL, Status.PROTOCOL, Status.TIMEOUT, Status.CRASH})
_ASIDE = frozenset({Status.UNSUPPORTED, Status.BEHIND, Status.BLOCKED, Status.SKIP})


def fails_from_the_start(run: Run) -> bool:
    """Say whether every one of the first cases that could be asked fails, so that perhaps not the rules are wrong."""
    others = {one.number: one.status for one in run.outcomes}
    statuses = (others.get(number, Status.PASS) for number in range(run.tally.total))
    first = list(islice((status for status in statuses if status not in _ASIDE), FIRST))
    return len(first) == FIRST and _FAILING.issuperset(first)
