"""Every page of help: it fits 80 columns, says in a sentence what the command does, and shows a call that works so."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from brou_tools.cli import COMMANDS, find_kinds, main
from brou_tools.options.declare import CommandOptions

ROOT = Path(__file__).parents[2]
#: What runs a command of ours as a program of its own.
OURS = [sys.executable, "-P", "-m", "brou_tools.cli"]
#: Pages of commands that have commands of their own.
GROUPS = [[name] for name in COMMANDS if "" not in find_kinds(name)]
#: Every other page, by the words that call the command.
KINDS: dict[str, type[CommandOptions]] = {
    f"{command} {name}".strip(): kind for command in COMMANDS for name, kind in find_kinds(command).items()
}
PAGES = [[], *GROUPS, *(name.split() for name in KINDS)]
#: Examples that take a moment.
SLOW = {"rulebook", "check", "fmt", "ask", "attested", "implementations"}
#: Examples that take long: one that measures, and one that spells every case out, take minutes. They guard what help
#: shows; commands that mutate, prove and fuzz have tests of their own.
THOROUGH = {"bench", "corpus bundle", "site", "mutate", "prove", "fuzz"}


def read_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return a page of help."""
    with pytest.raises(SystemExit) as ending:
        main([*words, "--help"])
    assert ending.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_help_fits_80_columns(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No line is longer, the example included."""
    monkeypatch.setenv("COLUMNS", "80")

    assert [line for line in read_help(words, capsys).splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_help_has_a_sentence(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """It stands below the usage, begins with a capital and ends with a full stop."""
    _, sentence, *_ = read_help(words, capsys).split("\n\n")

    assert re.fullmatch(r"[A-Z][^\n]*(\n[^\n]+)*\.", sentence)


@pytest.mark.parametrize("name", KINDS)
def test_help_names_how_a_command_takes_a_project(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each has the same option for it."""
    told = " ".join(read_help(name.split(), capsys).split())

    project = "where to write the project" if name == "new" else "the project: a folder with brou.toml, or with games/"
    assert f"--data FOLDER {project}" in told


@pytest.mark.parametrize("words", GROUPS, ids=" ".join)
def test_help_of_several_commands_names_how_they_take_a_project(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them alike, behind their names."""
    told = " ".join(read_help(words, capsys).split())

    assert "Each works on the nearest project, or on the one that --data FOLDER names." in told


@pytest.mark.parametrize("words", [page for page in PAGES if page not in GROUPS], ids=" ".join)
def test_help_has_an_example(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A call of this command, and at least one line that it prints."""
    _, shown = read_help(words, capsys).split("\nexample:\n")
    call, *printed = shown.split("\n\n", maxsplit=1)[0].splitlines()

    assert re.match(rf"  \$ (echo .* \| )?brou {' '.join(words)}\b", call)
    assert [line for line in printed if line.strip(". ")] != []


def marked(name: str) -> object:
    """Return an example by the command that it is of, with the mark for how long it takes."""
    marks = [pytest.mark.slow] if name in SLOW else [pytest.mark.thorough] if name in THOROUGH else []
    return pytest.param(name, id=name, marks=marks)


@pytest.mark.slow
@pytest.mark.parametrize("name", [marked(name) for name in KINDS])
def test_examples_print_what_help_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Line by line, where `...` stands for any text within a line, and for any lines where it is alone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "C.UTF-8")
    prepare(name, tmp_path)
    call, *lines = KINDS[name].example.strip().splitlines()
    said, _, ours = call.removeprefix("$ ").rpartition("| ")
    if said:
        feed = io.TextIOWrapper(io.BytesIO(f"{shlex.split(said)[1]}\n".encode()))
        monkeypatch.setattr("sys.stdin", feed)
    capsys.readouterr()
    main(as_words(ours))
    shown = capsys.readouterr()
    # A slow machine writes progress into a log.
    printed = shown.out + re.sub(r"^.* \d+ of \d+(, .*)?\n", "", shown.err, flags=re.MULTILINE)

    assert re.fullmatch(as_pattern(lines), printed), printed


def as_words(call: str) -> list[str]:
    """Return the words of a call; a program that is `brou` is this one."""
    words = shlex.split(call)[1:]
    if "--" not in words:
        return words
    cut = words.index("--")
    return [*words[: cut + 1], *OURS, *words[cut + 2 :]]


def as_pattern(lines: list[str]) -> str:
    """Return the lines of an example as a regular expression."""
    parts = ["(?:.*\n)*" if line.strip() == "..." else ".*".join(map(re.escape, line.split("..."))) for line in lines]
    return "".join(part if part.endswith("\n)*") else f"{part}\n" for part in parts)


def prepare(name: str, home: Path) -> None:
    """Put into a folder what an example works on."""
    if name in {"check", "fmt", "words"}:
        main(["new", "tressette", "--data", str(home)])
    if name == "score":
        page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
        (home / "brouc.yaml").write_text(page.split(":caption: brouc.yaml\n\n")[1].split("```")[0], encoding="utf-8")
    if name in {"attested", "implementations"}:
        state(home)


def state(home: Path) -> None:
    """Write a record, a signed statement about it, the key, and a list of programs with that statement."""
    pytest.importorskip("cryptography")
    keygen = shutil.which("ssh-keygen")
    if keygen is None:
        pytest.skip("there is no ssh-keygen")
    subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", "key"], cwd=home, check=True)
    asked = ["--game", "brouc", "-k", "brouc.over.ruff-must-beat-the-ruff"]
    written = ["--report", "record.ndjson", "--attest", "stated.json"]
    judged = ["--", *OURS, "serve", "brouc@2022"]
    main(["verify", *asked, *written, "--sign", "key", *judged])
    main(["verify", *asked, "--replay", "record.ndjson", "--attest", "plain.json"])
    entry = "- {statement: plain.json, link: 'https://example.org/', date: '2026-11-24'}\n"
    listed = f"format: brou-implementations/1\nimplementations:\n{entry}"
    (home / "programs.yaml").write_text(listed, encoding="utf-8")
