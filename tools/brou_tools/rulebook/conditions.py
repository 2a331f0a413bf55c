"""Decision tables in words: each row with the condition that it stands for, at no moment of any game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from brou.language.codec import outside
from brou.language.syntax import Phrase, Row, Table
from brou.language.tree import (
    And,
    Arithmetic,
    Call,
    Compare,
    Expression,
    ListOf,
    Literal,
    LocalUse,
    Or,
    ParamUse,
    SetOf,
    VariableUse,
    is_true,
)
from brou.language.types import Bool
from brou.words.pattern import plain
from brou.words.text import SLOT, phrase
from brou_tools.rulebook.matter import Matter


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table as it is printed: if, then, and the clause that says so."""

    when: str
    then: str
    clause: str


class Unsaid(Exception):
    """The data has no words for a part of a condition."""


def lines(table: Table, matter: Matter) -> tuple[Line, ...]:
    """Return the rows of a table in words, none if the data has no words for one of them."""
    try:
        return tuple(_line(row, table, matter) for row in table.rows)
    except Unsaid:
        return ()


def _line(row: Row, table: Table, matter: Matter) -> Line:
    when = _when(row, table, matter)
    if isinstance(table.type, Bool):
        then = matter.say("allowed" if is_true(row.then) else "refused")
    else:
        then = _value(row.then, matter)
    return Line(matter.set(when), then, row.clause)


def _when(row: Row, table: Table, matter: Matter) -> str:
    if row.when is None:
        return matter.say("otherwise" if len(table.rows) > 1 else "always")
    bare, opposite = plain(row.when)
    if isinstance(bare, Compare) and bare.operator in ("==", "in") and not opposite and _named(bare):
        return matter.say("or").join(_members(bare.right, matter))
    return _told(row.when, matter, holds=True)


def _told(condition: Expression, matter: Matter, *, holds: bool) -> str:
    bare, opposite = plain(condition)
    holds = holds != opposite
    said = _phrased(bare, matter, holds=holds)
    if said:
        return said
    match bare:
        case And() | Or():
            join = matter.words.frame("and") if holds == isinstance(bare, And) else matter.say("or")
            return join.join(_told(one, matter, holds=holds) for one in bare.conditions)
        case LocalUse() if bare.name in matter.words.answers:
            return _answered(bare.name, matter, holds=holds)
        case Call(arguments=()) if bare.name in matter.game.functions:
            return _told(matter.game.functions[bare.name].body, matter, holds=holds)
        case Compare(operator="==" | "in") if holds:
            return matter.say("or").join(_members(bare.right, matter)) if _named(bare) else _unsaid()
    return _unsaid()


def _answered(name: str, matter: Matter, *, holds: bool) -> str:
    """Return an answer of a player in words."""
    action = outside(matter.words.answers[name])
    return matter.say("the_player", act=phrase({action: holds}, matter.game, matter.lang))


def _unsaid() -> str:
    raise Unsaid


def _named(condition: Compare) -> bool:
    """Say whether a condition compares an argument with values that have names."""
    named = all(isinstance(one, Literal) and one.name for one in _listed(condition.right))
    return isinstance(condition.left, (LocalUse, VariableUse)) and named


def _members(values: Expression, matter: Matter) -> Iterator[str]:
    return (_literal(one, matter) for one in _listed(values) if isinstance(one, Literal))


def _listed(values: Expression) -> tuple[Expression, ...]:
    return values.members if isinstance(values, (ListOf, SetOf)) else (values,)


def _literal(part: Literal, matter: Matter) -> str:
    for kind, tell in (("suit", matter.words.glossary.suit), ("rank", matter.words.glossary.rank)):
        if str(part.type) == kind:
            return tell(str(part.value), matter.lang)
    return matter.words.name("values", outside(part.name))


def _phrased(condition: Expression, matter: Matter, *, holds: bool) -> str:
    """Return what the data says of a condition, nothing where its words need a moment."""
    found = matter.words.phrase(condition)
    say: Mapping[str, str] = {}
    deny: Mapping[str, str] = {}
    if isinstance(condition, Call) and condition.name in matter.game.functions:
        say = matter.game.functions[condition.name].say
    if found is not None:
        spoken: Phrase = found[0]
        say, deny = spoken.say or say, spoken.deny
    right, wrong = (say, deny) if holds else (deny, say)
    texts = right or wrong
    if not texts or any(name not in matter.game.params for text in texts.values() for name in SLOT.findall(text)):
        return ""
    text = matter.words.text(texts)
    return text if right else matter.words.frame("not_so", condition=text)


def _value(expression: Expression, matter: Matter) -> str:
    match expression:
        case ParamUse():
            return matter.words.number(int(str(matter.game.params[expression.name].value)))
        case Literal(value=int() as number):
            return matter.words.number(number)
        case Literal() if expression.name:
            return _literal(expression, matter)
        case Arithmetic(operator="-", left=Literal(value=0), right=number):
            minus = matter.words.glossary.languages[matter.lang].minus
            return f"{minus} {_value(number, matter)}"
    return _figure(expression, matter)


def _figure(expression: Expression, matter: Matter) -> str:
    """Return what the data calls a figure that hangs on the case."""
    found = matter.words.phrase(expression)
    if found is None or not found[0].say or any(SLOT.search(text) for text in found[0].say.values()):
        return _unsaid()
    return matter.words.text(found[0].say)
