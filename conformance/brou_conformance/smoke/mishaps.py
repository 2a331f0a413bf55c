"""Mishaps: why there is no valid answer, found from the traffic on the wire."""

from __future__ import annotations

from brou_conformance.programs.child import Failure
from brou_conformance.protocol import Message, fault, shorten
from brou_conformance.smoke.findings import AdapterCheck, AdapterFinding, ProtocolPassage, Severity
from brou_conformance.smoke.translatable import count, hear, say
from brou_conformance.smoke.wire import Wire


def find_mishap(wire: Wire, about: str, setup: str = "") -> AdapterFinding | None:
    """Return the fault of the last reply as a whole; None if it is a sound reply, or tells an error."""
    came, sent = wire.came, wire.sent
    if isinstance(came, Failure):
        return _finding(*_explain_loss(came, sent), about, setup)
    if came is None:
        return None
    if came.get("id") != sent.get("id") and not (came.get("ok") is False and came.get("id") is None):
        return _finding(*_other_id(came, sent), about, setup)
    if came.get("ok") is not False and sent.get("op") == "run":
        return _results(came, sent, about, setup)
    return None


def _explain_loss(came: Failure, sent: Message) -> tuple[str, str, str, ProtocolPassage]:
    """Return cause, reply, wanted reply and passage of the protocol for a program that sent no message."""
    last = came.stderr.strip().splitlines()[-1:]
    what = hear(came.what)
    told = say("last_words", what=what, words=shorten(last[0])) if last else what
    wanted = say("one_line", id=sent.get("id"))
    if came.kind == "timeout":
        return say("not_in_time"), told, wanted, ProtocolPassage.TIME
    if came.kind == "crash":
        return say("ends_instead"), told, wanted, ProtocolPassage.ONE_LINE
    if "integer" in came.what:
        return say("no_such_number"), told, wanted, ProtocolPassage.NUMBERS
    if "bytes" in came.what or "levels" in came.what or "twice" in came.what or "surrogate" in came.what:
        return say("no_message"), told, wanted, ProtocolPassage.ONE_LINE
    return say("no_reply"), told, wanted, ProtocolPassage.REPLIES_ALONE


def _other_id(came: Message, sent: Message) -> tuple[str, str, str, ProtocolPassage]:
    given, wanted = came.get("id"), sent.get("id")
    told = f"id {shorten(repr(given))}" if "id" in came else say("no_id")
    if "id" not in came or given is None:
        cause = say("id_missing")
    elif str(given) == str(wanted):
        cause = say("id_of_another_kind")
    else:
        cause = say("id_of_another")
    return cause, told, f"id {wanted}", ProtocolPassage.ID


def _results(came: Message, sent: Message, about: str, setup: str) -> AdapterFinding | None:
    results, steps = came.get("results"), sent["steps"]
    if not isinstance(results, list):
        problem = fault("run.reply", came)
        wanted = count(len(steps), "result")
        return _finding(say("no_results"), shorten(str(problem)), wanted, ProtocolPassage.RESULTS, about, setup)
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
    return _finding(cause, told, wanted, ProtocolPassage.RESULTS, about, setup)


def _finding(  # noqa: PLR0913, PLR0917 - what a finding is made of
    cause: str, came: str, wanted: str, passage: ProtocolPassage, about: str, setup: str
) -> AdapterFinding:
    return AdapterFinding(AdapterCheck.ECHO, Severity.FAULT, cause, about, came, wanted, passage, setup)
