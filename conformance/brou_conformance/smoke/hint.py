"""The hint that a report gives where everything fails: look at the adapter first."""

from __future__ import annotations

from itertools import islice

from brou_conformance.judging.judge import Status
from brou_conformance.verdicts.verdict import Run

#: So many cases at the beginning of a run must fail, all of them.
_FIRST = 10
_FAILING = frozenset({Status.FAIL, Status.PROTOCOL, Status.TIMEOUT, Status.CRASH})
_ASIDE = frozenset({Status.UNSUPPORTED, Status.BLOCKED, Status.SKIP})


def hint(run: Run) -> str:
    """Return what to do first where every one of the first cases that could be asked fails; nothing elsewhere."""
    statuses = (Status(case["status"]) for case in run.cases)
    first = list(islice((status for status in statuses if status not in _ASIDE), _FIRST))
    if len(first) < _FIRST or not _FAILING.issuperset(first):
        return ""
    return (
        f"The first {_FIRST} cases all fail. Perhaps it is not the rules but how they are asked: "
        "`brou verify --smoke -- COMMAND` tells whether the adapter is sound."
    )
