"""The portable corpus: what its lines hold, and runners without us that come to the verdicts of `brou verify`."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from brou import book
from brou_conformance.portable.bundling import INDEX, make_archive, make_bundle
from brou_conformance.programs.child import Child
from brou_conformance.programs.session import Session
from brou_conformance.protocol import fault
from brou_conformance.scenarios.corpus import applying, corpus_root, games
from brou_conformance.scenarios.corpus import scenarios as scenarios_of
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verify import verify

ROOM = Path(__file__).resolve().parents[1]
ADAPTERS, ZOO, FROZEN = ROOM / "adapters", ROOM / "zoo", ROOM / "tests" / "frozen"
NODE, GO, JAVA, JAVAC = (shutil.which(name) for name in ("node", "go", "java", "javac"))
STARTERS = {".py": sys.executable, ".mjs": NODE}
#: The scenarios of a small bundle: marriages and trumps, announcements and what a text leaves open.
SMALL = ("overtrumping.yaml", "cape-announced.yaml", "forming.yaml")
GAME = "brouc"

Line = dict[str, Any]


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a few scenarios of one game."""
    folder = tmp_path_factory.mktemp("scenarios")
    (folder / GAME).mkdir()
    for name in SMALL:
        shutil.copy(corpus_root() / GAME / name, folder / GAME / name)
    return folder


@pytest.fixture(scope="module")
def bundle(scenarios: Path) -> dict[str, bytes]:
    """Return a small bundle."""
    return make_bundle([GAME], {GAME: "A guide."}, scenarios)


@pytest.fixture(scope="module")
def lines(bundle: dict[str, bytes]) -> list[Line]:
    """Return the cases of the first edition of a small bundle."""
    return read_lines(bundle)


def read_lines(bundle: dict[str, bytes]) -> list[Line]:
    """Return the cases of the first edition in a bundle."""
    edition = json.loads(bundle[INDEX])["editions"][0]
    return [json.loads(line) for line in bundle[edition["cases"]].splitlines()]


def write(bundle: dict[str, bytes], folder: Path) -> Path:
    """Write a bundle to a folder that has nothing else."""
    for path, content in bundle.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def home(bundle: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a small bundle."""
    return write(bundle, tmp_path_factory.mktemp("bundle"))


def script(line: Line) -> Line:
    """Return how a line is asked of a program that can take it whole."""
    (whole,) = line["ways"][0]["requests"]
    return dict(whole)


def asked(line: Line) -> Iterator[Line]:
    """Yield every request of a line, whichever way it belongs to."""
    return chain.from_iterable(way["requests"] for way in line["ways"])


def sent(line: Line) -> list[Line]:
    """Return the steps of the script of a line as they are sent."""
    return [step["send"] for step in script(line)["steps"]]


def answers(lines: list[Line]) -> Iterator[tuple[Line, Line, Line]]:
    """Yield each expected answer with its line and the step as it is sent; those of the edition's own readings."""
    for line in lines:
        for message, step in zip(sent(line), line["steps"], strict=True):
            for expected in [step["expect"]] if "expect" in step else step["values"].values():
                yield line, message, expected


# Files --------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_file_follows_its_schema(bundle: dict[str, bytes], lines: list[Line]) -> None:
    """The index, each case, each request in it, and the texts."""
    requests = [
        {"id": 1, **one["request"], "steps": [step["send"] for step in one["steps"]]}
        for line in lines
        for one in asked(line)
    ]

    assert fault("bundle", json.loads(bundle[INDEX])) is None
    assert [found for line in lines if (found := fault("case", line))] == []
    assert [found for request in requests if (found := fault("run.request", request))] == []
    assert fault("texts", json.loads(bundle[f"texts/{GAME}@2022.json"])) is None


@pytest.mark.slow
def test_the_index_names_every_file_with_its_hash(bundle: dict[str, bytes]) -> None:
    """Whoever has the index can tell whether a file is the one that was written."""
    listed = json.loads(bundle[INDEX])["files"]

    assert {path: one["sha256"] for path, one in listed.items()} == {
        path: hashlib.sha256(content).hexdigest() for path, content in bundle.items() if path != INDEX
    }


@pytest.mark.slow
def test_a_bundle_has_what_a_stranger_needs(bundle: dict[str, bytes]) -> None:
    """A page, the protocol, guides, schemas, runners and the licence; every link leads to one of them."""
    assert {"README.md", "PROTOCOL.md", "LICENSE", "run.mjs", "run.go", f"adapters/{GAME}.txt"} <= bundle.keys()
    assert {"schemas/case.schema.json", "schemas/run.request.schema.json"} <= bundle.keys()
    assert b"](../" not in bundle["PROTOCOL.md"] + bundle["README.md"]


# All derivations are made anew, which takes eight seconds; it guards that no order of a set gets into the files.
@pytest.mark.thorough
def test_the_same_data_make_the_same_bytes(
    bundle: dict[str, bytes], scenarios: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files and archive, made anew without anything kept from before."""
    monkeypatch.setattr("brou_conformance.portable.bundling.load_or_make", lambda *given: given[-1]())
    again = make_bundle([GAME], {GAME: "A guide."}, scenarios)

    assert again == bundle
    assert make_archive(again) == make_archive(bundle)
    with zipfile.ZipFile(BytesIO(make_archive(bundle))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == bundle


# Lines --------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_answer_is_derived(lines: list[Line]) -> None:
    """Each has its derivation, and each derivation the clauses that it rests on, but for acts that no clause knows."""
    found = [(line["id"], one) for line, _, expected in answers(lines) for one in expected["because"] or [None]]

    assert found
    assert [id_ for id_, one in found if one is None] == []
    assert [(id_, one) for id_, one in found if one and not one["clauses"] and is_known(one)] == []


def is_known(derived: Line) -> bool:
    """Say whether the game has what a derivation is about."""
    return derived.get("because") not in ({"code": "not_available"}, {"simply": "in_no_view"})


@pytest.mark.slow
def test_derivations_come_to_the_answers(lines: list[Line]) -> None:
    """An act is derived as allowed or refused as it is expected to be, and so are legal acts, one by one."""
    for _, message, expected in answers(lines):
        derived = expected["because"]
        if "act" in message and derived:
            assert derived[0]["allowed"] is ("ok" in expected)
            assert "ok" in expected or expected["no"] is True or derived[0]["code"] in expected["no"]
        for act, choices in expected.get("legal", {}).items():
            judged = [one for one in derived if act in one["act"]]
            allowed = [one["act"][act] for one in judged if one["allowed"]]
            assert not judged or not isinstance(choices, list) or sorted(map(str, allowed)) == sorted(map(str, choices))


@pytest.mark.slow
def test_derived_values_are_those_expected(lines: list[Line]) -> None:
    """What a view or a score is expected to have is what its derivation shows."""
    compared = 0
    for _, _, expected in answers(lines):
        derived = {one["sight"]: one for one in expected["because"] if "sight" in one}
        for key, value in expected.get("view", {}).items():
            assert derived[key]["value"] == value
            compared += 1
        # A key may be there without a value, as that of a card which nobody has turned up yet: nothing is told by it.
        told = [key for key in expected.get("hides", []) if derived[key]["seen"] and derived[key]["value"] is not None]
        assert told == []
        figures = [one for one in expected["because"] if "figure" in one]
        for key, value in expected.get("score", {}).items():
            values = [one["value"] for one in figures if one["figure"] == key]
            parts = {one["figure"].removeprefix(f"{key}/"): one["value"] for one in figures}
            fields = {name: parts[name] for name in value if name in parts} if isinstance(value, dict) else None
            assert values in ([value], value) or fields == value
            compared += 1
    assert compared


@pytest.mark.slow
def test_clauses_and_texts_of_derivations_are_there(bundle: dict[str, bytes], lines: list[Line]) -> None:
    """Every id that a line names has its text in the bundle."""
    texts = json.loads(bundle[f"texts/{GAME}@2022.json"])

    def walk(value: Any) -> Iterator[tuple[str, str]]:
        if isinstance(value, dict):
            yield from (("clause", one) for one in value.get("clauses", []))
            yield from [("text", value["text"])] if "text" in value else []
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for one in inside:
            yield from walk(one)

    named = {one for line in lines for one in walk(line["steps"])}

    assert {kind for kind, _ in named} == {"clause", "text"}
    assert {id_ for kind, id_ in named if kind == "clause"} <= texts["clauses"].keys()
    assert {id_ for kind, id_ in named if kind == "text"} <= texts["texts"].keys()


@pytest.mark.slow
def test_a_check_says_under_which_readings_it_counts(lines: list[Line]) -> None:
    """Some counts under some values of a reading alone; one of a line with a premise counts under that."""
    checks = [
        (request, check)
        for line in lines
        for request in asked(line)
        for step in request["steps"]
        for check in step["checks"]
    ]

    assert any(check["under"] for _, check in checks)
    assert [
        request["id"]
        for request, check in checks
        if any(check["under"][key] != [one] for key, one in request["premise"].items())
    ] == []


@pytest.mark.slow
def test_a_line_that_is_open_has_nothing_to_fail(lines: list[Line]) -> None:
    """It is asked and answered, and nothing is compared; every other line has something to compare."""
    checked = {line["id"]: any(step["checks"] for step in script(line)["steps"]) for line in lines}

    assert {line["level"] for line in lines} > {"open"}
    assert [line["id"] for line in lines if checked[line["id"]] == (line["level"] == "open")] == []


@pytest.mark.slow
def test_a_step_needs_what_the_acts_before_it_need(lines: list[Line]) -> None:
    """Who does not know an act is asked nothing behind it that play goes on to from there."""
    for line in lines:
        led: set[str] = set()
        for step, expected in zip(script(line)["steps"], line["steps"], strict=True):
            assert led <= set(step["needs"])
            if expected.get("expect", {}).get("ok"):
                led |= {f"act:{name}" for name in step["send"]["act"]}


# Runners ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ran:
    """What a runner printed, edition by edition, and its exit code."""

    verdicts: dict[str, str]
    cases: dict[str, frozenset[str]]
    code: int
    printed: str


def build(home: Path) -> str:
    """Return the Go runner as a program beside the bundle that it runs, built once."""
    assert GO is not None
    out = home / "runner"
    if not out.exists():
        subprocess.run([GO, "build", "-o", str(out), str(home / "run.go")], check=True)
    return str(out)


def runner(language: str, home: Path) -> list[str]:
    """Return the command of a runner; skip where its language is missing."""
    if language == "go":
        if GO is None:
            pytest.skip("go is not installed")
        return [build(home), str(home)]
    if NODE is None:
        pytest.skip("node is not installed")
    return [NODE, str(home / "run.mjs"), str(home)]


def run(language: str, home: Path, command: Sequence[str], empty: Path) -> Ran:
    """Run a runner in an empty folder, with nothing of ours in its environment."""
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(
        [*runner(language, home), *command], cwd=empty, env=environment, capture_output=True, text=True, check=False
    )
    told = [line.partition(": ") for line in done.stdout.splitlines() if ": " in line]
    cases = {name: frozenset(one for one in said.split()[1:] if "=" not in one) for name, _, said in told}
    return Ran({name: said.split()[0] for name, _, said in told}, cases, done.returncode, done.stdout)


@cache
def judge_whole(*command: str) -> dict[str, str]:
    """Return the verdicts of `brou verify` by the whole corpus, found once for both runners."""
    return judged(command)


def judged(command: Sequence[str], selection: Selection | None = None) -> dict[str, str]:
    """Return the verdicts of `brou verify`, edition by edition; none of a program that cannot be used."""
    with Session(lambda: Child.start(list(command))) as session:
        report = verify(session, selection, explains=False)
    return {f"{one.game}@{one.edition}": one.verdict.value for one in report.runs}


@cache
def compile_java(source: Path) -> str:
    """Return a folder with the classes of a Java program, which goes when the tests end; skip without Java."""
    if JAVA is None or JAVAC is None:
        pytest.skip("no Java compiler (javac) and runtime on the path")
    classes = TemporaryDirectory()
    atexit.register(classes.cleanup)
    subprocess.run([JAVAC, "-d", classes.name, *map(str, source.parent.glob("*.java"))], check=True)
    return classes.name


def start(program: Path) -> list[str]:
    """Return the command of an example program; skip where its language is missing."""
    if program.suffix == ".java":
        return [str(JAVA), "-cp", compile_java(program), program.stem]
    starter = STARTERS[program.suffix]
    if starter is None:
        pytest.skip("node is not installed")
    return [starter, str(program)]


both = pytest.mark.parametrize("language", ["javascript", "go"])
#: A program of each kind: right, wrong, one that knows positions alone, and one that knows few acts.
FEW = {
    "right": (ADAPTERS / "python" / "adapter.py", "follows"),
    "wrong": (ZOO / "brouc" / "underruff.py", "deviates"),
    "positions": (ADAPTERS / "cards-only" / "adapter.py", "follows"),
    "few-acts": (ADAPTERS / "game-object" / "adapter.py", "follows"),
}


@pytest.mark.sampled(4)
@pytest.mark.slow
@both
@pytest.mark.parametrize("kind", FEW)
def test_a_runner_comes_to_our_verdict(language: str, kind: str, home: Path, scenarios: Path, tmp_path: Path) -> None:
    """From an empty folder, for a program of each kind."""
    program, expected = FEW[kind]
    found = run(language, home, start(program), tmp_path)

    assert found.verdicts[f"{GAME}@2022"] == expected
    assert found.verdicts == judged(start(program), Selection(game=GAME, corpus=scenarios))
    assert found.code == (expected != "follows")


#: Programs with a misreading that the small bundle notices, two that follow the game, and one that reads a passage
#: otherwise than the edition without saying so.
SHARE = {
    "adapters/python/adapter.py": "follows",
    "adapters/javascript/adapter.mjs": "follows",
    "adapters/python/misread/adapter.py": "deviates",
    "tests/frozen/game-object/adapter.py": "follows-readings",
    "zoo/brouc/ruff_low.py": "deviates",
    "zoo/brouc/beaten_may_discard.mjs": "deviates",
}


@pytest.mark.sampled(3)
@pytest.mark.slow
@both
@pytest.mark.parametrize("program", SHARE)
def test_a_runner_tells_wrong_programs_from_right_ones(language: str, program: str, home: Path, tmp_path: Path) -> None:
    """From an empty folder: a share of the example programs and of the zoo."""
    found = run(language, home, start(ROOM / program), tmp_path)

    assert found.verdicts[f"{GAME}@2022"] == SHARE[program]


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("program", SHARE)
def test_both_runners_print_the_same(program: str, home: Path, tmp_path: Path) -> None:
    """Edition by edition, with the readings that a program follows and the case at which it deviates."""
    told = [run(language, home, start(ROOM / program), tmp_path).printed for language in ("javascript", "go")]

    assert told[0]
    assert told[0] == told[1]


@pytest.mark.sampled(2)
@pytest.mark.slow
@both
def test_a_runner_names_the_cases_that_fail(language: str, home: Path, scenarios: Path, tmp_path: Path) -> None:
    """They are those that `brou verify` names, and no other."""
    program = start(ZOO / "brouc" / "underruff.py")
    with Session(lambda: Child.start(program)) as session:
        report = verify(session, Selection(game=GAME, corpus=scenarios), explains=False)
    failing = {f"{one.game}@{one.edition}": frozenset(case.id for case in one.failing) for one in report.runs}

    assert failing[f"{GAME}@2022"]
    assert run(language, home, program, tmp_path).cases == failing


#: Programs that play as they should and misbehave at one request: what they do instead of answering.
MISCHIEF = {
    "dies": "sys.exit(1)",
    "babbles": "print('no JSON', flush=True)",
    "counts-wrongly": "print(json.dumps({**reply, 'id': 999}), flush=True)",
    "says-less": "print(json.dumps({**reply, 'results': reply['results'][:-1]}), flush=True)",
    "says-null": "print('null', flush=True)",
    "errs": "print(json.dumps({**reply, 'results': [{'err': 'oops'}] * len(reply['results'])}), flush=True)",
}
PROXY = """
import json, sys
sys.path.insert(0, {adapter!r})
from adapter import Brouc, HommeDeBrou, Tables, answer
tables = Tables(Brouc, HommeDeBrou)
for line in sys.stdin.buffer:
    reply = answer(line, tables)[0]
    if b"TS" in line and b"claim" in line:
        {does}
    else:
        print(json.dumps(reply), flush=True)
"""


@pytest.mark.sampled(3)
@pytest.mark.slow
@both
@pytest.mark.parametrize("does", MISCHIEF.values(), ids=MISCHIEF)
def test_a_program_that_misbehaves_is_no_deviation(
    language: str, does: str, home: Path, scenarios: Path, tmp_path: Path
) -> None:
    """It could not be judged throughout, as `brou verify` says, too."""
    program = tmp_path / "program.py"
    program.write_text(PROXY.format(adapter=str(ADAPTERS / "python"), does=does), encoding="utf-8")
    found = run(language, home, [sys.executable, str(program)], tmp_path)

    assert found.verdicts[f"{GAME}@2022"] == "adapter"
    assert found.verdicts == judged([sys.executable, str(program)], Selection(game=GAME, corpus=scenarios))


@pytest.mark.slow
@both
def test_a_program_that_cannot_be_started_is_none(language: str, home: Path, tmp_path: Path) -> None:
    """There is no greeting and no verdict."""
    found = run(language, home, ["/nowhere/at/all"], tmp_path)

    assert (found.verdicts, found.code) == ({}, 3)


# What the page says ---------------------------------------------------------------------------------------------------


def read_figure(unit: str) -> float:
    """Return the figure before some words on the page about the bundle."""
    page = " ".join((ROOM.parent / "docs" / "bundle.md").read_text(encoding="utf-8").split())
    (found,) = re.findall(rf"([\d.,]+) {unit}", page)
    return float(found.replace(",", ""))


def is_near(told: float, found: float) -> bool:
    """Say whether a figure in words is less than a tenth off."""
    return 0.9 * found < told < 1.1 * found


def test_the_number_of_cases_on_the_page_is_current() -> None:
    """A scenario counts in each edition and set-up that it holds for."""
    found = 0
    for game in games():
        for edition, known in book(game).editions.items():
            for number, setup in enumerate(known.setups):
                found += sum(1 for _ in applying(scenarios_of(game), edition, setup, first=not number))

    assert is_near(read_figure("cases in"), found)


@pytest.mark.thorough
def test_the_sizes_on_the_page_are_current(whole: Path) -> None:
    """In megabytes, as plain files and as an archive."""
    made = {path.relative_to(whole).as_posix(): path.read_bytes() for path in whole.rglob("*") if path.is_file()}

    assert is_near(read_figure("MB; as"), sum(map(len, made.values())) / 1e6)
    assert is_near(read_figure(r"MB\. It took"), len(make_archive(made)) / 1e6)


# The whole corpus ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the whole corpus."""
    return write(make_bundle(games(), {}), tmp_path_factory.mktemp("whole"))


def programs() -> list[Path]:
    """Return every example program, every misreading, and the frozen ones."""
    found = [
        ADAPTERS / "java" / "Adapter.java",
        *ADAPTERS.rglob("adapter.*"),
        *ZOO.glob("*/*"),
        *FROZEN.glob("*/adapter.*"),
    ]
    return sorted(path for path in found if path.suffix in (*STARTERS, ".java") and path.name != "twin.py")


@pytest.mark.thorough
@both
@pytest.mark.parametrize("program", programs(), ids=lambda path: path.relative_to(ROOM).as_posix())
def test_a_runner_comes_to_our_verdicts_on_every_program(
    language: str, program: Path, whole: Path, tmp_path: Path
) -> None:
    """By the whole corpus, edition by edition."""
    assert run(language, whole, start(program), tmp_path).verdicts == judge_whole(*start(program))


@pytest.mark.thorough
def test_derivations_of_the_whole_corpus_come_to_the_answers(whole: Path) -> None:
    """As those of the small bundle do, in every edition."""
    for path in sorted(whole.glob("cases/*.ndjson")):
        found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        assert [problem for line in found if (problem := fault("case", line))] == []
        test_every_answer_is_derived(found)
        test_derivations_come_to_the_answers(found)
        test_derived_values_are_those_expected(found)
