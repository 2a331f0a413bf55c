"""The same meaning in a lower form, and programs written from it that play fast.

`__all__` is what others may rely on; a name is imported at its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brou.lazy_names import import_lazily

if TYPE_CHECKING:
    from brou.compiler.compiled import Offer, expand_offer, write_source
    from brou.compiler.compiled_sets import cards_in
    from brou.compiler.compiled_values import Word, lowering, raising
    from brou.compiler.core_file import CoreDocument, write_core
    from brou.compiler.drawing import Act, Bounds, Counting
    from brou.compiler.lowered import Constant, Kind, Program, Step, Term
    from brou.compiler.playing import RandomPlayer, draw_act

#: The module of each name.
_HOMES = {
    "compiled": ("Offer", "expand_offer", "write_source"),
    "compiled_sets": ("cards_in",),
    "compiled_values": ("Word", "lowering", "raising"),
    "core_file": ("CoreDocument", "write_core"),
    "drawing": ("Act", "Bounds", "Counting"),
    "lowered": ("Constant", "Kind", "Program", "Step", "Term"),
    "playing": ("RandomPlayer", "draw_act"),
}

__all__ = [
    "Act",
    "Bounds",
    "Constant",
    "CoreDocument",
    "Counting",
    "Kind",
    "Offer",
    "Program",
    "RandomPlayer",
    "Step",
    "Term",
    "Word",
    "cards_in",
    "draw_act",
    "expand_offer",
    "lowering",
    "raising",
    "write_core",
    "write_source",
]

if not TYPE_CHECKING:  # a type checker would take every name for one that may be there
    __getattr__ = import_lazily(__name__, _HOMES)
