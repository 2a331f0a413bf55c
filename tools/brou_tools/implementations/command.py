"""`brou implementations`: print the table of programs, with their verdicts and known deviations."""

from __future__ import annotations

from pathlib import Path

from brou.atomic import put
from brou_conformance.reports.implementations import tell_implementations
from brou_tools.implementations.options import ImplementationsOptions
from brou_tools.terminal.closing import conclude
from brou_tools.terminal.exits import Exit


def run(options: ImplementationsOptions) -> int:
    """Write the table as Markdown."""
    table = tell_implementations(Path(options.file))
    conclude(f"made the table of {options.file}")
    if options.output is None:
        print(table, end="")
    else:
        put(Path(options.output), table)
    return Exit.FINE
