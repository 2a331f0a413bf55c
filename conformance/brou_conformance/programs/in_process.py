"""A program under test in this very process: a Python object instead of a child.

An exception that it raises is a crash of the program, with its traceback as last words. A call that takes too long is
interrupted where the system can do that: on the main thread, between two steps of Python.
"""

from __future__ import annotations

import importlib
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn, Protocol, TypeAlias

from brou import Unknown
from brou_conformance.programs.child import Failure
from brou_conformance.protocol import Message, NoMessage, decode, encode


class Subject(Protocol):
    """A player as an object: the body of its greeting, and the results of a script."""

    def hello(self) -> Message:
        """Return the body of the protocol's greeting."""

    def run(self, request: Message, /) -> Sequence[Message]:
        """Return the result of each step."""


Answer: TypeAlias = Callable[[Message], "Message | Failure"]


class Inside:
    """A channel to an object in this process that answers a message with a message."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._asked: deque[Message] = deque()

    def send(self, message: Message) -> None:
        """Keep a request until its answer is awaited."""
        self._asked.append(message)

    def receive(self, seconds: float) -> Message | Failure:
        """Return the answer to the oldest request."""
        try:
            with _limit_time(seconds):
                return self._answer(self._asked.popleft())
        except _TooLate:
            return Failure("timeout", f"no answer within {seconds:g} s")
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the program's
            return Failure("crash", f"it raised {type(error).__name__}", traceback.format_exc())

    def close(self) -> None:
        """Forget the requests."""
        self._asked.clear()


class _TooLate(BaseException):
    """Raised inside a call that takes too long; no `except Exception` of a program holds it up."""


@contextmanager
def _limit_time(seconds: float) -> Iterator[None]:
    """Interrupt a block that takes longer, if this is the main thread of a system with timers."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _too_late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _too_late(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - as signal handlers are called
    raise _TooLate


# Objects ----------------------------------------------------------------------


def opener(name: str) -> Callable[[], Inside | Failure]:
    """Return a function that makes an object of `module:Class` and connects to it; raise `Unknown` where there is none.

    The object has `hello()`, which returns the body of the protocol's greeting, and `run(request)`, which returns the
    list of results of a script.
    """
    made = _import_class(name)

    def open_subject() -> Inside | Failure:
        try:
            subject = made()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the program's
            return Failure("crash", f"{name} cannot be made: {type(error).__name__}: {error}", traceback.format_exc())
        return Inside(lambda message: _call_subject(subject, message))

    return open_subject


def file_of(name: str) -> str:
    """Return the file that has a class of `module:Class`, once it has been imported; else the name itself."""
    module = sys.modules.get(name.partition(":")[0])
    return str(getattr(module, "__file__", None) or name)


def _import_class(name: str) -> Callable[[], Subject]:
    """Import a class, the current folder being looked at first as for a script of one's own."""
    module, _, member = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        made: Callable[[], Subject] = getattr(importlib.import_module(module), member)
    except (ImportError, AttributeError, ValueError) as error:
        raise Unknown(
            "Python class", name, [f"module:Class, where Class() has hello() and run(request) ({error})"]
        ) from error
    if not callable(made):
        raise Unknown("Python class", name, ["something that can be called without arguments"])
    return made


def _call_subject(subject: Subject, message: Message) -> Message | Failure:
    """Return the reply of an object to a message, passed through JSON so that nothing is shared with it."""
    asked = decode(encode(message))
    match message["op"]:
        case "hello":
            body = subject.hello()
        case "run":
            body = {"results": subject.run(asked)}
        case _:
            body = {}
    try:
        return decode(encode({"id": message["id"], "ok": True, **body}))
    except (TypeError, ValueError, NoMessage) as error:
        return Failure("protocol", f"its answer to {message['op']} is no JSON object: {error}")
