"""Changes that put a name of the game in a wrong place: a condition, a figure, a seat, a function or a duty."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from brou.dataclass import replace
from brou.games.change import (
    EFFECT_KEYS,
    BranchPlace,
    Change,
    Edit,
    choose_records,
    locate_branch,
    replace_operand,
    tell_edits,
)
from brou.games.vocabulary import GameLexicon, list_locals
from brou.interpreter.varied import Record
from brou.language.effects import Add, Assign, Branch, Cases, Effect, For, Let, name_effect, operand
from brou.language.syntax import Action, Function, Game, Row, Show, Table
from brou.language.tree import And, Expression, Literal, Not
from brou.language.types import BOOL, Domain, Int, Type
from brou.language.unparse import unparse_expression

_NOTHING_ADDED = Literal(Int(), 0, "0")


def misplace_names(game: Game, within: Collection[Record] | None = None) -> Iterator[Change]:
    """Yield the changes that say something else with names of the game: conditions, figures, seats and duties."""
    own = GameLexicon(game)
    for table in choose_records("tables", game.tables.values(), within):
        yield from _of_rows(own, table)
    for function in choose_records("functions", game.functions.values(), within):
        yield from _of_function(own, function)
    for action in choose_records("actions", game.actions.values(), within):
        yield from _of_action(own, action)
    for phase in choose_records("phases", game.phases.values(), within):
        record = ("phases", phase.id)
        for effects in _rename_effects(own, phase.do, (*record, "do"), phase.clause, {}):
            yield effects.within(record, replace(phase, do=effects.made))
    for section, shows in (("view", game.view), ("score", game.score)):
        for one in choose_records(section, shows, within):
            for shown in _reckon_shown(own, one, (section, one.id), one.clause):
                yield shown.within((section, one.id), shown.made)


def _of_function(own: GameLexicon, function: Function) -> Iterator[Change]:
    record, known = ("functions", function.id), list_locals(function.arguments)
    body = function.body
    edits = [own.misname(body, known), own.reckon(body, known)]
    if function.exception:
        edits.append(own.extend(body, known, own.find_near(*own.find_tables(function.id)) - {function.id}))
    for edit in tell_edits(body, chain(*edits), (*record, "is"), function.clause):
        yield edit.within(record, replace(function, body=edit.made))


def _of_action(own: GameLexicon, action: Action) -> Iterator[Change]:
    record, known = ("actions", action.id), own.find_own(action)
    others = (("actor", one.by) for one in own.game.actions.values() if one.by != action.by)
    everybody = chain(others, own.misname(action.by, {}))
    for edit in tell_edits(action.by, everybody, (*record, "by", "who"), action.by_clause or action.clause):
        yield edit.within(record, replace(action, by=edit.made))
    allowed = chain(own.allow_less(action.legal, known), own.oblige(action))
    for edit in tell_edits(action.legal, allowed, (*record, "legal"), action.clause):
        yield edit.within(record, replace(action, legal=edit.made))
    for effects in _rename_effects(own, action.do, (*record, "do"), action.clause, known):
        yield effects.within(record, replace(action, do=effects.made))


def _of_rows(own: GameLexicon, table: Table) -> Iterator[Change]:
    whole, known, rows, near = ("tables", table.id), list_locals(table.arguments), table.rows, own.find_near(table.id)
    for number, row in enumerate(rows):
        at, clause = (*whole, "rows", row.id), row.clause or table.clause

        def put(one: Row, number: int = number) -> Table:
            return replace(table, rows=(*rows[:number], one, *rows[number + 1 :]))

        if row.when is not None:
            edits = chain(own.extend(row.when, known, near), own.misname(row.when, known))
            for edit in tell_edits(row.when, edits, (*at, "when"), clause):
                yield replace(edit, part=row.id).within(whole, put(replace(row, when=edit.made)))
        key = "else" if row.when is None else "then"
        part = "" if table.policy == "unique" else row.id
        for edit in tell_edits(row.then, own.misname(row.then, known), (*at, key), clause):
            yield replace(edit, part=part).within(whole, put(replace(row, then=edit.made)))
    yield from _of_refusals(own, table)


def _of_refusals(own: GameLexicon, table: Table) -> Iterator[Change]:
    """Yield the same condition beside those of all rows that refuse, from one of them on: an exception from them."""
    whole, known = ("tables", table.id), list_locals(table.arguments)
    refusing = [row for row in table.rows if row.when is not None and unparse_expression(row.then) == "False"]
    if table.policy == "first":
        for code in dict.fromkeys(row.code for row in refusing):
            named = [row for row in refusing if row.code == code]
            if code and len(named) > 1:
                yield _lift(table, named)
    if table.policy != "first" or len(refusing) < 2:
        return
    held = {row.id: {unparse_expression(one) for one in _split(row.when)} for row in refusing if row.when is not None}
    for condition in own.conditions(known, own.find_near(table.id)):
        for more in (condition, Not(BOOL, condition)):
            said = unparse_expression(more)
            for number in range(len(refusing) - 1):
                changed = [row for row in refusing[number:] if said not in held[row.id]]
                made = {row.id: _join(row.when, more) for row in changed if row.when is not None}
                rows = tuple(replace(row, when=made.get(row.id, row.when)) for row in table.rows)
                sites = tuple(((*whole, "rows", name, "when"), unparse_expression(when)) for name, when in made.items())
                if not changed or (when := changed[0].when) is None:
                    continue
                first, (at, after) = changed[0], sites[0]
                told = (
                    first.clause or table.clause,
                    at,
                    unparse_expression(when),
                    after,
                    after,
                    replace(table, rows=rows),
                )
                edit = Edit("every-row", *told, "", when, made[first.id], sites[1:])
                yield edit.within(whole, edit.made)


def _lift(table: Table, rows: Sequence[Row]) -> Change:
    """Return the change that none of some rows ever holds: a duty is gone, with all that it says."""
    whole, never = ("tables", table.id), Literal(BOOL, False)  # noqa: FBT003 - a value of the language
    names, first = [row.id for row in rows], rows[0]
    made = tuple(replace(row, when=never) if row.id in names else row for row in table.rows)
    sites = tuple(((*whole, "rows", name, "when"), unparse_expression(never)) for name in names)
    before = unparse_expression(first.when) if first.when is not None else ""
    # Special cases stand first: the last row is the duty itself.
    clause = rows[-1].clause or table.clause
    told = (
        clause,
        sites[0][0],
        before,
        unparse_expression(never),
        unparse_expression(never),
        replace(table, rows=made),
    )
    edit = Edit("no-duty", *told, "", first.when, never, sites[1:])
    return edit.within(whole, edit.made)


def _split(condition: Expression) -> tuple[Expression, ...]:
    """Return the conditions that all must hold."""
    return condition.conditions if isinstance(condition, And) else (condition,)


def _join(condition: Expression, more: Expression) -> Expression:
    return And(BOOL, (*_split(condition), more))


def _rename_effects(
    own: GameLexicon, body: tuple[Effect, ...], at: tuple[str, ...], clause: str, known: Mapping[str, Type]
) -> Iterator[Edit[tuple[Effect, ...]]]:
    """Yield effects with another name in one value or condition, another figure, or a value that comes less often."""
    known = dict(known)
    for number, effect in enumerate(body):
        here, cited = (*at, effect.id), effect.clause or clause
        for edit in _rename_effect(own, effect, here, cited, known):
            made = edit.around((*body[:number], edit.made, *body[number + 1 :]))
            yield made if made.part else replace(made, part=name_effect(effect))
        if isinstance(effect, Let):
            known[effect.name] = effect.value.type


def _rename_effect(
    own: GameLexicon, effect: Effect, at: tuple[str, ...], clause: str, known: Mapping[str, Type]
) -> Iterator[Edit[Effect]]:
    value = operand(effect)
    if value is not None:
        edits = [own.misname(value, known)]
        if isinstance(effect, (Assign, Add)):
            otherwise = effect.target.expression if isinstance(effect, Assign) else _NOTHING_ADDED
            edits += [own.reckon(value, known), own.restrain(value, otherwise, known)]
        for edit in tell_edits(value, chain(*edits), (*at, EFFECT_KEYS[effect.op]), clause):
            yield edit.around(replace_operand(effect, edit.made))
    if isinstance(effect, For):
        inside = {**known, effect.name: _find_member(effect.domain.type)}
        for inner in _rename_effects(own, effect.body, (*at, "do"), clause, inside):
            yield inner.around(replace(effect, body=inner.made))
    elif isinstance(effect, Cases):
        for number, branch in enumerate(effect.cases):
            for one in _rename_branch(own, branch, locate_branch(effect, number, at), branch.clause or clause, known):
                yield one.around(replace(effect, cases=(*effect.cases[:number], one.made, *effect.cases[number + 1 :])))


def _rename_branch(
    own: GameLexicon, branch: Branch, at: BranchPlace, clause: str, known: Mapping[str, Type]
) -> Iterator[Edit[Branch]]:
    if branch.when is not None:
        edits = chain(own.misname(branch.when, known), own.allow_less(branch.when, known))
        for edit in tell_edits(branch.when, edits, at.condition, clause):
            yield edit.around(replace(branch, when=edit.made))
    for inner in _rename_effects(own, branch.body, at.body, clause, known):
        yield inner.around(replace(branch, body=inner.made))


def _find_member(type_: Type) -> Type:
    """Return the type of the members of a domain; of cards their own type, which no name of the game takes."""
    return type_.element if isinstance(type_, Domain) else type_


# What is shown -----------------------------------------------------------------------------


def _reckon_shown(
    own: GameLexicon, one: Show, at: tuple[str, ...], clause: str, known: Mapping[str, Type] | None = None
) -> Iterator[Edit[Show]]:
    """Yield a show with another figure, or with another name."""
    known, cited = dict(known or {}), one.clause or clause
    for number, field in enumerate(one.fields):
        for inner in _reckon_shown(own, field, (*at, field.id), cited, known):
            yield inner.around(replace(one, fields=(*one.fields[:number], inner.made, *one.fields[number + 1 :])))
    if one.inner is not None:
        if one.domain is not None:
            known[one.each] = _find_member(one.domain.type)
        for inner in _reckon_shown(own, one.inner, (*at, "show"), cited, known):
            yield inner.around(replace(one, inner=inner.made))
    if one.value is not None:
        edits = chain(own.misname(one.value, known), own.reckon(one.value, known))
        for edit in tell_edits(one.value, edits, at, cited):
            yield edit.around(replace(one, value=edit.made))
