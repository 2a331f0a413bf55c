"""Games as chapters of clauses, each with its text, its rules and its readings together.

`__all__` is what others may rely on; a name is imported at its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brou.lazy_names import import_lazily

if TYPE_CHECKING:
    from brou.chapters.conditions import Answer
    from brou.chapters.decisions import DecisionTable, tabulate
    from brou.chapters.decode import decode_node
    from brou.chapters.law import Volume, make_law
    from brou.chapters.mentions import find_clause, find_mentions, find_restored
    from brou.chapters.notation import (
        Alternative,
        ClauseForm,
        PictureForm,
        QuestionForm,
        Shape,
        ShownEntry,
        StepForm,
        list_keys,
    )
    from brou.chapters.rules import ActRule
    from brou.chapters.schema import FORMS, find_schema, make_schema
    from brou.chapters.texts import mark_text
    from brou.chapters.tokens import KindOfObligation, Snippet, Token
    from brou.chapters.variants import Variants

#: The module of each name.
_HOMES = {
    "conditions": ("Answer",),
    "decisions": ("DecisionTable", "tabulate"),
    "decode": ("decode_node",),
    "law": ("Volume", "make_law"),
    "mentions": ("find_clause", "find_mentions", "find_restored"),
    "notation": (
        "Alternative",
        "ClauseForm",
        "PictureForm",
        "QuestionForm",
        "Shape",
        "ShownEntry",
        "StepForm",
        "list_keys",
    ),
    "rules": ("ActRule",),
    "schema": ("FORMS", "find_schema", "make_schema"),
    "texts": ("mark_text",),
    "tokens": ("KindOfObligation", "Snippet", "Token"),
    "variants": ("Variants",),
}

__all__ = [
    "FORMS",
    "ActRule",
    "Alternative",
    "Answer",
    "ClauseForm",
    "DecisionTable",
    "KindOfObligation",
    "PictureForm",
    "QuestionForm",
    "Shape",
    "ShownEntry",
    "Snippet",
    "StepForm",
    "Token",
    "Variants",
    "Volume",
    "decode_node",
    "find_clause",
    "find_mentions",
    "find_restored",
    "find_schema",
    "list_keys",
    "make_law",
    "make_schema",
    "mark_text",
    "tabulate",
]

if not TYPE_CHECKING:  # a type checker would take every name for one that may be there
    __getattr__ = import_lazily(__name__, _HOMES)
