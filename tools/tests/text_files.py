"""Text files that tests damage."""

from __future__ import annotations

from pathlib import Path


def change(path: Path, old: str, new: str) -> None:
    """Write something else into a file."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
