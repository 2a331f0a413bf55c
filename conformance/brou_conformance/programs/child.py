"""A program under test as a child process: lines in, lines out, and every mishap returned as data.

The child leads a process group of its own and is killed with all of it; where
the system shows the environment of processes, so are those that left the group
and kept the mark it was started with. What it writes is bounded: the length of
a line, and how much of its standard error is kept. Nothing that it does raises
an exception here.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from brou_conformance.protocol import MAX_LINE, Message, NoMessage, decode, encode, too_long

Mishap: TypeAlias = Literal["timeout", "crash", "protocol"]


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong with a program, and the end of what it wrote to its standard error."""

    kind: Mishap
    what: str
    stderr: str = ""


class Player(Protocol):
    """Somebody who takes requests: a child process, or an engine in this one."""

    def send(self, message: Message) -> None:
        """Take a request; several may be on their way before the first is answered."""

    def receive(self, seconds: float) -> Message | Failure:
        """Return the next message, waiting so long for it, or what went wrong."""

    def close(self) -> None:
        """End it; nothing is asked afterwards."""


MAX_STDERR = 64 << 10
_CHUNK = 64 << 10
#: How many seconds a program that closes its output may take to end, so that its exit code can be told.
_GRACE = 1
#: The variable that marks what a program starts, and where the variables of processes are shown.
_MARK = "BROU_UNDER_TEST"
_PROCESSES = Path("/proc")


class Child:
    """One process, its pipes and what has been read from them."""

    def __init__(self, process: subprocess.Popen[bytes], mark: str) -> None:
        self._process = process
        self._mark = mark
        self._outbox = bytearray()
        self._inbox = bytearray()
        self._stderr = bytearray()
        self._selector = selectors.DefaultSelector()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                os.set_blocking(stream.fileno(), False)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                self._selector.register(stream, selectors.EVENT_READ)

    @classmethod
    def start(cls, command: Sequence[str]) -> Child | Failure:
        """Start a command, or say why it cannot be started."""
        pipe, mark = subprocess.PIPE, uuid.uuid4().hex
        marked = {**os.environ, _MARK: mark}
        try:
            process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True, env=marked
            )
        except (OSError, ValueError) as error:
            return Failure("crash", f"{command[0]!r} cannot be started: {getattr(error, 'strerror', None) or error}")
        return cls(process, mark)

    def send(self, message: Message) -> None:
        """Put a message on its way; it goes out while answers are awaited, so that neither side waits for the other."""
        stdin = self._process.stdin
        if stdin is None or stdin.closed:
            return
        if not self._outbox:
            self._selector.register(stdin, selectors.EVENT_WRITE)
        self._outbox += encode(message)

    def receive(self, seconds: float) -> Message | Failure:
        """Return the next message, waiting so long for it."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._inbox:
            if len(self._inbox) > MAX_LINE:
                return self._failure("protocol", too_long())
            left = deadline - time.monotonic()
            if left <= 0:
                return self._failure("timeout", f"no answer within {seconds:g} s")
            if not self._moved(left):
                return self._ended()
        line, _, rest = bytes(self._inbox).partition(b"\n")
        self._inbox = bytearray(rest)
        try:
            return decode(line)
        except NoMessage as error:
            return self._failure("protocol", str(error))

    def close(self) -> None:
        """Kill the process with its whole group and what left it, and forget its pipes."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        deadline = time.monotonic() + _GRACE
        while (strays := list(_bearing(self._mark))) and time.monotonic() < deadline:
            for stray in strays:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(stray, signal.SIGKILL)
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _moved(self, seconds: float) -> bool:
        """Move what can be moved within a time; False once the output has ended."""
        for key, _ in self._selector.select(seconds):
            if key.fileobj is self._process.stdin:
                self._write()
            elif key.fileobj is self._process.stderr:
                self._stderr = (self._stderr + self._read(key.fd))[-MAX_STDERR:]
            else:
                chunk = self._read(key.fd)
                if not chunk:
                    return False
                self._inbox += chunk
        return True

    def _read(self, number: int) -> bytes:
        """Read from a pipe once; one that has ended is listened to no longer."""
        try:
            chunk = os.read(number, _CHUNK)
        except BlockingIOError:
            return b""
        if not chunk:
            self._selector.unregister(number)
        return chunk

    def _write(self) -> None:
        stdin = self._process.stdin
        if stdin is None:
            return
        try:
            del self._outbox[: os.write(stdin.fileno(), self._outbox[:_CHUNK])]
        except BlockingIOError:
            return
        except OSError:
            self._outbox.clear()
        if not self._outbox:
            self._selector.unregister(stdin)

    def _ended(self) -> Failure:
        """Say how a program ended that closed its output."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        code = self._process.returncode
        if code is None:
            return self._failure("crash", "it closed its output and went on running")
        how = f"killed by signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        middle = ", in the middle of a line" if self._inbox else ""
        return self._failure("crash", f"it ended ({how}){middle}")

    def _failure(self, kind: Mishap, what: str) -> Failure:
        with suppress(OSError, ValueError):
            self._drain()
        return Failure(kind, what, self._stderr.decode("utf-8", "replace"))

    def _drain(self) -> None:
        """Take what is left on standard error; the end of it is what people want to read."""
        stderr = self._process.stderr
        if stderr is None:
            return
        for _ in range(MAX_STDERR // _CHUNK + 1):
            try:
                chunk = os.read(stderr.fileno(), _CHUNK)
            except BlockingIOError:
                return
            if not chunk:
                return
            self._stderr = (self._stderr + chunk)[-MAX_STDERR:]


def _bearing(mark: str) -> Iterator[int]:
    """Yield the processes that were started with a mark, as far as the system shows them."""
    wanted = f"{_MARK}={mark}".encode("ascii")
    for file in _PROCESSES.glob("[0-9]*/environ"):
        with suppress(OSError):
            if wanted in file.read_bytes().split(b"\0"):
                yield int(file.parent.name)
