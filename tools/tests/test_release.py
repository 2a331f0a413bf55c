"""A release, away from the checkout: both archives are installed and used on the oldest and the newest Python.

What is newest is what this machine has: interpreters lie on the path, or beside the one that runs the tests.
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OLDEST = int(PROJECT["requires-python"].removeprefix(">=3."))
#: What a stranger may do first, and the beginning of some line of the answer.
FIRST_STEPS = {
    "brou --version": f"brou {PROJECT['version']}",
    "brou verify --lang en --game brusquembille --quick -- brou serve brusquembille@1718:2": "brusquembille@1718: ",
    "brou explain --lang en brouc.over.lower-trump-refused#seven": "Seat 1 plays 7♠: ",
    "brou rulebook brouc --lang de -o brouc.pdf 2>&1": "brouc.pdf",
    "brou rulebook hombre --lang en --format html -o hombre.html 2>&1": "hombre.html",
    "brou new jass": "jass: a game",
    "brou check --verbose --data jass 2>&1": "brou check: checked 1 game: no faults",
    "brou verify --lang en --program mine --data jass": "jass@house: jass follows the edition.",
    "brou simulate jass:4 -n 1 --data jass": "jass@house:4: 1 match",
}

pytestmark = pytest.mark.slow


def is_usable(python: Path) -> bool:
    """Say whether an interpreter runs, and can make an environment."""
    return subprocess.run([python, "-c", "import ensurepip, venv"], capture_output=True, check=False).returncode == 0


@functools.cache
def find_pythons() -> dict[str, Path]:
    """Return the oldest and the newest interpreter of this machine that Brou takes, by their versions."""
    beside = Path(sys.base_prefix).parent.glob("*/bin")
    folders = [Path(sys.base_prefix) / "bin", *beside, *map(Path, os.get_exec_path())]
    found: dict[int, Path] = {}
    for path in (path for folder in folders if folder.is_dir() for path in folder.iterdir()):
        named = re.fullmatch(r"python3\.(\d+)", path.name)
        if named and int(named[1]) >= OLDEST:
            # The first one counts: on the path may lie what only looks for another interpreter.
            found.setdefault(int(named[1]), path)
    usable = [minor for minor in sorted(found) if is_usable(found[minor])]
    return {f"3.{minor}": found[minor] for minor in (usable[0], usable[-1])}


def run(command: str, folder: Path) -> str:
    """Run a command of the shell in a folder with an environment, without the checkout, and return its output."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "BROU", "PYTEST"))}
    paths = f"{folder / 'venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env={**kept, "PATH": paths, "XDG_CACHE_HOME": str(folder / "cache"), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the source archive, and with the wheel that is built of it."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("version", "suffix"),
    # The source archive is made into the same wheel everywhere.
    [*((version, ".whl") for version in find_pythons()), (list(find_pythons())[-1], ".tar.gz")],
)
def test_an_archive_is_installed_and_used(version: str, suffix: str, archives: Path, tmp_path: Path) -> None:
    """With the packages that it asks the registry for: a verdict, an explanation, books, and a game of one's own."""
    (archive,) = archives.glob(f"*{suffix}")
    subprocess.run([find_pythons()[version], "-m", "venv", tmp_path / "venv"], check=True)
    run(f"python -m pip install --quiet --disable-pip-version-check '{archive}[books]'", tmp_path)

    said = {command: run(command, tmp_path) for command in FIRST_STEPS}

    assert [
        (command, said[command])
        for command, begins in FIRST_STEPS.items()
        if not any(line.startswith(begins) for line in said[command].splitlines())
    ] == []
    assert (tmp_path / "brouc.pdf").read_bytes().startswith(b"%PDF")


# It guards what a release publishes beside the wheel, which `test_wheel.py` guards.
@pytest.mark.thorough
def test_the_source_archive_is_the_project(archives: Path, tmp_path: Path) -> None:
    """What is in the repository is in it, so that its tests run there; what a build or a test leaves is not."""
    (archive,) = archives.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
        # Python before 3.11.4 has no such filter.
        packed.extraction_filter = getattr(tarfile, "data_filter", None)
        packed.extractall(tmp_path)  # noqa: S202 - our own archive
    (folder,) = tmp_path.iterdir()

    assert {"README.md", "CHANGELOG.md", "Makefile", "docs/tutorial.md", "tools/tests/test_release.py"} <= names
    assert [name for name in names if name.startswith((".venv", "build/", "dist/")) or "__pycache__" in name] == []
    quick = ["reference/tests/test_patch.py", "conformance/tests/test_sentences.py"]
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", *quick]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
