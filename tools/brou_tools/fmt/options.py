"""The options of `brou fmt`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, take_arguments, take_flag


class FmtOptions(CommandOptions):
    """Options of `brou fmt`."""

    description: ClassVar[str] = (
        "Write chapter files in the standard format. Comments stay; nothing is written if a file has a fault."
    )
    example: ClassVar[str] = """
$ brou fmt --check
... files already formatted
"""

    paths: tuple[str, ...] = take_arguments(
        "PATH", "a chapter file, or a folder with all in it; else those of the project"
    )
    check_only: bool = take_flag("write nothing, name the files that would change; 1 if there are some", "--check")
    diff: bool = take_flag("write nothing, show what would change; 1 if something would")
