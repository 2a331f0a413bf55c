"""Hostile programs: an honest player that misbehaves once; each ends in its status, with all else judged.

Every program here is the adapter of the Python player behind a proxy that does its mischief at one script. What is
hostile to the pipes alone (a missing command, a reader that never reads, a closed output) stands in test_child.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from brou_conformance.judging.judge import Status
from brou_conformance.programs.child import MAX_STDERR, Child
from brou_conformance.programs.containment import is_contained
from brou_conformance.programs.session import Limits, Session
from brou_conformance.reports.document import document
from brou_conformance.reports.text import tell_report
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionVerdict
from brou_conformance.verdicts.verify import Report, verify

ADAPTER = Path(__file__).resolve().parents[1] / "adapters" / "python"
#: Four scripts; the neighbours of each have other answers.
TOLD = "  steps:\n  - {by: 0, act: {play: AS}}\n  - {id: turn, view: 1, expect: {turn: 1}}"
HELD = "  steps:\n  - {by: 1, act: {play: AH}, expect: {no: not_your_turn}}\n  - {id: turn, view: 1, expect: {turn: 0}}"
SCRIPTS = (TOLD, HELD, TOLD, HELD)
LIMITS = Limits(start=10, request=1, farewell=0.5, restarts=2)
#: By how many KiB the runner may grow, whatever it is sent.
GROWTH = 50 << 10

PASS, BLOCKED, FAIL = Status.PASS, Status.BLOCKED, Status.FAIL
CRASH, PROTOCOL, TIMEOUT = Status.CRASH, Status.PROTOCOL, Status.TIMEOUT

#: The proxy: `said` is the honest answer to `line`, `before` the one to the script before; lives are counted by pids.
PROXY = """
import json, os, signal, subprocess, sys, time
sys.path.insert(0, {adapter!r})
from adapter import Brouc, HommeDeBrou, Tables, answer
tables = Tables(Brouc, HommeDeBrou)
def note(name, text):
    with open({folder!r} + "/" + name, "a+") as file:
        print(text, file=file, flush=True)
        file.seek(0)
        return len(file.readlines())
def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()
def renamed(text, **changes): return json.dumps(json.loads(text) | changes) + "\\n"
life, before = note("pids", os.getpid()), ""
{first}
for line in sys.stdin.buffer:
    request, said = json.loads(line), json.dumps(answer(line, tables)[0]) + "\\n"
    if request["op"] == "hello": said = renamed(said, max_in_flight={window})
    number = request["id"]
    script = note("scripts", number) if request["op"] == "run" else 0
    if {when}:
        {does}
    else:
        say(said)
    before = said
"""


@dataclass(frozen=True, slots=True)
class Found:
    """What a run with a hostile program came to."""

    report: Report

    @property
    def statuses(self) -> list[Status]:
        """Return the status of each script."""
        return [case.status for run in self.report.runs for case in run.cases]

    @property
    def why(self) -> str:
        """Return what is said of the first script that is lost."""
        (run,) = self.report.runs
        lost = next(case for case in run.cases if case.status not in {PASS, BLOCKED})
        return lost.shown.said if lost.shown else ""


Judged = Callable[..., Found]


def living(number: int) -> bool:
    """Say whether a process still runs after a moment; one that is dead and not yet buried does not."""
    for _ in range(100):
        try:
            os.kill(number, 0)
            state = Path(f"/proc/{number}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return False
        if state == "Z":
            return False
        time.sleep(0.01)
    return True


def peak() -> int:
    """Return the most memory that this process has had, in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.fixture
def judged(corpus: Callable[..., Path], tmp_path: Path) -> Judged:
    """Return what judges a program by its mischief, and holds the runner to its memory and to leaving nobody alive."""
    folder = corpus(*SCRIPTS)

    def judge(
        does: str = "say(said)", when: str = "script == 2", first: str = "", limits: Limits = LIMITS, window: int = 1
    ) -> Found:
        program = tmp_path / "program.py"
        text = PROXY.format(
            adapter=str(ADAPTER), folder=str(tmp_path), when=when, does=does, first=first, window=window
        )
        program.write_text(text, encoding="utf-8")
        selection = Selection(game="brouc", corpus=folder)
        memory = peak()
        with Session(lambda: Child.start([sys.executable, str(program)]), limits) as session:
            # What is hostile fails much: to explain it takes seconds and is not what is asked.
            report = verify(session, selection, explains=False)

        assert peak() - memory < GROWTH
        pids = [int(line) for line in (tmp_path / "pids").read_text(encoding="ascii").split()]
        assert pids
        assert [pid for pid in pids if living(pid)] == []
        assert document(report)
        assert all(character.isprintable() or character == "\n" for character in tell_report(report))
        return Found(report)

    return judge


def test_an_honest_program_conforms(judged: Judged) -> None:
    """Without any mischief the proxy passes everything, so that what follows is due to the mischief alone."""
    found = judged()

    assert found.statuses == [PASS] * 4
    assert found.report.runs[0].verdict is EditionVerdict.FOLLOWS


MISCHIEF = {
    "hangs": ("time.sleep(60)", TIMEOUT, "no answer within 1 s"),
    "stops itself": ("os.kill(os.getpid(), signal.SIGSTOP)", TIMEOUT, "no answer within 1 s"),
    "answers late": ("time.sleep(1.5); say(said)", TIMEOUT, "no answer within 1 s"),
    "drips": ("[(say(letter), time.sleep(0.2)) for letter in said]", TIMEOUT, "no answer within 1 s"),
    "crashes": ("raise ValueError('lost')", CRASH, "it ended (exit code 1); its last words: ValueError: lost"),
    "is killed": ("os.abort()", CRASH, "it ended (killed by signal SIGABRT)"),
    "half a line": ("say(said[:20]); os._exit(0)", CRASH, "it ended (exit code 0), in the middle of a line"),
    "says it failed": ("say(renamed(said, ok=False, error='no' * 1_000_000))", CRASH, "an error: nono"),
    "out of order": ("say(renamed(said, id=number + 1) + said)", PROTOCOL, "an answer to 4, asked was 3"),
    "wrong id": ("say(renamed(said, id=99))", PROTOCOL, "an answer to 99, asked was 3"),
    "endless id": ("say(renamed(said, id='9' * 1_000_000))", PROTOCOL, "an answer to '99"),
    "no JSON": ("say('hello\\n')", PROTOCOL, "no JSON: "),
    "no text": ("os.write(1, bytes([255, 10]))", PROTOCOL, "no JSON: "),
    "too deep": ("say('[' * 100_000 + '\\n')", PROTOCOL, "no JSON: "),
    "100 MB in a line": ("[say('x' * 1_000_000) for _ in range(100)]; say('\\n')", PROTOCOL, "a line of more than"),
    "endless output": ("[say('x' * 99 + '\\n') for _ in iter(int, 1)]", PROTOCOL, "no JSON: "),
    "many results": ("say(renamed(said, results=[{}] * 30_000))", PROTOCOL, "30000 results for 2 steps"),
    "previous position": ("say(renamed(before, id=number))", PROTOCOL, "asked once more, it answers otherwise"),
}


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", MISCHIEF)
def test_one_mischief_costs_one_script(judged: Judged, name: str) -> None:
    """What goes wrong at the third request is told of its script, and the scripts before and after it pass."""
    does, status, why = MISCHIEF[name]
    found = judged(does)

    assert found.statuses == [PASS, status, PASS, PASS]
    assert why in found.why
    assert len(found.why) < 1000


def test_who_answers_twice_is_found_out_at_the_next_script(judged: Judged) -> None:
    """The first of two answers counts; the second is no answer to what is asked next."""
    found = judged("say(said + said)")

    assert found.statuses == [PASS, PASS, PROTOCOL, PASS]
    assert found.why == "an answer to 3, asked was 4; asked again alone, it answers"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "kind", "what"),
    [
        ("time.sleep(60)", "timeout", "no answer within 1 s"),
        ("sys.exit(3)", "crash", "it ended (exit code 3)"),
        ("[say('x' * 65536) for _ in iter(int, 1)]", "protocol", "a line of more than "),
        ("say('Welcome!\\n')", "protocol", "no JSON: "),
    ],
    ids=["hangs", "exits", "one endless line", "chatters"],
)
def test_a_program_that_never_greets_is_given_up(judged: Judged, first: str, kind: str, what: str) -> None:
    """Who fails before the greeting is not asked a thing."""
    found = judged(first=first, limits=Limits(start=1))

    assert found.report.unusable is not None
    assert (found.report.unusable.kind, found.statuses) == (kind, [])
    assert what in found.report.unusable.what


@pytest.mark.slow
def test_who_always_answers_from_the_position_before_fails(judged: Judged) -> None:
    """What is answered steadily is judged, however strange it is."""
    found = judged("say(renamed(before, id=number))", when="script >= 2")

    assert found.statuses[0] is PASS
    assert FAIL in found.statuses
    assert TIMEOUT not in found.statuses


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("does", "status"),
    [
        ("os._exit(1)", CRASH),
        ("time.sleep(60)", TIMEOUT),
        ("say('nonsense\\n')", PROTOCOL),
        ("say(renamed(said, id=number + 1))", PROTOCOL),
    ],
    ids=["crashes", "hangs", "no JSON", "out of order"],
)
def test_the_culprit_is_found_among_those_under_way(judged: Judged, does: str, status: Status) -> None:
    """Of several scripts in flight only the one that is to blame is lost, each asked once more, alone."""
    when = "request['op'] == 'run' and request['steps'][0]['by'] == 1"
    found = judged(does, when=when, window=8)

    assert found.statuses == [PASS, status, PASS, status]
    assert "asked again" not in found.why


def test_what_goes_wrong_only_in_company_is_told_so(judged: Judged) -> None:
    """A program that claims more than it can take loses the first of its scripts, and is told that alone it answers."""
    found = judged("os._exit(1)", when="life == 1 and script >= 1", window=8)

    assert found.statuses == [CRASH, PASS, PASS, PASS]
    assert found.why == "it ended (exit code 1); asked again alone, it answers"


def test_who_falls_again_and_again_is_blocked_in_the_end(judged: Judged) -> None:
    """Results from before the fall are kept, and the restarts are counted."""
    found = judged("sys.exit(1)", when="script >= 2", limits=Limits(start=10, request=1, restarts=1))

    assert found.statuses == [PASS, CRASH, CRASH, BLOCKED]
    assert found.report.unusable is not None
    assert found.report.unusable.what == "1 restarts are spent"


def test_who_does_not_come_back_leaves_the_rest_blocked(judged: Judged) -> None:
    """A program that starts only once is tried as often as allowed, and what it answered is kept."""
    found = judged("sys.exit(1)", first="if life > 1: sys.exit(2)")

    assert found.statuses == [PASS, CRASH, BLOCKED, BLOCKED]


def test_a_flood_on_standard_error_changes_nothing(judged: Judged) -> None:
    """Who complains by the megabyte and answers well passes."""
    found = judged("sys.stderr.write('moan ' * 2_000_000); say(said)")

    assert found.statuses == [PASS] * 4


@pytest.mark.slow
def test_an_endless_flood_on_standard_error_ends_in_time(judged: Judged) -> None:
    """Being busy reading complaints does not make the runner forget the time."""
    found = judged("[sys.stderr.write('moan\\n' * 9999) for _ in iter(int, 1)]", limits=Limits(start=10, request=1))

    assert found.statuses == [PASS, TIMEOUT, PASS, PASS]
    assert len(found.why) < MAX_STDERR / 100


def test_last_words_do_not_reach_the_terminal_raw(judged: Judged) -> None:
    """Neither control characters nor endless lines come through from standard error."""
    found = judged("sys.stderr.write('\\x1b[2J' + 'x' * 9999); os._exit(1)")

    assert found.statuses == [PASS, CRASH, PASS, PASS]
    assert "its last words: \N{REPLACEMENT CHARACTER}[2Jxxx" in found.why
    assert len(found.why) < 300


FORKS = "child = os.fork()\n        if not child: note('pids', os.getpid()); time.sleep(60)\n        "


@pytest.mark.slow
@pytest.mark.parametrize(
    ("then", "statuses"),
    [
        ("say(said)", [PASS] * 4),
        ("time.sleep(0.3); os.kill(os.getpid(), 9)", [PASS, TIMEOUT, PASS, PASS]),
        ("signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)", [PASS, TIMEOUT, PASS, PASS]),
    ],
    ids=["answers", "dies first", "hangs"],
)
def test_a_forked_child_does_not_outlive_the_run(judged: Judged, then: str, statuses: list[Status]) -> None:
    """Whether its parent answers, hangs or dies and leaves it the pipes, a child is gone at the end."""
    assert judged(FORKS + then).statuses == statuses


@pytest.mark.slow
def test_a_child_with_pipes_of_its_own_does_not_outlive_the_run(judged: Judged) -> None:
    """A child that holds none of the pipes is killed when its parent is already dead."""
    away = "for number in (0, 1, 2): os.close(number)"
    does = f"child = os.fork()\n        if not child:\n            {away}\n            note('pids', os.getpid())"
    found = judged(f"{does}\n            time.sleep(60)\n        time.sleep(0.3); os._exit(1)")

    assert found.statuses == [PASS, CRASH, PASS, PASS]


@pytest.mark.slow
@pytest.mark.skipif(not is_contained(), reason="only Linux tells who started whom")
@pytest.mark.parametrize("then", ["say(said)", "time.sleep(0.3); os._exit(1)"], ids=["answers", "dies first"])
def test_a_child_that_leaves_the_group_does_not_outlive_the_run(judged: Judged, then: str) -> None:
    """A daemon in a session of its own is found, whether its parent lives or not."""
    does = f"{FORKS.replace('note(', 'os.setsid(); note(')}{then}"
    lost = [PASS, TIMEOUT, PASS, PASS]

    assert judged(does).statuses == ([PASS] * 4 if then == "say(said)" else lost)


@pytest.mark.slow
def test_who_closes_its_input_is_started_anew(judged: Judged) -> None:
    """A request that nobody can read is a lost one, and no error of the runner."""
    found = judged("os.close(0); say(said); time.sleep(60)")

    assert found.statuses == [PASS, PASS, TIMEOUT, PASS]


@pytest.mark.slow
def test_who_ignores_the_farewell_is_ended(judged: Judged) -> None:
    """Goodbye is waited for no longer than a moment, and costs no result."""
    found = judged("time.sleep(60)", when="request['op'] == 'bye'")

    assert found.statuses == [PASS] * 4
