"""Schemas of chapter files: every key has a sentence, every keyword its values, and no choice hides a fault."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from brou import Malformed, root
from brou.chapters import tokens
from brou.chapters.decode import decode_node
from brou.chapters.meanings import explain_keys
from brou.chapters.notation import ChapterForm, LacksForm, Shape, list_keys
from brou.chapters.schema import FORMS, make_schema
from brou.chapters.tokens import Keyword
from brou.language.source import parse_yaml
from brou.words.glossary import glossary

HEAD = "format: brou-chapter/2\ngame: g\nchapter: c\ntitle: T\nclauses:\n- clause: a.01\n  from: []\n  text: Words.\n"


def all_forms(form: type[Shape] = Shape) -> Iterator[type[Shape]]:
    """Yield the classes of the notation."""
    for one in form.__subclasses__():
        yield one
        yield from all_forms(one)


def find_fault(clause: str) -> str:
    """Return what is told of a chapter whose only clause has some more lines."""
    with pytest.raises(Malformed) as found:
        decode_node(parse_yaml(f"{HEAD}{clause}".encode(), "x.yaml"), ChapterForm)
    (fault,) = found.value.faults
    return str(fault)


@pytest.mark.parametrize("form", sorted(set(all_forms()), key=str), ids=lambda form: form.__name__)
def test_every_key_has_a_sentence(form: type[Shape]) -> None:
    """What editors say of a key is one sentence or two; none is said of a key that there is not."""
    said = explain_keys(form)

    assert sorted(said) == sorted(list_keys(form))
    assert [text for text in said.values() if not (text[0].isupper() and text.endswith("."))] == []


@pytest.mark.parametrize("kind", FORMS)
def test_no_schema_has_alternatives(kind: str) -> None:
    """An editor that has to choose among alternatives tells faults of the wrong one."""
    assert {"anyOf", "oneOf", "allOf"}.isdisjoint(_list_keywords(make_schema(FORMS[kind])))


def _list_keywords(schema: object) -> Iterator[str]:
    """Yield the keys of a schema, and those of schemas inside it."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            yield key
            yield from _list_keywords(value)
    elif isinstance(schema, list):
        for one in schema:
            yield from _list_keywords(one)


@pytest.mark.parametrize("kind", FORMS)
def test_a_file_of_another_kind_is_none_of_this(kind: str) -> None:
    """A schema takes the format of its own kind alone."""
    found = make_schema(FORMS[kind])["properties"]["format"]

    assert found["const"] == f"brou-{kind}/2"


@pytest.mark.parametrize(
    ("clause", "place"),
    [
        ({"tests": "plya"}, ["clauses", 0, "tests"]),
        ({"by": {"whom": "p", "who": "p"}}, ["clauses", 0, "by"]),
        ({"takes": {"x": {"in": "hand", "cde": "too_low"}}}, ["clauses", 0, "takes", "x"]),
        ({"show": {"trick": {"ech": "p in players", "show": "p"}}}, ["clauses", 0, "show", "trick"]),
        ({"seats": "four"}, ["clauses", 0, "seats"]),
        ({"deny": "play(p, c)"}, ["clauses", 0]),
        ({"text": ["Words."]}, ["clauses", 0, "text"]),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_fault_is_told_where_it_is(clause: dict[str, Any], place: list[object]) -> None:
    """One fault is found, in the record with the wrong key or at the wrong value."""
    head = {"format": "brou-chapter/2", "game": "g", "chapter": "c", "title": "T"}
    whole = {**head, "clauses": [{"clause": "a.01", "from": [], "text": "Words.", **clause}]}
    faults = list(jsonschema.Draft202012Validator(make_schema(ChapterForm)).iter_errors(whole))

    assert [list(one.absolute_path) for one in faults] == [place]


# Keywords -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        ("  tests: plya\n", "x.yaml:9:10: expected one of play, score, view, table, advisory, not 'plya'"),
        ("  status: sure\n", "x.yaml:9:11: expected one of stated, inferred, silent, editor, not 'sure'"),
        ("  code: must_folow\n", "x.yaml:9:9: expected one of not_your_turn, not_your_role"),
        ("  lacks: {permit: Nothing.}\n", "x.yaml:9:11: unknown key 'permit'"),
    ],
    ids=["tests", "status", "code", "lacks"],
)
def test_a_keyword_is_one_of_its_values(clause: str, told: str) -> None:
    """A word that is none of the few is refused with its place, and the few are named."""
    assert find_fault(clause).startswith(told)


def test_a_keyword_is_read_as_what_it_is() -> None:
    """A word of the few is read, and knows its place."""
    chapter = decode_node(parse_yaml(f"{HEAD}  tests: view\n".encode(), "x.yaml"), ChapterForm)
    found = chapter.clauses[0].tests

    assert (found, found and found.place.line) == ("view", 9)


@pytest.mark.parametrize(
    ("keyword", "section"),
    [
        (tokens.Observation, "testable"),
        (tokens.ClauseKind, "kinds"),
        (tokens.ClauseStatus, "statuses"),
        (tokens.Confidence, "confidences"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_a_keyword_that_people_read_has_a_name_for_each_value(keyword: type[Keyword], section: str) -> None:
    """The glossary names the values of these keywords, and no others."""
    assert list(keyword.options) == list(glossary().node.fields["names"].fields[section].fields)


def read_schema(kind: str) -> Any:
    """Return the JSON Schema of a kind of data file."""
    return json.loads((root() / "schemas" / f"{kind}.schema.json").read_bytes())


def test_codes_are_those_of_made_rules() -> None:
    """A refusal in chapters has a code that the rules made of them may have."""
    assert list(tokens.RefusalCode.options) == read_schema("rules")["$defs"]["code"]["enum"]


def test_what_clauses_may_lack_is_what_scenarios_show() -> None:
    """The cells of a clause are those that scenarios fill, but for interactions, which no clause needs."""
    cells = read_schema("scenario")["$defs"]["scenario"]["properties"]["clauses"]["additionalProperties"]["items"][
        "enum"
    ]

    assert list_keys(LacksForm) == [cell for cell in cells if cell != "interaction"]
