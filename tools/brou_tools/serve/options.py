"""The options of `brou serve`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions
from brou_tools.options.vocabulary import take_rules


class ServeOptions(CommandOptions):
    """Options of `brou serve`."""

    description: ClassVar[str] = (
        "Answer requests of the protocol with the rules: one JSON object per line on the standard input, one "
        "reply per line on the standard output."
    )
    example: ClassVar[str] = """
$ echo '{"op": "ping", "id": 1}' | brou serve brouc
{"id":1,"ok":true}
"""

    rules: tuple[str, ...] = take_rules()

    @property
    def converses(self) -> bool:
        """Talk with whoever asks or answers."""
        return True
