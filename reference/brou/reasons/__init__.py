"""Why: reasons, figures and sights as trees of values and of names from the rules, without a word in them.

`__all__` is what others may rely on; a name is imported at its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brou.lazy_names import import_lazily

if TYPE_CHECKING:
    from brou.reasons.derivation import Derivation, DerivedAct, DerivedFigure, DerivedSight, SimpleTree, derive
    from brou.reasons.explanation import (
        AlternativeReading,
        Answer,
        Decision,
        Explained,
        Explanation,
        Found,
        Judgement,
        RowReason,
        Verdict,
        ViewEntry,
        Visible,
    )
    from brou.reasons.reason import (
        Acted,
        Coded,
        Figure,
        FigureTerm,
        FixedReason,
        Happened,
        Origin,
        Reason,
        TypedValue,
        collect_clauses,
        each_once,
        encode_value,
        join_reasons,
        reason_texts,
    )
    from brou.reasons.reasoner import Reasoner, Unsaid
    from brou.reasons.settlement import Deal, Line, RecordFault, Settlement, Sheet, SheetRow
    from brou.reasons.shape import find_exception, list_parts

#: The module of each name.
_HOMES = {
    "derivation": ("Derivation", "DerivedAct", "DerivedFigure", "DerivedSight", "SimpleTree", "derive"),
    "explanation": (
        "AlternativeReading",
        "Answer",
        "Decision",
        "Explained",
        "Explanation",
        "Found",
        "Judgement",
        "RowReason",
        "Verdict",
        "ViewEntry",
        "Visible",
    ),
    "reason": (
        "Acted",
        "Coded",
        "Figure",
        "FigureTerm",
        "FixedReason",
        "Happened",
        "Origin",
        "Reason",
        "TypedValue",
        "collect_clauses",
        "each_once",
        "encode_value",
        "join_reasons",
        "reason_texts",
    ),
    "reasoner": ("Reasoner", "Unsaid"),
    "settlement": ("Deal", "Line", "RecordFault", "Settlement", "Sheet", "SheetRow"),
    "shape": ("find_exception", "list_parts"),
}

__all__ = [
    "Acted",
    "AlternativeReading",
    "Answer",
    "Coded",
    "Deal",
    "Decision",
    "Derivation",
    "DerivedAct",
    "DerivedFigure",
    "DerivedSight",
    "Explained",
    "Explanation",
    "Figure",
    "FigureTerm",
    "FixedReason",
    "Found",
    "Happened",
    "Judgement",
    "Line",
    "Origin",
    "Reason",
    "Reasoner",
    "RecordFault",
    "RowReason",
    "Settlement",
    "Sheet",
    "SheetRow",
    "SimpleTree",
    "TypedValue",
    "Unsaid",
    "Verdict",
    "ViewEntry",
    "Visible",
    "collect_clauses",
    "derive",
    "each_once",
    "encode_value",
    "find_exception",
    "join_reasons",
    "list_parts",
    "reason_texts",
]

if not TYPE_CHECKING:  # a type checker would take every name for one that may be there
    __getattr__ = import_lazily(__name__, _HOMES)
