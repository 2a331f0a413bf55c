"""Projects: where rules, words, scenarios and programs lie, and the files there.

What Brou itself holds is the project that is taken where none is named: the folders of a checkout, or what a wheel
carries. Any other is a folder with a `brou.toml`, a folder of data (`games/` below it), or the file of a bundle
(`brou.games.bundle`), which holds what such a folder says.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from brou.dataclass import dataclass
from brou.errors import Fault, Malformed, NoFile, Place, Unknown
from brou.games.bundle import open_bundle
from brou.language.node import Node

#: The folder of what games in chapters share; what a folder of data does not have of it is ours.
PRELUDE = "prelude"
#: The file that holds the chapters of a game together.
FRAME = "game.yaml"
#: What the files of a game in chapters are called.
CHAPTERS = (FRAME, "sheet.yaml", "words.*.yaml", "[0-9][0-9]-*.yaml")


#: The file that makes a folder a project.
PROJECT = "brou.toml"
#: The language that the house is written in, and every project that does not name another.
ORIGINAL = "en"
#: Where the scenarios of a project lie unless its file says otherwise.
SCENARIOS = "scenarios"


@dataclass(frozen=True, slots=True)
class Project:
    """The folders of one set of games; equal projects have the same folders.

    Every function that takes a `folder` takes a project, or the path of one: of a folder with a `brou.toml`, of a
    folder of data, or of a bundle. None stands for `house()`, what Brou itself holds.
    """

    #: The folder of `brou.toml`, from which programs are started.
    home: Path
    #: The folder of data, with the games below `games/`, or the file of a bundle. What it does not bring, of prelude,
    #: glossary and pictures of cards, is that of the house.
    data: Path
    #: The folder of scenarios, with a folder for each game; it need not be there.
    scenarios: Path

    @property
    def is_house(self) -> bool:
        """Say whether this is Brou's own project."""
        return self.data == root()


#: A project as a caller names it; nothing is our own.
Folder: TypeAlias = "Project | str | Path | None"


def locate(folder: Folder) -> Path:
    """Return the path of a folder of data or of a bundle, that of our own data if none is named."""
    return root() if folder is None else open_project(folder).data


@lru_cache(maxsize=1)
def root() -> Path:
    """Return the folder of the data: that of the installed wheel, or `spec/` of a checkout."""
    packed = Path(__file__).parents[1] / "_data"
    return packed if packed.is_dir() else packed.parents[2] / "spec"


@lru_cache(maxsize=1)
def house() -> Project:
    """Return Brou's own project: the folders of a checkout, or the data of the installed wheel."""
    packed = Path(__file__).parents[2] / "brou_conformance" / "_data" / SCENARIOS
    home = root().parent
    return Project(home, root(), packed if packed.is_dir() else home / "conformance" / SCENARIOS)


def open_project(folder: Folder) -> Project:
    """Return the project of a folder; raise `Malformed` for a `brou.toml` that cannot be used.

    A folder without that file is a folder of data, with scenarios in `scenarios/`; it may be empty.
    """
    if folder is None:
        return house()
    if isinstance(folder, Project):
        return folder
    home = Path(os.path.abspath(folder))  # noqa: PTH100 - links keep their names: messages show them
    file = home / PROJECT
    try:
        found = file.stat()
    except OSError:
        return house() if home == root() else Project(home, home, home / SCENARIOS)
    return _read_project(home, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=64)
def _read_project(home: Path, _changed: int, _size: int) -> Project:
    from brou.games.project_file import read_project_file  # noqa: PLC0415 - only where there is such a file

    found = read_project_file(home / PROJECT)
    data, scenarios = (Path(os.path.normpath(home / name)) for name in (found.data, found.scenarios))
    return house() if data == root() else Project(home, data, scenarios)


def find_project(start: Path) -> Project:
    """Return the project of the nearest folder, from `start` upwards, that has a `brou.toml`; the house if none has."""
    file = find_project_file(Path(os.path.abspath(start)))  # noqa: PTH100 - as above
    return house() if file is None else open_project(file.parent)


def choose_project(named: str | None, start: Path) -> Project:
    """Return the project that is named, else that of the nearest `brou.toml` from `start` upwards, else the house.

    A name stands for a folder with a `brou.toml`, for a folder of games, or for the file of a bundle; raise `NoFile`
    for any other, and `Malformed` for a `brou.toml` that cannot be used.
    """
    if named is None:
        return find_project(start)
    path = Path(named)
    if path.name == PROJECT and path.is_file():
        path = path.parent
    wanted = f"a folder with {PROJECT}, or one with games/GAME below it"
    if not path.exists():
        raise NoFile(named, wanted, "no such folder")
    if path.is_dir() and not (path / PROJECT).is_file() and not (path / "games").is_dir():
        raise NoFile(named, wanted, "no project")
    return open_project(path)


def list_programs(project: Project) -> Mapping[str, tuple[str, ...]]:
    """Return the commands of the programs that the `brou.toml` of a project names; raise `Malformed` for its faults.

    A word of a command that names a file of the project stands for that file, wherever the command is started from.
    """
    file = project.home / PROJECT
    if not file.is_file():
        return {}
    from brou.games.project_file import read_project_file  # noqa: PLC0415 - only where there is such a file

    programs = read_project_file(file).programs
    return {name: tuple(_find_word(word, project.home) for word in words) for name, words in programs.items()}


def _find_word(word: str, home: Path) -> str:
    found = home / word
    return (
        str(found) if not Path(word).is_absolute() and (found.is_file() or ("/" in word and found.exists())) else word
    )


def find_program(project: Project, name: str) -> tuple[str, ...]:
    """Return the command of a program of a project; raise `Unknown` where its `brou.toml` has none of this name."""
    known = list_programs(project)
    if name not in known:
        raise Unknown(f"program of {project.home / PROJECT}", name, known)
    return known[name]


def read_file(folder: Path, name: str) -> Node:
    """Read a file of a folder of data, named by its path from there; raise `Malformed` where that is impossible.

    In a folder that is not our own no link may lead out of it; in ours some installers make links of all files.
    """
    bundle = open_bundle(folder)
    if bundle is not None:
        found = bundle.file(name)
        if found is None:
            raise Malformed([Fault(Place(name, 1, 1), "the bundle has no such file")])
        return found
    from brou.language.source import read, read_below  # noqa: PLC0415 - YAML is not needed where a bundle is

    home = _find_home(folder, name)
    return read(home / name, name) if home == root() else read_below(home, name)


def has_file(folder: Path, name: str) -> bool:
    """Say whether a folder of data has a file."""
    bundle = open_bundle(folder)
    return name in bundle.files if bundle is not None else (folder / name).exists()


def list_files(folder: Path, pattern: str) -> list[str]:
    """Return the files of a folder of data whose paths from there fit a pattern, in alphabetical order."""
    bundle = open_bundle(folder)
    if bundle is not None:
        return sorted(path for path in bundle.files if fnmatchcase(path, pattern))
    homes = {folder, root()} if pattern.startswith(f"{PRELUDE}/") else {folder}
    return sorted({name for home in homes for name in _list_fitting(home, pattern)})


def _list_fitting(home: Path, pattern: str) -> Iterator[str]:
    """Yield the files of one folder that fit, as `glob` does, which takes ten times as long to begin."""
    below, _, wanted = pattern.rpartition("/")
    with suppress(OSError), os.scandir(home / below) as found:
        yield from (f"{below}/{entry.name}" for entry in found if fnmatchcase(entry.name, wanted))


def find_language(folder: Path, name: str = "") -> str:
    """Return the language in which a file of a folder of data is written, or without a name all files of its own.

    The `brou.toml` of the project says so. What a folder has of the prelude of the house is in the language of that.
    """
    bundle = open_bundle(folder)
    if bundle is not None:
        return bundle.languages.get(name, bundle.languages.get("", ORIGINAL))
    if _find_home(folder, name) == root():
        return ORIGINAL
    file = find_project_file(folder)
    if file is None:
        return ORIGINAL
    found = file.stat()
    return _read_language(file, folder, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=64)
def _read_language(file: Path, folder: Path, _changed: int, _size: int) -> str:
    from brou.games.project_file import read_project_file  # noqa: PLC0415 - only where there is such a file

    found = read_project_file(file)
    is_its = Path(os.path.normpath(file.parent / found.data)) == folder
    return (found.language if is_its else "") or ORIGINAL


def find_project_file(folder: Path) -> Path | None:
    """Return the `brou.toml` nearest to a folder of data, in it or above; None where there is none."""
    return next((file for home in (folder, *folder.parents) if (file := home / PROJECT).is_file()), None)


def find_file(folder: Path, name: str) -> Path:
    """Return where a file of a folder of data lies: in the folder itself, or in ours where it has no such part."""
    return _find_home(folder, name) / name


def is_shared(name: str, folder: Path) -> bool:
    """Say whether a file that a folder of data reads is ours: one of the prelude that it does not have itself."""
    return folder != root() and name.startswith(f"{PRELUDE}/") and not (folder / name).exists()


def _find_home(folder: Path, name: str) -> Path:
    """Return the folder of data in which a file lies: ours for a file of the prelude that a folder does not have."""
    return root() if is_shared(name, folder) else folder
