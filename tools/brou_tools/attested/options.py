"""The options of `brou attested`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, take_argument, take_option
from brou_tools.options.values import read_name


class AttestedOptions(CommandOptions):
    """Options of `brou attested`."""

    description: ClassVar[str] = (
        "Check the signature of a statement about a program, and print what the statement says."
    )
    example: ClassVar[str] = """
$ brou attested stated.json --key key.pub --record record.ndjson
The signature is by this key.
about record.ndjson, SHA-256 ... (this record)
program: brou ...
...
"""

    statement: str = take_argument("STATEMENT", "what brou verify --attest STATEMENT --sign KEY wrote")
    key: str = take_option(read_name, "KEY", "the public key of who is to stand for it (key.pub)", default="key.pub")
    record: str | None = take_option(read_name, "RECORD", "the record that it should be about")
