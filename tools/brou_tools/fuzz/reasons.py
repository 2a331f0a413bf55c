"""Why the rules answer as they do at the end of a finding: clauses and a sentence, for whoever reads or commits it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from brou import (
    ORIGINAL,
    ActRoute,
    BrouError,
    Choice,
    Folder,
    Json,
    Question,
    RouteAct,
    Words,
    explain,
    explain_briefly,
)
from brou.reasons.explanation import Judgement, ViewEntry
from brou.reasons.reason import Figure, collect_clauses, each_once
from brou_conformance.protocol import Message
from brou_conformance.scenarios.script import machine
from brou_tools.fuzz.lockstep import Finding, list_acts


@dataclass(frozen=True, slots=True)
class FindingReason:
    """The clauses that an answer of the rules rests on, the one that decides first, and why in a sentence."""

    clauses: tuple[str, ...]
    sentence: str


def find_reason(finding: Finding, choice: Choice, data: Folder = None) -> FindingReason:
    """Return why the rules answer as they do; nothing where they have no reason to give."""
    moves = tuple(RouteAct(f"s{n}", by, act) for n, (by, act) in enumerate(list_acts(finding.messages[:-1]), 1))
    route, folder = ActRoute(finding.start, moves), data or choice.project
    words = Words(machine(choice, data).game, ORIGINAL, folder)
    last = finding.messages[-1]
    try:
        disputed = find_disputed(finding)
        if disputed is not None:
            found = explain_briefly(choice, route, Question("act", *disputed), data)
            verdict = "allowed" if found.allowed else "refused"
            clauses = each_once(_list_judging(found))
            return FindingReason(clauses, _join(f"{words.judgement(found)}: {verdict}", clauses, words))
        kind = next(key for key in ("view", "score", "winner", "legal") if key in last)
        seat = last[kind] if kind in ("view", "legal") else 0
        entries = [one.found for one in explain(choice, route, Question(kind, seat), data).entries]
        named = [one for one in entries if not isinstance(one, Judgement) and one.name == finding.behaviour[1]]
        clauses = each_once(clause for one in named for clause in _list_clauses(one))
        return FindingReason(clauses, _join("", clauses, words))
    except (BrouError, LookupError, StopIteration):
        return FindingReason((), "")


def _join(verdict: str, clauses: tuple[str, ...], words: Words) -> str:
    """Return a verdict with the text of the clause that decides."""
    text = " ".join(words.clause(clauses[0]).split()) if clauses else ""
    return ". ".join(part.rstrip(".") for part in (verdict, text) if part) + "." if verdict or text else ""


def find_disputed(finding: Finding) -> tuple[int, Message] | None:
    """Return the seat and the act on which a program and the rules differ: one tried, or one that only one lists."""
    last = finding.messages[-1]
    if "act" in last:
        return last["by"], last["act"]
    if "legal" not in last:
        return None
    name, seat = finding.behaviour[1], last["legal"]
    said, wanted = (_list_values(one.get("legal", {}).get(name)) for one in (finding.said, finding.wanted))
    for value in [*(one for one in said if one not in wanted), *(one for one in wanted if one not in said)]:
        return seat, {name: value}
    return None


def _list_values(offered: Json) -> list[Json]:
    return offered if isinstance(offered, list) else []


def _list_judging(found: Judgement) -> Iterator[str]:
    yield from found.clauses
    for decision in found.decisions:
        yield from decision.clauses


def _list_clauses(found: Figure | ViewEntry) -> Iterator[str]:
    if isinstance(found, ViewEntry):
        yield found.clause
    else:
        yield from found.clauses
        yield from collect_clauses((*found.terms, *found.origins))
