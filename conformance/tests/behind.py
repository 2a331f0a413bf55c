"""Programs with two faults of which the first hides the second: what is behind must be found or counted, never passed.

Each fault is a change of the rules as a programmer would get them wrong
(`faulty/faults.yaml`). Three programs are judged for each pair: with the first
fault, with the second one, and with both. The steps that fail of the second
alone are those that would show it. Of the program with both, the second fault
is found if one of them fails otherwise than under the first fault alone; else
each of them must be told to be behind an earlier difference, and none passes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from wrapped import ABILITIES

from brou import BrouError, Choice, Machine, book
from brou.games.catalogue import patch_rules, spread
from brou.interpreter.dealing import begin
from brou.language.load import load_rules
from brou.language.patch import Patch, apply_patches, read_patches
from brou.language.source import read
from brou_conformance.judging.case import Case
from brou_conformance.judging.judge import Status
from brou_conformance.programs.engine import ReferenceEngine
from brou_conformance.programs.in_process import Inside
from brou_conformance.programs.session import Session
from brou_conformance.protocol import Message
from brou_conformance.scenarios.course import take
from brou_conformance.verdicts.plan import Selection
from brou_conformance.verdicts.verdict import EditionVerdict
from brou_conformance.verdicts.verify import RunObserver, verify

FAULTS = Path(__file__).parent / "faulty" / "faults.yaml"
#: What is held against a program, and what is told not to have been judged because of an earlier difference.
AGAINST = frozenset({Status.FAIL, Status.READING, Status.CRASH, Status.PROTOCOL, Status.TIMEOUT})
BEHIND = frozenset({Status.BEHIND, Status.BLOCKED})


@dataclass(frozen=True)
class Fault:
    """Something that a programmer got wrong."""

    id: str
    says: str
    patches: tuple[Patch, ...] = field(compare=False)
    #: What a first fault does to the course of play.
    kind: str = ""


@dataclass(frozen=True)
class Pair:
    """Two faults in one program, and what it plays."""

    rules: str
    first: Fault
    second: Fault

    def __str__(self) -> str:
        return f"{self.rules}: {self.first.id} ({self.first.kind}), {self.second.id}"


def pairs() -> Iterator[Pair]:
    """Yield all pairs of the file."""
    for node in read(FAULTS, FAULTS.name).items:
        known = {
            part: {
                name: Fault(name, item.string("says"), read_patches(item.fields["patch"]), item.string("kind"))
                for name, item in node.fields[part].fields.items()
            }
            for part in ("first", "second")
        }
        for item in node.fields["pairs"].items:
            first, second = (word.text for word in item.items)
            yield Pair(node.string("rules"), known["first"][first], {**known["second"], **known["first"]}[second])


class Faulty:
    """The interpreter with faults in its rules, as a program that declares its readings."""

    def __init__(self, played: Sequence[Choice], faults: Iterable[Fault]) -> None:
        self._engine = ReferenceEngine(played)
        changes = [patch for fault in faults for patch in fault.patches]
        self._machines = {
            (choice.game, choice.edition, choice.setup): Machine(
                load_rules(apply_patches(patch_rules(choice), changes), book(choice.game).codes)
            )
            for choice in played
        }

    def answer(self, request: Message) -> Message:
        """Return the reply to a request."""
        reply = self._engine.answer({**request, "steps": []} if request["op"] == "run" else request)
        if request["op"] == "hello":
            return {**reply, "can": list(ABILITIES)}
        return {"id": request["id"], "ok": True, "results": self._results(request)} if request["op"] == "run" else reply

    def _results(self, request: Message) -> list[Message]:
        player = self._machines[request["game"], request["edition"], request["setup"]]
        results: list[Message] = []
        try:
            state = begin(player, request.get("start", {}))
            for step in request["steps"]:
                result, state = take(player, state, step)
                results.append(result)
        except BrouError as error:
            results += [{"err": str(error)}] * (len(request["steps"]) - len(results))
        return results


# Judged ---------------------------------------------------------------------------------------------------------------


class _Steps(RunObserver):
    """Remembers what became of each step."""

    def __init__(self) -> None:
        self.found: dict[str, tuple[Status, Any]] = {}

    def on_plan(self, name: str, total: int) -> None:  # noqa: ARG002 - as it is told
        """Begin anew."""
        self.found.clear()

    def on_case(self, case: Case) -> None:
        """Note the steps of a case."""
        choice = case.script.choice
        for number, one in enumerate(case.judgements):
            self.found[f"{choice.setup} {case.step(number)}"] = (one.status, one.answer)


@lru_cache(maxsize=64)
def steps(rules: str, faults: tuple[Fault, ...]) -> tuple[Mapping[str, tuple[Status, Any]], EditionVerdict]:
    """Return what becomes of each step of a program with some faults, and the verdict."""
    program = Faulty(spread(rules), faults)
    watch = _Steps()
    with Session(lambda: Inside(program.answer)) as session:
        report = verify(session, Selection(), watch, explains=False)
    return watch.found, report.runs[0].verdict


@dataclass
class Found:
    """What became of a pair: the steps that show the second fault alone, by what they come to with both."""

    pair: Pair
    verdict: str = ""
    shown: int = 0
    #: Steps that follow a difference of the first fault, in all and of those that would show the second one.
    hidden: int = 0
    found: list[str] = field(default_factory=list)
    failing: int = 0
    behind: int = 0
    passed: list[str] = field(default_factory=list)
    other: Counter[str] = field(default_factory=Counter)

    @property
    def well(self) -> bool:
        """Say whether the second fault was found, or all that would show it is counted as behind.

        Where it is found a step may pass: asked on a way round, with other cards before it, it need not show the fault.
        """
        unseen = self.passed or self.other or not self.behind
        return self.verdict == EditionVerdict.DEVIATES and (bool(self.found) or not unseen)


def examine(pair: Pair) -> Found:
    """Judge the programs of a pair."""
    (one, _), (two, _) = (steps(pair.rules, (fault,)) for fault in (pair.first, pair.second))
    both, verdict = steps(pair.rules, (pair.first, pair.second))
    found = Found(pair, verdict.value, hidden=sum(status in BEHIND for status, _ in one.values()))
    for name, (status, _) in two.items():
        if status not in AGAINST:
            continue
        found.shown += 1
        now, answer = both[name]
        if now in AGAINST:
            found.failing += 1
            if one[name][0] not in AGAINST or one[name][1] != answer:
                found.found.append(name)
        elif now in BEHIND:
            found.behind += 1
        elif now is Status.PASS:
            found.passed.append(name)
        else:
            found.other[now.value] += 1
    return found


def told(found: Found) -> str:
    """Return a finding in a line, and what is wrong with it."""
    counts = (
        f"{found.shown} steps show the second: {found.failing} fail, {len(found.found)} by it; {found.behind} behind"
    )
    line = f"{'  ' if found.well else '! '}{found.pair}: {found.verdict}; {counts}; {len(found.passed)} passed"
    line += f"; {dict(found.other)}" if found.other else ""
    line += f" ({found.hidden} behind the first alone)"
    return "\n".join([line, *(f"    passed: {name}" for name in found.passed[:5])])


def main() -> int:
    """Judge all pairs, or those of some games; 0 if no second fault goes unseen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*")
    options = parser.parse_args()
    results = []
    for pair in pairs():
        if not options.games or pair.rules.split("@")[0] in options.games:
            results.append(examine(pair))
            print(told(results[-1]), flush=True)
    kinds = Counter("found" if one.found else "behind" if one.behind else "unseen" for one in results)
    shown, behind = sum(one.shown for one in results), sum(one.behind for one in results)
    unfair = sum(bool(one.passed) for one in results)
    print(f"{len(results)} pairs: second fault {dict(kinds)}; {unfair} with steps passed")
    print(f"of {shown} steps that show a second fault {behind} are behind the first")
    return 0 if all(one.well for one in results) else 1


if __name__ == "__main__":
    sys.exit(main())
