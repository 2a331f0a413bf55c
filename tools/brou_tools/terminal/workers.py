"""Work shared by several processes, which end together with the one that shares it out, in every case."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children, connection, get_all_start_methods, get_context, parent_process
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import TypeVar

from brou.atomic import ENDING, defer_signals

_Part = TypeVar("_Part")
_Result = TypeVar("_Result")

#: What is added to the number of the signal that ends a process, as every shell has it.
_SIGNALLED = 128
#: How often it is looked whether the threads are sound that hand out the work, in seconds.
_LOOK = 1
#: How long a process may take to finish the file that it writes before it is killed, in seconds.
_PATIENCE = 10
#: So many parts are handed out for each process, so that none has to wait for the next.
_AHEAD = 4
#: What messages call a process that works for this one.
_WORKER = "a process to share the work"


@contextmanager
def exit_on_sigterm() -> Iterator[None]:
    """Turn SIGTERM into an exit of Python, so that child processes end too and nothing is left running."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _exit_on_signal)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _exit_on_signal(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the system's signature
    sys.exit(_SIGNALLED + number)


def work(jobs: int, do: Callable[[_Part], _Result], parts: Iterable[_Part]) -> Generator[tuple[_Part, _Result]]:
    """Yield each part of some work with its result, as soon as it is done, in so many processes.

    With one job it is done in this process, in the order of the parts. With more, parts are taken as they are wanted,
    a few ahead of those that are done. An `OSError` says that there can be no more
    processes, or that one was ended. A caller that may leave before the end closes it (`contextlib.closing`), which
    ends the processes.
    """
    if jobs == 1:
        yield from ((part, do(part)) for part in parts)
        return
    with _watched_threads() as failed, workers(jobs) as pool:
        coming = iter(parts)
        waiting = {_submit(pool, do, part): part for part in islice(coming, _AHEAD * jobs)}
        while waiting:
            done, _ = wait(waiting, _LOOK, FIRST_COMPLETED)
            if failed:
                raise OSError(errno.EAGAIN, failed[0], _WORKER)
            for one in done:
                part = waiting.pop(one)
                try:
                    result = one.result()
                except BrokenProcessPool as error:
                    raise ChildProcessError(errno.ECHILD, "ended from outside", _WORKER) from error
                waiting.update((_submit(pool, do, more), more) for more in islice(coming, 1))
                yield part, result


@contextmanager
def _watched_threads() -> Iterator[list[str]]:
    """Collect the errors of threads, such as those that hand out the work: without them a pool waits for ever."""
    failed: list[str] = []
    before = threading.excepthook
    threading.excepthook = lambda error: failed.append(str(error.exc_value))
    try:
        yield failed
    finally:
        threading.excepthook = before


def _submit(pool: ProcessPoolExecutor, do: Callable[[_Part], _Result], part: _Part) -> Future[_Result]:
    """Hand out a part of the work; the first one starts the processes, which let no signal in until they have begun."""
    try:
        with defer_signals():
            return pool.submit(do, part)
    except BrokenProcessPool as error:
        raise ChildProcessError(errno.ECHILD, "ended from outside", _WORKER) from error
    except OSError as error:
        raise _name_refusal(error) from error
    except RuntimeError as error:  # what Python makes of a thread that the system refuses
        raise OSError(errno.EAGAIN, str(error), _WORKER) from error


@contextmanager
def workers(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Open a pool of processes; an error or an interruption ends them and waits for no work.

    They finish only the file that they are writing, so that nothing half done is left of it.
    """
    before = set(active_children())
    start = get_context("fork" if "fork" in get_all_start_methods() else None)
    try:
        pool = ProcessPoolExecutor(jobs, mp_context=start, initializer=_begin)
    except OSError as error:
        raise _name_refusal(error) from error
    try:
        with exit_on_sigterm():
            yield pool
    except BaseException:
        closing: threading.Thread | None = getattr(pool, "_executor_manager_thread", None)
        pool.shutdown(wait=False, cancel_futures=True)
        _end(set(active_children()) - before)
        # The pool's own thread closes its pipes; were Python to exit meanwhile, it would complain of a closed one.
        if closing is not None and closing.is_alive():
            closing.join(_PATIENCE)
        raise
    pool.shutdown()


def _end(children: Collection[BaseProcess]) -> None:
    """Ask processes to end, which they do at once or after the file that they are writing; kill the others."""
    for child in children:
        child.terminate()
    left, latest = {child.sentinel: child for child in children}, time.monotonic() + _PATIENCE
    try:
        while left and (rest := latest - time.monotonic()) > 0:
            for ended_one in connection.wait(list(left), rest):
                left = {sentinel: child for sentinel, child in left.items() if sentinel != ended_one}
    finally:
        for child in left.values():
            child.kill()


def _name_refusal(error: OSError) -> OSError:
    """Return the error of a process that the system refuses, with a name."""
    return OSError(error.errno, error.strerror or str(error), _WORKER)


def _begin() -> None:
    """Leave an interruption to the process that shares the work out, which a terminal sends to all; end with it.

    The thread that works is the only one that lets signals in, so that the file it writes can hold them back.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        with defer_signals():
            threading.Thread(target=_end_with_parent, daemon=True).start()
    except RuntimeError:  # the system refuses one more thread, and nobody works without
        os._exit(_SIGNALLED)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


def _end_with_parent() -> None:
    """End this process when the one that began it is no more, which nobody may be left to tell it.

    That is at once, or when the file is written that it is at.
    """
    parent = parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
