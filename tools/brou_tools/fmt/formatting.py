"""One file in its one form: refused where it cannot be read, and where the form would say something else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import yaml

from brou import Fault, Malformed, Node, Place
from brou.chapters import FORMS, Alternative, Shape, decode_node
from brou.language import parse_yaml
from brou_tools.fmt.layout import write_file
from brou_tools.fmt.modeline import find_modeline, lead_with_modeline
from brou_tools.fmt.tree import list_remarks, read_tree

#: The kinds of chapter file by what their key `format` says.
_FORMATS: Mapping[str, type[Shape]] = {f"brou-{name}/2": form for name, form in FORMS.items()}


def find_form(node: Node) -> type[Shape] | None:
    """Return the kind of a chapter file; None for another file."""
    said = node.value.get("format") if isinstance(node.value, dict) else None
    return None if said is None else _FORMATS.get(said.text if isinstance(said.value, str) else "")


def format_text(raw: bytes, name: str, size: int = 0, folder: Path | None = None) -> str:
    """Return the content of a chapter file in its one form; raise `Malformed` where that cannot be.

    `name` is how messages call the file, `size` how many bytes it has, where more than `raw`, and `folder` where it
    lies. The form says what the file says, to our own reader and to any other, and has the same comments, led by the
    modeline for editors if the folder or one above it has schemas.
    """
    node = parse_yaml(raw, name, size)
    form = find_form(node)
    if form is None:
        raise Malformed([Fault(node.place, "no chapter file", f"its `format` is to be one of {', '.join(_FORMATS)}")])
    said = decode_node(node, form)
    text = "".join(f"{line}\n" for line in re.split(r"\r\n?|\n", raw.decode("utf-8").removeprefix("\ufeff").rstrip()))
    text = lead_with_modeline(text, None if folder is None else find_modeline(form, folder))
    written = write_file(read_tree(text, node), form)
    try:
        again = parse_yaml(written, name)
    except Malformed as error:
        raise _refuse(name, node, f"the formatted text cannot be read back ({error})") from error
    if again.plain() != node.plain() or _spell(decode_node(again, form)) != _spell(said):
        raise _refuse(name, _find_other(node, again), "the formatted text would say something else")
    if yaml.load(written, getattr(yaml, "CSafeLoader", yaml.SafeLoader)) != node.plain():  # noqa: S506 - a safe one
        raise _refuse(name, node, "its form would say something else to other readers of YAML")
    if list_remarks(written) != list_remarks(text):
        raise _refuse(name, node, "its form would lack comments, or change them")
    return written


def _refuse(name: str, node: Node, why: str) -> Malformed:
    place = Place(name, node.place.line, node.place.column)
    return Malformed([Fault(place, f"cannot be formatted: {why}", "write this place more simply, and report it")])


def _spell(value: object) -> object:
    """Return the content of a file so that two are equal only if the keys of their mappings have the same order."""
    if isinstance(value, Shape):
        return [_spell(getattr(value, name)) for name in value.__struct_fields__]
    if isinstance(value, Mapping):
        return [(key, _spell(one)) for key, one in value.items()]
    if isinstance(value, Alternative):
        return _spell(value.content)
    if isinstance(value, Node):
        return value.plain()
    return [*map(_spell, value)] if isinstance(value, tuple) else value


def _find_other(old: Node, new: Node) -> Node:
    """Return the first place of a file at which another says something else."""
    if isinstance(old.value, dict) and isinstance(new.value, dict):
        pairs = [(one, new.value.get(key)) for key, one in old.value.items()]
    elif isinstance(old.value, tuple) and isinstance(new.value, tuple) and len(old.value) == len(new.value):
        pairs = list(zip(old.value, new.value, strict=True))
    else:
        return old
    return next((_find_other(a, b) if b else a for a, b in pairs if b is None or a.plain() != b.plain()), old)
