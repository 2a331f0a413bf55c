"""Making a bundle: the rule bases that names stand for, and the data files that readings and words are read from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from brou.atomic import put
from brou.errors import Impossible
from brou.games.bundle import encode_bundle
from brou.games.catalogue import (
    SECTIONS,
    Choice,
    book,
    catalogue,
    name_made_rules,
    name_section,
    patch_rules,
    read_shaped,
    rules,
    spread,
    with_readings,
)
from brou.games.data import has_chapters, read_section
from brou.games.folder import (
    CHAPTERS,
    ORIGINAL,
    PRELUDE,
    Folder,
    find_language,
    list_files,
    locate,
    read_file,
)
from brou.games.glossary_file import FILE, read_words
from brou.language.node import Node

_LANGUAGES = "languages"


def write_bundle(path: Path, names: Iterable[str] = (), folder: Folder = None, *, varied: bool = False) -> None:
    """Write a bundle of the named rule bases, or of all games.

    A bare game stands for each of its editions and set-ups. With `varied`, every rule base that differs from one of
    them in one reading is there too, so that an explanation finds the rules it compares with. Raise the errors of
    loading.
    """
    data = locate(folder)
    plain = [choice for name in tuple(names) or catalogue(data) for choice in spread(name, data)]
    chosen = [*plain, *(other for choice in plain if varied for other in _vary(choice, data))]
    files = dict(_read_files(dict.fromkeys(choice.game for choice in chosen), data))
    files |= {name_made_rules(choice): patch_rules(choice, data) for choice in chosen if _has_numbers(choice, data)}
    put(
        path,
        encode_bundle({choice.full: rules(choice, data) for choice in chosen}, files, _list_languages(files, data)),
    )


def _list_languages(files: Iterable[str], folder: Path) -> dict[str, str]:
    """Return the language of the files of a project, and by its path that of each one that is in another."""
    own = find_language(folder)
    others = {name: lang for name in files if (lang := find_language(folder, name)) != own}
    return {} if own == ORIGINAL and not others else {"": own, **others}


def _vary(choice: Choice, folder: Path) -> Iterator[Choice]:
    """Yield the rule bases that differ from one in one reading, numbers aside."""
    known = book(choice.game, folder).readings
    for key, own in choice.readings:
        for value in known[key].values:
            if value != own:
                try:
                    yield with_readings(choice, {key: value}, folder)
                except Impossible:
                    continue


def _has_numbers(choice: Choice, folder: Path) -> bool:
    """Say whether a choice has a number among its readings: others are put into its rules."""
    known = book(choice.game, folder).readings
    return any(known[key].number is not None for key, _ in choice.readings)


def _read_files(games: Iterable[str], folder: Path) -> Iterator[tuple[str, Node]]:
    """Yield the data files of some games, by their paths, with the words."""
    for game in games:
        yield f"games/{game}/rules.yaml", book(game, folder).rules
        if has_chapters(game, folder):
            yield from ((name_section(game, section), read_section(game, section, folder)) for section in SECTIONS)
            yield from _read_chapters(game, folder)
    yield FILE, read_words(folder)
    yield from ((name, read_shaped(folder, name, "language")) for name in list_files(folder, f"{_LANGUAGES}/*.yaml"))


def _read_chapters(game: str, folder: Path) -> Iterator[tuple[str, Node]]:
    """Yield the files of a game in chapters and of the prelude, of which other choices of rules are made."""
    for pattern in (*(f"games/{game}/{name}" for name in CHAPTERS), f"{PRELUDE}/*.yaml"):
        yield from ((name, read_file(folder, name)) for name in list_files(folder, pattern))
