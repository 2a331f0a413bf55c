"""The options of `brou verify`."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from brou_tools.options.declare import CommandOptions, UsageError, take_arguments, take_flag, take_option, take_program
from brou_tools.options.values import read_bytes, read_name, read_seconds
from brou_tools.options.vocabulary import (
    check_resume,
    find_command,
    take_agreement,
    take_jobs,
    take_json,
    take_language,
    take_registered,
    take_report,
    take_resume,
    take_scenarios,
    take_schema,
    take_sources,
    take_timeout,
)

#: Stands for the standard output where a file is named.
STANDARD = "-"
#: The options that go with a comparison of records.
_COMPARING = frozenset(
    {"records", "game", "edition", "agreement", "text", "quick", "scenarios", "under", "lang", "sources", "html"}
    | set(CommandOptions.written)
)


def _take_output(what: str) -> str | None:
    return take_option(read_name, "FILE", f"write {what} too; - is standard output")


class VerifyOptions(CommandOptions):
    """Options of `brou verify`."""

    description: ClassVar[str] = (
        "Run the scenarios of every game that a program plays, and report which rules it breaks."
    )
    example: ClassVar[str] = """
$ brou verify --game brouc -k ruff-must-beat -- brou serve brouc@2022
brouc@2022: brou ... follows the edition.
...
  1 case: 1 passes.
...
"""
    usage: ClassVar[str] = "brou verify [options] -- COMMAND...\n       brou verify [options] RECORD RECORD..."
    records: tuple[str, ...] = take_arguments("RECORD", "compare the programs of two or more records (--report)")
    game: str = take_option(str, "GAME", "only this game", default="")
    edition: str = take_option(str, "EDITION", "only this edition", default="")
    agreement: str | None = take_agreement()
    text: str = take_option(str, "TEXT", "only scenarios whose id, title or clauses contain it", "-k", default="")
    quick: bool = take_flag("only the few scenarios that notice most mistakes; see docs/proof.md")
    json: bool = take_json("write the report as one JSON document")
    schema: bool = take_schema()
    strict: bool = take_flag("a reading that is followed undeclared is a finding")
    timeout: float | None = take_timeout("for one request (5)")
    start_timeout: float | None = take_timeout("for the first answer (30, or as --timeout)")
    memory: int | None = take_option(
        read_bytes, "SIZE", "that the program and all it starts may hold (512M); Linux alone"
    )
    cpu: float | None = take_option(read_seconds, "SECONDS", "of processor time from a start to its end; Linux alone")
    scenarios: str | None = take_scenarios()
    python: str | None = take_option(str, "MODULE:CLASS", "judge a Python object in this process, no program")
    jobs: int = take_jobs("run so many copies of the program (1)")
    families: bool = take_flag("also run metamorphic tests: variants that must be answered alike")
    smoke: bool = take_flag("check the adapter itself first, and judge no rule")
    list: bool = take_flag("list the cases that would be judged, and ask nothing")
    known_failing: str | None = take_option(read_name, "FILE", "ids that fail, one a line; if one passes, that is new")
    write_known_failing: str | None = take_option(
        read_name, "FILE", "write such a list of what fails; - is standard output"
    )
    fork: str | None = _take_output("what the program plays, as an edition of one's own,")
    under: str | None = take_option(read_name, "FILE", "judge by editions of one's own, as --fork writes them")
    all: bool = take_flag("report every clause with failures, each with a case of its own")
    lang: str | None = take_language()
    sources: str | None = take_sources()
    report: str | None = take_report("record every case as it is judged (NDJSON)")
    resume: bool = take_resume()
    build: str | None = take_option(str, "ID", "what names the program in the report, instead of its files")
    replay: str | None = take_option(read_name, "REPORT", "judge a report again, without the program")
    games: str | None = take_option(read_name, "FILE", "judge a program that cannot be run, from deals that it played")
    since: str | None = take_option(read_name, "REPORT", "report what has changed since an earlier report")
    trace: bool = take_flag("show what went over the wire in cases that do not pass")
    junit: str | None = _take_output("JUnit XML")
    markdown: str | None = _take_output("a Markdown summary")
    html: str | None = _take_output("a page for browsers, whole in one file,")
    badge: str | None = _take_output("a badge as JSON")
    attest: str | None = _take_output("an in-toto statement about the record")
    sign: str | None = take_option(read_name, "KEY", "sign the statement with this Ed25519 key (PEM or OpenSSH)")
    registered: str | None = take_registered()
    program: tuple[str, ...] = take_program()

    @property
    def command(self) -> tuple[str, ...]:
        """Return what starts the program: what follows `--`, or the command that `brou.toml` has under the name."""
        return self.program or (find_command(self.project, self.registered) if self.registered else ())

    def check(self) -> None:
        """Refuse a verification of nothing, and options that exclude each other."""
        if self.records:
            self._check_compared()
        else:
            self._check_judged()
        self._check_outputs()
        if self.smoke:
            self._check_alone()
        check_resume(resume=self.resume, report=self.report)

    def _check_compared(self) -> None:
        """Refuse a comparison of one record alone, or of one with itself, and options that are about one program."""
        if len(self.records) == 1 and not self.records[0].endswith(".ndjson") and not Path(self.records[0]).exists():
            what = "the command of the program goes after `--`, the game after `--game`"
            raise UsageError(f"unrecognized arguments: {self.records[0]}; {what}")
        if len(self.records) == 1:
            again = f"judge one again with --replay {self.records[0]}, and a program after `--`"
            raise UsageError(f"{self.records[0]}: a comparison takes two records or more; {again}")
        if len(set(self.records)) < len(self.records):
            raise UsageError("a record is named twice: compare different ones")
        others = [
            field
            for field, one in self.written.items()
            if field not in _COMPARING and getattr(self, field) != one.default
        ]
        if self.program:
            raise UsageError("records are compared without a program: leave out what follows `--`")
        for field in others:
            name = (self.written[field].names or ())[0]
            raise UsageError(f"records are compared, and no program is judged: leave out {name}")

    def _check_judged(self) -> None:
        """Refuse a run without anything to judge, or with two things."""
        if self.replay:
            asked = {
                "--python": self.python,
                "--report": self.report,
                "--resume": self.resume,
                "--families": self.families,
                "a program after `--`": self.program,
                "--program": self.registered,
                "--list": self.list,
            }
            for name in (name for name, given in asked.items() if given):
                raise UsageError(f"--replay judges a report and asks nobody: leave out {name}")
        elif self.games:
            self._check_played()
        elif not self.program and not self.python and not self.registered and not self.schema:
            raise UsageError(
                "name the program to judge after `--`: brou verify [options] -- COMMAND...; "
                "or one of brou.toml with --program NAME"
            )
        if self.agreement and (self.game or self.edition):
            raise UsageError("an agreement names the rules already: leave out --game and --edition")
        if self.program and self.python:
            raise UsageError("--python takes no program after `--`")
        if self.registered and (self.program or self.python):
            raise UsageError("--program names the program: leave out what follows `--`, and --python")
        if self.python and (self.memory or self.cpu):
            raise UsageError("--memory and --cpu bound a program; --python has none")
        if self.python and self.jobs > 1:
            raise UsageError("--jobs runs copies of a program; --python has none")

    def _check_played(self) -> None:
        """Refuse, beside played deals, whatever asks a program or chooses scenarios."""
        asked = {
            "-k": self.text,
            "--quick": self.quick,
            "--scenarios": self.scenarios,
            "--python": self.python,
            "--jobs": self.jobs > 1,
            "--families": self.families,
            "--list": self.list,
            "--known-failing": self.known_failing,
            "--write-known-failing": self.write_known_failing,
            "--under": self.under,
            "--fork": self.fork,
            "--report": self.report,
            "--resume": self.resume,
            "--since": self.since,
            "--attest": self.attest,
            "a program after `--`": self.program,
            "--program": self.registered,
        }
        for name in (name for name, given in asked.items() if given):
            raise UsageError(f"--games judges played deals and asks nobody: leave out {name}")

    def _check_outputs(self) -> None:
        """Refuse two documents on the standard output, a document of a list, and a build that nothing names."""
        if self.quick and self.scenarios:
            raise UsageError("--quick is a choice among our own scenarios: leave out --scenarios")
        if self.list and self.json:
            raise UsageError("--list tells people, and there is no document of it: leave out --json")
        outputs = {
            "--junit": self.junit,
            "--markdown": self.markdown,
            "--html": self.html,
            "--badge": self.badge,
            "--attest": self.attest,
            "--write-known-failing": self.write_known_failing,
            "--fork": self.fork,
            "--json": STANDARD if self.json else None,
        }
        written = [name for name, given in outputs.items() if given == STANDARD]
        if len(written) > 1:
            raise UsageError(f"{', '.join(written)}: only one of them can go to the standard output")
        if self.fork and self.under:
            raise UsageError("--fork says what of the text a program plays otherwise: leave out --under")
        if self.attest and not (self.report or self.replay):
            raise UsageError("--attest describes a record: name it with --report FILE or --replay FILE")
        if self.sign and not self.attest:
            raise UsageError("--sign signs a statement: name that with --attest FILE")
        if self.build and not self.report:
            raise UsageError("--build names the program in a report: name that with --report FILE")

    def _check_alone(self) -> None:
        """Refuse options for judging scenarios beside `--smoke`."""
        others = {
            "-k": self.text,
            "--quick": self.quick,
            "--scenarios": self.scenarios,
            "--families": self.families,
            "--list": self.list,
            "--known-failing": self.known_failing,
            "--report": self.report,
            "--resume": self.resume,
            "--build": self.build,
            "--replay": self.replay,
            "--games": self.games,
            "--since": self.since,
            "--trace": self.trace,
            "--junit": self.junit,
            "--markdown": self.markdown,
            "--html": self.html,
            "--badge": self.badge,
            "--attest": self.attest,
            "--sources": self.sources,
            "--fork": self.fork,
            "--under": self.under,
            "--agreement": self.agreement,
            "--jobs": self.jobs > 1,
        }
        for name in (name for name, given in others.items() if given):
            raise UsageError(f"--smoke asks no scenario: leave out {name}")
