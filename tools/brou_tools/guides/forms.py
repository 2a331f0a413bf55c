"""The wire forms of types, views and scores in words, for authors of programs."""

from __future__ import annotations

from collections.abc import Iterator

from brou import Expression, Game, Show, outside
from brou.language import unparse_expression
from brou.language.tree import Call, parts
from brou.language.types import Array, Bool, Cards, Domain, Int, Named, Numbers, Option, Pile, Type

#: Types whose values are the same in every game, and what they are called on the wire.
_PLAIN = {"card": "card", "player": "seat", "team": "team"}
#: Types whose values are letters of cards.
_LETTERS = ("suit", "rank")

#: A bound beyond this follows from other bounds, and tells nobody anything.
_BOUND = 9999


def wire(type_: Type) -> str:
    """Return how values of a type look on the wire; types that have names of their own are called by these."""
    match type_:
        case Named() if type_.name in _PLAIN:
            return _PLAIN[type_.name]
        case Bool():
            return "true | false"
        case Int(low, high):
            return f"integer {low}..{high}" if max(abs(low), abs(high)) <= _BOUND else "integer"
        case Option(inner):
            return f"{wire(inner)} | null"
        case Array() | Domain() | Cards() | Pile() | Numbers():
            return _list(type_)
    return outside(str(type_))


def _list(type_: Array | Domain | Cards | Pile | Numbers) -> str:
    """Return how a list looks on the wire."""
    match type_:
        case Array(index, element):
            each = f"number {index.low}..{index.high}" if isinstance(index, Int) else wire(index)
            return f"[{wire(element)}, ...], one for each {each}"
        case Domain(element, _):
            return f"[{wire(element)}, ...]"
        case Cards():
            return "[card, ...] in the order of the pack"
        case Pile():
            return "[card, ...] from the top on"
    return "[integer, ...]"


def members(game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the types of a game that have names and words for values, each with these as they are on the wire."""
    for type_ in game.types.values():
        if isinstance(type_, Named) and type_.name not in _PLAIN:
            written = (one if type_.name in _LETTERS else outside(one) for one in map(str, type_.members))
            yield outside(type_.name), tuple(written)


def form(shown: Show) -> str:
    """Return the wire form of a shown value."""
    if shown.value is not None:
        return wire(shown.value.type)
    if shown.inner is None:
        return "{" + ", ".join(f'"{field.id}": {form(field)}' for field in shown.fields) + "}"
    inner = form(shown.inner)
    if shown.domain is not None:
        return inner if shown.flat else f"[{inner}, ...]"
    return f"{inner} | null" if shown.when is not None and not inner.endswith("| null") else inner


def terms(shown: Show) -> Iterator[str]:
    """Yield the expressions under which a key is absent or null, and the domain of a list."""
    if shown.seen is not None:
        yield f"absent unless {unparse_expression(shown.seen)}"
    if shown.inner is None:
        for field in shown.fields:
            yield from (f"{field.id}: {term}" for term in terms(field))
        return
    if shown.domain is not None:
        where = f", where {unparse_expression(shown.when)}" if shown.when is not None else ""
        yield f"one for each {shown.each} in {unparse_expression(shown.domain)}{where}"
    elif shown.when is not None:
        yield f"null unless {unparse_expression(shown.when)}"
    yield from terms(shown.inner)


def find_expression(shown: Show) -> str:
    """Return the expression of the rules that a key shows; nothing where it shows several."""
    if shown.value is not None:
        return unparse_expression(shown.value)
    return find_expression(shown.inner) if shown.inner is not None else ""


def grounds(shown: Show, game: Game) -> str:
    """Return the clause behind a key: of the function, table or variable that its expression names first."""
    if shown.value is not None:
        return next(_clauses(shown.value, game), "")
    if shown.inner is not None:
        return grounds(shown.inner, game)
    return next((found for field in shown.fields if (found := grounds(field, game))), "")


def _clauses(expression: Expression, game: Game) -> Iterator[str]:
    """Yield the clauses of the functions and tables that an expression calls, from the outside in."""
    for part in parts(expression):
        if isinstance(part, Call):
            yield from _clauses_of(part.name, game)
    if isinstance(expression, Call):
        yield from _clauses_of(expression.name, game)
    for part in parts(expression):
        yield from _clauses(part, game)


def _clauses_of(name: str, game: Game) -> Iterator[str]:
    record = game.functions.get(name) or game.tables.get(name)
    if record is not None and record.clause:
        yield record.clause
