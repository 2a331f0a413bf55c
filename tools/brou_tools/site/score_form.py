"""The score sheet of a game as a form: the state before the first deal, and the entries of a deal in short form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from brou import Choice, Game, Json, Node, Words, outside, rules
from brou.language import Entry
from brou.language.types import Array, Bool, Int, Named, Option, Type, element_of, finite


def describe_sheet(choice: Choice, words: Words, ledger: Node | None = None) -> Json:
    """Return the fields of the form as data: key, name and values of each; None where a game has no score sheet.

    Where the table's `ledger` is a slate kept in units of several points, `unit` has the points of one, and `kept` the
    keys of the figures on it.
    """
    game = rules(choice)
    if not game.summary:
        return None
    unit, kept = _read_ledger(game, ledger)
    return {
        "unit": unit,
        "kept": kept,
        "start": list(_list_start(game, words)),
        "entries": [_describe_entry(one, game, words) for one in game.summary.values() if one.parameters],
    }


def _read_ledger(game: Game, ledger: Node | None) -> tuple[int, list[Json]]:
    """Return the points of a unit of a slate, and the keys of the figures on it; 1 and none for other ledgers."""
    if ledger is None or ledger.string("form") != "slate" or not ledger.string("unit"):
        return 1, []
    unit = game.params[ledger.string("unit")].value
    return int(str(unit)), [key for name in ("accounts", "within") if (key := ledger.string(name))]


def _list_start(game: Game, words: Words) -> Iterator[Json]:
    """Yield what a record may say of the moment before its first deal."""
    for name, kept in game.start.given.items():
        type_ = game.state[kept].type
        told: dict[str, Json] = {"key": name, "name": words.capital(words.name("fields", kept)), "many": False}
        if isinstance(type_, Array):
            each = _describe_type(type_.index, words)
            yield {**told, "each": each, "fields": [{"key": name, **_describe_type(type_.element, words)}]}
        else:
            yield {**told, "each": None, "fields": [{"key": name, **_describe_type(type_, words)}]}


def _describe_entry(entry: Entry, game: Game, words: Words) -> Json:
    each: Json = None
    if entry.each and entry.domain is not None:
        each = _describe_type(element_of(entry.domain.type, game.types["card"]) or entry.domain.type, words)
    return {
        "key": outside(entry.id),
        "name": words.capital(words.text(entry.say) or outside(entry.id)),
        "many": entry.many,
        "settles": entry.settles,
        "each": each,
        "fields": [
            {"key": outside(one.id), "name": words.name("fields", one.id), **_describe_type(one.type, words)}
            for one in entry.parameters
        ],
    }


def _describe_type(type_: Type, words: Words) -> dict[str, Json]:
    """Return how a value is put in: one of a list, by names, or a number between two others."""
    match type_:
        case Option(inner):
            return _describe_type(inner, words)
        case Bool():
            both: list[Json] = [{"value": one, "name": words.value(type_, one)} for one in (True, False)]
            return {"type": "bool", "values": both}
        case Int(low=low, high=high):
            return {"from": low, "to": high}
        case _:
            kind = type_.name if isinstance(type_, Named) else ""
            listed: list[Json] = [
                {"value": outside(one) if isinstance(one, str) else cast("Json", one), "name": words.value(type_, one)}
                for one in finite(type_) or ()
            ]
            return {"type": kind, "values": listed}
