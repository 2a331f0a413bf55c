"""Names of a game: what the rules of a game say by name, and how an author gets it wrong with nothing but these names.

A wrong seat, another figure, a condition that belongs elsewhere, a function that is another one at a single place: such
changes need words of the game, which operators on a lone expression do not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

from brou.dataclass import replace
from brou.games.changed_expressions import edit_expression, replace_part
from brou.language import tree
from brou.language.syntax import Action, Argument, Function, Game, Table
from brou.language.tree import Expression, map_parts, parts, walk
from brou.language.types import BOOL, NOTHING, Array, Cards, Int, Named, Option, Type

#: A condition is filled in so many ways at most, and a function of so many parts is written out where it is called.
_WAYS, _PARTS = 4, 30
_TRUE, _NONE = tree.Literal(BOOL, True), tree.Literal(NOTHING, None)  # noqa: FBT003 - a value of the language
#: What a card is called that no rule names.
_CARD = "any_card"
#: What the locals of a place are called, with their types.
Locals = Mapping[str, Type]


def list_locals(arguments: Sequence[Argument]) -> dict[str, Type]:
    """Return arguments as the locals of a place."""
    return {argument.name: argument.type for argument in arguments}


class GameLexicon:
    """The names of a game: its conditions, figures and seats."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._variables: dict[Type, list[Expression]] = {}
        for variable in game.state.values():
            used = tree.VariableUse(variable.type, variable.id)
            self._variables.setdefault(variable.type, []).append(used)
        self._uses: dict[str, int] = {}
        self._calls: dict[str, set[str]] = {}
        for function in game.functions.values():
            self._note_calls(function.id, function.body)
        for table in game.tables.values():
            for row in table.rows:
                self._note_calls(table.id, row.then)
                if row.when is not None:
                    self._note_calls(table.id, row.when)

    def _note_calls(self, user: str, expression: Expression) -> None:
        for one in walk(expression):
            if isinstance(one, tree.Call):
                self._uses[one.name] = self._uses.get(one.name, 0) + 1
                self._calls.setdefault(user, set()).add(one.name)

    # Conditions -------------------------------------------------------------------------------

    def find_near(self, *names: str) -> frozenset[str]:
        """Return the functions and tables that some of them use, themselves or by way of others."""
        found, waiting = set[str](), list(names)
        while waiting:
            for name in self._calls.get(waiting.pop(), ()):
                if name not in found:
                    found.add(name)
                    waiting.append(name)
        return frozenset(found)

    def find_tables(self, name: str) -> tuple[str, ...]:
        """Return the tables that use a function, themselves or by way of others."""
        return tuple(table for table in self.game.tables if name in self.find_near(table))

    def conditions(self, known: Locals, near: frozenset[str]) -> Iterator[Expression]:
        """Yield the conditions among some functions that take some locals, and comparisons of seats and teams."""
        for function in self.game.functions.values():
            if function.type == BOOL and function.id in near:
                yield from self._fill(function, known)
        yield from self._variables.get(BOOL, ())
        yield from self._compare_teams(known)

    def find_guards(self, known: Locals) -> Iterator[Expression]:
        """Yield the conditions of the game that take some locals, and whether something is there in the state."""
        yield from self._find_conditions(known)
        for type_, variables in self._variables.items():
            if isinstance(type_, Option):
                yield from (tree.Compare(BOOL, "!=", one, _NONE) for one in variables)

    def _find_conditions(self, known: Locals) -> Iterator[Expression]:
        for function in self.game.functions.values():
            if function.type == BOOL:
                yield from self._fill(function, known)
        yield from self._variables.get(BOOL, ())

    def _fill(self, function: Function | Table, known: Locals) -> Iterator[Expression]:
        ways = [list(self._list_values(one.type, known)) for one in function.arguments]
        for number, values in enumerate(product(*ways)):
            if number == _WAYS:
                return
            yield tree.Call(function.type, function.id, values)

    def _list_values(self, type_: Type, known: Locals) -> Iterator[Expression]:
        """Yield the locals of a type; for a team also the team of each seat among them."""
        yield from (tree.LocalUse(type_, name) for name, own in known.items() if own == type_)
        if isinstance(type_, Named) and type_.name == "team":
            seats = (tree.LocalUse(own, name) for name, own in known.items() if _name_of(own) == "player")
            yield from (tree.BuiltinCall(type_, "team", (seat,)) for seat in seats if isinstance(seat.type, Named))

    def _compare_teams(self, known: Locals) -> Iterator[Expression]:
        """Yield whether a seat of the state, or that a function finds, is on the team of a seat, or is that seat."""
        team, seats = self.game.types.get("team"), list(self._list_seats())
        for name, type_ in known.items():
            own = tree.LocalUse(type_, name)
            if not isinstance(type_, Named) or type_.name != "player":
                continue
            for seat in seats:
                bare, guard = _unwrap(seat, type_)
                yield _both(guard, tree.Compare(BOOL, "==", bare, own))
                if isinstance(team, Named):
                    sides = (tree.BuiltinCall(team, "team", (one,)) for one in (bare, own))
                    yield _both(guard, tree.Compare(BOOL, "==", *sides))

    def _list_seats(self) -> Iterator[Expression]:
        """Yield what names a seat of the table without any argument."""
        for type_, variables in self._variables.items():
            if _name_of(type_) == "player":
                yield from variables
        for function in self.game.functions.values():
            if not function.arguments and _name_of(function.type) == "player":
                yield tree.Call(function.type, function.id, ())

    def extend(self, condition: Expression, known: Locals, near: frozenset[str]) -> Iterator[tuple[str, Expression]]:
        """Yield a condition with one more of the game beside it, that has to hold or must not."""
        held = condition.conditions if isinstance(condition, tree.And) else (condition,)
        for one in self.conditions(known, near) if not tree.is_true(condition) else ():
            if one not in held and tree.Not(BOOL, one) not in held:
                yield from (("add-part", tree.And(BOOL, (*held, more))) for more in (one, tree.Not(BOOL, one)))

    def allow_less(self, condition: Expression, known: Locals) -> Iterator[tuple[str, Expression]]:
        """Yield a condition that holds only where some condition of the game holds as well, or fails."""
        held = condition.conditions if isinstance(condition, tree.And) else (condition,)
        kept = () if tree.is_true(condition) else held
        for guard in self.find_guards(known):
            if guard not in held and tree.Not(BOOL, guard) not in held:
                for more in (guard, tree.Not(BOOL, guard)):
                    yield "add-part", tree.And(BOOL, (*kept, more)) if kept else more

    # Figures ----------------------------------------------------------------------------------

    def reckon(self, value: Expression, known: Locals) -> Iterator[tuple[str, Expression]]:
        """Yield a number with a figure of the game added to it, or taken off."""
        if not isinstance(value.type, Int):
            return
        inside = set(walk(value))
        for figure in self._list_figures(known):
            if figure not in inside:
                yield "add-term", tree.Arithmetic(value.type, "+", value, figure)
                yield "add-term", tree.Arithmetic(value.type, "-", value, figure)

    def _list_figures(self, known: Locals) -> Iterator[Expression]:
        """Yield the numbers that the game has of some locals: functions of these, and variables with one for each."""
        for function in self.game.functions.values():
            if isinstance(function.type, Int) and function.arguments:
                yield from self._fill(function, known)
        for type_, variables in self._variables.items():
            if isinstance(type_, Array) and isinstance(type_.element, Int):
                for key in self._list_values(type_.index, known):
                    yield from (tree.Index(type_.element, one, key) for one in variables)

    def restrain(self, value: Expression, otherwise: Expression, known: Locals) -> Iterator[tuple[str, Expression]]:
        """Yield the value of an effect where a condition of the game holds, or fails, and another one elsewhere."""
        for guard in self._find_conditions(known):
            yield "restrain", tree.If(value.type, guard, value, otherwise)
            yield "restrain", tree.If(value.type, guard, otherwise, value)

    # Duties -----------------------------------------------------------------------------------

    def oblige(self, action: Action) -> Iterator[tuple[str, Expression]]:
        """Yield the condition of an action with one more duty: whoever has a card of some kind takes one of these."""
        known = self.find_own(action)
        called = [one.name for one in walk(action.legal) if isinstance(one, tree.Call)]
        near = frozenset(called) | self.find_near(*called)
        for parameter in action.parameters:
            if _name_of(parameter.type) != "card" or not isinstance(parameter.domain.type, Cards):
                continue
            for kind in self._list_kinds(parameter.type):
                chosen = _put_local(kind, tree.LocalUse(parameter.type, parameter.id))
                one = tree.LocalUse(parameter.type, _CARD)
                having = tree.Quantified(BOOL, "any", _CARD, parameter.domain, _TRUE, _put_local(kind, one))
                free = tree.Or(BOOL, (chosen, tree.Not(BOOL, having)))
                yield "add-duty", _both(action.legal, free)
                open_ = _put_name(action.legal, parameter.id, one)
                able = replace(having, body=tree.And(BOOL, (open_, having.body)))
                if not _binds(action.legal):
                    yield "add-duty", _both(action.legal, tree.Or(BOOL, (chosen, tree.Not(BOOL, able))))
                guards = list(self.conditions(known, near))
                lifting = [(one,) for guard in guards for one in (guard, tree.Not(BOOL, guard))]
                for lifted in (*lifting, *combinations(guards, 2)):
                    yield "add-duty", _both(action.legal, tree.Or(BOOL, (*lifted, *free.conditions)))

    def find_own(self, action: Action) -> dict[str, Type]:
        """Return the locals of an action: its parameters, and who acts."""
        return {**list_locals(_as_arguments(action)), **self._me}

    @property
    def _me(self) -> dict[str, Type]:
        player = self.game.types.get("player")
        return {} if player is None else {"me": player}

    def _list_kinds(self, card: Type) -> Iterator[Expression]:
        """Yield what the duties of the game ask of a single card, each once."""
        seen = set[Expression]()
        for table in self.game.tables.values():
            for row in table.rows:
                for one in walk(row.when) if row.when is not None else ():
                    if not isinstance(one, (tree.Compare, tree.Call)) or one.type != BOOL:
                        continue
                    locals_ = {inner for inner in walk(one) if isinstance(inner, tree.LocalUse)}
                    bare = _put_local(one, tree.LocalUse(card, _CARD))
                    if [inner.type for inner in locals_] == [card] and bare not in seen and not _binds(one):
                        seen.add(bare)
                        yield one

    # Names ------------------------------------------------------------------------------------

    def misname(self, expression: Expression, known: Locals) -> Iterator[tuple[str, Expression]]:
        """Yield an expression with another name of the game at one place."""
        seen = {expression}
        for operator, made in self._misname(expression, known):
            if made not in seen:
                seen.add(made)
                yield operator, made

    def _misname(self, expression: Expression, known: Locals) -> Iterator[tuple[str, Expression]]:
        for other in self._find_others(expression, known):
            yield "other-name", other
        if isinstance(expression, tree.Call):
            for one, made in self._vary_call(expression):
                yield one, made
        if isinstance(expression.type, Int) and isinstance(expression, (tree.Call, tree.Index, tree.VariableUse)):
            for function in self.game.functions.values():
                if _takes(function, expression.type):
                    yield "wrap", tree.Call(function.type, function.id, (expression,))
        for number, part in enumerate(parts(expression)):
            for operator, made in self._misname(part, known):
                yield operator, replace_part(expression, number, made)

    def _find_others(self, expression: Expression, known: Locals) -> Iterator[Expression]:
        """Yield other names of the same type for an expression that names something."""
        match expression:
            case tree.LocalUse() | tree.VariableUse() if _name_of(expression.type) in ("player", "team"):
                for seat in (*(tree.LocalUse(type_, name) for name, type_ in known.items()), *self._list_seats()):
                    if _name_of(seat.type) == _name_of(expression.type):
                        yield _put_in_place(seat, expression)
            case tree.BuiltinCall(name="team" | "other"):
                for side in self._list_sides(expression.type, known):
                    yield _put_in_place(side, expression)
            case tree.VariableUse(type=Array()):
                every = (one for variables in self._variables.values() for one in variables)
                yield from (one for one in every if _is_alike(one.type, expression.type))
            case tree.Call():
                yield from self._call_others(expression)
            case tree.BuiltinCall(name="next" | "previous", arguments=(tree.LocalUse() | tree.VariableUse(),)):
                for seat in self._list_seats():
                    yield _put_in_place(seat, expression)

    def _list_sides(self, type_: Type, known: Locals) -> Iterator[Expression]:
        """Yield what names a team: a variable, a local, the team of a seat, and the other one than each of these."""
        bare = type_.inner if isinstance(type_, Option) else type_
        seats = [*(tree.LocalUse(own, name) for name, own in known.items()), *self._list_seats()]
        sides = [one for one in seats if _name_of(one.type) == "team"]
        for own, variables in self._variables.items():
            if _name_of(own) == "team":
                sides += variables
        for one in sides:
            yield one
            yield _where_known(one, tree.BuiltinCall(bare, "other", (one,)))
        for seat in seats:
            if _name_of(seat.type) == "player":
                side = tree.BuiltinCall(bare, "team", (seat,))
                yield from (_where_known(seat, one) for one in (side, tree.BuiltinCall(bare, "other", (side,))))

    def _call_others(self, call: tree.Call) -> Iterator[Expression]:
        """Yield calls of the other functions that take the same and give the same."""
        own = self.game.functions.get(call.name)
        for other in self.game.functions.values() if own is not None else ():
            takes = [[argument.type for argument in one.arguments] for one in (own, other) if one is not None]
            if other is not own and takes[0] == takes[1] and type(other.type) is type(call.type):
                yield tree.Call(other.type, other.id, call.arguments)

    def _vary_call(self, call: tree.Call) -> Iterator[tuple[str, Expression]]:
        """Yield a function that is called at several places with one thing changed in it at this one."""
        function = self.game.functions.get(call.name)
        if function is None or self._uses.get(call.name, 0) < 2:
            return  # at one place it is the function itself
        body = _write_out(function, call.arguments)
        if body is not None:
            for _, made in edit_expression(body):
                yield "call-site", made


def _write_out(function: Function, arguments: Sequence[Expression]) -> Expression | None:
    """Return the body of a function with what its arguments stand for; None where a name is caught, or a long one."""
    given = {one.name: value for one, value in zip(function.arguments, arguments, strict=True)}
    free = {one.name for value in given.values() for one in walk(value) if isinstance(one, tree.LocalUse)}
    inside = list(walk(function.body))
    bound = {
        one.bound for one in inside if isinstance(one, (tree.Quantified, tree.Extreme, tree.Comprehension, tree.Best))
    }
    if len(inside) > _PARTS or bound & (free | given.keys()):
        return None

    def put(one: Expression) -> Expression:
        return given.get(one.name, one) if isinstance(one, tree.LocalUse) else map_parts(one, put)

    return put(function.body)


def _takes(function: Function, number: Int) -> bool:
    """Say whether a function makes a number of any number of a type, and of nothing else."""
    given = [one.type for one in function.arguments]
    if len(given) != 1 or not isinstance(given[0], Int) or not isinstance(function.type, Int):
        return False
    return given[0].low <= number.low and number.high <= given[0].high


def _as_arguments(action: Action) -> tuple[Argument, ...]:
    return tuple(Argument(one.id, one.type) for one in action.parameters)


def _put_local(expression: Expression, local: tree.LocalUse) -> Expression:
    """Return an expression about one local as one about another."""
    if isinstance(expression, tree.LocalUse):
        return local
    return map_parts(expression, lambda part: _put_local(part, local))


def _where_known(seat: Expression, made: Expression) -> Expression:
    """Return an expression about a seat or a team, or None where there is none."""
    if not isinstance(seat.type, Option):
        return made
    return tree.If(Option(made.type), tree.Compare(BOOL, "!=", seat, _NONE), made, _NONE)


def _put_in_place(named: Expression, expression: Expression) -> Expression:
    """Return what names a seat or a team for an expression that does; where it names none, that one stays."""
    if isinstance(named.type, Option) and not isinstance(expression.type, Option):
        if isinstance(named, tree.If):
            return replace(named, type=expression.type, other=expression)
        return tree.BuiltinCall(expression.type, "otherwise", (named, expression))
    return replace(named, type=expression.type)


def _put_name(expression: Expression, name: str, local: tree.LocalUse) -> Expression:
    """Return an expression with another local in the place of the one of a name."""
    if isinstance(expression, tree.LocalUse):
        return local if expression.name == name else expression
    return map_parts(expression, lambda part: _put_name(part, name, local))


def _binds(expression: Expression) -> bool:
    return any(
        isinstance(one, (tree.Quantified, tree.Extreme, tree.Comprehension, tree.Best)) for one in walk(expression)
    )


def _name_of(type_: Type) -> str:
    """Return the name of a type of values, whether or not there may be none."""
    inner = type_.inner if isinstance(type_, Option) else type_
    return inner.name if isinstance(inner, Named) else ""


def _unwrap(seat: Expression, type_: Type) -> tuple[Expression, Expression | None]:
    """Return a seat as one that is there, and the condition that it is, if it may be none."""
    if not isinstance(seat.type, Option):
        return seat, None
    return replace(seat, type=type_), tree.Compare(BOOL, "!=", seat, _NONE)


def _both(guard: Expression | None, condition: Expression) -> Expression:
    return condition if guard is None else tree.And(BOOL, (guard, condition))


def _is_alike(one: Type, other: Type) -> bool:
    """Say whether two arrays have the same keys, and numbers in them."""
    if not isinstance(one, Array) or not isinstance(other, Array):
        return False
    return one.index == other.index and isinstance(one.element, Int) and isinstance(other.element, Int)
