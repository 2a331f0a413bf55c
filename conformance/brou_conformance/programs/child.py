"""A program under test as a child process: lines in, lines out, and every mishap returned as data.

Its output is bounded: the length of a line, and the stored part of its standard error. Nothing that it does raises an
exception here. `containment` holds it together with the processes that it starts.
"""

from __future__ import annotations

import os
import selectors
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from brou_conformance.programs.containment import Bounds, Contained, start
from brou_conformance.protocol import MAX_LINE, Message, NoMessage, decode, encode, too_long

Mishap: TypeAlias = Literal["timeout", "crash", "protocol"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A mishap of a program, and the end of its standard error."""

    kind: Mishap
    what: str
    stderr: str = ""


class Channel(Protocol):
    """A channel to a program: a child process, or an object in this one."""

    def send(self, message: Message) -> None:
        """Take a request; several may be on their way before the first is answered."""

    def receive(self, seconds: float) -> Message | Failure:
        """Return the next message within so many seconds, or the failure."""

    def close(self) -> Failure | None:
        """End it; no request may follow. Return the processes that could not be ended, if any."""


MAX_STDERR = 64 << 10
_CHUNK = 64 << 10
#: How many seconds a program that closes its output may take to end, so that its exit code can be told.
_GRACE = 1


class Child:
    """One program, its pipes, and the bytes read from them."""

    def __init__(self, contained: Contained) -> None:
        self._contained = contained
        self._process = process = contained.process
        self._outbox = bytearray()
        #: Whether the pipe has no room for the rest of the outbox, and is listened to.
        self._is_stuck = False
        self._lines: deque[bytes] = deque()
        #: The beginning of the line that comes next.
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
    def start(cls, command: Sequence[str], bounds: Bounds | None = None) -> Child | Failure:
        """Start a command, or say why it cannot be started."""
        try:
            return cls(start(command, bounds or Bounds()))
        except (OSError, ValueError) as error:
            return Failure("crash", f"{command[0]!r} cannot be started: {getattr(error, 'strerror', None) or error}")

    def send(self, message: Message) -> None:
        """Put a message on its way; it goes out while answers are awaited, so that neither side waits for the other."""
        stdin = self._process.stdin
        if stdin is not None and not stdin.closed:
            self._outbox += encode(message)

    def receive(self, seconds: float) -> Message | Failure:
        """Return the next message, waiting so long for it."""
        if not self._lines and (failure := self._await_line(seconds)) is not None:
            return failure
        if len(self._lines[0]) > MAX_LINE:
            return self._too_long()
        try:
            return decode(self._lines.popleft())
        except NoMessage as error:
            return self._failure("protocol", str(error))

    def _await_line(self, seconds: float) -> Failure | None:
        """Wait so long for a line; return why none came."""
        deadline = time.monotonic() + seconds
        while not self._lines:
            if len(self._inbox) > MAX_LINE:
                return self._too_long()
            left = deadline - time.monotonic()
            if left <= 0:
                return self._failure("timeout", f"no answer within {seconds:g} s")
            if self._outbox and not self._is_stuck:
                # Most messages find room at once; only for what does not has the pipe to be listened to.
                self._push()
            if not self._move_data(left):
                return self._describe_end()
        return None

    def close(self) -> Failure | None:
        """Kill the program with everything that it has started, and forget its pipes."""
        left = self._contained.end()
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        return Failure("crash", left) if left else None

    def _move_data(self, seconds: float) -> bool:
        """Read and write the bytes that are ready within so many seconds; return False once the output has ended."""
        for key, _ in self._selector.select(seconds):
            if key.fileobj is self._process.stdin:
                self._push()
            elif key.fileobj is self._process.stderr:
                self._stderr = (self._stderr + self._read(key.fd))[-MAX_STDERR:]
            else:
                chunk = self._read(key.fd)
                if not chunk:
                    return False
                *ended, rest = chunk.split(b"\n")
                for end in ended:
                    self._lines.append(bytes(self._inbox) + end)
                    self._inbox.clear()
                self._inbox += rest
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

    def _push(self) -> None:
        """Write as much as the pipe takes, and listen to it as long as something is left."""
        stdin = self._process.stdin
        if stdin is None:
            return
        try:
            del self._outbox[: os.write(stdin.fileno(), self._outbox[:_CHUNK])]
        except BlockingIOError:
            pass
        except OSError:
            self._outbox.clear()  # nobody will ever read it
        if bool(self._outbox) is not self._is_stuck:
            self._is_stuck = not self._is_stuck
            if self._is_stuck:
                self._selector.register(stdin, selectors.EVENT_WRITE)
            else:
                self._selector.unregister(stdin)

    def _describe_end(self) -> Failure:
        """Say how a program ended that closed its output."""
        how = self._contained.ending(_GRACE)
        if how is None:
            return self._failure("crash", "it closed its output and went on running")
        middle = ", in the middle of a line" if self._inbox else ""
        return self._failure("crash", f"{how}{middle}")

    def _too_long(self) -> Failure:
        """Refuse a line, which stays where it is, so that nothing of it is ever taken for a message."""
        return self._failure("protocol", too_long())

    def _failure(self, kind: Mishap, what: str) -> Failure:
        with suppress(OSError, ValueError):
            self._drain()
        return Failure(kind, what, self._stderr.decode("utf-8", "replace"))

    def _drain(self) -> None:
        """Read the rest of standard error; people want to see the end of it."""
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
