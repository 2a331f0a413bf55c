"""The cache: what was made of files is found again, and never when anything is another."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import pytest

from brou import cache, key
from brou.check import remembered_faults
from brou.errors import Fault, Place
from brou.games import data
from brou.games.data import read_section
from brou.games.folder import root


def forgotten() -> None:
    """Let the next question find out again where things are kept."""
    for known in (cache.place, key.place, key.own_key):
        known.cache_clear()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folder in which the key stands, with a cache beside it that is this test's own."""
    monkeypatch.setenv("BROU_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    forgotten()
    yield tmp_path / "state" / "brou"
    forgotten()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file."""
    path = tmp_path / "data.yaml"
    path.write_text("one", encoding="utf-8")
    return path


def made(*files: Path, about: object = None) -> tuple[str, bool]:
    """Return what is remembered of files, and whether it had to be made."""
    calls = []

    def make() -> str:
        calls.append(1)
        return "".join(path.read_text(encoding="utf-8") for path in files)

    return cache.load_or_make("text", files, about, make), bool(calls)


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
    forgotten()

    assert (made(file), made(file)) == (("one", True), ("one", True))


def test_old_entries_go(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache does not grow for ever."""
    monkeypatch.setattr(cache, "_ENTRIES", 3)
    for number in range(6):
        made(file, about=number)

    assert len(list((tmp_path / "cache").iterdir())) == 3


def test_what_is_used_stays(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes first is what nobody has used for longest, not what was made first."""
    monkeypatch.setattr(cache, "_ENTRIES", 2)
    made(file, about="old")
    (old,) = (tmp_path / "cache").iterdir()
    made(file, about="later")
    for entry in (tmp_path / "cache").iterdir():
        os.utime(entry, (1, 1) if entry == old else (2, 2))
    assert made(file, about="old") == ("one", False)
    made(file, about="new")

    assert made(file, about="old") == ("one", False)
    assert made(file, about="later") == ("one", True)


def test_what_chapters_say_beside_the_rules_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next process has the open passages of a game without making the rules of every reading."""
    data._read_section.cache_clear()  # noqa: SLF001 - as in a process of its own
    first = read_section("brouc", "ambiguities", root()).plain()
    data._read_section.cache_clear()  # noqa: SLF001 - as in the next one
    monkeypatch.setattr(data, "_find_maker", None)

    assert read_section("brouc", "ambiguities", root()).plain() == first


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
    forgotten()

    assert cache.place() == tmp_path / ".cache" / "brou"


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_other_systems_keep_caches_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    """A library knows where, if it is there; what is named in the environment is taken first."""
    asked: list[tuple[str, bool]] = []

    def user_cache_path(name: str, *, appauthor: bool) -> Path:
        asked.append((name, appauthor))
        return tmp_path / "Caches" / name

    monkeypatch.delenv("BROU_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", system)
    places = []
    for library in (SimpleNamespace(user_cache_path=user_cache_path), None):
        monkeypatch.setitem(sys.modules, "platformdirs", library)
        forgotten()
        places.append(cache.place())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "named"))
    forgotten()

    assert [*places, cache.place()] == [tmp_path / one for one in ("Caches/brou", ".cache/brou", "named/brou")]
    assert asked == [("brou", False)]


# The key --------------------------------------------------------------------------------------------------------------


class Spring:
    """What leaves a file as soon as it is unpacked."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (self.path, "sprung")


def entry_of(folder: Path) -> Path:
    """Return the only entry of a cache."""
    (entry,) = folder.iterdir()
    return entry


def test_a_forged_entry_is_never_unpacked(file: Path, tmp_path: Path) -> None:
    """A hash of name and content, which anybody can reckon, opens nothing; the entry is made anew."""
    made(file)
    entry, data = entry_of(tmp_path / "cache"), pickle.dumps(Spring(tmp_path / "sprung"))
    sound = entry.read_bytes()
    entry.write_bytes(hashlib.sha256(entry.name.encode() + b"\0" + data).digest() + data)

    assert made(file) == ("one", True)
    assert not (tmp_path / "sprung").exists()
    assert entry.read_bytes() == sound


def test_a_cache_of_somebody_else_is_made_anew(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was kept with another key, as in a cache that was brought from another machine, is not taken."""
    made(file)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    forgotten()

    assert (made(file), made(file)) == (("one", True), ("one", False))


def test_the_key_outlives_the_process(file: Path, home: Path) -> None:
    """It is drawn once, and a later process finds what an earlier one has kept."""
    made(file)
    forgotten()

    assert made(file) == ("one", False)
    assert [path.name for path in home.iterdir()] == ["key"]


def test_the_key_is_the_users_alone(file: Path, home: Path) -> None:
    """Nobody else can read it, nor look into its folder."""
    made(file)

    assert (home / "key").stat().st_mode & 0o077 == 0
    assert home.stat().st_mode & 0o077 == 0


def worn(home: Path) -> None:
    """Let others read the key."""
    (home / "key").chmod(0o644)


def short(home: Path) -> None:
    """Cut the key."""
    (home / "key").write_bytes(b"short")


def linked(home: Path) -> None:
    """Let the key be a link to one that stands elsewhere."""
    (home / "key").rename(home.parent / "key")
    (home / "key").symlink_to(home.parent / "key")


def piped(home: Path) -> None:
    """Let the key be a pipe."""
    (home / "key").unlink()
    os.mkfifo(home / "key", 0o600)


def opened(home: Path) -> None:
    """Let others exchange the key."""
    home.chmod(0o777)


@pytest.mark.parametrize("spoil", [worn, short, linked, piped, opened])
def test_without_a_key_of_the_user_alone_nothing_is_cached(file: Path, home: Path, spoil: Any) -> None:
    """Nothing is taken from the cache that vouched for itself with a key that others could know."""
    made(file)
    spoil(home)
    forgotten()

    assert (made(file), made(file)) == (("one", True), ("one", True))


def test_a_key_of_another_owner_is_not_used(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What somebody else has put there is no key of this user."""
    made(file)
    own = os.getuid()
    forgotten()
    monkeypatch.setattr(os, "getuid", lambda: own + 1)

    assert key.own_key() is None


def test_where_no_key_can_stand_nothing_is_cached(file: Path, home: Path, tmp_path: Path) -> None:
    """A key for one process alone would find nothing again."""
    home.parent.write_text("in the way", encoding="utf-8")

    assert (made(file), made(file)) == (("one", True), ("one", True))
    assert not any((tmp_path / "cache").glob("*"))


@pytest.mark.parametrize("inside", ["state/brou", "state", "."])
def test_a_cache_that_holds_the_key_is_none(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    """Who fills such a folder brings a key of their own with it."""
    monkeypatch.setenv("BROU_CACHE", str(tmp_path / inside))
    forgotten()

    assert (made(file), made(file)) == (("one", True), ("one", True))


def test_a_link_to_the_folder_of_the_key_is_no_cache(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another name of that folder does not make it another."""
    (tmp_path / "state" / "brou").mkdir(parents=True, mode=0o700)
    (tmp_path / "beside").symlink_to(tmp_path / "state" / "brou")
    monkeypatch.setenv("BROU_CACHE", str(tmp_path / "beside"))
    forgotten()

    assert (made(file), made(file)) == (("one", True), ("one", True))


def test_who_begins_at_the_same_time_takes_the_same_key(home: Path) -> None:
    """Whoever comes first makes it, the others take that."""
    ready = Barrier(8)

    def drawn(_number: int) -> bytes | None:
        ready.wait()
        return key.own_key.__wrapped__()

    with ThreadPoolExecutor(8) as pool:
        (one,) = set(pool.map(drawn, range(8)))

    assert one == (home / "key").read_bytes()


def test_a_key_that_another_process_makes_meanwhile_is_taken(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between looking for a key and putting one there, another may have come; it stays, and nothing is left beside."""
    link, other = os.link, bytes(range(key.SIZE))

    def late(one: Path, two: Path) -> None:
        two.write_bytes(other)
        two.chmod(0o600)
        link(one, two)

    monkeypatch.setattr(os, "link", late)

    assert key.own_key() == other
    assert [path.name for path in home.iterdir()] == ["key"]


# Faults ---------------------------------------------------------------------------------------------------------------


def found(*files: Path, about: str = "faults") -> tuple[tuple[Fault, ...], bool]:
    """Return the faults that are remembered of files, and whether they had to be looked for."""
    calls = []

    def find() -> Iterator[Fault]:
        calls.append(1)
        yield Fault(Place("data.yaml", 1, 1), "this is wrong", "mend it")

    return remembered_faults(about, files, find), bool(calls)


def test_faults_are_looked_for_once(file: Path) -> None:
    """Faults of the same files are told again without looking; of other ones, or of another kind, they are not."""
    first, again = found(file), found(file)
    assert (first[1], again[1]) == (True, False)
    assert first[0] == again[0] and str(again[0][0]) == "data.yaml:1:1: this is wrong; mend it"
    assert found(file, about="others")[1]
    file.write_text("two", encoding="utf-8")
    assert found(file)[1]


def test_faults_are_those_of_a_place(file: Path, tmp_path: Path) -> None:
    """What a link leads to is not the file that stood there, whatever it holds."""
    elsewhere = tmp_path / "elsewhere.yaml"
    elsewhere.write_bytes(file.read_bytes())
    found(file)
    file.unlink()
    file.symlink_to(elsewhere)
    assert found(file)[1]


def test_faults_of_what_is_no_file_are_always_looked_for(file: Path, tmp_path: Path) -> None:
    """A file that is not there, a folder or a pipe is not taken for an empty file."""
    for other in (tmp_path / "nothing.yaml", tmp_path):
        assert found(file, other)[1] and found(file, other)[1]
