"""Published schemas: they are what the shapes say, and both libraries take them."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from brou.check import schemas
from brou.shapes import Schema
from brou_conformance.protocol import SCHEMAS
from brou_tools.site.published_schemas import format_schema, make_all

each = pytest.mark.parametrize(("path", "made"), [pytest.param(*one, id=one[0].name) for one in make_all()])


@each
def test_what_is_published_is_what_the_shapes_say(path: Path, made: Schema) -> None:
    """Nobody changes one without the other: `make schemas` writes the files."""
    assert path.read_text(encoding="utf-8") == format_schema(made)


PUBLISHED = sorted({path for folder in (schemas(), SCHEMAS) for path in folder.glob("*.schema.json")})


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.name)
def test_a_published_schema_is_one_of_its_dialect(path: Path) -> None:
    """The library that most people check with takes it, whether it was made or written by hand."""
    jsonschema.Draft202012Validator.check_schema(json.loads(path.read_bytes()))


@each
def test_what_is_made_needs_no_other_file(path: Path, made: Schema) -> None:
    """Each schema can be taken by itself."""
    references = [text for text in json.dumps(made).split('"') if "schema.json" in text]
    assert references == ([made["$id"]] if "$id" in made else []), path
