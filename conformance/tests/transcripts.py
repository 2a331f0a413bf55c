"""Transcripts: what a frozen program was asked, what it answered, and what each answer was found to be."""

from __future__ import annotations

import hashlib
import json
import lzma
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Status
from brou_conformance.programs.child import Child
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message, encode
from brou_conformance.scenarios.script import Script
from brou_conformance.verdicts.verify import Report, RunObserver, verify

FORMAT = "brou-transcript/1"
NAME = "transcript.jsonl.xz"


@dataclass(frozen=True, slots=True)
class Asked:
    """A case of a transcript: which script it was, the status of each step, the requests and their replies."""

    case: str
    script: str
    statuses: tuple[Status, ...]
    requests: tuple[Message, ...]
    replies: tuple[list[Message], ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """Everything that went between the runner and a program, and what was found."""

    greeting: Message
    #: By edition.
    verdicts: Mapping[str, str]
    #: By edition, the readings that it was found to follow without saying so.
    inferred: Mapping[str, Mapping[str, list[str]]]
    cases: tuple[Asked, ...]

    @classmethod
    def read(cls, folder: Path) -> Transcript:
        """Return the transcript of a frozen program."""
        first, lines = _read(folder)
        assert first["format"] == FORMAT
        cases = [
            Asked(
                line["case"],
                line["script"],
                tuple(map(Status, line["statuses"])),
                tuple(line["requests"]),
                tuple(line["replies"]),
            )
            for line in lines.values()
        ]
        return cls(first["greeting"], first["verdicts"], first["inferred"], tuple(cases))


@dataclass(slots=True)
class Keeper(RunObserver):
    """Keeps every case in full; of one that is judged twice, the later judgement."""

    cases: dict[str, Case] = field(default_factory=dict)

    def on_case(self, case: Case) -> None:
        """Keep it."""
        self.cases[case.name] = case


def identify(script: Script) -> str:
    """Return what names what a script asks: its start and its steps, whatever is expected of them."""
    asked = {"start": dict(script.start), "steps": [dict(step.message) for step in script.steps]}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode("ascii")).hexdigest()[:16]


def command(folder: Path) -> list[str] | None:
    """Return how a frozen program is started; None where its language is missing."""
    if (folder / "adapter.py").exists():
        return [sys.executable, str(folder / "adapter.py")]
    node = shutil.which("node")
    return None if node is None else [node, str(folder / "adapter.mjs")]


@contextmanager
def session(folder: Path) -> Iterator[Session]:
    """Start a frozen program for as long as it is needed."""
    started = command(folder)
    assert started is not None
    with Session(lambda: Child.start(started)) as opened:
        yield opened


def judge(folder: Path, *, explains: bool = True) -> tuple[Report, dict[str, Case], Message]:
    """Judge a frozen program; return the report, every case by name, and the greeting."""
    keeper = Keeper()
    with session(folder) as opened:
        report = verify(opened, watch=keeper, explains=explains)
        return report, keeper.cases, opened.greeting


def freeze(folder: Path) -> None:
    """Write the transcript of a program; to one that stands there, add the scenarios that are new or changed since."""
    report, cases, greeting = judge(folder)
    head, kept = _read(folder) if (folder / NAME).exists() else (_head(report, greeting), {})
    now = {name: identify(case.script) for name, case in cases.items()}
    same = {name: line for name, line in kept.items() if line["script"] == now.get(name)}
    lines = {name: _line(name, case) for name, case in cases.items()} | same
    with lzma.open(folder / NAME, "wb", preset=9) as sink:
        sink.write(encode(head))
        for name in sorted(lines):
            sink.write(encode(lines[name]))
    print(f"{folder.name}: {len(same)} scenarios kept, {len(lines) - len(same)} added, {len(kept) - len(same)} dropped")


def _read(folder: Path) -> tuple[Message, dict[str, Message]]:
    """Return the first line of a transcript, and the others by the case that each is about."""
    with lzma.open(folder / NAME, "rt", encoding="utf-8") as source:
        head, *lines = map(json.loads, source)
    return head, {line["case"]: line for line in lines}


def _head(report: Report, greeting: Message) -> Message:
    runs = {f"{run.game}@{run.edition}": run for run in report.runs}
    return {
        "format": FORMAT,
        "greeting": greeting,
        "verdicts": {name: run.verdict.value for name, run in runs.items()},
        "inferred": {
            name: {key: sorted(one.values) for key, one in run.inferred.items()} for name, run in runs.items()
        },
    }


def _line(name: str, case: Case) -> Message:
    return {
        "case": name,
        "script": identify(case.script),
        "statuses": [judgement.status.value for judgement in case.judgements],
        "requests": list(case.requests),
        "replies": [list(reply) for reply in case.replies],
    }


if __name__ == "__main__":
    freeze(Path(sys.argv[1]))
