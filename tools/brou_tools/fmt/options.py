"""The options of `brou fmt`."""

from __future__ import annotations

from brou_tools.options.declare import CommandOptions, take_arguments, take_flag


class FmtOptions(CommandOptions):
    """Options of `brou fmt`."""

    paths: tuple[str, ...] = take_arguments(
        "PATH", "a chapter file, or a folder with all in it; else those of the project"
    )
    check_only: bool = take_flag("write nothing, name the files that would change; 1 if there are some", "--check")
    diff: bool = take_flag("write nothing, show what would change; 1 if something would")
