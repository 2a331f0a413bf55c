"""The page of help for one command: its usage and its options."""

from __future__ import annotations

from brou_tools.cli.help import ASKING, EXITS, HELP, lay_out, lay_out_usage
from brou_tools.options.declare import CommandOptions


def tell_help(name: str, kind: type[CommandOptions]) -> str:
    """Return the page of help of a command, `name` being how it is called."""
    words = [(one.metavar, one.help) for one in kind.written.values() if one.names is None]
    options = [(one.invocation, one.help) for one in kind.written.values() if one.names is not None]
    epilog = EXITS if kind.takes_program else ""
    sections = {"arguments": words, "options": [HELP, *options]}
    return lay_out(tell_usage(name, kind), kind.description, sections, (kind.example, epilog))


def tell_usage(name: str, kind: type[CommandOptions]) -> str:
    """Return how a command is used."""
    if kind.usage:
        return f"usage: {kind.usage}"
    options = [one.usage for one in kind.written.values() if one.names is not None]
    words = [one.usage for one in kind.written.values() if one.names is None]
    return lay_out_usage(name, [f"[{ASKING[0]}]", *options], words)
