"""From the typed rules to the lowered form: constants, cells, routines, acts, stages and what one game shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from brou.compiler import lowered
from brou.compiler.constants import constants
from brou.compiler.cse import share
from brou.compiler.cse_steps import reading
from brou.compiler.kinds import CARD
from brou.compiler.lower_expressions import Expressions
from brou.compiler.lower_kinds import Env, Kinds, cite, element_kind
from brou.compiler.lower_shows import Shows
from brou.compiler.lower_steps import Steps
from brou.compiler.masks import filter_cards, lift_condition
from brou.compiler.memo import LoweringMemo, LoweringReuse
from brou.compiler.naming import Naming, name_act, name_routine
from brou.compiler.term_builder import TermBuilder, there
from brou.dataclass import replace
from brou.language.syntax import Action, Function, Game, Parameter, Phase, Table, Variable
from brou.language.tree import And, BuiltinCall, Call, Expression, LocalUse, walk
from brou.language.types import Named, Option

#: What was lowered lately in this process.
LATELY = LoweringMemo()


def lower(game: Game, asked: Iterable[str] = (), memo: LoweringMemo = LATELY) -> lowered.Program:
    """Lower the playing part of a rule base, with the functions and tables in `asked` exported.

    Records that were lowered before, and would come out alike, are taken from the memo.
    """
    return Lowering(game, memo).program(asked, played=True, shown=False)


def lower_shown(game: Game) -> lowered.Program:
    """Lower the shown part of a rule base: score, view and invariants, without acts and stages."""
    return Lowering(game).program((), played=False, shown=True)


def lower_whole(game: Game, asked: Iterable[str] = (), memo: LoweringMemo = LATELY) -> lowered.Program:
    """Lower a rule base with acts, stages, score, view and invariants."""
    return Lowering(game, memo).program(asked, played=True, shown=True)


class Lowering:
    """Lowers one game, in whole or in part; equal parts are lowered once."""

    def __init__(self, game: Game, memo: LoweringMemo = LATELY) -> None:
        self.game = game
        ground = memo.ground(game)
        self.kinds = Kinds(game)
        self.reuse = LoweringReuse(game, self.kinds, ground)
        self.constants = {constant.name: constant for constant in constants(game)}
        self.terms = TermBuilder(len(game.deck.cards), self.constants, ground.terms)
        self._routines: dict[str, lowered.Routine] = {}
        self.expressions = Expressions(game, self.kinds, self.terms, self.reuse, self.routine)
        self.steps = Steps(self.expressions)
        self.shows = Shows(self.expressions)
        #: The variables that a term reads, whatever it calls included.
        self.reads = reading(lambda name: self.routine(name).body)
        self.player = self.kinds.of(game.types["player"])

    def program(self, asked: Iterable[str], *, played: bool, shown: bool) -> lowered.Program:
        """Return a whole rule base, or the part of it that is played, or the part that is only asked."""
        game, shows = self.game, self.shows
        cells = {name: self._cell(variable) for name, variable in game.state.items()}
        program = lowered.Program(
            game.id, game.seats, game.deck.cards, game.scopes, _members(game), self.constants, cells,
            acts={name: self._act(action) for name, action in game.actions.items()} if played else {},
            stages={name: self._stage(phase) for name, phase in game.phases.items()} if played else {},
            score=Naming(self.terms).keys(shows.score()) if shown else (),
            view=Naming(self.terms, ["me"]).keys(shows.view()) if shown else (),
            invariants=tuple(self._invariants()) if shown else (),
        )  # fmt: skip
        return replace(program, routines=self._gather({*asked, *self._find_called(program)}, {}))

    def _find_called(self, program: lowered.Program) -> Iterator[str]:
        """Yield the routines that acts and stages call directly, and those that are exported."""
        game, once = self.game, self.reuse.once
        for act in program.acts.values():
            yield from once(game.actions[act.name], partial(_calls, lowered.whole_terms([act], [])), "act", "calls")
        for stage in program.stages.values():
            yield from once(
                game.phases[stage.name], partial(_calls, lowered.whole_terms([], [stage])), "stage", "calls"
            )
        yield from _calls(program.asked_terms)

    def _gather(self, names: Iterable[str], found: dict[str, lowered.Routine]) -> dict[str, lowered.Routine]:
        """Add routines to those that were found, each behind those that it calls."""
        for name in sorted(names):
            if name not in found:
                record = self.expressions.record(name)
                calls = self.reuse.once(record, lambda: _calls([self.routine(name).body]), "routine", "calls")  # noqa: B023 - called at once
                self._gather(calls, found)
                found[name] = self.routine(name)
        return found

    def _invariants(self) -> Iterator[lowered.Invariant]:
        for one in self.shows.invariants():
            yield replace(one, holds=Naming(self.terms).term(one.holds))

    def _cell(self, variable: Variable) -> lowered.Cell:
        def make_cell() -> lowered.Cell:
            default = self.expressions.literal(variable.type, variable.default)
            return lowered.Cell(variable.id, self.kinds.of(variable.type), variable.scope, default)

        return self.reuse.once(variable, make_cell, "cell")

    # Routines -----------------------------------------------------------------

    def routine(self, name: str) -> lowered.Routine:
        """Return a function or table as a routine, made when it is first asked for."""
        if name not in self._routines:
            record = self.expressions.record(name)
            self._routines[name] = self.reuse.once(record, lambda: self._routine(record), "routine")
        return self._routines[name]

    def _routine(self, record: Function | Table) -> lowered.Routine:
        env, arguments = Env(), []
        for argument in record.arguments:
            kind = self.kinds.of(argument.type)
            own, env = env.bind(self.terms, argument.name, kind)
            arguments.append((own, kind))
        demands = self.expressions.find_demands(record, env)
        body = self.expressions.body(record, env.knowing(*demands))
        body = share(self.terms, body, [name for name, _ in arguments], demands)
        rows = _rows(record) if isinstance(record, Table) else ()
        made = lowered.Routine(record.id, tuple(arguments), self.kinds.of(record.type), body, cite(record), rows)
        return name_routine(self.terms, made)

    def expression(self, expression: Expression) -> lowered.Term:
        """Lower an expression that is evaluated from outside; its locals are free and keep their names.

        It may have been typed under conditions that do not hold there, so its types are not trusted.
        """
        env = Env(trusted=False)
        for used in walk(expression):
            if isinstance(used, LocalUse) and (used.name not in env.live or isinstance(used.type, Option)):
                env = env.binding(used.name, self.terms.local(used.name, self.kinds.of(used.type)))
        return share(self.terms, self.expressions.term(expression, env), env.live)

    # Acts ---------------------------------------------------------------------

    def _act(self, action: Action) -> lowered.CoreAct:
        return self.reuse.once(action, lambda: name_act(self.terms, self._lower_act(action)), "act")

    def _lower_act(self, action: Action) -> lowered.CoreAct:
        expressions, t = self.expressions, self.terms
        choosing, env, plain = self._bind_parameters(action)
        me = t.local("me", self.player)
        by = expressions.contains(me, action.by, replace(env, values={}))
        described = any(item.form != "listed" for item in choosing)
        legal = self._lower_legal(action.legal, plain)
        offers = (
            self._loop_over_seats(by, choosing, legal)
            if described
            else self._loop_over_values(action, by, choosing, legal, plain)
        )
        do = self.lower_effects(action)
        called = [one.name for one in walk(action.legal) if isinstance(one, Call)]
        asked = {name: self.game.tables[name] for name in called if name in self.game.tables}
        rows = tuple(row for table in asked.values() for row in _rows(table))
        return lowered.CoreAct(action.id, by, tuple(choosing), legal, offers, do, cite(action), rows)

    def _bind_parameters(self, action: Action) -> tuple[list[lowered.ActParameter], Env, Env]:
        """Return the parameters of an act, the locals with its seat alone, and those with its parameters too."""
        _, env = Env().bind(self.terms, "me", self.player)
        choosing, plain = [], env
        for parameter in action.parameters:
            choosing.append(self._choosing(parameter, plain))
            _, plain = plain.bind(self.terms, parameter.id, choosing[-1].kind)
        return choosing, env, plain

    def _choosing(self, parameter: Parameter, env: Env) -> lowered.ActParameter:
        term, kind, name = self.expressions.term, self.kinds.of(parameter.type), env.make_name(parameter.id)
        match parameter.domain:
            case BuiltinCall(name="orders", arguments=(cards,)):
                return lowered.ActParameter(name, kind, "orders", term(cards, env))
            case BuiltinCall(name="subsets", arguments=(cards, low, high)):
                return lowered.ActParameter(name, kind, "subsets", term(cards, env), (term(low, env), term(high, env)))
            case BuiltinCall(name="range", arguments=(low, high)):
                return lowered.ActParameter(name, kind, "range", None, (term(low, env), term(high, env)))
        domain = term(parameter.domain, env)
        return lowered.ActParameter(
            name, element_kind(domain) if kind.form in ("number", "list") else kind, "listed", domain
        )

    def _lower_legal(self, legal: Expression, env: Env) -> lowered.Term:
        """Return what an act needs to be legal, the tables that it names written out, so that each row is a test."""
        expressions = self.expressions
        if isinstance(legal, And):
            return self.terms.both(*(self._lower_legal(condition, env) for condition in legal.conditions))
        if isinstance(legal, Call):
            record = expressions.record(legal.name)
            given = [
                expressions.term(one, env, self.kinds.of(argument.type))
                for one, argument in zip(legal.arguments, record.arguments, strict=True)
            ]
            if not record.requires and all(self.terms.simple(one) for one in given):
                values = {argument.name: one for argument, one in zip(record.arguments, given, strict=True)}
                return expressions.body(record, replace(env, values=values))
        return expressions.term(legal, env)

    def _loop_over_seats(
        self, by: lowered.Term, choosing: Sequence[lowered.ActParameter], legal: lowered.Term
    ) -> tuple[lowered.LoopLevel, ...]:
        """Return the loop over seats of an act whose values are described: each must have one."""
        t = self.terms
        possible = [self._possible(item) for item in choosing]
        return self._levels(by, [], t.both(legal, *possible))

    def _possible(self, item: lowered.ActParameter) -> lowered.Term:
        """Return whether a parameter has any value."""
        t = self.terms
        if item.form == "orders":
            return t.true
        if item.domain is None:
            return t.compare("<=", *item.bounds)
        if item.form == "subsets":
            low, high = item.bounds
            most = t.extreme("min", high, t.size(item.domain))
            return t.compare("<=", t.extreme("max", low, t.count(0)), most)
        if item.kind == CARD and item.domain.kind.form == "set":
            return t.some(item.domain)
        if item.domain.op == "const" and isinstance(item.domain.value, tuple):
            return t.true if item.domain.value else t.false
        return t.compare("!=", t.length(item.domain), t.count(0))

    def _loop_over_values(
        self, action: Action, by: lowered.Term, choosing: Sequence[lowered.ActParameter], legal: lowered.Term, env: Env
    ) -> tuple[lowered.LoopLevel, ...]:
        """Return the loops of an act whose values are listed; a card that comes last is found as a set."""
        last = choosing[-1] if choosing else None
        if last is None or last.domain is None or last.domain.kind.form != "set":
            return self._levels(by, choosing, legal)
        opened = replace(env, opened=frozenset([last.name]))
        legal = self._lower_legal(action.legal, opened)
        tests = legal.parts if legal.op == "and" else (legal,)
        total = legal.total and all(item.domain is not None and item.domain.total for item in choosing)
        if not total:
            return self._levels(by, choosing, self._lower_legal(action.legal, env))
        number = next((place for place, test in enumerate(tests) if last.name in test.free), len(tests))
        cards = lift_condition(self.terms, self.terms.both(*tests[number:]), last.name, last.domain)
        if cards is None:
            plain = self._lower_legal(action.legal, env)
            tests = plain.parts if plain.op == "and" else (plain,)
            number = next((place for place, test in enumerate(tests) if last.name in test.free), len(tests))
            cards = filter_cards(self.terms, self.terms.both(*tests[number:]), last.name, last.domain)
        return self._levels(by, [*choosing[:-1], replace(last, domain=cards)], self.terms.both(*tests[:number]))

    def _levels(
        self, by: lowered.Term, choosing: Sequence[lowered.ActParameter], legal: lowered.Term
    ) -> tuple[lowered.LoopLevel, ...]:
        """Return loops over seats and values with every test as far outside as it can stand."""
        t = self.terms
        tests = list(legal.parts if legal.op == "and" else (legal,))
        domains = [item.domain for item in choosing]
        movable = by.total and legal.total and all(domain is not None and domain.total for domain in domains)
        seat = self._seat(by)
        loops: list[tuple[str, lowered.Kind | None, lowered.Term | None]] = [
            ("", None, None),
            ("me", self.player, seat),
        ]
        loops += [(item.name, item.kind, item.domain) for item in choosing]
        rest = [test for test in ([] if seat.op != "const" else [by]) if test is not t.true] + tests
        levels: list[lowered.LoopLevel] = []
        known: set[str] = set()
        for place, (name, kind, domain) in enumerate(loops):
            known.add(name)
            last = place == len(loops) - 1
            here = _select_ready(rest, known) if movable else [test for test in rest if test is by and name]
            here = rest if last else here
            rest = [test for test in rest if test not in here]
            guard = share(t, t.both(*here), known)
            values = None if domain is None else share(t, domain, known)
            levels.append(lowered.LoopLevel(name, kind, values, () if guard is t.true else (guard,)))
        return tuple(levels)

    def _seat(self, by: lowered.Term) -> lowered.Term:
        """Return the seats that may act: one seat where the rule names it, else all seats, to be tested."""
        t = self.terms
        me = t.local("me", self.player)
        if by.op == "compare" and by.name == "==" and by.total:
            one, two = by.parts
            other = two if one is me else one
            if me in by.parts and "me" not in other.free:
                return other
        return t.const(lowered.Kind("list", element=self.player), tuple(range(self.game.seats)))

    # Stages -------------------------------------------------------------------

    def _stage(self, phase: Phase) -> lowered.Stage:
        do = self.reuse.once(
            phase, lambda: Naming(self.terms).steps(self.lower_effects(phase) if phase.do else ()), "stage"
        )
        ordered = tuple(name for name in self.game.actions if name in phase.actions)
        return lowered.Stage(phase.id, do, ordered, phase.final, cite(phase))

    def lower_effects(self, record: Action | Phase) -> tuple[lowered.Step, ...]:
        """Return the steps of an action or of a phase: the checks of its requirements, then its effects."""
        env = self._bind_parameters(record)[2] if isinstance(record, Action) else Env()
        return (*self.steps.demands(record, env), *self.steps.steps(record.do, env))


def _rows(table: Table) -> tuple[str, ...]:
    return tuple(f"{table.id}/{cite(row)}" for row in table.rows)


def _members(game: Game) -> dict[str, tuple[str, ...]]:
    """Return the names of the members of finite types, those apart that are numbers, and cards."""
    named = {name: type_.members for name, type_ in game.types.items() if isinstance(type_, Named) and name != "card"}
    worded = {name: tuple(one for one in members if isinstance(one, str)) for name, members in named.items()}
    return {name: members for name, members in worded.items() if members}


def _select_ready(tests: Sequence[lowered.Term], known: set[str]) -> list[lowered.Term]:
    """Return the tests that may be made as soon as some locals are known, and need none that must wait."""
    here: list[lowered.Term] = []
    proved: frozenset[lowered.Term] = frozenset()
    for place, test in enumerate(tests):
        if test.free <= known and (place == len(here) or test.needs <= proved):
            here.append(test)
            proved |= there(test)
    return here


def _calls(terms: Iterable[lowered.Term]) -> frozenset[str]:
    """Return the routines that terms call themselves."""
    return frozenset(part.name for part in lowered.every_part(terms) if part.op == "call")
