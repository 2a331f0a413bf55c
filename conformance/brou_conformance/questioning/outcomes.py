"""Outcomes: the part of an answer that tells readings apart, in a canonical form.

An act is allowed or not: the duty that a refusal names does not count, since one act may break several. Of a longer
answer only the keys count that the step of the scenario names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec

from brou import Json
from brou_conformance.judging.judge import are_same_choices
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import ScriptStep, write_form

#: What counts of an answer, as JSON in its one form.
Outcome: TypeAlias = bytes

#: A key that a view does not show.
HIDDEN = "hidden"
ALLOWED: Outcome = b'{"allowed":true}'
FORBIDDEN: Outcome = b'{"allowed":false}'
#: The answer to a step that cannot be asked under a choice: its start is none there, or its act is unknown.
NONE: Outcome = b"null"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The acts and keys that a program has shown that it knows."""

    words: frozenset[str] = frozenset()

    def knows(self, word: str) -> bool:
        """Say whether the absence of an act or a key from an answer means something."""
        return word in self.words

    def learn(self, step: ScriptStep, answer: Mapping[str, Any]) -> Vocabulary:
        """Return it with the acts and keys that an answer shows."""
        said = answer.get(step.verb)
        shown = {name for name, value in said.items() if value is not None} if isinstance(said, Mapping) else set()
        act = step.message.get("act")
        if isinstance(act, Mapping) and ("ok" in answer or "no" in answer):
            shown |= set(act)
        return Vocabulary(self.words | shown)


def outcome_of(step: ScriptStep, answer: Mapping[str, Any]) -> Outcome:
    """Return the part of the interpreter's answer to a step that counts."""
    if "err" in answer or "skip" in answer:
        return NONE
    if step.verb == "act":
        return ALLOWED if "ok" in answer else FORBIDDEN
    said = answer[step.verb]
    if step.verb == "winner":
        return write_form({"winner": said})
    if step.verb == "legal":
        return write_form({name: _sort_choices(said.get(name, [])) for name in sorted(_list_expected_keys(step))})
    found = {name: said[name] if said.get(name) is not None else None for name in _list_expected_keys(step)}
    hidden = [name for name in sorted(_hides(step)) if said.get(name) is None]
    return write_form({**found, HIDDEN: hidden} if _hides(step) else found)


def read_outcome(outcome: Outcome) -> Message:
    """Return an outcome as a message; of a step that has no answer, an empty one."""
    said: Message | None = msgspec.json.decode(outcome)
    return said or {}


def words_of(outcome: Outcome) -> frozenset[str]:
    """Return the acts or keys that an outcome says something of."""
    said = read_outcome(outcome)
    return frozenset(name for name in said if name != HIDDEN) | frozenset(said.get(HIDDEN, []))


def fits(step: ScriptStep, answer: Mapping[str, Any], outcome: Outcome, vocabulary: Vocabulary) -> bool | None:
    """Say whether a program's answer agrees with an outcome; None where it holds nothing that could be compared."""
    if step.verb == "act":
        return None if not {"ok", "no"} & set(answer) else (outcome == ALLOWED) == ("ok" in answer)
    if step.verb not in answer:
        return None
    said, wanted = answer[step.verb], read_outcome(outcome)
    if outcome == NONE:
        return False
    if step.verb == "winner":
        return type(said) is type(wanted["winner"]) and bool(said == wanted["winner"])
    compared = False
    for name, value in wanted.items():
        keys = value if name == HIDDEN else [name]
        for key in keys:
            if key not in said and not vocabulary.knows(key):
                continue
            compared = True
            if not _agrees(step, said.get(key), None if name == HIDDEN else value):
                return False
    return True if compared else None


def _agrees(step: ScriptStep, said: Json, wanted: Json) -> bool:
    if step.verb == "legal":
        return are_same_choices([] if said is None else said, wanted)
    return write_form(said) == write_form(wanted)


def _sort_choices(value: Json) -> Json:
    """Return choices in one order."""
    return sorted(value, key=write_form) if isinstance(value, list) else value


def _list_expected_keys(step: ScriptStep) -> Collection[str]:
    """Return the keys that a scenario expects something of, in any reading."""
    return dict.fromkeys(key for pattern in step.patterns for key in pattern.members)


def _hides(step: ScriptStep) -> Collection[str]:
    return dict.fromkeys(key for pattern in step.patterns for key in pattern.hides)
