"""Reach: which names an expression uses, and which variables of the state its value hangs on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from brou.language import tree
from brou.language.syntax import Action, Function, Game, Table


def find_names(expression: tree.Expression) -> Iterator[str]:
    """Yield the names that an expression uses."""
    for one in tree.walk(expression):
        if isinstance(
            one,
            (
                tree.LocalUse,
                tree.VariableUse,
                tree.ParamUse,
                tree.DomainUse,
                tree.AttributeOf,
                tree.BuiltinCall,
                tree.Call,
            ),
        ):
            yield one.name


def of_callable(record: Function | Table) -> Iterator[tree.Expression]:
    """Yield the expressions of a function or a table."""
    yield from record.requires
    if isinstance(record, Function):
        yield record.body
        return
    for row in record.rows:
        yield from (e for e in (row.when, row.then) if e is not None)


def of_offer(action: Action) -> Iterator[tree.Expression]:
    """Yield the expressions that decide whether an action can be taken, without those of its effects."""
    yield from (action.by, action.legal, *(parameter.domain for parameter in action.parameters))


def variables(game: Game, expressions: Iterable[tree.Expression]) -> frozenset[str]:
    """Return the variables of the state that expressions hang on, through the functions and tables they call."""
    waiting = [name for expression in expressions for name in find_names(expression)]
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        record = game.functions.get(name) or game.tables.get(name)
        if record is not None:
            waiting += [inner for part in of_callable(record) for inner in find_names(part)]
    return frozenset(seen & set(game.state))
