"""The options of `brou build`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, UsageError, take_argument, take_flag, take_option
from brou_tools.options.values import read_name

#: The languages that there are wrappers for.
LANGUAGES = ("c", "go", "javascript", "python")


class BuildOptions(CommandOptions):
    """Options of `brou build`."""

    description: ClassVar[str] = "Make an engine of one rule base: in C, unless another form is asked for."
    example: ClassVar[str] = """
$ brou build brouc
/* brouc@2022:4, an engine in C: made from its rules by brou; ...
...
"""

    rules: str = take_argument("RULES", "GAME[@EDITION][:SETUP][[READING=VALUE,...]]")
    c: bool = take_flag("C: one file that any compiler takes")
    wasm: bool = take_flag("WebAssembly without a system, for browsers and all who run it; needs brou[build]")
    native: bool = take_flag("a shared object, made by the C compiler of this machine")
    python: bool = take_flag("a module in Python")
    target: str | None = take_option(
        read_name, "TARGET", "with --native: for another machine, such as aarch64-macos; needs brou[build]",
        "--target",
    )  # fmt: skip
    wrapper: str | None = take_option(
        read_name, "LANGUAGE",
        f"write a folder (-o): engine, wrapper, example and adapter for {', '.join(LANGUAGES)}", "--wrapper",
    )  # fmt: skip
    mindless: bool = take_flag("leave out how sensible beginners play, and the figures of their matches")
    output: str | None = take_option(
        read_name, "FILE", "write to a file; header and tables are written beside it (*.h, *.json)", "-o", "--output"
    )

    def check(self) -> None:
        """Refuse several forms at once, bytes without the name of a file, and a target without a compiler."""
        if self.c + self.wasm + self.native + self.python + (self.wrapper is not None) > 1:
            raise UsageError("brou build: ask for one of --c, --wasm, --native, --python and --wrapper")
        if self.wrapper is not None and self.wrapper not in LANGUAGES:
            raise UsageError(f"brou build: --wrapper knows {', '.join(LANGUAGES)}, not {self.wrapper!r}")
        if self.wrapper is not None and self.output is None:
            raise UsageError("brou build: a wrapper is several files: name a folder with -o")
        if (self.native or self.wasm) and self.output is None:
            raise UsageError("brou build: a shared object or WebAssembly is no text: name a file with -o")
        if self.target is not None and not self.native:
            raise UsageError("brou build: --target is for --native: C and WebAssembly are the same everywhere")
