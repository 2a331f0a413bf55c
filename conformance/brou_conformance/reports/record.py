"""The record of a verification: NDJSON, a line for the beginning, for each case and each edition, and one at the end.

The first line binds the following ones to the program, to the corpus and to the rules. The last line counts and hashes
all the others: a record without it never passes for a whole one. A case is recorded with its requests and replies, so
that it can be judged again without asking, and asked again without the scenarios. Lines are read on demand, so that a
record may be larger than memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from brou import BrouError, NoFile
from brou.atomic import read_named
from brou.games import list_rule_files
from brou.shapes import ABSENT, Absent, Limit, read, shape
from brou_conformance.judging.case import CaseReport, read_answers
from brou_conformance.judging.case import key as name_content
from brou_conformance.judging.judge import Status, Unsent
from brou_conformance.metamorphic.pairs import MOST_EXAMPLES, PairReport
from brou_conformance.metamorphic.pairs import Relation as Likeness
from brou_conformance.programs.identity import ProgramName
from brou_conformance.programs.session import Hello
from brou_conformance.protocol import MAX_DEPTH, MAX_LINE, Message, NoMessage, decode, encode, fault
from brou_conformance.scenarios.corpus import files as scenario_files
from brou_conformance.scenarios.corpus import games
from brou_conformance.verdicts.desk import Earlier
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import RunChange

FORMAT: Final = "brou-report/3"
#: Earlier formats: they say what came of each case, but not of which program, nor what was asked.
_EARLIER = ("brou-report/1",)
_REPORT = "a file that `brou verify --report` wrote"
#: A line holds all the answers to a script, one level deeper than they stood on the wire.
_LENGTH, _DEPTH = 16 * MAX_LINE, MAX_DEPTH + 8


class Stale(BrouError):
    """A record that a run cannot go on with: of another program, or of an earlier format."""


def summarise_data(hello: Hello, wanted: Selection) -> dict[str, GameHashes]:
    """Return for each game that is judged a hash of its scenarios and one of its rules."""
    known = games(wanted.corpus)
    played = sorted({game for game, _, _ in hello.plays if game in known and wanted.game in ("", game)})
    return {
        game: GameHashes(
            corpus=_hash_files(scenario_files(game, wanted.corpus)),
            rules=_hash_files(list_rule_files(game, wanted.data)),
        )
        for game in played
    }


def _hash_files(paths: Iterable[Path]) -> str:
    summed = hashlib.sha256()
    for path in paths:
        data = read_named(path) if path.is_file() else b""
        summed.update(f"{path.name} {len(data)}\n".encode("utf-8", "backslashreplace"))
        summed.update(data)
    return summed.hexdigest()


# Lines ----------------------------------------------------------------------------

_Hash: TypeAlias = Annotated[str, Limit(pattern="^[0-9a-f]{64}$")]


@shape()
class GameHashes:
    """Hashes of the scenarios and the rules of a game."""

    corpus: Annotated[_Hash, "the hash of its scenarios"]
    rules: Annotated[_Hash, "the hash of its rules"]


@shape()
class BeginLine:
    """The first line: the program that answered, and the scenarios and rules by which it was judged."""

    kind: Literal["begin"] = "begin"
    format: Annotated[Literal["brou-report/1", "brou-report/2", "brou-report/3"], "this format, or an earlier one"]
    program: Annotated[ProgramName | tuple[str, ...], "the program; in the first format only its command"]
    data: Annotated[Mapping[str, GameHashes], "for each game, hashes of its scenarios and rules"] | Absent = ABSENT
    greeting: Annotated[Message, "what the program said of itself; empty if it never spoke"]
    selection: Annotated[str, "the options by which the cases were chosen, if not all were asked"] | Absent = ABSENT


@shape()
class AgainLine:
    """The lines above about cases of this edition do not count: the program follows other readings."""

    kind: Literal["again"] = "again"
    game: Annotated[str, "the game"]
    edition: Annotated[str, "the edition"]


@shape()
class FamilyLine:
    """The results of the pairs of scripts of one kind."""

    kind: Literal["family"] = "family"
    game: Annotated[str, "the game"]
    edition: Annotated[str, "the edition"]
    family: Annotated[Likeness, "what the scripts of a pair have in common"]
    pairs: Annotated[int, Limit(minimum=0), "pairs of scripts that were asked and could be compared"]
    differ: Annotated[int, Limit(minimum=0), "pairs that are answered differently"]
    lost: Annotated[int, Limit(minimum=0), "pairs without an answer, or with another one when asked again"]
    examples: Annotated[
        tuple[PairReport, ...], Limit(max_items=MOST_EXAMPLES), "the smallest pairs that are answered differently"
    ]


@shape()
class RunLine:
    """The result of an edition, as in the report; records of earlier formats have other keys."""

    kind: Literal["run"] = "run"
    verdict: Annotated[object, "the verdict"]
    game: Annotated[object, "the game"]
    edition: Annotated[object, "the edition"]


@shape()
class EndLine:
    """The last line: a record without it is not whole."""

    kind: Literal["end"] = "end"
    lines: Annotated[int, Limit(minimum=0), "the number of lines before this one"]
    sha256: Annotated[_Hash, "the hash of all bytes before this line"]
    unusable: Annotated[str, "why the program could not be used to the end"] | Absent = ABSENT


RecordLine: TypeAlias = Annotated[
    BeginLine | CaseReport | FamilyLine | RunLine | AgainLine | EndLine,
    "A line of the record that `brou verify --report` writes",
]


# Reading --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RecordedCase:
    """A case of a record: its status, and the place of its line."""

    name: str
    key: str
    status: Status
    start: int
    length: int
    #: Whether it counts; if not, the edition was judged anew under other readings, and this scenario was left out.
    current: bool = True


@dataclass(frozen=True, slots=True)
class RunRecord:
    """The record of an earlier run. Lines are read on demand, so that a record may be larger than memory."""

    path: Path
    format: str
    program: ProgramName
    data: Mapping[str, GameHashes]
    greeting: Message
    #: By the name of their case; of a case that was recorded twice, the later.
    cases: dict[str, RecordedCase]
    #: Whether it ran to its end and nothing is missing.
    complete: bool = False
    #: The options by which its cases were chosen, if it holds a part of them.
    selection: str = ""
    #: Whether something was changed in it after it was written.
    damaged: bool = False

    def move(self, starts: Mapping[str, int]) -> None:
        """Take note of where the lines of cases are now, after the file was written again."""
        for name, start in starts.items():
            self.cases[name] = replace(self.cases[name], start=start)

    def line(self, known: RecordedCase) -> bytes:
        """Return the line of a case."""
        return read_named(self.path, known.start, known.length)

    def case(self, known: RecordedCase) -> CaseReport:
        """Return a case as data."""
        return read_case(self.line(known))

    @property
    def scenarios(self) -> frozenset[str]:
        """Return the ids of the scenarios that it holds."""
        return frozenset(name.partition(" ")[2] for name in self.cases)

    @property
    def played(self) -> set[tuple[str, str, str]]:
        """Return game, edition and set-up of all cases."""
        found = set()
        for name in {known.name.partition(" ")[0] for known in self.cases.values()}:
            game, _, rest = name.partition("@")
            edition, _, setup = rest.partition(":")
            found.add((game, edition, setup))
        return found

    @property
    def replies(self) -> Earlier:
        """Return the program's replies, by the key of the case and by the request."""
        return self.replies_without(frozenset())

    def replies_without(self, keys: Collection[str]) -> Earlier:
        """Return the program's replies, without those of some cases, given by their keys."""
        return _Replies(self, keys)


class _Replies(Mapping[str, Mapping[bytes, Sequence[Message | Unsent]]]):
    """The replies of a record by the key of their case and by their request, read on demand."""

    def __init__(self, record: RunRecord, without: Collection[str]) -> None:
        self._record = record
        judged = (known for known in record.cases.values() if known.status is not Status.SUITE)
        self._by_key = {known.key: known.name for known in judged if known.key not in without}

    def __getitem__(self, key: str) -> Mapping[bytes, Sequence[Message | Unsent]]:
        case = self._record.case(self._record.cases[self._by_key[key]])
        replies = dict(zip(map(encode, case.requests or ()), read_replies(case), strict=True))
        extras = {encode(one.request): read_answers(one.reply) for one in case.extras or ()}
        return {**extras, **replies}

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_key)

    def __len__(self) -> int:
        return len(self._by_key)


def read_case(line: bytes) -> CaseReport:
    """Return the case that a line of a record holds."""
    return read(CaseReport, decode(line, length=_LENGTH, depth=_DEPTH))


def name_recorded(case: CaseReport) -> str:
    """Return the edition and set-up that a case of a record was judged for, and its scenario."""
    return f"{case.game}@{case.edition}:{case.setup} {case.id}"


def read_replies(case: CaseReport) -> list[list[Message | Unsent]]:
    """Return the replies to a case of a record."""
    return [read_answers(reply) for reply in case.replies or ()]


def read_record(path: Path) -> RunRecord:
    """Return the content of a record, as far as it goes; raise `NoFile` if it is none."""
    reader = _RecordReader()
    if path.exists() and not path.is_file():
        raise NoFile(path, _REPORT, "no file that can be read again")
    try:
        with path.open("rb") as source:
            reader.read(iter(partial(source.readline, _LENGTH), b""))
    except OSError as error:
        raise NoFile(path, _REPORT, str(error.strerror)) from error
    first = reader.first
    if first is None:
        raise NoFile(path, f"{_REPORT}, from its first line on", "no report")
    program = first.program if isinstance(first.program, ProgramName) else ProgramName(command=first.program)
    found = RunRecord(path, first.format, program, first.data or {}, first.greeting, reader.cases)
    return replace(found, complete=reader.complete, damaged=reader.damaged, selection=first.selection or "")


class _RecordReader:
    """Goes through the lines of a record, up to the first that is not of the right form."""

    def __init__(self) -> None:
        self.first: BeginLine | None = None
        self.cases: dict[str, RecordedCase] = {}
        self.complete = self.damaged = False
        self._lines = 0
        self._sum = hashlib.sha256()

    def read(self, source: Iterable[bytes]) -> None:
        """Take note of every line."""
        place = 0
        for text in source:
            line = _read_line(text)
            if line is None or self.complete or (self.first is None and not isinstance(line, BeginLine)):
                # What stands behind a whole line that is none of a record was not left there by an end of the run.
                self.damaged = self.damaged or self.complete or text.endswith(b"\n")
                self.complete = False
                return
            self._take(line, place, len(text))
            self._sum.update(text)
            self._lines += 1
            place += len(text)

    def _take(self, line: RecordLine, place: int, length: int) -> None:
        match line:
            case BeginLine() if self.first is None:
                self.first = line
            case CaseReport():
                name = name_recorded(line)
                self.cases[name] = RecordedCase(
                    name, name_content(name, line.requests or ()), line.status, place, length
                )
            case AgainLine():
                edition = f"{line.game}@{line.edition}:"
                for name in [name for name in self.cases if name.startswith(edition)]:
                    self.cases[name] = replace(self.cases[name], current=False)
            case EndLine():
                self.complete = (line.lines, line.sha256) == (self._lines, self._sum.hexdigest())
                self.damaged = not self.complete
            case _:  # what an edition came to is not read again
                pass


def _read_line(text: bytes) -> RecordLine | None:
    """Return a line of the right form, or None."""
    if not text.endswith(b"\n"):
        return None
    try:
        line = decode(text, length=_LENGTH, depth=_DEPTH)
    except NoMessage:
        return None
    return None if fault("record", line) else read(_LINES[line["kind"]], line)


_LINES: Mapping[str, type[RecordLine]] = {
    "begin": BeginLine,
    "case": CaseReport,
    "family": FamilyLine,
    "run": RunLine,
    "again": AgainLine,
    "end": EndLine,
}


# Going on -------------------------------------------------------------------------


def check_whole(record: RunRecord) -> None:
    """Raise `Stale` if a record was changed after it was written; one that was cut off by the end of its run is not."""
    if record.damaged:
        raise Stale(f"{record.path}: it was changed after it was written; no answer in it is anybody's: make it again")


def check_replayable(record: RunRecord) -> None:
    """Raise `Stale` if a record cannot be judged without its program: changed, or of a format without the requests."""
    check_whole(record)
    if record.format in _EARLIER:
        raise Stale(
            f"{record.path}: {record.format} does not hold what was asked; "
            "run the program again with --report FILE, or compare with it: --since"
        )


def check_same(record: RunRecord, program: ProgramName) -> None:
    """Raise `Stale` if a record is not one of this program, does not say of which, or was changed since."""
    check_whole(record)
    if record.format in _EARLIER:
        raise Stale(f"{record.path}: {record.format} does not say which program it is of; leave out --resume")
    if record.program == program:
        return
    then = record.program
    before, now = then.files or {}, program.files or {}
    changed = sorted(place for place in {**before, **now} if before.get(place) != now.get(place))
    what = "the command is another"
    if then.build != program.build:
        what = f"the build is {program.build or 'not named'!r} and was {then.build or 'not named'!r}"
    elif then.command == program.command:
        what = f"files have changed below {', '.join(changed)}"
    raise Stale(
        f"{record.path}: it is of another program: {what}; leave out --resume to ask everything again, "
        "or, where only the command or a path changed, give both runs the same --build ID"
    )


# Comparing ------------------------------------------------------------------------


def change(earlier: RunRecord, cases: Iterable[CaseReport]) -> RunChange:
    """Return the changes since an earlier record."""
    now = {name_recorded(case): case.status for case in cases}
    before = {name: known.status for name, known in earlier.cases.items() if known.current}
    both = sorted(now.keys() & before.keys())
    return RunChange(
        worse=tuple(name for name in both if now[name].rank > before[name].rank),
        better=tuple(name for name in both if now[name].rank < before[name].rank),
        new=tuple(sorted(now.keys() - before.keys())),
        gone=tuple(sorted(before.keys() - now.keys())),
        complete=earlier.complete,
    )


def draw_sample(record: RunRecord, choose: Callable[[Sequence[str], int], Sequence[str]]) -> Iterator[CaseReport]:
    """Yield some cases of a record that is to be gone on with: one in twenty, at least ten, or all there are."""
    asked = [name for name, known in record.cases.items() if known.status is not Status.SUITE]
    for name in choose(asked, min(len(asked), max(_LEAST, len(asked) // _SHARE))):
        yield record.case(record.cases[name])


_LEAST, _SHARE = 10, 20
