"""Modules of the prelude, put into a game: numbers and clauses take the places of the slots."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import TypeVar, cast

import msgspec

from brou.chapters.decode import refuse
from brou.chapters.notation import Alternative, Shape
from brou.chapters.prelude_notation import ModuleForm, ModuleRule
from brou.chapters.terms import replace_names
from brou.chapters.tokens import Snippet, Token, Tokens
from brou.errors import Place, ask_if_meant, nearest
from brou.language.recent import Recent

_Part = TypeVar("_Part")

#: What is put into a slot that cites: the id of a clause. All else stands in expressions.
_CLAUSE = re.compile(r"[a-z]+\.[0-9]+(\.[a-z])?\Z")


#: Modules that were filled lately.
_LATELY: Recent[ModuleForm] = Recent(maxsize=64)


def fill(module: ModuleForm, given: Mapping[str, Token], place: Place) -> ModuleForm:
    """Return a module with its slots filled: labels begin with its name, clauses are those of the game."""
    return _LATELY.find("", module, given) or _LATELY.keep(_fill(module, given, place), "", module, given)


def is_clause(word: str) -> bool:
    """Say whether a word is the id of a clause or a question, not the label of a rule of a module."""
    return _CLAUSE.match(word) is not None


def check_cited(given: Mapping[str, Token], written: Collection[str]) -> None:
    """Raise the fault of a slot that is given the id of a clause or a question that is not among the written ones."""
    for word in given.values():
        if is_clause(word) and word not in written:
            question = ask_if_meant(nearest(word, sorted(written)))
            instead = ": ".join(filter(None, ["write it into a chapter, or cite another", question]))
            raise refuse(word.place, f"no clause {str(word)!r}", instead)


def _fill(module: ModuleForm, given: Mapping[str, Token], place: Place) -> ModuleForm:
    given = {**{name: given.get(word, word) for name, word in module.defaults.items()}, **given}
    for name in module.takes:
        if name not in given:
            what = f"{module.module} takes {name} ({module.takes[name]}), which is not given"
            raise refuse(place, what, f"write `{name}:` behind it")
    for name, word in given.items():
        if name not in module.takes:
            raise refuse(word.place, f"{module.module} takes no {name}", f"it takes {', '.join(module.takes)}")
    slots = {name: word for name, word in given.items() if _CLAUSE.match(word)}
    numbers = {name: str(word) for name, word in given.items() if name not in slots}
    filled = map_written(module, lambda written: replace_names(written, numbers))
    return msgspec.structs.replace(
        filled,
        cites=slots.get(module.cites) if module.cites else None,
        about=_list_said(module, slots),
        numbers={name: _fill_slots(text, numbers) for name, text in module.numbers.items()},
        types={name: Tokens(_fill_slots(text, numbers) for text in texts) for name, texts in module.types.items()},
        places=_all_replaced(module.places, numbers),
        keeps=_all_replaced(module.keeps, numbers),
        says={replace_names(expression, numbers): word for expression, word in module.says.items()},
        show=map_named(filled.show, given),
        rules=tuple(_fill_rule(rule, module, slots, given) for rule in filled.rules),
    )


def find_cited(module: ModuleForm, heading: str, place: Place) -> str:
    """Return the clause that says what a named expression of a module means; refuse one without."""
    clause = module.find_clause(heading)
    if not clause:
        raise refuse(place, f"{heading} has no clause", "write it into `about` below a slot, or a slot into `cites`")
    return clause


def _list_said(module: ModuleForm, slots: Mapping[str, Token]) -> dict[str, Tokens]:
    """Return the variables that each clause is about; one clause may stand in several slots."""
    found: dict[str, Tokens] = {}
    for slot, names in module.about.items():
        if slot in slots:
            found[slots[slot]] = Tokens([*found.get(slots[slot], ()), *names])
    return found


def _fill_rule(
    rule: ModuleRule, module: ModuleForm, slots: Mapping[str, Token], given: Mapping[str, Token]
) -> ModuleRule:
    """Return a rule of a module under its label in a game, citing clauses of the game."""
    own = rule.clause or Token.at(rule.rule.split("/")[0], rule.rule.place)
    free = rule.effect is not None and own not in slots
    if own not in slots and not free:
        raise refuse(own.place, f"{own!r} is no slot for a clause", f"slots are {', '.join(slots)}")
    return msgspec.structs.replace(
        map_named(rule, given),
        rule=_label(rule.rule, module),
        phases=Tokens(word if word in slots else given.get(word, word) for word in rule.phases),
        clause=None if free else slots[own],
        lifts=Tokens(_label(word, module) for word in rule.lifts),
        narrows=None if rule.narrows is None else _label(rule.narrows, module),
    )


def _label(word: Token, module: ModuleForm) -> Token:
    return word if "(" in word else Token.at(f"{module.module}.{word}", word.place)


def _fill_slots(word: Token, numbers: Mapping[str, str]) -> Token:
    """Return a type or a number with the slots of a module filled."""
    return Token.at(re.sub(r"[a-z_]+", lambda match: numbers.get(match[0], match[0]), word), word.place)


def _all_replaced(
    kept: Mapping[str, Mapping[str, Token]], numbers: Mapping[str, str]
) -> Mapping[str, Mapping[str, Token]]:
    return {
        scope: {
            str(_fill_slots(Token.at(heading), numbers)): _fill_slots(text, numbers)
            for heading, text in variables.items()
        }
        for scope, variables in kept.items()
    }


def map_written(form: _Part, change: Callable[[str], str]) -> _Part:
    """Return a part of a file with every expression in it changed."""
    return map_parts(form, lambda name, value: _change(name, value, change))


def map_named(form: _Part, instead: Mapping[str, Token]) -> _Part:
    """Return a part of a file with other clauses cited in it, and other phases gone to."""
    return map_parts(form, lambda name, value: _rename(name, value, instead))


def map_parts(form: _Part, change: Callable[[str, object], object]) -> _Part:
    """Return a part of a file in which `change` has replaced each of its members, told by the name of its field."""
    return cast(_Part, _map_parts(form, change, ""))


def _change(name: str, value: object, change: Callable[[str], str]) -> object:
    """Return an expression changed; a loop such as `q in players` is one too, and so is what a step sets or adds to."""
    if isinstance(value, Token) and (isinstance(value, Snippet) or name in ("loop", "each")):
        return type(value).at(change(value), value.place)
    if isinstance(value, Mapping) and name in ("assign", "add"):
        return {change(str(target)): member for target, member in value.items()}
    return value


def _rename(name: str, value: object, instead: Mapping[str, Token]) -> object:
    if name not in ("clause", "go") or not isinstance(value, Token):
        return value
    found = instead.get(value, value)
    return found if (name == "clause") == bool(_CLAUSE.match(found)) else value


def _map_parts(value: object, change: Callable[[str, object], object], name: str) -> object:
    """Return a value in which `change` has replaced each member, told by the name of its field."""
    found = change(name, value)
    if isinstance(found, Shape):
        members = {one: _map_parts(getattr(found, one), change, one) for one in found.__struct_fields__}
        return msgspec.structs.replace(found, **members)
    if isinstance(found, Alternative):
        return type(found)(_map_parts(found.content, change, name))
    if isinstance(found, Mapping):
        return {key: _map_parts(member, change, name) for key, member in found.items()}
    if isinstance(found, tuple) and not isinstance(found, Tokens):
        return tuple(_map_parts(member, change, name) for member in found)
    return found
