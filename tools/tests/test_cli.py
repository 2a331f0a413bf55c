"""The command line: what each command ends with, and what it says."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema_rs
import pytest
import yaml

import brou_tools
from brou import BrokenPromise, rules
from brou.language.export import identity
from brou.words.glossary import glossary
from brou_conformance.programs.session import Limits
from brou_conformance.protocol import fault, schema
from brou_conformance.scenarios.corpus import corpus_root, games
from brou_tools.cli import COMMANDS, main
from brou_tools.options.vocabulary import LANGUAGES
from brou_tools.prove.options import ProveOptions

ADAPTERS = corpus_root().parent / "adapters" / "python"
HONEST = [sys.executable, str(ADAPTERS / "adapter.py")]
MISREAD = [sys.executable, str(ADAPTERS / "misread" / "adapter.py")]
ONE = ["-k", "brouc.over.ruff-must-beat-the-ruff"]


def ended(arguments: list[str]) -> int:
    """Return the exit code of a command, usage errors included."""
    try:
        return main(arguments)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else -1


@pytest.mark.slow
def test_a_program_that_conforms_ends_with_nought(capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict stands in the first line."""
    assert ended(["verify", *ONE, "--", *HONEST]) == 0
    verdict = "brouc@2022: brou-table 1.0 follows the edition."
    first, second, *_, counted, part, _ = capsys.readouterr().out.splitlines()
    assert (first, counted) == (verdict, "  1 case: 1 passes.")
    assert part.startswith("  Only a part was asked: 1 of ")
    assert second.startswith("  Card play: 6 questions, none wrong")


@pytest.mark.usefixtures("unexplained")
@pytest.mark.slow
def test_a_program_that_deviates_ends_with_one(capsys: pytest.CaptureFixture[str]) -> None:
    """The report shows what the program said and what the rules say."""
    assert ended(["verify", *ONE, "--", *MISREAD]) == 1
    told = capsys.readouterr().out
    assert "the program: play AS 7S AH" in told
    assert "the rules:   play AS AH" in told


@pytest.mark.usefixtures("unexplained")
@pytest.mark.slow
def test_the_report_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    """With --json nothing but the document is written, and it has the shape of --schema."""
    assert ended(["verify", "--json", *ONE, "--", *MISREAD]) == 1
    report = json.loads(capsys.readouterr().out)
    assert fault("report", report) is None
    assert [run["verdict"] for run in report["runs"]] == ["deviates"]


def test_the_schema_of_the_report_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """No program is needed to learn what a report looks like."""
    assert ended(["verify", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == schema("report")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["judge"], "invalid choice: 'judge'"),
        (["prov"], "; did you mean 'prove'?"),
        (["draw", "hend"], "; did you mean 'hand'?"),
        (["prove", "--onyl", "x"], "unrecognized arguments: --onyl; did you mean '--only'?"),
        (["corpus", "--jsn", "list"], "unrecognized arguments: --jsn; did you mean '--json'?"),
        (["simulate", "--rubbish"], "unrecognized arguments: --rubbish"),
        (["--bad", "serve"], "brou: error: unrecognized arguments: --bad"),
        (["verify"], "name the program to judge after `--`"),
        (["verify", "brouc"], "brouc; the command of the program goes after `--`, the game after `--game`"),
        (["verify", "--"], "name the program to judge after `--`"),
        (["verify", "--timeout", "never", "--", "x"], "'never' is no number of seconds above zero"),
        (["verify", "--timeout", "-1", "--", "x"], "'-1' is no number of seconds above zero"),
        (["check", "--", "x"], "only `brou verify`, `brou fuzz` and `brou ask` take a program after `--`"),
        (["verify", "--game", "tarock", "--", *HONEST], "brou: unknown game 'tarock'; known: brouc, "),
        (
            ["verify", "-k", "no such thing", "--", *HONEST],
            " are known (see `brou corpus list`), such as 'brouc.",
        ),
        (["verify", "--scenarios", "/no/such", "--", *HONEST], "brou: /no/such: no folder of scenarios; name a folder"),
        (["dispute", "brouc.ovr.01"], "; did you mean 'brouc.over.01'"),
        (["show", "--chapters", "brouc.ovr.01"], "; did you mean 'brouc.over.01'"),
        (["serve", "brouc@1802"], "brou: unknown edition of brouc '1802'; known: 2022, club-2026"),
        (["export", "brouc[marking=loud]"], "brou: unknown value of marking 'loud'; known: implicit"),
        (["corpus", "list", "tarock"], "brou: unknown game with scenarios 'tarock'; known: brouc, "),
        (["corpus", "show", "brouc.over"], "brou: unknown scenario 'brouc.over'; did you mean 'brouc.over."),
        (["corpus", "show", "brouc.ovre.lower-trump-refused"], "; did you mean 'brouc.over.lower-trump-refused'"),
        (["corpus", "list", "--scenarios", "/no/such"], "brou: /no/such: no folder of scenarios; name a folder"),
        (["corpus", "coverage", "--scenarios", ""], "'' is no name of a file or folder"),
        (
            ["corpus", "show", "brouc.over.lower-trump-refused#low"],
            "unknown step of brouc.over.lower-trump-refused 'low'",
        ),
        (["export", "brouc[marking=implicit,marking=called]"], "names a reading twice: name each one once"),
        (["export", "x" * 9999], "xxx...'; known: brouc, "),
        (["witness", "--search", "--json"], "--search has no document: leave out --json"),
        (["witness", "--search", "--write"], "--search and --write are two things"),
        (["ambiguities", "--count", "1", "--json"], "--count has no document: leave out --json"),
        (["explain", "brouc.over.lower-trump-refuse"], "did you mean 'brouc.over.lower-trump-refused'"),
        (["witness", "bruoc"], "brou: unknown open passage or game 'bruoc'; did you mean 'brouc'"),
        (["export", "Brouc"], "did you mean 'brouc'?"),
        (["export", "--core"], "--core writes one rule base: name one"),
        (["export", "--core", "brouc", "hombre"], "--core writes one rule base: name one"),
        (["export", "--core", "--adapter", "brouc"], "--core and --adapter are two things"),
        (["export", "--schema"], "--schema is that of --core: name both"),
        (["export", "--core", "bruoc"], "brou: unknown game 'bruoc'; known: brouc"),
        (["export", "brouc[markng=loud]"], "did you mean 'marking'?"),
        (["simulate", "-n", "9" * 20], "is no number from 1 to"),
        (["simulate", "--seed", "9" * 5000], "is no whole number from 0 to"),
    ],
)
def test_what_cannot_be_meant_ends_with_two(
    capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    """Bad input is answered with what is wrong and what there is instead, on standard error."""
    assert ended(arguments) == 2
    shown = capsys.readouterr()
    assert told in " ".join(shown.err.split())
    assert shown.out == ""


def test_a_program_that_cannot_be_used_ends_with_three(capsys: pytest.CaptureFixture[str]) -> None:
    """Its last words are shown."""
    assert ended(["verify", "--", sys.executable, "-c", "raise SystemExit('no cards today')"]) == 3
    told = capsys.readouterr().err
    assert told.startswith("The program cannot be used: it ended (exit code 1).")
    assert "no cards today" in told


def test_a_run_that_asks_nothing_says_so_and_ends_with_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing conforms by never having been asked."""
    assert ended(["verify", "--game", "brouc", "--scenarios", str(tmp_path), "--", *HONEST]) == 1
    assert "There is no scenario for it: nothing was asked." in capsys.readouterr().out


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every command fail in a way that nobody foresaw."""

    def run(options: object) -> int:
        raise RuntimeError(f"oh dear, {type(options).__name__}")

    monkeypatch.setattr(
        "brou_tools.terminal.main.importlib", SimpleNamespace(import_module=lambda _: SimpleNamespace(run=run))
    )


@pytest.mark.usefixtures("broken")
def test_a_fault_of_ours_ends_with_four(capsys: pytest.CaptureFixture[str]) -> None:
    """People get a message and no traceback."""
    assert ended(["check"]) == 4
    told = capsys.readouterr().err
    assert told.startswith("brou: a fault of our own: RuntimeError: oh dear, CheckOptions")
    assert "Traceback" not in told


def test_what_rules_promise_and_break_is_their_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The place in the rules is told, and what to do there; nothing of it is for us to mend."""

    def run(options: object) -> int:
        raise BrokenPromise(f"rules.yaml:7:3: no row of it fires, {type(options).__name__}")

    monkeypatch.setattr(
        "brou_tools.terminal.main.importlib", SimpleNamespace(import_module=lambda _: SimpleNamespace(run=run))
    )
    assert ended(["check"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("brou: rules.yaml:7:3: no row of it fires, CheckOptions; the rules promise")
    assert "our own" not in told


def test_what_the_system_refuses_ends_with_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is no fault of ours: what, where, and what to do instead."""
    assert ended(["draw", "back", "-o", str(tmp_path / "no" / "back.svg")]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"brou: {tmp_path / 'no' / 'back.svg'}: No such file or directory; make the folder first")


def test_what_the_system_refuses_without_a_place_ends_with_two(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such as one more process; what has been written stays written."""

    def run(options: object) -> int:
        print(type(options).__name__)
        raise BlockingIOError(errno.EAGAIN, "no more processes")

    monkeypatch.setattr(
        "brou_tools.terminal.main.importlib", SimpleNamespace(import_module=lambda _: SimpleNamespace(run=run))
    )
    assert ended(["check"]) == 2
    assert capsys.readouterr() == (
        "CheckOptions\n",
        "brou: the system: no more processes; allow more processes (ulimit -u), or end some\n",
    )


@pytest.mark.slow
@pytest.mark.parametrize("body", ["raise ImportError('broken')", "import docutils.nothing"])
def test_a_package_that_is_not_there_is_named(tmp_path: Path, body: str) -> None:
    """With the extra that brings it, whether it lacks or cannot be imported."""
    (tmp_path / "docutils").mkdir()
    (tmp_path / "docutils" / "__init__.py").write_text(f"{body}\n", encoding="utf-8")
    done = brou("ambiguities", env={**os.environ, "PYTHONPATH": str(tmp_path)})

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "brou: this needs docutils: pip install 'brou[books]'\n"


def test_without_a_solver_nothing_is_said_of_obligations(tmp_path: Path) -> None:
    """Mutants that no solver was asked about are not told as noticed."""
    (tmp_path / "z3.py").write_text("raise ImportError('broken')\n", encoding="utf-8")
    done = brou("mutate", "brouc", "-n", "1", env={**os.environ, "PYTHONPATH": str(tmp_path)})

    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'brou[prove]'" in done.stderr


@pytest.mark.parametrize(
    ("closed", "code"), [("<&-", 0), (">&-", 0), ("2>&-", 0), (">/dev/full", 2), ("2>/dev/full", 0)]
)
def test_streams_that_are_closed_or_full_do_no_harm(closed: str, code: int) -> None:
    """No traceback; only what could not be written is told."""
    command = f'"{sys.executable}" -P -m brou_tools.cli serve brouc {closed}'
    greeting = '{"op": "ping", "id": 1}\n'
    done = subprocess.run(["/bin/sh", "-c", command], input=greeting, capture_output=True, text=True, check=False)

    assert done.returncode == code
    assert done.stderr.startswith("brou: the standard output: No space left" if code else "")
    assert "Traceback" not in done.stderr


def test_an_interruption_is_no_fault(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Even while modules are still being loaded: no traceback, and the exit code that shells know."""

    def interrupted(name: str) -> None:
        raise KeyboardInterrupt(name)

    monkeypatch.setattr("brou_tools.terminal.main.importlib", SimpleNamespace(import_module=interrupted))
    assert ended(["check"]) == 130
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_an_interruption_ends_all_processes() -> None:
    """A terminal sends it to all of them; nobody goes on with what is left to do, and nobody complains."""
    command = [sys.executable, "-P", "-m", "brou_tools.cli", "simulate", "brouc@2022", "-n", "9999999", "--jobs", "2"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as child:
        with suppress(subprocess.TimeoutExpired):
            child.wait(4)
        os.killpg(child.pid, signal.SIGINT)
        said = child.communicate(timeout=20)[1]

    assert (child.returncode, said) == (130, b"")
    with pytest.raises(ProcessLookupError):
        os.killpg(child.pid, 0)


@pytest.mark.slow
def test_who_ends_a_command_ends_its_processes() -> None:
    """Nobody goes on working for one that was told to end from outside."""
    command = [sys.executable, "-P", "-m", "brou_tools.cli", "simulate", "brouc@2022", "-n", "9999999", "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as child:
        while child.poll() is None and not Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text():
            time.sleep(0.1)
        child.terminate()
        said = child.communicate(timeout=20)[0]

    assert (child.returncode, said) == (128 + signal.SIGTERM, b"")
    with pytest.raises(ProcessLookupError):
        os.killpg(child.pid, 0)


@pytest.mark.usefixtures("broken")
def test_a_traceback_may_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    """With BROU_DEBUG the fault is raised as it is."""
    monkeypatch.setenv("BROU_DEBUG", "1")

    with pytest.raises(RuntimeError, match="oh dear"):
        main(["check"])


@pytest.mark.thorough
def test_our_own_data_has_no_faults(capsys: pytest.CaptureFixture[str]) -> None:
    """Rules and scenarios are checked together, as by `make check`."""
    assert ended(["check"]) == 0
    assert capsys.readouterr().out == ""


GOOD = (corpus_root() / "brouc" / "overtrumping.yaml").read_text(encoding="utf-8")
TITLES = {one["id"]: one["title"] for one in yaml.safe_load(GOOD)}


def test_a_scenario_file_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file in a folder of its game's name is read as scenarios of that game."""
    (tmp_path / "brouc").mkdir()
    path = tmp_path / "brouc" / "mine.yaml"
    path.write_text(GOOD, encoding="utf-8")
    assert ended(["check", str(path)]) == 0

    path.write_text(GOOD.replace("    brouc.over.01: ", "    brouc.over.99: ", 1), encoding="utf-8")
    assert ended(["check", str(path)]) == 1
    assert "unknown clause 'brouc.over.99'" in capsys.readouterr().out


def test_a_folder_of_scenarios_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every file of every game is looked at, and each fault told in a line with its place."""
    (tmp_path / "brouc").mkdir()
    (tmp_path / "brouc" / "one.yaml").write_text("- {id: A}", encoding="utf-8")
    assert ended(["check", str(tmp_path)]) == 1
    told = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert all(line.startswith("brouc/one.yaml:1:") for line in told)


def test_a_card_dealt_twice_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A scenario whose deal holds a card twice is a fault of its file, by card."""
    (tmp_path / "brouc").mkdir()
    hands = "{0: [AS, TS, AH, TH, AD, TD, AC, QS], 1: [KS, 7S, KH, 7H, KD, 7D, KC, 7C], "
    hands += "2: [QS, 8S, QH, 8H, QD, 8D, QC, 8C], 3: [JS, 9S, JH, 9H, JD, 9D, JC, 9C]}"
    head = "- id: brouc.twice\n  title: A card twice\n  clauses: {brouc.over.01: [refuses]}\n"
    head += "  level: must\n  origin: hand\n"
    deal = f"  because: It is dealt twice.\n  deal: {{dealer: 3, turnup: 9S, hands: {hands}}}\n"
    (tmp_path / "brouc" / "one.yaml").write_text(f"{head}{deal}  steps:\n  - {{by: 0, act: {{play: AS}}}}\n", "utf-8")

    assert ended(["check", str(tmp_path)]) == 1
    assert "QS" in capsys.readouterr().out


def test_a_path_that_is_nothing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file is bad input and said to be missing."""
    assert ended(["check", "/no/such"]) == 2
    assert capsys.readouterr().err == "brou: /no/such: no such file or folder; name one that is there\n"


def test_missing_source_texts_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A missing folder of source texts is bad input too."""
    assert ended(["check", "--sources", "/no/such"]) == 2
    assert capsys.readouterr().err == "brou: /no/such: no such file or folder; name one that is there\n"


def test_scenarios_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """A line a scenario: its id and its title."""
    assert ended(["corpus", "list", "brouc"]) == 0
    assert "brouc.over.ruff-must-beat-the-ruff  Who overruffs must go above the ruff\n" in capsys.readouterr().out


def test_lists_are_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    """With --json there is one entry a scenario, game by game."""
    assert ended(["corpus", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert fault("corpus", listed) is None
    assert list(dict.fromkeys(entry["game"] for entry in listed["scenarios"])) == list(games())


def test_what_the_scenarios_cover_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A line a clause and a sum for each game; all that is needed is there."""
    assert ended(["corpus", "coverage", "brouc"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"^brouc.over.01 +play +\d+ +\d+ ", told, re.MULTILINE)
    assert re.search(r"^brouc: \d+ scenarios, .* 0 empty$", told, re.MULTILINE)


def test_an_empty_cell_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A corpus that leaves a needed cell empty without a reason ends with one."""
    (tmp_path / "brouc").mkdir()
    (tmp_path / "brouc" / "one.yaml").write_text(GOOD, encoding="utf-8")
    assert ended(["corpus", "coverage", "--scenarios", str(tmp_path)]) == 1
    assert "brouc.claim.01 permits: no scenario and no reason\n" in capsys.readouterr().out


@pytest.mark.slow
def test_a_bundle_has_the_page_for_authors_of_adapters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is the one that `brou export` prints."""
    few = tmp_path / "few" / "homme-d-auvergne"
    few.mkdir(parents=True)
    shutil.copy(corpus_root() / few.name / "turning.yaml", few)
    assert ended(["corpus", "bundle", "--scenarios", str(few.parent), "-o", str(tmp_path / "bundle")]) == 0
    capsys.readouterr()
    assert ended(["export", few.name, "--adapter"]) == 0

    page = (tmp_path / "bundle" / "adapters" / f"{few.name}.txt").read_text(encoding="utf-8")
    assert page.rstrip() == capsys.readouterr().out.rstrip()


@pytest.mark.slow
def test_a_bundle_is_written_to_a_folder_or_an_archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both have the same files, and the command says how many there are."""
    few = tmp_path / "few" / "homme-d-auvergne"
    few.mkdir(parents=True)
    shutil.copy(corpus_root() / few.name / "turning.yaml", few)
    for output in ("folder", "file.zip"):
        assert ended(["corpus", "bundle", "--scenarios", str(few.parent), "-o", str(tmp_path / output)]) == 0
    written = {path.relative_to(tmp_path / "folder").as_posix() for path in (tmp_path / "folder").rglob("*.*")}
    with zipfile.ZipFile(tmp_path / "file.zip") as archive:
        assert set(archive.namelist()) >= written >= {"index.json", "adapters/homme-d-auvergne.txt", "run.mjs"}

    assert f"{tmp_path / 'file.zip'}: " in capsys.readouterr().out


def test_coverage_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    """With --json there is one entry a game."""
    assert ended(["corpus", "coverage", "--json", "brouc", "brouc"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert fault("coverage", document) is None
    assert [entry["game"] for entry in document["games"]] == ["brouc"]


@pytest.fixture
def bilingual(tmp_path: Path) -> list[str]:
    """Return the options that name a corpus with the title and reason of one scenario in French."""
    (tmp_path / "brouc").mkdir()
    (tmp_path / "brouc" / "some.yaml").write_text(GOOD, encoding="utf-8")
    text = f"{ONE[1]}:\n  title: Coupe sur coupe\n  because: Il faut monter.\n"
    (tmp_path / "brouc" / "some.fr.yaml").write_text(text, encoding="utf-8")
    return ["--scenarios", str(tmp_path)]


@pytest.mark.parametrize(("lang", "own"), [(["--lang", "fr"], {ONE[1]: "Coupe sur coupe"}), ([], {})])
def test_scenarios_are_listed_in_a_language(
    bilingual: list[str], lang: list[str], own: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """In the one asked for, and in English where nothing is asked or there is no translation."""
    assert ended(["corpus", "list", *bilingual, *lang]) == 0
    told = dict(line.split("  ", 1) for line in capsys.readouterr().out.splitlines())
    assert ended(["corpus", "list", "--json", *bilingual, *lang]) == 0
    listed = {one["id"]: one["title"] for one in json.loads(capsys.readouterr().out)["scenarios"]}

    assert told == listed == TITLES | own


def test_a_scenario_is_shown_in_a_language(bilingual: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Both as its file has it and as data; all but title and reason stays."""
    name = [ONE[1], *bilingual, "--lang", "fr"]
    assert ended(["corpus", "show", *name]) == 0
    text = capsys.readouterr().out
    assert ended(["corpus", "show", "--json", *name]) == 0
    (shown,) = json.loads(capsys.readouterr().out)["games"][0]["scenarios"]

    assert "  title: Coupe sur coupe\n" in text
    assert "  because: Il faut monter.\n" in text
    assert yaml.safe_load(text) == [shown]


def test_a_language_of_others_is_refused(bilingual: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With those that there are."""
    assert ended(["corpus", "list", *bilingual, "--lang", "es"]) == 2
    assert "unknown language 'es'; known: en, fr, de" in capsys.readouterr().err


@pytest.mark.parametrize(("action", "kind"), [("list", "corpus"), ("coverage", "coverage")])
def test_the_schemas_of_lists_are_told(capsys: pytest.CaptureFixture[str], action: str, kind: str) -> None:
    """What a program will get can be learnt beforehand."""
    assert ended(["corpus", action, "--schema"]) == 0
    assert json.loads(capsys.readouterr().out) == schema(kind)


@pytest.mark.parametrize("name", ["brouc.over.ruff-must-beat-the-ruff", "brouc.over.ruff-must-beat-the-ruff#choice"])
def test_a_scenario_is_shown(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """A name from a report leads to the lines of the file."""
    assert ended(["corpus", "show", name]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("- id: brouc.over.ruff-must-beat-the-ruff\n")
    assert shown in GOOD


def test_a_scenario_is_shown_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    """Programs get it without YAML."""
    assert ended(["corpus", "show", "--json", ONE[1]]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["games"]
    assert entry["scenarios"][0]["deal"]["turnup"] == "QS"


def test_rules_are_exported(capsys: pytest.CaptureFixture[str]) -> None:
    """One document with one entry a rule base, named as on the command line."""
    assert ended(["export", "brouc@2022"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["games"]
    assert (entry["rules"], entry["id"]) == ("brouc@2022:4", "brouc")


def test_the_lowered_form_is_exported(capsys: pytest.CaptureFixture[str]) -> None:
    """One rule base by its name, readings included, what is left out being as it is first; it has the told schema."""
    assert ended(["export", "--core", "brouc[marking=explicit-any]"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert ended(["export", "--core", "--schema"]) == 0
    told = json.loads(capsys.readouterr().out)

    assert (document["rules"], document["readings"]["marking"]) == ("brouc@2022:4", "explicit-any")
    assert document["hash"] == identity(rules("brouc[marking=explicit-any]"))
    assert jsonschema_rs.validator_for(told).is_valid(document)


def brou(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line as people do."""
    command = [sys.executable, "-P", "-m", "brou_tools.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@pytest.mark.slow
def test_the_reference_engine_is_a_program_like_any_other() -> None:
    """`brou verify -- brou serve` judges the interpreter over the wire."""
    done = brou("verify", *ONE, "--", sys.executable, "-P", "-m", "brou_tools.cli", "serve", "brouc@2022")

    said = r"brouc@2022: brou \S+ follows the edition\.\n(  .*\n)*  1 case: 1 passes\.\n  Only a part was (.|\n)*"
    assert re.fullmatch(said, done.stdout)
    assert done.returncode == 0


def test_output_in_another_alphabet_does_not_fail() -> None:
    """A terminal that knows no accents gets them spelt out."""
    done = brou("corpus", "list", env={**os.environ, "PYTHONIOENCODING": "ascii"})

    assert (done.returncode, done.stderr) == (0, "")


def loaded_by(*arguments: str) -> set[str]:
    """Return the packages and modules that have been imported when a command ends."""
    script = "import sys, atexit\natexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr))\n"
    script += "from brou_tools.cli import main\nsys.exit(main())"
    done = subprocess.run([sys.executable, "-P", "-c", script, *arguments], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stderr.split()}


@pytest.mark.parametrize("arguments", [["--help"], ["draw", "--help"], ["corpus", "--help"]])
def test_help_loads_nothing(arguments: list[str]) -> None:
    """`brou --help` answers in little more than the time that an interpreter takes to start."""
    heavy = {"argparse", "collections", "dataclasses", "re", "typing", "textwrap", "shutil"}
    more = heavy if arguments == ["--help"] else set()

    assert loaded_by(*arguments) & {"brou", "brou_conformance", "yaml", "json", "subprocess", *more} == set()


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_loads_its_options_alone(command: str) -> None:
    """Neither its work, nor the rules, nor what makes classes by inspection."""
    assert (
        loaded_by(command, "--help") & {"brou", "brou_conformance", "yaml", "json", "dataclasses", "inspect"} == set()
    )


def test_help_lists_the_languages_of_the_glossary() -> None:
    """Whoever adds a language finds it in the help of every command."""
    *others, last = glossary().languages

    assert f"{', '.join(others)} or {last}" == LANGUAGES


def list_command_lines() -> list[list[str]]:
    """Return every command, and each of those that stand below one name."""
    found: list[list[str]] = []
    for command in COMMANDS:
        room = import_module(f"brou_tools.{command}.options")
        below = vars(room).get("COMMANDS")
        found += [[command]] if below is None else [[command, one] for one in below]
    return found


@pytest.mark.parametrize("command", list_command_lines(), ids=" ".join)
def test_help_tells_how_a_command_takes_a_project(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """By `--data`, and from where one stands; `brou new`, which makes one, says where it goes."""
    assert ended([*command, "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    wanted = "where to write the project" if command == ["new"] else "the project: a folder with brou.toml"

    assert f"--data FOLDER {wanted}" in told


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_room(command: str) -> None:
    """With its options, its work, and a line of help; nothing is listed that is not there."""
    room = Path(brou_tools.__file__).parent / command

    assert {path.name for path in room.glob("*.py")} >= {"__init__.py", "command.py", "options.py"}


def test_options_stay_as_they_were_typed() -> None:
    """Whoever is handed them may rely on them."""
    options = ProveOptions(only=("x",))
    with pytest.raises(AttributeError, match="slow"):
        options.slow = True  # type: ignore[misc]

    assert (options.only, options.slow, options.games) == (("x",), False, ())


@pytest.mark.parametrize("width", ["40", "80", "200"])
def test_help_is_as_wide_as_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: str
) -> None:
    """And says the same in any width."""
    monkeypatch.setenv("COLUMNS", width)
    with pytest.raises(SystemExit) as ending:
        main(["--help"])
    shown = capsys.readouterr().out

    assert ending.value.code == 0
    assert max(map(len, shown.splitlines())) <= int(width)
    assert all(f"{command} {what}" in " ".join(shown.split()) for command, what in COMMANDS.items())


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """The one that is installed."""
    assert ended(["--version"]) == 0
    assert re.fullmatch(r"brou \d+\.\d+\.\d+\n", capsys.readouterr().out)


def test_the_times_in_the_help_are_true(capsys: pytest.CaptureFixture[str]) -> None:
    """What is used without an option is what the help says."""
    assert ended(["verify", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())

    assert f"for one request ({Limits().request:g})" in told
    assert f"for the first answer ({Limits().start:g}, or as --timeout)" in told
