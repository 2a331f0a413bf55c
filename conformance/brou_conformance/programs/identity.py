"""The identity of a program: its command and all files it may be made of, so that it never gets another's answers.

Files say more than a name or a version: a program may be changed without a word of it in its greeting. Every file below
the folder of a named file counts, and so does the repository around it, except for files that version control ignores.
Of an interpreter in a folder of programs only the file itself counts. A build that the user names replaces all that.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Annotated, TypeAlias

from brou import BrouError
from brou.shapes import ABSENT, Absent, Limit, shape

#: Folders that say nothing of a program: version control, and what tools keep for themselves and change as they run.
_ASIDE = frozenset(
    {".git", ".hg", ".svn", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", ".cache"}
)
#: What folders of programs are called on the systems that there are.
_PROGRAMS = frozenset({"bin", "sbin", "Scripts", "shims"})
#: How many files, and how many bytes of them, are looked at before the user is asked to name the build.
MAX_FILES, MAX_BYTES = 50_000, 4 << 30
_CHUNK = 1 << 20


class TooLarge(BrouError):
    """The folders of a program hold more than can be looked at whenever it is judged."""


_Hash: TypeAlias = Annotated[str, Limit(pattern="^[0-9a-f]{64}$")]


@shape()
class ProgramName:
    """The program whose answers a record holds."""

    command: Annotated[tuple[str, ...], "the command that starts it"]
    files: Annotated[Mapping[str, _Hash], "a hash of every folder and file that the command names"] | Absent = ABSENT
    build: Annotated[str, "the name of the build, in place of the hashes"] | Absent = ABSENT


def identify(command: Sequence[str], build: str = "", ours: Iterable[Path] = ()) -> ProgramName:
    """Return the identity of a program.

    It is a hash of its command and the files that this names, or the build that the user names. `ours` are files that
    this run writes itself; they are no part of the program. Raises `TooLarge` beyond 50,000 files or 4 GiB.
    """
    words = tuple(show_name(word) for word in command)
    if build:
        return ProgramName(command=words, build=show_name(build))
    own, counted = {os.path.realpath(path) for path in ours}, _HashBudget()
    files: dict[str, str] = {}
    for file in _name_files(command):
        folder = file if file.is_dir() else file.parent
        root = next((up for up in (folder, *folder.parents) if (up / ".git").exists()), None)
        for place, found in ((folder, _walk), (root, _list_repository)):
            if place is not None and _show_place(place) not in files:
                files[_show_place(place)] = _hash_files(place, found(place), own, counted)
    found_first = shutil.which(command[0]) if command else None
    if found_first is not None:
        files[show_name(command[0])] = _hash_file(Path(os.path.realpath(found_first)), counted)
    return ProgramName(command=words, files=files)


def name_program(command: Sequence[str]) -> str:
    """Return what people call a program: the script or module that an interpreter runs, else the command itself.

    An interpreter is a command in a folder of programs. It does not run a file behind an option such as `--config`.
    """
    if Path(shutil.which(command[0]) or command[0]).parent.name in _PROGRAMS:
        for before, word in pairwise(command):
            if before == "-m":
                return show_name(word)
            if not before.startswith("--") and Path(word).is_file():
                return show_name(Path(word).name)
    return show_name(Path(command[0]).name)


def show_name(name: str) -> str:
    """Return a name of a file as text that every reader takes; bytes that are no UTF-8 are written out."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _show_place(folder: Path) -> str:
    """Return a folder as seen from the current one, so that a checkout elsewhere has the same identity."""
    with suppress(ValueError):  # another drive
        return show_name(os.path.relpath(folder))
    return show_name(str(folder))


def _name_files(command: Sequence[str]) -> Iterator[Path]:
    """Yield the files and folders that a command names: whole words, values after `=`, and the parts of paths."""
    for number, word in enumerate(command):
        _, _, value = word.partition("=")
        for part in dict.fromkeys([word, value, *word.split(os.pathsep), *value.split(os.pathsep)]):
            path = Path(os.path.abspath(part))  # noqa: PTH100 - where a link stands counts, not where it leads
            if part and os.path.exists(path) and (number or path.parent.name not in _PROGRAMS):  # noqa: PTH110 - as above
                yield path


class _HashBudget:
    """Counts the files and bytes hashed so far; refuses too many."""

    def __init__(self) -> None:
        self.files = self.bytes = 0

    def add(self, size: int, path: Path) -> None:
        """Count a file; raise `TooLarge` once there are too many."""
        self.files += 1
        self.bytes += size
        if self.files > MAX_FILES or self.bytes > MAX_BYTES:
            raise TooLarge(
                f"{path}: the folders of the program hold more than {MAX_FILES} files or {MAX_BYTES >> 30} GiB, "
                "too many to see whether they have changed; name the build instead: --build ID"
            )


def _hash_files(folder: Path, paths: Iterable[Path], own: set[str], counted: _HashBudget) -> str:
    """Return the hash of some files below a folder: their places, whether they can be run, and their content."""
    summed = hashlib.sha256()
    for path in paths:
        if os.path.realpath(path) not in own:
            place = os.fsencode(path.relative_to(folder))
            summed.update(b"%d:%b%b" % (len(place), place, _hash_file(path, counted).encode("ascii")))
    return summed.hexdigest()


def _walk(folder: Path) -> Iterator[Path]:
    """Yield every file below a folder, links unfollowed."""
    for where, folders, files in os.walk(folder):
        linked = [name for name in folders if os.path.islink(Path(where, name))]  # noqa: PTH114 - as os.walk has it
        folders[:] = sorted(name for name in folders if name not in _ASIDE and name not in linked)
        yield from (Path(where, name) for name in sorted([*files, *linked]))


def _list_repository(root: Path) -> Iterator[Path]:
    """Yield the files of a repository that are under version control or could be; all of them where git cannot say."""
    # A repository may name a command of its own to watch its files; it is not asked.
    command = ["git", "-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=root, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        yield from _walk(root)
        return
    yield from (root / os.fsdecode(name) for name in sorted(set(listed.stdout.split(b"\0"))) if name)


def _hash_file(path: Path, counted: _HashBudget) -> str:
    """Return the hash of a file and of the right to run it; of a link the hash of where it leads to."""
    summed = hashlib.sha256()
    try:
        if path.is_symlink():
            summed.update(b"link " + os.fsencode(path.readlink()))
        elif path.is_file():
            state = path.stat()
            counted.add(state.st_size, path)
            summed.update(b"run " if state.st_mode & 0o111 else b"file ")
            with path.open("rb") as source:
                while chunk := source.read(_CHUNK):
                    summed.update(chunk)
        else:
            summed.update(b"no file")
    except OSError as error:
        summed.update(f"unreadable {error.errno}".encode("ascii"))
    return summed.hexdigest()
