"""The wheel works away from the checkout, and holds what it should and no more."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {"brou": "reference", "brou_conformance": "conformance", "brou_tools": "tools"}
#: Where a wheel keeps what lies elsewhere in the checkout.
CARRIED = {"brou/_data": ROOT / "spec", "brou_conformance/_data/scenarios": ROOT / "conformance" / "scenarios"}
#: The files that `brou new` copies, a test among them.
SKELETON = PurePosixPath("brou_tools/new/template")

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command that must succeed, with no trace of the checkout in its environment, and return what it prints."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "BROU"))}
    result = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.fixture(scope="module")
def names(wheel: Path) -> frozenset[PurePosixPath]:
    """Return the names of all files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return frozenset(PurePosixPath(name) for name in archive.namelist())


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment with the wheel; its dependencies are those of the environment that runs the tests."""
    folder = tmp_path_factory.mktemp("home")
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    install = ("install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", wheel)
    run(sys.executable, "-m", "pip", "--python", python, *install, cwd=folder)
    packages = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder).strip()
    # A path in a .pth file is searched, but the .pth files in it are not read: the editable install stays unseen.
    Path(packages, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder


def listed(folder: Path, suffixes: Iterable[str]) -> set[PurePosixPath]:
    """Return the files of a folder that have one of the suffixes, relative to it."""
    wanted = set(suffixes)
    return {PurePosixPath(path.relative_to(folder)) for path in folder.rglob("*") if path.suffix in wanted}


def test_top_level_names(names: frozenset[PurePosixPath]) -> None:
    """The wheel puts three packages into the environment, all with our name, and what describes them."""
    tops = {name.parts[0] for name in names}

    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)
    assert len(tops) == len(PACKAGES) + 1


def test_no_tests_inside(names: frozenset[PurePosixPath]) -> None:
    """No test of ours, example program, cache or document is shipped; what `brou new` copies is."""
    unwanted = {"tests", "oracles", "docs", "__pycache__", "brou_table.py", "adapter.mjs", "Adapter.java"}
    ours = [name for name in names if not name.is_relative_to(SKELETON)]

    assert [name for name in ours if unwanted & set(name.parts) or name.name.startswith(("test_", "conftest"))] == []


@pytest.mark.parametrize(("package", "room"), PACKAGES.items())
def test_every_module_is_shipped(names: frozenset[PurePosixPath], package: str, room: str) -> None:
    """Every file of Python or C of a package is in the wheel, and the mark that it is typed."""
    expected = {package / name for name in listed(ROOT / room / package, [".py", ".c", ".h"])} | {
        PurePosixPath(package, "py.typed")
    }

    assert expected - names == set()


def test_the_pages_of_a_bundle_are_shipped(names: frozenset[PurePosixPath]) -> None:
    """The protocol, the licence, and the runners with their page stand beside the scenarios."""
    expected = {
        "PROTOCOL.md",
        "LICENSE",
        *(f"runners/{path.name}" for path in (ROOT / "conformance/runners").iterdir()),
    }

    assert {PurePosixPath("brou_conformance/_data", name) for name in expected} <= names


@pytest.mark.parametrize(("place", "folder"), CARRIED.items())
def test_all_data_is_shipped(names: frozenset[PurePosixPath], place: str, folder: Path) -> None:
    """The data in the wheel is the data of the checkout, file by file."""
    expected = listed(folder, [".yaml", ".json"])
    shipped = {name.relative_to(place) for name in names if name.is_relative_to(place)}

    assert expected
    assert {name for name in shipped if name.suffix in {".yaml", ".json"}} == expected


def test_games_load_away_from_the_checkout(home: Path) -> None:
    """An installed wheel finds its own data and loads every game of the checkout."""
    script = "import brou; print(brou.__file__); [print(brou.rules(game).id) for game in brou.catalogue()]"
    where, *games = run(home / "venv" / "bin" / "python", "-P", "-c", script, cwd=home).splitlines()

    assert Path(where).is_relative_to(home)
    assert games == sorted(path.name for path in (ROOT / "spec" / "games").iterdir())


def test_the_command_line_runs_away_from_the_checkout(home: Path) -> None:
    """The console script of an installed wheel says how it is used."""
    assert "usage: brou" in run(home / "venv" / "bin" / "brou", "--help", cwd=home)


def build(copy: Path, umask: str) -> dict[str, bytes]:
    """Return what is published of a copy of the checkout, file by file, with the mask for the rights of new files."""
    out = copy / "dist"
    script = f'umask {umask} && exec "{sys.executable}" -m build --no-isolation --outdir "{out}" "{copy}"'
    run("/bin/sh", "-c", script, cwd=copy)
    return {path.name: path.read_bytes() for path in out.iterdir()}


@pytest.mark.thorough
def test_two_builds_are_the_same_bytes(tmp_path: Path) -> None:
    """Wheel and source archive know neither where, nor when, nor by whom they were built."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("no checkout to copy")
    tracked = run(git, "ls-files", "-z", cwd=ROOT).split("\0")
    built = []
    for number, (name, umask) in enumerate((("one", "022"), ("another", "077"))):
        for file in filter(None, tracked):
            target = tmp_path / name / file
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / file, target)
            os.utime(target, (number, number * 1_000_000_000))
        built.append(build(tmp_path / name, umask))
    one, another = built

    assert sorted(name.rpartition(".")[2] for name in one) == ["gz", "whl"]
    assert one == another
