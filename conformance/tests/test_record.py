"""Records: every line stands when the run is killed, and one that is cut off is never taken for a whole one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from brou.errors import NoFile
from brou.shapes import write
from brou_conformance.programs.identity import ProgramName
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message, fault
from brou_conformance.reports.record import change, read_record
from brou_conformance.reports.recorder import Recorder
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verify import Report, verify

Changed = Callable[..., Session]
Corpus = Callable[..., Path]

FINE = "  steps:\n  - {by: 0, act: {play: AS}}\n  - {id: turn, view: 1, expect: {turn: 1}}"
WRONG = "  steps:\n  - {id: turn, view: 1, expect: {turn: 2}}"
NAME = "brouc@2022"


def same(request: Message, reply: Message) -> Message:
    """Return the reply as it is."""
    assert request["op"]
    return reply


PROGRAM = ProgramName(command=("program",))


def recorded(session: Session, folder: Path, path: Path) -> Report:
    """Return the report on a program, its record written to a file."""
    recorder = Recorder(path, PROGRAM)
    with session:
        report = verify(session, Selection(corpus=folder), recorder, keep=recorder.ledger)
    recorder.close()
    return report


#: The record of the fixture below, once a test has asked for it.
_MADE: list[bytes] = []


@pytest.fixture
def record(changed: Changed, corpus: Corpus, tmp_path: Path) -> Path:
    """Return the record of three cases, one of which fails; it is made once, and each test has a copy of its own."""
    path = tmp_path / "record.ndjson"
    if not _MADE:
        recorded(changed(same, NAME), corpus(FINE, WRONG, FINE), path)
        _MADE.append(path.read_bytes())
    path.write_bytes(_MADE[0])
    return path


def test_every_line_has_the_shape_of_the_schema(record: Path) -> None:
    """A greeting, a line a case, a line an edition, and the end."""
    lines = [json.loads(line) for line in record.read_text(encoding="ascii").splitlines()]

    assert [line["kind"] for line in lines] == ["begin", "case", "case", "case", "run", "end"]
    assert [fault("record", line) for line in lines] == [None] * 6


def test_a_record_is_read_back(record: Path) -> None:
    """What the program said and what each case came to."""
    found = read_record(record)

    assert found.complete
    assert found.greeting["engine"]["name"] == "brou"
    assert {known.name: known.status.value for known in found.cases.values()} == {
        f"{NAME}:4 test.n1": "pass",
        f"{NAME}:4 test.n2": "fail",
        f"{NAME}:4 test.n3": "pass",
    }


@pytest.mark.parametrize("cut", [1, 30, 200, 900])
def test_a_record_that_is_cut_off_is_not_complete(record: Path, cut: int) -> None:
    """However much is missing at its end, what stands there is understood."""
    data = record.read_bytes()
    record.write_bytes(data[:-cut])

    found = read_record(record)

    assert not found.complete
    assert all(fault("record", write(found.case(known))) is None for known in found.cases.values())


def test_a_record_with_a_line_taken_out_is_not_complete(record: Path) -> None:
    """The end sums up every line before it."""
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(lines[:2] + lines[3:]))

    assert not read_record(record).complete


@pytest.mark.parametrize("text", ["", "hello\n", '{"kind": "end", "lines": 0, "sha256": "00"}\n'])
def test_what_is_no_record_is_refused(tmp_path: Path, text: str) -> None:
    """Another file is told from a record at its first line."""
    path = tmp_path / "other"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(NoFile, match="no report; name a file"):
        read_record(path)


def test_a_missing_record_is_told() -> None:
    """There is nothing to compare with."""
    with pytest.raises(NoFile, match="nowhere: No such file"):
        read_record(Path("nowhere"))


@pytest.mark.slow
def test_what_is_recorded_is_not_asked_again(record: Path, changed: Changed, corpus: Corpus) -> None:
    """A run that goes on with a record asks only what is missing, and ends with the same record."""
    whole = record.read_bytes()
    record.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    kept = read_record(record)
    asked: list[Message] = []

    def counted(request: Message, reply: Message) -> Message:
        asked.append(request)
        return reply

    recorder = Recorder(record, PROGRAM, kept=kept)
    with changed(counted, NAME) as session:
        wanted = Selection(corpus=corpus(FINE, WRONG, FINE))
        verify(session, wanted, recorder, earlier=kept.replies, keep=recorder.ledger)
    recorder.close()

    asked_runs = [request for request in asked if request["op"] == "run"]
    missing = {known.name for known in read_record(record).cases.values()} - set(kept.cases)
    assert len(kept.cases) == 2
    assert missing
    assert len({json.dumps({**request, "id": 0}) for request in asked_runs}) <= len(missing)
    assert read_record(record).complete
    assert {k: v.status for k, v in read_record(record).cases.items()}.keys() == {
        f"{NAME}:4 test.n{number}" for number in (1, 2, 3)
    }


@pytest.mark.slow
def test_a_change_is_told_by_case(record: Path, changed: Changed, corpus: Corpus) -> None:
    """Better, worse, new and gone."""
    with changed(same, NAME) as session:
        report = verify(session, Selection(corpus=corpus(WRONG, FINE)))
    found = change(read_record(record), (case for run in report.runs for case in run.cases))

    assert write(found) == {
        "complete": True,
        "worse": [f"{NAME}:4 test.n1"],
        "better": [f"{NAME}:4 test.n2"],
        "new": [],
        "gone": [f"{NAME}:4 test.n3"],
    }


#: A program that answers everything with nonsense, slowly.
SLOW = """
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    said = {"id": request["id"], "ok": True}
    if request["op"] == "hello":
        plays = [{"game": "brouc", "editions": ["2022"], "setups": ["4"]}]
        said |= {"protocol": 1, "engine": {"name": "slow"}, "plays": plays, "can": ["deal"]}
    if request["op"] == "run":
        time.sleep(0.002)
        said["results"] = [{"skip": "no"}] * len(request["steps"])
    print(json.dumps(said), flush=True)
"""


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("lines", [1, 4, 9])
def test_a_killed_run_leaves_a_record_to_go_on_with(tmp_path: Path, corpus: Corpus, lines: int) -> None:
    """After `kill -9` the record is incomplete and understood, and a resumed run makes it whole."""
    program, path = tmp_path / "slow.py", tmp_path / "record.ndjson"
    program.write_text(SLOW, encoding="utf-8")
    options = ["--scenarios", str(corpus(*[FINE] * 300)), "--report", str(path), "--json"]
    command = [sys.executable, "-m", "brou_tools.cli", "verify", *options, "--", sys.executable, str(program)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as running:
        while not path.exists() or path.read_bytes().count(b"\n") < lines:
            assert running.poll() is None
            time.sleep(0.005)
        os.kill(running.pid, signal.SIGKILL)
    kept = read_record(path)

    assert not kept.complete
    assert len(kept.cases) >= lines - 1
    again = [*command[:4], "--resume", "--since", str(path), *command[4:]]
    done = subprocess.run(again, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    since = json.loads(done.stdout)["since"]
    assert (since["complete"], since["worse"], since["gone"]) == (False, [], [])
    assert read_record(path).complete
    assert set(kept.cases) <= set(read_record(path).cases)


#: How many bytes a case may leave in memory while a record is written, its id among them.
KEPT = 2000
#: The system's count of the process would begin with what it was forked from, here with the tests.
MEASURED = """
import re, sys
from pathlib import Path
from brou_tools.cli import main
code = main(sys.argv[1:])
print(code, int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems count memory in other units")
@pytest.mark.parametrize("files", [6, pytest.param(16, marks=pytest.mark.thorough)])
def test_memory_does_not_grow_with_the_cases_of_a_record(tmp_path: Path, corpus: Corpus, files: int) -> None:
    """What passes stands in the record alone: a run of thousands of cases keeps hardly more than one of 300."""
    adapter = Path(__file__).parents[1] / "adapters" / "python" / "adapter.py"
    (file,) = (corpus(*[FINE] * 300) / "brouc").iterdir()
    peaks = []
    for count in (1, files):
        folder = tmp_path / f"{count} files" / "brouc"
        folder.mkdir(parents=True)
        for number in range(count):
            text = file.read_text(encoding="utf-8").replace("test.n", f"test.{chr(ord('a') + number)}")
            (folder / f"{number}.yaml").write_text(text, encoding="utf-8")
        options = ["--game", "brouc", "--edition", "2022", "--scenarios", str(folder.parent)]
        options += ["--report", str(tmp_path / "report"), "--badge", "-", "--", sys.executable, str(adapter)]
        done = subprocess.run(
            [sys.executable, "-P", "-c", MEASURED, "verify", *options], capture_output=True, text=True, check=True
        )
        code, peak = done.stdout.split()[-2:]
        assert code == "0", done.stdout + done.stderr
        peaks.append(int(peak))

    assert (peaks[1] - peaks[0]) // ((files - 1) * 300) < KEPT
