"""Judging a record again, without its program, and the log of one that cannot be run."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from brou_conformance.played.judging import verify_log
from brou_conformance.played.reading import read_log
from brou_conformance.programs.replay import Replay
from brou_conformance.programs.session import Hello
from brou_conformance.reports.record import RunRecord, check_replayable, summarise_data
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verify import Report, RunObserver, verify


def judge_again(record: RunRecord, selection: Selection, watch: RunObserver) -> Report:
    """Judge the answers of a record, and warn of one that is not whole, or whose scenarios or rules have changed.

    Raises `Stale` for a record without the requests, or changed after it was written.
    """
    check_replayable(record)
    if record.selection and not selection.is_partial:
        selection = replace(selection, only=record.scenarios)
    session = Replay.of(record.greeting, record.played)
    hello = session.hello()
    if isinstance(hello, Hello) and record.data and record.data != (now := summarise_data(hello, selection)):
        games = sorted(game for game in now if now[game] != record.data.get(game, now[game]))
        if games:
            what = f"the scenarios or rules of {', '.join(games)} have changed since it was made"
            print(f"brou: {record.path}: {what}: what they ask otherwise has no answer", file=sys.stderr)
    if not record.complete:
        print(f"brou: {record.path}: the record is not complete", file=sys.stderr)
    return verify(session, selection, watch, earlier=record.replies)


def judge_log(path: Path, selection: Selection, watch: RunObserver) -> Report:
    """Judge the deals of a log; raise `NoFile` without one, and `Malformed` with every fault in it."""
    return verify_log(read_log(path, selection.data), selection, watch)
