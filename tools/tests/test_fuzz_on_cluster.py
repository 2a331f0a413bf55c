"""`brou fuzz --scheduler`: a campaign on a cluster has the matches of one on this machine, though a worker dies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SMALL = "homme-d-auvergne@1665:2"
BROU = [sys.executable, "-P", "-W", "ignore", "-m", "brou_tools.cli"]
#: A program that says that it has been started, and then plays as our own does.
PROGRAM = """
import pathlib, sys
pathlib.Path(sys.argv[1]).touch()
from brou_tools.cli import main
sys.exit(main(["serve", "homme-d-auvergne"]))
"""
#: A scheduler with two workers, one of which is killed as soon as a program has been started.
CLUSTER = """
import os, pathlib, signal, sys, time
from distributed import LocalCluster
if __name__ == "__main__":
    started, killed = map(pathlib.Path, sys.argv[1:])
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        while not started.exists():
            time.sleep(0.01)
        pid = next(iter(cluster.workers.values())).pid
        os.kill(pid, signal.SIGKILL)
        killed.write_text(str(pid), encoding="utf-8")
        sys.stdin.read()
"""


@pytest.mark.slow
def test_a_campaign_on_a_cluster_loses_nothing(tmp_path: Path) -> None:
    """A worker is killed while programs play on it; the document is that of a campaign in one process."""
    pytest.importorskip("distributed")
    script, program = tmp_path / "cluster.py", tmp_path / "program.py"
    script.write_text(CLUSTER, encoding="utf-8")
    program.write_text(PROGRAM, encoding="utf-8")
    started, killed = tmp_path / "started", tmp_path / "killed"
    environment = {**os.environ, "DASK_TEMPORARY_DIRECTORY": str(tmp_path)}

    def fuzz(*words: str) -> str:
        call = [*BROU, "fuzz", SMALL, "-n", "12", "--seed", "5", "--json", *words, "--", sys.executable, str(program)]
        found = subprocess.run([*call, str(started)], capture_output=True, text=True, check=False, env=environment)
        assert found.returncode == 0, found.stderr
        return found.stdout

    alone = fuzz()
    started.unlink()
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", str(script), str(started), str(killed)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment,
    ) as cluster:  # fmt: skip
        try:
            assert cluster.stdout is not None
            shared = fuzz("--scheduler", cluster.stdout.readline().strip())
        finally:
            cluster.kill()

    assert killed.exists()
    assert shared == alone
