"""The record of a verification: NDJSON, a line for the greeting, for each case and each edition, and one at the end.

Every line is written as soon as it is known, so that whatever ends a run
leaves what it found. The last line counts and sums up all the others: a record
without it is never taken for a whole one. A case is recorded with what the
program answered, so that it can be judged again without asking.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from brou.errors import NoFile
from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Status, Unsent
from brou_conformance.protocol import Message, NoMessage, decode, encode, fault
from brou_conformance.telling.report import findings, run_document
from brou_conformance.verdicts.verdict import Change, Run
from brou_conformance.verdicts.verify import Report, Watch

FORMAT = "brou-report/1"
_REPORT = "a file that `brou verify --report` wrote"


@dataclass(frozen=True, slots=True)
class Known:
    """A case as a record has it."""

    name: str
    key: str
    status: Status
    answers: tuple[Message | Unsent, ...]
    #: The line itself.
    line: Message


@dataclass(frozen=True, slots=True)
class Record:
    """What an earlier run left."""

    greeting: Message
    cases: Mapping[str, Known]
    #: Whether it ran to its end and nothing is missing.
    complete: bool

    @property
    def answers(self) -> dict[str, tuple[Message | Unsent, ...]]:
        """Return the answers by the key of their case."""
        return {known.key: known.answers for known in self.cases.values()}


class Recorder(Watch):
    """Writes a record while the cases are judged; what an earlier record of the same run holds is kept first."""

    def __init__(self, path: Path, program: Sequence[str], kept: Record | None = None) -> None:
        self._path = path
        self._program = list(program)
        self._kept = kept
        self._lock = threading.Lock()
        self._sum = hashlib.sha256()
        self._lines = 0
        self._file: BinaryIO | None = None

    def begun(self, greeting: Message) -> None:
        """Open the record; an earlier one is replaced at once or not at all."""
        aside = self._path.with_name(f".{self._path.name}.new")
        begin: Message = {"kind": "begin", "format": FORMAT, "program": self._program, "greeting": greeting}
        with aside.open("wb") as self._file:
            for line in [begin, *(known.line for known in self._kept.cases.values())] if self._kept else [begin]:
                self._write(line)
        aside.replace(self._path)
        self._file = self._path.open("ab")

    def judged(self, case: Case) -> None:
        """Write a case down, unless it stands there already."""
        line = case_line(case)
        known = self._kept.cases.get(case.name) if self._kept else None
        if known is None or known.line != line:
            self._write(line)

    def ended(self, run: Run) -> None:
        """Write down what an edition came to."""
        for kind, family in run.families.items():
            head = {"kind": "family", "game": run.game, "edition": run.edition, "family": kind.value}
            self._write({**head, **family.document()})
        self._write({"kind": "run", **run_document(run)})

    def finished(self, report: Report) -> None:
        """Write the last line."""
        if self._file is None:
            self.begun({})
        lost = {} if report.unusable is None else {"unusable": report.unusable.what}
        self._write({"kind": "end", "lines": self._lines, "sha256": self._sum.hexdigest(), **lost})

    def close(self) -> None:
        """Close the file; only `finished` makes the record whole."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, line: Message) -> None:
        data = encode(line)
        with self._lock:
            if self._file is not None:
                self._file.write(data)
                self._file.flush()
                self._sum.update(data)
                self._lines += 1


def case_line(case: Case) -> Message:
    """Return a case as a record has it."""
    choice = case.script.choice
    return {
        "kind": "case",
        "game": choice.game,
        "edition": choice.edition,
        "setup": choice.setup,
        "id": case.scenario.id,
        "status": case.status.value,
        "clauses": list(case.scenario.clauses),
        "key": case.key,
        "answers": [_answer(judgement.answer) for judgement in case.judgements],
        "findings": list(findings(case)),
    }


def _answer(answer: Message | Unsent) -> Message:
    return {"unsent": answer.status.value, "why": answer.why} if isinstance(answer, Unsent) else answer


# Reading --------------------------------------------------------------------------


def read_record(path: Path) -> Record:
    """Return what a record holds, as far as it goes; raise `NoFile` if it is none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NoFile(path, _REPORT, str(error.strerror)) from error
    lines = list(_lines(data))
    first = lines[0] if lines else {}
    if first.get("kind") != "begin" or first.get("format") != FORMAT:
        raise NoFile(path, f"{_REPORT}, from its first line on", "no report")
    cases = {known.name: known for line in lines if line["kind"] == "case" for known in [_known(line)]}
    return Record(first["greeting"], cases, _whole(data, lines))


def _lines(data: bytes) -> Iterator[Message]:
    """Yield the lines of the right form, up to the first that is not."""
    for text in data.splitlines(keepends=True):
        if not text.endswith(b"\n"):
            return
        try:
            line = decode(text)
        except NoMessage:
            return
        if fault("record", line):
            return
        yield line


def _whole(data: bytes, lines: Sequence[Message]) -> bool:
    """Say whether the last line stands and sums up what stands before it, byte for byte."""
    last = lines[-1]
    body, _, _ = data.removesuffix(b"\n").rpartition(b"\n")
    summed = hashlib.sha256(body + b"\n").hexdigest()
    return last["kind"] == "end" and (last["lines"], last["sha256"]) == (data.count(b"\n") - 1, summed)


def _known(line: Message) -> Known:
    name = f"{line['game']}@{line['edition']}:{line['setup']} {line['id']}"
    answers = tuple(
        Unsent(Status(item["unsent"]), item["why"]) if "unsent" in item else item for item in line["answers"]
    )
    return Known(name, line["key"], Status(line["status"]), answers, line)


# Comparing ------------------------------------------------------------------------


def change(earlier: Record, cases: Sequence[Case]) -> Change:
    """Return what has changed since an earlier record."""
    now = {case.name: case.status for case in cases}
    before = {name: known.status for name, known in earlier.cases.items()}
    both = sorted(now.keys() & before.keys())
    return Change(
        worse=tuple(name for name in both if now[name].rank > before[name].rank),
        better=tuple(name for name in both if now[name].rank < before[name].rank),
        new=tuple(sorted(now.keys() - before.keys())),
        gone=tuple(sorted(before.keys() - now.keys())),
        complete=earlier.complete,
    )
