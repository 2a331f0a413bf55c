"""Processes that feed inputs one by one; one that hangs or dies is told with what it was fed, and replaced."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TypeAlias

from fuzzing.measuring import Outcome, feed, make_input
from fuzzing.target import Target

#: Seconds of computing after which an input hangs (it is fed up to three times, its sound one twice); seconds after
#: which a process is stuck that computes nothing, however busy the machine is; how many bytes a worker may take; how
#: many inputs it is fed before a fresh one follows.
HARD, STUCK, MOST, LIFE = 90, 300, 6 << 30, 2500

Task: TypeAlias = tuple[str, int]


@dataclass
class _Worker:
    """A process, the pipe to it, what it is fed, how much it has computed, and since when no more."""

    process: BaseProcess
    pipe: Connection
    log: Path
    fed: int = 0
    task: Task | None = None
    computed: str = ""
    since: float = field(default_factory=time.monotonic)

    def is_stuck(self) -> bool:
        """Say whether it has computed nothing for long."""
        now = _read_computed(self.process.pid or 0)
        if now != self.computed:
            self.computed, self.since = now, time.monotonic()
        return time.monotonic() - self.since > STUCK


def _read_computed(number: int) -> str:
    """Return the ticks that a process has computed, as the system tells them; nothing where it does not."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return ""
    return " ".join(fields[11:13])


def feed_all(tasks: Iterable[Task], targets: Mapping[str, Target], jobs: int, hard: int = HARD) -> Iterator[Outcome]:
    """Yield the outcome of every task, a name of a target and a seed, in the order in which they end."""
    waiting = deque(tasks)
    workers: list[_Worker] = []
    with tempfile.TemporaryDirectory(prefix="fuzz-pool-") as name:
        try:
            numbers = iter(range(sys.maxsize))
            while waiting or workers:
                while waiting and len(workers) < jobs:
                    workers.append(_start(targets, hard, Path(name) / f"{next(numbers)}.log"))
                    _give(workers[-1], waiting)
                ready = wait([worker.pipe for worker in workers], timeout=1)
                for worker in list(workers):
                    outcome = _hear(worker, silent=worker.pipe not in ready)
                    if outcome is None:
                        continue
                    yield outcome
                    if worker.process.is_alive() and waiting and worker.fed < LIFE:
                        _give(worker, waiting)
                    else:
                        _stop(worker)
                        workers.remove(worker)
        finally:
            for worker in workers:
                _stop(worker)


def _start(targets: Mapping[str, Target], hard: int, log: Path) -> _Worker:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, targets, hard, log), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours, log)


def _give(worker: _Worker, waiting: deque[Task]) -> None:
    worker.task, worker.since = waiting.popleft(), time.monotonic()
    worker.fed += 1
    with suppress(OSError):  # a dead worker is noticed where its answer is awaited
        worker.pipe.send(worker.task)


def _hear(worker: _Worker, *, silent: bool) -> Outcome | None:
    """Return what a worker says of its task, or how it was lost; None while it works."""
    assert worker.task is not None
    if silent:
        if not worker.is_stuck():
            return None
        worker.process.kill()
        worker.process.join()
        return Outcome(*worker.task, "hang", f"stuck: computes nothing for {STUCK} s", _tail(worker.log))
    try:
        outcome: Outcome = worker.pipe.recv()
    except (EOFError, OSError):
        worker.process.join()
        code = worker.process.exitcode
        hung = code == -signal.SIGXCPU
        how = "hangs" if hung else f"ends the process ({code})"
        return Outcome(*worker.task, "hang" if hung else "death", _place(how, worker.log), _tail(worker.log))
    return outcome


def _place(how: str, log: Path) -> str:
    """Return how a process was lost, with the innermost place of our own that it was at."""
    own = [line for line in _tail(log).splitlines() if "/brou" in line and "site-packages" not in line]
    return f"{how} at {own[0].strip().rpartition('/')[2]}" if own else how


def _tail(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-4000:] if log.exists() else ""


def _stop(worker: _Worker) -> None:
    worker.pipe.close()
    if worker.process.is_alive():
        worker.process.kill()
    worker.process.join()


def _work(pipe: Connection, targets: Mapping[str, Target], hard: int, log: Path) -> None:
    """Feed what comes through the pipe until that is closed, or until whoever began this process is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST, most))
    with log.open("w", encoding="utf-8") as file:
        os.dup2(file.fileno(), 2)
        faulthandler.enable(file)
        faulthandler.register(signal.SIGXCPU, file, chain=True)
        master = os.getppid()
        while True:
            while not pipe.poll(1):
                if os.getppid() != master:
                    return
            try:
                name, seed = pipe.recv()
            except (EOFError, OSError):
                return
            file.seek(0)
            file.truncate()
            # What sound inputs are made of is made with the first of a kind; no input is to blame for that.
            given = make_input(targets[name], seed)
            _allow(hard)
            pipe.send(feed(targets[name], given, seed))


def _allow(seconds: int) -> None:
    """Let this process compute for so many seconds from now on; after that the system ends it."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    used = resource.getrusage(resource.RUSAGE_SELF)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds + 1, most))
