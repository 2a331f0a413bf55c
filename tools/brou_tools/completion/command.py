"""`brou completion`: the script by which a shell completes what is typed."""

from __future__ import annotations

from brou import catalogue, glossary
from brou_tools.completion.calls import list_calls
from brou_tools.completion.options import SHELLS, CompletionOptions
from brou_tools.completion.scripts import write_script
from brou_tools.terminal.closing import conclude
from brou_tools.terminal.exits import Exit


def run(options: CompletionOptions) -> int:
    """Print the script."""
    games = tuple(catalogue(options.project))
    known = {"GAME": games, "RULES": games, "LANGUAGE": tuple(glossary().languages), "SHELL": SHELLS}
    print(write_script(options.shell, list(list_calls(known))), end="")
    conclude(f"wrote the script for {options.shell}")
    return Exit.FINE
