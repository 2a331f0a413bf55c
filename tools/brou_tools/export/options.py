"""The options of `brou export`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, UsageError, take_flag
from brou_tools.options.vocabulary import take_rules, take_schema


class ExportOptions(CommandOptions):
    """Options of `brou export`."""

    description: ClassVar[str] = "Write typed rules as JSON, for programs that do not parse expressions themselves."
    example: ClassVar[str] = """
$ brou export brouc
{"format": "brou-export/1", "games": [{"rules": "brouc@2022:4", ...
"""

    rules: tuple[str, ...] = take_rules()
    adapter: bool = take_flag("tell the author of an adapter its acts, keys and codes, with examples")
    core: bool = take_flag("write one rule base in the lowered form, from which engines are made")
    schema: bool = take_schema("write the schema of the lowered form, and do nothing else")

    def check(self) -> None:
        """Refuse the lowered form of anything but one rule base, and another form beside it."""
        if self.adapter and self.core:
            raise UsageError("brou export: --core and --adapter are two things: ask for one of them")
        if self.schema and not self.core:
            raise UsageError("brou export: --schema is that of --core: name both")
        if self.core and not self.schema and len(self.rules) != 1:
            raise UsageError("brou export: --core writes one rule base: name one")
