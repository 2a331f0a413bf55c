"""Changes: typed rules with one small thing other than it is, as programmers get it wrong.

`mutants` changes the text of rules, which are typed anew for each; that takes a tenth of a second. Here the typed tree
itself is changed, so that a thousand changes can be tried while somebody waits. A change has the
address of a patch, and the text at that place before and after, so that people can read it and patches can make it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from brou.dataclass import replace
from brou.games.added_effects import add_effects
from brou.games.catalogue import Choice, book, patch_rules
from brou.games.change import EFFECT_KEYS, Change, Edit, choose_records, locate_branch, replace_operand, tell_edits
from brou.games.changed_expressions import edit_condition, edit_expression
from brou.games.folder import Folder
from brou.games.misplaced_names import misplace_names
from brou.interpreter.varied import Record
from brou.language.effects import (
    Assign,
    Branch,
    Cases,
    Effect,
    For,
    Goto,
    Let,
    name_effect,
    operand,
)
from brou.language.load import load_rules
from brou.language.node import Plain
from brou.language.patch import apply_patches
from brou.language.syntax import Action, Attribute, Game, Param, Row, Show, Table
from brou.language.tree import Expression
from brou.language.unparse import unparse_expression

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
    "direction": "next is previous, seats come in the contrary order, or the other way round",
    "side": "a team is the other one",
    "drop-effect": "an effect is gone",
    "add-part": "a condition of the game has to hold as well",
    "every-row": "the same exception from all rows that refuse, from one of them on",
    "no-duty": "no row of a code ever refuses",
    "add-duty": "whoever has a card of some kind has to take one of these",
    "other-name": "a seat, a figure or a function is another one of its type",
    "wrap": "a figure is that which a function of the game makes of it",
    "call-site": "a function is another one where it is called at one place",
    "actor": "an act is open to those to whom another one is",
    "add-term": "a figure of the game is added to a number, or taken off",
    "keep": "a variable is not set back with all others",
    "once-more": "an effect takes place at another moment as well",
    "mirror": "what one side gets is taken from the other",
    "terms": "several terms of a sum are gone",
    "restrain": "an effect takes place only where a condition of the game holds",
}

#: The operators that put a name of the game in a wrong place; its line may be another clause's.
NAMING_OPERATORS = frozenset(
    {
        "add-part",
        "every-row",
        "add-duty",
        "other-name",
        "wrap",
        "call-site",
        "actor",
        "add-term",
        "restrain",
        "once-more",
    }
)


def load_changed(choice: Choice, made: Sequence[Change], folder: Folder = None) -> Game:
    """Return the rules of a choice with some changes, made in the text and loaded; raise `Unusable` if that fails."""
    changed = apply_patches(patch_rules(choice, folder), [patch for change in made for patch in change.patches])
    return load_rules(changed, book(choice.game, folder or choice.project).codes)


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


def changes(game: Game, within: Collection[Record] | None = None) -> Iterator[Change]:
    """Yield all single changes of typed rules, or those of some records; numbers first, always in the same order."""
    for attribute in choose_records("attributes", game.attributes.values(), within):
        yield from _of_attribute(game, attribute)
    for param in choose_records("params", game.params.values(), within):
        yield from _of_param(param)
    for table in choose_records("tables", game.tables.values(), within):
        yield from _of_table(table)
    for function in choose_records("functions", game.functions.values(), within):
        at = ("functions", function.id, "is")
        for edit in _edit_expression(function.body, at, function.clause):
            yield edit.within(("functions", function.id), replace(function, body=edit.made))
    for action in choose_records("actions", game.actions.values(), within):
        yield from _of_action(action)
    for phase in choose_records("phases", game.phases.values(), within):
        for effects in _edit_effects(phase.do, ("phases", phase.id, "do"), phase.clause):
            yield effects.within(("phases", phase.id), replace(phase, do=effects.made))
    yield from _of_shows("view", choose_records("view", game.view, within))
    yield from _of_shows("score", choose_records("score", game.score, within))
    yield from add_effects(game, within)
    yield from misplace_names(game, within)


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
        # Two ways may come to the same numbers, such as a shift by one place and an exchange of neighbours.
        if made not in seen:
            seen.append(made)
            values = {card: made[_rank(game, card)] for card in attribute.values}
            differ = [rank for rank, value in own.items() if made[rank] != value]
            before, after = (", ".join(f"{rank} {of[rank]}" for rank in differ) for of in (own, made))
            edit = Edit(operator, attribute.clause, at, before, after, dict[str, Plain](made), values)
            yield edit.within(record, replace(attribute, values=values))


def _rank(game: Game, card: str) -> str:
    """Return the rank that a card begins with."""
    return next(rank for rank in game.deck.ranks if card.startswith(rank))


def _reorder(own: Mapping[str, int]) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield numbers by rank with two exchanged, one moved in the order, or one other than it is."""
    names = sorted(own, key=lambda rank: -own[rank])
    for one, two in combinations(names, 2):
        yield "exchange", {**own, one: own[two], two: own[one]}
    # Only where no two ranks are equal do they have an order in which one can be moved. The numbers stay; the ranks
    # that lie between the two places move by one.
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
        edit = Edit(operator, param.clause, at, _write(param.value), _write(value), _plain(value), value)
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


def _edit_row(table: Table, number: int, at: tuple[str, ...]) -> Iterator[Edit[tuple[Row, ...]]]:
    rows, row = table.rows, table.rows[number]
    own, part = row.clause or table.clause, row.id

    def put(one: Row) -> tuple[Row, ...]:
        return (*rows[:number], one, *rows[number + 1 :])

    told = _tell_row(row)
    if row.when is not None and table.policy == "first":
        yield Edit("drop-row", own, at, told, "", None, (*rows[:number], *rows[number + 1 :]), part, row.when)
        following = rows[number + 1]
        if following.when is not None and following.then != row.then:
            order = (*rows[:number], following, row, *rows[number + 2 :])
            moved = f"{_tell_row(following)}; {told}"
            before = f"{told}; {_tell_row(following)}"
            yield Edit("swap-rows", own, at[:-1], before, moved, [one.id for one in order], order, part)
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
            after = unparse_expression(other.then)
            yield Edit(
                "outcome",
                own,
                (*at, key),
                unparse_expression(row.then),
                after,
                after,
                put(replace(row, then=other.then)),
                part,
                row.then,
                other.then,
            )


def _tell_row(row: Row) -> str:
    then = unparse_expression(row.then)
    return f"{unparse_expression(row.when)}: {then}" if row.when is not None else then


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


def _edit_effects(body: tuple[Effect, ...], at: tuple[str, ...], clause: str) -> Iterator[Edit[tuple[Effect, ...]]]:
    """Yield a list of effects with one thing changed in it."""
    for number, effect in enumerate(body):
        before, after = body[:number], body[number + 1 :]
        here, own = (*at, effect.id), effect.clause or clause
        if not isinstance(effect, (Let, Goto)):
            yield Edit("drop-effect", own, here, effect.id, "", None, (*before, *after), name_effect(effect))
        for edit in _edit_effect(effect, here, own):
            made = edit.around((*before, edit.made, *after))
            yield made if made.part else replace(made, part=name_effect(effect))
    yield from _edit_alike(body, at, clause)


def _edit_alike(body: tuple[Effect, ...], at: tuple[str, ...], clause: str) -> Iterator[Edit[tuple[Effect, ...]]]:
    """Yield effects in which a value that is given to several variables, as to turn and leader, is another for all."""
    alike: dict[Expression, list[Assign]] = {}
    for effect in body:
        if isinstance(effect, Assign):
            alike.setdefault(effect.value, []).append(effect)
    for value, effects in alike.items():
        if len(effects) == 1:
            continue
        first, *others = ((*at, one.id, EFFECT_KEYS[one.op]) for one in effects)
        for edit in _edit_expression(value, first, effects[0].clause or clause):
            made = tuple(replace_operand(one, edit.made) if one in effects else one for one in body)
            also = tuple((other, edit.after) for other in others)
            yield replace(edit.around(made), part=name_effect(effects[0]), also=also)


def _edit_effect(effect: Effect, at: tuple[str, ...], clause: str) -> Iterator[Edit[Effect]]:
    value = operand(effect)
    if value is not None:
        for edit in _edit_expression(value, (*at, EFFECT_KEYS[effect.op]), clause):
            yield edit.around(replace_operand(effect, edit.made))
    if isinstance(effect, For):
        for inner in _edit_effects(effect.body, (*at, "do"), clause):
            yield inner.around(replace(effect, body=inner.made))
    elif isinstance(effect, Cases):
        for number in range(len(effect.cases)):
            for branches in _edit_branch(effect, number, at, clause):
                yield branches.around(replace(effect, cases=branches.made))


def _edit_branch(effect: Cases, number: int, at: tuple[str, ...], clause: str) -> Iterator[Edit[tuple[Branch, ...]]]:
    branch, rest = effect.cases[number], effect.cases[number + 1 :]
    before, own = effect.cases[:number], branch.clause or clause
    place = locate_branch(effect, number, at)
    if branch.when is not None:
        if place.whole:
            yield Edit(
                "drop-row",
                own,
                place.whole,
                unparse_expression(branch.when),
                "",
                None,
                (*before, *rest),
                was=branch.when,
            )
        for edit in _edit_condition(branch.when, place.condition, own):
            yield edit.around((*before, replace(branch, when=edit.made), *rest))
    for inner in _edit_effects(branch.body, place.body, own):
        yield inner.around((*before, replace(branch, body=inner.made), *rest))


# What is shown -----------------------------------------------------------------------------


def _of_shows(section: str, shows: Sequence[Show]) -> Iterator[Change]:
    for one in shows:
        for edit in _edit_show(one, (section, one.id), one.clause):
            yield edit.within((section, one.id), edit.made)


def _edit_show(one: Show, at: tuple[str, ...], clause: str) -> Iterator[Edit[Show]]:
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


def _edit_condition(condition: Expression, at: tuple[str, ...], clause: str) -> Iterator[Edit[Expression]]:
    """Yield a condition as its contrary, always and never, and with one thing changed in it."""
    yield from tell_edits(condition, edit_condition(condition), at, clause)


def _edit_expression(expression: Expression, at: tuple[str, ...], clause: str) -> Iterator[Edit[Expression]]:
    """Yield an expression with one thing changed in it, at every place, each once."""
    yield from tell_edits(expression, edit_expression(expression), at, clause)
