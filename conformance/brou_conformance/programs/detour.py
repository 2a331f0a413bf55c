"""Detours round acts of a script that a program refuses, or does not make as the rules do.

After such an act play goes another way, and later answers say nothing. A detour leaves the act out or replaces it; the
rules decide which of the later steps still mean the same, and the program gets only those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from brou import Json, Machine, State, begin
from brou_conformance.judging.judge import Criteria, matches
from brou_conformance.protocol import Message, words_in
from brou_conformance.scenarios.course import ScriptMoment, follow, take
from brou_conformance.scenarios.scenario import PLAY, ScriptStep
from brou_conformance.scenarios.script import Script

#: For steps by their number: what is done instead, or None where nothing is.
Instead: TypeAlias = Mapping[int, "Mapping[str, Json] | None"]
#: How many other cards are tried in the place of one that the program does not take.
_CARDS = 3


@dataclass(frozen=True, slots=True)
class Detour:
    """A script that leaves out some steps or puts others in their place."""

    instead: Instead
    messages: tuple[Mapping[str, Json], ...]
    #: For each message the number of the step that it is, or None if it stands in the place of one.
    numbers: tuple[int | None, ...]

    def reaches(self, behind: int) -> frozenset[int]:
        """Return the steps behind a step that it asks."""
        return frozenset(number for number in self.numbers if number is not None and number > behind)


def lead_round(script: Script, player: Machine, instead: Instead, course: Sequence[ScriptMoment] = ()) -> Detour:
    """Return a script with something else for some steps, and of the others all that the rules still answer alike.

    `course` is that of the script itself, if it is known.
    """
    terms = Criteria(script.readings)
    state = begin(player, script.start)
    messages: list[Mapping[str, Json]] = []
    numbers: list[int | None] = []
    for moment in course or list(follow(script, player)):
        number, step = moment.number, moment.step
        message = instead.get(number, step.message)
        if message is None:
            continue
        answer, after = take(player, state, message)
        holds = _is_expected(step, answer, terms) and _is_refused_alike(moment, state, player)
        if "ok" in answer if number in instead else holds:
            messages.append(message)
            numbers.append(None if number in instead else number)
            state = after
    return Detour(dict(instead), tuple(messages), tuple(numbers))


def _is_expected(step: ScriptStep, answer: Message, terms: Criteria) -> bool:
    wanted = step.choose_pattern(terms.readings)
    if wanted is None:
        return step.verb != "act" or "ok" in answer
    return matches(answer, wanted, terms)


def _is_refused_alike(moment: ScriptMoment, state: State, player: Machine) -> bool:
    """Say whether an act is refused, or not open, in a state for the same reason as in the script's own course.

    A program would refuse it for any reason; only the same reason says something about the scenario.
    """
    step, seat = moment.step, moment.seat
    if step.verb == "legal":
        return state.phase == moment.state.phase or all(moment.answer["legal"].get(name) for name in step.topics)
    act = step.message.get("act")
    if "no" not in moment.answer or not isinstance(act, dict) or seat is None:
        return True
    before, now = (player.refusal(one, seat, act) for one in (moment.state, state))
    return before is not None and now is not None and (before.clause, before.row) == (now.clause, now.row)


def find_detours(script: Script, player: Machine, given: Instead, lost: int) -> Iterator[Detour]:
    """Yield detours round a step that went another way, the longest first; `given` holds earlier replacements."""
    course = list(follow(script, player))
    ways = _replacements(script, player, given, lost)
    tried = [lead_round(script, player, {**given, **other}, course) for other in ways]
    useful = [detour for detour in tried if detour.reaches(lost)]
    yield from sorted(useful, key=lambda detour: -len(detour.reaches(lost)))


def _replacements(script: Script, player: Machine, given: Instead, lost: int) -> Iterator[Instead]:
    """Yield replacements of a step: nothing, or another card, with the step's own card played later in exchange."""
    yield {lost: None}
    step = script.steps[lost]
    card, seat = _card(step.message), step.message.get("by")
    if card is None or not step.accepted or not isinstance(seat, int):
        return
    state = begin(player, script.start)
    for number, earlier in enumerate(script.steps[:lost]):
        message = given.get(number, earlier.message)
        if earlier.verb == "act" and message is not None:
            _, state = take(player, state, message)
    others = [other for other in words_in(player.legal(state, seat).get(PLAY)) if other != card]
    later = {_card(one.message): number for number, one in enumerate(script.steps) if number > lost}
    # Cards that the seat plays later come first: what follows the exchange is then most like the script.
    others.sort(key=lambda other: later.get(other, len(script.steps)))
    for other in others[:_CARDS]:
        exchanged = {later[other]: step.message} if other in later else {}
        yield {lost: {**step.message, "act": {PLAY: other}}, **exchanged}


def _card(message: Mapping[str, Json]) -> str | None:
    act = message.get("act")
    card = act.get(PLAY) if isinstance(act, dict) else None
    return card if isinstance(card, str) else None
