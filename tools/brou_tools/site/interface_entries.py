"""Entries of the page on the interface: each name with its signature, its promise, and its public members."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

from docutils import nodes

from brou_tools.site.sphinx_nodes import make_paragraph

#: How long the value of a constant, or the members of a union, may be to be shown.
_LONGEST = 100
#: A type that stands in quotes in a signature.
_QUOTED = re.compile(r"(: |-> )'([^']*)'")


def describe_names(module: str, names: Sequence[str]) -> nodes.definition_list:
    """Return an entry a name; raise `AttributeError` for one that the module does not have."""
    home = import_module(module)
    return nodes.definition_list("", *(_describe(name, getattr(home, name)) for name in names))


def _describe(name: str, value: object) -> nodes.definition_list_item:
    """Return the entry of a name."""
    head, told = tell_head(name, value), inspect.getdoc(value) if callable(value) else None
    body: list[nodes.Node] = [make_paragraph(" ".join(part.split())) for part in (told or "").split("\n\n") if part]
    members = list(_list_members(value)) if inspect.isclass(value) else []
    if members:
        body.append(nodes.bullet_list("", *(nodes.list_item("", one) for one in members)))
    return nodes.definition_list_item("", nodes.term("", "", nodes.literal(text=head)), nodes.definition("", *body))


def tell_head(name: str, value: object) -> str:
    """Return a name as code writes it: a callable with the types of its arguments and its value."""
    if inspect.isclass(value):
        return f"class {name}{_sign(value) if _has_constructor(value) else ''}"
    if inspect.isroutine(value):
        return f"{name}{_sign(value)}"
    shown = value if isinstance(value, str) and not value.isidentifier() else repr(value)
    return f"{name} = {shown}" if len(str(shown)) <= _LONGEST else name


def _has_constructor(kind: type) -> bool:
    """Say whether a class is made with arguments of its own; an exception, a kind of text and a protocol are not."""
    return not issubclass(kind, (BaseException, str)) and not getattr(kind, "_is_protocol", False)


def _sign(value: Callable[..., Any]) -> str:
    """Return the signature of a callable, of a class without the type of its value."""
    if inspect.isclass(value) and is_dataclass(value):
        kinds = reversed(inspect.getmro(value))
        types = {name: kind for one in kinds for name, kind in inspect.get_annotations(one).items()}
        return f"({', '.join(f'{one.name}: {types[one.name]}' for one in fields(value) if one.init)})"
    signature = inspect.signature(value)
    shown = signature.replace(return_annotation=signature.empty) if inspect.isclass(value) else signature
    return _QUOTED.sub(r"\1\2", str(shown))


def _list_members(kind: type) -> Iterator[nodes.paragraph]:
    """Yield the public methods and properties of a class, each with its first sentence."""
    for name, member in vars(kind).items():
        method = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        told = inspect.getdoc(method)
        if name.startswith("_") or not told or not (inspect.isfunction(method) or isinstance(method, property)):
            continue
        sign = "" if isinstance(method, property) else _sign(method).replace("(self, ", "(").replace("(self)", "()")
        yield make_paragraph(f"`{name}{sign}` {told.splitlines()[0]}")
