"""Lists of scenarios that a program is known to fail: a step on the way, never a way out."""

from __future__ import annotations

from pathlib import Path

from brou import NoFile
from brou_conformance.verdicts.verify import Report


def known_failing(path: Path) -> frozenset[str]:
    """Return the ids in a file: one a line, a remark after `#`."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no UTF-8"
        raise NoFile(path, "a list of known failures, one id a line", str(reason)) from error
    ids = [line.partition("#")[0].strip() for line in text.splitlines()]
    return frozenset(id_ for id_ in ids if id_)


def list_failing(report: Report) -> str:
    """Return such a list of the present failures, as a file: every id once, edition by edition."""
    lines = ["# What is known to fail: one id a line. `brou verify --known-failing` takes it."]
    told: set[str] = set()
    for run in report.runs:
        failing = dict.fromkeys(case.id for case in run.failing if case.id not in told)
        told |= failing.keys()
        lines += [f"# {run.game}@{run.edition}", *failing] if failing else []
    return "".join(f"{line}\n" for line in lines)
