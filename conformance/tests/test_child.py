"""Child processes: whatever a program does, it ends in a message or a failure, in time, and leaves nothing behind."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from brou_conformance.programs.child import MAX_STDERR, Child, Failure
from brou_conformance.protocol import MAX_LINE, Message

Start = Callable[[str], Child]


@pytest.fixture
def start() -> Iterator[Start]:
    """Return what starts a Python program given by its text; all are ended after the test."""
    children: list[Child] = []

    def started(program: str) -> Child:
        child = Child.start([sys.executable, "-c", program])
        assert isinstance(child, Child)
        children.append(child)
        return child

    yield started
    for child in children:
        child.close()


ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"


def ask(child: Child, message: Message, seconds: float) -> Message | Failure:
    """Return the answer to a request, nothing else being under way."""
    child.send(message)
    return child.receive(seconds)


def failed(child: Child, seconds: float = 5.0) -> Failure:
    """Return the failure that a request ends in."""
    answer = ask(child, {"id": 1}, seconds)
    assert isinstance(answer, Failure)
    return answer


def test_a_message_is_answered(start: Start) -> None:
    """One line out, one line in."""
    assert ask(start(ECHO), {"id": 7}, 5) == {"id": 7}


def test_several_messages_may_be_in_flight(start: Start) -> None:
    """Sending waits for nothing, so that a window may be kept open."""
    child = start(ECHO)
    for number in range(200):
        child.send({"id": number, "filler": "x" * 2000})

    assert [child.receive(5) for _ in range(200)] == [{"id": n, "filler": "x" * 2000} for n in range(200)]


def test_a_command_that_is_none_is_told() -> None:
    """A missing program is a failure with the reason of the system."""
    assert Child.start(["/no/such/program"]) == Failure(
        "crash", "'/no/such/program' cannot be started: No such file or directory"
    )


def test_silence_ends_in_time(start: Start) -> None:
    """A program that says nothing is waited for so long and no longer."""
    assert failed(start("import time; time.sleep(1000)"), 0.2) == Failure("timeout", "no answer within 0.2 s")


def test_a_program_that_does_not_read_ends_in_time(start: Start) -> None:
    """A full pipe blocks the program under test and never the runner."""
    child = start("import time; time.sleep(60)")

    answer = ask(child, {"id": 1, "filler": "x" * 1_000_000}, 0.2)
    assert isinstance(answer, Failure)
    assert answer.kind == "timeout"


def test_a_crash_is_told_with_its_exit_code_and_last_words(start: Start) -> None:
    """What a program wrote to its standard error is kept for people."""
    found = failed(start("import sys; sys.stderr.write('the reason'); sys.exit(3)"))

    assert found == Failure("crash", "it ended (exit code 3)", "the reason")


def test_a_crash_by_a_signal_is_told(start: Start) -> None:
    """A program that is killed is told apart from one that gives up."""
    assert failed(start("import os; os.abort()")).what == "it ended (killed by signal SIGABRT)"


def test_half_a_line_is_told(start: Start) -> None:
    """An answer that breaks off is no answer."""
    assert failed(start("print('{\"id\":', end='')")).what == "it ended (exit code 0), in the middle of a line"


@pytest.mark.slow
def test_closing_the_output_is_told(start: Start) -> None:
    """A program that shuts its mouth and lives on is lost as well."""
    program = "import os, time; os.close(1); time.sleep(60)"

    assert failed(start(program)).what == "it closed its output and went on running"


@pytest.mark.parametrize("said", ["hello", "[1, 2]", "", "NaN"])
def test_what_is_no_message_breaks_the_protocol(start: Start, said: str) -> None:
    """Standard output is for messages alone."""
    assert failed(start(f"print({said!r}, flush=True); input()")).kind == "protocol"


def test_an_endless_line_is_cut_off(start: Start) -> None:
    """Memory is bounded by the length of a line."""
    program = "import sys\nwhile True: sys.stdout.write('x' * 65536)"

    assert failed(start(program)) == Failure("protocol", f"a line of more than {MAX_LINE} bytes")


def test_no_part_of_a_line_that_is_too_long_is_taken_for_a_message(start: Start) -> None:
    """A line is refused whole, whether its end has come or not, and however often somebody asks."""
    child = start(f"print('x' * {MAX_LINE} + '{{\"id\": 666}}'); print('{{\"id\": 1}}', flush=True); input()")
    refused = Failure("protocol", f"a line of more than {MAX_LINE} bytes")

    assert [ask(child, {"id": 1}, 20), child.receive(20)] == [refused, refused]


def test_a_line_of_the_greatest_length_is_taken(start: Start) -> None:
    """The bound belongs to what is allowed."""
    around = len('{"x":""}')
    child = start(f"print('{{\"x\":\"' + 'y' * {MAX_LINE - around} + '\"}}', flush=True); input()")

    assert ask(child, {"id": 1}, 20) == {"x": "y" * (MAX_LINE - around)}


def test_endless_talk_is_not_listened_to(start: Start) -> None:
    """The first line of a flood is already no message."""
    assert failed(start("while True: print('x' * 100)")).kind == "protocol"


def test_standard_error_is_bounded(start: Start) -> None:
    """Only the end of long complaints is kept."""
    program = (
        "import sys\nfor n in range(9000): print('moan', n, 'x' * 100, file=sys.stderr)\nprint('done', flush=True)"
    )
    found = failed(start(program))

    assert len(found.stderr) <= MAX_STDERR
    assert "moan 8999" in found.stderr


def test_the_whole_group_is_killed(start: Start, tmp_path: Path) -> None:
    """Children of a program under test do not outlive it."""
    note = tmp_path / "pid"
    program = f"""
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open({str(note)!r}, "w").write(str(child.pid))
print('{{"id": 1}}', flush=True)
time.sleep(60)
"""
    child = start(program)
    assert ask(child, {"id": 1}, 10) == {"id": 1}
    child.close()

    assert gone(int(note.read_text(encoding="ascii")))


def gone(number: int) -> bool:
    """Say whether a process is gone, or dead and not yet buried, within a moment."""
    for _ in range(200):
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return True
        status = Path(f"/proc/{number}/stat")
        if status.exists() and status.read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.01)
    return False
