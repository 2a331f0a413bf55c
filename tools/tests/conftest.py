"""What several tests of the machinery need: a wheel of the checkout, and the faults that `brou check` tells."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from brou_conformance.fitting.search import FailureExplanation
from brou_tools.cli import main

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session", autouse=True)
def compile_fast() -> Iterator[None]:
    """Make engines in C without optimisation, in a sixth of the time: what is played here is small.

    Tests of the engines themselves, in another room, make them as people do. Without optimisation zig, which compiles
    for WebAssembly, would add checks whose library is not there.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("brou.native.shared_object.FLAGS", ("-O0", "-fno-sanitize=undefined"))
        yield


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wheel built from the checkout, without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, cwd=folder, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture
def unexplained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a verification end with its verdict, where what explains the failures is not the point: it takes seconds."""
    monkeypatch.setattr("brou_conformance.verdicts.verify.explain", lambda *_: FailureExplanation())


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Callable[[Path], list[str]]:
    """Return the faults that are told of a path, a line each, without the lines of files shown below them."""

    def ask(path: Path) -> list[str]:
        code = main(["check", str(path)])
        lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
        assert code == bool(lines)
        return lines

    return ask
