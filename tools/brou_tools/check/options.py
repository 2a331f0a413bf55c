"""The options of `brou check`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, UsageError, take_flag, take_optional
from brou_tools.options.vocabulary import take_sources


class CheckOptions(CommandOptions):
    """Options of `brou check`."""

    description: ClassVar[str] = (
        "Find faults in rules, scenarios and citations. Each fault is a line with its place; the exit code is "
        "1 if there is one."
    )
    example: ClassVar[str] = """
$ brou check --verbose
brou check: checked 1 game: no faults in ...
"""

    path: str | None = take_optional("PATH", "a data file or a folder; our own data if none is named")
    sources: str | None = take_sources("held against their fingerprints")
    reviewed: bool = take_flag("first write down that all texts have been reviewed")
    watch: bool = take_flag("check again after each edit, and say what it broke and what it mended, until Ctrl-C")

    @property
    def converses(self) -> bool:
        """Watch until somebody ends it."""
        return self.watch

    def check(self) -> None:
        """Refuse to write down reviews again and again, and to watch anything but a project."""
        if self.watch and (self.reviewed or self.path or self.sources):
            raise UsageError("--watch checks the project: leave out PATH, --sources and --reviewed")
