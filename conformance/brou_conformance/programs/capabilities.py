"""Capabilities: which steps of a script a program can answer, and how to put them.

A program that takes a deal gets the script as one request. One that knows only positions gets a question for the legal
cards at each step, and its answer tells whether it would take the card. A step that it cannot answer has a reason, and
never counts as passed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brou import Folder, Machine, outside
from brou_conformance.judging.case import Replies
from brou_conformance.judging.judge import Status, Unsent
from brou_conformance.programs.detour import lead_round
from brou_conformance.programs.session import Hello
from brou_conformance.protocol import Message, shorten
from brou_conformance.scenarios.course import ScriptMoment, follow
from brou_conformance.scenarios.scenario import PLAY, ScriptStep
from brou_conformance.scenarios.script import Script, machine

_OPTIONAL = ("winner", "view", "score")
#: Who can all this is asked every step.
_ALL = frozenset({*_OPTIONAL, "offturn"})


# What is made for each script is not frozen: that would cost more than anything else that is done with it.


@dataclass(slots=True)
class Query:
    """One request: where it begins, and its steps, each with its number in the script, or None if it only leads on."""

    start: Mapping[str, Any]
    messages: Sequence[Mapping[str, Any]]
    numbers: Sequence[int | None]


@dataclass(slots=True)
class Projection:
    """The requests that are sent, and why each step that is in none of them is not."""

    queries: tuple[Query, ...]
    unsent: Mapping[int, Unsent]
    #: The steps that are asked of a position of their own, so that nothing hangs on how others are answered.
    apart: frozenset[int] = frozenset()

    @property
    def sent(self) -> tuple[int, ...]:
        """Return the numbers of the steps that go to the program."""
        return tuple(sorted(number for query in self.queries for number in query.numbers if number is not None))


def project(script: Script, hello: Hello, folder: Folder = None) -> Projection:
    """Return the steps of a script that a program can answer, as queries, and the reasons for the others."""
    player = machine(script.choice, folder)
    needed = find_needed(script, player)
    if not needed <= hello.can:
        why = f"it does not offer {' and '.join(sorted(needed - hello.can))}"
        unsent = {number: _leave_out(why) for number in range(len(script.steps))}
        return _add_positions(Projection((), unsent), script, hello, player)
    if hello.knows_all and hello.can >= _ALL:
        return Projection((Query(script.start, list(script.messages.values()), range(len(script.steps))),), {})
    return _add_positions(_project_course(script, hello, player), script, hello, player)


def _project_course(script: Script, hello: Hello, player: Machine) -> Projection:
    """Return a script as one request; steps that the program does not know are left out, or replaced by a detour."""
    unsent = {number: _leave_out(why) for number, why in _find_unknown(script, hello, player)}
    missed = [number for number in sorted(unsent) if _is_taken(script.steps[number], script.readings)]
    if missed:
        detour = lead_round(script, player, dict.fromkeys(unsent))
        why = unsent[missed[0]]
        reached = set(detour.numbers)
        unsent |= {number: why for number in range(len(script.steps)) if number not in reached | unsent.keys()}
    steps = {number: step.message for number, step in enumerate(script.steps) if number not in unsent}
    asked = Query(script.start, list(steps.values()), list(steps))
    return Projection((asked,) if steps else (), unsent)


def _is_taken(step: ScriptStep, readings: Mapping[str, str]) -> bool:
    """Say whether a step is an act that the rules accept as the script is read, so that play goes on from it."""
    wanted = step.choose_pattern(readings)
    return step.verb == "act" and wanted is not None and wanted.key == "ok"


def gather(projection: Projection, script: Script, replies: Replies) -> list[Message | Unsent]:
    """Return an answer for each step of a script from the replies to all requests."""
    found: dict[int, Message | Unsent] = dict(projection.unsent)
    for query, reply in zip(projection.queries, replies, strict=True):
        for number, answer in zip(query.numbers, reply, strict=True):
            if number is not None:
                found[number] = hear(script.steps[number], answer) if number in projection.apart else answer
    return [found[number] for number in range(len(script.steps))]


def hear(step: ScriptStep, answer: Message | Unsent) -> Message | Unsent:
    """Return the answer to a step put as a position; a card is accepted if it is among the legal ones."""
    if step.verb not in ("act", "legal") or isinstance(answer, Unsent) or "skip" in answer or "err" in answer:
        return answer
    if "legal" not in answer:
        return Unsent(Status.PROTOCOL, f"{shorten(', '.join(answer))} for an answer to legal")
    if step.verb != "act":
        return answer
    choices = answer["legal"].get(PLAY, [])
    return {"ok": True} if isinstance(choices, list) and _act(step)[PLAY] in choices else {"no": True}


def _leave_out(why: str) -> Unsent:
    return Unsent(Status.UNSUPPORTED, why)


def find_needed(script: Script, player: Machine) -> set[str]:
    """Return the abilities that the course of a script needs: an explicit deal, a whole match, or both."""
    deal = outside(player.game.start.deal)
    needed = {"deal"} if script.start else {"match"}
    return needed | {"match"} if deal in script.acts else needed


def _act(step: ScriptStep) -> Mapping[str, Any]:
    act = step.message.get("act")
    return act if isinstance(act, dict) else {}


# What a program does not know ---------------------------------------------------------


def _find_unknown(script: Script, hello: Hello, player: Machine) -> Iterator[tuple[int, str]]:
    """Yield the steps that a program does not know by themselves, each with the reason."""
    off_turn = frozenset() if "offturn" in hello.can else find_off_turn(script, player)
    for number, step in enumerate(script.steps):
        if step.verb in _OPTIONAL and step.verb not in hello.can:
            yield number, f"it does not offer {step.verb}"
        elif why := find_foreign(step, hello):
            yield number, why
        elif number in off_turn:
            yield number, "it does not offer offturn"


def find_foreign(step: ScriptStep, hello: Hello) -> str:
    """Say which acts or keys that a step is about are unknown to a program, if all of them are; else nothing."""
    known = hello.knows(step.verb)
    if known is None:
        return ""
    patterns = [] if step.verb == "act" else step.patterns
    named = {name for pattern in patterns for name in pattern.members} or set(_act(step))
    verb = "does not know" if step.verb in ("act", "legal") else "does not tell"
    return "" if not named or named & known else f"it {verb} {' and '.join(sorted(named))}"


def find_off_turn(script: Script, player: Machine) -> frozenset[int]:
    """Return the steps in which a seat acts, or asks for its legal acts, out of turn."""
    return frozenset(
        moment.number
        for moment in follow(script, player)
        if moment.seat is not None and _find_turn(moment, player) not in (None, moment.seat)
    )


def _find_turn(moment: ScriptMoment, player: Machine) -> object:
    return player.view(moment.state, 0, only=("turn",)).get("turn")


# Positions ---------------------------------------------------------------------------


def _add_positions(projection: Projection, script: Script, hello: Hello, player: Machine) -> Projection:
    """Return a projection with those of its unsent steps that can be put as positions, each by itself."""
    if "position" not in hello.can or not projection.unsent:
        return projection
    queries = {number: query for number, query in find_positions(script, hello, player) if number in projection.unsent}
    unsent = {number: why for number, why in projection.unsent.items() if number not in queries}
    if not projection.queries:
        unsent |= {number: _leave_out(_explain(script.steps[number], hello)) for number in unsent}
    return Projection((*projection.queries, *queries.values()), unsent, frozenset(queries))


def _explain(step: ScriptStep, hello: Hello) -> str:
    """Say why a step cannot be put as a position."""
    if step.verb == "legal" or PLAY in _act(step):
        return find_foreign(step, hello) or "it does not offer offturn"
    return f"it does not offer {next(iter(_act(step)), 'act') if step.verb == 'act' else step.verb}"


def find_positions(script: Script, hello: Hello, player: Machine) -> Iterator[tuple[int, Query]]:
    """Yield the query for each step that can be put as a position, seen by the seat to play.

    The queries ask for the legal cards, and for the winner of a trick that a card completes.
    """
    card: ScriptMoment | None = None
    for moment in follow(script, player):
        step, seat = moment.step, moment.seat
        asked = (step.verb == "legal" or PLAY in _act(step)) and not find_foreign(step, hello)
        if asked and seat is not None and _is_to_play(moment, player):
            yield moment.number, Query(_position(moment, player), [{"legal": seat}], [moment.number])
        if step.verb == "winner" and step.verb in hello.can and card is not None and _is_complete(moment, player):
            yield (
                moment.number,
                Query(_position(card, player), [card.step.message, step.message], [None, moment.number]),
            )
        if moment.counts:
            card = moment if PLAY in _act(step) and _is_to_play(moment, player) else None


def _is_to_play(moment: ScriptMoment, player: Machine) -> bool:
    """Say whether the seat is to play and may play some card; where it may not, a position needs more than cards.

    The seat's view settles which cards these are. That is not checked here, where it would cost more than everything
    else: the tests check it for every position of the corpus.
    """
    state, seat = moment.state, moment.seat
    if seat is None or PLAY not in player.game.phases[state.phase].actions or _find_turn(moment, player) != seat:
        return False
    return bool(player.offer(state, seat, PLAY))


def _is_complete(moment: ScriptMoment, player: Machine) -> bool:
    """Say whether no trick is open."""
    return not player.view(moment.state, 0).get("trick")


def _position(moment: ScriptMoment, player: Machine) -> Mapping[str, Any]:
    seat = moment.seat or 0
    return {"position": {"seat": seat, **player.view(moment.state, seat)}}
