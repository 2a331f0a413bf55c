"""The options of `brou ask`."""

from __future__ import annotations

from typing import ClassVar

from brou_tools.options.declare import CommandOptions, UsageError, take_option, take_program, take_subject
from brou_tools.options.values import read_name
from brou_tools.options.vocabulary import (
    check_named,
    find_command,
    take_json,
    take_language,
    take_registered,
    take_schema,
    take_timeout,
)


class AskOptions(CommandOptions):
    """Options of `brou ask`."""

    description: ClassVar[str] = (
        "Find out by which readings a program plays, or people at a table: ask about the situations that "
        "narrow the readings down fastest, then print those left. People answer with a number, 0 for "
        "something else, or ? if they do not know."
    )
    example: ClassVar[str] = """
$ brou ask hombre -- brou serve hombre
...
Settled:
  ...=...  (...)
...
"""
    usage: ClassVar[str] = "brou ask RULES|--agreement AGREEMENT [options] [-- COMMAND...]"
    rules: str = take_subject(
        "RULES", "GAME[@EDITION][:SETUP][[READING=VALUE,...]]; readings that are named are taken as known"
    )
    agreement: str | None = take_option(
        read_name,
        "AGREEMENT",
        "instead of RULES: what the table has agreed on, a file or its short form",
    )
    answers: str | None = take_option(read_name, "FILE", "answers of people, one a line; - is standard input")
    transcript: str | None = take_option(read_name, "FILE", "write down questions, answers and result")
    timeout: float | None = take_timeout("for one request to a program (5)")
    start_timeout: float | None = take_timeout("for its first answer (30, or as --timeout)")
    lang: str | None = take_language()
    json: bool = take_json()
    schema: bool = take_schema()
    registered: str | None = take_registered()
    program: tuple[str, ...] = take_program()

    @property
    def converses(self) -> bool:
        """Talk with whoever asks or answers."""
        return True

    @property
    def command(self) -> tuple[str, ...]:
        """Return the command of the program that answers, if any: the words after `--`, or those of its name."""
        return self.program or (find_command(self.project, self.registered) if self.registered else ())

    def check(self) -> None:
        """Refuse to ask people and a program, and ask for a game."""
        if self.program and self.registered:
            raise UsageError("--program names the program: leave out what follows `--`")
        if (self.program or self.registered) and self.answers:
            raise UsageError("--answers are those of people: leave it out, or the program after `--`")
        if self.rules and self.agreement:
            raise UsageError("an agreement names the rules already: leave out RULES")
        check_named("ask", self.rules or self.agreement, schema=self.schema)
