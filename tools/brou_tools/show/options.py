"""The options of `brou show`."""

from __future__ import annotations

from brou_tools.options.declare import CommandOptions, take_arguments, take_flag
from brou_tools.options.vocabulary import check_named, take_json, take_language, take_schema, take_sources


class ShowOptions(CommandOptions):
    """Options of `brou show`."""

    clauses: tuple[str, ...] = take_arguments("CLAUSE", "ids of clauses or open passages, or of topics")
    chapters: bool = take_flag("show clauses as written, or when an act is refused")
    sources: str | None = take_sources()
    lang: str | None = take_language()
    json: bool = take_json()
    schema: bool = take_schema()

    def check(self) -> None:
        """Ask for a clause."""
        check_named("show", self.clauses, schema=self.schema)
