"""Programs under test as processes that leave nothing behind: started, bounded, and ended with all they have started.

On Linux a supervisor stands between the runner and each program, so that no process of the program outlives it.
Elsewhere a program leads a process group and is killed with that.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from brou_conformance.programs import supervisor

#: How many bytes units of memory have.
SIZES = {"GB": 1 << 30, "MB": 1 << 20, "KB": 1 << 10}
#: The variable that marks what a program starts, and where the variables of processes are shown.
_MARK = "BROU_UNDER_TEST"
_PROCESSES = Path("/proc")
#: For how many seconds what is left of a program is killed where no supervisor does it.
_GRACE = 1
#: How many seconds longer than it needs a supervisor is waited for.
_PATIENCE = 2
_MOMENT = 0.05


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a program and all that it has started may use together, from one start to its end; None is no bound."""

    #: Bytes of resident memory at any one time.
    memory: int | None = None
    #: Seconds of processor time.
    cpu: float | None = None


class Contained(Protocol):
    """A program that runs, with everything that it has started."""

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """Return the process whose pipes are those of the program."""

    def ending(self, seconds: float) -> str | None:
        """Return how the program ended, waiting so long for it; None if it still runs."""

    def end(self) -> str | None:
        """Kill everything; return the survivors, if any."""


@lru_cache(maxsize=1)
def is_contained() -> bool:
    """Say whether everything that a program starts ends with it, and bounds can be held."""
    return sys.platform == "linux" and bool(sys.executable) and Path("/proc/thread-self/children").exists()


def start(command: Sequence[str], bounds: Bounds) -> Contained:
    """Start a command; raise `OSError` or `ValueError` if it cannot be started."""
    if not command[0]:
        raise ValueError("the command has no name")
    if is_contained():
        return Supervised(command, bounds)
    if bounds != Bounds():
        raise ValueError("memory and processor time can be bounded on Linux alone")
    return Grouped(command)


class Supervised:
    """A program below a supervisor, which alone knows the processes of the program."""

    def __init__(self, command: Sequence[str], bounds: Bounds) -> None:
        self._bounds = bounds
        self._mark = uuid.uuid4().hex
        self._ending: str | None = None
        self._left: str | None = None
        self._orders: int | None
        orders, self._orders = os.pipe()
        heard, news = os.pipe()
        self._news = _News(heard)
        arguments = [os.getpid(), orders, news, bounds.memory or 0, bounds.cpu or 0]
        try:
            self.process = _open_process([*_SUPERVISOR, *map(str, arguments), *command], self._mark, (orders, news))
        except BaseException:
            self._hang_up()
            self._news.close()
            raise
        finally:
            os.close(orders)
            os.close(news)
        try:
            self._begin()
        except BaseException:
            self.end()
            for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
                if stream is not None:
                    stream.close()
            raise

    def _begin(self) -> None:
        word, number = self._news.take(None) or ("", 0)
        if word == supervisor.NO_START:
            raise OSError(number, os.strerror(number))
        if word != supervisor.STARTED:
            raise OSError("the process that is to watch over it does not run")

    def ending(self, seconds: float) -> str | None:
        """Return how the program ended, waiting so long for it; None if it still runs."""
        while message := self._news.take(0 if self._ending else seconds):
            self._note(*message)
        if self._ending is None and self._news.is_over:
            return "it ended the process that watches over it"
        return self._ending

    def end(self) -> str | None:
        """Kill everything; return the survivors, if any: the supervisor goes on trying then."""
        if self._orders is None:
            return self._left
        self._hang_up()
        deadline = time.monotonic() + supervisor.PERSISTENCE + _PATIENCE
        while not (self._news.is_over or self._left) and time.monotonic() < deadline:
            # The program may have stopped it; one that is not stopped does not mind.
            self.process.send_signal(signal.SIGCONT)
            if message := self._news.take(_MOMENT):
                self._note(*message)
        self._news.close()
        if self._news.is_over and not self._left:
            # Nobody but the supervisor itself ends it without a fault; of what another has left the mark remains.
            self._left = _sweep(self._mark) if self.process.wait() else None
        elif not self._left:
            self._left = "its processes could not be ended in time"
        return self._left

    def _note(self, word: str, number: int) -> None:
        """Note a message of the supervisor; an exceeded bound is the reason of every later ending."""
        if word == supervisor.LEFT:
            self._left = _describe_leftover(number)
        elif word == supervisor.TOO_MUCH_MEMORY:
            self._ending = f"it used more than {size(self._bounds.memory or 0)} of memory"
        elif word == supervisor.TOO_MUCH_CPU:
            self._ending = f"it used more than {self._bounds.cpu:g} s of processor time"
        elif self._ending is None:
            self._ending = _describe_end(-number if word == supervisor.KILLED else number)

    def _hang_up(self) -> None:
        """Let the supervisor know that it is time to end, as the end of this process would."""
        if self._orders is not None:
            os.close(self._orders)
        self._orders = None


#: How a supervisor is started: neither a site nor the user's variables have a say in it, and since it is imported,
#: its compiled form is used.
_SUPERVISOR = (
    *(sys.executable, "-I", "-S", "-B", "-c"),
    "import sys; sys.path.append(sys.argv.pop(1)); import supervisor; supervisor.main()",
    str(Path(__file__).parent),
)


class _News:
    """Messages that a supervisor writes to a pipe: a word, and a number where one belongs to it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._heard = b""
        self.is_over = False

    def take(self, seconds: float | None) -> tuple[str, int] | None:
        """Return the next message, waiting so long for each part of it (None: without end); None if there is none."""
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        while b"\n" not in self._heard:
            if self.is_over or not poll.poll(None if seconds is None else 1000 * seconds):
                return None
            chunk = os.read(self._descriptor, select.PIPE_BUF)
            self.is_over = not chunk
            self._heard += chunk
        line, _, self._heard = self._heard.partition(b"\n")
        word, _, number = line.decode("ascii").partition(" ")
        return word, int(number or 0)

    def close(self) -> None:
        """Listen no longer."""
        os.close(self._descriptor)


class Grouped:
    """A program that leads a process group; a process that leaves the group and its environment is not found."""

    def __init__(self, command: Sequence[str]) -> None:
        self._mark = uuid.uuid4().hex
        self.process = _open_process(command, self._mark)

    def ending(self, seconds: float) -> str | None:
        """Return how the program ended, waiting so long for it; None if it still runs."""
        with suppress(subprocess.TimeoutExpired):
            return _describe_end(self.process.wait(seconds))
        return None

    def end(self) -> str | None:
        """Kill the group, and marked processes where the system shows them; return the survivors."""
        # The id of the group is no stranger's as long as its leader has not been waited for, or members are left.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        return _sweep(self._mark)


def _open_process(command: Sequence[str], mark: str, descriptors: tuple[int, ...] = ()) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        bufsize=0,
        start_new_session=True,
        env={**os.environ, _MARK: mark},
        pass_fds=descriptors,
    )


def _sweep(mark: str) -> str | None:
    """Kill all processes started with a mark, as far as the system shows them; return a note on any that survive."""
    deadline = time.monotonic() + _GRACE
    while strays := list(_bearing(mark)):
        if time.monotonic() > deadline:
            return _describe_leftover(len(strays))
        for stray in strays:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(stray, signal.SIGKILL)
    return None


def _bearing(mark: str) -> Iterator[int]:
    """Yield the processes that were started with a mark and live, as far as the system shows them."""
    wanted = f"{_MARK}={mark}".encode("ascii")
    for file in _PROCESSES.glob("[0-9]*/environ"):
        with suppress(OSError):
            if wanted in file.read_bytes().split(b"\0"):
                yield int(file.parent.name)


def _describe_end(code: int) -> str:
    """Return in words how a process ended, by its exit code or by a signal below zero."""
    if code >= 0:
        return f"it ended (exit code {code})"
    names = {number.value: number.name for number in signal.Signals}
    return f"it ended (killed by signal {names.get(-code, -code)})"


def _describe_leftover(number: int) -> str:
    return f"{number} of its processes could not be ended"


def size(count: int) -> str:
    """Return a number of bytes in the greatest unit that divides it."""
    return next((f"{count // unit} {name}" for name, unit in SIZES.items() if count % unit == 0), f"{count} bytes")
