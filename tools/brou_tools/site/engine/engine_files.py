"""The files that a browser fetches to answer by the rules itself: Pyodide, the library, and a bundle of each game.

Pyodide comes from its npm package, at one version whose files are known by their hashes. Large files are packed
with gzip here, so that their sizes do not depend on how a host sends them.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import ZipFile, ZipInfo

import brou
from brou import BrouError, Impossible, NoFile, Project, book, spread, with_readings
from brou.atomic import read_named
from brou.games import write_bundle
from brou_tools.site.engine import PACKAGE

#: The folder of a site in which all this lies.
RUN = "run"
_HERE = Path(__file__).parent
#: What of the package is used, with its fingerprints.
_FILES = {
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
}
#: Rooms of `brou` that no answer needs, as it comes from bundles: compiled rules, engines, and the checks of files.
_LEFT_OUT = ("compiler", "native", "check.py")
#: Entries of an archive are of no day, so that equal content is equal bytes.
_DAY = (1980, 1, 1, 0, 0, 0)


def check_package(folder: Path) -> None:
    """Raise `NoFile` or `Impossible` unless a folder is that of the package in its version."""
    for name, wanted in _FILES.items():
        if not (folder / name).is_file():
            raise NoFile(folder / name, f"a file of {PACKAGE}, as `npm pack {PACKAGE}` brings it")
        if sha256(read_named(folder / name)).hexdigest() != wanted:
            raise Impossible(f"{folder / name} is not that of {PACKAGE}: take that version")


def list_engine_files(folder: Path, games: Sequence[str], project: Project) -> Iterator[tuple[str, bytes]]:
    """Yield the files below the folder of the engine with their content; `folder` is that of the npm package.

    Raise `Impossible` where Node is missing, or cannot make the library.
    """
    check_package(folder)
    with TemporaryDirectory() as made:
        work = Path(made)
        for game in games:
            write_bundle(work / game, [game], project, varied=True)
            yield f"{game}.gzip", _pack(read_named(work / game))
        shutil.copy(work / games[0], work / "bundle")
        yield "library.zip.gzip", _pack(_make_library(folder, work, games[0], project))
    yield "pyodide.asm.wasm.gzip", _pack(read_named(folder / "pyodide.asm.wasm"))
    for name in ("pyodide.asm.mjs", "pyodide.mjs"):
        yield name, read_named(folder / name)
    info = json.loads(read_named(folder / "pyodide-lock.json"))["info"]
    yield "info.mjs", f"export default {json.dumps(info)};\n".encode()
    for name in ("engine.mjs", "worker.mjs"):
        yield name, read_named(_HERE / name)


class PlacedEngine(NamedTuple):
    """The files of an engine by their places in a site; another content has another place."""

    files: Mapping[str, bytes]
    #: The place of the worker, and by game the name of its bundle.
    worker: str
    bundles: Mapping[str, str]


def place_engine(files: Mapping[str, bytes], games: Sequence[str]) -> PlacedEngine:
    """Place files as `list_engine_files` names them: bundles by their hashes, all others in a folder by theirs."""
    packed = {game: files[f"{game}.gzip"] for game in games}
    bundles = {game: f"{game}.{_hash(content)}" for game, content in packed.items()}
    own = {name: content for name, content in files.items() if name not in {f"{game}.gzip" for game in games}}
    folder = f"{RUN}/{_hash(b''.join(name.encode() + content for name, content in sorted(own.items())))}"
    placed = {f"{folder}/{name}": content for name, content in own.items()}
    placed |= {f"{RUN}/{bundles[game]}.gzip": content for game, content in packed.items()}
    return PlacedEngine(placed, f"{folder}/worker.mjs", bundles)


def _hash(content: bytes) -> str:
    """Return as much of a fingerprint as tells two contents apart."""
    return sha256(content).hexdigest()[:12]


def _make_library(folder: Path, work: Path, game: str, project: Project) -> bytes:
    """Return the archive of the library that Pyodide makes, in a folder with a bundle of a game."""
    node = shutil.which("node")
    if node is None:
        raise Impossible("the library of a page is compiled by Pyodide in Node, which is not there: install Node.js")
    (work / "brou.zip").write_bytes(_zip_package())
    (work / "rules.json").write_text(json.dumps(_name_rules(game, project)), encoding="utf-8")
    shutil.copy(_HERE / "pack_library.py", work)
    ended = subprocess.run(
        [node, str(_HERE / "pack.mjs"), str(folder.resolve()), str(work)], capture_output=True, text=True, check=False
    )
    if ended.returncode:
        raise Impossible(f"the library of a page could not be made: {ended.stderr[-1000:].strip()}")
    return read_named(work / "library.zip")


def _name_rules(game: str, project: Project) -> list[str]:
    """Return rules to try: those of an edition, and some that differ in two readings, which no bundle holds."""
    first = spread(game, project)[0]
    names, other = [first.full], first
    for key, reading in book(game, project).readings.items():
        for value in reading.values:
            if key in dict(first.readings) and value != dict(other.readings)[key]:
                try:
                    other = with_readings(other, {key: value})
                except BrouError:
                    continue
                break
    return [*names, other.full]


def _zip_package() -> bytes:
    """Return the modules of `brou` that answers may need, as an archive of sources."""
    package = Path(brou.__file__).parent
    with TemporaryDirectory() as folder:
        path = Path(folder) / "brou.zip"
        with ZipFile(path, "w") as archive:
            for source in sorted(package.rglob("*.py")):
                place = source.relative_to(package)
                if place.parts[0] not in _LEFT_OUT:
                    archive.writestr(ZipInfo(f"brou/{place.as_posix()}", _DAY), source.read_bytes())
            # Compiled packages are not there; of this one, chapters need little.
            archive.writestr(ZipInfo("msgspec.py", _DAY), read_named(_HERE / "plain_msgspec.py"))
        return path.read_bytes()


def _pack(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)
