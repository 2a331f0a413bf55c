"""The corpus: where scenario files lie, and the facts about them that need no play."""

from __future__ import annotations

import re
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import yaml

from brou import (
    Book,
    Fault,
    Folder,
    Malformed,
    Node,
    Place,
    Project,
    Unknown,
    Unusable,
    ask_if_meant,
    book,
    glossary,
    house,
    keep_until_changed,
    nearest,
    read,
    shape_faults,
)
from brou.atomic import read_named
from brou.cache import load_or_make
from brou.check import find_schemas
from brou.games import find_language, forget_changed, locate, note_state, read_section
from brou.language import read_below
from brou.shapes import Limit, shape
from brou_conformance.messages import Name
from brou_conformance.scenarios.scenario import Cell, Level, Origin, Scenario, ScriptStep, find_repeated, scenario
from brou_conformance.scenarios.translation import (
    Translation,
    read_translations,
    schema_file,
    split_name,
    translation_faults,
)

#: Where scenarios lie: a folder with one for each game, or a project, of which it is that folder; nothing is our own.
Corpus: TypeAlias = "Project | Path | None"


def corpus_root() -> Path:
    """Return the folder of our own scenarios: that of the wheel, or the checkout's."""
    return house().scenarios


def locate_scenarios(folder: Corpus) -> Path:
    """Return the folder of scenarios that a caller names."""
    return corpus_root() if folder is None else folder.scenarios if isinstance(folder, Project) else folder


def games(folder: Corpus = None) -> tuple[str, ...]:
    """Return the games that have scenarios, in alphabetical order."""
    root = locate_scenarios(folder)
    return tuple(sorted(path.name for path in root.iterdir() if _paths(path))) if root.is_dir() else ()


def scenarios(game: str, folder: Corpus = None) -> tuple[Scenario, ...]:
    """Return all scenarios of a game; raise `Malformed` with every fault of its files."""
    place = locate_scenarios(folder)
    forget_changed(place / game)
    return _scenarios(game, place)


def files(game: str, folder: Corpus = None) -> tuple[Path, ...]:
    """Return the files with the scenarios of a game, and the schema that they follow."""
    return (*_paths((locate_scenarios(folder)) / game), find_schemas() / "scenario.schema.json")


def is_translation(path: Path) -> bool:
    """Say whether a file is called like one that holds translations of scenarios, and is read as such alone."""
    return split_name(path.name) is not None


def _paths(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.yaml") if not is_translation(path))


@keep_until_changed(maxsize=32)
def _scenarios(game: str, folder: Path) -> tuple[Scenario, ...]:
    if folder != corpus_root():
        note_state(folder / game)
    return tuple(one for batch in batches(game, folder) for one in batch.scenarios)


#: How many bytes of files make a batch, unless one file alone has more.
_BATCH = 1 << 17


@dataclass(frozen=True, slots=True)
class Batch:
    """Some scenarios of a game, and the files that they were made from."""

    scenarios: tuple[Scenario, ...]
    files: tuple[Path, ...]


def batches(game: str, folder: Corpus = None) -> Iterator[Batch]:
    """Yield the scenarios of a game in batches, so that a corpus may be larger than memory.

    Raises `Malformed` after the last batch, with every fault of all files.
    """
    faults: list[Fault] = []
    seen: dict[str, Place] = {}
    below = locate_scenarios(folder)
    for paths in _group_paths(_paths(below / game)):
        made_of = (*paths, find_schemas() / "scenario.schema.json")
        try:
            found = load_or_make("scenarios", made_of, game, partial(_read_scenarios, game, below, paths))
        except Malformed as error:
            faults += error.faults
            continue
        twins = list(_twins(found, seen))
        faults += twins
        if not twins:
            yield Batch(found, made_of)
    if faults:
        raise Malformed(faults)


def _group_paths(paths: Iterable[Path]) -> Iterator[list[Path]]:
    group: list[Path] = []
    size = 0
    for path in paths:
        size += path.stat().st_size if path.is_file() else 0
        if group and size > _BATCH:
            yield group
            group, size = [], path.stat().st_size if path.is_file() else 0
        group.append(path)
    if group:
        yield group


def _read_scenarios(game: str, folder: Path, paths: Iterable[Path]) -> tuple[Scenario, ...]:
    found: list[Scenario] = []
    faults: list[Fault] = []
    for path in paths:
        try:
            found += _of_node(_read(folder, f"{game}/{path.name}", again=False), game)
        except Malformed as error:
            faults += error.faults
    if faults:
        raise Malformed(faults)
    return tuple(found)


def of_file(path: Path, game: str, name: str | None = None) -> list[Scenario]:
    """Return the scenarios of one file; raise `Malformed` with every fault in it."""
    return _of_node(read(path, name), game)


def _read(folder: Path, name: str, *, again: bool = True) -> Node:
    """Read a file of a folder of scenarios; in one that is not our own no link may lead out of it."""
    if folder == corpus_root():
        return read(folder / name, name, again=again)
    return read_below(folder, name, again=again)


def _of_node(node: Node, game: str) -> list[Scenario]:
    faults = list(shape_faults(node, find_schemas() / "scenario.schema.json"))
    if faults:
        raise Malformed(faults)
    found = [scenario(item, game) for item in node.items]
    faults = [fault for one in found for fault in find_repeated(one)]
    if faults:
        raise Malformed(faults)
    return found


def _twins(found: Iterable[Scenario], seen: dict[str, Place]) -> Iterator[Fault]:
    """Yield the scenarios whose id another has already; `seen` learns the place of each id."""
    for one in found:
        if one.id in seen:
            yield Fault(
                one.place, f"a second scenario {one.id!r}", f"the first is at {seen[one.id]}: rename one of them"
            )
        seen[one.id] = one.place


def applying(found: Iterable[Scenario], edition: str, setup: str, *, first: bool) -> list[Scenario]:
    """Return the scenarios that hold for an edition and set-up; `first` says that it is the edition's first."""
    return [
        one
        for one in found
        if (not one.editions or edition in one.editions) and (setup in one.setups if one.setups else first)
    ]


def refusing(one: Scenario) -> bool:
    """Say whether a scenario expects a refusal, or an act that is not open, under some reading at least."""
    patterns = [pattern for line in one.lines if isinstance(line, ScriptStep) for pattern in line.patterns]
    return any(p.key == "no" or (p.key == "legal" and [] in p.members.values()) for p in patterns)


@shape(closed=True)
class ScenarioEntry:
    """A scenario in the list."""

    id: Annotated[str, "its id"]
    game: Annotated[Name, "the game"]
    title: Annotated[str, "what it shows"]
    clauses: Annotated[tuple[str, ...], "the clauses and open questions that it cites, the most specific first"]
    cells: Annotated[
        Mapping[str, Annotated[tuple[Cell, ...], Limit(min_items=1)]],
        "the cells that it fills, by clause or open question",
    ]
    level: Annotated[Level, "what it demands"]
    origin: Annotated[Origin, "where it comes from"]
    refuses: Annotated[bool, "whether it expects a refusal, at least under some reading"]


@shape(closed=True)
class CorpusReport:
    """What `brou corpus list --json` writes."""

    format: Literal["brou-corpus/1"] = "brou-corpus/1"
    scenarios: Annotated[tuple[ScenarioEntry, ...], "every scenario, in the order of the files"]


def entry(one: Scenario) -> ScenarioEntry:
    """Return the entry of a scenario in a list."""
    return ScenarioEntry(
        id=one.id,
        game=one.game,
        title=one.title,
        clauses=tuple(one.clauses),
        cells=one.cells,
        level=one.level,
        origin=one.origin,
        refuses=refusing(one),
    )


def reference_faults(found: Iterable[Scenario], data: Book, citable: Iterable[str]) -> Iterator[Fault]:
    """Yield names in scenarios that the game does not have: editions, set-ups, readings, values, clauses."""
    known = set(citable)
    for one in found:
        for edition in one.editions:
            if edition not in data.editions:
                yield Fault(one.place, f"unknown edition {edition!r}", f"there are {', '.join(data.editions)}")
        for clause in one.clauses:
            if known and clause not in known:
                place = one.cited.get(clause, one.place)
                yield Fault(place, f"unknown clause {clause!r}", _suggest_clause(clause, known))
        yield from _reading_faults(one, data)


def _suggest_clause(clause: str, known: Iterable[str]) -> str:
    """Return what to write for a clause that is not there: with the prefix of the game, if that is all it lacks."""
    whole = [id_ for id_ in sorted(known) if id_.endswith(f".{clause}")]
    if whole:
        return f"write {' or '.join(whole)}, with the prefix that ids of the game have outside of its chapters"
    return ask_if_meant(nearest(clause, known)) or "cite one that the game has"


def _reading_faults(one: Scenario, data: Book) -> Iterator[Fault]:
    editions = [data.editions[name] for name in one.editions or data.editions if name in data.editions]
    for key, place in one.keys.items():
        lacking = [edition.id for edition in editions if key not in edition.readings]
        if key not in data.readings:
            yield Fault(place, f"unknown reading {key!r}", f"there are {', '.join(data.readings)}")
        elif lacking:
            instead = "name the editions that the scenario holds for in `edition:`"
            yield Fault(place, f"{key} is not open in {', '.join(lacking)}", instead)
    for key, value in one.premise.items():
        reading = data.readings.get(key)
        if reading is not None and reading.number is None and value not in reading.values:
            yield Fault(one.place, f"{key} has no value {value!r}", f"there are {', '.join(reading.values)}")
    for line in one.lines:
        if not isinstance(line, ScriptStep) or line.reading not in data.readings:
            continue
        named, values = set(line.values), set(data.readings[line.reading].values)
        if named != values:
            missing, extra = ", ".join(sorted(values - named)), ", ".join(sorted(named - values))
            told = [f"says nothing of {missing}"] * bool(missing) + [f"names {extra}"] * bool(extra)
            yield Fault(
                line.place,
                f"{one.id}#{line.id} {' and '.join(told)}",
                f"expect something for each value of {line.reading}",
            )


def clauses(game: str, data: Folder = None) -> dict[str, Node]:
    """Return the ids that a scenario of a game may cite: its clauses and its open passages."""
    sections = (read_section(game, section, locate(data)) for section in ("clauses", "ambiguities"))
    return {id_: node for section in sections for id_, node in section.fields.items()}


def check(folder: Corpus = None, data: Folder = None) -> list[Fault]:
    """Return all faults of a corpus: shape, ids, and names that the data of its games do not have."""
    return sorted({fault for game in games(folder) for fault in game_faults(game, folder, data)})


def game_faults(game: str, folder: Corpus = None, data: Folder = None) -> Iterator[Fault]:
    """Yield the faults of the scenarios of one game."""
    found: tuple[Scenario, ...] | None = None
    try:
        found = scenarios(game, folder)
        yield from reference_faults(found, book(game, data), clauses(game, data))
    except Unusable as error:
        yield from error.faults
    except Unknown as error:
        yield Fault(Place(game, 1, 1), str(error), "a folder of scenarios bears the name of its game")
    yield from _translation_faults(game, locate_scenarios(folder), found, data)


# In other languages -------------------------------------------------------------------------------


def translations(game: str, lang: str, folder: Corpus = None) -> Mapping[str, Translation]:
    """Return the translations of the scenarios of a game, by id; a file with faults gives none.

    Nothing is read for the language that scenarios are written in.
    """
    project = folder if isinstance(folder, Project) else house()
    if lang in ("", find_language(project.data)):
        return {}
    return _translations(game, lang, locate_scenarios(folder), project)


@keep_until_changed(maxsize=32)
def _translations(game: str, lang: str, folder: Path, project: Project) -> Mapping[str, Translation]:
    paths = sorted((folder / game).glob(f"*.{lang}.yaml"))
    made = partial(_read_translations, game, folder, paths)
    found = load_or_make("translations", (*paths, schema_file()), (game, lang), made)
    language = glossary(project).languages.get(lang)
    if language is None:
        return found
    typeset = language.typeset
    return {id_: Translation(typeset(one.title), typeset(one.because)) for id_, one in found.items()}


def _read_translations(game: str, folder: Path, paths: Iterable[Path]) -> dict[str, Translation]:
    found: dict[str, Translation] = {}
    for path in paths:
        with suppress(Malformed):  # a text that cannot be read is told in English; `brou check` says what is wrong
            found |= read_translations(_read(folder, f"{game}/{path.name}"))
    return found


def translate(one: Scenario, lang: str, folder: Corpus = None) -> Scenario:
    """Return a scenario with its title and reason in a language, in English where there is no translation."""
    found = translations(one.game, lang, folder).get(one.id)
    return one if found is None else replace(one, title=found.title, because=found.because)


def _translation_faults(game: str, folder: Path, found: Iterable[Scenario] | None, data: Folder) -> Iterator[Fault]:
    """Yield the faults in translations of the scenarios of a game; None says that the scenarios cannot be read."""
    ids: dict[str, list[str]] = defaultdict(list)
    for one in found or ():
        ids[one.place.file].append(one.id)
    for path in sorted(filter(is_translation, (folder / game).glob("*.yaml"))):
        name = f"{game}/{path.name}"
        try:
            yield from _faults_of(_read(folder, name), path, None if found is None else ids, data)
        except Malformed as error:
            yield from error.faults


def _faults_of(node: Node, path: Path, ids: Mapping[str, list[str]] | None, data: Folder) -> Iterator[Fault]:
    """Yield the faults in one file of translations."""
    base, lang = split_name(path.name) or ("", "")
    is_there = path.with_name(base).is_file()
    if not is_there:
        what = f"there is no {base} that it could be a translation of"
        yield Fault(node.place, what, "call it NAME.LANGUAGE.yaml after the file of the scenarios")
    own = f"{path.parent.name}/{base}"
    yield from translation_faults(node, base, lang, ids[own] if ids is not None and is_there else None, data)


def translation_file_faults(path: Path, data: Folder = None) -> Iterator[Fault]:
    """Yield the faults in a file of translations of a project by itself, checked against the scenarios beside it."""
    base, _ = split_name(path.name) or ("", "")
    game = path.parent.resolve().name
    try:
        ids = [one.id for one in of_file(path.with_name(base), game)]
    except Unusable:
        ids = None
    yield from _faults_of(read(path), path, None if ids is None else {f"{path.parent.name}/{base}": ids}, data)


# As files have them ---------------------------------------------------------------------------------


def source(one: Scenario, folder: Corpus = None) -> Node:
    """Return a scenario as its file has it."""
    nodes = _read(locate_scenarios(folder), one.place.file).items
    return next(node for node in nodes if node.place == one.place)


def text(one: Scenario, folder: Corpus = None, lang: str = "") -> str:
    """Return the lines of a scenario in its file, up to those of the next one.

    If a language is named, title and reason are in that.
    """
    place = locate_scenarios(folder)
    starts = [node.place.line for node in _read(place, one.place.file).items]
    lines = read_named(place / one.place.file).decode().splitlines()
    end = next((line - 1 for line in starts if line > one.place.line), len(lines))
    own = "\n".join(lines[one.place.line - 1 : end]).rstrip() + "\n"
    translated = translations(one.game, lang, folder).get(one.id)
    return own if translated is None else _replace_wording(own, translated, source(one, folder))


def _replace_wording(text: str, translated: Translation, node: Node) -> str:
    """Return the lines of a scenario with those of its title and reason in another language.

    Where these share their lines with others, the scenario is written down anew.
    """
    members = {"title": translated.title, "because": translated.because}
    indent = node.place.column - 1
    for key, value in members.items():
        lines = re.compile(rf"^(?P<head>-? {{0,{indent}}}){key}:.*\n(?: {{{indent + 1},}}.*\n|\s*\n)*", re.MULTILINE)
        dumped = yaml.safe_dump({key: value}, allow_unicode=True, width=_COLUMNS - indent)
        told = textwrap.indent(dumped, " " * indent)
        found = lines.search(text)
        if found is None or len(found["head"]) != indent:
            whole = {key: item.plain() for key, item in node.fields.items()} | members
            return yaml.safe_dump([whole], allow_unicode=True, sort_keys=False, width=_COLUMNS)
        text = text[: found.start()] + found["head"] + told[indent:] + text[found.end() :]
    return text


#: Columns of what is written down anew.
_COLUMNS = 118
