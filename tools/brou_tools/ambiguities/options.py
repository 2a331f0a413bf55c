"""The options of `brou ambiguities`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, UsageError, take_option
from brou_tools.options.values import read_deals
from brou_tools.options.vocabulary import (
    check_sharing,
    check_told,
    take_games,
    take_jobs,
    take_json,
    take_language,
    take_scheduler,
    take_schema,
)


class AmbiguitiesOptions(CommandOptions):
    """Options of `brou ambiguities`."""

    description: ClassVar[str] = (
        "List what the texts leave open: each question with its readings, and which edition takes which."
    )
    example: ClassVar[str] = """
$ brou ambiguities brusquembille
Brusquembille: what the text leaves open
...
"""

    games: tuple[str, ...] = take_games()
    count: int | None = take_option(read_deals, "N", "write anew in how many of N deals readings part")
    jobs: int = take_jobs("count in so many processes (1)")
    scheduler: str | None = take_scheduler()
    lang: str | None = take_language()
    json: bool = take_json()
    schema: bool = take_schema()

    def check(self) -> None:
        """Refuse a JSON document of the counts, and processes where nothing is counted."""
        check_sharing(jobs=self.jobs, scheduler=self.scheduler)
        if self.count is None and (self.jobs > 1 or self.scheduler is not None):
            raise UsageError("--jobs and --scheduler share out the work of --count N")
        check_told("ambiguities", {"--count": bool(self.count)}, json=self.json, schema=self.schema)
