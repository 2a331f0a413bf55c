"""Completion: what shells offer for what has been typed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from brou import catalogue
from brou_tools.cli import COMMANDS, find_kinds, main

#: Asks bash what it offers for the last of some words.
ASK_BASH = """
source "$1"; shift
COMP_WORDS=(brou "$@"); COMP_CWORD=$#
_brou
printf '%s\\n' "${COMPREPLY[@]}"
"""
#: What has been typed, and what is offered among others or alone.
TYPED: list[tuple[list[str], set[str]]] = [
    (["verif"], {"verify"}),
    ([""], set(COMMANDS)),
    (["--v"], {"--version"}),
    (["verify", "--ga"], {"--game", "--games"}),
    (["verify", "--game", "brouc"], {"brouc"}),
    (["rulebook", "--format", ""], {"pdf", "html"}),
    (["rulebook", "--lang", "d"], {"de"}),
    (["prove", ""], set(catalogue())),
    (["draw", "tr"], {"trick"}),
    (["draw", "trick", "--wi"], {"--width", "--winner"}),
    (["completion", ""], {"bash", "zsh", "fish"}),
    (["corpus", "show", "--la"], {"--lang"}),
]


@pytest.fixture
def script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str], Path]:
    """Return how to write the script of a shell, which a machine without that shell skips."""

    def write(shell: str) -> Path:
        if shutil.which(shell) is None:
            pytest.skip(f"there is no {shell}")
        assert main(["completion", shell]) == 0
        path = tmp_path / f"_brou.{shell}"
        path.write_text(capsys.readouterr().out, encoding="utf-8")
        return path

    return write


def run_in(shell: str, *arguments: str | Path) -> str:
    """Return what a shell prints, which has nothing to complain of."""
    done = subprocess.run([shutil.which(shell) or shell, *arguments], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout


def offered_by_bash(path: Path, words: list[str]) -> list[str]:
    """Return what bash offers."""
    return [line for line in run_in("bash", "-c", ASK_BASH, "-", path, *words).splitlines() if line]


@pytest.mark.parametrize(("words", "offered"), TYPED, ids=[" ".join(words) for words, _ in TYPED])
def test_bash_offers_what_can_follow(script: Callable[[str], Path], words: list[str], offered: set[str]) -> None:
    """Commands, options, values and games."""
    assert set(offered_by_bash(script("bash"), words)) == offered


@pytest.mark.parametrize(
    "words",
    [["verify", "--", "no"], ["score", "rec"], ["verify", "--report", ""], ["draw", "trick", ""]],
    ids=" ".join,
)
def test_bash_is_left_to_offer_files(script: Callable[[str], Path], words: list[str]) -> None:
    """Where a file or a program is due, and where nothing is known."""
    assert offered_by_bash(script("bash"), words) == []


def test_bash_offers_every_option_of_every_command(script: Callable[[str], Path]) -> None:
    """Those that it is declared with, and the help."""
    path = script("bash")
    wrong = []
    for command, name, kind in ((one, name, kind) for one in COMMANDS for name, kind in find_kinds(one).items()):
        declared = {name for one in kind.written.values() for name in one.names or ()}
        offered = set(offered_by_bash(path, [command, *([name] if name else []), "-"]))
        wrong += [f"{command} {name}"] if offered != {*declared, "-h", "--help"} else []

    assert wrong == []


def test_fish_offers_what_can_follow(script: Callable[[str], Path]) -> None:
    """Each with what it does."""
    path = script("fish")
    asked = "brou verif|brou verify --ga|brou verify --game brouc|brou draw tr|brou rulebook --format h|brou prove hom"
    calls = "; ".join(f"complete -C {one!r}" for one in asked.split("|"))
    found = {line.partition("\t")[0] for line in run_in("fish", "-c", f"source {path}; {calls}").splitlines()}

    games = [game for game in catalogue() if game.startswith("hom")]
    assert found == {"verify", "--game", "--games", "brouc", "trick", "html", *games}


def test_zsh_reads_the_script(script: Callable[[str], Path]) -> None:
    """Every function of it, and it is registered for the command."""
    load = "autoload -Uz compinit; compinit -u -D; source $1; print ${_comps[brou]} ${+functions[_brou_verify]}"

    assert run_in("zsh", "-f", "-c", load, "-", script("zsh")) == "_brou 1\n"


def test_an_unknown_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """With those that there are."""
    with pytest.raises(SystemExit) as ending:
        main(["completion", "tcsh"])

    assert ending.value.code == 2
    assert "knows bash, zsh, fish, not 'tcsh'" in capsys.readouterr().err
