"""The notation: what a rules file says, read, typed and checked.

`__all__` is what others may rely on; a name is imported at its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brou.lazy_names import import_lazily

if TYPE_CHECKING:
    from brou.language.builtins import BUILTINS
    from brou.language.card_text import CardReader
    from brou.language.copies import find_face
    from brou.language.export import export_rules, write_part
    from brou.language.load import load_rules
    from brou.language.node import Scalar, make_node
    from brou.language.patch import Patch, apply_patches, find_id, read_patches
    from brou.language.reach import find_names
    from brou.language.schema import find_kind, is_of_chapters
    from brou.language.short_entry import SLOT
    from brou.language.source import MAX_BYTES, parse_yaml, read_below
    from brou.language.syntax import Attribute, Deck, Entry, Function
    from brou.language.unparse import unparse_expression

#: The module of each name.
_HOMES = {
    "builtins": ("BUILTINS",),
    "card_text": ("CardReader",),
    "copies": ("find_face",),
    "export": ("export_rules", "write_part"),
    "load": ("load_rules",),
    "node": ("Scalar", "make_node"),
    "patch": ("Patch", "apply_patches", "find_id", "read_patches"),
    "reach": ("find_names",),
    "schema": ("find_kind", "is_of_chapters"),
    "short_entry": ("SLOT",),
    "source": ("MAX_BYTES", "parse_yaml", "read_below"),
    "syntax": ("Attribute", "Deck", "Entry", "Function"),
    "unparse": ("unparse_expression",),
}

__all__ = [
    "BUILTINS",
    "MAX_BYTES",
    "SLOT",
    "Attribute",
    "CardReader",
    "Deck",
    "Entry",
    "Function",
    "Patch",
    "Scalar",
    "apply_patches",
    "export_rules",
    "find_face",
    "find_id",
    "find_kind",
    "find_names",
    "is_of_chapters",
    "load_rules",
    "make_node",
    "parse_yaml",
    "read_below",
    "read_patches",
    "unparse_expression",
    "write_part",
]

if not TYPE_CHECKING:  # a type checker would take every name for one that may be there
    __getattr__ = import_lazily(__name__, _HOMES)
