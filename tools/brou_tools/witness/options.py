"""The options of `brou witness`."""

from __future__ import annotations

from brou_tools.options.declare import CommandOptions, take_arguments, take_flag
from brou_tools.options.vocabulary import check_told, take_json, take_language, take_schema


class WitnessOptions(CommandOptions):
    """Options of `brou witness`."""

    ambiguities: tuple[str, ...] = take_arguments("AMBIGUITY", "ids of open passages, or games; all if none")
    search: bool = take_flag("look for smaller ones and draft them; 1 if there are any")
    write: bool = take_flag("write down anew what parts the readings of whole games")
    lang: str | None = take_language()
    json: bool = take_json()
    schema: bool = take_schema()

    def check(self) -> None:
        """Refuse two things at once, and a document of either."""
        done = {"--search": self.search, "--write": self.write}
        check_told("witness", done, json=self.json, schema=self.schema)
