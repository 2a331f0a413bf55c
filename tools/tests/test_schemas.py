"""Published schemas: they are what the shapes say, and both libraries take them, and our data by them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest

from brou.check import find_schemas
from brou.games.folder import root
from brou.language.schema import KINDS
from brou.language.source import read
from brou.shapes import Schema
from brou_conformance.protocol import SCHEMAS
from brou_conformance.scenarios.corpus import corpus_root, is_translation
from brou_tools.site.published_schemas import format_schema, make_all

each = pytest.mark.parametrize(("path", "made"), [pytest.param(*one, id=one[0].name) for one in make_all()])


@each
def test_what_is_published_is_what_the_shapes_say(path: Path, made: Schema) -> None:
    """Nobody changes one without the other: `make schemas` writes the files."""
    assert path.read_text(encoding="utf-8") == format_schema(made)


PUBLISHED = sorted({path for folder in (find_schemas(), SCHEMAS) for path in folder.glob("*.schema.json")})


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.name)
def test_a_published_schema_is_one_of_its_dialect(path: Path) -> None:
    """The library that most people check with takes it, whether it was made or written by hand."""
    jsonschema.Draft202012Validator.check_schema(json.loads(path.read_bytes()))


@each
def test_what_is_made_needs_no_other_file(path: Path, made: Schema) -> None:
    """Each schema can be taken by itself."""
    references = [text for text in json.dumps(made).split('"') if "schema.json" in text]
    assert references == ([made["$id"]] if "$id" in made else []), path


# Data -----------------------------------------------------------------------------------------------------------------

CHECKOUT = Path(__file__).parents[2]
ZOO = CHECKOUT / "conformance" / "zoo"
#: Games that are none of the house.
OTHERS = (
    CHECKOUT / "conformance" / "tests" / "sixth",
    CHECKOUT / "tools" / "tests" / "provers",
    CHECKOUT / "tools" / "tests" / "dutch" / "languages",
)


@lru_cache(maxsize=32)
def jsonschema_of(path: Path) -> jsonschema.Draft202012Validator:
    """Return a published schema as jsonschema compiles it."""
    return jsonschema.Draft202012Validator(json.loads(path.read_bytes()))


def find_kind(path: Path) -> str:
    """Return the name of the schema of a file of rules, by the format that it names."""
    written = re.search(r"^format: (\S+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert written, path
    return KINDS.get(written[1]) or f"chapters/{written[1].removeprefix('brou-').removesuffix('/2')}"


def data_files() -> Iterator[tuple[Path, Path]]:
    """Yield every data file of the project with the schema that it is to follow."""
    rules = chain(root().rglob("*.yaml"), *(folder.rglob("*.yaml") for folder in OTHERS))
    named = ((path, find_kind(path)) for path in rules)
    records = ((path, "record") for path in (CHECKOUT / "tools" / "tests" / "golden").glob("*-*.yaml"))
    spoken = ((path, "translation" if is_translation(path) else "scenario") for path in corpus_root().glob("*/*.yaml"))
    yield from ((path, find_schemas() / f"{kind}.schema.json") for path, kind in chain(named, records, spoken))
    yield ZOO / "zoo.yaml", ZOO / "zoo.schema.json"


DATA = list(data_files())


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize(
    "folder", sorted({path.parent for path, _ in DATA}), ids=lambda path: "-".join(path.parts[-2:])
)
def test_the_other_library_takes_all_data(folder: Path) -> None:
    """Whoever checks our data with jsonschema finds no fault in it."""
    files = [(path, jsonschema_of(schema)) for path, schema in DATA if path.parent == folder]

    assert [
        (path.name, one.message) for path, check in files for one in check.iter_errors(read(path, "").plain())
    ] == []


def test_no_data_is_left_out() -> None:
    """Every kind of file that the data has a format for is among them.

    But for agreements, forks and positions, which stand with nobody's data.
    """
    followed = {schema.name.removesuffix(".schema.json") for _, schema in DATA}
    chapters = {path.name.removesuffix(".schema.json") for path in find_schemas().glob("chapters/*.json")}

    assert followed == {*KINDS.values(), *chapters, "scenario", "translation", "zoo"} - {
        "agreement",
        "fork",
        "position",
    }


def test_the_other_library_finds_faults() -> None:
    """A key that nobody knows is refused."""
    path, schema = next((path, schema) for path, schema in DATA if schema.name == "cards.schema.json")

    assert not jsonschema_of(schema).is_valid({**cast("Any", read(path, "").plain()), "shuffled": True})
