"""The first line of a chapter file, which tells editors where its schema lies."""

from __future__ import annotations

import re
from itertools import takewhile
from os.path import relpath
from pathlib import Path, PurePath

from brou.chapters import FORMS, Shape, find_schema

_LOOKS = re.compile(r"#\s+yaml-language-server\s*:.*")


def find_modeline(form: type[Shape], folder: Path) -> str | None:
    """Return the line for a file of a kind in a folder; None where neither it nor a folder above it has schemas."""
    kind = next(kind for kind, one in FORMS.items() if one is form)
    folder = folder.resolve()
    schemas = (find_schema(one, kind) for one in (folder, *folder.parents))
    found = next((one for one in schemas if one.is_file()), None)
    return None if found is None else f"# yaml-language-server: $schema={PurePath(relpath(found, folder)).as_posix()}"


def lead_with_modeline(text: str, line: str | None) -> str:
    """Return a text whose comments at the head begin with its modeline: its own, or if it has none the given one."""
    lines = text.splitlines(keepends=True)
    head = list(takewhile(lambda one: one.startswith("#") or not one.strip(), lines))
    own = next((number for number, one in enumerate(head) if _LOOKS.match(one)), None)
    if own is not None:
        return "".join([lines[own], *lines[:own], *lines[own + 1 :]])
    return text if line is None else f"{line}\n{text}"
