"""Options as fields of a frozen class: each field says how it is written, read and explained.

    class Options(CommandOptions):
        games: tuple[str, ...] = take_arguments("GAME", "only these games")
        seed: int = take_option(read_seed, "SEED", "of the draw (1)", default=1)
        json: bool = take_flag("write one JSON document")

An option is written as its field is named, unless it names itself. No dataclass: those take as long to import as the
rest of what `--help` needs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, NoReturn, TypeVar, cast, dataclass_transform, overload

from brou_tools.options.values import read_name

if TYPE_CHECKING:
    from brou import Project

_T = TypeVar("_T")
_Choice = TypeVar("_Choice", bound=str)


class UsageError(Exception):
    """Options that cannot go together, or lack one another."""


class Written(NamedTuple):
    """How one option is written, read and explained."""

    help: str
    metavar: str = ""
    #: None for a flag.
    read: Callable[[str], object] | None = None
    #: None for an argument, which is known by its place. Where there are none, the name of the field will do.
    names: tuple[str, ...] | None = ()
    default: object = None
    #: How many words an argument takes, as `argparse` writes it; `append` for an option that may be given often.
    number: str = ""
    choices: tuple[str, ...] = ()

    @property
    def invocation(self) -> str:
        """Return every name of an option, with its value."""
        return ", ".join(map(self._with_value, self.names or ()))

    @property
    def usage(self) -> str:
        """Return how it is written at the shortest, in brackets where it may be left out."""
        if self.names is not None:
            return f"[{self._with_value(self.names[0])}]"
        several = {"": "{0}", "?": "[{0}]", "*": "[{0} ...]", "+": "{0} [{0} ...]"}
        return several[self.number].format(self.metavar)

    def _with_value(self, name: str) -> str:
        value = f"{{{','.join(self.choices)}}}" if self.choices else self.metavar
        return f"{name} {value}".rstrip()


#: What every command takes: where its games lie.
_DATA = Written(
    "the project: a folder with brou.toml, or with games/; otherwise that of the nearest brou.toml from here upwards, "
    "else Brou's own games",
    "FOLDER",
    read_name,
    ("--data",),
)


#: What every command takes as well: how much it says beside its answer.
_QUIET = Written("say nothing beside the answer and faults", names=("-q", "--quiet"), default=False)
_VERBOSE = Written("tell progress and how long it took, terminal or not", names=("-v", "--verbose"), default=False)


#: Stands for what follows `--`: the program under test with its arguments.
_PROGRAM = Written("", names=None)


@dataclass_transform(kw_only_default=True, frozen_default=True)
class CommandOptions:
    """The options of a command as typed; a subclass has a field for each option."""

    #: How the command is used, where that is not seen from its options, and what it does.
    usage: ClassVar[str] = ""
    description: ClassVar[str] = ""
    #: What it does in a line, where it is one of several under one name.
    about: ClassVar[str] = ""
    #: How it is called and what it then prints: `$ `, the call, and lines of its output, `...` for those left out.
    example: ClassVar[str] = ""
    #: The options by field, in the order in which help lists them: a class's own, then those of the class above.
    written: ClassVar[dict[str, Written]] = {"data": _DATA, "quiet": _QUIET, "verbose": _VERBOSE}
    takes_program: ClassVar[bool] = False
    #: The project as it was named, if it was.
    data: str | None = None
    quiet: bool = False
    verbose: bool = False

    def __init_subclass__(cls) -> None:
        declared = {name: one for name, one in vars(cls).items() if isinstance(one, Written)}
        own = {name: _name_option(name, one) for name, one in declared.items() if one is not _PROGRAM}
        cls.takes_program = len(own) < len(declared)
        cls.written = {**own, **{field: one for field, one in cls.written.items() if field not in own}}
        for name, one in declared.items():
            setattr(cls, name, one.default if one is not _PROGRAM else ())

    def __init__(self, **values: object) -> None:
        vars(self).update(values)
        if self.quiet and self.verbose:
            raise UsageError("--quiet and --verbose exclude each other: leave out one")
        self.check()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"options stay as they were typed: {name}")

    @property
    def converses(self) -> bool:
        """Say whether it talks with somebody for as long as it runs, so that nothing else may stand on the terminal."""
        return False

    def check(self) -> None:
        """Raise `UsageError` for options that cannot go together."""

    @cached_property
    def project(self) -> Project:
        """Return the project that the command works on: the one named, the nearest upwards, or what Brou itself holds.

        Raises `NoFile` where there is none in the named folder, and `Malformed` for a `brou.toml` that cannot be used.
        """
        from brou.games import choose_project  # noqa: PLC0415 - help and schemas need no project

        return choose_project(self.data, Path())


def _name_option(field: str, one: Written) -> Written:
    """Return an option with the name of its field, unless it has names of its own; an argument as it is."""
    return one if one.names is None or one.names else one._replace(names=(f"--{field.replace('_', '-')}",))


def take_flag(help_: str, *names: str) -> bool:
    """Declare an option without a value."""
    return cast("bool", Written(help_, names=names, default=False))


@overload
def take_option(read: Callable[[str], _T], metavar: str, help_: str, *names: str) -> _T | None: ...


@overload
def take_option(read: Callable[[str], _T], metavar: str, help_: str, *names: str, default: _T) -> _T: ...


def take_option(
    read: Callable[[str], _T], metavar: str, help_: str, *names: str, default: _T | None = None
) -> _T | None:
    """Declare an option with a value; `read` raises `values.UnreadableOption` for one that it cannot be."""
    return cast("_T | None", Written(help_, metavar, read, names, default))


def take_options(read: Callable[[str], _T], metavar: str, help_: str, *names: str) -> tuple[_T, ...]:
    """Declare an option that may be given more than once."""
    return cast("tuple[_T, ...]", Written(help_, metavar, read, names, (), "append"))


def take_choice(choices: tuple[_Choice, ...], help_: str) -> _Choice:
    """Declare an option whose value is one of several, the first unless another is named."""
    return cast("_Choice", Written(help_, "", str, (), choices[0], choices=choices))


def take_optional_choice(choices: tuple[_Choice, ...], help_: str, *names: str) -> _Choice | None:
    """Declare an option whose value is one of several, None where it is not written; `names` as of any option."""
    return cast("_Choice | None", Written(help_, "", str, names, None, choices=choices))


def take_argument(metavar: str, help_: str = "") -> str:
    """Declare a word that must be there."""
    return cast("str", Written(help_, metavar, str, None))


def take_subject(metavar: str, help_: str) -> str:
    """Declare the word for the subject of a command; it is empty where there is none, as for a schema."""
    return cast("str", Written(help_, metavar, str, None, "", "?"))


def take_optional(metavar: str, help_: str) -> str | None:
    """Declare a word that may be there."""
    return cast("str | None", Written(help_, metavar, str, None, number="?"))


def take_arguments(metavar: str, help_: str = "", *, some: bool = False) -> tuple[str, ...]:
    """Declare any number of words; `some` asks for one at least."""
    return cast("tuple[str, ...]", Written(help_, metavar, str, None, (), "+" if some else "*"))


def take_program() -> tuple[str, ...]:
    """Declare the program under test with its arguments, which follow `--`; empty if there is none."""
    return cast("tuple[str, ...]", _PROGRAM)
