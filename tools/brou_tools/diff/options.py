"""The options of `brou diff`."""

from __future__ import annotations

from brou_tools.options.common import take_json, take_language, take_schema
from brou_tools.options.declare import CommandOptions, take_arguments


class Options(CommandOptions):
    """Which two rule bases are compared."""

    editions: tuple[str, ...] = take_arguments("EDITION", "two of them: GAME[@EDITION][:SETUP][[READING=VALUE]]")
    lang: str | None = take_language()
    json: bool = take_json()
    schema: bool = take_schema()
