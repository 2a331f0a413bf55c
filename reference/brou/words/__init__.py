"""What people read: names, clauses and sentences in their languages, and where each comes from.

`__all__` is what others may rely on; a name is imported at its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brou.lazy_names import import_lazily

if TYPE_CHECKING:
    from brou.words.documents import document_explanation, document_settlement
    from brou.words.glossary import GLOSSARY_PART, Glossary
    from brou.words.languages import (
        LANGUAGES_FOLDER,
        find_language_faults,
        has_text,
        list_texts,
        read_languages,
        read_sentences,
    )
    from brou.words.provenance import Passage, Work, locate, quote
    from brou.words.reports import ExplanationReport, SettlementReport
    from brou.words.reviews import list_rewritten, write_reviews
    from brou.words.text import citable, find_slots, find_user_language, show_value

#: The module of each name.
_HOMES = {
    "documents": ("document_explanation", "document_settlement"),
    "glossary": ("GLOSSARY_PART", "Glossary"),
    "languages": (
        "LANGUAGES_FOLDER",
        "find_language_faults",
        "has_text",
        "list_texts",
        "read_languages",
        "read_sentences",
    ),
    "provenance": ("Passage", "Work", "locate", "quote"),
    "reports": ("ExplanationReport", "SettlementReport"),
    "reviews": ("list_rewritten", "write_reviews"),
    "text": ("citable", "find_slots", "find_user_language", "show_value"),
}

__all__ = [
    "GLOSSARY_PART",
    "LANGUAGES_FOLDER",
    "ExplanationReport",
    "Glossary",
    "Passage",
    "SettlementReport",
    "Work",
    "citable",
    "document_explanation",
    "document_settlement",
    "find_language_faults",
    "find_slots",
    "find_user_language",
    "has_text",
    "list_rewritten",
    "list_texts",
    "locate",
    "quote",
    "read_languages",
    "read_sentences",
    "show_value",
    "write_reviews",
]

if not TYPE_CHECKING:  # a type checker would take every name for one that may be there
    __getattr__ = import_lazily(__name__, _HOMES)
