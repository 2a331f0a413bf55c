"""The file that `brou verify --fork` writes: what a program plays, as editions of one's own."""

from __future__ import annotations

import json
from collections.abc import Iterator

from brou import Choice, book, choose, rules, with_readings
from brou.games import find_record
from brou_conformance.reports.changed_rules import tell_change
from brou_conformance.reports.sentences import Sentences
from brou_conformance.reports.summary import Summary, ToldRoot
from brou_conformance.verdicts.verify import Report

_HEAD = """# Editions of one's own, written by `brou verify --fork`: what a program plays, as readings and changes of
# the rules. `brou verify --under FILE -- COMMAND` judges by it.
"""


def write_forks(report: Report) -> str:
    """Return the readings and changes by which a program was found to play, edition by edition."""
    lines = [f"{_HEAD}format: brou-fork/1", "editions:"]
    for run in report.runs:
        lines += _list_lines(Summary(run))
    return "".join(f"{line}\n" for line in lines) if report.runs else f"{_HEAD}format: brou-fork/1\neditions: []\n"


def _list_lines(summary: Summary) -> Iterator[str]:
    read = ",".join(f"{key}={value}" for key, value in summary.otherwise_read)
    yield f"- rules: {_write(f'{summary.name}[{read}]' if read else summary.name)}"
    found, failing = summary.run.explanation, len(summary.run.failing)
    cases = Sentences().count(failing, "of_failing")
    told = "all answers" if found.is_whole or not failing else f"{len(summary.explained)} of {cases}"
    yield f"  plays: {_write(told)}"
    if not summary.roots:
        yield "  changes: []"
        return
    yield "  changes:"
    for one in summary.roots:
        change = one.root.change
        says = tell_change(summary.choice(one.shown.setup), change, Sentences(), summary.data).brief
        setups = list(_list_setups(summary, one))
        for at, verb, value in change.sites:
            written: dict[str, object] = {"clause": one.root.clause} if one.root.clause else {}
            written |= {"says": says, "at": "/".join(at), "setups": setups, verb: value}
            for number, (key, item) in enumerate(written.items()):
                yield f"  {' ' if number else '-'} {key}: {_write(item)}"


def _list_setups(summary: Summary, one: ToldRoot) -> Iterator[str]:
    """Yield the set-ups whose rules have the record that is changed."""
    shown = summary.choice(one.shown.setup)
    record = one.root.change.record
    wanted = find_record(rules(shown, summary.data), record)
    for setup in book(summary.run.game, summary.data).editions[summary.run.edition].setups:
        if find_record(rules(_choose(summary, setup), summary.data), record) == wanted:
            yield setup


def _choose(summary: Summary, setup: str) -> Choice:
    bare = choose(f"{summary.name}:{setup}", summary.data)
    return with_readings(bare, dict(summary.otherwise_read), summary.data, fitting=True)


def _write(value: object) -> str:
    """Return a value as YAML on one line: JSON is."""
    return json.dumps(value, ensure_ascii=False)
