"""Why the rules answer a question as they do, where somebody else answers it otherwise: clauses, and a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
from brou.reasons import Figure, Judgement, ViewEntry, collect_clauses, each_once
from brou_conformance.protocol import Message
from brou_conformance.scenarios.script import machine


@dataclass(frozen=True, slots=True)
class AnswerReason:
    """The clauses that an answer of the rules rests on, the one that decides first, and why in a sentence."""

    clauses: tuple[str, ...] = ()
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class DisputedAnswer:
    """A question that somebody answers otherwise than the rules: the acts that lead to it, and both answers."""

    start: Mapping[str, Any]
    acts: Sequence[tuple[int, Mapping[str, Any]]]
    question: Message
    said: Message
    wanted: Message
    #: The act of a list, or the key of a view or a score, that the answers differ in.
    about: str = ""

    @property
    def act(self) -> tuple[int, Message] | None:
        """Return the seat and the act that are disputed: one that is tried, or one that only one of two lists has."""
        if "act" in self.question:
            return self.question["by"], self.question["act"]
        if "legal" not in self.question:
            return None
        said, wanted = (_list_values(one.get("legal", {}).get(self.about)) for one in (self.said, self.wanted))
        apart = [*(one for one in said if one not in wanted), *(one for one in wanted if one not in said)]
        return next(((self.question["legal"], {self.about: value}) for value in apart), None)


def find_reason(disputed: DisputedAnswer, choice: Choice, data: Folder = None, lang: str = ORIGINAL) -> AnswerReason:
    """Return why the rules answer as they do, in a language; nothing where they have no reason to give."""
    moves = tuple(RouteAct(f"s{number}", by, act) for number, (by, act) in enumerate(disputed.acts, 1))
    route, words = ActRoute(disputed.start, moves), Words(machine(choice, data).game, lang, data or choice.project)
    try:
        if (act := disputed.act) is not None:
            found = explain_briefly(choice, route, Question("act", *act), data)
            clauses = each_once(_list_judging(found))
            verdict = words.frame("is", what=words.judgement(found), value=words.verdict(allowed=found.allowed, why=""))
            return AnswerReason(clauses, _join(verdict, clauses, words))
        kind = next(key for key in ("view", "score", "winner", "legal") if key in disputed.question)
        seat = disputed.question[kind] if kind in ("view", "legal") else 0
        entries = [one.found for one in explain(choice, route, Question(kind, seat), data).entries]
        named = [one for one in entries if not isinstance(one, Judgement) and one.name == disputed.about]
        clauses = each_once(clause for one in named for clause in _list_clauses(one))
        return AnswerReason(clauses, _join("", clauses, words))
    except (BrouError, LookupError, StopIteration):
        return AnswerReason()


def _join(verdict: str, clauses: tuple[str, ...], words: Words) -> str:
    """Return a verdict with the text of the clause that decides."""
    text = " ".join(words.clause(clauses[0]).split()) if clauses else ""
    return ". ".join(part.rstrip(".") for part in (verdict, text) if part) + "." if verdict or text else ""


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
