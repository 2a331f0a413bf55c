"""The options of `brou fuzz`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, UsageError, take_flag, take_option, take_program
from brou_tools.options.values import read_bytes, read_name, read_number, read_seconds, read_seed
from brou_tools.options.vocabulary import (
    check_sharing,
    find_command,
    take_agreement,
    take_jobs,
    take_json,
    take_language,
    take_registered,
    take_rules,
    take_scenarios,
    take_scheduler,
    take_schema,
    take_timeout,
)


class FuzzOptions(CommandOptions):
    """Options of `brou fuzz`."""

    description: ClassVar[str] = (
        "Play random matches in lock-step with a program, and report every difference from the rules: explained by a "
        "change of the rules, and shrunk to the smallest scenario. The exit code is 1 if there is one."
    )
    example: ClassVar[str] = """
$ brou fuzz brusquembille@1718:2 -n 5 -- brou serve brusquembille@1718:2
brusquembille@1718: 5 matches, ... questions, seeds 1 to 41
  no difference
...
"""
    usage: ClassVar[str] = "brou fuzz [options] [RULES ...] -- COMMAND..."

    rules: tuple[str, ...] = take_rules()
    matches: int = take_option(read_number, "N", "matches of each edition (100)", "-n", default=100)
    seed: int = take_option(read_seed, "SEED", "of the campaign (1)", default=1)
    match: int | None = take_option(read_seed, "SEED", "play the match of this seed, and no other")
    uniform: bool = take_flag("take the matches as they come, not those that reach what few have reached")
    campaign: str | None = take_option(read_name, "FILE", "keep the campaign in a SQLite file, or go on with it")
    write: str | None = take_option(read_name, "DIR", "write a scenario of each difference, DIR/GAME/NAME.yaml")
    agreement: str | None = take_agreement()
    scenarios: str | None = take_scenarios()
    bare: bool = take_flag("ask no scenarios first: readings are those that it declares or the edition has")
    jobs: int = take_jobs("run so many copies of the program (1)")
    scheduler: str | None = take_scheduler()
    timeout: float | None = take_timeout("for one request (5)")
    start_timeout: float | None = take_timeout("for the first answer (30, or as --timeout)")
    memory: int | None = take_option(
        read_bytes, "SIZE", "that the program and all it starts may hold (512M); Linux alone"
    )
    cpu: float | None = take_option(read_seconds, "SECONDS", "of processor time from a start to its end; Linux alone")
    python: str | None = take_option(str, "MODULE:CLASS", "play with a Python object in this process, no program")
    lang: str | None = take_language()
    json: bool = take_json("write the report as one JSON document")
    schema: bool = take_schema()
    registered: str | None = take_registered()
    program: tuple[str, ...] = take_program()

    @property
    def command(self) -> tuple[str, ...]:
        """Return what starts the program: what follows `--`, or the command that `brou.toml` has under the name."""
        return self.program or (find_command(self.project, self.registered) if self.registered else ())

    def check(self) -> None:
        """Refuse a run without a program, or with two, and options that exclude each other."""
        named = [bool(self.program), bool(self.python), bool(self.registered)]
        if sum(named) > 1:
            raise UsageError("name one program: after `--`, with --program, or with --python")
        if not any(named) and not self.schema:
            raise UsageError(
                "name the program to play with after `--`: brou fuzz [options] [RULES ...] -- COMMAND...; "
                "or one of brou.toml with --program NAME"
            )
        check_sharing(jobs=self.jobs, scheduler=self.scheduler)
        if self.python and (self.jobs > 1 or self.scheduler or self.memory or self.cpu):
            raise UsageError("--python has no program: leave out --jobs, --scheduler, --memory and --cpu")
        if self.agreement and self.rules:
            raise UsageError("an agreement names the rules already: leave out RULES")
        if self.match is not None and self.campaign:
            raise UsageError("--match plays one match by itself: leave out --campaign")
