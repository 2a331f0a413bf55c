"""Pages of help, and the choice among several commands.

`brou --help` needs nothing else, and this module imports more only when something is wrong: `argparse` alone would
double the time that an interpreter takes to start. The layout is that of `argparse`, under headings of our own.
"""

import os
import sys

#: Columns of a page that is no terminal, how many of a page stay empty, and how far to the right the help of an option
#: may begin.
_WIDTH, _MARGIN, _FURTHEST = 80, 2, 24
#: The option that every command has, and the words that ask for it.
HELP = ("-h, --help", "show this help message and exit")
ASKING = ("-h", "--help")
#: What help says at the end where a program is judged.
EXITS = (
    "Exit codes: 0 fine, 1 a finding, 2 usage or bad input, 3 the program under test cannot be used, 4 our own fault."
)
_PROJECT = "Each works on the nearest project, or on the one that --data FOLDER names."
_INDENT = "  "
#: Colours of ANSI.
_BOLD, _RED = "1", "1;31"


class Group:
    """Some commands, each with a line of help, and the options before them."""

    description = ""
    example = ""
    epilog = ""
    #: What the commands from one on are for.
    headings: dict[str, str] = {}  # noqa: RUF012 - nobody changes it, and `ClassVar` would load `typing`
    options: tuple[tuple[str, str], ...] = ()

    def __init__(self, name: str, metavar: str, commands: dict[str, str]) -> None:
        self.name, self.metavar, self.commands = name, metavar, commands
        if not self.example:
            self.description = f"One of these; {name} {metavar} --help shows its options, and an example. {_PROJECT}"

    def choose(self, words: list[str]) -> tuple[str, list[str], list[str]]:
        """Return the command or option that words name, the words after it, and unknown words before it."""
        for at, word in enumerate(words):
            if word in ASKING or _is_short_for(word, ASKING[-1]):
                show_help(self.help())
                raise SystemExit(0)
            option = next((one for one, _ in self.options if _is_short_for(word, one)), None)
            if option or word in self.commands:
                return option or word, words[at + 1 :], words[:at]
            if not word.startswith("-") or word == "-":
                known = f" (choose from {', '.join(map(repr, self.commands))})"
                why = f"invalid choice: {word!r}{suggest(word, list(self.commands)) or known}"
                raise SystemExit(self.refuse(f"argument {self.metavar}: {why}"))
        raise SystemExit(
            self.refuse(f"the following arguments are required: {self.metavar}; {self.name} --help lists them")
        )

    def refuse(self, why: str) -> int:
        """Say how the commands are used, and why they cannot be used so; return the exit code."""
        fault = _paint(f"{self.name}: error:", _RED, sys.stderr)
        show(f"{self._usage()}\n{fault} {why}\n", sys.stderr)
        return 2

    def help(self) -> str:
        """Return the page of help for the commands."""
        listed: list[tuple[str, str]] = [] if self.headings else [(self.metavar, "")]
        for name, said in self.commands.items():
            listed += [(self.headings[name], "")] if name in self.headings else []
            listed.append((_INDENT + name, said))
        sections = {"commands": listed, "options": [HELP, *self.options]}
        return lay_out(self._usage(), self.description, sections, (self.example, self.epilog))

    def _usage(self) -> str:
        options = [f"[{one}]" for one in (ASKING[0], *dict(self.options))]
        return lay_out_usage(self.name, options, [f"{self.metavar} ..."])


def lay_out(
    usage: str,
    description: str,
    sections: dict[str, list[tuple[str, str]]],
    closing: tuple[str, str] = ("", ""),
) -> str:
    """Return a page of help, as wide as the terminal; each section has pairs of name and help below its heading.

    It closes with an example, whose lines stay as they are and which a page too narrow for it leaves out, and with a
    paragraph for every command.
    """
    example, epilog = closing
    width = _width()
    column = min(
        max(len(name.strip()) for one in sections.values() for name, said in one if said or name.isupper())
        + 2 * len(_INDENT),
        _FURTHEST,
    )
    parts = [[usage], _wrap_words(description.split(), width)]
    for heading, entries in sections.items():
        if entries:
            parts.append([f"{heading}:", *(line for entry in entries for line in _entry(*entry, column, width))])
    shown = [f"{_INDENT}{line}".rstrip() for line in example.strip().splitlines()]
    if shown and max(map(len, shown)) <= width + _MARGIN:
        parts.append(["example:", *shown])
    parts.append(_wrap_words(epilog.split(), width))
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def lay_out_usage(name: str, options: list[str], words: list[str]) -> str:
    """Return how a command is used: in one line if there is room, else the words below the options."""
    head, width = f"usage: {name}", _width()
    whole = " ".join([head, *options, *words])
    if len(whole) <= width:
        return whole
    indent = " " * (len(head) + 1)
    lines = [*_wrap_words(options, width - len(indent)), *_wrap_words(words, width - len(indent))]
    return f"{head} " + f"\n{indent}".join(lines)


def suggest(word: str, known: list[str]) -> str:
    """Return the end of a message that offers a similar name; nothing if there is none."""
    from brou import ask_if_meant, nearest  # noqa: PLC0415 - only where something is wrong

    question = ask_if_meant(nearest(word, known))
    return f"; {question}" if question else ""


def show_help(text: str) -> None:
    """Write a page of help to the standard output, its headings in bold where there are colours."""
    lines = text.splitlines(keepends=True)
    show(
        "".join(_paint(one, _BOLD, sys.stdout) if one.endswith(":\n") and one[0] != " " else one for one in lines),
        sys.stdout,
    )


def is_coloured(stream: object) -> bool:
    """Say whether text for a stream is coloured, as `terminal.closing` does, which is slow to load."""
    if os.environ.get("NO_COLOR"):
        return False
    asked = getattr(stream, "isatty", None)
    return bool(os.environ.get("FORCE_COLOR")) or bool(asked and asked() and os.environ.get("TERM") != "dumb")


def _paint(text: str, colour: str, stream: object) -> str:
    return f"\033[{colour}m{text}\033[0m" if is_coloured(stream) else text


def show(text: str, stream: object) -> None:
    """Write a text to a stream; do nothing where there is none, or it takes no text."""
    try:
        print(text, end="", file=stream, flush=True)  # type: ignore[call-overload]  # any stream, or none at all
    except (AttributeError, OSError):
        return


def _is_short_for(word: str, option: str) -> bool:
    return len(word) > len("--") and option.startswith(word)


def _entry(name: str, said: str, column: int, width: int) -> list[str]:
    """Return the lines of a word or an option: its name, and its help beside or below it."""
    head, lines = f"{_INDENT}{name}", _wrap_words(said.split(), width - column)
    below = [" " * column + line for line in lines]
    return [f"{head:{column}}{lines[0]}", *below[1:]] if lines and len(head) <= column - 2 else [head, *below]


def _wrap_words(words: list[str], width: int) -> list[str]:
    """Return words in lines; importing `textwrap` would take as long as everything else here."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _width() -> int:
    """Return how wide a page is: as wide as `shutil` takes the terminal to be, but for a margin."""
    said = os.environ.get("COLUMNS", "")
    columns = int(said) if said.isdecimal() else 0
    try:
        columns = columns or (os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ else 0)
    except (OSError, ValueError):
        columns = 0
    return max((columns or _WIDTH) - _MARGIN, _FURTHEST + _MARGIN)
