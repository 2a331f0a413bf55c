"""Lists of scenarios of which it is known that a program fails them: a step on the way, never a way out."""

from __future__ import annotations

from pathlib import Path

from brou.errors import NoFile


def known_failing(path: Path) -> frozenset[str]:
    """Return the ids in a file: one a line, what follows `#` being a remark."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no UTF-8"
        raise NoFile(path, "a list of known failures, one id a line", str(reason)) from error
    ids = [line.partition("#")[0].strip() for line in text.splitlines()]
    return frozenset(id_ for id_ in ids if id_)
