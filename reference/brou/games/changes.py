"""Changes: typed rules with one small thing other than it is, as programmers get it wrong.

`mutants` changes the text of rules, which are typed anew for each; that takes a tenth of a second. Here the typed tree
itself is changed, so that a thousand changes can be tried while somebody waits. A change has the
address of a patch, and the text at that place before and after, so that people can read it and patches can make it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, combinations
from typing import Generic, TypeAlias, TypeVar, assert_never

from brou.dataclass import dataclass, replace
from brou.errors import NOWHERE
from brou.games.catalogue import Choice, book, patch_rules
from brou.games.changed_expressions import edit_condition, edit_expression
from brou.games.folder import Folder
from brou.games.vocabulary import Vocabulary, list_locals
from brou.interpreter.varied import Record
from brou.language.effects import (
    Add,
    Assign,
    Branch,
    Cases,
    Draw,
    Effect,
    For,
    Goto,
    Let,
    Move,
    Reset,
    name_effect,
    operand,
)
from brou.language.load import load
from brou.language.node import Node, Plain
from brou.language.patch import Patch, apply
from brou.language.syntax import Action, Attribute, Function, Game, Param, Phase, Row, Show, Table
from brou.language.tree import And, Expression, Not
from brou.language.types import BOOL
from brou.language.unparse import show

#: The operators that programs under test are explained by, each with what it does.
FORMS = {
    "value": "a number of the rules is another one",
    "exchange": "two values of a list have changed places",
    "shift": "one value of an order has moved to another place in it",
    "drop-row": "a row or a branch is gone",
    "swap-rows": "two neighbouring rows or branches have changed places",
    "outcome": "a row comes to what another row comes to",
    "negate": "a condition is its contrary",
    "always": "a condition always holds",
    "never": "a condition never holds",
    "drop-part": "one side of an `and`, an `or` or a sum, a filter, or one branch of an `if` is gone",
    "comparison": "a comparison is its neighbour, or is turned round",
    "number": "a number in an expression is another one",
    "quantifier": "any is all, min is max, or the other way round",
    "connective": "and is or, or the other way round",
    "direction": "next is previous, or previous next",
    "side": "a team is the other one",
    "drop-effect": "an effect is gone",
    "add-part": "a condition of the game has to hold as well",
    "every-row": "the same exception from all rows that refuse, from one of them on",
    "add-duty": "whoever has a card of some kind has to take one of these",
    "other-name": "a seat, a figure or a function is another one of its type",
    "wrap": "a figure is that which a function of the game makes of it",
    "call-site": "a function is another one where it is called at one place",
}

#: The operators that put a name of the game in a wrong place; the line where it stands may be another clause's.
NAMING = frozenset({"add-part", "every-row", "add-duty", "other-name", "wrap", "call-site"})

_Item = TypeVar("_Item")
_Other = TypeVar("_Other")
_Whole: TypeAlias = Attribute | Param | Function | Table | Action | Phase | Show


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the rules; `apply` makes it in typed rules, and `patch` in the text."""

    operator: str
    #: The clause of what is changed, its own or the inherited one; empty if it has none.
    clause: str
    #: The address of what is changed, as patches write it.
    at: tuple[str, ...]
    #: The record in which it stands; only what uses this record can come out otherwise.
    record: Record
    #: What stands there, and what stands there instead, as rules files write it; nothing if it is gone.
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

    @property
    def made(self) -> tuple[str, Plain]:
        """Return the verb of the patch that makes it in the text, and the value that stands beside the verb."""
        if self.value is None:
            return "remove", True
        return ("order" if self.operator == "swap-rows" else "value"), self.value

    @property
    def sites(self) -> tuple[tuple[tuple[str, ...], str, Plain], ...]:
        """Return each address with the verb of the patch that makes the change there, and what stands beside it."""
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


def load_changed(choice: Choice, made: Sequence[Change], folder: Folder = None) -> Game:
    """Return the rules of a choice with some changes, made in the text and loaded; raise `Unusable` if that fails."""
    changed = apply(patch_rules(choice, folder), [patch for change in made for patch in change.patches])
    return load(changed, book(choice.game, folder or choice.project).codes)


def find_record(game: Game, record: Record) -> object | None:
    """Return a record of some rules; None if they have none of its name."""
    section, name = record
    shown = {"view": game.view, "score": game.score}
    if section in shown:
        return next((one for one in shown[section] if one.id == name), None)
    sections: Mapping[str, Mapping[str, object]] = {
        "attributes": game.attributes,
        "params": game.params,
        "functions": game.functions,
        "tables": game.tables,
        "actions": game.actions,
        "phases": game.phases,
    }
    return sections[section].get(name)


def changes(game: Game) -> Iterator[Change]:
    """Yield all single changes of typed rules, numbers first; their order is always the same."""
    for attribute in game.attributes.values():
        yield from _of_attribute(game, attribute)
    for param in game.params.values():
        yield from _of_param(param)
    for table in game.tables.values():
        yield from _of_table(table)
    for function in game.functions.values():
        at = ("functions", function.id, "is")
        for edit in _edit_expression(function.body, at, function.clause):
            yield edit.within(("functions", function.id), replace(function, body=edit.made))
    for action in game.actions.values():
        yield from _of_action(action)
    for phase in game.phases.values():
        for effects in _edit_effects(phase.do, ("phases", phase.id, "do"), phase.clause):
            yield effects.within(("phases", phase.id), replace(phase, do=effects.made))
    yield from _of_shows("view", game.view)
    yield from _of_shows("score", game.score)
    yield from _of_names(game)


@dataclass(frozen=True, slots=True)
class _Edit(Generic[_Item]):
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

    def around(self, made: _Other) -> _Edit[_Other]:
        """Return the same change as one of something larger."""
        told = (self.operator, self.clause, self.at, self.before, self.after, self.value)
        return _Edit(*told, made, self.part, self.was, self.becomes, self.also)

    def within(self, record: Record, made: _Whole) -> Change:
        """Return the change of a whole record."""
        put = partial(_put, record[0], made)
        told = (self.operator, self.clause, self.at, record, self.before, self.after, self.value)
        return Change(*told, put, self.part, self.was, self.becomes, self.also)


def _put(section: str, made: _Whole, game: Game) -> Game:
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


# Numbers -----------------------------------------------------------------------------------

_Number: TypeAlias = "int | tuple[int, ...] | tuple[tuple[int, ...], ...]"


def _of_attribute(game: Game, attribute: Attribute) -> Iterator[Change]:
    """Yield the changes of the numbers that cards carry by their rank."""
    own: dict[str, int] = {}
    for card, value in attribute.values.items():
        if own.setdefault(_rank(game, card), value) != value:
            return  # it goes by the suit as well
    at, record = ("attributes", attribute.id, "values"), ("attributes", attribute.id)
    seen = [own]
    for operator, made in _reorder(own):
        if made not in seen:
            seen.append(made)
            values = {card: made[_rank(game, card)] for card in attribute.values}
            differ = [rank for rank, value in own.items() if made[rank] != value]
            before, after = (", ".join(f"{rank} {of[rank]}" for rank in differ) for of in (own, made))
            edit = _Edit(operator, attribute.clause, at, before, after, dict[str, Plain](made), values)
            yield edit.within(record, replace(attribute, values=values))


def _rank(game: Game, card: str) -> str:
    """Return the rank that a card begins with."""
    return next(rank for rank in game.deck.ranks if card.startswith(rank))


def _reorder(own: Mapping[str, int]) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield numbers by rank with two exchanged, one moved in the order, or one other than it is."""
    names = sorted(own, key=lambda rank: -own[rank])
    for one, two in combinations(names, 2):
        yield "exchange", {**own, one: own[two], two: own[one]}
    if len(set(own.values())) == len(own):
        heights = [own[name] for name in names]
        for name in names:
            rest = [other for other in names if other != name]
            for place in range(len(names)):
                height = dict(zip([*rest[:place], name, *rest[place:]], heights, strict=True))
                yield "shift", {rank: height[rank] for rank in own}
    for name in names:
        for value in dict.fromkeys([own[name] + 1, own[name] - 1, 10 * own[name], 0, *own.values()]):
            yield "value", {**own, name: value}


def _of_param(param: Param) -> Iterator[Change]:
    at, record = ("params", param.id, "value"), ("params", param.id)
    for operator, value in _vary(param.value):
        edit = _Edit(operator, param.clause, at, _write(param.value), _write(value), _plain(value), value)
        yield edit.within(record, replace(param, value=value))


def _vary(value: _Number) -> Iterator[tuple[str, _Number]]:
    """Yield a number, or each number of a list, as another one; of a list also two exchanged."""
    if isinstance(value, int):
        near = (value + 1, value - 1, value + 10, value - 10, 2 * value, value // 2, 0, 1, 10 * value, value + 2)
        yield from (("value", one) for one in dict.fromkeys(near) if one != value)
        return
    for one, two in combinations(range(len(value)), 2):
        if value[one] != value[two]:
            order = list(range(len(value)))
            order[one], order[two] = two, one
            yield "exchange", _as_list([value[number] for number in order])
    for number in range(len(value)):
        for operator, changed in _vary(value[number]):
            yield operator, _as_list([changed if at == number else value[at] for at in range(len(value))])


def _as_list(items: Sequence[_Number]) -> _Number:
    """Return a list of numbers, or of lists of numbers."""
    numbers = tuple(item for item in items if isinstance(item, int))
    return numbers or tuple(tuple(map(_as_int, item)) for item in items if isinstance(item, tuple))


def _as_int(item: _Number) -> int:
    if not isinstance(item, int):
        raise TypeError(f"{item} is no number")
    return item


def _plain(value: _Number) -> Plain:
    return value if isinstance(value, int) else [_plain(item) for item in value]


def _write(value: _Number) -> str:
    return str(_plain(value))


# Tables ------------------------------------------------------------------------------------


def _of_table(table: Table) -> Iterator[Change]:
    rows, whole = table.rows, ("tables", table.id)
    for number, row in enumerate(rows):
        at = (*whole, "rows", row.id)
        for edit in _edit_row(table, number, at):
            yield edit.within(whole, replace(table, rows=edit.made))


def _edit_row(table: Table, number: int, at: tuple[str, ...]) -> Iterator[_Edit[tuple[Row, ...]]]:
    rows, row = table.rows, table.rows[number]
    own, part = row.clause or table.clause, row.id

    def put(one: Row) -> tuple[Row, ...]:
        return (*rows[:number], one, *rows[number + 1 :])

    told = _tell_row(row)
    if row.when is not None and table.policy == "first":
        yield _Edit("drop-row", own, at, told, "", None, (*rows[:number], *rows[number + 1 :]), part, row.when)
        following = rows[number + 1]
        if following.when is not None and following.then != row.then:
            order = (*rows[:number], following, row, *rows[number + 2 :])
            moved = f"{_tell_row(following)}; {told}"
            before = f"{told}; {_tell_row(following)}"
            yield _Edit("swap-rows", own, at[:-1], before, moved, [one.id for one in order], order, part)
    if row.when is not None:
        for edit in _edit_condition(row.when, (*at, "when"), own):
            yield replace(edit.around(put(replace(row, when=edit.made))), part=part)
    key = "else" if row.when is None else "then"
    for edit in _edit_expression(row.then, (*at, key), own):
        yield replace(edit.around(put(replace(row, then=edit.made))), part="" if table.policy == "unique" else part)
    seen = [row.then]
    for other in rows:
        if other.then not in seen:
            seen.append(other.then)
            after = show(other.then)
            yield _Edit(
                "outcome",
                own,
                (*at, key),
                show(row.then),
                after,
                after,
                put(replace(row, then=other.then)),
                part,
                row.then,
                other.then,
            )


def _tell_row(row: Row) -> str:
    then = show(row.then)
    return f"{show(row.when)}: {then}" if row.when is not None else then


# Actions and effects -----------------------------------------------------------------------


def _of_action(action: Action) -> Iterator[Change]:
    record = ("actions", action.id)
    for edit in _edit_expression(action.by, (*record, "by", "who"), action.by_clause or action.clause):
        yield edit.within(record, replace(action, by=edit.made))
    for number, parameter in enumerate(action.parameters):
        at = (*record, "params", parameter.id, "in")
        for edit in _edit_expression(parameter.domain, at, parameter.clause or action.clause):
            made = replace(parameter, domain=edit.made)
            before, after = action.parameters[:number], action.parameters[number + 1 :]
            yield edit.within(record, replace(action, parameters=(*before, made, *after)))
    for edit in _edit_condition(action.legal, (*record, "legal"), action.clause):
        yield edit.within(record, replace(action, legal=edit.made))
    for effects in _edit_effects(action.do, (*record, "do"), action.clause):
        yield effects.within(record, replace(action, do=effects.made))


def _edit_effects(body: tuple[Effect, ...], at: tuple[str, ...], clause: str) -> Iterator[_Edit[tuple[Effect, ...]]]:
    """Yield a list of effects with one thing changed in it."""
    for number, effect in enumerate(body):
        before, after = body[:number], body[number + 1 :]
        here, own = (*at, effect.id), effect.clause or clause
        if not isinstance(effect, (Let, Goto)):
            yield _Edit("drop-effect", own, here, effect.id, "", None, (*before, *after), name_effect(effect))
        for edit in _edit_effect(effect, here, own):
            made = edit.around((*before, edit.made, *after))
            yield made if made.part else replace(made, part=name_effect(effect))


def _edit_effect(effect: Effect, at: tuple[str, ...], clause: str) -> Iterator[_Edit[Effect]]:
    value = operand(effect)
    if value is not None:
        for edit in _edit_expression(value, (*at, _KEYS[effect.op]), clause):
            yield edit.around(_with_operand(effect, edit.made))
    if isinstance(effect, For):
        for inner in _edit_effects(effect.body, (*at, "do"), clause):
            yield inner.around(replace(effect, body=inner.made))
    elif isinstance(effect, Cases):
        for number in range(len(effect.cases)):
            for branches in _edit_branch(effect, number, at, clause):
                yield branches.around(replace(effect, cases=branches.made))


#: The key under which an effect of a rules file has its value, cards, number or domain.
_KEYS = {"set": "be", "add": "by", "let": "be", "move": "move", "draw": "draw", "for": "in"}


def _with_operand(effect: Effect, value: Expression) -> Effect:
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


def _edit_branch(effect: Cases, number: int, at: tuple[str, ...], clause: str) -> Iterator[_Edit[tuple[Branch, ...]]]:
    branch, rest = effect.cases[number], effect.cases[number + 1 :]
    before, own = effect.cases[:number], branch.clause or clause
    # An effect under an `if` is one of two branches.
    is_if = {one.id for one in effect.cases} <= {"then", "else"}
    here = at if is_if else (*at, "cases", branch.id)
    if branch.when is not None:
        if not is_if:
            yield _Edit("drop-row", own, here, show(branch.when), "", None, (*before, *rest), was=branch.when)
        for edit in _edit_condition(branch.when, (*here, "if" if is_if else "when"), own):
            yield edit.around((*before, replace(branch, when=edit.made), *rest))
    for inner in _edit_effects(branch.body, (*here, branch.id if is_if else "do"), own):
        yield inner.around((*before, replace(branch, body=inner.made), *rest))


# Names of the game -------------------------------------------------------------------------


def _of_names(game: Game) -> Iterator[Change]:
    """Yield the changes that say something else with names of the game: conditions, figures, seats and duties."""
    own = Vocabulary(game)
    for table in game.tables.values():
        yield from _of_rows(own, table)
    for function in game.functions.values():
        record, known = ("functions", function.id), list_locals(function.arguments)
        at, body = (*record, "is"), function.body
        edits = [own.rename(body, known)]
        if function.exception:
            edits.append(own.extend(body, known, own.find_near(*own.find_tables(function.id)) - {function.id}))
        for edit in _tell_edits(body, chain(*edits), at, function.clause):
            yield edit.within(record, replace(function, body=edit.made))
    for action in game.actions.values():
        record = ("actions", action.id)
        for edit in _tell_edits(action.legal, own.oblige(action), (*record, "legal"), action.clause):
            yield edit.within(record, replace(action, legal=edit.made))
        for effects in _rename_effects(own, action.do, (*record, "do"), action.clause):
            yield effects.within(record, replace(action, do=effects.made))
    for phase in game.phases.values():
        record = ("phases", phase.id)
        for effects in _rename_effects(own, phase.do, (*record, "do"), phase.clause):
            yield effects.within(record, replace(phase, do=effects.made))


def _of_rows(own: Vocabulary, table: Table) -> Iterator[Change]:
    whole, known, rows, near = ("tables", table.id), list_locals(table.arguments), table.rows, own.find_near(table.id)
    for number, row in enumerate(rows):
        at, clause = (*whole, "rows", row.id), row.clause or table.clause

        def put(one: Row, number: int = number) -> Table:
            return replace(table, rows=(*rows[:number], one, *rows[number + 1 :]))

        if row.when is not None:
            edits = chain(own.extend(row.when, known, near), own.rename(row.when, known))
            for edit in _tell_edits(row.when, edits, (*at, "when"), clause):
                yield replace(edit, part=row.id).within(whole, put(replace(row, when=edit.made)))
        key = "else" if row.when is None else "then"
        part = "" if table.policy == "unique" else row.id
        for edit in _tell_edits(row.then, own.rename(row.then, known), (*at, key), clause):
            yield replace(edit, part=part).within(whole, put(replace(row, then=edit.made)))
    yield from _of_refusals(own, table)


def _of_refusals(own: Vocabulary, table: Table) -> Iterator[Change]:
    """Yield the same condition beside those of all rows that refuse, from one of them on: an exception from them."""
    whole, known = ("tables", table.id), list_locals(table.arguments)
    refusing = [row for row in table.rows if row.when is not None and show(row.then) == "False"]
    if table.policy != "first" or len(refusing) < 2:
        return
    for condition in own.conditions(known, own.find_near(table.id)):
        for more in (condition, Not(BOOL, condition)):
            for number in range(len(refusing) - 1):
                made = {row.id: _join(row.when, more) for row in refusing[number:] if row.when is not None}
                rows = tuple(replace(row, when=made.get(row.id, row.when)) for row in table.rows)
                sites = tuple(((*whole, "rows", name, "when"), show(when)) for name, when in made.items())
                first = refusing[number]
                if first.when is None:
                    continue
                at, after = sites[0]
                told = (first.clause or table.clause, at, show(first.when), after, after, replace(table, rows=rows))
                edit = _Edit("every-row", *told, "", first.when, made[first.id], sites[1:])
                yield edit.within(whole, edit.made)


def _join(condition: Expression, more: Expression) -> Expression:
    held = condition.conditions if isinstance(condition, And) else (condition,)
    return And(BOOL, (*held, more))


def _rename_effects(
    own: Vocabulary, body: tuple[Effect, ...], at: tuple[str, ...], clause: str
) -> Iterator[_Edit[tuple[Effect, ...]]]:
    """Yield effects with another name in one value, on the first level."""
    for number, effect in enumerate(body):
        value = operand(effect)
        if value is None:
            continue
        here = (*at, effect.id, _KEYS[effect.op])
        for edit in _tell_edits(value, own.rename(value, {}), here, effect.clause or clause):
            made = (*body[:number], _with_operand(effect, edit.made), *body[number + 1 :])
            yield replace(edit.around(made), part=name_effect(effect))


# What is shown -----------------------------------------------------------------------------


def _of_shows(section: str, shows: Sequence[Show]) -> Iterator[Change]:
    for one in shows:
        for edit in _edit_show(one, (section, one.id), one.clause):
            yield edit.within((section, one.id), edit.made)


def _edit_show(one: Show, at: tuple[str, ...], clause: str) -> Iterator[_Edit[Show]]:
    own = one.clause or clause
    for number, field in enumerate(one.fields):
        for inner in _edit_show(field, (*at, field.id), own):
            yield inner.around(replace(one, fields=(*one.fields[:number], inner.made, *one.fields[number + 1 :])))
    if one.inner is not None:
        for inner in _edit_show(one.inner, (*at, "show"), own):
            yield inner.around(replace(one, inner=inner.made))
    for edit in _edit_expression(one.value, at, own) if one.value is not None else ():
        yield edit.around(replace(one, value=edit.made))
    for edit in _edit_expression(one.domain, (*at, "in"), own) if one.domain is not None else ():
        yield edit.around(replace(one, domain=edit.made))
    for edit in _edit_condition(one.when, (*at, "when"), own) if one.when is not None else ():
        yield edit.around(replace(one, when=edit.made))
    for edit in _edit_condition(one.seen, (*at, "seen"), own) if one.seen is not None else ():
        yield edit.around(replace(one, seen=edit.made))


# Expressions -------------------------------------------------------------------------------


def _edit_condition(condition: Expression, at: tuple[str, ...], clause: str) -> Iterator[_Edit[Expression]]:
    """Yield a condition as its contrary, always and never, and with one thing changed in it."""
    yield from _tell_edits(condition, edit_condition(condition), at, clause)


def _edit_expression(expression: Expression, at: tuple[str, ...], clause: str) -> Iterator[_Edit[Expression]]:
    """Yield an expression with one thing changed in it, at every place, each once."""
    yield from _tell_edits(expression, edit_expression(expression), at, clause)


def _tell_edits(
    expression: Expression, edits: Iterator[tuple[str, Expression]], at: tuple[str, ...], clause: str
) -> Iterator[_Edit[Expression]]:
    before = show(expression)
    for operator, made in edits:
        after = show(made)
        yield _Edit(operator, clause, at, before, after, after, made, was=expression, becomes=made)
