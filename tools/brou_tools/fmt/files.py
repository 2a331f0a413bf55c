"""The chapter files that are named: files themselves, and all that lie in folders."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from brou import Fault, Malformed, NoFile, Place
from brou.atomic import read_named
from brou.language import MAX_BYTES, parse_yaml
from brou_tools.fmt.formatting import find_form, format_text

_DATA = ".yaml"
#: How a chapter file looks that cannot be read.
_LOOKS = re.compile(rb"^format: *[\"']?brou-(game|chapter|sheet|prelude|packs|words)/2\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class FormattedFile:
    """A chapter file with its content and its one form."""

    path: Path
    old: bytes
    new: str

    @property
    def is_changed(self) -> bool:
        """Say whether the file has another form."""
        return self.old != self.new.encode()


def format_file(path: Path) -> FormattedFile:
    """Return a chapter file in its one form; raise `Malformed` where it is none, or is not to be written."""
    raw, size = _read(path)
    return FormattedFile(path, raw, format_text(raw, str(path), size, path.parent))


def list_chapter_files(path: Path) -> Iterator[Path]:
    """Yield a file, or all chapter files in a folder; raise `NoFile` if there is none."""
    if not os.path.lexists(path):
        raise NoFile(path, "a chapter file, or a folder that holds some", "no such file or folder")
    if not path.is_dir():
        yield path
        return
    for place, inside, files in os.walk(path, onerror=_raise):
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        for name in sorted(files):
            if name.endswith(_DATA) and not name.startswith(".") and _is_chapter_file(Path(place, name)):
                yield Path(place, name)


def _raise(error: OSError) -> None:
    raise error


def _is_chapter_file(path: Path) -> bool:
    if not path.is_file():
        return False
    raw, size = read_named(path, 0, MAX_BYTES + 1), path.stat().st_size
    try:
        return find_form(parse_yaml(raw, str(path), size)) is not None
    except Malformed:
        return bool(_LOOKS.search(raw))


def _read(path: Path) -> tuple[bytes, int]:
    """Return the content of a file, up to the bound, and how many bytes it has; refuse links, folders and devices."""
    start = Place(str(path), 1, 1)
    if path.is_symlink():
        raise Malformed([Fault(start, "a link", "name the file that it leads to")])
    if path.exists() and not path.is_file():
        raise Malformed([Fault(start, "no plain file", "name a file of text, or a folder")])
    return read_named(path, 0, MAX_BYTES + 1), path.stat().st_size
