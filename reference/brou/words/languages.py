"""Languages that a folder of data brings: files with every sentence of Brou in one more language.

`languages/nl.yaml` says how the language writes. By part (`glossary`, `reports` ...) and path it has a translation of
each text, beside the English text that it was made from. Where a translation is missing, was made from another English
text, or does not fit it, the English text is used; `find_language_faults` tells the faults.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from string import Formatter

from brou.errors import Fault, nearest
from brou.games.catalogue import read_shaped
from brou.games.folder import ORIGINAL, Folder, list_files, locate
from brou.games.freshness import keep_until_changed
from brou.language.node import Node
from brou.words.plural import USUAL

#: The folder of such files in a folder of data.
LANGUAGES_FOLDER = "languages"

_Said = Mapping[str, Node]


@keep_until_changed(maxsize=8)
def read_languages(folder: Path) -> Mapping[str, Node]:
    """Return the language files of a folder of data by language; raise `Malformed` for faults in their shape."""
    found = (read_shaped(folder, name, "language") for name in list_files(folder, f"{LANGUAGES_FOLDER}/*.yaml"))
    return {node.string("language"): node for node in found}


def add_languages(part: str, node: Node, folder: Path) -> Node:
    """Return the texts of a part of Brou, each with what the languages of a folder have for it."""
    for lang, file in read_languages(folder).items():
        said = file.fields.get(part)
        if said is not None:
            node = _add(node, lang, said.fields, _count_forms(file), ())
    return node


def read_sentences(file: Path, part: str, folder: Folder = None) -> Node:
    """Return a file with sentences of Brou, a part of its texts, with what the languages of a folder of data say."""
    return _read_sentences(file, part, locate(folder))


@keep_until_changed(maxsize=64)
def _read_sentences(file: Path, part: str, folder: Path) -> Node:
    from brou.language.source import read  # noqa: PLC0415 - YAML is not needed where a bundle is

    return add_languages(part, read(file, file.name), folder)


def list_texts(node: Node, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Node]]:
    """Yield every text of a part with its path: mappings that have an English text, or English forms of a noun."""
    if isinstance(node.value, dict):
        if _is_text(node):
            yield "/".join(path), node
        for key, item in node.value.items():
            yield from list_texts(item, (*path, key))
    elif isinstance(node.value, tuple):
        for number, item in enumerate(node.value):
            yield from list_texts(item, (*path, str(number)))


def has_text(file: Node, part: str, path: str, text: Node) -> bool:
    """Say whether the file of a language translates the text at a path of a part, so that the translation is used."""
    entry = file.fields[part].get(path) if part in file.fields else None
    return entry is not None and _find_said(entry, text, file.string("language"), _count_forms(file)) is not None


def find_language_faults(folder: Path, parts: Mapping[str, Node]) -> Iterator[Fault]:
    """Yield the faults of the language files of a folder; a missing translation is none.

    `parts` are all texts of Brou by part.
    """
    for name, file in ((file.place.file, file) for file in read_languages(folder).values()):
        lang = file.string("language")
        if name != f"{LANGUAGES_FOLDER}/{lang}.yaml":
            yield Fault(file.fields["language"].place, f"the language {lang!r} in {name}", f"name the file {lang}.yaml")
        for part, known in parts.items():
            if part in file.fields:
                yield from _find_part_faults(file, file.fields[part], dict(list_texts(known)))


def _find_part_faults(file: Node, said: Node, known: _Said) -> Iterator[Fault]:
    lang, forms = file.string("language"), _count_forms(file)
    for path, entry in said.fields.items():
        if path not in known:
            yield Fault(said.find_key(path), f"no text of Brou is called {path!r}", _advise(path, known))
        elif entry.fields[ORIGINAL].plain() != known[path].fields[ORIGINAL].plain():
            told = f"read it again, and write en: {_quote(known[path].fields[ORIGINAL])}"
            yield Fault(entry.place, f"{path} was made from another English text", told)
        elif lang in entry.fields and _find_said(entry, known[path], lang, forms) is None:
            yield Fault(entry.fields[lang].place, *_tell_misfit(entry, lang, forms))


def _advise(path: str, known: Iterable[str]) -> str:
    """Return what to do with a text that Brou does not have; letters of another pack are named beside the pack."""
    if path.partition("/")[0] in ("suits", "ranks"):
        return "leave it out; a letter of your own pack is named in prelude/packs.NAME.yaml"
    return "".join(f"write {one}" for one in nearest(path, known)[:1]) or "leave it out"


def _tell_misfit(entry: Node, lang: str, forms: int) -> tuple[str, str]:
    """Return why a text does not fit the English one, and what to write."""
    original = entry.fields[ORIGINAL]
    if isinstance(original.value, tuple):
        return f"not {forms} forms of a noun", f"`plural` of this file wants a list of {forms}"
    slots = sorted({f"{{{slot[0]}}}" for slot in _find_slots(original.text) or ()})
    named = f"the same braces as the English text: {', '.join(slots)}" if slots else "a text without braces"
    return f"{entry.fields[lang].text!r} does not fit the English text", f"write {named}"


def _quote(text: Node) -> str:
    return str(text.plain()) if isinstance(text.value, tuple) else f'"{text.text}"'


def _is_text(node: Node) -> bool:
    original = node.fields.get(ORIGINAL)
    if original is None or isinstance(original.value, dict):
        return False
    return not isinstance(original.value, tuple) or all(isinstance(item.value, str) for item in original.value)


def _count_forms(file: Node) -> int:
    """Return how many forms a noun has behind a number."""
    plural = file.fields["writes"].get("plural")
    return len(USUAL if plural is None else plural.items) + 1


def _add(node: Node, lang: str, said: _Said, forms: int, path: tuple[str, ...]) -> Node:
    """Return a tree of texts with those of a language, as far as they fit."""
    if isinstance(node.value, tuple):
        items = tuple(_add(item, lang, said, forms, (*path, str(number))) for number, item in enumerate(node.value))
        return Node(items, node.place)
    if not isinstance(node.value, dict):
        return node
    members = {key: _add(item, lang, said, forms, (*path, key)) for key, item in node.value.items()}
    entry = said.get("/".join(path)) if _is_text(node) else None
    own = None if entry is None else _find_said(entry, node, lang, forms)
    return Node(members if own is None else {**members, lang: own}, node.place)


def _find_said(entry: Node, text: Node, lang: str, forms: int) -> Node | None:
    """Return the translation of a text in an entry; None if there is none, or one that does not fit the text."""
    own, original = entry.get(lang), text.fields[ORIGINAL]
    if own is None or entry.fields[ORIGINAL].plain() != original.plain():
        return None
    if isinstance(original.value, tuple):
        return own if isinstance(own.value, tuple) and len(own.value) == forms else None
    if isinstance(own.value, tuple) or (original.text.strip() and not own.text.strip()):
        return None
    slots = _find_slots(original.text)
    return own if slots is not None and slots == _find_slots(own.text) else None


def _find_slots(text: str) -> frozenset[tuple[str, str | None, str | None]] | None:
    """Return the names in braces with their forms; None where braces are not paired."""
    try:
        return frozenset((name, form, turn) for _, name, form, turn in Formatter().parse(text) if name is not None)
    except ValueError:
        return None
