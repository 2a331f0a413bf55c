"""`glossary.yaml`, the words of a folder of data: all of them, or some beside those of the house.

A file that says which `languages` there are is whole. Any other adds words to those of the house, or puts them in their
place: the names of acts and figures that only its games have, for instance.
"""

from __future__ import annotations

from pathlib import Path

from brou.games.catalogue import read_shaped
from brou.games.folder import has_file, root
from brou.games.freshness import keep_until_changed
from brou.language.node import Node

FILE = "glossary.yaml"
_KIND = "glossary"
_LANGUAGES = "languages"


@keep_until_changed(maxsize=8)
def read_words(folder: Path) -> Node:
    """Return the words of a folder, those of the house that it lacks included; raise `Malformed` for faults."""
    if not has_file(folder, FILE):
        return read_shaped(root(), FILE, _KIND)
    own = read_shaped(folder, FILE, _KIND)
    return own if _LANGUAGES in own.fields else _add(read_shaped(root(), FILE, _KIND), own)


def has_all_words(folder: Path) -> bool:
    """Say whether a folder has all words itself, so that its texts have to speak all languages of its glossary."""
    return has_file(folder, FILE) and _LANGUAGES in read_shaped(folder, FILE, _KIND).fields


def _add(base: Node, more: Node) -> Node:
    """Return a tree of words with those of another one; a word is replaced in all languages."""
    if not isinstance(more.value, dict) or not any(isinstance(member.value, dict) for member in more.value.values()):
        return more
    members = {key: _add(base.fields[key], item) if key in base.fields else item for key, item in more.fields.items()}
    return Node({**base.fields, **members}, more.place)
