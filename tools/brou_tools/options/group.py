"""Commands under one name: which of them is meant, and what help says of them.

`brou --help` needs nothing else, and nothing is imported here but when something is wrong: `argparse` alone would
double the time that an interpreter takes to start.
"""

from __future__ import annotations

import os
import sys

#: Columns of a page that is no terminal; argparse leaves as many of its width empty, and begins what is said of an
#: option no further to the right.
_WIDTH, _MARGIN, _FURTHEST = 80, 2, 24
_HELP = ("-h, --help", "show this help message and exit")
_INDENT = "  "
#: What help says at the end where a program is judged.
EXITS = (
    "Exit codes: 0 fine, 1 a finding, 2 usage or bad input, 3 the program under test cannot be used, 4 our own fault."
)


class Group:
    """Some commands, each with a line that says what it does, and the options that stand before them."""

    description = ""
    epilog = ""
    options: tuple[tuple[str, str], ...] = ()

    def __init__(self, name: str, metavar: str, commands: dict[str, str]) -> None:
        self.name, self.metavar, self.commands = name, metavar, commands

    def choose(self, words: list[str]) -> tuple[str, list[str], list[str]]:
        """Return the command or option that words name, what follows it, and what before it is nothing we know."""
        for at, word in enumerate(words):
            if word == "-h" or _is_short_for(word, "--help"):
                show(self.help(), sys.stdout)
                raise SystemExit(0)
            option = next((one for one, _ in self.options if _is_short_for(word, one)), None)
            if option or word in self.commands:
                return option or word, words[at + 1 :], words[:at]
            if not word.startswith("-") or word == "-":
                known = ", ".join(map(repr, self.commands))
                near = suggest(word, list(self.commands))
                raise SystemExit(
                    self.refuse(f"argument {self.metavar}: invalid choice: {word!r} (choose from {known}){near}")
                )
        raise SystemExit(self.refuse(f"the following arguments are required: {self.metavar}"))

    def refuse(self, why: str) -> int:
        """Say how the commands are used, and why they cannot be used so; return the exit code."""
        show(f"{self._usage()}\n{self.name}: error: {why}\n", sys.stderr)
        return 2

    def _usage(self) -> str:
        options = "".join(f" [{one}]" for one in ("-h", *dict(self.options)))
        return f"usage: {self.name}{options} {self.metavar} ..."

    def help(self) -> str:
        """Return what is to be said of the commands, as wide as the terminal."""
        width = max(_columns() - _MARGIN, _FURTHEST)
        options = [_HELP, *self.options]
        longest = max(len(name) for name in (self.metavar, *self.commands, *dict(options)))
        column = min(longest + 2 * len(_INDENT), _FURTHEST)
        parts = [
            [self._usage()],
            _wrapped(self.description, width),
            ["positional arguments:", f"{_INDENT}{self.metavar}"]
            + [line for one in self.commands.items() for line in _entry(*one, 2 * _INDENT, column, width)],
            ["options:", *(line for one in options for line in _entry(*one, _INDENT, column, width))],
            _wrapped(self.epilog, width),
        ]
        return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def suggest(word: str, known: list[str]) -> str:
    """Return the end of a message that offers the name that a word is like; nothing if it is like none."""
    from brou.errors import nearest  # noqa: PLC0415 - only where something is wrong

    return "".join(f"; perhaps {one!r} is meant" for one in nearest(word, known))


def show(text: str, stream: object) -> None:
    """Write a text to a stream; where there is none, or it takes nothing, nobody is there to be told."""
    try:
        print(text, end="", file=stream, flush=True)  # type: ignore[call-overload]
    except (AttributeError, OSError):
        return


def _is_short_for(word: str, option: str) -> bool:
    return len(word) > len("--") and option.startswith(word)


def _entry(name: str, said: str, indent: str, column: int, width: int) -> list[str]:
    """Return the lines of a command or an option: its name, and beside or below it what it does."""
    lines = _wrapped(said, width - column)
    head = f"{indent}{name}"
    if len(head) > column - 2:
        return [head, *(" " * column + line for line in lines)]
    return [f"{head:{column}}{lines[0]}", *(" " * column + line for line in lines[1:])]


def _wrapped(text: str, width: int) -> list[str]:
    """Return the words of a text in lines; `textwrap` would cost as much as all else here."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _columns() -> int:
    """Return how wide the terminal is, as `shutil` tells it."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ else _WIDTH
    except (OSError, ValueError):
        return _WIDTH
