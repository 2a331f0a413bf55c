"""The first verdict: the suite must judge every example program as its `verdict.yaml` says.

`command` starts the program in its own folder, `verdict` is the verdict on every or (for a deviation) at least one
edition, and `blames` begins the id of a clause that must be named. `needs` names commands without which the program is
left out, and `build` makes it first; `{out}` is a folder for the files made. `--reports DIR` keeps a record of each.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brou import Node, read
from brou_conformance.reports.page import Page
from brou_conformance.reports.sentences import Sentences
from brou_conformance.scenarios.corpus import corpus_root
from brou_conformance.verdicts.verdict import EditionVerdict
from brou_tools.terminal.exits import Exit

#: Characters of a line.
_WIDTH = 150
_EXITS = {
    EditionVerdict.FOLLOWS: Exit.FINE,
    EditionVerdict.FOLLOWS_READINGS: Exit.FINE,
    EditionVerdict.DEVIATES: Exit.FINDING,
    EditionVerdict.ADAPTER: Exit.FINDING,
}
_OUT = "{out}"


@dataclass(frozen=True, slots=True)
class ExampleProgram:
    """A program with the verdict that it is made for."""

    folder: Path
    command: tuple[str, ...]
    verdict: EditionVerdict
    blames: str
    needs: tuple[str, ...] = ()
    build: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: Path) -> ExampleProgram:
        """Return the content of a `verdict.yaml`; the interpreter of this process stands in for `python`."""
        node = read(path)
        command = _resolve_command(node.get("command"), path.parent)
        needs = tuple(_words(node.get("needs")))
        build = _resolve_command(node.get("build"), path.parent)
        return cls(path.parent, command, EditionVerdict(node.string("verdict")), node.string("blames"), needs, build)

    @property
    def missing(self) -> list[str]:
        """Return the commands that it needs and the machine does not have."""
        return [name for name in self.needs if shutil.which(name) is None]


def _words(node: Node | None) -> list[str]:
    return [] if node is None else [item.text for item in node.items]


def _resolve_command(node: Node | None, folder: Path) -> tuple[str, ...]:
    """Return a command with its files found in a folder."""
    words: list[str] = []
    for word in _words(node):
        files = sorted(folder.glob(word)) if _OUT not in word else []
        words += map(str, files) if files else [word]
    return tuple(sys.executable if word == "python" else word for word in words)


def examples(folder: Path) -> list[ExampleProgram]:
    """Return all example programs below a folder."""
    return [ExampleProgram.read(path) for path in sorted(folder.rglob("verdict.yaml"))]


def verify_example(example: ExampleProgram, record: Path | None = None) -> tuple[int, dict[str, Any], str]:
    """Return the exit code, the report and the messages of `brou verify`, run as people run it; it keeps a `record`."""
    kept = [] if record is None else ["--report", str(record)]
    with tempfile.TemporaryDirectory() as out:
        if example.build:
            subprocess.run(_fill_out(example.build, out), check=True)
        command = _fill_out(example.command, out)
        brou = [sys.executable, "-P", "-m", "brou_tools.cli", "verify", "--json", *kept, "--", *command]
        done = subprocess.run(brou, capture_output=True, text=True, check=False)
    # Read as any other program would read it, to see that it is enough.
    return done.returncode, json.loads(done.stdout or '{"runs": []}'), done.stderr


def _fill_out(command: Sequence[str], out: str) -> list[str]:
    return [word.replace(_OUT, out) for word in command]


def surprises(example: ExampleProgram, code: int, report: dict[str, Any]) -> list[str]:
    """Return the differences between a judgement and the expected one."""
    verdicts = [run["verdict"] for run in report["runs"]]
    blamed = [clause["id"] for run in report["runs"] for clause in run["clauses"]]
    others = {example.verdict, EditionVerdict.FOLLOWS}
    found = []
    if code != _EXITS[example.verdict]:
        found.append(f"exit code {code}, expected {int(_EXITS[example.verdict])}")
    if example.verdict not in verdicts or not others.issuperset(verdicts):
        found.append(f"verdicts {', '.join(verdicts) or 'none'}, expected {example.verdict}")
    if example.blames and not any(clause.startswith(example.blames) for clause in blamed):
        found.append(f"blamed {', '.join(blamed) or 'nothing'}, expected {example.blames}*")
    return found


def main(words: Sequence[str] = ()) -> int:
    """Judge every example, print the verdicts, and say whether all are as expected."""
    parser = ArgumentParser(description=main.__doc__)
    parser.add_argument("--reports", type=Path, metavar="DIR", help="a folder for a record of each")
    reports: Path | None = parser.parse_args(words).reports
    folder = corpus_root().parent / "adapters"
    known = examples(folder)
    wrong = [] if known else [f"no verdict.yaml below {folder}: there is nothing to judge"]
    for example in known:
        name = str(example.folder.relative_to(folder))
        if example.missing:
            print(f"{name}: left out, for want of {' and '.join(example.missing)}")
            continue
        wrong += [f"{name}: {what}" for what in _judge_example(name, example, reports)]
    for what in wrong:
        print(f"unexpected: {what}")
    return Exit.FINDING if wrong else Exit.FINE


def _judge_example(name: str, example: ExampleProgram, reports: Path | None) -> list[str]:
    """Judge an example, print its verdicts and return the surprises."""
    record = None if reports is None else reports / f"{name.replace('/', '-')}.ndjson"
    code, report, messages = verify_example(example, record)
    print(f"{name}: exit {code}")
    for run in report["runs"]:
        blamed = ", ".join(clause["id"] for clause in run["clauses"])
        told = f"{run['game']}@{run['edition']}: {_tell(run)}{f'; blamed: {blamed}' if blamed else ''}"
        print("\n".join(Page(_WIDTH).wrap(told, "  ", "    ")))
    found = surprises(example, code, report)
    if found and messages:
        print(messages.rstrip())
    return found


def _tell(run: dict[str, Any]) -> str:
    """Return a verdict with the number of questions, the number of wrong answers, and the skills left unasked."""
    words, skills = Sentences(), run["skills"]
    asked, wrong = (sum(count[key] for count in skills.values()) for key in ("asked", "wrong"))
    unasked = [words.word("skills", skill) for skill, count in skills.items() if not count["asked"]]
    told = f"{run['verdict']}, {words.count(asked, 'question')}, {words.number(wrong) if wrong else 'none'} wrong"
    return f"{told}; {words.say('skills_unasked', skills=', '.join(unasked))}" if unasked else told


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
