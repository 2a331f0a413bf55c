"""Checks of data that need no play: shape, types, patches, references, texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TypeAlias

from brou.cache import load_or_make
from brou.errors import BrouError, Fault, Impossible, Place, Unusable
from brou.games.catalogue import (
    Book,
    book,
    catalogue,
    choose,
    list_rule_files,
    rules,
    spread,
)
from brou.games.data import read_section
from brou.games.folder import FRAME, PRELUDE, Folder, has_file, is_shared, list_files, locate, read_file, root
from brou.games.freshness import forget_changed
from brou.games.glossary_file import FILE, has_all_words
from brou.language.effects import Cases, Effect, walk_effects
from brou.language.export import identity
from brou.language.load import load_rules
from brou.language.node import Node
from brou.language.schema import KINDS, find_kind, shape_faults
from brou.language.source import read
from brou.language.syntax import Action, Attribute, Entry, Function, Game, Param, Phase, Table, Variable
from brou.words.glossary import glossary
from brou.words.languages import LANGUAGES_FOLDER as LANGUAGES
from brou.words.translation import glossary_faults, idle_name_faults, language_faults, naming_faults, text_faults

__all__ = [
    "check",
    "file_faults",
    "find_schemas",
    "game_faults",
    "game_files",
    "home_of",
    "list_checked_files",
    "record_clauses",
    "remembered_faults",
    "source_faults",
]

_SOURCES = "sources.yaml"
#: Files that all games share.
_HOUSE = (_SOURCES, FILE, "cards.yaml", "errata.yaml")
#: Files in the folder of a game: one file of a kind at most.
_FILES = (
    *(
        "rules",
        "reviewed",
        "book",
        "players",
        "conduct",
        "obligations",
        "witnesses",
        "frequencies",
        "mutants",
        "quick",
        "bites",
        "differences",
    ),
)
#: What has texts for people beside the rules: sections of chapters, and files.
_SAID, _SPOKEN = ("clauses", "ambiguities", "editions"), ("book", "players", "conduct")


def check(path: Path | None = None) -> list[Fault]:
    """Return all faults of one data file, of a folder of games, or (without a path) of our own data."""
    folder = path or root()
    for game in ("", *catalogue(folder)) if folder.is_dir() else ():
        forget_changed(folder, game)
    if folder.is_file():
        return sorted(set(file_faults(folder)))
    if not (folder / "games").is_dir():
        place = Place(str(folder), 1, 1)
        return [Fault(place, "neither a data file nor a folder of data", "name a file, or a folder that holds games/")]
    return sorted(set(folder_faults(folder)))


def find_schemas() -> Path:
    """Return the folder of the JSON Schemas."""
    return root() / "schemas"


def file_faults(path: Path, name: str | None = None) -> Iterator[Fault]:
    """Yield the faults of one file: its shape, and of a rules file its types."""
    try:
        node = read(path, name)
        kind = find_kind(node)
        faults = list(shape_faults(node, find_schemas() / f"{kind}.schema.json"))
        yield from faults
        if kind == "rules" and not faults:
            load_rules(node)
    except Unusable as error:
        yield from error.faults


def home_of(path: Path) -> tuple[Path, str] | None:
    """Return the folder of data that a file lies in and the game that it is about, or None if it is on its own.

    It is about a game if it is called like its kind and lies beside the rules of the game, below `games/`.
    """
    place = path.parent.resolve()
    there = place.parent.name == "games" and path.suffix == ".yaml" and path.stem in _FILES
    ruled = (place / "rules.yaml").exists() or (place / FRAME).exists()
    return (place.parent.parent, place.name) if there and ruled else None


def folder_faults(folder: Path) -> Iterator[Fault]:
    """Yield the faults of all data below a folder."""
    house = [*_house(folder), *shared_files()]
    yield from remembered_faults("house", house, lambda: _house_faults(folder))
    try:
        glossary(folder)
    except Unusable:
        return
    for game in catalogue(folder):
        yield from game_faults(game, folder)


def game_faults(game: str, folder: Path) -> Iterator[Fault]:
    """Yield the faults of a game in a folder of data, and of the files of ours beside its rules."""
    yield from remembered_faults("game", game_files(game, folder), partial(_game_faults, game, folder))


def _house_faults(folder: Path) -> Iterator[Fault]:
    """Yield the faults of the files that all games share; without their words no game can be checked."""
    for name in _HOUSE:
        if (folder / name).exists():
            yield from _shape_faults(folder, name)
    try:
        words, languages = glossary(folder), _languages(folder)
    except Unusable as error:
        yield from error.faults
        return
    if languages:
        yield from glossary_faults(words)
    if (folder / _SOURCES).exists() and not any(_shape_faults(folder, _SOURCES)):
        yield from language_faults(read_file(folder, _SOURCES), words, languages)


def remembered_faults(about: str, rest_on: Iterable[Path], find: Callable[[], Iterable[Fault]]) -> tuple[Fault, ...]:
    """Return faults, from the cache if they were found before in the same files, which lay in the same places."""
    made_of = list(rest_on)
    if not all(path.is_file() and os.access(path, os.R_OK) for path in made_of):
        return tuple(find())
    places = [os.path.realpath(path) for path in made_of]
    return load_or_make("faults", made_of, (about, places), lambda: tuple(find()))


def game_files(game: str, folder: Path) -> list[Path]:
    """Return all files that the faults of a game rest on, with those that all games share."""
    own = (folder / _name(game, kind) for kind in _FILES)
    return [*(path for path in own if path.exists()), *list_rule_files(game, folder), *_house(folder), *shared_files()]


def shared_files() -> list[Path]:
    """Return the files of ours that every folder of data rests on."""
    return [*_house(root()), *sorted(find_schemas().glob("*.json"))]


def _house(folder: Path) -> list[Path]:
    """Return the files that all games of a folder share."""
    spoken = sorted((folder / LANGUAGES).glob("*.yaml"))
    return [*(path for name in _HOUSE if (path := folder / name).exists()), *spoken]


def list_checked_files(folder: Path) -> frozenset[Path]:
    """Return all files that `check` looks at in a folder of games."""
    own = (_name(game, kind) for game in catalogue(folder) for kind in _FILES)
    names = [*_HOUSE, *list_files(folder, f"{LANGUAGES}/*.yaml"), *own]
    chapters = (game for game in catalogue(folder) if not (folder / _name(game, "rules")).exists())
    return frozenset(
        [*(folder / name for name in names), *(path for game in chapters for path in list_rule_files(game, folder))]
    )


def _name(game: str, kind: str) -> str:
    return f"games/{game}/{kind}.yaml"


def _shape_faults(folder: Path, name: str) -> Iterator[Fault]:
    """Yield the faults in the shape of a file of a folder."""
    try:
        node = read_file(folder, name)
        yield from shape_faults(node, find_schemas() / f"{find_kind(node)}.schema.json")
    except Unusable as error:
        yield from error.faults


def _kept_faults(game: str, kind: str, folder: Path) -> Iterator[Fault]:
    """Yield the faults in the shape of a game's file, including a format or game that contradicts its place."""
    name = _name(game, kind)
    try:
        node = read_file(folder, name)
        found = find_kind(node)
        if found != kind:
            written = next(format_ for format_, known in KINDS.items() if known == kind)
            yield Fault(node.place, f"a file of the format {node.string('format')}", f"write {written}, or rename it")
            return
        faults = list(shape_faults(node, find_schemas() / f"{kind}.schema.json"))
        yield from faults
        if not faults and node.string("game") != game:
            what = f"this is about {node.string('game')!r}, in the folder of {game!r}"
            yield Fault(node.fields["game"].place, what, "name the game as its folder is called")
    except Unusable as error:
        yield from error.faults


def _languages(folder: Path) -> tuple[str, ...]:
    """Return the languages that the texts of a folder have to speak: all of them where it has words of its own."""
    return glossary(folder).own_languages if has_all_words(folder) else ()


def _game_faults(game: str, folder: Path) -> Iterator[Fault]:
    there = [kind for kind in _FILES if (folder / _name(game, kind)).exists()]
    shapes = [fault for kind in there for fault in _kept_faults(game, kind, folder)]
    if shapes:
        yield from shapes
        return
    try:
        yield from _meaning_faults(game, folder)
    except Unusable as error:
        yield from _leave_out_echoes(error.faults, game)
    except BrouError as error:
        yield Fault(Place(f"games/{game}", 1, 1), str(error))


def _leave_out_echoes(faults: Iterable[Fault], game: str) -> Iterator[Fault]:
    """Yield faults without those of modules that a game's own files have too, for the game fills their slots."""
    told = list(faults)
    own = {(one.what, one.instead) for one in told if one.place.file.startswith(f"games/{game}/")}
    yield from (
        one for one in told if not (one.place.file.startswith(f"{PRELUDE}/") and (one.what, one.instead) in own)
    )


def _meaning_faults(game: str, folder: Path) -> Iterator[Fault]:
    """Yield the faults of a game beyond shape; every edition, set-up and single reading is loaded."""
    from brou.words.reviews import review_faults  # noqa: PLC0415 - not needed for a file by itself

    data = book(game, folder)
    if faults := list(_exclusion_faults(game, folder)):
        yield from faults
        return
    for edition, record in data.editions.items():
        for setup in record.setups:
            name = f"{game}@{edition}:{setup}"
            plain = rules(name, folder)
            yield from _reading_faults(name, identity(plain), folder)
    if data.maker is not None:
        yield from data.maker.find_outdated()
    first = rules(game, folder)
    yield from _reference_faults(game, folder)
    yield from _spoken_faults(game, first, folder)
    yield from review_faults(game, folder)


def _spoken_faults(game: str, rules_: Game, folder: Path) -> Iterator[Fault]:
    """Yield the faults of a game's texts, and the words that its folder lacks."""
    from brou.words.reviews import needs_review  # noqa: PLC0415 - not needed for a file by itself

    words, languages = glossary(folder), _languages(folder) if needs_review(game, folder) else ()
    named = (*rules_.params, *rules_.attributes)
    own = {item.name for phrase in rules_.phrases for item in phrase.arguments}
    for fault in text_faults(book(game, folder).rules, (*named, *own), words, languages):
        # What our modules say in languages that the folder does not speak is left unsaid there.
        if fault.is_lagging or not is_shared(fault.place.file, folder):
            yield fault
    files = (read_file(folder, name) for kind in _SPOKEN if has_file(folder, name := _name(game, kind)))
    for said in (*(read_section(game, section, folder) for section in _SAID), *files):
        yield from text_faults(said, named, words, languages)
    if has_file(folder, _name(game, "differences")):
        yield from language_faults(read_file(folder, _name(game, "differences")), words, languages)
    for choice in spread(game, folder) if languages else ():
        yield from naming_faults(rules(choice, folder), words)
    if has_file(folder, FILE) and not languages:
        yield from idle_name_faults(game, [rules(choice, folder) for choice in spread(game, folder)], words)


def _reading_faults(name: str, plain: str, folder: Path) -> Iterator[Fault]:
    """Yield readings whose rules cannot be loaded, or that say the same as the default."""
    choice = choose(name, folder)
    data = book(choice.game, folder)
    for key, default in data.editions[choice.edition].readings.items():
        for value in data.readings[key].values:
            if value == default:
                continue
            place = data.rules.place
            try:
                varied = rules(f"{name}[{key}={value}]", folder)
            except Impossible:
                continue
            except Unusable as error:
                yield from error.faults
                continue
            if identity(varied) == plain:
                yield Fault(place, f"{name}: {key}={value} changes nothing", "let it change a rule, or take it out")


def _is_excluded(data: Book, readings: Mapping[str, str], setup: str) -> bool:
    return any(exclusion.hit(readings, setup) for exclusion in data.exclusions)


def _exclusion_faults(game: str, folder: Path) -> Iterator[Fault]:
    """Yield the editions whose own choice an exclusion rules out in a set-up."""
    data = book(game, folder)
    for edition in data.editions.values():
        for setup in edition.setups:
            if _is_excluded(data, edition.readings, setup):
                place, name = data.rules.place, f"{game}@{edition.id}:{setup}"
                yield Fault(place, f"{name} is impossible by its own readings", "choose others, or exclude less")


def _reference_faults(game: str, folder: Path) -> Iterator[Fault]:
    """Yield clause ids that are cited and not written, anchors without a passage, and quotations that are too long."""
    from brou.words.quotations import find_long_quotes  # noqa: PLC0415 - not needed for a file by itself

    clauses, ambiguities = (read_section(game, section, folder).fields for section in ("clauses", "ambiguities"))
    if not clauses:
        return
    for clause, cited in (item for choice in spread(game, folder) for item in cited_clauses(rules(choice, folder))):
        if clause not in clauses and clause not in ambiguities:
            yield Fault(cited, f"unknown clause {clause!r}", "write it into a chapter, or cite another")
    if not (folder / _SOURCES).exists() or not any(_shape_faults(folder, _SOURCES)):
        yield from _anchor_faults(clauses, ambiguities, folder)
    yield from _find_unanchored(clauses)
    yield from find_long_quotes(ambiguities)


def _find_unanchored(clauses: Mapping[str, Node]) -> Iterator[Fault]:
    """Yield the faults of clauses that are stated by a text but name no passage of it."""
    for id_, node in clauses.items():
        if node.string("status") == "stated" and not node.fields["anchors"].items:
            what = f"{id_} is stated, and no passage is named that states it"
            yield Fault(node.fields["status"].place, what, "anchor it in one, or give it the status that it has")


def _anchor_faults(clauses: dict[str, Node], ambiguities: dict[str, Node], folder: Path) -> Iterator[Fault]:
    """Yield anchors that name no passage, and normative passages that no clause is anchored in."""
    passages = known_passages(folder)
    used: set[tuple[str, str]] = set()
    for node in clauses.values():
        for anchor in node.fields["anchors"].items:
            key = (anchor.string("source"), anchor.string("at"))
            used.add(key)
            if key not in passages:
                yield Fault(anchor.place, f"{key[0]} has no passage {key[1]!r}", "see sources.yaml")
    sources = {source for source, _ in used}
    for ambiguity in ambiguities.values():
        named = ambiguity.get("passages")
        for item in named.items if named else ():
            if not any((source, item.text) in passages for source in sources):
                yield Fault(item.place, f"no passage {item.text!r} in {', '.join(sorted(sources))}", "see sources.yaml")
    for (source, at), (_, normative, where) in passages.items():
        if normative and source in sources and (source, at) not in used:
            yield Fault(
                where,
                f"no clause is anchored in {at!r} of {source}",
                "anchor a clause in it, or set `normative: false` with a `reason` in sources.yaml",
            )


def source_faults(texts: Path, folder: Folder = None) -> Iterator[Fault]:
    """Yield every passage that reads otherwise in a folder of source texts than when it was recorded, and misquotes."""
    from brou.words.provenance import Work, verify  # noqa: PLC0415 - only where the texts are at hand
    from brou.words.quotations import find_misquotes  # noqa: PLC0415 - likewise

    path = locate(folder) / "sources.yaml"
    if not texts.is_dir():
        yield Fault(Place(str(texts), 1, 1), "no folder of source texts", "name the folder that holds them as *.txt")
        return
    works = []
    for source, node in _works(read_file(path.parent, "sources.yaml")):
        listed = node.get("passages")
        if listed is not None and listed.items:
            works.append(Work.parse({key: item.plain() for key, item in node.fields.items()}))
            yield from (Fault(node.place, f"{source}: {mismatch}") for mismatch in verify(works[-1], texts))
    for game in catalogue(folder):
        questions, clauses = (read_section(game, section, path.parent).fields for section in ("ambiguities", "clauses"))
        yield from find_misquotes(questions, clauses, works, texts)


def known_passages(folder: Path) -> dict[tuple[str, str], tuple[str, bool, Place]]:
    """Return every passage of every source: its fingerprint, whether it binds, and its place in sources.yaml.

    A folder without such a file has our sources.
    """
    path = folder / "sources.yaml"
    path = path if path.exists() else root() / "sources.yaml"
    if not path.exists():
        return {}
    found: dict[tuple[str, str], tuple[str, bool, Place]] = {}
    for source, work in _works(read_file(path.parent, "sources.yaml")):
        listed = work.get("passages")
        for passage in listed.items if listed else ():
            key = (source, passage.string("id"))
            found[key] = (passage.string("sha256"), passage.string("normative") == "true", passage.place)
    return found


def _works(node: Node) -> Iterator[tuple[str, Node]]:
    works = node.fields["works"]
    if isinstance(works.value, dict):
        yield from works.fields.items()
        return
    for work in works.items:
        yield work.string("id"), work


def cited_clauses(game: Game) -> Iterator[tuple[str, Place]]:
    """Yield every clause id that a rule base cites, with the place of the record."""
    for group in (game.tables, game.functions, game.actions, game.phases, game.summary, game.params, game.attributes):
        for record in group.values():
            yield from record_clauses(record)


_Record: TypeAlias = Table | Function | Action | Phase | Entry | Param | Attribute | Variable


def record_clauses(record: _Record) -> Iterator[tuple[str, Place]]:
    """Yield every clause id that a record cites, with the place of the part that does."""
    match record:
        case Table():
            yield from ((row.clause, row.place) for row in record.rows)
            return
        case Function() if not record.clause:
            return
    yield record.clause, record.place
    match record:
        case Action():
            yield record.by_clause, record.place
            yield from ((parameter.clause, parameter.place) for parameter in record.parameters)
            yield from _effect_clauses(record.do)
        case Phase():
            yield from _effect_clauses(record.do)
        case Entry():
            yield from ((parameter.clause, parameter.place) for parameter in record.parameters)
            yield from ((check_.clause, check_.place) for check_ in record.checks)
            yield from _effect_clauses((*record.do, *record.then))


def _effect_clauses(body: Iterable[Effect]) -> Iterator[tuple[str, Place]]:
    for effect in walk_effects(body):
        yield effect.clause, effect.place
        if isinstance(effect, Cases):
            yield from ((case.clause, case.place) for case in effect.cases)
