"""Observers of a verification: several at once, and progress for a person at a terminal."""

from __future__ import annotations

import gc
import signal
import threading
import traceback
from collections.abc import Sequence
from types import FrameType
from typing import Any, Self

from brou_conformance.judging.case import Case
from brou_conformance.protocol import Message
from brou_conformance.reports.case_text import Teller
from brou_conformance.reports.summary import Summary
from brou_conformance.reports.text import tell_run
from brou_conformance.verdicts.verdict import EditionRun
from brou_conformance.verdicts.verify import Report, RunObserver
from brou_tools.terminal.progress import ProgressLine


class BroadcastObserver(RunObserver):
    """Passes everything on to several others."""

    def __init__(self, watches: Sequence[RunObserver]) -> None:
        self._watches = watches

    def on_begin(self, greeting: Message) -> None:
        """Pass it on."""
        for watch in self._watches:
            watch.on_begin(greeting)

    def on_plan(self, name: str, total: int) -> None:
        """Pass it on."""
        for watch in self._watches:
            watch.on_plan(name, total)

    def on_case(self, case: Case) -> None:
        """Pass it on."""
        for watch in self._watches:
            watch.on_case(case)

    def on_variants(self) -> None:
        """Pass it on."""
        for watch in self._watches:
            watch.on_variants()

    def on_edition_end(self, run: EditionRun) -> None:
        """Pass it on."""
        for watch in self._watches:
            watch.on_edition_end(run)

    def on_finish(self, report: Report) -> None:
        """Pass it on."""
        for watch in self._watches:
            watch.on_finish(report)


class HeapFreezer(RunObserver):
    """Exempts loaded rules and planned cases from garbage collection: they stay to the end, and are many."""

    def on_plan(self, name: str, total: int) -> None:  # noqa: ARG002 - only the moment counts
        """Leave everything that is there alone from now on."""
        gc.freeze()


class Interruption(RunObserver):
    """Ends the work of every thread at its next case once the process is interrupted; none is waited for longer."""

    def __init__(self) -> None:
        self._over = False
        self._before: Any = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *error: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def on_case(self, case: Case) -> None:  # noqa: ARG002 - only the moment counts
        """Go no further after an interruption."""
        self.on_variants()

    def on_variants(self) -> None:
        """Go no further after an interruption."""
        if self._over:
            raise KeyboardInterrupt

    def _interrupt(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the system's signature
        self._over = True
        raise KeyboardInterrupt


class CaseProgress(RunObserver):
    """One line on a terminal that counts the cases of the edition under way."""

    def __init__(self) -> None:
        self._line = ProgressLine()
        self._lock = threading.Lock()
        self._name, self._total, self._done, self._varied = "", 0, 0, 0

    def on_plan(self, name: str, total: int) -> None:
        """Begin to count anew."""
        self._name, self._total, self._done, self._varied = name, total, 0, 0

    def on_case(self, case: Case) -> None:  # noqa: ARG002 - only that there was one counts
        """Count one more."""
        with self._lock:
            self._done += 1
        self._line.show(f"{self._name}: cases", self._done, self._total)

    def on_variants(self) -> None:
        """Count one more scenario whose variants are done."""
        with self._lock:
            self._varied += 1
        self._line.show(f"{self._name}: variants of cases", self._varied, self._total)

    def on_edition_end(self, run: EditionRun) -> None:  # noqa: ARG002 - what was found is told elsewhere
        """Leave an empty line."""
        self._line.clear()


class VerdictPrinter(RunObserver):
    """Prints the result of each edition as soon as it is known."""

    def __init__(self, teller: Teller, *, shown: bool = True, every: bool = False) -> None:
        self._first = True
        self._teller = teller
        self._shown = shown
        self._every = every
        #: What could not be told, each with our own trace.
        self.faults: list[tuple[str, str]] = []

    def on_edition_end(self, run: EditionRun) -> None:
        """Print the edition, with an empty line before all but the first."""
        if not self._shown:
            return
        try:
            text = tell_run(Summary(run, every=self._every), self._teller)
        except Exception:  # noqa: BLE001 - whatever it is costs these lines alone, and is told
            self.faults.append((f"{run.game}@{run.edition}", traceback.format_exc()))
            text = f"{run.game}@{run.edition}: {run.verdict.value}.\n"
        print("" if self._first else "\n", text, sep="", end="", flush=True)
        self._first = False
