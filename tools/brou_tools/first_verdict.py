"""The first verdict: every example program judged by the suite must be judged as its `verdict.yaml` says.

`command` starts the program in its own folder, `verdict` is what every or (for a deviation) at least one edition
gets, and `blames` begins the id of a clause that must be named.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brou.source import read
from brou_conformance.corpus import corpus_root
from brou_conformance.verdict import Verdict
from brou_tools.exits import Exit

_EXITS = {Verdict.CONFORMS: Exit.FINE, Verdict.DEVIATES: Exit.FINDING, Verdict.ADAPTER: Exit.FINDING}


@dataclass(frozen=True, slots=True)
class Example:
    """A program with the verdict that it is made for."""

    folder: Path
    command: tuple[str, ...]
    verdict: Verdict
    blames: str

    @classmethod
    def read(cls, path: Path) -> Example:
        """Return what a `verdict.yaml` says; the interpreter of this process stands in for `python`."""
        node = read(path)
        first, *rest = [item.text for item in node.fields["command"].items]
        program = [str(path.parent / part) if (path.parent / part).exists() else part for part in rest]
        command = (sys.executable if first == "python" else first, *program)
        return cls(path.parent, command, Verdict(node.string("verdict")), node.string("blames"))


def examples(folder: Path) -> list[Example]:
    """Return all example programs below a folder."""
    return [Example.read(path) for path in sorted(folder.rglob("verdict.yaml"))]


def judged(example: Example) -> tuple[int, dict[str, Any], str]:
    """Return the exit code, the report and the messages of `brou verify`, run as people run it."""
    brou = [sys.executable, "-P", "-m", "brou_tools.cli", "verify", "--json", "--", *example.command]
    done = subprocess.run(brou, capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout or '{"runs": []}'), done.stderr


def surprises(example: Example, code: int, report: dict[str, Any]) -> list[str]:
    """Return in what a judgement differs from the expected one."""
    verdicts = [run["verdict"] for run in report["runs"]]
    blamed = [clause["id"] for run in report["runs"] for clause in run["clauses"]]
    others = {example.verdict, Verdict.CONFORMS}
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
        code, report, messages = judged(example)
        print(f"{example.folder.relative_to(folder)}: exit {code}")
        for run in report["runs"]:
            blamed = ", ".join(clause["id"] for clause in run["clauses"])
            passed = f"{run['cases']['pass']} of {run['cases']['discovered']} cases pass"
            print(
                f"  {run['game']}@{run['edition']}: {run['verdict']}, {passed}{f'; blamed: {blamed}' if blamed else ''}"
            )
        found = surprises(example, code, report)
        wrong += [f"{example.folder.relative_to(folder)}: {what}" for what in found]
        if found and messages:
            print(messages.rstrip())
    for what in wrong:
        print(f"unexpected: {what}")
    return Exit.FINDING if wrong else Exit.FINE


if __name__ == "__main__":
    sys.exit(main())
