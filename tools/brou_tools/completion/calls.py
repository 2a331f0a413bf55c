"""What can be typed: every command with its options and words, as its room declares them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from brou_tools.cli import COMMANDS, find_kinds
from brou_tools.options.declare import Written
from brou_tools.options.values import read_name

#: Words that are the names of files; any others are nothing that is known before.
_FILES = ("PATH", "FILE", "RECORD", "STATEMENT", "POSITION")


@dataclass(frozen=True)
class Typed:
    """An option, or a word in its place."""

    #: None for a word.
    names: tuple[str, ...]
    help: str
    metavar: str
    takes_value: bool
    #: The values to offer; where there are none, names of files if they are such.
    values: tuple[str, ...]
    takes_file: bool


@dataclass(frozen=True)
class Call:
    """A command, by the words that call it."""

    path: tuple[str, ...]
    about: str
    #: What may follow: the names of its commands, each with its help.
    commands: Mapping[str, str]
    options: tuple[Typed, ...]
    words: tuple[Typed, ...]


def list_calls(known: Mapping[str, tuple[str, ...]]) -> Iterator[Call]:
    """Yield every command; `known` has the values to offer by what help calls a value."""
    yield Call((), "", COMMANDS, (_flag("--version", "show the version and exit"), _HELP), ())
    for command, about in COMMANDS.items():
        kinds = find_kinds(command)
        if "" not in kinds:
            yield Call((command,), about, {name: kind.about for name, kind in kinds.items()}, (_HELP,), ())
        for name, kind in kinds.items():
            typed = [_describe(one, known) for one in kind.written.values()]
            path = (command, name) if name else (command,)
            options = tuple(one for one in typed if one.names)
            yield Call(path, kind.about or about, {}, (_HELP, *options), tuple(one for one in typed if not one.names))


def _describe(one: Written, known: Mapping[str, tuple[str, ...]]) -> Typed:
    values = one.choices or known.get(one.metavar, ())
    is_file = one.read is read_name or any(word in one.metavar for word in _FILES)
    return Typed(
        tuple(one.names or ()), one.help, one.metavar, one.read is not None, values, takes_file=is_file and not values
    )


def _flag(name: str, help_: str, *others: str) -> Typed:
    return Typed((*others, name), help_, "", takes_value=False, values=(), takes_file=False)


_HELP = _flag("--help", "show the help and exit", "-h")
