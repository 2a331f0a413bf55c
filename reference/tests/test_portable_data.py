"""Our data reads alike everywhere: by any YAML reader, and by ours with or without its fast parser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from brou import Malformed
from brou.language.node import Node
from brou.language.source import MAX_DEPTH, parse_yaml

ROOT = Path(__file__).parents[2]
ROOMS = ("spec", "reference", "conformance", "tools", "docs")
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in (".yaml", ".yml"))
PAGES = sorted({*ROOT.glob("*.md"), *(page for room in ROOMS for page in (ROOT / room).rglob("*.md"))})
FENCED = re.compile(r"^```(?:yaml|\{code-block\} yaml)\n(?::[a-z]+:.*\n)*(.*?)^```$", re.DOTALL | re.MULTILINE)
#: Scenarios and rules as pages show them in the middle of a line: a mapping in backticks.
INLINE = re.compile(r"`(\{[a-z_]+: [^`\n]*\})`")


def named(path: Path) -> str:
    """Return a path as the repository has it."""
    return path.relative_to(ROOT).as_posix()


def excerpts(pattern: re.Pattern[str]) -> Iterator[Any]:
    """Yield every piece of YAML that a page shows, by page and line."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in pattern.finditer(text):
            yield pytest.param(found[1], id=f"{named(page)}:{text.count(chr(10), 0, found.start()) + 1}")


def unlike(ours: Any, theirs: Any, path: str = "") -> Iterator[str]:
    """Yield where two values differ, in value or in type."""
    if type(ours) is not type(theirs):
        yield f"{path}: {ours!r} and {theirs!r}"
    elif isinstance(ours, dict):
        if list(map(repr, ours)) != list(map(repr, theirs)):
            yield f"{path}: the keys {list(ours)} and {list(theirs)}"
        else:
            for key in ours:
                yield from unlike(ours[key], theirs[key], f"{path}/{key}")
    elif isinstance(ours, list):
        if len(ours) != len(theirs):
            yield f"{path}: {len(ours)} and {len(theirs)} items"
        for number, (one, other) in enumerate(zip(ours, theirs, strict=False)):
            yield from unlike(one, other, f"{path}/{number}")
    elif ours != theirs:
        yield f"{path}: {ours!r} and {theirs!r}"


def places(node: Node) -> Iterator[tuple[str, object]]:
    """Yield every scalar of a node, and how long each list and mapping is, with its place."""
    if isinstance(node.value, dict):
        yield str(node.place), list(node.value)
        for member in node.value.values():
            yield from places(member)
    elif isinstance(node.value, tuple):
        yield str(node.place), len(node.value)
        for member in node.value:
            yield from places(member)
    else:
        yield str(node.place), (type(node.value), node.value)


@pytest.fixture
def unaided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the parser in C away, as on a machine without libyaml."""
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)


def test_there_are_files_and_excerpts() -> None:
    """None of the tests below passes for want of anything to read."""
    assert {"spec", "conformance", "docs", "tools"} <= {named(path).split("/")[0] for path in FILES}
    assert list(excerpts(FENCED))
    assert list(excerpts(INLINE))


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=named)
def test_any_reader_finds_the_same(path: Path) -> None:
    """`yaml.safe_load` reads every file, and finds the values that our strict reader finds."""
    text = path.read_text(encoding="utf-8")

    assert list(unlike(parse_yaml(text, named(path)).plain(), yaml.safe_load(text))) == []


@pytest.mark.parametrize("text", [*excerpts(FENCED), *excerpts(INLINE)])
def test_any_reader_finds_the_same_in_what_pages_show(text: str) -> None:
    """What is copied from a page is read alike as well."""
    assert list(unlike(parse_yaml(text, "page").plain(), yaml.safe_load(text))) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("expect: no", "/expect: 'no' and False"),
        ("{no: 1}", ": the keys ['no'] and [False]"),
        ("9: nine", ": the keys ['9'] and [9]"),
        ("- 1.5", "/0: '1.5' and 1.5"),
        ("1: 2022-01-01", ": the keys ['1'] and [1]"),
    ],
)
def test_a_difference_is_found(text: str, found: str) -> None:
    """A word that other readers guess at is told with its path."""
    assert next(unlike(parse_yaml(text, "it.yaml").plain(), yaml.safe_load(text))) == found


@pytest.mark.sampled(5)
@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=named)
def test_the_slow_parser_finds_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where libyaml is missing every file has the same values at the same places."""
    if not hasattr(yaml, "CSafeLoader"):
        pytest.skip("this machine has no libyaml to compare with")
    text = path.read_text(encoding="utf-8")
    quick = parse_yaml(text, named(path))
    monkeypatch.delattr(yaml, "CSafeLoader")

    assert list(places(parse_yaml(text, named(path)))) == list(places(quick))


BRACKET = "; close the bracket, or put a text that holds brackets, braces or a comma in quotes"


@pytest.mark.usefixtures("unaided")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\na: 2\n", "it.yaml:2:1: the key 'a' appears twice; keep one of them"),
        ("a: &x 1\n", "it.yaml:1:4: an anchor (&name); write the value where it is needed"),
        ("a: !x 1\n", "it.yaml:1:4: a tag (!x); leave it out"),
        ("- *x\n", "it.yaml:1:3: an alias (*name); write the value out"),
        ("a: 1\n---\nb: 2\n", "it.yaml:2:1: a second document; keep one document a file"),
        ("[" * (MAX_DEPTH + 2), f"it.yaml:1:{MAX_DEPTH + 2}: nested deeper than {MAX_DEPTH} levels; flatten it"),
        ("a: [1", "it.yaml:1:6: no YAML: expected ',' or ']', but got '<stream end>'" + BRACKET),
        (
            "a: {type: player?}",
            "it.yaml:1:17: no YAML: expected ',' or '}', but got '?'; put a word with a question mark in quotes",
        ),
    ],
)
def test_the_slow_parser_refuses_with_a_place(text: str, message: str) -> None:
    """Without libyaml a fault is told as clearly, and a type with a question mark is told to stand in quotes."""
    with pytest.raises(Malformed) as caught:
        parse_yaml(text, "it.yaml")

    assert str(caught.value) == message
