"""Options read from words, by `argparse`."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any, TypeVar

from brou_tools.options.declare import CommandOptions, UsageError, Written
from brou_tools.options.group import suggest

_Options = TypeVar("_Options", bound=CommandOptions)


def read_options(
    name: str, kind: type[_Options], words: Sequence[str], program: Sequence[str], unknown: Sequence[str] = ()
) -> _Options:
    """Return the options of a command, `name` being how it is called; raise `UsageError` for words that are none.

    `program` is what follows `--`, `unknown` words that stand before the command. Help, and a value that cannot be,
    end the process, as `argparse` does it.
    """
    values, others = _parser(name, kind).parse_known_args(words)
    lost = [*unknown, *others]
    if lost:
        raise UsageError(f"unrecognized arguments: {' '.join(lost)}{_suggestion(lost, kind)}")
    found = {field: _value(one, getattr(values, field)) for field, one in kind.written.items()}
    if kind.takes_program:
        found["program"] = tuple(program)
    return kind(**found)


def _value(one: Written, given: object) -> object:
    """Return what was given, lists as tuples; the default where nothing was."""
    return one.default if given is None else tuple(given) if isinstance(given, list) else given


def _parser(name: str, kind: type[CommandOptions]) -> ArgumentParser:
    parser = ArgumentParser(prog=name, usage=kind.usage, description=kind.description, epilog=kind.epilog)
    for field, one in kind.written.items():
        _add(parser, field, one)
    return parser


def _add(parser: ArgumentParser, field: str, one: Written) -> None:
    """Add an option or an argument to a parser."""
    more: dict[str, Any] = {"help": one.help or None, "default": one.default}
    if one.read is None:
        more["action"] = "store_true"
    elif one.choices:
        more["choices"] = one.choices
    else:
        more |= {"type": one.read, "metavar": one.metavar}
    if one.number == "append":
        more |= {"action": "append", "default": None}
    elif one.number:
        more["nargs"] = one.number
    if one.names is None:
        parser.add_argument(field, **more)
    else:
        parser.add_argument(*_names(field, one), dest=field, **more)


def _names(field: str, one: Written) -> tuple[str, ...]:
    return one.names or (f"--{field.replace('_', '-')}",)


def _suggestion(lost: Sequence[str], kind: type[CommandOptions]) -> str:
    options = {field: one for field, one in kind.written.items() if one.names is not None}
    known = ["--help", *(name for field, one in options.items() for name in _names(field, one))]
    asked = next((word.partition("=")[0] for word in lost if word.startswith("--")), None)
    return suggest(asked, known) if asked else ""
