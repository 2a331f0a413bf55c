"""The wire: examples, schemas, and lines that are no messages."""

from __future__ import annotations

import io
import json
import lzma
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brou.check import find_schemas
from brou.validation import PythonValidator
from brou_conformance.messages import MESSAGES
from brou_conformance.protocol import (
    MAX_DEPTH,
    MAX_INTEGER,
    MAX_LINE,
    NoMessage,
    decode,
    encode,
    fault,
    is_valid,
    kinds,
    read_messages,
    schema,
    shorten,
)

FROZEN = Path(__file__).parent / "frozen" / "protocol-1.schemas.json.xz"
PAGE = Path(__file__).parents[1] / "PROTOCOL.md"
BLOCK = re.compile(r"^```json (\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, str]]:
    """Return kind and line of every example on the protocol's page."""
    found = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    return [(kind, line) for kind, lines in found for line in lines.splitlines()]


@pytest.mark.parametrize(("kind", "line"), examples())
def test_every_example_is_a_message_of_its_kind(kind: str, line: str) -> None:
    """What the page shows may be sent."""
    assert fault(kind, json.loads(line)) is None


def mutate(value: Any) -> Iterator[Any]:
    """Yield a value with something else in each place of it, or with the place left out."""
    yield from (None, True, -1, 0, 16, "", "x", "ZZ", [], {}, [value, value], {"new_key": value})
    if isinstance(value, dict):
        for key, member in value.items():
            rest = {other: value[other] for other in value if other != key}
            yield rest
            yield from ({**rest, key: one} for one in mutate(member))
    if isinstance(value, list):
        for place, member in enumerate(value[:3]):
            yield [*value[:place], *value[place + 1 :]]
            yield from ([*value[:place], one, *value[place + 1 :]] for one in mutate(member))


@lru_cache(maxsize=1)
def frozen_schemas() -> dict[str, dict[str, Any]]:
    """Return the schemas of protocol 1 as they were first published, written by hand; since then any pack may be."""
    text = lzma.decompress(FROZEN.read_bytes()).decode()
    found: dict[str, dict[str, Any]] = json.loads(text.replace("^[AKQJT98765432][SHDC]$", "^[A-Z0-9]{2}$"))
    return found


@pytest.mark.parametrize(("kind", "line"), examples())
def test_messages_are_taken_and_refused_as_ever(kind: str, line: str) -> None:
    """Each example of the page, changed in each of its places, is judged as by the first schemas of protocol 1."""
    known = jsonschema_rs.Registry([(one["$id"], one) for one in frozen_schemas().values()])
    old = jsonschema_rs.validator_for(frozen_schemas()[kind], registry=known, offline=True)
    mutants = [json.loads(line), *mutate(json.loads(line))]

    assert [one for one in mutants if old.is_valid(one) is not is_valid(kind, one)] == []
    assert {old.is_valid(one) for one in mutants} == {True, False}


@pytest.mark.parametrize(("kind", "line"), examples())
def test_every_example_is_one_for_the_other_library(kind: str, line: str) -> None:
    """The published schema says the same to jsonschema."""
    assert list(PythonValidator(schema(kind)).iter_errors(json.loads(line))) == []


@pytest.mark.parametrize(("kind", "stated"), MESSAGES.items())
def test_every_message_says_what_its_keys_are(kind: str, stated: Any) -> None:
    """Each key has a sentence, its own or that of its type, or one value only."""
    for key, member in schema(kind)["properties"].items():
        told = {**schema(kind).get("$defs", {}).get(member.get("$ref", "").rpartition("/")[2], {}), **member}
        assert "description" in told or "const" in told, (stated, key)


def test_every_message_has_an_example() -> None:
    """No kind of message is left to be guessed."""
    assert {kind for kind in kinds() if "." in kind} == {kind for kind, _ in examples()}


def test_the_page_lists_the_codes_of_the_schema() -> None:
    """The vocabulary of refusals is stated once and quoted truly."""
    quoted = re.search(r"^Codes: `([a-z_\s]+)`", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert quoted is not None
    assert quoted[1].split() == schema("common")["$defs"]["code"]["enum"]


@pytest.mark.parametrize("name", ["seat", "card", "act", "code"])
def test_scenarios_and_messages_have_one_vocabulary(name: str) -> None:
    """What a scenario may say is what a message may carry."""
    scenario = json.loads((find_schemas() / "scenario.schema.json").read_bytes())
    assert scenario["$defs"][name] == schema("common")["$defs"][name]


@pytest.mark.parametrize("kind", kinds())
def test_every_schema_is_a_schema(kind: str) -> None:
    """The schemas themselves are of draft 2020-12."""
    assert jsonschema_rs.meta.is_valid(schema(kind))


STEP = {"by": 0, "act": {"play": "AS"}}
RUN = {"op": "run", "id": 1, "game": "x", "edition": "1", "setup": "4", "steps": [STEP]}


@pytest.mark.parametrize(
    ("kind", "message", "where"),
    [
        ("run.request", {**RUN, "steps": [STEP, {"act": {"play": "AS"}}]}, 'steps/1: "by" is a required property'),
        ("run.request", {**RUN, "start": {"turnup": "1s"}}, 'start/turnup: "1s" does not match'),
        ("run.request", {**RUN, "steps": [{"legal": 0, "score": True}]}, "steps/0: several things at once"),
        ("run.request", {**RUN, "steps": []}, "steps: [] has less than 1 item"),
        ("result", {"no": "because"}, 'no: true was expected; or "because" is not one of'),
        ("result", {}, 'the message: "ok" is a required property; or'),
        ("hello.request", {"op": "hello", "id": 1, "protocol": 2}, "protocol: 1 was expected"),
        ("hello.reply", {"id": 1, "ok": True, "protocol": 1, "engine": {"name": "x"}, "plays": []}, '"can" is a'),
    ],
)
def test_a_wrong_message_is_told_where_it_is_wrong(kind: str, message: Any, where: str) -> None:
    """A fault names the place inside the message and what is wrong there."""
    assert where in str(fault(kind, message))


def test_unknown_keys_are_ignored() -> None:
    """Objects are open, so that a later version may say more."""
    assert fault("run.request", {**RUN, "later": 1, "steps": [{**STEP, "later": 1}]}) is None


@pytest.mark.parametrize(
    "line",
    [b"", b"hello", b"[1]", b"\xff{}", b'{"a": NaN}', b"[" * 200_000, b'{"a": ' + b"9" * 5000 + b"}"],
)
def test_a_line_that_is_no_object_is_refused(line: bytes) -> None:
    """Whatever a program writes, reading it ends in a message or in `NoMessage`."""
    with pytest.raises(NoMessage):
        decode(line)


def test_a_message_is_nested_only_so_deep() -> None:
    """A hostile message cannot exhaust the stack of those who walk it."""
    deep = b'{"a": ' * MAX_DEPTH + b"1" + b"}" * MAX_DEPTH
    assert decode(deep)
    with pytest.raises(NoMessage, match="nested deeper"):
        decode(b'{"a": ' + deep + b"}")


def test_a_message_is_one_line_of_ascii() -> None:
    """Line ends and other alphabets never break the framing."""
    assert encode({"a": "é\n\u2028"}) == b'{"a":"\\u00e9\\n\\u2028"}\n'


def test_what_is_shown_cannot_steer_a_terminal() -> None:
    """Control characters of a foreign program are not repeated."""
    assert shorten("a\x1b[2Jb") == "a\N{REPLACEMENT CHARACTER}[2Jb"
    assert shorten("x" * 300) == "x" * 200 + " ..."


@pytest.mark.parametrize("space", [" ", "\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"])
def test_spaces_are_shown_as_they_are(space: str) -> None:
    """Also those at which no line breaks, as French has them."""
    assert shorten(f"qui{space}?") == f"qui{space}?"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b'{"a": 1e999}', "1e999 is no integer"),
        (b'{"a": [-1.5]}', "-1.5 is no integer"),
        (b'{"a": Infinity}', "no JSON: Infinity is no integer"),
        (b'{"a": "\\ud800"}', "half of a surrogate pair is alone"),
        (b'{"\\udfff": 1}', "half of a surrogate pair is alone"),
        (b'{"a": "\xed\xa0\x80"}', "can't decode byte 0xed"),
        (b'{"a": 1, "b": {}, "a": 1}', "the key 'a' appears twice in an object"),
        (b'{"a": [{"b" :1, "b":2}]}', "the key 'b' appears twice in an object"),
        (b'{"a": 1, "\\u0061": 2}', "the key 'a' appears twice in an object"),
        (b'{"a": "\\u0022:", "b": {"c": 1, "c": 2}}', "the key 'c' appears twice in an object"),
        (b'{"a": 9223372036854775808}', "9223372036854775808 has more than 64 bits"),
        (b'{"a": -9223372036854775808}', "has more than 64 bits"),
        pytest.param(b'{"a": "' + b"x" * MAX_LINE + b'"}', f"a line of more than {MAX_LINE} bytes", id="long"),
    ],
)
def test_the_gate_is_strict(line: bytes, told: str) -> None:
    """Fractions, halves of characters, doubled keys, large numbers and long lines do not pass."""
    with pytest.raises(NoMessage, match=re.escape(told)):
        decode(line)


def test_the_gate_lets_pass_whatever_a_message_may_hold() -> None:
    """Brackets, digits and quotation marks in strings are no levels, numbers or ends."""
    texts = ["[[[{{{", "9" * 30, '":"', "\\", "\U0001f0a1", "\N{REPLACEMENT CHARACTER}", ""]
    message = {text: [text, {text: [MAX_INTEGER, -MAX_INTEGER, 0, True, None]}] for text in texts}

    assert decode(encode(message)) == message
    assert decode(json.dumps(message, ensure_ascii=False).encode() + b"\r\n") == message


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)


def pass_the_gate(message: dict[str, Any], *, ascii_only: bool) -> None:
    """Write a message and read it again."""
    try:
        line = json.dumps(message, ensure_ascii=ascii_only).encode()
    except UnicodeEncodeError:
        return
    assert decode(line) == message
    assert decode(encode(message)) == message


WRITTEN = st.dictionaries(st.text(max_size=3), VALUES, max_size=4)


@pytest.mark.slow
@given(WRITTEN, st.booleans())
@settings(max_examples=25)
def test_what_is_written_passes_the_gate(message: dict[str, Any], ascii_only: bool) -> None:
    """Whoever writes JSON by the book is understood, whichever way characters are written."""
    pass_the_gate(message, ascii_only=ascii_only)


@pytest.mark.thorough
@given(WRITTEN, st.booleans())
@settings(max_examples=400, deadline=None)
def test_whatever_is_written_passes_the_gate(message: dict[str, Any], ascii_only: bool) -> None:
    """So it is with many more messages."""
    pass_the_gate(message, ascii_only=ascii_only)


@given(st.lists(st.tuples(st.text('ab:"[\\', max_size=3), VALUES), min_size=1, max_size=5))
def test_no_doubled_key_passes(members: list[tuple[str, Any]]) -> None:
    """However keys and values are written, an object with two members of one name is refused."""
    line = "{" + ",".join(f"{json.dumps(key)} :{json.dumps(value)}" for key, value in members) + "}"
    if len({key for key, _ in members}) == len(members):
        assert decode(line.encode()) == dict(members)
    else:
        with pytest.raises(NoMessage, match="appears twice"):
            decode(line.encode())


def test_the_rest_of_a_long_line_is_no_request() -> None:
    """A line that is too long is refused whole, and the next line is the next request."""
    source = io.BytesIO(b"x" * (2 * MAX_LINE) + b'{"id": 666}\n{"id": 1}\n')
    first, second = read_messages(source)

    assert str(first) == f"a line of more than {MAX_LINE} bytes"
    assert second == {"id": 1}


def test_a_line_of_just_the_length_passes() -> None:
    """The bound is that of the line, whatever ends it."""
    body = b'{"a":"' + b"x" * (MAX_LINE - 8) + b'"}'

    assert [type(one) for one in read_messages(io.BytesIO(body + b"\r\n" + body + b"\n" + body))] == [dict] * 3
