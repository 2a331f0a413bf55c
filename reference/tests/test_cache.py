"""The cache: what was made of files is found again, and never when anything is another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from brou import cache


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a file, with a cache of its own."""
    monkeypatch.setenv("BROU_CACHE", str(tmp_path / "cache"))
    cache.place.cache_clear()
    path = tmp_path / "data.yaml"
    path.write_text("one", encoding="utf-8")
    yield path
    cache.place.cache_clear()


def made(*files: Path, about: object = None) -> tuple[str, bool]:
    """Return what is remembered of files, and whether it had to be made."""
    calls = []

    def make() -> str:
        calls.append(1)
        return "".join(path.read_text(encoding="utf-8") for path in files)

    return cache.remembered("text", files, about, make), bool(calls)


def test_what_was_made_once_is_found_again(file: Path) -> None:
    """As long as nothing changes."""
    assert (made(file), made(file)) == (("one", True), ("one", False))


def test_another_content_is_made_anew(file: Path) -> None:
    """A file is known by what it holds."""
    made(file)
    file.write_text("two", encoding="utf-8")

    assert made(file) == ("two", True)


def test_another_purpose_is_made_anew(file: Path) -> None:
    """The same file for something else is something else."""
    made(file)

    assert made(file, about="more") == ("one", True)


@pytest.mark.parametrize("data", [b"", b"nonsense", b"\x80\x05."])
def test_a_spoilt_entry_is_made_anew(file: Path, tmp_path: Path, data: bytes) -> None:
    """Whatever stands in an entry, nobody but the cache is troubled by it."""
    made(file)
    (entry,) = (tmp_path / "cache").iterdir()
    entry.write_bytes(data)

    assert made(file) == ("one", True)


def test_a_cache_that_others_can_write_is_not_used(file: Path, tmp_path: Path) -> None:
    """What is loaded from there must be the user's own."""
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache").chmod(0o777)

    assert (made(file), made(file)) == (("one", True), ("one", True))


def test_the_cache_can_be_off(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept then."""
    monkeypatch.setenv("BROU_CACHE", "off")
    cache.place.cache_clear()

    assert (made(file), made(file)) == (("one", True), ("one", True))


def test_old_entries_go(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache does not grow for ever."""
    monkeypatch.setattr(cache, "_ENTRIES", 3)
    for number in range(6):
        made(file, about=number)

    assert len(list((tmp_path / "cache").iterdir())) == 3


def test_an_entry_that_cannot_be_kept_leaves_nothing_behind(file: Path, tmp_path: Path) -> None:
    """Neither an error nor half a file."""
    made(file)
    (entry,) = (tmp_path / "cache").iterdir()
    entry.unlink()
    entry.mkdir()

    assert made(file) == ("one", True)
    assert list((tmp_path / "cache").iterdir()) == [entry]


def test_a_folder_that_is_not_named_from_the_root_is_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The usual one is taken instead, as is the custom with this variable."""
    monkeypatch.delenv("BROU_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "beside")
    monkeypatch.setenv("HOME", str(tmp_path))
    cache.place.cache_clear()

    assert cache.place() == tmp_path / ".cache" / "brou"
    cache.place.cache_clear()
