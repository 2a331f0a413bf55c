"""Processes that share some work, or do some for another one: they end with it, and what they are writing is whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing import get_all_start_methods
from pathlib import Path

import pytest

#: Writes a file in a worker, which ends its parent by a signal meanwhile, and goes on once it is asked to end itself.
SCRIPT = """
import os, signal, sys, time
from functools import partial
from pathlib import Path
from brou.atomic import put
from brou_tools.terminal import workers

path, number, looks = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])

def wait(file):
    os.kill(os.getppid(), number)
    for _ in range(looks):
        if signal.SIGTERM in signal.sigpending():
            return
        time.sleep(0.01)
    while True:
        time.sleep(1)

os.fsync = wait
if not looks:
    workers._PATIENCE = 0.1
list(workers.work(2, partial(put, content="new"), [path]))
"""
#: Has the second solver look for what is not there, for minutes.
SEARCH = """
from brou_tools.smt.solve import second_opinion
cubes = "(assert (= (+ (* a a a) (* b b b)) (* c c c)))"
numbers = "".join(f"(declare-const {name} Int) (assert (> {name} 1))" for name in "abc")
second_opinion(f"(set-logic QF_NIA) {numbers} {cubes} (check-sat)")
"""
MARK = "BROU_ENDED"
LOOKS, PAUSE = 3000, 0.01

pytestmark = pytest.mark.skipif(
    "fork" not in get_all_start_methods() or not hasattr(signal, "sigpending"), reason="needs fork and pending signals"
)


def end_while_written(path: Path, number: signal.Signals, looks: int) -> None:
    """End a process by a signal while a worker of it writes a file; return when the worker has ended, too.

    The worker looks so many times whether it is asked to end, and then goes on for ever.
    """
    command = [sys.executable, "-P", "-c", SCRIPT, str(path), str(int(number)), str(looks)]
    # A worker holds the outputs of its parent until it ends.
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode != 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_worker_finishes_the_file_that_it_writes(tmp_path: Path, number: signal.Signals) -> None:
    """However its parent ends: the file is whole, and nothing is left beside it."""
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")
    end_while_written(path, number, LOOKS)

    assert path.read_text(encoding="utf-8") == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_worker_that_cannot_finish_is_killed(tmp_path: Path) -> None:
    """After some patience; the file is as it was."""
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")
    end_while_written(path, signal.SIGTERM, 0)

    assert path.read_text(encoding="utf-8") == "old"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends what another process has begun")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_second_solver_ends_with_the_process_that_asks(tmp_path: Path, number: signal.Signals) -> None:
    """It does not search on for nobody, however that process ends."""
    pytest.importorskip("cvc5", reason="no second solver is installed")
    command = [sys.executable, "-P", "-c", SEARCH]
    with subprocess.Popen(command, env={**os.environ, MARK: str(tmp_path)}) as process:
        wait_for(2, str(tmp_path))
        process.send_signal(number)

    wait_for(0, str(tmp_path))


def wait_for(processes: int, mark: str) -> None:
    """Wait until so many processes bear a mark; fail if there are never so many."""
    for _ in range(LOOKS):
        if count_living(mark) == processes:
            return
        time.sleep(PAUSE)
    assert count_living(mark) == processes


def count_living(mark: str) -> int:
    """Return how many processes bear a mark in their environment."""
    found = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            found += f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0")
    return found
