"""`brou fuzz`: matches in lock-step, differences explained and shrunk, campaigns that survive, hostile programs."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from test_equal_cards import FILE, PAGE

from brou import choose, spread
from brou.validation import compile_schema
from brou_conformance.fitting.search import FailureExplanation
from brou_conformance.judging.judge import Status
from brou_conformance.programs.child import Child
from brou_conformance.programs.session import Limits, Session
from brou_conformance.protocol import schema
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verify import verify
from brou_tools.cli import main
from brou_tools.fuzz.coverage import choose_rarest, find_reached
from brou_tools.fuzz.drawing import MatchSetting, draw_match
from brou_tools.fuzz.lockstep import MatchTask, ProgramUnderTest, close_conversations, play_match
from brou_tools.fuzz.scripts import write_script

ROOT = Path(__file__).parents[2]
ADAPTERS = ROOT / "conformance" / "adapters"
HONEST = [sys.executable, str(ADAPTERS / "python" / "adapter.py")]
MISREAD = [sys.executable, str(ADAPTERS / "python" / "misread" / "adapter.py")]
SERVED = [sys.executable, "-P", "-m", "brou_tools.cli", "serve"]
FEW = ["fuzz", "--bare", "-n"]

#: An honest player that does some mischief once it is asked: `said` is its honest answer to `line`.
PROXY = """
import json, os, random, sys, time
sys.path.insert(0, {folder!r})
from adapter import Brouc, HommeDeBrou, Tables, answer
tables = Tables(Brouc, HommeDeBrou)
asked = 0
for line in sys.stdin.buffer:
    request = json.loads(line)
    said = answer(line, tables)[0]
    if request["op"] == "run":
        asked += 1
        {does}
    print(json.dumps(said), flush=True)
"""
#: What a player does that takes one trump for another.
LIE = 'said = json.loads(json.dumps(said).replace(\'"trump": "S"\', \'"trump": "H"\'))'


@pytest.fixture
def hostile(tmp_path: Path) -> Callable[[str], list[str]]:
    """Return what writes a hostile program and returns its command."""

    def write(does: str) -> list[str]:
        program = tmp_path / "hostile.py"
        program.write_text(PROXY.format(folder=str(ADAPTERS / "python"), does=does), encoding="utf-8")
        return [sys.executable, str(program)]

    return write


def report(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    """Return the exit code of a run and its document, which fits its schema."""
    code = main([*words[: words.index("--")], "--json", *words[words.index("--") :]])
    document = json.loads(capsys.readouterr().out)
    assert list(compile_schema(schema("fuzz")).iter_errors(document)) == []
    return code, document


@pytest.fixture
def unexplained(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tell differences by behaviour alone, where what explains them is not the point: it takes seconds."""
    monkeypatch.setattr("brou_tools.fuzz.explaining.explain", lambda *_: FailureExplanation())


# Matches --------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["brouc@2022", "brusquembille@1718", "homme-d-auvergne@1665", "hombre@danish"])
def test_a_seed_gives_one_match(name: str) -> None:
    """The same from a fresh start, whatever was drawn before; its acts are legal, and questions stand between them."""
    setting = MatchSetting(tuple(spread(name)), scenarios=True)
    first = [draw_match(setting, seed) for seed in (3, 4, 5)]

    assert [draw_match(setting, seed) for seed in (5, 4, 3)] == first[::-1]
    for match in first:
        script = write_script(match)
        assert sum(step.accepted for step in script.steps) == len(match.acts) > 0
        assert {"legal", "score", "view"} <= {step.verb for step in script.steps}


def test_a_program_that_takes_deals_alone_gets_no_match_from_its_beginning() -> None:
    """And one that can only play from the beginning gets no deal."""
    choices = tuple(spread("brouc@2022"))
    deals = MatchSetting(choices, whole=False)
    whole = MatchSetting(choices, deals=False)

    assert all("hands" in draw_match(deals, seed).start for seed in range(20))
    assert not any(draw_match(whole, seed).start for seed in range(20))


def test_the_rarest_of_several_matches_is_chosen() -> None:
    """Once everything that one match reaches is known, another one is preferred."""
    setting = MatchSetting(tuple(spread("brouc@2022")))
    match, reached = choose_rarest(setting, range(8), {})
    known = dict.fromkeys(reached, 1_000)
    other, _ = choose_rarest(setting, range(8), known)

    assert reached == find_reached(match)
    assert other.seed != match.seed


# What is found --------------------------------------------------------------------------------------------------------


# `test_languages.py` guards a report in another language; beyond it this guards reasons, and the command in German.
@pytest.mark.thorough
def test_a_difference_is_told_in_the_language(capsys: pytest.CaptureFixture[str]) -> None:
    """With the reason of the rules; the command that plays the match again speaks it too."""
    told = ["2 Unterschiede", "Lässt bei play mehr zu als die Regeln", "zuerst in 1 Partie gesehen", "was darf Platz"]
    assert main([*FEW, "8", "--lang", "de", "brouc", "--", *MISREAD]) == 1
    out = capsys.readouterr().out

    assert [one for one in told if one not in out] == []
    assert "nicht erlaubt. " in out
    assert "--lang de --match" in out


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("adapter", ["python", "game-object", "cards-only"])
def test_a_right_program_has_no_difference(adapter: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whole or partial: it is not asked what it cannot do."""
    code = main([*FEW, "12", "brouc", "--", sys.executable, str(ADAPTERS / adapter / "adapter.py")])
    out = capsys.readouterr().out

    assert code == 0, out
    assert "no difference" in out
    assert re.search(r" [1-9][\d,]* questions", out)


@pytest.mark.slow
def test_a_fault_is_explained_shrunk_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One difference for all matches; its scenario is valid, fails for the program, and passes for a right one."""
    words = ["brouc", "-n", "48", "--write", str(tmp_path), "--", *MISREAD]
    code, document = report(capsys, "fuzz", *words)
    (edition,) = document["editions"]
    (found,) = edition["differences"]

    assert code == 1
    assert found["explained"] and found["clauses"][0] == "brouc.over.05"
    assert found["acts"] <= 16
    assert (edition["scenarios"]["asked"] > 1000) and edition["scenarios"]["wrong"]
    assert main(["check", found["file"]]) == 0
    for command, status in ((MISREAD, Status.FAIL), (HONEST, Status.PASS)):
        with Session(partial(Child.start, command)) as session:
            (run,) = verify(session, Selection("brouc", corpus=tmp_path)).runs
        assert [case.status for case in run.cases] == [status]


@pytest.mark.slow
def test_what_no_change_explains_is_told_by_behaviour(
    hostile: Callable[[str], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """A lie about one thing is one difference, however many matches show it."""
    code, document = report(capsys, *FEW, "12", "brouc", "--", *hostile(LIE))
    found = document["editions"][0]["differences"]

    assert code == 1
    assert [one["words"] for one in found] == ["gives another trump"]
    assert found[0]["matches"] > 1
    assert (found[0]["said"], found[0]["wanted"]) == ("trump H", "trump S")


@pytest.mark.usefixtures("unexplained")
@pytest.mark.slow
def test_a_match_is_played_again_by_its_seed(
    hostile: Callable[[str], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """The seed that the report names shows the same difference."""
    program = ["brouc", "--", *hostile(LIE)]
    _, document = report(capsys, *FEW, "12", *program)
    (found,) = document["editions"][0]["differences"]
    code, again = report(capsys, "fuzz", "--bare", "--match", found["seeds"][0], *program)

    assert code == 1
    assert again["editions"][0]["matches"] == 1
    assert [one["said"] for one in again["editions"][0]["differences"]] == [found["said"]]


@pytest.mark.thorough
def test_readings_are_those_that_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Under readings that a program does not follow it differs, under those that it declares it does not."""
    served = [*SERVED, "brouc@2022[marriage_exception=potential]"]
    right, document = report(capsys, *FEW, "24", "brouc@2022", "--", *served)
    wrong, _ = report(capsys, *FEW, "60", "brouc@2022[marking=explicit-any]", "--", *HONEST)

    assert (right, wrong) == (0, 1)
    assert document["editions"][0]["readings"]["marriage_exception"] == "potential"


@pytest.mark.slow
def test_a_project_and_its_program_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    """A game of one's own is fuzzed as ours are."""
    code = main(["fuzz", "--data", str(ROOT / "examples" / "brisca"), "-n", "6", "--", *SERVED, *BRISCA])
    assert code == 0, capsys.readouterr().out


BRISCA = ["--data", str(ROOT / "examples" / "brisca")]


@pytest.mark.slow
def test_a_doubled_pack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Equal cards count once in a list, and a hand has a card twice."""
    for path, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    (tmp_path / "brou.toml").touch()
    code = main(["fuzz", "--data", str(tmp_path), "-n", "6", "--", *SERVED, "--data", str(tmp_path)])

    assert code == 0, capsys.readouterr().out


# Campaigns ------------------------------------------------------------------------------------------------------------


def read_campaign(path: Path) -> dict[str, list[Any]]:
    """Return everything that a campaign holds, but how small its findings are."""
    with sqlite3.connect(path) as database:
        tables = {
            "matches": "SELECT * FROM matches ORDER BY 1, 2",
            "reached": "SELECT * FROM reached ORDER BY 1, 2",
            "findings": "SELECT edition, number, behaviour, raw FROM findings ORDER BY 1, 2",
        }
        return {name: database.execute(query).fetchall() for name, query in tables.items()}


def count_matches(path: Path) -> int:
    """Return how many matches are written down so far, also while somebody writes."""
    try:
        with sqlite3.connect(f"file:{path}?mode=ro&nolock=1", uri=True) as database:
            return int(database.execute("SELECT COUNT(*) FROM matches").fetchone()[0])
    except sqlite3.Error:
        return 0


@pytest.mark.usefixtures("unexplained")
@pytest.mark.slow
def test_a_killed_campaign_goes_on(tmp_path: Path) -> None:
    """After kill -9 nothing is lost and nothing doubled: it comes to what one comes to that nobody killed."""
    whole, cut = tmp_path / "whole.db", tmp_path / "cut.db"
    words = [*FEW, "12", "brouc", "--campaign"]
    program = ["--", *MISREAD]
    start = [sys.executable, "-P", "-m", "brou_tools.cli", *words]
    assert main([*words, str(whole), *program]) == 1
    for at in (3, 8):
        run = subprocess.Popen(
            [*start, str(cut), *program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        while count_matches(cut) < at and run.poll() is None:
            time.sleep(0.01)
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
    assert 0 < count_matches(cut) <= 12
    assert main([*words, str(cut), *program]) == 1
    assert read_campaign(cut) == read_campaign(whole)


# Beyond the tests of one process and of a cluster it guards processes of one machine.
@pytest.mark.thorough
def test_processes_share_a_campaign(tmp_path: Path) -> None:
    """Two of them come to the same matches and findings as one."""
    one, two = tmp_path / "one.db", tmp_path / "two.db"
    for path, jobs in ((one, "1"), (two, "2")):
        assert main([*FEW, "20", "brouc", "--campaign", str(path), "--jobs", jobs, "--", *MISREAD]) == 1
    assert read_campaign(one) == read_campaign(two)


@pytest.mark.slow
def test_a_campaign_that_is_done_plays_no_match_again_and_more_are_added(tmp_path: Path) -> None:
    """A higher number goes on where the last run ended."""
    path = tmp_path / "campaign.db"
    for number in ("4", "4", "9"):
        assert main([*FEW, number, "brouc", "--campaign", str(path), "--", *HONEST]) == 0
    assert [row[1] for row in read_campaign(path)["matches"]] == list(range(9))


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("begin", "more", "said"),
    [
        ("text", [], "file is not a database"),
        ("other", [], "database of something else"),
        ("same", ["--seed", "5"], "campaign of another run (other seed)"),
        ("same", ["--uniform"], "campaign of another run (other uniform"),
        ("open", [], "database is locked"),
    ],
)
def test_another_file_is_refused(
    begin: str, more: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what is wrong with it, and nothing is changed in it."""
    path, words = tmp_path / "campaign.db", [*FEW, "1", "brouc", "--campaign"]
    if begin == "text":
        path.write_text("no database, but longer than the head of one. " * 9, encoding="utf-8")
    elif begin == "other":
        sqlite3.connect(path).execute("CREATE TABLE notes (text TEXT)").connection.close()
    else:
        assert main([*words, str(path), "--", *HONEST]) == 0
    holder = sqlite3.connect(path)
    if begin == "open":
        holder.execute("BEGIN EXCLUSIVE")
    before = path.read_bytes()

    assert main([*words, str(path), *more, "--", *HONEST]) == 2
    assert said in capsys.readouterr().err
    assert path.read_bytes() == before
    holder.close()


# Hostile programs -----------------------------------------------------------------------------------------------------

MISCHIEF = {
    "hangs": ("time.sleep(60)", "timeout"),
    "dies": ("os._exit(3)", "crash"),
    "floods": ("print('x' * (5 << 20), flush=True)", "protocol"),
    "babbles": ("said = {'id': request['id'], 'ok': True, 'results': 'no'}", "protocol"),
}


@pytest.mark.sampled(4)
@pytest.mark.slow
@pytest.mark.parametrize("kind", MISCHIEF)
def test_a_mishap_is_a_difference(
    kind: str, hostile: Callable[[str], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """A program that now and then does not answer is asked on, and the mishap is told once."""
    does, status = MISCHIEF[kind]
    often = f"if len(request['steps']) > 60: {does}"
    patience = ["--timeout", "2"] if kind == "hangs" else []
    code, document = report(capsys, *FEW, "6", *patience, "brouc", "--", *hostile(often))
    (edition,) = document["editions"]

    assert code == 1
    assert edition["matches"] == 6
    assert edition["statuses"].get(status)
    assert [one["words"].startswith("it does not answer") for one in edition["differences"]] == [True]


@pytest.mark.slow
def test_a_program_that_says_something_else_each_time_is_told_so(
    hostile: Callable[[str], list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """It is not judged by either answer."""
    shifty = "said['results'] = [{'ok': True} if random.random() < 0.5 else {'no': True} for _ in said['results']]"
    code, document = report(capsys, *FEW, "1", "brouc", "--", *hostile(shifty))
    (edition,) = document["editions"]

    assert code == 1
    assert set(edition["statuses"]) == {"protocol"}


def test_a_program_that_does_not_start(capsys: pytest.CaptureFixture[str]) -> None:
    """It ends with 3, and says why."""
    assert main([*FEW, "2", "brouc", "--", "no-such-program"]) == 3
    assert "no-such-program" in "".join(capsys.readouterr())


@pytest.mark.slow
def test_a_session_begins_anew_when_its_restarts_are_spent(hostile: Callable[[str], list[str]]) -> None:
    """A program that dies at every match costs these matches alone."""
    subject = ProgramUnderTest(tuple(hostile("os._exit(1)")), limits=Limits(restarts=1))
    setting = MatchSetting((choose("brouc@2022"),))
    try:
        results = [play_match(MatchTask(subject, setting, (seed,), Counter())) for seed in range(4)]
    finally:
        close_conversations()

    assert [one.status for one in results] == ["crash"] * 4


def test_rules_that_are_not_there_are_told_before_the_program_starts(capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt game is an error of the call, and the one that may be meant is named; no program is asked."""
    assert main(["fuzz", "brouk", "--", "no-such-program"]) == 2
    assert "did you mean 'brouc'?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fuzz"], "name the program to play with after `--`"),
        (["fuzz", "--python", "a:b", "--jobs", "2"], "--python has no program"),
        (["fuzz", "--python", "a:b", "--", "x"], "name one program"),
        (["fuzz", "--match", "1", "--campaign", "x", "--", "x"], "--match plays one match by itself"),
        (["fuzz", "--agreement", "a.yaml", "brouc", "--", "x"], "an agreement names the rules already"),
        (["fuzz", "--jobs", "2", "--scheduler", "tcp://x", "--", "x"], "choose one of them"),
    ],
)
def test_options_that_cannot_go_together(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is refused with what to leave out."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_rules_that_the_program_does_not_play(capsys: pytest.CaptureFixture[str]) -> None:
    """They are refused with those that it plays."""
    assert main([*FEW, "1", "hombre", "--", *HONEST]) == 2
    assert "brouc@2022:4" in capsys.readouterr().err
