"""The options of `brou serve`."""

from __future__ import annotations

from brou_tools.options.common import take_rules
from brou_tools.options.declare import CommandOptions


class Options(CommandOptions):
    """The rule bases that are served."""

    rules: tuple[str, ...] = take_rules()
