"""One game, two notations: both rule bases go through the same matches and scenarios step by step.

At every step phase, variables, offers, views, scores and broken invariants must be the same, and an act that the one
refuses the other refuses. A refusal names duties: the one that the first rule base names first must be among those that
the second names, and the other way round; where the sets differ is counted. `control` is the other half: it asks
whether the comparison tells each single reading from the one that an edition has.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from identity import scripts, start_of

from brou import BrouError, Choice, Crash, Impossible, Machine, Refusal, State, book, choose, rules
from brou.chance import Chance
from brou.compiler.compiled import Compiled
from brou.compiler.playing import draw_act
from brou.games.catalogue import with_readings
from brou.games.folder import CHAPTERS, root
from brou.interpreter.dealing import begin
from brou.interpreter.digest import plain
from brou.language.codec import outside
from brou.language.syntax import Parameter
from brou.language.types import Array, Type
from brou_conformance.scenarios.script import Script

#: The data in the second notation.
SECOND = root() / CHAPTERS

#: So many acts that the phase may not offer are tried at each step, and so many of other phases.
TRIED, ELSEWHERE = 12, 3
#: So many acts of earlier steps are kept to be tried later.
KEPT = 20
#: One act in so many is drawn from those that several seats may do, or that end a deal early.
SELDOM = 12


class Disagreement(AssertionError):
    """The rule bases part; the message holds the step at which they do."""


@dataclass
class Twins:
    """Two rule bases at the same place of a match."""

    name: str
    one: Machine
    two: Machine
    tally: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, one: Choice, two: Choice, folders: tuple[Path | None, Path | None]) -> Twins:
        """Return the machines of two choices, each from its folder of data."""
        first, second = (rules(choice, folder) for choice, folder in zip((one, two), folders, strict=True))
        changed = dict(two.readings).items() - book(two.game, folders[1]).editions[two.edition].readings.items()
        return cls(f"{two} {dict(changed)}", Machine(first), Machine(second))

    @cached_property
    def shared(self) -> list[str]:
        """Return the variables that both keep by as many indexes; others show in offers, views and scores alone."""
        kept, other = (machine.game.state for machine in (self.one, self.two))
        return sorted(
            name for name in kept.keys() & other.keys() if _depth(kept[name].type) == _depth(other[name].type)
        )

    def begin(self, given: Mapping[str, Any]) -> tuple[State, State]:
        """Return where both begin; what stands before the deal is possible in the first."""
        one = self.one.start(given) if given else self.one.begin()
        try:
            return one, self.two.start(given) if given else self.two.begin()
        except BrouError as error:
            raise Disagreement(f"{self.name}: {json.dumps(given)} begins in one alone: {error}") from error

    def check_state(self, one: State, two: State, step: object) -> None:
        """Raise `Disagreement` unless both are at the same place and show the same."""
        self.tally["states"] += 1
        found, other = (plain(machine.game, state) for machine, state in ((self.one, one), (self.two, two)))
        ours, theirs = ({name: values[name] for name in ("phase", *self.shared)} for values in (found, other))
        self._same("the state", _drop_idle(ours), _drop_idle(theirs), step)
        for seat in range(self.one.game.seats):
            self._same(f"what seat {seat} may do", self.one.legal(one, seat), self.two.legal(two, seat), step)
            self._same(f"what seat {seat} sees", self.one.view(one, seat), self.two.view(two, seat), step)
        self._same("the score", self.one.score(one), self.two.score(two), step)
        self._same("what is broken", self.one.find_broken_invariants(one), self.two.find_broken_invariants(two), step)

    def _same(self, what: str, one: object, two: object, step: object) -> None:
        if one != two:
            raise Disagreement(f"{self.name}: {what} at {json.dumps(step)}: {one} and {two}")

    def try_act(self, one: State, two: State, seat: int, act: Mapping[str, Any]) -> None:
        """Raise `Disagreement` unless both refuse an act for a common reason, or neither does."""
        ours, theirs = self.one.refusals(one, seat, act), self.two.refusals(two, seat, act)
        step = {"by": seat, "act": act}
        if bool(ours) != bool(theirs):
            raise Disagreement(f"{self.name}: {json.dumps(step)} is refused by one alone: {ours or theirs}")
        if not ours:
            self.tally["acts tried and allowed"] += 1
            return
        self.tally["refusals"] += 1
        codes, others = {refusal.code for refusal in ours}, {refusal.code for refusal in theirs}
        if ours[0].code not in others or theirs[0].code not in codes:
            raise Disagreement(f"{self.name}: {json.dumps(step)} is refused by {ours} and by {theirs}")
        self.tally["refusals with another first code"] += ours[0].code != theirs[0].code
        self.tally["refusals with other sets of codes"] += codes != others
        if codes != others:
            self.tally[f"  {next(iter(act))}: {', '.join(sorted(codes))}, and {', '.join(sorted(others))}"] += 1
        self.tally["refusals with several duties"] += len(theirs) > 1

    def act(self, one: State, two: State, seat: int, act: Mapping[str, Any]) -> tuple[State, State] | None:
        """Return where both are after an act, or None where both refuse it or break off."""
        after, other = _act(self.one, one, seat, act), _act(self.two, two, seat, act)
        if isinstance(after, str) or isinstance(other, str):
            self._same("an act", after, other, {"by": seat, "act": act})
            self.tally["acts that break off"] += 1
            return None
        if isinstance(after, Refusal) or isinstance(other, Refusal):
            self.try_act(one, two, seat, act)
            return None
        return after, other


def _depth(type_: Type) -> int:
    return 1 + _depth(type_.element) if isinstance(type_, Array) else 0


def _drop_idle(values: dict[str, Any]) -> dict[str, Any]:
    """Return the variables of a state without the number of the trick where nobody is on turn to play to one."""
    return {name: value for name, value in values.items() if name != "now" or values.get("turn", 0) is not None}


def _act(machine: Machine, state: State, seat: int, act: Mapping[str, Any]) -> State | Refusal | str:
    """Return what comes of an act, or in a word that the rules break off."""
    try:
        return machine.act(state, seat, act)
    except Crash:
        return "crashed"


# Random play ------------------------------------------------------------------------------------------------------


def play(twins: Twins, seed: int, decisions: int) -> None:
    """Play so many decisions at random, one match after the other, some of them from the middle of a partie."""
    chance = Chance(seed)
    made = 0
    while made < decisions:
        given = start_of(twins.one, chance) if chance.below(2) else {}
        one, two = twins.begin(given)
        step: object = {"seed": seed, "start": given}
        seen: list[Mapping[str, Any]] = []
        while made < decisions:
            made += 1
            twins.check_state(one, two, step)
            for seat, act in _tries(twins.one, one, seen, chance):
                twins.try_act(one, two, seat, act)
            chosen = _choose(twins.one, one, chance)
            if chosen is None:
                break
            step = {"seed": seed, "decision": made, "by": chosen[0], "act": chosen[1]}
            seen = [*seen[-KEPT:], chosen[1]]
            after = twins.act(one, two, *chosen)
            if after is None:
                break
            one, two = after


def _choose(machine: Machine, state: State, chance: Chance) -> tuple[int, dict[str, Any]] | None:
    """Return a random act; where one seat alone has a turn, mostly one of its own."""
    chosen = draw_act(machine, state, chance)
    for _ in range(SELDOM):
        if chosen is None or _is_turn(machine, state, chosen) or not chance.below(SELDOM):
            break
        chosen = draw_act(machine, state, chance)
    return chosen


def _is_turn(machine: Machine, state: State, chosen: tuple[int, dict[str, Any]]) -> bool:
    name = next(iter(chosen[1]))
    return sum(name in machine.legal(state, seat) for seat in range(machine.game.seats)) == 1


def _tries(
    machine: Machine, state: State, seen: Sequence[Mapping[str, Any]], chance: Chance
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield acts of the phase that may or may not be offered, and acts of other phases or of earlier steps."""
    known = [(seat, act) for seat in range(machine.game.seats) for act in machine.imaginable(state, seat)]
    for _ in range(min(TRIED, len(known))):
        yield chance.pick(known)
    bare = [{outside(name): True} for name, action in machine.game.actions.items() if not action.parameters]
    elsewhere = [*bare, *seen]
    for _ in range(min(ELSEWHERE, len(elsewhere))):
        yield chance.below(machine.game.seats), chance.pick(elsewhere)


# Scenarios and counts ---------------------------------------------------------------------------------------------


def replay(twins: Twins, script: Script) -> None:
    """Go through a scenario with both."""
    try:
        one = begin(twins.one, script.start)
    except BrouError as error:
        with suppress(BrouError):
            begin(twins.two, script.start)
            raise Disagreement(f"{twins.name}: {script.scenario.id} begins in one alone: {error}") from error
        twins.tally["scenarios that do not begin"] += 1
        return
    try:
        two = begin(twins.two, script.start)
    except BrouError as error:
        raise Disagreement(f"{twins.name}: {script.scenario.id} begins in one alone: {error}") from error
    twins.tally["scenarios"] += 1
    for item in script.steps:
        if item.verb == "act":
            by, act = int(str(item.message["by"])), item.message["act"]
            assert isinstance(act, dict)
            step = {"scenario": script.scenario.id, "step": item.id, "by": by, "act": act}
            after = twins.act(one, two, by, act)
            if after is not None:
                one, two = after
                twins.check_state(one, two, step)


def counts(machines: Sequence[Machine], seed: int, acts: int, depth: int) -> list[list[int]]:
    """Return how many sequences of acts lead on from a position of a random match, by their length, for each machine.

    All go the way of the first one, for the order in which acts are listed may differ.
    """
    chance = Chance(seed)
    first = machines[0]
    states = [machine.begin() for machine in machines]
    while acts > 0 or not _countable(first, states[0]):
        chosen = _choose(first, states[0], chance)
        states = [_follow(*pair, chosen) for pair in zip(machines, states, strict=True)]
        acts -= 1
    return [_count_lengths(*pair, depth) for pair in zip(machines, states, strict=True)]


def _follow(machine: Machine, state: State, chosen: tuple[int, dict[str, Any]] | None) -> State:
    after = machine.begin() if chosen is None else machine.act(state, *chosen)
    assert isinstance(after, State)
    return after


def _count_lengths(machine: Machine, state: State, depth: int) -> list[int]:
    engine = Compiled(machine.game, keep=False)
    return [_count(engine, engine.encode_state(state), length) for length in range(1, depth + 1)]


def _countable(machine: Machine, state: State) -> bool:
    """Say whether every act of a phase is listed, none described."""
    return not any(p.described for name in machine.game.phases[state.phase].actions for p in _parameters(machine, name))


def _parameters(machine: Machine, name: str) -> tuple[Parameter, ...]:
    return machine.game.actions[name].parameters


def _count(engine: Compiled, state: Any, depth: int) -> int:
    found = 0
    for name, action in engine.game.actions.items():
        if any(parameter.described for parameter in action.parameters):
            continue
        for seat in range(engine.game.seats):
            for value in _offered(engine, state, seat, outside(name)):
                after = engine.act(state, seat, {outside(name): value}) if depth > 1 else None
                found += 1 if after is None else _count(engine, after, depth - 1)
    return found


def _offered(engine: Compiled, state: Any, seat: int, name: str) -> list[Any]:
    offered = engine.legal(state, seat).get(name, [])
    return offered if isinstance(offered, list) else [offered]


# All of it --------------------------------------------------------------------------------------------------------


def singles(base: Choice, folder: Path | None = None) -> Iterator[tuple[str, Choice]]:
    """Yield a choice, and it with each other value of each reading, a number apart by one; with what was changed."""
    yield "", base
    data = book(base.game, folder)
    for key, own in data.editions[base.edition].readings.items():
        reading = data.readings[key]
        values = [str(int(own) + 1)] if reading.number else [value for value in reading.values if value != own]
        for value in values:
            with suppress(Impossible):
                yield f"{key}={value}", with_readings(base, {key: value}, folder)


def choices(game: str, edition: str = "") -> Iterator[Choice]:
    """Yield each set-up of each edition of a game, or of one."""
    for one, record in book(game).editions.items():
        for setup in record.setups if edition in ("", one) else ():
            yield choose(f"{game}@{one}:{setup}")


def compare(game: str, decisions: int, only: str = "", edition: str = "") -> tuple[Counter[str], list[str]]:
    """Compare both notations of a game under every edition, set-up and single reading.

    Return what was compared, and where the two part: the first place of each match and each scenario in which they do.
    """
    tally: Counter[str] = Counter()
    parted: list[str] = []
    for base in choices(game, edition):
        scenarios = scripts(base)
        theirs = {label for label, _ in singles(choose(f"{base}", SECOND), SECOND)}
        ours = dict(singles(base))
        assert theirs == set(ours), f"{base}: readings that one notation alone can stand: {theirs ^ set(ours)}"
        for number, (label, choice) in enumerate(ours.items()):
            if only in label:
                twins = Twins.of(choice, choice, (None, SECOND))
                twins.tally = tally
                runs = [partial(play, twins, 1000 + number, decisions), *(partial(replay, twins, s) for s in scenarios)]
                parted += [found for run in runs if (found := _parting(run))]
                tally["rule bases"] += 1
    return tally, parted


def _parting(run: Callable[[], None]) -> str:
    """Return where two rule bases part, or nothing."""
    try:
        run()
    except Disagreement as error:
        return str(error)
    return ""


def control(game: str, decisions: int, edition: str = "") -> dict[str, str]:
    """Return what tells each single reading from the edition that it is changed in: a scenario, play, or nothing.

    A reading is told if it is told in one set-up: few scenarios are for the others, and play seldom comes to a point.
    """
    found: dict[str, str] = {}
    for base in choices(game, edition):
        for label, choice in singles(base):
            name = f"{base.edition} {label}"
            if label and not found.get(name):
                twins = Twins.of(base, choice, (None, SECOND))
                found[name] = _telling(twins, scripts(base), decisions)
    return found


def _telling(twins: Twins, scenarios: Sequence[Script], decisions: int) -> str:
    for script in scenarios:
        if _parting(partial(replay, twins, script)):
            return script.scenario.id
    return "random play" if _parting(partial(play, twins, 1, decisions)) else ""


def main() -> int:
    """Compare a game in both notations and print what was compared."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("-n", type=int, default=200, help="decisions of random play for each rule base")
    parser.add_argument("--only", default="", help="readings whose name holds this")
    parser.add_argument("--edition", default="", help="one edition alone")
    parser.add_argument("--control", action="store_true", help="ask what tells each reading from the default")
    options = parser.parse_args()
    began = time.monotonic()
    if options.control:
        told = control(options.game, options.n, options.edition)
        for label, by in told.items():
            print(f"{label}: {by or 'NOTHING'}")
        return int(not all(told.values()))
    tally, parted = compare(options.game, options.n, options.only, options.edition)
    print(*(f"{number:>8} {name}" for name, number in tally.items()), *parted, sep="\n")
    for base in choices(options.game, options.edition):
        for seed, acts in ((1, 4), (2, 14), (3, 30)):
            one, two = counts([Machine(rules(base, folder)) for folder in (None, SECOND)], seed, acts, 3)
            print(f"{base} seed {seed} after {acts} acts: {one} {'=' if one == two else f'BUT {two}'}")
            if one != two:
                return 1
    print(f"{time.monotonic() - began:.0f} s")
    return int(bool(parted))


if __name__ == "__main__":
    sys.exit(main())
