"""`brou verify`: judge a program under test."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from brou import Unknown
from brou_conformance.child import Child, Failure
from brou_conformance.protocol import schema
from brou_conformance.report import document, summary
from brou_conformance.session import Limits, Session
from brou_conformance.verdict import Verdict
from brou_conformance.verify import Progress, Report, Selection, verify
from brou_tools.exits import Exit

#: Progress is shown on a terminal once a run has taken this long.
_PATIENCE = 2.0


def run(options: argparse.Namespace) -> int:
    """Judge the program and write the report."""
    if options.schema:
        print(json.dumps(schema("report"), indent=2))
        return Exit.FINE
    selection = Selection(options.game, options.edition, options.text, _folder(options.scenarios))
    usual = Limits()
    limits = Limits(start=options.start_timeout or usual.start, request=options.timeout or usual.request)
    with Session(lambda: _started(options.program), limits) as session:
        report = verify(session, selection, _progress())
    if options.json:
        print(json.dumps(document(report)))
    else:
        print(summary(report), end="", file=sys.stderr if report.unusable and not report.runs else sys.stdout)
    return code(report)


def _started(command: list[str]) -> Child | Failure:
    return Child.start(command)


def _folder(name: str | None) -> Path | None:
    if name is None:
        return None
    if not Path(name).is_dir():
        raise Unknown("folder of scenarios", name, ["a folder that holds GAME/*.yaml"])
    return Path(name).resolve()


def code(report: Report) -> Exit:
    """Return the exit code for a report: the gravest thing in it."""
    verdicts = {run.verdict for run in report.runs}
    if Verdict.SUITE in verdicts:
        return Exit.OURS
    if report.unusable is not None or not report.runs:
        return Exit.UNUSABLE
    return Exit.FINE if verdicts == {Verdict.CONFORMS} else Exit.FINDING


def _progress() -> Progress | None:
    """Return what shows the progress of a long run on a terminal; in a pipe nothing does."""
    if not sys.stderr.isatty():
        return None
    begun = time.monotonic()

    def shown(done: int, total: int) -> None:
        if time.monotonic() - begun > _PATIENCE:
            print(f"\r{done} of {total} cases", end="\r" if done < total else "\r\033[K", file=sys.stderr, flush=True)

    return shown
