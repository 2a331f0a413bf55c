"""A process that runs commands of which a call of the system fails, each in a copy of itself with all modules loaded.

It is started with `faults.c` before the C library. Every line of its input is
a JSON object: `arguments` of `brou`, the names of the standard `input`,
`output` and `error`, and `fault`: the arguments of `arm`, or null where all
goes well. To each it answers with a line: the number of the process, and its exit
code. What goes well is run in this process first, so that it is loaded.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from typing import Any

from brou_tools.cli import main

_SYSTEM = ctypes.CDLL(None)
#: After so many seconds a command that goes on is ended.
_PATIENCE = 120
_WRITTEN = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


def run(job: dict[str, Any]) -> None:
    """Run a command in a copy of this process, and end that."""
    os.setsid()
    signal.alarm(_PATIENCE)
    place(0, job["input"], os.O_RDONLY)
    place(1, job["output"], _WRITTEN)
    place(2, job["error"], _WRITTEN)
    kind, *numbers = job["fault"] or ("", 0, 0, 0, 0)
    _SYSTEM.arm(kind.encode("ascii"), *numbers)
    sys.exit(main(job["arguments"]))


def place(number: int, name: str, how: int) -> None:
    """Put a file in the place of a standard stream."""
    file = os.open(name, how, 0o666)
    os.dup2(file, number)
    os.close(file)


def serve() -> None:
    """Run what is asked for until there is no more."""
    answers, jobs = os.fdopen(os.dup(1), "w", encoding="ascii"), os.fdopen(os.dup(0), encoding="ascii")
    place(1, os.devnull, os.O_WRONLY)
    place(2, os.devnull, os.O_WRONLY)
    for line in jobs:
        job = json.loads(line)
        if not job["fault"]:
            place(0, job["input"], os.O_RDONLY)
            main(job["arguments"])
        child = os.fork()
        if not child:
            run(job)
        _, status = os.waitpid(child, 0)
        print(json.dumps([child, os.waitstatus_to_exitcode(status)]), file=answers, flush=True)


if __name__ == "__main__":
    serve()
