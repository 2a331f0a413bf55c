"""Clauses, open passages, editions and proof obligations of a game, in files beside its rules."""

from __future__ import annotations

from pathlib import Path

from brou.cache import load_or_make
from brou.errors import Place, Unknown
from brou.games.bundle import open_bundle
from brou.games.catalogue import Maker, book, list_rule_files, name_section
from brou.games.folder import FRAME, has_file, read_file
from brou.games.freshness import keep_until_changed, note_state
from brou.language.node import Node


def has_chapters(game: str, folder: Path) -> bool:
    """Say whether a game of a folder of data is written in chapters, and not as generated rules in one file."""
    return has_file(folder, f"games/{game}/{FRAME}")


def read_section(game: str, section: str, folder: Path) -> Node:
    """Return the `clauses`, the open passages (`ambiguities`) or the `editions` that chapters say, by their ids.

    Generated rules, and a game that is not there, have none.
    """
    return _read_section(game, section, folder)


@keep_until_changed(maxsize=64)
def _read_section(game: str, section: str, folder: Path) -> Node:
    if not has_chapters(game, folder):
        return Node({}, Place(f"games/{game}", 1, 1))
    if open_bundle(folder) is not None:
        return read_file(folder, name_section(game, section))
    note_state(folder, game)
    # Open passages say what each reading changes, for which all rules of all readings are made.
    return load_or_make(
        "section",
        list_rule_files(game, folder),
        (game, section),
        lambda: _find_maker(game, folder).write_section(section),
    )


def read_obligations(game: str, folder: Path) -> Node | None:
    """Return the obligations of a game: the file beside its rules, else those of its chapters; None for neither."""
    name = f"games/{game}/obligations.yaml"
    if has_file(folder, name):
        return read_file(folder, name)
    return _write_obligations(game, folder) if has_chapters(game, folder) else None


@keep_until_changed(maxsize=16)
def _write_obligations(game: str, folder: Path) -> Node:
    return _find_maker(game, folder).write_obligations()


def _find_maker(game: str, folder: Path) -> Maker:
    """Return the maker of the rules of a game in chapters."""
    maker = book(game, folder).maker
    if maker is None:
        raise Unknown("game in chapters", game, ())
    return maker
