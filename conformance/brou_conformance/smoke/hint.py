"""The hint that a report gives where everything fails: look at the adapter first."""

from __future__ import annotations

from itertools import islice

from brou_conformance.judging.judge import Status
from brou_conformance.verdicts.verdict import EditionRun

#: So many cases at the beginning of a run must fail, all of them.
FIRST = 10
_FAILING = frozenset({Status.FAIL, Status.PROTOCOL, Status.TIMEOUT, Status.CRASH})
_ASIDE = frozenset({Status.UNSUPPORTED, Status.BEHIND, Status.BLOCKED, Status.SKIP})


def fails_from_the_start(run: EditionRun) -> bool:
    """Say whether all of the first cases with an answer fail, so that the adapter may be at fault."""
    others = {one.number: one.status for one in run.outcomes}
    statuses = (others.get(number, Status.PASS) for number in range(run.tally.total))
    first = list(islice((status for status in statuses if status not in _ASIDE), FIRST))
    return len(first) == FIRST and _FAILING.issuperset(first)
