"""Reads the files of a game in chapters: its frame, its chapters and the prelude."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from brou.chapters.decode import decode_node, refuse
from brou.chapters.law import SETUP, Volume
from brou.chapters.notation import (
    CHAPTER,
    GAME,
    PACKS,
    PRELUDE,
    SHEET,
    WORDS,
    ChapterForm,
    ClauseForm,
    GameForm,
    WordsForm,
)
from brou.chapters.prelude import map_parts
from brou.chapters.prelude_notation import ModuleForm, PacksForm
from brou.chapters.sheet_notation import SheetForm
from brou.chapters.texts import ORIGINAL, Texts
from brou.chapters.tokens import Tokens
from brou.errors import MOST_FAULTS, Fault, Malformed, TooMany, Unusable
from brou.language.node import Node

#: The files of a game, and those that games share.
FRAME, SHEET_FILE, PRELUDE_FOLDER, PACK_FILE, _WORDS = "game.yaml", "sheet.yaml", "prelude", "packs.yaml", "words."
#: What other files of packs begin with.
_PACKS = "packs."

#: Reads a file by its path from the root of the data.
Reader = Callable[[str], Node]
#: Lists the paths that fit a pattern, in alphabetical order.
Lister = Callable[[str], list[str]]
#: Returns the language that a file is written in, by its path.
LanguageTeller = Callable[[str], str]


def tell_original(path: str) -> str:  # noqa: ARG001 - any file
    """Return the language of a file where nobody says which one it is."""
    return ORIGINAL


def is_pack_file(name: str) -> bool:
    """Say whether a file of the prelude holds packs: `packs.yaml`, and `packs.swiss.yaml` for instance beside it."""
    return name == PACK_FILE or (name.startswith(_PACKS) and name.endswith(".yaml"))


def _texts(files: list[WordsForm], written: Mapping[str, str]) -> Texts:
    found: dict[str, tuple[WordsForm, ...]] = {}
    for file in files:
        found[file.language] = (*found.get(file.language, ()), file)
    return Texts(found, written)


def read_volume(game: str, list_files: Lister, read: Reader, tell_language: LanguageTeller = tell_original) -> Volume:
    """Return all files of a game, decoded; raise `Malformed` with the faults of their shape, clause by clause."""
    faults: list[Fault] = []
    where = f"games/{game}"
    frame = decode_node(_of_format(read(f"{where}/{FRAME}"), GAME), GameForm)
    chapters = [
        _name_setups(_chapter(read(path), faults), frame.groups) for path in list_files(f"{where}/[0-9][0-9]-*.yaml")
    ]
    shared = {Path(path).name: read(path) for path in list_files(f"{PRELUDE_FOLDER}/*.yaml")}
    modules = {
        name.removesuffix(".yaml"): decode_node(_of_format(node, PRELUDE), ModuleForm)
        for name, node in shared.items()
        if not is_pack_file(name) and not name.startswith(_WORDS)
    }
    kept = [
        decode_node(_of_format(node, PACKS), PacksForm).packs for name, node in shared.items() if is_pack_file(name)
    ]
    packs = {pack: form for one in kept for pack, form in one.items()}
    spoken = [read(path) for path in list_files(f"{where}/{_WORDS}*.yaml")]
    spoken += [node for name, node in shared.items() if name.startswith(_WORDS)]
    sheets = [decode_node(_of_format(read(path), SHEET), SheetForm) for path in list_files(f"{where}/{SHEET_FILE}")]
    sheet = sheets[0] if sheets else None
    named = (path for pattern in (f"{where}/*.yaml", f"{PRELUDE_FOLDER}/*.yaml") for path in list_files(pattern))
    written = {path: lang for path in named if (lang := tell_language(path)) != ORIGINAL}
    texts = _texts([decode_node(_of_format(node, WORDS), WordsForm) for node in spoken], written)
    if faults:
        raise Malformed(faults)
    for chapter in chapters:
        if chapter.game != game:
            raise refuse(chapter.game.place, f"a chapter of {chapter.game!r} in the folder of {game!r}", "move it")
    return Volume(frame, tuple(chapters), modules, packs, texts, sheet)


def _of_format(node: Node, wanted: str) -> Node:
    if node.value is None:
        raise Malformed([Fault(node.place, "an empty file", f"begin it with `format: {wanted}`")])
    given = node.string("format")
    if not given:
        raise Malformed([Fault(node.place, "a file without a format", f"begin it with `format: {wanted}`")])
    if given != wanted:
        raise Malformed([Fault(node.fields["format"].place, f"a file of the format {given!r}", f"write {wanted}")])
    return node


def _chapter(node: Node, faults: list[Fault]) -> ChapterForm:
    """Return a chapter; faults in the shape of a clause go into `faults`."""
    _of_format(node, CHAPTER)
    rest = Node({key: member for key, member in node.fields.items() if key != "clauses"}, node.place)
    chapter = decode_node(rest, ChapterForm)
    clauses = node.fields.get("clauses", Node((), node.place)).items
    decoded = [one for item in clauses if (one := _decode_or_note(item, ClauseForm, faults)) is not None]
    return msgspec.structs.replace(chapter, clauses=tuple(decoded))


def _name_setups(chapter: ChapterForm, groups: Mapping[str, Tokens]) -> ChapterForm:
    """Return a chapter in which limits name set-ups where the file names groups of them."""

    def spell(limits: Mapping[str, Tokens]) -> Mapping[str, Tokens]:
        named = limits.get(SETUP, ())
        members = Tokens(setup for word in named for setup in groups.get(word, (word,)))
        return {**limits, SETUP: members} if members else limits

    def change(name: str, value: object) -> object:
        return spell(value) if name == "only" and isinstance(value, Mapping) else value

    return map_parts(chapter, change) if groups else chapter


def _decode_or_note(node: Node, form: type[ClauseForm], faults: list[Fault]) -> ClauseForm | None:
    try:
        return decode_node(node, form)
    except Unusable as error:
        faults.extend(error.faults)
        if len(faults) >= MOST_FAULTS:
            raise TooMany(faults) from error
        return None
