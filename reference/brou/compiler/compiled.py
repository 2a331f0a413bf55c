"""The compiled engine: the rules as generated Python, with the answers of the interpreter and many times its speed.

It has the surface of `Machine` for beginning, acting, legal acts, score and view. `act` changes a copy of a state,
`play` the state itself. It cannot explain a refusal; for that it asks the interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias, assert_never

from brou.chance import Chance
from brou.compiler.compiled_sets import cards_in
from brou.compiler.compiled_values import CompiledState, Lowering, Raising, Word, lowering, raising
from brou.compiler.drawing import Act, Bounds, Counting, choose_counted
from brou.compiler.finding import Weighing
from brou.compiler.generated import run_module
from brou.compiler.lowered import Program
from brou.compiler.showing import Showing
from brou.errors import BadAct, Crash
from brou.interpreter.acts import extract_values, single
from brou.interpreter.domains import write_once
from brou.interpreter.machine import Machine, Refusal, State
from brou.language.codec import Json, outside, read, writer
from brou.language.copies import find_face
from brou.language.syntax import Action, Game, Parameter
from brou.language.types import Bool, Int, Value

#: For each phase, what finds how often all its acts count together, and each of them.
Finder: TypeAlias = Mapping[str, Callable[[CompiledState], tuple[int, list[Counting]]]]
#: For each phase, what draws one of all acts that are open.
Drawer: TypeAlias = Mapping[str, Callable[[CompiledState, Chance], Act | None]]

#: An act that is offered: its action, the seat, its values (None if they are described) and, where the last value is
#: one of a set of cards, that set.
Offer: TypeAlias = tuple[str, int, "tuple[Word, ...] | None", "int | None"]


def write_source(game: Game, asked: Sequence[str] = ()) -> str:
    """Return the source text of the module that plays a game; `asked` are functions of the rules to export besides."""
    from brou.compiler.emit_python import emit  # noqa: PLC0415 - only where no code is kept
    from brou.compiler.lower import lower  # noqa: PLC0415 - likewise
    from brou.compiler.optimise import optimise  # noqa: PLC0415 - likewise

    return emit(optimise(lower(game, asked)))


class Compiled:
    """The engine of one game, built once, from the cache unless `keep` is false; `asked` are functions to export."""

    def __init__(self, game: Game, *, keep: bool = True, asked: Sequence[str] = ()) -> None:
        self.game = game
        self._asked, self._keep = tuple(asked), keep
        self.module = run_module(game, self._playing, ("played", *asked), keep=keep)
        self._stages: Mapping[str, Callable[[CompiledState], str]] = self.module["STAGES"]
        self._may: Mapping[str, Callable[..., bool]] = self.module["MAY"]
        self._do: Mapping[str, Callable[..., str | None]] = self.module["DO"]
        self._final = frozenset(name for name, phase in game.phases.items() if phase.final)

    @cached_property
    def finder(self) -> Finder:
        """Return what finds all that is open to anybody, every act counting once."""
        return self.weighing({})

    def weighing(self, weights: Weighing) -> Finder:
        """Return a finder of all open acts that have a weight.

        Weights that need more than a number are exported functions, by name.
        """
        found: Finder = self._finding(weights, draws=False)["FIND"]
        return found

    @cached_property
    def drawer(self) -> Drawer:
        """Return what draws one of all acts that are open to anybody, every act counting once."""
        return self.drawing({})

    def drawing(self, weights: Weighing) -> Drawer:
        """Return a drawer, which draws one of all open acts that have a weight."""
        found: Drawer = self._finding(weights, draws=True)["FIND"]
        return found

    @cached_property
    def _program(self) -> Program:
        """Return the lowered form, which all code is written from that is not kept."""
        from brou.compiler.lower import lower  # noqa: PLC0415 - only where no code is kept

        return lower(self.game, self._asked)

    def _playing(self) -> str:
        from brou.compiler.emit_python import emit  # noqa: PLC0415 - only where no code is kept
        from brou.compiler.optimise import optimise  # noqa: PLC0415 - likewise

        return emit(optimise(self._program))

    def _finding(self, weights: Weighing, *, draws: bool) -> Mapping[str, Any]:
        def write() -> str:
            from brou.compiler.emit_finding import emit_finding  # noqa: PLC0415 - only where no code is kept

            return emit_finding(self._program, weights, draws=draws)

        about = ("drawer" if draws else "finder", *self._asked, *map(str, sorted(weights.items())))
        return run_module(self.game, write, about, keep=self._keep, within=self.module)

    @cached_property
    def machine(self) -> Machine:
        """Return the interpreter of the same rules."""
        return Machine(self.game)

    @cached_property
    def showing(self) -> Showing:
        """Return what answers for score, view and invariants: code of its own, made when it is first asked for."""
        return Showing(self.game, keep=self._keep)

    # Beginning ----------------------------------------------------------------

    def begin(self) -> CompiledState:
        """Return the state in which a match begins."""
        return self._run_automatic_phases(self.module["fresh"]())

    def start(self, given: Mapping[str, object]) -> CompiledState:
        """Return the state before a deal, with the variables that the rules allow to be given."""
        return self.encode_state(self.machine.start(given))

    def _run_automatic_phases(self, state: CompiledState) -> CompiledState:
        """Run automatic phases until somebody must decide or the match is over."""
        stages = self._stages
        while (stage := stages.get(state.PHASE)) is not None:
            state.PHASE = stage(state)
        return state

    # States -------------------------------------------------------------------

    @cached_property
    def _cells(self) -> list[tuple[str, str, Raising, Lowering]]:
        """Return each variable: its name, that in written code, and how its values are raised and lowered."""
        names: Sequence[str] = self.module["State"].__slots__[1:]
        return [
            (name, written, raising(v.type, self.game.deck), lowering(v.type, self.game.deck))
            for (name, v), written in zip(self.game.state.items(), names, strict=True)
        ]

    def decode_state(self, state: CompiledState) -> State:
        """Return the state of the interpreter that equals a state."""
        return State(state.PHASE, tuple(up(getattr(state, written)) for _, written, up, _ in self._cells))

    def encode_state(self, state: State) -> CompiledState:
        """Return the encoded form of a state of the interpreter."""
        made: CompiledState = self.module["fresh"]()
        made.PHASE = state.phase
        for (_, written, _, down), value in zip(self._cells, state.values, strict=True):
            setattr(made, written, down(value))
        return made

    def get(self, state: CompiledState, variable: str) -> Value:
        """Return the value of a variable, as the interpreter represents it."""
        return next(up(getattr(state, written)) for name, written, up, _ in self._cells if name == variable)

    def ask(self, name: str) -> Callable[..., Word]:
        """Return an exported function of the rules, from a state and encoded values to an encoded value."""
        function: Callable[..., Word] = self.module[f"rule_{name}"]
        return function

    def ask_number(self, name: str) -> Callable[..., int]:
        """Return an exported function of the rules whose result is a number or a truth value."""
        if not isinstance(self.game.functions[name].type, (Bool, Int)):
            raise Crash(f"{name} gives {self.game.functions[name].type}, no number")
        function: Callable[..., int] = self.module[f"rule_{name}"]
        return function

    def over(self, state: CompiledState) -> bool:
        """Say whether the match has ended."""
        return state.PHASE in self._final

    # Acting -------------------------------------------------------------------

    def act(self, state: CompiledState, seat: int, act: Mapping[str, object]) -> CompiledState | Refusal:
        """Apply an act; return the state after it, or the same refusal as the interpreter."""
        values = self._values(state, seat, act)
        if values is None or not self._open(state, seat, values[0], values[1]):
            refusal = self.machine.act(self.decode_state(state), seat, act)
            if not isinstance(refusal, Refusal):
                raise Crash(f"{self.game.id}: the engines disagree on {dict(act)!r} by {seat}")
            return refusal
        return self.play(state.copy(), seat, values[0], values[1])

    def _open(self, state: CompiledState, seat: int, name: str, values: Sequence[Word]) -> bool:
        return name in self.game.phases[state.PHASE].actions and bool(self._may[name](state, seat, *values))

    def play(self, state: CompiledState, seat: int, name: str, values: Sequence[Word]) -> CompiledState:
        """Apply an open act to the state in place; the values are encoded."""
        phase = self._do[name](state, seat, *values)
        if phase is not None:
            state.PHASE = phase
        return state

    def _values(self, state: CompiledState, seat: int, act: Mapping[str, object]) -> tuple[str, list[Word]] | None:
        """Return the action and the values of an act, or None where it has no such action or value."""
        name, value = single(act)
        action = self.game.actions.get(name)
        if action is None:
            return None
        try:
            read_ = (
                self._pick(state, seat, act)
                if self.game.deck.copies > 1
                else [
                    read(p.type, item, self.game.deck)
                    for p, item in zip(action.parameters, extract_values(action, value), strict=True)
                ]
            )
        except BadAct:
            return None
        return action.id, [down(item) for down, item in zip(self._down(action), read_, strict=True)]

    def _pick(self, state: CompiledState, seat: int, act: Mapping[str, object]) -> list[Value]:
        """Return the values of an act, where it may mean one copy of a card or another."""
        return self.machine.resolve(self.decode_state(state), seat, act)[1][1:]

    def _down(self, action: Action) -> list[Lowering]:
        return [lowering(parameter.type, self.game.deck) for parameter in action.parameters]

    # What is open -------------------------------------------------------------

    def offers(self, state: CompiledState) -> list[Offer]:
        """Return all open acts: by action in the order of the file, by seat, by values."""
        return [(name, seat, values, cards) for _, _, name, seat, values, cards in self.finder[state.PHASE](state)[1]]

    def draw(self, state: CompiledState, chance: Chance, found: Sequence[Counting]) -> Act | None:
        """Return one of the acts that were found, or None if there are none."""
        return choose_counted(chance, sum(size for size, *_ in found), found, state, self.module["BOUNDS"])

    def bounds(self, state: CompiledState, seat: int, name: str) -> tuple[Bounds, ...]:
        """Return the kind of domain of each value of a described act (orders, subsets, range, listed) with bounds."""
        found: tuple[Bounds, ...] = self.module["BOUNDS"][name](state, seat)
        return found

    def write_act(self, name: str, values: Sequence[Word]) -> dict[str, Json]:
        """Return an act as the protocol writes it."""
        action = self.game.actions[name]
        parts = {
            outside(p.id): writer(p.type, self.game.deck)(raising(p.type, self.game.deck)(value))
            for p, value in zip(action.parameters, values, strict=True)
        }
        return {outside(name): (next(iter(parts.values())) if len(parts) == 1 else parts) if parts else True}

    def legal(self, state: CompiledState, seat: int) -> dict[str, Json]:
        """Return the acts that a seat may make: act name -> accepted values, or their description."""
        described: dict[str, Json] = {}
        listed: dict[str, list[Json]] = {}
        for name, by, values, cards in self.offers(state):
            if by == seat and values is None:
                described[name] = self._description(state, seat, self.game.actions[name])
            elif by == seat and values is not None:
                written = (self.write_act(name, each)[outside(name)] for each in expand_offer(values, cards))
                listed.setdefault(name, []).extend(written)
        alike = self.game.deck.copies > 1
        found: dict[str, Json] = {
            **described,
            **{name: write_once(values) if alike else values for name, values in listed.items()},
        }
        return {outside(name): found[name] for name in self.game.phases[state.PHASE].actions if name in found}

    def _description(self, state: CompiledState, seat: int, action: Action) -> Json:
        bounds = self.bounds(state, seat, action.id)
        parts = {outside(p.id): self._describe(p, b) for p, b in zip(action.parameters, bounds, strict=True)}
        return next(iter(parts.values())) if len(parts) == 1 else parts

    def _describe(self, parameter: Parameter, bounds: Bounds) -> Json:
        match bounds:
            case ("orders", cards):
                return {"order": self._codes(cards)}
            case ("subsets", cards, low, high):
                return {"from": self._codes(cards), "min": low, "max": high}
            case ("range", low, high):
                return {"min": low, "max": high}
            case ("listed", values):
                write, up = writer(parameter.type, self.game.deck), raising(parameter.type, self.game.deck)
                listed = cards_in(values) if isinstance(values, int) else values
                return write_once(write(up(value)) for value in listed)
            case _:
                assert_never(bounds)

    def _codes(self, cards: int) -> list[Json]:
        """Return the cards of a set as they go over the wire."""
        return [find_face(card) for place, card in enumerate(self.game.deck.cards) if cards >> place & 1]

    # What is shown ------------------------------------------------------------

    def score(self, state: CompiledState) -> dict[str, Json]:
        """Return the accounts and results, which are the same for every seat."""
        return self.showing.score(state)

    def view(self, state: CompiledState, seat: int, only: Collection[str] | None = None) -> dict[str, Json]:
        """Return the view of a seat, as the interpreter shows it; with `only`, just the phase and these keys."""
        self.game.check_seat(seat)
        return self.showing.view(state, seat, only)

    def find_broken_invariants(self, state: CompiledState) -> list[str]:
        """Return the invariants that do not hold, and `conservation` if a card is lost or doubled."""
        return self.showing.find_broken_invariants(state)


def expand_offer(values: tuple[Word, ...], cards: int | None) -> Iterator[tuple[Word, ...]]:
    """Yield the values of every act that an offer holds."""
    if cards is None:
        yield values
        return
    while cards:
        card = cards & -cards
        yield (*values, card)
        cards ^= card
