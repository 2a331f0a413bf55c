"""One change of typed rules: where it is made, how it reads, and the record as it is afterwards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from typing import Generic, TypeAlias, TypeVar, assert_never

from brou.dataclass import dataclass, replace
from brou.errors import NOWHERE
from brou.interpreter.varied import Record
from brou.language.effects import (
    Add,
    Assign,
    Cases,
    Draw,
    Effect,
    For,
    Goto,
    Let,
    Move,
    Reset,
)
from brou.language.node import Node, Plain
from brou.language.patch import Patch
from brou.language.syntax import Action, Attribute, Function, Game, Param, Phase, Show, Table
from brou.language.tree import Expression
from brou.language.unparse import unparse_expression

_Item = TypeVar("_Item")
_Other = TypeVar("_Other")
_Record = TypeVar("_Record", Attribute, Param, Function, Table, Action, Phase, Show)
ChangedRecord: TypeAlias = Attribute | Param | Function | Table | Action | Phase | Show


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the rules; `apply` makes it in typed rules, and `patch` in the text."""

    operator: str
    #: The clause of what is changed, its own or the inherited one; empty if it has none.
    clause: str
    #: The address of what is changed, as patches write it.
    at: tuple[str, ...]
    #: The record that contains it; only what uses this record can come out otherwise.
    record: Record
    #: The old text there, and the new one, as rules files write it; nothing if it is gone.
    before: str
    after: str
    #: The new value of the address; None if it is taken away.
    value: Plain
    apply: Callable[[Game], Game]
    #: The row, or the place of the effect, that must be come to before the change shows; empty if any may.
    part: str = ""
    #: The expression that is changed and the one in its place, of a row its condition; None where there is none.
    was: Expression | None = None
    becomes: Expression | None = None
    #: Other addresses of the same record at which the same is changed, each with its new value.
    also: tuple[tuple[tuple[str, ...], str], ...] = ()
    #: What is put beside the address instead of changing it: `before` or `after` it, each with new members.
    beside: tuple[tuple[str, Plain], ...] = ()

    @property
    def made(self) -> tuple[str, Plain]:
        """Return the verb of the patch that makes it in the text, and the value of the verb."""
        if self.value is None:
            return "remove", True
        return ("order" if self.operator == "swap-rows" else "value"), self.value

    @property
    def sites(self) -> tuple[tuple[tuple[str, ...], str, Plain], ...]:
        """Return each address with the verb of its patch, and the value of the verb."""
        if self.beside:
            return tuple((self.at, verb, members) for verb, members in self.beside)
        return ((self.at, *self.made), *((at, "value", value) for at, value in self.also))

    @property
    def patches(self) -> tuple[Patch, ...]:
        """Return the change as patches of the text."""
        return tuple(_make_patch(*site) for site in self.sites)


def _make_patch(at: tuple[str, ...], verb: str, value: Plain) -> Patch:
    return Patch(at, Node({"at": Node("/".join(at), NOWHERE), verb: _node(value)}, NOWHERE))


def _node(value: Plain) -> Node:
    if isinstance(value, dict):
        return Node({key: _node(item) for key, item in value.items()}, NOWHERE)
    if isinstance(value, (list, tuple)):
        return Node(tuple(map(_node, value)), NOWHERE)
    return Node(value, NOWHERE)


@dataclass(frozen=True, slots=True)
class Edit(Generic[_Item]):
    """A change of a part of a record, before it is known of which; `made` is the part as it is afterwards."""

    operator: str
    clause: str
    at: tuple[str, ...]
    before: str
    after: str
    value: Plain
    made: _Item
    part: str = ""
    was: Expression | None = None
    becomes: Expression | None = None
    also: tuple[tuple[tuple[str, ...], str], ...] = ()
    beside: tuple[tuple[str, Plain], ...] = ()

    def around(self, made: _Other) -> Edit[_Other]:
        """Return the same change as one of something larger."""
        told = (self.operator, self.clause, self.at, self.before, self.after, self.value)
        return Edit(*told, made, self.part, self.was, self.becomes, self.also, self.beside)

    def within(self, record: Record, made: ChangedRecord) -> Change:
        """Return the change of a whole record."""
        put = partial(_put, record[0], made)
        told = (self.operator, self.clause, self.at, record, self.before, self.after, self.value)
        return Change(*told, put, self.part, self.was, self.becomes, self.also, self.beside)


def choose_records(section: str, records: Iterable[_Record], within: Collection[Record] | None) -> list[_Record]:
    """Return the records of a section whose names are in `within`; all of them if it is None."""
    return [one for one in records if within is None or (section, one.id) in within]


def _put(section: str, made: ChangedRecord, game: Game) -> Game:
    """Return the rules with a record in the place of the one of its name."""
    match made:
        case Attribute():
            return replace(game, attributes={**game.attributes, made.id: made})
        case Param():
            return replace(game, params={**game.params, made.id: made})
        case Function():
            return replace(game, functions={**game.functions, made.id: made})
        case Table():
            return replace(game, tables={**game.tables, made.id: made})
        case Action():
            return replace(game, actions={**game.actions, made.id: made})
        case Phase():
            return replace(game, phases={**game.phases, made.id: made})
        case Show() if section == "view":
            return replace(game, view=tuple(made if one.id == made.id else one for one in game.view))
        case Show():
            return replace(game, score=tuple(made if one.id == made.id else one for one in game.score))
        case _:
            assert_never(made)


def tell_edits(
    expression: Expression, edits: Iterator[tuple[str, Expression]], at: tuple[str, ...], clause: str
) -> Iterator[Edit[Expression]]:
    """Yield edits of an expression, each given as operator and new expression, with their texts."""
    before = unparse_expression(expression)
    for operator, made in edits:
        after = unparse_expression(made)
        yield Edit(operator, clause, at, before, after, after, made, was=expression, becomes=made)


#: The key under which an effect of a rules file has its value, cards, number or domain.
EFFECT_KEYS = {"set": "to", "add": "by", "let": "be", "move": "move", "draw": "draw", "for": "in"}


def replace_operand(effect: Effect, value: Expression) -> Effect:
    """Return an effect with another value, other cards, another number or domain."""
    match effect:
        case Assign() | Add() | Let():
            return replace(effect, value=value)
        case Move():
            return replace(effect, cards=value)
        case Draw():
            return replace(effect, count=value)
        case For():
            return replace(effect, domain=value)
        case Cases() | Reset() | Goto():
            return effect
        case _:
            assert_never(effect)


@dataclass(frozen=True, slots=True)
class BranchPlace:
    """Where a branch is: the addresses of its condition, of its effects, and of itself if it has one."""

    condition: tuple[str, ...]
    body: tuple[str, ...]
    whole: tuple[str, ...]


def locate_branch(effect: Cases, number: int, at: tuple[str, ...]) -> BranchPlace:
    """Return where a branch of an effect is; an effect under an `if` is one of two branches, without an address."""
    branch = effect.cases[number]
    if {one.id for one in effect.cases} <= {"then", "else"}:
        return BranchPlace((*at, "if"), (*at, branch.id), ())
    whole = (*at, "cases", branch.id)
    return BranchPlace((*whole, "when"), (*whole, "do"), whole)
