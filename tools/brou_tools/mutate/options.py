"""The options of `brou mutate`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, UsageError, take_flag, take_option
from brou_tools.options.values import read_number, read_seed
from brou_tools.options.vocabulary import (
    check_resume,
    check_sharing,
    take_games,
    take_jobs,
    take_json,
    take_report,
    take_resume,
    take_scheduler,
    take_schema,
)


class MutateOptions(CommandOptions):
    """Options of `brou mutate`."""

    description: ClassVar[str] = (
        "Damage the rules in many small ways (mutants), and report which scenarios, proofs and checks notice. "
        "The exit code is 1 if a mutant survives. Needs brou[prove]."
    )
    example: ClassVar[str] = """
$ brou mutate brusquembille -n 2
brusquembille: 2 mutants, seed 1
...
  a scenario notices ...
  an obligation notices ...
...
"""

    games: tuple[str, ...] = take_games()
    mutants: int = take_option(read_number, "N", "mutants of each (200)", "-n", default=200)
    seed: int = take_option(read_seed, "SEED", "of the draw (1)", default=1)
    jobs: int = take_jobs("ask in so many processes (1)")
    scheduler: str | None = take_scheduler()
    write: bool = take_flag("write the result to the data")
    quick: bool = take_flag("report what the cases of brou verify --quick notice; with --write, choose them again")
    clauses: bool = take_flag(
        "report for which clauses a damage turns a statement that cites them; with --write, find out what is not known"
    )
    report: str | None = take_report("record the mutants part by part as they are done (NDJSON)")
    resume: bool = take_resume()
    json: bool = take_json()
    schema: bool = take_schema()

    def check(self) -> None:
        """Refuse options that do not go together."""
        check_resume(resume=self.resume, report=self.report)
        check_sharing(jobs=self.jobs, scheduler=self.scheduler)
        if self.clauses and (self.quick or self.json or self.schema or self.report):
            raise UsageError(
                "--clauses tells people, and what it writes is the document and the record: leave out --quick, --json, "
                "--schema and --report"
            )
        if self.quick and (self.json or self.schema):
            raise UsageError("--quick tells people, and what it writes is the document: leave out --json and --schema")
