"""From nodes to the classes of the notation: every fault names file and line and says what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar

import msgspec

from brou.chapters.notation import (
    ActorsEntry,
    ActorsForm,
    CaseEntry,
    CaseForm,
    DomainEntry,
    DomainForm,
    NumberEntry,
    PictureForm,
    RanksEntry,
    ReadingsEntry,
    Shape,
    ShownEntry,
)
from brou.chapters.tokens import Keyword, Snippet, Token, Tokens
from brou.errors import NOWHERE, Fault, Invalid, Malformed, Place, ask_if_meant, nearest
from brou.language.advice import explain_syntax, is_of_another_language
from brou.language.expression import MAX_LENGTH
from brou.language.node import Node

Decoded = TypeVar("Decoded", bound=Shape)
#: A node without its places but for those of its words.
_Raw: TypeAlias = "None | Token | list[_Raw] | dict[str, _Raw]"

_STEP = re.compile(r"\.(\w+)|\[(\d+)\]|\[(\.\.\.)\]")
_MISSING = re.compile(r"missing required field `([^`]*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `([^`]*)`")


def decode_node(node: Node, form: type[Decoded]) -> Decoded:
    """Return a node as an instance of a class of the notation, or raise the faults of its shape."""
    raw = _raw(node)
    try:
        return msgspec.convert(raw, form, strict=False, dec_hook=_hook)
    except msgspec.ValidationError as error:
        fault = _fault(node, form, str(error))
        if isinstance(misfit := error.__cause__, _Misfit):
            fault = Fault(misfit.place, fault.what, misfit.instead or fault.instead)
        raise Malformed([fault]) from error


class _Misfit(ValueError):
    """A scalar that is not of the form that is wanted: msgspec tells where, and loses the place below names."""

    def __init__(self, what: str, place: Place, instead: str = "") -> None:
        super().__init__(what)
        self.place, self.instead = place, instead


def _raw(node: Node) -> _Raw:
    if isinstance(node.value, dict):
        return {key: _raw(member) for key, member in node.value.items()}
    if isinstance(node.value, tuple):
        return [_raw(member) for member in node.value]
    if node.value is None:
        return None
    text = {True: "True", False: "False"}[node.value] if isinstance(node.value, bool) else node.text
    return Token.at(text, node.place)


def _hook(type_: type, raw: object) -> object:
    """Build a value of a type that msgspec does not decode itself."""
    return _decode_keyword(raw, type_) if issubclass(type_, Keyword) else _HOOKS[type_](raw)


def _decode_keyword(raw: object, type_: type[Keyword]) -> Keyword:
    word = _scalar(raw, "a word")
    if word not in type_.options:
        meant = nearest(word, type_.options)
        instead = f"write {meant[0]}" if meant else ""
        raise _Misfit(f"Expected one of {', '.join(type_.options)}, not {str(word)!r}", word.place, instead)
    return type_.at(word, word.place)


def _word(raw: object) -> Token:
    return _scalar(raw, "a word")


def _scalar(raw: object, wanted: str) -> Token:
    if not isinstance(raw, Token):
        raise ValueError(f"Expected {wanted}")  # noqa: TRY004 - msgspec tells a ValueError with its path
    return raw


def _words(raw: object) -> Tokens:
    return Tokens(map(_word, raw)) if isinstance(raw, list) else Tokens((_word(raw),))


def _decode_snippet(raw: object) -> Snippet:
    scalar = _scalar(raw, "an expression, in quotes if it begins with [ or {")
    # Types stand in snippets, too; what no sign tells to be another language is left to the loader.
    if is_of_another_language(scalar) and len(scalar) <= MAX_LENGTH and (told := explain_syntax(scalar)):
        raise _Misfit(told[0], scalar.place, told[1])
    return Snippet.at(scalar, scalar.place)


def _numbers(raw: object) -> NumberEntry:
    return NumberEntry(_number(raw))


def _number(raw: object) -> Node:
    if isinstance(raw, list):
        members = tuple(map(_number, raw))
        return Node(members, members[0].place if members else NOWHERE)
    word = _word(raw)
    if not re.fullmatch(r"-?[0-9]{1,18}", word):
        instead = "write it in digits, as in `hand: 5`; names of numbers are for expressions"
        raise _Misfit(f"Expected a number, not {str(word)!r}", word.place, instead)
    return Node(int(word), word.place)


def _ranks(raw: object) -> RanksEntry:
    if not isinstance(raw, dict):
        return RanksEntry(_word(raw))
    return RanksEntry({key: _word(member) for key, member in raw.items()})


def _decode_readings(raw: object) -> ReadingsEntry:
    return ReadingsEntry({key: _word(one) for key, one in raw.items()} if isinstance(raw, dict) else _word(raw))


def _convert(raw: object, form: type[Decoded]) -> Decoded:
    return msgspec.convert(raw, form, strict=False, dec_hook=_hook)


def _ranging(raw: object) -> DomainEntry:
    return DomainEntry(_convert(raw, DomainForm) if isinstance(raw, dict) else DomainForm(within=_decode_snippet(raw)))


def _acting(raw: object) -> ActorsEntry:
    return ActorsEntry(_convert(raw, ActorsForm) if isinstance(raw, dict) else ActorsForm(who=_decode_snippet(raw)))


def _decode_case(raw: object) -> CaseEntry:
    return CaseEntry(_convert(raw, CaseForm) if isinstance(raw, dict) else CaseForm(gives=_decode_snippet(raw)))


def _decode_shown(raw: object) -> ShownEntry:
    if not isinstance(raw, dict):
        return ShownEntry(_decode_snippet(raw))
    if "show" in raw:
        return ShownEntry(_convert(raw, PictureForm))
    return ShownEntry({key: _decode_shown(member) for key, member in raw.items()})


_HOOKS: Mapping[type, Callable[[object], object]] = {
    Token: _word,
    Tokens: _words,
    Snippet: _decode_snippet,
    NumberEntry: _numbers,
    RanksEntry: _ranks,
    ReadingsEntry: _decode_readings,
    DomainEntry: _ranging,
    ActorsEntry: _acting,
    CaseEntry: _decode_case,
    ShownEntry: _decode_shown,
}


# Faults -----------------------------------------------------------------------


def _fault(node: Node, form: type[Shape], message: str) -> Fault:
    what, _, path = message.partition(" - at `$")
    node, form_ = _at(node, path.rstrip("`")), form
    unknown = _UNKNOWN.match(what)
    if unknown is None:
        return Fault(node.place, what[0].lower() + what[1:], _propose(what))
    key = unknown[1]
    keys = _keys(form_) if not path else ()
    meant = nearest(key, keys) if keys else []
    instead = ask_if_meant(meant) or "leave it out; docs/language.md has the keys"
    found = _find(node, key)
    if not meant and found is not None and found.fields[key].value is None:
        instead = "a comma begins a new key here: leave it out, or put a text with commas in quotes"
    return Fault(_place_of(node, key), f"unknown key {key!r}", instead)


#: What to write instead, by the form that is wanted and what stands there.
_FORMS = {
    ("`object`", "`array`"): "write `key: value` pairs and no list",
    ("`object`", "`str`"): "write `key: value` pairs and no single word",
    ("`array`", "`object`"): "write a list: `- item` lines, or [a, b]",
    ("`array`", "`str`"): "write a list: `- item` lines, or [a, b]",
}


def _propose(what: str) -> str:
    """Return what to write instead, for a sentence of msgspec."""
    if missing := _MISSING.search(what):
        return f"write `{missing[1]}:` and what it says; docs/language.md has the keys"
    wanted = next((instead for form, instead in _FORMS.items() if what == f"Expected {form[0]}, got {form[1]}"), "")
    return wanted or "docs/language.md has the keys and their values"


def _place_of(node: Node, key: str) -> Place:
    found = _find(node, key)
    return node.place if found is None else found.find_key(key)


def _find(node: Node, key: str) -> Node | None:
    """Return the first mapping with a key of that name, from a node on downwards."""
    members = node.value
    if isinstance(members, dict):
        inside = (one for member in members.values() if (one := _find(member, key)))
        return node if key in members else next(inside, None)
    return next((one for item in members if (one := _find(item, key))), None) if isinstance(members, tuple) else None


def _keys(form: type[Shape]) -> tuple[str, ...]:
    return tuple(one.encode_name for one in msgspec.structs.fields(form))


def _at(node: Node, path: str) -> Node:
    """Return the node at a path as msgspec writes it, or the nearest above it that can be found."""
    for key, index, _ in _STEP.findall(path):
        if key and isinstance(node.value, dict) and key in node.value:
            node = node.value[key]
        elif index and isinstance(node.value, tuple):
            node = node.value[int(index)]
        else:
            return node
    return node


def refuse(place: Place, what: str, instead: str = "") -> Invalid:
    """Return the error of one fault."""
    return Invalid([Fault(place, what, instead)])
