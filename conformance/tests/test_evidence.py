"""Evidence: answers are those of one program, and whoever goes on with a record or replays it is told what that is."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from brou.shapes import write, write_object
from brou_conformance.programs import identity
from brou_conformance.programs.identity import ProgramName, TooLarge, identify, name_program
from brou_conformance.protocol import fault
from brou_conformance.reports.record import read_record
from brou_tools.cli import main

#: A program that plays one trick of a world of its own, honestly or not, as a file beside it says.
PROGRAM = """
import json, sys
from pathlib import Path
sys.path.insert(0, {adapters!r})
from adapter import Brouc, HommeDeBrou, Tables, answer
tables = Tables(Brouc, HommeDeBrou)
refuses = Path({mood!r}).read_text().strip() == "refuses"
with Path({asked!r}).open("a") as asked:
    for line in sys.stdin.buffer:
        said, request = answer(line, tables)[0], json.loads(line)
        print(request["op"], file=asked, flush=True)
        if request["op"] == "run" and refuses:
            said["results"] = [{{"no": True}} if "ok" in one else one for one in said["results"]]
        print(json.dumps(said), flush=True)
"""
SOME = ["--game", "brouc", "-k", "brouc.over."]


class Bench:
    """A program in a folder of its own, what it was asked, and the report on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "program"
        self.folder.mkdir()
        self.report = folder / "report.ndjson"
        self.mood, self.asked = folder / "mood", folder / "asked"
        self.file = self.folder / "program.py"
        adapters = str(Path(__file__).parents[1] / "adapters" / "python")
        said = PROGRAM.format(adapters=adapters, mood=str(self.mood), asked=str(self.asked))
        self.file.write_text(said, encoding="utf-8")
        self.play("honestly")

    def play(self, how: str) -> None:
        """Let the program play honestly, or refuse every act, without a change to its file."""
        self.mood.write_text(how, encoding="utf-8")

    def verify(self, *options: str) -> int:
        """Judge it, and return the exit code."""
        self.asked.write_text("", encoding="utf-8")
        command = ["--", sys.executable, str(self.file)]
        return main(["verify", *SOME, "--report", str(self.report), *options, *command])

    @property
    def runs(self) -> int:
        """Return how many scripts the program was asked last."""
        return self.asked.read_text(encoding="utf-8").split().count("run")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Return a program that was judged once."""
    found = Bench(tmp_path)
    assert found.verify() == 0
    return found


def test_a_record_about_what_it_is(bench: Bench) -> None:
    """Command, files, scenarios and rules; and of each case what was asked and what came back."""
    found = read_record(bench.report)

    assert found.program.command[-1] == str(bench.file)
    assert [name for name in found.program.files or () if name.endswith("program")]
    assert set(write_object(found.data["brouc"])) == {"corpus", "rules"}
    case = found.case(next(iter(found.cases.values())))
    assert case.requests and case.replies
    assert len(case.requests[0]["steps"]) == len(case.replies[0])
    assert fault("record", write(case)) is None


@pytest.mark.slow
def test_what_is_recorded_is_taken_over_and_counted(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict says how many cases were not asked again, and never that all of them were not."""
    asked = bench.runs
    capsys.readouterr()
    assert bench.verify("--resume") == 0
    told = capsys.readouterr().out
    cases = len(read_record(bench.report).cases)

    assert f"not asked again: {cases - 10}." in told
    assert 0 < bench.runs < asked
    document = bench.verify("--resume", "--json"), json.loads(capsys.readouterr().out)
    assert document[1]["runs"][0]["not_asked_again"] == cases - 10


def test_a_program_that_has_changed_is_refused(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """A file beside the program is other: the record is not gone on with, and stays as it was."""
    before = bench.report.read_bytes()
    (bench.folder / "rules.json").write_text("{}", encoding="utf-8")

    assert bench.verify("--resume") == 2
    assert "it is of another program: files have changed below" in capsys.readouterr().err
    assert bench.report.read_bytes() == before


def test_another_command_is_refused(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """An option more is another program."""
    bench.file.rename(bench.folder / "other.py")
    bench.file = bench.folder / "other.py"

    assert bench.verify("--resume") == 2
    assert "it is of another program: the command is another" in capsys.readouterr().err


@pytest.mark.slow
def test_old_answers_alone_say_nothing(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """A program that has become another without any change of its files is noticed by the sample."""
    bench.play("refuses")

    assert bench.verify("--resume") == 1
    told = capsys.readouterr()
    assert "asked again, the program answers otherwise: nothing is taken over from the report" in told.err
    assert "not asked again" not in told.out
    assert "deviates" in told.out


@pytest.mark.slow
def test_a_build_stands_instead_of_files(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever names the build vouches for it."""
    assert bench.verify("--build", "v1") == 0
    (bench.folder / "log.txt").write_text("written by the program", encoding="utf-8")

    assert bench.verify("--build", "v1", "--resume") == 0
    assert bench.verify("--build", "v2", "--resume") == 2
    assert "the build is 'v2' and was 'v1'" in capsys.readouterr().err


@pytest.mark.slow
def test_an_earlier_format_is_refused_with_what_to_do(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """It does not say of which program it is; what has changed since can still be told."""
    lines = [json.loads(line) for line in bench.report.read_bytes().splitlines()]
    lines[0] = {"kind": "begin", "format": "brou-report/1", "program": ["x"], "greeting": lines[0]["greeting"]}
    for line in lines:
        if line["kind"] == "case":
            line["answers"] = [one for reply in line.pop("replies") for one in reply]
            del line["requests"]
    old = "".join(json.dumps(line) + "\n" for line in lines[:-2])
    bench.report.write_text(old, encoding="utf-8")
    earlier = bench.report.with_name("earlier")
    earlier.write_text(old, encoding="utf-8")

    assert bench.verify("--resume") == 2
    assert "brou-report/1 does not say which program it is of; leave out --resume" in capsys.readouterr().err
    assert bench.verify("--since", str(earlier)) == 0
    assert "Since the earlier report (that report is not complete): nothing has changed." in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--resume", "--replay"])
def test_a_record_that_was_changed_lends_its_answers_to_nobody(
    bench: Bench, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its last line sums up all others."""
    text = bench.report.read_text(encoding="utf-8")
    bench.report.write_text(text.replace('{"ok":true}', '{"no":true}', 1), encoding="utf-8")

    if option == "--resume":
        assert bench.verify(option) == 2
    else:
        assert main(["verify", *SOME, option, str(bench.report)]) == 2
    assert "it was changed after it was written" in capsys.readouterr().err


# Without the program ------------------------------------------------------------------


@pytest.mark.slow
def test_a_record_is_judged_again_without_the_program(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """It comes to the same, says that nobody was asked, and every output comes out."""
    bench.file.unlink()
    capsys.readouterr()

    assert main(["verify", "-k", "brouc.over.", "--replay", str(bench.report), "--json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert (run["verdict"], run["cases"]["pass"]) == ("follows", run["not_asked_again"])
    assert main(["verify", *SOME, "--replay", str(bench.report), "--junit", "-"]) == 0
    told = capsys.readouterr().out
    assert 'failures="0"' in told
    assert f'name="not_asked_again" value="{run["not_asked_again"]}"' in told
    assert main(["verify", *SOME, "--replay", str(bench.report), "--markdown", "-"]) == 0
    assert f"- not asked again: {run['not_asked_again']}" in capsys.readouterr().out
    assert main(["verify", *SOME, "--replay", str(bench.report), "--badge", "-"]) == 0
    assert f", not asked again: {run['not_asked_again']}" in capsys.readouterr().out


@pytest.mark.slow
def test_a_statement_tells_of_the_record_and_no_more(bench: Bench, tmp_path: Path) -> None:
    """Its subject is the record by its hash; verdicts and figures are those of the record, made now or replayed."""
    made, replayed = tmp_path / "made.json", tmp_path / "replayed.json"
    assert bench.verify("--attest", str(made)) == 0
    assert main(["verify", *SOME, "--replay", str(bench.report), "--attest", str(replayed)]) == 0
    then, again = (json.loads(path.read_text(encoding="utf-8")) for path in (made, replayed))
    (run,) = (line for line in map(json.loads, bench.report.read_text().splitlines()) if line["kind"] == "run")

    assert then["subject"][0]["digest"]["sha256"] == hashlib.sha256(bench.report.read_bytes()).hexdigest()
    assert then["predicate"]["editions"]["brouc@2022"]["verdict"] == run["verdict"] == "follows"
    assert [fault("attestation", one) for one in (then, again)] == [None, None]
    assert (then["predicate"]["complete"], then["predicate"]["replayed"]) == (True, False)
    assert again == {**then, "predicate": {**then["predicate"], "replayed": True}}


@pytest.mark.slow
def test_a_statement_about_a_record_that_was_cut_says_so(bench: Bench, tmp_path: Path) -> None:
    """What is no longer whole is not attested as whole."""
    bench.verify()
    bench.report.write_bytes(b"".join(bench.report.read_bytes().splitlines(keepends=True)[:-1]))
    main(["verify", *SOME, "--replay", str(bench.report), "--attest", str(tmp_path / "cut.json")])

    assert json.loads((tmp_path / "cut.json").read_text(encoding="utf-8"))["predicate"]["complete"] is False


def test_a_statement_needs_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    """Without one there is nothing that it could be about."""
    with pytest.raises(SystemExit, match="2"):
        main(["verify", "--attest", "-", "--", "true"])

    assert "--attest describes a record" in capsys.readouterr().err


def test_a_record_without_a_case_is_no_verdict(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """Only what a record has cases of is judged; one that was cut off behind its first line has none."""
    bench.report.write_bytes(bench.report.read_bytes().splitlines(keepends=True)[0])

    assert main(["verify", "--replay", str(bench.report)]) == 3
    assert "The program cannot be used: the record holds no case." in capsys.readouterr().err


# What explains a program that refuses everything is looked for twice, which takes eight seconds. It guards the clauses
# of a replay; its exit code is guarded with old records.
@pytest.mark.thorough
def test_a_replay_of_a_failing_program_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code and clauses are those of the run."""
    bench = Bench(tmp_path)
    bench.play("refuses")
    assert bench.verify("--json") == 1
    first = json.loads(capsys.readouterr().out)
    assert main(["verify", *SOME, "--replay", str(bench.report), "--json"]) == 1
    again = json.loads(capsys.readouterr().out)

    assert again["runs"][0]["clauses"] == first["runs"][0]["clauses"]
    assert again["runs"][0]["cases"] == first["runs"][0]["cases"]


def test_what_a_record_has_no_answer_to_is_not_passed(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    """A record that was cut off is told to be incomplete, and its verdict is none."""
    lines = bench.report.read_bytes().splitlines(keepends=True)
    bench.report.write_bytes(b"".join(lines[:5]))

    assert main(["verify", *SOME, "--replay", str(bench.report)]) == 1
    told = capsys.readouterr()
    assert "the record is not complete" in told.err
    assert "could not be judged throughout" in told.out
    assert ": 4 pass, " in told.out
    assert "not asked again: 4." in told.out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--replay", "r", "--", "x"], "leave out a program after `--`"),
        (["--replay", "r", "--report", "s"], "leave out --report"),
        (["--replay", "r", "--families"], "leave out --families"),
        (["--build", "v1", "--", "x"], "--build names the program in a report"),
    ],
)
def test_what_cannot_go_together_is_refused(options: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A replay asks nobody; a build is named for a report."""
    with pytest.raises(SystemExit, match="2"):
        main(["verify", *options])
    assert told in capsys.readouterr().err


# What a program is --------------------------------------------------------------------


def files(*command: str) -> dict[str, str]:
    """Return the hashes of what a command names."""
    found: dict[str, str] = dict(identify(command).files or {})
    return found


def test_every_file_below_a_named_one_counts(tmp_path: Path) -> None:
    """Contents, names and the right to run; not what tools leave there."""
    program = tmp_path / "a" / "program.py"
    program.parent.mkdir()
    program.write_text("1", encoding="utf-8")
    seen = [files("x", str(program))]
    (program.parent / "deep").mkdir()
    for change in ("2", "3"):
        (program.parent / "deep" / "data").write_text(change, encoding="utf-8")
        seen.append(files("x", str(program)))
    (program.parent / "deep" / "data").chmod(0o755)
    seen.append(files("x", f"--program={program}"))
    (program.parent / "__pycache__").mkdir()
    (program.parent / "__pycache__" / "x.pyc").write_bytes(b"")

    assert len({json.dumps(one) for one in seen}) == 4
    assert files("x", str(program)) == seen[-1]


@pytest.mark.skipif(shutil.which("git") is None, reason="git is missing: install it to see what it ignores")
def test_the_repository_of_a_named_file_counts_but_for_what_it_ignores(tmp_path: Path) -> None:
    """What git would not keep says nothing, unless it stands beside the program."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)  # noqa: S607 - whichever git there is
    (tmp_path / ".gitignore").write_text("out/\n", encoding="utf-8")
    program = tmp_path / "src" / "program.py"
    for folder in ("src", "lib", "out"):
        (tmp_path / folder).mkdir()
    program.write_text("1", encoding="utf-8")
    first = files("x", str(program))
    (tmp_path / "out" / "log").write_text("1", encoding="utf-8")
    ignored = files("x", str(program))
    (tmp_path / "lib" / "rules").write_text("1", encoding="utf-8")

    assert ignored == first
    assert files("x", str(program)) != first


def test_of_an_interpreter_the_file_counts(tmp_path: Path) -> None:
    """The hundred other programs of its folder are none of the program's."""
    assert list(files(sys.executable, "-c", "pass")) == [sys.executable]
    assert files("no-such-program-anywhere", str(tmp_path / "no-file")) == {}


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (["bin/python", "-u", "my_script.py", "notes.txt"], "my_script.py"),
        (["bin/python", "-P", "-m", "my_module"], "my_module"),
        (["bin/brou", "serve", "brouc@2022", "--readings", "notes.txt"], "brou"),
        (["./my_program", "notes.txt"], "my_program"),
        (["bin/python", "gone.py"], "python"),
    ],
)
def test_a_program_has_the_name_of_its_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], name: str
) -> None:
    """An interpreter lends its name only to what is neither a script nor a module; a file of options is no script."""
    monkeypatch.chdir(tmp_path)
    for file in ("my_script.py", "notes.txt"):
        (tmp_path / file).write_text("", encoding="utf-8")

    assert name_program(command) == name


def test_links_count_by_where_they_lead(tmp_path: Path) -> None:
    """A link to another file is a change; a link that leads in a circle is no trap."""
    program = tmp_path / "program"
    program.write_text("1", encoding="utf-8")
    (tmp_path / "round").symlink_to(tmp_path)
    (tmp_path / "data").symlink_to("one")
    first = files("x", str(program))
    (tmp_path / "data").unlink()
    (tmp_path / "data").symlink_to("two")

    assert files("x", str(program)) != first


def test_a_folder_that_is_too_large_asks_for_a_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for gigabytes to be read."""
    monkeypatch.setattr(identity, "MAX_FILES", 3)
    for number in range(5):
        (tmp_path / f"file{number}").write_text("", encoding="utf-8")

    with pytest.raises(TooLarge, match="name the build instead: --build ID"):
        identify(["x", str(tmp_path / "file0")])
    assert identify(["x", str(tmp_path / "file0")], "v1") == ProgramName(
        command=("x", str(tmp_path / "file0")), build="v1"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="other systems know no such names")
def test_a_name_that_is_no_text_is_written_out(tmp_path: Path) -> None:
    """A byte that is no UTF-8 stands as an escape, in a form that every reader takes."""
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    Path(folder).mkdir()
    Path(folder, "program").write_text("1", encoding="utf-8")
    found = identify(["x", f"{folder}/program"])

    assert found.command[1].endswith("caf\\xe9/program")
    assert json.dumps(write(found)).encode("utf-8")
