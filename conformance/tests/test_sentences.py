"""Sentences in three languages: every one is there, takes the same parts, and no pattern hides another."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from brou.language.node import Node
from brou.words.glossary import glossary
from brou_conformance.reports.sentences import Sentences, known_sentences

LANGUAGES = set(glossary().languages)
PART = re.compile(r"\{([a-z]+)")


def entries() -> Iterator[tuple[str, Node]]:
    """Yield every entry of the catalogue with its name."""
    for group, node in known_sentences().items():
        if group == "echoes":
            yield from ((item.string("en"), item) for item in node.items)
        elif group != "format":
            yield from ((f"{group}.{name}", item) for name, item in node.fields.items())


def test_every_sentence_is_there_in_every_language() -> None:
    """None is left in English."""
    assert [name for name, entry in entries() if set(entry.fields) != LANGUAGES] == []


def test_translations_take_the_same_parts() -> None:
    """Nothing is lost or made up in a language."""
    plain = [(name, entry) for name, entry in entries() if not name.startswith("nouns.")]
    parts = {name: [set(PART.findall(text.text)) for text in entry.fields.values()] for name, entry in plain}

    assert parts
    assert [name for name, found in parts.items() if any(one != found[0] for one in found)] == []


def test_nouns_have_two_forms() -> None:
    """One for one, one for several."""
    nouns = {name: entry for name, entry in entries() if name.startswith("nouns.")}

    assert {len(forms.items) for entry in nouns.values() for forms in entry.fields.values()} == {2}


@pytest.mark.parametrize(
    ("lang", "number", "told"),
    [("en", 1, "1 case"), ("en", 0, "0 cases"), ("fr", 0, "0 cas"), ("de", 2, "2 Fälle"), ("en", 3300, "3,300 cases")],
)
def test_numbers_go_with_their_nouns(lang: str, number: int, told: str) -> None:
    """As the language writes them."""
    assert Sentences(lang).count(number, "case") == told


@pytest.mark.parametrize(
    ("lang", "number", "told"),
    [
        ("en", 1, "Explains 1 of 1 case that fails, 1 of them alone."),
        ("en", 3, "Explains 1 of 3 cases that fail, 1 of them alone."),
        ("fr", 1, "Explique 1 sur 1 échec, dont 1 à elle seule."),
        ("de", 1, "Erklärt 1 von 1 Fall, der scheitert, für sich allein 1."),
        ("de", 3, "Erklärt 1 von 3 Fällen, die scheitern, für sich allein 1."),
    ],
)
def test_what_a_change_explains_agrees_with_the_number_of_cases(lang: str, number: int, told: str) -> None:
    """One case fails, several fail."""
    words = Sentences(lang)
    cases = words.count(number, "of_failing")

    assert words.say("root_explains", explained=1, cases=cases, alone=1) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("accepted", "angenommen"),
        ("refused (must_beat)", "abgelehnt (must_beat)"),
        ("what may seat 2 do?", "was darf Platz 2 tun?"),
        ("play AS 8S; claim none", "play AS 8S; claim nichts"),
        ("it does not offer score", "score bietet es nicht an"),
        ("it does not offer deal and match", "deal und match bietet es nicht an"),
        (
            "what it refuses is judged only where the deals show a refusal",
            "was es ablehnt, wird nur geprüft, wo die Spiele eine Ablehnung zeigen",
        ),
        ("something of their own", "something of their own"),
    ],
)
def test_what_is_kept_in_english_is_told_in_other_languages(text: str, told: str) -> None:
    """Records hold English; whatever is no sentence of ours stays as it is."""
    assert Sentences("de").echo(text) == told
    assert Sentences("en").echo(text) == text


def test_every_echo_finds_its_own_text() -> None:
    """No pattern stands before another that it swallows, but where both say the same."""
    texts = [item.string("en") for item in known_sentences()["echoes"].items]
    filled = [PART.sub("x", text).replace("}", "") for text in texts]
    french = Sentences("fr")

    for item, text in zip(known_sentences()["echoes"].items, filled, strict=True):
        wanted = PART.sub("x", item.fields["fr"].text).replace("}", "")
        assert french.echo(text) == french.typeset(wanted)
