"""The standard streams: each is there, takes every character, and is named by the errors of the system."""

from __future__ import annotations

import io
import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from brou_tools.terminal.ticker import end_life_sign

#: What messages call the streams.
INPUT, OUTPUT = "the standard input", "the standard output"


class _Stream(io.FileIO):
    """A standard stream whose errors name it; without a name its errors have none, since nobody could read them."""

    def __init__(self, number: int, mode: str, name: str) -> None:
        super().__init__(number, mode, closefd=False)
        self._named_by = name

    def readinto(self, buffer: Any, /) -> int | None:  # noqa: ANN401 - whatever has memory, which Python 3.12 has a name for
        """Read as every file does."""
        with self._name_errors():
            return super().readinto(buffer)

    def readall(self) -> bytes:
        """Read as every file does."""
        with self._name_errors():
            return super().readall()

    def write(self, data: Any, /) -> int:  # noqa: ANN401 - likewise
        """Write all of it: an unbuffered stream has nobody else to write the bytes that the system left."""
        end_life_sign()
        left = memoryview(data).cast("B")
        size = len(left)
        try:
            with self._name_errors():
                while left:
                    written: int | None = super().write(left)
                    if written is None:  # another process has let it wait for nobody; we wait
                        select.select([], [self], [])
                    left = left[written or 0 :]
        except OSError:
            if self._named_by:
                raise
        return size

    @contextmanager
    def _name_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            error.filename = self._named_by
            raise


def name_streams() -> None:
    """Let every stream be there, if only to nowhere, take every character, and be named by its errors."""
    nowhere = Path(os.devnull)
    sys.stdin = sys.stdin or nowhere.open(encoding="utf-8")
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    sys.stdin = _over(sys.stdin, sys.__stdin__, INPUT)
    sys.stdout = _over(sys.stdout, sys.__stdout__, OUTPUT)
    sys.stderr = _over(sys.stderr, sys.__stderr__, "")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def silence_output() -> None:
    """Let the rest of the standard output go nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _over(stream: TextIO, own: TextIO | None, name: str) -> TextIO:
    """Return a stream of this process in the same form, but named; any other (a test's, a caller's) as it is."""
    if stream is not own or not isinstance(stream, io.TextIOWrapper):
        return stream
    # Whoever asks for no buffer has a file itself in its place.
    bare = isinstance(stream.buffer, io.FileIO)
    if not bare and not isinstance(getattr(stream.buffer, "raw", None), io.FileIO):
        return stream
    number = stream.fileno()
    if stream.writable():
        stream.flush()
        raw = _Stream(number, "w", name)
        buffer: Any = raw if bare else io.BufferedWriter(raw)
    else:
        buffer = io.BufferedReader(_Stream(number, "r", name))
    return io.TextIOWrapper(
        buffer, stream.encoding, stream.errors, line_buffering=stream.line_buffering, write_through=bare
    )
