"""Answers to questions about a game: why an act is allowed, how a deal scores, which slips a record may contain.

`__all__` is what others may rely on; a name is imported at its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brou.lazy_names import import_lazily

if TYPE_CHECKING:
    from brou.answers.explain_route import Route, carry_out
    from brou.answers.explain_state import Explainer
    from brou.answers.history import History
    from brou.answers.replay import DEAL, RecordReplay, RecordRoute
    from brou.answers.settlement import settle_record

#: The module of each name.
_HOMES = {
    "explain_route": ("Route", "carry_out"),
    "explain_state": ("Explainer",),
    "history": ("History",),
    "replay": ("DEAL", "RecordReplay", "RecordRoute"),
    "settlement": ("settle_record",),
}

__all__ = [
    "DEAL",
    "Explainer",
    "History",
    "RecordReplay",
    "RecordRoute",
    "Route",
    "carry_out",
    "settle_record",
]

if not TYPE_CHECKING:  # a type checker would take every name for one that may be there
    __getattr__ = import_lazily(__name__, _HOMES)
