"""Outputs of commands go where they are pointed: devices, pipes, links, folders of any name; what fails is named."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

BROU = (sys.executable, "-P", "-m", "brou_tools.cli")
GAME = "brusquembille"
SIMULATE = (*BROU, "simulate", f"{GAME}:3", "-n", "2", "--report")
VERIFY = (*BROU, "verify", "--game", GAME, "-k", "brusq.ace-ruffed", "--report", "{}", "--", *BROU, "serve", GAME)
FULL = Path("/dev/full")


def ended(command: list[str], **more: str) -> tuple[int, str]:
    """Return the exit code of a command and what it says of errors."""
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **more}, check=False)
    return done.returncode, done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not FULL.exists(), reason="no device that is full")
@pytest.mark.parametrize("command", [VERIFY, (*SIMULATE, "{}"), (*BROU, "draw", "back", "-o", "{}")])
def test_a_device_is_written_to_and_named(command: tuple[str, ...]) -> None:
    """It stays one, whoever asks."""
    code, said = ended([one.format(FULL) for one in command])

    assert (code, said) == (2, f"brou: {FULL}: No space left on device; make room, or name another place\n")
    assert stat.S_ISCHR(FULL.stat().st_mode)


@pytest.mark.slow
def test_a_report_is_put_where_a_link_leads(tmp_path: Path) -> None:
    """Though there is nothing yet."""
    (tmp_path / "there").mkdir()
    link = tmp_path / "link"
    link.symlink_to("there/report")
    code, said = ended([one.format(link) for one in VERIFY])

    assert (code, said) == (0, "")
    assert link.is_symlink()
    assert (tmp_path / "there" / "report").read_bytes().endswith(b"\n")


@pytest.mark.slow
def test_a_report_that_nobody_reads_is_named(tmp_path: Path) -> None:
    """That its reader has gone is an error, unlike at the end of a pipe on a command line."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["/bin/sh", "-c", f"read line < '{pipe}'"])
    code, said = ended([*SIMULATE, str(pipe)])
    reader.wait()

    assert (code, said) == (2, f"brou: {pipe}: Broken pipe; name one that is read to its end\n")


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("arguments", ["export", f"simulate {GAME}:3 -n 2", "draw back"])
def test_a_reader_that_has_seen_enough_is_no_error(arguments: str) -> None:
    """Nothing is said of it."""
    command = f'"{sys.executable}" -P -m brou_tools.cli {arguments}; echo $? >&2'
    done = subprocess.run(["/bin/sh", "-c", f"({command}) | true"], capture_output=True, text=True, check=False)

    assert done.stderr == "0\n"


@pytest.mark.slow
def test_an_engine_ends_with_whoever_asks_it() -> None:
    """A broken pipe is no error of it."""
    with subprocess.Popen(
        [*BROU, "serve", GAME], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        child.stdin.write(b'{"op":"ping","id":1}\n' * 10)
        child.stdin.close()
        said = child.stderr.read()

    assert (child.returncode, said) == (0, b"")


@pytest.mark.slow
@pytest.mark.parametrize("output", ["", " --report '{}/report'"])
def test_a_file_that_may_grow_no_longer_is_named(tmp_path: Path, output: str) -> None:
    """The standard output, too."""
    command = f'"{sys.executable}" -P -m brou_tools.cli simulate {GAME}:3 -n 2{output.format(tmp_path)} > out'
    shell = ["/bin/bash", "-c", f"ulimit -f 1; {command}"]
    done = subprocess.run(
        shell, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "BROU_CACHE": "off"}, check=False
    )
    named = f"{tmp_path}/report" if output else "the standard output"

    assert (done.returncode, done.stderr) == (
        2,
        f"brou: {named}: File too large; allow larger files (ulimit -f), or name another place\n",
    )


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_folders_may_have_names_of_another_time(tmp_path: Path, locale: str) -> None:
    """Bytes that are no UTF-8, in whatever locale; messages spell them out."""
    folder = tmp_path / os.fsdecode(b"\xe9t\xe9")
    (folder / "corpus" / GAME).mkdir(parents=True)
    scenarios = Path(__file__).parents[2] / "conformance" / "scenarios" / GAME
    for file in scenarios.glob("*.yaml"):
        (folder / "corpus" / GAME / file.name).write_bytes(file.read_bytes())
    more = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "BROU_CACHE": str(folder / "cache")}
    command = [one.format(folder / "report") for one in VERIFY]
    command[5:5] = ["--scenarios", str(folder / "corpus"), "--junit", str(folder / "junit.xml")]

    assert ended(command, **more) == (0, "")
    assert (folder / "report").exists()
    assert (folder / "junit.xml").exists()
    code, said = ended([*BROU, "draw", "back", "-o", str(folder / "no" / "back.svg")], **more)
    assert code == 2
    assert "\\udce9t\\udce9/no/back.svg: No such file or directory; make the folder first" in said
