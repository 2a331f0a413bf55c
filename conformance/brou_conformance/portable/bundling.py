"""The files of a portable corpus, the same bytes whenever they are made of the same data."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from io import BytesIO
from typing import Any

from brou import ORIGINAL, Choice, Folder, Game, Node, NoFile, Reading, book, choose, glossary, outside, prose, rules
from brou.atomic import read_named
from brou.cache import load_or_make
from brou.games import list_rule_files
from brou.reasons import reason_texts
from brou.shapes import ABSENT, write_object
from brou.words import citable
from brou_conformance.portable.asking import name_play
from brou_conformance.portable.lines import (
    BundledFile,
    BundledTexts,
    BundleIndex,
    EditionEntry,
    ListedReading,
    ValidRange,
)
from brou_conformance.portable.spelling import spell_edition
from brou_conformance.programs.engine import find_version
from brou_conformance.protocol import SCHEMAS, encode
from brou_conformance.scenarios import corpus
from brou_conformance.scenarios.corpus import Corpus

#: What a bundle carries unchanged, by its name there, from the room of the evidence or the one above it.
_PAGES = {
    "README.md": "runners/README.md",
    "run.mjs": "runners/run.mjs",
    "run.go": "runners/run.go",
    "PROTOCOL.md": "PROTOCOL.md",
    "LICENSE": "LICENSE",
}
#: Schemas of the lines and files of a bundle, beside those of the messages.
_SCHEMAS = ("bundle", "case", "texts")
INDEX = "index.json"
#: Where pages find the guides of each game at home; in a bundle they have a folder of their own.
_GUIDES = b"(../docs/adapters.md)"
#: The date of every file of an archive: the first that the format knows.
_DATE = (1980, 1, 1, 0, 0, 0)


def make_bundle(
    games: Sequence[str], guides: Mapping[str, str], scenarios: Corpus = None, data: Folder = None
) -> dict[str, bytes]:
    """Return the files of a bundle by their paths, the index last; `guides` are pages for authors, by game."""
    made: dict[str, bytes] = {}
    editions: list[EditionEntry] = []
    for game in games:
        if game in guides:
            made[f"adapters/{game}.txt"] = guides[game].encode()
        for edition in book(game, data).editions:
            cases, words = f"cases/{game}@{edition}.ndjson", f"texts/{game}@{edition}.json"
            made[words] = _write_document(_collect_texts(choose(f"{game}@{edition}", data), data))
            made[cases] = _make_cases(game, edition, scenarios, data)
            editions.append(_enter_edition(game, edition, cases, words, data))
    made |= {name: _read_page(page) for name, page in _PAGES.items()}
    made |= dict(_read_schemas())
    listed = {path: _describe_file(path, content) for path, content in sorted(made.items())}
    hashes = "".join(f"{one.sha256}  {path}\n" for path, one in listed.items())
    index = BundleIndex(
        version=find_version(),
        corpus=_hash(hashes.encode()),
        acts=_list_acts(games, data),
        editions=tuple(editions),
        files=listed,
    )
    return {**made, INDEX: _write_document(index)}


def make_archive(bundle: Mapping[str, bytes]) -> bytes:
    """Return the files of a bundle as a ZIP archive."""
    whole = BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(bundle.items()):
            archive.writestr(zipfile.ZipInfo(path, _DATE), content, zipfile.ZIP_DEFLATED)
    return whole.getvalue()


def _make_cases(game: str, edition: str, scenarios: Corpus, data: Folder) -> bytes:
    """Return the cases of an edition, a line each."""
    made_of = (*corpus.files(game, scenarios), *list_rule_files(game, data))
    return load_or_make("cases", made_of, (game, edition), partial(_spell_cases, game, edition, scenarios, data))


def _spell_cases(game: str, edition: str, scenarios: Corpus, data: Folder) -> bytes:
    return b"".join(encode(write_object(line)) for line in spell_edition(game, edition, scenarios, data))


def _enter_edition(game: str, edition: str, cases: str, words: str, data: Folder) -> EditionEntry:
    known = book(game, data)
    first: Choice = choose(f"{game}@{edition}", data)
    setups = tuple(known.editions[edition].setups)
    return EditionEntry(
        name=f"{game}@{edition}",
        cases=cases,
        texts=words,
        setups=setups,
        plays=tuple(name_play(choose(f"{game}@{edition}:{setup}", data)) for setup in setups),
        defaults=dict(first.readings),
        readings=tuple(_describe_reading(key, known.readings[key]) for key, _ in first.readings),
    )


def _describe_reading(key: str, reading: Reading) -> ListedReading:
    if reading.number is None:
        return ListedReading(key=key, ambiguity=reading.ambiguity, values=tuple(reading.values))
    low, high, _ = reading.number
    return ListedReading(key=key, ambiguity=reading.ambiguity, values=(), number=ValidRange(least=low, greatest=high))


def _list_acts(games: Sequence[str], data: Folder) -> tuple[str, ...]:
    choices = (choose(f"{game}@{edition}", data) for game in games for edition in book(game, data).editions)
    return tuple(sorted({outside(name) for choice in choices for name in rules(choice, data).actions}))


def _collect_texts(choice: Choice, data: Folder) -> BundledTexts:
    game = rules(choice, data)
    return BundledTexts(
        game=choice.game,
        edition=choice.edition,
        clauses={id_: dict(_tell(node, game, data)) for id_, node in citable(choice.game, data).items()},
        texts={f"{one.section}/{one.record}/{one.key}": dict(said) for one, said in reason_texts(game).items() if said},
    )


def _tell(node: Node, game: Game, data: Folder) -> Iterator[tuple[str, str]]:
    """Yield a text of the data in each language that it has, with the numbers of the rules."""
    for lang in sorted({ORIGINAL, *glossary(data).languages}):
        if node.get(lang) is not None:
            yield lang, prose(node, game, lang, data)


def _read_page(name: str) -> bytes:
    """Return a page in the room of the evidence, or for the whole house above it."""
    room = corpus.corpus_root().parent
    found = next((path for path in (room / name, room.parent / name) if path.is_file()), None)
    if found is None:
        raise NoFile(room / name, "a page that every bundle has")
    return read_named(found).replace(_GUIDES, b"(adapters)")


def _read_schemas() -> Iterator[tuple[str, bytes]]:
    """Yield the schemas of the bundle and of all messages."""
    for path in sorted(SCHEMAS.glob("*.schema.json")):
        name = path.name.removesuffix(".schema.json")
        if name in _SCHEMAS or name.endswith((".request", ".reply")) or name in ("common", "result", "step"):
            yield f"schemas/{path.name}", read_named(path)


def _describe_file(path: str, content: bytes) -> BundledFile:
    lines = content.count(b"\n") if path.endswith(".ndjson") else 0
    return BundledFile(sha256=_hash(content), bytes=len(content), lines=lines or ABSENT)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _write_document(document: Any) -> bytes:  # noqa: ANN401 - any shape
    return (json.dumps(write_object(document), ensure_ascii=False, indent=1) + "\n").encode()
