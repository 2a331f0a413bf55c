"""YAML, strictly: what is read, what is refused with its place, and files that mean harm."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import brou
from brou import Malformed
from brou.language.node import Plain
from brou.language.source import parse_yaml, read


def plain(text: str | bytes) -> Plain:
    """Return what a text means."""
    return parse_yaml(text, "it.yaml").plain()


def fault(text: str | bytes) -> str:
    """Return what is wrong with a text."""
    with pytest.raises(Malformed) as caught:
        parse_yaml(text, "it.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("a: {b: hand[p], c: d}", "put a text that holds brackets, braces or a comma in quotes"),
        ("a: [hand[p], d]", "put a text that holds brackets, braces or a comma in quotes"),
        ("a: b: c", "put a text that holds a colon in quotes"),
        ("a: @b", "put a text that begins with such a character in quotes"),
        ("a:\n\tb: 1", "write spaces in place of the tab"),
        ('a: "b', "close the quotes"),
        ("- a\nb: c", "alike"),
        ("a: 'it's'", "nothing may follow closing quotes"),
    ],
)
@pytest.mark.parametrize("aided", [True, False])
def test_a_remedy_is_told(monkeypatch: pytest.MonkeyPatch, text: str, remedy: str, *, aided: bool) -> None:
    """What the YAML reader, with libyaml or without, cannot read is told with what to write instead."""
    if not aided:
        monkeypatch.delattr(yaml, "CSafeLoader")

    assert remedy in fault(text + "\n" * (1 + aided))


@pytest.mark.parametrize(
    "word",
    [
        "no",
        "yes",
        "on",
        "off",
        "n",
        "y",
        "No",
        "YES",
        "True",
        "False",
        "Null",
        "1.5",
        "1e3",
        "0x1F",
        "0o17",
        "1_000",
        "12:30",
        "2022-01-01",
        ".inf",
        "<<",
    ],
)
def test_words(word: str) -> None:
    """What older YAML guesses to be a truth value, a date or a number of another base is a word."""
    assert plain(f"key: {word}") == {"key": word}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("7", 7),
        ("-7", -7),
        ("+7", 7),
        ("007", 7),
        ("'7'", "7"),
        ('"true"', "true"),
        ("''", ""),
    ],
)
def test_scalars(text: str, value: Plain) -> None:
    """Truth values, nothing and whole numbers are what YAML 1.2 says; in quotes everything is text."""
    assert plain(f"key: {text}") == {"key": value}


def test_long_number_is_text() -> None:
    """A number with more digits than any rule needs stays text."""
    assert plain("9" * 19) == "9" * 19


def test_keys_are_words() -> None:
    """Keys are text, whatever they look like."""
    assert plain("{7: a, true: b, null: c}") == {"7": "a", "true": "b", "null": "c"}


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "--- ~\n...\n"])
def test_empty(text: str) -> None:
    """An empty document is nothing."""
    assert plain(text) is None


def test_places() -> None:
    """Every value knows line and column, both counted from one."""
    node = parse_yaml("a:\n  - x\n  - {b: y}\n", "it.yaml")
    inner = node.fields["a"].items[1].fields["b"]

    assert (str(inner.place), inner.value) == ("it.yaml:3:9", "y")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "it.yaml:3:1: the key 'a' appears twice; keep one of them"),
        ("a: {b: 1, b: 2}\n", "it.yaml:1:11: the key 'b' appears twice; keep one of them"),
        ("7: 1\n'7': 2\n", "it.yaml:2:1: the key '7' appears twice; keep one of them"),
        ("a: &x 1\n", "it.yaml:1:4: an anchor (&name); write the value where it is needed"),
        ("- *x\n", "it.yaml:1:3: an alias (*name); write the value out"),
        ("a: !!str 1\n", "it.yaml:1:4: a tag (tag:yaml.org,2002:str); leave it out"),
        ("a: !x 1\n", "it.yaml:1:4: a tag (!x); leave it out"),
        ("a: !!python/name:os.abort x\n", "it.yaml:1:4: a tag (tag:yaml.org,2002:python/name:os.abort); leave it out"),
        ("a: 1\n---\nb: 2\n", "it.yaml:2:1: a second document; keep one document a file"),
        ("? [1, 2]\n: 3\n", "it.yaml:1:3: a key that is no plain word; use a word as key"),
        (b"a: \xff\n", "it.yaml:1:1: byte 3 is no UTF-8; save the file as UTF-8"),
        (b"\xff\xfea\x00", "it.yaml:1:1: byte 0 is no UTF-8; save the file as UTF-8"),
        ("a: '\ud800'\n", "it.yaml:1:1: byte 4 is no UTF-8; save the file as UTF-8"),
    ],
)  # fmt: skip
def test_refused(text: str | bytes, message: str) -> None:
    """What we do not want to know is refused with its place and what to do instead."""
    assert message == fault(text)


@pytest.mark.parametrize("sign", ["\\x1b", "\\x00", "\\u202e", "\\ufeff", "\\u200b", "\\x9b", "\\r"])
@pytest.mark.parametrize("text", ['key: "a{}b"', '"a{}b": word'])
def test_what_nobody_sees_is_refused(text: str, sign: str) -> None:
    """A text or a key holds nothing that a terminal would obey, or that looks like nothing."""
    assert fault(text.format(sign)).partition(": ")[2] == f"the character {sign}, which nobody sees; leave it out"


def test_texts_may_have_lines_and_spaces_of_their_own() -> None:
    """Line ends, tabs and the spaces of French are seen."""
    assert plain('key: "a\\n\\tb\\u00a0c\\u202f!"') == {"key": "a\n\tb\u00a0c\u202f!"}


def test_both_keys_are_told() -> None:
    """All doubled keys of a file are told together."""
    assert len(fault("a: 1\na: 2\nb: 1\nb: 2\n").splitlines()) == 2


@pytest.mark.parametrize(
    "text",
    ["a: [1", "a: 'x", "\ta: 1", "a: b: c", "- a\nb", "%YAML 3.0\n---\na", "a: \x01", "{a: 1}}", "@", "`", "a: |x"],
)
def test_no_yaml(text: str) -> None:
    """A syntax error names its place."""
    assert fault(text).startswith("it.yaml:")


def test_missing_file(tmp_path: Path) -> None:
    """A file that cannot be read is told like any other fault."""
    with pytest.raises(Malformed, match=r"gone\.yaml:1:1: cannot be read: No such file or directory"):
        read(tmp_path / "gone.yaml", "gone.yaml")


def test_wrong_kind() -> None:
    """A list where a mapping is needed, or the reverse, is a fault with a place."""
    with pytest.raises(Malformed, match=r"it\.yaml:1:1: a mapping is needed here; write `key: value` pairs"):
        parse_yaml("[1]", "it.yaml").get("a")
    with pytest.raises(Malformed, match=r"it\.yaml:1:1: a list is needed here"):
        _ = parse_yaml("{a: 1}", "it.yaml").items


# Files that mean harm -------------------------------------------------------------------------------------------------

READER = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]), int(sys.argv[2])))
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[3]), int(sys.argv[3])))
from brou.check import file_faults
from pathlib import Path
found = [str(fault) for fault in file_faults(Path(sys.argv[1]), "it.yaml")]
print(found[0][:300] if found else "")
"""


def judged(path: Path) -> str:
    """Check a file in a process with 200 MB and five seconds of computing, and return the first fault."""
    command = [sys.executable, "-c", READER, str(path), str(200 * 2**20), "5"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=_environment())
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def _environment() -> dict[str, str]:
    return {"PYTHONPATH": str(Path(brou.__file__).parents[1]), "PYTHONDONTWRITEBYTECODE": "1"}


def bomb() -> str:
    """Return aliases of aliases that would make a thousand million words."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    return "\n".join(lines + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)])


MANY = "more than 50000 values; split the file"
HOSTILE: dict[str, tuple[Callable[[], str], str]] = {
    "ten megabytes": (lambda: "a: " + "x" * 10_000_000, "the file has 10000003 bytes; at most 300000 are read"),
    "ten megabytes of lines": (lambda: "a: b\n" * 2_000_000, "the file has 10000000 bytes; at most 300000 are read"),
    "lists in lists": (lambda: "[" * 10_000, "nested deeper than 40 levels; flatten it"),
    "dashes in dashes": (lambda: "- " * 10_000, "nested deeper than 40 levels; flatten it"),
    "mappings in mappings": (lambda: "{a: " * 10_000, "nested deeper than 40 levels; flatten it"),
    "question marks": (lambda: "? " * 10_000, "a key that is no plain word; use a word as key"),
    "lines in lines": (lambda: "\n".join(" " * n + "a:" for n in range(700)), "nested deeper than 40 levels"),
    "many values": (lambda: "[" + "[1,1,1,1,1,1,1,1,1,1],\n" * 900 * 9 + "]", "more than 1000 members of one list"),
    "many lists": (lambda: "[" + ("[" + "1," * 990 + "],") * 140 + "]", MANY),
    "many keys": (lambda: "\n".join(f"k{n}:" for n in range(20_000)), "more than 1000 members of one list or mapping"),
    "the same key": (lambda: "a: 1\n" * 50_000, "the key 'a' appears twice"),
    "documents": (lambda: "--- a\n" * 45_000, "a second document; keep one document a file"),
    "directives": (lambda: "".join(f"%TAG !a{n}! b\n" for n in range(18_000)), "a directive (%TAG); leave it out"),
    "alias bomb": (bomb, "an anchor (&name); write the value where it is needed"),
    "endless line": (lambda: "a" * 290_000, "a text of 290000 characters; at most 20000 are read"),
    "endless key": (lambda: "? " + "a" * 290_000 + "\n: 1", "a text of 290000 characters; at most 20000 are read"),
    "endless quote": (lambda: "a: '" + "x\n" * 140_000, "no YAML: found unexpected end of stream"),
    "quotes": (lambda: '"\\u0041' * 40_000, "no YAML"),
    "bytes": (lambda: "\x00\x01\x02" * 1000, "no YAML"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file(tmp_path: Path, name: str) -> None:
    """A file that means harm is refused with little computing and memory."""
    make, message = HOSTILE[name]
    (tmp_path / "it.yaml").write_text(make(), encoding="utf-8")

    assert message in judged(tmp_path / "it.yaml")


EXPRESSIONS: dict[str, tuple[Callable[[], str], str]] = {
    "long": (lambda: "1" + " + 1" * 4_900, "an expression of 19601 characters; at most 600;"),
    "parentheses": (lambda: "(" * 5_000 + "1" + ")" * 5_000, "an expression of 10001 characters"),
    "parentheses that fit": (lambda: "(" * 290 + "1" + ")" * 290, "no expression"),
    "minus": (lambda: "-" * 590 + "1", "nested deeper than 30; name a part as a function"),
    "not": (lambda: "not " * 140 + "True", "nested deeper than 30; name a part as a function"),
    "calls": (lambda: "abs(" * 100 + "1" + ")" * 100, "nested deeper than 30; name a part as a function"),
    "brackets": (lambda: "[" * 150 + "]" * 150, "nested deeper than 30; name a part as a function"),
    "great number": (lambda: "9" * 590, "whole numbers, True, False and None are the literals"),
}  # fmt: skip


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_hostile_expression(tmp_path: Path, rules: Callable[..., Any], name: str) -> None:
    """An expression that means harm is refused with little computing and memory."""
    make, message = EXPRESSIONS[name]
    (tmp_path / "it.yaml").write_text(json.dumps(rules(score={"it": make()})), encoding="utf-8")

    assert message in judged(tmp_path / "it.yaml")
