"""The catalogue: games with their editions, set-ups and readings, records of matches, and mutants.

`__all__` is what others may rely on; a name is imported at its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brou.lazy_names import import_lazily

if TYPE_CHECKING:
    from brou.games.bundling import write_bundle
    from brou.games.catalogue import SETUP, Exclusion, list_rule_files, rules_of_play
    from brou.games.changes import NAMING_OPERATORS, find_record
    from brou.games.data import has_chapters, read_obligations, read_section
    from brou.games.folder import (
        FRAME,
        PRELUDE,
        PROJECT,
        choose_project,
        find_file,
        find_language,
        find_program,
        has_file,
        list_files,
        list_programs,
        locate,
        read_file,
    )
    from brou.games.freshness import forget_changed, forget_everything, note_state
    from brou.games.glossary_file import read_words
    from brou.games.mutants import MUTANT_OPERATORS, Mutant, list_mutants, load_mutant, sample_mutants
    from brou.games.readings import find_mattering_readings, find_other_answers, vary_one_reading

#: The module of each name.
_HOMES = {
    "bundling": ("write_bundle",),
    "catalogue": ("SETUP", "Exclusion", "list_rule_files", "rules_of_play"),
    "changes": ("NAMING_OPERATORS", "find_record"),
    "data": ("has_chapters", "read_obligations", "read_section"),
    "folder": (
        "FRAME",
        "PRELUDE",
        "PROJECT",
        "choose_project",
        "find_file",
        "find_language",
        "find_program",
        "has_file",
        "list_files",
        "list_programs",
        "locate",
        "read_file",
    ),
    "freshness": ("forget_changed", "forget_everything", "note_state"),
    "glossary_file": ("read_words",),
    "mutants": ("MUTANT_OPERATORS", "Mutant", "list_mutants", "load_mutant", "sample_mutants"),
    "readings": ("find_mattering_readings", "find_other_answers", "vary_one_reading"),
}

__all__ = [
    "FRAME",
    "MUTANT_OPERATORS",
    "NAMING_OPERATORS",
    "PRELUDE",
    "PROJECT",
    "SETUP",
    "Exclusion",
    "Mutant",
    "choose_project",
    "find_file",
    "find_language",
    "find_mattering_readings",
    "find_other_answers",
    "find_program",
    "find_record",
    "forget_changed",
    "forget_everything",
    "has_chapters",
    "has_file",
    "list_files",
    "list_mutants",
    "list_programs",
    "list_rule_files",
    "load_mutant",
    "locate",
    "note_state",
    "read_file",
    "read_obligations",
    "read_section",
    "read_words",
    "rules_of_play",
    "sample_mutants",
    "vary_one_reading",
    "write_bundle",
]

if not TYPE_CHECKING:  # a type checker would take every name for one that may be there
    __getattr__ = import_lazily(__name__, _HOMES)
