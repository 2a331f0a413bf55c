"""Files that are written: whole or not there, and a reason beforehand where they cannot be."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from brou.written import expect, put


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    """Text as UTF-8, bytes as they are, and nothing is left beside it."""
    path = tmp_path / "one.txt"
    put(path, "un été")
    put(path, b"two")

    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_encoded_is_spelt_out(tmp_path: Path) -> None:
    """A byte of a command line that is no UTF-8 does no harm."""
    put(tmp_path / "one.txt", "a\udcff")

    assert (tmp_path / "one.txt").read_text(encoding="utf-8") == "a\\udcff"


def test_a_file_stays_as_it_was_where_the_new_one_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the file that was asked for, and nothing is left beside it."""
    path = tmp_path / "one.txt"
    put(path, "old")

    def full(self: Path, target: Path) -> None:
        raise OSError(errno.ENOSPC, "no room", str(self), None, str(target))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="no room") as caught:
        put(path, "new")

    assert (caught.value.filename, caught.value.filename2) == (str(path), None)
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_replaced_is_written_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So is one that is mounted by itself."""
    path = tmp_path / "one.txt"
    put(path, "old")

    def busy(self: Path, target: Path) -> None:
        raise OSError(errno.EBUSY, "busy", str(self), None, str(target))

    monkeypatch.setattr(Path, "replace", busy)
    put(path, "new")

    assert path.read_text(encoding="utf-8") == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_links_and_rights_are_kept(tmp_path: Path) -> None:
    """What a link leads to is replaced, with the rights that it has."""
    path, link = tmp_path / "one.txt", tmp_path / "link.txt"
    put(path, "old")
    path.chmod(0o640)
    link.symlink_to(path)
    put(link, "new")

    assert link.is_symlink()
    assert (path.read_text(encoding="utf-8"), path.stat().st_mode & 0o777) == ("new", 0o640)


def test_a_device_is_written_to() -> None:
    """It is not replaced by a file."""
    put(Path(os.devnull), "gone")

    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize(
    ("name", "number"), [("no/where", errno.ENOENT), (".", errno.EISDIR), ("file/below", errno.ENOTDIR)]
)
def test_what_cannot_be_written_is_told_beforehand(tmp_path: Path, name: str, number: int) -> None:
    """By the error that writing would end with."""
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r".") as caught:
        expect(tmp_path / name)

    assert (caught.value.errno, caught.value.filename) == (number, str(tmp_path / name))
