"""The record of a long run: the result of each part, from which the run resumes after an interruption.

It is NDJSON: the first line identifies the run, and one follows for each part as soon as that is done. Every line bears
a hash of its content, so that nothing torn or altered counts. Parts come in no order and have names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import brou
import brou_conformance
import brou_tools
from brou import NoFile, Project, root
from brou.atomic import Journal, expect, read_named
from brou_conformance.protocol import Data, Message, NoMessage, decode, encode
from brou_conformance.scenarios.corpus import is_translation

FORMAT = "brou-parts/1"
#: What the data have beside rules and scenarios and is made from them by commands, not read by long runs.
_MADE = frozenset({"bites.yaml", "frequencies.yaml", "mutants.yaml", "quick.yaml", "reviewed.yaml", "witnesses.yaml"})
#: More characters of an old and a new value are not shown where two runs differ.
_SHOWN = 40


class Parts:
    """The parts of a run that are done: `known` before it began, by name; `keep` adds one."""

    def __init__(self, known: Mapping[str, Any], journal: Journal | None) -> None:
        self.known = known
        self._journal = journal

    def keep(self, name: str, result: Data) -> None:
        """Write down the result of a part; raise an `OSError` that names the record if that fails."""
        if self._journal is not None:
            self._journal.append(_line({"kind": "part", "part": name, "result": result}))


@contextmanager
def open_record(path: Path | None, about: Mapping[str, Any], project: Project, *, resume: bool) -> Iterator[Parts]:
    """Record a run in a file, if one is named; `resume` takes over the parts that are there already.

    `about` is JSON and identifies the run by everything that its result depends on. Raise `NoFile` for a file that is
    no record, or one of another run.
    """
    if path is None:
        yield Parts({}, None)
        return
    expect(path)
    run = {"kind": "begin", "format": FORMAT, "run": {**about, "code": _code(), "data": _data(project)}}
    known = _read(path, run) if resume and path.exists() else {}
    kept = [_line({"kind": "part", "part": name, "result": result}) for name, result in known.items()]
    with closing(Journal(path, [_line(run), *kept])) as journal:
        yield Parts(known, journal)


def _line(message: Message) -> bytes:
    """Return a line with the hash of its content."""
    return encode({**message, "sha256": hashlib.sha256(encode(message)).hexdigest()})


# Reading --------------------------------------------------------------------------------------------------------------


def _read(path: Path, run: Message) -> dict[str, Any]:
    """Return the results of the parts in the record of a run, up to the first line that is not whole."""
    wanted = "one that this command wrote, or leave out --resume to start again"
    if not path.is_file():
        raise NoFile(path, wanted, "no file that can be read again")
    try:
        lines = list(_lines(path.read_bytes()))
    except OSError as error:
        raise NoFile(path, wanted, str(error.strerror)) from error
    if not lines or lines[0].get("format") != FORMAT:
        raise NoFile(path, wanted, "no record of a long run")
    if lines[0] != run:
        told = ", ".join(_differing(lines[0]["run"], run["run"]))
        raise NoFile(path, "another, or leave out --resume to start again", f"the record of another run ({told})")
    # A result is what the command wrote down of a part, and only that command knows its shape.
    known: dict[str, Any] = {}
    for line in lines[1:]:
        if line["kind"] == "part":
            known.setdefault(line["part"], line["result"])
    return known


def _lines(data: bytes) -> Iterator[Message]:
    """Yield the lines that are whole and as they were written, up to the first that is not."""
    for text in data.splitlines(keepends=True):
        try:
            line = decode(text)
        except NoMessage:
            return
        found = line.pop("sha256", None)
        if not text.endswith(b"\n") or found != hashlib.sha256(encode(line)).hexdigest():
            return
        yield line


def _differing(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield the differences of two runs, in the order of the later one."""
    for name in dict.fromkeys([*now, *before]):
        if before.get(name) != now.get(name):
            told = f"{name} {before.get(name)}, not {now.get(name)}"
            yield told if len(told) <= _SHOWN else f"other {name}"


# What a result depends on ---------------------------------------------------------------------------------------------


def _code() -> str:
    """Return the hash of the code."""
    return _hash_files(
        (file, folder) for folder in map(_folder, (brou, brou_conformance, brou_tools)) for file in folder.rglob("*.py")
    )


def _data(project: Project) -> str:
    """Return the hash of the rules, the obligations and the scenarios."""
    return _hash_files(
        (file, folder)
        for folder in dict.fromkeys((root(), project.data, project.scenarios))
        for file in folder.rglob("*.yaml")
        if file.name not in _MADE and not is_translation(file)
    )


def _folder(package: ModuleType) -> Path:
    return Path(str(package.__file__)).parent


def _hash_files(files: Iterable[tuple[Path, Path]]) -> str:
    """Return the hash of files with their names, each as it is called from a folder on."""
    summed = hashlib.sha256()
    for name, file in sorted((f"{folder.name}/{file.relative_to(folder).as_posix()}", file) for file, folder in files):
        data = read_named(file)
        summed.update(f"{name}\0{len(data)}\0".encode())
        summed.update(data)
    return summed.hexdigest()
