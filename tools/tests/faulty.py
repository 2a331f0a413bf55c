"""A process that runs commands of which a call of the system fails, each in a copy of itself with all modules loaded.

It is started with `faults.c` before the C library. Every line of its input is
a JSON object: `arguments` of `brou`, the name of the standard `output` and the
standard `error`, and `fault`: the arguments of `arm`, or null where all goes
well. To each it answers with a line: the number of the process, and its exit
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
    for number, name, how in ((0, os.devnull, os.O_RDONLY), (1, job["output"], _WRITTEN), (2, job["error"], _WRITTEN)):
        file = os.open(name, how, 0o666)
        os.dup2(file, number)
        os.close(file)
    kind, *numbers = job["fault"] or ("", 0, 0, 0, 0)
    _SYSTEM.arm(kind.encode("ascii"), *numbers)
    sys.exit(main(job["arguments"]))


def serve() -> None:
    """Run what is asked for until there is no more."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    for line in sys.stdin:
        job = json.loads(line)
        if not job["fault"]:
            main(job["arguments"])
        child = os.fork()
        if not child:
            run(job)
        _, status = os.waitpid(child, 0)
        print(json.dumps([child, os.waitstatus_to_exitcode(status)]), file=answers, flush=True)


if __name__ == "__main__":
    serve()
