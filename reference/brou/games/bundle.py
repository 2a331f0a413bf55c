"""A bundle: typed rule bases and the data files beside them in one file of plain data, opened without reading YAML.

Its first line names the format and the hash of the second, which holds a table of values (`brou.language.packing`),
the place of each rule base in it by the name of its choice, and that of each data file by its path. The hash tells a
bundle that was damaged, not who made it: nothing that a bundle holds is ever run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG
from typing import TypeVar

from brou.atomic import read_named
from brou.errors import Fault, Malformed, Place
from brou.language.node import Node
from brou.language.syntax import Game

_FORMAT = "brou-bundle/1"
_Wanted = TypeVar("_Wanted")


class Bundle:
    """What a bundle holds: rule bases by the names of their choices, and data files by their paths."""

    def __init__(self, raw: bytes, name: str) -> None:
        """Take the bytes of a bundle; raise `Malformed`, which calls it by a name, where they are none."""
        import json  # noqa: PLC0415 - only where there is a bundle

        from brou.language.packing import PackedTable  # noqa: PLC0415 - likewise

        head, _, body = raw.partition(b"\n")
        try:
            said, held = json.loads(head), json.loads(body)
            if said != {"format": _FORMAT, "sha256": hashlib.sha256(body).hexdigest()}:
                raise ValueError(said)
            self._rules: Mapping[str, int] = dict(held["rules"])
            self._files: Mapping[str, int] = dict(held["files"])
            self._table = PackedTable(held["table"])
            #: The language of each data file that is not written in that of the bundle, which has no path.
            self.languages: Mapping[str, str] = dict(held.get("languages", {}))
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            what = "no bundle of this version, or one that was damaged"
            raise Malformed([Fault(Place(name, 1, 1), what, "write it again")]) from error
        self._name = name

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the choices whose rule bases it holds."""
        return tuple(self._rules)

    @property
    def files(self) -> tuple[str, ...]:
        """Return the paths of the data files that it holds."""
        return tuple(self._files)

    def rules(self, name: str) -> Game | None:
        """Return the rule base of a choice, or None where there is none."""
        return self._get(self._rules.get(name), Game)

    def file(self, path: str) -> Node | None:
        """Return what a data file says, or None where there is none."""
        return self._get(self._files.get(path), Node)

    def _get(self, place: int | None, wanted: type[_Wanted]) -> _Wanted | None:
        try:
            return None if place is None else self._table.get(place, wanted)
        except ValueError as error:
            raise Malformed([Fault(Place(self._name, 1, 1), "a bundle that holds something else")]) from error


def open_bundle(path: Path) -> Bundle | None:
    """Return the bundle in a file, opened once, or None for a folder and for a path that does not exist."""
    try:
        found = path.stat()
    except OSError:
        return None
    return _open(path, found.st_size, found.st_mtime_ns) if S_ISREG(found.st_mode) else None


@lru_cache(maxsize=8)
def _open(path: Path, size: int, changed: int) -> Bundle:
    return Bundle(read_named(path), str(path))


def admit(game: Game) -> Game:
    """Return rules that were typed from data files of a bundle; raise `Malformed` where a bundle could not hold them.

    The schemas, which check that names are names, were not applied there.
    """
    bundle = Bundle(encode_bundle({"": game}, {}), game.id)
    return bundle.rules("") or game


def encode_bundle(
    rules: Mapping[str, Game], files: Mapping[str, Node], languages: Mapping[str, str] | None = None
) -> bytes:
    """Return the bytes of a bundle of rule bases by the names of their choices, and of data files by their paths.

    `languages` are those of files by their paths, that of all others without one.
    """
    import json  # noqa: PLC0415 - only where there is a bundle

    from brou.language.packing import Packer  # noqa: PLC0415 - likewise

    packer = Packer()
    held = {
        "rules": {name: packer.add(game) for name, game in rules.items()},
        "files": {path: packer.add(node) for path, node in files.items()},
        "table": packer.table(),
        **({"languages": dict(languages)} if languages else {}),
    }
    body = json.dumps(held, ensure_ascii=False, separators=(",", ":")).encode()
    head = {"format": _FORMAT, "sha256": hashlib.sha256(body).hexdigest()}
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + body
