"""From the nodes of a rules file to a typed game, all faults collected before any is raised."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from brou.primitives import BUILTINS
from brou.errors import Fault, Invalid, Place
from brou.expression import Names, Scope, Signature, element_of, parse
from brou.material import Faults, Material, gather, param_expression, read_type
from brou.patch import identity
from brou.source import Node
from brou.syntax import (
    Action,
    Argument,
    Case,
    Effect,
    Expression,
    Function,
    Game,
    Parameter,
    Phase,
    Row,
    Show,
    Start,
    Table,
)
from brou.types import BOOL, CARDS, PILE, Domain, Int, Option, Orders, Subsets, Type, fits, join, within

CELL_OPERATORS = 3


def load(rules: Node, codes: Mapping[str, str] | None = None) -> Game:
    """Type a whole rules file (of the right shape); raise `Invalid` with every fault found."""
    faults = Faults()
    material = gather(rules, faults)
    if faults.found:
        raise Invalid(faults.found)
    return _Loader(rules, material, faults, codes or {}).game()


@dataclass(frozen=True, slots=True)
class _Callable:
    signature: Signature
    record: Function | Table


class _Loader:
    """Types the rules over the material; each method reads one kind of record."""

    def __init__(self, rules: Node, material: Material, faults: Faults, codes: Mapping[str, str]) -> None:
        self.rules = rules
        self.material = material
        self.faults = faults
        self.codes = codes
        self.bodies = {**self._section("functions"), **self._section("tables")}
        self.done: dict[str, _Callable | None] = {}
        self.open: list[str] = []
        world = material.world
        self.player = world.types["player"]
        self.scope = Scope(
            Names(
                world=world,
                constants=material.constants,
                state={name: variable.type for name, variable in material.state.items()},
                params={name: param_expression(param) for name, param in material.params.items()},
                attributes={name: material.reach(a) for name, a in material.attributes.items()},
                domains=material.domains,
                callable=self._signature,
                known=self._known,
            )
        )

    def game(self) -> Game:
        material = self.material
        self.action_names = tuple(self._section("actions"))
        for name, node in self.bodies.items():
            self._signature(name, node.place)
        records = {name: done.record for name, done in self.done.items() if done}
        actions = self.faults.each(self._section("actions"), self._action)
        phases = self.faults.each(self._section("phases"), self._phase)
        self._check_flow(phases)
        game = Game(
            id=self.rules.string("game"),
            seats=material.world.seats,
            teams=material.world.teams,
            deck=material.deck,
            types=material.world.types,
            attributes=material.attributes,
            params=material.params,
            scopes=material.scopes,
            state=material.state,
            functions={name: record for name, record in records.items() if isinstance(record, Function)},
            tables={name: record for name, record in records.items() if isinstance(record, Table)},
            actions=actions,
            phases=phases,
            view=tuple(self._shows("view", self.scope.bind("me", self.player))),
            score=tuple(self._shows("score", self.scope)),
            invariants=self.faults.each(self._section("invariants"), self._invariant),
            start=self._start(phases),
            codes=self.codes,
        )
        self._check_clauses(game)
        if self.faults.found:
            raise Invalid(self.faults.found)
        return game

    def _section(self, name: str) -> dict[str, Node]:
        node = self.rules.get(name)
        return {} if node is None else node.fields

    def _known(self) -> Iterable[str]:
        material = self.material
        return [*self.bodies, *material.state, *material.params, *material.constants, *material.domains]

    # Functions and tables -----------------------------------------------------

    def _signature(self, name: str, place: Place) -> Signature | None:
        if name in self.done:
            done = self.done[name]
            return done.signature if done else Signature((), BOOL)
        if name not in self.bodies:
            return None
        if name in self.open:
            chain = " -> ".join([*self.open[self.open.index(name) :], name])
            raise Invalid([Fault(place, f"{name} calls itself: {chain}", "nothing in a rules file is recursive")])
        self.open.append(name)
        self.done[name] = None
        node = self.bodies[name]
        built: _Callable | None = None
        with self.faults.collecting():
            del self.done[name]
            built = self._table(name, node) if node.get("rows") else self._function(name, node)
        self.open.pop()
        self.done[name] = built
        return built.signature if built else Signature((), BOOL)

    def _heads(self, node: Node) -> tuple[tuple[Argument, ...], Scope, tuple[Expression, ...]]:
        arguments = tuple(Argument(name, self._type(type_)) for name, type_ in (_fields(node, "args")).items())
        scope = self.scope
        for argument in arguments:
            if argument.name in (*self.material.state, *self.material.constants, *self.material.params):
                self.faults.add(node.place, f"the argument {argument.name!r} hides a name of the game", "rename it")
            scope = scope.bind(argument.name, argument.type)
        requires, scope = self._promises(node, scope)
        return arguments, scope, requires

    def _promises(self, node: Node, scope: Scope) -> tuple[tuple[Expression, ...], Scope]:
        """Read what a record requires, and the scope in which it holds."""
        requires: list[Expression] = []
        for condition in _listed(node.get("require")):
            requires.append(self._condition(condition, scope))
            scope = scope.knowing(requires[-1])
        return tuple(requires), scope

    def _function(self, name: str, node: Node) -> _Callable:
        arguments, scope, requires = self._heads(node)
        body = parse(node.fields["is"], scope)
        type_ = self._result(node.fields["type"], body, f"the function {name}")
        record = Function(name, arguments, type_, body, requires, node.string("clause"), _say(node), node.place)
        return _Callable(Signature(arguments, type_), record)

    def _result(self, declared: Node, body: Expression, what: str) -> Type:
        """Return the type a record declares, with the bounds found where it says `int` alone."""
        wanted = self._type(declared)
        if isinstance(wanted, Int) and str(wanted) == "int" and isinstance(body.type, Int):
            return body.type
        if not fits(body.type, wanted):
            maybe = "write the type with `?`" if fits(body.type, Option(wanted)) else ""
            raise Invalid([Fault(body.place, f"{what} is declared {wanted} and gives {body.type}", maybe)])
        if isinstance(wanted, Int) and not within(body.type, wanted):
            raise Invalid([Fault(body.place, f"{what} is declared {wanted} and can give {body.type}")])
        return wanted

    def _table(self, name: str, node: Node) -> _Callable:
        arguments, scope, requires = self._heads(node)
        policy = node.string("policy")
        clause = node.string("clause")
        rows: list[Row] = []
        for item in node.fields["rows"].items:
            row = self._row(item, scope, policy, clause)
            rows.append(row)
            if policy == "first" and row.when is not None:
                scope = scope.knowing(row.when, holds=False)
        self._check_rows(node, policy, rows)
        type_ = rows[0].then.type
        for row in rows[1:]:
            both = join(type_, row.then.type)
            if both is None:
                raise Invalid([Fault(row.place, f"the row gives {row.then.type}, the rows before it {type_}")])
            type_ = both
        whole = replace(rows[-1].then, type=type_)
        type_ = self._result(node.fields["type"], whole, f"the table {name}")
        record = Table(name, arguments, type_, policy, tuple(rows), requires, clause, _say(node), node.place)
        return _Callable(Signature(arguments, type_), record)

    def _row(self, node: Node, scope: Scope, policy: str, clause: str) -> Row:
        when, then = node.get("when"), node.get("then")
        if when is None:
            if policy == "unique":
                raise Invalid([Fault(node.place, "a row without `when` in a `unique` table", "state its condition")])
            result = node.get("else")
            if result is None:
                raise Invalid([Fault(node.place, "a row needs `when` and `then`, the last one `else`")])
            return self._made_row(node, None, parse(result, scope), clause)
        if then is None:
            raise Invalid([Fault(node.place, "a row with `when` needs `then`")])
        condition = self._condition(when, scope)
        if (operators := _operators(condition)) > CELL_OPERATORS:
            self.faults.add(when.place, f"{operators} operators in one cell", "name a part of it as a function")
        return self._made_row(node, condition, parse(then, scope.knowing(condition)), clause)

    def _made_row(self, node: Node, when: Expression | None, then: Expression, clause: str) -> Row:
        return Row(node.string("id"), when, then, node.string("clause", clause), node.string("code"), node.place)

    def _check_rows(self, node: Node, policy: str, rows: list[Row]) -> None:
        _distinct([(row.id, row.place) for row in rows], "row", self.faults)
        if policy == "first":
            if any(row.then.type != BOOL for row in rows):
                self.faults.add(node.place, "a `first` table decides yes or no", "use `policy: unique` for values")
            ends = [index for index, row in enumerate(rows) if row.when is None]
            if ends != [len(rows) - 1]:
                self.faults.add(node.place, "a `first` table ends with one `else` row", "write `{id: ..., else: ...}` last")

    # Actions and phases -------------------------------------------------------

    def _action(self, name: str, node: Node) -> Action:
        clause = node.string("clause")
        by = node.fields["by"]
        who = parse(by.fields["who"], self.scope)
        if not isinstance(who.type, Domain) or who.type.element != self.player:
            raise Invalid([Fault(by.place, f"`who` is {who.type}, not seats", "write players, [turn], members(team), ...")])
        scope = self.scope.bind("me", self.player)
        parameters = []
        for id_, item in _fields(node, "params").items():
            parameter = self._parameter(id_, item, scope, clause)
            parameters.append(parameter)
            scope = scope.bind(id_, parameter.type)
        legal = self._condition(node.fields["legal"], scope)
        requires, scope = self._promises(node, scope)
        scope = scope.knowing(legal)
        do, _ = self._effects(node.fields["do"], scope, clause)
        by_clause, by_code = by.string("clause", clause), by.string("code")
        code = node.string("code")
        return Action(name, who, by_clause, by_code, tuple(parameters), legal, requires, do, clause, code, node.place)

    def _parameter(self, name: str, node: Node, scope: Scope, clause: str) -> Parameter:
        if name in (*self.material.state, *self.material.constants, *self.material.params):
            self.faults.add(node.place, f"the parameter {name!r} hides a name of the game", "rename it")
        domain = parse(node.fields["in"], scope)
        type_ = domain.type
        if isinstance(type_, Domain):
            element: Type = type_.element
        elif isinstance(type_, Orders):
            element = PILE
        elif isinstance(type_, Subsets):
            element = CARDS
        elif type_ == CARDS:
            element = self.material.world.types["card"]
        else:
            raise Invalid([Fault(node.place, f"a parameter cannot range over {type_}", "name a set of values")])
        return Parameter(name, element, domain, node.string("clause", clause), node.string("code"), node.place)

    def _phase(self, name: str, node: Node) -> Phase:
        clause = node.string("clause")
        actions = tuple(item.text for item in _listed(node.get("actions")))
        for item in _listed(node.get("actions")):
            if item.text not in self.action_names:
                self.faults.add(item.place, f"unknown action {item.text!r}", f"actions are {', '.join(self.action_names)}")
        do: tuple[Effect, ...] = ()
        steps = node.get("do")
        requires, scope = self._promises(node, self.scope)
        if steps is not None:
            do, leaves = self._effects(steps, scope, clause)
            if not leaves:
                self.faults.add(node.place, f"the phase {name} can end nowhere", "end every path with `goto:`")
        final = node.string("final") == "true"
        if sum((bool(actions), bool(do), final)) != 1:
            self.faults.add(node.place, "a phase has either `actions`, or `do`, or `final: true`")
        return Phase(name, requires, do, actions, final, clause, node.place)

    def _effects(self, node: Node, scope: Scope, clause: str) -> tuple[tuple[Effect, ...], bool]:
        """Read a list of effects; answer also whether every path through it ends in a `goto`."""
        effects: list[Effect] = []
        left = False
        for item in node.items:
            if left:
                self.faults.add(item.place, "nothing happens after a `goto`", "move it before, or leave it out")
                break
            with self.faults.collecting():
                effect, scope, left = self._effect(item, scope, item.string("clause", clause))
                effects.append(effect)
        _distinct([(effect.id, effect.place) for effect in effects], "effect", self.faults)
        return tuple(effects), left

    def _effect(self, node: Node, scope: Scope, clause: str) -> tuple[Effect, Scope, bool]:
        """Read one effect; answer the scope behind it and whether it leaves the phase on every path."""
        form = next((key for key in _FORMS if key in node.fields), None)
        if form is None:
            raise Invalid([Fault(node.place, "an effect of unknown form", f"effects are {', '.join(_FORMS)}")])
        head = node.fields[form]
        made = Effect(identity(node), form, clause, node.place)
        match form:
            case "set" | "add":
                return self._written(made, head, node, scope)
            case "let":
                value = parse(node.fields["be"], scope)
                made = replace(made, name=head.text, value=value)
                return made, scope.bind(head.text, value.type), False
            case "move" | "draw":
                return self._moved(made, head, node, scope)
            case "for":
                return self._repeated(made, head, node, scope, clause)
            case "if" | "cases":
                return self._branched(made, node, scope, clause)
            case "reset":
                return self._reset(made, head, scope)
            case _:
                if head.text not in self._section("phases"):
                    self.faults.add(head.place, f"unknown phase {head.text!r}", f"phases are {', '.join(self._section('phases'))}")
                return replace(made, name=head.text), scope, True

    def _written(self, made: Effect, head: Node, node: Node, scope: Scope) -> tuple[Effect, Scope, bool]:
        target = self._target(head, scope)
        value = parse(node.fields["to" if made.op == "set" else "by"], scope)
        if made.op == "add" and not (isinstance(target.type, Int) and isinstance(value.type, Int)):
            raise Invalid([Fault(node.place, f"{value.type} cannot be added to {target.type}", "add numbers to numbers")])
        if not fits(value.type, target.type):
            hint = "test it for None first" if fits(value.type, Option(target.type)) else ""
            raise Invalid([Fault(node.place, f"{value.type} cannot be kept in {head.text}, which is {target.type}", hint)])
        made = replace(made, target=target, value=value)
        after = scope.forgetting(_variable(target))
        same = Expression("compare", BOOL, (target, value), name="==")
        return made, after.knowing(same) if not _uses(value, _variable(target)) else after, False

    def _moved(self, made: Effect, head: Node, node: Node, scope: Scope) -> tuple[Effect, Scope, bool]:
        value = parse(head, scope)
        source, target = self._target(node.fields["from"], scope), self._target(node.fields["to"], scope)
        wanted: tuple[Type, ...] = (CARDS,) if made.op == "move" else (PILE,)
        good = value.type == CARDS if made.op == "move" else isinstance(value.type, Int)
        if not good or source.type not in wanted or target.type not in (CARDS, PILE):
            form = "move: cards, from: cards, to: cards" if made.op == "move" else "draw: number, from: pile, to: cards"
            raise Invalid([Fault(node.place, f"{made.op} of {value.type} from {source.type} to {target.type}", form)])
        made = replace(made, value=value, source=source, target=target)
        return made, scope.forgetting(_variable(source)).forgetting(_variable(target)), False

    def _repeated(self, made: Effect, head: Node, node: Node, scope: Scope, clause: str) -> tuple[Effect, Scope, bool]:
        domain, inside = self._ranging(head.text, node.fields["in"], scope)
        for name in _writes(node.fields["do"]):
            inside = inside.forgetting(name)
        body, left = self._effects(node.fields["do"], inside, clause)
        if left or _leaves(body):
            self.faults.add(node.place, "a `goto` inside `for`", "decide after the loop")
        for effect_name in _writes(node.fields["do"]):
            scope = scope.forgetting(effect_name)
        return replace(made, name=head.text, value=domain, body=body), scope, False

    def _branched(self, made: Effect, node: Node, scope: Scope, clause: str) -> tuple[Effect, Scope, bool]:
        cases: list[Case] = []
        remaining, lefts, closed = scope, [], False
        for id_, item, condition, steps in _branches(node):
            when = self._condition(condition, remaining) if condition is not None else None
            inside = remaining if when is None else remaining.knowing(when)
            own = item.string("clause", clause) if "when" in item.fields or "else" in item.fields else clause
            body, left = self._effects(steps, inside, own)
            cases.append(Case(id_, when, body, own, item.place))
            lefts.append(left)
            closed = closed or when is None
            if when is not None:
                remaining = remaining.knowing(when, holds=False)
        _distinct([(case.id, case.place) for case in cases], "case", self.faults)
        after = scope
        going = [case for case, left in zip(cases, lefts, strict=True) if not left]
        if not closed or not going:
            after = remaining if all(lefts) else scope
        for case in going:
            for name in _written_names(case.body):
                after = after.forgetting(name)
        return replace(made, op="cases", cases=tuple(cases)), after, closed and all(lefts)

    def _reset(self, made: Effect, head: Node, scope: Scope) -> tuple[Effect, Scope, bool]:
        scopes = self.material.scopes
        if head.text not in scopes:
            self.faults.add(head.place, f"unknown scope {head.text!r}", f"scopes are {', '.join(scopes)}")
        else:
            inner = scopes[scopes.index(head.text) :]
            for name, variable in self.material.state.items():
                if variable.scope in inner:
                    scope = scope.forgetting(name)
        return replace(made, name=head.text), scope, False

    # Small things -------------------------------------------------------------

    def _type(self, node: Node) -> Type:
        return read_type(node, self.material.world.types, self._bound, self.faults)

    def _bound(self, text: str, place: Place) -> int:
        value = self.material.params[text].value if text in self.material.params else text
        try:
            return int(value)  # type: ignore[arg-type]  # a list is refused below
        except (TypeError, ValueError):
            self.faults.add(place, f"{text!r} is no number", "bounds are numbers or names of numbers in params")
            return 0

    def _ranging(self, name: str, node: Node, scope: Scope) -> tuple[Expression, Scope]:
        """Read what a name ranges over; answer it with the scope in which the name is bound."""
        domain = parse(node, scope)
        element = element_of(domain.type, self.material.world.types["card"])
        if element is None:
            raise Invalid([Fault(node.place, f"`{node.text}` is {domain.type}, nothing to range over")])
        return domain, scope.bind(name, element)

    def _condition(self, node: Node, scope: Scope) -> Expression:
        expression = parse(node, scope)
        if expression.type != BOOL:
            raise Invalid([Fault(node.place, f"a condition is needed, this is {expression.type}")])
        return expression

    def _target(self, node: Node, scope: Scope) -> Expression:
        expression = parse(node, scope)
        base = expression
        while base.op == "index":
            base = base.parts[0]
        if base.op != "state":
            raise Invalid([Fault(node.place, f"`{node.text}` cannot be written", "write to a variable of the state")])
        whole = expression.parts[0].type.element if expression.op == "index" else self.material.state[base.name].type  # type: ignore[attr-defined]  # noqa: E501 - what is indexed is an array
        return replace(expression, type=whole)

    def _invariant(self, name: str, node: Node) -> Expression:
        return self._condition(node, self.scope)

    def _shows(self, section: str, scope: Scope) -> Iterator[Show]:
        for name, node in self._section(section).items():
            with self.faults.collecting():
                yield self._show(name, node, scope)

    def _show(self, name: str, node: Node, scope: Scope) -> Show:
        if not isinstance(node.value, dict):
            return Show(name, parse(node, scope))
        fields = node.fields
        if "show" not in fields:
            return Show(name, None, tuple(self._show(key, member, scope) for key, member in fields.items()))
        each, domain, when, seen = "", None, None, None
        flat = node.string("flat") == "true"
        if "seen" in fields:
            seen = self._condition(fields["seen"], scope)
        if "each" in fields:
            each = fields["each"].text
            domain, scope = self._ranging(each, fields["in"], scope)
        if "when" in fields:
            when = self._condition(fields["when"], scope)
            scope = scope.knowing(when)
        inner = self._show(name, fields["show"], scope)
        level, clause = node.string("level", "may"), node.string("clause")
        return Show(name, None, (), inner, each, flat, domain, when, seen, level, clause)

    def _start(self, phases: Mapping[str, Phase]) -> Start:
        node = self._section("start")
        if not node:
            return Start("", {}, "")
        given = {name: variable.text for name, variable in _fields(self.rules.fields["start"], "given").items()}
        for name, variable in given.items():
            if variable not in self.material.state:
                self.faults.add(node["given"].place, f"{name} would set {variable!r}, which is no variable")
        phase, deal = node["phase"].text, node["deal"].text
        if phase not in phases:
            self.faults.add(node["phase"].place, f"unknown phase {phase!r}")
        if deal not in self._section("actions"):
            self.faults.add(node["deal"].place, f"unknown action {deal!r}")
        return Start(phase, given, deal)

    def _check_flow(self, phases: Mapping[str, Phase]) -> None:
        """Automatic phases never run in a circle, so that every act ends."""
        ahead = {name: {goto for goto in _gotos(phase.do) if goto in phases and phases[goto].do} for name, phase in phases.items()}
        while loose := [name for name, others in ahead.items() if not others]:
            for name in loose:
                del ahead[name]
            ahead = {name: others - set(loose) for name, others in ahead.items()}
        for name in ahead:
            self.faults.add(phases[name].place, f"the automatic phase {name} can lead back to itself without a decision")

    def _check_clauses(self, game: Game) -> None:
        """Every rule has a clause, its own or an inherited one; only the shared library has none."""
        shared = {item.text for item in _listed(self.rules.get("shared"))}
        records: list[tuple[str, str, Place]] = []
        for group in (game.functions, game.tables, game.actions, game.phases, game.params, game.attributes):
            records += [(name, record.clause, record.place) for name, record in group.items()]  # type: ignore[attr-defined]  # noqa: E501 - all of them have both
        for name, clause, place in records:
            if not clause and name not in shared:
                self.faults.add(place, f"{name} has no clause", "write `clause:` with the id of the clause it carries out")


_FORMS = ("set", "add", "let", "move", "draw", "for", "if", "cases", "reset", "goto")


def _fields(node: Node, key: str) -> dict[str, Node]:
    member = node.get(key)
    return {} if member is None else member.fields


def _listed(node: Node | None) -> tuple[Node, ...]:
    if node is None or node.value is None:
        return ()
    return node.items if isinstance(node.value, tuple) else (node,)


def _say(node: Node) -> dict[str, str]:
    return {language: text.text for language, text in _fields(node, "say").items()}


def _operators(expression: Expression) -> int:
    """Count the operators of a cell; what is inside a called function does not count."""
    own = expression.op in ("and", "or", "not", "compare", "arithmetic", "if")
    extra = len(expression.parts) - 2 if expression.op in ("and", "or") else 0
    return own + extra + sum(_operators(part) for part in expression.parts)


def _distinct(ids: Iterable[tuple[str, Place]], kind: str, faults: Faults) -> None:
    seen: set[str] = set()
    for id_, place in ids:
        if id_ in seen:
            faults.add(place, f"a second {kind} {id_!r}", f"give each {kind} an `id:` of its own")
        seen.add(id_)


def _variable(target: Expression) -> str:
    while target.op == "index":
        target = target.parts[0]
    return target.name


def _uses(expression: Expression, variable: str) -> bool:
    here = expression.op == "state" and expression.name == variable
    return here or expression.op == "call" or any(_uses(part, variable) for part in expression.parts)


def _branches(node: Node) -> Iterator[tuple[str, Node, Node | None, Node]]:
    """Yield id, node, condition and effects of every branch of an `if` or `cases`."""
    if "if" in node.fields:
        yield "then", node, node.fields["if"], node.fields["then"]
        otherwise = node.get("else")
        if otherwise is not None:
            yield "else", node, None, otherwise
        return
    for item in node.fields["cases"].items:
        yield item.string("id"), item, item.get("when"), item.fields["do"]


def _writes(node: Node) -> set[str]:
    """Return the variables that a list of effects may write, read off before it is typed."""
    found: set[str] = set()
    for item in node.items:
        for key in ("set", "add", "from", "to"):
            if key in item.fields and isinstance(item.fields[key].value, str):
                found.add(item.fields[key].text.split("[")[0].strip())
        for key in ("do", "then", "else"):
            if key in item.fields and isinstance(item.fields[key].value, tuple):
                found |= _writes(item.fields[key])
        if "cases" in item.fields:
            for case in item.fields["cases"].items:
                found |= _writes(case.fields["do"])
    return found


def _written_names(body: Iterable[Effect]) -> set[str]:
    found: set[str] = set()
    for effect in body:
        found |= {_variable(target) for target in (effect.target, effect.source) if target is not None}
        found |= _written_names(effect.body)
        for case in effect.cases:
            found |= _written_names(case.body)
    return found


def _gotos(body: Iterable[Effect]) -> set[str]:
    found: set[str] = set()
    for effect in body:
        found |= {effect.name} if effect.op == "goto" else set()
        found |= _gotos(effect.body)
        for case in effect.cases:
            found |= _gotos(case.body)
    return found


def _leaves(body: Iterable[Effect]) -> bool:
    return bool(_gotos(body))
