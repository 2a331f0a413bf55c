"""What of a script a program can be asked, and how.

A program that takes a deal is sent the script as one request. One that knows
only positions is asked at each step apart what may be played there, and from
its answer follows whether it would take the card. What cannot be asked has its
reason, and is never passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from brou import Machine, Refusal, State
from brou.interpreter.dealing import begin
from brou.language.codec import outside
from brou_conformance.judging.judge import Status, Unsent
from brou_conformance.programs.session import Hello
from brou_conformance.protocol import Message, shorten
from brou_conformance.scenarios.scenario import PLAY, Step
from brou_conformance.scenarios.script import Script, machine

_OPTIONAL = ("winner", "view", "score")
#: Who can all this is asked every step.
_ALL = frozenset({*_OPTIONAL, "offturn"})


# What is made for each script is not frozen: that would cost more than anything else that is done with it.


@dataclass(slots=True)
class Query:
    """One request: where it begins, and its steps with their numbers in the script."""

    start: Mapping[str, Any]
    steps: Mapping[int, Mapping[str, Any]]


@dataclass(slots=True)
class Projection:
    """The requests that are sent, and why each step that is in none of them is not."""

    queries: tuple[Query, ...]
    unsent: Mapping[int, Unsent]
    #: Whether each request stands for itself, so that one answer says nothing of the next.
    apart: bool = False

    @property
    def sent(self) -> tuple[int, ...]:
        """Return the numbers of the steps that are asked."""
        return tuple(sorted(number for query in self.queries for number in query.steps))


def project(script: Script, hello: Hello, folder: Path | None = None) -> Projection:
    """Return what of a script a program can be asked."""
    player = machine(script.choice, folder)
    missing = sorted(_needed(script, player) - hello.can)
    if missing and "position" in hello.can:
        return _positions(script, hello, player)
    if missing:
        why = f"it cannot {' and '.join(missing)}"
        return Projection((), {number: _unsupported(why) for number in range(len(script.steps))})
    if hello.acts is None and hello.can >= _ALL:
        return Projection((Query(script.start, script.messages),), {})
    unsent = dict(_beyond(script, hello, player))
    steps = {number: step.message for number, step in enumerate(script.steps) if number not in unsent}
    return Projection((Query(script.start, steps),) if steps else (), unsent)


def heard(step: Step, answer: Message | Unsent) -> Message | Unsent:
    """Return the answer to a step that was asked of a position; a card is accepted if it is among the legal ones."""
    if isinstance(answer, Unsent) or "skip" in answer or "err" in answer:
        return answer
    if "legal" not in answer:
        return Unsent(Status.PROTOCOL, f"{shorten(', '.join(answer))} for an answer to legal")
    if step.verb != "act":
        return answer
    choices = answer["legal"].get(PLAY, [])
    return {"ok": True} if isinstance(choices, list) and _act(step)[PLAY] in choices else {"no": True}


def _unsupported(why: str) -> Unsent:
    return Unsent(Status.UNSUPPORTED, why)


def _needed(script: Script, player: Machine) -> set[str]:
    """Return what the course of a script asks of a program: an explicit deal, a whole match, or both."""
    deal = outside(player.game.start.deal)
    needed = {"deal"} if script.start else {"match"}
    return needed | {"match"} if deal in script.acts else needed


def _act(step: Step) -> Mapping[str, Any]:
    act = step.message.get("act")
    return act if isinstance(act, dict) else {}


# Step by step through the expected course ------------------------------------------


@dataclass(frozen=True, slots=True)
class _Moment:
    """A step with the state before it, and whether it is an act that counts."""

    number: int
    step: Step
    state: State
    counts: bool

    @property
    def seat(self) -> int | None:
        seat = self.step.message.get("by", self.step.message.get("legal"))
        return seat if isinstance(seat, int) else None


def _course(script: Script, player: Machine) -> Iterator[_Moment]:
    """Yield the steps of a script as the rules have them."""
    state = begin(player, script.start)
    for number, step in enumerate(script.steps):
        act, seat = step.message.get("act"), step.message.get("by")
        after = player.act(state, seat, act) if isinstance(act, dict) and isinstance(seat, int) else None
        counts = after is not None and not isinstance(after, Refusal)
        yield _Moment(number, step, state, counts)
        state = after if isinstance(after, State) else state


def _beyond(script: Script, hello: Hello, player: Machine) -> Iterator[tuple[int, Unsent]]:
    """Yield the steps that a program cannot be asked; after an act that counts and is not made, everything."""
    for number, step in enumerate(script.steps):
        if step.verb in _OPTIONAL and step.verb not in hello.can:
            yield number, _unsupported(f"it cannot {step.verb}")
    if "offturn" in hello.can and hello.acts is None:
        return
    lost = ""
    for moment in _course(script, player):
        why = lost or _foreign(moment.step, hello) or _away(moment, hello, player)
        if why:
            yield moment.number, _unsupported(why)
        lost = lost or (why if moment.counts else "")


def _foreign(step: Step, hello: Hello) -> str:
    """Say which act a program does not know that a step is about, if all that it is about is unknown to it."""
    if hello.acts is None or step.verb not in ("act", "legal"):
        return ""
    patterns = [step.expected, *step.values.values()] if step.verb == "legal" else []
    named = {act for pattern in patterns if pattern is not None for act in pattern.value} or set(_act(step))
    return "" if not named or named & hello.acts else f"it does not know {' and '.join(sorted(named))}"


def _away(moment: _Moment, hello: Hello, player: Machine) -> str:
    """Say that a seat is not to play, to a program that knows only the one that is."""
    turn = player.view(moment.state, 0).get("turn")
    off = moment.seat is not None and turn is not None and turn != moment.seat
    return "it cannot offturn" if off and "offturn" not in hello.can else ""


# Positions ---------------------------------------------------------------------------


def _positions(script: Script, hello: Hello, player: Machine) -> Projection:
    """Return a request of its own for each step that asks what may be played."""
    queries: list[Query] = []
    unsent: dict[int, Unsent] = {}
    for moment in _course(script, player):
        step = moment.step
        asked = step.verb == "legal" or PLAY in _act(step)
        why = _foreign(step, hello) or _turnless(moment, player) if asked else f"it cannot {_missing(step)}"
        if why or moment.seat is None:
            unsent[moment.number] = _unsupported(why)
            continue
        position = {"seat": moment.seat, **player.view(moment.state, moment.seat)}
        queries.append(Query({"position": position}, {moment.number: {"legal": moment.seat}}))
    return Projection(tuple(queries), unsent, apart=True)


def _missing(step: Step) -> str:
    return next(iter(_act(step)), "act") if step.verb == "act" else step.verb


def _turnless(moment: _Moment, player: Machine) -> str:
    """Say that a position is not that of a seat to play; a program is asked for nothing else there."""
    turn = player.view(moment.state, 0).get("turn")
    return "" if turn is not None and turn == moment.seat else "it cannot offturn"
