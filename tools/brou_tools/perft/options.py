"""The options of `brou perft`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, take_flag, take_option, take_options
from brou_tools.options.values import read_number, read_seed
from brou_tools.options.vocabulary import take_json, take_rules, take_schema


class PerftOptions(CommandOptions):
    """Options of `brou perft`."""

    description: ClassVar[str] = (
        "Count the legal sequences of 1, 2, ... N acts from a deal. Two programs that count alike move alike."
    )
    example: ClassVar[str] = """
$ brou perft brouc@2022
brouc@2022:4
  seed 1: 12 59 758
"""

    rules: tuple[str, ...] = take_rules()
    depth: int = take_option(read_number, "N", "acts in the longest sequences (3)", default=3)
    seed: tuple[int, ...] = take_options(read_seed, "SEED", "of a deal; may be given often (1)")
    after: tuple[int, ...] = take_options(read_seed, "N", "count behind so many random acts; likewise (0)")
    divide: bool = take_flag("tell how many of the longest begin with each act")
    json: bool = take_json()
    schema: bool = take_schema()
