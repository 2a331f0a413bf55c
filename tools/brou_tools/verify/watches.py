"""Who is told how a verification goes on: several at once, and a person at a terminal."""

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
from brou_conformance.telling.case_text import Teller
from brou_conformance.telling.summary import Summary
from brou_conformance.telling.text import tell_run
from brou_conformance.verdicts.verdict import Run
from brou_conformance.verdicts.verify import Report, Watch
from brou_tools.terminal.progress import ProgressLine


class Several(Watch):
    """Passes everything on to several others."""

    def __init__(self, watches: Sequence[Watch]) -> None:
        self._watches = watches

    def begun(self, greeting: Message) -> None:
        """Pass it on."""
        for watch in self._watches:
            watch.begun(greeting)

    def planned(self, name: str, total: int) -> None:
        """Pass it on."""
        for watch in self._watches:
            watch.planned(name, total)

    def judged(self, case: Case) -> None:
        """Pass it on."""
        for watch in self._watches:
            watch.judged(case)

    def varied(self) -> None:
        """Pass it on."""
        for watch in self._watches:
            watch.varied()

    def ended(self, run: Run) -> None:
        """Pass it on."""
        for watch in self._watches:
            watch.ended(run)

    def finished(self, report: Report) -> None:
        """Pass it on."""
        for watch in self._watches:
            watch.finished(report)


class FreezeHeap(Watch):
    """Exempts loaded rules and planned cases from garbage collection: they stay to the end, and are many."""

    def planned(self, name: str, total: int) -> None:  # noqa: ARG002 - only the moment counts
        """Leave everything that is there alone from now on."""
        gc.freeze()


class Interruption(Watch):
    """Ends the work of every thread at its next case once the process is interrupted; none is waited for longer."""

    def __init__(self) -> None:
        self._over = False
        self._before: Any = None

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(self, *error: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def judged(self, case: Case) -> None:  # noqa: ARG002 - only the moment counts
        """Go no further after an interruption."""
        self.varied()

    def varied(self) -> None:
        """Go no further after an interruption."""
        if self._over:
            raise KeyboardInterrupt

    def _interrupted(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the system's signature
        self._over = True
        raise KeyboardInterrupt


class Progress(Watch):
    """One line on a terminal that counts the cases of the edition under way."""

    def __init__(self) -> None:
        self._line = ProgressLine()
        self._lock = threading.Lock()
        self._name, self._total, self._done, self._varied = "", 0, 0, 0

    def planned(self, name: str, total: int) -> None:
        """Begin to count anew."""
        self._name, self._total, self._done, self._varied = name, total, 0, 0

    def judged(self, case: Case) -> None:  # noqa: ARG002 - only that there was one counts
        """Count one more."""
        with self._lock:
            self._done += 1
        self._line.show(f"{self._name}: cases", self._done, self._total)

    def varied(self) -> None:
        """Count one more whose variants have been asked."""
        with self._lock:
            self._varied += 1
        self._line.show(f"{self._name}: variants of cases", self._varied, self._total)

    def ended(self, run: Run) -> None:  # noqa: ARG002 - what was found is told elsewhere
        """Leave an empty line."""
        self._line.clear()


class Told(Watch):
    """Prints what each edition came to as soon as that is known."""

    def __init__(self, teller: Teller, *, shown: bool = True, every: bool = False) -> None:
        self._first = True
        self._teller = teller
        self._shown = shown
        self._every = every
        #: What could not be told, each with our own trace.
        self.faults: list[tuple[str, str]] = []

    def ended(self, run: Run) -> None:
        """Print it, an empty line before all but the first."""
        if not self._shown:
            return
        try:
            text = tell_run(Summary(run, every=self._every), self._teller)
        except Exception:  # noqa: BLE001 - whatever it is costs these lines alone, and is told
            self.faults.append((f"{run.game}@{run.edition}", traceback.format_exc()))
            text = f"{run.game}@{run.edition}: {run.verdict.value}.\n"
        print("" if self._first else "\n", text, sep="", end="", flush=True)
        self._first = False
