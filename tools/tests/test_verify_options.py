"""`brou verify` as people use it: every option, and what it writes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from brou.native.shared_object import NoCompiler
from brou_conformance.programs.child import Child, Failure
from brou_conformance.programs.containment import is_contained
from brou_conformance.protocol import fault
from brou_conformance.scenarios.corpus import corpus_root, scenarios
from brou_conformance.verdicts.plan import Selection
from brou_tools.bench import start
from brou_tools.cli import main

ADAPTERS = corpus_root().parent / "adapters"
HONEST = [sys.executable, str(ADAPTERS / "python" / "adapter.py")]
MISREAD = [sys.executable, str(ADAPTERS / "python" / "misread" / "adapter.py")]
CARDS_ONLY = [sys.executable, str(ADAPTERS / "cards-only" / "adapter.py")]
SOME = ["--game", "brouc", "-k", "brouc.over."]
#: The program of an author, a tenth of a second for each line.
_SLOW = """import subprocess, sys, time
with subprocess.Popen([sys.executable, {adapter!r}], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
    for line in sys.stdin.buffer:
        time.sleep(0.1)
        child.stdin.write(line)
        child.stdin.flush()
        sys.stdout.buffer.write(child.stdout.readline())
        sys.stdout.buffer.flush()
"""
CASE = "brouc.over.underruff-only-without-a-plain-card"
#: How many figures a benchmark has of a game: four more where engines in C can be made.
FIGURES = 29


def ended(arguments: list[str]) -> int:
    """Return the exit code of a command, usage errors included."""
    try:
        return main(arguments)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else -1


@pytest.mark.slow
def test_copies_of_a_program_share_the_work(capsys: pytest.CaptureFixture[str]) -> None:
    """With `--jobs` everything comes out as without."""
    assert ended(["verify", *SOME, "--", *HONEST]) == 0
    alone = capsys.readouterr().out
    assert ended(["verify", *SOME, "--jobs", "3", "--", *HONEST]) == 0
    assert capsys.readouterr().out == alone


def test_cases_are_listed_without_being_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be asked is told with its reason."""
    assert ended(["verify", *SOME, "--list", "--", *CARDS_ONLY]) == 0
    told = capsys.readouterr().out.splitlines()

    assert "brouc@2022:4 brouc.over.lower-trump-refused" in told
    assert any(line.endswith("steps: it does not offer winner)") for line in told)


@pytest.mark.usefixtures("unexplained")
@pytest.mark.slow
def test_every_output_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JUnit, Markdown, badge and record beside what is printed."""
    names = {form: str(tmp_path / form) for form in ("junit", "markdown", "badge", "report")}
    options = [part for form, name in names.items() for part in (f"--{form}", name)]
    assert ended(["verify", *SOME, *options, "--", *MISREAD]) == 1

    assert "deviates" in capsys.readouterr().out
    assert (tmp_path / "junit").read_text(encoding="utf-8").startswith("<?xml")
    assert "❌ deviates" in (tmp_path / "markdown").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "badge").read_text(encoding="utf-8"))["color"] == "red"
    lines = (tmp_path / "report").read_text(encoding="utf-8").splitlines()
    assert {fault("record", json.loads(line)) for line in lines} == {None}


@pytest.mark.parametrize("where", ["option", "environment"])
def test_a_folder_of_texts_that_is_not_there_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], where: str
) -> None:
    """Before anything is asked, whoever named it."""
    gone = str(tmp_path / "gone")
    if where == "environment":
        monkeypatch.setenv("BROU_SOURCES", gone)

    assert ended(["verify", *["--sources", gone] * (where == "option"), "--", "/no/such/program"]) == 2
    assert f"{gone}: no folder of source texts; name the folder" in capsys.readouterr().err


def test_the_closing_line_names_the_script(capsys: pytest.CaptureFixture[str]) -> None:
    """A program that an interpreter runs is called by its script, not `python`."""
    assert ended(["verify", "-k", CASE, "--verbose", "--", *HONEST]) == 0
    assert capsys.readouterr().err.splitlines()[-1].startswith("brou verify: judged adapter.py in ")


def test_an_output_for_programs_stands_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever asks for a form on the standard output gets nothing else there."""
    assert ended(["verify", *SOME, "--badge", "-", "--", *HONEST]) == 0
    assert json.loads(capsys.readouterr().out)["label"] == "brou"


@pytest.mark.usefixtures("unexplained")
@pytest.mark.slow
def test_the_wire_is_shown_where_something_fails(capsys: pytest.CaptureFixture[str]) -> None:
    """Request and answers, on standard error."""
    assert ended(["verify", "-k", CASE, "--trace", "--", *MISREAD]) == 1
    told = capsys.readouterr().err

    assert told.startswith(f"brouc@2022:4 {CASE}: fail\n  > {{")
    assert '  < {"legal":3}: {"legal":' in told


@pytest.mark.usefixtures("unexplained")
@pytest.mark.slow
def test_what_is_known_to_fail_is_no_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0 as long as nothing else fails, and 1 once it passes."""
    known = tmp_path / "known.txt"
    known.write_text(f"{CASE}  # to be mended\n", encoding="utf-8")
    options = ["verify", "-k", CASE, "--known-failing", str(known), "--"]

    assert ended([*options, *MISREAD]) == 0
    assert "It deviates only as known, in 1 case." in capsys.readouterr().out
    assert ended([*options, *HONEST]) == 1
    assert f"Known to fail, but passes: {CASE}" in capsys.readouterr().out


@pytest.mark.usefixtures("unexplained")
@pytest.mark.slow
def test_a_known_failure_that_is_no_scenario_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A list never grows stale; what the program comes to stays as it is."""
    known = tmp_path / "known.txt"
    known.write_text(f"{CASE}\n{CASE}s\n", encoding="utf-8")

    assert ended(["verify", "-k", CASE, "--known-failing", str(known), "--", *MISREAD]) == 0
    said = capsys.readouterr().err
    assert said == f"brou: {known}: there is no scenario '{CASE}s'; did you mean '{CASE}'?\n"


def test_a_known_failure_that_is_no_name_at_all_is_told_briefly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of zeros makes no message of a million characters."""
    known = tmp_path / "known.txt"
    known.write_bytes(bytes(600_000))

    assert ended(["verify", "-k", CASE, "--known-failing", str(known), "--", *HONEST]) == 0
    assert len(capsys.readouterr().err) < 1000


@pytest.mark.slow
def test_of_many_names_that_are_no_scenarios_the_rest_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody else's list of a hundred thousand lines makes a screen of messages, not a hundred thousand."""
    known = tmp_path / "known.txt"
    known.write_text("".join(f"nothing-{number}\n" for number in range(50)), encoding="utf-8")

    assert ended(["verify", "-k", CASE, "--known-failing", str(known), "--", *HONEST]) == 0
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 21
    assert said[-1] == f"brou: {known}: 30 more that are no scenarios"


@pytest.mark.usefixtures("unexplained")
@pytest.mark.slow
def test_what_has_changed_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In words and as JSON."""
    report = str(tmp_path / "report")
    assert ended(["verify", "-k", CASE, "--report", report, "--", *HONEST]) == 0
    capsys.readouterr()
    assert ended(["verify", "-k", CASE, "--since", report, "--", *MISREAD]) == 1
    told = capsys.readouterr().out
    assert "Since the earlier report: 1 worse.\n" in told
    assert ended(["verify", "-k", CASE, "--since", report, "--json", "--", *MISREAD]) == 1
    document = json.loads(capsys.readouterr().out)
    assert fault("report", document) is None
    assert document["since"]["worse"] == [f"brouc@2022:4 {CASE}"]


@pytest.mark.slow
def test_a_record_of_another_program_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Answers of one program are never taken for those of another."""
    report = str(tmp_path / "report")
    assert ended(["verify", *SOME, "--report", report, "--", *CARDS_ONLY]) == 0
    assert ended(["verify", *SOME, "--report", report, "--resume", "--", *HONEST]) == 2
    assert "it is of another program: the command is another" in capsys.readouterr().err


def test_a_selection_that_applies_to_nothing_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """A scenario of another edition alone leaves nothing to ask; nor is there anything to list."""
    found = [one for one in scenarios("brouc") if one.editions == ("club-2026",)]
    options = ["verify", "--game", "brouc", "--edition", "2022", "-k", found[0].id]

    assert ended([*options, "--", *HONEST]) == 1
    assert "Nothing was asked: none of the scenarios wanted applies" in capsys.readouterr().err
    assert ended([*options, "--list", "--", *HONEST]) == 1
    assert "Nothing was asked: none of the scenarios wanted applies" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--jobs", "0", "--", "x"], "'0' is no number from 1 to 256"),
        (["--resume", "--", "x"], "--resume goes on with a report"),
        (["--list", "--json", "--", "x"], "--list tells people"),
        (["--junit", "-", "--json", "--", "x"], "--junit, --json: only one of them can go to the standard output"),
        (["--badge", "", "--", "x"], "'' is no name of a file or folder"),
        (["--timeout", "1e300", "--", "x"], "'1e300' is no number of seconds"),
        (["--junit", "/no/such/file", "--", "x"], "brou: /no/such/file: No such file or directory"),
        (["--report", "/no/such/file", "--", "x"], "brou: /no/such/file: No such file or directory"),
        (["--python", "a:B", "--", "x"], "--python takes no program"),
        (["--python", "a:B", "--jobs", "2"], "--python has none"),
        (["--python", "a:B", "--memory", "1G"], "--python has none"),
    ],
)
def test_options_that_cannot_go_together_end_with_two(
    options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is started."""
    assert ended(["verify", *options]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.slow
def test_an_interruption_is_not_kept_from_other_threads(tmp_path: Path) -> None:
    """Copies of a program that answers slowly are not waited for, and the report holds whole lines."""
    program = tmp_path / "program.py"
    program.write_text(_SLOW.format(adapter=HONEST[1]), encoding="utf-8")
    report = tmp_path / "report.ndjson"
    command = [sys.executable, "-P", "-m", "brou_tools.cli", "verify", "--jobs", "2", "--report", str(report)]
    with subprocess.Popen([*command, "--", sys.executable, str(program)], start_new_session=True) as child:
        while not (report.exists() and report.read_bytes().count(b"\n") > 2):
            time.sleep(0.1)
        child.send_signal(signal.SIGINT)
        child.wait(20)

    assert child.returncode == 130
    assert [json.loads(line)["kind"] for line in report.read_text(encoding="utf-8").splitlines()][:2] == [
        "begin",
        "case",
    ]


HOG = [sys.executable, "-c", "import time; hoard = b'x' * (300 << 20); time.sleep(1000)"]
SPIN = [sys.executable, "-c", "while True: pass"]


@pytest.mark.slow
@pytest.mark.skipif(not is_contained(), reason="bounds are held on Linux alone")
@pytest.mark.parametrize(
    ("bound", "program", "told"),
    [
        (["--memory", "200M"], HOG, "it used more than 200 MB of memory"),
        (["--memory", "204800k"], HOG, "it used more than 200 MB of memory"),
        (["--cpu", "0.3"], SPIN, "it used more than 0.3 s of processor time"),
    ],
    ids=["memory", "memory in kibibytes", "processor time"],
)
def test_a_program_that_takes_more_than_it_may_cannot_be_used(
    capsys: pytest.CaptureFixture[str], bound: list[str], program: list[str], told: str
) -> None:
    """It is ended before its first answer, and why is told in one sentence."""
    assert ended(["verify", *SOME, *bound, "--", *program]) == 3
    assert told in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(not is_contained(), reason="bounds are held on Linux alone")
def test_bounds_that_are_kept_change_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """A program that takes less than it may is judged as without bounds."""
    assert ended(["verify", *SOME, "--", *HONEST]) == 0
    alone = capsys.readouterr().out
    assert ended(["verify", *SOME, "--memory", "1G", "--cpu", "100", "--", *HONEST]) == 0
    assert capsys.readouterr().out == alone


def test_bounds_are_refused_where_they_cannot_be_held(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody is led to believe in a bound that nobody holds."""
    monkeypatch.setattr("brou_tools.verify.command.is_contained", lambda: False)

    assert ended(["verify", *SOME, "--memory", "1G", "--", *HONEST]) == 2
    assert "--memory and --cpu are held on Linux alone" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "M", "512", "0M", "-1M", "1.5G", "512MB", "1T", "x", "9" * 30 + "G"])
def test_a_size_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], text: str) -> None:
    """What is to be written instead is told."""
    assert ended(["verify", f"--memory={text}", "--", *HONEST]) == 2
    assert f"{text!r} is no size: a whole number and K, M or G, as in 512M" in capsys.readouterr().err


@pytest.mark.slow
def test_what_cannot_be_ended_is_told_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report stands, and nobody takes the run for a clean one."""
    close = Child.close

    def closed(child: Child) -> Failure:
        close(child)
        return Failure("crash", "2 of its processes could not be ended")

    monkeypatch.setattr(Child, "close", closed)

    assert ended(["verify", *SOME, "--", *HONEST]) == 3
    told = capsys.readouterr()
    assert "follows the edition" in told.out
    assert told.err == "brou: the program is ended, but 2 of its processes could not be ended\n"


#: Where the numbers of rounds of a benchmark stand.
TIMED = ("bench.command", "bench.engines", "bench.patches", "bench.start")


def find_nothing(*_: object) -> None:
    """Say that there is nothing that makes or runs WebAssembly."""
    raise NoCompiler("nothing runs WebAssembly here")


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a benchmark time next to nothing, and once; the check of all games after an edit takes no time at all."""
    for name in TIMED:
        monkeypatch.setattr(f"brou_tools.{name}._ROUNDS", 1)
    monkeypatch.setattr("brou_tools.bench.engines._DECISIONS", 20)
    monkeypatch.setattr("brou_tools.bench.native._FAST", 2_000)
    monkeypatch.setattr("brou_tools.bench.native.WasmEngine", find_nothing)
    monkeypatch.setattr("brou_tools.bench.native.find_peer", lambda: "no peer here")
    monkeypatch.setattr("brou_tools.bench.start.OPEN_FIRST", "{!r}")
    monkeypatch.setattr("brou_tools.bench.patches._MUTANTS", 2)
    monkeypatch.setattr("brou_tools.bench.patches.vary_one_reading", lambda choice: [("", choice)])
    monkeypatch.setattr("brou_tools.bench.patches._measure_edit", lambda *_: 1.0)
    # The program that is timed knows no more than the little that it is asked here, and a quick run asks of everything.
    monkeypatch.setattr("brou_tools.bench.command.time_quick", lambda *_: 1.0)
    monkeypatch.setattr("brou_tools.bench.command._STEP", 0.0001)
    monkeypatch.setattr("brou_tools.bench.command._SLOW_STEPS", 20)
    monkeypatch.setattr("brou_tools.bench.command.Selection", partial(Selection, text="brouc.over."))


def measured(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    """Assert that a benchmark ends well and that every figure has its target and its work; return the figures."""
    assert ended(["bench", "brouc", "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["games"]

    assert entry["game"] == "brouc"
    assert len(entry["rows"]) == FIGURES
    assert all({"what", "value", "unit", "target", "work", "met"} <= set(row) for row in entry["rows"])
    assert all((row["value"] is None) == bool(row["skipped"]) for row in entry["rows"])
    return list(entry["rows"])


# It guards the whole benchmark; most of its rows have tests of their own.
@pytest.mark.thorough
@pytest.mark.usefixtures("little")
def test_the_benchmark_compares_the_same_work(capsys: pytest.CaptureFixture[str]) -> None:
    """Every figure has its target and its work; how fast it is, is no test's business."""
    rows = measured(capsys)

    assert "no peer here" in {row["skipped"] for row in rows}


# It guards, beyond the test of little work, that the whole corpus passes and that all games are checked after an edit.
@pytest.mark.thorough
def test_the_timed_starts_run() -> None:
    """The scripts whose start is timed are good Python: the quick benchmark has others in their place."""
    for script in (start.PLAY_FIRST, start.OPEN_FIRST):
        subprocess.run([sys.executable, "-P", "-c", script.format("brouc", None)], check=True)


@pytest.mark.thorough
def test_the_whole_benchmark_compares_the_same_work(capsys: pytest.CaptureFixture[str]) -> None:
    """So it is with as much work as `brou bench` has."""
    measured(capsys)
