"""Mishaps: why there is no answer that the protocol knows, from what went over the wire."""

from __future__ import annotations

from brou_conformance.programs.child import Failure
from brou_conformance.protocol import Message, fault, shorten
from brou_conformance.smoke.asking import Wire
from brou_conformance.smoke.findings import Check, Finding, Level, Passage
from brou_conformance.smoke.saying import count, hear, say


def find_mishap(wire: Wire, about: str, setup: str = "") -> Finding | None:
    """Return what was wrong with the last reply as a whole; None if it is one, or tells an error."""
    came, sent = wire.came, wire.sent
    if isinstance(came, Failure):
        return _finding(*_lost(came, sent), about, setup)
    if came is None:
        return None
    if came.get("id") != sent.get("id") and not (came.get("ok") is False and came.get("id") is None):
        return _finding(*_other_id(came, sent), about, setup)
    if came.get("ok") is not False and sent.get("op") == "run":
        return _results(came, sent, about, setup)
    return None


def _lost(came: Failure, sent: Message) -> tuple[str, str, str, Passage]:
    """Return cause, what came, what was wanted, and the passage, for a program without a message."""
    last = came.stderr.strip().splitlines()[-1:]
    what = hear(came.what)
    told = say("last_words", what=what, words=shorten(last[0])) if last else what
    wanted = say("one_line", id=sent.get("id"))
    if came.kind == "timeout":
        return say("not_in_time"), told, wanted, Passage.TIME
    if came.kind == "crash":
        return say("ends_instead"), told, wanted, Passage.ONE_LINE
    if "integer" in came.what:
        return say("no_such_number"), told, wanted, Passage.NUMBERS
    if "bytes" in came.what or "levels" in came.what or "twice" in came.what or "surrogate" in came.what:
        return say("no_message"), told, wanted, Passage.ONE_LINE
    return say("no_reply"), told, wanted, Passage.REPLIES_ALONE


def _other_id(came: Message, sent: Message) -> tuple[str, str, str, Passage]:
    given, wanted = came.get("id"), sent.get("id")
    told = f"id {shorten(repr(given))}" if "id" in came else say("no_id")
    if "id" not in came or given is None:
        cause = say("id_missing")
    elif str(given) == str(wanted):
        cause = say("id_of_another_kind")
    else:
        cause = say("id_of_another")
    return cause, told, f"id {wanted}", Passage.ID


def _results(came: Message, sent: Message, about: str, setup: str) -> Finding | None:
    results, steps = came.get("results"), sent["steps"]
    if not isinstance(results, list):
        problem = fault("run.reply", came)
        wanted = count(len(steps), "result")
        return _finding(say("no_results"), shorten(str(problem)), wanted, Passage.RESULTS, about, setup)
    if len(results) == len(steps):
        return None
    acts = sum("act" in step for step in steps)
    cause = say("other_number")
    if len(results) == len(steps) - acts:
        cause = say("acts_without")
    elif len(results) == acts:
        cause = say("acts_alone")
    elif len(results) == 1:
        cause = say("one_alone")
    elif results and isinstance(results[-1], dict) and "no" in results[-1]:
        cause = say("ends_refused")
    told, wanted = count(len(results), "result"), count(len(steps), "result")
    return _finding(cause, told, wanted, Passage.RESULTS, about, setup)


def _finding(  # noqa: PLR0913, PLR0917 - what a finding is made of
    cause: str, came: str, wanted: str, passage: Passage, about: str, setup: str
) -> Finding:
    return Finding(Check.ECHO, Level.FAULT, cause, about, came, wanted, passage, setup)
