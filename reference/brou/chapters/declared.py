"""Declarations of clauses: variables, named expressions, words for conditions, keys of view and score."""

from __future__ import annotations

from collections.abc import Mapping

from brou.chapters.notation import ShownEntry
from brou.chapters.tokens import Snippet, Token
from brou.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class StateVariable:
    """A variable of the state as it is declared: its scope, its letters for indexes, its type."""

    name: str
    scope: str
    letters: tuple[str, ...]
    type: Token
    zone: bool
    clause: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NamedExpression:
    """A named expression."""

    name: str
    letters: tuple[str, ...]
    gives: Snippet
    clause: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Saying:
    """The words for a condition or a figure, which is a name or an expression with letters."""

    id: str
    word: Token
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ChapterKey:
    """A key of the view or the score."""

    shown: ShownEntry
    clause: str
