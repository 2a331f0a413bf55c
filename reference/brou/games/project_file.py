"""`brou.toml`, which makes a folder a project: where its files lie, in which language, and programs for its games."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from brou.dataclass import dataclass
from brou.errors import Fault, Malformed, Place, nearest

#: What a file says, with what it means where the file does not.
_FOLDERS = {"data": ".", "scenarios": "scenarios"}
_LANGUAGE = "language"
_PROGRAMS = "programs"
_KEYS = (*_FOLDERS, _LANGUAGE, _PROGRAMS)
#: No file of this kind is longer, in bytes.
_LONGEST = 1 << 16
_EXAMPLE = '["python3", "adapters/mine.py"]'


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """What a `brou.toml` says: folders, named from its own, a language, and the commands of programs by name."""

    data: str
    scenarios: str
    #: The language that chapters and scenarios are written in; nothing where the file does not say.
    language: str
    programs: Mapping[str, tuple[str, ...]]


def read_project_file(path: Path) -> ProjectFile:
    """Read a `brou.toml`; raise `Malformed` with every fault in it, each with its place and a remedy."""
    text = _read_text(path)
    said = _parse(text, path)
    faults = list(_find_faults(said, text, path))
    if faults:
        raise Malformed(faults)
    folders = {key: str(said.get(key, usual)) for key, usual in _FOLDERS.items()}
    programs = said.get(_PROGRAMS, {})
    commands = programs.items() if isinstance(programs, dict) else ()
    language = str(said.get(_LANGUAGE, ""))
    return ProjectFile(
        **folders, language=language, programs={name: _split_command(command) for name, command in commands}
    )


def _split_command(command: object) -> tuple[str, ...]:
    """Return the words of a command, which has the right form: a text, or a list of words."""
    return tuple(map(str, command)) if isinstance(command, list) else tuple(shlex.split(str(command)))


def _read_text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            read = file.read(_LONGEST + 1)
        if len(read) > _LONGEST:
            raise Malformed(
                [Fault(_place(path), f"longer than {_LONGEST} bytes", "write down folders and programs only")]
            )
        return read.decode()
    except OSError as error:
        raise Malformed(
            [Fault(_place(path), f"cannot be read: {error.strerror}", "let it be read, or remove it")]
        ) from None
    except UnicodeDecodeError:
        raise Malformed([Fault(_place(path), "no UTF-8", "save it as UTF-8")]) from None


def _parse(text: str, path: Path) -> dict[str, object]:
    import tomllib  # noqa: PLC0415 - only where there is a file to read

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        told = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL)
        what, line, column = told.groups() if told else (str(error), None, None)
        lines = text.split("\n")
        place = Place(str(path), int(line or len(lines)), int(column or 1))
        shown = lines[place.line - 1].strip()
        what = f"no TOML: {what[:1].lower()}{what[1:]}" + (f" in `{shown}`" if shown else "")
        raise Malformed(
            [Fault(place, what, f'write `data = "."`, or under [{_PROGRAMS}] `mine = {_EXAMPLE}`')]
        ) from None
    except RecursionError:
        raise Malformed([Fault(_place(path), "nested too deeply", "write down folders and programs only")]) from None


def _find_faults(said: Mapping[str, object], text: str, path: Path) -> Iterator[Fault]:
    for key, value in said.items():
        place = _find_key(key, text, path)
        if key in _FOLDERS:
            yield from _folder_faults(key, value, place, path)
        elif key == _LANGUAGE:
            if not isinstance(value, str) or not re.fullmatch(r"[a-z]{2}", value):
                yield Fault(place, f"`{key}` is two small letters", f'write `{key} = "es"` for instance')
        elif key != _PROGRAMS:
            near = nearest(key, _KEYS)
            instead = f"write `{near[0]}`" if near else f"there are {', '.join(_KEYS)}"
            yield Fault(place, f"unknown key `{key}`", instead)
        elif not isinstance(value, dict):
            yield Fault(place, f"`{_PROGRAMS}` is a table", f"write [{_PROGRAMS}], and below it `mine = {_EXAMPLE}`")
        else:
            for name, command in value.items():
                yield from _command_faults(name, command, _find_key(name, text, path))


def _folder_faults(key: str, value: object, place: Place, path: Path) -> Iterator[Fault]:
    if not isinstance(value, str) or not value or "\0" in value:
        yield Fault(place, f"`{key}` names a folder", f'write `{key} = "{_FOLDERS[key]}"`')
        return
    named = PurePosixPath(value)
    if named.is_absolute() or ".." in named.parts:
        yield Fault(place, f"`{key}` leads out of the project: {value}", "name a folder below that of brou.toml")
        return
    wanted = path.parent / value
    if not wanted.resolve().is_relative_to(path.parent.resolve()):
        yield Fault(place, f"`{key}` is a link that leads out of the project: {value}", "put the folder itself there")
    elif not wanted.exists():
        yield Fault(place, f"there is no {value}", f"make the folder, or let `{key}` name one that is there")
    elif key == "data" and wanted.is_dir() and not (wanted / "games").is_dir():
        yield Fault(place, f"{value} holds no games/", "put each game into a folder games/GAME below it")


def _command_faults(name: str, command: object, place: Place) -> Iterator[Fault]:
    instead = f"write `{name} = {_EXAMPLE}`"
    if isinstance(command, str):
        try:
            if not shlex.split(command):
                yield Fault(place, f"the program `{name}` has no command", instead)
        except ValueError as error:
            yield Fault(place, f"the command of `{name}` is no line of a shell: {error}", instead)
    elif not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
        yield Fault(place, f"the command of `{name}` is a list of words, or a line as in a shell", instead)


def _find_key(key: str, text: str, path: Path) -> Place:
    """Return where a key is, as itself or as the name of a table; the first line if it is written otherwise."""
    named = re.compile(rf"\s*(?:\[\s*)?[\"']?{re.escape(key)}[\"']?\s*[\]=.]")
    for number, line in enumerate(text.split("\n"), 1):
        if found := named.match(line):
            return Place(str(path), number, len(found[0]) - len(found[0].lstrip()) + 1)
    return _place(path)


def _place(path: Path) -> Place:
    return Place(str(path), 1, 1)
