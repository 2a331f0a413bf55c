"""Mishaps: why there is no answer that the protocol knows, from what went over the wire."""

from __future__ import annotations

from brou_conformance.programs.child import Failure
from brou_conformance.protocol import Message, fault, shorten
from brou_conformance.smoke.asking import Wire
from brou_conformance.smoke.findings import Check, Finding, Level, Passage


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
    told = f"{came.what}; its last words: {shorten(last[0])}" if last else came.what
    wanted = f"one line with the reply to request {sent.get('id')}"
    if came.kind == "timeout":
        cause = "No reply comes in time. Is each reply ended by a line feed, and is the output flushed after it?"
        return cause, told, wanted, Passage.TIME
    if came.kind == "crash":
        return "The program ends, or does not start, instead of replying.", told, wanted, Passage.ONE_LINE
    if "integer" in came.what:
        return "A number is written with a fraction or an exponent, or is too large.", told, wanted, Passage.NUMBERS
    if "bytes" in came.what or "levels" in came.what or "twice" in came.what or "surrogate" in came.what:
        return "The reply is no message of the protocol.", told, wanted, Passage.ONE_LINE
    cause = (
        "Something else than a reply goes to the standard output: messages for people belong on the standard error, "
        "and a reply stands on one line."
    )
    return cause, told, wanted, Passage.REPLIES_ALONE


def _other_id(came: Message, sent: Message) -> tuple[str, str, str, Passage]:
    given, wanted = came.get("id"), sent.get("id")
    told = f"id {shorten(repr(given))}" if "id" in came else "no id"
    if "id" not in came or given is None:
        cause = "The reply does not repeat the id of the request."
    elif str(given) == str(wanted):
        cause = "The id of the request comes back as another kind of value."
    else:
        cause = "The reply bears the id of another request."
    return cause, told, f"id {wanted}", Passage.ID


def _results(came: Message, sent: Message, about: str, setup: str) -> Finding | None:
    results, steps = came.get("results"), sent["steps"]
    if not isinstance(results, list):
        problem = fault("run.reply", came)
        cause = "The reply to a script holds no list of results."
        return _finding(cause, shorten(str(problem)), f"{len(steps)} results", Passage.RESULTS, about, setup)
    if len(results) == len(steps):
        return None
    acts = sum("act" in step for step in steps)
    cause = "There is not one result for each step."
    if len(results) == len(steps) - acts:
        cause = "Acts have no result of their own; each step has one, acts too."
    elif len(results) == acts:
        cause = "Only acts have a result; each step has one, questions too."
    elif len(results) == 1:
        cause = "Only one step of a script is answered."
    elif results and isinstance(results[-1], dict) and "no" in results[-1]:
        cause = "The script ends with the first act that is refused; it goes on, as if nothing had been tried."
    return _finding(cause, f"{len(results)} results", f"{len(steps)} results", Passage.RESULTS, about, setup)


def _finding(  # noqa: PLR0913, PLR0917 - what a finding is made of
    cause: str, came: str, wanted: str, passage: Passage, about: str, setup: str
) -> Finding:
    return Finding(Check.ECHO, Level.FAULT, cause, about, came, wanted, passage, setup)
