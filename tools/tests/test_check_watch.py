"""`brou check --watch` tells after each edit what it broke and what it mended, and ends when it is interrupted."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from brou_tools.cli import main


@pytest.fixture(name="project")
def _project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["new", "duet", "--data", str(tmp_path)]) == 0
    capsys.readouterr()
    return tmp_path


@pytest.fixture(name="watching")
def _watching(project: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-P", "-m", "brou_tools.cli", "check", "--watch", "--data", str(project)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def read_look(process: subprocess.Popen[str]) -> list[str]:
    """Return the lines of one look, up to the one that waits."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line.rstrip())
        if "waiting for edits" in line:
            break
    return lines


@pytest.mark.slow
def test_each_edit_is_told(project: Path, watching: subprocess.Popen[str]) -> None:
    """What it broke, with the line; what is mended; and a file that is no project file ends nothing."""
    rules, own = project / "games" / "duet" / "10-rules.yaml", project / "brou.toml"
    text, said = rules.read_text("utf-8"), own.read_text("utf-8")
    assert read_look(watching) == ["nothing is wrong; waiting for edits (Ctrl-C ends)"]

    rules.write_text(text.replace("  when: suit(c)", "  wehn: suit(c)"), "utf-8")
    broken = read_look(watching)
    assert broken[1].endswith(" games/duet/10-rules.yaml")
    assert broken[2].startswith("broken: games/duet/10-rules.yaml:51:3: unknown key 'wehn'")
    assert broken[4].endswith("| ^^^^") or "^^^^" in broken[4]
    assert broken[-1].startswith("1 fault;")

    rules.write_text(
        "# A line more: the fault stands elsewhere, and is the same.\n"
        + text.replace("  when: suit(c)", "  wehn: suit(c)"),
        "utf-8",
    )
    assert not [line for line in read_look(watching) if line.startswith(("broken", "mended"))]

    rules.write_text(text, "utf-8")
    mended = read_look(watching)
    assert mended[2].startswith("mended: games/duet/10-rules.yaml:52:3: unknown key 'wehn'")
    assert mended[-1].startswith("nothing is wrong;")

    own.write_text("dtaa = 1\n", "utf-8")
    refused = read_look(watching)
    assert "unknown key `dtaa`" in refused[2]
    assert refused[-1].startswith("nothing can be checked;")

    own.write_text(said, "utf-8")
    assert read_look(watching)[-1].startswith("nothing is wrong;")


@pytest.mark.slow
def test_it_ends_cleanly(watching: subprocess.Popen[str]) -> None:
    """With Ctrl-C: 0 where nothing is wrong, and no traceback."""
    read_look(watching)
    watching.send_signal(signal.SIGINT)
    out, err = watching.communicate(timeout=60)

    assert (watching.returncode, out, err) == (0, "watched no longer\n", "")


@pytest.mark.slow
def test_what_is_wrong_at_the_end_is_the_exit_code(project: Path, watching: subprocess.Popen[str]) -> None:
    """As without `--watch`: 1 for a fault."""
    read_look(watching)
    (project / "games" / "duet" / "game.yaml").write_text("", "utf-8")
    assert "an empty file" in "".join(read_look(watching))
    watching.send_signal(signal.SIGINT)
    watching.communicate(timeout=60)

    assert watching.returncode == 1


def test_watching_goes_with_a_project_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """Not with a path, nor with anything that writes."""
    with pytest.raises(SystemExit) as ended:
        main(["check", "--watch", "--reviewed"])

    assert ended.value.code == 2
    assert "--watch checks the project: leave out PATH" in capsys.readouterr().err
