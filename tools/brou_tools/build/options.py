"""The options of `brou build`."""

from __future__ import annotations

from brou_tools.options.declare import CommandOptions, UsageError, take_argument, take_flag, take_option
from brou_tools.options.values import read_name


class BuildOptions(CommandOptions):
    """Options of `brou build`."""

    description = "Make an engine of one rule base: C, unless something else is asked for."

    rules: str = take_argument("RULES", "GAME[@EDITION][:SETUP][[READING=VALUE,...]]")
    c: bool = take_flag("C: one file that any compiler takes")
    native: bool = take_flag("a shared object, made by the C compiler of this machine")
    python: bool = take_flag("a module in Python")
    mindless: bool = take_flag("leave out how sensible beginners play, and the figures of their matches")
    output: str | None = take_option(
        read_name, "FILE", "write to a file; header and tables stand beside it (*.h, *.json)", "-o", "--output"
    )

    def check(self) -> None:
        """Refuse several forms at once, and a shared object without a file."""
        if self.c + self.native + self.python > 1:
            raise UsageError("brou build: --c, --native and --python are three things: ask for one of them")
        if self.native and self.output is None:
            raise UsageError("brou build: a shared object is no text: name a file with -o")
