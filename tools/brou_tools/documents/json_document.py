"""The JSON documents that commands write: each names its format, so that a reader recognises it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from brou import root
from brou.atomic import read_named
from brou.shapes import write_object


def print_schema(name: str) -> None:
    """Print a published schema, as its file has it."""
    print(read_named(root() / "schemas" / f"{name}.schema.json").decode(), end="")


def print_report(report: object) -> None:
    """Print a document that a shape states, on one line."""
    print(json.dumps(write_object(report), ensure_ascii=False))


def print_document(kind: str, body: Mapping[str, Any]) -> None:
    """Print one document on one line, its format first: `brou-KIND/1`."""
    print(json.dumps({"format": f"brou-{kind}/1", **body}, ensure_ascii=False))
