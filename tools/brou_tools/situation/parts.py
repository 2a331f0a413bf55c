"""All texts that a language file may translate, by part."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from brou import Node, root
from brou.games import read_words
from brou.words import GLOSSARY_PART, read_sentences
from brou_conformance.reports.sentences import FILE as REPORTS_FILE
from brou_conformance.reports.sentences import PART as REPORTS
from brou_conformance.smoke.translatable import FILE as SMOKE_FILE
from brou_conformance.smoke.translatable import PART as SMOKE
from brou_tools.situation import BOOKS_PART, BOOKS_WORDS, REGISTER_PART, REGISTER_WORDS, SITE_PART, SITE_WORDS

#: The files of sentences by what language files call them.
_FILES = {
    REPORTS: REPORTS_FILE,
    SMOKE: SMOKE_FILE,
    BOOKS_PART: BOOKS_WORDS,
    REGISTER_PART: REGISTER_WORDS,
    SITE_PART: SITE_WORDS,
}
_FRAME = "frame"


def list_parts(folder: Path) -> Mapping[str, Node]:
    """Return all texts of Brou by part; words of cards and of the game are those of a folder of data, if it has any."""
    own, house = read_words(folder), read_words(root())
    words = Node({_FRAME: house.fields[_FRAME], **own.fields}, own.place)
    return {GLOSSARY_PART: words, **{part: read_sentences(file, part) for part, file in _FILES.items()}}
