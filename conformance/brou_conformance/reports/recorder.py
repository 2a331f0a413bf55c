"""Writing a record: every line as soon as it is known, so that an interrupted run leaves all its findings."""

from __future__ import annotations

import hashlib
import threading
from array import array
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from brou.atomic import Journal
from brou.shapes import ABSENT, write_object
from brou_conformance.judging.case import Case, CaseReport, describe
from brou_conformance.programs.identity import ProgramName
from brou_conformance.protocol import Message, encode
from brou_conformance.reports.document import describe_run
from brou_conformance.reports.record import (
    FORMAT,
    AgainLine,
    BeginLine,
    EndLine,
    GameHashes,
    RecordLine,
    RunRecord,
    read_case,
)
from brou_conformance.verdicts.tally import Ledger
from brou_conformance.verdicts.verdict import EditionRun
from brou_conformance.verdicts.verify import Report, RunObserver


class Recorder(RunObserver):
    """Writes a record while cases are judged, and finds every case in it again."""

    def __init__(
        self,
        path: Path,
        program: ProgramName,
        data: Callable[[], Mapping[str, GameHashes]] = dict,
        kept: RunRecord | None = None,
        selection: str = "",
    ) -> None:
        """Prepare the record of a program; it begins with the lines of `kept`, an earlier record of the same run.

        `data` says by which scenarios and rules the program is judged; it is called once that is known. `selection`
        are the options by which some cases alone were chosen.
        """
        self._path = path
        self._program = program
        self._data = data
        self._kept = kept
        self._selection = selection
        self._lock = threading.Lock()
        self._sum = hashlib.sha256()
        self._lines = 0
        self._journal: Journal | None = None
        #: Where the lines stand that were kept, by the name of their case.
        self._places: dict[str, tuple[int, int]] = {}
        #: The editions of which cases have been judged.
        self._planned: set[str] = set()

    def on_begin(self, greeting: Message) -> None:
        """Open the record; an earlier one is replaced at once or not at all."""
        begin = BeginLine(
            format=FORMAT,
            program=self._program,
            data=self._data(),
            greeting=greeting,
            selection=self._selection or ABSENT,
        )
        lines = _Beginning(_encode_line(begin), self._kept)
        place = 0
        for line, known in lines.list_named():
            if known:
                self._places[known] = place, len(line)
            place += len(line)
            self._sum.update(line)
            self._lines += 1
        self._journal = Journal(self._path, lines)
        if self._kept is not None:
            self._kept.move({name: start for name, (start, _) in self._places.items()})

    def on_plan(self, name: str, total: int) -> None:  # noqa: ARG002 - only which edition comes counts
        """Write down that an edition is judged once more."""
        if name in self._planned:
            game, _, edition = name.partition("@")
            self._write(_encode_line(AgainLine(game=game, edition=edition)))
        self._planned.add(name)

    def ledger(self) -> Ledger:
        """Return a ledger for the cases of an edition; cases that the record can give back take no memory."""
        if self._journal is None or self._journal.size is None:
            return _Copied(self)
        return _RecordLedger(self)

    def keep(self, case: Case) -> tuple[int, int]:
        """Write a case down, unless it is there already; return where it is and how long."""
        line = _encode_line(describe(case))
        place = self._places.get(case.name)
        if place is not None and self.read(*place) == line:
            return place
        return self._write(line)

    def read(self, start: int, length: int) -> bytes:
        """Return a line of the record."""
        return b"" if self._journal is None else self._journal.read(start, length)

    def on_edition_end(self, run: EditionRun) -> None:
        """Write down the result of an edition."""
        for kind, family in run.families.items():
            found = write_object(family.report())
            self._write(encode({"kind": "family", "game": run.game, "edition": run.edition, "family": kind, **found}))
        self._write(encode({"kind": "run", **write_object(describe_run(run))}))

    def on_finish(self, report: Report) -> None:
        """Write the last line."""
        if self._journal is None:
            self.on_begin({})
        lost = ABSENT if report.unusable is None else report.unusable.what
        self._write(_encode_line(EndLine(lines=self._lines, sha256=self._sum.hexdigest(), unusable=lost)))

    def close(self) -> None:
        """Close the file; only `finished` makes the record whole."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def _write(self, line: bytes) -> tuple[int, int]:
        with self._lock:
            if self._journal is None:
                return 0, 0
            start = self._journal.size or 0
            self._journal.append(line)
            self._sum.update(line)
            self._lines += 1
            return start, len(line)


def _encode_line(line: RecordLine) -> bytes:
    return encode(write_object(line))


class _Beginning:
    """The first line of a record, and the lines taken over from an earlier one."""

    def __init__(self, first: bytes, kept: RunRecord | None) -> None:
        self._first = first
        self._kept = kept

    def __iter__(self) -> Iterator[bytes]:
        return (line for line, _ in self.list_named())

    def list_named(self) -> Iterator[tuple[bytes, str]]:
        """Yield each line with the name of its case, if it has one."""
        yield self._first, ""
        for known in self._kept.cases.values() if self._kept else ():
            yield self._kept.line(known) if self._kept else b"", known.name


class _Copied(Ledger):
    """Writes every case into a record that nothing can be read back from, and keeps it in memory too."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self._recorder = recorder

    def keep(self, number: int, case: Case) -> None:
        """Keep a case."""
        self._recorder.keep(case)
        super().keep(number, case)


class _RecordLedger(Ledger):
    """Writes every case into the record and remembers only where it is."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self._recorder = recorder
        #: Where the line of each case begins and how long it is, by its number; -1 if there is none yet.
        self._starts, self._lengths = array("q"), array("q")

    def keep(self, number: int, case: Case) -> None:
        """Write a case down."""
        while len(self._starts) <= number:
            self._starts.append(-1)
            self._lengths.append(0)
        self._starts[number], self._lengths[number] = self._recorder.keep(case)

    def fetch(self, number: int) -> CaseReport:
        """Read a case."""
        line = self._recorder.read(self._starts[number], self._lengths[number])
        return read_case(line)

    def __iter__(self) -> Iterator[CaseReport]:
        """Read all cases in the order of their numbers."""
        return (self.fetch(number) for number, start in enumerate(self._starts) if start >= 0)
