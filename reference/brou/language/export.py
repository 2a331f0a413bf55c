"""The typed rule base as JSON, for programs that need no parser; its hash is its identity."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from brou.dataclass import fields, is_dataclass
from brou.errors import Place
from brou.language import tree
from brou.language.codec import Json
from brou.language.effects import Add, Assign, Cases, Draw, Effect, For, Goto, Let, Move, Reset, Target, operand
from brou.language.recent import Recent
from brou.language.syntax import Action, Attribute, Function, Game, Param, Phase, Show, Table, Variable
from brou.language.types import Int, Named, Type

FORMAT = "brou-ir/1"

#: How rules are told, how a deal is entered in short, how answers are counted: nothing of it changes what is played.
_BESIDE = ("exception", "phrases", "say", "skill", "summary")


def export_rules(game: Game) -> dict[str, Json]:
    """Return all that is played as JSON; ids, clauses and types stay, places in files and words for people do not."""
    body = {name: _plain(part) for name, part in _sections(game).items()}
    return {"format": FORMAT, "hash": identity(game), **body}


def identity(game: Game) -> str:
    """Return the hash of a rule base: equal rules have equal hashes, regardless of their order and their texts."""
    written = {name: write_part(part) for name, part in _sections(game).items()}
    text = "{" + ",".join(f'"{name}":{written[name]}' for name in sorted(written)) + "}"
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _sections(game: Game) -> dict[str, object]:
    """Return the parts of a rule base that count for its identity."""
    parts_ = {field.name: getattr(game, field.name) for field in fields(game) if field.name not in _BESIDE}
    return {**parts_, "begin": next(iter(game.phases))}


#: What is most of a rule base, and mostly the same in its variants.
_RECORDS = (Function, Table, Action, Phase, Show, Variable, Param, Attribute)
#: How records were written lately.
_LATELY: Recent[str] = Recent(maxsize=4096)


def write_part(part: object) -> str:
    """Return a part of a rule base as the hash takes it: keys in alphabetical order, no blanks."""
    if isinstance(part, Mapping) and all(isinstance(one, _RECORDS) for one in part.values()):
        return "{" + ",".join(f"{json.dumps(name)}:{_record(part[name])}" for name in sorted(part)) + "}"
    if isinstance(part, tuple) and all(isinstance(one, _RECORDS) for one in part):
        return "[" + ",".join(map(_record, part)) + "]"
    return _record(part)


def _record(record: object) -> str:
    """Return a record, or a part that holds none, as the hash takes it, written once."""
    return _LATELY.find("", record) or _LATELY.keep(_dump(record), "", record)


def _dump(part: object) -> str:
    return json.dumps(_plain(part), sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _plain(value: object) -> Json:  # noqa: C901 - one kind of value a case
    if isinstance(value, tree.Expression):
        return _expression(value)
    if isinstance(value, Effect):
        return _effect(value)
    match value:
        case Target():
            return _expression(value.expression)
        case Named():
            return {"name": value.name, "values": list(value.members)} if value.name != "card" else {"name": "card"}
        case Int():
            return {"name": str(value), "from": value.low, "to": value.high}
        case Type():
            return {"name": str(value)}
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case tuple():
            return [_plain(item) for item in value]
        case frozenset():
            return [*sorted(map(str, value))]
    if is_dataclass(value):
        return {
            f.name: _plain(getattr(value, f.name))
            for f in fields(value)
            if f.name not in _BESIDE and not isinstance(getattr(value, f.name), Place)
        }
    if value is None or isinstance(value, (int, str)):
        return value
    raise TypeError(f"rules hold no {type(value).__name__}")


def _expression(expression: tree.Expression) -> dict[str, Json]:
    """Return an expression with the keys that its operation uses."""
    plain: dict[str, Json] = {"op": expression.op, "type": str(expression.type)}
    if isinstance(expression, tree.Literal):
        plain["value"] = _plain(expression.value)
    name, inside = _name(expression), tree.parts(expression)
    if name:
        plain["name"] = name
    if isinstance(expression, (tree.Quantified, tree.Extreme, tree.Comprehension, tree.Best)):
        plain["bound"] = expression.bound
    if inside:
        plain["parts"] = [_expression(part) for part in inside]
    return plain


def _name(expression: tree.Expression) -> str:
    """Return what tells operations of one form apart."""
    match expression:
        case tree.Compare() | tree.Arithmetic():
            return expression.operator
        case tree.Quantified() | tree.Extreme():
            return expression.quantifier
        case tree.Comprehension():
            return "set"
    return expression.name if isinstance(expression, tree.Naming) else ""


def _effect(effect: Effect) -> dict[str, Json]:
    """Return an effect; the format has the keys of all forms in each."""
    return {
        "id": effect.id,
        "op": effect.op,
        "clause": effect.clause,
        "name": _find_name(effect),
        "target": _plain(effect.target) if isinstance(effect, (Assign, Add, Move, Draw)) else None,
        "source": _plain(effect.source) if isinstance(effect, (Move, Draw)) else None,
        "value": _plain(operand(effect)),
        "body": _plain(effect.body) if isinstance(effect, For) else [],
        "cases": _plain(effect.cases) if isinstance(effect, Cases) else [],
    }


def _find_name(effect: Effect) -> str:
    """Return the local, scope or phase that an effect is about."""
    match effect:
        case Let() | For():
            return effect.name
        case Reset():
            return effect.scope
        case Goto():
            return effect.phase
    return ""
