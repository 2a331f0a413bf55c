"""How rules are named and made: `game@edition:setup[reading=value,...]`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from brou.cache import load_or_make, sum_files
from brou.dataclass import dataclass, field, replace
from brou.errors import Fault, Impossible, Malformed, Unknown
from brou.games.bundle import admit, open_bundle
from brou.games.folder import (
    CHAPTERS,
    FRAME,
    PRELUDE,
    Folder,
    Project,
    find_file,
    find_language,
    find_project_file,
    has_file,
    house,
    list_files,
    locate,
    open_project,
    read_file,
    root,
)
from brou.games.freshness import forget_changed, forget_with, keep_until_changed, note_state
from brou.games.open_passage import Reading, list_readings
from brou.garbage import pause_collection
from brou.language.node import Node
from brou.language.patch import apply_patches
from brou.language.syntax import Game

if TYPE_CHECKING:
    from brou.chapters.variants import Variants

_NAME = re.compile(r"([^@:\[\]]+)(?:@([^:\[\]]+))?(?::([^\[\]]+))?(?:\[([^\]]*)\])?\Z")


#: The key under which an exclusion names set-ups.
SETUP = "setup"
#: What the chapters of a game say beside its rules.
SECTIONS = ("clauses", "ambiguities", "editions", "exclusions")


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Two readings that exclude each other, or a reading that means nothing in some set-ups, and why."""

    together: Mapping[str, frozenset[str]]
    because: str

    def hit(self, readings: Mapping[str, str], setup: str) -> bool:
        """Say whether a choice has both."""
        chosen = {**readings, SETUP: setup}
        return all(chosen.get(key) in values for key, values in self.together.items())


@dataclass(frozen=True, slots=True)
class Edition:
    """A named choice of readings with its set-ups; only the listed readings may be varied."""

    id: str
    readings: Mapping[str, str]
    setups: tuple[str, ...]


class Maker(Protocol):
    """What makes the rules of each choice out of chapters."""

    def write_rules(self, edition: str, setup: str, readings: Mapping[str, str]) -> Node:
        """Return the rules file of an edition and set-up under some readings."""

    def find_outdated(self) -> Iterable[Fault]:
        """Return the texts that a language lacks, or has from an older text."""

    def write_section(self, section: str) -> Node:
        """Return one of the sections beside the rules."""

    def write_obligations(self) -> Node:
        """Return the obligations as a file."""


@dataclass(frozen=True, slots=True)
class Book:
    """All data of one game."""

    game: str
    rules: Node
    codes: Mapping[str, str]
    readings: Mapping[str, Reading]
    exclusions: tuple[Exclusion, ...]
    editions: Mapping[str, Edition]
    #: Makes the rules of a choice, where a game is written in chapters; generated rules have nothing to choose.
    maker: Maker | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One rule base by name: game, edition, set-up and a value for every reading of the edition; and its project."""

    game: str
    edition: str
    setup: str
    readings: tuple[tuple[str, str], ...]
    #: Where the game stands.
    project: Project = field(default_factory=house)

    def __str__(self) -> str:
        return f"{self.game}@{self.edition}:{self.setup}"

    @property
    def full(self) -> str:
        """Return the name with every reading, which names this rule base and no other."""
        return f"{self}[{','.join(f'{key}={value}' for key, value in self.readings)}]"


def catalogue(folder: Folder = None) -> tuple[str, ...]:
    """Return the ids of all games, in alphabetical order."""
    bundle = open_bundle(locate(folder))
    if bundle is not None:
        return tuple(sorted(path.split("/")[1] for path in bundle.files if path.endswith("/rules.yaml")))
    games = locate(folder) / "games"
    found = {path.parent.name for name in ("rules.yaml", FRAME) for path in games.glob(f"*/{name}")}
    return tuple(sorted(found)) if games.is_dir() else ()


def book(game: str, folder: Folder = None) -> Book:
    """Read all data of a game."""
    return _book(game, locate(folder))


@keep_until_changed(maxsize=32)
def _book(game: str, folder: Path) -> Book:
    note_state(folder, game)
    known = catalogue(folder)
    if game not in known:
        raise Unknown("game", game, known)
    if open_bundle(folder) is not None:
        return _read_book(game, folder)
    return load_or_make("book", (), (game, _sum_state(game, folder)), lambda: _read_book(game, folder))


@keep_until_changed(maxsize=32)
def _sum_state(game: str, folder: Path) -> str:
    """Return what changes whenever a file that the rules of a game are made of does."""
    return sum_files(list_rule_files(game, folder))


def list_rule_files(game: str, folder: Folder = None) -> tuple[Path, ...]:
    """Return all files that the rules of a game are made of, schemas included."""
    data = locate(folder)
    if (data / "games" / game / FRAME).exists():
        own = (data / path for name in CHAPTERS for path in list_files(data, f"games/{game}/{name}"))
        shared = (find_file(data, name) for name in list_files(data, f"{PRELUDE}/*.yaml"))
        said = (file for file in (find_project_file(data),) if file is not None)
        return (*own, *shared, *said, *(root() / path for path in list_files(root(), "schemas/*.json")))
    own = (data / name for name in (f"games/{game}/rules.yaml", *_list_given_up(game, data)))
    return (*own, root() / "schemas" / "rules.schema.json")


def _read_book(game: str, folder: Path) -> Book:
    if open_bundle(folder) is not None:
        return _read_bundled(game, folder)
    if has_file(folder, f"games/{game}/{FRAME}"):
        return _read_chapters(game, folder)

    from brou.language.schema import find_kind  # noqa: PLC0415 - schemas are not needed where a bundle is

    for name in _list_given_up(game, folder):
        find_kind(read_file(folder, name))
    return _keep_rules(game, read_shaped(folder, f"games/{game}/rules.yaml", "rules"))


def _list_given_up(game: str, folder: Path) -> tuple[str, ...]:
    """Return the files beside generated rules that nothing reads since games are written in chapters."""
    names = (f"games/{game}/{section}.yaml" for section in SECTIONS)
    return tuple(name for name in names if has_file(folder, name))


#: The edition and set-up of generated rules.
_SOLE = "1"


def _keep_rules(game: str, rules: Node) -> Book:
    """Return the data of a game that has generated rules and nothing else: one edition, and nothing to choose."""
    return Book(game, rules, {}, {}, (), {_SOLE: Edition(_SOLE, {}, (_SOLE,))})


def _read_bundled(game: str, folder: Path) -> Book:
    """Return the data of a game out of a bundle, which has generated rules, or what chapters say in sections."""
    rules = read_file(folder, f"games/{game}/rules.yaml")
    if not has_file(folder, f"games/{game}/{FRAME}"):
        return _keep_rules(game, rules)
    sections = {section: read_file(folder, name_section(game, section)) for section in SECTIONS}
    open_passages = sections["ambiguities"].fields
    citable = {**sections["clauses"].fields, **open_passages}
    codes = {id_: node.string("code") for id_, node in citable.items() if node.get("code")}
    readings = {reading.key: reading for id_, node in open_passages.items() for reading in list_readings(id_, node)}
    exclusions = tuple(map(_exclusion, sections["exclusions"].items))
    editions = {id_: _edition(id_, node) for id_, node in sections["editions"].fields.items()}
    return Book(game, rules, codes, readings, exclusions, editions, _BundledMaker(game, folder))


def _exclusion(node: Node) -> Exclusion:
    sides = node.fields["together"].fields.items()
    together = {key: frozenset(value.text for value in values.items) for key, values in sides}
    return Exclusion(together, node.string("because"))


def _edition(id_: str, node: Node) -> Edition:
    readings = {key: value.text for key, value in node.fields["readings"].fields.items()}
    return Edition(id_, readings, tuple(node.fields["setups"].fields))


@dataclass(frozen=True, slots=True)
class _BundledMaker:
    """The maker of the rules of a game in chapters out of a bundle, whose chapters are read when it is first asked."""

    game: str
    folder: Path

    @property
    def _variants(self) -> Maker:
        return _read_variants(self.game, self.folder)

    def write_rules(self, edition: str, setup: str, readings: Mapping[str, str]) -> Node:
        return self._variants.write_rules(edition, setup, readings)

    def find_outdated(self) -> Iterable[Fault]:
        return self._variants.find_outdated()

    def write_section(self, section: str) -> Node:
        return self._variants.write_section(section)

    def write_obligations(self) -> Node:
        return self._variants.write_obligations()


@keep_until_changed(maxsize=16)
def _read_variants(game: str, folder: Path) -> Variants:
    from brou.chapters.variants import Variants  # noqa: PLC0415 - only where there are chapters

    return Variants.read(game, partial(list_files, folder), partial(read_file, folder), partial(find_language, folder))


def _read_chapters(game: str, folder: Path) -> Book:
    """Return the data of a game in chapters."""
    found = _read_variants(game, folder)
    editions = {id_: Edition(id_, chosen, tuple(setups)) for id_, (chosen, setups) in found.editions().items()}
    first = next(iter(editions.values()))
    made = found.write_rules(first.id, first.setups[0], first.readings)
    named = found.name_readings()
    readings = {one[0]: Reading(*one, *named[one[0]]) for one in found.readings()}
    exclusions = tuple(Exclusion(*one) for one in found.exclusions())
    return Book(game, made, found.codes(), readings, exclusions, editions, found)


def read_shaped(folder: Path, name: str, kind: str) -> Node:
    """Read a file of a kind, or raise the faults of its shape; files of a bundle were checked when it was made."""
    node = read_file(folder, name)
    if open_bundle(folder) is not None:
        return node
    from brou.language.schema import shape_faults  # noqa: PLC0415 - schemas are not needed where a bundle is

    faults = list(shape_faults(node, root() / "schemas" / f"{kind}.schema.json"))
    if faults:
        raise Malformed(faults)
    return node


def choose(name: str, folder: Folder = None) -> Choice:
    """Read a name such as `game`, `game@edition:setup` or `game@edition[reading=value]`.

    The name is resolved against the present files; cached data of files that have changed is dropped.
    """
    project, game = open_project(folder), _parts(name)[0]
    forget_changed(project.data, game)
    note_state(project.data, game)
    return _choose(name, project)


@keep_until_changed(maxsize=1024)
def _choose(name: str, project: Project) -> Choice:
    game, folder = _parts(name)[0], project.data
    if (game, folder) in _known or open_bundle(folder) is not None or game not in catalogue(folder):
        return _resolve_name(name, project)
    about = (name, _sum_state(game, folder))
    made = load_or_make("choice", (), about, lambda: _resolve_name(name, project))
    return replace(made, project=project)


#: The games whose books were read in this process: a name is read sooner than it is found in the cache.
_known: set[tuple[str, Path]] = set()
forget_with(_known.clear)


def _resolve_name(name: str, project: Project) -> Choice:
    game, edition, setup, given = _parts(name)
    editions = book(game, project).editions
    _known.add((game, project.data))
    edition = edition or next(iter(editions), "")
    if edition not in editions:
        raise Unknown(f"edition of {game}", edition, editions)
    setup = setup or next(iter(editions[edition].setups), "")
    if setup not in editions[edition].setups:
        raise Unknown(f"set-up of {game}@{edition}", setup, editions[edition].setups)
    return with_readings(Choice(game, edition, setup, (), project), given)


def spread(name: str, folder: Folder = None) -> tuple[Choice, ...]:
    """Return every choice that a name allows: each edition of a bare game, each set-up of an edition.

    Readings apply to every set-up in which they have a meaning.
    """
    game, edition, setup, given = _parts(name)
    if setup:
        return (choose(name, folder),)
    first = choose(f"{game}@{edition}" if edition else game, folder)
    editions = book(game, folder).editions
    wanted = [first.edition] if edition or given else list(editions)
    plain = [Choice(game, one, other, (), first.project) for one in wanted for other in editions[one].setups]
    return tuple(with_readings(choice, given, fitting=True) for choice in plain)


def _parts(name: str) -> tuple[str, str, str, dict[str, str]]:
    """Return the game, edition, set-up and readings of a name; omitted parts are empty."""
    match = _NAME.match(name.strip())
    if match is None:
        raise Unknown("form of a name", name, ["game@edition:setup[reading=value,...]"])
    game, edition, setup, given = match.groups(default="")
    pairs = [part.split("=", 1) for part in given.split(",") if part.strip()]
    if any(len(pair) != 2 for pair in pairs):
        raise Unknown("form of a reading", given, ["reading=value"])
    readings = {key.strip(): value.strip() for key, value in pairs}
    if len(readings) < len(pairs):
        raise Impossible(f"{name} names a reading twice: name each one once")
    return game, edition, setup, readings


def with_readings(choice: Choice, given: Mapping[str, str], folder: Folder = None, *, fitting: bool = False) -> Choice:
    """Return the choice with some readings changed; refuse readings that the edition does not leave open.

    Readings without a meaning in the set-up are refused; with `fitting`, the edition's own take their place. A
    `folder` is the project of the new choice, by default that of the old one.
    """
    project = _find_project(choice, folder)
    data = book(choice.game, project)
    edition = data.editions[choice.edition]
    readings = {**edition.readings, **dict(choice.readings)}
    for key, value in given.items():
        if key not in edition.readings:
            raise Unknown(f"reading of {choice.game}@{choice.edition}", key, edition.readings)
        data.readings[key].check(value)
        readings[key] = value
    for exclusion in data.exclusions:
        if not exclusion.hit(readings, choice.setup):
            continue
        keys = [key for key in exclusion.together if key != SETUP]
        if fitting and SETUP in exclusion.together:
            readings |= {key: edition.readings[key] for key in keys}
            continue
        what = " with ".join(f"{key}={readings[key]}" for key in keys)
        name = str(choice) if SETUP in exclusion.together else f"{choice.game}@{choice.edition}"
        raise Impossible(f"{name}: {what} is impossible: {exclusion.because}")
    return Choice(choice.game, choice.edition, choice.setup, tuple(sorted(readings.items())), project)


def _find_project(choice: Choice, folder: Folder) -> Project:
    """Return the project that a caller names, or that of the choice."""
    return choice.project if folder is None else open_project(folder)


def patch_rules(choice: Choice, folder: Folder = None) -> Node:
    """Return the rules file of a choice, from its own project or from that of a `folder`."""
    project = _find_project(choice, folder)
    data = book(choice.game, project)
    if data.maker is not None:
        bundled = _find_bundled(choice, data, project.data)
        return bundled or data.maker.write_rules(choice.edition, choice.setup, dict(choice.readings))
    return data.rules


def _find_bundled(choice: Choice, data: Book, folder: Path) -> Node | None:
    """Return what a bundle has of the rules of a choice, or None; its numbers may be others than those there."""
    bundle = open_bundle(folder)
    if bundle is None:
        return None
    own, given = data.editions[choice.edition].readings, dict(choice.readings)
    numbers = {key: value for key, value in given.items() if data.readings[key].number and value != own[key]}
    readings = tuple((key, own[key] if key in numbers else value) for key, value in given.items())
    made = bundle.file(name_made_rules(replace(choice, readings=readings)))
    changes = [patch for key, value in numbers.items() for patch in data.readings[key].patch(value)]
    return None if made is None else apply_patches(made, changes)


def name_made_rules(choice: Choice) -> str:
    """Return the path under which a bundle keeps the rules of a choice that were made from chapters."""
    return f"made/{choice.full}.yaml"


def name_section(game: str, section: str) -> str:
    """Return the path under which a bundle keeps what chapters say in a section."""
    return f"made/{game}/{section}.yaml"


def rules(name: str | Choice, folder: Folder = None) -> Game:
    """Return the typed rule base of a name or a choice; a choice has it from its own project, or from a `folder`."""
    with pause_collection():
        choice = choose(name, folder) if isinstance(name, str) else name
        return _rules(choice, _find_project(choice, folder).data)


@keep_until_changed(maxsize=256)
def _rules(choice: Choice, folder: Path) -> Game:
    bundle = open_bundle(folder)
    if bundle is not None:
        return bundle.rules(choice.full) or admit(_load_typed(patch_rules(choice, folder), choice, folder))
    if _unpacked[choice.game, folder] >= _FEW:
        return _load_choice(choice, folder)
    about, typed = (choice, _sum_state(choice.game, folder)), partial(_first, choice, folder)
    found = load_or_make("rules", (), about, typed, lambda: not _is_rare(choice, folder))
    _unpacked[choice.game, folder] += 1
    return found


#: How many rule bases of a game have come from the cache in this process, or `_FEW` once one was typed.
_unpacked: Counter[tuple[str, Path]] = Counter()
forget_with(_unpacked.clear)
#: After so many, the next one is typed: what one rule base shares with another is then typed no more.
_FEW = 4


def _first(choice: Choice, folder: Path) -> Game:
    _unpacked[choice.game, folder] = _FEW
    return _load_choice(choice, folder)


def _is_rare(choice: Choice, folder: Path) -> bool:
    """Say whether rules differ in more than one reading from an edition's own, or in a number: there are many such."""
    data = book(choice.game, folder)
    own = data.editions[choice.edition].readings
    changed = [key for key, value in choice.readings if value != own.get(key)]
    return len(changed) > 1 or any(data.readings[key].number is not None for key in changed)


#: Sections that tell of play and change nothing of it.
_TELLING = ("phrases", "summary")


@keep_until_changed(maxsize=256)
def rules_of_play(choice: Choice) -> Game:
    """Return the typed rule base of a choice without words and short forms, which is made sooner.

    It is for whoever asks many choices the same: nothing is checked that another choice of the game has not shown.
    """
    made = patch_rules(choice)
    kept = {key: node for key, node in made.fields.items() if key not in _TELLING}
    return _load_typed(Node(kept, made.place), choice, choice.project.data)


def _load_choice(choice: Choice, folder: Path) -> Game:
    return _load_typed(patch_rules(choice, folder), choice, folder)


def _load_typed(made: Node, choice: Choice, folder: Path) -> Game:
    from brou.language.load import load_rules  # noqa: PLC0415 - not needed for rules that were typed before

    return load_rules(made, book(choice.game, folder).codes)
