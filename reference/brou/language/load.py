"""From the nodes of a rules file to a typed game, all faults collected before any is raised."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TypeVar

from brou.dataclass import dataclass, replace
from brou.errors import Fault, Invalid, Place
from brou.language.builtins import BUILTINS
from brou.language.context import Context, distinct, fields
from brou.language.cost import cost_faults
from brou.language.declarations import Faults, param_expression
from brou.language.expression import QUANTIFIERS, parse
from brou.language.memo import Setting, TypingMemo, TypingReuse
from brou.language.node import Node
from brou.language.phases import PhaseReader
from brou.language.scope import Names, Scope, Signature
from brou.language.short_entry import Summaries
from brou.language.skills import SKILLS, Skills
from brou.language.syntax import (
    Action,
    Argument,
    Function,
    Game,
    Parameter,
    Phase,
    Row,
    Show,
    Start,
    Table,
)
from brou.language.tree import And, Arithmetic, Call, Compare, Expression, If, Literal, Not, Or, parts, walk
from brou.language.types import (
    BOOL,
    Array,
    Cards,
    Domain,
    Int,
    Numbers,
    Option,
    Orders,
    Pile,
    Subsets,
    Type,
    fits,
    fits_bounds,
    join,
)

_Record = TypeVar("_Record")

CELL_OPERATORS = 3
LONGEST_CHAIN = 30
DEEPEST = 120


#: What was typed lately in this process.
_LATELY = TypingMemo()


def load_rules(rules: Node, codes: Mapping[str, str] | None = None, memo: TypingMemo = _LATELY) -> Game:
    """Type a whole rules file of the right shape; raise `Invalid` with every fault found, excessive cost included.

    Records that were typed before, and would be typed alike, are taken from the memo.
    """
    faults = Faults()
    setting = memo.setting(rules, faults)
    if faults.found:
        raise Invalid(faults.found)
    try:
        game = _Loader(rules, setting, faults, codes or {}, memo).game()
        faults.found += cost_faults(game, memo.costs)
    except RecursionError as error:
        raise Invalid([_too_deep(rules.place)]) from error
    if faults.found:
        raise Invalid(faults.found)
    return game


def _too_deep(place: Place) -> Fault:
    return Fault(place, f"an expression nested deeper than {DEEPEST}, calls included", "shorten the chain of calls")


@dataclass(frozen=True, slots=True)
class _Callable:
    signature: Signature
    record: Function | Table


class _Loader:
    """Types the rules over the material; each method reads one kind of record."""

    def __init__(
        self, rules: Node, setting: Setting, faults: Faults, codes: Mapping[str, str], memo: TypingMemo
    ) -> None:
        material = setting.material
        self.context = Context(rules, material, faults)
        self.material = material
        self.memo = memo
        self.reuse = TypingReuse(memo, setting, faults, self._signature)
        self.faults = faults
        self.codes = codes
        self.bodies = {**self.context.section("functions"), **self.context.section("tables")}
        self.done: dict[str, _Callable | None] = {}
        self.open: list[str] = []
        self.depths: dict[str, int] = {}
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
                callable=self.reuse.signature,
                known=self._list_names,
            )
        )

    def game(self) -> Game:
        material = self.material
        self._check_names()
        for name, node in self.bodies.items():
            with self.faults.collecting():
                self._signature(name, node.place)
        records = {name: done.record for name, done in self.done.items() if done}
        course = PhaseReader(self.context, self.scope)
        actions = self._records("actions", course.action)
        phases = self._records("phases", course.phase)
        course.check_flow(phases)
        start = self._start(phases)
        actions = self._with_skills(actions, phases, start)
        summaries = Summaries(self.context, course, self.scope)
        summaries.actions.update(actions)
        game = Game(
            id=self.context.rules.string("game"),
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
            invariants=self._records("invariants", self._invariant),
            start=start,
            codes=self.codes,
            phrases=tuple(self._records("phrases", summaries.phrase).values()),
            summary=self._records("summary", summaries.entry, lambda words: _select_actions(actions, words)),
        )
        self._check_clauses(game)
        if self.faults.found:
            raise Invalid(self.faults.found)
        return game

    def _records(
        self,
        section: str,
        build: Callable[[str, Node], _Record],
        beside: Callable[[Collection[str]], tuple[object, ...]] = lambda _: (),
    ) -> dict[str, _Record]:
        """Return the records of a section, leaving out those that are wrong."""
        return self.faults.each(
            self.context.section(section), lambda name, node: self.reuse.record(section, name, node, build, beside)
        )

    def _check_names(self) -> None:
        """Note every function, table and attribute that is named like something else."""
        material = self.material
        taken = {*BUILTINS, *QUANTIFIERS, *material.state, *material.params, *material.constants, *material.domains}
        for section in ("attributes", "functions", "tables"):
            for name, node in self.context.section(section).items():
                if name in taken:
                    self.faults.add(node.place, f"the name {name!r} has another meaning already", "rename it")
                taken.add(name)

    def _list_names(self) -> Iterable[str]:
        material = self.material
        return [*self.bodies, *material.state, *material.params, *material.constants, *material.domains]

    def _signature(self, name: str, place: Place) -> Signature | None:
        if name in self.done:
            done = self.done[name]
            return done.signature if done else self._read_signature(self.bodies[name])
        if name not in self.bodies:
            return None
        if name in self.open:
            chain = " -> ".join([*self.open[self.open.index(name) :], name])
            raise Invalid([Fault(place, f"{name} calls itself: {chain}", "nothing in a rules file is recursive")])
        if len(self.open) == LONGEST_CHAIN:
            raise Invalid(
                [Fault(place, f"{name} is called through {LONGEST_CHAIN} others", "shorten the chain of calls")]
            )
        self.open.append(name)
        built = self._build(name, self.bodies[name])
        self.open.pop()
        self.done[name] = built
        self.depths[name] = 0 if built is None else self._deepest(built.record)
        if self.depths[name] > DEEPEST:
            self.faults.note([_too_deep(self.bodies[name].place)])
        return self._read_signature(self.bodies[name]) if built is None else built.signature

    def _deepest(self, record: Function | Table) -> int:
        """Return how many operations lie within each other in a record, those of called functions included."""
        known = self.memo.depths.find("", record)
        if known is not None and all(self.depths.get(name, 0) == depth for name, depth in known[0].items()):
            return known[1]
        expressions = _expressions(record)
        called = {one.name for expression in expressions for one in walk(expression) if isinstance(one, Call)}
        found = 1 + max(map(self._depth, expressions))
        self.memo.depths.keep(({name: self.depths.get(name, 0) for name in called}, found), "", record)
        return found

    def _depth(self, expression: Expression) -> int:
        """Return how many operations lie within each other, those of called functions included."""
        called = self.depths.get(expression.name, 0) if isinstance(expression, Call) else 0
        return 1 + max([called, *map(self._depth, parts(expression))])

    def _read_signature(self, node: Node) -> Signature:
        """Return the declared signature of a function or table; faults in it are reported elsewhere, so only once."""
        quiet = Context(self.context.rules, self.material, Faults())
        arguments = tuple(Argument(name, quiet.type(type_)) for name, type_ in fields(node, "args").items())
        declared = node.get("type")
        if declared is None:  # what is wrong inside has been told, and nobody can say what it gives
            raise Invalid([])
        return Signature(arguments, quiet.type(declared))

    def _build(self, name: str, node: Node) -> _Callable | None:
        with self.faults.collecting():
            return self.reuse.record("called", name, node, self._callable)
        return None

    def _callable(self, name: str, node: Node) -> _Callable:
        return self._table(name, node) if node.get("rows") is not None else self._function(name, node)

    def _heads(self, node: Node) -> tuple[tuple[Argument, ...], Scope, tuple[Expression, ...]]:
        arguments = tuple(Argument(name, self.context.type(type_)) for name, type_ in (fields(node, "args")).items())
        scope = self.scope
        for argument in arguments:
            scope = self.context.bind(argument.name, argument.type, scope, node.place)
        requires, scope = self.context.promises(node, scope)
        return arguments, scope, requires

    def _function(self, name: str, node: Node) -> _Callable:
        arguments, scope, requires = self._heads(node)
        body = parse(node.fields["is"], scope)
        type_ = self._result(node.get("type"), body, f"the function {name}")
        clause, exception = node.string("clause"), node.string("exception") == "true"
        record = Function(name, arguments, type_, body, requires, clause, _say(node), exception, node.place)
        return _Callable(Signature(arguments, type_), record)

    def _result(self, declared: Node | None, body: Expression, what: str) -> Type:
        """Return the type a record declares, with bounds found where it says `int`; without one its body's."""
        if declared is None:
            return body.type
        wanted = self.context.type(declared)
        if isinstance(wanted, Int) and str(wanted) == "int" and isinstance(body.type, Int):
            return body.type
        if not fits(body.type, wanted):
            maybe = "write the type with `?`" if fits(body.type, Option(wanted)) else ""
            raise Invalid([Fault(body.place, f"{what} is declared {wanted} and gives {body.type}", maybe)])
        if not fits_bounds(body.type, wanted):
            raise Invalid([Fault(body.place, f"{what} is declared {wanted} and can give {body.type}")])
        return wanted

    def _table(self, name: str, node: Node) -> _Callable:
        arguments, scope, requires = self._heads(node)
        before = scope.present
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
        type_ = self._result(node.get("type"), whole, f"the table {name}")
        record = Table(name, arguments, type_, policy, tuple(rows), requires, clause, _say(node), node.place)
        present = scope.present - before if _is_of_duties(rows) else frozenset()
        return _Callable(Signature(arguments, type_, present), record)

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
        condition = self.context.condition(when, scope)
        if (operators := _operators(condition)) > CELL_OPERATORS and self.context.rules.get("chapters") is None:
            self.faults.add(when.place, f"{operators} operators in one cell", "name a part of it as a function")
        return self._made_row(node, condition, parse(then, scope.knowing(condition)), clause)

    def _made_row(self, node: Node, when: Expression | None, then: Expression, clause: str) -> Row:
        return Row(node.string("id"), when, then, node.string("clause", clause), node.string("code"), node.place)

    def _check_rows(self, node: Node, policy: str, rows: list[Row]) -> None:
        distinct([(row.id, row.place) for row in rows], "row", self.faults)
        if policy == "first":
            if any(row.then.type != BOOL for row in rows):
                self.faults.add(node.place, "a `first` table decides yes or no", "use `policy: unique` for values")
            ends = [index for index, row in enumerate(rows) if row.when is None]
            if ends != [len(rows) - 1]:
                self.faults.add(
                    node.place, "a `first` table ends with one `else` row", "write `{id: ..., else: ...}` last"
                )

    def _invariant(self, name: str, node: Node) -> Expression:
        return self.context.condition(node, self.scope)

    def _shows(self, section: str, scope: Scope) -> Iterator[Show]:
        for name, node in self.context.section(section).items():
            with self.faults.collecting():
                yield self.reuse.record(section, name, node, lambda name, node: self._show(name, node, scope))

    def _show(self, name: str, node: Node, scope: Scope) -> Show:
        if not isinstance(node.value, dict):
            value = parse(node, scope)
            if isinstance(value.type, (Orders, Subsets)):
                raise Invalid(
                    [Fault(node.place, f"{value.type} cannot be shown", "they are domains of parameters only")]
                )
            return Show(name, value)
        fields = node.fields
        if "show" not in fields:
            return Show(name, None, tuple(self._show(key, member, scope) for key, member in fields.items()))
        each, domain, when, seen = "", None, None, None
        flat = node.string("flat") == "true"
        if "seen" in fields:
            seen = self.context.condition(fields["seen"], scope)
        if "each" in fields:
            each = fields["each"].text
            domain, scope = self.context.ranging(each, fields["in"], scope)
        if "when" in fields:
            when = self.context.condition(fields["when"], scope)
            scope = scope.knowing(when)
        inner = self._show(name, fields["show"], scope)
        if flat and not _is_list(inner):
            raise Invalid(
                [Fault(node.place, "`flat` runs lists together, here are none", "show lists, or leave `flat` out")]
            )
        level, clause = node.string("level", "may"), node.string("clause")
        return Show(name, None, (), inner, each, flat, domain, when, seen, level, clause)

    def _start(self, phases: Mapping[str, Phase]) -> Start:
        node = self.context.section("start")
        if not node:
            return Start("", {}, "")
        given = {name: variable.text for name, variable in fields(self.context.rules.fields["start"], "given").items()}
        for name, variable in given.items():
            if variable not in self.material.state:
                self.faults.add(node["given"].place, f"{name} would set {variable!r}, which is no variable")
        phase, deal = node["phase"].text, node["deal"].text
        if phase not in phases:
            self.faults.add(node["phase"].place, f"unknown phase {phase!r}")
        if deal not in self.context.section("actions"):
            self.faults.add(node["deal"].place, f"unknown action {deal!r}")
        return Start(phase, given, deal)

    def _with_skills(
        self, actions: Mapping[str, Action], phases: Mapping[str, Phase], start: Start
    ) -> dict[str, Action]:
        """Return the actions with their skills; note those whose skill the rules have to say."""
        decided = Skills(actions, phases, self.material.state, start).decide()
        for action in decided.values():
            if not action.skill:
                what = f"the skill of {action.id} cannot be told from the rules"
                self.faults.add(action.place, what, f"write `skill:` with one of {', '.join(SKILLS)}")
        return {name: self.memo.skill(actions[name], action) for name, action in decided.items()}

    def _check_clauses(self, game: Game) -> None:
        """Every rule has a clause, its own or an inherited one."""
        records: list[tuple[str, Place]] = []
        for group in (
            game.functions,
            game.tables,
            game.actions,
            game.phases,
            game.params,
            game.attributes,
            game.summary,
        ):
            records += [(name, record.place) for name, record in group.items() if not record.clause]
        for name, place in records:
            self.faults.add(place, f"{name} has no clause", "write `clause:` with the id of the clause it carries out")


def _is_of_duties(rows: list[Row]) -> bool:
    """Say whether these rows are duties: each of them refuses, but for the last, which allows all else."""
    answers = [row.then.value if isinstance(row.then, Literal) else None for row in rows]
    return answers == [False] * (len(rows) - 1) + [True]


def _select_actions(
    actions: Mapping[str, Action], words: Collection[str]
) -> tuple[tuple[str, tuple[Parameter, ...]], ...]:
    """Return the actions that are among some words, with their parameters."""
    return tuple((name, action.parameters) for name, action in actions.items() if name in words)


def _say(node: Node) -> dict[str, str]:
    return {language: text.text for language, text in fields(node, "say").items()}


def _expressions(record: Function | Table) -> list[Expression]:
    """Return all expressions of a function or table."""
    if isinstance(record, Function):
        return [record.body, *record.requires]
    cells = [cell for row in record.rows for cell in (row.when, row.then) if cell is not None]
    return [*cells, *record.requires]


def _is_list(show: Show) -> bool:
    """Say whether a show always yields a list."""
    if show.value is not None:
        return isinstance(show.value.type, (Array, Cards, Domain, Numbers, Pile))
    return show.domain is not None and show.seen is None


def _operators(expression: Expression) -> int:
    """Count the operators of a cell, without those inside the functions that it calls."""
    inside = sum(map(_operators, parts(expression)))
    if isinstance(expression, (And, Or)):
        return len(expression.conditions) - 1 + inside
    return isinstance(expression, (Not, Compare, Arithmetic, If)) + inside
