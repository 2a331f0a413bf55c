"""One set of rules, a third party: what the prover's formulas come to is what the interpreter says.

A state of a match, and one of its phase whose variables were drawn anew, are put to both: what every function, table,
invariant and value of score and views gives, who may act, which values lie in the domain of a parameter, what is legal,
where the rules break a promise, and which state an act leads to. Formulas are asked twice: made of what is known, when
they come to a value at once, and made of unknowns, as the prover makes them, that are then found to be so.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any

from identity import Disagreement, damaged, pairs, singles

from brou import Choice, Crash, Machine, Refusal, State, catalogue, rules
from brou.chance import Chance
from brou.compiler.playing import draw_act
from brou.errors import Unusable
from brou.games.catalogue import spread
from brou.games.mutants import Mutant, load_mutant
from brou.language.codec import outside, writer
from brou.language.syntax import Action, Function, Game, Show, Table
from brou.language.tree import Call, Expression, LocalUse
from brou.language.types import Array, Bool, Cards, Domain, Int, Numbers, Option, Orders, Pile, Type, finite
from brou_tools.smt.asking import suppose_legal
from brou_tools.smt.formula import Formula, Truth
from brou_tools.smt.ground import ProofContext
from brou_tools.smt.running import STAYS
from brou_tools.smt.symbols import CardSet, Stack, Symbol, Untranslatable
from brou_tools.smt.symbols import SymbolicChoice as OneOf
from brou_tools.smt.unknown import Model, make_symbol

#: So many values of each act and seat are tried in a state.
TRIED = 12
#: One state in so many is put to formulas of unknowns as well, which are many; so is the first one of each phase.
SELDOM = 40


# Values ---------------------------------------------------------------------------------------------------------------


def some(type_: Type, game: Game, luck: random.Random) -> Any:
    """Return some value of a type."""
    match type_:
        case Option(inner):
            return None if luck.random() < 0.2 else some(inner, game, luck)
        case Array(index, element):
            return tuple(some(element, game, luck) for _ in finite(index) or ())
        case Bool():
            return luck.random() < 0.5
        case Cards():
            return frozenset(luck.sample(game.deck.cards, luck.choice((0, 1, 2, 5))))
        case Pile():
            return tuple(luck.sample(game.deck.cards, luck.choice((0, 1, 2, 5))))
        case Numbers():
            return luck.choice([*_lists(game), ()])
        case Domain():
            return ()
    members = finite(type_)
    if members:
        return luck.choice(members)
    assert isinstance(type_, Int)
    return luck.randint(max(type_.low, -400), min(type_.high, 400))


def _lists(game: Game) -> Iterator[tuple[int, ...]]:
    """Yield the lists of numbers of the data."""
    for param in game.params.values():
        if isinstance(param.value, tuple):
            inner: list[Any] = [one for one in param.value if isinstance(one, tuple)]
            yield from inner or [param.value]


def plain(value: Any) -> Any:
    """Return a value so that what ranges over the same is the same."""
    return tuple(map(plain, value)) if isinstance(value, (tuple, list, range)) else value


def assigned(symbol: Symbol, value: Any) -> Iterator[tuple[str, int]]:
    """Yield what a solver would have to say for an unknown to be a value."""
    match symbol:
        case Formula():
            yield symbol.name, int(value)
        case OneOf(options):
            yield from (pair for member, truth in options.items() for pair in assigned(truth, member == value))
        case CardSet(bits):
            for bit, there in zip(bits, value.bits, strict=True):
                yield from assigned(bit, there)
        case Stack(slots):
            for slot, card in zip(slots, value.slots, strict=True):
                yield from assigned(slot, card)
        case tuple():
            for part, item in zip(symbol, value, strict=True):
                yield from assigned(part, item)


# Asking ---------------------------------------------------------------------------------------------------------------


@dataclass
class Third:
    """The formulas of one game in one state; `unknown`: they are made of what is not known."""

    ground: ProofContext
    state: State
    unknown: bool
    model: Model = field(init=False)

    def __post_init__(self) -> None:
        self.ground = replace(self.ground.copy(), env={}, facts=[], untold=[])
        self.model = Model(self.ground.translator.symbols, {})
        for (name, variable), value in zip(self.game.state.items(), self.state.values, strict=True):
            self.ground.values[name] = self.symbol(name, variable.type, value)

    @property
    def game(self) -> Game:
        """Return the rules."""
        return self.ground.game

    def symbol(self, name: str, type_: Type, value: Any) -> Symbol:
        """Return a value as formulas have it; how many cards a pile has is known."""
        symbols = self.ground.translator.symbols
        if not self.unknown or isinstance(type_, (Domain, Numbers)) or value == ():
            return make_symbol(type_, value, symbols)
        made = (
            Stack(tuple(self.ground.unknowns.of(f"{name}.{n}", self.game.types["card"]) for n in range(len(value))))
            if isinstance(type_, Pile)
            else self.ground.unknowns.of(name, type_)
        )
        self.model.assigned = {**self.model.assigned, **dict(assigned(made, make_symbol(type_, value, symbols)))}
        return made

    def bind(self, locals_: Mapping[str, tuple[Type, Any]]) -> dict[str, Symbol]:
        """Return locals as formulas have them."""
        self.ground.types = {name: type_ for name, (type_, _) in locals_.items()}
        self.ground.env = {name: self.symbol(f"local {name}", *one) for name, one in locals_.items()}
        return self.ground.env

    def crashed(self, noted: Sequence[Truth]) -> bool:
        """Say whether a promise is broken, of those that may be."""
        return any(map(self.model.truth, noted))

    def tell(self, expression: Expression) -> Any:
        """Return what an expression comes to, or that it crashes."""
        self.ground.untold = []
        value = self.ground.tell(expression)
        return "crashed" if self.crashed(self.ground.untold) else self.model.value(expression.type, value)

    def act(self, action: Action) -> State | str:
        """Return the state after an act with these locals, or that it is refused or crashes."""
        ground = self.ground
        ground.facts, ground.assumed, ground.untold = [], [], []
        suppose_legal(ground, action)
        with ground.translator.noting() as noted:
            run = ground.runner().act(action, ground.values, ground.env)
        if self.crashed(ground.untold):
            return "crashed"
        if not all(map(self.model.truth, ground.facts)):
            return "refused"
        if self.crashed([crash.when for crash in noted]):
            return "crashed"
        phase = ", ".join(name for name, when in run.gone.items() if self.model.truth(when))
        values = (self.model.value(variable.type, run.values[name]) for name, variable in self.game.state.items())
        return State(self.state.phase if phase == STAYS else phase, tuple(values))


class Formulas:
    """The interpreter and the formulas of one game, to be asked of any number of states."""

    def __init__(self, choice: Choice, game: Game, name: str) -> None:
        self.name = name
        self.machine = Machine(game)
        self.game = game
        self.ground = ProofContext.around(choice, game)
        self.tally = Counter[str]()

    def all_same(self, states: Iterable[State], luck: random.Random, *, unknown: bool = False) -> None:
        """Raise if formulas come to something else than the interpreter says of some state."""
        for state in states:
            self.same(state, luck, unknown=unknown)

    def same(self, state: State, luck: random.Random, *, unknown: bool = False) -> None:
        """Raise if formulas come to something else than the interpreter says of a state."""
        third = Third(self.ground, state, unknown)
        try:
            records: list[Function | Table] = [*self.game.functions.values(), *self.game.tables.values()]
            for record in records:
                locals_ = {one.name: (one.type, some(one.type, self.game, luck)) for one in record.arguments}
                values = [value for _, value in locals_.values()]
                third.bind(locals_)
                ours = _answered(lambda record=record, values=values: self._called(record.id, state, values))
                given = tuple(LocalUse(one.type, one.name) for one in record.arguments)
                self._agree(state, record.id, values, ours, third.tell(Call(record.type, record.id, given)))
            for expression, locals_ in self._told(state, luck):
                third.bind(locals_)
                frame = self.machine.evaluator.frame(list(locals_))
                values = [value for _, value in locals_.values()]
                meaning = self.machine.evaluator.expression(expression, frame)
                ours = _answered(lambda meaning=meaning, values=values: meaning(state.values, list(values)))
                self._agree(state, f"{expression.place}", values, ours, third.tell(expression))
            for action, locals_ in self._acts(state, luck):
                self._act(third, state, action, locals_)
        except Untranslatable as refused:
            self.tally[f"states with no formula: {refused}"] += 1
        self.tally[f"states of {'unknowns' if unknown else 'what is known'}"] += 1

    def _called(self, name: str, state: State, values: list[Any]) -> Any:
        return self.machine.evaluator.find_callable(name)(state.values, list(values))

    def _agree(self, state: State, what: str, values: Sequence[Any], ours: Any, theirs: Any) -> None:
        ours, theirs = plain(ours), plain(theirs)
        if ours != theirs:
            raise Disagreement(
                f"{self.name}: {what} of {values}: interpreter {ours!r}, formulas {theirs!r}\n  in {state}"
            )
        self.tally["crashes" if ours == "crashed" else "answers"] += 1

    def _told(self, state: State, luck: random.Random) -> Iterator[tuple[Expression, dict[str, tuple[Type, Any]]]]:
        """Yield the expressions of invariants, score and views, with some locals."""
        for holds in self.game.invariants.values():
            yield holds, {}
        for show in self.game.score:
            yield from self._shown(show, state, {}, luck)
        for seat in range(self.game.seats):
            for show in self.game.view:
                yield from self._shown(show, state, {"me": (self.game.types["player"], seat)}, luck)

    def _shown(
        self, show: Show, state: State, locals_: dict[str, tuple[Type, Any]], luck: random.Random
    ) -> Iterator[tuple[Expression, dict[str, tuple[Type, Any]]]]:
        """Yield the expressions of what is shown, those of lists for one element."""
        for one in (show.seen, show.domain):
            if one is not None:
                yield one, locals_
        held = [show.seen] if show.seen is not None else []
        inside = dict(locals_)
        if show.domain is not None:
            values = self._value(show.domain, state, locals_)
            if not values or values == "crashed":
                return
            element = show.domain.type.element if isinstance(show.domain.type, Domain) else self.game.types["card"]
            inside[show.each] = element, luck.choice(sorted(values, key=str))
        if show.when is not None:
            yield show.when, inside
            held.append(show.when)
        if all(self._value(one, state, inside) is True for one in held):
            if show.value is not None:
                yield show.value, inside
            for field_ in (*show.fields, *([show.inner] if show.inner is not None else [])):
                yield from self._shown(field_, state, inside, luck)

    def _value(self, expression: Expression, state: State, locals_: Mapping[str, tuple[Type, Any]]) -> Any:
        meaning = self.machine.evaluator.expression(expression, self.machine.evaluator.frame(list(locals_)))
        return _answered(lambda: meaning(state.values, [value for _, value in locals_.values()]))

    # Acts -------------------------------------------------------------------------------------------------------------

    def _acts(self, state: State, luck: random.Random) -> Iterator[tuple[Action, dict[str, tuple[Type, Any]]]]:
        """Yield acts of the phase with a seat and values: those that lie in the domains, and others."""
        for name in self.game.phases[state.phase].actions:
            action = self.game.actions[name]
            for seat in range(self.game.seats):
                tried = list(islice(self._arguments(action, state, seat, luck), TRIED))
                for values in dict.fromkeys(tried):
                    types = [parameter.type for parameter in action.parameters]
                    named = zip((one.id for one in action.parameters), zip(types, values, strict=True), strict=True)
                    yield action, {"me": (self.game.types["player"], seat), **dict(named)}

    def _arguments(self, action: Action, state: State, seat: int, luck: random.Random) -> Iterator[tuple[Any, ...]]:
        found: list[list[Any]] = []
        locals_: dict[str, tuple[Type, Any]] = {"me": (self.game.types["player"], seat)}
        for parameter in action.parameters:
            values = self._value(parameter.domain, state, locals_)
            beside = some(parameter.type, self.game, luck)
            if values == "crashed":
                found.append([beside])
            elif isinstance(parameter.domain.type, Orders):
                found.append([tuple(luck.sample(sorted(values), len(values)))])
            elif parameter.described and isinstance(parameter.type, Cards):
                cards, low, high = values
                sizes = range(max(0, low - 1), min(len(cards), high + 1) + 1)
                found.append([*(frozenset(luck.sample(sorted(cards), size)) for size in sizes), beside])
            else:
                among = sorted(values, key=str)
                found.append([*luck.sample(among, min(len(among), TRIED)), beside])
            locals_[parameter.id] = parameter.type, found[-1][0]
        yield from product(*found)

    def _act(self, third: Third, state: State, action: Action, locals_: dict[str, tuple[Type, Any]]) -> None:
        seat, *values = (value for _, value in locals_.values())
        deck = self.game.deck
        written = {
            outside(one.id): writer(one.type, deck)(value) for one, value in zip(action.parameters, values, strict=True)
        }
        given = next(iter(written.values()), True) if len(written) < 2 else written
        ours = _answered(lambda: self.machine.act(state, seat, {outside(action.id): given}))
        third.bind(locals_)
        theirs = third.act(action)
        self._agree(state, action.id, [seat, *values], "refused" if isinstance(ours, Refusal) else ours, theirs)
        self.tally["acts that are made" if isinstance(ours, State) else "acts that are not made"] += 1


def _answered(question: Any) -> Any:
    try:
        return question()
    except Crash:
        return "crashed"


# Going through states -------------------------------------------------------------------------------------------------


def shaken(game: Game, state: State, luck: random.Random) -> State:
    """Return a state of the same phase, some of whose variables have other values."""
    values = [
        some(variable.type, game, luck) if luck.random() < 0.3 else value
        for variable, value in zip(game.state.values(), state.values, strict=True)
    ]
    return State(state.phase, tuple(values))


def played(machine: Machine, seed: int, most: int) -> Iterator[State]:
    """Yield so many states of random matches, one match after the other."""
    chance, made = Chance(seed), 0
    while made < most:
        state, before = machine.begin(), made
        while made < most:
            yield state
            made += 1
            move = draw_act(machine, state, chance)
            if move is None:
                break
            after = machine.act(state, *move)
            assert isinstance(after, State)
            state = after
        if made == before + 1:
            return


def compare(formulas: Formulas, seed: int, states: int, every: int = 1) -> Counter[str]:
    """Compare each so-many-th of some states of random matches, and with each one of its phase that was drawn anew."""
    luck, game = random.Random(seed), formulas.game
    phases = set[str]()
    try:
        for number, state in enumerate(played(formulas.machine, seed, states)):
            if number % every and state.phase in phases:
                continue
            first = state.phase not in phases
            phases.add(state.phase)
            for one in (state, shaken(game, state, luck)):
                formulas.same(one, luck)
            if first or not luck.randrange(SELDOM):
                formulas.same(luck.choice((state, one)), luck, unknown=True)
    except Crash:
        formulas.tally["matches that crash"] += 1
    formulas.tally["phases"] = max(len(phases), formulas.tally["phases"])
    return formulas.tally


@dataclass(frozen=True)
class Work:
    """One rule base, and so many states of random matches of it."""

    choice: Choice
    mutant: Mutant | None
    states: int


def worked(work: Work) -> Counter[str]:
    """Compare one rule base; return what was done."""
    choice, mutant = work.choice, work.mutant
    name = f"{choice} with {mutant.id}" if mutant else f"{choice}[{choice.readings}]"
    try:
        game = load_mutant(choice, mutant) if mutant else rules(choice)
    except Unusable:
        return Counter({"mutants that are no rules": 1})
    tally = compare(Formulas(choice, game, name), 1, work.states, 3)
    tally["mutants" if mutant else "rule bases"] += 1
    return tally


def all_work(game: str, mutants_: int, states: int) -> list[Work]:
    """Return everything that is compared of a game."""
    bases = spread(game)
    varied = [choice for base in bases for choice in (*singles(base), *pairs(base))]
    found = [Work(base, None, 4 * states) for base in bases] + [Work(choice, None, states) for choice in varied]
    return found + [Work(base, mutant, states) for base, mutant in damaged(game, mutants_, 1)]


def main() -> int:
    """Compare what the command line asks for; 0 if formulas come to what the interpreter says throughout."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=40, help="so many valid or invalid ones a game")
    parser.add_argument("--states", type=int, default=60, help="of random matches of each rule base")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("games", nargs="*")
    options = parser.parse_args()
    for game in options.games or catalogue():
        begun, total = time.perf_counter(), Counter[str]()
        with ProcessPoolExecutor(options.jobs) as pool:
            for tally in pool.map(worked, all_work(game, options.mutants, options.states), chunksize=4):
                phases = max(total["phases"], tally["phases"])
                total += tally
                total["phases"] = phases
        print(f"{game}: formulas come to what the interpreter says; {time.perf_counter() - begun:.0f} s")
        print(*(f"  {count:>7} {what}" for what, count in sorted(total.items())), sep="\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
