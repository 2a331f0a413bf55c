"""One set of rules, several engines: the interpreter and generated code go through the same matches step by step.

After every decision the hash of the whole state and of all that is offered
must be the same, and so must be the score, what each seat sees and the
invariants that are broken: in random matches and in every scenario, under every
edition and set-up, with readings alone and in pairs that meet in one rule, and
with mutants in the rules. Where the engines differ, the first differing step is told
with the rule that it rests on. A mutant shows something only if what it has
changed is asked: at each step the rules without it are asked as well, until
they offer or show something else or come to another state, and those mutants
for which they never do are told by name.

Where there is a C compiler the engine in C takes the place of generated code in
random matches of the same rules, and draws the same acts of its own; so does
the machine that runs rules as data, with every mutant.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import combinations
from typing import Any, Protocol, TypeVar

from brou import BadAct, BrouError, Choice, Crash, Impossible, Machine, Refusal, State, book, catalogue, choose, rules
from brou.answers.explain_state import Explainer
from brou.answers.history import History
from brou.chance import Chance
from brou.compiler.compiled import Compiled
from brou.compiler.playing import step
from brou.errors import Unusable
from brou.games.catalogue import patch_rules, spread, with_readings
from brou.games.mutants import Mutant, list_mutants, load_mutant, sample_mutants
from brou.interpreter.acts import fill_act
from brou.interpreter.dealing import begin
from brou.interpreter.digest import digest, plain
from brou.language.codec import outside
from brou.language.patch import Patch
from brou.language.syntax import Game
from brou.language.types import Array, Int
from brou.native.data_engine import DataEngine
from brou.native.native import NativeEngine
from brou.native.shared_object import find_compiler
from brou.reasons.reasoner import Reasoner
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.script import Script, spell

#: As many random matches more are played with a mutant that nothing has told from the rules without it.
PATIENCE = 8
#: How engines are compiled that play little.
UNOPTIMISED = ("-O0",)
#: Of so many mutants one is played in C as well: compiling it takes longer than all else.
COMPILED = 10
#: Acts that several seats may do are rare, so that deals are played out: one decision in so many.
SELDOM = 24


#: What an engine keeps as a state.
Kept = TypeVar("Kept")


class DrawingEngine(Protocol[Kept]):
    """An engine that draws random acts of its own."""

    game: Game

    def begin(self) -> Kept:
        """Return the state in which a match begins."""

    def open_stream(self, seed: int) -> Any:
        """Return a stream of random numbers."""

    def step(self, state: Kept, stream: Any) -> bool:
        """Make a random act; say whether anybody could do anything."""

    def digest(self, state: Kept) -> str:
        """Return the fingerprint of a state and of what each seat may do in it."""


class Disagreement(AssertionError):
    """The engines differ; the message holds the first step at which they do, and its rule."""


@dataclass
class Sound:
    """The rules without the mutant, asked what the mutant is asked until they answer something else."""

    machine: Machine
    told_apart: bool = False

    def begins(self, given: Mapping[str, Any], outcome: State | str) -> None:
        """Ask where a match begins."""
        self._ask(lambda: _begun(self.machine, given) == outcome)

    def crashes(self, state: State) -> None:
        """Ask what is offered where the mutant crashes."""
        self._ask(lambda: _asked(self.machine, state, self.machine.game.seats) == "crashed")

    def offers(self, state: State, legal: list[dict[str, Any]]) -> None:
        """Ask what is offered in a state."""
        self._ask(lambda: [self.machine.legal(state, seat) for seat in range(len(legal))] == legal)

    def shows(self, state: State, shown: Mapping[str, str]) -> None:
        """Ask what is shown in a state."""
        self._ask(lambda: _shown(self.machine, state) == shown)

    def acts(self, state: State, seat: int, act: Mapping[str, Any], outcome: State | str) -> None:
        """Ask what an act leads to."""
        self._ask(lambda: _outcome(self.machine, state, seat, act) == outcome)

    def _ask(self, alike: Callable[[], bool]) -> None:
        if not self.told_apart:
            try:
                self.told_apart = not alike()
            except (BrouError, LookupError, TypeError, ValueError):
                self.told_apart = True  # not even a state of those rules


@dataclass
class Pair:
    """Both engines at the same place of a match; `sound` are the rules without their mutant, if they have one."""

    game: Game
    machine: Machine
    #: Generated code, or the engine in C, which has the same surface.
    compiled: Any
    name: str
    sound: Sound | None = field(default=None)

    @classmethod
    def of(cls, game: Game, name: str, sound: Game | None = None) -> Pair:
        """Return both engines of a game."""
        beside = None if sound is None else Sound(Machine(sound))
        return cls(game, Machine(game), Compiled(game, keep=False), name, beside)

    @classmethod
    def in_c(cls, game: Game, name: str, flags: Sequence[str] = UNOPTIMISED) -> Pair:
        """Return the interpreter and the engine in C, which is compiled in a hurry."""
        return cls(game, Machine(game), NativeEngine(game, keep=False, flags=flags), f"{name} in C")

    @classmethod
    def as_data(cls, game: Game, name: str) -> Pair:
        """Return the interpreter and the machine that runs rules as data."""
        return cls(game, Machine(game), DataEngine(game), f"{name} as data")

    def offered(self, state: State) -> list[dict[str, Any]]:
        """Return what the interpreter offers to each seat."""
        return [self.machine.legal(state, seat) for seat in range(self.game.seats)]

    def crashes(self, state: State, other: Any) -> bool:
        """Say whether the rules break a promise as soon as somebody asks what is open; both engines must."""
        found = [_asked(engine, at, self.game.seats) for engine, at in ((self.machine, state), (self.compiled, other))]
        if found[0] != found[1]:
            raise Disagreement(
                f"{self.name}: asked what is open, the interpreter {found[0]}, generated code {found[1]}"
            )
        if self.sound and found[0] == "crashed":
            self.sound.crashes(state)
        return found[0] == "crashed"

    def begin(self, given: Mapping[str, Any]) -> tuple[State, Any] | str:
        """Begin a match with both engines; answer where both are, or that both crash."""
        one, two = _begun(self.machine, given), _begun(self.compiled, given)
        ours, theirs = (item if isinstance(item, str) else "begun" for item in (one, two))
        if ours != theirs:
            raise Disagreement(f"{self.name}: {ours} by the interpreter, {theirs} by generated code at {given}")
        if self.sound:
            self.sound.begins(given, one)
        return one if isinstance(one, str) else (one, two)

    def same_state(self, state: State, other: Any, step: object) -> None:
        """Raise if the engines are not at the same place."""
        if self.compiled.decode_state(other) != state:
            self.same(state, other, step)

    def same(self, state: State, other: Any, step: object) -> list[dict[str, Any]]:
        """Return what is offered, or raise if the engines are not at the same place or offer something else."""
        legal = self.offered(state)
        theirs = (
            self.compiled.decode_state(other),
            [self.compiled.legal(other, seat) for seat in range(self.game.seats)],
        )
        if digest(self.game, state, legal) != digest(self.game, *theirs):
            self._part(state, legal, *theirs, step)
        if self.sound:
            self.sound.offers(state, legal)
        self.same_shown(state, other, step)
        return legal

    def same_shown(self, state: State, other: Any, step: object) -> None:
        """Raise if the engines show something else, or keep keys in another order."""
        ours, theirs = _shown(self.machine, state), _shown(self.compiled, other)
        for what, shown in ours.items():
            if theirs[what] != shown:
                told = _told(step)
                raise Disagreement(f"{self.name}: {what} at {told}: interpreter {shown}, generated code {theirs[what]}")
        if self.sound:
            self.sound.shows(state, ours)

    def _part(
        self, state: State, legal: list[dict[str, Any]], other: State, theirs: list[dict[str, Any]], step: object
    ) -> None:
        ours, others = plain(self.game, state), plain(self.game, other)
        wrong = {name: (ours[name], others[name]) for name in ours if ours[name] != others[name]}
        lines = [f"{self.name}: the engines differ at {_told(step)}"]
        lines += [f"  {name}: interpreter {one!r}, generated code {two!r}" for name, (one, two) in wrong.items()]
        if not wrong:
            lines += [f"  {line}" for line in self._offers(state, legal, theirs)]
        raise Disagreement("\n".join([*lines, *(f"  {rule}" for rule in self._rules(step, wrong))]))

    def _offers(self, state: State, legal: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> Iterator[str]:
        """Yield the acts that one engine alone offers, each with the row that decides."""
        for seat, (ours, others) in enumerate(zip(legal, theirs, strict=True)):
            for act in {**ours, **others}:
                one, two = ours.get(act), others.get(act)
                if one == two:
                    continue
                listed = isinstance(one or two, list)
                apart = [v for v in [*(one or []), *(two or [])] if v not in (one or []) or v not in (two or [])]
                for value in apart if listed else [one or two]:
                    where = "interpreter" if not listed or value in (one or []) else "generated code"
                    row = self._row(state, seat, act, value)
                    yield f"offered to {seat} by the {where} alone: {json.dumps({act: value})} {row}"

    def _row(self, state: State, seat: int, act: str, value: Any) -> str:
        with suppress(BrouError):
            refusal = self.machine.refusal(state, seat, {act: value})
            if refusal is not None:
                return f"[{refusal.clause}] {refusal.row} {refusal.place}"
            history = History(self.game)
            machine = Machine(self.game, history)
            explainer = Explainer(machine, Reasoner(machine.evaluator), history, state, (), {})
            decisions = explainer.act(seat, {act: value}).decisions
            return f"{decisions[-1].table}/{decisions[-1].fired.row}" if decisions else ""
        return ""

    def _rules(self, step: object, wrong: Mapping[str, object]) -> Iterator[str]:
        """Yield the effects that wrote the differing variables in a step."""
        if not isinstance(step, dict) or "from" not in step:
            return
        with suppress(BrouError):
            history = History(self.game)
            Machine(self.game, history).act(step["from"], step["by"], step["act"])
            for write in history.writes:
                if write.variable in wrong:
                    yield f"{write.variable} by {write.effect.id} [{write.effect.clause}] {write.effect.place}"

    def act(self, state: State, other: Any, seat: int, act: Mapping[str, Any]) -> tuple[State, Any] | str:
        """Make an act with both engines; answer where both are, or that both refuse or crash."""
        one, two = _outcome(self.machine, state, seat, act), _outcome(self.compiled, other, seat, act)
        ours, theirs = (item if isinstance(item, str) else "accepted" for item in (one, two))
        if ours != theirs:
            row = self._row(state, seat, *next(iter(act.items())))
            told = json.dumps({"by": seat, "act": act})
            raise Disagreement(f"{self.name}: {told} is {ours} by the interpreter, {theirs} by generated code {row}")
        if self.sound:
            self.sound.acts(state, seat, act, one)
        return one if isinstance(one, str) else (one, two)


def _told(step: object) -> str:
    """Return a step as it is told."""
    return json.dumps({key: value for key, value in step.items() if key != "from"} if isinstance(step, dict) else step)


def _shown(engine: Any, state: Any) -> dict[str, str]:
    """Return as JSON what is shown in a state, or in a word that it crashes, by what is asked."""
    questions: dict[str, Callable[[], Any]] = {
        "the score": partial(engine.score, state),
        **{f"the view of seat {seat}": partial(engine.view, state, seat) for seat in range(engine.game.seats)},
        "what is broken": partial(engine.find_broken_invariants, state),
    }
    return {what: _answered(question) for what, question in questions.items()}


def _answered(question: Callable[[], Any]) -> str:
    try:
        return json.dumps(question())
    except Crash:
        return "crashed"
    except (ArithmeticError, LookupError, NameError, TypeError, ValueError) as error:
        return repr(error)


def _asked(engine: Any, state: Any, seats: int) -> str:
    """Return in a word what comes of asking what each seat may do."""
    try:
        for seat in range(seats):
            engine.legal(state, seat)
    except Crash:
        return "crashed"
    except (ArithmeticError, LookupError, NameError, TypeError, ValueError) as error:
        return repr(error)
    return "answered"


def _begun(engine: Any, given: Mapping[str, Any]) -> Any:
    """Return the state in which a match begins, or in a word why there is none."""
    try:
        return engine.start(given) if given else engine.begin()
    except Crash:
        return "crashed"
    except Impossible:
        return "impossible"
    except (ArithmeticError, LookupError, NameError, TypeError, ValueError) as error:
        return repr(error)


def _outcome(engine: Any, state: Any, seat: int, act: Mapping[str, Any]) -> Any:
    """Return the state after an act, or in a word why there is none."""
    try:
        after = engine.act(state, seat, act)
    except BadAct:
        return "not even an act"
    except Crash as error:
        return "crashed" if "the engines disagree" not in str(error) else "refused"
    except (ArithmeticError, LookupError, NameError, TypeError, ValueError) as error:
        return repr(error)
    return "refused" if isinstance(after, Refusal) else after


# Random matches -------------------------------------------------------------------------------------------------------


def act_of(pair: Pair, legal: list[dict[str, Any]], chance: Chance) -> tuple[int, dict[str, Any]] | None:
    """Return a random act; one that several seats are offered is seldom chosen."""
    found: list[tuple[int, str, Any]] = []
    by: Counter[str] = Counter(name for acts in legal for name in acts)
    turn = [name for name in by if by[name] == 1]
    for name, action in pair.game.actions.items():
        described = any(parameter.described for parameter in action.parameters)
        for seat, acts in enumerate(legal):
            offered = acts.get(outside(name))
            if offered is not None:
                found += [(seat, outside(name), value) for value in ([offered] if described else offered)]
    if turn and chance.below(SELDOM):
        found = [item for item in found if item[1] in turn]
    if not found:
        return None
    seat, name, value = chance.pick(found)
    action = pair.game.actions[name.replace("-", "_")]
    described = any(parameter.described for parameter in action.parameters)
    return seat, {name: fill_act(action, value, chance) if described else value}


def start_of(machine: Machine, chance: Chance) -> Mapping[str, Any]:
    """Return what stands before a deal, drawn at random, as far as the rules allow."""
    game = machine.game
    for _ in range(12 if game.start.phase else 0):
        given = {name: _value(game.state[variable].type, chance) for name, variable in game.start.given.items()}
        with suppress(BrouError):
            machine.start(given)
            return given
    return {}


def _value(type_: Any, chance: Chance) -> Any:
    match type_:
        case Array(index, element):
            return [_value(element, chance) for _ in range(len(getattr(index, "members", ())) or 1)]
        case Int(low, high):
            return max(low, min(high, chance.pick([chance.below(6), 10 * (chance.below(45) - 14)])))
    members = getattr(getattr(type_, "inner", type_), "members", (0,))
    return chance.pick(members)


def match(pair: Pair, seed: int, decisions: int, tally: Counter[str]) -> None:
    """Play so many decisions at random with both engines, one match after the other."""
    chance = Chance(seed)
    made = 0
    while made < decisions:
        given = start_of(pair.machine, chance) if chance.below(2) else {}
        begun = pair.begin(given)
        if isinstance(begun, str):
            tally[f"{begun} at the beginning"] += 1
            return
        state, other = begun
        step: object = {"start": given}
        seen: list[dict[str, Any]] = []
        before = made
        while made < decisions:
            made += 1
            if pair.crashes(state, other):
                tally["crashed"] += 1
                break
            legal = pair.same(state, other, step)
            chosen = act_of(pair, legal, chance)
            if chosen is None:
                break
            if seen and not chance.below(5):
                chosen = chance.below(pair.game.seats), chance.pick(seen)
            seen = [*seen[-20:], chosen[1]]
            step = {"by": chosen[0], "act": chosen[1], "seed": seed, "decision": made, "from": state}
            after = pair.act(state, other, *chosen)
            tally[after if isinstance(after, str) else "accepted"] += 1
            if after == "crashed":
                break
            if not isinstance(after, str):
                state, other = after
        if made == before + 1:
            return  # nothing can be done at the beginning, or it crashes


def draw_alike(native: DrawingEngine[Kept], generated: Compiled, seed: int, decisions: int) -> int:
    """Play random acts of one seed with the engine in C and with generated code; return how many were made alike.

    After each, state and offers must have the same fingerprint, which the engine in C makes itself.
    """
    stream, chance = native.open_stream(seed), Chance(seed)
    state, other = native.begin(), generated.begin()
    seats, made = range(native.game.seats), 0
    for number in range(decisions):
        try:
            legal = [generated.legal(other, seat) for seat in seats]
        except Crash:
            return _crash_alike(native, partial(native.digest, state), made)
        if native.digest(state) != digest(native.game, generated.decode_state(other), legal):
            raise Disagreement(f"{native.game.id}: other states or offers after {number} random acts of seed {seed}")
        try:
            drawn = step(generated, other, chance)
        except Crash:
            return _crash_alike(native, partial(native.step, state, stream), made)
        if native.step(state, stream) != (drawn is not None):
            raise Disagreement(f"{native.game.id}: one engine may do nothing after {number} acts of seed {seed}")
        made += drawn is not None
        if drawn is None:
            state, other = native.begin(), generated.begin()
    return made


def _crash_alike(native: DrawingEngine[Kept], ask: Callable[[], object], made: int) -> int:
    """Return how many acts were made before generated code crashed, as the other engine must too."""
    try:
        ask()
    except Crash:
        return made
    raise Disagreement(f"{native.game.id}: after {made} random acts generated code alone crashes")


# Scenarios ------------------------------------------------------------------------------------------------------------


def replay(pair: Pair, script: Script, tally: Counter[str], *, closely: bool) -> None:
    """Go through a scenario with both engines; if not `closely`, offers are compared at its questions and its end."""
    try:
        state = begin(pair.machine, script.start)
    except BrouError:
        tally["scenarios that do not begin under these readings"] += 1
        return
    other = pair.compiled.encode_state(state)
    if not agreed(pair, state, other, {"scenario": script.scenario.id}, tally):
        return
    for item in script.steps:
        if item.verb != "act":
            continue
        by, act = int(str(item.message["by"])), item.message["act"]
        assert isinstance(act, dict)
        after = pair.act(state, other, by, act)
        step = {"scenario": script.scenario.id, "step": item.id, "by": by, "act": act, "from": state}
        tally[f"{after if isinstance(after, str) else 'accepted'} in scenarios"] += 1
        if not isinstance(after, str):
            state, other = after
            if not (closely or item.named):
                pair.same_state(state, other, step)
            elif not agreed(pair, state, other, step, tally):
                return
    agreed(pair, state, other, {"scenario": script.scenario.id, "step": "the end"}, tally)


def agreed(pair: Pair, state: State, other: Any, step: object, tally: Counter[str]) -> bool:
    """Compare where both are and what is offered there; say whether a scenario can go on, mutants may crash."""
    if pair.sound and pair.crashes(state, other):
        tally["crashed in scenarios"] += 1
        return False
    pair.same(state, other, step)
    return True


@lru_cache(maxsize=32)
def scripts(base: Choice) -> tuple[Script, ...]:
    """Return the scenarios of an edition and set-up, spelt out under its own readings or those that each is for."""
    first = next(iter(book(base.game).editions[base.edition].setups))
    found: list[Script] = []
    for one in corpus.scenarios(base.game):
        fits = not one.editions or base.edition in one.editions
        if fits and base.setup in (one.setups or (first,)):
            with suppress(BrouError):
                found.append(spell(one, with_readings(base, one.premise)))
    return tuple(found)


# Rule bases -----------------------------------------------------------------------------------------------------------


def singles(choice: Choice) -> Iterator[Choice]:
    """Yield a rule base with each reading that it leaves open changed, one at a time."""
    for key, value in _others(choice):
        with suppress(Impossible):
            yield with_readings(choice, {key: value})


def pairs(choice: Choice) -> Iterator[Choice]:
    """Yield a rule base with two readings changed that meet in one table, function, action or phase."""
    readings = book(choice.game).readings
    for (key, value), (other, second) in combinations(_others(choice), 2):
        if key != other and _meet(readings[key].patch(value), readings[other].patch(second)):
            with suppress(Impossible):
                yield with_readings(choice, {key: value, other: second})


def _others(choice: Choice) -> list[tuple[str, str]]:
    """Return every value of every reading that a rule base does not have."""
    readings, own = book(choice.game).readings, dict(choice.readings)
    found: list[tuple[str, str]] = []
    for key, value in own.items():
        reading = readings[key]
        values = list(reading.values)
        if reading.number is not None:
            low, high, _ = reading.number
            values = [str(number) for number in (low, int(value) + 1) if low <= number <= high]
        found += [(key, one) for one in values if one != value]
    return found


def _meet(one: Iterable[Patch], two: Iterable[Patch]) -> bool:
    """Say whether two lists of patches change the same record."""
    return bool({patch.at[:2] for patch in one} & {patch.at[:2] for patch in two})


def damaged(game: str, count: int, seed: int) -> list[tuple[Choice, Mutant]]:
    """Return so many mutants of a game, of each of its editions and set-ups as many as of any other."""
    bases = spread(game)
    shares = [count // len(bases) + (place < count % len(bases)) for place in range(len(bases))]
    return [
        (base, mutant)
        for place, (base, share) in enumerate(zip(bases, shares, strict=True))
        for mutant in sample_mutants(list_mutants(patch_rules(base)), share, seed + place)
    ]


# The whole ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Work:
    """One rule base, so many decisions in random matches of it, and each so-many-th scenario (0: none)."""

    choice: Choice
    mutant: Mutant | None
    decisions: int
    every: int = 1
    in_c: bool = False
    as_data: bool = False


def worked(work: Work) -> tuple[str, Counter[str]]:
    """Compare the engines on one rule base; return its name and what was done."""
    choice, mutant = work.choice, work.mutant
    tally: Counter[str] = Counter()
    readings = ",".join(f"{key}={value}" for key, value in choice.readings)
    name = f"{choice} with {mutant.id}" if mutant else f"{choice}[{readings}]"
    try:
        game = load_mutant(choice, mutant) if mutant else rules(choice)
    except Unusable:
        return name, Counter({"mutants that are no rules": 1})
    pair = Pair.of(game, name, rules(choice) if mutant else None)
    match(pair, 1, work.decisions, tally)
    if work.in_c:
        _play_beside(Pair.in_c(game, name), work.decisions, tally, "in C")
    if work.as_data:
        _play_beside(Pair.as_data(game, name), work.decisions, tally, "as data")
    own = choice == choose(str(choice)) and not mutant
    for script in scripts(choose(str(choice)))[:: work.every] if work.every else ():
        replay(pair, script, tally, closely=own)
    if pair.sound is None:
        tally["rule bases"] += 1
    else:
        for seed in range(2, PATIENCE + 2):
            if not pair.sound.told_apart:
                match(pair, seed, work.decisions, tally)
        tally["mutants"] += 1
        tally["mutants that crash"] += any(count for key, count in tally.items() if "crashed" in key)
        tally["mutants that change what is open or shown, or a state"] += pair.sound.told_apart
    return name, tally


def _play_beside(pair: Pair, decisions: int, tally: Counter[str], how: str) -> None:
    """Compare another engine as generated code is, and its random acts with those of generated code."""
    counted = Counter[str]()
    match(pair, 1, decisions, counted)
    if not any("crashed" in key for key in counted):
        counted["drawn"] = draw_alike(pair.compiled, Compiled(pair.game, keep=False), 1, decisions)
    tally.update({f"{what} {how}": count for what, count in counted.items()})


def all_work(game: str, mutants_: int, decisions: int) -> list[Work]:
    """Return everything that is compared of a game."""
    bases = spread(game)
    in_c = find_compiler() is not None
    found = [Work(base, None, 4 * decisions, in_c=in_c, as_data=in_c) for base in bases]
    for base in bases:
        found += [Work(choice, None, decisions, in_c=in_c, as_data=in_c) for choice in singles(base)]
        found += [Work(choice, None, decisions, as_data=in_c) for choice in pairs(base)]
    return found + [
        Work(base, mutant, 2 * decisions, in_c=in_c and not place % COMPILED, as_data=in_c)
        for place, (base, mutant) in enumerate(damaged(game, mutants_, 1))
    ]


def main() -> int:
    """Compare what the command line asks for; 0 if the engines agree throughout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=100, help="so many valid or invalid ones a game")
    parser.add_argument("--decisions", type=int, default=100, help="in random matches of each rule base")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("games", nargs="*")
    options = parser.parse_args()
    for game in options.games or catalogue():
        begun, total, idle = time.perf_counter(), Counter[str](), list[str]()
        with ProcessPoolExecutor(options.jobs) as pool:
            for name, tally in pool.map(worked, all_work(game, options.mutants, options.decisions), chunksize=8):
                total += tally
                if tally["mutants"] and not tally["mutants that change what is open or shown, or a state"]:
                    idle.append(name)
        print(f"{game}: the engines agree; {time.perf_counter() - begun:.0f} s")
        print(*(f"  {count:>7} {what}" for what, count in sorted(total.items())), sep="\n")
        print(*(f"  never told from the rules without it: {name}" for name in idle), sep="\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
