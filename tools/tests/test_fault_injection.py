"""Whatever the system refuses in whatever moment: a message that names it, and nothing lost, half done or left over."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
GAME = "brusquembille"
#: How messages call data, from the folder of all data on.
BELOW = (
    f"games/{GAME}/",
    *(f"{one.name}{'/' * one.is_dir()}" for one in (ROOT / "spec").iterdir() if one.name != "games"),
)
#: Marks what is started for a test, in its environment.
MARK = "BROU_FAULTY"
#: What a command may say that it was refused, besides a file.
REFUSED = ("the standard input", "the standard output", "a process to share the work")
#: With which errors each kind of call fails.
ERRORS: dict[str, tuple[int, ...]] = {
    "open": (errno.EMFILE, errno.EIO),
    "read": (errno.EIO,),
    "write": (errno.ENOSPC, errno.EIO),
    "sync": (errno.EIO,),
    "close": (errno.EIO,),
    "rename": (errno.ENOSPC,),
    "truncate": (errno.EIO,),
    "folder": (errno.ENOSPC,),
    "spawn": (errno.EAGAIN,),
    "thread": (errno.EAGAIN,),
    "pipe": (errno.EMFILE,),
}
#: What may be refused of files that are read.
READING = ("open", "read", "close")
#: What may be refused in the processes that share the work.
IN_WORKERS = ("write", "open", "rename", "sync")
#: More calls than this are not made: something would go on for ever.
MOST = 500

needs_faults = pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("gcc") is None, reason="needs Linux and gcc"
)


@dataclass(frozen=True)
class Command:
    """What is run: `{out}` in the arguments is the folder of the outputs, `{tree}` that of the data."""

    name: str
    arguments: Sequence[str]
    #: Files that are written below `out`, and below the data.
    outputs: Sequence[str] = ()
    data: Sequence[str] = ()
    #: Of these a part may stand there, as long as it is one of whole lines.
    journals: Sequence[str] = ()
    shared: bool = False
    #: Whether it starts a program of somebody else; if it cannot, the exit code is 3.
    starts: bool = False
    #: Whether it tells what is wrong with data, with the exit code 1.
    finds: bool = False
    #: Whether it is done in a moment.
    quick: bool = True
    #: What it reads from the standard input and answers line by line; answers that were given stay.
    given: str = ""


def requests() -> str:
    """Return requests to an engine, more than are read at once, and a line that is none."""
    rules = {"game": GAME, "edition": "1718", "setup": "3"}
    run = {"op": "run", **rules, "start": {"dealer": 0}, "steps": [{"legal": 0}, {"view": 1}]}
    asked: list[Any] = [{"op": "hello", "protocol": 1}, run, {"op": "ping", "note": "long" * 5000}, run, {"op": "ping"}]
    numbered = [json.dumps({**request, "id": number}) for number, request in enumerate(asked)]
    return "".join(f"{line}\n" for line in ["no request", *numbered])


PROGRAM = (sys.executable, "-P", "-m", "brou_tools.cli", "serve", GAME)
COMMANDS = [
    Command(
        "verify",
        (
            *(
                "verify",
                "--game",
                GAME,
                "-k",
                "brusq.ace-ruffed",
                "--jobs",
                "2",
                "--json",
                "--report",
                "{out}/r.ndjson",
            ),
            *("--junit", "{out}/j.xml", "--markdown", "{out}/m.md", "--badge", "{out}/b.json", "--", *PROGRAM),
        ),
        ("r.ndjson", "j.xml", "m.md", "b.json"),
        journals=("r.ndjson",),
        starts=True,
    ),
    Command(
        "simulate",
        (
            *("simulate", f"{GAME}:3", "-n", "4", "--jobs", "2", "--json"),
            *("--svg", "{out}/s.svg", "--report", "{out}/s.ndjson"),
        ),
        ("s.svg", "s.ndjson"),
        journals=("s.ndjson",),
        shared=True,
    ),
    Command("mutate", ("mutate", GAME, "-n", "1", "--write"), data=(f"spec/games/{GAME}/mutants.yaml",), quick=False),
    Command("witness", ("witness", GAME, "--write"), data=(f"spec/games/{GAME}/witnesses.yaml",), quick=False),
    Command(
        "ambiguities", ("ambiguities", GAME, "--count", "1"), data=(f"spec/games/{GAME}/frequencies.yaml",), quick=False
    ),
    Command("rulebook", ("rulebook", GAME, "--format", "html", "-o", "{out}/new/b.html"), ("new/b.html",)),
    Command("draw", ("draw", "back", "-o", "{out}/b.svg"), ("b.svg",)),
    Command(
        "prove",
        ("prove", GAME, "--only", "brus.stock.as-said", "--smtlib", "{out}/new"),
        ("new/",),
        shared=True,
        quick=False,
    ),
    Command("check", ("check", "--reviewed", "{tree}/spec"), data=(f"spec/games/{GAME}/reviewed.yaml",), finds=True),
    Command("export", ("export", f"{GAME}:3")),
    Command("export --core", ("export", "--core", f"{GAME}:3")),
    Command("serve", ("serve", f"{GAME}:3"), given=requests()),
]
EVERY = [pytest.param(command, id=command.name) for command in COMMANDS]


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the code with the data of one game, which may be written to."""
    tree = tmp_path_factory.mktemp("tree")
    for folder in ("reference/brou", "conformance/brou_conformance", "tools/brou_tools", "spec"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for other in (tree / "spec" / "games").iterdir():
        if other.name != GAME:
            shutil.rmtree(other)
    scenarios = Path("conformance", "scenarios", GAME)
    shutil.copytree(ROOT / scenarios, tree / scenarios)
    return tree


@pytest.fixture(scope="session")
def faults(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what lets calls of the system fail."""
    made = tmp_path_factory.mktemp("faults") / "faults.so"
    source = HERE / "faults.c"
    compiler = shutil.which("gcc") or "gcc"
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-o", made, source], check=True)
    return made


@dataclass
class Ended:
    """How a command ended: its exit code, what it said, and whether a call of it was refused."""

    code: int
    output: str
    said: str
    refused: bool
    #: What it wrote, and what else it left in the folders of what it wrote.
    files: dict[str, bytes | None]
    litter: list[str]
    left: list[int]


@dataclass
class Desk:
    """Where a command is run again and again."""

    command: Command
    folder: Path
    tree: Path
    faults: Path
    #: Whether what is read is refused, and not what is written.
    reading: bool = False
    before: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("out", "said", "cache"):
            (self.folder / name).mkdir()
        self.given.write_text(self.command.given, encoding="ascii")
        self.before = {name: (self.tree / name).read_bytes() for name in self.command.data}
        self.before |= {name: b"old\n" for name in self.command.outputs if "/" not in name}

    @property
    def out(self) -> Path:
        """Return the folder of the outputs."""
        return self.folder / "out"

    @property
    def given(self) -> Path:
        """Return the file that is the standard input."""
        return self.folder / "said" / "given"

    @property
    def arguments(self) -> list[str]:
        """Return the arguments of the command."""
        return [one.format(out=self.out, tree=self.tree) for one in self.command.arguments]

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment: the code of the tree, and a mark by which processes are known."""
        path = os.pathsep.join(str(self.tree / room) for room in ("reference", "conformance", "tools"))
        written = [self.tree / name for name in self.command.data]
        beside = [path.with_name(f".{path.name}") for path in written]
        streams = [self.given, self.folder / "said" / "output"]
        concerned = [self.tree / "spec"] if self.reading else [self.out, *streams, *written, *beside]
        return {
            **os.environ,
            "PYTHONPATH": path,
            "BROU_CACHE": str(self.folder / "cache"),
            "LD_PRELOAD": str(self.faults),
            "FAULT_BELOW": ":".join(map(str, concerned)),
            "FAULT_HIT": str(self.folder / "said" / "hit"),
            MARK: str(self.folder),
        }

    def clear(self) -> None:
        """Put back what was there before."""
        shutil.rmtree(self.out)
        self.out.mkdir()
        for name, content in self.before.items():
            self.place(name).write_bytes(content)
        (self.folder / "said" / "hit").unlink(missing_ok=True)

    def place(self, name: str) -> Path:
        """Return where an output, or a file of the data, stands."""
        return (self.tree if name in self.command.data else self.out) / name

    def found(self, process: int, code: int) -> Ended:
        """Return how a process has ended."""
        said = self.folder / "said"
        names = [*self.command.outputs, *self.command.data]
        files = {name: self.place(name).read_bytes() if self.place(name).is_file() else None for name in names}
        for name in self.command.journals:  # whose lines come in the order in which parts are done
            files[name] = b"".join(sorted((files[name] or b"").splitlines(keepends=True))) or None
        below = [*self.out.rglob("*"), *(self.tree / "spec").rglob(".*")]
        known = {self.place(name) for name in names} | {self.out / "new"}
        many = [self.place(name) for name in names if name.endswith("/")]
        litter = [
            str(path)
            for path in below
            if path not in known and not (path.parent in many and not path.name.startswith("."))
        ]
        said_output = (said / "output").read_text(encoding="utf-8")
        said_error = (said / "error").read_text(encoding="utf-8")
        return Ended(
            code, said_output, said_error, (said / "hit").exists(), files, litter, living(process, str(self.folder))
        )


def living(session: int, mark: str) -> list[int]:
    """Return the processes of a session, and those that bear a mark but began in another one of their own."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            marked = f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0")
            own = int(fields[3]) == session or (marked and int(fields[3]) == int(folder.name))
            if own and fields[0] != "Z" and int(folder.name) != session:
                found.append(int(folder.name))
    return found


class Copies:
    """Runs a command in copies of one process that has everything loaded."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(HERE / "faulty.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=desk.environment,
        )

    def run(self, *fault: int | str) -> Ended:
        """Run the command with a fault, or with none."""
        self.desk.clear()
        said = self.desk.folder / "said"
        job = {
            "arguments": self.desk.arguments,
            "input": str(self.desk.given),
            "output": str(said / "output"),
            "error": str(said / "error"),
            "fault": fault or None,
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        process, code = json.loads(self._process.stdout.readline())
        return self.desk.found(process, code)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@pytest.fixture
def reading() -> bool:
    """Return whether what is read is refused."""
    return False


@pytest.fixture
def desk(request: pytest.FixtureRequest, tmp_path: Path, tree: Path, faults: Path, reading: bool) -> Iterator[Desk]:
    """Return where a command is run; its data are as they were afterwards."""
    made = Desk(request.param, tmp_path, tree, faults, reading)
    yield made
    made.clear()


@pytest.fixture
def copies(desk: Desk) -> Iterator[Copies]:
    """Return a process whose copies run a command."""
    made = Copies(desk)
    yield made
    made.close()


def wrong(desk: Desk, well: Ended, ended: Ended, kind: str) -> list[str]:
    """Return what is not as it should be after a fault: exit code, message, files, processes."""
    found = [f"left: {one}" for one in (*ended.litter, *ended.left)]
    same = (ended.code, ended.files, ended.output) == (well.code, well.files, well.output)
    unusable = desk.command.starts and kind in ("spawn", "pipe", "thread") and ended.code == 3
    # What cannot be read is one fault of the data more, to a command that looks for them.
    told = (
        desk.command.finds
        and ended.code == 1
        and any(one in ended.output for one in BELOW)
        and ": cannot be read: " in ended.output
    )
    if ended.code != 2 and not (same or unusable or told):
        found.append(f"exit code {ended.code}")
    if ended.code == 2:
        named = (str(desk.out), str(desk.tree), *BELOW, *REFUSED)
        if not any(f"brou: {one}" in ended.said for one in named):
            found.append("names nothing")
    if desk.command.given and not well.output.startswith(ended.output):
        found.append(f"answers: {ended.output[-80:]!r}")
    if "Traceback" in ended.said or "fault of our own" in ended.said:
        found.append("no message")
    for name, content in ended.files.items() if not unusable else ():
        if content not in (well.files[name], desk.before.get(name)) and not begun(desk, name, content):
            found.append(f"{name}: {(content or b'')[:80]!r}")
    return [*found, ended.said] if found else []


def begun(desk: Desk, name: str, content: bytes | None) -> bool:
    """Say whether a journal holds whole lines."""
    if name not in desk.command.journals or content is None:
        return False
    lines = content.splitlines(keepends=True)
    return all(line.endswith(b"\n") and isinstance(json.loads(line), dict) for line in lines)


def tried(copies: Copies, first: int = MOST, *, worker: bool = False, ever: bool = False) -> dict[str, Any]:
    """Return what is wrong after each fault: of each kind the first so many calls, or all that are made.

    Data are read by hundreds of calls that are alike: of these some are refused, less often the later they come.
    """
    well = copies.run()
    assert (well.code in (0, 1), well.litter, well.left) == (True, [], []), well
    hit = copies.desk.folder / "said" / "hit.made"
    made = {kind: int(calls) for kind, calls in map(str.split, hit.read_text(encoding="ascii").splitlines())}
    kinds = IN_WORKERS if worker else READING if copies.desk.reading else [*ERRORS]
    found: dict[str, Any] = {}
    for kind, error in [(one, error) for one in kinds for error in ERRORS[one]]:
        number = 1
        while number <= (MOST if worker else min(made[kind], first)):
            ended = copies.run(kind, number, error, int(ever), int(worker))
            if not ended.refused:
                break
            if faults := wrong(copies.desk, well, ended, kind):
                found[f"{kind} {number} {errno.errorcode[error]}"] = faults
            number += 1 + number // 2 if copies.desk.reading else 1
    return found


QUICK = [one for one, of in zip(EVERY, COMMANDS, strict=True) if of.quick]
SHARED = [one for one, of in zip(EVERY, COMMANDS, strict=True) if of.shared]


@pytest.mark.sampled(10)
@pytest.mark.slow
@needs_faults
@pytest.mark.parametrize("desk", QUICK, indirect=True)
def test_the_first_thing_refused_is_named(copies: Copies) -> None:
    """Of each kind, in each command that takes no longer than a moment."""
    assert tried(copies, 1) == {}


@pytest.mark.thorough
@needs_faults
@pytest.mark.parametrize("ever", [False, True])
@pytest.mark.parametrize("desk", EVERY, indirect=True)
def test_whatever_is_refused_is_named(copies: Copies, ever: bool) -> None:
    """The first call of each kind, the second, until none is left; by itself, and with all that follow."""
    found = tried(copies, ever=ever)
    assert found == {}, found


@pytest.mark.thorough
@needs_faults
@pytest.mark.parametrize("reading", [True])
@pytest.mark.parametrize("desk", EVERY, indirect=True)
def test_data_that_cannot_be_read_are_named(copies: Copies) -> None:
    """A file of the rules, of the texts or of what stands beside them, however late it is read."""
    assert tried(copies) == {}


@pytest.mark.thorough
@needs_faults
@pytest.mark.parametrize("desk", SHARED, indirect=True)
def test_whatever_is_refused_in_a_worker_is_named(copies: Copies) -> None:
    """An error of a process that shares the work is that of the command."""
    assert tried(copies, worker=True) == {}
