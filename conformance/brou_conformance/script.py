"""From a scenario to what goes over the wire: the start in full, the steps, and what a program cannot be asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from brou import Choice, Machine, Refusal, book, choose, rules
from brou.codec import outside
from brou.dealing import begin, complete, parts
from brou.errors import BrouError, Fault, Invalid, Unusable
from brou.library import with_readings
from brou_conformance.judge import Status, Unsent
from brou_conformance.protocol import Message
from brou_conformance.scenario import Scenario, Step


@lru_cache(maxsize=64)
def machine(choice: Choice, folder: Path | None = None) -> Machine:
    """Return the interpreter of a rule base, built once."""
    return Machine(rules(choice, folder))


@dataclass(frozen=True, slots=True)
class Script:
    """A scenario spelt out for one rule base."""

    scenario: Scenario
    choice: Choice
    steps: tuple[Step, ...]
    #: Where it begins, as it goes over the wire; nothing is the beginning of a match.
    start: Mapping[str, Any]

    @property
    def readings(self) -> Mapping[str, str]:
        """Return the readings that it is judged under."""
        return dict(self.choice.readings)

    def request(self, sent: tuple[int, ...], *, readings: bool) -> Message:
        """Return the request for some of the steps, without operation and id; it tells nothing of what is expected."""
        choice = self.choice
        message: Message = {"game": choice.game, "edition": choice.edition, "setup": choice.setup}
        if readings:
            message["readings"] = dict(self.readings)
        if self.start:
            message["start"] = dict(self.start)
        return {**message, "steps": [dict(self.steps[number].message) for number in sent]}


def spell(scenario: Scenario, choice: Choice, folder: Path | None = None) -> Script:
    """Return the script of a scenario; raise `Invalid` where its deal cannot be dealt."""
    player = machine(choice, folder)
    steps = scenario.steps(player.game.seats)
    unsaid = [step for step in steps if step.wanted(dict(choice.readings)) is None]
    if unsaid:
        what = f"{scenario.id}#{unsaid[0].id} expects nothing under {unsaid[0].reading}, as {choice} is played"
        raise Invalid([Fault(unsaid[0].place, what, "give an expectation for each value of the reading")])
    if not scenario.deal:
        return Script(scenario, choice, steps, {})
    try:
        return Script(scenario, choice, steps, _start(scenario, player))
    except BrouError as error:
        raise Invalid([Fault(scenario.place, f"{scenario.id}: {error}")]) from error


def deal_faults(found: Iterable[Scenario], game: str, folder: Path | None = None) -> Iterator[Fault]:
    """Yield scenarios that cannot be dealt or asked in the first edition that they hold for."""
    editions = book(game, folder).editions
    for one in found:
        edition = next((name for name in one.editions or editions if name in editions), None)
        if edition is None:
            continue
        try:
            spell(one, with_readings(choose(f"{game}@{edition}", folder), one.premise, folder), folder)
        except Unusable as error:
            yield from error.faults
        except BrouError as error:
            yield Fault(one.place, f"{one.id}: {error}")


def _start(scenario: Scenario, player: Machine) -> dict[str, Any]:
    given, deal = parts(player, {**scenario.deal, **scenario.before})
    state = player.start(given)
    return {**given, **(complete(player, state, deal) if deal else {})}


_OPTIONAL = ("winner", "view", "score")

# What a program cannot be asked -----------------------------------------------


@dataclass(frozen=True, slots=True)
class Projection:
    """The steps that are sent, by number, and why each of the others is not."""

    sent: tuple[int, ...]
    unsent: Mapping[int, Unsent]


def project(script: Script, can: frozenset[str], folder: Path | None = None) -> Projection:
    """Return what of a script a program can be asked."""
    missing = sorted(_needed(script, machine(script.choice, folder)) - can)
    if missing:
        why = f"it cannot {' and '.join(missing)}"
        return Projection((), {number: Unsent(Status.UNSUPPORTED, why) for number in range(len(script.steps))})
    unsent = {
        number: Unsent(Status.UNSUPPORTED, f"it cannot {step.verb}")
        for number, step in enumerate(script.steps)
        if step.verb in _OPTIONAL and step.verb not in can
    }
    if "offturn" not in can:
        unsent = {**dict(_off_turn(script, machine(script.choice, folder))), **unsent}
    return Projection(tuple(number for number in range(len(script.steps)) if number not in unsent), unsent)


def _needed(script: Script, player: Machine) -> set[str]:
    """Return what the course of a script asks of a program: an explicit deal, a whole match, or both."""
    deal = outside(player.game.start.deal)
    deals = any(deal in act for step in script.steps if isinstance(act := step.message.get("act"), dict))
    needed = {"deal"} if script.start else {"match"}
    return needed | {"match"} if deals else needed


def _off_turn(script: Script, player: Machine) -> Iterator[tuple[int, Unsent]]:
    """Yield the steps of seats that are not to play; after an act of theirs that counts, everything."""
    state, lost = begin(player, script.start), False
    for number, step in enumerate(script.steps):
        seat = step.message.get("by", step.message.get("legal"))
        turn = player.view(state, 0).get("turn")
        away = isinstance(seat, int) and turn is not None and turn != seat
        if away or lost:
            yield number, Unsent(Status.UNSUPPORTED, "it cannot offturn")
        act = step.message.get("act")
        if isinstance(act, dict) and isinstance(seat, int):
            after = player.act(state, seat, act)
            lost = lost or (away and not isinstance(after, Refusal))
            state = state if isinstance(after, Refusal) else after
