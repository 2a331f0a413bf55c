"""Decision tables in words: each row with the condition that it stands for, at no moment of any game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from brou.language.codec import outside
from brou.language.syntax import Expression, Phrase, Row, Table
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
        then = matter.say("allowed" if row.then.value else "refused")
    else:
        then = _value(row.then, matter)
    return Line(matter.set(when), then, row.clause)


def _when(row: Row, table: Table, matter: Matter) -> str:
    if row.when is None:
        return matter.say("otherwise" if len(table.rows) > 1 else "always")
    bare, opposite = plain(row.when)
    if bare.op == "compare" and bare.name in ("==", "in") and not opposite and _named(bare):
        return matter.say("or").join(_members(bare.parts[1], matter))
    return _told(row.when, matter, holds=True)


def _told(condition: Expression, matter: Matter, *, holds: bool) -> str:
    bare, opposite = plain(condition)
    holds = holds != opposite
    said = _phrased(bare, matter, holds=holds)
    if said:
        return said
    match bare.op:
        case "and" if holds:
            return matter.words.frame("and").join(_told(part, matter, holds=True) for part in bare.parts)
        case "or" if not holds:
            return matter.words.frame("and").join(_told(part, matter, holds=False) for part in bare.parts)
        case "or" | "and":
            return matter.say("or").join(_told(part, matter, holds=holds) for part in bare.parts)
        case "local" if bare.name in matter.words.answers:
            return _answered(bare.name, matter, holds=holds)
        case "call" if bare.name in matter.game.functions and not bare.parts:
            return _told(matter.game.functions[bare.name].body, matter, holds=holds)
        case "compare" if bare.name in ("==", "in") and holds:
            return matter.say("or").join(_members(bare.parts[1], matter)) if _named(bare) else _unsaid()
    return _unsaid()


def _answered(name: str, matter: Matter, *, holds: bool) -> str:
    """Return an answer of a player in words."""
    action = outside(matter.words.answers[name])
    return matter.say("the_player", act=phrase({action: holds}, matter.game, matter.lang))


def _unsaid() -> str:
    raise Unsaid


def _named(condition: Expression) -> bool:
    """Say whether a condition compares an argument with values that have names."""
    one, two = condition.parts
    members = two.parts if two.op in ("list", "set") else (two,)
    return one.op in ("local", "state") and all(part.op == "literal" and part.name for part in members)


def _members(values: Expression, matter: Matter) -> Iterator[str]:
    for part in values.parts if values.op in ("list", "set") else (values,):
        yield _literal(part, matter)


def _literal(part: Expression, matter: Matter) -> str:
    for kind, tell in (("suit", matter.words.glossary.suit), ("rank", matter.words.glossary.rank)):
        if str(part.type) == kind:
            return tell(str(part.value), matter.lang)
    return matter.words.name("values", outside(part.name))


def _phrased(condition: Expression, matter: Matter, *, holds: bool) -> str:
    """Return what the data says of a condition, nothing where its words need a moment."""
    found = matter.words.phrase(condition)
    say: Mapping[str, str] = {}
    deny: Mapping[str, str] = {}
    if condition.op == "call" and condition.name in matter.game.functions:
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
    match expression.op:
        case "param":
            return matter.words.number(int(str(matter.game.params[expression.name].value)))
        case "literal" if isinstance(expression.value, int):
            return matter.words.number(expression.value)
        case "literal" if expression.name:
            return _literal(expression, matter)
        case "arithmetic" if expression.name == "-" and expression.parts[0].value == 0:
            minus = matter.words.glossary.languages[matter.lang].minus
            return f"{minus} {_value(expression.parts[1], matter)}"
    return _figure(expression, matter)


def _figure(expression: Expression, matter: Matter) -> str:
    """Return what the data calls a figure that hangs on the case."""
    found = matter.words.phrase(expression)
    if found is None or not found[0].say or any(SLOT.search(text) for text in found[0].say.values()):
        return _unsaid()
    return matter.words.text(found[0].say)
