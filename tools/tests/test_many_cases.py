"""A corpus may be far larger than memory: what is judged is kept in the record."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import count, cycle, islice
from pathlib import Path

import pytest

from fuzzing.files import list_corpus

GAME = "brusquembille"
#: How many scenarios are judged, and how many stand in a file.
WANTED, _TOGETHER = 20_000, 100
#: Runs `brou` and tells last how many KiB of memory it has had at most. The system's count of the process begins with
#: what the process was forked from, here with the tests; that of its memory begins with the command.
RUN = """
import re, sys
from pathlib import Path
from brou_tools.cli import main
code = main(sys.argv[1:])
print(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1], file=sys.stderr)
sys.exit(code)
"""


def write_corpus(folder: Path, wanted: int) -> None:
    """Write so many scenarios of a game, the same few under many names."""
    place = folder / GAME
    place.mkdir(parents=True)
    numbered = zip(count(), cycle(list_corpus()[GAME]), strict=False)
    scenarios = ({**one, "id": f"{one['id']}-{number}"} for number, one in numbered)
    for start in range(0, wanted, _TOGETHER):
        part = list(islice(scenarios, min(_TOGETHER, wanted - start)))
        (place / f"part-{start}.yaml").write_text(json.dumps(part), encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="sizes are counted otherwise elsewhere")
@pytest.mark.thorough
def test_many_cases_take_little_memory(tmp_path: Path) -> None:
    """Every case is judged and passes, and the runner never takes 100 MB."""
    write_corpus(tmp_path / "corpus", WANTED)
    report = tmp_path / "report.ndjson"
    options = ("--game", GAME, "--scenarios", str(tmp_path / "corpus"), "--report", str(report))
    serve = (sys.executable, "-P", "-m", "brou_tools.cli", "serve", GAME)
    command = [sys.executable, "-P", "-c", RUN, "verify", *options, "--", *serve]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    with report.open(encoding="utf-8") as lines:
        cases = [line for line in map(json.loads, lines) if line["kind"] == "case"]

    assert ended.returncode == 0, ended.stderr[-2000:]
    assert len({case["id"] for case in cases}) == WANTED
    assert {case["status"] for case in cases} == {"pass"}
    assert int(ended.stderr.split()[-1]) < 100 << 10
