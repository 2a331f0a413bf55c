"""Options read from words, by `argparse`."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from brou_tools.cli.command_help import tell_help, tell_usage
from brou_tools.cli.help import suggest
from brou_tools.options.declare import CommandOptions, UsageError, Written
from brou_tools.options.values import UnreadableOption

_Options = TypeVar("_Options", bound=CommandOptions)


def read_options(
    name: str, kind: type[_Options], words: Sequence[str], program: Sequence[str], unknown: Sequence[str] = ()
) -> _Options:
    """Return the options of the command `name`; raise `UsageError` for words that are no options.

    `program` holds the words after `--`, `unknown` words before the command. A value that cannot be read
    ends the process, as with `argparse`.
    """
    values, others = _Parser(name, kind).parse_known_args(words)
    lost = [*unknown, *others]
    if lost:
        raise UsageError(f"unrecognized arguments: {' '.join(lost)}{_suggestion(lost, kind)}")
    found = {field: _value(one, getattr(values, field)) for field, one in kind.written.items()}
    if kind.takes_program:
        found["program"] = tuple(program)
    return kind(**found)


def _value(one: Written, given: object) -> object:
    """Return the given value, a list as a tuple; the default where there is none."""
    return one.default if given is None else tuple(given) if isinstance(given, list) else given


class _Parser(ArgumentParser):
    """Reads the options of a command; its help has the layout of `cli.help`."""

    def __init__(self, name: str, kind: type[CommandOptions]) -> None:
        super().__init__(prog=name)
        self._kind = kind
        for field, one in kind.written.items():
            _add(self, field, one)

    def format_usage(self) -> str:
        """Return how the command is used."""
        return f"{tell_usage(self.prog, self._kind)}\n"

    def format_help(self) -> str:
        """Return the page of help."""
        return tell_help(self.prog, self._kind)


def _add(parser: ArgumentParser, field: str, one: Written) -> None:
    """Add an option or an argument to a parser."""
    more: dict[str, Any] = {"default": one.default}
    if one.read is None:
        more["action"] = "store_true"
    elif one.choices:
        more["choices"] = one.choices
    else:
        more |= {"type": _refusing(one.read), "metavar": one.metavar}
    if one.number == "append":
        more |= {"action": "append", "default": None}
    elif one.number:
        more["nargs"] = one.number
    if one.names is None:
        parser.add_argument(field, **more)
    else:
        parser.add_argument(*one.names, dest=field, **more)


def _refusing(read: Callable[[str], object]) -> Callable[[str], object]:
    """Return a reader that reports an unreadable text in the way of `argparse`."""

    def read_text(text: str) -> object:
        try:
            return read(text)
        except UnreadableOption as error:
            raise ArgumentTypeError(str(error)) from None
        except ValueError:
            raise ArgumentTypeError(f"invalid {getattr(read, '__name__', '')} value: {text!r}") from None

    return read_text


def _suggestion(lost: Sequence[str], kind: type[CommandOptions]) -> str:
    known = ["--help", *(name for one in kind.written.values() for name in one.names or ())]
    asked = next((word.partition("=")[0] for word in lost if word.startswith("--")), None)
    if asked:
        return suggest(asked, known)
    places = []
    if kind.takes_program:
        places.append("the command of the program goes after `--`")
    if "--game" in known:
        places.append("the game after `--game`")
    return f"; {', '.join(places)}" if places else ""
