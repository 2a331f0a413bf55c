"""An environment with nothing of ours in it, and commands in it as somebody types them who has installed the wheel."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path


def make_environment(folder: Path) -> None:
    """Make an environment in `venv` of a folder, into which `pip install brou` can install our wheel."""
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    # All packages of the environment that runs the tests but ours, so that there is something to install. They lie
    # where pytest looks for no tests: some have thousands.
    packages = folder / "venv" / "packages"
    packages.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if "brou" not in path.name:
            (packages / path.name).symlink_to(path)
    place = next((folder / "venv" / "lib").glob("python*")) / "site-packages"
    (place / "dependencies.pth").write_text(f"{packages}\n", encoding="utf-8")


def run_command(command: str, folder: Path, wheel: Path, within: str = ".") -> subprocess.CompletedProcess[str]:
    """Run a command of the shell in a folder that has an environment, or in a folder below it."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "BROU", "PIP", "PYTEST"))}
    # The wheel stands in for the registry; what it depends on is found where these tests find it.
    pip = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_FIND_LINKS": str(wheel.parent), "PIP_QUIET": "1"}
    home = {"PATH": f"{folder / 'venv' / 'bin'}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(folder / "cache")}
    python = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONUTF8": "1"}
    return subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder / within,
        env={**kept, **pip, **home, **python},
        capture_output=True,
        text=True,
        check=False,
    )
