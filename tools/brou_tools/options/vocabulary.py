"""Options that several commands have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brou_tools.options.declare import UsageError, take_arguments, take_flag, take_option
from brou_tools.options.values import read_jobs, read_name, read_seconds

if TYPE_CHECKING:
    from brou import Project

#: The languages of the glossary, as help lists them; a test compares them, for help reads no data.
LANGUAGES = "en, fr or de"
_LANGUAGES = f"{LANGUAGES}, or one of the project; otherwise that of the locale, else English"


def take_language(help_: str = _LANGUAGES) -> str | None:
    """Declare the language that a command speaks."""
    return take_option(str, "LANGUAGE", help_)


def take_agreement() -> str | None:
    """Declare what a table has agreed on, as a file or in its short form."""
    help_ = "what the table has agreed on, instead of named rules: a file (brou-agreement/1), or its short form"
    return take_option(read_name, "AGREEMENT", help_)


def take_json(help_: str = "write one JSON document") -> bool:
    """Declare whether a command answers programs rather than people."""
    return take_flag(help_)


def take_schema(help_: str = "write the schema of that document, and do nothing else") -> bool:
    """Declare whether a command tells the shape of its document."""
    return take_flag(help_)


def take_games() -> tuple[str, ...]:
    """Declare the games that a command is held to."""
    return take_arguments("GAME", "only these games")


def take_rules() -> tuple[str, ...]:
    """Declare the names of rule bases."""
    return take_arguments("RULES", "GAME[@EDITION][:SETUP][[READING=VALUE,...]]; all if none is named")


def take_scenarios() -> str | None:
    """Declare where the scenarios lie."""
    return take_option(read_name, "DIR", "a folder of scenarios instead of our own")


def take_sources(why: str = "to show how passages begin") -> str | None:
    """Declare where the source texts lie."""
    return take_option(read_name, "DIR", f"the source texts (*.txt), {why}")


def take_jobs(help_: str) -> int:
    """Declare the number of processes."""
    return take_option(read_jobs, "N", help_, default=1)


def take_scheduler() -> str | None:
    """Declare the scheduler of a cluster."""
    return take_option(str, "ADDRESS", "share the work out on a Dask cluster, as in tcp://host:8786")


def take_timeout(help_: str) -> float | None:
    """Declare how long a program under test may take to do something."""
    return take_option(read_seconds, "SECONDS", help_)


def take_registered() -> str | None:
    """Declare the program under test by its name in the project."""
    return take_option(str, "NAME", "the program that brou.toml has under this name", "--program")


def find_command(project: Project, name: str) -> tuple[str, ...]:
    """Return the command of a program of a project; raise `Unknown` for a name that `brou.toml` does not have."""
    from brou.games import find_program  # noqa: PLC0415 - help reads no data

    return find_program(project, name)


def take_report(help_: str) -> str | None:
    """Declare the record of a long run."""
    return take_option(read_name, "FILE", help_)


def take_resume() -> bool:
    """Declare whether a long run goes on with its record."""
    return take_flag("take over the results that the report has already")


def check_resume(*, resume: bool, report: str | None) -> None:
    """Refuse to go on with a record that is not named."""
    if resume and not report:
        raise UsageError("--resume goes on with a report: name it with --report FILE")


def check_sharing(*, jobs: int, scheduler: str | None) -> None:
    """Refuse to share work out both here and on a cluster."""
    if jobs > 1 and scheduler is not None:
        raise UsageError("--jobs shares the work out here, --scheduler on a cluster: choose one of them")


def check_named(command: str, named: object, *, schema: bool) -> None:
    """Refuse a command without anything to work on, unless its schema is wanted."""
    if not named and not schema:
        raise UsageError(f"brou {command}: name what to {command}, or --schema")


def check_told(command: str, done: dict[str, bool], *, json: bool, schema: bool) -> None:
    """Refuse `--json` beside an option of `done` that prints no document, and two of those options together."""
    asked = [name for name, wanted in done.items() if wanted]
    if asked and json and not schema:
        raise UsageError(f"brou {command}: {asked[0]} has no document: leave out --json")
    if len(asked) > 1:
        raise UsageError(f"brou {command}: {' and '.join(asked)} are two things: ask for one of them")
