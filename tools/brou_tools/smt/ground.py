"""Proof contexts: one rule base, an unknown state of it, and expressions about both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from brou import Action, Expression, Game, Invalid, Json, Machine, Node, Place, State, patch_rules, rules
from brou import Choice as Rules
from brou.language.context import Context
from brou.language.declarations import Faults, Material, gather, param_expression
from brou.language.expression import parse
from brou.language.scope import Names, Scope, Signature
from brou.language.types import Type, Value
from brou_tools.smt.formula import Forms, Truth
from brou_tools.smt.running import Runner
from brou_tools.smt.solve import LIMIT, Answer, IncrementalSolver, write_smtlib
from brou_tools.smt.symbols import Symbol, Values
from brou_tools.smt.translate import CrashCondition, Translator
from brou_tools.smt.unknown import Model, Unknowns, make_symbol


def _seat(node: Node, game: Game) -> Node:
    """Return a rules file with the seats of a rule base made from it; a damage may be in them."""
    seating = node.fields["seating"]
    place = seating.place
    seats = {"seats": Node(game.seats, place)}
    if "teams" in seating.fields:
        seats["teams"] = Node(tuple(Node(tuple(Node(seat, place) for seat in t), place) for t in game.teams), place)
    return Node({**node.fields, "seating": Node({**seating.fields, **seats}, place)}, node.place)


class ExpressionReader:
    """Reads expressions and types as the rules file of a game would, with more locals in sight."""

    def __init__(self, choice: Rules, game: Game) -> None:
        self.machine = Machine(game)
        node, faults = _seat(patch_rules(choice), game), Faults()
        self.material: Material = gather(node, faults)
        self.context = Context(node, self.material, faults)
        self.game = game
        material = self.material
        self.scope = Scope(
            Names(
                world=material.world,
                constants=material.constants,
                state={name: variable.type for name, variable in game.state.items()},
                params={name: param_expression(param) for name, param in game.params.items()},
                attributes={name: material.reach(a) for name, a in game.attributes.items()},
                domains=material.domains,
                callable=self._signature,
                known=lambda: [*game.functions, *game.tables, *game.state, *game.params],
            )
        )

    def _signature(self, name: str, place: Place) -> Signature | None:  # noqa: ARG002 - the shape that a scope wants
        record = self.game.functions.get(name) or self.game.tables.get(name)
        return Signature(record.arguments, record.type) if record else None

    def type(self, text: str, place: Place) -> Type:
        """Read a type."""
        found = self.context.type(Node(text, place))
        if self.context.faults.found:
            raise Invalid(self.context.faults.found)
        return found

    def read(self, text: str, place: Place, locals_: Mapping[str, Type], knowing: Iterable[Expression]) -> Expression:
        """Read an expression, with some locals, where some conditions are known to hold."""
        scope = self.scope
        for name, type_ in locals_.items():
            scope = scope.bind(name, type_)
        for condition in knowing:
            scope = scope.knowing(condition)
        return parse(Node(text, place), scope)


@dataclass(slots=True, repr=False)
class ProofContext:
    """A rule base with an unknown state; conditions narrow it, and their meaning for absent values is known after."""

    choice: Rules
    game: Game
    words: ExpressionReader
    translator: Translator
    values: Values
    unknowns: Unknowns
    env: dict[str, Symbol] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    assumed: list[Expression] = field(default_factory=list)
    #: What narrows the state further, for one question.
    facts: list[Truth] = field(default_factory=list)
    #: The act that is asked about, if any.
    act: Action | None = None
    #: The promises of the rules that the act may break.
    broken: list[CrashCondition] = field(default_factory=list)
    #: When what is asked about cannot be told, since the interpreter would crash there.
    untold: list[Truth] = field(default_factory=list)
    asker: IncrementalSolver = field(default_factory=IncrementalSolver)
    #: Every variable that was asked about, before or after an act, as it was at first.
    made: dict[str, Symbol] = field(default_factory=dict)

    @classmethod
    def of(cls, choice: Rules, forms: Forms | None = None, given: Mapping[str, Symbol] | None = None) -> ProofContext:
        """Return the rule base of a choice; variables of its state that `given` lacks are unknown."""
        game = rules(choice)
        return cls.around(choice, game, forms, given)

    @classmethod
    def around(
        cls,
        choice: Rules,
        game: Game,
        forms: Forms | None = None,
        given: Mapping[str, Symbol] | None = None,
        whose: str = "",
    ) -> ProofContext:
        """Return a context for a rule base that may be another than that of the choice, as mutants are.

        `whose` sets its unknowns apart from those of the same name in the rules that `given` comes from.
        """
        return cls._with(
            choice,
            ExpressionReader(choice, game),
            Translator(game, Forms() if forms is None else forms),
            given or {},
            whose,
        )

    @classmethod
    def _with(
        cls,
        choice: Rules,
        words: ExpressionReader,
        translator: Translator,
        given: Mapping[str, Symbol],
        whose: str = "",
    ) -> ProofContext:
        game, unknowns, made = words.game, Unknowns(translator.symbols), dict(given)

        def first(name: str) -> Symbol:
            if name not in made:
                made[name] = unknowns.of(name + whose, game.state[name].type)
            return made[name]

        return cls(choice, game, words, translator, Values(first), unknowns, made=made)

    def copy(self) -> ProofContext:
        """Return an independent copy: neither sees the questions of the other, and its solvers are its own."""
        made = self._with(self.choice, self.words, self.translator.copy(), self.made)
        made.values.known.update(self.values.known)
        made.unknowns.facts += self.unknowns.facts
        return replace(
            self.further(),
            translator=made.translator,
            values=made.values,
            unknowns=made.unknowns,
            asker=made.asker,
            made=made.made,
        )

    def afresh(self) -> ProofContext:
        """Return the same rules with a new unknown state."""
        return self._with(self.choice, self.words, self.translator, {})

    @property
    def forms(self) -> Forms:
        """Return where formulas are made."""
        return self.translator.forms

    def runner(self) -> Runner:
        """Return the runner of effects here."""
        return Runner(self.translator)

    # What is asked ----------------------------------------------------------------------------------------------------

    def bind(self, name: str, type_: Type, value: Symbol | None = None) -> None:
        """Give a name to an unknown value, or to one that is given."""
        self.types[name] = type_
        self.env[name] = self.unknowns.of(f"{name} {type_}", type_) if value is None else value

    def read(self, text: str, place: Place) -> Expression:
        """Read an expression about this state."""
        return self.words.read(text, place, self.types, self.assumed)

    def tell(
        self, expression: Expression, values: Values | None = None, env: Mapping[str, Symbol] | None = None
    ) -> Symbol:
        """Return an expression as a symbol here or in another state, and note when it is undefined."""
        values, env = self.values if values is None else values, self.env if env is None else env
        with self.telling():
            return self.translator.expression(expression, values, env)

    @contextmanager
    def telling(self, *, where: Truth = True) -> Iterator[None]:
        """Note when the expressions translated inside are undefined; the caller evaluates them where a truth holds."""
        with self.translator.noting() as noted:
            yield
        self.untold += [self.forms.both(where, crash.when) for crash in noted]

    @property
    def unbroken(self) -> list[Truth]:
        """Return the conditions under which the act in question breaks no promise of the rules."""
        return [self.forms.no(crash.when) for crash in self.broken]

    def say(self, text: str, place: Place) -> Symbol:
        """Return the symbol of an expression here."""
        return self.translator.expression(self.read(text, place), self.values, self.env)

    def suppose(self, text: str, place: Place) -> None:
        """Narrow the state to where a condition holds."""
        condition = self.read(text, place)
        self.facts.append(self.translator.holds(condition, self.values, self.env))
        self.assumed.append(condition)

    def suppose_pack(self) -> None:
        """Narrow the state to where every card of the pack lies in exactly one place."""
        self.facts += self.whole_pack(self.values)

    def whole_pack(self, values: Values) -> list[Truth]:
        """Return for each card of the pack whether it lies in exactly one place of a state."""
        symbols = self.translator.symbols
        found: dict[int, list[Truth]] = {card: [] for card in symbols.cards}
        for name, variable in self.game.state.items():
            if variable.zone:
                for part in values[name] if isinstance(values[name], tuple) else [values[name]]:
                    for card, truth in symbols.lying(part):
                        found[card].append(truth)
        return [self.forms.equal(self.forms.linear((1, one) for one in truths), 1) for truths in found.values()]

    def settle(self) -> None:
        """Take the suppositions so far as known for all later questions."""
        self.unknowns.facts += self.facts
        self.facts.clear()

    def pin(self, name: str, value: Symbol) -> None:
        """Narrow the state to where a variable has a value, and put that value in its place."""
        self.facts.append(self.translator.symbols.equal(self.values[name], value))
        self.values = self.values.copy()
        self.values[name] = value

    def further(self) -> ProofContext:
        """Return the same state for one question; its suppositions stay its own."""
        return replace(
            self,
            env=dict(self.env),
            types=dict(self.types),
            assumed=list(self.assumed),
            facts=list(self.facts),
            act=None,
            broken=[],
            untold=[],
        )

    def ask(self, *wanted: Truth, limit: int = LIMIT) -> Answer:
        """Return whether something can be, given all that is known and supposed."""
        return self.asker.ask(self.unknowns.facts, [*self.facts, *wanted], limit)

    def text(self, *wanted: Truth, closed: bool = False) -> str:
        """Return the same question in SMT-LIB, with closed sums perhaps."""
        return write_smtlib([*self.unknowns.facts, *self.facts, *wanted], closed=closed)

    # What was answered ------------------------------------------------------------------------------------------------

    def position(self, assigned: Mapping[str, int], phase: str = "") -> SolvedPosition:
        """Return the state that an answer describes; variables that no question reached have their first values."""
        model = Model(self.translator.symbols, assigned)
        asked = {**self.made, **self.values.known}
        values = tuple(
            model.value(variable.type, asked[name]) if name in asked else variable.default
            for name, variable in self.game.state.items()
        )
        locals_ = {name: model.value(self.types[name], value) for name, value in self.env.items()}
        return SolvedPosition(self, State(phase or next(iter(self.game.phases)), values), locals_, assigned)


@dataclass(frozen=True, slots=True)
class SolvedPosition:
    """A state that a solver has found, with the values of the question's names in it."""

    ground: ProofContext
    state: State
    locals: Mapping[str, Any]
    #: The answer itself, for other rules that were asked about in the same breath.
    assigned: Mapping[str, int]

    def holds(self, expression: Expression) -> Value:
        """Return the interpreter's value of an expression here."""
        evaluator = self.ground.words.machine.evaluator
        names = list(self.locals)
        meaning = evaluator.expression(expression, evaluator.frame(names))
        return meaning(self.state.values, [self.locals[name] for name in names])

    def plain(self) -> dict[str, Json]:
        """Return the variables that differ from the beginning, and the locals, as JSON."""
        from brou import writer  # noqa: PLC0415 - only where something is told

        game = self.ground.game
        values = {
            name: writer(variable.type, game.deck)(value)
            for (name, variable), value in zip(game.state.items(), self.state.values, strict=True)
            if value != variable.default
        }
        names = {name: writer(self.ground.types[name], game.deck)(value) for name, value in self.locals.items()}
        return {"phase": self.state.phase, "state": values, "given": names}


def at_first(ground: ProofContext, name: str) -> None:
    """Let a variable have its first value."""
    variable = ground.game.state[name]
    ground.values[name] = make_symbol(variable.type, variable.default, ground.translator.symbols)


def fix(ground: ProofContext, name: str, value: Node) -> None:
    """Let a variable have a value, so that nothing is gone through where it is another."""
    ground.values[name] = ground.say(value.text, value.place)


def shorten(ground: ProofContext, name: str, most: Node) -> None:
    """Let an unknown pile have no more than so many cards."""
    ground.values[name] = ground.unknowns.pile(name, ground.say(most.text, most.place))
