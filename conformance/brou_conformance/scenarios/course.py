"""The course of a script as the rules have it: the state before each step, and the answer that the rules give to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from brou import BadAct, Machine, Refusal, State, begin
from brou.language.types import Option
from brou_conformance.protocol import Message
from brou_conformance.scenarios.scenario import ScriptStep
from brou_conformance.scenarios.script import Script

#: The variable in which a rules file keeps who took the last trick.
_TAKER = "last"


@dataclass(frozen=True, slots=True)
class ScriptMoment:
    """A step with the state before it, and the answer of the rules."""

    number: int
    step: ScriptStep
    state: State
    answer: Message

    @property
    def seat(self) -> int | None:
        """Return the seat that acts, or that asks for its legal acts."""
        seat = self.step.message.get("by", self.step.message.get("legal"))
        return seat if isinstance(seat, int) else None

    @property
    def counts(self) -> bool:
        """Say whether it is an act that the rules accept."""
        return self.step.verb == "act" and "ok" in self.answer


def follow(script: Script, player: Machine) -> Iterator[ScriptMoment]:
    """Yield the steps of a script as a machine plays them; acts that it refuses change nothing."""
    state = begin(player, script.start)
    for number, step in enumerate(script.steps):
        answer, after = take(player, state, step.message)
        yield ScriptMoment(number, step, state, answer)
        state = after


def take(player: Machine, state: State, step: Mapping[str, Any]) -> tuple[Message, State]:
    """Return the result of a step, and the state after it."""
    seat = next((step[key] for key in ("by", "legal", "view") if key in step), 0)
    if seat >= player.game.seats:
        return {"err": f"there is no seat {seat}; seats are 0 to {player.game.seats - 1}"}, state
    if "act" in step:
        return _act(player, state, seat, step["act"])
    if "legal" in step:
        return {"legal": player.legal(state, seat)}, state
    if "view" in step:
        return {"view": player.view(state, seat)}, state
    if "score" in step:
        return {"score": player.score(state)}, state
    return _find_taker(player, state), state


def _act(player: Machine, state: State, seat: int, act: Message) -> tuple[Message, State]:
    try:
        after = player.act(state, seat, act)
    except BadAct as error:
        return {"err": str(error)}, state
    return ({"no": after.code}, state) if isinstance(after, Refusal) else ({"ok": True}, after)


def _find_taker(player: Machine, state: State) -> Message:
    variable = player.game.state.get(_TAKER)
    if variable is None or variable.type != Option(player.game.types["player"]):
        return {"skip": "these rules do not keep who took the last trick"}
    return {"winner": player.get(state, _TAKER)}


def find_duties(script: Script, player: Machine, number: int) -> frozenset[str]:
    """Return the codes of all duties that the act of a step breaks."""
    moment = next(islice(follow(script, player), number, None))
    act = moment.step.message.get("act")
    if moment.seat is None or not isinstance(act, dict):
        return frozenset()
    return frozenset(refusal.code for refusal in player.refusals(moment.state, moment.seat, act))
