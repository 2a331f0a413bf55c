"""Files that are written: whole or not there, and a reason beforehand where they cannot be."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from brou.atomic import Journal, expect, make_folder, put, read_named, remove

FULL = Path("/dev/full")


def began(path: Path, content: str) -> None:
    """Write a file as a journal that ends with its beginning."""
    Journal(path, [content.encode()]).close()


def appended(path: Path, content: str) -> None:
    """Write a file as a journal that begins with nothing."""
    with Journal(path) as journal:
        journal.append(content.encode())


#: Every way to write a whole file.
WAYS = [put, began, appended]
each_way = pytest.mark.parametrize("write", WAYS)


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    """Text as UTF-8, bytes as they are, and nothing is left beside it."""
    path = tmp_path / "one.txt"
    put(path, "un été")
    put(path, b"two")

    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_a_part_of_a_file_is_read(tmp_path: Path) -> None:
    """From a byte on, so many bytes, or as many as there are."""
    path = tmp_path / "one.txt"
    put(path, "0123456789")

    assert [read_named(path), read_named(path, 7), read_named(path, 2, 3)] == [b"0123456789", b"789", b"234"]


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no file that can be opened and not read")
def test_a_file_that_can_be_opened_and_not_read_is_named() -> None:
    """The system's error does not do that."""
    path = Path("/proc/self/mem")
    with pytest.raises(OSError, match="Input/output error") as caught:
        read_named(path)

    assert caught.value.filename == str(path)


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


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs signals that wait")
@pytest.mark.parametrize("call", ["put(path, b'new')", "Journal(path, [b'new'])"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_who_asks_a_process_to_end_waits_for_the_file(tmp_path: Path, call: str, number: signal.Signals) -> None:
    """The new content is whole and nothing is left beside it, though the process takes no notice of the signal."""
    path = tmp_path / "one.txt"
    put(path, "old")
    script = (
        "import os, signal, sys; from pathlib import Path; from brou.atomic import Journal, put;"
        f"os.fsync = lambda file: os.kill(os.getpid(), {int(number)});"
        f"signal.signal(signal.SIGINT, signal.SIG_DFL); path = Path(sys.argv[1]); {call}"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script, str(path)], check=False)

    assert done.returncode == -number
    assert path.read_bytes() == b"new"
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


def test_a_file_that_cannot_be_replaced_or_written_holds_what_it_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is no room for the new content, the old one is put back."""
    path = tmp_path / "one.txt"
    put(path, "old and long")
    write, refusals = os.write, [0, errno.ENOSPC]

    def full(file: int, data: bytes) -> int:
        if os.path.samestat(os.fstat(file), path.stat()) and refusals:
            refusal = refusals.pop(0)
            if refusal:
                raise OSError(refusal, os.strerror(refusal))
            return write(file, data[:3])
        return write(file, data)

    def busy(self: Path, target: Path) -> None:
        raise OSError(errno.EBUSY, "busy", str(self), None, str(target))

    monkeypatch.setattr(Path, "replace", busy)
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        put(path, "NEW AND MUCH LONGER")

    assert path.read_text(encoding="utf-8") == "old and long"


@each_way
@pytest.mark.parametrize("there", [True, False])
def test_links_are_followed_and_rights_kept(tmp_path: Path, write: Callable[[Path, str], None], there: bool) -> None:
    """What a link leads to in another folder is replaced, with the rights that it has, or made if it is not there."""
    path, link = tmp_path / "folder" / "one.txt", tmp_path / "link.txt"
    path.parent.mkdir()
    if there:
        put(path, "old")
        path.chmod(0o640)
    link.symlink_to("folder/one.txt")
    write(link, "new")

    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == "new"
    assert not there or stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(tmp_path.rglob("*")) == [path.parent, path, link]


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
@each_way
def test_a_file_keeps_its_owner(tmp_path: Path, write: Callable[[Path, str], None]) -> None:
    """Root leaves the user's file to the user."""
    path = tmp_path / "one.txt"
    put(path, "old")
    os.chown(path, 1234, 4321)
    write(path, "new")

    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 4321)


@each_way
def test_a_link_in_a_circle_is_named(tmp_path: Path, write: Callable[[Path, str], None]) -> None:
    """By the name that was asked for."""
    link = tmp_path / "link.txt"
    link.symlink_to(link)
    with pytest.raises(OSError, match=r".") as caught:
        write(link, "new")

    assert (caught.value.errno, caught.value.filename) == (errno.ELOOP, str(link))


@each_way
def test_a_device_is_written_to(tmp_path: Path, write: Callable[[Path, str], None]) -> None:
    """It is not replaced by a file, nor what a link to it leads to."""
    link = tmp_path / "link"
    link.symlink_to(os.devnull)
    write(Path(os.devnull), "gone")
    write(link, "gone")

    assert not Path(os.devnull).is_file()
    assert link.is_symlink()


@pytest.mark.skipif(not FULL.exists(), reason="no device that is full")
@each_way
def test_a_device_that_is_full_is_named(write: Callable[[Path, str], None]) -> None:
    """It stays a device, and the error of the system names it."""
    with pytest.raises(OSError, match="No space left") as caught:
        write(FULL, "too much")

    assert caught.value.filename == str(FULL)
    assert stat.S_ISCHR(FULL.stat().st_mode)


@each_way
def test_a_pipe_is_written_to(tmp_path: Path, write: Callable[[Path, str], None]) -> None:
    """Whoever reads it gets all of it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_text, encoding="utf-8")
        write(pipe, "a line\n" * 20_000)

    assert read.result() == "a line\n" * 20_000
    assert stat.S_ISFIFO(pipe.stat().st_mode)


PRINTING = """
import sys
from pathlib import Path
from brou.atomic import Journal, put
print("before", flush=True)
put(Path("/dev/stdout"), "put\\n")
with Journal(Path(sys.argv[1]), [b"begun\\n"]) as journal:
    journal.append(b"appended\\n")
print("after")
"""


@pytest.mark.parametrize("name", ["/dev/stdout", "out.txt"])
def test_the_output_of_a_process_is_not_replaced_under_it(tmp_path: Path, name: str) -> None:
    """What is printed and what is written there follow one upon another in the same file."""
    with (tmp_path / "out.txt").open("wb") as out:
        subprocess.run([sys.executable, "-P", "-c", PRINTING, name], cwd=tmp_path, stdout=out, check=True)

    assert (tmp_path / "out.txt").read_text(encoding="utf-8").split() == ["before", "put", "begun", "appended", "after"]


LIMITED = """
import resource, sys
from pathlib import Path
from brou.atomic import Journal, put
path = Path(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    if sys.argv[2] == "put":
        put(path, "x" * 2000)
    if sys.argv[2] == "begin":
        Journal(path, [b"x" * 2000])
    with Journal(path, [b"begun\\n"]) as journal:
        for _ in range(100):
            journal.append(b"a line of twenty....\\n")
except OSError as error:
    print(error.errno, error.filename)
"""


@pytest.mark.parametrize("way", ["put", "begin", "append"])
def test_a_file_that_may_grow_no_longer_is_named(tmp_path: Path, way: str) -> None:
    """The old content stays whole; of a journal every line that was appended, and no part of another."""
    path = tmp_path / "one.txt"
    put(path, "old")
    command = [sys.executable, "-P", "-c", LIMITED, str(path), way]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert said.split() == [str(errno.EFBIG), str(path)]
    lines = "begun\n" + "a line of twenty....\n" * ((1000 - 6) // 21)
    assert path.read_text(encoding="utf-8") == (lines if way == "append" else "old")
    assert list(tmp_path.iterdir()) == [path]


def test_a_line_after_one_that_found_no_room_follows_the_last_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of the one without room is left between them."""
    path, write = tmp_path / "one.txt", os.write
    rooms = [3, None]

    def narrow(file: int, data: bytes) -> int:
        room = rooms.pop(0) if rooms else len(data)
        if room is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, data[:room])

    with Journal(path, [b"one\n"]) as journal:
        monkeypatch.setattr(os, "write", narrow)
        with pytest.raises(OSError, match="No space left"):
            journal.append(b"two and more\n")
        journal.append(b"three\n")

    assert path.read_bytes() == b"one\nthree\n"


def test_a_journal_is_read_while_it_is_written(tmp_path: Path) -> None:
    """Each line is there as soon as it is appended, and closing twice does no harm."""
    path = tmp_path / "one.txt"
    put(path, "old")
    journal = Journal(path, [b"one\n"])
    assert path.read_bytes() == b"one\n"
    journal.append(b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"
    journal.close()
    journal.close()


@pytest.mark.parametrize("name", [b"\xe9t\xe9", ("\u20ac" * 85).encode(), b"x" * 255, b"a\nb"])
def test_any_name_will_do(tmp_path: Path, name: bytes) -> None:
    """One that is no UTF-8, or as long as can be."""
    path = tmp_path / os.fsdecode(name)
    for write in WAYS:
        write(path, "new")

    assert list(tmp_path.iterdir()) == [path]


def test_what_killed_processes_left_is_removed(tmp_path: Path) -> None:
    """Whatever is written next into the folder removes it; what another process is writing is left alone."""
    left = tmp_path / ".one.txt.0123456789abcdef.brou-new"
    held = tmp_path / ".two.txt.fedcba9876543210.brou-new"
    other = tmp_path / ".three.txt.brou-new"
    for path in (left, held, other):
        path.touch()
    with held.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        put(tmp_path / "four.txt", "new")

    assert sorted(tmp_path.iterdir()) == sorted([held, other, tmp_path / "four.txt"])


def test_many_write_the_same_file(tmp_path: Path) -> None:
    """None takes what another is writing for a leftover, and the file is always whole."""
    path = tmp_path / "one.txt"
    contents = [str(number) * 5000 for number in range(10)]
    with ThreadPoolExecutor(8) as pool:
        for _ in pool.map(put, [path] * 200, contents * 20):
            assert path.read_text(encoding="utf-8") in contents

    assert list(tmp_path.iterdir()) == [path]


def test_folders_and_what_is_removed_are_named(tmp_path: Path) -> None:
    """The errors of the system name what was asked for; what is there already, or gone, is fine."""
    file, folder = tmp_path / "file", tmp_path / "one" / "two"
    file.touch()
    make_folder(folder)
    make_folder(folder)
    remove(file)
    remove(file)
    with pytest.raises(OSError, match=r".") as caught:
        remove(folder)

    assert caught.value.filename == str(folder)
    assert (folder.is_dir(), file.exists()) == (True, False)


@pytest.mark.parametrize(
    ("name", "number"), [("no/where", errno.ENOENT), (".", errno.EISDIR), ("file/below", errno.ENOTDIR)]
)
def test_what_cannot_be_written_is_told_beforehand(tmp_path: Path, name: str, number: int) -> None:
    """By the error that writing would end with."""
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match=r".") as caught:
        expect(tmp_path / name)

    assert (caught.value.errno, caught.value.filename) == (number, str(tmp_path / name))
