"""The supervisor between the runner and a program under test on Linux: it ends with every process below it.

The runner starts this file as a process of its own, and it starts the program. A descendant of the program that loses
its parent becomes a child of this process (it is the subreaper), so that a process without children is proof that
nothing is left. It ends all of them when the runner says so or is gone, and when they exceed a bound.

It runs with little of the standard library and nothing else, for it is started once for every start of a program. The
pipes of the program do not pass through it.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

#: What is told to the runner, one a line, some with a number behind it.
STARTED, NO_START, EXITED, KILLED, TOO_MUCH_MEMORY, TOO_MUCH_CPU, LEFT = (
    "started",
    "no-start",
    "exited",
    "killed",
    "too-much-memory",
    "too-much-cpu",
    "left",
)
#: For how many seconds processes are killed before the runner is told that some are left.
PERSISTENCE = 5.0
#: How many seconds pass between two looks at what the processes use, and how many times as long as the look itself.
GRANULARITY = 0.05
_RESTRAINT = 10
#: How many seconds pass between two looks at processes that have been killed and are not yet gone.
_MOMENT = 0.001

# From <sys/prctl.h> and <linux/landlock.h>; the numbers of these system calls are the same on every architecture.
_SET_PDEATHSIG = 1
_SET_CHILD_SUBREAPER = 36
_SET_NO_NEW_PRIVS = 38
_CREATE_RULESET = 444
_RESTRICT_SELF = 446
_SCOPE_SIGNAL = 2

#: How many of those who have ended are buried at a time.
_BATCH = 100
_STANDARD = (0, 1, 2)
#: Places of a process in its `stat`, from the one after its name on.
_PARENT, _USER, _SYSTEM, _WAITED_USER, _WAITED_SYSTEM, _BORN, _PAGES = 1, 11, 12, 13, 14, 19, 21


def main() -> None:
    """Start the program that the arguments name, and end with all that comes of it.

    Arguments are the process id of the runner, the numbers of two pipes (the runner closes the first to say that it is
    time to end, and reads from the second), bytes of memory and seconds of processor time (0: as much as there is),
    and the command.
    """
    runner, orders, news = (int(text) for text in sys.argv[1:4])
    memory, cpu = int(sys.argv[4]), float(sys.argv[5])
    command = sys.argv[6:]
    _prctl(_SET_CHILD_SUBREAPER, 1)
    # A stopped process hears of nothing; the end of the runner wakes it.
    _prctl(_SET_PDEATHSIG, signal.SIGCONT)
    Supervisor(runner, orders, news, ResourceMeter(memory, cpu)).run(command)
    # The runner waits for the end, not for an interpreter that tidies up.
    os._exit(0)


class Supervisor:
    """Starts one program, reports its end, and ends everything below this process."""

    def __init__(self, runner: int, orders: int, news: int, meter: ResourceMeter) -> None:
        self._runner, self._orders, self._news, self._meter = runner, orders, news, meter
        self._program = 0
        for number in (orders, news):
            os.set_inheritable(number, False)  # noqa: FBT003 - the library's signature
        self._wakened, self._waker = os.pipe()
        for number in (self._wakened, self._waker):
            os.set_blocking(number, False)

    def run(self, command: list[str]) -> None:
        """Start the program, wait until it is time to end, and end everything."""
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        self._program, error = _start(command, mask)
        if error:
            self._tell(NO_START, error)
            return
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in _STANDARD:
            os.dup2(nothing, number)
        os.close(nothing)
        signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        for wakener in (signal.SIGCHLD, signal.SIGCONT):
            signal.signal(wakener, _wake)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGCHLD, signal.SIGCONT))
        self._tell(STARTED)
        try:
            self._watch()
        finally:
            self._end()

    def _watch(self) -> None:
        """Wait until the runner says that it is time to end, or is gone, or a bound is passed."""
        poll = select.poll()
        for number in (self._orders, self._wakened):
            poll.register(number, select.POLLIN)
        look = time.monotonic() + GRANULARITY
        while os.getppid() == self._runner:
            pause = 1000 * max(0.0, look - time.monotonic()) if self._meter.is_bounded else None
            ready = {number for number, _ in poll.poll(pause)}
            if self._orders in ready:
                return
            if self._wakened in ready:
                os.read(self._wakened, select.PIPE_BUF)
            self._bury()
            begun = time.monotonic()
            # Many children that end wake this process often; they are no reason to look more often.
            if self._meter.is_bounded and begun >= look:
                passed = self._meter.find_exceeded()
                if passed:
                    self._tell(passed)
                    return
                ended = time.monotonic()
                look = ended + max(GRANULARITY, _RESTRAINT * (ended - begun))

    def _end(self) -> None:
        """Kill all descendants of this process until there are none; tell the runner if that takes too long."""
        deadline: float | None = time.monotonic() + PERSISTENCE
        while True:
            if not self._bury(max(_BATCH, _kill_all())):
                return
            if deadline is not None and time.monotonic() > deadline:
                deadline = None
                self._tell(LEFT, sum(1 for _ in descendants()))
                os.close(self._news)
            time.sleep(_MOMENT if deadline else GRANULARITY)

    def _bury(self, most: int = _BATCH) -> bool:
        """Reap processes that have ended, at most so many; say whether there are children left."""
        for _ in range(most):
            try:
                number, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if not number:
                return True
            if number == self._program:
                code = os.waitstatus_to_exitcode(status)
                self._tell(KILLED if code < 0 else EXITED, abs(code))
        # Some may go on dying as fast as they are buried: orders come first, then the rest.
        _write(self._waker, b"\0")
        return True

    def _tell(self, what: str, number: int | None = None) -> None:
        _write(self._news, (what if number is None else f"{what} {number}").encode("ascii") + b"\n")


class ResourceMeter:
    """Measures the memory and the processor time of all descendants together, against their bounds.

    Memory is resident memory; pages that several processes share count once. Processor time is that of all processes,
    including those that have ended: the greater of the time seen of each while it ran, and the time that the system has
    kept for the parents that waited for them.
    """

    def __init__(self, memory: int, cpu: float) -> None:
        self._memory, self._cpu = memory, cpu
        self.is_bounded = bool(memory or cpu)
        self._page = os.sysconf("SC_PAGE_SIZE")
        self._tick = os.sysconf("SC_CLK_TCK")
        self._before: dict[tuple[int, int], int] = {}
        self._ended = 0

    def find_exceeded(self) -> str | None:
        """Return the bound that is passed, if one is."""
        states = {number: state for number in descendants() if (state := _state(number))}
        pages = sum(state[_PAGES] for state in states.values())
        if self._memory and pages * self._page > self._memory:
            # Shared pages have been counted for everybody who shares them.
            resident = sum(_resident(number, state[_PAGES] * self._page) for number, state in states.items())
            if len(states) == 1 or resident > self._memory:
                return TOO_MUCH_MEMORY
        if self._cpu and self._spent(states) > self._cpu:
            return TOO_MUCH_CPU
        return None

    def _spent(self, states: dict[int, list[int]]) -> float:
        now = {(number, state[_BORN]): state[_USER] + state[_SYSTEM] for number, state in states.items()}
        self._ended += sum(ticks for process, ticks in self._before.items() if process not in now)
        self._before = now
        waited = sum(state[_WAITED_USER] + state[_WAITED_SYSTEM] for state in states.values())
        buried = os.times()
        running = sum(now.values()) / self._tick
        return running + max(
            self._ended / self._tick, waited / self._tick + buried.children_user + buried.children_system
        )


def descendants() -> list[int]:
    """Return the ids of all processes below this one, parents first."""
    found = _children(os.getpid())
    for number in found:
        found += _children(number)
    return found


def _children(parent: int) -> list[int]:
    """Return the ids of the children of a process; none if it is gone."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{parent}/task"):
            with open(f"/proc/{parent}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
    except OSError:
        pass
    return found


def _state(number: int) -> list[int] | None:
    """Return the numbers that the system keeps of a process, its parent at `_PARENT`; None if it is gone."""
    try:
        with open(f"/proc/{number}/stat", "rb") as file:
            text = file.read()
    except OSError:
        return None
    letter, *numbers = text[text.rindex(b")") + 1 :].split()
    return [ord(letter), *map(int, numbers)]


def _resident(number: int, otherwise: int) -> int:
    """Return how many bytes of memory a process has, its share of shared ones; `otherwise` if nobody says."""
    try:
        with open(f"/proc/{number}/smaps_rollup", "rb") as file:
            return next(1024 * int(line.split()[1]) for line in file if line.startswith(b"Pss:"))
    except (OSError, StopIteration):
        return otherwise


def _kill_all() -> int:
    """Kill all descendants of this process, once, and return how many children there were, the dead included.

    A descendant that was missed, or started meanwhile, becomes a child of this process once its parent is dead: the
    caller repeats this until there are no children. A round must be short, since it races with processes that fork all
    the time; where children are many, descendants further down wait until they are children.
    """
    own = os.getpid()
    children = _children(own)
    for number in children:
        # The id of a child is its own until it is buried here, so that no stranger is hit.
        try:
            os.kill(number, signal.SIGKILL)
        except PermissionError:
            continue  # a rule of the system protects it: it will be told that it is left
    if len(children) < _BATCH:
        family = [(further, number) for number in children for further in _children(number)]
        for number, parent in family:
            family += [(further, number) for further in _children(number)]
            _kill_further(number, (parent, own))
    return len(children)


def _kill_further(number: int, parents: tuple[int, int]) -> None:
    """Kill a process that others may bury, if it still is the child of one of these, and no stranger with its id."""
    try:
        descriptor = os.pidfd_open(number)
    except OSError:
        return  # it is gone, or the system has no such descriptors: then its turn comes when it is a child
    try:
        state = _state(number)
        if state and state[_PARENT] in parents:
            signal.pidfd_send_signal(descriptor, signal.SIGKILL)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def _start(command: list[str], mask: Iterable[int]) -> tuple[int, int]:
    """Start a command below this process; return its process id and the number of the error, if there is one."""
    # This interpreter may have changed variables of the locale on its own account.
    with open("/proc/self/environ", "rb") as file:
        environment = dict(line.split(b"=", 1) for line in file.read().split(b"\0") if b"=" in line)
    failure, failed = os.pipe()
    program = os.fork()
    if program:
        os.close(failed)
        error = os.read(failure, select.PIPE_BUF)
        os.close(failure)
        return program, int(error or 0)
    try:
        os.setsid()
        _prctl(_SET_PDEATHSIG, signal.SIGKILL)
        _hold_back()
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.execvpe(command[0], command, environment)
    except OSError as error:
        os.write(failed, str(error.errno).encode("ascii"))
    finally:
        os._exit(1)


def _hold_back() -> None:
    """Keep this process and its descendants from gaining rights and, where possible, from signalling others.

    With rights of another user it could not be killed; with a signal it could end the runner that watches over it.
    """
    import ctypes  # noqa: PLC0415 - the runner, which reads the words above, has no need of it

    _prctl(_SET_NO_NEW_PRIVS, 1)
    attributes = (ctypes.c_uint64 * 3)(0, 0, _SCOPE_SIGNAL)
    system = ctypes.CDLL(None)
    rules = system.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(ctypes.sizeof(attributes)), 0)
    if rules >= 0:
        system.syscall(_RESTRICT_SELF, rules, 0)
        os.close(rules)


def _prctl(operation: int, value: int) -> None:
    """Change a setting of this process; raise `OSError` if the system does not."""
    import ctypes  # noqa: PLC0415 - as above

    rest = [ctypes.c_ulong(0)] * 3
    if ctypes.CDLL(None, use_errno=True).prctl(operation, ctypes.c_ulong(value), *rest):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _write(descriptor: int, text: bytes) -> None:
    """Write to a pipe, unless nobody reads it any more or it is full."""
    try:
        os.write(descriptor, text)
    except OSError:
        return


def _wake(number: int, frame: object) -> None:
    """Do nothing but be called: the number of the signal is in the pipe that is waited for."""
