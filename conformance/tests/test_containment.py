"""Containment: whatever a program starts ends with it, and what it may use is bounded.

Every process of a program here holds a pipe of the test open, and writes a letter to it once it is in place. A pipe
that has ended is proof that none of them is left, without ids of processes, which others may have by then.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from brou_conformance.programs import containment, supervisor
from brou_conformance.programs.child import Child, Failure
from brou_conformance.programs.containment import Bounds, is_contained
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message

contained = pytest.mark.skipif(not is_contained(), reason="only Linux tells who started whom")
#: The version of Landlock from which on signals can be held back.
SCOPED = 6
scoped = pytest.mark.skipif(
    sys.platform != "linux" or ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), 1) < SCOPED,
    reason="this kernel holds no signals back",
)

#: How a program begins: `held` is the pipe, `here` says that a process is in place, `answer` answers a request.
BEGIN = """
import os, signal, subprocess, sys, time
held = os.open({fifo!r}, os.O_WRONLY)
os.set_inheritable(held, True)
def here(): os.write(held, b"x")
def stay():
    here()
    while True: time.sleep(60)
def answer():
    line = sys.stdin.readline()
    if not line: sys.exit()
    print(line, end="", flush=True)
    return line
def bare(*closed):
    code = "import os, time; os.write(%d, b'x'); time.sleep(60)" % held
    for number in closed: os.close(number)
    os.execve(sys.executable, [sys.executable, "-I", "-S", "-c", code], {{}})
def forked(act, *given):
    if not (child := os.fork()):
        try: act(*given)
        finally: os._exit(1)
    return child
def away(act, *given):
    os.setsid()
    act(*given)
"""
#: How one ends that has done what it was to do.
END = "\nwhile True: answer()"


class Held:
    """The pipe that all processes of a program hold open."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def await_letters(self, count: int) -> None:
        """Wait until so many processes are in place."""
        poll, seen = select.poll(), 0
        poll.register(self._number, select.POLLIN)
        while seen < count:
            assert poll.poll(30_000), f"{seen} of {count} processes are in place"
            letters = os.read(self._number, count - seen)
            assert letters, f"all have ended, when {seen} of {count} processes were in place"
            seen += len(letters)

    def is_free(self, seconds: float = 0) -> bool:
        """Say whether nobody holds it, waiting so long for that."""
        poll = select.poll()
        poll.register(self._number, 0)
        return bool(poll.poll(1000 * seconds))

    def close(self) -> None:
        """Let go of it."""
        os.close(self._number)


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Held]:
    """Return the pipe, which no process may hold after the test."""
    pipe = Held(tmp_path / "held")
    yield pipe
    left = not pipe.is_free(20)
    pipe.close()
    assert not left


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this be a system that does not tell who started whom."""
    monkeypatch.setattr(containment, "is_contained", lambda: False)


@pytest.fixture(params=[pytest.param(True, marks=contained), False], ids=["contained", "elsewhere"])
def anywhere(request: pytest.FixtureRequest) -> None:
    """Let what holds on every system be tried with a supervisor and without one."""
    if not request.param:
        request.getfixturevalue("elsewhere")


Start = Callable[..., Child]


@pytest.fixture
def start(held: Held) -> Iterator[Start]:
    """Return what starts a program given by its text."""
    children: list[Child] = []

    def started(text: str, bounds: Bounds | None = None) -> Child:
        program = BEGIN.format(fifo=str(held.path)) + text
        child = Child.start([sys.executable, "-c", program], bounds)
        assert isinstance(child, Child)
        children.append(child)
        return child

    yield started
    for child in children:
        child.close()


def ask(child: Child, seconds: float = 30) -> Message | Failure:
    """Return the answer to a request."""
    child.send({"id": 1})
    return child.receive(seconds)


def lost(child: Child) -> Failure:
    """Ask until no answer comes, and return why."""
    for _ in range(3000):
        answer = ask(child)
        if isinstance(answer, Failure):
            return answer
        time.sleep(0.01)
    raise AssertionError("it answers for ever")


# Nothing is left ------------------------------------------------------------------------------------------------------

DEAF = """
def deaf():
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}: signal.signal(number, signal.SIG_IGN)
    stay()
forked(away, deaf)
"""
STOPPED = """
def stop():
    here()
    os.kill(os.getpid(), signal.SIGSTOP)
forked(away, stop)
"""
#: There is never more than a moment between the birth of a process and its end, and always one that lives.
HOPPING = """
os.set_blocking(held, False)
def hop():
    while True:
        try: here()
        except BlockingIOError: pass
        if os.fork(): os._exit(0)
for _ in range(8): forked(away, hop)
"""
REPLACING = """
def keep():
    for _ in range(5): forked(away, stay)
    while os.wait(): forked(away, stay)
for _ in range(4): forked(away, keep)
"""
#: What a program does, and how many processes are then in place.
ESCAPES = {
    "forked children": ("for _ in range(49): forked(stay)", 49),
    "sessions of their own": ("for _ in range(49): forked(away, stay)", 49),
    "a generation each": ("def next(n): forked(next, n - 1) if n else 0; stay()\nforked(next, 30)", 31),
    "daemon without environment, pipes closed": ("forked(away, bare, 0, 1, 2)", 1),
    "daemon without environment, pipes held": ("forked(away, bare)", 1),
    "daemon forked twice": ("os.waitpid(forked(away, lambda: forked(bare, 0, 1, 2)), 0)", 1),
    "deaf to signals": (DEAF, 1),
    "stopped": (STOPPED, 1),
    "forks and dies all the time": (HOPPING, 100),
    "replaces its dead": (REPLACING, 20),
}


@contained
@pytest.mark.parametrize("name", ESCAPES)
def test_nothing_outlives_the_program(start: Start, held: Held, name: str) -> None:
    """A program that answers well is ended with all that it has started, wherever that went."""
    does, count = ESCAPES[name]
    child = start(does + END)
    held.await_letters(count)
    assert ask(child) == {"id": 1}
    assert not held.is_free()

    assert child.close() is None
    assert held.is_free()


@contained
@pytest.mark.parametrize("name", ESCAPES)
def test_nothing_outlives_a_program_that_has_ended(start: Start, held: Held, name: str) -> None:
    """What a program leaves when it ends on its own account is ended as well."""
    does, count = ESCAPES[name]
    child = start(does + "\nfor number in (1, 2): os.close(number)\nos._exit(3)")
    held.await_letters(count)

    child.close()
    assert held.is_free()


@contained
def test_a_program_that_kills_its_group_is_told_and_leaves_nothing(start: Start, held: Held) -> None:
    """Its own group is all that such a signal reaches."""
    child = start("forked(away, bare, 0, 1, 2)\nsys.stdin.readline()\nos.killpg(0, signal.SIGKILL)")
    held.await_letters(1)

    assert ask(child) == Failure("crash", "it ended (killed by signal SIGKILL)")
    child.close()
    assert held.is_free()


@contained
def test_a_program_may_kill_what_it_has_started(start: Start, held: Held) -> None:
    """Signals within a program are its own business."""
    child = start("child = forked(away, stay)\nsys.stdin.readline()\nos.kill(child, 9)\nsys.exit(os.wait()[1])")
    held.await_letters(1)

    assert ask(child) == Failure("crash", "it ended (exit code 9)")


@pytest.mark.usefixtures("anywhere")
def test_a_signal_without_a_name_is_told_by_its_number(start: Start) -> None:
    """Signals of real time have numbers alone."""
    number = signal.SIGRTMIN + 2

    assert ask(start(f"os.kill(os.getpid(), {number})")) == Failure("crash", f"it ended (killed by signal {number})")


@pytest.mark.usefixtures("anywhere")
def test_the_end_of_a_program_is_told_as_its_own(start: Start) -> None:
    """Its exit code and its last words are those of the program, whoever stands between."""
    child = start("sys.stderr.write('the reason')\nos._exit(3)")

    assert ask(child) == Failure("crash", "it ended (exit code 3)", "the reason")


@pytest.mark.usefixtures("anywhere")
@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("/no/such/program", "No such file or directory"),
        ("no-such-program", "No such file or directory"),
        ("/", "Permission denied"),
        ("", "the command has no name"),
        ("nul\0", "embedded null byte"),
    ],
)
def test_what_cannot_be_started_is_told(command: str, why: str) -> None:
    """The reason is that of the system, and the command is named."""
    assert Child.start([command]) == Failure("crash", f"{command!r} cannot be started: {why}")


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="the system does not show who is who")
@pytest.mark.parametrize("does", ["forked(stay)", "forked(away, stay)"], ids=["in the group", "away"])
def test_without_a_supervisor_the_group_and_what_bears_the_mark_end(start: Start, held: Held, does: str) -> None:
    """A process group is killed everywhere, and what has left it and kept its environment where that is shown."""
    child = start(does + END)
    held.await_letters(1)
    assert ask(child) == {"id": 1}

    assert child.close() is None
    assert held.is_free(20)


@scoped
@contained
@pytest.mark.parametrize("whom", ["watcher", str(os.getpid())], ids=["supervisor", "runner"])
def test_a_program_signals_nobody_but_its_own(start: Start, held: Held, whom: str) -> None:
    """Who watches over a program and who judges it are out of its reach, and of that of its children."""
    attack = (
        f"watcher = os.getppid()\ndef attack():\n    try: os.kill({whom}, signal.SIGCONT)\n"
        "    except PermissionError: here()\nattack()\nos.waitpid(forked(attack), 0)"
    )
    child = start(attack + END)
    held.await_letters(2)

    assert ask(child) == {"id": 1}


@contained
def test_a_program_keeps_what_it_may_do_with_files(start: Start, tmp_path: Path) -> None:
    """Holding signals back restricts nothing else: a file moves from folder to folder, as anywhere."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "one" / "file").touch()
    child = start(f"os.rename({str(tmp_path / 'one' / 'file')!r}, {str(tmp_path / 'two' / 'file')!r}){END}")

    assert ask(child) == {"id": 1}
    assert (tmp_path / "two" / "file").exists()


@contained
def test_a_program_gets_the_environment_of_the_runner(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables come through as they are, whatever the locale; one alone is added."""
    monkeypatch.setenv("LC_ALL", "")
    monkeypatch.setenv("LANG", "C")
    monkeypatch.delenv("LC_CTYPE", raising=False)
    monkeypatch.setenv("PYTHONCOERCECLOCALE", "0")
    monkeypatch.setenv("ODD", "a=b\udcff\n")
    wanted = {**os.environb, b"BROU_UNDER_TEST": b""}
    script = (
        "with open('/proc/self/environ', 'rb') as file: given = file.read()[:-1].split(b'\\0')\n"
        "found = dict(line.split(b'=', 1) for line in given) | {b'BROU_UNDER_TEST': b''}\n"
        f"sys.exit(0 if found == {wanted!r} else 7)"
    )

    assert ask(start(script)) == Failure("crash", "it ended (exit code 0)")


@contained
def test_a_program_leads_a_session_and_gains_no_rights(start: Start) -> None:
    """It has a session and a group of its own, and what would run with the rights of others runs with its own."""
    script = (
        "with open('/proc/self/status') as file: status = file.read()\n"
        "sys.exit(0 if os.getsid(0) == os.getpgid(0) == os.getpid() and 'NoNewPrivs:\\t1\\n' in status else 7)"
    )

    assert ask(start(script)) == Failure("crash", "it ended (exit code 0)")


@contained
def test_a_program_holds_no_pipe_but_its_own(start: Start) -> None:
    """Beside the three standard ones nothing is open in a program when it starts."""
    script = "found = sorted(os.listdir('/proc/self/fd'), key=int)\nsys.exit(len(found))"

    # The pipe of this test, and the folder that is listed.
    assert ask(start(script)) == Failure("crash", "it ended (exit code 5)")


@contained
def test_a_supervisor_that_is_stopped_still_ends_everything(start: Start, held: Held) -> None:
    """Whoever stops it gains nothing: it goes on when it is time."""
    child = start(f"forked(away, bare, 0, 1, 2){END}")
    held.await_letters(1)
    os.kill(watching(child), signal.SIGSTOP)

    child.close()
    assert held.is_free()


@contained
def test_a_supervisor_that_is_killed_takes_the_program_with_it(start: Start, held: Held) -> None:
    """The program ends with it, what kept the mark of the run is found, and what has happened is told."""
    child = start(f"def quiet():\n    for n in (0, 1, 2): os.close(n)\n    stay()\nforked(away, quiet){END}")
    held.await_letters(1)
    os.kill(watching(child), signal.SIGKILL)

    assert lost(child) == Failure("crash", "it ended the process that watches over it")
    child.close()
    assert held.is_free(20)


def watching(child: Child) -> int:
    """Return the id of the supervisor of a program."""
    return child._process.pid  # noqa: SLF001 - nobody else has reason to know it


@contained
def test_what_cannot_be_ended_is_told(start: Start, held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    """When killing takes too long the runner hears of it, and the supervisor goes on trying."""
    slow = (
        "import itertools, sys; sys.path.append(sys.argv.pop(1)); import supervisor; supervisor.PERSISTENCE = 0; "
        "kill, rounds = supervisor._kill_all, itertools.count(); "
        "supervisor._kill_all = lambda: kill() if next(rounds) > 2 else 0; supervisor.main()"
    )
    command = [slow if "supervisor.main" in word else word for word in containment._SUPERVISOR]  # noqa: SLF001
    monkeypatch.setattr(containment, "_SUPERVISOR", tuple(command))
    child = start(f"forked(away, stay){END}")
    held.await_letters(1)

    assert child.close() == Failure("crash", "2 of its processes could not be ended")
    assert held.is_free(20)
    child._process.wait()  # noqa: SLF001 - else it would be left to the test after this


@contained
def test_who_may_not_be_killed_does_not_protect_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal of the system does not end the killing."""
    tried: list[int] = []

    def refuse(number: int, signal_: int) -> None:
        tried.append(number)
        raise PermissionError(signal_)

    monkeypatch.setattr(supervisor, "_children", lambda parent: [11, 12] if parent == os.getpid() else [])
    monkeypatch.setattr(os, "kill", refuse)

    assert (supervisor._kill_all(), tried) == (2, [11, 12])  # noqa: SLF001 - it is what is called again and again


def test_a_program_of_which_something_is_left_is_not_started_again() -> None:
    """More copies of what cannot be ended would be left as well."""
    left = Failure("crash", "2 of its processes could not be ended")
    started: list[str] = []

    class Staying:
        def send(self, message: Message) -> None:
            pass

        def receive(self, seconds: float) -> Message | Failure:
            return Failure("timeout", f"no answer within {seconds:g} s")

        def close(self) -> Failure | None:
            return left

    def opened() -> Staying:
        started.append("once more")
        return Staying()

    with Session(opened) as session:
        hello = session.hello()
        assert isinstance(hello, Failure) and hello.what.startswith("no answer within 30 s; ")
        session.run({"game": "g", "edition": "e", "setup": "s", "steps": [{"winner": True}]})

    assert (session.left, len(started)) == (left, 1)


# The runner ends ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@contained
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_outlives_the_runner(held: Held, tmp_path: Path, number: signal.Signals) -> None:
    """Whether it is interrupted, asked to end or killed, what it has started ends with it."""
    program = tmp_path / "program.py"
    does = "forked(away, bare, 0, 1, 2)\nforked(away, stay)\nstay()"
    program.write_text(BEGIN.format(fifo=str(held.path)) + does, encoding="utf-8")
    # Whoever starts these tests in the background may have interruptions ignored, and a child would inherit that.
    script = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from brou_tools.cli import main; sys.exit(main())"
    )
    words = [sys.executable, "-P", "-c", script, "verify", "--jobs", "2", "--", sys.executable, str(program)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as runner:
        held.await_letters(3)
        runner.send_signal(number)
        assert runner.wait() == (-number if number == signal.SIGKILL else 128 + number)

    assert held.is_free(20)


# Bounds ---------------------------------------------------------------------------------------------------------------

MEBI = 1 << 20
HOG = "hoard = bytearray(os.urandom(1)) * (300 << 20)"
SPIN = "while True: pass"
#: Children that take processor time and end, one after the other.
SPENDERS = """
def spend():
    while sum(os.times()[:2]) < 0.1: pass
    os._exit(0)
while True:
    child = forked(spend)
    try: os.waitpid(child, 0)
    except ChildProcessError: pass
"""


@pytest.mark.slow
@contained
@pytest.mark.parametrize(
    "does",
    [
        f"answer()\n{HOG}\nstay()",
        f"def hog():\n    {HOG}\n    stay()\nforked(hog){END}",
        f"def hog():\n    for n in (0, 1, 2): os.close(n)\n    {HOG}\n    stay()\nforked(away, hog){END}",
        f"def hog():\n    hoard = os.urandom(50 << 20)\n    stay()\nfor _ in range(6): forked(hog){END}",
    ],
    ids=["itself", "a child", "a daemon", "many together"],
)
def test_a_program_that_takes_too_much_memory_is_ended(start: Start, held: Held, does: str) -> None:
    """Memory of a program is that of all it has started, and whose answer is missing is told why."""
    child = start(does, Bounds(memory=200 * MEBI))

    assert lost(child) == Failure("crash", "it used more than 200 MB of memory")
    child.close()
    assert held.is_free()


@pytest.mark.slow
@contained
@pytest.mark.parametrize("does", [SPIN, f"forked(lambda: [0 for _ in iter(int, 1)]){END}", SPENDERS])
@pytest.mark.parametrize("first", ["", "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"], ids=["", "nobody waits"])
def test_a_program_that_takes_too_much_time_of_the_processor_is_ended(
    start: Start, held: Held, does: str, first: str
) -> None:
    """Processor time is that of all processes, those included that have ended and those that nobody waited for."""
    child = start(first + does, Bounds(cpu=0.5))

    assert lost(child) == Failure("crash", "it used more than 0.5 s of processor time")
    child.close()
    assert held.is_free()


@pytest.mark.slow
@contained
def test_shared_and_reserved_memory_is_not_counted_often(start: Start) -> None:
    """Pages that children share with their parent count once, and what is reserved and not used does not count."""
    sharing = (
        "import mmap\nreserved = mmap.mmap(-1, 8 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)\n"
        "hoard = os.urandom(50 << 20)\nfor _ in range(8): forked(stay)\ntime.sleep(1)\nanswer()\n"
        "more = os.urandom(200 << 20)\nstay()"
    )
    child = start(sharing, Bounds(memory=200 * MEBI))

    assert ask(child) == {"id": 1}
    assert ask(child) == Failure("crash", "it used more than 200 MB of memory")


@contained
def test_within_its_bounds_a_program_is_left_alone(start: Start) -> None:
    """Bounds that are not passed change nothing."""
    child = start(f"time.sleep({4 * supervisor.GRANULARITY}){END}", Bounds(memory=1 << 30, cpu=60))

    assert ask(child) == {"id": 1}


@contained
def test_who_answered_before_a_bound_was_passed_has_answered(start: Start) -> None:
    """An answer that is written is taken, whatever its author did next."""
    child = start(f"answer()\n{HOG}\nstay()", Bounds(memory=200 * MEBI))

    assert ask(child) == {"id": 1}
    assert ask(child) == Failure("crash", "it used more than 200 MB of memory")


@pytest.mark.usefixtures("elsewhere")
def test_bounds_that_cannot_be_held_are_refused() -> None:
    """Where nobody can hold them no program is started."""
    assert Child.start([sys.executable, "-c", ""], Bounds(cpu=1)) == Failure(
        "crash", f"{sys.executable!r} cannot be started: memory and processor time can be bounded on Linux alone"
    )


@pytest.mark.parametrize(
    ("count", "said"), [(3 << 30, "3 GB"), (512 << 20, "512 MB"), (1536 << 10, "1536 KB"), (1000, "1000 bytes")]
)
def test_sizes_are_told_in_the_unit_they_were_given_in(count: int, said: str) -> None:
    """A bound is told as people write it."""
    assert containment.size(count) == said
