"""The options of `brou serve`."""

from __future__ import annotations

from brou_tools.options.declare import CommandOptions
from brou_tools.options.vocabulary import take_rules


class ServeOptions(CommandOptions):
    """Options of `brou serve`."""

    rules: tuple[str, ...] = take_rules()
