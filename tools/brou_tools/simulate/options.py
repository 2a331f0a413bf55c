"""The options of `brou simulate`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, UsageError, take_flag, take_option, take_options
from brou_tools.options.values import read_name, read_number, read_seed, read_width
from brou_tools.options.vocabulary import (
    check_resume,
    check_sharing,
    take_jobs,
    take_json,
    take_language,
    take_report,
    take_resume,
    take_rules,
    take_scheduler,
    take_schema,
)


class SimulateOptions(CommandOptions):
    """Options of `brou simulate`."""

    description: ClassVar[str] = (
        "Play random matches by sensible beginners, and report how often things happen, with 95 % intervals."
    )
    example: ClassVar[str] = """
$ brou simulate brouc -n 5
brouc@2022:4: 5 matches, ... deals, seed 1
...
    deals with a table marriage                          ...%   ...% to ...%
...
"""

    rules: tuple[str, ...] = take_rules()
    matches: int | None = take_option(read_number, "N", "matches of each (100)", "-n")
    deals: int | None = take_option(read_number, "N", "play until there are so many deals")
    within: float | None = take_option(read_width, "WIDTH", "play until intervals reach no farther to each side")
    figure: str | None = take_option(str, "ID", "the headline figure whose interval that is (all shares)")
    longest: int = take_option(read_number, "N", "acts after which a match is left (20000)", default=20_000)
    seed: int = take_option(read_seed, "SEED", "of the first match; the next has one more", default=1)
    weigh: tuple[str, ...] = take_options(str, "ACT=EXPRESSION", "the weight of an act in the draw; `me` is the player")
    conduct: str | None = take_option(read_name, "FILE", "play by this conduct (brou-conduct/1), not by the game's own")
    fit: str | None = take_option(
        read_name, "GAMES", "write the conduct that played games (docs/played.md) were likeliest played by, and no more"
    )
    mindless: bool = take_flag("choose among legal acts uniformly, with no sense")
    against: str | None = take_option(
        str, "RULES", "also play the same deals by these rules, and report the differences"
    )
    weigh_against: tuple[str, ...] = take_options(str, "ACT=EXPRESSION", "how often an act counts there alone")
    vary: bool = take_flag("play the same deals with each act's weight doubled in turn, and report the differences")
    readings: bool = take_flag("play the same deals with each other reading in turn, and report the differences")
    page: str | None = take_option(
        read_name, "FILE.md", "write the headline figures of rules side by side as a page, its numbers beside it"
    )
    merge: bool = take_flag("add up documents that --json wrote, which are named in place of rules")
    idle: bool = take_flag("tell which duties and exceptions came to nothing in the matches, and nothing else; slow")
    jobs: int = take_jobs("play in so many processes (1)")
    scheduler: str | None = take_scheduler()
    svg: str | None = take_option(read_name, "FILE", "draw the shares with their intervals")
    rows: str | None = take_option(read_name, "FILE", "write a row for each figure (.csv, or .parquet)")
    report: str | None = take_report("record the matches part by part as they are done (NDJSON)")
    resume: bool = take_resume()
    lang: str | None = take_language()
    json: bool = take_json()
    schema: bool = take_schema()

    def check(self) -> None:
        """Refuse options that do not go together."""
        check_resume(resume=self.resume, report=self.report)
        if self.rows is not None and not self.rows.endswith((".csv", ".parquet")):
            raise UsageError(f"--rows {self.rows}: name a file that ends in .csv or .parquet")
        if self.figure is not None and self.within is None:
            raise UsageError("--figure names the figure of --within WIDTH")
        if self.weigh_against and self.against is None:
            raise UsageError("--weigh-against weighs the acts of --against RULES")
        self._check_comparisons()
        if self.conduct is not None and (self.mindless or self.vary):
            raise UsageError("--conduct says how to play: leave out --mindless and --vary")
        if self.fit is not None and (self.rules or self.json or self.merge or self.idle or self.mindless or self.weigh):
            raise UsageError("--fit GAMES plays nothing: name the file alone, and with --conduct what to begin with")
        check_sharing(jobs=self.jobs, scheduler=self.scheduler)
        played = (self.matches, self.deals, self.within, self.against, self.report, self.scheduler)
        if self.merge and (
            any(one is not None for one in played) or self.weigh or self.mindless or self.vary or self.readings
        ):
            raise UsageError("--merge plays nothing: leave out what says how to play")
        if self.merge and not self.rules:
            raise UsageError("brou simulate --merge: name the documents to add up")

    def _check_comparisons(self) -> None:
        """Refuse two ways to compare at once, and a page of no comparison."""
        if self.vary and (self.against is not None or self.mindless):
            raise UsageError(
                "--vary compares rules with themselves by their conduct: leave out --against and --mindless"
            )
        if self.readings and (self.against is not None or self.vary):
            raise UsageError("--readings compares rules with their other readings: leave out --against and --vary")
        if self.page is not None and not (self.page.endswith(".md") and (self.readings or self.against is not None)):
            raise UsageError("--page FILE.md tells what --readings or --against RULES compare")
