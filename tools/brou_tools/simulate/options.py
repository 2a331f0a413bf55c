"""The options of `brou simulate`."""

from __future__ import annotations

from brou_tools.options.declare import CommandOptions, take_flag, take_option, take_options
from brou_tools.options.values import read_name, read_number, read_seed
from brou_tools.options.vocabulary import (
    check_resume,
    take_jobs,
    take_json,
    take_language,
    take_report,
    take_resume,
    take_rules,
    take_schema,
)


class SimulateOptions(CommandOptions):
    """Options of `brou simulate`."""

    rules: tuple[str, ...] = take_rules()
    matches: int = take_option(read_number, "N", "matches of each (100)", "-n", default=100)
    seed: int = take_option(read_seed, "SEED", "of the first match; the next has one more", default=1)
    weigh: tuple[str, ...] = take_options(str, "ACT=EXPRESSION", "how often an act of `me` counts instead")
    mindless: bool = take_flag("let every act that is offered count alike")
    idle: bool = take_flag("tell which duties and exceptions came to nothing in the matches, and nothing else")
    jobs: int = take_jobs("play in so many processes (1)")
    svg: str | None = take_option(read_name, "FILE", "draw the shares with their intervals")
    report: str | None = take_report("record the matches part by part as they are done (NDJSON)")
    resume: bool = take_resume()
    lang: str | None = take_language()
    json: bool = take_json()
    schema: bool = take_schema()

    def check(self) -> None:
        """Ask for the record that is to be gone on with."""
        check_resume(resume=self.resume, report=self.report)
