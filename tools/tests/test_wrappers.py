"""Wrappers of engines in C, JavaScript, Python and Go: they play one match, check themselves, and pass the suite."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from brou import catalogue, choose, rules, spread
from brou.chance import Chance
from brou.interpreter.digest import digest
from brou.language.export import identity
from brou.native.c_module import write_engine
from brou.native.generated_engine import GeneratedEngine
from brou.native.shared_object import find_compiler, find_zig
from brou_tools.build import options
from brou_tools.build.golden import SHORT, find_golden, make_run, read_golden
from brou_tools.build.wrapper import write_wrapper
from brou_tools.cli import main
from brou_tools.matches.engines import teach_engine
from brou_tools.matches.policy import Players, conduct

GAME = "brusquembille"
RULES = f"{GAME}@1718:3"
#: Without these a wrapper cannot be built or run.
NEEDED = {"c": ["cc"], "go": ["go", "cc"], "javascript": ["node"], "python": ["cc"]}


def find_missing(language: str) -> str:
    """Return why a wrapper cannot be tried, nothing if it can."""
    missing = [name for name in NEEDED[language] if shutil.which(name) is None]
    if language == "javascript" and find_zig() is None:
        missing.append("ziglang")
    return f"not installed: {', '.join(missing)}" if missing else ""


@pytest.fixture(scope="module", params=options.LANGUAGES)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a wrapper, compiled where the language compiles."""
    language: str = request.param
    if missing := find_missing(language):
        pytest.skip(missing)
    folder: Path = tmp_path_factory.mktemp("wrapper") / language
    assert main(["build", RULES, "--wrapper", language, "-o", str(folder)]) == 0
    for name in ("match", "adapter"):
        if language == "c":
            strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-overlength-strings"]
            command = [*(find_compiler() or ()), "-O1", *strict, "-o", name, f"{name}.c", f"{GAME}.c"]
            subprocess.run(command, cwd=folder, check=True)
        elif language == "go":
            go = shutil.which("go") or ""
            subprocess.run([go, "vet", "./..."], cwd=folder, check=True)
            subprocess.run([go, "build", "-o", f"brou-{name}", f"./{name}"], cwd=folder, check=True)
    return folder


def start(folder: Path, name: str) -> list[str]:
    """Return the command that starts a program of a wrapper."""
    commands = {
        "c": [str(folder / name)],
        "go": [str(folder / f"brou-{name}")],
        "javascript": ["node", str(folder / f"{name}.mjs")],
        "python": [sys.executable, str(folder / f"{name}.py")],
    }
    return commands[folder.name]


def told(command: Sequence[str]) -> list[str]:
    """Return the lines that a program prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


@pytest.mark.sampled(4)
@pytest.mark.slow
def test_a_wrapper_plays_the_match_that_everybody_plays(built: Path) -> None:
    """The example prints what each seat may do, and where the seed leads, as generated Python has it."""
    players = Players(choose(RULES), conduct(GAME).acts)
    engine, stream, acts = players.engine, Chance(7), 0
    state = engine.begin()
    first = [engine.legal(state, seat) for seat in range(engine.game.seats)]
    while made := players.pick(state, stream):
        engine.play(state, made[1], made[0], made[2])
        acts += 1
    legal = [engine.legal(state, seat) for seat in range(engine.game.seats)]
    name, *may, after, print_ = told([*start(built, "match"), "7"])

    assert name == RULES
    assert [json.loads(line.split(" may ")[1]) for line in may] == first
    assert after.startswith(f"after {acts} acts ")
    assert json.loads(after.split(" acts ")[1]) == engine.score(state)
    assert print_ == digest(engine.game, engine.decode_state(state), legal)


@pytest.mark.sampled(4)
@pytest.mark.slow
def test_a_wrapper_checks_itself(built: Path) -> None:
    """A million acts lead to what is written down."""
    assert told([*start(built, "match"), "--verify"]) == [f"{RULES}: 1000000 acts as they should be"]


@pytest.mark.sampled(4)
@pytest.mark.slow
def test_a_wrapper_passes_the_suite_as_a_program(built: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The adapter follows its edition: card play, scores, views and dealing, nothing wrong."""
    assert main(["verify", "--game", GAME, "--", *start(built, "adapter")]) == 0
    assert "follows the edition" in capfd.readouterr().out


# Golden runs ------------------------------------------------------------------


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "game", [GAME, *(pytest.param(one, marks=pytest.mark.slow) for one in catalogue() if one != GAME)]
)
def test_golden_runs_are_those_of_the_rules(game: str) -> None:
    """What is written down is of just these rules, and generated Python comes to the same in the shorter run."""
    golden = read_golden()
    for choice in spread(game):
        rule_base = rules(choice)
        assert golden[str(choice)]["rules"] == identity(rule_base), f"make golden: the rules of {choice} have changed"
        assert make_run(GeneratedEngine(rule_base), SHORT) == golden[str(choice)]["short"]


def test_golden_runs_are_written_down_for_every_rule_base() -> None:
    """There is one for each edition and set-up, and for nothing else."""
    assert list(read_golden()) == [str(choice) for game in catalogue() for choice in spread(game)]


def test_other_readings_have_no_golden_run() -> None:
    """A wrapper of other readings does not claim to know where a million acts lead."""
    choice = choose("brouc[carry_in_thresholds=yes]")

    assert find_golden(choice, rules(choice)) is None


# What is written --------------------------------------------------------------


@pytest.mark.slow
def test_types_name_cards_and_acts() -> None:
    """TypeScript is told every card, and what each act takes."""
    taught = teach_engine(choose("brouc"), mindless=True)
    tables = write_engine(taught.game, taught.label, taught.wish)[2]
    types = write_wrapper(choose("brouc"), taught.game, tables, "javascript")["brouc.d.mts"]

    assert '"play": Card;' in types
    assert '"deal": { "deck": Card[]; "packets": number[]; };' in types
    assert '"announce": { "suit": "S" | "H" | "D" | "C"; "kind": "simple" | "grand"; };' in types
    assert '"claim": true;' in types


@pytest.mark.slow
@pytest.mark.parametrize("language", options.LANGUAGES)
def test_no_mark_of_a_template_is_left(language: str) -> None:
    """Everything that stands between two signs in a template is filled in."""
    taught = teach_engine(choose(RULES), mindless=True)
    tables = write_engine(taught.game, taught.label, taught.wish)[2]
    files = write_wrapper(choose(RULES), taught.game, tables, language)

    assert len(files) >= 2
    assert [found for text in files.values() for found in re.findall(r"@[A-Z_]+@", text)] == []


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (["--wrapper", "cobol", "-o", "x"], "knows c, go, javascript, python, not 'cobol'"),
        (["--wrapper", "c"], "name a folder"),
        (["--wrapper", "c", "--wasm", "-o", "x"], "ask for one"),
        (["--wasm"], "name a file"),
        (["--target", "x86_64-windows"], "--target is for --native"),
    ],
)
def test_what_cannot_be_asked_is_told(given: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Options that do not go together end the command before anything is written."""
    with pytest.raises(SystemExit) as ended:
        main(["build", "brouc", *given])

    assert ended.value.code == 2
    assert problem in capsys.readouterr().err
