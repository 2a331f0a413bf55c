"""Changes that put a name of the game in a wrong place: a condition, a figure, a seat, a function or a duty."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from brou.dataclass import replace
from brou.games.change import EFFECT_KEYS, Change, Edit, choose_records, replace_operand, tell_edits
from brou.games.vocabulary import GameLexicon, list_locals
from brou.interpreter.varied import Record
from brou.language.effects import (
    Effect,
    name_effect,
    operand,
)
from brou.language.syntax import Game, Row, Table
from brou.language.tree import And, Expression, Literal, Not
from brou.language.types import BOOL
from brou.language.unparse import show


def misplace_names(game: Game, within: Collection[Record] | None = None) -> Iterator[Change]:
    """Yield the changes that say something else with names of the game: conditions, figures, seats and duties."""
    own = GameLexicon(game)
    for table in choose_records("tables", game.tables.values(), within):
        yield from _of_rows(own, table)
    for function in choose_records("functions", game.functions.values(), within):
        record, known = ("functions", function.id), list_locals(function.arguments)
        at, body = (*record, "is"), function.body
        edits = [own.misname(body, known)]
        if function.exception:
            edits.append(own.extend(body, known, own.find_near(*own.find_tables(function.id)) - {function.id}))
        for edit in tell_edits(body, chain(*edits), at, function.clause):
            yield edit.within(record, replace(function, body=edit.made))
    for action in choose_records("actions", game.actions.values(), within):
        record = ("actions", action.id)
        for edit in tell_edits(action.legal, own.oblige(action), (*record, "legal"), action.clause):
            yield edit.within(record, replace(action, legal=edit.made))
        for effects in _rename_effects(own, action.do, (*record, "do"), action.clause):
            yield effects.within(record, replace(action, do=effects.made))
    for phase in choose_records("phases", game.phases.values(), within):
        record = ("phases", phase.id)
        for effects in _rename_effects(own, phase.do, (*record, "do"), phase.clause):
            yield effects.within(record, replace(phase, do=effects.made))


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
    refusing = [row for row in table.rows if row.when is not None and show(row.then) == "False"]
    if table.policy == "first":
        for code in dict.fromkeys(row.code for row in refusing):
            named = [row for row in refusing if row.code == code]
            if code and len(named) > 1:
                yield _lift(table, named)
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
                edit = Edit("every-row", *told, "", first.when, made[first.id], sites[1:])
                yield edit.within(whole, edit.made)


def _lift(table: Table, rows: Sequence[Row]) -> Change:
    """Return the change that none of some rows ever holds: a duty is gone, with all that it says."""
    whole, never = ("tables", table.id), Literal(BOOL, False)  # noqa: FBT003 - a value of the language
    names, first = [row.id for row in rows], rows[0]
    made = tuple(replace(row, when=never) if row.id in names else row for row in table.rows)
    sites = tuple(((*whole, "rows", name, "when"), show(never)) for name in names)
    before = show(first.when) if first.when is not None else ""
    # Special cases stand first: the last row is the duty itself.
    clause = rows[-1].clause or table.clause
    told = (clause, sites[0][0], before, show(never), show(never), replace(table, rows=made))
    edit = Edit("no-duty", *told, "", first.when, never, sites[1:])
    return edit.within(whole, edit.made)


def _join(condition: Expression, more: Expression) -> Expression:
    held = condition.conditions if isinstance(condition, And) else (condition,)
    return And(BOOL, (*held, more))


def _rename_effects(
    own: GameLexicon, body: tuple[Effect, ...], at: tuple[str, ...], clause: str
) -> Iterator[Edit[tuple[Effect, ...]]]:
    """Yield effects with another name in one value, on the first level."""
    for number, effect in enumerate(body):
        value = operand(effect)
        if value is None:
            continue
        here = (*at, effect.id, EFFECT_KEYS[effect.op])
        for edit in tell_edits(value, own.misname(value, {}), here, effect.clause or clause):
            made = (*body[:number], replace_operand(effect, edit.made), *body[number + 1 :])
            yield replace(edit.around(made), part=name_effect(effect))
