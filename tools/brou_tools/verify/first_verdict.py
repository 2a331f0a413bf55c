"""The first verdict: every example program judged by the suite must be judged as its `verdict.yaml` says.

`command` starts the program in its own folder, `verdict` is what every or (for a deviation) at least one edition
gets, and `blames` begins the id of a clause that must be named. `needs` names commands without which the program is
left out, and `build` makes it first; `{out}` is a folder for what is made.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brou.language.node import Node
from brou.language.source import read
from brou_conformance.scenarios.corpus import corpus_root
from brou_conformance.telling.page import Page
from brou_conformance.telling.sentences import Sentences
from brou_conformance.verdicts.verdict import Verdict
from brou_tools.terminal.exits import Exit

#: Characters of a line.
_WIDTH = 150
_EXITS = {
    Verdict.FOLLOWS: Exit.FINE,
    Verdict.FOLLOWS_READINGS: Exit.FINE,
    Verdict.DEVIATES: Exit.FINDING,
    Verdict.ADAPTER: Exit.FINDING,
}
_OUT = "{out}"


@dataclass(frozen=True, slots=True)
class Example:
    """A program with the verdict that it is made for."""

    folder: Path
    command: tuple[str, ...]
    verdict: Verdict
    blames: str
    needs: tuple[str, ...] = ()
    build: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Example:
        """Return what a `verdict.yaml` says; the interpreter of this process stands in for `python`."""
        node = read(path)
        command = _spelt(node.get("command"), path.parent)
        needs = tuple(_words(node.get("needs")))
        build = _spelt(node.get("build"), path.parent)
        return cls(path.parent, command, Verdict(node.string("verdict")), node.string("blames"), needs, build)

    @property
    def missing(self) -> list[str]:
        """Return the commands that it needs and the machine does not have."""
        return [name for name in self.needs if shutil.which(name) is None]


def _words(node: Node | None) -> list[str]:
    return [] if node is None else [item.text for item in node.items]


def _spelt(node: Node | None, folder: Path) -> tuple[str, ...]:
    """Return a command with its files found in a folder."""
    words: list[str] = []
    for word in _words(node):
        files = sorted(folder.glob(word)) if _OUT not in word else []
        words += map(str, files) if files else [word]
    return tuple(sys.executable if word == "python" else word for word in words)


def examples(folder: Path) -> list[Example]:
    """Return all example programs below a folder."""
    return [Example.read(path) for path in sorted(folder.rglob("verdict.yaml"))]


def judged(example: Example) -> tuple[int, dict[str, Any], str]:
    """Return the exit code, the report and the messages of `brou verify`, run as people run it."""
    with tempfile.TemporaryDirectory() as out:
        if example.build:
            subprocess.run(_placed(example.build, out), check=True)
        command = _placed(example.command, out)
        brou = [sys.executable, "-P", "-m", "brou_tools.cli", "verify", "--json", "--", *command]
        done = subprocess.run(brou, capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout or '{"runs": []}'), done.stderr


def _placed(command: Sequence[str], out: str) -> list[str]:
    return [word.replace(_OUT, out) for word in command]


def surprises(example: Example, code: int, report: dict[str, Any]) -> list[str]:
    """Return in what a judgement differs from the expected one."""
    verdicts = [run["verdict"] for run in report["runs"]]
    blamed = [clause["id"] for run in report["runs"] for clause in run["clauses"]]
    others = {example.verdict, Verdict.FOLLOWS}
    found = []
    if code != _EXITS[example.verdict]:
        found.append(f"exit code {code}, expected {int(_EXITS[example.verdict])}")
    if example.verdict not in verdicts or not others.issuperset(verdicts):
        found.append(f"verdicts {', '.join(verdicts) or 'none'}, expected {example.verdict}")
    if example.blames and not any(clause.startswith(example.blames) for clause in blamed):
        found.append(f"blamed {', '.join(blamed) or 'nothing'}, expected {example.blames}*")
    return found


def main() -> int:
    """Judge every example, print the verdicts, and say whether all are as expected."""
    folder = corpus_root().parent / "adapters"
    known = examples(folder)
    wrong = [] if known else [f"no verdict.yaml below {folder}: there is nothing to judge"]
    for example in known:
        name = str(example.folder.relative_to(folder))
        if example.missing:
            print(f"{name}: left out, for want of {' and '.join(example.missing)}")
            continue
        wrong += [f"{name}: {what}" for what in _told(name, example)]
    for what in wrong:
        print(f"unexpected: {what}")
    return Exit.FINDING if wrong else Exit.FINE


def _told(name: str, example: Example) -> list[str]:
    """Judge an example, print its verdicts and return what was not expected."""
    code, report, messages = judged(example)
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
    """Return a verdict with how much was asked, how much of it was answered wrongly, and what was not asked."""
    words, skills = Sentences(), run["skills"]
    asked, wrong = (sum(count[key] for count in skills.values()) for key in ("asked", "wrong"))
    unasked = [words.word("skills", skill) for skill, count in skills.items() if not count["asked"]]
    told = f"{run['verdict']}, {words.count(asked, 'question')}, {words.number(wrong) if wrong else 'none'} wrong"
    return f"{told}; {words.say('skills_unasked', skills=', '.join(unasked))}" if unasked else told


if __name__ == "__main__":
    sys.exit(main())
