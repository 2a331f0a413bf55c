"""Readings stand at their passage: no constant is there for one to replace, no list of those that exclude others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

import pytest

from brou.chapters.decode import decode_node
from brou.chapters.law import Volume, find_touched
from brou.chapters.notation import ChapterForm, FurtherRule
from brou.chapters.reading import read_volume
from brou.chapters.rules import Addend, Definition, Exemption, Rule, classify
from brou.chapters.terms import free_names
from brou.games.catalogue import catalogue
from brou.games.folder import list_files, read_file, root
from brou.language.source import parse_yaml


@cache
def volume_of(game: str) -> Volume:
    """Returns the chapters of a game of the house."""
    return read_volume(game, partial(list_files, root()), partial(read_file, root()))


def rules_of(volume: Volume) -> Iterator[Rule]:
    """Yields the rules of the clauses, without those that readings add."""
    for clause in volume.clauses():
        for keys, label in ((clause, clause.clause), *((rule, rule.rule) for rule in clause.rules)):
            rule = classify(keys, label, clause.clause, {})
            if rule is not None:
                yield rule


def added(volume: Volume) -> Iterator[tuple[str, FurtherRule]]:
    """Yields the rules that readings add, each with its reading."""
    for _, question in volume.questions():
        for value, reading in question.readings.items():
            for rule in reading.adds:
                yield f"{question.key}={value}", rule


def find_hooks(volume: Volume) -> set[str]:
    """Return the constants of the clauses that only readings give another value."""
    found = list(rules_of(volume))
    changed = {
        label
        for _, question in volume.questions()
        for value in question.readings
        for label, _ in find_touched(volume, question, value)
    }
    return set(_find_constants(found, volume, changed))


def _find_constants(found: list[Rule], volume: Volume, changed: set[str]) -> Iterator[str]:
    excepted = {label for rule in found if isinstance(rule, Exemption) for label in rule.lifts}
    raised = {rule.to.name for rule in found if isinstance(rule, Addend)}
    lifted = {label for _, rule in added(volume) for label in rule.lifts}
    summed = {head.partition("(")[0] for _, rule in added(volume) if (head := rule.adds) is not None}
    for rule in found:
        if isinstance(rule, Definition) and rule.label not in excepted and rule.head.name not in raised:
            varied = rule.label in changed | lifted or rule.head.name in summed
            if varied and _is_constant(rule):
                yield rule.head.name
    meanings = {heading: gives for clause in volume.clauses() for heading, gives in clause.means.items()}
    yield from (heading for heading, gives in meanings.items() if heading in changed and not free_names(gives))


def _is_constant(rule: Definition) -> bool:
    """Say whether a value is one literal, or a sum without terms."""
    if rule.terms is not None:
        return not rule.terms
    return rule.gives is not None and not free_names(rule.gives)


@pytest.mark.parametrize("game", catalogue())
def test_no_rule_is_there_for_a_reading_alone(game: str) -> None:
    """A reading changes rules that say something, and adds rules of its own."""
    assert find_hooks(volume_of(game)) == set()


@pytest.mark.parametrize("game", catalogue())
def test_no_readings_exclude_each_other_by_hand(game: str) -> None:
    """Where a value has a meaning under another reading alone, its question says so at its passage."""
    assert volume_of(game).frame.exclusions == ()


HOOKED = """
format: brou-chapter/2
game: hooked
chapter: one
title: One
clauses:
- clause: one.01
  from: p1
  text: Something is worth nothing, and is open.
  define: worth(p)
  is: "0"
  means: {open: "True"}
  open:
  - id: amb.01
    key: worth
    ask: What is it worth?
    readings:
      nothing: {why: It says nothing.}
      more: {why: It might., changes: {one.01: {is: "1"}}, means: {open: "False"}}
"""


def test_a_hook_is_found() -> None:
    """A value that a reading replaces is one, and a named expression."""
    chapter = decode_node(parse_yaml(HOOKED, "10-one.yaml"), ChapterForm)
    volume = volume_of(next(iter(catalogue())))
    assert find_hooks(replace(volume, chapters=(chapter,))) == {"worth", "open"}
