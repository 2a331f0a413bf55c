"""`brou serve`: the reference engine on standard input and output."""

from __future__ import annotations

import sys

from brou_conformance.programs.engine import Engine, choices, serve
from brou_tools.serve.options import Options
from brou_tools.terminal.exits import Exit


def run(options: Options) -> int:
    """Answer requests until goodbye or the end of the input."""
    serve(Engine(choices(options.rules)), sys.stdin.buffer, sys.stdout.buffer)
    return Exit.FINE
