"""Work shared by several processes, which end with the one that shares it out, whatever ends that."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_all_start_methods, get_context
from types import FrameType

#: What is added to the number of the signal that ends a process, as every shell has it.
_SIGNALLED = 128


@contextmanager
def ended() -> Iterator[None]:
    """Let whoever ends this process from outside end what it has begun, too: nothing is left running."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminated(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the system's signature
    sys.exit(_SIGNALLED + number)


@contextmanager
def workers(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Open a pool of processes; whoever leaves it by an error or an interruption ends them and waits for no work."""
    before = set(active_children())
    start = get_context("fork" if "fork" in get_all_start_methods() else None)
    pool = ProcessPoolExecutor(jobs, mp_context=start, initializer=_deaf)
    try:
        with ended():
            yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - before:
            child.terminate()
        raise
    pool.shutdown()


def _deaf() -> None:
    """Leave an interruption to the process that shares the work out; a terminal sends it to all of them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
