"""`brou serve`: the reference engine on standard input and output."""

from __future__ import annotations

import sys

from brou_conformance.programs.engine import ReferenceEngine, choices, serve
from brou_tools.serve.options import ServeOptions
from brou_tools.terminal.exits import Exit


def run(options: ServeOptions) -> int:
    """Answer requests until goodbye or the end of the input."""
    serve(ReferenceEngine(choices(options.rules, options.project)), sys.stdin.buffer, sys.stdout.buffer)
    return Exit.FINE
