"""The decision tables of a game: what the duties of its acts come to, under the first reading of every edition."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from brou import Choice
from brou.chapters import ActRule, DecisionTable, make_law, tabulate
from brou_tools.situation.written import WrittenRules


@dataclass(frozen=True, slots=True)
class ToldTable:
    """A decision table of an act, the rule bases that have it, and its conditions in words as far as there are any."""

    act: str
    table: DecisionTable
    choices: tuple[Choice, ...]
    #: By condition its words in each language.
    words: Mapping[str, Mapping[str, str]]


def find_tables(choices: Iterable[Choice], chapters: WrittenRules) -> Mapping[str, Sequence[ToldTable]]:
    """Return the decision tables of rules of one game by the label of their duty; equal tables are listed once."""
    volume = chapters.volume
    found: dict[tuple[str, DecisionTable], list[Choice]] = {}
    words: dict[str, Mapping[str, str]] = {}
    for choice in choices:
        law = make_law(volume, choice.edition, choice.setup, dict(choice.readings))
        for act in law.of_kind(ActRule):
            for table in tabulate(law, act.head.name)[1]:
                found.setdefault((str(act.head.word), table), []).append(choice)
                for one in table.conditions:
                    saying = next((law.says[name] for name in _name(one) if name in law.says), None)
                    words |= {} if saying is None else {one: law.texts.of(saying.id, saying.word)}
    told: dict[str, list[ToldTable]] = {}
    for (head, table), those in found.items():
        own = {one: words[one] for one in table.conditions if one in words}
        told.setdefault(table.duty, []).append(ToldTable(head, table, tuple(those), own))
    return told


def _name(condition: str) -> Iterator[str]:
    """Yield a condition as it is written, then the named expression that it is, if it is one."""
    yield condition
    tree = ast.parse(condition, mode="eval").body
    called = tree.func if isinstance(tree, ast.Call) else tree
    if isinstance(called, ast.Name):
        yield called.id
