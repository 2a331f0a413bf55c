"""The options of `brou implementations`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, take_argument, take_option
from brou_tools.options.values import read_name


class ImplementationsOptions(CommandOptions):
    """Options of `brou implementations`."""

    description: ClassVar[str] = (
        "Make a table of programs and their verdicts from statements that `brou verify --attest` wrote."
    )
    example: ClassVar[str] = """
$ brou implementations programs.yaml
| program | version | edition | verdict | cases that pass | judged |
|---|---|---|---|---|---|
| [brou](https://example.org/) | ... | `brouc@2022` | follows | ...
"""

    file: str = take_argument("FILE", "the list of programs (YAML): statement, link and date of each")
    output: str | None = take_option(read_name, "FILE", "write the table to a file (Markdown)", "-o", "--output")
