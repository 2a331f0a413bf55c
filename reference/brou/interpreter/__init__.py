"""The meaning: a game played step by step from its rules, so plainly that it can be believed.

`__all__` is what others may rely on; a name is imported at its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brou.lazy_names import import_lazily

if TYPE_CHECKING:
    from brou.interpreter.dealing import Spread, drop_unknown, list_hands, spread_pack
    from brou.interpreter.evaluate import Evaluator, Observer
    from brou.interpreter.sight import PHASE, SEAT, OpenAnswer, SeatPosition, Sight, find_sight
    from brou.interpreter.touched import Touched

#: The module of each name.
_HOMES = {
    "dealing": ("Spread", "drop_unknown", "list_hands", "spread_pack"),
    "evaluate": ("Evaluator", "Observer"),
    "sight": ("PHASE", "SEAT", "OpenAnswer", "SeatPosition", "Sight", "find_sight"),
    "touched": ("Touched",),
}

__all__ = [
    "PHASE",
    "SEAT",
    "Evaluator",
    "Observer",
    "OpenAnswer",
    "SeatPosition",
    "Sight",
    "Spread",
    "Touched",
    "drop_unknown",
    "find_sight",
    "list_hands",
    "spread_pack",
]

if not TYPE_CHECKING:  # a type checker would take every name for one that may be there
    __getattr__ = import_lazily(__name__, _HOMES)
